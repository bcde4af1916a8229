"""What has a meaning for sure in SudokuPad's documents, and what is about looks. Data only."""

from __future__ import annotations

from aspdoku.puzzle.formats.elsewhere.fpuzzles.shapes import Groups

# Rules that are just on or off, said in `global` or in `metadata`.
RULES = {"antiknight": "anti-knight", "antiking": "anti-king"}

# Sets of cells: the rule that reads them, and their facts.
KILLER = ("killer", Groups("cage", valued=True))
SUM_CAGE = ("sum-cage", Groups("sum_cage", valued=True))
EXTRA = ("extra-region", Groups("extra_region"))

DRAWN = ("lines", "arrows", "overlays", "underlays")
KNOWN = {"cells", "regions", "cages", "global", "metadata"}
COSMETIC = {
    *("id", "cellSize", "title", "author", "rules", "settings", "foglight", "triggereffect", "videos", "duration", "solution"),
}
CELL_KEYS = {"value", "pencilMarks", "centremarks", "cornermarks", "colors", "given", "highlight", "c", "cornerPencilMarks"}
CAGE_KEYS = {
    *("cells", "value", "sum", "unique", "style", "hidden", "outlineC", "fontC", "fontSize", "borderColor", "backgroundColor"),
    *("color", "width", "height", "text", "rounded"),
}
