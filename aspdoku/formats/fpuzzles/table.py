"""The mapping from the keys of f-puzzles' JSON to predicates and elaborations. Data only."""

from __future__ import annotations

from typing import NamedTuple

from aspdoku.formats.shapes import (
    Arrows,
    CellLines,
    CellSets,
    Clones,
    Corners,
    DiagonalSums,
    EdgeClues,
    RowColumnClues,
    Shape,
    SingleCells,
    ValuedPairs,
)


class ConstraintKey(NamedTuple):
    """A key, the shape of its entries, and the elaborations that use the resulting facts.

    together: whether one entry lists all cells, instead of one entry for each
    """

    key: str
    shape: Shape
    elaborations: tuple[str, ...]
    together: bool = False


CONSTRAINTS = [
    ConstraintKey("odd", SingleCells("odd"), ("odd",)),
    ConstraintKey("even", SingleCells("even"), ("even",)),
    ConstraintKey("minimum", SingleCells("minimum"), ("minimum",)),
    ConstraintKey("maximum", SingleCells("maximum"), ("maximum",)),
    ConstraintKey("rowindexer", SingleCells("row_indexer"), ("row-indexer",), together=True),
    ConstraintKey(
        "columnindexer", SingleCells("column_indexer"), ("column-indexer",), together=True
    ),
    ConstraintKey("boxindexer", SingleCells("box_indexer"), ("box-indexer",), together=True),
    ConstraintKey("extraregion", CellSets("extra_region"), ("extra-region",)),
    ConstraintKey("killercage", CellSets("cage", valued=True), ("killer",)),
    ConstraintKey("difference", ValuedPairs("white_dot", default=1), ("white-dots",)),
    ConstraintKey("ratio", ValuedPairs("black_dot", default=2), ("black-dots",)),
    ConstraintKey("xv", ValuedPairs("xv", words={"X": 10, "V": 5}), ("xv",)),
    ConstraintKey("thermometer", CellLines("thermo"), ("thermo",)),
    ConstraintKey("slowthermometer", CellLines("slow_thermo"), ("slow-thermo",)),
    ConstraintKey("palindrome", CellLines("palindrome"), ("palindrome",)),
    ConstraintKey("renban", CellLines("renban"), ("renban",)),
    ConstraintKey("nabner", CellLines("nabner"), ("nabner",)),
    ConstraintKey("whispers", CellLines("whispers", valued=True), ("whispers",)),
    ConstraintKey("regionsumline", CellLines("region_sum_line"), ("region-sum-line",)),
    ConstraintKey("betweenline", CellLines("between"), ("between",)),
    ConstraintKey("lockout", CellLines("lockout"), ("lockout",)),
    ConstraintKey("entropicline", CellLines("entropic"), ("entropic",)),
    ConstraintKey("modularline", CellLines("modular"), ("modular",)),
    ConstraintKey("doublearrow", CellLines("double_arrow"), ("double-arrow",)),
    ConstraintKey("zipperline", CellLines("zipper"), ("zipper",)),
    ConstraintKey("arrow", Arrows("arrow", "pill_arrow"), ("arrow", "pill-arrow")),
    ConstraintKey("littlekillersum", DiagonalSums("little_killer"), ("little-killer",)),
    ConstraintKey("sandwichsum", RowColumnClues("sandwich"), ("sandwich",)),
    ConstraintKey("xsum", EdgeClues("x_sum"), ("x-sum",)),
    ConstraintKey("skyscraper", EdgeClues("skyscraper"), ("skyscraper",)),
    ConstraintKey("clone", Clones("clone"), ("clone",)),
    ConstraintKey("quadruple", Corners("quadruple"), ("quadruple",)),
]

# Rules that are only switched on or off.
FLAGS = {
    "antiknight": "anti-knight",
    "antiking": "anti-king",
    "disjointgroups": "disjoint-groups",
    "nonconsecutive": "negative-white-dots",
}

# The two diagonals have separate keys. The elaboration covers both, so a single diagonal becomes
# the elaboration with an exception for the other one.
DIAGONAL = "diagonal"
DIAGONALS = {"diagonal+": "up", "diagonal-": "down"}

# The values of `negative`: the elaboration, the predicate that lists its values, and the predicate
# of the marks from which these are taken.
NEGATIVES = {
    "ratio": ("negative-black-dots", "negative_black_dot", "black_dot"),
    "xv": ("negative-xv", "", ""),
    "rowindexer": ("negative-row-indexer", "", ""),
    "columnindexer": ("negative-column-indexer", "", ""),
    "boxindexer": ("negative-box-indexer", "", ""),
}

# The candidates that a cell is restricted to.
PENCILMARKS = ("pencilmarks", "pencilmark")

# Regions with more or fewer than n cells are read as entries of this key: no number repeats.
SMALL_REGION = "extraregion"

# Only defined if the regions partition the grid into n regions of n cells.
BY_REGION = {"boxindexer", "regionsumline", "disjointgroups"}
# Defined by thirds of the numbers, on which programs disagree if 3 does not divide the size.
BY_THIRDS = {"entropicline"}

# The keys of the title, the author, the rules in words, and the solution.
TEXTS = ("title", "author", "ruleset", "solution")
# Keys of every document; `size` repeats the number of rows in the grid.
BASIC = {"size", "grid", *TEXTS}
# Keys that do not constrain the puzzle, each with the reason: those of the document, of its cells,
# and of all entries.
COSMETIC = {
    "highlightConflicts": "a setting of the editor",
    "successMessage": "shown to the player at the end",
    "disabledlogic": "a setting of a solver that explains its steps",
    "truecandidatesoptions": "a setting of a solver",
    "fogofwar": "what the player sees at the beginning",
    "foglight": "what the player sees at the beginning",
    "triggereffect": "what the player sees during play",
}
CELL_KEYS = {"value", "given", "region", "givenPencilMarks"}
CELL_COSMETIC = {
    "centerPencilMarks": "the player's",
    "cornerPencilMarks": "the player's",
    "c": "a colour",
    "cArray": "colours",
    "highlight": "a colour",
    "highlightArray": "colours",
}
ENTRY_COSMETIC = {
    "outlineC": "a colour",
    "baseC": "a colour",
    "fontC": "a colour",
    "width": "the size of a drawing",
    "height": "the size of a drawing",
    "size": "the size of a text",
    "angle": "the rotation of a drawing",
    "isNewConstraint": "the origin of a drawing",
    "isLLConstraint": "the origin of a drawing",
    "fromConstraint": "the origin of a drawing",
}
NEGATIVE_COSMETIC = {"foglight": "what the player sees during play"}

# Drawings. They may represent a rule that is only described in words, so they are reported.
DRAWN = {"line", "rectangle", "circle", "text", "cage"}
# An editor adds drawings for the entries of some keys. They carry one of these marks, or the name
# of the key in `fromConstraint`.
DRAWN_FOR = {
    "isNewConstraint": {"renban", "whispers", "slowthermometer", "entropicline"},
    "isLLConstraint": {"lockout"},
}
DRAWN_AS = {"germanwhispers": "whispers", "dutchwhispers": "whispers", "entropic": "entropicline"}
