"""The setting of a puzzle.

Clues and a solution that keeps them, then as few givens and clues as that one solution needs.

Whether a clue keeps its rule is asked of the rule file itself; nothing here knows a rule. All
chance comes from the seed, and the engine is asked yes-or-no questions only, so that the same seed
makes the same puzzle with every engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from aspdoku import Puzzle, Solver, compose
from aspdoku.puzzle import Function
from making.clues import Clue, Offers


class Kind(NamedTuple):
    """What a puzzle of a kind is made from.

    offers: the clues that it may have
    drawn: whether the clues come first and the solution after them; else they are read off a
    solution
    marks: the rules of the clues, where the rule itself is about places without them; then all
    clues that fit are kept
    facts: what is not a matter of chance
    without: the rules of the ordinary game that are taken back
    numbers: those that it is played with, where they are not 1 to its size
    least: how many givens are left at least, where a puzzle with fewer would take too long to solve
    """

    title: str
    size: int = 6
    offers: Offers = lambda _chance, _size: iter(())
    drawn: bool = True
    marks: tuple[str, ...] = ()
    facts: tuple[Function, ...] = ()
    without: tuple[str, ...] = ()
    numbers: range = range(0)
    least: int = 0
    seed: int = 1


def made(name: str, kind: Kind) -> Puzzle:
    """The puzzle of a kind; `name` is its rule."""
    chance = Random(kind.seed)
    blank = Puzzle.blank(kind.size).replace(
        facts=kind.facts, without=kind.without, title=kind.title, numbers=kind.numbers
    )
    puzzle = blank.replace(elaborations=kind.marks or (name,))
    if not kind.drawn:
        puzzle = solved(puzzle, chance)
    clues = fitting(puzzle, kind.offers(chance, kind.size))
    puzzle = with_clues(puzzle, clues).replace(elaborations=(*kind.marks, name))
    if kind.drawn:
        puzzle = solved(puzzle, chance)
    puzzle = thinned(puzzle, chance, kind.least)
    return puzzle if kind.marks else with_few_clues(puzzle.replace(facts=kind.facts), clues, chance)


def solved(puzzle: Puzzle, chance: Random) -> Puzzle:
    """The puzzle with its grid filled.

    Cell by cell in a random order, each with the first number that leaves a solution.
    """
    solver = Solver(compose(puzzle))
    held: list[tuple[Function, bool]] = []
    cells = [
        (row, column) for row in range(1, puzzle.size + 1) for column in range(1, puzzle.size + 1)
    ]
    for cell in chance.sample(cells, len(cells)):
        givens = [
            (Function("a", (*cell, number)), True)
            for number in chance.sample(puzzle.numbers, puzzle.size)
        ]
        held.append(next(given for given in givens if solver.search(1, [*held, given]).count()))
    return puzzle.replace(facts=(*puzzle.facts, *(given for given, _ in held)))


def fitting(puzzle: Puzzle, offers: Iterator[list[Clue]]) -> list[Clue]:
    """The clues that are consistent with those before them and with the grid."""
    kept: list[Clue] = []
    for ways in offers:
        kept += next(
            (
                [way]
                for way in ways
                if Solver(compose(with_clues(puzzle, [*kept, way]))).search(1).count()
            ),
            [],
        )
    return kept


def with_clues(puzzle: Puzzle, clues: list[Clue]) -> Puzzle:
    """The puzzle with these clues as well."""
    return puzzle.replace(
        facts=(
            *puzzle.facts,
            *(fact for number, clue in enumerate(clues, 1) for fact in clue(number)),
        )
    )


def thinned(puzzle: Puzzle, chance: Random, least: int = 0) -> Puzzle:
    """The puzzle with as few givens as its one solution needs, hidden things included, taken away
    in a random order.
    """
    solver = Solver(
        compose(puzzle.replace(grid=((None,) * puzzle.size,) * puzzle.size)), project=False
    )
    givens = {
        cell: (Function("a", (*cell, number)), True) for cell, number in puzzle.givens().items()
    }
    for cell in chance.sample(list(givens), len(givens)):
        if len(givens) == least:
            break
        given = givens.pop(cell)
        if solver.search(2, givens.values()).count() > 1:
            givens[cell] = given
    span = range(1, puzzle.size + 1)
    return puzzle.replace(
        grid=tuple(
            tuple(puzzle.grid[r - 1][c - 1] if (r, c) in givens else None for c in span)
            for r in span
        )
    )


def with_few_clues(puzzle: Puzzle, clues: list[Clue], chance: Random) -> Puzzle:
    """The puzzle with a minimal set of these clues for its unique solution, in random order."""
    kept = list(clues)
    for clue in chance.sample(clues, len(clues)):
        fewer = [other for other in kept if other is not clue]
        if Solver(compose(with_clues(puzzle, fewer)), project=False).search(2).count() == 1:
            kept = fewer
    return with_clues(puzzle, kept)
