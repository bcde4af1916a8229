"""One puzzle in all formalisms: do they agree, and what did each have to change?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from aspdoku.engine import Solver
from aspdoku.engine.candidates import candidates
from aspdoku.engine.solver import TimeLimitError
from aspdoku.errors import AspdokuError
from aspdoku.formalisms.case import Case
from aspdoku.formalisms.encodings import Text, UnwrittenError, home
from aspdoku.formalisms.engine import Engine, EngineError, Outcome
from aspdoku.formats import read
from aspdoku.program import Program, compose
from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzle.puzzle import GIVEN, Grid

Status = Literal["agrees", "differs", "skipped", "gave up", "failed", "not written"]


class Change(NamedTuple):
    """How the text for a case differs from that for the ordinary game.

    Statements added and removed, in the order of the text.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]


class Row(NamedTuple):
    """One engine beside the others.

    reason: why it was skipped, gave up or failed, or in what it differs
    outcome: what it found, None where it did not run
    """

    engine: Engine
    status: Status
    reason: str
    text: Text
    change: Change
    outcome: Outcome | None


class Truth(NamedTuple):
    """What the answer is, by clingo.

    Up to two solutions, and for each cell the number that it holds in all of them, or None.
    """

    solutions: tuple[Grid, ...]
    shared: Grid


def truth(program: Program, seconds: float) -> Truth:
    """The answer to compare with. Raises TimeLimitError where the time does not suffice for it."""
    search = Solver(program, seconds).search(2)
    found = tuple(solution.rows for solution in search)
    if search.ended == "time":
        raise TimeLimitError("the time limit came before clingo had the answer to compare with")
    if len(found) < 2:
        blank: Grid = ((None,) * program.puzzle.size,) * program.puzzle.size
        return Truth(found, found[0] if found else blank)
    known = candidates(program, seconds, find_equal=False)
    if known.ended != "complete":
        raise TimeLimitError("the time limit came before clingo had the answer to compare with")
    shared = tuple(
        tuple(numbers[0] if len(numbers) == 1 else None for numbers in row)
        for row in known.possible
    )
    return Truth(found, shared)


def compare(
    program: Program, engines: Iterable[Engine], seconds: float, answer: Truth | None = None
) -> Iterator[Row]:
    """A row for each engine, as it has ended.

    seconds: for each of them; answer: that of `truth`, where it is there already, which else raises
    TimeLimitError
    """
    case = Case.of(program)
    answer = answer or truth(program, seconds)
    for engine in engines:
        yield _row(engine, case, answer, seconds)


def change(engine: Engine, case: Case, text: Text | None = None) -> Change:
    """What a case needs that the ordinary game does not, in this formalism."""
    before = engine.statements(engine.text(case.ordinary).program)
    after = engine.statements((text or engine.text(case)).program)
    return Change(_listed(after - before), _listed(before - after))


def _row(engine: Engine, case: Case, answer: Truth, seconds: float) -> Row:
    unwritten = [] if engine.native else case.beyond
    try:
        text = Text("", "") if unwritten else engine.text(case)
        made = Change((), ()) if unwritten or text.missing else change(engine, case, text)
    except UnwrittenError as error:
        unwritten, text, made = [str(error)], Text("", ""), Change((), ())
    except EngineError as error:
        return Row(engine, "failed", str(error), Text("", ""), Change((), ()), None)

    def row(status: Status, reason: str = "", outcome: Outcome | None = None) -> Row:
        return Row(engine, status, reason, text, made, outcome)

    if unwritten or text.missing:
        return row("not written", f"no text for {', '.join([*unwritten, *text.missing])}")
    if lacking := engine.needs():
        return row("skipped", f"needs {lacking}")
    try:
        outcome = engine.run(case, text, seconds)
        fault = _fault(outcome, answer, case.program, seconds)
    except TimeLimitError:
        return row("gave up", f"no answer after {seconds:g} s")
    except EngineError as error:
        return row("failed", str(error))
    return row("differs" if fault else "agrees", fault, outcome)


def _fault(outcome: Outcome, answer: Truth, program: Program, seconds: float) -> str:
    """In what an engine contradicts clingo; empty where it does not.

    Raises TimeLimitError where that cannot be told in time.
    """
    if outcome.grid is None or not answer.solutions:
        if outcome.grid is None and not answer.solutions:
            return ""
        return (
            "it finds a solution where clingo has none"
            if outcome.grid
            else "it finds no solution where clingo has one"
        )
    if outcome.unique is not None and outcome.unique != (len(answer.solutions) == 1):
        return (
            "it says that there is one solution only"
            if outcome.unique
            else "it says that there are several solutions"
        )
    if outcome.entailed or len(answer.solutions) == 1:
        expected = answer.shared if outcome.entailed else answer.solutions[0]
        return _first_difference(outcome.grid, expected)
    given = [
        (Function(GIVEN[0], (row, column, number)), True)
        for row, line in enumerate(outcome.grid, 1)
        for column, number in enumerate(line, 1)
        if number is not None
    ]
    if len(given) < program.puzzle.size**2:
        return "its grid has empty cells"
    search = Solver(program, seconds).search(1, given)
    if search.count():
        return ""
    if search.ended == "time":
        raise TimeLimitError(f"no answer after {seconds:g} s")
    return "its grid is no solution"


def _first_difference(grid: Grid, expected: Grid) -> str:
    for row, (ours, theirs) in enumerate(zip(expected, grid, strict=True), 1):
        for column, (right, said) in enumerate(zip(ours, theirs, strict=True), 1):
            if right != said:
                return f"r{row}c{column} is {said or 'open'}, and by clingo {right or 'open'}"
    return ""


def _listed(statements: Counter[str]) -> tuple[str, ...]:
    return tuple(statements.elements())


def require(engines: Iterable[Engine]) -> None:
    """Raise AspdokuError where one of these engines cannot run here."""
    for engine in engines:
        if lacking := engine.needs():
            raise AspdokuError(f"{engine.name} needs {lacking}")


_LIST = "table"


class Cell(NamedTuple):
    """A formalism and an elaboration.

    What became of it, why where it did not run, and statements added and removed.
    """

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
    listed = (
        line.partition(":")
        for line in (home() / _LIST).read_text("utf-8").splitlines()
        if line.strip()
    )
    return {
        heading.strip(): read(home().parent / "instances" / file.strip())
        for heading, _, file in listed
    }


def table(engines: Iterable[Engine], seconds: float) -> Table:
    """The table.

    Each text is run, under so many seconds, and counts only where it gave the one grid that is
    right.
    """
    engines = list(engines)
    found = {
        heading: list(compare(compose(puzzle), engines, seconds))
        for heading, puzzle in puzzles().items()
    }
    rows = []
    for place, engine in enumerate(engines):
        column = [each[place] for each in found.values()]
        cells = (
            Cell(row.status, row.reason, len(row.change.added), len(row.change.removed))
            for row in column
        )
        rows.append((engine, tuple(cells)))
    return Table(tuple(found), tuple(rows))
