"""`aspdoku draw`, `handout` and `convert`: puzzles as diagrams, as pages, and in other formats; and
where to begin: `example`, `docs` and `help`.
"""

from __future__ import annotations

import os
import sys
import tempfile
import webbrowser
from pathlib import Path
from textwrap import shorten
from typing import Any

import click
from click import option

import aspdoku
from aspdoku.cli import no_such_command, options
from aspdoku.cli.echo import echo, output_path, warn
from aspdoku.errors import AspdokuError, did_you_mean
from aspdoku.formats import registry
from aspdoku.formats.base import Format
from aspdoku.formats.detection import from_standard_input, read_all_from_argument
from aspdoku.writing import check_writable, write

# Default time limit of a handout in seconds: the search for steps may take long.
_HANDOUT_SECONDS = 60.0
# What a text of a puzzle is called that a format may lack.
_TEXTS = {
    "title": "a title",
    "author": "an author",
    "rules": "rules in words",
    "solution": "a solution",
}
OPEN = 1  # the exit status if a part was not understood
SUFFIXES = (".svg", ".png", ".pdf", ".html", ".tex")


@options.command(short_help="List the bundled puzzles, or print one.")
@click.argument("name", metavar="[NAME]", required=False, type=options.Completed("example"))
@options.format_option("text", "json")
def example(name: str | None, format_: str) -> None:
    """List the bundled puzzles with their titles and rules; with a NAME, print that puzzle's file.

    Wherever a command takes a GRID, example:NAME is the bundled puzzle.

    \b
    aspdoku solve example:killer
    aspdoku example killer > my-killer.txt
    """
    from aspdoku.formats import read
    from aspdoku.formats.detection import PREFIX, example_file, examples
    from aspdoku.questions.source import Examples

    if name is not None and format_ == "text":
        echo(example_file(name.removeprefix(PREFIX)).read_text("utf-8"), nl=False)
        return
    names = list(examples()) if name is None else [name.removeprefix(PREFIX)]
    options.print_result(Examples({each: read(example_file(each)) for each in names}), format_)


@options.command(short_help="List the pages of documentation, or print one.")
@click.argument("topic", metavar="[TOPIC]", required=False, type=options.Completed("topic"))
def docs(topic: str | None) -> None:
    """List the pages of documentation with what they are about; with a TOPIC, print that page,
    which is Markdown. They are part of the installation, and need no network.

    On a terminal, a page is shown by the program in the variable PAGER, or by less.

    \b
    aspdoku docs tutorial
    aspdoku docs formats > formats.md
    """
    from aspdoku.manual import page, pages
    from aspdoku.questions.text import width

    topics = list(pages())
    if topic is None:
        column = max(map(len, topics))
        for each in topics:
            title, sections, _ = page(each)
            about = f"{title}: {', '.join(sections)}" if sections else title
            line = shorten(about, width() - column - 2, placeholder=" …")
            echo(f"{each:{column}}  {line}")
        return
    if topic not in topics:
        raise click.UsageError(
            f"No such topic {topic!a}.{did_you_mean(topic, topics)} `aspdoku docs` lists them"
        )
    text = page(topic).text
    if sys.stdout.isatty():
        click.echo_via_pager(text)
    else:
        echo(text, nl=False)


@options.command(short_help="Show the help of aspdoku or of a command.")
@click.argument("name", metavar="[COMMAND]", required=False, type=options.Completed("command"))
@click.pass_context
def help(ctx: click.Context, name: str | None) -> None:  # noqa: A001  # the name of the command
    """Show the help of aspdoku, or of a COMMAND, as COMMAND --help does."""
    parent = ctx.parent or ctx
    if name is None:
        echo(parent.get_help())
        return
    assert isinstance(parent.command, click.Group)
    named = parent.command.get_command(parent, name)
    if named is None:
        parent.fail(no_such_command(name))
    with named.make_context(name, [], parent=parent, resilient_parsing=True) as context:
        echo(named.get_help(context))


