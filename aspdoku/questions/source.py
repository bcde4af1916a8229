"""The arguments that the public functions have in common, and what these can name.

A puzzle, its text, a path or a program becomes a composed `Program`; `examples` and `rules` list
the bundled puzzles and the rules.
"""

from __future__ import annotations

import math
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

from aspdoku.errors import (
    ArgumentError,
    AspdokuError,
    AspdokuWarning,
    MissingInputWarning,
    PuzzleError,
)
from aspdoku.formats import is_path, parse, read
from aspdoku.formats.detection import examples as bundled_examples
from aspdoku.program import Program, RuleFile, library
from aspdoku.program import compose as compose_program
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzlefile.facts import parse_fact_text
from aspdoku.puzzlefile.lines import quote
from aspdoku.questions.result import Result, fields
from aspdoku.questions.text import wrapped
from aspdoku.runtime.signals import interruptible
from aspdoku.words.statements import WordsFile

_MOST_SOLUTIONS = 2**63 - 1  # that clingo can be asked for

Rows = Iterable[Iterable[Any]]
"""Rows of numbers with 0, None or "." in empty cells: lists, or an array."""

PuzzleSource = Puzzle | Solution | str | os.PathLike[str] | Rows
"""A puzzle in any form: a `Puzzle`, its rows, its text, the path of its file, or `example:NAME` for
a bundled puzzle. A `Solution` is its puzzle with all numbers given.

A string is a path if it looks like `NAME.txt` or `NAME.sdm#3`, or if a file with this name exists;
any other string is the text of a puzzle, which may also be a URL that contains it.
"""

Source = Program | PuzzleSource
"""A program that `compose` made, or a puzzle in any form."""

Rule = str | os.PathLike[str] | RuleFile
"""The name of a rule, the path of a rule file, or a rule file."""

Rules = Rule | Iterable[Rule]

Names = str | Iterable[str]
"""One name, or several: of rules to retract, or of engines."""

Constants = Mapping[str, str | int] | None
"""Values for constants in the rules, by the names of the constants."""


Facts = str | Function | Iterable[str | Function]
"""Facts to add to a puzzle: `"ab(offset,5)"`, a `Function`, or several of them."""


class Adjustments(TypedDict, total=False):
    """The keyword arguments of `compose` that change what rules do."""

    without: Names
    constants: Constants
    facts: Facts


class RuleOptions(Adjustments, total=False):
    """The keyword arguments about rules that all functions about a puzzle take; see `compose`."""

    with_: Rules


def puzzle_of(source: PuzzleSource) -> Puzzle:
    """The puzzle that a source describes. Raises PuzzleError, TypeError for any other type."""
    if isinstance(source, Puzzle):
        return source
    if isinstance(source, str):
        return read(source) if is_path(source) else parse(source)
    if isinstance(source, os.PathLike):
        return read(source)
    if isinstance(source, Solution):
        return source.puzzle.replace(grid=source.rows)
    if isinstance(source, Program):
        raise TypeError("expected a puzzle, not a Program: its rules would be lost")
    if isinstance(source, Iterable):
        return Puzzle.from_rows(source)
    raise TypeError(f"expected a Puzzle, its rows, its text, a path or a Program, not {source!r}")


@interruptible
def compose(
    puzzle: PuzzleSource,
    *with_: Rule,
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    trust: bool = False,
    force: bool = False,
) -> Program:
    """Compose a program from a puzzle and rules, without solving it.

    The program consists of the base, the default rules (boxes), the rules that the puzzle names and
    the rules in `with_`, each once and unchanged, and the puzzle as facts.

    with_: rules to add: names, paths of rule files, or `RuleFile`s
    without: names of rules to retract, by adding a fact `ab(NAME).`
    constants: values for constants in the rules
    facts: ground facts to add to those of the puzzle, such as the exception `"ab(offset,5)"`
    trust: let a puzzle name any rule file by its path, not only `.lp` files in its own folder
    force: an undefined predicate in a rule file is only a warning, not an error
    Raises PuzzleError or RuleError. `Program.warnings` lists suspicious rules and facts.
    """
    if not isinstance(constants, Mapping | None):
        raise TypeError(f"expected values of constants by their names, not {constants!r}")
    return compose_program(
        with_facts(puzzle_of(puzzle), facts),
        *map(name_or_file, with_),
        without=names_in(without),
        constants=constants,
        trust=trust,
        force=force,
    )


