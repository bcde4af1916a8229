"""Find why the grounding of a program is too large: terms that grow, ranges, or many atoms.

Terms and ranges are found in its rules. The predicate with the most atoms is that of the ground
program when grounding ends; the one whose process was killed is grounded once more for that.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.engine.control import Control, peak_memory
from aspdoku.errors import AspdokuError
from aspdoku.program.growth import Brake, growths
from aspdoku.program.syntax import atoms, heads, parse, position_of, signature, source_of, variables
from aspdoku.runtime.child import Limits, run_limited
from aspdoku.runtime.deadline import Deadline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from clingo.ast import AST

    from aspdoku.program import RuleFile

# Ground rules after which counting stops: one predicate dominates long before.
_MOST_RULES = 500_000
# Atoms of a predicate that are counted.
_MOST_ATOMS = 1_000_000
# Variables of a rule whose values may have too many combinations: those of three cells.
_MANY_VARIABLES = 9
# Rules that define the predicate to show: enough to find the cause, and few enough to read.
_SHOWN = 3
# Seconds for counting the atoms of a ground program.
_COUNTING = 5.0


class LargestPredicate(NamedTuple):
    """The predicate with the most ground atoms. counted: whether these are all of them"""

    name: str
    arity: int
    atoms: int
    counted: bool = True


class Cause(NamedTuple):
    """Why a grounding is too large.

    to_blame: the statements to blame, with their files; empty if no file that may be to blame
        defines the largest predicate
    """

    text: str
    to_blame: list[tuple[RuleFile, AST]]

    @property
    def places(self) -> list[str]:
        """The first statements to blame as FILE:LINE."""
        return [f"{rule.place}:{position_of(each)[0]}" for rule, each in self.to_blame[:_SHOWN]]

    @property
    def file(self) -> str:
        """The file of the first statement to blame; empty if there is none."""
        return self.to_blame[0][0].place if self.to_blame else ""

    @property
    def position(self) -> tuple[int, int]:
        """The line and column of the first statement to blame; line 1 if there is none."""
        return position_of(self.to_blame[0][1]) if self.to_blame else (1, 1)

    def __str__(self) -> str:
        """The cause in words, with the lines to blame below it."""
        sources = (source_of(rule, each) for rule, each in self.to_blame)
        lines = (f"{place}: {source}" for place, source in zip(self.places, sources, strict=False))
        return "\n  ".join([self.text, *lines])


def cause_of_growth(
    rules: Iterable[RuleFile], largest: Callable[[], LargestPredicate | None]
) -> Cause | None:
    """Why the ground program of some rules is too large; None if that is not clear.

    rules: files that may be to blame
    largest: finds the largest predicate, if no statement shows that it may grow; if none of the
        files defines it, the rule with the most variables is to blame
    """
    rules = list(rules)
    for rule in rules:
        for growth in growths(rule):
            return Cause(growth.text, [(rule, growth.statement)])
    if (found := largest()) is None:
        return _widest(rules)
    number = f"{'' if found.counted else 'at least '}{found.atoms:,} ground atoms"
    text = f"the largest predicate is {found.name}/{found.arity}, with {number}"

    def is_found(atom: AST) -> bool:
        name, arity = signature(atom)
        # A file that was made from this one may have renamed it.
        return arity == found.arity and f"_{found.name}".endswith(f"_{name}")

    defining = [
        (rule, each) for rule in rules for each in parse(rule)[0] if any(map(is_found, heads(each)))
    ]
    endless = [
        (rule, each)
        for rule, each in defining
        if any(is_found(atom) for part in getattr(each, "body", ()) for atom in atoms(part))
    ]
    if endless:
        text += "; it depends on itself and may be infinite"
    if not defining and (widest := _widest(rules)):
        return widest
    return Cause(text, endless or defining)


def _widest(rules: Iterable[RuleFile]) -> Cause | None:
    """The statement with the most variables, whose values are combined; None for few of them."""
    statements = [(rule, each) for rule in rules for each in parse(rule)[0]]
    widest = max(statements, key=lambda found: len(variables(found[1])), default=None)
    if widest is None or (number := len(variables(widest[1]))) < _MANY_VARIABLES:
        return None
    return Cause(f"the rule with the most variables combines the values of {number}", [widest])


def largest_in(text: str, seconds: float, memory: int) -> LargestPredicate | None:
    """The largest predicate of a program, which a child process grounds; None if it has no atoms.

    seconds, memory: limits for counting atoms; the memory is that of the process that grounds, in
    bytes
    """
    limits = Limits(seconds + _COUNTING, memory)
    with suppress(AspdokuError):
        found = run_limited(limits, _largest_when_grounded, text, seconds, memory // 2)
        return found if isinstance(found, LargestPredicate) else None
    return None


def largest_predicate(control: Control, most: int = _MOST_ATOMS) -> LargestPredicate | None:
    """The predicate with the most ground atoms, of which at most some are counted; None if there
    are no atoms.
    """
    found = []
    for name, arity, positive in control.symbolic_atoms.signatures:
        all_atoms = control.symbolic_atoms.by_signature(name, arity, positive)
        number = sum(1 for _ in islice(all_atoms, most))
        called = ("" if positive else "-") + name
        found.append(LargestPredicate(called, arity, number, number < most))
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
