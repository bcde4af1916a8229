"""Which rules cells depend on, as text and as JSON."""

from __future__ import annotations

import textwrap

from aspdoku.engine.dependence import CellDependence, DependenceSearch
from aspdoku.puzzle.puzzle import Cell, Puzzle
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.report import STOPPED, tagged, text
from aspdoku.report.layout import width as layout_width

_GIVEN, _OPEN = ".", "-"


def dependence_text(found: DependenceSearch, puzzle: Puzzle, cell: Cell | None) -> str:
    """The sets of rules that a cell depends on, or the grid of all counts with their legend."""
    grid = "" if cell or not found.solution else _grid(found, puzzle)
    return "\n\n".join(filter(None, [grid, dependence_words(found, puzzle, cell)]))


def dependence_words(found: DependenceSearch, puzzle: Puzzle, cell: Cell | None) -> str:
    """The text without the grid."""
    if found.solution is None:
        if found.ended != "complete":
            return f"{STOPPED[found.ended]} before a solution was found; there may be none"
        return f"no solution{puzzle.caveat}"
    lines = _cell_lines(found, puzzle, cell) if cell else _legend(found)
    if found.fixed:
        lines.append(f"without a name that retracts them: {', '.join(found.fixed)}")
    if found.ended != "complete":
        lines.append(f"{STOPPED[found.ended]}: there may be others")
    if puzzle.caveat:
        lines.append(puzzle.caveat.removeprefix(" - "))
    return "\n".join(
        textwrap.fill(line, layout_width(), subsequent_indent="    ") for line in lines
    )


def dependence_json(found: DependenceSearch) -> dict[str, object]:
    """The sets of rules of each cell as a JSON object."""
    return tagged(
        "depends",
        {
            "complete": found.ended == "complete",
            "ended": found.ended,
            "solution": found.solution and found.solution.rows,
            "rules": found.rules,
            "fixed": found.fixed,
            "cells": [
                {
                    "cell": each.cell,
                    "number": each.number,
                    "rules": [rule for rule in found.rules if rule in each.rules],
                    "retractions": [
                        {"rules": retraction.rules, "numbers": retraction.numbers}
                        for retraction in each.retractions
                    ],
                }
                for each in found.cells
            ],
        },
    )


def _grid(found: DependenceSearch, puzzle: Puzzle) -> str:
    counts = {each.cell: _OPEN if each.is_open else str(len(each.rules)) for each in found.cells}
    span = range(1, puzzle.size + 1)
    rows = [[counts.get((row, column), _GIVEN) for column in span] for row in span]
    return text.candidate_grid(puzzle, rows)


def _legend(found: DependenceSearch) -> list[str]:
    """What the counts mean, and how many cells depend on each rule."""
    determined = [each for each in found.cells if not each.is_open]
    lines = ["the number of rules that the number in each cell depends on; . is a given"]
    if len(determined) < len(found.cells):
        lines[0] += ", - is not determined"
    counts = {rule: sum(rule in each.rules for each in determined) for rule in found.rules}
    lines += [f"  {rule}: {pluralize(count, 'cell')}" for rule, count in counts.items()]
    return lines


def _cell_lines(found: DependenceSearch, puzzle: Puzzle, cell: Cell) -> list[str]:
    """The number of a cell, and a line for each set of rules."""
    name = "r{}c{}".format(*cell)
    if (given := puzzle[cell]) is not None:
        return [f"{name} is {given}, a given"]
    (each,) = found.cells
    if each.is_open:
        return [f"{name} is not determined: {_possible(each)}"]
    if each.retractions:
        sets = [
            f"  without {_listed(rules, 'and')}, {_numbers(numbers)} would be possible"
            for rules, numbers in each.retractions
        ]
        return [f"{name} is {each.number}", *sets]
    if found.ended == "complete":
        return [f"{name} is {each.number}, whatever rules are retracted"]
    return [f"{name} is {each.number} in a solution"]


def _possible(each: CellDependence) -> str:
    others = each.retractions[0].numbers
    if others is None:
        return f"{each.number} and other numbers are possible"
    return f"{_listed(sorted(map(str, (each.number, *others)), key=int), 'and')} are possible"


def _numbers(numbers: tuple[int, ...] | None) -> str:
    return "another number" if numbers is None else _listed(list(map(str, numbers)), "or")


def _listed(words: list[str] | tuple[str, ...], conjunction: str) -> str:
    """The words with commas, and a conjunction before the last one."""
    *first, last = words
    return f"{', '.join(first)} {conjunction} {last}" if first else last
