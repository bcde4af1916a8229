"""Compare the formalisms on a puzzle: their answers, and the changes to each encoding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from aspdoku.engine import Solver
from aspdoku.engine.candidates import candidates
from aspdoku.errors import ArgumentError, AspdokuError, TimeLimitError, did_you_mean
from aspdoku.formalisms import engines
from aspdoku.formalisms.case import Case, Encoding, NoEncodingError, encodings_dir
from aspdoku.formalisms.engine import Engine, EngineError, Outcome
from aspdoku.formats import read
from aspdoku.program import Program, compose
from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzle.puzzle import GIVEN, Grid
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note

Status = Literal["agrees", "differs", "skipped", "gave up", "failed", "not written"]


class EncodingChange(NamedTuple):
    """Statements added to and removed from the encoding of the classic game, in textual order."""

    added: tuple[str, ...]
    removed: tuple[str, ...]


class EngineResult(NamedTuple):
    """The result of one engine.

    reason: why it was skipped, gave up or failed, or how its answer differs
    outcome: its answer; None if it did not run
    """

    engine: Engine
    status: Status
    reason: str
    encoding: Encoding
    change: EncodingChange
    outcome: Outcome | None


class ReferenceAnswer(NamedTuple):
    """clingo's answer: up to two solutions, and for each cell the number in all solutions, or
    None.
    """

    solutions: tuple[Grid, ...]
    shared: Grid


def reference_answer(program: Program, seconds: float) -> ReferenceAnswer:
    """clingo's answer, to compare with. Raises TimeLimitError at the time limit."""
    search = Solver(program, seconds).search(2)
    found = tuple(solution.rows for solution in search)
    if search.ended == "time":
        raise TimeLimitError("time limit reached before clingo found the reference answer")
    if len(found) < 2:
        blank: Grid = ((None,) * program.puzzle.size,) * program.puzzle.size
        return ReferenceAnswer(found, found[0] if found else blank)
    known = candidates(program, seconds, find_equal=False)
    if known.ended != "complete":
        raise TimeLimitError("time limit reached before clingo found the reference answer")
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
    """The result of each engine, as soon as it is available.

    seconds: the time limit for each engine
    answer: the `reference_answer`, if already known; computing it may raise TimeLimitError
    """
    case = Case.of(program)
    answer = answer or reference_answer(program, seconds)
    for engine in engines:
        yield _row(engine, case, answer, seconds)


def encoding_change(engine: Engine, case: Case, encoding: Encoding | None = None) -> EncodingChange:
    """The difference between the encoding of a case and that of the classic game."""
    classic = engine.encode(case.classic).program
    program = (encoding or engine.encode(case)).program
    before, after = engine.statements(classic), engine.statements(program)
    return EncodingChange(
        _listed(after - before, engine.as_written(program)),
        _listed(before - after, engine.as_written(classic)),
    )


def _row(engine: Engine, case: Case, answer: ReferenceAnswer, seconds: float) -> EngineResult:
    unwritten = [] if engine.native else case.unsupported
    try:
        encoding = Encoding("", "") if unwritten else engine.encode(case)
        made = (
            EncodingChange((), ())
            if unwritten or encoding.missing
            else encoding_change(engine, case, encoding)
        )
    except NoEncodingError as error:
        unwritten, encoding, made = [str(error)], Encoding("", ""), EncodingChange((), ())
    except EngineError as error:
        return EngineResult(
            engine, "failed", str(error), Encoding("", ""), EncodingChange((), ()), None
        )

    def row(status: Status, reason: str = "", outcome: Outcome | None = None) -> EngineResult:
        return EngineResult(engine, status, reason, encoding, made, outcome)

    if unwritten or encoding.missing:
        return row("not written", f"no encoding of {', '.join([*unwritten, *encoding.missing])}")
    if lacking := engine.missing_requirement():
        return row("skipped", f"needs {lacking}")
    try:
        outcome = engine.run(case, encoding, seconds)
        fault = _fault(outcome, answer, case.program, seconds)
    except TimeLimitError:
        return row("gave up", f"no answer within {seconds:g} s")
    except EngineError as error:
        return row("failed", str(error))
    return row("differs" if fault else "agrees", fault, outcome)


