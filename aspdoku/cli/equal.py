"""`aspdoku equal`."""

from __future__ import annotations

import click

from aspdoku.cli.echo import echo, echo_json
from aspdoku.cli.options import (
    RuleName,
    limit_options_with,
    names_in,
    puzzle_from,
    report,
    seconds_left,
    warn,
)

UNDECIDED = 4


@click.command(short_help="Tell whether two rules are the same, given the base.")
@click.argument("one", type=RuleName())
@click.argument("two", type=RuleName())
@click.argument("grid", required=False, type=click.Path(allow_dash=True))
@click.option(
    "--size",
    type=click.IntRange(1, 100),
    default=9,
    show_default=True,
    help="Look at grids up to this size.",
)
@click.option(
    "--without",
    metavar="RULE",
    multiple=True,
    type=RuleName(),
    help="Do without this rule of the game.",
)
@limit_options_with(default=60)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    help="How the verdict is written.",
)
@click.pass_context
def equal(
    ctx: click.Context,
    one: str,
    two: str,
    grid: str | None,
    size: int,
    without: tuple[str, ...],
    format_: str,
) -> None:
    """Are two rules the same, given the base?

    Looks for a grid that breaks one and keeps to the other, from 4x4 up, with any inputs; with a
    GRID, with its inputs only.
    Exit status: 0 the same, 1 not, 4 undecided in the time given.

    \b
    aspdoku equal slides/anti-knight-distance anti-knight
    aspdoku equal slides/anti-knight-distance anti-knight --without row,column
    """
    from aspdoku.lecture.equivalence import SMALL_SIZES, compare
    from aspdoku.program import join
    from aspdoku.program.library import base, defaults, find
    from aspdoku.program.lint import vet
    from aspdoku.puzzle import Puzzle
    from aspdoku.report.equivalence import equivalence_json, equivalence_text

    first, second = find(one), find(two)
    for rule in (first, second):
        vet(rule)
    blank = [
        Puzzle.blank(small) for small in (*(small for small in SMALL_SIZES if small < size), size)
    ]
    puzzles = blank if grid is None else [puzzle_from(grid)]
    for name in puzzles[0].elaborations:
        warn(f"the rule {name} of the puzzle is not used: only its grid and its facts are")
    report(join(puzzles[0], [base(), *defaults(), first, second]))
    comparison = compare(
        first, second, puzzles, names_in(without), grid is not None, seconds_left()
    )
    if format_ == "json":
        echo_json(equivalence_json(comparison))
    else:
        echo(equivalence_text(comparison))
    ctx.exit({"same": 0, "undecided": UNDECIDED}.get(comparison.relation, 1))
