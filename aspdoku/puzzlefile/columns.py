"""Lists of puzzles with several columns, such as a CSV file: as lines of `oneline`.

    id,puzzle,solution,rating
    7,PUZZLE,SOLUTION,1.2        ->  PUZZLE SOLUTION  # id 7, rating 1.2

The content of the first record decides which column holds the puzzles: the largest grids, with
empty cells. Full grids of the same size are the solutions, all other columns are the comment.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from typing import NamedTuple

from aspdoku.errors import PuzzleError
from aspdoku.puzzlefile.grid import EMPTY, RULE, plain_cell
from aspdoku.puzzlefile.lines import Line, pluralize, quote
from aspdoku.puzzlefile.oneline import COMMENTED, is_rest, line_size

SEPARATORS = (",", ";", "\t", "|")
# Columns about a puzzle, which cannot contain a part of it.
HARMLESS = (
    *("id", "index", "no", "nr", "number", "name", "title", "author", "date", "source", "url"),
    *("hash", "level", "rating", "difficulty", "score", "clues", "givens", "count", "comment"),
    *("message", "results", "status"),
)
_PUZZLES = ("puzzle", "puzzles", "quiz", "quizzes", "question", "sudoku", "grid", "board")
_SOLUTIONS = ("solution", "solutions", "answer", "solved")
_SIGNS = re.compile(r"[0-9xX._*-]+")
_ROUNDED = re.compile(r"[0-9]([.,][0-9]+)?[eE]\+[0-9]+")  # by a spreadsheet
_CELLS_IN_A_ROW = re.compile(r"[0-9._*-]{10}")  # in no line with names
_CELLS = -1  # in place of a column: every column holds a cell
DOCUMENT = ("{", "[", "<")  # how JSON, lists of lists and XML begin


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
        if self.puzzle == _CELLS:
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
    """The columns of a list; None if its lines begin with their grids, or contain none.

    No line after the one that decides is read. Raises PuzzleError if it is unclear which column
    holds the puzzles.
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
                found = columns_of_record(fields, names, separator)
            except PuzzleError as error:
                raise each.error(str(error)) from None
            known = {*map(str.lower, names)} & {*_PUZZLES, *_SOLUTIONS}
            if found and separator and known and len(names) != len(fields):
                raise each.error(
                    f"{pluralize(len(fields), 'column')}, but the header names {len(names)}:"
                    " name each column, or delete the columns without a name"
                )
            if found:
                return found._replace(header=header if found.names else "")
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
        return Columns(separator, _CELLS, None, tuple(names))
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
        crossed = len(field) == len(fields[puzzle]) and _SIGNS.fullmatch(field)
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
    """The only one of these columns, or the only one with an expected name. Raises PuzzleError."""
    named = [at for at in columns if names and names[at] in expected]
    chosen = columns if len(columns) == 1 else named
    if len(chosen) != 1:
        places = " and ".join(str(at + 1) for at in columns)
        raise PuzzleError(
            f"columns {places} can all be the {kind}: name one of them {expected[0]} in a first"
            " line, or delete the others"
        )
    return chosen[0]
