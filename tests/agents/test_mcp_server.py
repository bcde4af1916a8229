"""The server of `aspdoku mcp`: limits, the folder, wrong arguments, resources and the prompt."""

import functools
import json
import re
import threading
import time
from typing import get_args

import pytest
from in_one_test import in_one_test

pytest.importorskip("mcp_types", reason="mcp, version 2 or later, is not installed")

import anyio
from agents.agent_client import LIMITS, ROOT, call, document, refusal, runner, text_of, with_client
from cli.cli_runner import SOON
from mcp import Client, MCPError

from aspdoku.agents import tools
from aspdoku.agents.server import server
from aspdoku.agents.tools import TOOLS
from aspdoku.errors import AspdokuError
from aspdoku.program import library
from aspdoku.runtime.child import Aborted, LimitKind, Limits
from aspdoku.runtime.fork_server import fork_server

pytestmark = pytest.mark.versions

PUZZLE = "1... ..3. .4.. 2..."
ROWS = PUZZLE.replace(" ", "\n")
RULE = "% A title.\n\n%@ r1c1 is {N}\n:- a(1,1,N), N > 1, not ab(mine).\n"
MINE = {"name": "mine", "text": RULE}
SHORT = Limits(2, 1 << 28)
# A rule about clues without a .gen file, and one with a constant.
MARKED = {
    "name": "marked",
    "text": """% Marked cells hold odd numbers.

#defined marked/2.  % marked(R,C): the cell (R,C) is marked
% For example: marked(1,2).

%@ {N} in the marked cell r{R}c{C}
:- marked(R,C), a(R,C,N), N \\ 2 = 0, not ab(marked).
""",
}
OPEN_CONSTANT = {"name": "first", "text": ":- not a(1,1,k), not ab(first).\n"}
# Of an f-puzzles document, whose rules are in words.
LARGE_DOCUMENT = json.dumps(
    {"cells": [[{} for _ in range(4)] for _ in range(4)], "rules": "Digits repeat. " * 7000}
)
# Grounding never ends, takes all memory, or solving takes years.
ENDLESS = "p(0).\np(X+1) :- p(X).\n:- p(a).\n"
LARGE = "p(1..1000000000).\n:- p(a).\n"
PIGEONS = "{ in(P,H) : H = 1..13 } = 1 :- P = 1..14.\n:- in(P,H), in(Q,H), P < Q.\n"


@pytest.mark.slow
@pytest.mark.parametrize("text", [ENDLESS, LARGE, PIGEONS], ids=["endless", "large", "pigeons"])
@pytest.mark.parametrize("tool", ["solve", "check_rule", "compare_rules", "generate", "elaborate"])
def test_no_rule_runs_longer_than_its_limit(tool, text):
    rule = {"name": "mine", "text": text}
    arguments = {
        "check_rule": {"rule": rule},
        "compare_rules": {"one": rule, "two": "anti-knight"},
    }.get(tool, {"size": 4, "rules": [rule]})
    began = time.monotonic()
    answer = call(tool, SHORT, **arguments)
    assert time.monotonic() - began < SOON
    assert answer.is_error or "aspdoku/" in answer.structured_content["schema"]
    if tool == "solve":
        assert answer.is_error or answer.structured_content["status"] == "unknown"
    assert text_of(call("count", size=4)) == "288"  # it still answers


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", ["example:killer", "example:anti-knight"])
def test_the_steps_found_in_time_are_answered(puzzle):
    """Text and JSON are made after the time limit of the search, and within that of the call."""
    for tool in ("explain", "solve", "elaborate"):
        assert not call(tool, Limits(1.5), puzzle=puzzle).is_error


ADVICE = {
    "processor": "stopped: reason; ask about a smaller grid, or start the server with"
    " --time-limit-each",
    "time": "stopped: reason; ask about a smaller grid, or start the server with --time-limit-each",
    "memory": "stopped: reason; ask about a smaller grid",
    "crashed": "no answer: clingo or aspdoku failed",
    "cancelled": "stopped: reason",
}


