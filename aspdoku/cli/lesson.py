"""Demonstrations of elaboration tolerance: `aspdoku elaborate`, `compare` and `learn`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click
from click import option

import aspdoku
from aspdoku.cli import NO_SOLUTION, TIME_UP, interruption, options
from aspdoku.cli.echo import colour, echo, echo_report, warn, write_to
from aspdoku.runtime.progress import note
from aspdoku.runtime.supervise import INTERRUPTED

if TYPE_CHECKING:
    from aspdoku.formalisms.comparison import EngineResult
    from aspdoku.formalisms.engine import Engine
    from aspdoku.program import Program
    from aspdoku.puzzle import Solution
    from aspdoku.questions.elaborate import ElaborationTables
    from aspdoku.questions.tolerance import Tolerance

# Default time limit in seconds: the grounding of a rule that is reported on may be infinite.
_SECONDS = 60.0
DIFFERS = 1


@options.puzzle_command(
    "Show what each elaboration changes and preserves.", requiring={"--grid": "--over"}
)
@options.flag(
    "--all",
    "all_",
    help="Print a table of all named rules, over our base and over the slides' base.",
)
@option(
    "--puzzles",
    metavar="PATH",
    type=options.Completed("file"),
    multiple=True,
    help="Print a table of the puzzles in this file or folder, over both bases.",
)
@options.flag("--diff", help="Also print the diff of the program text.")
@option(
    "--over",
    metavar="RULE",
    type=options.RULE,
    help="Use another base, e.g. slides/base, without our default rules.",
)
@option(
    "--grid",
    "played",
    metavar="NAME/3",
    help="The predicate of the other base that plays the part of a/3, e.g. sudoku/3.",
)
@options.flag(
    "--brief", help="Omit the default rules, the summary of all elaborations, and the footnotes."
)
@options.natural("--limit", least=1, default=1000, help="Count solutions up to this many.")
def elaborate(
    request: options.Request,
    all_: bool,
    puzzles: tuple[str, ...],
    diff: bool,
    over: str | None,
    played: str | None,
    brief: bool,
    limit: int,
) -> None:
    """Show what each elaboration changes and preserves: text, contract, ground program, solutions.

    Prints one report for each elaboration, compared with the program before it, and one for all
    together. The default time limit is 60 seconds; --all and --puzzles have none.

    --puzzles measures collections: how much the rules of each puzzle add to the base, and whether
    all of the base remains. A folder is read with those inside, each a row, as is a file with
    several puzzles. In a file .jsonl, each line is an object with the `puzzle` or its `url`.

    Exit status: 0, 124 if the time limit left a question open, 130 interrupted.

    \b
    aspdoku elaborate --with anti-knight grid.txt
    aspdoku elaborate --brief --with chain --without box strimko.txt
    aspdoku elaborate --brief --over slides/base --without box -c n=4
    aspdoku elaborate --brief --over anna.lp --grid sudoku/3 --with anti-knight
    aspdoku elaborate --all
    aspdoku elaborate --puzzles instances
    """
    if all_ and puzzles:
        raise click.UsageError("--all reports on rules and --puzzles on puzzles: use one of them")
    if (all_ or puzzles) and (not request.names_no_puzzle or over or brief):
        about = "--all reports on all named rules" if all_ else "--puzzles reports on puzzles"
        raise click.UsageError(
            f"{about} over both bases: it takes no grid, rules, constants, facts, --over or --brief"
        )
    if puzzles:
        from aspdoku.questions.tolerance import measured

        _print_table(request, partial(measured, list(map(Path, puzzles))))
    from aspdoku.questions.elaborate import elaborate_all, elaboration_text

    if all_:
        _print_table(request, elaborate_all)
    seconds = options.seconds_left(_SECONDS)
    report = request.ask(aspdoku.elaborate, time_limit=seconds, limit=limit, over=over, grid=played)
    if brief:
        report = replace(report, data=report.data.asked_for)
    text = elaboration_text(report.data, diff, colour(), footnotes=not brief)
    options.print_result(report, request.format, text)
    if report.data.interrupted:
        warn(f"interrupted after step {len(report.data.steps)}: the report is incomplete")
        request.context.exit(INTERRUPTED)
    request.context.exit(0 if report.complete else TIME_UP)


def _print_table(
    request: options.Request, question: Callable[..., ElaborationTables | Tolerance]
) -> NoReturn:
    """Print a table, each row when it is known, and exit."""
    rows: list[str] = []

    def show(row: str) -> None:
        rows.append(row)
        if request.format == "text":
            echo_report(row)

    table = question(time_limit=options.seconds_left(), on_row=show)
    options.print_result(table, request.format, f"\n{table.notes()}" if rows else "")
    if not table.complete:
        warn("time limit reached: the table is incomplete")
    request.context.exit(0 if table.complete else TIME_UP)


@options.puzzle_command(
    "Run other formalisms on the same puzzle and compare.",
    excluding=["--table --print --trace --why --diff"],
)
@option(
    "--engine",
    "wanted",
    metavar="NAME",
    type=options.Completed("engine"),
    multiple=True,
    help="Only run this engine; several names are separated by commas.",
)
@options.each_limit_option("engine", _SECONDS)
@options.flag("--diff", "diffs", help="Print all changes of each encoding.")
@options.flag(
    "--print",
    "printed",
    help="Print the encodings as the engines read them, without running anything.",
)
@options.flag("--trace", help="Print the inference steps of the engines that report them.")
@option("--why", metavar="r3c2=3", help="Print the reasoners' explanation of a claim.")
@options.flag("--table", help="Print a table of all formalisms and the lecture's elaborations.")
def compare(
    request: options.Request,
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
    from aspdoku.formalisms import comparison
    from aspdoku.questions import compare as show

    names = options.names_in(wanted, "--engine")
    chosen = comparison.engines_named(names)
    if names and not printed:
        comparison.require_available(chosen)
    if table:
        if not request.names_no_puzzle:
            raise click.UsageError("--table uses its own puzzles: it takes no grid and no rules")
        with options.interrupted_at_time_limit():
            comparisons = show.ComparisonTable(comparison.formalism_table(chosen, each_limit))
        options.print_result(comparisons, request.format)
        cells = (cell.status for _, cells in comparisons.data.rows for cell in cells)
        request.context.exit(_status(cells))
    program = request.program()
    if printed or trace or why is not None:
        seconds = options.shorter(each_limit)
        with options.interrupted_at_time_limit():
            made = comparison.transcripts(program, chosen, printed, why, seconds)
        options.print_result(show.Transcripts(made), request.format)
        return
    request.context.exit(_compare(request, program, chosen, each_limit, diffs))


def _compare(
    request: options.Request, program: Program, engines: list[Engine], seconds: float, diffs: bool
) -> int:
    """Print a row for each engine as it ends, then the comparison; the exit status."""
    from aspdoku.formalisms.comparison import compare_formalisms, reference_answer
    from aspdoku.questions import compare as show

    answer = reference_answer(program, options.shorter(seconds))
    rows: list[EngineResult] = []
    in_words = request.format == "text"
    if in_words:
        echo(show.header_text())
    status = 0
    try:
        with options.interrupted_at_time_limit():
            for engine in engines:
                note(engine.title)
                for row in compare_formalisms(program, [engine], options.shorter(seconds), answer):
                    rows.append(row)
                    if in_words:
                        echo_report(show.row_text(row))
    except KeyboardInterrupt:  # the rows so far are reported
        status = interruption(f" at {engines[len(rows)].name}")
    comparison = show.FormalismComparison(program, answer, tuple(rows), diffs)
    text = "\n".join(f"\n{part}" for part in comparison.parts(colour()))
    options.print_result(comparison, request.format, text)
    return status or _status(row.status for row in rows)


def _status(statuses: Iterable[str]) -> int:
    return DIFFERS if {"differs", "failed"} & {*statuses} else 0


@options.command(short_help="Find a rule by examples and questions.", excluding=["--play --rule"])
@click.argument("grids", nargs=-1, metavar="[GRID]...", type=options.GRID)
@option(
    "--rule",
    metavar="RULE",
    type=options.RULE,
    help="Learn this rule: it answers, and allows three random grids if no GRID is given.",
)
@options.flag("--play", help="Ask you.")
@option(
    "--space",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The rules to choose from, instead of asp/hypotheses.lp.",
)
@options.natural("--questions", most=1000, default=20, help="Ask at most so many questions.")
@option(
    "-o",
    "--output",
    metavar="FILE.lp",
    type=options.OUTPUT,
    help="Write the rule to this file.",
)
@options.natural(
    "--size", least=1, most=100, default=6, help="Number of rows, if no GRID is given."
)
@options.without_option
@options.limit_options
@options.format_choice(*options.TEXT_AND_JSON)
@click.pass_context
def learn(
    ctx: click.Context,
    /,
    grids: tuple[str, ...],
    rule: str | None,
    play: bool,
    output: Path | None,
    format_: str,
    **wanted: Any,
) -> None:
    """Find the rule that solved grids have in common, by questions about other grids.

    Each GRID is solved and allowed by the rule. With --play or --rule, questions follow: is this
    grid allowed? clingo chooses grids that about half of the remaining rules forbid. The rules to
    choose from are in a file, asp/hypotheses.lp, which --space replaces: the bundled rules without
    inputs, and pairs of cells with relations between their numbers.

    Exit status: 0 one rule was found, or several that no grid separates; 1 several rules fit, or
    RULE is another one; 20 no rule fits.

    \b
    aspdoku learn --rule anti-knight --size 6
    aspdoku learn --play solved1.txt solved2.txt -o mine.lp
    """
    if output == Path("-"):
        raise click.UsageError("-o names a file: standard output has the questions and the result")
    if output and output.exists():
        raise click.UsageError(f"{output} already exists: choose another name with -o")
    puzzles = [options.puzzle_from(grid) for grid in grids]
    if options.is_given("size") and any(each.size != wanted["size"] for each in puzzles):
        raise click.UsageError(f"--size {wanted['size']} contradicts GRID: {puzzles[0].size} rows")
    without, seconds = options.names_in("without"), options.seconds_left()
    answer = _ask if play else rule
    learned = aspdoku.learn(puzzles, answer, without=without, time_limit=seconds, **wanted)
    options.print_result(learned, format_)
    if output and learned.status == "found":
        write_to(output)
        echo(learned.rules[0].text, nl=False)
    elif output:
        warn(f"{output} is not written: no single rule was found")
    ctx.exit(0 if learned else NO_SOLUTION if learned.status == "none" else 1)


def _ask(grid: Solution) -> bool | None:
    """The answer of the user; None at the end of the input."""
    from aspdoku.questions.text import grid as grid_text

    echo(f"{grid_text(grid)}\n", err=True)
    try:
        return click.confirm("Is this grid allowed?", err=True)
    except click.Abort:
        return None
