"""Strimko: n, the chain of each cell and the cells on one line, or on several lines.

In the second form, n rows of chains are followed by a line `row column number` for each given.
"""

from __future__ import annotations

from aspdoku.errors import PuzzleError
from aspdoku.formats import regions
from aspdoku.formats.base import (
    STRIMKO,
    Format,
    cell_name,
    content_lines,
    grid_of,
    puzzle_with,
    to_rows,
)
from aspdoku.puzzle.puzzle import Grid, Puzzle
from aspdoku.puzzlefile.lines import Line, is_digits

PREDICATE = STRIMKO.predicates[0][0]
SIZES = range(3, 36)


def fits_line(text: str) -> bool:
    """Whether one line contains a number n, n chains of n cells, and n² cells, with blanks between
    all of them or none; with blanks, the number of cells may be wrong.
    """
    lines = content_lines(text)
    words = _words(lines[0]) if len(lines) == 1 else []
    size = _size(words[0]) if words else 0
    spare = len(words) - 1 - size * size
    right = spare == size * size or (spare > 0 and " " in lines[0].content.strip())
    return right and regions.is_partition(words[1 : 1 + size * size], size)


def read_line(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of the text. Raises PuzzleError."""
    lines = content_lines(text, name)
    words = _words(lines[0]) if len(lines) == 1 else []
    size = _size(words[0]) if words else 0
    if not size or len(words) != 1 + 2 * size * size:
        raise PuzzleError(
            f"invalid Strimko of {len(words)} words: expected one line with n, the chains of n²"
            " cells, and the n² cells",
            name,
        )
    return [
        strimko_puzzle(
            words[1 : 1 + size * size], grid_of(words[1 + size * size :], lines[0]), name
        )
    ]


def write_line(puzzle: Puzzle) -> str:
    """The puzzle on one line, separated by blanks. Raises PuzzleError."""
    cells = [str(number or ".") for row in puzzle.grid for number in row]
    return " ".join([str(puzzle.size), *chain_labels(puzzle, LINE.name), *cells]) + "\n"


def fits_rows(text: str) -> bool:
    """Whether a line with n is followed by n lines of n words, and then only by lines of three
    numbers.
    """
    lines = [line.content.split() for line in content_lines(text)]
    size = _size(lines[0][0]) if lines and len(lines[0]) == 1 else 0
    rows, givens = lines[1 : size + 1], lines[size + 1 :]
    whole = bool(size) and len(rows) == size and all(len(row) == size for row in rows)
    return whole and all(len(given) == 3 and all(map(is_digits, given)) for given in givens)


def ambiguity_of_rows(text: str) -> str:
    """The other reading of rows of digits without givens: a grid below its size."""
    head, *rows = (line.content.split() for line in content_lines(text))
    if len(rows) > len(rows[0]) or not all(map(str.isdigit, "".join(map("".join, rows)))):
        return ""
    size = f"{head[0]}x{head[0]}"
    return (
        f"ambiguous rows below a size: a {size} grid (delete the line with its size), or the chains"
        f" of a {size} Strimko without givens (--from {ROWS.name})"
    )


def read_rows(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of the text. Raises PuzzleError."""
    if not fits_rows(text):
        raise PuzzleError(
            "invalid Strimko: expected a line with n, n rows of n chains, and a line `row column"
            " number` for each given",
            name,
        )
    head, *lines = content_lines(text, name)
    size = int(head.content)
    labels = [label for line in lines[:size] for label in line.content.split()]
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
    return [strimko_puzzle(labels, to_rows(numbers), name)]


def write_rows(puzzle: Puzzle) -> str:
    """The chains in rows, and one line per given. Raises PuzzleError."""
    labels, size = chain_labels(puzzle, ROWS.name), puzzle.size
    rows = [" ".join(labels[start : start + size]) for start in range(0, size * size, size)]
    givens = [f"{row} {column} {number}" for (row, column), number in puzzle.givens().items()]
    return "\n".join([str(size), *rows, *givens]) + "\n"


def strimko_puzzle(labels: list[str], grid: Grid, name: str) -> Puzzle:
    """The puzzle with these chains. Raises PuzzleError unless they are n chains of n cells."""
    size = len(grid)
    if not regions.is_partition(labels, size):
        wrong = next((label for label in labels if labels.count(label) != size), labels[0])
        raise PuzzleError(
            f"chain {wrong} has {labels.count(wrong)} cells; a {size}x{size} Strimko has {size}"
            f" chains of {size}",
            name,
        )
    return puzzle_with(STRIMKO, grid, regions.region_facts(PREDICATE, labels, size))


def chain_labels(puzzle: Puzzle, name: str) -> list[str]:
    """The number of the chain of each cell. Raises PuzzleError if the puzzle is not a Strimko."""
    names = [str(number) for number in range(1, puzzle.size + 1)]
    return regions.partition_labels(puzzle, STRIMKO, names, name, least=SIZES[0])


def _words(line: Line) -> list[str]:
    words = line.content.split()
    return list(words[0]) if len(words) == 1 else words


def _size(word: str) -> int:
    return int(word) if is_digits(word) and len(word) < 3 and int(word) in SIZES else 0


LINE = Format(
    "strimko", "a Strimko on one line: n, chains, cells", fits_line, read_line, write_line
)
ROWS = Format(
    "strimko-rows",
    "a Strimko: n, rows of chains, lines `row column number`",
    fits_rows,
    read_rows,
    write_rows,
    ambiguity=ambiguity_of_rows,
)
