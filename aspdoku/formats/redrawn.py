"""Puzzles from documents that aspdoku wrote: the facts that are drawn like the elements there.

The `.draw` files of the rules whose titles are stated are read backwards. The puzzle that results
counts only if a document that is written for it has the same elements and sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from aspdoku.drawing.style import DrawStyle, draw_file_styles
from aspdoku.errors import AspdokuError
from aspdoku.formats import sudokupad, urls
from aspdoku.formats.base import UnsupportedError
from aspdoku.formats.drawn.colours import colour, names
from aspdoku.formats.drawn.elements import Element
from aspdoku.formats.drawn.sketches import sketch_of
from aspdoku.formats.fpuzzles import table
from aspdoku.formats.stated_rules import fact_of, facts_in_text, noted_facts
from aspdoku.program.library import bundled_rule, default_names
from aspdoku.puzzle.inputs import Input
from aspdoku.puzzle.puzzle import REGION, Cell, Puzzle
from aspdoku.puzzle.term import Function, Term
from aspdoku.words import Reading, Stated

_EDGES = {(0, 1): "left", (0, -1): "right", (1, 0): "top", (-1, 0): "bottom"}
# The kinds of elements that styles are drawn as, if they are not called like the shape of a mark.
_KINDS = {
    **{"line": {"line", "thermo", "arrow"}, "edge": {"dot", "sign"}, "corner": {"corner"}},
    **{"area": {"shade"}, "outline": {"cage"}, "clue": {"outside"}, "pointer": {"outside"}},
}
_BY_KEY = {kind.key: kind.rules for kind in table.CONSTRAINTS}
_MARKS = {"none": "text", "inward": "tick", "outward": "tick"}


def redrawn(
    given: Puzzle, elements: Sequence[Element], readings: Sequence[Reading]
) -> tuple[Puzzle, dict[Element, dict[str, None]]] | None:
    """The puzzle with the facts that its elements are drawn for, and the rules of each element;
    None unless writing it gives the same elements and sentences.
    """
    stated = [each for reading in readings for each in reading.stated]
    rules = dict.fromkeys(each.rule for each in stated if each.rule not in default_names())
    noted = _noted(given, stated, rules)
    if noted is None or not rules or any(each.unread for each in readings):
        return None
    if rules.keys() <= {*given.elaborations}:
        return _by_keys(given, elements, rules) if noted.keys() <= {*given.facts} else None
    facts, taken = _drawn_facts(given, elements, rules)
    puzzle = given.replace(
        facts=tuple(facts | noted), elaborations=tuple(rules | dict.fromkeys(given.elaborations))
    )
    if not _is_written_so(puzzle, given.rules, elements):
        return None
    for element, about in taken.items():  # the ends of lines, and what is written into them
        if not about:
            for other, others in taken.items():
                about |= others if {*element.cells} <= {*other.cells} else {}
    return puzzle, taken


def _noted(
    given: Puzzle, stated: Sequence[Stated], rules: Mapping[str, None]
) -> dict[Function, None] | None:
    """The facts in notes after titles; None if a rule is stated in other words than its title, or
    if the regions contradict the text.
    """
    if any(not each.titled and (each.rule in rules or each.numbers) for each in stated):
        return None
    if any(each.rule == REGION[0] for each in stated) == (REGION[0] in given.without):
        return None
    noted: dict[Function, None] = {}
    for each in stated:
        rule = bundled_rule(each.rule)
        found = noted_facts(rule, each.notes, len(given.numbers)) if rule else []
        if found is None:
            return None
        noted |= dict.fromkeys(found)
    return noted


def _drawn_facts(
    given: Puzzle, elements: Sequence[Element], rules: Iterable[str]
) -> tuple[dict[Function, None], dict[Element, dict[str, None]]]:
    """The given facts with those that elements may be drawn for, and the rules of each element."""
    facts = dict.fromkeys(given.facts)
    taken: dict[Element, dict[str, None]] = {each: {} for each in elements}
    for name in rules:
        rule, labels = bundled_rule(name), count(1)
        for style in draw_file_styles(rule) if rule and name not in given.elaborations else ():
            for element in elements if style.draw in (*_KINDS, "mark") else ():
                for fact in _facts(style, element, elements, labels):
                    facts[fact] = None
                    taken[element][name] = None
    return facts, taken


def _is_written_so(puzzle: Puzzle, rules: str, elements: Sequence[Element]) -> bool:
    """Whether the document that is written for a puzzle has these sentences and elements."""
    try:
        document = sudokupad.write(puzzle.replace(rules="", unsupported=()))
        again = urls.puzzle_from_document(document)
        seen = sketch_of(document, again).elements
    except (AspdokuError, UnsupportedError):
        return False
    sentences = again.rules.splitlines()[1:]
    return {*sentences} <= {*rules.splitlines()} and _look(seen) == _look(elements)


def _by_keys(
    given: Puzzle, elements: Sequence[Element], rules: Iterable[str]
) -> tuple[Puzzle, dict[Element, dict[str, None]]] | None:
    """The puzzle whose rules a document of f-puzzles states by keys, and by their titles."""
    taken = {
        each: dict.fromkeys(
            name for key in each.conventions for name in _BY_KEY.get(key, ()) if name in rules
        )
        for each in elements
    }
    return (given, taken) if all(taken.values()) else None


def _look(elements: Iterable[Element]) -> Counter[Element]:
    """What can be seen of elements, however the document lists them."""
    return Counter(replace(each, parts=()) for each in elements)


def _facts(
    style: DrawStyle, element: Element, elements: Sequence[Element], labels: Iterator[int]
) -> Iterator[Function]:
    """The facts that a style may draw as an element."""
    atom, draw = style.atom, style.draw
    shape = style.shape or "circle"
    is_area = draw == "mark" and shape == "square" and style.size >= 1
    kinds = _KINDS.get(draw, {"shade" if is_area else _MARKS.get(shape, shape)})
    usual = {names(colour(each))[:1] for each in (style.colour, style.outline) if each}
    is_coloured = draw in ("line", "mark", "area") and usual
    if element.kind not in kinds or (is_coloured and element.colours[:1] not in usual):
        return
    cells = element.cells
    if draw in ("line", "pointer", "outline", "area"):
        yield from _named(style, element, elements, labels)
    elif draw == "edge":
        (row, column), (row_1, column_1) = cells
        placed: dict[str, Term] = {"R": row, "C": column, "R1": row_1, "C1": column_1}
        yield from _texted(style, atom, element.text, placed)
    elif draw == "clue" and element.direction in _EDGES:
        edge = _EDGES[element.direction]
        row, column = cells[0]
        index = row if edge in ("left", "right") else column
        placed = {"E": Function(edge), "J": index, "R": row, "C": column}
        for text in element.text.split(", ") if style.edge in ("", edge) else ():
            yield from _texted(style, atom, text, placed)
    elif draw == "corner":
        for text, times in Counter(element.text.split() or [""]).items():
            placed = {"R": cells[0][0], "C": cells[0][1], "Q": times}
            yield from _texted(style, atom, text, placed)
    elif draw == "mark":
        for row, column in cells:
            yield from _texted(style, atom, element.text, {"R": row, "C": column})


def _named(
    style: DrawStyle, element: Element, elements: Sequence[Element], labels: Iterator[int]
) -> Iterator[Function]:
    """The facts about the cells of cages or lines, and about these."""
    heads = len(element.cells) if element.shafts else style.head
    ways = [(*element.cells, *shaft) for shaft in element.shafts] or [
        *(element.pieces or [element.cells])
    ]
    for way in ways:
        label = next(labels)
        if element.closed and not style.closed_by:
            way = (*way, *way[:1])
        for place, (row, column) in enumerate(way, 1):
            values = {"I": label, "K": place, "R": row, "C": column}
            yield from fact_of(style.atom, values)
        if element.closed and style.closed_by:
            yield from fact_of(style.closed_by, {"I": label})
        if style.head_by and heads != style.head:
            yield from fact_of(style.head_by, {"I": label, "P": heads})
        for text in _labels(element, way, elements):
            for each in style.labels:
                yield from facts_in_text(each.text, each.atom, text, {"I": label})


def _labels(element: Element, way: Sequence[Cell], elements: Sequence[Element]) -> list[str]:
    if element.kind in ("cage", "outside"):
        return [element.text] if element.text else []
    places = [(min(way),), tuple(way[:1])]
    return [each.text for each in elements if each.kind == "text" and each.cells in places]


def _texted(
    style: DrawStyle, atom: Input, text: str, placed: Mapping[str, Term]
) -> Iterator[Function]:
    """The facts at a place that are drawn with this text."""
    for each in (text, *(old for old, new in style.words if new == text)):
        yield from facts_in_text(style.text, atom, each, placed)
