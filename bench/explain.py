"""Time of explanations: a hint as a whole process, and full explanations in the same process.

No other program explains arbitrary rules. The lower bound of the first is `python -c 'import
clingo'`, and of the second the proof that the solution is unique. The mixed set is read from
../shared/data, or from the given folder, and skipped if that does not exist.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import measure

import aspdoku
from aspdoku import Program, Solver, compose
from aspdoku.explanation.explainer import Explainer
from aspdoku.explanation.steps import difficulty_of

ROUNDS = 11
HINTS = ["slides/classic", "slides/anti-knight", "prolog/example", "slides/six"]
HINT_GOAL, STEP_GOAL, FULL_GOAL = 0.2, 0.5, 1.8
RULES = Path(__file__).resolve().parent / "rules"
MIXED = 30
SHARE = 0.95
PERCENTILES = 50, 75, 90, 95, 100


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
        "AI Escargot": (instance("csp/escargot"), 2.0),
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
        whole, worst_steps = (sorted(each[place] for each in found) for place in (0, 1))
        paragraphs.append(
            measure.table(
                [f"{len(mixed)} mixed puzzles, s", *(f"{each} %" for each in PERCENTILES)],
                [
                    [name, *(f"{percentile(seconds, each / 100):.3f}" for each in PERCENTILES)]
                    for name, seconds in (
                        ("full explanation", whole),
                        ("its slowest step", worst_steps),
                    )
                ],
            )
        )
        goals.append(
            measure.goal(
                f"{SHARE:.0%} of {len(mixed)} mixed puzzles within, s",
                percentile(whole, SHARE),
                FULL_GOAL,
            )
        )
        goals.append(measure.goal("worst step of them, s", worst_steps[-1], STEP_GOAL))
        hardest = [each[2] for each in found]
        paragraphs.append(f"Their hardest steps have {min(hardest)} to {max(hardest)} rules.")
    note = (
        f"Whole processes: medians of {ROUNDS} rounds, interleaved. In the process: processor time"
        " of one run, set-up included."
    )
    measure.publish("explain", "Explanations", *paragraphs, note, "\n".join(goals))


def percentile(seconds: Sequence[float], share: float) -> float:
    """The time within which a share of the explanations is found; `seconds` is sorted."""
    return seconds[min(int(share * len(seconds)), len(seconds) - 1)]


def hint(name: str) -> None:
    command = [
        sys.executable,
        "-m",
        "aspdoku",
        "hint",
        str(measure.ROOT / "instances" / f"{name}.txt"),
    ]
    subprocess.run(command, env=measure.ENVIRONMENT, stdout=subprocess.DEVNULL, check=True)


def start() -> None:
    command = [sys.executable, "-c", "import clingo"]
    subprocess.run(command, env=measure.ENVIRONMENT, check=True)


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
    """Seconds for the whole explanation, as `aspdoku explain` orders it, and for its slowest step;
    the rule instances of the hardest step; and seconds for the proof of uniqueness.
    """
    began = time.process_time()
    Solver(program).search(2).count()
    proof = time.process_time() - began
    began = last = time.process_time()
    steps, worst = [], 0.0
    explainer = Explainer(program)
    for step in explainer.steps(batch=False):
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
