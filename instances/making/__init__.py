"""How puzzles are made.

Clues laid on a grid, layouts that cover one, and the setting of a puzzle from them.
"""
