"""Drawing styles: how the facts of a rule are drawn, from the `.draw` file next to its rule file.

A `.draw` file is TOML. Each table is about one predicate, and names its arguments by the letters
that the rule files use, see `aspdoku.puzzle.inputs`; those that place no cell are parts of the name
of a cage, a line or a region.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import partial
from operator import contains
from pathlib import Path
from reprlib import repr as quoted
from typing import NamedTuple

from aspdoku.errors import AspdokuError, RuleError, did_you_mean
from aspdoku.program import library
from aspdoku.program.compose import Program
from aspdoku.program.messages import Message
from aspdoku.program.rulefile import RuleFile, read_text
from aspdoku.puzzle.inputs import Input
from aspdoku.puzzle.puzzle import EDGES, REGION

Signature = tuple[str, int]

# The kinds of drawing, with the arguments that each requires.
KINDS_WITH_LABELS = ("area", "borders", "outline", "line", "links", "pointer")
KINDS: dict[str, frozenset[str]] = {
    **dict.fromkeys((*KINDS_WITH_LABELS, "mark"), frozenset(("R", "C"))),
    **dict.fromkeys(("candidates", "numbers"), frozenset(("R", "C", "N"))),
    "corner": frozenset(("R", "C")),
    "edge": frozenset(("R", "C", "R1", "C1")),
    **dict.fromkeys(("clue", "note"), frozenset()),
}
KINDS_WITH_TEXT = ("mark", "corner", "edge", "clue", "note")
TEXT_OPTIONAL = ("mark", "edge")
_CHOICES = {
    "draw": tuple(KINDS),
    **dict.fromkeys(("first", "last"), ("bulb", "circle", "square", "diamond", "tip")),
    "shape": ("circle", "square", "diamond", "inward", "outward", "sign", "none"),
    "edge": EDGES,
}
_COLOUR = re.compile(r"#[0-9a-f]{6}")
VARIABLE = re.compile(r"\{([A-Z]\d*)\}")
_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")


class Label(NamedTuple):
    """A label of a cage or line: an atom, joined on the common letters, and a text template."""

    atom: Input
    text: str


@dataclass(frozen=True)
class DrawStyle:
    """How one predicate is drawn. Lengths are in cells, colours `#rrggbb`.

    draw: one of KINDS
    colour: if not given, each cage or line has a different one
    first, last: shapes at the ends of a line
    shape: of a mark or a dot
    ink: colour of the digits in the cells
    extend: how far a line extends beyond its ends
    text: text template, with `{S}` for the argument S
    words: replacements for certain texts
    head: number of cells that form the first end of a line
    head_by: the atom that may give another number
    closed_by: the atom that lists the lines that are loops
    by: the argument whose value selects the colour, if not the full name
    rule: the name of the rule, for captions
    """

    atom: Input
    draw: str
    colour: str = ""
    outline: str = ""
    ink: str = ""
    width: float = 0.0
    size: float = 0.0
    extend: float = 0.0
    first: str = ""
    last: str = ""
    shape: str = ""
    edge: str = ""
    text: str = ""
    words: tuple[tuple[str, str], ...] = ()
    labels: tuple[Label, ...] = ()
    head: int = 1
    head_by: Input | None = None
    closed_by: Input | None = None
    by: str = ""
    rule: str = ""

    @property
    def atoms(self) -> tuple[Input, ...]:
        """All atoms whose facts the style uses."""
        return (
            self.atom,
            *(label.atom for label in self.labels),
            *filter(None, (self.head_by, self.closed_by)),
        )


class StyleError(RuleError):
    """A line of a `.draw` file that has a problem."""

    def __init__(self, place: str, line: int, problem: str) -> None:
        self.line, self.problem = line, problem
        super().__init__(f"{place}:{line}: {problem}")


def parse(text: str, place: str, rule: str = "") -> list[DrawStyle]:
    """The styles in a `.draw` file. Raises RuleError with file and line for an invalid one."""
    try:
        tables = tomllib.loads(text).items()
        return [_Table(text, place, key).style(table, rule) for key, table in tables]
    except tomllib.TOMLDecodeError as error:
        where = _TOML_PLACE.search(str(error))
        line = int(where[1]) if where and where[1] else text.count("\n") + 1
        message = f"invalid TOML: {_TOML_PLACE.sub('', str(error))}"
        raise StyleError(place, line, message) from None
    except (RecursionError, ValueError):
        # Python limits nesting, and the digits of integers that it reads or writes.
        raise RuleError(
            f"{place}: a value is nested too deeply, or an integer has too many digits"
        ) from None


def _is_number(value: object, least: int, most: int, *types: type) -> bool:
    return type(value) in types and least <= value <= most  # type: ignore[operator]


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(text, str) for text in value.values())


_COLOURS = (
    lambda value: isinstance(value, str) and bool(_COLOUR.fullmatch(value)),
    "a colour such as '#ff8800'",
)
_LENGTHS = (lambda value: _is_number(value, 0, 10, int, float), "a number of cells from 0 to 10")
# For each key whether a value is valid, and what is expected.
_VALUES: dict[str, tuple[Callable[[object], bool], str]] = {
    **{
        name: (partial(contains, choices), f"one of {', '.join(choices)}")
        for name, choices in _CHOICES.items()
    },
    **dict.fromkeys(("colour", "outline", "ink"), _COLOURS),
    **dict.fromkeys(("width", "size", "extend"), _LENGTHS),
    "head": (lambda value: _is_number(value, 1, 100, int), "a number of cells from 1 to 100"),
    "text": (lambda value: isinstance(value, str), "a string such as '{S}'"),
    "words": (_is_table, 'a table of strings such as { 5 = "V" }'),
    "labels": (_is_table, 'a table of strings such as { "cage_value(I,S)" = "{S}" }'),
}


class _Table:
    """A table of a file, which states a style; errors have the number of the line."""

    def __init__(self, text: str, place: str, key: str) -> None:
        self._lines = text.splitlines()
        self._place = place
        self._key = key

    def style(self, table: object, rule: str) -> DrawStyle:
        atom = self._atom("", self._key)
        if not isinstance(table, Mapping):
            raise self._error("", f'a style must be a table: ["{self._key}"] followed by its keys')
        known = [key.name for key in fields(DrawStyle) if key.name not in ("atom", "rule")]
        for name in table:
            if name not in known:
                message = f"unknown key '{name}'.{did_you_mean(name, known)}"
                raise self._error(name, f"{message} Known keys: {', '.join(known)}")
        if "draw" not in table:
            kinds = ", ".join(KINDS)
            raise self._error("", f"missing key draw for {atom.text}: expected one of {kinds}")
        values = {name: self._value(name, value, atom) for name, value in table.items()}
        style = DrawStyle(atom=atom, rule=rule, **values)  # type: ignore[arg-type]
        for name, message, wrong in _faults(style):
            if wrong:
                raise self._error(name, message)
        return style

    def _value(self, name: str, value: object, atom: Input) -> object:
        letters = atom.arguments
        if name in ("head_by", "closed_by"):
            return self._atom(name, value)
        in_letters = (partial(contains, letters), f"one of the arguments {', '.join(letters)}")
        is_valid, expected = in_letters if name == "by" else _VALUES[name]
        if not is_valid(value):
            raise self._error(name, f"invalid {name} {quoted(value)}: expected {expected}")
        if name == "text":
            return self._template(name, str(value), letters)
        if not isinstance(value, Mapping):
            return value
        if name == "words":
            return tuple(value.items())
        labels = [(self._atom(name, key), text) for key, text in value.items()]
        return tuple(
            Label(each, self._template(name, text, (*each.arguments, *letters)))
            for each, text in labels
        )

    def _template(self, name: str, text: str, letters: tuple[str, ...]) -> str:
        for letter in VARIABLE.findall(text):
            if letter not in letters:
                expected = ", ".join(letters)
                raise self._error(
                    name, f"unknown argument {{{letter}}}: expected one of {expected}"
                )
        return text

    def _atom(self, name: str, text: object) -> Input:
        atom = Input.from_text(text) if isinstance(text, str) else None
        if not atom:
            expected = "a name with a letter for each argument, such as 'cage(R,C,I)'"
            raise self._error(name, f"invalid predicate {quoted(text)}: expected {expected}")
        return atom

    def _error(self, name: str, message: str) -> StyleError:
        """An error at the line of this key, or at the table's heading if there is none."""
        lines = list(enumerate(self._lines))
        headings = (at for at, line in lines if line.startswith("[") and self._key in line)
        heading = next(headings, 0)
        key = re.compile(rf"\s*{re.escape(name)}\s*[.=]")
        below = (at for at, line in lines[heading + 1 :] if key.match(line))
        line = next(below, heading) if name else heading
        return StyleError(self._place, line + 1, message)


