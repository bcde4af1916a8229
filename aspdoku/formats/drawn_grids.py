"""Grids that are drawn, with nothing but givens: of SadMan Sudoku, of SimpleSudoku, and several.

sadman (.sdk)   `#A author`, `#D description` and so on, then the grid, perhaps after a line
                [Puzzle]. The description is the title, and a comment (#C) may be rules in words.
                Other metadata (date, source, level, URL) and the player's progress ([State],
                [PencilMarks]) are ignored; any other section is reported as unsupported.
simple (.ss)    the grid in a frame of stars and dashes; older files have an X in each empty cell

                *-----------*
                |.3.|4..|..5|
                |---+---+---|

grids           several grids in sequence, each n lines of n cells, perhaps after a line `Grid 01`
"""

from __future__ import annotations

import re
import string
from bisect import bisect_left

from aspdoku.errors import PuzzleError
from aspdoku.formats import line_lists
from aspdoku.formats.base import (
    PLAIN,
    SMALLEST,
    Format,
    cells_of,
    content_lines,
    to_rows,
    translated,
)
from aspdoku.formats.json_document import described, one_line
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzlefile import grid
from aspdoku.puzzlefile.lines import Line, split_lines

TAG = re.compile(r"\s*#([ABDLSU]|C(?![a-z]))(.*)")  # not a comment such as #Classic
REMARK = re.compile(r"\s*#")
SECTION = re.compile(r"\s*\[([A-Za-z ]+)\]\s*")
PUZZLE = "puzzle"
PASSED_OVER = ("state", "pencilmarks")
FRAMED = re.compile(r"[1-9xX|*+\s-]+")
CROSS = str.maketrans("xX", "..")
SIGNS = grid.EMPTY | {*string.digits, *string.ascii_letters}
TITLE = re.compile(r"\s*((?:grid|puzzle|sudoku|no\.?)\s*[0-9]+)\s*(?::\s*)?", re.IGNORECASE)


def _fits_sadman(text: str) -> bool:
    """Whether there is a section [Puzzle], or the grid follows tags only: #A, #B and so on."""
    lines = content_lines(text)
    if SECTION.fullmatch(lines[0].content if lines else "") and any(
        line.content.strip().lower() == f"[{PUZZLE}]" for line in lines
    ):
        return True
    remarks = [line.text for line in split_lines(text, "") if REMARK.match(line.text)]
    if not remarks or not all(map(TAG.match, remarks)) or len(lines) < SMALLEST:
        return False
    try:
        rows = grid.grid_rows(lines)
    except PuzzleError:
        return False
    return {cell for row in rows for cell in row.cells} <= grid.EMPTY | {*"123456789"}


def _read_sadman(text: str, name: str) -> list[Puzzle]:
    tags: dict[str, list[str]] = {tag: [] for tag in "ABCDLSU"}
    part, rows = "", dict[str, list[Line]]()
    for line in split_lines(text, name):
        tag, section = TAG.match(line.text), SECTION.fullmatch(line.text)
        if tag:
            tags[tag[1]].append(tag[2])
        elif section:
            part = section[1].lower()
        elif line.content.strip():
            rows.setdefault(part, []).append(line)
    drawn = rows.pop(PUZZLE, []) or rows.pop("", [])
    if before := rows.pop("", []):
        raise before[0].error("unexpected line before [Puzzle]")
    if not drawn:
        raise PuzzleError(
            "no grid found: nine lines of nine cells must follow the lines #A to #U, or [Puzzle]",
            name,
        )
    unsupported = tuple(f"section [{part}]" for part in rows if part not in PASSED_OVER)
    puzzle = Puzzle(grid.parse_grid(drawn), grid.drawn_box_shape(drawn), unsupported=unsupported)
    return [described(puzzle, tags["D"], tags["A"], [tags["C"]])]


def _write_sadman(puzzle: Puzzle) -> str:
    tags = [f"#A {one_line(puzzle.author)}"] if puzzle.author else []
    tags.append(f"#D {one_line(puzzle.title)}".rstrip())
    return "\n".join([*tags, *map("".join, to_rows(cells_of(puzzle)))]) + "\n"


