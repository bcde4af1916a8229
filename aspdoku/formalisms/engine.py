"""A puzzle with elaborations as plain data, its texts in other formalisms, and their engines: those
that run clingo, on the encoding of the lecture slides, with a fixed 9, and on aspdoku's own.
"""

from __future__ import annotations

import json
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from clingo import Model
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from aspdoku.engine.control import Control
from aspdoku.engine.solver import CELL_ATOM, REQUIRED_OPTIONS, Solver
from aspdoku.errors import AspdokuError, TimeLimitError
from aspdoku.program import Program, RuleFile, compose, library
from aspdoku.program.rulefile import EXCEPTIONS
from aspdoku.program.syntax import parse, source_of
from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzle.inputs import Input
from aspdoku.puzzle.puzzle import REGION, Cell, Grid, format_range, grid_of
from aspdoku.puzzle.term import Term

_NEEDS_BOXES = "{# needs boxes #}\n"
CHANGES = "changes.json"


@dataclass(frozen=True)
class Case:
    """A puzzle and its elaborations.

    puzzle: without the facts that only retracted rules use
    elaborations: their names, in order, without the base, the default rules, and retracted rules
    boxes: rows and columns of a box; None if the boxes are retracted
    program: the whole as a program for clingo
    """

    puzzle: Puzzle
    elaborations: tuple[str, ...]
    boxes: tuple[int, int] | None
    program: Program

    @classmethod
    def of(cls, program: Program) -> Case:
        """The case of a program."""
        gone = set(program.puzzle.without)
        rules = program.rules
        used = {item.signature for rule in rules if rule.name not in gone for item in rule.inputs}
        unused = {item.signature for rule in rules for item in rule.inputs} - used
        facts = tuple(fact for fact in program.puzzle.facts if fact.signature not in unused)
        added = [each for each in rules[1:] if _is_bundled(each) and each not in library.standard()]
        names = tuple(rule.name for rule in added if rule.name not in gone)
        boxes = None if gone & library.default_names() else program.puzzle.box
        return cls(program.puzzle.replace(facts=facts), names, boxes, program)

    @property
    def classic(self) -> Case:
        """The classic sudoku that is elaborated: of this size, or 9x9 if only the size is new."""
        blank = Puzzle.blank(9) if self.is_classic else Puzzle.blank(self.size, self.puzzle.box)
        return Case.of(compose(blank))

    @property
    def is_classic(self) -> bool:
        """Whether it is a classic sudoku of any size: no rule is added and none is retracted."""
        return not self.puzzle.without and len(self.program.parts) == len(library.defaults()) + 1

    @property
    def size(self) -> int:
        """Rows of the grid."""
        return self.puzzle.size

    @property
    def units(self) -> dict[str, list[list[Cell]]]:
        """The cells of each row, column and box, under the keys `rows`, `columns` and `boxes`."""

        def blocks(height: int, width: int) -> list[list[Cell]]:
            corners = product(range(1, self.size + 1, height), range(1, self.size + 1, width))
            spans = ((range(top, top + height), range(left, left + width)) for top, left in corners)
            return [list(product(*span)) for span in spans]

        return {
            "rows": blocks(1, self.size),
            "columns": blocks(self.size, 1),
            "boxes": blocks(*self.boxes) if self.boxes else [],
        }

    @property
    def unsupported(self) -> list[str]:
        """The features that no encoding supports, such as rules that are not bundled."""
        base, *rules = self.program.rules
        gone, facts = set(self.puzzle.without), self.puzzle.facts
        inputs = {item.signature: item for rule in rules for item in rule.inputs}
        others: dict[str, list[Function]] = {}
        for fact in facts:
            if (item := inputs.get(fact.signature)) and not _is_plain(fact, item):
                others.setdefault(str(item), []).append(fact)
        numbers = [f"the numbers {format_range(self.puzzle.numbers)}"]
        return [
            *(
                rule.name
                for rule in rules
                if not (_is_bundled(rule) or rule in library.standard() or rule.name in gone)
            ),
            *(f"a grid without the rule {name}" for name in sorted(gone & base.retractable)),
            *([] if self.puzzle.has_default_numbers else numbers),
            *(["drawn regions"] if any(fact.signature == REGION for fact in facts) else []),
            *(f"the exception {fact}" for fact in facts if fact.name == EXCEPTIONS),
            *(
                f"the {len(same)} facts {name}" if len(same) > 1 else f"the fact {same[0]}"
                for name, same in others.items()
            ),
        ]

    def facts(self, name: str, arity: int) -> list[tuple[object, ...]]:
        """The arguments of the puzzle's facts over this predicate, as integers and strings."""

        def plain(term: Term) -> object:
            return str(term) if isinstance(term, Function) else term

        facts = (each.arguments for each in self.puzzle.facts if each.signature == (name, arity))
        return [tuple(map(plain, arguments)) for arguments in facts]

    def groups(self, name: str) -> dict[object, list[Cell]]:
        """The cells of each cage, chain etc., from facts `name(R,C,I)`, by I."""
        cells: dict[object, list[Cell]] = {}
        for row, column, label in self.facts(name, 3):
            cells.setdefault(label, []).append((int(str(row)), int(str(column))))
        return cells


