"""Puzzles as diagrams: shapes first, then SVG, HTML, LaTeX, PNG or PDF."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from aspdoku.drawing.canvas import Canvas
from aspdoku.drawing.facts import group_facts, name_letters
from aspdoku.drawing.picture import CANDIDATE, NO_MARKS, SOLVED, Marks, Picture, picture
from aspdoku.drawing.shapes import Path, Shape, rectangle
from aspdoku.drawing.style import (
    KINDS_WITH_LABELS,
    VARIABLE,
    DrawStyle,
    Signature,
    derived_predicates,
    is_retracted,
    styles_of,
)
from aspdoku.drawing.styled_shapes import draw
from aspdoku.program import Program, library
from aspdoku.puzzle import Function, Solution
from aspdoku.puzzle.puzzle import Cell, GridLike

__all__ = [
    "NOTEBOOK_SECONDS",
    "NO_MARKS",
    "Board",
    "CellContent",
    "Marks",
    "Picture",
    "cell_contents",
    "content_styles",
    "picture",
    "picture_of_program",
]

# Notebooks display puzzles and results; that must not take long if rules have to be grounded.
NOTEBOOK_SECONDS = 5.0


def picture_of_program(
    program: Program,
    grid: GridLike | None = None,
    marks: Marks = NO_MARKS,
    captions: bool = True,
    remark: str = "",
    title: str | None = None,
    time_limit: float | None = None,
    names: bool = True,
) -> Picture:
    """The picture of a program's puzzle or of a solution of it, with the titles of its rules below.

    The program is grounded if a style draws atoms that it derives.

    grid: a grid or solution to draw instead of the puzzle, with the program's inputs
    title: the text above the picture, by default the title of the puzzle; empty for none
    names: if rows are numbered, draw cages and lines that messages name with their names
    The other parameters are those of `picture`. Raises RuleError for an invalid `.draw` file,
    TimeLimitError.
    """
    styles = styles_of(program)
    shown = grid or program.puzzle
    rules = program.rules
    active = [rule for rule in rules if not is_retracted(rule, program.puzzle.without)]
    used = {item.signature for rule in active for item in rule.inputs}
    unused = {item.signature for rule in rules for item in rule.inputs} - used
    standard = library.standard()
    titles = {rule.name: rule.title for rule in active if rule not in standard}
    return picture(
        shown if title is None else _with_title(shown, title),
        styles,
        _derived_facts(_with_solution(program, grid, styles), styles, time_limit),
        titles,
        marks,
        all(rule in active for rule in library.defaults()),
        unused,
        captions,
        remark,
        _named(program, styles) if marks.axes and names else (),
    )


def content_styles(program: Program) -> list[DrawStyle]:
    """The styles that draw the numbers of a cell in a solution. Raises RuleError."""
    return [style for style in styles_of(program) if style.draw == "numbers"]


def cell_contents(
    program: Program, solution: Solution, time_limit: float | None = None
) -> dict[Cell, list[int]]:
    """The numbers of each cell that a picture of a solution shows instead of the solution's own.

    Empty if no style draws numbers. Raises RuleError for an invalid `.draw` file, TimeLimitError.
    """
    styles = content_styles(program)
    canvas = Canvas(program.puzzle.size, program.puzzle.numbers)
    facts = _derived_facts(_with_solution(program, solution, styles), styles, time_limit)
    for style in styles:
        groups, _ = group_facts(style, facts, canvas.size)
        draw(style, groups, canvas)
    return canvas.contents


def _with_title(grid: GridLike, title: str) -> GridLike:
    if isinstance(grid, Solution):
        return replace(grid, puzzle=grid.puzzle.replace(title=title, author=""))
    return grid.replace(title=title, author="")


def _with_solution(program: Program, grid: GridLike | None, styles: Iterable[DrawStyle]) -> Program:
    """The program with the solution as givens if a style draws numbers that follow from it."""
    if isinstance(grid, Solution) and any(style.draw == "numbers" for style in styles):
        return program.with_grid(grid.rows)
    return program


def _derived_facts(
    program: Program, styles: Iterable[DrawStyle], time_limit: float | None
) -> list[Function]:
    """The facts that the program derives and some style draws; it is grounded only for these."""
    from aspdoku.engine.solver import Solver, from_symbol  # most pictures do without clingo

    solver = Solver(program, time_limit)
    terms = (
        from_symbol(atom.symbol)
        for signature in sorted(derived_predicates(program, styles))
        for atom in solver.ground().symbolic_atoms.by_signature(*signature)
        if atom.is_fact
    )
    return [term for term in terms if isinstance(term, Function)]


def _named(program: Program, styles: Iterable[DrawStyle]) -> set[Signature]:
    """The predicates of cages and lines whose names occur in messages of their rules; regions are
    highlighted instead.
    """
    messages = {
        part.rule.name: {
            letter
            for line in part.rule.text.splitlines()
            if line.startswith("%@")
            for letter in VARIABLE.findall(line)
        }
        for part in program.parts
    }
    return {
        style.atom.signature
        for style in styles
        if style.draw in KINDS_WITH_LABELS
        and style.draw != "borders"
        and len(letters := name_letters(style)) == 1
        and set(letters) <= messages[style.rule]
    }


class CellContent(NamedTuple):
    """The number in a cell, or its pencil marks.

    eliminated: pencil marks that are struck through
    labels: the number of lines in the cell that labels of the drawing use
    ink: the colour of numbers, if the drawing states one: that of the cell, for a black cell
    """

    number: int | None
    candidates: tuple[int, ...]
    eliminated: tuple[int, ...]
    labels: int
    ink: str


class Board:
    """The drawing of a program's puzzle as the background of many grids, the steps of an
    explanation: with numbered rows and columns, and without captions. It is drawn once. The content
    of a cell is drawn as if the cell were the upper left one, so that equal contents can share
    their shapes.

    names: draw cages and lines that messages name with their names
    grid: the upper left corner of the grid
    below, above: the shapes below and above highlighted cells
    """

    def __init__(
        self, program: Program, time_limit: float | None = None, names: bool = True
    ) -> None:
        drawn = picture_of_program(
            program,
            marks=Marks(axes=True),
            captions=False,
            title="",
            time_limit=time_limit,
            names=names,
        )
        self.width, self.height, self.grid = drawn.width, drawn.height, drawn.grid
        # Pencil marks that a rule gives would overlap those of the steps, which respect the rule.
        shapes = [shape for shape in drawn.shapes if shape.kind != "candidate"]
        self.below, self.above = shapes[: drawn.areas], shapes[drawn.areas :]
        self._numbers = program.puzzle.numbers
        self._labels, self._inks = drawn.labels, drawn.inks

    def content(
        self,
        cell: Cell,
        number: int | None,
        candidates: tuple[int, ...] = (),
        eliminated: tuple[int, ...] = (),
    ) -> CellContent:
        """What a cell shows; only its number, if it has one."""
        ink = self._inks.get(cell, "")
        if number is not None:
            return CellContent(number, (), (), 0, ink)
        return CellContent(None, candidates, eliminated, self._labels.get(cell, 0), ink)

    def shapes(self, content: CellContent) -> tuple[Shape, ...]:
        """The shapes of a content in a cell whose upper left corner is the origin."""
        first = 1, 1
        canvas = Canvas(
            1,
            self._numbers,
            labels={first: content.labels} if content.labels else {},
            digit_colours={first: content.ink} if content.ink else {},
        )
        if content.number is not None:
            canvas.add_number(first, content.number, SOLVED, given=False, kind="solved")
        for number in content.candidates:
            canvas.add_candidate(first, number, CANDIDATE, eliminated=number in content.eliminated)
        return canvas.shapes

    def square(self, cell: Cell, colour: str, kind: str) -> Path:
        """A cell filled with a colour."""
        row, column = cell
        left, top = self.grid.moved(column - 1, row - 1)
        return rectangle(left, top, left + 1, top + 1, colour, kind)