def _faults(style: DrawStyle) -> Iterator[tuple[str, str, bool]]:
    """Keys with messages, and whether something is wrong with them."""
    draw, atom = style.draw, style.atom
    letters = set(atom.arguments)
    missing = ", ".join(sorted(KINDS[draw] - letters))
    needed = f"{draw} needs the arguments {missing}, which {atom.text} does not name"
    yield "draw", needed, bool(missing)
    along = {"left": "R", "right": "R", "top": "C", "bottom": "C"}.get(style.edge, "J")
    placed = letters >= {"E", "J"} or (style.edge and letters & {"J", along})
    needed = "clue needs the arguments E and J, or the key edge and the argument R or C"
    yield "draw", needed, draw == "clue" and not placed
    for name, shown in (("labels", KINDS_WITH_LABELS), ("text", KINDS_WITH_TEXT)):
        message = f"{draw} shows no {name}; {', '.join(shown)} do"
        yield name, message, bool(getattr(style, name)) and draw not in shown
    needs_text = draw in KINDS_WITH_TEXT and draw not in TEXT_OPTIONAL
    example = f"{{{atom.arguments[-1]}}}"
    yield "draw", f"{draw} needs a text, such as '{example}'", needs_text and not style.text


MAX_FILE_SIZE = 100_000


