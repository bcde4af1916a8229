"""What a puzzle does not need: `redundant`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Unpack

from aspdoku.engine.redundancy import RemovalResult, find_redundancies
from aspdoku.engine.solver import SearchOutcome, Stoppable
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.questions.result import Pictures, SearchResult, encoded, fields, figure
from aspdoku.questions.solve import two_solutions, verdict
from aspdoku.questions.source import RuleOptions, Source, program_of
from aspdoku.questions.text import filled
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note
from aspdoku.runtime.signals import interruptible

_MAX_NEEDED = 10
_NOT_UNIQUE = {"several": "this one has several solutions", "none": "this one has no solution"}
removal_json = fields("kind name rule facts needed status")


encoded.register(RemovalResult, removal_json)


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
        """The redundant items among the givens, the clues of each rule, and the rules.

        Needed items are listed if there are at most _MAX_NEEDED.
        """
        if self.status != "unique":
            return not_unique_text(self.outcome)
        if not self.items:
            return "no givens, clues or rules to remove"
        groups: dict[str, list[RemovalResult]] = {}
        for item in self.items:
            heading = f"clues of {item.rule}" if item.kind == "clue" else f"{item.kind}s"
            groups.setdefault(heading, []).append(item)
        width = max(map(len, groups))
        lines = [
            "The solution stays unique without any single one of these:"
            if any(item.needed is not True for item in self.items)
            else "Nothing is redundant: each of these is needed for the solution to be unique.",
            "",
        ]
        for heading, group in groups.items():
            spare, needed = _names(group, False), _names(group, True)
            lines.append(
                _listed(f"{heading.ljust(width)}  {len(spare)} of {len(group)}", spare, width + 2)
            )
            if 0 < len(needed) <= _MAX_NEEDED:
                lines.append(_listed(f"{' ' * width}  needed", needed, width + 4))
        if undecided := _names(self.items, None):
            lines += ["", _listed("not decided in time", undecided)]
        return "\n".join(lines)

    def _summary(self) -> str:
        if self.status != "unique":
            return not_unique_text(self.outcome)
        redundant = sum(item.needed is False for item in self.items)
        return f"{redundant} of {pluralize(len(self.items), 'item')} redundant"

    def _pictures(self) -> Pictures:
        cells = [item.cell for item in self.items if item.cell and item.needed is False]
        yield figure(self.program, cells=cells)


def not_unique_text(search: SearchOutcome, what: str = "has redundant parts") -> str:
    """Why nothing was removed: the puzzle has no unique solution, or none is proved."""
    problem = (
        _NOT_UNIQUE[search.status] + search.puzzle.caveat
        if search.status in _NOT_UNIQUE
        else verdict(search, None)
    )
    return f"only a puzzle with a unique solution {what}: {problem}"


def _names(items: Iterable[RemovalResult], needed: bool | None) -> list[str]:
    return [item.words or item.name for item in items if item.needed is needed]


def _listed(heading: str, names: Sequence[str], indent: int = 0) -> str:
    return filled(f"{heading}: {', '.join(names)}" if names else heading, indent)


@interruptible
def redundant(
    puzzle: Source,
    *,
    time_limit: float | None = None,
    interruptible: bool = False,
    **rules: Unpack[RuleOptions],
) -> Redundancy:
    """Find the givens, clues and rules that can each be removed while the solution stays unique.

    The arguments are those of `solve`. Raises PuzzleError or RuleError.
    """
    program = program_of(puzzle, time_limit, **rules)
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
