"""`aspdoku complete`: output and exit status; tests/generation checks what is found."""

import pytest
from cli_runner import HARD, run

import aspdoku

SIGNS = "with: greater-than\n.2..\n....\n...1\n....\n\n[facts]\ngt(1,2,1,1). gt(1,4,2,4).\n"


def test_a_table_of_additions():
    done = run("complete", "-n", "3", "-", given=SIGNS)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "5 single additions make the solution unique; the best 3:",
        "",
        "addition  filled  grade        work  hardest step",
        "r3c3=3        14  easy            6  1 rule, hidden single",
        "r3c3=4        14  easy            6  1 rule, hidden single",
        "r4c1=3        14  easy            6  1 rule, hidden single",
    ]


@pytest.mark.slow
def test_the_intended_solution(tmp_path):
    file = tmp_path / "intended.txt"
    file.write_text(str(aspdoku.complete(SIGNS).additions[0].solution))
    done = run("complete", "--solution", file, "-", given=SIGNS)
    assert done.exit_code == 0
    assert done.stdout.startswith("2 single additions make")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["." * 16], 1, "no single addition makes the solution unique: at least"),
        ([".4.....4..2.1..."], 0, "the solution is unique already"),
        (["11" + "." * 14], 20, "no solution"),
        (["1" + "." * 15, "--solution", "." * 16], 65, "is not a filled grid"),
        (["." * 16, "-n", "x"], 2, "'x' is not a valid integer"),
        ([*HARD, "--time-limit", "0.5"], 124, "time limit"),
    ],
)
def test_other_outcomes(arguments, status, message):
    done = run("complete", *arguments)
    assert done.exit_code == status
    assert message in done.output
