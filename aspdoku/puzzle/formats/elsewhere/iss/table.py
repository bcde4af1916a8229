"""What the constraints of Interactive Sudoku Solver mean: the map from their names to facts and elaborations. Data only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from aspdoku.puzzle.formats.elsewhere.fpuzzles.clues import Arrows, Corners, Diagonals, EdgeClues, LineClues
from aspdoku.puzzle.formats.elsewhere.fpuzzles.shapes import Groups, Lines, Pairs
from aspdoku.puzzle.formats.elsewhere.iss import entries, own
from aspdoku.puzzle.formats.elsewhere.iss.own import Reading, shaped


class Kind(NamedTuple):
    """How a constraint is read, and the elaboration that reads the facts which it becomes.

    others: elaborations for facts of other predicates, by these
    """

    reading: Reading
    elaboration: str
    others: Mapping[str, str] = {}


KINDS = {
    "Cage": Kind(shaped(entries.summed, Groups("cage", valued=True)), "killer"),
    "Sum": Kind(shaped(entries.valued, Groups("sum_cage", valued=True)), "sum-cage"),
    "AllDifferent": Kind(shaped(entries.cells, Groups("extra_region")), "extra-region"),
    "WhiteDot": Kind(shaped(entries.side_by_side(), Pairs("white_dot", default=1)), "white-dots"),
    "BlackDot": Kind(shaped(entries.side_by_side(), Pairs("black_dot", default=2)), "black-dots"),
    "X": Kind(shaped(entries.side_by_side("10"), Pairs("xv")), "xv"),
    "V": Kind(shaped(entries.side_by_side("5"), Pairs("xv")), "xv"),
    "GreaterThan": Kind(own.greater("gt"), "greater-than"),
    "Thermo": Kind(shaped(entries.cells, Lines("thermo")), "thermo"),
    "Whisper": Kind(shaped(entries.far, Lines("whispers", valued=True)), "whispers"),
    "Renban": Kind(shaped(entries.cells, Lines("renban")), "renban"),
    "Modular": Kind(shaped(entries.valued, Lines("modular", valued=True)), "modular"),
    "Entropic": Kind(shaped(entries.cells, Lines("entropic")), "entropic"),
    "RegionSumLine": Kind(shaped(entries.cells, Lines("region_sum_line")), "region-sum-line"),
    "Between": Kind(shaped(entries.cells, Lines("between")), "between"),
    "Lockout": Kind(shaped(entries.valued, Lines("lockout", valued=True)), "lockout"),
    "Palindrome": Kind(shaped(entries.cells, Lines("palindrome")), "palindrome"),
    "Zipper": Kind(shaped(entries.cells, Lines("zipper")), "zipper"),
    "DoubleArrow": Kind(shaped(entries.cells, Lines("double_arrow")), "double-arrow"),
    "ValueIndexing": Kind(shaped(entries.cells, Lines("value_index")), "value-index"),
    "Lunchbox": Kind(shaped(entries.valued, Lines("lunchbox", valued=True)), "lunchbox"),
    "SumLine": Kind(own.line_in_parts("sum_line"), "sum-line"),
    "Arrow": Kind(shaped(entries.arrow, Arrows("arrow", "pill_arrow")), "arrow"),
    "PillArrow": Kind(shaped(entries.pill, Arrows("arrow", "pill_arrow")), "pill-arrow"),
    "Quad": Kind(shaped(entries.corner, Corners("quadruple")), "quadruple"),
    "LittleKiller": Kind(shaped(entries.along_a_diagonal, Diagonals("little_killer")), "little-killer"),
    "Sandwich": Kind(shaped(entries.from_one_end, LineClues("sandwich")), "sandwich"),
    "XSum": Kind(shaped(entries.from_both_ends, EdgeClues("x_sum")), "x-sum"),
    "Skyscraper": Kind(shaped(entries.from_both_ends, EdgeClues("skyscraper")), "skyscraper"),
    "HiddenSkyscraper": Kind(shaped(entries.from_both_ends, EdgeClues("hidden_skyscraper")), "hidden-skyscraper"),
    "NumberedRoom": Kind(shaped(entries.from_both_ends, EdgeClues("numbered_room")), "numbered-room"),
    "FullRank": Kind(shaped(entries.from_both_ends, EdgeClues("full_rank")), "full-rank"),
    "Indexing": Kind(own.of_a_line("row_indexer", "column_indexer"), "row-indexer", {"column_indexer": "column-indexer"}),
    "CountingCircles": Kind(own.marks("counting_circle"), "counting-circles"),
    "SameValues": Kind(own.sets_of_a_size("same_values", "chaos_same"), "same-values", {"chaos_same": "chaos-construction"}),
    "EqualSum": Kind(own.parts("equal_sum_cage"), "equal-sums"),
    "ContainAtLeast": Kind(own.held("look_at_least"), "look-at-least"),
    "ChaosCount": Kind(own.counted_around("chaos_count"), "chaos-construction"),
    "Pair": Kind(own.paired("pair"), "pair"),
    "PairX": Kind(own.paired("pair", every=True), "pair"),
    "Binary": Kind(own.paired("pair", swapped=True), "pair"),
    "BinaryX": Kind(own.paired("pair", every=True, swapped=True), "pair"),
}

# Rules that are just on or off.
FLAGS = {
    "AntiKnight": ("anti-knight",),
    "AntiKing": ("anti-king",),
    "AntiConsecutive": ("nonconsecutive",),
    "AntiTaxicab": ("self-taxicab",),
    "GlobalEntropy": ("global-entropy",),
    "Windoku": ("windoku",),
    "StrictKropki": ("negative-white-dots", "negative-black-dots"),
    "StrictXV": ("negative-xv",),
    "ChaosConstruction": ("chaos-construction",),
}

# Each of the two diagonals by itself: the elaboration has both, and the other one is an exception from it.
DIAGONAL_WORD = "Diagonal"
DIAGONAL = "diagonal"
DIAGONALS = {"1": "up", "-1": "down"}

# No number stands twice in such a set of cells.
DIFFERENT_WORD = "AllDifferent"
DIFFERENT = ("extra-region", "extra_region")

# Cells at the same place of their boxes differ.
DISJOINT = ("disjoint-groups",)

PENCILMARKS = ("pencilmarks", "pencilmark")

# Whether a line whose rank is said may read like another; where nothing is said, it may not. The exception for each answer.
RANKED, TIED = "FullRank", "FullRankTies"
TIES = {"any": ("full_rank", "tie"), "only-unclued": None}
TIES_UNSAID = "only-unclued"

# Not read where there are more numbers than cells in a row, and where the first number is not 1.
NARROW_ONLY = {"Entropic", "GlobalEntropy", "Indexing", "FullRank", "Sandwich", "HiddenSkyscraper", "Diagonal"}
FROM_ONE_ONLY = {"Entropic", "GlobalEntropy", "Indexing", "FullRank", "AntiTaxicab", "NumberedRoom", "ValueIndexing"}
# Read by boxes or regions that are those of the game.
BY_REGION = {"RegionSumLine"}
BY_BOX = {"Windoku"}

# What the reader knows beside these: the shape, the regions, and what has no meaning for a solver that finds all solutions.
ELSEWHERE = {"", "Shape", "RegionSize", "NoBoxes", "Jigsaw", "DisjointSets", "Priority", DIAGONAL_WORD, TIED}
WORDS = {*KINDS, *FLAGS, *ELSEWHERE}
