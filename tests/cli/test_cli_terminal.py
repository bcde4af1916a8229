"""No command sends control characters to a terminal, or markup to a page, whatever a file, its name
or a URL contains.
"""

import ast
import json
import re
import unicodedata

import pytest
from cli_runner import ROOT, on_terminal, run_process
from click.testing import CliRunner
from sampling import one_in

from aspdoku.cli import MODULES, cli

MARKUP = "</title></text><script>alert(1)</script>\\input{x}"
HOSTILE = f"\x1b]0;PWNED\x07\x9b31m\u202e\u2066\x7f{MARKUP}"
ROWS = "1...\n....\n....\n...2\n"
JSON = json.dumps({"size": 4, "grid": [[{} for _ in range(4)] for _ in range(4)]})


def with_key(key, value):
    return json.dumps(json.loads(JSON) | {key: value}, ensure_ascii=False)


# Contents of puzzle files with malicious text in one place. Most are rejected with a message that
# quotes the text.
PUZZLES = {
    "title": f"title: {HOSTILE}\n{ROWS}",
    "unsupported": f"unsupported: {HOSTILE}\n{ROWS}",
    "with": f"with: {HOSTILE.replace('/', '')}\n{ROWS}",
    "with, a path": f"with: ./{HOSTILE}.lp\n{ROWS}",
    "without": f"without: {HOSTILE}\n{ROWS}",
    "box": f"box: {HOSTILE}\n{ROWS}",
    "numbers": f"numbers: {HOSTILE}\n{ROWS}",
    "a key": f"{HOSTILE}: 1\n{ROWS}",
    "a cell": ROWS.replace("2", "\x1b"),
    "a section": f"{ROWS}[{HOSTILE}]\n",
    "a label": f"{ROWS}[cage]\n\x1b\x9b\u202e.\n....\n....\n....\n",
    "a value": f"{ROWS}[cage]\nAA..\n....\n....\n....\nA = {HOSTILE}\n",
    "a string as a value": (
        f'{ROWS}[cage]\nAA..\n....\n....\n....\nA = "{HOSTILE.replace(chr(92), "")}"\n'
    ),
    "a path": f"{ROWS}[thermo]\nr1c1 {HOSTILE}\n",
    "a fact": f'{ROWS}[facts]\np(1,"{HOSTILE.replace(chr(92), "")}").\n',
    "a name of a fact": f"{ROWS}[facts]\n{HOSTILE}(1).\n",
    "the host of a URL": f"https://{HOSTILE.replace('/', '')}/x\n",
    "a URL": f"https://f-puzzles.com/?load={HOSTILE}\n",
    "a line of Interactive Sudoku Solver": f".Shape~4x4.{HOSTILE}~R1C1\n",
    "a key in JSON": with_key(HOSTILE, [1]),
    "a title in JSON": with_key("title", HOSTILE.replace("\x1b", "").replace("\x07", "")),
    "a title in JSON, escaped": (
        with_key("title", "TITLE").replace("TITLE", json.dumps(HOSTILE)[1:-1])
    ),
    "a value in JSON": with_key("thermometer", HOSTILE[5:].replace("\x07", "")),
    "a cage in JSON": with_key(
        "killercage", [{"cells": ["R1C1", "R1C2"], "value": json.dumps(HOSTILE)}]
    ),
    "an author": f"#A {HOSTILE}\n#D {HOSTILE}\n{ROWS}",
    "a comment after a line": f"{ROWS.replace(chr(10), '')} {HOSTILE}\n",
    "broken JSON": '{"grid": ' + HOSTILE,
}
RULE = (
    "% Title.\n\n#defined p/2.  % p(R,C): meaning\n#defined ab/1.\n%@ wording {N}\n:- a(1,1,N), N >"
    " 3, not ab(rule).\n"
)
RULES = {
    "a title": RULE.replace("Title", HOSTILE),
    "a meaning": RULE.replace("meaning", HOSTILE),
    "a template": RULE.replace("wording", HOSTILE),
    "a name": RULE.replace("p/2", f"{HOSTILE}/2"),
    "code": RULE.replace("N > 3", HOSTILE),
    "a string": RULE + f'p("{HOSTILE.replace(chr(92), "")}",1).\n#show p/2.\n',
    "a carriage return": RULE.replace("Title", "Title\rOverwritten"),
    "markup": RULE.replace("Title", MARKUP).replace("meaning", MARKUP).replace("wording", MARKUP),
}
GRID = "GRID"
ARGUMENTS = {
    "solve": [
        ["solve", GRID],
        ["solve", GRID, "--format", "json"],
        ["solve", GRID, "--format", "facts"],
    ],
    "read": [
        ["read", GRID],
        ["read", GRID, "--format", "html"],
        ["read", GRID, "--format", "puzzle"],
    ],
    "draw": [["draw", GRID], ["draw", GRID, "--solution"]],
    "handout": [["handout", GRID, "--static"]],
    "serve": [["serve", GRID, "--host", "192.0.2.1", "--class"]],  # not an address of this machine
    "mcp": [["mcp", "--folder", GRID]],  # no folder
    "lsp": [["lsp", "--time-limit-each", "none"]],  # no number
    "lesson": [["lesson", "--check", "fifteen"]],
    "count": [["count", GRID, "--limit", "2"], ["count", GRID, "--limit", "2", "--format", "json"]],
    "unique": [["unique", GRID]],
    "candidates": [["candidates", GRID]],
    "depends": [["depends", GRID], ["depends", "r1c2", GRID], ["depends", GRID, "--format", "svg"]],
    "redundant": [["redundant", GRID]],
    "minimise": [["minimise", GRID]],
    "fewest": [["fewest", GRID]],
    "generate": [["generate", "--like", GRID, "--seed", "1"]],
    "review": [["review", GRID]],
    "complete": [["complete", GRID], ["complete", GRID, "--solution", GRID]],
    "batch": [
        ["batch", GRID],
        ["batch", GRID, "--format", "csv"],
        ["batch", GRID, "--format", "jsonl"],
    ],
    "explain": [["explain", GRID], ["explain", GRID, "--format", "html"]],
    "hint": [["hint", GRID], ["hint", GRID, "--entries", GRID]],
    "why": [["why", "r1c2=2", GRID]],
    "conflict": [["conflict", GRID]],
    "grade": [["grade", GRID]],
    "learn": [["learn", GRID]],
    "convert": [
        ["convert", GRID, "-"],
        ["convert", "--to", "fpuzzles", GRID, "-"],
        ["convert", "--to", "sadman", GRID, "-"],
    ],
    "program": [["program", GRID]],
    "example": [["example", GRID], ["solve", f"example:{GRID}"]],
    "docs": [["docs"], ["docs", GRID]],
    "help": [["help", GRID]],
    "equal": [["equal", "box", "offset", GRID]],
    "elaborate": [["elaborate", GRID, "--diff"], ["elaborate", GRID, "--format", "html"]],
    "compare": [
        ["compare", GRID, "--engine", "asp,findling"],
        ["compare", GRID, "--print", "--engine", "asp,prolog-sized"],
    ],
}
OF_RULES = {
    "rules": [["rules", "RULE"], ["rules", "RULE", "--format", "json"]],
    "format": [["format", "RULE"], ["format", "--check", "RULE"]],
    "check": [["check", "RULE"], ["check", "RULE", "--against", "box", "--size", "4"]],
    "equal": [["equal", "RULE", "box", "--size", "4"]],
    "test": [["test", "RULE"], ["test", "box", "RULE"]],
    "new": [["new", "RULE"]],
    "others": [
        ["solve", GRID],
        ["draw", GRID],
        ["explain", GRID, "--format", "html"],
        ["elaborate", GRID, "--format", "html"],
    ],
}


