"""`aspdoku generate`: refused options, the line above a puzzle, warnings."""

import shlex

import pytest
from cli_runner import run


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--size", "4", "-c", "n=6"], "--size and -c n=... exclude each other"),
        (["--size", "4", "--like", "example:killer"], "--size and --like exclude each other"),
        (["-n", "2", "-o", "sheet.txt"], "2 puzzles need a folder, not sheet.txt"),
        (["--format", "html", "-o", "."], ". is a folder: all puzzles go to one html file"),
    ],
)
def test_options_that_exclude_each_other(arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("generate", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr


def test_the_first_line_is_the_command_that_makes_the_puzzles_again(tmp_path):
    assert run("generate", "--size", "4", "-n", "2", "-o", tmp_path / "sheet").exit_code == 0
    text = (tmp_path / "sheet" / "2.txt").read_text()
    header = text.partition("\n")[0]
    assert header.endswith("  # puzzle 2")
    words = shlex.split(header.removeprefix("# "), comments=True)
    assert run(*words[1:]).stdout.endswith(text)


def test_a_warning_about_rules_that_the_puzzle_does_not_name(tmp_path):
    file = tmp_path / "mine.lp"
    file.write_text(
        "#defined ab/1.  #defined ab/2.\n:- a(R,C,N), a(R+1,C+1,N), not ab(mine), not ab(mine,N).\n"
    )
    done = run("generate", "--with", file, "--size", "6", "--seed", "1")
    assert f"warning: the puzzles do not name the rule file {file}" in done.stderr
