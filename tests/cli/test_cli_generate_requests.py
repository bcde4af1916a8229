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


MINE = "#defined ab/1.\n:- a(R,C,N), a(R+1,C+1,N), not ab(mine).\n"


@pytest.mark.parametrize(
    ("folder", "arguments", "name"),
    [
        ("", ["--with", "./mine.lp"], "mine.lp"),
        ("", ["--with", "./mine.lp", "-o", "new.txt"], "mine.lp"),
        ("", ["--like", "old.txt", "-o", "new.txt"], "mine.lp"),
        ("rules/", ["--with", "rules/mine.lp", "-o", "new.txt"], "rules/mine.lp"),
        ("rules/", ["--like", "rules/old.txt", "-o", "new.txt"], "rules/mine.lp"),
        ("", ["--with", "mine.lp", "-o", "set/", "-n", "1"], None),
    ],
)
def test_a_puzzle_names_the_rule_files_in_its_folder(
    folder, arguments, name, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / folder).mkdir(exist_ok=True)
    (tmp_path / folder / "mine.lp").write_text(MINE)
    (tmp_path / folder / "old.txt").write_text(f"with: mine.lp\n{'.' * 36}\n")
    size = [] if "--like" in arguments else ["--size", "6"]
    done = run("generate", "--seed", "1", *size, *arguments)
    assert done.exit_code == 0
    files = [tmp_path / "new.txt", tmp_path / "set" / "1.txt"]
    file = next((each for each in files if each.is_file()), tmp_path / "piped.txt")
    if done.stdout:
        file.write_text(done.stdout)
    assert ("does not name" in done.stderr or "do not name" in done.stderr) == (name is None)
    assert (f"with: {name}" in file.read_text().splitlines()) == (name is not None)
    assert (run("unique", file).exit_code == 0) == (name is not None)


def test_a_warning_about_rules_that_the_puzzle_does_not_name(tmp_path):
    file = tmp_path / "mine.lp"
    file.write_text(
        "#defined ab/1.  #defined ab/2.\n:- a(R,C,N), a(R+1,C+1,N), not ab(mine), not ab(mine,N).\n"
    )
    done = run("generate", "--with", file, "--size", "6", "--seed", "1")
    assert f"warning: the puzzles do not name the rule file {file}" in done.stderr


def test_constants_are_not_part_of_the_puzzles(tmp_path):
    rule = tmp_path / "mine.lp"
    rule.write_text(":- a(R,C,N), a(R,C+1,N+gap), R = 1, not ab(mine).\n#defined ab/1.\n", "utf-8")
    done = run("generate", "--with", rule, "-c", "gap=3", "-c", "n=4", "--seed", "1")
    assert done.exit_code == 0
    assert "the puzzles do not state that gap is 3: add -c gap=3" in done.stderr
    assert "add -c n" not in done.stderr
