"""Lists of puzzles with several columns, such as a CSV file: as lines of `oneline`.

    id,puzzle,solution,rating
    7,PUZZLE,SOLUTION,1.2        ->  PUZZLE SOLUTION  # id 7, rating 1.2

The content of the first record decides which column holds the puzzles: the largest grids, with
empty cells. Full grids of the same size are the solutions, all other columns are the comment.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple

from aspdoku import lazy
from aspdoku.errors import PuzzleError
from aspdoku.puzzlefile.grid import EMPTY
from aspdoku.puzzlefile.lines import quote
from aspdoku.puzzlefile.oneline import COMMENTED, is_rest, line_size

SEPARATORS = (",", ";", "\t", "|", None)  # None: blanks
# Columns about a puzzle, which cannot contain a part of it.
HARMLESS = (
    *("id", "index", "no", "nr", "number", "name", "title", "author", "date", "source", "url"),
    *("hash", "level", "rating", "difficulty", "score", "clues", "givens", "count", "comment"),
)
_PUZZLES = ("puzzle", "puzzles", "quiz", "quizzes", "question", "sudoku", "grid", "board")
_SOLUTIONS = ("solution", "solutions", "answer", "solved")
_CELLS_IN_A_ROW = lazy.pattern(r"[0-9._*-]{10}")  # in no line with names
_CELLS = -1  # in place of a column: every column holds a cell
_MOST_LINES_BEFORE_A_RECORD = 100


class Columns(NamedTuple):
    """The columns of a list, counted from 0, and their names if its first line states them."""

    separator: str | None
    puzzle: int
    solution: int | None = None
    header: str = ""

    @property
    def names(self) -> list[str]:
        """The names of all columns in lower case; empty without a header."""
        return [name.lower() for name in _fields(self.header, self.separator)]

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
        fields = _fields(text, self.separator)
        if not text.strip() or text.lstrip().startswith(COMMENTED):
            return text
        if text == self.header:
            return f"# {text}"
        if self.puzzle == _CELLS:
            return "".join(field or "." for field in fields)
        if len(fields) <= self.puzzle:
            return text
        grids = [at for at in (self.puzzle, self.solution) if at is not None and at < len(fields)]
        names = self.names or [""] * len(fields)
        rest = [
            f"{name} {field}".strip()
            for at, (name, field) in enumerate(zip(names, fields, strict=False))
            if at not in grids and field
        ]
        comment = f"  # {(', ' if self.names else ' ').join(rest)}" if rest else ""
        return " ".join(fields[at] for at in grids) + comment


def columns_of(lines: Iterable[str]) -> Columns | None:
    """The columns of a list; None if its lines begin with their grids, or contain none.

    Raises PuzzleError if it is unclear which column holds the puzzles.
    """
    header = ""
    for line in lines:
        if line_size(line):
            return None
        for separator in SEPARATORS:
            if found := _columns(line, separator, header):
                return found
        if line.strip() and not line.lstrip().startswith(COMMENTED):
            if _CELLS_IN_A_ROW.search(line):
                return None
            header = line
    return None


def arranged(lines: Iterable[str]) -> tuple[Columns | None, Iterator[str]]:
    """The columns of a list whose first lines decide them, and its lines with the puzzles first."""
    every = iter(lines)
    taken: list[str] = []
    columns = None
    for line in islice(every, _MOST_LINES_BEFORE_A_RECORD):
        taken.append(line)
        if line_size(line) or (columns := columns_of(taken)):
            break
    rest = chain(taken, every)
    return columns, map(columns.line, rest) if columns else rest


def _fields(line: str, separator: str | None) -> list[str]:
    if separator is None:
        return line.split()
    try:
        rows = list(csv.reader([line.strip("\r\n")], delimiter=separator, skipinitialspace=True))
    except csv.Error:  # a field is too long
        return []
    return [field.strip() for field in rows[0]] if rows else []


def _columns(line: str, separator: str | None, header: str) -> Columns | None:
    """The columns of this record; None if it has no grid with these separators."""
    fields = _fields(line, separator)
    if len(fields) < 2:
        return None
    if separator and {*map(len, fields)} <= {0, 1} and line_size("".join(f or "." for f in fields)):
        return Columns(separator, _CELLS)
    sizes = [line_size(field) or 0 for field in fields]
    largest = max(sizes)
    grids = [at for at, size in enumerate(sizes) if size == largest > 0]
    if not grids:
        return None
    found = Columns(separator, grids[0], None, header)
    names = found.names if len(found.names) == len(fields) else []
    found = found if names else found._replace(header="")
    opened = [at for at in grids if EMPTY & {*fields[at]}]
    puzzle = _only("puzzle", opened or grids[:1], names, _PUZZLES)
    full = [at for at in grids if at not in opened and at != puzzle]
    if any(is_rest(fields[puzzle], each) for at, each in enumerate(fields) if at not in grids):
        return None
    solution = _only("solution", full, names, _SOLUTIONS) if full else None
    return found._replace(puzzle=puzzle, solution=solution)


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
