"""A picture as SVG, as a page, as LaTeX, and through a library as PNG and PDF."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from aspdoku.draw.page import Picture
from aspdoku.errors import AspdokuError
from aspdoku.markup import render

PIXELS = 48  # a cell
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


def svg(picture: Picture) -> str:
    """A drawing that needs nothing else."""
    return render("picture.svg.j2", picture=picture, scale=PIXELS, number=_number)


def html(picture: Picture) -> str:
    """The same on a page of its own."""
    return render("picture.html.j2", title=picture.title, drawing=svg(picture))


def tex(picture: Picture) -> str:
    """A document that LaTeX makes just the picture of; a cell is a centimetre."""
    return _latex().get_template("picture.tex.j2").render(picture=picture, number=_number)


def png(picture: Picture) -> bytes:
    """Twice as many pixels as the drawing asks for.

    Raises AspdokuError where the library is missing.
    """
    return _converted("svg2png", picture, scale=2)


def pdf(picture: Picture) -> bytes:
    """Vectors and text on a page of the picture's size.

    Raises AspdokuError where the library is missing.
    """
    return _converted("svg2pdf", picture)


WRITERS: dict[str, Callable[[Picture], str | bytes]] = {
    ".svg": svg,
    ".html": html,
    ".tex": tex,
    ".png": png,
    ".pdf": pdf,
}


def _converted(function: str, picture: Picture, **options: int) -> bytes:
    try:
        import cairosvg  # type: ignore[import-untyped]
    except (
        ImportError,
        OSError,
    ) as error:  # OSError: the package is there, the library that it calls is not
        raise AspdokuError(
            f"PNG and PDF need cairosvg, which cannot be loaded ({error}): pip install"
            " 'aspdoku[pictures]'"
        ) from None
    try:
        made = getattr(cairosvg, function)(bytestring=svg(picture).encode(), **options)
    except Exception as error:  # cairo's own, which it does not promise
        raise AspdokuError(
            f"cairosvg cannot draw this picture ({error}): SVG and HTML can hold it"
        ) from None
    assert isinstance(made, bytes)
    return made


def _number(value: float) -> str:
    """As few digits as tell a hundredth; never -0."""
    return f"{round(value, 2) + 0.0:.8g}"


def _escaped(text: str) -> str:
    """The text as LaTeX prints it."""
    return "".join(_SPECIAL.get(sign, sign if sign.isprintable() else "?") for sign in text)


def _colour(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"{{rgb,255:red,{red};green,{green};blue,{blue}}}"


@cache
def _latex() -> Environment:
    """Blocks are `<% %>` and values `<< >>`, for braces are LaTeX's own."""
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
    environment.filters |= {"escaped": _escaped, "colour": _colour}
    return environment
