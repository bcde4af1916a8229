"""The tools of `aspdoku mcp`: what they answer is what the commands print, and right."""

import base64
import json
import re
from importlib.util import find_spec
from itertools import product

import pytest
from agents.agent_client import ROOT, call, document, text_of, with_client
from cli.cli_runner import run
from jsonschema import Draft202012Validator
from oracle import Rules, solutions, violations
from referencing import Registry, Resource

import aspdoku
from aspdoku.agents import tools
from aspdoku.agents.tools import TOOLS

pytestmark = pytest.mark.versions

PUZZLE = "1... ..3. .4.. 2..."
ROWS = PUZZLE.replace(" ", "\n")
OPEN = "1... .... .... ...."
SEVERAL = "12.. 3... .... ...4"
CLASH = "11.. .... .... ...."
# A unique rectangle excludes the 2 in r3c2.
RECTANGLE = "000080001607000000400000000000600430008070000010000000050003040200400000000000700"
# Moves to the left are missing.
LAX = """% Cells a knight's move apart contain different numbers.

%@ {N} in r{R}c{C} and in r{R1}c{C1}
:- a(R,C,N), a(R1,C1,N), (R1,C1) = ((R+1,C+2);(R+2,C+1)), not ab(lax).
"""
BROKEN = "% Title.\n:- a(R,C,N), neighbour(R,C), not ab(mine).\n"
WORDED = json.dumps(
    {
        "cells": [[{} for _ in range(4)] for _ in range(4)],
        "metadata": {"title": "Words", "rules": "Normal sudoku rules apply.\nNobody knows this."},
    }
)


def own(text, name="mine"):
    return {"name": name, "text": text}


# For each tool, arguments and the command that prints the same, with standard input.
SAME = [
    ("rules", {}, "rules", ""),
    ("check_rule", {"rule": own(BROKEN)}, "check mine.lp", BROKEN),
    ("check_rule", {"rule": own(LAX)}, "check mine.lp", LAX),
    (
        "compare_rules",
        {"one": own(LAX), "two": "anti-knight", "size": 6},
        "equal mine.lp anti-knight --size 6",
        LAX,
    ),
    (
        "compare_rules",
        {"one": "slides/anti-knight-distance", "two": "anti-knight", "without": ["row"]},
        "equal slides/anti-knight-distance anti-knight --without row",
        "",
    ),
    ("solve", {"puzzle": PUZZLE}, "solve -", PUZZLE),
    ("solve", {"puzzle": SEVERAL, "number": 3}, "solve -n 3 -", SEVERAL),
    ("solve", {"puzzle": SEVERAL}, "solve -", SEVERAL),
    ("explain", {"puzzle": PUZZLE}, "explain -", PUZZLE),
    ("why", {"puzzle": PUZZLE, "claim": "r4c4!=1"}, "why r4c4!=1 -", PUZZLE),
    ("why", {"puzzle": OPEN, "claim": "r2c3=1"}, "why r2c3=1 -", OPEN),
    ("explain", {"puzzle": RECTANGLE, "unique": True}, "explain --unique -", RECTANGLE),
    (
        "why",
        {"puzzle": RECTANGLE, "claim": "r3c2!=2", "unique": True},
        "why --unique r3c2!=2 -",
        RECTANGLE,
    ),
    ("conflict", {"puzzle": CLASH}, "conflict -", CLASH),
    ("count", {"size": 4, "without": ["box"]}, "count -c n=4 --without box", ""),
    ("count", {"puzzle": SEVERAL, "facts": ["a(4,3,1)"]}, "count - --fact a(4,3,1)", SEVERAL),
    (
        "generate",
        {"size": 4, "rules": ["thermo"], "seed": 1},
        "generate --size 4 --with thermo --seed 1",
        "",
    ),
    (
        "generate",
        {"size": 4, "rules": ["killer", "thermo"], "clues": {"killer": 2, "thermo": 1}, "seed": 1},
        "generate --size 4 --with killer,thermo --clues killer=2,thermo=1 --seed 1",
        "",
    ),
    ("elaborate", {"size": 4, "rules": ["anti-king"]}, "elaborate -c n=4 --with anti-king", ""),
    ("read_puzzle", {"puzzle": WORDED}, "read -", WORDED),
]


