"""The native format, with sections as the known rules declare their inputs.

Bundled rules, and those on ASPDOKU_PATH, decide that `[even]` marks cells. What only a rule file
given by its path declares is applied when the program is composed. `native_writer` writes it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzlefile.reader import parse_native

if TYPE_CHECKING:
    from aspdoku.puzzlefile.declared import Declaration


def parse(text: str, name: str) -> Puzzle:
    """The puzzle in the text of a puzzle file. Raises PuzzleError at name:line."""
    return parse_native(text, name, known_declarations)


def known_declarations(name: str) -> Iterable[Declaration]:
    """The inputs that rules which can be found by name declare for a predicate."""
    from aspdoku.program.library import declared_inputs  # only sections need it; loads jinja2

    return declared_inputs(name)
