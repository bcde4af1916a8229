"""Clues for a new puzzle, as the `.gen` files next to the rules draw them (`clue_files`).

Whether a clue is right is decided by the rule file itself: clues that it rejects are left out, so
that a `.gen` file may propose all values that a clue can have.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from itertools import product
from random import Random

from aspdoku.engine.clues import Clue, clues
from aspdoku.engine.solver import CELL_ATOM, Pace, Solver, from_symbol, grid_atoms
from aspdoku.errors import AspdokuError, RuleError
from aspdoku.generation.clue_files import CLUE, ORDER, ClueFile, Stage
from aspdoku.program import Part, Program, RuleFile, assemble, library, with_facts_only
from aspdoku.program.lint import defined_predicates
from aspdoku.program.syntax import predicates
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.puzzle import GIVEN
from aspdoku.puzzle.term import to_asp
from aspdoku.runtime.deadline import Deadline

# Sizes for which a file has to draw something.
_USUAL_SIZES = (4, 6, 9)
_MOST_SEEDS = 2**31
# Facts that a file may draw: about three times the sums at all edges of a 25x25 grid.
_MOST_FACTS = 100_000
_RANDOM = ("--rand-freq=1", "--sign-def=rnd")


class NoCluesError(RuleError):
    """A `.gen` file has no answer set."""


class Scene:
    """The atoms that are facts for `.gen` files: of a blank grid, or of one with its solution.

    program: the rules, without givens
    """

    def __init__(self, program: Program, deadline: Deadline, pace: Pace | None = None) -> None:
        self._program = program
        self._deadline = deadline
        self._solver = Solver(program, deadline.time_limit(), pace=pace)
        self._literals: dict[str, int] = {}

    def blank(self) -> list[str]:
        """The facts of the program."""
        return [text for text, is_fact in self.atoms if is_fact]

    @cached_property
    def atoms(self) -> list[tuple[str, bool]]:
        """All atoms, and whether they are facts."""
        return [(str(atom.symbol), atom.is_fact) for atom in self._solver.ground().symbolic_atoms]

    @cached_property
    def _grid_decides(self) -> bool:
        """Whether only a/3 varies: every other atom is a fact."""
        return all(is_fact or CELL_ATOM.fullmatch(text) for text, is_fact in self.atoms)

    def solved(self, solution: Solution) -> list[str]:
        """The atoms of an answer set with this solution."""
        if self._grid_decides:
            grid = set(map(str, grid_atoms(solution)))
            return [text for text, is_fact in self.atoms if is_fact or text in grid]
        shown = {atom.signature for atom in _shown_atoms(solution)}
        self._literals = self._literals or self._solver.literals({GIVEN, *shown})
        atoms = (*map(str, grid_atoms(solution)), *map(to_asp, solution.shown))
        assumed = [self._literals[atom] for atom in atoms]
        answer_set = self._solver.first_answer_set(assumed)
        if answer_set is None:
            raise RuleError("the solution is not one of the rules")
        return list(map(str, answer_set))


def _shown_atoms(solution: Solution) -> list[Function]:
    return [atom for atom in solution.shown if isinstance(atom, Function)]


class Drawing:
    """Draws clues at random, again and again for the same facts.

    program: the puzzle and the values of its constants
    facts: of the scene
    most_conflicts: of a search, which ends as if there was nothing to be found; 0 for any number
    """

    def __init__(
        self,
        file: ClueFile,
        program: Program,
        facts: Iterable[str],
        random: Random,
        deadline: Deadline,
        pace: Pace | None = None,
        most_conflicts: int = 0,
    ) -> None:
        puzzle = program.puzzle
        places = random.sample(range(1, puzzle.size**2 + 1), puzzle.size**2)
        cells = product(range(1, puzzle.size + 1), repeat=2)
        order = (
            f"{ORDER[0]}({row},{column},{place})"
            for (row, column), place in zip(cells, places, strict=True)
        )
        self.file = file
        self._program = program
        self._facts = [*facts, *order]
        self._inputs = file.drawn_inputs(puzzle.facts)
        self._declared = {item.signature: item for item in file.rule.inputs}
        self._deadline = deadline
        self._pace = pace
        options = [*_RANDOM, f"--seed={random.randrange(_MOST_SEEDS)}"]
        if most_conflicts:
            options.append(f"--solve-limit={most_conflicts}")
        self._solver = self._solver_of(file.programs[0], self._facts, *options)

    def _solver_of(self, stage: Stage, facts: Iterable[str], *options: str) -> Solver:
        files, read = (*stage.files, stage.shown), _of_predicates(facts, stage.read)
        program = with_facts_only(self._program.puzzle, files, read, self._program.constants)
        return Solver(program, self._deadline.time_limit(), options=options, pace=self._pace)

    def clues(self, kept: Collection[Function] = ()) -> dict[Function, str]:
        """The inputs of the rule in the first answer set that clingo finds.

        kept: inputs that are to be among them
        Returns facts, each with the name of the clue that `clue/2` makes it a part of, if any.
        Raises NoCluesError if there is no answer set, RuleError if there are too many or if one is
        outside of the grid, TimeLimitError.
        """
        literals = (self._solver.literal(to_asp(fact)) for fact in kept)
        assumed = [literal for literal in literals if literal is not None]
        atoms = self._solver.first_answer_set(assumed, shown=True)
        for stage in self.file.programs[1:]:
            if atoms is not None:
                known = dict.fromkeys([*self._facts, *map(str, atoms)])
                atoms = self._solver_of(stage, known).first_answer_set(shown=True)
        if atoms is None:
            place = self.file.text.place
            size = self._program.puzzle.size
            if self._contradicts_itself():
                sizes = ", ".join(f"{each}x{each}" for each in _USUAL_SIZES)
                raise NoCluesError(
                    f"{place}: the file contradicts itself: the program has no answer set for any"
                    f" numbers in grids of {sizes}; remove a fact or a constraint"
                )
            raise NoCluesError(
                f"{place}: no clues can be drawn for a {size}x{size} grid: the program has no"
                " answer set for its solution; choose another size, or let the file draw fewer"
                " clues"
            )
        starts = tuple(f"{name}(" for name, _ in (CLUE, *self._inputs))
        # Boxes are in the scene, although some rules have them as inputs.
        scene = set(self._facts)
        clue_atoms = sorted(
            (text, atom) for atom in atoms if (text := str(atom)).startswith(starts)
        )
        if len(clue_atoms) > _MOST_FACTS:
            raise RuleError(
                f"{self.file.text.place}: it draws {len(clue_atoms):,} facts, and at most"
                f" {_MOST_FACTS:,} can be tried: let it draw fewer"
            )
        drawn = [from_symbol(atom) for text, atom in clue_atoms if text not in scene]
        facts = [fact for fact in drawn if isinstance(fact, Function)]
        for fact in facts:
            if fact.signature in self._declared:
                self._require_inside(fact)
        names = {
            fact.arguments[1]: f"{self.file.rule.name} {fact.arguments[0]}"
            for fact in facts
            if fact.signature == CLUE
        }
        return {fact: names.get(fact, "") for fact in facts if fact.signature in self._inputs}

    def _contradicts_itself(self) -> bool:
        """Whether the file has no answer set, whatever is true of a grid besides the facts."""
        with suppress(AspdokuError):  # of the rules for another size, and at the time limit
            return not any(map(self._may_draw, _USUAL_SIZES))
        return False

    def _may_draw(self, size: int) -> bool:
        blank, constants = Puzzle.blank(size), self._program.constants
        rules = self._program.rules
        scene = Scene(assemble(blank, rules, constants=constants), self._deadline)
        order = f"{{ {ORDER[0]}(R,C,1..{size**2}) }} :- cell(R,C)"
        free = [*(text if fact else f"{{ {text} }}" for text, fact in scene.atoms), order]
        files = (*self.file.programs[0].files, self.file.programs[0].shown)
        program = with_facts_only(blank, files, free, constants)
        return Solver(program, self._deadline.time_limit()).first_answer_set() is not None

    def _require_inside(self, fact: Function) -> None:
        size, item = self._program.puzzle.size, self._declared[fact.signature]
        for place in item.of_kind("line"):
            if fact.arguments[place] not in range(1, size + 1):
                raise RuleError(
                    f"{self.file.text.place}: it draws {fact}, which is outside of the"
                    f" {size}x{size} grid: add cell(R,C) or the like to its rules; if"
                    f" {item.arguments[place]} of {item.text} is no row or column, use another"
                    f" letter in {self.file.rule.place}"
                )


def _of_predicates(facts: Iterable[str], names: Collection[str]) -> list[str]:
    return [fact for fact in facts if fact.partition("(")[0] in names]


def grouped(every: Iterable[Clue], names: Mapping[Function, str]) -> list[tuple[Clue, ...]]:
    """Group clues by the name of their first fact."""
    groups: dict[Clue | str, list[Clue]] = defaultdict(list)
    for clue in every:
        groups[names.get(clue.facts[0]) or clue].append(clue)
    return list(map(tuple, groups.values()))


def accepted(
    file: ClueFile,
    drawn: Mapping[Function, str],
    program: Program,
    solution: Solution,
    facts: list[str],
    deadline: Deadline,
    pace: Pace | None = None,
) -> list[Function]:
    """The facts of the clues that the rule file accepts for a solution: all, if they can be right
    together, otherwise each clue that is right on its own.

    facts: of the scene
    """
    names = {name for name, _ in predicates(file.rule) - defined_predicates(file.rule)}
    known = _of_predicates(facts, names)
    if not _shown_atoms(solution):
        stated = with_facts_only(
            program.puzzle, [file.rule], [*known, *map(to_asp, drawn)], program.constants
        )
        if Solver(stated, deadline.time_limit(), pace=pace).first_answer_set() is not None:
            return list(drawn)
    choices = "\n".join(f"{{ {to_asp(fact)} }}." for fact in drawn)
    chosen = RuleFile("clues", "clues", choices, vetted=True)
    solver = Solver(
        with_facts_only(program.puzzle, [file.rule, chosen], known, program.constants),
        deadline.time_limit(),
        pace=pace,
    )
    literals = solver.literals({atom.signature for atom in (*drawn, *_shown_atoms(solution))})
    shown = [literals[atom] for atom in map(to_asp, solution.shown) if atom in literals]
    if solver.first_answer_set([*(literals[to_asp(fact)] for fact in drawn), *shown]) is not None:
        return list(drawn)
    places = {fact: place for place, fact in enumerate(drawn)}
    absent = [-literals[to_asp(fact)] for fact in drawn]
    right: list[Function] = []
    parts = tuple(Part(rule, 0) for rule in (library.base(), file.rule))
    puzzle = program.puzzle.replace(facts=tuple(drawn))
    for group in grouped(
        clues(Program("", puzzle, parts, program.constants, program.sizes)), drawn
    ):
        assumed = absent.copy()
        together = [fact for clue in group for fact in clue.facts]
        for fact in together:
            assumed[places[fact]] *= -1
        if solver.first_answer_set([*assumed, *shown]) is not None:
            right += together
    return right
