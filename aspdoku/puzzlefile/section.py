"""Sections of a puzzle file: a heading `[name]` and the lines up to the next heading."""

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
    """A fact and the line that it comes from."""

    fact: Function
    line: Line


@dataclass(frozen=True)
class Section:
    """A section.

    name: the predicate that it defines
    heading: its first line, `[name]`
    lines: all lines after the heading, including blank ones
    """

    name: str
    heading: Line
    lines: list[Line]

    @property
    def contents(self) -> list[Line]:
        """The lines that are not just comments or blank."""
        return [line for line in self.lines if line.content]

    @property
    def title(self) -> str:
        """The section's name in messages."""
        return self.heading.content.strip()

    def empty_section_error(self) -> PuzzleError:
        """A PuzzleError for an empty section, to be raised."""
        return self.heading.error(f"section {self.title} is empty")


def split_sections(lines: list[Line]) -> tuple[list[Line], list[Section]]:
    """Split a file into the lines before the first section, and the sections.

    Raises PuzzleError for an invalid heading.
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
            f"invalid section heading {quote(text)}: expected a name in brackets, e.g. [cage]"
        )
    name = inner.replace("-", "_")
    if not is_name(name):
        raise line.error(
            f"invalid section name {quote(inner)}: a name consists of letters, digits and -, and"
            " starts with a lowercase letter"
        )
    return name
