"""Marking a class: `aspdoku check --against` with sixty files and two processes.

There is no comparable program; the lower bound of a file is a Python process that imports clingo.
The verdicts are checked.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from itertools import cycle, islice
from pathlib import Path

import measure
from start_up import ASPDOKU

FILES, GOAL, STARTS = 60, 60.0, 11
REFERENCE = "anti-knight"
COMMAND = [ASPDOKU, "check", "--against", REFERENCE, "-j", "2", "--format", "json"]
MOVE = "#defined ab/1.\n:- a(R,C,N), a(R1,C1,N), {}, not ab({{name}}).\n"
# What students may hand in, with the verdicts.
SUBMISSIONS = [
    ("right", MOVE.format("|R-R1| + |C-C1| == 3, R != R1, C != C1")),
    ("right", MOVE.format("|R-R1| * |C-C1| == 2")),
    ("right", MOVE.format("(R-R1)**2 + (C-C1)**2 == 5")),
    (
        "right",
        "#defined ab/1.\nstep(1,2). step(1,-2). step(2,1). step(2,-1).\n"
        ":- step(A,B), a(R,C,N), a(R+A,C+B,N), not ab({name}).\n",
    ),
    ("too lax", MOVE.format("R1 == R+1, C1 == C+2")),
    ("too lax", MOVE.format("|R-R1| == 2, |C-C1| == 1")),
    ("too lax", MOVE.format("|R-R1| * |C-C1| == 2, N < 5")),
    ("too strict", MOVE.format("|R-R1| <= 2, |C-C1| <= 2, R != R1, C != C1")),
    ("too strict", MOVE.format("|R-R1| + |C-C1| <= 3, R != R1, C != C1")),
    ("wrong", MOVE.format("|R-R1| == 1, |C-C1| == 1")),
    ("wrong", MOVE.format("|R-R1| * |C-C1| == 3")),
    ("cannot be used", ":- a(R,C,N), a(R1,C1,N), |R-R1| * |C-C1| == 2\n"),
]
ENDLESS = ("gave up", "p(0).\np(X+1) :- p(X).\n:- p(3), a(1,1,1).\n")
UNDECIDED = ("gave up", "undecided")  # on a slow machine, any file may be


def main() -> None:
    submissions = [*islice(cycle(SUBMISSIONS), FILES - 1), ENDLESS]
    with tempfile.TemporaryDirectory() as folder:
        expected = {}
        for number, (verdict, text) in enumerate(submissions, 1):
            file = Path(folder) / f"student_{number}.lp"
            file.write_text(text.replace("{name}", file.stem), "utf-8")
            expected[str(file)] = verdict
        seconds, found = marked(list(expected))
    for file, verdict in expected.items():
        if found.get(file) not in (verdict, *UNDECIDED):
            sys.exit(f"{file}: expected '{verdict}', found '{found.get(file)}'")
    start = [sys.executable, "-c", "import clingo"]
    floor = measure.medians(
        measure.interleaved({"floor": partial(subprocess.run, start, check=True)}, STARTS)
    )["floor"]
    counts = ", ".join(f"{count} {verdict}" for verdict, count in Counter(found.values()).items())
    measure.publish(
        "marking",
        "Marking a class: 60 files, two processes",
        measure.table(
            ["`aspdoku check --against anti-knight -j 2`", "s", "s for a file", "to the floor"],
            [
                [
                    f"{FILES} files",
                    f"{seconds:.1f}",
                    f"{seconds / FILES:.2f}",
                    f"{seconds / FILES / floor:.1f}",
                ]
            ],
        ),
        f"One run, the whole process. Verdicts: {counts}. One file needs its whole time limit. The"
        f" floor is `python -c 'import clingo'`, {floor:.2f} s.",
        measure.goal("seconds for the class", seconds, GOAL),
    )


def marked(files: list[str]) -> tuple[float, dict[str, str]]:
    """The seconds for these files, and their verdicts."""
    began = time.perf_counter()
    command = [*COMMAND, *files]
    done = subprocess.run(command, env=measure.ENVIRONMENT, stdout=subprocess.PIPE, check=False)
    seconds = time.perf_counter() - began
    answer = json.loads(done.stdout)
    return seconds, {each["file"]: each["verdict"] for each in answer["files"]}


if __name__ == "__main__":
    main()
