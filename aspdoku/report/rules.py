"""Rule files as text and as JSON: findings of the linter, comparisons, grades of exercises."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import fill, indent
from typing import Any

from aspdoku.lecture.equivalence import RuleComparison, Witness
from aspdoku.lecture.grading import Assessment, verdict_of
from aspdoku.lecture.invented import GROUPS_DRAWN
from aspdoku.program import RuleFile
from aspdoku.program.messages import Message
from aspdoku.report import layout, tagged, text


def rules_text(rules: Iterable[RuleFile]) -> str:
    """The name and title of each rule, with its inputs and their meaning below."""
    rules = list(rules)
    width = max((len(rule.name) for rule in rules), default=0)
    lines = []
    for rule in rules:
        lines.append(layout.wrapped(f"{rule.name:<{width}}  {rule.title}".rstrip(), width + 4))
        lines += [
            layout.wrapped(f"{'':<{width}}    {item}  {item.meaning}".rstrip(), width + 6)
            for item in rule.inputs
        ]
    return "\n".join(lines)


def rules_json(rules: Iterable[RuleFile]) -> dict[str, object]:
    """The rules as a JSON object."""
    found = [
        {
            "name": rule.name,
            "file": rule.place,
            "title": rule.title,
            "inputs": [
                {"name": item.name, "arity": item.arity, "meaning": item.meaning}
                for item in rule.inputs
            ],
        }
        for rule in rules
    ]
    return tagged("rules", {"rules": found})


def lint_text(findings: Mapping[str, Sequence[Message]]) -> str:
    """Each finding with its location and the source line, and a line for each file without any."""
    lines: list[str] = []
    for file, messages in findings.items():
        lines += [each.quoted for each in messages] or [f"{file}: nothing found"]
    return "\n".join(lines)


def lint_json(findings: Mapping[str, Sequence[Message]]) -> dict[str, object]:
    """The findings of each file as a JSON object."""
    files = [
        {
            "file": file,
            "findings": [
                {"file": message.place or file, **_finding(message)} for message in messages
            ],
        }
        for file, messages in findings.items()
    ]
    return tagged("check", {"files": files})


def _finding(message: Message) -> dict[str, object]:
    return {"line": message.line, "column": message.column, "text": message.text}


def grading_text(mark: Assessment, reference: str) -> str:
    """The verdict on a file, its lint findings, and a grid for each direction in which it differs
    from the reference.
    """
    blocks = [verdict_text(mark, reference)]
    if mark.comparison is not None:
        blocks += [
            feedback_text(witness, mark, reference) for witness in wrong_grids(mark.comparison)
        ]
        blocks += size_remarks(mark.comparison)
    return "\n\n".join(blocks)


def verdict_text(mark: Assessment, reference: str) -> str:
    """The verdict on a file, and its lint findings."""
    why = grading_reason(mark, reference)
    verdict = f"{mark.file}: {mark.verdict}" + (f": {why}" if why else "")
    return "\n".join(
        [layout.wrapped(verdict), *(indent(finding.quoted, "  ") for finding in mark.findings)]
    )


def size_remarks(comparison: RuleComparison) -> list[str]:
    """The verdicts by size, if there are several, and a hint if only the largest is right."""
    by_size = [_by_size(comparison)] if len(comparison.results) > 1 and comparison.witnesses else []
    return [*by_size, *filter(None, [_note(comparison)])]


def grading_summary(marks: Sequence[Assessment]) -> str:
    """A table of the verdicts, and the number of correct files."""
    width = max(len(mark.file) for mark in marks)
    right = sum(mark.verdict == "right" for mark in marks)
    lines = [f"{mark.file.ljust(width)}  {mark.verdict}" for mark in marks]
    return "\n".join([*lines, f"{right} of {len(marks)} right"])


def grading_json(marks: Iterable[Assessment], reference: str) -> dict[str, Any]:
    """Assessments as a JSON object.

    It contains no line and no text of the reference.
    """
    files = [_assessment(mark, reference) for mark in marks]
    return tagged("check-against", {"reference": reference, "files": files})


def _assessment(mark: Assessment, reference: str) -> dict[str, Any]:
    comparison = mark.comparison
    return {
        "file": mark.file,
        "verdict": mark.verdict,
        "explanation": grading_reason(mark, reference),
        "findings": list(map(_finding, mark.findings)),
        "sizes": [
            {"size": finding.size, "verdict": verdict_of(finding.relation)}
            for finding in (comparison.results if comparison else ())
        ],
        "witnesses": (
            [_witness(witness, comparison) for witness in wrong_grids(comparison)]
            if comparison
            else []
        ),
    }


def wrong_grids(comparison: RuleComparison) -> list[Witness]:
    """The witnesses; grids that the student's rule wrongly forbids come first."""
    return sorted(comparison.witnesses, key=lambda witness: witness.violated != comparison.one)


