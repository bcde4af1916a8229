"""Puzzles and solutions as data. Opens no files and does not import clingo."""

from aspdoku.puzzle.puzzle import Puzzle, Solution, box_shape
from aspdoku.puzzle.term import Function

__all__ = ["Function", "Puzzle", "Solution", "box_shape"]
