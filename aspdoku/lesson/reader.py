"""The file of a lesson: Markdown that reads as a handout.

Front matter between two lines `---`, then one step for each heading `# TITLE {5 min}`: a sentence,
a block ```aspdoku of directives with what is on the stage, a question `? TEXT` with its options as
a task list, answers `> TEXT`, a block ```aspdoku reveal for each change that follows, and notes.
Comments of HTML are left out. Whatever else is in the file is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from aspdoku.errors import LessonError, did_you_mean
from aspdoku.lesson.text import Prose
from aspdoku.program.library import data_dir
from aspdoku.program.rulefile import LARGEST_FILE, read_text
from aspdoku.puzzlefile.lines import pluralize, quote

_SUFFIX = ".md"

DIRECTIVES = [
    "puzzle",
    "size",
    "base",
    "tower",
    "add",
    "without",
    "fact",
    "without-facts",
    "code",
    "mark",
    "compare",
    "expect",
    "show",
    "quote",
    "formalisms",
]
_FRONT = ["title", "minutes", "join", "exercise", "task"]
_HEADING = re.compile(r"#[ \t]+(.*?)[ \t]*\{(\d{1,3}) min\}")
_ENTRY = re.compile(r"([A-Za-z][A-Za-z-]*):(?:[ \t]+(.*))?")
_COMMENT = re.compile(r"(?:^|[ \t])#(?: .*)?$")
_OPTION = re.compile(r"- \[([ xX])\][ \t]+(.*)")
_NAMES = re.compile(r"[ \t]*,[ \t]*|[ \t]+")


class Directive(NamedTuple):
    """A line `key: value` of a block; a value in several lines is one text."""

    key: str
    value: str
    line: int


class Block(NamedTuple):
    """What one press of a key puts on the stage, and the answer that appears with it."""

    directives: tuple[Directive, ...]
    line: int
    answer: Prose | None = None


class Question(NamedTuple):
    """A question with options, each with whether it is right."""

    text: Prose
    options: tuple[tuple[Prose, bool], ...]


class Step(NamedTuple):
    """A step of the lesson; the first block is what it opens with."""

    title: str
    minutes: int
    line: int
    say: Prose
    blocks: tuple[Block, ...]
    question: Question | None
    notes: tuple[Prose, ...]


class LessonFile(NamedTuple):
    """A lesson as it was read; nothing in it is computed.

    place: how messages call the file
    folder: the one to which paths are relative
    exercises: names of the rules that students write
    tasks: what to do in the first of them; by default the title of a bundled rule
    """

    place: str
    folder: Path
    title: str
    minutes: int
    join: bool
    exercises: tuple[str, ...]
    tasks: tuple[str, ...]
    steps: tuple[Step, ...]


class Problems:
    """The mistakes in a file, which are reported together, by line."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._found: list[tuple[int, str]] = []

    def add(self, line: int, problem: str) -> None:
        """Note a mistake: what is wrong, and what to do."""
        self._found.append((line, problem))

    def require_none(self) -> None:
        """Raise LessonError with all of them, if there are some."""
        if self._found:
            problems = sorted(dict.fromkeys(self._found))
            raise LessonError("\n".join(f"{self._place}:{line}: {text}" for line, text in problems))


def read_lesson(path: Path, place: str = "") -> LessonFile:
    """The lesson in a file. Raises LessonError if it is not one, RuleError if it cannot be read.

    place: what messages call it, by default the path
    """
    place = place or str(path)
    return parse_lesson(read_text(path, place, "a lesson", LARGEST_FILE), path.parent, place)


def parse_lesson(text: str, folder: Path, place: str) -> LessonFile:
    """The lesson with this text. Raises LessonError with each mistake."""
    problems = Problems(place)
    lines = text.splitlines()
    front, first = _front_matter(lines, problems)
    drafts: list[_Draft] = []
    reading = _Lines(lines, first)
    for number, line in reading:
        if line.startswith("#"):
            if match := _HEADING.fullmatch(line.rstrip()):
                drafts.append(_Draft(match[1], int(match[2]), number, problems))
                continue
            problems.add(
                number, f"invalid heading {quote(line)}: expected `# TITLE {{5 min}}` for each step"
            )
            drafts.append(_Draft(line.lstrip("# "), 0, number, problems))
        elif not line.strip():
            continue
        elif not drafts:
            problems.add(number, f"text before the first step: {quote(line)}; delete it")
        else:
            drafts[-1].read(number, line, reading)
    steps = tuple(draft.step() for draft in drafts)
    if not steps:
        problems.add(1, "no step: write a heading `# TITLE {5 min}` for each")
    minutes = front.get("minutes")
    total = sum(step.minutes for step in steps)
    if steps and minutes and total != (stated := _minutes(minutes, problems)) and stated:
        problems.add(minutes.line, f"minutes: {stated}, but those of the steps add up to {total}")
    exercise, task = front.get("exercise"), front.get("task")
    exercises = tuple(_NAMES.split(exercise.value)) if exercise else ()
    tasks = tuple(map(str.strip, task.value.split("|"))) if task else ()
    if task and len(tasks) > len(exercises):
        problems.add(
            task.line,
            f"{pluralize(len(tasks), 'task')} for {pluralize(len(exercises), 'exercise')}: state at"
            " most one for each, separated by |",
        )
    problems.require_none()
    join = front.get("join")
    return LessonFile(
        place,
        folder,
        front["title"].value,
        total,
        bool(join and join.value == "on"),
        exercises,
        tasks,
        steps,
    )