def _is_bundled(rule: RuleFile) -> bool:
    """Whether a rule is bundled with aspdoku, so that there may be encodings of it."""
    return rule.place == f"asp/elaborations/{rule.name}.lp"


def _is_plain(fact: Function, item: Input) -> bool:
    """Whether a fact has names for the arguments I of an input, and numbers for all others."""

    def is_name(value: object) -> bool:
        return not value.arguments if isinstance(value, Function) else str(value).isprintable()

    return all(
        is_name(value) if place in item.identity else isinstance(value, int)
        for place, value in enumerate(fact.arguments)
    )


class EngineError(AspdokuError):
    """An engine failed without an answer."""


class NoEncodingError(AspdokuError):
    """The encoding would be too large to be written."""


class Encoding(NamedTuple):
    """A program for the rules, and the instance; it cannot be run if elaborations are missing."""

    program: str
    instance: str
    missing: tuple[str, ...] = ()


class Outcome(NamedTuple):
    """The answer of an engine.

    grid: a solution, with None for undetermined cells; None if there is no solution
    unique: whether the solution was proved unique; None if this was not checked
    start, solve: seconds until the engine was ready to read the puzzle, and from there on
    entailed: the grid has what all solutions share, as reasoners compute it
    notes: further results, one line each
    """

    grid: Grid | None
    unique: bool | None
    start: float
    solve: float
    entailed: bool = False
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, grids: Sequence[Grid], start: float, solve: float, notes: Sequence[str] = ()
    ) -> Outcome:
        """The answer of an engine that searches for two solutions."""
        grid = grids[0] if grids else None
        return cls(grid, len(grids) < 2, start, solve, notes=tuple(notes))


class Engine(ABC):
    """A formalism, in the style of one author, with the engine that runs it.

    name: the value of `--engine`
    title: the name in reports
    folder, extension: its encodings in `rivals/`
    ground: whether it lacks variables, so that encodings are generated for each instance
    native: whether it runs the rule files themselves and thus supports all rules
    """

    name: ClassVar[str]
    title: ClassVar[str]
    folder: ClassVar[str]
    extension: ClassVar[str]
    ground: ClassVar[bool] = False
    native: ClassVar[bool] = False

    def missing_requirement(self) -> str | None:
        """The software to install, e.g. `swipl (apt install swi-prolog)`; None if it can run."""
        return None

    def encode(self, case: Case) -> Encoding:
        """The encoding of a case, from the files in the folder of the engine."""
        values: dict[str, object] = {
            "n": case.size,
            "boxes": case.boxes,
            "units": case.units,
            "cells": list(product(range(1, case.size + 1), repeat=2)),
            "numbers": list(range(1, case.size + 1)),
            "givens": [(*cell, number) for cell, number in case.puzzle.givens().items()],
            "facts": case.puzzle.facts,
            "facts_of": case.facts,
            "groups_of": case.groups,
        }
        texts = {name: self._rendered(name, values) for name in case.elaborations}
        written = {name: text for name, text in texts.items() if text is not None}
        values["elaborations"] = [
            {"goal": name.replace("-", "_"), "text": text} for name, text in written.items()
        ]
        program, instance = (self._rendered(name, values) or "" for name in ("base", "instance"))
        return Encoding(program, instance, tuple(name for name in texts if name not in written))

    def _rendered(self, name: str, values: dict[str, object]) -> str | None:
        """The text of a file, which may be a template; None if there is none for this case."""
        plain = encodings_dir() / self.folder / f"{name}.{self.extension}"
        if plain.is_file():
            return plain.read_text("utf-8")
        template = plain.with_name(f"{plain.name}.j2")
        if not template.is_file() or (
            not values["boxes"] and template.read_text("utf-8").startswith(_NEEDS_BOXES)
        ):
            return None
        return _environment().get_template(f"{self.folder}/{template.name}").render(values)

    def program_text(self, case: Case, encoding: Encoding) -> str:
        """The complete program text, as the engine reads it."""
        return f"{encoding.program.rstrip()}\n\n{encoding.instance.strip()}\n"

    def trace(self, case: Case, encoding: Encoding, seconds: float) -> list[str]:
        """The steps to the engine's answer, one line each; empty if not supported."""
        return []

    def explain(self, case: Case, cell: Cell, number: int, seconds: float) -> list[str]:
        """The engine's explanation of why a cell contains a number; empty if not supported."""
        return []

    @abstractmethod
    def statements(self, program: str) -> Counter[str]:
        """The statements of a program by the grammar of its language, normalized, and counted."""

    def as_written(self, program: str) -> dict[str, str]:
        """The text in the program of normalized statements that look different there."""
        return {}

    @abstractmethod
    def run(self, case: Case, encoding: Encoding, seconds: float) -> Outcome:
        """Run the encoding. Raises TimeLimitError after `seconds`, EngineError if it fails."""


