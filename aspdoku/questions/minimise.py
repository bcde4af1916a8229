"""A puzzle with fewer givens and clues: `minimise`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

from aspdoku.engine.clues import Clue
from aspdoku.engine.solver import SearchEnd
from aspdoku.explanation.cores import Item
from aspdoku.explanation.steps import Claim
from aspdoku.formats import registry
from aspdoku.generation.minimal import Reduction, reduce, unnamed_rules
from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzle.puzzle import GIVEN
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.questions.redundant import not_unique_text
from aspdoku.questions.result import STOPPED, Pictures, SearchResult, figure
from aspdoku.questions.solve import two_solutions
from aspdoku.questions.source import (
    Names,
    RuleOptions,
    Source,
    names_in,
    program_of,
    require_natural,
)
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note
from aspdoku.runtime.signals import interruptible


@dataclass(frozen=True, repr=False)
class MinimalPuzzle(SearchResult):
    """A puzzle with fewer givens and clues, and the same unique solution.

    program: of the original puzzle
    outcome: of the search for its solutions; unless there is a unique one, nothing was removed
    reduction: what was removed, and how that ended; None if nothing was tried
    """

    _kind = "minimise"
    _heading = "Minimal puzzle"
    reduction: Reduction | None = None
    remarks: tuple[str, ...] = ()

    @property
    def ended(self) -> SearchEnd | None:
        """Why the removal of givens and clues ended, or the search if nothing was removed."""
        return self.reduction.ended if self.reduction else self.outcome.ended

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle that is left, which names the rules of the library that it was solved with."""
        return (self.reduction or self).program.puzzle

    @property
    def removed(self) -> tuple[Item, ...]:
        """The givens and clues that were removed."""
        return self.reduction.removed if self.reduction else ()

    @property
    def is_minimal(self) -> bool:
        """Whether no given and no clue can be removed, except those that were to be kept."""
        return self.reduction is not None and self.reduction.ended == "complete"

    def __str__(self) -> str:
        if self.reduction is None:
            return self.summary()
        return registry.write(registry.NATIVE, [self.puzzle]).removesuffix("\n")

    _text = __str__  # a puzzle file, which has what is unsupported

    def summary(self) -> str:
        """How many givens and clues were removed, and whether the rest is minimal."""
        if self.reduction is None:
            return not_unique_text(self.outcome, "can be minimised")
        parts = []
        for one, kind in (("given", Claim), ("clue", Clue)):
            removed, kept = (
                sum(isinstance(item, kind) for item in items)
                for items in (self.removed, self.reduction.left)
            )
            if removed + kept:
                parts.append(f"{removed} of {pluralize(removed + kept, one)}")
        state = (
            f"none{' of the others' * bool(self.removed)} can be removed"
            if self.is_minimal
            else f"not minimal: {STOPPED[self.reduction.ended]}"
        )
        return f"removed {' and '.join(parts) or 'nothing'}; {state}{self.puzzle.caveat}"

    _summary = _words = summary

    def _pictures(self) -> Pictures:
        yield figure((self.reduction or self).program)

    def _json(self) -> dict[str, Any]:
        return {
            "status": self.status,
            "ended": self.ended,
            "puzzle": str(self) if self.reduction else None,
            "removed": list(map(_item_json, self.removed)),
            "left": list(map(_item_json, self.reduction.left)) if self.reduction else [],
        }


def _item_json(item: Item) -> dict[str, object]:
    if isinstance(item, Clue):
        return {"kind": "clue", "name": item.name, "rule": item.rule, "facts": item.facts}
    facts = [Function(GIVEN[0], (item.row, item.column, item.number))]
    return {"kind": "given", "name": str(item), "rule": "", "facts": facts}


@interruptible
def minimise(
    puzzle: Source,
    *,
    keep: Names = (),
    seed: int = 0,
    time_limit: float | None = None,
    interruptible: bool = False,
    **rules: Unpack[RuleOptions],
) -> MinimalPuzzle:
    """Remove givens and clues while the solution stays unique, until none can be removed.

    Regions and other inputs of the default rules are never removed.

    keep: what not to remove: "givens", "clues", the name of a rule whose clues to keep, a cell such
        as "r1c2", or a clue by the name that `redundant` gives it
    seed: of the random order in which they are removed
    The other arguments are those of `solve`. After the time limit, `is_minimal` is false. Raises
    PuzzleError or RuleError, and AspdokuError for a name in `keep` that nothing has.
    """
    require_natural(seed, "seed")
    program = program_of(puzzle, time_limit, **rules)
    deadline = Deadline(time_limit)
    outcome, solutions, remarks = two_solutions(program, time_limit, interruptible)
    if outcome.status != "unique":
        return MinimalPuzzle(program, outcome, None, remarks)
    note("removing givens and clues")
    seconds = deadline.time_limit()
    reduction = reduce(program, solutions[0], names_in(keep), seed, seconds, interruptible)
    unnamed = [
        f"the puzzle does not name the rule file {place}: add it with --with or with_="
        for place in unnamed_rules(reduction.program)
    ]
    return MinimalPuzzle(program, outcome, reduction, (*remarks, *unnamed))
