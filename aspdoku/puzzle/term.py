"""Ground terms and facts of answer set programming, as plain data.

A fact is a `Function`: `gt(1,2,1,1)` is `Function("gt", (1, 2, 1, 1))`. An `int` is a number, a
`str` a quoted string, a `Function` without arguments a constant, and one without a name a tuple.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Union

from aspdoku.errors import PuzzleError

Term = Union[int, str, "Function"]
Signature = tuple[str, int]  # a predicate: its name and number of arguments

PREDICATE = re.compile(r"_*[a-z][A-Za-z0-9_']*")


@dataclass(frozen=True)
class Function:
    """A function term or a fact: a name and ground arguments."""

    name: str
    arguments: tuple[Term, ...] = ()

    @property
    def signature(self) -> Signature:
        """Name and number of arguments, as in `gt/4`."""
        return self.name, len(self.arguments)

    def __str__(self) -> str:
        if not self.arguments and self.name:
            return self.name
        inner = ",".join(map(to_asp, self.arguments))
        comma = "," if not self.name and len(self.arguments) == 1 else ""
        return f"{self.name}({inner}{comma})"


def to_asp(term: Term) -> str:
    """The term in the syntax of clingo."""
    if isinstance(term, int) and not -(2**31) <= term < 2**31:
        raise PuzzleError(f"integer {term} is out of range: clingo has 32-bit integers")
    if isinstance(term, str):
        return '"' + term.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"') + '"'
    return str(term)


def sort_key(term: Term) -> tuple[int, object]:
    """A sort key with numbers before strings before functions."""
    if isinstance(term, int):
        return 0, term
    if isinstance(term, str):
        return 1, term
    return 2, (term.name, len(term.arguments), tuple(map(sort_key, term.arguments)))


# C0 and C1 controls except tab and line breaks, line and paragraph separators, bidirectional
# embeddings, overrides and isolates (as in CVE-2021-42574), surrogates and the noncharacters that
# XML excludes. A lone carriage return overwrites the line.
CONTROL = re.compile(
    "[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]|\r(?!\n)"
)


def printable(text: str) -> str:
    r"""The text with control characters replaced by Python escape sequences such as `\x1b`."""
    return CONTROL.sub(lambda match: ascii(match[0])[1:-1], text)
