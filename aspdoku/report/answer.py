"""Answers as text and as JSON: solutions and counts, candidates, removable parts."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from aspdoku.engine.solver import SearchEnd, SearchStatus
from aspdoku.puzzle.puzzle import Cell, Puzzle, Solution
from aspdoku.puzzle.term import to_asp
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.report import tagged, text
from aspdoku.report.layout import width as layout_width

if TYPE_CHECKING:
    from aspdoku.counting import CountMethod
    from aspdoku.counting.sampling import Sample
    from aspdoku.engine.candidates import CandidateCounts, Candidates
    from aspdoku.engine.redundancy import RemovalResult
    from aspdoku.engine.solver import GivenConflicts, SearchOutcome, Statistics

_MAX_CELLS = 6
_METHODS = {
    "enumeration": "",
    "table": " (counted by a table)",
    "symmetry": " (counted up to exchanges of numbers)",
}
_ENDS = {"time": "before the time limit", "interrupted": "before the interruption"}


CellContents = Mapping[Cell, Sequence[int]]


def solution_formatter(
    format_: str, colour: bool, contents: Callable[[Solution], CellContents]
) -> Callable[[Solution], str]:
    """The function that formats a solution as grid, line or facts.

    contents: what the cells of a grid show instead of their numbers; empty for most rules
    """

    def grid(solution: Solution) -> str:
        cells = contents(solution)
        drawn = (
            text.contents_grid(solution.puzzle, cells, colour)
            if cells
            else text.grid(solution, colour)
        )
        return "\n\n".join(filter(None, (drawn, text.shown_atoms(solution))))

    if format_ == "grid":
        return grid
    return {"line": text.line, "facts": text.facts}[format_]


def verdict(
    search: SearchOutcome,
    shown: int | None,
    other: Solution | None = None,
    sample: Sample | None = None,
) -> str:
    """One line on how many solutions there are, as far as the search has decided it.

    shown: the number of solutions printed
    other: a solution with the same, unique grid and other shown atoms; these are printed, too
    sample: how the solutions were drawn, if they are random
    """
    if sample and search.status == "several":
        return _drawn(search, sample) + search.puzzle.caveat
    if other:
        return (
            f"the grid is unique{search.puzzle.caveat}, but the atoms shown with it are not; they"
            f" can also be\n\n{text.shown_atoms(other)}"
        )
    return _number_of_solutions(search, shown) + search.puzzle.caveat


def unsupported_json(puzzle: Puzzle) -> dict[str, tuple[str, ...]]:
    """The unsupported parts of a puzzle under the key `unsupported`; empty if there are none."""
    return {"unsupported": puzzle.unsupported} if puzzle.unsupported else {}


def with_caveat(answer: str, puzzle: Puzzle) -> str:
    """An answer, with a last line that names the unsupported parts of the puzzle, if any."""
    return f"{answer}\n{puzzle.caveat.lstrip(' -')}" if puzzle.unsupported else answer


def _drawn(search: SearchOutcome, sample: Sample) -> str:
    """How many random solutions were drawn, and from how many."""
    drawn = pluralize(search.found, "random solution")
    if search.ended in _ENDS:
        return f"{drawn} drawn {_ENDS[search.ended]} (seed {sample.seed})"
    if sample.total is None:
        return f"{drawn} (seed {sample.seed})"
    return f"{drawn} of {sample.total}, all equally likely (seed {sample.seed})"


def _number_of_solutions(search: SearchOutcome, shown: int | None) -> str:
    found = search.found
    if search.ended == "complete":
        return {0: "no solution", 1: "unique solution"}.get(found, f"exactly {found} solutions")
    if search.ended == "limit" and shown is not None and found > shown:
        return "at least two solutions; this is the first"
    if search.ended == "limit":
        return (
            "a solution; no others were searched for"
            if found == 1
            else f"{found} solutions; there may be others"
        )
    end = _ENDS[search.ended or "interrupted"]
    if not search.started:
        return f"no result {end}: the program was still being grounded"
    if found == 0:
        return f"no solution found {end}, but there may be one"
    if found == 1:
        return f"a solution; its uniqueness was not decided {end}"
    return f"{found} solutions found {end}; there may be others"


def answer_json(
    search: SearchOutcome,
    solutions: Sequence[Solution],
    conflicts: GivenConflicts,
    other: Solution | None = None,
    sample: Sample | None = None,
) -> dict[str, object]:
    """The answer as a JSON object.

    status, ended, complete: what is proved
    solutions: rows of numbers
    conflicts: the cells of conflicting givens
    rules_alone: whether the rules have no solution, whatever the givens are
    shown: the shown atoms of each solution other than the grid, if there are any
    shown_otherwise: the shown atoms of another solution with the same, unique grid
    random: how random solutions were drawn
    """
    answer: dict[str, object] = {
        "status": search.status,
        "complete": search.ended == "complete",
        "ended": search.ended,
        "solutions": [solution.rows for solution in solutions],
        "conflicts": conflicts.givens,
        "rules_alone": conflicts.rules_alone,
    }
    if any(solution.shown for solution in solutions):
        answer["shown"] = [list(map(to_asp, solution.shown)) for solution in solutions]
    if sample:
        answer["random"] = sample._asdict()
    return tagged("solve", answer | _alternative_json(other))


def _alternative_json(other: Solution | None) -> dict[str, list[str]]:
    return {"shown_otherwise": list(map(to_asp, other.shown))} if other else {}


def count_text(search: SearchOutcome, method: CountMethod) -> str:
    """The number of solutions, or a lower bound, and the method if it is not enumeration."""
    number = str(search.found) if search.ended == "complete" else f"at least {search.found}"
    return number + _METHODS[method] + search.puzzle.caveat


def count_json(search: SearchOutcome, method: CountMethod) -> dict[str, object]:
    """The result as a JSON object."""
    count: dict[str, object] = {
        "count": search.found,
        "exact": search.ended == "complete",
        "ended": search.ended,
        "method": method,
    }
    return tagged("count", count)


def uniqueness_text(
    search: SearchOutcome, solutions: Sequence[Solution], other: Solution | None = None
) -> str:
    """Whether the solution is unique; if not, a second line lists cells in which two differ.

    other: as for `verdict`
    """
    caveat = search.puzzle.caveat
    if search.status == "unique" and not other:
        return f"unique solution{caveat}"
    if search.status != "several":
        return verdict(search, None, other)
    cells = [
        f"r{row}c{column} {one} or {two}" for (row, column), one, two in differences(*solutions)
    ]
    more = (
        f" and {pluralize(len(cells) - _MAX_CELLS, 'more cell')}" if len(cells) > _MAX_CELLS else ""
    )
    listed = ", ".join(cells[:_MAX_CELLS])
    return f"several solutions{caveat}; two of them differ in:\n{listed}{more}"


def uniqueness_json(
    search: SearchOutcome, solutions: Sequence[Solution], other: Solution | None = None
) -> dict[str, object]:
    """The result as a JSON object."""
    differing = differences(*solutions) if len(solutions) > 1 else ()
    answer: dict[str, object] = {
        "status": search.status,
        "complete": search.ended == "complete",
        "ended": search.ended,
        "solutions": [solution.rows for solution in solutions],
        "differences": [{"cell": cell, "numbers": [one, two]} for cell, one, two in differing],
    }
    return tagged("unique", answer | _alternative_json(other))


def differences(one: Solution, two: Solution) -> Iterator[tuple[Cell, int, int]]:
    """The cells in which two solutions differ, with the number in each of them."""
    others = two.numbers()
    for cell, number in one.numbers().items():
        if number != others[cell]:
            yield cell, number, others[cell]


def conflict_lines(puzzle: Puzzle, conflicts: GivenConflicts) -> list[str]:
    """Obvious reasons for the absence of solutions, one line each."""
    if conflicts.rules_alone:
        what = "rules and clues" if puzzle.facts else "rules"
        return [f"the {what} have no solution, whatever the givens are"]
    lines = [_conflict_line(puzzle, cells) for cells in conflicts.givens]
    return lines if conflicts.complete else [*lines, "there may be other conflicts"]


def _conflict_line(puzzle: Puzzle, cells: tuple[Cell, ...]) -> str:
    givens = puzzle.givens()
    named = [f"r{row}c{column}={givens[row, column]}" for row, column in cells]
    return (
        f"the rules forbid {named[0]} on its own"
        if len(named) == 1
        else f"{' and '.join(named)} conflict"
    )


def statistics_text(statistics: Statistics) -> str:
    """Program size and search statistics in two lines."""
    memory = f", {statistics.memory / 1e6:.0f} MB" if statistics.memory else ""
    return (
        f"{statistics.atoms} atoms, {statistics.rules} rules, {statistics.choices} choices,"
        f" {statistics.conflicts} conflicts\ngrounding {statistics.grounding:.3f} s, solving"
        f" {statistics.solving:.3f} s{memory}"
    )


_WHY = {"time": "time limit reached", "interrupted": "interrupted"}


def candidates_text(found: Candidates, puzzle: Puzzle, colour: bool = False) -> str:
    """The candidates of each cell as a grid, and the number of forced cells.

    In grids beyond 9x9, commas separate the candidates of a cell. A `?` after them means that the
    cell may have more.
    """
    if found.unsatisfiable:
        return f"no solution{puzzle.caveat}"
    blocks = [
        text.candidate_grid(puzzle, _marks(found, puzzle), colour),
        candidates_summary(found) + puzzle.caveat,
    ]
    if found.equal_cells:
        equal = [" = ".join(map(_cell_name, group)) for group in found.equal_cells]
        blocks.append(
            textwrap.fill(
                f"always equal: {', '.join(equal)}", layout_width(), subsequent_indent="  "
            )
        )
    if found.equal_cells is None and found.ended == "complete":
        blocks.append("which cells are always equal was not decided")
    if found.counts:
        blocks.append("\n".join(_counts(found, found.counts)))
    return "\n\n".join(blocks)


def candidates_json(found: Candidates) -> dict[str, object]:
    """The candidates as a JSON object: rows of cells of numbers, forced numbers, cells that are
    always equal, and counts.

    `complete` is false if cells may have candidates that were not found.
    """
    counts = found.counts
    forced = [
        [found.forced.get((row, column)) for column in range(1, len(line) + 1)]
        for row, line in enumerate(found.possible, 1)
    ]
    found_json: dict[str, object] = {
        "candidates": found.possible,
        "complete": found.ended == "complete",
        "ended": found.ended,
        "forced": forced,
        "equal": found.equal_cells,
        "counts": counts and counts.counts,
        "counted": counts and {"solutions": counts.solutions, "exact": counts.exact},
    }
    return tagged("candidates", found_json)


def _marks(found: Candidates, puzzle: Puzzle) -> list[list[str]]:
    size, givens = len(puzzle.numbers), puzzle.givens()
    width = len(str(puzzle.numbers[-1]))
    comma = "," if width > 1 else ""

    def drawn(cell: Cell, numbers: tuple[int, ...]) -> str:
        settled = found.ended == "complete" or len(numbers) == (1 if cell in givens else size)
        return comma.join(map(str, numbers)).rjust(width) + ("" if settled else "?")

    return [
        [drawn((row, column), each) for column, each in enumerate(line, 1)]
        for row, line in enumerate(found.possible, 1)
    ]


def candidates_summary(found: Candidates) -> str:
    """How many candidates there are, and how many cells hold the same number everywhere."""
    number = sum(len(numbers) for line in found.possible for numbers in line)
    if why := _WHY.get(found.ended):
        if not number:
            return f"{why} before a solution was found; there may be none"
        return textwrap.fill(
            f"{why}, so this is incomplete, with {pluralize(number, 'candidate')} so far: "
            "a cell with ? may have others, even if it shows one number only",
            layout_width(),
        )
    cells = sum(bool(numbers) for line in found.possible for numbers in line)
    forced = len(found.forced)
    hold = "holds" if forced == 1 else "hold"
    return (
        f"{pluralize(number, 'candidate')}; {forced} of {pluralize(cells, 'cell')} {hold} the same"
        " number in every solution"
    )


def _counts(found: Candidates, counts: CandidateCounts) -> list[str]:
    why = f"{_WHY[found.counting_ended]}: " if found.counting_ended in _WHY else ""
    if not counts.solutions:
        return [f"{why}no solution was counted"]
    if counts.exact and counts.solutions == 1:
        return ["the solution is unique"]
    solutions = pluralize(counts.solutions, "solution")
    first = "first solution" if counts.solutions == 1 else f"first {solutions}"
    partial = (
        f"{why}occurrences in the {first} found, which are not representative of all solutions"
    )
    lines = [f"occurrences in {solutions}" if counts.exact else partial]
    for row, (cells, numbers) in enumerate(zip(found.possible, counts.counts, strict=True), 1):
        for column, (candidates, each) in enumerate(zip(cells, numbers, strict=True), 1):
            if len(candidates) > 1:
                listed = ", ".join(
                    f"{number} in {count}" for number, count in zip(candidates, each, strict=True)
                )
                lines.append(f"  {_cell_name((row, column))}: {listed}")
    return lines


def _cell_name(cell: Cell) -> str:
    return "r{}c{}".format(*cell)


_MAX_NEEDED = 10
_NOT_UNIQUE = {"several": "this one has several solutions", "none": "this one has no solution"}


def not_unique_text(search: SearchOutcome, what: str = "has redundant parts") -> str:
    """Why nothing was removed: the puzzle has no unique solution, or none is proved."""
    problem = (
        _NOT_UNIQUE[search.status] + search.puzzle.caveat
        if search.status in _NOT_UNIQUE
        else verdict(search, None)
    )
    return f"only a puzzle with a unique solution {what}: {problem}"


def redundancy_text(items: Sequence[RemovalResult]) -> str:
    """The redundant items among the givens, the clues of each rule, and the rules.

    Needed items are listed, too, if there are at most _MAX_NEEDED.
    """
    if not items:
        return "no givens, clues or rules to remove"
    groups: dict[str, list[RemovalResult]] = {}
    for item in items:
        groups.setdefault(
            f"clues of {item.rule}" if item.kind == "clue" else f"{item.kind}s", []
        ).append(item)
    width = max(map(len, groups))
    redundant = any(item.needed is not True for item in items)
    lines = [
        "The solution stays unique without any single one of these:"
        if redundant
        else "Nothing is redundant: each of these is needed for the solution to be unique.",
        "",
    ]
    for heading, group in groups.items():
        spare, needed = (
            [item.words or item.name for item in group if item.needed is answer]
            for answer in (False, True)
        )
        lines.append(
            _listed(f"{heading.ljust(width)}  {len(spare)} of {len(group)}", spare, width + 2)
        )
        if 0 < len(needed) <= _MAX_NEEDED:
            lines.append(_listed(f"{' ' * width}  needed", needed, width + 4))
    if undecided := [item.words or item.name for item in items if item.needed is None]:
        lines += ["", _listed("not decided in time", undecided)]
    return "\n".join(lines)


def redundancy_json(
    status: SearchStatus, ended: SearchEnd | None, items: Sequence[RemovalResult]
) -> dict[str, object]:
    """The result as a JSON object, with an object in `items` for each item.

    status: of the puzzle itself; there are only items if it is "unique"
    ended: "time" or "interrupted" if items are missing or undecided
    """
    return tagged(
        "redundant",
        {
            "status": status,
            "ended": ended,
            "items": [removal_json(item) for item in items],
        },
    )


def removal_json(item: RemovalResult) -> dict[str, object]:
    """A given, clue or rule, and whether it is needed, as a JSON object."""
    return {
        "kind": item.kind,
        "name": item.name,
        "rule": item.rule,
        "facts": [f"{fact}." for fact in item.facts],
        "needed": item.needed,
        "status": item.status,
    }


def _listed(heading: str, names: Sequence[str], indent: int = 0) -> str:
    return textwrap.fill(
        f"{heading}: {', '.join(names)}" if names else heading,
        layout_width(),
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
