"""The Web Ontology Language (OWL 2, functional-style syntax).

There are two encodings: that of "Sudoku in OWL", and one from which reasoners derive more.

A reasoner computes what holds in all models, i.e. for each cell the number that it must contain, if
any. It does not count models.
"""

from __future__ import annotations

import re
import time
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from aspdoku.errors import TimeLimitError
from aspdoku.formalisms import reasoners
from aspdoku.formalisms.case import Case, Encoding
from aspdoku.formalisms.engine import Engine, EngineError, Outcome
from aspdoku.formalisms.reasoners import HermiT, Konclude, Pellet, Realization, Reasoner
from aspdoku.puzzle.puzzle import Cell, Grid

_IRI = "http://example.org/sudoku#"
# The number of further runs of an incomplete reasoner while some cells are undetermined.
_AGAIN = 2
_CALLED = {"rows": "row", "columns": "column", "boxes": "sub-grid"}


class _Ontology(Engine):
    """An ontology in functional syntax, for the first available reasoner.

    best: the reasoners, in order of preference
    """

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
        return ", or ".join(
            [
                *(["Konclude (apt install konclude)"] if Konclude in self.choice else []),
                reasoners.JARS,
            ]
        )

    def statements(self, program: str) -> Counter[str]:
        """The axioms."""
        return Counter(axioms(program))

    def run(self, case: Case, encoding: Encoding, seconds: float) -> Outcome:
        """Realize the ontology and read the grid from the types of the individuals."""
        reasoner = next((reasoner for reasoner in self.choice if reasoner().is_available()), None)
        if reasoner is None:
            raise EngineError(f"needs {self.missing_requirement()}")
        ontology = merge_axioms(encoding.program, encoding.instance)
        began = time.monotonic()
        done = reasoner().realize(ontology, seconds)
        grid, open_cells = self._entailed(case, done.instances)
        for _ in range(0 if reasoner.complete else _AGAIN):
            if done.instances is None or not open_cells:
                break
            # The reasoner is sound but incomplete, so further runs may find more.
            try:
                more = reasoner().realize(ontology, max(0.1, seconds - (time.monotonic() - began)))
            except TimeLimitError:
                break
            if more.instances is None:
                raise EngineError(
                    f"{reasoner.title} contradicts itself: the ontology was consistent in an"
                    " earlier run and is now inconsistent"
                )
            done = Realization(
                done.instances | more.instances, done.start, done.solve + more.start + more.solve
            )
            grid, open_cells = self._entailed(case, done.instances)
        note = f"{reasoner.title}: {done.start + done.solve:.2f} s"
        if done.instances is None:
            return Outcome(
                None, None, done.start, done.solve, True, (note, "the ontology is inconsistent")
            )
        notes = (note, f"{open_cells} cells are not entailed") if open_cells else (note,)
        return Outcome(grid, None, done.start, done.solve, True, notes)

    def _entailed(
        self, case: Case, instances: frozenset[tuple[str, str]] | None
    ) -> tuple[Grid, int]:
        """The entailed number of each cell, if any, and the number of cells without one."""
        span = range(1, case.size + 1)

        def number(row: int, column: int) -> int | None:
            numbers = [
                number
                for number in span
                if self.member(case, row, column, number) in (instances or ())
            ]
            return numbers[0] if len(numbers) == 1 else None

        grid = tuple(tuple(number(row, column) for column in span) for row in span)
        return grid, sum(line.count(None) for line in grid)


