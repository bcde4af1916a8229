"""The questions that a program answers. Knows no file format."""

from aspdoku.engine.solver import Search, Solver, Statistics, TimeLimitError

__all__ = ["Search", "Solver", "Statistics", "TimeLimitError"]
