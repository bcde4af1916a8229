"""Comparisons of two rules as text, with grids that distinguish them, and as JSON."""

from __future__ import annotations

from typing import Any

from aspdoku.lecture.equivalence import RuleComparison, Witness
from aspdoku.report import text

_MAX_CELLS = 4


def equivalence_text(comparison: RuleComparison) -> str:
    """The verdict, the sizes searched, and a grid for each direction in which the rules differ."""
    one, two = comparison.one.place, comparison.two.place
    verdict = {
        "same": f"equivalent: no grid distinguishes {one} and {two}",
        "one stricter": f"{one} is stricter than {two}",
        "two stricter": f"{two} is stricter than {one}",
        "neither": f"different: {one} and {two} each forbid a grid that the other allows",
        "different": (
            f"different: a grid distinguishes {one} and {two}; whether one is stricter was not"
            " decided in time"
        ),
        "undecided": (
            f"undecided: no grid that distinguishes {one} and {two} was found in time, and their"
            " equivalence was not proved"
        ),
    }[comparison.relation]
    lines = [verdict, _sizes(comparison)]
    for witness in comparison.witnesses:
        lines += ["", *_witness_lines(witness)]
    return "\n".join(lines)


def equivalence_json(comparison: RuleComparison) -> dict[str, Any]:
    """The comparison as a JSON object."""
    return {
        "one": comparison.one.place,
        "two": comparison.two.place,
        "relation": comparison.relation,
        "sizes": [
            {"size": finding.size, "relation": finding.relation} for finding in comparison.results
        ],
        "witnesses": [
            {
                "broken": witness.violated.place,
                "kept": witness.satisfied.place,
                "grid": witness.grid.rows,
                "facts": [f"{fact}." for fact in witness.facts],
                "breaches": [
                    {"line": violation.line, "column": violation.column, "cells": violation.cells}
                    for violation in witness.violations
                ],
            }
            for witness in comparison.witnesses
        ],
    }


def _sizes(comparison: RuleComparison) -> str:
    words = {"same": "the same", "undecided": "not decided in time"}
    sizes = [
        f"{finding.size}x{finding.size}: {words.get(finding.relation, 'different')}"
        for finding in comparison.results
    ]
    return f"({', '.join(sizes)})"


def _witness_lines(witness: Witness) -> list[str]:
    first = witness.violations[0]
    cells = ", ".join(f"r{row}c{column}" for row, column in first.cells[:_MAX_CELLS])
    more = " and others" if len(first.cells) > _MAX_CELLS else ""
    where = f" ({cells}{more})" if cells else ""
    lines = [
        f"{first.place}:{first.line} forbids this grid{where}, and"
        f" {witness.satisfied.place} allows it:",
        "",
    ]
    lines.append(text.grid(witness.grid, marked=first.cells))
    if witness.facts:
        lines += ["", "with " + " ".join(f"{fact}." for fact in witness.facts)]
    return lines
