"""The table of partial grids.

To the cells that follow, a partial grid matters only by which numbers are forbidden where. The
cells are filled in reading order; partial grids that forbid the same are counted together, and so
are those that become the same by exchanging numbers with the same neighbours. For 6x6 sudoku,
28,200,960 grids are counted with fewer than 4,000 entries. This is dynamic programming over the
cells, as in transfer-matrix methods for counting Latin rectangles.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from random import Random

from aspdoku.counting.differences import Differences
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note

# Entries after which the limits are checked again.
_CHECK = 4096

# For each number, in the order of `Differences.classes`, the cells to come that cannot hold it,
# shifted so that the next cell has the lowest bit. The masks of a class are sorted.
_State = tuple[int, ...]


def count_grids(required: Differences, most_states: int, deadline: Deadline) -> int | None:
    """How many grids satisfy the requirements; None if there are too many entries for one cell.

    Raises TimeLimitError.
    """
    form = _Form(required)
    table: dict[_State, int] = {form.start: 1}
    for cell in range(required.cells):
        note(f"counting: cell {cell + 1} of {required.cells}, {len(table)} partial grids")
        later = form.later(cell)
        following: dict[_State, int] = defaultdict(int)
        for steps, (state, count) in enumerate(table.items()):
            if not steps % _CHECK and (deadline.passed or len(following) > most_states):
                break
            for changed, factor in form.continuations(state, later):
                following[changed] += count * factor
        deadline.require_time("counting")
        if len(following) > most_states:
            return None
        table = following
    return sum(table.values())


class Completions:
    """The table the other way round: in how many ways each partial grid can be completed.

    A grid is drawn number by number, each with the probability of its share of the completions, so
    that all grids are equally likely.

    count: how many grids there are
    """

    def __init__(self, required: Differences, levels: list[dict[_State, int]], form: _Form) -> None:
        self._required = required
        self._levels = levels
        self._form = form
        self.count = levels[0][form.start]

    @staticmethod
    def of(
        required: Differences, most_states: int, most_early: int, deadline: Deadline
    ) -> Completions | None:
        """None if the table has too many entries in all, or for the first third of the cells.

        Raises TimeLimitError.
        """
        form = _Form(required)
        levels: list[dict[_State, int]] = [{form.start: 0}]
        entries = 0
        for cell in range(required.cells):
            note(f"building a table: cell {cell + 1} of {required.cells}, {entries} partial grids")
            later = form.later(cell)
            most = min(most_states, most_early) if 3 * cell < required.cells else most_states
            following: dict[_State, int] = {}
            for steps, state in enumerate(levels[-1]):
                if not steps % _CHECK:
                    deadline.require_time("building a table")
                if entries + len(following) > most:
                    return None
                for changed, _ in form.continuations(state, later):
                    following[changed] = 0
            levels.append(following)
            entries += len(following)
        levels[-1] = dict.fromkeys(levels[-1], 1)
        for cell in reversed(range(required.cells)):
            deadline.require_time("building a table")
            later, after = form.later(cell), levels[cell + 1]
            for state in levels[cell]:
                levels[cell][state] = sum(
                    factor * after[changed] for changed, factor in form.continuations(state, later)
                )
        return Completions(required, levels, form)

    def draw(self, random: Random) -> list[int]:
        """The numbers of the used cells of a random grid in reading order, as indices.

        Raises ValueError if there is no grid.
        """
        if not self.count:
            raise ValueError("there is no grid to draw")
        form = self._form
        drawn = dict(self._required.fixed)
        masks = form.masks  # by index in the order of the classes, not sorted
        for cell, place in enumerate(self._required.places):
            later, after = form.later(cell), self._levels[cell + 1]
            choices, weights = [], []
            for (first, last), neighbours in zip(form.classes, later, strict=True):
                for index in range(first, last):
                    if masks[index] & 1:
                        continue
                    changed = [mask >> 1 for mask in masks]
                    changed[index] = (masks[index] | neighbours) >> 1
                    choices.append((index, changed))
                    weights.append(after.get(form.canonical(changed), 0))
            index, masks = choices[_weighted(random, weights)]
            drawn[place] = form.order[index]
        return [drawn[place] for place in sorted(drawn)]


class _Form:
    """How states are written for some requirements.

    order, classes: those of `Differences.classes`
    masks: the masks of the empty grid, in this order
    start: its state
    """

    def __init__(self, required: Differences) -> None:
        self._neighbours = required.neighbours
        self.order, self.classes = required.classes()
        every = (1 << required.cells) - 1
        self.masks = [every & ~required.allowed[number] for number in self.order]
        self.start = self.canonical(self.masks)

    def canonical(self, masks: Sequence[int]) -> _State:
        """The masks, sorted within each class."""
        return tuple(mask for first, last in self.classes for mask in sorted(masks[first:last]))

    def later(self, cell: int) -> list[int]:
        """The neighbours of a cell among those that follow, by class; the cell has bit 0."""
        return [self._neighbours[self.order[first]][cell] >> cell for first, _ in self.classes]

    def continuations(self, state: _State, later: list[int]) -> list[tuple[_State, int]]:
        """The states after the next cell, and with how many numbers each is reached.

        A state that leaves no number to one of the neighbours is left out.
        """
        changes = []
        # The cells in which all numbers, or all but one, are forbidden.
        all_forbidden = one_left = -1
        for mask in state:
            one_left = one_left & mask | all_forbidden
            all_forbidden &= mask
        rest = [mask >> 1 for mask in state]
        for (first, last), neighbours in zip(self.classes, later, strict=True):
            index = first
            while index < last:
                mask, begin = state[index], index
                while index < last and state[index] == mask:
                    index += 1
                if mask & 1 or one_left & ~mask & neighbours:
                    continue
                # The numbers from `begin` to `index` are forbidden in the same cells.
                changed = rest.copy()
                changed[begin] = (mask | neighbours) >> 1
                if len(self.classes) == 1:
                    changed.sort()
                else:
                    changed[first:last] = sorted(changed[first:last])
                changes.append((tuple(changed), index - begin))
        return changes


def _weighted(random: Random, weights: list[int]) -> int:
    """A random index, by integer weights of any size: `random.choices` would round them."""
    point = random.randrange(sum(weights))
    for index, weight in enumerate(weights):
        if point < weight:
            return index
        point -= weight
    raise AssertionError
