"""Compare two ground programs: which rules are kept, removed or added, and from which lines."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from aspdoku.engine.grounding import GroundProgram, GroundRule, ground
from aspdoku.program import Program, assemble
from aspdoku.program.rulefile import RuleFile
from aspdoku.program.syntax import heads, negated_head, parse, position_of, signature

_Origin = tuple[str, int]
_THE_PUZZLE = "the puzzle", 0
MARKER = "from_line"
_MARKED = re.compile(rf"{MARKER}\((\d+),(\d+)\)")


class LineCount(NamedTuple):
    """The numbers of ground rules and facts from one line of a file."""

    place: str
    line: int
    rules: int
    facts: int


class TracedProgram(NamedTuple):
    """A ground program with the origin (file and line) of each rule and fact."""

    program: GroundProgram
    origin: dict[GroundRule, _Origin]
    facts: dict[str, _Origin]


class GroundDiff(NamedTuple):
    """The difference between the ground program and the one before it.

    before: the number of rules before
    kept: rules that occur in both
    simplified: rules that grounding shortens or removes because some of their atoms are now facts
    or false
    changed: rules that are replaced by others from the same line, although no atom was decided
    removed: rules that are missing although no atom was decided
    added: new rules
    altered, lost, gained: origins of the changed, removed, and added rules and facts
    """

    before: int
    kept: int
    simplified: int
    changed: int
    removed: int
    added: int
    altered: tuple[LineCount, ...]
    lost: tuple[LineCount, ...]
    gained: tuple[LineCount, ...]


def trace(program: Program, time_limit: float | None = None) -> TracedProgram:
    """Ground a program and determine the line that each rule comes from.

    Raises RuleError if it cannot be grounded, TimeLimitError after `time_limit` seconds.
    """
    rules = [part.rule for part in program.parts]
    tagged = [with_line_markers(rule, file) for file, rule in enumerate(rules)]
    found = ground(assemble(program.puzzle, tagged, constants=program.constants), time_limit)
    defined = _definitions(program)
    origin: dict[GroundRule, _Origin] = {}
    plain: Counter[GroundRule] = Counter()
    for rule, count in found.rules.items():
        marks = [literal for literal in rule.body if _MARKED.fullmatch(literal)]
        body = tuple(literal for literal in rule.body if literal not in marks)
        bare = GroundRule(
            rule.head, body, frozenset(atom for atom in rule.atoms if not _MARKED.fullmatch(atom))
        )
        plain[bare] += count
        for mark in _MARKED.finditer(" ".join(marks)):
            origin.setdefault(bare, (rules[int(mark[1])].place, int(mark[2])))
        if not marks and (place := defined.get(_name(bare.head))):
            origin[bare] = place
    atoms = frozenset(atom for atom in found.atoms if not _MARKED.fullmatch(atom))
    return TracedProgram(
        GroundProgram(plain, found.facts, atoms),
        origin,
        {fact: defined[name] for fact in found.facts if (name := _name(fact)) in defined},
    )


def _definitions(program: Program) -> dict[str, _Origin]:
    """For each predicate, the first line of a rule file that defines it, if any."""
    found: dict[str, _Origin] = {}
    for part in program.parts:
        for (name, _), lines in definition_lines(part.rule).items():
            found.setdefault(name, (part.rule.place, lines[0]))
    return found


def _name(atom: str) -> str:
    return atom.partition("(")[0]


def diff_ground_programs(before: TracedProgram, after: TracedProgram) -> GroundDiff:
    """Compare two ground programs, rule by rule."""
    old, new = before.program, after.program
    gone, fresh = old.rules - new.rules, new.rules - old.rules
    simplified: Counter[GroundRule] = Counter()
    changed: Counter[GroundRule] = Counter()
    forms: dict[tuple[_Origin, frozenset[str]], list[GroundRule]] = defaultdict(list)
    for rule in fresh:
        forms[_origin(after, rule), rule.atoms].append(rule)
    for rule, count in gone.items():
        open_ = frozenset(
            atom for atom in rule.atoms if atom in new.atoms and atom not in new.facts
        )
        if open_ != rule.atoms:
            simplified[rule] = count
            shorter = [form for form in forms[_origin(before, rule), open_] if fresh[form] > 0]
            for form in shorter[:1]:
                fresh[form] -= count
    removed = gone - simplified
    others: dict[_Origin, list[GroundRule]] = defaultdict(list)
    for rule in (+fresh).elements():
        others[_origin(after, rule)].append(rule)
    for rule in removed.elements():
        if waiting := others[_origin(before, rule)]:
            changed[rule] += 1
            fresh[waiting.pop()] -= 1
    removed -= changed
    return GroundDiff(
        before=old.rules.total(),
        kept=(old.rules & new.rules).total(),
        simplified=simplified.total(),
        changed=changed.total(),
        removed=removed.total(),
        added=(+fresh).total(),
        altered=_lines(before, changed, ()),
        lost=_lines(before, removed, old.facts - new.facts),
        gained=_lines(after, +fresh, new.facts - old.facts),
    )


def _origin(traced: TracedProgram, rule: GroundRule) -> _Origin:
    return traced.origin.get(rule, _THE_PUZZLE)


def _lines(
    traced: TracedProgram, rules: Counter[GroundRule], facts: Iterable[str]
) -> tuple[LineCount, ...]:
    rule_count: Counter[_Origin] = Counter()
    fact_count: Counter[_Origin] = Counter()
    for rule, count in rules.items():
        rule_count[_origin(traced, rule)] += count
    for fact in facts:
        fact_count[traced.facts.get(fact, _THE_PUZZLE)] += 1
    places = sorted({*rule_count, *fact_count})
    return tuple(LineCount(*place, rule_count[place], fact_count[place]) for place in places)


def with_line_markers(rule: RuleFile, file: int) -> RuleFile:
    """The file with `from_line(FILE,LINE)` in the body of each constraint and choice rule; FILE is
    a number.

    Definite rules are not marked: most of them become facts, whose predicates reveal their origin.
    """
    statements, _ = parse(rule)
    lines = []
    for statement in statements:
        kind = statement.ast_type.name
        if kind == "Comment":
            continue
        if kind == "Rule" and (
            not any(heads(statement)) or statement.head.ast_type.name != "Literal"
        ):
            mark = f"{MARKER}({file},{position_of(statement)[0]})"
            negated = None if any(heads(statement)) else negated_head(statement)
            head = str(statement.head) if any(heads(statement)) else ""
            body = "; ".join(
                [*map(str, statement.body), *([str(negated)] if negated else []), mark]
            )
            lines += [f"#external {mark}. [free]", f"{head} :- {body}."]
        else:
            lines.append(str(statement))
    return RuleFile(rule.name, rule.place, "\n".join([*lines, ""]), vetted=True)


def definition_lines(rule: RuleFile) -> dict[tuple[str, int], list[int]]:
    """The lines on which the file defines each predicate."""
    found: dict[tuple[str, int], list[int]] = {}
    for statement in parse(rule)[0]:
        for head in heads(statement):
            found.setdefault(signature(head), []).append(position_of(statement)[0])
    return found
