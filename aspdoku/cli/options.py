"""Options that commands share, and reading puzzles and composing programs from them."""

from __future__ import annotations

import math
import os
import re
import signal
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias, TypeVar

import click
from click import option

from aspdoku.cli import DEADLINE, JSON, NO_SOLUTION, TIME_UP
from aspdoku.cli.echo import echo, echo_json, echo_report, output_path, warn, write_to
from aspdoku.errors import AspdokuError, PuzzleError
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.signals import Postponing
from aspdoku.runtime.supervise import INTERRUPTED, limit_memory, limit_time, report_grounding
from aspdoku.writing import check_writable

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from aspdoku.program import Program, RuleFile
    from aspdoku.puzzle import Puzzle
    from aspdoku.questions.result import Result

SIZES = ("n", "box_rows", "box_columns")
Decorator: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]
Answer = TypeVar("Answer")
LONGEST = 10**6
ARGUMENTS = "aspdoku.arguments"  # the key in `Context.meta` of what follows the command
_LEAST_MEMORY = 100 * 10**6
# Seconds to wait for content on standard input, which some processes leave open and never write to.
_PIPE_WAIT = 1.0
_STANDARD_INPUT = re.compile(r"\s?-(?:#(.*))?")


class Completed(click.ParamType[Any]):
    """A text for which `aspdoku.cli.completion` has completions, by the `name` of the type."""

    def __init__(self, name: str) -> None:
        self.name = name

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The completions of a word."""
        from aspdoku.cli.completion import COMPLETIONS

        return COMPLETIONS[self.name](param, incomplete)


# The name of a rule or the path of a rule file; several are separated by commas.
RULE = Completed("rule")
# A puzzle: a file, `-`, a grid, a URL or `example:NAME`; see `puzzle_from`.
GRID = Completed("grid")
_GRID = click.argument("grid", required=False, type=GRID)
_GRIDS = click.argument("grids", nargs=-1, required=True, metavar="GRID...", type=GRID)


class _OutputFile(Completed):
    """The path of a file to write. (`click.Path` looks for a translation of its name: 1 ms.)"""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """The path. Raises OSError if it cannot be written."""
        path = Path(str(value))
        if path.is_dir():
            self.fail(f"File '{value}' is a directory.", param, ctx)
        if path != Path("-"):
            check_writable(path)
        return path


OUTPUT = _OutputFile("file")


class Command(click.Command):
    """A command with options that exclude each other, or require another one.

    excluding: groups of options, only one of which can be given
    requiring: options without which others have no effect, by these
    """

    def __init__(
        self,
        *args: Any,
        excluding: Sequence[str] = (),
        requiring: Mapping[str, str] | None = None,
        **attributes: Any,
    ) -> None:
        super().__init__(*args, **attributes)
        self._excluding, self._requiring = excluding, requiring or {}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; a blank before `-#2` keeps it from being parsed as an option."""
        ctx.meta[ARGUMENTS] = list(args)
        rest = super().parse_args(ctx, [f" {arg}" if arg.startswith("-#") else arg for arg in args])
        if ctx.resilient_parsing:
            return rest
        default = (None, click.core.ParameterSource.DEFAULT)
        source_of = ctx.get_parameter_source
        used = (each for each in self.params if source_of(str(each.name)) not in default)
        chosen = {name for parameter in used for name in parameter.opts}
        for group in self._excluding:
            names = [name for name in group.split() if name in chosen]
            if names[1:]:
                ctx.fail(f"{names[0]} and {names[1]} exclude each other")
        for name, needed in self._requiring.items():
            if name in chosen and needed not in chosen:
                ctx.fail(f"{name} requires {needed}")
        return rest


command = partial(click.command, cls=Command)


def seconds(value: str | float) -> float:
    """A time limit: a positive number of seconds."""
    try:
        number = float(value)
    except ValueError:
        raise click.BadParameter(f"'{value}' is not a number of seconds") from None
    if not 0 < number <= LONGEST:
        raise click.BadParameter(f"a time limit is more than 0 and at most {LONGEST} seconds")
    return number


# An option whose value is a time limit.
duration = partial(option, type=seconds, metavar="S")


