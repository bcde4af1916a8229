"""The mapping from the keys of f-puzzles' JSON to predicates and elaborations: `table.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

from aspdoku.formats.shapes import CellLines, ClueShape, rule_of, shape_of

_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
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
    ConstraintKey(key, rule, _SHAPES.get(key) or shape_of(rule))
    for key, rule in _DATA["rules"].items()
]
FLAGS: dict[str, str] = _DATA["flags"]

DIAGONALS = {"diagonal+": "up", "diagonal-": "down"}

NEGATIVES: dict[str, tuple[str, str, str]] = _DATA["negatives"]

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
CELL_KEYS = {"value", "given", "region", "givenPencilMarks"}
_COSMETIC = _DATA["cosmetic"]
COSMETIC, CELL_COSMETIC = _COSMETIC["document"], _COSMETIC["cell"]
ENTRY_COSMETIC, NEGATIVE_COSMETIC = _COSMETIC["entry"], _COSMETIC["negative"]

# Drawings. They may represent a rule that is only described in words, so they are reported.
DRAWN = {"line", "rectangle", "circle", "text", "cage"}
# An editor adds drawings for the entries of some keys. They carry one of these marks, or the name
# of the key in `fromConstraint`.
DRAWN_FOR = {
    "isNewConstraint": {"renban", "whispers", "slowthermometer", "entropicline"},
    "isLLConstraint": {"lockout"},
}
DRAWN_AS = {"germanwhispers": "whispers", "dutchwhispers": "whispers", "entropic": "entropicline"}

LOOKS: dict[str, tuple[str, str]] = _DATA["looks"]
# White figures at both ends of the lines of a key.
ENDS = {"betweenline": "circle", "doublearrow": "circle", "lockout": "diamond"}
