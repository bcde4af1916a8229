"""Writer for the native format: sections as the known rules declare them, cages as pictures."""

from __future__ import annotations

import string
from itertools import chain, count

from aspdoku.program.library import bundled_inputs, declared_inputs, refers_to_clues
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzle.term import Function, Term
from aspdoku.puzzlefile import writer
from aspdoku.puzzlefile.declared import PICTURE, is_section, shape_of


def write(puzzle: Puzzle) -> str:
    """The puzzle as the text of a puzzle file, which `native.parse` reads as an equal puzzle.

    Raises PuzzleError for content that a file cannot represent, such as a title of two lines.
    """
    return writer.write(puzzle, declared_inputs)


def write_with_labels(puzzle: Puzzle) -> str:
    """The text for an equivalent puzzle, in which numbered cages have letters, to be a picture.

    Names by which other facts refer to clues stay. Raises PuzzleError like `write`.
    """
    if refers_to_clues(puzzle.facts):
        return write(puzzle)
    inputs = bundled_inputs()
    for signature in sorted({fact.signature for fact in puzzle.facts} & inputs.keys()):
        declared, rule = inputs[signature]
        shape = shape_of(declared)
        if signature[1] != PICTURE or not (shape and shape.named):
            continue
        positions = {
            each: item.positions("BI")[0]
            for each, (item, by) in inputs.items()
            if by == rule and len(item.positions("BGI")) == 1
        }
        labelled = _with_labels(puzzle, signature[0], positions)
        if is_section(*signature, list(labelled.facts), puzzle.size):
            puzzle = labelled
    return write(puzzle)


def _with_labels(puzzle: Puzzle, name: str, positions: dict[tuple[str, int], int]) -> Puzzle:
    """The puzzle with letters as the names at these positions, in the order of the cells."""
    place = positions.get((name, PICTURE))
    if place is None or is_section(name, PICTURE, list(puzzle.facts), puzzle.size):
        return puzzle
    names = dict.fromkeys(
        fact.arguments[place] for fact in puzzle.facts if fact.signature == (name, PICTURE)
    )
    letters = chain(
        string.ascii_uppercase, string.ascii_lowercase, (f"A{number}" for number in count(1))
    )
    label_of: dict[Term, Term] = dict(zip(names, letters, strict=False))

    def labelled(fact: Function) -> Function:
        index = positions.get(fact.signature)
        if index is None:
            return fact
        arguments = list(fact.arguments)
        arguments[index] = label_of.get(arguments[index], arguments[index])
        return Function(fact.name, tuple(arguments))

    return puzzle.replace(facts=tuple(map(labelled, puzzle.facts)))
