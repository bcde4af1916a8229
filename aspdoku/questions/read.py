"""What the rules in words and the drawing of a document were taken for: `interpret`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from aspdoku.formats import native, registry, worded
from aspdoku.formats.detection import text_of_document
from aspdoku.formats.drawn.elements import Element, grouped
from aspdoku.formats.worded import Worded
from aspdoku.puzzle import Puzzle
from aspdoku.puzzle.puzzle import Wording
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.questions.result import Pictures, Result, Verdict, encoded, fields, figure
from aspdoku.questions.source import compose
from aspdoku.questions.text import wrapped
from aspdoku.questions.wording import ReadSentence, read_sentences, title
from aspdoku.runtime.signals import interruptible

_NOTE = """\
# Read from a drawing and rules in words. A line `unsupported:` has a part that was not understood:
# state it with `with:`, with facts or in a section, and delete the line.
"""
_UNSUPPORTED = "\nunsupported: "
_element = fields("kind colours text cells shafts closed place")


@encoded.register
def _(element: Element) -> dict[str, Any]:
    return {"words": str(element), **_element(element)}


@dataclass(frozen=True, repr=False)
class Interpretation(Result):
    """The sentences and the drawn elements of a document, and what both were taken for.

    Its truth value is whether everything was understood.

    data: the sentences, the elements, and the puzzle, whose unsupported parts are all that is open
    """

    _kind, _heading = "read", "Rules in words"
    data: Worded

    def __bool__(self) -> bool:
        return not (self.open_sentences or self.open_drawings or self.puzzle.unsupported)

    def _puzzle(self) -> Puzzle:
        return self.data.puzzle

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle with the rules and facts that were read."""
        return self.data.puzzle

    @property
    def open_sentences(self) -> tuple[Wording, ...]:
        """The sentences that were not, or not completely, understood."""
        return tuple(each for each in self.puzzle.wording if each.is_open)

    @property
    def open_elements(self) -> tuple[Element, ...]:
        """The drawn elements that no sentence accounts for."""
        return tuple(element for element, rules in self.data.elements if not rules)

    @property
    def open_drawings(self) -> tuple[str, ...]:
        """These elements in words, and what else is open in the document."""
        return (*map(str, self.open_elements), *self.data.unread)

    def puzzle_file(self) -> str:
        """The puzzle as a file in which a person completes what is open.

        Raises PuzzleError for content that a puzzle file cannot represent.
        """
        head, line, rest = registry.write(registry.NATIVE, [self.puzzle]).partition(_UNSUPPORTED)
        return f"{head}\n{_NOTE}{line[1:]}{rest}" if line else head

    def _with_caveat(self, text: str) -> str:
        return text  # it says what is open

    def _text(self) -> str:
        width = len(str(len(self.puzzle.wording)))
        sentences = [
            line
            for number, sentence in enumerate(read_sentences(self.puzzle), 1)
            for line in _lines(sentence, f"{number:>{width}}. ")
        ]
        lists = [[f"{name}:", *(f"   {each}" for each in texts)] for name, texts in self.lists()]
        blocks = [sentences or ["There are no rules in words."], *lists, self.summary_lines()]
        return "\n\n".join(
            "\n".join(wrapped(line, 10 if line.startswith(" ") else 3) for line in block)
            for block in blocks
        )

    def lists(self) -> Iterator[tuple[str, list[str]]]:
        """What is listed after the sentences, by headings."""
        counted = bool(self.open_sentences or self.open_drawings)
        for heading, texts in (
            ("Drawings that no sentence accounts for", grouped(self.open_elements)),
            ("Also open", list(self.data.unread)),
            ("Unsupported", [] if counted else list(self.puzzle.unsupported)),
            ("Assumed", list(self.data.assumed)),
        ):
            if texts:
                yield heading, texts

    def summary_lines(self) -> list[str]:
        """Title and author, size, rules, and what is open."""
        puzzle = self.puzzle
        size = f"{puzzle.size}x{puzzle.size}"
        rules = [*puzzle.elaborations, *(f"without {name}" for name in puzzle.without)]
        named = f"rules: {', '.join(rules)}" if rules else ""
        return [
            *filter(None, [puzzle.heading]),
            "; ".join(filter(None, [size, named])),
            self.verdict,
        ]

    def _summary(self) -> str:
        return self.verdict

    @property
    def verdict(self) -> str:
        """Whether everything was understood, or how much is open."""
        if self:
            return "everything was understood"
        sentences, drawings = len(self.open_sentences), len(self.open_drawings)
        counts = {"sentence": sentences, "drawing": drawings}
        if not sentences and not drawings:
            counts = {"part": len(self.puzzle.unsupported)}
        words = " and ".join(pluralize(number, name) for name, number in counts.items() if number)
        return f"{words} {'is' if sum(counts.values()) == 1 else 'are'} open"

    def _json(self) -> dict[str, Any]:
        puzzle, data = self.puzzle, self.data
        rules = dict(data.elements)
        elements = dict.fromkeys((*rules, *chain(*data.about)))
        places = {element: place for place, element in enumerate(elements)}
        return {
            **fields("title author size rules=elaborations without")(puzzle),
            "complete": bool(self),
            "sentences": [
                {
                    "text": each.text,
                    "rules": [{"name": name, "title": title(name)} for name in each.rules],
                    "elements": [places[element] for element in about],
                    "unread": each.unread,
                    "problem": each.problem,
                }
                for each, about in zip(puzzle.wording, data.about, strict=True)
            ],
            "elements": [{**encoded(each), "rules": rules.get(each, ())} for each in elements],
            "unread": data.unread,
            "assumed": data.assumed,
        }

    def _pictures(self) -> Pictures:
        yield figure(compose(self.puzzle))

    def to_html(self) -> str:
        """A self-contained page that shows the drawn elements next to the sentences."""
        from aspdoku.questions.read_page import interpretation_html

        verdict = Verdict(self.verdict.capitalize(), "unique" if self else "none")
        summary = self.summary_lines()[bool(self.puzzle.heading) : -1]
        return interpretation_html(self.data, verdict, list(self.lists()), summary)


def _lines(sentence: ReadSentence, number: str) -> Iterator[str]:
    """A sentence with its number, and below it what it was taken for, and what is open."""
    yield number + "".join(f"‹{text}›" if unread else text for text, unread in sentence.parts)
    yield from (f"   rule   {name}: {title}" for name, title in sentence.rules)
    yield from (f"   about  {text}" for text in sentence.about)
    reasons = ["not understood: the words in ‹ ›"] if sentence.has_unread else []
    yield from (f"   open   {text}" for text in (*reasons, *filter(None, [sentence.problem])))


@interruptible
def interpret(document: str | os.PathLike[str] | bytes) -> Interpretation:
    """Read the rules in words and the drawing of a document of SudokuPad or f-puzzles, or a puzzle
    file that states its rules only in words.

    document: a URL that contains it, its text, the path of its file, or the content of the file
    Raises PuzzleError for a text that contains no such document, or several.
    """
    text, name = text_of_document(os.fspath(document))
    parse = worded.read if worded.fits(text) else native.parse_words
    return Interpretation(parse(text, name))
