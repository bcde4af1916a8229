"""Writer for puzzle files in the native format; reading the text gives an equal puzzle."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.puzzle import Puzzle, box_shape
from aspdoku.puzzle.term import CONTROL, Function
from aspdoku.puzzlefile import facts, inequalities, paths, picture
from aspdoku.puzzlefile.header import TITLE_COMMENT
from aspdoku.puzzlefile.lines import quote
from aspdoku.puzzlefile.section import INTEGERS, is_name

if TYPE_CHECKING:
    from aspdoku.puzzle.term import Term

RESERVED = {facts.SECTION, *inequalities.SECTIONS}
DRAWN = {3: picture.format_picture, 4: paths.format_paths}  # by the arity of the facts
COMMENT = re.compile(r"(^|\s)#")


def write(puzzle: Puzzle) -> str:
    """The puzzle as the text of a puzzle file.

    Raises PuzzleError for content that a file cannot represent, such as a title of two lines.
    """
    parts = [_header(puzzle), _grid(puzzle), *_sections(puzzle)]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _header(puzzle: Puzzle) -> list[str]:
    for text in (puzzle.title, *puzzle.unsupported):
        if text != text.strip() or TITLE_COMMENT.search(text) or not _is_printable(text):
            raise PuzzleError(
                f"a puzzle file cannot represent the title {quote(text)}: a title is one line"
                " without comments, control characters and surrounding blanks"
            )
    lines = [f"title: {puzzle.title}"] if puzzle.title else []
    for key, names in (("with", puzzle.elaborations), ("without", puzzle.without)):
        for name in names:
            if (
                not name
                or name != name.strip()
                or "," in name
                or COMMENT.search(name)
                or not _is_printable(name)
            ):
                raise PuzzleError(
                    f"a puzzle file cannot represent the name {quote(name)}: a name contains no"
                    " commas, comments, control characters or surrounding blanks"
                )
        lines += [f"{key}: {', '.join(names)}"] if names else []
    if puzzle.box and puzzle.box != box_shape(puzzle.size):
        lines.append("box: {}x{}".format(*puzzle.box))
    if not puzzle.has_default_numbers:
        lines.append(f"numbers: {puzzle.numbers[0]}-{puzzle.numbers[-1]}")
    return [*lines, *(f"unread: {text}" for text in puzzle.unsupported)]


def _grid(puzzle: Puzzle) -> list[str]:
    width = len(str(max(puzzle.givens().values(), default=1)))
    cells = [
        [("." if number is None else str(number)).rjust(width) for number in row]
        for row in puzzle.grid
    ]
    height, breadth = puzzle.box or (1, 1)
    if min(height, breadth) == 1:
        return [" ".join(row) for row in cells]
    bands = [range(start, start + breadth) for start in range(0, puzzle.size, breadth)]
    ruling = "-+-".join("-" * (breadth * (width + 1) - 1) for _ in bands)
    lines: list[str] = []
    for number, row in enumerate(cells):
        if number and number % height == 0:
            lines.append(ruling)
        lines.append(" | ".join(" ".join(row[column] for column in band) for band in bands))
    return lines


def _sections(puzzle: Puzzle) -> list[list[str]]:
    """The sections, sorted by name; facts that cannot be drawn follow in [facts]."""
    _check_facts(puzzle)
    by_signature: dict[tuple[str, int], list[Function]] = defaultdict(list)
    for fact in puzzle.facts:
        by_signature[fact.signature].append(fact)
    sections = []
    written: set[Function] = set()
    for name in sorted({name for name, arity in by_signature if arity in DRAWN} - RESERVED):
        values = by_signature[f"{name}_value", 2]
        for stated, draw in [(by_signature[name, arity], draw) for arity, draw in DRAWN.items()]:
            lines = draw(puzzle.size, stated, values) if stated else []
            if lines:
                sections.append([_heading(name), *lines])
                written.update(stated, values)
                break  # a name has one section
    unequal = inequalities.drawable(puzzle.size, by_signature[inequalities.PREDICATE])
    if unequal:
        sections.append(
            [
                _heading(inequalities.SECTION),
                *inequalities.format_inequalities(puzzle.size, unequal),
            ]
        )
        written.update(unequal)
    rest = [f"{fact}." for fact in puzzle.facts if fact not in written]
    if len(rest) > facts.MAX_FACTS:
        raise PuzzleError(f"a puzzle file cannot contain {len(rest)} facts, only {facts.MAX_FACTS}")
    return [*sections, [_heading(facts.SECTION), *rest]] if rest else sections


def _heading(name: str) -> str:
    return f"[{name.replace('_', '-')}]"


def _check_facts(puzzle: Puzzle) -> None:
    for fact in puzzle.facts:
        if not is_name(fact.name) or not all(_is_writable(term, 0) for term in fact.arguments):
            raise PuzzleError(f"a puzzle file cannot represent the fact {quote(str(fact))}")


def _is_writable(term: Term, depth: int) -> bool:
    """Whether the reader accepts the term."""
    if depth > facts.MAX_DEPTH:
        return False
    if isinstance(term, int):
        return term in INTEGERS
    if isinstance(term, str):
        return _is_printable(term.replace("\n", ""))
    return (not term.name or is_name(term.name)) and all(
        _is_writable(inner, depth + 1) for inner in term.arguments
    )


def _is_printable(text: str) -> bool:
    """Whether the text has no line breaks and no control characters."""
    return not CONTROL.search(text) and "\n" not in text
