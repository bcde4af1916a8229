"""A rule judged by examples: grids that it has to allow or to forbid, and puzzles to solve.

A file NAME.examples next to NAME.lp has several of them. Each is the text of a puzzle file below a
line `allowed: TITLE`, `forbidden: TITLE` or `puzzle: TITLE`. The base, the default rules and those
that the example names hold with the rule: an allowed grid can be completed, a forbidden one
cannot, and a puzzle has one solution, which is the stated one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Literal, NamedTuple, cast, get_args

from aspdoku.engine import Solver
from aspdoku.errors import AspdokuError, PuzzleError, RuleError, TimeLimitError, did_you_mean
from aspdoku.lecture.equivalence import Violation, find_violations, forbidding, in_cells
from aspdoku.program import Program, RuleFile, compose, library
from aspdoku.program.messages import Message
from aspdoku.program.rulefile import LARGEST_FILE, read_text
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.puzzle import Cell, Grid, grid_of, numbers_by_cell
from aspdoku.puzzlefile.lines import KEYS, Line, key_of, place_of, quote, split_lines, text_of
from aspdoku.puzzlefile.reader import parse_native
from aspdoku.runtime.child import Aborted, Limits, run_limited
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
    found: the solutions of an example that passed, up to its limit
    """

    example: Example
    outcome: Outcome
    reason: str = ""
    grids: tuple[Solution, ...] = ()
    violations: tuple[Violation, ...] = ()
    why: str = ""
    found: tuple[Solution, ...] = ()

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
    return path if path and os.path.lexists(path) else None


def read_examples(path: Path) -> list[Example]:
    """The examples in a file, none in one with only comments. Raises PuzzleError with the line, or
    RuleError if it cannot be read.
    """
    return _parse(_text(path), path)


def _text(path: Path) -> str:
    return read_text(path, str(path), "a file of examples", LARGEST_FILE)


def _parse(text: str, path: Path) -> list[Example]:
    lines, kinds = split_lines(text, str(path)), [*get_args(Kind)]
    for line in lines:
        key = key_of(line)
        if key not in ("", *kinds, *KEYS) and (meant := did_you_mean(key, kinds)):
            raise line.error(f"unknown header {quote(key)}.{meant}")
    starts = [place for place, line in enumerate(lines) if key_of(line) in kinds]
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
    kind, title = cast("Kind", key_of(head)), text_of(head) or f"line {head.number}"
    if puzzle.solution and kind != "puzzle":
        raise head.error(f"only a puzzle has a solution: write puzzle: instead of {kind}:")
    if differing := [
        f"r{row}c{column}"
        for (row, column), number in numbers_by_cell(puzzle.solution or ()).items()
        if puzzle.givens().get((row, column), number) != number
    ]:
        raise head.error(f"the solution and the grid differ in {', '.join(differing)}")
    return Example(kind, title, head.number, puzzle)


def try_all(
    rule: RuleFile, examples: Sequence[Example], time_limit: float | None = None
) -> list[Trial]:
    """What a rule makes of each example; "undecided" after the time limit. Raises PuzzleError or
    RuleError if an example and the rule are no program.
    """
    deadline = Deadline(time_limit)
    trials = [Trial(each, "undecided") for each in examples]
    # Each has a share of the time, so that a hard one does not delay all others; then those that
    # took longer share what is left.
    for _ in range(2):
        waiting = [place for place, each in enumerate(trials) if each.outcome == "undecided"]
        for tried, place in enumerate(waiting):
            share = deadline.share(len(waiting) - tried)
            trials[place] = _tried(rule, examples[place], share)
    return trials


def findings(rule: RuleFile, time_limit: float) -> list[Message]:
    """An error for each example next to a rule that fails, a warning for one that is undecided.
    They are tried in a child, and may take a quarter of the time limit.
    """
    if not (path := file_next_to(rule)):
        return []
    # The processor time of the child includes that of what a search leaves behind.
    limits = Limits(time_limit / 4 + 1)
    found = run_limited(limits, _findings, rule, path, time_limit / 4)
    if isinstance(found, Aborted):
        return [Message(str(path), 1, 1, "warning", f"warning: not all were tried: {found}")]
    return found


