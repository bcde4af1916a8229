"""`aspdoku depends`: arguments, output and exit status."""

import json

import pytest
from cli_runner import run

KNIGHT = "example:anti-knight"
SEVERAL = "1....4......2..."


def test_the_sets_of_a_cell():
    result = run("depends", "r1c2", SEVERAL)
    assert result.exit_code == 0
    assert result.stdout == (
        "r1c2 is 2\n  without column, 3 would be possible\n  without box, 3 would be possible\n"
    )


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("r1c1", "r1c1 is 1, a given\n"),
        ("R1C3", "r1c3 is not determined: 3 and 4 are possible\n"),
    ],
)
def test_a_cell_that_depends_on_no_rules(cell, text):
    result = run("depends", cell, SEVERAL)
    assert (result.exit_code, result.stdout) == (0, text)


def test_a_cell_that_only_a_rule_without_a_name_determines(tmp_path):
    (tmp_path / "own.lp").write_text("% Own.\n:- a(1,1,N), N != 2.\n")
    result = run("depends", "r1c1", "." * 16, "--with", tmp_path / "own.lp")
    assert result.stdout == (
        "r1c1 is 2, whatever rules are retracted\nwithout a name that retracts them: own\n"
    )


def test_all_cells():
    result = run("depends", "-", given=SEVERAL)
    assert result.exit_code == 0
    grid, legend = result.stdout.split("\n\n")
    counts = [line.replace("|", "").split() for line in grid.split("\n") if "+" not in line]
    cells = json.loads(run("depends", SEVERAL, "--format", "json").stdout)["cells"]
    for each in cells:
        row, column = each["cell"]
        is_open = [] in [retraction["rules"] for retraction in each["retractions"]]
        assert counts[row - 1][column - 1] == ("-" if is_open else str(len(each["rules"])))
        assert all(retraction["numbers"] is None for retraction in each["retractions"])
    assert sum(row.count(".") for row in counts) == 16 - len(cells) == 3
    assert "- is not determined" in legend


def test_the_heat_map(tmp_path):
    drawn = run("depends", SEVERAL, "-o", tmp_path / "heat.svg")
    assert drawn.exit_code == 0
    text = (tmp_path / "heat.svg").read_text()
    assert text.startswith("<svg ")
    cells = json.loads(run("depends", SEVERAL, "--format", "json").stdout)["cells"]
    determined = [each for each in cells if each["retractions"][0]["rules"]]
    assert text.count('class="heat"') == len(determined)
    assert text.count('class="highlight"') == len(determined)
    page = run("depends", SEVERAL, "--format", "html").stdout
    assert page.count('class="heat"') == len(determined)


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["r1", SEVERAL], 65, "invalid cell 'r1': use a row and a column, as in r3c4"),
        (["r5c1", SEVERAL], 65, "no cell in row 5 and column 1: rows and columns are 1 to 4"),
        (["11" + "." * 14], 20, "no solution"),
        (["-c", "n=25", "--with", "offset", "--time-limit", "0.01"], 124, "time limit"),
    ],
)
def test_errors_and_puzzles_without_an_answer(arguments, status, message):
    result = run("depends", *arguments, "--format", "text")
    assert result.exit_code == status
    assert message in result.stdout + result.stderr
