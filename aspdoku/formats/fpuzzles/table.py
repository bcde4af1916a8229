"""The mapping from the keys of f-puzzles' JSON to predicates and elaborations. Data only."""

from __future__ import annotations

from typing import NamedTuple

from aspdoku.formats.shapes import CellLines, ClueShape, rule_of, shape_of

# The elaboration of each key. Its inputs determine the shape of the entries.
_RULES = {
    "odd": "odd",
    "even": "even",
    "minimum": "minimum",
    "maximum": "maximum",
    "rowindexer": "row-indexer",
    "columnindexer": "column-indexer",
    "boxindexer": "box-indexer",
    "extraregion": "extra-region",
    "killercage": "killer",
    "difference": "white-dots",
    "ratio": "black-dots",
    "xv": "xv",
    "thermometer": "thermo",
    "slowthermometer": "slow-thermo",
    "palindrome": "palindrome",
    "renban": "renban",
    "nabner": "nabner",
    "whispers": "whispers",
    "regionsumline": "region-sum-line",
    "betweenline": "between",
    "lockout": "lockout",
    "entropicline": "entropic",
    "modularline": "modular",
    "doublearrow": "double-arrow",
    "zipperline": "zipper",
    "arrow": "arrow",
    "littlekillersum": "little-killer",
    "sandwichsum": "sandwich",
    "xsum": "x-sum",
    "skyscraper": "skyscraper",
    "clone": "clone",
    "quadruple": "quadruple",
}
# Lines that have no value here.
_SHAPES: dict[str, ClueShape] = {
    "lockout": CellLines("lockout"),
    "modularline": CellLines("modular"),
}
# Keys of which one entry lists all cells, instead of one entry for each.
TOGETHER = {"rowindexer", "columnindexer", "boxindexer"}


class ConstraintKey(NamedTuple):
    """A key, its rule, and the shape of its entries."""

    key: str
    rule: str
    shape: ClueShape

    @property
    def rules(self) -> set[str]:
        """The elaborations that use the facts of the entries."""
        return {rule_of(signature, self.rule) for signature in self.shape.signatures}


CONSTRAINTS = [
    ConstraintKey(key, rule, _SHAPES.get(key) or shape_of(rule)) for key, rule in _RULES.items()
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

# What the entries of a key look like: the kind of drawn element, and its colour unless an entry of
# `line` that repeats its lines states another.
LOOKS = {
    "odd": ("circle", "#ccc"),
    "even": ("square", "#ccc"),
    **dict.fromkeys(("minimum", "maximum", "clone"), ("shade", "#ccc")),
    **dict.fromkeys(("rowindexer", "columnindexer", "boxindexer"), ("shade", "#ccc")),
    "extraregion": ("region", "#ccc"),
    "killercage": ("cage", ""),
    "difference": ("dot", "#fff"),
    "ratio": ("dot", "#000"),
    "xv": ("sign", ""),
    **dict.fromkeys(("thermometer", "slowthermometer"), ("thermo", "#ccc")),
    "arrow": ("arrow", "#ccc"),
    **dict.fromkeys(("palindrome", "betweenline", "doublearrow", "zipperline"), ("line", "#ccc")),
    **dict.fromkeys(("renban", "nabner"), ("line", "#f067f0")),
    "whispers": ("line", "#67f067"),
    "regionsumline": ("line", "#2ecbff"),
    "lockout": ("line", "#2ecbff"),
    "entropicline": ("line", "#fca"),
    "modularline": ("line", "#3bb"),
    **dict.fromkeys(("littlekillersum", "sandwichsum", "xsum", "skyscraper"), ("outside", "")),
    "quadruple": ("corner", "#fff"),
}
# White figures at both ends of the lines of a key.
ENDS = {"betweenline": "circle", "doublearrow": "circle", "lockout": "diamond"}
