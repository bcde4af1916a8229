"""Grids with separators between the cells (commas, semicolons, tabs, bars), where blanks are cells.

    0,0,3,            ->  003.     a blank field is an empty cell
    | 1 |   | 3 |     ->  1.3

A text that would lose cells with what is removed from every text (`#` and the rest of the line,
blanks, blank lines) is rejected.
"""

from __future__ import annotations

import re
from collections import Counter

from aspdoku.errors import PuzzleError
from aspdoku.puzzlefile.grid import (
    FRAME,
    MIN_CELLS_IN_ONE_LINE,
    RULE,
    TO_ASCII,
    grid_rows,
    plain_cell,
)
from aspdoku.puzzlefile.lines import LINE_BREAK, Line, pluralize, split_lines

# Without any of these, no cell can be blank or removed with a comment.
_IN_QUESTION = re.compile(r"[,;\t#]|[|\u2502\u2503\u2551] +[|\u2502\u2503\u2551]")
_CELL = r"(?:[0-9]{1,3}(?:\.0*)?|nan|NaN|None|null|[A-Za-z]|[._*-])"
_FIELD = re.compile(rf"(?:{_CELL}(?: +{_CELL})*)?")
_WORDS = re.compile(rf"[\s|]*(?:{_CELL}|\#)(?:[\s|]+(?:{_CELL}|\#))*[\s|]*")
_PACKED = re.compile(r"\s*[#0-9._*-]{4,}\s*")
_AMBIGUOUS = (
    "ambiguous #: it begins a comment, but it seems to be in a cell here; write . in every empty"
    " cell"
)
_CELLS = re.compile(r"[0-9A-Z._* -]*")


def with_explicit_cells(text: str, name: str) -> str:
    """The text with a dot in each blank cell of its grids, and without separators between cells.

    Line numbers stay. Raises PuzzleError if it is unclear whether something is a cell.
    """
    drawn = text.rstrip().splitlines()
    if not _IN_QUESTION.search(text) and max(map(len, drawn), default=0) != len(drawn):
        return text
    texts = LINE_BREAK.split(text)
    end = next((at for at, line in enumerate(texts) if line.lstrip()[:1] in {*"[{"}), len(texts))
    lines = split_lines("\n".join(texts[:end]), name)
    if "#" in text:
        _require_comments(lines)
    tried = (_rows(lines, separator) for separator in (",", ";", "\t", "|"))
    rows = next(filter(None, tried), None) or _fixed_width_rows(lines)
    # A line with a whole grid has one character per cell, as in a list of puzzles.
    short = all(
        len(row) >= MIN_CELLS_IN_ONE_LINE and max(map(len, row)) == 1 for row in rows.values()
    )
    new = {at: ("" if short else " ").join(row) for at, row in rows.items()}
    return "\n".join(new.get(at, line) for at, line in enumerate(texts, 1)) if new else text


def _require_comments(lines: list[Line]) -> None:
    """Raise PuzzleError if a # is rather an empty cell than the beginning of a comment."""
    rows = {
        line.number: list("".join(line.text.split()))
        if _PACKED.fullmatch(line.text)
        else line.text.replace("|", " ").split()
        for line in lines
        if _PACKED.fullmatch(line.text) or _WORDS.fullmatch(line.text)
    }
    times = Counter(map(len, rows.values()))
    everywhere = len(rows) > 1 and all("#" in row for row in rows.values())
    for line in lines:
        row = rows.get(line.number, [])
        before, _, after = " ".join(row).partition(" # ")
        square = times[len(row)] == len(row) > 3
        if (
            "#" in row
            and (square or everywhere or row.count("#") > 1 or (before != "#" and " " in after))
            and any(map(str.isdigit, row))
        ):
            raise line.error(_AMBIGUOUS)


def _rows(lines: list[Line], separator: str) -> dict[int, list[str]]:
    """The cells of the lines with this separator, by line number.

    Empty if the separator means nothing. A removed line has no cells.
    """
    drawn = [line.text.translate(TO_ASCII).strip() for line in lines]
    framed = all(text[0] == "|" for text in drawn if "|" in text and text.strip("| "))
    fields = {line.number: _fields(line, separator, framed) for line in lines}
    ((width, _),) = Counter(map(len, filter(None, fields.values()))).most_common(1) or [(0, 0)]
    rows = {at: row for at, row in fields.items() if len(row) == width > 1}
    listed = list(rows.values())
    if not any(map(any, listed)) or (separator in "\t|" and all(map(all, listed))):
        return {}  # no cell, or no blank one
    for line in lines[max(min(rows) - 2, 0) : max(rows) + 1]:
        if fields[line.number] and line.number not in rows:
            raise line.error(
                f"{pluralize(len(fields[line.number]), 'cell')} between separators ({separator}),"
                f" the other rows have {width}"
            )
    if separator == ";" and not any(row[0] for row in listed):
        return {}  # comments
    rows = _without_edge(_without_labels(rows, lines, separator))
    listed = list(filter(None, rows.values()))
    if separator == "|" and listed and len(listed) % len(listed[0]):
        if any(cell.isdigit() for row in listed for cell in row):
            raise next(line for line in lines if rows.get(line.number)).error(
                f"blank between bars, but {pluralize(len(listed), 'row')} of"
                f" {pluralize(len(listed[0]), 'cell')} are no square: write . in every empty cell"
            )
        return {}
    signs = "*_" if separator == "|" else FRAME  # |-|-| is a separator
    return {
        at: [
            "." if cell in signs else plain_cell(cell)
            for field in row
            for cell in field.split() or ["."]
        ]
        for at, row in rows.items()
    }


