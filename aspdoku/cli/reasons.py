"""`aspdoku explain`, `hint`, `why`, `conflict` and `grade`: reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aspdoku.cli import INTERRUPTED, NO_SOLUTION, TIME_UP, interruption
from aspdoku.cli.echo import echo, echo_json
from aspdoku.cli.options import (
    answer,
    colour,
    each_limit_option,
    interrupted_at_time_limit,
    limit_options,
    program_from,
    program_of,
    program_options,
    puzzle_from,
    rule_options,
    seconds_left,
    settings_from,
    shorter,
    trust_option,
    warn,
)
from aspdoku.errors import AspdokuError, PuzzleError

if TYPE_CHECKING:
    from aspdoku.explain.explainer import Explainer
    from aspdoku.explain.steps import Difficulty
    from aspdoku.puzzle import Puzzle


@click.command(short_help="Explain a solution, step by step.")
@program_options
@click.option("--singles", is_flag=True, help="Only steps by a single rule, and where they stick.")
@limit_options
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "html"]),
    default="text",
    show_default=True,
)
@click.pass_context
def explain(
    ctx: click.Context,
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    singles: bool,
    format_: str,
) -> None:
    """Explain why the solution is what it is, step by step, each by as few rules as are found,
    under any rules.

    A comment above a rule says how it is worded: %@ row {R} needs a {N}

    Exit status: 0 explained, 20 no solution, 65 bad input, 124 time limit.

    \b
    aspdoku explain --with anti-knight grid.txt
    aspdoku explain --singles --with chain --without box strimko.txt
    """
    from aspdoku.engine.solver import SearchEnd, TimeLimitError
    from aspdoku.explain.explainer import Explainer
    from aspdoku.explain.steps import Step
    from aspdoku.report.explanation import explanation_text
    from aspdoku.report.explanation import single_rules_text as in_the_words_of_the_assignment

    program = program_from(grid, with_, without, constants)
    explainer = Explainer(program, seconds_left())
    steps: list[Step] = []
    ended: SearchEnd = "complete"
    try:
        steps.extend(explainer.steps(singles))
    except (TimeLimitError, KeyboardInterrupt) as end:  # the steps by then are told
        ended = "time" if isinstance(end, TimeLimitError) else "interrupted"
    if format_ == "text":
        answer(
            program.puzzle,
            (in_the_words_of_the_assignment if singles else explanation_text)(
                steps, explainer, ended, colour()
            ),
        )
    elif format_ == "json":
        from aspdoku.report.explanation_json import explanation_json

        answer(program.puzzle, explanation_json(steps, explainer, ended))
    else:
        from aspdoku.report.explanation_page import explanation_html

        echo(explanation_html(steps, explainer, ended))
    ctx.exit({"time": TIME_UP, "interrupted": INTERRUPTED}.get(ended, 0))


DEGREES = click.Choice(["where", "rules", "what", "proof"])


@click.command(short_help="Give the next step of a solution.")
@program_options
@click.option("--degree", type=DEGREES, default="what", show_default=True, help="How much to tell.")
@click.option(
    "--entries",
    metavar="FILE",
    help="The grid with the numbers entered so far; - for standard input.",
)
@limit_options
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True
)
def hint(
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    degree: str,
    entries: str | None,
    format_: str,
) -> None:
    """Give the next step: where to look, by which rules, what follows, or the whole proof.

    With --entries, from there on; an entry that is wrong is told first.

    Exit status: 0 explained, 20 no solution, 65 bad input, 124 time limit.

    \b
    aspdoku hint --degree where grid.txt
    aspdoku hint grid.txt --entries so-far.txt
    """
    from aspdoku.explain.explainer import Explainer, entries_beyond_givens
    from aspdoku.report.explanation import hint_text as hint_in_words
    from aspdoku.report.explanation import wrong_entries_text
    from aspdoku.report.explanation_json import hint_json, wrong_entries_json

    program = program_from(grid, with_, without, constants)
    numbers = (
        entries_beyond_givens(program.puzzle, puzzle_from(entries)) if entries is not None else []
    )
    explainer = Explainer(program, seconds_left(), numbers)
    if explainer.wrong_entries:
        wrong = explainer.wrong_entries
        answer(
            program.puzzle,
            wrong_entries_json(wrong) if format_ == "json" else wrong_entries_text(wrong),
        )
        return
    step = next(explainer.steps(), None)
    if step is None or (not step.reasons and explainer.unique):
        answer(program.puzzle, {"where": []} if format_ == "json" else _nothing_left(explainer))
        return
    answer(
        program.puzzle,
        hint_json(step, degree) if format_ == "json" else hint_in_words(step, degree),
    )


def _nothing_left(explainer: Explainer) -> str:
    if explainer.unique:
        return "nothing is left to do: the grid is solved"
    return "nothing more is forced: there are several solutions"


NOT_FORCED = 1


@click.command(short_help="Tell why a cell holds a number, or does not.")
@click.argument("claim", metavar="r3c4=5")
@program_options
@limit_options
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.pass_context
def why(
    ctx: click.Context,
    claim: str,
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    format_: str,
) -> None:
    """Tell why a cell holds a number, r3c4=5, or does not, 'r3c4!=5'.

    The steps that lead there, and no others.

    Exit status: 0 it is forced, 1 it is not: then two solutions that differ, 65 it is false, or bad
    input, 20 no solution.

    \b
    aspdoku why r1c3=7 grid.txt
    aspdoku why 'r9c8!=2' --with anti-knight grid.txt
    """
    from aspdoku.explain.explainer import Explainer, counterexamples
    from aspdoku.explain.steps import Claim, relevant_steps
    from aspdoku.report.explanation import not_forced_text, relevant_steps_text
    from aspdoku.report.explanation_json import explanation_json, not_forced_json

    program = program_from(grid, with_, without, constants)
    asked = Claim.parse(claim, program.puzzle)
    if found := counterexamples(program, asked, seconds_left()):
        answer(
            program.puzzle,
            not_forced_json(asked, found) if format_ == "json" else not_forced_text(asked, found),
        )
        ctx.exit(NOT_FORCED)
    explainer = Explainer(program, seconds_left())
    steps = relevant_steps(explainer.steps_to(asked), asked)
    answer(
        program.puzzle,
        explanation_json(steps, explainer)
        if format_ == "json"
        else relevant_steps_text(asked, steps),
    )


@click.command(short_help="Tell why a puzzle has no solution.")
@program_options
@limit_options
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.pass_context
def conflict(
    ctx: click.Context,
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    format_: str,
) -> None:
    """Tell why a puzzle has no solution.

    The givens that clash and by which rules, and which single given to take away.

    Exit status: 0 it has one, 20 it has none, 65 bad input, 124 time limit.

    \b
    aspdoku conflict grid.txt
    """
    from aspdoku.explain.conflict import explain_conflict as find
    from aspdoku.report.explanation import conflict_text
    from aspdoku.report.explanation_json import conflict_json

    program = program_from(grid, with_, without, constants)
    found = find(program, seconds_left())
    answer(program.puzzle, conflict_json(found) if format_ == "json" else conflict_text(found))
    ctx.exit(0 if found.cause == "none" else NO_SOLUTION)


@click.command(short_help="Tell how hard puzzles are.")
@click.argument(
    "grids",
    nargs=-1,
    required=True,
    metavar="GRID...",
    type=click.Path(allow_dash=True, readable=False),
)
@rule_options
@trust_option
@each_limit_option("puzzle")
@limit_options
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.pass_context
def grade(
    ctx: click.Context,
    grids: tuple[str, ...],
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    each_limit: float | None,
    format_: str,
) -> None:
    """Tell how hard puzzles are, under any rules.

    The rules of the hardest step, the work of all of them, and a word.

    A file holds one puzzle, or several with a line each. easy: 1 rule a step; medium: up to 4;
    hard: up to 7; very hard: up to 10; extreme: more.

    Exit status: 0 all are graded, else that of the first that is not: 20 no solution, 65 bad input,
    124 time limit.

    \b
    aspdoku grade --with anti-knight *.txt
    """
    from aspdoku.explain.explainer import Explainer
    from aspdoku.explain.steps import difficulty_of as graded
    from aspdoku.report.explanation import grades_text
    from aspdoku.report.explanation_json import grades_json

    found: list[tuple[str, Difficulty]] = []
    statuses = []
    try:
        with interrupted_at_time_limit():
            for name, puzzle in (each for grid in grids for each in _puzzles(grid)):
                try:
                    program = program_of(puzzle(), with_, without, settings_from(constants))
                    for warning in program.warnings:
                        warn(f"{name}: {warning}")
                    explainer = Explainer(program, shorter(each_limit))
                    found.append((name, graded(explainer.steps(), explainer.unique)))
                except AspdokuError as error:
                    message = str(error)
                    echo(
                        f"aspdoku: {message if message.startswith(name) else f'{name}: {message}'}",
                        err=True,
                    )
                    statuses.append(error.exit_code)
    except KeyboardInterrupt:
        reason, status = interruption(ctx)
        echo(f"aspdoku: {reason}; {len(found)} puzzles were graded", err=True)
        statuses.insert(0, status)
    if format_ == "json":
        echo_json(grades_json(found))
    elif found:
        echo(grades_text(found))
    ctx.exit(next(iter(statuses), 0))


def _puzzles(grid: str) -> Iterator[tuple[str, Callable[[], Puzzle]]]:
    """What reads the puzzle in a file, with the file's name.

    Or those in its lines, with their numbers too.
    """
    from aspdoku.formats import parse
    from aspdoku.puzzlefile import oneline

    file = Path(grid)
    try:
        puzzle = puzzle_from(grid)
    except PuzzleError as error:
        lines = (
            file.read_text(encoding="utf-8", errors="replace").splitlines()
            if file.is_file()
            else []
        )
        numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
        if len(numbered) > 1 and all(oneline.line_size(line) for _, line in numbered):
            yield from (
                (f"{grid}:{number}", partial(parse, line, f"{grid}:{number}"))
                for number, line in numbered
            )
        elif several := _several(file):
            yield from (
                (f"{grid}#{number}", partial(_given, each))
                for number, each in enumerate(several, 1)
            )
        else:
            yield grid, partial(_refuse, error)
    else:
        yield grid, lambda: puzzle


def _several(file: Path) -> list[Puzzle]:
    """The puzzles of a file in a format for several; none where it cannot be read."""
    from aspdoku.formats import read_all

    try:
        return read_all(file)
    except PuzzleError:
        return []


def _given(puzzle: Puzzle) -> Puzzle:
    return puzzle


def _refuse(error: PuzzleError) -> Puzzle:
    raise error
