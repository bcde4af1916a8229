"""Pictures as SVG, HTML, LaTeX (TikZ), PNG and PDF; the last two are made by cairosvg."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from aspdoku.drawing import NOTEBOOK_SECONDS, picture, picture_of_program
from aspdoku.drawing.picture import Picture
from aspdoku.drawing.shapes import Shape
from aspdoku.errors import AspdokuError
from aspdoku.markup import render
from aspdoku.program import Program, compose
from aspdoku.puzzle.puzzle import GridLike, Solution

PIXELS = 48  # per cell
_SPECIAL = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "≥": r"$\geq$",
    "≠": r"$\neq$",
    "≤": r"$\leq$",
    "×": r"$\times$",
    "÷": r"$\div$",
    "−": "$-$",
}


def svg(picture: Picture, inline: bool = False) -> str:
    """A self-contained SVG document.

    inline: as a part of a page or notebook, not wider than it
    """
    return render(
        "picture.svg.j2", picture=picture, inline=inline, scale=PIXELS, number=format_number
    )


def notebook_svg(shown: GridLike | Program) -> str:
    """What a notebook shows of a program, or of a puzzle or solution with the rules that the puzzle
    names.

    If these cannot be read, or take too long to ground, facts have default styles.
    """
    grid = shown.puzzle if isinstance(shown, Program) else shown
    try:
        if isinstance(shown, Program):
            drawn = picture_of_program(shown, time_limit=NOTEBOOK_SECONDS)
        else:
            program = compose(shown.puzzle if isinstance(shown, Solution) else shown)
            drawn = picture_of_program(program, shown, time_limit=NOTEBOOK_SECONDS)
    except AspdokuError:
        drawn = picture(grid)
    return svg(drawn, inline=True)


def svg_shapes(shapes: Iterable[Shape]) -> str:
    """The SVG elements of shapes, without a document."""
    return render("shapes.svg.j2", shapes=shapes, scale=PIXELS, number=format_number)


def html(picture: Picture) -> str:
    """An HTML page that contains the SVG."""
    return render("picture.html.j2", title=picture.title, drawing=svg(picture))


def tex(picture: Picture) -> str:
    """A standalone LaTeX document in TikZ; a cell is one centimetre wide."""
    template = _latex_environment().get_template("picture.tex.j2")
    return template.render(picture=picture, number=format_number)


def png(picture: Picture) -> bytes:
    """A PNG at twice the resolution of the SVG. Raises AspdokuError."""
    return _convert("svg2png", picture, scale=2)


def pdf(picture: Picture) -> bytes:
    """A PDF page of the picture's size, with vectors and text. Raises AspdokuError."""
    return _convert("svg2pdf", picture)


WRITERS: dict[str, Callable[[Picture], str | bytes]] = {
    ".svg": svg,
    ".html": html,
    ".tex": tex,
    ".png": png,
    ".pdf": pdf,
}


def _convert(function: str, picture: Picture, **options: int) -> bytes:
    try:
        import cairosvg  # type: ignore[import-untyped]
    # OSError: the package is installed, but the cairo library is not.
    except (ImportError, OSError) as error:
        raise AspdokuError(
            f"PNG and PDF need cairosvg, which cannot be loaded ({error}); install it with: pip"
            " install 'aspdoku[pictures]'"
        ) from None
    try:
        output = getattr(cairosvg, function)(bytestring=svg(picture).encode(), **options)
    except Exception as error:  # cairo's exceptions are not documented
        raise AspdokuError(
            f"cairosvg cannot draw this picture ({error}); write SVG or HTML instead"
        ) from None
    assert isinstance(output, bytes)
    return output


def format_number(value: float) -> str:
    """The number rounded to two decimals, in as few digits as possible; never -0."""
    return f"{round(value, 2) + 0.0:.8g}"


def _latex_colour(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"{{rgb,255:red,{red};green,{green};blue,{blue}}}"


@cache
def _latex_environment() -> Environment:
    """Jinja with `<% %>` for blocks and `<< >>` for values, because LaTeX uses braces."""
    environment = Environment(
        loader=PackageLoader("aspdoku"),
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
        comment_start_string="<#",
        comment_end_string="#>",
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "escaped": lambda text: "".join(
            _SPECIAL.get(sign, sign if sign.isprintable() else "?") for sign in text
        ),
        "colour": _latex_colour,
    }
    return environment
