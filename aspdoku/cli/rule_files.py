"""`aspdoku rules`, `new`, `check`, `equal` and `program`: for authors of rule files."""

from __future__ import annotations

from pathlib import Path

import click

from aspdoku.cli import interruption
from aspdoku.cli.echo import echo, echo_json
from aspdoku.cli.options import (
    RuleName,
    each_limit_option,
    interrupted_at_time_limit,
    limit_options,
    limit_options_with,
    names_in,
    program_from,
    program_options,
    puzzle_from,
    report,
    seconds_left,
    shorter,
    warn,
)
from aspdoku.supervision import limit_time


@click.command(short_help="List the rules, or print the file of one.")
@click.argument("name", required=False, type=RuleName())
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    help="How the list is written.",
)
def rules(name: str | None, format_: str) -> None:
    """List the rules with their inputs; with a NAME, print that rule's file."""
    from aspdoku.program.library import available_rules, find, rule_names
    from aspdoku.report.rules import rules_json, rules_text

    if name is not None and format_ == "text":
        echo(find(name).text, nl=False)
        return
    found = available_rules() if name is None else [find(name)]
    if format_ == "json":
        echo_json(rules_json(found))
    else:
        echo(rules_text(found))
    for missing in () if name else sorted(set(rule_names()) - {rule.name for rule in found}):
        warn(f"{missing} is on ASPDOKU_PATH, but is no rule file: aspdoku rules {missing}")


@click.command(short_help="Write a rule file to start a rule of one's own from.")
@click.argument("name")
def new(name: str) -> None:
    """Write NAME.lp, a small rule file to start a rule of one's own from."""
    from aspdoku.errors import RuleError
    from aspdoku.program.templates import rule_template

    file = Path(f"{name}.lp")
    text = rule_template(name)
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        raise RuleError(f"{file} exists already, and is left as it is") from None
    echo(f"wrote {file}; now say your rule in it, then\n")
    echo(f"  aspdoku check {file}\n  aspdoku solve --with ./{file} grid.txt")


_EXERCISE = ("size", "without")


@click.command()
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILE.lp...",
    type=click.Path(path_type=Path),
)
@click.option(
    "--against",
    metavar="RULE",
    type=RuleName(),
    help="Mark the files: is each of them this rule, said otherwise?",
)
@click.option(
    "--size",
    type=click.IntRange(1, 100),
    default=9,
    show_default=True,
    help="Look at grids up to this size.",
)
@click.option(
    "--without",
    metavar="RULE",
    multiple=True,
    type=RuleName(),
    help="Do without this rule of the game.",
)
@each_limit_option("file", 20)
@limit_options
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    help="How the findings are written.",
)
@click.pass_context
def check(
    ctx: click.Context,
    files: tuple[Path, ...],
    against: str | None,
    size: int,
    without: tuple[str, ...],
    each_limit: float,
    format_: str,
) -> None:
    """Check rule files without solving.

    Syntax, unsafe variables, unknown predicates, and whether the base is left alone.

    With --against, mark them: what does each forbid or allow that the RULE does not? A RULE given
    by its path stays hidden. --size and --without are for that.
    Exit status: 0 nothing found, or all right; 1 something found, or not all right; 2 a file that
    cannot be read, wrong usage.

    \b
    aspdoku check mine.lp
    aspdoku check anna.lp bert.lp --against anti-knight
    """
    if against is not None:
        ctx.exit(_mark(ctx, files, against, size, names_in(without), each_limit, format_))
    for name in _EXERCISE:
        if ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            raise click.UsageError(f"--{name.replace('_', '-')} goes with --against")
    limit_time(shorter(each_limit * len(files)))
    from aspdoku.program import RuleFile
    from aspdoku.program.lint import check_file, retraction_notes
    from aspdoku.report.rules import lint_json, lint_text

    findings = {str(file): check_file(file) for file in files}
    if format_ == "json":
        echo_json(lint_json(findings))
    else:
        echo(lint_text(findings))
    for file in (file for file in files if not findings[str(file)]):
        for note in retraction_notes(RuleFile.read(file, str(file))):
            echo(f"note: {note}", err=True)
    unreadable = any(
        message.severity == "unreadable" for messages in findings.values() for message in messages
    )
    ctx.exit(2 if unreadable else 1 if any(findings.values()) else 0)


