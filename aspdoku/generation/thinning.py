"""Remove givens and clues from a full puzzle in random order while the solution stays unique."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from aspdoku.engine.clues import Clue
from aspdoku.explanation.cores import CoreFinder, Group, Item, items_of
from aspdoku.explanation.steps import Claim
from aspdoku.generation.clues import grouped
from aspdoku.generation.full_puzzles import FullPuzzle, several_solutions
from aspdoku.generation.wishes import HOPELESS, UNLUCKIER, UNLUCKY, Frame, UnfitError, Wishes
from aspdoku.program import RuleFile
from aspdoku.program.syntax import predicates
from aspdoku.puzzle import Solution
from aspdoku.puzzle.term import Signature
from aspdoku.puzzlefile.lines import pluralize


class Draft(NamedTuple):
    """A puzzle, and the givens that were `removed`, the least important first."""

    givens: list[Group]
    removed: list[Group]
    clues: list[Item]
    minimal: bool


# Givens and clues that determine the solution, and whether some of them are only there because
# their number is wanted.
_Choice = tuple[list[Group], list[Group], bool]


class Thinner:
    """Removes givens and clues of full puzzles as the wishes ask for."""

    def __init__(self, frame: Frame, wishes: Wishes) -> None:
        self._frame = frame
        self._wishes = wishes
        self._orbits = wishes.orbits(frame.program.puzzle.size)
        self._without: dict[RuleFile, CoreFinder] = {}

    def draft(self, full: FullPuzzle) -> Draft:
        """The puzzle that is left of a full one. Raises UnfitError if it is not as wanted."""
        wishes, frame = self._wishes, self._frame
        numbers = full.solution.numbers()
        orbits = (
            tuple(Claim(*cell, numbers[cell], True) for cell in orbit if cell in numbers)
            for orbit in self._orbits
        )
        groups = self._shuffled(filter(None, orbits))
        every = [item for item in full.finder.items if isinstance(item, Clue)]
        fixed = [clue for clue in every if not frame.is_generated(clue)]
        generated = [clue for clue in every if frame.is_generated(clue)]
        clue_groups = self._shuffled(grouped(generated, full.names))
        if wishes.clues is not None and wishes.clues > len(generated):
            raise UnfitError(
                f"{len(generated)} clues instead of {wishes.clues}",
                wishes.clues - len(generated),
                "ask for fewer, or leave their number open",
                patience=HOPELESS if wishes.clues > len(generated) * 3 // 2 else math.inf,
            )
        every_search = _Search(full.finder, full.solution, fixed)
        wanted, clue_groups = self._of_rules(clue_groups)
        search = every_search._replace(fixed=[*fixed, *items_of(wanted)])
        if wishes.givens is not None:
            chosen = self._with_wanted_givens(search, groups, clue_groups, generated)
        elif wishes.clues is not None:
            clues = _padded([], clue_groups, wishes.clues, "clue")
            chosen = search.reduced(groups, clues), clues, wishes.clues > 0
        else:
            # As few givens as possible, then as few clues.
            few, fewest = search.without_clues(clue_groups, search.reduced(groups, clue_groups))
            chosen = fewest, few, False
        givens, clues, padded = chosen
        clues, padded = [*wanted, *clues], padded or bool(wanted)
        if padded and wishes.minimal:
            every_search.require_minimal(givens, clues)
        minimal = wishes.minimal or not padded
        minimal = minimal and every_search.is_minimal_by_items([*givens, *clues])
        kept = set(givens)
        removed = [group for group in groups if group not in kept]
        draft = Draft(givens, removed, items_of(clues), minimal)
        self._require_rules(draft, full.solution)
        return draft

    def _of_rules(self, groups: list[Group]) -> tuple[list[Group], list[Group]]:
        """As many clues of some rules as are wanted of these; and all clues of the others."""
        wanted: list[Group] = []
        for rule, number in self._wishes.by_rule.items():
            own = [group for group in groups if _is_of(group, rule)]
            if number > len(items_of(own)):
                missing = number - len(items_of(own))
                raise UnfitError(
                    f"{pluralize(number - missing, 'clue')} of {rule} instead of {number}",
                    missing,
                    "ask for fewer, or leave their number open",
                    patience=HOPELESS if missing > len(own) // 2 else math.inf,
                )
            wanted += _padded([], own, number, f"clue of {rule}")
            groups = [group for group in groups if group not in own]
        return wanted, groups

    def _shuffled(self, groups: Iterable[Group]) -> list[Group]:
        listed = list(groups)
        return self._frame.random.sample(listed, len(listed))

    def _with_wanted_givens(
        self, search: _Search, groups: list[Group], clues: list[Group], generated: list[Clue]
    ) -> _Choice:
        wanted = self._wishes.givens or 0
        needed = search.reduced(groups, clues) if wanted else []
        givens = self._with_more_givens(needed, groups, generated, search.solution)
        few, fewer = search.without_clues(clues, givens)
        chosen = few
        if self._wishes.clues is not None:
            chosen = _padded(few, clues, self._wishes.clues, "clue")
        padded = (
            len(items_of(needed)) < wanted or len(fewer) < len(givens) or len(few) < len(chosen)
        )
        if padded:
            search.require_solution(givens, chosen)
        return givens, chosen, padded

    def _with_more_givens(
        self, few: list[Group], groups: list[Group], generated: list[Clue], solution: Solution
    ) -> list[Group]:
        """Pad the needed givens to the wanted number, if possible with no rule redundant."""
        wanted = self._wishes.givens or 0
        padded = _padded(few, groups, wanted, "given")
        finders = list(self._finders_without_a_rule(generated))
        if len(padded) == len(few) or not _redundant_rule(finders, padded, solution):
            return padded
        redundant: list[str] = []

        def suits(givens: list[Group]) -> bool:
            name = _redundant_rule(finders, givens, solution)
            redundant.extend([name] if name else ())
            return not name

        padded, missing = _filled(few, groups, wanted, suits)
        if missing:
            raise UnfitError(
                f"{pluralize(wanted - missing, 'given')}, and with any other one the solution is"
                f" unique without {redundant[-1]}",
                missing,
                f"ask for fewer givens, or retract rules that {redundant[-1]} is not played with",
                patience=UNLUCKY,
            )
        return padded

    def _require_rules(self, draft: Draft, solution: Solution) -> None:
        clues = [clue for clue in draft.clues if isinstance(clue, Clue)]
        redundant = _redundant_rule(self._finders_without_a_rule(clues), draft.givens, solution)
        if redundant:
            raise UnfitError(
                f"the solution is unique without {redundant}",
                300,
                f"ask for fewer givens or more clues, or retract rules that {redundant} is not"
                " played with",
                patience=UNLUCKIER,
            )

    def _finders_without_a_rule(self, clues: Iterable[Clue]) -> Iterator[tuple[str, CoreFinder]]:
        """For each rule asked for, its name, and the program with these clues without it."""
        frame = self._frame
        for rule in frame.asked_rules:
            others = [other for other in frame.rules if other != rule]
            read = frozenset[Signature]().union(*map(predicates, others))
            kept = [clue for clue in clues if any(fact.signature in read for fact in clue.facts)]
            finder = self._without.get(rule)
            if finder is None or kept:
                program = frame.named([], frame.facts(kept), others)
                finder = CoreFinder(program, frame.deadline, frame.pace)
                if not kept:  # the same for every puzzle
                    self._without[rule] = finder
            yield rule.name, finder


class _Search(NamedTuple):
    """Searches for fewer givens and clues of one full puzzle, whose fixed clues are kept."""

    finder: CoreFinder
    solution: Solution
    fixed: Sequence[Item]

    def reduced(self, groups: list[Group], kept: Sequence[Group]) -> list[Group]:
        """The groups that are needed in addition to those that are kept."""
        few = self.finder.reduced(groups, [*items_of(kept), *self.fixed], self.solution)
        if few is None:
            raise several_solutions()
        return few

    def without_clues(
        self, clues: list[Group], givens: list[Group]
    ) -> tuple[list[Group], list[Group]]:
        """The clues that are needed in addition to the givens, and the givens needed then."""
        few = self.reduced(clues, givens) if clues or not givens else clues
        fewer = self.finder.clues_interact and len(few) < len(clues)
        return few, self.reduced(givens, few) if fewer else givens

    def require_solution(self, givens: list[Group], clues: list[Group]) -> None:
        kept = [*items_of(givens), *items_of(clues), *self.fixed]
        if self.finder.core(kept, self.solution) is None:
            raise UnfitError("several solutions with more clues", 1000)
        if not self.finder.allows(kept, self.solution):
            raise UnfitError("no solution with more clues", 1000)

    def require_minimal(self, givens: list[Group], clues: list[Group]) -> None:
        groups = [*givens, *clues]
        needed = len(self.reduced(groups, []))
        if needed < len(groups):
            kind = "givens and clues" if clues else "givens"
            raise UnfitError(
                f"of {len(groups)} {kind}, {needed} are needed",
                500 + len(groups) - needed,
                "ask for fewer, or leave their number open",
            )

    def is_minimal_by_items(self, groups: list[Group]) -> bool:
        """Whether no item of a group of several can be removed on its own."""
        if all(len(group) == 1 for group in groups):
            return True
        items = items_of(groups)
        rest = ([*(each for each in items if each != item), *self.fixed] for item in items)
        return all(self.finder.core(kept, self.solution) is None for kept in rest)


def _is_of(group: Group, rule: str) -> bool:
    return any(isinstance(item, Clue) and item.rule == rule for item in group)


def _padded(few: list[Group], groups: list[Group], wanted: int, kind: str) -> list[Group]:
    """The groups that are needed and others, as many items as wanted. Raises UnfitError."""
    padded, missing = _filled(few, groups, wanted, lambda _: True)
    if missing:
        raise UnfitError(
            f"{pluralize(wanted - missing, kind)} instead of {wanted}",
            abs(missing),
            f"ask for {'fewer' if missing > 0 else 'more'}, or leave their number open",
        )
    return padded


def _filled(
    few: list[Group], groups: list[Group], wanted: int, suits: Callable[[list[Group]], bool]
) -> tuple[list[Group], int]:
    chosen, missing = few.copy(), wanted - len(items_of(few))
    # Pairs first: a cell that is its own counterpart fits in at the end.
    for group in sorted(groups, key=len, reverse=True):
        if group not in few and len(group) <= missing and suits([*chosen, group]):
            chosen.append(group)
            missing -= len(group)
    return chosen, missing


def _redundant_rule(
    finders: Iterable[tuple[str, CoreFinder]], givens: Iterable[Group], solution: Solution
) -> str:
    """The first rule without which the solution is unique; empty if all are needed."""
    items = items_of(list(givens))
    for name, finder in finders:
        if finder.is_unique([*items, *finder.items], solution):
            return name
    return ""
