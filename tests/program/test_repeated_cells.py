"""A cell that occurs twice on a line or in a set of cells, and cells that have to touch.

A line counts such a cell at each of its places, unless the rule is about a set of cells.
"""

from random import Random

import pytest
from choice_semantics import VARIANTS
from rule_semantics import LINES, RULE_SEMANTICS, repeated
from sampling import one_in
from test_rule_semantics import all_four, with_facts

import aspdoku
from aspdoku.engine import Solver
from aspdoku.errors import AspdokuError
from aspdoku.program import RuleFile, compose
from aspdoku.puzzle import Function, Puzzle

# No numbers satisfy these rules if a cell occurs twice.
NONE = {"lunchbox", "rising-arrow", "rising-line", "thermo"}


def in_python(name, facts):
    if name in VARIANTS:
        return set(VARIANTS[name].solutions(4, facts))
    return {grid for grid in all_four() if RULE_SEMANTICS[name].holds(grid, facts)}


def in_clingo(name, facts):
    without, others = ((), ())
    if name in VARIANTS:
        without, others = VARIANTS[name].without, VARIANTS[name].others
    program = compose(with_facts(Puzzle.blank(4), facts), name, *others, without=without)
    return {solution.rows for solution in Solver(program).search(0)}


@pytest.mark.parametrize("name", one_in(9, sorted(LINES)))
def test_a_cell_twice_on_a_line_on_all_4x4_grids(name):
    counts = set()
    rules = VARIANTS[name] if name in VARIANTS else RULE_SEMANTICS[name]
    for seed in range(24):
        rng = Random(f"{name} {seed} repeated")
        facts = rules.example(rng, 4)
        twice = repeated(rng, name, facts)
        if twice != facts:
            expected = in_python(name, twice)
            assert in_clingo(name, twice) == expected, twice
            counts.add(len(expected))
    assert counts == {0} if name in NONE else len(counts) > 1


def line(name, cells, **values):
    return {
        name: [(1, place, *map(int, cell)) for place, cell in enumerate(cells.split(), 1)],
        **{f"{name}_{key}": [(1, value)] for key, value in values.items()},
    }


# The counts are those of the 288 grids that a few lines of plain Python find.
@pytest.mark.parametrize(
    ("name", "facts", "solutions"),
    [
        ("renban", line("renban", "11 12 22 21 11"), 288),
        ("renban", line("renban", "12 13 23 22 12"), 96),
        ("nabner", line("nabner", "11 23 11"), 72),
        ("zipper", line("zipper", "11 12 22 21 11"), 24),
        ("zipper", line("zipper", "11 23 32 11"), 84),
        ("double-arrow", line("double_arrow", "11 23 32 11"), 84),
        ("region-sum-line", line("region_sum_line", "12 13 23 22 12"), 128),
        ("region-sum-line", line("region_sum_line", "11 12 22 11"), 288),
        ("sum-line", line("sum_line", "12 13 23 22 12", value=5), 96),
        ("between", line("between", "11 12 22 11"), 0),
    ],
)
def test_loops(name, facts, solutions):
    assert len(in_clingo(name, facts)) == solutions


def read(tmp_path, name, section, content):
    """The puzzle in a file with one section."""
    file = tmp_path / "puzzle.txt"
    grid = ". . . .\n" * 4
    file.write_text(f"with: {name}\n\n{grid}\n[{section}]\n{content}\n", "utf-8")
    return aspdoku.read(file)


SETS = {
    "cage": ("killer", "5: r1c1 r1c2\n9: r2c1 r2c2 r2c1"),
    "sum-cage": ("sum-cage", "5: r1c1 r1c2\n9: r2c1 r2c2 r2c1"),
    "extra-region": ("extra-region", "r1c1 r1c2\nr2c1 r2c2 r2c1"),
    "same-values": ("same-values", "1: r1c1 r1c2\n1: r2c1 r2c1"),
    "even": ("even", "r1c1 r1c2\nr2c1 r2c1"),
    "xv": ("xv", "5: r2c1 r2c2\n5: r2c1 r2c2"),
}


@pytest.mark.parametrize("section", SETS)
def test_a_cell_twice_in_a_set_has_no_meaning(section, tmp_path):
    name, content = SETS[section]
    with pytest.raises(
        AspdokuError, match=rf"puzzle\.txt:10: section \[{section}\]: r2c1.* twice"
    ) as at:
        compose(read(tmp_path, name, section, content))
    assert at.value.exit_code == 65


PAIRS = {
    "pair": ("pair", "1: "),
    "clone": ("clone", "1: "),
    "doppelganger": ("doppelganger", "row: "),
    "chaos-same": ("chaos-same", ""),
    "chaos-apart": ("chaos-apart", ""),
    "xv": ("xv", "5: "),
    "mine": ("mine.lp", ""),
}


