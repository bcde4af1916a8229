"""Sections of a puzzle file: what their lines state, and the facts that a rule declares for it.

The content of a section decides of which kind it is, never its name:

    A A B .           name(1,1,"A").  name(1,2,"A").  name(1,3,"B").  ...         a picture
    A = 10            name_value("A",10).
    B =               B has no value, stated explicitly

    r1c1 r1c2 r2c3    name(1,1,1,1).  name(1,2,1,2).  name(1,3,2,3).              paths
    15: r4c1 r4c2     name(2,1,4,1).  name(2,2,4,2).  name_value(2,15).
    5,8,8: r2c2       name(3,1,2,2).  name_value(3,"5,8,8").

    . . 7 .           name(3,7).                        a clue for each row or column
    top: . 3 . .      name(top,2,3).                    clues at an edge: left and right from the
    left: 2 . . .     name(left,1,2).                   top down, top and bottom from the left

The arguments of paths are the number of the path, the position on it, row and column.
"""

from __future__ import annotations

import re

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.puzzle import EDGES, Cell, Grid, SectionFacts
from aspdoku.puzzle.term import Function, Term
from aspdoku.puzzlefile import facts, inequalities
from aspdoku.puzzlefile.declared import LIST, Declarations, RepeatedCellError, UnfitError, interpret
from aspdoku.puzzlefile.grid import may_be_separator, split_characters, without_bars
from aspdoku.puzzlefile.lines import (
    KEYS,
    STRING,
    Line,
    LocatedFact,
    Section,
    key_of,
    parse_value,
    pluralize,
    quote,
)

NO_LABEL = "."
SIGNS = "put signs < > ^ v between cells into [greater-than]"
LABEL = re.compile(r"[^\W_]\w*")
VALUE_LINE = re.compile(r"\s*([^\s=]+)\s*=\s*(.*)")
CELL = re.compile(r"[rR]([0-9]{1,9})[cC]([0-9]{1,9})")
PATH = re.compile(rf"\s*(?:({STRING.pattern}|[^\s:]*)\s*:)?(.*)")
CLUE = re.compile(r"\.|-?[0-9]+")
EDGE_LINE = re.compile(rf"\s*({'|'.join(EDGES)})\s*:(.*)")
_EDGES = ", ".join(f"{edge}:" for edge in EDGES)


def all_facts(
    sections: list[Section], numbers: Grid, declared: Declarations
) -> tuple[list[LocatedFact], tuple[SectionFacts, ...]]:
    """The facts of all sections, and the sections whose facts depend on what a rule declares."""
    stated: list[LocatedFact] = []
    dependent: list[SectionFacts] = []
    seen: dict[str, Line] = {}
    for part in sections:
        predicate = inequalities.SECTIONS.get(part.name, part.name)
        if predicate in seen:
            raise part.heading.error(
                f"duplicate section {part.title}, first given in line {seen[predicate].number}"
            )
        seen[predicate] = part.heading
        found, cells = section_facts(part, numbers, declared)
        stated += found
        dependent += [cells] if cells else []
        if len(stated) > facts.MAX_FACTS:
            raise stated[facts.MAX_FACTS].line.error(facts.TOO_MANY_FACTS)
    return stated, tuple(dependent)


