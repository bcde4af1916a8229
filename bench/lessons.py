"""Time of whole commands for lectures.

There is no comparable program; the lower bound is a Python process that imports clingo.
"""

from __future__ import annotations

import subprocess
import sys
from functools import partial

import measure
from start_up import ASPDOKU

ROUNDS = 15
GOAL = 1.0
COMMANDS = {
    "elaborate --with anti-knight instances/slides/anti-knight.txt": 0,
    "equal slides/anti-knight-eight-rules anti-knight": 0,
    "equal slides/anti-knight-distance anti-knight": 0,
    "equal slides/anti-knight-distance anti-knight --without row,column": 1,
    "equal slides/offset-aggregate slides/offset-pairwise": 0,
    "equal slides/offset-pairwise offset": 0,
    "equal slides/greater-than greater-than": 0,
}


def main() -> None:
    floor = "python -c 'import clingo'"
    contenders = {
        f"aspdoku {command}": partial(run, [ASPDOKU, *command.split()], status)
        for command, status in COMMANDS.items()
    }
    contenders[floor] = partial(run, [sys.executable, "-c", "import clingo"], 0)
    medians = measure.medians(measure.interleaved(contenders, ROUNDS))
    rows = [
        [f"`{name}`", f"{median:.2f}", f"{median / medians[floor]:.1f}"]
        for name, median in medians.items()
    ]
    slowest = max(median for name, median in medians.items() if name != floor)
    measure.publish(
        "lessons",
        "The lesson: whole commands",
        measure.table(["command", "median s", "to the floor"], rows),
        f"{ROUNDS} rounds, interleaved.",
        measure.goal("the slowest of them, in seconds", slowest, GOAL),
    )


def run(command: list[str], status: int) -> None:
    done = subprocess.run(
        command, env=measure.ENVIRONMENT, cwd=measure.ROOT, stdout=subprocess.DEVNULL, check=False
    )
    if done.returncode != status:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}, and not with {status}")


if __name__ == "__main__":
    main()
