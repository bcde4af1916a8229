"""A rule file on clingo's syntax tree, and what keeps it from being used at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from aspdoku.program.lexer import comments, line_and_column
from aspdoku.program.messages import Message, messages

if TYPE_CHECKING:
    from clingo.ast import AST

    from aspdoku.program.rulefile import RuleFile

Signature = tuple[str, int]

# How deep parentheses may be nested, and how many operators a statement may have; far beyond what anybody writes.
_DEEPEST, _LONGEST = 200, 2000
_NESTING = re.compile(r"(?<!\.)\.(?!\.)|[-+*/\\^?&~|()]")


def parse(rule: RuleFile) -> tuple[list[AST], list[Message]]:
    """The statements of a rule file and the errors in it, if any.

    What must not even be parsed is an error, too: `#include`, which clingo would follow, `#script` and `@functions`, and terms
    so deep that they would exhaust a stack.
    """
    from clingo.ast import parse_string

    if complaint := _unparsable(rule):
        return [], [complaint]
    statements: list[AST] = []
    errors: list[Message] = []
    try:
        parse_string(
            rule.text,
            statements.append,
            logger=lambda _, text: errors.extend(messages(text, lambda line: (rule.place, line))),
        )
    except RuntimeError:
        if not errors:
            raise
    return statements, [_at_the_end(rule, error) for error in errors]


def _unparsable(rule: RuleFile) -> Message | None:
    if forbidden := rule.forbidden():
        what, line, column = forbidden
        text = f"{what} cannot stand in a rule file: a rule may not run code or read other files"
        return Message(rule.place, line, column, "error", text)
    depth = operators = 0
    for found in _NESTING.finditer(rule.code):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        operators = 0 if found[0] == "." else operators + 1
        if depth > _DEEPEST or operators > _LONGEST:
            return Message(rule.place, *line_and_column(rule.code, found.start()), "error", "this statement is nested too deep")
    return None


def _at_the_end(rule: RuleFile, error: Message) -> Message:
    """Clingo puts what is missing at the end of a file on the line behind it; say it where the author has to mend it."""
    if "EOF" not in error.text:
        return error
    if "lexer" in error.text:
        offset, missing = comments(rule.text)[-1][0], "this comment is never closed with *%"
    else:
        offset, missing = len(rule.code.rstrip()), "the last statement has no end: is its dot missing?"
    return Message(rule.place, *line_and_column(rule.text, offset), error.severity, missing)


def walk(node: AST) -> Iterator[AST]:
    """The node and all below it, in the order of the text."""
    from clingo.ast import AST

    yield node
    for key in node.child_keys:
        child = getattr(node, key)
        for one in (child,) if isinstance(child, AST) else child or ():
            yield from walk(one)


def atoms(node: AST) -> Iterator[AST]:
    """The terms of all atoms in and below the node; of a pool each member, for they may differ in their arguments."""
    for found in walk(node):
        if found.ast_type.name == "SymbolicAtom":
            yield from found.symbol.arguments if found.symbol.ast_type.name == "Pool" else (found.symbol,)


def heads(statement: AST) -> Iterator[AST]:
    """The terms of the atoms that the statement can make true: those of a head, a choice, a disjunction, an external."""
    if statement.ast_type.name == "External":
        yield from atoms(statement.atom)
    elif statement.ast_type.name == "Rule":
        for element in getattr(statement.head, "elements", [statement.head]):
            if element.ast_type.name == "HeadAggregateElement":
                element = element.condition
            literal = getattr(element, "literal", element)
            if literal.ast_type.name == "Literal" and literal.sign == 0:
                yield from atoms(literal)


def negated_head(statement: AST) -> AST | None:
    """The condition that replaces the head of a constraint, as clingo does it: `not N < 5` for the head `N < 5`; None for `:- …`."""
    head = statement.head
    return None if str(head) == "#false" else head.update(sign=2 if head.sign == 1 else 1)


def signature(symbol: AST) -> Signature:
    """Name and number of arguments of an atom's term."""
    if symbol.ast_type.name == "UnaryOperation":
        name, arity = signature(symbol.argument)
        return f"-{name}", arity
    return symbol.name, len(symbol.arguments)


def mentioned(rule: RuleFile) -> set[Signature]:
    """The predicates in the rules of a file, in heads and bodies."""
    statements, _ = parse(rule)
    return {signature(atom) for statement in statements for atom in atoms(statement)}


def source_of(rule: RuleFile, node: AST) -> str:
    """The node as its author wrote it, in one line."""
    begin, end = node.location.begin, node.location.end
    lines = rule.text.split("\n")[begin.line - 1 : end.line]
    lines[-1] = lines[-1].encode()[: end.column - 1].decode(errors="replace")
    lines[0] = lines[0].encode()[begin.column - 1 :].decode(errors="replace")
    return " ".join(" ".join(lines).split())


def place_of(node: AST) -> tuple[int, int]:
    """Line and column where the node begins."""
    begin = node.location.begin
    return begin.line, begin.column
