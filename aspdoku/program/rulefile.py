"""A rule file: its unchanged text, the comments in it, and what it declares about itself."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Literal, NamedTuple

from aspdoku.errors import RuleError, StatementError, UnreadableError
from aspdoku.puzzle.inputs import Input
from aspdoku.puzzle.puzzle import REGION, UNUSED
from aspdoku.puzzle.term import CONTROL, Signature

LARGEST_FILE = 1_000_000

_DEFINED = re.compile(r"#defined\s+(-?\w+)\s*/\s*([0-9]{1,3})\s*\.")
_CONSTANT = re.compile(r"#const\s+(\w+)\s*=")
_SHOWN = re.compile(r"#show\s+(-?\w+)\s*/\s*([0-9]{1,3})\s*\.")
# A comment after a declaration, and following comment lines that begin with several blanks.
_MEANING = re.compile(r"[ \t]*%(.*(?:\n%  .*)*)")
_REPLACED = re.compile(r"\(without: ([\w-]+(?:, [\w-]+)*)\)")
_RETRACTABLE = re.compile(r"\bnot\s+ab\(\s*(_*[a-z]\w*)")
_EXAMPLE = re.compile(r"% For example: (.*)")
# A comment in a line of its own, and following comment lines that begin with several blanks.
_HINT = re.compile(r"^% hint: +(\S.*(?:\n%  .*)*)", re.MULTILINE)
EXCEPTIONS = "ab"
_CHOSEN_EXCEPTION = re.compile(r"(?<!not )\bab\(T,U\)")
SIZES = ("n", "box_rows", "box_columns")
_TEMPLATE = re.compile(r"%@(?:\(([A-Z]\w*(?:\s*,\s*[A-Z]\w*)*)\))?\s*(.*)")
_AN = re.compile(r"\ba (?=8|11\b|18\b)")
PLACEHOLDER = re.compile(r"\{(\w+)\}")

# The lexical syntax is that of gringo, the grounder of clingo.
# `#!` begins a line comment, as in the first line of a script.
_OPENING = re.compile(r'%\*|%|#!|"')
# Inside a block comment, % hides the rest of its line, even a closing *%.
_BLOCK_EDGE = re.compile(r"%\*|\*%|%[^\n]*")
# A quote that does not begin a string valid in clingo is an ordinary character.
_STRING = re.compile(r'"(?:\\["\\n]|[^"\\\n])*"')
_VISIBLE = re.compile(r"[^\n\r]")

# Of a choice: which of its bounds; empty for a constraint.
Part = Literal["", "least", "most"]


@cache
def data_dir() -> Path:
    """The folder of the bundled rule files, inside an installed package or next to a checkout's."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "asp"
    return installed if installed.is_dir() else package.parent / "asp"


def is_shared(predicate: tuple[str, int]) -> bool:
    """Whether several files may define a predicate: exceptions, the layout of a grid, and what the
    vocabulary reads, such as what a cell counts as.
    """
    return predicate[0] == EXCEPTIONS or predicate in (REGION, UNUSED) or predicate in _asked()


def read_text(path: Path, place: str, kind: str, largest: int) -> str:
    """The text of a file, or RuleError if it cannot be read, has more bytes, or is not UTF-8."""
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise UnreadableError(f"{place}: not a regular file")
        with path.open("rb") as file:
            content = file.read(largest + 1)
    except OSError as error:
        raise UnreadableError(f"{place}: {error.strerror or error}") from error
    except ValueError as error:
        raise UnreadableError(f"{place!a}: {error}") from error
    return _decoded(content, place, kind, largest)


def _decoded(content: bytes, place: str, kind: str, largest: int) -> str:
    if len(content) > largest:
        raise RuleError(f"{place}: file too large: {kind} may have at most {largest // 1000} kB")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RuleError(f"{place}: not UTF-8 text (invalid byte {error.start})") from error


def suggested_name(name: str) -> str:
    """A name for a rule file that is like this one, and that a fact `ab(NAME)` can have."""
    words = re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")
    return words if words[:1].isalpha() else f"rule-{words}".rstrip("-")


