"""What every rival is.

A text for a case, a way to take that text apart into statements, and an engine that runs it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from typing import ClassVar, NamedTuple

from aspdoku.errors import AspdokuError
from aspdoku.formalisms.case import Case
from aspdoku.formalisms.encodings import Encoding, render
from aspdoku.puzzle.puzzle import Cell, Grid


class EngineError(AspdokuError):
    """An engine ended in a way that is no answer."""


class Outcome(NamedTuple):
    """What an engine found.

    grid: the numbers that it gives, None in a cell that it leaves open; None where it says that
    there is no solution
    unique: whether it has proved that there is no other; None where it does not look
    entailed: the grid holds what all solutions share, as a reasoner says it, and not one solution
    start, solve: seconds until the engine was ready to look at the puzzle, and from there to the
    answer
    notes: what else it has to tell, a line each
    """

    grid: Grid | None
    unique: bool | None
    start: float
    solve: float
    entailed: bool = False
    notes: tuple[str, ...] = ()


class Engine(ABC):
    """A formalism, in the style of one author, with the engine that runs it.

    name: what `--engine` calls it; title: for people; folder, extension: its texts in `rivals/`;
    ground: it has no variables, so that its text is made by a generator and has to be read as such;
    native: it runs the rule files themselves, whatever they say
    """

    name: ClassVar[str]
    title: ClassVar[str]
    folder: ClassVar[str]
    extension: ClassVar[str]
    ground: ClassVar[bool] = False
    native: ClassVar[bool] = False

    def missing_requirement(self) -> str | None:
        """What would have to be installed first, as in `swipl (apt install swi-prolog)`.

        None where nothing is missing.
        """
        return None

    def text(self, case: Case) -> Encoding:
        """The text for a case."""
        return render(self.folder, self.extension, case)

    def program_text(self, case: Case, text: Encoding) -> str:
        """The text as the engine reads it."""
        return f"{text.program.rstrip()}\n\n{text.instance.strip()}\n"

    def trace(self, case: Case, text: Encoding, seconds: float) -> list[str]:
        """How the engine comes to its answer, a line a step; empty where it does not tell.

        Raises TimeLimitError where it takes longer than so many seconds, EngineError where it
        fails.
        """
        return []

    def explain(self, case: Case, cell: Cell, number: int, seconds: float) -> list[str]:
        """Why a cell holds a number, as the engine explains it; empty where it does not.

        Raises TimeLimitError where it takes longer than so many seconds, EngineError where it
        fails.
        """
        return []

    @abstractmethod
    def statements(self, program: str) -> Counter[str]:
        """The statements of a text, taken apart by the language's own grammar, each with how often
        it stands there.
        """

    @abstractmethod
    def run(self, case: Case, text: Encoding, seconds: float) -> Outcome:
        """Run the text.

        Raises TimeLimitError where the engine has no answer after so many seconds, EngineError
        where it fails.
        """
