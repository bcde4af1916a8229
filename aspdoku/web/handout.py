"""Handouts: one self-contained page with a puzzle, its program, evidence, an explanation and
exercises, which solves in the reader's browser, from a disk and without a network.

Without scripts, and printed, all of it can be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple, Unpack

from aspdoku.drawing import NO_MARKS, NOTEBOOK_SECONDS, Marks, picture_of_program
from aspdoku.drawing.output import svg
from aspdoku.errors import RuleError, TimeLimitError
from aspdoku.lecture.elaboration import ElaborationStep
from aspdoku.markup import render
from aspdoku.program import Program, RuleFile, library
from aspdoku.puzzle import Solution
from aspdoku.questions.elaborate import elaborate, example_grids, notes, step_facts
from aspdoku.questions.explain import explain
from aspdoku.questions.solve import solve
from aspdoku.questions.source import RuleOptions, Source, program_of
from aspdoku.questions.steps import elaboration_colours
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.signals import interruptible
from aspdoku.web.board import drawing_of_rule
from aspdoku.web.game import game
from aspdoku.web.page import (
    ENGINE,
    STYLES,
    embedded,
    explanation_parts,
    for_clients,
    parts,
    policy,
    print_drawing,
    rules_to_add,
    script_in_page,
    static,
)


class Evidence(NamedTuple):
    """What a rule file changes and preserves: headings with a sentence, and perhaps a drawing."""

    step: ElaborationStep
    facts: list[tuple[str, str, str]]


class Exercise(NamedTuple):
    """A question with its answer in words, and perhaps a drawing."""

    question: str
    answer: list[str]
    drawing: str = ""


@interruptible
def handout(
    puzzle: Source,
    *,
    time_limit: float | None = 60.0,
    static_only: bool = False,
    **rules: Unpack[RuleOptions],
) -> str:
    """A self-contained page, as HTML: the puzzle, its program, what each rule changes and
    preserves, the solution step by step, and exercises. It solves in the reader's browser, where
    bundled rules that need no clues can be added.

    time_limit: seconds, of which evidence may take half; steps that are not found by then are
        missing, and the page has a note
    static_only: without scripts, so that the page is small and does not solve
    The other arguments are those of `solve`.
    Raises NoSolutionError if the puzzle has no solution, PuzzleError or RuleError, and
    TimeLimitError if it is not solved by then.
    """
    program = for_clients(program_of(puzzle, time_limit, **rules))
    deadline = Deadline(time_limit)
    found = solve(program, time_limit=deadline.time_limit())
    solution = found.solution if found.status != "several" else None
    report = elaborate(program, time_limit=_half(deadline)).data
    data = parts(program) | _explanation(program, deadline, time_limit)
    if not static_only:
        data["game"] = game()
        data["library"] = [
            rule | {"drawn": _drawn(program, rule["name"])} if rule["isDrawn"] else rule
            for rule in rules_to_add()
            if not rule["inputs"]
        ]
    style = "".join(static(name).decode() for name in STYLES)
    script = "" if static_only else script_in_page()
    return render(
        "handout.html.j2",
        data=data,
        program=program,
        drawing=print_drawing(program),
        style=style,
        script=script,
        policy=policy(style, script),
        embedded={} if static_only else {name: embedded(name) for name in ENGINE},
        licences="" if static_only else static("LICENSES.txt").decode(),
        evidence=[_evidence(program, step) for step in report.steps],
        notes=notes(report),
        exercises=list(_exercises(program, solution, data["steps"], deadline)),
    )


def _drawn(program: Program, name: str) -> dict[str, str] | None:
    """What a bundled rule adds to the drawing; None if the page cannot add it."""
    if rule := library.bundled_rule(name):
        with suppress(RuleError, TimeLimitError):
            return drawing_of_rule(program, rule)
    return None


def _half(deadline: Deadline) -> float | None:
    """Half of the time that is left."""
    left = deadline.time_limit()
    return None if left is None else left / 2


def _explanation(program: Program, deadline: Deadline, time_limit: float | None) -> dict[str, Any]:
    """The explanation, as far as the time suffices. time_limit: that of the handout, in seconds"""
    seconds = 0.0 if time_limit is None else time_limit
    try:
        found = explain(program, time_limit=deadline.time_limit())
    except TimeLimitError:
        sentence = f"Cut off after {round(seconds, 1):g} s: no step was found."
        return {"steps": [], "complete": False, "cut_off": sentence}
    return explanation_parts(found.data, seconds)


def _evidence(program: Program, step: ElaborationStep) -> Evidence:
    drawings = {
        heading: _drawing(program, grid, Marks(cells=cells, axes=True))
        for heading, grid, cells in example_grids(step)
    }
    return Evidence(
        step, [(name, words, drawings.get(name, "")) for name, words in step_facts(step)]
    )


def _exercises(
    program: Program,
    solution: Solution | None,
    explanation: list[dict[str, Any]],
    deadline: Deadline,
) -> Iterator[Exercise]:
    """Exercises for any rules: solve the puzzle, retract a rule, find the first step that needs an
    elaboration.
    """
    if solution:
        yield Exercise(
            f"Solve the puzzle. Its solution is unique{program.puzzle.caveat}.",
            [],
            _drawing(program, solution, NO_MARKS),
        )
    for rule in _retractable(program):
        if deadline.passed:
            return
        name = rule.name.replace("-", "_")
        fewer = program.changed(retracted=[rule.name])
        found = solve(fewer, time_limit=deadline.time_limit())
        if found.status in ("unique", "several"):
            yield Exercise(
                f"{rule.title} The fact ab({name}). retracts this rule. Is there one solution then,"
                " or are there several?",
                [f"{'One' if found.status == 'unique' else 'Several'}{program.puzzle.caveat}."],
            )
    elaborations = elaboration_colours(program)
    for step in explanation:
        if any(source in elaborations for line in step["lines"] for _, source in line["spans"]):
            yield Exercise(
                "Find the first step of the explanation that needs an elaboration. Why does it"
                " follow?",
                [_words(line) for line in step["lines"]],
            )
            return


def _words(line: dict[str, Any]) -> str:
    return " ".join([line["lead"], "".join(text for text, _ in line["spans"])])


def _retractable(program: Program) -> list[RuleFile]:
    """The active rule files, without the base, that a fact retracts."""
    return [
        part.rule
        for part in program.parts[1:]
        if part.rule.name.replace("-", "_") in part.rule.retractable
        and part.rule.name not in program.puzzle.without
    ]


def _drawing(program: Program, grid: Solution, marks: Marks) -> str:
    shown = picture_of_program(
        program, grid, marks, captions=False, title="", time_limit=NOTEBOOK_SECONDS
    )
    return svg(shown)
