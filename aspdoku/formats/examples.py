"""The bundled puzzles, each with a name that can be used instead of a file: `example:killer`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from aspdoku.errors import Advice, PuzzleError, did_you_mean
from aspdoku.puzzlefile.lines import quote

PREFIX = "example:"
# Folders of puzzles that a person would solve; a name in two of them means the first.
_FOLDERS = ("slides", "made", "lessons", "boards", "owl", "prolog", "csp")


@cache
def examples() -> dict[str, Path]:
    """The files of the bundled puzzles by their names, sorted."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "instances"
    folder = installed if installed.is_dir() else package.parent / "instances"
    files = {
        file.stem: file
        for name in reversed(_FOLDERS)
        for file in (folder / name).glob("*.txt")
        if not file.name.endswith(".solution.txt")
    }
    return dict(sorted(files.items()))


def example_file(name: str) -> Path:
    """The file of a bundled puzzle. Raises PuzzleError, suggesting the nearest name."""
    known = examples()
    if name not in known:
        listed = f"lists the {len(known)} bundled puzzles"
        raise PuzzleError(
            f"unknown example {quote(name)}.{did_you_mean(name, list(known))}",
            advice=Advice(f" `aspdoku example` {listed}", f" `aspdoku.examples()` {listed}"),
        )
    return known[name]
