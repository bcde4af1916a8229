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
from aspdoku.formalisms.encodings import Encoding, NoEncodingError, encodings_dir
from aspdoku.formalisms.engine import Engine, EngineError, Outcome
from aspdoku.formats import read
from aspdoku.program import Program, compose
from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzle.puzzle import GIVEN, Grid

Status = Literal["agrees", "differs", "skipped", "gave up", "failed", "not written"]


class EncodingChange(NamedTuple):
    """How the text for a case differs from that for the ordinary game.

    Statements added and removed, in the order of the text.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]


class EngineResult(NamedTuple):
    """One engine beside the others.

    reason: why it was skipped, gave up or failed, or in what it differs
    outcome: what it found, None where it did not run
    """

    engine: Engine
    status: Status
    reason: str
    text: Encoding
    change: EncodingChange
    outcome: Outcome | None


class ReferenceAnswer(NamedTuple):
    """What the answer is, by clingo.

    Up to two solutions, and for each cell the number that it holds in all of them, or None.
    """

    solutions: tuple[Grid, ...]
    shared: Grid


def reference_answer(program: Program, seconds: float) -> ReferenceAnswer:
    """The answer to compare with. Raises TimeLimitError where the time does not suffice for it."""
    search = Solver(program, seconds).search(2)
    found = tuple(solution.rows for solution in search)
    if search.ended == "time":
        raise TimeLimitError("the time limit came before clingo had the answer to compare with")
    if len(found) < 2:
        blank: Grid = ((None,) * program.puzzle.size,) * program.puzzle.size
        return ReferenceAnswer(found, found[0] if found else blank)
    known = candidates(program, seconds, find_equal=False)
    if known.ended != "complete":
        raise TimeLimitError("the time limit came before clingo had the answer to compare with")
    shared = tuple(
        tuple(numbers[0] if len(numbers) == 1 else None for numbers in row)
        for row in known.possible
    )
    return ReferenceAnswer(found, shared)


def compare_formalisms(
    program: Program,
    engines: Iterable[Engine],
    seconds: float,
    answer: ReferenceAnswer | None = None,
) -> Iterator[EngineResult]:
    """A row for each engine, as it has ended.

    seconds: for each of them; answer: that of `truth`, where it is there already, which else raises
    TimeLimitError
    """
    case = Case.of(program)
    answer = answer or reference_answer(program, seconds)
    for engine in engines:
        yield _row(engine, case, answer, seconds)


def encoding_change(engine: Engine, case: Case, text: Encoding | None = None) -> EncodingChange:
    """What a case needs that the ordinary game does not, in this formalism."""
    before = engine.statements(engine.text(case.classic).program)
    after = engine.statements((text or engine.text(case)).program)
    return EncodingChange(_listed(after - before), _listed(before - after))


def _row(engine: Engine, case: Case, answer: ReferenceAnswer, seconds: float) -> EngineResult:
    unwritten = [] if engine.native else case.unsupported
    try:
        text = Encoding("", "") if unwritten else engine.text(case)
        made = (
            EncodingChange((), ())
            if unwritten or text.missing
            else encoding_change(engine, case, text)
        )
    except NoEncodingError as error:
        unwritten, text, made = [str(error)], Encoding("", ""), EncodingChange((), ())
    except EngineError as error:
        return EngineResult(
            engine, "failed", str(error), Encoding("", ""), EncodingChange((), ()), None
        )

    def row(status: Status, reason: str = "", outcome: Outcome | None = None) -> EngineResult:
        return EngineResult(engine, status, reason, text, made, outcome)

    if unwritten or text.missing:
        return row("not written", f"no text for {', '.join([*unwritten, *text.missing])}")
    if lacking := engine.missing_requirement():
        return row("skipped", f"needs {lacking}")
    try:
        outcome = engine.run(case, text, seconds)
        fault = _fault(outcome, answer, case.program, seconds)
    except TimeLimitError:
        return row("gave up", f"no answer after {seconds:g} s")
    except EngineError as error:
        return row("failed", str(error))
    return row("differs" if fault else "agrees", fault, outcome)


def _fault(outcome: Outcome, answer: ReferenceAnswer, program: Program, seconds: float) -> str:
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


def require_available(engines: Iterable[Engine]) -> None:
    """Raise AspdokuError where one of these engines cannot run here."""
    for engine in engines:
        if lacking := engine.missing_requirement():
            raise AspdokuError(f"{engine.name} needs {lacking}")


_LIST = "table"


class TableCell(NamedTuple):
    """A formalism and an elaboration.

    What became of it, why where it did not run, and statements added and removed.
    """

    status: Status
    reason: str
    added: int
    removed: int


class FormalismTable(NamedTuple):
    """The elaborations by their headings, and for each engine a cell a heading."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Engine, tuple[TableCell, ...]], ...]


def table_puzzles() -> dict[str, Puzzle]:
    """The puzzles of the table by their headings, as `rivals/table` lists them."""
    listed = (
        line.partition(":")
        for line in (encodings_dir() / _LIST).read_text("utf-8").splitlines()
        if line.strip()
    )
    return {
        heading.strip(): read(encodings_dir().parent / "instances" / file.strip())
        for heading, _, file in listed
    }


def formalism_table(engines: Iterable[Engine], seconds: float) -> FormalismTable:
    """The table.

    Each text is run, under so many seconds, and counts only where it gave the one grid that is
    right.
    """
    engines = list(engines)
    found = {
        heading: list(compare_formalisms(compose(puzzle), engines, seconds))
        for heading, puzzle in table_puzzles().items()
    }
    rows = []
    for place, engine in enumerate(engines):
        column = [each[place] for each in found.values()]
        cells = (
            TableCell(row.status, row.reason, len(row.change.added), len(row.change.removed))
            for row in column
        )
        rows.append((engine, tuple(cells)))
    return FormalismTable(tuple(found), tuple(rows))
