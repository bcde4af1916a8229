"""The page of an interpretation: the elements next to the sentences, and the puzzle as read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from aspdoku.drawing import NOTEBOOK_SECONDS, picture_of_program
from aspdoku.drawing.output import PIXELS, format_number, svg, svg_shapes
from aspdoku.drawing.picture import picture
from aspdoku.drawing.shapes import Shape, translated
from aspdoku.errors import AspdokuError
from aspdoku.formats.drawn.elements import Element
from aspdoku.formats.drawn.pictures import BELOW, frame, shapes_of
from aspdoku.formats.worded import Worded
from aspdoku.markup import render
from aspdoku.puzzle import Puzzle
from aspdoku.questions.result import Verdict
from aspdoku.questions.source import compose
from aspdoku.questions.wording import read_sentences

_MARGIN, _WITH_CLUES = 0.25, 1.1  # around the grid, in cells


class _Drawn(NamedTuple):
    """An element as SVG, in words, and the numbers of the sentences that are about it."""

    shapes: str
    words: str
    sentences: str


def interpretation_html(
    data: Worded, verdict: Verdict, lists: Sequence[object], summary: Sequence[str]
) -> str:
    """A self-contained page; the sentence that is pointed at highlights its elements.

    lists: what follows the sentences: headings, each with texts
    """
    puzzle, open_ = data.puzzle, [element for element, rules in data.elements if not rules]
    sentences: dict[Element, list[str]] = {element: [] for element, _ in data.elements}
    for number, about in enumerate(data.about, 1):
        for element in about:
            sentences.setdefault(element, []).append(str(number))
    margin = _WITH_CLUES if any(each.kind == "outside" for each in sentences) else _MARGIN
    drawn = {True: list[_Drawn](), False: list[_Drawn]()}
    for each in sorted(sentences, key=lambda each: [*BELOW, each.kind].index(each.kind)):
        shapes = [
            *shapes_of(each, puzzle.size, puzzle.numbers),
            *(frame(each) if each in open_ else ()),
        ]
        moved = svg_shapes(translated(shape, margin, margin) for shape in shapes)
        drawn[each.kind in BELOW].append(_Drawn(moved, str(each), " ".join(sentences[each])))
    return render(
        "interpretation.html.j2",
        title=puzzle.heading or "Rules in words",
        verdict=verdict,
        extent=(puzzle.size + 2 * margin) * PIXELS,
        below=drawn[True],
        above=drawn[False],
        grid=svg_shapes(_grid(puzzle, margin)),
        has_open=bool(open_),
        sentences=read_sentences(puzzle),
        lists=lists,
        summary=summary,
        recognized=_recognized(puzzle),
        thickness=puzzle.size / 9,
        number=format_number,
    )


def _recognized(puzzle: Puzzle) -> str:
    """The picture of the puzzle with its rules; empty if it cannot be drawn. What is open is not in
    it: the page lists that.
    """
    try:
        program = compose(puzzle.replace(rules="", unsupported=()))
        return svg(picture_of_program(program, title="", time_limit=NOTEBOOK_SECONDS), inline=True)
    except AspdokuError:
        return ""


def _grid(puzzle: Puzzle, margin: float) -> Iterator[Shape]:
    """The lines of the grid and the givens."""
    regions = tuple(filter(puzzle.is_region, puzzle.facts))
    bare = puzzle.replace(facts=regions, title="", author="", unsupported=())
    drawn = picture(bare, boxes="box" not in puzzle.without, captions=False)
    for shape in drawn.shapes:
        yield translated(shape, margin - drawn.grid.x, margin - drawn.grid.y)
