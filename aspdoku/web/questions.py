"""The questions of a page that need Python: what a client sends, and the answer, both as JSON.

`ask` answers a question in a child process with limits. Rule texts of clients are only parsed by
`aspdoku.program.vetting`, and nothing is written to disk. Questions about a puzzle contain the
state of a page (`page.program_of`); those about a rule its `name` and `text`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from aspdoku.drawing.output import svg
from aspdoku.errors import AspdokuError, NoSolutionError
from aspdoku.formats import registry
from aspdoku.lecture.grading import Exercise, assess_rule
from aspdoku.program import RuleFile, library
from aspdoku.program.messages import Message
from aspdoku.puzzlefile.lines import quote
from aspdoku.questions.candidates import depends
from aspdoku.questions.check import assessment_sections, check
from aspdoku.questions.conflict import conflict
from aspdoku.questions.equal import equivalent
from aspdoku.questions.explain import explain, hint, why
from aspdoku.questions.result import Section
from aspdoku.runtime.child import Aborted, Limits, run_limited
from aspdoku.runtime.deadline import Deadline
from aspdoku.web.page import (
    client_rule,
    explanation_parts,
    parts,
    program_of,
    puzzle_of,
    steps,
    strings,
)

Question = Mapping[str, Any]
Answer = dict[str, Any]

# The part of the time that is left for drawing and for the way back, in seconds and as a fraction.
_RESERVE, _SHARE = 1.0, 4
# Questions that need this many times as long, unless they contain a rule of a client: all bundled
# rules can be grounded, while a rule that a client has typed may be endless.
_LONG, _TIMES = ("explain", "hint", "why", "depends"), 5


def ask(
    question: Question,
    limits: Limits,
    exercise: Exercise | None = None,
    is_cancelled: Callable[[], bool] | None = None,
    run: Callable[..., Any] = run_limited,
) -> Answer:
    """The answer to a question, in a child process with these limits.

    question: `kind`, a key of QUESTIONS or EXERCISE_QUESTIONS, and what that kind needs
    limits: five times as much time if the question `takes_long`
    exercise: answer the questions of its page only
    is_cancelled: asked several times a second whether nobody needs the answer any more
    run: starts the child process: `run_limited`, or that of a `fork_server`
    Raises AspdokuError if the question is invalid or has no answer, or at a limit.
    """
    kinds = _kinds(exercise)
    kind = question.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        raise AspdokuError(f"unknown kind of question: use one of {', '.join(kinds)}")
    limits = limits_for(question, limits)
    try:
        answer = run(
            limits,
            _answer,
            kind,
            dict(question),
            limits,
            exercise,
            is_cancelled=is_cancelled,
        )
    except AspdokuError as error:
        if exercise:  # the text may quote the reference
            raise AspdokuError(f"no answer: {type(error).__name__}") from None
        raise
    if isinstance(answer, Aborted):
        if answer.limit == "crashed":
            raise AspdokuError("no answer: clingo or aspdoku failed")
        raise AspdokuError(f"stopped: {answer}")
    return answer  # type: ignore[no-any-return]


def takes_long(question: Question) -> bool:
    """Whether a question is given more time: few of these are answered at the same time."""
    return question.get("kind") in _LONG and not question.get("own")


def limits_for(question: Question, limits: Limits) -> Limits:
    """The limits of an answer: those of a site, with more time for questions that take long."""
    times = _TIMES if takes_long(question) else 1
    return limits._replace(seconds=times * limits.seconds)


def _answer(kind: str, question: Question, limits: Limits, exercise: Exercise | None) -> Answer:
    """The answer, in the child process, without advice on other interfaces than the page."""
    os.environ.pop(library.PATH_VARIABLE, None)  # clients have the bundled rules only
    if exercise:
        return EXERCISE_QUESTIONS[kind](question, exercise)
    try:
        return QUESTIONS[kind](question, _seconds(limits))
    except NoSolutionError:
        raise AspdokuError("there is no solution: press Explain to see the reason") from None
    except AspdokuError as error:
        raise AspdokuError(error.on_page) from None


def _seconds(limits: Limits) -> float:
    """The seconds for an answer within these limits."""
    return limits.seconds - min(_RESERVE, limits.seconds / _SHARE)


def _kinds(exercise: Exercise | None) -> Iterable[str]:
    return EXERCISE_QUESTIONS if exercise else QUESTIONS


def _check(question: Question, seconds: float) -> Answer:
    """`findings`, each with line, column, severity and text."""
    return {"findings": _findings(check(client_rule(question), time_limit=seconds).findings)}


def _check_exercise(question: Question, exercise: Exercise) -> Answer:
    """As `_check`."""
    return _check(question, _seconds(exercise.limits))


def _findings(found: Iterable[Message]) -> list[dict[str, Any]]:
    return [
        {"line": each.line, "column": each.column, "severity": each.severity, "text": each.text}
        for each in found
    ]


def _equal(question: Question, seconds: float) -> Answer:
    """The `relation` to the bundled rule `reference`, in words, with the grids that show it.

    retracted: names NAME of facts `ab(NAME).` that hold on the page; those of the base and of the
    default rules also hold in the comparison
    """
    reference = _bundled(question, "reference")
    rule = client_rule(question)
    game = [library.base(), *(each for each in library.defaults() if each != reference)]
    known = frozenset().union(*(each.retractable for each in game))
    without = [name for name in strings(question, "retracted") if name in known]
    comparison = equivalent(rule, reference, without=without, time_limit=seconds)
    answer = _joined(comparison.sections())
    if comparison.relation == "undecided":
        answer["text"] += (
            f"\n\nA comparison on this page ends after {seconds:.1f} s. Save the rule and give it"
            f" more: aspdoku equal ./{rule.name}.lp {reference.name} --time-limit 600"
            + "".join(f" --without {name}" for name in without)
        )
    return {"relation": comparison.relation, **answer}


def _mark(question: Question, exercise: Exercise) -> Answer:
    """The `verdict` on an exercise, and `parts`, each with its text and drawings.

    No line and no text of the reference is in it.
    """
    found = assess_rule(client_rule(question), exercise)
    sections = assessment_sections(found, exercise)
    return {
        "verdict": found.verdict,
        "findings": _findings(found.findings),
        "parts": [_joined([section]) for section in sections],
    }


def _explain(question: Question, seconds: float) -> Answer:
    """The `explanation_parts` of the page, or as `text` why there is no solution."""
    program = program_of(question)
    deadline = Deadline(seconds)
    try:
        found = explain(program, time_limit=seconds)
    except NoSolutionError:
        return {"text": str(conflict(program, time_limit=deadline.time_limit()))}
    return explanation_parts(found.data, seconds)


def _hint(question: Question, seconds: float) -> Answer:
    """The next step in words, and the `cells` that it is about; `entries`: the numbers so far, as
    `givens`.
    """
    stated = "entries" in question
    entries = puzzle_of({**question, "givens": question["entries"]}) if stated else None
    found = hint(program_of(question), entries, time_limit=seconds)
    return {"text": str(found), "cells": sorted({claim[:2] for claim in found.claims})}


def _why(question: Question, seconds: float) -> Answer:
    """The reason for a `claim`, such as r3c4=5, in words and with drawings, and as `steps`, none if
    it is not forced.
    """
    claim = _text(question, "claim")
    reason = why(program_of(question), claim, time_limit=seconds)
    return {"steps": steps(reason.data) if reason.data else [], **_joined(reason.sections())}


def _depends(question: Question, seconds: float) -> Answer:
    """The rules that each cell depends on, or one `cell`; `result` is the JSON of the command."""
    cell = _text(question, "cell") if "cell" in question else None
    found = depends(program_of(question), cell, time_limit=seconds)
    return {"result": found.to_json(), **_joined(found.sections())}


def _load(question: Question, _: object) -> Answer:
    """The parts of the page about a puzzle, which is a text in any format or `example:NAME`."""
    return parts(program_of(question))


def _convert(question: Question, _: object) -> Answer:
    """The `text` of the puzzle in the format `to`."""
    format_ = registry.by_name(_text(question, "to"))
    return {"text": registry.write(format_, [program_of(question).puzzle])}


def _facts(question: Question, _: object) -> Answer:
    """The `facts` of the puzzle, as its rules and the own rule declare its sections."""
    return {"facts": list(map(str, program_of(question).puzzle.facts))}


QUESTIONS: dict[str, Callable[[Question, float], Answer]] = {
    "check": _check,
    "equal": _equal,
    "explain": _explain,
    "hint": _hint,
    "why": _why,
    "depends": _depends,
    "load": _load,
    "convert": _convert,
    "facts": _facts,
}
"""What a page can ask, by kind: functions of the question and the seconds for the answer."""

EXERCISE_QUESTIONS: dict[str, Callable[[Question, Exercise], Answer]] = {
    "check": _check_exercise,
    "mark": _mark,
}
"""What the page of an exercise can ask."""


def _joined(sections: Iterable[Section]) -> Answer:
    """The text and the drawings of sections."""
    sections = list(sections)
    return {
        "text": "\n\n".join(section.text for section in sections),
        "drawings": [svg(picture) for section in sections for picture in section.pictures],
    }


def _bundled(question: Question, key: str) -> RuleFile:
    name = _text(question, key)
    if name not in library.rule_names():
        raise AspdokuError(f"unknown rule {quote(name)}: expected the name of a bundled rule")
    return library.find(name)


def _text(question: Question, key: str) -> str:
    value = question.get(key)
    if not isinstance(value, str):
        raise AspdokuError(f"invalid question: expected a text in {key}")
    return value
