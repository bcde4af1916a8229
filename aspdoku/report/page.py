"""Results as HTML: pictures and the words about them, as a page or as a part for a notebook."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from aspdoku.drawing import Picture
from aspdoku.drawing.output import svg
from aspdoku.markup import render


class Section(NamedTuple):
    """A part of a page: pictures next to a text, whose indentation is kept.

    wide: whether the text is a table, which is scrolled instead of wrapped
    """

    text: str
    pictures: tuple[Picture, ...] = ()
    heading: str = ""
    wide: bool = False


def result_page(title: str, sections: Iterable[Section]) -> str:
    """A self-contained page."""
    shown = [
        (each, _drawings(each), [_indented(line) for line in each.text.split("\n")])
        for each in sections
    ]
    return render("result.html.j2", title=title, sections=shown)


def result_part(section: Section) -> str:
    """What a notebook displays."""
    return render("notebook.html.j2", drawings=_drawings(section), words=section.text)


def _drawings(section: Section) -> list[str]:
    return [svg(picture, inline=True) for picture in section.pictures]


def _indented(line: str) -> tuple[int, str]:
    """The indentation of a line, and the rest of it."""
    text = line.lstrip(" ")
    return len(line) - len(text), text
