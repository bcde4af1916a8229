"""The least number of givens with which some grid is the unique solution: `fewest`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

from aspdoku.engine.solver import SearchEnd
from aspdoku.formats import registry
from aspdoku.generation.minimal import names_of, unnamed_remarks
from aspdoku.puzzle import Puzzle
from aspdoku.puzzle.puzzle import grid_of
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.questions import source
from aspdoku.questions.result import STOPPED, Pictures, ProgramResult, fields, figure
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.signals import interruptible

_ENDS = {**STOPPED, "limit": "there are too many solutions to compare them"}


@dataclass(frozen=True, repr=False)
class Fewest(ProgramResult):
    """The least number of givens with which some grid is the unique solution, or bounds.

    least: so many givens are needed for any grid, those of the puzzle included; this is proved
    puzzle: a puzzle with a unique solution, with as few givens as were found; None if there is none
    solutions: of the puzzle as it is; None if they were not all found
    classes: how many of these differ by more than symmetries; None if that is not known
    refuted: how many of those are known to need more than `least` givens, if that is not the
        minimum
    ended: "complete" if the minimum is known, or there is no solution; "limit" if there are too
        many solutions to compare them
    """

    _kind, _heading = "fewest", "Least number of givens"
    least: int
    puzzle: Puzzle | None
    solutions: int | None
    classes: int | None
    refuted: int
    ended: SearchEnd
    remarks: tuple[str, ...] = ()

    @property
    def most(self) -> int | None:
        """The number of givens of the puzzle."""
        return None if self.puzzle is None else len(self.puzzle.givens())

    @property
    def exact(self) -> bool:
        """Whether the minimum is known."""
        return self.least == self.most

    @property
    def status(self) -> str:
        """Of the puzzle as it is: "none", "some", or "unknown" before a puzzle was found."""
        if self.puzzle is None:
            return "none" if self.ended == "complete" else "unknown"
        return "some"

    def __str__(self) -> str:
        if self.puzzle is None:
            return self.summary()
        return registry.write(registry.NATIVE, [self.puzzle]).removesuffix("\n")

    _text = __str__  # a puzzle file, which has what is unsupported

    def summary(self) -> str:
        """What is proved, in a sentence."""
        if self.status == "none":
            return f"no solution{self._caveat()}"
        counted = ""
        if self.classes is not None and self.solutions is not None:
            counted = f" ({pluralize(self.solutions, 'solution')}, {self.classes} up to symmetry)"
        if self.exact:
            how = "the fewest possible" if self.least else "none is needed"
            return f"{pluralize(self.least, 'given')}: {how}{counted}{self._caveat()}"
        verb = "is" if self.least == 1 else "are"
        bounds = f"at least {pluralize(self.least, 'given')} {verb} needed"
        if self.most is not None:
            bounds += f" and {self.most} suffice"
        left = f"; {self.refuted} of the grids need more than {self.least}" * bool(self.refuted)
        why = _ENDS[self.ended]
        return f"{bounds}{counted}{left}; the minimum is not known: {why}{self._caveat()}"

    _summary = _words = summary

    def _pictures(self) -> Pictures:
        if self.puzzle is not None:
            yield figure(self.program, self.puzzle)

    def _json(self) -> dict[str, Any]:
        names = "least most exact ended solutions classes refuted"
        return fields(names)(self) | {"puzzle": None if self.puzzle is None else str(self)}


@interruptible
def fewest(
    puzzle: source.Source,
    *,
    time_limit: float | None = None,
    interruptible: bool = False,
    **rules: Unpack[source.RuleOptions],
) -> Fewest:
    """Find the least number of givens with which some grid is the unique solution.

    puzzle: its givens are kept, and its clues count as rules
    The other arguments are those of `solve`. At the time limit, the result has proved bounds.
    Raises PuzzleError or RuleError.
    """
    program = source.program_of(puzzle, time_limit, **rules)
    from aspdoku.counting.minimum import MinimumSearch  # loads what only this needs

    search = MinimumSearch(program, Deadline(time_limit))
    search.run(interruptible)
    best, remarks = None, search.remarks
    if search.givens is not None:
        size, names = program.puzzle.size, names_of(program.puzzle, program.rules)
        changed = program.changed(grid=grid_of(size, search.givens), elaborations=names)
        best, remarks = changed.puzzle, (*remarks, *unnamed_remarks(changed))
    return Fewest(
        program,
        search.least,
        best,
        search.solutions,
        search.classes,
        search.refuted,
        search.ended,
        remarks,
    )
