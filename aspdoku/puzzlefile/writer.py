"""Writer for puzzle files in the native format; reading the text gives an equal puzzle."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.inputs import Shape
from aspdoku.puzzle.puzzle import EDGES, REGION, Grid, Puzzle, box_shape
from aspdoku.puzzle.render import UNUSED_SIGN, with_box_lines
from aspdoku.puzzle.term import CONTROL, Function, Signature, Term, sort_key, to_asp
from aspdoku.puzzlefile import facts, inequalities
from aspdoku.puzzlefile.declared import PATHS, PICTURE, Declarations, undeclared
from aspdoku.puzzlefile.lines import (
    INTEGERS,
    TITLE_COMMENT,
    Line,
    has_blanks,
    is_name,
    quote,
    split_sections,
)
from aspdoku.puzzlefile.sections import NO_LABEL, section_facts

RESERVED = {facts.SECTION, *inequalities.SECTIONS}
COMMENT = re.compile(r"(^|\s)#")


def write(puzzle: Puzzle, declared: Declarations = undeclared) -> str:
    """The puzzle as the text of a puzzle file.

    declared: the inputs that rules declare; the reader must know the same ones
    Raises PuzzleError for content that a file cannot represent, such as a title of two lines.
    """
    parts = [_header(puzzle), _grid(puzzle), *_sections(puzzle, declared)]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def listed_facts(puzzle: Puzzle, declared: Declarations = undeclared) -> int:
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
            odd = not name or name != name.strip() or "," in name or COMMENT.search(name)
            if odd or has_blanks(name) or not _is_printable(name):
                raise PuzzleError(
                    f"a puzzle file cannot represent the name {quote(name)}: a name contains no"
                    " commas, comments, control characters or blanks, except within a path"
                )
        # Words without such a line would be read as rules.
        is_needed = names or (key == "with" and puzzle.rules and not puzzle.unsupported)
        lines += [f"{key}: {', '.join(names)}".rstrip()] if is_needed else []
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
    # Boxes that are retracted are not drawn; the header states a shape that is not the default.
    box = None if REGION[0] in puzzle.without else puzzle.box
    return with_box_lines(cells, box, width)


def _sections(puzzle: Puzzle, declared: Declarations) -> list[list[str]]:
    """The sections, sorted by name; facts that cannot be drawn follow in [facts]."""
    by_signature: dict[Signature, list[Function]] = defaultdict(list)
    for fact in puzzle.facts:
        if not is_name(fact.name) or not all(_is_writable(term, 0) for term in fact.arguments):
            raise PuzzleError(f"a puzzle file cannot represent the fact {quote(str(fact))}")
        by_signature[fact.signature].append(fact)
    sections = []
    written: set[Function] = set()
    for name in sorted({name for name, _ in by_signature} - RESERVED):
        for stated, lines in _drawings(puzzle.size, name, by_signature, declared):
            section = [_heading(name), *lines]
            if _reads_as(section, puzzle, stated, declared):
                sections.append(section)
                written.update(stated)
                break  # a name has one section
    drawing, unequal = inequalities.draw_inequalities(
        puzzle.size, by_signature[inequalities.PREDICATE]
    )
    if unequal:
        sections.append([_heading(inequalities.SECTION), *drawing])
        written.update(unequal)
    rest = [f"{fact}." for fact in puzzle.facts if fact not in written]
    if len(rest) > facts.MAX_FACTS:
        raise PuzzleError(f"a puzzle file cannot contain {len(rest)} facts, only {facts.MAX_FACTS}")
    return [*sections, [_heading(facts.SECTION), *rest]] if rest else sections


def is_picture(puzzle: Puzzle, name: str) -> bool:
    """Whether the facts `name/3`, with those of `name_value/2`, could be a picture."""
    stated = [fact for fact in puzzle.facts if fact.signature == (name, PICTURE)]
    values = [fact for fact in puzzle.facts if fact.signature == (f"{name}_value", 2)]
    section = [_heading(name), *_picture(puzzle.size, stated, values)]
    return _reads_as(section, puzzle, [*stated, *values], undeclared)


def _drawings(
    size: int, name: str, by_signature: Mapping[Signature, list[Function]], declared: Declarations
) -> Iterator[tuple[list[Function], list[str]]]:
    """The facts of a predicate with lines that may represent them; what is read back decides."""
    values = by_signature.get((f"{name}_value", 2), [])
    declarations = list(declared(name))
    if stated := by_signature.get((name, PICTURE), []):
        yield [*stated, *values], _picture(size, stated, values)
    stated = by_signature.get((name, PATHS), [])
    # Paths of one cell are more likely to be two cells each, if no rule declares them.
    lone = 1 in Counter(fact.arguments[0] for fact in stated).values()
    if stated and (declarations or not lone):
        yield [*stated, *values], _paths(Shape(((2, 3),), 0, named=True), stated, values)
    for declaration in declarations:
        stated, shape = by_signature.get((name, declaration.arity), []), declaration.shape
        if stated and declaration.clue_order == tuple(range(declaration.arity)):
            yield stated, _clues(size, stated)
        if stated and shape and shape.cells:
            if shape.other is None and len(shape.cells) == 1:
                marks = [Function(name, (*fact.arguments, "x")) for fact in stated]
                yield stated, _picture(size, marks, [])
            elif shape.times is not None:
                yield stated, _lists(size, shape, shape.times, stated)
            else:
                used = values if shape.named else []
                yield [*stated, *used], _paths(shape, stated, used)


def _picture(size: int, stated: list[Function], values: list[Function]) -> list[str]:
    labels = {fact.arguments[:2]: fact.arguments[2] for fact in stated}
    texts = {cell: label for cell, label in labels.items() if isinstance(label, str)}
    valued = {fact.arguments[0]: to_asp(fact.arguments[1]) for fact in values}
    width = max(map(len, texts.values()), default=1)
    span = range(1, size + 1)
    rows = [" ".join(texts.get((r, c), NO_LABEL).rjust(width) for c in span) for r in span]
    known = dict.fromkeys(texts.values()) if valued else ()
    return rows + [f"{label} = {valued.get(label, '')}".rstrip() for label in known]


def _paths(shape: Shape, stated: list[Function], values: list[Function]) -> list[str]:
    """The lines of cells for facts of a shape, each after its value; named sets in their order."""
    texts = {fact.arguments[0]: to_asp(fact.arguments[1]) for fact in values}
    lines: dict[Term, list[str]] = defaultdict(list)
    place = shape.other if shape.line is None else shape.line
    for fact in stated:
        terms = fact.arguments
        key = "" if place is None else terms[place]
        if shape.other is not None and not shape.named:
            texts[key] = to_asp(terms[shape.other])
        lines[key].append(" ".join(f"r{terms[row]}c{terms[column]}" for row, column in shape.cells))
    keys = sorted(lines, key=sort_key) if shape.named or shape.line is not None else list(lines)
    return [
        f"{texts[key]}: {line}" if key in texts else line
        for key in keys
        for line in (lines[key] if len(shape.cells) > 1 else [" ".join(lines[key])])
    ]


def _lists(size: int, shape: Shape, times: int, stated: list[Function]) -> list[str]:
    assert shape.other is not None
    ((row, column),) = shape.cells
    lists: dict[str, list[int]] = defaultdict(list)
    for fact in stated:
        terms = fact.arguments
        number, often = terms[shape.other], terms[times]
        if isinstance(number, int) and isinstance(often, int) and often <= size:
            lists[f"r{terms[row]}c{terms[column]}"] += [number] * often
    return [f"{','.join(map(str, sorted(each)))}: {cell}" for cell, each in lists.items()]


def _clues(size: int, stated: list[Function]) -> list[str]:
    """The lines of clues for facts with a place and a value, perhaps after an edge."""
    by_edge: dict[str, dict[Term, str]] = defaultdict(dict)
    for fact in stated:
        *before, place, value = fact.arguments
        if not isinstance(value, str):
            by_edge["".join(map(str, before))][place] = to_asp(value)
    width = max((len(clue) for clues in by_edge.values() for clue in clues.values()), default=1)
    label = max(map(len, by_edge), default=0) + 2
    return [
        (f"{edge}:".ljust(label) if edge else "")
        + " ".join(by_edge[edge].get(place, NO_LABEL).rjust(width) for place in range(1, size + 1))
        for edge in ("", *EDGES)
        if edge in by_edge
    ]


def _reads_as(
    section: list[str], puzzle: Puzzle, stated: list[Function], declared: Declarations
) -> bool:
    """Whether a section is read as these facts: the declarations may give it another meaning."""
    if any("\n" in text for text in section):  # in a term, which only the section of facts escapes
        return False
    lines = [Line(text, number, "") for number, text in enumerate(section, 1)]
    _, (part,) = split_sections(lines)
    try:
        found, _ = section_facts(part, puzzle.grid, declared)
    except PuzzleError:
        return False
    return {each.fact for each in found} == set(stated)


def _heading(name: str) -> str:
    return f"[{name.replace('_', '-')}]"


def _is_writable(term: Term, depth: int) -> bool:
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
    return not CONTROL.search(text) and "\n" not in text