def memory(value: str) -> int:
    """A number of bytes, optionally with K, M or G (powers of 1000)."""
    match = re.fullmatch(r"([0-9]{1,12}(?:\.[0-9]{1,6})?)([kKmMgG]?)[bB]?", value)
    if not match:
        raise click.BadParameter(f"'{value}' is not an amount of memory, such as 500M or 2G")
    size = int(float(match[1]) * {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}[match[2].lower()])
    if size < _LEAST_MEMORY:
        raise click.BadParameter(f"a memory limit is at least {_LEAST_MEMORY // 10**6}M")
    return size


_memory_limit_option = option(
    "--memory-limit",
    type=memory,
    metavar="SIZE",
    callback=lambda _, __, size: None if size is None else limit_memory(size),
    expose_value=False,
    help="Stop if more memory is needed, e.g. 500M or 2G.  [default: half of the machine's memory]",
)


@cache
def limit_options_with(default: float | None) -> Decorator:
    """--time-limit for the whole command (see `seconds_left`), and --memory-limit."""

    def limit(ctx: click.Context, _: click.Parameter, limit: float | None) -> None:
        if limit is not None:
            ctx.meta[DEADLINE] = Deadline(limit)
            limit_time(limit)

    words = "Stop after this many seconds and report the results so far."
    time_limit = duration(
        "--time-limit", default=default, callback=limit, expose_value=False, help=words
    )
    return lambda command: time_limit(_memory_limit_option(command))


limit_options = limit_options_with(None)


def each_limit_option(each: str, default: float | None = None) -> Decorator:
    """--time-limit-each, for a command that handles several items."""
    words = f"Seconds for each {each}."
    return duration("--time-limit-each", "each_limit", default=default, help=words)


def flag(*names: str, help: str) -> Decorator:  # noqa: A002  # as in click
    """An option without a value."""
    return option(*names, is_flag=True, help=help)


def natural(*names: str, least: int = 0, most: int | None = None, **attributes: Any) -> Decorator:
    """An option whose value is a natural number."""
    return option(*names, type=click.IntRange(least, most), **attributes)


def jobs_option(default: int, shown: str | bool = True) -> Decorator:
    """--jobs; `shown` is the default in the help text, if that is not the number."""
    attributes = {"default": default, "show_default": shown, "help": "Number of processes."}
    return natural("-j", "--jobs", least=1, most=1024, **attributes)


def seconds_left(default: float = math.inf) -> float:
    """Seconds until the time limit of the command; the default if none was given."""
    deadline: Deadline | None = click.get_current_context().meta.get(DEADLINE)
    return (deadline and deadline.time_limit()) or default


def shorter(limit: float | None) -> float:
    """The minimum of a limit and the rest of the command's time limit, in seconds."""
    return min(math.inf if limit is None else limit, seconds_left())


@contextmanager
def interrupted_at_time_limit() -> Iterator[None]:
    """Raise KeyboardInterrupt at the time limit; `interruption` tells it from Ctrl-C."""
    limit = seconds_left()
    # Windows has no setitimer: there, only --time-limit-each is enforced.
    if limit == math.inf or not hasattr(signal, "setitimer"):
        yield
        return

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, Postponing(interrupt))
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Request(NamedTuple):
    """The values of the options that all commands about a puzzle share."""

    context: click.Context
    grid: str | None
    format: str

    def program(self, effects: bool = False) -> Program:
        """The program that the options describe; warnings go to standard error.

        effects: also warn of clues without effect, which takes another grounding
        """
        settings = settings_from()
        puzzle = None if self.grid is None else puzzle_from(self.grid)
        if self.grid is None and not settings.keys() & set(SIZES):
            puzzle = piped_puzzle()
            if puzzle is None:
                warn("no grid given: using a blank 9x9 grid")
        program = program_of(puzzle or blank(settings), settings)
        warn(*program.warnings)
        if effects:
            from aspdoku.engine.clues import effect_warnings

            warn(*effect_warnings(program))
        return program

    def command(self, *words: str) -> str:
        """Another command, `aspdoku WORDS`, about the same program."""
        import shlex  # only for an error message

        names = {"--with": "with", "--without": "without", "-c": "constants", "--fact": "fact"}
        options = [(sign, value) for sign, name in names.items() for value in given(name)]
        grid = [] if self.grid is None else [self.grid]
        return shlex.join(["aspdoku", *words, *grid, *chain(*options)])

    def ask(
        self,
        question: Callable[..., Answer],
        *about: object,
        program: Program | None = None,
        effects: bool = False,
        **options: Any,
    ) -> Answer:
        """The answer about the program, as far as it is known at the time limit or Ctrl-C.

        question: a function with the arguments `time_limit` and `interruptible`. The result of one
            that does not search, and has no such arguments, goes directly to `finish`, as in
            `request.finish(question(request.program()))`.
        """
        program = program or self.program(effects)
        options = {"time_limit": seconds_left(), "interruptible": True} | options
        return question(program, *about, **options)

    def finish(
        self, result: Result, several: int = 0, summary: str = "", text: str = "", **search: Any
    ) -> NoReturn:
        """Print a result and the remarks on it, and exit with the status of its search.

        several: the exit status if there are several solutions
        summary: the last line on standard error, for text; `text` as for `print_result`
        search: the `status` of the search, how it `ended`, and `remarks`; by default those of the
            result
        """
        print_result(result, self.format, text)
        warn(*search.get("remarks", getattr(result, "remarks", ())))
        if summary and self.format == "text":
            echo(summary, err=True)
        status = search.get("status", getattr(result, "status", "some"))
        self.exit(status, search.get("ended", getattr(result, "ended", "complete")), several)

    def exit(self, status: str, ended: str | None, several: int = 0) -> NoReturn:
        """Exit with the status of a search: how many solutions there are, and how it ended."""
        self.context.exit(several if several and status == "several" else status_of(status, ended))

    @property
    def names_no_puzzle(self) -> bool:
        """Whether neither a grid nor rules, constants or facts are given."""
        return not (self.grid or any(map(given, ("with", "without", "constants", "fact"))))


