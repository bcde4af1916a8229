"""Which formalism says which elaboration by adding: every text run on a puzzle of its own, its statements counted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from aspdoku.lessons.rivals.comparison import Status, compare
from aspdoku.lessons.rivals.engine import Engine
from aspdoku.lessons.rivals.texts import home
from aspdoku.program import compose
from aspdoku.puzzle import Puzzle

_LIST = "table"


class Cell(NamedTuple):
    """A formalism and an elaboration: what became of it, why where it did not run, and statements added and removed."""

    status: Status
    reason: str
    added: int
    removed: int


class Table(NamedTuple):
    """The elaborations by their headings, and for each engine a cell a heading."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Engine, tuple[Cell, ...]], ...]


def puzzles() -> dict[str, Puzzle]:
    """The puzzles of the table by their headings, as `rivals/table` lists them."""
    listed = (line.partition(":") for line in (home() / _LIST).read_text("utf-8").splitlines() if line.strip())
    return {heading.strip(): Puzzle.read(home().parent / "instances" / file.strip()) for heading, _, file in listed}


def table(engines: Iterable[Engine], seconds: float) -> Table:
    """The table: each text is run, under so many seconds, and counts only where it gave the one grid that is right."""
    engines = list(engines)
    found = {heading: list(compare(compose(puzzle), engines, seconds)) for heading, puzzle in puzzles().items()}
    rows = []
    for place, engine in enumerate(engines):
        column = [each[place] for each in found.values()]
        cells = (Cell(row.status, row.reason, len(row.change.added), len(row.change.removed)) for row in column)
        rows.append((engine, tuple(cells)))
    return Table(tuple(found), tuple(rows))
