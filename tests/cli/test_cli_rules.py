"""`rules` lists the available rules, or prints one."""

import json
import re

import pytest
from cli_runner import ASP, ELABORATIONS, INSTANCES, commands_with, run, run_process
from in_one_test import in_one_test


def title(name):
    return (
        (ASP / "elaborations" / f"{name}.lp").read_text("utf-8").splitlines()[0].removeprefix("% ")
    )


def test_every_bundled_rule_is_listed_with_its_title():
    lines = run("rules").stdout.partition("\n\n")[0].splitlines()
    rules = [line.split(maxsplit=1) for line in lines if not line.startswith(" ")]
    assert rules == [[name, title(name)] for name in ELABORATIONS]


def test_inputs_are_listed_below_the_rule_that_reads_them():
    lines = run("rules").stdout.splitlines()
    killer = next(number for number, line in enumerate(lines) if line.startswith("killer "))
    assert lines[killer + 1].split(maxsplit=1) == [
        "cage/3",
        "cage(R,C,I): cell (R,C) lies in cage I",
    ]
    assert lines[killer + 2].split(maxsplit=1) == [
        "cage_value/2",
        "cage_value(I,S): the numbers of cage I add up to S",
    ]
    assert not re.search(r"\bab/1", "".join(lines))


def test_the_vocabulary_is_listed_at_the_end():
    *_, title, adjacent, sees, value, reaches = run("rules").stdout.splitlines()
    assert title == "Definitions for rules that declare the predicate:"
    assert adjacent.strip() == "adjacent(R,C,R1,C1): cells (R,C) and (R1,C1) share a side"
    assert sees.split(":")[0].strip() == "sees(E,J,K,R,C)"
    assert value.split(":")[0].strip() == "value(R,C,N,V)"
    assert "only for speed" in reaches


def test_the_file_of_a_predicate_of_the_vocabulary():
    text = (ASP / "vocabulary" / "adjacent.lp").read_text("utf-8")
    assert run("rules", "adjacent").stdout == text
    (listed,) = json.loads(run("rules", "adjacent", "--format", "json").stdout)["rules"]
    assert listed["file"] == "asp/vocabulary/adjacent.lp"


def test_the_list_as_json():
    listed = json.loads(run("rules", "--format", "json").stdout)["rules"]
    rules = {rule["name"]: rule for rule in listed}
    assert {name: rule["title"] for name, rule in rules.items()} == {
        name: title(name) for name in ELABORATIONS
    }
    assert {name: rule["file"] for name, rule in rules.items()} == {
        name: f"asp/elaborations/{name}.lp" for name in ELABORATIONS
    }
    assert [(item["name"], item["arity"]) for item in rules["killer"]["inputs"]] == [
        ("cage", 3),
        ("cage_value", 2),
    ]
    assert [(item["name"], item["arity"]) for item in rules["greater-than"]["inputs"]] == [
        ("gt", 4)
    ]
    assert rules["box"]["inputs"] == []


@in_one_test("name", ELABORATIONS)
def test_a_rule_is_printed_byte_for_byte(name):
    done = run("rules", name)
    text = (ASP / "elaborations" / f"{name}.lp").read_bytes()
    assert (done.exit_code, done.stdout_bytes) == (0, text)
    assert re.fullmatch(r"(?:other rules with this word: [a-z, -]+\n)?", done.stderr)


def test_an_unknown_name_is_rejected():
    result = run("rules", "bocks")
    assert (result.exit_code, result.stdout) == (65, "")
    assert "unknown rule 'bocks'" in result.stderr


def test_rules_about_words():
    lines = run("rules", "WHISPER", "line").stdout.splitlines()
    assert lines[0].startswith("whispers ")  # in its title
    assert {"whispers", "path-whispers"} <= set(named(run("rules", "whisper").stdout.splitlines()))
    # Only its wordings have the name.
    assert named(run("rules", "german", "whispers").stdout.splitlines())[0] == "whispers"
    # Only its inputs do.
    assert "killer" in named(run("rules", "cage", "add").stdout.splitlines())
    assert "anti-knight" not in named(lines)
    assert named(run("rules", "jigsaw").stdout.splitlines()) == ["box"]


