"""Drawing styles: how the facts of a rule are drawn, from the `.draw` file next to its rule file.

A `.draw` file is TOML. Each table is about one predicate, and names its arguments by the letters
that the rule files use, see `aspdoku.puzzle.inputs`; those that place no cell are parts of the name
of a cage, a line or a region.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from reprlib import repr as quoted
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.errors import RuleError, did_you_mean
from aspdoku.program.rulefile import read_text
from aspdoku.puzzle.inputs import Input
from aspdoku.puzzle.puzzle import EDGES, REGION

if TYPE_CHECKING:
    from aspdoku.program.compose import Program
    from aspdoku.program.rulefile import RuleFile

Signature = tuple[str, int]

# The kinds of drawing, with the arguments that each requires.
KINDS: dict[str, frozenset[str]] = {
    "area": frozenset(("R", "C")),
    "borders": frozenset(("R", "C")),
    "outline": frozenset(("R", "C")),
    "line": frozenset(("R", "C")),
    "links": frozenset(("R", "C")),
    "pointer": frozenset(("R", "C")),
    "mark": frozenset(("R", "C")),
    "candidates": frozenset(("R", "C", "N")),
    "numbers": frozenset(("R", "C", "N")),
    "corner": frozenset(("R", "C")),
    "edge": frozenset(("R", "C", "R1", "C1")),
    "clue": frozenset(),
    "note": frozenset(),
}
KINDS_WITH_LABELS = ("area", "borders", "outline", "line", "links", "pointer")
KINDS_WITH_TEXT = ("mark", "corner", "edge", "clue", "note")
TEXT_OPTIONAL = ("mark", "edge")
_CHOICES = {
    "draw": tuple(KINDS),
    "first": ("bulb", "circle", "square", "diamond", "tip"),
    "last": ("bulb", "circle", "square", "diamond", "tip"),
    "shape": ("circle", "square", "diamond", "inward", "outward", "sign", "none"),
    "edge": EDGES,
}
_COLOUR = re.compile(r"#[0-9a-f]{6}")
_VARIABLE = re.compile(r"\{([A-Z]\d*)\}")
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


def parse(text: str, place: str, rule: str = "") -> list[DrawStyle]:
    """The styles in a `.draw` file. Raises RuleError with file and line for an invalid one."""
    try:
        return [
            _StyleParser(text, place, key).style(table, rule)
            for key, table in tomllib.loads(text).items()
        ]
    except tomllib.TOMLDecodeError as error:
        where = _TOML_PLACE.search(str(error))
        line = where[1] if where and where[1] else str(text.count("\n") + 1)
        raise RuleError(
            f"{place}:{line}: invalid TOML: {_TOML_PLACE.sub('', str(error))}"
        ) from None
    except (
        RecursionError,
        ValueError,
    ):  # Python limits nesting, and the digits of integers that it reads or writes
        raise RuleError(
            f"{place}: a value is nested too deeply, or an integer has too many digits"
        ) from None


class _StyleParser:
    """Parses one table; errors have the line number."""

    def __init__(self, text: str, place: str, key: str) -> None:
        self._lines = text.splitlines()
        self._place = place
        self._key = key

    def style(self, table: object, rule: str) -> DrawStyle:
        atom = self._atom(self._key, "")
        if not isinstance(table, Mapping):
            raise self._error("", f'a style must be a table: ["{self._key}"] followed by its keys')
        known = [key.name for key in fields(DrawStyle) if key.name not in ("atom", "rule")]
        for name in table:
            if name not in known:
                near = did_you_mean(name, known)
                raise self._error(
                    name, f"unknown key '{name}'.{near} Known keys: {', '.join(known)}"
                )
        if "draw" not in table:
            raise self._error(
                "", f"missing key draw for {atom.text}: expected one of {', '.join(KINDS)}"
            )
        values = {name: self._value(name, value, atom) for name, value in table.items()}
        style = DrawStyle(atom=atom, rule=rule, **values)  # type: ignore[arg-type]
        self._require_arguments(style)
        self._reject_unused_keys(style)
        return style

    def _value(self, name: str, value: object, atom: Input) -> object:
        if name in _CHOICES:
            if value not in _CHOICES[name]:
                raise self._error(
                    name,
                    f"invalid {name} {quoted(value)}: expected one of {', '.join(_CHOICES[name])}",
                )
        elif name in ("colour", "outline", "ink"):
            if not isinstance(value, str) or not _COLOUR.fullmatch(value):
                raise self._error(
                    name, f"invalid {name} {quoted(value)}: expected a colour such as '#ff8800'"
                )
        elif name in ("width", "size", "extend"):
            if (
                isinstance(value, bool)
                or not isinstance(value, int | float)
                or not 0 <= value <= 10
            ):
                raise self._error(
                    name, f"invalid {name} {quoted(value)}: expected a number of cells from 0 to 10"
                )
        elif name == "head":
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 100:
                raise self._error(
                    name, f"invalid head {quoted(value)}: expected a number of cells from 1 to 100"
                )
        elif name == "by":
            if value not in atom.arguments:
                raise self._error(
                    name,
                    f"invalid by {quoted(value)}: expected one of the arguments"
                    f" {', '.join(atom.arguments)}",
                )
        elif name in ("head_by", "closed_by"):
            return self._atom(value, name)
        elif name == "text":
            return self._template(name, value, atom.arguments)
        else:
            return self._table(name, value, atom)
        return value

    def _table(
        self, name: str, value: object, atom: Input
    ) -> tuple[tuple[str, str], ...] | tuple[Label, ...]:
        if not isinstance(value, Mapping) or not all(
            isinstance(text, str) for text in value.values()
        ):
            example = '{ 5 = "V" }' if name == "words" else '{ "cage_value(I,S)" = "{S}" }'
            raise self._error(
                name,
                f"invalid {name} {quoted(value)}: expected a table of strings such as {example}",
            )
        if name == "words":
            return tuple(value.items())
        atoms = [(self._atom(key, name), text) for key, text in value.items()]
        return tuple(
            Label(each, self._template(name, text, (*each.arguments, *atom.arguments)))
            for each, text in atoms
        )

    def _template(self, name: str, value: object, letters: tuple[str, ...]) -> str:
        if not isinstance(value, str):
            raise self._error(
                name, f"invalid {name} {quoted(value)}: expected a string such as '{{S}}'"
            )
        unknown = [letter for letter in _VARIABLE.findall(value) if letter not in letters]
        if unknown:
            raise self._error(
                name, f"unknown argument {{{unknown[0]}}}: expected one of {', '.join(letters)}"
            )
        return value

    def _atom(self, text: object, name: str) -> Input:
        atom = Input.from_text(text) if isinstance(text, str) else None
        if not atom:
            raise self._error(
                name,
                f"invalid predicate {quoted(text)}: expected a name with a letter for each"
                " argument, such as 'cage(R,C,I)'",
            )
        return atom

    def _require_arguments(self, style: DrawStyle) -> None:
        letters = set(style.atom.arguments)
        if missing := sorted(KINDS[style.draw] - letters):
            raise self._error(
                "draw",
                f"{style.draw} needs the arguments {', '.join(missing)}, which"
                f" {style.atom.text} does not name",
            )
        along = {"left": "R", "right": "R", "top": "C", "bottom": "C"}.get(style.edge, "J")
        if style.draw == "clue" and not (
            letters >= {"E", "J"} or (style.edge and letters & {"J", along})
        ):
            raise self._error(
                "draw",
                "clue needs the arguments E and J, or the key edge and the argument R or C",
            )

    def _reject_unused_keys(self, style: DrawStyle) -> None:
        if style.labels and style.draw not in KINDS_WITH_LABELS:
            raise self._error(
                "labels", f"{style.draw} shows no labels; {', '.join(KINDS_WITH_LABELS)} do"
            )
        if style.text and style.draw not in KINDS_WITH_TEXT:
            raise self._error(
                "text", f"{style.draw} shows no text; {', '.join(KINDS_WITH_TEXT)} do"
            )
        if style.draw in KINDS_WITH_TEXT and style.draw not in TEXT_OPTIONAL and not style.text:
            raise self._error(
                "draw", f"{style.draw} needs a text, such as '{{{style.atom.arguments[-1]}}}'"
            )

    def _error(self, name: str, message: str) -> RuleError:
        """An error at the line of this key, or at the table's heading if there is none."""
        heading = next(
            (
                index
                for index, line in enumerate(self._lines)
                if line.startswith("[") and self._key in line
            ),
            0,
        )
        below = (
            index
            for index, line in enumerate(self._lines)
            if index > heading and re.match(rf"\s*{re.escape(name)}\s*[.=]", line)
        )
        line = next(below, heading) if name else heading
        return RuleError(f"{self._place}:{line + 1}: {message}")


MAX_FILE_SIZE = 100_000


def styles_of(program: Program) -> tuple[DrawStyle, ...]:
    """The styles of a program's rules, without those that are retracted.

    Predicates without a `.draw` file get a default style.

    Raises RuleError for an invalid `.draw` file.
    """
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
    """Default styles of inputs, from the letters of their arguments."""
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
    if not rule.vetted and os.path.dirname(os.path.realpath(file)) != os.path.dirname(
        os.path.realpath(rule.path)
    ):
        raise RuleError(f"{place}: symbolic link to a folder other than that of the rule file")
    return parse(read_text(file, place, "a style file", MAX_FILE_SIZE), place, rule.name)
