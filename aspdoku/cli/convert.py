"""`aspdoku convert`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aspdoku.cli.echo import echo
from aspdoku.cli.options import limit_options, warn
from aspdoku.formats import MAX_FILE_SIZE, parse_all, read_all, registry, text_of

if TYPE_CHECKING:
    from aspdoku.formats.base import Format
    from aspdoku.puzzle import Puzzle

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
