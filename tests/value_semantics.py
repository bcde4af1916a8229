"""Sums in plain Python, of values that differ from the numbers in the cells (`choice_semantics`).

`SUMS` has for each rule about sums whether a grid of numbers with a grid of values satisfies it:
only what is added up, and what the sum is compared with, are values.
"""

from __future__ import annotations

from collections.abc import Callable

from choice_semantics import satisfies_killer
from rule_semantics import (
    RULE_SEMANTICS,
    Facts,
    Grid,
    labelled,
    lines,
    number,
    numbers_from_edge,
)


def at_edges(name: str, most: Callable[[list[int]], int]) -> Callable[[Grid, Grid, Facts], bool]:
    """The values at the first places add up to the clue; the numbers say how many there are."""
    return lambda grid, values, facts: all(
        sum(numbers_from_edge(values, edge, line)[: most(numbers_from_edge(grid, edge, line))])
        == total
        for edge, line, total in facts[name]
    )


def ascending(numbers: list[int]) -> int:
    return next((k for k in range(1, len(numbers)) if numbers[k] <= numbers[k - 1]), len(numbers))


def between(numbers: list[int], values: list[int]) -> int:
    one, two = sorted((numbers.index(min(numbers)), numbers.index(max(numbers))))
    return sum(values[one + 1 : two])


def satisfies_sandwich(grid: Grid, values: Grid, facts: Facts) -> bool:
    columns = list(zip(*grid, strict=True)), list(zip(*values, strict=True))
    return all(
        between([*units[0][place - 1]], [*units[1][place - 1]]) == total
        for name, units in (("sandwich_row", (grid, values)), ("sandwich_column", columns))
        for place, total in facts[name]
    )


def satisfies_lunchbox(grid: Grid, values: Grid, facts: Facts) -> bool:
    (line,) = lines(facts, "lunchbox")
    numbers = [number(grid, cell) for cell in line]
    inside = between(numbers, [number(values, cell) for cell in line])
    return len({*numbers}) == len(numbers) and all(
        inside == total for _, total in facts["lunchbox_value"]
    )


def satisfies_bounded_cage(grid: Grid, values: Grid, facts: Facts) -> bool:
    cages = labelled(facts, "bounded_cage")
    totals = {label: sum(number(values, each) for each in cells) for label, cells in cages.items()}
    return (
        all(len({number(grid, each) for each in cells}) == len(cells) for cells in cages.values())
        and all(totals[label] >= total for label, total in facts.get("bounded_cage_least", []))
        and all(totals[label] <= total for label, total in facts.get("bounded_cage_most", []))
    )


def satisfies_pill_arrow(grid: Grid, values: Grid, facts: Facts) -> bool:
    """A pill spells a number with its digits; the shaft has values."""
    ((_, size),) = facts["pill_arrow_pill"] or [(1, 2)]
    (line,) = lines(facts, "pill_arrow")
    written = int("".join(str(number(grid, cell)) for cell in sorted(line[:size])))
    return written == sum(number(values, cell) for cell in line[size:])


def of_values(name: str) -> Callable[[Grid, Grid, Facts], bool]:
    """Of a rule that is about nothing but sums."""
    return lambda _, values, facts: RULE_SEMANTICS[name].holds(values, facts)


PURE = (
    "arrow",
    "double-arrow",
    "equal-sums",
    "frame-sum",
    "little-killer",
    "negative-xv",
    "region-sum-line",
    "segment-sums",
    "square-cage",
    "sum-cage",
    "sum-line",
    "xv",
    "zipper",
)
SUMS = {name: of_values(name) for name in PURE} | {
    "bounded-cage": satisfies_bounded_cage,
    "killer": satisfies_killer,
    "lunchbox": satisfies_lunchbox,
    "pill-arrow": satisfies_pill_arrow,
    "sandwich": satisfies_sandwich,
    "starter": at_edges("starter", ascending),
    "x-sum": at_edges("x_sum", lambda numbers: numbers[0]),
}
