"""The table of partial grids in arrays, for counts beyond what Python's integers can do in time.

It counts as `table` does, cell by cell, with all partial grids of a cell in arrays: one array of
masks for each number, and the counts in limbs of 32 bits, so that they are exact whatever their
size. Partial grids with the same masks are found by sorting hashes of the masks and comparing
neighbours in that order; those that a collision separates stay apart, which changes no sum.

A mask has 63 bits, fewer than the cells of a 9x9 grid, so cells share a bit as long as they have
the same neighbours among the cells that are filled, and allow the same numbers at first.

If there are many partial grids, those that `orbits` finds alike become one.

This module needs numpy: `pip install 'aspdoku[count]'`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aspdoku.counting.orbits import MULTIPLIER, Groups, Orbits
from aspdoku.counting.table import Differences
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note

_Words = NDArray[np.uint64]

_BITS = 64
_LIMB = 32
# Partial grids that are continued at once, and that are sorted at once: the arrays of a chunk fit
# into the caches of common processors.
_CHUNK = 1 << 16
_RUN = 1 << 21
# Arrays of a run are sorted through copies, which exist in addition to the tables of two cells.
_COPIES = 5
# Of fewer partial grids, it takes longer to find those that are alike than it saves.
_FEW = 10_000
# If a larger share of them is left, no more is gained by as many permutations later on.
_VAIN = 0.9


class _Table(NamedTuple):
    """Partial grids: masks by number and partial grid, and limbs of counts, the lowest first."""

    masks: _Words
    counts: _Words

    @property
    def entries(self) -> int:
        return len(self.masks[0])

    def part(self, begin: int, end: int) -> _Table:
        return _Table(self.masks[:, begin:end], self.counts[:, begin:end])


class _Run(NamedTuple):
    hashes: _Words
    table: _Table


class _Step(NamedTuple):
    """How masks change when a cell is filled.

    cell: the bit of the cell
    freed: the bits that no cell needs any more
    copies: pairs of a bit, and one that gets its value
    forbidden: for each class of numbers, the bits of the cell's neighbours
    """

    cell: int
    freed: int
    copies: tuple[tuple[int, int], ...]
    forbidden: tuple[int, ...]


def count_grids_in_arrays(
    required: Differences, most_entries: int, most_bytes: int, deadline: Deadline
) -> int | None:
    """How many grids satisfy the requirements; None if there are more entries for one cell, if the
    arrays would take more than about `most_bytes`, or masks more than 63 bits. Raises
    TimeLimitError.
    """
    order, classes = required.classes()
    plan = _plan(required, order, classes)
    if plan is None:
        return None
    start, steps, groups = plan
    orbits = Orbits(required, order, classes, groups)
    in_vain = 0  # the most permutations that made hardly any partial grids the same
    tables = [_Table(np.array(start, np.uint64)[:, None], np.ones((1, 1), np.uint64))]
    for cell, step in enumerate(steps):
        entries = sum(table.entries for table in tables)
        note(f"counting: cell {cell + 1} of {len(steps)}, {entries} partial grids")
        words = max((len(table.masks) + len(table.counts) for table in tables), default=1)
        most = min(most_entries, most_bytes // (_COPIES * words * 8))
        parts = (part for chunk in _chunks(tables) for part in _continued(chunk, step, classes))
        following = _collected(parts, most, deadline)
        if following is None:
            return None
        tables = following
        entries = sum(table.entries for table in tables)
        if entries > _FEW and (permutations := orbits.at_peak(cell)) > in_vain:
            parts = (_representatives(each, orbits, cell, classes) for each in _chunks(tables))
            tables = _collected(parts, entries, deadline) or tables
            if sum(table.entries for table in tables) > _VAIN * entries:
                in_vain = permutations
    limbs = (limb for table in tables for limb in enumerate(table.counts))
    return sum(int(limb.sum()) << _LIMB * index for index, limb in limbs)


def _plan(
    required: Differences, order: list[int], classes: list[tuple[int, int]]
) -> tuple[list[int], list[_Step], list[Groups]] | None:
    """The masks of the empty grid, the steps, in which bit 0 is free for `_continued`, and after
    each the cells that share a bit; or None.
    """
    alike: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for cell in range(required.cells):
        alike[tuple(required.allowed[number] >> cell & 1 for number in order)].append(cell)
    if len(alike) >= _BITS:
        return None
    free = set(range(1, _BITS))
    groups: dict[int, list[int]] = {}  # the cells that share a bit
    start = [0] * len(order)
    for allowed, cells in alike.items():
        bit = min(free)
        free.remove(bit)
        groups[bit] = cells
        for index, number_allowed in enumerate(allowed):
            start[index] |= (1 - number_allowed) << bit
    steps: list[_Step] = []
    sharing: list[Groups] = []
    for cell in range(required.cells):
        of_cell = next(bit for bit, cells in groups.items() if cell in cells)
        groups[of_cell].remove(cell)
        freed = [] if groups[of_cell] else [of_cell]
        if freed:
            del groups[of_cell]
        copies = []
        forbidden = [0] * len(classes)
        for bit, cells in list(groups.items()):
            parts: dict[tuple[int, ...], list[int]] = defaultdict(list)
            for other in cells:
                reached = (
                    required.neighbours[order[first]][cell] >> other & 1 for first, _ in classes
                )
                parts[tuple(reached)].append(other)
            for index, (pattern, part) in enumerate(parts.items()):
                place = bit
                if index:
                    # Not the bit that this step frees: its value is still read.
                    if not free:
                        return None
                    place = min(free)
                    free.remove(place)
                    copies.append((bit, place))
                groups[place] = part
                for number, is_reached in enumerate(pattern):
                    forbidden[number] |= is_reached << place
        free.update(freed)
        steps.append(
            _Step(of_cell, sum(1 << bit for bit in freed), tuple(copies), tuple(forbidden))
        )
        sharing.append({bit: tuple(cells) for bit, cells in groups.items()})
    return [mask for first, last in classes for mask in sorted(start[first:last])], steps, sharing


def _chunks(tables: list[_Table]) -> Iterator[_Table]:
    for table in tables:
        for begin in range(0, table.entries, _CHUNK):
            yield table.part(begin, begin + _CHUNK)


def _representatives(
    table: _Table, orbits: Orbits, cell: int, classes: list[tuple[int, int]]
) -> _Table:
    masks = orbits.representatives(cell, table.masks)
    for first, last in classes:
        masks[first:last].sort(axis=0)
    return _Table(masks, table.counts)


def _collected(pieces: Iterable[_Table], most: int, deadline: Deadline) -> list[_Table] | None:
    """All partial grids of the pieces, each once; None if there are more than `most`."""
    runs: list[_Run] = []
    parts: list[_Table] = []
    waiting = 0
    for part in pieces:
        deadline.require_time("counting")
        parts.append(part)
        waiting += part.entries
        if waiting >= min(_RUN, most):
            runs.append(_run(parts))
            parts, waiting = [], 0
            if sum(run.table.entries for run in runs) > 2 * most:
                runs = _merged(runs, deadline)
                if sum(run.table.entries for run in runs) > most:
                    return None
    if parts:
        runs.append(_run(parts))
    following = [run.table for run in _merged(runs, deadline)]
    return following if sum(table.entries for table in following) <= most else None


def _continued(table: _Table, step: _Step, classes: list[tuple[int, int]]) -> Iterator[_Table]:
    """The partial grids with each number in the next cell, one number after the other."""
    masks = table.masks & np.uint64(~step.freed & (1 << _BITS) - 1)
    for source, target in step.copies:
        masks |= (table.masks >> np.uint64(source) & np.uint64(1)) << np.uint64(target)
    masks |= table.masks >> np.uint64(step.cell) & np.uint64(1)
    for first, last in classes:
        masks[first:last].sort(axis=0)
    flags = (masks & np.uint64(1)).astype(bool)
    masks &= np.uint64((1 << _BITS) - 2)
    # The cells in which all numbers, or all but one, are forbidden.
    all_forbidden = np.full(masks.shape[1], (1 << _BITS) - 1, np.uint64)
    one_left = all_forbidden.copy()
    for row in masks:
        one_left = one_left & row | all_forbidden
        all_forbidden &= row
    for (first, last), forbidden in zip(classes, step.forbidden, strict=True):
        # How many numbers from here to the end of the class have the same mask, so that each
        # partial grid that differs in its masks is built once.
        same = np.ones(masks.shape[1], np.uint64)
        for index in range(last - 1, first - 1, -1):
            if index < last - 1:
                equal = (masks[index] == masks[index + 1]) & (flags[index] == flags[index + 1])
                same = np.where(equal, same + np.uint64(1), np.uint64(1))
            chosen = ~flags[index]
            if index > first:
                chosen &= (masks[index] != masks[index - 1]) | flags[index - 1]
            # No partial grid that leaves no number to one of the neighbours.
            chosen &= (one_left & ~masks[index] & np.uint64(forbidden)) == 0
            where = np.flatnonzero(chosen)
            if not len(where):
                continue
            filled = masks[:, where]
            # The changed mask has grown: it moves up until the masks are in order again.
            moving = filled[index] | np.uint64(forbidden)
            for other in range(index + 1, last):
                np.minimum(moving, filled[other], out=filled[other - 1])
                moving = np.maximum(moving, filled[other])
            filled[last - 1] = moving
            yield _Table(filled, table.counts[:, where] * same[where])


def _run(tables: list[_Table]) -> _Run:
    """All partial grids of the tables, with the counts of those that have the same masks added."""
    limbs = max(len(table.counts) for table in tables)
    masks = np.concatenate([table.masks for table in tables], axis=1)
    counts = np.zeros((limbs, masks.shape[1]), np.uint64)
    begin = 0
    for table in tables:
        counts[: len(table.counts), begin : begin + table.entries] = table.counts
        begin += table.entries
    hashes = _hashes(masks)
    order = hashes.argsort()
    first = np.zeros(len(order), bool)
    first[0] = True
    for row in masks:
        row[:] = row.take(order)
        first[1:] |= row[1:] != row[:-1]
    begins = np.flatnonzero(first)
    table = _Table(masks.take(begins, axis=1), _added(counts.take(order, axis=1), begins))
    return _Run(hashes.take(order).take(begins), table)


def _merged(runs: list[_Run], deadline: Deadline) -> list[_Run]:
    """All partial grids of the runs, in runs of which each has its own range of hashes."""
    if len(runs) < 2:
        return runs
    pieces = sum(run.table.entries for run in runs) // _RUN + 1
    bounds = np.array([(piece << _BITS) // pieces for piece in range(1, pieces)], np.uint64)
    ends = [[0, *run.hashes.searchsorted(bounds).tolist(), len(run.hashes)] for run in runs]
    merged = []
    for piece in range(pieces):
        deadline.require_time("counting")
        parts = [
            run.table.part(end[piece], end[piece + 1]) for run, end in zip(runs, ends, strict=True)
        ]
        if any(part.entries for part in parts):
            merged.append(_run(parts))
    return merged


def _hashes(masks: _Words) -> _Words:
    hashes = np.zeros(masks.shape[1], np.uint64)
    for row in masks:
        hashes ^= row
        hashes *= MULTIPLIER
        hashes ^= hashes >> np.uint64(32)
    return hashes


def _added(counts: _Words, begins: NDArray[np.intp]) -> _Words:
    """The sums of consecutive counts, from each index in `begins` on, in limbs of 32 bits. A sum
    cannot overflow: a run has fewer than 2**25 entries, and a multiple of a limb is less than
    2**38.
    """
    limbs = []
    carry = np.zeros(len(begins), np.uint64)
    sums = list(np.add.reduceat(counts, begins, axis=1))
    while sums or carry.any():
        total = (sums.pop(0) if sums else 0) + carry
        limbs.append(total & np.uint64((1 << _LIMB) - 1))
        carry = total >> np.uint64(_LIMB)
    return np.array(limbs)
