"""Text for terminals: its width, grids, and spans that are wrapped and coloured by rule file.

Reports that go to a file or a pipe look the same everywhere, and browsers wrap those in pages. Only
the command line sets a terminal's width, once, before it runs a command.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import zip_longest
from typing import Any, NamedTuple

from aspdoku.errors import AspdokuError
from aspdoku.puzzle import Function, render
from aspdoku.puzzle.puzzle import Cell, Grid, GridLike, Puzzle, Solution
from aspdoku.puzzle.term import Term, to_asp
from aspdoku.puzzlefile import oneline

# Columns of wrapped text if it is not printed on a terminal.
_DEFAULT = 110
NARROWEST, WIDEST = 60, 200
_UNWRAPPED = 100_000

_terminal: ContextVar[int | None] = ContextVar("terminal", default=None)


def use_terminal(columns: int | None) -> None:
    """Lay reports out for a terminal with this many columns; None for no terminal."""
    _terminal.set(columns and max(NARROWEST, min(columns, WIDEST)))


@contextmanager
def unwrapped() -> Iterator[None]:
    """Wrap no lines within this block: for pages and notebooks, which are of any width."""
    before = _terminal.set(_UNWRAPPED)
    try:
        yield
    finally:
        _terminal.reset(before)


def width() -> int:
    """The columns of wrapped text."""
    return _terminal.get() or _DEFAULT


def terminal_width() -> int | None:
    """The columns of the terminal; None elsewhere, where tables have lines of any length."""
    return _terminal.get()


def wrapped(line: str, indentation: int = 0) -> str:
    """The line, `filled` on a terminal only: elsewhere it is one line, for other programs."""
    columns = terminal_width()
    return line if columns is None or len(line) <= columns else filled(line, indentation)


def filled(text: str, indentation: int = 0) -> str:
    """The text in lines of at most `width()` columns, without broken words."""
    whole: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}
    return textwrap.fill(text, width(), subsequent_indent=" " * indentation, **whole)


def listed(heading: str, names: Sequence[str], most: int) -> str:
    """The heading, and a line for each name; more than `most` of them are counted."""
    lines = [wrapped(f"{heading}:" if names else heading)]
    lines += [wrapped(f"  {name}", 4) for name in names[:most]]
    more = len(names) - most
    return "\n".join([*lines, *([f"  and {more} more"] if more > 0 else [])])


def table_row(texts: Iterable[str], widths: Iterable[int], left: int) -> str:
    """A line of a table; the texts in `left` columns begin below each other, others end so."""
    aligned = [each.rjust(width) for each, width in zip(texts, widths, strict=True)]
    aligned[:left] = [each.lstrip().ljust(len(each)) for each in aligned[:left]]
    return "  ".join(aligned).rstrip()


def table_head(headings: Iterable[str], widths: Iterable[int], left: int) -> str:
    """The headings of a table, and the line below them."""
    rule = "  ".join("-" * width for width in widths)
    return f"{table_row(headings, widths, left)}\n{rule}"


def grid(puzzle_or_solution: GridLike, colour: bool = False, marked: Collection[Cell] = ()) -> str:
    """The grid as formatted by `render.text`."""
    return render.text(*_parts(puzzle_or_solution), colour, marked)


def _parts(puzzle_or_solution: GridLike) -> tuple[Puzzle, Grid]:
    if isinstance(puzzle_or_solution, Solution):
        return puzzle_or_solution.puzzle, puzzle_or_solution.rows
    return puzzle_or_solution, puzzle_or_solution.grid


def shown_atoms(solution: Solution) -> str:
    """The shown atoms other than the grid: a grid for each p(R,C,I) and p(R,C), then the others."""
    size = solution.puzzle.size
    grids: dict[str, dict[Cell, str]] = defaultdict(dict)
    atoms: list[Term] = []
    for term in solution.shown:
        cell, label = _cell_and_label(term, size)
        if isinstance(term, Function) and cell and cell not in grids[term.name]:
            grids[term.name][cell] = label
        else:
            atoms.append(term)
    blocks, span = [], range(1, size + 1)
    for name, labels in grids.items():
        longest = max(map(len, labels.values()), default=0)
        rows = ([labels.get((row, column), ".").rjust(longest) for column in span] for row in span)
        if labels:
            blocks.append("\n".join([name.replace("_", "-"), *map(" ".join, rows)]))
    return "\n\n".join(filter(None, [*blocks, " ".join(map(to_asp, atoms))]))


def _cell_and_label(term: Term, size: int) -> tuple[Cell | None, str]:
    """The cell of a term, or None, and its label, `x` if it has none."""
    if not isinstance(term, Function) or len(term.arguments) not in (2, 3):
        return None, ""
    row, column, *label = term.arguments
    span = range(1, size + 1)
    if isinstance(row, int) and isinstance(column, int) and row in span and column in span:
        return (row, column), to_asp(label[0]) if label else "x"
    return None, ""


# A cell of a grid of candidates is not narrowed further than this, whatever the terminal.
_NARROWEST_CELL = 4
_BLANK = "\0"


def candidate_grid(puzzle: Puzzle, texts: Mapping[Cell, str], colour: bool = False) -> str:
    """A text in each used cell, in columns; on a terminal that is too narrow, it is wrapped."""
    used = {cell: texts.get(cell, "") for cell in puzzle.cells()}
    span = range(1, puzzle.size + 1)
    cells = [[used.get((row, column), "") for column in span] for row in span]
    width = max(len(cell) for row in cells for cell in row)
    frame = _frame(puzzle, width)
    excess = max(map(len, frame)) - (terminal_width() or math.inf)
    if excess > 0:
        width = max(width - math.ceil(excess / puzzle.size), min(width, _NARROWEST_CELL))
        frame = _frame(puzzle, width)
    givens = puzzle.givens()

    def padded(position: Cell, text: str) -> str:
        shown = f"{render.BOLD_CYAN}{text}{render.RESET}" if colour and position in givens else text
        return shown + " " * (width - len(text))

    lines: list[str] = []
    rows = enumerate(cells, 1)
    for line in frame:
        if _BLANK not in line:
            lines.append(line)
            continue
        first, *between = line.split(_BLANK * width)
        number, row = next(rows)
        if excess > 0 and lines and not lines[-1].startswith("-"):
            lines.append("")
        for parts in zip_longest(*(_wrapped(cell, width) for cell in row), fillvalue=""):
            shown = (padded((number, column), part) for column, part in enumerate(parts, 1))
            lines.append((first + "".join(map(str.__add__, shown, between))).rstrip())
    return "\n".join(lines).rstrip("\n")


def _frame(puzzle: Puzzle, width: int) -> list[str]:
    """The lines of a grid with cells of this width, which are filled with `_BLANK`."""
    size = puzzle.size
    return render.with_borders([[_BLANK * width] * size] * size, puzzle, width).split("\n")


def _wrapped(text: str, width: int) -> list[str]:
    lines = [""]
    for part in re.findall("[^,]+,?", text) if "," in text else text:
        if lines[-1] and len(lines[-1]) + len(part) > width:
            lines.append("")
        lines[-1] += part
    return lines


def symbols(numbers: Iterable[int], puzzle: Puzzle) -> str:
    """Numbers as one character each, A for 10; with commas if the puzzle has larger numbers."""
    if puzzle.numbers[-1] > oneline.LARGEST:
        return ",".join(map(str, numbers))
    return "".join(map(_symbol, numbers))


def _symbol(number: int | None) -> str:
    return "." if number is None else ("0" + oneline.SYMBOLS)[number]


def line(puzzle_or_solution: GridLike) -> str:
    """The grid in one line, one character per cell: A for 10 and so on, a dot for an empty cell."""
    puzzle, rows = _parts(puzzle_or_solution)
    if puzzle.numbers[-1] > oneline.LARGEST:
        numbers = f"cannot write numbers up to {puzzle.numbers[-1]} in the format line"
        raise AspdokuError(f"{numbers}: it has symbols up to {oneline.LARGEST}")
    return "".join(_symbol(number) for cells in rows for number in cells)


def facts(puzzle_or_solution: GridLike) -> str:
    """The grid as facts a(R,C,N), one line per row."""
    _, rows = _parts(puzzle_or_solution)
    lines = []
    for row, numbers in enumerate(rows, 1):
        known = ((column, each) for column, each in enumerate(numbers, 1) if each is not None)
        lines.append(" ".join(f"a({row},{column},{number})." for column, number in known))
    return "\n".join(lines)


_BLANKS = re.compile(r"(\s+)")
_COLOURS = (36, 35, 33, 32, 34, 31)


class Span(NamedTuple):
    """A text and the name of the rule file that it comes from, or "" if from none."""

    text: str
    source: str = ""


class StyledLine(NamedTuple):
    """A line after a lead, such as a bullet; `hanging` indents its continuation lines."""

    lead: str
    spans: tuple[Span, ...]
    hanging: int = 9

    def wrapped(self, colours: Mapping[str, int] | None = None) -> str:
        """The line, wrapped between words, in the colours of its rule files, given by index."""

        def painted(text: str, source: str) -> str:
            code = colours and source in colours and _COLOURS[colours[source] % len(_COLOURS)]
            return f"\x1b[{code}m{text}{render.RESET}" if code else text

        lines, room, blank = [self.lead], width() - len(self.lead), ""
        for word in _words(self.spans):
            length = sum(len(text) for text, _ in word)
            if blank and len(blank) + length > room:
                lines.append(" " * self.hanging)
                room, blank = width() - self.hanging, ""
            lines[-1] += blank + "".join(painted(*span) for span in word)
            room -= len(blank) + length
            blank = " "
        return "\n".join(lines)


def join_spans(separator: str, parts: Iterable[Iterable[Span]]) -> list[Span]:
    """The parts, joined by a separator."""
    spans: list[Span] = []
    for part in parts:
        spans += [Span(separator), *part] if spans else part
    return spans


def _words(spans: Iterable[Span]) -> list[list[Span]]:
    """The words, each of one or more spans: a bracket belongs to the adjacent word."""
    words: list[list[Span]] = [[]]
    for text, source in spans:
        for piece in _BLANKS.split(text):
            if piece.isspace():
                words.append([])
            elif piece:
                words[-1].append(Span(piece, source))
    return [word for word in words if word]


def coloured_change(line: str) -> str:
    """A line of a diff in the colour of its sign."""
    code = {"+": 32, "-": 31, "@": 36}.get(line[:1])
    return f"\x1b[{code}m{line}{render.RESET}" if code else line
