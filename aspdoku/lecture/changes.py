"""What an elaboration changes: the contract of a file, and the difference of two programs, of their
texts line by line, and of their ground programs rule by rule.

The contract of a rule file states how it may affect a program, as determined by its heads. It is a
guarantee, by the splitting set theorem (Lifschitz and Turner 1994, "Splitting a Logic Program");
nothing is run to establish it.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Literal, NamedTuple

from aspdoku.engine.grounding import GroundProgram, GroundRule, ground
from aspdoku.program import Program, RuleFile, assemble, syntax
from aspdoku.program.lint import defined_predicates, definitions
from aspdoku.program.rulefile import EXCEPTIONS, speed_inputs

ContractKind = Literal["restricts", "extends", "parameter", "redefines", "surgery"]

_THEOREM = "splitting set theorem, Lifschitz and Turner 1994"
_SPLIT = (
    "None of its heads occurs in the program before it, which is therefore a bottom part, whose"
    " answer sets it can only"
)
GUARANTEES: dict[ContractKind, str] = {
    "restricts": f"{_SPLIT} filter ({_THEOREM}).",
    "extends": f"{_SPLIT} filter, or extend by new atoms ({_THEOREM}).",
    "parameter": (
        "It provides inputs of the program before it: rules that depend on them become applicable,"
        " or cease to be."
    ),
    "redefines": (
        "It defines predicates that were defined before it: the program is not split, and nothing"
        f" is guaranteed ({_THEOREM})."
    ),
    "surgery": (
        "The base has no exception for this rule, so that statements had to be removed and"
        " replaced: nothing is guaranteed."
    ),
}


Role = Literal["helper", "vocabulary", "input", "redefinition"]
# The contract of a file is that of the head that changes most.
_KINDS: dict[Role, ContractKind] = {
    "redefinition": "redefines",
    "input": "parameter",
    "vocabulary": "extends",
    "helper": "restricts",
}


class DefinedPredicate(NamedTuple):
    """A predicate that a file defines, the line, and its role in the program before it."""

    predicate: str
    line: int
    role: Role


class Contract(NamedTuple):
    """How a file may affect the program before it, and the heads that determine this."""

    kind: ContractKind
    heads: tuple[DefinedPredicate, ...]

    @property
    def guarantee(self) -> str:
        """The consequence in one sentence, and the theorem it follows from."""
        return GUARANTEES[self.kind]


def contract(rule: RuleFile, before: Iterable[RuleFile]) -> Contract:
    """The contract of a file with the files before it, by the head that changes most.

    restricts: only constraints and private helpers, whose names begin with the name of the file, or
        which only the definitions read that speed up the search and filter nothing
    extends: new vocabulary, or a choice
    parameter: heads that occur in bodies before it or are declared as inputs, including `ab`
    redefines: heads that were already defined
    surgery: none of these; the contract of an edited base
    """
    before = list(before)
    defined = set[syntax.Signature]().union(*map(defined_predicates, before))
    # A predicate in a body of the program before is an input of it, declared or not: with a head
    # over it, that program is not a bottom part.
    declared = {item.signature for other in before for item in other.inputs}
    asked = declared.union(*map(syntax.predicates, before))
    symbol = rule.name.replace("-", "_")
    heads = []
    for statement in syntax.parse(rule)[0]:
        chooses = statement.ast_type.name != "Rule" or statement.head.ast_type.name != "Literal"
        for head in syntax.heads(statement):
            name, arity = predicate = syntax.signature(head)
            role: Role = "helper"
            if predicate in speed_inputs():
                role = "helper"
            elif predicate in defined:
                role = "redefinition"
            elif name == EXCEPTIONS or predicate in asked:
                role = "input"
            elif chooses or not (name == symbol or name.startswith(f"{symbol}_")):
                role = "vocabulary"
            line, _ = syntax.position_of(statement)
            heads.append(DefinedPredicate(f"{name}/{arity}", line, role))
    roles = {"helper", *(head.role for head in heads)}
    kinds: list[ContractKind] = [kind for role, kind in _KINDS.items() if role in roles]
    return Contract(kinds[0], tuple(dict.fromkeys(heads)))


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
    """The difference between the ground program and the one before it, in numbers of rules.

    simplified: shortened or removed by grounding, since some of their atoms are now facts or false
    changed: replaced by others from the same line, although no atom was decided
    removed: missing although no atom was decided
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
    """Ground a program and determine the line that each rule comes from. Raises TimeLimitError."""
    rules, constants, sizes = program.rules, program.constants, program.sizes
    tagged = [with_line_markers(rule, file) for file, rule in enumerate(rules)]
    asked = assemble(program.puzzle, tagged, (), constants, sizes=sizes, fast=program.fast)
    traced = ground(asked, time_limit)
    # For each predicate, the first line of a rule file that defines it.
    defined: dict[str, _Origin] = {}
    for rule in rules:
        for (name, _), (line, _) in definitions(rule).items():
            defined.setdefault(name, (rule.place, line))
    origin: dict[GroundRule, _Origin] = {}
    plain: Counter[GroundRule] = Counter()
    for marked, count in traced.rules.items():
        marks = list(filter(None, map(_MARKED.fullmatch, marked.body)))
        body = tuple(literal for literal in marked.body if not _MARKED.fullmatch(literal))
        bare = GroundRule(marked.head, body, _unmarked(marked.atoms))
        plain[bare] += count
        for mark in marks:
            origin.setdefault(bare, (rules[int(mark[1])].place, int(mark[2])))
        if not marks and (place := defined.get(_name(bare.head))):
            origin[bare] = place
    facts = {fact: defined[name] for fact in traced.facts if (name := _name(fact)) in defined}
    return TracedProgram(GroundProgram(plain, traced.facts, _unmarked(traced.atoms)), origin, facts)


