"""An explanation as a page of HTML to click through.

The grid at each step, and the words of each rule in its file's colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from aspdoku.engine.solver import SearchEnd
from aspdoku.explain.explainer import Explainer
from aspdoku.explain.steps import Step
from aspdoku.markup import render
from aspdoku.puzzle import Puzzle
from aspdoku.report import text
from aspdoku.report.explanation import elaboration_colours, step_lines, summary_lines


class BoardCell(NamedTuple):
    """A cell of a board: its number, or the candidates left in it.

    Kind says whether the step concludes or uses it.
    """

    number: int | None
    given: bool
    marks: str
    kind: str


def explanation_html(
    steps: Sequence[Step], explainer: Explainer, ended: SearchEnd = "complete"
) -> str:
    """The page, which needs nothing else; without scripts it shows all steps. ended.

    How the search for steps ended.
    """
    program = explainer.constraints.program
    puzzle = program.puzzle
    height, breadth = (
        puzzle.box if puzzle.box and min(puzzle.box) > 1 else (puzzle.size, puzzle.size)
    )
    boards = _boards(steps, puzzle)
    return render(
        "explanation.html.j2",
        title=puzzle.title or (puzzle.origin.name if puzzle.origin else "a puzzle"),
        steps=[
            (step, list(step_lines(step)), rows) for step, rows in zip(steps, boards, strict=True)
        ],
        colours=elaboration_colours(program),
        closing=list(summary_lines(steps, explainer, ended)),
        height=height,
        breadth=breadth,
    )


def _boards(steps: Sequence[Step], puzzle: Puzzle) -> Iterator[list[list[BoardCell]]]:
    """The grid at each step: with the pencil marks before it, and with what it concludes."""
    size, givens = puzzle.size, puzzle.givens()
    numbers = dict(givens)
    places = [(row, column) for row in range(1, size + 1) for column in range(1, size + 1)]
    marks = {place: set(puzzle.numbers) for place in places}
    for step in steps:
        claims = [
            claim for reason in (*step.eliminations, *step.reasons) for claim in reason.claims
        ]
        numbers |= {(claim.row, claim.column): claim.number for claim in claims if claim.holds}
        for claim in claims:
            if not claim.holds:
                marks[claim.row, claim.column].discard(claim.number)
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
                numbers.get(place),
                place in givens,
                text.symbols(sorted(marks[place]), puzzle),
                "concluded" if place in concluded else "looked" if place in looked else "",
            )
            for place in places
        ]
        yield [cells[start : start + size] for start in range(0, len(cells), size)]
