"""The collected puzzles as givens and rules of the oracle.

The readers in this module are independent of aspdoku's.
"""

import json
import re
from functools import cache
from pathlib import Path

import oracle

DATA = Path(__file__).parents[2] / "shared" / "data"
SIGNS = ".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def rows_of(numbers):
    size = round(len(numbers) ** 0.5)
    return [numbers[start : start + size] for start in range(0, size**2, size)]


def grid_of(line):
    return rows_of([None if sign in ".0" else SIGNS.index(sign) for sign in line])


def from_81_characters(_, puzzle):
    return grid_of(puzzle), oracle.CLASSIC


def from_puzzlekit(kinds, puzzle):
    """The size, the grid, and a grid of labels for regions, if any.

    For cages, the first grid contains their sums.
    """
    words = [line.split() for line in puzzle.splitlines()]
    size = int(words[0][0])
    drawn = [[None if word == "-" else int(word) for word in row] for row in words[1 : size + 1]]
    if len(words) == size + 1:
        return drawn, oracle.CLASSIC
    cells = {}
    for r, row in enumerate(words[size + 1 : 2 * size + 1], 1):
        for c, name in enumerate(row, 1):
            cells.setdefault(name, []).append((r, c))
    if "jigsaw" in kinds:
        return drawn, oracle.Rules(
            boxes=False, chains={name: tuple(places) for name, places in cells.items()}
        )
    totals = {
        name: next((drawn[r - 1][c - 1] for r, c in places if drawn[r - 1][c - 1]), None)
        for name, places in cells.items()
    }
    cages = [oracle.Cage(tuple(places), totals[name], name) for name, places in cells.items()]
    return [[None] * size for _ in range(size)], oracle.Rules(cages=tuple(cages))


def from_strimko(_, puzzle):
    grid = [[None] * puzzle["n"] for _ in range(puzzle["n"])]
    for r, c, number in puzzle["givens"]:
        grid[r - 1][c - 1] = number
    chains = {}
    for r, row in enumerate(puzzle["streams"], 1):
        for c, name in enumerate(row, 1):
            chains[str(name)] = (*chains.get(str(name), ()), (r, c))
    return grid, oracle.Rules(boxes=False, chains=chains)


def from_signs(_, puzzle):
    pairs = tuple(((r1, c1), (r, c)) for r, c, r1, c1 in puzzle["less_than"])
    return [[number or None for number in row] for row in puzzle["values"]], oracle.Rules(
        boxes=False, greater_than=pairs
    )


def from_lisudoku(_, puzzle):
    size = puzzle["gridSize"]
    grid = [[None] * size for _ in range(size)]
    for given in puzzle.get("fixedNumbers", []):
        grid[given["position"]["row"]][given["position"]["col"]] = given["value"]
    cages = [
        oracle.Cage(
            tuple((cell["row"] + 1, cell["col"] + 1) for cell in cage["region"]),
            cage["sum"],
            str(number),
        )
        for number, cage in enumerate(puzzle.get("killerCages", []))
    ]
    return grid, oracle.Rules(anti_knight=puzzle.get("antiKnight", False), cages=tuple(cages))


def from_fpuzzles(_, puzzle):
    grid = [[cell.get("value") for cell in row] for row in puzzle["grid"]]
    cages = [
        oracle.Cage(
            tuple(tuple(map(int, re.findall(r"\d+", cell))) for cell in cage["cells"]),
            int(cage["value"]) if cage.get("value") else None,
            str(number),
        )
        for number, cage in enumerate(puzzle.get("killercage", []))
    ]
    return grid, oracle.Rules(anti_knight=puzzle.get("antiknight", False), cages=tuple(cages))


def from_interactive_sudoku_solver(_, puzzle):
    """Text such as .AntiKnight~R1C2_3: the names of rules, and givens."""
    grid = [[None] * 9 for _ in range(9)]
    for r, c, number in re.findall(r"~R(\d)C(\d)_(\d)(?!_)", puzzle):
        grid[int(r) - 1][int(c) - 1] = int(number)
    regions = re.search(r"\.Jigsaw~(\w{81})", puzzle)
    chains = {}
    for place, name in enumerate(regions[1] if regions else ""):
        chains[name] = (*chains.get(name, ()), (place // 9 + 1, place % 9 + 1))
    return grid, oracle.Rules(
        boxes="NoBoxes" not in puzzle, anti_knight="AntiKnight" in puzzle, chains=chains
    )


READERS = {
    "81char": (from_81_characters, {"classic"}),
    "puzzlekit-text": (from_puzzlekit, {"classic", "jigsaw", "killer"}),
    "strimko-json": (from_strimko, {"strimko", "latin-no-boxes"}),
    "lt-list": (from_signs, {"greater-than", "latin-no-boxes", "futoshiki"}),
    "lisudoku-json": (from_lisudoku, {"classic", "anti-knight", "killer"}),
    "fpuzzles-json": (from_fpuzzles, {"givens", "anti-knight", "killer"}),
    "iss-string": (
        from_interactive_sudoku_solver,
        {"classic", "anti-knight", "jigsaw", "latin-no-boxes"},
    ),
}


@cache
def collection():
    """The puzzles with supported rules: the record of each, its givens and its rules."""
    file = DATA / "puzzles.jsonl"
    documents = (
        [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    )
    known = [
        each
        for each in documents
        if set(each["kind"]) <= READERS.get(each["format"], (None, set()))[1]
    ]
    return [(each, *READERS[each["format"]][0](each["kind"], each["puzzle"])) for each in known]
