"""What the commands share: the options that make a program, and reading what is given."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from aspdoku.program import Program
    from aspdoku.puzzle import Puzzle

Command = TypeVar("Command", bound=Callable[..., object])
SIZES = ("n", "box_rows", "box_columns")


class RuleName(click.ParamType[str]):
    """The name of a rule or the path of a rule file; several are separated by commas."""

    name = "rule"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Known names, and files where the shell takes it for the beginning of a path."""
        from click.shell_completion import CompletionItem

        from aspdoku.program.library import names

        before, comma, last = incomplete.rpartition(",")
        found = [CompletionItem(before + comma + name) for name in names() if name.startswith(last)]
        return found or [CompletionItem(incomplete, type="file")]


def program_options(command: Command) -> Command:
    """--with, --without, -c and GRID: what a program is composed from."""
    for decorate in (
        click.argument("grid", required=False, type=click.Path(allow_dash=True)),
        click.option("-c", "constants", metavar="NAME=VALUE", multiple=True, help="Set a constant; n=6 for a blank 6x6 grid."),
        click.option("--without", "without", metavar="RULE", multiple=True, type=RuleName(), help="Take a rule back."),
        click.option(
            "--with",
            "with_",
            metavar="RULE",
            multiple=True,
            type=RuleName(),
            help="Add a rule: a name that `aspdoku rules` lists, or the path of an .lp file.",
        ),
    ):
        command = decorate(command)
    return command


def program_from(grid: str | None, with_: tuple[str, ...], without: tuple[str, ...], constants: tuple[str, ...]) -> Program:
    """The program that the options of `program_options` describe; its warnings go to standard error."""
    from aspdoku.program import compose

    settings = dict(map(_setting, constants))
    puzzle = puzzle_from(grid) if grid is not None else blank(settings)
    program = compose(puzzle, *names_in(with_), without=names_in(without), constants=settings)
    for warning in program.warnings:
        warn(warning)
    return program


def puzzle_from(grid: str) -> Puzzle:
    """The puzzle in a file, or on standard input for `-`."""
    from aspdoku.puzzle import formats

    return formats.from_bytes(sys.stdin.buffer.read(), "standard input") if grid == "-" else formats.read(Path(grid))


def blank(settings: dict[str, str]) -> Puzzle:
    """A blank grid of the size and the box shape that the settings give; these are taken out of them."""
    from aspdoku.puzzle import Puzzle, box_shape

    sizes = {name: _number(name, settings.pop(name)) for name in SIZES if name in settings}
    if not sizes:
        warn("no grid was given: this is about a blank one, 9x9")
    size = sizes.get("n", 9)
    rows, columns = box_shape(size)
    if "box_rows" in sizes or "box_columns" in sizes:
        rows = sizes.get("box_rows") or size // sizes["box_columns"]
        columns = sizes.get("box_columns") or size // rows
    return Puzzle.blank(size, (rows, columns))


def warn(message: str) -> None:
    """A warning on standard error."""
    click.echo(f"warning: {message}", err=True)


def colour() -> bool:
    """Whether standard output is a terminal whose user has not asked for NO_COLOR."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def names_in(values: tuple[str, ...]) -> list[str]:
    """The names in an option that may be repeated and holds several between commas."""
    return [name.strip() for value in values for name in value.split(",") if name.strip()]


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"'{text}' is not of the form NAME=VALUE", param_hint="-c")
    return name.strip(), value.strip()


def _number(name: str, value: str) -> int:
    if not (value.isascii() and value.isdigit() and int(value[:9]) > 0):
        raise click.BadParameter(f"{name} is a positive number, not '{value}'", param_hint="-c")
    return int(value)
