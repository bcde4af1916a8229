"""Blocks of constraints of Interactive Sudoku Solver, up to `End`.

`Or` is a block of alternatives. A clue in it is an exception to its rule unless its option holds.
`Replicate~TARGETS~ORIGIN` is a template: for each target, its cells move so that the origin comes
to lie on the target. The copies are written out before anything else is read, as a block `And`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from aspdoku.formats.base import UnsupportedError
from aspdoku.formats.iss import table
from aspdoku.formats.iss.codecs import bits_of
from aspdoku.formats.iss.grid import LARGEST, REGION_CELL, iss_name
from aspdoku.program import library
from aspdoku.puzzle.term import Function, Term

OR, AND, REPLICATE, END = "Or", "And", "Replicate", "End"
OPENING = {AND, OR, REPLICATE}
_MOST_OPTIONS = 500

_EXCEPTION = re.compile(r"not ab\(\w+,(?:([A-Z])|\(([A-Z0-9,]+)\))\)")
MOST_CONSTRAINTS = 20_000  # in all copies; more can only be an attack
_SHAPE = re.compile(r"\.Shape~([1-9][0-9]?)x([1-9][0-9]?)(?![0-9])")
_GROUP = re.compile(
    r"\.Var~([A-Z]{1,20})(?:~[^.~]*(?:~(?:([1-9][0-9]{0,3})x)?([1-9][0-9]{0,3})?)?)?"
)
_CELL = re.compile(r"[Rr]([1-9a-gA-G])[Cc]([1-9a-gA-G])((?:_[0-9]+)*)")
_EXTRA_CELL = re.compile(r"([A-Z]{2,}?)([1-9][0-9]{0,3})?((?:_[0-9]+)*)")
_OTHER_CELL = re.compile(r"[A-Z]{2,}[0-9]+")
_GRID = ""  # the name of the group that is the grid
_BASE = 17

Shapes = Mapping[str, tuple[int, int]]


class Constraint(NamedTuple):
    """The name of a constraint, which is empty for givens, and its arguments.

    inside: the constraints of a block
    """

    word: str
    arguments: list[str]
    inside: tuple[Constraint, ...] = ()


Option = tuple[Constraint, ...]


def options(block: Constraint) -> list[Option]:
    """The options of a block: all constraints of at least one of them are true.

    Raises UnsupportedError for an empty block, and if there are too many.
    """
    if not block.word:
        parts = list(map(_numbers, block.arguments))
    elif block.word in (OR, AND):
        parts = [options(each) for each in block.inside]
    else:
        return [(block,)]
    if not parts:
        raise UnsupportedError(f"an empty {block.word or 'given'}")
    if block.word == OR:
        return _limited(option for part in parts for option in part)
    return _limited(sum(each, ()) for each in product(*parts))


def _numbers(given: str) -> list[Option]:
    """A given with several numbers, such as R1C2_3_4, as options with one each."""
    cell, _, numbers = given.partition("_")
    return [(Constraint("", [f"{cell}_{number}"]),) for number in numbers.split("_")]


def _limited(alternatives: Iterable[Option]) -> list[Option]:
    listed: list[Option] = []
    for option in alternatives:
        listed.append(option)
        if len(listed) > _MOST_OPTIONS:
            raise UnsupportedError(f"more than {_MOST_OPTIONS} alternatives")
    return listed


def exceptions(facts: Iterable[Function], name: str) -> Iterator[tuple[Term, Term]]:
    """The arguments of the facts `ab(T,U)` that retract the clues of a rule: its symbol, and the
    name of a clue, or all arguments of a clue without a name.

    Raises UnsupportedError if the rule has no exception for a single clue.
    """
    rule = library.find(name)
    retracted = [match.groups() for match in _EXCEPTION.finditer(rule.code)]
    letters = {letter for letter, _ in retracted if letter}
    tuples = {tuple(listed.split(",")) for _, listed in retracted if listed}
    declared = {item.signature: item for item in rule.inputs}
    clues: dict[Term, None] = {}
    for fact in facts:
        item = declared[fact.signature]
        named = [fact.arguments[place] for place in item.names if item.arguments[place] in letters]
        if not named and item.arguments in tuples:
            named = [Function("", fact.arguments)]
        clues |= dict.fromkeys(named)
    if not clues:
        raise UnsupportedError(f"no exception names a clue of {name}")
    symbol = Function(name.replace("-", "_"))
    yield from ((symbol, clue) for clue in clues)


def expand(text: str) -> str:
    """The text with the copies for each template.

    A block that cannot be written out stays as it is, so that it is reported as unsupported: one
    with clues outside the grid in it, with cells of several groups, or with copies outside of it.
    """
    return "".join(f".{item}" for item in _expanded(text.split(".")[1:], _shapes(text)))


def _shapes(text: str) -> Shapes:
    """The numbers of cells and of columns of the grid and of each group of extra cells."""
    shape = _SHAPE.search(text)
    rows, columns = (int(shape[1]), int(shape[2])) if shape else (9, 9)
    if max(rows, columns) > LARGEST:
        return {}
    shapes = {_GRID: (rows * columns, columns), REGION_CELL: (rows * columns, columns)}
    for prefix, height, number in _GROUP.findall(text):
        cells = int(height or 1) * int(number or 1)
        shapes[f"{table.EXTRA}{prefix}"] = (cells, int(number or 1) if height else columns)
    return shapes


def _expanded(items: Sequence[str], shapes: Shapes) -> Iterator[str]:
    place = 0
    while place < len(items):
        word, *arguments = items[place].split("~")
        end = _end(items, place) if word == REPLICATE else 0
        if end:
            template = list(_expanded(items[place + 1 : end], shapes))
            try:
                copies = list(_copies(arguments, template, shapes))
            except UnsupportedError:
                copies = []
            if copies:
                yield from (AND, *copies, END)
                place = end + 1
                continue
        yield items[place]
        place += 1


def _end(items: Sequence[str], start: int) -> int:
    """The index of the end of the block that begins at this index; 0 if there is none."""
    depth = 0
    for index in range(start, len(items)):
        depth += items[index].partition("~")[0] in OPENING
        depth -= items[index] == END
        if not depth:
            return index
    return 0


def _copies(arguments: Sequence[str], template: Sequence[str], shapes: Shapes) -> Iterator[str]:
    targets, origin = [*arguments, "R1C1"][:2]
    found = _position(origin, shapes)
    if not 1 <= len(arguments) <= 2 or not found or found[-1]:
        raise UnsupportedError(origin)
    group, row, column, _ = found
    _, columns = shapes[group]
    start = row * columns + column
    chosen = [start + index for index, bit in enumerate(bits_of(targets)) if bit]
    if len(chosen) * len(template) > MOST_CONSTRAINTS:
        raise UnsupportedError(targets)
    for target in chosen:
        down, right = target // columns - row, target % columns - column
        for item in template:
            yield _moved(item, group, down, right, shapes)


def _moved(item: str, group: str, down: int, right: int, shapes: Shapes) -> str:
    """A constraint with all its cells moved by as many rows and columns."""
    word, *arguments = item.split("~")
    cells = [_position(argument, shapes) for argument in arguments]
    if item == END or (word in OPENING and word != REPLICATE):
        return item
    if word in table.OUTSIDE or not any(cells):
        raise UnsupportedError(word)
    number, columns = shapes[group]
    moved = []
    for argument, cell in zip(arguments, cells, strict=True):
        if not cell and _OTHER_CELL.fullmatch(argument):
            raise UnsupportedError(argument)
        if not cell:
            moved.append(argument)
            continue
        row, column = cell[1] + down, cell[2] + right
        inside = row >= 0 and 0 <= column < columns and row * columns + column < number
        if cell[0] != group or not inside:
            raise UnsupportedError(argument)
        moved.append(_name(group, row, column, *shapes[group]) + cell[3])
    return "~".join([word, *moved])


def _position(name: str, shapes: Shapes) -> tuple[str, int, int, str] | None:
    """The group, row and column of a cell, from 0, and the numbers after its name, if it is one."""
    if match := _CELL.fullmatch(name):
        return _GRID, int(match[1], _BASE) - 1, int(match[2], _BASE) - 1, match[3]
    match = _EXTRA_CELL.fullmatch(name)
    if not match or match[1] not in shapes:
        return None
    _, columns = shapes[match[1]]
    return match[1], *divmod(int(match[2] or 1) - 1, columns), match[3]


def _name(group: str, row: int, column: int, number: int, columns: int) -> str:
    if group == _GRID:
        return iss_name((row + 1, column + 1))
    return group if number == 1 else f"{group}{row * columns + column + 1}"
