"""Find redundant givens, clues and rules: those not needed for the solution to be unique.

Each is removed on its own. Givens are assumptions of one grounding; a program without a clue or a
rule is grounded again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from aspdoku.engine.clues import clues, names_of_files, retractable
from aspdoku.engine.solver import Search, SearchStatus, Solver
from aspdoku.program import Program, RuleFile, library
from aspdoku.puzzle import Function, Solution
from aspdoku.puzzle.puzzle import GIVEN, Cell
from aspdoku.runtime.deadline import Deadline

RemovalKind = Literal["given", "clue", "rule"]


class RemovalResult(NamedTuple):
    """A given, clue or rule, and how many solutions there are without it.

    name: of a given `r1c2=3`; of a clue the name of its cage, line or chain, or else the fact; of a
        rule its name, or the path of its file if another rule has the same name
    rule: the name of the rule that a clue belongs to; empty for givens and rules
    facts: the facts removed
    status: of the puzzle without it; "unique" if it is redundant, "another" if the solution is
        unique but a different one
    words: of a clue its name and its place, such as "cage A in r1c1"; otherwise empty
    """

    kind: RemovalKind
    name: str
    rule: str
    facts: tuple[Function, ...]
    cell: Cell | None
    status: SearchStatus | Literal["another"]
    words: str = ""

    @property
    def needed(self) -> bool | None:
        """Whether the solution is not unique, or a different one, without it; None if it is
        undecided.
        """
        return None if self.status in ("some", "unknown") else self.status != "unique"


def find_redundancies(program: Program, time_limit: float | None = None) -> Iterator[RemovalResult]:
    """Remove each given, clue and rule of a puzzle with a unique solution in turn."""
    deadline = Deadline(time_limit)
    only = next(iter(list(Solver(program, deadline.time_limit()).search(1))), None)
    yield from _givens(program, only, deadline)
    puzzle = program.puzzle
    for clue in clues(program):
        rest = tuple(fact for fact in puzzle.facts if fact not in clue.facts)
        status = _status(program, only, program.rules, rest, puzzle.without, deadline)
        yield RemovalResult("clue", clue.name, clue.rule, clue.facts, None, status, clue.words)
    for name, rules, without in _rules(program):
        status = _status(program, only, rules, puzzle.facts, without, deadline)
        yield RemovalResult("rule", name, "", (), None, status)


def _givens(program: Program, only: Solution | None, deadline: Deadline) -> Iterator[RemovalResult]:
    solver = Solver(program.without_givens(), deadline.time_limit())
    numbers = program.puzzle.givens()
    givens = {cell: Function(GIVEN[0], (*cell, number)) for cell, number in numbers.items()}
    for cell, given in givens.items():
        search = solver.search(2, [(each, True) for each in givens.values() if each is not given])
        status = "unknown" if deadline.passed else _status_of(search, only)
        name = "r{}c{}={}".format(*given.arguments)
        yield RemovalResult("given", name, "", (given,), cell, status)


def _rules(program: Program) -> Iterator[tuple[str, list[RuleFile], tuple[str, ...]]]:
    """Each rule by its name, with the rule files and the retracted names without it: its file is
    left out if it cannot be retracted or another rule has the name.
    """
    names, retracted = names_of_files(program), program.puzzle.without
    base, *files = rules = program.rules
    for name in sorted(retractable(base).difference(retracted)):
        yield name, rules, (*retracted, name)
    for rule in files:
        if rule in library.vocabulary().values():
            continue
        name = rule.name.replace("_", "-")
        is_retractable = name in retractable(rule)
        if is_retractable and name in retracted:
            continue
        if is_retractable and names[rule] == rule.name:
            yield rule.name, rules, (*retracted, name)
        else:
            others = [other for other in rules if other is not rule]
            known = retractable(*others)
            yield names[rule], others, tuple(each for each in retracted if each in known)


def _status(
    program: Program,
    only: Solution | None,
    rules: list[RuleFile],
    facts: tuple[Function, ...],
    without: tuple[str, ...],
    deadline: Deadline,
) -> SearchStatus | Literal["another"]:
    changed = program.changed(rules, facts=facts, without=without)
    return _status_of(Solver(changed, deadline.time_limit()).search(2), only)


def _status_of(search: Search, only: Solution | None) -> SearchStatus | Literal["another"]:
    found = list(search)
    if search.status == "unique" and only and found[0].rows != only.rows:
        return "another"
    return search.status
