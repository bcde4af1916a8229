"""File names that are not valid text, in locales that cannot represent them: no command fails
because of a name.
"""

import os
from importlib.util import find_spec

import pytest
from cli_runner import ASP, commands_with, run, run_process
from sampling import one_in

ROWS = "1...\n....\n....\n...2\n"
NAMES = {"not UTF-8": b"x\xff", "signs": b"a\"b'\\c  %d"}
WITH, GRID = "--with", "GRID"
ENGINES = "asp,findling,cp-sat" if find_spec("ortools") else "asp,findling"
COMMANDS = {
    "solve": ["solve", WITH, GRID],
    "draw": ["draw", WITH, GRID],
    "draw html": ["draw", WITH, "-o", "out.html", GRID],
    "draw tex": ["draw", WITH, "-o", "out.tex", GRID],
    "count": ["count", WITH, GRID],
    "unique": ["unique", WITH, GRID],
    "candidates": ["candidates", WITH, GRID],
    "redundant": ["redundant", WITH, GRID],
    "depends": ["depends", WITH, GRID],
    "minimise": ["minimise", WITH, GRID],
    "fewest": ["fewest", WITH, GRID],
    "complete": ["complete", WITH, GRID],
    "review": ["review", WITH, GRID],
    "handout": ["handout", "--static", WITH, GRID],
    "explain": ["explain", WITH, GRID],
    "explain html": ["explain", "--format", "html", WITH, GRID],
    "hint": ["hint", WITH, GRID],
    "why": ["why", "r1c1=1", WITH, GRID],
    "conflict": ["conflict", WITH, GRID],
    "grade": ["grade", WITH, GRID],
    "program": ["program", WITH, GRID],
    "elaborate": ["elaborate", "--diff", WITH, GRID],
    "elaborate json": ["elaborate", "--format", "json", WITH, GRID],
    "elaborate html": ["elaborate", "--format", "html", WITH, GRID],
    "compare": ["compare", "--engine", ENGINES, WITH, GRID],
    "compare --print": ["compare", "--print", WITH, GRID],
    "convert": ["convert", GRID, "-"],
    "batch": ["batch", WITH, "lines.txt"],
    "rules": ["rules", "RULE"],
    "rules json": ["rules", "--format", "json", "RULE"],
    "check": ["check", "RULE"],
    "check json": ["check", "--format", "json", "RULE"],
    "check --against": ["check", "RULE", "--against", "RULE", "--size", "4"],
    "equal": ["equal", "RULE", "anti-knight", "--size", "4"],
}
# A locale in which Python decodes non-ASCII letters in names as undecodable bytes.
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def test_every_command_with_rules_is_tested():
    """A server has no end, and a generated puzzle is a file that names the rule: it is UTF-8."""
    names = {words[0] for words in COMMANDS.values()} | {"serve", "generate"}
    assert commands_with("--with") <= names, "COMMANDS needs a case for each command with --with"


@pytest.mark.slow_cases("check --against-*", "complete-*", "handout-*")
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("command", one_in(3, COMMANDS.values()), ids=COMMANDS)
def test_the_name_of_a_rule_file(command, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(*written(command, os.fsdecode(name)))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code in (0, 1), result.output  # both are regular results


@pytest.mark.slow
@pytest.mark.parametrize("variables", [{}, ASCII], ids=["UTF-8", "ASCII"])
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_the_name_of_a_rule_file_in_a_locale(command, variables, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run_process(*written(command, "mähr"), **variables)
    assert b"Traceback" not in done.stderr
    assert done.returncode in (0, 1)


def written(command, name):
    """The arguments, with a rule file and a puzzle of this name in the current folder."""
    with (
        open(f"{name}.lp", "wb") as rule,
        open(f"{name}.txt", "w") as grid,
        open("lines.txt", "w") as lines,
    ):
        rule.write((ASP / "elaborations" / "anti-knight.lp").read_bytes())
        grid.write(ROWS)
        lines.write(ROWS.replace("\n", "") + "\n")
    words = {WITH: [WITH, f"./{name}.lp"], GRID: [f"{name}.txt"], "RULE": [f"./{name}.lp"]}
    return [word for each in command for word in words.get(each, [each])]
