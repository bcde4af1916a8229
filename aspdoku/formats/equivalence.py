"""Whether two puzzles say the same, whatever regions, cages and lines are called in them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping

from aspdoku.formats.defaults import UNSAID, Signature
from aspdoku.puzzle.puzzle import REGION, Puzzle
from aspdoku.puzzle.term import Term

# Predicates in which a thing has a name of its own, and where in their facts it stands; of what has
# parts, the part's behind it.
_REGIONS = ("cage", "chain", "extra_region", "look_at_least", "sum_cage")
_LINES = (
    *(
        "arrow",
        "between",
        "double_arrow",
        "entropic",
        "little_killer",
        "lockout",
        "lunchbox",
        "modular",
        "nabner",
        "palindrome",
    ),
    *(
        "pill_arrow",
        "region_sum_line",
        "renban",
        "slow_thermo",
        "sum_line",
        "thermo",
        "value_index",
        "whispers",
        "zipper",
    ),
)
_VALUED = (
    "cage",
    "little_killer",
    "lockout",
    "lunchbox",
    "modular",
    "sum_cage",
    "sum_line",
    "whispers",
)
NAMES: Mapping[Signature, tuple[int, ...]] = {
    **{(name, 3): (2,) for name in _REGIONS},
    **{(name, 4): (0,) for name in _LINES},
    **{(f"{name}_value", 2): (0,) for name in _VALUED},
    **{("look_at_least_count", 3): (0,), ("pill_arrow_pill", 2): (0,), ("sum_line_loop", 1): (0,)},
    **{("clone", 5): (0,), ("pair", 5): (0,), ("pair_allowed", 3): (0,)},
    **{("equal_sum_cage", 4): (2, 3), ("same_values", 4): (2, 3)},
}

# Lines of which the sum counts alone, so that it does not matter at which end they begin: where the
# place of a cell stands.
SUMMED: Mapping[Signature, int] = {("little_killer", 4): 1}

_SUFFIX = re.compile("_(value|count|pill|loop|allowed)$")

Said = tuple[
    Signature, tuple[Term, ...], tuple[int, ...]
]  # a fact, and where the names in it stand


def differences(one: Puzzle, other: Puzzle) -> list[str]:
    """What of the one the other says in another way, or not at all.

    Nothing where they say the same but for the title.
    """
    told, retold = _told(one), _told(other)
    return [name for name in told if told[name] != retold.get(name)] or [
        name for name in retold if name not in told
    ]


def _told(puzzle: Puzzle) -> dict[str, object]:
    """All that a puzzle says, by what it is called in a complaint."""
    return {
        "its givens": puzzle.grid,
        "its numbers": puzzle.numbers,
        **{f"the rule {name}": True for name in puzzle.elaborations},
        **{f"`without: {name}`": True for name in puzzle.without},
        **{f"what was not understood ({text})": True for text in puzzle.unsupported},
        "its regions": _regions(puzzle),
        **_nameless(puzzle),
    }


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


def _nameless(puzzle: Puzzle) -> dict[str, object]:
    """What the facts say beside regions, by their predicates.

    All that is said of one thing together, and without its name.
    """
    bare: dict[str, object] = {}
    families: dict[str, list[Said]] = defaultdict(list)
    values = Counter((fact.name, fact.arguments[:-1]) for fact in puzzle.facts)
    for fact in puzzle.facts:
        alone = values[fact.name, fact.arguments[:-1]] == 1
        if (
            alone
            and fact.signature in UNSAID
            and fact.arguments[-1] == UNSAID[fact.signature](puzzle.size)
        ):
            continue
        if fact.signature in NAMES:
            said = (
                _blank(fact.arguments, SUMMED[fact.signature])
                if fact.signature in SUMMED
                else fact.arguments
            )
            families[_SUFFIX.sub("", fact.name)].append(
                (fact.signature, said, NAMES[fact.signature])
            )
        elif fact.signature != REGION:
            bare[f"the fact {fact}"] = True
    return bare | {f"what is said of {family}": _things(said) for family, said in families.items()}


def _things(said: list[Said]) -> frozenset[object]:
    """What is said of each thing, or, where no names are left, just what is said."""
    things: dict[Term, list[Said]] = defaultdict(list)
    for signature, arguments, (place, *rest) in said:
        things[arguments[place]].append((signature, _blank(arguments, place), tuple(rest)))
    return frozenset(
        frozenset(Counter(each).items()) if not each[0][2] else _things(each)
        for each in things.values()
    )


def _blank(arguments: tuple[Term, ...], place: int) -> tuple[Term, ...]:
    """The arguments, one of which does not matter."""
    return (*arguments[:place], 0, *arguments[place + 1 :])
