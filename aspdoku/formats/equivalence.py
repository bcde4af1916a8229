"""Compare two puzzles up to renaming of regions, cages and lines, unless facts refer to the names.

Which arguments of a fact are such names, and which values the rules assume if a fact is missing,
is declared in the rule files: see `Input`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from functools import cache
from typing import NamedTuple

from aspdoku.formats.base import by_key, lost_rules
from aspdoku.formats.boards import BOARD_BOX, boards_of, boxes_of, regions_on
from aspdoku.formats.shapes import by_last
from aspdoku.program.library import bundled_inputs, default_values, refers_to_clues
from aspdoku.puzzle.puzzle import REGION, RULES_IN_WORDS, Puzzle, box_shape, format_range
from aspdoku.puzzle.term import Function, Signature, Term

# Lines of which only the sum counts, so that they may be listed from either end.
_REGIONS = "its regions"
UNORDERED_LINES = {"little_killer"}


Arguments = tuple[object, ...]


class _Fact(NamedTuple):
    """A fact about something that has a name.

    names: the positions of its names among the arguments, the outermost first
    """

    signature: Signature
    arguments: Arguments
    names: tuple[int, ...]


@cache
def _shared_positions() -> dict[Signature, int]:
    """For each predicate of things that lines share, the argument position of their name."""
    return {
        signature: shared
        for signature, (declared, _) in bundled_inputs().items()
        for shared in declared.of_kind("shared")
        if not declared.names
    }


def differences(one: Puzzle, other: Puzzle) -> list[str]:
    """The parts of `one` that `other` lacks or states differently; empty for equivalent puzzles.
    Texts for people are ignored, and that `other` has rules in words, which are then such a text.
    """
    rules = [rule for rule in one.elaborations if rule not in other.elaborations]
    missing = _signatures(one) - _signatures(other)
    parts, others = _parts(one), _parts(other)
    if not rules:  # facts of lost rules are lost, too
        parts |= _fact_parts(one, missing)
        others |= _fact_parts(other)
    parts |= {_rule(rule): None for rule in rules}
    lost = [name for name in parts if parts[name] != others.get(name)]
    if one.box and one.box != box_shape(one.size):
        boxes = "boxes of {}x{}".format(*one.box)
        lost = [boxes if name == _REGIONS else name for name in lost]
    words = _unsupported(RULES_IN_WORDS).rstrip(")")
    more = {name for name in others if not name.startswith(words)} - parts.keys()
    return [*lost_rules(rules, missing), *lost] or [
        f"a puzzle without {name}" for name in others if name in more
    ]


def _signatures(puzzle: Puzzle) -> set[Signature]:
    stated = {fact.signature for fact in {*puzzle.facts} - _default_facts(puzzle)}
    return stated - {REGION, BOARD_BOX}


def _parts(puzzle: Puzzle) -> dict[str, object]:
    """The content of a puzzle other than its facts, each part with its name for messages."""
    boards = boards_of(puzzle)
    regions = regions_on(puzzle, boards) if boards else _regions(puzzle)
    # Where there are no regions, it does not matter whether the rule about them is retracted.
    without = [name for name in puzzle.without if regions or name != "box"]
    names = [
        *map(_rule, puzzle.elaborations),
        *(f"`without: {name}`" for name in without),
        *map(_unsupported, puzzle.unsupported),
    ]
    return {
        "its givens": puzzle.grid,
        f"the numbers {format_range(puzzle.numbers)}": True,
        **dict.fromkeys(names, True),
        _REGIONS: regions,
    }


def _rule(name: str) -> str:
    return f"the rule {name}"


def _unsupported(text: str) -> str:
    return f"the unsupported constraint ({text})"


def _regions(puzzle: Puzzle) -> object:
    """The sets of cells of the regions, whether given as facts or as a box shape."""
    if puzzle.box:
        return frozenset(map(frozenset, boxes_of(puzzle.size, puzzle.box)))
    drawn = by_last(fact.arguments for fact in puzzle.facts if fact.signature == REGION)
    return frozenset(map(frozenset, drawn.values()))


def _fact_parts(puzzle: Puzzle, missing: Collection[Signature] = ()) -> dict[str, object]:
    """The facts of other predicates, without regions; those about names by rule, without names."""
    others = {REGION, *([BOARD_BOX] if boards_of(puzzle) else []), *missing}
    parts: dict[str, object] = {}
    by_rule: dict[str, list[_Fact]] = defaultdict(list)
    defaults = _default_facts(puzzle)
    shared = _shared_things(puzzle)
    referred = refers_to_clues(puzzle.facts)
    for fact in puzzle.facts:
        if fact in defaults or fact.signature in {*others, *_shared_positions()}:
            continue
        declared, rule = bundled_inputs().get(fact.signature, (None, ""))
        if not declared or not declared.names or referred:
            parts[f"the fact {fact}"] = True
            continue
        arguments: Arguments = fact.arguments
        for position in declared.of_kind("shared"):
            about = shared.get(fact.arguments[position])
            arguments = _with(arguments, position, about)
        if fact.name in UNORDERED_LINES and declared.position is not None:
            arguments = _with(arguments, declared.position, 0)
        by_rule[rule].append(_Fact(fact.signature, arguments, declared.names))
    if shared:
        parts["what lines share"] = frozenset(shared.values())
    return parts | {f"the facts of {rule}": _things(facts) for rule, facts in by_rule.items()}


def _default_facts(puzzle: Puzzle) -> set[Function]:
    """The facts that state exactly the values that the rules assume without them."""
    values: dict[tuple[Signature, tuple[Term, ...]], set[Term]] = defaultdict(set)
    for fact in (fact for fact in puzzle.facts if fact.arguments):
        values[fact.signature, fact.arguments[:-1]].add(fact.arguments[-1])
    return {
        Function(signature[0], (*others, value))
        for (signature, others), stated in values.items()
        if stated == {*default_values(*signature, len(puzzle.numbers))}
        for value in stated
    }


def _things(facts: list[_Fact]) -> frozenset[object]:
    things = by_key(
        (arguments[position], _Fact(signature, _with(arguments, position, 0), tuple(inner)))
        for signature, arguments, (position, *inner) in facts
    )
    return frozenset(
        _things(about) if about[0].names else frozenset(Counter(about).items())
        for about in things.values()
    )


def _shared_things(puzzle: Puzzle) -> dict[Term, frozenset[object]]:
    found: dict[Term, set[object]] = defaultdict(set)
    for fact in puzzle.facts:
        position = _shared_positions().get(fact.signature)
        if position is not None:
            about = _with(fact.arguments, position, 0)
            found[fact.arguments[position]].add((fact.signature, about))
    return {name: frozenset(about) for name, about in found.items()}


def _with(arguments: Arguments, position: int, value: object) -> Arguments:
    """The arguments with this value in place of one: a constant, if that is not compared."""
    return (*arguments[:position], value, *arguments[position + 1 :])