def program_of(
    source: Source,
    seconds: float | None = None,
    /,
    with_: Rules = (),
    **adjustments: Unpack[Adjustments],
) -> Program:
    """The program that a public function is about; its warnings become Python warnings. To be
    called by the public function itself: the warnings point to that function's caller.
    """
    require_seconds(seconds)
    if isinstance(source, Program):
        if with_ or any(adjustments.values()):
            fixed = "the rules, constants and facts of a composed program are fixed"
            raise AspdokuError(f"{fixed}: pass its puzzle instead")
        return source
    rules = [with_] if isinstance(with_, str | os.PathLike | RuleFile) else with_
    program = compose(source, *rules, **adjustments)
    for warning in program.warnings:
        category = MissingInputWarning if warning in program.missing_inputs else AspdokuWarning
        warnings.warn(warning, category, stacklevel=4)
    return program


def blank_or(like: Source | None, size: int | None) -> Source:
    """The puzzle `like`, or a blank one of this size. Raises ArgumentError for both."""
    if size is not None and like is not None:
        raise ArgumentError("size and like exclude each other: like has a size")
    return Puzzle.blank(9 if size is None else size) if like is None else like


def with_facts(puzzle: Puzzle, facts: Facts) -> Puzzle:
    """The puzzle with more facts. Raises PuzzleError if they are none, or contradict the puzzle."""
    added: list[Function] = []
    for each in [facts] if isinstance(facts, str | Function) else facts:
        added += [each] if isinstance(each, Function) else _parsed(each)
    return puzzle.replace(facts=(*puzzle.facts, *added), wording=()) if added else puzzle


def refuse_givens(facts: Facts, size: int, why: str) -> None:
    """Raise AspdokuError if some of the facts about a grid of this size are givens."""
    if with_facts(Puzzle.blank(size), facts).givens():
        raise AspdokuError(f"givens cannot be stated: {why}")


def _parsed(text: str) -> tuple[Function, ...]:
    """The facts in a text; a full stop at the end may be missing. Raises PuzzleError."""
    if not isinstance(text, str):
        raise TypeError(f"expected a fact, not {text!r}")
    stripped = text.strip()
    try:
        return parse_fact_text(stripped if stripped.endswith(".") else f"{stripped}.")
    except PuzzleError as error:
        raise error.at(f"invalid fact {quote(text)}") from None


def name_or_file(rule: Rule) -> str | RuleFile:
    """A rule as its name, its path or its file. Raises TypeError if it is something else."""
    return rule if isinstance(rule, RuleFile) else os.fspath(rule)


def names_in(names: Names) -> list[str]:
    """One name, or several, as a list. Raises TypeError if one is not a string."""
    listed = [names] if isinstance(names, str) else list(names)
    for name in listed:
        if not isinstance(name, str):
            raise TypeError(f"expected a name, not {name!r}")
    return listed


def require_seconds(seconds: float | None) -> None:
    """Raise TypeError or AspdokuError for an invalid time limit; 0 or less means no time."""
    if seconds is None:
        return
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise TypeError(f"expected a time limit in seconds, not {seconds!r}")
    if math.isnan(seconds):
        raise AspdokuError("invalid time limit nan: expected seconds")


def require_natural(number: int, name: str, least: int = 0, most: float = math.inf) -> None:
    """Raise TypeError for what is no whole number, AspdokuError for one out of range."""
    if isinstance(number, bool) or not isinstance(number, int):
        raise TypeError(f"expected a whole number as the {name}, not {number!r}")
    if not least <= number <= most:
        upto = f" to {most}" if most < math.inf else ""
        raise AspdokuError(f"invalid {name} {number}: expected a number from {least}{upto}")


