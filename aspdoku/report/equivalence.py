"""Whether two rules are the same, in words with a grid that tells them apart, and as JSON."""

from __future__ import annotations

from typing import Any

from aspdoku.lecture.equivalence import RuleComparison, Witness
from aspdoku.report import text

_CELLS_NAMED = 4


def equivalence_text(comparison: RuleComparison) -> str:
    """The verdict, what was looked at, and a grid for each way in which the rules differ."""
    one, two = comparison.one.place, comparison.two.place
    verdict = {
        "same": f"the same: no grid tells {one} and {two} apart",
        "one stricter": f"{one} is stricter than {two}",
        "two stricter": f"{two} is stricter than {one}",
        "neither": f"different: {one} and {two} each forbid something that the other allows",
        "different": (
            f"different: a grid tells {one} and {two} apart; whether one is the stricter was not"
            " settled in time"
        ),
        "undecided": (
            f"undecided: the time did not suffice to tell {one} and {two} apart, or to show that"
            " nothing does"
        ),
    }[comparison.relation]
    lines = [verdict, _looked_at(comparison)]
    for witness in comparison.witnesses:
        lines += ["", *_described(witness)]
    return "\n".join(lines)


def equivalence_json(comparison: RuleComparison) -> dict[str, Any]:
    """The same as an object for JSON."""
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
                    {"line": breach.line, "column": breach.column, "cells": breach.cells}
                    for breach in witness.violations
                ],
            }
            for witness in comparison.witnesses
        ],
    }


def _looked_at(comparison: RuleComparison) -> str:
    words = {"same": "the same", "undecided": "not settled in time"}
    sizes = [
        f"{finding.size}x{finding.size}: {words.get(finding.relation, 'different')}"
        for finding in comparison.results
    ]
    return f"({', '.join(sizes)})"


def _described(witness: Witness) -> list[str]:
    first = witness.violations[0]
    cells = ", ".join(f"r{row}c{column}" for row, column in first.cells[:_CELLS_NAMED])
    more = " and others" if len(first.cells) > _CELLS_NAMED else ""
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
