"""Comparison of clingo options for each kind of query; the options in aspdoku/engine are chosen by
it.

Measures processor time, because the machine is shared. Needs the puzzles in ../shared/data, or in
the given folder.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import measure
from clingo import Control

import aspdoku
from aspdoku import Program, Puzzle, Solver, compose
from aspdoku.engine.solver import CANDIDATE_OPTIONS, ENUMERATION_OPTIONS, REQUIRED_OPTIONS
from aspdoku.puzzle.puzzle import Grid

ROUNDS = 3
PUZZLES = {"clues-17": 300, "hardest": 100}
BOARDS, GIVENS = 6, range(5, 8)
COUNTED = 50_000
CONFIGURATIONS = [
    (),
    ("--configuration=tweety",),
    ("--configuration=trendy",),
    ("--configuration=crafty",),
    ("--configuration=frumpy",),
    ("--configuration=frumpy", "--del-max=300"),
    ("--configuration=frumpy", "--heuristic=Vsids"),
    ("--configuration=frumpy", "--forget-on-step=15"),
    ("--configuration=frumpy", "--restart-on-model"),
    ENUMERATION_OPTIONS,
    CANDIDATE_OPTIONS,
]
NAMES = {ENUMERATION_OPTIONS: "ENUMERATION_OPTIONS", CANDIDATE_OPTIONS: "CANDIDATE_OPTIONS"}
GOAL = 60


class Question:
    """A program of a blank grid, and the grids to query."""

    def __init__(self, program: Program, grids: list[Grid], mode: str, models: int) -> None:
        self.text, self.grids, self.mode, self.models = program.text, grids, mode, models

    def seconds(self, options: tuple[str, ...]) -> float:
        """Processor time per grid, with one grounding."""
        control = Control([*REQUIRED_OPTIONS, *options], logger=lambda *_: None)
        control.add("base", [], self.text)
        control.ground([("base", [])])
        literals = {
            tuple(argument.number for argument in atom.symbol.arguments): atom.literal
            for atom in control.symbolic_atoms.by_signature("a", 3)
        }
        assumed = [
            [
                literals[row, column, number]
                for row, line in enumerate(grid, 1)
                for column, number in enumerate(line, 1)
                if number
            ]
            for grid in self.grids
        ]
        control.configuration.solve.models = self.models
        control.configuration.solve.enum_mode = self.mode
        began = time.process_time()
        for literals_of_grid in assumed:
            control.solve(literals_of_grid)
        return (time.process_time() - began) / len(assumed)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else measure.ROOT.parent / "shared" / "data"
    classic = compose(Puzzle.blank(9))
    knight = compose(Puzzle.blank(9), "anti-knight")
    questions: dict[str, Question] = {}
    for name, number in PUZZLES.items():
        if not (folder / f"{name}.txt").exists():
            sys.exit(f"there is no {folder / name}.txt")
        lines = (folder / f"{name}.txt").read_text("ascii").split()[:number]
        questions[f"{name}, µs"] = Question(
            classic, [aspdoku.parse(line).grid for line in lines], "auto", 2
        )
    questions["candidates, ms"] = Question(classic, boards(classic), "brave", 0)
    questions["with anti-knight, ms"] = Question(knight, boards(knight), "brave", 0)
    questions[f"count to {COUNTED}, ms"] = Question(
        classic, [Puzzle.blank(9).grid], "auto", COUNTED
    )
    rows = []
    for options in CONFIGURATIONS:
        cells = [
            cell(name, lambda question=question, options=options: question.seconds(options))
            for name, question in questions.items()
        ]
        rows.append(
            [
                f"{NAMES.get(options, '')} {' '.join(options) or 'clingo as it comes'}".strip(),
                *cells,
            ]
        )
    measure.publish(
        "questions",
        "Configurations of clingo, question by question",
        measure.table(["configuration", *questions], rows),
        f"Processor time for each puzzle from one grounding, medians of {ROUNDS} rounds; answers"
        " are not read. clues-17 and hardest: a solution and the proof that it is the only one,"
        f" for {PUZZLES['clues-17']} and {PUZZLES['hardest']} puzzles. Candidates: the union of all"
        f" solutions for {BOARDS} random boards each of {GIVENS[0]} to {GIVENS[-1]} givens. The"
        " last column counts solutions of a blank grid.",
        measure.goal(
            "true candidates with anti-knight and few givens, ms", float(rows[-1][-2]), GOAL
        ),
    )


def cell(name: str, seconds: Callable[[], float]) -> str:
    middle = statistics.median(seconds() for _ in range(ROUNDS))
    return f"{middle * 1e6:.0f}" if name.endswith("µs") else f"{middle * 1e3:.1f}"


def boards(program: Program) -> list[Grid]:
    """Grids with few givens, taken from random solutions with a fixed seed."""
    rng = random.Random(17)
    found = []
    for number in range(BOARDS):
        first = dict(zip(range(1, 10), rng.sample(range(1, 10), 9), strict=True))
        grid = tuple(
            tuple(first[column] if row == 1 else None for column in range(1, 10))
            for row in range(1, 10)
        )
        solution = next(
            iter(
                Solver(
                    program.with_grid(grid), options=("--rand-freq=1", f"--seed={number}")
                ).search(1)
            )
        )
        cells = rng.sample(
            [(row, column) for row in range(1, 10) for column in range(1, 10)],
            GIVENS[number % len(GIVENS)],
        )
        found.append(
            tuple(
                tuple(
                    solution[row, column] if (row, column) in cells else None
                    for column in range(1, 10)
                )
                for row in range(1, 10)
            )
        )
    return found


if __name__ == "__main__":
    main()
