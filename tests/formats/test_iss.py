"""The text format of Interactive Sudoku Solver: each constraint against facts written by hand;
unsupported and invalid content.
"""

from itertools import groupby, product

import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from in_one_test import in_one_test

from aspdoku import Puzzle, Solver, compose
from aspdoku.errors import PuzzleError
from aspdoku.formats import iss, parse, registry
from aspdoku.formats.equivalence import differences
from aspdoku.formats.iss import table
from aspdoku.program import library
from aspdoku.puzzle.puzzle import box_shape


def read(text):
    return iss.read(text, "x")[0]


def line(name, value=None):
    facts = [f"{name}(1,1,1,1)", f"{name}(1,2,1,2)", f"{name}(1,3,2,3)"]
    return facts + ([f"{name}_value(1,{value})"] if value else [])


# A text, the rules that it activates, and its facts.
TEXTS = [
    (".Cage~3~R1C1~R1C2", ["killer"], ["cage(1,1,1)", "cage(1,2,1)", "cage_value(1,3)"]),
    (".Cage~0~R1C1.Cage~7~r2c2", ["killer"], ["cage(1,1,1)", "cage(2,2,2)", "cage_value(2,7)"]),
    (".Sum~3~R1C1~R1C2", ["sum-cage"], ["sum_cage(1,1,1)", "sum_cage(1,2,1)", "sum_cage_value(1,3)"]),  # noqa: E501
    (".AllDifferent~R1C1~R5C5", ["extra-region"], ["extra_region(1,1,1)", "extra_region(5,5,1)"]),
    (".WhiteDot~R1C1~R1C2~R2C2", ["white-dots"], ["white_dot(1,1,1,2,1)", "white_dot(1,2,2,2,1)"]),
    (".BlackDot~R2C1~R1C1", ["black-dots"], ["black_dot(2,1,1,1,2)"]),
    (".X~R1C1~R1C2.V~R1C2~R1C3", ["xv"], ["xv(1,1,1,2,10)", "xv(1,2,1,3,5)"]),
    (".GreaterThan~R1C1~R2C1~R2C2", ["greater-than"], ["gt(1,1,2,1)", "gt(2,1,2,2)"]),
    *(
        (f".{word}~R1C1~R1C2~R2C3", [name], line(name.replace("-", "_")))
        for word, name in {
            **{"Thermo": "thermo", "Renban": "renban", "Entropic": "entropic", "RegionSumLine": "region-sum-line"},  # noqa: E501
            **{"Between": "between", "Palindrome": "palindrome", "Zipper": "zipper", "DoubleArrow": "double-arrow"},  # noqa: E501
            **{"ValueIndexing": "value-index", "Arrow": "arrow"},
        }.items()
    ),
    *(
        (f".{word}~4~R1C1~R1C2~R2C3", [name], line(name.replace("-", "_"), 4))
        for word, name in {
            **{"Whisper": "whispers", "Modular": "modular", "Lockout": "lockout", "Lunchbox": "lunchbox"},  # noqa: E501
            "SumLine": "sum-line",
        }.items()
    ),
    (".Whisper~R1C1~R1C2~R2C3", ["whispers"], line("whispers", 5)),
    (".SumLine~9~R1C1~R1C2~R2C3~LOOP", ["sum-line"], [*line("sum_line", 9), "sum_line_loop(1)"]),
    (".PillArrow~2~R1C2~R1C1~R2C3", ["pill-arrow"], [*line("pill_arrow"), "pill_arrow_pill(1,2)"]),
    (".Quad~R3C3~1~1~5", ["quadruple"], ["quadruple(3,3,1,2)", "quadruple(3,3,5,1)"]),
    *(
        (f".LittleKiller~7~{corner}", ["little-killer"], [f"little_killer(1,{k},{r},{c})" for k, (r, c) in enumerate(cells, 1)])  # noqa: E501
        for corner, cells in {
            "R8C1": [(8, 1), (9, 2)],
            "R2C9": [(2, 9), (1, 8)],
            "R1C2": [(1, 2), (2, 1)],
            "R9C8": [(9, 8), (8, 9)],
        }.items()
    ),
    (".Sandwich~7~C3.Sandwich~0~R4", ["sandwich"], ["sandwich_column(3,7)", "sandwich_row(4,0)"]),
    (".XSum~C3~7~8", ["x-sum"], ["x_sum(bottom,3,8)", "x_sum(top,3,7)"]),
    (".Skyscraper~R3~~8", ["skyscraper"], ["skyscraper(right,3,8)"]),
    (".HiddenSkyscraper~R3~2~", ["hidden-skyscraper"], ["hidden_skyscraper(left,3,2)"]),
    (".NumberedRoom~c3~2", ["numbered-room"], ["numbered_room(top,3,2)"]),
    (".FullRank~C3~2~", ["full-rank"], ["full_rank(top,3,2)"]),
    (".FullRank~C3~2~.FullRankTies~any", ["full-rank"], ["ab(full_rank,tie)", "full_rank(top,3,2)"]),  # noqa: E501
    (".Indexing~R~R1C2.Indexing~C~R3C4", ["row-indexer", "column-indexer"], ["column_indexer(3,4)", "row_indexer(1,2)"]),  # noqa: E501
    (".CountingCircles~R1C2~R3C4", ["counting-circles"], ["counting_circle(1,2)", "counting_circle(3,4)"]),  # noqa: E501
    (".CountingCircles~R1C2.CountingCircles~R1C2~R3C4", ["counting-circles"], [
        "coloured_circle(1,2,2)", "coloured_circle(3,4,2)", "counting_circle(1,2)"]),
    (".SameValues~2~R1C1~R1C2", ["same-values"], ["same_values(1,1,1,1)", "same_values(1,2,1,2)"]),
    (".ChaosConstruction.SameValues~2~CC1~CC11", ["chaos-construction", "chaos-same"], ["chaos_same(1,1,2,2)"]),  # noqa: E501
    (".EqualSum~R1C1~R1C2~-~R5C5", ["equal-sums"], [
        "equal_sum_cage(1,1,1,1)", "equal_sum_cage(1,2,1,1)", "equal_sum_cage(5,5,1,2)"]),
    (".ContainAtLeast~4_4_5~R1C1", ["look-at-least"], [
        "look_at_least(1,1,1)", "look_at_least_count(1,4,2)", "look_at_least_count(1,5,1)"]),
    (".NFA~BlQwmeKA~_parts~R1C1~-~R2C1~~R5C5~-~R6C6", ["automaton"], [
        "automaton_value(1,1)", "automaton_value(2,1)",
        "automaton_break(1,2)", "automaton_break(2,2)",
        "automaton(1,1,1,1)", "automaton(1,3,2,1)", "automaton(2,1,5,5)", "automaton(2,3,6,6)",
        "automaton_start(1,0)", "automaton_accepting(1,1)",
        "automaton_edge(1,0,1,2)", "automaton_edge(1,2,break,3)", "automaton_edge(1,3,2,1)"]),
    (".Regex~MTJ8Mw~R1C1~R1C2", ["automaton"], [
        "automaton(1,1,1,1)", "automaton(1,2,1,2)", "automaton_value(1,1)", "automaton_start(1,0)",
        "automaton_accepting(1,1)",
        "automaton_edge(1,0,1,2)", "automaton_edge(1,0,3,1)", "automaton_edge(1,2,2,1)"]),
    (".ContainExact~4_4_5~R1C1", ["look-and-say"], [
        "look_and_say(1,1,1)", "look_and_say_count(1,4,2)", "look_and_say_count(1,5,1)"]),
    (".LookAndSay~2405~R1C1", ["look-and-say"], [
        "look_and_say(1,1,1)", "look_and_say_count(1,4,2)", "look_and_say_count(1,5,0)"]),
    (".RellikCage~6~R1C1~R1C2", ["rellik"], ["rellik(1,1,1)", "rellik(1,2,1)", "rellik_value(1,6)"]),  # noqa: E501
    (".EqualityCage~R1C1~R1C2", ["equality"], ["equality(1,1,1)", "equality(1,2,1)"]),
    (".CountDistinct~R1C1~R1C2~R2C3", ["count-distinct"], line("count_distinct")),
    (".GlobalMod.DutchFlatmates", ["global-mod", "dutch-flatmates"], []),
    (".FullRankTies~none", ["no-ties"], []),
    (".FullRank~C3~2~.FullRankTies~none", ["full-rank", "no-ties"], ["full_rank(top,3,2)"]),
    (".ChaosConstruction.ChaosCount~R1C1", ["chaos-construction", "chaos-count"], ["chaos_count(1,1)"]),  # noqa: E501
    (".ChaosConstruction.ChaosCount~R1C1~0~CC1~CC2~CC10~CC11", ["chaos-construction", "chaos-count"], ["chaos_count(1,1)"]),  # noqa: E501
    (".ChaosConstruction.ChaosCount~R1C1~~CC1~CC3~CC4", ["chaos-construction", "chaos-count"], ["chaos_count(1,1,1,3)", "chaos_count(1,1,1,4)"]),  # noqa: E501
    (".ChaosConstruction.ChaosArrow~R1C1~0~CC1~CC2~-~CC1", ["chaos-construction", "chaos-arrow"], [
        "chaos_arrow(1,1,1,1)", "chaos_arrow(1,2,1,2)", "chaos_arrow(2,1,1,1)"]),
    (".Shape~4x4.ChaosConstruction.ChaosArrow~R1C3", ["chaos-construction", "chaos-arrow"], [
        *("chaos_arrow(1,1,1,3)", "chaos_arrow(1,2,1,2)", "chaos_arrow(1,3,1,1)"),
        *("chaos_arrow(2,1,1,3)", "chaos_arrow(2,2,1,4)", "chaos_arrow(3,1,1,3)"),
        *("chaos_arrow(4,1,1,3)", "chaos_arrow(4,2,2,3)", "chaos_arrow(4,3,3,3)", "chaos_arrow(4,4,4,3)"),  # noqa: E501
    ]),
    (".ChaosConstruction.ChaosArrow~R1C1~1~CC1~CC2.ChaosArrow~R1C1~~CC1~CC10", ["chaos-construction", "chaos-arrow"], [  # noqa: E501
        *("chaos_arrow(1,1,1,1)", "chaos_arrow(1,2,1,2)", "chaos_offset(1,1)"),
        *("chaos_arrow(2,1,1,1)", "chaos_arrow(2,2,2,1)", "chaos_offset(2,0)")]),
    (".ChaosConstruction.CountDistinct~R1C1~CC2~CC12", ["chaos-construction", "chaos-distinct"], line("chaos_distinct")),  # noqa: E501
    (".ChaosConstruction.AllDifferent~CC1~CC2~CC11", ["chaos-construction", "chaos-apart"], [
        *("chaos_apart(1,1,1,2)", "chaos_apart(1,1,2,2)", "chaos_apart(1,2,2,2)")]),
    (".Sum~9~R1C1~R1C2~R1C1.Sum~1_=_2_-1_-1~R1C1~R1C2~R1C1", ["sum-cage"], [
        *("sum_cage(1,1,1)", "sum_cage(1,2,1)", "sum_cage_factor(1,1,1,2)", "sum_cage_value(1,9)"),
        *("sum_cage(1,1,2)", "sum_cage(1,2,2)", "sum_cage_factor(1,2,2,-1)", "sum_cage_value(2,1)"),
    ]),
    (".Cage~9~R1C1~R1C2~R1C1.Cage~0~R2C1~R2C1~R2C2", ["extra-region", "sum-cage"], [
        *("extra_region(1,1,cage(1))", "extra_region(1,2,cage(1))"),
        *("extra_region(2,1,cage(2))", "extra_region(2,2,cage(2))"),
        *("sum_cage(1,1,cage(1))", "sum_cage(1,2,cage(1))"),
        *("sum_cage_factor(1,1,cage(1),2)", "sum_cage_value(cage(1),9)")]),
    (".Sum~-3_=_1_-2~R1C1~R1C2.Sum~5~R2C2", ["sum-cage"], [
        "sum_cage(1,1,1)", "sum_cage(1,2,1)", "sum_cage_factor(1,2,1,-2)", "sum_cage_value(1,-3)",
        "sum_cage(2,2,2)", "sum_cage_value(2,5)"]),
    (".ConnectedValues~~1_2", ["connected"], ["connected_set(1,1)", "connected_set(1,2)"]),
    (".ConnectedValues~~3~9", ["connected"], ["connected_set(1,3)", "connected_size(1,9)"]),
    (".AntiKnight.AntiKing.AntiConsecutive", ["anti-knight", "anti-king", "nonconsecutive"], []),
    (".AntiTaxicab.GlobalEntropy.Windoku", ["self-taxicab", "global-entropy", "windoku"], []),
    (".StrictKropki.StrictXV", ["negative-white-dots", "negative-black-dots", "negative-xv"], []),
    (".DisjointSets", ["disjoint-groups"], []),
    (".Diagonal~1.Diagonal~-1", ["diagonal"], []),
    (".Diagonal~1", ["diagonal"], ["ab(diagonal,down)"]),
    (".And.Diagonal~-1.End", ["diagonal"], ["ab(diagonal,up)"]),
    (".Replicate~BC.Renban~R1C1~R2C2.~R1C1_2.End", ["renban"], [
        *("renban(1,1,1,1)", "renban(1,2,2,2)", "renban(2,1,1,8)", "renban(2,2,2,9)"),
    ]),
    (".Shape~4x4.Replicate~D~r2c2.Cage~5~R2C2~R1C2.End", ["killer"], [
        *("cage(2,2,1)", "cage(1,2,1)", "cage_value(1,5)"),
        *("cage(2,3,2)", "cage(1,3,2)", "cage_value(2,5)"),
    ]),
    (".Replicate~D.Replicate~D~R2C2.Renban~R2C2~R3C2.End.End", ["renban"], [
        *("renban(1,1,2,2)", "renban(1,2,3,2)", "renban(2,1,2,3)", "renban(2,2,3,3)"),
        *("renban(3,1,2,3)", "renban(3,2,3,3)", "renban(4,1,2,4)", "renban(4,2,3,4)"),
    ]),
    (".Replicate~D.Or.Renban~R1C1~R2C1.~R1C1_2.End.End", ["renban", "either", "sum-cage"], [
        *("renban(1,1,1,1)", "renban(1,2,2,1)", "sum_cage(1,1,1)", "sum_cage_value(1,2)"),
        *("renban(2,1,1,2)", "renban(2,2,2,2)", "sum_cage(1,2,2)", "sum_cage_value(2,2)"),
        *("either(1,1,renban,1)", "either(1,2,sum_cage,1)"),
        *("either(2,1,renban,2)", "either(2,2,sum_cage,2)"),
    ]),
    (".~R1C1_2_3.~R1C1_3_4_2", ["pencilmarks"], ["pencilmark(1,1,2)", "pencilmark(1,1,3)"]),
]  # fmt: skip


