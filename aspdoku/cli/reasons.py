"""`aspdoku explain`, `hint`, `why`, `conflict` and `grade`: reasons."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click import option

import aspdoku
from aspdoku.cli import interruption, options
from aspdoku.cli.echo import colour, echo, echo_json, echo_report, warn
from aspdoku.errors import AspdokuError, PuzzleError, RefutedClaimError
from aspdoku.runtime.progress import note

if TYPE_CHECKING:
    from aspdoku.explanation.steps import Step
    from aspdoku.puzzle import Puzzle
    from aspdoku.questions.conflict import ConflictReport
    from aspdoku.questions.explain import Degree
    from aspdoku.questions.grade import Grade

NOT_FORCED = 1
# Seconds of the time limit that are left for drawing a page with many steps.
_DRAWING = 2.0
_CLAIM = re.compile(r"r\d+c\d+\s*!?=\s*\d+", re.IGNORECASE)

clues_option = options.flag(
    "--clues", help="For steps that only clingo proves, list givens and clues that suffice."
)

unique_option = options.flag(
    "--unique", help="Assume that the puzzle has one solution; steps name this assumption."
)


@options.puzzle_command("Explain a solution step by step.")
@options.flag("--singles", help="Use single-rule steps only, and stop where none applies.")
@options.flag("--batch", help="Place all numbers that follow by a single rule in one step.")
@options.flag("--full", help="Show long proofs in full.")
@clues_option
@unique_option
def explain(request: options.Request, /, full: bool, singles: bool, **steps: Any) -> None:
    """Explain the solution step by step, with as few rule instances per step as are found.

    Each step names its technique, such as naked pair or X-wing, and the numbers that it rests on.
    Works with any rules. A comment above a rule is its message template: %@ row {R} needs a {N}

    Exit status: 0 explained, 20 no solution, 65 bad input, 124 time limit, 130 interrupted.

    \b
    aspdoku explain --with anti-knight grid.txt
    aspdoku explain --singles --with chain --without box strimko.txt
    """
    from aspdoku.questions.steps import StepWriter

    program = request.program(effects=True)
    writer = StepWriter(program, colour(), full, singles)

    def show(step: Step) -> None:
        if step.reasons and request.format == "text":
            echo_report(writer.text(step))

    limit = options.seconds_left()
    if request.format == "html" and limit < math.inf:
        limit -= min(_DRAWING, limit / 4)
    steps |= {"singles": singles, "on_step": show}
    explanation = request.ask(aspdoku.explain, program=program, time_limit=limit, **steps)
    request.finish(explanation, text=explanation.closing())


@options.puzzle_command("Show the next step of a solution.")
@option(
    "--degree",
    type=click.Choice(["where", "rules", "what", "proof"]),
    default="what",
    help="How much to reveal.",
)
@option(
    "--entries",
    metavar="FILE",
    help="The grid with the numbers entered so far; - for standard input.",
)
@unique_option
def hint(request: options.Request, degree: Degree, entries: str | None, unique: bool) -> None:
    """Show the next step: where to look, by which rules, what follows, or the whole proof.

    With --entries, continue from that grid; wrong entries are reported first, with the rules that
    they violate.

    Exit status: 0 explained, 20 no solution, 65 bad input, 124 time limit.

    \b
    aspdoku hint --degree where grid.txt
    aspdoku hint grid.txt --entries so-far.txt
    """
    program = request.program(effects=True)
    entered = options.puzzle_from(entries) if entries is not None else None
    limit = options.seconds_left()
    step = aspdoku.hint(program, entered, time_limit=limit, degree=degree, unique=unique)
    request.finish(step)


@options.puzzle_command(
    "Explain why a cell holds a number, or does not.",
    before=[click.Argument(["claim"], metavar="r3c4=5")],
)
@clues_option
@unique_option
def why(request: options.Request, claim: str, clues: bool, unique: bool) -> None:
    """Show only the steps that establish a claim: r3c4=5, or 'r3c4!=5'.

    Exit status: 0 the claim is forced, 1 it is not (two solutions are shown that differ), 20 no
    solution, 65 the claim holds in no solution, or bad input, 124 time limit.

    \b
    aspdoku why r1c3=7 grid.txt
    aspdoku why 'r9c8!=2' --with anti-knight grid.txt
    """
    if request.grid is not None and _CLAIM.fullmatch(request.grid):
        right = request._replace(grid=claim).command("why", request.grid)
        raise PuzzleError(f"{request.grid} is no puzzle, but a claim, which comes first: {right}")
    program, limit = request.program(effects=True), options.seconds_left()
    try:
        reason = aspdoku.why(program, claim, time_limit=limit, clues=clues, unique=unique)
    except RefutedClaimError as error:
        assumption = ("--unique",) if unique else ()
        command = request.command("why", *assumption, error.instead)
        raise AspdokuError(f"{error.words}; run `{command}` for the reason") from None
    request.finish(reason, NOT_FORCED, status="some" if reason else "several")


@options.puzzle_command("Explain why a puzzle has no solution.")
@options.flag("--proof", help="Show the steps to a violated rule.")
def conflict(request: options.Request, proof: bool) -> None:
    """Explain why a puzzle has no solution.

    Reports givens and clues that conflict, the rules involved, and the givens and clues whose
    removal, one at a time, repairs it. A clue that fails alone comes first. Smaller and smaller
    sets are printed until nothing can be left out.

    Exit status: 0 the puzzle has a solution, 20 it has none, 65 bad input, 124 time limit, 130
    interrupted. At the limit, what is known is printed.

    \b
    aspdoku conflict grid.txt
    """
    printed = ""
    smallest = math.inf

    def show(known: ConflictReport, last: bool = False) -> None:
        nonlocal printed, smallest
        if request.format != "text":
            return
        size = sum(len(each.words) for each in known.data.conflicts)
        # Nothing that is smaller within milliseconds, and not each of the small improvements.
        if last or known.data.minimal or (known.data.is_hard and size <= smallest):
            smallest = size / 2
            words = known.conflicts()
            if more := words.removeprefix(printed).removeprefix("\n"):
                echo_report(more)
            printed = words

    report = request.ask(aspdoku.conflict, effects=True, proof=proof, on_improved=show)
    status = "none" if report and report.ended == "complete" else "some"
    if request.format != "text":
        request.finish(report, status=status)
    show(report, last=True)
    if closing := report.closing():
        echo_report(f"\n{closing}" if report else closing)
    if report.data.is_deep and report.ended == "complete" and not proof:
        echo_report("\n--proof shows the steps to a violated rule")
    request.exit(status, report.ended)


@options.puzzle_command("Rate the difficulty of puzzles.", options.TEXT_AND_JSON, several=True)
@options.each_limit_option("puzzle")
def grade(request: options.Request, grids: tuple[str, ...], each_limit: float | None) -> None:
    """Rate difficulty under any rules, by the rule instances that the hardest step needs.

    Easy: 1 rule, as in singles; medium: up to 4, as in pairs and X-wings; hard: up to 7, as in
    swordfish and XY-wings; very hard: up to 10, as in chains; extreme: more. The work counts the
    rules of all steps and the steps. A file holds one puzzle, or several with one per line.

    Exit status: 0 all puzzles are graded, otherwise that of the first that is not: 20 no solution,
    65 bad input, 124 time limit.

    \b
    aspdoku grade --with anti-knight *.txt
    """
    from aspdoku.puzzlefile.lines import pluralize
    from aspdoku.questions.grade import grade_header, grade_name, grades_json

    grades: list[Grade] = []
    statuses = []
    width = max(len(grade_name(grid)) for grid in ("puzzle", *grids))
    try:
        with options.interrupted_at_time_limit():
            for name, puzzle in (each for grid in grids for each in _puzzles(grid)):
                try:
                    program = options.program_of(puzzle(), options.settings_from())
                    warn(*(f"{name}: {warning}" for warning in program.warnings))
                    note(f"grading {name}")
                    rated = aspdoku.grade(program, time_limit=options.shorter(each_limit))
                    grades.append(replace(rated, name=name))
                    if request.format == "text":
                        header = "" if grades[1:] else f"{grade_header(width)}\n"
                        echo_report(header + grades[-1].row(width))
                except AspdokuError as error:
                    message = error.on_command_line
                    located = message.startswith(name.rpartition("#")[0] or name)
                    echo(f"aspdoku: {message if located else f'{name}: {message}'}", err=True)
                    statuses.append(error.exit_code)
    except KeyboardInterrupt:
        statuses.insert(0, interruption(f"; {pluralize(len(grades), 'puzzle')} graded"))
    if request.format == "json":
        echo_json(grades_json(grades))
    request.context.exit(next(iter(statuses), 0))


def _puzzles(grid: str) -> Iterator[tuple[str, Callable[[], Puzzle]]]:
    """The name of each puzzle in a file, which commands accept, and a function that reads it."""
    from aspdoku.formats import parse, read_all
    from aspdoku.puzzlefile import oneline

    file = Path(grid)
    try:
        puzzle = options.puzzle_from(grid)
    except PuzzleError as error:
        text = file.read_text("utf-8", "replace") if file.is_file() else ""
        lines = enumerate(text.splitlines(), 1)
        numbered = [(place, line) for place, line in lines if line.strip()]
        several: list[Callable[[], Puzzle]] = []
        if len(numbered) > 1 and all(oneline.line_size(line) for _, line in numbered):
            several = [partial(parse, line, f"{grid}:{place}") for place, line in numbered]
        else:
            with suppress(PuzzleError):
                several = [each.replace for each in read_all(file)]
        yield from ((f"{grid}#{number}", each) for number, each in enumerate(several, 1))
        if not several:
            yield grid, partial(_refuse, error)
    else:
        yield grid, lambda: puzzle


def _refuse(error: PuzzleError) -> Puzzle:
    raise error
