"""Decide whether two rules are equivalent, given the base.

Search for a grid of the base that violates one rule and satisfies the other, and vice versa. If
there is no such grid, for any inputs, the rules are equivalent, however different their texts are.
Compare the notion of solution correspondence with projection (Eiter, Tompits and Woltran 2005, "On
Solution Correspondences in Answer-Set Programming"); here, all grids of one size are searched.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple, cast

from aspdoku.engine import Solver
from aspdoku.engine.solver import Stoppable
from aspdoku.errors import Advice, RuleError, TimeLimitError
from aspdoku.lecture.invented import InventedInputs
from aspdoku.program import Input, Program, RuleFile, assemble, library
from aspdoku.program.compose import as_declared_by
from aspdoku.program.lint import defined_predicates, other_arguments
from aspdoku.program.rulefile import EXCEPTIONS, message_templates
from aspdoku.program.syntax import Signature, predicates
from aspdoku.program.transform import (
    InstanceQuery,
    helper_rules,
    is_decided_by_grid,
    is_textually_equal,
    negate,
    negate_per_instance,
    own_predicates,
    unused_tag,
    violations_query,
)
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzle.term import Term, sort_key
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note

# "different": one witness was found; whether there is one in the other direction was not decided
# within the time limit.
# "vacuous": no grid of this size satisfies either rule, which is no evidence.
Relation = Literal["same", "one stricter", "two stricter", "neither", "different", "undecided"]
SizeRelation = Relation | Literal["vacuous"]
SMALL_SIZES = (4, 6)
_MAX_CELLS = 4


class Witness(NamedTuple):
    """A grid that violates one rule and satisfies the other; violations only if found in time.

    title: that of the example that the grid is, if it is one
    """

    violated: RuleFile
    satisfied: RuleFile
    grid: Solution
    facts: tuple[Function, ...]
    violations: tuple[Violation, ...]
    title: str = ""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the first violation."""
        return self.violations[0].cells if self.violations else ()


def blank_grids(size: int) -> list[Puzzle]:
    """Blank grids on which rules are compared, from small to this size."""
    return [Puzzle.blank(rows) for rows in (*(n for n in SMALL_SIZES if n < size), size)]


class SizeResult(NamedTuple):
    """The relation for grids of one size, with a grid for each direction in which rules differ."""

    size: int
    relation: SizeRelation
    witnesses: tuple[Witness, ...]


class RuleComparison(NamedTuple):
    """The relation of two rules, over all sizes that were searched, smallest first.

    sampled: the inputs, such as cages and lines, of which only some were tried
    examples: grids that were known before the search, and distinguish the rules
    of_puzzle: whether all inputs were the facts of one puzzle
    interrupted: whether KeyboardInterrupt ended the search at the last size
    """

    one: RuleFile
    two: RuleFile
    results: tuple[SizeResult, ...]
    sampled: tuple[Input, ...] = ()
    without: tuple[str, ...] = ()
    of_puzzle: bool = False
    interrupted: bool = False
    examples: tuple[Witness, ...] = ()

    @property
    def relation(self) -> Relation:
        """ "same" if they are equivalent at each size at which one of them has a solution.
        "undecided" if no size shows a difference, and some size is undecided or all are vacuous.
        """
        relations = {result.relation for result in self.results}
        if not self.examples and relations <= {"same", "undecided", "vacuous"}:
            return "same" if "same" in relations and "undecided" not in relations else "undecided"
        broken = {witness.violated for witness in self.witnesses}
        if len(broken) > 1:
            return "neither"
        if "different" in relations:
            return "different"
        return "one stricter" if self.one in broken else "two stricter"

    @property
    def witnesses(self) -> tuple[Witness, ...]:
        """For each direction in which they differ, an example or the grid of the smallest size."""
        first: dict[bool, Witness] = {}
        found = (witness for result in self.results for witness in result.witnesses)
        for witness in (*self.examples, *found):
            first.setdefault(witness.violated == self.one, witness)
        return tuple(first.values())

    @property
    def given(self) -> list[str]:
        """The other rules of the game that were not retracted, by the names of their facts ab."""
        gone = {name.replace("-", "_") for name in self.without}
        others = [each for each in library.game() if each not in (self.one, self.two)]
        return [
            name
            for each in others
            for name in sorted(each.retractable, key=each.code.index)
            if name not in gone
        ]


