"""From the text of a puzzle file to a puzzle."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.puzzle import REGION, Grid, Puzzle
from aspdoku.puzzlefile import grid, header, section
from aspdoku.puzzlefile.header import KEYS, Header, key_of
from aspdoku.puzzlefile.lines import Line, quote, split_lines

if TYPE_CHECKING:
    from aspdoku.puzzlefile.section import LocatedFact, Section

NO_GRID = (
    "there is no grid in it: a puzzle file holds the rows of a grid, such as 5 3 . . 7 . . . .,"
    " before any section"
)


def parse_native(text: str, name: str) -> Puzzle:
    """The puzzle in the text of a puzzle file. Raises PuzzleError at name:line."""
    before, sections = section.split_sections(split_lines(text, name))
    headers, rows = _split_headers(before)
    if not rows:
        raise sections[0].heading.error(NO_GRID) if sections else PuzzleError(NO_GRID, name)
    head = header.parse_header(headers)
    numbers = grid.parse_grid(rows, head.numbers)
    stated = _facts(sections, numbers) if sections else []
    if not head.box and all(fact.signature != REGION for fact, _ in stated):
        head = replace(head, box=grid.ruled_box_shape(rows))
    return _puzzle(head, numbers, stated, name)


def _facts(sections: list[Section], numbers: Grid) -> list[LocatedFact]:
    """The facts of all sections, of which no two state the same predicate."""
    from aspdoku.puzzlefile import facts, inequalities

    stated: list[LocatedFact] = []
    seen: dict[str, Line] = {}
    for part in sections:
        predicate = inequalities.SECTIONS.get(part.name, part.name)
        if predicate in seen:
            raise part.heading.error(
                f"there are two sections {part.title}, the first in line {seen[predicate].number}"
            )
        seen[predicate] = part.heading
        stated += _section_facts(part, numbers)
        if len(stated) > facts.MAX_FACTS:
            raise stated[facts.MAX_FACTS].line.error(facts.TOO_MANY_FACTS)
    return stated


def _split_headers(lines: list[Line]) -> tuple[list[Line], list[Line]]:
    """The header lines and the lines of the grid; comments and blank lines are neither."""
    lines = [line for line in lines if line.content]
    first = next((place for place, line in enumerate(lines) if not key_of(line)), len(lines))
    headers, rows = lines[:first], lines[first:]
    late = next((line for line in rows if key_of(line)), None)
    if late:
        raise late.error(
            f"{quote(key_of(late))} looks like a header, and headers come first, before the grid"
        )
    return headers, rows


def _section_facts(part: Section, numbers: Grid) -> list[LocatedFact]:
    """The facts of a section, which is of the first kind that its content fits."""
    from aspdoku.puzzlefile import facts, inequalities, paths, picture

    if part.name == facts.SECTION:
        return facts.parse_facts(part)
    if not part.contents:
        raise part.empty_section_error()
    if part.name in inequalities.SECTIONS:
        return inequalities.parse_inequalities(part, numbers)
    if paths.looks_like_paths(part):
        return paths.parse_paths(part, len(numbers))
    late = next((line for line in part.contents if key_of(line) in KEYS), None)
    if late:
        raise late.error(
            f"{quote(key_of(late))} looks like a header, and headers come first, before the grid"
        )
    return picture.parse_picture(part, len(numbers))


def _puzzle(head: Header, numbers: Grid, stated: list[LocatedFact], name: str) -> Puzzle:
    """The puzzle that all this makes.

    Raises PuzzleError at the line because of which it makes none.
    """

    def attempt(count: int) -> Puzzle | PuzzleError:
        """The puzzle with the first so many facts, or why there is none."""
        try:
            return Puzzle(
                grid=numbers,
                box=head.box,
                facts=tuple(fact for fact, _ in stated[:count]),
                elaborations=head.elaborations,
                without=head.without,
                title=head.title,
                numbers=head.numbers,
                unsupported=head.unread,
            )
        except PuzzleError as error:
            return error

    puzzle = attempt(len(stated))
    if isinstance(puzzle, Puzzle):
        return puzzle
    # What one fact spoils no other mends, so the guilty one can be found by halving.
    guilty = bisect_left(
        range(len(stated) + 1), True, key=lambda count: isinstance(attempt(count), PuzzleError)
    )
    line = stated[guilty - 1].line if guilty else head.box_line
    complaint = str(attempt(guilty))
    raise line.error(complaint) if line else PuzzleError(complaint, name)
