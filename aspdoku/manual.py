"""The pages of documentation that are bundled: Markdown files, found in their folder."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from aspdoku.program.library import data_dir

# A block of code, in which a line may look like a heading.
_CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^##? (.+)", re.MULTILINE)
# A link or a picture whose target is a file; the first alternative, code, has none.
_LINK = re.compile(rf"{_CODE.pattern}|!?\[([^]]+)\]\((?!\w+:|#)([^)#]+)[^)]*\)", _CODE.flags)


class Page(NamedTuple):
    """A page: its title, the titles of its sections, and its text."""

    title: str
    sections: tuple[str, ...]
    text: str


@cache
def pages() -> dict[str, Path]:
    """The files by their topics, which are their paths in the folder without the suffix. In a
    checkout, these are also the pages that only the site needs.
    """
    folder = data_dir().parent / "docs"
    files = {
        file.relative_to(folder).with_suffix("").as_posix(): file for file in folder.rglob("*.md")
    }
    return dict(sorted(files.items()))


def page(topic: str) -> Page:
    """The page of a topic. Of links to what is not bundled, only their words are left."""
    file = pages()[topic]

    def shown(found: re.Match[str]) -> str:
        words, target = found.groups()
        is_there = target is None or (file.parent / target).exists()
        return found[0] if is_there else words

    text = _LINK.sub(shown, file.read_text("utf-8"))
    title, *sections = _HEADING.findall(_CODE.sub("", text))
    return Page(title, tuple(sections), text)
