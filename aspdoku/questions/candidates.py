"""The true candidates of each cell: `candidates`."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any, Unpack

from aspdoku.engine.candidates import CandidateCounts, Candidates, CellNumbers
from aspdoku.engine.candidates import candidates as find_candidates
from aspdoku.puzzle.puzzle import Cell, grid_of, numbers_by_cell
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.questions import text
from aspdoku.questions.result import ENDED, Pictures, ProgramResult, fields, figure
from aspdoku.questions.source import RuleOptions, Source, program_of, require_natural
from aspdoku.runtime.progress import note
from aspdoku.runtime.signals import interruptible


@dataclass(frozen=True, repr=False)
class CandidateGrid(ProgramResult):
    """The true candidates of each cell: the numbers that it holds in some solution.

    data: the candidates, and how the search for them ended
    """

    _kind = "candidates"
    data: Candidates

    @property
    def candidates(self) -> CellNumbers:
        """Rows of cells of numbers, in ascending order; all empty if there is no solution."""
        return self.data.possible

    @property
    def forced(self) -> dict[Cell, int]:
        """The cells that hold the same number in all solutions, with it."""
        return self.data.forced

    def text(self, colour: bool = False) -> str:
        """The candidates of each cell as a grid, and the number of forced cells.

        In grids beyond 9x9, commas separate the candidates of a cell. A `?` after them means that
        the cell may have more.

        colour: whether to highlight givens
        """
        if self.data.unsatisfiable:
            return f"no solution{self._caveat()}"
        grid = text.candidate_grid(self.program.puzzle, self._marks(), colour)
        blocks = [grid, self._summary() + self._caveat()]
        if self.data.equal_cells:
            equal = [" = ".join(map(_cell_name, group)) for group in self.data.equal_cells]
            words = f"always equal: {', '.join(equal)}"
            blocks.append(textwrap.fill(words, text.width(), subsequent_indent="  "))
        if self.data.equal_cells is None and self.data.ended == "complete":
            blocks.append("which cells are always equal was not decided")
        if self.data.counts:
            blocks.append("\n".join(self._counts(self.data.counts)))
        return "\n\n".join(blocks)

    _text = text

    def _marks(self) -> dict[Cell, str]:
        puzzle = self.program.puzzle
        size, givens = len(puzzle.numbers), puzzle.givens()
        width = len(str(puzzle.numbers[-1]))
        comma = "," if width > 1 else ""

        def mark(cell: Cell, numbers: tuple[int, ...]) -> str:
            settled = self.data.ended == "complete" or len(numbers) == (
                1 if cell in givens else size
            )
            return comma.join(map(str, numbers)).rjust(width) + ("" if settled else "?")

        cells = numbers_by_cell(self.candidates)
        return {cell: mark(cell, numbers) for cell, numbers in cells.items()}

    def _summary(self) -> str:
        number = sum(len(numbers) for line in self.candidates for numbers in line)
        if why := ENDED.get(self.data.ended):
            if not number:
                return f"{why} before a solution was found; there may be none"
            return textwrap.fill(
                f"{why}, so this is incomplete, with {pluralize(number, 'candidate')} so far: "
                "a cell with ? may have others, even if it shows one number only",
                text.width(),
            )
        cells = sum(bool(numbers) for line in self.candidates for numbers in line)
        forced = len(self.forced)
        hold = "holds" if forced == 1 else "hold"
        return (
            f"{pluralize(number, 'candidate')}; {forced} of {pluralize(cells, 'cell')} {hold} the"
            " same number in every solution"
        )

    def _counts(self, counts: CandidateCounts) -> list[str]:
        ended = self.data.counting_ended
        why = f"{ENDED[ended]}: " if ended in ENDED else ""
        if not counts.solutions:
            return [f"{why}no solution was counted"]
        if counts.exact and counts.solutions == 1:
            return ["the solution is unique"]
        solutions = pluralize(counts.solutions, "solution")
        first = "first solution" if counts.solutions == 1 else f"first {solutions}"
        partial = (
            f"{why}occurrences in the {first} found, which are not representative of all solutions"
        )
        lines = [f"occurrences in {solutions}" if counts.exact else partial]
        occurrences = numbers_by_cell(counts.counts)
        for cell, numbers in numbers_by_cell(self.candidates).items():
            if len(numbers) > 1:
                pairs = zip(numbers, occurrences[cell], strict=True)
                listed = ", ".join(f"{number} in {count}" for number, count in pairs)
                lines.append(f"  {_cell_name(cell)}: {listed}")
        return lines

    def _pictures(self) -> Pictures:
        yield figure(self.program, candidates=numbers_by_cell(self.candidates))

    def _json(self) -> dict[str, Any]:
        """Candidates, forced numbers, equal cells and counts.

        `complete` is false if cells may have candidates that were not found.
        """
        counts = self.data.counts
        return {
            "candidates": self.candidates,
            "complete": self.data.ended == "complete",
            "ended": self.data.ended,
            "forced": grid_of(len(self.candidates), self.forced),
            "equal": self.data.equal_cells,
            "counts": counts and counts.counts,
            "counted": counts and fields("solutions exact")(counts),
        }


def _cell_name(cell: Cell) -> str:
    return "r{}c{}".format(*cell)


@interruptible
def candidates(
    puzzle: Source,
    *,
    time_limit: float | None = None,
    count_to: int = 0,
    interruptible: bool = False,
    **rules: Unpack[RuleOptions],
) -> CandidateGrid:
    """Find the true candidates of every cell, and the cells that are always equal.

    count_to: also count in how many of at most this many solutions each candidate occurs; 0 to
        count none
    The other arguments are those of `solve`. After the time limit, `data.ended` is "time" and the
    candidates found by then are returned. Raises PuzzleError or RuleError.
    """
    require_natural(count_to, "limit")
    program = program_of(puzzle, time_limit, **rules)
    note("looking for candidates")
    data = find_candidates(program, time_limit, count_to, interruptible=interruptible)
    return CandidateGrid(program, data)
