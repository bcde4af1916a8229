"""Puzzles as diagrams: shapes first, then SVG, HTML, LaTeX, PNG or PDF."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from aspdoku.drawing.page import Picture
from aspdoku.drawing.picture import picture

if TYPE_CHECKING:
    from aspdoku.drawing.style import DrawStyle
    from aspdoku.program import Program
    from aspdoku.puzzle import Function, Solution

__all__ = ["Picture", "picture", "picture_of_program"]


def picture_of_program(
    program: Program,
    styles: Iterable[DrawStyle],
    derived: Iterable[Function] = (),
    solution: Solution | None = None,
    candidates: Sequence[Sequence[Sequence[int]]] = (),
    captions: bool = True,
    remark: str = "",
) -> Picture:
    """The picture of a program's puzzle or of a solution of it, with the titles of its rules below.

    The other parameters are those of `picture`.
    """
    from aspdoku.drawing.style import is_retracted
    from aspdoku.program import library

    rules = [part.rule for part in program.parts]
    active = [rule for rule in rules if not is_retracted(rule, program.puzzle.without)]
    used = {item.signature for rule in active for item in rule.inputs}
    unused = {item.signature for rule in rules for item in rule.inputs} - used
    standard = {library.base(), *library.defaults()}
    titles = {rule.name: rule.title for rule in active if rule not in standard}
    boxes = all(rule in active for rule in library.defaults())
    return picture(
        solution or program.puzzle,
        styles,
        derived,
        titles,
        candidates,
        boxes,
        unused,
        captions,
        remark,
    )
