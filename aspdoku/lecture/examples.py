"""A rule judged by examples: grids that it has to allow or to forbid, and puzzles to solve.

A file NAME.examples next to NAME.lp has several of them. Each is the text of a puzzle file below a
line `allowed: TITLE`, `forbidden: TITLE` or `puzzle: TITLE`. The base, the default rules and those
that the example names hold with the rule: an allowed grid can be completed, a forbidden one
cannot, and a puzzle has one solution, which is the stated one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Literal, NamedTuple, cast, get_args

from aspdoku.engine import Solver
from aspdoku.errors import AspdokuError, PuzzleError, RuleError, TimeLimitError
from aspdoku.lecture.equivalence import Violation, find_violations
from aspdoku.program import Program, RuleFile, compose, library
from aspdoku.program.messages import Message
from aspdoku.program.rulefile import LARGEST_FILE, read_text
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.puzzle import Cell, Grid, grid_of, numbers_by_cell
from aspdoku.puzzlefile.lines import Line, key_of, place_of, quote, split_lines, value_line
from aspdoku.puzzlefile.reader import parse_native
from aspdoku.runtime.child import DEFAULT_LIMITS, Aborted, Limits, run_limited
from aspdoku.runtime.deadline import Deadline

SUFFIX = ".examples"
Kind = Literal["allowed", "forbidden", "puzzle"]
Outcome = Literal["passed", "failed", "undecided"]
_FAULT = "correct the grid, or the rules that the example names"


class Example(NamedTuple):
    """A puzzle, and what has to hold for it; `line` is that of its title."""

    kind: Kind
    title: str
    line: int
    puzzle: Puzzle

    @property
    def is_full(self) -> bool:
        """Whether its grid has no empty cells."""
        return len(self.puzzle.givens()) == len(self.puzzle.cells())

    @property
    def limit(self) -> int:
        """The number of solutions after which it is decided."""
        return 2 if self.kind == "puzzle" else 1

    def fits(self, found: Sequence[Solution]) -> bool:
        """Whether what it says agrees with the solutions, up to the limit."""
        stated = self.puzzle.solution
        if self.kind != "puzzle":
            return bool(found) == (self.kind == "allowed")
        return len(found) == 1 and (stated is None or _agree(stated, found[0]))


class Trial(NamedTuple):
    """What a rule makes of an example.

    reason: why it failed
    grids: that show it: a grid that the rule allows or forbids, or two solutions
    violations: of the rule, by the first grid
    why: if there is no grid, why the example has no solution
    """

    example: Example
    outcome: Outcome
    reason: str = ""
    grids: tuple[Solution, ...] = ()
    violations: tuple[Violation, ...] = ()
    why: str = ""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the first violation, or those in which two solutions differ."""
        if self.violations:
            return self.violations[0].cells
        one, *others = (grid.numbers() for grid in self.grids) if self.grids else ({},)
        return tuple(cell for cell in one if any(each[cell] != one[cell] for each in others))


def file_next_to(rule: RuleFile) -> Path | None:
    """The file of examples of a rule, if there is one."""
    path = rule.path.with_suffix(SUFFIX) if rule.path else None
    return path if path and path.is_file() else None


def read_examples(path: Path) -> list[Example]:
    """The examples in a file, none in one with only comments. Raises PuzzleError with the line, or
    RuleError if it cannot be read.
    """
    name = str(path)
    text = read_text(path, name, "a file of examples", LARGEST_FILE)
    lines = split_lines(text, name)
    starts = [place for place, line in enumerate(lines) if key_of(line) in get_args(Kind)]
    for line in lines[: starts[0]] if starts else lines:
        if line.content:
            raise line.error(
                f"{quote(line.content)} is in no example: an example begins with a line such as"
                " allowed: no two equal numbers touch, or forbidden: …, or puzzle: …"
            )
    blocks = pairwise([*starts, len(lines)])
    return [_example(lines[start], lines[start + 1 : end], path) for start, end in blocks]


def _example(head: Line, lines: list[Line], path: Path) -> Example:
    if not any(line.content for line in lines):
        raise head.error("an example needs a grid below this line")
    # With as many lines before it, so that messages have the right numbers.
    text = "\n" * head.number + "\n".join(line.text for line in lines)
    puzzle = parse_native(text, head.name, library.declared_inputs).replace(origin=path)
    if puzzle.unsupported:
        raise head.error(f"an example cannot have unsupported parts: {puzzle.unsupported[0]}")
    kind, title = cast("Kind", key_of(head)), value_line(head).content or f"line {head.number}"
    return Example(kind, title, head.number, puzzle)


def try_all(
    rule: RuleFile, examples: Sequence[Example], time_limit: float | None = None
) -> list[Trial]:
    """What a rule makes of each example; "undecided" after the time limit. Raises PuzzleError or
    RuleError if an example and the rule are no program.
    """
    deadline = Deadline(time_limit)
    return [_tried(rule, each, deadline) for each in examples]


def findings(rule: RuleFile, time_limit: float) -> list[Message]:
    """An error for each example next to a rule that fails, a warning for one that is undecided.
    They are tried in a child, and may take half of the time limit.
    """
    if not (path := file_next_to(rule)):
        return []
    seconds, memory = time_limit / 2, DEFAULT_LIMITS.memory
    try:
        # The processor time of the child includes that of what a search leaves behind.
        found = run_limited(Limits(seconds + 1, memory), _findings, rule, path, seconds)
    except AspdokuError as error:
        return [Message("", 0, 0, "error", str(error))]
    if isinstance(found, Aborted):
        return [Message(str(path), 0, 0, "warning", f"warning: not all were tried: {found}")]
    return found


