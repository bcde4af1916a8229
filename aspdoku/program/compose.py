"""One program out of base, elaborations and a puzzle, with a map back to the files that it came
from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from aspdoku.errors import RuleError, did_you_mean
from aspdoku.program import library
from aspdoku.program.diagnostics import (
    box_shape_warnings,
    check_fact_positions,
    missing_inputs,
    region_size_warnings,
    surplus_number_warnings,
    unknown_exceptions,
    unused_constants,
    unused_facts,
)
from aspdoku.program.rulefile import SIZES, RuleFile
from aspdoku.program.templates import environment
from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzle.puzzle import Grid
from aspdoku.puzzle.term import PREDICATE

_VALUE = re.compile(r"-?[0-9]{1,9}|" + PREDICATE.pattern + r'|"[ !#-\[\]-~]*"')


class Part(NamedTuple):
    """A rule file in a program: its text is the program's from line `first` on."""

    rule: RuleFile
    first_line: int

    @property
    def last_line(self) -> int:
        """The last line of the program that belongs to this part."""
        return self.first_line + self.rule.text.count("\n")


# What base.lp defines beside a/3, which a puzzle states as its givens.
BASE_VOCABULARY = {("number", 1), ("row", 1), ("column", 1), ("cell", 2)}


@dataclass(frozen=True)
class Program:
    """A whole program.

    `text` for clingo, `parts` to say where its lines come from, `warnings` for the user.

    puzzle: the instance, with all that is taken back in its `without`
    """

    text: str
    puzzle: Puzzle
    parts: tuple[Part, ...]
    constants: Mapping[str, str | int]
    warnings: tuple[str, ...] = ()

    def with_grid(self, grid: Grid) -> Program:
        """The same rules and facts over another grid of the same size."""
        return assemble(
            self.puzzle.replace(grid=grid),
            [part.rule for part in self.parts],
            constants=self.constants,
        )

    def locate(self, line: int) -> tuple[str, int]:
        """The file and its line behind a line of the program.

        Lines of the instance belong to the puzzle, as line 0.
        """
        for part in self.parts:
            if part.first_line <= line <= part.last_line:
                return part.rule.place, line - part.first_line + 1
        return _instance_name(self.puzzle), 0

    def __str__(self) -> str:
        return self.text


def compose(
    puzzle: Puzzle,
    *names: str,
    without: Iterable[str] = (),
    constants: Mapping[str, str | int] | None = None,
    trust: bool = False,
) -> Program:
    """The program for a puzzle.

    Base, the rules of the ordinary game, those that the puzzle names, and `names`, each once.

    names: bundled rules, rules on ASPDOKU_PATH, or paths of rule files
    without: rules to take back, by adding a fact `ab(NAME).`
    constants: values for constants that the rules leave open
    trust: let the puzzle name any rule file by its path, not only `.lp` files in its own folder
    Raises RuleError for a rule that is not to be had or not to be used, or a name in `without` that
    no rule answers to.
    """
    rules = [library.base(), *library.defaults(), *_named_by(puzzle, trust)]
    rules += [library.find(name) for name in names]
    return assemble(puzzle, rules, [without] if isinstance(without, str) else without, constants)


def _named_by(puzzle: Puzzle, trust: bool) -> list[RuleFile]:
    folder = puzzle.origin.parent if puzzle.origin else None
    try:
        return [library.find_for(folder, name, trust) for name in puzzle.elaborations]
    except RuleError as error:
        raise RuleError(f"{_instance_name(puzzle)}: {error}") from None


def assemble(
    puzzle: Puzzle,
    rules: Iterable[RuleFile],
    without: Iterable[str] = (),
    constants: Mapping[str, str | int] | None = None,
) -> Program:
    """The program of just these rule files, each once, and the puzzle.

    The last step of `compose`.
    """
    rules = list(dict.fromkeys(rules))
    _vet([rule for rule in rules if not rule.vetted])
    constants = constants or {}
    _refuse_constants_set_twice(rules, constants)
    puzzle = puzzle.replace(
        without=tuple(dict.fromkeys(name.replace("_", "-") for name in (*puzzle.without, *without)))
    )
    _refuse_base_vocabulary(puzzle, rules[0])
    check_fact_positions(rules, puzzle, _instance_name(puzzle))
    text = (
        environment()
        .get_template("program.lp.j2")
        .render(
            constants=_sizes(puzzle) | _checked(constants),
            parts=[{"name": _printable(rule.place), "text": rule.text} for rule in rules],
            instance=_instance_name(puzzle),
            numbers=None if puzzle.has_default_numbers else puzzle.numbers,
            givens=[
                Function("a", (row, column, number))
                for (row, column), number in puzzle.givens().items()
            ],
            facts=puzzle.facts,
            retractions=[_retraction(name, rules) for name in puzzle.without],
        )
    )
    warnings = [
        *_changes_to_the_base(rules),
        *missing_inputs(rules[1:], puzzle.facts),
        *unused_facts(rules, puzzle.facts),
        *unknown_exceptions(rules, puzzle.facts),
        *box_shape_warnings(rules, puzzle),
        *region_size_warnings(puzzle),
        *surplus_number_warnings(puzzle),
        *(f"not understood, and left out: {text}" for text in puzzle.unsupported),
        *unused_constants(rules, constants),
    ]
    return Program(text, puzzle, tuple(_parts(text, rules)), constants, tuple(warnings))


