"""What an editor shows in puzzle files, and in examples: completions, meanings, definitions.

The rules of a puzzle are read as they are saved. Of a puzzle with an error in its sections, only
the grid is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import get_args

from aspdoku.editor.document import EXAMPLES, Completion, Document, Place
from aspdoku.errors import AspdokuError, RuleError
from aspdoku.formats.detection import parse
from aspdoku.lecture import examples
from aspdoku.program import Input, RuleFile, compose, library
from aspdoku.puzzle import Puzzle
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzle.term import Signature
from aspdoku.puzzlefile import facts, inequalities
from aspdoku.puzzlefile.lines import KEYS
from aspdoku.puzzlefile.sections import CELL

_RULES = re.compile(r"\s*(?:with|without)\s*:\s*[^#]*\Z")
_NAMED = re.compile(r"^\s*with\s*:(.*)$", re.MULTILINE)
_SECTION = re.compile(r"\s*\[\s*[\w-]*\Z")
_HEADING = re.compile(r"^[ \t]*\[[ \t]*([\w-]*)", re.MULTILINE)
_TITLE = re.compile(
    rf"^\s*(?:{'|'.join(get_args(examples.Kind))})\s*:.*", re.MULTILINE | re.IGNORECASE
)
_BEGUN_KEY = re.compile(r"\s*[a-z]*\Z")
_BEGUN_FACT = re.compile(r"(?:.*\.)?\s*\w*\Z")
_BEGUN_PATH = re.compile(rf"\s*(?:[^:#]*:)?\s*(?:{CELL.pattern}\s+)*(?:[rR]\w*)?\Z")


def completions(document: Document, offset: int) -> Iterator[Completion]:
    """The words that can be written at an offset."""
    line, section = document.line_of(offset), _section(document, offset)
    if _RULES.match(line):
        for rule in library.available_rules():
            yield Completion(rule.name, "rule", rule.title, rule.name)
    elif _SECTION.match(line):
        for item in _inputs_of(document):
            yield Completion(item.name, "predicate", item.meaning, item.name)
        return
    elif _BEGUN_KEY.match(line) and (document.suffix == EXAMPLES or not section):
        keys = (*get_args(examples.Kind), *KEYS) if document.suffix == EXAMPLES else KEYS
        yield from (Completion(key, "key", "", f"{key}: ") for key in keys)
    if section == facts.SECTION and _BEGUN_FACT.match(line):
        for item in _inputs_of(document):
            written = item.text if item.arguments else item.name
            yield Completion(item.name, "predicate", item.meaning, written)
    elif section and section not in inequalities.SECTIONS and _BEGUN_PATH.match(line):
        puzzle, _ = _known(document, offset)
        if puzzle:
            for cell in puzzle.cells():
                name = "r{}c{}".format(*cell)
                yield Completion(name, "constant", _content(puzzle, cell), name)


def _content(puzzle: Puzzle, cell: Cell) -> str:
    number = puzzle.givens().get(cell)
    return "empty" if number is None else f"given {number}"


def _block(document: Document, offset: int) -> Place:
    """The text of the puzzle that contains an offset: of examples, one."""
    titles = [] if document.suffix != EXAMPLES else [*_TITLE.finditer(document.text)]
    start = max((each.end() for each in titles if each.end() <= offset), default=0)
    end = min((each.start() for each in titles if each.start() >= offset), default=None)
    return Place(start, len(document.text) if end is None else end)


def _section(document: Document, offset: int) -> str:
    """The name of the section that contains an offset, empty above the sections."""
    start, text = _block(document, offset).start, document.text
    headings = [each for each in _HEADING.finditer(text, start) if each.end() <= offset]
    return headings[-1][1].replace("-", "_") if headings else ""


def _known(document: Document, offset: int) -> tuple[Puzzle | None, dict[Signature, Input]]:
    """The puzzle that contains an offset, as its rules read it, and their inputs; only the grid
    while the sections have an error.
    """
    start, end, _ = _block(document, offset)
    text = document.text[start:end]
    grid = text[: found.start()] if (found := _HEADING.search(text)) else text
    own = [document.own_rule] if document.suffix == EXAMPLES else []
    for part in (text, grid):
        with suppress(AspdokuError):
            puzzle = parse(part).replace(origin=Path(document.path))
            with suppress(AspdokuError):
                program = compose(puzzle, *own)
                return program.puzzle, {
                    item.signature: item for rule in program.rules for item in rule.inputs
                }
            return puzzle, {}
    return None, {}


def _inputs_of(document: Document) -> dict[Input, RuleFile]:
    """The inputs of the rules of a puzzle, or of examples, with the first rule that reads each."""
    rules = [*rules_named_in(document, document.text).values()]
    if document.suffix == EXAMPLES:
        rules.insert(0, document.own_rule)
    found: dict[Input, RuleFile] = {}
    for rule in rules:
        found |= {item: rule for item in rule.inputs if item not in found}
    return found


def rules_named_in(document: Document, text: str) -> dict[str, RuleFile]:
    """The rules that a text names behind `with:`, by these names."""
    names = [name for each in _NAMED.findall(text) for name in re.split(r"[,\s]+", each)]
    return {name: rule for name in names if name and (rule := rule_called(document, name))}


def rule_called(document: Document, name: str) -> RuleFile | None:
    """The rule with a name, or a path from the folder of the file."""
    try:
        return library.find_for(Path(document.path).parent, name)
    except RuleError:
        return None


def hover(document: Document, offset: int) -> tuple[Place, str] | None:
    """What is known about the word at an offset, as Markdown."""
    place = document.word_at(offset)
    if _section(document, offset) and (
        cell := CELL.fullmatch(document.text, place.start, place.end)
    ):
        return place, _about_cell(document, offset, (int(cell[1]), int(cell[2])))
    found = _named(document, place)
    if isinstance(found, RuleFile):
        return place, about_rule(found)
    if found:
        return place, f"**{found}** {found.meaning}"
    return None


def about_rule(rule: RuleFile) -> str:
    """The title of a rule, and its inputs."""
    inputs = "".join(f"\n- `{item}` {item.meaning}" for item in rule.inputs)
    return f"**{rule.name}**: {rule.title}\n{inputs}"


def _about_cell(document: Document, offset: int, cell: Cell) -> str:
    """What a cell contains, and the facts of the puzzle about it."""
    said = "**row {}, column {}**".format(*cell)
    puzzle, inputs = _known(document, offset)
    if not puzzle:
        return said
    if cell not in puzzle.cells():
        return f"{said}: not in the grid"
    for name in {fact.name for fact in puzzle.facts}:
        for item in library.declared_inputs(name):
            inputs.setdefault(item.signature, item)
    read = [(inputs[each.signature], each) for each in puzzle.facts if each.signature in inputs]
    about = [(item, fact) for item, fact in read if cell in item.cells_of(fact)]
    clues = {(item.name, fact.arguments[place]) for item, fact in about for place in item.identity}
    # Such as the sum of its cage.
    values = [
        (item, fact)
        for item, fact in read
        if not item.cells
        and any((item.name.rpartition("_")[0], fact.arguments[at]) in clues for at in item.identity)
    ]
    found = "".join(f"\n- `{fact}`" for _, fact in (*about, *values))
    return f"{said}: {_content(puzzle, cell)}\n{found}"


def _named(document: Document, place: Place) -> RuleFile | Input | None:
    """The rule in a line `with:`, or the input in the heading of a section, or in a fact."""
    word = document.text[place.start : place.end]
    line = document.line_of(place.start)
    if re.match(r"\s*(?:with|without)\s*:", line):
        start = re.compile(r"[^\s,:]*\Z").search(line)
        rest = re.compile(r"[^\s,]*").match(document.text, place.end)
        return rule_called(document, f"{start[0] if start else ''}{word}{rest[0] if rest else ''}")
    heading = _HEADING.match(document.text, place.start - len(line))
    stated = None if heading else document.predicate_at(place.start)
    if heading or (stated and _section(document, place.start) == facts.SECTION):
        name = heading[1].replace("-", "_") if heading else word
        name = inequalities.SECTIONS.get(name, name)
        inputs = [*_inputs_of(document), *library.declared_inputs(name)]
        wanted = [item for item in inputs if item.name == name]
        return next((each for each in wanted if not stated or each.signature == stated[1]), None)
    return None


def defining(document: Document, offset: int) -> tuple[RuleFile, Input | None] | None:
    """The rule at an offset, or that which declares the input there, and this."""
    found = _named(document, document.word_at(offset))
    if not found or isinstance(found, RuleFile):
        return (found, None) if found else None
    rule = _inputs_of(document).get(found)
    if not rule and found.signature in library.bundled_inputs():
        rule = library.find(library.bundled_inputs()[found.signature][1])
    return (rule, found) if rule else None
