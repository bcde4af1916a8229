"""The sections of a puzzle file: a line `[name]`, and the lines below it up to the next one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.puzzlefile.lines import Line, quote
from aspdoku.puzzlefile.value import is_name

if TYPE_CHECKING:
    from aspdoku.errors import PuzzleError
    from aspdoku.puzzle.term import Function


class LocatedFact(NamedTuple):
    """A fact, and the line that states it."""

    fact: Function
    line: Line


@dataclass(frozen=True)
class Section:
    """A section.

    The predicate that it is named after, the line that opens it, and the lines below, blank ones
    too.
    """

    name: str
    heading: Line
    lines: list[Line]

    @property
    def contents(self) -> list[Line]:
        """The lines that hold more than a comment."""
        return [line for line in self.lines if line.content]

    @property
    def title(self) -> str:
        """The section as messages call it."""
        return self.heading.content.strip()

    def empty_section_error(self) -> PuzzleError:
        """The complaint that the section is empty, to be raised."""
        return self.heading.error(f"the section {self.title} has nothing in it")


def split_sections(lines: list[Line]) -> tuple[list[Line], list[Section]]:
    """The lines before the first section, and the sections.

    Raises PuzzleError for a broken `[name]`.
    """
    starts = [place for place, line in enumerate(lines) if line.content.lstrip().startswith("[")]
    sections = [
        Section(_section_name(lines[start]), lines[start], lines[start + 1 : end])
        for start, end in pairwise([*starts, len(lines)])
    ]
    return lines[: starts[0]] if starts else lines, sections


def _section_name(line: Line) -> str:
    text = line.content.strip()
    inner = text[1:].removesuffix("]").strip()
    if not text.endswith("]") or "]" in inner or "[" in inner:
        raise line.error(
            f"{quote(text)} opens no section: write a name in brackets and nothing else, such as"
            " [cage]"
        )
    name = inner.replace("-", "_")
    if not is_name(name):
        raise line.error(
            f"{quote(inner)} cannot name a section: a name has letters, digits and - only, and a"
            " small letter first"
        )
    return name
