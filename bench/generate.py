"""Speed of making puzzles, next to generators of other packages, and whether they are minimal.

All run in this process, in turns. Processor time is measured, because the machine is shared; that
of aspdoku starts when its first puzzle of a round is ready, so that the grounding is left out. No
peer has anything to prepare: all of its puzzles count.

Every puzzle must have one solution by plain clingo. Whether it is minimal is decided by
`aspdoku.minimise`, and for a sample by plain clingo, too, on the puzzle without each of its givens
and clues.

Peers that are not installed are left out.
"""

from __future__ import annotations

import gc
import importlib
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from itertools import islice
from typing import Any, NamedTuple

import clingo
import measure

import aspdoku
from aspdoku import Puzzle, compose
from aspdoku.engine.clues import Clue, clues
from aspdoku.puzzle import Function

ROUNDS = 5
BUDGET = 60.0  # a contender that has taken longer has no further rounds
TIME_LIMIT = 120.0
SAMPLE = 2  # puzzles of each contender
LIB_SUDOKU_GIVENS, DOKUSAN_RANK = 24, 150
STRIMKO = {"with_": "chain", "without": "box", "size": 7}
PENCILMARK_KILLER = {"size": 6, "elements": {"cage": "partition"}, "max_givens": 0}


class Run(NamedTuple):
    """The puzzles of a round, and how many of them took the measured time."""

    puzzles: list[Puzzle]
    measured: int
    seconds: float


class Peer(NamedTuple):
    """A generator of another package.

    puzzles: puzzles without end, of the package's own type; from its module and a seed
    read: a puzzle of that type
    count: puzzles in a round
    """

    package: str
    module: str
    puzzles: Callable[[Any, int], Iterator[Any]]
    read: Callable[[Any], Puzzle]
    count: int


class Case(NamedTuple):
    """Puzzles of one kind.

    wanted: arguments of `aspdoku.generate`
    count: puzzles of aspdoku in a round
    goal: puzzles a second
    board: rules whose clues are part of the board; only the rest has to be minimal
    """

    name: str
    wanted: dict[str, Any]
    count: int
    goal: float
    peers: tuple[Peer, ...] = ()
    board: tuple[str, ...] = ()


def from_hodoku(hodoku: Any, seed: int) -> Iterator[str]:
    generator = hodoku.SudokuGenerator(random.Random(seed))
    while True:
        yield generator.generate_sudoku(symmetric=False)


def from_lib_sudoku(lib_sudoku: Any, _: int) -> Iterator[bytes]:
    while True:
        yield lib_sudoku.gen_unsolved(LIB_SUDOKU_GIVENS)


def from_dokusan(dokusan: Any, seed: int) -> Iterator[object]:
    random.seed(seed)
    while True:
        yield dokusan.random_sudoku(avg_rank=DOKUSAN_RANK)


def from_pencilmark(specification: dict[str, Any], pencilmark: Any, seed: int) -> Iterator[Any]:
    seeds = random.Random(seed)
    while True:
        wanted = {**specification, "seed": seeds.randrange(10**6), "time_limit": TIME_LIMIT}
        yield pencilmark.generate(wanted)["puzzle"]


def read_numbers(cells: bytes) -> Puzzle:
    return aspdoku.parse("".join(map(str, cells)))


def read_text(sudoku: object) -> Puzzle:
    return aspdoku.parse(str(sudoku))


def read_cages(puzzle: dict[str, Any]) -> Puzzle:
    facts = []
    for number, cage in enumerate(puzzle["regions"], 1):
        facts.append(Function("cage_value", (number, cage["sum"])))
        cells = [map(int, cell[1:].split("c")) for cell in cage["cells"]]
        facts += [Function("cage", (*cell, number)) for cell in cells]
    return aspdoku.parse(puzzle["numbers"]).replace(facts=tuple(facts), elaborations=("killer",))


def read_givens(puzzle: dict[str, Any]) -> Puzzle:
    return aspdoku.parse(puzzle["numbers"])


CLASSIC_PEERS = (
    Peer("hodoku-py", "hodoku.generator", from_hodoku, aspdoku.parse, 100),
    Peer("lib_sudoku", "lib_sudoku", from_lib_sudoku, read_numbers, 20),
    Peer("dokusan", "dokusan.generators", from_dokusan, read_text, 5),
    Peer("pencilmark", "pencilmark.gen", partial(from_pencilmark, {}), read_givens, 1),
)
# Runs next to aspdoku in each row, to compare runs on machines of different speed.
REFERENCE = CLASSIC_PEERS[0]
KILLER_PEERS = (
    Peer(
        "pencilmark", "pencilmark.gen", partial(from_pencilmark, PENCILMARK_KILLER), read_cages, 1
    ),
)
CASES = [
    Case("classic 9×9", {}, 100, 150, CLASSIC_PEERS),
    Case("anti-knight 9×9", {"with_": "anti-knight"}, 40, 30),
    Case("killer 6×6", {"with_": "killer", "size": 6, "givens": 0}, 20, 15, KILLER_PEERS),
    Case("killer 9×9", {"with_": "killer", "givens": 0}, 5, 1),
    Case("greater-than 9×9", {"with_": "greater-than", "givens": 0}, 10, 2),
    Case("Strimko 7×7", STRIMKO, 20, 2, board=("chain",)),
]