@pytest.mark.parametrize("limit", get_args(LimitKind))
def test_the_limit_is_named_with_what_to_do(limit):
    assert refusal("solve", run=lambda *_, **__: Aborted(limit, "reason")) == ADVICE[limit]


def test_a_call_that_is_cancelled_ends():
    cancelled = threading.Event()

    def run(*_, is_cancelled):
        for _ in range(100 * SOON):
            if is_cancelled():
                cancelled.set()
                return Aborted("cancelled", "cancelled")
            time.sleep(0.01)
        raise AssertionError("not cancelled")

    async def use(client):
        with anyio.move_on_after(0.3):
            await client.call_tool("solve", {})

    with_client(use, run=run)
    assert cancelled.wait(SOON)


@pytest.mark.slow
def test_the_process_of_a_call_that_is_cancelled_ends():
    """It would take the 60 s of its limit."""
    began, ended, found = threading.Event(), threading.Event(), []

    def run(*arguments, **options):
        began.set()
        found.append(runner()(*arguments, **options))  # returns after the end of the process
        ended.set()

    async def use(client):
        with anyio.move_on_after(2):
            await client.call_tool("solve", {"size": 25, "rules": ["offset"]})

    with_client(use, run=run)
    assert began.is_set()
    assert ended.wait(SOON)
    assert found == [Aborted("cancelled", "cancelled")]


def test_no_more_calls_run_at_once_than_in_a_class():
    running, most = 0, 0
    lock = threading.Lock()

    def run(*_, **__):
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.05)
        with lock:
            running -= 1
        return Aborted("crashed", "")

    async def use(client):
        async with anyio.create_task_group() as group:
            for _ in range(9):
                group.start_soon(client.call_tool, "solve", {})

    with_client(use, run=run)
    assert most == 3


