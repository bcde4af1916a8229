"""The oracle of the test suite: the basic rules and a solver in plain Python.

It imports neither clingo nor aspdoku. Each rule is implemented twice, so that the implementations
check each other: as a relation between two cells of a full grid (`violations`), and as units, pairs
and cages for constraint propagation (`solutions`). The search is Norvig's,
https://norvig.com/sudoku.html: propagate, then branch where the fewest choices are left.

n        size of the grid: rows, columns and numbers
R, C     row and column of a cell, counted from 1 at the top left
N        a number, 1 to n
cell     (R, C)
grid     n rows of n numbers; a None among the givens is an empty cell
unit     n cells that hold every number once
domains  by cell, the numbers that it may still hold, as the bits 1 << N
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import combinations, islice
from math import isqrt
from operator import or_
from typing import NamedTuple

Cell = tuple[int, int]
Pair = tuple[Cell, Cell]
Grid = Sequence[Sequence[int]]
Givens = Sequence[Sequence[int | None]]
Relation = Callable[[Cell, Cell], bool]
Domains = dict[Cell, int]


class Cage(NamedTuple):
    """Cells of different numbers whose sum is `total`; None if no sum is given."""

    cells: tuple[Cell, ...]
    total: int | None
    name: str = ""


@dataclass(frozen=True)
class Rules:
    """The active rules of a puzzle, and their inputs.

    box_shape: rows and columns of a box, for `boxes` and `offset`; the most nearly square shape if
    None
    knight_exceptions: numbers that `anti_knight` does not apply to
    greater_than: pairs of cells, of which the first holds the greater number
    chains: by name, cells that hold every number (the regions of a jigsaw are the same, with
    `boxes` off)
    """

    rows: bool = True
    columns: bool = True
    boxes: bool = True
    offset: bool = False
    anti_knight: bool = False
    knight_exceptions: frozenset[int] = frozenset()
    greater_than: tuple[Pair, ...] = ()
    chains: Mapping[str, tuple[Cell, ...]] = field(default_factory=dict)
    cages: tuple[Cage, ...] = ()
    box_shape: tuple[int, int] | None = None

    def shape(self, n: int) -> tuple[int, int]:
        """Rows and columns of a box of a grid of size n."""
        rows = max(height for height in range(1, isqrt(n) + 1) if n % height == 0)
        return self.box_shape or (rows, n // rows)


LATIN = Rules(boxes=False)
CLASSIC = Rules()


# ---- Reading a puzzle file ----

RULE_NAMES = {"row", "column", "box", "offset", "anti-knight", "greater-than", "chain", "killer"}


def read_grid(text: str) -> list[list[int | None]]:
    """The grid of a puzzle file or of a solution file."""
    rows = (
        line.replace("|", " ").split()
        for line in _sections(text)["grid"]
        if not line.startswith("-")
    )
    return [[None if word == "." else int(word) for word in row] for row in rows]


def read(text: str) -> tuple[list[list[int | None]], Rules]:
    """The givens of a puzzle file, and the rules that it names.

    ValueError for a rule that is not one of RULE_NAMES.
    """
    sections = _sections(text)
    headers = dict(re.split(r":\s*", line, maxsplit=1) for line in sections["header"])
    active = {"row", "column", "box"} | _names(headers.get("with", ""))
    active -= _names(headers.get("without", ""))
    if unknown := active - RULE_NAMES:
        raise ValueError(f"tests/oracle.py does not know the rule {', '.join(sorted(unknown))}")
    facts = " ".join(sections.get("facts", []))
    rules = Rules(
        rows="row" in active,
        columns="column" in active,
        boxes="box" in active,
        offset="offset" in active,
        anti_knight="anti-knight" in active,
        knight_exceptions=frozenset(map(int, re.findall(r"\bab\(anti_knight,(\d+)\)", facts))),
        greater_than=_greater_than_facts(facts) if "greater-than" in active else (),
        chains={**_chain_facts(facts), **_labelled_cells(sections.get("chain", []))}
        if "chain" in active
        else {},
        cages=_cages(sections.get("cage", [])) if "killer" in active else (),
        box_shape=tuple(map(int, headers["box"].split("x"))) if "box" in headers else None,
    )
    return read_grid(text), rules


def _sections(text: str) -> dict[str, list[str]]:
    """The lines of a puzzle file by section.

    Those above the first section are `header` or `grid`.
    """
    sections: dict[str, list[str]] = {"header": [], "grid": []}
    name = ""
    lines = (line.strip() for line in text.splitlines() if not line.startswith("#"))
    for line in filter(None, lines):
        if title := re.fullmatch(r"\[(.+)\]", line):
            name = title[1]
            sections[name] = []
        else:
            sections[name or ("header" if ":" in line else "grid")].append(line)
    return sections


def _names(words: str) -> set[str]:
    return {word.replace("_", "-") for word in re.split(r"[\s,]+", words) if word}


def _greater_than_facts(facts: str) -> tuple[Pair, ...]:
    """The pairs of cells in the facts `gt(R,C,R1,C1).`"""
    found = re.findall(r"\bgt\((\d+),(\d+),(\d+),(\d+)\)", facts)
    return tuple(((int(r), int(c)), (int(r1), int(c1))) for r, c, r1, c1 in found)


def _chain_facts(facts: str) -> dict[str, tuple[Cell, ...]]:
    """The chains in the facts `chain(R,C,I).`"""
    chains: dict[str, tuple[Cell, ...]] = {}
    for r, c, name in re.findall(r"\bchain\((\d+),(\d+),([^()]+)\)", facts):
        chains[name] = (*chains.get(name, ()), (int(r), int(c)))
    return chains


def _labelled_cells(picture: Iterable[str]) -> dict[str, tuple[Cell, ...]]:
    """The cells of each label in a grid of labels."""
    cells: dict[str, tuple[Cell, ...]] = {}
    for r, labels in enumerate(map(str.split, picture), 1):
        for c, name in enumerate(labels, 1):
            if name != ".":
                cells[name] = (*cells.get(name, ()), (r, c))
    return cells


def _cages(lines: list[str]) -> tuple[Cage, ...]:
    """The cages in a grid of labels, followed by lines `label = total`."""
    totals = dict(re.split(r"\s*=\s*", line) for line in lines if "=" in line)
    cells = _labelled_cells(line for line in lines if "=" not in line)
    return tuple(
        Cage(cells[name], int(totals[name]) if name in totals else None, name) for name in cells
    )


# ---- The rules on a full grid ----


def latin(grid: Grid) -> bool:
    """No number occurs twice in a row or column."""
    return not any(equal_pairs(grid, same_row)) and not any(equal_pairs(grid, same_column))


def boxes(grid: Grid, rows: int, columns: int) -> bool:
    """No number occurs twice in a box of this shape."""
    return not any(equal_pairs(grid, same_box(rows, columns)))


def offset(grid: Grid, rows: int, columns: int) -> bool:
    """Cells in the same position within their boxes hold different numbers."""
    return not any(equal_pairs(grid, same_box_position(rows, columns)))


def anti_knight(grid: Grid) -> bool:
    """Cells a chess knight's move apart hold different numbers."""
    return not any(equal_pairs(grid, knights_move))