def _fits_simple(text: str) -> bool:
    """Whether n lines of digits and separators have an X in every empty cell."""
    drawn = [line.content for line in content_lines(text) if {*line.content.strip()} - {*"-+*|= "}]
    widest = max((len(line.replace("|", "").replace(" ", "")) for line in drawn), default=0)
    return (
        widest == len(drawn) <= 9
        and all(map(FRAMED.fullmatch, drawn))
        and bool(re.search("[xX]", "".join(drawn)))
    )


def _read_simple(text: str, name: str) -> list[Puzzle]:
    lines = translated(content_lines(text, name), CROSS)
    return [Puzzle(grid.parse_grid(lines), grid.drawn_box_shape(lines))]


def _write_simple(puzzle: Puzzle) -> str:
    height, width = puzzle.box or (1, 1)
    bands = range(0, puzzle.size, width)
    edge = "*" + "-" * (puzzle.size + len(bands) - 1) + "*"
    separator = "|" + "+".join("-" * width for _ in bands) + "|"
    lines = [edge]
    for number, cells in enumerate(to_rows(cells_of(puzzle))):
        lines += [separator] if number and number % height == 0 else []
        lines.append("|" + "|".join("".join(cells[start : start + width]) for start in bands) + "|")
    return "\n".join([*lines, edge]) + "\n"


def _fits_grids(text: str) -> bool:
    """Whether all lines but titles and separators have n cells, and are k * n lines, k > 1."""
    _, rows, size = _grid_lines(text, "")
    return 0 < size < len(rows) and not line_lists.fits(text)


def _read_grids(text: str, name: str) -> list[Puzzle]:
    every = content_lines(text, name)
    numbers = [line.number for line in every]
    lines, _, size = _grid_lines(text, name)
    if not size:
        raise PuzzleError("expected a sequence of grids of n lines with n cells each", name)
    puzzles = []
    title, rows = "", list[Line]()
    for line in lines:
        match = TITLE.fullmatch(line.content)
        if match and rows:
            raise line.error(f"incomplete grid above this line: {len(rows)} of {size} rows")
        if match:
            title = match[1]
            continue
        rows.append(line)
        if len(rows) == size:
            first, last = (bisect_left(numbers, row.number) for row in (rows[0], rows[-1]))
            box = grid.box_shape_of_separators(every[first:last], grid.grid_rows(rows))
            puzzles.append(Puzzle(grid.parse_grid(rows), box, title=title))
            title, rows = "", []
    return puzzles


def _grid_lines(text: str, name: str) -> tuple[list[Line], list[Line], int]:
    """The lines without separators, those of them that are rows, and the number of cells per row: 0
    if it is not the same for all rows, split in one way, or the rows do not form whole grids. A
    line that could be a row or a separator counts as a separator if it contains -, + or =.
    """
    lines = [
        line
        for line in content_lines(text, name)
        if not (grid.may_be_separator(line) and {*line.content} & {*"-=+"})
    ]
    rows = [line for line in lines if not TITLE.fullmatch(line.content)]
    for split in (str.split, grid.split_characters):
        size = len(split(grid.without_bars(rows[0]))) if rows else 0
        if size < SMALLEST or len(rows) % size:
            continue
        cells = (split(grid.without_bars(line)) for line in rows)
        if all(len(row) == size and SIGNS.issuperset("".join(row)) for row in cells):
            return lines, rows, size
    return lines, rows, 0


SADMAN = Format(
    "sadman",
    "SadMan Sudoku",
    _fits_sadman,
    _read_sadman,
    _write_sadman,
    kinds=(PLAIN,),
    sizes=range(SMALLEST, 10),
    suffixes=(".sdk",),
    texts=("title", "author"),
)
SIMPLE = Format(
    "simple",
    "SimpleSudoku",
    _fits_simple,
    _read_simple,
    _write_simple,
    kinds=(PLAIN,),
    sizes=range(SMALLEST, 10),
    suffixes=(".ss",),
)
GRIDS = Format(
    "grids",
    "several grids in sequence",
    _fits_grids,
    _read_grids,
    lambda puzzle: "\n".join([*map(" ".join, to_rows(cells_of(puzzle))), "", ""]),
    kinds=(PLAIN,),
    multiple=True,
)
