"""The pages of a class: that of the students, and the wall of the lecturer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from aspdoku.lecture.equivalence import SMALL_SIZES
from aspdoku.markup import render
from aspdoku.program import assemble, library
from aspdoku.puzzle import Puzzle
from aspdoku.web.board import drawing_of
from aspdoku.web.page import rule_parts, scripts

_LARGEST = 9


def student_page(exercises: Iterable[Mapping[str, Any]], token: str) -> str:
    """The page on which students write the rules of exercises, and vote.

    exercises: each with `title`, `task`, and the number of its `hints`
    token: the join code
    """
    data = {
        "exercises": list(exercises),
        "blanks": _blank_boards(),
        "base": rule_parts(library.base()),
        "rules": [rule_parts(rule) for rule in library.defaults()],
    }
    return render(
        "exercise.html.j2", data=data, token=token, scripts=scripts("exercise.js"), kind="exercise"
    )


def wall_page(
    exercises: Iterable[Mapping[str, Any]], join: Mapping[str, Any] | None, token: str
) -> str:
    """The wall: how many have handed in, their answers in groups, and "guess the rule".

    join: `address`, `code`, and `qr` with the path `d` and the `size` of the code as SVG, or None
    token: that of the lecturer
    """
    data = {"exercises": list(exercises), "join": join, "blanks": _blank_boards()}
    return render("wall.html.j2", data=data, token=token, scripts=scripts("wall.js"), kind="wall")


@cache
def _blank_boards() -> dict[int, dict[str, Any]]:
    """The drawing of a blank grid by its size, for the sizes that exercises are compared at."""
    game = library.game()
    sizes = (*SMALL_SIZES, _LARGEST)
    return {size: drawing_of(assemble(Puzzle.blank(size), game)) for size in sizes}
