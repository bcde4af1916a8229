"""Grids of Interactive Sudoku Solver that are not square, have extra cells, or no rows and columns:
what is read has the solutions that brute force finds.
"""

import json
import random
from functools import cache
from itertools import combinations, count, permutations, product, takewhile

import published_puzzles
import pytest
from in_one_test import in_one_test
from instance_files import BOARDS
from sampling import one_in

import aspdoku
from aspdoku import Solver, compose
from aspdoku.errors import PuzzleError
from aspdoku.formats import iss, registry


def solutions(text):
    """All solutions, as sets of numbers by cell."""
    (puzzle,) = iss.read(text, "test")
    assert puzzle.unsupported == ()
    search = Solver(compose(puzzle)).search(0)
    return {frozenset(each.numbers().items()) for each in search}


def fillings(rows, columns, numbers):
    """All grids, as tuples of rows."""
    for flat in product(numbers, repeat=rows * columns):
        yield tuple(flat[start : start + columns] for start in range(0, rows * columns, columns))


def different(cells):
    return len(set(cells)) == len(cells)


def is_latin(grid):
    return all(map(different, [*grid, *zip(*grid, strict=True)]))


@cache
def latin_fillings(rows, columns, numbers):
    """All grids without repeats in a row or column."""
    lines = list(permutations(numbers, columns))
    return [grid for grid in product(lines, repeat=rows) if is_latin(grid)]


def by_cell(grid):
    return {(r, c): number for r, row in enumerate(grid, 1) for c, number in enumerate(row, 1)}


def seen(line):
    return sum(all(number > other for other in line[:k]) for k, number in enumerate(line))


def latin(rows, columns, numbers, *conditions):
    return {
        frozenset(by_cell(grid).items())
        for grid in latin_fillings(rows, columns, numbers)
        if all(holds(grid) for holds in conditions)
    }


def has_boxes(grid):
    """Boxes of 2x2 in two rows of four cells, or in four rows of two."""
    wide = grid if len(grid) == 2 else tuple(zip(*grid, strict=True))
    return different(wide[0][:2] + wide[1][:2]) and different(wide[0][2:] + wide[1][2:])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".Shape~2x3", latin(2, 3, (1, 2, 3))),
        (".Shape~3x2~0-2", latin(3, 2, (0, 1, 2))),
        (".Shape~2x3~4.~R1C1_4", latin(2, 3, range(1, 5), lambda grid: grid[0][0] == 4)),
        (".Shape~2x4", latin(2, 4, range(1, 5), has_boxes)),
        (".Shape~4x2", latin(4, 2, range(1, 5), has_boxes)),
        (".Shape~2x4.NoBoxes", latin(2, 4, range(1, 5))),
        (".Shape~2x4.NoBoxes.Jigsaw~AABBAABB", latin(2, 4, range(1, 5), has_boxes)),
        (
            ".Shape~2x4.NoBoxes.Jigsaw~AAABABBB",  # boxes of 2x2 would fit, too
            latin(2, 4, range(1, 5), lambda grid: different([*grid[0][:3], grid[1][0]])
                  and different([grid[0][3], *grid[1][1:]])),
        ),
        (
            ".Shape~3x2.Skyscraper~C2~1~3.Skyscraper~R2~~2",
            latin(3, 2, (1, 2, 3), lambda grid: seen([row[1] for row in grid]) == 1
                  and seen([row[1] for row in reversed(grid)]) == 3
                  and seen(grid[1][::-1]) == 2),
        ),
        (
            ".Shape~2x3.WhiteDot~R1C3~R2C3",
            latin(2, 3, (1, 2, 3), lambda grid: abs(grid[0][2] - grid[1][2]) == 1),
        ),
    ],
)  # fmt: skip
def test_a_grid_that_is_not_square_has_its_own_rows_columns_and_boxes(text, expected):
    assert len(expected) > 0
    assert solutions(text) == expected
    assert compose(*iss.read(text, "test")).warnings == ()


@pytest.mark.parametrize("shape", ["2x2~3~Raw", "3x2~0-1~Raw", "2x2~~Raw"])
def test_a_raw_grid_has_no_rows_and_columns(shape):
    rows, columns = int(shape[0]), int(shape[2])
    numbers = {"3": (1, 2, 3), "0-1": (0, 1), "": (1, 2)}[shape.split("~")[1]]
    expected = {frozenset(by_cell(grid).items()) for grid in fillings(rows, columns, numbers)}
    assert solutions(f".Shape~{shape}") == expected


def test_extra_cells_hold_any_number_and_are_cells_of_clues():
    """They are in no row and column, not even with each other."""
    found = solutions(".Shape~2x2.Var~S~two cells~1x2.Var~T.Sum~3~VS1~R1C1.Thermo~VS2~VT")
    places = ((3, 3), (3, 4), (4, 3))
    expected = {
        frozenset((by_cell(grid) | dict(zip(places, numbers, strict=True))).items())
        for grid in fillings(2, 2, (1, 2))
        for numbers in product((1, 2), repeat=3)
        if is_latin(grid) and numbers[0] + grid[0][0] == 3 and numbers[1] < numbers[2]
    }
    assert found == expected
    assert len(found) == 2
    assert len(solutions(".Shape~2x2.Var~S~~3")) == 2 * 2**3


