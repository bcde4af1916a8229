"""Reading a rule file as a teacher would: what is wrong with it, where, and what would be right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from aspdoku.errors import RuleError, UnreadableError, did_you_mean
from aspdoku.program import library
from aspdoku.program.guards import PLACEHOLDER, MessageTemplate, bound_variables, message_templates
from aspdoku.program.messages import Message
from aspdoku.program.rulefile import EXCEPTIONS, SIZES, RuleFile
from aspdoku.program.syntax import (
    Signature,
    atoms,
    heads,
    parse,
    position_of,
    safety_errors,
    signature,
)

if TYPE_CHECKING:
    from clingo.ast import AST

# What an elaboration does not need, and why.
_OUT_OF_PLACE = {
    "Definition": "a rule sets no constants: sizes and parameters come with the puzzle or with -c",
    "Minimize": (
        "a rule says what a solution is, not which one is best: #minimize, #maximize and :~ have no"
        " place here"
    ),
    "ProjectAtom": "solutions are told apart by a/3 alone: #project has no place here",
    "ProjectSignature": "solutions are told apart by a/3 alone: #project has no place here",
    "TheoryDefinition": "there is no theory solver here: #theory has no place",
    "Program": (
        "#program opens another part of the program, which would take in the files behind this one"
    ),
}
# How many errors of one file are told at once: a puzzle taken for a rule file makes one in each
# line.
_ERRORS_TOLD = 3


def check_file(path: Path) -> list[Message]:
    """All that is wrong with the rule file at `path`, in the order of its lines.

    Empty if nothing is.
    """
    try:
        return check(RuleFile.read(path, str(path)))
    except RuleError as error:
        return [as_message(error)]


def as_message(error: RuleError) -> Message:
    """The finding to a file that could not even be checked."""
    return Message(
        "", 0, 0, "unreadable" if isinstance(error, UnreadableError) else "error", str(error)
    )


def check(rule: RuleFile) -> list[Message]:
    """All that is wrong with a rule file, in the order of its lines."""
    statements, errors = parse(rule)
    if not errors:
        errors = [*safety_errors(rule, statements), *_findings(rule, statements)]
    return sorted(errors, key=lambda message: (message.line, message.column))


def retraction_notes(rule: RuleFile) -> list[Message]:
    """Where the file departs from the one convention for exceptions.

    Each constraint can be taken back by a fact `ab(NAME)`.

    That fact is the puzzle's to state, or --without's. Nothing is wrong with such a file by itself.
    """
    statements, errors = parse(rule)
    symbol = rule.name.replace("-", "_")
    departures = []
    for statement in () if errors else statements:
        for head in heads(statement):
            if signature(head)[0] == EXCEPTIONS:
                text = (
                    f"{head} takes a rule back: that changes the game; a puzzle that is played so"
                    " says it itself"
                )
                departures.append(Message(rule.place, *position_of(statement), "note", text))
        if statement.ast_type.name != "Rule" or any(heads(statement)):
            continue
        asked = {
            str(symbol_.arguments[0])
            for symbol_ in atoms(statement)
            if signature(symbol_) == (EXCEPTIONS, 1)
        }
        if symbol not in asked:
            other = f"it asks for ab({', '.join(sorted(asked))}), but the" if asked else "the"
            text = (
                f"{other} fact ab({symbol}). cannot take this rule back; add to it: not"
                f" ab({symbol})"
            )
            departures.append(Message(rule.place, *position_of(statement), "note", text))
    return departures


def require_valid(rule: RuleFile) -> None:
    """Refuse a rule file that is not one by itself, or that would meddle with the other files of a
    program.

    Only whole statements in the base part may enter a program: an unfinished one would go on in the
    file behind it. Raises RuleError with file:line:column.
    """
    statements, errors = parse(rule)
    errors = (
        errors
        or safety_errors(rule, statements)
        or list(_out_of_place(rule, filter(_is_fatal, statements)))
    )
    if errors:
        rest = len(errors) - _ERRORS_TOLD
        more = [f"{rule.place}: and {rest} more like these; is it a rule file?"] if rest > 0 else []
        raise RuleError("\n".join([*map(str, errors[:_ERRORS_TOLD]), *more]))


def base_redefinitions(rule: RuleFile) -> list[Message]:
    """Heads in the base's vocabulary: rules that change the base instead of elaborating it."""
    return list(_trespasses(rule, parse(rule)[0]))


def _findings(rule: RuleFile, statements: list[AST]) -> Iterator[Message]:
    yield from _out_of_place(rule, statements)
    yield from _trespasses(rule, statements)
    yield from _undefined(rule, statements)
    yield from _misworded(rule, statements)


