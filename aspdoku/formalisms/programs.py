"""Encodings that an interpreter runs in a child process: Prolog, by SWI-Prolog, and Python.

In Prolog there is one with fixed sizes, in the manner of Miles Barr's "Prolog Sudoku Solver", with
a variable for each row, column and box, and one that works for all sizes; both have constraints
over finite domains (library clpfd). In Python there are models for CP-SAT, and the algorithm of
Findling's paper.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from string import ascii_uppercase
from tempfile import TemporaryDirectory
from typing import NamedTuple

from aspdoku.formalisms.engine import Case, Encoding, Engine, EngineError, Outcome, encodings_dir
from aspdoku.puzzle.puzzle import Grid, box_shape, grid_of
from aspdoku.runtime.child import ProcessResult, run_program

# Declarations are not counted as statements, like #defined in answer set programming.
_IGNORED = re.compile(r":- (dynamic|discontiguous)\b")

# Appended to the program and the puzzle. It is not run if there were errors or warnings while
# loading. Answers are made distinct because Prolog may find the same grid twice.
_PROLOG_DRIVER = """
:- initialization(aspdoku_answer, main).

aspdoku_answer :-
    ( statistics(errors, 0), statistics(warnings, 0) -> true ; halt(1) ),
    get_time(Loaded),
    findall(Board, limit(2, distinct(Board, (puzzle(Board), sudoku(Board)))), Boards),
    get_time(Solved),
    write([Loaded, Solved, Boards]),
    flush_output.
"""

# The main program in Python. It prints JSON: up to two grids as lists of [row, column, number], the
# counters at the first of them, and the seconds from the end of the import to the end of the
# search. It is measured from the start of Python, as the engines of other languages are, and so
# imports nothing of aspdoku.
_PYTHON_DRIVER = """\
import json
import sudoku
import time
from itertools import islice

