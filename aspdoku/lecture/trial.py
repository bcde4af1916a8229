"""Try a rule on blank grids: find rules whose grounding does not end, rules that no grid satisfies,
constraints that no grid violates, and sums in which equal numbers count once.

clingo decides each of these for the grids of the sizes that a message names; a search that does not
end in time is no finding.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, islice

from aspdoku.engine.solver import RANDOM_OPTIONS, Solver, grid_atoms
from aspdoku.errors import AspdokuError, GrowthError, RuleError, TimeLimitError
from aspdoku.lecture.equivalence import find_violations
from aspdoku.lecture.invented import InventedInputs, any_inputs
from aspdoku.program import Input, Program, RuleFile, assemble, library, lint, syntax
from aspdoku.program.messages import Message, about
from aspdoku.program.sums import sums
from aspdoku.program.transform import may_choose, relaxed, unused_tag
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.runtime.child import DEFAULT_LIMITS, Aborted, Limits, run_limited
from aspdoku.runtime.deadline import Deadline

_MEMORY = DEFAULT_LIMITS.memory
_SIZES = (4, 6, 9)
_NO_GRID = "no grid of 4x4, 6x6 or 9x9"
# Seconds for all searches for grids.
_SEARCH = 5.0
# Seconds of these for sums: an example is found at once, a proof that there is none takes long.
_SUMS = 2.0
# Grids of 6x6 and of 9x9 for a file that chooses.
_SAMPLE = 10
# Seconds for counting ground atoms, and the part of the time that they may take at most.
_COUNTING, _SHARE = 2.0, 4


def try_rule(rule: RuleFile, time_limit: float) -> list[Message]:
    """Errors and warnings about a valid rule, found on blank grids of the usual sizes in a child. A
    search that takes more than a few seconds ends without a warning. There is none for a rule that
    chooses something, which may need a puzzle's own numbers. Grounding may take half of the time
    limit.
    """
    seconds = time_limit / 2
    try:
        messages = run_limited(Limits(seconds + _SEARCH, _MEMORY), _tried, rule, seconds)
        if not isinstance(messages, Aborted):
            return messages
        if messages.limit != "memory":
            return []
        limit = f"{_MEMORY / (1 << 30):.3g} GB of memory"
    except TimeLimitError:
        limit = f"{seconds:.2g} s"
    except GrowthError as error:
        limit = error.limit
    except AspdokuError:  # clingo cannot use the rule; solving will tell why
        return []
    return [_endless(rule, limit, time_limit)]


def _tried(rule: RuleFile, seconds: float) -> list[Message]:
    """Raises TimeLimitError if the grounding does not end in these seconds."""
    Solver(_program(Puzzle.blank(_SIZES[-1]), rule), seconds).ground()
    messages: list[Message] = []
    deadline = Deadline(_SEARCH)
    with suppress(TimeLimitError, RuleError):
        messages += _contradiction(rule, deadline)
    if not messages:
        with suppress(TimeLimitError):
            messages += _sums_of_sets(rule, Deadline(min(_SUMS, deadline.seconds_left())))
        with suppress(TimeLimitError, RuleError):  # clingo cannot ground it with these inputs
            messages += _without_effect(rule, deadline)
    return messages or _forbids_nothing(rule, deadline)


def _program(puzzle: Puzzle, rule: RuleFile, *others: RuleFile) -> Program:
    return assemble(puzzle, [*library.game(rule.name), *others, rule], fast=False)


def _endless(rule: RuleFile, limit: str, time_limit: float) -> Message:
    """The error for a rule whose grounding does not end within a limit, and why that is likely."""
    place, reason, size = (1, 1), "", _SIZES[-1]
    with suppress(ImportError):  # Windows has no limits for the process that counts atoms
        from aspdoku.program.growth import cause_of_growth, largest_in

        seconds, program = min(_COUNTING, time_limit / _SHARE), _program(Puzzle.blank(size), rule)
        cause = cause_of_growth([rule], lambda: largest_in(program.text, seconds, _MEMORY))
        if cause and cause.to_blame:
            place, reason = syntax.position_of(cause.to_blame[0][1]), f": {cause.text}"
    text = f"grounding a blank {size}x{size} grid did not end within {limit}{reason}"
    return about(rule, place, text, "error")


def _contradiction(rule: RuleFile, deadline: Deadline) -> list[Message]:
    """A warning if no grid satisfies a rule with some inputs, and each search ends."""
    # Rules with choices or inputs, or in place of others, may need a puzzle's own numbers.
    usual = not rule.inputs and not rule.replaced and not may_choose(rule)
    for size in _SIZES:
        for puzzle, given in islice(_instances(rule, size), 1 if usual else None):
            solver = Solver(_program(puzzle, rule, *given), deadline.time_limit())
            if solver.is_possible() is not False:
                return []
    place, reason = _reason(rule, deadline)
    inputs = " with any inputs" if rule.inputs else ""
    return [about(rule, place, f"{_NO_GRID} satisfies this rule{inputs}{reason}")]


def _without_effect(rule: RuleFile, deadline: Deadline) -> list[Message]:
    """A warning for each constraint, and each choice with bounds, that no grid violates: for a
    rule with inputs, not even in place of the rules on rows, columns and boxes; for another one,
    not even in place of those that it says it replaces.
    """
    tag = unused_tag("it", [rule.text])
    relaxed_rule, places = relaxed(rule, tag)
    without = f" without {', '.join(sorted(rule.replaced))}" if rule.replaced else ""
    what = f"and satisfies base.lp and the default rules{without},"
    if rule.inputs:
        what = "with any inputs whose values are from 0 to twice the size,"
    for puzzle, given in (each for size in _SIZES for each in _instances(rule, size)):
        solver = Solver(_program(puzzle, relaxed_rule, *given), deadline.time_limit())
        for place in sorted(places):
            violated = solver.is_possible((Function(f"{tag}_broken", place), True))
            if violated is None:
                return []
            if violated:
                places.remove(place)
        if not places:
            return []
    text = f"{_NO_GRID} violates this constraint {what} so that it has no effect"
    return [about(rule, place, text) for place in sorted(places)]


def _forbids_nothing(rule: RuleFile, deadline: Deadline) -> list[Message]:
    """A warning if a file that chooses can do so for each grid; a note if that is undecided. Each
    grid is fixed, and clingo searches for an answer set: for all grids of 4x4, and a few of the
    other sizes.
    """
    if not may_choose(rule) or not lint.can_forbid(rule) or lint.changes_more_than_grids(rule):
        return []
    place = min(relaxed(rule, unused_tag("it", [rule.text]))[1], default=(1, 1))
    numbers = []
    with suppress(TimeLimitError, RuleError):
        for size in _SIZES:
            blank = Puzzle.blank(size)
            programs = [_program(blank, rule, *given) for given in _inputs(rule, size)]
            solvers = [Solver(program, deadline.time_limit()) for program in programs]
            tried = 0
            for grid in _grids(rule, size, deadline):
                tried += 1
                fixed = [(atom, True) for atom in grid_atoms(grid)]
                if any(solver.is_possible(*fixed) is False for solver in solvers):
                    return []
            deadline.require_time("trying grids")
            numbers.append(f"{tried} grids of {size}x{size}")
        if not rule.inputs:
            text = (
                f"none of {numbers[0]}, {numbers[1]} and {numbers[2]} that were tried violates this"
                " file: for each of them it can choose so that its constraints hold; if what it"
                " chooses follows from the grid, define it by a rule instead, as in p(R,C) :- …"
            )
            return [about(rule, place, text)]
    text = "this file chooses, and it was not decided whether it forbids a grid"
    return [about(rule, place, text, "note")]


def _grids(rule: RuleFile, size: int, deadline: Deadline) -> Iterator[Solution]:
    """All solutions of the smallest blank grid, and a few random ones of another."""
    program = assemble(Puzzle.blank(size), library.game(rule.name))
    if size == _SIZES[0]:
        yield from Solver(program, deadline.time_limit()).search(0)
        return
    for seed in range(1, _SAMPLE + 1):
        random = (*RANDOM_OPTIONS, f"--seed={seed}")
        yield from Solver(program, deadline.time_limit(), options=random).search(1)


def _sums_of_sets(rule: RuleFile, deadline: Deadline) -> list[Message]:
    """A warning for each sum with equal terms for two cells in a grid that satisfies the rule."""
    messages: list[Message] = []
    tag = unused_tag("it", [rule.text])
    for total in sums(rule):
        twice, questions = Function(f"{tag}_twice"), total.questions(tag).items()
        equal = [pair for pair, each in questions if _is_possible(rule, each, twice, deadline)]
        if equal:
            why = "equal terms of two cells count once in this sum, because its elements are a set"
            text = f"{why}: write #sum {{ {total.with_places(equal)} }}"
            messages.append(about(rule, total.position, text))
    return messages


def _is_possible(rule: RuleFile, question: str, answer: Function, deadline: Deadline) -> bool:
    """Whether an atom that a question derives holds for a grid that satisfies the rule."""
    asked = RuleFile("question", "question", question, vetted=True)
    for size in _SIZES[:2]:
        for given in _inputs(rule, size):
            program = _program(Puzzle.blank(size), rule, *given, asked)
            if Solver(program, deadline.time_limit()).is_possible((answer, True)):
                return True
    return False


def _instances(rule: RuleFile, size: int) -> Iterator[tuple[Puzzle, list[RuleFile]]]:
    """Blank grids, with numbers from 1 and from 0, and rule files with inputs of a rule. Without
    the rules on rows and columns, there may be more numbers than cells in a row.
    """
    blank = Puzzle.blank(size)
    for given in _inputs(rule, size):
        yield blank, given
        yield blank.replace(numbers=range(size)), given
    if any_given := _all_inputs(rule):
        yield blank, any_given
        yield blank.replace(numbers=range(size + 2)), any_given


def _inputs(rule: RuleFile, size: int) -> Iterator[list[RuleFile]]:
    """Well-formed inputs of a rule as files: its example, then invented ones; or no files."""
    if rule.example:
        yield [RuleFile("example", "example", f"{rule.example}\n", vetted=True)]
    yield [InventedInputs.of(_open_inputs(rule)).rules(size)] if rule.inputs else []


def _all_inputs(rule: RuleFile) -> list[RuleFile]:
    """Any inputs of a rule, and without the rules of the grid that it may replace, as files."""
    if not (rule.inputs or rule.replaced):
        return []
    known = set[str]().union(*(each.retractable for each in library.game(rule.name)))
    names = sorted(known if rule.inputs else known & rule.replaced)
    facts = "".join(f"ab({name}).\n" for name in names)
    retracted = RuleFile("retracted", "retracted", facts, vetted=True)
    return [any_inputs(_open_inputs(rule)), retracted]


def _open_inputs(rule: RuleFile) -> list[Input]:
    """The inputs of a rule that neither its file nor those of the game define."""
    known = set[syntax.Signature]().union(
        *map(lint.defined_predicates, [*library.game(rule.name), rule])
    )
    return [item for item in rule.inputs if item.signature not in known]


def _reason(rule: RuleFile, deadline: Deadline) -> tuple[tuple[int, int], str]:
    """The place of what excludes every grid, and why; line 1 if several constraints do together."""
    place = _blamed(rule, deadline)
    if lint.PLACED not in syntax.predicates(rule):
        return place, ": it does not depend on the numbers in the grid, a(R,C,N)"
    if cell := _compared_with_itself(rule, place):
        itself = f"it also compares a cell with itself, such as r{cell[0]}c{cell[1]}"
        return place, f": {itself}; exclude that, e.g. with (R,C) != (R1,C1)"
    return place, ""


def _blamed(rule: RuleFile, deadline: Deadline) -> tuple[int, int]:
    """The constraint without which some 4x4 grid satisfies a rule, or else a likely cause."""
    tag = unused_tag("it", [rule.text])
    others, places = relaxed(rule, tag)
    program = _program(Puzzle.blank(_SIZES[0]), others, *_all_inputs(rule))
    solver = Solver(program, deadline.time_limit())
    for place in sorted(places):
        kept = [(Function(f"{tag}_broken", each), False) for each in places - {place}]
        if solver.is_possible(*kept):
            return place
    if solver.is_possible():
        return 1, 1
    negated = syntax.negative_cycles(syntax.parse(rule)[0])
    cycles = (syntax.position_of(statement) for statement, _ in negated)
    negative = (place for (name, _), place in lint.definitions(rule).items() if name[0] == "-")
    return next(chain(cycles, negative), (1, 1))


def _compared_with_itself(rule: RuleFile, place: tuple[int, int]) -> tuple[int, int] | None:
    """The cell that alone violates the constraint at this place, which is about several."""
    (grid,) = Solver(assemble(Puzzle.blank(_SIZES[0]), library.game(rule.name))).search(1)
    here = (each for each in syntax.parse(rule)[0] if syntax.position_of(each) == place)
    atoms = chain.from_iterable(map(syntax.atoms, here))
    several = [*map(syntax.signature, atoms)].count(lint.PLACED) > 1
    with suppress(RuleError):  # the file cannot be negated
        for violation in find_violations(rule, grid):
            alone = several and len(violation.cells) == 1
            if alone and (violation.line, violation.column) == place:
                return violation.cells[0]
    return None
