"""`str(result)` is what the command of the same name prints, `to_json()` its --format json."""

import json
import re
import warnings

import pytest
from api_calls import CALLS, IMPOSSIBLE, PARTLY, SMALL, UNIQUE
from cli.cli_runner import ELABORATIONS, INSTANCES, run

import aspdoku
from aspdoku.cli import MODULES

# A choice that the rule shows, so that a unique grid has two answer sets.
SHOWN = "#defined ab/1.\n1 { mark_at(1..2) } 1.\n#show mark_at/1.\n"

PUZZLES = {"several": SMALL, "unique": UNIQUE, "impossible": IMPOSSIBLE, "partly": PARTLY}

COMMANDS = {
    "solve": ["solve", "-n", "2"],
    "count": ["count"],
    "unique": ["unique"],
    "candidates": ["candidates", "--counts", "--limit", "100"],
    "depends": ["depends"],
    "redundant": ["redundant"],
    "minimise": ["minimise"],
    "fewest": ["fewest"],
    "complete": ["complete"],
    "review": ["review"],
    "explain": ["explain"],
    "hint": ["hint"],
    "why": ["why", "r3c2=3"],
    "conflict": ["conflict"],
    "grade": ["grade"],
    "elaborate": ["elaborate"],
    "compare": ["compare", "--engine", "findling"],
}


def test_every_function_about_a_puzzle_is_tested():
    """A drawing is no report."""
    assert COMMANDS.keys() == CALLS.keys() - {"draw"}, (
        "COMMANDS needs the command of each function in CALLS of api_calls.py"
    )


# The other commands with a function of the same name, and what the function is about.
OTHERS = {
    "batch": "lines of a list",
    "generate": "rules",
    "rules": "rules",
    "check": "a rule",
    "learn": "grids without rules",
    "handout": "a page",
    "convert": "files",
    "read": "the function reads a puzzle, as does this command with `interpret`",
}


def test_every_command_has_a_call_or_a_reason():
    assert MODULES.keys() & {*aspdoku.__all__} == CALLS.keys() | OTHERS.keys(), (
        "each command with a function of the same name needs a call in api_calls.py, or an entry in"
        " OTHERS if the function is not about a puzzle"
    )
    assert not CALLS.keys() & OTHERS.keys()


def without_times(text):
    return re.sub(r"\s+", " ", re.sub(r"\d+(\.\d+)?e-\d+|\d+\.\d+", "TIME", text))


