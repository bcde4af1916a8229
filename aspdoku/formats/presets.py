"""What the kinds of puzzles in the formats of other programs are called here.

A table of their facts and rules.
"""

from __future__ import annotations

from typing import NamedTuple


class RuleSet(NamedTuple):
    """What a kind adds to the ordinary game.

    The predicates of its facts, the rules that read them, and rules taken back.
    """

    predicates: tuple[tuple[str, int], ...] = ()
    elaborations: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


PLAIN = RuleSet()
MARKED = RuleSet((("pencilmark", 3),), ("pencilmarks",))
JIGSAW = RuleSet((("box", 3),))
KILLER = RuleSet((("cage", 3), ("cage_value", 2)), ("killer",))
KILLER_ON_DIAGONALS = KILLER._replace(elaborations=("killer", "diagonal"))
PARITY = RuleSet((("even", 2), ("odd", 2)), ("even", "odd"))
STRIMKO = RuleSet((("chain", 3),), ("chain",), ("box",))
GREATER = RuleSet((("gt", 4),), ("greater-than",))
FUTOSHIKI = GREATER._replace(without=("box",))
