"""How many shared puzzles are answered: `python bench/links.py FILE.jsonl [--open]`.

Each line of the file is an object with `title`, `url` and `solution`, all cells in one line.
Prints for each puzzle whether its answer is right, wrong or qualified, and the time to read it over
the time to solve it; with `--open` also what is open.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
import warnings
from collections import Counter
from pathlib import Path

import aspdoku
from aspdoku.formats import worded
from aspdoku.puzzle.puzzle import Puzzle

_LIMIT = 60  # seconds to solve a puzzle


def main() -> None:
    """Read and solve all puzzles of a file."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--open", action="store_true", help="also what is open of each puzzle")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # about unsupported parts
    verdicts = Counter[str]()
    ratios = []
    for line in options.file.read_text("utf-8").splitlines():
        entry = json.loads(line)
        begin = time.perf_counter()
        found = worded.read(entry["url"])
        reading = time.perf_counter() - begin
        begin = time.perf_counter()
        verdict = judged(found.puzzle, entry["solution"])
        solving = time.perf_counter() - begin
        ratios.append(reading / solving)
        verdicts[verdict.partition(":")[0]] += 1
        print(f"{entry['title'][:30]:30} {verdict:40} {1000 * reading:6.0f} {1000 * solving:6.0f}")
        for part in (*found.puzzle.unsupported, *found.assumed) if options.open else ():
            print(f"    {part}")
    print(", ".join(f"{verdict} {often}" for verdict, often in sorted(verdicts.items())))
    print(f"{statistics.median(ratios):.2f} times as long to read as to solve (median)")


def judged(puzzle: Puzzle, solution: str) -> str:
    """What an answer is worth: right, wrong, not one solution, or qualified and which of these."""
    found = aspdoku.solve(puzzle, time_limit=_LIMIT)
    verdict = "not one solution: " + found.status
    if found.status == "unique":
        numbers = "".join(map(str, found.solution.numbers().values()))
        verdict = "right" if numbers == solution else "wrong"
    return f"qualified: {verdict}" if puzzle.unsupported else verdict


if __name__ == "__main__":
    main()
