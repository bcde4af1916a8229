"""`aspdoku elaborate` and `compare`: demonstrations of elaboration tolerance."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

import click
from click import option

import aspdoku
from aspdoku.cli import TIME_UP, interruption
from aspdoku.cli.echo import colour, echo, echo_json, echo_report
from aspdoku.cli.options import (
    RULE,
    WITH_PAGE,
    Completed,
    Request,
    each_limit_option,
    interrupted_at_time_limit,
    names_in,
    print_result,
    puzzle_command,
    seconds_left,
    shorter,
    warn,
)
from aspdoku.errors import AspdokuError
from aspdoku.runtime.supervise import INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from aspdoku.formalisms.comparison import EngineResult, TableCell
    from aspdoku.formalisms.engine import Engine
    from aspdoku.formalisms.transcripts import Transcript
    from aspdoku.program import Program

# Default time limit in seconds, because the grounding of a reported rule may be infinite.
_DEFAULT_LIMIT = 60.0


@puzzle_command("Show what each elaboration changes and preserves.", WITH_PAGE)
@option(
    "--all",
    "all_",
    is_flag=True,
    help="Print a table of all named rules, over our base and over the slides' base.",
)
@option("--diff", is_flag=True, help="Also print the diff of the program text.")
@option(
    "--over",
    metavar="RULE",
    type=RULE,
    help="Use another base, e.g. slides/base, without our default rules.",
)
@option(
    "--brief",
    is_flag=True,
    help="Omit the default rules, the summary of all elaborations, and the footnotes.",
)
@option(
    "--limit",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Count solutions up to this many.",
)
def elaborate(
    request: Request, all_: bool, diff: bool, over: str | None, brief: bool, limit: int
) -> None:
    """Show what each elaboration changes and preserves: text, contract, ground program, solutions.

    Prints one report for each elaboration, compared with the program before it, and one for all
    together. The default time limit is 60 seconds; --all has none.

    Exit status: 0, 124 if the time limit left a question open, 130 interrupted.

    \b
    aspdoku elaborate --with anti-knight grid.txt
    aspdoku elaborate --brief --with chain --without box strimko.txt
    aspdoku elaborate --brief --over slides/base --without box -c n=4
    aspdoku elaborate --all
    """
    if all_:
        if not request.names_no_puzzle or over or brief:
            raise click.UsageError(
                "--all reports on all named rules over both bases: it takes no grid, rules,"
                " constants, facts, --over or --brief"
            )
        request.context.exit(0 if _print_table(request.format) else TIME_UP)
    from aspdoku.questions.elaborate import elaboration_text

    report = aspdoku.elaborate(
        request.program(),
        time_limit=seconds_left(_DEFAULT_LIMIT),
        limit=limit,
        over=over,
        interruptible=True,
    )
    if brief:
        report = replace(report, data=report.data.asked_for)
    if request.format == "text":
        echo_report(elaboration_text(report.data, diff, colour(), footnotes=not brief))
    else:
        print_result(report, request.format)
    if report.data.interrupted:
        warn(f"interrupted after step {len(report.data.steps)}: the report is incomplete")
        request.context.exit(INTERRUPTED)
    request.context.exit(0 if report.complete else TIME_UP)


def _print_table(format_: str) -> bool:
    """Print the tables of all rules, and return whether they are complete."""
    from aspdoku.lecture.elaboration_table import ElaborationRow, elaboration_tables
    from aspdoku.program.library import available_rules
    from aspdoku.program.rulefile import RuleFile
    from aspdoku.questions import elaborate as show

    bases: list[RuleFile] = []

    def print_row(base: RuleFile, row: ElaborationRow) -> None:
        if base not in bases:
            echo_report("\n" * bool(bases) + show.table_header_text(base))
            bases.append(base)
        echo_report(show.table_row_text(row))

    in_words = format_ == "text"
    tables = elaboration_tables(
        available_rules(), seconds_left(), print_row if in_words else lambda *_: None
    )
    if in_words:
        echo_report("\n" * bool(bases) + show.table_notes_text(tables))
    elif format_ == "json":
        echo_json(show.elaboration_table_json(tables))
    else:
        echo(show.elaboration_table_html(tables))
    complete = all(table.complete for table in tables)
    if not complete:
        warn("time limit reached: the tables are incomplete")
    return complete


SECONDS = 60.0
DIFFERS = 1


@puzzle_command("Run other formalisms on the same puzzle and compare.", WITH_PAGE)
@option(
    "--engine",
    "wanted",
    metavar="NAME",
    type=Completed("engine"),
    multiple=True,
    help="Only run this engine; several names are separated by commas.",
)
@each_limit_option("engine", SECONDS)
@option("--diff", "diffs", is_flag=True, help="Print all changes of each encoding.")
@option(
    "--print",
    "printed",
    is_flag=True,
    help="Print the encodings as the engines read them, without running anything.",
)
@option("--trace", is_flag=True, help="Print the inference steps of the engines that report them.")
@option("--why", metavar="r3c2=3", help="Print the reasoners' explanation of a claim.")
@option(
    "--table", is_flag=True, help="Print a table of all formalisms and the lecture's elaborations."
)
def compare(
    request: Request,
    wanted: tuple[str, ...],
    each_limit: float,
    diffs: bool,
    printed: bool,
    trace: bool,
    why: str | None,
    table: bool,
) -> None:
    """Encode a puzzle in OWL, Prolog, constraint programming and propositional logic, run each
    engine, and compare answers and encodings.

    An engine that is not installed is skipped, unless --engine names it. "Start" is the time until
    the engine is ready: process start, imports, grounding. Statements are counted by each
    language's grammar: a rule, a clause, an axiom, a function. --time-limit-each limits each engine
    for all puzzles of --table together.

    \b
    The engines: asp-slides, asp, owl-source, owl-sees, prolog-source,
    prolog-sized, findling, cp-sat, evidence, sat.

    Exit status: 0 all engines that ran agree, 1 one does not, 2 unknown engine, 65 bad input, 124
    time limit.

    \b
    aspdoku compare instances/owl/four.txt
    aspdoku compare --engine evidence --trace instances/made/strimko.txt
    aspdoku compare --engine owl-source --why r3c2=3 instances/owl/four.txt
    """
    from aspdoku.formalisms.comparison import compare_formalisms, reference_answer
    from aspdoku.questions import compare as show

    if sum([table, printed, trace, why is not None, diffs]) > 1:
        raise click.UsageError("--table, --print, --trace, --why and --diff exclude each other")
    chosen = _chosen(wanted, must_run=not printed)
    if table:
        if not request.names_no_puzzle:
            raise click.UsageError("--table uses its own puzzles: it takes no grid and no rules")
        _print_comparison_table(request, chosen, each_limit)
    program = request.program()
    if printed or trace or why is not None:
        with interrupted_at_time_limit():
            transcripts = list(_transcripts(program, chosen, printed, why, shorter(each_limit)))
        if request.format == "json":
            echo_json(show.transcripts_json(transcripts))
        elif request.format == "html":
            echo(show.transcripts_page(transcripts))
        else:
            echo(show.transcripts_text(transcripts))
        return
    answer = reference_answer(program, shorter(each_limit))
    rows: list[EngineResult] = []
    in_words = request.format == "text"
    if in_words:
        echo(show.header_text())
    status = 0
    try:
        with interrupted_at_time_limit():
            for engine in chosen:
                for row in compare_formalisms(program, [engine], shorter(each_limit), answer):
                    rows.append(row)
                    if in_words:
                        echo_report(show.row_text(row))
    except KeyboardInterrupt:  # the rows so far are reported
        reason, status = interruption(request.context)
        echo(f"aspdoku: {reason} at {chosen[len(rows)].name}", err=True)
    comparison = show.FormalismComparison(program, answer, tuple(rows))
    if in_words:
        echo_report("".join(f"\n{part}\n" for part in comparison.parts(colour(), diffs)), nl=False)
    elif request.format == "json":
        echo_json(comparison.to_json())
    else:
        echo(comparison.to_html(diffs))
    request.context.exit(status or _differs(rows))


def _differs(answers: Iterable[EngineResult | TableCell]) -> int:
    return DIFFERS if any(each.status in ("differs", "failed") for each in answers) else 0


def _print_comparison_table(request: Request, chosen: list[Engine], seconds: float) -> NoReturn:
    from aspdoku.formalisms.comparison import formalism_table
    from aspdoku.questions import compare as show
    from aspdoku.questions.layout import terminal_width

    with interrupted_at_time_limit():
        comparisons = formalism_table(chosen, seconds)
    if request.format == "json":
        echo_json(show.table_json(comparisons))
    elif request.format == "html":
        echo(show.table_page(comparisons))
    else:
        on_terminal = terminal_width() is not None
        echo_report((show.table_text if on_terminal else show.table_markdown)(comparisons))
    request.context.exit(_differs(cell for _, cells in comparisons.rows for cell in cells))


def _transcripts(
    program: Program, chosen: list[Engine], printed: bool, why: str | None, seconds: float
) -> Iterator[Transcript]:
    from aspdoku.formalisms import transcripts
    from aspdoku.formalisms.case import Case

    case = Case.of(program)
    if printed:
        return transcripts.texts(chosen, case)
    return (
        transcripts.traces(chosen, case, seconds)
        if why is None
        else transcripts.reasons(chosen, case, why, seconds)
    )


def _chosen(wanted: tuple[str, ...], must_run: bool) -> list[Engine]:
    from aspdoku.formalisms.comparison import engines_named, require_available

    names = names_in(wanted)
    if wanted and not names:
        raise click.BadParameter("the name of an engine is missing", param_hint="--engine")
    try:
        chosen = engines_named(names)
    except AspdokuError as error:
        raise click.BadParameter(str(error), param_hint="--engine") from None
    if must_run and names:
        require_available(chosen)
    return chosen
