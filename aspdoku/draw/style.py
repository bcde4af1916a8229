"""How what a rule speaks of is drawn, as a `.draw` file beside the rule file says it.

A table of such a file (TOML) is about one predicate, whose arguments it names as the rule files do:
R, C   row and column of a cell; R1, C1 of a second one I      the name of a cage, a line or a
region; any other letter that is not below belongs to the name, too K      the place of a cell on a
line E, J   an edge of the grid (left, right, top or bottom), and the row or column that the clue
stands before
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
from aspdoku.puzzle.puzzle import EDGES, REGION

if TYPE_CHECKING:
    from aspdoku.program.compose import Program
    from aspdoku.program.rulefile import RuleFile

Signature = tuple[str, int]

# What draws a predicate, and the letters that it cannot do without.
KINDS: dict[str, frozenset[str]] = {
    "area": frozenset(("R", "C")),
    "borders": frozenset(("R", "C")),
    "outline": frozenset(("R", "C")),
    "line": frozenset(("R", "C")),
    "links": frozenset(("R", "C")),
    "pointer": frozenset(("R", "C")),
    "mark": frozenset(("R", "C")),
    "candidates": frozenset(("R", "C", "N")),
    "corner": frozenset(("R", "C")),
    "edge": frozenset(("R", "C", "R1", "C1")),
    "clue": frozenset(),
    "note": frozenset(),
}
# What shows labels, what shows a text, and what of the latter is something without one.
LABELLED = ("area", "borders", "outline", "line", "links", "pointer")
WRITTEN = ("mark", "corner", "edge", "clue", "note")
SILENT = ("mark", "edge")
_CHOICES = {
    "draw": tuple(KINDS),
    "first": ("bulb", "circle", "square", "diamond", "tip"),
    "last": ("bulb", "circle", "square", "diamond", "tip"),
    "shape": ("circle", "square", "diamond", "inward", "outward", "sign", "none"),
    "edge": EDGES,
}
_ATOM = re.compile(r"\s*(_*[a-z]\w*)\s*\(\s*([A-Z]\d*(?:\s*,\s*[A-Z]\d*)*)\s*\)\s*")
_COLOUR = re.compile(r"#[0-9a-f]{6}")
_VARIABLE = re.compile(r"\{([A-Z]\d*)\}")
_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")


class Atom(NamedTuple):
    """A predicate with a letter for each argument, as in `cage(R,C,I)`."""

    name: str
    letters: tuple[str, ...]

    @property
    def signature(self) -> Signature:
        """Name and number of arguments."""
        return self.name, len(self.letters)

    def __str__(self) -> str:
        return f"{self.name}({','.join(self.letters)})"


class Label(NamedTuple):
    """What is written beside a cage or a line.

    The atom that says it, joined by the letters it shares, and the words.
    """

    atom: Atom
    text: str


@dataclass(frozen=True)
class Look:
    """How one predicate is drawn. Lengths are in cells, colours `#rrggbb`.

    Each cage or line has its own where none is said.

    draw: one of KINDS; first, last: what stands at the ends of a line; shape: of a mark or a dot
    ink: colour of the digits in the cells; extend: how far a line goes on beyond its ends
    text: what is written, with `{S}` for the argument S; words: what to write instead of a certain
    text
    head: how many cells make the first end of a line; head_by: the atom that may say another number
    closed_by: the atom that says which lines are loops
    by: the letter whose values have a colour each, where it is not the whole name
    rule: the name of the rule, which a legend may show
    """

    atom: Atom
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
    head_by: Atom | None = None
    closed_by: Atom | None = None
    by: str = ""
    rule: str = ""

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """All that it looks at."""
        return (
            self.atom,
            *(label.atom for label in self.labels),
            *filter(None, (self.head_by, self.closed_by)),
        )


def parse(text: str, place: str, rule: str = "") -> list[Look]:
    """The looks in a `.draw` file. Raises RuleError with file and line for what is none."""
    try:
        return [
            _Reader(text, place, key).look(table, rule)
            for key, table in tomllib.loads(text).items()
        ]
    except tomllib.TOMLDecodeError as error:
        where = _TOML_PLACE.search(str(error))
        line = where[1] if where and where[1] else str(text.count("\n") + 1)
        raise RuleError(
            f"{place}:{line}: {_TOML_PLACE.sub('', str(error))}; a look is written in TOML"
        ) from None
    except (
        RecursionError,
        ValueError,
    ):  # Python limits nesting, and the digits of integers that it reads or writes
        raise RuleError(
            f"{place}: a value is nested too deeply, or an integer has too many digits"
        ) from None


class _Reader:
    """Reads one table, and says on which line it is wrong."""

    def __init__(self, text: str, place: str, key: str) -> None:
        self._lines = text.splitlines()
        self._place = place
        self._key = key

    def look(self, table: object, rule: str) -> Look:
        atom = self._atom(self._key, "")
        if not isinstance(table, Mapping):
            raise self._error(
                "", f'a look is a table: ["{self._key}"], and below it how it is drawn'
            )
        known = [each.name for each in fields(Look) if each.name not in ("atom", "rule")]
        for name in table:
            if name not in known:
                near = did_you_mean(name, known)
                raise self._error(
                    name, f"there is no '{name}' in a look.{near} Known are: {', '.join(known)}"
                )
        if "draw" not in table:
            raise self._error(
                "", f"it does not say how {atom} is drawn: draw = one of {', '.join(KINDS)}"
            )
        values = {name: self._value(name, value, atom) for name, value in table.items()}
        look = Look(atom=atom, rule=rule, **values)  # type: ignore[arg-type]
        self._refuse_missing_letters(look)
        self._refuse_what_is_not_drawn(look)
        return look

    def _value(self, name: str, value: object, atom: Atom) -> object:
        if name in _CHOICES:
            if value not in _CHOICES[name]:
                raise self._error(
                    name, f"{name} is one of {', '.join(_CHOICES[name])}, not {quoted(value)}"
                )
        elif name in ("colour", "outline", "ink"):
            if not isinstance(value, str) or not _COLOUR.fullmatch(value):
                raise self._error(
                    name, f"{name} is a colour such as '#ff8800', not {quoted(value)}"
                )
        elif name in ("width", "size", "extend"):
            if (
                isinstance(value, bool)
                or not isinstance(value, int | float)
                or not 0 <= value <= 10
            ):
                raise self._error(
                    name, f"{name} is a number of cells from 0 to 10, not {quoted(value)}"
                )
        elif name == "head":
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 100:
                raise self._error(
                    name, f"head is a number of cells from 1 to 100, not {quoted(value)}"
                )
        elif name == "by":
            if value not in atom.letters:
                raise self._error(
                    name,
                    f"by is one of the arguments {', '.join(atom.letters)}, not {quoted(value)}",
                )
        elif name in ("head_by", "closed_by"):
            return self._atom(value, name)
        elif name == "text":
            return self._words(name, value, atom.letters)
        else:
            return self._table(name, value, atom)
        return value

    def _table(
        self, name: str, value: object, atom: Atom
    ) -> tuple[tuple[str, str], ...] | tuple[Label, ...]:
        if not isinstance(value, Mapping) or not all(
            isinstance(each, str) for each in value.values()
        ):
            example = '{ 5 = "V" }' if name == "words" else '{ "cage_value(I,S)" = "{S}" }'
            raise self._error(
                name, f"{name} is a table of texts, such as {example}, not {quoted(value)}"
            )
        if name == "words":
            return tuple(value.items())
        atoms = [(self._atom(key, name), text) for key, text in value.items()]
        return tuple(
            Label(each, self._words(name, text, (*each.letters, *atom.letters)))
            for each, text in atoms
        )

    def _words(self, name: str, value: object, letters: tuple[str, ...]) -> str:
        if not isinstance(value, str):
            raise self._error(name, f"{name} is a text, such as '{{S}}', not {quoted(value)}")
        unknown = [each for each in _VARIABLE.findall(value) if each not in letters]
        if unknown:
            raise self._error(
                name, f"{{{unknown[0]}}} is none of its arguments, which are {', '.join(letters)}"
            )
        return value

    def _atom(self, text: object, name: str) -> Atom:
        found = _ATOM.fullmatch(text) if isinstance(text, str) else None
        if not found:
            raise self._error(
                name,
                f"{quoted(text)} is not a predicate with a letter for each argument, as in"
                " 'cage(R,C,I)'",
            )
        return Atom(found[1], tuple(letter.strip() for letter in found[2].split(",")))

    def _refuse_missing_letters(self, look: Look) -> None:
        letters = set(look.atom.letters)
        if missing := sorted(KINDS[look.draw] - letters):
            raise self._error(
                "draw",
                f"{look.draw} needs the arguments {', '.join(missing)}, which {look.atom} does not"
                " name",
            )
        along = {"left": "R", "right": "R", "top": "C", "bottom": "C"}.get(look.edge, "J")
        if look.draw == "clue" and not (
            letters >= {"E", "J"} or (look.edge and letters & {"J", along})
        ):
            raise self._error(
                "draw",
                "clue needs the arguments E and J, or an edge and the row R or column C beside it",
            )

    def _refuse_what_is_not_drawn(self, look: Look) -> None:
        if look.labels and look.draw not in LABELLED:
            raise self._error("labels", f"{look.draw} shows no labels; {', '.join(LABELLED)} do")
        if look.text and look.draw not in WRITTEN:
            raise self._error("text", f"{look.draw} shows no text; {', '.join(WRITTEN)} do")
        if look.draw in WRITTEN and look.draw not in SILENT and not look.text:
            raise self._error(
                "draw", f"{look.draw} needs a text, such as '{{{look.atom.letters[-1]}}}'"
            )

    def _error(self, name: str, message: str) -> RuleError:
        """The error at the line of this name below the table's heading, or at the heading."""
        heading = next(
            (
                at
                for at, line in enumerate(self._lines)
                if line.startswith("[") and self._key in line
            ),
            0,
        )
        below = (
            at
            for at, line in enumerate(self._lines)
            if at > heading and re.match(rf"\s*{re.escape(name)}\s*[.=]", line)
        )
        line = next(below, heading) if name else heading
        return RuleError(f"{self._place}:{line + 1}: {message}")


