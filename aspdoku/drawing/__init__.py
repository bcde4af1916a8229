"""Puzzles as diagrams: shapes first, then SVG, HTML, LaTeX, PNG or PDF."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from aspdoku.drawing.canvas import Canvas
from aspdoku.drawing.facts import group_facts, name_letters
from aspdoku.drawing.picture import NO_MARKS, Marks, Picture, picture
from aspdoku.drawing.style import (
    KINDS_WITH_LABELS,
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
            for letter in re.findall(r"\{([A-Z]\d*)\}", line)
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
