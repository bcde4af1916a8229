"""The words of ASP facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.puzzlefile.lines import Line
from aspdoku.puzzlefile.value import STRING

if TYPE_CHECKING:
    from collections.abc import Iterator

# A comment may begin with # as everywhere in a puzzle file, but #word is a directive of ASP.
COMMENT = r"%(?!\*).*|\#(?![a-z]).*"
WORD = re.compile(
    rf"\s+|{COMMENT}|(?P<block>%\*)|(?P<word>{STRING.pattern}|[0-9][A-Za-z0-9_]*|[A-Za-z_'][A-Za-z0-9_']*|\#[a-z]+|:-|\.\.|.)"
)
BLOCK_EDGE = re.compile(r"%\*|\*%")


class Token(NamedTuple):
    """A word and its line."""

    text: str
    line: Line


def tokens(lines: list[Line]) -> Iterator[Token]:
    """The words of these lines without comments.

    Raises PuzzleError where a comment or a text in quotes is not closed.
    """
    blocks: list[Line] = []
    parentheses = 0
    for line in lines:
        # Between facts a line may begin with ; as a comment; within one it goes on with a pool such
        # as (1;2).
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
                        "this text in quotes is not closed, or has a \\ that is not part of \\n,"
                        ' \\\\ or \\"'
                    )
                parentheses += (word == "(") - (word == ")")
                yield Token(word, line)
            elif word == "%*":
                blocks.append(line)
            elif blocks:
                blocks.pop()
    if blocks:
        raise blocks[-1].error(
            "this comment is not closed before the section ends: write *% behind it"
        )