def harmful(text):
    """The characters that a terminal interprets: control characters except line feed and tab, and
    those that change the direction of text.
    """
    return {
        sign
        for sign in text
        if (unicodedata.category(sign) == "Cc" and sign not in "\n\t")
        or unicodedata.bidirectional(sign)
        in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    }


def output_of(arguments):
    result = CliRunner().invoke(cli, list(map(str, arguments)), color=True)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert harmful(result.stdout) == harmful(result.stderr) == set()
    if "html" in arguments or "draw" in arguments:
        assert "<script>a" not in result.stdout
    return result


def test_every_command_is_tested():
    assert ARGUMENTS.keys() | OF_RULES.keys() - {"others"} == set(MODULES), (
        "each command needs its arguments in ARGUMENTS, or in OF_RULES if it reads a rule file"
    )


def forms(*tables):
    return [each for table in tables for forms in table.values() for each in forms]


# Without the slow tests: every content with one command, and contents that are accepted with every
# command. Contents that are rejected are rejected by the same reader, so that the slow tests try
# each of them with some commands.
QUICK = ("title", "unsupported")
CASES = [
    pytest.param(
        arguments,
        content,
        id=f"{' '.join(arguments)}-{name}",
        marks=() if quick else pytest.mark.slow,
    )
    for place, arguments in enumerate(forms(ARGUMENTS))
    for other, (name, content) in enumerate(PUZZLES.items())
    for quick in [name in QUICK or arguments == ["solve", GRID]]
    if quick or "title" in name or (place + other) % 6 == 0
]


@pytest.mark.slow_cases("handout GRID --static-*title*")
@pytest.mark.parametrize(("arguments", "content"), CASES)
def test_a_puzzle(arguments, content, tmp_path):
    file = tmp_path / "puzzle.txt"
    file.write_text(content, "utf-8")
    output_of([file if each == GRID else each for each in arguments])