@in_one_test(("text", "names", "facts"), TEXTS)
def test_a_constraint_becomes_facts(text, names, facts):
    puzzle = read(text)
    entries = sorted(
        str(fact) for fact in puzzle.facts if not str(fact).startswith("little_killer_value")
    )
    assert entries == sorted(facts)
    assert sorted(puzzle.elaborations) == sorted(names)
    assert puzzle.unsupported == ()
    assert compose(puzzle).warnings == ()


def test_the_largest_regions_contain_the_same_numbers_of_more():
    (solution, *_) = list(
        Solver(compose(read(".Shape~6x6~8.RegionSameValues.~R1C1_8"))).search(20)
    )[-1:]
    sets = [{*row} for row in [*solution.rows, *zip(*solution.rows, strict=True)]]
    assert len(sets[0]) == 6
    assert all(numbers == sets[0] for numbers in sets)
    assert all(
        {solution.rows[r + y][c + x] for y in range(2) for x in range(3)} == sets[0]
        for r in (0, 2, 4)
        for c in (0, 3)
    )
    assert read(".Shape~6x6.RegionSameValues.~R1C1_6") == read(".Shape~6x6.~R1C1_6")


def test_every_name_of_the_table_is_tested_and_every_elaboration_exists():
    tested = " ".join(text for text, *_ in TEXTS) + TABLES
    assert [word for word in {*table.CONSTRAINTS, *table.FLAGS} if f".{word}" not in tested] == []
    kinds = (*table.CONSTRAINTS.values(), *table.OF_REGIONS.values())
    named = {name for kind in kinds for name in (kind.rule, *kind.rules)}
    assert named | {name for names in table.FLAGS.values() for name in names} <= set(
        library.rule_names()
    )


