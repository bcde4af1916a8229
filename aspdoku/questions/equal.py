"""Whether two rules forbid the same grids: `equivalent`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from aspdoku.errors import AspdokuError
from aspdoku.lecture.equivalence import (
    SMALL_SIZES,
    Relation,
    RuleComparison,
    Witness,
    compare_rules,
)
from aspdoku.lecture.invented import GROUPS_DRAWN
from aspdoku.program import RuleFile, assemble, library, lint
from aspdoku.puzzle import Puzzle, Solution
from aspdoku.questions import text
from aspdoku.questions.result import Result, Section, fields, figure
from aspdoku.questions.source import (
    Constants,
    Facts,
    Names,
    PuzzleSource,
    Rule,
    name_or_file,
    names_in,
    puzzle_of,
    with_facts,
)
from aspdoku.questions.text import filled, wrapped
from aspdoku.runtime.signals import interruptible

_MAX_CELLS = 4
_RELATIONS = {
    "same": "the same",
    "undecided": "not decided in time",
    "vacuous": "neither has a solution",
}


@dataclass(frozen=True, repr=False)
class Equivalence(Result):
    """How two rules compare; its truth value is whether they are equivalent.

    data: the result for each size, with grids that one rule forbids and the other allows
    """

    _kind = "equal"
    data: RuleComparison

    def __bool__(self) -> bool:
        return self.data.relation == "same"

    @property
    def relation(self) -> Relation:
        """ "same", "one stricter", "two stricter", "neither", "different" or "undecided"."""
        return self.data.relation

    def _text(self) -> str:
        """The verdict, the sizes searched, and a grid for each direction of a difference."""
        return "\n\n".join([relation_text(self.data), *map(witness_text, self.data.witnesses)])

    def _summary(self) -> str:
        return f"{self._title()}, {self.relation}"

    def _json(self) -> dict[str, Any]:
        witness = fields("violated=violated.place satisfied=satisfied.place grid facts")
        violation = fields("line column cells message")
        return (
            fields("one=one.place two=two.place relation without")(self.data)
            | {
                "sizes": list(map(fields("size relation"), self.data.results)),
                "witnesses": [
                    witness(each) | {"violations": list(map(violation, each.violations))}
                    for each in self.data.witnesses
                ],
            }
            | ({"of_puzzle": True} if self.data.of_puzzle else {})
        )

    def _title(self) -> str:
        return f"{self.data.one.name} and {self.data.two.name}"

    def sections(self) -> list[Section]:
        """The verdict on two rules, and each grid with the cells that violate one of them."""
        grids = [witness_section(each, each.violated, witness_text) for each in self.data.witnesses]
        return [Section(relation_text(self.data)), *grids]


def relation_text(comparison: RuleComparison) -> str:
    """The verdict on two rules, and the sizes searched."""
    one, two = comparison.one.place, comparison.two.place
    different = [finding for finding in comparison.results if finding.witnesses]
    size = f"at {different[0].size}x{different[0].size}" if different else ""
    verdict = {
        "same": f"equivalent: no grid distinguishes {one} and {two}",
        "one stricter": f"{one} is stricter than {two} {size}",
        "two stricter": f"{two} is stricter than {one} {size}",
        "neither": f"different: {one} and {two} each forbid a grid that the other allows",
        "different": (
            f"different: a grid distinguishes {one} and {two}; whether one is stricter was not"
            " decided in time"
        ),
        "undecided": (
            f"undecided: no grid that distinguishes {one} and {two} was found in time, and their"
            " equivalence was not proved"
            if any(each.relation != "vacuous" for each in comparison.results)
            else f"undecided: no grid satisfies {one} or {two}"
        ),
    }[comparison.relation]
    sizes = ", ".join(
        f"{each.size}x{each.size}: {_RELATIONS.get(each.relation, 'different')}"
        for each in comparison.results
    )
    without = f"; without {' and '.join(comparison.without)}" if comparison.without else ""
    lines = [verdict, f"({sizes}{without})", *limits(comparison)]
    lines += ["this holds for the facts of the puzzle"] if comparison.of_puzzle else []
    return "\n".join(map(wrapped, lines))


def limits(comparison: RuleComparison) -> Iterator[str]:
    """What a comparison without a difference does not cover."""
    if comparison.witnesses:
        return
    vacuous = [
        f"{each.size}x{each.size}" for each in comparison.results if each.relation == "vacuous"
    ]
    if vacuous:
        proves = "that size proves" if len(vacuous) == 1 else "these sizes prove"
        yield f"neither has a solution at {', '.join(vacuous)}, so {proves} nothing"
    if comparison.sampled:
        tried = " and ".join(map(str, comparison.sampled))
        yield f"of {tried}, {GROUPS_DRAWN} invented lines or cages were tried at each size"


def witness_text(witness: Witness, show_grid: bool = True) -> str:
    """A grid that one rule forbids and the other allows."""
    return with_grid(
        f"{forbidding(witness, witness.violated.place)} forbids this grid{in_cells(witness)}, and"
        f" {witness.satisfied.place} allows it{':' if show_grid else ''}",
        witness,
        show_grid,
    )


def with_grid(sentence: str, witness: Witness, show_grid: bool) -> str:
    """A sentence about a grid, the grid and the inputs of the rules."""
    blocks = [wrapped(sentence)]
    if show_grid:
        blocks.append(text.grid(witness.grid, marked=witness.cells))
    if witness.facts:
        facts = " ".join(f"{fact}." for fact in witness.facts)
        blocks.append(filled(f"with {facts}", len("with ")))
    return "\n\n".join(blocks)


def forbidding(witness: Witness, place: str) -> str:
    """The rule that forbids the grid, as in `box.lp:5, "box 1 needs a 1",`."""
    if not witness.violations:
        return place
    first = witness.violations[0]
    return f"{place}:{first.line}" + (f', "{first.message}",' if first.message else "")


def in_cells(witness: Witness) -> str:
    """The violating cells in parentheses, at most `_MAX_CELLS` of them."""
    if not witness.violations:
        return " (in which cells, was not found in time)"
    cells = ", ".join(f"r{row}c{column}" for row, column in witness.cells[:_MAX_CELLS])
    more = " and others" if len(witness.cells) > _MAX_CELLS else ""
    return f" ({cells}{more})" if cells else ""


def witness_section(
    witness: Witness, rule: RuleFile, words: Callable[[Witness, bool], str]
) -> Section:
    """A part of a page: the grid with the inputs and the style of a rule, and words about it.

    words: a function of the witness and of whether the words contain the grid
    """
    rules = [library.base(), *library.defaults(), rule]
    # The other rule may read what this one defines, which is something else.
    inputs = {item.signature for each in rules for item in each.inputs}
    facts = tuple(fact for fact in witness.facts if fact.signature in inputs)
    puzzle = witness.grid.puzzle.replace(facts=facts)
    program = assemble(puzzle, rules)
    grid = Solution(puzzle, witness.grid.rows)
    try:
        return Section(words(witness, False), (figure(program, grid, cells=witness.cells),))
    except AspdokuError:
        return Section(words(witness, True))


@interruptible
def equivalent(
    one: Rule,
    two: Rule,
    puzzle: PuzzleSource | None = None,
    *,
    size: int = 9,
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    time_limit: float | None = None,
    interruptible: bool = False,
) -> Equivalence:
    """Decide whether two rules forbid the same grids, given the base and the default rules.

    Searches for a grid that violates one rule and satisfies the other, from 4x4 upwards, over all
    inputs; of cages and lines, some are invented for each size.

    one, two: names of rules, paths of rule files, or `RuleFile`s
    puzzle: only compare on this grid, with its inputs; the rules that it names are not used
    size: number of rows of the largest grid, without a puzzle
    without: default rules to retract
    constants: values for constants in the rules
    facts: ground facts that hold in every grid, such as the exception `"ab(offset,5)"`
    time_limit: seconds for all sizes; the relation is "undecided" if it is reached first
    interruptible: at KeyboardInterrupt, return the sizes that are settled
    Raises PuzzleError, or RuleError if a rule cannot be used or compared.
    """
    first, second = map(rule_file, (one, two))
    for each in (first, second):
        lint.require_valid(each)
    puzzles = blank_grids(size) if puzzle is None else [puzzle_of(puzzle)]
    puzzles = [with_facts(each, facts) for each in puzzles]
    for each in (first, second):
        lint.require_compatible(each, puzzles[0].facts, (first, second))
    return Equivalence(
        compare_rules(
            first,
            second,
            puzzles,
            names_in(without),
            puzzle is not None,
            time_limit,
            interruptible,
            constants,
        )
    )


def rule_file(rule: Rule) -> RuleFile:
    """The rule file with a name or path. Raises RuleError if there is none."""
    named = name_or_file(rule)
    return named if isinstance(named, RuleFile) else library.find(named)


def blank_grids(size: int) -> list[Puzzle]:
    """Blank grids on which rules are compared, from small to this size."""
    return [Puzzle.blank(rows) for rows in (*(n for n in SMALL_SIZES if n < size), size)]
