"""Vet the text of an untrusted rule file on clingo's syntax tree.

A rule file may neither run code nor read other files, and its size and nesting have limits. All
this is decided by clingo's own parser, which runs no `#script` and calls no `@function`. The parser
would open the file of an `#include`, though, before anything could refuse it: a pipe blocks, and
messages quote the content. It therefore reads `#Include` instead, which clingo knows nowhere: an
error in code, and nothing in comments and strings. Whether an `#include` is code is thus decided by
the lexer that would obey it.

Two things are refused before the parser, on the text: aspif, which the parser reads without passing
its statements on, and brackets and operators that nest terms tens of thousands of levels deep, on
which clingo crashes. If a text evades that limit, the command or the child process of a server
ends, which is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple, NoReturn

from clingo import Control
from clingo.ast import AST, ASTType, parse_string

from aspdoku.program.messages import Message, parse_messages
from aspdoku.program.rulefile import code, line_and_column
from aspdoku.runtime.signals import postponed

# Far more than a readable rule file has; comments count as nodes. Each pass over a syntax tree
# takes about 10 microseconds per node.
_MOST_CHARACTERS, _MOST_NODES = 1_000_000, 50_000
# The deepest nesting of terms. The recursive functions over syntax trees stay well below Python's
# recursion limit.
_DEEPEST = 100
# Opening brackets and operators of a statement, each of which may nest terms one level deeper, and
# the levels of brackets at any point of the file. clingo's parser crashes at more than 30,000
# levels in a stack of 8 MB.
_MOST_NESTING = 10_000
# Nodes of the statements that those with pools, as in p(1;2), stand for. clingo writes each of them
# out before it grounds, in about 2 microseconds and 150 bytes per node.
_MOST_WRITTEN = 1_000_000

# A period may also be part of an operator of a theory atom, which only brackets nest.
_STATEMENT = re.compile(r"(?:[^.]|\.\.+)+")
_NESTING = re.compile(r"[-+*/\\&?^~|({\[]|\.\.")
_BRACKET = re.compile(r"[](){}[]")
_ASPIF = re.compile(r"asp [0-9]")
_INCLUDE = re.compile(r"lexer error, unexpected #Include\b")


class _RefusedError(Exception):
    """Ends parsing: the file is rejected at a position as clingo's, or as a whole at line 0."""

    def __init__(self, line: int, column: int, text: str) -> None:
        super().__init__(text)
        self.place = line, column


@lru_cache(maxsize=256)
def vet(text: str, place: str = "") -> tuple[Message, ...]:
    """The first construct of a text that no rule file may contain, or else the errors of clingo."""
    errors: list[Message] = []
    refused: list[_RefusedError] = []
    nodes = written = 0

    def receive(statement: AST) -> None:
        nonlocal nodes, written
        try:
            more, more_written = _inspect(statement, _MOST_NODES - nodes, _MOST_WRITTEN - written)
            nodes, written = nodes + more, written + more_written
        except _RefusedError as error:  # clingo wraps an exception in another one of its type
            refused.append(error)
            raise RuntimeError from None

    try:
        _require_text(text)
        with postponed:
            parse_string(_disarmed(text), receive, logger=_logger(errors, place))
    except _RefusedError as error:
        refused.append(error)
    except RuntimeError as error:
        errors = errors or [Message("", 0, 0, "error", str(error))]
    if "#include" in text:
        reason = "#include cannot be used in a rule file: rule files may not read other files"
        included = (error for error in errors if _INCLUDE.match(error.text))
        refused += [_RefusedError(each.line, each.column, reason) for each in included]
    for each in refused:
        return (Message(place, *each.place, "error", str(each)),)
    return tuple(errors)


def _logger(found: list[Message], place: str) -> Callable[[object, str], None]:
    return lambda _, raw: found.extend(parse_messages(raw, lambda line: (place, line)))


@lru_cache(maxsize=256)
def unsafe_variables(text: str, place: str) -> list[Message]:
    """clingo's notes on unsafe variables, one per occurrence, in a text without errors: it checks
    safety before grounding, so grounding a nonexistent program part is enough.
    """
    messages: list[Message] = []
    control = Control(logger=_logger(messages, place), message_limit=1000)
    try:
        with postponed:
            control.add(_disarmed(text))
            control.ground([("nothing", [])])
    except RuntimeError as error:
        # Another note is about the first of two statements that set a constant.
        unsafe = (each for each in messages if each.text.endswith("is unsafe"))
        notes = {(each.line, each.column): each for each in unsafe}
        errors = [each for each in messages if each.severity == "error"]
        return list(notes.values()) or errors or [Message("", 0, 0, "error", str(error))]
    return []


