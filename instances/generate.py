"""Makes puzzles of our own, each from its seed alone.

`python instances/generate.py` writes them to `instances/made/`.

`python instances/generate.py NAME ...` makes just these. What is made how is in
`instances/making/`. Composed by hand, and held to the same tests, are the killer on the slides'
grid, the seventeen and the minimal six, and some games with something
hidden or another board: doublers, kenken, negators, schroedinger, str8ts, suguru.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from making.layouts import killer, strimko
from making.offers import (
    alike,
    cages,
    circles,
    clones,
    clues,
    counted,
    diagonals,
    dots,
    lines,
    lonely,
    pairs,
    pencilmarks,
    regions,
    rows_and_columns,
    singles,
    some,
    walls,
)
from making.setting import Kind, made

from aspdoku import Puzzle, Solver, compose
from aspdoku.formats.native_writer import write
from aspdoku.puzzle import Function

FOLDER = Path(__file__).resolve().parent / "made"

KINDS = {
    # The whole grid
    "anti-diagonal": Kind("Anti-diagonal sudoku", 9, seed=4),
    "anti-king": Kind("Anti-king sudoku"),
    "diagonal": Kind("Diagonal sudoku", 9),
    "diagonal-nonconsecutive": Kind("Diagonally nonconsecutive sudoku", seed=5),
    "disjoint-groups": Kind("Disjoint groups", seed=2),
    "global-entropy": Kind("Global entropy"),
    "leaper": Kind("Anti-camel sudoku", facts=(Function("leaper", (1, 3)),)),
    "nonconsecutive": Kind("Nonconsecutive sudoku", 9, seed=3),
    "nonratio": Kind("No doubles side by side", seed=3),
    "self-taxicab": Kind("Anti-taxicab sudoku", seed=2),
    "taxicab": Kind("Three steps apart", facts=(Function("taxicab", (3,)),)),
    "windoku": Kind("Windoku", 9),
    # Something hidden, and numbers that hang together
    "chaos-construction": Kind(
        "Chaos construction",
        offers=walls("chaos_count", "chaos_same", "chaos_apart"),
        without=("box",),
        seed=2,
    ),
    "connected": Kind(
        "Low numbers hang together",
        facts=tuple(Function("connected", (number,)) for number in range(1, 5)),
    ),
    "top-bottom": Kind("Top to bottom", seed=3),
    # Marks on cells, on sides and on corners
    "box-indexer": Kind("Box indexers", offers=singles("box_indexer"), seed=2),
    "column-indexer": Kind("Column indexers", offers=singles("column_indexer")),
    "counting-circles": Kind("Counting circles", offers=some("counting_circle", 12)),
    "even": Kind("Even cells", offers=singles("even"), seed=2),
    "maximum": Kind("Peaks", offers=lonely("maximum"), seed=2),
    "minimum": Kind("Valleys", offers=lonely("minimum"), seed=4),
    "odd": Kind("Odd cells", offers=singles("odd"), seed=2),
    "pencilmarks": Kind("Three numbers to choose from", offers=pencilmarks("pencilmark", 3)),
    "quadruple": Kind("Quadruples", 9, circles("quadruple", 3), seed=2),
    "pair": Kind(
        "Round and round",
        offers=pairs("pair"),
        drawn=False,
        facts=tuple(Function("pair_allowed", (1, n, n % 6 + 1)) for n in range(1, 7)),
        seed=4,
    ),
    "row-indexer": Kind("Row indexers", offers=singles("row_indexer"), seed=4),
    "black-dots": Kind("Black dots", 9, dots("black_dot", 2), drawn=False),
    "white-dots": Kind("White dots", 9, dots("white_dot", 1), drawn=False, seed=4),
    "xv": Kind("XV sudoku", 9, dots("xv", 5, 10), drawn=False),
    "negative-black-dots": Kind(
        "All black dots", offers=dots("black_dot", 2), drawn=False, marks=("black-dots",), seed=4
    ),
    "negative-white-dots": Kind(
        "All white dots", offers=dots("white_dot", 1), drawn=False, marks=("white-dots",), seed=6
    ),
    "negative-xv": Kind(
        "All X and V", offers=dots("xv", 5, 10), drawn=False, marks=("xv",), seed=3
    ),
    # Lines
    "arrow": Kind("Arrow sudoku", 9, lines("arrow", 3, 4)),
    "between": Kind("Between lines", offers=lines("between", 3, 5), seed=3),
    "double-arrow": Kind("Double arrows", offers=lines("double_arrow", 4, 5)),
    "entropic": Kind("Entropic lines", offers=lines("entropic", 4, 6), seed=3),
    "lockout": Kind("Lockout lines", offers=lines("lockout", 3, 5), seed=4),
    "lunchbox": Kind("Lunchboxes", offers=lines("lunchbox", 3, 5, range(19)), drawn=False, seed=2),
    "modular": Kind("Modular lines", offers=lines("modular", 4, 6), seed=3),
    "nabner": Kind("Nabner lines", offers=lines("nabner", 3, 3), seed=2),
    "palindrome": Kind("Palindromes", offers=lines("palindrome", 4, 6), seed=4),
    "pill-arrow": Kind("Pill arrows", offers=lines("pill_arrow", 5, 6), seed=5),
    "region-sum-line": Kind("Region sum lines", 9, lines("region_sum_line", 3, 5), seed=8),
    "renban": Kind("Renban lines", 9, lines("renban", 3, 5)),
    "slow-thermo": Kind("Slow thermometers", offers=lines("slow_thermo", 4, 6), seed=4),
    "sum-line": Kind("Ten lines", offers=lines("sum_line", 4, 7, (10,)), seed=2),
    "thermo": Kind("Thermo sudoku", 9, lines("thermo", 3, 6)),
    "value-index": Kind("Index lines", offers=lines("value_index", 5, 7), seed=2),
    "whispers": Kind("German whispers", 9, lines("whispers", 4, 7), seed=4),
    "zipper": Kind("Zipper lines", offers=lines("zipper", 5, 6), seed=4),
    # Cages
    "clone": Kind("Clones", offers=clones("clone", 3, 4)),
    "equal-sums": Kind("Equal sums", offers=alike("equal_sum_cage", 2, 3), seed=3),
    "extra-region": Kind("Extra regions", offers=regions("extra_region", 4), seed=2),
    "look-at-least": Kind("Twice at least", offers=counted("look_at_least", 6, 2)),
    "same-values": Kind("The same twice", offers=alike("same_values", 3, 3), seed=2),
    "sum-cage": Kind(
        "Sum cages",
        offers=cages("sum_cage", 2, 4, lambda cells: range(3, 6 * cells), True),
        drawn=False,
        seed=3,
    ),
    # Clues at the edge
    "end-view": Kind(
        "End view",
        offers=clues("end_view", lambda size: range(1, size)),
        drawn=False,
        without=("box",),
        numbers=range(6),
        seed=3,
    ),
    "frame-sum": Kind(
        "Frame sums",
        offers=clues("frame_sum", lambda size: range(3, 3 * size)),
        drawn=False,
        seed=6,
    ),
    "full-rank": Kind(
        "Full rank", offers=clues("full_rank", lambda size: range(1, 4 * size + 1)), drawn=False
    ),
    "hidden-skyscraper": Kind(
        "Hidden skyscrapers",
        offers=clues("hidden_skyscraper", lambda size: range(1, size)),
        drawn=False,
        seed=3,
    ),
    "little-killer": Kind(
        "Little killer",
        9,
        diagonals("little_killer", lambda cells: range(3, 9 * cells)),
        drawn=False,
        least=10,
        seed=2,
    ),
    "numbered-room": Kind(
        "Numbered rooms",
        offers=clues("numbered_room", lambda size: range(1, size + 1)),
        drawn=False,
    ),
    "sandwich": Kind(
        "Sandwich sudoku",
        9,
        rows_and_columns("sandwich_row", "sandwich_column", lambda _: range(36)),
        drawn=False,
    ),
    "skyscraper": Kind(
        "Skyscraper sudoku",
        9,
        clues("skyscraper", lambda size: range(1, size + 1)),
        drawn=False,
        least=10,
    ),
    "x-sum": Kind(
        "X-sums",
        offers=clues("x_sum", lambda size: range(1, size * (size + 1) // 2 + 1)),
        drawn=False,
    ),
}
MADE: dict[str, Callable[[], Puzzle]] = {
    "strimko": partial(strimko, 4, 4),
    "strimko-five": partial(strimko, 5, 5),
    "strimko-six": partial(strimko, 6, 6),
    "cages": partial(killer, 9, 9),
    "cages-four": partial(killer, 4, 4),
    **{name: partial(made, name, kind) for name, kind in KINDS.items()},
}


def main(*names: str) -> None:
    """Write the puzzles, each with its solution beside it."""
    for name in names or MADE:
        puzzle = MADE[name]()
        (solution,) = Solver(compose(puzzle)).search(2)
        numbers = (
            ""
            if puzzle.has_default_numbers
            else f"numbers: {puzzle.numbers[0]}-{puzzle.numbers[-1]}\n\n"
        )
        rows = "\n".join(" ".join(map(str, row)) for row in solution.rows)
        (FOLDER / f"{name}.txt").write_text(write(puzzle), "utf-8")
        (FOLDER / f"{name}.solution.txt").write_text(f"{numbers}{rows}\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