def test_a_word_that_is_the_name_of_a_rule():
    others = run("rules", "arrow").stderr.partition(": ")[2].strip().split(", ")
    assert {"little-killer", "pill-arrow"} <= {*others}
    assert "arrow" not in others
    assert run("rules", "anti-knight").stderr == ""


def named(lines):
    return [line.split()[0] for line in lines if not line.startswith(" ")]


def test_rules_about_words_that_no_rule_has():
    result = run("rules", "knight", "sum")
    assert (result.exit_code, result.stdout) == (65, "")
    assert result.stderr == "aspdoku: no rule has all these words: knight sum\n"


def test_rules_about_words_as_json():
    listed = json.loads(run("rules", "knight", "--format", "json").stdout)["rules"]
    assert listed[0]["name"] == "anti-knight"
    assert "killer" not in [each["name"] for each in listed]


def test_a_rule_by_its_path(tmp_path):
    (tmp_path / "mine.lp").write_bytes(b"% Mine.\r\n:- a(1,1,1).")
    assert run_process("rules", tmp_path / "mine.lp").stdout == b"% Mine.\r\n:- a(1,1,1)."
    assert run_process("rules", "mine.lp", cwd=tmp_path).stdout == b"% Mine.\r\n:- a(1,1,1)."


@pytest.fixture
def folders(tmp_path):
    """Two folders for ASPDOKU_PATH: `mine` in both, and a bundled name in the first."""
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.lp").write_text(f"% Mine, of folder {folder}.\n:- a(1,1,1).\n")
    (tmp_path / "two" / "yours.lp").write_text(
        "% Yours.\n\n#defined mark/2.  % mark(R,C): a mark\n:- mark(R,C), a(R,C,1).\n"
    )
    (tmp_path / "one" / "box.lp").write_text("% No box at all.\n")
    (tmp_path / "one" / "notes.txt").write_text("no rule\n")
    return tmp_path


def test_rules_on_aspdoku_path(folders):
    path = f"{folders / 'one'}:{folders / 'two'}:{folders / 'nowhere'}:"
    printed = run_process("rules", ASPDOKU_PATH=path).stdout.decode()
    listed = printed.partition("\n\n")[0].splitlines()
    assert [line.split()[0] for line in listed if not line.startswith(" ")] == sorted(
        [*ELABORATIONS, "mine", "yours"]
    )
    assert any(line.split(maxsplit=1) == ["mine", "Mine, of folder one."] for line in listed)
    assert any(line.split() == ["mark/2", "mark(R,C):", "a", "mark"] for line in listed)
    printed = run_process("rules", "mine", ASPDOKU_PATH=path)
    assert printed.stdout == (folders / "one" / "mine.lp").read_bytes()


def test_a_bundled_name_cannot_be_overridden(folders):
    """Otherwise a stray file would change the meaning of `box`."""
    assert (
        run_process("rules", "box", ASPDOKU_PATH=folders / "one").stdout
        == (ASP / "elaborations" / "box.lp").read_bytes()
    )


@pytest.mark.slow
def test_a_rule_on_aspdoku_path_can_be_used_and_is_suggested(folders):
    puzzle = folders / "puzzle.txt"
    puzzle.write_text(". . . .\n" * 4 + "[facts]\nmark(2,3).\n")
    advice = run_process("solve", puzzle, ASPDOKU_PATH=folders / "two").stderr
    assert (
        advice
        == b"warning: the puzzle provides mark/2, but no rule of this program uses it; --with yours"
        b" would\n"
    )
    played = run_process(
        "solve",
        "-n",
        "0",
        "--with",
        "yours",
        "--format",
        "line",
        puzzle,
        ASPDOKU_PATH=folders / "two",
    )
    lines = played.stdout.decode().split()
    assert len(lines) == 288 * 3 // 4  # a quarter of all grids has a 1 there
    assert {line[6] for line in lines} == {"2", "3", "4"}


