"""Facts by the letters of their looks.

Which cells they are about, what belongs together, and what is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from aspdoku.draw.style import Atom, Look
from aspdoku.puzzle.puzzle import EDGES, Cell
from aspdoku.puzzle.term import Function, Term, sort_key

Values = Mapping[str, Term]

_VARIABLE = re.compile(r"\{([A-Z]\d*)\}")
# What tells the facts of one cage or line apart, rather than naming it.
_PLACES = frozenset(("R", "C", "R1", "C1", "K"))
_GATHERED = {
    "corner": ("R", "C"),
    "mark": ("R", "C"),
    "clue": ("E", "J", "R", "C"),
    "candidates": ("R", "C"),
}


class Reading(NamedTuple):
    """A fact, what its letters stand for, its cells, and the edge and the row or column that it
    stands before.
    """

    fact: Function
    values: Values
    cells: tuple[Cell, ...]
    outside: tuple[str, int] | None = None


@dataclass
class Group:
    """The readings that make one cage, line or mark.

    labels: what others say of it; head: how many cells make its first end; closed: whether it is a
    loop
    """

    name: tuple[Term, ...]
    readings: list[Reading] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    head: int = 1
    closed: bool = False


def groups(look: Look, facts: Iterable[Function], size: int) -> tuple[list[Group], set[Function]]:
    """What a look shows of these facts, in a fixed order, and the facts that it shows."""
    facts = sorted(facts, key=sort_key)
    found: dict[tuple[Term, ...], Group] = {}
    for fact in facts:
        if fact.signature == look.atom.signature and (reading := _reading(look, fact, size)):
            name = _name(look, reading.values)
            found.setdefault(name, Group(name, head=look.head)).readings.append(reading)
    if "K" in look.atom.letters:
        for group in found.values():
            group.readings.sort(key=lambda reading: (sort_key(reading.values["K"]), reading.cells))
    shown = {reading.fact for group in found.values() for reading in group.readings}
    for label in look.labels:
        for fact, group, values in _matches(label.atom, facts, found.values()):
            group.labels.append(_filled(label.text, values))
            shown.add(fact)
    if look.head_by:
        for fact, group, values in _matches(look.head_by, facts, found.values()):
            said = [
                values[letter] for letter in look.head_by.letters if letter not in look.atom.letters
            ]
            group.head = next(
                (value for value in said if isinstance(value, int) and value > 0), group.head
            )
            shown.add(fact)
    if look.closed_by:
        for fact, group, _ in _matches(look.closed_by, facts, found.values()):
            group.closed = True
            shown.add(fact)
    return list(found.values()), shown


def cell(reading: Reading, row: str, column: str) -> Cell:
    """The cell that two letters name."""
    return _number(reading.values[row]), _number(reading.values[column])


def cells(readings: Iterable[Reading]) -> list[Cell]:
    """All of their cells, in order."""
    return [each for reading in readings for each in reading.cells]


def written(look: Look, reading: Reading) -> str:
    """What a look writes for a fact."""
    text = _filled(look.text, reading.values)
    return dict(look.words).get(text, text)


def _reading(look: Look, fact: Function, size: int) -> Reading | None:
    """None where the fact names no cell of the grid, or no edge of it."""
    values = dict(zip(look.atom.letters, fact.arguments, strict=True))
    if look.draw == "clue":
        edge = values.get("E", look.edge)
        side = edge.name if isinstance(edge, Function) and not edge.arguments else edge
        index = values.get("J", values.get("R", values.get("C")))
        if side in EDGES and isinstance(index, int) and 1 <= index <= size:
            return Reading(fact, values, (), (str(side), index))
        return None
    pairs = [pair for pair in (("R", "C"), ("R1", "C1")) if pair[0] in values and pair[1] in values]
    found = []
    for row, column in pairs:
        place = values[row], values[column]
        if not all(isinstance(each, int) and 1 <= each <= size for each in place):
            return None
        found.append((_number(place[0]), _number(place[1])))
    if look.draw == "edge" and found[0] == found[1]:
        return None
    return Reading(fact, values, tuple(found))


def _name(look: Look, values: Values) -> tuple[Term, ...]:
    if look.draw in ("edge", "note"):
        return tuple(values.values()) if look.draw == "edge" else ()
    letters = _GATHERED.get(look.draw) or [
        each for each in look.atom.letters if each not in _PLACES
    ]
    return tuple(values[each] for each in letters if each in values)


def _matches(
    atom: Atom, facts: Iterable[Function], found: Iterable[Group]
) -> Iterator[tuple[Function, Group, Values]]:
    """The atom's facts, the groups that agree with them on all letters that both have, and the
    values of all letters.
    """
    by_values: dict[tuple[Term, ...], list[Group]] = {}
    common: list[str] = []
    for group in found:
        first = group.readings[0].values
        common = [letter for letter in atom.letters if letter in first]
        by_values.setdefault(tuple(first[letter] for letter in common), []).append(group)
    for fact in facts if common else ():
        if fact.signature == atom.signature:
            values = dict(zip(atom.letters, fact.arguments, strict=True))
            for group in by_values.get(tuple(values[letter] for letter in common), ()):
                yield fact, group, {**group.readings[0].values, **values}


def _filled(text: str, values: Values) -> str:
    return _VARIABLE.sub(lambda found: str(values[found[1]]), text)


def _number(term: Term) -> int:
    assert isinstance(term, int)
    return term