LARGEST_FILE = 100_000


def looks(program: Program) -> tuple[Look, ...]:
    """How the rules of a program are drawn that are not taken back.

    Raises RuleError for a `.draw` file of no use.
    """
    rules = [
        part.rule for part in program.parts if not taken_back(part.rule, program.puzzle.without)
    ]
    found: dict[Signature, Look] = {}
    for look in (look for rule in rules for look in _read(rule)):
        found.setdefault(look.atom.signature, look)
    spoken_of = {REGION, *(atom.signature for look in found.values() for atom in look.atoms)}
    for rule in rules:
        inputs = [Atom(each.name, each.arguments) for each in rule.inputs if each.arguments]
        for look in _plain([atom for atom in inputs if atom.signature not in spoken_of], rule.name):
            found.setdefault(look.atom.signature, look)
    return tuple(found.values())


def taken_back(rule: RuleFile, without: Iterable[str]) -> bool:
    """Whether nothing of the rule holds."""
    symbols = {name.replace("-", "_") for name in without}
    return bool(rule.retractable) and rule.retractable <= symbols


def derived(program: Program, found: Iterable[Look]) -> set[Signature]:
    """The predicates among these looks that are not the puzzle's to state.

    The program defines them.
    """
    inputs = {each.signature for part in program.parts for each in part.rule.inputs}
    return {atom.signature for look in found for atom in look.atoms} - inputs