def answer(name, puzzle, **arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", aspdoku.AspdokuWarning)
        return CALLS[name](puzzle, **arguments)


def assert_same(name, result, arguments):
    """Both print the same, except that the command adds warnings on standard error."""
    text = run(*COMMANDS[name], *arguments)
    assert without_times(text.stdout or text.stderr.partition("warning: ")[2]) == without_times(
        f"{result}\n"
    )
    printed = run(*COMMANDS[name], "--format", "json", *arguments).stdout
    assert without_times(printed.strip()) == without_times(json.dumps(result.to_json()))


@pytest.mark.slow_cases(
    "compare-several", "elaborate-partly", "elaborate-several", "explain-partly"
)
@pytest.mark.parametrize("puzzle", PUZZLES)
@pytest.mark.parametrize("name", COMMANDS)
def test_str_of_a_result_is_the_output_of_the_command(name, puzzle, tmp_path):
    file = tmp_path / "grid.txt"
    file.write_text(PUZZLES[puzzle])
    if puzzle == "impossible" and name in ("explain", "hint", "why", "grade"):
        with pytest.raises(aspdoku.NoSolutionError) as caught:
            answer(name, file)
        printed = run(*COMMANDS[name], file)
        assert str(caught.value).partition("; run ")[0] in printed.stderr
        assert (printed.exit_code, printed.stdout) == (20, "")
    else:
        assert_same(name, answer(name, file), [file])


@pytest.mark.parametrize("name", ["solve", "count", "unique", "explain"])
def test_shown_atoms(name, tmp_path):
    file, rule = tmp_path / "grid.txt", tmp_path / "mark.lp"
    file.write_text(UNIQUE)
    rule.write_text(SHOWN)
    result = answer(name, file, with_=rule)
    assert_same(name, result, ["--with", rule, file])
    if name in ("solve", "unique"):
        assert "mark_at(" in str(result)


@pytest.mark.slow_cases("elaborate-{'limit': 2}-[[]'--limit', '2']")
@pytest.mark.parametrize(
    ("name", "arguments", "options"),
    [
        ("solve", {"limit": 1}, ["-n", "1"]),
        ("solve", {"limit": 0}, ["-n", "0"]),
        ("count", {"limit": 3}, ["--limit", "3"]),
        ("explain", {"singles": True}, ["--singles"]),
        *(("hint", {"degree": each}, ["--degree", each]) for each in ("where", "rules", "proof")),
        ("elaborate", {"limit": 2}, ["--limit", "2"]),
        (
            "count",
            {"with_": ["diagonal", "offset"], "without": "box"},
            ["--with", "diagonal,offset", "--without", "box"],
        ),
    ],
    ids=str,
)
def test_arguments_are_options_of_the_command(name, arguments, options, tmp_path):
    file = tmp_path / "grid.txt"
    file.write_text(SMALL)
    assert_same(name, answer(name, file, **arguments), [*options, file])


@pytest.mark.slow
def test_hint_with_entries(tmp_path):
    file, entries = tmp_path / "grid.txt", tmp_path / "entries.txt"
    file.write_text(UNIQUE)
    for row, entered in (("3 4 . .", "r2c"), ("2 4 . .", "r1c1=2")):
        entries.write_text(f"{row}\n. . . 4\n. . 2 .\n1 . . .\n")
        result = aspdoku.hint(file, entries)
        assert entered in str(result) or not result.wrong_entries
        assert_same("hint", result, ["--entries", entries, file])


PAGES = [
    "explain",
    "hint",
    "why",
    "conflict",
    "depends",
    "redundant",
    "minimise",
    "fewest",
    "complete",
    "review",
    "elaborate",
    "compare",
]


@pytest.mark.slow_cases("compare", "elaborate", "explain", "why")
@pytest.mark.parametrize("name", PAGES)
def test_pages(name, tmp_path):
    file = tmp_path / "grid.txt"
    file.write_text(UNIQUE)
    page = run(*COMMANDS[name], "--format", "html", file).stdout
    assert without_times(page) == without_times(f"{CALLS[name](file).to_html()}\n")
    assert page.startswith("<!doctype html>")


def test_files():
    file = INSTANCES / "slides" / "anti-knight.txt"
    assert run("convert", file, "-", "--to", "fpuzzles").stdout == aspdoku.convert(file, "fpuzzles")
    assert run("draw", "--solution", file).stdout == str(aspdoku.draw(file, solution=True))
    assert run("program", "--with", "killer", file).stdout == str(aspdoku.compose(file, "killer"))


def test_rules():
    names = [rule.name for rule in aspdoku.rules()]
    assert set(ELABORATIONS) <= set(names)
    listed = json.loads(run("rules", "--format", "json").stdout)["rules"]
    assert [rule["name"] for rule in listed] == names


@pytest.mark.parametrize(
    "text",
    [":- a(R,C,N), M > 3.", ":- a(R,C,.", None, "#defined ab/1.\n:- a(1,1,1), not ab(mine)."],
)
def test_check(text, tmp_path):
    file = tmp_path / "mine.lp"
    if text is not None:
        file.write_text(text)
    report = aspdoku.check(file)
    printed = run("check", file)
    assert printed.stdout == f"{report}\n"
    assert bool(report) == (printed.exit_code == 0)
    assert json.loads(run("check", "--format", "json", file).stdout) == report.to_json()


@pytest.mark.slow_cases("different", "without a rule")
@pytest.mark.parametrize(
    ("rules", "arguments"),
    [
        (("slides/anti-knight-distance", "anti-knight"), {}),
        (("anti-king", "anti-knight"), {}),
        (("anti-king", "anti-knight"), {"without": "row"}),
        (("anti-king", "diagonal"), {"puzzle": INSTANCES / "owl" / "four.txt"}),
    ],
    ids=["the same", "different", "without a rule", "for a puzzle"],
)
def test_equivalent(rules, arguments):
    grid = [arguments["puzzle"]] if "puzzle" in arguments else []
    arguments = {"size": 4} | arguments
    options = [
        word for name in arguments.keys() - {"puzzle"} for word in (f"--{name}", arguments[name])
    ]
    options += grid
    result = aspdoku.equivalent(*rules, **arguments)
    assert run("equal", *rules, *options).stdout == f"{result}\n"
    printed = run("equal", *rules, *options, "--format", "json").stdout
    assert json.loads(printed) == json.loads(json.dumps(result.to_json()))


@pytest.mark.slow
def test_batch(tmp_path):
    lines = ["1...............", "11..............", ".4.....4..2.1...", "", "12"]
    file = tmp_path / "lines.txt"
    file.write_text("\n".join(lines))
    printed = map(json.loads, run("batch", "--format", "jsonl", file).stdout.splitlines())
    results = list(aspdoku.batch(lines, size=4))
    assert [result["status"] for result in printed] == [result.status for result in results]
    assert bytes(results[2].data.numbers) == bytes([3, 4, 1, 2, 2, 1, 3, 4, 4, 3, 2, 1, 1, 2, 4, 3])
