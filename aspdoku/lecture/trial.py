"""Try a rule on blank grids: find rules whose grounding does not end, rules that no grid satisfies,
constraints that no grid violates, and sums in which equal numbers count once.

clingo decides each of these for the grids of the sizes that a message names; a search that does not
end in time is no finding.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count

from aspdoku.deadline import Deadline
from aspdoku.engine import Solver
from aspdoku.engine.sandbox import DEFAULT_LIMITS, Aborted, Limits, run_limited
from aspdoku.errors import AspdokuError, GrowthError, RuleError, TimeLimitError
from aspdoku.lecture.equivalence import find_violations
from aspdoku.lecture.invented import InventedInputs, any_inputs
from aspdoku.program import Input, Program, RuleFile, assemble, library
from aspdoku.program.lint import PLACED, defined_predicates
from aspdoku.program.messages import Message
from aspdoku.program.negation import may_choose, negate, unused_tag
from aspdoku.program.sums import sums
from aspdoku.program.syntax import (
    Signature,
    atoms,
    heads,
    parse,
    position_of,
    predicates,
    signature,
)
from aspdoku.puzzle import Function, Puzzle

_MEMORY = DEFAULT_LIMITS.memory
_SIZES = (4, 6, 9)
_NO_GRID = "no grid of 4x4, 6x6 or 9x9"
# Seconds for all searches for grids.
_SEARCH = 5.0
# Seconds of these for sums: an example is found at once, a proof that there is none takes long.
_SUMS = 2.0
# Seconds for counting ground atoms, and the part of the time that they may take at most.
_COUNTING, _SHARE = 2.0, 4


def try_rule(rule: RuleFile, time_limit: float) -> list[Message]:
    """An error if the grounding of a blank 9x9 grid with a valid rule does not end; a warning if no
    blank grid of the usual sizes satisfies it, if none violates it, and for sums of sets.

    All are tried in a child process. A search that takes more than a few seconds ends without a
    warning. There is none for a rule that chooses something, which may need a puzzle's own numbers.

    time_limit: seconds, of which grounding may take half
    """
    seconds = time_limit / 2
    limit = seconds + _SEARCH
    try:
        found = run_limited(Limits(limit, limit, _MEMORY), _tried, rule, seconds)
    except TimeLimitError:
        return [_endless(rule, f"{seconds:.2g} s", time_limit)]
    except GrowthError as error:
        return [_endless(rule, error.limit, time_limit)]
    except AspdokuError:  # clingo cannot use the rule; solving will tell why
        return []
    if isinstance(found, Aborted):
        memory = f"{_MEMORY / (1 << 30):.3g} GB of memory"
        return [_endless(rule, memory, time_limit)] if found.limit == "memory" else []
    return found


def _tried(rule: RuleFile, seconds: float) -> list[Message]:
    """Raises TimeLimitError if the grounding does not end in these seconds."""
    Solver(_program(rule, _SIZES[-1]), seconds).ground()
    if may_choose(rule):
        return []
    found: list[Message] = []
    deadline = Deadline(_SEARCH)
    with suppress(TimeLimitError):
        found += _contradiction(rule, deadline)
    if not found:
        with suppress(TimeLimitError):
            found += _sums_of_sets(rule, Deadline(min(_SUMS, deadline.seconds_left())))
        with suppress(TimeLimitError, RuleError):  # the file cannot be negated
            found += _without_effect(rule, deadline)
    return found


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
        places = [position_of(each) for each in cause.statements] if cause else []
        if cause and places and places[0][0] >= first:
            line, column, reason = places[0][0] - first + 1, places[0][1], f": {cause.text}"
    text = f"grounding a blank {_SIZES[-1]}x{_SIZES[-1]} grid did not end within {limit}{reason}"
    return Message(rule.place, line, column, "error", text).with_excerpt(rule.text)


def _contradiction(rule: RuleFile, deadline: Deadline) -> list[Message]:
    for size in _SIZES:
        search = Solver(_program(rule, size), deadline.time_limit()).search(1)
        if search.count() or search.ended != "complete":
            return []
    line, column, reason = _reason(rule)
    if rule.inputs and not reason:  # it may need facts, or the retraction of other rules
        return []
    return [_warning(rule, line, column, f"{_NO_GRID} satisfies this rule{reason}")]


def _warning(rule: RuleFile, line: int, column: int, text: str) -> Message:
    message = Message(rule.place, line, column, "warning", f"warning: {text}")
    return message.with_excerpt(rule.text)


def _without_effect(rule: RuleFile, deadline: Deadline) -> list[Message]:
    """A warning for each constraint that no grid violates; for a rule with inputs, one if no grid
    violates it with any inputs, not even in place of the rules on rows, columns and boxes.

    Raises RuleError if the file cannot be negated.
    """
    places = [
        position_of(statement)
        for statement in parse(rule)[0]
        if statement.ast_type.name == "Rule" and not any(heads(statement))
    ]
    tag = unused_tag("it", [rule.text])
    negated = negate(rule, tag)
    if rule.inputs:
        open_ = {(1, 1): Function(f"{tag}_broken")} if places else {}
        what = "rule with any inputs whose values are from 0 to twice the size,"
    else:
        # A number for each constraint, in the order of the file.
        numbers = count()
        text = re.sub(
            rf"^{tag}_broken :-",
            lambda _: f"{tag}_broken({next(numbers)}) :-",
            negated.text,
            flags=re.MULTILINE,
        )
        negated = replace(negated, text=text)
        open_ = {place: Function(f"{tag}_broken", (number,)) for number, place in enumerate(places)}
        what = "constraint and satisfies base.lp and the default rules,"
    for size in _SIZES:
        for given in [*_inputs(rule, size), _all_inputs(rule)]:
            program = assemble(Puzzle.blank(size), [*_game(rule), *given, negated])
            solver = Solver(program, deadline.time_limit())
            for place, violation in list(open_.items()):
                search = solver.search(1, [(violation, True)])
                if search.count():
                    del open_[place]
                elif search.ended != "complete":
                    return []
            if not open_:
                return []
    return [
        _warning(rule, *place, f"{_NO_GRID} violates this {what} so that it has no effect")
        for place in sorted(open_)
    ]


def _sums_of_sets(rule: RuleFile, deadline: Deadline) -> list[Message]:
    """A warning for each sum with equal terms for two cells in a grid that satisfies the rule."""
    found: list[Message] = []
    tag = unused_tag("it", [rule.text])
    for total in sums(rule):
        equal = [
            pair
            for pair, question in total.questions(tag).items()
            if _is_possible(rule, question, Function(f"{tag}_twice"), deadline)
        ]
        if equal:
            text = (
                "equal terms of two cells count once in this sum, because its elements are a set:"
                f" write #sum {{ {total.with_places(equal)} }}"
            )
            found.append(_warning(rule, *total.position, text))
    return found


def _is_possible(rule: RuleFile, question: str, answer: Function, deadline: Deadline) -> bool:
    """Whether an atom that a question derives holds for a grid that satisfies the rule."""
    asked = RuleFile("question", "question", question, vetted=True)
    for size in _SIZES[:2]:
        for given in _inputs(rule, size) if rule.inputs else ([],):
            program = assemble(Puzzle.blank(size), [*_game(rule), *given, rule, asked])
            if Solver(program, deadline.time_limit()).search(1, [(answer, True)]).count():
                return True
    return False


def _inputs(rule: RuleFile, size: int) -> Iterator[list[RuleFile]]:
    """Rule files with well-formed inputs: those of the example of a rule, then invented ones."""
    if rule.example:
        yield [RuleFile("example", "example", f"{rule.example}\n", vetted=True)]
    if rule.inputs:
        yield [InventedInputs.of(_open_inputs(rule)).rules(size)]


def _all_inputs(rule: RuleFile) -> list[RuleFile]:
    """Rule files with any inputs of a rule, and without the rules of the grid that it may replace;
    none for a rule without inputs.
    """
    if not rule.inputs:
        return []
    names = sorted(set[str]().union(*(each.retractable for each in _game(rule))))
    facts = "".join(f"ab({name}).\n" for name in names)
    return [
        any_inputs(_open_inputs(rule)),
        RuleFile("retracted", "retracted", facts, vetted=True),
    ]


def _open_inputs(rule: RuleFile) -> list[Input]:
    """The inputs that no file beside a rule defines."""
    known = set[Signature]().union(*map(defined_predicates, [*_game(rule), rule]))
    return [item for item in rule.inputs if item.signature not in known]


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
