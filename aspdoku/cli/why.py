"""`aspdoku why`."""

from __future__ import annotations

import click

from aspdoku.cli.options import answer, limit_options, program_from, program_options, seconds_left

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
    steps = relevant_steps(explainer.until(asked), asked)
    answer(
        program.puzzle,
        explanation_json(steps, explainer)
        if format_ == "json"
        else relevant_steps_text(asked, steps),
    )
