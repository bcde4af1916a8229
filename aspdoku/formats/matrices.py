"""Grids as lists of lists in JSON, Python, numpy and C, and JSON records that contain one.

    grid = [[0, 0, 3], …]      [[0 0 3] …]      ["..3", …]      int grid[9][9] = {{0, 0, 3}, …};
    {"puzzle": [[0, 0, 3], …], "solution": …, "level": "easy"}

0, None, null and "" are empty cells. Records are read as a list with columns.
"""

from __future__ import annotations

import csv
import json
import re
from io import StringIO

from aspdoku.errors import PuzzleError
from aspdoku.formats import ipuz, json_document, line_lists, lisudoku
from aspdoku.formats.base import SYMBOLS, Format
from aspdoku.formats.texts import one_line
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzlefile import grid
from aspdoku.puzzlefile.lines import Line, place_of, pluralize
from aspdoku.puzzlefile.oneline import line_size

# What a program writes before the brackets, and after them; without backtracking over blanks.
BEFORE = re.compile(r"\s*+(?:[A-Za-z_][\w.\[\]: <>]*=\s*+)?(?:[\w.]+\(\s*+)?(?=\[)")
AFTER = re.compile(r"[\s,]*+(?:dtype\s*+=\s*+[\w.\"']++[\s,]*+)?\)?\s*+;?\s*+")
BRACES = str.maketrans("{}", "[]")
ROW = re.compile(r"\[([^\[\]]*)\]")
ITEM = re.compile(r"\"([^\"]*)\"|'([^']*)'|([^\s,\"'\[\]]+)")
FLOAT = re.compile(r"([0-9]+)\.0*")
NO_NUMBER = ("", " ", "None", "null", "nan", "NaN", "False", "false")
# Keys of documents whose other keys matter.
OTHER_KEYS = ("cells", "less_than", "streams", lisudoku.SIZE)


def fits(text: str) -> bool:
    """Whether the text is brackets around rows of cells, or JSON records that contain a grid."""
    return bool(_rows(text)) or bool(_records(text))


def read(text: str, name: str) -> list[Puzzle]:
    """The puzzles in the text. Raises PuzzleError."""
    if records := _records(text):
        return _puzzles_of_records(records, name)
    rows = _rows(text)
    if not rows:
        raise PuzzleError("no grid found: expected a list of rows, e.g. [[0, 3, …], …]", name)
    width = len(rows[0][1])
    if len(rows) == 1:  # a list of all cells
        rows, width = [rows[0]], 1
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
    whole = re.fullmatch(r"r|\[+r+\]+(?:\[r+\]+)*", outside)
    if not whole or not AFTER.fullmatch(body[end:]) or not re.search("[0-9]", body):
        return []
    rows = []
    for match in ROW.finditer(body, 0, end):
        cells = ["".join(groups) for groups in ITEM.findall(match[1])]
        if ITEM.sub("", match[1]).strip(" \t\r\n,"):
            return []
        number = 1 + text[: start.end() + match.start()].count("\n")
        words = [cell for cell in cells if len(cell) > 3 and cell not in NO_NUMBER]
        if words and len(words) == len(cells):  # a word per row
            rows += [(number, list(word)) for word in words]
        else:
            rows.append((number, [_cell(cell) for cell in cells]))
    return rows if len(rows) > 1 or line_size("." * len(rows[0][1])) else []


def _cell(text: str) -> str:
    number = FLOAT.fullmatch(text)
    return "." if text in NO_NUMBER else number[1] if number else text


def _records(text: str) -> list[dict[str, str]]:
    """The values of JSON objects of which one is a grid, as text; empty for any other text."""
    if not text.lstrip("\ufeff [\t\r\n").startswith("{") or ipuz.fits(text):
        return []
    try:
        found = json.loads(text, object_pairs_hook=json_document.object_without_duplicates)
    except (ValueError, RecursionError, PuzzleError):
        return []
    objects = found if isinstance(found, list) else [found]
    if not all(isinstance(each, dict) and not each.keys() & {*OTHER_KEYS} for each in objects):
        return []
    records = [dict(_column(*item) for item in each.items()) for each in objects]
    grids = [any(line_size(text) for text in record.values()) for record in records]
    documents = any("grid" in each and not line_size(_text(each["grid"])) for each in objects)
    return records if records and all(grids) and not documents else []


def _column(key: str, value: object) -> tuple[str, str]:
    """The name and the text of a value; a list that is no grid may be a part of the puzzle."""
    text = _text(value)
    scalar = not isinstance(value, list | dict) or line_size(text)
    name = " ".join(key.replace("#", "").split())
    return name if scalar else f"{name}, a list", text


def _text(value: object) -> str:
    """A value of a record, on one line; a matrix with one character per cell."""
    rows = [json_document.items(row) for row in json_document.items(value)]
    cells = [cell for row in rows for cell in row]
    if not cells or any(len(row) != len(rows) for row in rows):
        return one_line(value)
    signs = [_cell(str(cell)) for cell in cells]
    return "".join(
        SYMBOLS[int(sign) - 1] if sign.isdecimal() and 0 < int(sign) <= len(SYMBOLS) else sign
        for sign in signs
    )


def _puzzles_of_records(records: list[dict[str, str]], name: str) -> list[Puzzle]:
    names = list(dict.fromkeys(key for record in records for key in record))
    table = StringIO()
    writer = csv.DictWriter(table, names, restval="")
    if len(names) > 1:
        writer.writerow({key: key for key in names})
    writer.writerows(records)
    return line_lists.read(table.getvalue(), name)


FORMAT = Format(
    "matrix",
    "lists of lists of numbers, as in JSON, Python, numpy or C",
    fits,
    read,
    allows_long=True,
)