@pytest.mark.slow_cases("check RULE --against box *")
@pytest.mark.parametrize("content", RULES.values(), ids=RULES)
@pytest.mark.parametrize("arguments", forms(OF_RULES), ids=" ".join)
def test_a_rule(arguments, content, tmp_path):
    rule, grid = tmp_path / "rule.lp", tmp_path / "grid.txt"
    rule.write_text(content, "utf-8")
    grid.write_text(f"with: ./rule.lp\n{ROWS}")
    output_of([{GRID: grid, "RULE": rule}.get(each, each) for each in arguments])


@pytest.mark.slow_cases("*-check RULE --against *", "good-handout *")
@pytest.mark.parametrize("arguments", forms(ARGUMENTS, OF_RULES), ids=" ".join)
@pytest.mark.parametrize("content", [ROWS, "no grid"], ids=["good", "bad"])
def test_the_name_of_a_file(arguments, content, tmp_path):
    name = HOSTILE.replace("/", "")
    rule, grid = tmp_path / f"{name}.lp", tmp_path / f"{name}.txt"
    rule.write_text(RULE if content == ROWS else "no rule")
    grid.write_text(content)
    output_of([{GRID: grid, "RULE": rule}.get(each, each) for each in arguments])


def test_the_list_of_rules(tmp_path, monkeypatch):
    (tmp_path / "mine.lp").write_text(RULES["a title"], "utf-8")
    (tmp_path / f"{HOSTILE.replace('/', '')}.lp").write_text(RULES["markup"])
    monkeypatch.setenv("ASPDOKU_PATH", str(tmp_path))
    listed = output_of(["rules"])
    for name in ("mine", "\\x1b]0;PWNED\\x07\\x9b31m\\u202e"):
        assert f"warning: {name}" in listed.stderr


@pytest.mark.slow
def test_rule_files_are_printed_byte_for_byte(tmp_path):
    """A rule file with characters that would have to be escaped is rejected instead."""
    text = "% Für Schüler:\tשלום, 👩\u200d🏫.\r\n:- a(1,1,1).\r\n"
    (tmp_path / "mine.lp").write_bytes(text.encode())
    done = run_process("rules", tmp_path / "mine.lp")
    assert (done.returncode, done.stdout.decode()) == (0, text)
    assert (
        text in run_process("program", "-c", "n=4", "--with", tmp_path / "mine.lp").stdout.decode()
    )


SIMPLE = re.compile("\x1b\\[(?:0|1|1;3[36]|3[1-6])m")  # the colours that the program uses


@pytest.mark.slow_cases("*-elaborate --diff")
@pytest.mark.parametrize(
    "command", [["solve"], ["candidates"], ["elaborate", "--diff"], ["draw"]], ids=" ".join
)
@pytest.mark.parametrize(
    "title", one_in(4, [HOSTILE, "\x1b[8m", "\x1b[2J", "\x1b[31;5m"]), ids=ascii
)
def test_a_terminal_gets_only_our_own_colours(command, title, tmp_path):
    file = tmp_path / "puzzle.txt"
    file.write_text(f"title: {title}\nunsupported: {title}\n{ROWS}", "utf-8")
    shown, _ = on_terminal(*command, file)
    # The status line of a long command returns the cursor to the first column.
    assert harmful(SIMPLE.sub("", shown.replace("\r", ""))) == set()
    assert bool(SIMPLE.search(shown)) == (command != ["draw"])


@pytest.mark.parametrize(
    ("streams", "variables", "coloured"),
    [
        (["stderr"], {}, True),
        ([], {}, False),
        (["stderr"], {"NO_COLOR": "1"}, False),
        (["stderr"], {"TERM": "dumb"}, False),
        ([], {"FORCE_COLOR": "1"}, True),
    ],
)
def test_warnings_are_coloured_on_a_terminal(streams, variables, coloured, tmp_path):
    file = tmp_path / "puzzle.txt"
    file.write_text(f"unsupported: a\x1b[31mb\n{ROWS}", "utf-8")
    if streams:
        shown, _ = on_terminal("count", file, streams=streams, **variables)
    else:
        shown = run_process("count", file, **variables).stderr.decode()
    label = "\x1b[1;33mwarning:\x1b[0m" if coloured else "warning:"
    assert shown == f"{label} unsupported and ignored: a\\x1b[31mb\n"


def test_commands_only_print_with_echo():
    for file in sorted((ROOT / "aspdoku" / "cli").glob("*.py")):
        calls = [
            node.func
            for node in ast.walk(ast.parse(file.read_text("utf-8")))
            if isinstance(node, ast.Call)
        ]
        names = {ast.unparse(function) for function in calls}
        assert (
            not names
            & {"print", "click.echo", "click.secho", "sys.stdout.write", "sys.stderr.write"}
            or file.stem == "echo"
        )
