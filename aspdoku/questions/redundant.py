"""What a puzzle does not need: `redundant`, and `minimise`, which removes it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from aspdoku.engine.clues import Clue
from aspdoku.engine.dependence import RemovalResult, find_redundancies
from aspdoku.engine.solver import SearchEnd, SearchOutcome, Stoppable
from aspdoku.explanation.cores import Item
from aspdoku.explanation.steps import Claim
from aspdoku.formats import registry
from aspdoku.generation.minimal import Reduction, reduce, unnamed_remarks
from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzle.puzzle import GIVEN
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.questions import source
from aspdoku.questions.result import STOPPED, Pictures, SearchResult, encoded, fields, figure
from aspdoku.questions.solve import two_solutions, verdict
from aspdoku.questions.text import filled
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note
from aspdoku.runtime.signals import interruptible

_MAX_NEEDED = 10
_NOT_UNIQUE = {"several": "this one has several solutions", "none": "this one has no solution"}

encoded.register(RemovalResult, fields("kind name rule facts needed status"))


@dataclass(frozen=True, repr=False)
class Redundancy(SearchResult):
    """Which givens, clues and rules can each be removed while the solution stays unique.

    items: one for each given, clue and rule; empty unless the puzzle has a unique solution
    """

    _kind, _fields = "redundant", "status ended items"
    _heading = "Redundant givens, clues and rules"
    items: tuple[RemovalResult, ...]
    remarks: tuple[str, ...] = ()

    def _text(self) -> str:
        """The redundant givens, clues of each rule, and rules; needed ones if there are few."""
        if self.status != "unique":
            return _not_unique(self.outcome, "has redundant parts")
        if not self.items:
            return "no givens, clues or rules to remove"
        groups: dict[str, list[RemovalResult]] = {}
        for item in self.items:
            heading = f"clues of {item.rule}" if item.kind == "clue" else f"{item.kind}s"
            groups.setdefault(heading, []).append(item)
        width = max(map(len, groups))
        lines = ["The solution stays unique without any single one of these:", ""]
        if all(item.needed for item in self.items):
            why = "each of these is needed for the solution to be unique"
            lines[0] = f"Nothing is redundant: {why}."
        for heading, group in groups.items():
            spare, needed = _names(group, False), _names(group, True)
            counted = f"{heading.ljust(width)}  {len(spare)} of {len(group)}"
            lines.append(_listed(counted, spare, width + 2))
            if 0 < len(needed) <= _MAX_NEEDED:
                lines.append(_listed(f"{' ' * width}  needed", needed, width + 4))
        if undecided := _names(self.items, None):
            lines += ["", _listed("not decided in time", undecided)]
        return "\n".join(lines)

    def _summary(self) -> str:
        if self.status != "unique":
            return str(self)
        redundant = sum(item.needed is False for item in self.items)
        return f"{redundant} of {pluralize(len(self.items), 'item')} redundant"

    def _pictures(self) -> Pictures:
        cells = [item.cell for item in self.items if item.cell and item.needed is False]
        yield figure(self.program, cells=cells)


def _not_unique(search: SearchOutcome, what: str) -> str:
    """Why nothing was removed: the puzzle has no unique solution, or none is proved."""
    status, caveat = search.status, search.puzzle.caveat
    known = f"{_NOT_UNIQUE[status]}{caveat}" if status in _NOT_UNIQUE else verdict(search, None)
    return f"only a puzzle with a unique solution {what}: {known}"


def _names(items: Iterable[RemovalResult], needed: bool | None) -> list[str]:
    return [item.words or item.name for item in items if item.needed is needed]


def _listed(heading: str, names: Sequence[str], indent: int = 0) -> str:
    return filled(f"{heading}: {', '.join(names)}" if names else heading, indent)


@interruptible
def redundant(
    puzzle: source.Source,
    *,
    time_limit: float | None = None,
    interruptible: bool = False,
    **rules: Unpack[source.RuleOptions],
) -> Redundancy:
    """Find the givens, clues and rules that can each be removed while the solution stays unique.

    The arguments are those of `solve`. Raises PuzzleError or RuleError.
    """
    program = source.program_of(puzzle, time_limit, **rules)
    deadline = Deadline(time_limit)
    outcome, _, remarks = two_solutions(program, time_limit, interruptible)
    items: list[RemovalResult] = []
    note("checking givens, clues and rules")
    with Stoppable(interruptible) as run:
        if outcome.status == "unique":
            for item in find_redundancies(program, deadline.time_limit()):
                items.append(item)
                note(f"{len(items)} checked, {sum(not each.needed for each in items)} not needed")
    if run.error:
        outcome = outcome._replace(ended=run.ended)
    if outcome.ended == "complete" and any(item.needed is None for item in items):
        outcome = outcome._replace(ended="time")
    return Redundancy(program, outcome, tuple(items), remarks)


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
        return (self.reduction or self.outcome).ended

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
            return _not_unique(self.outcome, "can be minimised")
        parts = []
        for one, kind in (("given", Claim), ("clue", Clue)):
            removed = sum(isinstance(item, kind) for item in self.removed)
            total = removed + sum(isinstance(item, kind) for item in self.reduction.left)
            parts += [f"{removed} of {pluralize(total, one)}"] * bool(total)
        state = f"none{' of the others' * bool(self.removed)} can be removed"
        if not self.is_minimal:
            state = f"not minimal: {STOPPED[self.reduction.ended]}"
        return f"removed {' and '.join(parts) or 'nothing'}; {state}{self.puzzle.caveat}"

    _summary = _words = summary

    def _pictures(self) -> Pictures:
        yield figure((self.reduction or self).program)

    def _json(self) -> dict[str, Any]:
        left = self.reduction.left if self.reduction else ()
        return {
            **fields("status ended")(self),
            "puzzle": str(self) if self.reduction else None,
            "removed": list(map(_item_json, self.removed)),
            "left": list(map(_item_json, left)),
        }


def _item_json(item: Item) -> dict[str, object]:
    if isinstance(item, Clue):
        return {"kind": "clue", "name": item.name, "rule": item.rule, "facts": item.facts}
    facts = [Function(GIVEN[0], (item.row, item.column, item.number))]
    return {"kind": "given", "name": str(item), "rule": "", "facts": facts}


@interruptible
def minimise(
    puzzle: source.Source,
    *,
    keep: source.Names = (),
    seed: int = 0,
    time_limit: float | None = None,
    interruptible: bool = False,
    **rules: Unpack[source.RuleOptions],
) -> MinimalPuzzle:
    """Remove givens and clues while the solution stays unique, until none can be removed.

    Regions and other inputs of the default rules are never removed.

    keep: what not to remove: "givens", "clues", the name of a rule whose clues to keep, a cell such
        as "r1c2", or a clue by the name that `redundant` gives it
    seed: of the random order in which they are removed
    The other arguments are those of `solve`. After the time limit, `is_minimal` is false. Raises
    PuzzleError or RuleError, and AspdokuError for a name in `keep` that nothing has.
    """
    source.require_natural(seed, "seed")
    program = source.program_of(puzzle, time_limit, **rules)
    deadline = Deadline(time_limit)
    outcome, solutions, remarks = two_solutions(program, time_limit, interruptible)
    if outcome.status != "unique":
        return MinimalPuzzle(program, outcome, None, remarks)
    note("removing givens and clues")
    seconds = deadline.time_limit()
    reduction = reduce(program, solutions[0], source.names_in(keep), seed, seconds, interruptible)
    more = unnamed_remarks(reduction.program)
    return MinimalPuzzle(program, outcome, reduction, (*remarks, *more))
