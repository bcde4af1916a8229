"""The child process of `vetting`: parse untrusted rule files and report clingo's messages.

Run as a script. It reads one JSON request per line (`{"text": …}`) from standard input and writes
one JSON answer per line. It imports nothing but the standard library and clingo, so that it starts
quickly. Before it parses anything it gives up the right to open files, which disarms `#include`,
and caps its memory; if clingo crashes or never returns, only this process is affected.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from typing import NamedTuple

from clingo import Control
from clingo.ast import AST, ASTType, parse_string

MEMORY = 2 << 30
# Far more than a readable rule file has. Each pass over a syntax tree takes about 10 microseconds
# per node.
MOST_NODES = 50_000
# The deepest nesting of terms. The recursive functions over syntax trees stay well below Python's
# recursion limit.
DEEPEST = 100
_UNOPENED = re.compile(r"<string>:(\d+):(\d+).*: error: file could not be opened")
_SCRIPT = "#script cannot be used in a rule file: rule files may not run code"
_INCLUDE = "#include cannot be used in a rule file: rule files may not read other files"


class Refusal(NamedTuple):
    """A construct that rule files may not contain, and its position.

    Line and column count from 1, columns in bytes, as clingo's do.
    """

    line: int
    column: int
    text: str


class _RefusedError(Exception):
    """Ends parsing: the file is rejected, whatever follows this point."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal


def main() -> None:
    """Answer requests until standard input is closed."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    # Neither `#include "-"` nor a message of the C++ library may interfere with the protocol.
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    _restrict()
    for line in requests:
        answers.write(json.dumps(answer(json.loads(line)["text"])).encode() + b"\n")
        answers.flush()


def _restrict() -> None:
    """Allow no further files to be opened and cap the memory, on systems that support it."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # macOS defines RLIMIT_AS but does not enforce it.
    with suppress(AttributeError, OSError, ValueError):
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def answer(text: str) -> dict[str, object]:
    """The result of parsing a text with clingo.

    errors: the parser's messages. refusals: constructs that rule files may not contain. unsafe:
    clingo's messages about unsafe variables, computed only if there are no errors and no refusals.
    """
    # clingo's Python API fails on a message that quotes part of a non-ASCII character. Such
    # characters are allowed in comments and strings only, where any byte can replace them.
    ascii_text = bytes(byte if byte < 128 else 1 for byte in text.encode(errors="replace")).decode(
        "ascii"
    )
    errors, statements, refusals = _parsed(ascii_text)
    if not errors and not refusals:
        refusals = _uncovered(ascii_text, statements)
    clean = not errors and not refusals
    return {"errors": errors, "refusals": refusals, "unsafe": _unsafe(ascii_text) if clean else []}


def _parsed(text: str) -> tuple[list[str], list[AST], list[Refusal]]:
    errors: list[str] = []
    statements: list[AST] = []
    refusals: list[Refusal] = []
    nodes = 0

    def receive(statement: AST) -> None:
        nonlocal nodes
        statements.append(statement)
        try:
            nodes += _inspect(statement, MOST_NODES - nodes)
        except _RefusedError as refused:  # clingo wraps an exception in another one of its type
            refusals.append(refused.refusal)
            raise RuntimeError from None

    try:
        parse_string(text, receive, logger=lambda _, message: errors.append(message))
    except RuntimeError as error:
        errors = errors or [str(error)]
    # `#include` fails because no file can be opened.
    places = filter(None, map(_UNOPENED.match, errors))
    refusals += [Refusal(int(found[1]), int(found[2]), _INCLUDE) for found in places]
    return ([] if refusals else errors), statements, refusals[:1]


def _inspect(statement: AST, most: int) -> int:
    """The number of nodes of a statement.

    Raises _RefusedError for embedded code and for excessive size or nesting.
    """
    begin = statement.location.begin
    if statement.ast_type == ASTType.Script:
        raise _RefusedError(Refusal(begin.line, begin.column, _SCRIPT))
    if statement.ast_type == ASTType.Comment:
        return 0
    count, waiting = 0, [(statement, 1)]
    while waiting:
        node, depth = waiting.pop()
        count += 1
        if node.ast_type == ASTType.Function and node.external:
            place = node.location.begin
            text = f"@{node.name} cannot be used in a rule file: rule files may not run code"
            raise _RefusedError(Refusal(place.line, place.column, text))
        if depth > DEEPEST:
            raise _RefusedError(
                Refusal(
                    begin.line,
                    begin.column,
                    f"this statement is nested more than {DEEPEST} levels deep",
                )
            )
        if count > most:
            text = (
                f"the file is too large up to this point: at most {MOST_NODES} terms and literals"
                " are allowed"
            )
            raise _RefusedError(Refusal(begin.line, begin.column, text))
        for key in node.child_keys:
            child = getattr(node, key)
            if isinstance(child, AST):
                waiting.append((child, depth + 1))
            elif child is not None:
                waiting.extend((one, depth + 1) for one in child)
    return count


def _uncovered(text: str, statements: list[AST]) -> list[Refusal]:
    """The first `#include <…>` of the text, if any.

    clingo adds one of its own programs for it and creates no statement. Comments are statements, so
    text outside all statements is code.
    """
    starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def offset(line: int, column: int) -> int:
        return starts[line - 1] + column - 1

    covered = 0
    # The first statement is the `#program base.` that the parser adds; it is not in the text.
    spans = [(each.location.begin, each.location.end) for each in statements[1:]]
    ordered = sorted(
        (offset(begin.line, begin.column), offset(end.line, end.column)) for begin, end in spans
    )
    for begin, end in [*ordered, (len(text), len(text))]:
        if (found := text[covered:begin].find("#include")) >= 0:
            place = covered + found
            line = text.count("\n", 0, place) + 1
            return [Refusal(line, place - starts[line - 1] + 1, _INCLUDE)]
        covered = max(covered, end)
    return []


def _unsafe(text: str) -> list[str]:
    """clingo's messages about unsafe variables.

    clingo checks safety before grounding, so grounding a nonexistent program part is enough.
    """
    messages: list[str] = []
    control = Control(logger=lambda _, message: messages.append(message), message_limit=1000)
    try:
        control.add("base", [], text)
        control.ground([("nothing", [])])
    except RuntimeError as error:
        return messages or [str(error)]
    return []


if __name__ == "__main__":
    main()
