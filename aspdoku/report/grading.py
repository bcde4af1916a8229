"""The marks of a class: for each student what the rule forbids and allows wrongly, then a table.

And as JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aspdoku.lecture.equivalence import RuleComparison, Witness
from aspdoku.lecture.grading import Assessment, verdict_of
from aspdoku.report import text

_CELLS_NAMED = 4


def grading_text(mark: Assessment, reference: str) -> str:
    """The verdict on a file, what was found in it, and a grid for each way in which it differs from
    the reference.
    """
    lines = [
        f"{mark.file}: {mark.verdict}" + (f": {why}" if (why := _why(mark, reference)) else "")
    ]
    lines += [f"  {finding}" for finding in mark.findings]
    if mark.comparison is not None:
        for witness in _witnesses(mark.comparison):
            lines += ["", *_described(witness, mark, reference)]
        if len(mark.comparison.results) > 1 and mark.comparison.witnesses:
            lines += ["", _by_size(mark.comparison)]
        lines += ["", note] if (note := _note(mark.comparison)) else []
    return "\n".join(lines)


def grading_summary(marks: Sequence[Assessment]) -> str:
    """A table of the verdicts, and how many are right."""
    width = max(len(mark.file) for mark in marks)
    right = sum(mark.verdict == "right" for mark in marks)
    lines = [f"{mark.file.ljust(width)}  {mark.verdict}" for mark in marks]
    return "\n".join([*lines, f"{right} of {len(marks)} right"])


def grading_json(mark: Assessment, reference: str) -> dict[str, Any]:
    """A mark as an object for JSON, always with the same keys.

    Of the reference it holds no line and no text.
    """
    comparison = mark.comparison
    return {
        "file": mark.file,
        "reference": reference,
        "verdict": mark.verdict,
        "explanation": _why(mark, reference),
        "findings": [
            {"line": each.line, "column": each.column, "text": each.text} for each in mark.findings
        ],
        "sizes": [
            {"size": finding.size, "verdict": verdict_of(finding.relation)}
            for finding in (comparison.results if comparison else ())
        ],
        "witnesses": (
            [_witness(witness, comparison) for witness in _witnesses(comparison)]
            if comparison
            else []
        ),
    }


def _witnesses(comparison: RuleComparison) -> list[Witness]:
    """What the student's rule forbids wrongly before what it allows wrongly."""
    return sorted(comparison.witnesses, key=lambda witness: witness.violated != comparison.one)


def _witness(witness: Witness, comparison: RuleComparison) -> dict[str, Any]:
    forbids = witness.violated == comparison.one
    return {
        "difference": "forbids too much" if forbids else "allows too much",
        "size": witness.grid.puzzle.size,
        "grid": witness.grid.rows,
        "facts": [f"{fact}." for fact in witness.facts],
        "cells": witness.violations[0].cells,
        "lines": sorted({breach.line for breach in witness.violations}) if forbids else [],
    }


def _why(mark: Assessment, reference: str) -> str:
    """The verdict in a sentence; nothing where the findings say it."""
    if mark.reason is not None:
        where = f"line {mark.reason.line}: " if mark.reason.line else ""
        causes = {
            "gave up": "the rule grounds without end or is too large: ",
            "crashed": "clingo or aspdoku failed over this file: ",
        }
        return where + causes.get(mark.verdict, "") + mark.reason.text
    if mark.comparison is None:
        return ""
    sizes = [f"{finding.size}x{finding.size}" for finding in mark.comparison.results]
    return {
        "right": f"no grid tells it apart from {reference} (looked at {', '.join(sizes)})",
        "too strict": f"it forbids what {reference} allows",
        "too lax": f"it allows what {reference} forbids",
        "wrong": f"it forbids what {reference} allows, and allows what {reference} forbids",
        "undecided": (
            f"the time did not suffice to tell it apart from {reference} at {sizes[-1]}, or to show"
            " that nothing does"
        ),
    }.get(mark.verdict, "")


def _described(witness: Witness, mark: Assessment, reference: str) -> list[str]:
    """A grid on which the student's rule is wrong.

    Of the reference only the cells that it minds are told.
    """
    first = witness.violations[0]
    cells = ", ".join(f"r{row}c{column}" for row, column in first.cells[:_CELLS_NAMED])
    where = f" ({cells}{' and others' if len(first.cells) > _CELLS_NAMED else ''})" if cells else ""
    if mark.comparison is not None and witness.violated == mark.comparison.one:
        told = (
            f"Your rule forbids what it should not: {mark.file}:{first.line} forbids this"
            f" grid{where}, and {reference} allows it."
        )
    else:
        told = (
            f"Your rule allows what it should not: {reference} forbids this grid{where}, and your"
            " rule allows it."
        )
    lines = [told, "", text.grid(witness.grid, marked=first.cells)]
    if witness.facts:
        lines += ["", "with " + " ".join(f"{fact}." for fact in witness.facts)]
    return lines


def _by_size(comparison: RuleComparison) -> str:
    found = [
        f"{finding.size}x{finding.size}: {verdict_of(finding.relation)}"
        for finding in comparison.results
    ]
    return f"({', '.join(found)})"


def _note(comparison: RuleComparison) -> str:
    """A rule that only fails on other sizes than the largest mostly has the size of a grid or of a
    box written into it.
    """
    *smaller, largest = comparison.results
    if largest.relation != "same" or not any(finding.witnesses for finding in smaller):
        return ""
    size = f"{largest.size}x{largest.size}"
    return (
        f"At {size} the rule is right. Is there a number in it that belongs to {size} alone? Say n,"
        " box_rows or box_columns."
    )
