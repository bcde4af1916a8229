"""A class: its exercises, who has joined, what was handed in, and the game "guess the rule".

Hand-ins are grouped by their counterexample: a new one is first tried on the grids that are known
already, the most frequent one first, and only if it is right on all of them is one searched for.
Right ones are grouped by `program.wording`, others by their first error. Clients are numbered in
order; no name is kept, and what the wall shows of a rule contains neither comments nor its name.

`STUDENT` and `LECTURER` are the questions of the two pages. A question that needs clingo gets a
function that calls another one in a child process with limits; the others are answered at once.
"""

from __future__ import annotations

import re
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple, Self

from aspdoku.errors import AspdokuError
from aspdoku.lecture.equivalence import Witness
from aspdoku.lecture.grading import (
    Assessment,
    Exercise,
    Reason,
    Verdict,
    assess_rule,
    refuted,
)
from aspdoku.program import RuleFile, library
from aspdoku.program.wording import without_remarks, wording
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.questions.check import (
    assessment_sections,
    grading_summary,
    verdict_reason,
    wrong_grids,
)
from aspdoku.runtime.child import DEFAULT_LIMITS, Aborted, Limits, run_limited
from aspdoku.web.guessing import (
    SECONDS,
    Guess,
    begin,
    proceed,
    size_of,
    titles_of_hidden,
)
from aspdoku.web.page import client_rule
from aspdoku.web.questions import (
    Answer,
    Question,
    answered,
    findings_json,
    joined,
    know_bundled_rules_only,
)
from aspdoku.writing import write

Kind = Literal["right", "too lax", "too strict", "error"]
Call = Callable[..., Any]
"""Calls a function in a child process: its value, or why it was `Aborted`."""

_KINDS: tuple[Kind, ...] = ("right", "too lax", "too strict", "error")
_TASK = "Write a rule that is equivalent to the reference."
_CLIENT = re.compile(r"[A-Za-z0-9_-]{1,64}")
# Clients in all, and those of one address, as a class behind a router has: more are not counted.
_MOST_CLIENTS, _CLIENTS_EACH = 1000, 100
_LONGEST_TIME = 24 * 60  # minutes
# Grids on which a hand-in is tried, and those that are kept.
_MOST_TRIED, _MOST_KNOWN = 20, 100
_LONGEST_EXAMPLE = 2000  # characters of a rule, or an error, on the wall
_OWN_NAME = "mine"  # instead of the name of a rule on the wall
_TABLE = "assessments.txt"
_ANY_RULE = RuleFile.from_text(_OWN_NAME, "")  # instead of a rule that a known grid refutes


@dataclass(frozen=True)
class Task:
    """An exercise of a class, as its page shows it: a title and what to do.

    forbidden: the answer to a hand-in without a constraint, which has a grid that the task forbids
    """

    title: str
    task: str
    exercise: Exercise
    forbidden: Answer | None = None

    def to_json(self) -> dict[str, Any]:
        """What a student sees; `hints` is their number."""
        hints = len(self.exercise.reference.hints)
        return {"title": self.title, "task": self.task, "hints": hints}


class Marked(NamedTuple):
    """What is known of a hand-in.

    answer: for the student
    example: the rule as the wall shows it
    group: hand-ins with the same one are in one group
    wording: of a right one
    """

    assessment: Assessment
    answer: Answer
    example: str
    group: Hashable
    wording: str = ""

    @property
    def kind(self) -> Kind:
        """The bar and the kind of group in which it is."""
        kind: Kind = self.answer["kind"]
        return kind


@dataclass(frozen=True)
class HandIn:
    """The text of a client, and the marks that it got; its number among those of this client."""

    client: str
    number: int
    text: str
    marked: Marked


