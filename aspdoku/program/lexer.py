"""Separate the comments and strings of a logic program from its code, without parsing it.

The lexical syntax is that of gringo, the grounder of clingo.
"""

from __future__ import annotations

import re

# `#!` begins a line comment, as in the first line of a script.
_OPENING = re.compile(r'%\*|%|#!|"')
# Inside a block comment, % hides the rest of its line, even a closing *%.
_BLOCK_EDGE = re.compile(r"%\*|\*%|%[^\n]*")
# A quote that does not begin a string valid in clingo is an ordinary character.
_STRING = re.compile(r'"(?:\\["\\n]|[^"\\\n])*"')
_VISIBLE = re.compile(r"[^\n\r]")


def code(text: str) -> str:
    """The text with comments and strings blanked out; everything else keeps its line and column.

    Block comments nest, as in clingo; an unterminated one extends to the end of the text.
    """
    kept: list[str] = []
    position = 0
    while opening := _OPENING.search(text, position):
        end = _end(text, opening)
        blanked = text[opening.start() : end]
        kept += (
            text[position : opening.start()],
            blanked if blanked == '"' else _VISIBLE.sub(" ", blanked),
        )
        position = end
    return "".join(kept) + text[position:]


def comments(text: str) -> list[tuple[int, int, str]]:
    """Start, end and text of every comment, in order."""
    found, position = [], 0
    while opening := _OPENING.search(text, position):
        position = _end(text, opening)
        if opening[0] != '"':
            found.append((opening.start(), position, text[opening.start() : position]))
    return found


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """The position of the character at `offset`; both count from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _end(text: str, opening: re.Match[str]) -> int:
    """The end of the comment or string that begins with this match."""
    if opening[0] == '"':
        string = _STRING.match(text, opening.start())
        return string.end() if string else opening.end()
    if opening[0] in ("%", "#!"):
        end = text.find("\n", opening.end())
        end = len(text) if end < 0 else end
        while text[end - 1] == "\r":  # a CR at the end of the line is not part of the comment
            end -= 1
        return end
    depth, position = 1, opening.end()
    while depth and (edge := _BLOCK_EDGE.search(text, position)):
        depth += {"%*": 1, "*%": -1}.get(edge[0], 0)
        position = edge.end()
    return len(text) if depth else position
