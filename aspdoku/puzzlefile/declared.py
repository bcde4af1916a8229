"""Sections whose meaning a rule file declares: marked cells, pairs of cells, cells with a value.

The content of a section alone reads as a picture `name(R,C,"A")` or as paths `name(I,K,R,C)`, with
`name_value/2` for values. If a rule declares the predicate with other arguments,
`#defined even/2.  % even(R,C): …`, the same cells are facts with these arguments:

    arguments                   from paths                    from a picture
    R, C                        r1c1 r2c2                     any labels
    R, C, a value               3: r1c1 r2c2                  numbers, or labels with values
    R, C, a name (B, G or I)    3: r1c1 r2c2 (may overlap)    (what a picture reads as)
    R, C, R1, C1                r1c1 r1c2
    R, C, R1, C1, a value       3: r1c1 r1c2
    R, C, G, I                  2: r1c1 r1c2                  (line I is a set of group 2)
    R, C, N, Q                  5,8,8: r1c1                   (5 once, 8 twice)

A list of clues, `name(R,N)` or `name(EDGE,J,N)`, has the order of the declared letters.

`interpret` gives these facts. It does not know rules: what they declare is an argument. The reader
applies it with the rules that can be found by name, and a program with its own rules: `settled`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable
from itertools import chain
from typing import NamedTuple

from aspdoku.puzzle import inputs
from aspdoku.puzzle.inputs import Input, Shape
from aspdoku.puzzle.puzzle import Cell, Puzzle, SectionFacts
from aspdoku.puzzle.term import Function, Term, to_asp
from aspdoku.puzzlefile.lines import is_digits

PICTURE, PATHS = 3, 4  # the arities of the facts of a picture and of paths
_NUMBER = "(?:0|[1-9][0-9]{0,8})"
LIST = re.compile(rf"{_NUMBER}(?:,{_NUMBER})+")

Declarations = Callable[[str], Iterable[Input]]
"""The inputs that known rules declare for a predicate."""


def undeclared(_: str) -> Iterable[Input]:
    """No declaration, as without rules."""
    return ()


class UnfitError(ValueError):
    """A section that does not fit what a rule declares.

    group: the index of a path, counted from 1, or the label of cells in a picture; None if the
    whole section does not fit
    line: the number of its line in the file
    """

    line = 0

    def __init__(self, message: str, group: Term | None = None) -> None:
        super().__init__(message)
        self.group = group


class RepeatedCellError(UnfitError):
    """A section that lists a cell twice in a set, or a clue twice."""


class _Group(NamedTuple):
    name: Term
    cells: list[Cell]
    value: Term | None


def interpret(section: SectionFacts, declared: Iterable[Input]) -> tuple[Function, ...]:
    """The facts of a section, with the arguments that one of the declarations wants. Raises
    UnfitError if no declaration fits; without declarations, the facts are those written.
    """
    problem = None
    name = section.name
    cells = [fact for fact in section.cells if fact.name == name]
    values = [fact for fact in section.cells if fact.name != name]
    arity = len(cells[0].arguments)
    declared = list(declared)
    named = {each.arity for each in declared if each.arguments}
    # A file without names for the arguments follows the others.
    declared = [each for each in declared if each.arguments or each.arity not in named]
    if not declared:
        return section.cells
    try:
        # A clue of a row, a column or a place at an edge.
        if arity == 2 or isinstance(cells[0].arguments[0], Function):
            return tuple(_clues(cells, [each for each in declared if each.arity == arity]))
        groups = _groups(cells, values, arity)
        if any(_is_natural(each, arity) for each in declared):
            for group in groups:
                _refuse_list(group)
            return section.cells
        for each in declared:
            try:
                return tuple(_facts(each, groups, arity))
            except UnfitError as error:
                meaning = each.meaning or f"{name}/{each.arity}"
                problem = problem or type(error)(f"{error} ({meaning})", error.group)
    except UnfitError as error:
        problem = error
    assert problem
    problem.line = line_of(section, problem.group)
    raise problem


def settled(puzzle: Puzzle, declared: Iterable[Input]) -> Puzzle:
    """The puzzle with the facts of its sections as the rules of a program declare them. A section
    whose predicate none of them declares is left to later rules. Raises UnfitError, which names the
    section and has its line.
    """
    by_name: dict[str, list[Input]] = defaultdict(list)
    for each in declared:
        by_name[each.name].append(each)
    facts = dict.fromkeys(puzzle.facts)
    sections = []
    for section in puzzle.sections:
        # Facts that a user has replaced are no longer those of the section.
        if not facts.keys() >= set(section.facts):
            continue
        if not by_name[section.name]:
            sections.append(section)
            continue
        try:
            found = interpret(section, by_name[section.name])
        except UnfitError as error:
            shown = UnfitError(f"section [{section.name.replace('_', '-')}]: {error}", error.group)
            shown.line = error.line
            raise shown from None
        for fact in section.facts:
            del facts[fact]
        facts |= dict.fromkeys(found)
        sections.append(section._replace(facts=found))
    return puzzle.replace(facts=tuple(facts), box=puzzle.box, sections=tuple(sections))


def line_of(section: SectionFacts, group: Term | None) -> int:
    """The number of the line with a path, by its index, or with a label; for None, the first."""
    lines = [
        line
        for fact, line in zip(section.cells, section.lines, strict=True)
        if fact.arguments[-1 if len(fact.arguments) == PICTURE else 0] == group
    ]
    return next(iter(lines), section.lines[0])


def line_about(section: SectionFacts, fact: Function | None, cells: Collection[Cell]) -> int:
    """The number of the line with a fact, a path or a cell like these; else the first."""
    paths: dict[Term, set[object]] = defaultdict(set)
    for entry in section.cells:
        if len(entry.arguments) == PATHS:
            paths[entry.arguments[0]].add(entry.arguments[2:])
    whole = {name for name, path in paths.items() if path == {*cells}}
    return max(
        zip(section.cells, section.lines, strict=True),
        key=lambda each: (
            each[0] == fact,
            each[0].arguments[0] in whole,
            bool({each[0].arguments[:2], each[0].arguments[2:]} & {*cells}),
        ),
    )[1]


def _clues(cells: list[Function], declared: list[Input]) -> Iterable[Function]:
    """The clues with the arguments in the order of a declaration. Without a declaration that names
    its arguments, the order is that of the list.
    """
    if not declared or not all(each.arguments for each in declared):
        return cells
    for each in declared:
        if order := each.clue_order:
            return [
                Function(fact.name, tuple(fact.arguments[place] for place in order))
                for fact in cells
            ]
    raise UnfitError(
        "a list of clues, one for each row or column, does not determine this input: write its"
        f" cells as r1c1 r1c2, or put its facts into [facts] ({declared[0].meaning})"
    )


def _is_natural(declared: Input, arity: int) -> bool:
    if declared.arity != arity:
        return False
    if declared.shape is None:
        return not declared.arguments
    return declared.shape.named if arity == PICTURE else declared.shape == inputs.PATHS


def _groups(cells: list[Function], values: list[Function], arity: int) -> list[_Group]:
    value_of = {fact.arguments[0]: fact.arguments[1] for fact in values}
    found: dict[Term, list[tuple[Term, Cell]]] = defaultdict(list)
    for fact in cells:
        if arity == PICTURE:
            row, column, label = fact.arguments
            found[label].append((0, (row, column)))  # type: ignore[arg-type]
        else:
            path, position, row, column = fact.arguments
            found[path].append((position, (row, column)))  # type: ignore[arg-type]
    return [
        _Group(name, [cell for _, cell in sorted(placed)], value_of.get(name))
        for name, placed in found.items()
    ]


def _facts(declared: Input, groups: list[_Group], notation: int) -> tuple[Function, ...]:
    name, shape = declared.name, declared.shape
    if shape is None or not shape.cells:
        raise UnfitError(f"cells do not determine this input: {_reason(declared)}")
    facts: dict[Function, None] = {}
    step = len(shape.cells)
    for group in groups:
        values = _values(group, shape, notation)
        if shape.named and group.value is not None:
            facts[Function(f"{name}_value", (group.name, group.value))] = None
        for start in range(0, len(group.cells), step):
            listed = group.cells[start : start + step]
            # A place that is None is no argument of this input.
            at = dict(zip(chain(*shape.cells), chain(*listed), strict=False)) | {
                shape.line: group.name
            }
            new = [
                Function(name, tuple(map({**at, **each}.__getitem__, range(declared.arity))))
                for each in values
            ]
            if len({*listed}) < step or not facts.keys().isdisjoint(new):
                twice = " ".join(map("r{0[0]}c{0[1]}".format, dict.fromkeys(listed)))
                remedy = "write two cells" if len({*listed}) < step else "delete one"
                message = f"{twice} occurs twice, which has no meaning: {remedy}"
                raise RepeatedCellError(message, group.name)
            facts |= dict.fromkeys(new)
    return tuple(facts)


def _values(group: _Group, shape: Shape, notation: int) -> list[dict[int | None, Term]]:
    """The other arguments than cells, by their places, for each fact about a cell of a group.
    Raises UnfitError if the group does not fit the shape.
    """
    text = " ".join("r{}c{}".format(*cell) for cell in group.cells[:3])
    value, of_pairs, drawn = group.value, len(shape.cells) > 1, notation == PICTURE
    if shape.times is None:
        _refuse_list(group)
    if shape.named:
        value = group.name
    elif shape.other is not None and value is None and drawn and is_digits(str(group.name)):
        value = int(str(group.name))
    listed = isinstance(value, int) or (isinstance(value, str) and LIST.fullmatch(value))
    problems = {
        "a picture has no pairs of cells: write each on a line, as in r1c1 r1c2": of_pairs
        and drawn,
        f"{len(group.cells)} cells in {text}: write one pair on each line": of_pairs
        and len(group.cells) != len(shape.cells),
        f"a value before {text}, but this input takes none": shape.other is None
        and value is not None,
        f"missing value of {text}: write it as in `1: {text}`": shape.other is not None
        and value is None,
        "write this section as lines, as in `1: r1c1 r1c2`": drawn
        and (shape.line is not None or shape.times is not None),
        f"expected numbers separated by commas, not {value and to_asp(value)}": shape.times
        is not None
        and not listed,
    }
    for problem, found in problems.items():
        if found:
            raise UnfitError(problem, group.name)
    if shape.times is not None:
        numbers = Counter(map(int, str(value).split(",")))
        return [{shape.other: number, shape.times: often} for number, often in numbers.items()]
    return [{} if value is None else {shape.other: value}]


def _reason(declared: Input) -> str:
    """Why cells do not determine the arguments of an input, and a remedy."""
    otherwise = "or put its facts into [facts]"
    letters = declared.arguments
    if not letters:
        return f"name its arguments by letters in the comment after #defined, {otherwise}"
    if not {"R", "C"} <= {*letters}:
        return f"call the row of a cell R and its column C in the comment, {otherwise}"
    others = [letter for letter in letters if letter not in inputs.CELL_LETTERS]
    special = [letters[place] for place in declared.places if letters[place] in others]
    if special and len(others) == 1:
        meaning = inputs.LETTERS[special[0][0]].meaning
        return f"{special[0]} means {meaning}; use another letter, such as N, {otherwise}"
    listed = " and ".join(others or ("R1", "C1"))
    return f"besides the cells a section has one value, not {listed}: put its facts into [facts]"


def _refuse_list(group: _Group) -> None:
    if isinstance(group.value, str) and LIST.fullmatch(group.value):
        raise UnfitError(f"the list {group.value} where one value is expected", group.name)