class ExerciseState:
    """One exercise in a class: the grids that are known, all hand-ins, and the latest of each
    client.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.known: dict[Hashable, Witness] = {}
        self.latest: dict[str, HandIn] = {}
        self.saved: list[Assessment] = []
        self.numbers: Counter[str] = Counter()  # hand-ins by client

    def witnesses(self) -> dict[Hashable, Witness]:
        """The known grids, the most frequent one first."""
        counts = Counter(each.marked.group for each in self.latest.values())
        keys = sorted(self.known, key=lambda key: -counts[key])
        return {key: self.known[key] for key in keys[:_MOST_TRIED]}

    def add(self, hand_in: HandIn) -> None:
        """Add a hand-in, and the grid on which it is wrong."""
        before = self.latest.get(hand_in.client)
        if before is None or before.number < hand_in.number:
            self.latest.pop(hand_in.client, None)  # so that the latest one is the last one
            self.latest[hand_in.client] = hand_in
        if grids := wrong_grids(hand_in.marked.assessment):
            witness = grids[0]
            if hand_in.marked.kind == "too lax":
                witness = witness._replace(satisfied=_ANY_RULE)
            else:
                witness = witness._replace(violated=_ANY_RULE)
            self.known.setdefault(hand_in.marked.group, witness)
        if len(self.known) > _MOST_KNOWN:
            self.known = self.witnesses()

    def groups(self) -> Iterator[dict[str, Any]]:
        """The groups as JSON: right ones, then the others by size, then errors."""
        members: dict[Hashable, list[HandIn]] = defaultdict(list)
        for each in self.latest.values():
            members[each.marked.group].append(each)
        order = {"right": 0, "error": 2}
        for group in sorted(
            members.values(), key=lambda found: (order.get(found[0].marked.kind, 1), -len(found))
        ):
            yield _group(group, self.task)


class Classroom:
    """The state of a class; its methods may be called by several threads.

    folder: where each hand-in is saved, with a table of the verdicts; None to save nothing
    clock: the seconds since some point in time
    random: chooses hidden rules
    """

    def __init__(
        self,
        tasks: Iterable[Task],
        folder: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
        random: Random | None = None,
    ) -> None:
        self._states = [ExerciseState(task) for task in tasks]
        self._folder, self._clock, self._random = folder, clock, random or Random()
        self._lock, self._guess_lock = threading.Lock(), threading.Lock()
        self._clients: dict[str, int] = {}
        self._addresses: Counter[str] = Counter()
        self._version = 1
        self._current = 0
        self._ends: float | None = None
        self._problem: str | None = None
        self._guess: Guess | None = None

    @classmethod
    def of(
        cls,
        rules: Sequence[str],
        tasks: Sequence[str] = (),
        limits: Limits = DEFAULT_LIMITS,
        folder: Path | None = None,
    ) -> Self:
        """A class with the exercises to write these rules, one after another.

        rules: names or paths; the texts of those that are not bundled are hidden
        tasks: what to do in the first exercises; by default the title of a bundled rule
        limits: for marking one hand-in
        folder: as above, new or empty
        Raises AspdokuError if a rule is no exercise, or the folder cannot be used.
        """
        if len(tasks) > len(rules):
            raise AspdokuError(
                f"{pluralize(len(tasks), 'task')} for {pluralize(len(rules), 'exercise')}: state at"
                " most one for each"
            )
        if folder is not None:
            _make_empty(folder)
        made = []
        for index, name in enumerate(rules):
            exercise = Exercise.of(name, limits=limits)
            # The title of a reference that is not bundled is part of a text that is hidden.
            bundled = library.is_bundled(exercise.reference)
            text = exercise.reference.title if bundled else _TASK
            title = f"Exercise {index + 1}" if len(rules) > 1 else "Exercise"
            task = tasks[index] if index < len(tasks) else text
            made.append(Task(title, task, exercise, _forbidden(exercise)))
        return cls(made, folder)

    def exercises(self) -> list[dict[str, Any]]:
        """The exercises as students see them."""
        return [state.task.to_json() for state in self._states]

    # ---- Students ----

    def join(self, question: Question, address: str = "") -> Answer:
        """Count a client, and tell it what is going on."""
        with self._lock:
            self._join(_client(question), address)
            return {
                "version": self._version,
                "exercises": self.exercises(),
                "current": self._current,
                "seconds_left": self._seconds_left(),
                "guess": self._guess.shown(lecturer=False) if self._guess else None,
            }

    def _join(self, client: str, address: str) -> None:
        if client in self._clients:
            return
        if len(self._clients) >= _MOST_CLIENTS or self._addresses[address] >= _CLIENTS_EACH:
            raise AspdokuError("too many have joined from this address: use one browser for each")
        self._clients[client] = len(self._clients) + 1
        self._addresses[address] += 1
        self._version += 1

    def hint(self, question: Question) -> Answer:
        """One hint of the author of the reference, by its number from 1."""
        hints = self._state_of(question).task.exercise.reference.hints
        number = question.get("number")
        if type(number) is not int or not 0 < number <= len(hints):
            raise AspdokuError(f"unknown hint: this exercise has {pluralize(len(hints), 'hint')}")
        return {"text": hints[number - 1]}

    def vote(self, question: Question, address: str = "") -> Answer:
        """Count a vote whether the grid of a round is allowed."""
        client = _client(question)
        with self._lock:
            self._join(client, address)
            if self._guess is None:
                raise AspdokuError("the game is over")
            self._guess.vote(client, question.get("round"), question.get("allowed"))
            self._version += 1
        return {}

    def mark(self, question: Question, call: Call, address: str = "") -> Answer:
        """Mark a hand-in: the `verdict`, and `parts`, each with its text and drawings.

        No line and no text of the reference is in it.
        """
        state, client, rule = self._state_of(question), _client(question), client_rule(question)
        exercise = state.task.exercise
        with self._lock:
            self._join(client, address)
            state.numbers[client] += 1
            number, known = state.numbers[client], state.witnesses()
        try:
            value = call(_mark, rule, exercise, [*known.values()])
        except AspdokuError as error:  # its text may quote the reference
            value = Aborted("crashed", type(error).__name__)
        marked = value if isinstance(value, Marked) else _stopped(rule, exercise, value)
        with self._lock:
            # Grids that were found meanwhile: the same mistake is one group.
            more = {key: each for key, each in state.known.items() if key not in known}
        if more and marked.kind in ("too lax", "too strict") and marked.group not in state.known:
            again = call(_mark_by_known, rule, exercise, [*more.values()])
            marked = again if isinstance(again, Marked) else marked
        with self._lock:
            hand_in = HandIn(client, number, rule.text, marked)
            state.add(hand_in)
            self._version += 1
            if self._folder is not None:
                self._save(self._folder, state, hand_in)
        return {**marked.answer, "hints_total": len(exercise.reference.hints)}

    def _save(self, folder: Path, state: ExerciseState, hand_in: HandIn) -> None:
        """Save a hand-in whose last line is a comment with its verdict, and the table of all."""
        verdict, number = hand_in.marked.assessment.verdict, self._states.index(state) + 1
        client = self._clients[hand_in.client]
        name = f"exercise-{number}-client-{client:02}-{hand_in.number}.lp"
        state.saved.append(Assessment(name, verdict))
        text = f"{hand_in.text.rstrip()}\n% verdict: {verdict}\n"
        table = "\n\n".join(
            f"{each.task.title}: {each.task.task}\n{grading_summary(each.saved)}"
            for each in self._states
            if each.saved
        )
        try:
            # A lone surrogate, which JSON allows, is in no file.
            write(folder / name, text.encode(errors="replace"))
            write(folder / _TABLE, f"{table}\n".encode(errors="replace"))
        except OSError as error:
            self._problem = f"{error.filename} was not saved: {error.strerror}"

    # ---- The lecturer ----

    def wall(self, question: Question) -> Answer:
        """What the wall shows, or only its version if nothing has changed `since` that version."""
        with self._lock:
            if question.get("since") == self._version:
                return {"version": self._version}
            return {
                "version": self._version,
                "joined": len(self._clients),
                "seconds_left": self._seconds_left(),
                "problem": self._problem,
                "guess": self._guess.shown(lecturer=True) if self._guess else None,
                "hidden_rules": [
                    {"name": name, "title": title} for name, title in titles_of_hidden().items()
                ],
                **(self._shown(self._states[self._current]) if self._states else _NOTHING),
            }

    def _shown(self, state: ExerciseState) -> Answer:
        bars = Counter(each.marked.kind for each in state.latest.values())
        own = {"index": self._current, "number_of": len(self._states)}
        return {
            "exercise": {**state.task.to_json(), **own},
            "handed": len(state.latest),
            "bars": {kind: bars[kind] for kind in _KINDS},
            "groups": list(state.groups()),
        }

    def choose(self, question: Question) -> Answer:
        """Move on, or back, to the exercise with an index."""
        state = self._state_of(question, "index")
        with self._lock:
            self._current = self._states.index(state)
            self._ends = None
            self._version += 1
        return {}

    def limit_time(self, question: Question) -> Answer:
        """Show how many of these minutes are left; None for no clock. Nothing ends by itself."""
        minutes = question.get("minutes")
        if minutes is not None and not (
            type(minutes) in (int, float) and 0 < minutes <= _LONGEST_TIME
        ):
            raise AspdokuError(f"invalid time: expected 1 to {_LONGEST_TIME} minutes, or null")
        with self._lock:
            self._ends = None if minutes is None else self._clock() + 60 * minutes
            self._version += 1
        return {}

    def guess(self, question: Question, call: Call) -> Answer:
        """`action`: "start" a game, "next" to reveal the answer of a round, or "end" it."""
        action = question.get("action")
        with self._guess_lock:
            game = self._guess
            if action == "start":
                game = self._started(question, call)
            elif action == "next":
                if game is None:
                    raise AspdokuError("no game has begun: start one")
                if question.get("round") == game.round and game.move.grid is not None:
                    hidden, left = game.hidden, game.move.after
                    move = answered(call(proceed, game.size, hidden, left, seconds=SECONDS))
                    with self._lock:
                        game.advance(move)
            elif action == "end":
                game = None
            else:
                raise AspdokuError("unknown action: use start, next or end")
            with self._lock:
                self._guess = game
                self._version += 1
                return {"guess": game.shown(lecturer=True) if game else None}

    def _started(self, question: Question, call: Call) -> Guess:
        size, chosen = size_of(question.get("size")), question.get("rule")
        known = titles_of_hidden()
        names = self._random.sample([*known], len(known))
        if chosen is not None:
            if not isinstance(chosen, str) or chosen not in known:
                raise AspdokuError(f"unknown rule: use one of {', '.join(known)}")
            names = [chosen]
        return Guess(size, answered(call(begin, size, names, seconds=SECONDS)))

    # ---- Both ----

    def _seconds_left(self) -> float | None:
        return None if self._ends is None else max(0.0, self._ends - self._clock())

    def _state_of(self, question: Question, key: str = "exercise") -> ExerciseState:
        index = question.get(key)
        if type(index) is not int or not 0 <= index < len(self._states):
            raise AspdokuError(f"unknown exercise: expected a number below {len(self._states)}")
        return self._states[index]


_NOTHING: Answer = {"exercise": None, "handed": 0, "bars": dict.fromkeys(_KINDS, 0), "groups": []}


STUDENT: dict[str, Callable[[Classroom, Question, Call, str], Answer]] = {
    "mark": lambda room, question, call, address: room.mark(question, call, address),
    "hint": lambda room, question, _, __: room.hint(question),
    "join": lambda room, question, _, address: room.join(question, address),
    "vote": lambda room, question, _, address: room.vote(question, address),
}
"""The questions of students about a class, by kind."""

LECTURER: dict[str, Callable[[Classroom, Question, Call], Answer]] = {
    "wall": lambda room, question, _: room.wall(question),
    "exercise": lambda room, question, _: room.choose(question),
    "time": lambda room, question, _: room.limit_time(question),
    "guess": lambda room, question, call: room.guess(question, call),
}
"""The questions of the lecturer about a class, by kind."""


def joining(addresses: Sequence[str], code: str) -> dict[str, Any]:
    """How students join, as JSON: the `address` to type, all `addresses`, the `code`, and as `qr`
    the address with the code, an SVG path of the dark squares and the number of squares in a row;
    None without the package segno.
    """
    qr = None
    if find_spec("segno"):
        import segno  # type: ignore[import-not-found, unused-ignore]  # an extra

        matrix = segno.make(f"{addresses[0]}?token={code}", micro=False).matrix
        drawn = "".join(
            f"M{column} {row}h1v1h-1z"
            for row, line in enumerate(matrix)
            for column, dark in enumerate(line)
            if dark
        )
        qr = {"d": drawn, "size": len(matrix)}
    shown = [address.removeprefix("http://").removesuffix("/") for address in addresses]
    return {"address": shown[0], "addresses": shown, "code": code, "qr": qr}


def _client(question: Question) -> str:
    client = question.get("client")
    if not isinstance(client, str) or not _CLIENT.fullmatch(client):
        raise AspdokuError("invalid client: expected 1 to 64 letters, digits, - and _")
    return client


def _forbidden(exercise: Exercise) -> Answer | None:
    """The answer to a hand-in without a constraint; None if that takes too long."""
    marked = run_limited(exercise.limits, _mark, _ANY_RULE, exercise, ())
    return marked.answer if isinstance(marked, Marked) else None


def _make_empty(folder: Path) -> None:
    """Make a folder, unless it exists and is empty. Raises AspdokuError."""
    try:
        folder.mkdir(exist_ok=True)
        used = any(folder.iterdir())
    except OSError as error:
        raise AspdokuError(f"cannot save to {folder}: {error.strerror or error}") from None
    if used:
        raise AspdokuError(f"cannot save to {folder}: it is not empty: name a new folder")


# ---- In a child process ----


def _mark(rule: RuleFile, exercise: Exercise, known: Sequence[Witness]) -> Marked:
    know_bundled_rules_only()
    return _described(assess_rule(rule, exercise, known), rule, exercise)


def _mark_by_known(rule: RuleFile, exercise: Exercise, known: Sequence[Witness]) -> Marked | None:
    """The marks by these grids, without a search; None if the rule is right on all of them."""
    know_bundled_rules_only()
    assessment = refuted(rule, exercise, known)
    return _described(assessment, rule, exercise) if assessment else None


def _stopped(rule: RuleFile, exercise: Exercise, why: Aborted) -> Marked:
    crashed = why.limit == "crashed"
    text = "an error of which no details are shown" if crashed else why.text
    verdict: Verdict = "crashed" if crashed else "gave up"
    return _described(Assessment(rule.place, verdict, reason=Reason(text)), rule, exercise)


def _described(assessment: Assessment, rule: RuleFile, exercise: Exercise) -> Marked:
    """The marks with the answer for the student, and what groups them."""
    group: Hashable = "error"
    kind: Kind = "error"
    if assessment.verdict == "right":
        group = kind = "right"
    grids = wrong_grids(assessment)
    if grids:
        witness = grids[0]
        kind = "too lax" if witness.violated == exercise.reference else "too strict"
        facts = frozenset(map(str, witness.facts))
        group = (kind, witness.grid.rows, facts)
    answer = {
        "verdict": assessment.verdict,
        "kind": kind,
        "findings": findings_json(assessment.findings),
        "parts": [joined([each]) for each in assessment_sections(assessment, exercise)],
        **(_grid(grids[0]) if grids else _NO_GRID),
    }
    form = wording(rule) if kind == "right" else ""
    return Marked(assessment, answer, _anonymous(rule), group, form)


_NO_GRID: dict[str, Any] = {"size": None, "grid": None, "cells": [], "pairs": [], "facts": []}


def _grid(witness: Witness) -> dict[str, Any]:
    cells = sorted(set(witness.cells))
    return {
        "size": witness.grid.puzzle.size,
        "grid": "".join(str(number) for row in witness.grid.rows for number in row),
        "cells": cells,
        "pairs": [cells] if len(cells) == 2 else [],
        "facts": [f"{fact}." for fact in witness.facts],
    }


def _anonymous(rule: RuleFile) -> str:
    """The text of a rule as the wall shows it."""
    symbol = re.escape(rule.name.replace("-", "_"))
    text = re.sub(rf"(?<![\w']){symbol}(?![\w'])", _OWN_NAME, without_remarks(rule))
    return _shortened(text)


# ---- The wall ----


def _group(hand_ins: Sequence[HandIn], task: Task) -> dict[str, Any]:
    """A group as JSON; its example is the latest one of the most frequent rule."""
    texts = Counter(each.marked.example for each in hand_ins)
    marked = max(reversed(hand_ins), key=lambda each: texts[each.marked.example]).marked
    answer = (marked.kind == "right" and task.forbidden) or marked.answer
    drawings = [each for part in answer["parts"] for each in part["drawings"]]
    title, words = _words(marked, hand_ins, answer)
    return {
        "kind": marked.kind,
        "count": len(hand_ins),
        "title": title,
        "words": words,
        **{key: answer[key] for key in _NO_GRID},
        "drawing": drawings[0] if drawings and answer["facts"] else None,
        "example": marked.example,
        "wordings": _counted(
            (each.marked.wording, {"text": each.marked.example})
            for each in hand_ins
            if each.marked.kind == "right"
        ),
        "errors": _counted(
            (text, {"text": text, "example": each.marked.example})
            for each in hand_ins
            if each.marked.kind == "error"
            for text in [_error(each.marked.assessment, task.exercise)]
        ),
    }


def _words(marked: Marked, hand_ins: Sequence[HandIn], answer: Answer) -> tuple[str, str]:
    """The title of a group, and a sentence about its example and the grid of an answer."""
    if marked.kind == "error":
        return "Cannot be used", "These are not compared with the task."
    cells = " and ".join(f"r{row}c{column}" for row, column in answer["cells"])
    where = f": {cells}" if len(answer["cells"]) <= 2 and cells else ""
    if marked.kind == "right":
        number = len({each.marked.wording for each in hand_ins})
        comparison = marked.assessment.comparison
        sizes = [f"{each.size}×{each.size}" for each in comparison.results] if comparison else []
        them, they = ("them", "They forbid") if len(hand_ins) > 1 else ("it", "It forbids")
        return (
            "Right" + (f", in {number} wordings" if number > 1 else ""),
            f"No grid distinguishes {them} from the task ({', '.join(sizes)})."
            + (f" {they} this one, for example{where}." if answer["grid"] else ""),
        )
    if marked.kind == "too lax":
        return "Too lax", f"The rule allows this grid. The task forbids it{where}."
    return "Too strict", f"The rule forbids this grid{where}. The task allows it."


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_EXAMPLE else f"{text[:_LONGEST_EXAMPLE]} …"


def _counted(found: Iterable[tuple[str, dict[str, str]]]) -> list[dict[str, Any]]:
    """The number of entries with each key, most first, with the first of these entries."""
    first: dict[str, dict[str, str]] = {}
    counts: Counter[str] = Counter()
    for key, entry in found:
        counts[key] += 1
        first.setdefault(key, entry)
    return [{"count": count, **first[key]} for key, count in counts.most_common()]


def _error(assessment: Assessment, exercise: Exercise) -> str:
    """Why a hand-in has no comparison, in a line."""
    errors = [each for each in assessment.findings if each.severity == "error"]
    if assessment.verdict == "cannot be used" and errors:
        return _shortened(errors[0].text)
    return f"{assessment.verdict}: {verdict_reason(assessment, exercise.display_name)}"
