"""All 4x4 sudokus, in plain Python."""

from functools import cache
from itertools import permutations, product


@cache
def all_sudokus_of_four():
    """The 288 grids, as tuples of rows."""
    rows = list(permutations(range(1, 5)))
    return [grid for grid in product(rows, repeat=4) if _is_sudoku(grid)]


def _is_sudoku(grid):
    return all(len(set(column)) == 4 for column in zip(*grid, strict=True)) and all(
        len({grid[r + i][c + j] for i in (0, 1) for j in (0, 1)}) == 4
        for r in (0, 2)
        for c in (0, 2)
    )
