"""The keys of SudokuPad documents that can be interpreted, and those without effect. Data only."""

from __future__ import annotations

# Rules that are only switched on or off, in `global` or in `metadata`.
RULES = {"antiknight": "anti-knight", "antiking": "anti-king"}

# The rules for sets of cells.
KILLER, SUM_CAGE, EXTRA = "killer", "sum-cage", "extra-region"

DRAWN = {"lines", "arrows", "overlays", "underlays"}
# The keys of the title, the author, the rules in words, and the solution: in the document, in
# `metadata`, and in cages without cells, whose value begins with one of them and a colon.
TEXTS = (("title",), ("author",), ("rules", "info"), ("solution",))
TEXT_KEYS = {key for keys in TEXTS for key in keys}
KNOWN = {"cells", "regions", "cages", "global", "metadata", *TEXT_KEYS}
CELL_KEYS = {"value", "given"}
CAGE_KEYS = {"cells", "value", "sum", "unique", "style"}
# Styles of cages. A cage in the style of rows and columns must be one, and repeats its rule.
KILLER_STYLE, LINE_STYLE = "killer", "rowcol"

# Keys that do not constrain the puzzle, each with the reason. Those of the document:
COSMETIC = {
    "id": "the name of the puzzle on the site",
    "settings": "the display of the puzzle",
    "cellSize": "the size of the drawing",
    "foglight": "what the player sees at the beginning",
    "triggereffect": "what the player sees during play",
    "videos": "about the puzzle",
    "duration": "about the puzzle",
}
# Those of `metadata` and of cages without cells:
METADATA_COSMETIC = {
    "msgcorrect": "shown to the player at the end",
    "source": "about the puzzle",
    "fog": "what the player sees at the beginning",
    "foglight": "what the player sees at the beginning",
}
CELL_COSMETIC = {
    "pencilMarks": "the player's",
    "cornerPencilMarks": "the player's",
    "centremarks": "the player's",
    "cornermarks": "the player's",
    "colors": "colours",
    "highlight": "a colour",
    "c": "a colour",
}
CAGE_COSMETIC = {
    "hidden": "whether the cage is drawn",
    "outlineC": "a colour",
    "fontC": "a colour",
    "fontSize": "the size of a text",
    "borderColor": "a colour",
    "backgroundColor": "a colour",
    "color": "a colour",
    "width": "the size of a drawing",
    "height": "the size of a drawing",
    "rounded": "the shape of a drawing",
}