def compare_rules(
    one: RuleFile,
    two: RuleFile,
    puzzles: Iterable[Puzzle],
    without: Sequence[str] = (),
    given_facts: bool = False,
    time_limit: float | None = None,
    interruptible: bool = False,
    constants: Mapping[str, str | int] | None = None,
) -> RuleComparison:
    """Compare two rules over the grids of each puzzle in turn, until one shows a difference.

    puzzles: usually blank grids, from small to large: a difference at 4x4 is found immediately
    given_facts: use the inputs of the puzzles instead of all possible inputs
    interruptible: at KeyboardInterrupt, return what is known; the size is undecided then
    Raises OtherInputsError if each of them reads inputs that the other one does not, RuleError if
    they declare the arguments of an input in another order or with another meaning, or if a file
    cannot be negated because it chooses or changes the base.
    """
    deadline, without = Deadline(time_limit), tuple(without)
    game, inputs = comparison_context(one, two)
    if error := next(other_arguments(one, [two]), None):
        raise RuleError(error.with_excerpt(one.text).quoted)
    puzzles = [as_declared_by(puzzle, [*game, one, two]) for puzzle in puzzles]
    if apart := other_inputs(one, two, puzzles[0].facts):
        raise OtherInputsError(one, two, *apart)
    invented = InventedInputs.of([] if given_facts else inputs)
    results: list[SizeResult] = []
    searched = False
    with Stoppable(interruptible) as run:
        for puzzle in puzzles:
            results.append(SizeResult(puzzle.size, "undecided", ()))  # until it is decided
            if is_textually_equal(one, two, _excepted(puzzle, without)):
                results[-1] = SizeResult(puzzle.size, "same", ())
                continue
            note(f"{puzzle.size}x{puzzle.size}")
            searched, left = True, deadline.time_limit()
            results[-1] = _at(puzzle, one, two, without, invented, left, constants)
            if results[-1].witnesses or results[-1].relation == "undecided":
                break
    interrupted = run.ended == "interrupted"
    sampled = tuple(family.cells for family in invented.families if searched)
    of_puzzle = given_facts and bool(inputs)
    return RuleComparison(one, two, tuple(results), sampled, without, of_puzzle, interrupted)


class OtherInputsError(RuleError):
    """Two rules cannot be compared, as each reads inputs that the other one does not."""

    def __init__(self, one: RuleFile, two: RuleFile, of_one: str, of_two: str) -> None:
        super().__init__(
            f"{one.place} and {two.place} cannot be compared: only {one.place} reads {of_one}, and"
            f" only {two.place} reads {of_two}; give them the same inputs",
            Advice(*2 * [", or name a puzzle with facts for both"]),
        )


def other_inputs(
    one: RuleFile, two: RuleFile, facts: Iterable[Function] = ()
) -> tuple[str, str] | None:
    """The inputs that only one of two rules reads, if each reads some and no fact is about both."""
    inputs = comparison_context(one, two)[1]
    reads = (predicates(rule) - own_predicates(rule) for rule in (one, two))
    first, second = ({each for each in inputs if each.signature in read} for read in reads)
    apart = first - second, second - first
    given = {fact.signature for fact in facts}
    if not all(apart) or not any(given.isdisjoint(i.signature for i in each) for each in apart):
        return None
    of_one, of_two = (" and ".join(sorted(map(str, each))) for each in apart)
    return of_one, of_two


def _excepted(puzzle: Puzzle, without: Sequence[str]) -> set[str]:
    """The names X for which a fact `ab(X)` or `ab(X,…)` may hold."""
    exceptions = (fact.arguments for fact in puzzle.facts if fact.name == EXCEPTIONS)
    names = (name.replace("-", "_") for name in (*puzzle.without, *without))
    return {*(str(arguments[0]) for arguments in exceptions if arguments), *names}


