"""A puzzle with elaborations as plain data, and the texts that encode it in other formalisms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from aspdoku.errors import AspdokuError
from aspdoku.program import Program, RuleFile, compose, library
from aspdoku.program.rulefile import EXCEPTIONS
from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzle.inputs import Input
from aspdoku.puzzle.puzzle import REGION, Cell, format_range
from aspdoku.puzzle.term import Term


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
        game = library.defaults()
        gone = set(program.puzzle.without)
        played = [
            part.rule
            for part in program.parts[1:]
            if part.rule not in library.standard() and part.rule.name not in gone
        ]
        boxes = None if gone.intersection(rule.name for rule in game) else program.puzzle.box
        rules = program.rules
        used = {item.signature for rule in rules if rule.name not in gone for item in rule.inputs}
        unused = {item.signature for rule in rules for item in rule.inputs} - used
        facts = tuple(fact for fact in program.puzzle.facts if fact.signature not in unused)
        return cls(
            program.puzzle.replace(facts=facts),
            tuple(rule.name for rule in played if _is_bundled(rule)),
            boxes,
            program,
        )

    @property
    def classic(self) -> Case:
        """The classic sudoku that is elaborated: of this size, or 9x9 if only the size is new."""
        plain = compose(Puzzle.blank(self.size, self.puzzle.box))
        if self.is_classic:
            plain = compose(Puzzle.blank(9))
        return Case.of(plain)

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
        span = range(1, self.size + 1)
        found = {
            "rows": [[(row, column) for column in span] for row in span],
            "columns": [[(row, column) for row in span] for column in span],
            "boxes": [],
        }
        if self.boxes:
            height, width = self.boxes
            tops, lefts = range(1, self.size + 1, height), range(1, self.size + 1, width)
            found["boxes"] = [
                list(product(range(top, top + height), range(left, left + width)))
                for top, left in product(tops, lefts)
            ]
        return found

    @property
    def unsupported(self) -> list[str]:
        """The features of the puzzle that no encoding supports.

        These are rules that are not bundled, nonstandard numbers and regions, exceptions from
        rules, retraction of rows or columns, and facts whose arguments do not match the rule's
        declaration.
        """
        base, *rules = (part.rule for part in self.program.parts)
        gone = set(self.puzzle.without)
        found = [rule.name for rule in rules if not _is_bundled(rule) and rule.name not in gone]
        found += [f"a grid without the rule {name}" for name in sorted(gone & base.retractable)]
        found += (
            []
            if self.puzzle.has_default_numbers
            else [f"the numbers {format_range(self.puzzle.numbers)}"]
        )
        found += (
            ["drawn regions"] if any(fact.signature == REGION for fact in self.puzzle.facts) else []
        )
        found += [f"the exception {fact}" for fact in self.puzzle.facts if fact.name == EXCEPTIONS]
        inputs = {item.signature: item for rule in rules for item in rule.inputs}
        others: dict[tuple[str, int], list[Function]] = {}
        for fact in self.puzzle.facts:
            if fact.signature in inputs and not _is_plain(fact, inputs[fact.signature]):
                others.setdefault(fact.signature, []).append(fact)
        return found + [
            f"the fact {facts[0]}" if len(facts) == 1 else f"the {len(facts)} facts {name}/{arity}"
            for (name, arity), facts in others.items()
        ]

    def facts(self, name: str, arity: int) -> list[tuple[object, ...]]:
        """The arguments of the puzzle's facts over this predicate, as integers and strings."""
        return [
            tuple(map(_plain, fact.arguments))
            for fact in self.puzzle.facts
            if fact.signature == (name, arity)
        ]

    def groups(self, name: str) -> dict[object, list[Cell]]:
        """The cells of each cage, chain etc., from facts `name(R,C,I)`, by I."""
        found: dict[object, list[Cell]] = {}
        for row, column, label in self.facts(name, 3):
            found.setdefault(label, []).append((int(str(row)), int(str(column))))
        return found


def _is_bundled(rule: RuleFile) -> bool:
    """Whether a rule is bundled with aspdoku, so that there may be encodings of it."""
    return rule.place == f"asp/elaborations/{rule.name}.lp"


def _is_plain(fact: Function, item: Input) -> bool:
    """Whether a fact has names for arguments I in the rule's declaration, and numbers for all
    others.
    """
    for place, value in enumerate(fact.arguments):
        constant = isinstance(value, Function) and not value.arguments
        name = constant or (not isinstance(value, Function) and str(value).isprintable())
        if not (name if place in item.identity else isinstance(value, int)):
            return False
    return True


def _plain(term: Term) -> object:
    return str(term) if isinstance(term, Function) else term


_NEEDS_BOXES = "{# needs boxes #}\n"


class NoEncodingError(AspdokuError):
    """The encoding would be too large to be written."""


class Encoding(NamedTuple):
    """A puzzle encoded in another language: a program for the rules, and the instance.

    missing: elaborations without an encoding; if there are any, it cannot be run
    """

    program: str
    instance: str
    missing: tuple[str, ...] = ()


class EncodedElaboration(NamedTuple):
    """The text of an elaboration, and the name of its goal or function, e.g. `anti_knight`."""

    name: str
    goal: str
    text: str


@cache
def encodings_dir() -> Path:
    """The folder of the encodings: inside an installed package, or next to it in a checkout."""
    return library.data_dir().parent / "rivals"


def render(folder: str, extension: str, case: Case) -> Encoding:
    """The encoding of a case, from the files in a folder of `rivals/`."""
    values = _values(case)
    found, missing = [], []
    for name in case.elaborations:
        text = _elaboration(folder, f"{name}.{extension}", values)
        if text is None:
            missing.append(name)
        else:
            found.append(EncodedElaboration(name, name.replace("-", "_"), text))
    program = _render(f"{folder}/base.{extension}.j2", elaborations=found, **values)
    instance = f"{folder}/instance.{extension}.j2"
    return Encoding(
        program,
        _render(instance, **values) if (encodings_dir() / instance).is_file() else "",
        tuple(missing),
    )


def _elaboration(folder: str, file: str, values: dict[str, object]) -> str | None:
    place = encodings_dir() / folder / file
    if place.is_file():
        return place.read_text("utf-8")
    template = place.with_name(f"{file}.j2")
    if not template.is_file() or (
        not values["boxes"] and template.read_text("utf-8").startswith(_NEEDS_BOXES)
    ):
        return None
    return _render(f"{folder}/{file}.j2", **values)


def _values(case: Case) -> dict[str, object]:
    """The variables of the templates."""
    span = range(1, case.size + 1)
    return {
        "n": case.size,
        "boxes": case.boxes,
        "units": case.units,
        "cells": [(row, column) for row in span for column in span],
        "numbers": list(span),
        "givens": [(*cell, number) for cell, number in case.puzzle.givens().items()],
        "facts": case.puzzle.facts,
        "facts_of": case.facts,
        "groups_of": case.groups,
    }


def _render(template: str, **values: object) -> str:
    return _environment().get_template(template).render(values)


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
