"""Sections that list a clue for each row or column, with a dot for none.

    . . 7 .            ->   name(3,7).

    top: . 3 . .       ->   name(top,2,3).  name(left,1,2).
    left: 2 . . .

The clues outside the grid are listed by edge: left and right from the top down, top and bottom from
the left.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aspdoku.puzzle.puzzle import EDGES
from aspdoku.puzzle.term import Function, to_asp
from aspdoku.puzzlefile.lines import Line, pluralize
from aspdoku.puzzlefile.picture import NO_LABEL
from aspdoku.puzzlefile.section import LocatedFact, Section, is_value, parse_value

if TYPE_CHECKING:
    from aspdoku.puzzle.term import Term

CLUE = re.compile(r"\.|-?[0-9]+")
EDGE_LINE = re.compile(rf"\s*({'|'.join(EDGES)})\s*:(.*)")


def looks_like_clues(section: Section, size: int) -> bool:
    """Whether the section is a list by edge, or one line with a clue for each row or column."""
    lines = section.contents
    if any(EDGE_LINE.fullmatch(line.content) for line in lines):
        return True
    words = lines[0].content.split()
    return size > 1 and len(lines) == 1 and len(words) == size and all(map(CLUE.fullmatch, words))


def parse_clues(section: Section, size: int) -> list[LocatedFact]:
    """Parse the clues into facts. Raises PuzzleError if a line does not list one for each place."""
    stated = []
    seen: set[str] = set()
    for line in section.contents:
        found = EDGE_LINE.fullmatch(line.content)
        if not found and len(section.contents) > 1:
            raise line.error(
                f"no edge in this line of {section.title}: begin it with one of"
                f" {', '.join(f'{edge}:' for edge in EDGES)}"
            )
        edge = found[1] if found else ""
        if edge in seen:
            raise line.error(f"duplicate clues for the edge {edge}")
        seen.add(edge)
        before = (Function(edge),) if edge else ()
        stated += _line(section, line, found[2] if found else line.content, before, size)
    if not stated:
        raise section.heading.error(f"section {section.title} contains no clue")
    return stated


def _line(
    section: Section, line: Line, text: str, before: tuple[Term, ...], size: int
) -> list[LocatedFact]:
    clues = text.split()
    if len(clues) != size:
        raise line.error(
            f"{pluralize(len(clues), 'clue')} in {section.title}, but the grid is {size}x{size}:"
            f" write one for each row or column, and {NO_LABEL} for none"
        )
    return [
        LocatedFact(Function(section.name, (*before, place, parse_value(clue, line))), line)
        for place, clue in enumerate(clues, 1)
        if clue != NO_LABEL
    ]


def format_clues(size: int, facts: list[Function]) -> list[str]:
    """The lines that `parse_clues` reads as these facts `name/2` or `name/3`; empty if none."""
    by_edge: dict[str, dict[Term, str]] = {}
    for fact in facts:
        *before, place, value = fact.arguments
        edge = str(before[0]) if before else ""
        clues = by_edge.setdefault(edge, {})
        if (
            place not in range(1, size + 1)
            or place in clues
            or not is_value(value)
            or isinstance(value, str)
            or (before and (before[0] != Function(edge) or edge not in EDGES))
        ):
            return []
        clues[place] = to_asp(value)
    if size == 1:
        return []
    width = max((len(clue) for clues in by_edge.values() for clue in clues.values()), default=1)
    label = max(map(len, by_edge), default=0) + 2
    return [
        (f"{edge}:".ljust(label) if edge else "")
        + " ".join(by_edge[edge].get(place, NO_LABEL).rjust(width) for place in range(1, size + 1))
        for edge in ("", *EDGES)
        if edge in by_edge
    ]
