"""The encodings in other formalisms: a base and a file for each elaboration in `rivals/FORMALISM/`.

`base.EXT.j2` is the base. It is a template, because an encoding with fixed sizes must be rewritten
for another size, and it inserts the elaborations where the language requires them. `NAME.EXT`
encodes an elaboration; it is `NAME.EXT.j2` if the encoding lists cells individually. A template can
call `refuse(WHAT)` if the encoding would be too large; one that depends on boxes begins with
`{# needs boxes #}` and does not apply to puzzles without them. `instance.EXT.j2`, if present, is
the puzzle.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from aspdoku.errors import AspdokuError
from aspdoku.formalisms.case import Case
from aspdoku.program import library

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
