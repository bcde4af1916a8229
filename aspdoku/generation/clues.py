"""Clues for a new puzzle, as the `.gen` files next to the rules draw them.

A `.gen` file is a program like a rule file, whose answer sets are sets of clues: it has the inputs
of its rule in heads. Its facts are an answer set of the puzzle's rules, so that it can refer to the
numbers of the solution, `a/3`; if it does not, it is used before there is a solution, and the
solution is then drawn under its clues. Facts `order(R,C,P)` give the cells a random order. Common
shapes, such as lines, are programs in `asp/shapes`, which it includes by declaring their
predicates. A fact `ab(NAME)` retracts a rule while the solution is drawn. What follows `#program
value.` is a program of its own, whose facts are the answer set of what precedes it: the sum of a
cage is simple to say when its cells are known. An atom `clue(I,F)` makes the fact F a part of clue
I: the facts of a clue are kept or left out together, such as the pencil marks of a cell.

Whether a clue is right is decided by the rule file itself: clues that it rejects are left out, so
that a `.gen` file may propose all values that a clue can have.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import product
from random import Random
from typing import NamedTuple

from aspdoku import lazy
from aspdoku.deadline import Deadline
from aspdoku.engine.clues import Clue, clues
from aspdoku.engine.solver import Solver, from_symbol, grid_atoms
from aspdoku.errors import RuleError
from aspdoku.program import Part, Program, RuleFile, library, with_facts_only
from aspdoku.program.lint import defined_predicates, require_valid
from aspdoku.program.syntax import predicates
from aspdoku.puzzle import Function, Solution
from aspdoku.puzzle.puzzle import GIVEN
from aspdoku.puzzle.term import Signature, to_asp

SUFFIX = ".gen"
_SHAPES = "shapes"
_ORDER = "order"
_CLUE = ("clue", 2)
_MOST_SEEDS = 2**31
_RANDOM = ("--rand-freq=1", "--sign-def=rnd")

_SOLUTION = lazy.pattern(r"\ba\s*\(")
_VALUES = lazy.pattern(r"#program\s+value\s*\.")
_RETRACTION = lazy.pattern(r"\bab\(\s*(_*[a-z]\w*)\s*\)\s*\.")


class ClueFile(NamedTuple):
    """A `.gen` file.

    rule: the rule file whose inputs it draws
    text: the whole file
    programs: one after another; the rule files in the first one are the first part of the file, and
        the shapes that it uses
    """

    rule: RuleFile
    text: RuleFile
    programs: tuple[tuple[RuleFile, ...], ...]

    @property
    def follows_solution(self) -> bool:
        """Whether it refers to the numbers of a solution."""
        return any(_SOLUTION.search(file.code) for files in self.programs for file in files)

    @property
    def retracted(self) -> list[str]:
        """The names of the rules that are retracted while a solution is drawn."""
        return [name.replace("_", "-") for name in _RETRACTION.findall(self.text.code)]


def clue_files(program: Program) -> list[ClueFile]:
    """The `.gen` files of the rules of a program. Raises RuleError if one is invalid."""
    files = [_clue_file(part.rule) for part in program.parts]
    return [file for file in files if file]


def _clue_file(rule: RuleFile) -> ClueFile | None:
    path = rule.path.with_suffix(SUFFIX) if rule.path else None
    if path is None or not path.is_file():
        return None
    place = re.sub(r"\.lp$", "", rule.place) + SUFFIX
    file = RuleFile.read(path, place, rule.vetted)
    values = _VALUES.search(file.code)
    start, end = values.span() if values else (len(file.text), len(file.text))
    parts = [file.text[:start]]
    if values:  # with lines before it, so that messages have the right numbers
        parts.append("\n" * file.text.count("\n", 0, end) + file.text[end:])
    files = [RuleFile(file.name, place, text, file.vetted) for text in parts]
    found = ClueFile(rule, file, (tuple(_with_shapes(files[0])), *((each,) for each in files[1:])))
    _refuse_heads(found, files)
    return found


def _refuse_heads(file: ClueFile, parts: list[RuleFile]) -> None:
    """Raise RuleError unless the file has inputs of its rule in heads, and not the numbers."""
    for part in parts:
        require_valid(part)
    heads = frozenset[Signature]().union(*map(defined_predicates, parts))
    inputs = {item.signature for item in file.rule.inputs}
    if GIVEN in heads:
        raise RuleError(f"{file.text.place}: a/3 is in a head, but the solution is given")
    if heads.isdisjoint(inputs) and not file.retracted:
        names = ", ".join(f"{name}/{arity}" for name, arity in sorted(inputs)) or "no inputs"
        raise RuleError(f"{file.text.place}: it draws no clues; the inputs of the rule are {names}")


def _with_shapes(file: RuleFile) -> Iterator[RuleFile]:
    """The file and the shapes that it declares, and that these declare."""
    yield file
    for item in file.inputs:
        name = f"{_SHAPES}/{item.name.replace('_', '-')}.lp"
        if (library.data_dir() / name).is_file():
            yield from _with_shapes(library.bundled(name))


class Scene:
    """The atoms that are facts for `.gen` files: of a blank grid, or of one with its solution.

    program: the rules, without givens
    """

    def __init__(self, program: Program, deadline: Deadline) -> None:
        self._program = program
        self._deadline = deadline
        self._solver = Solver(program, deadline.time_limit())
        self._literals: dict[str, int] = {}

    def blank(self) -> list[str]:
        """The facts of the program."""
        atoms = self._solver.ground().symbolic_atoms
        return [str(atom.symbol) for atom in atoms if atom.is_fact]

    def solved(self, solution: Solution) -> list[str]:
        """The atoms of an answer set with this solution."""
        shown = {atom.signature for atom in _shown_atoms(solution)}
        self._literals = self._literals or self._solver.literals({GIVEN, *shown})
        atoms = (*map(str, grid_atoms(solution)), *map(to_asp, solution.shown))
        assumed = [self._literals[atom] for atom in atoms]
        found = self._solver.first_answer_set(assumed)
        if found is None:
            raise RuleError("the solution is not one of the rules")
        return list(map(str, found))


def _shown_atoms(solution: Solution) -> list[Function]:
    """The atoms of a solution besides its grid."""
    return [atom for atom in solution.shown if isinstance(atom, Function)]


class Drawing:
    """Draws clues at random, again and again for the same facts.

    program: the puzzle and the values of its constants
    facts: of the scene
    """

    def __init__(
        self,
        file: ClueFile,
        program: Program,
        facts: Iterable[str],
        random: Random,
        deadline: Deadline,
    ) -> None:
        puzzle = program.puzzle
        places = random.sample(range(1, puzzle.size**2 + 1), puzzle.size**2)
        cells = product(range(1, puzzle.size + 1), repeat=2)
        order = (
            f"{_ORDER}({row},{column},{place})"
            for (row, column), place in zip(cells, places, strict=True)
        )
        self.file = file
        self._program = program
        self._facts = [*facts, *order]
        self._inputs = {item.signature for item in file.rule.inputs}
        self._deadline = deadline
        # Only these atoms are read, since that takes longer than drawing.
        wanted = {_CLUE, *self._inputs}.union(*(predicates(each) for (each,) in file.programs[1:]))
        shown = "\n".join(f"#show {name}/{arity}." for name, arity in sorted(wanted))
        first = (*file.programs[0], RuleFile("shown", "shown", shown, vetted=True))
        self._solver = self._solver_of(
            first, self._facts, *_RANDOM, f"--seed={random.randrange(_MOST_SEEDS)}"
        )
        self._literals: dict[str, int] = {}

    def _solver_of(self, files: Iterable[RuleFile], facts: Iterable[str], *options: str) -> Solver:
        program = with_facts_only(self._program.puzzle, files, facts, self._program.constants)
        return Solver(program, self._deadline.time_limit(), options=options)

    def clues(self, kept: Collection[Function] = ()) -> dict[Function, str]:
        """The inputs of the rule in the first answer set that clingo finds.

        kept: inputs that are to be among them
        Returns facts, each with the name of the clue that `clue/2` makes it a part of, if any.
        Raises RuleError if there is no answer set, TimeLimitError.
        """
        if kept and not self._literals:
            self._literals = self._solver.literals(self._inputs)
        assumed = [self._literals[atom] for atom in map(to_asp, kept) if atom in self._literals]
        atoms = self._solver.first_answer_set(assumed, shown=True)
        for files in self.file.programs[1:]:
            if atoms is not None:
                known = [*self._facts, *map(str, atoms)]
                atoms = self._solver_of(files, known).first_answer_set()
        if atoms is None:
            place = self.file.text.place
            raise RuleError(f"{place}: it has no answer set for this solution: no clues")
        starts = tuple(f"{name}(" for name, _ in (_CLUE, *self._inputs))
        # Boxes are in the scene, although some rules have them as inputs.
        scene = set(self._facts)
        found = sorted((text, atom) for atom in atoms if (text := str(atom)).startswith(starts))
        drawn = [from_symbol(atom) for text, atom in found if text not in scene]
        facts = [fact for fact in drawn if isinstance(fact, Function)]
        names = {
            fact.arguments[1]: f"{self.file.rule.name} {fact.arguments[0]}"
            for fact in facts
            if fact.signature == _CLUE
        }
        return {fact: names.get(fact, "") for fact in facts if fact.signature in self._inputs}


def grouped(found: Iterable[Clue], names: Mapping[Function, str]) -> list[tuple[Clue, ...]]:
    """The clues, those together whose first facts have the same name."""
    groups: dict[Clue | str, list[Clue]] = defaultdict(list)
    for clue in found:
        groups[names.get(clue.facts[0]) or clue].append(clue)
    return list(map(tuple, groups.values()))


def accepted(
    file: ClueFile,
    drawn: Mapping[Function, str],
    program: Program,
    solution: Solution,
    facts: list[str],
    deadline: Deadline,
) -> list[Function]:
    """The facts of those clues that the rule file accepts for a solution, each on its own
    unless all can be right together.

    facts: of the scene
    """
    own = {name for name, _ in defined_predicates(file.rule)}
    known = [fact for fact in facts if fact.partition("(")[0] not in own]
    choices = "\n".join(f"{{ {to_asp(fact)} }}." for fact in drawn)
    chosen = RuleFile("clues", "clues", choices, vetted=True)
    solver = Solver(
        with_facts_only(program.puzzle, [file.rule, chosen], known, program.constants),
        deadline.time_limit(),
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
    for group in grouped(clues(Program("", puzzle, parts, program.constants)), drawn):
        assumed = absent.copy()
        together = [fact for clue in group for fact in clue.facts]
        for fact in together:
            assumed[places[fact]] *= -1
        if solver.first_answer_set([*assumed, *shown]) is not None:
            right += together
    return right
