"""The interface of all engines: encode a case, run the encoding, count its statements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from typing import ClassVar, NamedTuple

from aspdoku.errors import AspdokuError
from aspdoku.formalisms.case import Case, Encoding, render
from aspdoku.puzzle.puzzle import Cell, Grid


class EngineError(AspdokuError):
    """An engine failed without an answer."""


class Outcome(NamedTuple):
    """The answer of an engine.

    grid: a solution, with None for undetermined cells; None if there is no solution
    unique: whether the solution was proved unique; None if this was not checked
    entailed: the grid contains what is common to all solutions, as reasoners compute it, instead
    of one solution
    start, solve: seconds until the engine was ready to read the puzzle, and from there to the
    answer
    notes: further results, one line each
    """

    grid: Grid | None
    unique: bool | None
    start: float
    solve: float
    entailed: bool = False
    notes: tuple[str, ...] = ()


class Engine(ABC):
    """A formalism, in the style of one author, with the engine that runs it.

    name: the value of `--engine`
    title: the name in reports
    folder, extension: its encodings in `rivals/`
    ground: whether it lacks variables, so that encodings are generated for each instance
    native: whether it runs the rule files themselves and thus supports all rules
    """

    name: ClassVar[str]
    title: ClassVar[str]
    folder: ClassVar[str]
    extension: ClassVar[str]
    ground: ClassVar[bool] = False
    native: ClassVar[bool] = False

    def missing_requirement(self) -> str | None:
        """The software to install, e.g. `swipl (apt install swi-prolog)`; None if it can run."""
        return None

    def encode(self, case: Case) -> Encoding:
        """The encoding of a case."""
        return render(self.folder, self.extension, case)

    def program_text(self, case: Case, encoding: Encoding) -> str:
        """The complete program text, as the engine reads it."""
        return f"{encoding.program.rstrip()}\n\n{encoding.instance.strip()}\n"

    def trace(self, case: Case, encoding: Encoding, seconds: float) -> list[str]:
        """The steps to the engine's answer, one line each; empty if not supported.

        Raises TimeLimitError after `seconds`, EngineError if the engine fails.
        """
        return []

    def explain(self, case: Case, cell: Cell, number: int, seconds: float) -> list[str]:
        """The engine's explanation of why a cell contains a number; empty if not supported.

        Raises TimeLimitError after `seconds`, EngineError if the engine fails.
        """
        return []

    @abstractmethod
    def statements(self, program: str) -> Counter[str]:
        """The statements of a program, by the grammar of the language, with multiplicities.

        They are normalized, so that layout and the names of variables make no difference.
        """

    def as_written(self, program: str) -> dict[str, str]:
        """The text in the program of normalized statements that look different there."""
        return {}

    @abstractmethod
    def run(self, case: Case, encoding: Encoding, seconds: float) -> Outcome:
        """Run the encoding.

        Raises TimeLimitError if there is no answer within `seconds`, EngineError if it fails.
        """