def greater_than(grid: Grid, pairs: Iterable[Pair]) -> bool:
    """The first cell of every pair holds the greater number."""
    return all(number(grid, greater) > number(grid, less) for greater, less in pairs)


def chains(grid: Grid, chains: Mapping[str, Iterable[Cell]]) -> bool:
    """Every chain holds every number once."""
    return not chain_violations(grid, chains)


def cages(grid: Grid, cages: Iterable[Cage]) -> bool:
    """No number occurs twice in a cage, and the sum of the cage is its total."""
    return not cage_violations(grid, cages)


def violations(grid: Grid, givens: Givens, rules: Rules, most: int | None = None) -> list[str]:
    """Descriptions of all violations; empty if the grid is a solution of the givens.

    most: the greatest number, by default that of the rows
    """
    if found := shape_violations(grid, len(givens), most or len(givens)):
        return found
    shape = rules.shape(len(grid))
    relations = [
        (rules.rows, same_row, "in one row"),
        (rules.columns, same_column, "in one column"),
        (rules.boxes, same_box(*shape), "in one box"),
        (rules.offset, same_box_position(*shape), "at the same place of their boxes"),
        (rules.anti_knight, knights_move, "a knight's move apart"),
    ]
    return [
        *given_violations(grid, givens),
        *(
            describe_pair(grid, pair, where)
            for on, relation, where in relations
            if on
            for pair in equal_pairs(grid, relation)
            if not (relation is knights_move and number(grid, pair[0]) in rules.knight_exceptions)
        ),
        *sign_violations(grid, rules.greater_than),
        *chain_violations(grid, rules.chains),
        *cage_violations(grid, rules.cages),
    ]


