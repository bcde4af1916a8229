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
from collections.abc import Iterator, Sequence
from typing import ClassVar

from aspdoku.engine.solver import TimeLimitError
from aspdoku.formalisms import reasoners
from aspdoku.formalisms.case import Case
from aspdoku.formalisms.encodings import Encoding
from aspdoku.formalisms.engine import Engine, EngineError, Outcome
from aspdoku.formalisms.owl_proofs import OwlProof
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
