"""The table of formalisms, and transcripts of their engines, as pages."""

from __future__ import annotations

from collections.abc import Iterable

from aspdoku.formalisms.comparison import FormalismTable
from aspdoku.formalisms.transcripts import Transcript
from aspdoku.markup import render
from aspdoku.report.formalisms import TABLE_LEGEND, table_rows
from aspdoku.report.page import Section, result_page


def formalism_table_page(found: FormalismTable) -> str:
    """The table as a self-contained page."""
    rows, reasons = table_rows(found)
    return render(
        "formalism_table.html.j2",
        columns=found.columns,
        rows=rows,
        reasons=reasons,
        legend=TABLE_LEGEND,
    )


def transcripts_page(transcripts: Iterable[Transcript]) -> str:
    """The transcripts as a self-contained page."""
    return result_page(
        "Transcripts of engines",
        [Section("\n".join(each.lines), heading=each.title) for each in transcripts],
    )
