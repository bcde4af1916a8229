"""The puzzles in `instances/`, each with its solution file."""

import re
from pathlib import Path

import oracle

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "instances"
PRINTED_FOLDER = FOLDER / "slides" / "as-printed"
BOARDS_FOLDER = FOLDER / "boards"


def _solution_of(puzzle: Path) -> Path | None:
    file = puzzle.with_name(f"{puzzle.stem}.solution.txt")
    return file if file.exists() else None


def _rules_of(puzzle: Path) -> set[str]:
    """The rules that a puzzle file names in its header."""
    named = re.search(r"^with:(.*)", puzzle.read_text("utf-8"), re.MULTILINE)
    return set(re.split(r"[\s,]+", named[1].strip())) if named else set()


_ALL: list[tuple[Path, Path | None]] = [
    (file, _solution_of(file))
    for file in sorted(FOLDER.rglob("*.txt"))
    if not file.name.endswith(".solution.txt")
    and {PRINTED_FOLDER, BOARDS_FOLDER}.isdisjoint(file.parents)
]

# Puzzle and solution file of each instance that the oracle can solve. The solution is None if the
# instance has several solutions, or was not written to be solved.
INSTANCES: list[tuple[Path, Path | None]] = [
    pair for pair in _ALL if _rules_of(pair[0]) <= oracle.RULE_NAMES
]
SOLVED: list[tuple[Path, Path]] = [(puzzle, solution) for puzzle, solution in INSTANCES if solution]

# Puzzle and solution file by rule, for the rules that the oracle does not implement.
ELABORATED: dict[str, tuple[Path, Path]] = {
    puzzle.stem: (puzzle, puzzle.with_name(f"{puzzle.stem}.solution.txt"))
    for puzzle, solution in _ALL
    if (puzzle, solution) not in INSTANCES
}

# Puzzle and solution file of each puzzle on several boards, or on one that is not square.
BOARDS: list[tuple[Path, Path]] = [
    (file, solution)
    for file in sorted(BOARDS_FOLDER.glob("*.txt"))
    if (solution := _solution_of(file))
]

# Grids with the misprints of the slides: they have no solution.
AS_PRINTED: list[Path] = sorted(PRINTED_FOLDER.glob("*.txt"))
