"""Jigsaws: n² givens and n² region letters on one or two lines; SumoCue with `=nJr` per cell."""

from __future__ import annotations

import re
from collections import Counter

from aspdoku.errors import PuzzleError
from aspdoku.formats import regions
from aspdoku.formats.alphabets import FIRST_LETTER, LETTERS
from aspdoku.formats.base import (
    JIGSAW,
    MAX_LISTED,
    Format,
    cell_symbols,
    content_lines,
    grid_of,
    grid_size,
    joined,
    puzzle_with,
)
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzlefile.grid import EMPTY
from aspdoku.puzzlefile.lines import Line, pluralize

MISCOUNTED = re.compile(
    rf"(?P<cells>[{re.escape(''.join(sorted(EMPTY)))}1-9]+)(?P<labels>[A-Za-z]+)"
)
PREDICATE = JIGSAW.predicates[0][0]
SUMOCUE = "SumoCueV1"
SUMOCUE_CELL = re.compile(r"=([0-9]+)J([0-9]+)")


def fits(text: str) -> bool:
    """Whether the text is givens and n regions of n cells on one line, or on two lines, the second
    with letters only; or nearly so.
    """
    return _is_jigsaw(text) or _nearly_jigsaw(text) is not None


def _is_jigsaw(text: str) -> bool:
    lines = content_lines(text)
    cells = "".join(line.content.strip() for line in lines)
    size = grid_size(len(cells) // 2) if len(cells) % 2 == 0 and 1 <= len(lines) <= 2 else 0
    givens, labels = cells[: size * size], cells[size * size :]
    if not size or not regions.is_partition(labels, size) or not (labels + givens).isascii():
        return False
    if len(lines) == 2 and not (len(lines[0].content.strip()) == size * size and labels.isalpha()):
        return False
    return (
        labels.isalnum()
        and all(sign in EMPTY or sign.isalnum() for sign in givens)
        and bool({*givens} & (EMPTY | {*"123456789"}))
    )


def _nearly_jigsaw(text: str) -> re.Match[str] | None:
    """A match of cells and letters if one of them is one too many or too few.

    If both counts are right, only the regions can be wrong.
    """
    lines = content_lines(text)
    found = (
        MISCOUNTED.fullmatch("".join(line.content.strip() for line in lines))
        if 1 <= len(lines) <= 2
        else None
    )
    if (
        not found
        or (len(lines) == 2 and lines[0].content.strip() != found["cells"])
        or grid_size(len(found[0]))
    ):
        return None
    cells, labels = len(found["cells"]), len(found["labels"])
    return found if abs(cells - labels) <= 1 and (grid_size(cells) or grid_size(labels)) else None


def read(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of the text. Raises PuzzleError."""
    lines = content_lines(text, name)
    nearly = _nearly_jigsaw(text)
    if nearly and len(nearly["cells"]) != len(nearly["labels"]):
        raise lines[0].error(_miscounted(len(nearly["cells"]), len(nearly["labels"])))
    cells = joined(text)
    size = grid_size(len(cells) // 2) if len(cells) % 2 == 0 else 0
    if not size:
        raise PuzzleError(
            f"{len(cells)} characters do not form a jigsaw: a 9x9 grid has 81 cells and 81 region"
            " labels",
            name,
        )
    givens = _numbers(cells[: size * size].upper(), size, lines[0])
    return [_jigsaw(givens, list(cells[size * size :]), lines[0])]


def _numbers(signs: str, size: int, line: Line) -> list[str]:
    """The givens as numbers: letters from A for 10 on, or from A for 1 if there are no digits.

    Raises PuzzleError if it is unclear what a letter or a 0 means.
    """
    letters, digits = {*signs} & {*LETTERS}, {*signs} & {*"123456789"}
    if letters and "0" in signs and {*signs} & (EMPTY - {"0"}):
        raise line.error("ambiguous 0 in a grid with letters: write . in every empty cell")
    if not letters or digits or size < FIRST_LETTER:
        return list(signs)
    if LETTERS.index(max(letters)) + FIRST_LETTER <= size:
        raise line.error(
            f"ambiguous letters {min(letters)} to {max(letters)}: A can be 1 or 10, and no digits"
            " decide"
        )
    return [str(LETTERS.index(sign) + 1) if sign in letters else sign for sign in signs]


def _miscounted(cells: int, labels: int) -> str:
    size = grid_size(cells) or grid_size(labels)
    return (
        f"{cells} cells and {labels} region letters do not form a jigsaw: a {size}x{size} grid has"
        f" {size * size} of each"
    )


def write(puzzle: Puzzle) -> str:
    """Givens and regions on one line. Raises PuzzleError."""
    return (
        cell_symbols(puzzle)
        + "".join(regions.partition_labels(puzzle, JIGSAW, regions.SIGNS, ONE_LINE.name))
        + "\n"
    )


def fits_sumocue(text: str) -> bool:
    """Whether the text starts with the name of the format, or consists of cells `=nJr` only."""
    bare = joined(text)
    return bare.startswith(SUMOCUE) or (bool(bare) and SUMOCUE_CELL.sub("", bare) == "")


def read_sumocue(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of the text. Raises PuzzleError."""
    lines = content_lines(text, name)
    bare = joined(text).removeprefix(SUMOCUE)
    cells = SUMOCUE_CELL.findall(bare)
    rest = SUMOCUE_CELL.sub("", bare)
    if rest or not lines:
        raise PuzzleError(
            f"invalid SumoCue cell {rest[:20]!r}: expected a number and a region, e.g. =0J3",
            name,
        )
    if not grid_size(len(cells)):
        raise PuzzleError(f"{len(cells)} cells do not form a grid: a 9x9 grid has 81", name)
    givens = ["." if number.strip("0") == "" else number for number, _ in cells]
    return [_jigsaw(givens, [label for _, label in cells], lines[0])]


def write_sumocue(puzzle: Puzzle) -> str:
    """Number and region of each cell. Raises PuzzleError."""
    labels = regions.partition_labels(puzzle, JIGSAW, list(map(str, range(puzzle.size))), SUMO.name)
    numbers = [number or 0 for row in puzzle.grid for number in row]
    return (
        SUMOCUE
        + "".join(f"={number}J{label}" for number, label in zip(numbers, labels, strict=True))
        + "\n"
    )


def _jigsaw(givens: list[str], labels: list[str], line: Line) -> Puzzle:
    grid = grid_of(givens, line)
    if not regions.is_partition(labels, len(grid)):
        counts = Counter(labels)
        wrong = [label for label in counts if counts[label] != len(grid)] or labels[:1]
        first = f"region {wrong[0]} has {pluralize(counts[wrong[0]], 'cell')}"
        others = "".join(f", {label} has {counts[label]}" for label in wrong[1:MAX_LISTED])
        raise line.error(
            f"{first}{others}: a {len(grid)}x{len(grid)} jigsaw has {len(grid)} regions of"
            f" {len(grid)} cells"
        )
    return puzzle_with(JIGSAW, grid, regions.region_facts(PREDICATE, labels, len(grid)))


ONE_LINE = Format(
    "jigsaw", "a jigsaw on one line: the cells, then their regions", fits, read, write
)
SUMO = Format("sumocue", "a jigsaw of SumoCue", fits_sumocue, read_sumocue, write_sumocue)
