"""Puzzles on one line: one character per cell, then optionally the solution, facts or a comment.

An empty cell is one of `. 0 _ - *`; in a grid of digits also x or X, or a blank. A comment starts
with `#`, `;` or `%`, or consists of words and numbers only: text with parentheses or other syntax
of logic programs is read as facts.

53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
............1... 3412214343211234  # easy
1...............  gt(1,2,1,1). gt(3,3,3,4).

A list of puzzles can have several columns, as in a CSV file:

    id,puzzle,solution,rating
    7,PUZZLE,SOLUTION,1.2        ->  PUZZLE SOLUTION  # id 7, rating 1.2

The content of the first record decides which column holds the puzzles: the largest grids, with
empty cells. Full grids of the same size are the solutions, all other columns are the comment.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from math import isqrt
from typing import IO, NamedTuple

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.puzzle import Grid, format_range
from aspdoku.puzzle.term import Function
from aspdoku.puzzlefile import facts
from aspdoku.puzzlefile.grid import EMPTY, MIN_CELLS_IN_ONE_LINE, RULE, plain_cell
from aspdoku.puzzlefile.lines import Line, pluralize, quote

SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LARGEST = len(SYMBOLS)
_LONGEST = 1_000_000
CROSSED = re.compile(r"[1-9xX]+")  # x for an empty cell
SPACED = re.compile(r"(?=.*  )(?=.*[1-9])[0-9 ]*")  # a blank for an empty cell
COMMENTED = ("#", ";", "%")
_CELLS = re.compile(r"[0-9._*-]{4,}")
_COMMENT = re.compile(r"(?:#(?![a-z])|;|%(?!\*))\s*(.*)", re.DOTALL)
_FACTS = re.compile(r"_*[a-z][A-Za-z0-9_']*\s*[(.]|.*(?:[][(){}\"@\\]|:-|%\*|\#[a-z])", re.DOTALL)

SEPARATORS = (",", ";", "\t", "|")
# Columns about a puzzle, which cannot contain a part of it.
HARMLESS = (
    *("id", "index", "no", "nr", "number", "name", "title", "author", "date", "source", "url"),
    *("hash", "level", "rating", "difficulty", "score", "clues", "givens", "count", "comment"),
    *("message", "results", "status"),
)
_PUZZLES = ("puzzle", "puzzles", "quiz", "quizzes", "question", "sudoku", "grid", "board")
_SOLUTIONS = ("solution", "solutions", "answer", "solved")
_CROSSED_CELLS = re.compile(r"[0-9xX._*-]+")
_ROUNDED = re.compile(r"[0-9]([.,][0-9]+)?[eE]\+[0-9]+")  # by a spreadsheet
_CELLS_IN_A_ROW = re.compile(r"[0-9._*-]{10}")  # in no line with names
_EVERY = -1  # in place of a column: every column holds a cell
DOCUMENT = ("{", "[", "<")  # how JSON, lists of lists and XML begin

_OTHER = 255
_NUMBERS = bytearray([_OTHER]) * 256
for _sign in EMPTY:
    _NUMBERS[ord(_sign)] = 0
for _number, _symbol in enumerate(SYMBOLS, 1):
    _NUMBERS[ord(_symbol)] = _NUMBERS[ord(_symbol.lower())] = _number
_SIGNS = b"." + SYMBOLS.encode() + b"?" * (255 - LARGEST)


class LineContent(NamedTuple):
    """The content of a line.

    numbers: the cells in reading order, 0 for an empty one
    unused: the indices of the cells that are marked as unused
    solution: the numbers of the solution that the line states, if it does
    """

    numbers: bytes
    facts: tuple[Function, ...]
    comment: str = ""
    unused: tuple[int, ...] = ()
    solution: bytes = b""


def parse_line(
    line: str, size: int, numbers: range = range(0), unused: str = ""
) -> LineContent | None:
    """Parse a line with a grid of `size` rows; None for a blank line or a comment.

    numbers: the numbers that a cell may hold, by default 1 to n
    unused: the sign of a cell that is not used, if there can be any
    Raises PuzzleError if the line has no puzzle or one of another size.
    """
    cells, rest = split_line(line)
    if not cells or cells.startswith(COMMENTED):
        return None
    allowed = numbers or range(1, size + 1)
    check_numbers(size, allowed)
    if len(line.rstrip("\r\n")) > _LONGEST:
        raise PuzzleError(f"line too long: more than {_LONGEST} characters")
    marked: tuple[int, ...] = ()
    if unused and unused in cells:
        marked = tuple(index for index, sign in enumerate(cells) if sign == unused)
        cells = cells.replace(unused, ".")
    found = cells.encode("latin-1", "replace").translate(_NUMBERS)
    if len(found) != size * size:
        raise PuzzleError(f"{len(found)} cells in the line; a {size}x{size} grid has {size * size}")
    least, greatest = allowed[0], allowed[-1]
    if max(found) > greatest or (least > 1 and any(0 < number < least for number in found)):
        index = next(index for index, number in enumerate(found) if number not in {0, *allowed})
        row, column = divmod(index, size)
        called = "this puzzle" if numbers else f"a {size}x{size} grid"
        raise PuzzleError(
            f"invalid number {quote(cells[index])} in r{row + 1}c{column + 1}: {called}"
            f" contains {least} to {SYMBOLS[greatest - 1]}, or . for an empty cell"
        )
    if "0" in cells and max(found) >= 10 and any(sign in cells for sign in EMPTY - {"0"}):
        raise PuzzleError(
            "ambiguous 0 in a grid with letters and another sign for empty cells: write . in every"
            " empty cell"
        )
    solution, rest = _split_solution(found, rest)
    comment = _comment(cells, rest)
    try:
        stated = () if comment is not None else facts.parse_fact_text(rest)
    except PuzzleError as error:
        raise PuzzleError(f"{error} (start a comment after the grid with `# `)") from None
    return LineContent(found, stated, comment or "", marked, solution)


def difference(given: bytes, solution: bytes) -> str:
    """The first cell whose number is not that of a full solution; empty if there is none."""
    for index, (number, other) in enumerate(zip(given, solution, strict=True)):
        if number and number != other:
            row, column = divmod(index, isqrt(len(given)))
            return f"r{row + 1}c{column + 1}"
    return ""


def rows_of(numbers: bytes, size: int) -> Grid:
    """The rows of a grid in reading order, with None for 0, which is an empty or unused cell."""
    cells = [number or None for number in numbers]
    return tuple(tuple(cells[start : start + size]) for start in range(0, len(cells), size))


def _split_solution(cells: bytes, rest: str) -> tuple[bytes, str]:
    """The full grid after the cells, if there is one, and the text after it. Raises PuzzleError."""
    word, *more = rest.split(None, 1) or [""]
    found = word.encode("latin-1", "replace").translate(_NUMBERS)
    if len(found) != len(cells) or 0 in found or max(found) > isqrt(len(cells)):
        return b"", rest
    if place := difference(cells, found):
        raise PuzzleError(f"the stated solution has another number than the one given in {place}")
    return found, "".join(more)


def check_numbers(size: int, numbers: range) -> None:
    """Raise PuzzleError for a grid whose numbers do not all have a one-character symbol."""
    if numbers[-1] > LARGEST:
        raise PuzzleError(
            f"a {size}x{size} grid with the numbers {format_range(numbers)} cannot be written with"
            f" one character per cell, which allows numbers up to {LARGEST}"
        )
    if 0 in numbers:
        raise PuzzleError(
            "a grid with the number 0 cannot be written on a line: 0 is an empty cell"
        )


def bounded_lines(stream: IO[str]) -> Iterator[str]:
    """The lines of a stream; overlong lines are truncated, just long enough to be rejected."""
    while line := stream.readline(_LONGEST + 1):
        yield line
        while line and not line.endswith("\n"):
            line = stream.readline(_LONGEST + 1)


def line_size(line: str) -> int | None:
    """The number of rows of the grid on a line, from its length; None if there is none."""
    cells, _ = split_line(line)
    size = isqrt(len(cells))
    if (
        len(cells) < MIN_CELLS_IN_ONE_LINE
        or size > LARGEST
        or size * size != len(cells)
        or cells.startswith(COMMENTED)
    ):
        return None
    return size if max(cells.encode("latin-1", "replace").translate(_NUMBERS)) <= size else None


def begins_with_grid(line: str, size: int = 0) -> bool:
    """Whether a line begins with a word as long as a grid, or as one of this size."""
    length = len(split_line(line)[0])
    return _is_square(length) or length == size * size > 0


def format_line(numbers: bytes) -> str:
    """The grid on one line: one character per cell, A for 10 and so on, a dot for an empty cell."""
    return numbers.translate(_SIGNS).decode()


def split_line(line: str) -> tuple[str, str]:
    """The grid, with a dot for each x or blank that means an empty cell, and the text after it."""
    words = line.split(None, 1)
    if (
        len(words) == 2
        and SPACED.fullmatch(spaced := line.rstrip("\r\n"))
        and _is_square(len(spaced))
    ):
        return spaced.replace(" ", "."), ""
    cells = words[0] if words else ""
    if CROSSED.fullmatch(cells):
        cells = cells.replace("x", ".").replace("X", ".")
    return cells, words[1] if len(words) == 2 else ""


def _is_square(cells: int) -> bool:
    return cells >= MIN_CELLS_IN_ONE_LINE and isqrt(cells) ** 2 == cells


def _comment(cells: str, text: str) -> str | None:
    """The comment after the grid; None if the text must be facts. Raises PuzzleError if the text
    seems to be more of the grid: a blank or a # within it.
    """
    marked = _COMMENT.fullmatch(text.strip())
    text = marked[1] if marked else text.strip()
    word = text.split(None, 1)[0] if text else ""
    if marked is None and len(word) == len(cells) and EMPTY & {*word} and _CELLS.fullmatch(word):
        raise PuzzleError(
            f"{quote(word)} after the grid has empty cells, so it is no solution: delete it, or"
            " write the grids on lines of their own"
        )
    whole = len(word) == len(cells) and not EMPTY & {*word}  # the solution
    if not whole and is_rest(cells, word):
        raise PuzzleError(
            f"{len(cells)} cells, and {quote(word)} after a blank or #: if these are cells, write"
            " the grid in one word"
        )
    return None if not marked and (_FACTS.match(text) or whole) else text


def is_rest(cells: str, word: str) -> bool:
    """Whether a word is rather the rest of a grid than a word after it."""
    lengths = (len(cells) + len(word), len(cells) + len(word) + 1)
    return _CELLS.fullmatch(word) is not None and (
        len(word) >= MIN_CELLS_IN_ONE_LINE or any(map(_is_square, lengths))
    )


class Columns(NamedTuple):
    """The columns of a list, counted from 0, and their names if its first line, the header, has
    them; names are in lower case.
    """

    separator: str | None
    puzzle: int
    solution: int | None = None
    names: tuple[str, ...] = ()
    header: str = ""

    @property
    def unsupported(self) -> tuple[str, ...]:
        """The columns that may contain a part of the puzzle."""
        known = {self.puzzle, self.solution}
        return tuple(
            f"the column {quote(name)}"
            for at, name in enumerate(self.names)
            if at not in known and name not in HARMLESS and not name.startswith("unnamed") and name
        )

    def line(self, text: str) -> str:
        """A line of the list with its puzzle first."""
        if not text.strip() or text.lstrip().startswith(COMMENTED):
            return text
        if text.rstrip("\r\n") == self.header or RULE.fullmatch(text):
            return f"# {text}"
        fields = _fields(text, self.separator)
        return self.record(fields) if len(fields) > self.puzzle else text

    def record(self, fields: list[str]) -> str:
        """The line of a record with its puzzle first."""
        if self.puzzle == _EVERY:
            return _joined(fields)
        grids = [at for at in (self.puzzle, self.solution) if at is not None and at < len(fields)]
        names = [*self.names, *[""] * len(fields)]
        rest = [
            f"{name} {field}".strip()
            for at, (name, field) in enumerate(zip(names, fields, strict=False))
            if at not in grids and field
        ]
        comment = f"  # {(', ' if self.names else ' ').join(rest)}" if rest else ""
        return " ".join(fields[at] for at in grids) + comment


def columns_of(lines: Iterable[Line]) -> Columns | None:
    """The columns of a list; None if its lines begin with their grids, or contain none. No line
    after the one that decides is read. Raises PuzzleError if it is unclear which column holds the
    puzzles.
    """
    header = ""
    for each in lines:
        line = each.text
        if not header and line.lstrip().startswith(DOCUMENT):
            return None
        for separator in (*SEPARATORS, None):  # None: blanks
            fields, names = _fields(line, separator), _fields(header, separator)
            # A line that begins with its grid has columns only if they have names.
            named = 0 < len(names) == len(fields) and names[0].lower() in _PUZZLES
            if not named and (len(fields) < 2 or line_size(line)):
                continue
            try:
                columns = columns_of_record(fields, names, separator)
            except PuzzleError as error:
                raise each.error(str(error)) from None
            known = {*map(str.lower, names)} & {*_PUZZLES, *_SOLUTIONS}
            if columns and separator and known and len(names) != len(fields):
                raise each.error(
                    f"{pluralize(len(fields), 'column')}, but the header names {len(names)}:"
                    " name each column, or delete the columns without a name"
                )
            if columns:
                return columns._replace(header=header if columns.names else "")
        if line_size(line) or _CELLS_IN_A_ROW.search(line):
            return None
        if line.strip() and not line.lstrip().startswith(COMMENTED) and not RULE.fullmatch(line):
            header = line
    return None


def _fields(line: str, separator: str | None) -> list[str]:
    if separator is None:
        return line.split()
    try:
        rows = list(csv.reader([line.strip("\r\n")], delimiter=separator, skipinitialspace=True))
    except csv.Error:  # a field is too long
        return []
    return [field.strip() for field in rows[0]] if rows else []


def columns_of_record(
    fields: list[str], names: list[str], separator: str | None = ","
) -> Columns | None:
    """The columns of a record with these fields; None if none of them is a grid.

    names: of the columns, ignored if there are more or fewer
    Raises PuzzleError if it is unclear which column holds the puzzles.
    """
    names = [name.lower() for name in names] if len(names) == len(fields) else []
    cells = _joined(fields)
    if separator and len(cells) == len(fields) and line_size(cells):
        return Columns(separator, _EVERY, None, tuple(names))
    # A field with blanks is part of a grid that is drawn with bars.
    sizes = [0 if " " in field else line_size(field) or 0 for field in fields]
    largest = max(sizes)
    grids = [at for at, size in enumerate(sizes) if size == largest > 0]
    if not grids:
        return None
    opened = [at for at in grids if EMPTY & {*fields[at]}]
    puzzle = _only("puzzle", opened or grids[:1], names, _PUZZLES)
    for at, field in enumerate(fields):
        called = names[at] if names else ""
        crossed = len(field) == len(fields[puzzle]) and _CROSSED_CELLS.fullmatch(field)
        rest = crossed or is_rest(fields[puzzle], field) or _ROUNDED.fullmatch(field)
        if at in grids or called in HARMLESS or not (rest or called in _PUZZLES):
            continue
        if separator is None:
            return None
        if rest or names[puzzle] not in _PUZZLES:
            raise PuzzleError(
                f"column {at + 1} contains no grid of the size of the one in column {puzzle + 1}:"
                f" {quote(field)}; a spreadsheet removes zeros at the front of a number and rounds"
                " it: write . in empty cells, or export the column as text"
            )
    full = [at for at in grids if at not in opened and at != puzzle]
    solution = _only("solution", full, names, _SOLUTIONS) if full else None
    return Columns(separator, puzzle, solution, tuple(names))


def _joined(fields: list[str]) -> str:
    """The cells in these fields, a dot for a blank one."""
    return "".join(plain_cell(field) or "." for field in fields)


def _only(kind: str, columns: list[int], names: list[str], expected: tuple[str, ...]) -> int:
    named = [at for at in columns if names and names[at] in expected]
    chosen = columns if len(columns) == 1 else named
    if len(chosen) != 1:
        places = " and ".join(str(at + 1) for at in columns)
        raise PuzzleError(
            f"columns {places} can all be the {kind}: name one of them {expected[0]} in a first"
            " line, or delete the others"
        )
    return chosen[0]
