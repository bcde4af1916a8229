"""Overhead of the engine: Solver compared with a plain clingo control, on the same program text in
the same process.

Both ground, search for two solutions, and read the atoms of the solutions found.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import clingo
import measure

import aspdoku
from aspdoku import Program, Solution, Solver, compose
from aspdoku.engine.solver import REQUIRED_OPTIONS
from aspdoku.puzzle.puzzle import GIVEN

ROUNDS = 21
GOAL = 1.1
ENDING = ".solution.txt"


def main() -> None:
    rows = []
    total = {"aspdoku": 0.0, "clingo": 0.0}
    fastest = dict(total)
    for name, program, solution in instances():
        check(name, program, solution)
        contenders = {
            "aspdoku": partial(with_aspdoku, program),
            "clingo": partial(with_clingo, program.text),
        }
        times = measure.interleaved(contenders, ROUNDS)
        medians = measure.medians(times)
        rows.append(row(name, medians))
        for contender, values in times.items():
            total[contender] += medians[contender]
            fastest[contender] += min(values)
    measure.publish(
        "in_process",
        "In the process: ground, and look for two solutions",
        measure.table(
            ["puzzle", "aspdoku ms", "bare clingo ms", "ratio"],
            [*rows, row("total", total), row("total of the fastest", fastest)],
        ),
        f"Medians of {ROUNDS} rounds, interleaved. The last line adds up the fastest round of each"
        " puzzle, which other tasks on the machine disturb the least; the goal is about the"
        " medians.",
        measure.goal("total, aspdoku to bare clingo", total["aspdoku"] / total["clingo"], GOAL),
    )


def row(name: str, seconds: dict[str, float]) -> list[str]:
    ours, peer = seconds["aspdoku"], seconds["clingo"]
    return [name, f"{ours * 1e3:.2f}", f"{peer * 1e3:.2f}", f"{ours / peer:.2f}"]


def instances() -> Iterator[tuple[str, Program, list[list[int]]]]:
    """Every puzzle with a solution file: name, program, and the rows of the solution."""
    folder = measure.ROOT / "instances"
    for file in sorted(folder.rglob(f"*{ENDING}")):
        puzzle = file.with_name(file.name.removesuffix(ENDING) + ".txt")
        yield (
            str(puzzle.relative_to(folder).with_suffix("")),
            compose(aspdoku.read(puzzle)),
            read(file),
        )


def read(file: Path) -> list[list[int]]:
    lines = file.read_text("utf-8").splitlines()
    return [[int(number) for number in line.split()] for line in lines if line and ":" not in line]


def with_aspdoku(program: Program) -> tuple[Solver, list[Solution]]:
    solver = Solver(program)
    solver.ground()
    return solver, list(solver.search(limit=2))


def with_clingo(text: str) -> tuple[clingo.Control, list[list[clingo.Symbol]]]:
    control = clingo.Control([*REQUIRED_OPTIONS, "--project=project", "2"])
    control.add("base", [], text)
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        return control, [list(model.symbols(shown=True)) for model in handle]


def check(name: str, program: Program, solution: list[list[int]]) -> None:
    """Assert that all solvers find exactly the solution in the file."""
    ours = [[list(cells) for cells in found] for found in with_aspdoku(program)[1]]
    cells = {(r, c, n) for r, numbers in enumerate(solution, 1) for c, n in enumerate(numbers, 1)}
    bare = [
        {tuple(place.number for place in atom.arguments) for atom in model if atom.match(*GIVEN)}
        for model in with_clingo(program.text)[1]
    ]
    if ours != [solution] or bare != [cells]:
        sys.exit(f"{name}: the solution in the file is not the unique answer")


if __name__ == "__main__":
    main()
