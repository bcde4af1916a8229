"""Shell completion: what is offered when Tab is pressed."""

import subprocess
import sys
from pathlib import Path

import pytest
from cli_runner import ASP, ELABORATIONS, environment
from click.shell_completion import ShellComplete

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


@pytest.mark.parametrize(("words", "incomplete", "expected"), CASES)
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


def test_completion_as_called_by_bash():
    """With the installed name of the command, from which the name of the variable is derived."""
    command = Path(sys.executable).with_name("aspdoku")
    variables = {
        "_ASPDOKU_COMPLETE": "bash_complete",
        "COMP_WORDS": "aspdoku solve --with anti-k",
        "COMP_CWORD": "3",
    }
    done = subprocess.run([command], capture_output=True, env=environment(**variables), timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        b"plain,anti-king\nplain,anti-knight\n",
        b"",
    )


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
