"""Conversion between URLs of Penpa+ and their documents.

The parameter `p` of a URL is base64 of raw deflate of lines: a header separated by commas, then
JSON, in which some words are abbreviated. Line 4 has the puzzle, line 6 the differences between the
numbers of the cells of the board, and line 18 the genres that the author chose.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import unquote

from aspdoku.errors import PuzzleError
from aspdoku.formats import json_document
from aspdoku.formats.base import has_lines_only
from aspdoku.formats.json_document import Object
from aspdoku.formats.penpa import table

# Ten times the length of the URLs of real puzzles.
MAX_LENGTH = 100_000
MAX_DECOMPRESSED = 1_000_000

_URL = re.compile(r"(?:https?://\S+/penpa-edit/\S*?[#?&]|[#?]?)m=(?:edit|solve)&(?P<rest>\S+)")
_PARAMETER = re.compile(r"(?:^|&)p=([^&]*)")
_DAMAGED = "damaged URL of Penpa+: {}; copy all of it"

# A word is abbreviated as z and a sign; the sign Z means the letter z.
ABBREVIATIONS = {sign: f'"{word}"' for sign, word in table.DATA["abbreviations"].items()}
ABBREVIATIONS |= {"O": "null", "Z": "z"}
# The keys of the history of editing, which every document has.
HISTORY = ("command_redo", "command_undo", "command_replay")
NO_HISTORY: Object = {"__a": []}
_PUZZLE, _CELLS, _GENRES = 3, 5, 17
_TITLE, _AUTHOR, _RULES = 15, 16, 18
# What Penpa+ writes for a sign that separates fields, lines or parameters.
_CODES = {",": "%2C", "\n": "%2D", "&": "%2E", "=": "%2F"}


class Document(NamedTuple):
    """What a URL contains.

    type: the type of the board, such as sudoku or square
    columns, rows: the size of the board
    settings: for a sudoku, whether it was created with the falling diagonal, clues on all sides,
    clues on the left and above, the rising diagonal
    cells: the numbers of the cells that belong to the board
    drawn: the puzzle
    """

    type: str
    columns: int
    rows: int
    settings: Sequence[bool]
    title: str
    author: str
    rules: str
    cells: Sequence[int]
    drawn: Object
    genres: Sequence[str]


def fits(text: str) -> bool:
    """Whether the text is URLs of Penpa+ on any site, or their parameters, one per line."""
    return has_lines_only(text, _URL)


def load(url: str) -> Document:
    """The document in a URL. Raises PuzzleError."""
    if len(url) > MAX_LENGTH:
        raise PuzzleError(f"URL too long: {len(url)} characters, at most {MAX_LENGTH} are allowed")
    match = _URL.fullmatch(url)
    parameters = _PARAMETER.findall(match["rest"]) if match else []
    if len(parameters) != 1:
        raise PuzzleError("not a URL of Penpa+ that contains a puzzle: expected …#m=edit&p=…")
    text = _decompressed(unquote(parameters[0]))
    lines = re.sub("z(.)", lambda found: ABBREVIATIONS.get(found[1], found[0]), text).split("\n")
    header = lines[0].split(",")
    if header[0].isdecimal():
        raise PuzzleError(
            "the URL is of the first version of Penpa, which is not supported: open it in Penpa+"
            " and share it again"
        )
    if len(lines) <= _CELLS or len(header) < _TITLE:
        raise PuzzleError(_DAMAGED.format(f"{len(lines)} lines instead of {_GENRES + 1} or more"))
    drawn = _json(lines[_PUZZLE])
    if not isinstance(drawn, dict):
        raise PuzzleError(_DAMAGED.format("its puzzle is not a JSON object"))
    genres = _json(lines[_GENRES]) if len(lines) > _GENRES else []  # older documents have none
    return Document(
        header[0],
        _number(header[1]),
        _number(header[2]),
        [each == "1" for each in header[11:_TITLE]],
        _text(header, _TITLE, "Title: "),
        _text(header, _AUTHOR, "Author: "),
        _text(header, _RULES, ""),
        _sums(_json(lines[_CELLS])),
        drawn,
        [each for each in json_document.items(genres) if isinstance(each, str)],
    )


def dump(document: Document) -> str:
    """The URL of a document."""
    middle = document.cells[len(document.cells) // 2]
    canvas = [38 * (length + 1) for length in (document.columns, document.rows)]
    texts = {"Title": document.title, "Author": document.author}
    header: list[object] = [document.type, document.columns, document.rows, 38, 0, 1, 1, *canvas]
    header += [middle, middle, *map(int, document.settings)]
    header += [f"{key}: {text.replace(',', _CODES[','])}" for key, text in texts.items()]
    rules = document.rules.translate({ord(sign): code for sign, code in _CODES.items()})
    header += ["", rules, "OFF", "false"]
    differences = [
        cell - before for before, cell in zip((0, *document.cells), document.cells, strict=False)
    ]
    modes = {"qa": "pu_a", "grid": ["1", "2", "1"], "pu_q": _mode(2), "pu_a": _mode(3)}
    columns = {cell % (document.columns + 4) for cell in document.cells}  # with the margins
    around = (document.columns - len(columns)) // 2
    empty = {key: type(value)() for key, value in document.drawn.items()} | dict.fromkeys(
        HISTORY, NO_HISTORY
    )
    drawn = document.drawn | dict.fromkeys(HISTORY, NO_HISTORY)
    values: list[object] = [[around] * 4, modes, drawn, empty, differences, [], {}]
    values += ["x", "x", [3, 1, 4], modes, "x", 0, empty, empty, {}, document.genres, False]
    words = {word: sign for sign, word in ABBREVIATIONS.items()}
    lines = [",".join(map(str, header))]
    lines += [json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in values]
    pattern = re.compile("|".join(map(re.escape, words)))
    text = pattern.sub(lambda found: "z" + words[found[0]], "\n".join(lines))
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = base64.b64encode(packer.compress(text.encode()) + packer.flush()).decode()
    return f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={packed}"


def _mode(style: int) -> Object:
    """The tool of each kind, as a new document has it."""
    line = ["1", style]
    return {
        "edit_mode": "sudoku",
        "surface": ["", 1],
        **{"line": line, "lineE": line, "wall": ["", style], "cage": ["1", 10]},
        "number": ["1", style - 1],
        "symbol": ["circle_L", 1],
        "special": ["thermo", ""],
        "board": ["", ""],
        "move": ["1", ""],
        "combi": ["battleship", ""],
        "sudoku": ["1", 1 if style == 2 else 9],
    }


def _decompressed(packed: str) -> str:
    try:
        data = base64.b64decode(packed.replace(" ", "+") + "=" * (-len(packed) % 4), validate=True)
        unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
        found = unpacker.decompress(data, MAX_DECOMPRESSED)
        if unpacker.unconsumed_tail:
            raise PuzzleError(
                f"the URL expands to more than {MAX_DECOMPRESSED} characters, the maximum for a"
                " puzzle"
            )
        if unpacker.eof:
            return found.decode()
    except (ValueError, binascii.Error, zlib.error):
        pass
    raise PuzzleError(_DAMAGED.format("its content cannot be decompressed"))


def _json(text: str) -> object:
    try:
        return json_document.load(f'{{"line": {text}}}', "")["line"]
    except PuzzleError as error:
        raise PuzzleError(_DAMAGED.format(error)) from None


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 4):
        raise PuzzleError(_DAMAGED.format(f"the size {text[:30]!r} of the board"))
    return int(text)


def _text(header: Sequence[str], place: int, label: str) -> str:
    text = (header[place] if place < len(header) else "").removeprefix(label)
    for sign in _CODES if place == _RULES else ",":
        text = text.replace(_CODES[sign], sign)
    return text


def _sums(differences: object) -> list[int]:
    """The numbers with these differences. Raises PuzzleError."""
    found: list[int] = []
    for each in json_document.items(differences):
        if not isinstance(each, int) or isinstance(each, bool):
            raise PuzzleError(_DAMAGED.format("the cells of its board are not numbers"))
        found.append(each + (found[-1] if found else 0))
    return found