@pytest.mark.slow_cases("*rules*", "*generate*", "*elaborate*", "*explain*", "why --unique *")
@pytest.mark.parametrize(
    ("tool", "arguments", "command", "given"), SAME, ids=[command for _, _, command, _ in SAME]
)
def test_a_tool_answers_what_the_command_prints(
    tool, arguments, command, given, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.lp").write_text(given)
    answer = call(tool, **arguments)
    words = command.split()
    printed = run(*words, given=given).stdout.rstrip("\n")
    printed = re.sub(r"\A# aspdoku generate .*\n", "", printed)  # the command that was run
    assert text_of(answer) == printed
    found, remarks = document(answer)
    assert found == json.loads(run(*words, "--format", "json", given=given).stdout)
    assert "\n".join(remarks) in [each.text for each in answer.content[1:]] or not remarks
    assert_valid(tool, found, remarks)


# Arguments and commands as in SAME, of tools that have remarks of their own.
SAME_REMARKS = [
    ("solve", {"puzzle": f"with: killer\n{ROWS}"}, "solve -", f"with: killer\n{ROWS}"),
    ("solve", {"puzzle": CLASH}, "solve -", CLASH),
    (
        "generate",
        {"size": 4, "facts": ["even(1,2)"], "seed": 1, "count": 2},
        "generate --size 4 --fact even(1,2) --seed 1 -n 2",
        "",
    ),
    (
        "compare_rules",
        {"one": own("% Nothing.\n"), "two": "anti-knight", "size": 4},
        "equal mine.lp anti-knight --size 4",
        "% Nothing.\n",
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "command", "given"), SAME_REMARKS)
def test_remarks_are_what_the_command_writes_to_standard_error(
    tool, arguments, command, given, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.lp").write_text(given)
    written = run(*command.split(), given=given).stderr.splitlines()
    _, remarks = document(call(tool, **arguments))
    assert remarks
    assert remarks == [line.removeprefix("warning: ") for line in written]


def assert_valid(tool, found, remarks):
    """The answer is valid for the published schema, and with remarks for that of the tool."""
    folder = ROOT / "aspdoku" / "schemas"
    published = {file.name: json.loads(file.read_text("utf-8")) for file in folder.glob("*.json")}
    registry = Registry().with_resources(
        [(name, Resource.from_contents(schema)) for name, schema in published.items()]
    )
    kind = found["schema"].split("/")[1]
    Draft202012Validator(published[f"{kind}.json"], registry=registry).validate(found)
    validator = Draft202012Validator(listed()[tool].output_schema)
    validator.validate(found | {"remarks": remarks})
    assert not validator.is_valid(found | {"other": 1})
    assert not validator.is_valid({key: found[key] for key in found.keys() - {"schema"}})


def listed():
    """The tools by name, as a client gets them."""
    tools = with_client(lambda client: client.list_tools()).tools
    return {tool.name: tool for tool in tools}


def test_each_tool_is_described_and_answered():
    assert TOOLS.keys() == tools._ASKED.keys() == listed().keys()
    for tool in listed().values():
        Draft202012Validator.check_schema(tool.input_schema)
        for name, schema in tool.input_schema["properties"].items():
            assert schema["description"], (tool.name, name)
        assert tool.input_schema["required"] == TOOLS[tool.name].schema["required"]
    assert "$" not in json.dumps([tool.schema for tool in TOOLS.values()])  # all are resolved


def test_each_tool_with_json_is_compared_with_a_command():
    assert {tool for tool, *_ in SAME} == {name for name, tool in TOOLS.items() if tool.result}


def test_the_text_of_a_rule():
    for name, file in {"anti-knight": "elaborations", "adjacent": "vocabulary", "base": ""}.items():
        expected = (ROOT / "asp" / file / f"{name}.lp").read_text("utf-8")
        assert text_of(call("rule_text", name=name)) == expected


def test_rules_that_contain_words():
    found, _ = document(call("rules", contains="Knight's move"))
    assert [each["name"] for each in found["rules"]] == ["anti-knight"]
    nothing = call("rules", contains="knight nothing")
    assert document(nothing)[0]["rules"] == []
    assert text_of(nothing).startswith("no rule has all these words: knight nothing\n")


def test_the_solution_is_that_of_the_oracle():
    givens = aspdoku.read("example:anti-knight").grid
    found, _ = document(call("solve", puzzle="example:anti-knight\n"))
    assert found["status"] == "unique"
    assert found["solutions"] == solutions(givens, Rules(anti_knight=True))


def grid_of(witness):
    return tuple(map(tuple, witness["grid"]))


def satisfies_lax(grid):
    """The rule LAX in Python."""
    cells = {(r, c): n for r, row in enumerate(grid) for c, n in enumerate(row)}
    return all(
        cells.get((r + y, c + x)) != n for (r, c), n in cells.items() for y, x in ((1, 2), (2, 1))
    )


def test_a_counterexample_is_one():
    found, _ = document(call("compare_rules", one=own(LAX, "lax"), two="anti-knight"))
    assert found["relation"] == "two stricter"
    (witness,) = found["witnesses"]
    grid = grid_of(witness)
    assert satisfies_lax(grid)
    assert violations(grid, grid, Rules()) == []
    assert violations(grid, grid, Rules(anti_knight=True)) != []
    (r, c), (r1, c1) = witness["violations"][0]["cells"]
    assert grid[r - 1][c - 1] == grid[r1 - 1][c1 - 1]
    assert {abs(r - r1), abs(c - c1)} == {1, 2}


def test_examples_of_an_author():
    """A rule allows a grid if it has a solution with the rule, as in Python."""
    rule = own(":- a(1,1,N), a(n,n,N), not ab(mine).\n")
    for grid in ("1234 3421 2143 4312", "1234 3412 2143 4321"):
        found, _ = document(call("solve", puzzle=grid, rules=[rule]))
        assert found["status"] == ("none" if grid[0] == grid[-1] else "unique")


def test_a_grid_that_a_default_rule_forbids():
    """The rule is not to blame, as the prompt says."""
    grid, rule = "1234 2143 3412 4321", own(":- a(1,1,4), not ab(mine).\n")
    for rules in ([], [rule]):
        assert document(call("solve", puzzle=grid, rules=rules))[0]["status"] == "none"
    assert "box" in text_of(call("conflict", puzzle=grid))
    allowed, _ = document(call("solve", puzzle=grid, rules=[rule], without=["box"]))
    assert allowed["status"] == "unique"


def test_clues_of_an_own_rule_are_facts():
    """As the prompt says: they are declared, and given to `solve` and `generate`."""
    rule = own("#defined marked/2.\n:- marked(R,C), a(R,C,N), N > 2, not ab(mine).\n")
    facts = ["marked(1,1..2)"]
    assert text_of(call("check_rule", rule=rule)) == "mine.lp: nothing found"
    found, _ = document(call("solve", puzzle="13.. .... .... ....", rules=[rule], facts=facts))
    assert found["status"] == "none"
    (made,) = document(call("generate", size=4, rules=[rule], facts=facts, seed=1))[0]["puzzles"]
    assert {*made["solution"][0][:2]} == {1, 2}


@pytest.mark.slow
def test_that_a_solution_is_unique_is_assumed_only_where_it_is_stated():
    said = "the solution is unique, so r2c2 r2c8 r3c2 r3c8 are not all 2 or 8"
    for arguments in ({}, {"unique": False}, {"unique": True}):
        answer = text_of(call("why", puzzle=RECTANGLE, claim="r3c2!=2", **arguments))
        assert (said in answer) == arguments.get("unique", False)
    refused = call("explain", puzzle=SEVERAL, unique=True)
    assert refused.is_error
    assert "the puzzle has several solutions" in refused.content[0].text


def test_clues_of_each_rule():
    wrong = call("generate", size=4, rules=["thermo"], clues={"killer": 2})
    assert wrong.is_error
    assert "killer is not a rule of these puzzles" in wrong.content[0].text
    for clues in (-1, {"thermo": -1}, {"thermo": "2"}, "2"):
        assert call("generate", size=4, rules=["thermo"], clues=clues).is_error


def test_a_generated_puzzle_has_one_solution():
    found, remarks = document(call("generate", size=4, seed=3, rules=[own(LAX)]))
    (made,) = found["puzzles"]
    signs = re.findall(r"[.\d]", made["puzzle"])
    rows = [signs[start : start + 4] for start in range(0, 16, 4)]
    givens = [[None if sign == "." else int(sign) for sign in row] for row in rows]
    assert sum(number is not None for row in givens for number in row) == made["givens"]
    fitting = [grid for grid in solutions(givens) if satisfies_lax(grid)]
    assert [[list(row) for row in grid] for grid in fitting] == [made["solution"]]
    assert any("do not name the rule mine.lp" in each for each in remarks)


def test_the_number_of_4x4_sudokus():
    def is_sudoku(rows):
        columns = zip(*rows, strict=True)
        boxes = (
            (*rows[r][c : c + 2], *rows[r + 1][c : c + 2]) for r, c in product((0, 2), repeat=2)
        )
        return all(len({*unit}) == 4 for unit in (*columns, *boxes))

    from itertools import permutations

    grids = product(permutations(range(1, 5)), repeat=4)
    number = sum(map(is_sudoku, grids))
    assert document(call("count", size=4))[0]["count"] == number


def test_pictures():
    svg = text_of(call("draw", puzzle="example:killer", title="Cages"))
    assert svg.startswith("<svg")
    assert "Cages" in svg
    if find_spec("cairosvg"):
        (image,) = call("draw", puzzle=PUZZLE, format="png", solution=True).content
        assert image.mime_type == "image/png"
        assert base64.b64decode(image.data).startswith(b"\x89PNG")


def test_what_a_puzzle_was_taken_for():
    answer = call("read_puzzle", puzzle=f"with: killer\n{PUZZLE.replace(' ', chr(10))}\n")
    found, _ = document(answer)
    assert (found["complete"], found["rules"], found["sentences"]) == (True, ["killer"], [])
    assert "with: killer" in answer.content[1].text
    open_, _ = document(call("read_puzzle", puzzle=WORDED))
    assert not open_["complete"]


def test_control_characters_are_escaped():
    """The JSON of a client has them, and a terminal may show its text."""
    text = f"title: \x1b[31mred\n{PUZZLE.replace(' ', chr(10))}\n"
    assert "\\x1b[31mred" in text_of(call("read_puzzle", puzzle=text))
    assert "\\x1b" in call("solve", puzzle="\x1b").content[0].text


def test_warnings_are_remarks():
    answer = call("solve", puzzle=f"with: killer\n{PUZZLE.replace(' ', chr(10))}\n")
    _, remarks = document(answer)
    assert any("cage" in each for each in remarks)
    assert answer.content[1].text == "\n".join(remarks)
    _, remarks = document(call("solve", puzzle=f"unsupported: the rules in words\n{ROWS}"))
    assert remarks == [
        "unsupported and ignored: the rules in words; convert the puzzle into a puzzle file, state"
        " the rules there with `with:`, and delete its line `unsupported:`"  # no command
    ]
