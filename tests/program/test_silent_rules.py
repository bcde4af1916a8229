"""Redundant constraints (`%@ -`), of a rule or of the definition `reaches`, do not change the
solutions.
"""

import re
from itertools import permutations
from random import Random

import pytest
from choice_semantics import VARIANTS, sudokus
from clingo import Control
from rule_semantics import RULE_SEMANTICS
from sampling import one_in

from aspdoku.engine import Solver
from aspdoku.program import RuleFile, compose, library
from aspdoku.program.compose import assemble
from aspdoku.program.transform import add_guards
from aspdoku.puzzle import Function, Puzzle

REACHES = "#defined reaches/3.\n"
SILENT = [
    name
    for name in library.rule_names()
    if any(part in library.find(name).text for part in ("%@ -\n", REACHES))
]
KILLER = [
    ("cage", (1, 1, "A")),
    ("cage", (1, 2, "A")),
    ("cage", (2, 1, "A")),
    ("cage_value", ("A", 7)),
]


GAME = [library.base(), *library.defaults()]


def without_redundant_rules(rule):
    """The file without its redundant constraints, and without those of `reaches`."""
    text = rule.text.replace(REACHES, "")
    kept = [part for part in re.split(r"\n\n+", text) if "%@ -\n" not in part]
    assert len(kept) < len(re.split(r"\n\n+", text)) or text != rule.text
    return RuleFile(rule.name, rule.place, "\n\n".join([*kept, ""]), vetted=True)


def facts_of(name, seed):
    if name == "killer":
        return tuple(Function(*each) for each in KILLER)
    facts = (RULE_SEMANTICS.get(name) or VARIANTS[name]).example(Random(f"{name} silent {seed}"), 4)
    return tuple(Function(each, arguments) for each, all_ in facts.items() for arguments in all_)


def others(name):
    """The rules that are used with a rule."""
    return map(library.find, VARIANTS[name].others if name in VARIANTS else ())


def retractions(name):
    """The facts that retract the default rules that a rule retracts."""
    rules = "".join(f"ab({rule}).\n" for rule in VARIANTS[name].without) if name in VARIANTS else ""
    return RuleFile("without", "without.lp", rules, vetted=True)


@pytest.mark.slow_cases(
    "chaos-construction", "little-killer", "pill-arrow", "region-sum-line", "zipper"
)
@pytest.mark.parametrize("name", SILENT)
def test_the_solutions_are_the_same_without_redundant_constraints(name):
    rule, back = library.find(name), retractions(name)
    counts = set()
    for seed in range(30):
        if seed >= 6 and counts - {0, 288, 576}:
            break
        puzzle = Puzzle.blank(4).replace(facts=facts_of(name, seed))
        found = [
            {
                solution.rows
                for solution in Solver(assemble(puzzle, [*GAME, each, *others(name), back])).search(
                    0
                )
            }
            for each in (rule, without_redundant_rules(rule))
        ]
        assert found[0] == found[1]
        counts.add(len(found[0]))
    assert counts - {0, 288, 576}  # the rule excludes some grids, but not all


NUMBERS = [(1, 2, 3, 4), (0, 1, 2, 3), (2, 3, 5, 9)]
EXCEPTIONS = [
    "ab(row).",
    "ab(column).",
    "ab(box).",
    "ab(box,2).",
    "ab(extra_region).",
    'ab(extra_region,"A").',
    'ab(sum_cage,"S").',
    "unused(4,4). ab(box).",
    "counts_as(1,1,double,5).",
]
CELLS = [(row, column) for row in range(1, 5) for column in range(1, 5)]


