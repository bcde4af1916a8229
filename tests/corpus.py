"""The puzzles in `instances/`, each with its solution file."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "instances"
PRINTED_FOLDER = FOLDER / "slides" / "as-printed"


def _solution_of(puzzle: Path) -> Path | None:
    file = puzzle.with_name(f"{puzzle.stem}.solution.txt")
    return file if file.exists() else None


# Puzzle and solution file; None where a puzzle has none, because it has several solutions or because that is beside its point.
INSTANCES: list[tuple[Path, Path | None]] = [
    (file, _solution_of(file))
    for file in sorted(FOLDER.rglob("*.txt"))
    if not file.name.endswith(".solution.txt") and PRINTED_FOLDER not in file.parents
]
SOLVED: list[tuple[Path, Path]] = [(puzzle, solution) for puzzle, solution in INSTANCES if solution]

# Grids with the misprints of the slides: they have no solution.
AS_PRINTED: list[Path] = sorted(PRINTED_FOLDER.glob("*.txt"))
