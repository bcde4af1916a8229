"""JSON of the commands: the keys that docs/json.md promises, and errors."""

import json
import re

import pytest
from cli_runner import ROOT, run, run_process

DOCUMENTED = dict(
    re.findall(r"^\| `(\w+)` \| (.*) \|$", (ROOT / "docs/json.md").read_text("utf-8"), re.MULTILINE)
)
PUZZLE = "12.. 3... .... ...4\n"
COMMANDS = {
    "solve": ["-"],
    "count": ["-"],
    "unique": ["-"],
    "candidates": ["--counts", "-"],
    "redundant": ["-"],
    "equal": ["slides/anti-knight-distance", "anti-knight", "--size", "4"],
    "elaborate": ["-"],
    "conflict": ["-"],
    "compare": ["--engine", "asp", "-"],
}


def keys(text):
    """The keys in a cell of the table, without those of nested objects."""
    return set(re.findall("`(\\w+)`", re.sub(r"\([^)]*\)", "", text)))


@pytest.mark.parametrize("command", COMMANDS)
def test_an_object_has_the_documented_keys(command):
    result = run(command, "--format", "json", *COMMANDS[command], given=PUZZLE)
    assert keys(DOCUMENTED[command]) == set(json.loads(result.stdout))


def test_every_documented_command_is_checked():
    assert set(DOCUMENTED) == set(COMMANDS)


@pytest.mark.parametrize("command", ["solve", "hint", "elaborate", "check --against anti-knigt"])
def test_an_error_is_an_object_on_standard_output(command):
    result = run_process(*command.split(), "--format", "json", "missing.txt")
    document = json.loads(result.stdout)
    assert document.keys() == {"error", "exit_status"}
    assert document["exit_status"] == result.returncode == 65
    assert result.stderr.decode() == f"aspdoku: {document['error']}\n"


def test_an_error_without_json_has_no_output():
    assert run_process("solve", "missing.txt").stdout == b""
