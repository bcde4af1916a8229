"""`aspdoku solve`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from aspdoku.cli.echo import echo, echo_json
from aspdoku.cli.options import (
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
    for remark in solver.remarks:
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
