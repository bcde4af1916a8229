"""Compare the formalisms on a puzzle: answers, changes to each encoding, and other output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import product
from typing import Literal, NamedTuple

from aspdoku.engine import Solver
from aspdoku.engine.candidates import candidates
from aspdoku.engine.solver import grid_atoms
from aspdoku.errors import ArgumentError, AspdokuError, TimeLimitError, did_you_mean
from aspdoku.explanation.steps import Claim
from aspdoku.formalisms import engines as all_engines
from aspdoku.formalisms.engine import (
    Case,
    Encoding,
    Engine,
    EngineError,
    NoEncodingError,
    Outcome,
    encodings_dir,
)
from aspdoku.formats import read
from aspdoku.program import Program, compose
from aspdoku.puzzle import Puzzle, Solution
from aspdoku.puzzle.puzzle import Grid, grid_of
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note

Status = Literal["agrees", "differs", "skipped", "gave up", "failed", "not written"]
_LATE = "time limit reached before clingo found the reference answer"


class EncodingChange(NamedTuple):
    """Statements added to and removed from the encoding of the classic game, in textual order."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class EngineResult(NamedTuple):
    """The result of one engine; `reason` says why it has no outcome, or how that differs."""

    engine: Engine
    status: Status
    reason: str
    encoding: Encoding
    change: EncodingChange
    outcome: Outcome | None


class ReferenceAnswer(NamedTuple):
    """clingo's answer: up to two solutions, and the numbers of cells that all solutions share."""

    solutions: tuple[Grid, ...]
    shared: Grid


def reference_answer(program: Program, seconds: float) -> ReferenceAnswer:
    """clingo's answer, to compare with. Raises TimeLimitError at the time limit."""
    search = Solver(program, seconds).search(2)
    solutions = tuple(solution.rows for solution in search)
    if search.ended == "time":
        raise TimeLimitError(_LATE)
    if len(solutions) < 2:
        blank = Puzzle.blank(program.puzzle.size).grid
        return ReferenceAnswer(solutions, solutions[0] if solutions else blank)
    known = candidates(program, seconds, find_equal=False)
    if known.ended != "complete":
        raise TimeLimitError(_LATE)
    return ReferenceAnswer(solutions, grid_of(program.puzzle.size, known.forced))


def compare_formalisms(
    program: Program,
    engines: Iterable[Engine],
    seconds: float,
    answer: ReferenceAnswer | None = None,
) -> Iterator[EngineResult]:
    """The result of each engine, as soon as it is available; `seconds` limit each of them."""
    case = Case.of(program)
    answer = answer or reference_answer(program, seconds)
    for engine in engines:
        yield _row(engine, case, answer, seconds)


def encoding_change(engine: Engine, case: Case, encoding: Encoding | None = None) -> EncodingChange:
    """The difference between the encoding of a case and that of the classic game."""
    classic = engine.encode(case.classic).program
    program = (encoding or engine.encode(case)).program
    before, after = engine.statements(classic), engine.statements(program)

    def listed(statements: Counter[str], text: str) -> tuple[str, ...]:
        written = engine.as_written(text)
        return tuple(written.get(statement, statement) for statement in statements.elements())

    return EncodingChange(listed(after - before, program), listed(before - after, classic))


def _row(engine: Engine, case: Case, answer: ReferenceAnswer, seconds: float) -> EngineResult:
    encoding, change = Encoding("", ""), EncodingChange()

    def row(status: Status, reason: str = "", outcome: Outcome | None = None) -> EngineResult:
        return EngineResult(engine, status, reason, encoding, change, outcome)

    missing = [] if engine.native else case.unsupported
    try:
        if not missing:
            encoding = engine.encode(case)
            missing = list(encoding.missing)
        if missing:
            return row("not written", f"no encoding of {', '.join(missing)}")
        change = encoding_change(engine, case, encoding)
        if lacking := engine.missing_requirement():
            return row("skipped", f"needs {lacking}")
        outcome = engine.run(case, encoding, seconds)
        fault = _fault(outcome, answer, case.program, seconds)
    except NoEncodingError as error:
        return row("not written", f"no encoding of {error}")
    except TimeLimitError:
        return row("gave up", f"no answer within {seconds:g} s")
    except EngineError as error:
        return row("failed", str(error))
    return row("differs" if fault else "agrees", fault, outcome)


