"""The arguments and results that the public functions have in common."""

from __future__ import annotations

import os
import re
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from aspdoku.errors import AspdokuError, AspdokuWarning
from aspdoku.formats import parse, read
from aspdoku.program import Program, RuleFile
from aspdoku.program import compose as compose_program
from aspdoku.puzzle import Puzzle

Source = Program | Puzzle | str | os.PathLike[str]
"""A program that `compose` made, a puzzle, the path of a puzzle file, or its text.

A string is a path if it looks like `NAME.txt` or `NAME.sdm#3`, or if a file with this name exists;
any other string is the text of a puzzle.
"""

# No line of a grid has letters before a suffix of letters, and no dots next to each other.
_FILE_NAME = re.compile(r"(?!.*\.\.)(?=.*[A-Za-z]).*\w\.[a-z]{3,4}(?:#[0-9]+)?")
_LONGEST_PATH = 4096

Rule = str | os.PathLike[str] | RuleFile
"""The name of a rule, the path of a rule file, or a rule file."""

Rules = Rule | Iterable[Rule]


def puzzle_of(source: Source) -> Puzzle:
    """The puzzle that a source describes. Raises PuzzleError if there is none."""
    if isinstance(source, Program):
        return source.puzzle
    if isinstance(source, Puzzle):
        return source
    if isinstance(source, str) and not _is_path(source):
        return parse(source)
    return read(source)


def _is_path(text: str) -> bool:
    if "\n" in text:
        return False
    return bool(_FILE_NAME.fullmatch(text)) or (
        len(text) <= _LONGEST_PATH and os.path.lexists(text)
    )


def compose(
    puzzle: Source,
    *with_: Rule,
    without: str | Iterable[str] = (),
    constants: Mapping[str, str | int] | None = None,
    trust: bool = False,
) -> Program:
    """Compose a program from a puzzle and rules, without solving it.

    The program consists of the base, the default rules (boxes), the rules that the puzzle names and
    the rules in `with_`, each once and unchanged, and the puzzle as facts.

    with_: rules to add: names, paths of rule files, or `RuleFile`s
    without: names of rules to retract, by adding a fact `ab(NAME).`
    constants: values for constants in the rules
    trust: let a puzzle name any rule file by its path, not only `.lp` files in its own folder
    Raises PuzzleError or RuleError. `Program.warnings` lists suspicious rules and facts.
    """
    rules = [rule if isinstance(rule, RuleFile) else os.fspath(rule) for rule in with_]
    return compose_program(
        puzzle_of(puzzle), *rules, without=without, constants=constants, trust=trust
    )


def program_of(
    source: Source,
    with_: Rules = (),
    without: str | Iterable[str] = (),
    constants: Mapping[str, str | int] | None = None,
) -> Program:
    """The program that a public function is about; its warnings become Python warnings.

    Raises AspdokuError if rules or constants are given in addition to a program.
    """
    if isinstance(source, Program):
        if with_ or without or constants:
            raise AspdokuError(
                "the rules and constants of a composed program are fixed: pass its puzzle instead"
            )
        return source
    program = compose(source, *rules_in(with_), without=without, constants=constants)
    for warning in program.warnings:
        warnings.warn(warning, AspdokuWarning, stacklevel=3)
    return program


def rules_in(rules: Rules) -> Sequence[Rule]:
    """One rule, or several, as a sequence."""
    return [rules] if isinstance(rules, str | os.PathLike | RuleFile) else list(rules)


class Result(ABC):
    """A frozen result.

    `str(result)` is what the command prints, `to_json()` what it prints with `--format json`, and a
    notebook shows the text.
    """

    @abstractmethod
    def __str__(self) -> str:
        """The result as the command prints it."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The result as a dictionary for `json.dumps`."""

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"
