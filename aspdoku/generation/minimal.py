"""Minimal puzzles: no given and no clue can be removed without losing the unique solution.

With one solution excluded, the givens and clues of a puzzle that has no other one have no solution.
A minimal set of them that has none (`explanation.cores`) is a minimal puzzle.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

from aspdoku.engine.clues import Clue
from aspdoku.engine.solver import SearchEnd, Stoppable
from aspdoku.errors import AspdokuError, RuleError, did_you_mean
from aspdoku.explanation.cores import CoreFinder, Group, Item, items_of
from aspdoku.explanation.steps import Claim
from aspdoku.program import Program, RuleFile, library
from aspdoku.puzzle import Puzzle, Solution
from aspdoku.puzzle.puzzle import grid_of
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note

GIVENS, CLUES = "givens", "clues"


class Reduction(NamedTuple):
    """A puzzle without some of its givens and clues; its unique solution is still the same.

    program: of the puzzle that is left, which names all of its rules
    removed, left: the givens and clues of the original puzzle, without those that were to be kept
    ended: "complete" if none of those left can be removed
    """

    program: Program
    removed: tuple[Item, ...]
    left: tuple[Item, ...]
    ended: SearchEnd


def reduce(
    program: Program,
    solution: Solution,
    keep: Iterable[str],
    seed: int,
    time_limit: float | None = None,
    interruptible: bool = False,
) -> Reduction:
    """Remove givens and clues in random order while the solution stays unique, except for clues of
    the default rules, such as regions. At the time limit, or at KeyboardInterrupt if interruptible,
    returns what has been removed. Raises AspdokuError for a name in `keep` that nothing has.

    keep: "givens", "clues", the name of a rule, a cell such as `r1c2`, or a clue by the name that
        `redundant` prints
    """
    removable: list[Item] = []
    left: list[Item] = []
    with Stoppable(interruptible) as run:
        finder = CoreFinder(program, Deadline(time_limit))
        kept = _kept(finder.items, keep)
        others = [item for item in finder.items if item not in kept]
        left = removable = Random(seed).sample(others, len(others))

        def smaller(groups: list[Group]) -> None:
            nonlocal left
            left = items_of(groups)
            note(f"{len(left)} of {len(removable)} givens and clues left")

        finder.reduced([(item,) for item in removable], kept, solution, smaller)
    removed = tuple(item for item in removable if item not in left)
    return Reduction(_without(program, removed), removed, tuple(left), run.ended)


def _kept(items: Iterable[Item], names: Iterable[str]) -> set[Item]:
    """The items with these names, and those of the default rules."""
    board = library.default_names()
    named = {item: _names(item) for item in items}
    kept: set[Item] = {item for item in named if isinstance(item, Clue) and item.rule in board}
    for name in names:
        matching = {item for item, its in named.items() if name in its}
        if not matching and name not in (GIVENS, CLUES):
            known = sorted(set().union(*named.values()))
            raise AspdokuError(
                f"nothing to keep: '{name}'; expected givens, clues, the name of a rule with clues,"
                " a given such as r1c2, or a clue as `aspdoku redundant` prints it."
                f"{did_you_mean(name, known)}"
            )
        kept |= matching
    return kept


def _names(item: Item) -> tuple[str, ...]:
    if isinstance(item, Clue):
        return CLUES, item.rule, item.name, item.words
    return GIVENS, f"r{item.row}c{item.column}", str(item)


def _without(program: Program, items: Iterable[Item]) -> Program:
    puzzle, gone = program.puzzle, set(items)
    facts = {fact for item in gone if isinstance(item, Clue) for fact in item.facts}
    cells = {item[:2] for item in gone if isinstance(item, Claim)}
    givens = {cell: number for cell, number in puzzle.givens().items() if cell not in cells}
    return program.changed(
        grid=grid_of(puzzle.size, givens),
        facts=tuple(fact for fact in puzzle.facts if fact not in facts),
        elaborations=names_of(puzzle, program.rules),
    )


def names_of(puzzle: Puzzle, rules: Iterable[RuleFile]) -> tuple[str, ...]:
    """What a puzzle file calls its rules, and the rules of the library that were added."""
    names = _rules_by_name(puzzle)
    for rule in rules:
        if rule.vetted and rule not in library.standard() and rule not in names:
            names[rule] = rule.name
    return tuple(names.values())


def puzzle_in(folder: Path, program: Program) -> tuple[Puzzle, list[str]]:
    """The puzzle with names for this folder, and the paths of rules that it cannot name."""
    known, puzzle = _rules_by_name(program.puzzle), program.puzzle
    rules = [each for each in program.rules if each not in library.standard()]
    names = [_name_in(folder, rule, known.get(rule)) for rule in rules]
    unnamed = [rule.place for rule, name in zip(rules, names, strict=True) if name is None]
    named = tuple(name for name in names if name is not None)
    return puzzle.replace(elaborations=named, box=puzzle.box), unnamed


def _name_in(folder: Path, rule: RuleFile, known: str | None) -> str | None:
    if rule.vetted and known is None:
        return rule.name
    with suppress(RuleError):
        if known and library.find_for(folder, known, trust=True).text == rule.text:
            return known
    with suppress(RuleError, ValueError):  # ValueError: another drive of Windows
        path = os.path.relpath(rule.path or "", folder).replace(os.sep, "/")
        if library.find_for(folder, path).text == rule.text:
            return path
    return None


def unnamed_rules(program: Program) -> list[str]:
    """The paths of rule files that the reduced puzzle does not mention."""
    named = {*library.standard(), *_rules_by_name(program.puzzle)}
    return [part.rule.place for part in program.parts if part.rule not in named]


def unnamed_remarks(program: Program) -> list[str]:
    """A remark for each of these."""
    remark = "the puzzle does not name the rule file {}: add it with --with or with_=".format
    return [*map(remark, unnamed_rules(program))]


def _rules_by_name(puzzle: Puzzle) -> dict[RuleFile, str]:
    folder = puzzle.origin.parent if puzzle.origin else None
    return {library.find_for(folder, name, trust=True): name for name in puzzle.elaborations}
