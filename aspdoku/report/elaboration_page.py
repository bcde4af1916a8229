"""Reports on elaborations, and the table of all of them, as HTML."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from aspdoku.drawing import NOTEBOOK_SECONDS, Marks, picture_of_program
from aspdoku.drawing.output import svg
from aspdoku.lecture.elaboration import ElaborationReport
from aspdoku.lecture.elaboration_table import ElaborationTable
from aspdoku.markup import render
from aspdoku.program import Program
from aspdoku.puzzle.puzzle import Cell, Solution
from aspdoku.report.elaboration import (
    HEADINGS,
    LEGEND,
    cells,
    example_grids,
    heading,
    notes,
    step_facts,
)


def elaboration_html(found: ElaborationReport, program: Program, page: bool = True) -> str:
    """The report as HTML, with the drawings of the example grids.

    program: the program with all elaborations, whose styles are used
    page: whether to return a self-contained page instead of a part for a notebook
    Raises RuleError for an invalid style, TimeLimitError.
    """
    steps = [
        (
            step,
            step_facts(step),
            {kind: _drawing(program, grid, marked) for kind, grid, marked in example_grids(step)},
        )
        for step in [*found.steps, *([found.combined] if found.combined else [])]
    ]
    template = "elaboration.html.j2" if page else "elaboration_body.html.j2"
    return render(template, report=found, heading=heading(found), steps=steps, notes=notes(found))


def _drawing(program: Program, grid: Solution, marked: Collection[Cell]) -> str:
    marks = Marks(cells=marked, axes=True)
    shown = picture_of_program(
        program, grid, marks, captions=False, title="", time_limit=NOTEBOOK_SECONDS
    )
    return svg(shown, inline=True)


def elaboration_table_html(tables: Iterable[ElaborationTable]) -> str:
    """The tables as a self-contained HTML page."""
    shown = [(table, [(row, cells(row)) for row in table.rows]) for table in tables]
    return render("elaboration_table.html.j2", tables=shown, headings=HEADINGS, legend=LEGEND)
