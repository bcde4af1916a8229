"""The constraints in a text of Interactive Sudoku Solver, and its blocks of them, up to `End`.

`Or` is a block of alternatives. A clue in it is an exception to its rule unless its option holds.
`Replicate~TARGETS~ORIGIN` is a template: for each target, its cells move so that the origin comes
to lie on the target. A template stands for the block `And` of its copies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice, product
from typing import NamedTuple
from urllib.parse import unquote

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import UnsupportedError, joined
from aspdoku.formats.iss import table
from aspdoku.formats.iss.codecs import bits_of
from aspdoku.formats.iss.grid import IssGrid
from aspdoku.program import library
from aspdoku.puzzle.term import Function, Term

OR, AND, REPLICATE, END = "Or", "And", "Replicate", "End"
_DEEPEST = 50  # blocks inside of each other
_MOST_OPTIONS = 500
_MOST_CONSTRAINTS = 20_000  # in all copies; more can only be an attack

_ADDRESS = re.compile(
    r"(?:https?://)?sigh\.github\.io/Interactive-Sudoku-Solver(?:/[\w.]*)?\?(?P<query>[^#]*)(?:#.*)?"
)
_ITEMS = re.compile(r"(?:\.[A-Za-z]*(?:~[^.~]*)*)+")
_CELL = re.compile(r"R[0-9]+C[0-9]")
# A cell, or the region of a cell, and the numbers of a given.
_MOVABLE = re.compile(r"([Rr][1-9a-gA-G][Cc][1-9a-gA-G]|[A-Z]{2,}[0-9]+)(_[0-9]+)*")
_EXCEPTION = re.compile(r"not ab\(\w+,(?:([A-Z])|\(([A-Z0-9,]+)\))\)")


class Constraint(NamedTuple):
    """The name of a constraint, which is empty for givens, and its arguments.

    inside: the constraints of a block
    """

    word: str
    arguments: list[str]
    inside: tuple[Constraint, ...] = ()


Option = tuple[Constraint, ...]


def fits(text: str) -> bool:
    """Whether a text consists of constraints, or is a URL that contains them."""
    first, *_ = _joined(text)
    if not _ITEMS.fullmatch(first):
        return False
    words = {item.partition("~")[0] for item in first.split(".")[1:]} - {""}
    # A dot and an X alone can also be the cells of a grid, and letters with a ~ words after it.
    known = {word for word in words & table.WORDS if len(word) > 1}
    if "~" in first:
        return bool(known or _CELL.search(first) or _ADDRESS.search(text))
    return bool(known) and words <= table.WORDS


def parse(text: str) -> list[Constraint]:
    """The constraints, with those inside of blocks; And only as an option of Or."""
    first, *more = _joined(text)
    if more:
        raise PuzzleError("the URL has several parameters q")
    if not first.startswith("."):
        raise PuzzleError("expected constraints that start with a dot, e.g. .Cage~10~R1C1~R1C2")
    blocks: list[tuple[Constraint, list[Constraint]]] = [(Constraint("", []), [])]
    for word, *arguments in (item.split("~") for item in first.split(".")[1:]):
        if word in (AND, END) and arguments:
            raise PuzzleError(f"unexpected arguments of {word}: {'~'.join(arguments)[:30]!r}")
        constraint = Constraint(word, arguments)
        if word in (AND, OR, REPLICATE):
            if len(blocks) > _DEEPEST:
                raise PuzzleError(f"more than {_DEEPEST} blocks inside of each other")
            blocks.append((constraint, []))
            continue
        if word == END:
            if len(blocks) == 1:
                raise PuzzleError("End without a matching beginning")
            block, inside = blocks.pop()
            constraint = block._replace(inside=tuple(inside))
        blocks[-1][1].append(constraint)
    if len(blocks) > 1:
        raise PuzzleError(f"{blocks[-1][0].word} without a matching End")
    return list(flat(blocks[0][1]))


def _joined(text: str) -> list[str]:
    """The text without blanks and comments; for a URL, the values of its parameter q."""
    whole = joined(text.lstrip("\ufeff"))
    match = _ADDRESS.fullmatch(whole)
    parameters = [part.partition("=") for part in match["query"].split("&")] if match else []
    return ["".join(unquote(value).split()) for name, _, value in parameters if name == "q"] or [
        whole
    ]


def flat(constraints: Iterable[Constraint]) -> Iterator[Constraint]:
    """The constraints, with those of a block `And` in place of the block."""
    for each in constraints:
        yield from flat(each.inside) if each.word == AND else [each]


def expanded(constraint: Constraint, field: IssGrid) -> Constraint:
    """A constraint with copies in place of each template in it. A template that has no copies in
    this grid stays, so that it is reported as unsupported: one with clues outside the grid, with
    cells of several groups, or with copies outside of it.
    """
    inside = tuple(expanded(each, field) for each in constraint.inside)
    if constraint.word == REPLICATE:
        try:
            return Constraint(AND, [], tuple(_copies(constraint.arguments, inside, field)))
        except (UnsupportedError, PuzzleError):
            pass
    return constraint._replace(inside=inside)


def _copies(
    arguments: list[str], template: tuple[Constraint, ...], field: IssGrid
) -> Iterator[Constraint]:
    if not 1 <= len(arguments) <= 2:
        raise UnsupportedError(f"{len(arguments)} arguments")
    targets, origin = [*arguments, "R1C1"][:2]
    group, width, row, column = field.position(origin)
    chosen = [row * width + column + index for index, bit in enumerate(bits_of(targets)) if bit]
    number = len(chosen) * sum(map(_size, template))
    if not 0 < number <= _MOST_CONSTRAINTS or group in table.MISSING_CELLS:
        raise UnsupportedError(targets)
    for target in chosen:
        down, right = target // width - row, target % width - column
        yield from (_moved(each, group, down, right, field) for each in template)


def _size(constraint: Constraint) -> int:
    return 1 + sum(map(_size, constraint.inside))


def _moved(constraint: Constraint, group: str, down: int, right: int, field: IssGrid) -> Constraint:
    word, arguments, inside = constraint
    if word in (AND, OR):
        moved = (_moved(each, group, down, right, field) for each in inside)
        return constraint._replace(inside=tuple(moved))
    places = {}
    for argument in arguments:
        name, *numbers = argument.split("_")
        if name in field.extra or _MOVABLE.fullmatch(argument):
            if field.position(name)[0] != group:
                raise UnsupportedError("cells of several groups")
            places[argument] = "_".join([field.moved(name, down, right), *numbers])
    if word in table.OUTSIDE or word == REPLICATE or not places:
        raise UnsupportedError(word)
    return Constraint(word, [places.get(argument, argument) for argument in arguments])


def options(block: Constraint) -> list[Option]:
    """The options of a block: all constraints of at least one of them are true."""
    if not block.word:
        cells = (given.partition("_") for given in block.arguments)
        parts: list[list[Option]] = [
            [(Constraint("", [f"{cell}_{number}"]),) for number in numbers.split("_")]
            for cell, _, numbers in cells
        ]
    elif block.word in (OR, AND):
        parts = [options(each) for each in block.inside]
    else:
        return [(block,)]
    if not parts:
        raise UnsupportedError(f"an empty {block.word or 'given'}")
    joint = (tuple(chain(*each)) for each in product(*parts))
    together: Iterable[Option] = chain(*parts) if block.word == OR else joint
    listed = list(islice(together, _MOST_OPTIONS + 1))
    if len(listed) > _MOST_OPTIONS:
        raise UnsupportedError(f"more than {_MOST_OPTIONS} alternatives")
    return listed


def exceptions(facts: Iterable[Function], name: str) -> list[tuple[Term, Term]]:
    """The arguments of the facts `ab(T,U)` that retract the clues of a rule: its symbol, and the
    name of a clue, or all arguments of a clue without a name. Raises UnsupportedError if the rule
    has no exception for a single clue.
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
    return [(Function(name.replace("-", "_")), clue) for clue in clues]
