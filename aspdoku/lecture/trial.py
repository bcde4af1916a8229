"""Try a rule on blank grids: find rules whose grounding does not end, and rules that no grid
satisfies; and why, if that is easy to tell.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

from aspdoku.deadline import Deadline
from aspdoku.engine import Solver
from aspdoku.engine.sandbox import DEFAULT_LIMITS, Aborted, Limits, run_limited
from aspdoku.errors import AspdokuError, TimeLimitError
from aspdoku.lecture.equivalence import find_violations
from aspdoku.program import Program, RuleFile, assemble, library
from aspdoku.program.lint import PLACED
from aspdoku.program.messages import Message
from aspdoku.program.negation import may_choose
from aspdoku.program.syntax import atoms, parse, position_of, predicates, signature
from aspdoku.puzzle import Puzzle

_MEMORY = DEFAULT_LIMITS.memory
_SIZES = (4, 6, 9)
# Seconds for the search for a grid that satisfies the rule.
_SEARCH = 2.0
# Seconds for starting a child process, in addition to those for its work.
_START = 1.0
# Seconds for counting ground atoms, and the part of the time that they may take at most.
_COUNTING, _SHARE = 2.0, 4


def try_rule(rule: RuleFile, time_limit: float) -> list[Message]:
    """An error if the grounding of a blank 9x9 grid with a valid rule does not end; a warning if no
    blank grid of the usual sizes has a solution.

    Both are tried in a child process. A search that takes more than a few seconds ends without a
    warning. There is none for a rule that chooses something, which may need a puzzle's own numbers.

    time_limit: seconds, of which grounding may take half
    """
    seconds = time_limit / 2
    limit = seconds + _SEARCH + _START
    try:
        found = run_limited(Limits(limit, limit, _MEMORY), _tried, rule, seconds)
    except TimeLimitError:
        return [_endless(rule, f"{seconds:.2g} s", time_limit)]
    except AspdokuError:  # clingo cannot use the rule; solving will tell why
        return []
    if isinstance(found, Aborted):
        memory = f"{_MEMORY / (1 << 30):.3g} GB of memory"
        return [_endless(rule, memory, time_limit)] if found.limit == "memory" else []
    return [] if found is None else [found]


def _tried(rule: RuleFile, seconds: float) -> Message | None:
    """Raises TimeLimitError if the grounding does not end in these seconds."""
    Solver(_program(rule, _SIZES[-1]), seconds).ground()
    if may_choose(rule):
        return None
    with suppress(TimeLimitError):
        return _contradiction(rule)
    return None


def _program(rule: RuleFile, size: int) -> Program:
    return assemble(Puzzle.blank(size), [*_game(rule), rule])


def _game(rule: RuleFile) -> list[RuleFile]:
    return [library.base(), *(each for each in library.defaults() if each.name != rule.name)]


def _endless(rule: RuleFile, limit: str, time_limit: float) -> Message:
    """The error for a rule whose grounding does not end within a limit, and why that is likely."""
    line, column, reason = 1, 1, ""
    program = _program(rule, _SIZES[-1])
    first = program.parts[-1].first_line
    with suppress(ImportError):  # Windows has no limits for the process that counts atoms
        from aspdoku.engine.growth import find_cause

        seconds = min(_COUNTING, time_limit / _SHARE)
        cause = find_cause(program.text, seconds, _MEMORY)
        places = [position_of(each) for each in cause.rules] if cause else []
        if cause and places and places[0][0] >= first:
            line, column, reason = places[0][0] - first + 1, places[0][1], f": {cause.text}"
    text = f"grounding a blank {_SIZES[-1]}x{_SIZES[-1]} grid did not end within {limit}{reason}"
    return Message(rule.place, line, column, "error", text).with_excerpt(rule.text)


def _contradiction(rule: RuleFile) -> Message | None:
    deadline = Deadline(_SEARCH)
    for size in _SIZES:
        search = Solver(_program(rule, size), deadline.time_limit()).search(1)
        if search.count() or search.ended != "complete":
            return None
    *smaller, largest = (f"{size}x{size}" for size in _SIZES)
    text = f"no grid of {', '.join(smaller)} or {largest} satisfies this rule"
    line, column, reason = _reason(rule)
    if rule.inputs and not reason:  # it may need facts, or the retraction of other rules
        return None
    message = Message(rule.place, line, column, "warning", f"warning: {text}{reason}")
    return message.with_excerpt(rule.text)


def _reason(rule: RuleFile) -> tuple[int, int, str]:
    """The line and column of the constraint to blame, and why; empty if that is not clear."""
    if PLACED not in predicates(rule):
        return 1, 1, ": it does not depend on the numbers in the grid, a(R,C,N)"
    (grid,) = Solver(assemble(Puzzle.blank(_SIZES[0]), _game(rule))).search(1)
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
