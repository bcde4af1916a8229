"""Find rules that no grid satisfies, and why, if that is easy to tell."""

from __future__ import annotations

from collections import Counter

from aspdoku.engine import Solver
from aspdoku.engine.sandbox import Aborted, Limits, run_limited
from aspdoku.errors import AspdokuError
from aspdoku.lecture.equivalence import find_violations
from aspdoku.program import RuleFile, assemble, library
from aspdoku.program.lint import PLACED
from aspdoku.program.messages import Message
from aspdoku.program.negation import may_choose
from aspdoku.program.syntax import atoms, parse, position_of, predicates, signature
from aspdoku.puzzle import Puzzle

_SIZES = (4, 6, 9)
_SECONDS = 2.0


def contradictions(rule: RuleFile) -> list[Message]:
    """A warning if no blank grid of the usual sizes has a solution under a valid rule.

    The search takes a few seconds at most, in a child process; if it takes longer, there is no
    warning, nor for a rule that chooses something, which may need a puzzle's own numbers.
    """
    if may_choose(rule):
        return []
    try:
        found = run_limited(Limits(_SECONDS, _SECONDS), _contradiction, rule)
    except AspdokuError:  # clingo cannot use the rule; solving will tell why
        return []
    return [] if isinstance(found, Aborted) or found is None else [found]


def _contradiction(rule: RuleFile) -> Message | None:
    game = [library.base(), *(each for each in library.defaults() if each.name != rule.name)]
    for size in _SIZES:
        search = Solver(assemble(Puzzle.blank(size), [*game, rule]), _SECONDS).search(1)
        if search.count() or search.ended != "complete":
            return None
    *smaller, largest = (f"{size}x{size}" for size in _SIZES)
    text = f"no grid of {', '.join(smaller)} or {largest} satisfies this rule"
    line, column, reason = _reason(rule, game)
    if rule.inputs and not reason:  # it may need facts, or the retraction of other rules
        return None
    message = Message(rule.place, line, column, "warning", f"warning: {text}{reason}")
    return message.with_excerpt(rule.text)


def _reason(rule: RuleFile, game: list[RuleFile]) -> tuple[int, int, str]:
    """The line and column of the constraint to blame, and why; empty if that is not clear."""
    if PLACED not in predicates(rule):
        return 1, 1, ": it does not depend on the numbers in the grid, a(R,C,N)"
    (grid,) = Solver(assemble(Puzzle.blank(_SIZES[0]), game)).search(1)
    cells_read = {
        position_of(statement): Counter(map(signature, atoms(statement)))[PLACED]
        for statement in parse(rule)[0]
    }
    for violation in find_violations(rule, grid):
        if len(violation.cells) == 1 and cells_read[violation.line, violation.column] > 1:
            ((row, column),) = violation.cells
            return (
                violation.line,
                violation.column,
                f": it also compares a cell with itself, such as r{row}c{column}; exclude that,"
                " e.g. with (R,C) != (R1,C1)",
            )
    return 1, 1, ""
