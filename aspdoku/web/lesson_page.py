"""The pages of a lesson: for a lecturer with a server, in one file, and sheets to print.

All of them contain `lesson_data(lesson)` as JSON, of which the scripts make all that is seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import starmap, zip_longest
from typing import Any, NamedTuple

from aspdoku.lesson import Lesson
from aspdoku.lesson.answers import MOST
from aspdoku.lesson.scenes import (
    ComputedStep,
    Scene,
    base_change,
    code_data,
    costs,
    fresh,
    grid_of,
    number_in_words,
    retractions,
)
from aspdoku.markup import render
from aspdoku.program import Program, RuleFile, assemble, library
from aspdoku.web.page import (
    ENGINE,
    embedded,
    for_clients,
    parts,
    policy,
    rule_parts,
    script_in_page,
    scripts,
    static,
)

STYLES = ("tokens.css", "aspdoku.css", "slide.css", "lesson.css")
SHEET_STYLES = ("tokens.css", "aspdoku.css", "sheet.css")
_SHOWN = {"changes": "candidates-changed"}
_ROOM = 3  # lines for a rule that students write
_LONGEST_CODE = 300  # characters of a rule next to the puzzle of a sheet


class _Puzzles:
    """The puzzles of scenes as the page needs them, each once."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, frozenset[RuleFile]], int] = {}
        self.data: list[dict[str, Any]] = []

    def index(self, program: Program, added: Iterable[RuleFile] = ()) -> int:
        """The index of a program.

        added: rules that scenes add, for the drawing
        """
        key = program.text, frozenset(added)
        if key not in self._known:
            self._known[key] = len(self.data)
            drawn = _drawn(program, added)
            self.data.append(parts(for_clients(program), for_clients(drawn)))
        return self._known[key]


def _drawn(program: Program, added: Iterable[RuleFile]) -> Program:
    """The program with rules that a scene adds, and without facts that none of its rules reads:
    a drawing would list them.
    """
    rules = [*program.rules, *added]
    known = {item.signature for rule in rules for item in rule.inputs}
    facts = tuple(fact for fact in program.puzzle.facts if fact.signature in known)
    return program.changed(rules, facts=facts)


def lesson_data(lesson: Lesson) -> dict[str, Any]:
    """A lesson as JSON for the scripts; `join` is to be filled in.

    puzzles, library: see `page.parts` and `page.rule_parts`; scenes name puzzles by their indices
    steps: each with title, minutes, say, question, notes and scenes; texts are lists of kind and
    text, see `aspdoku.lesson.text`
    sheet: the tasks of the sheets
    Raises AspdokuError, TimeLimitError.
    """
    puzzles, added = _Puzzles(), dict[RuleFile, None]()
    steps = []
    for step in lesson.steps:
        for scene in step.scenes:
            added |= dict.fromkeys(scene.stage.added)
        steps.append(_step(step, puzzles))
    return {
        "title": lesson.file.title,
        "minutes": lesson.file.minutes,
        "exercises": [rule.name for rule in lesson.exercises],
        "join": None,
        "steps": steps,
        "sheet": _sheet(lesson, puzzles),
        "puzzles": puzzles.data,
        "library": list(map(rule_parts, added)),
    }


def _step(step: ComputedStep, puzzles: _Puzzles) -> dict[str, Any]:
    return {
        "title": step.step.title,
        "minutes": step.step.minutes,
        "say": step.say,
        "question": _question(step),
        "notes": step.notes,
        "scenes": [_scene(scene, puzzles, _drawn_rules(step, scene)) for scene in step.scenes],
    }


def _drawn_rules(step: ComputedStep, scene: Scene) -> tuple[RuleFile, ...]:
    """The drawn rules of a scene that are not those of the puzzle. Candidates can be compared
    with those of the scene before only if both have one drawing.
    """
    if any(each.stage.show == "changes" for each in step.scenes):
        same = (e for e in step.scenes if e.stage.puzzle is scene.stage.puzzle)
        return tuple(dict.fromkeys(rule for each in same for rule in each.stage.added))
    return scene.stage.added


def _question(step: ComputedStep) -> dict[str, Any] | None:
    if not step.question:
        return None
    options = [{"text": text, "right": right} for text, right in step.options]
    return {"text": step.question, "options": options}


class _Shown(NamedTuple):
    """A scene as JSON; it is complete, so that the page can begin with any."""

    puzzle: int | None
    state: dict[str, list[str]]
    tower: str
    board: dict[str, Any]
    code: dict[str, Any] | None
    verdict: dict[str, Any] | None
    base: dict[str, Any] | None
    answer: list[list[str]] | None
    fresh: dict[str, list[str]]


