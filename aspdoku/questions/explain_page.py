"""An explanation as an HTML page: the puzzle's drawing at each step, with pencil marks, and the
rules in the colours of their files.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from aspdoku.drawing import Board, CellContent
from aspdoku.drawing.output import PIXELS, format_number, svg_shapes
from aspdoku.explanation.constraints import RuleInstance
from aspdoku.explanation.explainer import Explanation
from aspdoku.explanation.steps import Step, claims_text
from aspdoku.markup import render
from aspdoku.puzzle.puzzle import Cell
from aspdoku.questions.result import Verdict, assumptions
from aspdoku.questions.steps import elaboration_colours, step_lines, summary_lines
from aspdoku.questions.text import StyledLine


class Highlight(NamedTuple):
    """A kind of highlighted cells."""

    kind: str
    colour: str
    text: str


CONCLUDED = Highlight("concluded", "#ffd95e", "concluded")
LOOKED = Highlight("looked", "#a9d3f8", "used")
CLUE = Highlight("clue", "#c3ecc4", "of the clue")
CITED = Highlight("cited", "#e4eefa", "of the row, column or region")
# With more conclusions, the cells of the rules cited would be most of the grid.
_MAX_CITING = 3
_MAX_CLAIMS = 4


class BoardStep(NamedTuple):
    """A step, and the board after it; the next step changes `numbers` and `candidates`."""

    summary: str
    lines: list[StyledLine]
    numbers: Mapping[Cell, int]
    candidates: Mapping[Cell, Collection[int]]
    struck: Mapping[Cell, Collection[int]]
    highlights: list[tuple[Highlight, set[Cell]]]


def explanation_html(explanation: Explanation, question: str = "") -> str:
    """A self-contained page; without scripts it shows all steps. The question is the title."""
    program = explanation.program
    puzzle = explanation.puzzle
    name = puzzle.heading or (puzzle.origin.name if puzzle.origin else "a puzzle")
    summary = [] if question else list(summary_lines(explanation))
    if puzzle.unsupported:
        summary.append(puzzle.caveat.lstrip(" -"))
    board = Board(program)
    contents: dict[CellContent, str] = {}
    return render(
        "explanation.html.j2",
        title=f"{question} {puzzle.title}" if question else f"{name}, explained",
        heading=f"{question} {puzzle.title}" if question else name,
        verdict=Verdict("1 solution", "unique") if explanation.unique and not question else None,
        board=board,
        thickness=puzzle.size / 9,
        below=svg_shapes(board.below),
        above=svg_shapes(board.above),
        steps=list(_steps(explanation, board, contents)),
        contents=[(name, svg_shapes(board.shapes(each))) for each, name in contents.items()],
        colours=elaboration_colours(program),
        closing=[*summary, *assumptions(puzzle)],
        scale=PIXELS,
        number=format_number,
    )


def board_steps(explanation: Explanation) -> Iterator[BoardStep]:
    """The steps that the text numbers, from 1, even in an excerpt of all steps to the solution."""
    puzzle = explanation.program.puzzle
    elaborations = elaboration_colours(explanation.program)
    numbers: dict[Cell, int] = {}
    cells = set(puzzle.cells())
    candidates = {cell: set(puzzle.numbers) for cell in cells}
    shown = 0
    for step in explanation.steps:
        struck: dict[Cell, set[int]] = {}
        # What the step concludes is eliminated, and what its conclusions need.
        needed = [each for reason in step.reasons for each in reason.eliminations]
        shown_reasons = (*step.reasons, *(needed if step.reasons else step.eliminations))
        for claim in (each for reason in shown_reasons for each in reason.claims):
            if not claim.holds and claim.number in candidates[claim[:2]]:
                struck.setdefault(claim[:2], set()).add(claim.number)
        reasons = (*step.eliminations, *step.reasons)
        for claim in (each for reason in reasons for each in reason.claims):
            if claim.holds:
                numbers[claim[:2]] = claim.number
            else:
                candidates[claim[:2]].discard(claim.number)
        if not step.reasons and explanation.unique:
            continue
        shown += 1
        lines = list(step_lines(step._replace(number=shown)))
        marked = [each for each in _highlights(step, explanation.cells, elaborations) if each[1]]
        yield BoardStep(_summary(step), lines, numbers, candidates, struck, marked)


def _steps(
    explanation: Explanation, board: Board, contents: dict[CellContent, str]
) -> Iterator[tuple[BoardStep, list[tuple[str, Cell]], str]]:
    """Each step, the named contents of its cells without givens, and its highlights as SVG."""
    givens = explanation.program.puzzle.givens()
    for step in board_steps(explanation):
        cells = []
        for cell in sorted(step.candidates.keys() - givens.keys()):
            eliminated = tuple(sorted(step.struck.get(cell, ())))
            shown = tuple(sorted({*step.candidates[cell], *eliminated}))
            content = board.content(cell, step.numbers.get(cell), shown, eliminated)
            cells.append((contents.setdefault(content, f"c{len(contents)}"), cell))
        highlights = svg_shapes(
            board.square(cell, each.colour, each.kind)
            for each, marked in step.highlights
            for cell in sorted(marked)
        )
        yield step, cells, highlights


def _summary(step: Step) -> str:
    claims = [claim for reason in step.reasons for claim in reason.claims]
    if not step.reasons:
        return "remaining candidates"
    if not claims:
        return "contradiction"
    more = len(claims) - _MAX_CLAIMS
    return claims_text(claims[:_MAX_CLAIMS]) + (f" and {more} more" if more > 0 else "")


def _highlights(
    step: Step, cells: Mapping[RuleInstance, Collection[Cell]], elaborations: Collection[str]
) -> Iterator[tuple[Highlight, set[Cell]]]:
    """The cells that a step concludes, uses, and cites by rules; each cell once."""
    concluded = {claim[:2] for reason in step.reasons for claim in reason.claims}
    looked = {
        claim[:2] for reason in step.reasons for use in reason.rules for claim in use.options
    } | {claim[:2] for reason in step.reasons for claim in reason.premises if claim.holds}
    clues: set[Cell] = set()
    cited: set[Cell] = set()
    for reason in step.reasons if len(step.reasons) <= _MAX_CITING else ():
        looked |= {claim[:2] for claim in reason.rests_on}
        for use in (use for each in reason.eliminations for use in each.rules):
            if use.instance.guard.name in elaborations:
                clues.update(cells[use.instance])
        for use in reason.rules:
            of_elaboration = use.instance.guard.name in elaborations
            (clues if of_elaboration else cited).update(cells[use.instance])
    yield CITED, cited - clues - concluded - looked
    yield CLUE, clues - concluded - looked
    yield LOOKED, looked - concluded
    yield CONCLUDED, concluded
