"""Rules in words as text and pages show them: what each sentence was taken for."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from aspdoku.errors import RuleError
from aspdoku.program.library import find
from aspdoku.puzzle import Puzzle
from aspdoku.words.sentences import marked


class ReadSentence(NamedTuple):
    """A sentence from which rules were read.

    parts: of its text, each with whether it was not understood
    rules: the rules that it states, with their titles
    about: the elements that it is about, in words
    problem: why it is open although it was understood
    """

    parts: list[tuple[str, bool]]
    rules: list[tuple[str, str]]
    about: tuple[str, ...]
    problem: str

    @property
    def has_unread(self) -> bool:
        """Whether a part was not understood."""
        return any(unread for _, unread in self.parts)


def read_sentences(puzzle: Puzzle) -> list[ReadSentence]:
    """The sentences from which the rules of a puzzle were read; none if there are none."""
    return [
        ReadSentence(
            marked(each.text, each.unread),
            [(name, title(name)) for name in each.rules],
            each.about,
            each.problem,
        )
        for each in puzzle.wording
    ]


def title(name: str) -> str:
    """The title of a rule that a sentence states; empty if there is no such rule now."""
    with suppress(RuleError):
        return find(name).title
    return ""