@pytest.mark.slow
def test_a_rule_of_a_puzzle_is_searched_for_next_to_the_puzzle(tmp_path):
    folder = tmp_path / "deep"
    folder.mkdir()
    (folder / "mine.lp").write_text(":- not a(1,1,1).\n")
    (tmp_path / "mine.lp").write_text(":- not a(1,1,2).\n")
    (folder / "puzzle.txt").write_text("with: ./mine.lp\n" + ". . . .\n" * 4)
    assert run_process(
        "solve", "--format", "line", folder / "puzzle.txt", cwd=tmp_path
    ).stdout.startswith(b"1")
    # On the command line, a path is relative to the current folder.
    (tmp_path / "plain.txt").write_text(". . . .\n" * 4)
    assert run_process(
        "solve", "--format", "line", "--with", "./mine.lp", "plain.txt", cwd=tmp_path
    ).stdout.startswith(b"2")


COMMANDS = [
    "solve",
    "draw",
    "count",
    "unique",
    "candidates",
    "depends",
    "redundant",
    "explain",
    "hint",
    "conflict",
    "grade",
    "program",
    "elaborate",
    "compare --engine asp",
    "why r1c1=1",
    "minimise",
    "fewest",
    "complete",
    "review",
    "handout --static",
    "generate --seed 1 --like",
    "batch - --like",
]


def test_every_command_with_rules_is_tested():
    names = {command.split()[0] for command in COMMANDS} | {"serve"}  # which has no end
    assert names == commands_with("--trust"), "COMMANDS needs each command with --trust"


@pytest.mark.slow_cases("elaborate", "handout --static", "compare --engine asp")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_puzzle_cannot_name_a_rule_file_elsewhere_unless_it_is_trusted(
    command, tmp_path, monkeypatch
):
    (tmp_path / "here").mkdir()
    (tmp_path / "secret.lp").write_text("% Mine.\n:- a(1,1,2).\n")
    puzzle = tmp_path / "here" / "puzzle.txt"
    puzzle.write_text("with: ../secret.lp\n1...\n....\n....\n....\n")
    name, *options = command.split()
    rejected = run(name, *options, puzzle)
    assert (rejected.exit_code, rejected.stdout) == (65, "")
    assert "'../secret.lp' was not read: " in rejected.stderr
    assert "--trust" in rejected.stderr
    monkeypatch.chdir(tmp_path / "here")
    if command not in ("grade", "batch - --like"):
        rejected = run(name, *options, "-", given=puzzle.read_text())
        assert (rejected.exit_code, rejected.stdout) == (65, "")
        assert "'../secret.lp' was not read: " in rejected.stderr
        assert run(name, "--trust", *options, "-", given=puzzle.read_text()).exit_code in (0, 1)
    assert run(name, "--trust", *options, puzzle).exit_code in (0, 1)


def test_a_broken_file_elsewhere_is_not_quoted(tmp_path):
    (tmp_path / "here").mkdir()
    (tmp_path / "passwd").write_text("hunter2:x:0:0\n")
    puzzle = tmp_path / "here" / "puzzle.txt"
    puzzle.write_text("with: ../passwd\n1...\n....\n....\n....\n")
    assert "hunter2" not in run("solve", puzzle).output
    (tmp_path / "here" / "mine.lp").write_text("hunter2 :- \n")
    puzzle.write_text("with: ./mine.lp\n1...\n....\n....\n....\n")
    assert (
        "mine.lp:1:" in run("solve", puzzle).stderr
    )  # a rule file next to the puzzle is reported on as usual


def test_no_rule_is_read_by_name_from_the_current_folder(tmp_path):
    (tmp_path / "mine.lp").write_text(":- a(1,1,1).\n")
    done = run_process(
        "solve", "--with", "mine", INSTANCES / "slides" / "classic.txt", cwd=tmp_path
    )
    assert (done.returncode, done.stdout) == (65, b"")
    assert b"./mine.lp" in done.stderr
