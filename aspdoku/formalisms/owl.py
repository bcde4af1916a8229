"""The Web Ontology Language (OWL 2, functional-style syntax).

There are two encodings: that of "Sudoku in OWL", and one from which reasoners derive more.

A reasoner computes what holds in all models, i.e. for each cell the number that it must contain, if
any. It does not count models.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import ClassVar, NamedTuple

from aspdoku.errors import TimeLimitError
from aspdoku.formalisms import reasoners
from aspdoku.formalisms.engine import Case, Encoding, Engine, EngineError, Outcome
from aspdoku.formalisms.reasoners import HermiT, Konclude, Pellet, Realization, Reasoner
from aspdoku.puzzle.puzzle import Cell, Grid, grid_of
from aspdoku.runtime.deadline import Deadline

_IRI = "http://example.org/sudoku#"
# The number of further runs of an incomplete reasoner while some cells are undetermined.
_AGAIN = 2
_CALLED = {"rows": "row", "columns": "column", "boxes": "sub-grid"}


class _Ontology(Engine):
    """An ontology in functional syntax, for the first available reasoner, the `best` first."""

    extension = "ofn"
    ground = True
    best: ClassVar[tuple[type[Reasoner], ...]]

    def __init__(self, choice: Sequence[type[Reasoner]] = ()):
        self.choice = tuple(choice) or self.best

    @abstractmethod
    def member(self, case: Case, row: int, column: int, number: int) -> tuple[str, str]:
        """The class and the individual that represent that a cell contains a number."""

    def missing_requirement(self) -> str | None:
        """The requirements of the reasoners, if none of them is available."""
        if any(reasoner().is_available() for reasoner in self.choice):
            return None
        return ", or ".join(dict.fromkeys(reasoner.requirement for reasoner in self.choice))

    def statements(self, program: str) -> Counter[str]:
        """The axioms."""
        return Counter(axioms(program))

    def run(self, case: Case, encoding: Encoding, seconds: float) -> Outcome:
        """Realize the ontology and read the grid from the types of the individuals."""
        available = (reasoner for reasoner in self.choice if reasoner().is_available())
        if not (reasoner := next(available, None)):
            raise EngineError(f"needs {self.missing_requirement()}")
        ontology = merge_axioms(encoding.program, encoding.instance)
        deadline = Deadline(seconds)
        done = reasoner().realize(ontology, seconds)
        grid, open_cells = self._entailed(case, done)
        # An incomplete reasoner is sound, so further runs may find more.
        for _ in range(0 if reasoner.complete or done.instances is None else _AGAIN):
            if not open_cells:
                break
            try:
                more = reasoner().realize(ontology, max(0.1, deadline.seconds_left()))
            except TimeLimitError:
                break
            if more.instances is None or done.instances is None:
                raise EngineError(
                    f"{reasoner.title} contradicts itself: the ontology was consistent in an"
                    " earlier run and is now inconsistent"
                )
            solve = done.solve + more.start + more.solve
            done = Realization(done.instances | more.instances, done.start, solve)
            grid, open_cells = self._entailed(case, done)
        notes = [f"{reasoner.title}: {done.start + done.solve:.2f} s"]
        if done.instances is None:
            notes.append("the ontology is inconsistent")
        elif open_cells:
            notes.append(f"{open_cells} cells are not entailed")
        answer = None if done.instances is None else grid
        return Outcome(answer, None, done.start, done.solve, True, tuple(notes))

    def _entailed(self, case: Case, done: Realization) -> tuple[Grid, int]:
        """The entailed number of each cell, if any, and the number of cells without one."""
        numbers: dict[Cell, list[int]] = defaultdict(list)
        for row, column, number in product(range(1, case.size + 1), repeat=3):
            if self.member(case, row, column, number) in (done.instances or ()):
                numbers[row, column].append(number)
        known = {cell: several[0] for cell, several in numbers.items() if len(several) == 1}
        return grid_of(case.size, known), case.size**2 - len(known)


class SudokuInOwl(_Ontology):
    """Values of cells are individuals, each the same as one of the numbers, and all different."""

    name = "owl-source"
    title = 'OWL, "Sudoku in OWL"'
    folder = "owl-source"
    # HermiT starts faster and is faster on easy puzzles, but Pellet also solves harder ones.
    best = (Pellet, HermiT)

    def member(self, case: Case, row: int, column: int, number: int) -> tuple[str, str]:
        """The dummy class of the cell's value, and the number, its instance if it is the value."""
        return f"C{value_name(case, row, column)}", f"n{number}"

    def explain(self, case: Case, cell: Cell, number: int, seconds: float) -> list[str]:
        """Why a cell must contain a number, in the words of "Sudoku in OWL", one line per step; or
        the axioms that Pellet finds, if they do not lead there cell by cell.
        """
        if not Pellet().is_available():
            raise EngineError(f"explanations need {reasoners.JARS}")
        encoding = self.encode(case)
        ontology = merge_axioms(encoding.program, encoding.instance)
        name, individual = self.member(case, *cell, number)
        axioms = Pellet().explain(ontology, _IRI + individual, _IRI + name, seconds)
        value = f"V{value_name(case, *cell)}"
        if axioms is None:
            raise EngineError(f"{value} = {number} is not entailed")
        return OwlProof(axioms, _common(case), case.size).lines(value, number)


