"""What a puzzle could do without: each given, each clue and each rule that its one solution does not need.

One thing is left out at a time. Givens are assumptions of one program; a program without a clue or a rule is grounded anew.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from aspdoku.engine.solver import Search, Solver, Status
from aspdoku.program import Program, RuleFile, join
from aspdoku.puzzle import Function, Solution
from aspdoku.puzzle.puzzle import GIVEN, Cell
from aspdoku.puzzle.term import Term

Kind = Literal["given", "clue", "rule"]

# The letter that names a cage, a line or a chain, in the comment behind `#defined`: facts that share its value are one clue.
_IDENTITY = "I"


class Item(NamedTuple):
    """One thing that a puzzle says, and what is left without it.

    kind: a given, a clue of a rule, or a whole rule
    name: `r1c2=3` of a given; what a cage, a line or a chain is called, or else the fact, of a clue; the name of a rule
    rule: the rule whose clue it is; empty for givens and rules
    facts: those that are left out with it
    cell: that of a given
    status: of the puzzle without it; "unique" where it is not needed, "another" where the one solution is another one then
    """

    kind: Kind
    name: str
    rule: str
    facts: tuple[Function, ...]
    cell: Cell | None
    status: Status | Literal["another"]

    @property
    def needed(self) -> bool | None:
        """Whether the solution would not be the only one without it; None where the time did not suffice to tell."""
        return None if self.status in ("some", "unknown") else self.status != "unique"


def items(program: Program, time_limit: float | None = None) -> Iterator[Item]:
    """Each given, clue and rule of a puzzle that has one solution, and how many solutions there are without it.

    time_limit: seconds for all of them together
    """
    deadline = None if time_limit is None else time.monotonic() + time_limit

    def left() -> float | None:
        return None if deadline is None else max(0.0, deadline - time.monotonic())

    only = next(iter(list(Solver(program, left()).search(1))), None)
    yield from _givens(program, only, left)
    for rule, name, facts in _clues(program):
        rest = tuple(fact for fact in program.puzzle.facts if fact not in facts)
        status = _status(program, only, [part.rule for part in program.parts], rest, program.puzzle.without, left())
        yield Item("clue", name, rule, facts, None, status)
    yield from _rules(program, only, left)


def _givens(program: Program, only: Solution | None, left: Callable[[], float | None]) -> Iterator[Item]:
    puzzle = program.puzzle
    solver = Solver(program.with_grid(((None,) * puzzle.size,) * puzzle.size), left())
    givens = [(cell, Function(GIVEN[0], (*cell, number))) for cell, number in puzzle.givens().items()]
    for cell, given in givens:
        search = solver.search(2, [(other, True) for _, other in givens if other is not given])
        row, column, number = given.arguments
        in_time = left() is None or (left() or 0) > 0
        yield Item("given", f"r{row}c{column}={number}", "", (given,), cell, _judged(search, only) if in_time else "unknown")


def _clues(program: Program) -> list[tuple[str, str, tuple[Function, ...]]]:
    """The rule, the name and the facts of each clue: facts that name the same cage, line or chain are one."""
    clues: dict[tuple[str, tuple[Term, ...] | Function], list[Function]] = defaultdict(list)
    inputs = {item.signature: (part.rule.name, item) for part in reversed(program.parts) for item in part.rule.inputs}
    for fact in program.puzzle.facts:
        if fact.signature in inputs:
            rule, item = inputs[fact.signature]
            names = [value for name, value in zip(item.arguments, fact.arguments, strict=False) if name[0] == _IDENTITY]
            clues[rule, tuple(names) or fact].append(fact)
    return [(rule, _name(key), tuple(facts)) for (rule, key), facts in clues.items()]


def _name(key: tuple[Term, ...] | Function) -> str:
    return str(key) if isinstance(key, Function) else " ".join(map(str, key))


def _rules(program: Program, only: Solution | None, left: Callable[[], float | None]) -> Iterator[Item]:
    """Whole rules, by what takes them back; one that nothing takes back by leaving out its file."""
    puzzle, rules = program.puzzle, [part.rule for part in program.parts]
    names = [*sorted(rules[0].retractable), *(rule.name for rule in rules[1:] if rule.name.replace("-", "_") in rule.retractable)]
    for name in names:
        if name not in puzzle.without:
            status = _status(program, only, rules, puzzle.facts, (*puzzle.without, name), left())
            yield Item("rule", name, "", (), None, status)
    for rule in (rule for rule in rules[1:] if rule.name not in names):
        others = [other for other in rules if other is not rule]
        known = {name.replace("_", "-") for other in others for name in other.retractable}
        without = tuple(name for name in puzzle.without if name in known)
        yield Item("rule", rule.name, "", (), None, _status(program, only, others, puzzle.facts, without, left()))


def _status(
    program: Program,
    only: Solution | None,
    rules: list[RuleFile],
    facts: tuple[Function, ...],
    without: tuple[str, ...],
    time_limit: float | None,
) -> Status | Literal["another"]:
    puzzle = program.puzzle.but(facts=facts, without=without, box=program.puzzle.box)
    if time_limit is not None and time_limit <= 0:
        return "unknown"
    return _judged(Solver(join(puzzle, rules, constants=program.constants), time_limit).search(2), only)


def _judged(search: Search, only: Solution | None) -> Status | Literal["another"]:
    """How many solutions there are; whether the one that there is is still the same."""
    found = list(search)
    return "another" if search.status == "unique" and only and found[0].rows != only.rows else search.status
