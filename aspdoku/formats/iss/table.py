"""What the constraints of Interactive Sudoku Solver mean.

The map between their names, and facts and elaborations. Data only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from aspdoku.formats.fpuzzles.clues import Arrows, Corners, Diagonals, EdgeClues, LineClues
from aspdoku.formats.fpuzzles.shapes import Groups, Lines, Pairs
from aspdoku.formats.iss import arguments, codecs
from aspdoku.formats.iss.arguments import Reading, Shaped


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
    "Cage": Kind(Shaped(codecs.Summed(), Groups("cage", valued=True)), "killer"),
    "Sum": Kind(Shaped(codecs.Valued(), Groups("sum_cage", valued=True)), "sum-cage"),
    "AllDifferent": Kind(Shaped(codecs.Cells(), Groups("extra_region")), "extra-region"),
    "WhiteDot": Kind(Shaped(codecs.SideBySide(), Pairs("white_dot", default=1)), "white-dots"),
    "BlackDot": Kind(Shaped(codecs.SideBySide(), Pairs("black_dot", default=2)), "black-dots"),
    "X": Kind(Shaped(codecs.SideBySide("10", others={"5"}), Pairs("xv")), "xv"),
    "V": Kind(Shaped(codecs.SideBySide("5", others={"10"}), Pairs("xv")), "xv"),
    "GreaterThan": Kind(arguments.Greater("gt"), "greater-than"),
    "Thermo": Kind(Shaped(codecs.Cells(), Lines("thermo")), "thermo"),
    "Whisper": Kind(
        Shaped(codecs.Far("whispers_value"), Lines("whispers", valued=True)), "whispers"
    ),
    "Renban": Kind(Shaped(codecs.Cells(), Lines("renban")), "renban"),
    "Modular": Kind(
        Shaped(codecs.Valued("modular_value", least=1), Lines("modular", valued=True)), "modular"
    ),
    "Entropic": Kind(Shaped(codecs.Cells(), Lines("entropic")), "entropic"),
    "RegionSumLine": Kind(Shaped(codecs.Cells(), Lines("region_sum_line")), "region-sum-line"),
    "Between": Kind(Shaped(codecs.Cells(), Lines("between")), "between"),
    "Lockout": Kind(
        Shaped(codecs.Valued("lockout_value", least=1), Lines("lockout", valued=True)), "lockout"
    ),
    "Palindrome": Kind(Shaped(codecs.Cells(), Lines("palindrome")), "palindrome"),
    "Zipper": Kind(Shaped(codecs.Cells(), Lines("zipper")), "zipper"),
    "DoubleArrow": Kind(Shaped(codecs.Cells(), Lines("double_arrow")), "double-arrow"),
    "ValueIndexing": Kind(Shaped(codecs.Cells(), Lines("value_index")), "value-index"),
    "Lunchbox": Kind(Shaped(codecs.Valued(), Lines("lunchbox", valued=True)), "lunchbox"),
    "SumLine": Kind(arguments.LineInParts("sum_line"), "sum-line"),
    "Arrow": Kind(Shaped(codecs.Arrow(), Arrows("arrow", "pill_arrow")), "arrow"),
    "PillArrow": Kind(Shaped(codecs.Pill(), Arrows("arrow", "pill_arrow")), "pill-arrow"),
    "Quad": Kind(Shaped(codecs.Corner(), Corners("quadruple")), "quadruple"),
    "LittleKiller": Kind(Shaped(codecs.Diagonal(), Diagonals("little_killer")), "little-killer"),
    "Sandwich": Kind(Shaped(codecs.OneEnd(), LineClues("sandwich")), "sandwich"),
    "XSum": Kind(Shaped(codecs.BothEnds(), EdgeClues("x_sum")), "x-sum"),
    "Skyscraper": Kind(Shaped(codecs.BothEnds(), EdgeClues("skyscraper")), "skyscraper"),
    "HiddenSkyscraper": Kind(
        Shaped(codecs.BothEnds(of_numbers=True), EdgeClues("hidden_skyscraper")),
        "hidden-skyscraper",
    ),
    "NumberedRoom": Kind(Shaped(codecs.BothEnds(), EdgeClues("numbered_room")), "numbered-room"),
    "FullRank": Kind(Shaped(codecs.BothEnds(), EdgeClues("full_rank")), "full-rank"),
    "Indexing": Kind(
        arguments.OfLines("row_indexer", "column_indexer"),
        "row-indexer",
        {"column_indexer": "column-indexer"},
    ),
    "CountingCircles": Kind(arguments.Marks("counting_circle"), "counting-circles"),
    "SameValues": Kind(
        arguments.SetsOfASize("same_values", "chaos_same"),
        "same-values",
        {"chaos_same": "chaos-construction"},
    ),
    "EqualSum": Kind(arguments.Parts("equal_sum_cage"), "equal-sums"),
    "ContainAtLeast": Kind(arguments.Held("look_at_least"), "look-at-least"),
    "ChaosCount": Kind(arguments.CountedAround("chaos_count"), "chaos-construction"),
    "Pair": Kind(arguments.Paired("pair"), "pair"),
    "PairX": Kind(arguments.Paired("pair", every=True), "pair", written=False),
    "Binary": Kind(arguments.Paired("pair", swapped=True), "pair", written=False),
    "BinaryX": Kind(arguments.Paired("pair", every=True, swapped=True), "pair", written=False),
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

# Each of the two diagonals by itself: the elaboration has both, and the other one is an exception
# from it.
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

# Whether a line whose rank is said may read like another; where nothing is said, it may not. The
# exception for each answer.
RANKED, TIED = "FullRank", "FullRankTies"
TIES = {"any": ("full_rank", "tie"), "only-unclued": None}
TIES_UNSAID = "only-unclued"

# Constraints that mean the same here as there for some numbers only; with other numbers they are
# not read. Regions to be found hold all numbers here, an x-sum never counts past the end of its
# row, and the later digits of a pill are single digits there.
NARROW_ONLY = {
    *("Indexing", "FullRank", "Sandwich", "HiddenSkyscraper", "Diagonal", "XSum"),
    *("ChaosConstruction", "ChaosCount"),
}
FROM_ONE_ONLY = {"Indexing", "FullRank", "AntiTaxicab", "NumberedRoom", "ValueIndexing"}
ONE_TO_NINE_ONLY = {"Entropic", "GlobalEntropy"}
ONE_DIGIT_ONLY = {"PillArrow"}

# Constraints that depend on boxes or regions: on those that the grid is played with, on the shape
# of the default boxes, and on regions having as many cells as there are rows.
BY_REGION = {"RegionSumLine"}
BY_BOX = {"Windoku"}
BY_SIZE = {"ChaosConstruction", "ChaosCount"}
# Regions that are to be found, and the elaboration that finds them.
FOUND_WORD, FOUND = "ChaosConstruction", "chaos-construction"

# Constraints of which a puzzle has one at a place, and which argument is the place.
ONE_AT_A_PLACE = {"Sandwich": 1, "LittleKiller": 1, "Quad": 0}
# The same with a place for each of the two ends of a row or a column.
ONE_AT_AN_END = {"XSum", "Skyscraper", "HiddenSkyscraper", "NumberedRoom", "FullRank"}

# Arguments without any influence on the solutions, by the names of the constraints: all else has to
# be understood.
_NAMES = (
    re.compile(r"(?<=~)_[^~]*"),
    "the names of lines, which are separated by an empty argument as well",
)
_NO_CLUE = re.compile(r"~+$"), "an end without a clue"
MEANINGLESS = {
    **dict.fromkeys(("Pair", "PairX", "Binary", "BinaryX"), _NAMES),
    **dict.fromkeys(ONE_AT_AN_END, _NO_CLUE),
    "Jigsaw": (re.compile(r"^[0-9]+x[0-9]+~"), "the shape, which older versions repeat"),
    **dict.fromkeys(
        ("Priority", "SearchPriority"),
        (re.compile(r"^.*$"), "the order in which that solver searches"),
    ),
}

# Constraints without arguments.
BARE = {*FLAGS, "NoBoxes", DISJOINT_WORD}
# What the reader knows in addition to these tables: the shape, the regions, and what has no meaning
# at all.
ELSEWHERE = {
    "",
    "Shape",
    "RegionSize",
    "NoBoxes",
    "Jigsaw",
    DISJOINT_WORD,
    "Priority",
    "SearchPriority",
    DIAGONAL_WORD,
    TIED,
}
WORDS = {*KINDS, *FLAGS, *ELSEWHERE}
