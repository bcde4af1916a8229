"""`aspdoku learn`: guess the rule."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click import option

import aspdoku
from aspdoku.cli import NO_SOLUTION
from aspdoku.cli.echo import echo, write_to
from aspdoku.cli.options import (
    GRID,
    RULE,
    TEXT_AND_JSON,
    OutputFile,
    PuzzleCommand,
    format_choice,
    given,
    limit_options,
    names_in,
    print_result,
    puzzle_from,
    seconds_left,
    without_option,
)

if TYPE_CHECKING:
    from aspdoku.puzzle import Solution


@click.command(cls=PuzzleCommand, short_help="Find a rule by examples and questions.")
@click.argument("grids", nargs=-1, metavar="[GRID]...", type=GRID)
@option(
    "--rule",
    metavar="RULE",
    type=RULE,
    help="Learn this rule: it answers, and allows three random grids if no GRID is given.",
)
@option("--play", is_flag=True, help="Ask you.")
@option(
    "--space",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The rules to choose from, instead of asp/hypotheses.lp.",
)
@option(
    "--questions",
    type=click.IntRange(0, 1000),
    default=20,
    show_default=True,
    help="Ask at most so many questions.",
)
@option("-o", "--output", metavar="FILE.lp", type=OutputFile(), help="Write the rule to this file.")
@option(
    "--size",
    type=click.IntRange(1, 100),
    default=6,
    show_default=True,
    help="Number of rows, if no GRID is given.",
)
@without_option
@limit_options
@format_choice(*TEXT_AND_JSON)
@click.pass_context
def learn(
    ctx: click.Context,
    /,
    grids: tuple[str, ...],
    rule: str | None,
    play: bool,
    output: Path | None,
    format_: str,
    **options: Any,
) -> None:
    """Find the rule that solved grids have in common, by questions about other grids.

    Each GRID is solved and allowed by the rule. With --play or --rule, questions follow: is this
    grid allowed? clingo chooses grids that about half of the remaining rules forbid. The rules to
    choose from are in a file, asp/hypotheses.lp, which --space replaces: the bundled rules without
    inputs, and pairs of cells with relations between their numbers.

    Exit status: 0 one rule was found, or several that no grid separates; 1 several rules fit, or
    RULE is another one; 20 no rule fits.

    \b
    aspdoku learn --rule anti-knight --size 6
    aspdoku learn --play solved1.txt solved2.txt -o mine.lp
    """
    if play and rule:
        raise click.UsageError("either --play or --rule: one of you answers")
    if output and output.exists():
        raise click.UsageError(f"{output} already exists: choose another name with -o")
    learned = aspdoku.learn(
        [puzzle_from(grid) for grid in grids],
        _ask if play else rule,
        without=names_in(given("without")),
        time_limit=seconds_left(),
        **options,
    )
    print_result(learned, format_)
    if output and learned.status == "found":
        write_to(output)
        echo(learned.rules[0].text, nl=False)
    ctx.exit(0 if learned else NO_SOLUTION if learned.status == "none" else 1)


def _ask(grid: Solution) -> bool | None:
    """The answer of the user; None at the end of the input."""
    from aspdoku.questions.text import grid as grid_text

    echo(f"{grid_text(grid)}\n", err=True)
    try:
        return click.confirm("Is this grid allowed?", err=True)
    except click.Abort:
        return None
