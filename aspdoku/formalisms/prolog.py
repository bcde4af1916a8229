"""Prolog with constraints over finite domains (SWI-Prolog's clpfd).

A text with fixed sizes, and one written with foresight.

The first is written anew in the manner of Miles Barr's "Prolog Sudoku Solver": a variable for each
row, each column and each box.
"""

from __future__ import annotations

import json
import re
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from string import ascii_uppercase
from tempfile import TemporaryDirectory
from typing import NamedTuple

from aspdoku.formalisms import process
from aspdoku.formalisms.case import Case
from aspdoku.formalisms.encodings import Encoding
from aspdoku.formalisms.engine import Engine, EngineError, Outcome
from aspdoku.puzzle.puzzle import Grid

# Declarations say nothing about sudoku, as #defined in answer set programming.
_SILENT = re.compile(r":- (dynamic|discontiguous)\b")

_FILE = "sudoku.pl"

# Stands below the text and the puzzle. A text that was loaded with complaints is not run. Two
# answers of Prolog may be the same grid, found twice.
_DRIVER = """
:- initialization(aspdoku_answer, main).

aspdoku_answer :-
    ( statistics(errors, 0), statistics(warnings, 0) -> true ; halt(1) ),
    get_time(Loaded),
    findall(Board, limit(2, distinct(Board, (puzzle(Board), sudoku(Board)))), Boards),
    get_time(Solved),
    write([Loaded, Solved, Boards]),
    flush_output.
"""


class PrologEngine(Engine):
    """SWI-Prolog, in a process of its own."""

    extension = "pl"

    def missing_requirement(self) -> str | None:
        """SWI-Prolog."""
        return None if shutil.which("swipl") else "swipl (apt install swi-prolog)"

    def statements(self, program: str) -> Counter[str]:
        """By clauses. A named variable is `_` where it stands once; the others are A, B, C ...

        In the order of the clause.
        """
        return Counter(clause for clause in clauses(program) if not _SILENT.match(clause))

    def run(self, case: Case, text: Encoding, seconds: float) -> Outcome:
        """Up to two grids, by the text's own labelling."""
        with TemporaryDirectory(prefix="aspdoku-") as folder:
            file = Path(folder, _FILE).resolve()
            # On the text's own first line, so that swipl counts lines as the reader does.
            file.write_text(
                f":- encoding(utf8). {text.program}\n{text.instance}\n{_DRIVER}", "utf-8"
            )
            began = time.time()
            done = process.run(
                ["swipl", "-q", "-f", "none", "--packs=false", str(file)], seconds, folder=folder
            )
        if done.status or done.errors:
            complaint = done.errors.replace(f"{file.parent}/", "").strip()
            raise EngineError(complaint or f"swipl ended with status {done.status}")
        loaded, solved, grids = _answer(done.output, case.size)
        return Outcome(
            grids[0] if grids else None, len(grids) < 2, max(0.0, loaded - began), solved - loaded
        )


class FixedSizeProlog(PrologEngine):
    """Rows, columns and boxes are each named in the text."""

    name = "prolog-source"
    title = "Prolog, in Barr's manner"
    folder = "prolog-source"


class AnySizeProlog(PrologEngine):
    """Size and shape are the puzzle's, and a box is a region like any other."""

    name = "prolog-sized"
    title = "Prolog, for every size"
    folder = "prolog-sized"


def _answer(output: str, size: int) -> tuple[float, float, list[Grid]]:
    """When the text was loaded and when it was through, and the grids.

    A list of numbers looks the same in Prolog and in JSON.
    """
    try:
        loaded, solved, boards = json.loads(output)
    except (ValueError, TypeError):
        raise EngineError(f"swipl's answer is no grid of numbers: {output[:200]}") from None
    grids: list[Grid] = [tuple(map(tuple, board)) for board in boards]
    if any({len(grid), *map(len, grid)} != {size} for grid in grids):
        raise EngineError(f"swipl's answer has other than {size} rows and columns")
    return loaded, solved, grids


