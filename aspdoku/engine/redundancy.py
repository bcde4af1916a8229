"""What a puzzle could do without.

Each given, each clue and each rule that its one solution does not need.

One thing is left out at a time. Givens are assumptions of one program; a program without a clue or
a rule is grounded anew.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from aspdoku.engine.solver import Search, SearchStatus, Solver
from aspdoku.program import Program, RuleFile, assemble
from aspdoku.puzzle import Function, Solution
from aspdoku.puzzle.puzzle import GIVEN, Cell
from aspdoku.puzzle.term import Term, to_asp

RemovalKind = Literal["given", "clue", "rule"]

# The letter that names a cage, a line or a chain, in the comment behind `#defined`: facts that
# share its value are one clue.
_IDENTITY = "I"


class RemovalResult(NamedTuple):
    """One thing that a puzzle says, and what is left without it.

    kind: a given, a clue of a rule, or a whole rule
    name: `r1c2=3` of a given; what a cage, a line or a chain is called, or else the fact, of a
        clue; the name of a rule, or the place of its file where another rule has the same name
    rule: the rule whose clue it is, called likewise; empty for givens and rules
    facts: those that are left out with it
    cell: that of a given
    status: of the puzzle without it; "unique" where it is not needed, "another" where the one
    solution is another one then
    """

    kind: RemovalKind
    name: str
    rule: str
    facts: tuple[Function, ...]
    cell: Cell | None
    status: SearchStatus | Literal["another"]

    @property
    def needed(self) -> bool | None:
        """Whether the solution would not be the only one without it.

        None where the time did not suffice to tell.
        """
        return None if self.status in ("some", "unknown") else self.status != "unique"


def find_redundancies(program: Program, time_limit: float | None = None) -> Iterator[RemovalResult]:
    """Each given, clue and rule of a puzzle that has one solution, and how many solutions there are
    without it.

    time_limit: seconds for all of them together
    """
    deadline = None if time_limit is None else time.monotonic() + time_limit

    def left() -> float | None:
        return None if deadline is None else max(0.0, deadline - time.monotonic())

    only = next(iter(list(Solver(program, left()).search(1))), None)
    yield from _givens(program, only, left)
    for rule, name, facts in _clues(program):
        rest = tuple(fact for fact in program.puzzle.facts if fact not in facts)
        status = _status(
            program,
            only,
            [part.rule for part in program.parts],
            rest,
            program.puzzle.without,
            left(),
        )
        yield RemovalResult("clue", name, rule, facts, None, status)
    for name, rules, without in _rules(program):
        yield RemovalResult(
            "rule",
            name,
            "",
            (),
            None,
            _status(program, only, rules, program.puzzle.facts, without, left()),
        )


def _givens(
    program: Program, only: Solution | None, left: Callable[[], float | None]
) -> Iterator[RemovalResult]:
    puzzle = program.puzzle
    solver = Solver(program.with_grid(((None,) * puzzle.size,) * puzzle.size), left())
    givens = [
        (cell, Function(GIVEN[0], (*cell, number))) for cell, number in puzzle.givens().items()
    ]
    for cell, given in givens:
        search = solver.search(2, [(other, True) for _, other in givens if other is not given])
        row, column, number = given.arguments
        in_time = left() is None or (left() or 0) > 0
        yield RemovalResult(
            "given",
            f"r{row}c{column}={number}",
            "",
            (given,),
            cell,
            _judged(search, only) if in_time else "unknown",
        )


def _clues(program: Program) -> list[tuple[str, str, tuple[Function, ...]]]:
    """The rule, the name and the facts of each clue.

    Facts that name the same cage, line or chain are one.
    """
    called = _called(program)
    clues: dict[tuple[str, tuple[Term, ...]], list[Function]] = defaultdict(list)
    inputs = {
        item.signature: (called[part.rule], item)
        for part in reversed(program.parts)
        for item in part.rule.inputs
    }
    for fact in program.puzzle.facts:
        if fact.signature in inputs:
            rule, item = inputs[fact.signature]
            names = [
                value
                for name, value in zip(item.arguments, fact.arguments, strict=False)
                if name[0] == _IDENTITY
            ]
            clues[rule, tuple(names) or (fact,)].append(fact)
    plain = {key: " ".join(map(str, key[1])) for key in clues}
    shared = Counter((rule, plain[rule, names]) for rule, names in clues)
    return [
        (
            rule,
            plain[rule, names]
            if shared[rule, plain[rule, names]] == 1
            else " ".join(map(to_asp, names)),
            tuple(facts),
        )
        for (rule, names), facts in clues.items()
    ]


def _rules(program: Program) -> Iterator[tuple[str, list[RuleFile], tuple[str, ...]]]:
    """Each whole rule by its name, with the rule files and with what is taken back when it goes.

    It is taken back by its name where no other rule has that; else its file is left out.
    """
    called, taken = _called(program), program.puzzle.without
    base, *files = rules = [part.rule for part in program.parts]
    for name in sorted(_retractable(base).difference(taken)):
        yield name, rules, (*taken, name)
    for rule in files:
        name = rule.name.replace("_", "-")
        retracts = name in _retractable(rule)
        if retracts and name in taken:
            continue
        if retracts and called[rule] == rule.name:
            yield rule.name, rules, (*taken, name)
        else:
            others = [other for other in rules if other is not rule]
            yield (
                called[rule],
                others,
                tuple(other for other in taken if other in _retractable(*others)),
            )


def _called(program: Program) -> dict[RuleFile, str]:
    """What each rule file is called.

    Its name, or its place where a rule of another file has the same name.
    """
    base, *files = (part.rule for part in program.parts)
    names = Counter([base.name, *_retractable(base), *(rule.name for rule in files)])
    return {rule: rule.name if names[rule.name] == 1 else rule.place for rule in (base, *files)}


def _retractable(*rules: RuleFile) -> set[str]:
    """The names by which these files let a rule be taken back, written as in `--without`."""
    return {name.replace("_", "-") for rule in rules for name in rule.retractable}


def _status(
    program: Program,
    only: Solution | None,
    rules: list[RuleFile],
    facts: tuple[Function, ...],
    without: tuple[str, ...],
    time_limit: float | None,
) -> SearchStatus | Literal["another"]:
    puzzle = program.puzzle.replace(facts=facts, without=without, box=program.puzzle.box)
    if time_limit is not None and time_limit <= 0:
        return "unknown"
    return _judged(
        Solver(assemble(puzzle, rules, constants=program.constants), time_limit).search(2), only
    )


def _judged(search: Search, only: Solution | None) -> SearchStatus | Literal["another"]:
    """How many solutions there are; whether the one that there is is still the same."""
    found = list(search)
    return (
        "another"
        if search.status == "unique" and only and found[0].rows != only.rows
        else search.status
    )