WRONG = {
    "an unknown example": (
        "solve",
        {"puzzle": "example:kilr"},
        ["unknown example 'kilr'. Did you mean 'killer'?"],
    ),
    "an unknown argument": ("solve", {"nothing": 1}, ["'nothing' was unexpected", "puzzle, "]),
    "a missing argument": ("why", {"puzzle": PUZZLE}, ["'claim' is a required property"]),
    "a text as a number": ("solve", {"size": "4"}, ["argument size: '4'", "'integer'", "Rows of"]),
    "a number with a point": ("solve", {"size": 4.5}, ["argument size: 4.5", "'integer'"]),
    "a truth value": ("solve", {"size": True}, ["argument size: True", "'integer'"]),
    "a number out of range": ("solve", {"size": 0}, ["0 is less than the minimum of 1"]),
    "no text of a rule": ("solve", {"rules": [{"name": "x"}]}, ["rules[0]: 'text' is a required"]),
    "a long list": ("solve", {"rules": ["box"] * 201}, ["argument rules: ", "is too long"]),
    "a format": ("draw", {"format": "gif"}, ["argument format: 'gif' is not one of"]),
    "an unknown rule": ("solve", {"rules": ["antiknight"]}, ["unknown rule", "'anti-knight'?"]),
    "a name with a path": ("check_rule", {"rule": {**MINE, "name": "../x"}}, ["invalid name of a"]),
    "a long name": ("check_rule", {"rule": {**MINE, "name": "x" * 61}}, ["use at most 60 letters"]),
    "two rules of one name": (
        "compare_rules",
        {"one": MINE, "two": {**MINE, "text": ":- a(1,1,1)."}},
        ["both rules are called mine: give one of them another name"],
    ),
    "a rule among facts": ("solve", {"facts": [":- a(1,1,1)"]}, ["put rules into a rule of your"]),
    "a rule in a puzzle": (
        "solve",
        {"puzzle": f"{ROWS}\n\n[facts]\n:- a(1,1,1)."},
        ["line 7: unexpected ':-'", "put rules into a rule of your own"],
    ),
    "a program as a puzzle": (
        "solve",
        {"puzzle": "1 { cell(X,Y,N) : N = 1..4 } 1 :- X = 1..4, Y = 1..4."},
        ["this is a program", "add the text as a rule"],
    ),
    "clues that are not drawn": (
        "generate",
        {"size": 4, "rules": [MARKED]},
        ["marked has inputs, which are not drawn: give the inputs as facts, e.g. marked(1,2)."],
    ),
    "clues that are drawn": (
        "generate",
        {"size": 4, "rules": ["thermo"], "facts": ["thermo(a,1,1,1)"]},
        ["thermo(a,1,1,1) cannot be stated: clues of this kind are drawn"],
    ),
    "a puzzle and a size": ("solve", {"puzzle": PUZZLE, "size": 4}, ["leave out either size or"]),
    "no grid": ("solve", {"puzzle": "123"}, ["line 1: 3 cells in one line do not form a grid"]),
    "a claim": ("why", {"puzzle": PUZZLE, "claim": "x"}, ["r3c4=5"]),
    "a false claim": ("why", {"puzzle": PUZZLE, "claim": "r1c2=2"}, ["r1c2!=2"]),
    "no solution": ("explain", {"puzzle": "11.. .... .... ...."}, ["the tool `conflict` shows"]),
    "a syntax error": (
        "solve",
        {"rules": [{"name": "m", "text": ":- a(."}]},
        ["m.lp:1:5: syntax error"],
    ),
    "a script": ("solve", {"rules": [{"name": "m", "text": "#script (python) #end."}]}, ["m.lp:1"]),
    "an include": ("solve", {"rules": [{"name": "m", "text": '#include "x".'}]}, ["#include"]),
    "a large rule": ("check_rule", {"rule": {**MINE, "text": "%" * 100_001}}, ["rule too long"]),
    "a large puzzle": ("solve", {"puzzle": "." * 100_001}, ["puzzle too long"]),
    "a large puzzle to read": ("read_puzzle", {"puzzle": LARGE_DOCUMENT}, ["puzzle too long"]),
    "a long title": ("draw", {"title": "x" * 201}, ["argument title: ", "is too long"]),
    "large arguments": ("solve", {"facts": ["x" * 99_999] * 11}, ["more than 1,000,000 char"]),
    "nowhere to save": ("check_rule", {"rule": MINE, "save": True}, ["'save' was unexpected"]),
}


@in_one_test(("tool", "arguments", "parts"), WRONG.values())
def test_wrong_arguments(tool, arguments, parts):
    text = refusal(tool, **arguments)
    assert len(text) < 600
    for part in parts:
        assert part in text
    for part in ("--with", "--fact", "aspdoku "):  # which an agent has not
        assert part not in text


def test_whole_numbers_may_have_a_point():
    """As the published schema says."""
    assert text_of(call("count", size=4.0)) == "288"
    two, _ = document(call("solve", size=4.0, rules=[OPEN_CONSTANT], constants={"k": 2.0}))
    assert two["solutions"][0][0][0] == 2


def test_an_error_without_a_file(monkeypatch):
    """The tool is named instead, and what went wrong if the system has no words for it."""

    def fail(error):
        def asked(*_):
            raise error

        monkeypatch.setitem(tools._ASKED, "rules", asked)
        with pytest.raises(AspdokuError) as raised:
            tools.answer("rules", {}, 1.0, None)
        return str(raised.value)

    assert fail(OSError(28, "No space left on device")) == "rules: No space left on device"
    assert fail(OSError("odd")) == "rules: odd"


SECRET = "% A secret title.\n:- a(1,1,1), not ab(secret).\n"


