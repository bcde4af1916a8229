"""9x9 sudokus with states of solving: HoDoKu's library and the XML of OpenSudoku.

HoDoKu: lines such as `:0000:x:+4.5…:112 812:…::`, with the grid in field 4. A number after a + was
placed, and the groups of three digits in field 5 are deleted candidates (number, row, column).
Neither has to follow from the givens, so the other candidates of these cells become facts
pencilmark(R,C,N). The fields after that name a step and its conclusions, which are no part of the
state.

OpenSudoku: `<opensudoku><game data="0000…"/></opensudoku>`, any number of games. The data of a game
is 81 numbers, or `version: 3` and for each cell its number, notes, and 0 for a given or 1 for a
cell of the player, with bars after each of them. The player's numbers, notes and times are no part
of the puzzle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import chain
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from aspdoku.errors import PuzzleError
from aspdoku.formats import base
from aspdoku.formats.boards import Content
from aspdoku.formats.candidates import with_candidates
from aspdoku.formats.json_document import described
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzlefile.lines import Line, quote

SIZE = 9
HODOKU_LINE = re.compile(r":(?!-)[^:]*:[^:]*:([^:]*):([^:]*)(:[^:]*)*")
DELETED = re.compile("([1-9])([1-9])([1-9])")
CELL = re.compile(r"\+?[0-9.]")
CELLS = re.compile(rf"(?:{CELL.pattern})*")
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


def _write_hodoku(puzzle: Puzzle) -> str:
    deleted = (
        f"{number}{row}{column}"
        for (row, column), left in Content(puzzle).marks().items()
        for number in range(1, SIZE + 1)
        if number not in left and puzzle[row, column] is None
    )
    return f":0000:x:{base.cell_symbols(puzzle)}:{' '.join(deleted)}::\n"


def _hodoku_puzzle(line: Line) -> Puzzle:
    match = HODOKU_LINE.fullmatch(line.content.strip())
    cells = match[1].strip() if match else ""
    if not CELLS.fullmatch(cells):
        strange = CELL.sub("", cells)
        raise line.error(
            f"invalid characters {quote(strange)} in the grid: a cell is a digit, + and a digit, or"
            " . for empty"
        )
    signs = CELL.findall(cells)
    if not base.grid_size(len(signs)):
        raise line.error(f"field 4 of the line has {len(signs)} cells; a 9x9 grid has 81")
    grid = base.grid_of([cell if "+" not in cell else "." for cell in signs], line)
    size = len(grid)
    left = [{int(cell[-1])} if cell[-1] in "123456789" else {*range(1, size + 1)} for cell in signs]
    for group in match[2].split() if match else ():
        deleted = DELETED.fullmatch(group)
        number, row, column = map(int, deleted.groups()) if deleted else (0, 0, 0)
        if not 1 <= max(number, row, column) <= size:
            raise line.error(
                f"invalid deleted candidate {quote(group)}: expected number, row and column, e.g."
                " 112"
            )
        index = (row - 1) * size + column - 1
        left[index].discard(number)
        if not left[index]:
            raise line.error(f"all candidates of {base.cell_name(index, size)} are deleted")
    return with_candidates([*chain(*grid)], left)


def _read_opensudoku(text: str, name: str) -> list[Puzzle]:
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
        with base.errors_at(name), base.errors_at(f"game {number}"):
            puzzle = Puzzle(_opensudoku_grid(game.attrib["data"]), unsupported=unsupported)
        texts = [root.findtext("name")], [root.findtext("author")], _opensudoku_words(root)
        puzzles.append(described(puzzle, *texts))
    return puzzles


def _opensudoku_words(root: ElementTree.Element) -> Iterator[str | None]:
    for each in root.iter():
        yield from map(each.attrib.get, WORDS)
        yield each.text if each.tag in (*WORDS, *CONTAINERS) else None
        yield each.tail


def _opensudoku_grid(data: str) -> tuple[tuple[int | None, ...], ...]:
    if NUMBERS.fullmatch(data.strip()):
        return base.to_rows([int(sign) if sign not in ".0" else None for sign in data.strip()])
    state = STATE.fullmatch(data.strip())
    fields = re.split(r"\|+", state[2].strip().rstrip("|")) if state else []
    width = FIELDS[state[1]] if state else 1
    cells = [fields[start : start + width] for start in range(0, len(fields), width)]
    if len(fields) != width * SIZE * SIZE or not all(
        re.fullmatch("[0-9]", cell[0]) and cell[-1] in ("0", "1") for cell in cells
    ):
        raise PuzzleError(f"invalid data {quote(data)}: expected 81 numbers, or version: 1 to 5")
    return base.to_rows([int(cell[0]) or None if cell[-1] == "0" else None for cell in cells])


def _write_opensudoku(puzzle: Puzzle) -> str:
    texts = {"name": puzzle.title, "author": puzzle.author}
    lines = [f"  <{key}>{escape(text)}</{key}>\n" for key, text in texts.items() if text]
    game = f'  <game data="{base.cell_symbols(puzzle)}" />\n'
    return f"<opensudoku>\n{''.join(lines)}{game}</opensudoku>\n"


HODOKU = base.Format(
    "hodoku",
    "lines of HoDoKu's library",
    partial(base.has_lines_only, pattern=HODOKU_LINE),
    lambda text, name: [_hodoku_puzzle(line) for line in base.content_lines(text, name)],
    _write_hodoku,
    kinds=(base.PENCILMARKED,),
    sizes=range(SIZE, SIZE + 1),
    suffixes=(".hodoku",),
    multiple=True,
)
OPENSUDOKU = base.Format(
    "opensudoku",
    "the XML of OpenSudoku",
    lambda text: text.lstrip("\ufeff \t\r\n").startswith("<") and "<opensudoku" in text,
    _read_opensudoku,
    _write_opensudoku,
    kinds=(base.PLAIN,),
    sizes=range(SIZE, SIZE + 1),
    suffixes=(".opensudoku",),
    texts=("title", "author"),
)