def _front_matter(lines: list[str], problems: Problems) -> tuple[dict[str, Directive], int]:
    """The entries by their keys, and the index of the first line after them."""
    ends = [index for index, line in enumerate(lines) if line.rstrip() == "---"]
    if len(ends) < 2 or ends[0] != 0:
        problems.add(
            1, "front matter missing: begin with a line `---`, title: TEXT, and another line `---`"
        )
        return {"title": Directive("title", "", 1)}, 0
    inside = ((number, lines[number - 1]) for number in range(2, ends[1] + 1))
    entry_by_key = {each.key: each for each in _entries(inside, _FRONT, problems)}
    if "title" not in entry_by_key:
        problems.add(1, "title missing in the front matter: add a line title: TEXT")
        entry_by_key["title"] = Directive("title", "", 1)
    if (join := entry_by_key.get("join")) and join.value not in ("on", "off"):
        problems.add(join.line, f"invalid join {quote(join.value)}: expected on or off")
    return entry_by_key, ends[1] + 1


def _minutes(stated: Directive, problems: Problems) -> int:
    if stated.value.isascii() and stated.value.isdigit() and len(stated.value) < 4:
        return int(stated.value)
    problems.add(stated.line, f"invalid minutes {quote(stated.value)}: expected a number")
    return 0


class _Lines:
    """The lines of a file from an index on, with their numbers, without comments of HTML."""

    def __init__(self, lines: list[str], first: int) -> None:
        self._lines, self._next = lines, first

    def __iter__(self) -> Iterator[tuple[int, str]]:
        while self._next < len(self._lines):
            number, line = self.take()
            if line.lstrip().startswith("<!--"):
                while "-->" not in line and self._next < len(self._lines):
                    _, line = self.take()
                continue
            yield number, line

    def take(self) -> tuple[int, str]:
        """The next line."""
        self._next += 1
        return self._next, self._lines[self._next - 1]

    def until(self, end: str) -> tuple[list[tuple[int, str]], bool]:
        """The lines before this one, and whether there is one."""
        lines: list[tuple[int, str]] = []
        while self._next < len(self._lines):
            number, line = self.take()
            if line.strip() == end:
                return lines, True
            lines.append((number, line))
        return lines, False

    def paragraph(self, number: int, text: str) -> Prose:
        """A text that begins on a line, with the lines that continue it."""
        words = [text.strip()]
        while self._next < len(self._lines) and _continues(self._lines[self._next]):
            words.append(self.take()[1].strip().removeprefix("> "))
        return Prose(" ".join(filter(None, words)), number)

    def quotation(self, number: int, text: str) -> Prose:
        """An answer: all lines that begin with `>`."""
        words = [text.strip()]
        while self._next < len(self._lines) and self._lines[self._next].startswith(">"):
            words.append(self.take()[1].removeprefix(">").strip())
        return Prose(" ".join(filter(None, words)), number)


def _continues(line: str) -> bool:
    """Whether a line continues the paragraph before it."""
    begins = line.startswith(("#", "- ", "? ", ">", "```", "<!--"))
    return bool(line.strip()) and not begins and line.rstrip() != "Note:"