@pytest.mark.parametrize("seed", one_in(4, range(80)))
def test_totals_of_any_cells_in_any_houses(seed):
    """Cages whose cells count often or negatively, in rows, columns, boxes and regions that
    overlap, with other numbers and exceptions; one of two sums is false.
    """
    rng = Random(f"totals {seed}")
    numbers = rng.choice(NUMBERS)
    grids = [
        {cell: numbers[rows[cell[0] - 1][cell[1] - 1] - 1] for cell in CELLS}
        for rows in rng.sample(sudokus(4), 2)
    ]
    drawn = [(name, rng.sample(CELLS, 3)) for name in "ABCDEF"]
    regions = [each for each in drawn if len({grids[0][cell] for cell in each[1]}) == 3]
    houses = [
        [cell for cell in CELLS if cell[0] == 2],
        [cell for cell in CELLS if cell[1] == 3],
        [cell for cell in CELLS if cell[0] < 3 and cell[1] > 2],
        *(cells for _, cells in regions),
    ]
    most = [*rng.choice([[], *houses]), *rng.sample(CELLS, rng.randint(0, 5))]
    cage = {cell: rng.choice([1, 1, 1, 2, -1, 10]) for cell in most or CELLS[:5]}
    sums = [sum(factor * grid[cell] for cell, factor in cage.items()) for grid in grids]
    atoms = [
        *(("sum_cage", (*cell, name)) for cell in cage for name in "ST"),
        *(("sum_cage_factor", (*cell, name, cage[cell])) for cell in cage for name in "ST"),
        *(("sum_cage_value", pair) for pair in zip("ST", sums, strict=True)),
        *(("extra_region", (*cell, name)) for name, cells in regions for cell in cells),
        *(("liar", (1, Function("sum_cage"), name)) for name in "ST"),
    ]
    own = "".join(f"number({number}). " for number in numbers)
    text = " ".join(["own_numbers.", own, *rng.sample(EXCEPTIONS, rng.choice([0, 1, 1, 2]))])
    back = RuleFile("without", "without.lp", text, vetted=True)
    puzzle = Puzzle(((None,) * 4,) * 4, facts=tuple(Function(*each) for each in atoms))
    rule, others = library.find("sum-cage"), [*map(library.find, ("extra-region", "liar")), back]
    found = [
        models(assemble(puzzle, [*GAME, each, *others]).text)
        for each in (rule, without_redundant_rules(rule))
    ]
    assert found[0] == found[1]
    assert found[0] or "unused" in text or "counts_as" in text


ROW = [(2, column) for column in range(1, 5)]
COLUMN = [(row, 3) for row in range(1, 5)]
BOX = [(1, 3), (1, 4), (2, 3), (2, 4)]
REGION = [(1, 1), (2, 3), (3, 2), (4, 4)]
RETRACTED = {
    "ab(row).": ROW,
    "ab(column).": COLUMN,
    "ab(box).": BOX,
    "ab(box,1..4).": BOX,
    "ab(extra_region).": REGION,
    'ab(extra_region,"A").': REGION,
}


@pytest.mark.parametrize("exception", RETRACTED)
def test_a_total_in_a_house_that_may_hold_a_number_twice(exception):
    cells = RETRACTED[exception]
    atoms = [
        *((name, (*cell, "A")) for cell in cells for name in ("sum_cage", "extra_region")),
        ("sum_cage_value", ("A", 10)),
    ]
    atoms = [each for each in atoms if each[0] != "extra_region" or cells is REGION]
    puzzle = Puzzle.blank(4).replace(facts=tuple(Function(*each) for each in atoms))
    back = RuleFile("without", "without.lp", exception, vetted=True)
    rule, others = library.find("sum-cage"), [library.find("extra-region"), back]
    found = [
        models(assemble(puzzle, [*GAME, each, *others]).text)
        for each in (rule, without_redundant_rules(rule))
    ]
    assert found[0] == found[1]
    assert any(
        all(
            f"a({row},{column},{number})" in model
            for (row, column), number in zip(cells, twice, strict=True)
        )
        for model in found[0]
        for twice in set(permutations((1, 1, 4, 4)))
    )


@pytest.mark.parametrize("change", [add_guards, None])
def test_searches_with_open_clues_do_not_count_over_them(change):
    """With each definition once, and without that which is only for speed."""
    program = compose(Puzzle.blank(4), "sum-cage")
    assert [each.name for each in program.rules] == ["base", "value", "reaches", "box", "sum-cage"]
    rules = change(program.rules).rules if change else None
    open_ = program.changed(rules, fast=False)
    assert [each.name for each in open_.rules] == ["base", "value", "box", "sum-cage"]
    assert open_.with_grid(program.puzzle.grid) == open_