class CellOwl(_Ontology):
    """Cells are individuals, numbers are classes, and cells that see each other differ in class."""

    name = "owl-sees"
    title = "OWL, cells that see each other"
    folder = "owl-sees"
    best = (Konclude, Pellet, HermiT)

    def member(self, case: Case, row: int, column: int, number: int) -> tuple[str, str]:
        """The class of the number, and the cell."""
        return f"N{number}", f"r{row}c{column}"


def value_name(case: Case, row: int, column: int) -> str:
    """The name of a cell, such as `3_12`: sub-grid and position in it; `_3_2` without sub-grids."""
    if not case.boxes:
        return f"_{row}_{column}"
    height, width = case.boxes
    grid = (row - 1) // height * (case.size // width) + (column - 1) // width + 1
    return f"{grid}_{(row - 1) % height + 1}{(column - 1) % width + 1}"


def _common(case: Case) -> dict[frozenset[str], str]:
    """The kind of each unit, by its values: row, column, sub-grid, or a name such as `chain`."""
    together = [
        (name, [*case.groups(name).values()])
        for name in sorted({fact.name for fact in case.puzzle.facts if fact.signature[1] == 3})
        if all({type(row), type(column)} == {int} for row, column, _ in case.facts(name, 3))
    ]
    together += [(_CALLED[kind], units) for kind, units in case.units.items()]
    return {
        frozenset(f"V{value_name(case, *cell)}" for cell in unit): called
        for called, units in together
        for unit in units
    }


# A full IRI, a string, a comment, a parenthesis, or anything else up to the next of these.
_TOKEN = re.compile(r'<[^>]*>|"(?:[^"\\]|\\.)*"|#[^\n]*|[()]|[^\s()<"#]+')

# The order of operands is irrelevant for these.
_SYMMETRIC = {
    "DifferentIndividuals",
    "SameIndividual",
    "DisjointClasses",
    "EquivalentClasses",
    "ObjectIntersectionOf",
    "ObjectOneOf",
    "ObjectUnionOf",
}


def axioms(text: str) -> list[str]:
    """The axioms of an ontology as a set, with operands in a fixed order. Raises EngineError."""
    tokens = [token for token in _TOKEN.findall(text) if not token.startswith("#")]
    if "Ontology" not in tokens:
        raise EngineError("the text holds no ontology")
    rest = iter(tokens[tokens.index("Ontology") + 1 :])
    if next(rest, "") != "(":
        raise EngineError("expected a parenthesis after Ontology")
    return list(dict.fromkeys(part for part in _operands(rest) if part.endswith(")")))


def merge_axioms(program: str, instance: str) -> str:
    """An ontology with additional axioms, without comments, which some parsers do not support."""
    body, closed, _ = program.rpartition(")")
    if not closed:
        raise EngineError("the text holds no ontology")
    whole = f"{body}\n{instance})\n"
    return _TOKEN.sub(lambda token: "" if token[0].startswith("#") else token[0], whole)


def _operands(rest: Iterator[str]) -> list[str]:
    """The operands up to the closing parenthesis."""
    parts: list[str] = []
    for token in rest:
        if token == ")":
            return parts
        if token != "(":
            parts.append(token)
            continue
        if not parts:
            raise EngineError("parenthesis without a preceding name")
        name, operands = parts.pop(), _operands(rest)
        if name in _SYMMETRIC:
            operands.sort(key=_natural)
        parts.append(f"{name}({' '.join(operands)})")
    raise EngineError("unclosed parenthesis")


