"""The picture of a puzzle or a solution.

Grid, digits, what the rules speak of, and the rules in words below.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from aspdoku.draw.canvas import GREY, INK, Canvas, Layer
from aspdoku.draw.facts import Group, groups
from aspdoku.draw.geometry import borders
from aspdoku.draw.page import Note, Picture, page
from aspdoku.draw.shapes import Path, Point, Words
from aspdoku.draw.style import Look, guess
from aspdoku.draw.styled_shapes import draw, hue
from aspdoku.program.rulefile import EXCEPTIONS
from aspdoku.puzzle.puzzle import GridLike, Puzzle, Solution
from aspdoku.puzzle.term import Function, Term

GIVEN, SOLVED, CANDIDATE = "#000000", "#2f6db5", "#5a5a5a"
MOST_LISTED = 40


def picture(
    drawable: GridLike,
    looks: Iterable[Look] = (),
    derived: Iterable[Function] = (),
    titles: Mapping[str, str] | None = None,
    candidates: Sequence[Sequence[Sequence[int]]] = (),
    boxes: bool = True,
    unheard: Collection[tuple[str, int]] = (),
    words: bool = True,
    remark: str = "",
) -> Picture:
    """A picture in which every fact of the puzzle is drawn, or else listed below.

    derived: facts that the rules make and some look draws
    titles: what rules say, by their names, to be told below the grid
    candidates: rows of cells of numbers, for the cells that hold none
    boxes: whether the boxes hold
    unheard: predicates that only rules read which do not hold; these are left out
    words: whether rules and exceptions are told below the grid; what could not be drawn always is
    remark: what else to say there
    """
    puzzle = drawable.puzzle if isinstance(drawable, Solution) else drawable
    shown = drawable.shown if isinstance(drawable, Solution) else ()
    stated = [
        fact
        for fact in puzzle.facts
        if not puzzle.is_region(fact) and fact.signature not in unheard
    ]
    facts = [*stated, *(each for each in shown if isinstance(each, Function))]
    canvas = Canvas(puzzle.size, puzzle.numbers)
    colours, left = _elements(facts, tuple(looks), tuple(derived), canvas)
    exceptions = [_in_words(fact) for fact in left if fact.name == EXCEPTIONS]
    others = [str(fact) for fact in left if fact.name != EXCEPTIONS]
    _grid(puzzle, boxes, canvas)
    _digits(drawable, canvas)
    for row, cells in enumerate(candidates, 1):
        for column, numbers in enumerate(cells, 1):
            for number in numbers if (row, column) not in puzzle.givens() else ():
                canvas.candidate((row, column), number, CANDIDATE)
    notes = (
        [*_told(colours, canvas.notes, titles or {}), *_listed("Except", exceptions, "; ")]
        if words
        else []
    )
    notes += _listed("Also", others)
    notes += _listed("Not understood, and left out", list(puzzle.unsupported), "; ")
    notes += [Note(remark)] if remark else []
    return page(canvas, puzzle.title, notes)


def _elements(
    facts: list[Function], looks: tuple[Look, ...], derived: tuple[Function, ...], canvas: Canvas
) -> tuple[dict[str, tuple[str, ...]], list[Function]]:
    """Draw what is to be drawn.

    Return the colours of each rule, and the facts that could not be drawn.
    """
    known = {atom.signature for look in looks for atom in look.atoms}
    strange = map(
        _faint, guess({fact.signature for fact in facts if fact.name != EXCEPTIONS} - known)
    )
    shown: set[Function] = set()
    colours: dict[str, tuple[str, ...]] = {}
    stated: dict[tuple[str, int], list[Function]] = {}
    for fact in dict.fromkeys((*facts, *derived)):
        stated.setdefault(fact.signature, []).append(fact)
    for look in sorted((*looks, *strange), key=_turn):
        found, drawn = groups(
            look,
            [fact for atom in look.atoms for fact in stated.get(atom.signature, ())],
            canvas.size,
        )
        shown |= drawn
        if found:
            draw(look, found, canvas)
            colours.setdefault(look.rule, _colours(look, found, canvas))
    return colours, [fact for fact in facts if fact not in shown]


def _faint(look: Look) -> Look:
    """A strange fact about a cell shades it, for a circle would mean odd."""
    return replace(look, draw="area", text="") if look.draw == "mark" else look


def _turn(look: Look) -> int:
    """Arrows stand next to the grid, so other clues make room for them.

    Candidates do so for labels.
    """
    return {"pointer": 0, "candidates": 2}.get(look.draw, 1)


def _colours(look: Look, found: list[Group], canvas: Canvas) -> tuple[str, ...]:
    if look.colour:
        return (look.colour,)
    own = look.draw in ("area", "line", "links") and not look.by
    return (
        tuple(dict.fromkeys(canvas.colour(look, hue(look, group)) for group in found))
        if own
        else ()
    )


def _told(
    colours: Mapping[str, tuple[str, ...]],
    notes: Mapping[str, list[str]],
    titles: Mapping[str, str],
) -> list[Note]:
    """What the rules say, each with the colours and the parameters that it has."""
    said = {name: f" ({'; '.join(texts)})" for name, texts in notes.items()}
    rules = {name: name for name in (*colours, *said)} | dict(titles)
    return [Note(text + said.get(name, ""), colours.get(name, ())) for name, text in rules.items()]


def _in_words(exception: Function) -> str:
    return ", ".join(map(_plain, exception.arguments))


def _plain(term: Term) -> str:
    return (
        term.name.replace("_", "-")
        if isinstance(term, Function) and not term.arguments
        else str(term)
    )


def _listed(what: str, facts: list[str], between: str = ", ") -> list[Note]:
    if not facts:
        return []
    more = f" and {len(facts) - MOST_LISTED} facts more" if len(facts) > MOST_LISTED else ""
    return [Note(f"{what}: {between.join(facts[:MOST_LISTED])}{more}")]


def _grid(puzzle: Puzzle, boxes: bool, canvas: Canvas) -> None:
    size = puzzle.size
    for at in range(1, size):
        canvas.add(Layer.GRID, Path((Point(at, 0), Point(at, size)), GREY, 0.02, kind="grid"))
        canvas.add(Layer.GRID, Path((Point(0, at), Point(size, at)), GREY, 0.02, kind="grid"))
    for start, end in borders(puzzle.regions(), size) if boxes else ():
        canvas.add(Layer.BORDER, Path((start, end), INK, 0.06, kind="border"))
    frame = (Point(0, 0), Point(size, 0), Point(size, size), Point(0, size))
    canvas.add(Layer.BORDER, Path(frame, INK, 0.08, closed=True, kind="frame"))


def _digits(drawable: GridLike, canvas: Canvas) -> None:
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
                canvas.add(
                    Layer.DIGIT, Words(at, str(number), canvas.digit, colour, bold=given, kind=kind)
                )
