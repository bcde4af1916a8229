"""The mapping from the constraints of Interactive Sudoku Solver to predicates and elaborations.

Data only.
"""

from __future__ import annotations

import re

from aspdoku.formats.iss import clues, codecs
from aspdoku.formats.iss.clues import Codec

# Each constraint; a rule stands for its cells, after their value if it has one.
_CONSTRAINTS: dict[str, str | Codec] = {
    "Cage": clues.Cage("killer", optional=True),
    "Sum": clues.WeightedSum("sum-cage"),
    "AllDifferent": "extra-region",
    "WhiteDot": clues.Pairs("white-dots"),
    "BlackDot": clues.Pairs("black-dots"),
    "X": clues.Pairs("xv", "X"),
    "V": clues.Pairs("xv", "V"),
    "GreaterThan": clues.Pairs("greater-than"),
    "Thermo": "thermo",
    "Whisper": clues.Cells("whispers", default="5"),
    "Renban": "renban",
    "Modular": clues.Cells("modular", least=1),
    "Entropic": "entropic",
    "RegionSumLine": "region-sum-line",
    "Between": "between",
    "Lockout": clues.Cells("lockout", least=1),
    "Palindrome": "palindrome",
    "Zipper": "zipper",
    "DoubleArrow": "double-arrow",
    "ValueIndexing": "value-index",
    "Lunchbox": "lunchbox",
    "SumLine": codecs.SumLine("sum-line"),
    "Arrow": clues.Arrow("arrow"),
    "PillArrow": clues.Arrow("pill-arrow", pill=True),
    "Quad": codecs.Quad("quadruple"),
    "LittleKiller": clues.DiagonalSum("little-killer"),
    "Sandwich": clues.Sandwich("sandwich"),
    "XSum": clues.Ends("x-sum"),
    "Skyscraper": clues.Ends("skyscraper"),
    "HiddenSkyscraper": clues.Ends("hidden-skyscraper", of_numbers=True),
    "NumberedRoom": clues.Ends("numbered-room"),
    "FullRank": clues.Ends("full-rank"),
    "Indexing": codecs.Indexers("row-indexer"),
    "CountingCircles": codecs.Circles("counting-circles"),
    "SameValues": codecs.EqualSizedSets("same-values"),
    "EqualSum": codecs.CellSetGroup("equal-sums"),
    "ContainAtLeast": codecs.CountedNumbers("look-at-least"),
    "LookAndSay": codecs.CountedNumbers("look-and-say", pairs=True),
    "ContainExact": codecs.CountedNumbers("look-and-say", written=False),
    "RellikCage": "rellik",
    "EqualityCage": "equality",
    "CountDistinct": "count-distinct",
    "ChaosCount": codecs.RegionCount("chaos-count"),
    "ChaosArrow": codecs.RegionArrows("chaos-arrow"),
    "ConnectedValues": codecs.ConnectedSets("connected"),
    "Pair": codecs.PairTable("pair"),
    "PairX": codecs.PairTable("pair", every=True, written=False),
    "Binary": codecs.PairTable("pair", swapped=True, written=False),
    "BinaryX": codecs.PairTable("pair", every=True, swapped=True, written=False),
    "NFA": codecs.AutomatonLines("automaton"),
    "Regex": codecs.AutomatonLines("automaton", expression=True, written=False),
}
CONSTRAINTS = {
    word: clues.Cells(kind) if isinstance(kind, str) else kind
    for word, kind in _CONSTRAINTS.items()
}
# The same words with the regions of cells in place of the cells.
OF_REGIONS: dict[str, Codec] = {
    "AllDifferent": codecs.DifferentRegions("chaos-apart"),
    "SameValues": codecs.SameRegions("chaos-same"),
    "CountDistinct": codecs.DistinctRegions("chaos-distinct"),
}
# The rules with clues about regions that are to be found.
ABOUT_REGIONS = frozenset(
    codec.rule
    for codec in (*OF_REGIONS.values(), CONSTRAINTS["ChaosCount"], CONSTRAINTS["ChaosArrow"])
)

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

DIAGONAL_WORD = "Diagonal"
DIAGONALS = {"1": "up", "-1": "down"}

# Boxes one cell away from the edges and from each other.
WINDOWS_WORD = "Windoku"

# A set of cells without repeated numbers.
DIFFERENT = ("extra-region", "extra_region")

# The largest regions contain the same numbers, which matters only if there are more numbers than
# cells in a region; the name of the group that they are.
SAME_IN_REGIONS, SAME_GROUP = "RegionSameValues", "regions"
SAME = ("same-values", "same_values")

# The constraint that declares cells outside the grid, with a prefix, a label, and how many.
EXTRA_WORD = "Var"

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

# The elaboration and the predicate for blocks of alternatives. A given in one of them is a sum, a
# sandwich is a lunchbox, and circles are a group, since exceptions name clues.
EITHER = ("either", "either")
SUM_WORD = "Sum"
IN_BLOCKS = CONSTRAINTS | {
    "Sandwich": clues.Sandwich("lunchbox"),
    "CountingCircles": codecs.Circles("counting-circles", named=True),
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
# Regions to be found.
FOUND_WORD = "ChaosConstruction"

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
SEVERAL_IN_A_CELL = {"ChaosArrow": codecs.RegionArrows("chaos-arrow", alone=True)}

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
