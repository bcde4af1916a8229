"""The rules of a puzzle in words, which `worded` reads as the same rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from aspdoku.drawing.style import KINDS_WITH_LABELS, VARIABLE, draw_file_styles
from aspdoku.program.library import bundled_rule, default_values
from aspdoku.program.rulefile import RuleFile
from aspdoku.puzzle.inputs import LETTERS, Input
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzle.term import Function, Term

_USUAL = "Normal sudoku rules apply."
_LATIN = "Each row and each column contains every number once."
_USUAL_VALUE = "{} where none is written"


def with_words(puzzle: Puzzle) -> Puzzle:
    """The puzzle with its rules in words, if it has other rules than the default ones."""
    return puzzle.replace(rules=in_words(puzzle, {}, {})) if puzzle.elaborations else puzzle


def in_words(puzzle: Puzzle, nouns: Mapping[str, str], notes: Mapping[str, Iterable[str]]) -> str:
    """The puzzle's own words, followed by the titles of the rules that these do not state.

    nouns: for each rule what is drawn for it, such as `green lines`
    notes: for each rule texts about clues that are not drawn
    """
    from aspdoku.words import reader

    own = puzzle.rules
    readings = reader().read(own) if own else []
    known = {s.rule for each in readings if not each.unread for s in each.stated if not s.note}
    known |= {reader().covers[rule] for rule in known & reader().covers.keys()}
    usual = [] if own else [_LATIN if "box" in puzzle.without else _USUAL]
    rules = (rule for name in puzzle.elaborations if (rule := bundled_rule(name)))
    sentences = (
        _sentence(rule, puzzle, nouns.get(rule.name, ""), notes.get(rule.name, ()))
        for rule in rules
        if rule.name not in known
    )
    return "\n\n".join(filter(None, (own, "\n".join((*usual, *sentences)))))


def _sentence(rule: RuleFile, puzzle: Puzzle, noun: str, notes: Iterable[str]) -> str:
    label = f"{rule.name.capitalize()} ({noun})" if noun else rule.name.capitalize()
    about = "; ".join((*notes, *_usual_values(rule, len(puzzle.numbers))))
    title = f"{rule.title.rstrip('.')}: {about}." if about else rule.title
    return f"{label}: {title}"


def _usual_values(rule: RuleFile, count: int) -> Iterator[str]:
    for item in rule.inputs:
        values = default_values(*item.signature, count)
        if values and item.arguments[0] == "I":
            yield _USUAL_VALUE.format(values[0])


def noted_facts(rule: RuleFile, text: str, count: int) -> list[Function] | None:
    """The facts that notes after the title of a rule state; None for a text of another kind.

    Notes about the names of clues that are drawn state none: a drawing has no names.
    count: of different numbers
    """
    styles = draw_file_styles(rule)
    are_named = any(style.atom.identity for style in styles if style.draw in KINDS_WITH_LABELS)
    notes = [
        style
        for style in styles
        if style.draw == "note" and not style.by and not style.atom.reference
        if not (are_named and style.atom.identity)
    ]
    facts = []
    for note in text.split("; ") if text else ():
        if note in _usual_values(rule, count):
            continue
        heading, colon, items = note.rpartition(": ")
        for item in items.split(", "):
            noted = heading + colon + item
            found = [
                fact for each in notes for fact in facts_in_text(each.text, each.atom, noted, {})
            ]
            if not found:
                return None
            facts.append(found[0])
    return facts


def facts_in_text(
    template: str, atom: Input, text: str, placed: Mapping[str, Term]
) -> Iterator[Function]:
    """The fact with the arguments in a text, if it is one of the template and of the place."""
    parts = VARIABLE.split(template)
    pattern = "(.+)".join(map(re.escape, parts[::2]))
    if match := re.fullmatch(pattern, text):
        values = dict(placed)
        for letter, each in zip(parts[1::2], match.groups(), strict=True):
            value = _term(letter, each)
            if value is None or values.setdefault(letter, value) != value:
                return
        yield from fact_of(atom, values)


def _term(letter: str, text: str) -> Term | None:
    """The value of an argument in a text; None if the text is none."""
    if re.fullmatch("[0-9]{1,9}", text):
        return int(text)
    match LETTERS[letter[0]].kind:
        case "word" | "edge":
            return Function(text.replace("-", "_"))
        case "name" | "group" | "shared":
            return text
    return None


def fact_of(atom: Input, values: Mapping[str, Term]) -> Iterator[Function]:
    """The fact with these values, if there are values for all of its arguments."""
    if {*atom.arguments} <= values.keys():
        yield Function(atom.name, tuple(values[letter] for letter in atom.arguments))
