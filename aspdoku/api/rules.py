"""Questions about rule files: `rules`, `check` and `equivalent`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aspdoku.api.source import (
    Constants,
    Facts,
    Names,
    PuzzleSource,
    Result,
    Rule,
    name_or_file,
    names_in,
    puzzle_of,
    with_facts,
)
from aspdoku.drawing.style_check import check_style
from aspdoku.generation.clue_files import check_clue_file
from aspdoku.generation.clue_trial import try_clue_file
from aspdoku.lecture.equivalence import SMALL_SIZES, Relation, RuleComparison, compare_rules
from aspdoku.lecture.trial import try_rule
from aspdoku.program import RuleFile, library, lint
from aspdoku.program.messages import Message
from aspdoku.puzzle import Puzzle
from aspdoku.puzzle.render import shortened
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.report.layout import unwrapped
from aspdoku.report.rules import (
    equivalence_json,
    equivalence_text,
    lint_json,
    lint_text,
    rules_text,
)
from aspdoku.signals import interruptible

if TYPE_CHECKING:
    from aspdoku.report.page import Section


@dataclass(frozen=True, repr=False)
class CheckReport(Result):
    """The errors and warnings of a rule file; its truth value is whether there are no errors.

    findings: messages with file, line and column
    """

    file: str
    findings: tuple[Message, ...]

    def __bool__(self) -> bool:
        return all(finding.severity == "warning" for finding in self.findings)

    def __str__(self) -> str:
        return lint_text({self.file: self.findings})

    def _summary(self) -> str:
        return f"{self.file}, {pluralize(len(self.findings), 'finding')}"

    def _json(self) -> dict[str, Any]:
        """An object for each finding."""
        return lint_json({self.file: self.findings})


@dataclass(frozen=True, repr=False)
class Equivalence(Result):
    """How two rules compare; its truth value is whether they are equivalent.

    data: the result for each size, with grids that one rule forbids and the other allows
    """

    data: RuleComparison

    def __bool__(self) -> bool:
        return self.data.relation == "same"

    @property
    def relation(self) -> Relation:
        """ "same", "one stricter", "two stricter", "neither", "different" or "undecided"."""
        return self.data.relation

    def __str__(self) -> str:
        return equivalence_text(self.data)

    def _summary(self) -> str:
        return f"{self.data.one.name} and {self.data.two.name}, {self.relation}"

    def _json(self) -> dict[str, Any]:
        """The relation, and the grids that show it."""
        return equivalence_json(self.data)

    def _title(self) -> str:
        return f"{self.data.one.name} and {self.data.two.name}"

    def _sections(self) -> list[Section]:
        from aspdoku.report.rules_page import equivalence_sections  # text does without pictures

        return equivalence_sections(self.data)


class RuleFiles(tuple[RuleFile, ...]):
    """Rule files; `str` is the list of names, titles and inputs that the command prints, and a
    notebook shows it.
    """

    __slots__ = ()

    def __str__(self) -> str:
        return rules_text(self)

    def __repr__(self) -> str:
        return f"<RuleFiles: {shortened(', '.join(rule.name for rule in self))}>"

    def _repr_html_(self) -> str:
        from aspdoku.report.page import Section, result_part

        with unwrapped():
            return result_part(Section(str(self)))


@interruptible
def rules() -> RuleFiles:
    """All rules with a name: those that come with aspdoku, and those on ASPDOKU_PATH."""
    return RuleFiles(library.available_rules())


@interruptible
def check(rule: Rule, *, time_limit: float = 20.0) -> CheckReport:
    """Lint a rule file: syntax, unsafe variables, unknown predicates, changes of the base, whether
    grounding ends; also the `.draw` and `.gen` files next to it.

    rule: a rule file, its path, or the name of a rule; a file that cannot be read is a finding
    time_limit: seconds; grounding a blank grid may take half of them, drawing clues a quarter
    """
    named = name_or_file(rule)
    if isinstance(named, str) and named in library.rule_names():
        named = library.find(named)
    if isinstance(named, RuleFile):
        found = lint.check(named)
        if all(message.severity == "warning" for message in found):
            found += try_rule(named, time_limit)
        return CheckReport(named.place, _without_repetitions(found))
    path = Path(named)
    found = [*lint.check_file(path), *check_style(path)]
    for further in (
        check_clue_file,
        partial(try_rule, time_limit=time_limit),
        partial(try_clue_file, time_limit=time_limit),
    ):
        if all(message.severity == "warning" for message in found):
            found += further(RuleFile.read(path, str(path)))
    return CheckReport(str(path), _without_repetitions(found))


def _without_repetitions(found: Sequence[Message]) -> tuple[Message, ...]:
    """The findings without warnings that errors about the same line repeat."""
    errors = [each for each in found if each.severity == "error"]
    return tuple(
        each
        for each in found
        if each.severity != "warning"
        or not any(
            error.line == each.line and error.text.endswith(each.text.removeprefix("warning: "))
            for error in errors
        )
    )


@interruptible
def equivalent(
    one: Rule,
    two: Rule,
    puzzle: PuzzleSource | None = None,
    *,
    size: int = 9,
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    time_limit: float | None = None,
    interruptible: bool = False,
) -> Equivalence:
    """Decide whether two rules forbid the same grids, given the base and the default rules.

    Searches for a grid that violates one rule and satisfies the other, from 4x4 upwards, over all
    inputs; of cages and lines, some are invented for each size.

    one, two: names of rules, paths of rule files, or `RuleFile`s
    puzzle: only compare on this grid, with its inputs; the rules that it names are not used
    size: number of rows of the largest grid, without a puzzle
    without: default rules to retract
    constants: values for constants in the rules
    facts: ground facts that hold in every grid, such as the exception `"ab(offset,5)"`
    time_limit: seconds for all sizes; the relation is "undecided" if it is reached first
    interruptible: at KeyboardInterrupt, return the sizes that are settled
    Raises PuzzleError, or RuleError if a rule cannot be used or compared.
    """
    first, second = map(rule_file, (one, two))
    for each in (first, second):
        lint.require_valid(each)
    puzzles = blank_grids(size) if puzzle is None else [puzzle_of(puzzle)]
    puzzles = [with_facts(each, facts) for each in puzzles]
    for each in (first, second):
        lint.require_compatible(each, puzzles[0].facts, (first, second))
    return Equivalence(
        compare_rules(
            first,
            second,
            puzzles,
            names_in(without),
            puzzle is not None,
            time_limit,
            interruptible,
            constants,
        )
    )


def rule_file(rule: Rule) -> RuleFile:
    """The rule file with a name or path. Raises RuleError if there is none."""
    named = name_or_file(rule)
    return named if isinstance(named, RuleFile) else library.find(named)


def blank_grids(size: int) -> list[Puzzle]:
    """Blank grids on which rules are compared, from small to this size."""
    return [Puzzle.blank(rows) for rows in (*(n for n in SMALL_SIZES if n < size), size)]
