"""True candidates, as a grid of pencil marks and as JSON."""

from __future__ import annotations

import json
from textwrap import fill

from aspdoku.engine.candidates import Candidates
from aspdoku.puzzle import Puzzle
from aspdoku.puzzle.puzzle import Cell
from aspdoku.show import text

WIDTH = 110


def report(found: Candidates, puzzle: Puzzle, colour: bool = False) -> str:
    """The candidates of each cell in the grid, a character each where there are enough of them, and what is forced."""
    if found.impossible:
        return "no solution"
    marks = [[text.symbols(numbers, puzzle.size) or "." for numbers in line] for line in found.possible]
    blocks = [text.marks(puzzle, marks, colour), _summary(found)]
    if found.equal:
        equal = [" = ".join(map(_name, group)) for group in found.equal]
        blocks.append(fill(f"always equal: {', '.join(equal)}", WIDTH, subsequent_indent="  "))
    if found.counts:
        blocks.append("\n".join(_counts(found)))
    return "\n\n".join(blocks)


def document(found: Candidates) -> str:
    """The same as a JSON object: rows of cells of numbers, and beside them what is forced, what is equal, and counts."""
    counts = found.counts
    forced = [
        [found.forced.get((row, column)) for column in range(1, len(line) + 1)] for row, line in enumerate(found.possible, 1)
    ]
    return json.dumps(
        {
            "candidates": found.possible,
            "complete": found.ended == "complete",
            "ended": found.ended,
            "forced": forced,
            "equal": found.equal,
            "counts": counts and counts.counts,
            "counted": counts and {"solutions": counts.solutions, "exact": counts.exact},
        }
    )


def _summary(found: Candidates) -> str:
    number = sum(len(numbers) for line in found.possible for numbers in line)
    if found.ended != "complete":
        why = "the time was up" if found.ended == "time" else "interrupted"
        return f"{why}: each of these {number} candidates stands in some solution; there may be more"
    cells = len(found.possible) ** 2
    return f"{number} candidates; {len(found.forced)} of {cells} cells hold the same number in every solution"


def _counts(found: Candidates) -> list[str]:
    counts = found.counts
    assert counts is not None
    most = "" if counts.exact else "at least "
    lines = [f"of {most}{counts.solutions} solutions so many have"]
    for row, (cells, numbers) in enumerate(zip(found.possible, counts.counts, strict=True), 1):
        for column, (candidates, each) in enumerate(zip(cells, numbers, strict=True), 1):
            if len(candidates) > 1:
                listed = ", ".join(f"{number} in {count}" for number, count in zip(candidates, each, strict=True))
                lines.append(f"  {_name((row, column))}: {listed}")
    return lines


def _name(cell: Cell) -> str:
    return "r{}c{}".format(*cell)
