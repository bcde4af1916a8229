"""How puzzles are made: clues laid on a grid, layouts that cover one, and the setting of a puzzle from them."""
