"""Puzzles as files and as pictures: `write`, `convert` and `draw`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from aspdoku.drawing import Marks, Picture, picture_of_program
from aspdoku.drawing.output import WRITERS
from aspdoku.engine.candidates import candidates as find_candidates
from aspdoku.errors import ArgumentError, AspdokuError, NoSolutionError, TimeLimitError
from aspdoku.explanation.constraints import ConstraintModel
from aspdoku.explanation.explainer import StepFinder
from aspdoku.formats import registry
from aspdoku.formats.stated_rules import with_words
from aspdoku.program import Program
from aspdoku.puzzle.puzzle import Cell, numbers_by_cell
from aspdoku.puzzle.render import shortened
from aspdoku.questions.solve import Solutions
from aspdoku.questions.solve import solve as find_solutions
from aspdoku.questions.source import PuzzleSource, RuleOptions, Source, program_of, puzzle_of
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note
from aspdoku.runtime.signals import interruptible
from aspdoku.writing import write as write_file


@interruptible
def convert(puzzle: PuzzleSource, to: str) -> str:
    """The text of a puzzle in another format, with its rules in words if the format has these.

    puzzle: a puzzle, its text or path
    to: the name of a format, as `aspdoku convert --list` prints it
    Raises PuzzleError if the format is unknown or cannot represent the puzzle.
    """
    format_, found = registry.by_name(to), puzzle_of(puzzle)
    return registry.write(format_, [with_words(found) if format_ is registry.NATIVE else found])


@interruptible
def write(puzzle: PuzzleSource, path: str | os.PathLike[str], to: str | None = None) -> None:
    """Write a puzzle to a file, which must not exist yet.

    puzzle: as for `convert`
    path: the file
    to: the name of a format; by default determined by the suffix of the path
    Raises PuzzleError like `convert`, AspdokuError for an unknown suffix, FileExistsError or
    another OSError.
    """
    file = Path(path)
    format_ = registry.by_name(to) if to else registry.by_suffix(file.suffix)
    if format_ is None:
        raise AspdokuError(f"{file}: unknown suffix {file.suffix!r}: name a format with to=")
    text = registry.write(format_, [puzzle_of(puzzle)], file.parent)
    write_file(file, text, new=True)


@dataclass(frozen=True, repr=False)
class Drawing:
    """A picture of a puzzle, which a notebook displays; `str` gives it as SVG.

    solutions: the result of the search, if a solution is drawn
    """

    picture: Picture
    solutions: Solutions | None = None

    def render(self, suffix: str = ".svg") -> str | bytes:
        """The picture in the format of a file with this suffix: .svg, .html, .tex, .png or .pdf.

        PNG and PDF need the extra `aspdoku[pictures]`. Raises AspdokuError without it, and for
        another suffix.
        """
        if suffix.lower() not in WRITERS:
            raise AspdokuError(f"unknown suffix {suffix!r}: use one of {', '.join(WRITERS)}")
        return WRITERS[suffix.lower()](self.picture)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a file in the format of its suffix. Raises AspdokuError, OSError."""
        file = Path(path)
        write_file(file, self.render(file.suffix))

    def __repr__(self) -> str:
        title = f"{self.picture.title}, " if self.picture.title else ""
        return f"<Drawing: {shortened(f'{title}{len(self.picture.shapes)} shapes')}>"

    def __str__(self) -> str:
        svg = self.render(".svg")
        assert isinstance(svg, str)
        return svg

    def _repr_svg_(self) -> str:
        return str(self)


@interruptible
def draw(
    puzzle: Source,
    *,
    time_limit: float | None = None,
    solution: bool = False,
    candidates: bool = False,
    true_candidates: bool = False,
    labels: bool = False,
    captions: bool = True,
    title: str | None = None,
    interruptible: bool = False,
    **rules: Unpack[RuleOptions],
) -> Drawing:
    """Draw a puzzle as a diagram, with the titles of its rules below.

    How a rule's inputs look is defined in a `.draw` file next to its `.lp` file.

    solution: draw the solution, with the givens in bold
    candidates: draw pencil marks: the numbers that no single rule rules out, given the givens
    true_candidates: draw the numbers that each cell holds in some solution instead
    labels: number the rows and columns, and name the cages and lines that explanations name
    captions: print the titles of the rules
    title: the text above the picture, by default the title of the puzzle; empty for none
    The other arguments are those of `solve`.
    Raises NoSolutionError or TimeLimitError if there is no solution or no full set of candidates
    to draw, AspdokuError if a solution and candidates are wanted, PuzzleError or RuleError.
    """
    if solution and (candidates or true_candidates):
        raise ArgumentError("a picture shows either the solution or the candidates")
    program = program_of(puzzle, time_limit, **rules)
    deadline = Deadline(time_limit)
    solutions, remark = None, ""
    if solution:
        left = deadline.time_limit()
        solutions = find_solutions(program, time_limit=left, interruptible=interruptible)
        remark = _remark(solutions)
    numbers: Mapping[Cell, Iterable[int]] = {}
    if true_candidates:
        numbers = _true_candidates(program, deadline.time_limit())
    elif candidates:
        numbers = _pencil_marks(program, deadline.time_limit())
    grid = None if solutions is None else solutions.solution
    marks = Marks(candidates=numbers, axes=labels)
    left = deadline.time_limit()
    picture = picture_of_program(program, grid, marks, captions, remark, title, time_limit=left)
    return Drawing(picture, solutions)


def _remark(solutions: Solutions) -> str:
    if solutions.alternative:
        return "Another solution has the same numbers."
    if solutions.status == "unique":
        return ""
    return "One of several solutions." if len(solutions) > 1 else "The solution may not be unique."


def _pencil_marks(program: Program, time_limit: float | None) -> Mapping[Cell, Iterable[int]]:
    """The numbers of each cell that no single rule rules out, given those already ruled out."""
    deadline = Deadline(time_limit)
    model = ConstraintModel(program, time_limit)
    known = model.literals_of((*cell, each) for cell, each in program.puzzle.givens().items())
    # Without targets, the only step consists of the eliminations, if there are any.
    steps = StepFinder(model, known, (), deadline.time_limit()).steps()
    gone = {claim[:3] for step in steps for reason in step.eliminations for claim in reason.claims}
    marks: dict[Cell, list[int]] = {}
    for row, column, number in sorted(model.candidates.keys() - gone):
        if (row, column) not in program.puzzle.unused:
            marks.setdefault((row, column), []).append(number)
    return marks


def _true_candidates(program: Program, time_limit: float | None) -> Mapping[Cell, Iterable[int]]:
    note("looking for candidates")
    true = find_candidates(program, time_limit, 0)
    if true.unsatisfiable:
        raise NoSolutionError("no solution")
    if true.ended != "complete":
        raise TimeLimitError("not all candidates were found in time; nothing was drawn")
    return numbers_by_cell(true.possible)