def _fields(line: Line, separator: str, framed: bool) -> list[str]:
    """The cells of a line between these separators, "" for a blank one; empty for other lines.

    framed: whether bars at the ends belong to a frame
    Raises PuzzleError if the line ends with a separator and a comment of cells.
    """
    cut = line.content != line.text.rstrip() and separator != ";"
    text = (line.content if cut else line.text).translate(TO_ASCII)
    if separator == "|" and framed:
        text = text.strip().removeprefix("|").removesuffix("|")
    fields, rest = (
        [field.strip(" \"'\f") for field in part.split(separator)]
        for part in (text, line.text[len(line.content) :].strip().strip("#"))
    )
    if separator not in text or not all(map(_FIELD.fullmatch, fields)):
        return []
    if cut and not fields[-1] and separator != "|" and all(map(_FIELD.fullmatch, rest)):
        raise line.error(_AMBIGUOUS)
    return fields


def _without_labels(
    rows: dict[int, list[str]], lines: list[Line], separator: str
) -> dict[int, list[str]]:
    """The rows without names or numbers of columns above, and numbers of rows before them."""
    (start, first), width = next(iter(rows.items())), len(next(iter(rows.values())))
    names = [RULE.fullmatch(line.text) for line in lines[start : start + 1]]
    if (any(names) and not any(map(str.isdigit, first))) or (
        len(rows) == width + 1 and _counts(first)
    ):
        return rows | {start: []}
    labels = {_counts(first[1:]), _counts([row[0] for row in rows.values()][1:])}
    if len(rows) == width > 2 and not first[0] and True in labels:
        if False in labels:
            raise lines[start - 1].error(
                "the first row or the first column seems to count the cells, but not both: delete"
                " the numbers of rows and columns, and write . in every empty cell"
            )
        return {at: row[1:] if at != start else [] for at, row in rows.items()}
    named = [
        line.number
        for line in lines
        if line.number < start
        and line.content.count(separator) == lines[start - 1].content.count(separator)
    ]
    return {at: [] for at in named} | rows if len(rows) == width else rows


def _counts(labels: list[str]) -> bool:
    return any(labels == [str(at + first) for at in range(len(labels))] for first in (0, 1))


def _without_edge(rows: dict[int, list[str]]) -> dict[int, list[str]]:
    """The rows without blank fields at one end, if there is one too many and no other is blank."""
    for edge, rest in ((-1, slice(None, -1)), (0, slice(1, None))):
        within = {at: row[rest] for at, row in rows.items()}
        cells = [row for row in within.values() if row]
        square = len(cells) % len(cells[0]) == 0 if cells else False
        if square and not any(row[edge] for row in rows.values() if row) and all(map(all, cells)):
            return within
    return rows


def _fixed_width_rows(lines: list[Line]) -> dict[int, list[str]]:
    """The rows of a grid with one character per cell, blank in empty ones; else nothing.

    Raises PuzzleError if the blanks can also be space between the boxes of a smaller grid.
    """
    full = [at for at, line in enumerate(lines) if line.text.strip()]
    drawn = lines[full[0] : full[-1] + 1] if full else []
    rows = [line.text for line in drawn]
    size = max(map(len, rows), default=0)
    if len(rows) != size or size < 4 or not all(map(_CELLS.fullmatch, rows)):
        return {}
    try:
        small = len(grid_rows([line for line in drawn if line.content.strip()]))
    except PuzzleError:
        small = 0
    if small == size or not any(" " in row or not row for row in rows):
        return {}
    if not small and all(len(row) == size or not row.strip() for row in rows):
        return {line.number: list(line.text.ljust(size).replace(" ", ".")) for line in drawn}
    padded = [row.ljust(size) for row in rows]
    sides = (padded, ["".join(column) for column in zip(*padded, strict=True)])
    if small and not all(map(_has_borders, sides)):
        raise drawn[0].error(
            f"ambiguous blanks: a {size}x{size} grid with blanks for empty cells, or a"
            f" {small}x{small} grid with space between its boxes; write . in every empty cell"
        )
    return {}


def _has_borders(lines: list[str]) -> bool:
    """Whether the lines that are blank, or only dashes, are evenly spaced between the others."""
    blank = {at for at, line in enumerate(lines) if not line.strip(" -")}
    step = min(blank, default=len(lines)) + 1
    return blank == {*range(step - 1, len(lines), step)} and (len(lines) + 1) % step == 0
