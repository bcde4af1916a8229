"""Reports fit the terminal that they are printed on, and look the same everywhere else."""

import re

import pytest

import aspdoku
from aspdoku.cli.echo import highlighted
from aspdoku.formalisms import engines
from aspdoku.formalisms.comparison import EncodingChange, EngineResult, FormalismTable
from aspdoku.formalisms.engine import Encoding
from aspdoku.program.library import available_rules
from aspdoku.questions import text
from aspdoku.questions.compare import ComparisonTable
from aspdoku.questions.source import RuleFiles


@pytest.fixture
def terminal():
    yield text.use_terminal
    text.use_terminal(None)


def longest(shown):
    return max(map(len, shown.split("\n")))


@pytest.mark.parametrize(("columns", "expected"), [(20, 60), (60, 60), (133, 133), (500, 200)])
def test_the_width_is_that_of_the_terminal_within_bounds(columns, expected, terminal):
    terminal(columns)
    assert (text.width(), text.terminal_width()) == (expected, expected)


def test_without_a_terminal_the_width_is_fixed():
    assert (text.width(), text.terminal_width()) == (110, None)


def test_the_list_of_rules_is_wrapped_on_a_terminal_only(terminal):
    elsewhere = str(RuleFiles(available_rules()))
    terminal(70)
    wrapped = str(RuleFiles(available_rules()))
    assert longest(wrapped) <= 70 < longest(elsewhere)
    assert wrapped.split() == elsewhere.split()


@pytest.mark.parametrize("columns", [60, 80, 160])
def test_a_report_on_an_elaboration_fits(columns, terminal):
    report = aspdoku.elaborate(aspdoku.Puzzle.blank(4), with_="anti-knight")
    terminal(columns)
    shown = [line for line in str(report).split("\n") if not re.match("   [0-9a-f]{64} ", line)]
    assert max(map(len, shown)) <= columns


def numbers_of(grid, size):
    """The numbers in each cell of a grid whose cells are wrapped, found by their columns."""
    lines = [line for line in grid.split("\n") if not line.startswith("-")]
    starts = [place.start() for place in re.finditer(r"(?<![^ |])[0-9]", lines[0])]
    assert len(starts) == size
    rows, current = [], [""] * size
    for line in [*lines, ""]:
        cells = [line[a:b].strip(" |") for a, b in zip(starts, [*starts[1:], None], strict=True)]
        current = [before + cell for before, cell in zip(current, cells, strict=True)]
        if not any(re.search(",$", cell) for cell in current) and any(current):
            rows.append([tuple(map(int, cell.split(","))) for cell in current])
            current = [""] * size
    return rows


@pytest.mark.parametrize("columns", [120, 160, 200])
def test_candidates_of_a_large_grid_are_wrapped_in_their_cells(columns, terminal):
    size = 16
    candidates = [
        [tuple(range(10 + (row + column) % 3, 17)) for column in range(size)] for row in range(size)
    ]
    cells = {
        (row, column): ",".join(map(str, numbers))
        for row, line in enumerate(candidates, 1)
        for column, numbers in enumerate(line, 1)
    }
    puzzle = aspdoku.Puzzle.blank(size)
    elsewhere = text.candidate_grid(puzzle, cells)
    assert longest(elsewhere) > 200
    terminal(columns)
    shown = text.candidate_grid(puzzle, cells)
    assert longest(shown) <= columns
    assert numbers_of(shown, size) == candidates


def test_candidates_of_regions_are_wrapped(terminal):
    puzzle = aspdoku.parse(
        "\n".join(["." * 9] * 9) + "\n[box]\n" + "\n".join(f"{row}" * 9 for row in range(1, 10))
    )
    terminal(60)
    shown = text.candidate_grid(puzzle, dict.fromkeys(puzzle.cells(), "12345"))
    assert longest(shown) <= 60
    assert shown.count("1234") == 81


def table(columns):
    engine = next(iter(engines().values()))
    encoding, unchanged = Encoding("", ""), EncodingChange()
    added = EncodingChange(("a.", "b.", "c."))
    cells = (
        EngineResult(engine, "agrees", "", encoding, added, None),
        EngineResult(engine, "not written", "nobody wrote it", encoding, unchanged, None),
    )
    return FormalismTable(columns, ((engine, (cells * len(columns))[: len(columns)]),))


def test_a_table_of_formalisms_has_columns_or_is_a_list(terminal):
    terminal(80)
    wide = str(ComparisonTable(table(("box", "killer"))))
    assert next(line.split() for line in wide.split("\n")) == ["box", "killer"]
    assert "+3 −0" in wide
    assert "1. not written: nobody wrote it" in wide
    many = tuple(f"elaboration-{number}" for number in range(9))
    listed = str(ComparisonTable(table(many)))
    assert longest(listed) <= 80
    assert all(name in listed for name in many)


@pytest.mark.parametrize(
    ("line", "coloured"),
    [
        ("mine.lp:1:4: undefined", ["mine.lp:1:4:"]),
        ("  1 | :- a.", []),
        ("    |   ^", ["  ^"]),
        (" 3  [4] |  1   2", ["[4]"]),
        ("r1c1=5 and r2c3 conflict", ["r1c1=5", "r2c3"]),
        ("equivalent: no grid", ["equivalent:"]),
        ("an arrow r1 without a cell", []),
        ("\x1b[36mr1c1\x1b[0m r2c2", ["r1c1"]),
    ],
)
def test_what_is_highlighted(line, coloured):
    assert re.findall(r"\x1b\[\d+m(.*?)\x1b\[0m", highlighted(line)) == coloured
    plain = re.compile(r"\x1b\[\d+m")
    assert plain.sub("", highlighted(line)) == plain.sub("", line)
