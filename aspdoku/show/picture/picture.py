"""The picture of a puzzle or a solution: grid, digits, what the rules speak of, and the rules in words below."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap

from aspdoku.program.look import Look
from aspdoku.program.looks import guess
from aspdoku.program.rulefile import EXCEPTIONS
from aspdoku.puzzle.puzzle import Drawable, Puzzle, Solution
from aspdoku.puzzle.term import Function
from aspdoku.show.picture.canvas import GREY, INK, Canvas, Layer
from aspdoku.show.picture.drawn import draw
from aspdoku.show.picture.facts import groups
from aspdoku.show.picture.geometry import borders
from aspdoku.show.picture.shapes import Path, Point, Shape, Words, breadth, rectangle, shifted
from aspdoku.show.regions import is_region, regions

GIVEN, SOLVED, CANDIDATE = "#000000", "#2f6db5", "#5a5a5a"
MOST_LISTED = 40


@dataclass(frozen=True)
class Picture:
    """Shapes from bottom to top, the first at the upper left; width and height in cells."""

    width: float
    height: float
    title: str
    shapes: tuple[Shape, ...]


def picture(
    drawable: Drawable,
    looks: Iterable[Look] = (),
    derived: Iterable[Function] = (),
    titles: Mapping[str, str] | None = None,
    candidates: Sequence[Sequence[Sequence[int]]] = (),
    boxes: bool = True,
    unheard: Collection[tuple[str, int]] = (),
) -> Picture:
    """A picture in which every fact of the puzzle is drawn, or else listed below.

    derived: facts that the rules make and some look draws
    titles: what rules say, by their names, to be told below the grid
    candidates: rows of cells of numbers, for the cells that hold none
    boxes: whether the boxes hold
    unheard: predicates that only rules read which do not hold; these are left out
    """
    puzzle = drawable.puzzle if isinstance(drawable, Solution) else drawable
    shown = drawable.shown if isinstance(drawable, Solution) else ()
    stated = [fact for fact in puzzle.facts if not is_region(fact, puzzle.size) and fact.signature not in unheard]
    facts = [*stated, *(each for each in shown if isinstance(each, Function))]
    canvas = Canvas(puzzle.size, puzzle.numbers)
    colours, listed = _elements(facts, tuple(looks), tuple(derived), canvas)
    _grid(puzzle, boxes, canvas)
    _digits(drawable, canvas)
    for row, cells in enumerate(candidates, 1):
        for column, numbers in enumerate(cells, 1):
            for number in numbers if (row, column) not in puzzle.givens() else ():
                canvas.candidate((row, column), number, CANDIDATE)
    said = {name: "; ".join(texts) for name, texts in canvas.notes.items()}
    rules = {name: name for name in (*colours, *said)} | dict(titles or {})
    notes = [(colours.get(name, ""), f"{text} ({said[name]})" if name in said else text) for name, text in rules.items()]
    listed += [f"Not understood, and left out: {text}" for text in puzzle.unread]
    return _framed(canvas, puzzle.title, [*notes, *(("", text) for text in listed)])


def _elements(
    facts: list[Function], looks: tuple[Look, ...], derived: tuple[Function, ...], canvas: Canvas
) -> tuple[dict[str, str], list[str]]:
    """Draw what is to be drawn; return the colour of each rule, and what could not be drawn."""
    known = {atom.signature for look in looks for atom in look.atoms}
    strange = guess({fact.signature for fact in facts if fact.name != EXCEPTIONS} - known)
    shown: set[Function] = set()
    colours: dict[str, str] = {}
    stated: dict[tuple[str, int], list[Function]] = {}
    for fact in dict.fromkeys((*facts, *derived)):
        stated.setdefault(fact.signature, []).append(fact)
    for look in (*looks, *strange):
        found, drawn = groups(look, [fact for atom in look.atoms for fact in stated.get(atom.signature, ())], canvas.size)
        shown |= drawn
        if found:
            draw(look, found, canvas)
            own = look.draw in _OWN and not look.by
            colours.setdefault(look.rule, look.colour or (canvas.colour(look, found[0].name) if own else ""))
    left = [fact for fact in facts if fact not in shown]
    others = [str(fact) for fact in left if fact.name != EXCEPTIONS]
    exceptions = [str(fact) for fact in left if fact.name == EXCEPTIONS]
    return colours, [*_listed("Exceptions", exceptions), *_listed("Also", others)]


_OWN = ("area", "line", "links")


def _listed(what: str, facts: list[str]) -> list[str]:
    if not facts:
        return []
    more = f" and {len(facts) - MOST_LISTED} facts more" if len(facts) > MOST_LISTED else ""
    return [f"{what}: {', '.join(facts[:MOST_LISTED])}{more}"]


def _grid(puzzle: Puzzle, boxes: bool, canvas: Canvas) -> None:
    size = puzzle.size
    for at in range(1, size):
        canvas.add(Layer.GRID, Path((Point(at, 0), Point(at, size)), GREY, 0.02, kind="grid"))
        canvas.add(Layer.GRID, Path((Point(0, at), Point(size, at)), GREY, 0.02, kind="grid"))
    for start, end in borders(regions(puzzle), size) if boxes else ():
        canvas.add(Layer.BORDER, Path((start, end), INK, 0.06, kind="border"))
    frame = (Point(0, 0), Point(size, 0), Point(size, size), Point(0, size))
    canvas.add(Layer.BORDER, Path(frame, INK, 0.08, closed=True, kind="frame"))


def _digits(drawable: Drawable, canvas: Canvas) -> None:
    solved = isinstance(drawable, Solution)
    puzzle = drawable.puzzle if isinstance(drawable, Solution) else drawable
    rows = drawable.rows if isinstance(drawable, Solution) else drawable.grid
    givens = puzzle.givens()
    for row, cells in enumerate(rows, 1):
        for column, number in enumerate(cells, 1):
            if number is not None:
                given = (row, column) in givens
                colour = canvas.ink.get((row, column), GIVEN if given else SOLVED)
                kind = "given" if given or not solved else "solved"
                at = Point(column - 0.5, row - 0.48)
                canvas.add(Layer.DIGIT, Words(at, str(number), canvas.digit, colour, bold=given, kind=kind))


def _framed(canvas: Canvas, title: str, notes: list[tuple[str, str]]) -> Picture:
    """The grid with its title above and the notes below, each behind a patch of its colour."""
    margins = {side: margin + 0.25 for side, margin in canvas.margins.items()}
    width = max(margins["left"], margins["right"]) * 2 + canvas.size
    small = min(0.32, max(0.2, 0.034 * width)) if canvas.size < 16 else 0.028 * width
    shapes: list[Shape] = []
    y = 0.25
    for line in wrap(title, max(8, int(width / breadth("x", small * 1.25)))):
        y += 2 * small
        shapes.append(Words(Point(width / 2, y - 0.9 * small), line, small * 1.25, bold=True, kind="title"))
    left = (width - canvas.size) / 2
    top = y + margins["top"]
    shapes += [shifted(shape, left, top) for shape in canvas.shapes]
    y = top + canvas.size + margins["bottom"] + 0.1
    indent = 2 * small
    for colour, text in notes:
        lines = wrap(text, max(8, int((width - 0.5 - indent) / breadth("x", small)))) or [""]
        if colour:
            shapes.append(rectangle(0.25, y + 0.2 * small, 0.25 + 1.3 * small, y + 1.2 * small, colour, "note"))
        for line in lines:
            at = Point(0.25 + indent, y + 0.7 * small)
            shapes.append(Words(at, line, small, "#333333", centred=False, kind="note"))
            y += 1.45 * small
    return Picture(width, y + 0.2, title, tuple(shapes))