def _fault(outcome: Outcome, answer: ReferenceAnswer, program: Program, seconds: float) -> str:
    """How an engine's answer contradicts clingo's; empty if it does not. Raises TimeLimitError."""
    if not (outcome.grid and answer.solutions):
        if outcome.grid:
            return "it finds a solution but clingo finds none"
        return "it finds no solution but clingo finds one" if answer.solutions else ""
    unique = len(answer.solutions) == 1
    if outcome.unique is not None and outcome.unique != unique:
        reported = "several solutions but clingo finds only one"
        return f"it reports {reported if unique else 'a unique solution but clingo finds several'}"
    if outcome.entailed or unique:
        expected = answer.shared if outcome.entailed else answer.solutions[0]
        return _first_difference(outcome.grid, expected)
    if any(None in row for row in outcome.grid):
        return "its grid has empty cells"
    atoms = grid_atoms(Solution(program.puzzle, outcome.grid))
    search = Solver(program, seconds).search(1, [(atom, True) for atom in atoms])
    if search.ended == "time":
        raise TimeLimitError(f"no answer within {seconds:g} s")
    return "" if search.count() else "its grid is not a solution"


def _first_difference(grid: Grid, expected: Grid) -> str:
    for row, column in product(range(len(grid)), repeat=2):
        pair = grid[row][column], expected[row][column]
        if pair[0] != pair[1]:
            actual, right = (number or "undetermined" for number in pair)
            return f"r{row + 1}c{column + 1} is {actual}, but {right} according to clingo"
    return ""


def engines_named(names: Iterable[str]) -> list[Engine]:
    """The engines with these names, each once; all of them if no name is given."""
    known = all_engines()
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


class FormalismTable(NamedTuple):
    """The headings of the elaborations, and for each engine one result per heading."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Engine, tuple[EngineResult, ...]], ...]


def table_puzzles() -> dict[str, Puzzle]:
    """The puzzles of the table by heading, as listed in `rivals/table`."""
    lines = (encodings_dir() / "table").read_text("utf-8").splitlines()
    listed = (map(str.strip, line.split(":")) for line in lines if line.strip())
    folder = encodings_dir().parent / "instances"
    return {heading: read(folder / file) for heading, file in listed}


def formalism_table(engines: Iterable[Engine], seconds: float) -> FormalismTable:
    """The table of statements added and removed, where an encoding counts if its answer is right.

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
        cells: list[EngineResult] = []
        for heading, program in programs.items():
            note(f"{engine.title}: {heading}")
            share = max(0.0, deadline.seconds_left()) / (len(programs) - len(cells))
            (cell,) = compare_formalisms(program, [engine], share, answers[heading])
            if cell.status == "gave up":
                late = f"no answer within its share of {seconds:g} s for all puzzles"
                cell = cell._replace(reason=late)
            cells.append(cell)
        rows.append((engine, tuple(cells)))
    return FormalismTable(tuple(programs), tuple(rows))


class Transcript(NamedTuple):
    """Output of one engine, as a list of lines."""

    engine: str
    title: str
    lines: list[str]


def transcripts(
    program: Program, engines: Iterable[Engine], printed: bool, why: str | None, seconds: float
) -> tuple[Transcript, ...]:
    """What the engines that support the program print: its text (`printed`), the steps to their
    answer, or the reasons for a claim (`why`), such as `r3c2=3`. Raises AspdokuError, with the
    names of the engines that do, if none has any.
    """
    case = Case.of(program)
    asked = Claim.parse(why, case.puzzle) if why is not None and not printed else None
    if asked and not asked.holds:
        raise AspdokuError(
            "engines can only explain which number a cell contains, e.g."
            f" {asked._replace(holds=True)}"
        )

    def lines(engine: Engine, encoding: Encoding) -> list[str]:
        if printed:
            return engine.program_text(case, encoding).splitlines()
        if asked:
            return engine.explain(case, asked[:2], asked.number, seconds)
        return engine.trace(case, encoding, seconds)

    made = []
    for engine in engines:
        with suppress(NoEncodingError):
            if engine.native or not case.unsupported:
                encoding = engine.encode(case)
                if not encoding.missing and (output := lines(engine, encoding)):
                    made.append(Transcript(engine.name, engine.title, output))
    if made:
        return tuple(made)
    method = "explain" if asked else "trace"
    others = [
        name
        for name, engine in all_engines().items()
        if not printed and getattr(type(engine), method) is not getattr(Engine, method)
    ]
    able = f"; engines that do, for the puzzles they encode: {', '.join(others)}" if others else ""
    raise AspdokuError(f"none of the selected engines supports this for this puzzle{able}")
