"""The text of a puzzle file: lines, each with its place, the header, sections, and values in them.

The header is the lines `key: value` before the grid. A section is a heading `[name]` and the lines
up to the next.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from aspdoku.errors import NO_ADVICE, Advice, PuzzleError, did_you_mean
from aspdoku.puzzle.puzzle import LARGEST_SIZE
from aspdoku.puzzle.term import CONTROL, PREDICATE, Function, Term

BYTE_ORDER_MARK = "\ufeff"
MAX_QUOTED = 30

# Not str.splitlines: it also breaks at form feeds and other characters that may occur in a title or
# a quoted string.
LINE_BREAK = re.compile(r"\r\n|\r|\n")
# Up to the first # that follows a blank and is outside double quotes.
_BEFORE_COMMENT = re.compile(r'(?:[^"#]|(?<!\s)#|"(?:\\.|[^"\\])*+(?:"|\\?\Z))*+')
DIGITS = re.compile(r"[0-9]+")
INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,9})")
STRING = re.compile(r'"(?:[^"\\]|\\[n"\\])*"')
ESCAPE = re.compile(r"\\(.)")

HEADER = re.compile(r"\s*([A-Za-z][^:]*):(.*)")
# A title may contain a number sign, as in "No. #5"; a comment after it is preceded by at least two
# blanks and followed by one. The pattern matches from the number sign on: starting with the blanks
# would take quadratic time on a long run of them.
TITLE_COMMENT = re.compile(r"(?<=\s\s)#\s.*")
BOX = re.compile(r"([0-9]{1,3})\s*[xX]\s*([0-9]{1,3})")
NUMBERS = re.compile(r"([0-9]{1,3})\s*(?:-|to)\s*([0-9]{1,3})")

# The other keys may be repeated; their values are then concatenated.
KEYS = [
    *("title", "author", "rules", "with", "without", "box", "numbers", "unsupported", "solution")
]
# The beginning of a text that is a puzzle file. Each line can match in one way only: with `.`
# instead of [^\r\n], a number of comment lines with CRLF took exponential time.
FIRST_HEADER = re.compile(
    rf"\ufeff?(?:[ \t]*(?:[#;%][^\r\n]*)?[\r\n])*[ \t]*({'|'.join(KEYS)})[ \t]*:", re.IGNORECASE
)
UNIQUE_KEYS = ("title", "author", "box", "numbers", "solution")

# The integers of clingo, which silently overflow beyond this range.
INTEGERS = range(-(2**31), 2**31)


class Line:
    """A line: its text, its number from 1, and the name of its file, empty if it is in none."""

    def __init__(self, text: str, number: int, name: str) -> None:
        self.text = text
        self.number = number
        self.name = name

    @cached_property
    def content(self) -> str:
        """The line without its comment and trailing blanks; empty if it is only a comment. Leading
        blanks are kept, because the column of a sign drawn between two rows is significant.
        """
        if self.text.lstrip()[:1] in ("#", ";", "%"):
            return ""
        before = _BEFORE_COMMENT.match(self.text) if "#" in self.text else None
        return (before[0] if before else self.text).rstrip()

    def error(self, message: str, advice: Advice = NO_ADVICE) -> PuzzleError:
        """A PuzzleError about this line, to be raised."""
        return PuzzleError(message, place_of(self.name, self.number), advice)


class LocatedFact(NamedTuple):
    """A fact and the line that it comes from."""

    fact: Function
    line: Line


class Section(NamedTuple):
    """A section.

    name: the predicate that it defines
    heading: its first line, `[name]`
    lines: all lines after the heading, including blank ones
    """

    name: str
    heading: Line
    lines: list[Line]

    @property
    def contents(self) -> list[Line]:
        """The lines that are not just comments or blank."""
        return [line for line in self.lines if line.content]

    @property
    def title(self) -> str:
        """The section's name in messages."""
        return self.heading.content.strip()

    def empty_section_error(self) -> PuzzleError:
        """A PuzzleError for an empty section, to be raised."""
        return self.heading.error(f"section {self.title} is empty")


def split_lines(text: str, name: str) -> list[Line]:
    """Split the text of a file at line breaks of any kind."""
    texts = LINE_BREAK.split(text.removeprefix(BYTE_ORDER_MARK))
    return [Line(line, number, name) for number, line in enumerate(texts, 1)]


def split_sections(lines: list[Line]) -> tuple[list[Line], list[Section]]:
    """The lines before the first section, and the sections. Raises PuzzleError."""
    starts = [place for place, line in enumerate(lines) if line.content.lstrip().startswith("[")]
    sections = [
        Section(_section_name(lines[start]), lines[start], lines[start + 1 : end])
        for start, end in pairwise([*starts, len(lines)])
    ]
    return lines[: starts[0]] if starts else lines, sections


def _section_name(line: Line) -> str:
    text = line.content.strip()
    inner = text[1:].removesuffix("]").strip()
    if not text.endswith("]") or "]" in inner or "[" in inner:
        raise line.error(
            f"invalid section heading {quote(text)}: expected a name in brackets, e.g. [cage]"
        )
    name = inner.replace("-", "_")
    if not is_name(name):
        raise line.error(
            f"invalid section name {quote(inner)}: a name consists of letters, digits and -, and"
            " starts with a lowercase letter"
        )
    return name


def place_of(name: str, line: int) -> str:
    """A line as the place of an error, `FILE:3` or `line 3`; none for line 0."""
    return f"{name}:{line}" if name else f"line {line}" if line else ""


def quote(text: str) -> str:
    """Quote a piece of the file for a message, with control characters escaped, shortened."""
    return repr(text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 1] + "…")


