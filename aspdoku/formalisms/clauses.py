"""Clauses over cells, as a person reads them and as a SAT solver does.

A text is a clause a line, `c(1,1,4) | -c(1,2,4)`: literals that say that row 1, column 1 holds a 4,
and that row 1, column 2 does not; `false` is the clause that has none. A comment, after `%`, says
in words what the clauses below it say, up to the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from aspdoku.formalisms.engine import EngineError
from aspdoku.puzzle.puzzle import Grid

_LITERAL = re.compile(r"(-?)c\((\d+),(\d+),(\d+)\)")
_EMPTY = "false"


class CellLiteral(NamedTuple):
    """That a cell holds a number, or that it does not."""

    row: int
    column: int
    number: int
    holds: bool = True

    def __str__(self) -> str:
        return f"{'' if self.holds else '-'}c({self.row},{self.column},{self.number})"


class CommentedClause(NamedTuple):
    """A disjunction, and the words that its text has for it."""

    words: str
    literals: tuple[CellLiteral, ...]

    @property
    def statement(self) -> str:
        """The same for all clauses with these literals, in whatever order and however often they
        stand there.
        """
        return " | ".join(map(str, sorted(set(self.literals)))) or _EMPTY


def parse(text: str) -> Iterator[CommentedClause]:
    """The clauses of a text. Raises EngineError at what is none."""
    words = ""
    for line, content in enumerate(map(str.strip, text.splitlines()), 1):
        if content.startswith("%"):
            words = content[1:].strip()
        elif content == _EMPTY:
            yield CommentedClause(words, ())
        elif content:
            yield CommentedClause(
                words, tuple(_literal(part.strip(), line) for part in content.split("|"))
            )


def variable(literal: CellLiteral, size: int) -> int:
    """The number by which a SAT solver knows a literal: 1 for c(1,1,1), 2 for c(1,1,2) and so on.

    Less than 0 where negated.
    """
    found = ((literal.row - 1) * size + literal.column - 1) * size + literal.number
    return found if literal.holds else -found


def literal_of(variable: int, size: int) -> CellLiteral:
    """The literal of a number: the inverse of `variable`."""
    cell, number = divmod(abs(variable) - 1, size)
    row, column = divmod(cell, size)
    return CellLiteral(row + 1, column + 1, number + 1, variable > 0)


def grid_of(variables: Iterable[int], size: int) -> Grid:
    """What the cells hold by the literals that are true, given by their numbers."""
    held = {
        (row, column): number
        for row, column, number, holds in (literal_of(each, size) for each in variables)
        if holds
    }
    span = range(1, size + 1)
    return tuple(tuple(held.get((row, column)) for column in span) for row in span)


def dimacs(clauses: Iterable[CommentedClause], size: int) -> str:
    """The clauses in the format of the SAT competitions, with their words as comments."""
    lines: list[str] = []
    words, count = "", 0
    for clause in clauses:
        count += 1
        if clause.words != words:
            words = clause.words
            lines.append(f"c {words}")
        lines.append(
            " ".join(map(str, (*(variable(literal, size) for literal in clause.literals), 0)))
        )
    head = [
        (
            f"c {size**2}*(R-1) + {size}*(C-1) + N says that the cell in row R, column C holds the"
            " number N"
        ),
        f"p cnf {size**3} {count}",
    ]
    return "\n".join([*head, *lines, ""])


# The same few literals stand in very many clauses.
@cache
def _read(text: str) -> CellLiteral | None:
    match = _LITERAL.fullmatch(text)
    return CellLiteral(int(match[2]), int(match[3]), int(match[4]), not match[1]) if match else None


def _literal(text: str, line: int) -> CellLiteral:
    found = _read(text)
    if found is None:
        raise EngineError(
            f"line {line}: '{text}' is no literal; one looks like c(1,1,4) or -c(1,1,4)"
        )
    return found