def _disarmed(text: str) -> str:
    """The text without `#include`, and with a byte for each character that is not ASCII: clingo's
    Python API fails on a message that quotes part of one.
    """
    ascii_text = bytes(byte if byte < 128 else 1 for byte in text.encode()).decode("ascii")
    return ascii_text.replace("#include", "#Include")


def _require_text(text: str) -> None:
    """Refuse what clingo's parser could not read to its end."""
    if "\0" in text:  # where clingo would stop reading
        raise _RefusedError(0, 0, "not a text file (it contains a NUL)")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _RefusedError(0, 0, "not a text file (it contains a lone surrogate)") from None
    if len(text) > _MOST_CHARACTERS:
        most = f"at most {_MOST_CHARACTERS:,} characters are allowed"
        raise _RefusedError(0, 0, f"the file is too large: {most}")
    if _ASPIF.match(text):
        reason = "a rule file contains rules, not aspif, clingo's format of ground programs"
        raise _RefusedError(1, 1, f"{reason}: write the rules that the program was made from")
    lexed = code(text)
    depth = 0
    for bracket in _BRACKET.finditer(lexed):
        depth = depth + 1 if bracket[0] in "([{" else max(depth - 1, 0)
        if depth > _MOST_NESTING:
            reason = f"brackets are nested more than {_MOST_NESTING:,} levels deep"
            raise _RefusedError(*line_and_column(text, bracket.start()), reason)
    for statement in _STATEMENT.finditer(lexed):
        if len(_NESTING.findall(statement[0])) > _MOST_NESTING:
            begin = statement.end() - len(statement[0].lstrip())
            reason = f"this statement has more than {_MOST_NESTING:,} brackets and operators"
            raise _RefusedError(*line_and_column(text, begin), reason)


def _inspect(statement: AST, most: int, most_written: int) -> tuple[int, int]:
    """The number of nodes of a statement, and of those that it stands for if it contains pools.
    Raises _RefusedError for embedded code and for excessive size or nesting.
    """

    def refuse(node: AST, text: str) -> NoReturn:
        begin = node.location.begin
        raise _RefusedError(begin.line, begin.column, text)

    no_code = "cannot be used in a rule file: rule files may not run code"
    if statement.ast_type == ASTType.Script:
        refuse(statement, f"#script {no_code}")
    count, has_pool, waiting = 0, False, [(statement, 1)]
    while waiting:
        node, depth = waiting.pop()
        count += 1
        has_pool |= node.ast_type == ASTType.Pool
        if node.ast_type == ASTType.Function and node.external:
            refuse(node, f"@{node.name} {no_code}")
        if depth > _DEEPEST:
            refuse(statement, f"this statement is nested more than {_DEEPEST} levels deep")
        if count > most:
            text = f"the file is too large up to this point: at most {_MOST_NODES:,} terms,"
            refuse(statement, f"{text} literals and comments are allowed")
        waiting += [(child, depth + 1) for key in node.child_keys for child in _children(node, key)]
    written = _written_out(statement).nodes if has_pool else 0
    if written > most_written:
        text = "the pools up to this statement stand for too many statements: at most"
        text += f" {_MOST_WRITTEN:,} terms and literals are allowed when they are written out"
        refuse(statement, text)
    return count, written


class _Written(NamedTuple):
    """How many nodes without pools a node stands for, and the number of nodes in all of them."""

    variants: int
    nodes: int


def _written_out(node: AST) -> _Written:
    if node.ast_type == ASTType.Pool:
        parts = [_written_out(each) for each in node.arguments]
        return _limited(sum(each.variants for each in parts), sum(each.nodes for each in parts))
    variants = nodes = 1
    for key in node.child_keys:
        for child in _children(node, key):
            part = _written_out(child)
            if key == "elements":  # those that it stands for are elements of the same node
                part = part._replace(variants=1)
            nodes = nodes * part.variants + variants * part.nodes
            variants, nodes = _limited(variants * part.variants, nodes)
    return _Written(variants, nodes)


def _limited(variants: int, nodes: int) -> _Written:
    return _Written(min(variants, _MOST_WRITTEN + 1), min(nodes, _MOST_WRITTEN + 1))


def _children(node: AST, key: str) -> Sequence[AST]:
    child = getattr(node, key)
    return [child] if isinstance(child, AST) else child or ()
