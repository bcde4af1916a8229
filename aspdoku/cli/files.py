"""`aspdoku draw` and `convert`: puzzles as diagrams and in other formats."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aspdoku.cli import INTERRUPTED, NO_SOLUTION, TIME_UP
from aspdoku.cli.echo import echo
from aspdoku.cli.options import (
    limit_options,
    program_from,
    program_options,
    seconds_left,
    status_of,
    until_interrupted,
    warn,
)
from aspdoku.formats import MAX_FILE_SIZE, parse_all, read_all, registry, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from aspdoku.draw import Picture
    from aspdoku.draw.style import DrawStyle
    from aspdoku.engine import Solver
    from aspdoku.formats.base import Format
    from aspdoku.program import Program
    from aspdoku.puzzle import Function, Puzzle, Solution

SUFFIXES = (".svg", ".png", ".pdf", ".html", ".tex")


@click.command(short_help="Draw a puzzle as it stands in print.")
@program_options
@click.option(
    "--solution", is_flag=True, help="Solve it, and draw the solution with the givens bold."
)
@click.option("--candidates", is_flag=True, help="Draw the true candidates of every cell, too.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    metavar="FILE",
    help=(
        f"The file to write, by its ending: {', '.join(SUFFIXES)}; one that is there is"
        " overwritten. SVG goes to standard output without it, or with -."
    ),
)
@click.option(
    "--no-words",
    is_flag=True,
    help="Leave out what the rules say; the title and what was not understood stay.",
)
@limit_options
@click.pass_context
def draw(
    ctx: click.Context,
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    solution: bool,
    candidates: bool,
    output: Path | None,
    no_words: bool,
) -> None:
    """Draw a puzzle as it stands in print, its rules in words below.

    GRID is a file, or - for standard input.

    How a rule looks is said in a .draw file beside its .lp file; without one, cages are coloured
    areas and lines are paths.
    PNG and PDF need cairosvg: pip install 'aspdoku[pictures]'.
    Exit status: 0 drawn, 20 no solution, 65 bad input, 124 time limit, 130 interrupted.

    \b
    aspdoku draw --with anti-knight grid.txt > grid.svg
    aspdoku draw --solution grid.txt -o solution.pdf
    """
    from aspdoku.draw import picture_of_program
    from aspdoku.draw.style import styles_of
    from aspdoku.engine import Solver

    if solution and candidates:
        raise click.UsageError("--solution leaves no cell for --candidates")
    output = None if output == Path("-") else output
    if output and output.suffix.lower() not in SUFFIXES:
        raise click.BadParameter(
            f"the ending of {output.name} is none of {', '.join(SUFFIXES)}", param_hint="-o"
        )
    program = program_from(grid, with_, without, constants)
    found = styles_of(program)
    solver = Solver(program, seconds_left())
    solved, remark, status = _solution(ctx, solver) if solution else (None, "", 0)
    numbers = _candidates(ctx, program) if candidates else ()
    made = picture_of_program(
        program, found, _made(solver, found), solved, numbers, not no_words, remark
    )
    _write(made, output)
    ctx.exit(status)


def _solution(ctx: click.Context, solver: Solver) -> tuple[Solution, str, int]:
    """The first solution, a remark on others, and the exit status.

    A warning goes to standard error, too.

    Ends the command where there is none.
    """
    from aspdoku.cli.solving import otherwise
    from aspdoku.report.answer import verdict

    search = solver.search(2)
    found: list[Solution] = []
    with until_interrupted(search):
        found += search
    if search.status != "unique":
        warn(verdict(search, 1))
    if not found:
        ctx.exit(status_of(search) or NO_SOLUTION)
    remark = "One of several solutions." if len(found) > 1 else "Not known to be the only solution."
    if search.status == "unique":
        remark = (
            "Another solution has the same numbers." if otherwise(solver, search, found[0]) else ""
        )
    return found[0], remark, status_of(search)


def _candidates(ctx: click.Context, program: Program) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """The true candidates. Ends the command where there are none to draw, or not all were found."""
    from aspdoku.engine.candidates import candidates as find

    found = find(program, seconds_left(), 0)
    if found.unsatisfiable:
        warn("no solution")
        ctx.exit(NO_SOLUTION)
    if found.ended != "complete":
        warn("not all candidates were found in time; nothing was drawn")
        ctx.exit(INTERRUPTED if found.ended == "interrupted" else TIME_UP)
    return tuple(tuple(tuple(numbers) for numbers in row) for row in found.possible)


def _made(solver: Solver, styles: Iterable[DrawStyle]) -> list[Function]:
    """The facts that the program derives and some style draws.

    The program is only grounded if there are such predicates.
    """
    from aspdoku.draw.style import derived_predicates
    from aspdoku.engine.solver import from_symbol
    from aspdoku.puzzle import Function

    wanted = sorted(derived_predicates(solver.program, styles))
    atoms = [
        atom
        for name in wanted
        for atom in solver.ground().symbolic_atoms.by_signature(*name)
        if atom.is_fact
    ]
    return [
        fact for fact in (from_symbol(atom.symbol) for atom in atoms) if isinstance(fact, Function)
    ]


def _write(picture: Picture, output: Path | None) -> None:
    from aspdoku.draw.output import WRITERS, svg

    if output is None:
        echo(svg(picture), nl=False)
    else:
        made = WRITERS[output.suffix.lower()](picture)
        output.write_bytes(made if isinstance(made, bytes) else made.encode("utf-8"))


NAMES = [each.name for each in registry.ALL]


def _list(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the formats and end, where that is wanted."""
    if wanted:
        width = max(map(len, NAMES))
        for each in registry.ALL:
            echo(f"{each.name:{width}}  {', '.join([each.description, *each.suffixes])}")
        ctx.exit()