def _natural(text: str) -> list[tuple[int, str]]:
    """A sort key by which N10 comes after N9."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", text)]


# A value is an instance of its dummy class; these classes only serve to query the reasoner.
_DUMMY = re.compile(r" type C\S*$")
_DIFFERENT = re.compile(r"DifferentIndividuals\((.*)\)")


class OwlProofStep(NamedTuple):
    """A known value: its number, why (empty for a given), and the values that this depends on."""

    number: int
    words: str
    rests_on: tuple[str, ...] = ()


class OwlProof:
    """The steps from the axioms of an explanation, as Pellet prints them, to a value.

    units: the kind of each unit, e.g. `row`, by its values; size: the number of numbers
    """

    def __init__(
        self, axioms: Sequence[str], units: Mapping[frozenset[str], str], size: int
    ) -> None:
        self._axioms, self._numbers = axioms, range(1, size + 1)
        self._known: dict[str, OwlProofStep] = {}
        # Sets of mutually distinct values, each with the kind of its unit.
        self._apart: list[tuple[frozenset[str], str]] = []
        for axiom in axioms:
            if same := re.fullmatch(r"(\S+) sameAs (\S+)", axiom):
                number, value = sorted(same.groups(), key=lambda name: name.startswith("V"))
                self._known[value] = OwlProofStep(int(number[1:]), "")
            elif different := _DIFFERENT.fullmatch(axiom):
                values = frozenset(different[1].split())
                self._apart.append((values, units.get(values, "")))

    def lines(self, value: str, number: int) -> list[str]:
        """Why the value must be the number, step by step."""
        if value in self._known:
            return [f"{value} = {number} is given"]
        named = sorted({name for names, _ in self._apart for name in names if name[0] == "V"})
        while value not in self._known:
            unknown = [name for name in named if name not in self._known]
            steps = [(name, self._only_number(name) or self._only_place(name)) for name in unknown]
            new = {name: step for name, step in steps if step}
            if not new:
                return [
                    f"{value} must be {number}. This follows, but not value by value, from:",
                    *(_axiom_text(axiom) for axiom in self._axioms if not _DUMMY.search(axiom)),
                ]
            self._known |= new
        needed, waiting = set(), [value]
        while waiting:
            name = waiting.pop()
            if name not in needed and self._known[name].words:
                needed.add(name)
                waiting += self._known[name].rests_on
        return [step.words for name, step in self._known.items() if name in needed]

    def _only_number(self, value: str) -> OwlProofStep | None:
        """The step if all numbers but one are excluded (a naked single)."""
        clashes = {number: self._clash(value, number) for number in self._numbers}
        reasons = {number: clash for number, clash in clashes.items() if clash}
        possible = [*clashes.keys() - reasons.keys()]
        if len(possible) != 1:
            return None
        listed = "; not ".join(f"{number}, for {reason}" for number, (reason, _) in reasons.items())
        words = f"{value} must be {possible[0]}: it cannot be {listed}"
        return OwlProofStep(possible[0], words, tuple(other for _, other in reasons.values()))

    def _only_place(self, value: str) -> OwlProofStep | None:
        """The step if a number has no other place in a unit (a hidden single)."""
        for (names, common), number in product(self._apart, self._numbers):
            if value not in names or len(names) < len(self._numbers):
                continue
            others = sorted(names - {value})
            reasons = [reason for each in others if (reason := self._taken(each, number))]
            if len(reasons) == len(others):
                where = f"in the same {common}" if common else f"of {', '.join(sorted(names))}"
                listed = "; ".join(words for words, _ in reasons)
                words = f"{value} must be {number}, for no other {where} can: {listed}"
                return OwlProofStep(number, words, tuple(name for _, name in reasons))
        return None

    def _taken(self, value: str, number: int) -> tuple[str, str] | None:
        """Why a value is not the number, and the value that this depends on."""
        if step := self._known.get(value):
            return None if step.number == number else (f"{value} = {step.number}", value)
        if clash := self._clash(value, number):
            return f"{value} cannot be {number}, for {clash[0]}", clash[1]
        return None

    def _clash(self, value: str, number: int) -> tuple[str, str] | None:
        """Why a value is not the number that a distinct one is known to be, and that one."""
        for other, step in self._known.items():
            for names, common in self._apart:
                if step.number == number and {value, other} <= names:
                    unit = f"in the same {common}" if common else f"and {value} is distinct from it"
                    return f"{other} = {number} {unit}", other
        return None


def _axiom_text(axiom: str) -> str:
    """An axiom in words, if it is of a kind used in "Sudoku in OWL"."""
    if different := _DIFFERENT.fullmatch(axiom):
        return f"{', '.join(different[1].split())} are mutually distinct"
    if same := re.fullmatch(r"(\S+) sameAs (n?)(\S+)", axiom):
        return f"{same[1]} = {same[3]}"
    if only := re.fullmatch(r"Thing subClassOf \{(.*)\}", axiom):
        return f"there is nothing but {only[1].replace('n', '')}"
    return axiom
