"""`aspdoku check`."""

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
    names_in,
    shorter,
)
from aspdoku.supervision import limit_time

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
    from aspdoku.program.lint import check_file, conventions
    from aspdoku.report.rules import lint_json, lint_text

    findings = {str(file): check_file(file) for file in files}
    if format_ == "json":
        echo_json(lint_json(findings))
    else:
        echo(lint_text(findings))
    for file in (file for file in files if not findings[str(file)]):
        for note in conventions(RuleFile.read(file, str(file))):
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
    from aspdoku.lecture.grading import Exercise, mark
    from aspdoku.report.grading import grading_json, grading_summary, grading_text

    marks = []
    status = 0
    try:
        with interrupted_at_time_limit():
            exercise = Exercise.of(against, size, without, Limits(seconds, seconds))
            for file in files:
                marks.append(mark(file, exercise))
                if format_ == "text":
                    echo(
                        grading_text(marks[-1], exercise.called) + ("\n" if len(files) > 1 else "")
                    )
    except KeyboardInterrupt:
        reason, status = interruption(ctx)
        echo(f"aspdoku: {reason}; {len(marks)} of {len(files)} files were marked", err=True)
    if format_ == "json":
        echo_json([grading_json(each, exercise.called) for each in marks])
    elif len(files) > 1 and marks:
        echo(grading_summary(marks))
    verdicts = {each.verdict for each in marks}
    return status or (2 if "cannot be read" in verdicts else 0 if verdicts == {"right"} else 1)
