"""What engines tell beside their answers: their texts, the steps of their traces, and their reasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from aspdoku.errors import AspdokuError
from aspdoku.lessons.explanation import Claim
from aspdoku.lessons.rivals.case import Case
from aspdoku.lessons.rivals.engine import Engine
from aspdoku.lessons.rivals.texts import Text


class Told(NamedTuple):
    """What one engine tells, a line each."""

    engine: str
    title: str
    lines: list[str]


def texts(engines: Iterable[Engine], case: Case) -> Iterator[Told]:
    """The text of each engine that has one for the case. Raises AspdokuError where none has."""
    yield from _some([_told(each, each.printed(case, text).splitlines()) for each, text in _written(engines, case)])


def traces(engines: Iterable[Engine], case: Case, seconds: float) -> Iterator[Told]:
    """The steps of each engine that tells them. Raises AspdokuError where none does."""
    yield from _some([_told(each, each.trace(case, text, seconds)) for each, text in _written(engines, case)])


def reasons(engines: Iterable[Engine], case: Case, claim: str, seconds: float) -> Iterator[Told]:
    """Why a claim like `r3c2=3` holds, by each engine that explains it. Raises AspdokuError where none does."""
    asked = Claim.parse(claim, case.size)
    if not asked.holds:
        raise AspdokuError(f"the reasoners explain what a cell holds, as in {asked._replace(holds=True)}")
    cell = asked.row, asked.column
    yield from _some([_told(each, each.why(case, cell, asked.number, seconds)) for each, _ in _written(engines, case)])


def _written(engines: Iterable[Engine], case: Case) -> Iterator[tuple[Engine, Text]]:
    """The engines that have a text for the case, with it."""
    for engine in engines:
        text = engine.text(case)
        if not text.missing and (engine.native or not case.beyond):
            yield engine, text


def _told(engine: Engine, lines: list[str]) -> Told:
    return Told(engine.name, engine.title, lines)


def _some(told: list[Told]) -> list[Told]:
    found = [each for each in told if each.lines]
    if not found:
        raise AspdokuError("none of these engines tells that of this puzzle")
    return found
