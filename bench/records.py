"""Least numbers of givens, and exact counts, next to published values.

The least number of givens is that of `aspdoku fewest`, for each rule that needs no clues; the
puzzle of each result is solved again, from the line that the table has. Where the time limit ends
a search, the table has the bounds that were proved by then. A count that `aspdoku count` does not
finish in time is an estimate.
Puzzles of 4x4 by number of givens are counted here, from the solutions, next to OEIS A109252.

Limits are in seconds of wall clock; no peer answers these questions for any rules.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections import Counter
from math import factorial

import measure

import aspdoku
from aspdoku import Puzzle
from aspdoku.puzzle.render import line
from aspdoku.runtime.progress import listening

LIMIT = 60
LONG = 240  # for those with a published value
COUNT_LIMIT = 600
UNREACHED_LIMIT = 60  # for those whose tables are too large for this machine
DESCENTS = 40
ARTICLE = "[Mathematics of Sudoku](https://en.wikipedia.org/wiki/Mathematics_of_Sudoku)"
LEAST_FROM = (
    f"sudoku from {ARTICLE}; without boxes, smallest critical sets of Latin squares from"
    " [Bean's thesis](https://richardbean.id.au/papers/thesis.html), chapter 8."
)
COUNTS_FROM = (
    "Published: [OEIS A107739](https://oeis.org/A107739) for 4×4 and 9×9,"
    f" [A002860](https://oeis.org/A002860) without boxes, the others in {ARTICLE}."
    " Of those without a value, no publication is known to us."
)
TABLE = re.compile(r"counting: cell (\d+) of (\d+), (\d+) partial grids")
# Size, retracted rule, published least number.
PUBLISHED = [(4, "", 4), (6, "", 8), (4, "box", 4), (5, "box", 6), (6, "box", 9)]
# Size, rule and retracted rule of a count, its published value, if any is known, and the limit.
COUNTS: list[tuple[int, str, str, int | None, float]] = [
    (4, "", "", 288, COUNT_LIMIT),
    (6, "", "", 28_200_960, COUNT_LIMIT),
    (8, "", "", 29_136_487_207_403_520, COUNT_LIMIT),
    (8, "anti-diagonal", "", None, COUNT_LIMIT),
    (8, "anti-king", "", None, COUNT_LIMIT),
    (8, "anti-knight", "", None, COUNT_LIMIT),
    (8, "disjoint-groups", "", None, COUNT_LIMIT),
    (8, "windoku", "", None, COUNT_LIMIT),
    (9, "", "", 6_670_903_752_021_072_936_960, COUNT_LIMIT),
    (9, "", "box", 5_524_751_496_156_892_842_531_225_600, COUNT_LIMIT),
    (9, "windoku", "", factorial(9) * 17_463_553_760, COUNT_LIMIT),
    (9, "diagonal", "", factorial(9) * 153_255_603_504, UNREACHED_LIMIT),
    (9, "disjoint-groups", "", factorial(9) * 554_191_840_696, UNREACHED_LIMIT),
]
# 4x4 puzzles by number of givens, from OEIS A109252, and the minimal ones, from that article.
FAIR = [25_728, 284_160, 1_041_408, 2_141_184, 2_961_024, 2_958_336, 2_204_928]
FAIR += [1_239_552, 522_624, 161_280, 34_560, 4_608, 288]
MINIMAL = {4: 25_728, 5: 58_368, 6: 1_536}


def main() -> None:
    began = time.process_time()
    published = [minimum(size, "", without, LONG, str(known)) for size, without, known in PUBLISHED]
    free = [rule.name for rule in aspdoku.rules() if not rule.declared and rule.vetted]
    elaborations = [name for name in free if name not in ("row", "column", "box", "base")]
    others = [minimum(size, name, "", LIMIT) for size in (4, 6) for name in elaborations]
    headings = ["grid", "least givens", "known", "solutions", "up to symmetry", "s", "puzzle"]
    counts = [counted(*case) for case in COUNTS]
    measure.publish(
        "records",
        "Least numbers of givens and exact counts",
        measure.table(headings, [*published, *filter(None, others)]),
        "`aspdoku fewest` on blank grids with the default rules and the rule that is named. One"
        " number is the minimum, with the proof that fewer do not suffice; of two, the first is a"
        " proved lower bound, the second the number of givens of a puzzle that was found. Known:"
        f" {LEAST_FROM} The puzzle has so few givens, as `aspdoku unique 'PUZZLE'` proves with"
        " the rules of its row (`--with`, `--without`). Rules without a solution on that grid are"
        " left out. Limit:"
        f" {LIMIT} s, {LONG} s where a value is known.",
        measure.table(["solutions of", "published", "found", "partial grids", "s"], counts),
        f"`aspdoku count`, {COUNT_LIMIT} s at most, {UNREACHED_LIMIT} s for the last two; where it"
        f" did not finish, `--estimate` of {DESCENTS} descents with seed 1, and its interval of"
        " 95 %; unsure: the command warns that the descents differ too much for that. Partial"
        " grids: the most after any cell, or how far the table came. Diagonals and disjoint groups"
        " allow few exchanges of columns, so their tables exceed the memory of this machine in rows"
        f" 4 to 6. {COUNTS_FROM}",
        measure.table(
            ["givens of 4×4 sudokus", "puzzles", "published", "minimal ones", "published"],
            puzzles_of_four(),
        ),
        "Puzzles with a unique solution, by number of givens; of the minimal ones, no given can be"
        " left out. Counted from the solutions, without clingo. Published: [OEIS"
        f" A109252](https://oeis.org/A109252), and the minimal ones in {ARTICLE}.",
        f"{time.process_time() - began:.0f} s of processor time in all.",
    )


def minimum(size: int, with_: str, without: str, limit: float, known: str = "") -> list[str] | None:
    """A row; None for rules without a solution."""
    began = time.process_time()
    blank = Puzzle.blank(size)
    found = aspdoku.fewest(blank, with_=with_ or (), without=without or (), time_limit=limit)
    seconds = time.process_time() - began
    print(size, with_, without, found.summary(), file=sys.stderr)
    if found.puzzle is None:
        return None
    shown = line(found.puzzle.grid)
    if not aspdoku.unique(shown, with_=with_ or (), without=without or ()):
        sys.exit(f"the puzzle of {with_} {size} has no unique solution:\n{found}")
    if known and found.exact and str(found.least) != known:
        sys.exit(f"{size} {without}: {found.least}, not {known}")
    return [
        name_of(size, with_, without),
        str(found.least) if found.exact else f"{found.least} to {found.most}",
        known,
        f"{found.solutions:,}" if found.solutions is not None else "not counted",
        f"{found.classes:,}" if found.classes is not None else "",
        f"{seconds:.1f}",
        f"`{shown}`",
    ]


def counted(size: int, with_: str, without: str, known: int | None, limit: float) -> list[str]:
    """A row: a count, or an estimate."""
    began = time.process_time()
    blank = Puzzle.blank(size)
    rules = {"with_": with_ or (), "without": without or ()}
    tables: dict[int, int] = {}  # partial grids by cell

    def listener(activity: str) -> None:
        if at := TABLE.match(activity):
            tables[int(at[1]) - 1] = int(at[3])

    with listening(listener):
        found = aspdoku.count(blank, **rules, time_limit=limit)
    partial = f"{max(tables.values()):,}" if tables else ""
    shown = f"{found.count:,}"
    if found.exact and known is not None and found.count != known:
        sys.exit(f"{size} {with_}: {shown}, not {known}")
    if not found.exact:
        least = found.count
        partial = f"{tables[max(tables)]:,} after {max(tables)} of {size**2} cells"
        found = aspdoku.count(blank, **rules, estimate=DESCENTS, seed=1)
        value, low, high = (f"{float(each):.3g}" for each in found.estimate[:3])
        unsure = ", unsure" * found.estimate.unsure
        shown = f"at least {max(least, found.count):,}; about {value} ({low} to {high}{unsure})"
    print(size, with_, without, shown, partial, file=sys.stderr)
    seconds = time.process_time() - began
    published = "" if known is None else f"{known:,}"
    return [name_of(size, with_, without), published, shown, partial, f"{seconds:.1f}"]


def name_of(size: int, with_: str, without: str) -> str:
    return " ".join([f"{size}×{size}", *filter(None, [with_, without and f"without {without}"])])


def puzzles_of_four() -> list[list[str]]:
    """Rows: how many 4x4 puzzles have a unique solution, by number of givens."""
    grids = [sum(each.rows, ()) for each in aspdoku.solve("." * 16, limit=0)]
    puzzles, minimal = Counter[int](), Counter[int]()
    for grid in (each for each in grids if each[:4] == (1, 2, 3, 4)):
        # By set of cells, as bits: whether another grid has the same numbers there.
        shared = bytearray(1 << 16)
        for other in grids:
            if other != grid:
                equal = zip(grid, other, strict=True)
                shared[sum((one == two) << cell for cell, (one, two) in enumerate(equal))] = 1
        for cells in range((1 << 16) - 1, -1, -1):
            if shared[cells]:
                for cell in range(16):
                    shared[cells & ~(1 << cell)] = 1
        for cells in range(1 << 16):
            if not shared[cells]:
                givens = [cell for cell in range(16) if cells >> cell & 1]
                puzzles[len(givens)] += factorial(4)
                if all(shared[cells & ~(1 << cell)] for cell in givens):
                    minimal[len(givens)] += factorial(4)
    fair = dict(enumerate(FAIR, start=4))
    for found, published in ((puzzles, fair), (minimal, MINIMAL)):
        if found != published:
            sys.exit(f"4x4 puzzles: {found}, not {published}")
    columns = (puzzles, fair, minimal, MINIMAL)
    return [
        [str(number), *(f"{column.get(number, 0):,}" for column in columns)]
        for number in sorted(puzzles)
    ]


if __name__ == "__main__":
    os.chdir(measure.ROOT)
    main()
