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
from aspdoku.program.syntax import parse, position_of, source_of

_TOKEN = re.compile(r"[A-Za-z_][\w']*|#\w+|\d+|:-|\.\.|[<>!=]=|\S")
_NO_STATEMENTS = {"Comment", "Program"}


class FileStatus(NamedTuple):
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


class TextDiff(NamedTuple):
    """The text of a program beside that of the one before it.

    kept: the files of the program before, as they stand in this one
    added, removed: statements, however they are laid out, as a multiset
    tokens: how many tokens the added statements have
    """

    kept: tuple[FileStatus, ...]
    added: tuple[Statement, ...]
    removed: tuple[Statement, ...]
    tokens: int


def diff_texts(before: Program, after: Program) -> TextDiff:
    """Compare two programs statement by statement, the way clingo parses them."""
    old, new = statements(before), statements(after)
    added = _without(new, old)
    return TextDiff(
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
            place, line = program.locate(position_of(statement)[0])
            found[str(statement)].append(Statement(source_of(whole, statement), place, line))
    return found


def _without(
    these: dict[str, list[Statement]], those: dict[str, list[Statement]]
) -> tuple[Statement, ...]:
    more = (found[len(those.get(key, ())) :] for key, found in these.items())
    return tuple(statement for found in more for statement in found)


def file_statuses(program: Program) -> tuple[FileStatus, ...]:
    """The rule files of a program."""
    return tuple(_file(part.rule, program) for part in program.parts)


def unified_text_diff(before: Program, after: Program) -> list[str]:
    """A unified diff of the two texts, a line each."""
    return list(
        difflib.unified_diff(
            before.text.splitlines(), after.text.splitlines(), "before", "after", lineterm="", n=1
        )
    )


def _file(rule: RuleFile, program: Program) -> FileStatus:
    digest = hashlib.sha256(rule.text.encode()).hexdigest()
    part = next((part for part in program.parts if part.rule == rule), None)
    lines = program.text.split("\n")
    return FileStatus(
        rule.place,
        digest,
        part is not None and "\n".join(lines[part.first_line - 1 : part.last_line]) == rule.text,
    )
