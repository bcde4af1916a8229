"""A puzzle as it stands in print: shapes first, then SVG, HTML, LaTeX, PNG or PDF of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from aspdoku.draw.page import Picture
from aspdoku.draw.picture import picture

if TYPE_CHECKING:
    from aspdoku.draw.style import Look
    from aspdoku.program import Program
    from aspdoku.puzzle import Function, Solution

__all__ = ["Picture", "of_program", "picture"]


def of_program(
    program: Program,
    looks: Iterable[Look],
    derived: Iterable[Function] = (),
    solution: Solution | None = None,
    candidates: Sequence[Sequence[Sequence[int]]] = (),
    words: bool = True,
    remark: str = "",
) -> Picture:
    """The picture of a program's puzzle, or of a solution, with what its rules say below.

    See `picture` for the rest.
    """
    from aspdoku.draw.style import taken_back
    from aspdoku.program import library

    rules = [part.rule for part in program.parts]
    held = [rule for rule in rules if not taken_back(rule, program.puzzle.without)]
    heard = {each.signature for rule in held for each in rule.inputs}
    unheard = {each.signature for rule in rules for each in rule.inputs} - heard
    usual = {library.base(), *library.defaults()}
    titles = {rule.name: rule.title for rule in held if rule not in usual}
    boxes = all(rule in held for rule in library.defaults())
    return picture(
        solution or program.puzzle,
        looks,
        derived,
        titles,
        candidates,
        boxes,
        unheard,
        words,
        remark,
    )
