"""Interactive Sudoku Solver beside aspdoku, on its own puzzles: `python bench/peers.py CHECKOUT`.

CHECKOUT is a copy of its repository, which whoever measures fetches; node runs it through its own
tools for the command line. Both read a puzzle from its text, in a process that runs, and prove that
its solution is unique; they take turns, and processor time is compared. Of the runs of a puzzle the
fastest one counts; a puzzle of more than half a second runs once.
"""

from __future__ import annotations

import argparse
import json
import random
import select
import statistics
import subprocess
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import measure

import aspdoku
from aspdoku.formats import parse

OURS, THEIRS = 60, 20  # seconds after which a puzzle is given up
RUNS, SHORT = 3, 0.5
WITHIN = (0.3, 1, 10, 20)  # seconds
HARD = 0.2  # seconds that a puzzle takes the peer, from which on search matters
FEWEST = 4  # puzzles of a rule that are a kind
EASY_GOAL, HARD_GOAL, KIND_GOAL = 5, 0.8, 3
WARM_UP = 5


class Times(NamedTuple):
    """A puzzle with the seconds that both took; infinite for one that was given up."""

    name: str
    rules: tuple[str, ...]
    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        """Ours to theirs, at least that if ours was given up, at most that if theirs was."""
        return min(self.ours, OURS) / min(self.theirs, THEIRS)


class Peer:
    """A process of the peer, begun again after a puzzle that was given up."""

    def __init__(self, checkout: Path) -> None:
        self._command = ["node", str(Path(__file__).with_name("iss.mjs")), str(checkout.resolve())]
        self._begin()

    def _begin(self) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(self._command, stdin=pipe, stdout=pipe, text=True)
        assert self._process.stdin
        assert self._process.stdout
        self._input, self._output = self._process.stdin, self._process.stdout
        self.puzzles: list[dict[str, str]] = json.loads(self._output.readline())

    def solve(self, text: str) -> dict[str, Any] | None:
        """What it answers; None if it is given up."""
        print(json.dumps(text), file=self._input, flush=True)
        # Wall clock, and so three times as long: the limit is one of processor time.
        if select.select([self._output], [], [], 3 * THEIRS)[0]:
            found: dict[str, Any] = json.loads(self._output.readline())
            return found
        self._process.kill()
        self._begin()
        return None

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


def main() -> None:
    """Compare both on the puzzles of a checkout, and write the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("checkout", type=Path, help="of Interactive Sudoku Solver")
    parser.add_argument("--sample", type=int, help="only as many puzzles, drawn at random")
    parser.add_argument("--seed", type=int, default=2026)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    peer = Peer(options.checkout)
    puzzles = [(each["name"], each["input"]) for each in peer.puzzles]
    for name, text in puzzles[:WARM_UP]:
        compared(peer, name, text)
    random.Random(options.seed).shuffle(puzzles)
    found, skipped, different = [], 0, []
    for name, text in puzzles[: options.sample]:
        times = compared(peer, name, text)
        print(times or f"{name}: left out", file=sys.stderr, flush=True)
        if times is None:
            skipped += 1
        elif isinstance(times, str):
            different.append(times)
        else:
            found.append(times)
    peer.close()
    publish(found, skipped, different)


def compared(peer: Peer, name: str, text: str) -> Times | str | None:
    """The times for a puzzle; None if one of both does not read it, text if they disagree."""
    ours, theirs = [], []
    for _ in range(RUNS):
        began = time.process_time()
        try:
            puzzle = parse(text, "iss")
            if puzzle.unsupported:
                return None
            result = aspdoku.solve(puzzle, time_limit=3 * OURS)
        except aspdoku.AspdokuError:
            return None
        ours.append(time.process_time() - began if result.status != "unknown" else float("inf"))
        answer = peer.solve(text)
        if answer and "error" in answer:
            return None
        theirs.append(answer["seconds"] if answer else float("inf"))
        if answer and result.status in ("none", "unique", "several"):
            known = ("none", "unique", "several")[answer["found"]]
            # The grid may stand anywhere on our board.
            same = answer["found"] != 1 or all(
                any(written(row) in written(each) for each in result.solution)
                for row in answer["rows"]
            )
            if known != result.status or not same:
                return f"{name}: {result.status} here, {known} there"
        if max(ours[-1], theirs[-1]) > SHORT:
            break
    return Times(name, tuple(puzzle.elaborations), min(ours), min(theirs))


def publish(found: Sequence[Times], skipped: int, different: Sequence[str]) -> None:
    """Write the tables and the goals."""
    hard = [each for each in found if each.theirs > HARD]
    kinds: Mapping[str, list[Times]] = defaultdict(list)
    for each in found:
        for rule in each.rules or ("plain sudoku",):
            kinds[rule].append(each)
    kinds = {rule: each for rule, each in sorted(kinds.items()) if len(each) >= FEWEST}
    groups = {"all": found, f"over {HARD} s there": hard, **kinds}
    groups = {name: each for name, each in groups.items() if each}
    slowest = sorted(found, key=lambda each: -each.ratio)[:10]
    worst = max(((mean(each), rule) for rule, each in kinds.items()), default=None)
    unanswered = [each.name for each in found if each.theirs <= THEIRS and not each.ours <= OURS]
    measure.publish(
        "peers",
        "Interactive Sudoku Solver and aspdoku in process",
        measure.table(
            ("puzzles", "number", "median ratio", "geometric mean", "aspdoku faster"),
            [
                (
                    name,
                    str(len(each)),
                    f"{statistics.median(one.ratio for one in each):.2f}",
                    f"{mean(each):.2f}",
                    str(sum(one.ratio < 1 for one in each)),
                )
                for name, each in groups.items()
            ],
        ),
        measure.table(
            ("within", *(f"{limit} s" for limit in WITHIN)),
            [
                (name, *(str(sum(one <= limit for one in seconds)) for limit in WITHIN))
                for name, seconds in (
                    ("aspdoku", [each.ours for each in found]),
                    ("Interactive Sudoku Solver", [each.theirs for each in found]),
                )
            ],
        ),
        measure.table(
            ("highest ratios", "rules", "ratio"),
            [(each.name, ", ".join(each.rules), f"{each.ratio:.1f}") for each in slowest],
        ),
        f"Processor time, in turns, from the text of a puzzle to the proof that its solution is "
        f"unique. {skipped} puzzles are left out, which one of both does not read. A puzzle "
        f"that is given up after {OURS} s here or {THEIRS} s there counts with that time. "
        + (f"Different answers: {'; '.join(different)}." if different else "All answers agree."),
        measure.goal("all, median", statistics.median(one.ratio for one in found), EASY_GOAL),
        *([measure.goal(f"over {HARD} s there", mean(hard), HARD_GOAL)] if hard else []),
        *([measure.goal(f"the worst kind, {worst[1]}", worst[0], KIND_GOAL)] if worst else []),
        f"Answered there, and given up here: {', '.join(unanswered) or 'none'}.",
    )


def written(row: Sequence[int | None]) -> str:
    """The numbers of a row, each between commas."""
    return "".join(f",{number}," for number in row)


def mean(found: Sequence[Times]) -> float:
    """The geometric mean of the ratios."""
    return statistics.geometric_mean([each.ratio for each in found])


if __name__ == "__main__":
    main()
