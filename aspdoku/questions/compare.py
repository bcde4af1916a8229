"""Other formalisms and engines on the same puzzle: `compare`, tables and transcripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from os.path import commonprefix
from textwrap import fill, shorten
from typing import Any, Unpack

from aspdoku.formalisms.comparison import (
    EncodingChange,
    EngineResult,
    FormalismTable,
    ReferenceAnswer,
    TableCell,
    compare_formalisms,
    engines_named,
    reference_answer,
)
from aspdoku.formalisms.transcripts import Transcript
from aspdoku.program import Program
from aspdoku.puzzle import Puzzle
from aspdoku.questions import text
from aspdoku.questions.layout import WIDEST, unwrapped, wrapped
from aspdoku.questions.layout import width as layout_width
from aspdoku.questions.result import (
    Pictures,
    Result,
    Section,
    encoded,
    fields,
    figure,
    result_page,
    tagged,
)
from aspdoku.questions.source import Names, RuleOptions, Source, names_in, program_of
from aspdoku.runtime.signals import interruptible

_GREEN, _RED, _RESET = "\x1b[32m", "\x1b[31m", "\x1b[0m"
# Added and removed statements that a short diff shows at most; ground programs have thousands.
_MAX_STATEMENTS, _MAX_GROUND_STATEMENTS = 12, 3
# Columns of a row with the title of the engine.
_WIDTH = 100
TABLE_LEGEND = (
    "+ statements added, − statements removed, by each language's grammar. Declarations such as"
    " #defined do not count, unlike in `aspdoku elaborate`."
)


@dataclass(frozen=True, repr=False)
class FormalismComparison(Result):
    """How other formalisms solve the same puzzle.

    reference: clingo's answer
    rows: one for each engine
    """

    _kind = "compare"
    _heading = "Comparison of formalisms"
    program: Program = field(repr=False, compare=False)
    reference: ReferenceAnswer
    rows: tuple[EngineResult, ...]

    def _summary(self) -> str:
        return ", ".join(f"{row.engine.name} {row.status}" for row in self.rows)

    def _text(self) -> str:
        return "\n\n".join([self._table(), *self.parts()])

    def _table(self) -> str:
        return "\n".join([header_text(), *map(row_text, self.rows)])

    def parts(
        self, colour: bool = False, whole: bool = False, show_grid: bool = True
    ) -> Iterator[str]:
        """Clingo's answer, other answers, the differences of encodings, and notes.

        colour: whether additions and removals are in colour
        whole: whether to show all changes of each encoding in full
        show_grid: whether to show a unique solution
        """
        puzzle = self.program.puzzle
        yield _answer_text(self.reference, self.rows, puzzle, show_grid)
        yield from _disagreements(self.rows, puzzle)
        yield from _diffs(self.rows, colour, whole)
        if notes := _notes_text(self.rows):
            yield notes

    def to_html(self, diff: bool = False) -> str:
        """A self-contained page.

        diff: whether to show all changes of each encoding in full
        """
        return result_page(self._title(), self.sections(diff))

    def sections(self, diff: bool = False) -> list[Section]:
        """The table, and the comparison with the picture of the puzzle."""
        ((_, pictures, *_),) = super().sections()
        with unwrapped():
            words = "\n\n".join(self.parts(whole=diff, show_grid=not pictures))
        return [Section(self._table(), wide=True), Section(words, pictures)]

    def _json(self) -> dict[str, Any]:
        return {
            "status": ("none", "unique", "several")[len(self.reference.solutions)],
            "shared": self.reference.shared if self.reference.solutions else None,
            "engines": self.rows,
        }

    def _pictures(self) -> Pictures:
        solutions, puzzle = self.reference.solutions, self.program.puzzle
        solution = puzzle.replace(grid=solutions[0]) if len(solutions) == 1 else puzzle
        yield figure(self.program, numbers=solution.givens(), labels=False)


@encoded.register
def _(row: EngineResult) -> dict[str, Any]:
    document = fields(
        "engine=engine.name title=engine.title ground=engine.ground status reason"
        " added=change.added removed=change.removed program=encoding.program"
        " instance=encoding.instance"
    )(row)
    if row.outcome:
        document |= fields("grid unique entailed start solve notes")(row.outcome)
        document["unique"] = row.outcome.unique if row.outcome.grid else None
    return document


@interruptible
def compare(
    puzzle: Source,
    engines: Names = (),
    *,
    time_limit_each: float = 60.0,
    **rules: Unpack[RuleOptions],
) -> FormalismComparison:
    """Encode a puzzle in other formalisms, run their engines and compare answers and encodings.

    engines: the names of engines, or one name; by default all; one that is not installed is skipped
    time_limit_each: seconds for each engine
    The other arguments are those of `solve`.
    Raises TimeLimitError if clingo does not find the reference answer in time, AspdokuError for an
    unknown engine, PuzzleError or RuleError.
    """
    chosen = engines_named(names_in(engines))
    program = program_of(puzzle, time_limit_each, **rules)
    reference = reference_answer(program, time_limit_each)
    rows = compare_formalisms(program, chosen, time_limit_each, reference)
    return FormalismComparison(program, reference, tuple(rows))


def row_text(row: EngineResult) -> str:
    """A row as one line: its status, times, and numbers of statements added and removed."""
    ran = row.outcome
    times = f"{ran.start:.3f} + {ran.solve:.3f}" if ran else ""
    parts = [_columns(row.engine.name, row.engine.title), f"{row.status:<11}", f"{times:<17}"]
    if row.status != "not written":
        parts.append(_counts(row.change) + (" (ground)" if row.engine.ground else ""))
    return " ".join(parts).rstrip() + (f"\n{_columns('', '')} {row.reason}" if row.reason else "")


def _columns(name: str, title: str) -> str:
    """The first columns of a row; a narrow terminal has no room for the title."""
    return f"{name:<13} {title:<32}" if layout_width() >= _WIDTH else f"{name:<13}"


def header_text() -> str:
    """The header line of the rows."""
    return f"{_columns('', '')} {'':<11} {'start + solve, s':<17} statements"


def _answer_text(
    reference: ReferenceAnswer, rows: Sequence[EngineResult], puzzle: Puzzle, show_grid: bool = True
) -> str:
    """The answer of clingo, and the number of engines that agree with it.

    show_grid: whether to print a unique solution
    """
    agreeing = sum(row.status == "agrees" for row in rows)
    ran = sum(row.outcome is not None for row in rows)
    agreement = f"{agreeing} of {ran} engines agree" if len(rows) > 1 else "no other engine was run"
    if len(rows) > max(ran, 1):
        agreement += f"; {len(rows) - ran} did not run"
    if not reference.solutions:
        return f"clingo finds no solution{puzzle.caveat}; {agreement}"
    if len(reference.solutions) == 1:
        verdict = f"clingo finds a unique solution{puzzle.caveat}; {agreement}"
        grid = text.grid(puzzle.replace(grid=reference.solutions[0]))
        return f"{verdict}:\n\n{grid}" if show_grid else verdict
    return wrapped(
        f"clingo finds several solutions{puzzle.caveat}; the solution of each engine is checked to"
        f" be one of them; {agreement}"
    )


def _disagreements(rows: Iterable[EngineResult], puzzle: Puzzle) -> list[str]:
    disagreements = []
    for row in rows:
        if row.status == "differs" and row.outcome:
            grid = row.outcome.grid
            answer = text.grid(puzzle.replace(grid=grid)) if grid else "there is no solution"
            disagreements.append(f"{row.engine.title} DIFFERS, {row.reason}:\n\n{answer}")
    return disagreements


def _notes_text(rows: Iterable[EngineResult]) -> str:
    noted = ((row.engine.title, row.outcome.notes) for row in rows if row.outcome)
    return "\n\n".join(
        "\n".join([f"{title}:", *(f"  {note}" for note in notes)])
        for title, notes in noted
        if notes
    )


def _diffs(rows: Sequence[EngineResult], colour: bool = False, whole: bool = False) -> list[str]:
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
    removed, added = row.change.removed, row.change.added
    most = _MAX_GROUND_STATEMENTS if row.engine.ground else _MAX_STATEMENTS
    changes = ("-", removed, added, _RED), ("+", added, removed, _GREEN)
    for sign, statements, others, shade in changes:
        shown = statements if whole else statements[:most]
        for statement in shown:
            for part in statement.splitlines() if whole else [_shortened(statement, others)]:
                words = f"  {sign} {part}"
                lines.append(f"{shade}{words}{_RESET}" if colour else words)
        if len(shown) < len(statements):
            lines.append(f"  {sign} … and {len(statements) - len(shown)} more")
    return "\n".join(lines)


def table_markdown(table: FormalismTable) -> str:
    """The table in Markdown: a row for each formalism, a column for each elaboration, and below it
    the reasons why cells are empty.
    """
    rows, reasons = _table_rows(table)
    lines = [f"| | {' | '.join(table.columns)} |", f"|---|{'---|' * len(table.columns)}"]
    lines += [f"| {title} | {' | '.join(cells)} |" for title, cells in rows]
    numbered = (f"{number}. {reason}" for number, reason in enumerate(reasons, 1))
    return "\n".join([*lines, "", *numbered])


def _table_rows(table: FormalismTable) -> tuple[list[tuple[str, list[str]]], list[str]]:
    reasons: list[str] = []
    rows = [
        (
            f"{engine.title} (ground)" if engine.ground else engine.title,
            [_cell(cell, reasons) for cell in cells],
        )
        for engine, cells in table.rows
    ]
    return rows, reasons


def table_text(table: FormalismTable) -> str:
    """The table in columns, for a terminal: formalisms are rows, elaborations are columns.

    If that is too wide, the elaborations are the rows of one list for each formalism.
    """
    rows, reasons = _table_rows(table)
    cells_by_line = [["", *table.columns], *([title, *cells] for title, cells in rows)]
    widths = [max(map(len, column)) for column in zip(*cells_by_line, strict=True)]
    if sum(widths) + 2 * (len(widths) - 1) <= layout_width():
        lines = [
            "  ".join(
                cell.rjust(width) if index else cell.ljust(width)
                for index, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in cells_by_line
        ]
        lines.insert(1, "  ".join("-" * width for width in widths))
    else:
        name = max(map(len, table.columns))
        lines = []
        for title, cells in rows:
            named = zip(table.columns, cells, strict=True)
            lines += [title, *(f"  {column:<{name}}  {cell}" for column, cell in named)]
    notes = [
        fill(f"{number}. {reason}", layout_width(), subsequent_indent="   ")
        for number, reason in enumerate(reasons, 1)
    ]
    return "\n".join([*lines, "", fill(TABLE_LEGEND, layout_width()), "", *notes]).rstrip()


def transcripts_text(transcripts: Sequence[Transcript]) -> str:
    """Transcripts of engines, each under its title if there are several."""
    if len(transcripts) == 1:
        return "\n".join(transcripts[0].lines)
    return "\n\n".join(
        "\n".join([f"==== {each.title} ====", "", *each.lines]) for each in transcripts
    )


def _shortened(statement: str, others: Sequence[str]) -> str:
    """A statement in one line.

    A long one is shown from the point where it differs from the most similar of the others.
    """
    words = " ".join(statement.split())
    room = min(layout_width(), WIDEST) - 4
    if len(words) <= room:
        return words
    prefixes = (commonprefix([words, " ".join(each.split())]) for each in others)  # noqa: RUF071
    common = max(map(len, prefixes), default=0)
    if common > room // 2:
        begin = words.rindex(" ", 0, common - 10) + 1 if " " in words[: common - 10] else common
        words = f"{shorten(words, room // 3, placeholder=' …')} {words[begin:]}"
    return words if len(words) <= room else f"{words[: room - 1]}…"


def _cell(cell: TableCell, reasons: list[str]) -> str:
    if cell.status == "agrees":
        return f"+{cell.added} −{cell.removed}" if cell.added or cell.removed else "0"
    reason = f"{cell.status}: {cell.reason}"
    if reason not in reasons:
        reasons.append(reason)
    return f"– ({reasons.index(reason) + 1})"


def _counts(change: EncodingChange) -> str:
    if not change.added and not change.removed:
        return "unchanged"
    return f"+{len(change.added)} -{len(change.removed)}"


def table_json(table: FormalismTable) -> dict[str, Any]:
    """The table as a JSON object."""
    cell = fields("status reason added removed")
    rows = [
        {"engine": engine.name, "ground": engine.ground, "cells": list(map(cell, cells))}
        for engine, cells in table.rows
    ]
    return tagged("compare-table", {"columns": table.columns, "rows": rows})


def table_page(table: FormalismTable) -> str:
    """The table as a self-contained page."""
    from aspdoku.markup import render

    rows, reasons = _table_rows(table)
    return render(
        "formalism_table.html.j2",
        columns=table.columns,
        rows=rows,
        reasons=reasons,
        legend=TABLE_LEGEND,
    )


def transcripts_json(transcripts: Sequence[Transcript]) -> dict[str, Any]:
    """Transcripts as a JSON object."""
    return tagged("compare-text", {"transcripts": transcripts})


def transcripts_page(transcripts: Iterable[Transcript]) -> str:
    """The transcripts as a self-contained page."""
    sections = [Section("\n".join(each.lines), heading=each.title) for each in transcripts]
    return result_page("Transcripts of engines", sections)
