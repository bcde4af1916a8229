"""The recorded dialogue in which verdicts correct three wrong rules (docs/dialogue.py)."""

import subprocess
import sys
import tomllib
from copy import deepcopy

import pytest
from agents.agent_client import ROOT, with_client
from oracle import Rules, violations

FILE = ROOT / "docs" / "examples" / "agent-dialogue.toml"
DIALOGUE = tomllib.loads(FILE.read_text("utf-8"))


def replayed(dialogue, monkeypatch):
    """The turns with their wrong verdicts."""
    monkeypatch.syspath_prepend(ROOT / "docs")
    from dialogue import replay

    async def use(client):
        return [(turn, wrong) async for turn, _, wrong in replay(dialogue, client)]

    return with_client(use)


@pytest.mark.slow
def test_the_verdicts_are_those_in_the_file(monkeypatch):
    assert [wrong for _, wrong in replayed(DIALOGUE, monkeypatch) if wrong] == []


@pytest.mark.slow
def test_each_verdict_can_fail(monkeypatch):
    changed = deepcopy(DIALOGUE)
    for turn in changed["turns"]:
        turn["expect"] = {key: f"{value}?" for key, value in turn.get("expect", {}).items()}
    found = replayed(changed, monkeypatch)
    assert [wrong for _, wrong in found] == [turn["expect"] for turn in changed["turns"]]


def test_three_rules_are_corrected():
    """Of each there is a wrong version and a right one, and both are in the dialogue."""
    names = {
        f"{rule}-{version}"
        for rule in ("nonconsecutive", "knight", "corners")
        for version in (1, 2)
    }
    assert DIALOGUE["rules"].keys() == names
    calls = str([turn.get("arguments") for turn in DIALOGUE["turns"]])
    assert {name for name in names if f"${name}'" in calls} == names


def test_the_grids_of_the_author_are_what_he_says():
    """Both are sudokus; the corners of the first differ."""
    grids = {
        turn["arguments"]["puzzle"]
        for turn in DIALOGUE["turns"]
        if "puzzle" in turn.get("arguments", {})
    }
    corners = {}
    for text in grids:
        grid = [list(map(int, row)) for row in text.split()]
        assert not [*violations(grid, grid, Rules())]
        corners[text] = len({grid[0][0], grid[0][-1], grid[-1][0], grid[-1][-1]})
    assert corners == {"1234 3412 4321 2143": 4, "1234 3421 2143 4312": 3}


def test_no_other_rule_forbids_the_grids_of_the_author():
    """Otherwise a status would say nothing about the rule: the first call about a grid is without
    it.
    """
    solved = [turn for turn in DIALOGUE["turns"] if turn.get("call") == "solve"]
    first = next(turn for turn in solved if turn["expect"] == {"status": "unique"})
    forbidden = {
        turn["arguments"]["puzzle"] for turn in solved if turn["expect"] == {"status": "none"}
    }
    assert forbidden == {first["arguments"]["puzzle"]}
    assert "rules" not in first["arguments"]


@pytest.mark.slow
def test_the_script_over_standard_input_and_output():
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "dialogue.py"], capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("AUTHOR: ")
    assert "two opposite corners are both 4" in done.stdout
