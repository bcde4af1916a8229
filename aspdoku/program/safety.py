"""Unsafe variables, in words: what a rule would have to say before clingo can ground it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aspdoku.program.messages import Message
from aspdoku.program.syntax import place_of, unsafe_variables, walk

if TYPE_CHECKING:
    from clingo.ast import AST

    from aspdoku.program.rulefile import RuleFile

# Node of the syntax tree, and how a student would call the place.
_PLACES = {
    "Comparison": "in a comparison",
    "Aggregate": "inside { }",
    "BodyAggregate": "inside an aggregate",
    "ConditionalLiteral": "behind a condition",
    "BinaryOperation": "in a calculation",
}


def unsafe(rule: RuleFile, statements: list[AST]) -> list[Message]:
    """A message for each variable of which a rule does not say what values it takes."""
    return [_in_words(note, statements) if note.severity == "note" else note for note in unsafe_variables(rule)]


def _in_words(note: Message, statements: list[AST]) -> Message:
    name = note.text[note.text.index("'") + 1 : note.text.rindex("'")]
    around = [statement for statement in statements if place_of(statement) <= (note.line, note.column)]
    places = list(dict.fromkeys(_places(around[-1], name)))
    where = f"{name} appears only {' and '.join(places)}"
    advice = f"say which values it takes, with an atom such as number({name}) in the body"
    return Message(note.place, note.line, note.column, "error", f"unsafe: {where}; {advice}")


def _places(statement: AST, name: str) -> Iterator[str]:
    """Where the variable stands in a rule, from the head on."""
    if statement.ast_type.name != "Rule":
        yield "where nothing gives it a value"
        return
    if _holds(statement.head, name):
        yield "in the head"
    for literal in statement.body:
        for node in (found for found in walk(literal) if _holds(found, name)):
            if node.ast_type.name in _PLACES:
                yield _PLACES[node.ast_type.name]
                break
        else:
            if _holds(literal, name):
                yield "under not" if literal.sign else "in an atom"


def _holds(node: AST, name: str) -> bool:
    return any(found.ast_type.name == "Variable" and found.name == name for found in walk(node))