def _findings(rule: RuleFile, path: Path, seconds: float) -> list[Message]:
    text = path.read_text("utf-8")
    messages = []
    for trial in try_all(rule, read_examples(path), seconds):
        severity = "error" if trial.outcome == "failed" else "warning"
        words = trial.reason if severity == "error" else f"warning: {trial.reason}"
        if trial.outcome != "passed":
            message = Message(str(path), trial.example.line, 1, severity, words)
            messages.append(message.with_excerpt(text))
    return messages


def program_of(example: Example, rule: RuleFile) -> Program:
    """The program of an example. Raises PuzzleError or RuleError, with the line."""
    try:
        return compose(example.puzzle, rule)
    except (PuzzleError, RuleError) as error:
        error.words = located(error.words, example)
        raise


def located(words: str, example: Example) -> str:
    """A message about the puzzle of an example, with the line of the example if it has no line."""
    file = example.puzzle.name
    about = words.removeprefix(f"{file}: ")
    return words if about == words else f"{place_of(file, example.line)}: {about}"


def _tried(rule: RuleFile, example: Example, deadline: Deadline) -> Trial:
    program = program_of(example, rule)
    try:
        found = _satisfying(program, deadline, example.limit)
        if not example.fits(found):
            return _failed(rule, example, program, found, deadline)
        if not found and not _satisfying(_others(program, rule), deadline):
            return Trial(example, "failed", f"it is also forbidden without {rule.place}: {_FAULT}")
    except TimeLimitError:
        return Trial(example, "undecided", "it was not decided in time")
    return Trial(example, "passed")


def _failed(
    rule: RuleFile,
    example: Example,
    program: Program,
    found: tuple[Solution, ...],
    deadline: Deadline,
) -> Trial:
    stated = example.puzzle.solution if example.kind == "puzzle" else None
    if len(found) > 1:
        reason = f"{rule.place} allows several solutions"
    elif example.kind == "forbidden":
        grid = "this grid: no constraint of it is violated"
        reason = f"{rule.place} allows {grid if example.is_full else 'a grid with these numbers'}"
    elif found and stated:
        found = (_merged(stated, found[0]), *found)
        reason = f"{rule.place} allows another solution than the stated one"
    else:
        return _forbidden(rule, example, program, deadline)
    return Trial(example, "failed", reason, found)


def _forbidden(rule: RuleFile, example: Example, program: Program, deadline: Deadline) -> Trial:
    """Why nothing satisfies an example; with a grid that should, if it is known."""
    stated = example.puzzle.solution if example.kind == "puzzle" else None
    grid = stated or example.puzzle.grid
    found = _satisfying(_others(program, rule).with_grid(grid), deadline)
    if not found:
        return Trial(example, "failed", f"it is also forbidden without {rule.place}: {_FAULT}")
    if numbers_by_cell(grid).keys() != found[0].numbers().keys():
        return Trial(example, "failed", f"{rule.place} forbids all grids with these numbers")
    what = "the stated solution" if stated else "this grid"
    violations = _violations(rule, program, found[0], deadline)
    place, where = rule.place, ""
    for first in violations[:1]:
        place += f":{first.line}" + (f', "{first.message}",' if first.message else "")
        where = f" ({', '.join(f'r{row}c{column}' for row, column in first.cells)})"
    reason = f"{place} forbids {what}{where}"
    return Trial(example, "failed", reason, found, violations)


def satisfying(example: Example, rule: RuleFile, time_limit: float) -> tuple[Solution, ...]:
    """A grid of an example that a rule allows, if there is one. Raises TimeLimitError."""
    return _satisfying(program_of(example, rule), Deadline(time_limit))


def other_rules(program: Program, rule: RuleFile) -> list[RuleFile]:
    """The rules of a program without one, which an example may also name by another path."""
    same = rule.name, rule.text
    return [each for each in program.rules if (each.name, each.text) != same]


def _others(program: Program, rule: RuleFile) -> Program:
    return program.changed(other_rules(program, rule))


def _satisfying(program: Program, deadline: Deadline, limit: int = 1) -> tuple[Solution, ...]:
    return solutions(Solver(program, deadline.time_limit()), limit)


def solutions(
    solver: Solver, limit: int, assumptions: Iterable[tuple[Function, bool]] = ()
) -> tuple[Solution, ...]:
    """Up to `limit` solutions. Raises TimeLimitError if it is not known whether there are more."""
    search = solver.search(limit, assumptions)
    found = tuple(search)
    if len(found) < limit and search.ended != "complete":
        raise TimeLimitError("time limit reached")
    return found


def _violations(
    rule: RuleFile, program: Program, grid: Solution, deadline: Deadline
) -> tuple[Violation, ...]:
    """The violations of a rule by a grid; none if it chooses, so that they are not known."""
    try:
        return tuple(find_violations(rule, grid, (), (), deadline.time_limit(), None, program))
    except RuleError:
        return ()


def _agree(stated: Grid, found: Solution) -> bool:
    numbers = found.numbers()
    return all(numbers.get(cell) == number for cell, number in numbers_by_cell(stated).items())


def _merged(stated: Grid, found: Solution) -> Solution:
    """The stated solution, with what it leaves open as in the one that was found."""
    numbers = found.numbers() | numbers_by_cell(stated)
    return Solution(found.puzzle, grid_of(found.puzzle.size, numbers))
