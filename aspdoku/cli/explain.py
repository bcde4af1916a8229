"""`aspdoku explain`."""

from __future__ import annotations

import math

import click

from aspdoku.cli.options import Seconds, program_from, program_options


@click.command(short_help="Explain a solution, step by step.")
@program_options
@click.option("--singles", is_flag=True, help="Only steps by a single rule, and where they stick.")
@click.option("--time-limit", type=Seconds(), metavar="S", help="Give up after this many seconds.")
@click.option("--format", "format_", type=click.Choice(["text", "json", "html"]), default="text", show_default=True)
def explain(
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    singles: bool,
    time_limit: float | None,
    format_: str,
) -> None:
    """Explain why the solution is what it is, step by step, each by as few rules as are found, under any rules.

    A comment above a rule says how it is worded: %@ row {R} needs a {N}

    Exit status: 0 explained, 20 no solution, 65 bad input, 124 time limit.

    \b
    aspdoku explain --with anti-knight grid.txt
    aspdoku explain --singles --with chain --without box strimko.txt
    """
    from aspdoku.lessons.explanation import Explainer
    from aspdoku.show.explanation import document, dumps, page, report
    from aspdoku.show.explanation import singles as in_the_words_of_the_assignment

    explainer = Explainer(program_from(grid, with_, without, constants), time_limit or math.inf)
    steps = list(explainer.steps(singles))
    if format_ == "text":
        click.echo((in_the_words_of_the_assignment if singles else report)(steps, explainer))
    else:
        click.echo(dumps(document(steps, explainer)) if format_ == "json" else page(steps, explainer))