class SudokuInOwl(_Ontology):
    """Values of cells are individuals, each the same as one of the numbers, and different from each
    other.
    """

    name = "owl-source"
    title = 'OWL, "Sudoku in OWL"'
    folder = "owl-source"
    # HermiT starts faster and is faster on easy puzzles, but Pellet also solves harder ones.
    best = (Pellet, HermiT)

    def member(self, case: Case, row: int, column: int, number: int) -> tuple[str, str]:
        """The dummy class of the cell's value, and the number: if it is an instance, it is the
        value.
        """
        return f"C{value_name(case, row, column)}", f"n{number}"

    def explain(self, case: Case, cell: Cell, number: int, seconds: float) -> list[str]:
        """Why a cell must contain a number, in the wording of "Sudoku in OWL", one line per step.

        The last step concerns the cell.

        Pellet finds a set of axioms that entail it. If they do not lead to the number cell by cell,
        e.g. because a case distinction is required, the result is the axioms themselves. Raises
        EngineError also if the number is not entailed, the ontology is inconsistent, or Pellet is
        not available.
        """
        if not Pellet().is_available():
            raise EngineError(f"explanations need {reasoners.JARS}")
        encoding = self.encode(case)
        name, individual = self.member(case, *cell, number)
        found = Pellet().explain(
            merge_axioms(encoding.program, encoding.instance),
            _IRI + individual,
            _IRI + name,
            seconds,
        )
        value = f"V{value_name(case, *cell)}"
        if found is None:
            raise EngineError(f"{value} = {number} is not entailed")
        return OwlProof.of(found, _common(case), case.size).lines(value, number)


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
    """The name of a cell in `SudokuInOwl`: sub-grid and position in it, e.g. `3_12`.

    Without sub-grids, row and column, e.g. `_3_2`.
    """
    if not case.boxes:
        return f"_{row}_{column}"
    height, width = case.boxes
    grid = (row - 1) // height * (case.size // width) + (column - 1) // width + 1
    return f"{grid}_{(row - 1) % height + 1}{(column - 1) % width + 1}"


def _common(case: Case) -> dict[frozenset[str], str]:
    """The values of each unit, and its kind: row, column, sub-grid, or the name of facts that group
    cells, e.g. `chain(R,C,I)`.
    """
    named = sorted(
        name for name, arity in {fact.signature for fact in case.puzzle.facts} if arity == 3
    )
    of_cells = (
        name
        for name in named
        if all({type(row), type(column)} == {int} for row, column, _ in case.facts(name, 3))
    )
    together = [(name, list(case.groups(name).values())) for name in of_cells]
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
    """The axioms of an ontology, without duplicates, because an ontology is a set.

    Operands are in a fixed order.

    Raises EngineError if parentheses do not match or there is no ontology.
    """
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
    found: list[str] = []
    for token in rest:
        if token == ")":
            return found
        if token == "(":
            if not found:
                raise EngineError("parenthesis without a preceding name")
            name, operands = found.pop(), _operands(rest)
            found.append(
                "{}({})".format(
                    name,
                    " ".join(sorted(operands, key=_natural) if name in _SYMMETRIC else operands),
                )
            )
        else:
            found.append(token)
    raise EngineError("unclosed parenthesis")


