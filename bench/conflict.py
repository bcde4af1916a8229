"""Time to explain why there is no solution, for puzzles with one wrong given or clue: until the
first conflict is known, until it is minimal, and of the whole call.

The peer leaves out one given or clue after another, and keeps it out if `aspdoku.solve` still finds
no solution: what a user of the API would write. Measures processor time, because the machine is
shared.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Iterator
from itertools import count, product
from random import Random

import measure

import aspdoku
from aspdoku import Puzzle, compose
from aspdoku.engine.clues import Clue, clues
from aspdoku.explanation.steps import Claim
from aspdoku.puzzle import Function
from aspdoku.questions.conflict import ConflictReport

ROUNDS = 3
SEEDS = (1, 2, 3)
# Whether the wrong item is a clue; else it is a given.
PUZZLES = {
    "slides/classic": False,
    "slides/anti-knight": False,
    "slides/greater-than": True,
    "made/killer": True,
    "made/thermo": True,
    "made/xv": True,
    "made/arrow": False,
    "made/white-dots": True,
    "made/sandwich": True,
    "made/windoku": False,
}
MINIMAL_GOAL, FIRST_GOAL = 1.0, 0.1

Item = Claim | Clue


def main() -> None:
    rows = []
    worst_minimal = worst_first = 0.0
    for (name, wrong_clue), seed in product(PUZZLES.items(), SEEDS):
        puzzle = aspdoku.read(measure.ROOT / "instances" / f"{name}.txt")
        puzzle = planted(puzzle, wrong_clue, seed)
        items = items_of(puzzle)
        rounds = [measured(puzzle, items) for _ in range(ROUNDS)]
        first, minimal, total, loop = map(statistics.median, zip(*rounds, strict=True))
        report = aspdoku.conflict(puzzle)
        (found, *_) = report.data.conflicts
        rows.append(
            [
                name,
                f"{seed}",
                f"{len(items)}",
                f"{len(found.givens) + len(found.clues)}",
                f"{first:.3f}",
                f"{minimal:.3f}",
                f"{total:.3f}",
                f"{loop:.3f}",
                f"{first / loop:.3f}",
                f"{minimal / loop:.2f}",
            ]
        )
        worst_first = max(worst_first, first / loop)
        worst_minimal = max(worst_minimal, minimal / loop)
    headings = ["puzzle", "seed", "items", "conflict", "first s", "minimal s", "call s", "loop s"]
    measure.publish(
        "conflict",
        "Conflicts",
        measure.table([*headings, "first / loop", "minimal / loop"], rows),
        "Each puzzle has one wrong given or clue, drawn with each of three seeds. Items: givens and"
        " clues; conflict: how many of them are in the minimal one. First: until the first set"
        " without a solution is reported; minimal: until nothing can be left out of it; call: with"
        " the rules that are violated and the repairs. Loop: leaving out one item after another"
        " with `aspdoku.solve`, until the set is minimal. Processor time, medians of"
        f" {ROUNDS} rounds, in turns.",
        "\n".join(
            [
                measure.goal("first conflict to the loop, the worst", worst_first, FIRST_GOAL),
                measure.goal(
                    "minimal conflict to the loop, the worst", worst_minimal, MINIMAL_GOAL
                ),
            ]
        ),
    )


def measured(puzzle: Puzzle, items: list[Item]) -> tuple[float, float, float, float]:
    """Seconds until the first conflict, until it is minimal, of the whole call, and of the loop."""
    times: list[float] = []
    minimal: list[float] = []

    def note(report: ConflictReport) -> None:
        times.append(time.process_time() - began)
        if report.data.minimal:
            minimal.append(times[-1])

    began = time.process_time()
    found = aspdoku.conflict(puzzle, on_improved=note)
    total = time.process_time() - began
    assert found
    began = time.process_time()
    deletion_loop(puzzle, items)
    return times[0], minimal[0], total, time.process_time() - began


def deletion_loop(puzzle: Puzzle, items: list[Item]) -> list[Item]:
    """A minimal set of items without a solution."""
    left = items
    for item in items:
        rest = [other for other in left if other != item]
        if aspdoku.solve(with_only(puzzle, items, rest)).status == "none":
            left = rest
    return left


def planted(puzzle: Puzzle, wrong_clue: bool, seed: int) -> Puzzle:
    """The puzzle with one wrong given or clue, and so without a solution."""
    rng = Random(seed)
    candidates = (wrong_clues if wrong_clue else wrong_givens)(puzzle, rng)
    return next(each for each in candidates if aspdoku.solve(each).status == "none")


def wrong_givens(puzzle: Puzzle, rng: Random) -> Iterator[Puzzle]:
    """Puzzles with another number in a random given."""
    while True:
        (row, column), number = rng.choice(list(puzzle.givens().items()))
        other = rng.choice([each for each in range(1, puzzle.size + 1) if each != number])
        grid = [list(cells) for cells in puzzle.grid]
        grid[row - 1][column - 1] = other
        yield puzzle.replace(grid=tuple(map(tuple, grid)), box=puzzle.box)


def wrong_clues(puzzle: Puzzle, rng: Random) -> Iterator[Puzzle]:
    """Puzzles with a random clue that has a slightly different value, or is moved by one cell if it
    has none.
    """
    every = clues(compose(puzzle))
    for _ in count():
        clue = rng.choice(every)
        step = rng.choice([-1, 1])
        names = [arguments for _, arguments in clue.inputs]
        valued = any(value_places(each) for each in names)
        along = rng.choice("RC")
        moved = [
            Function(
                fact.name,
                tuple(
                    value + step
                    if isinstance(value, int)
                    and (place in value_places(each) if valued else each[place][0] == along)
                    else value
                    for place, value in enumerate(fact.arguments)
                ),
            )
            for fact, each in zip(clue.facts, names, strict=True)
        ]
        numbers = {value for fact in moved for value in fact.arguments if isinstance(value, int)}
        if valued or numbers <= set(range(1, puzzle.size + 1)):
            facts = [fact for fact in puzzle.facts if fact not in clue.facts]
            yield puzzle.replace(facts=(*facts, *moved), box=puzzle.box)


def value_places(arguments: Iterable[str]) -> list[int]:
    """The arguments of a fact that are neither cells nor names nor positions."""
    return [place for place, name in enumerate(arguments) if name[0] not in "RCIK"]


def items_of(puzzle: Puzzle) -> list[Item]:
    """The clues and the givens."""
    givens = [Claim(*cell, number, True) for cell, number in puzzle.givens().items()]
    return [*clues(compose(puzzle)), *givens]


def with_only(puzzle: Puzzle, items: Iterable[Item], kept: Iterable[Item]) -> Puzzle:
    """The puzzle with some of its givens and clues."""
    gone = {fact for item in items if isinstance(item, Clue) for fact in item.facts}
    kept = set(kept)
    gone -= {fact for item in kept if isinstance(item, Clue) for fact in item.facts}
    grid = tuple(
        tuple(
            number if number and Claim(row, column, number, True) in kept else None
            for column, number in enumerate(cells, 1)
        )
        for row, cells in enumerate(puzzle.grid, 1)
    )
    facts = tuple(fact for fact in puzzle.facts if fact not in gone)
    return puzzle.replace(grid=grid, facts=facts, box=puzzle.box)


if __name__ == "__main__":
    main()
