"""The native format, with sections as the known rules declare their inputs.

Bundled rules, and those on ASPDOKU_PATH, decide that `[even]` marks cells. What other rule
files declare is applied when a program is composed of them (`puzzlefile.declared.settled`).
`native_writer` writes the format.
"""

from __future__ import annotations

from aspdoku.program.library import declared_inputs
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzlefile.reader import parse_native


def parse(text: str, name: str) -> Puzzle:
    """The puzzle in the text of a puzzle file. Raises PuzzleError at name:line."""
    return parse_native(text, name, declared_inputs)
