"""Puzzles: the data, and a reader and a writer for each format. Knows nothing of clingo."""

from aspdoku.puzzle.puzzle import Puzzle, Solution, box_shape
from aspdoku.puzzle.term import Function

__all__ = ["Function", "Puzzle", "Solution", "box_shape"]
