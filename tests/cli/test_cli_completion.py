"""Shell completion: what is offered when Tab is pressed."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runner import ASP, ELABORATIONS, environment
from click.shell_completion import ShellComplete
from in_one_test import in_one_test

from aspdoku.cli import MODULES, cli
from aspdoku.cli.completion import ColonComplete

pytestmark = pytest.mark.versions

SLIDES = sorted(file.stem for file in (ASP / "slides").glob("*.lp"))


def offered(words, incomplete):
    completion = ShellComplete(cli, {}, "aspdoku", "_ASPDOKU_COMPLETE")
    return [item.value for item in completion.get_completions(words, incomplete)]


CASES = [
    # words before, the word at the cursor, and what is offered
    ([], "", list(MODULES)),
    ([], "so", ["solve"]),
    (["solve", "--with"], "", ELABORATIONS),
    (["solve", "--with"], "anti-k", ["anti-king", "anti-knight"]),
    (["solve", "--with"], "offset,gr", ["offset,greater-than"]),
    (["solve", "--with"], "offset,", [f"offset,{name}" for name in ELABORATIONS]),
    (["solve", "--without"], "col", ["column-indexer", "column"]),
    (["program", "--with"], "ki", ["killer"]),
    (["rules"], "cha", ["chain", *(name for name in ELABORATIONS if name.startswith("chaos-"))]),
    (["solve", "--format"], "", ["grid", "line", "json", "facts"]),
    (["solve"], "example:kil", ["example:killer"]),
    (["solve", "--fact", "even(1,1)"], "example:anti-kn", ["example:anti-knight"]),
    (["example"], "anti-kn", ["anti-knight"]),
    (["help"], "so", ["solve"]),
    (["docs"], "tut", ["tutorial"]),
    (["compare", "--engine"], "asp", ["asp-slides", "asp"]),
    (["compare", "--engine"], "sat,findl", ["sat,findling"]),
    (["equal"], "slides/b", ["slides/base", "slides/base-without-box"]),
    (["elaborate", "--over"], "sli", [f"slides/{name}" for name in SLIDES]),
    (["equal", "box"], "box,slides/gr", ["box,slides/greater-than"]),
]


@in_one_test(("words", "incomplete", "expected"), CASES)
def test_completions(words, incomplete, expected):
    assert offered(words, incomplete) == expected


@pytest.mark.parametrize("incomplete", ["./mi", "mine.lp", "zzz"])
def test_a_path_is_left_to_the_shell(incomplete):
    items = ShellComplete(cli, {}, "aspdoku", "_ASPDOKU_COMPLETE").get_completions(
        ["solve", "--with"], incomplete
    )
    assert [(item.value, item.type) for item in items] == [(incomplete, "file")]


def test_a_rule_on_aspdoku_path_is_offered(tmp_path, monkeypatch):
    (tmp_path / "zebra.lp").write_text("% Zebra.\n")
    monkeypatch.setenv("ASPDOKU_PATH", str(tmp_path))
    assert offered(["solve", "--with"], "ze") == ["zebra"]


def called_by(shell, instruction, **variables):
    """What the installed command prints, from whose name that of the variable is derived."""
    variables["_ASPDOKU_COMPLETE"] = f"{shell}_{instruction}"
    command = Path(sys.executable).with_name("aspdoku")
    done = subprocess.run([command], capture_output=True, env=environment(**variables), timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


@pytest.mark.parametrize(
    ("shell", "at_cursor"), [("bash", "3"), ("zsh", "3"), ("fish", "offset,anti-k")]
)
def test_completion_as_called_by_a_shell(shell, at_cursor):
    words = "aspdoku solve --with offset,anti-k"
    shown = called_by(shell, "complete", COMP_WORDS=words, COMP_CWORD=at_cursor)
    found = re.findall(r"^(?:plain,)?(offset,.*)$", shown, re.MULTILINE)
    assert found == ["offset,anti-king", "offset,anti-knight"]


# What prints the completions of a line, for each shell; zsh completes only where a person types.
ASKING = {
    "bash": "COMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1));"
    ' _aspdoku_completion aspdoku; printf "%s\\n" "${{COMPREPLY[@]}}"',
    "fish": "complete --do-complete '{line}'",
}


@pytest.mark.parametrize("shell", ASKING)
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("aspdoku docs glos", ["glossary"]),
        ("aspdoku solve --with offset,anti-k", ["offset,anti-king", "offset,anti-knight"]),
    ],
)
def test_completion_in_a_shell(shell, line, expected, tmp_path):
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed here")
    script = tmp_path / "completion"
    script.write_text(called_by(shell, "source"), "utf-8")
    folder = Path(sys.executable).parent
    path = f"{folder}:{os.environ['PATH']}"
    asking = f"source {script}; {ASKING[shell].format(line=line)}"
    done = subprocess.run(
        [shell, "-c", asking],
        capture_output=True,
        env=environment(PATH=path, HOME=str(tmp_path)),
        cwd=tmp_path,
        timeout=60,
    )
    assert (done.stdout.decode().split(), done.returncode) == (expected, 0), done.stderr


@pytest.mark.parametrize(
    ("words", "place", "expected"),
    [
        ("aspdoku solve example : anti-k", 4, ["anti-king", "anti-knight"]),
        ("aspdoku solve --with box example : kil", 6, ["killer"]),
        ("aspdoku example anti-kn", 2, ["anti-knight"]),
    ],
)
def test_bash_ends_a_word_at_a_colon(words, place, expected, monkeypatch):
    """What bash passes on for `example:anti-k`, and the part after the colon, which it replaces."""
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(place))
    completion = ColonComplete(cli, {}, "aspdoku", "_ASPDOKU_COMPLETE")
    assert completion.complete().splitlines() == [f"plain,{name}" for name in expected]


def test_files_have_priority_over_examples(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "example:killer" in offered(["solve"], "exa")
    (tmp_path / "exam.txt").write_text("")
    assert offered(["solve"], "exa") == ["exa"]
    assert offered(["solve"], "") == [""]