TEXT_AND_JSON = ("text", "json")
WITH_PAGE = (*TEXT_AND_JSON, "html")
WITH_PICTURE = (*WITH_PAGE, "svg")
_SUFFIXES = WITH_PICTURE[1:]  # of -o, for these formats


def puzzle_command(
    short_help: str,
    formats: Sequence[str] = WITH_PAGE,
    before: Sequence[click.Argument] = (),
    seconds: float | None = None,
    several: bool = False,
    **attributes: Any,
) -> Callable[[Callable[..., None]], click.Command]:
    """A command about a puzzle, with GRID and the options that all such commands share. The
    decorated function gets a Request and the values of its own options.

    formats: choices of --format, the first one is the default; none for a command without it
    before: arguments before GRID
    several: whether the command takes several puzzles, GRID..., as its own parameter `grids`
    """

    def decorate(function: Callable[..., None]) -> click.Command:
        def run(ctx: click.Context, /, **values: Any) -> None:
            grid, format_ = values.pop("grid", None), values.pop("format_", "")
            function(Request(ctx, grid, format_), **values)

        return Command(
            function.__name__,
            callback=click.pass_context(run),
            params=[
                *before,
                *_params(_GRIDS if several else _GRID),
                *_params(rule_options, trust_option),
                *_params_of(function),
                *_params(limit_options_with(seconds)),
                *(_params(format_option(*formats)) if formats else ()),
            ],
            help=function.__doc__,
            short_help=short_help,
            **attributes,
        )

    return decorate


@cache  # a module has up to five commands, all of which are made to run one of them
def _params(*decorators: Callable[[Callable[..., None]], object]) -> list[click.Parameter]:
    """The parameters that decorators attach."""

    def command() -> None: ...

    for decorate in reversed(decorators):
        decorate(command)
    return _params_of(command)


def _params_of(function: Callable[..., object]) -> list[click.Parameter]:
    """The parameters that decorators have attached to a function, in their order."""
    return list(reversed(getattr(function, "__click_params__", [])))


def format_option(*formats: str) -> Decorator:
    """--format, with these choices; the first one is the default. And -o for these formats."""
    format_ = format_choice(*formats)
    suffixes = [f".{each}" for each in formats if each in _SUFFIXES]
    output = output_option(f"to this file, in the format of its suffix ({', '.join(suffixes)})")
    return lambda command: output(format_(command))


def format_choice(*formats: str) -> Decorator:
    """--format, with these choices; the first one is the default, which depends on -o."""
    page = "; html is a page with pictures" if "html" in formats else ""
    return option(
        "--format",
        "format_",
        type=click.Choice(formats),
        callback=_chosen_format,
        is_eager=True,  # so that errors in other options are also JSON
        help=f"Format of the output{page}.  [default: {formats[0]}]",
    )