def _unmarked(atoms: Iterable[str]) -> frozenset[str]:
    return frozenset(atom for atom in atoms if not _MARKED.fullmatch(atom))


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
        open_ = (rule.atoms & new.atoms) - new.facts
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
    rule_count = Counter(_origin(traced, rule) for rule in rules.elements())
    fact_count = Counter(traced.facts.get(fact, _THE_PUZZLE) for fact in facts)
    places = sorted({*rule_count, *fact_count})
    return tuple(LineCount(*place, rule_count[place], fact_count[place]) for place in places)


def with_line_markers(rule: RuleFile, file: int) -> RuleFile:
    """The file with `from_line(FILE,LINE)` in the body of each constraint and choice rule. Definite
    rules are not marked: most become facts, whose predicates reveal their origin.
    """
    lines = []
    for statement in syntax.parse(rule)[0]:
        kind, chosen = statement.ast_type.name, any(syntax.heads(statement))
        if kind == "Rule" and not (chosen and statement.head.ast_type.name == "Literal"):
            mark = f"{MARKER}({file},{syntax.position_of(statement)[0]})"
            negated = None if chosen else syntax.negated_head(statement)
            body = [*statement.body, *([negated] if negated else []), mark]
            head = str(statement.head) if chosen else ""
            lines += [f"#external {mark}. [free]", f"{head} :- {'; '.join(map(str, body))}."]
        elif kind != "Comment":
            lines.append(str(statement))
    return RuleFile(rule.name, rule.place, "\n".join([*lines, ""]), vetted=True, source=rule)


_TOKEN = re.compile(r"[A-Za-z_][\w']*|#\w+|\d+|:-|\.\.|[<>!=]=|\S")


class FileStatus(NamedTuple):
    """A rule file, its SHA-256, and whether the program's text contains it byte for byte."""

    place: str
    sha256: str
    untouched: bool


class Statement(NamedTuple):
    """A statement as written, on one line, and its position; line 0 for one of the puzzle."""

    text: str
    place: str
    line: int


class TextDiff(NamedTuple):
    """The difference between the text of a program and the one before it, as multisets.

    kept: the files of the program before, and whether this one contains them unchanged
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
    tokens = sum(len(_TOKEN.findall(statement.text)) for statement in added)
    return TextDiff(file_statuses(before.rules, after), added, _without(old, new), tokens)


def statements(program: Program) -> dict[str, list[Statement]]:
    """The statements of a program, by their text as printed by clingo; duplicates are kept."""
    whole = RuleFile("program", "program", program.text, vetted=True)
    parsed: dict[str, list[Statement]] = defaultdict(list)
    for statement in syntax.parse(whole)[0]:
        if statement.ast_type.name not in ("Comment", "Program"):
            place, line = program.locate(syntax.position_of(statement)[0])
            parsed[str(statement)].append(
                Statement(syntax.source_of(whole, statement), place, line)
            )
    return parsed


def _without(
    these: dict[str, list[Statement]], those: dict[str, list[Statement]]
) -> tuple[Statement, ...]:
    return tuple(each for key, same in these.items() for each in same[len(those.get(key, ())) :])


def file_statuses(rules: Iterable[RuleFile], program: Program) -> tuple[FileStatus, ...]:
    """The state of rule files in a program."""
    lines = program.text.split("\n")
    parts = {part.rule: lines[part.first_line - 1 : part.last_line] for part in program.parts}

    def status(rule: RuleFile) -> FileStatus:
        same = rule in parts and "\n".join(parts[rule]) == rule.text
        return FileStatus(rule.place, hashlib.sha256(rule.text.encode()).hexdigest(), same)

    return tuple(map(status, rules))


def unified_text_diff(before: Program, after: Program) -> list[str]:
    """A unified diff of the two texts, as a list of lines."""
    old, new = before.text.splitlines(), after.text.splitlines()
    return list(difflib.unified_diff(old, new, "before", "after", lineterm="", n=1))