def lacking(cells, numbers):
    (number,) = set(numbers) - set(cells)
    return number


def lacks_of(grid, boxes):
    """The numbers that rows, columns and boxes lack."""
    numbers = range(len(grid) + 1)
    blocks = [
        [grid[r + y][c + x] for y in (0, 1) for x in (0, 1)]
        for r in (0, 2)
        for c in (0, 2)
        if boxes
    ]
    return [
        [lacking(cells, numbers) for cells in kind]
        for kind in (grid, zip(*grid, strict=True), blocks)
    ]


def is_doppelganger(grid, boxes):
    if not is_latin(grid):
        return False
    if boxes and not all(
        different([grid[r + y][c + x] for y in (0, 1) for x in (0, 1)])
        for r in (0, 2)
        for c in (0, 2)
    ):
        return False
    lacks = lacks_of(grid, boxes)
    return all(different(kind) and 0 not in kind for kind in lacks) and all(
        different([lacks[0][r], lacks[1][c], *([lacks[2][r // 2 * 2 + c // 2]] if boxes else [])])
        for r, row in enumerate(grid)
        for c, number in enumerate(row)
        if number == 0
    )


def latin_grids(size, rows=()):
    """All grids with the numbers 0 to n and a 0 in every row, without repeats in any line."""
    if len(rows) == size:
        yield rows
        return
    for row in permutations(range(size + 1), size):
        if 0 in row and all(map(different, zip(*rows, row, strict=True))):
            yield from latin_grids(size, (*rows, row))


def inside(found, size):
    return {frozenset((cell, n) for cell, n in each if max(cell) <= size) for each in found}


@pytest.mark.parametrize("size", [2, 3])
def test_small_grids_without_boxes_lack_one_number_in_every_row_and_column(size):
    grids = [grid for grid in latin_grids(size) if is_doppelganger(grid, False)]
    found = solutions(f".Shape~{size}x{size}~0-{size}.Doppelganger")
    assert inside(found, size) == {frozenset(by_cell(grid).items()) for grid in grids}
    assert len(found) == len(grids)


@pytest.mark.parametrize("boxes", [True, False])
def test_a_grid_of_4x4_lacks_one_number_in_every_row_column_and_box(boxes):
    first = (0, 1, 2, 3)
    grids = [grid for grid in latin_grids(4, (first,)) if is_doppelganger(grid, boxes)]
    chosen = [
        grid
        for grid in grids
        if lacks_of(grid, boxes)[0][1] == 3
        and (not boxes or lacks_of(grid, boxes)[2][0] < lacks_of(grid, boxes)[2][1])
    ]
    clues = ".Thermo~DGB1~DGB2" if boxes else ".NoBoxes"
    given = "".join(f".~R1C{c}_{number}" for c, number in enumerate(first, 1))
    found = solutions(f".Shape~4x4~0-4.Doppelganger{given}.~DGC2_3{clues}")
    assert inside(found, 4) == {frozenset(by_cell(grid).items()) for grid in chosen}
    assert 0 < len(found) == len(chosen) < len(grids)


# ---- Rules about all cells, and clues outside the grid ----


def of_the_grid(found, rows):
    """The solutions without the extra cells, which are below the grid."""
    return {frozenset((cell, n) for cell, n in each if cell[0] <= rows) for each in found}


def pairs_of(grid, *steps):
    """The numbers of all pairs of cells of the grid that are one of these steps apart."""
    cells = by_cell(grid)
    return [
        (number, cells[r + y, c + x])
        for (r, c), number in cells.items()
        for y, x in steps
        if (r + y, c + x) in cells
    ]


def no_pair(steps, excluded):
    return lambda grid: not any(excluded(a, b) for a, b in pairs_of(grid, *steps))


def no_taxicab(grid):
    cells = by_cell(grid)
    return not any(
        cells[r1, c1] == number == abs(r - r1) + abs(c - c1)
        for (r, c), number in cells.items()
        for r1, c1 in cells
    )


SIDES = ((0, 1), (1, 0))
KNIGHT = ((1, 2), (1, -2), (2, 1), (2, -1))
ABOUT_ALL_CELLS = {
    "AntiKnight": no_pair(KNIGHT, lambda a, b: a == b),
    "AntiKing": no_pair(((1, 1), (1, -1)), lambda a, b: a == b),
    "AntiConsecutive": no_pair(SIDES, lambda a, b: abs(a - b) == 1),
    "AntiTaxicab": no_taxicab,
    "StrictKropki": no_pair(SIDES, lambda a, b: abs(a - b) == 1 or a == 2 * b or b == 2 * a),
    "StrictXV": no_pair(SIDES, lambda a, b: a + b in (5, 10)),
}


@pytest.mark.parametrize("word", ABOUT_ALL_CELLS)
@pytest.mark.parametrize("shape", ["2x3", "3x2", "2x3~4", "3x3~4"])
def test_rules_about_all_cells_are_about_the_cells_of_the_grid(word, shape):
    rows, columns = int(shape[0]), int(shape[2])
    numbers = range(1, int(shape[4:] or max(rows, columns)) + 1)
    expected = latin(rows, columns, numbers, ABOUT_ALL_CELLS[word])
    text = f".Shape~{shape}.NoBoxes.{word}"
    assert solutions(text) == expected
    extra = solutions(f"{text}.Var~S~~2.~VS1_1~VS2_1")
    assert of_the_grid(extra, rows) == expected
    assert len(extra) == len(expected)


@pytest.mark.parametrize("word", ["AntiConsecutive", "AntiTaxicab", "StrictKropki", "StrictXV"])
def test_some_rules_about_all_cells_hold_without_rows_and_columns(word):
    expected = {
        frozenset(by_cell(grid).items())
        for grid in fillings(2, 3, range(1, 5))
        if ABOUT_ALL_CELLS[word](grid)
    }
    assert solutions(f".Shape~2x3~4~Raw.{word}") == expected


def flatmates(grid):
    return all(
        (r > 0 and grid[r - 1][c] == 1) or (r + 1 < len(grid) and grid[r + 1][c] == 9)
        for r, row in enumerate(grid)
        for c, number in enumerate(row)
        if number == 5
    )


def squares_have(kind):
    """Whether every 2x2 square contains numbers of all three kinds."""
    return lambda grid: all(
        len({kind(grid[r + y][c + x]) for y in (0, 1) for x in (0, 1)}) == 3
        for r in range(len(grid) - 1)
        for c in range(len(grid[0]) - 1)
    )


@pytest.mark.parametrize(
    ("word", "holds"),
    [
        ("DutchFlatmates", flatmates),
        ("GlobalEntropy", squares_have(lambda n: (n - 1) // 3)),
        ("GlobalMod", squares_have(lambda n: n % 3)),
    ],
)
def test_rules_for_nine_numbers_on_a_small_grid(word, holds):
    expected = {
        frozenset(by_cell(grid).items())
        for row in product(range(1, 10), repeat=3)
        for grid in [((4, row[0], 1), (*row[1:], 5))]
        if is_latin(grid) and holds(grid)
    }
    assert len(expected) > 0
    text = f".Shape~2x3~9.NoBoxes.~R1C1_4~R1C3_1~R2C3_5.{word}"
    assert solutions(text) == expected
    assert len(solutions(f"{text}.Var~S~~3.~VS1_5~VS2_5~VS3_5")) == len(expected)


def line_of(grid, name, backwards=False):
    place = int(name[1]) - 1
    line = list(grid[place]) if name[0] == "R" else [row[place] for row in grid]
    return line[::-1] if backwards else line


def x_sum(line, clue):
    return 1 <= line[0] <= len(line) and sum(line[: line[0]]) == clue


def numbered_room(line, clue):
    return 1 <= line[0] <= len(line) and line[line[0] - 1] == clue


def hidden_skyscraper(line, clue):
    hidden = [number for k, number in enumerate(line) if any(n > number for n in line[:k])]
    return hidden[:1] == [clue]


def sandwich(line, clue):
    ends = sorted((line.index(min(line)), line.index(max(line))))
    return sum(line[ends[0] + 1 : ends[1]]) == clue


EDGE_CLUES = {
    "XSum": x_sum,
    "NumberedRoom": numbered_room,
    "HiddenSkyscraper": hidden_skyscraper,
    "Skyscraper": lambda line, clue: seen([n for n in line if n]) == clue,
}


@pytest.mark.parametrize("word", one_in(3, EDGE_CLUES))
@pytest.mark.parametrize(
    ("shape", "extra"),
    [
        *((shape, "") for shape in ("2x3", "3x2~4", "3x3~4", "2x3~0-3", "3x3~0-2")),
        *((shape, ".Var~S~~2.~VS1_1~VS2_1") for shape in ("3x2~4", "3x3~0-2")),
    ],
)
def test_clues_outside_a_grid_that_is_not_square_or_has_other_numbers(word, shape, extra):
    rows, columns, last = int(shape[0]), int(shape[2]), int(shape[-1])
    numbers = range(0 if "0-" in shape else 1, last + 1)
    grids = latin_fillings(rows, columns, numbers)
    for name, backwards, clue in (
        *(("R1", False, 1), ("R1", True, 2)),
        *(("C2", False, 2), ("C2", True, 1)),
    ):
        expected = {
            frozenset(by_cell(grid).items())
            for grid in grids
            if EDGE_CLUES[word](line_of(grid, name, backwards), clue)
        }
        ends = f"~{clue}" if backwards else f"{clue}~"
        found = solutions(f".Shape~{shape}.NoBoxes.{word}~{name}~{ends}{extra}")
        assert of_the_grid(found, rows) == expected


@pytest.mark.parametrize("shape", ["2x4", "4x2", "3x3~4", "3x3~0-3"])
def test_a_sandwich_on_a_short_line_is_between_its_own_ends(shape):
    rows, columns = int(shape[0]), int(shape[2])
    numbers = range(4) if "0-" in shape else range(1, 5)
    grids = latin_fillings(rows, columns, numbers)
    for name, clue in product(("R1", "C2"), (0, 2, 3, 5)):
        expected = {
            frozenset(by_cell(grid).items())
            for grid in grids
            if sandwich(line_of(grid, name), clue)
        }
        assert solutions(f".Shape~{shape}.NoBoxes.Sandwich~{clue}~{name}") == expected


@pytest.mark.parametrize("shape", ["2x4", "4x2", "2x3~0-3", "3x3~0-2"])
@pytest.mark.parametrize("letter", "RC")
def test_indexing_on_a_grid_that_is_not_square_or_has_other_numbers(shape, letter):
    rows, columns, last = int(shape[0]), int(shape[2]), int(shape[-1])
    numbers = range(last + 1) if "0-" in shape else range(1, 5)
    grids = latin_fillings(rows, columns, numbers)
    for r, c in product((1, 2), repeat=2):
        own, name = (r, f"C{c}") if letter == "R" else (c, f"R{r}")
        expected = {
            frozenset(by_cell(grid).items())
            for grid in grids
            for line in [line_of(grid, name)]
            if 1 <= grid[r - 1][c - 1] <= len(line) and line[grid[r - 1][c - 1] - 1] == own
        }
        assert solutions(f".Shape~{shape}.NoBoxes.Indexing~{letter}~R{r}C{c}") == expected


DIAGONALS = {
    (3, 4): {
        "R1C1": [(1, 1), (2, 2), (3, 3)],
        "R2C1": [(2, 1), (3, 2)],
        "R2C4": [(2, 4), (1, 3)],
        "R1C4": [(1, 4), (2, 3), (3, 2)],
        "R1C2": [(1, 2), (2, 1)],
        "R3C3": [(3, 3), (2, 4)],
    },
    (4, 3): {
        "R2C1": [(2, 1), (3, 2), (4, 3)],
        "R2C3": [(2, 3), (1, 2)],
        "R1C3": [(1, 3), (2, 2), (3, 1)],
        "R4C2": [(4, 2), (3, 3)],
    },
}


@pytest.mark.parametrize("shape", DIAGONALS)
def test_little_killers_on_a_grid_that_is_not_square(shape):
    rows, columns = shape
    wide = [
        (one, two, three)
        for one, two, three in product(permutations(range(1, 5)), repeat=3)
        if one == (1, 2, 3, 4) and is_latin((one, two, three))
    ]
    grids = [by_cell(grid if rows == 3 else tuple(zip(*grid, strict=True))) for grid in wide]
    line = (f"R1C{k}_{k}" if rows == 3 else f"R{k}C1_{k}" for k in range(1, 5))
    text = f".Shape~{rows}x{columns}.NoBoxes.~{'~'.join(line)}"
    for name, cells in DIAGONALS[shape].items():
        expected = {
            frozenset(grid.items()) for grid in grids if sum(grid[cell] for cell in cells) == 5
        }
        assert solutions(f"{text}.LittleKiller~5~{name}") == expected


@pytest.mark.parametrize(
    ("shape", "name"), [("3x4", "R3C1"), ("3x4", "R3C2"), ("4x3", "R3C3"), ("1x4", "R1C2")]
)
def test_a_diagonal_is_read_from_one_end_only(shape, name):
    (puzzle,) = iss.read(f".Shape~{shape}.LittleKiller~5~{name}", "test")
    assert puzzle.unsupported == (f"LittleKiller: a clue at {name}, where no diagonal begins",)


@pytest.mark.parametrize("extra", ["", ".Var~S~~2.~VS1_1~VS2_1"])
def test_a_diagonal_with_more_numbers_or_extra_cells(extra):
    found = solutions(f".Shape~3x3~4.Diagonal~1{extra}")
    expected = latin(3, 3, range(1, 5), lambda grid: different([grid[r][2 - r] for r in range(3)]))
    assert of_the_grid(found, 3) == expected
    assert len(found) == len(expected)


@pytest.mark.parametrize(
    ("constraint", "holds"),
    [
        ("GreaterThan~VS6~VS5~VS3", lambda v: v[5] > v[4] and v[5] > v[2]),
        ("WhiteDot~VS1~VS4", lambda v: abs(v[0] - v[3]) == 1),
        ("Quad~VS2~2~2~1", lambda v: sorted(v[1:3] + v[4:])[:3] in ([1, 2, 2], [1, 1, 2])),
        ("Replicate~K~VS1.Sum~3~VS1~VS2.End", lambda v: v[1] + v[2] == v[3] + v[4] == 3),
        (
            "Replicate~H~VS1.Sum~3~VS1~VS4.End",
            lambda v: all(v[k] + v[k + 3] == 3 for k in range(3)),
        ),
        ("SameValues~2~VT~R1C1", lambda _: True),
    ],
)
def test_cells_of_a_group_are_adjacent_in_its_own_shape(constraint, holds):
    """Two rows of three cells, which are in another shape in the field."""
    text = f".Shape~2x2~2.~R1C1_1.Var~S~~2x3.Var~T.~VT_1.{constraint}"
    expected = sum(map(holds, product((1, 2), repeat=6)))
    assert len(solutions(text)) == expected


def test_regions_of_a_doppelganger_may_be_stated():
    text = ".Shape~4x4~0-4{}.Doppelganger.~R1C1_1.~R1C2_2"
    assert iss.read(text.format(".RegionSize~4"), "test") == iss.read(text.format(""), "test")
    (puzzle,) = iss.read(text.format(".RegionSize~2"), "test")
    assert puzzle.unsupported == ("Doppelganger: undefined for this grid",)


def test_windows_with_extra_cells_are_sets_of_cells():
    (puzzle,) = iss.read(".Shape~9x9.Windoku.Var~S", "test")
    assert puzzle.unsupported == ()
    cells = [fact.arguments[:2] for fact in puzzle.facts if fact.name == "extra_region"]
    window = {2, 3, 4, 6, 7, 8}
    assert sorted(cells) == sorted(product(window, repeat=2))


def test_region_sum_lines_on_a_grid_that_is_not_square():
    cells = [(1, 1), (2, 1), (2, 3), (1, 4)]

    def is_equal(grid):
        one, two, three, four = (grid[r - 1][c - 1] for r, c in cells)
        return one + two == three + four

    names = "~".join(f"R{r}C{c}" for r, c in cells)
    expected = latin(2, 4, range(1, 5), has_boxes, is_equal)
    assert len(expected) > 0
    assert solutions(f".Shape~2x4.RegionSumLine~{names}") == expected
    for extra in ("", ".Var~S~~2.~VS1_1~VS2_1"):
        found = solutions(f".Shape~2x4.NoBoxes.Jigsaw~AABBAABB.RegionSumLine~{names}{extra}")
        assert of_the_grid(found, 2) == expected
    (puzzle,) = iss.read(f".Shape~2x4.Var~S.RegionSumLine~{names}~VS", "test")
    assert puzzle.unsupported == ("RegionSumLine: a cell in no region",)


def test_value_indexing_with_numbers_from_0():
    """The number 0 gives no position."""
    text = ".Shape~3x3~0-2.ValueIndexing~R1C1~R1C2~R2C1~R2C2~R2C3"
    assert solutions(text) == latin(
        3, 3, range(3), lambda grid: grid[0][1] > 0 and grid[1][grid[0][1] - 1] == grid[0][0]
    )


def test_entropic_lines_with_more_numbers_than_rows():
    found = solutions(".Shape~2x3~9.NoBoxes.Entropic~R1C1~R1C2~R1C3.~R1C1_4~R2C1_1~R2C2_2~R2C3_3")
    assert len(found) == sum(a != 2 and b != 3 for a in (1, 2, 3) for b in (7, 8, 9)) + sum(
        b != 3 for a in (7, 8, 9) for b in (1, 2, 3)
    )


# ---- Connected numbers ----


def one_piece(cells):
    """Whether cells are orthogonally connected, and there are any."""
    cells = set(cells)
    pending = [cells.pop()] if cells else []
    found = bool(pending)
    while pending:
        r, c = pending.pop()
        near = cells & {(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)}
        cells -= near
        pending += near
    return found and not cells


def connects(sets):
    """Whether the cells with the numbers of each set are connected, and of that size."""

    def holds(grid):
        for numbers, size in sets:
            cells = [cell for cell, number in by_cell(grid).items() if number in numbers]
            if not one_piece(cells) or (size and len(cells) != size):
                return False
        return True

    return holds


@pytest.mark.parametrize(
    ("shape", "sets"),
    [
        ("2x3~3~Raw", [({1}, 3), ({2, 3}, 0)]),
        ("3x3~2~Raw", [({1}, 4), ({2}, 0)]),
        ("2x4~0-3~Raw", [({0, 2}, 5)]),
    ],
)
def test_numbers_are_connected_on_a_raw_grid(shape, sets):
    rows, columns = int(shape[0]), int(shape[2])
    numbers = range(4) if "0-3" in shape else range(1, int(shape[4]) + 1)
    holds = connects(sets)
    expected = {
        frozenset(by_cell(grid).items()) for grid in fillings(rows, columns, numbers) if holds(grid)
    }
    text = "".join(
        f".ConnectedValues~~{'_'.join(map(str, sorted(marked)))}{f'~{size}' if size else ''}"
        for marked, size in sets
    )
    assert len(expected) > 0
    assert solutions(f".Shape~{shape}{text}") == expected


def test_numbers_are_connected_on_a_rectangle():
    """The extra cells, which touch it at a corner of the field, do not connect anything."""
    expected = latin(2, 4, range(1, 5), connects([({1, 2}, 0)]))
    text = ".Shape~2x4.NoBoxes.ConnectedValues~~1_2"
    assert solutions(text) == expected
    extra = solutions(f"{text}.Var~S~~4.~VS1_1~VS2_3~VS3_1~VS4_2")
    assert of_the_grid(extra, 2) == expected


def test_the_numbers_of_a_group_of_extra_cells_are_connected():
    text = ".Shape~2x2.~R1C1_1.Var~S~~3x3.ConnectedValues~VS~1~4.ConnectedValues~VS~2"
    holds = connects([({1}, 4), ({2}, 0)])
    assert len(solutions(text)) == sum(map(holds, fillings(3, 3, (1, 2))))


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ("VT~1", "the cells 'VT', which are not in the grid"),
        ("VS~1", "the group VS, which has another shape in the field"),
        ("~7", "the numbers '7'"),
        ("~1~0", "the size '0'"),
        ("~1~2~3", "the size '2~3'"),
    ],
)
def test_invalid_sets_of_connected_numbers_are_reported(arguments, what):
    (puzzle,) = iss.read(f".Shape~4x4.Var~S~~3x2.ConnectedValues~{arguments}", "test")
    assert puzzle.unsupported == (f"ConnectedValues: {what}",)


def test_the_cells_of_a_sum_may_count_differently():
    expected = latin(
        2, 3, range(1, 5), lambda grid: 10 * grid[0][0] + grid[1][1] - 3 * grid[1][2] == 9
    )
    assert len(expected) > 0
    assert solutions(".Shape~2x3~4.NoBoxes.Sum~9_=_10_1_-3~R1C1~R2C2~R2C3") == expected
    negative = latin(2, 2, range(3), lambda grid: grid[0][0] - 2 * grid[1][0] == -4)
    assert solutions(".Shape~2x2~0-2.Sum~-4_=_1_-2~R1C1~R2C1") == negative


# ---- Ranks of lines, and regions that are to be found ----


def lines_of(grid):
    """The numbers of all rows and columns, read from both ends, by name and direction."""
    names = [f"R{r}" for r in range(1, len(grid) + 1)] + [f"C{c}" for c in range(1, len(grid) + 1)]
    return {
        (name, backwards): line_of(grid, name, backwards)
        for name in names
        for backwards in (False, True)
    }


def has_rank(name, backwards, rank, may_tie):
    def holds(grid):
        lines = lines_of(grid)
        line = lines.pop((name, backwards))
        equal = line in lines.values()
        return (may_tie or not equal) and sum(each < line for each in lines.values()) == rank - 1

    return holds


@pytest.mark.parametrize(
    ("name", "backwards", "ranks"),
    [
        ("R1", False, range(1, 13, 3)),
        ("R3", True, range(2, 13, 3)),
        ("C2", False, range(3, 13, 3)),
    ],
)
@pytest.mark.parametrize("ties", ["", ".FullRankTies~any"])
@pytest.mark.parametrize("numbers", [range(1, 4), range(3)])
def test_ranks_are_those_of_the_lines_of_the_grid(name, backwards, ranks, ties, numbers):
    shape = f".Shape~3x3~{numbers[0]}-{numbers[-1]}.Var~S~~2.~VS1_1~VS2_1"
    for rank in ranks:
        found = solutions(f"{shape}.FullRank~{name}~{'~' if backwards else ''}{rank}{ties}")
        assert of_the_grid(found, 3) == latin(
            3, 3, numbers, has_rank(name, backwards, rank, bool(ties))
        )


def test_no_lines_of_a_grid_with_extra_cells_are_equal():
    def differ(grid):
        lines = [tuple(line) for line in lines_of(grid).values()]
        return len(set(lines)) == len(lines)

    text = ".Shape~4x4.NoBoxes.Var~S~~2.~VS1_1~VS2_1.FullRankTies~none.~R1C1_1~R1C2_2~R1C3_3"
    grids = [grid for grid in latin_squares(4) if grid[0] == (1, 2, 3, 4)]
    expected = {frozenset(by_cell(grid).items()) for grid in grids if differ(grid)}
    assert 0 < len(expected) < len(grids)
    assert of_the_grid(solutions(text), 4) == expected


def latin_squares(size, rows=()):
    if len(rows) == size:
        yield rows
        return
    for row in permutations(range(1, size + 1)):
        if all(map(different, zip(*rows, row, strict=True))):
            yield from latin_squares(size, (*rows, row))


def divisions(cells, size):
    """All ways to divide cells into connected regions of this size."""
    if not cells:
        yield []
        return
    first, *others = sorted(cells)
    for chosen in combinations(others, size - 1):
        if one_piece({first, *chosen}):
            for rest in divisions(cells - {first, *chosen}, size):
                yield [{first, *chosen}, *rest]


def counts_around(cell):
    return lambda values, region_of: (
        values[cell]
        == sum(
            region_of[other] == region_of[cell]
            for other in values
            if max(abs(cell[0] - other[0]), abs(cell[1] - other[1])) <= 1
        )
    )


def counts_along(cell):
    """Whether a cell counts those of its region in all four directions, up to other regions."""

    def holds(values, region_of):
        r, c = cell
        total = 1
        for y, x in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            steps = takewhile(lambda k: (r + k * y, c + k * x) in values, count(1))  # noqa: B023
            reached = ((r + k * y, c + k * x) for k in steps)
            total += sum(1 for _ in takewhile(lambda at: region_of[at] == region_of[cell], reached))
        return values[cell] == total

    return holds


def together(one, other):
    return lambda _, region_of: region_of[one] == region_of[other]


@pytest.mark.parametrize(
    ("shape", "extra"),
    [
        *((shape, "") for shape in ("2x3", "3x2", "2x4", "4x2", "3x3")),
        *((shape, ".Var~S~~2.~VS1_1~VS2_1") for shape in ("2x3", "4x2")),
    ],
)
@pytest.mark.parametrize(
    ("clue", "holds"),
    [
        ("", lambda _, __: True),
        ("ChaosCount~R2C2", counts_around((2, 2))),
        ("ChaosArrow~R1C2", counts_along((1, 2))),
        ("SameValues~2~CC1~CC{below}", together((1, 1), (2, 1))),
        ("AllDifferent~CC1~CC{below}", lambda *found: not together((1, 1), (2, 1))(*found)),
    ],
)
def test_regions_are_found_in_the_cells_of_the_grid(shape, clue, holds, extra):
    rows, columns = int(shape[0]), int(shape[2])
    numbers = max(rows, columns)
    grids = latin(rows, columns, range(1, numbers + 1))
    cells = set(by_cell(((0,) * columns,) * rows))
    regions = [
        {cell: name for name, region in enumerate(division) for cell in region}
        for division in divisions(cells, numbers)
    ]
    expected = {
        grid
        for grid in grids
        for values in [dict(grid)]
        if any(
            len({(region_of[cell], values[cell]) for cell in cells}) == len(cells)
            and holds(values, region_of)
            for region_of in regions
        )
    }
    stated = f".{clue.format(below=columns + 1)}" if clue else ""
    text = f".Shape~{shape}.NoBoxes.ChaosConstruction{stated}{extra}"
    assert of_the_grid(solutions(text), rows) == expected


# ---- Writing ----


def written(puzzle):
    """The text for a puzzle, which has been compared with the puzzle that it is read as."""
    return registry.write(iss.FORMAT, [puzzle])


TEXTS = {
    "boxes": ".Shape~6x8\n.~R1C1_1\n.~R6C8_8\n",
    "no boxes": ".Shape~8x6\n.NoBoxes\n.AntiKnight\n",
    "boxes that do not fit": ".Shape~9x8\n",
    "numbers": ".Shape~4x6~0-5\n.Thermo~R1C1~R1C2~R2C2\n",
    "more numbers": ".Shape~2x3~1-4\n.Skyscraper~R1~~2\n.Skyscraper~C2~1~\n",
    "pieces": ".Shape~2x4\n.NoBoxes\n.Jigsaw~AAABABBB\n.RegionSumLine~R1C1~R1C4\n",
    "one piece": ".Shape~4x6\n.NoBoxes\n.Jigsaw~AAA---AAA---------------\n",
    "extra cells": ".Shape~4x4\n.Var~A~~7\n.Sum~9~R1C1~VA1~VA7\n.~R1C2_3\n.~VA6_1_2\n",
    "one extra cell": ".Shape~2x4\n.Var~A~~1\n.Thermo~VA~R1C1\n.~VA_1\n",
    "a rectangle without rows": ".Shape~2x3~1-4~Raw\n.AntiConsecutive\n.~R1C1_4\n",
    "a square without rows": ".Shape~3x3~~Raw\n.AllDifferent~R1C1~R2C2~R3C3\n",
    "diagonals": ".Shape~3x4\n.LittleKiller~5~R1C2\n.LittleKiller~6~R2C1\n",
    "lacking numbers": ".Shape~3x3~0-3\n.Doppelganger\n.Var~A~~2\n.~DGR3_1\n",
}


@in_one_test("text", TEXTS.values())
def test_a_grid_that_is_not_a_square_without_extra_cells_is_written_as_it_was_read(text):
    (puzzle,) = iss.read(text, "test")
    assert puzzle.unsupported == ()
    assert written(puzzle) == text


def test_the_windows_and_diagonals_of_a_grid_with_extra_cells_are_sets_of_cells():
    (puzzle,) = iss.read(".Shape~4x4.Diagonal~1.Var~S", "test")
    assert written(puzzle) == (".Shape~4x4\n.Var~A~~1\n.AllDifferent~R1C4~R2C3~R3C2~R4C1\n")


@pytest.mark.parametrize(("file", "solution"), BOARDS, ids=[file.stem for file, _ in BOARDS])
def test_bundled_puzzles_on_boards(file, solution):
    puzzle = aspdoku.read(file)
    if file.stem not in ("extra-cell", "oblong", "rectangle"):
        with pytest.raises(PuzzleError, match="the format iss cannot represent several boards"):
            written(puzzle)
        return
    text = written(puzzle)
    rows, columns = {"extra-cell": (4, 4), "oblong": (4, 7), "rectangle": (6, 8)}[file.stem]
    assert text.startswith(f".Shape~{rows}x{columns}\n")
    found = aspdoku.solve(*iss.read(text, "test"))
    lines = [line.split() for line in solution.read_text("utf-8").splitlines()]
    assert found.status == "unique"
    assert found.solution.numbers() == {
        (r, c): int(word)
        for r, line in enumerate(lines, 1)
        for c, word in enumerate(line, 1)
        if word != "/"
    }


def random_board(rng):
    """A puzzle file with a board of a random shape, boxes or not, and single cells next to it."""
    rows, columns = rng.choice([(2, 3), (3, 2), (2, 4), (4, 2), (3, 4), (4, 3)])
    size = max(rows, columns)
    facts = [f"board(x,1,1,{rows},{columns})."]
    thermo = rng.random() < 0.5
    if thermo:
        r, c = rng.randint(1, rows - 1), rng.randint(1, columns - 1)
        cells = rng.sample([(r + y, c + x) for y in (0, 1) for x in (0, 1)], 3)
        facts += [f"thermo(t,{place},{r},{c})." for place, (r, c) in enumerate(sorted(cells), 1)]
    shapes = [(2, 2)] if size == 4 and (rows, columns) in ((2, 4), (4, 2)) else []
    shape = rng.choice([*shapes, (0, 0), None])
    facts += [f"board_box(x,{shape[0]},{shape[1]})."] if shape else []
    field = size
    if rng.random() < 0.3:
        field += 2
        facts += [f"extra_cell({rows + 1 + k // 2},{columns + 1 + k % 2})." for k in range(4)]
    first = rng.choice([0, 1])
    grid = [["."] * field for _ in range(field)]
    grid[0][0], grid[rows - 1][columns - 1] = str(first + 1), str(rng.randint(first, first + 2))
    lines = "\n".join(" ".join(row) for row in grid)
    extra = ", extra-cell" * (field > size)
    rules = (
        f"with: boards{extra}{', thermo' * thermo}\nwithout: row, column{rng.choice(['', ', box'])}"
    )
    rules += f"\nnumbers: {first}-{first + size - 1}"
    return f"{rules}\n{lines}\n[facts]\n" + "\n".join(facts)


@pytest.mark.parametrize("seed", range(12))
def test_random_boards_have_the_same_solutions_when_they_are_read_back(seed):
    rng = random.Random(f"ISS {seed}")
    text = random_board(rng)
    puzzle = aspdoku.parse(text)
    again = written(puzzle)
    assert solutions(again) == {
        frozenset(each.numbers().items()) for each in aspdoku.solve(puzzle, limit=0).solutions
    }


@in_one_test(
    ("facts", "what"),
    [
        ("board(x,2,1,4,6).", "a board other than one in the upper left corner with extra cells"),
        ("board(x,1,1,4,6). extra_cell(6,6).", "a board other than one in the upper left corner"),
        ("board(x,1,1,4,6). board(y,6,6,1,1).", "several boards"),
        ("board(x,1,1,4,6). board(y,5,1,2,6).", "several boards"),
        ("board(x,1,1,4,7).", "the rule boards"),
        ("board(x,1,1,4,6). board_box(x,2,5).", "the rule boards"),
        ("board(x,1,1,6,6).", "the rule boards"),
        ("board(x,1,1,4,6). extra_region(5,1,a).", "the cell R5C1, which is not in the grid"),
        ("board(x,1,1,4,6). box(5,1,a).", "its regions"),
        ("board(x,1,1,4,6). box(1,1,a).", "regions that overlap"),
        ("board(x,1,1,4,6). a(5,1,1).", "a given in the cell R5C1, which is not in the grid"),
    ],
)
def test_other_boards_are_not_written(facts, what):
    rows = ". . . . . .\n" * 6
    region = ", extra-region" * ("extra_region" in facts)
    extra = ", extra-cell" * ("extra_cell" in facts)
    rules = f"with: boards{region}{extra}\nwithout: row, column\n"
    with pytest.raises(PuzzleError) as caught:
        written(aspdoku.formats.parse(f"{rules}{rows}[facts]\n{facts}"))
    assert what in str(caught.value)


def test_pieces_on_a_square_part_of_the_field_are_regions():
    pieces = "AAABACBBDCCBDDCD"
    for extra in ("", ".Var~S~~2"):
        (puzzle,) = iss.read(f".Shape~4x4.NoBoxes.Jigsaw~{pieces}{extra}", "test")
        assert f".Jigsaw~{pieces}\n" in written(puzzle)


@pytest.mark.skipif(
    not published_puzzles.FILE.exists(), reason="the collection of puzzles is not there"
)
def test_published_puzzles_that_are_not_square_or_have_extra_cells_are_written():
    texts = [
        each["puzzle"]
        for each in map(json.loads, published_puzzles.FILE.read_text("utf-8").splitlines())
        if each["format"].startswith("iss")
    ]
    found = 0
    for text in texts:
        try:
            (puzzle,) = registry.parse_all(text, "test", iss.FORMAT)
        except PuzzleError:
            continue
        if "boards" in puzzle.elaborations:
            found += 1
            assert written(puzzle).startswith(".Shape~")
    assert found == 7