def _misworded(rule: RuleFile, statements: list[AST]) -> Iterator[Message]:
    """`%@` comments that use variables which the rule below lacks, or that no rule follows."""
    rules = {
        position_of(statement)[0]: statement
        for statement in statements
        if statement.ast_type.name == "Rule"
    }
    for line, wording in message_templates(rule).items():
        if line not in rules:
            yield Message(
                rule.place,
                wording.line,
                1,
                "error",
                "the wording '%@' stands above no rule; it belongs in the line above one",
            )
            continue
        for complaint in _malformed(wording, rules[line]):
            yield Message(rule.place, wording.line, 1, "error", complaint)
        variables = set(bound_variables(rules[line]))
        if wording.variables is not None:
            variables &= set(wording.variables)
        for letter in sorted(wording.placeholders - variables):
            known = f"it has {', '.join(sorted(variables))}" if variables else "it has none"
            text = f"the wording asks for {letter}, but that is none of its variables: {known}"
            yield Message(rule.place, wording.line, 1, "error", text)


def _malformed(wording: MessageTemplate, statement: AST) -> Iterator[str]:
    """What is wrong with a wording, whatever its letters are."""
    if not all(wording.parts):
        yield "the wording '%@' says nothing"
    if wording.variables is None and wording.parts[0].startswith("("):
        yield "a wording may name variables in brackets, with commas between them, as in %@(R,C)"
    if any(set("{}") & set(PLACEHOLDER.sub("", part)) for part in wording.parts):
        yield "a brace in the wording that holds no variable: write {R}"
    most = 2 if statement.head.ast_type.name == "Aggregate" else 1
    if len(wording.parts) > most:
        yield f"the wording has {len(wording.parts)} parts between '|': " + (
            "a choice has two bounds" if most == 2 else "only a choice, with two bounds, takes two"
        )


def _out_of_place(rule: RuleFile, statements: Iterable[AST]) -> Iterator[Message]:
    for statement in statements:
        kind = statement.ast_type.name
        harmless = kind == "Program" and statement.name == "base" and not statement.parameters
        if kind in _OUT_OF_PLACE and not harmless:
            overrides = kind == "Definition" and not statement.is_default
            yield _message(
                rule,
                statement,
                _OUT_OF_PLACE[kind]
                + ("; [override] would even win over them" if overrides else ""),
            )


def _is_fatal(statement: AST) -> bool:
    """Whether a program cannot have it.

    A constant of the file's own does no harm where nothing else sets it.
    """
    return (
        statement.ast_type.name != "Definition"
        or not statement.is_default
        or statement.name in SIZES
    )


def _trespasses(rule: RuleFile, statements: list[AST]) -> Iterator[Message]:
    """Heads in the base's vocabulary."""
    owned = defined_predicates(library.base())
    for statement in statements:
        for head in heads(statement):
            if signature(head) in owned:
                name, arity = signature(head)
                yield _message(
                    rule,
                    head,
                    f"{name}/{arity} is defined in base.lp: a rule with this head changes the base"
                    " instead of elaborating it; say what must not be, with a constraint ':- ...'",
                )


def _undefined(rule: RuleFile, statements: list[AST]) -> Iterator[Message]:
    """Predicates in a body that neither the base nor the file defines or declares."""
    known = (
        defined_predicates(library.base())
        | defined_predicates(rule)
        | {(item.name, item.arity) for item in rule.inputs}
    )
    known |= {(EXCEPTIONS, arity) for arity in (*library.base().exceptions, *rule.exceptions)}
    reported = set()
    for statement in statements:
        defined = {position_of(head) for head in heads(statement)}
        for atom in atoms(statement):
            name, arity = signature(atom)
            if position_of(atom) in defined or (name, arity) in known or (name, arity) in reported:
                continue
            reported.add((name, arity))
            yield _message(
                rule, atom, f"nothing defines {name}/{arity}.{_nearest(name, arity, known)}"
            )


def _nearest(name: str, arity: int, known: Set[Signature]) -> str:
    """The predicate that was probably meant, or how to declare this one."""
    others = sorted(other for called, other in known if called == name and name != EXCEPTIONS)
    if others:
        return f" Did you mean {name}/{others[0]}, with {others[0]} arguments?"
    near = did_you_mean(name, sorted({called for called, _ in known}))
    return near or f" If the puzzle gives it, declare it: #defined {name}/{arity}."


@lru_cache(maxsize=256)
def defined_predicates(rule: RuleFile) -> frozenset[Signature]:
    """The predicates that a rule file defines."""
    statements, _ = parse(rule)
    return frozenset(signature(head) for statement in statements for head in heads(statement))


def _message(rule: RuleFile, node: AST, text: str) -> Message:
    return Message(rule.place, *position_of(node), "error", text)
