"""Grids as HTML, self-contained: for a notebook and a page."""

from __future__ import annotations

from aspdoku.puzzle.puzzle import Drawable, Solution
from aspdoku.show.pages import render


def grid(drawable: Drawable) -> str:
    """A table with the borders of the boxes; givens bold, solved numbers light."""
    puzzle = drawable.puzzle if isinstance(drawable, Solution) else drawable
    rows = drawable.rows if isinstance(drawable, Solution) else drawable.grid
    height, breadth = puzzle.box if puzzle.box and min(puzzle.box) > 1 else (puzzle.size, puzzle.size)
    return render(
        "grid.html.j2",
        title=puzzle.title,
        size=puzzle.size,
        height=height,
        breadth=breadth,
        rows=rows,
        givens=puzzle.givens(),
    )
