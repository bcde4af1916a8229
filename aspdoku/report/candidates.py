"""True candidates as a grid of pencil marks and as JSON."""

from __future__ import annotations

from textwrap import fill

from aspdoku.engine.candidates import CandidateCounts, Candidates
from aspdoku.puzzle import Puzzle
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.report import text
from aspdoku.report.answer import unsupported_json

WIDTH = 110

_WHY = {"time": "time limit reached", "interrupted": "interrupted"}


def candidates_text(found: Candidates, puzzle: Puzzle, colour: bool = False) -> str:
    """The candidates of each cell as a grid, and the number of forced cells.

    In grids beyond 9x9, commas separate the candidates of a cell. A `?` after them means that the
    cell may have more.
    """
    if found.unsatisfiable:
        return f"no solution{puzzle.caveat}"
    blocks = [
        text.candidate_grid(puzzle, _marks(found, puzzle), colour),
        _summary(found) + puzzle.caveat,
    ]
    if found.equal_cells:
        equal = [" = ".join(map(_cell_name, group)) for group in found.equal_cells]
        blocks.append(fill(f"always equal: {', '.join(equal)}", WIDTH, subsequent_indent="  "))
    if found.equal_cells is None and found.ended == "complete":
        blocks.append("which cells are always equal was not decided")
    if found.counts:
        blocks.append("\n".join(_counts(found, found.counts)))
    return "\n\n".join(blocks)


def candidates_json(found: Candidates, puzzle: Puzzle) -> dict[str, object]:
    """The candidates as a JSON object: rows of cells of numbers, forced numbers, cells that are
    always equal, and counts.

    `complete` is false if cells may have candidates that were not found.
    """
    counts = found.counts
    forced = [
        [found.forced.get((row, column)) for column in range(1, len(line) + 1)]
        for row, line in enumerate(found.possible, 1)
    ]
    return {
        "candidates": found.possible,
        "complete": found.ended == "complete",
        "ended": found.ended,
        "forced": forced,
        "equal": found.equal_cells,
        "counts": counts and counts.counts,
        "counted": counts and {"solutions": counts.solutions, "exact": counts.exact},
    } | unsupported_json(puzzle)


def _marks(found: Candidates, puzzle: Puzzle) -> list[list[str]]:
    size, givens = len(puzzle.numbers), puzzle.givens()
    width = len(str(puzzle.numbers[-1]))
    comma = "," if width > 1 else ""

    def drawn(cell: Cell, numbers: tuple[int, ...]) -> str:
        settled = found.ended == "complete" or len(numbers) == (1 if cell in givens else size)
        return comma.join(map(str, numbers)).rjust(width) + ("" if settled else "?")

    return [
        [drawn((row, column), each) for column, each in enumerate(line, 1)]
        for row, line in enumerate(found.possible, 1)
    ]


def _summary(found: Candidates) -> str:
    number = sum(len(numbers) for line in found.possible for numbers in line)
    if why := _WHY.get(found.ended):
        if not number:
            return f"{why} before a solution was found; there may be none"
        return fill(
            f"{why}, so this is incomplete, with {pluralize(number, 'candidate')} so far: "
            "a cell with ? may have others, even if it shows one number only",
            WIDTH,
        )
    cells, forced = len(found.possible) ** 2, len(found.forced)
    hold = "holds" if forced == 1 else "hold"
    return (
        f"{pluralize(number, 'candidate')}; {forced} of {pluralize(cells, 'cell')} {hold} the same"
        " number in every solution"
    )


def _counts(found: Candidates, counts: CandidateCounts) -> list[str]:
    why = f"{_WHY[found.counting_ended]}: " if found.counting_ended in _WHY else ""
    if not counts.solutions:
        return [f"{why}no solution was counted"]
    if counts.exact and counts.solutions == 1:
        return ["there is one solution"]
    solutions = pluralize(counts.solutions, "solution")
    first = "first solution" if counts.solutions == 1 else f"first {solutions}"
    partial = (
        f"{why}occurrences in the {first} found, which are not representative of all solutions"
    )
    lines = [f"occurrences in {solutions}" if counts.exact else partial]
    for row, (cells, numbers) in enumerate(zip(found.possible, counts.counts, strict=True), 1):
        for column, (candidates, each) in enumerate(zip(cells, numbers, strict=True), 1):
            if len(candidates) > 1:
                listed = ", ".join(
                    f"{number} in {count}" for number, count in zip(candidates, each, strict=True)
                )
                lines.append(f"  {_cell_name((row, column))}: {listed}")
    return lines


def _cell_name(cell: Cell) -> str:
    return "r{}c{}".format(*cell)
