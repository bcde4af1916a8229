"""Compare the texts of two programs: statements added and removed, and unchanged files."""

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
    """A rule file, its SHA-256, and whether the program's text contains it byte for byte."""

    place: str
    sha256: str
    untouched: bool


class Statement(NamedTuple):
    """A statement as its author wrote it, on one line, and its position.

    The line is 0 for statements of the puzzle.
    """

    text: str
    place: str
    line: int


class TextDiff(NamedTuple):
    """The difference between the text of a program and the one before it.

    kept: the files of the program before, and whether this one contains them unchanged
    added, removed: statements, as multisets; layout is ignored
    tokens: the number of tokens in the added statements
    """

    kept: tuple[FileStatus, ...]
    added: tuple[Statement, ...]
    removed: tuple[Statement, ...]
    tokens: int


def diff_texts(before: Program, after: Program) -> TextDiff:
    """Compare two programs statement by statement, as parsed by clingo."""
    old, new = statements(before), statements(after)
    added = _without(new, old)
    return TextDiff(
        kept=tuple(_file(part.rule, after) for part in before.parts),
        added=added,
        removed=_without(old, new),
        tokens=sum(len(_TOKEN.findall(statement.text)) for statement in added),
    )


def statements(program: Program) -> dict[str, list[Statement]]:
    """The statements of a program, by their text as printed by clingo; duplicates are kept."""
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
    """A unified diff of the two texts, as a list of lines."""
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
