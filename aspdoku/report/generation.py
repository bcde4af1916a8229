"""Generated puzzles as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from aspdoku.engine.clues import clues
from aspdoku.formats.native_writer import write_with_labels
from aspdoku.generation.review import fingerprint_of_program
from aspdoku.program import library
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.report import STOPPED, tagged
from aspdoku.report.answer import unsupported_json

if TYPE_CHECKING:
    from aspdoku.engine.solver import SearchEnd
    from aspdoku.generation.generator import GeneratedPuzzle
    from aspdoku.puzzle import Puzzle


def generated_text(puzzle: Puzzle) -> str:
    """The puzzle as a puzzle file, without the last line feed."""
    return write_with_labels(puzzle).removesuffix("\n")


def generated_summary(puzzle: GeneratedPuzzle) -> str:
    """The size, the numbers of givens and clues, and the difficulty, in one line."""
    size, found = puzzle.puzzle.size, clues(puzzle.program)
    parts = [f"{size}x{size}", pluralize(len(puzzle.puzzle.givens()), "given")]
    parts += [pluralize(len(found), "clue")] if found else []
    parts += ["minimal"] if puzzle.minimal else []
    if puzzle.difficulty:
        parts.append(puzzle.difficulty.label)
        if puzzle.difficulty.technique:
            parts.append(f"hardest step: {puzzle.difficulty.technique.name}")
    return ", ".join(parts) + puzzle.puzzle.caveat


def rules_text(puzzle: GeneratedPuzzle) -> str:
    """The rules that were added, one a line, in the words of their files."""
    standard = library.default_names()
    return "\n".join(
        part.rule.title for part in puzzle.program.parts if part.rule.name not in standard
    )


def attempts_summary(found: int, wanted: int, tried: int, ended: SearchEnd, nearest: str) -> str:
    """How many puzzles were found, and why no more."""
    text = f"{pluralize(found, 'puzzle')} in {pluralize(tried, 'attempt')}"
    if found < wanted:
        text = f"{found} of {pluralize(wanted, 'puzzle')} in {pluralize(tried, 'attempt')}"
        text += f": {STOPPED[ended]}"
        text += f"; the nearest attempt: {nearest}" if nearest else ""
    return text


def generated_json(
    puzzles: Sequence[GeneratedPuzzle], seed: int, tried: int, ended: SearchEnd, nearest: str
) -> dict[str, object]:
    """The puzzles as a JSON object."""
    return tagged(
        "generate",
        {
            "seed": seed,
            "ended": ended,
            "tried": tried,
            "nearest": nearest or None,
            "puzzles": [_puzzle_json(puzzle) for puzzle in puzzles],
        },
    )


def _puzzle_json(puzzle: GeneratedPuzzle) -> dict[str, object]:
    difficulty = puzzle.difficulty
    technique = difficulty.technique if difficulty else None
    return {
        "puzzle": generated_text(puzzle.puzzle) + "\n",
        "solution": [list(row) for row in puzzle.solution.rows],
        "givens": len(puzzle.puzzle.givens()),
        "clues": len(clues(puzzle.program)),
        "minimal": puzzle.minimal,
        "grade": difficulty.label if difficulty else None,
        "technique": technique.name if technique else None,
        "fingerprint": fingerprint_of_program(puzzle.program),
        **unsupported_json(puzzle.puzzle),
    }