# ---- A reader of Prolog, as far as it takes to tell one clause from another ----

_TOKEN = re.compile(
    r"""
      (?P<layout> (?: \s | %[^\n]* | /\*.*?\*/ )+ )
    | (?P<number> 0'(?: '' | \\x[0-9a-fA-F]+\\ | \\. | [^\\] ) | 0x[0-9a-fA-F]+ | 0o[0-7]+ | 0b[01]+
                  | \d+'[0-9a-zA-Z]+ | \d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)? )
    | (?P<word> [^\W\d]\w* )
    | (?P<atom> '(?: [^'\\] | '' | \\. )*' )
    | (?P<string> "(?: [^"\\] | "" | \\. )*" | `(?: [^`\\] | `` | \\. )*` )
    | (?P<end> \.(?= \s | % | \Z) )
    | (?P<symbol> [-+*/\\^<>=~:.?@#&$]+ )
    | (?P<punctuation> [][(){},|;!] )
    """,
    re.VERBOSE | re.DOTALL,
)

_PLAIN_ATOM = re.compile(r"'([a-z]\w*)'", re.ASCII)

# Written without spaces around them; spaces stand around all other operators.
_TIGHT = frozenset({"..", "/", "//", "-", "+", "*", "^", ":", "\\"})


class _Token(NamedTuple):
    """A token; spaced: layout stands before it, which tells `- (1)` from `-(1)`."""

    kind: str
    text: str
    spaced: bool


def clauses(program: str) -> list[str]:
    """The clauses and directives of a text, without comments, in one spelling.

    Raises EngineError where it is no Prolog text.
    """
    found: list[str] = []
    clause: list[_Token] = []
    for token in _tokens(program):
        if token.kind == "end":
            found.append(_spelled(clause))
            clause = []
        else:
            clause.append(token)
    if clause:
        raise EngineError(f"a clause of the Prolog text has no full stop: {_spelled(clause)[:200]}")
    return found


def _tokens(program: str) -> Iterator[_Token]:
    place, spaced = 0, False
    while place < len(program):
        match = _TOKEN.match(program, place)
        if match is None:
            line = program.count("\n", 0, place) + 1
            raise EngineError(
                f"line {line} of the Prolog text: {program[place:].splitlines()[0][:80]} cannot be"
                " read"
            )
        kind, text = str(match.lastgroup), match.group()
        place = match.end()
        if kind == "word" and (text[0] == "_" or text[0].isupper()):
            kind = "variable"
        elif plain := _PLAIN_ATOM.fullmatch(text):
            kind, text = "word", plain[1]
        if kind != "layout":
            yield _Token(kind, text, spaced)
        spaced = kind == "layout"


def _spelled(clause: list[_Token]) -> str:
    """A clause as one line: variables by their order, spaces where they help or count."""
    uses = Counter(token.text for token in clause if token.kind == "variable")
    names = _names()
    known = {name: next(names) if uses[name] > 1 else "_" for name in uses if name != "_"}
    line, before = "", _Token("punctuation", "(", False)
    for token in clause:
        text = known.get(token.text, token.text) if token.kind == "variable" else token.text
        line += (" " if line and _apart(before, token) else "") + text
        before = token
    return line + "."


def _names() -> Iterator[str]:
    """A, B ... Z, then A1, B1 ... as Prolog itself names them."""
    yield from ascii_uppercase
    number = 0
    while number := number + 1:
        yield from (f"{letter}{number}" for letter in ascii_uppercase)


def _apart(before: _Token, token: _Token) -> bool:
    """Whether a space goes between two tokens."""
    if token.text in (")", "]", "}", ",", "|") or before.text in ("[", "{", "|", "("):
        return False
    if before.text == ",":
        return True
    if token.text == "(":
        return token.spaced or before.kind == "punctuation"
    if "symbol" in (before.kind, token.kind):
        tight = all(each.kind != "symbol" or each.text in _TIGHT for each in (before, token))
        return not tight or before.kind == token.kind
    return True
