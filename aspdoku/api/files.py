"""Puzzles as files and as pictures: `write`, `convert` and `draw`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from aspdoku.api.solving import Solutions
from aspdoku.api.solving import solve as find_solutions
from aspdoku.api.source import (
    Constants,
    Facts,
    Names,
    PuzzleSource,
    Rules,
    Source,
    program_of,
    puzzle_of,
)
from aspdoku.deadline import Deadline
from aspdoku.drawing import Picture, picture_of_program
from aspdoku.drawing.output import WRITERS
from aspdoku.drawing.style import DrawStyle, derived_predicates, styles_of
from aspdoku.engine.candidates import CellNumbers
from aspdoku.engine.candidates import candidates as find_candidates
from aspdoku.engine.solver import Solver, from_symbol
from aspdoku.errors import AspdokuError, NoSolutionError, TimeLimitError
from aspdoku.formats import registry
from aspdoku.program import Program
from aspdoku.puzzle import Function

__all__ = ["Drawing", "convert", "draw", "write"]


def convert(puzzle: PuzzleSource, to: str) -> str:
    """The text of a puzzle in another format.

    puzzle: a puzzle, its text or path
    to: the name of a format, as `aspdoku convert --list` prints it
    Raises PuzzleError if the format is unknown or cannot represent the puzzle.
    """
    return registry.write(registry.by_name(to), [puzzle_of(puzzle)])


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
    text = registry.write(format_, [puzzle_of(puzzle)])
    with file.open("x", encoding="utf-8") as out:
        out.write(text)


@dataclass(frozen=True)
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
        content = self.render(file.suffix)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())

    def __str__(self) -> str:
        svg = self.render(".svg")
        assert isinstance(svg, str)
        return svg

    def _repr_svg_(self) -> str:
        return str(self)


def draw(
    puzzle: Source,
    *,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    time_limit: float | None = None,
    solution: bool = False,
    candidates: bool = False,
    captions: bool = True,
    interruptible: bool = False,
) -> Drawing:
    """Draw a puzzle as a diagram, with the titles of its rules below.

    How a rule's inputs look is defined in a `.draw` file next to its `.lp` file.

    solution: draw the solution, with the givens in bold
    candidates: draw the true candidates of every cell
    captions: print the titles of the rules
    The other arguments are those of `solve`.
    Raises NoSolutionError or TimeLimitError if there is no solution or no full set of candidates
    to draw, AspdokuError if `solution` and `candidates` are both true, PuzzleError or RuleError.
    """
    if solution and candidates:
        raise AspdokuError("a picture shows either the solution or the candidates")
    program = program_of(puzzle, with_, without, constants, facts, time_limit)
    deadline = Deadline(time_limit)
    styles = styles_of(program)
    found, remark = None, ""
    if solution:
        found = find_solutions(
            program, time_limit=deadline.time_limit(), interruptible=interruptible
        )
        remark = _remark(found)
    numbers = _candidates(program, deadline.time_limit()) if candidates else ()
    picture = picture_of_program(
        program,
        styles,
        _derived_facts(program, styles, deadline.time_limit()),
        found.solution if found is not None else None,
        numbers,
        captions,
        remark,
    )
    return Drawing(picture, found)


def _remark(found: Solutions) -> str:
    """The remark below a picture of the first solution; empty if the solution is unique."""
    if found.alternative:
        return "Another solution has the same numbers."
    if found.status == "unique":
        return ""
    return "One of several solutions." if len(found) > 1 else "The solution may not be unique."


def _candidates(program: Program, time_limit: float | None) -> CellNumbers:
    found = find_candidates(program, time_limit, 0)
    if found.unsatisfiable:
        raise NoSolutionError("no solution")
    if found.ended == "interrupted":
        raise KeyboardInterrupt
    if found.ended != "complete":
        raise TimeLimitError("not all candidates were found in time; nothing was drawn")
    return found.possible


def _derived_facts(
    program: Program, styles: Iterable[DrawStyle], time_limit: float | None
) -> list[Function]:
    """The facts that the program derives and some style draws; it is grounded only for these."""

    def atoms() -> Iterator[Function]:
        solver = Solver(program, time_limit)
        for signature in sorted(derived_predicates(program, styles)):
            for atom in solver.ground().symbolic_atoms.by_signature(*signature):
                term = from_symbol(atom.symbol)
                if atom.is_fact and isinstance(term, Function):
                    yield term

    return list(atoms())
