"""`aspdoku solve`, `count`, `unique`, `candidates`, `depends` and `redundant`: questions
about solutions.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

import click

import aspdoku
from aspdoku.cli import options
from aspdoku.cli.echo import colour, echo, echo_json, warn

if TYPE_CHECKING:
    from aspdoku.puzzle import Solution
    from aspdoku.questions.redundant import MinimalPuzzle, Redundancy
    from aspdoku.questions.solve import Solutions

SEVERAL = 1
_MOST = 2**63 - 1
_CELL = re.compile(r"r\d+c\d+", re.IGNORECASE)


@options.puzzle_command(
    "Solve a puzzle and report whether the solution is unique.", ["grid", "line", "json", "facts"]
)
@options.natural(
    "-n", "--number", most=_MOST, help="Print up to this many solutions, 0 for all of them."
)
@options.flag("--random", help="Draw random solutions, all equally likely if possible.")
@options.natural(
    "--seed", most=_MOST, help="The same seed gives the same random solutions. [default: a new one]"
)
@options.flag("--stats", help="Print program size and search statistics to standard error.")
def solve(
    request: options.Request, number: int | None, random: bool, seed: int | None, stats: bool
) -> None:
    """Solve a puzzle.

    GRID is a file, a grid, a URL that contains the puzzle, example:NAME for a bundled puzzle, or -
    for standard input. Without it the puzzle is piped standard input, or else a blank grid.

    Searches for a second solution and reports whether the first one is unique.

    With --random, draws a solution at random, or with -n as many, which may repeat. All solutions
    are equally likely if the rules only require cells to differ or to hold certain numbers, and the
    grid is small or has many givens; otherwise a warning is printed.

    Exit status: 0 solved, 20 no solution, 65 bad input, 124 time limit, 130 interrupted.

    \b
    aspdoku solve example:killer
    aspdoku solve 1.....3..4..2...
    aspdoku solve --with anti-knight,./mine.lp grid.txt
    aspdoku solve --without box -n 0 -c n=4 --format line
    aspdoku solve --random --seed 1 -n 5 -c n=6
    """
    from aspdoku.questions import text
    from aspdoku.questions.solve import (
        cell_contents_in,
        conflict_lines,
        solution_formatter,
        statistics_text,
    )

    program = request.program()
    if request.format == "line":
        text.line(program.puzzle)  # fail before solving if there are not enough symbols
    shown = 1 if number is None else number or None
    printed = 0

    def show(solution: Solution) -> None:
        nonlocal printed
        if shown is None or printed < shown:
            echo(formatted(solution), coloured=colour())
            if request.format == "grid":
                echo()
        printed += 1

    as_json = request.format == "json"
    contents = cell_contents_in(program, options.seconds_left())
    formatted = solution_formatter("grid" if as_json else request.format, colour(), contents)
    result = request.ask(
        aspdoku.solve,
        program=program,
        limit=(1 if random else 2) if number is None else number,
        random=random,
        seed=seed,
        on_solution=None if as_json else show,
        statistics=stats,
    )
    if as_json:
        echo_json(replace(result, solutions=result.solutions[:shown]).to_json())
    else:
        _report_verdict(result, shown, request.format)
        warn(*conflict_lines(program.puzzle, result.conflicts))
    warn(*result.remarks)
    if result.statistics:
        echo(statistics_text(result.statistics), err=True)
    request.exit(result.status, result.ended)


def _report_verdict(result: Solutions, shown: int | None, format_: str) -> None:
    """Print how many solutions there are; without a grid, only if the number is unexpected."""
    from aspdoku.questions.solve import verdict

    number = result.outcome.found
    expected = result.status == "unique" or number == shown or (shown is None and number)
    incomplete = result.alternative or result.ended in ("time", "interrupted") or not expected
    if format_ == "grid" or incomplete:
        words = verdict(result.outcome, shown, result.alternative, result.sample)
        echo(words, err=format_ != "grid")


@options.puzzle_command(
    "Count the solutions, or estimate their number.",
    options.TEXT_AND_JSON,
    excluding=["--limit --estimate"],
    requiring={"--descents": "--estimate", "--seed": "--estimate"},
)
@options.natural("--limit", least=1, most=_MOST, help="Count up to this many.")
@options.flag("--estimate", help="Estimate the number from random descents.")
@options.natural("--descents", least=2, most=_MOST, default=100, metavar="N", help="How many.")
@options.natural(
    "--seed", most=_MOST, help="The same seed gives the same descents. [default: a new one]"
)
def count(
    request: options.Request, limit: int | None, estimate: bool, descents: int, seed: int | None
) -> None:
    """Count the solutions.

    The count is exact unless --limit, the time limit or Ctrl-C ends it; then it is "at least N".

    With --estimate, the result is an unbiased estimate with an interval that contains the number
    with a probability of about 95 %, unless there are so few solutions that they are counted. In
    JSON, `count` is then a lower bound. If the time limit or Ctrl-C ends the descents, there is no
    estimate.

    Exit status: 0 counted, 20 no solution, 65 bad input, 124 time limit, 130 interrupted.

    \b
    aspdoku count -c n=4
    aspdoku count --with anti-knight --limit 1000 grid.txt
    aspdoku count --with anti-knight --estimate --seed 1
    """
    number = descents if estimate else 0
    request.finish(request.ask(aspdoku.count, limit=limit or 0, estimate=number, seed=seed))


@options.puzzle_command("Decide whether a puzzle has a unique solution.", options.TEXT_AND_JSON)
def unique(request: options.Request) -> None:
    """Decide whether a puzzle has a unique solution; if it has several, show where two differ.

    Exit status: 0 unique, 1 several solutions, 20 no solution, 65 bad input, 124 time limit, 130
    interrupted.

    \b
    aspdoku unique --with anti-knight grid.txt && echo fit to print
    """
    request.finish(request.ask(aspdoku.unique), SEVERAL)


@options.puzzle_command(
    "Show the true candidates of every cell.",
    options.TEXT_AND_JSON,
    requiring={"--limit": "--counts"},
)
@options.flag("--counts", help="Count in how many solutions each candidate occurs.")
@options.natural(
    "--limit",
    least=1,
    most=_MOST,
    default=10_000,
    metavar="N",
    help="Count among the first N solutions found; if there are more, these are not a"
    " representative sample.",
)
def candidates(request: options.Request, counts: bool, limit: int) -> None:
    """Show the true candidates of every cell, forced numbers, and cells that are always equal.

    A true candidate of a cell is a number that the cell holds in some solution. After the time
    limit or Ctrl-C, a cell with ? may have more candidates (in JSON, complete is false). In grids
    larger than 9x9, commas separate the numbers of a cell.

    Exit status: 0 all candidates found, 20 no solution, 65 bad input, 124 time limit, 130
    interrupted.

    \b
    aspdoku candidates --with anti-knight grid.txt
    aspdoku candidates --format json grid.txt
    """
    grid = request.ask(aspdoku.candidates, count_to=limit if counts else 0)
    data = grid.data
    status, ended = "none" if data.unsatisfiable else "some", data.counting_ended or data.ended
    if request.format == "json":
        request.finish(grid, status=status, ended=ended, remarks=data.messages)
    echo(grid.text(colour()), coloured=colour())
    warn(*data.messages)
    request.exit(status, ended)


@options.puzzle_command(
    "Show which rules the number of a cell depends on.",
    options.WITH_PICTURE,
    before=[click.Argument(["cell"], required=False, metavar="[r3c4]")],
)
def depends(request: options.Request, cell: str | None) -> None:
    """Show which rules the number of each cell depends on, or of one cell: r3c4.

    The number of a cell depends on a set of rules if another number is possible without them, but
    not without only some of them. For one cell, each set is listed with the other numbers; for all
    cells, the grid shows how many rules are in such sets, and --format html or svg draws it.

    Exit status: 0 all sets found, 20 no solution, 65 bad input, 124 time limit, 130 interrupted.

    \b
    aspdoku depends --with anti-knight grid.txt
    aspdoku depends r3c4 grid.txt
    """
    if cell is not None and request.grid is None and not _CELL.fullmatch(cell):
        request, cell = request._replace(grid=cell), None
    dependence = request.ask(aspdoku.depends, cell)
    request.finish(dependence, ended=dependence.data.ended, remarks=dependence.data.messages)


def refuse(request: options.Request, result: Redundancy | MinimalPuzzle) -> NoReturn:
    """Report that the puzzle has no unique solution, and exit."""
    warn(*result.remarks, result)
    request.exit(result.status, result.ended, SEVERAL)


@options.puzzle_command("Find redundant givens, clues and rules.")
def redundant(request: options.Request) -> None:
    """Find the givens, clues (a cage, a line, a sign) and rules that a puzzle does not need.

    Removes each item on its own and checks whether the solution stays unique. In JSON, `status` is
    unique, several, none, some or unknown; `items` is empty unless the puzzle has a unique
    solution; `ended` is time or interrupted if the answer is incomplete.

    Exit status: 0 answered, 1 several solutions, 20 no solution, 65 bad input, 124 time limit, 130
    interrupted.

    \b
    aspdoku redundant --with killer killer.txt
    aspdoku redundant --format json grid.txt
    """
    redundancy = request.ask(aspdoku.redundant, effects=True)
    if request.format == "text" and redundancy.status != "unique":
        refuse(request, redundancy)
    interrupted = request.format != "json" and redundancy.ended == "interrupted"
    remarks = (*redundancy.remarks, *["interrupted: the list is incomplete"] * interrupted)
    request.finish(redundancy, SEVERAL, remarks=remarks)