def new_seed() -> int:
    """A random seed, short enough to be typed."""
    return int.from_bytes(os.urandom(4), "big") % 10**6


def require_limit(number: int) -> None:
    """Raise TypeError or AspdokuError for an invalid number of solutions, where 0 is all."""
    require_natural(number, "limit", most=_MOST_SOLUTIONS)


@interruptible
def examples() -> tuple[str, ...]:
    """The names of the bundled puzzles, in alphabetical order.

    Every function about a puzzle takes `"example:NAME"`, and `read` returns it as a `Puzzle`.
    """
    return tuple(bundled_examples())


@dataclass(frozen=True, repr=False)
class Examples(Result):
    """Puzzles by their names; a line for each: its name, its title, and its rules in brackets."""

    _kind = "example"
    puzzles: Mapping[str, Puzzle]

    def _text(self) -> str:
        width = max(map(len, self.puzzles), default=0)
        lines = []
        for name, puzzle in self.puzzles.items():
            without = (f"without {each}" for each in puzzle.without)
            rules = ", ".join([*puzzle.elaborations, *without])
            words = " ".join(filter(None, (puzzle.heading, f"[{rules}]" if rules else "")))
            lines.append(wrapped(f"{name:<{width}}  {words}".rstrip(), width + 2))
        return "\n".join(lines)

    def _json(self) -> dict[str, Any]:
        described = fields("title rules=elaborations without")
        named = self.puzzles.items()
        return {"examples": [{"name": name, **described(puzzle)} for name, puzzle in named]}


class RuleFiles(Result, tuple[RuleFile, ...]):
    """Rule files; `str` is the list of names, titles and inputs that the command prints."""

    _kind, _heading = "rules", "Rules"

    def _text(self) -> str:
        width = max((len(rule.name) for rule in self), default=0)
        lines = []
        for rule in self:
            lines.append(wrapped(f"{rule.name:<{width}}  {rule.title}".rstrip(), width + 4))
            inputs = (f"{'':<{width}}    {item}  {item.meaning}" for item in rule.inputs)
            lines += [wrapped(each.rstrip(), width + 6) for each in inputs]
        return "\n".join(lines)

    def _summary(self) -> str:
        return ", ".join(rule.name for rule in self)

    def _json(self) -> dict[str, Any]:
        """The name, the title and the inputs of each rule."""
        named, inputs = fields("name file=place title"), fields("name arity meaning")
        return {
            "rules": [named(rule) | {"inputs": list(map(inputs, rule.inputs))} for rule in self]
        }


@interruptible
def rules(about: str = "") -> RuleFiles:
    """All rules with a name: those that come with aspdoku, and those on ASPDOKU_PATH.

    about: only rules with words that begin with each of these, in any case: first those with all of
        them in their names or titles, then in their names, titles, inputs and wordings
    """
    every = library.available_rules()
    asked = [re.compile(rf"(?<!\w){re.escape(word)}", re.IGNORECASE) for word in about.split()]

    def says(rule: RuleFile, *texts: str) -> bool:
        said = "\n".join((rule.name, rule.title, *texts))
        return all(word.search(said) for word in asked)

    titled = [rule for rule in every if says(rule)]
    others = [rule for rule in every if rule not in titled]
    return RuleFiles([*titled, *(rule for rule in others if says(rule, *_described(rule)))])


def _described(rule: RuleFile) -> Iterator[str]:
    """The meanings of a rule's inputs, and the names and examples of its `.words` file."""
    yield from (item.meaning for item in rule.inputs)
    if file := WordsFile.next_to(rule):
        yield from (line.value for line in file.lines if line.key in ("names", "text"))


def vocabulary_text() -> str:
    """The predicates of the vocabulary, with the meanings of their arguments."""
    words = library.vocabulary().values()
    meanings = [wrapped(f"  {rule.title}", 4) for rule in words]
    return "\n".join(["Definitions for rules that declare the predicate:", *meanings])
