"""The main program of the child process that runs an encoding in Python.

It is copied as `__main__.py` into the folder of the program, `sudoku.py`.

It prints JSON: up to two grids as lists of [row, column, number], the counters at the first of
them, and the seconds from the end of the import to the end of the search.
"""

from __future__ import annotations

import json
import time
from importlib import import_module
from itertools import islice


def main() -> None:
    """Run the program and print its solutions."""
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
