"""The semantics of variants with hidden information or retracted rules, in plain Python.

Each function decides by brute force which full grids solve the puzzle with the given facts. A grid
is a tuple of rows; facts are tuples of the arguments, in lists by the name of the predicate, as in
`rule_semantics`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations, pairwise, permutations, product
from math import prod
from random import Random
from typing import NamedTuple

from rule_semantics import Facts, Grid, cells_of, edge, labelled, neighbours, number, some_cells

from aspdoku.puzzle.puzzle import box_shape

Cell = tuple[int, int]


class Game(NamedTuple):
    """The size of its grids, the rules that it takes back, facts made at random, and all grids that
    solve it.
    """

    size: int
    without: tuple[str, ...]
    example: Callable[[Random, int], Facts]
    solutions: Callable[[int, Facts], set[Grid]]


# ---- Grids ----


@cache
def latin(size: int) -> tuple[Grid, ...]:
    rows = list(permutations(range(1, size + 1)))
    return tuple(
        grid
        for grid in product(rows, repeat=size)
        if all(len(set(column)) == size for column in zip(*grid, strict=True))
    )


@cache
def ordinary(size: int) -> tuple[Grid, ...]:
    return tuple(
        grid
        for grid in latin(size)
        if all(len({number(grid, cell) for cell in box}) == size for box in boxes(size))
    )


def rows_only(size: int) -> Iterator[Grid]:
    return product(permutations(range(1, size + 1)), repeat=size)


def boxes(size: int) -> list[list[Cell]]:
    height, width = box_shape(size)
    return [
        [(top + y, left + x) for y in range(height) for x in range(width)]
        for top in range(1, size + 1, height)
        for left in range(1, size + 1, width)
    ]


def among(
    grids: Callable[[int], Iterable[Grid]], holds: Callable[[Grid, Facts], bool]
) -> Callable[[int, Facts], set[Grid]]:
    return lambda size, facts: {grid for grid in grids(size) if holds(grid, facts)}


def nothing(_chance: Random, _size: int) -> Facts:
    return {}


# ---- Side by side ----


def hang_together(cells: Iterable[Cell], size: int) -> bool:
    left = set(cells)
    waiting = [left.pop()] if left else []
    while waiting:
        new = left.intersection(neighbours(waiting.pop(), size))
        left -= new
        waiting += new
    return not left


def marked_hang_together(grid: Grid, facts: Facts) -> bool:
    marked = {n for (n,) in facts["connected"]}
    return hang_together(
        (cell for cell in cells_of(len(grid)) if number(grid, cell) in marked), len(grid)
    )


def down_and_up(grid: Grid, _facts: Facts) -> bool:
    for rows in (grid, grid[::-1]):
        columns = [row.index(n) for n, row in enumerate(rows, 1)]
        if any(abs(one - two) > 1 for one, two in pairwise(columns)):
            return False
    return True


# ---- Regions to be found ----


@cache
def partitions(size: int) -> tuple[dict[Cell, int], ...]:
    """All ways to cut the grid into regions of as many cells as it has rows."""

    def cut(free: frozenset[Cell]) -> Iterator[list[frozenset[Cell]]]:
        if not free:
            yield []
            return
        first, *others = sorted(free)
        for more in combinations(others, size - 1):
            if hang_together([first, *more], size):
                region = frozenset([first, *more])
                for rest in cut(free - region):
                    yield [region, *rest]

    cuts = cut(frozenset(cells_of(size)))
    return tuple(
        {cell: name for name, region in enumerate(regions) for cell in region} for regions in cuts
    )


def some_region_facts(chance: Random, size: int) -> Facts:
    return {
        **(some_cells("chaos_count")(chance, size) if chance.random() < 0.7 else {}),
        **({"chaos_same": [edge(chance, size)]} if chance.random() < 0.5 else {}),
        **({"chaos_apart": [edge(chance, size)]} if chance.random() < 0.5 else {}),
    }


def counts_its_region(grid: Grid, region: dict[Cell, int], cell: Cell) -> bool:
    near = [cell, *neighbours(cell, len(grid), diagonal=True)]
    return number(grid, cell) == sum(region[each] == region[cell] for each in near)


def has_regions(grid: Grid, facts: Facts) -> bool:
    return any(
        len({(name, number(grid, cell)) for cell, name in region.items()}) == len(grid) ** 2
        and all(counts_its_region(grid, region, cell) for cell in facts.get("chaos_count", []))
        and all(region[r, c] == region[r1, c1] for r, c, r1, c1 in facts.get("chaos_same", []))
        and all(region[r, c] != region[r1, c1] for r, c, r1, c1 in facts.get("chaos_apart", []))
        for region in partitions(len(grid))
    )


# ---- Cells that count otherwise ----


def cages(name: str, least: int) -> Callable[[Random, int], Facts]:
    def example(chance: Random, size: int) -> Facts:
        labels = [
            (label, chance.sample(cells_of(size), chance.randint(2, 3)))
            for label in "AB"[: chance.randint(1, 2)]
        ]
        return {
            name: [(*cell, label) for label, cells in labels for cell in cells],
            f"{name}_value": [
                (label, chance.randint(least, 3 * len(cells))) for label, cells in labels
            ],
        }

    return example


def with_values(name: str, value: Callable[[int], int]) -> Callable[[Grid, Facts], bool]:
    """Whether some choice of one cell in each row, column and box, with a number of its own each,
    makes the sums right.
    """

    def holds(grid: Grid, facts: Facts) -> bool:
        size = len(grid)
        groups = labelled(facts, name)
        if any(
            len({number(grid, cell) for cell in cells}) < len(cells) for cells in groups.values()
        ):
            return False
        for columns in permutations(range(1, size + 1)):
            chosen = set(enumerate(columns, 1))
            if len({number(grid, cell) for cell in chosen}) < size or any(
                len(chosen.intersection(box)) != 1 for box in boxes(size)
            ):
                continue
            counts = {
                cell: value(n) if cell in chosen else n
                for cell in cells_of(size)
                for n in [number(grid, cell)]
            }
            if all(
                sum(counts[cell] for cell in groups[label]) == total
                for label, total in facts[f"{name}_value"]
            ):
                return True
        return False

    return holds


# ---- Latin squares ----


def sums_and_products(chance: Random, size: int) -> Facts:
    facts: Facts = {"kenken": []}
    for label in "AB":
        kind = chance.choice(("sum", "product", "difference", "quotient"))
        pair = kind in ("difference", "quotient")
        r, c, r1, c1 = edge(chance, size)
        cells = [(r, c), (r1, c1)] if pair else chance.sample(cells_of(size), chance.randint(1, 4))
        value = chance.randint(1, 2) if pair else chance.choice((4, 6, 8, 12))
        facts["kenken"] += [(*cell, label) for cell in cells]
        facts.setdefault(f"kenken_{kind}", []).append((label, value))
    return facts


OPERATIONS: dict[str, Callable[[list[int], int], bool]] = {
    "kenken_sum": lambda numbers, value: sum(numbers) == value,
    "kenken_product": lambda numbers, value: prod(numbers) == value,
    "kenken_difference": lambda numbers, value: max(numbers) - min(numbers) == value,
    "kenken_quotient": lambda numbers, value: max(numbers) == value * min(numbers),
}


def made_as_written(grid: Grid, facts: Facts) -> bool:
    groups = labelled(facts, "kenken")
    return all(
        right([number(grid, cell) for cell in groups[label]], value)
        for name, right in OPERATIONS.items()
        for label, value in facts.get(name, [])
    )


def small_regions(chance: Random, size: int) -> Facts:
    cells = cells_of(size)
    labels = iter(range(size * size))
    facts: Facts = {"suguru": []}
    while cells:
        region = [cells.pop(0)]
        while cells and len(region) < size and chance.random() < 0.95:
            near = [cell for cell in cells if set(neighbours(cell, size)) & set(region)]
            if not near:
                break
            region.append(chance.choice(near))
            cells.remove(region[-1])
        label = next(labels)
        facts["suguru"] += [(*cell, label) for cell in region]
    return facts


def full_and_apart(size: int, facts: Facts) -> set[Grid]:
    """Cell by cell, each number that its region still lacks and that does not touch itself."""
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


def black_cells(chance: Random, size: int) -> Facts:
    cells = chance.sample(cells_of(size), chance.randint(2, size + 1))
    numbered = chance.random() < 0.5
    facts: Facts = {"black": list(cells[1:] if numbered else cells)}
    if numbered:
        facts["black"].append((*cells[0], chance.randint(1, size)))
    return facts


def straight(line: list[tuple[int | None, bool]]) -> bool:
    """Whether the numbers of a row or column, each beside whether its cell is white, keep the
    rules; None where there is none.
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


