"""The format of SimpleSudoku (.ss): the grid in a frame of stars and dashes.

Older files have an X in each empty cell.

*-----------*
|.3.|4..|..5|
|---+---+---|
"""

from __future__ import annotations

import re

from aspdoku.formats.base import PLAIN, Format, content_lines, require_representable
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzlefile import grid
from aspdoku.puzzlefile.lines import Line

SIGNS = re.compile(r"[1-9xX|*+\s-]+")
CROSS = str.maketrans("xX", "..")


def fits(text: str) -> bool:
    """Whether n lines of digits and separators have an X in every empty cell.

    With dots the grid is also in the native format.
    """
    lines = content_lines(text)
    drawn = [line.content for line in lines if set(line.content.strip()) - set("-+*|= ")]
    whole = max((len(line.replace("|", "").replace(" ", "")) for line in drawn), default=0) == len(
        drawn
    )
    return (
        whole
        and len(drawn) <= 9
        and all(map(SIGNS.fullmatch, drawn))
        and bool(re.search("[xX]", "".join(drawn)))
    )


def read(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of the text. Raises PuzzleError."""
    lines = [
        Line(line.text.translate(CROSS), line.number, line.name)
        for line in content_lines(text, name)
    ]
    return [Puzzle(grid.parse_grid(lines), grid.drawn_box_shape(lines))]


def write(puzzle: Puzzle) -> str:
    """The grid in its frame.

    Raises PuzzleError for anything but an ordinary sudoku with single digits.
    """
    require_representable(puzzle, PLAIN, FORMAT.name, largest=9)
    height, width = puzzle.box or (1, 1)
    bands = range(0, puzzle.size, width)
    edge = "*" + "-" * (puzzle.size + len(bands) - 1) + "*"
    separator = "|" + "+".join("-" * width for _ in bands) + "|"
    lines = [edge]
    for number, row in enumerate(puzzle.grid):
        cells = ["." if each is None else str(each) for each in row]
        lines += [separator] if number and number % height == 0 else []
        lines.append("|" + "|".join("".join(cells[start : start + width]) for start in bands) + "|")
    return "\n".join([*lines, edge]) + "\n"


FORMAT = Format("simple", "SimpleSudoku", fits, read, write, suffixes=(".ss",))
