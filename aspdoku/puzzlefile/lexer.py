"""Lexer for ASP facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.puzzlefile.lines import Line
from aspdoku.puzzlefile.value import STRING

if TYPE_CHECKING:
    from collections.abc import Iterator

# Comments may start with # as elsewhere in a puzzle file, but #word is an ASP directive.
COMMENT = r"%(?!\*).*|\#(?![a-z]).*"
WORD = re.compile(
    rf"\s+|{COMMENT}|(?P<block>%\*)|(?P<word>{STRING.pattern}|[0-9][A-Za-z0-9_]*|[A-Za-z_'][A-Za-z0-9_']*|\#[a-z]+|:-|\.\.|.)"
)
BLOCK_EDGE = re.compile(r"%\*|\*%")


class Token(NamedTuple):
    """A token and its line."""

    text: str
    line: Line


def tokens(lines: list[Line]) -> Iterator[Token]:
    """The tokens of these lines, without comments.

    Raises PuzzleError for an unterminated comment or string.
    """
    blocks: list[Line] = []
    parentheses = 0
    for line in lines:
        # A line that starts with ; is a comment between facts, but continues a pool such as (1;2)
        # within one.
        place = (
            len(line.text)
            if not (blocks or parentheses) and line.text.lstrip().startswith(";")
            else 0
        )
        while place < len(line.text):
            match = (BLOCK_EDGE.search if blocks else WORD.match)(line.text, place)
            if not match:
                break
            place = match.end()
            kind, word = match.lastgroup, match[0]
            if kind == "word":
                if word == '"':
                    raise line.error(
                        'unterminated string, or a \\ that is not part of one of \\n, \\\\ and \\"'
                    )
                parentheses += (word == "(") - (word == ")")
                yield Token(word, line)
            elif word == "%*":
                blocks.append(line)
            elif blocks:
                blocks.pop()
    if blocks:
        raise blocks[-1].error("unterminated comment in this section: close it with *%")
