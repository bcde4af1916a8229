"""What a new puzzle has to be like, and what all puzzles of a generator have in common."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import product
from random import Random
from typing import Literal, NamedTuple

from aspdoku.engine.clues import Clue, clues
from aspdoku.engine.solver import Pace
from aspdoku.errors import Advice, AspdokuError, did_you_mean, nearest
from aspdoku.explanation.cores import CoreFinder, Item
from aspdoku.explanation.steps import GRADES, Claim
from aspdoku.explanation.techniques import DEFINITIONS, UNIQUENESS
from aspdoku.generation.clue_files import SUFFIX, clue_files
from aspdoku.generation.minimal import names_of
from aspdoku.program import Program, RuleFile
from aspdoku.program.diagnostics import preventing_inputs
from aspdoku.program.layout import derives_layout
from aspdoku.program.lint import defined_predicates
from aspdoku.puzzle import Function
from aspdoku.puzzle.puzzle import Cell, grid_of
from aspdoku.runtime.deadline import Deadline

Symmetry = Literal["none", "rotational", "mirror"]
SYMMETRIES: tuple[Symmetry, ...] = ("none", "rotational", "mirror")

# The hardest technique of a single rule.
SINGLE = "hidden single"
# Attempts that all fail for the same reason, after which there is little hope; more, if the reason
# is partly or mostly a matter of chance.
HOPELESS, UNLUCKY, UNLUCKIER = 10, 50, 200


class UnfitError(Exception):
    """Why a puzzle is not as wanted.

    distance: from what is wanted, to tell which attempt was the nearest
    remedy: what to change if all attempts end like this
    patience: the number of attempts after which there is little hope, if none ends with more
    """

    def __init__(
        self, reason: str, distance: float, remedy: str = "", patience: float = math.inf
    ) -> None:
        super().__init__(f"{reason}: {remedy}" if remedy else reason)
        self.distance = distance
        self.patience = patience


class Frame:
    """What all puzzles of a generator have in common.

    program: the rules, the size, and the facts that no `.gen` file generates; without givens
    files: the `.gen` files next to the rules
    generated: the predicates of the facts that these generate
    """

    def __init__(self, program: Program, random: Random, deadline: Deadline) -> None:
        puzzle = program.puzzle
        self.random, self.deadline, self.pace = random, deadline, Pace()
        self.rules = program.rules
        self.files = clue_files(program)
        self.generated = {
            signature for file in self.files for signature in file.drawn_inputs(puzzle.facts)
        }
        self.program = program.changed(
            title="",
            author="",
            solution=None,
            grid=grid_of(puzzle.size, {}),
            facts=tuple(fact for fact in puzzle.facts if fact.signature not in self.generated),
        )

    def with_facts(self, facts: Iterable[Function], retracted: Iterable[str] = ()) -> Program:
        """The program without givens whose facts are the fixed ones and these."""
        return self.program.changed(retracted=retracted, facts=(*self.program.puzzle.facts, *facts))

    def finder_with(self, facts: Iterable[Function], items: list[Clue] | None = None) -> CoreFinder:
        """Searches with givens and clues of the program with these facts."""
        return CoreFinder(self.with_facts(facts), self.deadline, self.pace, items)

    def named(
        self, items: Iterable[Item], facts: Iterable[Function], rules: list[RuleFile] | None = None
    ) -> Program:
        """The program with the givens among these items and exactly these facts, of a puzzle that
        names its rules.
        """
        puzzle = self.program.puzzle
        numbers = {item[:2]: item.number for item in items if isinstance(item, Claim)}
        grid, names = grid_of(puzzle.size, numbers), names_of(puzzle, self.rules)
        return self.program.changed(rules, grid=grid, facts=tuple(facts), elaborations=names)

    def facts(self, items: Iterable[Item]) -> list[Function]:
        """The fixed facts plus the facts of the clues among these items."""
        own = [fact for item in items if isinstance(item, Clue) for fact in item.facts]
        return [*self.program.puzzle.facts, *own]

    def clues(self, facts: Iterable[Function]) -> list[Clue]:
        """The fixed clues and the clues of these facts."""
        puzzle = self.program.puzzle
        stated = puzzle.replace(facts=(*puzzle.facts, *facts), box=puzzle.box)
        return clues(replace(self.program, puzzle=stated))

    def is_generated(self, clue: Clue) -> bool:
        """Whether the clue is not a fixed one."""
        return clue.facts[0].signature in self.generated

    @cached_property
    def asked_rules(self) -> list[RuleFile]:
        """The added rules that have to be needed: not those that determine the used cells."""
        return [rule for rule in self.program.added if not derives_layout(rule)]


class Wishes(NamedTuple):
    """What a puzzle has to be like.

    givens, clues: how many, clues as `engine.clues` counts them; None for as few as possible
    minimal: none can be removed, even if a number is wanted
    symmetry: of the cells with givens
    grade, technique: those of the hardest step
    by_rule: instead of `clues`, how many of each of these rules; of others as few as possible
    """

    givens: int | None = None
    clues: int | None = None
    minimal: bool = False
    symmetry: Symmetry = "none"
    grade: str = ""
    technique: str = ""
    by_rule: Mapping[str, int] = {}

    @property
    def singles(self) -> bool:
        """Whether the hardest step may be one by a single rule."""
        if self.technique:
            names = tuple(DEFINITIONS)
            return names.index(self.technique) <= names.index(SINGLE)
        return self.grade == GRADES[0]

    def orbits(self, size: int) -> list[tuple[Cell, ...]]:
        """The cells in groups that the symmetry maps to each other."""
        orbits: dict[tuple[Cell, ...], None] = {}
        for row, column in product(range(1, size + 1), repeat=2):
            row1 = size + 1 - row if self.symmetry == "rotational" else row
            column1 = column if self.symmetry == "none" else size + 1 - column
            orbits[tuple(sorted({(row, column), (row1, column1)}))] = None
        return list(orbits)

    def problems(self, frame: Frame) -> Iterator[AspdokuError]:
        """Why no puzzle of the frame can be as wanted; the first problem is the one to report."""
        yield from map(AspdokuError, self._unknown_names())
        yield from map(AspdokuError, self._impossible_givens(frame))
        yield from map(AspdokuError, self._impossible_clues(frame))
        yield from _rules_without_inputs(frame)
        yield from _references_to_generated_clues(frame)
        if self.technique and self.grade and self.singles and self.grade != GRADES[0]:
            yield AspdokuError(
                f"a puzzle whose hardest step is a {self.technique} is {GRADES[0]}, not"
                f" {self.grade}"
            )

    def _unknown_names(self) -> Iterator[str]:
        for name, names, kind in (
            (self.symmetry, SYMMETRIES, "symmetry"),
            (self.grade, GRADES, "grade"),
            (self.technique, DEFINITIONS, "technique"),
        ):
            if name in ("", *names):
                continue
            meant = nearest(str(name), [*names, *UNIQUENESS]) if kind == "technique" else ""
            if meant in UNIQUENESS:
                yield (
                    f"no puzzle is made for the technique '{meant}': its steps assume that the"
                    " solution is unique, and the steps of a puzzle that is made prove that"
                )
            else:
                near = did_you_mean(str(name), list(names))
                yield f"unknown {kind} '{name}': expected one of {', '.join(names)}.{near}"

    def _impossible_givens(self, frame: Frame) -> Iterator[str]:
        puzzle, givens = frame.program.puzzle, self.givens
        size, unused = puzzle.size, puzzle.unused
        cells = len(puzzle.cells())
        if givens is not None and not 0 <= givens <= cells:
            yield f"{givens} givens are impossible: the grid has {cells} cells"
        if givens == cells and frame.asked_rules:
            yield (
                f"{cells} givens leave no cell empty, so that {frame.asked_rules[0].name} is not"
                " needed: ask for fewer givens"
            )
        used = [orbit for orbit in self.orbits(size) if not unused.issuperset(orbit)]
        for (row, column), *other in used:
            if not unused.isdisjoint([(row, column), *other]):
                row1, column1 = other[0]
                yield (
                    f"{self.symmetry} symmetry is impossible: only one of the cells"
                    f" r{row}c{column} and r{row1}c{column1} is used"
                )
        if givens and givens % 2 and all(len(orbit) == 2 for orbit in used):
            yield (
                f"{givens} givens cannot be placed with {self.symmetry} symmetry: a"
                f" {size}x{size} grid has no cell that is its own counterpart, so that the number"
                " of givens is even"
            )

    def _impossible_clues(self, frame: Frame) -> Iterator[str]:
        rules = [rule.name for rule in frame.rules]
        for name in (each for each in self.by_rule if each not in rules):
            near = did_you_mean(name, rules)
            yield f"{name} is not a rule of these puzzles: add it to their rules.{near}"
        if (self.clues or self.by_rule) and not frame.files:
            yield "no clues can be drawn: none of the rules has inputs with a .gen file next to it"
        names = [file.rule.name for file in frame.files]
        for name in self.by_rule:
            if name not in names:
                yield f"no clues of {name} can be drawn, only those of {', '.join(names)}"
        fixed = {fact.signature for fact in frame.program.puzzle.facts}
        for file in frame.files:
            is_without = self.clues == 0 or self.by_rule.get(file.rule.name) == 0
            if is_without and preventing_inputs(file.rule, frame.rules, fixed):
                yield (
                    f"0 clues are impossible: without any, the rule {file.rule.name} has no"
                    " effect; leave it out, or ask for clues"
                )


def _rules_without_inputs(frame: Frame) -> Iterator[AspdokuError]:
    """Rules whose inputs are neither facts nor generated, nor derived by another rule."""
    fixed = {fact.signature for fact in frame.program.puzzle.facts}
    with_file = {file.rule for file in frame.files}
    for rule in frame.program.added:
        if rule in with_file or not rule.inputs:
            continue
        derived = (defined_predicates(other) for other in frame.rules if other != rule)
        known = fixed.union(frame.generated, *derived)
        if not any(item.signature in known for item in rule.inputs):
            name = rule.place.removesuffix(".lp")
            example = rule.example.partition("\n")[0]
            such = f", e.g. {example}" if example else ""
            lacking = f"there is no file {name}{SUFFIX} that draws them: write one, or"
            facts = " give the inputs as facts"
            yield AspdokuError(
                f"the rule {rule.name} has inputs, ",
                Advice(
                    f"and {lacking}{facts} with --fact{such}",
                    f"and {lacking}{facts} with facts={such}",
                    f"which are not drawn:{facts}{such}",
                ),
            )


def _references_to_generated_clues(frame: Frame) -> Iterator[AspdokuError]:
    """Facts about clues that are replaced by generated ones."""
    for rule in frame.rules:
        for fact in frame.program.puzzle.facts:
            if fact.signature not in rule.references:
                continue
            place, _ = rule.references[fact.signature]
            name = str(fact.arguments[place]).replace("_", "-")
            if any(file.rule.name == name for file in frame.files):
                change = ", or change a puzzle that has the clues with aspdoku"
                yield AspdokuError(
                    f"{fact} is about a clue of {name}, and the clues of {name} are drawn anew:"
                    f" leave {rule.name} out",
                    Advice(
                        f"{change} minimise and aspdoku complete",
                        f"{change}.minimise and aspdoku.complete",
                    ),
                )
