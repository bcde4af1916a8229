"""The text of an open file, and what stands at a place in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

from aspdoku.program import RuleFile, syntax
from aspdoku.program.rulefile import comments
from aspdoku.puzzle.term import Signature

RULE_FILES = (".lp", ".draw", ".gen", ".words")
"""The suffixes of a rule file and of the files next to it; other files are puzzles, or examples."""
EXAMPLES = ".examples"
CHECKED = (*RULE_FILES, EXAMPLES)
"""The suffixes of files that are checked together."""

# A node of clingo's syntax tree.
Node = Any
_WORD = re.compile(r"[\w'-]+")
_NAME = re.compile(r"_*[a-z][\w']*")
VARIABLE = re.compile(r"_*[A-Z][\w']*")
_ARITY = re.compile(r"\s*/\s*(\d{1,3})")
_END = re.compile(r"(?<!\.)\.(?!\.)")
# The comment that names the rule with which a file is compared.
_AGAINST = re.compile(r"%+\s*against:\s*(\S+)\s*$")


Kind = Literal["predicate", "variable", "constant", "rule", "key"]


class Place(NamedTuple):
    """A part of a text, from one offset to another; in another file if that has a path."""

    start: int
    end: int
    path: str = ""


class Completion(NamedTuple):
    """A word that can be written at a place, as it is listed.

    written: with its arguments, instead of the word at the place
    declaration: a line that it needs, at this offset
    """

    label: str
    kind: Kind
    detail: str
    written: str
    declaration: tuple[int, str] | None = None


class _Data(NamedTuple):
    path: str
    suffix: str
    texts: dict[str, str]


class Document(_Data):
    """A file of an editor, as it is typed.

    path: where it is or would be
    suffix: that of the path; ".lp" for a file without a name that is a rule
    texts: the texts of this file and of open files next to it with the same name, by suffix
    """

    @property
    def text(self) -> str:
        """The text of this file."""
        return self.texts[self.suffix]

    @cached_property
    def rule(self) -> RuleFile:
        """This file as a rule file."""
        path = Path(self.path)
        return RuleFile(path.stem, path.name, self.text)

    @cached_property
    def own_rule(self) -> RuleFile:
        """The rule file of this name, which may be this file."""
        path = Path(self.path).with_suffix(".lp")
        return RuleFile(path.stem, path.name, self.next_to(".lp") or "", path=path)

    def next_to(self, suffix: str) -> str | None:
        """The text of the file of this name with another suffix, if there is one."""
        file = Path(self.path).with_suffix(suffix)
        if suffix not in self.texts and file.is_file():
            return file.read_text("utf-8", "replace")
        return self.texts.get(suffix)

    def line_of(self, offset: int) -> str:
        """The line of an offset, up to it."""
        return self.text[self.text.rfind("\n", 0, offset) + 1 : offset]

    def begun_word(self, offset: int, is_code: bool) -> Place:
        """The word that begins before an offset; a hyphen is a part of names, but not in code."""
        sign = r"[\w']" if is_code else r"[\w'-]"
        start = offset
        while start and re.match(sign, self.text[start - 1]):
            start -= 1
        rest = re.compile(f"{sign}*").match(self.text, offset)
        return Place(start, rest.end() if rest and start < offset else offset)

    def word_at(self, offset: int) -> Place:
        """The word that contains or ends at an offset; empty without one."""
        start = offset - len(self.line_of(offset))
        for found in _WORD.finditer(self.text, start):
            if found.end() >= offset:
                inside = found.start() <= offset
                return Place(*found.span()) if inside else Place(offset, offset)
        return Place(offset, offset)

    def predicate_at(self, offset: int) -> tuple[Place, Signature] | None:
        """The name at an offset of the code of a rule file, with the number of its arguments."""
        code = self.rule.code
        start = offset
        while start and re.match(r"[\w']", code[start - 1]):
            start -= 1
        name = _NAME.match(code, start)
        if not name:
            return None
        place = Place(start, name.end())
        if stated := _ARITY.match(code, place.end):
            return place, (name[0], int(stated[1]))
        opening = re.compile(r"\s*\(").match(code, place.end)
        return place, (name[0], _arguments(code, opening.end()) if opening else 0)

    def comment_at(self, offset: int) -> str:
        """The comment that contains an offset, or an empty text."""
        found = (text for start, end, text in comments(self.text) if start < offset <= end)
        return next(found, "")

    @property
    def against(self) -> tuple[Place, str] | None:
        """The comment `% against: RULE`, and the rule."""
        for start, end, text in comments(self.text):
            if found := _AGAINST.match(text):
                return Place(start, end), found[1]
        return None

    # ---- The code as clingo reads it; nothing if it has a syntax error ----

    @cached_property
    def statements(self) -> list[tuple[Place, Node]]:
        """The statements of a rule file, with their places."""
        return [(self.place_of(each), each) for each in syntax.parse(self.rule)[0]]

    def place_of(self, node: Node) -> Place:
        """Where a node of the syntax tree stands."""
        return Place(*syntax.span(self.text, node))

    def statement_at(self, offset: int) -> tuple[Place, Node] | None:
        """The statement that contains an offset."""
        found = (each for each in self.statements if each[0].start <= offset <= each[0].end)
        return next(found, None)

    def atoms(self, wanted: Signature) -> Iterator[Place]:
        """The names of all atoms with a name and a number of arguments."""
        for _, statement in self.statements:
            for atom in syntax.atoms(statement):
                name, arity = syntax.signature(atom)
                if (name.removeprefix("-"), arity) == wanted:
                    start = self.rule.code.index(wanted[0], self.place_of(atom).start)
                    yield Place(start, start + len(wanted[0]))

    # ---- The code as it is typed, without the need that it is complete ----

    def begun_at(self, offset: int) -> str:
        """The code of the statement that is being written at an offset."""
        code = self.rule.code
        ends = [found.end() for found in _END.finditer(code, 0, offset)]
        end = _END.search(code, offset)
        return code[ends[-1] if ends else 0 : end.start() if end else len(code)]

    def below(self, offset: int) -> str:
        """The code of the statement below a comment."""
        following = re.compile(r"\S").search(self.rule.code, offset)
        return self.begun_at(following.start() + 1) if following else ""


def variables_in(code: str) -> list[str]:
    """The variables in code, each once."""
    return list(dict.fromkeys(re.findall(rf"(?<![\w']){VARIABLE.pattern}", code)))


def _arguments(code: str, start: int) -> int:
    """The number of arguments behind an opening parenthesis, also if it is not closed."""
    number, depth = 1, 0
    for sign in code[start:]:
        if sign in ")]}." and not depth:
            break
        depth += (sign in "([{") - (sign in ")]}")
        number += sign == "," and not depth
    return number if code[start:].lstrip()[:1] != ")" else 0


def place_in(text: str, line: int, column: int, path: str = "") -> Place:
    """The word or sign at a line and a column, which count from 1; the first for 0."""
    lines = text.split("\n")
    line = min(max(line, 1), len(lines))
    start = sum(len(each) + 1 for each in lines[: line - 1])
    start += min(max(column, 1) - 1, len(lines[line - 1]))
    found = re.compile(r"#?[\w']+|[^\s\w]|$", re.MULTILINE).match(text, start)
    return Place(start, found.end() if found else start, path)
