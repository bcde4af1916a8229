"""Partial grids that are alike: some permutation of the cells to come that keeps their neighbours
turns one into the other, so both can be completed in as many ways. After the first three rows of a
9x9 sudoku, for example, columns of a stack can be exchanged, and so can stacks: of 22,620 partial
grids, 44 are unlike (Felgenhauer and Jarvis, with 6,670,903,752,021,072,936,960 grids in all).

The permutations are found on the requirements; no rule is known by name. They move whole groups of
cells that share a bit of the masks in `arrays`, the first cell of a group to the first of another,
and so on. As in the algorithm of Schreier and Sims, the ones that are kept bring some group to a
place and leave the groups of earlier places alone. For each place, a partial grid is changed by
that which brings the group with the least invariant there: a number that does not depend on the
order of groups. Where different groups have the same invariant, partial grids that are alike may
stay apart, which changes no sum.

This module needs numpy: `pip install 'aspdoku[count]'`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aspdoku.counting.table import Differences

_Words = NDArray[np.uint64]
# Bits and their cells, of which those at the same index are moved to each other.
Groups = Mapping[int, Sequence[int]]

# Images that are tried for one permutation; what is not found by then is not used.
_MOST_TRIED = 20_000


class _Place(NamedTuple):
    """A bit, and for each bit that can come there a permutation that does so and leaves the bits of
    earlier places alone.
    """

    bit: int
    moves: dict[int, dict[int, int]]


class Orbits:
    """The permutations of the cells to come, after each cell.

    groups: after each cell, the cells to come by the bit that they share
    """

    def __init__(
        self,
        required: Differences,
        order: list[int],
        classes: list[tuple[int, int]],
        groups: list[Groups],
    ) -> None:
        self._neighbours = [required.neighbours[order[first]] for first, _ in classes]
        self._kinds = np.repeat(
            np.arange(1, len(classes) + 1, dtype=np.uint64),
            [last - first for first, last in classes],
        )
        self._groups = [*groups, {}]
        self._known: dict[int, list[_Place]] = {}

    def at_peak(self, cell: int) -> int:
        """How many permutations there are after a cell, if they are more than before it, and no
        fewer than after the next one; otherwise 0.
        """
        before, here, after = (self._number(each) for each in (cell - 1, cell, cell + 1))
        return here if before < here >= after else 0

    def representatives(self, cell: int, masks: _Words) -> _Words:
        """One for all partial grids that are alike, as far as they are recognised; the masks of a
        class of numbers are no longer in order.
        """
        masks = masks.copy()
        common = [
            (one, other, _OF_COMMON[np.bitwise_count(masks[one] & masks[other])])
            for one, other in combinations(range(len(masks)), 2)
        ]
        placed = 0
        for bit, moves in self._places(cell):
            # Of each number: its mask in the places so far, and what it has in common with others.
            own = _mixed((masks & np.uint64(placed)) + _mixed(self._kinds)[:, None])
            numbers = own * MULTIPLIER
            for one, other, both in common:
                numbers[one] += own[other] * both
                numbers[other] += own[one] * both
            numbers = _mixed(numbers)
            brought = [bit, *moves]
            invariants = [
                ((masks >> np.uint64(each) & np.uint64(1)) * numbers).sum(axis=0)
                for each in brought
            ]
            least = np.argmin(invariants, axis=0)
            for index, each in enumerate(brought[1:], 1):
                where = np.flatnonzero(least == index)
                masks[:, where] = _permuted(masks[:, where], moves[each])
            placed |= 1 << bit
        return masks

    def _number(self, cell: int) -> int:
        return prod(len(place.moves) + 1 for place in self._places(cell))

    def _places(self, cell: int) -> list[_Place]:
        if cell not in self._known:
            self._known[cell] = _places(self._groups[cell], self._neighbours)
        return self._known[cell]


def _places(groups: Groups, neighbours: Sequence[Sequence[int]]) -> list[_Place]:
    bits = sorted(groups)
    ids: dict[tuple[int, ...], int] = {}

    def relation(one: int, other: int) -> int:
        """A number for which cells of two groups are neighbours."""
        pairs = ((cell, to) for cell in groups[one] for to in groups[other])
        reached = (each[cell] >> to & 1 for cell, to in pairs for each in neighbours)
        key = len(groups[one]), len(groups[other]), *reached
        return ids.setdefault(key, len(ids))

    related = {one: {other: relation(one, other) for other in bits} for one in bits}
    kinds = {bit: (related[bit][bit], sorted(related[bit].values())) for bit in bits}
    tried = 0  # for the permutation that is sought

    def extended(images: list[int]) -> list[int] | None:
        """The images of all bits, from those of the first ones."""
        nonlocal tried
        last = len(images) - 1
        tried += 1
        if tried > _MOST_TRIED or kinds[bits[last]] != kinds[images[last]]:
            return None
        one, its = related[bits[last]], related[images[last]]
        if any(one[bit] != its[image] for bit, image in zip(bits, images, strict=False)):
            return None
        if last + 1 == len(bits):
            return images
        # The bit itself first: most of the permutations move few.
        for image in sorted({*bits} - {*images}, key=lambda each: each != bits[last + 1]):
            if found := extended([*images, image]):
                return found
        return None

    places = []
    for index, bit in enumerate(bits):
        moves = {}
        for other in bits[index + 1 :]:
            tried = 0
            if images := extended([*bits[:index], other]):
                moves[other] = dict(zip(images, bits, strict=True))
        if moves:
            places.append(_Place(bit, moves))
    return places


def _permuted(masks: _Words, move: Mapping[int, int]) -> _Words:
    by_distance: dict[int, int] = defaultdict(int)
    for bit, place in move.items():
        by_distance[place - bit] |= 1 << bit
    moved = np.zeros_like(masks)
    for distance, bits in by_distance.items():
        part = masks & np.uint64(bits)
        moved |= part << np.uint64(distance) if distance > 0 else part >> np.uint64(-distance)
    return moved


def _mixed(words: _Words) -> _Words:
    """Numbers that differ in about half of the bits if the words differ in one."""
    words = words * MULTIPLIER
    return words ^ words >> np.uint64(29)


# The golden ratio in 64 bits, as in Fibonacci hashing: odd, with bits as those of a random number.
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
# By how many bits two masks have in common.
_OF_COMMON = _mixed(np.arange(1, 66, dtype=np.uint64))
