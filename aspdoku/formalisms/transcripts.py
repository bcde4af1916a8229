"""What engines tell beside their answers.

Their texts, the steps of their traces, and their reasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from aspdoku.errors import AspdokuError
from aspdoku.explain.steps import Claim
from aspdoku.formalisms import engines as all_engines
from aspdoku.formalisms.case import Case
from aspdoku.formalisms.encodings import Encoding, NoEncodingError
from aspdoku.formalisms.engine import Engine


class Transcript(NamedTuple):
    """What one engine tells, a line each."""

    engine: str
    title: str
    lines: list[str]


def texts(engines: Iterable[Engine], case: Case) -> Iterator[Transcript]:
    """The text of each engine that has one for the case. Raises AspdokuError where none has."""
    yield from _some(
        [
            _told(each, each.program_text(case, text).splitlines())
            for each, text in _written(engines, case)
        ]
    )


def traces(engines: Iterable[Engine], case: Case, seconds: float) -> Iterator[Transcript]:
    """The steps of each engine that tells them. Raises AspdokuError where none does."""
    told = [_told(each, each.trace(case, text, seconds)) for each, text in _written(engines, case)]
    yield from _some(
        told, [each.name for each in all_engines().values() if type(each).trace is not Engine.trace]
    )


def reasons(
    engines: Iterable[Engine], case: Case, claim: str, seconds: float
) -> Iterator[Transcript]:
    """Why a claim like `r3c2=3` holds, by each engine that explains it.

    Raises AspdokuError where none does.
    """
    asked = Claim.parse(claim, case.puzzle)
    if not asked.holds:
        raise AspdokuError(
            f"the reasoners explain what a cell holds, as in {asked._replace(holds=True)}"
        )
    cell = asked.row, asked.column
    told = [
        _told(each, each.explain(case, cell, asked.number, seconds))
        for each, _ in _written(engines, case)
    ]
    yield from _some(
        told,
        [each.name for each in all_engines().values() if type(each).explain is not Engine.explain],
    )


def _written(engines: Iterable[Engine], case: Case) -> Iterator[tuple[Engine, Encoding]]:
    """The engines that have a text for the case, with it."""
    for engine in engines:
        if case.unsupported and not engine.native:
            continue
        with suppress(NoEncodingError):
            if not (text := engine.text(case)).missing:
                yield engine, text


def _told(engine: Engine, lines: list[str]) -> Transcript:
    return Transcript(engine.name, engine.title, lines)


def _some(told: list[Transcript], able: Iterable[str] = ()) -> list[Transcript]:
    """What there is to tell.

    Raises AspdokuError where there is nothing, with the names of the engines that tell such things.
    """
    found = [each for each in told if each.lines]
    if not found:
        others = f"; {', '.join(able)} can, of a puzzle that it has a text for" if able else ""
        raise AspdokuError(f"none of these engines tells that of this puzzle{others}")
    return found
