"""An explanation as an HTML page: the grid at each step, with the rules in the colours of their
files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from aspdoku.explanation.explainer import Explanation
from aspdoku.explanation.steps import Step
from aspdoku.markup import render
from aspdoku.puzzle import Puzzle
from aspdoku.report import text
from aspdoku.report.explanation import elaboration_colours, step_lines, summary_lines


class BoardCell(NamedTuple):
    """A cell of a board: its number, or its remaining candidates.

    kind: "concluded" or "looked" if the step concludes or uses it, otherwise empty
    """

    number: int | None
    given: bool
    candidates: str
    kind: str


def explanation_html(explanation: Explanation) -> str:
    """A self-contained page; without scripts it shows all steps."""
    program, steps = explanation.program, explanation.steps
    puzzle = program.puzzle
    height, width = puzzle.box if puzzle.box and min(puzzle.box) > 1 else (puzzle.size, puzzle.size)
    boards = _boards(steps, puzzle)
    return render(
        "explanation.html.j2",
        title=puzzle.title or (puzzle.origin.name if puzzle.origin else "a puzzle"),
        steps=[
            (step, list(step_lines(step)), rows) for step, rows in zip(steps, boards, strict=True)
        ],
        colours=elaboration_colours(program),
        closing=list(summary_lines(explanation)),
        height=height,
        width=width,
    )


def _boards(steps: Sequence[Step], puzzle: Puzzle) -> Iterator[list[list[BoardCell]]]:
    """The grid at each step, with its conclusions and the remaining candidates."""
    size, givens = puzzle.size, puzzle.givens()
    numbers = dict(givens)
    positions = [(row, column) for row in range(1, size + 1) for column in range(1, size + 1)]
    candidates = {position: set(puzzle.numbers) for position in positions}
    for step in steps:
        claims = [
            claim for reason in (*step.eliminations, *step.reasons) for claim in reason.claims
        ]
        numbers |= {(claim.row, claim.column): claim.number for claim in claims if claim.holds}
        for claim in claims:
            if not claim.holds:
                candidates[claim.row, claim.column].discard(claim.number)
        concluded = {
            (claim.row, claim.column) for reason in step.reasons for claim in reason.claims
        }
        looked = {
            (claim.row, claim.column)
            for reason in step.reasons
            for use in reason.rules
            for claim in use.options
        }
        cells = [
            BoardCell(
                numbers.get(position),
                position in givens,
                text.symbols(sorted(candidates[position]), puzzle),
                "concluded" if position in concluded else "looked" if position in looked else "",
            )
            for position in positions
        ]
        yield [cells[start : start + size] for start in range(0, len(cells), size)]