@options.puzzle_command(
    "Draw a puzzle as a diagram.",
    formats=(),
    excluding=["--solution --candidates", "--solution --true"],
)
@options.flag("--solution", help="Solve it, and draw the solution with the givens in bold.")
@options.flag(
    "--candidates", help="Also draw pencil marks: the numbers that no single rule rules out."
)
@options.flag(
    "--true",
    "true_candidates",
    help="Draw true candidates, those that occur in a solution, as pencil marks.",
)
@options.flag(
    "--labels", help="Number the rows and columns, and name cages and lines as explanations do."
)
@option(
    "-o",
    "--output",
    type=options.OUTPUT,
    metavar="FILE",
    help=(
        f"Output file; the format follows from its suffix ({', '.join(SUFFIXES)}). An existing file"
        " is overwritten. With -, SVG goes to standard output; without -o, too, unless that is a"
        " terminal."
    ),
)
@option(
    "--title", metavar="TEXT", help="Title above the picture instead of the puzzle's; '' for none."
)
@options.flag(
    "--open", "open_", help="Open the picture in a browser; without -o, it is a temporary file."
)
@options.flag(
    "--no-words",
    help="Omit the rule captions; keep the title and warnings about unsupported input.",
)
def draw(
    request: options.Request, /, output: Path | None, open_: bool, no_words: bool, **content: Any
) -> None:
    """Draw a puzzle as a diagram with a caption that lists its rules.

    GRID is what `aspdoku solve` takes: a file, a grid, a URL, example:NAME, or -.

    The appearance of a rule's inputs is defined in a .draw file next to its .lp file; without one,
    cages are coloured areas and lines are paths.
    PNG and PDF need cairosvg: pip install 'aspdoku[pictures]'.

    Exit status: 0 drawn, 20 no solution, 65 bad input, 124 time limit, 130 interrupted.

    \b
    aspdoku draw --with anti-knight grid.txt -o grid.svg
    aspdoku draw --candidates --labels grid.txt -o marks.png
    aspdoku draw --open --title "Exercise 3" grid.txt
    aspdoku draw --solution grid.txt -o solution.pdf
    """
    from aspdoku.questions.solve import verdict

    if open_ and output == Path("-"):
        raise click.UsageError("--open and -o - exclude each other")
    if output is None and not open_ and sys.stdout.isatty():
        raise click.UsageError(
            "SVG would be printed to the terminal: name a file, as in -o grid.svg, show it with"
            " --open, or print it with -o -"
        )
    output = None if output == Path("-") else output
    if output and output.suffix.lower() not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise options.bad_output(f"unknown suffix of {output.name}: use one of {known}")
    drawing = request.ask(aspdoku.draw, captions=not no_words, **content)
    solutions = drawing.solutions
    if solutions and solutions.status != "unique":
        warn(verdict(solutions.outcome, 1))
    warn(*(solutions.remarks if solutions else ()))
    if open_ and output is None:
        descriptor, name = tempfile.mkstemp(".html", "aspdoku-")
        os.close(descriptor)
        output = Path(name)
    if output is None:
        echo(str(drawing.render()), nl=False)
    else:
        drawing.save(output)
        if open_ and not webbrowser.open(output.resolve().as_uri()):
            raise AspdokuError(f"no browser was found to show {output}")
    if solutions:
        request.exit(solutions.status, solutions.ended)


@options.puzzle_command("Write a page with a puzzle that solves in the browser.", formats=())
@options.output_option("the page to this file, whose suffix is .html")
@options.flag("--static", "static_only", help="Leave out clingo and all scripts.")
def handout(request: options.Request, static_only: bool) -> None:
    """Write one self-contained page: the puzzle, its program, what each rule changes and preserves,
    the solution step by step, and exercises with folded answers.

    The page contains clingo, compiled for browsers: the puzzle can be edited and solved, and rules
    can be switched, from a disk and without a network. Bundled rules that need no clues can be
    added. Everything but that can be read without scripts, and printed.

    The default time limit is 60 seconds; evidence may take half of it. Steps that are not found by
    then are left out, which the page says.

    Exit status: 0 written, 20 no solution, 65 bad input, 124 time limit, 130 interrupted.

    \b
    aspdoku handout -o lesson.html --with anti-knight grid.txt
    aspdoku handout -o lesson.html example:killer
    aspdoku handout --static -o print.html grid.txt
    """
    path = output_path()
    if path is None and sys.stdout.isatty():
        raise click.UsageError("the page would be printed to the terminal: name a file with -o")
    if path:
        options.require_page(path)
    seconds = options.seconds_left(_HANDOUT_SECONDS)
    echo(aspdoku.handout(request.program(), static_only=static_only, time_limit=seconds), nl=False)


NAMES = [each.name for each in registry.ALL]


