"""Why a puzzle has no solution: a conflict of givens and clues, the rules involved, and repairs.

A conflict is a minimal unsatisfiable subset of the givens and clues, found by deletion: starting
with an unsatisfiable core, each member is left out in turn, and stays out if the rest is still
unsatisfiable (`explanation.cores`). If rules are about the absence of clues, the rest has to be
unsatisfiable whichever of the other clues hold: a puzzle without a clue can have no solution just
because the clue is missing. The rules are then minimized for these givens and clues only: assuming
each of the thousand rule instances of a puzzle would make every search a hard one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cached_property
from typing import Literal as OneOf
from typing import NamedTuple

from aspdoku.engine.clues import Clue
from aspdoku.engine.solver import GivenConflicts, SearchEnd, Stoppable
from aspdoku.errors import TimeLimitError
from aspdoku.explanation.constraints import (
    ConstraintModel,
    RuleInstance,
    UndecidedError,
    union_of,
)
from aspdoku.explanation.cores import CoreFinder, Item
from aspdoku.explanation.explainer import StepFinder, direct_conflicts
from aspdoku.explanation.rule_cores import MOST_CONFLICTS, RuleCores
from aspdoku.explanation.steps import Claim, Conflict, Step, relevant_steps
from aspdoku.program import Program
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note

Cause = OneOf["none", "impossible", "givens", "rules", "unguarded"]

# The rules of a conflict with more than this are not listed. About as many can be understood as one
# list; the deep conflicts of usual puzzles involve dozens, and are explained step by step.
MOST_RULES = 8
# Conflicts to list. If there are more, the grid as a whole is probably wrong, e.g. its digits are
# in another order.
MOST_LISTED = 20


class ConflictExplanation(NamedTuple):
    """Why there is no solution.

    cause: "none": there is a solution; "impossible": a given that its rules never allow, whatever
        the others; "givens": the first conflict has givens; "rules": it has none, so that there is
        no solution whatever the givens; "unguarded": statements that cannot be cited have no
        solution
    conflicts: each clue that fails alone, or else one conflict and others that violate a single
        rule directly
    minimal: whether it is proved that without any one of its givens and clues, a conflict has a
        solution, with some of the other clues
    is_hard: whether short searches do not decide what can be left out; False if `minimal`
    steps: on request, the derivation of a violated rule, if there are too many rules for a list
    repairs, clue_repairs: those whose removal, one at a time, makes the puzzle solvable
    unlisted: how many other sets of numbers violate a rule directly
    """

    cause: Cause
    conflicts: tuple[Conflict, ...] = ()
    minimal: bool = True
    is_hard: bool = False
    steps: tuple[Step, ...] = ()
    repairs: tuple[Claim, ...] = ()
    clue_repairs: tuple[Clue, ...] = ()
    unlisted: int = 0
    ended: SearchEnd = "complete"

    @property
    def is_deep(self) -> bool:
        """Whether a conflict involves too many rules for a list."""
        return self.cause in ("givens", "rules") and not all(each.rules for each in self.conflicts)


OnImproved = Callable[[ConflictExplanation], object]


def explain_conflict(
    program: Program,
    time_limit: float | None = None,
    *,
    proof: bool = False,
    on_improved: OnImproved = lambda _: None,
    interruptible: bool = False,
) -> ConflictExplanation:
    """Explain why a puzzle has no solution. At the time limit, or at KeyboardInterrupt if
    interruptible, what is known is returned, or the exception raised if nothing is.

    proof: whether to derive a violated rule, if there are too many rules for a list
    on_improved: called with what is known, each time that it is more than before
    """
    search = _ConflictSearch(program, Deadline(time_limit), on_improved)
    with Stoppable(interruptible) as run:
        search.run(proof)
    if run.error and search.known is None:
        raise run.error
    return (search.known or ConflictExplanation("none"))._replace(ended=run.ended)


def given_conflicts(program: Program, time_limit: float | None = None) -> GivenConflicts:
    """Conflicts of one or two givens, as far as short searches find them before the time limit."""
    found: list[list[Item]] = []
    with suppress(TimeLimitError):
        finder = CoreFinder(program, Deadline(time_limit), found=())
        if finder.core_shortly(()) is not None:
            return GivenConflicts(rules_alone=True)
        found += [[given] for given in finder.impossible]
        left, deep = list(finder.items), list[Item]()
        while len(found) < MOST_LISTED and (core := _short_core(finder, left)):
            left.remove(core[-1])
            if len(core) <= 2:
                found.append(core)
            else:
                deep.append(core[-1])
        # A given that was left out because of a deeper conflict may also be in one of two givens.
        for item in deep:
            pairs = ([each, item] for each in finder.items if each != item)
            found += [pair for pair in pairs if len(_short_core(finder, pair)) == 2]
    cells = {tuple(sorted(item[:2] for item in core if isinstance(item, Claim))) for core in found}
    return GivenConflicts(givens=tuple(sorted(cells)), complete=len(found) < MOST_LISTED)


def _short_core(finder: CoreFinder, items: list[Item]) -> list[Item]:
    """A minimal set of these items without a solution, as far as short searches find one."""
    core = finder.core_shortly(items) or []
    for item in core:
        if item in core:
            core = finder.core_shortly([each for each in core if each != item]) or core
    return core


class _ConflictSearch:
    """The search for a conflict; `known` is None as long as there may be a solution."""

    def __init__(self, program: Program, deadline: Deadline, on_improved: OnImproved) -> None:
        self._program = program
        self._deadline = deadline
        self._on_improved = on_improved
        self._repairing: dict[Item, bool] = {}  # as far as it is known
        self.known: ConflictExplanation | None = None

    def run(self, proof: bool) -> None:
        self._finder = CoreFinder(self._program, self._deadline)
        self._clues = [item for item in self._finder.items if isinstance(item, Clue)]
        found = self._impossible() or self._clues_alone() or self._minimal()
        if found is None:
            return
        first, *others = found.conflicts
        if found.cause != "impossible":
            found = self._with_rules(found, proof)
        # Whatever repairs the puzzle is in each conflict.
        single = not others or found.cause == "givens"
        suspects: list[Item] = [*first.givens, *first.clues] if single else []
        repairs = [item for item in suspects if self._repairs(item)]
        self._improve(
            found._replace(
                repairs=tuple(item for item in repairs if isinstance(item, Claim)),
                clue_repairs=tuple(item for item in repairs if isinstance(item, Clue)),
            )
        )

    def _improve(self, known: ConflictExplanation) -> ConflictExplanation:
        if known != self.known:
            self.known = known
            self._on_improved(known)
        return known

    def _impossible(self) -> ConflictExplanation | None:
        found = tuple(Conflict((given,)) for given in self._finder.impossible)
        return self._improve(ConflictExplanation("impossible", found)) if found else None

    def _clues_alone(self) -> ConflictExplanation | None:
        """What has no solution whatever the givens are: the rules, or clues each by itself."""
        self._core_of_clues = self._finder.core_shortly(self._clues)
        if self._core_of_clues is None:
            return None
        if self._finder.core_shortly(()) is not None:
            return self._improve(ConflictExplanation("rules", (Conflict(),)))
        found = tuple(Conflict(clues=(clue,)) for clue in self._failing(self._clues))
        return self._improve(ConflictExplanation("rules", found)) if found else None

    def _failing(self, clues: list[Clue]) -> list[Clue]:
        """Of clues that have no solution together, those that fail alone."""
        middle = len(clues) // 2
        if not middle:
            return clues
        halves = [
            half for half in (clues[:middle], clues[middle:]) if self._finder.core_shortly(half)
        ]
        return [clue for half in halves for clue in self._failing(half)]

    def _minimal(self) -> ConflictExplanation | None:
        core = self._core_of_clues or self._finder.core(self._finder.items, all_if_hard=True)
        if core is None:
            return None
        core, self._repairing = self._finder.irreducible(core, self._smaller)
        return self._improve(_explanation(core, minimal=True))

    def _smaller(self, items: list[Item], is_hard: bool) -> None:
        note(f"{len(items)} of {len(self._finder.items)} givens and clues left")
        self._improve(_explanation(items, minimal=False)._replace(is_hard=is_hard))

    def _with_rules(self, found: ConflictExplanation, proof: bool) -> ConflictExplanation:
        first, *others = found.conflicts
        if len(first.words) > MOST_RULES:
            # Each given and each clue is needed by a rule: mostly, the rules are too many.
            return self._with_steps(found, proof)
        direct, unlisted = self._direct(first) if first.givens else ([first], 0)
        conflicts = [*direct, *others]
        for place, conflict in enumerate(conflicts):
            if conflict.rules:
                continue
            rules = self._rules(conflict)
            if rules == () and not conflict.words:
                return self._improve(ConflictExplanation("unguarded"))
            conflicts[place] = conflict._replace(rules=rules or ())
            found = self._improve(found._replace(conflicts=tuple(conflicts)))
        found = found._replace(conflicts=tuple(conflicts), unlisted=unlisted)
        found = self._improve(found)
        return self._with_steps(found, proof)

    def _with_steps(self, found: ConflictExplanation, proof: bool) -> ConflictExplanation:
        if not (proof and found.is_deep):
            return found
        return self._improve(found._replace(steps=self._steps(found.conflicts[0].givens)))

    @cached_property
    def _model(self) -> ConstraintModel:
        return ConstraintModel(self._program, self._deadline.time_limit())

    def _direct(self, first: Conflict) -> tuple[list[Conflict], int]:
        """A conflict, others that violate a rule directly, and how many are not listed."""
        givens = (item for item in self._finder.items if isinstance(item, Claim))
        found, unlisted = [first], 0
        for each in direct_conflicts(self._model, givens):
            if each.givens == first.givens:
                found[0] = first._replace(rules=each.rules)
                continue
            if len(found) == MOST_LISTED:
                unlisted += 1
                continue
            core = Conflict.of(self._finder.irreducible([*self._clues, *each.givens])[0])
            if core.givens == each.givens:
                found.append(core._replace(rules=each.rules))
        return found, unlisted

    def _rules(self, conflict: Conflict) -> tuple[RuleInstance, ...] | None:
        """The rules of a conflict; None if they are too many, or short searches do not find them.
        If a rule about the absence of clues contradicts the givens just without other clues, the
        rules of the puzzle with all clues.
        """
        model = self._model
        if len(conflict.clues) < len(self._clues):
            program = self._finder.stated([*conflict.givens, *conflict.clues])
            model = ConstraintModel(program, self._deadline.time_limit())
        rules = _rules(model, conflict)
        if rules is None or not self._finder.clues_interact or model is self._model:
            return rules
        symbols = {each.symbol for each in rules}
        same = union_of(each.bit for each in self._model.instances if each.symbol in symbols)
        literals = list(self._model.literals_of(conflict.givens))
        with suppress(UndecidedError):
            if self._model.unsat_core(literals, same, MOST_CONFLICTS) is not None:
                return self._model.instances_of(same)
        return _rules(self._model, conflict)

    def _steps(self, givens: Iterable[Claim]) -> tuple[Step, ...]:
        """Steps to a violated rule. With all clues, they are shorter than with those needed."""
        note("looking for steps to a violated rule")
        numbers = sorted(self._model.candidates.values())
        targets = [sign for each in numbers for sign in (each, -each)]
        known, limit = self._model.literals_of(givens), self._deadline.time_limit()
        finder = StepFinder(self._model, known, targets, limit)
        return tuple(relevant_steps(finder.steps(), None))

    def _repairs(self, item: Item) -> bool:
        known = self._repairing.get(item)
        others = (each for each in self._finder.items if each != item)
        return self._finder.core(others) is None if known is None else known


def _explanation(items: list[Item], minimal: bool) -> ConflictExplanation:
    conflict = Conflict.of(items)
    return ConflictExplanation("givens" if conflict.givens else "rules", (conflict,), minimal)


def _rules(model: ConstraintModel, conflict: Conflict) -> tuple[RuleInstance, ...] | None:
    """The rules of a conflict; None if short searches do not find them, or, with givens or clues to
    name, if there are too many rules for a list.
    """
    known = frozenset(model.literals_of(conflict.givens))
    most = MOST_RULES if conflict.words else len(model.instances)
    rules = RuleCores(model, known).of_conflict(most)
    return None if rules is None else model.instances_of(rules)
