"""The game "guess the rule" of a page: programs with which clingo in the browser separates the
rules of the hypothesis space, by the method of `lecture.learning`.
"""

from __future__ import annotations

from typing import Any

from aspdoku.lecture.learning import hypotheses
from aspdoku.program import RuleFile, assemble, library
from aspdoku.program.transform import negate
from aspdoku.puzzle import Puzzle
from aspdoku.web.board import drawing_of

SIZES = (4, 6)
# With facts left(I) for the rules that are left: how far a grid is from being forbidden by half of
# them.
_QUERY = """
#defined left/1.
unbalance(|2*K-T|) :- K = #count { I : left(I), broken(I) }, T = #count { I : left(I) }.
"""


def game() -> dict[str, Any]:
    """The game as JSON for the page's script.

    rules: those of the hypothesis space: name, title and text, and whether it is bundled as it is
    sizes: for each size, its number of rows as `size`; a `program` whose solutions are its grids,
    with the atoms broken(I) for the rules that a grid violates; and the `drawing` of a blank grid
    """
    space = hypotheses()
    bundled = {rule.place for rule in library.available_rules()}
    return {
        "rules": [
            {
                "name": rule.name,
                "title": rule.title,
                "text": rule.text,
                "bundled": rule.place in bundled,
            }
            for rule in space.rules
        ],
        "sizes": [_board(size, space.rules) for size in SIZES],
    }


def _board(size: int, rules: tuple[RuleFile, ...]) -> dict[str, Any]:
    blank = Puzzle.blank(size)
    base = library.game()
    negated = [negate(rule, f"hypothesis_{index}") for index, rule in enumerate(rules)]
    broken = [f"broken({index}) :- {each.name}_broken." for index, each in enumerate(negated)]
    query = RuleFile("game", "game", "\n".join([*broken, _QUERY]), vetted=True)
    program = assemble(blank, [*base, *negated, query])
    return {
        "size": size,
        "program": program.text,
        "drawing": drawing_of(assemble(blank, base)),
    }