@options.command(short_help="Read the rules in words and the drawing of a link.")
@click.argument("source", metavar="LINK", type=options.GRID)
@options.limit_options
@options.format_option("text", "json", "html", "puzzle")
@click.pass_context
def read(ctx: click.Context, source: str, format_: str) -> None:
    """Show what each sentence of a puzzle's rules was taken for, and what was not understood.

    LINK is a URL of SudokuPad or f-puzzles, the file of its document, a puzzle file that states its
    rules only in words, or - for standard input. For each sentence of its text, the rules that it
    states and the drawn elements that it is about are listed, then the drawings that no sentence
    accounts for, and assumptions. Every other command takes the same LINK; its answers are
    qualified if something is open.

    With -o FILE.txt, or --format puzzle, writes a puzzle file, in which a line `unsupported:` has
    each part that is open: complete it by hand. With -o FILE.html, writes a page that draws the
    elements next to the sentences.

    Exit status: 0 everything was understood, 1 something is open, 65 bad input, 124 time limit, 130
    interrupted.

    \b
    aspdoku read 'https://sudokupad.app/…'
    aspdoku read -o page.html link.txt
    aspdoku read -o puzzle.txt link.txt
    """
    path = output_path()
    if path and path.suffix == ".txt" and not options.is_given("format_"):
        format_ = "puzzle"
    if path and format_ == "puzzle" and path.exists():
        raise click.UsageError(f"{path} already exists and was not changed: write to another file")
    is_piped = options.standard_input_index(source) is not None
    result = aspdoku.interpret(options.standard_input() if is_piped else source)
    if format_ == "puzzle":
        echo(result.puzzle_file(), nl=False)
    else:
        options.print_result(result, format_)
    ctx.exit(0 if result else OPEN)


def _list(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        width = max(map(len, NAMES))
        for each in registry.ALL:
            echo(f"{each.name:{width}}  {', '.join([each.description, *each.suffixes])}")
        ctx.exit()


@options.command(short_help="Convert puzzles to another format.")
@click.argument("source", metavar="IN", type=options.GRID)
@click.argument("target", metavar="OUT", type=click.Path(allow_dash=True))
@option(
    "--from",
    "from_",
    type=click.Choice(NAMES),
    metavar="FORMAT",
    help="Format of IN; by default detected from its content.",
)
@option(
    "--to",
    type=click.Choice(NAMES),
    metavar="FORMAT",
    help="Format of OUT; by default determined by its suffix.",
)
@option(
    "--list",
    "list_",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list,
    help="List the formats and exit.",
)
@options.limit_options
def convert(source: str, target: str, from_: str | None, to: str | None) -> None:
    """Convert the puzzles in IN to another format, and write them to OUT.

    IN and OUT can be -, for standard input and standard output. IN can also be a grid, a URL that
    contains the puzzle, or example:NAME.

    Every command that takes a GRID detects these formats from the content; FILE#3 is the third
    puzzle in a file. If the format of OUT cannot represent a part of a puzzle, nothing is written,
    and the error message names the part. Rules are also stated in words where the format has these.

    \b
    aspdoku convert puzzles.sdm#3 third.txt
    aspdoku convert --to killer-short example:killer -
    aspdoku convert --list
    """
    from aspdoku.formats.stated_rules import with_words

    format_ = _format_of(target, to)
    if target != "-":
        check_writable(Path(target))
    index = options.standard_input_index(source)
    read_as = registry.by_name(from_) if from_ else None
    if index is None:
        puzzles = read_all_from_argument(source, read_as)
    else:
        puzzles = from_standard_input(options.standard_input(), index).puzzles(read_as)
    if format_ is registry.NATIVE:
        puzzles = list(map(with_words, puzzles))
    text = registry.write(format_, puzzles, Path(target).parent)
    for field, what in _TEXTS.items():
        if field not in format_.texts and any(getattr(puzzle, field) for puzzle in puzzles):
            warn(f"the format {format_.name} cannot represent {what}: omitted")
    if drawn := {name for each in puzzles for name in registry.for_people_only(format_, each)}:
        names = ", ".join(sorted(drawn))
        warn(
            f"the format {format_.name} only draws, and states in words: {names}; a puzzle that is"
            " read from it has unsupported parts"
        )
    if format_.undetected:
        warn(f"the text does not state its rules: read it with --from {format_.name}")
    if target == "-":
        echo(text, nl=False)
        return
    try:
        write(Path(target), text, new=True)
    except FileExistsError:
        raise click.UsageError(
            f"{target} already exists and was not changed: write to another file, or to -"
        ) from None


def _format_of(target: str, name: str | None) -> Format:
    """The format to write, by its name or by the suffix of the file. Raises UsageError."""
    if name:
        return registry.by_name(name)
    format_ = registry.NATIVE if target == "-" else registry.by_suffix(Path(target).suffix)
    if not format_:
        known = ", ".join(suffix for each in registry.ALL for suffix in each.suffixes)
        advice = f"use one of the suffixes {known}, or name the format with --to"
        raise click.UsageError(f"unknown format of {target}: {advice}")
    return format_
