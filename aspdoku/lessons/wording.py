"""What changed in the text of a program: statements and tokens added and removed, and the files that stood as they were."""

from __future__ import annotations

import difflib
import hashlib
import re
from collections import Counter
from typing import NamedTuple

from aspdoku.program import Program, RuleFile
from aspdoku.program.syntax import parse

_TOKEN = re.compile(r"[A-Za-z_][\w']*|#\w+|\d+|:-|\.\.|[<>!=]=|\S")
_NO_STATEMENTS = {"Comment", "Program"}


class File(NamedTuple):
    """A rule file in a program, with its SHA-256, and whether its bytes stand in the program's text as they are."""

    place: str
    sha256: str
    untouched: bool


class Wording(NamedTuple):
    """The text of a program beside that of the one before it.

    kept: the files of the program before, as they stand in this one
    added, removed: statements, however they are laid out, as a multiset
    tokens: how many tokens the added statements have
    """

    kept: tuple[File, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    tokens: int


def wording(before: Program, after: Program) -> Wording:
    """Compare two programs statement by statement, the way clingo parses them."""
    old, new = statements(before), statements(after)
    added = sorted((new - old).elements())
    return Wording(
        kept=tuple(_file(part.rule, after) for part in before.parts),
        added=tuple(added),
        removed=tuple(sorted((old - new).elements())),
        tokens=sum(len(_TOKEN.findall(statement)) for statement in added),
    )


def statements(program: Program) -> Counter[str]:
    """The statements of a program in clingo's own layout, each as often as it occurs."""
    parsed, _ = parse(RuleFile("program", "program", program.text))
    return Counter(str(statement) for statement in parsed if statement.ast_type.name not in _NO_STATEMENTS)


def difference(before: Program, after: Program) -> list[str]:
    """A unified diff of the two texts, a line each."""
    return list(difflib.unified_diff(before.text.splitlines(), after.text.splitlines(), "before", "after", lineterm="", n=1))


def _file(rule: RuleFile, program: Program) -> File:
    digest = hashlib.sha256(rule.text.encode()).hexdigest()
    part = next((part for part in program.parts if part.rule == rule), None)
    lines = program.text.split("\n")
    return File(rule.place, digest, part is not None and "\n".join(lines[part.first - 1 : part.last]) == rule.text)