@click.command(short_help="Write puzzles in another format.")
@click.argument("source", metavar="IN", type=click.Path(allow_dash=True, readable=False))
@click.argument("target", metavar="OUT", type=click.Path(allow_dash=True))
@click.option(
    "--from",
    "from_",
    type=click.Choice(NAMES),
    metavar="FORMAT",
    help="The format of IN, instead of what it looks like.",
)
@click.option(
    "--to",
    type=click.Choice(NAMES),
    metavar="FORMAT",
    help="The format of OUT, instead of what its name ends with.",
)
@click.option(
    "--list",
    "list_",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list,
    help="List the formats and exit.",
)
@limit_options
def convert(source: str, target: str, from_: str | None, to: str | None) -> None:
    """Write the puzzles in IN to OUT in another format.

    - stands for standard input and standard output.

    Every command reads all of these formats and tells them apart by content; FILE#3 is the third
    puzzle in a file. What OUT's format cannot carry is named, and nothing is written then.

    \b
    aspdoku convert puzzles.sdm#3 third.txt
    aspdoku convert --to killer-short instances/made/killer.txt -
    aspdoku convert --list
    """
    format_ = _format_of(target, to)
    puzzles = _puzzles(source, registry.by_name(from_) if from_ else None)
    text = registry.write(format_, puzzles)
    if not format_.has_title and any(puzzle.title for puzzle in puzzles):
        warn(f"the format {format_.name} has no place for a title: it is left out")
    if target == "-":
        echo(text, nl=False)
        return
    try:
        with Path(target).open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise click.UsageError(
            f"{target} exists already, and is left as it is: write to another file, or to -"
        ) from None


def _format_of(target: str, name: str | None) -> Format:
    """The format to write. Wrong usage where neither its name nor that of the file says it."""
    format_ = (
        registry.by_name(name)
        if name
        else registry.by_suffix(Path(target).suffix)
        if target != "-"
        else registry.NATIVE
    )
    if not format_:
        known = ", ".join(suffix for each in registry.ALL for suffix in each.suffixes)
        raise click.UsageError(
            f"the name {target} does not say the format: it ends with one of {known}, or --to"
            " says it"
        )
    return format_


def _puzzles(source: str, format_: Format | None) -> list[Puzzle]:
    if source != "-":
        return read_all(Path(source), format_)
    name = "standard input"
    return parse_all(
        text_of(sys.stdin.buffer.read(MAX_FILE_SIZE + 1) if sys.stdin else b"", name), name, format_
    )
