"""Read and write URLs of f-puzzles and SudokuPad, one per line.

The payload is decompressed, and its content decides which reader is used. Payloads are JSON
compressed by lz-string, or packed givens (`classic...`, `scf...`). URLs of other sites are read if
they contain such a payload or the cells of a grid, and those of sudokuwiki. A URL that contains
only the identifier of a puzzle on a server is rejected.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from urllib.parse import quote, unquote

from aspdoku.errors import AspdokuError, PuzzleError
from aspdoku.formats import fpuzzles, json_document, line_lists, packed, sudokupad
from aspdoku.formats.base import UnsupportedError, content_lines, read_urls
from aspdoku.formats.equivalence import differences
from aspdoku.formats.iss import syntax
from aspdoku.formats.penpa import document as penpa
from aspdoku.formats.sudokupad import encoding
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzlefile.oneline import line_size

# Ten times the length of the URLs of real puzzles.
MAX_LENGTH = 40_000
MAX_DECOMPRESSED = 1_000_000

_ATTEMPTS = 50
_EXPORT = "use the long URL, which contains the puzzle"
_DAMAGED = "damaged URL: {}; copy all of it"

# Subdomains such as www. and beta. are the same program.
_ADDRESS = re.compile(
    r"(?:https?://)?(?:[\w-]+\.)*"
    r"(?P<site>f-puzzles\.com|sudokupad\.app|crackingthecryptic\.com|sudokuwiki\.org)"
    r"(?P<rest>[/?#].*)?",
    re.IGNORECASE,
)
_OTHER_SITE = re.compile(r"https?://(?P<site>[^\s/?#]+)(?P<rest>.*)", re.IGNORECASE)
_PACKED = re.compile(r"(?P<kind>fpuzzles|fpuz|scl|ctc|classic|scf)(?P<rest>\S+)")
_ALONE = re.compile(r"(?:(?:fpuzzles|fpuz|scl|ctc)N4Ig|classic|scf)\S+")
_BARE = re.compile(r"N4Ig(?:[A-Za-z0-9+/= ]|%2[BFbf0]|%3[Dd]){20,}")
_QUERY = re.compile(r"\?load=\S{20,}")
_PARAMETER = re.compile(r"[?&#]([^=&#?]*)=([^&#]*)")
_PATH = re.compile(r"/?(?:sudoku/)?([^?#]*)")
# The parameters that contain a puzzle, by site; the others may contain it in any, or in the path.
_PARAMETERS = {"f-puzzles.com": "load", "sudokuwiki.org": "bd"}
_CELLS = re.compile(r"(?=.*[0._*-])[0-9._*-]+")
# Sites on which the cells of a grid are a sudoku without further rules.
_WITHOUT_RULES = ("sigh.github.io", "lisudoku.xyz")


def fits(text: str) -> bool:
    """Whether the text is URLs of any site, one per line, or the payload of one such URL."""
    addresses = [line.content.strip() for line in content_lines(text)]
    if not addresses or any(each.fits(text) for each in (syntax, penpa, packed)):
        return False
    forms = (_BARE, _QUERY, _ALONE) if len(addresses) == 1 else ()
    return any(form.fullmatch(addresses[0]) for form in forms) or all(
        _ADDRESS.fullmatch(each) or _OTHER_SITE.fullmatch(each) for each in addresses
    )


def read(text: str, name: str) -> list[Puzzle]:
    """What each URL states in another way than by a drawing and words. Raises PuzzleError."""
    return read_urls(text, name, _read)


def _read(address: str) -> Puzzle:
    found = content(address)
    return puzzle_from_document(found) if isinstance(found, dict) else found


def write(puzzle: Puzzle) -> str:
    """The puzzle as a URL of f-puzzles, or of SudokuPad, which can draw more.

    Raises AspdokuError, and UnsupportedError for what neither of them can represent.
    """
    try:
        from lzstring import LZString
    except ImportError:
        raise AspdokuError(
            "writing a URL needs lzstring, which is not installed: pip install 'aspdoku[links]'"
        ) from None
    document, is_drawn = _document(puzzle)
    packed = LZString.compressToBase64(json.dumps(document, separators=(",", ":")))
    if is_drawn:
        return f"https://sudokupad.app/scl{quote(packed)}\n"
    return f"https://www.f-puzzles.com/?load={quote(packed)}\n"


def stated(puzzle: Puzzle) -> Puzzle:
    """The part of a puzzle that its URL states, and not only draws or states in words."""
    return sudokupad.stated(puzzle) if _document(puzzle)[1] else puzzle


def _document(puzzle: Puzzle) -> tuple[json_document.Object, bool]:
    """The document of f-puzzles if that represents the puzzle, or else that of SudokuPad; whether
    it is the latter. Raises UnsupportedError.
    """
    with suppress(PuzzleError, UnsupportedError):
        document = fpuzzles.write(puzzle)
        if not differences(puzzle, fpuzzles.read(document)):
            return document, False
    with suppress(UnsupportedError):
        return sudokupad.write(puzzle), True
    return fpuzzles.write(puzzle), False


def content(address: str) -> Puzzle | json_document.Object:
    """The document in a URL, or the puzzle in a URL without one. Raises PuzzleError."""
    if len(address) > MAX_LENGTH:
        raise PuzzleError(
            f"URL too long: {len(address)} characters, at most {MAX_LENGTH} are allowed"
        )
    known = _ADDRESS.fullmatch(address)
    found = known or _OTHER_SITE.fullmatch(address)
    if not found and not _QUERY.match(address):
        return _unpacked(address) or _unpack("fpuzzles", address)
    name = found["site"] if found else "f-puzzles.com"
    site = name.lower()
    rest = (found["rest"] if found else address) or ""
    if site in _PARAMETERS:
        value = _value(site, rest)
        if site == "sudokuwiki.org":
            return packed.read_sudokuwiki(value, re.split("[?#]", rest)[0].strip("/"))
        return _unpack("fpuzzles", value)
    path = _PATH.match(rest)
    parts = [path[1] if path else "", *(value for _, value in _PARAMETER.findall(rest))]
    found_in = [
        _unpacked(part, site) for part in parts if known or "N4Ig" in part or _is_grid(part)
    ]
    puzzles = [puzzle for puzzle in found_in if puzzle]
    if len(puzzles) > 1:
        raise PuzzleError("the URL contains several puzzles: write one URL per line")
    if puzzles:
        return puzzles[0]
    if known:
        raise PuzzleError(
            f"this URL only identifies a puzzle on SudokuPad's server: open it there, and {_EXPORT}"
        )
    raise PuzzleError(
        f"unsupported site {name[:60]}: f-puzzles.com, sudokupad.app, sudokuwiki.org, Interactive"
        " Sudoku Solver, Penpa+ and puzz.link are supported; a short link has to be opened in a"
        " browser first, which shows the URL that it stands for"
    )


def _value(site: str, rest: str) -> str:
    """The value of the parameter with the puzzle. Raises PuzzleError if there is none, or many."""
    name = _PARAMETERS[site]
    values = [str(value) for key, value in _PARAMETER.findall(rest) if key == name]
    if not values:
        raise PuzzleError(
            f"this URL only identifies a puzzle on the server of {site}, as it has no parameter"
            f" {name}: open it there, and {_EXPORT}"
        )
    if len(values) > 1:
        raise PuzzleError(f"the URL has several parameters {name}: write one URL per line")
    if not values[0]:
        raise PuzzleError(
            f"the URL contains no puzzle, as its parameter {name} is empty: {_EXPORT}"
        )
    return values[0]


def _is_grid(part: str) -> bool:
    return _CELLS.fullmatch(part) is not None and line_size(part) is not None


def _unpacked(part: str, site: str = "") -> Puzzle | json_document.Object | None:
    """The content of a part of a URL; None if it contains none. Raises PuzzleError if damaged."""
    if _is_grid(part):
        rules = () if site in _WITHOUT_RULES else (f"the rules of the page on {site[:60]}",)
        return line_lists.read(part, "")[0].replace(unsupported=rules)
    if _BARE.fullmatch(part):
        return _unpack("fpuzzles", part)
    found = _PACKED.fullmatch(unquote(part).replace(" ", "+"))
    return _unpack(found["kind"], found["rest"]) if found else None


def _unpack(kind: str, packed: str) -> Puzzle | json_document.Object:
    if kind == "classic":
        return encoding.puzzle_from_classic(packed)
    if kind == "scf":
        return encoding.puzzle_from_scf(packed)
    text = _decompressed(packed)
    try:
        # SudokuPad also has a compact form of JSON.
        is_json = kind.startswith("fpuz")
        return json_document.load(text, "") if is_json else encoding.load(text)
    except PuzzleError as error:
        raise PuzzleError(_DAMAGED.format(error)) from None


def puzzle_from_document(found: json_document.Object) -> Puzzle:
    """The puzzle in a JSON document of either program. Raises PuzzleError."""
    if "grid" in found:
        return fpuzzles.read(found)
    if "cells" in found:
        return sudokupad.read(found)
    known = "f-puzzles has a list `grid`, SudokuPad a list `cells`"
    raise PuzzleError(f"unknown type of JSON document: {known}")


def _decompressed(packed: str) -> str:
    """Decompress lz-string. Some sites decode percent signs, or collapse two slashes into one.

    Raises PuzzleError.
    """
    packed = unquote(packed).replace(" ", "+")
    slashes = (place for place, sign in enumerate(packed) if sign == "/")
    attempts = [packed, *(packed[:place] + "/" + packed[place:] for place in slashes)]
    for attempt in attempts[:_ATTEMPTS]:
        try:
            found = decompress(attempt, MAX_DECOMPRESSED)
        except ValueError:
            continue
        if found.startswith("{") and found.endswith("}"):
            return found
    raise PuzzleError(_DAMAGED.format("its content cannot be decompressed"))


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
    bare = packed.rstrip("=")
    content = b64decode(bare + "A" * (-len(bare) % 4), validate=True)
    bits = iter("".join(f"{byte:08b}" for byte in content))
    for word in _words(bits):
        found.append(word)
        length += len(word)
        if length > longest:
            raise PuzzleError(
                f"the URL expands to more than {longest} characters, the maximum for a puzzle"
            )
    if "1" in {*bits}:
        raise ValueError("content after the end code")
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
