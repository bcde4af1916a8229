"""`aspdoku hint`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from aspdoku.cli.options import (
    answer,
    limit_options,
    program_from,
    program_options,
    puzzle_from,
    seconds_left,
)

if TYPE_CHECKING:
    from aspdoku.explain.explainer import Explainer

DEGREES = click.Choice(["where", "rules", "what", "proof"])


@click.command(short_help="Give the next step of a solution.")
@program_options
@click.option("--degree", type=DEGREES, default="what", show_default=True, help="How much to tell.")
@click.option(
    "--entries",
    metavar="FILE",
    help="The grid with the numbers entered so far; - for standard input.",
)
@limit_options
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True
)
def hint(
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    degree: str,
    entries: str | None,
    format_: str,
) -> None:
    """Give the next step: where to look, by which rules, what follows, or the whole proof.

    With --entries, from there on; an entry that is wrong is told first.

    Exit status: 0 explained, 20 no solution, 65 bad input, 124 time limit.

    \b
    aspdoku hint --degree where grid.txt
    aspdoku hint grid.txt --entries so-far.txt
    """
    from aspdoku.explain.explainer import Explainer, entries_beyond_givens
    from aspdoku.report.explanation import hint_text as hint_in_words
    from aspdoku.report.explanation import wrong_entries_text
    from aspdoku.report.explanation_json import hint_json, wrong_entries_json

    program = program_from(grid, with_, without, constants)
    numbers = (
        entries_beyond_givens(program.puzzle, puzzle_from(entries)) if entries is not None else []
    )
    explainer = Explainer(program, seconds_left(), numbers)
    if explainer.wrong:
        wrong = explainer.wrong
        answer(
            program.puzzle,
            wrong_entries_json(wrong) if format_ == "json" else wrong_entries_text(wrong),
        )
        return
    step = next(explainer.steps(), None)
    if step is None or (not step.reasons and explainer.settled):
        answer(program.puzzle, {"where": []} if format_ == "json" else _nothing_left(explainer))
        return
    answer(
        program.puzzle,
        hint_json(step, degree) if format_ == "json" else hint_in_words(step, degree),
    )


def _nothing_left(explainer: Explainer) -> str:
    if explainer.settled:
        return "nothing is left to do: the grid is solved"
    return "nothing more is forced: there are several solutions"
