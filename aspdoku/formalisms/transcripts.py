"""Further output of engines: program texts, traces, and explanations of entailed values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from aspdoku.errors import AspdokuError
from aspdoku.explanation.steps import Claim
from aspdoku.formalisms import engines as all_engines
from aspdoku.formalisms.case import Case, Encoding, NoEncodingError
from aspdoku.formalisms.engine import Engine


class Transcript(NamedTuple):
    """Output of one engine, as a list of lines."""

    engine: str
    title: str
    lines: list[str]


def texts(engines: Iterable[Engine], case: Case) -> Iterator[Transcript]:
    """The program text of each engine that supports the case. Raises AspdokuError if none does."""
    yield from _nonempty(
        [
            _transcript(each, each.program_text(case, encoding).splitlines())
            for each, encoding in _encoded(engines, case)
        ]
    )


def traces(engines: Iterable[Engine], case: Case, seconds: float) -> Iterator[Transcript]:
    """The steps of each engine that supports tracing. Raises AspdokuError if none does."""
    outputs = [
        _transcript(each, each.trace(case, encoding, seconds))
        for each, encoding in _encoded(engines, case)
    ]
    yield from _nonempty(
        outputs,
        [each.name for each in all_engines().values() if type(each).trace is not Engine.trace],
    )


def reasons(
    engines: Iterable[Engine], case: Case, claim: str, seconds: float
) -> Iterator[Transcript]:
    """Why a claim such as `r3c2=3` holds, from each engine that supports explanations.

    Raises AspdokuError if none does.
    """
    asked = Claim.parse(claim, case.puzzle)
    if not asked.holds:
        raise AspdokuError(
            "engines can only explain which number a cell contains, e.g."
            f" {asked._replace(holds=True)}"
        )
    cell = asked.row, asked.column
    outputs = [
        _transcript(each, each.explain(case, cell, asked.number, seconds))
        for each, _ in _encoded(engines, case)
    ]
    yield from _nonempty(
        outputs,
        [each.name for each in all_engines().values() if type(each).explain is not Engine.explain],
    )


def _encoded(engines: Iterable[Engine], case: Case) -> Iterator[tuple[Engine, Encoding]]:
    """The engines that support the case, with their encodings of it."""
    for engine in engines:
        if case.unsupported and not engine.native:
            continue
        with suppress(NoEncodingError):
            if not (encoding := engine.encode(case)).missing:
                yield engine, encoding


def _transcript(engine: Engine, lines: list[str]) -> Transcript:
    return Transcript(engine.name, engine.title, lines)


def _nonempty(outputs: list[Transcript], able: Iterable[str] = ()) -> list[Transcript]:
    """The nonempty transcripts.

    Raises AspdokuError if there are none, with the names of the engines that support such output.
    """
    found = [each for each in outputs if each.lines]
    if not found:
        others = (
            f"; engines that do, for the puzzles they encode: {', '.join(able)}" if able else ""
        )
        raise AspdokuError(f"none of the selected engines supports this for this puzzle{others}")
    return found
