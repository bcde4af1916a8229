"""Elaboration tolerance of collections of puzzles: `elaborate --puzzles`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median_low
from typing import Any, NamedTuple

from aspdoku.errors import AspdokuError, PuzzleError, TimeLimitError
from aspdoku.formats import registry
from aspdoku.formats.detection import parse_all, text_of
from aspdoku.lecture.tolerance import FATES, Measure, Meter
from aspdoku.program import Program, compose
from aspdoku.puzzle import Puzzle
from aspdoku.questions.result import Result, Section, Table, fields
from aspdoku.questions.text import table_head, table_row, wrapped
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note

# Seconds for each question about a puzzle.
EACH = 5.0
_TEXTS = "puzzle", "url"  # of the objects in a file of JSON lines
_COLUMNS = ("puzzles", "read", "added", "new", *FATES, "gone")
_WIDTHS = (36, 4, 7, 5, 7, 12, 5, 9, 7, 6, 5, 4, 11)
HEADINGS = ("collection, format", "base", *_COLUMNS)
LEGEND = (
    "read: puzzles that are read completely and have a program. added: statements beyond the base,"
    " with those that are replaced, without clues; new: ground rules added; gone: ground rules of"
    " the base that are lost, where there are any; median and most. kept: the base's text is there"
    " byte for byte, and so are all its ground rules; retracted, changed: the text is, but not all"
    " ground rules, with and without a fact that retracts a rule; edited: statements were removed"
    " from the base; unfit: the program over this base does not have the puzzle's answer, or cannot"
    f" be written; open: not known within {EACH:g} s, or without a solution to be compared. Givens"
    " are left out of ground programs."
)


class Collection(NamedTuple):
    """Puzzles of one format in one folder or file, over one base.

    puzzles: how many there are, with those that are not read completely
    measures: of those that are read completely and have a program
    """

    name: str
    format: str
    base: str
    puzzles: int
    measures: tuple[Measure, ...]

    @property
    def fates(self) -> dict[str, int]:
        """How many puzzles leave the base in each state."""
        found = Counter(each.fate for each in self.measures)
        return {fate: found[fate] for fate in FATES}

    @property
    def added(self) -> list[int]:
        """Statements added, for each puzzle that the base fits."""
        return sorted(each.added for each in self.measures if each.fate not in ("unfit", "open"))

    @property
    def new(self) -> list[int]:
        """Ground rules added, for each puzzle whose ground program is known."""
        return sorted(each.ground_diff.added for each in self.measures if each.ground_diff)

    @property
    def gone(self) -> list[int]:
        """Ground rules lost, for each puzzle that loses any."""
        known = (each.ground_diff for each in self.measures if each.ground_diff)
        return sorted(each.before - each.kept for each in known if each.kept < each.before)


def _collections(paths: Iterable[Path], deadline: Deadline) -> Iterator[Collection]:
    """The puzzles in files and in folders, by folder or file and by format, over both bases.

    Raises TimeLimitError at the deadline, PuzzleError for a path without puzzles.
    """
    meter = Meter(EACH)
    for name, files in (each for path in paths for each in _folders(path)):
        found: dict[str, list[Puzzle | None]] = {}
        for file in files:
            for format_, puzzle in _puzzles(file):
                found.setdefault(format_, []).append(puzzle)
        for format_, puzzles in sorted(found.items()):
            pairs = []
            for number, puzzle in enumerate(puzzles, 1):
                deadline.require_time("measuring puzzles")
                note(f"{name}, {format_}: {number} of {len(puzzles)}")
                if program := _program(puzzle):
                    pairs.append(meter.measure(program))
            for index, base in enumerate(meter.bases):
                measures = tuple(pair[index] for pair in pairs)
                yield Collection(name, format_, base.place, len(puzzles), measures)


def _folders(path: Path) -> Iterator[tuple[str, list[Path]]]:
    """Each folder with its puzzle files; a file is a collection of its own."""
    if not path.is_dir():
        yield path.name, [path]
        return
    folders = (path, *sorted(folder for folder in path.rglob("*") if folder.is_dir()))
    found = {
        folder: files
        for folder in folders
        if (files := [file for file in sorted(folder.iterdir()) if _is_puzzle(file)])
    }
    if not found:
        raise PuzzleError("no puzzle files in this folder", str(path))
    for folder, files in found.items():
        yield folder.as_posix(), files


def _is_puzzle(file: Path) -> bool:
    """Whether a file of a folder is meant to be a puzzle: not a solution, a rule, or a text."""
    return (
        file.is_file()
        and not file.name.startswith(".")
        and not file.name.endswith(".solution.txt")
        and file.suffix in (".txt", ".json", ".jsonl", ".sdm", ".url")
    )


def _puzzles(file: Path) -> Iterator[tuple[str, Puzzle | None]]:
    """The format and the puzzle of each text in a file; None for one that cannot be read."""
    try:
        content = file.read_bytes()
    except OSError as error:
        raise PuzzleError(error.strerror or str(error), str(file)) from None
    texts = [content]
    if file.suffix == ".jsonl":
        texts = [_text_in(line) for line in content.splitlines() if line.strip()]
    for each in texts:
        format_: str = registry.NATIVE.name
        try:
            text = text_of(each, file.name)
            format_ = (registry.detect(text) or registry.NATIVE).name
            for puzzle in parse_all(text):
                yield format_, puzzle.replace(origin=file)
        except PuzzleError:
            yield format_, None


def _program(puzzle: Puzzle | None) -> Program | None:
    """The program of a puzzle; None if a part of it is not read, or it names no rules that fit."""
    if puzzle and not puzzle.unsupported:
        with suppress(AspdokuError):
            return compose(puzzle)
    return None


def _text_in(line: bytes) -> bytes:
    """The puzzle in a line with a JSON object: its text, or itself JSON."""
    with suppress(ValueError, AttributeError, StopIteration):
        entry = json.loads(line)
        found = next(entry[key] for key in _TEXTS if key in entry)
        return (found if isinstance(found, str) else json.dumps(found)).encode()
    return line


def _header_text() -> str:
    return table_head(HEADINGS, _WIDTHS, 2)


def _row_text(row: Collection) -> str:
    """A collection over a base as one line."""
    return table_row(_cells(row), _WIDTHS, 2)


def _cells(row: Collection) -> tuple[str, ...]:
    """The texts of a row."""
    base = "ours" if row.base == "asp/base.lp" else "slides"
    fates = map(str, row.fates.values())
    return (
        f"{row.name}, {row.format}",
        base,
        str(row.puzzles),
        str(len(row.measures)),
        *map(_middle_and_most, (row.added, row.new)),
        *fates,
        _middle_and_most(row.gone),
    )


def _middle_and_most(numbers: Sequence[int]) -> str:
    return f"{median_low(numbers)}, {numbers[-1]}" if numbers else "-"


@dataclass(frozen=True, repr=False)
class Tolerance(Result):
    """What the puzzles of collections add to each base, and what becomes of it."""

    _kind = "elaborate-puzzles"
    _heading = "Elaboration tolerance of puzzles"
    data: Sequence[Collection]
    complete: bool = True

    def _text(self) -> str:
        return "\n".join([_header_text(), *map(_row_text, self.data), "", self.notes()])

    def notes(self) -> str:
        """The legend."""
        return wrapped(LEGEND)

    def _json(self) -> dict[str, Any]:
        row = fields("name format base puzzles fates")

        def counts(numbers: list[int]) -> list[tuple[int, int]]:
            return sorted(Counter(numbers).items())

        rows = [
            row(each)
            | {"read": len(each.measures)}
            | {name: counts(getattr(each, name)) for name in ("added", "new", "gone")}
            for each in self.data
        ]
        return {"collections": rows, "complete": self.complete}

    def sections(self) -> list[Section]:
        """The table, and the legend."""
        rows = tuple(map(_cells, self.data))
        table = Table(HEADINGS, rows, tuple(range(2, len(HEADINGS))))
        return [Section(str(self), words="", table=table), Section(LEGEND)]


def measured(
    paths: Iterable[Path],
    time_limit: float | None = None,
    on_row: Callable[[str], object] = lambda _: None,
) -> Tolerance:
    """The table of the puzzles in files and folders, as far as it is known at the time limit.

    on_row: called with each row as text, the first one below the header
    Raises PuzzleError for a path without puzzles.
    """
    rows: list[Collection] = []
    with suppress(TimeLimitError):
        for row in _collections(paths, Deadline(time_limit)):
            on_row(_row_text(row) if rows else f"{_header_text()}\n{_row_text(row)}")
            rows.append(row)
        return Tolerance(rows)
    return Tolerance(rows, complete=False)
