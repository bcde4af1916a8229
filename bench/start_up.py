"""Start-up time: the whole command `aspdoku solve`, compared with plain clingo on the same program.

An empty Python process is the lower bound of both.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import measure

ROUNDS = 61
GOAL = 2.2

ASPDOKU = str(Path(sys.executable).parent / "aspdoku")
PUZZLE = ["--with", "anti-knight", "instances/slides/anti-knight.txt"]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program.lp"
        program.write_text(answer([ASPDOKU, "program", *PUZZLE]), "utf-8")
        solve = [ASPDOKU, "solve", *PUZZLE]
        clingo = [
            sys.executable,
            "-m",
            "clingo",
            str(program),
            "2",
            "--project=project",
            "--warn=none",
        ]
        expect("unique solution", answer(solve))
        expect("Models       : 1\n", answer(clingo))
        commands = {
            "aspdoku solve": solve,
            "python -m clingo": clingo,
            "python -c pass": [sys.executable, "-c", "pass"],
        }
        times = measure.interleaved(
            {name: partial(run, command) for name, command in commands.items()}, ROUNDS
        )
    report(times)


def report(times: measure.Times) -> None:
    medians = measure.medians(times)
    peer = medians["python -m clingo"]
    rows = []
    for name, median in medians.items():
        lower, upper = measure.middle_half(times[name])
        rows.append(
            [
                f"`{name}`",
                f"{median * 1e3:.1f}",
                f"{lower * 1e3:.1f} to {upper * 1e3:.1f}",
                f"{median / peer:.2f}",
            ]
        )
    measure.publish(
        "start_up",
        "Start-up: one anti-knight sudoku, the whole process",
        measure.table(["process", "median ms", "half of the runs, ms", "to clingo"], rows),
        f"{ROUNDS} rounds, interleaved. Both look for a second solution and find that there is"
        " none.",
        measure.goal("aspdoku to clingo", medians["aspdoku solve"] / peer, GOAL),
    )


def run(command: list[str]) -> None:
    quiet = subprocess.DEVNULL
    subprocess.run(
        command, env=measure.ENVIRONMENT, cwd=measure.ROOT, stdout=quiet, stderr=quiet, check=True
    )


def answer(command: list[str]) -> str:
    """The output of the command."""
    return subprocess.run(
        command,
        env=measure.ENVIRONMENT,
        cwd=measure.ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout


def expect(verdict: str, printed: str) -> None:
    """Assert that both processes have the same result."""
    if verdict not in printed:
        sys.exit(f"expected '{verdict.strip()}' in:\n{printed}")


if __name__ == "__main__":
    main()
