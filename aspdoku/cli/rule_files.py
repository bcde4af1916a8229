"""`aspdoku rules`, `new`, `format`, `check`, `test`, `equal`, `program`: for authors of rules."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click import option

from aspdoku.cli import TIME_UP, interruption, options
from aspdoku.cli.echo import echo, echo_json, echo_report, warn
from aspdoku.runtime.supervise import INTERRUPTED, memory_limit
from aspdoku.writing import check_writable, write

if TYPE_CHECKING:
    from aspdoku.lecture.grading import Assessment, Exercise, Verdict
    from aspdoku.program.messages import Message
    from aspdoku.runtime.child import Limits


_files = click.argument(
    "files", nargs=-1, required=True, metavar="FILE.lp...", type=click.Path(path_type=Path)
)


@click.command(short_help="List the rules, those about some words, or print the file of one.")
@click.argument("name", nargs=-1, metavar="[NAME | WORD...]", type=options.RULE)
@options.format_option("text", "json")
def rules(name: tuple[str, ...], format_: str) -> None:
    """List the rules with their inputs, and the vocabulary.

    With the NAME of a rule, print its file, and to standard error the other rules that have this
    word; with other words, list the rules that have them in their names, titles, inputs or
    wordings.
    """
    from aspdoku.errors import RuleError
    from aspdoku.program.library import find, rule_names, vocabulary
    from aspdoku.questions import source

    known, about = {rule.name: rule for rule in vocabulary().values()}, " ".join(name)
    if not name:
        listed = source.rules()
        options.print_result(listed, format_, f"{listed}\n\n{source.vocabulary_text()}")
        for missing in sorted(set(rule_names()) - {rule.name for rule in listed}):
            warn(f"{missing} on ASPDOKU_PATH is not a rule file: see aspdoku rules {missing}")
        return
    try:
        listed = source.RuleFiles([known.get(about) or find(about)])
    except RuleError:
        if not (listed := source.rules(about)):
            if len(about.split()) > 1:  # not the name of a rule
                raise RuleError(f"no rule has all these words: {about}") from None
            raise
    else:
        if format_ == "text":
            echo(listed[0].text, nl=False)
            others = [rule.name for rule in source.rules(about) if rule.name != about]
            if others:
                echo(f"other rules with this word: {', '.join(others)}", err=True)
            return
    options.print_result(listed, format_)


@click.command(short_help="Create templates for the files of a new rule.")
@click.argument("name")
def new(name: str) -> None:
    """Create NAME.lp, a template for a new rule file, NAME.words, for the rule in words, and
    NAME.examples, for grids that it has to allow or to forbid.
    """
    from aspdoku.errors import RuleError
    from aspdoku.program.templates import examples_template, rule_template, words_template

    file, words, examples = (Path(f"{name}.{each}") for each in ("lp", "words", "examples"))
    texts = {
        file: rule_template(name),
        words: words_template(name),
        examples: examples_template(name),
    }
    if existing := [str(each) for each in texts if os.path.lexists(each)]:
        raise RuleError(f"{existing[0]} already exists and was not changed")
    for each, text in texts.items():
        write(each, text, new=True)
    echo(f"wrote {file}, {words} and {examples}; write your rule into them, then run\n")
    echo(
        f"  aspdoku check {file}\n  aspdoku test ./{file}\n  aspdoku solve --with ./{file} grid.txt"
    )


@click.command(short_help="Put the blanks and lines of rule files in order.")
@_files
@option("--check", is_flag=True, help="Change nothing: only name the files that would change.")
@click.pass_context
def format(ctx: click.Context, files: tuple[Path, ...], check: bool) -> None:  # noqa: A001
    """Format rule files and .gen files in place: blanks, indentation and blank lines become those
    of the bundled files. Line breaks, comments and strings stay, and clingo reads the same program.

    The FILE - is standard input, whose text is printed formatted. A file that does not parse stays
    as it is.

    Exit status: 0 all files are formatted; 1 with --check, a file would change; 65 a file cannot be
    read or written, or does not parse.
    """
    from aspdoku.errors import RuleError
    from aspdoku.formats.detection import STANDARD_INPUT
    from aspdoku.program import RuleFile
    from aspdoku.program.formatting import formatted

    if not check and Path("-") in files and len({*files}) > 1:
        raise click.UsageError("- is printed: format it without other files, or use --check")
    errors, status = [], 0
    for file in dict.fromkeys(files):
        is_file = file != Path("-")
        try:
            if is_file:
                rule = RuleFile.read(file)
            else:
                rule = RuleFile.from_bytes(options.standard_input(), STANDARD_INPUT)
            text = formatted(rule)
        except RuleError as error:
            errors.append(str(error))
            continue
        if not is_file and not check:
            echo(text, nl=False)
        elif text != rule.text and check:
            echo_report(f"{rule.place}: would change")
            status = 1
        elif text != rule.text:
            try:
                check_writable(file)  # although the folder may allow to replace it
                write(file, text)
            except OSError as error:
                errors.append(f"{rule.place} cannot be written: {error.strerror}")
                continue
            echo_report(f"{rule.place}: formatted")
    if errors:
        raise RuleError("\n".join(errors))
    ctx.exit(status)


# The formats of `check --against` that other programs define.
_AUTOGRADERS = ("junit", "gradescope")
# Bytes of memory that each file may use if several are graded at once.
_MEMORY_EACH = 250 * 10**6
_EXERCISE = ("--size", "--without", "--jobs", "--fail-on", "--points")
_PROCESSORS = (
    len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
)


@options.command(
    short_help="Lint rule files, or grade them against a reference.",
    requiring=dict.fromkeys(_EXERCISE, "--against"),
)
@_files
@option(
    "--against",
    metavar="RULE",
    type=options.RULE,
    help="Grade the files: is each equivalent to this rule?",
)
@options.size_option
@options.without_option
@option(
    "--fail-on",
    type=click.Choice(("not-right", "not-compared", "never")),
    default="not-right",
    help="With --against: the files for which the exit status is 1 or 2.",
)
@options.natural(
    "--points",
    least=1,
    most=10**6,
    help="Points for a right file, in --format gradescope.  [default: 1]",
)
@options.jobs_option(_PROCESSORS, "that of the processors")
@options.each_limit_option("file", 20)
@options.limit_options
@options.format_option(*options.WITH_PAGE, *_AUTOGRADERS)
@click.pass_context
def check(
    ctx: click.Context,
    files: tuple[Path, ...],
    against: str | None,
    size: int,
    fail_on: str,
    points: int | None,
    jobs: int,
    each_limit: float,
    format_: str,
) -> None:
    """Check rule files: syntax, unsafe variables, unknown predicates, changes of the base, and
    whether grounding ends, for which it may take half of --time-limit-each. Warn about single
    variables, and about rules that no grid satisfies. The .draw, .gen, .words and .examples files
    next to a rule file are also checked; .gen and .examples may take a quarter each.

    With --against, grade each file: show grids that it forbids or allows, unlike RULE.
    The text of a RULE that is not bundled is never shown, and symbolic links are not followed.
    --format junit and gradescope are for automatic graders. All options but the limits, -o and
    --format require --against.

    Exit status: 0 no errors, or all files equivalent; 1 errors, or a file that is not
    equivalent; 2 unreadable file or wrong usage; 124 time limit. --fail-on not-compared: 0 also for
    files that are wrong; never: 0 if all files have been graded.

    \b
    aspdoku check mine.lp
    aspdoku check anna.lp bert.lp --against anti-knight
    """
    if against is not None:
        if format_ != "gradescope" and points is not None:
            raise click.UsageError(
                "--points requires --format gradescope: the other formats have verdicts, no points"
            )
        from aspdoku.lecture.grading import Exercise

        jobs, limits = _limits(min(jobs, len(files)), each_limit)
        exercise = partial(Exercise.of, against, size, options.names_in("without"), limits)
        assessments, status = _graded(files, exercise, jobs, format_, points or 1)
        ctx.exit(status or _status({each.verdict for each in assessments}, fail_on))
    if format_ == "html":
        raise click.UsageError("a page (--format html, -o FILE.html) requires --against")
    if format_ in _AUTOGRADERS:
        raise click.UsageError(f"--format {format_} requires --against")
    from aspdoku.questions import check as show

    def print_findings(messages: list[Message]) -> None:
        if format_ != "json":
            echo_report(show.quoted(messages))

    reports = []
    for file in dict.fromkeys(files):
        checked = show.check(file, time_limit=each_limit, on_findings=print_findings)
        if not checked.findings and format_ != "json":
            echo_report(str(checked))
        reports.append(checked)
    if format_ == "json":
        echo_json(show.checks_json(reports))
    severities = {finding.severity for each in reports for finding in each.findings}
    for note in chain.from_iterable(each.notes for each in reports):
        echo(f"note: {note}", err=True)
    ctx.exit(2 if "unreadable" in severities else 1 if severities - {"warning", "note"} else 0)


def _status(verdicts: set[Verdict], fail_on: str) -> int:
    from aspdoku.lecture.grading import COMPARED

    if fail_on == "never":
        return 0
    accepted = {"right"} if fail_on == "not-right" else COMPARED
    return 2 if "cannot be read" in verdicts else 0 if verdicts <= accepted else 1


def _limits(jobs: int, seconds: float) -> tuple[int, Limits]:
    """How many files are graded at once, and the limits of each."""
    from aspdoku.runtime.child import DEFAULT_LIMITS, Limits

    memory = DEFAULT_LIMITS.memory
    if limit := memory_limit():
        # One file must not take the memory of all: then the whole command would be ended. Fewer
        # at a time are slower, but their verdicts do not depend on the number of processors.
        jobs = max(1, min(jobs, limit // _MEMORY_EACH - 1))
        memory = min(memory, limit // (jobs + 1))
    return jobs, Limits(seconds, memory)


def _graded(
    files: tuple[Path, ...], reference: Callable[[], Exercise], jobs: int, format_: str, points: int
) -> tuple[list[Assessment], int]:
    """Grade the files and report on them in order; the exit status of an interruption, else 0."""
    from aspdoku.lecture.grading import assess_all
    from aspdoku.questions import check as show

    assessments: list[Assessment] = []
    status = 0
    try:
        with options.interrupted_at_time_limit():
            exercise = reference()
            for assessment in assess_all(files, exercise, jobs):
                assessments.append(assessment)
                if format_ == "text":
                    end = "\n" if len(files) > 1 else ""
                    echo_report(show.grading_text(assessment, exercise.display_name) + end)
    except KeyboardInterrupt:
        if not assessments:
            raise
        status = interruption(f"; {len(assessments)} of {len(files)} files graded")
    name = exercise.display_name
    if format_ == "json":
        echo_json(show.grading_json(assessments, name))
    elif format_ == "junit":
        echo(show.junit_xml(assessments, name))
    elif format_ == "gradescope":
        echo_json(show.gradescope_results(assessments, name, points))
    elif format_ == "html":
        echo(show.grading_page(assessments, exercise))
    elif len(files) > 1:
        echo_report(show.grading_summary(assessments))
    return assessments, status


@options.command(short_help="Test a rule by examples: grids, puzzles.")
@click.argument("rule", type=options.RULE)
@click.argument("file", required=False, type=click.Path(path_type=Path), metavar="[FILE.examples]")
@options.limit_options_with(default=60)
@options.format_option(*options.WITH_PAGE, "junit")
@click.pass_context
def test(ctx: click.Context, rule: str, file: Path | None, format_: str) -> None:
    """Test a rule by the examples in FILE.examples, by default the file next to that of RULE with
    this suffix: grids that it has to allow or to forbid, and puzzles with their solutions.

    If all of them pass, print grids on which they say nothing: one that RULE allows and other
    likely readings of it forbid, and one that it forbids and they allow. The readings are bundled
    rules and RULE with one change.

    Exit status: 0 all examples passed, 1 one failed, 65 bad input, 124 one was not decided within
    the time limit, 130 interrupted.

    \b
    aspdoku test ./mine.lp
    aspdoku test anti-knight knight.examples
    """
    from aspdoku.questions.test import judge

    tested = judge(rule, file, time_limit=options.seconds_left())
    options.print_result(tested, format_)
    warn(*tested.remarks)
    ctx.exit({"passed": 0, "failed": 1, "undecided": TIME_UP}[tested.status])


UNDECIDED = 4


@options.command(short_help="Decide whether two rules are equivalent.")
@click.argument("one", type=options.RULE)
@click.argument("two", type=options.RULE)
@click.argument("grid", required=False, type=options.GRID)
@options.fact_option
@options.size_option
@options.without_option
@options.constants_option
@options.limit_options_with(default=60)
@options.format_option(*options.WITH_PAGE)
@click.pass_context
def equal(
    ctx: click.Context, one: str, two: str, grid: str | None, size: int, format_: str
) -> None:
    """Are two rules equivalent, given the base?

    Searches, from 4x4 upwards, for a grid that violates one rule and satisfies the other, over all
    inputs, or over those of GRID. Of cages and lines, some are invented for each size. The facts of
    --fact hold in every grid. The first size that shows a difference is the last one; -c n=6 is
    --size 6.

    Exit status: 0 equivalent, 1 not equivalent, 4 undecided within the time limit, 65 bad input,
    130 interrupted.

    \b
    aspdoku equal slides/anti-knight-distance anti-knight
    aspdoku equal slides/anti-knight-distance anti-knight --without row,column
    aspdoku equal anti-knight ./except-fives.lp --fact 'ab(anti_knight,5)'
    """
    from aspdoku.lecture.equivalence import blank_grids
    from aspdoku.program import assemble
    from aspdoku.program.compose import about_own_rules
    from aspdoku.program.diagnostics import unknown_exceptions, unused_constants, unused_facts
    from aspdoku.program.library import find, game
    from aspdoku.program.rulefile import SIZES
    from aspdoku.questions.equal import equivalent
    from aspdoku.questions.source import with_facts

    first, second = find(one), find(two)
    settings = options.settings_from()
    if grid is not None and settings.keys() & set(SIZES):
        raise click.UsageError("GRID determines the size, not -c")
    if set(SIZES[1:]) & settings.keys():
        raise click.UsageError("for boxes of another shape, name a blank GRID that has them")
    puzzle = options.puzzle_from(grid) if grid is not None else None
    stated = size if options.is_given("size") else None
    size = puzzle.size if puzzle else options.blank(settings, size).size
    if stated not in (None, size):
        other = "GRID" if grid else "-c"
        raise click.UsageError(f"--size {stated} contradicts {other}: {size} rows")
    if puzzle:
        ignored = "of the puzzle is ignored: only its grid and facts are used"
        warn(*(f"rule {name} {ignored}" for name in puzzle.elaborations))
        warn(*(f"unsupported and ignored: {text}" for text in puzzle.unsupported))
    smallest = with_facts(puzzle or blank_grids(size)[0], options.given("fact"))
    rules = [*game(), first, second]
    options.report(assemble(smallest, rules))
    added = smallest.facts[len(puzzle.facts) if puzzle else 0 :]
    unused = (fact for fact in added if any(unused_facts(rules, (fact,))))
    warn(
        *about_own_rules(rules),
        *unknown_exceptions(rules, added),
        *(f"no effect of {fact}: neither rule uses it" for fact in unused),
        *unused_constants(rules, settings),
    )
    comparison = equivalent(
        first,
        second,
        puzzle,
        size=size,
        without=options.names_in("without"),
        constants=settings,
        facts=options.given("fact"),
        time_limit=options.seconds_left(),
        interruptible=True,
    )
    options.print_result(comparison, format_)
    if comparison.data.interrupted:
        warn("interrupted: larger grids were not compared")
        ctx.exit(INTERRUPTED)
    ctx.exit({"same": 0, "undecided": UNDECIDED}.get(comparison.relation, 1))


@options.puzzle_command("Print the composed program, for plain clingo.", formats=())
@options.output_option("the program to this file")
def program(request: options.Request) -> None:
    """Print the program that `solve` would run, for plain clingo.

    It contains the rule files byte for byte, each below a comment with its name. The Python package
    clingo, which aspdoku requires, can be run as a command:

    \b
    aspdoku program example:killer | python -m clingo --eq=0 --project=project 0 -
    """
    echo(request.program().text, nl=False)