@pytest.mark.parametrize("name", ["./secret.lp", "secret.lp", "secret", "{here}/secret.lp", "../x"])
def test_no_file_is_read_by_its_path(name, tmp_path, monkeypatch):
    """Neither one that an argument names, nor one that a puzzle names."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(library.PATH_VARIABLE, str(tmp_path))
    (tmp_path / "secret.lp").write_text(SECRET)
    (tmp_path / "secret.txt").write_text(ROWS)
    name = name.format(here=tmp_path)
    with fork_server("aspdoku.agents.tools") as run:
        texts = [
            refusal("rule_text", run=run, name=name),
            refusal("check_rule", run=run, rule=name),
            refusal("solve", run=run, rules=[name]),
            refusal("compare_rules", run=run, one=name, two="box"),
            refusal("solve", run=run, puzzle=f"with: {name}\n{ROWS}"),
            refusal("read_puzzle", run=run, puzzle=f"{tmp_path}/secret.txt"),
            refusal("solve", run=run, puzzle="secret.txt"),
        ]
    assert not [text for text in texts if "secret title" in text]


def files(folder):
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*")}


@pytest.fixture
def folder(tmp_path):
    """The folder of a server, with another one next to it."""
    made = tmp_path / "rules"
    made.mkdir()
    (tmp_path / "other").mkdir()
    return made


def test_a_saved_rule_is_found_by_its_name(folder):
    answer = call("check_rule", folder=folder, rule=MINE, save=True)
    assert any("saved as" in each for each in document(answer)[1])
    assert files(folder) == {"mine.lp"}
    assert (folder / "mine.lp").read_text() == RULE
    assert text_of(call("rule_text", folder=folder, name="mine")) == RULE
    again, _ = document(call("solve", folder=folder, puzzle=PUZZLE, rules=["mine"]))
    assert again["status"] == "unique"
    without, _ = document(call("solve", folder=folder, size=4, rules=["mine"], facts=["a(1,1,2)"]))
    assert without["status"] == "none"
    found, _ = document(call("rules", folder=folder, contains="mine"))
    assert "mine" in [each["name"] for each in found["rules"]]
    assert "unknown rule 'mine'" in refusal("solve", rules=["mine"])  # of another server


UNSAVED = {
    "outside": {"name": "../other/x", "text": RULE},
    "an absolute path": {"name": "/tmp/x", "text": RULE},
    "a bundled name": {"name": "killer", "text": RULE},
    "an existing file": {"name": "there", "text": RULE},
    "a link": {"name": "link", "text": RULE},
}


@pytest.mark.parametrize("rule", UNSAVED.values(), ids=UNSAVED)
def test_nothing_else_is_written(rule, folder):
    (folder / "there.lp").write_text("% There.\n")
    (folder / "link.lp").symlink_to(folder.parent / "other" / "target.lp")
    before = files(folder.parent)
    assert refusal("check_rule", folder=folder, rule=rule, save=True)
    assert files(folder.parent) == before
    assert (folder / "there.lp").read_text() == "% There.\n"


def test_no_link_leads_out_of_the_folder(folder):
    """Also not to a rule file; one to another file of the folder is as good as that."""
    (folder.parent / "other" / "secret.lp").write_text(SECRET)
    (folder.parent / "passwd").write_text("root:x:0:0\n")
    (folder / "inner.lp").write_text(SECRET)
    for name, target in {"link": "../other/secret.lp", "pw": "../passwd", "gone": "x"}.items():
        (folder / f"{name}.lp").symlink_to(target)
    (folder / "same.lp").symlink_to("inner.lp")
    (folder / "sub.lp").mkdir()
    for name in ("link", "pw", "gone", "sub"):
        for text in (
            refusal("rule_text", folder=folder, name=name),
            refusal("solve", folder=folder, puzzle=f"with: {name}\n{ROWS}"),
        ):
            assert f"unknown rule '{name}'" in text
            assert f"mean '{name}'" not in text
            assert "root" not in text
    assert text_of(call("rule_text", folder=folder, name="same")) == SECRET


def test_a_rule_with_an_error_is_not_saved(folder):
    broken = {"name": "mine", "text": ":- b(1), not ab(mine)."}
    _, remarks = document(call("check_rule", folder=folder, rule=broken, save=True))
    assert remarks[-1] == "not saved: the rule has errors"
    assert files(folder) == set()


def test_a_folder_that_is_gone(tmp_path):
    gone = tmp_path / "gone"
    text = refusal("check_rule", folder=gone, rule=MINE, save=True)
    assert f"{gone}/mine.lp: No such file" in text


def test_resources():
    async def use(client):
        listed = (await client.list_resources()).resources
        read = {each.uri: await client.read_resource(each.uri) for each in listed}
        with pytest.raises(MCPError, match="use one of aspdoku://tutorial"):
            await client.read_resource("aspdoku://../pyproject.toml")
        return {uri: found.contents[0].text for uri, found in read.items()}

    found = with_client(use)
    # Links are compared elsewhere: to pages that the site makes, only the words are left.
    words = functools.partial(re.sub, r"\[([^]]+)\]\([^)]*\)", r"\1")
    tutorial = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
    assert words(found.pop("aspdoku://tutorial")) == words(tutorial)
    assert found.pop("aspdoku://base") == (ROOT / "asp" / "base.lp").read_text("utf-8")
    guide = found.pop("aspdoku://rule-files")
    assert guide in (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert "| R | the row of a cell |" in guide
    assert "| Z | a state |" in guide
    assert "## A format" not in guide
    assert found == {
        f"aspdoku://vocabulary/{file.stem}": file.read_text("utf-8")
        for folder in ("vocabulary", "speed")
        for file in (ROOT / "asp" / folder).glob("*.lp")
    }


def test_the_prompt():
    async def use(client):
        (prompt,) = (await client.list_prompts()).prompts
        assert [each.name for each in prompt.arguments if each.required] == ["rule"]
        with pytest.raises(MCPError, match="the argument rule is missing"):
            await client.get_prompt(prompt.name, {"examples": "x"})
        given = {"rule": "No {examples} touch.", "examples": "1234 is allowed"}
        resources = [each.uri for each in (await client.list_resources()).resources]
        return (await client.get_prompt(prompt.name, given)).messages[0].content.text, resources

    text, resources = with_client(use)
    assert "No {examples} touch." in text
    assert "1234 is allowed" in text
    assert set(re.findall(r"aspdoku://[\w/-]+", text)) <= {*resources}
    called = re.findall(r"`(\w+)`", text)
    assert {*TOOLS} - {*called} == {"read_puzzle", "explain", "why", "count", "elaborate"}


def test_text_only():
    async def main():
        async with Client(server(runner(), LIMITS, text_only=True)) as client:
            answer = await client.call_tool("count", {"size": 4})
            return answer, (await client.list_tools()).tools

    answer, tools = anyio.run(main)
    assert (answer.content[0].text, answer.structured_content) == ("288", None)
    assert not [tool.name for tool in tools if tool.output_schema]


def test_an_unknown_tool():
    async def use(client):
        with pytest.raises(MCPError, match="unknown tool 'convert': use one of rules"):
            await client.call_tool("convert", {})

    with_client(use)


@pytest.mark.slow
def test_nothing_is_written_without_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(library.PATH_VARIABLE, str(tmp_path))
    others = {
        "rules": {"contains": "knight"},
        "rule_text": {"name": "box"},
        "check_rule": {"rule": MINE},
        "compare_rules": {"one": MINE, "two": "box", "size": 4},
        "why": {"puzzle": PUZZLE, "claim": "r4c4!=1"},
        "conflict": {"puzzle": "11.. .... .... ...."},
        "generate": {"size": 4, "seed": 1},
        "elaborate": {"size": 4},
    }
    with fork_server("aspdoku.agents.tools") as run:
        for tool in TOOLS:
            text_of(call(tool, run=run, **others.get(tool, {"puzzle": PUZZLE})))
        refusal("check_rule", run=run, rule=MINE, save=True)
    assert files(tmp_path) == set()


def test_only_a_tool_that_may_save_is_not_read_only(folder):
    async def use(client):
        listed = (await client.list_tools()).tools
        return {
            tool.name: "save" in tool.input_schema["properties"]
            for tool in listed
            if not (tool.annotations and tool.annotations.read_only_hint)
        }

    assert with_client(use, folder=folder) == {"check_rule": True}
    assert with_client(use) == {}