def guess(signatures: Iterable[Signature]) -> list[Look]:
    """A plain look for predicates that no rule declares, by the number of their arguments alone."""
    usual = {
        2: ("R", "C"),
        3: ("R", "C", "I"),
        4: ("I", "K", "R", "C"),
        5: ("R", "C", "R1", "C1", "S"),
    }
    names = set(signatures)
    atoms = [Atom(name, usual[arity]) for name, arity in names if arity in usual]
    values = {(f"{atom.name}_value", 2) for atom in atoms if "I" in atom.letters}
    atoms = [atom for atom in atoms if atom.signature not in values]
    said = [Atom(name, ("I", "S")) for name, arity in names & values]
    return _plain(sorted([*atoms, *said]), "")


def _plain(atoms: list[Atom], rule: str) -> list[Look]:
    """The look of predicates of which nothing is said: from the letters of their arguments."""
    values = {atom.name: atom for atom in atoms}
    found = []
    for atom in atoms:
        letters = set(atom.letters)
        labels = _labels(atom, values.get(f"{atom.name}_value"))
        others = [
            each for each in atom.letters if each not in ("R", "C", "R1", "C1", "K", "E", "J")
        ]
        text = "".join(f"{{{each}}}" for each in others)
        if letters >= KINDS["edge"]:
            found.append(Look(atom, "edge", text=text, rule=rule or atom.name))
        elif letters >= {"R", "C"}:
            kind = (
                "line"
                if "K" in letters
                else "area"
                if "I" in letters or len(letters) == 2
                else "mark"
            )
            found.append(
                Look(
                    atom,
                    kind,
                    text=text if kind == "mark" else "",
                    labels=labels,
                    rule=rule or atom.name,
                )
            )
        elif letters >= {"E", "J"}:
            found.append(Look(atom, "clue", text=text, rule=rule or atom.name))
        elif letters & {"R", "C"} and others:
            found.append(
                Look(
                    atom,
                    "clue",
                    text=text,
                    edge="left" if "R" in letters else "top",
                    rule=rule or atom.name,
                )
            )
    return found


def _labels(atom: Atom, value: Atom | None) -> tuple[Label, ...]:
    """What `p_value(I,S)` says of `p(R,C,I)`."""
    if value is None or not set(value.letters) & set(atom.letters):
        return ()
    return (
        Label(
            value,
            "".join(f"{{{letter}}}" for letter in value.letters if letter not in atom.letters),
        ),
    )


def _read(rule: RuleFile) -> list[Look]:
    """The looks in the `.draw` file next to a rule file, if there is one."""
    file = rule.path.with_suffix(".draw") if rule.path else None
    if not rule.path or not file or not file.is_file():
        return []
    place = f"{rule.place.removesuffix('.lp')}.draw"
    if not rule.vetted and os.path.dirname(os.path.realpath(file)) != os.path.dirname(
        os.path.realpath(rule.path)
    ):
        raise RuleError(f"{place}: a symbolic link to another folder than that of the rule file")
    return parse(read_text(file, place, "a file of looks", LARGEST_FILE), place, rule.name)