def section_facts(
    part: Section, numbers: Grid, declared: Declarations
) -> tuple[list[LocatedFact], SectionFacts | None]:
    """The facts of a section. A section that does not fit the declarations of its predicate is read
    as if there were none: it may be meant for a rule that is added later. Raises PuzzleError, also
    if the facts would then have the arity of a declared input, and another meaning, or if a cell is
    twice in a set.
    """
    size, lines = len(numbers), part.contents
    if part.name == facts.SECTION:
        return facts.parse_facts(part), None
    if not lines:
        raise part.empty_section_error()
    if part.name in inequalities.SECTIONS:
        return inequalities.parse_inequalities(part, numbers), None
    words = lines[0].content.split()
    if any(CELL.fullmatch(name) for line in lines for name in _parts(line)[1][:1]):
        stated = _paths(part, size, declared)
    elif any(EDGE_LINE.fullmatch(line.content) for line in lines) or (
        len(lines) == 1 and len(words) == size > 1 and all(map(CLUE.fullmatch, words))
    ):
        stated = _clues(part, size)
    else:
        late = next((line for line in lines if key_of(line) in KEYS), None)
        if late:
            raise late.error(
                f"header {quote(key_of(late))} after the grid: headers must precede it"
            )
        stated = _picture(part, size)
    return _interpreted(part, stated, declared)


def _interpreted(
    part: Section, stated: list[LocatedFact], declared: Declarations
) -> tuple[list[LocatedFact], SectionFacts]:
    """The facts of cells as they are declared, located at the heading."""
    written = tuple(each.fact for each in stated)
    section = SectionFacts(part.name, written, tuple(each.line.number for each in stated), written)
    declarations = list(declared(part.name))
    try:
        facts = interpret(section, declarations)
    except UnfitError as error:
        arities = {len(fact.arguments) for fact in written if fact.name == part.name}
        repeated = isinstance(error, RepeatedCellError)
        if repeated or arities & {each.arity for each in declarations}:
            line = next(each.line for each in stated if each.line.number == error.line)
            raise line.error(f"section {part.title}: {error}") from None
        return stated, section
    if facts == written:
        return stated, section
    return [LocatedFact(fact, part.heading) for fact in facts], section._replace(facts=facts)


def _paths(section: Section, size: int, declared: Declarations) -> list[LocatedFact]:
    stated = []
    for path, line in enumerate(section.contents, 1):
        value, cells = _parts(line)
        if not cells:
            raise line.error("empty path: list its cells, e.g. r1c1 r1c2 r2c3")
        if value is not None:
            term = _path_value(value, line, section.name, declared)
            stated.append(LocatedFact(Function(f"{section.name}_value", (path, term)), line))
        stated += [
            LocatedFact(Function(section.name, (path, position, *_cell(name, size, line))), line)
            for position, name in enumerate(cells, 1)
        ]
    return stated


def _parts(line: Line) -> tuple[str | None, list[str]]:
    """The value before the colon, if there is one, and the words after it."""
    value, cells = PATH.fullmatch(line.content).groups()  # type: ignore[union-attr]
    return value, cells.split()


def _path_value(text: str, line: Line, name: str, declared: Declarations) -> Term:
    """The value before a path; a list such as `5,8,8` is a string."""
    if LIST.fullmatch(text):
        return text
    try:
        return parse_value(text, line)
    except PuzzleError as error:
        inputs = (each for known in (name, f"{name}_value") for each in declared(known))
        meanings = dict.fromkeys(each.meaning for each in inputs if each.meaning)
        raise PuzzleError("; ".join([str(error), *meanings])) from None


def _cell(name: str, size: int, line: Line) -> Cell:
    match = CELL.fullmatch(name)
    if not match:
        raise line.error(
            f"invalid cell {quote(name)}: write a path as r1c1 r1c2 r2c3, with blanks between its"
            " cells"
        )
    row, column = int(match[1]), int(match[2])
    if not (1 <= row <= size and 1 <= column <= size):
        raise line.error(f"{name} is outside the grid: its rows and columns are 1 to {size}")
    return row, column