def _witness(witness: Witness, comparison: RuleComparison) -> dict[str, Any]:
    forbids = witness.violated == comparison.one
    return {
        "difference": "forbids too much" if forbids else "allows too much",
        "size": witness.grid.puzzle.size,
        "grid": witness.grid.rows,
        "facts": [f"{fact}." for fact in witness.facts],
        "cells": witness.cells,
        "lines": sorted({violation.line for violation in witness.violations}) if forbids else [],
    }


def grading_reason(mark: Assessment, reference: str) -> str:
    """The verdict as a sentence; empty if the findings explain it."""
    if mark.reason is not None:
        where = f"line {mark.reason.line}: " if mark.reason.line else ""
        text = mark.reason.text
        growth = mark.reason.growth or (
            "a rule with ever larger terms, as in p(X+1) :- p(X), never does, and --time-limit-each"
            " or --memory-limit allows a large one more"
        )
        reasons = {
            "gave up": f"grounding did not end within its limits ({text}); {growth}",
            "crashed": f"clingo or aspdoku failed on this file: {text}",
        }
        return where + reasons.get(mark.verdict, text)
    if mark.comparison is None:
        return ""
    results = mark.comparison.results
    sizes = [f"{each.size}x{each.size}" for each in results if each.relation != "vacuous"]
    why = {
        "right": f"no grid distinguishes it from {reference} (sizes searched: {', '.join(sizes)})",
        "too strict": f"it forbids grids that {reference} allows",
        "too lax": f"it allows grids that {reference} forbids",
        "wrong": (
            f"it forbids grids that {reference} allows, and allows grids that {reference} forbids"
        ),
        "undecided": (
            f"no grid that distinguishes it from {reference} was found in time at {sizes[-1]}, and"
            " their equivalence was not proved"
            if sizes
            else "no size shows a difference; choose another --size"
        ),
    }.get(mark.verdict, "")
    return "; ".join([why, *_limits(mark.comparison)])


def _limits(comparison: RuleComparison) -> Iterator[str]:
    """What a comparison without a difference does not cover."""
    if comparison.witnesses:
        return
    vacuous = [
        f"{each.size}x{each.size}" for each in comparison.results if each.relation == "vacuous"
    ]
    if vacuous:
        proves = "that size proves" if len(vacuous) == 1 else "these sizes prove"
        yield f"neither has a solution at {', '.join(vacuous)}, so {proves} nothing"
    if comparison.sampled:
        tried = " and ".join(map(str, comparison.sampled))
        yield f"of {tried}, {GROUPS_DRAWN} invented lines or cages were tried at each size"


def feedback_text(
    witness: Witness, mark: Assessment, reference: str, show_grid: bool = True
) -> str:
    """A grid on which the student's rule is wrong.

    Nothing but the violating cells is shown of the reference.
    """
    where = _in_cells(witness)
    if mark.comparison is not None and witness.violated == mark.comparison.one:
        sentence = (
            f"Your rule is too strict: {_forbidding(witness, mark.file)} forbids this grid{where},"
            f" and {reference} allows it."
        )
    else:
        sentence = (
            f"Your rule is too lax: {reference} forbids this grid{where}, and your rule allows it."
        )
    return _with_grid(sentence, witness, show_grid)


def _by_size(comparison: RuleComparison) -> str:
    found = [
        f"{finding.size}x{finding.size}: {verdict_of(finding.relation)}"
        for finding in comparison.results
    ]
    return f"({', '.join(found)})"


def _note(comparison: RuleComparison) -> str:
    """A hint for rules that only fail on smaller grids: usually a size is written as a number."""
    *smaller, largest = comparison.results
    if largest.relation != "same" or not any(finding.witnesses for finding in smaller):
        return ""
    size = f"{largest.size}x{largest.size}"
    return (
        f"At {size} the rule is right. Does it contain a number that is only correct at {size}? Use"
        " n, box_rows or box_columns instead."
    )


_MAX_CELLS = 4


