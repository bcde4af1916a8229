"""Throughput of `aspdoku batch`, compared with grounding each puzzle separately, and of two
processes compared with one.

Needs the puzzles in ../shared/data, or in the folder given: files with 81 characters per line.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import clingo
import measure

import aspdoku
from aspdoku import compose
from aspdoku.engine.solver import REQUIRED_OPTIONS

ROUNDS = 5
FRESH = 100
GOALS = {"clues-17": 180, "hardest": 1100}
FASTER, PROCESSES = 20, 1.8
ALL = 49_151  # the known 17-clue puzzles when Gordon Royle's list was published
COPIES = 20  # of the file, to compare one and two processes without the time to start them


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else measure.ROOT.parent / "shared" / "data"
    files = [folder / f"{name}.txt" for name in GOALS]
    if missing := [file for file in files if not file.exists()]:
        sys.exit(f"there is no {missing[0]}")
    rows, goals, totals = [], [], []
    for file in files:
        lines = file.read_text("ascii").split()
        times = measure.interleaved(
            {"batch": partial(batch, file), "start": partial(batch, first_of(lines))},
            ROUNDS,
            warm_up=1,
        )
        whole, in_loop = (
            statistics.median(times["batch"]),
            statistics.median(times["batch"]) - statistics.median(times["start"]),
        )
        fresh = statistics.median(fresh_grounding(lines[:FRESH]) for _ in range(3))
        ours = in_loop / len(lines)
        rows.append(
            [
                file.stem,
                str(len(lines)),
                *(f"{each * 1e6:.0f}" for each in (ours, whole / len(lines), fresh)),
                f"{fresh / ours:.0f}",
            ]
        )
        goals.append(measure.goal(f"{file.stem}, µs a puzzle", ours * 1e6, GOALS[file.stem]))
        if file.stem == "clues-17":
            totals = [
                [f"{len(lines)}, measured", f"{whole:.2f}"],
                [f"{ALL}, extrapolated", f"{whole + (ALL - len(lines)) * ours:.1f}"],
            ]
            goals.append(
                measure.at_least(
                    "clues-17, speed compared with a fresh grounding for each", fresh / ours, FASTER
                )
            )
    goals.append(
        measure.at_least(
            "clues-17, speed of two processes compared with one",
            two_beside_one(files[0]),
            PROCESSES,
        )
    )
    measure.publish(
        "batch",
        "Many puzzles, each solved and proved to have one solution",
        measure.table(
            ["file", "puzzles", "batch, µs each", "whole process", "fresh grounding", "ratio"], rows
        ),
        f"Medians of {ROUNDS} rounds. A puzzle's time in `batch` has everything in it, reading,"
        " solving, the proof, and writing, but for the start of the processes and the one"
        " grounding, measured on a file with a single puzzle; the column after it has these, too."
        f" A fresh grounding is bare clingo on the composed program of each of {FRESH} puzzles, its"
        " answer read.",
        measure.table(["17-clue puzzles", "seconds, whole process"], totals),
        "\n".join(goals),
    )


def batch(file: Path, jobs: int = 1) -> None:
    command = [sys.executable, "-m", "aspdoku", "batch", "-j", str(jobs), str(file)]
    done = subprocess.run(command, env=measure.ENVIRONMENT, stdout=subprocess.PIPE, check=True)
    if any(not line.endswith(b" unique") for line in done.stdout.splitlines()):
        sys.exit(f"{file}: not every puzzle has one solution")


def first_of(lines: list[str]) -> Path:
    file = Path(tempfile.mkstemp(suffix=".txt")[1])
    file.write_text(f"{lines[0]}\n", "ascii")
    return file


def fresh_grounding(lines: list[str]) -> float:
    """Seconds per puzzle, without composing its program."""
    texts = [compose(aspdoku.parse(line)).text for line in lines]
    began = time.perf_counter()
    for text in texts:
        control = clingo.Control([*REQUIRED_OPTIONS, "2"])
        control.add("base", [], text)
        control.ground([("base", [])])
        with control.solve(yield_=True) as handle:
            if len([model.symbols(shown=True) for model in handle]) != 1:
                sys.exit("a puzzle has not just one solution")
    return (time.perf_counter() - began) / len(lines)


def two_beside_one(file: Path) -> float:
    with tempfile.NamedTemporaryFile(suffix=".txt") as many:
        many.write(file.read_bytes() * COPIES)
        many.flush()
        contenders = {str(jobs): partial(batch, Path(many.name), jobs) for jobs in (1, 2)}
        times = measure.medians(measure.interleaved(contenders, 3, warm_up=0))
    return times["1"] / times["2"]


if __name__ == "__main__":
    main()