def _mark(
    ctx: click.Context,
    files: tuple[Path, ...],
    against: str,
    size: int,
    without: list[str],
    seconds: float,
    format_: str,
) -> int:
    """Mark the files one after the other, and end with what is known at the time limit or after
    Ctrl-C.
    """
    from aspdoku.engine.sandbox import Limits
    from aspdoku.lecture.grading import Exercise, assess
    from aspdoku.report.grading import grading_json, grading_summary, grading_text

    marks = []
    status = 0
    try:
        with interrupted_at_time_limit():
            exercise = Exercise.of(against, size, without, Limits(seconds, seconds))
            for file in files:
                marks.append(assess(file, exercise))
                if format_ == "text":
                    echo(
                        grading_text(marks[-1], exercise.display_name)
                        + ("\n" if len(files) > 1 else "")
                    )
    except KeyboardInterrupt:
        reason, status = interruption(ctx)
        echo(f"aspdoku: {reason}; {len(marks)} of {len(files)} files were marked", err=True)
    if format_ == "json":
        echo_json([grading_json(each, exercise.display_name) for each in marks])
    elif len(files) > 1 and marks:
        echo(grading_summary(marks))
    verdicts = {each.verdict for each in marks}
    return status or (2 if "cannot be read" in verdicts else 0 if verdicts == {"right"} else 1)


UNDECIDED = 4


@click.command(short_help="Tell whether two rules are the same, given the base.")
@click.argument("one", type=RuleName())
@click.argument("two", type=RuleName())
@click.argument("grid", required=False, type=click.Path(allow_dash=True))
@click.option(
    "--size",
    type=click.IntRange(1, 100),
    default=9,
    show_default=True,
    help="Look at grids up to this size.",
)
@click.option(
    "--without",
    metavar="RULE",
    multiple=True,
    type=RuleName(),
    help="Do without this rule of the game.",
)
@limit_options_with(default=60)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    help="How the verdict is written.",
)
@click.pass_context
def equal(
    ctx: click.Context,
    one: str,
    two: str,
    grid: str | None,
    size: int,
    without: tuple[str, ...],
    format_: str,
) -> None:
    """Are two rules the same, given the base?

    Looks for a grid that breaks one and keeps to the other, from 4x4 up, with any inputs; with a
    GRID, with its inputs only.
    Exit status: 0 the same, 1 not, 4 undecided in the time given.

    \b
    aspdoku equal slides/anti-knight-distance anti-knight
    aspdoku equal slides/anti-knight-distance anti-knight --without row,column
    """
    from aspdoku.lecture.equivalence import SMALL_SIZES, compare_rules
    from aspdoku.program import assemble
    from aspdoku.program.library import base, defaults, find
    from aspdoku.program.lint import require_valid
    from aspdoku.puzzle import Puzzle
    from aspdoku.report.equivalence import equivalence_json, equivalence_text

    first, second = find(one), find(two)
    for rule in (first, second):
        require_valid(rule)
    blank = [
        Puzzle.blank(small) for small in (*(small for small in SMALL_SIZES if small < size), size)
    ]
    puzzles = blank if grid is None else [puzzle_from(grid)]
    for name in puzzles[0].elaborations:
        warn(f"the rule {name} of the puzzle is not used: only its grid and its facts are")
    report(assemble(puzzles[0], [base(), *defaults(), first, second]))
    comparison = compare_rules(
        first, second, puzzles, names_in(without), grid is not None, seconds_left()
    )
    if format_ == "json":
        echo_json(equivalence_json(comparison))
    else:
        echo(equivalence_text(comparison))
    ctx.exit({"same": 0, "undecided": UNDECIDED}.get(comparison.relation, 1))


@click.command(short_help="Print the composed program, for plain clingo.")
@program_options
@limit_options
def program(
    grid: str | None, with_: tuple[str, ...], without: tuple[str, ...], constants: tuple[str, ...]
) -> None:
    """Print the program that `solve` would run, for plain clingo.

    Rule files stand in it byte for byte, each below its name.

    \b
    aspdoku program --with anti-knight grid.txt | clingo --eq=0 --project=project 0
    """
    echo(program_from(grid, with_, without, constants).text, nl=False)
