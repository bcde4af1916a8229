"""`aspdoku minimise`: making puzzles."""

from __future__ import annotations

import click

from aspdoku.cli.echo import echo
from aspdoku.cli.options import (
    WITH_PAGE,
    Request,
    names_in,
    print_result,
    puzzle_command,
    seconds_left,
    status_of,
    warn,
)
from aspdoku.cli.quick import option
from aspdoku.cli.solving import SEVERAL


@puzzle_command("Remove givens and clues while the solution stays unique.", WITH_PAGE)
@option(
    "--keep",
    metavar="WHAT",
    multiple=True,
    help="Do not remove these: givens, clues, the clues of a RULE, a cell such as r1c2, or a clue"
    " by its name.",
)
@option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Seed of the random order in which they are removed.",
)
def minimise(request: Request, keep: tuple[str, ...], seed: int) -> None:
    """Remove givens and clues in random order while the solution stays unique, until none can be
    removed.

    Prints the puzzle that is left, as a puzzle file, and on standard error how much was removed.
    The names of clues are those that `aspdoku redundant` prints. Regions and other inputs of the
    default rules are never removed.

    Exit status: 0 minimal, 1 several solutions, 20 no solution, 65 bad input, 124 time limit, 130
    interrupted.

    \b
    aspdoku minimise --with anti-knight grid.txt
    aspdoku minimise --keep givens --seed 3 example:killer -o killer.txt
    """
    from aspdoku.api.generation import minimise as remove
    from aspdoku.report.reduction import reduction_summary

    found = remove(
        request.program(),
        keep=names_in(keep),
        seed=seed,
        time_limit=seconds_left(),
        interruptible=True,
    )
    for remark in found.remarks:
        warn(remark)
    if found.reduction is None and request.format == "text":
        warn(str(found))
    else:
        print_result(found, request.format)
    if found.reduction is None:
        several = found.status == "several"
        request.context.exit(SEVERAL if several else status_of(found.status, found.outcome.ended))
    if request.format == "text":
        echo(reduction_summary(found.reduction), err=True)
    request.context.exit(status_of("unique", found.reduction.ended))
