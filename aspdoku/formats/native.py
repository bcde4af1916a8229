"""The native format, with sections as the known rules declare their inputs.

Bundled rules, and those on ASPDOKU_PATH, decide that `[even]` marks cells. What other rule
files declare is applied when a program is composed of them (`puzzlefile.declared.settled`).
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from itertools import chain, count
from typing import TYPE_CHECKING

from aspdoku.errors import PuzzleError
from aspdoku.program.library import bundled_inputs, declared_inputs, refers_to_clues
from aspdoku.puzzle.inputs import Input
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzle.term import Function, Term, sort_key
from aspdoku.puzzlefile import writer
from aspdoku.puzzlefile.declared import PICTURE
from aspdoku.puzzlefile.lines import key_of, split_lines
from aspdoku.puzzlefile.reader import parse_native

if TYPE_CHECKING:
    from aspdoku.formats.worded import Worded

_STATES_RULES = frozenset({"with", "unsupported"})  # headers


def parse(text: str, name: str) -> Puzzle:
    """The puzzle in the text of a puzzle file. Raises PuzzleError at name:line.

    A file that states its rules only in words is read through these.
    """
    puzzle, has_only_words = _parse(text, name)
    return _worded(puzzle).puzzle if has_only_words else puzzle


def parse_words(text: str, name: str) -> Worded:
    """The puzzle in the text of a puzzle file that states its rules only in words, read through
    these. Raises PuzzleError, also for other files.
    """
    puzzle, has_only_words = _parse(text, name)
    if not has_only_words:
        raise PuzzleError(
            "no rules in words to read: expected a URL or a document of SudokuPad or f-puzzles, or"
            " a puzzle file with `rules:` and without `with:`",
            name,
        )
    return _worded(puzzle)


def _parse(text: str, name: str) -> tuple[Puzzle, bool]:
    puzzle = parse_native(text, name, declared_inputs)
    has_words = bool(puzzle.rules)
    return puzzle, has_words and _STATES_RULES.isdisjoint(map(key_of, split_lines(text, name)))


def _worded(puzzle: Puzzle) -> Worded:
    from aspdoku.formats.worded import of_words  # few files need it

    return of_words(puzzle)


def write(puzzle: Puzzle) -> str:
    """The puzzle as the text of a puzzle file, which `parse` reads as equal. Raises PuzzleError."""
    return writer.write(puzzle, declared_inputs)


def write_with_labels(puzzle: Puzzle) -> str:
    """The text for an equivalent puzzle, in which cages have letters, to be a picture, and lines
    and overlapping cages are numbered, to be listed.

    Names by which other facts refer to clues stay. Raises PuzzleError like `write`.
    """
    if refers_to_clues(puzzle.facts):
        return write(puzzle)
    inputs = bundled_inputs()
    for signature in sorted({fact.signature for fact in puzzle.facts} & inputs.keys()):
        declared, rule = inputs[signature]
        is_named = declared.shape and declared.shape.named and len(declared.names) == 1
        if signature[1] != PICTURE or not is_named or writer.is_picture(puzzle, signature[0]):
            continue
        positions = {
            each: item.names[0]
            for each, (item, by) in inputs.items()
            if by == rule and len(item.names) == 1
        }
        facts = (fact for fact in puzzle.facts if fact.signature == signature)
        names = dict.fromkeys(fact.arguments[positions[signature]] for fact in facts)
        letters = chain(string.ascii_uppercase, string.ascii_lowercase, map("A{}".format, count(1)))
        labelled = _renamed(puzzle, dict(zip(names, letters, strict=False)), positions)
        if writer.is_picture(labelled, signature[0]):
            puzzle = labelled
    others = {
        term for fact in puzzle.facts if fact.signature not in inputs for term in fact.arguments
    }
    used = {fact.signature for fact in puzzle.facts} & inputs.keys()
    for rule in sorted({inputs[signature][1] for signature in used}):
        listed = writer.listed_facts(puzzle, declared_inputs)
        items = [item for item, by in inputs.values() if by == rule]
        numbered = _with_numbers(puzzle, items, others) if listed else puzzle
        if writer.listed_facts(numbered, declared_inputs) < listed:
            puzzle = numbered
    return write(puzzle)


def _with_numbers(puzzle: Puzzle, inputs: list[Input], others: set[Term]) -> Puzzle:
    """The puzzle in which the lines or cages of a rule are numbered in the order of their first
    cells; unchanged if not exactly one input defines them, or if one of the `others` is a name.
    """
    named = {item.signature: place for item in inputs for place in item.of_kind("name")[:1]}
    used = {fact.signature for fact in puzzle.facts} & named.keys()
    owners = [item for item in inputs if item.signature in used and item.cells]
    if len(owners) != 1:
        return puzzle
    (owner,) = owners
    order = owner.positions("KRC")
    facts = [fact for fact in puzzle.facts if fact.signature == owner.signature]
    facts.sort(key=lambda fact: [sort_key(fact.arguments[place]) for place in order])
    names = dict.fromkeys(fact.arguments[named[owner.signature]] for fact in facts)
    if others & names.keys():
        return puzzle
    return _renamed(puzzle, dict(zip(names, count(1), strict=False)), named)


def _renamed(
    puzzle: Puzzle, new_names: Mapping[Term, Term], positions: Mapping[tuple[str, int], int]
) -> Puzzle:
    """The puzzle with new names at these positions; unchanged if a new name is already in use."""

    def renamed(fact: Function) -> Function:
        index = positions.get(fact.signature)
        if index is None:
            return fact
        arguments = list(fact.arguments)
        arguments[index] = new_names.get(arguments[index], arguments[index])
        return Function(fact.name, tuple(arguments))

    kept = {
        fact.arguments[positions[fact.signature]]
        for fact in puzzle.facts
        if fact.signature in positions
    } - new_names.keys()
    if not kept.isdisjoint(new_names.values()):
        return puzzle
    return puzzle.replace(facts=tuple(map(renamed, puzzle.facts)))
