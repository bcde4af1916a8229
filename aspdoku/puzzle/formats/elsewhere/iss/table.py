"""What the constraints of Interactive Sudoku Solver mean: the map between their names, and facts and elaborations. Data only."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from aspdoku.puzzle.formats.elsewhere.fpuzzles.clues import Arrows, Corners, Diagonals, EdgeClues, LineClues
from aspdoku.puzzle.formats.elsewhere.fpuzzles.shapes import Groups, Lines, Pairs
from aspdoku.puzzle.formats.elsewhere.iss import entries, own
from aspdoku.puzzle.formats.elsewhere.iss.own import Reading, Shaped


class Kind(NamedTuple):
    """How a constraint is read, and the elaboration that reads the facts which it becomes.

    others: elaborations for facts of other predicates, by these
    written: whether it is the one that is written, where several names say the same
    """

    reading: Reading
    elaboration: str
    others: Mapping[str, str] = {}
    written: bool = True


KINDS = {
    "Cage": Kind(Shaped(entries.Summed(), Groups("cage", valued=True)), "killer"),
    "Sum": Kind(Shaped(entries.Valued(), Groups("sum_cage", valued=True)), "sum-cage"),
    "AllDifferent": Kind(Shaped(entries.Cells(), Groups("extra_region")), "extra-region"),
    "WhiteDot": Kind(Shaped(entries.SideBySide(), Pairs("white_dot", default=1)), "white-dots"),
    "BlackDot": Kind(Shaped(entries.SideBySide(), Pairs("black_dot", default=2)), "black-dots"),
    "X": Kind(Shaped(entries.SideBySide("10", others={"5"}), Pairs("xv")), "xv"),
    "V": Kind(Shaped(entries.SideBySide("5", others={"10"}), Pairs("xv")), "xv"),
    "GreaterThan": Kind(own.Greater("gt"), "greater-than"),
    "Thermo": Kind(Shaped(entries.Cells(), Lines("thermo")), "thermo"),
    "Whisper": Kind(Shaped(entries.Far("whispers_value"), Lines("whispers", valued=True)), "whispers"),
    "Renban": Kind(Shaped(entries.Cells(), Lines("renban")), "renban"),
    "Modular": Kind(Shaped(entries.Valued("modular_value", least=1), Lines("modular", valued=True)), "modular"),
    "Entropic": Kind(Shaped(entries.Cells(), Lines("entropic")), "entropic"),
    "RegionSumLine": Kind(Shaped(entries.Cells(), Lines("region_sum_line")), "region-sum-line"),
    "Between": Kind(Shaped(entries.Cells(), Lines("between")), "between"),
    "Lockout": Kind(Shaped(entries.Valued("lockout_value", least=1), Lines("lockout", valued=True)), "lockout"),
    "Palindrome": Kind(Shaped(entries.Cells(), Lines("palindrome")), "palindrome"),
    "Zipper": Kind(Shaped(entries.Cells(), Lines("zipper")), "zipper"),
    "DoubleArrow": Kind(Shaped(entries.Cells(), Lines("double_arrow")), "double-arrow"),
    "ValueIndexing": Kind(Shaped(entries.Cells(), Lines("value_index")), "value-index"),
    "Lunchbox": Kind(Shaped(entries.Valued(), Lines("lunchbox", valued=True)), "lunchbox"),
    "SumLine": Kind(own.LineInParts("sum_line"), "sum-line"),
    "Arrow": Kind(Shaped(entries.Arrow(), Arrows("arrow", "pill_arrow")), "arrow"),
    "PillArrow": Kind(Shaped(entries.Pill(), Arrows("arrow", "pill_arrow")), "pill-arrow"),
    "Quad": Kind(Shaped(entries.Corner(), Corners("quadruple")), "quadruple"),
    "LittleKiller": Kind(Shaped(entries.Diagonal(), Diagonals("little_killer")), "little-killer"),
    "Sandwich": Kind(Shaped(entries.OneEnd(), LineClues("sandwich")), "sandwich"),
    "XSum": Kind(Shaped(entries.BothEnds(), EdgeClues("x_sum")), "x-sum"),
    "Skyscraper": Kind(Shaped(entries.BothEnds(), EdgeClues("skyscraper")), "skyscraper"),
    "HiddenSkyscraper": Kind(Shaped(entries.BothEnds(of_numbers=True), EdgeClues("hidden_skyscraper")), "hidden-skyscraper"),
    "NumberedRoom": Kind(Shaped(entries.BothEnds(), EdgeClues("numbered_room")), "numbered-room"),
    "FullRank": Kind(Shaped(entries.BothEnds(), EdgeClues("full_rank")), "full-rank"),
    "Indexing": Kind(own.OfLines("row_indexer", "column_indexer"), "row-indexer", {"column_indexer": "column-indexer"}),
    "CountingCircles": Kind(own.Marks("counting_circle"), "counting-circles"),
    "SameValues": Kind(own.SetsOfASize("same_values", "chaos_same"), "same-values", {"chaos_same": "chaos-construction"}),
    "EqualSum": Kind(own.Parts("equal_sum_cage"), "equal-sums"),
    "ContainAtLeast": Kind(own.Held("look_at_least"), "look-at-least"),
    "ChaosCount": Kind(own.CountedAround("chaos_count"), "chaos-construction"),
    "Pair": Kind(own.Paired("pair"), "pair"),
    "PairX": Kind(own.Paired("pair", every=True), "pair", written=False),
    "Binary": Kind(own.Paired("pair", swapped=True), "pair", written=False),
    "BinaryX": Kind(own.Paired("pair", every=True, swapped=True), "pair", written=False),
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
DISJOINT_WORD = "DisjointSets"
DISJOINT = ("disjoint-groups",)

PENCILMARKS = ("pencilmarks", "pencilmark")

# Whether a line whose rank is said may read like another; where nothing is said, it may not. The exception for each answer.
RANKED, TIED = "FullRank", "FullRankTies"
TIES = {"any": ("full_rank", "tie"), "only-unclued": None}
TIES_UNSAID = "only-unclued"

# Constraints that mean the same here as there for some numbers only; with other numbers they are not read.
# Regions to be found hold all numbers here, an x-sum never counts past the end of its row, and the later digits of a pill are
# single digits there.
NARROW_ONLY = {
    *("Indexing", "FullRank", "Sandwich", "HiddenSkyscraper", "Diagonal", "XSum"),
    *("ChaosConstruction", "ChaosCount"),
}
FROM_ONE_ONLY = {"Indexing", "FullRank", "AntiTaxicab", "NumberedRoom", "ValueIndexing"}
ONE_TO_NINE_ONLY = {"Entropic", "GlobalEntropy"}
ONE_DIGIT_ONLY = {"PillArrow"}

# Constraints that depend on boxes or regions: on those that the grid is played with, on the shape of the default boxes, and on
# regions having as many cells as there are rows.
BY_REGION = {"RegionSumLine"}
BY_BOX = {"Windoku"}
BY_SIZE = {"ChaosConstruction", "ChaosCount"}
# Regions that are to be found, and the elaboration that finds them.
FOUND_WORD, FOUND = "ChaosConstruction", "chaos-construction"

# Constraints of which a puzzle has one at a place, and which argument is the place.
ONE_AT_A_PLACE = {"Sandwich": 1, "LittleKiller": 1, "Quad": 0}
# The same with a place for each of the two ends of a row or a column.
ONE_AT_AN_END = {"XSum", "Skyscraper", "HiddenSkyscraper", "NumberedRoom", "FullRank"}

# Arguments without any influence on the solutions, by the names of the constraints: all else has to be understood.
_NAMES = re.compile(r"(?<=~)_[^~]*"), "the names of lines, which are separated by an empty argument as well"
_NO_CLUE = re.compile(r"~+$"), "an end without a clue"
MEANINGLESS = {
    **dict.fromkeys(("Pair", "PairX", "Binary", "BinaryX"), _NAMES),
    **dict.fromkeys(ONE_AT_AN_END, _NO_CLUE),
    "Jigsaw": (re.compile(r"^[0-9]+x[0-9]+~"), "the shape, which older versions repeat"),
    **dict.fromkeys(("Priority", "SearchPriority"), (re.compile(r"^.*$"), "the order in which that solver searches")),
}

# Constraints without arguments.
BARE = {*FLAGS, "NoBoxes", DISJOINT_WORD}
# What the reader knows in addition to these tables: the shape, the regions, and what has no meaning at all.
ELSEWHERE = {"", "Shape", "RegionSize", "NoBoxes", "Jigsaw", DISJOINT_WORD, "Priority", "SearchPriority", DIAGONAL_WORD, TIED}
WORDS = {*KINDS, *FLAGS, *ELSEWHERE}
