"""What changed in the text of a program.

Statements and tokens added and removed, and the files that stood as they were.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from collections import defaultdict
from typing import NamedTuple

from aspdoku.program import Program, RuleFile
from aspdoku.program.syntax import parse, place_of, source_of

_TOKEN = re.compile(r"[A-Za-z_][\w']*|#\w+|\d+|:-|\.\.|[<>!=]=|\S")
_NO_STATEMENTS = {"Comment", "Program"}


class File(NamedTuple):
    """A rule file in a program, with its SHA-256, and whether its bytes stand in the program's text
    as they are.
    """

    place: str
    sha256: str
    untouched: bool


class Statement(NamedTuple):
    """A statement as its author wrote it, in one line, and where it stands.

    Line 0 for what the puzzle says.
    """

    text: str
    place: str
    line: int


class Wording(NamedTuple):
    """The text of a program beside that of the one before it.

    kept: the files of the program before, as they stand in this one
    added, removed: statements, however they are laid out, as a multiset
    tokens: how many tokens the added statements have
    """

    kept: tuple[File, ...]
    added: tuple[Statement, ...]
    removed: tuple[Statement, ...]
    tokens: int


def wording(before: Program, after: Program) -> Wording:
    """Compare two programs statement by statement, the way clingo parses them."""
    old, new = statements(before), statements(after)
    added = _without(new, old)
    return Wording(
        kept=tuple(_file(part.rule, after) for part in before.parts),
        added=added,
        removed=_without(old, new),
        tokens=sum(len(_TOKEN.findall(statement.text)) for statement in added),
    )


def statements(program: Program) -> dict[str, list[Statement]]:
    """The statements of a program by clingo's own layout of them, each as often as it occurs."""
    whole = RuleFile("program", "program", program.text, vetted=True)
    found: dict[str, list[Statement]] = defaultdict(list)
    for statement in parse(whole)[0]:
        if statement.ast_type.name not in _NO_STATEMENTS:
            place, line = program.locate(place_of(statement)[0])
            found[str(statement)].append(Statement(source_of(whole, statement), place, line))
    return found


def _without(
    these: dict[str, list[Statement]], those: dict[str, list[Statement]]
) -> tuple[Statement, ...]:
    more = (found[len(those.get(key, ())) :] for key, found in these.items())
    return tuple(statement for found in more for statement in found)


def files(program: Program) -> tuple[File, ...]:
    """The rule files of a program."""
    return tuple(_file(part.rule, program) for part in program.parts)


def difference(before: Program, after: Program) -> list[str]:
    """A unified diff of the two texts, a line each."""
    return list(
        difflib.unified_diff(
            before.text.splitlines(), after.text.splitlines(), "before", "after", lineterm="", n=1
        )
    )


def _file(rule: RuleFile, program: Program) -> File:
    digest = hashlib.sha256(rule.text.encode()).hexdigest()
    part = next((part for part in program.parts if part.rule == rule), None)
    lines = program.text.split("\n")
    return File(
        rule.place,
        digest,
        part is not None and "\n".join(lines[part.first - 1 : part.last]) == rule.text,
    )
