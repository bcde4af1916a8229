"""Compare programs: their texts line by line, and their ground programs rule by rule."""

from __future__ import annotations

import difflib
import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from aspdoku.engine.grounding import GroundProgram, GroundRule, ground
from aspdoku.program import Program, assemble
from aspdoku.program.rulefile import RuleFile
from aspdoku.program.syntax import heads, negated_head, parse, position_of, signature, source_of

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
    rules = program.rules
    tagged = [with_line_markers(rule, file) for file, rule in enumerate(rules)]
    found = ground(
        assemble(program.puzzle, tagged, constants=program.constants, sizes=program.sizes),
        time_limit,
    )
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
    return RuleFile(rule.name, rule.place, "\n".join([*lines, ""]), vetted=True, source=rule)


def definition_lines(rule: RuleFile) -> dict[tuple[str, int], list[int]]:
    """The lines on which the file defines each predicate."""
    found: dict[tuple[str, int], list[int]] = {}
    for statement in parse(rule)[0]:
        for head in heads(statement):
            found.setdefault(signature(head), []).append(position_of(statement)[0])
    return found


_TOKEN = re.compile(r"[A-Za-z_][\w']*|#\w+|\d+|:-|\.\.|[<>!=]=|\S")
_NO_STATEMENTS = {"Comment", "Program"}


class FileStatus(NamedTuple):
    """A rule file, its SHA-256, and whether the program's text contains it byte for byte."""

    place: str
    sha256: str
    untouched: bool


class Statement(NamedTuple):
    """A statement as its author wrote it, on one line, and its position.

    The line is 0 for statements of the puzzle.
    """

    text: str
    place: str
    line: int


class TextDiff(NamedTuple):
    """The difference between the text of a program and the one before it.

    kept: the files of the program before, and whether this one contains them unchanged
    added, removed: statements, as multisets; layout is ignored
    tokens: the number of tokens in the added statements
    """

    kept: tuple[FileStatus, ...]
    added: tuple[Statement, ...]
    removed: tuple[Statement, ...]
    tokens: int


def diff_texts(before: Program, after: Program) -> TextDiff:
    """Compare two programs statement by statement, as parsed by clingo."""
    old, new = statements(before), statements(after)
    added = _without(new, old)
    return TextDiff(
        kept=tuple(_file(part.rule, after) for part in before.parts),
        added=added,
        removed=_without(old, new),
        tokens=sum(len(_TOKEN.findall(statement.text)) for statement in added),
    )


def statements(program: Program) -> dict[str, list[Statement]]:
    """The statements of a program, by their text as printed by clingo; duplicates are kept."""
    whole = RuleFile("program", "program", program.text, vetted=True)
    found: dict[str, list[Statement]] = defaultdict(list)
    for statement in parse(whole)[0]:
        if statement.ast_type.name not in _NO_STATEMENTS:
            place, line = program.locate(position_of(statement)[0])
            found[str(statement)].append(Statement(source_of(whole, statement), place, line))
    return found


def _without(
    these: dict[str, list[Statement]], those: dict[str, list[Statement]]
) -> tuple[Statement, ...]:
    more = (found[len(those.get(key, ())) :] for key, found in these.items())
    return tuple(statement for found in more for statement in found)


def file_statuses(program: Program) -> tuple[FileStatus, ...]:
    """The rule files of a program."""
    return tuple(_file(part.rule, program) for part in program.parts)


def unified_text_diff(before: Program, after: Program) -> list[str]:
    """A unified diff of the two texts, as a list of lines."""
    return list(
        difflib.unified_diff(
            before.text.splitlines(), after.text.splitlines(), "before", "after", lineterm="", n=1
        )
    )


def _file(rule: RuleFile, program: Program) -> FileStatus:
    digest = hashlib.sha256(rule.text.encode()).hexdigest()
    part = next((part for part in program.parts if part.rule == rule), None)
    lines = program.text.split("\n")
    return FileStatus(
        rule.place,
        digest,
        part is not None and "\n".join(lines[part.first_line - 1 : part.last_line]) == rule.text,
    )