def output_option(what: str) -> Decorator:
    """-o, for what the command would print."""
    return option(
        "-o",
        "--output",
        metavar="FILE",
        type=OUTPUT,
        callback=lambda _, __, path: write_to(None if path == Path("-") else path),
        expose_value=False,
        is_eager=True,  # so that errors are also written to it, and its suffix is known
        help=f"Write {what}, instead of standard output.",
    )


def _chosen_format(ctx: click.Context, option: click.Parameter, format_: str | None) -> str:
    """The format; by default that of the suffix of -o. If it is JSON, errors are JSON."""
    path = output_path()
    assert isinstance(option.type, click.Choice)
    suffix = path.suffix.lower() if path else ""
    if path and format_ is None and suffix not in ("", ".txt"):
        known = [f".{each}" for each in option.type.choices if each in _SUFFIXES]
        if suffix not in known:
            raise bad_output(
                f"unknown suffix of {path.name}: use one of .txt, {', '.join(known)}, or choose"
                " the format with --format"
            )
        format_ = suffix[1:]
    format_ = format_ or option.type.choices[0]
    ctx.meta[JSON] = format_ == "json"
    return format_


def bad_output(message: str, name: str = "-o") -> click.BadParameter:
    """The error for a file that cannot be the output."""
    return click.BadParameter(message, param_hint=name)


