"""Queries to clingo about programs: solutions, candidates, redundancy, conflicts, batches."""

from aspdoku.engine.solver import Search, Solver, Statistics

__all__ = ["Search", "Solver", "Statistics"]
