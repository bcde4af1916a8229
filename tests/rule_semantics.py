"""The elaborations, implemented a second time in plain Python, as an oracle for the rule files.

`RULE_SEMANTICS` has two functions for each rule: one generates random facts for a grid size, which
some grids satisfy and others do not; the other takes a full grid and the facts, and returns whether
the grid satisfies the rule.

A grid is a tuple of rows. Facts are tuples of the arguments, in lists by the name of the predicate.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations, groupby, pairwise
from math import isqrt, prod
from random import Random
from typing import NamedTuple

from oracle import cells_of, number

from aspdoku.program.library import available_rules
from aspdoku.puzzle import Function
from aspdoku.puzzle.puzzle import box_shape

Grid = tuple[tuple[int, ...], ...]
Facts = dict[str, list[tuple]]


BREAK = Function("break")


class RuleSemantics(NamedTuple):
    """An elaboration: a generator of random facts, and whether a grid satisfies the rule."""

    example: Callable[[Random, int], Facts]
    holds: Callable[[Grid, Facts], bool]


def neighbours(cell, size, diagonal=False):
    r, c = cell
    around = [
        (r + y, c + x)
        for y in (-1, 0, 1)
        for x in (-1, 0, 1)
        if (y or x) and (diagonal or not (y and x))
    ]
    return [(y, x) for y, x in around if 1 <= y <= size and 1 <= x <= size]


# ---- Random facts ----


def nothing(_rng, _size):
    return {}


def some_cells(name):
    return lambda rng, size: {name: rng.sample(cells_of(size), rng.randint(1, 4))}


def edge(rng, size):
    one = rng.choice(cells_of(size))
    return *one, *rng.choice(neighbours(one, size))


def valued_edges(name, values):
    return lambda rng, size: {
        name: [(*edge(rng, size), rng.choice(values)) for _ in range(rng.randint(1, 2))]
    }


def path(rng, size, longest, shortest):
    cells = [rng.choice(cells_of(size))]
    for _ in range(rng.randint(shortest, longest) - 1):
        free = [cell for cell in neighbours(cells[-1], size, diagonal=True) if cell not in cells]
        if not free:
            break
        cells.append(rng.choice(free))
    return cells


def paths(name, longest=4, shortest=2, values=None):
    def example(rng, size):
        facts = defaultdict(list)
        for line in range(1, rng.randint(1, 2) + 1):
            facts[name] += [
                (line, place, *cell)
                for place, cell in enumerate(path(rng, size, longest, shortest), 1)
            ]
            if values and rng.random() < 0.6:
                facts[f"{name}_value"].append((line, rng.choice(values)))
        return dict(facts)

    return example


def groups(name, totals=None):
    def example(rng, size):
        facts = defaultdict(list)
        for label in "AB"[: rng.randint(1, 2)]:
            cells = rng.sample(cells_of(size), rng.randint(2, 4))
            facts[name] += [(*cell, label) for cell in cells]
            if totals:
                facts[f"{name}_value"].append((label, rng.randint(len(cells), len(cells) * size)))
        return dict(facts)

    return example


def clones(rng, size):
    one, two, three, four = rng.sample(cells_of(size), 4)
    return {"clone": [(1, *one, *two), (1, *three, *four)]}


def random_automata(rng, size):
    """Two lines, one of them perhaps with a gap, and the automaton of each or of both; it has one
    path for each word, or several.
    """
    facts = defaultdict(list)
    for line in (1, 2):
        cells = path(rng, size, size, 3)
        gap = rng.choice((None, None, *range(2, len(cells))))
        facts["automaton"] += [
            (line, place + (gap is not None and place >= gap), *cell)
            for place, cell in enumerate(cells, 1)
        ]
        facts["automaton_break"] += [(line, gap)] if gap else []
        facts["automaton_value"] += [(line, name) for name in rng.choice(("A", "B", "AB"))]
    for name in "AB":
        one_path = rng.choice((True, False))
        facts["automaton_start"] += [
            (name, state) for state in rng.sample(range(3), 1 if one_path else rng.randint(1, 2))
        ]
        facts["automaton_accepting"] += [
            (name, state) for state in rng.sample(range(3), rng.randint(1, 2))
        ]
        reads = [*range(1, size + 1), BREAK]
        if one_path:
            facts["automaton_edge"] += [
                (name, state, read, rng.randrange(3)) for state in range(3) for read in reads
            ]
        else:
            facts["automaton_edge"] += {
                (name, rng.randrange(3), read, rng.randrange(3))
                for read in reads
                for _ in range(rng.randint(0, 3))
            }
    return dict(facts)


# The predicates of lines, by the rules that read them.
LINES = {
    rule.name: names
    for rule in available_rules()
    if (names := [item.name for item in rule.inputs if item.arguments == ("I", "K", "R", "C")])
}


def repeated(rng, name, facts):
    """The facts of a rule with a cell twice on one of its lines, if there is a line.

    The line becomes a loop, goes back to one of its cells, or has a cell twice in succession.
    """
    lines = [
        (predicate, label)
        for predicate in LINES.get(name, ())
        for label, place, *_ in facts.get(predicate, ())
        if place == 2
    ]
    if not lines:
        return facts
    predicate, label = rng.choice(lines)
    line = {place: cell for its, place, *cell in facts[predicate] if its == label}
    order = sorted(line)
    kind = rng.choice(("loop", "closed", "succession", "crossing"))
    if kind == "loop":
        line[order[-1] + 1] = line[order[0]]
    elif kind == "closed":
        line[order[-1]] = line[order[0]]
    elif kind == "succession":
        at = rng.randrange(1, len(order))
        line[order[at]] = line[order[at - 1]]
    else:
        one, two = rng.sample(order, 2)
        line[two] = line[one]
    others = [fact for fact in facts[predicate] if fact[0] != label]
    return {**facts, predicate: others + [(label, place, *cell) for place, cell in line.items()]}


# ---- The rules ----


def lines(facts, name) -> Iterator[list[tuple[int, int]]]:
    """The cells of each path, in order."""
    found = defaultdict(dict)
    for line, place, r, c in facts.get(name, []):
        found[line][place] = r, c
    for line in found.values():
        yield [line[place] for place in sorted(line)]


def is_loop(line):
    """Whether a line ends where it begins."""
    return len(line) > 1 and line[0] == line[-1]


def labelled(facts, name):
    found = defaultdict(list)
    for r, c, label in facts.get(name, []):
        found[label].append((r, c))
    return found


def diagonals(grid, _):
    span = range(len(grid))
    return all(
        len({grid[r][place(r)] for r in span}) == len(grid)
        for place in (lambda r: r, lambda r: len(grid) - 1 - r)
    )


def satisfies_anti_king(grid, _):
    cells = cells_of(len(grid))
    return all(
        number(grid, cell) != number(grid, other)
        for cell in cells
        for other in neighbours(cell, len(grid), diagonal=True)
    )


def not_consecutive(grid, _):
    cells = cells_of(len(grid))
    return all(
        abs(number(grid, cell) - number(grid, other)) != 1
        for cell in cells
        for other in neighbours(cell, len(grid))
    )


def parity(name, rest):
    return lambda grid, facts: all(number(grid, cell) % 2 == rest for cell in facts[name])


def adjacent_on_line(name, matches):
    """The numbers of each two adjacent cells on each line match."""
    return lambda grid, facts: all(
        matches(number(grid, one), number(grid, two))
        for line in lines(facts, name)
        for one, two in pairwise(line)
    )


def satisfies_whispers(grid, facts):
    gaps = dict(facts.get("whispers_value", []))
    found = defaultdict(dict)
    for line, place, r, c in facts["whispers"]:
        found[line][place] = number(grid, (r, c))
    return all(
        abs(cells[place] - cells[place + 1]) >= gaps.get(line, (len(grid) + 1) // 2)
        for line, cells in found.items()
        for place in cells
        if place + 1 in cells
    )


def satisfies_renban(grid, facts):
    for line in lines(facts, "renban"):
        numbers = sorted(number(grid, cell) for cell in set(line))
        if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
            return False
    return True


def satisfies_nabner(grid, facts):
    return all(
        abs(number(grid, one) - number(grid, two)) >= 2
        for line in lines(facts, "nabner")
        for one, two in combinations(set(line), 2)
    )


def satisfies_palindrome(grid, facts):
    values = [[number(grid, cell) for cell in line] for line in lines(facts, "palindrome")]
    return all(numbers == numbers[::-1] for numbers in values)


def satisfies_between(grid, facts):
    for line in lines(facts, "between"):
        first, *inner, last = (number(grid, cell) for cell in line)
        if not all(min(first, last) < each < max(first, last) for each in inner):
            return False
    return True


def on_edges(name, matches):
    """The numbers on both sides of each mark match its value."""
    return lambda grid, facts: all(
        matches(number(grid, (r, c)), number(grid, (r1, c1)), value)
        for r, c, r1, c1, value in facts[name]
    )


def arrows(grid, facts):
    values = ([number(grid, cell) for cell in line] for line in lines(facts, "arrow"))
    return all(circle == sum(shaft) for circle, *shaft in values)


def satisfies_clone(grid, facts):
    return all(number(grid, (r, c)) == number(grid, (r1, c1)) for _, r, c, r1, c1 in facts["clone"])


def sums(grid, facts):
    cells = labelled(facts, "sum_cage")
    factors = {(r, c, label): factor for r, c, label, factor in facts.get("sum_cage_factor", [])}
    return all(
        sum(number(grid, cell) * factors.get((*cell, label), 1) for cell in cells[label]) == total
        for label, total in facts["sum_cage_value"]
    )


def weighted_sums(rng, size):
    """Cages, in some of which cells count more than once or negatively."""
    facts = groups("sum_cage", totals=True)(rng, size)
    facts["sum_cage_factor"] = [
        (*each, rng.choice((-2, -1, 0, 1, 2, 3)))
        for each in facts["sum_cage"]
        if rng.random() < 0.3
    ]
    return facts


def no_repeats(grid, facts):
    values = (
        [number(grid, cell) for cell in cells] for cells in labelled(facts, "extra_region").values()
    )
    return all(len(set(numbers)) == len(numbers) for numbers in values)


def windows(grid, _):
    height, width = box_shape(len(grid))
    tops = [top for top in range(2, len(grid), height + 1) if top + height <= len(grid)]
    lefts = [left for left in range(2, len(grid), width + 1) if left + width <= len(grid)]
    corners = [(top, left) for top in tops for left in lefts]
    values = (
        [number(grid, (top + y, left + x)) for y in range(height) for x in range(width)]
        for top, left in corners
    )
    return all(len(set(numbers)) == len(numbers) for numbers in values)


def extreme(name, matches):
    def holds(grid, facts):
        marked = facts[name]
        pairs = (
            (cell, other)
            for cell in marked
            for other in neighbours(cell, len(grid))
            if other not in marked
        )
        return all(matches(number(grid, cell), number(grid, other)) for cell, other in pairs)

    return holds


def quadruples(rng, size):
    r, c = rng.randint(1, size - 1), rng.randint(1, size - 1)
    numbers = rng.sample(range(1, size + 1), 2)
    return {"quadruple": [(r, c, n, rng.randint(1, 2)) for n in numbers[: rng.randint(1, 2)]]}


def satisfies_quadruple(grid, facts):
    around = {
        (r, c): [number(grid, (y, x)) for y in (r, r + 1) for x in (c, c + 1)]
        for r, c, _, _ in facts["quadruple"]
    }
    return all(around[r, c].count(n) >= often for r, c, n, often in facts["quadruple"])


def diagonal_clue(rng, size):
    r, c = 1, rng.randint(2, size)
    cells = [(r + k, c - k) for k in range(c)]
    total = rng.randint(len(cells), len(cells) * size)
    return {
        "little_killer": [(1, k, *cell) for k, cell in enumerate(cells, 1)],
        "little_killer_value": [(1, total)],
    }


def diagonal_sums(grid, facts):
    (line,) = lines(facts, "little_killer")
    return sum(number(grid, cell) for cell in line) == facts["little_killer_value"][0][1]


def sandwiches(rng, size):
    most = size * (size + 1) // 2 - 1 - size
    return {
        "sandwich_row": [(rng.randint(1, size), rng.randint(0, most))],
        "sandwich_column": [(rng.randint(1, size), rng.randint(0, most))]
        if rng.random() < 0.5
        else [],
    }


def between_extremes(numbers):
    one, two = sorted((numbers.index(1), numbers.index(len(numbers))))
    return sum(numbers[one + 1 : two])


def satisfies_sandwich(grid, facts):
    columns = list(zip(*grid, strict=True))
    rows = ((grid[r - 1], total) for r, total in facts["sandwich_row"])
    others = ((columns[c - 1], total) for c, total in facts["sandwich_column"])
    return all(between_extremes(list(numbers)) == total for numbers, total in [*rows, *others])


EDGES = ("left", "right", "top", "bottom")


def clues(name, most):
    """One or two clues at the edges; `most` is the largest value for a size."""
    return lambda rng, size: {
        name: [
            (Function(rng.choice(EDGES)), rng.randint(1, size), rng.randint(1, most(size)))
            for _ in range(rng.randint(1, 2))
        ]
    }


def numbers_from_edge(grid, edge, line):
    """The numbers of a row or column, starting from the edge of the clue."""
    numbers = (
        list(grid[line - 1]) if str(edge) in ("left", "right") else [row[line - 1] for row in grid]
    )
    return numbers if str(edge) in ("left", "top") else numbers[::-1]


def at_edges(name, matches):
    return lambda grid, facts: all(
        matches(numbers_from_edge(grid, edge, line), value) for edge, line, value in facts[name]
    )


def locked_out(grid, facts):
    gaps = dict(facts.get("lockout_value", []))
    found = defaultdict(dict)
    for line, place, r, c in facts["lockout"]:
        found[line][place] = number(grid, (r, c))
    for line, cells in found.items():
        first, *inner, last = (cells[place] for place in sorted(cells))
        if abs(first - last) < gaps.get(line, len(grid) // 2):
            return False
        if any(min(first, last) <= each <= max(first, last) for each in inner):
            return False
    return True


def any_three_in_a_row(name, kind):
    """Any three successive cells of a line hold numbers of different kinds."""

    def holds(grid, facts):
        for line in lines(facts, name):
            kinds = [kind(number(grid, cell), len(grid)) for cell in line]
            if any(
                one == two for gap in (1, 2) for one, two in zip(kinds, kinds[gap:], strict=False)
            ):
                return False
        return True

    return holds


def modular(grid, facts):
    """Successive cells, as many as the line's value (default 3), have different remainders."""
    by = dict(facts.get("modular_value", []))
    found = defaultdict(dict)
    for line, place, r, c in facts["modular"]:
        found[line][place] = number(grid, (r, c))
    for line, cells in found.items():
        width = by.get(line, 3)
        rests = [cells[place] % width for place in sorted(cells)]
        if any(
            one == two
            for gap in range(1, width)
            for one, two in zip(rests, rests[gap:], strict=False)
        ):
            return False
    return True


