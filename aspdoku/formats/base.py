"""The Format record, and helpers shared by the readers and writers of foreign formats."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from typing import NamedTuple, TypeVar

from aspdoku.errors import PuzzleError, RuleError
from aspdoku.program import library
from aspdoku.puzzle.puzzle import Cell, Grid, Puzzle, box_shape, format_range
from aspdoku.puzzle.term import Function, Signature, Term
from aspdoku.puzzlefile.grid import cell_number
from aspdoku.puzzlefile.lines import Line, enumerated, is_digits, place_of, split_lines

SMALLEST, LARGEST = 4, 35  # sizes of grids with one character per cell
MAX_LISTED = 6
SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


Key = TypeVar("Key")
Content = TypeVar("Content")
ArgumentsBySignature = Mapping[Signature, list[tuple[Term, ...]]]


class UnsupportedError(Exception):
    """Part of an entry has no supported meaning; the message describes it."""


@dataclass(frozen=True)
class Format:
    """A format of puzzle files.

    fits: whether a text is in this format, judging by its content; the first that fits is taken
    ambiguity: for a text that fits, a message about other readings of it, or an empty string; only
    asked if the format was detected
    read: the puzzles in a text; the second argument is the file name for errors. Raises PuzzleError
    write: a puzzle as text. What the format cannot represent is left out, because the text is read
    back and compared, or raises UnsupportedError
    kinds: the rules and facts of which its puzzles have one set; none if reading back decides
    sizes: the numbers of rows that a grid can have
    numbers: the numbers in a grid, if not 1 to n; None if reading back decides
    multiple: whether the concatenated texts of several puzzles are a file
    texts: which of the fields title, author, rules and solution of a puzzle the format represents
    undetected: whether the format has to be named when a text is read, which does not state its
    rules
    stated: for a format that represents parts of a puzzle only as drawings and in words, the puzzle
    without these parts
    plain: reads what such a text states in another way
    """

    name: str
    description: str
    fits: Callable[[str], bool]
    read: Callable[[str, str], list[Puzzle]]
    write: Callable[[Puzzle], str] | None = None
    kinds: tuple[RuleSet, ...] = ()
    sizes: range = range(SMALLEST, LARGEST + 1)
    numbers: range | None = range(0)
    suffixes: tuple[str, ...] = ()
    ambiguity: Callable[[str], str] | None = None
    multiple: bool = False
    texts: tuple[str, ...] = ()
    undetected: bool = False
    stated: Callable[[Puzzle], Puzzle] | None = None
    plain: Callable[[str, str], list[Puzzle]] | None = None


def by_key(pairs: Iterable[tuple[Key, Content]]) -> dict[Key, list[Content]]:
    """What is paired with each key, in order."""
    found: dict[Key, list[Content]] = {}
    for key, each in pairs:
        found.setdefault(key, []).append(each)
    return found


def content_lines(text: str, name: str = "") -> list[Line]:
    """The lines of a text that are neither blank nor just a comment."""
    lines = _content_lines(text)
    return [Line(line.text, line.number, name) if name else line for line in lines]


@lru_cache(maxsize=4)
def _content_lines(text: str) -> tuple[Line, ...]:
    return tuple(line for line in split_lines(text, "") if line.content.strip())


def translated(lines: Iterable[Line], signs: Mapping[int, int]) -> list[Line]:
    """The lines with other signs in place of these."""
    return [Line(line.text.translate(signs), line.number, line.name) for line in lines]


def joined(text: str) -> str:
    """All characters of a text, without blanks and comments."""
    return "".join("".join(line.content.split()) for line in content_lines(text))


def has_lines_only(text: str, pattern: re.Pattern[str]) -> bool:
    """Whether each line of a text, and at least one, matches a pattern."""
    lines = [line.content.strip() for line in content_lines(text)]
    return bool(lines) and all(map(pattern.fullmatch, lines))


def read_urls(text: str, name: str, read: Callable[[str], Content]) -> list[Content]:
    """What is read from the URL on each line. Raises PuzzleError, with the line."""
    lines = content_lines(text, name)
    if not lines:
        raise PuzzleError("no URL found", name)
    puzzles = []
    for line in lines:
        with errors_at(place_of(name, line.number)):
            puzzles.append(read(line.content.strip()))
    return puzzles


@contextmanager
def errors_at(place: str) -> Iterator[None]:
    """Errors in this context have a place, unless it is empty: a file, or a part of a document."""
    try:
        yield
    except PuzzleError as error:
        raise PuzzleError(str(error), place) from None


def grid_size(cells: int) -> int:
    """The number of rows of a grid with this number of cells; 0 if there is no such grid."""
    size = isqrt(cells)
    return size if size * size == cells and SMALLEST <= size <= LARGEST else 0


def grid_of(cells: Sequence[str], line: Line) -> Grid:
    """The square grid of these cells in reading order, all from one line. Raises PuzzleError."""
    size = isqrt(len(cells))
    return to_rows(
        [number_in(cell, size, cell_name(index, size), line) for index, cell in enumerate(cells)]
    )


def number_in(cell: str, size: int, where: str, line: Line) -> int | None:
    """The number in a cell, perhaps after zeros; None for an empty cell. Raises PuzzleError."""
    digits = cell.lstrip("0") if is_digits(cell) else ""
    return cell_number(digits or cell, range(1, size + 1), where, line)


def to_rows(cells: Sequence[Content]) -> tuple[tuple[Content, ...], ...]:
    """Split the cells of a square grid, in reading order, into rows."""
    size = isqrt(len(cells))
    return tuple(tuple(cells[start : start + size]) for start in range(0, size * size, size or 1))


def cell_name(index: int, size: int) -> str:
    """The name of the cell with this index from 0 in reading order, such as r1c9."""
    return f"r{index // size + 1}c{index % size + 1}"


def facts_of_sets(
    predicate: str, sets: Iterable[Iterable[Cell]], group: tuple[Term, ...] = ()
) -> list[Function]:
    """The facts predicate(R,C,I), or predicate(R,C,G,I) with a group, for sets counted from 1."""
    return [
        Function(predicate, (*cell, *group, label))
        for label, cells in enumerate(sets, 1)
        for cell in cells
    ]


def cells_of(puzzle: Puzzle, written: Callable[[int], str] = str, empty: str = ".") -> list[str]:
    """The cells as text, in reading order."""
    return [empty if number is None else written(number) for row in puzzle.grid for number in row]


def cell_symbols(puzzle: Puzzle) -> str:
    """The grid on one line, one character per cell."""
    return "".join(cells_of(puzzle, lambda number: SYMBOLS[number - 1]))


def puzzle_with(
    kind: RuleSet, grid: Grid, facts: Iterable[Function] = (), box: tuple[int, int] | None = None
) -> Puzzle:
    """A puzzle with these rules, which are only included if there are facts for them."""
    facts = tuple(facts)
    rules = kind.elaborations if facts or not kind.predicates else ()
    return Puzzle(grid, box, facts=facts, elaborations=rules, without=kind.without)


def beyond(format_: Format, puzzle: Puzzle) -> list[str]:
    """What of a puzzle a format cannot represent, as far as its fields state that."""
    lost, size = list[str](), puzzle.size
    if size not in format_.sizes:
        lost.append(f"a {size}x{size} grid")
    if format_.numbers is not None and puzzle.numbers != (format_.numbers or range(1, size + 1)):
        lost.append(f"the numbers {format_range(puzzle.numbers)}")
    if not format_.kinds:
        return lost
    by_rules = {kind.elaborations: kind for kind in format_.kinds}
    kind = by_rules.get(puzzle.elaborations, format_.kinds[-1])
    rules = [rule for rule in puzzle.elaborations if rule not in kind.elaborations]
    lost += lost_rules(rules, {fact.signature for fact in puzzle.facts} - {*kind.predicates})
    if puzzle.box and puzzle.box != box_shape(size):
        lost.append("boxes of {}x{}".format(*puzzle.box))
    lost += [f"`without: {rule}`" for rule in puzzle.without if rule not in kind.without]
    return [*lost, *(f"the unsupported constraint ({text})" for text in puzzle.unsupported)]


def lost_rules(rules: Iterable[str], facts: Iterable[Signature]) -> list[str]:
    """What a format cannot represent: these rules, and these facts unless they are their inputs."""
    rules = list(rules)
    inputs: set[Signature] = set()
    for rule in rules:
        with suppress(RuleError):
            inputs |= {each.signature for each in library.find(rule).inputs}
    others = [f"{predicate}/{arity}" for predicate, arity in sorted({*facts} - inputs)]
    named = [("the rule", rules), ("facts", others)]
    lost = []
    for noun, names in named:
        more = len(names) - MAX_LISTED
        shown = [*names[:MAX_LISTED], f"{more} more"] if more > 0 else names
        plural = "s" * (len(names) > 1 and noun != "facts")
        lost += [f"{noun}{plural} {enumerated(shown)}"] if names else []
    return lost


def unrepresentable(name: str, lost: list[str]) -> PuzzleError:
    """A PuzzleError listing what a format cannot represent, to be raised."""
    more = f" and {len(lost) - MAX_LISTED} more" if len(lost) > MAX_LISTED else ""
    return PuzzleError(
        f"the format {name} cannot represent {' nor '.join(lost[:MAX_LISTED])}{more}; a puzzle file"
        " (.txt) can represent everything"
    )


ALL_TEXTS = ("title", "author", "rules", "solution")


class RuleSet(NamedTuple):
    """The difference between a type of puzzle and an ordinary sudoku.

    predicates: the signatures of its facts
    elaborations: the rules that use them
    without: the rules that it retracts
    """

    predicates: tuple[Signature, ...] = ()
    elaborations: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


PLAIN = RuleSet()
PENCILMARKED = RuleSet((("pencilmark", 3),), ("pencilmarks",))
JIGSAW = RuleSet((("box", 3),))
KILLER = RuleSet((("cage", 3), ("cage_value", 2)), ("killer",))
KILLER_ON_DIAGONALS = KILLER._replace(elaborations=("killer", "diagonal"))
PARITY = RuleSet((("even", 2), ("odd", 2)), ("even", "odd"))
STRIMKO = RuleSet((("chain", 3),), ("chain",), ("box",))
GREATER = RuleSet((("gt", 4),), ("greater-than",))
FUTOSHIKI = GREATER._replace(without=("box",))