TABLES = ".Pair .PairX .Binary .BinaryX"


def key_of(fits, numbers):
    """The table in that program's encoding: six bits per character, the least significant first."""
    signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    bits = "".join("1" if fits(one, two) else "0" for one, two in product(numbers, repeat=2))
    groups = [bits[start : start + 6] for start in range(0, len(bits), 6)]
    return "".join(signs[int(group[::-1], 2)] for group in groups).rstrip("A")


NABNER = "8H_xf8H_xf8H_B"  # from a published puzzle
CELLS = [(1, 1), (1, 2), (1, 3)]
NEIGHBOURS, ANY_TWO = (
    [(CELLS[0], CELLS[1]), (CELLS[1], CELLS[2])],
    [(CELLS[0], CELLS[1]), (CELLS[0], CELLS[2]), (CELLS[1], CELLS[2])],
)


@pytest.mark.parametrize(
    ("word", "key", "pairs"),
    [
        ("Pair", NABNER, NEIGHBOURS),
        ("PairX", NABNER, ANY_TWO),
        ("Binary", NABNER.replace("_", "-"), NEIGHBOURS),
        ("BinaryX", NABNER.replace("_", "-"), ANY_TWO),
    ],
)
def test_a_table_of_pairs_is_read(word, key, pairs):
    assert key_of(lambda one, two: abs(one - two) > 1, range(1, 10)) == NABNER
    puzzle = read(f".{word}~{key}~_two%20apart~R1C1~R1C2~R1C3")
    allowed = {fact.arguments for fact in puzzle.facts if fact.name == "pair_allowed"}
    assert allowed == {
        (1, one, two) for one, two in product(range(1, 10), repeat=2) if abs(one - two) > 1
    }
    assert {fact.arguments for fact in puzzle.facts if fact.name == "pair"} == {
        (1, *one, *two) for one, two in pairs
    }
    assert puzzle.elaborations == ("pair",)


