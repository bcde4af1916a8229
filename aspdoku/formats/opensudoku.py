"""The XML of OpenSudoku: `<opensudoku><game data="0000…"/></opensudoku>`, any number of games.

The data of a game is 81 numbers, or `version: 3` and for each cell its number, notes, and 0 for a
given or 1 for a cell of the player, with bars after each of them. The player's numbers, notes and
times are no part of the puzzle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import PLAIN, Format, cell_symbols, require_representable, to_rows
from aspdoku.formats.texts import described
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzlefile.lines import quote

SIZE = 9
NUMBERS = re.compile(f"[0-9.]{{{SIZE * SIZE}}}")
STATE = re.compile(r"version: ([1-5])\s+(.*)")
FIELDS = {"1": 3, "2": 3, "3": 3, "4": 4, "5": 5}
CONTAINERS = ("opensudoku", "folder", "game")
WORDS = ("description", "comment")
# Elements and attributes about the file, a game, and the player.
KNOWN = {
    *(*CONTAINERS, *WORDS, "version", "name", "author", "created", "source", "level", "sourceURL"),
    *("data", "note", "user_note", "state", "time", "last_played", "command_stack"),
}


def _read(text: str, name: str) -> list[Puzzle]:
    if "<!" in re.sub("<!--.*?-->", "", text, flags=re.DOTALL):
        raise PuzzleError("unsupported declaration <!… in the XML", name)
    try:
        root = ElementTree.fromstring(text.strip("\ufeff \t\r\n"))
    except (ElementTree.ParseError, ValueError) as error:
        raise PuzzleError(f"invalid XML: {error}", name) from None
    parts = [part for each in root.iter() for part in (each.tag, *each.attrib)]
    unsupported = tuple(dict.fromkeys(quote(part) for part in parts if part not in KNOWN))
    games = [game for game in root.iter("game") if "data" in game.attrib]
    if not games:
        raise PuzzleError("the file contains no game: <game data=…>", name)
    puzzles = []
    for number, game in enumerate(games, 1):
        try:
            puzzle = Puzzle(_grid(game.attrib["data"]), unsupported=unsupported)
        except PuzzleError as error:
            raise PuzzleError(f"game {number}: {error}", name) from None
        texts = [root.findtext("name")], [root.findtext("author")], _words(root)
        puzzles.append(described(puzzle, *texts))
    return puzzles


def _words(root: ElementTree.Element) -> Iterator[str | None]:
    """The texts that may be rules: descriptions, comments, and texts outside of known elements."""
    for each in root.iter():
        yield from map(each.attrib.get, WORDS)
        yield each.text if each.tag in (*WORDS, *CONTAINERS) else None
        yield each.tail


def _grid(data: str) -> tuple[tuple[int | None, ...], ...]:
    if NUMBERS.fullmatch(data.strip()):
        return to_rows([int(sign) if sign not in ".0" else None for sign in data.strip()])
    state = STATE.fullmatch(data.strip())
    fields = re.split(r"\|+", state[2].strip().rstrip("|")) if state else []
    width = FIELDS[state[1]] if state else 1
    cells = [fields[start : start + width] for start in range(0, len(fields), width)]
    if len(fields) != width * SIZE * SIZE or not all(
        re.fullmatch("[0-9]", cell[0]) and cell[-1] in ("0", "1") for cell in cells
    ):
        raise PuzzleError(f"invalid data {quote(data)}: expected 81 numbers, or version: 1 to 5")
    return to_rows([int(cell[0]) or None if cell[-1] == "0" else None for cell in cells])


def _write(puzzle: Puzzle) -> str:
    require_representable(puzzle, PLAIN, FORMAT.name, largest=SIZE, least=SIZE)
    texts = {"name": puzzle.title, "author": puzzle.author}
    lines = [f"  <{key}>{escape(text)}</{key}>\n" for key, text in texts.items() if text]
    game = f'  <game data="{cell_symbols(puzzle)}" />\n'
    return f"<opensudoku>\n{''.join(lines)}{game}</opensudoku>\n"


FORMAT = Format(
    "opensudoku",
    "the XML of OpenSudoku",
    lambda text: text.lstrip("\ufeff \t\r\n").startswith("<") and "<opensudoku" in text,
    _read,
    _write,
    suffixes=(".opensudoku",),
    allows_long=True,
    texts=("title", "author"),
)
