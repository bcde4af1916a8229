"""`aspdoku learn`: output, the dialogue and the exit status; tests/lecture checks what is found."""

import json

import pytest
from cli_runner import run

GRID = "1234341243212143"
RIGHT = "1234341221434321"


def test_a_known_rule(tmp_path):
    file = tmp_path / "learned.lp"
    done = run("learn", "--rule", "offset", "--size", "4", "-o", file)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "question 1: is this grid allowed?\n\n" in done.stdout
    assert (
        "the rule in asp/hypotheses.lp that fits: Cells at the same position of their boxes"
        " contain different numbers.\n" in done.stdout
    )
    assert "equivalent: no grid distinguishes" in done.stdout
    assert file.read_text().startswith("% Cells at the same position")
    again = run("learn", "--rule", "offset", "--size", "4", "-o", file)
    assert (again.exit_code, again.stdout) == (2, "")
    assert "already exists" in again.stderr


@pytest.mark.slow
def test_a_game_of_questions():
    """It ends with the input, or when the rule is found."""
    stopped = run("learn", RIGHT, "--play", "--format", "json", given="n\n")
    document = json.loads(stopped.stdout)
    assert (stopped.exit_code, document["status"]) == (1, "several")
    assert [each["allowed"] for each in document["questions"]] == [False]
    assert stopped.stderr.count("Is this grid allowed?") == 2
    ended = run("learn", RIGHT, "--play", "--format", "json", given="n\n" * 20)
    document = json.loads(ended.stdout)
    assert document["questions"][0] == json.loads(stopped.stdout)["questions"][0]
    assert 2 <= len(document["questions"]) == ended.stderr.count("Is this grid allowed?") <= 6
    assert ended.exit_code == {"found": 0, "none": 20}[document["status"]]


def test_several_rules_without_questions():
    done = run("learn", GRID)
    assert (done.exit_code, done.stderr) == (1, "")
    assert " rules in asp/hypotheses.lp fit 1 allowed grid\n" in done.stdout
    assert "this grid separates them: is it allowed?" in done.stdout


def test_no_rule(tmp_path):
    space = tmp_path / "space.lp"
    space.write_text("%! rule anti-knight\n")
    done = run("learn", "1234341221434321", "--space", space)
    assert done.exit_code == 20
    assert f"none of the rules in {space} fits" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--play", "--rule", "box"], 2, "--play and --rule exclude each other"),
        (["1" + "." * 15], 65, "r1c2 is empty"),
        (["--rule", "killer"], 65, "has inputs"),
        (["--space", "nowhere.lp"], 65, "nowhere.lp: No such file"),
        (["--size", "0"], 2, "--size"),
    ],
)
def test_bad_input(arguments, status, message):
    done = run("learn", *arguments)
    assert (done.exit_code, done.stdout) == (status, "")
    assert message in done.stderr


def test_what_is_not_written_or_not_used_is_reported(tmp_path):
    file = tmp_path / "found.lp"
    done = run("learn", GRID, "-o", file)
    assert (done.exit_code, file.exists()) == (1, False)
    assert f"{file} is not written: no single rule was found" in " ".join(done.stderr.split())
    assert run("learn", GRID, "--size", 6).exit_code == 2