def number(grid: Grid, cell: Cell) -> int:
    r, c = cell
    return grid[r - 1][c - 1]


def equal_pairs(grid: Grid, related: Relation) -> Iterator[Pair]:
    """The pairs of related cells with the same number."""
    places: dict[int, list[Cell]] = {}
    for r, row in enumerate(grid, 1):
        for c, n in enumerate(row, 1):
            places.setdefault(n, []).append((r, c))
    return (pair for cells in places.values() for pair in combinations(cells, 2) if related(*pair))


def same_row(cell: Cell, other: Cell) -> bool:
    return cell[0] == other[0]


def same_column(cell: Cell, other: Cell) -> bool:
    return cell[1] == other[1]


def same_box(rows: int, columns: int) -> Relation:
    def box(cell: Cell) -> Cell:
        return (cell[0] - 1) // rows, (cell[1] - 1) // columns

    return lambda cell, other: box(cell) == box(other)


def same_box_position(rows: int, columns: int) -> Relation:
    return lambda cell, other: (
        (cell[0] - other[0]) % rows == 0 and (cell[1] - other[1]) % columns == 0
    )


def knights_move(cell: Cell, other: Cell) -> bool:
    return {abs(cell[0] - other[0]), abs(cell[1] - other[1])} == {1, 2}


def describe_pair(grid: Grid, pair: Pair, where: str) -> str:
    return f"{label(pair[0])} and {label(pair[1])}, {where}, both hold {number(grid, pair[0])}"


def label(cell: Cell) -> str:
    return f"r{cell[0]}c{cell[1]}"


def shape_violations(grid: Grid, n: int, most: int) -> list[str]:
    if len(grid) != n:
        return [f"the grid has {len(grid)} rows, not {n}"]
    return [
        f"row {r} has {len(row)} cells, not {n}" for r, row in enumerate(grid, 1) if len(row) != n
    ] or [
        f"{label((r, c))} holds {held}, which is not one of 1 to {most}"
        for r, row in enumerate(grid, 1)
        for c, held in enumerate(row, 1)
        if held not in range(1, most + 1)
    ]


def given_violations(grid: Grid, givens: Givens) -> list[str]:
    return [
        f"{label((r, c))} holds {held}, but {given} is given"
        for r, (row, given_row) in enumerate(zip(grid, givens, strict=True), 1)
        for c, (held, given) in enumerate(zip(row, given_row, strict=True), 1)
        if given not in (None, held)
    ]


def sign_violations(grid: Grid, pairs: Iterable[Pair]) -> list[str]:
    return [
        f"{label(more)} holds {number(grid, more)}, which is not greater than {number(grid, less)}"
        f" in {label(less)}"
        for more, less in pairs
        if number(grid, more) <= number(grid, less)
    ]


def chain_violations(grid: Grid, chains: Mapping[str, Iterable[Cell]]) -> list[str]:
    found = []
    for title, cells in chains.items():
        held = [number(grid, cell) for cell in cells]
        counts = [(n, held.count(n)) for n in range(1, len(grid) + 1)]
        found += [
            f"chain {title}: {count} cells hold {n}, not one" for n, count in counts if count != 1
        ]
    return found


def cage_violations(grid: Grid, cages: Iterable[Cage]) -> list[str]:
    found = []
    for cells, total, title in cages:
        held = [number(grid, cell) for cell in cells]
        if total not in (None, sum(held)):
            found.append(f"cage {title} adds up to {sum(held)}, not {total}")
        found += [
            f"cage {title}: {held.count(n)} cells hold {n}"
            for n in sorted(set(held))
            if held.count(n) > 1
        ]
    return found


# ---- The search ----


