"""Find why the grounding of a program is too large: terms that grow, ranges, or many atoms.

Terms and ranges are found in its rules. The predicate with the most atoms is that of the ground
program when grounding ends; the one whose process was killed is grounded once more for that.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.deadline import Deadline
from aspdoku.engine.control import Brake, Control, peak_memory
from aspdoku.engine.sandbox import Limits, run_limited
from aspdoku.errors import AspdokuError
from aspdoku.program import RuleFile
from aspdoku.program.growth import growths
from aspdoku.program.syntax import atoms, heads, parse, position_of, signature, source_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clingo.ast import AST

    from aspdoku.ending import Grounding

# Ground rules after which counting stops: one predicate dominates long before.
_MOST_RULES = 500_000
# Atoms of a predicate that are counted.
_MOST_ATOMS = 1_000_000
# Rules that define the predicate to show: enough to find the cause, and few enough to read.
_SHOWN = 3
# Seconds for counting the atoms of a ground program.
_COUNTING = 5.0


class Cause(NamedTuple):
    """Why a grounding is too large.

    statements: those to blame; their lines are those of the program
    """

    text: str
    statements: list[AST]


class LargestPredicate(NamedTuple):
    """The predicate with the most ground atoms."""

    name: str
    arity: int
    atoms: int


def growth_report(grounding: Grounding, seconds: float, memory: int) -> str:
    """The cause in words, with the lines to blame below it. Empty if there are no atoms.

    seconds, memory: limits for counting atoms; the memory is that of the process that grounds, in
    bytes
    """
    cause = find_cause(grounding.text, seconds, memory)
    if cause is None:
        return ""
    program = _rule_file(grounding.text)
    places = (
        f"{grounding.locate(position_of(each)[0])}: {source_of(program, each)}"
        for each in cause.statements[:_SHOWN]
    )
    return "\n  ".join([cause.text, *places])


def find_cause(text: str, seconds: float, memory: int) -> Cause | None:
    """Why the grounding of a program is too large. None if it has no atoms.

    The arguments are those of `growth_report`.
    """
    if found := _apparent_cause(text):
        return found
    limits = Limits(seconds + _COUNTING, seconds + _COUNTING, memory)
    try:
        largest = run_limited(limits, _largest_when_grounded, text, seconds, memory // 2)
    except AspdokuError:
        return None
    return _of_predicate(text, largest) if isinstance(largest, LargestPredicate) else None


def _apparent_cause(text: str) -> Cause | None:
    found = next(growths(_rule_file(text)), None)
    return Cause(found.text, [found.statement]) if found else None


def _rule_file(text: str) -> RuleFile:
    return RuleFile("program", "program", text, vetted=True)


def _of_predicate(text: str, largest: LargestPredicate | None) -> Cause | None:
    if largest is None:
        return None
    name, arity = largest.name, largest.arity
    cause = _about(largest)
    defining = [
        each
        for each in parse(_rule_file(text))[0]
        if any(signature(head) == (name, arity) for head in heads(each))
    ]
    endless = [
        each
        for each in defining
        if (name, arity) in {signature(atom) for part in _body(each) for atom in atoms(part)}
    ]
    if endless:
        cause += "; it depends on itself and may be infinite"
    return Cause(cause, endless or defining)


def _body(rule: AST) -> Sequence[AST]:
    return getattr(rule, "body", ())


def cause_in(rules: Iterable[RuleFile], control: Control) -> str:
    """Why the part of a program that has been grounded is so large, after FILE:LINE if some rule is
    to blame.

    rules: files that may be to blame
    """
    largest = largest_predicate(control)
    defining = ""
    for rule in rules:
        for growth in growths(rule):
            return f"{rule.place}:{position_of(growth.statement)[0]}: {growth.text}"
        for statement in parse(rule)[0]:
            for name, arity in map(signature, heads(statement)):
                # A file that was made from this one may have renamed it.
                if largest and arity == largest.arity and largest.name.endswith(name):
                    defining = f"{rule.place}:{position_of(statement)[0]}: "
    return defining + _about(largest) if largest else ""


def _about(largest: LargestPredicate) -> str:
    return (
        f"the largest predicate is {largest.name}/{largest.arity}, with {largest.atoms:,} ground"
        " atoms"
    )


def largest_predicate(control: Control) -> LargestPredicate | None:
    """The predicate with the most ground atoms; None if there are no atoms."""
    found = [
        LargestPredicate(
            ("" if positive else "-") + name,
            arity,
            sum(
                1
                for _ in islice(
                    control.symbolic_atoms.by_signature(name, arity, positive), _MOST_ATOMS
                )
            ),
        )
        for name, arity, positive in control.symbolic_atoms.signatures
    ]
    return max(found, key=lambda each: each.atoms, default=None)


def _largest_when_grounded(text: str, seconds: float, memory: int) -> LargestPredicate | None:
    """That of a program after some seconds of grounding, bytes of memory, or ground rules."""
    control = Control(logger=lambda *_: None)
    deadline, most = Deadline(seconds), peak_memory() + memory
    brake = Brake(lambda rules: rules >= _MOST_RULES or deadline.passed or peak_memory() > most)
    control.register_observer(brake)
    control.add("base", [], text)
    with suppress(RuntimeError):  # of the brake
        control.ground([("base", [])])
    return largest_predicate(control)