began = time.perf_counter()
solutions = sudoku.solutions()
found = list(islice(solutions, 1))
counters = dict(getattr(sudoku, "counters", {}))
found += islice(solutions, 1)
grids = [[[*cell, number] for cell, number in grid.items()] for grid in found]
print(json.dumps({"grids": grids, "counters": counters, "solve": time.perf_counter() - began}))
"""


def _run(command: Sequence[str], files: Mapping[str, str], seconds: float) -> ProcessResult:
    """Run a command in a folder with these files, whose place messages do not show."""
    with TemporaryDirectory(prefix="aspdoku-") as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text, "utf-8")
        done = run_program(command, seconds, folder=folder)
        return done._replace(errors=done.errors.replace(f"{Path(folder).resolve()}/", ""))


class FixedSizeProlog(Engine):
    """Rows, columns and boxes are each named in the program."""

    name = "prolog-source"
    title = "Prolog, in Barr's manner"
    folder = "prolog-source"
    extension = "pl"

    def missing_requirement(self) -> str | None:
        """SWI-Prolog."""
        return None if shutil.which("swipl") else "swipl (apt install swi-prolog)"

    def statements(self, program: str) -> Counter[str]:
        """The clauses, with variables renamed: `_` if it occurs once, others A, B, C … in order."""
        return Counter(clause for clause in clauses(program) if not _IGNORED.match(clause))

    def as_written(self, program: str) -> dict[str, str]:
        """The clauses with the variables of the program, each on one line."""
        return dict(zip(clauses(program), clauses(program, renamed=False), strict=True))

    def run(self, case: Case, encoding: Encoding, seconds: float) -> Outcome:
        """Up to two grids, with the labelling of the program."""
        # On the first line of the program, so that line numbers in messages are right.
        text = f":- encoding(utf8). {encoding.program}\n{encoding.instance}\n{_PROLOG_DRIVER}"
        began = time.time()
        command = ["swipl", "-q", "-f", "none", "--packs=false", "sudoku.pl"]
        done = _run(command, {"sudoku.pl": text}, seconds)
        if done.status or done.errors:
            raise EngineError(done.errors.strip() or f"swipl exited with status {done.status}")
        try:
            # A list of numbers is the same in Prolog and in JSON.
            loaded, solved, boards = json.loads(done.output)
        except (ValueError, TypeError):
            raise EngineError(f"invalid answer of swipl: {done.output[:200]}") from None
        grids: list[Grid] = [tuple(map(tuple, board)) for board in boards]
        if any({len(grid), *map(len, grid)} != {case.size} for grid in grids):
            raise EngineError(f"answer of swipl does not have {case.size} rows and columns")
        return Outcome.of(grids, max(0.0, loaded - began), solved - loaded)


class AnySizeProlog(FixedSizeProlog):
    """Size and box shape come from the instance, and a box is a region like any other."""

    name = "prolog-sized"
    title = "Prolog, for every size"
    folder = "prolog-sized"


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
    | (?P<invalid> . )
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


def clauses(program: str, renamed: bool = True) -> list[str]:
    """The clauses and directives of a program, each on one line, perhaps with renamed variables."""
    tokens: list[list[_Token]] = [[]]
    for token in _tokens(program):
        if token.kind == "end":
            tokens.append([])
        else:
            tokens[-1].append(token)
    if unfinished := tokens.pop():
        raise EngineError(f"Prolog clause without a full stop: {_spelled(unfinished)[:200]}")
    return [_spelled(_renamed(clause) if renamed else clause) for clause in tokens]


def _tokens(program: str) -> Iterator[_Token]:
    spaced = False
    for match in _TOKEN.finditer(program):
        kind, text = str(match.lastgroup), match.group()
        if kind == "invalid":
            line = program.count("\n", 0, match.start()) + 1
            rest = program[match.start() :].splitlines()[0][:80]
            raise EngineError(f"line {line} of the Prolog text: invalid syntax: {rest}")
        if kind == "word" and (text[0] == "_" or text[0].isupper()):
            kind = "variable"
        elif plain := _PLAIN_ATOM.fullmatch(text):
            kind, text = "word", plain[1]
        if kind != "layout":
            yield _Token(kind, text, spaced)
        spaced = kind == "layout"


def _renamed(clause: list[_Token]) -> list[_Token]:
    """With `_` for each variable that occurs once; the others are A, B … Z, A1, B1 … in order."""
    uses = Counter(token.text for token in clause if token.kind == "variable")
    several = (name for name in uses if uses[name] > 1 and name != "_")
    letters = (f"{letter}{turn or ''}" for turn in count() for letter in ascii_uppercase)
    names = dict(zip(several, letters, strict=False))
    return [
        token._replace(text=names.get(token.text, "_")) if token.kind == "variable" else token
        for token in clause
    ]


def _spelled(clause: list[_Token]) -> str:
    """A clause on one line, with normalized spaces."""
    line, before = "", _Token("punctuation", "(", False)
    for token in clause:
        line += " " * _apart(before, token) + token.text
        before = token
    return f"{line}."


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


class PythonAnswer(NamedTuple):
    """Up to two solutions, the counters at the first, and seconds for imports and the search."""

    grids: tuple[Grid, ...]
    counters: dict[str, int]
    start: float
    solve: float


def run_python(encoding: Encoding, size: int, seconds: float) -> PythonAnswer:
    """Run a program in a child process. Raises TimeLimitError, and EngineError if it fails. Its
    function `solutions` yields each solution as a dictionary from (row, column) to number. The
    puzzle is its module `instance`, and counters, if any, are in the dictionary `counters`.
    """
    files = {"sudoku.py": encoding.program, "instance.py": encoding.instance}
    done = _run([sys.executable, "."], {**files, "__main__.py": _PYTHON_DRIVER}, seconds)
    if done.status:
        # The line of the last traceback that names the exception.
        _, _, last = done.errors.rpartition("Traceback (most recent call last):")
        named = (line for line in last.splitlines() if line and not line.startswith(" "))
        raise EngineError(next(named, f"exited with status {done.status}"))
    try:
        answer = json.loads(done.output.splitlines()[-1])
    except (IndexError, ValueError):
        raise EngineError("exited without an answer") from None
    grids = ({(row, column): number for row, column, number in grid} for grid in answer["grids"])
    solve = answer["solve"]
    numbers = tuple(grid_of(size, grid) for grid in grids)
    return PythonAnswer(numbers, answer["counters"], done.seconds - solve, solve)


class CpSat(Engine):
    """A variable for each cell, and a function for each elaboration that extends the model."""

    name = "cp-sat"
    title = "CP-SAT, Python"
    folder = "cp-sat"
    extension = "py"

    def missing_requirement(self) -> str | None:
        """OR-Tools; found without importing it, because the import is slow."""
        return None if find_spec("ortools") else "ortools (pip install 'aspdoku[cp]')"

    def statements(self, program: str) -> Counter[str]:
        """The top-level statements of a module, and for each class its head and its members.
        Without comments and docstrings; a function is one statement. Raises EngineError.
        """
        try:
            tree = ast.parse(program)
        except SyntaxError as error:
            raise EngineError(f"line {error.lineno}: {error.msg}") from None
        documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        for node in ast.walk(tree):
            if isinstance(node, documented) and ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
        return Counter(ast.unparse(part) for statement in tree.body for part in _parts(statement))

    def run(self, case: Case, encoding: Encoding, seconds: float) -> Outcome:
        """One solution, and a second search with it forbidden; the start includes the import."""
        answer = run_python(encoding, case.size, seconds)
        return Outcome.of(answer.grids, answer.start, answer.solve, self.notes(case, answer))

    def notes(self, case: Case, answer: PythonAnswer) -> list[str]:
        """Further results of the program."""
        return []


def _parts(statement: ast.stmt) -> list[ast.stmt]:
    if not isinstance(statement, ast.ClassDef):
        return [statement]
    members = [ast.ClassDef(statement.name, [], [], [member], []) for member in statement.body]
    head = copy(statement)
    head.body = [ast.Expr(ast.Constant(...))]
    return [head, *members]


class Findling(CpSat):
    """The algorithm of Holger Findling's "Sudoku, a Constraint Satisfaction Problem". Propagation,
    guessing and chronological backtracking, with domains and a stack; each elaboration edits one of
    its methods. Further backtracking finds a second solution. The paper contains figures but no
    program; ours is one interpretation and does not reproduce its figures.
    """

    name = "findling"
    title = "Findling, our reading, Python"
    folder = "findling"
    missing_requirement = Engine.missing_requirement

    def notes(self, case: Case, answer: PythonAnswer) -> list[str]:
        """The counters, and the figures in the paper."""
        until = "up to the first solution" if answer.grids else "until all guesses were tried"
        notes = [f"{until}: {_listed(answer.counters)}"]
        if figures := published(case):
            others = "no interpretation of its text that we tried reproduces them"
            notes.append(f"figures in the paper: {_listed(figures)}; {others}")
        return notes


def published(case: Case) -> dict[str, int]:
    """The figures in the paper for this puzzle, by name, from the file `published`."""
    if not case.is_classic or case.boxes != box_shape(case.size):
        return {}
    grid = "".join(str(number or ".") for row in case.puzzle.grid for number in row)
    file = encodings_dir() / Findling.folder / "published"
    (_, *names), *lines = map(str.split, file.read_text("utf-8").splitlines())
    figures = {cells: dict(zip(names, numbers, strict=True)) for cells, *numbers in lines}
    known = figures.get(grid, {}).items()
    return {name: int(figure) for name, figure in known if figure != "-"}


def _listed(counters: dict[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counters.items())