def solutions(
    givens: Givens, rules: Rules = CLASSIC, limit: int | None = None
) -> list[list[list[int]]]:
    """The solutions of the givens, without duplicates and up to `limit`."""
    n = len(givens)
    if any(len(set(cells)) != n for cells in rules.chains.values()):
        return []
    constraints = Constraints.of(n, rules)
    domains = dict.fromkeys(cells_of(n), (2 << n) - 2)
    for r, row in enumerate(givens, 1):
        for c, given in enumerate(row, 1):
            if given is not None:
                domains[r, c] &= 1 << given
    found = islice(search(domains, constraints, set(domains)), limit)
    return [
        [[solved[r, c].bit_length() - 1 for c in range(1, n + 1)] for r in range(1, n + 1)]
        for solved in found
    ]


def cells_of(n: int) -> list[Cell]:
    return [(r, c) for r in range(1, n + 1) for c in range(1, n + 1)]


@dataclass(frozen=True)
class Constraints:
    """The rules of a puzzle in the form that constraint propagation needs.

    units: cells that hold every number once
    peers: by cell, those that hold other numbers
    knight_peers: by cell, those that hold other numbers, unless it holds a knight exception
    greater, smaller: by cell, those that hold a greater and a smaller number
    sums: the cells of each cage, and the sets of numbers that they can hold together
    units_of, sums_of: by cell, the indices in `units` and `sums` of those that contain it
    """

    units: list[tuple[Cell, ...]]
    peers: dict[Cell, set[Cell]]
    knight_peers: dict[Cell, set[Cell]]
    knight_exceptions: int
    greater: dict[Cell, set[Cell]]
    smaller: dict[Cell, set[Cell]]
    sums: list[tuple[tuple[Cell, ...], list[int]]]
    units_of: dict[Cell, list[int]]
    sums_of: dict[Cell, list[int]]

    @classmethod
    def of(cls, n: int, rules: Rules) -> Constraints:
        cells = cells_of(n)
        units = [*units_by_rule(n, rules), *rules.chains.values()]
        sums = [(cage.cells, sets_with_sum(n, len(cage.cells), cage.total)) for cage in rules.cages]
        groups = [*units, *(cage.cells for cage in rules.cages)]
        peers: dict[Cell, set[Cell]] = {cell: set() for cell in cells}
        for group in groups:
            for cell in group:
                peers[cell] |= set(group) - {cell}
        knight_peers: dict[Cell, set[Cell]] = {cell: set() for cell in cells}
        for one, other in knight_pairs(n) if rules.anti_knight else []:
            knight_peers[one].add(other)
            knight_peers[other].add(one)
        knight_exceptions = union(1 << held for held in rules.knight_exceptions)
        greater: dict[Cell, set[Cell]] = {cell: set() for cell in cells}
        smaller: dict[Cell, set[Cell]] = {cell: set() for cell in cells}
        for more, less in rules.greater_than:
            greater[less].add(more)
            smaller[more].add(less)
        units_of = {cell: [i for i, unit in enumerate(units) if cell in unit] for cell in cells}
        sums_of = {cell: [i for i, (cage, _) in enumerate(sums) if cell in cage] for cell in cells}
        return cls(
            units, peers, knight_peers, knight_exceptions, greater, smaller, sums, units_of, sums_of
        )


def units_by_rule(n: int, rules: Rules) -> Iterator[tuple[Cell, ...]]:
    height, width = rules.shape(n)
    tops, lefts = range(1, n + 1, height), range(1, n + 1, width)
    if rules.rows:
        yield from (tuple((r, c) for c in range(1, n + 1)) for r in range(1, n + 1))
    if rules.columns:
        yield from (tuple((r, c) for r in range(1, n + 1)) for c in range(1, n + 1))
    if rules.boxes:
        for top in tops:
            for left in lefts:
                yield tuple((top + i, left + j) for i in range(height) for j in range(width))
    if rules.offset:
        for i in range(height):
            for j in range(width):
                yield tuple((top + i, left + j) for top in tops for left in lefts)


def knight_pairs(n: int) -> list[Pair]:
    moves = [(1, -2), (1, 2), (2, -1), (2, 1)]
    return [
        ((r, c), (r + y, c + x))
        for r, c in cells_of(n)
        for y, x in moves
        if r + y <= n and 1 <= c + x <= n
    ]