def _parts(text: str, rules: list[RuleFile]) -> Iterable[Part]:
    """Where each rule file stands.

    Between two of them there are only comments, so the first match is the file itself.
    """
    position = 0
    for rule in rules:
        start = text.index(f"\n{rule.text}\n", position) + 1
        yield Part(rule, text.count("\n", 0, start) + 1)
        position = start + len(rule.text)


def _sizes(puzzle: Puzzle) -> dict[str, str | int]:
    """The constants that come with every instance.

    A puzzle that draws its regions has no box shape, which 0 stands for.
    """
    rows, columns = puzzle.box or (0, 0)
    return {"n": puzzle.size, "box_rows": rows, "box_columns": columns}


def _checked(constants: Mapping[str, str | int]) -> dict[str, str | int]:
    for name, value in constants.items():
        if name in SIZES:
            raise RuleError(f"the constant {name} comes with the grid and cannot be set beside it")
        if (
            not PREDICATE.fullmatch(name)
            or not _VALUE.fullmatch(str(value))
            or "not" in (name, value)
        ):
            raise RuleError(
                f"{name}={value} sets no constant; write NAME=VALUE, as in gap=5, with a number, a"
                " name or a quoted text"
            )
    return dict(constants)


def _refuse_constants_set_twice(rules: list[RuleFile], constants: Mapping[str, str | int]) -> None:
    for name in constants:
        for rule in rules:
            if re.search(rf"#const\s+{re.escape(name)}\s*=", rule.code):
                raise RuleError(
                    f"{rule.place} sets the constant {name} itself; take that out to set it from"
                    " outside"
                )


def _retraction(name: str, rules: list[RuleFile]) -> Function:
    """The fact that takes a rule back. Raises RuleError if no rule of the program asks for it."""
    symbol = name.replace("-", "_")
    known = sorted(set().union(*(rule.retractable for rule in rules)))
    if symbol in known:
        return Function("ab", (Function(symbol),))
    if any(rule.name == name for rule in rules):
        raise RuleError(f"'{name}' cannot be taken back: its rules do not say 'not ab({symbol})'")
    shown = [other.replace("_", "-") for other in known]
    raise RuleError(
        f"nothing here is called '{name}', so it cannot be taken back.{did_you_mean(name, shown)} "
        f"This program can do without: {', '.join(shown)}"
    )


def _refuse_base_vocabulary(puzzle: Puzzle, base: RuleFile) -> None:
    """Refuse facts such as `number(10).`, which would change the base instead of adding to it."""
    for fact in puzzle.facts:
        if fact.signature in BASE_VOCABULARY:
            raise RuleError(
                f"{_instance_name(puzzle)}: {fact} belongs to {base.place}, and a puzzle cannot"
                " change what stands there"
            )


def _vet(rules: list[RuleFile]) -> None:
    if rules:
        from aspdoku.program.lint import require_valid

        for rule in rules:
            require_valid(rule)


def _changes_to_the_base(rules: list[RuleFile]) -> list[str]:
    """A warning for each rule of somebody's own file that changes the base instead of elaborating
    it.
    """
    own = [rule for rule in rules if not rule.vetted]
    if not own:
        return []
    from aspdoku.program.lint import base_redefinitions

    return [str(message) for rule in own for message in base_redefinitions(rule)]


def _instance_name(puzzle: Puzzle) -> str:
    return _printable(str(puzzle.origin)) if puzzle.origin else "the puzzle"


def _printable(name: str) -> str:
    return name if name.isprintable() else ascii(name)