def _natural(text: str) -> list[tuple[int, str]]:
    """A sort key by which N10 comes after N9."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", text)]


# A value is an instance of its dummy class; these classes only serve to query the reasoner.
_DUMMY = re.compile(r" type C\S*$")

# The known values, each with the step that derived it.
_Known = dict[str, "OwlProofStep"]


class OwlProofStep(NamedTuple):
    """A known value: its number, the reason in words, and the values that the reason depends on.

    The words are empty for a given.
    """

    number: int
    words: str
    rests_on: tuple[str, ...] = ()


@dataclass(frozen=True)
class OwlProof:
    """The axioms of an explanation.

    axioms: as printed by Pellet
    givens: asserted values
    apart: sets of mutually distinct values, each with the kind of its unit, e.g. `row`, or nothing
    size: the number of numbers
    """

    axioms: tuple[str, ...]
    givens: Mapping[str, int]
    apart: tuple[tuple[frozenset[str], str], ...]
    size: int

    @classmethod
    def of(cls, axioms: list[str], units: Mapping[frozenset[str], str], size: int) -> OwlProof:
        """Parse the axioms. units: the kind of each unit, by its values."""
        givens, apart = {}, []
        for axiom in axioms:
            if same := re.fullmatch(r"(\S+) sameAs (\S+)", axiom):
                number, value = sorted(same.groups(), key=lambda name: name.startswith("V"))
                givens[value] = int(number[1:])
            elif different := re.fullmatch(r"DifferentIndividuals\((.*)\)", axiom):
                values = frozenset(different[1].split())
                apart.append((values, units.get(values, "")))
        return cls(tuple(axioms), givens, tuple(apart), size)

    def lines(self, value: str, number: int) -> list[str]:
        """Why the value must be the number, step by step."""
        known = {name: OwlProofStep(given, "") for name, given in self.givens.items()}
        if value in known:
            return [f"{value} = {number} is given"]
        while value not in known:
            found = dict(self._forced(known))
            if not found:
                first = f"{value} must be {number}. This follows, but not value by value, from:"
                return [
                    first,
                    *(_axiom_text(axiom) for axiom in self.axioms if not _DUMMY.search(axiom)),
                ]
            known |= found
        return [known[name].words for name in _needed(known, value)]

    def _forced(self, known: _Known) -> Iterator[tuple[str, OwlProofStep]]:
        """The values that follow directly from the known ones."""
        values = sorted(
            {name for names, _ in self.apart for name in names if name.startswith("V")}
            - known.keys()
        )
        for value in values:
            step = self._only_number(value, known) or self._only_place(value, known)
            if step:
                yield value, step

    def _only_number(self, value: str, known: _Known) -> OwlProofStep | None:
        """The step if all numbers but one are excluded (a naked single)."""
        clashes = {number: self._clash(value, number, known) for number in range(1, self.size + 1)}
        possible = [number for number, clash in clashes.items() if clash is None]
        if len(possible) != 1:
            return None
        reasons = [(number, *clash) for number, clash in clashes.items() if clash]
        reason_text = "; ".join(
            f"{'not' if place else 'it cannot be'} {number}, for {other} = {number} {common}"
            for place, (number, other, common) in enumerate(reasons)
        )
        return OwlProofStep(
            possible[0],
            f"{value} must be {possible[0]}: {reason_text}",
            tuple(other for _, other, _ in reasons),
        )

    def _only_place(self, value: str, known: _Known) -> OwlProofStep | None:
        """The step if a number has no other place in a unit (a hidden single)."""
        for names, common in self.apart:
            if value not in names or len(names) < self.size:
                continue
            for number in range(1, self.size + 1):
                reasons = {
                    other: self._taken(other, number, known) for other in sorted(names - {value})
                }
                if all(reasons.values()):
                    others = f"in the same {common}" if common else f"of {', '.join(sorted(names))}"
                    reason_text = "; ".join(words for words, _ in filter(None, reasons.values()))
                    rests_on = tuple(name for _, name in filter(None, reasons.values()))
                    return OwlProofStep(
                        number,
                        f"{value} must be {number}, for no other {others} can: {reason_text}",
                        rests_on,
                    )
        return None

    def _taken(self, value: str, number: int, known: _Known) -> tuple[str, str] | None:
        """Why a value is not the number, and the value that this depends on."""
        if value in known:
            return (
                (f"{value} = {known[value].number}", value)
                if known[value].number != number
                else None
            )
        clash = self._clash(value, number, known)
        return (
            (f"{value} cannot be {number}, for {clash[0]} = {number} {clash[1]}", clash[0])
            if clash
            else None
        )

    def _clash(self, value: str, number: int, known: _Known) -> tuple[str, str] | None:
        """A value known to be the number and distinct from this one, and their common unit."""
        for other, step in known.items():
            if step.number == number:
                for names, common in self.apart:
                    if {value, other} <= names:
                        return (
                            other,
                            (
                                f"in the same {common}"
                                if common
                                else f"and {value} is distinct from it"
                            ),
                        )
        return None


def _needed(known: _Known, value: str) -> list[str]:
    """The values that this one depends on, without givens, in the order of derivation."""
    needed, waiting = set(), [value]
    while waiting:
        name = waiting.pop()
        if name not in needed and known[name].words:
            needed.add(name)
            waiting += known[name].rests_on
    return [name for name in known if name in needed]


def _axiom_text(axiom: str) -> str:
    """An axiom in words, if it is of a kind used in "Sudoku in OWL"."""
    if different := re.fullmatch(r"DifferentIndividuals\((.*)\)", axiom):
        return f"{', '.join(different[1].split())} are mutually distinct"
    if same := re.fullmatch(r"(\S+) sameAs (n?)(\S+)", axiom):
        return f"{same[1]} = {same[3]}"
    if only := re.fullmatch(r"Thing subClassOf \{(.*)\}", axiom):
        return f"there is nothing but {only[1].replace('n', '')}"
    return axiom
