"""What the child process of a Python text does.

It is copied beside the text, `sudoku.py`, as its `__main__.py`.

It prints JSON: up to two grids as lists of row, column and number, what the text has counted until
the first of them, and the seconds from the text's being there to the end of the search.
"""

from __future__ import annotations

import json
import time
from importlib import import_module
from itertools import islice


def main() -> None:
    """Ask the text for its solutions."""
    text = import_module("sudoku")
    began = time.perf_counter()
    solutions = text.solutions()
    found = list(islice(solutions, 1))
    counters = dict(getattr(text, "counters", {}))
    found += islice(solutions, 1)
    grids = [[[*cell, number] for cell, number in grid.items()] for grid in found]
    print(json.dumps({"grids": grids, "counters": counters, "solve": time.perf_counter() - began}))


if __name__ == "__main__":
    main()
