"""The native format, with sections as the known rules declare their inputs.

Bundled rules, and those on ASPDOKU_PATH, decide that `[even]` marks cells. What only a rule file
given by its path declares is applied when the program is composed. `native_writer` writes it.
"""

from __future__ import annotations

from aspdoku.program.library import declared_inputs
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzlefile.reader import parse_native


def parse(text: str, name: str) -> Puzzle:
    """The puzzle in the text of a puzzle file. Raises PuzzleError at name:line."""
    return parse_native(text, name, declared_inputs)
