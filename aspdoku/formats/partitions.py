"""Grids whose cells are in sets, as a list of labels in reading order: cages, and the regions of a
jigsaw or the chains of a Strimko, which are n sets of n cells.

jigsaw         n² givens and n² region letters, on one or two lines
sumocue        `=nJr` for each cell
strimko        n, the chain of each cell, and the cells, on one line
strimko-rows   n, n rows of chains, and a line `row column number` for each given
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from aspdoku.errors import PuzzleError
from aspdoku.formats import alphabets
from aspdoku.formats.alphabets import FIRST_LETTER
from aspdoku.formats.base import (
    JIGSAW,
    KILLER,
    MAX_LISTED,
    STRIMKO,
    Format,
    RuleSet,
    UnsupportedError,
    cell_name,
    cell_symbols,
    cells_of,
    content_lines,
    grid_of,
    grid_size,
    joined,
    puzzle_with,
    to_rows,
)
from aspdoku.puzzle.puzzle import Grid, Puzzle
from aspdoku.puzzle.term import Function, Term
from aspdoku.puzzlefile.grid import EMPTY, plain_cell
from aspdoku.puzzlefile.lines import Line, is_digits, place_of, pluralize

MISCOUNTED = re.compile(
    rf"(?P<cells>[{re.escape(''.join(sorted(EMPTY)))}1-9]+)(?P<labels>[A-Za-z]+)"
)
SUMOCUE = "SumoCueV1"
SUMOCUE_CELL = re.compile(r"=([0-9]+)J([0-9]+)")
STRIMKO_SIZES = range(3, 36)
NO_REGION = "."
LETTERS = string.ascii_uppercase + string.ascii_lowercase
SIGNS = string.digits + LETTERS


def region_facts(predicate: str, labels: Sequence[str], size: int) -> list[Function]:
    """The facts predicate(R,C,I) for the cells with a label."""
    return [
        Function(predicate, (index // size + 1, index % size + 1, label))
        for index, label in enumerate(labels)
        if label != NO_REGION
    ]


def is_partition(labels: Sequence[str], size: int) -> bool:
    """Whether there are n labels, each of n cells."""
    counts = Counter(labels)
    return len(counts) == size and {*counts.values()} == {size}


def labels_of(
    puzzle: Puzzle, predicate: str, names: Sequence[str]
) -> tuple[list[str], dict[Term, str]]:
    """The label of each cell, `.` for none, and the label for each name in the facts: the name
    itself if all are among `names`, else the next of these. Raises UnsupportedError if there are
    too few.
    """
    size = puzzle.size
    stated = [fact.arguments for fact in puzzle.facts if fact.signature == (predicate, 3)]
    name_of = {(row, column): name for row, column, name in stated}
    span = range(1, size + 1)
    cells = [name_of.get((row, column)) for row in span for column in span]
    known = list(dict.fromkeys(name for name in cells if name is not None))
    if all(isinstance(name, str) and name in list(names) for name in known):
        labels = {name: str(name) for name in known}
    elif len(known) <= len(names):
        labels = dict(zip(known, names, strict=False))
    else:
        raise UnsupportedError(f"{len(known)} regions, as there are signs for {len(names)}")
    return [NO_REGION if name is None else labels[name] for name in cells], labels


def partition_labels(puzzle: Puzzle, kind: RuleSet, names: Sequence[str]) -> list[str]:
    """The label of each cell in n regions of n cells, among `names`. Raises UnsupportedError."""
    labels, _ = labels_of(puzzle, kind.predicates[0][0], names)
    if not is_partition(labels, puzzle.size):
        what = "regions" if kind == JIGSAW else "chains"
        raise UnsupportedError(f"a puzzle other than one with n {what} of n cells")
    return labels


CAGE, VALUE = (name for name, _ in KILLER.predicates)
MAX_SUM = 100_000


class Cages(NamedTuple):
    """The label of each cell in reading order, `.` for no cage, and the sums by label."""

    labels: list[str]
    sums: dict[str, int]


def killer_puzzle(
    cages: Cages,
    grid: Grid | None = None,
    kind: RuleSet = KILLER,
    box: tuple[int, int] | None = None,
) -> Puzzle:
    """The puzzle with these cages, by default on an empty grid."""
    size = round(len(cages.labels) ** 0.5)
    stated = region_facts(CAGE, cages.labels, size)
    stated += [Function(VALUE, (label, total)) for label, total in cages.sums.items()]
    return puzzle_with(kind, grid or to_rows([None] * (size * size)), stated, box)


def cages_of(puzzle: Puzzle, names: Sequence[str]) -> Cages:
    """The cages of a puzzle, labelled with `names`, and their sums if these are positive."""
    labels, known = labels_of(puzzle, CAGE, names)
    sums = {
        known[fact.arguments[0]]: total
        for fact in puzzle.facts
        if fact.signature == (VALUE, 2) and fact.arguments[0] in known
        if isinstance(total := fact.arguments[1], int) and 0 < total <= MAX_SUM
    }
    return Cages(labels, sums)


def first_cells(labels: Sequence[str]) -> Mapping[str, int]:
    """The index of the first cell with each label, in reading order."""
    return {label: index for index, label in reversed(list(enumerate(labels)))}


def partitioned(kind: RuleSet, labels: Sequence[str], grid: Grid, place: str) -> Puzzle:
    """The puzzle with the set of each cell. Raises PuzzleError unless these are n of n cells."""
    size = len(grid)
    if not is_partition(labels, size):
        what, game = ("region", "jigsaw") if kind == JIGSAW else ("chain", "Strimko")
        times = Counter(labels)
        first, *others = [each for each in times if times[each] != size] or labels[:1]
        listed = "".join(f", {each} has {times[each]}" for each in others[: MAX_LISTED - 1])
        raise PuzzleError(
            f"{what} {first} has {pluralize(times[first], 'cell')}{listed}: a {size}x{size} {game}"
            f" has {size} {what}s of {size} cells",
            place,
        )
    return puzzle_with(kind, grid, region_facts(kind.predicates[0][0], labels, size))


def _fits_jigsaw(text: str) -> bool:
    """Whether the text is givens and n regions of n cells, on one or two lines, or nearly so."""
    lines = [line.content.strip() for line in content_lines(text)]
    signs = "".join(lines)
    size = grid_size(len(signs) // 2) if len(signs) % 2 == 0 and len(lines) <= 2 else 0
    givens, labels = signs[: size * size], signs[size * size :]
    return _miscounted(text) is not None or (
        bool(size)
        and is_partition(labels, size)
        and signs.isascii()
        and labels.isalnum()
        and (len(lines) == 1 or (lines[0] == givens and labels.isalpha()))
        and all(sign in EMPTY or sign.isalnum() for sign in givens)
        and bool({*givens} & (EMPTY | {*"123456789"}))
    )


def _miscounted(text: str) -> tuple[int, int] | None:
    """The numbers of cells and of letters if one of them is one too many or too few."""
    lines = [line.content.strip() for line in content_lines(text)]
    match = MISCOUNTED.fullmatch("".join(lines)) if len(lines) <= 2 else None
    if not match or (lines[1:] and lines[0] != match["cells"]) or grid_size(len(match[0])):
        return None
    cells, labels = len(match["cells"]), len(match["labels"])
    nearly = abs(cells - labels) <= 1 and (grid_size(cells) or grid_size(labels))
    return (cells, labels) if nearly else None


def _read_jigsaw(text: str, name: str) -> list[Puzzle]:
    lines = content_lines(text, name)
    cells, labels = _miscounted(text) or (0, 0)
    if cells != labels:
        size = grid_size(cells) or grid_size(labels)
        raise lines[0].error(
            f"{cells} cells and {labels} region letters do not form a jigsaw: a {size}x{size} grid"
            f" has {size * size} of each"
        )
    signs = joined(text)
    size = grid_size(len(signs) // 2) if len(signs) % 2 == 0 else 0
    if not size:
        raise PuzzleError(
            f"{len(signs)} characters do not form a jigsaw: a 9x9 grid has 81 cells and 81 region"
            " labels",
            name,
        )
    grid = grid_of(_numbers(signs[: size * size].upper(), size, lines[0]), lines[0])
    return [partitioned(JIGSAW, signs[size * size :], grid, place_of(name, lines[0].number))]


def _numbers(signs: str, size: int, line: Line) -> list[str]:
    """The givens as numbers: letters from A for 10 on, or from A for 1 if there are no digits.
    Raises PuzzleError if it is unclear what a letter or a 0 means.
    """
    letters, digits = {*signs} & {*alphabets.LETTERS}, {*signs} & {*"123456789"}
    if letters and "0" in signs and {*signs} & (EMPTY - {"0"}):
        raise line.error("ambiguous 0 in a grid with letters: write . in every empty cell")
    if not letters or digits or size < FIRST_LETTER:
        return list(signs)
    if alphabets.LETTERS.index(max(letters)) + FIRST_LETTER <= size:
        raise line.error(
            f"ambiguous letters {min(letters)} to {max(letters)}: A can be 1 or 10, and no digits"
            " decide"
        )
    return [str(alphabets.LETTERS.index(sign) + 1) if sign in letters else sign for sign in signs]


def _fits_sumocue(text: str) -> bool:
    """Whether the text starts with the name of the format, or consists of cells `=nJr` only."""
    bare = joined(text)
    return bare.startswith(SUMOCUE) or (bool(bare) and SUMOCUE_CELL.sub("", bare) == "")


def _read_sumocue(text: str, name: str) -> list[Puzzle]:
    lines = content_lines(text, name)
    bare = joined(text).removeprefix(SUMOCUE)
    cells = SUMOCUE_CELL.findall(bare)
    rest = SUMOCUE_CELL.sub("", bare)
    if rest or not lines:
        raise PuzzleError(
            f"invalid SumoCue cell {rest[:20]!r}: expected a number and a region, e.g. =0J3", name
        )
    if not grid_size(len(cells)):
        raise PuzzleError(f"{len(cells)} cells do not form a grid: a 9x9 grid has 81", name)
    grid = grid_of([number.lstrip("0") or "." for number, _ in cells], lines[0])
    labels = [label for _, label in cells]
    return [partitioned(JIGSAW, labels, grid, place_of(name, lines[0].number))]


def _write_sumocue(puzzle: Puzzle) -> str:
    labels = partition_labels(puzzle, JIGSAW, list(map(str, range(puzzle.size))))
    cells = map("={}J{}".format, cells_of(puzzle, empty="0"), labels)
    return f"{SUMOCUE}{''.join(cells)}\n"


def _strimko_words(text: str) -> tuple[list[str], int]:
    """The words of a text of one line, or the signs of one word, and the first as a size, or 0."""
    lines = content_lines(text)
    words = lines[0].content.split() if len(lines) == 1 else []
    words = list(words[0]) if len(words) == 1 else words
    return words, _size(words)


def _size(words: list[str]) -> int:
    known = bool(words) and is_digits(words[0]) and len(words[0]) < 3
    return int(words[0]) if known and int(words[0]) in STRIMKO_SIZES else 0


def _chains(words: list[str]) -> list[str]:
    """The names of chains; none if one of the words, such as `nan`, is an empty cell and no name.

    Programs for tables of numbers write the name 1 as 1.0.
    """
    names = list(map(plain_cell, words))
    return [] if NO_REGION in names else names


def _fits_strimko(text: str) -> bool:
    """Whether one line contains a number n, n chains of n cells, and n² cells, with blanks between
    all of them or none; with blanks, the number of cells may be wrong.
    """
    words, size = _strimko_words(text)
    spare = len(words) - 1 - size * size
    right = spare == size * size or (spare > 0 and " " in content_lines(text)[0].content.strip())
    return bool(size) and right and is_partition(_chains(words[1 : 1 + size * size]), size)


def _read_strimko(text: str, name: str) -> list[Puzzle]:
    words, size = _strimko_words(text)
    if not size or len(words) != 1 + 2 * size * size:
        raise PuzzleError(
            f"invalid Strimko of {len(words)} words: expected one line with n, the chains of n²"
            " cells, and the n² cells",
            name,
        )
    labels, cells = _chains(words[1 : 1 + size * size]), words[1 + size * size :]
    if not labels:
        raise PuzzleError("invalid Strimko: every cell needs the name of its chain", name)
    return [partitioned(STRIMKO, labels, grid_of(cells, content_lines(text, name)[0]), name)]


def _write_strimko(puzzle: Puzzle) -> str:
    return " ".join([str(puzzle.size), *chain_labels(puzzle), *cells_of(puzzle)]) + "\n"


def _fits_rows(text: str) -> bool:
    """Whether the text is n, n lines of n words, and then only lines of three numbers."""
    lines = [line.content.split() for line in content_lines(text)]
    size = _size(lines[0]) if lines and len(lines[0]) == 1 else 0
    rows, givens = lines[1 : size + 1], lines[size + 1 :]
    whole = bool(size) and list(map(len, rows)) == [size] * size
    whole = whole and bool(_chains([*chain(*rows)]))
    return whole and all(len(given) == 3 and all(map(is_digits, given)) for given in givens)


def _ambiguity_of_rows(text: str) -> str:
    """The other reading of rows of digits without givens: a grid below its size."""
    head, *rows = (line.content.split() for line in content_lines(text))
    if len(rows) > len(rows[0]) or not all(map(str.isdigit, _chains([*chain(*rows)]))):
        return ""
    size = f"{head[0]}x{head[0]}"
    return (
        f"ambiguous rows below a size: a {size} grid (delete the line with its size), or the chains"
        f" of a {size} Strimko without givens (--from {STRIMKO_ROWS.name})"
    )


def _read_rows(text: str, name: str) -> list[Puzzle]:
    if not _fits_rows(text):
        raise PuzzleError(
            "invalid Strimko: expected a line with n, n rows of n names of chains, and a line `row"
            " column number` for each given",
            name,
        )
    head, *lines = content_lines(text, name)
    size = int(head.content)
    labels = _chains([label for line in lines[:size] for label in line.content.split()])
    numbers: list[int | None] = [None] * (size * size)
    for line in lines[size:]:
        row, column, number = (int(word) if len(word) < 5 else 0 for word in line.content.split())
        if not all(1 <= each <= size for each in (row, column, number)):
            raise line.error(
                f"invalid given {line.content.strip()!r}: expected row, column and number, each 1"
                f" to {size}"
            )
        index = (row - 1) * size + column - 1
        if numbers[index] not in (None, number):
            raise line.error(
                f"conflicting givens {numbers[index]} and {number} in {cell_name(index, size)}"
            )
        numbers[index] = number
    return [partitioned(STRIMKO, labels, to_rows(numbers), name)]


def _write_rows(puzzle: Puzzle) -> str:
    rows = map(" ".join, to_rows(chain_labels(puzzle)))
    givens = [f"{row} {column} {number}" for (row, column), number in puzzle.givens().items()]
    return "\n".join([str(puzzle.size), *rows, *givens]) + "\n"


def chain_labels(puzzle: Puzzle) -> list[str]:
    """The number of the chain of each cell. Raises UnsupportedError for another puzzle."""
    return partition_labels(puzzle, STRIMKO, list(map(str, range(1, puzzle.size + 1))))


JIGSAW_LINE = Format(
    "jigsaw",
    "a jigsaw on one line: the cells, then their regions",
    _fits_jigsaw,
    _read_jigsaw,
    lambda puzzle: "".join([cell_symbols(puzzle), *partition_labels(puzzle, JIGSAW, SIGNS), "\n"]),
    kinds=(JIGSAW,),
)
JIGSAW_SUMOCUE = Format(
    "sumocue", "a jigsaw of SumoCue", _fits_sumocue, _read_sumocue, _write_sumocue, kinds=(JIGSAW,)
)
STRIMKO_LINE = Format(
    "strimko",
    "a Strimko on one line: n, chains, cells",
    _fits_strimko,
    _read_strimko,
    _write_strimko,
    kinds=(STRIMKO,),
    sizes=STRIMKO_SIZES,
)
STRIMKO_ROWS = Format(
    "strimko-rows",
    "a Strimko: n, rows of chains, lines `row column number`",
    _fits_rows,
    _read_rows,
    _write_rows,
    kinds=(STRIMKO,),
    sizes=STRIMKO_SIZES,
    ambiguity=_ambiguity_of_rows,
)
