"""`%%aspdoku` in a notebook: a cell with a puzzle, a rule, or both is solved and drawn.

Errors are messages, as on the command line. This module does not import IPython.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any

import click

from aspdoku.cli import options
from aspdoku.cli.echo import echo, warn
from aspdoku.errors import AspdokuError, PuzzleError

if TYPE_CHECKING:
    from aspdoku.program import RuleFile
    from aspdoku.puzzle import Puzzle
    from aspdoku.questions.solve import Solutions

_RULE = "mine"
_SEPARATOR = re.compile(r"^---+[ \t]*$", re.M)


def register(shell: Any) -> None:
    """Define the cell magic in an IPython shell."""
    shell.register_magic_function(run, "cell", "aspdoku")


def run(line: str, cell: str) -> Solutions | None:
    """Solve the puzzle in a cell, with the rule in it; `%%aspdoku --help` lists the options.

    line: the options; cell: the text below them
    An error is printed, and the result is None.
    """
    try:
        with magic.make_context("%%aspdoku", shlex.split(line)) as context:
            context.meta[_CELL] = cell
            solutions: Solutions = magic.invoke(context)
            return solutions
    except click.exceptions.Exit:  # after --help
        return None
    except click.ClickException as error:
        message = error.format_message()
    except AspdokuError as error:
        message = error.on_command_line
    except ValueError as error:  # of shlex
        message = str(error)
    echo(f"aspdoku: {message}", err=True)
    return None


_CELL = "aspdoku.cell"


@click.command()
@click.argument("grid", required=False, type=options.GRID)
@options.rule_options
@options.natural("-n", "--number", default=2, help="Show up to this many solutions.")
@options.duration(
    "--time-limit", default=60.0, show_default=True, help="Stop after this many seconds."
)
@click.pass_context
def magic(ctx: click.Context, grid: str | None, number: int, time_limit: float) -> Solutions:
    """Solve and draw the puzzle in the cell.

    A rule of your own is below a line ---, called mine; with nothing above that line, the grid is
    blank (-c n=6 sets its size). If GRID is given, the whole cell is the rule.
    """
    from aspdoku.questions.solve import solve

    settings = options.settings_from()
    puzzle, rules = _contents(ctx.meta[_CELL], grid, settings)
    program = options.program_of(puzzle, settings, rules)
    warn(*program.warnings)
    return solve(program, limit=number, time_limit=time_limit, interruptible=True)


def _contents(
    cell: str, grid: str | None, settings: dict[str, str]
) -> tuple[Puzzle, list[RuleFile]]:
    """The puzzle, and the rule below the line, or in the whole cell if `grid` is the puzzle."""
    from aspdoku.formats import parse
    from aspdoku.program import RuleFile

    separator, *more = [*_SEPARATOR.finditer(cell), None]
    if len(more) > (grid is None):
        several = "the cell has several lines ---: one separates the puzzle from the rule"
        only = f"{grid} is the puzzle, so the cell holds only a rule: delete the line ---"
        raise PuzzleError(several if grid is None else only)
    start = separator.end() if separator else len(cell) * (grid is None)
    # With as many lines above as in the cell, for the places of findings.
    text = "\n" * cell.count("\n", 0, start) + cell[start:]
    rules = [RuleFile.from_text(_RULE, text)] if text.strip() else []
    if grid is not None:
        return options.puzzle_from(grid), rules
    above = cell[: separator.start()] if separator else cell
    if separator and not above.strip():
        return options.blank(settings), rules
    if not above.strip():
        raise PuzzleError("the cell is empty: write a puzzle, or a rule below a line ---")
    try:
        return parse(above), rules
    except PuzzleError as error:
        if separator:
            raise
        raise PuzzleError(f"{error}; a rule goes below a line ---") from None