def equivalence_text(comparison: RuleComparison) -> str:
    """The verdict, the sizes searched, and a grid for each direction in which the rules differ."""
    return "\n\n".join([relation_text(comparison), *map(witness_text, comparison.witnesses)])


def relation_text(comparison: RuleComparison) -> str:
    """The verdict on two rules, and the sizes searched."""
    one, two = comparison.one.place, comparison.two.place
    found = [finding for finding in comparison.results if finding.witnesses]
    size = f"at {found[0].size}x{found[0].size}" if found else ""
    verdict = {
        "same": f"equivalent: no grid distinguishes {one} and {two}",
        "one stricter": f"{one} is stricter than {two} {size}",
        "two stricter": f"{two} is stricter than {one} {size}",
        "neither": f"different: {one} and {two} each forbid a grid that the other allows",
        "different": (
            f"different: a grid distinguishes {one} and {two}; whether one is stricter was not"
            " decided in time"
        ),
        "undecided": (
            f"undecided: no grid that distinguishes {one} and {two} was found in time, and their"
            " equivalence was not proved"
            if any(each.relation != "vacuous" for each in comparison.results)
            else f"undecided: no grid satisfies {one} or {two}"
        ),
    }[comparison.relation]
    return "\n".join(map(layout.wrapped, [verdict, _sizes(comparison), *_limits(comparison)]))


def equivalence_json(comparison: RuleComparison) -> dict[str, Any]:
    """The comparison as a JSON object."""
    found = {
        "one": comparison.one.place,
        "two": comparison.two.place,
        "relation": comparison.relation,
        "without": list(comparison.without),
        "sizes": [
            {"size": finding.size, "relation": finding.relation} for finding in comparison.results
        ],
        "witnesses": [
            {
                "violated": witness.violated.place,
                "satisfied": witness.satisfied.place,
                "grid": witness.grid.rows,
                "facts": [f"{fact}." for fact in witness.facts],
                "violations": [
                    {
                        "line": violation.line,
                        "column": violation.column,
                        "cells": violation.cells,
                        "message": violation.message,
                    }
                    for violation in witness.violations
                ],
            }
            for witness in comparison.witnesses
        ],
    }
    return tagged("equal", found)


def _sizes(comparison: RuleComparison) -> str:
    words = {
        "same": "the same",
        "undecided": "not decided in time",
        "vacuous": "neither has a solution",
    }
    sizes = [
        f"{finding.size}x{finding.size}: {words.get(finding.relation, 'different')}"
        for finding in comparison.results
    ]
    return f"({', '.join(sizes)}{_without(comparison)})"


def _without(comparison: RuleComparison) -> str:
    """The retracted rules, as in `; without row and column`."""
    return f"; without {' and '.join(comparison.without)}" if comparison.without else ""


def witness_text(witness: Witness, show_grid: bool = True) -> str:
    """A grid that one rule forbids and the other allows."""
    sentence = (
        f"{_forbidding(witness, witness.violated.place)} forbids this grid{_in_cells(witness)}, and"
        f" {witness.satisfied.place} allows it{':' if show_grid else ''}"
    )
    return _with_grid(sentence, witness, show_grid)


def _with_grid(sentence: str, witness: Witness, show_grid: bool) -> str:
    """A sentence about a grid, the grid and the inputs of the rules."""
    blocks = [layout.wrapped(sentence)]
    if show_grid:
        blocks.append(text.grid(witness.grid, marked=witness.cells))
    if witness.facts:
        blocks.append(_facts_line(witness))
    return "\n\n".join(blocks)


def _facts_line(witness: Witness) -> str:
    return fill(
        "with " + " ".join(f"{fact}." for fact in witness.facts),
        layout.width(),
        subsequent_indent=" " * len("with "),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _forbidding(witness: Witness, place: str) -> str:
    """The rule that forbids the grid, as in `box.lp:5, "box 1 needs a 1",`."""
    if not witness.violations:
        return place
    first = witness.violations[0]
    return f"{place}:{first.line}" + (f', "{first.message}",' if first.message else "")


def _in_cells(witness: Witness) -> str:
    """The violating cells in parentheses, at most `_MAX_CELLS` of them."""
    if not witness.violations:
        return " (in which cells, was not found in time)"
    cells = ", ".join(f"r{row}c{column}" for row, column in witness.cells[:_MAX_CELLS])
    more = " and others" if len(witness.cells) > _MAX_CELLS else ""
    return f" ({cells}{more})" if cells else ""
