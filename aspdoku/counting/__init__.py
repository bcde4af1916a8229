"""Counts and random solutions without enumeration.

`differences` decides on the ground program whether it only requires that certain cells differ
(rows, columns, boxes, diagonals, anti-knight, …) and that cells hold certain numbers. Then `table`
counts partial grids instead of solutions, and draws solutions uniformly; `arrays` counts with numpy
what takes Python too long. Otherwise, or if the table becomes too large, `symmetry` finds numbers
that can be exchanged, so that one of k! solutions has to be found. `count` tries one after the
other; `sampling` does the same for random solutions.
"""

from aspdoku.counting.count import Count, CountMethod, count_solutions

__all__ = ["Count", "CountMethod", "count_solutions"]