def _fault(outcome: Outcome, answer: ReferenceAnswer, program: Program, seconds: float) -> str:
    """How an engine's answer contradicts clingo's; empty if it does not.

    Raises TimeLimitError if that is not decided within the time limit.
    """
    if outcome.grid is None or not answer.solutions:
        if outcome.grid is None and not answer.solutions:
            return ""
        return (
            "it finds a solution but clingo finds none"
            if outcome.grid
            else "it finds no solution but clingo finds one"
        )
    if outcome.unique is not None and outcome.unique != (len(answer.solutions) == 1):
        return (
            "it reports a unique solution but clingo finds several"
            if outcome.unique
            else "it reports several solutions but clingo finds only one"
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
        raise TimeLimitError(f"no answer within {seconds:g} s")
    return "its grid is not a solution"


def _first_difference(grid: Grid, expected: Grid) -> str:
    for row, (ours, theirs) in enumerate(zip(expected, grid, strict=True), 1):
        for column, (right, actual) in enumerate(zip(ours, theirs, strict=True), 1):
            if right != actual:
                return (
                    f"r{row}c{column} is {actual or 'undetermined'}, but"
                    f" {right or 'undetermined'} according to clingo"
                )
    return ""


def _listed(statements: Counter[str], written: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(written.get(statement, statement) for statement in statements.elements())


def engines_named(names: Iterable[str]) -> list[Engine]:
    """The engines with these names, each once; all of them if no name is given.

    Raises ArgumentError for an unknown name.
    """
    known = engines()
    chosen = list(dict.fromkeys(names)) or list(known)
    for name in chosen:
        if name not in known:
            hint = did_you_mean(name, list(known))
            raise ArgumentError(f"unknown engine '{name}'.{hint} Engines: {', '.join(known)}")
    return [known[name] for name in chosen]


def require_available(engines: Iterable[Engine]) -> None:
    """Raise AspdokuError if one of these engines cannot run here."""
    for engine in engines:
        if lacking := engine.missing_requirement():
            raise AspdokuError(f"{engine.name} needs {lacking}")


_LIST = "table"


class TableCell(NamedTuple):
    """An engine and an elaboration: the status, its reason, and statements added and removed."""

    status: Status
    reason: str
    added: int
    removed: int


class FormalismTable(NamedTuple):
    """The headings of the elaborations, and for each engine one cell per heading."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Engine, tuple[TableCell, ...]], ...]


def table_puzzles() -> dict[str, Puzzle]:
    """The puzzles of the table by heading, as listed in `rivals/table`."""
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
    """The table of statements added and removed.

    Each encoding is run, and counts only if its answer is right.

    seconds: the time limit of each engine for all puzzles: one that answers none, such as a
    reasoner that hangs, does not take as long for each. A puzzle may take an equal share of what
    the ones before it have left.
    Raises TimeLimitError if clingo needs longer for a puzzle.
    """
    programs = {heading: compose(puzzle) for heading, puzzle in table_puzzles().items()}
    answers = {heading: reference_answer(program, seconds) for heading, program in programs.items()}
    rows = []
    for engine in engines:
        deadline = Deadline(seconds)
        cells = []
        for place, (heading, program) in enumerate(programs.items()):
            note(f"{engine.title}: {heading}")
            share = max(0.0, deadline.seconds_left()) / (len(programs) - place)
            (row,) = compare_formalisms(program, [engine], share, answers[heading])
            reason = (
                f"no answer within its share of {seconds:g} s for all puzzles"
                if row.status == "gave up"
                else row.reason
            )
            cells.append(
                TableCell(row.status, reason, len(row.change.added), len(row.change.removed))
            )
        rows.append((engine, tuple(cells)))
    return FormalismTable(tuple(programs), tuple(rows))
