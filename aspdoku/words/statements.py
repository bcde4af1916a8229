"""`NAME.words` files: in which words a rule is stated, next to its `NAME.lp`.

A line is a comment, or has one of the keys that `LINES` explains.

A pattern has features of the lexicon. Words that change a meaning are never optional.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.errors import StatementError, did_you_mean
from aspdoku.program.rulefile import RuleFile, read_text
from aspdoku.words.lexicon import Lexicon, variants

if TYPE_CHECKING:
    from collections.abc import Iterator

LINES = {
    "draw": "KIND: the kind of drawn element that the rule is about",
    "also": "KIND: the kind of drawn element that only illustrates the rule, in the cells of its"
    " clues",
    "colour": "NAME: the colour of its elements where a text has the name of several rules instead",
    "covers": "RULE: this rule also states what RULE states about the same elements, or about the"
    " grid",
    "without": "RULES: the default rules that it retracts",
    "shows": "TEXTS: what is written in its elements, such as a symbol",
    "loop": "NUMBER: how many of the first cells of a closed line follow again after the last one",
    "names": "PATTERN: what the rule is called",
    "says": "PATTERN: the features of a sentence that states the rule, in any order. Those in"
    " square brackets may be missing; all others, of one of the alternatives in round brackets,"
    " have to occur. A feature with a number is `least:D`, or `least:5` with this number only; `D`"
    " is a number by itself, and `D=5` says what a letter of the rule's inputs is. `N` is the"
    " largest number of the grid, and `Q` the number of its rows",
    "note": 'PATTERN: a sentence that adds nothing to the rule, such as "not all dots are given",'
    " in a text that states the rule about the same elements; it may be a note to other rules too",
    "joint": "PATTERN: as `says:`, but other rules may be stated by the same words",
    "after": "RULE: the next line counts only in a text that states this rule about the same"
    " elements",
    "text": "SENTENCES: an example, which states the rule, and of which each word is accounted for",
}
"""The keys of lines, with what follows them and what it means."""
SENTENCES = ("says", "note", "joint")
"""The keys of lines with features of sentences."""
_ONCE = ("draw", "also", "colour", "covers", "loop", "shows", "without", "names")
_OPTIONAL = re.compile(r"\[([^\]]*)\]")
_LARGEST = 100_000


class Statement(NamedTuple):
    """Features that state a rule: all of `needs`, and any of `may`.

    kinds: the kinds of elements among the needs, and how often
    features: the names of the other features among the needs
    line: the number of its line
    """

    rule: str
    needs: tuple[str, ...]
    may: frozenset[str]
    kinds: Counter[str]
    features: frozenset[str]
    note: bool
    joint: bool
    after: str
    line: int


@dataclass(frozen=True)
class WordsLine:
    """A line of a `.words` file, with its number and its text as written."""

    number: int
    key: str
    value: str
    written: str

    @cached_property
    def optional(self) -> frozenset[str]:
        """The features that may be missing."""
        return frozenset(" ".join(_OPTIONAL.findall(self.value)).split())

    @cached_property
    def alternatives(self) -> list[tuple[str, ...]]:
        """The features that have to occur. Raises ValueError for a pattern that is none."""
        return list(variants(_OPTIONAL.sub(" ", self.value)))


class WordsFile(NamedTuple):
    """A `.words` file: the name of its rule, what messages call the file, and its lines."""

    rule: str
    place: str
    lines: tuple[WordsLine, ...]

    @classmethod
    def read(cls, path: Path, place: str = "") -> WordsFile:
        """Read a file. Raises RuleError if it is not text."""
        text = read_text(path, place or path.name, "a .words file", _LARGEST)
        lines = tuple(
            WordsLine(number, key if colon else "", value.strip(), line)
            for number, line in enumerate(text.splitlines(), 1)
            if line.strip() and not line.startswith("#")
            for key, colon, value in [line.strip().partition(":")]
        )
        return cls(path.stem, place or path.name, lines)

    @classmethod
    def next_to(cls, rule: RuleFile) -> WordsFile | None:
        """The file next to a rule file, if there is one. Raises RuleError if it is not text."""
        path = rule.path.with_suffix(".words") if rule.path else None
        if path is None or not path.is_file():
            return None
        return cls.read(path, f"{rule.place.removesuffix('.lp')}.words")

    @property
    def sentences(self) -> list[WordsLine]:
        """The lines that state features."""
        return [each for each in self.lines if each.key in SENTENCES]

    def value(self, key: str) -> str:
        """The value of a key that occurs once, or ""."""
        return next((each.value for each in self.lines if each.key == key), "")

    def error(self, line: WordsLine, problem: str, word: str = "") -> StatementError:
        """An error in a line, at a word of it, or at its value."""
        found = re.search(rf"(?<![\w:-]){re.escape(word or line.value)}(?![\w-])", line.written)
        return StatementError(self.place, (line.number, found.start() + 1 if found else 1), problem)

    def invalid_lines(self) -> Iterator[StatementError]:
        """The lines that have no known key, or a pattern whose brackets do not match."""
        first: dict[str, WordsLine] = {}
        for line in self.lines:
            if line.key not in LINES:
                *others, last = LINES
                listed = f"{', '.join(others)} or {last}"
                key = did_you_mean(line.key, list(LINES)) if line.key else ""
                problem = f"{line.written.strip()!r} does not begin with {listed} and a colon"
                yield self.error(line, f"{problem}.{key}" if key else problem, line.written)
            elif line.key in _ONCE and first.setdefault(line.key, line) is not line:
                other = first[line.key].number
                yield self.error(line, f"line {other} already has {line.key}: join the two")
            elif line.key == "loop" and not re.fullmatch("[0-9]", line.value):
                yield self.error(line, "loop needs the number of cells, such as 1")
            elif line.key in ("names", *SENTENCES):
                inside = " ".join(_OPTIONAL.findall(line.value))
                if line.key != "names" and re.search(r"[\[(|)]", inside):
                    problem = "[ ] lists features, without other brackets and |"
                    yield self.error(line, f"{problem}: write each alternative in its own line")
                    continue
                try:
                    _ = list(variants(line.value)) if line.key == "names" else line.alternatives
                except ValueError as error:
                    yield self.error(line, f"{error} in {line.value!r}")

    def invalid_features(self, lexicon: Lexicon) -> Iterator[StatementError]:
        """Features that are unknown, and words that change a meaning as optional ones."""
        for line in self.sentences:
            for word in sorted(line.optional & lexicon.lists["changing"]):
                problem = f"{word!r} changes a meaning and cannot be optional: write it outside [ ]"
                yield self.error(line, f"{problem}, in a line of its own if need be", word)
            for word in sorted(line.optional.union(*line.alternatives)):
                feature = word.partition(":")[0]
                if not (lexicon.known(feature) or feature[0].isupper()):
                    near = did_you_mean(feature, sorted(lexicon.meanings))
                    problem = f"the lexicon has no feature {feature!r}."
                    yield self.error(line, problem + (near or " asp/lexicon.txt lists them."), word)
            for needs in line.alternatives:
                if not {word for word in needs if "=" not in word} - lexicon.kinds:
                    yield self.error(line, "a statement needs a feature besides the elements")


def statements(file: WordsFile, lexicon: Lexicon) -> Iterator[Statement]:
    """The statements of a file. Raises StatementError for the first invalid line."""
    for error in file.invalid_features(lexicon):
        raise error
    after = ""
    for line in file.lines:
        if line.key == "after":
            after = line.value
        if line.key not in SENTENCES:
            continue
        note = line.key == "note"
        for needs in line.alternatives:
            kinds = Counter(word for word in needs if word in lexicon.kinds)
            words = {word.partition(":")[0] for word in needs if not word[0].isupper()}
            yield Statement(
                file.rule,
                needs,
                line.optional,
                kinds,
                frozenset(words - lexicon.kinds - {"name", "all"}),
                note,
                note or line.key == "joint",
                file.rule if note else after,
                line.number,
            )
        after = ""
