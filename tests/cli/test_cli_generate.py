"""`aspdoku generate`: output, files and exit status; tests/generation checks the puzzles."""

import re
import shlex

import pytest
from cli_runner import run

import aspdoku


@pytest.mark.slow
def test_the_first_line_is_the_command_that_makes_the_puzzle_again():
    done = run("generate", "--size", "6", "--with", "thermo", "--symmetry", "rotational")
    assert done.exit_code == 0
    command, _, text = done.stdout.partition("\n")
    assert re.fullmatch(
        "# aspdoku generate --size 6 --with thermo --symmetry rotational --seed [0-9]+", command
    )
    again = run(*shlex.split(command.removeprefix("# aspdoku ")))
    assert again.stdout == done.stdout
    assert aspdoku.parse(done.stdout) == aspdoku.parse(text)
    assert aspdoku.unique(aspdoku.parse(text))
    assert re.fullmatch(r"6x6, \d+ givens, \d+ clues?(, minimal)?\n", done.stderr)


def test_it_is_that_of_python():
    done = run("generate", "--size", "4", "--seed", "5", "--givens", "6")
    expected = aspdoku.generate(size=4, seed=5, givens=6)
    assert aspdoku.parse(done.stdout) == expected.puzzle
    assert done.stderr == "4x4, 6 givens\n"


def test_several_puzzles_are_files_in_a_folder(tmp_path):
    folder = tmp_path / "new" / "puzzles"
    done = run("generate", "--size", "4", "--seed", "1", "-n", "3", "-o", folder)
    assert (done.exit_code, done.stdout) == (0, "")
    expected = aspdoku.generate(size=4, seed=1, count=3).puzzles
    assert [aspdoku.read(folder / f"{number}.txt") for number in (1, 2, 3)] == [
        each.puzzle for each in expected
    ]
    assert done.stderr.endswith("3 puzzles in 3 attempts\n")
    one = tmp_path / "one.txt"
    assert run("generate", "--size", "4", "--seed", "1", "-o", one).stdout == ""
    assert aspdoku.read(one) == expected[0].puzzle


def test_like_has_the_rules_of_another_puzzle():
    done = run("generate", "--like", "example:anti-king", "--seed", "1")
    assert aspdoku.parse(done.stdout).elaborations == ("anti-king",)


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--size", "4", "--givens", "17"], 65, "17 givens are impossible"),
        (["--with", "pair"], 65, "pair has inputs, and there is no file"),
        (["--with", "nonconsecutive,anti-king", "--size", "4"], 20, "no 4x4 grid satisfies noncon"),
        (["--size", "4", "--like", "example:killer"], 2, "--size and --like exclude each other"),
        (["--technique", "xwing"], 65, "Did you mean 'X-wing'?"),
        (["--grade", "simple"], 2, "'simple' is not one of"),
        (
            ["--size", "4", "--givens", "3", "--time-limit", "1"],
            124,
            "the time limit was reached; the nearest attempt: 4 givens",
        ),
    ],
)
def test_bad_requests(arguments, status, message):
    done = run("generate", *arguments)
    assert done.exit_code == status
    assert message in done.stderr
    assert done.stdout == ""
