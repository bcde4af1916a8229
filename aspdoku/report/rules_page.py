"""Comparisons of rules as pages, with drawings of the grids that distinguish them."""

from __future__ import annotations

from collections.abc import Sequence

from aspdoku.drawing import NOTEBOOK_SECONDS, Marks, Picture, picture_of_program
from aspdoku.errors import AspdokuError
from aspdoku.lecture.equivalence import RuleComparison, Witness
from aspdoku.lecture.grading import Assessment, Exercise
from aspdoku.program import RuleFile, assemble, library
from aspdoku.puzzle import Solution
from aspdoku.report.page import Section, result_page
from aspdoku.report.rules import (
    feedback_text,
    grading_summary,
    relation_text,
    size_remarks,
    verdict_text,
    witness_text,
    wrong_grids,
)


def equivalence_sections(comparison: RuleComparison) -> list[Section]:
    """The verdict on two rules, and each grid with the cells that violate one of them."""
    sections = [Section(relation_text(comparison))]
    for witness in comparison.witnesses:
        pictures = _pictures(witness, witness.violated)
        sections.append(Section(witness_text(witness, show_grid=not pictures), pictures))
    return sections


def grading_page(marks: Sequence[Assessment], exercise: Exercise) -> str:
    """A summary, and the verdict on each file, with the grids on which it is wrong, as a
    self-contained page.
    """
    name = exercise.display_name
    sections = [section for mark in marks for section in assessment_sections(mark, exercise)]
    if len(marks) > 1:
        sections.insert(
            0,
            Section(
                grading_summary(marks), heading="Summary", links=tuple(mark.file for mark in marks)
            ),
        )
    return result_page(f"Graded against {name}", sections)


def assessment_sections(mark: Assessment, exercise: Exercise) -> list[Section]:
    """The verdict on a file, and the grids on which it is wrong.

    The grids are drawn in the style of the reference: its `.draw` file is not hidden.
    """
    name = exercise.display_name
    sections = [Section(verdict_text(mark, name), heading=mark.file)]
    if mark.comparison is None:
        return sections
    for witness in wrong_grids(mark.comparison):
        pictures = _pictures(witness, exercise.reference)
        words = feedback_text(witness, mark, name, show_grid=not pictures)
        sections.append(Section(words, pictures))
    return [*sections, *map(Section, size_remarks(mark.comparison))]


def _pictures(witness: Witness, rule: RuleFile) -> tuple[Picture, ...]:
    """The grid with the inputs and style of a rule; none for an invalid style."""
    rules = [library.base(), *library.defaults(), rule]
    # The other rule may read what this one defines, which is something else.
    inputs = {item.signature for each in rules for item in each.inputs}
    facts = tuple(fact for fact in witness.facts if fact.signature in inputs)
    puzzle = witness.grid.puzzle.replace(facts=facts)
    program = assemble(puzzle, rules)
    marks = Marks(cells=witness.cells, axes=True)
    grid = Solution(puzzle, witness.grid.rows)
    try:
        drawn = picture_of_program(
            program, grid, marks, captions=False, time_limit=NOTEBOOK_SECONDS
        )
    except AspdokuError:
        return ()
    return (drawn,)