def styles_of(program: Program) -> tuple[DrawStyle, ...]:
    """The styles of rules that are not retracted; other inputs have defaults. Raises RuleError."""
    rules = [
        part.rule for part in program.parts if not is_retracted(part.rule, program.puzzle.without)
    ]
    found: dict[Signature, DrawStyle] = {}
    for style in (style for rule in rules for style in draw_file_styles(rule)):
        found.setdefault(style.atom.signature, style)
    styled = {REGION, *(atom.signature for style in found.values() for atom in style.atoms)}
    for rule in rules:
        unstyled = [item for item in rule.inputs if item.arguments and item.signature not in styled]
        for style in _styles_by_arguments(unstyled, rule.name):
            found.setdefault(style.atom.signature, style)
    return tuple(found.values())


def is_retracted(rule: RuleFile, without: Iterable[str]) -> bool:
    """Whether all constraints of the rule are retracted."""
    symbols = {name.replace("-", "_") for name in without}
    return bool(rule.retractable) and rule.retractable <= symbols


def derived_predicates(program: Program, found: Iterable[DrawStyle]) -> set[Signature]:
    """The predicates of these styles that the program defines, i.e. that are not inputs.

    Those that a rule shows are to be found: a solution states them, and no part that already
    follows is drawn without one.
    """
    rules = program.rules
    known = {item.signature for rule in rules for item in rule.inputs}.union(
        *(rule.shown for rule in rules)
    )
    return {atom.signature for style in found for atom in style.atoms} - known


def default_styles(signatures: Iterable[Signature]) -> list[DrawStyle]:
    """Default styles for predicates that no rule declares, by their arity alone."""
    usual = {2: "R,C", 3: "R,C,I", 4: "I,K,R,C", 5: "R,C,R1,C1,S"}
    names = sorted(set(signatures))
    values = {(f"{name}_value", 2) for name, arity in names if arity in (3, 4)}
    atoms = (
        Input.from_text(f"{name}({'I,S' if (name, arity) in values else usual[arity]})")
        for name, arity in names
        if arity in usual
    )
    return _styles_by_arguments(list(filter(None, atoms)), "")


