"""Whether two puzzles say the same, whatever regions, cages and lines are called in them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping

from aspdoku.puzzle.puzzle import REGION, Puzzle
from aspdoku.puzzle.term import Term

Signature = tuple[str, int]

# Predicates in which a thing has a name of its own, and where in their facts it stands; of what has parts, the part's behind it.
_REGIONS = ("cage", "chain", "extra_region", "look_at_least", "sum_cage")
_LINES = (
    *("arrow", "between", "double_arrow", "entropic", "little_killer", "lockout", "lunchbox", "modular", "nabner", "palindrome"),
    *("pill_arrow", "region_sum_line", "renban", "slow_thermo", "sum_line", "thermo", "value_index", "whispers", "zipper"),
)
_VALUED = ("cage", "little_killer", "lockout", "lunchbox", "modular", "sum_cage", "sum_line", "whispers")
NAMES: Mapping[Signature, tuple[int, ...]] = {
    **{(name, 3): (2,) for name in _REGIONS},
    **{(name, 4): (0,) for name in _LINES},
    **{(f"{name}_value", 2): (0,) for name in _VALUED},
    **{("look_at_least_count", 3): (0,), ("pill_arrow_pill", 2): (0,), ("sum_line_loop", 1): (0,)},
    **{("clone", 5): (0,), ("pair", 5): (0,), ("pair_allowed", 3): (0,)},
    **{("equal_sum_cage", 4): (2, 3), ("same_values", 4): (2, 3)},
}

# Lines of which the sum counts alone, so that it does not matter at which end they begin: where the place of a cell stands.
SUMMED: Mapping[Signature, int] = {("little_killer", 4): 1}

# The last argument that is meant, in a grid of so many rows, where no fact of these says any: of a line, or at all.
UNSAID: Mapping[str, Callable[[int], int]] = {
    "lockout_value": lambda size: size // 2,
    "modular_value": lambda _: 3,
    "negative_black_dot": lambda _: 2,
    "pill_arrow_pill": lambda _: 2,
    "whispers_value": lambda size: (size + 1) // 2,
}

_SUFFIX = re.compile("_(value|count|pill|loop|allowed)$")

Said = tuple[Signature, tuple[Term, ...], tuple[int, ...]]  # a fact, and where the names in it stand


def same(one: Puzzle, other: Puzzle) -> bool:
    """Whether everything that one of them says, but for the title, is what the other says."""
    return _told(one) == _told(other)


def _told(puzzle: Puzzle) -> object:
    rules = frozenset(puzzle.elaborations), frozenset(puzzle.without)
    return puzzle.grid, puzzle.numbers, rules, puzzle.unread, _regions(puzzle), _nameless(puzzle)


def _regions(puzzle: Puzzle) -> object:
    """The cells of each region, whether it is drawn or has the shape of a box."""
    regions: dict[object, set[tuple[Term, Term]]] = defaultdict(set)
    if puzzle.box is None:
        for fact in puzzle.facts:
            if fact.signature == REGION:
                row, column, label = fact.arguments
                regions[label].add((row, column))
    else:
        height, width = puzzle.box
        span = range(puzzle.size)
        for cell in ((row, column) for row in span for column in span):
            regions[cell[0] // height, cell[1] // width].add((cell[0] + 1, cell[1] + 1))
    return frozenset(map(frozenset, regions.values()))


def _nameless(puzzle: Puzzle) -> object:
    """What the facts say beside regions: all that is said of one thing together, and without its name."""
    bare = set()
    families: dict[str, list[Said]] = defaultdict(list)
    values = Counter((fact.name, fact.arguments[:-1]) for fact in puzzle.facts)
    for fact in puzzle.facts:
        alone = values[fact.name, fact.arguments[:-1]] == 1
        if alone and fact.name in UNSAID and fact.arguments[-1] == UNSAID[fact.name](puzzle.size):
            continue
        if fact.signature in NAMES:
            said = _blank(fact.arguments, SUMMED[fact.signature]) if fact.signature in SUMMED else fact.arguments
            families[_SUFFIX.sub("", fact.name)].append((fact.signature, said, NAMES[fact.signature]))
        elif fact.signature != REGION:
            bare.add(fact)
    return bare, {family: _things(said) for family, said in families.items()}


def _things(said: list[Said]) -> frozenset[object]:
    """What is said of each thing, or, where no names are left, just what is said."""
    things: dict[Term, list[Said]] = defaultdict(list)
    for signature, arguments, (place, *rest) in said:
        things[arguments[place]].append((signature, _blank(arguments, place), tuple(rest)))
    return frozenset(frozenset(each) if not each[0][2] else _things(each) for each in things.values())


def _blank(arguments: tuple[Term, ...], place: int) -> tuple[Term, ...]:
    """The arguments, one of which does not matter."""
    return (*arguments[:place], 0, *arguments[place + 1 :])
