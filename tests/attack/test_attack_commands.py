"""Every command with mutated puzzle files: the exit status is documented, and the output contains
no traceback and no control characters.
"""

import os
import re
import subprocess
import sys

from mutations import mutated, puzzle_files, written
from seeds import blocks

SECONDS = 120
LIMIT = ["--time-limit", "3"]
# Arguments by command; FILE is the mutated file.
COMMANDS = [
    ["solve", "FILE", *LIMIT],
    ["solve", "FILE", "-n", "3", "--format", "json", *LIMIT],
    ["draw", "FILE", "-o", "OUT.svg"],
    ["count", "FILE", "--limit", "20", *LIMIT],
    ["fewest", "FILE", *LIMIT],
    ["unique", "FILE", "--format", "json", *LIMIT],
    ["candidates", "FILE", *LIMIT],
    ["redundant", "FILE", *LIMIT],
    ["batch", "FILE", *LIMIT],
    ["explain", "FILE", *LIMIT],
    ["explain", "FILE", "--format", "json", *LIMIT],
    ["hint", "FILE", *LIMIT],
    ["why", "FILE", "r1c1=1", *LIMIT],
    ["conflict", "FILE", *LIMIT],
    ["grade", "FILE", *LIMIT],
    ["read", "FILE"],
    ["read", "FILE", "--format", "html"],
    ["convert", "FILE", "OUT.txt"],
    ["convert", "FILE", "OUT.json", "--to", "f-puzzles"],
    ["program", "FILE"],
    ["elaborate", "FILE", "--with", "anti-knight", "--limit", "5", *LIMIT],
    ["compare", "FILE", "--engine", "asp", *LIMIT],
    ["equal", "anti-knight", "anti-king", "FILE", *LIMIT],
    ["test", "anti-knight", "FILE", *LIMIT],
]
# The exit statuses that the guide documents.
STATUSES = {0, 2, 20, 65, 74, 124}
# Characters that must not reach a terminal.
CONTROL = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
# Commands with the additional exit statuses 1 and 4.
MAY_BE_1 = {"read", "unique", "redundant", "why", "compare", "equal", "test"}


@blocks(fast=5, long=1, size=50)
def test_a_command_ends_with_a_documented_status(block, tmp_path):
    texts = [*puzzle_files(), *(text for texts in written().values() for text in texts)]
    environment = {name: value for name, value in os.environ.items() if name != "ASPDOKU_PATH"}
    for rng in block.cases():
        text = mutated(rng, rng.choice(texts), rng.choice(texts))
        file = tmp_path / "mutated.txt"
        file.write_text(text, "utf-8", errors="surrogatepass", newline="")
        command, *options = rng.choice(COMMANDS)
        arguments = [
            str(file) if each == "FILE" else each.replace("OUT", str(tmp_path / "out"))
            for each in options
        ]
        done = subprocess.run(
            [sys.executable, "-m", "aspdoku", command, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment,
            timeout=SECONDS,
        )
        case = (
            f"{command} {' '.join(arguments)}: {done.returncode}\n{done.stderr.decode()}\n{text!r}"
        )
        answers = STATUSES | ({1, 4} if command in MAY_BE_1 else set())
        assert done.returncode in answers, case
        assert b"Traceback" not in done.stderr, case
        assert not CONTROL.search(done.stdout.decode() + done.stderr.decode()), case