def first_hidden(numbers):
    """The first number that is less than one before it; None if they all increase."""
    return next((n for place, n in enumerate(numbers) if n < max(numbers[:place], default=0)), None)


def pairs(rng, size):
    numbers = [(n, n1) for n in range(1, size + 1) for n1 in range(1, size + 1)]
    return {
        "pair": [(label, *edge(rng, size)) for label in "AAB"],
        "pair_allowed": [
            (label, *each) for label in "AB" for each in rng.sample(numbers, size * size // 2)
        ],
    }


def satisfies_pair(grid, facts):
    allowed = set(facts["pair_allowed"])
    return all(
        (label, number(grid, (r, c)), number(grid, (r1, c1))) in allowed
        for label, r, c, r1, c1 in facts["pair"]
    )


def satisfies_zipper(grid, facts):
    for line in lines(facts, "zipper"):
        numbers = [number(grid, cell) for cell in line]
        half = len(numbers) // 2
        totals = {numbers[place] + numbers[-1 - place] for place in range(half)}
        if len(numbers) % 2:
            totals.add(numbers[half])
        if len(totals) > 1:
            return False
    return True


def double_arrows(grid, facts):
    for line in lines(facts, "double_arrow"):
        first, *inner, last = (number(grid, cell) for cell in line)
        if first + last != sum(inner):
            return False
    return True


def satisfies_taxicab(grid, facts):
    cells = cells_of(len(grid))
    distances = {distance for (distance,) in facts["taxicab"]}
    return all(
        number(grid, one) != number(grid, two)
        for one, two in combinations(cells, 2)
        if abs(one[0] - two[0]) + abs(one[1] - two[1]) in distances
    )


def satisfies_nonratio(grid, _):
    pairs = (
        (number(grid, cell), number(grid, other))
        for cell in cells_of(len(grid))
        for other in neighbours(cell, len(grid))
    )
    return all(one != 2 * two for one, two in pairs)


def skyline(numbers):
    """The count of numbers that are greater than all before them; 0 is not a building."""
    return sum(n > 0 and n > max(numbers[:place], default=0) for place, n in enumerate(numbers))


def satisfies_full_rank(grid, facts):
    """Whether each line with a clue has the rank of the clue among all lines.

    Two equal lines violate the rule unless the facts allow ties.
    """
    lines = [
        numbers_from_edge(grid, edge, line) for edge in EDGES for line in range(1, len(grid) + 1)
    ]
    clues = [(numbers_from_edge(grid, edge, line), rank) for edge, line, rank in facts["full_rank"]]
    if not facts.get("ab") and any(lines.count(line) > 1 for line, _ in clues):
        return False
    return all(sum(other < line for other in lines) == rank - 1 for line, rank in clues)


def ranks(rng, size):
    """One or two clues, sometimes with ties allowed."""
    facts = clues("full_rank", lambda size: 4 * size)(rng, size)
    return facts | (
        {"ab": [(Function("full_rank"), Function("tie"))]} if rng.random() < 0.5 else {}
    )


def satisfies_diagonal_nonconsecutive(grid, _):
    pairs = (
        (number(grid, cell), number(grid, other))
        for cell, other in touching(len(grid), ((1, 1), (1, -1)))
    )
    return all(abs(one - two) != 1 for one, two in pairs)


def touching(size, steps):
    """The pairs of cells that are one of these steps apart."""
    cells = cells_of(size)
    return (((r, c), (r + y, c + x)) for r, c in cells for y, x in steps if (r + y, c + x) in cells)


def satisfies_leaper(grid, facts):
    steps = [
        (y * down, x * right) for y, x in facts["leaper"] for down in (1, -1) for right in (1, -1)
    ]
    return all(
        number(grid, cell) != number(grid, other) for cell, other in touching(len(grid), steps)
    )


def satisfies_self_taxicab(grid, _):
    return not any(
        number(grid, one) == number(grid, two) == abs(one[0] - two[0]) + abs(one[1] - two[1])
        for one, two in combinations(cells_of(len(grid)), 2)
    )


def pencilmarks(rng, size):
    cells = rng.sample(cells_of(size), 2)
    return {
        "pencilmark": [
            (*cell, n) for cell in cells for n in rng.sample(range(1, size + 1), rng.randint(1, 3))
        ]
    }


def satisfies_pencilmarks(grid, facts):
    allowed = defaultdict(set)
    for r, c, n in facts["pencilmark"]:
        allowed[r, c].add(n)
    return all(number(grid, cell) in numbers for cell, numbers in allowed.items())


def row_indexed(grid, facts):
    return all(grid[grid[r - 1][c - 1] - 1][c - 1] == r for r, c in facts["row_indexer"])


def column_indexed(grid, facts):
    return all(grid[r - 1][grid[r - 1][c - 1] - 1] == c for r, c in facts["column_indexer"])


def boxes(size, facts=()):
    """The cells of each region in the facts, or else of each box, in reading order."""
    if "box" in facts:
        return [sorted(cells) for cells in labelled(facts, "box").values()]
    height, width = box_shape(size)
    corners = [(top, left) for top in range(0, size, height) for left in range(0, size, width)]
    return [
        [(top + y, left + x) for y in range(1, height + 1) for x in range(1, width + 1)]
        for top, left in corners
    ]


def box_of(cell, size, facts):
    return next(box for box in boxes(size, facts) if cell in box)


def box_indexed(grid, facts):
    for cell in facts["box_indexer"]:
        box = box_of(cell, len(grid), facts)
        if number(grid, box[number(grid, cell) - 1]) != box.index(cell) + 1:
            return False
    return True


def negative_indexed(marks, indexed):
    """Whether no cell without a mark satisfies the condition of those with one."""
    return lambda grid, facts: (
        not any(
            indexed(grid, {**facts, marks: [cell]})
            for cell in cells_of(len(grid))
            if cell not in facts[marks]
        )
    )


def most_cells(name):
    return lambda rng, size: {name: rng.sample(cells_of(size), size * size - 2)}


def satisfies_disjoint_groups(grid, facts):
    places = (
        [number(grid, cell) for cell in cells]
        for cells in zip(*boxes(len(grid), facts), strict=True)
    )
    return all(len(set(numbers)) == len(numbers) for numbers in places)


def counted_circles(grid, facts):
    groups = defaultdict(list)
    for row, column, *group in {*facts["counting_circle"], *facts["coloured_circle"]}:
        groups[tuple(group)].append(number(grid, (row, column)))
    return all(numbers.count(n) == n for numbers in groups.values() for n in numbers)


def some_circles(rng, size):
    """Circles, sometimes in groups, which may share cells."""

    def cells():
        return rng.sample(cells_of(size), rng.randint(2, 5))

    groups = rng.choice(["", "A", "AB"])
    return {
        "counting_circle": cells() if len(groups) < 2 else [],
        "coloured_circle": [(*cell, group) for group in groups for cell in cells()],
    }


def random_marks(name, marks, values, listed):
    """Random marks, and sometimes the value that is forbidden between unmarked cells."""

    def example(rng, size):
        facts = {
            mark: [(*edge(rng, size), rng.choice(values)) for _ in range(size)] for mark in marks
        }
        return facts | (
            {name: [(value,) for value in rng.sample(listed(size), 1)]}
            if rng.random() < 0.7
            else {}
        )

    return example


def no_value_without_mark(name, marks, default, violates):
    def holds(grid, facts):
        marked = {
            frozenset(((r, c), (r1, c1))) for mark in marks for r, c, r1, c1, _ in facts[mark]
        }
        values = [value for (value,) in facts.get(name, [])] or default
        sides = touching(len(grid), ((0, 1), (1, 0)))
        pairs = [
            (number(grid, one), number(grid, two))
            for one, two in sides
            if frozenset((one, two)) not in marked
        ]
        return not any(violates(one, two, value) for one, two in pairs for value in values)

    return holds


def region_sums(grid, facts):
    for line in lines(facts, "region_sum_line"):
        if is_loop(line):
            # From any place where it enters a box.
            line.pop()
            entries = (
                place
                for place, cell in enumerate(line)
                if cell not in box_of(line[place - 1], len(grid), facts)
            )
            start = next(entries, 0)
            line = line[start:] + line[:start]
        parts = [
            list(part) for _, part in groupby(line, lambda cell: box_of(cell, len(grid), facts))
        ]
        if len({sum(number(grid, cell) for cell in part) for part in parts}) > 1:
            return False
    return True


def splits_into_sums(numbers, total):
    """Whether the numbers can be split into successive parts with this sum."""
    return not numbers or any(
        sum(numbers[:place]) == total and splits_into_sums(numbers[place:], total)
        for place in range(1, len(numbers) + 1)
    )


def sum_lines(rng, size):
    return {
        "sum_line": [(1, place, *cell) for place, cell in enumerate(path(rng, size, 5, 2), 1)],
        "sum_line_value": [(1, rng.randint(3, size + 1))],
        "sum_line_loop": [(1,)] if rng.random() < 0.3 else [],
    }


def satisfies_sum_line(grid, facts):
    ((_, total),) = facts["sum_line_value"]
    (line,) = lines(facts, "sum_line")
    closed = is_loop(line)
    numbers = [number(grid, cell) for cell in line[: len(line) - closed]]
    first_cuts = range(len(numbers)) if closed or facts["sum_line_loop"] else [0]
    return any(splits_into_sums(numbers[place:] + numbers[:place], total) for place in first_cuts)


def pill_arrows(rng, size):
    r, c = rng.choice(cells_of(size - 1))
    pill = [(r, c), rng.choice(((r + 1, c), (r, c + 1)))]
    free = [cell for cell in cells_of(size) if cell not in pill]
    cells = rng.sample(pill, 2) + rng.sample(free, rng.randint(3, 5))
    return {
        "pill_arrow": [(1, place, *cell) for place, cell in enumerate(cells, 1)],
        "pill_arrow_pill": [(1, rng.choice((1, 2)))] if rng.random() < 0.5 else [],
    }


def satisfies_pill_arrow(grid, facts):
    ((_, size),) = facts["pill_arrow_pill"] or [(1, 2)]
    (line,) = lines(facts, "pill_arrow")
    written = int("".join(str(number(grid, cell)) for cell in sorted(line[:size])))
    return written == sum(number(grid, cell) for cell in line[size:])


def grouped(name):
    """A group of two or three cages, and sometimes another group."""

    def example(rng, size):
        cages = [(1, label) for label in "ABC"[: rng.randint(2, 3)]] + [
            (2, label) for label in "AB" * rng.randint(0, 1)
        ]
        return {name: [(*cell, *cage) for cage in cages for cell in rng.sample(cells_of(size), 2)]}

    return example


def equal_within_groups(name, kind):
    """`kind` has the same value for all cages of a group."""

    def holds(grid, facts):
        cages = defaultdict(lambda: defaultdict(list))
        for r, c, group, label in facts[name]:
            cages[group][label].append(number(grid, (r, c)))
        return all(
            len({kind(numbers) for numbers in cages[group].values()}) == 1 for group in cages
        )

    return holds


def random_look_at_least(rng, size):
    cells = rng.sample(cells_of(size), 2 * size)
    counts = {("A", rng.randint(1, size), rng.randint(1, 3)) for _ in range(2)}
    return {
        "look_at_least": [(*cell, "A") for cell in cells],
        "look_at_least_count": sorted(counts),
    }


def satisfies_look_at_least(grid, facts):
    found = {
        label: [number(grid, cell) for cell in cells]
        for label, cells in labelled(facts, "look_at_least").items()
    }
    return all(found[label].count(n) >= often for label, n, often in facts["look_at_least_count"])


def random_look_and_say(rng, size):
    cells = rng.sample(cells_of(size), 2 * size)
    numbers = rng.sample(range(1, size + 1), 2)
    return {
        "look_and_say": [(*cell, "A") for cell in cells],
        "look_and_say_count": [("A", n, rng.randint(0, 3)) for n in numbers],
    }


def satisfies_look_and_say(grid, facts):
    found = {
        label: [number(grid, cell) for cell in cells]
        for label, cells in labelled(facts, "look_and_say").items()
    }
    return all(found[label].count(n) == often for label, n, often in facts["look_and_say_count"])


def satisfies_rellik(grid, facts):
    for label, cells in labelled(facts, "rellik").items():
        numbers = [number(grid, cell) for cell in cells]
        sums = {sum(some) for k in range(1, 5) for some in combinations(numbers, k)}
        if len(set(numbers)) < len(numbers) or sums & set(values_of(facts, "rellik", label)):
            return False
    return True


def values_of(facts, name, label):
    return [value for of, value in facts.get(f"{name}_value", []) if of == label]


def equality_cages(rng, size):
    cells = rng.sample(cells_of(size), 4)
    return {"equality": [(*cell, place // 2) for place, cell in enumerate(cells)]}


def satisfies_equality(grid, facts):
    size = len(grid)
    for cells in labelled(facts, "equality").values():
        numbers = [number(grid, cell) for cell in cells]
        half = len(numbers) / 2
        if not (
            len(set(numbers)) == len(numbers)
            and sum(n % 2 for n in numbers) == half
            and sum(n < (size + 1) / 2 for n in numbers) == half
            and sum(n > (size + 1) / 2 for n in numbers) == half
        ):
            return False
    return True


def satisfies_count_distinct(grid, facts):
    for line in lines(facts, "count_distinct"):
        first, *others = (number(grid, cell) for cell in line)
        if len(set(others)) != first:
            return False
    return True


def satisfies_dutch_flatmates(grid, _):
    size = len(grid)
    for r, row in enumerate(grid):
        for c, n in enumerate(row):
            above = grid[r - 1][c] if r else None
            below = grid[r + 1][c] if r + 1 < size else None
            if n == (size + 1) // 2 and above != 1 and below != size:
                return False
    return True


def satisfies_global_mod(grid, _):
    corners = [(r, c) for r in range(1, len(grid)) for c in range(1, len(grid))]
    squares = ([number(grid, (r + y, c + x)) for y in (0, 1) for x in (0, 1)] for r, c in corners)
    return all(len({n % 3 for n in numbers}) == 3 for numbers in squares)


def satisfies_no_ties(grid, _):
    lines = [*grid, *zip(*grid, strict=True)]
    words = [*lines, *(line[::-1] for line in lines)]
    return len(set(words)) == len(words)


def satisfies_frame_sum(grid, facts):
    height, width = box_shape(len(grid))
    return all(
        sum(
            numbers_from_edge(grid, edge, line)[
                : width if str(edge) in ("left", "right") else height
            ]
        )
        == total
        for edge, line, total in facts["frame_sum"]
    )


def lunchboxes(rng, size):
    return {
        "lunchbox": [(1, place, *cell) for place, cell in enumerate(path(rng, size, 4, 3), 1)],
        "lunchbox_value": [(1, rng.randint(0, size))] if rng.random() < 0.8 else [],
    }


def satisfies_lunchbox(grid, facts):
    (line,) = lines(facts, "lunchbox")
    numbers = [number(grid, cell) for cell in line]
    one, two = sorted((numbers.index(min(numbers)), numbers.index(max(numbers))))
    inside = sum(numbers[one + 1 : two])
    return len(set(numbers)) == len(numbers) and all(
        inside == total for _, total in facts["lunchbox_value"]
    )


def satisfies_value_index(grid, facts):
    for line in lines(facts, "value_index"):
        first, second, *others = (number(grid, cell) for cell in line)
        if second > len(others) or others[second - 1] != first:
            return False
    return True


def satisfies_global_entropy(grid, _):
    size = len(grid)
    corners = [(r, c) for r in range(1, size) for c in range(1, size)]
    squares = ([number(grid, (r + y, c + x)) for y in (0, 1) for x in (0, 1)] for r, c in corners)
    return all(len({(n - 1) * 3 // size for n in numbers}) == 3 for numbers in squares)


def satisfies_anti_diagonal(grid, _):
    size = len(grid)
    both = ({grid[r][r] for r in range(size)}, {grid[r][size - 1 - r] for r in range(size)})
    return all(len(numbers) == size // 3 for numbers in both)


def satisfies_automaton(grid, facts):
    for line, name in facts["automaton_value"]:
        word = {
            place: number(grid, cell) for its, place, *cell in facts["automaton"] if its == line
        }
        word |= {place: BREAK for its, place in facts["automaton_break"] if its == line}
        states = {state for its, state in facts["automaton_start"] if its == name}
        for place in sorted(word):
            states = {
                following
                for its, state, read, following in facts["automaton_edge"]
                if its == name and state in states and read == word[place]
            }
        if not states & {state for its, state in facts["automaton_accepting"] if its == name}:
            return False
    return True


def random_boards(rng, size):
    """Boards of the height of a box, which cover the grid, and one or two others across them."""
    height, width = box_shape(size)
    found = [(top, top, 1, height, size) for top in range(1, size, height)]
    found.append(("across", rng.randint(1, size - height + 1), 1, height, size))
    if rng.random() < 0.5:
        found.append(("down", 1, rng.randint(1, size - width + 1), size, width))
    without_boxes = rng.sample([name for name, *_ in found], rng.randint(0, 2))
    return {"board": found, "board_box": [(name, 0, 0) for name in without_boxes]}


def satisfies_boards(grid, facts):
    """No number occurs twice in a row, column or box of a board; those of whole boxes have all."""
    size = len(grid)
    for name, top, left, height, width in facts["board"]:
        rows = [row[left - 1 : left - 1 + width] for row in grid[top - 1 : top - 1 + height]]
        shapes = [
            (size // each, each)
            for each in range(2, size)
            if size % each == 0 and size // each > 1
            if height % (size // each) == 0 and width % each == 0
        ]
        groups = [*rows, *zip(*rows, strict=True)]
        if shapes and (name, 0, 0) not in facts["board_box"]:
            # As square as possible, and not taller than wide if there is a choice.
            down, across = min(shapes, key=lambda shape: (abs(shape[0] - shape[1]), shape[0]))
            groups += [
                [n for row in rows[y : y + down] for n in row[x : x + across]]
                for y in range(0, height, down)
                for x in range(0, width, across)
            ]
        if any(len(set(group)) < len(group) for group in groups):
            return False
    return True


def random_diagonals(rng, size):
    """Squares, and sometimes which of their diagonals count."""
    widths = [rng.randint(2, size) for _ in range(2)]
    squares = [
        (name, *(rng.randint(1, size - width + 1) for _ in "RC"), width, width)
        for name, width in enumerate(widths)
    ]
    ways = [(rng.randrange(2), Function(rng.choice(("down", "up"))))]
    return {"board": squares, "board_diagonal": rng.choice(([], ways))}


def satisfies_board_diagonals(grid, facts):
    for name, top, left, size, _ in facts["board"]:
        for way, step in (("down", 1), ("up", -1)):
            first = left if step == 1 else left + size - 1
            numbers = [grid[top - 1 + k][first - 1 + step * k] for k in range(size)]
            chosen = (name, Function(way)) in facts["board_diagonal"]
            if (chosen or not facts["board_diagonal"]) and len({*numbers}) < size:
                return False
    return True


# ---- Cells that are reached, wet or won ----


def spread(size, starts, leads):
    """The cells that are reached from these by steps between adjacent cells, as `leads` allows."""
    found, pending = set(starts), list(starts)
    while pending:
        cell = pending.pop()
        for other in neighbours(cell, size):
            if other not in found and leads(cell, other):
                found.add(other)
                pending.append(other)
    return found


def random_steps(rng, size):
    start, *others = rng.sample(cells_of(size), rng.randint(3, 5))
    cut = rng.randint(0, len(others))
    facts = {
        "reachable_start": [start],
        "reachable": others[:cut],
        "reachable_not": others[cut:],
    }
    if rng.random() < 0.5:
        facts["reachable_limit"] = [(rng.randint(1, 2),)]
    return facts


def satisfies_reachable(grid, facts):
    size = len(grid)
    ((limit,),) = facts.get("reachable_limit") or [(size // 2 - 1,)]
    reached = spread(
        size,
        facts["reachable_start"],
        lambda one, two: abs(number(grid, one) - number(grid, two)) <= limit,
    )
    return reached.issuperset(facts.get("reachable", [])) and reached.isdisjoint(
        facts.get("reachable_not", [])
    )


def springs_and_cages(rng, size):
    return groups("flood_cage", totals=True)(rng, size) | {
        "flood": rng.sample(cells_of(size), rng.randint(1, 2))
    }


def satisfies_flood(grid, facts):
    """The cages without a wet cell are killer cages; the lower half of the numbers is low."""
    size = len(grid)
    wet = spread(size, facts.get("flood", []), lambda _, cell: 2 * number(grid, cell) <= size)
    totals = dict(facts.get("flood_cage_value", []))
    for label, cells in labelled(facts, "flood_cage").items():
        held = [number(grid, cell) for cell in cells]
        if wet.isdisjoint(cells) and (
            len(set(held)) < len(held) or sum(held) != totals.get(label, sum(held))
        ):
            return False
    return True


def some_games(rng, size):
    cells = rng.sample(cells_of(size), rng.randint(2, 4))
    cut = rng.randint(0, len(cells))
    return {"token_game_won": cells[:cut], "token_game_lost": cells[cut:]}


def is_won(grid, cell):
    """Whether a move to an adjacent smaller number leads to a cell that is lost."""
    smaller = (
        other for other in neighbours(cell, len(grid)) if number(grid, other) < number(grid, cell)
    )
    return not all(is_won(grid, other) for other in smaller)


def satisfies_token_game(grid, facts):
    return all(is_won(grid, cell) for cell in facts.get("token_game_won", [])) and not any(
        is_won(grid, cell) for cell in facts.get("token_game_lost", [])
    )


def random_houses(rng, size):
    """Two rows and a column of up to two cells, each with its extra cell; one cell is in two."""
    one, two, three, *cells = rng.sample(cells_of(size), 7)
    houses = [("row", one, cells[:2]), ("row", two, cells[2:3]), ("column", three, cells[1:3])]
    return {
        "doppelganger": [(kind, *lacks, *cell) for kind, lacks, in_it in houses for cell in in_it]
    }


def satisfies_doppelganger(grid, facts):
    least = min(map(min, grid))
    houses = defaultdict(list)
    for kind, *cells in facts["doppelganger"]:
        houses[kind, *cells[:2]].append(number(grid, cells[2:]))
    lacking = {house: number(grid, house[1:]) for house in houses}
    kinds = [(house[0], lacks) for house, lacks in lacking.items()]
    at_least = defaultdict(list)
    for kind, *cells in facts["doppelganger"]:
        if number(grid, cells[2:]) == least:
            at_least[tuple(cells[2:])].append(lacking[kind, *cells[:2]])
    return (
        all(len({*held, lacking[house]}) == len(held) + 1 for house, held in houses.items())
        and least not in lacking.values()
        and len(set(kinds)) == len(kinds)
        and all(len(set(lacks)) == len(lacks) for lacks in at_least.values())
    )


def some_corners(name):
    """Corners that four cells share, by their upper left cells."""
    return lambda rng, size: {name: rng.sample(cells_of(size - 1), rng.randint(1, 3))}


def around_corner(grid, corner):
    """The numbers of the two pairs of cells that touch across a corner."""
    r, c = corner
    return (
        (number(grid, (r, c)), number(grid, (r + 1, c + 1))),
        (number(grid, (r, c + 1)), number(grid, (r + 1, c))),
    )


def alternates(grid, corner):
    (one, two), (three, four) = around_corner(grid, corner)
    return one % 2 == two % 2 != three % 2 == four % 2


def satisfies_battenburg(grid, facts):
    return all(alternates(grid, corner) for corner in facts["battenburg"])


def satisfies_negative_battenburg(grid, facts):
    return not any(
        alternates(grid, corner)
        for corner in cells_of(len(grid) - 1)
        if corner not in facts["battenburg"]
    )


MATHRAX = {
    "sum": lambda one, two, value: one + two == value,
    "difference": lambda one, two, value: abs(one - two) == value,
    "product": lambda one, two, value: one * two == value,
    "quotient": lambda one, two, value: one == value * two or two == value * one,
    "even": lambda one, two: one % 2 == two % 2 == 0,
    "odd": lambda one, two: one % 2 == two % 2 == 1,
}


def random_mathrax(rng, size):
    values = {"sum": (4, 5, 6, 7), "difference": (1, 2), "product": (4, 6, 8), "quotient": (2, 3)}
    return {
        f"mathrax_{kind}": [(*rng.choice(cells_of(size - 1)), *value)]
        for kind in rng.sample(list(MATHRAX), rng.randint(1, 2))
        for value in [(rng.choice(values[kind]),) if kind in values else ()]
    }


def satisfies_mathrax(grid, facts):
    return all(
        MATHRAX[kind](*pair, *value)
        for kind in MATHRAX
        for r, c, *value in facts.get(f"mathrax_{kind}", [])
        for pair in around_corner(grid, (r, c))
    )


def random_arrows(rng, size):
    """Arrows at one end in three or more."""
    ends = [(edge, line) for edge in EDGES for line in range(1, size + 1)]
    return {
        "rossini": [
            (Function(edge), line, Function(rng.choice(("in", "out"))))
            for edge, line in rng.sample(ends, rng.choice((1, 2, size)))
        ]
    }


def increases(numbers):
    one, two, three = numbers[:3]
    return one < two < three


def satisfies_rossini(grid, facts):
    return all(
        increases(numbers if str(way) == "in" else numbers[2::-1])
        for edge, line, way in facts["rossini"]
        for numbers in [numbers_from_edge(grid, edge, line)]
    )


def satisfies_negative_rossini(grid, facts):
    marked = {(str(edge), line) for edge, line, _ in facts["rossini"]}
    return not any(
        increases(numbers) or increases(numbers[2::-1])
        for edge in EDGES
        for line in range(1, len(grid) + 1)
        if (edge, line) not in marked
        for numbers in [numbers_from_edge(grid, edge, line)]
    )


def first_numbers(rng, size):
    """Clues, sometimes with a list of the numbers that are seen."""
    facts = clues("first_seen", lambda _: 3)(rng, size)
    listed = {"first_seen_number": [(n,) for n in rng.sample(range(1, size + 1), 2)]}
    return facts | (listed if rng.random() < 0.5 else {})


def satisfies_first_seen(grid, facts):
    seen = {n for (n,) in facts.get("first_seen_number", [(1,), (2,), (3,)])}
    return all(
        next(n for n in numbers_from_edge(grid, edge, line) if n in {*seen, clue}) == clue
        for edge, line, clue in facts["first_seen"]
    )


def satisfies_vudoku(grid, facts):
    return all(
        point in (one + two, abs(one - two))
        for cells in lines(facts, "vudoku")
        if len(cells) >= 3
        for one, point, two in [[number(grid, cell) for cell in cells[:3]]]
    )


def satisfies_cupid(grid, facts):
    return all(
        number(grid, first) in [number(grid, cell) for cell in others if cell != first]
        for first, *others in lines(facts, "cupid")
    )


def random_diversity(rng, size):
    return {
        "diversity": [
            (label, place, *cell)
            for label in (1, 2)
            for place, cell in enumerate(path(rng, size, 5, 3), 1)
        ],
        "diversity_value": [(label, rng.randint(2, 3)) for label in (1, 2)],
    }


def satisfies_diversity(grid, facts):
    found = defaultdict(set)
    for label, _, *cell in facts["diversity"]:
        found[label].add(number(grid, cell))
    return all(len(found[label]) == value for label, value in facts["diversity_value"])


def ascending_sum(numbers, total):
    first = [numbers[0]]
    for number_ in numbers[1:]:
        if number_ <= first[-1]:
            break
        first.append(number_)
    return sum(first) == total


def satisfies_sun(grid, facts):
    return all(
        sum(
            number(grid, other) < number(grid, cell)
            for other in neighbours(cell, len(grid), diagonal=True)
        )
        == number(grid, cell)
        for cell in facts["sun"]
    )


def satisfies_mixed_parity(grid, _):
    return all(
        0 < sum(n % 2 for n in line[at : at + 3]) < 3
        for line in [*grid, *zip(*grid, strict=True)]
        for at in range(len(grid) - 2)
    )


def satisfies_difference_count(grid, facts):
    for line in lines(facts, "difference_count"):
        steps = [abs(number(grid, one) - number(grid, two)) for one, two in pairwise(line)]
        if any(steps.count(step) != step for step in steps):
            return False
    return True


def satisfies_counting_line(grid, facts):
    sets = [{number(grid, cell) for cell in line} for line in lines(facts, "counting_line")]
    return all(sum(n in other for other in sets) == n for one in sets for n in one)


def satisfies_equal_product(grid, facts):
    products = {prod(number(grid, cell) for cell in line) for line in lines(facts, "equal_product")}
    return len(products) < 2


def has_odd_gap(one, two):
    return abs(one - two) % 2 == 1 and abs(one - two) > 1


def satisfies_negative_parity_dots(grid, facts):
    dots = {frozenset({(r, c), (r1, c1)}) for r, c, r1, c1 in facts["parity_dot"]}
    return all(
        frozenset({cell, other}) in dots or not has_odd_gap(number(grid, cell), number(grid, other))
        for cell in cells_of(len(grid))
        for other in neighbours(cell, len(grid))
    )


def number_cages(rng, size):
    """Two or three cages in rows, one below the other, and sums of two of them."""
    facts = defaultdict(list)
    column = rng.randint(1, size - 1)
    rows = rng.sample(range(1, size), 1)[0]
    lengths = [rng.randint(1, size + 1 - column) for _ in range(2)]
    for label, length in enumerate(lengths, 1):
        facts["number_cage"] += [
            (label, place, rows + label - 1, column + place - 1) for place in range(1, length + 1)
        ]
    digits = [rng.randint(1, size) for _ in range(sum(lengths))]
    total = sum(
        int("".join(map(str, part))) for part in (digits[: lengths[0]], digits[lengths[0] :])
    )
    facts["number_cage_sum"].append((rows, column, rows + 1, column, total))
    return dict(facts)


def satisfies_number_cage(grid, facts):
    cages = [
        [
            (r, c)
            for _, r, c in sorted(fact[1:] for fact in facts["number_cage"] if fact[0] == label)
        ]
        for label in {label for label, *_ in facts["number_cage"]}
    ]
    read = [int("".join(str(number(grid, cell)) for cell in cage)) for cage in cages]
    return all(
        one + other == total
        for r, c, r1, c1, total in facts["number_cage_sum"]
        for cage, one in zip(cages, read, strict=True)
        for its, other in zip(cages, read, strict=True)
        if (r, c) in cage and (r1, c1) in its
    )


def lines_in_a_box(rng, size):
    """Two lines of two cells in a box, and perhaps another line."""
    cells = rng.sample(rng.choice(boxes(size)), 4)
    found = paths("segment_sum", 4, 3)(rng, size) if rng.random() < 0.3 else {"segment_sum": []}
    own = [("A", 1), ("A", 2), ("B", 1), ("B", 2)]
    facts = [(*place, *cell) for place, cell in zip(own, cells, strict=True)]
    return {"segment_sum": [*found["segment_sum"], *facts]}


def segments(line):
    """The straight parts of a line."""
    found = []
    before = None
    for (r, c), (r1, c1) in pairwise(line):
        if (r1 - r, c1 - c) == before:
            found[-1].append((r1, c1))
        else:
            found.append([(r, c), (r1, c1)])
        before = (r1 - r, c1 - c)
    return found


def satisfies_segment_sums(grid, facts):
    parts = [part for line in lines(facts, "segment_sum") for part in segments(line)]
    return all(
        len({sum(number(grid, cell) for cell in part) for part in parts if {*part} <= {*box}}) < 2
        for box in boxes(len(grid), facts)
    )


def satisfies_rising_line(grid, facts):
    held = [[number(grid, cell) for cell in line] for line in lines(facts, "rising_line")]
    return all(line in (sorted({*line}), sorted({*line})[::-1]) for line in held)


def satisfies_rising_arrow(grid, facts):
    held = [[number(grid, cell) for cell in line] for line in lines(facts, "rising_arrow")]
    return all(line[::-1] == sorted({*line}) for line in held)


def satisfies_near_line(grid, facts):
    values = dict(facts.get("near_line_value", []))
    names = dict.fromkeys(label for label, *_ in facts["near_line"])
    return all(
        abs(number(grid, one) - number(grid, two)) <= values.get(label, 2)
        for label, line in zip(names, lines(facts, "near_line"), strict=True)
        for one, two in pairwise(line)
    )


def satisfies_same_difference(grid, facts):
    return all(
        len({abs(number(grid, one) - number(grid, two)) for one, two in pairwise(line)}) < 2
        for line in lines(facts, "same_difference")
    )


def satisfies_square_cage(grid, facts):
    cages = labelled(facts, "square_cage").values()
    totals = [sum_of(grid, cells) for cells in cages]
    return all(total >= 0 and isqrt(total) ** 2 == total for total in totals)


def sum_of(grid, cells):
    return sum(number(grid, cell) for cell in cells)


def clues_near_edge(rng, size):
    facts = clues("near_edge", lambda size: size)(rng, size)
    return facts | ({"near_edge_cells": [(rng.randint(1, 2),)]} if rng.random() < 0.6 else {})


def satisfies_near_edge(grid, facts):
    ((within,),) = facts.get("near_edge_cells") or [(3,)]
    return all(
        at_edges("near_edge", lambda numbers, n: n in numbers[:within])(grid, {"near_edge": [clue]})
        for clue in facts["near_edge"]
    )


def satisfies_subset_line(grid, facts):
    for line in lines(facts, "subset_line"):
        held = groupby(line, key=lambda cell: boxes(len(grid)).index(box_of(cell, len(grid), {})))
        parts = [{number(grid, cell) for cell in cells} for _, cells in held]
        if any(not (one <= two or two <= one) for one, two in combinations(parts, 2)):
            return False
    return True


def satisfies_prime_cage(grid, facts):
    sums = [
        sum(number(grid, cell) for cell in cells)
        for cells in labelled(facts, "prime_cage").values()
    ]
    return len({*sums}) == len(sums) and all(
        s > 1 and all(s % divisor for divisor in range(2, s)) for s in sums
    )


def bounded_cages(rng, size):
    facts = groups("bounded_cage")(rng, size)
    for label in {label for *_, label in facts["bounded_cage"]}:
        least = rng.randint(2, 3 * size)
        if rng.random() < 0.7:
            facts.setdefault("bounded_cage_least", []).append((label, least))
        if rng.random() < 0.7:
            facts.setdefault("bounded_cage_most", []).append((label, least + rng.randint(0, 4)))
    return facts


def satisfies_bounded_cage(grid, facts):
    for label, cells in labelled(facts, "bounded_cage").items():
        values = [number(grid, cell) for cell in cells]
        total = sum(values)
        if len({*values}) < len(values):
            return False
        if any(
            its == label and total < least for its, least in facts.get("bounded_cage_least", [])
        ):
            return False
        if any(its == label and total > most for its, most in facts.get("bounded_cage_most", [])):
            return False
    return True


RULE_SEMANTICS = {
    "boards": RuleSemantics(random_boards, satisfies_boards),
    "board-diagonals": RuleSemantics(random_diagonals, satisfies_board_diagonals),
    "starter": RuleSemantics(
        clues("starter", lambda size: size * (size + 1) // 2), at_edges("starter", ascending_sum)
    ),
    "sun": RuleSemantics(some_cells("sun"), satisfies_sun),
    "mixed-parity": RuleSemantics(nothing, satisfies_mixed_parity),
    "difference-count": RuleSemantics(paths("difference_count"), satisfies_difference_count),
    "counting-line": RuleSemantics(paths("counting_line", 2, 1), satisfies_counting_line),
    "equal-product": RuleSemantics(paths("equal_product", 3), satisfies_equal_product),
    "parity-dots": RuleSemantics(
        lambda rng, size: {"parity_dot": [edge(rng, size)]},
        lambda grid, facts: all(
            has_odd_gap(number(grid, (r, c)), number(grid, (r1, c1)))
            for r, c, r1, c1 in facts["parity_dot"]
        ),
    ),
    "negative-parity-dots": RuleSemantics(
        lambda rng, size: {"parity_dot": [edge(rng, size) for _ in range(12)]},
        satisfies_negative_parity_dots,
    ),
    "number-cage": RuleSemantics(number_cages, satisfies_number_cage),
    "segment-sums": RuleSemantics(lines_in_a_box, satisfies_segment_sums),
    "rising-line": RuleSemantics(paths("rising_line", 4, 3), satisfies_rising_line),
    "rising-arrow": RuleSemantics(paths("rising_arrow"), satisfies_rising_arrow),
    "near-line": RuleSemantics(paths("near_line", values=(1, 2)), satisfies_near_line),
    "same-difference": RuleSemantics(paths("same_difference", 4, 3), satisfies_same_difference),
    "square-cage": RuleSemantics(groups("square_cage"), satisfies_square_cage),
    "near-edge": RuleSemantics(clues_near_edge, satisfies_near_edge),
    "subset-line": RuleSemantics(paths("subset_line", 4, 3), satisfies_subset_line),
    "prime-cage": RuleSemantics(groups("prime_cage"), satisfies_prime_cage),
    "bounded-cage": RuleSemantics(bounded_cages, satisfies_bounded_cage),
    "diagonal": RuleSemantics(nothing, diagonals),
    "anti-king": RuleSemantics(nothing, satisfies_anti_king),
    "nonconsecutive": RuleSemantics(nothing, not_consecutive),
    "even": RuleSemantics(some_cells("even"), parity("even", 0)),
    "odd": RuleSemantics(some_cells("odd"), parity("odd", 1)),
    "thermo": RuleSemantics(
        paths("thermo"), adjacent_on_line("thermo", lambda one, two: one < two)
    ),
    "slow-thermo": RuleSemantics(
        paths("slow_thermo"), adjacent_on_line("slow_thermo", lambda one, two: one <= two)
    ),
    "whispers": RuleSemantics(paths("whispers", 3, values=(1, 2, 3)), satisfies_whispers),
    "renban": RuleSemantics(paths("renban"), satisfies_renban),
    "nabner": RuleSemantics(paths("nabner", 2), satisfies_nabner),
    "palindrome": RuleSemantics(paths("palindrome"), satisfies_palindrome),
    "between": RuleSemantics(paths("between"), satisfies_between),
    "white-dots": RuleSemantics(
        valued_edges("white_dot", (1, 2, 3)),
        on_edges("white_dot", lambda one, two, d: abs(one - two) == d),
    ),
    "black-dots": RuleSemantics(
        valued_edges("black_dot", (2, 3)),
        on_edges("black_dot", lambda one, two, q: q * one == two or one == q * two),
    ),
    "xv": RuleSemantics(
        valued_edges("xv", (4, 5, 6)), on_edges("xv", lambda one, two, total: one + two == total)
    ),
    "arrow": RuleSemantics(paths("arrow"), arrows),
    "clone": RuleSemantics(clones, satisfies_clone),
    "sum-cage": RuleSemantics(weighted_sums, sums),
    "extra-region": RuleSemantics(groups("extra_region"), no_repeats),
    "windoku": RuleSemantics(nothing, windows),
    "minimum": RuleSemantics(some_cells("minimum"), extreme("minimum", lambda one, two: one < two)),
    "maximum": RuleSemantics(some_cells("maximum"), extreme("maximum", lambda one, two: one > two)),
    "quadruple": RuleSemantics(quadruples, satisfies_quadruple),
    "little-killer": RuleSemantics(diagonal_clue, diagonal_sums),
    "sandwich": RuleSemantics(sandwiches, satisfies_sandwich),
    "x-sum": RuleSemantics(
        clues("x_sum", lambda size: size * (size + 1) // 2),
        at_edges("x_sum", lambda numbers, total: sum(numbers[: numbers[0]]) == total),
    ),
    "numbered-room": RuleSemantics(
        clues("numbered_room", lambda size: size),
        at_edges("numbered_room", lambda numbers, n: numbers[numbers[0] - 1] == n),
    ),
    "lockout": RuleSemantics(paths("lockout", shortest=2, values=(1, 2)), locked_out),
    "entropic": RuleSemantics(
        paths("entropic"), any_three_in_a_row("entropic", lambda n, size: (n - 1) * 3 // size)
    ),
    "modular": RuleSemantics(paths("modular", values=(2, 4)), modular),
    "zipper": RuleSemantics(paths("zipper", 5), satisfies_zipper),
    "doppelganger": RuleSemantics(random_houses, satisfies_doppelganger),
    "double-arrow": RuleSemantics(paths("double_arrow", 5, shortest=3), double_arrows),
    "taxicab": RuleSemantics(
        lambda rng, _: {"taxicab": [(rng.choice((2, 3, 4)),)]}, satisfies_taxicab
    ),
    "nonratio": RuleSemantics(nothing, satisfies_nonratio),
    "skyscraper": RuleSemantics(
        clues("skyscraper", lambda size: size - 1),
        at_edges("skyscraper", lambda numbers, n: skyline(numbers) == n),
    ),
    "end-view": RuleSemantics(
        clues("end_view", lambda size: size),
        at_edges("end_view", lambda numbers, n: next(each for each in numbers if each) == n),
    ),
    "hidden-skyscraper": RuleSemantics(
        clues("hidden_skyscraper", lambda size: size - 1),
        at_edges("hidden_skyscraper", lambda numbers, n: first_hidden(numbers) == n),
    ),
    "pair": RuleSemantics(pairs, satisfies_pair),
    "full-rank": RuleSemantics(ranks, satisfies_full_rank),
    "diagonal-nonconsecutive": RuleSemantics(nothing, satisfies_diagonal_nonconsecutive),
    "leaper": RuleSemantics(
        lambda rng, size: {"leaper": [(rng.randint(1, size - 2), rng.randint(1, size - 1))]},
        satisfies_leaper,
    ),
    "self-taxicab": RuleSemantics(nothing, satisfies_self_taxicab),
    "pencilmarks": RuleSemantics(pencilmarks, satisfies_pencilmarks),
    "row-indexer": RuleSemantics(some_cells("row_indexer"), row_indexed),
    "column-indexer": RuleSemantics(some_cells("column_indexer"), column_indexed),
    "box-indexer": RuleSemantics(some_cells("box_indexer"), box_indexed),
    **{
        f"negative-{kind}-indexer": RuleSemantics(
            most_cells(f"{kind}_indexer"), negative_indexed(f"{kind}_indexer", indexed)
        )
        for kind, indexed in (
            ("row", row_indexed),
            ("column", column_indexed),
            ("box", box_indexed),
        )
    },
    "disjoint-groups": RuleSemantics(nothing, satisfies_disjoint_groups),
    "counting-circles": RuleSemantics(
        some_circles,
        counted_circles,
    ),
    "negative-white-dots": RuleSemantics(
        random_marks(
            "negative_white_dot", ("white_dot", "black_dot"), (1, 2), lambda size: range(2, size)
        ),
        no_value_without_mark(
            "negative_white_dot",
            ("white_dot", "black_dot"),
            [1],
            lambda one, two, d: abs(one - two) == d,
        ),
    ),
    "negative-black-dots": RuleSemantics(
        random_marks(
            "negative_black_dot",
            ("white_dot", "black_dot"),
            (1, 2),
            lambda size: range(3, size + 1),
        ),
        no_value_without_mark(
            "negative_black_dot",
            ("white_dot", "black_dot"),
            [2],
            lambda one, two, q: q in (one / two, two / one),
        ),
    ),
    "negative-xv": RuleSemantics(
        random_marks(
            "negative_xv", ("xv",), (5, 6), lambda size: (3, 4, 2 * size - 1, 2 * size - 2)
        ),
        no_value_without_mark(
            "negative_xv", ("xv",), [5, 10], lambda one, two, total: one + two == total
        ),
    ),
    "region-sum-line": RuleSemantics(paths("region_sum_line"), region_sums),
    "sum-line": RuleSemantics(sum_lines, satisfies_sum_line),
    "pill-arrow": RuleSemantics(pill_arrows, satisfies_pill_arrow),
    "equal-sums": RuleSemantics(
        grouped("equal_sum_cage"), equal_within_groups("equal_sum_cage", sum)
    ),
    "same-values": RuleSemantics(
        grouped("same_values"),
        equal_within_groups("same_values", lambda numbers: tuple(sorted(numbers))),
    ),
    "look-at-least": RuleSemantics(random_look_at_least, satisfies_look_at_least),
    "frame-sum": RuleSemantics(clues("frame_sum", lambda size: 2 * size), satisfies_frame_sum),
    "lunchbox": RuleSemantics(lunchboxes, satisfies_lunchbox),
    "value-index": RuleSemantics(paths("value_index", 5, shortest=4), satisfies_value_index),
    "global-entropy": RuleSemantics(nothing, satisfies_global_entropy),
    "anti-diagonal": RuleSemantics(nothing, satisfies_anti_diagonal),
    "automaton": RuleSemantics(random_automata, satisfies_automaton),
    "look-and-say": RuleSemantics(random_look_and_say, satisfies_look_and_say),
    "rellik": RuleSemantics(groups("rellik", totals=True), satisfies_rellik),
    "equality": RuleSemantics(equality_cages, satisfies_equality),
    "count-distinct": RuleSemantics(
        paths("count_distinct", 5, shortest=3), satisfies_count_distinct
    ),
    "dutch-flatmates": RuleSemantics(nothing, satisfies_dutch_flatmates),
    "global-mod": RuleSemantics(nothing, satisfies_global_mod),
    "no-ties": RuleSemantics(nothing, satisfies_no_ties),
    "reachable": RuleSemantics(random_steps, satisfies_reachable),
    "flood": RuleSemantics(springs_and_cages, satisfies_flood),
    "token-game": RuleSemantics(some_games, satisfies_token_game),
    "battenburg": RuleSemantics(some_corners("battenburg"), satisfies_battenburg),
    "negative-battenburg": RuleSemantics(
        lambda rng, size: {
            "battenburg": rng.sample(cells_of(size - 1), rng.randint(size, 2 * size))
        },
        satisfies_negative_battenburg,
    ),
    "mathrax": RuleSemantics(random_mathrax, satisfies_mathrax),
    "rossini": RuleSemantics(random_arrows, satisfies_rossini),
    "negative-rossini": RuleSemantics(random_arrows, satisfies_negative_rossini),
    "first-seen": RuleSemantics(first_numbers, satisfies_first_seen),
    "vudoku": RuleSemantics(paths("vudoku", 3, shortest=3), satisfies_vudoku),
    "cupid": RuleSemantics(paths("cupid", 5, shortest=4), satisfies_cupid),
    "diversity": RuleSemantics(random_diversity, satisfies_diversity),
}
