"""Grids as HTML, self-contained: for a notebook and a page."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from aspdoku.puzzle.puzzle import Drawable, Solution

if TYPE_CHECKING:
    from jinja2 import Template


def grid(drawable: Drawable) -> str:
    """A table with the borders of the boxes; givens bold, solved numbers light."""
    puzzle = drawable.puzzle if isinstance(drawable, Solution) else drawable
    rows = drawable.rows if isinstance(drawable, Solution) else drawable.grid
    height, breadth = puzzle.box if puzzle.box and min(puzzle.box) > 1 else (puzzle.size, puzzle.size)
    return _template().render(
        title=puzzle.title,
        size=puzzle.size,
        height=height,
        breadth=breadth,
        rows=rows,
        givens=puzzle.givens(),
    )


@cache
def _template() -> Template:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("aspdoku.show"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("grid.html.j2")
