"""`batch --resume` after the process was killed repeatedly at random times: the output is identical
to that of an undisturbed run.
"""

import os
import subprocess
import sys
import time
from random import Random

import pytest
from choice_semantics import sudokus
from random_puzzles import cells_of
from seeds import blocks

LINES = 4000
SECONDS = 120

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are killed by a signal")


def puzzle(rng):
    """A line with a puzzle that has one solution or none, or with an invalid puzzle."""
    grid = rng.choice(sudokus(4))
    while True:
        kept = set(rng.sample(cells_of(4), rng.randint(5, 12)))
        if (
            sum(
                all(other[r - 1][c - 1] == grid[r - 1][c - 1] for r, c in kept)
                for other in sudokus(4)
            )
            == 1
        ):
            break
    line = "".join(
        str(n) if (r, c) in kept else "."
        for r, row in enumerate(grid, 1)
        for c, n in enumerate(row, 1)
    )
    return rng.choice([line, line, line, line.replace(".", "1"), line[:7]])


def lines(rng):
    """Many lines of a few puzzles, some with facts, which require a separate grounding."""
    some = [puzzle(rng) for _ in range(20)]
    found = rng.choices(some, k=LINES)
    for place in rng.sample(range(LINES), LINES // 200):
        found[place] += " gt(1,1,1,2)."
    return "".join(f"{line}\n" for line in found)


@blocks(fast=1, long=1, size=3)
def test_after_kills_and_resume_the_output_is_the_same(block, tmp_path):
    for number, rng in enumerate(block.cases()):
        file = tmp_path / f"{number}.txt"
        file.write_text(lines(rng))
        options = [
            "-j",
            str(rng.choice((1, 1, 2))),
            "--format",
            rng.choice(("line", "jsonl", "csv")),
        ]
        expected = finished(["batch", *options, str(file)])
        output = tmp_path / f"{number}.out"
        command = ["batch", *options, str(file), "-o", str(output), "--resume"]
        for _ in range(rng.randint(2, 4)):
            kill(command, output, rng, len(expected))
            assert expected.startswith(output.read_bytes() if output.exists() else b"")
        finished(command)
        assert output.read_bytes() == expected


def finished(command):
    done = subprocess.run(
        [sys.executable, "-m", "aspdoku", *command], capture_output=True, timeout=SECONDS
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def kill(command, output, rng: Random, size):
    """Start the command, and kill it after a random amount of output or a random time."""
    process = subprocess.Popen([sys.executable, "-m", "aspdoku", *command], start_new_session=True)
    enough = size_of(output) + rng.randrange(size // 3)
    end = time.monotonic() + (rng.random() if rng.random() < 0.3 else SECONDS)
    try:
        while process.poll() is None and size_of(output) < enough and time.monotonic() < end:
            time.sleep(0.002)
        time.sleep(rng.random() / 50)
    finally:
        process.kill()
        process.wait()


def size_of(file):
    return file.stat().st_size if file.exists() else 0
