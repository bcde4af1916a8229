"""Rules that make choices or retract default rules, in plain Python, as an oracle for the rule
files.

Each function computes by brute force all solutions of a puzzle with the given facts. A grid is a
tuple of rows; facts are tuples of the arguments, in lists by the name of the predicate, as in
`rule_semantics`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations, pairwise, permutations, product, takewhile
from math import prod
from random import Random
from typing import NamedTuple

from rule_semantics import (
    RULE_SEMANTICS,
    Facts,
    Grid,
    boxes,
    cells_of,
    edge,
    labelled,
    lines,
    neighbours,
    nothing,
    number,
    some_cells,
)

from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzle.puzzle import box_shape

Cell = tuple[int, int]


class Variant(NamedTuple):
    """A rule with the size of its test grids, the rules that it retracts, a generator of random
    facts, all solutions for given facts, rules that are used with it, and how many more numbers
    there are than rows.
    """

    size: int
    without: tuple[str, ...]
    example: Callable[[Random, int], Facts]
    solutions: Callable[[int, Facts], set[Grid]]
    others: tuple[str, ...] = ()
    more: int = 0

    def puzzle(self, facts: Facts) -> Puzzle:
        """The blank grid with these facts."""
        atoms = tuple(Function(name, each) for name, all_ in facts.items() for each in all_)
        numbers = range(1, self.size + self.more + 1)
        return Puzzle.blank(self.size).replace(facts=atoms, numbers=numbers)


# ---- Grids ----


@cache
def latin_squares(size: int) -> tuple[Grid, ...]:
    rows = list(permutations(range(1, size + 1)))
    return tuple(
        grid
        for grid in product(rows, repeat=size)
        if all(len(set(column)) == size for column in zip(*grid, strict=True))
    )


@cache
def sudokus(size: int) -> tuple[Grid, ...]:
    return tuple(
        grid
        for grid in latin_squares(size)
        if all(len({number(grid, cell) for cell in box}) == size for box in boxes(size))
    )


def rows_only(size: int) -> Iterator[Grid]:
    return product(permutations(range(1, size + 1)), repeat=size)


def satisfying(
    grids: Callable[[int], Iterable[Grid]], holds: Callable[[Grid, Facts], bool]
) -> Callable[[int, Facts], set[Grid]]:
    return lambda size, facts: {grid for grid in grids(size) if holds(grid, facts)}


# ---- Adjacency ----


def is_connected(cells: Iterable[Cell], size: int) -> bool:
    unvisited = set(cells)
    pending = [unvisited.pop()] if unvisited else []
    while pending:
        new = unvisited.intersection(neighbours(pending.pop(), size))
        unvisited -= new
        pending += new
    return not unvisited


def satisfies_connected(grid: Grid, facts: Facts) -> bool:
    sets = {label: set() for label, _ in facts.get("connected_set", [])}
    for label, n in facts.get("connected_set", []):
        sets[label].add(n)
    chosen = {
        label: [(r, c) for r, c, other in facts.get("connected_in", []) if other == label]
        for label in sets
    }
    found = {
        label: [
            cell for cell in chosen[label] or cells_of(len(grid)) if number(grid, cell) in marked
        ]
        for label, marked in sets.items()
    }
    marked = {n for (n,) in facts.get("connected", [])}
    everywhere = [cell for cell in cells_of(len(grid)) if number(grid, cell) in marked]
    return (
        all(is_connected(cells, len(grid)) for cells in (everywhere, *found.values()))
        and all(found.values())
        and all(len(found[label]) == size for label, size in facts.get("connected_size", []))
    )


def sets_of_numbers(rng: Random, size: int) -> Facts:
    """Marked numbers, or sets of numbers, perhaps in some rows only and of a certain size."""
    chosen = rng.sample(range(1, size + 1), rng.randint(2, 3))
    if rng.random() < 0.3:
        return {"connected": [(n,) for n in chosen]}
    facts = {"connected_set": [("A", n) for n in chosen]}
    if rng.random() < 0.5:
        rows = range(1, rng.randint(2, size))
        facts["connected_in"] = [(r, c, "A") for r in rows for c in range(1, size + 1)]
        if rng.random() < 0.5:
            facts["connected_set"].append(("B", rng.randint(1, size)))
            facts["connected_in"] += [(size, c, "B") for c in range(1, rng.randint(2, size + 1))]
    if rng.random() < 0.5:
        in_rows = len(facts.get("connected_in", [])) // size or size
        facts["connected_size"] = [("A", min(in_rows, size) * len(chosen) - rng.randint(0, 1))]
    return facts


def satisfies_top_bottom(grid: Grid, _facts: Facts) -> bool:
    for rows in (grid, grid[::-1]):
        columns = [row.index(n) for n, row in enumerate(rows, 1)]
        if any(abs(one - two) > 1 for one, two in pairwise(columns)):
            return False
    return True


# ---- Unknown regions ----


@cache
def partitions(size: int) -> tuple[dict[Cell, int], ...]:
    """All partitions of the grid into connected regions of `size` cells."""

    def cut(free: frozenset[Cell]) -> Iterator[list[frozenset[Cell]]]:
        if not free:
            yield []
            return
        first, *others = sorted(free)
        for chosen in combinations(others, size - 1):
            if is_connected([first, *chosen], size):
                region = frozenset([first, *chosen])
                for rest in cut(free - region):
                    yield [region, *rest]

    cuts = cut(frozenset(cells_of(size)))
    return tuple(
        {cell: name for name, region in enumerate(regions) for cell in region} for regions in cuts
    )


def some_region_facts(rng: Random, size: int) -> Facts:
    often = {"chaos-borders": 0.2, "chaos-count": 0.7, "chaos-distinct": 0.3}
    found: Facts = {}
    for name, example in REGION_CLUES.items():
        if rng.random() < often.get(name, 0.5):
            found |= example(rng, size)
    return found


def some_edges(name: str) -> Callable[[Random, int], Facts]:
    return lambda rng, size: {name: [edge(rng, size) for _ in range(rng.randint(1, 7))]}


def some_counted_regions(rng: Random, size: int) -> Facts:
    return {
        "chaos_distinct": [
            (label, place, *cell)
            for label in "AB"[: rng.randint(1, 2)]
            for place, cell in enumerate(rng.sample(cells_of(size), rng.randint(2, 5)), 1)
        ]
    }


def some_counted_cells(rng: Random, size: int) -> Facts:
    cell, *others = rng.sample(cells_of(size), 4)
    return {"chaos_count": [(*cell, *other) for other in others]}


def some_arrows(rng: Random, size: int) -> Facts:
    """Arrows to the right and down from the first cells of a row and of a column, or both."""
    row, column = rng.randint(1, size), rng.randint(1, size)
    start = rng.randint(1, size - 1)
    arrows = [
        [(row, c) for c in range(start, size + 1)],
        [(r, column) for r in range(1, size + 1)],
        [(r, start) for r in range(row, size + 1)],
    ]
    return {
        "chaos_arrow": [
            (label, place, *cell)
            for label, arrow in enumerate(rng.sample(arrows, 2), 1)
            for place, cell in enumerate(arrow, 1)
        ],
        "chaos_offset": [(label, rng.randint(0, 1)) for label in (1, 2) if rng.random() < 0.4],
    }


def counts_along_arrows(grid: Grid, region: dict[Cell, int], facts: Facts) -> bool:
    """Each first cell counts the cells of its region on all arrows from it, up to another one.

    On an arrow with an offset, it only counts those on that arrow, and fewer by the offset.
    """
    reached: dict[Cell, set[Cell]] = {}
    offsets = dict(facts.get("chaos_offset", []))
    arrows: dict[object, dict[object, Cell]] = {}
    for label, place, *cell in facts.get("chaos_arrow", []):
        arrows.setdefault(label, {})[place] = tuple(cell)
    for label, places in arrows.items():
        arrow = [places[place] for place in sorted(places)]
        found = list(takewhile(lambda cell, of=region[arrow[0]]: region[cell] == of, arrow))
        if label not in offsets:
            reached.setdefault(arrow[0], set()).update(found)
        elif number(grid, arrow[0]) != len(set(found)) - offsets[label]:
            return False
    return all(number(grid, cell) == len(cells) for cell, cells in reached.items())


def counts_these(grid: Grid, region: dict[Cell, int], facts: Facts) -> bool:
    counted: dict[Cell, set[Cell]] = {}
    for cell in facts.get("chaos_count", []):
        one = cell[:2]
        near = [cell[2:]] if cell[2:] else neighbours(one, len(grid), diagonal=True)
        counted.setdefault(one, {one}).update(near)
    return all(
        number(grid, cell) == sum(region[each] == region[cell] for each in others)
        for cell, others in counted.items()
    )


def counts_borders(grid: Grid, region: dict[Cell, int], facts: Facts) -> bool:
    """Each marked cell counts the borders in its row and column."""

    def borders(line: list[Cell]) -> int:
        return sum(region[one] != region[other] for one, other in pairwise(line))

    span = range(1, len(grid) + 1)
    return all(
        number(grid, (r, c)) == borders([(r, x) for x in span]) + borders([(y, c) for y in span])
        for r, c in facts.get("chaos_borders", [])
    )


def satisfies_chaos_construction(grid: Grid, facts: Facts) -> bool:
    return any(
        len({(name, number(grid, cell)) for cell, name in region.items()}) == len(grid) ** 2
        and counts_these(grid, region, facts)
        and counts_along_arrows(grid, region, facts)
        and counts_borders(grid, region, facts)
        and all(
            number(grid, first) == len({region[cell] for cell in others})
            for first, *others in lines(facts, "chaos_distinct")
        )
        and all(region[r, c] == region[r1, c1] for r, c, r1, c1 in facts.get("chaos_same", []))
        and all(region[r, c] != region[r1, c1] for r, c, r1, c1 in facts.get("chaos_apart", []))
        for region in partitions(len(grid))
    )


# ---- A path to be found ----


def on_path(cells: frozenset[Cell], cell: Cell, size: int) -> list[Cell]:
    return [other for other in neighbours(cell, size) if other in cells]


def is_path(cells: frozenset[Cell], size: int) -> bool:
    """Whether cells are a path that does not touch itself, even at corners, except where it turns.

    Two cells that touch at a corner have exactly one of the other two cells there between them.
    """
    return (
        is_connected(cells, size)
        and all(len(on_path(cells, cell, size)) < 3 for cell in cells)
        and all(
            ((r + 1, c) in cells) + ((r, other) in cells) == 1
            for r, c in cells
            for other in (c - 1, c + 1)
            if (r + 1, other) in cells
        )
    )


@cache
def all_paths(size: int) -> tuple[tuple[frozenset[Cell], frozenset[Cell]], ...]:
    """All paths in a grid, each with its ends."""
    cells = cells_of(size)
    chosen = (
        frozenset(cell for cell, on in zip(cells, choice, strict=True) if on)
        for choice in product((False, True), repeat=len(cells))
    )
    return tuple(
        (path, frozenset(cell for cell in path if len(on_path(path, cell, size)) < 2))
        for path in chosen
        if path and is_path(path, size)
    )


def some_path(rng: Random, size: int) -> Facts:
    """No ends, ends to be found, or given ones; and some cells on the path or beside it."""
    cells = rng.sample(cells_of(size), 4)
    ends = rng.randint(0, 2)
    facts: Facts = {"path_end": cells[:ends]}
    if ends == 1 or rng.random() < 0.3:
        facts["path_ends"] = [(2,)]
    if rng.random() < 0.5:
        facts["path_through"] = [cells[2]]
    if rng.random() < 0.5:
        facts["path_beside"] = [cells[3]]
    return facts


def some_rooms(rng: Random, size: int) -> Facts:
    edges = ("left", "right", "top", "bottom")
    clues = {(Function(rng.choice(edges)), rng.randint(1, size)) for _ in range(2)}
    return {"path_room": [(*clue, rng.randint(1, size)) for clue in sorted(clues, key=str)]}


def path_fits(grid: Grid, path: frozenset[Cell], facts: Facts) -> bool:
    """Whether a path has the ends and cells that facts state."""
    given = {name: set(facts.get(name, ())) for name in ("path_end", "path_through", "path_beside")}
    ((count,),) = facts.get("path_ends") or [(len(given["path_end"]),)]
    ends = {cell for cell in path if len(on_path(path, cell, len(grid))) < 2}
    return (
        len(ends) == count
        and given["path_end"] <= ends
        and given["path_through"] <= path
        and not given["path_beside"] & path
    )


def whispers_on_path(grid: Grid, path: frozenset[Cell], facts: Facts) -> bool:
    ((gap,),) = facts.get("path_whispers") or [((len(grid) + 1) // 2,)]
    return all(
        abs(number(grid, cell) - number(grid, other)) >= gap
        for cell in path
        for other in on_path(path, cell, len(grid))
    )


def line_from(name: object, place: int, size: int) -> list[Cell]:
    span = range(1, size + 1) if str(name) in ("left", "top") else range(size, 0, -1)
    row = str(name) in ("left", "right")
    return [(place, each) if row else (each, place) for each in span]


def rooms_on_path(grid: Grid, path: frozenset[Cell], facts: Facts) -> bool:
    for name, place, clue in facts["path_room"]:
        line = line_from(name, place, len(grid))
        found = [number(grid, cell) for cell in line if cell in path]
        if found[number(grid, line[0]) - 1 :][:1] != [clue]:
            return False
    return True


PathClue = Callable[[Grid, frozenset[Cell], Facts], bool]
PATH_CLUES: dict[str, PathClue] = {
    "path": path_fits,
    "path-room": rooms_on_path,
    "path-whispers": whispers_on_path,
}


def some_path_satisfies(*names: str) -> Callable[[Grid, Facts], bool]:
    return lambda grid, facts: any(
        all(PATH_CLUES[name](grid, path, facts) for name in ("path", *names))
        for path, _ in all_paths(len(grid))
    )


# ---- Cells whose value differs from their number ----


def cages(rng: Random, size: int) -> Facts:
    labels = [
        (label, rng.sample(cells_of(size), rng.randint(2, 3)))
        for label in "AB"[: rng.randint(1, 2)]
    ]
    return {
        "cage": [(*cell, label) for label, cells in labels for cell in cells],
        "cage_value": [(label, rng.randint(0, 4 * len(cells))) for label, cells in labels],
    }


@cache
def one_each(grid: Grid) -> tuple[frozenset[Cell], ...]:
    """The sets of one cell in each row, column and box, all with different numbers."""
    size = len(grid)
    chosen = (frozenset(enumerate(each, 1)) for each in permutations(range(1, size + 1)))
    return tuple(
        cells
        for cells in chosen
        if len({number(grid, cell) for cell in cells}) == size
        and all(len(cells.intersection(box)) == 1 for box in boxes(size))
    )


def with_values(grid: Grid, values: dict[Cell, int]) -> Grid:
    return tuple(
        tuple(values.get((r, c), n) for c, n in enumerate(row, 1)) for r, row in enumerate(grid, 1)
    )


def multiplied(factor: int) -> Callable[[Grid], set[Grid]]:
    return lambda grid: {
        with_values(grid, {cell: factor * number(grid, cell) for cell in cells})
        for cells in one_each(grid)
    }


def with_vampires(grid: Grid) -> set[Grid]:
    """A vampire counts its number and that of the prey in its box, which counts 0."""
    found = set()
    for vampires, prey in permutations(one_each(grid), 2):
        if vampires.isdisjoint(prey):
            values = dict.fromkeys(prey, 0)
            for box in boxes(len(grid)):
                (vampire,), (victim,) = vampires.intersection(box), prey.intersection(box)
                values[vampire] = number(grid, vampire) + number(grid, victim)
            found.add(with_values(grid, values))
    return found


@cache
def one_in_each(size: int) -> tuple[frozenset[Cell], ...]:
    """The sets of one cell in each row, column and box."""
    chosen = (frozenset(enumerate(each, 1)) for each in permutations(range(1, size + 1)))
    return tuple(
        cells for cells in chosen if all(len(cells.intersection(box)) == 1 for box in boxes(size))
    )


@cache
def indexers(size: int) -> tuple[tuple[dict[Cell, int], dict[Cell, Cell]], ...]:
    """For all places of the indexers, their numbers, and the cells at which they point. Two cells
    of each row, column and box are indexers: one holds the column of the other one of its row, and
    the other one the row of the first of its column.
    """
    found = []
    for along_rows, along_columns in permutations(one_in_each(size), 2):
        if along_rows.isdisjoint(along_columns):
            column_of = dict(along_columns)
            row_of = {c: r for r, c in along_rows}
            numbers = {(r, c): column_of[r] for r, c in along_rows}
            numbers |= {(r, c): row_of[c] for r, c in along_columns}
            pointed = {(r, c): (r, column_of[r]) for r, c in along_rows}
            pointed |= {(r, c): (row_of[c], c) for r, c in along_columns}
            found.append((numbers, pointed))
    return tuple(found)


def values_with_indexers(grid: Grid, pointed: dict[Cell, Cell]) -> Grid:
    return with_values(grid, {cell: number(grid, other) for cell, other in pointed.items()})


def satisfies_killer_with_indexers(grid: Grid, facts: Facts) -> bool:
    """Whether cages add up to their sums if an indexer counts as the number at which it points."""
    return any(
        satisfies_killer(grid, values_with_indexers(grid, pointed), facts)
        for numbers, pointed in indexers(len(grid))
        if all(number(grid, cell) == n for cell, n in numbers.items())
    )


@cache
def grids_with_indexers(size: int) -> tuple[tuple[Grid, Grid], ...]:
    """The sudokus with indexers, and their values."""
    return tuple(
        (grid, values_with_indexers(grid, pointed))
        for numbers, pointed in indexers(size)
        for grid in completed(size, numbers)
    )


def completed(size: int, numbers: dict[Cell, int]) -> Iterator[Grid]:
    """The sudokus with these numbers."""
    houses = [*boxes(size)]
    houses += [[(r, c) for c in range(1, size + 1)] for r in range(1, size + 1)]
    houses += [[(r, c) for r in range(1, size + 1)] for c in range(1, size + 1)]
    seen = {
        cell: {other for house in houses if cell in house for other in house} - {cell}
        for cell in cells_of(size)
    }

    def filled(numbers: dict[Cell, int]) -> Iterator[Grid]:
        left = {
            cell: {*range(1, size + 1)} - {numbers.get(each) for each in seen[cell]}
            for cell in seen
        }
        if any(numbers.get(cell, min(some, default=0)) not in some for cell, some in left.items()):
            return
        open_ = min(
            (each for each in seen if each not in numbers), key=lambda c: len(left[c]), default=None
        )
        if open_ is None:
            yield tuple(
                tuple(numbers[r, c] for c in range(1, size + 1)) for r in range(1, size + 1)
            )
            return
        for each in left[open_]:
            yield from filled({**numbers, open_: each})

    yield from filled(numbers)


def solutions_with_indexers(size: int, facts: Facts) -> set[Grid]:
    return {
        grid for grid, values in grids_with_indexers(size) if satisfies_killer(grid, values, facts)
    }


# By rule, the grids of values that are possible for a grid of numbers.
VALUES: dict[str, Callable[[Grid], set[Grid]]] = {
    "doublers": multiplied(2),
    "negators": multiplied(-1),
    "vampires": with_vampires,
}
# All rules by which cells count as other numbers: no 4x4 sudoku has indexers.
VALUE_RULES = {*VALUES, "indexers"}


def holds_for_values(
    name: str, holds: Callable[[Grid, Grid, Facts], bool]
) -> Callable[[Grid, Facts], bool]:
    """Whether a rule about numbers and values holds for some choice of the rule `name`."""
    values = cache(VALUES[name])
    return lambda grid, facts: any(holds(grid, each, facts) for each in values(grid))


def satisfies_killer(grid: Grid, values: Grid, facts: Facts) -> bool:
    groups = labelled(facts, "cage")
    return all(
        len({number(grid, cell) for cell in cells}) == len(cells) for cells in groups.values()
    ) and all(
        sum(number(values, cell) for cell in groups[label]) == total
        for label, total in facts["cage_value"]
    )


# ---- Other grids than sudokus ----


def sums_and_products(rng: Random, size: int) -> Facts:
    facts: Facts = {"kenken": []}
    for label in "AB":
        kind = rng.choice(("sum", "product", "difference", "quotient"))
        pair = kind in ("difference", "quotient")
        r, c, r1, c1 = edge(rng, size)
        cells = [(r, c), (r1, c1)] if pair else rng.sample(cells_of(size), rng.randint(1, 4))
        value = rng.randint(1, 2) if pair else rng.choice((4, 6, 8, 12))
        facts["kenken"] += [(*cell, label) for cell in cells]
        facts.setdefault(f"kenken_{kind}", []).append((label, value))
    return facts


OPERATIONS: dict[str, Callable[[list[int], int], bool]] = {
    "kenken_sum": lambda numbers, value: sum(numbers) == value,
    "kenken_product": lambda numbers, value: prod(numbers) == value,
    "kenken_difference": lambda numbers, value: max(numbers) - min(numbers) == value,
    "kenken_quotient": lambda numbers, value: max(numbers) == value * min(numbers),
}


def satisfies_kenken(grid: Grid, facts: Facts) -> bool:
    groups = labelled(facts, "kenken")
    return all(
        holds([number(grid, cell) for cell in groups[label]], value)
        for name, holds in OPERATIONS.items()
        for label, value in facts.get(name, [])
    )


def random_suguru_regions(rng: Random, size: int) -> Facts:
    cells = cells_of(size)
    labels = iter(range(size * size))
    facts: Facts = {"suguru": []}
    while cells:
        region = [cells.pop(0)]
        while cells and len(region) < size and rng.random() < 0.95:
            near = [cell for cell in cells if set(neighbours(cell, size)) & set(region)]
            if not near:
                break
            region.append(rng.choice(near))
            cells.remove(region[-1])
        label = next(labels)
        facts["suguru"] += [(*cell, label) for cell in region]
    return facts


def suguru_solutions(size: int, facts: Facts) -> set[Grid]:
    """All solutions, by backtracking: no number repeats in a region or in touching cells."""
    regions = {
        cell: frozenset(cells) for cells in labelled(facts, "suguru").values() for cell in cells
    }
    cells = cells_of(size)

    def fill(held: dict[Cell, int]) -> Iterator[Grid]:
        if len(held) == len(cells):
            yield tuple(tuple(held[r, c] for c in range(1, size + 1)) for r in range(1, size + 1))
            return
        cell = cells[len(held)]
        region = regions[cell]
        taken = {held.get(other) for other in (*region, *neighbours(cell, size, diagonal=True))}
        for n in set(range(1, len(region) + 1)) - taken:
            yield from fill({**held, cell: n})

    return set(fill({}))


def black_cells(rng: Random, size: int) -> Facts:
    cells = rng.sample(cells_of(size), rng.randint(2, size + 1))
    numbered = rng.random() < 0.5
    facts: Facts = {"black": list(cells[1:] if numbered else cells)}
    if numbered:
        facts["black"].append((*cells[0], rng.randint(1, size)))
    return facts


def line_satisfies_str8ts(line: list[tuple[int | None, bool]]) -> bool:
    """Whether a row or column satisfies the rule.

    line: for each cell, its number, or None if it is a black cell without one, and whether the cell
    is white
    """
    held = Counter(n for n, _ in line if n is not None)
    if held and max(held.values()) > 1:
        return False
    run: list[int] = []
    for n, white in [*line, (None, False)]:
        if white and n is not None:
            run.append(n)
            continue
        if run and max(run) - min(run) != len(run) - 1:
            return False
        run = []
    return True


def satisfies_str8ts(grid: Grid, facts: Facts) -> bool:
    blank = {cell for cell in facts["black"] if len(cell) == 2}
    numbered = {(cell[0], cell[1]): cell[2] for cell in facts["black"] if len(cell) == 3}
    if any(number(grid, cell) != n for cell, n in numbered.items()):
        return False
    in_order = all(
        number(grid, one) < number(grid, two)
        for one in blank
        for two in blank
        if one[0] == two[0] and one[1] < two[1]
    )
    span = range(1, len(grid) + 1)
    lines = [[(r, c) for c in span] for r in span] + [[(r, c) for r in span] for c in span]
    return in_order and all(
        line_satisfies_str8ts(
            [
                (
                    None if cell in blank else number(grid, cell),
                    cell not in blank and cell not in numbered,
                )
                for cell in line
            ]
        )
        for line in lines
    )


# ---- Two numbers in a cell ----


def boxes_and_cages(rng: Random, size: int) -> Facts:
    inner = cells_of(size - 1)
    cells = rng.sample(inner, 2)
    facts: Facts = {
        "schroedinger_cage": [(*cell, "A") for cell in cells],
        "schroedinger_cage_value": [("A", rng.randint(3, 9))],
    }
    if rng.random() < 0.5:
        facts["schroedinger_box"] = [(*cell, "B") for cell in rng.sample(inner, size - 1)]
    return facts


def rows_with_two(size: int, place: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """The rows that hold each number once, two of them in the cell at this index, in order."""
    for numbers in permutations(range(1, size + 1)):
        cells = [(n,) for n in numbers]
        row = [*cells[:place], numbers[place : place + 2], *cells[place + 2 :]]
        if numbers[place] < numbers[place + 1]:
            yield tuple(row)


def schroedinger_solutions(size: int, facts: Facts) -> set[Grid]:
    """The solutions, encoded in grids of this size.

    The puzzle itself is one row and column smaller. The last column holds the second number of the
    cell with two numbers in each row; the last row holds the row of that cell in each column.
    """
    found = set()
    inner = range(size - 1)
    for places in permutations(inner):
        for rows in product(*(rows_with_two(size, place) for place in places)):
            held = {(r + 1, c + 1): rows[r][c] for r in inner for c in inner}
            if all(
                len({n for r in inner for n in rows[r][c]}) == size for c in inner
            ) and satisfies_schroedinger_clues(held, facts, size):
                last = (*(places.index(c) + 1 for c in inner), size)
                found.add(
                    (
                        *(
                            (*(cell[0] for cell in row), row[place][1])
                            for row, place in zip(rows, places, strict=True)
                        ),
                        last,
                    )
                )
    return found


def satisfies_schroedinger_clues(
    held: dict[Cell, tuple[int, ...]], facts: Facts, size: int
) -> bool:
    totals = dict(facts.get("schroedinger_cage_value", []))
    for label, cells in labelled(facts, "schroedinger_cage").items():
        numbers = [n for cell in cells for n in held[cell]]
        if len(set(numbers)) < len(numbers) or sum(numbers) != totals[label]:
            return False
    groups = labelled(facts, "schroedinger_box").values()
    return all(
        sorted(n for cell in cells for n in held[cell]) == list(range(1, size + 1))
        for cells in groups
    )


# ---- More numbers than rows ----


def some_regions(rng: Random, size: int) -> Facts:
    cells = rng.sample(cells_of(size), 5)
    return {"box": [(*cell, "A") for cell in cells[:3]] + [(*cell, "B") for cell in cells[3:]]}


def all_lines(grid: Grid, facts: Facts) -> list[list[int]]:
    """The numbers of each row, each column and each region."""
    groups = [*boxes(len(grid)), *labelled(facts, "box").values()]
    held = [[number(grid, cell) for cell in cells] for cells in groups]
    return [*map(list, grid), *map(list, zip(*grid, strict=True)), *held]


@cache
def without_repeats(size: int, more: int) -> tuple[Grid, ...]:
    """The grids with more numbers than rows, none of them twice in a row or column."""
    rows = list(permutations(range(1, size + more + 1), size))
    grids = product(rows, repeat=size)
    return tuple(
        grid for grid in grids if all(len({*each}) == size for each in zip(*grid, strict=True))
    )


def any_rows(size: int) -> Iterator[Grid]:
    return product(product(range(1, size + 1), repeat=size), repeat=size)


def no_number_repeats(grid: Grid, facts: Facts) -> bool:
    return all(len({*held}) == len(held) for held in all_lines(grid, facts))


def sets_are_unique(grid: Grid, _facts: Facts) -> bool:
    sets = [frozenset(each) for each in (*grid, *zip(*grid, strict=True))]
    return len({*sets}) == len(sets)


def sums_are_equal(grid: Grid, facts: Facts) -> bool:
    return len({sum(held) for held in all_lines(grid, facts)}) == 1


def uses_few_numbers(grid: Grid, _facts: Facts) -> bool:
    return len({n for row in grid for n in row}) <= len(grid)


MORE_NUMBERS = {
    "no-repeat": no_number_repeats,
    "digit-set": uses_few_numbers,
    "unique-sets": sets_are_unique,
    "equal-lines": sums_are_equal,
}


def with_more_numbers(name: str, more: int, example: Callable[[Random, int], Facts]) -> Variant:
    return Variant(
        3,
        ("row", "column", "box"),
        example,
        satisfying(
            lambda size: without_repeats(size, more),
            lambda grid, facts: no_number_repeats(grid, facts) and MORE_NUMBERS[name](grid, facts),
        ),
        () if name == "no-repeat" else ("no-repeat",),
        more,
    )


# ---- Rows that may be exceptions ----


@cache
def columns_and_boxes(size: int) -> tuple[Grid, ...]:
    """The grids with every number once in each column and box."""
    width = box_shape(size)[1]
    stacks = [
        stack
        for stack in product(permutations(range(1, size + 1)), repeat=width)
        if all(
            len({n for column in stack for n in column[top : top + size // width]}) == size
            for top in range(0, size, size // width)
        )
    ]
    return tuple(
        tuple(zip(*(column for stack in stacked for column in stack), strict=True))
        for stacked in product(stacks, repeat=size // width)
    )


def some_rows(rng: Random, size: int) -> Facts:
    rows = rng.sample(range(1, size + 1), rng.randint(1, size))
    facts: Facts = {"each_row": [(row,) for row in rows]}
    if rng.random() < 0.5:
        facts["ab"] = [(Function("each_row"), rng.choice(rows))]
    return facts


def satisfies_each_row(grid: Grid, facts: Facts) -> bool:
    rows = {row for (row,) in facts["each_row"]} - {row for _, row in facts.get("ab", [])}
    return all(len(set(grid[row - 1])) == len(grid) for row in rows)


# ---- Clues that may be false ----


def clue_holds(grid: Grid, facts: Facts, rule: str, clue: object) -> bool:
    """Whether a clue is true: a number in all boxes, a row, a view of buildings, a
    thermometer, or a cage.
    """
    if rule == "box":
        return all(sum(number(grid, cell) == clue for cell in box) == 1 for box in boxes(len(grid)))
    if rule == "each_row":
        return satisfies_each_row(grid, {rule: [(clue,)]})
    if rule == "skyscraper":
        assert isinstance(clue, Function)
        return RULE_SEMANTICS[rule].holds(grid, {rule: [clue.arguments]})
    if rule == "thermo":
        line = sorted((place, cell) for name, place, *cell in facts["thermo"] if name == clue)
        return all(
            number(grid, one) < number(grid, other)
            for one, other in pairwise(cell for _, cell in line)
        )
    held = [number(grid, cell) for cell in labelled(facts, "cage")[clue]]
    return len({*held}) == len(held) and sum(held) in (
        total for name, total in facts["cage_value"] if name == clue
    )


def clues_of(size: int, facts: Facts) -> set[tuple[str, object]]:
    return {
        *(("box", n) for n in range(1, size + 1)),
        *(("each_row", row) for (row,) in facts.get("each_row", [])),
        *(("skyscraper", Function("", clue)) for clue in facts.get("skyscraper", [])),
        *(("thermo", name) for name, *_ in facts.get("thermo", [])),
        *(("killer", name) for name, _ in facts.get("cage_value", [])),
    }


def false_clues(grid: Grid, facts: Facts) -> set[tuple[str, object]]:
    return {each for each in clues_of(len(grid), facts) if not clue_holds(grid, facts, *each)}


def satisfies_either(grid: Grid, facts: Facts) -> bool:
    options: dict[object, dict[object, set[tuple[str, object]]]] = {}
    for group, option, rule, clue in facts["either"]:
        options.setdefault(group, {}).setdefault(option, set()).add((str(rule), clue))
    false = false_clues(grid, facts)
    mentioned = set().union(*(each for group in options.values() for each in group.values()))
    return false <= mentioned and all(
        any(option.isdisjoint(false) for option in group.values()) for group in options.values()
    )


def satisfies_liar(grid: Grid, facts: Facts) -> bool:
    """Whether some choice of one clue in each group includes all false clues."""
    groups: dict[object, set[tuple[str, object]]] = {}
    for group, rule, clue in facts["liar"]:
        groups.setdefault(group, set()).add((str(rule), clue))
    false = false_clues(grid, facts)
    return any(
        false <= {*chosen} and all(len(group & {*chosen}) == 1 for group in groups.values())
        for chosen in product(*groups.values())
    )


BOX = Function("box")


def numbers_in_options(rng: Random, size: int) -> Facts:
    numbers = rng.sample(range(1, size + 1), size)
    options = ((1, numbers[: size // 2]), (2, numbers[rng.randint(1, size // 2) :]))
    facts = [(1, option, BOX, n) for option, chosen in options for n in chosen]
    facts += [(2, option, BOX, n) for option, n in enumerate(rng.sample(numbers, 2))]
    return {"either": facts}


def numbers_in_groups(rng: Random, size: int) -> Facts:
    return {
        "liar": [
            (group, BOX, n)
            for group in range(1, rng.randint(1, 3) + 1)
            for n in rng.sample(range(1, size + 1), rng.randint(2, 3))
        ]
    }


REGION_CLUES: dict[str, Callable[[Random, int], Facts]] = {
    "chaos-apart": some_edges("chaos_apart"),
    "chaos-arrow": some_arrows,
    "chaos-borders": lambda rng, size: {"chaos_borders": rng.sample(cells_of(size), 2)},
    "chaos-count": lambda rng, size: (
        some_cells("chaos_count") if rng.random() < 0.7 else some_counted_cells
    )(rng, size),
    "chaos-distinct": some_counted_regions,
    "chaos-same": some_edges("chaos_same"),
}


VARIANTS = {
    "either": Variant(4, (), numbers_in_options, satisfying(latin_squares, satisfies_either)),
    "liar": Variant(4, (), numbers_in_groups, satisfying(latin_squares, satisfies_liar)),
    "each-row": Variant(4, ("row",), some_rows, satisfying(columns_and_boxes, satisfies_each_row)),
    "connected": Variant(
        4,
        (),
        sets_of_numbers,
        satisfying(sudokus, satisfies_connected),
    ),
    "top-bottom": Variant(4, (), nothing, satisfying(sudokus, satisfies_top_bottom)),
    "chaos-construction": Variant(
        4,
        ("box",),
        some_region_facts,
        satisfying(latin_squares, satisfies_chaos_construction),
        tuple(REGION_CLUES),
    ),
    **{
        name: Variant(
            4,
            ("box",),
            example,
            satisfying(latin_squares, satisfies_chaos_construction),
            ("chaos-construction",),
        )
        for name, example in REGION_CLUES.items()
    },
    "no-repeat": with_more_numbers("no-repeat", 1, some_regions),
    "digit-set": with_more_numbers("digit-set", 1, nothing),
    "unique-sets": with_more_numbers("unique-sets", 2, nothing),
    "equal-lines": Variant(
        3,
        ("row", "column", "box"),
        lambda rng, size: {"box": [(*cell, "A") for cell in rng.sample(cells_of(size), 3)]},
        satisfying(any_rows, sums_are_equal),
    ),
    "path": Variant(
        4,
        (),
        lambda rng, size: some_path(rng, size) | some_rooms(rng, size),
        satisfying(sudokus, some_path_satisfies("path-room")),
        ("path-room",),
    ),
    "path-room": Variant(
        4, (), some_rooms, satisfying(sudokus, some_path_satisfies("path-room")), ("path",)
    ),
    "path-whispers": Variant(
        4,
        (),
        lambda rng, _: {"path_whispers": [(rng.randint(1, 3),)]},
        satisfying(sudokus, some_path_satisfies("path-whispers")),
        ("path",),
    ),
    **{
        name: Variant(
            4,
            (),
            cages,
            satisfying(sudokus, holds_for_values(name, satisfies_killer)),
            ("killer",),
        )
        for name in VALUES
    },
    "indexers": Variant(6, (), cages, solutions_with_indexers, ("killer",)),
    "kenken": Variant(4, ("box",), sums_and_products, satisfying(latin_squares, satisfies_kenken)),
    "suguru": Variant(5, ("row", "column", "box"), random_suguru_regions, suguru_solutions),
    "str8ts": Variant(3, ("column", "box"), black_cells, satisfying(rows_only, satisfies_str8ts)),
    "schroedinger": Variant(4, ("column", "box"), boxes_and_cages, schroedinger_solutions),
}