def _scene(scene: Scene, puzzles: _Puzzles, added: tuple[RuleFile, ...]) -> dict[str, Any]:
    stage, verdict = scene.stage, scene.verdict
    marks, pairs = scene.marks
    said: dict[str, Any] | None = None
    if verdict and verdict.count is not None:
        said = {"count": verdict.count, "was": verdict.was, "most": MOST}
    elif verdict:
        said = {"text": verdict.text, "against": verdict.against, "isGood": verdict.is_good}
    return _Shown(
        puzzle=puzzles.index(_on_board(scene), added) if stage.puzzle else None,
        state={
            "added": [rule.name for rule in stage.added],
            "retracted": list(stage.retracted),
        },
        tower="none" if stage.tower == "none" or not stage.puzzle else "all",
        board={
            "show": "formalisms" if stage.formalisms else _SHOWN.get(stage.show, stage.show),
            "marks": marks,
            "pairs": pairs,
            "grid": grid_of(scene),
            "all": _wall(scene),
            "formalisms": costs(scene),
        },
        code=code_data(scene),
        verdict=said,
        base=base_change(scene),
        answer=scene.answer,
        fresh=fresh(scene),
    )._asdict()


def _on_board(scene: Scene) -> Program:
    """The program of a scene without what it adds; of a witness, a blank grid of its size."""
    stage = scene.stage
    assert stage.puzzle
    puzzle = stage.puzzle
    if scene.witness:
        grid = scene.witness.grid.puzzle
        size = ((None,) * grid.size,) * grid.size
        puzzle = puzzle.replace(box=grid.box, grid=size, facts=scene.witness.facts, numbers=None)
    return assemble(puzzle.replace(box=puzzle.box), stage.standing)


def _wall(scene: Scene) -> dict[str, Any] | None:
    """All solutions of a step's walls, and which of them a scene leaves."""
    if scene.stage.show != "all-solutions" or not scene.stage.puzzle:
        return None
    numbers = scene.stage.puzzle.numbers
    alive = set(scene.answers.solutions(scene.program))
    is_short = numbers[0] >= 0 and numbers[-1] < 10
    return {
        "size": scene.stage.puzzle.size,
        "grids": ["".join(map(str, grid)) if is_short else list(grid) for grid in scene.universe],
        "alive": [index for index, grid in enumerate(scene.universe) if grid in alive],
    }


def _sheet(lesson: Lesson, puzzles: _Puzzles) -> dict[str, Any] | None:
    """The sheet: a puzzle of the lesson, one of an exercise if there is one, with its tower and
    counts, and as tasks to solve it, the questions and the exercises.
    """
    scenes = [scene for step in lesson.steps for scene in step.scenes]
    chosen = min(
        (each for each in scenes if each.stage.puzzle and each.stage.puzzle.givens()),
        key=lambda scene: _unsuitable(scene, scenes, lesson),
        default=None,
    )
    if not chosen:
        return None
    stage = chosen.stage
    assert stage.puzzle
    solution = chosen.answers.solution(chosen.program)
    rules = [*stage.rules[1:], *stage.added]
    return {
        "title": lesson.file.title,
        "puzzle": puzzles.index(assemble(stage.puzzle, stage.rules), stage.added),
        "state": {
            "added": [rule.name for rule in stage.added],
            "retracted": list(stage.retracted),
        },
        "words": [["", " ".join(rule.title for rule in [stage.rules[0], *rules])]],
        "code": _code_of(rules),
        "solution": [number or 0 for row in solution.rows for number in row] if solution else None,
        "counts": _counts(chosen, scenes),
        "tasks": [
            *_solving(chosen.count),
            *_questions(lesson),
            *starmap(_exercise, zip_longest(lesson.exercises, lesson.file.tasks, fillvalue="")),
        ],
    }


def _unsuitable(
    scene: Scene, scenes: list[Scene], lesson: Lesson
) -> tuple[bool, bool, bool, bool, int]:
    """A sort key: whether the puzzle has no rule of an exercise, is changed, has another base, or
    is not known to have one solution; then, those of which more is counted come first.
    """
    stage = scene.stage
    return (
        not {*lesson.exercises} & {*stage.rules},
        bool(stage.added or stage.retracted),
        stage.rules[0] != library.base(),
        not (scene.is_counted and scene.count == 1),
        -len(_changes(scene, scenes)),
    )


