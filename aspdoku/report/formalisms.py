"""Comparisons of formalisms and engines as text, as coloured diffs, as Markdown and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import fill, shorten

from aspdoku.formalisms.comparison import (
    EncodingChange,
    EngineResult,
    FormalismTable,
    ReferenceAnswer,
    TableCell,
)
from aspdoku.formalisms.engine import Outcome
from aspdoku.formalisms.transcripts import Transcript
from aspdoku.puzzle import Puzzle
from aspdoku.report import tagged, text
from aspdoku.report.layout import WIDEST, wrapped
from aspdoku.report.layout import width as layout_width

_GREEN, _RED, _RESET = "\x1b[32m", "\x1b[31m", "\x1b[0m"
# Added and removed statements that a short diff shows at most; ground programs have thousands.
_MAX_STATEMENTS, _MAX_GROUND_STATEMENTS = 12, 3
# Columns of a row with the title of the engine.
_WIDTH = 100


def row_text(row: EngineResult) -> str:
    """A row as one line: its status, times, and numbers of statements added and removed."""
    parts = [
        _columns(row.engine.name, row.engine.title),
        f"{row.status:<11}",
        f"{_times(row.outcome):<17}",
    ]
    if row.status != "not written":
        parts.append(_counts(row.change) + (" (ground)" if row.engine.ground else ""))
    return " ".join(parts).rstrip() + (f"\n{_columns('', '')} {row.reason}" if row.reason else "")


def _columns(name: str, title: str) -> str:
    """The first columns of a row; a narrow terminal has no room for the title."""
    return f"{name:<13} {title:<32}" if layout_width() >= _WIDTH else f"{name:<13}"


def header_text() -> str:
    """The header line of the rows."""
    return f"{_columns('', '')} {'':<11} {'start + solve, s':<17} statements"


def answer_text(
    found: ReferenceAnswer, rows: Sequence[EngineResult], puzzle: Puzzle, show_grid: bool = True
) -> str:
    """The answer of clingo, and the number of engines that agree with it.

    show_grid: whether to print a unique solution
    """
    agreeing = sum(row.status == "agrees" for row in rows)
    ran = sum(row.outcome is not None for row in rows)
    agreement = f"{agreeing} of {ran} engines agree" if len(rows) > 1 else "no other engine was run"
    if len(rows) > max(ran, 1):
        agreement += f"; {len(rows) - ran} did not run"
    if not found.solutions:
        return f"clingo finds no solution{puzzle.caveat}; {agreement}"
    if len(found.solutions) == 1:
        verdict = f"clingo finds a unique solution{puzzle.caveat}; {agreement}"
        grid = text.grid(puzzle.replace(grid=found.solutions[0]))
        return f"{verdict}:\n\n{grid}" if show_grid else verdict
    return wrapped(
        f"clingo finds several solutions{puzzle.caveat}; the solution of each engine is checked to"
        f" be one of them; {agreement}"
    )


def disagreements(rows: Iterable[EngineResult], puzzle: Puzzle) -> list[str]:
    """The answer of each engine that contradicts clingo."""
    found = []
    for row in rows:
        if row.status == "differs" and row.outcome:
            answer = (
                text.grid(puzzle.replace(grid=row.outcome.grid))
                if row.outcome.grid
                else "there is no solution"
            )
            found.append(f"{row.engine.title} DIFFERS, {row.reason}:\n\n{answer}")
    return found


def notes_text(rows: Iterable[EngineResult]) -> str:
    """The notes of the engines in addition to their answers."""
    transcripts_text = [
        "\n".join([f"{row.engine.title}:", *(f"  {note}" for note in row.outcome.notes)])
        for row in rows
        if row.outcome and row.outcome.notes
    ]
    return "\n\n".join(transcripts_text)


def diffs(rows: Sequence[EngineResult], colour: bool = False, whole: bool = False) -> list[str]:
    """The diff of each text from the one for standard sudoku.

    Engines that run the same text have one diff; engines without a text have none.

    whole: show all statements, in full
    """
    by_text = {row.engine.folder: row for row in reversed(rows) if row.status != "not written"}
    return [_diff(row, colour, whole) for row in rows if row is by_text.get(row.engine.folder)]


def _diff(row: EngineResult, colour: bool, whole: bool) -> str:
    run = "" if row.outcome else " (not run)"
    kind = ", ground: generated" if row.engine.ground else ""
    lines = [f"{row.engine.title}{run}{kind}: {_counts(row.change)}"]
    for sign, statements, shade in (
        ("-", row.change.removed, _RED),
        ("+", row.change.added, _GREEN),
    ):
        others = row.change.added if sign == "-" else row.change.removed
        shown = (
            statements
            if whole
            else statements[: _MAX_GROUND_STATEMENTS if row.engine.ground else _MAX_STATEMENTS]
        )
        for statement in shown:
            for part in statement.splitlines() if whole else [_shortened(statement, others)]:
                words = f"  {sign} {part}"
                lines.append(f"{shade}{words}{_RESET}" if colour else words)
        if len(shown) < len(statements):
            lines.append(f"  {sign} … and {len(statements) - len(shown)} more")
    return "\n".join(lines)


def comparison_json(found: ReferenceAnswer, rows: Sequence[EngineResult]) -> dict[str, object]:
    """The answer and the rows as a JSON object.

    `shared` has null in cells that differ between solutions.
    """
    status = ("none", "unique", "several")[len(found.solutions)]
    compared = {
        "status": status,
        "shared": found.shared if found.solutions else None,
        "engines": [_row_json(row) for row in rows],
    }
    return tagged("compare", compared)


def table_markdown(found: FormalismTable) -> str:
    """The table in Markdown: a row for each formalism, a column for each elaboration, and below it
    the reasons why cells are empty.
    """
    lines = [
        f"| | {' | '.join(found.columns)} |",
        f"|---|{'---|' * len(found.columns)}",
    ]
    rows, reasons = table_rows(found)
    lines += [f"| {title} | {' | '.join(cells)} |" for title, cells in rows]
    return "\n".join(
        [*lines, "", *(f"{number}. {reason}" for number, reason in enumerate(reasons, 1))]
    )


def table_rows(found: FormalismTable) -> tuple[list[tuple[str, list[str]]], list[str]]:
    """The title and the cells of each formalism, and the numbered reasons that cells refer to."""
    reasons: list[str] = []
    rows = [
        (
            f"{engine.title} (ground)" if engine.ground else engine.title,
            [_cell(cell, reasons) for cell in cells],
        )
        for engine, cells in found.rows
    ]
    return rows, reasons


def table_text(found: FormalismTable) -> str:
    """The table in columns, for a terminal: formalisms are rows, elaborations are columns.

    If that is too wide, the elaborations are the rows of one list for each formalism.
    """
    rows, reasons = table_rows(found)
    table = [["", *found.columns], *([title, *cells] for title, cells in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    if sum(widths) + 2 * (len(widths) - 1) <= layout_width():
        lines = [
            "  ".join(
                cell.rjust(width) if index else cell.ljust(width)
                for index, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in table
        ]
        lines.insert(1, "  ".join("-" * width for width in widths))
    else:
        name = max(map(len, found.columns))
        lines = [
            line
            for title, cells in rows
            for line in (
                title,
                *(
                    f"  {column:<{name}}  {cell}"
                    for column, cell in zip(found.columns, cells, strict=True)
                ),
            )
        ]
    notes = [
        fill(f"{number}. {reason}", layout_width(), subsequent_indent="   ")
        for number, reason in enumerate(reasons, 1)
    ]
    return "\n".join([*lines, "", fill(TABLE_LEGEND, layout_width()), "", *notes]).rstrip()


TABLE_LEGEND = (
    "+ statements added, − statements removed, by each language's grammar. Declarations such as"
    " #defined do not count, unlike in `aspdoku elaborate`."
)


def table_json(found: FormalismTable) -> dict[str, object]:
    """The table as a JSON object."""
    table = {
        "columns": list(found.columns),
        "rows": [
            {
                "engine": engine.name,
                "ground": engine.ground,
                "cells": [
                    {
                        "status": cell.status,
                        "reason": cell.reason,
                        "added": cell.added,
                        "removed": cell.removed,
                    }
                    for cell in cells
                ],
            }
            for engine, cells in found.rows
        ],
    }
    return tagged("compare-table", table)


def transcripts_text(transcripts: Sequence[Transcript]) -> str:
    """Transcripts of engines, each under its title if there are several."""
    if len(transcripts) == 1:
        return "\n".join(transcripts[0].lines)
    return "\n\n".join(
        "\n".join([f"==== {each.title} ====", "", *each.lines]) for each in transcripts
    )


def transcripts_json(transcripts: Sequence[Transcript]) -> dict[str, object]:
    """Transcripts as a JSON object."""
    return tagged("compare-text", {"transcripts": [each._asdict() for each in transcripts]})


def _shortened(statement: str, others: Sequence[str]) -> str:
    """A statement in one line.

    A long one is shown from the point where it differs from the most similar of the others.
    """
    words = " ".join(statement.split())
    room = min(layout_width(), WIDEST) - 4
    if len(words) <= room:
        return words
    common = max((_common_prefix(words, " ".join(other.split())) for other in others), default=0)
    if common > room // 2:
        begin = words.rindex(" ", 0, common - 10) + 1 if " " in words[: common - 10] else common
        words = f"{shorten(words, room // 3, placeholder=' …')} {words[begin:]}"
    return words if len(words) <= room else f"{words[: room - 1]}…"


def _common_prefix(one: str, other: str) -> int:
    """The length of the longest common prefix of two texts."""
    pairs = zip(one, other, strict=False)
    return next(
        (index for index, (left, right) in enumerate(pairs) if left != right),
        min(len(one), len(other)),
    )


def _cell(cell: TableCell, reasons: list[str]) -> str:
    if cell.status == "agrees":
        return f"+{cell.added} −{cell.removed}" if cell.added or cell.removed else "0"
    reason = f"{cell.status}: {cell.reason}"
    if reason not in reasons:
        reasons.append(reason)
    return f"– ({reasons.index(reason) + 1})"


def _row_json(row: EngineResult) -> dict[str, object]:
    found: dict[str, object] = {
        "engine": row.engine.name,
        "title": row.engine.title,
        "ground": row.engine.ground,
        "status": row.status,
        "reason": row.reason,
        "added": list(row.change.added),
        "removed": list(row.change.removed),
        "program": row.encoding.program,
        "instance": row.encoding.instance,
    }
    if row.outcome:
        found |= {
            "grid": row.outcome.grid,
            "unique": row.outcome.unique if row.outcome.grid else None,
            "entailed": row.outcome.entailed,
            "start": row.outcome.start,
            "solve": row.outcome.solve,
            "notes": list(row.outcome.notes),
        }
    return found


def _times(outcome: Outcome | None) -> str:
    return f"{outcome.start:.3f} + {outcome.solve:.3f}" if outcome else ""


def _counts(change: EncodingChange) -> str:
    if not change.added and not change.removed:
        return "unchanged"
    return f"+{len(change.added)} -{len(change.removed)}"