@settings(deadline=None, max_examples=30)
@given(st.sampled_from([range(1, 5), range(4), range(1, 10)]), st.data())
def test_any_table_is_read_back(numbers, data):
    pairs = data.draw(st.sets(st.sampled_from(list(product(numbers, repeat=2)))))
    size = len(numbers)
    key = key_of(lambda one, two: (one, two) in pairs, numbers)
    puzzle = read(f".Shape~{size}x{size}~{numbers[0]}-{numbers[-1]}.Pair~{key}~~R1C1~R1C2")
    assert {fact.arguments[1:] for fact in puzzle.facts if fact.name == "pair_allowed"} == pairs


# ---- Shapes and regions ----

ROWS = "AAAABBBBCCCCDDDD"


@pytest.mark.parametrize(
    ("text", "size", "numbers", "box", "without"),
    [
        ("", 9, range(1, 10), (3, 3), ()),
        (".Shape~6x6", 6, range(1, 7), (2, 3), ()),
        (".Shape~6x6~6", 6, range(1, 7), (2, 3), ()),
        (".Shape~6x6~0-5", 6, range(6), (2, 3), ()),
        (".Shape~16x16", 16, range(1, 17), (4, 4), ()),
        (".NoBoxes", 9, range(1, 10), (3, 3), ("box",)),
        (f".Shape~4x4.NoBoxes.Jigsaw~{ROWS}", 4, range(1, 5), None, ()),
        (f".Shape~4x4.Jigsaw~{ROWS}", 4, range(1, 5), (2, 2), ()),
        (".Shape~6x6~9.RegionSize~9", 6, range(1, 10), (2, 3), ("row", "column", "box")),
    ],
)
def test_shape_numbers_and_boxes(text, size, numbers, box, without):
    puzzle = read(f"{text}.~R1C1_1")
    assert (puzzle.size, puzzle.numbers, puzzle.box, puzzle.without) == (
        size,
        numbers,
        box,
        without,
    )
    assert puzzle.givens() == {(1, 1): 1}


def sets_of(puzzle, name):
    found = {}
    for fact in puzzle.facts:
        if fact.name == name:
            found.setdefault(fact.arguments[2], set()).add(fact.arguments[:2])
    return sorted(found.values(), key=sorted)


def test_with_more_numbers_than_cells_houses_are_sets_of_different_numbers():
    sets = sets_of(read(".Shape~4x4~6.RegionSize~4.DisjointSets"), "extra_region")
    span = range(1, 5)
    lines = [{(r, c) for c in span} for r in span] + [{(r, c) for r in span} for c in span]
    boxes = [{(r + y, c + x) for y in (0, 1) for x in (0, 1)} for r in (1, 3) for c in (1, 3)]
    places = [{(r + y, c + x) for y in (0, 2) for x in (0, 2)} for r in (1, 2) for c in (1, 2)]
    assert sets == sorted([*lines, *boxes, *places], key=sorted)


def test_a_jigsaw_gives_extra_regions_with_boxes_and_regions_without():
    rows = [{(r, c) for c in range(1, 5)} for r in range(1, 5)]
    assert sets_of(read(f".Shape~4x4.Jigsaw~{ROWS}"), "extra_region") == rows
    assert sets_of(read(f".Shape~4x4.NoBoxes.Jigsaw~{ROWS}"), "box") == rows
    with_one = read(f".Shape~4x4.Jigsaw~{ROWS}.AllDifferent~R1C1~R2C2")
    assert sets_of(with_one, "extra_region") == sorted([*rows, {(1, 1), (2, 2)}], key=sorted)


# Five regions of five cells.
FIVE = "AAABBACABBCCCDBCDDDEDEEEE"


