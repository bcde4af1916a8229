"""`aspdoku solve`, `count`, `unique`, `candidates` and `redundant`: questions about solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from aspdoku.cli import INTERRUPTED, NO_SOLUTION, TIME_UP
from aspdoku.cli.echo import echo, echo_json
from aspdoku.cli.options import (
    answer,
    colour,
    limit_options,
    program_from,
    program_options,
    seconds_left,
    status_of,
    until_interrupted,
    warn,
)

if TYPE_CHECKING:
    from aspdoku.engine import Search, Solver
    from aspdoku.engine.conflicts import GivenConflicts
    from aspdoku.engine.redundancy import RemovalResult
    from aspdoku.puzzle import Solution

FORMATS = click.Choice(["grid", "line", "json", "facts"])


@click.command(short_help="Solve a puzzle, and say whether the solution is the only one.")
@program_options
@click.option(
    "-n",
    "--number",
    type=click.IntRange(0, 2**63 - 1),
    help="Show up to this many solutions, 0 for all of them.",
)
@click.option(
    "--format",
    "format_",
    type=FORMATS,
    default="grid",
    show_default=True,
    help="How a solution is written.",
)
@limit_options
@click.option(
    "--stats", is_flag=True, help="Tell the size of the program and the effort, on standard error."
)
@click.pass_context
def solve(
    ctx: click.Context,
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    number: int | None,
    format_: str,
    stats: bool,
) -> None:
    """Solve a puzzle. GRID is a file, or - for standard input; without it the grid is blank.

    Looks for a second solution and says whether the first is the only one.
    Exit status: 0 solved, 20 no solution, 65 bad input, 124 time limit, 130 interrupted.

    \b
    aspdoku solve grid.txt
    aspdoku solve --with anti-knight,./mine.lp grid.txt
    aspdoku solve --without box -n 0 -c n=4 --format line
    """
    from aspdoku.engine import Solver
    from aspdoku.report import text
    from aspdoku.report.answer import statistics_text

    program = program_from(grid, with_, without, constants)
    if format_ == "line":
        text.line(
            program.puzzle
        )  # refuses a size that has no signs before anybody waits for a solution
    solver = Solver(program, seconds_left())
    search = solver.search(2 if number is None else number)
    shown = 1 if number is None else number or None
    if format_ == "json":
        _answer_as_json(solver, search, shown)
    else:
        _answer_as_text(solver, search, shown, format_)
    for remark in solver.messages:
        warn(str(remark))
    if stats and solver.grounded:
        echo(statistics_text(solver.statistics()), err=True)
    ctx.exit(status_of(search))


def _answer_as_text(solver: Solver, search: Search, shown: int | None, format_: str) -> None:
    """The solutions as they come, then the verdict.

    Below a grid, else on standard error if there is more to say.
    """
    from aspdoku.report.answer import conflict_lines, solution_formatter, verdict

    render = solution_formatter(format_, colour())
    solution = None
    with until_interrupted(search):
        for solution in search:
            if shown is None or search.found <= shown:
                echo(render(solution), coloured=colour())
                if format_ == "grid":
                    echo()
    as_asked = (
        search.status == "unique" or search.found == shown or (shown is None and search.found)
    )
    other = otherwise(solver, search, solution)
    if format_ == "grid" or other or search.ended in ("time", "interrupted") or not as_asked:
        echo(verdict(search, shown, other), err=format_ != "grid")
    for reason in conflict_lines(solver.program.puzzle, _clashes(solver, search)):
        warn(reason)


def _answer_as_json(solver: Solver, search: Search, shown: int | None) -> None:
    from aspdoku.report.answer import answer_json

    solutions: list[Solution] = []
    with until_interrupted(search):
        solutions += search
    other = otherwise(solver, search, solutions[0] if solutions else None)
    echo_json(answer_json(search, solutions[:shown], _clashes(solver, search), other))


def otherwise(solver: Solver, search: Search, solution: Solution | None) -> Solution | None:
    """The only grid with something else shown beside it, if there is such a solution.

    A word where the time did not suffice.
    """
    from aspdoku.engine.solver import TimeLimitError, alternative_shown_atoms

    if search.status != "unique" or solution is None:
        return None
    try:
        return alternative_shown_atoms(solver.program, solution, solver.seconds_left())
    except TimeLimitError as error:
        warn(str(error))
    except KeyboardInterrupt:
        warn(
            "interrupted before it was settled whether what is shown beside the grid is the"
            " only one"
        )
    return None


def _clashes(solver: Solver, search: Search) -> GivenConflicts:
    """Why there is no solution.

    Looked for in the time that is left, and given up by Ctrl-C without a word.
    """
    from aspdoku.engine.conflicts import GivenConflicts, find_given_conflicts

    left = solver.seconds_left()
    if search.status != "none" or left <= 0:
        return GivenConflicts()
    try:
        return find_given_conflicts(solver.program, left)
    except KeyboardInterrupt:
        return GivenConflicts()


@click.command(short_help="Count the solutions.")
@program_options
@click.option("--limit", type=click.IntRange(1, 2**63 - 1), help="Count up to this many.")
@limit_options
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.pass_context
def count(
    ctx: click.Context,
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    limit: int | None,
    format_: str,
) -> None:
    """Count the solutions.

    Exactly, or "at least" so many where a limit, the time or Ctrl-C comes first.

    Exit status: 0 counted, 20 no solution, 65 bad input, 124 time limit, 130 interrupted.

    \b
    aspdoku count -c n=4
    aspdoku count --with anti-knight --limit 1000 grid.txt
    """
    from aspdoku.engine import Solver
    from aspdoku.engine.solver import ENUMERATION_OPTIONS, has_unique_extensions
    from aspdoku.report.answer import count_json, count_text

    program = program_from(grid, with_, without, constants)
    solver = Solver(
        program,
        seconds_left(),
        options=ENUMERATION_OPTIONS,
        project=not has_unique_extensions(program),
    )
    search = solver.search(limit or 0)
    with until_interrupted(search):
        search.count()
    if format_ == "json":
        echo_json(count_json(search))
    else:
        echo(count_text(search))
    for remark in solver.messages:
        warn(str(remark))
    ctx.exit(status_of(search))


SEVERAL = 1


@click.command(short_help="Tell whether a puzzle has one solution.")
@program_options
@limit_options
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.pass_context
def unique(
    ctx: click.Context,
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    format_: str,
) -> None:
    """Tell whether a puzzle has one solution, and if it has several, in which cells two of them
    differ.

    Exit status: 0 it has one, 1 it has several, 20 none, 65 bad input, 124 time limit, 130
    interrupted.

    \b
    aspdoku unique --with anti-knight grid.txt && echo fit to print
    """
    from aspdoku.engine import Solver
    from aspdoku.report.answer import uniqueness_json, uniqueness_text

    solver = Solver(program_from(grid, with_, without, constants), seconds_left())
    search = solver.search(2)
    solutions: list[Solution] = []
    with until_interrupted(search):
        solutions += search
    other = otherwise(solver, search, solutions[0] if solutions else None)
    if format_ == "json":
        echo_json(uniqueness_json(search, solutions, other))
    else:
        echo(uniqueness_text(search, solutions, other))
    for remark in solver.messages:
        warn(str(remark))
    ctx.exit(SEVERAL if search.status == "several" or other else status_of(search))


@click.command(short_help="Show the true candidates of every cell.")
@program_options
@click.option(
    "--counts", is_flag=True, help="Tell in how many solutions each candidate stands, too."
)
@click.option(
    "--limit",
    type=click.IntRange(1, 2**63 - 1),
    default=10_000,
    show_default=True,
    metavar="N",
    help=(
        "Count among the first N solutions that the search finds; where there are more, these are"
        " not representative."
    ),
)
@limit_options
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.pass_context
def candidates(
    ctx: click.Context,
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    counts: bool,
    limit: int,
    format_: str,
) -> None:
    """Show the true candidates of every cell, each of which stands in some solution, what is
    forced, and what is always equal.

    Where the time limit or Ctrl-C comes first, a cell with ? may have candidates that were not
    found (JSON: complete is false). In grids beyond 9x9 commas stand between the numbers of a cell.

    Exit status: 0 all were found, 20 no solution, 65 bad input, 124 time limit, 130 interrupted.

    \b
    aspdoku candidates --with anti-knight grid.txt
    aspdoku candidates --format json grid.txt
    """
    from aspdoku.engine.candidates import candidates as find
    from aspdoku.report.candidates import candidates_json, candidates_text

    if not counts and ctx.get_parameter_source("limit") is not click.core.ParameterSource.DEFAULT:
        raise click.UsageError("--limit goes with --counts")
    program = program_from(grid, with_, without, constants)
    found = find(program, seconds_left(), limit if counts else 0)
    if format_ == "json":
        echo_json(candidates_json(found, program.puzzle))
    else:
        echo(candidates_text(found, program.puzzle, colour()), coloured=colour())
    for remark in found.messages:
        warn(str(remark))
    ended = found.counting_ended or found.ended
    ctx.exit(
        NO_SOLUTION
        if found.unsatisfiable
        else {"time": TIME_UP, "interrupted": INTERRUPTED}.get(ended, 0)
    )


_WORDS = {"several": "this one has several", "none": "this one has none"}


@click.command(short_help="Tell what a puzzle could do without: givens, clues, rules.")
@program_options
@limit_options
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.pass_context
def redundant(
    ctx: click.Context,
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    format_: str,
) -> None:
    """Tell which givens, which clues of a rule (a cage, a line, a sign) and which rules a puzzle
    could do without.

    Each is left out by itself: does the solution stay the only one? JSON is an object: `status`
    says whether the puzzle is unique, or else several, none, some or unknown; `items` are the
    things left out, none unless it is unique; `ended` is time or interrupted where the answer is
    not whole.

    Exit status: 0 told, 1 the puzzle has several solutions, 20 it has none, 65 bad input, 124 time
    limit, 130 interrupted.

    \b
    aspdoku redundant --with killer killer.txt
    aspdoku redundant --format json grid.txt
    """
    from aspdoku.engine import Solver
    from aspdoku.engine.redundancy import find_redundancies
    from aspdoku.report.answer import verdict
    from aspdoku.report.redundancy import redundancy_json, redundancy_text

    program = program_from(grid, with_, without, constants)
    solver = Solver(program, seconds_left())
    search = solver.search(2)
    with until_interrupted(search):
        search.count()
    for remark in solver.messages:
        warn(str(remark))
    found: list[RemovalResult] = []
    status = search.status
    if status == "unique":
        with until_interrupted(search):
            for item in find_redundancies(program, solver.seconds_left()):
                found.append(item)  # noqa: PERF402
        if search.ended == "complete" and any(item.needed is None for item in found):
            search.ended = "time"
    if format_ == "json":
        answer(program.puzzle, redundancy_json(status, search.ended, found))
    elif status == "unique":
        answer(program.puzzle, redundancy_text(found))
        if search.ended == "interrupted":
            warn("interrupted: these are not all")
    else:
        why = _WORDS[status] + program.puzzle.caveat if status in _WORDS else verdict(search, None)
        warn(f"only a puzzle with one solution has something that it could do without: {why}")
    ctx.exit(SEVERAL if status == "several" else status_of(search))
