"""Drawings of SudokuPad and f-puzzles as elements: what is drawn, in which colour, in which cells.

`sketches` has the shapes of a document and the clues that it lists, `recognition` finds elements by
their geometry, and `colours` names their colours. No rule is known here: words decide what an
element means.
"""
