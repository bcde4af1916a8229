"""Learn a rule from solved grids and questions: which rule of a hypothesis space fits?

Grids that are allowed refute the rules that they violate. Then clingo looks for a grid of the game
that about half of the remaining rules forbid, and the answer to "is this grid allowed?" refutes one
half. If no grid forbids some and allows others, the remaining rules are equivalent at this size.
This is the halving algorithm with membership queries (Angluin 1988, "Queries and Concept
Learning").

The hypothesis space is a file in ASP, divided into blocks. What precedes the first block, a block
`%! cells WORDS` and a block `%! relation WORDS` are the text of a rule. `%! rule NAME` and
`%! rules` name rule files. The file as a whole is ASP, so that it is vetted once, not for each
combination.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Literal, NamedTuple

from aspdoku.engine.solver import RANDOM_OPTIONS, Search, Solver
from aspdoku.errors import AspdokuError, PuzzleError, RuleError, TimeLimitError
from aspdoku.lecture.equivalence import RuleComparison, compare_rules
from aspdoku.program import RuleFile, assemble, library
from aspdoku.program.lint import require_compatible, require_valid
from aspdoku.program.transform import broken, negate
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note

# How a search for the rule ends: one rule is left, or several that are equivalent; several others;
# none.
LearnStatus = Literal["found", "several", "none"]
# Seconds for a grid that halves the rules. One that separates any of them is enough to go on.
_SECONDS_FOR_HALVING = 10.0
_BLOCK = re.compile(r"^%![ \t]*(.*?)[ \t]*$", re.M)


class Space(NamedTuple):
    """A hypothesis space: how messages call its file, and its rules, the preferred ones first."""

    place: str
    rules: tuple[RuleFile, ...]


def hypotheses(path: Path | None = None) -> Space:
    """The rules in a file, by default the bundled one. Raises RuleError, with the line."""
    file = library.bundled("hypotheses.lp") if path is None else RuleFile.read(path)
    if path is not None:
        require_valid(file)
        negate(file, "space")  # an error in a combination would not have a line of the file
        require_compatible(file)
    start, *blocks = _blocks(file)
    rules: list[RuleFile] = []
    for block in blocks:
        if block.kind == "rules":
            rules += rules_without_inputs()
        elif block.kind == "rule":
            rules.append(_named(file, block))
    kinds = ("cells", "relation")
    cells, relations = ([block for block in blocks if block.kind == kind] for kind in kinds)
    # The comment at the top is about the file; the declarations below it are part of each rule.
    _, _, shared = start.text.partition("\n\n")
    for relation, where in product(relations, cells):
        title = f"% Cells {where.words} {relation.words}."
        parts = filter(None, (title, shared.strip(), where.text, relation.text))
        place = f"{file.place}:{where.line} and {relation.line}"
        rules.append(RuleFile("learned", place, "\n\n".join(parts) + "\n", True))
    if not rules:
        raise RuleError(
            f"{file.place}: no rules to choose from: add `%! rules`, or a block `%! cells WORDS`"
            " and a block `%! relation WORDS`"
        )
    return Space(file.place, tuple(dict.fromkeys(rules)))


class _Block(NamedTuple):
    kind: str
    words: str
    text: str
    line: int


def _blocks(file: RuleFile) -> Iterator[_Block]:
    """What precedes the first block, and the blocks."""
    heads = list(_BLOCK.finditer(file.text))
    ends = [*(head.start() for head in heads), len(file.text)]
    yield _Block("", "", file.text[: ends[0]], 1)
    for head, end in zip(heads, ends[1:], strict=True):
        kind, _, words = head[1].partition(" ")
        line = file.text.count("\n", 0, head.start()) + 1
        text = file.text[head.end() : end].strip()
        with_rule = kind in ("cells", "relation")
        problem = ""
        if kind not in ("rules", "rule", "cells", "relation") or (kind == "rules") == bool(words):
            problem = (
                f"unknown block {head[0]!a}: expected `%! rules`, `%! rule NAME`, `%! cells WORDS`"
                " or `%! relation WORDS`"
            )
        elif with_rule != bool(RuleFile.from_text(kind, text).code.strip()):
            problem = f"the block {head[0]!a} {'is empty' if with_rule else 'contains a rule'}"
        if problem:
            raise RuleError(f"{file.place}:{line}:1: {problem}")
        yield _Block(kind, words.strip(), text, line)


def _named(file: RuleFile, block: _Block) -> RuleFile:
    place = f"{file.place}:{block.line}:1"
    try:
        rule = library.find_for(file.path and file.path.parent, block.words)
    except RuleError as error:
        raise error.at(place) from None
    _refuse_inputs(rule, f"{place}: {block.words}")
    if not rule.vetted:
        require_valid(rule)
    return rule


def _refuse_inputs(rule: RuleFile, name: str) -> None:
    if rule.inputs:
        inputs = f"{name} has inputs, such as {rule.inputs[0]}"
        raise RuleError(f"{inputs}: only rules without inputs can be learned")


def rules_without_inputs() -> list[RuleFile]:
    """The bundled rules that forbid grids, whatever the puzzle, and are not part of each puzzle."""
    bundled = [
        rule
        for rule in library.available_rules()
        if rule.vetted and not (rule.inputs or rule.replaced)
    ]
    taken = library.default_names()
    return [rule for rule in bundled if rule.name not in taken and not rule.shown]


class Question(NamedTuple):
    """A grid, whether it is allowed, and how many rules are left after the answer."""

    grid: Solution
    allowed: bool
    left: int


@dataclass(frozen=True)
class Lesson:
    """What was learned.

    shown: the grids that were shown, all of them allowed; `fitting`: how many rules fit these
    rules: the rules that are left, the preferred one first
    next: if several rules are left, a grid that separates them, if one was found in time
    comparisons: of the first rule with each of the others, if it is found
    proof: the comparison of the first rule with the hidden one, if that is known
    """

    space: Space
    shown: tuple[Solution, ...]
    fitting: int
    questions: tuple[Question, ...]
    rules: tuple[RuleFile, ...]
    status: LearnStatus
    next: Solution | None = None
    comparisons: tuple[RuleComparison, ...] = ()
    proof: RuleComparison | None = None


Answer = Callable[[Solution], bool | None]
"""Whether a grid is allowed; None to stop."""


class Learner:
    """Learns a rule for the blank grid of a puzzle. Raises RuleError for a rule that chooses.

    time_limit: seconds for all that follows, from now
    """

    def __init__(self, game: Puzzle, space: Space, time_limit: float | None = None) -> None:
        self._game = game.replace(grid=Puzzle.blank(game.size).grid)
        self._space = space
        self._rules = library.game()
        self._deadline = Deadline(time_limit)
        numbered = enumerate(space.rules)
        self._negated = {rule: negate(rule, f"hypothesis_{index}") for index, rule in numbered}

    def examples(self, hidden: RuleFile, number: int) -> list[Solution]:
        """Grids that a rule allows, drawn at random, the same each time. Raises RuleError."""
        program = assemble(self._game, [*self._rules, hidden])
        shown: list[Solution] = []
        for seed in range(number):
            options = (*RANDOM_OPTIONS, f"--seed={seed}")
            solver = Solver(program, self._deadline.time_limit(), options=options)
            found = self._first(solver.search(1), "looking for grids to show")
            if found is None:
                grid = f"{self._game.size}x{self._game.size} grid"
                raise RuleError(f"{hidden.place} allows no {grid}: choose another size")
            shown.append(found)
        return shown

    def _first(self, search: Search, purpose: str) -> Solution | None:
        """The first grid that is found, as one of the game. Raises TimeLimitError."""
        for grid in search:
            return Solution(self._game, grid.rows)
        if search.ended != "complete":
            raise TimeLimitError(f"time limit reached while {purpose}")
        return None

    def allows(self, rule: RuleFile, grid: Solution) -> bool:
        """Whether a rule allows a grid. Raises PuzzleError if the grid is not one of the game."""
        return not self._refuted([negate(rule, "rule")], grid)

    def learn(self, shown: Sequence[Solution], answer: Answer | None, questions: int) -> Lesson:
        """Find the rule, with no questions if `answer` is None. Raises PuzzleError if a grid that
        is shown is not one of the game, TimeLimitError.
        """
        left = list(self._space.rules)
        for grid in shown:
            left = self.fitting(left, grid, allowed=True)
        fitting = len(left)
        asked: list[Question] = []
        separating = self.separating_grid(left)
        while separating and answer and len(asked) < questions:
            allowed = answer(separating)
            if allowed is None:
                break
            left = self.fitting(left, separating, allowed)
            asked.append(Question(separating, allowed, len(left)))
            separating = self.separating_grid(left)
        status: LearnStatus = "several" if separating else "found" if left else "none"
        # Independently of the questions.
        others = left[1:] if status == "found" else ()
        comparisons = tuple(self.compare(left[0], other, [self._game]) for other in others)
        grids, rules = tuple(shown), tuple(left)
        return Lesson(
            self._space, grids, fitting, tuple(asked), rules, status, separating, comparisons
        )

    def compare(self, one: RuleFile, two: RuleFile, sizes: Iterable[Puzzle]) -> RuleComparison:
        """Whether two rules are equivalent on blank grids."""
        left = self._deadline.time_limit()
        return compare_rules(one, two, sizes, self._game.without, time_limit=left)

    def separating_grid(self, rules: Sequence[RuleFile]) -> Solution | None:
        """A grid that about half of the rules forbid; None without one. Raises TimeLimitError."""
        if len(rules) < 2:
            return None
        note(f"looking for a grid that separates {len(rules)} rules")
        number = len(rules)
        negated = [self._negated[rule] for rule in rules]
        lines = [
            *(f"asked({index}) :- {broken(rule)}." for index, rule in enumerate(negated)),
            f"asked_balance(|2*K-{number}|) :- K = #count {{ I : asked(I) }}.",
            f"asked_within(D) :- asked_balance(B), D = 0..{number}, B <= D.",
            "#defined asked/1.\n",
        ]
        query = RuleFile("question", "question", "\n".join(lines), vetted=True)
        program = assemble(self._game, [*self._rules, *negated, query])
        any_balance = number - 2
        half = Deadline(min(self._deadline.seconds_left(), _SECONDS_FOR_HALVING))
        balances = sorted({number % 2, *(number * part // 4 for part in (1, 2, 3))})
        solver = Solver(program, half.time_limit())
        purpose = "looking for a question"
        with suppress(TimeLimitError):
            for balance in (each for each in balances if number % 2 <= each < any_balance):
                if found := self._first(solver.search(1, _within(balance)), purpose):
                    return found
        solver = Solver(program, self._deadline.time_limit())
        return self._first(solver.search(1, _within(any_balance)), purpose)

    def fitting(self, rules: Sequence[RuleFile], grid: Solution, allowed: bool) -> list[RuleFile]:
        """The rules of the space that agree that a grid is allowed, or not."""
        refuted = self._refuted([self._negated[rule] for rule in rules], grid)
        return [rule for rule in rules if (str(broken(self._negated[rule])) in refuted) != allowed]

    def _refuted(self, negated: Sequence[RuleFile], grid: Solution) -> set[str]:
        """The atoms `TAG_broken` of the rules that a grid violates."""
        puzzle = self._game.replace(grid=grid.rows)
        program = assemble(puzzle, [*self._rules, *negated])
        atoms = Solver(program, self._deadline.time_limit()).first_answer_set()
        if atoms is None:
            raise PuzzleError(
                "a grid that is shown violates the rules of the game itself: retract those that do"
                " not apply, e.g. --without box",
                grid.puzzle.name,
            )
        return {str(atom) for atom in atoms} & {str(broken(each)) for each in negated}


def require_learnable(rule: RuleFile, game: Puzzle) -> None:
    """Raise RuleError if a rule cannot be the hidden one, such as a rule of the game itself."""
    require_valid(rule)
    _refuse_inputs(rule, rule.place)
    same = [default for default in library.defaults() if default.text == rule.text]
    for default in same:
        if default.name not in game.without:
            raise RuleError(
                f"{rule.place} is a rule of the game, which no grid violates: choose another one,"
                f" or leave it out of the game (--without {default.name})"
            )
    require_compatible(rule, replaced=same)
    negate(rule, "rule")


def solved_grid(puzzle: Puzzle) -> Solution:
    """The solution that a puzzle is. Raises PuzzleError if a cell is empty or it has rules."""
    for row, column in sorted({*product(range(1, puzzle.size + 1), repeat=2)} - {*puzzle.givens()}):
        message = f"r{row}c{column} is empty: rules are learned from solved grids"
        raise PuzzleError(message, puzzle.name)
    if puzzle.facts or puzzle.elaborations or puzzle.unsupported:
        message = "the puzzle has rules or clues of its own: rules are learned from plain grids"
        raise PuzzleError(message, puzzle.name)
    if not puzzle.has_default_numbers:
        raise PuzzleError("rules are learned from grids with the numbers from 1", puzzle.name)
    return Solution(puzzle, tuple(tuple(map(int, filter(None, row))) for row in puzzle.grid))


def require_same_game(grids: Sequence[Solution]) -> None:
    """Raise AspdokuError unless all grids have the same size, boxes and retracted rules."""
    for grid in grids[1:]:
        first, other = grids[0].puzzle, grid.puzzle
        if (first.size, first.box, first.without) != (other.size, other.box, other.without):
            what = "the grids differ in size, boxes or retracted rules"
            raise AspdokuError(f"{what}: show grids of one game")


def _within(balance: int) -> list[tuple[Function, bool]]:
    return [(Function("asked_within", (balance,)), True)]
