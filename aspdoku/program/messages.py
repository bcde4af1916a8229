"""Messages about rule files: clingo's, mapped to the lines of the authors' files, and our own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import combining, east_asian_width

from aspdoku.puzzle.term import printable

if TYPE_CHECKING:
    from aspdoku.program.rulefile import RuleFile

# The characters of a line that an excerpt shows, and how many of them before the caret.
_WIDEST, _BEFORE = 72, 48

Locate = Callable[[int], tuple[str, int]]

_LOCATION = re.compile(
    r"<(?:block|string)>:(\d+):(\d+)(?:-(?:(\d+):)?(\d+))?: *(?:(error|info|warning|note): *)?"
)
_NOISE = (
    (re.compile(r"\[#inc_base\];(?:0=0;)?|;?\[#inc_base\]"), ""),
    (re.compile(r"#void:-|#false:-"), ":- "),
    (re.compile(r"#P\d+|#Anon\d+|#X\d+"), "_"),
    (re.compile(r"#p_(\w+)"), r"\1"),
    (re.compile(r"#void"), "#false"),
)


class Remedy(NamedTuple):
    """A change of a text that a message states: `old`, at this offset in characters, becomes `new`;
    what is inserted has no `old`.
    """

    offset: int
    old: str
    new: str


class Message(NamedTuple):
    """An error, warning or note about `place`, a file as messages refer to it. Line and column
    count from 1; they are 0 if clingo gave no position. `excerpt` is the line with a caret below
    the column. An editor offers the remedies. `of_rules`: whether it is about a rule file, and says
    nothing about a whole program.
    """

    place: str
    line: int
    column: int
    severity: str
    text: str
    excerpt: str = ""
    remedies: tuple[Remedy, ...] = ()
    of_rules: bool = False

    def __str__(self) -> str:
        if self.line:
            return f"{self.place}:{self.line}:{self.column}: {self.text}"
        return f"{self.place}: {self.text}" if self.place else self.text

    @property
    def quoted(self) -> str:
        """The message with the excerpt below it."""
        return f"{self}\n{self.excerpt}" if self.excerpt else str(self)

    def with_excerpt(self, source: str) -> Message:
        """The message with the line of its source, and its column in characters, not bytes."""
        lines = source.split("\n")
        if not 0 < self.line <= len(lines) or not lines[self.line - 1].strip():
            return self
        line = lines[self.line - 1].rstrip("\r")
        before = line.encode(errors="replace")[: max(self.column - 1, 0)].decode(errors="ignore")
        return self._replace(column=len(before) + 1, excerpt=_excerpt(line, self.line, len(before)))


def about(
    rule: RuleFile, position: tuple[int, int], text: str, severity: str = "warning"
) -> Message:
    """A message about a place in a rule file, which says if it is no error, with the line."""
    words = text if severity == "error" else f"{severity}: {text}"
    return Message(rule.place, *position, severity, words).with_excerpt(rule.text)


def _excerpt(line: str, number: int, position: int) -> str:
    first = 0 if len(line) <= _WIDEST else max(0, min(position - _BEFORE, len(line) - _WIDEST))
    # A tab is a blank, and a control character an escape sequence.
    shown = [" " if sign == "\t" else printable(sign) for sign in line[first : first + _WIDEST]]
    left, right = "…" * (first > 0), "…" * (first + _WIDEST < len(line))
    gap = len(left) + sum(map(_columns, shown[: position - first]))
    margin = f"  {number} | "
    return f"{margin}{left}{''.join(shown)}{right}\n{'| ':>{len(margin)}}{' ' * gap}^"


def _columns(text: str) -> int:
    return sum(
        0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text
    )


def parse_messages(raw: str, locate: Locate) -> list[Message]:
    """The messages of clingo's logger; `locate` maps a line of the program to a file and a line."""
    found: list[Message] = []
    for block in re.split(r"\n(?=<(?:block|string)>:)", raw.rstrip("\n")):
        head = _LOCATION.match(block)
        if head is None:
            found.append(Message("", 0, 0, "error", strip_internal_names(block)))
            continue
        lines = strip_internal_names(block[head.end() :]).splitlines()
        text = " ".join(line.strip() for line in lines)
        where = locate(int(head[1]))
        found.append(Message(*where, int(head[2]), head[5] or "error", text))
    return found


def strip_internal_names(text: str) -> str:
    """The text without the auxiliary names that clingo introduces when it rewrites a program."""
    for pattern, instead in _NOISE:
        text = pattern.sub(instead, text)
    return text
