"""What clingo says of the programs of a lesson, each computed once."""

from __future__ import annotations

import hashlib
import math
from functools import cache

from aspdoku.engine import Solver
from aspdoku.engine.solver import CELL_ATOM
from aspdoku.errors import AspdokuError, TimeLimitError
from aspdoku.lecture.equivalence import RuleComparison, find_violations
from aspdoku.lesson.stage import Mark, Stage
from aspdoku.program import Program, RuleFile, assemble, library
from aspdoku.program.rulefile import EXCEPTIONS
from aspdoku.program.transform import helper_rules
from aspdoku.puzzle import Puzzle, Solution
from aspdoku.puzzle.puzzle import Cell
from aspdoku.questions.equal import equivalent
from aspdoku.runtime.deadline import Deadline

MOST = 1000
"""Solutions are counted up to this number."""
_LARGEST = 9  # rows of grids on which rules are compared

Grid = tuple[int, ...]
"""The numbers of a grid, row by row; 0 in an empty cell."""


def short_hash(rule: RuleFile) -> str:
    """The first seven digits of the SHA-256 of a rule file."""
    return hashlib.sha256(rule.text.encode()).hexdigest()[:7]


def numbers_of(solution: Solution) -> Grid:
    """The numbers of a solution, row by row."""
    return tuple(number or 0 for row in solution.rows for number in row)


class Answers:
    """Questions to clingo within a time limit, in seconds. They raise TimeLimitError."""

    def __init__(self, time_limit: float | None) -> None:
        self._deadline = Deadline(math.inf if time_limit is None else time_limit)
        self._counts: dict[str, int] = {}
        self._grids: dict[str, tuple[Grid, ...]] = {}
        self.reached = cache(self._reached)

    def count(self, program: Program) -> int:
        """How many solutions a program has; MOST + 1 if there are more than MOST."""
        if program.text not in self._counts:
            search = Solver(program, self._deadline.time_limit()).search(MOST + 1)
            self._counts[program.text] = search.count()
            _require(search.ended)
        return self._counts[program.text]

    def solution(self, program: Program) -> Solution | None:
        """The first solution, if there is one."""
        search = Solver(program, self._deadline.time_limit()).search(1)
        first = next(iter(search), None)
        _require(search.ended)
        return first

    def solutions(self, program: Program) -> tuple[Grid, ...]:
        """All solutions, or more than MOST of them."""
        if program.text not in self._grids:
            search = Solver(program, self._deadline.time_limit()).search(MOST + 1)
            self._grids[program.text] = tuple(sorted(map(numbers_of, search)))
            _require(search.ended)
        return self._grids[program.text]

    def comparison(self, stage: Stage) -> RuleComparison:
        """The relation of the rules that a stage compares, under the rules of the base and the
        default rules that stand on it.
        """
        assert stage.compare
        assert stage.puzzle
        one, two = stage.compare
        game = [library.base(), *(each for each in library.defaults() if each not in (one, two))]
        known = frozenset().union(*(each.retractable for each in game))
        gone = [each.name for each in game[1:] if each not in (*stage.standing, *stage.added)]
        without = [name.replace("_", "-") for name in stage.retracted if name in known]
        known = known.union(one.retractable, two.retractable)
        exceptions = (each for each in stage.retracted if "," in each)
        return equivalent(
            one,
            two,
            size=min(stage.puzzle.size, _LARGEST),
            without=[*without, *gone],
            facts=[f"ab({each})" for each in exceptions if each.partition(",")[0] in known],
            time_limit=self._deadline.time_limit(),
        ).data

    def _reached(self, rule: RuleFile, cell: Cell, puzzle: Puzzle) -> frozenset[Cell]:
        """The cells that a rule alone forbids to hold the same number as this one.

        Raises AspdokuError if it forbids nothing about two cells.
        """
        number = puzzle.numbers[0]
        row, column = cell
        another = RuleFile(
            "another",
            "another",
            f"{{ a(R,C,N) : cell(R,C), (R,C) != ({row},{column}) }} = 1 :- N = {number}.\n"
            f"a({row},{column},{number}).\n",
            vetted=True,
        )
        size = puzzle.size
        facts = tuple(fact for fact in puzzle.facts if fact.name != EXCEPTIONS)
        blank = puzzle.replace(box=puzzle.box, grid=((None,) * size,) * size, facts=facts)
        two_cells = assemble(blank, [helper_rules(library.base()), rule, another])
        solver = Solver(two_cells, self._deadline.time_limit(), project=False)
        allowed = {
            (int(match[1]), int(match[2]))
            for atoms in solver.answer_sets(0)
            for match in map(CELL_ATOM.fullmatch, map(str, atoms))
            if match
        }
        cells = frozenset(set(puzzle.cells()) - allowed - {cell})
        if not cells or not allowed:
            raise AspdokuError(
                f"{rule.place} does not forbid equal numbers in two cells: mark another rule"
            )
        return cells

    def licensed(self, stage: Stage, mark: Mark) -> list[tuple[Cell, ...]]:
        """The cells of each violation of a rule that only an exception allows, in the solution.

        Raises AspdokuError if there are none.
        """
        program = stage.program
        solution = self.solution(program)
        name = mark.rule.name.replace("-", "_")
        facts = [fact for fact in program.puzzle.facts if not _is_about(str(fact), name)]
        rules = (
            find_violations(mark.rule, solution, facts, (), self._deadline.time_limit())
            if solution
            else []
        )
        if not rules:
            raise AspdokuError(
                f"no exception from {mark.rule.place} is used in the solution: mark another rule"
            )
        return [violation.cells for violation in rules]


def _is_about(fact: str, name: str) -> bool:
    return fact.startswith((f"{EXCEPTIONS}({name})", f"{EXCEPTIONS}({name},"))


def _require(ended: str | None) -> None:
    if ended == "time":
        raise TimeLimitError("time limit reached before the lesson was computed")
