"""Writer for puzzle files in the native format; reading the text gives an equal puzzle."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.puzzle import REGION, Grid, Puzzle, box_shape
from aspdoku.puzzle.render import UNUSED_SIGN
from aspdoku.puzzle.term import CONTROL, Function
from aspdoku.puzzlefile import clue_lists, facts, inequalities, paths, picture
from aspdoku.puzzlefile.declared import PATHS, Declarations, format_cells, format_groups
from aspdoku.puzzlefile.header import TITLE_COMMENT, has_blanks
from aspdoku.puzzlefile.lines import Line, quote
from aspdoku.puzzlefile.section import INTEGERS, is_name, split_sections
from aspdoku.puzzlefile.section_facts import section_facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from aspdoku.puzzle.term import Signature, Term

RESERVED = {facts.SECTION, *inequalities.SECTIONS}
DRAWN = {3: picture.format_picture, 4: paths.format_paths}  # by the arity of the facts
COMMENT = re.compile(r"(^|\s)#")


def write(puzzle: Puzzle, declared: Declarations | None = None) -> str:
    """The puzzle as the text of a puzzle file.

    declared: the inputs that rules declare; the reader must know the same ones
    Raises PuzzleError for content that a file cannot represent, such as a title of two lines.
    """
    parts = [_header(puzzle), _grid(puzzle), *_sections(puzzle, declared)]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def listed_facts(puzzle: Puzzle, declared: Declarations | None = None) -> int:
    """How many facts no section represents. declared: as for `write`."""
    *_, last = [[], *_sections(puzzle, declared)]
    return len(last) - 1 if last[:1] == [_heading(facts.SECTION)] else 0


def _header(puzzle: Puzzle) -> list[str]:
    lines = [
        *_texts("title", puzzle.title),
        *_texts("author", puzzle.author),
        *_texts("rules", *puzzle.rules.split("\n") if puzzle.rules else ()),
    ]
    for key, names in (("with", puzzle.elaborations), ("without", puzzle.without)):
        for name in names:
            if (
                not name
                or name != name.strip()
                or "," in name
                or COMMENT.search(name)
                or not _is_printable(name)
                or has_blanks(name)
            ):
                raise PuzzleError(
                    f"a puzzle file cannot represent the name {quote(name)}: a name contains no"
                    " commas, comments, control characters or blanks, except within a path"
                )
        lines += [f"{key}: {', '.join(names)}"] if names else []
    if puzzle.box and puzzle.box != box_shape(puzzle.size):
        lines.append("box: {}x{}".format(*puzzle.box))
    if not puzzle.has_default_numbers:
        lines.append(f"numbers: {puzzle.numbers[0]}-{puzzle.numbers[-1]}")
    lines += _texts("unsupported", *puzzle.unsupported)
    if puzzle.solution:
        lines.append(f"solution: {solution_line(puzzle.solution)}")
    return lines


def solution_line(solution: Grid) -> str:
    """The numbers of a solution in one line, with a dot for a cell that it leaves open."""
    numbers = ["." if number is None else str(number) for row in solution for number in row]
    return ("" if max(map(len, numbers)) == 1 else " ").join(numbers)


def _texts(key: str, *texts: str) -> Iterator[str]:
    """A header line for each text; none for a title or an author that is empty."""
    for text in texts:
        if text != text.strip() or TITLE_COMMENT.search(text) or not _is_printable(text):
            raise PuzzleError(
                f"a puzzle file cannot represent the {key} {quote(text)}: it is one line without"
                " comments, control characters and surrounding blanks"
            )
        if text or key == "rules":
            yield f"{key}: {text}".rstrip()


def _grid(puzzle: Puzzle) -> list[str]:
    width = len(str(max(puzzle.givens().values(), default=1)))
    unused = puzzle.unused

    def sign(row: int, column: int, number: int | None) -> str:
        empty = UNUSED_SIGN if (row, column) in unused else "."
        return (empty if number is None else str(number)).rjust(width)

    cells = [
        [sign(row, column, number) for column, number in enumerate(numbers, 1)]
        for row, numbers in enumerate(puzzle.grid, 1)
    ]
    height, breadth = puzzle.box or (1, 1)
    # Boxes that are retracted are not drawn; the header states a shape that is not the default.
    if min(height, breadth) == 1 or REGION[0] in puzzle.without:
        return [" ".join(row) for row in cells]
    bands = [range(start, start + breadth) for start in range(0, puzzle.size, breadth)]
    separator = "-+-".join("-" * (breadth * (width + 1) - 1) for _ in bands)
    lines: list[str] = []
    for number, row in enumerate(cells):
        if number and number % height == 0:
            lines.append(separator)
        lines.append(" | ".join(" ".join(row[column] for column in band) for band in bands))
    return lines


def _sections(puzzle: Puzzle, declared: Declarations | None) -> list[list[str]]:
    """The sections, sorted by name; facts that cannot be drawn follow in [facts]."""
    _check_facts(puzzle)
    by_signature: dict[tuple[str, int], list[Function]] = defaultdict(list)
    for fact in puzzle.facts:
        by_signature[fact.signature].append(fact)
    sections = []
    written: set[Function] = set()
    for name in sorted({name for name, _ in by_signature} - RESERVED):
        values = by_signature.get((f"{name}_value", 2), [])
        for stated, lines in _drawings(puzzle.size, name, by_signature, values, declared):
            section = [_heading(name), *lines]
            if lines and _reads_as(section, puzzle, stated, declared):
                sections.append(section)
                written.update(stated)
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


def _drawings(
    size: int,
    name: str,
    by_signature: Mapping[Signature, list[Function]],
    values: list[Function],
    declared: Declarations | None,
) -> Iterator[tuple[list[Function], list[str]]]:
    """The facts of a predicate with lines that may represent them, the best first."""
    declarations = list(declared(name)) if declared else []
    for arity, draw in DRAWN.items():
        stated = by_signature.get((name, arity), [])
        # Paths of one cell are more likely to be two cells each, if no rule declares them.
        lone = 1 in Counter(fact.arguments[0] for fact in stated).values()
        if stated and (declarations or arity != PATHS or not lone):
            yield [*stated, *values], draw(size, stated, values)
    for declaration in declarations:
        stated = by_signature.get((name, declaration.arity), [])
        if not stated:
            continue
        if declaration.clue_order == tuple(range(declaration.arity)):
            yield stated, clue_lists.format_clues(size, stated)
        shape = declaration.shape
        if shape and shape.named:
            yield [*stated, *values], format_groups(size, shape, stated, values)
        elif shape:
            yield stated, format_cells(size, shape, stated)


def _reads_as(
    section: list[str], puzzle: Puzzle, stated: list[Function], declared: Declarations | None
) -> bool:
    """Whether a section is read as these facts: the declarations may give it another meaning."""
    lines = [Line(text, number, "") for number, text in enumerate(section, 1)]
    _, (part,) = split_sections(lines)
    try:
        found, _ = section_facts(part, puzzle.grid, declared)
    except PuzzleError:
        return False
    return {each.fact for each in found} == set(stated)


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
