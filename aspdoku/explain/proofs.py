"""Ways of a refutation, to be told.

Inference by inference, and through cases where it takes any.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

from aspdoku.explain.linear import Mask
from aspdoku.explain.propagation import Inference, Propagator, relevant_inferences

# Cases of a whole proof.
_MOST_CASES_OF_ALL = 60


class Derivation(NamedTuple):
    """The way of a refutation: inferences, the last of which breaks a rule or leaves the cases.

    Each case with its own way.
    """

    links: list[Inference]
    cases: list[tuple[int, Derivation]]

    @property
    def all_links(self) -> list[Inference]:
        """Those of the cases too."""
        return [*self.links, *(link for _, case in self.cases for link in case.all_links)]


class _Scene(NamedTuple):
    """Where a way is looked for.

    What holds, the links to it, all that was supposed, and what was inferred outside.
    """

    holding: dict[int, Mask]
    links: dict[int, Inference]
    supposed: set[int]
    outside: frozenset[int]


def derive(propagator: Propagator, supposed: int, allowed: Mask) -> Derivation | None:
    """The way from a supposition to something that breaks, by these rules only, through cases where
    it takes any.

    None where there is none, or none of so few cases that somebody would read it.
    """
    holding = propagator.given(allowed)
    links = {literal: propagator.way_to(literal) for literal in holding}
    found = _way(
        propagator,
        supposed,
        _Scene(holding, links, {supposed}, frozenset()),
        allowed,
        [_MOST_CASES_OF_ALL],
    )
    return found and found[0]


def _way(
    propagator: Propagator, supposed: int, scene: _Scene, allowed: Mask, budget: list[int]
) -> tuple[Derivation, set[int]] | None:
    """The way from a supposition, and the literals inferred outside that it uses."""

    def parted(end: Inference) -> tuple[list[Inference], set[int]]:
        way = relevant_inferences(end, scene.links, scene.supposed)
        used = {link.literal for link in way if link.literal in scene.outside}
        return [link for link in way if link.literal not in used], used

    end = _follow(propagator, supposed, scene.holding, scene.links, allowed)
    if end is not None:
        links, used = parted(end)
        return Derivation(links, []), used
    place = _parting(propagator, scene.holding, allowed)
    if place is None:
        return None
    left = propagator.cases_left(place, scene.holding, allowed)
    budget[0] -= len(left)
    if budget[0] < 0:
        return None
    parting = propagator.leaving(place, scene.holding, left)
    cases: list[tuple[int, Derivation]] = []
    before: set[int] = set()
    for case in left:
        inner = _Scene(
            dict(scene.holding), dict(scene.links), {*scene.supposed, case}, frozenset(scene.links)
        )
        found = _way(propagator, case, inner, allowed, budget)
        if found is None:
            return None
        cases.append((case, found[0]))
        before |= found[1]
    (*common, _), used = parted(parting._replace(uses=(*parting.uses, *sorted(before))))
    return Derivation([*common, parting], cases), used


def _parting(propagator: Propagator, holding: Mapping[int, Mask], allowed: Mask) -> int | None:
    """The clause whose cases break soonest.

    The fewest of them go on, and then it has the fewest.
    """
    most = len(propagator.constraints.instances) + 1
    best, found = (most, most), None
    breaks: dict[int, bool] = {}
    for place in range(len(propagator.constraints.clauses)):
        left = propagator.cases_left(place, holding, allowed)
        if len(left) < 2:
            continue
        for literal in left:
            if literal not in breaks:
                breaks[literal] = propagator.refute(literal, most, allowed, holding) is not None
        score = sum(not breaks[literal] for literal in left), len(left)
        if score < best:
            best, found = score, place
    return found


def _follow(
    propagator: Propagator,
    supposed: int,
    holding: dict[int, Mask],
    links: dict[int, Inference],
    allowed: Mask,
) -> Inference | None:
    """Add what follows from a supposition to what holds, and the links to it, until something
    breaks: that link.
    """
    waiting = deque([supposed])
    while waiting:
        literal = waiting.popleft()
        if literal in holding:
            continue
        holding[literal] = 0
        for link in propagator.links(literal, holding, allowed):
            if not link.literal or -link.literal in holding or -link.literal in propagator.known:
                return (
                    link
                    if not link.literal
                    else link._replace(literal=0, uses=(*link.uses, -link.literal))
                )
            if link.literal not in holding and link.literal not in links:
                links[link.literal] = link
                waiting.append(link.literal)
    return None