def models(text):
    """What each answer set of a program shows."""
    plain, found = Control(["0"]), []
    plain.add("base", [], text)
    plain.ground([("base", [])])
    plain.solve(on_model=lambda model: found.append(sorted(map(str, model.symbols(shown=True)))))
    return sorted(found)


def diagonals(size):
    """The cells of every diagonal, in both directions."""
    for row, column in (
        (row, column) for row in range(1, size + 1) for column in range(1, size + 1)
    ):
        for down, right in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            line = [(row + down * place, column + right * place) for place in range(size)]
            if not {row - down, column - right} <= set(range(1, size + 1)):
                yield [cell for cell in line if {*cell} <= set(range(1, size + 1))]


@pytest.mark.parametrize("seed", range(20))
def test_arrows_with_extreme_sums(seed):
    """The clues are those of the grid with the largest or the smallest total of some, or differ
    from them by one; plain clingo is compared, too.
    """
    rng = Random(f"nearly all {seed}")
    arrows = rng.sample(list(diagonals(4)), rng.randint(3, 9))

    def sums(grid):
        return [sum(grid[row - 1][column - 1] for row, column in arrow) for arrow in arrows]

    some = rng.sample(sudokus(4), rng.choice([5, 100, 288]))
    clues = sums(rng.choice([max, min])(some, key=lambda grid: sum(sums(grid))))
    clues[0] += rng.choice([0, 0, 0, 1, -1])
    cells = [
        ("little_killer", (i, k, *cell))
        for i, arrow in enumerate(arrows)
        for k, cell in enumerate(arrow, 1)
    ]
    facts = tuple(
        Function(*each)
        for each in [*cells, *(("little_killer_value", pair) for pair in enumerate(clues))]
    )
    program = compose(Puzzle.blank(4).replace(facts=facts), "little-killer")
    expected = {grid for grid in sudokus(4) if sums(grid) == clues}
    assert {solution.rows for solution in Solver(program).search(0)} == expected
    plain = Control(["0"])
    plain.add("base", [], program.text)
    plain.ground([("base", [])])
    plain.solve()
    assert plain.statistics["summary"]["models"]["enumerated"] == len(expected)


