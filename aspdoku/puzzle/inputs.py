"""Inputs of rules, and what the letters of their arguments mean.

A rule file declares an input with a comment: `#defined gt/4.  % gt(R,C,R1,C1): …`. The letter of an
argument has one meaning in all rule files, `LETTERS`; digits distinguish arguments with the same
meaning. Sections of puzzle files, formats, pictures, clues and checks follow from these meanings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Literal, NamedTuple

from aspdoku.puzzle.puzzle import EDGES, Cell
from aspdoku.puzzle.term import Function, Signature, Term

Kind = Literal["line", "edge", "position", "group", "name", "shared", "number", "extent", "word"]


class Letter(NamedTuple):
    """The meaning of an argument, its kind, and a condition for the values of a variable."""

    meaning: str
    kind: Kind
    values: str = "number({})"


# Names are in the order in which they contain each other: a cage of a group has both.
LETTERS: Mapping[str, Letter] = {
    "R": Letter("the row of a cell", "line", "row({})"),
    "C": Letter("the column of a cell", "line", "column({})"),
    "E": Letter("an edge of the grid", "edge", f"{{}} = ({';'.join(EDGES)})"),
    "J": Letter("a row or column at an edge", "line", "row({})"),
    "K": Letter("a position on a line, a rank, or a number of cells", "position"),
    "G": Letter("the name of a group of cages or cells", "group"),
    "I": Letter("the name of a cage, line or chain, whose facts are one clue", "name", "{} = 1..2"),
    "B": Letter("the name of a region", "name"),
    "A": Letter("the name of what several clues share, such as an automaton", "shared"),
    "N": Letter("a number of the grid", "number"),
    "S": Letter("a sum or another result", "number", "{} = 0..n*n"),
    "D": Letter("a difference or a distance", "number"),
    "M": Letter("a modulus", "number"),
    "P": Letter("a number of places", "number"),
    "Q": Letter("a quotient, or how often a number occurs", "number"),
    "V": Letter("a value", "number"),
    "X": Letter("a factor, or a number of columns", "number"),
    "Y": Letter("a number of rows", "number"),
    "H": Letter("the height of a rectangle", "extent"),
    "W": Letter("the width of a rectangle, or what an automaton reads", "extent"),
    "O": Letter("an option", "word"),
    "T": Letter("a word, or the name of a rule", "word"),
    "U": Letter("a clue of the rule T", "word"),
    "Z": Letter("a state", "word"),
}
CELL_LETTERS = ("R", "C", "R1", "C1")
"""The arguments that are the rows and columns of cells."""


class Shape(NamedTuple):
    """How the cells of a section state an input: the positions of its arguments.

    cells: for each cell, the positions of its row and its column; none for paths
    other: the position of one other argument
    named: whether the other argument is a name
    line: the position of the number of the line, if that is an argument
    times: the position of how often the other argument occurs in a list before the cells
    """

    cells: tuple[tuple[int, int], ...]
    other: int | None = None
    named: bool = False
    line: int | None = None
    times: int | None = None


PATHS = Shape(())
# The shapes of inputs without letters, by arity.
_WITHOUT_LETTERS = {2: Shape(((0, 1),)), 3: Shape(((0, 1),), 2, named=True), 4: PATHS}


class _Declared(NamedTuple):
    """A tuple, because to define a dataclass takes ten times as long."""

    name: str
    arity: int
    meaning: str


class Input(_Declared):
    """A predicate that a puzzle provides, as a rule file and its comment declare it."""

    def __str__(self) -> str:
        return f"{self.name}/{self.arity}"

    @property
    def signature(self) -> Signature:
        """Name and number of arguments."""
        return self.name, self.arity

    @classmethod
    def from_text(cls, text: str) -> Input | None:
        """The input that is written `cage(R,C,I)`; None for another text."""
        written = re.fullmatch(r"\s*(_*[a-z]\w*)\s*\(([^()]*)\)\s*", text)
        if not written:
            return None
        letters = [letter.strip() for letter in written[2].split(",")]
        found = cls(written[1], len(letters), f"{written[1]}({','.join(letters)})")
        return found if found.arguments else None

    @property
    def text(self) -> str:
        """The predicate with the letters of its arguments, as in `cage(R,C,I)`."""
        return f"{self.name}({','.join(self.arguments)})"

    @cached_property
    def arguments(self) -> tuple[str, ...]:
        """The letters of the arguments, as in `gt(R,C,R1,C1): …`; empty unless each has its own."""
        names = self._named
        usable = len(names) == self.arity == len(set(names)) and all(
            re.fullmatch("[A-Z][0-9]*", name) for name in names
        )
        return names if usable else ()

    @property
    def _named(self) -> tuple[str, ...]:
        written = re.match(rf"{re.escape(self.name)}\(([^()]*)\)", self.meaning)
        return tuple(name.strip() for name in written[1].split(",")) if written else ()

    @property
    def fault(self) -> str:
        """What is wrong with the names of the arguments in the comment; empty if nothing is."""
        for name in self._named:
            if not re.fullmatch("[A-Z][0-9]*", name) or name[0] not in LETTERS:
                return f"{name} has no meaning"
        if self._named and not self.arguments:
            return f"not every argument of {self} has a letter of its own with a meaning"
        return ""

    def of(self, fact: Function) -> dict[str, Term]:
        """The arguments of a fact by their letters."""
        return dict(zip(self.arguments, fact.arguments, strict=False))

    def positions(self, letters: str) -> tuple[int, ...]:
        """Indices of the arguments called by these letters, in the order of the letters."""
        return tuple(
            index
            for letter in letters
            for index, argument in enumerate(self.arguments)
            if argument[0] == letter
        )

    def of_kind(self, *kinds: Kind) -> tuple[int, ...]:
        """Indices of the arguments of these kinds, in the order of `LETTERS`."""
        return self.positions(
            "".join(letter for letter, each in LETTERS.items() if each.kind in kinds)
        )

    @cached_property
    def cells(self) -> tuple[tuple[int, int], ...]:
        """For each cell, the indices of its row and its column."""
        return tuple(
            (self.arguments.index(row), self.arguments.index(column))
            for row, column in (CELL_LETTERS[:2], CELL_LETTERS[2:])
            if row in self.arguments and column in self.arguments
        )

    def cells_of(self, fact: Function) -> list[Cell]:
        """The cells of a fact, unless a row or column is no number."""
        terms = fact.arguments
        return [
            (row, column)
            for row, column in ((terms[row], terms[column]) for row, column in self.cells)
            if isinstance(row, int) and isinstance(column, int)
        ]

    @cached_property
    def identity(self) -> tuple[int, ...]:
        """Indices of the names of cages, lines or chains: facts with the same ones are one clue."""
        return self.positions("I")

    @cached_property
    def names(self) -> tuple[int, ...]:
        """Indices of all names of one thing, the outermost first."""
        return self.of_kind("group", "name")

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Indices of the arguments that place a fact in the grid, at its edge or on a line."""
        return self.of_kind("line", "edge", "position")

    @cached_property
    def position(self) -> int | None:
        """Index of the position on a line."""
        return next(iter(self.positions("K")), None)

    @property
    def reference(self) -> tuple[int, int] | None:
        """Indices of a rule T and of one of its clues U."""
        return (found[0], found[1]) if len(found := self.positions("TU")) == 2 else None

    @property
    def is_line(self) -> bool:
        """Whether facts place cells on a line."""
        return self.arguments == ("I", "K", "R", "C")

    @property
    def is_adjacent(self) -> bool:
        """Whether cells of a line touch (`; a path`), or of a pair (`; the cells share a side`)."""
        return re.search("; (a path|the cells share a side)(?:,|$)", self.meaning) is not None

    @property
    def is_corner(self) -> bool:
        """Whether the comment ends in `; a corner`: there are a row and a column after R, C."""
        return re.search("; a corner(?:,|$)", self.meaning) is not None

    @property
    def within(self) -> str:
        """The input whose cells those of this one are, as in `; cells of number_cage` at the end
        of the comment; facts about other cells have no effect.
        """
        named = re.search(r"[;,] cells of (\w+)(?:,|$)", self.meaning)
        return named[1] if named else ""

    def words(self, letter: str) -> list[str]:
        """The values that the comment lists after an argument, as in `points T (in or out)`."""
        listed = re.search(rf"\b{letter} \(([a-z]+(?:, [a-z]+)* or [a-z]+)\)", self.meaning)
        return re.split(", | or ", listed[1]) if listed else []

    def noun(self, letter: str) -> str:
        """What the comment calls a name, as in `cage(R,C,I): the cell … lies in cage I`."""
        called = re.search(rf"(\w+) {letter}\b", self.meaning.partition(":")[2])
        return called[1] if called else ""

    @property
    def default_terms(self) -> list[str]:
        """The values that the rule assumes for the last argument if no fact gives one: terms with q
        for the number of different numbers, as in `; default (q+1)/2` at the end of the comment.
        """
        stated = re.search("; default ([0-9q+*/() -]+(?:, [0-9q+*/() -]+)*)$", self.meaning)
        return stated[1].split(", ") if stated else []

    @cached_property
    def shape(self) -> Shape | None:
        """How cells in a section state facts; None if they cannot."""
        if not self.arguments:
            return _WITHOUT_LETTERS.get(self.arity)
        cells = self.cells
        of_cells = {place for cell in cells for place in cell}
        others = [place for place in range(self.arity) if place not in of_cells]
        match [self.arguments[place][0] for place in others]:
            case ["I", "K"] if len(cells) == 1:
                return PATHS
            case ["G", "I"] if len(cells) == 1:
                return Shape(cells, others[0], line=others[1])
            case ["N", "Q"] if len(cells) == 1:
                return Shape(cells, others[0], times=others[1])
            case [] if cells:
                return Shape(cells)
            case [_] if cells and others[0] not in self.places:
                return Shape(cells, others[0], len(cells) == 1 and others[0] in self.names)
        return None

    @cached_property
    def clue_order(self) -> tuple[int, ...] | None:
        """For each argument its index in what a list of clues states: an edge, if there is one, a
        row or column, and a clue. None if the arguments are others.
        """
        edges, lines = self.of_kind("edge"), self.of_kind("line")
        rest = [place for place in range(self.arity) if place not in (*edges, *lines)]
        if not self.arguments or len(edges) > 1 or len(lines) != 1 or len(rest) != 1:
            return None
        listed = (*edges, *lines, *rest)
        return tuple(map(listed.index, range(self.arity)))