@dataclass(frozen=True)
class RuleFile:
    """A rule file.

    name: the name for `--with`
    place: how messages refer to the file
    text: its unchanged content
    vetted: known to be valid, so that it can enter a program without being checked
    path: the path it was read from; None for text that was not read from a file
    source: the file that this one was made from, if any
    """

    name: str
    place: str
    text: str = field(repr=False)
    vetted: bool = False
    path: Path | None = field(default=None, compare=False)
    source: RuleFile | None = field(default=None, compare=False, repr=False)

    @property
    def own(self) -> RuleFile | None:
        """The file of a user that this is, or was made from."""
        if self.source:
            return self.source.own
        return None if self.vetted else self

    @classmethod
    def from_text(cls, name: str, text: str) -> RuleFile:
        """A rule file that exists only as text; `name` is its name in messages and --without."""
        if not isinstance(name, str) or not isinstance(text, str):
            raise TypeError("expected the name and the text of a rule as strings")
        return cls(name, f"{name}.lp", text)

    @classmethod
    def read(cls, path: Path, place: str = "", vetted: bool = False) -> RuleFile:
        """The rule file at `path`. Raises RuleError if it cannot be read or is not text.

        place: what messages call it, by default the path
        """
        place = place or str(path)
        text = read_text(path, place, "a rule file", LARGEST_FILE)
        return cls(path.stem, place, _plain(text, place), vetted, path)

    @classmethod
    def from_bytes(cls, content: bytes, place: str) -> RuleFile:
        """The rule file with this content, which was read from elsewhere than a file."""
        text = _decoded(content, place, "a rule file", LARGEST_FILE)
        return cls(place, place, _plain(text, place))

    @cached_property
    def code(self) -> str:
        """The text with comments and strings blanked out."""
        return code(self.text)

    @cached_property
    def title(self) -> str:
        """The first line of the first comment that is no hint: the rule in words."""
        for _, _, comment in comments(_HINT.sub("", self.text)):
            for line in comment.strip("%*").splitlines():
                if line.strip(" %*\t"):
                    return line.strip(" %*\t")
        return ""

    @cached_property
    def inputs(self) -> tuple[Input, ...]:
        """The declared predicates that a puzzle provides: not those of the vocabulary."""
        return tuple(item for item in self.declared if item.signature not in vocabulary())

    @cached_property
    def declared(self) -> tuple[Input, ...]:
        """The predicates declared with `#defined`, each with the comment after it; without `ab`."""
        return tuple(
            Input(found[1], int(found[2]), self._comment_behind(found.end()))
            for found in _DEFINED.finditer(self.code)
            if found[1] != EXCEPTIONS
        )

    @cached_property
    def example(self) -> str:
        """Example facts for the inputs, small enough for a 4x4 grid.

        They are in comments such as `% For example: gt(1,1,1,2).`
        """
        found = (_EXAMPLE.match(comment) for _, _, comment in comments(self.text))
        return "\n".join(match[1] for match in found if match)

    @cached_property
    def hints(self) -> tuple[str, ...]:
        """The hints for students who write this rule, in the order in which they are shown.

        They are in comments such as `% hint: Name two cells that hold the same number.`
        """
        matches = (_HINT.match(self.text, start) for start, _, _ in comments(self.text))
        return tuple(" ".join(each[1].replace("\n%", " ").split()) for each in matches if each)

    def _comment_behind(self, offset: int) -> str:
        found = _MEANING.match(self.text, offset)
        return " ".join(found[1].replace("\n%", " ").split()) if found else ""

    @cached_property
    def retractable(self) -> frozenset[str]:
        """The names X for which the file has `not ab(X)`: the fact `ab(X).` retracts the rule."""
        return frozenset(_RETRACTABLE.findall(self.code))

    @cached_property
    def replaced(self) -> frozenset[str]:
        """The names of the rules that a puzzle with this one retracts.

        They are in a comment such as `(without: row, column)`.
        """
        found = (_REPLACED.search(comment) for _, _, comment in comments(self.text))
        return frozenset(name for each in found if each for name in each[1].split(", "))

    @cached_property
    def references(self) -> dict[tuple[str, int], tuple[int, int]]:
        """The inputs of exceptions `ab(T,U) :- …`: the indices of a rule T and of its clue U."""
        if not _CHOSEN_EXCEPTION.search(self.code):
            return {}
        return {item.signature: item.reference for item in self.inputs if item.reference}

    @cached_property
    def shown(self) -> frozenset[tuple[str, int]]:
        """The predicates that the file shows with `#show p/n.` in addition to the grid.

        Their atoms are part of a solution.
        """
        return frozenset((found[1], int(found[2])) for found in _SHOWN.finditer(self.code))

    @cached_property
    def constants(self) -> frozenset[str]:
        """The constants that the file sets with `#const`."""
        return frozenset(_CONSTANT.findall(self.code) if "#const" in self.text else ())

    @cached_property
    def exceptions(self) -> frozenset[int]:
        """The arities with which the file declares `ab`."""
        return frozenset(
            int(found[2]) for found in _DEFINED.finditer(self.code) if found[1] == EXCEPTIONS
        )

    def mentions(self, predicate: str) -> bool:
        """Whether the code uses this name other than in an input declaration."""
        return (
            re.search(rf"(?<![\w']){re.escape(predicate)}(?![\w'])", _DEFINED.sub("", self.code))
            is not None
        )


def _plain(text: str, place: str) -> str:
    if bad := CONTROL.search(text):
        position = line_and_column(text, bad.start())
        raise StatementError(place, position, f"invalid control character {bad[0]!a}: remove it")
    return text


@cache
def vocabulary() -> dict[Signature, RuleFile]:
    """The definitions that a program has because a rule declares the predicate: with `#defined
    adjacent/4.`, asp/vocabulary/adjacent.lp, whose title lists the arguments.
    """
    return _definitions("vocabulary") | speed()


@cache
def speed() -> dict[Signature, RuleFile]:
    """The definitions in asp/speed: only the search is another one with them."""
    return _definitions("speed")


@cache
def speed_inputs() -> frozenset[Signature]:
    """The predicates by which rules tell these definitions what would speed up the search."""
    return frozenset(
        item.signature for rule in speed().values() for item in rule.declared if item.meaning
    )