def _styles_by_arguments(items: list[Input], rule: str) -> list[DrawStyle]:
    by_name = {item.name: item for item in items}
    found = []
    for item in items:
        others = [each for place, each in enumerate(item.arguments) if place not in item.places]
        value, edge = by_name.get(f"{item.name}_value"), ""
        if len(item.cells) == 2:
            draw = "edge"
        elif item.cells:
            is_area = item.identity or item.arity == 2
            draw = "line" if item.position is not None else "area" if is_area else "mark"
        elif item.of_kind("line") and (others or item.of_kind("edge")):
            draw = "clue"
            edge = "" if item.of_kind("edge") else "left" if "R" in item.arguments else "top"
        else:
            continue
        text = "".join(f"{{{letter}}}" for letter in others) if draw in KINDS_WITH_TEXT else ""
        labels = _value_labels(item, value) if draw in KINDS_WITH_LABELS else ()
        found.append(
            DrawStyle(item, draw, edge=edge, text=text, labels=labels, rule=rule or item.name)
        )
    return found


def _value_labels(item: Input, value: Input | None) -> tuple[Label, ...]:
    """The label that `p_value(I,S)` defines for `p(R,C,I)`."""
    if value is None or not {*value.arguments} & {*item.arguments}:
        return ()
    others = (letter for letter in value.arguments if letter not in item.arguments)
    return (Label(value, "".join(f"{{{letter}}}" for letter in others)),)


def draw_file_styles(rule: RuleFile) -> list[DrawStyle]:
    """The styles in the `.draw` file next to a rule file, if there is one."""
    file = rule.path.with_suffix(".draw") if rule.path else None
    if not rule.path or not file or not file.is_file():
        return []
    place = f"{rule.place.removesuffix('.lp')}.draw"
    folder, own = (os.path.dirname(os.path.realpath(each)) for each in (file, rule.path))
    if not rule.vetted and folder != own:
        raise RuleError(f"{place}: symbolic link to a folder other than that of the rule file")
    return parse(read_text(file, place, "a style file", MAX_FILE_SIZE), place, rule.name)


def check_style(path: Path) -> list[Message]:
    """The errors in the `.draw` file next to the rule file at `path`, if there is such a file.

    A table for a predicate that the rule neither declares nor defines is an error, too.
    If the rule file cannot be read, there are none: `program.lint` reports that.
    """
    try:
        rule = RuleFile.read(path, str(path))
    except AspdokuError:
        return []
    try:
        styles = draw_file_styles(rule)
    except StyleError as error:
        file = path.with_suffix(".draw")
        text = read_text(file, str(file), "a style file", MAX_FILE_SIZE)
        found = Message(str(file), error.line, 1, "error", error.problem)
        return [found.with_excerpt(text)]
    except AspdokuError as error:
        return [Message("", 0, 0, "error", str(error))]
    from aspdoku.program.lint import defined_predicates  # pictures do without

    known = {item.signature for item in rule.inputs} | defined_predicates(rule)
    known |= defined_predicates(library.base())
    wrong = [atom for style in styles for atom in style.atoms if atom.signature not in known]
    return [_unknown(atom, rule, path.with_suffix(".draw"), known) for atom in wrong]


def _unknown(atom: Input, rule: RuleFile, file: Path, known: set[tuple[str, int]]) -> Message:
    text = read_text(file, str(file), "a style file", MAX_FILE_SIZE)
    heading = re.search(rf"(?<!\w){re.escape(atom.name)}\s*\(", text)
    offset = heading.start() if heading else 0
    line, column = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
    arities = sorted(arity for name, arity in known if name == atom.name)
    advice = (
        f" Did you mean {atom.name}/{arities[0]}?"
        if arities
        else did_you_mean(atom.name, sorted(name for name, _ in known))
    )
    what = f"{rule.place} neither declares nor defines {atom}"
    message = Message(str(file), line, column, "error", f"{what}: nothing is drawn.{advice}")
    return message.with_excerpt(text)
