"""The facts and rules of the types of puzzle in the formats of other programs."""

from __future__ import annotations

from typing import NamedTuple

from aspdoku.puzzle.term import Signature


class RuleSet(NamedTuple):
    """The difference between a type of puzzle and an ordinary sudoku.

    predicates: the signatures of its facts
    elaborations: the rules that use them
    without: the rules that it retracts
    """

    predicates: tuple[Signature, ...] = ()
    elaborations: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


PLAIN = RuleSet()
PENCILMARKED = RuleSet((("pencilmark", 3),), ("pencilmarks",))
JIGSAW = RuleSet((("box", 3),))
KILLER = RuleSet((("cage", 3), ("cage_value", 2)), ("killer",))
KILLER_ON_DIAGONALS = KILLER._replace(elaborations=("killer", "diagonal"))
PARITY = RuleSet((("even", 2), ("odd", 2)), ("even", "odd"))
STRIMKO = RuleSet((("chain", 3),), ("chain",), ("box",))
GREATER = RuleSet((("gt", 4),), ("greater-than",))
FUTOSHIKI = GREATER._replace(without=("box",))
