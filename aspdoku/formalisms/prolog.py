"""Prolog with constraints over finite domains (SWI-Prolog's library clpfd).

There are two encodings: one with fixed sizes, in the manner of Miles Barr's "Prolog Sudoku Solver",
with a variable for each row, column and box; and one that works for all sizes.
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

from aspdoku.formalisms.case import Case, Encoding
from aspdoku.formalisms.engine import Engine, EngineError, Outcome
from aspdoku.puzzle.puzzle import Grid
from aspdoku.runtime.child import run_program

# Declarations are not counted as statements, like #defined in answer set programming.
_IGNORED = re.compile(r":- (dynamic|discontiguous)\b")

_FILE = "sudoku.pl"

# Appended to the program and the puzzle. It is not run if there were errors or warnings while
# loading. Answers are made distinct because Prolog may find the same grid twice.
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
    """SWI-Prolog, in a child process."""

    extension = "pl"

    def missing_requirement(self) -> str | None:
        """SWI-Prolog."""
        return None if shutil.which("swipl") else "swipl (apt install swi-prolog)"

    def statements(self, program: str) -> Counter[str]:
        """The clauses, with variables renamed: `_` if it occurs once, others A, B, C … in order."""
        return Counter(clause for clause in clauses(program) if not _IGNORED.match(clause))

    def as_written(self, program: str) -> dict[str, str]:
        """The clauses with the variables of the program, each on one line."""
        return {_spelled(clause): _spelled(clause, {}) for clause in _clauses(program)}

    def run(self, case: Case, encoding: Encoding, seconds: float) -> Outcome:
        """Up to two grids, with the labelling of the program."""
        with TemporaryDirectory(prefix="aspdoku-") as folder:
            file = Path(folder, _FILE).resolve()
            # On the first line of the program, so that line numbers in messages are right.
            file.write_text(
                f":- encoding(utf8). {encoding.program}\n{encoding.instance}\n{_DRIVER}", "utf-8"
            )
            began = time.time()
            done = run_program(
                ["swipl", "-q", "-f", "none", "--packs=false", str(file)], seconds, folder=folder
            )
        if done.status or done.errors:
            message = done.errors.replace(f"{file.parent}/", "").strip()
            raise EngineError(message or f"swipl exited with status {done.status}")
        loaded, solved, grids = _answer(done.output, case.size)
        return Outcome(
            grids[0] if grids else None, len(grids) < 2, max(0.0, loaded - began), solved - loaded
        )


class FixedSizeProlog(PrologEngine):
    """Rows, columns and boxes are each named in the program."""

    name = "prolog-source"
    title = "Prolog, in Barr's manner"
    folder = "prolog-source"


class AnySizeProlog(PrologEngine):
    """Size and box shape come from the instance, and a box is a region like any other."""

    name = "prolog-sized"
    title = "Prolog, for every size"
    folder = "prolog-sized"


def _answer(output: str, size: int) -> tuple[float, float, list[Grid]]:
    """The times at which the program was loaded and finished, and the grids.

    A list of numbers is the same in Prolog and in JSON.
    """
    try:
        loaded, solved, boards = json.loads(output)
    except (ValueError, TypeError):
        raise EngineError(f"invalid answer of swipl: {output[:200]}") from None
    grids: list[Grid] = [tuple(map(tuple, board)) for board in boards]
    if any({len(grid), *map(len, grid)} != {size} for grid in grids):
        raise EngineError(f"answer of swipl does not have {size} rows and columns")
    return loaded, solved, grids


# ---- A tokenizer for Prolog, to split programs into clauses and normalize them ----

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

# Operators printed without surrounding spaces.
_TIGHT = frozenset({"..", "/", "//", "-", "+", "*", "^", ":", "\\"})


class _Token(NamedTuple):
    """A token; spaced: preceded by layout, which distinguishes `- (1)` from `-(1)`."""

    kind: str
    text: str
    spaced: bool


def clauses(program: str) -> list[str]:
    """The clauses and directives of a program, normalized, without comments.

    Raises EngineError if it cannot be tokenized.
    """
    return list(map(_spelled, _clauses(program)))


def _clauses(program: str) -> Iterator[list[_Token]]:
    clause: list[_Token] = []
    for token in _tokens(program):
        if token.kind == "end":
            yield clause
            clause = []
        else:
            clause.append(token)
    if clause:
        raise EngineError(f"Prolog clause without a full stop: {_spelled(clause)[:200]}")


def _tokens(program: str) -> Iterator[_Token]:
    place, spaced = 0, False
    while place < len(program):
        match = _TOKEN.match(program, place)
        if match is None:
            line = program.count("\n", 0, place) + 1
            raise EngineError(
                f"line {line} of the Prolog text: invalid syntax:"
                f" {program[place:].splitlines()[0][:80]}"
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


def _spelled(clause: list[_Token], names: dict[str, str] | None = None) -> str:
    """A clause on one line, with normalized spaces.

    names: new names of variables; by default, they are renamed in order
    """
    known = _new_names(clause) if names is None else names
    line, before = "", _Token("punctuation", "(", False)
    for token in clause:
        text = known.get(token.text, token.text) if token.kind == "variable" else token.text
        line += (" " if line and _apart(before, token) else "") + text
        before = token
    return line + "."


def _new_names(clause: list[_Token]) -> dict[str, str]:
    """`_` for each variable that occurs once, A, B, C … for the others."""
    uses = Counter(token.text for token in clause if token.kind == "variable")
    names = _names()
    return {name: next(names) if uses[name] > 1 else "_" for name in uses if name != "_"}


def _names() -> Iterator[str]:
    """A, B … Z, then A1, B1 … as Prolog names variables."""
    yield from ascii_uppercase
    number = 0
    while number := number + 1:
        yield from (f"{letter}{number}" for letter in ascii_uppercase)


def _apart(before: _Token, token: _Token) -> bool:
    """Whether to print a space between two tokens."""
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
