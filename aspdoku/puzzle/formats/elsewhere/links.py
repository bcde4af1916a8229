"""Addresses that hold a whole puzzle: those of f-puzzles and SudokuPad. An address that only names a puzzle is refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from aspdoku.errors import AspdokuError, PuzzleError
from aspdoku.puzzle.formats.elsewhere import documents, fpuzzles
from aspdoku.puzzle.formats.elsewhere.sudokupad import givens, squeezed
from aspdoku.puzzle.formats.elsewhere.sudokupad import reader as sudokupad

if TYPE_CHECKING:
    from lzstring import LZString

    from aspdoku.puzzle.puzzle import Puzzle

# Those of real puzzles are a tenth as long; an lz-string of this length already unfolds to a hundred megabytes.
LONGEST = 40_000

_ATTEMPTS = 50
_EXPORT = "take the long address, with the puzzle in it"
_DAMAGED = "the address is damaged: what it holds cannot be unpacked; copy the whole of it"

_ADDRESS = re.compile(
    r"(?:https?://)?(?:www\.)?(?P<site>f-puzzles\.com|sudokupad\.app|(?:app\.)?crackingthecryptic\.com)(?P<rest>[/?]\S*)?",
    re.IGNORECASE,
)
_PACKED = re.compile(r"(?P<kind>fpuzzles|fpuz|scl|ctc|classic|scf)(?P<rest>\S+)")
_BARE = re.compile(r"N4Ig[A-Za-z0-9+/= ]{20,}")
_LOAD = re.compile(r"[?&]load=([^&#]+)")
_PUZZLE_ID = re.compile(r"^(?:/sudoku)?/?(?:\?puzzleid=)?(.*?)(?:\?.*)?$", re.DOTALL)


def fits(text: str) -> bool:
    """Whether the text is one address, or what such an address holds."""
    text = text.strip("\ufeff \t\r\n")
    one = "\n" not in text
    return (one and any(pattern.fullmatch(text) for pattern in (_ADDRESS, _BARE))) or (one and _is_packed(text))


def _is_packed(text: str) -> bool:
    found = _PACKED.fullmatch(text)
    return bool(found) and (found["rest"].startswith("N4Ig") or found["kind"] in ("classic", "scf"))  # type: ignore[index]


def read(text: str, name: str) -> Puzzle:
    """The puzzle that an address holds. Raises PuzzleError where it holds none, AspdokuError where the extra is missing."""
    address = text.strip("\ufeff \t\r\n")
    if len(address) > LONGEST:
        raise PuzzleError(f"the address has {len(address)} characters; those of puzzles have up to {LONGEST}", name)
    try:
        return _read(address)
    except PuzzleError as error:
        raise PuzzleError(str(error), f"{name}:1") from None


def write(puzzle: Puzzle) -> str:
    """The puzzle as an address of f-puzzles. Raises PuzzleError for what it cannot carry."""
    import json

    packed = _codec().compressToBase64(json.dumps(fpuzzles.write(puzzle, "address"), separators=(",", ":"), ensure_ascii=False))
    return f"https://www.f-puzzles.com/?load={quote(packed)}\n"


def _read(address: str) -> Puzzle:
    site = _ADDRESS.fullmatch(address)
    if site and site["site"].lower() == "f-puzzles.com":
        load = _LOAD.search(site["rest"] or "")
        if not load:
            raise PuzzleError(f"this address only names a puzzle that f-puzzles keeps: open it there, and {_EXPORT}")
        return _unpacked("fpuzzles", load[1])
    packed = _PUZZLE_ID.sub(r"\1", site["rest"] or "") if site else address
    found = _PACKED.fullmatch(unquote(packed))
    if found:
        return _unpacked(found["kind"], found["rest"])
    if site:
        raise PuzzleError(f"this address only names a puzzle that SudokuPad keeps: open it there, and {_EXPORT}")
    return _unpacked("fpuzzles", address)


def _unpacked(kind: str, packed: str) -> Puzzle:
    if kind == "classic":
        return givens.classic(packed)
    if kind == "scf":
        return givens.with_rules(packed)
    text = _unfolded(packed)
    if documents.is_one(text):
        try:
            return document(documents.load(text, ""))
        except PuzzleError:
            if kind.startswith("fpuz"):
                raise
    if kind.startswith("fpuz"):
        raise PuzzleError(_DAMAGED)
    return sudokupad.read(squeezed.load(text))


def document(found: documents.Object, name: str = "") -> Puzzle:
    """The puzzle in a JSON document, whichever of the two programs wrote it. Raises PuzzleError."""
    reader = fpuzzles.read if "grid" in found else sudokupad.read if "cells" in found else None
    if reader is None:
        known = "f-puzzles has a list `grid` in it, SudokuPad a list `cells`"
        raise PuzzleError(f"this JSON holds no puzzle that is known: {known}", name)
    try:
        return reader(found)
    except PuzzleError as error:
        raise PuzzleError(str(error), name) from None


def _unfolded(packed: str) -> str:
    """The text behind an lz-string. Some sites undo the percent signs, or make one slash of two. Raises PuzzleError."""
    packed = unquote(packed).replace(" ", "+")
    attempts = [packed, *(packed[:place] + "/" + packed[place:] for place, sign in enumerate(packed) if sign == "/")]
    for attempt in attempts[:_ATTEMPTS]:
        found = _unfold(attempt)
        if found.startswith("{") and found.endswith("}"):
            return found
    raise PuzzleError(_DAMAGED)


def _unfold(packed: str) -> str:
    packed = packed.rstrip("=")
    try:
        return str(_codec().decompressFromBase64(packed + "=" * (-len(packed) % 4)) or "")
    except (KeyError, IndexError, ValueError, TypeError, NameError):  # how lzstring says that a text is none of its own
        return ""


def _codec() -> LZString:
    try:
        from lzstring import LZString
    except ImportError:
        raise AspdokuError("an address is unpacked by lzstring, which is not installed: pip install 'aspdoku[links]'") from None
    return LZString()
