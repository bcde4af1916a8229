"""The questions of a page that need Python: what a client sends, and the answer, both as JSON.

`ask` answers a question in a child process with limits. Rule texts of clients are only parsed by
`aspdoku.program.vetting`, and nothing is written to disk. Questions about a puzzle contain the
state of a page (`page.program_of`); those about a rule its `name` and `text`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from aspdoku.drawing.output import svg
from aspdoku.errors import AspdokuError, NoSolutionError
from aspdoku.formats import registry
from aspdoku.program import RuleFile, library
from aspdoku.program.messages import Message
from aspdoku.puzzlefile.lines import enumerated, quote
from aspdoku.questions.candidates import depends
from aspdoku.questions.check import check
from aspdoku.questions.conflict import conflict
from aspdoku.questions.equal import equivalent
from aspdoku.questions.explain import explain, hint, why
from aspdoku.questions.result import Section
from aspdoku.runtime.child import Aborted, Limits, run_limited
from aspdoku.runtime.deadline import Deadline
from aspdoku.web.page import (
    client_rule,
    drawings,
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
    is_cancelled: Callable[[], bool] | None = None,
    run: Callable[..., Any] = run_limited,
) -> Answer:
    """The answer to a question, in a child process with these limits.

    question: `kind`, a key of QUESTIONS, and what that kind needs
    limits: five times as much time if the question `takes_long`
    is_cancelled: asked several times a second whether nobody needs the answer any more
    run: starts the child process: `run_limited`, or that of a `fork_server`
    Raises AspdokuError if the question is invalid or has no answer, or at a limit.
    """
    kind = question.get("kind")
    if not isinstance(kind, str) or kind not in QUESTIONS:
        raise unknown_kind(QUESTIONS)
    limits = limits_for(question, limits)
    answer = run(limits, _answer, kind, dict(question), limits, is_cancelled=is_cancelled)
    return answered(answer)  # type: ignore[no-any-return]


def unknown_kind(kinds: Iterable[str]) -> AspdokuError:
    """The error for a question of a kind that is not answered."""
    return AspdokuError(f"unknown kind of question: use one of {', '.join(kinds)}")


def answered(value: Any) -> Any:
    """The value of a call in a child process. Raises AspdokuError if it was aborted."""
    if isinstance(value, Aborted):
        if value.limit == "crashed":
            raise AspdokuError("no answer: clingo or aspdoku failed")
        raise AspdokuError(f"stopped: {value}")
    return value


def takes_long(question: Question) -> bool:
    """Whether a question is given more time: few of these are answered at the same time."""
    return question.get("kind") in _LONG and not question.get("own")


def limits_for(question: Question, limits: Limits) -> Limits:
    """The limits of an answer: those of a site, with more time for questions that take long."""
    times = _TIMES if takes_long(question) else 1
    return limits._replace(seconds=times * limits.seconds)


def _answer(kind: str, question: Question, limits: Limits) -> Answer:
    """The answer, in the child process, without advice on other interfaces than the page."""
    know_bundled_rules_only()
    try:
        return QUESTIONS[kind](question, seconds_within(limits))
    except NoSolutionError:
        raise AspdokuError("there is no solution: press Explain to see the reason") from None
    except AspdokuError as error:
        raise AspdokuError(error.on_page) from None


def know_bundled_rules_only() -> None:
    """Let this process, which answers a client, find no other rules."""
    os.environ.pop(library.PATH_VARIABLE, None)


def seconds_within(limits: Limits) -> float:
    """The seconds for an answer within these limits."""
    return limits.seconds - min(_RESERVE, limits.seconds / _SHARE)


def _check(question: Question, seconds: float) -> Answer:
    """`findings`, each with line, column, severity and text."""
    return {"findings": findings_json(check(client_rule(question), time_limit=seconds).findings)}


def findings_json(found: Iterable[Message]) -> list[dict[str, Any]]:
    """Findings, each with line, column, severity and text."""
    return [
        {"line": each.line, "column": each.column, "severity": each.severity, "text": each.text}
        for each in found
    ]


def _equal(question: Question, seconds: float) -> Answer:
    """The `relation` to the bundled rule `reference`, in words, which name rules without paths and
    say which others were given, with the grids that show it.

    retracted: the arguments of facts `ab(NAME).` and `ab(NAME,TERM).` that hold on the page; those
    of the base and of the default rules also hold in the comparison, and the words name the others
    with a term
    """
    reference = _bundled(question, "reference")
    rule = client_rule(question)
    game = [library.base(), *(each for each in library.defaults() if each != reference)]
    known = frozenset().union(*(each.retractable for each in game))
    retracted = strings(question, "retracted")
    without = [name for name in retracted if name in known]
    exceptions = [each for each in retracted if "," in each]
    hold = [f"ab({each})" for each in exceptions if each.partition(",")[0] in known]
    others = [fact for each in exceptions if (fact := f"ab({each})") not in hold]
    comparison = equivalent(rule, reference, without=without, facts=hold, time_limit=seconds)
    answer = joined(comparison.sections())
    names = {each.place: each.name for each in (rule, reference)}
    place = rf"(?<![\w/-])({'|'.join(map(re.escape, names))})(:\d+)?"
    answer["text"] = re.sub(place, lambda found: names[found[1]], answer["text"])
    if given := comparison.data.given:
        answer["text"] = f"given {enumerated(given)}:\n{answer['text']}"
    if hold:
        answer["text"] += f"\n\nwith the exceptions {' '.join(f'{each}.' for each in hold)}"
    if others:
        answer["text"] += f"\n\nwithout the exceptions {' '.join(f'{each}.' for each in others)}"
    if comparison.relation == "undecided":
        answer["text"] += (
            f"\n\nA comparison on this page ends after {seconds:.1f} s. Save the rule and give it"
            f" more: aspdoku equal ./{rule.name}.lp {reference.name} --time-limit 600"
            + "".join(f" --without {name}" for name in without)
        )
    return {"relation": comparison.relation, **answer}


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
    claim = text_of(question, "claim")
    reason = why(program_of(question), claim, time_limit=seconds)
    return {"steps": steps(reason.data) if reason.data else [], **joined(reason.sections())}


def _depends(question: Question, seconds: float) -> Answer:
    """The rules that each cell depends on, or one `cell`; `result` is the JSON of the command."""
    cell = text_of(question, "cell") if "cell" in question else None
    found = depends(program_of(question), cell, time_limit=seconds)
    return {"result": found.to_json(), **joined(found.sections())}


def _load(question: Question, _: object) -> Answer:
    """The parts of the page about a puzzle, which is a text in any format or `example:NAME`."""
    return parts(program_of(question))


def _drawing(question: Question, _: object) -> Answer:
    """The `drawing` and `named` of the puzzle with the rules that are added to it."""
    return drawings(program_of(question))


def _convert(question: Question, _: object) -> Answer:
    """The `text` of the puzzle in the format `to`."""
    format_ = registry.by_name(text_of(question, "to"))
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
    "drawing": _drawing,
    "convert": _convert,
    "facts": _facts,
}
"""What a page can ask, by kind: functions of the question and the seconds for the answer."""


def joined(sections: Iterable[Section]) -> Answer:
    """The text and the drawings of sections."""
    sections = list(sections)
    return {
        "text": "\n\n".join(section.text for section in sections),
        "drawings": [svg(picture) for section in sections for picture in section.pictures],
    }


def _bundled(question: Question, key: str) -> RuleFile:
    name = text_of(question, key)
    if name not in library.rule_names():
        raise AspdokuError(f"unknown rule {quote(name)}: expected the name of a bundled rule")
    return library.find(name)


def text_of(question: Question, key: str) -> str:
    """A text in a question. Raises AspdokuError for anything else."""
    value = question.get(key)
    if not isinstance(value, str):
        raise AspdokuError(f"invalid question: expected a text in {key}")
    return value
