"""Facts matched with drawing styles: their cells, the groups they form, and their texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from aspdoku.drawing.style import VARIABLE, DrawStyle
from aspdoku.puzzle.inputs import CELL_LETTERS, Input
from aspdoku.puzzle.puzzle import EDGES, Cell
from aspdoku.puzzle.term import Function, Term, sort_key

Values = Mapping[str, Term]

# Kinds whose facts are grouped by these arguments instead of by the name of a cage or line.
_NAMED_BY = {
    "corner": ("R", "C"),
    "mark": ("R", "C"),
    "clue": ("E", "J", "R", "C"),
    "candidates": ("R", "C"),
    "numbers": ("R", "C"),
    "note": (),
}


class MatchedFact(NamedTuple):
    """A fact with the values of its style's letters, its cells, and for a clue outside the grid the
    edge and the row or column.
    """

    fact: Function
    values: Values
    cells: tuple[Cell, ...]
    outside: tuple[str, int] | None = None


@dataclass
class FactGroup:
    """The facts that form one cage, line or mark.

    labels: texts from related facts; head: number of cells that form the first end of a line;
    closed: whether a line is a loop; caption: its name, if it is to be shown
    """

    name: tuple[Term, ...]
    facts: list[MatchedFact] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    head: int = 1
    closed: bool = False
    caption: str = ""

    @property
    def title(self) -> str:
        """Its name as messages write it; empty if it does not have a single name."""
        return str(self.name[0]) if len(self.name) == 1 else ""


def group_facts(
    style: DrawStyle, facts: Iterable[Function], size: int
) -> tuple[list[FactGroup], set[Function]]:
    """The groups that a style draws, in a fixed order, and the facts that are drawn."""
    facts = sorted(facts, key=sort_key)
    found: dict[tuple[Term, ...], FactGroup] = {}
    naming = _NAMED_BY.get(style.draw, name_letters(style))
    if style.draw == "edge":
        naming = style.atom.arguments
    for fact in facts:
        if fact.signature == style.atom.signature and (matched := _match(style, fact, size)):
            name = tuple(matched.values[each] for each in naming if each in matched.values)
            found.setdefault(name, FactGroup(name, head=style.head)).facts.append(matched)
    if "K" in style.atom.arguments:
        for group in found.values():
            group.facts.sort(key=lambda matched: (sort_key(matched.values["K"]), matched.cells))
    shown = {matched.fact for group in found.values() for matched in group.facts}
    for label in style.labels:
        for fact, group, values in _related_facts(label.atom, facts, found.values()):
            group.labels.append(_fill_in(label.text, values))
            shown.add(fact)
    if style.head_by:
        for fact, group, values in _related_facts(style.head_by, facts, found.values()):
            letters = style.head_by.arguments
            lengths = [values[each] for each in letters if each not in style.atom.arguments]
            group.head = next(
                (length for length in lengths if isinstance(length, int) and length > 0), group.head
            )
            shown.add(fact)
    if style.closed_by:
        for fact, group, _ in _related_facts(style.closed_by, facts, found.values()):
            group.closed = True
            shown.add(fact)
    return list(found.values()), shown


def cells(facts: Iterable[MatchedFact]) -> list[Cell]:
    """All cells of the facts, in order."""
    return [cell for matched in facts for cell in matched.cells]


def text_of(style: DrawStyle, matched: MatchedFact) -> str:
    """The text that a style shows for a fact."""
    text = _fill_in(style.text, matched.values)
    return dict(style.words).get(text, text)


def _match(style: DrawStyle, fact: Function, size: int) -> MatchedFact | None:
    """None if the fact has no cell in the grid, or no edge of it."""
    values = style.atom.of(fact)
    if style.draw == "clue":
        edge = values.get("E", style.edge)
        side = edge.name if isinstance(edge, Function) and not edge.arguments else edge
        index = values.get("J", values.get("R", values.get("C")))
        if side in EDGES and isinstance(index, int) and 1 <= index <= size:
            return MatchedFact(fact, values, (), (str(side), index))
        return None
    found = style.atom.cells_of(fact)
    if len(found) < len(style.atom.cells) or not {*chain(*found)} <= {*range(1, size + 1)}:
        return None
    if style.draw == "edge" and found[0] == found[1]:
        return None
    return MatchedFact(fact, values, tuple(found))


def name_letters(style: DrawStyle) -> list[str]:
    """The letters whose values are the name of a cage, line or region."""
    return [letter for letter in style.atom.arguments if letter not in (*CELL_LETTERS, "K")]


def _related_facts(
    atom: Input, facts: Iterable[Function], found: Iterable[FactGroup]
) -> Iterator[tuple[Function, FactGroup, Values]]:
    """The atom's facts, each joined with the groups that have the same values for their common
    letters, and the values of all letters.
    """
    by_values: dict[tuple[Term, ...], list[FactGroup]] = {}
    common: list[str] = []
    for group in found:
        first = group.facts[0].values
        common = [letter for letter in atom.arguments if letter in first]
        by_values.setdefault(tuple(first[letter] for letter in common), []).append(group)
    for fact in facts if common else ():
        if fact.signature == atom.signature:
            values = atom.of(fact)
            for group in by_values.get(tuple(values[letter] for letter in common), ()):
                yield fact, group, {**group.facts[0].values, **values}


def _fill_in(text: str, values: Values) -> str:
    return VARIABLE.sub(lambda found: words_of(values[found[1]]), text)


def words_of(term: Term) -> str:
    """A term as text for people: names of rules as commands write them."""
    if isinstance(term, Function) and not term.arguments:
        return term.name.replace("_", "-")
    return str(term)