@pytest.mark.parametrize("section", PAIRS)
def test_a_pair_of_one_cell_has_no_meaning(section, tmp_path):
    name, value = PAIRS[section]
    text = "#defined mine/4.  % mine(R,C,R1,C1): two cells\n:- mine(R,C,R,C), a(R,C,1)."
    (tmp_path / "mine.lp").write_text(text)
    content = f"{value}r1c1 r1c2\n{value}r2c1 r2c1"
    with pytest.raises(
        AspdokuError, match=rf"puzzle\.txt:10: section \[{section}\]: r2c1 occurs twice"
    ) as at:
        compose(read(tmp_path, name, section, content))
    assert at.value.exit_code == 65


def test_a_fact_about_a_pair_of_one_cell_has_no_meaning():
    puzzle = Puzzle.blank(4).replace(facts=(Function("clone", (1, 2, 1, 2, 1)),))
    with pytest.raises(AspdokuError, match=r"r2c1 occurs twice in clone\(1,2,1,2,1\)") as at:
        compose(puzzle, "clone")
    assert at.value.exit_code == 65


# The meaning of each warning follows from the rule and the cells, which are drawn on paper.
WARNED = {
    "thermo": (
        "r1c1 r2c2\nr1c1 r3c1",
        ["puzzle.txt:10: r1c1 and r3c1, in succession on thermo 2,"],
    ),
    "whispers": (
        "1: r1c1 r2c2 r4c1",
        ["puzzle.txt:9: r2c2 and r4c1, in succession on whispers 1,"],
    ),
    "between": ("r1c1 r1c2 r2c2 r1c1", ["puzzle.txt:9: r1c1 occurs twice on between 1, which no"]),
    "lockout": ("r1c1 r1c2 r2c2 r1c1", ["puzzle.txt:9: r1c1 occurs twice on lockout 1, which no"]),
    "modular": ("r1c1 r1c2 r1c1", ["puzzle.txt:9: r1c1 occurs twice on modular 1, which no"]),
    "entropic": ("r1c1 r1c2 r1c1", ["puzzle.txt:9: r1c1 occurs twice on entropic 1, which no"]),
    "palindrome": ("r1c1 r1c2 r1c2 r1c1", ["puzzle.txt:9: r1c2 is twice in succession on palin"]),
    "xv": ("5: r1c1 r1c2\n5: r1c2 r2c3", ["puzzle.txt:10: xv(1,2,2,3,5): r1c2 and r2c3 have no"]),
    "white-dot": ("1: r1c1 r1c3", ["puzzle.txt:9: white_dot(1,1,1,3,1): r1c1 and r1c3 have no"]),
    # What these rules require may hold.
    "renban": ("r1c1 r3c3 r1c1", []),
    "arrow": ("r1c1 r1c3 r3c1", []),
    "zipper": ("r1c1 r1c2 r2c2 r2c1 r1c1", []),
    "slow-thermo": ("r1c2 r2c3 r1c2", []),
    "region-sum-line": ("r1c2 r1c3 r2c3 r2c2 r1c2", []),
}


@pytest.mark.parametrize("section", WARNED)
def test_impossible_lines_and_edges_are_warned_of(section, tmp_path):
    content, expected = WARNED[section]
    name = "white-dots" if section == "white-dot" else section
    warnings = compose(read(tmp_path, name, section, content)).warnings
    assert [
        text.removeprefix(f"{tmp_path}/")[: len(start)]
        for text, start in zip(warnings, expected, strict=True)
    ] == expected


def test_a_rule_that_is_retracted_is_satisfied():
    puzzle = with_facts(Puzzle.blank(4), line("thermo", "11 12 11"))
    assert "no numbers satisfy" in compose(puzzle, "thermo").warnings[-1]
    assert not compose(puzzle, "thermo", without=["thermo"]).warnings
    assert not compose(
        puzzle.replace(facts=(*puzzle.facts, Function("ab", (Function("thermo"), 1)))), "thermo"
    ).warnings


def test_a_rule_of_ones_own_states_that_cells_touch():
    text = "#defined snake/4.  % snake(I,K,R,C): a cell{}\n:- snake(I,K,R,C), a(R,C,1)."
    puzzle = with_facts(Puzzle.blank(4), line("snake", "11 13"))
    silent, path = (RuleFile.from_text("snake", text.format(more)) for more in ("", "; a path"))
    assert not compose(puzzle, silent).warnings
    assert compose(puzzle, path).warnings == (
        "the puzzle: r1c1 and r1c3, in succession on snake 1, do not touch",
    )


def test_a_fact_about_a_cell_outside_what_it_is_about_is_warned_of():
    facts = {
        "number_cage": [(1, 1, 1, 1), (1, 2, 1, 2), (2, 1, 2, 1), (2, 2, 2, 2)],
        "number_cage_sum": [(1, 1, 2, 1, 55)],
    }
    puzzle = with_facts(Puzzle.blank(4), facts)
    assert not compose(puzzle, "number-cage").warnings
    beside = Function("number_cage_sum", (2, 2, 2, 3, 55))
    assert compose(puzzle.replace(facts=(*puzzle.facts, beside)), "number-cage").warnings == (
        "the puzzle: number_cage_sum(2,2,2,3,55) has no effect: r2c3 is not a cell of number_cage",
    )
