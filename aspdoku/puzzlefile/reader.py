"""Parser for puzzle files in the native format."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.puzzle import REGION, Grid, Puzzle
from aspdoku.puzzlefile import grid, header, section
from aspdoku.puzzlefile.declared import Declarations, interpret, no_declarations
from aspdoku.puzzlefile.header import KEYS, Header, key_of
from aspdoku.puzzlefile.lines import Line, quote, split_lines
from aspdoku.puzzlefile.section import LocatedFact

if TYPE_CHECKING:
    from aspdoku.puzzlefile.section import Section

NO_GRID = (
    "no grid found: a puzzle file contains the rows of a grid, such as 5 3 . . 7 . . . .,"
    " before its sections"
)


def parse_native(text: str, name: str, declared: Declarations = no_declarations) -> Puzzle:
    """Parse the text of a puzzle file. Raises PuzzleError at name:line.

    declared: the inputs that rules declare, which decide about sections such as [even]
    """
    before, sections = section.split_sections(split_lines(text, name))
    headers, rows = _split_headers(before)
    if not rows:
        raise sections[0].heading.error(NO_GRID) if sections else PuzzleError(NO_GRID, name)
    head = header.parse_header(headers)
    numbers = grid.parse_grid(rows, head.numbers)
    stated = _facts(sections, numbers, declared) if sections else []
    if not head.box and all(fact.signature != REGION for fact, _ in stated):
        head = replace(head, box=grid.ruled_box_shape(rows))
    return _puzzle(head, numbers, stated, name)


def _facts(sections: list[Section], numbers: Grid, declared: Declarations) -> list[LocatedFact]:
    """The facts of all sections. Raises PuzzleError for two sections of one predicate."""
    from aspdoku.puzzlefile import facts, inequalities

    stated: list[LocatedFact] = []
    seen: dict[str, Line] = {}
    for part in sections:
        predicate = inequalities.SECTIONS.get(part.name, part.name)
        if predicate in seen:
            raise part.heading.error(
                f"duplicate section {part.title}, first given in line {seen[predicate].number}"
            )
        seen[predicate] = part.heading
        stated += section_facts(part, numbers, declared)
        if len(stated) > facts.MAX_FACTS:
            raise stated[facts.MAX_FACTS].line.error(facts.TOO_MANY_FACTS)
    return stated


def _split_headers(lines: list[Line]) -> tuple[list[Line], list[Line]]:
    """The header lines and the lines of the grid, without comments and blank lines."""
    lines = [line for line in lines if line.content]
    first = next((index for index, line in enumerate(lines) if not key_of(line)), len(lines))
    headers, rows = lines[:first], lines[first:]
    late = next((line for line in rows if key_of(line)), None)
    if late:
        raise late.error(f"header {quote(key_of(late))} after the grid: headers must precede it")
    return headers, rows


def section_facts(part: Section, numbers: Grid, declared: Declarations) -> list[LocatedFact]:
    """The facts of a section; its content decides which kind of section it is.

    A section that does not fit the declarations of its predicate is read as if there were none: it
    may be meant for a rule that is added later. Raises PuzzleError.
    """
    from aspdoku.puzzlefile import clue_lists, facts, inequalities, paths, picture

    if part.name == facts.SECTION:
        return facts.parse_facts(part)
    if not part.contents:
        raise part.empty_section_error()
    if part.name in inequalities.SECTIONS:
        return inequalities.parse_inequalities(part, numbers)
    if paths.looks_like_paths(part):
        return _interpreted(part, paths.parse_paths(part, len(numbers)), declared)
    if clue_lists.looks_like_clues(part, len(numbers)):
        return clue_lists.parse_clues(part, len(numbers))
    late = next((line for line in part.contents if key_of(line) in KEYS), None)
    if late:
        raise late.error(f"header {quote(key_of(late))} after the grid: headers must precede it")
    return _interpreted(part, picture.parse_picture(part, len(numbers)), declared)


def _interpreted(
    part: Section, stated: list[LocatedFact], declared: Declarations
) -> list[LocatedFact]:
    """The facts of cells as they are declared. Errors about them are located at the heading."""
    facts = [each.fact for each in stated]
    try:
        found = interpret(part.name, facts, declared(part.name))
    except ValueError:
        return stated
    return stated if found == facts else [LocatedFact(fact, part.heading) for fact in found]


def _puzzle(head: Header, numbers: Grid, stated: list[LocatedFact], name: str) -> Puzzle:
    """Build the puzzle.

    Raises PuzzleError at the line that makes it invalid.
    """

    def attempt(count: int) -> Puzzle | PuzzleError:
        """The puzzle with the first `count` facts, or the error that makes it invalid."""
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
    # Adding facts never repairs an invalid puzzle, so the offending fact is found by bisection.
    offending = bisect_left(
        range(len(stated) + 1), True, key=lambda count: isinstance(attempt(count), PuzzleError)
    )
    line = stated[offending - 1].line if offending else head.box_line
    message = str(attempt(offending))
    raise line.error(message) if line else PuzzleError(message, name)