def _definitions(folder: str) -> dict[Signature, RuleFile]:
    files = sorted((data_dir() / folder).glob("*.lp"))
    rules = [RuleFile.read(file, f"asp/{folder}/{file.name}", vetted=True) for file in files]
    return {(rule.name, rule.title.partition(")")[0].count(",") + 1): rule for rule in rules}


@cache
def _asked() -> frozenset[Signature]:
    """The predicates that the vocabulary reads and rules define: their meaning stands there."""
    words = [item for rule in vocabulary().values() for item in rule.declared]
    return frozenset(item.signature for item in words if item.meaning)


def word_taken(predicate: Signature) -> str:
    """What to do about a predicate of a user that is a word of the vocabulary; empty for others."""
    if predicate not in vocabulary():
        return ""
    name, arity = predicate
    place = vocabulary()[predicate].place
    return f"{name}/{arity} is a word of the vocabulary, {place}: use another name"


class MessageTemplate(NamedTuple):
    """The message template in a comment `%@ row {R} needs a {N}` above a rule.

    variables: those listed before the text, as in `%@(R,C) …`, which identify an instance; None if
        there is no list, so that those in the text identify it, or all if it has none
    parts: the text; for a choice, the texts for too few and for too many, separated by `|`
    """

    line: int
    variables: tuple[str, ...] | None
    parts: tuple[str, ...]

    @property
    def is_silent(self) -> bool:
        """Whether the template is `%@ -`: the rule is redundant and only speeds up the search."""
        return self.parts == ("-",)

    def text(self, part: Part) -> str:
        """The template of a constraint, or of one bound of a choice."""
        return self.parts[-1 if part == "most" else 0]

    def message(self, part: Part, values: Mapping[str, str]) -> str:
        """The message for these values of the variables."""
        return fill_template(self.text(part), values)

    @property
    def placeholders(self) -> set[str]:
        """The variables that occur in the template."""
        return set(self.variables or ()).union(*(PLACEHOLDER.findall(part) for part in self.parts))


def fill_template(template: str, values: Mapping[str, str]) -> str:
    """The text of a template with these values in place of the variables."""
    return _AN.sub("an ", PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), template))


def message_templates(rule: RuleFile) -> dict[int, MessageTemplate]:
    """The `%@` comments of a file, by the next line that contains code."""
    templates = {}
    starts = [0, *(end.end() for end in re.finditer("\n", rule.text))]
    code = [number for number, line in enumerate(rule.code.split("\n"), 1) if line.strip()]
    for start, _, comment in comments(rule.text):
        if match := _TEMPLATE.match(comment):
            number = bisect(starts, start)
            place = bisect(code, number)
            below = code[place] if place < len(code) else 0
            variables = tuple(name.strip() for name in match[1].split(",")) if match[1] else None
            templates[below] = MessageTemplate(
                number, variables, tuple(part.strip() for part in match[2].split("|"))
            )
    return templates


def code(text: str) -> str:
    """The text with comments and strings blanked out; everything else keeps its line and column.
    Block comments nest, as in clingo; an unterminated one extends to the end of the text.
    """
    kept: list[str] = []
    position = 0
    for start, end, _ in opaque(text):
        inside = text[start:end]
        kept += text[position:start], inside if inside == '"' else _VISIBLE.sub(" ", inside)
        position = end
    return "".join(kept) + text[position:]


def comments(text: str) -> list[tuple[int, int, str]]:
    """Start, end and text of every comment, in order."""
    return [(start, end, text[start:end]) for start, end, sign in opaque(text) if sign != '"']


def opaque(text: str) -> Iterator[tuple[int, int, str]]:
    """Start and end of every comment and string, and the sign that opens it."""
    position = 0
    while opening := _OPENING.search(text, position):
        position = _end(text, opening)
        yield opening.start(), position, opening[0]


def without_comments(text: str) -> str:
    """The text between comments."""
    starts, ends, _ = zip(*comments(text), (len(text), 0, ""), strict=True)
    return "".join(text[end:start] for end, start in zip((0, *ends), starts, strict=False))


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """The position of the character at `offset`; both count from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def offset_of(text: str, line: int, column: int) -> int:
    """The offset of a position whose column counts bytes, as clingo's does."""
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
    end = text.find("\n", start)
    content = text[start : end if end >= 0 else len(text)]
    return start + len(content.encode(errors="replace")[: column - 1].decode(errors="ignore"))


def _end(text: str, opening: re.Match[str]) -> int:
    if opening[0] == '"':
        string = _STRING.match(text, opening.start())
        return string.end() if string else opening.end()
    if opening[0] in ("%", "#!"):
        end = text.find("\n", opening.end())
        end = len(text) if end < 0 else end
        while text[end - 1] == "\r":  # a CR at the end of the line is not part of the comment
            end -= 1
        return end
    depth, position = 1, opening.end()
    while depth and (edge := _BLOCK_EDGE.search(text, position)):
        depth += {"%*": 1, "*%": -1}.get(edge[0], 0)
        position = edge.end()
    return len(text) if depth else position
