"""Grids with separators between the cells (commas, semicolons, tabs, bars), where blanks are cells.

    0,0,3,            ->  003.     a blank field is an empty cell
    | 1 |   | 3 |     ->  1.3

A text that would lose cells with what is removed from every text (`#` and the rest of the line,
blanks, blank lines) is rejected.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain

from aspdoku.errors import PuzzleError
from aspdoku.puzzlefile.grid import (
    FRAME,
    MIN_CELLS_IN_ONE_LINE,
    RULE,
    TO_ASCII,
    counts,
    grid_rows,
    plain_cell,
)
from aspdoku.puzzlefile.lines import LINE_BREAK, Line, key_of, pluralize, quote, split_lines

# Without any of these, no cell can be blank or removed with a comment.
_IN_QUESTION = re.compile(r"[,;\t#]|[|\u2502\u2503\u2551] +[|\u2502\u2503\u2551]")
_CELL = r"(?:[0-9]{1,3}(?:\.0*)?|nan|NaN|None|null|[A-Za-z]|[._*-])"
_FIELD = re.compile(rf"(?:{_CELL}(?: +{_CELL})*)?")
_WORDS = re.compile(rf"[\s|]*(?:{_CELL}|\#)(?:[\s|]+(?:{_CELL}|\#))*[\s|]*")
BOLD = re.compile(r"\*\*([0-9A-Za-z]{1,3})\*\*")  # in Markdown
_PACKED = re.compile(r"\s*[#0-9._*-]{4,}\s*")
_AMBIGUOUS = (
    "ambiguous #: it begins a comment, but it seems to be in a cell here; write . in every empty"
    " cell"
)
_CELLS = re.compile(r"[0-9A-Z._* -]*")


def with_explicit_cells(text: str, name: str) -> str:
    """The text with a dot in each blank cell, without separators; line numbers stay."""
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
    """The cells of the lines with this separator, by line number; none for a line to remove."""
    drawn = [line.text.translate(TO_ASCII).strip() for line in lines]
    framed = all(text[0] == "|" for text in drawn if "|" in text and text.strip("| "))
    fields = {line.number: _fields(line, separator, framed) for line in lines}
    cells = {at: row for at, row in fields.items() if all(map(_FIELD.fullmatch, row[1:]))}
    rows = {at: row for at, row in cells.items() if row and _FIELD.fullmatch(row[0])}
    named = {at: row for at, row in cells.items() if len(row) > 3 and _is_name(row[0])}
    if len(named) > 2:
        rows = {at: row for at, row in fields.items() if at in rows or at in named}
    ((width, _),) = Counter(map(len, rows.values())).most_common(1) or [(0, 0)]
    rows = {at: row for at, row in rows.items() if len(row) == width > 1}
    listed = list(rows.values())
    if not any(map(any, listed)) or (separator in "\t|" and all(map(all, listed))):
        return {}  # no cell, or no blank one
    start, end = min(rows), max(rows)
    for line in lines[max(start - 2, 0) : end + 1]:
        row = fields[line.number]
        if row and line.number not in rows and all(map(_FIELD.fullmatch, row)):
            last = "; delete the separator at its end" if {*row[width:]} == {""} else ""
            raise line.error(
                f"{pluralize(len(row), 'cell')} between separators ({separator}), the other rows"
                f" have {width}{last}"
            )
        if start < line.number <= end and (names := [*filter(_is_name, row[1:])]):
            raise line.error(f"{quote(names[0])} is no cell: a cell is a number, a letter or blank")
    if separator == ";" and not any(row[0] for row in listed):
        return {}  # comments
    rows = _without_edge(_without_labels(rows, lines, fields))
    if not any(rows.values()):
        return {}  # only names
    _require_one_reading(rows, lines, separator)
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
    """The texts in a line between these separators, "" for a blank cell; empty for a line without
    separators.

    framed: whether bars at the ends belong to a frame
    Raises PuzzleError if the line ends with a separator and a comment of cells.
    """
    cut = line.content != line.text.rstrip() and separator != ";"
    text = (line.content if cut else line.text).translate(TO_ASCII)
    if separator == "|":
        text = BOLD.sub(r"\1", text)
        text = text.strip().removeprefix("|").removesuffix("|") if framed else text
    fields, rest = (
        [field.strip(" \"'\f") for field in part.split(separator)]
        for part in (text, line.text[len(line.content) :].strip().strip("#"))
    )
    if separator not in text:
        return []
    if cut and not fields[-1] and separator != "|" and all(map(_FIELD.fullmatch, fields + rest)):
        raise line.error(_AMBIGUOUS)
    return fields


def _is_name(field: str) -> bool:
    return not _FIELD.fullmatch(field) and any(map(str.isalpha, field))


def _without_labels(
    rows: dict[int, list[str]], lines: list[Line], fields: dict[int, list[str]]
) -> dict[int, list[str]]:
    """The rows without names or numbers of the columns above them, and of the rows before them."""
    start, head = next(iter(rows.items()))
    width, square = len(head), len(rows) == len(head) > 2
    full = sum(map(any, rows.values()))
    above = _names_above(lines[: start - 1], fields, width) if full <= width else 0
    if any(RULE.fullmatch(line.text) for line in lines[start : start + 1]) and not any(
        map(str.isdigit, head)
    ):
        above = start
        rows = {at: row for at, row in rows.items() if at != start + 1}  # |-|-|
    elif len(rows) == width + 1 and counts(head):
        above = start
    column = [row[0] for at, row in rows.items() if at != above]
    numbered = above and len(column) == width - 1 and counts(column)
    before = bool(numbered) or all(map(_is_name, column))
    if not above and square and (not head[0] or _is_name(head[0])):
        before = counts(column[1:]) or all(map(_is_name, column[1:]))
        above = start if counts(head[1:]) else 0
        if before != bool(above):
            raise lines[start - 1].error(
                "the first row or the first column seems to count the cells, but not both: delete"
                " the numbers of rows and columns, and write . in every empty cell"
            )
    rows = {at: row[before:] for at, row in rows.items()} | ({above: []} if above else {})
    for at, row in rows.items():
        if row and _is_name(row[0]):
            raise lines[at - 1].error(_no_row(row[0]))
    return rows


def _no_row(text: str) -> str:
    return f"{quote(text)} in a table of cells: delete the line, or begin it with #"


def _names_above(lines: list[Line], fields: dict[int, list[str]], width: int) -> int:
    """The number of the last of these lines if it contains names of columns; else 0."""
    full = [line for line in lines if line.content.strip() and not RULE.fullmatch(line.text)]
    names = fields[full[-1].number] if full else []
    if len(names) != width or width < 4 or key_of(full[-1]):
        return 0
    if not all(names[1:]):
        raise full[-1].error(_no_row(next(filter(None, names), "")))
    return full[-1].number


def _without_edge(rows: dict[int, list[str]]) -> dict[int, list[str]]:
    """The rows without blank fields at one end, if there is one too many and no other is blank."""
    for edge, rest in ((-1, slice(None, -1)), (0, slice(1, None))):
        within = {at: row[rest] for at, row in rows.items()}
        cells = [row for row in within.values() if row]
        square = len(cells) % len(cells[0]) == 0 if cells else False
        if square and not any(row[edge] for row in rows.values() if row) and all(map(all, cells)):
            return within
    return rows


def _require_one_reading(rows: dict[int, list[str]], lines: list[Line], separator: str) -> None:
    """Raise PuzzleError for a table that is no square because of what is not a cell, and for one
    whose blank fields can be space between boxes. Blank rows above or below a grid are
    removed.
    """
    listed = [(at, row) for at, row in rows.items() if row]
    height, width = len(listed), len(listed[0][1])
    surplus = height % width if height > width else 0
    if surplus and any(listed[0][1]) != any(listed[-1][1]):
        blank = listed[-surplus:] if any(listed[0][1]) else listed[:surplus]
        if not any(any(row) for _, row in blank):
            rows.update((at, []) for at, _ in blank)
            listed, height = [each for each in listed if each not in blank], height - surplus
    table = [row for _, row in listed]
    _require_no_spacers(table, lines[listed[0][0] - 1])
    if height % width == 0 or height == 1:
        return
    certain = [row for row in table if {*row} != {"-"}]
    if separator == "|" and len(certain) % width and any(map(str.isdigit, chain(*table))):
        raise lines[listed[0][0] - 1].error(
            f"blank between bars, but {pluralize(height, 'row')} of {pluralize(width, 'cell')} are"
            " no square: write . in every empty cell"
        )
    if width // 2 < height < width:
        reason = ""
        if not any(row[-1] for row in table):
            reason = "the last column is blank: delete it, or add the missing rows"
        elif counts([row[0] for row in table]):
            reason = "the first column seems to count the rows: delete it, or add the missing rows"
        if reason:
            raise lines[listed[-1][0] - 1].error(
                f"the grid is not square: {pluralize(height, 'row')} of {pluralize(width, 'cell')};"
                f" {reason}"
            )


def _require_no_spacers(rows: list[list[str]], line: Line) -> None:
    """Refuse blank rows and columns that can be space between the boxes of a smaller grid."""
    width = len(rows[0])
    for start in range(0, len(rows), width if len(rows) % width == 0 else len(rows)):
        grid = rows[start : start + width] if len(rows) % width == 0 else rows
        high, wide = _spacings(grid), _spacings([*zip(*grid, strict=True)])
        for size in high.keys() & wide.keys():
            # Without space in one direction, the boxes are as high or as wide as they need to be.
            are_boxes = high[size] * wide[size] == size or size in (high[size], wide[size])
            if size < width and are_boxes:
                raise line.error(
                    f"ambiguous blank fields: empty cells of a grid with {len(grid)} rows of"
                    f" {width} cells, or space between the boxes of a {size}x{size} grid; write ."
                    " in every empty cell, or delete blank rows and columns between boxes"
                )


def _spacings(lines: Sequence[Sequence[str]]) -> dict[int, int]:
    """The numbers of rows, or columns, and those of a box, by the spacing of blank lines."""
    blank = [not any(map(str.strip, line)) for line in lines]
    end = len(blank) + 1
    return {
        end // step * (step - 1): step - 1
        for step in range(3, end + 1)
        if end % step == 0 and all(blank[step - 1 :: step])
    }


def _fixed_width_rows(lines: list[Line]) -> dict[int, list[str]]:
    """The rows of a grid with one character per cell, blank in empty ones; else nothing."""
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
    padded = [row.ljust(size) for row in rows]
    if not small and all(len(row) == size or not row.strip() for row in rows):
        _require_no_spacers([*map(list, padded)], drawn[0])
        return {line.number: list(line.text.ljust(size).replace(" ", ".")) for line in drawn}
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