def _changes(chosen: Scene, scenes: list[Scene]) -> dict[str, Scene]:
    """The scenes that change the chosen puzzle and count its solutions, by what they add."""
    scene_by_words = {}
    for scene in scenes:
        stage = scene.stage
        if stage.puzzle == chosen.stage.puzzle and stage.rules == chosen.stage.rules:
            names = [*(rule.name for rule in stage.added)]
            words = " ".join([*names, retractions(list(stage.retracted))]).strip()
            if words and scene.is_counted:
                scene_by_words[words] = scene
    return scene_by_words


def _counts(chosen: Scene, scenes: list[Scene]) -> list[list[str]]:
    """The numbers of solutions of the chosen puzzle, as it is and as scenes change it."""
    scene_by_words = {"as printed": chosen} | _changes(chosen, scenes)
    return [[words, number_in_words(scene.count)] for words, scene in scene_by_words.items()]


def _code_of(rules: Iterable[RuleFile]) -> dict[str, Any] | None:
    """The text of the highest rule, if it is short and no default."""
    shown = [rule for rule in rules if rule not in library.defaults()][-1:]
    for rule in shown:
        text = rule.code.strip()
        if len(text) <= _LONGEST_CODE:
            said = [["code", "a(R,C,N)"], ["", ": row R, column C holds N. The whole of "]]
            return {"words": [*said, ["", f"{rule.name}:"]], "text": text}
    return None


def _solving(count: int) -> Iterator[dict[str, Any]]:
    if count == 1:
        words = [["", "Solve the grid. It has exactly one solution."]]
        answer = [["", "The solution is above; given numbers are black."]]
        yield _task(words, [], [answer]) | {"room": 0}


def _questions(lesson: Lesson) -> Iterator[dict[str, Any]]:
    for index, step in enumerate(lesson.steps):
        if question := _question(step):
            answers = [scene.own_answer for scene in step.scenes if scene.own_answer]
            yield _task(question["text"], question["options"], answers) | {"step": index}


def _exercise(rule: RuleFile, task: str) -> dict[str, Any]:
    """The task to write a rule. The text of one that is not bundled is no answer on a sheet."""
    is_bundled = library.is_bundled(rule)
    bundled = f"Write the rule “{rule.title.rstrip('.')}”. Change nothing that is there."
    words = task or (bundled if is_bundled else "Write the rule of the exercise.")
    return _task([["", words]], [], []) | {
        "room": _ROOM,
        "box": True,
        "code": rule.code.strip() if is_bundled else None,
    }


def _task(
    text: object, options: list[dict[str, Any]], answers: list[list[list[str]]]
) -> dict[str, Any]:
    return {
        "text": text,
        "points": None,
        "options": options,
        "room": 0 if options else 1,
        "box": False,
        "answer": answers,
        "code": None,
    }


def join_parts(join: Mapping[str, Any], wall: str) -> dict[str, Any]:
    """How a class joins, as the page of a lesson needs it.

    join: see `classroom.joining`; wall: the address of the wall
    """
    return {**{key: join[key] for key in ("address", "code", "qr")}, "wall": wall}


def lesson_page(
    data: Mapping[str, Any], *, token: str = "", join: Mapping[str, Any] | None = None
) -> str:
    """The page of a lesson for a server that has the files of `static` under `/static/`.

    data: see `lesson_data`
    token: the value of the header `X-Aspdoku-Token` of questions to `/ask`
    join: address, code, qr and wall, where a class joins
    """
    return render(
        "lesson.html.j2",
        data={**data, "join": join},
        element="aspdoku-lesson",
        token=token,
        styles=STYLES,
        scripts=scripts("lesson.js"),
        policy="",
        style="",
        script="",
        embedded={},
        licences="",
    )


def lesson_handout(data: Mapping[str, Any]) -> str:
    """The lesson as one file, which needs no network and solves in the reader's browser."""
    return _in_one_file(data, "aspdoku-lesson", STYLES, "lesson.js", ENGINE)


def lesson_sheet(data: Mapping[str, Any]) -> str:
    """The tasks of a lesson for students, and a second page with the answers, to print."""
    return _in_one_file(data, "aspdoku-sheet", SHEET_STYLES, "sheet.js", ())


def _in_one_file(
    data: Mapping[str, Any],
    element: str,
    styles: tuple[str, ...],
    script_name: str,
    engine: tuple[str, ...],
) -> str:
    style = "".join(static(name).decode() for name in styles)
    script = script_in_page(script_name)
    return render(
        "lesson.html.j2",
        data=data,
        element=element,
        token="",
        styles=(),
        scripts=(),
        policy=policy(style, script),
        style=style,
        script=script,
        embedded={name: embedded(name) for name in engine},
        licences=static("LICENSES.txt").decode() if engine else "",
    )
