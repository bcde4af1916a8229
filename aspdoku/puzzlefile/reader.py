"""Parser for puzzle files in the native format."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.puzzle import REGION, UNUSED, Puzzle
from aspdoku.puzzle.render import UNUSED_SIGN
from aspdoku.puzzle.term import Function
from aspdoku.puzzlefile import grid
from aspdoku.puzzlefile.lines import (
    KEYS,
    Line,
    LocatedFact,
    key_of,
    parse_header,
    quote,
    split_lines,
    split_sections,
    value_line,
)

if TYPE_CHECKING:
    from aspdoku.puzzlefile.declared import Declarations

NO_GRID = (
    "no grid found: a puzzle file contains the rows of a grid, such as 5 3 . . 7 . . . .,"
    " before its sections"
)
LARGEST_REMNANT = 2
_FRAME = frozenset("|+*=")


def parse_native(text: str, name: str, declared: Declarations | None = None) -> Puzzle:
    """Parse the text of a puzzle file. Raises PuzzleError at name:line.

    declared: the inputs that rules declare, which decide about sections such as [even]
    """
    before, sections = split_sections(split_lines(text, name))
    headers, rows = _split_headers(before)
    if not rows:
        raise sections[0].heading.error(NO_GRID) if sections else PuzzleError(NO_GRID, name)
    fields, places = parse_header(headers)
    allowed = fields.get("numbers", range(0))
    numbers = grid.parse_grid(rows, allowed, UNUSED_SIGN)
    if len(numbers) <= LARGEST_REMNANT and not allowed:
        _require_nothing_removed(before, rows, len(numbers))
    if places["solution"]:
        line = value_line(places["solution"][0])
        if not line.content:
            raise line.error("solution is empty: write its numbers there, or delete the line")
        fields["solution"] = grid.parse_grid([line], allowed, size=len(numbers))
    if any(UNUSED_SIGN in row.content for row in rows):  # in few puzzles
        fields["layout"] = tuple(
            Function(UNUSED[0], (row, column))
            for row, (_, cells) in enumerate(grid.grid_rows(rows, UNUSED_SIGN), 1)
            for column, cell in enumerate(cells, 1)
            if cell == UNUSED_SIGN
        )
    stated: list[LocatedFact] = []
    if sections:
        from aspdoku.puzzlefile.sections import all_facts  # many puzzles have no sections

        stated, fields["sections"] = all_facts(sections, numbers, declared or (lambda _: ()))
    if "box" not in fields and all(fact.signature != REGION for fact, _ in stated):
        fields["box"] = grid.drawn_box_shape(rows)
    return _puzzle({"grid": numbers, **fields}, stated, places["box"], name)


def _require_nothing_removed(lines: list[Line], rows: list[Line], size: int) -> None:
    """Raise PuzzleError if a small grid can be what is left of a larger one."""
    for line in lines:
        if key_of(line):  # a title may contain #
            continue
        removed = line.content != line.text.rstrip() or (line.text and not line.text.strip())
        indented = size == 1 and line.text[:1].isspace()
        if removed or indented or (line in rows and set(line.content) & _FRAME):
            raise line.error(
                f"only a {size}x{size} grid is left without comments (#), frames and blank lines:"
                f" write . in every empty cell, or numbers: 1-{size} above the grid"
            )


def _split_headers(lines: list[Line]) -> tuple[list[Line], list[Line]]:
    """The header lines and the lines of the grid, without comments and blank lines."""
    lines = [line for line in lines if line.content]
    first = next((index for index, line in enumerate(lines) if not key_of(line)), len(lines))
    headers, rows = lines[:first], lines[first:]
    word = rows[0].content.split()[0].lower() if rows else ""
    if word in KEYS and len(rows) > 1:
        raise rows[0].error(f"missing colon after {quote(word)}: write {word}: …")
    late = next((line for line in rows if key_of(line)), None)
    if late:
        raise late.error(f"header {quote(key_of(late))} after the grid: headers must precede it")
    return headers, rows


def _puzzle(
    fields: dict[str, Any], stated: list[LocatedFact], box: list[Line], name: str
) -> Puzzle:
    """Build the puzzle. Raises PuzzleError at the line that makes it invalid: a fact, or `box`."""

    def attempt(count: int) -> Puzzle | PuzzleError:
        """The puzzle with the first `count` facts, or the error that makes it invalid."""
        try:
            return Puzzle(**fields, facts=tuple(fact for fact, _ in stated[:count]))
        except PuzzleError as error:
            return error

    puzzle = attempt(len(stated))
    if isinstance(puzzle, Puzzle):
        return puzzle
    # Adding facts never repairs an invalid puzzle, so the offending fact is found by bisection.
    offending = bisect_left(
        range(len(stated) + 1), True, key=lambda count: isinstance(attempt(count), PuzzleError)
    )
    lines = [stated[offending - 1].line] if offending else box
    message = str(attempt(offending))
    raise lines[0].error(message) if lines else PuzzleError(message, name)