BOXES = [(r, c, (r - 1) // 2 * 2 + (c - 1) // 2) for r in range(1, 5) for c in range(1, 5)]
SHORT = [
    ("little_killer", (1, 1, 1, 1)),
    ("little_killer", (2, 1, 1, 2)),
    ("little_killer_value", (1, 2)),
    ("little_killer_value", (2, 3)),
]
ONE_PLACE = [
    ("little_killer", (1, 1, 1, 1)),
    ("little_killer", (1, 1, 3, 3)),
    ("little_killer_value", (1, 4)),
]
ABSENT = [
    ("little_killer", (1, k, *cell)) for k, cell in enumerate([(1, 1), (1, 2), (4, 4)], 1)
] + [("little_killer_value", (1, 6))]
PILL = [
    ("pill_arrow", (1, k, *cell))
    for k, cell in enumerate([(1, 1), (1, 2), (3, 3), (3, 4), (4, 3), (4, 4), (3, 3), (1, 4)], 1)
]
REPEATED = [
    ("little_killer", (1, k, *cell)) for k, cell in enumerate([(1, 1), (1, 2), (1, 1), (2, 3)], 1)
] + [("little_killer_value", (1, 9))]
CROSSING = [
    ("region_sum_line", (1, k, *cell))
    for k, cell in enumerate([(1, 1), (1, 2), (1, 1), (1, 3), (1, 4), (2, 4)], 1)
]
TWO_REGIONS = [
    ("region_sum_line", (1, k, *cell)) for k, cell in enumerate([(2, 1), (1, 1), (1, 3), (3, 1)], 1)
]
APART = [
    ("chaos_apart", (1, 2, 1, 3)),
    ("chaos_apart", (1, 3, 2, 3)),
    ("a", (1, 1, 1)),
    ("a", (1, 3, 1)),
]
ODD = {
    "cells in two regions": (
        "little-killer",
        4,
        [*(("box", each) for each in BOXES), *(("box", (1, c, 9)) for c in range(1, 5)), *SHORT],
        "",
    ),
    "two cells at one position": ("little-killer", 4, ONE_PLACE, ""),
    "cells in no region": (
        "little-killer",
        4,
        [*(("box", (r, c, Function("x"))) for r in (1, 2) for c in (1, 2)), *ABSENT],
        "",
    ),
    "an arrow with a repeated cell": ("little-killer", 4, REPEATED, ""),
    "an arrow without boxes": (
        "little-killer",
        4,
        [
            *(("little_killer", (1, k, k, k)) for k in (1, 2, 3)),
            ("little_killer_value", (1, 4)),
            ("a", (1, 1, 1)),
            ("a", (2, 2, 1)),
        ],
        "ab(box).",
    ),
    "a line with a repeated cell": ("region-sum-line", 4, CROSSING, ""),
    "a line through cells in two regions": (
        "region-sum-line",
        4,
        [
            *(("box", each) for each in BOXES),
            *(("box", (1, c, 9)) for c in range(1, 5)),
            *TWO_REGIONS,
            ("a", (2, 1, 1)),
            ("a", (1, 3, 1)),
        ],
        "",
    ),
    "a line without boxes": (
        "region-sum-line",
        4,
        [
            *(("region_sum_line", (1, k, k, k)) for k in (1, 2, 3)),
            ("a", (1, 1, 1)),
            ("a", (2, 2, 1)),
        ],
        "ab(box).",
    ),
    "a sandwich without rows": (
        "sandwich",
        4,
        [("sandwich_row", (1, 3)), ("a", (1, 1, 1)), ("a", (1, 2, 3)), ("a", (1, 3, 3))],
        "ab(row).",
    ),
    "a shaft with a repeated cell": ("pill-arrow", 4, PILL, ""),
    "a shaft through cells in two regions": (
        "pill-arrow",
        4,
        [*(("box", each) for each in BOXES), *(("box", (3, c, 9)) for c in range(1, 5)), *PILL],
        "",
    ),
    "a shaft without boxes": (
        "pill-arrow",
        4,
        [*PILL, ("a", (1, 1, 1)), ("a", (2, 1, 2))],
        "ab(box).",
    ),
    "a shaft with an exception to boxes": (
        "pill-arrow",
        4,
        [*PILL, ("a", (1, 1, 1)), ("a", (2, 1, 2))],
        "ab(box,4).",
    ),
    "a shaft without boxes and rows": (
        "pill-arrow",
        4,
        [*PILL, ("a", (1, 1, 1)), ("a", (1, 2, 4))],
        "ab(box). ab(row).",
    ),
    "rows retracted": (
        "chaos-construction",
        3,
        APART,
        "ab(box). ab(row). ab(column). ab(chaos_construction,1..3).",
    ),
}


@pytest.mark.parametrize("what", ODD)
def test_redundant_constraints_remove_no_solutions_of_odd_puzzles(what):
    name, size, atoms, exceptions = ODD[what]
    puzzle = Puzzle(((None,) * size,) * size, facts=tuple(Function(*each) for each in atoms))
    back = RuleFile("without", "without.lp", exceptions, vetted=True)
    counts = [
        Solver(assemble(puzzle, [*GAME, each, *others(name), back])).search(0).count()
        for each in (library.find(name), without_redundant_rules(library.find(name)))
    ]
    assert counts[0] == counts[1] > 0


def test_some_rules_have_redundant_constraints():
    assert {"killer", "little-killer", "zipper"} <= set(SILENT)


def test_redundant_constraints_are_not_in_explanations():
    rule = RuleFile(
        "mine", "mine.lp", "%@ no one\n:- a(1,1,1).\n%@ -\n:- a(1,1,1), a(1,1,1).\n", vetted=True
    )
    found = add_guards([library.base(), rule])
    assert [guard.line for guard in found.guards if guard.place == "mine.lp"] == [2]
    assert found.rules[1].text.count(":-") == 1
