"""`aspdoku hint`."""

from __future__ import annotations

import math

import click

from aspdoku.cli.options import Seconds, program_from, program_options, puzzle_from
from aspdoku.errors import AspdokuError

DEGREES = click.Choice(["where", "rules", "what", "proof"])


@click.command(short_help="Give the next step of a solution.")
@program_options
@click.option("--degree", type=DEGREES, default="what", show_default=True, help="How much to tell.")
@click.option("--entries", metavar="FILE", help="The grid with the numbers entered so far; - for standard input.")
@click.option("--time-limit", type=Seconds(), metavar="S", help="Give up after this many seconds.")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
def hint(
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    degree: str,
    entries: str | None,
    time_limit: float | None,
    format_: str,
) -> None:
    """Give the next step: where to look, by which rules, what follows, or the whole proof.

    With --entries, from there on; an entry that is wrong is told first.

    Exit status: 0 explained, 20 no solution, 65 bad input, 124 time limit.

    \b
    aspdoku hint --degree where grid.txt
    aspdoku hint grid.txt --entries so-far.txt
    """
    from aspdoku.lessons.explanation import Explainer, entered
    from aspdoku.show.explanation import document, dumps, mistaken
    from aspdoku.show.explanation import hint as hint_in_words

    program = program_from(grid, with_, without, constants)
    numbers = entered(program.puzzle, puzzle_from(entries)) if entries is not None else []
    explainer = Explainer(program, time_limit or math.inf, numbers)
    if explainer.wrong:
        words = dumps({"wrong": list(map(str, explainer.wrong))}) if format_ == "json" else mistaken(explainer.wrong)
        click.echo(words)
        return
    step = next(explainer.steps(), None)
    if step is None or (not step.reasons and explainer.settled):
        raise AspdokuError("there is nothing left that is forced")
    click.echo(dumps(document([step], explainer)) if format_ == "json" else hint_in_words(step, degree))
