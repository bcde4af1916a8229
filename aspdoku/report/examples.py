"""The bundled puzzles as text and JSON."""

from __future__ import annotations

from collections.abc import Mapping

from aspdoku.puzzle import Puzzle
from aspdoku.report import tagged
from aspdoku.report.layout import wrapped


def examples_text(puzzles: Mapping[str, Puzzle]) -> str:
    """A line for each puzzle: its name, its title, and its rules in brackets."""
    width = max(map(len, puzzles), default=0)
    return "\n".join(
        wrapped(f"{name:<{width}}  {_words(puzzle)}".rstrip(), width + 2)
        for name, puzzle in puzzles.items()
    )


def _words(puzzle: Puzzle) -> str:
    rules = [*puzzle.elaborations, *(f"without {name}" for name in puzzle.without)]
    return " ".join(filter(None, (puzzle.heading, f"[{', '.join(rules)}]" if rules else "")))


def examples_json(puzzles: Mapping[str, Puzzle]) -> dict[str, object]:
    """The puzzles as a JSON object."""
    found = [
        {
            "name": name,
            "title": puzzle.title,
            "rules": list(puzzle.elaborations),
            "without": list(puzzle.without),
        }
        for name, puzzle in puzzles.items()
    ]
    return tagged("example", {"examples": found})
