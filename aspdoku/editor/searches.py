"""What an editor shows that takes a search: findings, forbidden grids, verdicts and counts.

Each function is called in a child process, and takes a `Document` and seconds.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from aspdoku.drawing.output import svg
from aspdoku.editor import puzzles, words
from aspdoku.editor.document import CHECKED, EXAMPLES, Document, Place, place_in
from aspdoku.errors import AspdokuError, PuzzleError
from aspdoku.formats.detection import parse
from aspdoku.lecture.equivalence import forbidding, in_cells
from aspdoku.lecture.grading import VERDICTS
from aspdoku.program import RuleFile, library, lint
from aspdoku.program.messages import Message, Remedy
from aspdoku.program.rulefile import line_and_column, message_templates
from aspdoku.program.syntax import restricting
from aspdoku.puzzle import Puzzle
from aspdoku.questions.check import check
from aspdoku.questions.equal import equivalent, with_grid
from aspdoku.questions.solve import count
from aspdoku.questions.source import compose
from aspdoku.runtime.deadline import Deadline

_COUNTED = 6  # rows of the grids that are counted
# Seconds for a count: it is made whenever a file is shown.
_COUNTING = 5.0


class Finding(NamedTuple):
    """A finding in the file with this suffix."""

    suffix: str
    place: Place
    severity: str
    text: str
    remedies: tuple[Remedy, ...]


class Shown(NamedTuple):
    """A grid as text, and as a picture."""

    text: str
    svg: str = ""


class Lens(NamedTuple):
    """A verdict above a place, and what is shown on demand."""

    place: Place
    title: str
    shown: str = ""


def findings(document: Document, folder: str, seconds: float) -> list[Finding]:
    """The findings of a file and of those next to it, as typed: they are copied to a folder.

    They are those of `aspdoku check`, without seconds those for which nothing is grounded; of a
    puzzle those of its reader and the warnings.
    """
    return _found(document, _checked(document, folder, seconds))


def _checked(document: Document, folder: str, seconds: float) -> list[Message]:
    path = Path(document.path)
    if document.suffix not in CHECKED:
        return _about_puzzle(document)
    for suffix in CHECKED:
        if (text := document.next_to(suffix)) is not None:
            Path(folder, path.stem + suffix).write_text(text, "utf-8", newline="")
    os.chdir(folder)
    copy = Path(f"{path.stem}.lp")
    if not copy.is_file():
        return []
    if not seconds:
        return lint.check_file(copy)
    for name, rule in puzzles.rules_named_in(document, document.next_to(EXAMPLES) or "").items():
        other = Path(folder, name)
        if name.endswith(".lp") and ".." not in other.parts and other.is_relative_to(folder):
            other.parent.mkdir(parents=True, exist_ok=True)
            if not other.exists():
                other.write_text(rule.text, "utf-8", newline="")
    report = check(copy, time_limit=seconds)
    return [*report.findings, *report.notes]


def _about_puzzle(document: Document) -> list[Message]:
    path = Path(document.path)
    os.chdir(path.parent if path.parent.is_dir() else "/")
    try:
        puzzle = parse(document.text, path.name)
        program = compose(puzzle.replace(origin=path, name=path.name))
    except PuzzleError as error:
        line = error.place.removeprefix(f"{path.name}:")
        text = error.on_command_line.removeprefix(f"{error.place}: ")
        return [Message(path.name, int(line) if line.isdecimal() else 1, 1, "error", text)]
    except AspdokuError as error:
        text = error.on_command_line.removeprefix(f"{path.name}: ")
        return [Message(path.name, 1, 1, "error", text)]
    return [Message(path.name, 1, 1, "warning", each) for each in program.warnings]


def _found(document: Document, messages: list[Message]) -> list[Finding]:
    found = []
    for each in messages:
        suffix = Path(each.place).suffix
        text = document.next_to(suffix) if suffix else None
        if text is None:  # the place is in the words of the message
            suffix, text = document.suffix, document.text
        place = place_in(text, each.line, each.column)
        words = each.text.removeprefix(f"{each.severity}: ")
        found.append(Finding(suffix, place, each.severity, words, each.remedies))
    return found


def forbidden(document: Document, offset: int, seconds: float) -> Shown | None:
    """A grid that the constraint at an offset forbids, of all grids of the default rules."""
    statement = document.statement_at(offset)
    rules = {id(each) for each in restricting(each for _, each in document.statements)}
    if not statement or id(statement[1]) not in rules:
        return None
    others = [place for place, each in document.statements if id(each) in rules]
    free = _without(document.rule, others)
    one = _without(document.rule, [place for place in others if place != statement[0]])
    found = equivalent(one, replace(free, name="free", place="free.lp"), time_limit=seconds)
    for witness in found.data.witnesses:
        if witness.violated == one:
            rule, cells = forbidding(one.place, witness.violations), in_cells(witness.violations)
            sentence = f"{rule} forbids this grid{cells}:"
            pictures = [svg(each) for part in found.sections() for each in part.pictures]
            return Shown(with_grid(sentence, witness, True), pictures[0] if pictures else "")
    sizes = ", ".join(f"{each.size}x{each.size}" for each in found.data.results)
    return Shown(f"no grid that this forbids was found (sizes searched: {sizes})")


def _without(rule: RuleFile, places: list[Place]) -> RuleFile:
    """The rule without some statements and their messages; the others keep their lines."""
    text, templates = rule.text, message_templates(rule)
    for place in places:
        if template := templates.get(line_and_column(rule.text, place.start)[0]):
            start = place_in(rule.text, template.line, 1).start
            start = rule.text.index("%@", start)
            places = [*places, Place(start, (rule.text + "\n").index("\n", start))]
    for place in places:
        inside = text[place.start : place.end]
        blank = "".join(sign if sign == "\n" else " " for sign in inside)
        text = text[: place.start] + blank + text[place.end :]
    return replace(rule, text=text)


def compared(document: Document, seconds: float) -> tuple[str, Shown] | None:
    """The verdict on a file for the rule in its comment `% against: RULE`, and the grids that show
    it.
    """
    if not document.against:
        return None
    name = document.against[1]
    folder = Path(document.path).parent
    reference = library.find_for(folder, name)
    found = equivalent(document.rule, reference, time_limit=seconds)
    verdict = VERDICTS[found.relation]
    sizes = [f"{each.size}x{each.size}" for each in found.data.results if each.witnesses]
    title = f"{verdict} at {sizes[0]}: show" if sizes else f"{verdict}: show"
    pictures = [svg(each) for part in found.sections() for each in part.pictures]
    return title, Shown(str(found), "".join(pictures[:1]))


def lenses(document: Document, seconds: float) -> list[Lens]:
    """The verdict of `% against: RULE`, and how many grids a rule without inputs allows."""
    return list(_lenses(document, Deadline(seconds)))


def _lenses(document: Document, deadline: Deadline) -> Iterator[Lens]:
    if document.suffix != ".lp" or lint.fatal_errors(document.rule):
        return
    if document.against:
        try:
            verdict = compared(document, deadline.seconds_left())
        except AspdokuError as error:
            verdict = "cannot be compared: show", Shown(error.on_command_line)
        if verdict:
            yield Lens(document.against[0], verdict[0], verdict[1].text)
    if not document.rule.inputs and lint.can_forbid(document.rule):
        with suppress(AspdokuError):
            counts = []
            for rules in ([document.rule], []):
                program = compose(Puzzle.blank(_COUNTED), *rules)
                seconds = min(_COUNTING, deadline.seconds_left())
                counts.append(count(program, time_limit=seconds))
            if all(each.outcome.ended == "complete" for each in counts):
                left, every = (each.outcome.found for each in counts)
                size = f"{_COUNTED}x{_COUNTED}"
                first = document.statements[0][0]
                title = f"removes {every - left:,} of {every:,} grids of {size}"
                yield Lens(Place(first.start, first.start), title)


def may_search(text: str, offset: int) -> bool:
    """Whether `hover` may have to search; decided without the syntax of the text."""
    start, end = text.rfind("\n", 0, offset) + 1, text.find("\n", offset)
    return "against" in text[start : None if end < 0 else end] or _has_sign(text, offset)


def _has_sign(text: str, offset: int) -> bool:
    return ":-" in text[max(0, offset - 1) : offset + 2]


def hover(document: Document, offset: int, seconds: float) -> tuple[Place, str] | Shown | None:
    """What is known about the word at an offset, or the grids there."""
    return words.hover(document, offset) or shown_at(document, offset, seconds)


def _in_against(document: Document, offset: int) -> bool:
    place = document.against[0] if document.against else None
    return bool(place and place.start <= offset <= place.end)


def shown_at(document: Document, offset: int, seconds: float) -> Shown | None:
    """The grids at an offset: of the comment `% against: RULE`, or of a constraint at its `:-`."""
    if document.suffix != ".lp":
        return None
    if _in_against(document, offset):
        return (found := compared(document, seconds)) and found[1]
    return forbidden(document, offset, seconds) if _has_sign(document.rule.code, offset) else None