def _findings(rule: RuleFile, path: Path, seconds: float) -> list[Message]:
    text, messages = "", []
    try:
        text = _text(path)
        for trial in try_all(rule, _parse(text, path), seconds):
            severity = "error" if trial.outcome == "failed" else "warning"
            words = trial.reason if severity == "error" else f"warning: {trial.reason}"
            if trial.outcome != "passed":
                messages.append(Message(str(path), trial.example.line, 1, severity, words))
    except AspdokuError as error:
        located = re.fullmatch(rf"{re.escape(str(path))}(?::(\d+))?: (.*)", error.words, re.DOTALL)
        line, words = located.groups() if located else ("", error.words)
        messages = [Message(str(path), int(line or 1), 1, "error", words)]
    return [each.with_excerpt(text) for each in messages]


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
        if not found and not _satisfying(without_rule(program, rule), deadline):
            return Trial(example, "failed", f"it is also forbidden without {rule.place}: {_FAULT}")
    except TimeLimitError:
        return Trial(example, "undecided", "it was not decided in time")
    return Trial(example, "passed", found=found)


def _failed(
    rule: RuleFile,
    example: Example,
    program: Program,
    found: tuple[Solution, ...],
    deadline: Deadline,
) -> Trial:
    """Why an example fails, with grids that show it, if they are known."""
    if len(found) > 1:
        return Trial(example, "failed", f"{rule.place} allows several solutions", found)
    if example.kind == "forbidden":
        full = "this grid: no constraint of it is violated"
        grid = full if example.is_full else "a grid with these numbers"
        return Trial(example, "failed", f"{rule.place} allows {grid}", found)
    # The rule forbids a grid that should be allowed; it may allow another one.
    puzzle, stated = example.puzzle, example.puzzle.solution
    what = "the stated solution" if stated else "this grid"
    known = {**puzzle.givens(), **numbers_by_cell(stated or ())}
    game = without_rule(program, rule).with_grid(grid_of(puzzle.size, known))
    completed = _satisfying(game, deadline)
    if not completed:
        reason = f"{what} is also forbidden without {rule.place}: {_FAULT}"
        return Trial(example, "failed", reason, found)
    if known.keys() != completed[0].numbers().keys():
        numbers = "the numbers of the stated solution" if stated else "these numbers"
        return Trial(example, "failed", f"{rule.place} forbids all grids with {numbers}", found)
    violations: tuple[Violation, ...] = ()
    with suppress(RuleError):  # a rule that chooses: its violations are not known
        violations = tuple(
            find_violations(rule, completed[0], (), (), deadline.time_limit(), None, program)
        )
    reason = f"{forbidding(rule.place, violations)} forbids {what}"
    reason += in_cells(violations) if violations else ""
    reason += ", and allows another one" if found else ""
    return Trial(example, "failed", reason, (*completed, *found), violations)


def without_rule(program: Program, rule: RuleFile) -> Program:
    """The program of an example without the rule, which it may also name by another path."""
    same = rule.name, rule.text
    return program.changed(each for each in program.rules if (each.name, each.text) != same)


def without_naming(example: Example, rule: RuleFile) -> Example:
    """An example with which another rule can be tried: it does not name this one."""
    puzzle, folder = example.puzzle, example.puzzle.origin and example.puzzle.origin.parent
    kept = [
        name for name in puzzle.elaborations if library.find_for(folder, name).text != rule.text
    ]
    return example._replace(puzzle=puzzle.replace(elaborations=tuple(kept)))


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


def _agree(stated: Grid, found: Solution) -> bool:
    numbers = found.numbers()
    return all(numbers.get(cell) == number for cell, number in numbers_by_cell(stated).items())
