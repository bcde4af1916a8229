"""Grids as lists of lists in JSON, Python, numpy and C, and JSON records that contain one.

    grid = [[0, 0, 3], …]      [[0 0 3] …]      ["..3", …]      int grid[9][9] = {{0, 0, 3}, …};
    {"puzzle": [[0, 0, 3], …], "solution": …, "level": "easy"}

0, None, null and "" are empty cells. Records are read as a list with columns. Each line of a text
can be a record, and a record can be inside other objects, whose values are then columns.
"""

from __future__ import annotations

import json
import re
from functools import partial

from aspdoku.errors import PuzzleError
from aspdoku.formats import ipuz, json_document, line_lists, lisudoku
from aspdoku.formats.base import SYMBOLS, Format, content_lines, errors_at, grid_size
from aspdoku.formats.json_document import one_line
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzlefile import grid
from aspdoku.puzzlefile.lines import Line, place_of, pluralize
from aspdoku.puzzlefile.oneline import columns_of_record, line_size

# What a program writes before the brackets, and after them; without backtracking over blanks.
BEFORE = re.compile(r"\s*+(?:[A-Za-z_][\w.\[\]: <>]*=\s*+)?(?:[\w.]+\(\s*+)?(?=\[)")
AFTER = re.compile(r"[\s,]*+(?:dtype\s*+=\s*+[\w.\"']++[\s,]*+)?\)?\s*+;?\s*+")
BRACES = str.maketrans("{}", "[]")
ROW = re.compile(r"\[([^\[\]]*)\]")
ITEM = re.compile(r"\"([^\"]*)\"|'([^']*)'|([^\s,\"'\[\]]+)")
CUT = re.compile(r"\[[^\"'\[\]]*[\s,]\.\.\.[\s,]")  # by numpy
Record = dict[str, str]
# Keys of documents whose other keys matter.
OTHER_KEYS = ("cells", "less_than", "streams", lisudoku.SIZE)


def fits(text: str) -> bool:
    """Whether the text is brackets around rows of cells, or JSON records that contain a grid."""
    return bool(_rows(text)) or bool(_records(text)) or _cut(text) is not None


def _read(text: str, name: str) -> list[Puzzle]:
    if records := _records(text):
        return _puzzles_of_records(records, name)
    rows = _rows(text)
    if cut := _cut(text):
        raise PuzzleError(
            "the list is not complete: ... stands for cells; in numpy, print it after"
            " numpy.set_printoptions(threshold=sys.maxsize)",
            place_of(name, 1 + text[: cut.end()].count("\n")),
        )
    if not rows:
        raise PuzzleError("no grid found: expected a list of rows, e.g. [[0, 3, …], …]", name)
    width = len(rows[0][1])
    if len(rows) % width and not width // 2 < len(rows) < width and grid_size(width):
        width = 1  # a whole grid in each row
    elif len(rows) % width:
        raise PuzzleError(
            f"the list has {pluralize(len(rows), 'row')}, and the first one {width} cells",
            place_of(name, rows[0][0]),
        )
    lines = [Line(" ".join(cells), number, name) for number, cells in rows]
    return [
        Puzzle(grid.parse_grid(lines[start : start + width]))
        for start in range(0, len(lines), width)
    ]


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """The number of the line and the cells of each row; empty if the text is anything else."""
    start = BEFORE.match(text.removeprefix("\ufeff").translate(BRACES))
    if not start or text.lstrip().startswith('{"'):
        return []
    body = text.removeprefix("\ufeff").translate(BRACES)[start.end() :]
    end = body.rfind("]") + 1
    outside = "".join(ROW.sub("r", body[:end]).replace(",", " ").split())
    whole = re.fullmatch(r"r|(?:\[+r+\]+)+", outside)
    if not whole or not AFTER.fullmatch(body[end:]) or not re.search("[0-9]", body):
        return []
    rows = []
    for match in ROW.finditer(body, 0, end):
        cells = ["".join(groups) for groups in ITEM.findall(match[1])]
        if ITEM.sub("", match[1]).strip(" \t\r\n,"):
            return []
        number = 1 + text[: start.end() + match.start()].count("\n")
        words = [cell for cell in cells if len(grid.plain_cell(cell)) > 3]
        if words and len(words) == len(cells):  # a word per row
            rows += [(number, list(word)) for word in words]
        else:
            rows.append((number, [_cell(cell) for cell in cells]))
    return rows if len(rows) > 1 or line_size("." * len(rows[0][1])) else []