def require_page(path: Path, name: str = "-o") -> None:
    """Fail if the suffix of a file is not that of a page."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise bad_output(f"{path.name} would be a page: use the suffix .html", name)


def require_packages(command: str, needed: str, extra: str, *modules: str) -> None:
    """Raise AspdokuError if a module is missing that a command needs and an extra installs."""
    from importlib.util import find_spec

    if not all(map(find_spec, modules)):
        advice = f"install it with: pip install 'aspdoku[{extra}]'"
        raise AspdokuError(f"aspdoku {command} needs {needed}; {advice}")


def _kept(names: str, **attributes: Any) -> Decorator:
    """An option whose value `given` returns, under the name of its parameter."""

    def keep(ctx: click.Context, parameter: click.Parameter, value: object) -> None:
        ctx.meta[f"aspdoku.{parameter.name}"] = value

    return option(*names.split(), expose_value=False, callback=keep, **attributes)


def given(name: str) -> Any:
    """The value of a shared option: "with", "without", "fact", ...; None if there is none."""
    return click.get_current_context().meta.get(f"aspdoku.{name}")


def is_given(name: str) -> bool:
    """Whether the user gave the option of this parameter, even with its default value."""
    source = click.get_current_context().get_parameter_source(name)
    return source is not click.core.ParameterSource.DEFAULT


_several = partial(_kept, multiple=True)
_rules = partial(_several, metavar="RULE", type=RULE)
without_option = _rules("--without", help="Retract a rule (adds the fact ab(RULE)).")
constants_option = _several(
    "-c constants", metavar="NAME=VALUE", help="Set a constant; n=6 for a blank 6x6 grid."
)
size_option = natural(
    "--size", least=1, most=100, default=9, help="Number of rows of the largest grid."
)
trust_option = _kept(
    "--trust",
    is_flag=True,
    help="Let a puzzle name any rule file by its path, not only .lp files in its own folder.",
)
fact_option = _several(
    "--fact",
    metavar="FACT",
    help="Add a fact to the puzzle, e.g. 'even(3,4)', or the exception 'ab(offset,5)'.",
)
_with_option = _rules(
    "--with", help="Add a rule: a name that `aspdoku rules` lists, or the path of an .lp file."
)
_force_option = _kept(
    "--force", is_flag=True, help="Use a rule file in spite of undefined predicates."
)


def rule_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """--with, --without, -c, --fact and --force: the rules of a program, and facts for them."""
    for decorate in (fact_option, _force_option, constants_option, without_option, _with_option):
        command = decorate(command)
    return command


def program_of(puzzle: Puzzle, settings: dict[str, str], rules: Sequence[RuleFile] = ()) -> Program:
    """The program for a puzzle with the rules and facts of `rule_options`, and with more rules."""
    from aspdoku.questions.source import compose

    program = compose(
        puzzle,
        *names_in("with"),
        *rules,
        without=names_in("without"),
        constants=settings,
        facts=given("fact"),
        trust=bool(given("trust")),
        force=given("force"),
    )
    report(program)
    return program


def report(program: Program) -> None:
    """Report the program to the supervising process, for its message if memory runs out."""
    report_grounding(
        program.text, [(part.rule.place, part.first_line, part.last_line) for part in program.parts]
    )


def settings_from() -> dict[str, str]:
    """The values of -c by their names."""
    settings: dict[str, str] = {}
    for text in given("constants"):
        name, equals, value = map(str.strip, text.partition("="))
        if not equals:
            raise _bad_constant(f"'{text}' is not of the form NAME=VALUE")
        if (before := settings.setdefault(name, value)) != value:
            raise _bad_constant(f"{name} has two values, {before} and {value}")
    return settings


def _bad_constant(message: str) -> click.BadParameter:
    return click.BadParameter(message, param_hint="-c")


def puzzle_from(grid: str) -> Puzzle:
    """The puzzle in a file, in standard input for `-` or `-#2`, or in the argument itself."""
    from aspdoku.formats.detection import from_standard_input, read_argument

    index = standard_input_index(grid)
    if index is None:
        return read_argument(grid)
    return from_standard_input(standard_input(), index).puzzle()


def standard_input() -> bytes:
    """The content of standard input, up to a byte more than a puzzle may have."""
    from aspdoku.formats.detection import MAX_FILE_SIZE

    return sys.stdin.buffer.read(MAX_FILE_SIZE + 1) if sys.stdin else b""


def standard_input_index(grid: str) -> int | None:
    """The index in `-#2`, 0 for `-`, None for another argument. Raises PuzzleError."""
    from aspdoku.formats.detection import INDEX

    match = _STANDARD_INPUT.fullmatch(grid)
    if not match:
        return None
    if match[1] is not None and not INDEX.fullmatch(match[1]):
        raise PuzzleError(
            f"invalid index {match[1]!a}: puzzles are counted from 1, e.g. -#1", "standard input"
        )
    return int(match[1] or 0)


def piped_puzzle() -> Puzzle | None:
    """The puzzle that is piped into the command without `-`; None if nothing is. Standard input is
    only read if it is a file, a pipe or a socket that has content: a command may have inherited one
    that is empty, or one that nothing will ever be written to.
    """
    from select import select

    from aspdoku.formats.detection import from_standard_input

    try:
        descriptor = sys.stdin.fileno()
        mode = os.fstat(descriptor).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
            return None
        if not select([descriptor], [], [], _PIPE_WAIT)[0]:
            warn("standard input is open but has no content yet: to wait for it, write -")
            return None
        content = standard_input()
    except (AttributeError, OSError, ValueError):  # closed, or not backed by a file
        return None
    return from_standard_input(content).puzzle() if content.strip() else None


def blank(settings: dict[str, str], size: int = 9) -> Puzzle:
    """A blank grid with the size and box shape in the settings; removes these settings."""
    from aspdoku.puzzle import Puzzle

    sizes = {name: _number(name, settings.pop(name)) for name in SIZES if name in settings}
    size = sizes.get("n", size)
    rows, columns = sizes.get("box_rows"), sizes.get("box_columns")
    for side in filter(None, (rows, columns)):
        if size % side:
            raise _bad_constant(f"a box of a {size}x{size} grid cannot have {side} rows or columns")
    if rows is None and columns is None:
        return Puzzle.blank(size)
    return Puzzle.blank(size, (rows or size // (columns or 1), columns or size // (rows or 1)))


def status_of(status: str, ended: str | None) -> int:
    """The exit status for a search with this result."""
    if status == "none":
        return NO_SOLUTION
    return {"time": TIME_UP, "interrupted": INTERRUPTED}.get(ended or "interrupted", 0)


def print_result(result: Result, format_: str, text: str = "") -> None:
    """Print a result as text, JSON, ...; `text` is what is left of its text, if not all."""
    if format_ == "json":
        echo_json(result.to_json())
    elif format_ == "text":
        echo_report(text or str(result))
    else:
        echo(getattr(result, f"to_{format_}")())


def names_in(values: str | tuple[str, ...], option: str = "") -> list[str]:
    """The names, separated by commas, in a repeatable option or in the values of this one."""
    texts = given(values) if isinstance(values, str) else values
    named = [[name for each in text.split(",") if (name := each.strip())] for text in texts]
    if [] in named:
        raise click.BadParameter("the name is missing", param_hint=option or f"--{values}")
    return [name for names in named for name in names]


def _number(name: str, value: str) -> int:
    if not (value.isascii() and value.isdigit() and int(value[:9]) > 0 and len(value) < 10):
        raise _bad_constant(f"{name} is a positive number of a few digits, not '{value[:20]}'")
    return int(value)
