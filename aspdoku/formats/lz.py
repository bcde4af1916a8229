"""Decompression of lz-string, the encoding of puzzles in URLs.

Source: https://pieroxy.net/blog/pages/lz-compression/index.html

The text is a sequence of codes into a growing list of words, as in LZ78. The length of a code
follows from the number of words so far, its least significant bit comes first. Codes 0 and 1
introduce a new character of 8 or 16 bits, code 2 ends the text.
"""

from __future__ import annotations

import string
from collections.abc import Iterator
from itertools import islice

from aspdoku.errors import PuzzleError

_BASE64 = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
_BITS = {sign: f"{value:06b}" for value, sign in enumerate(_BASE64)}
_NEW_CHARACTER = {0: 8, 1: 16}
_END = 2


def decompress(packed: str, longest: int) -> str:
    """The text that was compressed to this base64.

    Raises ValueError if it is not lz-string. Raises PuzzleError as soon as the text exceeds
    `longest` characters, because a few thousand characters of lz-string can expand to hundreds of
    megabytes.
    """
    found: list[str] = []
    length = 0
    for word in _words(iter("".join(_BITS.get(sign, "?") for sign in packed.rstrip("=")))):
        found.append(word)
        length += len(word)
        if length > longest:
            raise PuzzleError(
                f"the URL expands to more than {longest} characters, the maximum for a puzzle"
            )
    # The characters are UTF-16 code units: two of them can make one character.
    return "".join(found).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _words(bits: Iterator[str]) -> Iterator[str]:
    words = ["", "", ""]  # placeholders: codes 0 to 2 have other meanings
    last = ""
    while (code := _number(bits, len(words).bit_length())) != _END:
        if code in _NEW_CHARACTER:
            words.append(chr(_number(bits, _NEW_CHARACTER[code])))
            code = len(words) - 1
        if code > len(words) or (code == len(words) and not last):
            raise ValueError(f"code {code} refers to no word")
        word = words[code] if code < len(words) else last + last[0]
        yield word
        if last:
            words.append(last + word[0])
        last = word


def _number(bits: Iterator[str], width: int) -> int:
    digits = "".join(islice(bits, width))
    if len(digits) < width:
        raise ValueError("the text has no end code")
    return int(digits[::-1], 2)
