"""The table of all elaborations as text, JSON and HTML."""

from __future__ import annotations

from collections.abc import Iterable

from aspdoku.lecture.elaboration import COUNTED_SIZE
from aspdoku.lecture.elaboration_table import SIZE, ElaborationRow, ElaborationTable

HEADINGS = (
    "elaboration",
    "contract",
    "added",
    "removed",
    "tokens",
    "kept",
    "gone",
    "new",
    "before",
    "after",
)
_LEFT_ALIGNED = 2
LEGEND = (
    "added, removed: statements of the text; tokens: of the added ones; kept, gone, new: ground"
    f" rules of a blank {SIZE}x{SIZE}\ngrid; before, after: {COUNTED_SIZE}x{COUNTED_SIZE}"
    " solutions. *: with the example inputs of the rule file."
)


def cells(row: ElaborationRow) -> tuple[str, ...]:
    """A row of the table: a text for each heading."""
    before, after = row.solutions
    return (
        row.name + ("*" if row.example else ""),
        row.kind,
        str(len(row.text_diff.added)),
        str(len(row.text_diff.removed)),
        str(row.text_diff.tokens),
        f"{row.ground_diff.kept}/{row.ground_diff.before}",
        str(row.ground_diff.removed + row.ground_diff.changed + row.ground_diff.simplified),
        str(row.ground_diff.added),
        str(before),
        str(after),
    )


def elaboration_table_text(tables: Iterable[ElaborationTable]) -> str:
    """The tables, with the removed statements below each."""
    blocks = []
    for table in tables:
        lines = [HEADINGS, *map(cells, table.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        drawn = ["  ".join(_aligned(line, widths)).rstrip() for line in lines]
        drawn.insert(1, "  ".join("-" * width for width in widths))
        blocks.append(
            "\n".join([f"Base: {table.base.place}", "", *drawn, *_replacement_lines(table)])
        )
    return "\n\n".join([*blocks, LEGEND])


def _replacement_lines(table: ElaborationTable) -> list[str]:
    """The statements that had to be removed, and their replacements."""
    lines = []
    for row in table.rows:
        if row.text_diff.removed:
            lines += ["", f"{row.name} had to replace:"]
            lines += [
                f"  - {statement.place}:{statement.line}: {statement.text}"
                for statement in row.text_diff.removed
            ]
            lines += [
                f"  + {statement.place}:{statement.line}: {statement.text}"
                for statement in row.text_diff.added
            ]
    return lines


def elaboration_table_json(tables: Iterable[ElaborationTable]) -> list[dict[str, object]]:
    """The tables as a list of JSON objects."""
    return [
        {
            "base": table.base.place,
            "rows": [
                {
                    "name": row.name,
                    "title": row.title,
                    "contract": row.kind,
                    "added": [statement._asdict() for statement in row.text_diff.added],
                    "removed": [statement._asdict() for statement in row.text_diff.removed],
                    "tokens": row.text_diff.tokens,
                    "ground": {
                        "before": row.ground_diff.before,
                        "kept": row.ground_diff.kept,
                        "simplified": row.ground_diff.simplified,
                        "changed": row.ground_diff.changed,
                        "removed": row.ground_diff.removed,
                        "added": row.ground_diff.added,
                    },
                    "solutions": row.solutions,
                    "example": row.example,
                }
                for row in table.rows
            ],
        }
        for table in tables
    ]


def elaboration_table_html(tables: Iterable[ElaborationTable]) -> str:
    """The tables as a self-contained HTML page."""
    from aspdoku.markup import render

    shown = [(table, [(row, cells(row)) for row in table.rows]) for table in tables]
    return render("elaboration_table.html.j2", tables=shown, headings=HEADINGS, legend=LEGEND)


def _aligned(line: tuple[str, ...], widths: list[int]) -> list[str]:
    return [
        text.ljust(width) if index < _LEFT_ALIGNED else text.rjust(width)
        for index, (text, width) in enumerate(zip(line, widths, strict=True))
    ]