def _at(
    puzzle: Puzzle,
    one: RuleFile,
    two: RuleFile,
    without: tuple[str, ...],
    invented: InventedInputs,
    time_limit: float | None,
    constants: Mapping[str, str | int] | None,
) -> SizeResult:
    texts = [one.text, two.text, *map(str, puzzle.facts)]
    tags = unused_tag("one", texts), unused_tag("two", texts)
    first, second = (Function(f"{tag}_broken") for tag in tags)
    apart = Function(f"{tags[0]}_apart")
    query = f"{apart} :- {first}, not {second}.\n{apart} :- {second}, not {first}.\n"
    rules = [
        *comparison_context(one, two)[0],
        invented.rules(puzzle.size),
        *(negate(rule, tag, puzzle.facts) for rule, tag in zip((one, two), tags, strict=True)),
        RuleFile("apart", "the question", query, vetted=True),
    ]
    solver = Solver(assemble(puzzle, rules, without, constants, fast=False), time_limit)
    # One query suffices if they are equivalent, and that is the case that takes long.
    if solver.is_possible((apart, True)) is False:
        is_vacuous = solver.is_possible((first, False)) is False
        return SizeResult(puzzle.size, "vacuous" if is_vacuous else "same", ())
    witnesses, settled = [], True
    for violated, satisfied in ((one, two), (two, one)):
        search = solver.search(1, [(first, violated is one), (second, violated is two)])
        grids = list(search)
        settled &= bool(grids) or search.ended == "complete"
        for grid in grids:
            chosen, retracted = invented.chosen(grid.shown), (*puzzle.without, *without)
            facts, violations = needed_facts(
                violated, satisfied, grid, chosen, invented, retracted, solver.deadline, constants
            )
            witnesses.append(
                Witness(violated, satisfied, grid, (*facts, *puzzle.facts), violations)
            )
    relation = _relation([witness.violated is one for witness in witnesses], settled)
    return SizeResult(puzzle.size, relation, tuple(witnesses))


def _relation(ones: list[bool], settled: bool) -> Relation:
    """ones: for each witness, whether it violates the first rule"""
    if len(ones) == 2:
        return "neither"
    if not settled:
        return "different" if ones else "undecided"
    if not ones:
        return "same"
    return "one stricter" if ones[0] else "two stricter"


def comparison_context(one: RuleFile, two: RuleFile) -> tuple[list[RuleFile], list[Input]]:
    """The rules with which two rules are compared, and the inputs of any instance."""
    defaults = library.defaults()
    unlike = (helper_rules(rule) if rule in (one, two) else rule for rule in defaults)
    game = [library.base(), *unlike]
    known = {item.signature for item in library.base().inputs}.union(*map(defined_predicates, game))
    return game, [item for item in all_inputs([one, two]) if item.signature not in known]


def needed_facts(
    violated: RuleFile,
    satisfied: RuleFile,
    grid: Solution,
    chosen: list[Function],
    invented: InventedInputs,
    without: tuple[str, ...],
    deadline: Deadline,
    constants: Mapping[str, str | int] | None = None,
) -> tuple[list[Function], tuple[Violation, ...]]:
    """A few of the chosen facts that still distinguish the rules, and the violations. Well-formed
    parts are left out, all of one predicate first, until the deadline.
    """

    def breaks(rule: RuleFile, facts: Iterable[Function]) -> tuple[Violation, ...]:
        left, own = deadline.time_limit(), own_predicates(rule)
        # What one rule reads and the other one defines are different predicates, as in the search.
        facts = [fact for fact in facts if fact.signature not in own] + [*grid.puzzle.facts]
        return tuple(find_violations(rule, grid, facts, without, left, constants=constants))

    violations: tuple[Violation, ...] = ()
    with suppress(TimeLimitError):
        violations = breaks(violated, chosen)
        for dropped in invented.parts(chosen):
            fewer = [fact for fact in chosen if fact not in dropped]
            if (still := breaks(violated, fewer)) and not breaks(satisfied, fewer):
                chosen, violations = fewer, still
    return chosen, violations


def all_inputs(rules: Iterable[RuleFile]) -> list[Input]:
    """The inputs of these files, each once, with the first meaning that a file declares for it."""
    by_signature: dict[Signature, Input] = {}
    for item in (item for rule in rules for item in rule.inputs):
        if not by_signature.setdefault(item.signature, item).meaning:
            by_signature[item.signature] = item
    return list(by_signature.values())


class Violation(NamedTuple):
    """A violated constraint, the cells involved, and its message, such as "box 1 needs a 1"."""

    place: str
    line: int
    column: int
    cells: tuple[Cell, ...]
    message: str = ""

    def __str__(self) -> str:
        named = " ".join(f"r{row}c{column}" for row, column in self.cells)
        return f"{self.place}:{self.line}" + (f" at {named}" if named else "")


