"""Puzzles as people share them: a drawing, and the rules in words.

The sentences of the text state rules about elements of the drawing (`claims` finds which ones), and
the inputs of the rules determine the facts. Whatever is stated in another way stays as it is. All
that is open, a sentence or an element, is an unsupported part of the puzzle.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aspdoku.errors import PuzzleError
from aspdoku.formats import json_document, urls
from aspdoku.formats.base import by_key, errors_at, read_urls
from aspdoku.formats.json_document import MISFIT, OfDrawing
from aspdoku.program import library
from aspdoku.puzzle.puzzle import RULES_IN_WORDS, Puzzle, Wording

if TYPE_CHECKING:
    from aspdoku.formats.drawn.elements import Element
    from aspdoku.words import Reading

_LONGEST = 60  # letters of a sentence among unsupported parts


@dataclass(frozen=True)
class Worded:
    """A puzzle with its text and its drawing.

    puzzle: with the rules and facts that were read, and the sentences from which they were read;
        its unsupported parts are all that is open
    about: for each sentence the elements that it was taken to be about
    elements: each with the rules for which it was taken; none if it is open
    unread: in words, the drawings that are no element, and other open parts of the document
    assumed: of two readings, the weaker one that was taken, in words
    """

    puzzle: Puzzle
    about: tuple[tuple[Element, ...], ...] = ()
    elements: tuple[tuple[Element, tuple[str, ...]], ...] = ()
    unread: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "puzzle", self.puzzle.replace(assumed=self.assumed))


def fits(text: str) -> bool:
    """Whether a text can be a URL or a document of SudokuPad or f-puzzles."""
    return json_document.looks_like_object(text) or urls.fits(text)


def read(text: str, name: str = "") -> Worded:
    """The puzzle in a URL or a document of SudokuPad or f-puzzles, read through its words.

    Raises PuzzleError for a text that contains none, or several.
    """
    if json_document.looks_like_object(text):
        found: list[Puzzle | json_document.Object] = [json_document.load(text, name)]
    else:
        found = read_urls(text, name, urls.content)
    if len(found) != 1:
        raise PuzzleError(f"{len(found)} URLs, where one puzzle is expected", name)
    with errors_at(name):
        return _worded(found[0])


def puzzles(text: str, name: str) -> list[Puzzle]:
    """The puzzle in each URL, read through its words. Raises PuzzleError."""
    return read_urls(text, name, lambda address: _worded(urls.content(address)).puzzle)


def _worded(content: Puzzle | json_document.Object) -> Worded:
    return Worded(content) if isinstance(content, Puzzle) else of_document(content)


def of_document(document: json_document.Object) -> Worded:
    """The puzzle in a document, read through its words. Raises PuzzleError."""
    puzzle = urls.puzzle_from_document(document)
    if not puzzle.rules:
        return Worded(puzzle)
    from aspdoku.formats.drawn.sketches import sketch_of
    from aspdoku.words import reader

    sketch, readings = sketch_of(document, puzzle), reader().read(puzzle.rules)
    written = None if sketch.unread else _written(puzzle, sketch.elements, readings)
    return written or _joined(puzzle, readings, sketch.elements, sketch.unread)


def of_words(puzzle: Puzzle) -> Worded:
    """A puzzle without a drawing, with the rules that its text states."""
    from aspdoku.words import reader

    return _joined(puzzle, reader().read(puzzle.rules))


def _written(
    puzzle: Puzzle, elements: Sequence[Element], readings: Sequence[Reading]
) -> Worded | None:
    """The puzzle whose document this is, if aspdoku wrote it."""
    from aspdoku.formats.redrawn import redrawn

    found = redrawn(puzzle, elements, readings)
    if not found:
        return None
    again, taken = found
    kept = _kept(puzzle)
    wording = (Wording(each.text, each.rules) for each in readings)
    return Worded(
        again.replace(unsupported=kept, wording=tuple(wording)),
        ((),) * len(readings),
        tuple((element, tuple(rules)) for element, rules in taken.items()),
        kept,
    )


def _joined(
    puzzle: Puzzle,
    readings: Sequence[Reading],
    elements: Sequence[Element] = (),
    unread: Sequence[str] = (),
) -> Worded:
    """The puzzle with the rules that its text states about elements of its drawing.

    puzzle: what is stated in another way
    unread: descriptions of drawings that are no element
    """
    from aspdoku.formats.claims import Claims, uses_text
    from aspdoku.formats.drawn.elements import grouped

    claims = Claims(puzzle, elements, readings)
    about = tuple(map(claims.elements_of, range(len(readings))))
    sentences = tuple(
        Wording(
            each.text,
            () if each.unread else each.rules,
            tuple(grouped(about[place])),
            each.unread,
            claims.problems.get(place, ""),
        )
        for place, each in enumerate(readings)
    )
    taken = tuple(
        (element, tuple(rules) or claims.listed(element)) for element, rules in claims.taken.items()
    )
    if not any(each.rules for each in sentences) and any(each.is_open for each in sentences):
        listed = tuple(dict.fromkeys((*puzzle.unsupported, RULES_IN_WORDS)))
        open_ = puzzle.replace(unsupported=listed, wording=sentences)
        return Worded(open_, about, taken, tuple(unread))
    stated = {rule for each in sentences for rule in each.rules}
    about_grid, assumed = _rules_of_grid(puzzle, stated)
    nameless = _alike(element for element, rules in taken if not rules)
    unused = _alike(e for e, rules in claims.taken.items() if rules and not uses_text(e, rules))
    texts = [f"{each}, whose text no rule uses" for each in unused]
    kept = [
        part for part in _kept(puzzle) if part != MISFIT or claims.puzzle.numbers == puzzle.numbers
    ]
    listed = (
        *kept,
        *about_grid,
        *(f"{RULES_IN_WORDS}: {_quoted(each)}" for each in sentences if each.is_open),
        *(f"drawn: {each}, about which nothing is said" for each in nameless),
        *(f"drawn: {each}" for each in (*texts, *unread)),
    )
    return Worded(
        claims.puzzle.replace(unsupported=tuple(dict.fromkeys(listed)), wording=sentences),
        about,
        taken,
        (*kept, *about_grid, *texts, *unread),
        (*assumed, *claims.assumed),
    )


def _kept(puzzle: Puzzle) -> tuple[str, ...]:
    """The unsupported parts that are neither in its text nor in its drawing."""
    return tuple(part for part in puzzle.unsupported if not isinstance(part, OfDrawing))


def _rules_of_grid(puzzle: Puzzle, stated: Set[str]) -> tuple[list[str], list[str]]:
    """What is open about rows, columns and boxes, and what is assumed."""
    from aspdoku.words import reader

    words, of_boxes = reader(), {rule.name for rule in library.defaults()}
    if stated & words.retracted.keys():
        return [], []
    covered = {words.covers[rule] for rule in stated & words.covers.keys()}
    if not (stated | covered) & {library.base().name, *of_boxes}:
        return [], ["rows, columns and boxes contain every number once"]
    has_boxes = not of_boxes & {*puzzle.without}
    if (stated | covered) & of_boxes:
        return [] if has_boxes or covered & of_boxes else ["the boxes, which are not drawn"], []
    return ["the boxes, about which nothing is said"] if has_boxes else [], []


def _quoted(sentence: Wording) -> str:
    text = sentence.text if len(sentence.text) <= _LONGEST else sentence.text[:_LONGEST] + "…"
    return f"'{text}'" + (f" ({sentence.problem})" if sentence.problem else "")


def _alike(elements: Iterable[Element]) -> list[str]:
    """Descriptions of elements, of several that are alike only the first one."""
    alike = by_key(((each.kind, each.colours), each) for each in elements)
    return [
        f"{same[0]}" + (f" and {len(same) - 1} like it" if len(same) > 1 else "")
        for same in alike.values()
    ]