def straights(grid: Grid, facts: Facts) -> bool:
    blank = {cell for cell in facts["black"] if len(cell) == 2}
    told = {(cell[0], cell[1]): cell[2] for cell in facts["black"] if len(cell) == 3}
    if any(number(grid, cell) != n for cell, n in told.items()):
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
        straight(
            [
                (
                    None if cell in blank else number(grid, cell),
                    cell not in blank and cell not in told,
                )
                for cell in line
            ]
        )
        for line in lines
    )


# ---- Two numbers in a cell ----


def boxes_and_cages(chance: Random, size: int) -> Facts:
    inner = cells_of(size - 1)
    cells = chance.sample(inner, 2)
    facts: Facts = {
        "schroedinger_cage": [(*cell, "A") for cell in cells],
        "schroedinger_cage_value": [("A", chance.randint(3, 9))],
    }
    if chance.random() < 0.5:
        facts["schroedinger_box"] = [(*cell, "B") for cell in chance.sample(inner, size - 1)]
    return facts


def rows_with_two(size: int, place: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """The rows with each number up to `size` once, two of them in the cell at `place`, in order."""
    for numbers in permutations(range(1, size + 1)):
        cells = [(n,) for n in numbers]
        row = [*cells[:place], numbers[place : place + 2], *cells[place + 2 :]]
        if numbers[place] < numbers[place + 1]:
            yield tuple(row)


def told_by_the_border(size: int, facts: Facts) -> set[Grid]:
    """The grids of a game one smaller, with the second number of each row at its end and the row of
    each column's in the last.
    """
    found = set()
    game = range(size - 1)
    for places in permutations(game):
        for rows in product(*(rows_with_two(size, place) for place in places)):
            held = {(r + 1, c + 1): rows[r][c] for r in game for c in game}
            if all(
                len({n for r in game for n in rows[r][c]}) == size for c in game
            ) and right_in_groups(held, facts, size):
                last = (*(places.index(c) + 1 for c in game), size)
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


def right_in_groups(held: dict[Cell, tuple[int, ...]], facts: Facts, size: int) -> bool:
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


GAMES = {
    "connected": Game(
        4,
        (),
        lambda chance, size: {
            "connected": [(n,) for n in chance.sample(range(1, size + 1), chance.randint(2, 3))]
        },
        among(ordinary, marked_hang_together),
    ),
    "top-bottom": Game(4, (), nothing, among(ordinary, down_and_up)),
    "chaos-construction": Game(4, ("box",), some_region_facts, among(latin, has_regions)),
    "doublers": Game(
        4,
        (),
        cages("doubled_cage", 3),
        among(ordinary, with_values("doubled_cage", lambda n: 2 * n)),
    ),
    "negators": Game(
        4, (), cages("negated_cage", -2), among(ordinary, with_values("negated_cage", lambda n: -n))
    ),
    "kenken": Game(4, ("box",), sums_and_products, among(latin, made_as_written)),
    "suguru": Game(5, ("row", "column", "box"), small_regions, full_and_apart),
    "str8ts": Game(3, ("column", "box"), black_cells, among(rows_only, straights)),
    "schroedinger": Game(4, ("column", "box"), boxes_and_cages, told_by_the_border),
}
