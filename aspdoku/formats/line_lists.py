"""Lists of puzzles, one per line (.sdm and others), each in the form that `oneline` reads.

53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79  # easy
1...............  gt(1,2,1,1). gt(3,3,3,4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from aspdoku.errors import PuzzleError
from aspdoku.formats.alphabets import fits_letters
from aspdoku.formats.base import Format, cell_symbols, content_lines, errors_at, grid_size, to_rows
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzlefile import oneline
from aspdoku.puzzlefile.grid import may_be_separator
from aspdoku.puzzlefile.lines import Line, place_of, pluralize
from aspdoku.puzzlefile.oneline import Columns, columns_of

MAX_GRID_SIZE = (
    36  # up to this size, n - 1 lines of n characters are rather an incomplete grid than a list
)


def fits(text: str) -> bool:
    """Whether the lines contain puzzles of one size, in a long list most of them, and no grid."""
    lines = content_lines(text)
    if lines and _columns(lines):
        return True
    if not lines or any(map(may_be_separator, lines)):
        return False
    width, number = _common_width(lines)
    if len(lines) == 1:
        cells, rest = oneline.split_line(lines[0].text)[0], lines[0].text.split()[1:]
        # Words of one length are the rows of a grid, unless the second one is the solution.
        apart = all(len(word) == width for word in rest) and len(rest) != 1
        with_rest = number and ((rest and not apart) or cells not in lines[0].text)
        return bool(with_rest and not fits_letters(text))
    grid_like = len(lines) == width or (width <= MAX_GRID_SIZE and width // 2 < len(lines) <= width)
    return not grid_like and (
        number == len(lines) or (width > MAX_GRID_SIZE and 2 * number > len(lines))
    )


def read(text: str, name: str) -> list[Puzzle]:
    """The puzzle of each line. Raises PuzzleError."""
    lines = content_lines(text, name)
    columns = columns_of(_contents(lines))
    if columns:
        lines = [Line(columns.line(line.content), line.number, name) for line in lines]
    return read_lines([line for line in lines if line.content], columns)


def read_lines(lines: list[Line], columns: Columns | None) -> list[Puzzle]:
    """The puzzle of each line, which was arranged by these columns. Raises PuzzleError."""
    width, _ = _common_width(lines)
    lost = columns.unsupported if columns else ()
    return [_puzzle(line, width).replace(unsupported=lost) for line in lines]


def write(puzzle: Puzzle) -> str:
    """The puzzle on one line, with facts and title after the grid."""
    title = " ".join(puzzle.heading.split())
    parts = [
        cell_symbols(puzzle),
        *(f"{fact}." for fact in puzzle.facts),
        *(["", f"# {title}"] if title else []),
    ]
    return " ".join(parts) + "\n"


def _columns(lines: list[Line]) -> bool:
    """Whether the first lines have columns, also if it is unclear which holds the puzzles."""
    try:
        return columns_of(_contents(lines[:3])) is not None
    except PuzzleError:
        return True


def _contents(lines: list[Line]) -> Iterator[Line]:
    return (Line(line.content, line.number, line.name) for line in lines)


def _common_width(lines: list[Line]) -> tuple[int, int]:
    """The most frequent number of cells of the lines that may be puzzles, and its frequency."""
    widths = Counter(size * size for line in lines if (size := oneline.line_size(line.text)))
    return widths.most_common(1)[0] if widths else (0, 0)


def _puzzle(line: Line, width: int) -> Puzzle:
    cells, _ = oneline.split_line(line.text)
    size = grid_size(len(cells))
    if len(cells) != width and width:
        raise line.error(
            f"the line has {pluralize(len(cells), 'cell')}, the others have {width}; a spreadsheet"
            " removes zeros at the front of a number: write . in empty cells"
        )
    if not size:
        raise line.error(
            f"{len(cells)} cells in one line do not form a grid: a 4x4 grid has 16, a 6x6 grid 36,"
            " a 9x9 grid 81"
        )
    with errors_at(place_of(line.name, line.number)):
        found = oneline.parse_line(line.text, size)
    assert found
    title = (
        line.text[len(line.content) :].strip().removeprefix("#").strip()
        if found.facts
        else found.comment
    )
    return Puzzle(
        to_rows([number or None for number in found.numbers]),
        facts=found.facts,
        title=title,
        solution=to_rows(found.solution) if found.solution else None,
    )


FORMAT = Format(
    "lines",
    "one puzzle per line, one character per cell",
    fits,
    read,
    write,
    suffixes=(".sdm",),
    multiple=True,
    texts=("title", "author"),
)
