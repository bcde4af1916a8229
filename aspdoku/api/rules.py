"""Questions about rule files: `rules`, `check` and `equivalent`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aspdoku.api.source import Result, Rule, Source, puzzle_of
from aspdoku.lecture.equivalence import SMALL_SIZES, RuleComparison, compare_rules
from aspdoku.program import RuleFile, library, lint
from aspdoku.program.messages import Message
from aspdoku.puzzle import Puzzle
from aspdoku.report.rules import equivalence_json, equivalence_text, lint_json, lint_text


@dataclass(frozen=True)
class CheckReport(Result):
    """The errors in a rule file; its truth value is whether there are none.

    findings: messages with file, line and column
    """

    file: str
    findings: tuple[Message, ...]

    def __bool__(self) -> bool:
        return not self.findings

    def __str__(self) -> str:
        return lint_text({self.file: self.findings})

    def to_json(self) -> dict[str, Any]:
        """An object for each finding."""
        return lint_json({self.file: self.findings})


@dataclass(frozen=True)
class Equivalence(Result):
    """How two rules compare; its truth value is whether they are equivalent.

    data: the result for each size, with grids that one rule forbids and the other allows
    """

    data: RuleComparison

    def __bool__(self) -> bool:
        return self.data.relation == "same"

    @property
    def relation(self) -> str:
        """How the rules compare: "same" if they are equivalent; see `RuleComparison`."""
        return self.data.relation

    def __str__(self) -> str:
        return equivalence_text(self.data)

    def to_json(self) -> dict[str, Any]:
        """The relation, and the grids that show it."""
        return equivalence_json(self.data)


def rules() -> tuple[RuleFile, ...]:
    """All rules with a name: those that come with aspdoku, and those on ASPDOKU_PATH."""
    return tuple(library.available_rules())


def rule(name: Rule) -> RuleFile:
    """The rule with a name, or the rule file at a path. Raises RuleError if there is none."""
    return name if isinstance(name, RuleFile) else library.find(os.fspath(name))


def check(rule_file: str | os.PathLike[str] | RuleFile) -> CheckReport:
    """Lint a rule file: syntax, unsafe variables, unknown predicates, changes of the base.

    rule_file: its path, or the file itself
    """
    if isinstance(rule_file, RuleFile):
        return CheckReport(rule_file.place, tuple(lint.check(rule_file)))
    path = Path(rule_file)
    return CheckReport(str(path), tuple(lint.check_file(path)))


def equivalent(
    one: Rule,
    two: Rule,
    puzzle: Source | None = None,
    *,
    size: int = 9,
    without: Iterable[str] = (),
    time_limit: float | None = None,
) -> Equivalence:
    """Decide whether two rules forbid the same grids, given the base and the default rules.

    Searches for a grid that violates one rule and satisfies the other, from 4x4 upwards, over all
    inputs.

    puzzle: only compare on this grid, with its inputs
    size: number of rows of the largest grid
    without: default rules to retract
    time_limit: seconds for all sizes
    Raises PuzzleError, or RuleError if a rule cannot be used or compared.
    """
    first, second = rule(one), rule(two)
    for each in (first, second):
        lint.require_valid(each)
    return Equivalence(
        compare_rules(
            first,
            second,
            [puzzle_of(puzzle)] if puzzle is not None else blank_grids(size),
            list(without),
            puzzle is not None,
            time_limit,
        )
    )


def blank_grids(size: int) -> list[Puzzle]:
    """Blank grids on which rules are compared, from small to this size."""
    return [Puzzle.blank(rows) for rows in (*(n for n in SMALL_SIZES if n < size), size)]