def sets_with_sum(n: int, size: int, total: int | None) -> list[int]:
    """The sets of this size with the sum `total`, as bits; all of this size if it is None."""
    chosen = combinations(range(1, n + 1), size)
    return [
        union(1 << held for held in numbers) for numbers in chosen if total in (None, sum(numbers))
    ]


def search(domains: Domains, constraints: Constraints, changed: set[Cell]) -> Iterator[Domains]:
    """The solutions within `domains`; `changed` are the cells that are not propagated yet."""
    if not propagate(domains, constraints, changed):
        return
    choices = fewest_choices(domains, constraints)
    if not choices:
        yield domains
    for cell, bit in choices:
        yield from search(domains | {cell: bit}, constraints, {cell})


def fewest_choices(domains: Domains, constraints: Constraints) -> list[tuple[Cell, int]]:
    """The cell with the fewest numbers, or the number with the fewest cells in a unit.

    Empty if the grid is full.
    """
    open_cells = [cell for cell in domains if domains[cell].bit_count() > 1]
    if not open_cells:
        return []
    tightest = min(open_cells, key=lambda cell: domains[cell].bit_count())
    choices = [(tightest, bit) for bit in bits(domains[tightest])]
    for unit in constraints.units:
        if len(choices) == 2:
            break
        for bit in bits((2 << len(unit)) - 2):
            places = [(cell, bit) for cell in unit if domains[cell] & bit]
            if 1 < len(places) < len(choices):
                choices = places
    return choices


def propagate(domains: Domains, constraints: Constraints, changed: set[Cell]) -> bool:
    """Remove impossible numbers from `domains`, starting from the changed cells.

    False if some cell or number has no choice left.
    """

    def keep(cell: Cell, numbers: int) -> None:
        if domains[cell] & ~numbers:
            domains[cell] &= numbers
            changed.add(cell)

    units: set[int] = set()
    sums: set[int] = set()
    while changed or units or sums:
        if changed:
            cell = changed.pop()
            if not domains[cell]:
                return False
            if not domains[cell] & (domains[cell] - 1):
                for peer in constraints.peers[cell]:
                    keep(peer, ~domains[cell])
                if not domains[cell] & constraints.knight_exceptions:
                    for peer in constraints.knight_peers[cell]:
                        keep(peer, ~domains[cell])
            for more in constraints.greater[cell]:
                keep(more, -2 * (domains[cell] & -domains[cell]))
            for less in constraints.smaller[cell]:
                keep(less, (1 << domains[cell].bit_length() - 1) - 1)
            units.update(constraints.units_of[cell])
            sums.update(constraints.sums_of[cell])
        elif units:
            if not propagate_unit(domains, constraints.units[units.pop()], keep):
                return False
        else:
            propagate_sum(domains, *constraints.sums[sums.pop()], keep)
    return True


def propagate_unit(
    domains: Domains, unit: tuple[Cell, ...], keep: Callable[[Cell, int], None]
) -> bool:
    """Assign each number that fits only one cell of the unit.

    False if a number fits no cell, or two numbers fit only the same one.
    """
    once = twice = 0
    for cell in unit:
        twice |= once & domains[cell]
        once |= domains[cell]
    for cell in unit:
        if only := domains[cell] & once & ~twice:
            if only & (only - 1):
                return False
            keep(cell, only)
    return once == (2 << len(unit)) - 2


def propagate_sum(
    domains: Domains, cage: tuple[Cell, ...], sets: list[int], keep: Callable[[Cell, int], None]
) -> None:
    """Keep the numbers of the sets that are still possible in the cage."""
    anywhere = union(domains[cell] for cell in cage)
    possible = union(
        numbers
        for numbers in sets
        if not numbers & ~anywhere and all(domains[cell] & numbers for cell in cage)
    )
    for cell in cage:
        keep(cell, possible)


def bits(numbers: int) -> Iterator[int]:
    while numbers:
        yield numbers & -numbers
        numbers &= numbers - 1


def union(sets: Iterable[int]) -> int:
    return reduce(or_, sets, 0)
