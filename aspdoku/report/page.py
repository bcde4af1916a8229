"""Results as HTML: pictures and the words about them, as a page or as a part for a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import NamedTuple

from aspdoku.drawing import Picture
from aspdoku.drawing.output import svg
from aspdoku.markup import render


class Section(NamedTuple):
    """A part of a page: pictures next to a text, whose indentation is kept.

    wide: whether the text is a table, which is scrolled instead of wrapped
    links: headings of other sections, with which the first lines of the text begin, in order: these
    words link to them
    """

    text: str
    pictures: tuple[Picture, ...] = ()
    heading: str = ""
    wide: bool = False
    links: tuple[str, ...] = ()


def result_page(title: str, sections: Iterable[Section]) -> str:
    """A self-contained page."""
    sections = list(sections)
    ids: dict[str, str] = {}
    for place, each in enumerate(sections):
        ids.setdefault(each.heading, f"section-{place}")
    shown = [(each, ids[each.heading], _drawings(each), _lines(each, ids)) for each in sections]
    return render("result.html.j2", title=title, sections=shown)


def result_part(section: Section) -> str:
    """What a notebook displays."""
    return render("notebook.html.j2", drawings=_drawings(section), words=section.text)


def _drawings(section: Section) -> list[str]:
    return [svg(picture, inline=True) for picture in section.pictures]


def _lines(section: Section, ids: Mapping[str, str]) -> list[tuple[int, str, str, str]]:
    """The lines: the indentation, words that link to a section and its id, and the other words."""
    lines = []
    for line, heading in zip_longest(section.text.split("\n"), section.links, fillvalue=""):
        text = line.lstrip(" ")
        lines.append(
            (len(line) - len(text), heading, ids.get(heading, ""), text.removeprefix(heading))
        )
    return lines
