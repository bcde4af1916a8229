"""`aspdoku generate`, `minimise`, `complete` and `review`: making puzzles."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click import option

import aspdoku
from aspdoku.cli import options
from aspdoku.cli.echo import echo, output_path, warn, write_to
from aspdoku.cli.solving import SEVERAL, refuse
from aspdoku.writing import check_writable, write

if TYPE_CHECKING:
    from aspdoku.generation.generator import GeneratedPuzzle

INSUFFICIENT = FAILED = 1
# Options that make no difference to the puzzles.
_ELSEWHERE = ("-o", "--output", "--format", "--time-limit", "--memory-limit")
_SECONDS = 60.0


def _output(_: click.Context, __: click.Parameter, path: str | None) -> str | None:
    if path and path != "-" and not _is_folder(path):
        write_to(Path(path))
    return path


def _is_folder(path: str) -> bool:
    return path.endswith(("/", os.sep)) or Path(path).is_dir()


def _numbers_of_clues(
    _ctx: click.Context, _param: click.Parameter, value: str | None
) -> int | dict[str, int] | None:
    if value is None:
        return None
    if value.isdecimal():
        return int(value)
    pairs = [text.rpartition("=") for text in options.names_in((value,), "--clues")]
    found = {name: int(number) for name, _, number in pairs if name and number.isdecimal()}
    if len(found) < len(pairs):
        raise click.BadParameter(
            f"'{value}' is neither a number nor a list such as killer=6,thermo=2 of different rules"
        )
    return found


@options.command(short_help="Make new puzzles by any rules.", excluding=["--size --like"])
@options.rule_options
@options.trust_option
@options.natural("--size", least=1, most=99, help="Size of the grid.  [default: 9]")
@option(
    "--like",
    metavar="GRID",
    type=options.GRID,
    help="The size, regions and rules of this puzzle, and what it states about the whole grid; its"
    " clues are drawn anew.",
)
@options.natural("--givens", help="Number of givens.  [default: as few as possible]")
@option(
    "--clues",
    metavar="N | RULE=N,...",
    callback=_numbers_of_clues,
    help="Number of clues, or of clues of each of these rules.  [default: as few as possible]",
)
@options.flag("--minimal", help="With --givens or --clues: none of them can be removed.")
@option(
    "--symmetry",
    type=click.Choice(["none", "rotational", "mirror"]),
    default="none",
    help="Symmetry of the cells with givens.",
)
@option(
    "--grade",
    type=click.Choice(["easy", "medium", "hard", "very hard", "extreme"]),
    help="Difficulty, as `aspdoku grade` rates it.",
)
@option(
    "--technique",
    metavar="NAME",
    default="",
    show_default=False,
    help="Technique of the hardest step, as `aspdoku explain` calls it, e.g. X-wing.",
)
@options.natural("--seed", help="The same seed gives the same puzzles.")
@options.natural("-n", "count", least=1, default=1, help="How many.")
@option(
    "-o",
    "--output",
    metavar="PATH",
    callback=_output,
    is_eager=True,
    help="Write to this file, or several puzzles to 1.txt, 2.txt, ... in this folder.",
)
@options.format_choice(*options.WITH_PAGE)
@options.limit_options_with(_SECONDS)
@click.pass_context
def generate(
    ctx: click.Context,
    /,
    size: int | None,
    like: str | None,
    seed: int | None,
    count: int,
    output: str | None,
    format_: str,
    **wishes: Any,
) -> None:
    """Make new puzzles, each with a unique solution, by any rules.

    Givens and clues are removed at random while the solution stays unique. The inputs of a rule,
    such as cages or signs, are drawn by the .gen file next to its .lp file. A puzzle that would
    have the same solution without one of the rules is discarded. Prints puzzle files; the first
    line of each is the command that makes it again.

    Exit status: 0 as many puzzles as wanted, 20 the rules have no solution, 65 bad input, 124 time
    limit, 130 interrupted.

    \b
    aspdoku generate --symmetry rotational --grade medium
    aspdoku generate --with killer --size 6 --givens 0 -n 10 -o killers/
    """
    from aspdoku.generation.clue_files import growth_warnings
    from aspdoku.generation.minimal import puzzle_in, unnamed_rules
    from aspdoku.program.rulefile import SIZES
    from aspdoku.questions import generate as generation
    from aspdoku.questions.source import new_seed

    settings = options.settings_from()
    if size is not None and "n" in settings:
        raise click.UsageError("--size and -c n=... exclude each other")
    if format_ != "text" and output and _is_folder(output):
        raise options.bad_output(f"{output} is a folder: all puzzles go to one {format_} file")
    folder = _folder(output, count) if format_ == "text" else None
    if file := output_path():
        check_writable(file)
    grid = options.blank(settings, size or 9) if like is None else options.puzzle_from(like)
    program = options.program_of(grid, settings)
    warnings = (*program.warnings, *growth_warnings(program))
    warn(*(each for each in warnings if each not in program.missing_inputs))  # those are drawn
    generation.refuse_drawn(program, options.given("fact"))
    base = folder or (file.parent if file else Path())
    number = 0

    def show(puzzle: GeneratedPuzzle) -> None:
        nonlocal number
        number += 1
        if format_ != "text":
            return
        text = generation.generated_text(puzzle_in(base, puzzle.program)[0])
        text = f"{_header(ctx, seed, number, count)}\n{text}"
        own = folder and folder / f"{number:0{len(str(count))}}.txt"
        if own:
            write(own, f"{text}\n")
        else:
            echo(text + ("\n" if number < count else ""))
        echo(f"{own}: " * bool(own) + generation.generated_summary(puzzle), err=True)

    if seed is None:
        seed = new_seed()
    result = generation.generate(
        like=program,
        seed=seed,
        count=count,
        time_limit=options.seconds_left(),
        on_puzzle=show,
        interruptible=True,
        **wishes | {"grade": wishes["grade"] or ""},
    )
    for each in result.puzzles[:1]:
        unnamed = unnamed_rules(each.program)
        for place in puzzle_in(base, each.program)[1] if format_ == "text" else unnamed:
            warn(f"the puzzles do not name the rule file {place}: add it with --with")
        for name, value in settings.items():
            if name not in SIZES:
                warn(f"the puzzles do not state that {name} is {value}: add -c {name}={value}")
    if format_ != "text":
        options.print_result(result, format_)
    if result.ended != "complete" or count > 1:
        echo(result.summary(), err=True)
    ctx.exit(options.status_of("unique", result.ended))


def _folder(output: str | None, count: int) -> Path | None:
    if output is None or output == "-" or (count == 1 and not _is_folder(output)):
        return None
    folder = Path(output)
    if folder.suffix == ".txt":
        raise options.bad_output(f"{count} puzzles need a folder, not {folder}")
    if folder.is_dir() and any(folder.glob("*.txt")):
        raise options.bad_output(f"{folder} contains puzzles: choose another folder")
    write_to(None)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _header(ctx: click.Context, seed: int | None, number: int, count: int) -> str:
    """The comment above a puzzle: the command that makes it."""
    words = iter(ctx.meta[options.ARGUMENTS])
    kept: list[str] = []
    for word in words:
        if word in _ELSEWHERE:
            next(words, None)
        elif not word.startswith(tuple(f"{name}=" for name in _ELSEWHERE)):
            kept.append(word)
    if not any(word == "--seed" or word.startswith("--seed=") for word in kept):
        kept += ["--seed", str(seed)]
    which = f"  # puzzle {number}" if count > 1 else ""
    command = shlex.join(["aspdoku", "generate", *kept]).replace("\n", " ")
    return f"# {command}{which}"


@options.puzzle_command("Remove givens and clues while the solution stays unique.")
@option(
    "--keep",
    metavar="WHAT",
    multiple=True,
    help="Do not remove these: givens, clues, the clues of a RULE, a cell such as r1c2, or a clue"
    " by its name.",
)
@options.natural("--seed", default=0, help="Seed of the random order in which they are removed.")
def minimise(request: options.Request, keep: tuple[str, ...], seed: int) -> None:
    """Remove givens and clues in random order while the solution stays unique, until none can be
    removed.

    Prints the puzzle that is left, as a puzzle file, and on standard error how much was removed.
    The names of clues are those that `aspdoku redundant` prints. Regions and other inputs of the
    default rules are never removed.

    Exit status: 0 minimal, 1 several solutions, 20 no solution, 65 bad input, 124 time limit, 130
    interrupted.

    \b
    aspdoku minimise --with anti-knight grid.txt
    aspdoku minimise --keep givens --seed 3 example:killer -o killer.txt
    """
    result = request.ask(aspdoku.minimise, keep=options.names_in(keep, "--keep"), seed=seed)
    if result.reduction is None and request.format == "text":
        refuse(request, result)
    request.finish(result, SEVERAL, result.summary())


@options.puzzle_command("Find the least number of givens with which some grid is unique.")
def fewest(request: options.Request) -> None:
    """Find the least number of givens with which some grid is the unique solution.

    Givens of GRID are kept, and its clues count as rules. Prints a puzzle with so few givens, as a
    puzzle file, and on standard error what is proved: the minimum, or a lower and an upper bound if
    the time limit ends the search or there are too many solutions.

    It takes less time if the rules treat numbers, rows or columns alike: of the solutions that
    differ only by exchanges, one is examined.

    Exit status: 0 answered, 20 no solution, 65 bad input, 124 time limit, 130 interrupted.

    \b
    aspdoku fewest -c n=4
    aspdoku fewest -c n=6 --with anti-diagonal --time-limit 60
    """
    result = request.ask(aspdoku.fewest)
    request.finish(result, summary=result.summary() if result.puzzle else "")


@options.puzzle_command(
    "Find single givens and clues that make the solution unique.", seconds=_SECONDS
)
@option("--solution", metavar="FILE", help="The intended solution; - for standard input.")
@options.natural(
    "-n", "limit", default=10, metavar="N", help="Grade and print the best N of them; 0 for all."
)
@options.natural("--seed", default=0, help="Seed of the clues that are drawn.")
def complete(request: options.Request, solution: str | None, limit: int, seed: int) -> None:
    """Find the givens and clues with which a puzzle with several solutions has a unique one.

    Each is added on its own. All givens are tried, and all clues of one fact like those of the
    puzzle: pairs of cells in the positions that the puzzle uses, and every value for a row, column
    or cage. Of other clues, such as cages and lines, the .gen files of the rules draw some at
    random. Those after which unit propagation fills the most cells are graded; those with the
    easiest hardest step come first.

    Exit status: 0 there are some, or the solution is unique already; 1 no single one suffices; 20
    no solution, 65 bad input, 124 time limit, 130 interrupted.

    \b
    aspdoku complete --with anti-knight grid.txt
    aspdoku complete --solution intended.txt -n 3 grid.txt
    """
    intended = None if solution is None else options.puzzle_from(solution)
    completion = request.ask(aspdoku.complete, intended, limit=limit, seed=seed)
    none_suffices = completion.ended == "complete" and not completion.additions
    request.finish(completion, INSUFFICIENT if none_suffices else 0)


@options.puzzle_command("Check a puzzle before it is published.", seconds=_SECONDS)
def review(request: options.Request) -> None:
    """Check a puzzle before it is published.

    The checks: everything in the file is used, the solution is unique, every rule is needed, no
    given and no clue can be removed, the difficulty, and whether one step is much harder than all
    others. A warning is a matter of taste, a failure is not. Checks that the time limit ends are
    undecided. The fingerprint is the same for puzzles that only differ in their title, the names of
    cages and lines, and the order of facts.

    Exit status: 0 no check failed, 1 a check failed, 65 bad input, 124 time limit, 130 interrupted.

    \b
    aspdoku review --with anti-knight grid.txt
    """
    reviewed = request.ask(aspdoku.review)
    status = "several" if reviewed.data.failed else "unique"
    request.finish(reviewed, FAILED, status=status, ended=reviewed.data.ended)