def main() -> None:
    rows, goals, shares, missing = [], [], [], set()
    for case in CASES:
        contenders = {"aspdoku": partial(run_aspdoku, case)}
        for peer in dict.fromkeys((*case.peers, REFERENCE)):
            try:
                module = importlib.import_module(peer.module)
            except ImportError:
                missing.add(peer.package)
                continue
            name = f"{peer.package} {version(peer.package)}"
            contenders[name] = partial(run_peer, peer, module)
        rates = {}
        for name, runs in in_turns(contenders).items():
            rates[name] = rate = statistics.median(run.measured / run.seconds for run in runs)
            if name.startswith(REFERENCE.package) and REFERENCE not in case.peers:
                continue
            puzzles = [puzzle for run in runs for puzzle in run.puzzles]
            rows.append([case.name, name, f"{rate:.3g}", *checked(puzzles, case.board)])
        goals.append(
            measure.at_least(f"{case.name}, puzzles a second", rates["aspdoku"], case.goal)
        )
        for name, rate in rates.items():
            if name.startswith(REFERENCE.package):
                shares.append(f"{case.name}: {rates['aspdoku'] / rate:.3f}")
    if missing:
        goals.append(f"Not installed: {', '.join(sorted(missing))}.")
    measure.publish(
        "generate",
        "New puzzles with a unique solution",
        measure.table(
            ["puzzles", "generator", "a second", "checked", "minimal", "givens", "clues"], rows
        ),
        f"Medians of {ROUNDS} rounds, or of as many as begin within {BUDGET:.0f} s of processor"
        " time. aspdoku: one call of `aspdoku.generate` in each round, measured from its first"
        " puzzle to its last one; puzzles that it discards count as time. Killer and greater-than"
        " have no givens, and the chains of a Strimko belong to its board. hodoku-py:"
        f" `SudokuGenerator`, without symmetry. lib_sudoku: {LIB_SUDOKU_GIVENS} givens. dokusan:"
        f" rank {DOKUSAN_RANK}. pencilmark grades each puzzle, and its cages fill the grid.",
        "All puzzles have one solution by plain clingo. minimal: the share of them in which no"
        f" given and no clue can be left out; {SAMPLE} of each row were checked by plain clingo,"
        " too. givens and clues: means.",
        "\n".join(goals),
        "The rates of aspdoku as multiples of that of hodoku-py for classic puzzles, which took"
        " turns with aspdoku in each row:",
        "\n".join(shares),
    )


# --- runs


def in_turns(contenders: Mapping[str, Callable[[int], Run]]) -> dict[str, list[Run]]:
    runs: dict[str, list[Run]] = {name: [] for name in contenders}
    for number in range(ROUNDS):
        for name in list(contenders)[:: -1 if number % 2 else 1]:
            if sum(run.seconds for run in runs[name]) < BUDGET:
                gc.collect()
                runs[name].append(contenders[name](number))
    return runs


def run_aspdoku(case: Case, seed: int) -> Run:
    times: list[float] = []
    result = aspdoku.generate(
        **case.wanted,
        seed=seed,
        count=case.count,
        time_limit=TIME_LIMIT,
        on_puzzle=lambda _: times.append(time.process_time()),
    )
    # After the time limit, the search for the next puzzle is part of the measured time.
    ended = time.process_time()
    if not times:
        sys.exit(f"{case.name}: {result.summary}")
    return Run([each.puzzle for each in result.puzzles], len(times) - 1, ended - times[0])


def run_peer(peer: Peer, module: Any, seed: int) -> Run:
    with without_output():
        began = time.process_time()
        found = list(islice(peer.puzzles(module, seed), peer.count))
        ended = time.process_time()
    return Run([peer.read(each) for each in found], len(found), ended - began)


@contextmanager
def without_output() -> Iterator[None]:
    """Discard what native code prints to standard output."""
    sys.stdout.flush()
    kept = os.dup(1)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


# --- checks


def checked(puzzles: Sequence[Puzzle], board: Sequence[str]) -> list[str]:
    """Cells of a row: how many puzzles, the share that is minimal, mean givens and clues."""
    minimal, givens, found = [], [], []
    for number, puzzle in enumerate(puzzles):
        if not is_unique(puzzle):
            sys.exit(f"plain clingo does not find one solution:\n{puzzle}")
        reduced = aspdoku.minimise(puzzle, keep=board)
        minimal.append(not reduced.removed)
        if not reduced.is_minimal or (number < SAMPLE and minimal[-1] != needs_all(puzzle, board)):
            sys.exit(f"plain clingo finds something else to leave out:\n{puzzle}")
        givens.append(len(puzzle.givens()))
        found.append(len(clues(compose(puzzle))))
    return [
        str(len(puzzles)),
        f"{statistics.mean(minimal):.0%}",
        f"{statistics.mean(givens):.1f}",
        f"{statistics.mean(found):.1f}" if any(found) else "",
    ]


def needs_all(puzzle: Puzzle, board: Sequence[str]) -> bool:
    """Whether the puzzle has several solutions without any one of its givens and clues."""
    without_given = (without_number(puzzle, *cell) for cell in puzzle.givens())
    without_clue = (
        without_facts(puzzle, clue) for clue in clues(compose(puzzle)) if clue.rule not in board
    )
    return not any(is_unique(each) for several in (without_given, without_clue) for each in several)


def without_number(puzzle: Puzzle, row: int, column: int) -> Puzzle:
    grid = [list(numbers) for numbers in puzzle.grid]
    grid[row - 1][column - 1] = None
    return puzzle.replace(grid=tuple(map(tuple, grid)), box=puzzle.box)


def without_facts(puzzle: Puzzle, clue: Clue) -> Puzzle:
    left = tuple(fact for fact in puzzle.facts if fact not in clue.facts)
    return puzzle.replace(facts=left, box=puzzle.box)


def is_unique(puzzle: Puzzle) -> bool:
    """Whether plain clingo finds one solution and no other one."""
    control = clingo.Control(["2"])
    control.add("base", [], compose(puzzle).text)
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        return sum(1 for _ in handle) == 1


if __name__ == "__main__":
    os.chdir(measure.ROOT)
    main()
