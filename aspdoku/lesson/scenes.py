"""The lesson as its page shows it: each step with scenes, in which all numbers are computed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from aspdoku.errors import AspdokuError, did_you_mean
from aspdoku.formalisms.engine import stored_changes
from aspdoku.lecture.changes import diff_texts
from aspdoku.lecture.equivalence import RuleComparison, Witness
from aspdoku.lesson.answers import MOST, Answers, numbers_of, short_hash
from aspdoku.lesson.reader import Block, LessonFile, Problems, Step, read_lesson
from aspdoku.lesson.stage import BaseDifference, Code, Quotation, Stage, Stager
from aspdoku.lesson.text import Prose, Span, filled
from aspdoku.program import Program, RuleFile, library
from aspdoku.program.rulefile import EXCEPTIONS
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzlefile.lines import enumerated, pluralize, quote
from aspdoku.runtime.progress import note
from aspdoku.runtime.signals import interruptible

_RELATIONS = {
    "same": "same",
    "one stricter": "stricter",
    "two stricter": "laxer",
    "neither": "different",
    "different": "different",
    "undecided": "undecided",
}
_COMPARED = {
    "same": ("The same", "as"),
    "stricter": ("Stricter", "than"),
    "laxer": ("Laxer", "than"),
    "different": ("Different", "from"),
    "undecided": ("Not decided", "against"),
}
_EXPECTED = ("same", "stricter", "laxer", "different")
_NUMBER = re.compile(r"\d{1,4}\+?")
_FIELDS = ("count", "was", "hash")
_COUNTED = ("solution", "all-solutions", "changes")
_REVEAL = re.compile(r"reveal(?: ([1-9]))?")

Mark = list[object]
"""Row, column, kind, and perhaps a sign."""


@dataclass(frozen=True)
class Verdict:
    """What the verdict says: a number of solutions, and that of the scene before, or words.

    against: with which rule another one was compared, and what shows it
    """

    count: int | None = None
    was: int | None = None
    text: str = ""
    against: str = ""
    is_good: bool = False


@dataclass
class Scene:
    """A stage with what was computed of it.

    before: the scene before in the same step
    block: the directives that led to it
    """

    stage: Stage
    block: Block
    before: Scene | None
    answers: Answers
    own_answer: list[Span] | None = None
    universe: tuple[tuple[int, ...], ...] = ()

    @property
    def expected(self) -> tuple[str, int]:
        """The value of `expect:` and its line."""
        return next(
            ((each.value, each.line) for each in self.block.directives if each.key == "expect"),
            ("", 0),
        )

    @property
    def answer(self) -> list[Span] | None:
        """The answer that is shown: the last one so far."""
        return self.own_answer or (self.before.answer if self.before else None)

    @cached_property
    def program(self) -> Program:
        """The program on the stage."""
        return self.stage.program

    @cached_property
    def count(self) -> int:
        """How many solutions there are, up to one more than are counted. Raises AspdokuError."""
        if not self.stage.puzzle:
            raise AspdokuError("no puzzle is on the stage, so that there is nothing to count")
        return self.answers.count(self.program)

    @property
    def is_counted(self) -> bool:
        """Whether the verdict is the number of solutions."""
        return not self.stage.compare and bool(
            _NUMBER.fullmatch(self.expected[0]) or self.stage.show in _COUNTED
        )

    @property
    def continues(self) -> Scene | None:
        """The scene before, if it has the same puzzle."""
        return (
            self.before if self.before and self.before.stage.puzzle is self.stage.puzzle else None
        )

    @cached_property
    def comparison(self) -> RuleComparison:
        """The relation of the rules that are compared."""
        return self.answers.comparison(self.stage)

    @cached_property
    def witness(self) -> Witness | None:
        """A grid by which the compared rules differ."""
        if not self.stage.compare:
            return None
        return next(iter(self.comparison.witnesses), None)

    @cached_property
    def verdict(self) -> Verdict | None:
        """What the verdict line says."""
        if self.stage.compare:
            return self._compared()
        if not self.is_counted:
            return None
        before = self.continues
        if not before or not (before.is_counted or self.stage.show == "changes"):
            return Verdict(self.count)
        if before.verdict and before.program.text == self.program.text:
            return Verdict(self.count, before.verdict.was)
        return Verdict(self.count, before.count)

    def _compared(self) -> Verdict:
        compared = self.comparison
        relation, other = _RELATIONS[compared.relation], compared.two.name
        words, link = _COMPARED[relation]
        text = words + (f", given {enumerated(compared.given)}." if compared.given else ".")
        if self.witness:
            allows = "forbids" if self.witness.violated == compared.two else "allows"
            return Verdict(text=text, against=f"{link} {other}, which {allows} this grid")
        sizes = enumerated([f"{each.size}×{each.size}" for each in compared.results])
        return Verdict(text=text, against=f"{link} {other}, at {sizes}", is_good=relation == "same")

    @cached_property
    def marks(self) -> tuple[list[Mark], list[tuple[Cell, Cell]]]:
        """Marked cells, and marked pairs. Raises AspdokuError."""
        if self.witness:
            return _involved([self.witness.cells], "bad")
        mark = self.stage.mark
        if not (mark and self.stage.puzzle):
            return [], []
        if not mark.cell:
            return _involved(self.answers.licensed(self.stage, mark), "exception")
        reached = self.answers.reached(mark.rule, mark.cell, self.stage.puzzle)
        other = self.continues and self.continues.stage.mark
        known = reached
        if other and other.cell == mark.cell:
            known = self.answers.reached(other.rule, mark.cell, self.stage.puzzle)
        marks: list[Mark] = [
            [*cell, "reach" if cell in known else "extra"] for cell in sorted(reached)
        ]
        return [[*mark.cell, "from", *([mark.sign] if mark.sign else [])], *marks], []


def _involved(
    violations: list[tuple[Cell, ...]], kind: str
) -> tuple[list[Mark], list[tuple[Cell, Cell]]]:
    """The cells of violations as marks, and those of two cells as pairs."""
    cells = sorted({cell for each in violations for cell in each})
    pairs = [(each[0], each[1]) for each in violations if len(each) == 2]
    return [[*cell, kind] for cell in cells], pairs


@dataclass
class ComputedStep:
    """A step with its scenes, and its prose with all numbers."""

    step: Step
    scenes: list[Scene]
    say: list[Span]
    question: list[Span]
    options: list[tuple[list[Span], bool]]
    notes: list[list[Span]]


@dataclass
class Lesson:
    """A lesson with all that its page shows.

    exercises: the rules that students write
    """

    file: LessonFile
    steps: list[ComputedStep]
    exercises: list[RuleFile]


@interruptible
def lesson(path: Path, place: str = "", *, time_limit: float | None = None) -> Lesson:
    """The lesson in a file, with its numbers computed and its expectations checked.

    place: what messages call the file, by default its path
    time_limit: seconds for all of it
    Raises LessonError with each mistake, RuleError if the file cannot be read, TimeLimitError.
    """
    return computed(read_lesson(path, place), time_limit)


def computed(file: LessonFile, time_limit: float | None = None) -> Lesson:
    """The lesson with its numbers. Raises LessonError with each mistake, TimeLimitError."""
    problems = Problems(file.place)
    stager = Stager(file.folder, problems.add)
    answers = Answers(time_limit)
    staged = [(step, _scenes(step, stager, answers)) for step in file.steps]
    exercises = []
    for name in file.exercises:
        try:
            exercises.append(library.find_for(file.folder, name))
        except AspdokuError as error:
            problems.add(1, f"exercise: {error.on_command_line}")
    problems.require_none()
    steps = [_computed_step(step, scenes, problems) for step, scenes in staged]
    problems.require_none()
    return Lesson(file, steps, exercises)


def _scenes(step: Step, stager: Stager, answers: Answers) -> list[Scene]:
    scenes: list[Scene] = []
    stage = Stage()
    for block in step.blocks:
        before = scenes[-1] if scenes else None
        stage = stager.changed(stage, block)
        scenes.append(Scene(stage, block, before, answers))
    return scenes


def _computed_step(step: Step, scenes: list[Scene], problems: Problems) -> ComputedStep:
    note(step.title)
    for scene in scenes:
        _check(scene, problems)
    _share_walls(scenes, problems)

    def prose(text: Prose, scene: Scene) -> list[Span]:
        try:
            return filled(text.text, _value(scenes, scene))
        except AspdokuError as error:
            problems.add(text.line, error.on_command_line)
            return []

    for scene in scenes:
        if scene.block.answer:
            scene.own_answer = prose(scene.block.answer, scene)
    first, question = scenes[0], step.question
    return ComputedStep(
        step,
        scenes,
        prose(step.say, first),
        prose(question.text, first) if question else [],
        [(prose(text, first), right) for text, right in question.options] if question else [],
        [prose(text, first) for text in step.notes],
    )


def _check(scene: Scene, problems: Problems) -> None:
    """Compute a scene. What fails, and an expectation that does not hold, are problems."""
    expected, line = scene.expected
    line = line or scene.block.line
    try:
        _ = scene.verdict, scene.marks
        if expected and (wrong := _disappointed(scene, expected)):
            problems.add(line, wrong)
        if scene.stage.show == "solution" and not scene.count:
            problems.add(line, "show: there is no solution to show: delete the line")
    except AspdokuError as error:
        if error.exit_code != AspdokuError.exit_code:
            raise
        problems.add(line, error.on_command_line)


def _disappointed(scene: Scene, expected: str) -> str:
    """How an expectation is wrong; empty if it holds."""
    if scene.stage.compare:
        relation = _RELATIONS[scene.comparison.relation]
        if expected not in _EXPECTED:
            return f"invalid expect {quote(expected)}: use one of {', '.join(_EXPECTED)}"
    elif not _NUMBER.fullmatch(expected):
        return (
            f"invalid expect {quote(expected)}: expected a number of solutions, or {MOST}+ for"
            " more; with compare: one of " + ", ".join(_EXPECTED)
        )
    else:
        relation = str(scene.count) if scene.count <= MOST else f"{MOST}+"
    if relation == expected:
        return ""
    return f"expect: {expected}, but it is {relation}: correct the line, or what is on the stage"


def _share_walls(scenes: list[Scene], problems: Problems) -> None:
    """All walls of a step show the same grids, so that the page can show which ones go out."""
    walls = [scene for scene in scenes if scene.stage.show == "all-solutions"]
    grids: set[tuple[int, ...]] = set()
    for scene in walls:
        if scene.count > MOST:
            problems.add(
                scene.block.line,
                f"show: all-solutions, but there are more than {MOST:,}: use a smaller grid",
            )
            return
        grids.update(scene.answers.solutions(scene.program))
    for scene in walls:
        scene.universe = tuple(sorted(grids))


def _value(scenes: list[Scene], scene: Scene) -> Callable[[str, str], str]:
    """What `{name: of}` stands for in a text that appears with a scene."""

    def value(name: str, of: str) -> str:
        if name == "count":
            return number_in_words(_scene_called(of, scenes, scene).count)
        if name == "was" and not of:
            if not scene.before:
                raise AspdokuError("{was} has no meaning here: there is no scene before this one")
            return number_in_words(scene.before.count)
        if name == "hash":
            standing = [*scene.stage.standing, *scene.stage.added]
            known = {rule.name: rule for rule in standing[1:]} | {"base": library.base()}
            if of not in known:
                hint = did_you_mean(of, list(known))
                raise AspdokuError(
                    f"unknown rule in {{hash: {of}}}.{hint} Rules on the tower: {', '.join(known)}"
                )
            return short_hash(known[of])
        hint = did_you_mean(name, list(_FIELDS))
        raise AspdokuError(
            f"unknown value {{{name}}}.{hint} Values: {{count}}, {{count: reveal}}, {{was}},"
            " {hash: base}; braces that are code are between backticks"
        )

    return value


def _scene_called(of: str, scenes: list[Scene], scene: Scene) -> Scene:
    if not of:
        return scene
    match = _REVEAL.fullmatch(of)
    index = int(match[1] or 1) if match else 0
    if not 0 < index < len(scenes):
        raise AspdokuError(
            f"unknown scene in {{count: {of}}}: use {{count}}, or {{count: reveal}} for the first"
            " reveal of the step, {count: reveal 2} for the second"
        )
    return scenes[index]


def number_in_words(count: int) -> str:
    """A number of solutions: `1,000+` if not all were counted."""
    return f"{count:,}" if count <= MOST else f"{MOST:,}+"


def retractions(facts: list[str]) -> str:
    """Facts ab(…) as a program has them."""
    return " ".join(f"{EXCEPTIONS}({fact})." for fact in facts)


def summary(computed: Lesson) -> str:
    """The steps with their minutes and numbers, as lines."""
    lines = []
    for number, each in enumerate(computed.steps, 1):
        results = [_found(scene) for scene in each.scenes]
        numbers = " → ".join(filter(None, results))
        line = f"{number:>2}  {each.step.minutes:>2} min  {each.step.title}"
        lines.append(f"{line}: {numbers}" if numbers else line)
    minutes = computed.file.minutes
    lines.append(f"{pluralize(len(computed.steps), 'step')}, {pluralize(minutes, 'minute')}")
    return "\n".join(lines)


def _found(scene: Scene) -> str:
    if scene.stage.compare:
        return _RELATIONS[scene.comparison.relation]
    return number_in_words(scene.count) if scene.is_counted else ""


def base_change(scene: Scene) -> dict[str, Any] | None:
    """The base other than ours on the stage, and what changed of it, in statements."""
    stage = scene.stage
    if not stage.base_name:
        return None
    before = scene.continues
    while before and before.stage.rules[0] == stage.rules[0]:
        before = before.continues
    was, added, removed = None, 0, 0
    if before:
        diff = diff_texts(before.program, scene.program)
        was = short_hash(before.stage.rules[0])
        added, removed = len(diff.added), len(diff.removed)
    return {
        "name": stage.base_name,
        "hash": short_hash(stage.rules[0]),
        "was": was,
        "added": added,
        "removed": removed,
    }


def code_data(scene: Scene) -> dict[str, Any] | None:
    """What is on the slide."""
    code = scene.stage.code
    if isinstance(code, Quotation):
        return {"quote": [["", code.text]], "by": [["", code.by]]}
    if isinstance(code, Code):
        return {
            "brick": code.name,
            "text": code.rule.text,
            "statements": list(code.statements) if code.statements else None,
        }
    if isinstance(code, BaseDifference):
        return {"diff": _difference(code.before, scene.stage.rules[0])}
    return None


def _difference(before: RuleFile, after: RuleFile) -> list[list[str]]:
    """The lines of two texts without comments, with signs."""
    old, new = (
        [line.rstrip() for line in rule.code.splitlines() if line.strip()]
        for rule in (before, after)
    )
    matched = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    parts = []
    for kind, old_first, old_end, new_first, new_end in matched:
        if kind == "equal":
            parts += [[" ", line] for line in old[old_first:old_end]]
        else:
            parts += [["-", line] for line in old[old_first:old_end]]
            parts += [["+", line] for line in new[new_first:new_end]]
    return parts


def fresh(scene: Scene) -> dict[str, list[str]]:
    """The bricks and facts that the scene before did not have; none if it was another puzzle."""
    before = scene.continues
    if not before:
        return {"bricks": [], "facts": []}

    def bricks(stage: Stage) -> list[str]:
        if stage.tower == "none":
            return []
        return ["base", *(rule.name for rule in (*stage.standing[1:], *stage.added))]

    known = bricks(before.stage)
    facts = [each for each in scene.stage.retracted if each not in before.stage.retracted]
    return {
        "bricks": [name for name in bricks(scene.stage) if name not in known],
        "facts": [f"{EXCEPTIONS}({fact})" for fact in facts],
    }


def costs(scene: Scene) -> list[dict[str, Any]] | None:
    """What changes take in each formalism."""
    return [stored_changes()[name] for name in scene.stage.formalisms] or None


def grid_of(scene: Scene) -> list[int] | None:
    """The grid that is shown instead of the puzzle: a witness, or a solution."""
    if scene.witness:
        return list(numbers_of(scene.witness.grid))
    if scene.stage.show != "solution":
        return None
    solution = scene.answers.solution(scene.program)
    return list(numbers_of(solution)) if solution else None
