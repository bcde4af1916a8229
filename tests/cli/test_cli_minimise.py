"""`aspdoku minimise`: output and exit status; tests/generation checks what is removed."""

import pytest
from cli_runner import HARD, INSTANCES, run

import aspdoku

KNIGHT = INSTANCES / "slides" / "anti-knight.txt"


def test_it_prints_a_puzzle_file_and_says_how_much_was_removed():
    done = run("minimise", KNIGHT, "--seed", "1")
    expected = aspdoku.minimise(KNIGHT, seed=1)
    assert done.exit_code == 0
    assert aspdoku.parse(done.stdout) == expected.puzzle
    removed = len(expected.removed)
    assert removed > 5
    assert done.stderr == f"removed {removed} of 21 givens; none of the others can be removed\n"


def test_the_file_of_the_output_is_a_puzzle_with_all_its_rules(tmp_path):
    file = tmp_path / "left.txt"
    bare = tmp_path / "bare.txt"
    bare.write_text(str(aspdoku.read(KNIGHT).replace(title="", elaborations=())))
    assert run("minimise", "--with", "anti-knight", bare, "-o", file).stdout == ""
    assert run("unique", file).exit_code == 0
    assert len(aspdoku.read(file).givens()) < 21


def test_what_is_to_be_kept():
    done = run("minimise", KNIGHT, "--keep", "r4c2,r1c1", "--keep", "r9c9")
    assert aspdoku.parse(done.stdout).givens().keys() >= {(4, 2), (1, 1), (9, 9)}
    done = run("minimise", KNIGHT, "--keep", "givens")
    assert (done.exit_code, done.stderr) == (
        0,
        "removed nothing; none can be removed\n",
    )


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["." * 16], 1, "can be minimised: this one has several solutions"),
        (["11" + "." * 14], 20, "can be minimised: this one has no solution"),
        ([KNIGHT, "--keep", "cages"], 65, "nothing to keep: 'cages'"),
        ([KNIGHT, "--seed", "x"], 2, "'x' is not a valid integer"),
        ([*HARD, "--time-limit", "0.5"], 124, "time limit"),
    ],
)
def test_what_cannot_be_minimised(arguments, status, message):
    done = run("minimise", *arguments)
    assert (done.exit_code, done.stdout) == (status, "")
    assert message in done.stderr