def forbidding(place: str, violations: Sequence[Violation]) -> str:
    """The rule that forbids a grid, as in `box.lp:5, "box 1 needs a 1",`."""
    if not violations:
        return place
    first = violations[0]
    return f"{place}:{first.line}" + (f', "{first.message}",' if first.message else "")


def in_cells(violations: Sequence[Violation]) -> str:
    """The cells of the first violation in parentheses, at most `_MAX_CELLS` of them."""
    if not violations:
        return " (in which cells, was not found in time)"
    involved = violations[0].cells
    cells = ", ".join(f"r{row}c{column}" for row, column in involved[:_MAX_CELLS])
    more = " and others" if len(involved) > _MAX_CELLS else ""
    return f" ({cells}{more})" if cells else ""


def find_violations(
    rule: RuleFile,
    grid: Solution,
    facts: Iterable[Function] = (),
    without: Iterable[str] = (),
    time_limit: float | None = None,
    constants: Mapping[str, str | int] | None = None,
    program: Program | None = None,
    query: Callable[[RuleFile, str, tuple[Function, ...]], InstanceQuery] = negate_per_instance,
) -> list[Violation]:
    """All violations of the rule by a full grid, in the order of lines; empty if it is satisfied.

    facts, without, constants: the inputs of the rule, retracted rules, and constants
    program: the program that has all these, and other rules, whose helper predicates the rule may
    use, instead of the base and the default rules
    query: the function that makes a query of the rule, a tag and the facts
    Raises TimeLimitError.
    """
    others, sizes = library.game(), None
    if program:
        facts, without = program.puzzle.facts, program.puzzle.without
        others, constants, sizes = program.rules, program.constants, program.sizes
    retractions = (Function(EXCEPTIONS, (Function(name.replace("-", "_")),)) for name in without)
    # A grid of one program may have numbers in cells that are unused in another one.
    none: dict[str, Any] = dict.fromkeys(("layout", "sections", "elaborations", "without"), ())
    puzzle = grid.puzzle.replace(grid=grid.rows, facts=(*facts, *retractions), **none)
    tag = unused_tag("it", [*(each.text for each in (rule, *others)), *map(str, puzzle.facts)])
    asked = query(rule, tag, puzzle.facts)
    # Without constraints and choices, the given grid is the unique solution, whatever it violates.
    # There is no solution if helpers that depend on a choice contradict each other without it; then
    # no violation can be located.
    rules = [*map(helper_rules, others), asked.rule]
    program = assemble(puzzle, rules, (), constants, every_cell=True, sizes=sizes, fast=False)
    search = Solver(program, time_limit).search()
    shown = [term for solution in search for term in solution.shown]
    if search.ended == "time":
        raise TimeLimitError("time limit reached")
    cells: dict[tuple[Term, ...], dict[str, list[Cell]]] = defaultdict(lambda: defaultdict(list))
    for term in shown:
        if isinstance(term, Function) and term.name.startswith(f"{tag}_"):
            kinds = cells[term.arguments[:4]]
            if cell := term.arguments[4:]:
                kinds[term.name.removeprefix(f"{tag}_")].append(cell)  # type: ignore[arg-type]
    templates = message_templates(rule)
    violations: dict[tuple[object, ...], Violation] = {}
    for key in sorted(cells, key=lambda key: tuple(map(sort_key, key))):
        line, column, number, values = cast("tuple[int, int, int, Function]", key)
        involved = tuple(sorted(cells[key]["cell"] or cells[key]["range"]))
        part, names = asked.constraints[number]
        known = dict(zip(names, map(str, values.arguments), strict=True))
        template = templates.get(line)
        message = template.message(part, known) if template and not template.is_silent else ""
        violation = Violation(rule.place, line, column, involved, message)
        violations.setdefault((line, column, involved), violation)
    return sorted(violations.values())


def find_program_violations(
    program: Program, grid: Solution, time_limit: float | None = None
) -> list[Violation]:
    """All violations of a program by a full grid, in the order of its rules. Unlike in
    `find_violations`, any rule can be violated, also the bound of a choice. None are found if the
    grid does not determine all other atoms, on which a violation may depend.
    """
    violations: list[Violation] = []
    deadline = Deadline(time_limit)
    for rule in program.rules if is_decided_by_grid(program.rules) else ():
        left = deadline.time_limit()
        violations += find_violations(rule, grid, (), (), left, None, program, violations_query)
    return violations
