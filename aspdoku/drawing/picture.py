"""The picture of a puzzle or a solution: its title above, the grid with digits and clues, and
captions of the rules below, wrapped to the width of the page.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import ceil
from typing import NamedTuple

from aspdoku.drawing.canvas import GREY, INK, Canvas, Layer
from aspdoku.drawing.facts import FactGroup, group_facts, words_of
from aspdoku.drawing.shapes import (
    Path,
    Point,
    Shape,
    Text,
    borders,
    rectangle,
    text_width,
    translated,
)
from aspdoku.drawing.style import DrawStyle, Signature, default_styles
from aspdoku.drawing.styled_shapes import draw
from aspdoku.program.rulefile import EXCEPTIONS
from aspdoku.puzzle.puzzle import Cell, GridLike, Puzzle, Solution, numbers_by_cell
from aspdoku.puzzle.term import Function, Term

MARGIN = 0.25
GIVEN, SOLVED, CANDIDATE = "#000000", "#2f6db5", "#5a5a5a"
MARKED = "#ffd95e"
# Light enough for blue digits to be readable in each, and distinguishable in greyscale, too.
HEAT = ("#fdf1dc", "#fbdfb4", "#f8c98a", "#f4b061")
MAX_LISTED = 40
# Arrows are next to the grid, so other clues are placed after them, and candidates after labels.
ORDER = {"pointer": 0, "candidates": 2}


@dataclass(frozen=True)
class Picture:
    """Shapes from bottom to top, with the origin at the upper left; width and height in cells.

    grid: the upper left corner of the grid
    areas: the number of shapes, from the first, that are below highlighted cells
    labels: the number of lines at the top of cells that labels use
    inks: the colours of numbers in cells for which a style states one
    """

    width: float
    height: float
    title: str
    shapes: tuple[Shape, ...]
    grid: Point
    areas: int
    labels: Mapping[Cell, int]
    inks: Mapping[Cell, str]


class Note(NamedTuple):
    """A text below the grid, and the colours of the shapes that it describes."""

    text: str
    colours: tuple[str, ...] = ()


@dataclass(frozen=True)
class Marks:
    """What a picture shows in addition to the puzzle and its solution.

    numbers: numbers entered in cells
    candidates: pencil marks of cells; none are drawn in cells with a number
    cells: cells to highlight
    axes: whether to number rows and columns
    heat: a count for each of some cells, in its corner; the higher it is, the darker the cell
    """

    numbers: Mapping[Cell, int] = field(default_factory=dict)
    candidates: Mapping[Cell, Iterable[int]] = field(default_factory=dict)
    cells: Collection[Cell] = ()
    axes: bool = False
    heat: Mapping[Cell, int] = field(default_factory=dict)


NO_MARKS = Marks()


def picture(
    grid: GridLike,
    styles: Iterable[DrawStyle] = (),
    derived: Iterable[Function] = (),
    titles: Mapping[str, str] | None = None,
    marks: Marks = NO_MARKS,
    boxes: bool = True,
    unused: Collection[Signature] = (),
    captions: bool = True,
    remark: str = "",
    named: Collection[Signature] = (),
) -> Picture:
    """A picture in which every fact of the puzzle is either drawn or listed below the grid.

    derived: facts that the program derives and some style draws
    titles: titles of the rules by name, for the captions
    marks: numbers, pencil marks and highlights to add
    boxes: whether to draw the borders of the boxes
    unused: predicates that only retracted rules use; their facts are omitted
    captions: whether to show the titles of rules and the exceptions below the grid; facts that
    could not be drawn are always listed
    remark: an additional text below the grid
    named: predicates whose cages and lines are drawn with their names
    """
    puzzle = grid.puzzle if isinstance(grid, Solution) else grid
    shown = grid.shown if isinstance(grid, Solution) else ()
    inputs = [
        fact for fact in puzzle.facts if not puzzle.is_region(fact) and fact.signature not in unused
    ]
    facts = [*inputs, *(atom for atom in shown if isinstance(atom, Function))]
    styles = tuple(styles)
    cited = _cited_clues(facts, styles) if captions else {}
    canvas = Canvas(puzzle.size, puzzle.numbers, named=named, unused=puzzle.unused, cited=cited)
    colours, left = _draw_facts(facts, styles, tuple(derived), canvas)
    exceptions = [
        ", ".join(map(words_of, fact.arguments)) for fact in left if fact.name == EXCEPTIONS
    ]
    others = [str(fact) for fact in left if fact.name != EXCEPTIONS]
    _draw_grid(puzzle, boxes, canvas)
    _draw_digits(grid, canvas)
    _draw_marks(marks, puzzle, canvas)
    notes: list[Note] = []
    if captions:
        parameters = {name: f" ({'; '.join(texts)})" for name, texts in canvas.notes.items()}
        rules = {name: name for name in (*colours, *parameters)} | dict(titles or {})
        lines = filter(None, puzzle.rules.split("\n"))
        notes += [Note(line) for line in lines if not _is_title(line, rules.values())]
        notes += [
            Note(title + parameters.get(name, ""), colours.get(name, ()))
            for name, title in rules.items()
        ]
        notes += _list_note("Except", exceptions, "; ")
    notes += _list_note("Also", others)
    notes += _list_note("Unsupported and ignored", list(puzzle.unsupported), "; ")
    notes += [Note(remark)] if remark else []
    return _layout(canvas, puzzle.heading, notes)


def _is_title(line: str, titles: Iterable[str]) -> bool:
    """Whether a line is the title of a rule, perhaps between its name and notes on its clues."""
    usual = (re.escape(title.rstrip(".")) for title in titles)
    return any(re.fullmatch(rf"(.*?: )?{title}(: .*)?\.?", line) for title in usual)


def _cited_clues(
    facts: Iterable[Function], styles: Iterable[DrawStyle]
) -> dict[tuple[str, Term], str]:
    """The clues T, U of other rules that notes name, with the colour of the note if it has one."""
    notes = {
        style.atom.signature: style
        for style in styles
        if style.draw == "note" and style.atom.reference
    }
    found: dict[tuple[str, Term], str] = {}
    for fact in facts:
        if style := notes.get(fact.signature):
            values = style.atom.of(fact)
            clue = str(values["T"]), values["U"]
            found[clue] = style.colour or found.get(clue, "")
    return found


def _draw_facts(
    facts: list[Function],
    styles: tuple[DrawStyle, ...],
    derived: tuple[Function, ...],
    canvas: Canvas,
) -> tuple[dict[str, tuple[str, ...]], list[Function]]:
    """Draw facts; return the colours of each rule, and the facts that could not be drawn."""
    known = {atom.signature for style in styles for atom in style.atoms}
    unknown = {fact.signature for fact in facts if fact.name != EXCEPTIONS} - known
    # Cells of unknown predicates are shaded, because a circle would mean odd.
    defaults = (
        replace(style, draw="area", text="") if style.draw == "mark" else style
        for style in default_styles(unknown)
    )
    drawn: set[Function] = set()
    colours: dict[str, tuple[str, ...]] = {}
    by_signature: dict[tuple[str, int], list[Function]] = {}
    for fact in dict.fromkeys((*facts, *derived)):
        by_signature.setdefault(fact.signature, []).append(fact)
    for style in sorted((*styles, *defaults), key=lambda style: ORDER.get(style.draw, 1)):
        relevant = [fact for atom in style.atoms for fact in by_signature.get(atom.signature, ())]
        groups, grouped = group_facts(style, relevant, canvas.size)
        drawn |= grouped
        if groups:
            draw(style, groups, canvas)
            new = (*colours.get(style.rule, ()), *_colours(style, groups, canvas))
            colours[style.rule] = tuple(dict.fromkeys(new))
    return colours, [fact for fact in facts if fact not in drawn]


def _colours(style: DrawStyle, groups: list[FactGroup], canvas: Canvas) -> tuple[str, ...]:
    if style.colour:
        return (style.colour,)
    if style.draw not in ("area", "line", "links") or style.by:
        return ()
    return tuple(dict.fromkeys(canvas.colour_of(style, group) for group in groups))


def _list_note(heading: str, facts: list[str], separator: str = ", ") -> list[Note]:
    if not facts:
        return []
    more = f" and {len(facts) - MAX_LISTED} more facts" if len(facts) > MAX_LISTED else ""
    return [Note(f"{heading}: {separator.join(facts[:MAX_LISTED])}{more}")]


def _draw_grid(puzzle: Puzzle, boxes: bool, canvas: Canvas) -> None:
    size = puzzle.size
    if puzzle.unused:
        _draw_used_cells(puzzle, boxes, canvas)
        return
    for at in range(1, size):
        canvas.add(Layer.GRID, Path((Point(at, 0), Point(at, size)), GREY, 0.02, kind="grid"))
        canvas.add(Layer.GRID, Path((Point(0, at), Point(size, at)), GREY, 0.02, kind="grid"))
    for start, end in borders(puzzle.regions(), size) if boxes else ():
        canvas.add(Layer.BORDER, Path((start, end), INK, 0.06, kind="border"))
    frame = (Point(0, 0), Point(size, 0), Point(size, size), Point(0, size))
    canvas.add(Layer.BORDER, Path(frame, INK, 0.08, closed=True, kind="frame"))


def _draw_used_cells(puzzle: Puzzle, boxes: bool, canvas: Canvas) -> None:
    """Draw the sides of the cells that are used, and strong lines around them and the boxes."""
    used = set(puzzle.cells())
    regions = puzzle.regions() if boxes else {}
    # A row and a column without cells before the first ones, so that all sides are between cells.
    for row in range(puzzle.size + 1):
        for column in range(puzzle.size + 1):
            here, corner = (row, column), Point(column, row)
            for other, start in (
                ((row, column + 1), Point(column, row - 1)),
                ((row + 1, column), Point(column - 1, row)),
            ):
                if here not in used and other not in used:
                    continue
                if here not in used or other not in used:
                    canvas.add(Layer.BORDER, Path((start, corner), INK, 0.08, kind="frame"))
                elif regions.get(here) != regions.get(other):
                    canvas.add(Layer.BORDER, Path((start, corner), INK, 0.06, kind="border"))
                else:
                    canvas.add(Layer.GRID, Path((start, corner), GREY, 0.02, kind="grid"))


def _draw_digits(grid: GridLike, canvas: Canvas) -> None:
    solved = isinstance(grid, Solution)
    puzzle, rows = (grid.puzzle, grid.rows) if isinstance(grid, Solution) else (grid, grid.grid)
    givens = puzzle.givens()
    contents = canvas.contents if solved else {}
    several = {cell: " ".join(map(str, numbers)) for cell, numbers in contents.items()}
    single: Mapping[Cell, int | str] = numbers_by_cell(rows)
    for cell, text in (several or single).items():
        given = cell in givens
        kind = "given" if given or not solved else "solved"
        canvas.add_number(cell, text, GIVEN if given else SOLVED, given, kind)


def _draw_marks(marks: Marks, puzzle: Puzzle, canvas: Canvas) -> None:
    givens = puzzle.givens()
    canvas.highlight(marks.cells, MARKED)
    most = max(marks.heat.values(), default=0)
    for (row, column), count in marks.heat.items():
        if count:
            canvas.highlight([(row, column)], HEAT[ceil(len(HEAT) * count / most) - 1])
        at = Point(column - 0.13, row - 0.14)
        canvas.add(Layer.DIGIT, Text(at, str(count), 0.22, CANDIDATE, kind="heat"))
    for cell, number in marks.numbers.items():
        if cell not in givens:
            canvas.add_number(cell, number, SOLVED, given=False, kind="solved")
    for cell, numbers in marks.candidates.items():
        for number in numbers if cell not in givens and cell not in marks.numbers else ():
            canvas.add_candidate(cell, number, CANDIDATE)
    if marks.axes:
        canvas.add_axes()


def _layout(canvas: Canvas, title: str, notes: list[Note]) -> Picture:
    """The grid with its title above and the notes below, each after a swatch of its colours."""
    margins = {side: margin + MARGIN for side, margin in canvas.margins.items()}
    if title or notes:
        margins["left"] = margins["right"] = max(margins["left"], margins["right"])
    across, down = canvas.extent
    width = margins["left"] + across + margins["right"]
    small = min(0.32, max(0.2, 0.034 * width)) if canvas.size < 16 else 0.028 * width
    small = min(small, 0.15 * width)
    shapes: list[Shape] = []
    y = MARGIN
    for line in _wrap(title, width - 2 * MARGIN, small * 1.25):
        y += 2 * small
        shapes.append(
            Text(Point(width / 2, y - 0.9 * small), line, small * 1.25, bold=True, kind="title")
        )
    left = margins["left"]
    top = y + margins["top"]
    areas = len(shapes) + canvas.areas
    shapes += [translated(shape, left, top) for shape in canvas.shapes]
    y = top + down + margins["bottom"] + 0.1
    indent = 2 * small
    for note in notes:
        shapes += _swatch(note.colours, y, small)
        for line in _wrap(note.text, width - 2 * MARGIN - indent, small) or [""]:
            at = Point(MARGIN + indent, y + 0.7 * small)
            shapes.append(Text(at, line, small, "#333333", centred=False, kind="note"))
            y += 1.45 * small
    return Picture(
        width,
        y + 0.2,
        title,
        tuple(shapes),
        Point(left, top),
        areas,
        canvas.labels,
        canvas.digit_colours,
    )


def _wrap(text: str, width: float, size: float) -> list[str]:
    lines: list[str] = []
    for piece in (piece for word in text.split() for piece in _break_word(word, width, size)):
        if lines and text_width(f"{lines[-1]} {piece}", size) <= width:
            lines[-1] += f" {piece}"
        else:
            lines.append(piece)
    return lines


def _break_word(word: str, width: float, size: float) -> Iterator[str]:
    start, room = 0, width
    for at, sign in enumerate(word):
        room -= text_width(sign, size)
        if room < 0 and at > start:
            yield word[start:at]
            start, room = at, width - text_width(sign, size)
    yield word[start:]


def _swatch(colours: tuple[str, ...], top: float, small: float) -> list[Shape]:
    across = 1.3 * small / max(1, len(colours))
    lefts = (MARGIN + across * index for index in range(len(colours)))
    bottom = top + 1.2 * small
    return [
        rectangle(left, top + 0.2 * small, left + across, bottom, colour, "note")
        for left, colour in zip(lefts, colours, strict=True)
    ]