def _clues(section: Section, size: int) -> list[LocatedFact]:
    stated = []
    seen: set[str] = set()
    for line in section.contents:
        match = EDGE_LINE.fullmatch(line.content)
        if not match and len(section.contents) > 1:
            raise line.error(
                f"no edge in this line of {section.title}: begin it with one of {_EDGES}"
            )
        edge, text = match.groups() if match else ("", line.content)
        if edge in seen:
            raise line.error(f"duplicate clues for the edge {edge}")
        seen.add(edge)
        clues = text.split()
        if len(clues) != size:
            raise line.error(
                f"{pluralize(len(clues), 'clue')} in {section.title}, but the grid is"
                f" {size}x{size}: write one for each row or column, and {NO_LABEL} for none"
            )
        before = (Function(edge),) if edge else ()
        stated += [
            LocatedFact(Function(section.name, (*before, place, parse_value(clue, line))), line)
            for place, clue in enumerate(clues, 1)
            if clue != NO_LABEL
        ]
    if not stated:
        raise section.heading.error(f"section {section.title} contains no clue")
    return stated


def _picture(section: Section, size: int) -> list[LocatedFact]:
    drawn = [line for line in section.contents if not may_be_separator(line)]
    value_lines = [line for line in drawn if VALUE_LINE.match(line.content)]
    rows = [line for line in drawn if line not in value_lines]
    cells = [
        (label, LocatedFact(Function(section.name, (row, column, label)), line))
        for row, (line, labels) in enumerate(_labels(section, rows, size), 1)
        for column, label in enumerate(labels, 1)
        if _is_label(label, f"r{row}c{column}", line)
    ]
    if not cells:
        raise section.heading.error(f"the picture in {section.title} contains no label")
    known = list(dict.fromkeys(label for label, _ in cells))
    return [stated for _, stated in cells] + _values(section, value_lines, known)


def _is_label(label: str, where: str, line: Line) -> bool:
    if label != NO_LABEL and not LABEL.fullmatch(label):
        hint = f"; {SIGNS}" if label in "<>^" else ""
        raise line.error(
            f"invalid label {quote(label)} in {where} of the picture: a label consists of letters"
            f" and digits, and . means no label{hint}"
        )
    return label != NO_LABEL


def _labels(section: Section, rows: list[Line], size: int) -> list[tuple[Line, list[str]]]:
    """The labels in each row, separated by blanks in all rows or single characters in all rows."""

    def error(line: Line, found: str) -> PuzzleError:
        hint = f"put ASP facts into [facts]; {SIGNS}"
        if any(":" in each.content for each in section.contents):
            hint = "a value is written as in `A = 3`, and clues outside the grid begin with one of"
            hint += f" {_EDGES}"
        return line.error(
            f"{section.title} has {found} of a picture, but the grid is {size}x{size}. A section is"
            " a picture of the size of the grid, or paths such as r1c1 r1c2, one per line;"
            f" {hint}"
        )

    if len(rows) != size:
        raise error(section.heading, pluralize(len(rows), "row"))
    splits = [
        [split(without_bars(line)) for line in rows] for split in (str.split, split_characters)
    ]
    labels = max(splits, key=lambda labels: sum(len(row) == size for row in labels))
    for number, (line, row) in enumerate(zip(rows, labels, strict=True), 1):
        if len(row) != size:
            raise error(line, f"{pluralize(len(row), 'label')} in row {number}")
    return list(zip(rows, labels, strict=True))


def _values(section: Section, lines: list[Line], known: list[str]) -> list[LocatedFact]:
    first_lines: dict[str, Line] = {}
    stated = []
    for line in lines:
        label, term = VALUE_LINE.match(line.content).groups()  # type: ignore[union-attr]
        if label not in known:
            raise line.error(
                f"the picture has no label {quote(label)}; its labels are {', '.join(known)}"
            )
        if label in first_lines:
            raise line.error(
                f"duplicate value of {label}, first given in line {first_lines[label].number}"
            )
        first_lines[label] = line
        if term:
            fact = Function(f"{section.name}_value", (label, parse_value(term, line)))
            stated.append(LocatedFact(fact, line))
    missing = next((label for label in known if label not in first_lines), None)
    if lines and missing:
        raise lines[-1].error(
            f"missing value of label {missing}: write `{missing} = 10`, or `{missing} =` for no"
            " value"
        )
    return stated