def pluralize(number: int, noun: str) -> str:
    """A number with a noun: `1 cell`, `2 cells`."""
    return f"{number} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """A noun for several things: `cells`, `boxes`."""
    return f"{noun}es" if noun.endswith("x") else f"{noun}s"


def enumerated(names: Iterable[object], conjunction: str = "and") -> str:
    """At least one name, as in `row, column and box`."""
    *most, last = map(str, names)
    return f"{', '.join(most)} {conjunction} {last}" if most else last


def is_digits(text: str) -> bool:
    """Whether `text` consists of the digits 0 to 9; unlike str.isdigit, rejects ²."""
    return DIGITS.fullmatch(text) is not None


def is_name(text: str) -> bool:
    """Whether `text` is a valid name of a predicate or constant."""
    return text != "not" and PREDICATE.fullmatch(text) is not None


def parse_integer(text: str, line: Line) -> int:
    """Parse an integer. Raises PuzzleError if it is not an integer of clingo."""
    if not INTEGER.fullmatch(text) or int(text) not in INTEGERS:
        raise line.error(
            f"invalid integer {quote(text)}: clingo's integers are {INTEGERS.start} to"
            f" {INTEGERS.stop - 1}, without leading zeros"
        )
    return int(text)


def parse_string(text: str, line: Line) -> str:
    """Parse a quoted string. Raises PuzzleError."""
    bad = CONTROL.search(text)
    if bad:
        raise line.error(f"control character {bad[0]!a} in the string {quote(text)}: delete it")
    return ESCAPE.sub(lambda escape: "\n" if escape[1] == "n" else escape[1], text[1:-1])


def parse_value(text: str, line: Line) -> Term:
    """Parse an integer, a quoted string or a constant. Raises PuzzleError for anything else."""
    if STRING.fullmatch(text):
        return parse_string(text, line)
    if is_name(text):
        return Function(text)
    if is_digits(text.removeprefix("-")):
        return parse_integer(text, line)
    raise line.error(
        f"invalid value {quote(text)}: expected an integer, a name such as even, or a string in"
        " double quotes"
    )


def key_of(line: Line) -> str:
    """The key of a header line, known or unknown; empty for any other line."""
    match = HEADER.match(line.content)
    return match[1].strip().lower() if match else ""


def parse_header(lines: list[Line]) -> tuple[dict[str, Any], dict[str, list[Line]]]:
    """The fields that the header lines state, and the lines of each key. Raises PuzzleError."""
    values: dict[str, list[Line]] = {key: [] for key in KEYS}
    for line in lines:
        key = key_of(line)
        if key not in values:
            known = ", ".join(KEYS)
            raise line.error(
                f"unknown header {quote(key)}; the headers are {known}.{did_you_mean(key, KEYS)}"
            )
        if values[key] and key in UNIQUE_KEYS:
            raise line.error(f"duplicate header {key}, first given in line {values[key][0].number}")
        values[key].append(line)
    fields = {name: parse(values[key]) for key, (name, parse) in FIELDS.items() if values[key]}
    return fields, values


def text_of(line: Line) -> str:
    """The value of a header line that is words, such as a title."""
    return TITLE_COMMENT.sub("", _value(line.text)).strip()


def _one_text(lines: list[Line]) -> str:
    return text_of(lines[0])


def _texts(lines: list[Line]) -> tuple[str, ...]:
    return tuple(map(text_of, lines))


def _range(lines: list[Line]) -> range:
    value = _value(lines[0].content)
    match = NUMBERS.fullmatch(value)
    if not match or not int(match[1]) <= int(match[2]) <= LARGEST_SIZE:
        example = f"expected the smallest and the largest number, e.g. 0-8, up to {LARGEST_SIZE}"
        raise lines[0].error(f"invalid number range {quote(value)}: {example}")
    return range(int(match[1]), int(match[2]) + 1)


def _shape(lines: list[Line]) -> tuple[int, int]:
    value = _value(lines[0].content)
    if match := BOX.fullmatch(value):
        return int(match[1]), int(match[2])
    raise lines[0].error(f"invalid box shape {quote(value)}: expected rows and columns, e.g. 2x3")


def value_line(line: Line) -> Line:
    """The value of a header line, as a line at the same place."""
    return Line(_value(line.content), line.number, line.name)


def _value(text: str) -> str:
    return text.partition(":")[2].strip()


def has_blanks(name: str) -> bool:
    """Whether a name of a rule contains blanks, which only a path can."""
    return len(name.split()) > 1 and not {*name} & {*"./"}


def _names(lines: list[Line]) -> tuple[str, ...]:
    found: list[str] = []
    for line in lines:
        value = _value(line.content)
        names = [name.strip() for name in value.split(",")] if value else []
        if "" in names:
            raise line.error(
                f"empty name in {quote(value)}: separate names with single commas, e.g."
                " anti-knight, offset"
            )
        if odd := next(filter(has_blanks, names), ""):
            raise line.error(
                f"blanks in {quote(odd)}: separate names with commas, as in"
                f" {', '.join(odd.split())}, or write a path, as in ./my rule.lp"
            )
        found += names
    return tuple(found)


# The fields of a puzzle, and how their lines are read.
FIELDS: dict[str, tuple[str, Callable[[list[Line]], Any]]] = {
    "title": ("title", _one_text),
    "author": ("author", _one_text),
    "with": ("elaborations", _names),
    "without": ("without", _names),
    "box": ("box", _shape),
    "numbers": ("numbers", _range),
    "unsupported": ("unsupported", _texts),
    "rules": ("rules", lambda lines: "\n".join(_texts(lines))),
}
