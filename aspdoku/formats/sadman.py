"""The format of SadMan Sudoku (.sdk): `#A author`, `#D description` and so on, then the grid.

The grid may follow a line [Puzzle]. The description is the title, and a comment (#C) may be rules
in words. Other metadata (date, source, level, URL) and the player's progress ([State],
[PencilMarks]) are ignored; any other section is reported as unsupported.
"""

from __future__ import annotations

import re

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import PLAIN, SMALLEST, Format, content_lines, require_representable
from aspdoku.formats.texts import described, one_line
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzlefile import grid
from aspdoku.puzzlefile.grid import EMPTY, grid_rows
from aspdoku.puzzlefile.lines import Line, split_lines

TAG = re.compile(r"\s*#([ABDLSU]|C(?![a-z]))(.*)")  # not a comment such as #Classic
REMARK = re.compile(r"\s*#")
SECTION = re.compile(r"\s*\[([A-Za-z ]+)\]\s*")
PUZZLE = "puzzle"
PASSED_OVER = ("state", "pencilmarks")


def fits(text: str) -> bool:
    """Whether there is a section [Puzzle], or the grid follows tags only: #A, #B and so on."""
    lines = [line.content.strip().lower() for line in content_lines(text)]
    if "[puzzle]" in lines and SECTION.fullmatch(lines[0]):
        return True
    remarks = [line.text for line in split_lines(text, "") if REMARK.match(line.text)]
    return bool(remarks) and all(map(TAG.match, remarks)) and _is_grid(content_lines(text))


def _is_grid(lines: list[Line]) -> bool:
    try:
        rows = grid_rows(lines) if len(lines) >= SMALLEST else []
    except PuzzleError:
        return False
    return bool(rows) and {cell for row in rows for cell in row.cells} <= EMPTY | {*"123456789"}


def read(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of the text. Raises PuzzleError."""
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


def write(puzzle: Puzzle) -> str:
    """The grid after lines with its author and its title.

    Raises PuzzleError for anything but an ordinary sudoku with single digits.
    """
    require_representable(puzzle, PLAIN, FORMAT.name, largest=9)
    rows = ["".join(str(number or ".") for number in row) for row in puzzle.grid]
    tags = [f"#A {one_line(puzzle.author)}"] if puzzle.author else []
    tags.append(f"#D {one_line(puzzle.title)}".rstrip())
    return "\n".join([*tags, *rows]) + "\n"


FORMAT = Format(
    "sadman", "SadMan Sudoku", fits, read, write, suffixes=(".sdk",), texts=("title", "author")
)
