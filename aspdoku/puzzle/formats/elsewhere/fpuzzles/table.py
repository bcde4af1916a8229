"""What the keys of f-puzzles' JSON mean: the map from their names to predicates and elaborations. Data, and nothing else."""

from __future__ import annotations

from typing import NamedTuple

from aspdoku.puzzle.formats.elsewhere.fpuzzles.clues import Arrows, Clones, Corners, Diagonals, EdgeClues, LineClues
from aspdoku.puzzle.formats.elsewhere.fpuzzles.shapes import Groups, Lines, Marks, Pairs, Shape


class Kind(NamedTuple):
    """What a key holds: entries of a shape, and the elaborations that read the facts which they become."""

    key: str
    shape: Shape
    elaborations: tuple[str, ...]


KINDS = [
    Kind("odd", Marks("odd"), ("odd",)),
    Kind("even", Marks("even"), ("even",)),
    Kind("minimum", Marks("minimum"), ("minimum",)),
    Kind("maximum", Marks("maximum"), ("maximum",)),
    Kind("rowindexer", Marks("row_indexer", together=True), ("row-indexer",)),
    Kind("columnindexer", Marks("column_indexer", together=True), ("column-indexer",)),
    Kind("boxindexer", Marks("box_indexer", together=True), ("box-indexer",)),
    Kind("extraregion", Groups("extra_region"), ("extra-region",)),
    Kind("killercage", Groups("cage", valued=True), ("killer",)),
    Kind("difference", Pairs("white_dot", default=1), ("white-dots",)),
    Kind("ratio", Pairs("black_dot", default=2), ("black-dots",)),
    Kind("xv", Pairs("xv", words={"X": 10, "V": 5}), ("xv",)),
    Kind("thermometer", Lines("thermo"), ("thermo",)),
    Kind("slowthermometer", Lines("slow_thermo"), ("slow-thermo",)),
    Kind("palindrome", Lines("palindrome"), ("palindrome",)),
    Kind("renban", Lines("renban"), ("renban",)),
    Kind("nabner", Lines("nabner"), ("nabner",)),
    Kind("whispers", Lines("whispers", valued=True), ("whispers",)),
    Kind("regionsumline", Lines("region_sum_line"), ("region-sum-line",)),
    Kind("betweenline", Lines("between"), ("between",)),
    Kind("lockout", Lines("lockout"), ("lockout",)),
    Kind("entropicline", Lines("entropic"), ("entropic",)),
    Kind("modularline", Lines("modular"), ("modular",)),
    Kind("doublearrow", Lines("double_arrow"), ("double-arrow",)),
    Kind("zipperline", Lines("zipper"), ("zipper",)),
    Kind("arrow", Arrows("arrow", "pill_arrow"), ("arrow", "pill-arrow")),
    Kind("littlekillersum", Diagonals("little_killer"), ("little-killer",)),
    Kind("sandwichsum", LineClues("sandwich"), ("sandwich",)),
    Kind("xsum", EdgeClues("x_sum"), ("x-sum",)),
    Kind("skyscraper", EdgeClues("skyscraper"), ("skyscraper",)),
    Kind("clone", Clones("clone"), ("clone",)),
    Kind("quadruple", Corners("quadruple"), ("quadruple",)),
]

# Rules that are just on or off.
FLAGS = {
    "antiknight": "anti-knight",
    "antiking": "anti-king",
    "disjointgroups": "disjoint-groups",
    "nonconsecutive": "negative-white-dots",
}

# Each of the two diagonals by itself: the elaboration has both, and the other one is an exception from it.
DIAGONAL = "diagonal"
DIAGONALS = {"diagonal+": "up", "diagonal-": "down"}

# What `negative` says: the elaboration, and the predicate for each value that the marks of this kind have.
NEGATIVES = {"ratio": ("negative-black-dots", "negative_black_dot", "black_dot"), "xv": ("negative-xv", "", "")}

# The marks of a cell that its player has to choose from.
PENCILMARKS = ("pencilmarks", "pencilmark")

# A region that holds another number of cells than the grid has rows holds no number twice: it is one of these.
SMALL_REGION = "extraregion"

# What is about the puzzle as such, the way it is shown, or the state of the one who plays it.
COSMETIC = {
    *("size", "grid", "title", "author", "ruleset", "highlightConflicts", "solution", "successMessage"),
    *("disabledlogic", "truecandidatesoptions", "fogofwar", "foglight", "triggereffect"),
}
CELL_KEYS = {"value", "given", "region", "givenPencilMarks"}
CELL_COSMETIC = {"centerPencilMarks", "cornerPencilMarks", "c", "cArray", "highlight", "highlightArray"}
ENTRY_COSMETIC = {
    *("outlineC", "baseC", "fontC", "width", "height", "size", "angle"),
    *("isNewConstraint", "fromConstraint", "isLLConstraint"),
}

# What is drawn by hand. Such a drawing may stand for a rule that is said in words only, so it is told.
DRAWN = {"line": "line", "rectangle": "rectangle", "circle": "circle", "text": "text", "cage": "cage"}
DRAWN_FOR = ("fromConstraint", "isNewConstraint", "isLLConstraint")  # a drawing that some other key explains