@cache
def encodings_dir() -> Path:
    """The folder of the encodings: inside an installed package, or next to it in a checkout."""
    return library.data_dir().parent / "rivals"


@cache
def stored_changes() -> dict[str, dict[str, Any]]:
    """What the same change takes in each formalism, as `docs/compare.py` has stored it, by puzzle:
    `change`, and `rows` with name, note, added, removed and the first statements of both.
    """
    text = (encodings_dir() / CHANGES).read_text("utf-8")
    changes: dict[str, dict[str, Any]] = json.loads(text)
    return changes


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(encodings_dir()),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.globals["refuse"] = _refuse
    return made


def _refuse(what: str) -> None:
    """Called by a template if an encoding would be too large."""
    raise NoEncodingError(what)


# Statements that are not counted: they do not affect the answer sets.
_IGNORED = ("Comment", "Program", "Defined")


class SlidesAsp(Engine):
    """Boxes and numbers in one rule, and the literal 9 for the size."""

    name = "asp-slides"
    title = "ASP, the slides' text"
    folder = "asp-slides"
    extension = "lp"

    def statements(self, program: str) -> Counter[str]:
        """By clingo's syntax tree."""
        return Counter(normal for normal, _ in _statements(program))

    def as_written(self, program: str) -> dict[str, str]:
        """The rules of the file, each on one line."""
        return dict(_statements(program))

    def run(self, case: Case, encoding: Encoding, seconds: float) -> Outcome:
        """Up to two answer sets of the unchanged program."""
        remarks: list[str] = []
        began = time.perf_counter()
        control = Control([*REQUIRED_OPTIONS, "2"], logger=lambda _, text: remarks.append(text))
        try:
            control.add("base", [], self.program_text(case, encoding))
            control.ground([("base", [])])
        except RuntimeError as error:
            raise EngineError("\n".join(remarks) or str(error)) from None
        started = time.perf_counter()
        grids: list[Grid] = []
        with control.solve(
            on_model=lambda model: grids.append(_grid(model, case.size)), async_=True
        ) as handle:
            if not handle.wait(seconds):
                raise TimeLimitError(f"no answer after {seconds:g} s")
            handle.get()
        return Outcome.of(grids, started - began, time.perf_counter() - started)


class AspdokuAsp(SlidesAsp):
    """Base, elaborations and puzzle as `aspdoku program` prints them."""

    name = "asp"
    title = "ASP, aspdoku's text"
    folder = "asp"
    native = True

    def encode(self, case: Case) -> Encoding:
        """The unchanged rule files with a fact for each retracted rule, and the instance."""
        back = "".join(f"ab({name.replace('-', '_')}).\n" for name in case.puzzle.without)
        rules = "\n".join(rule.text for rule in case.program.rules)
        lines = case.program.text.splitlines(keepends=True)
        return Encoding(rules + back, "".join(lines[case.program.parts[-1].last_line :]))

    def program_text(self, case: Case, encoding: Encoding) -> str:
        """The composed program."""
        return case.program.text

    def run(self, case: Case, encoding: Encoding, seconds: float) -> Outcome:
        """Up to two solutions of the composed program."""
        began = time.perf_counter()
        solver = Solver(case.program, seconds)
        solver.ground()
        started = time.perf_counter()
        search = solver.search(2)
        grids = [solution.rows for solution in search]
        if search.ended == "time":
            raise TimeLimitError(f"no answer within {seconds:g} s")
        return Outcome.of(grids, started - began, time.perf_counter() - started)


def _statements(program: str) -> list[tuple[str, str]]:
    """Each statement as clingo prints it and as it is written."""
    rule = RuleFile("rival", "rival", program, vetted=True)
    counted = (each for each in parse(rule)[0] if each.ast_type.name not in _IGNORED)
    return [(str(statement), source_of(rule, statement)) for statement in counted]


def _grid(model: Model, size: int) -> Grid:
    cells = filter(None, map(CELL_ATOM.fullmatch, map(str, model.symbols(atoms=True))))
    return grid_of(size, {(int(cell[1]), int(cell[2])): int(cell[3]) for cell in cells})
