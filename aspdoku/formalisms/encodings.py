"""The texts of the rival formalisms.

A base and a file for each elaboration, in `rivals/FORMALISM/`.

`base.EXT.j2` is the base, a template because a text with fixed sizes has to be written anew for
another size; it puts the elaborations where its language wants them. `NAME.EXT` says an
elaboration, `NAME.EXT.j2` where it has to be spelled out cell by cell, and where `refuse(WHAT)`
says that it would be too much; one that mentions boxes begins with `{# needs boxes #}` and does not
apply to a puzzle without them. `instance.EXT.j2`, if there is one, is the puzzle.
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
    """A text that would have to say something which nobody would spell out."""


class Encoding(NamedTuple):
    """A program in a rival's language: what says the rules, and what says the puzzle.

    missing: elaborations for which nobody has written a text; there is no running it then
    """

    program: str
    instance: str
    missing: tuple[str, ...] = ()


class EncodedElaboration(NamedTuple):
    """An elaboration's text, and the name by which its goal or function goes: `anti_knight`."""

    name: str
    goal: str
    text: str


@cache
def encodings_dir() -> Path:
    """The folder of the texts: inside an installed package, or beside it in a checkout."""
    return library.data_dir().parent / "rivals"


def render(folder: str, extension: str, case: Case) -> Encoding:
    """The text for a case, from the files in a folder of `rivals/`."""
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
    """What a template knows.

    N, boxes, rows, columns, cells, numbers, givens, and the puzzle's facts.
    """
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
    """What a template calls where it will not spell something out."""
    raise NoEncodingError(what)
