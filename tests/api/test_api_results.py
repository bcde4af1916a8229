"""Results at a prompt and as JSON: a short `repr`, and dictionaries of what JSON has."""

import json
from functools import cache

import pytest
from api_calls import CALLS, IMPOSSIBLE, PARTLY, SMALL, UNIQUE
from cli.cli_runner import run

import aspdoku

LONGEST = 400
BLANK = "." * 16
LINES = ["1...............", "11..............", ".4.....4..2.1...", "", "12"]
RESULTS = CALLS | {
    "equivalent": lambda _: aspdoku.equivalent("anti-king", "anti-knight", size=4),
    "learn": lambda _: learned(),
    "check": lambda _: aspdoku.check("anti-king"),
    "solution": lambda puzzle: aspdoku.solve(puzzle).solution,
    "batch": lambda _: list(aspdoku.batch(LINES, size=4))[2],
    "read": lambda _: aspdoku.read("example:killer"),
    "rules": lambda _: aspdoku.rules()[0],
}


@cache
def learned():
    return aspdoku.learn(answer="offset", size=4)


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.filterwarnings("ignore::aspdoku.AspdokuWarning")
def test_results_are_short_at_the_prompt_and_plain_as_json(name):
    for text in (SMALL, UNIQUE, IMPOSSIBLE, PARTLY) if name in CALLS else (UNIQUE,):
        try:
            result = RESULTS[name](text)
        except aspdoku.NoSolutionError:
            continue
        assert len(repr(result)) <= LONGEST
        assert "\n" not in repr(result)
        if hasattr(result, "to_json"):
            assert json.loads(json.dumps(result.to_json())) == result.to_json()


def test_a_repr_tells_results_apart():
    text = "title: five\n\n" + "\n".join([".4..", "...4", "..2.", "1..."])
    assert repr(aspdoku.parse(text)) == "<Puzzle: five, 4x4; givens: 4, other facts: 0>"
    assert repr(aspdoku.solve(text).solution) == "<Solution: 3412 2134 4321 1243>"
    assert repr(aspdoku.solve(text)) == "<Solutions: unique solution>"
    steps = len(aspdoku.explain(text).steps)
    assert repr(aspdoku.explain(text)) == f"<SolutionExplanation: {steps} steps, solved>"
    assert repr(aspdoku.why(SMALL, "r3c2=3")) == "<ClaimExplanation: r3c2=3, not forced>"
    assert "several solutions" in repr(aspdoku.explain(SMALL))


def test_long_texts_are_cut_in_a_repr():
    puzzle = aspdoku.parse(BLANK).replace(title="t" * 1000)
    assert len(repr(puzzle)) <= LONGEST
    large = aspdoku.Puzzle.blank(16)
    solution = aspdoku.Solution(large, tuple(tuple(range(1, 17)) for _ in range(16)))
    assert len(repr(solution)) <= LONGEST


def test_a_solution_as_json():
    rows = [[3, 4, 1, 2], [2, 1, 3, 4], [4, 3, 2, 1], [1, 2, 4, 3]]
    assert aspdoku.solve(UNIQUE).solution.to_json() == {"rows": rows, "shown": []}


def test_differences_of_two_solutions():
    result = aspdoku.unique(SMALL)
    one, two = result.solutions
    assert len(result.differences) > 0
    for cell, numbers in result.differences.items():
        assert numbers == (one[cell], two[cell])
    assert [tuple(each["cell"]) for each in result.to_json()["differences"]] == list(
        result.differences
    )
    assert aspdoku.unique(UNIQUE).differences == {}
    assert len(aspdoku.unique(UNIQUE).solutions) == 1


def test_results_of_a_batch_are_what_the_command_prints(tmp_path):
    file = tmp_path / "lines.txt"
    file.write_text("\n".join(LINES))
    results = list(aspdoku.batch(LINES, size=4))
    assert run("batch", file).stdout.splitlines() == list(map(str, results))
    printed = run("batch", "--format", "jsonl", file).stdout.splitlines()
    assert list(map(json.loads, printed)) == [result.to_json() for result in results]


@pytest.mark.filterwarnings("ignore::aspdoku.AspdokuWarning")
def test_the_solution_of_a_line():
    lines = [".4.....4..2.1... # four", "11..............", f"{BLANK} gt(1,1,1,2). gt(1,2,1,3)."]
    unique, none, facts = aspdoku.batch(lines, size=4, with_="greater-than")
    assert unique.solution.rows == (
        (3, 4, 1, 2),
        (2, 1, 3, 4),
        (4, 3, 2, 1),
        (1, 2, 4, 3),
    )
    assert unique.solution.puzzle.givens() == aspdoku.parse(UNIQUE).givens()
    assert unique.solution.puzzle.title == "four"
    assert none.solution is None
    assert facts.solution[1, 1] > facts.solution[1, 2] > facts.solution[1, 3]
    assert len(facts.solution.puzzle.facts) == 2


def test_results_of_a_batch_are_rows_of_a_table():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(result.to_json() for result in aspdoku.batch(LINES, size=4))
    assert list(table.columns) == ["line", "status", "solution", "reason"]
    assert list(table.line) == [1, 2, 3, 4, 5]
    assert table.solution[2] == "3412213443211243"


def test_a_page_is_saved(tmp_path):
    found = aspdoku.conflict("11..............")
    found.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page == found.to_html()
    assert page.count("<svg ") == 1


@pytest.mark.slow_cases("compare", "elaborate")
@pytest.mark.parametrize("name", [name for name in CALLS if name != "draw"])
@pytest.mark.filterwarnings("ignore::aspdoku.AspdokuWarning")
def test_what_was_not_read_is_never_cut(name):
    """In the `repr` of each result, however long, once; and in its JSON."""
    parts = [f"fog in the cells of line {number}" for number in range(40)]
    text = "".join(f"unsupported: {part}\n" for part in parts) + UNIQUE
    for puzzle in (text, text.replace(UNIQUE, f"title: none\n\n{IMPOSSIBLE}\n")):
        try:
            result = CALLS[name](aspdoku.parse(puzzle))
        except aspdoku.NoSolutionError:  # it has no result
            continue
        for part in parts:
            assert repr(result).count(f"{part},") + repr(result).count(f"{part}>") == 1
            assert part in json.dumps(result.to_json())
