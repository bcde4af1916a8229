"""What changed in the ground program: which rules stand as they stood, which are gone, and which line brought the new ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from aspdoku.engine.grounding import GroundProgram, GroundRule, ground
from aspdoku.program import Program, join
from aspdoku.program.marks import MARK, definitions, marked

_MARKED = re.compile(rf'{MARK}\("(.*)",(\d+)\)')


class Line(NamedTuple):
    """So many ground rules, or facts, from one line of a file."""

    place: str
    line: int
    rules: int
    facts: int


class Traced(NamedTuple):
    """A ground program with the line of each of its rules, and how many of its facts come from which line."""

    program: GroundProgram
    origin: dict[GroundRule, tuple[str, int]]
    facts: dict[str, tuple[str, int]]


class Evidence(NamedTuple):
    """The ground program beside that of the program before it.

    kept: rules that stand in both
    simplified: rules that grounding has shortened, or found to hold, because more is known now
    removed: rules that are gone although nothing of them is known
    added: rules that are new
    lost, gained: where the removed and the added rules and facts come from
    """

    before: int
    kept: int
    simplified: int
    removed: int
    added: int
    lost: tuple[Line, ...]
    gained: tuple[Line, ...]


def trace(program: Program) -> Traced:
    """Ground a program and find out from which line each rule comes."""
    rules = [part.rule for part in program.parts]
    found = ground(join(program.puzzle, [marked(rule) for rule in rules], constants=program.constants))
    origin: dict[GroundRule, tuple[str, int]] = {}
    plain: Counter[GroundRule] = Counter()
    for rule, count in found.rules.items():
        marks = [literal for literal in rule.body if _MARKED.fullmatch(literal)]
        bare = GroundRule(rule.head, tuple(literal for literal in rule.body if literal not in marks))
        plain[bare] += count
        for mark in _MARKED.finditer(" ".join(marks)):
            origin.setdefault(bare, (mark[1], int(mark[2])))
    atoms = frozenset(atom for atom in found.atoms if not _MARKED.fullmatch(atom))
    return Traced(GroundProgram(plain, found.facts, atoms), origin, _origins_of_facts(program, found.facts))


def _origins_of_facts(program: Program, facts: Iterable[str]) -> dict[str, tuple[str, int]]:
    """The first line of a rule file that defines a fact's predicate; facts of the instance have none."""
    lines = {
        predicate: (part.rule.place, numbers[0])
        for part in program.parts
        for predicate, numbers in definitions(part.rule).items()
    }
    found = {}
    for fact in facts:
        name, _, _ = fact.partition("(")
        candidates = [place for (defined, _), place in lines.items() if defined == name]
        if candidates:
            found[fact] = candidates[0]
    return found


def evidence(before: Traced, after: Traced) -> Evidence:
    """Compare two ground programs, rule by rule."""
    old, new = before.program, after.program
    gone, fresh = old.rules - new.rules, new.rules - old.rules
    simplified: Counter[GroundRule] = Counter()
    removed: Counter[GroundRule] = Counter()
    for rule, count in gone.items():
        shorter = _simplified(rule, new)
        known = shorter is None or fresh[shorter] >= count
        (simplified if known else removed)[rule] += count
        if known and shorter is not None:
            fresh[shorter] -= count
    return Evidence(
        before=old.rules.total(),
        kept=(old.rules & new.rules).total(),
        simplified=simplified.total(),
        removed=removed.total(),
        added=(+fresh).total(),
        lost=_lines(before, removed, old.facts - new.facts),
        gained=_lines(after, +fresh, new.facts - old.facts),
    )


def _simplified(rule: GroundRule, known: GroundProgram) -> GroundRule | None:
    """The rule as grounding leaves it where more is known; None where it holds, or cannot apply, once and for all."""
    body = []
    for literal in rule.body:
        atom = literal.removeprefix("not ")
        negative = atom != literal
        if atom in known.facts or (atom not in known.atoms and not atom.startswith(("(", "#")) and "{" not in atom):
            if (atom in known.facts) == negative:
                return None
            continue
        body.append(literal)
    settled = rule.head and known.facts.issuperset(rule.head.strip("{ }").split("; "))
    return None if settled else GroundRule(rule.head, tuple(body))


def _lines(traced: Traced, rules: Counter[GroundRule], facts: Iterable[str]) -> tuple[Line, ...]:
    rule_count: Counter[tuple[str, int]] = Counter()
    fact_count: Counter[tuple[str, int]] = Counter()
    for rule, count in rules.items():
        rule_count[traced.origin.get(rule, ("the puzzle", 0))] += count
    for fact in facts:
        fact_count[traced.facts.get(fact, ("the puzzle", 0))] += 1
    places = sorted({*rule_count, *fact_count})
    return tuple(Line(*place, rule_count[place], fact_count[place]) for place in places)