def _cut(text: str) -> re.Match[str] | None:
    return CUT.search(text) if BEFORE.match(text) else None


def _cell(text: str) -> str:
    return grid.plain_cell(text) if text.strip() else "."


def _records(text: str) -> list[Record]:
    """The values of JSON objects of which one is a grid, as text; empty for any other text. An
    object can be inside others, and each line of the text can be an object. A string that is a grid
    counts as an object with this value.
    """
    if not text.lstrip("\ufeff [\t\r\n").startswith(("{", '"')) or ipuz.fits(text):
        return []
    try:
        values = _loaded(text)
        return [record for value in values for record in _within(value, {})]
    except (ValueError, RecursionError, PuzzleError):
        return []


def _loaded(text: str) -> list[object]:
    """The value of a JSON text, or of each of its lines. Raises ValueError, PuzzleError."""
    load = partial(json.loads, object_pairs_hook=json_document.object_without_duplicates)
    try:
        return [load(text)]
    except json.JSONDecodeError:
        return [load(line.content) for line in content_lines(text)]


def _within(value: object, around: Record) -> list[Record]:
    """The records in a value, with the values around it. Raises ValueError for anything else."""
    if text := _grid(value):
        return [{**around, "": text}]
    if isinstance(value, list) and value:
        return [record for each in value for record in _within(each, around)]
    if not isinstance(value, dict) or value.keys() & {*OTHER_KEYS}:
        raise ValueError("no grid")
    record = dict(_column(*item) for item in value.items())
    if any(map(line_size, record.values())):
        if "grid" in value and not _grid(value["grid"]):
            raise ValueError("a document")
        return [{**around, **record}]
    ((key, inner),) = ((key, each) for key, each in value.items() if isinstance(each, list | dict))
    rest = {name: text for name, text in record.items() if name != _column(key, inner)[0]}
    return _within(inner, {**rest, **around})


def _column(key: str, value: object) -> tuple[str, str]:
    """The name and the text of a value; a list that is no grid may be a part of the puzzle."""
    text = _text(value)
    scalar = not isinstance(value, list | dict) or line_size(text)
    name = " ".join(key.replace("#", "").split())
    return name if scalar else f"{name}, a list", text


def _grid(value: object) -> str:
    """The grid that a value is, on one line; empty if it is none."""
    text = _text(value) if isinstance(value, str | list) else ""
    return text if line_size(text) and len(text.split()) == 1 else ""


def _text(value: object) -> str:
    """A value of a record, on one line; a matrix with one character per cell."""
    rows = json_document.items(value)
    if rows and all(isinstance(row, str) and len(row) == len(rows) for row in rows):
        return "".join(map(str, rows))
    nested = all(isinstance(row, list) and len(row) == len(rows) for row in rows)
    cells = [cell for row in rows for cell in json_document.items(row)] if nested else rows
    if not cells or not (nested or grid_size(len(cells))):
        return one_line(value)
    signs = [_cell(str(cell)) for cell in cells]
    return "".join(
        SYMBOLS[int(sign) - 1] if sign.isdecimal() and 0 < int(sign) <= len(SYMBOLS) else sign
        for sign in signs
    )


def _puzzles_of_records(records: list[Record], name: str) -> list[Puzzle]:
    names = list(dict.fromkeys(key for record in records for key in record))
    rows = [[record.get(key, "") for key in names] for record in records]
    with errors_at(name):
        columns = columns_of_record(rows[0], names)
    assert columns
    lines = [Line(columns.record(row), at, name) for at, row in enumerate(rows, 1)]
    return line_lists.read_lines(lines, columns)


FORMAT = Format(
    "matrix",
    "lists of lists of numbers, as in JSON, Python, numpy or C",
    fits,
    _read,
)