@dataclass
class _Draft:
    """A step of which some lines were read."""

    title: str
    minutes: int
    line: int
    problems: Problems
    say: Prose | None = None
    blocks: list[Block] = field(default_factory=list)
    question: Prose | None = None
    options: list[tuple[Prose, bool]] = field(default_factory=list)
    answers: list[tuple[Prose, int]] = field(default_factory=list)  # how many blocks precede each
    notes: list[Prose] | None = None

    def read(self, number: int, line: str, lines: _Lines) -> None:
        """Read what begins on a line."""
        if line.startswith("```"):
            self._block(number, line[3:].strip(), lines)
        elif line.startswith("?"):
            text = lines.paragraph(number, line[1:])
            if self.question:
                self.problems.add(
                    number, f"second question in the step of line {self.line}: split the step"
                )
            self.question = text
        elif line.startswith(">"):
            self.answers.append((lines.quotation(number, line[1:]), len(self.blocks)))
        elif match := _OPTION.fullmatch(line.rstrip()):
            if not self.question:
                self.problems.add(number, "option without a question: write `? TEXT` before it")
            self.options.append((lines.paragraph(number, match[2]), match[1] != " "))
        elif line.rstrip() == "Note:":
            self.notes = self.notes or []
        elif self.notes is not None and line.startswith("- "):
            self.notes.append(lines.paragraph(number, line[2:]))
        elif self.say is None and re.match(r"[^\s\-*]", line):
            self.say = lines.paragraph(number, line)
        else:
            self.problems.add(
                number,
                f"text that has no meaning in a step: {quote(line.strip())}; use `? ` for a"
                " question, `- [ ] ` for an option, `> ` for an answer, `Note:` and `- ` for"
                " notes, and one paragraph for the sentence of the step",
            )

    def _block(self, number: int, kind: str, lines: _Lines) -> None:
        content, is_closed = lines.until("```")
        if not is_closed:
            self.problems.add(number, "block without an end: add a line ``` after it")
        if kind not in ("aspdoku", "aspdoku reveal"):
            self.problems.add(
                number,
                f"unknown block ```{kind}: use ```aspdoku for what the step opens with, or"
                " ```aspdoku reveal for what follows",
            )
        elif not self.blocks and kind != "aspdoku":
            self.problems.add(
                number, "```aspdoku reveal before ```aspdoku: first say what the step opens with"
            )
        elif self.blocks and kind == "aspdoku":
            self.problems.add(
                number, "second block ```aspdoku: use ```aspdoku reveal for what follows"
            )
        entries = tuple(_entries(iter(content), DIRECTIVES, self.problems))
        self.blocks.append(Block(entries, number))

    def step(self) -> Step:
        """The step. What is missing is a problem."""
        if self.say is None:
            self.problems.add(self.line, "step without a sentence: write one below its heading")
        if not self.minutes:
            self.problems.add(self.line, "step without minutes: write {5 min} in its heading")
        if not self.blocks:
            self.problems.add(
                self.line, "step without a block ```aspdoku: say what is on the stage"
            )
            self.blocks.append(Block((), self.line))
        if self.question and sum(right for _, right in self.options) != 1:
            self.problems.add(
                self.question.line, "question without exactly one right option: mark it `- [x] `"
            )
        if self.question and not self.answers:
            self.problems.add(self.question.line, "question without an answer: write `> TEXT`")
        return Step(
            self.title,
            self.minutes,
            self.line,
            self.say or Prose("", self.line),
            self._answered(),
            Question(self.question, tuple(self.options)) if self.question else None,
            tuple(self.notes or ()),
        )

    def _answered(self) -> tuple[Block, ...]:
        """The blocks with their answers: an answer appears with the reveal after it, the last one,
        if no reveal follows, with the last reveal or by itself.
        """
        blocks = list(self.blocks)
        for answer, place in self.answers:
            if place == 0:
                self.problems.add(answer.line, "answer before the block ```aspdoku: move it down")
                continue
            if place == len(blocks) and (place == 1 or blocks[-1].answer):
                blocks.append(Block((), answer.line))
            index = min(place, len(blocks) - 1)
            if blocks[index].answer:
                self.problems.add(
                    answer.line, "second answer before the same reveal: make one of them"
                )
            blocks[index] = blocks[index]._replace(answer=answer)
        return tuple(blocks)


def _entries(
    lines: Iterator[tuple[int, str]], known: list[str], problems: Problems
) -> Iterator[Directive]:
    """The entries `key: value`, each key once; a text `|` is in the indented lines that follow."""
    seen: set[str] = set()
    waiting = next(lines, None)
    while waiting:
        number, line = waiting
        text = _COMMENT.sub("", line).rstrip()
        waiting = next(lines, None)
        if not text:
            continue
        match = _ENTRY.fullmatch(text)
        if not match:
            problems.add(number, f"invalid line {quote(text)}: expected KEY: VALUE")
            continue
        key, value = match[1], (match[2] or "").strip()
        if value == "|":
            inside = []
            while waiting and (waiting[1].startswith("  ") or not waiting[1].strip()):
                inside.append(waiting[1].strip())
                waiting = next(lines, None)
            value = "\n".join(inside).strip()
        if key not in known:
            problems.add(
                number,
                f"unknown key '{key}'.{did_you_mean(key, known)} Known keys: {', '.join(known)}",
            )
        elif key in seen:
            problems.add(number, f"{key} is stated twice: delete one of the lines")
        elif not value:
            problems.add(number, f"{key} without a value: write {key}: VALUE")
        else:
            yield Directive(key, value, number)
        seen.add(key)


@cache
def bundled_lessons() -> dict[str, Path]:
    """The files of the bundled lessons by their names, sorted."""
    folder = data_dir().parent / "instances" / "lessons"
    return {file.stem: file for file in sorted(folder.glob(f"*{_SUFFIX}"))}


def lesson_file(name: str) -> Path:
    """The file of a lesson: a bundled one by its name, any other one by its path, which ends in
    `.md`. Raises LessonError for an unknown name.
    """
    known = bundled_lessons()
    if name in known:
        return known[name]
    if not name.endswith(_SUFFIX):
        raise LessonError(
            f"unknown lesson {name!a}.{did_you_mean(name, list(known))} Bundled lessons:"
            f" {', '.join(known)}; a file of your own ends in {_SUFFIX}"
        )
    return Path(name)
