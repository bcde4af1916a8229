"""Time of explanations: a hint as a whole process, and full explanations in the same process.

No other program explains arbitrary rules. The lower bound of the first is `python -c 'import
clingo'`, and of the second the proof that the solution is unique. The mixed set is read from
../shared/data, or from the given folder, and skipped if that does not exist.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import measure

import aspdoku
from aspdoku import Program, Solver, compose
from aspdoku.explanation.explainer import Explainer
from aspdoku.explanation.steps import difficulty_of

ROUNDS = 11
HINTS = ["slides/classic", "slides/anti-knight", "prolog/example", "slides/six"]
HINT_GOAL, STEP_GOAL, FULL_GOAL = 0.25, 0.1, 3.0
RULES = Path(__file__).resolve().parent / "rules"
MIXED = 30
SHARE = 0.95


def main() -> None:
    hints = {name: partial(hint, name) for name in HINTS}
    times = measure.medians(measure.interleaved({**hints, "import clingo": start}, ROUNDS))
    floor = times["import clingo"]
    rows = [
        [f"`aspdoku hint instances/{name}.txt`", f"{times[name]:.3f}", f"{times[name] / floor:.1f}"]
        for name in HINTS
    ]
    goals = [measure.goal("the slowest hint, s", max(times[name] for name in HINTS), HINT_GOAL)]
    singles = {
        "AI Escargot": (instance("csp/escargot"), 6.0),
        "anti-knight of the slides": (instance("slides/anti-knight"), 2.5),
        "killer without givens": (instance("made/killer"), 2.0),
        "Miracle: knight, king, nonconsecutive, two givens": (miracle(), 10.0),
    }
    full = []
    for name, (program, goal) in singles.items():
        seconds, worst, hardest, proof = explained(program)
        full.append(
            [name, f"{seconds:.2f}", f"{worst:.3f}", str(hardest), f"{seconds / proof:.0f}"]
        )
        goals.append(measure.goal(f"{name}, s", seconds, goal))
    paragraphs = [
        measure.table(["whole process", "median s", "to the floor"], rows),
        measure.table(
            [
                "full explanation, in the process",
                "s",
                "worst step s",
                "hardest step, rules",
                "to the proof",
            ],
            full,
        ),
    ]
    if mixed := mixed_set():
        found = [explained(compose(aspdoku.parse(line))) for line in mixed]
        seconds = sorted(each[0] for each in found)
        at = seconds[int(SHARE * len(seconds))]
        goals.append(
            measure.goal(f"{SHARE:.0%} of {len(mixed)} mixed puzzles within, s", at, FULL_GOAL)
        )
        # Puzzles whose steps need at most this many rule instances are rated below 9 by Sudoku
        # Explainer.
        ordinary = [each for each in found if each[2] <= 18]
        goals.append(
            measure.goal(
                f"worst step of the {len(ordinary)} up to rating 9, s",
                max(each[1] for each in ordinary),
                STEP_GOAL,
            )
        )
        paragraphs.append(
            f"{len(mixed)} mixed puzzles: median {statistics.median(seconds):.2f} s, slowest"
            f" {seconds[-1]:.2f} s; hardest steps of {min(each[2] for each in found)} to"
            f" {max(each[2] for each in found)} rules."
        )
    note = (
        f"Whole processes: medians of {ROUNDS} rounds, interleaved. In the process: processor time"
        " of one run, set-up included."
    )
    measure.publish("explain", "Explanations", *paragraphs, note, "\n".join(goals))


def hint(name: str) -> None:
    command = [
        sys.executable,
        "-m",
        "aspdoku",
        "hint",
        str(measure.ROOT / "instances" / f"{name}.txt"),
    ]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def start() -> None:
    subprocess.run([sys.executable, "-c", "import clingo"], check=True)


def instance(name: str) -> Program:
    return compose(aspdoku.read(measure.ROOT / "instances" / f"{name}.txt"))


def miracle() -> Program:
    """The puzzle by Mitchell Lee: a 1 in r5c3 and a 2 in r6c7."""
    grid = [["."] * 9 for _ in range(9)]
    grid[4][2], grid[5][6] = "1", "2"
    text = "\n".join("".join(row) for row in grid)
    return compose(
        aspdoku.parse(text),
        "anti-knight",
        str(RULES / "anti-king.lp"),
        str(RULES / "nonconsecutive.lp"),
    )


def explained(program: Program) -> tuple[float, float, int, float]:
    """Seconds for the whole explanation and for its slowest step, the rule instances of the hardest
    step, and seconds for the proof of uniqueness.
    """
    began = time.process_time()
    Solver(program).search(2).count()
    proof = time.process_time() - began
    began = last = time.process_time()
    steps, worst = [], 0.0
    explainer = Explainer(program)
    for step in explainer.steps():
        now = time.process_time()
        if steps:  # the time before the first step is the set-up
            worst = max(worst, now - last)
        last = now
        steps.append(step)
    return (
        time.process_time() - began,
        worst,
        difficulty_of(steps, explainer.unique).hardest,
        proof,
    )


def mixed_set() -> list[str]:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else measure.ROOT.parent / "shared" / "data"
    if not (folder / "clues-17.txt").exists() or not (folder / "puzzles.jsonl").exists():
        return []
    others = [
        json.loads(line) for line in (folder / "puzzles.jsonl").read_text("utf-8").splitlines()
    ]
    classic = [
        each["puzzle"]
        for each in others
        if each["format"] == "81char"
        and each["kind"] == ["classic"]
        and each.get("solution_count") == 1
    ]
    return [*(folder / "clues-17.txt").read_text("ascii").split()[:MIXED], *classic[:MIXED]]


if __name__ == "__main__":
    main()
