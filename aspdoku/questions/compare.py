"""Other formalisms and engines on the same puzzle: `compare`, tables and transcripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os.path import commonprefix
from textwrap import fill, shorten
from typing import Any, Unpack

from aspdoku.formalisms import comparison
from aspdoku.questions import result, text
from aspdoku.questions.source import Names, RuleOptions, Source, names_in, program_of
from aspdoku.questions.text import WIDEST, terminal_width, unwrapped, wrapped
from aspdoku.questions.text import width as layout_width
from aspdoku.runtime.signals import interruptible

# Added and removed statements that a short diff shows at most; ground programs have thousands.
_MAX_STATEMENTS, _MAX_GROUND_STATEMENTS = 12, 3
# Columns of a row with the title of the engine.
_WIDTH = 100
_TABLE_LEGEND = (
    "+ statements added, − statements removed, by each language's grammar. Declarations such as"
    " #defined do not count, unlike in `aspdoku elaborate`."
)


@dataclass(frozen=True, repr=False)
class FormalismComparison(result.ProgramResult):
    """How other formalisms solve the same puzzle.

    reference: clingo's answer
    rows: one for each engine
    whole: whether to show all changes of each encoding in full
    """

    _kind = "compare"
    _heading = "Comparison of formalisms"
    reference: comparison.ReferenceAnswer
    rows: tuple[comparison.EngineResult, ...]
    whole: bool = False

    def _summary(self) -> str:
        return ", ".join(f"{row.engine.name} {row.status}" for row in self.rows)

    def _text(self) -> str:
        return "\n\n".join([_table_text(self.rows), *self.parts()])

    def parts(self, colour: bool = False, show_grid: bool = True) -> Iterator[str]:
        """Clingo's answer, other answers, the differences of encodings, and notes.

        colour: whether additions and removals are in colour
        show_grid: whether to show a unique solution
        """
        yield self._answer(show_grid)
        yield from self._differences()
        yield from self._changes(colour)
        yield from self._notes()

    def _differences(self) -> Iterator[str]:
        """The answers that are not those of clingo."""
        puzzle = self.program.puzzle
        for row in self.rows:
            if row.status == "differs" and row.outcome:
                grid = row.outcome.grid
                answer = text.grid(puzzle.replace(grid=grid)) if grid else "there is no solution"
                yield f"{row.engine.title} DIFFERS, {row.reason}:\n\n{answer}"

    def _changes(self, colour: bool) -> Iterator[str]:
        # Engines that run the same text have one diff; engines without a text have none.
        written = [row for row in self.rows if row.status != "not written"]
        texts = {row.engine.folder: row for row in reversed(written)}
        for row in self.rows:
            if row is texts.get(row.engine.folder):
                yield _diff(row, colour, self.whole)

    def _notes(self) -> Iterator[str]:
        noted = [(row.engine.title, row.outcome.notes) for row in self.rows if row.outcome]
        if notes := ["\n  ".join([f"{title}:", *lines]) for title, lines in noted if lines]:
            yield "\n\n".join(notes)

    def _answer(self, show_grid: bool) -> str:
        """The answer of clingo, and the number of engines that agree with it."""
        rows, solutions = self.rows, self.reference.solutions
        puzzle = self.program.puzzle.doubted(self.status)
        agreeing = sum(row.status == "agrees" for row in rows)
        ran = sum(row.outcome is not None for row in rows)
        agreement = f"{agreeing} of {ran} engines agree" if rows[1:] else "no other engine was run"
        if len(rows) > max(ran, 1):
            agreement += f"; {len(rows) - ran} did not run"
        if not solutions:
            return f"clingo finds no solution{puzzle.caveat}; {agreement}"
        if len(solutions) == 1:
            grid = f":\n\n{text.grid(puzzle.replace(grid=solutions[0]))}" if show_grid else ""
            return f"clingo finds a unique solution{puzzle.caveat}; {agreement}{grid}"
        return wrapped(
            f"clingo finds several solutions{puzzle.caveat}; the solution of each engine is checked"
            f" to be one of them; {agreement}"
        )

    def sections(self) -> list[result.Section]:
        """The table, and the comparison with the picture of the puzzle."""
        ((_, pictures, *_),) = super().sections()
        is_solved, puzzle = self.status == "unique", self.program.puzzle
        if not (is_solved or puzzle.givens() or puzzle.facts):
            pictures = ()  # of a blank grid
        has_grid = is_solved and not pictures
        with unwrapped():
            answer = self._answer(has_grid)
            shown = result.in_columns(answer) if has_grid else result.Section(answer, pictures)
            differing = map(result.in_columns, self._differences())
            diffs = self._changes(False)
            changes = (result.Section(each, words="", changes=each) for each in diffs)
            rows = result.Table(_HEADINGS, tuple(map(_page_cells, self.rows)), (3, 4, 5))
            table = result.Section(_table_text(self.rows), words="", table=rows)
            return [table, shown, *differing, *changes, *map(result.Section, self._notes())]

    def _first_line(self) -> result.Verdict:
        words = ("No solution", "1 solution", "Several solutions")
        number = len(self.reference.solutions)
        return result.Verdict(words[number], ("none", "unique", "")[number])

    @property
    def status(self) -> str:
        """How many solutions clingo finds: "none", "unique" or "several"."""
        return ("none", "unique", "several")[len(self.reference.solutions)]

    def _json(self) -> dict[str, Any]:
        return {
            "status": self.status,
            "shared": self.reference.shared if self.reference.solutions else None,
            "engines": self.rows,
        }

    def _pictures(self) -> result.Pictures:
        solutions, puzzle = self.reference.solutions, self.program.puzzle
        solution = puzzle.replace(grid=solutions[0]) if len(solutions) == 1 else puzzle
        yield result.figure(self.program, numbers=solution.givens(), labels=False)


@result.encoded.register
def _(row: comparison.EngineResult) -> dict[str, Any]:
    document = result.fields(
        "engine=engine.name title=engine.title ground=engine.ground status reason"
        " added=change.added removed=change.removed program=encoding.program"
        " instance=encoding.instance"
    )(row)
    if row.outcome:
        document |= result.fields("grid unique entailed start solve notes")(row.outcome)
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
    chosen = comparison.engines_named(names_in(engines))
    program = program_of(puzzle, time_limit_each, **rules)
    reference = comparison.reference_answer(program, time_limit_each)
    rows = comparison.compare_formalisms(program, chosen, time_limit_each, reference)
    return FormalismComparison(program, reference, tuple(rows))


def _cells(row: comparison.EngineResult) -> tuple[str, str, str]:
    """The seconds until the engine is ready and from there to its answer, and the statements."""
    ran, ground = row.outcome, " (ground)" if row.engine.ground else ""
    counts = "" if row.status == "not written" else _counts(row.change) + ground
    return (f"{ran.start:.3f}", f"{ran.solve:.3f}", counts) if ran else ("", "", counts)


_HEADINGS = ("engine", "formalism", "status", "start, s", "solve, s", "statements")


def _page_cells(row: comparison.EngineResult) -> tuple[str, ...]:
    status = f"{row.status}: {row.reason}" if row.reason else row.status
    return (row.engine.name, row.engine.title, status, *_cells(row))


def row_text(row: comparison.EngineResult) -> str:
    """A row as one line: its status, times, and numbers of statements added and removed."""
    start, solve, counts = _cells(row)
    times = f"{start} + {solve}" if start else ""
    named = _columns(row.engine.name, row.engine.title)
    line = f"{named} {row.status:<11} {times:<17} {counts}".rstrip()
    return line + (f"\n{_columns('', '')} {row.reason}" if row.reason else "")


def _columns(name: str, title: str) -> str:
    """The first columns of a row; a narrow terminal has no room for the title."""
    return f"{name:<13} {title:<32}" if layout_width() >= _WIDTH else f"{name:<13}"


def _table_text(rows: Sequence[comparison.EngineResult]) -> str:
    return "\n".join([header_text(), *map(row_text, rows)])


def header_text() -> str:
    """The header line of the rows."""
    return f"{_columns('', '')} {'':<11} {'start + solve, s':<17} statements"


def _diff(row: comparison.EngineResult, colour: bool, whole: bool) -> str:
    """The difference of a text from the one for standard sudoku."""
    run = "" if row.outcome else " (not run)"
    kind = ", ground: generated" if row.engine.ground else ""
    lines = [f"{row.engine.title}{run}{kind}: {_counts(row.change)}"]
    removed, added = row.change.removed, row.change.added
    most = _MAX_GROUND_STATEMENTS if row.engine.ground else _MAX_STATEMENTS
    for sign, statements, others in (("-", removed, added), ("+", added, removed)):
        shown = statements if whole else statements[:most]
        for statement in shown:
            for part in statement.splitlines() if whole else [_shortened(statement, others)]:
                words = f"{sign} {part}"
                lines.append(f"  {text.coloured_change(words) if colour else words}")
        if len(shown) < len(statements):
            lines.append(f"  {sign} … and {len(statements) - len(shown)} more")
    return "\n".join(lines)


def _shortened(statement: str, others: Sequence[str]) -> str:
    """A statement in one line; a long one from where it differs from the most similar other."""
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


def _counts(change: comparison.EncodingChange) -> str:
    added, removed = len(change.added), len(change.removed)
    return f"+{added} -{removed}" if added or removed else "unchanged"


@dataclass(frozen=True, repr=False)
class ComparisonTable(result.Result):
    """A row for each formalism, a column for each elaboration, and the reasons of empty cells."""

    _kind, _heading = "compare-table", "Table of formalisms"
    data: comparison.FormalismTable

    def _text(self) -> str:
        """Markdown; on a terminal columns, or if these are too wide, a list for each formalism."""
        rows, numbered = self._rows()
        columns = self.data.columns
        if terminal_width() is None:
            lines = [f"| | {' | '.join(columns)} |", f"|---|{'---|' * len(columns)}"]
            lines += [f"| {title} | {' | '.join(cells)} |" for title, cells in rows]
            return "\n".join([*lines, "", *numbered])
        head, *others = texts = [["", *columns], *([title, *cells] for title, cells in rows)]
        widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
        if sum(widths) + 2 * (len(widths) - 1) <= layout_width():
            lines = [text.table_head(head, widths, 1)]
            lines += [text.table_row(each, widths, 1) for each in others]
        else:
            name = max(map(len, columns))
            lines = []
            for title, cells in rows:
                named = zip(columns, cells, strict=True)
                lines += [title, *(f"  {column:<{name}}  {cell}" for column, cell in named)]
        notes = [fill(note, layout_width(), subsequent_indent="   ") for note in numbered]
        return "\n".join([*lines, "", fill(_TABLE_LEGEND, layout_width()), "", *notes]).rstrip()

    def _rows(self) -> tuple[list[tuple[str, list[str]]], list[str]]:
        """The title and the cells of each row, and the numbered reasons that cells refer to."""
        reasons: dict[str, int] = {}

        def shown(cell: comparison.EngineResult) -> str:
            if cell.status == "agrees":
                added, removed = map(len, cell.change)
                return f"+{added} −{removed}" if added or removed else "0"
            number = reasons.setdefault(f"{cell.status}: {cell.reason}", len(reasons) + 1)
            return f"– ({number})"

        rows = [
            (engine.title + (" (ground)" if engine.ground else ""), list(map(shown, cells)))
            for engine, cells in self.data.rows
        ]
        return rows, [f"{number}. {reason}" for reason, number in reasons.items()]

    def _json(self) -> dict[str, Any]:
        def cell(row: comparison.EngineResult) -> dict[str, Any]:
            added, removed = map(len, row.change)
            return {**result.fields("status reason")(row), "added": added, "removed": removed}

        rows = [
            {"engine": engine.name, "ground": engine.ground, "cells": list(map(cell, cells))}
            for engine, cells in self.data.rows
        ]
        return {"columns": self.data.columns, "rows": rows}

    def sections(self) -> list[result.Section]:
        """The table, and the notes that its cells refer to."""
        rows, notes = self._rows()
        columns = ("formalism", *self.data.columns)
        numbers = tuple(range(1, len(columns)))
        table = result.Table(columns, tuple((title, *cells) for title, cells in rows), numbers)
        return [result.Section(str(self), words="\n".join([_TABLE_LEGEND, *notes]), table=table)]


@dataclass(frozen=True, repr=False)
class Transcripts(result.Result):
    """What engines print, each under its title if there are several."""

    _kind, _fields = "compare-text", "transcripts"
    _heading = "Transcripts of engines"
    transcripts: tuple[comparison.Transcript, ...]

    def _text(self) -> str:
        if len(self.transcripts) == 1:
            return "\n".join(self.transcripts[0].lines)
        titled = ([f"==== {each.title} ====", "", *each.lines] for each in self.transcripts)
        return "\n\n".join(map("\n".join, titled))

    def sections(self) -> list[result.Section]:
        """A section for each engine."""
        return [
            result.in_columns("\n".join(each.lines), heading=each.title)
            for each in self.transcripts
        ]
