"""Elaboration tolerance, shown: `elaborate` and `compare`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aspdoku.api.rules import rule_file
from aspdoku.api.source import (
    Constants,
    Facts,
    Names,
    Result,
    Rule,
    Rules,
    Source,
    figure,
    names_in,
    program_of,
    require_limit,
)
from aspdoku.formalisms.comparison import (
    EngineResult,
    ReferenceAnswer,
    compare_formalisms,
    engines_named,
    reference_answer,
)
from aspdoku.lecture.elaboration import ElaborationReport
from aspdoku.lecture.elaboration import elaborate as report_elaborations
from aspdoku.program import Program, library
from aspdoku.puzzle import Puzzle
from aspdoku.report import formalisms as report
from aspdoku.report.elaboration import elaboration_json, elaboration_text
from aspdoku.signals import interruptible

if TYPE_CHECKING:
    from aspdoku.drawing import Picture
    from aspdoku.report.page import Section


@dataclass(frozen=True, repr=False)
class Elaborations(Result):
    """What each elaboration of a puzzle changes and preserves; see `ElaborationReport`."""

    program: Program = field(repr=False, compare=False)
    data: ElaborationReport

    @property
    def complete(self) -> bool:
        """Whether the time limit left no question open."""
        return self.data.complete

    def __str__(self) -> str:
        return elaboration_text(self.data)

    def _summary(self) -> str:
        return ", ".join([self.data.base.name, *(step.name for step in self.data.steps)])

    def _json(self) -> dict[str, Any]:
        """The report on each step."""
        return elaboration_json(self.data)

    def to_html(self) -> str:
        """A self-contained page."""
        return self._html(page=True)

    def _repr_html_(self) -> str:
        return self._html(page=False)

    def _html(self, page: bool) -> str:
        from aspdoku.report.elaboration_page import elaboration_html  # text does without pictures

        return elaboration_html(self.data, self.program, page)


@dataclass(frozen=True, repr=False)
class FormalismComparison(Result):
    """How other formalisms solve the same puzzle.

    reference: clingo's answer
    rows: one for each engine
    """

    program: Program = field(repr=False, compare=False)
    reference: ReferenceAnswer
    rows: tuple[EngineResult, ...]

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        return self.program.puzzle

    def _summary(self) -> str:
        return ", ".join(f"{row.engine.name} {row.status}" for row in self.rows)

    def __str__(self) -> str:
        return f"{self._table()}\n\n{self._text()}"

    def _table(self) -> str:
        return "\n".join([report.header_text(), *map(report.row_text, self.rows)])

    def _text(self, show_grid: bool = True, whole: bool = False) -> str:
        parts = [
            report.answer_text(self.reference, self.rows, self.puzzle, show_grid),
            *report.disagreements(self.rows, self.puzzle),
            *report.diffs(self.rows, whole=whole),
            report.notes_text(self.rows),
        ]
        return "\n\n".join(filter(None, parts))

    def to_html(self, diff: bool = False) -> str:
        """A self-contained page.

        diff: whether to show all changes of each encoding in full
        """
        from aspdoku.report.page import result_page  # text does without pictures

        table, comparison = self._sections()
        if diff:
            text = self._text(not comparison.pictures, whole=True)
            comparison = comparison._replace(text=text)
        return result_page(self._title(), [table, comparison])

    def _sections(self) -> list[Section]:
        from aspdoku.report.page import Section

        (comparison,) = super()._sections()
        if not comparison.pictures:
            comparison = comparison._replace(text=self._text())
        return [Section(self._table(), wide=True), comparison]

    def _json(self) -> dict[str, Any]:
        """The answer, and an object for each engine."""
        return report.comparison_json(self.reference, self.rows)

    def _title(self) -> str:
        return "Comparison of formalisms"

    def _words(self) -> str:
        return self._text(show_grid=False)

    def _pictures(self) -> Iterable[Picture]:
        """The puzzle, or its solution if it is unique."""
        solutions = self.reference.solutions
        solution = self.puzzle.replace(grid=solutions[0]) if len(solutions) == 1 else self.puzzle
        yield figure(self.program, numbers=solution.givens(), labels=False)


@interruptible
def elaborate(
    puzzle: Source,
    *,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    time_limit: float | None = 60.0,
    limit: int = 1000,
    over: Rule | None = None,
    interruptible: bool = False,
) -> Elaborations:
    """Report what each rule, exception and retraction changes in the program and preserves.

    over: another base than ours, such as `"slides/base"`, without our default rules. If it has no
    exception for a rule to retract, the step is an edit: BASE-without-RULE.lp replaces it
    limit: count solutions up to this many, 0 for all of them
    time_limit: seconds; questions that it leaves open are reported as open
    interruptible: at KeyboardInterrupt, return the steps that are complete, if there are any
    The other arguments are those of `solve`. Raises PuzzleError or RuleError.
    """
    require_limit(limit)
    program = program_of(puzzle, with_, without, constants, facts, time_limit)
    rules = [part.rule for part in program.parts[1:]]
    base = library.base() if over is None else rule_file(over)
    if base != library.base():
        rules = [rule for rule in rules if rule not in library.defaults()]
    return Elaborations(
        program,
        report_elaborations(
            program.puzzle,
            rules,
            limit=limit,
            time_limit=time_limit,
            base=base,
            constants=program.constants,
            interruptible=interruptible,
        ),
    )


@interruptible
def compare(
    puzzle: Source,
    engines: Names = (),
    *,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    time_limit_each: float = 60.0,
) -> FormalismComparison:
    """Encode a puzzle in other formalisms, run their engines and compare answers and encodings.

    engines: the names of engines, or one name; by default all; one that is not installed is skipped
    time_limit_each: seconds for each engine
    The other arguments are those of `solve`.
    Raises TimeLimitError if clingo does not find the reference answer in time, AspdokuError for an
    unknown engine, PuzzleError or RuleError.
    """
    chosen = engines_named(names_in(engines))
    program = program_of(puzzle, with_, without, constants, facts, time_limit_each)
    reference = reference_answer(program, time_limit_each)
    rows = compare_formalisms(program, chosen, time_limit_each, reference)
    return FormalismComparison(program, reference, tuple(rows))
