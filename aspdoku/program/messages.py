"""Messages about rule files: clingo's, mapped to the lines of the authors' files, and our own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

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


class Message(NamedTuple):
    """An error, warning or note about `place`, a file as messages refer to it.

    `line` and `column` count from 1; they are 0 if clingo gave no position.
    """

    place: str
    line: int
    column: int
    severity: str
    text: str

    def __str__(self) -> str:
        where = (
            f"{self.place}:{self.line}:{self.column}: "
            if self.line
            else f"{self.place}: "
            if self.place
            else ""
        )
        return where + self.text


def parse_messages(raw: str, locate: Locate) -> list[Message]:
    """The messages in a text passed to clingo's logger.

    `locate` maps a line of the program to a file and a line in it.
    """
    found: list[Message] = []
    for block in re.split(r"\n(?=<(?:block|string)>:)", raw.rstrip("\n")):
        head = _LOCATION.match(block)
        if head is None:
            found.append(Message("", 0, 0, "error", strip_internal_names(block)))
            continue
        place, line = locate(int(head[1]))
        text = " ".join(
            part.strip() for part in strip_internal_names(block[head.end() :]).splitlines()
        )
        found.append(Message(place, line, int(head[2]), head[5] or "error", text))
    return found


def strip_internal_names(text: str) -> str:
    """The text without the auxiliary names that clingo introduces when it rewrites a program."""
    for pattern, instead in _NOISE:
        text = pattern.sub(instead, text)
    return text
