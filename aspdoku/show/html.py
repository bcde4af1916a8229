"""Grids as HTML, self-contained: for a notebook and a page."""

from __future__ import annotations

from aspdoku.puzzle.puzzle import Drawable, Solution
from aspdoku.show.pages import render
from aspdoku.show.regions import regions


def grid(drawable: Drawable) -> str:
    """A table with the borders of the boxes, or of the regions that the puzzle draws; givens bold, solved numbers light."""
    puzzle = drawable.puzzle if isinstance(drawable, Solution) else drawable
    rows = drawable.rows if isinstance(drawable, Solution) else drawable.grid
    region_of = regions(puzzle)
    return render(
        "grid.html.j2",
        title=puzzle.title,
        apart=lambda row, column, down, right: region_of.get((row, column)) != region_of.get((row + down, column + right)),
        size=puzzle.size,
        rows=rows,
        givens=puzzle.givens(),
    )
