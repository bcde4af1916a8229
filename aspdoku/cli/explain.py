"""`aspdoku explain`."""

from __future__ import annotations

import click

from aspdoku.cli import INTERRUPTED, TIME_UP
from aspdoku.cli.echo import echo
from aspdoku.cli.options import (
    answer,
    colour,
    limit_options,
    program_from,
    program_options,
    seconds_left,
)


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
