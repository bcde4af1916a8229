"""What the keys of f-puzzles' JSON mean: the map from their names to predicates and elaborations.

Data, and nothing else.
"""

from __future__ import annotations

from typing import NamedTuple

from aspdoku.formats.fpuzzles.clues import (
    Arrows,
    Clones,
    Corners,
    DiagonalSums,
    EdgeClues,
    RowColumnClues,
)
from aspdoku.formats.fpuzzles.shapes import CellLines, CellSets, Shape, SingleCells, ValuedPairs


class ConstraintKey(NamedTuple):
    """What a key holds.

    Entries of a shape, and the elaborations that read the facts which they become.
    """

    key: str
    shape: Shape
    elaborations: tuple[str, ...]


CONSTRAINTS = [
    ConstraintKey("odd", SingleCells("odd"), ("odd",)),
    ConstraintKey("even", SingleCells("even"), ("even",)),
    ConstraintKey("minimum", SingleCells("minimum"), ("minimum",)),
    ConstraintKey("maximum", SingleCells("maximum"), ("maximum",)),
    ConstraintKey("rowindexer", SingleCells("row_indexer", together=True), ("row-indexer",)),
    ConstraintKey(
        "columnindexer", SingleCells("column_indexer", together=True), ("column-indexer",)
    ),
    ConstraintKey("boxindexer", SingleCells("box_indexer", together=True), ("box-indexer",)),
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

# Rules that are just on or off.
FLAGS = {
    "antiknight": "anti-knight",
    "antiking": "anti-king",
    "disjointgroups": "disjoint-groups",
    "nonconsecutive": "negative-white-dots",
}

# Each of the two diagonals by itself: the elaboration has both, and the other one is an exception
# from it.
DIAGONAL = "diagonal"
DIAGONALS = {"diagonal+": "up", "diagonal-": "down"}

# What `negative` says: the elaboration, and the predicate for each value that the marks of this
# kind have.
NEGATIVES = {
    "ratio": ("negative-black-dots", "negative_black_dot", "black_dot"),
    "xv": ("negative-xv", "", ""),
}

# The marks of a cell that its player has to choose from.
PENCILMARKS = ("pencilmarks", "pencilmark")

# A region that holds another number of cells than the grid has rows holds no number twice: it is
# one of these.
SMALL_REGION = "extraregion"

# Read with regions, which have to divide the grid: n of n cells each.
BY_REGION = {"boxindexer", "regionsumline", "disjointgroups"}
# Read with thirds of the numbers. Programs disagree on them if the size is not a multiple of 3.
BY_THIRDS = {"entropicline"}

# What every document has; the size repeats the number of rows in the grid.
BASIC = {"size", "grid", "title", "author"}
# Keys that do not constrain the puzzle, each with the reason: those of the document, of its cells,
# and of all entries.
COSMETIC = {
    "ruleset": "the rules in words, for people",
    "highlightConflicts": "a setting of the editor",
    "solution": "for checking the player's answer",
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

# What is drawn by hand. Such a drawing may stand for a rule that is said in words only, so it is
# told.
DRAWN = {"line", "rectangle", "circle", "text", "cage"}
# An editor adds drawings for the entries of some keys. They carry one of these marks, or the name
# of the key in `fromConstraint`.
DRAWN_FOR = {
    "isNewConstraint": {"renban", "whispers", "slowthermometer", "entropicline"},
    "isLLConstraint": {"lockout"},
}
DRAWN_AS = {"germanwhispers": "whispers", "dutchwhispers": "whispers", "entropic": "entropicline"}
