"""The mapping from the constraints of Interactive Sudoku Solver to predicates and elaborations.

Data only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from aspdoku.formats.iss import arguments, codecs
from aspdoku.formats.iss.codecs import Codec, ShapeCodec
from aspdoku.formats.shapes import (
    Arrows,
    CellLines,
    CellSets,
    Corners,
    DiagonalSums,
    EdgeClues,
    ValuedPairs,
)


class ConstraintType(NamedTuple):
    """A codec of its own, if a constraint has one, and the elaboration that uses the facts.

    others: elaborations for facts of other predicates, by predicate
    written: whether writers use it; one of several names with the same meaning
    """

    own: Codec | None
    elaboration: str
    others: Mapping[str, str] = {}
    written: bool = True

    @property
    def codec(self) -> Codec:
        """The codec of the arguments."""
        return self.own or codecs.codec_of(self.elaboration)


# Each constraint, or the elaboration whose inputs determine its arguments.
_CONSTRAINTS: dict[str, str | ConstraintType] = {
    "Cage": ConstraintType(
        codecs.Cage(
            ShapeCodec(arguments.Summed(), CellSets("cage", valued=True)),
            "sum_cage",
            "extra_region",
        ),
        "killer",
        {
            **dict.fromkeys(("sum_cage", "sum_cage_factor", "sum_cage_value"), "sum-cage"),
            "extra_region": "extra-region",
        },
    ),
    "Sum": ConstraintType(
        codecs.WeightedSum(
            ShapeCodec(arguments.Valued(), CellSets("sum_cage", valued=True)), "sum_cage"
        ),
        "sum-cage",
    ),
    "AllDifferent": ConstraintType(
        codecs.DifferentCells(
            ShapeCodec(arguments.CellList(), CellSets("extra_region")), "chaos_apart"
        ),
        "extra-region",
        {"chaos_apart": "chaos-construction"},
    ),
    "WhiteDot": ConstraintType(
        ShapeCodec(arguments.AdjacentPairs(), ValuedPairs("white_dot", default=1)), "white-dots"
    ),
    "BlackDot": ConstraintType(
        ShapeCodec(arguments.AdjacentPairs(), ValuedPairs("black_dot", default=2)), "black-dots"
    ),
    "X": ConstraintType(
        ShapeCodec(arguments.AdjacentPairs("10", others={"5"}), ValuedPairs("xv")), "xv"
    ),
    "V": ConstraintType(
        ShapeCodec(arguments.AdjacentPairs("5", others={"10"}), ValuedPairs("xv")), "xv"
    ),
    "GreaterThan": ConstraintType(codecs.GreaterThan("gt"), "greater-than"),
    "Thermo": "thermo",
    "Whisper": ConstraintType(
        ShapeCodec(arguments.DefaultValued("whispers_value"), CellLines("whispers", valued=True)),
        "whispers",
    ),
    "Renban": "renban",
    "Modular": ConstraintType(
        ShapeCodec(arguments.Valued("modular_value", least=1), CellLines("modular", valued=True)),
        "modular",
    ),
    "Entropic": "entropic",
    "RegionSumLine": "region-sum-line",
    "Between": "between",
    "Lockout": ConstraintType(
        ShapeCodec(arguments.Valued("lockout_value", least=1), CellLines("lockout", valued=True)),
        "lockout",
    ),
    "Palindrome": "palindrome",
    "Zipper": "zipper",
    "DoubleArrow": "double-arrow",
    "ValueIndexing": "value-index",
    "Lunchbox": "lunchbox",
    "SumLine": ConstraintType(codecs.SumLine("sum_line"), "sum-line"),
    "Arrow": ConstraintType(
        ShapeCodec(arguments.ArrowArguments(), Arrows("arrow", "pill_arrow")), "arrow"
    ),
    "PillArrow": ConstraintType(
        ShapeCodec(arguments.PillArguments(), Arrows("arrow", "pill_arrow")), "pill-arrow"
    ),
    "Quad": ConstraintType(
        codecs.Quad(
            ShapeCodec(arguments.CornerNumbers(), Corners("quadruple")),
            codecs.CountedNumbers("look_at_least"),
        ),
        "quadruple",
        dict.fromkeys(("look_at_least", "look_at_least_count"), "look-at-least"),
    ),
    "LittleKiller": ConstraintType(
        ShapeCodec(arguments.DiagonalClue(), DiagonalSums("little_killer")), "little-killer"
    ),
    "Sandwich": ConstraintType(
        codecs.Sandwich("sandwich", "lunchbox"),
        "sandwich",
        {"lunchbox": "lunchbox", "lunchbox_value": "lunchbox"},
    ),
    "XSum": "x-sum",
    "Skyscraper": "skyscraper",
    "HiddenSkyscraper": ConstraintType(
        ShapeCodec(arguments.BothEnds(of_numbers=True), EdgeClues("hidden_skyscraper")),
        "hidden-skyscraper",
    ),
    "NumberedRoom": "numbered-room",
    "FullRank": "full-rank",
    "Indexing": ConstraintType(
        codecs.Indexers("row_indexer", "column_indexer"),
        "row-indexer",
        {"column_indexer": "column-indexer"},
    ),
    "CountingCircles": ConstraintType(
        codecs.CellGroups("counting_circle", "coloured_circle"), "counting-circles"
    ),
    "SameValues": ConstraintType(
        codecs.EqualSizedSets("same_values", "chaos_same"),
        "same-values",
        {"chaos_same": "chaos-construction"},
    ),
    "EqualSum": ConstraintType(codecs.CellSetGroup("equal_sum_cage"), "equal-sums"),
    "ContainAtLeast": ConstraintType(codecs.CountedNumbers("look_at_least"), "look-at-least"),
    "LookAndSay": ConstraintType(codecs.LookAndSay("look_and_say"), "look-and-say"),
    "ContainExact": ConstraintType(
        codecs.CountedNumbers("look_and_say"), "look-and-say", written=False
    ),
    "RellikCage": "rellik",
    "EqualityCage": "equality",
    "CountDistinct": ConstraintType(
        codecs.DistinctNumbers(
            ShapeCodec(arguments.CellList(), CellLines("count_distinct")), "chaos_distinct"
        ),
        "count-distinct",
        {"chaos_distinct": "chaos-construction"},
    ),
    "ChaosCount": ConstraintType(codecs.RegionCount("chaos_count"), "chaos-construction"),
    "ChaosArrow": ConstraintType(
        codecs.RegionArrows("chaos_arrow", "chaos_offset"), "chaos-construction"
    ),
    "ConnectedValues": ConstraintType(codecs.ConnectedSets("connected"), "connected"),
    "Pair": ConstraintType(codecs.PairTable("pair"), "pair"),
    "PairX": ConstraintType(codecs.PairTable("pair", every=True), "pair", written=False),
    "Binary": ConstraintType(codecs.PairTable("pair", swapped=True), "pair", written=False),
    "BinaryX": ConstraintType(
        codecs.PairTable("pair", every=True, swapped=True), "pair", written=False
    ),
    "NFA": ConstraintType(codecs.AutomatonLines("automaton"), "automaton"),
    "Regex": ConstraintType(
        codecs.AutomatonLines("automaton", expression=True), "automaton", written=False
    ),
}

CONSTRAINTS = {
    word: ConstraintType(None, kind) if isinstance(kind, str) else kind
    for word, kind in _CONSTRAINTS.items()
}

# Rules that are only switched on or off.
FLAGS = {
    "AntiKnight": ("anti-knight",),
    "AntiKing": ("anti-king",),
    "AntiConsecutive": ("nonconsecutive",),
    "AntiTaxicab": ("self-taxicab",),
    "GlobalEntropy": ("global-entropy",),
    "GlobalMod": ("global-mod",),
    "DutchFlatmates": ("dutch-flatmates",),
    "Windoku": ("windoku",),
    "StrictKropki": ("negative-white-dots", "negative-black-dots"),
    "StrictXV": ("negative-xv",),
    "ChaosConstruction": ("chaos-construction",),
}

# The elaboration covers both diagonals, so a single one becomes the elaboration with an exception
# for the other one.
DIAGONAL_WORD = "Diagonal"
DIAGONAL = "diagonal"
DIAGONALS = {"1": "up", "-1": "down"}

# Boxes one cell away from the edges and from each other.
WINDOWS_WORD = "Windoku"

# A set of cells without repeated numbers.
DIFFERENT_WORD = "AllDifferent"
DIFFERENT = ("extra-region", "extra_region")

# The largest regions contain the same numbers, which matters only if there are more numbers than
# cells in a region; the name of the group that they are.
SAME_IN_REGIONS, SAME_GROUP = "RegionSameValues", "regions"
SAME = ("same-values", "same_values")

# Cells outside the grid: the constraint that declares them, with a prefix, a label, and how many.
EXTRA_WORD, EXTRA = "Var", "V"

# Rows, columns and boxes that lack a number, in this order: the name of the cells for the missing
# numbers, the kind of these houses, and the elaboration and the predicate for them.
MISSING_WORD = "Doppelganger"
MISSING_CELLS = {"DGC": "row", "DGR": "column", "DGB": "box"}
MISSING = ("doppelganger", "doppelganger")
EXTRA_CELL = ("extra-cell", "extra_cell")

# The group of all extra cells, as it is written.
EXTRA_GROUP = "A"

# The name of the grid as a part of a field, and the type of one without rows and columns.
GRID, RAW = "grid", "Raw"

# Cells at the same position in their boxes differ.
DISJOINT_WORD = "DisjointSets"
DISJOINT = ("disjoint-groups",)

PENCILMARKS = ("pencilmarks", "pencilmark")

# The elaboration and the predicate for blocks of alternatives. A given in one of them is a sum, a
# sandwich is a lunchbox, and circles are a group, since exceptions name clues.
EITHER = ("either", "either")
SUM_WORD = "Sum"
IN_BLOCKS = CONSTRAINTS | {
    "Sandwich": CONSTRAINTS["Sandwich"]._replace(
        own=codecs.Sandwich("sandwich", "lunchbox", named=True), elaboration="lunchbox"
    ),
    "CountingCircles": CONSTRAINTS["CountingCircles"]._replace(
        own=codecs.CellGroups("counting_circle", "coloured_circle", named=True)
    ),
}
# Marks that cannot be in a block with another constraint, for which it matters where marks are.
UNDEFINED_IN_BLOCKS = {
    **dict.fromkeys(("WhiteDot", "BlackDot"), "StrictKropki"),
    **dict.fromkeys(("X", "V"), "StrictXV"),
}

# Whether a line with a rank clue may equal another line, by default not; the exception for each
# value.
RANKED, TIED = "FullRank", "FullRankTies"
TIES = {"any": ("full_rank", "tie"), "only-unclued": None}
TIES_DEFAULT = "only-unclued"
# The value for no equal lines at all, with or without ranks, and its elaboration.
TIES_NONE, NO_TIES = "none", "no-ties"

# Constraints with the same meaning as our rules for some numbers only; with other numbers they are
# reported. In our rules, regions to be found contain all numbers; in that solver, the later digits
# of a pill are single digits.
NARROW_ONLY = {"FullRank", "ChaosConstruction", "ChaosCount", "ChaosArrow"}
FROM_ONE_ONLY = {"AntiTaxicab"}
ONE_TO_NINE_ONLY = {"Entropic", "GlobalEntropy", "DutchFlatmates"}
ONE_DIGIT_ONLY = {"PillArrow"}

# Constraints that depend on the regions of the grid, on the shape of the default boxes, and on
# regions having as many cells as there are rows.
BY_REGION = {"RegionSumLine"}
BY_BOX = {WINDOWS_WORD}
BY_SIZE = {"ChaosConstruction", "ChaosCount", "ChaosArrow"}
# Regions to be found, and the elaboration that finds them.
FOUND_WORD, FOUND = "ChaosConstruction", "chaos-construction"

# Constraints that only square grids can have.
SQUARE_ONLY = {DIAGONAL_WORD, WINDOWS_WORD, "FullRank", "FullRankTies"}

# Constraints that a grid without rows and columns, of the type Raw, cannot have.
HOUSES_ONLY = {
    *("Jigsaw", "NoBoxes", "RegionSize", SAME_IN_REGIONS, DISJOINT_WORD, MISSING_WORD),
    *("ChaosConstruction", "Windoku", "AntiKnight", "AntiKing", "FullRankTies", "Diagonal"),
    "Indexing",
}

# Constraints with at most one clue per place, and the index of the argument with the place.
ONE_AT_A_PLACE = {"Sandwich": 1, "LittleKiller": 1, "Quad": 0}
# The same with one place at each end of a row or column.
ONE_AT_AN_END = {"XSum", "Skyscraper", "HiddenSkyscraper", "NumberedRoom", "FullRank"}
# Constraints with a place outside the grid.
OUTSIDE = {*ONE_AT_AN_END, "Sandwich", "LittleKiller"}
# Those that are about rows and columns in which no number occurs twice.
WITHOUT_REPEATS = {"Sandwich", "Skyscraper", "HiddenSkyscraper", "FullRank"}
# Constraints of which several in one cell are reported, because our rule adds up what they count;
# a single arrow counts by itself.
ONE_IN_A_CELL = {"ChaosCount", "ChaosArrow"}
SEVERAL_IN_A_CELL = {
    "ChaosArrow": CONSTRAINTS["ChaosArrow"]._replace(
        own=codecs.RegionArrows("chaos_arrow", "chaos_offset", alone=True)
    )
}

# Arguments without any effect on the solutions, by constraint: everything else must be supported.
_NAMES = (
    re.compile(r"(?<=~)_[^~]*"),
    "the names of lines, which are separated by an empty argument as well",
)
_NO_CLUE = re.compile(r"~+$"), "an end without a clue"
MEANINGLESS = {
    **dict.fromkeys(("Pair", "PairX", "Binary", "BinaryX", "NFA"), _NAMES),
    **dict.fromkeys(ONE_AT_AN_END, _NO_CLUE),
    EXTRA_WORD: (re.compile(r"(?<=~)[^~]+(?=~)"), "the label of extra cells"),
    "Jigsaw": (re.compile(r"^[0-9]+x[0-9]+~"), "the shape, which older versions repeat"),
    **dict.fromkeys(
        ("Priority", "SearchPriority"),
        (re.compile(r"^.*$"), "the order in which that solver searches"),
    ),
}

# Constraints without codecs.
WITHOUT_ARGUMENTS = {*FLAGS, "NoBoxes", DISJOINT_WORD, SAME_IN_REGIONS, MISSING_WORD}
# Names that the reader handles itself: the shape, the regions, and names without any effect.
HANDLED_ELSEWHERE = {
    "",
    "Shape",
    "RegionSize",
    "NoBoxes",
    "Jigsaw",
    DISJOINT_WORD,
    SAME_IN_REGIONS,
    EXTRA_WORD,
    MISSING_WORD,
    "Priority",
    "SearchPriority",
    DIAGONAL_WORD,
    TIED,
}
WORDS = {*CONSTRAINTS, *FLAGS, *HANDLED_ELSEWHERE}
