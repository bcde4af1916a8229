"""Killer sudokus: as rows of cage letters with sums, and on one line.

In forums: optional rows of cells, rows of cage letters, and sums `a20,b4`.

On one line, long form, `3x3::k:6150:…`: a cell contains 256 * S + I, with the sum S of its cage (0
for none) and the number I of the cage; `d` between the first colons adds both diagonals. Short
form: 0 to 9, A to Z and a to j are sums up to 45 in the first cell of a cage, and `< > ^ v` and,
diagonally, `` ` ' , . `` point to a neighbour in the same cage.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import takewhile

from aspdoku.errors import PuzzleError
from aspdoku.formats import partitions
from aspdoku.formats.base import (
    KILLER,
    KILLER_ON_DIAGONALS,
    Format,
    UnsupportedError,
    cell_name,
    cells_of,
    content_lines,
    grid_of,
    grid_size,
    joined,
    to_rows,
)
from aspdoku.formats.partitions import Cages, cages_of, first_cells, killer_puzzle
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzlefile.grid import (
    GridRow,
    box_shape_of_separators,
    must_be_separator,
    split_characters,
    without_bars,
)
from aspdoku.puzzlefile.lines import Line, pluralize

SUM = re.compile(r"([A-Za-z])(?:\s*[=:])?\s*([0-9]{1,5})")
SUMS = re.compile(rf"\s*{SUM.pattern}(?:[\s,;]+{SUM.pattern})*[\s,;]*")


def fits(text: str) -> bool:
    """Whether the text is one or two grids, the last one of letters, and sums of letters."""
    rows, sums = _parts(content_lines(text))
    cells = [cell for row in rows for cell in row.cells]
    labels = cells[len(cells) // 2 :] if grid_size(len(cells) // 2) else cells
    letters = set(labels) - {partitions.NO_REGION}
    return (
        bool(sums and grid_size(len(labels)) and letters)
        and letters <= {*partitions.LETTERS}
        and {*dict(sums)} <= letters
    )


def read(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of the text. Raises PuzzleError."""
    lines = content_lines(text, name)
    drawn, sums = _parts(lines)
    cells = [cell for row in drawn for cell in row.cells]
    if not (grid_size(len(cells)) or grid_size(len(cells) // 2)):
        raise PuzzleError(
            f"{len(cells)} characters before the sums: a 9x9 killer sudoku has 81 cage letters,"
            " optionally after 81 cells",
            name,
        )
    size = grid_size(len(cells)) or grid_size(len(cells) // 2)
    labels = cells[-size * size :]
    for line, row in drawn:
        if len(row) not in (size, size * size, len(cells)):
            raise line.error(
                f"the line has {pluralize(len(row), 'cell')}, but {len(cells)} cells in all lines"
                f" would form a {size}x{size} killer sudoku"
            )
    values, times = dict(sums), Counter(label for label, _ in sums)
    at_fault = [
        *(label for label in values if label not in labels),
        *(label for label in labels if label not in partitions.LETTERS + partitions.NO_REGION),
        *(label for label in values if times[label] > 1),
    ]
    if at_fault:
        raise PuzzleError(
            f"{at_fault[0]!r} is not the letter of a cage with one sum: write cages as letters, and"
            " sums as in a20,b4",
            name,
        )
    grid = grid_of(cells[: size * size], lines[0]) if len(cells) > size * size else None
    rows = drawn[-size:]
    below = [line for line in lines if line.number > rows[0].line.number]
    box = box_shape_of_separators(below, rows) if len(rows) == size else None
    totals = {label: int(total) for label, total in values.items()}
    return [killer_puzzle(Cages(labels, totals), grid, box=box)]


def write(puzzle: Puzzle) -> str:
    """Cells, cages and sums. Raises UnsupportedError."""
    cages = cages_of(puzzle, partitions.LETTERS)
    if not cages.sums:
        raise UnsupportedError("a puzzle in which no cage has a sum")
    cells = cells_of(puzzle, partitions.SIGNS.__getitem__)
    rows, labels = (map("".join, to_rows(each)) for each in (cells, cages.labels))
    sums = ",".join(f"{label}{total}" for label, total in cages.sums.items())
    return "\n".join([*rows, "", *labels, "", sums, ""])


def _parts(lines: list[Line]) -> tuple[list[GridRow], list[tuple[str, str]]]:
    """The lines of the grids, and pairs of a letter and its sum in the lines after these."""
    listed = [*takewhile(lambda line: SUMS.fullmatch(line.content), reversed(lines))][::-1]
    drawn = [line for line in lines[: len(lines) - len(listed)] if not must_be_separator(line)]
    rows = [GridRow(line, split_characters(without_bars(line))) for line in drawn]
    return rows, [total for line in listed for total in SUM.findall(line.content)]


FORMAT = Format(
    "killer", "cells, cage letters, and sums such as a20,b4", fits, read, write, kinds=(KILLER,)
)


LONG_FORM = re.compile(r"([2-5])x\1:(d?):k:([0-9:]*)")
MAX_DIGITS = 7
SHORT_FORM = re.compile(r"[0-9A-Za-jv<>^`',.]{81}")
NEARLY_SHORT = re.compile(r"(?=.*[<>^])[0-9A-Za-jv<>^`',.]{80,82}")
POINTING = re.compile(r"[<>^`',]")
SUM_SIGNS = partitions.SIGNS[:46]
STEPS = {
    "^": (-1, 0),
    "v": (1, 0),
    "<": (0, -1),
    ">": (0, 1),
    "`": (-1, -1),
    "'": (-1, 1),
    ",": (1, -1),
    ".": (1, 1),
}
CAGES = 256
SIZE = 9


def _read_long(text: str, name: str) -> list[Puzzle]:
    match = LONG_FORM.fullmatch(joined(text))
    if not match:
        raise PuzzleError(
            "invalid killer sudoku: expected 3x3::k: or 3x3:d:k:, followed by numbers separated by"
            " colons",
            name,
        )
    size = int(match[1]) ** 2
    numerals = [number for number in match[3].split(":") if number]
    if long := next((number for number in numerals if len(number) > MAX_DIGITS), ""):
        raise PuzzleError(f"{long[:20]} is too large for a sum and a cage", name)
    numbers = list(map(int, numerals))
    if len(numbers) != size * size:
        raise PuzzleError(
            f"{len(numbers)} cells after {match[1]}x{match[1]}: a {size}x{size} grid has"
            f" {size * size}",
            name,
        )
    counts, values = Counter(numbers), defaultdict[int, set[int]](set)
    for each in filter(None, numbers):
        values[each % CAGES].add(each)
    if twice := [cage for cage, found in values.items() if len(found) > 1]:
        raise PuzzleError(f"several sums for cage {twice[0]}", name)
    labels = [
        str(each % CAGES) if each >= CAGES or (each and counts[each] > 1) else partitions.NO_REGION
        for each in numbers
    ]
    sums = {str(each % CAGES): each // CAGES for each in numbers if each >= CAGES}
    return [killer_puzzle(Cages(labels, sums), kind=KILLER_ON_DIAGONALS if match[2] else KILLER)]


def _write_long(puzzle: Puzzle) -> str:
    cages = cages_of(puzzle, [str(number) for number in range(1, CAGES)])
    if not puzzle.box or puzzle.box[0] != puzzle.box[1]:
        raise UnsupportedError(f"a {puzzle.size}x{puzzle.size} grid: its boxes are square")
    _require_sums_of_single_cells(cages)
    numbers = [
        0 if label == partitions.NO_REGION else cages.sums.get(label, 0) * CAGES + int(label)
        for label in cages.labels
    ]
    diagonals = "d" if puzzle.elaborations == KILLER_ON_DIAGONALS.elaborations else ""
    return f"{puzzle.box[0]}x{puzzle.box[1]}:{diagonals}:k:{':'.join(map(str, numbers))}:\n"


def _require_sums_of_single_cells(cages: Cages) -> None:
    for label, number in Counter(cages.labels).items():
        if number == 1 and label not in {*cages.sums, partitions.NO_REGION}:
            raise UnsupportedError("a cage of one cell without a sum")


def _fits_short(text: str) -> bool:
    """Whether the text is 81 of these characters, at least one of which must be a pointer, or one
    line of 80 or 82 with some of < > ^. There must be no blanks between them, as in drawings with
    signs between cells, and all lines must have the same length.
    """
    lines = [line.content.split() for line in content_lines(text)]
    if any(len(words) > 1 for words in lines) or len({len(words[0]) for words in lines}) > 1:
        return False
    bare = joined(text)
    return (SHORT_FORM.fullmatch(bare) is not None and POINTING.search(bare) is not None) or (
        NEARLY_SHORT.fullmatch(text.strip("\ufeff \t\r\n")) is not None and len(bare) != SIZE * SIZE
    )


def _read_short(text: str, name: str) -> list[Puzzle]:
    bare = joined(text)
    line = next(iter(content_lines(text, name)), Line("", 1, name))
    if not SHORT_FORM.fullmatch(bare):
        raise line.error(
            f"{len(bare)} characters: a killer sudoku in this form has 81, sums 0 to 9, A to Z and"
            " a to j, and < > ^ v ` ' , ."
        )
    ends = [_cage_head(bare, index, line) for index in range(len(bare))]
    caged = sorted(head for head in set(ends) if bare[head] != "0" or ends.count(head) > 1)
    numbers = {head: str(number) for number, head in enumerate(caged, 1)}
    labels = [numbers.get(head, partitions.NO_REGION) for head in ends]
    sums = {numbers[head]: SUM_SIGNS.index(bare[head]) for head in caged if bare[head] != "0"}
    return [killer_puzzle(Cages(labels, sums))]


def _write_short(puzzle: Puzzle) -> str:
    cages = cages_of(puzzle, [str(number) for number in range(1, SIZE * SIZE + 1)])
    if any(total >= len(SUM_SIGNS) for total in cages.sums.values()):
        raise UnsupportedError(f"sums above {len(SUM_SIGNS) - 1}")
    _require_sums_of_single_cells(cages)
    signs = ["0"] * (SIZE * SIZE)
    for label, head in first_cells(cages.labels).items():
        if label != partitions.NO_REGION:
            signs[head] = SUM_SIGNS[cages.sums.get(label, 0)]
            if _write_pointers(cages.labels, head, signs) < cages.labels.count(label):
                raise UnsupportedError(f"the disconnected cage {label}")
    line = "".join(signs)
    if not POINTING.search(line):
        raise UnsupportedError("a puzzle without a cage of several cells: it would be a grid")
    return line + "\n"


def _cage_head(signs: str, index: int, line: Line) -> int:
    at = index
    for _ in range(SIZE * SIZE):
        if signs[at] not in STEPS:
            return at
        down, right = STEPS[signs[at]]
        row, column = at // SIZE + down, at % SIZE + right
        if not (0 <= row < SIZE and 0 <= column < SIZE):
            raise line.error(
                f"the sign {signs[at]} in {cell_name(at, SIZE)} points outside the grid"
            )
        at = row * SIZE + column
    raise line.error(f"the pointers from {cell_name(index, SIZE)} form a cycle")


def _write_pointers(labels: list[str], head: int, signs: list[str]) -> int:
    """Point the cells of a cage to its first cell, breadth-first; return the number reached."""
    reached = [head]
    for at in reached:
        for sign, (down, right) in STEPS.items():
            row, column = at // SIZE - down, at % SIZE - right
            before = row * SIZE + column
            inside = 0 <= row < SIZE and 0 <= column < SIZE
            if inside and labels[before] == labels[head] and before not in reached:
                reached.append(before)
                signs[before] = sign
    return len(reached)


LONG = Format(
    "killer-long",
    "a killer sudoku on one line, 3x3::k: and one number per cell",
    lambda text: re.match(r"[0-9]+x[0-9]+:d?:k:", joined(text)) is not None,
    _read_long,
    _write_long,
    kinds=(KILLER, KILLER_ON_DIAGONALS),
    sizes=range(4, 26),
)
SHORT = Format(
    "killer-short",
    "a killer sudoku in 81 characters that point to the sums",
    _fits_short,
    _read_short,
    _write_short,
    kinds=(KILLER,),
    sizes=range(SIZE, SIZE + 1),
)
