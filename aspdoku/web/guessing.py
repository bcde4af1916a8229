"""The game "guess the rule" for a class: a rule is hidden, and grids are shown one after another.

The class votes whether the hidden rule allows a grid; then the answer is revealed, and refutes the
rules that disagree. Grids are chosen by the method of `lecture.learning`. `begin` and `proceed` are
called in a child process; a `Guess` is the state of one game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from aspdoku.errors import AspdokuError, RuleError
from aspdoku.lecture.learning import Learner, hypotheses
from aspdoku.program import RuleFile, library
from aspdoku.puzzle import Puzzle, Solution
from aspdoku.web.game import SIZES

SECONDS = 20.0  # for each move, which usually takes one
_EXAMPLES = 3  # grids that the hidden rule allows, shown at the start


class Move(NamedTuple):
    """A grid, or None if no grid separates the rules that are left.

    rules: the indices of those that are left before the answer
    after: of those that are left after it; allowed: whether the hidden rule allows the grid
    """

    grid: str | None
    rules: tuple[int, ...]
    allowed: bool = False
    after: tuple[int, ...] = ()


class Opening(NamedTuple):
    """The beginning of a game: the name of the hidden rule, and grids that it allows."""

    hidden: str
    examples: tuple[str, ...]
    move: Move


_space = cache(hypotheses)


@cache
def titles_of_hidden() -> dict[str, str]:
    """The rules that can be hidden: the bundled ones of the hypothesis space, with their titles."""
    bundled = {rule.place for rule in library.available_rules() if library.is_bundled(rule)}
    return {rule.name: rule.title for rule in _space().rules if rule.place in bundled}


def begin(size: int, names: Sequence[str]) -> Opening:
    """Hide the first of these rules that allows a grid. Raises RuleError if there is none."""
    learner = _learner(size)
    for name in names:
        hidden = _rule(name)
        try:
            examples = learner.examples(hidden, _EXAMPLES)
        except RuleError:
            continue
        rules: Sequence[RuleFile] = _space().rules
        for grid in examples:
            rules = learner.fitting(rules, grid, allowed=True)
        return Opening(name, tuple(map(_digits, examples)), _move(learner, hidden, rules))
    raise RuleError(f"{' and '.join(names)} allows no {size}x{size} grid: choose larger grids")


def proceed(size: int, name: str, left: Sequence[int]) -> Move:
    """The next grid, for these rules."""
    rules = [_space().rules[index] for index in left]
    return _move(_learner(size), _rule(name), rules)


def _move(learner: Learner, hidden: RuleFile, rules: Sequence[RuleFile]) -> Move:
    indices = {rule: index for index, rule in enumerate(_space().rules)}
    left = tuple(indices[rule] for rule in rules)
    grid = learner.separating_grid(rules)
    if grid is None:
        return Move(None, left)
    allowed = learner.allows(hidden, grid)
    after = learner.fitting(rules, grid, allowed)
    return Move(_digits(grid), left, allowed, tuple(indices[rule] for rule in after))


def _learner(size: int) -> Learner:
    return Learner(Puzzle.blank(size), _space(), SECONDS)


def _rule(name: str) -> RuleFile:
    return next(rule for rule in _space().rules if rule.name == name)


def _digits(grid: Solution) -> str:
    return "".join(str(number) for row in grid.rows for number in row)


class Guess:
    """A game: its rounds, and the votes of clients.

    round: its number, from 1
    """

    def __init__(self, size: int, opening: Opening) -> None:
        self.size, self.hidden = size, opening.hidden
        self._examples, self.move = opening.examples, opening.move
        self.round = 1
        self._votes: dict[str, bool] = {}
        self._answers: list[dict[str, Any]] = []

    def vote(self, client: str, round_: object, allowed: object) -> None:
        """Count the vote of a client, its last one in the round. Raises AspdokuError."""
        if round_ != self.round or self.move.grid is None:
            raise AspdokuError("this round is over: vote on the grid that is shown now")
        if not isinstance(allowed, bool):
            raise AspdokuError("invalid vote: expected true or false in allowed")
        self._votes[client] = allowed

    def advance(self, move: Move) -> None:
        """Reveal the answer of the round, and begin the next one."""
        allowed = self.move.allowed
        self._answers.append({"grid": self.move.grid, "allowed": allowed, **self._counted()})
        self._votes.clear()
        self.move = move
        self.round += 1

    def shown(self, lecturer: bool) -> dict[str, Any]:
        """The game as JSON; the rules that are left only for the lecturer, the hidden rule at the
        end.
        """
        done = self.move.grid is None
        rules = _space().rules
        listed = {"rules": [rules[index].title for index in self.move.rules]} if lecturer else {}
        return {
            "round": self.round,
            "size": self.size,
            "grid": self.move.grid,
            "examples": list(self._examples),
            "answers": list(self._answers),
            "left": len(self.move.rules),
            "votes": self._counted(),
            "done": done,
            "rule": titles_of_hidden()[self.hidden] if done else None,
            **listed,
        }

    def _counted(self) -> dict[str, int]:
        counts = Counter(self._votes.values())
        return {"yes": counts[True], "no": counts[False]}


def size_of(size: object) -> int:
    """The size of the grids of a game. Raises AspdokuError for another one."""
    if type(size) is not int or size not in SIZES:
        raise AspdokuError(f"invalid size: expected {' or '.join(map(str, SIZES))}")
    return size
