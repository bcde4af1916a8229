"""`aspdoku review`: output and exit status; tests/generation checks the results."""

import pytest
from cli_runner import HARD, run


def test_a_line_for_each_check():
    done = run("review", "example:four")
    assert (done.exit_code, done.stderr) == (0, "")
    *checks, blank, fingerprint, verdict = done.stdout.splitlines()
    assert [line.split()[:2] for line in checks] == [
        [name, "passed"]
        for name in ("input", "solution", "rules", "givens", "clues", "difficulty", "spike")
    ]
    assert (blank, verdict) == ("", "ready to publish")
    assert fingerprint.startswith("fingerprint ")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["1" + "." * 15], 1, "not ready to publish: 1 check failed"),
        (["11" + "." * 14], 1, "there is no solution"),
        (["example:four", "--with", "even"], 1, "without each of these rules: even"),
        (["missing.txt"], 65, "missing.txt"),
        ([*HARD, "--time-limit", "0.5"], 124, "time limit"),
    ],
)
def test_puzzles_that_cannot_be_published(arguments, status, message):
    done = run("review", *arguments)
    assert done.exit_code == status
    assert message in done.output