@pytest.mark.slow_cases(
    ".Shape~5x5-False",
    ".Shape~5x5.Jigsaw~AAAAAAAAAAAAAAAAAAAAAAAAA-False",
    ".Shape~5x5.NoBoxes-False",
)
@pytest.mark.parametrize(
    ("text", "regions"),
    [
        (f".Shape~5x5.Jigsaw~{FIVE}", True),
        (f".Shape~5x5.NoBoxes.Jigsaw~{FIVE}", True),
        (f".Shape~5x5.Jigsaw~5x5~{FIVE}.DisjointSets", True),
        (".Shape~5x5", False),
        (".Shape~5x5.NoBoxes", False),
        (f".Shape~5x5.Jigsaw~{'A' * 25}", False),
    ],
)
def test_a_size_without_boxes_has_the_pieces_of_the_jigsaw_as_regions(text, regions):
    """Against the oracle: Latin squares that hold every number once in each piece, filtered by the
    sums along the line.
    """
    line, along = (
        "~R4C2~R3C3~R4C3~R3C4.~R1C1_1~R1C2_3~R1C3_2~R1C4_5",
        [(4, 2), (3, 3), (4, 3), (3, 4)],
    )
    pieces = {
        sign: tuple((i // 5 + 1, i % 5 + 1) for i in range(25) if FIVE[i] == sign)
        for sign in "ABCDE"
    }
    assert {len(cells) for cells in pieces.values()} == {5}
    givens = [[None] * 5 for _ in range(5)]
    givens[0] = [1, 3, 2, 5, None]

    def sums(grid):
        parts = groupby(along, lambda cell: FIVE[5 * cell[0] + cell[1] - 6])
        return {sum(grid[r - 1][c - 1] for r, c in cells) for _, cells in parts}

    found = oracle.solutions(givens, oracle.Rules(boxes=False, chains=pieces if regions else {}))
    expected = {tuple(map(tuple, grid)) for grid in found if not regions or len(sums(grid)) == 1}
    puzzle = read(f"{text}.RegionSumLine{line}")
    assert 0 < len(expected) < len(found) or not regions
    assert {solution.rows for solution in Solver(compose(puzzle)).search(0)} == expected
    assert any(name.startswith("RegionSumLine") for name in puzzle.unsupported) == (not regions)
    assert any(name.startswith(("DisjointSets", "Jigsaw")) for name in puzzle.unsupported) == (
        "Disjoint" in text or "AAAA" in text
    )


def test_cells_outside_the_pieces_belong_to_no_region():
    text = f".Shape~5x5.Jigsaw~{FIVE.replace('E', 'x').replace('D', 'x')}"
    assert len(sets_of(read(text), "box")) == 3
    assert read(f"{text}.RegionSumLine~R1C1~R1C2").unsupported == (
        "RegionSumLine: undefined without boxes",
    )


@pytest.mark.parametrize("size", [5, 7, 11, 13])
def test_a_prime_size_has_no_boxes(size):
    puzzle = read(f".Shape~{size}x{size}.Windoku.DisjointSets")
    assert puzzle.unsupported == (
        "DisjointSets: a grid without boxes",
        "Windoku: undefined without boxes",
    )


@pytest.mark.parametrize(
    "text",
    [
        f".Shape~5x5.Jigsaw~{FIVE}.RegionSumLine~R1C1~R1C2~R1C4",
        ".Shape~6x6.NoBoxes.Jigsaw~AABBCCAABBCCAABBCCDDEEFFDDEEFFDDEEFF.RegionSumLine~R1C1~R1C2~R1C3",
        ".Shape~16x16.Sandwich~20~R16.Skyscraper~C10~4~.XSum~R11~~30.FullRank~C16~5",
        ".Shape~9x9~0-8.HiddenSkyscraper~R9~0~8",
    ],
)
def test_a_puzzle_that_was_read_is_written_and_read_back(text):
    puzzle = read(text)
    assert differences(puzzle, read(iss.write(puzzle))) == []


@pytest.mark.parametrize("size", [9, 10, 16])
def test_lines_outside_the_grid_have_decimal_numbers(size):
    """Unlike rows and columns in the names of cells."""
    (fact,) = read(f".Shape~{size}x{size}.Skyscraper~R{size}~3").facts
    assert fact.arguments[1:] == (size, 3)
    assert f".Skyscraper~R{size}~3" in iss.write(read(f".Shape~{size}x{size}.Skyscraper~R{size}~3"))


def test_a_name_starts_another_line_of_pairs():
    one = read(f".Pair~{NABNER}~_one~R1C1~R1C2~_two~R2C1~R2C2")
    assert [fact.arguments[1:] for fact in one.facts if fact.name == "pair"] == [
        (1, 1, 1, 2),
        (2, 1, 2, 2),
    ]


BEYOND = {
    ".Shape~6x6.Entropic~R1C1~R1C2.GlobalEntropy": "Entropic",
    ".Shape~12x12.GlobalEntropy": "GlobalEntropy",
    ".Shape~10x10.PillArrow~2~R1C1~R1C2~R2C1": "PillArrow",
    ".Shape~4x4~6.NoBoxes.ChaosConstruction.ChaosCount~R1C1": "ChaosConstruction",
    ".Shape~9x9.RegionSize~3.ChaosConstruction": "ChaosConstruction",
    ".ChaosConstruction.NoBoxes.RegionSumLine~R1C1~R1C2": "RegionSumLine",
    ".ChaosConstruction.RegionSumLine~R1C1~R1C2": "RegionSumLine",
    ".Shape~6x8.FullRankTies~none": "FullRankTies",
    ".Shape~6x8.Diagonal~1": "Diagonal",
    ".Shape~5x8~9.RegionSumLine~R1C1~R1C2": "RegionSumLine",
    ".Shape~6x8.Doppelganger": "Doppelganger",
    ".Shape~9x9.Doppelganger": "Doppelganger",
    ".Shape~9x9~0-9.RegionSize~3.Doppelganger": "Doppelganger",
    ".Shape~9x9~~Raw.Skyscraper~R1~3": "Skyscraper",
}


@in_one_test(("text", "word"), BEYOND.items())
def test_a_constraint_without_a_known_meaning_for_a_grid_is_reported(text, word):
    puzzle = read(text)
    assert any(name.startswith(f"{word}: undefined") for name in puzzle.unsupported)
    assert word != "ChaosConstruction" or "chaos-construction" not in puzzle.elaborations


@pytest.mark.parametrize("size", [4, 6, 8, 9, 10, 12, 15, 16])
def test_default_boxes_are_those_of_interactive_sudoku_solver(size):
    """Default box shapes are the same in both programs, so that they need not be written."""
    from aspdoku.formats.iss.grid import IssGrid

    height, width = box_shape(size)
    expected = {frozenset((r + y, c + x) for y in range(height) for x in range(width))
                for r in range(1, size, height) for c in range(1, size, width)}  # fmt: skip
    assert {frozenset(box) for box in IssGrid(size, range(1, size + 1)).boxes(size)} == expected


# ---- Unsupported and invalid content ----

UNSUPPORTED = {
    ".Or.~R1C1_1.And.~R2C2_2.End.End.Or.End": ("Or: an empty Or",),
    ".Replicate~B.Sandwich~7~C3.End": ("Replicate",),
    ".Replicate~B.AntiKnight.End": ("Replicate",),
    ".Replicate~B.Cage~7~CC1~CC2.End": ("Replicate",),
    ".Var~S~~2x2.Replicate~H~VS1.Cage~7~VS1~VS2.End": ("Replicate",),
    ".Var~S~~2x2.Replicate~B~VS1.Cage~7~VS1~R1C2.End": ("Replicate",),
    ".Replicate~A.Cage~7~R1C1.End": ("Replicate",),
    ".Replicate~B+.Cage~7~R1C1.End": ("Replicate",),
    ".Replicate~B~R1C1~R1C1.Cage~7~R1C1.End": ("Replicate",),
    ".Replicate~AAAQ.Cage~7~R1C1~R8C1.End": ("Replicate",),
    f".Replicate~{'_' * 42}.{'Cage~7~R1C1.' * 300}End": ("Replicate",),
    ".NFA~abc~R1C1~R1C2.NFA~BlQwmeKA": ("NFA: the automaton 'abc'", "NFA: no cells"),
    ".ChaosConstruction.NFA~BlQwmeKA~CC1~CC2": (
        "NFA: CC1, the region of a cell, whose number is a name that the solver chooses",
    ),
    ".Regex~MTJ8Kg~R1C1.Regex~w7w~R1C1.Regex~é~R1C1": (
        "Regex: the pattern '12|*', at its character 4",
        "Regex: the pattern 'ü', at its character 1",
        "Regex: the argument 'é'",
    ),
    ".Whisper~5~VS1~R1C1": ("Whisper: the cell VS1, which is not in the grid",),
    ".Shape~4x4~0-4.NoBoxes.Doppelganger.~DGB1_1": (
        "a given in the cell DGB1, which is not in the grid",
    ),
    ".Shape~6x8.Quad~R6C1~1": ("Quad: 'R6C1', which is not above and to the left of cells",),
    ".Shape~6x8.Skyscraper~C9~1": ("Skyscraper: 'C9' instead of a row or a column",),
    ".Shape~6x8.Skyscraper~R7~1": ("Skyscraper: 'R7' instead of a row or a column",),
    ".Var~S~~2x2.Var~T~~2x2.WhiteDot~VS1~VS4": (
        "WhiteDot: the cell VS1, which is adjacent to none of the others",
    ),
    ".Var~S~~2x2.Quad~VS2~1": ("Quad: 'VS2', which is not above and to the left of cells",),
    ".Sum~10_=_1_-1~R1C1": ("Sum: 1 cells with 2 factors",),
    ".Sum~10_=_1_-101~R1C1~R1C2": ("Sum: a factor above 100",),
    ".Shape~6x6~0-5.AntiTaxicab": ("AntiTaxicab: undefined for the numbers 0 to 5",),
    ".NoBoxes.RegionSumLine~R1C1~R1C2": ("RegionSumLine: undefined without boxes",),
    ".ChaosCount~R1C1~0~CC2~CC3": ("ChaosCount: a count that does not begin with R1C1",),
    ".ChaosCount~R1C1~1": ("ChaosCount: the offset '1'",),
    ".ChaosConstruction.ChaosCount~R1C1.ChaosCount~r1c1~0~CC1~CC5": (
        "ChaosCount: a second one in r1c1",
    ),
    ".ChaosArrow~R1C1": ("ChaosArrow: regions to be found, without ChaosConstruction",),
    ".ChaosArrow~R1C1~1~CC1~CC2~-~CC1~CC10": ("ChaosArrow: the offset '1'",),
    ".ChaosArrow~R1C1~2~CC1~CC2": ("ChaosArrow: the offset '2'",),
    ".ChaosConstruction.ChaosArrow~R1C1.ChaosArrow~r1c1~0~CC1~CC2~-~CC1~CC10": (
        "ChaosArrow: a second one in r1c1",
    ),
    ".ChaosArrow~R1C1~0~CC2~CC3": ("ChaosArrow: an arrow that does not begin in R1C1",),
    ".ChaosArrow~R1C1~0~CC1~CC2~CC3~-~CC1~CC10~CC3": ("ChaosArrow: arrows with a common cell",),
    ".LookAndSay~2414~R1C1": ("LookAndSay: two counts of 4 in '2414'",),
    ".LookAndSay~240~R1C1": ("LookAndSay: the value '240'",),
    ".LookAndSay~24": ("LookAndSay: no cells",),
    ".Shape~6x6.DutchFlatmates": ("DutchFlatmates: undefined for the numbers 1 to 6",),
    ".Thermo~R1C1": ("Thermo: a line of one cell",),
    ".LittleKiller~7~R5C5": ("LittleKiller: a clue at R5C5, where no diagonal begins",),
    ".LittleKiller": ("LittleKiller: ''",),
    ".Pair~a+b~~R1C1~R1C2": ("Pair: the table 'a+b'",),
    ".Diagonal~3": ("Diagonal: '3'",),
    ".Diagonal": ("Diagonal: ''",),
    ".Diagonal~1~-1": ("Diagonal: '1~-1'",),
    ".Sandwich~3~R1~R2": ("Sandwich: '3~R1~R2'",),
    ".XSum~R1~3~4~5": ("XSum: 'R1~3~4~5'",),
    ".AntiKnight~x.NoBoxes~": ("AntiKnight: 'x'", "NoBoxes: ''"),
    ".X~R1C1~R1C2~R3C3": ("X: the cell R3C3, which is adjacent to none of the others",),
    ".GreaterThan~R1C1~R1C2~R1C1": ("GreaterThan: the cell R1C1, listed twice",),
    ".CountingCircles~R1C1~R1C1": ("CountingCircles: the cell R1C1, listed twice",),
    ".SameValues~2~R1C1~R1C1~R2C1~R3C1": ("SameValues: the cell R1C1, listed twice",),
    ".EqualSum~R1C1~-~-~R2C2": ("EqualSum: an empty set of cells",),
    ".Pair~8H_xf8H_xf8H_B~~R1C1~R1C2~~R9C9": ("Pair: a line of the cell R9C9 alone",),
    ".Pair~8H_xf8H_xf8H_B": ("Pair: no cells",),
    ".Shape~4x4.Pair~8H_xf8H_xf8H_B~~R1C1~R1C2": (
        "Pair: the table '8H_xf8H_xf8H_B', which is for more numbers",
    ),
    ".ContainAtLeast~1": ("ContainAtLeast: no cells",),
    ".Quad~R1C1~1~": ("Quad: an empty value",),
    ".Modular~~R1C1~R1C2": ("Modular: one without a value",),
    ".Modular~0~R1C1~R1C2.Lockout~0~R1C1~R1C2": (
        "Modular: the value '0'",
        "Lockout: the value '0'",
    ),
    ".SumLine~0~R1C1~R1C2.SumLine~9": (
        "SumLine: 2 cells in parts of '0'",
        "SumLine: 0 cells in parts of '9'",
    ),
    ".HiddenSkyscraper~R1~10": (
        "HiddenSkyscraper: the clue 10, which is not a number of this puzzle",
    ),
    ".ChaosConstruction.ChaosCount~R1C1~0~CC2~CC1~CC10~CC11": (
        "ChaosCount: a count that does not begin with R1C1",
    ),
    ".ChaosCount~R1C1": ("ChaosCount: regions to be found, without ChaosConstruction",),
    ".SameValues~2~CC1~CC2": ("SameValues: regions to be found, without ChaosConstruction",),
    ".Shape~16x16.Sandwich~9~Rg": ("Sandwich: 'Rg' instead of a row or a column",),
    ".Skyscraper~Z3~1~2": ("Skyscraper: 'Z3' instead of a row or a column",),
}


@in_one_test(("text", "unsupported"), UNSUPPORTED.items())
def test_unsupported_constraints_are_named(text, unsupported):
    puzzle = read(text if "Shape" in text else f"{text}.~R9C9_4")
    assert puzzle.unsupported == unsupported


ADDRESS = "https://sigh.github.io/Interactive-Sudoku-Solver/"
REJECTED = {
    f"{ADDRESS}?q=.Cage~3~R1C1~R1C2&mode=x&q=.Thermo~R1C1~R1C2": (
        "the URL has several parameters q"
    ),
    f"{ADDRESS}?mode=x": "expected constraints that start with",
    ".Shape~9x9~Raw": "invalid shape '9x9~Raw': expected e.g.",
    ".Shape~9x9~~": "invalid shape '9x9~~': expected e.g.",
    ".Shape~6x17": "invalid size 6x17: this format allows 1 to 16 rows and columns",
    ".Shape~6x8~7": "invalid numbers 1 to 7: a grid of 6 rows of 8 cells allows 8 to 16",
    ".Shape~6x8.~R7C1_1": "invalid cell 'R7C1': the cells of a 6x8 grid are R1C1 to R6C8",
    ".Shape~2x4.Jigsaw~AAAABBB": "Jigsaw: expected once, with 8",
    ".Shape~9x9~~Raw.AntiKnight": "AntiKnight: a grid of the type Raw has no rows",
    ".Var~s~x~2": "Var: invalid 's~~2': expected e.g. Var~S~label~6",
    ".Var~S~x~0": "Var: invalid 'S~~0'",
    ".Var~S~x~2~3": "Var: invalid 'S~~~3'",
    ".Var~S~x~999.Var~T~x~2": "1001 extra cells: at most 1000",
    ".Var~S~x~2.Var~S~y~3": "5 extra cells: at most 1000 are possible, and no two of the same",
    ".Shape~six": "invalid shape 'six': expected e.g.",
    ".Shape~17x17": "invalid size 17x17: this format allows 1 to 16 rows",
    ".Shape~6x6~4": "invalid numbers 1 to 4: a grid of 6 rows of 6 cells allows 6 to 16",
    ".Shape~6x6.Shape~9x9": "several shapes",
    ".Shape~4x4.~R1C1_1\n\n.Shape~4x4.~R2C2_2": "several shapes",
    ".~R1C1": "invalid given 'R1C1': expected e.g.",
    ".~R1Ca_1": "invalid cell 'R1Ca': the cells of a 9x9 grid are R1C1 to",
    ".~R1C1_1_2.~R1C1_3": "the givens leave no number for R1C1",
    ".Shape~4x4.~R1C1_5": "'R1C1_5': the numbers of this puzzle are 1 to 4",
    ".~R1C1_1_10": "'R1C1_1_10': the numbers of this puzzle are 1 to 9",
    ".Shape~9x9~0-16": "invalid numbers 0 to 16: a grid of 9 rows of 9 cells allows 9 to 16",
    ".Shape~6x6~9.Jigsaw~AAAAAAAAABBBBBBBBBCCCCCCCCCDDDDDDDDD": (
        "Jigsaw: regions of this grid must have 6"
    ),
    f".Jigsaw~x~{'A' * 81}": "Jigsaw: expected once, with 81",
    ".And~x.~R1C1_1.End": "unexpected arguments of And: 'x'",
    ".And.~R1C1_1.End~~": "unexpected arguments of End: '~'",
    ".Skyscraper~R1~2.Skyscraper~r1~3~4": "Skyscraper: conflicting clues at 'R1'",
    ".LittleKiller~9~R1C2.LittleKiller~8~R1C2": "LittleKiller: conflicting clues at 'R1C2'",
    ".Quad~R1C1~1~2.Quad~R1C1~1": "Quad: conflicting clues at 'R1C1'",
    ".FullRank~C1~3.FullRankTies~any.FullRankTies~none": (
        "FullRankTies: conflicting values 'any and none'"
    ),
    ".Thermo~R1C1~R0C1": "Thermo: invalid cell 'R0C1': the cells",
    ".Or.~R1C1_1": "Or without a matching End",
    ".~R1C1_1.End": "End without a matching beginning",
    ".Jigsaw~AAB": "Jigsaw: expected once, with 81",
    ".Shape~4x4.Jigsaw~AAABBBCCCDDDEEEE": "Jigsaw: regions of this grid must have 4",
    ".RegionSize~x": "RegionSize: expected one size from 1 to 9",
}


@in_one_test(("text", "message"), REJECTED.items())
def test_invalid_texts_are_reported(text, message):
    with pytest.raises(PuzzleError) as caught:
        read(text)
    assert str(caught.value).startswith(f"x: {message}")


@pytest.mark.parametrize(
    "text",
    [
        ".Cage~3~R1C1~R1C2",
        "# a killer\n .Cage~3\n~R1C1 ~R1C2\n",
        "https://sigh.github.io/Interactive-Sudoku-Solver/?q=.Cage~3~R1C1~R1C2",
        "https://sigh.github.io/Interactive-Sudoku-Solver/?mode=x&q=.Cage%7E3~R1C1~R1C2%0A&z=1#top",
        "\ufeff.Cage~3~R1C1~R1C2\r\n",
    ],
)
def test_the_format_is_detected_by_content(text):
    assert [each.name for each in registry.FOREIGN if each.fits(text)] == ["iss"]
    assert parse(text) == read(".Cage~3~R1C1~R1C2")


def test_constraints_that_are_not_known_are_detected_in_an_address():
    puzzle = parse("https://sigh.github.io/Interactive-Sudoku-Solver/?q=.NotYet~3")
    assert puzzle.unsupported == ("NotYet",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "." * 81,
        "....\n1...\n",
        ".A.B",
        "..a.. ~",
        ".AB~ 1,2 \n4 4",
        ".A~\n....",
        "gt(1,1,1,2).",
    ],
)
def test_other_texts_are_not_detected(text):
    assert not iss.FORMAT.fits(text)


PIECES = st.sampled_from(
    [
        ".",
        "~",
        "R1C1",
        "R2C2",
        "_1",
        "_9",
        "3",
        "0",
        "-",
        "LOOP",
        "CC1",
        "VS1",
        "C1",
        "R9",
        "End",
        "And",
        "Or",
        *table.WORDS,
        "Shape~4x4",
        "Shape~4x4~0-3",
        "Shape~4x4~6",
        "\n",
        " ",
        "%",
        "²",
        "9" * 50,
    ]
)


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(st.lists(PIECES, max_size=15).map("".join))
def test_any_text_is_a_puzzle_or_an_error(text):
    outcome: object
    try:
        outcome = read(text)
    except PuzzleError as error:
        outcome = str(error)
    assert isinstance(outcome, Puzzle) or str(outcome).startswith("x: ")


def test_a_puzzle_is_solved():
    text = ".Shape~4x4~0-3.Thermo~R1C1~R1C2~R1C3~R1C4.~R2C1_2~R2C3_0~R3C2_0.Cage~1~R3C1~R3C2"
    solution, *others = Solver(compose(read(text))).search(2)
    assert not others
    assert solution.rows == ((0, 1, 2, 3), (2, 3, 0, 1), (1, 0, 3, 2), (3, 2, 1, 0))
