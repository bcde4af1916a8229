"""Propositional clauses over cells, in a readable format and in DIMACS CNF.

The readable format has one clause per line, e.g. `c(1,1,4) | -c(1,2,4)`: row 1, column 1 contains a
4, or row 1, column 2 does not. `false` is the empty clause. A comment, after `%`, describes the
clauses below it, up to the next comment.
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
    """The literal that a cell contains a number, or that it does not."""

    row: int
    column: int
    number: int
    holds: bool = True

    def __str__(self) -> str:
        return f"{'' if self.holds else '-'}c({self.row},{self.column},{self.number})"


class CommentedClause(NamedTuple):
    """A disjunction of literals, and the comment that describes it."""

    words: str
    literals: tuple[CellLiteral, ...]

    @property
    def statement(self) -> str:
        """A normal form: the same for all clauses with the same set of literals."""
        return " | ".join(map(str, sorted(set(self.literals)))) or _EMPTY


def parse(text: str) -> Iterator[CommentedClause]:
    """The clauses of a text. Raises EngineError for invalid lines."""
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
    """The DIMACS number of a literal: 1 for c(1,1,1), 2 for c(1,1,2) etc., negative if negated."""
    found = ((literal.row - 1) * size + literal.column - 1) * size + literal.number
    return found if literal.holds else -found


def literal_of(variable: int, size: int) -> CellLiteral:
    """The literal of a number: the inverse of `variable`."""
    cell, number = divmod(abs(variable) - 1, size)
    row, column = divmod(cell, size)
    return CellLiteral(row + 1, column + 1, number + 1, variable > 0)


def grid_of(variables: Iterable[int], size: int) -> Grid:
    """The grid for the true literals, given by their DIMACS numbers."""
    held = {
        (row, column): number
        for row, column, number, holds in (literal_of(each, size) for each in variables)
        if holds
    }
    span = range(1, size + 1)
    return tuple(tuple(held.get((row, column)) for column in span) for row in span)


def dimacs(clauses: Iterable[CommentedClause], size: int) -> str:
    """The clauses in DIMACS CNF, the format of the SAT competitions, with comments."""
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
            f"c variable {size**2}*(R-1) + {size}*(C-1) + N: the cell in row R, column C holds the"
            " number N"
        ),
        f"p cnf {size**3} {count}",
    ]
    return "\n".join([*head, *lines, ""])


# The same few literals occur in very many clauses.
@cache
def _read(text: str) -> CellLiteral | None:
    match = _LITERAL.fullmatch(text)
    return CellLiteral(int(match[2]), int(match[3]), int(match[4]), not match[1]) if match else None


def _literal(text: str, line: int) -> CellLiteral:
    found = _read(text)
    if found is None:
        raise EngineError(
            f"line {line}: invalid literal '{text}': expected e.g. c(1,1,4) or -c(1,1,4)"
        )
    return found
