"""`NAME.words` files: in which words a rule is stated, next to its `NAME.lp`.

A line is a comment, or one of these:

- `draw: KIND`: the kind of drawn element that the rule is about
- `also: KIND`: the kind of drawn element that only illustrates the rule, in the cells of its clues
- `colour: NAME`: the colour of its elements where a text has the name of several rules instead
- `covers: RULE`: what is stated of the same elements by this rule, besides, or of the grid
- `without: RULES`: the default rules that it retracts
- `shows: TEXTS`: what is written in its elements, such as a symbol
- `loop: NUMBER`: how many of the first cells of a closed line follow again after the last one
- `names: PATTERN`: what the rule is called
- `says: PATTERN`: the features of a sentence that states the rule, in any order. Those in square
  brackets may be missing; all others, of one of the alternatives in round brackets, have to occur.
  A feature with a number is `least:D`, or `least:5` with this number only; `D` is a number by
  itself, and `D=5` says what a letter of the rule's inputs is.
- `note: PATTERN`: a sentence that adds nothing to the rule, such as "not all dots are given", in a
  text that states the rule about the same elements; it may be a note to other rules, besides
- `joint: PATTERN`: as `says:`, but other rules may be stated by the same words
- `after: RULE`: the next line counts only in a text that states this rule about the same elements

A pattern has features of the lexicon. Words that change a meaning are never optional.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.errors import RuleError
from aspdoku.words.lexicon import Lexicon, variants

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_KEYS = frozenset(
    {
        "draw",
        "also",
        "colour",
        "covers",
        "loop",
        "shows",
        "without",
        "names",
        "says",
        "note",
        "joint",
        "after",
    }
)


class Statement(NamedTuple):
    """Features that state a rule: all of `needs`, and any of `may`.

    kinds: the kinds of elements among the needs, and how often
    features: the names of the other features among the needs
    """

    rule: str
    needs: tuple[str, ...]
    may: frozenset[str]
    kinds: Counter[str]
    features: frozenset[str]
    note: bool
    joint: bool
    after: str


class WordsFile(NamedTuple):
    """A `.words` file: its keys and values with line numbers."""

    path: Path
    lines: tuple[tuple[int, str, str], ...]

    @classmethod
    def read(cls, path: Path) -> WordsFile:
        """Read a file. Raises RuleError for a line that is none of those above."""
        found = []
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            key, colon, value = line.strip().partition(":")
            if not line.strip() or line.startswith("#"):
                continue
            if not colon or key not in _KEYS:
                raise RuleError(
                    f"{path.name}:{number}: {line.strip()!r} is no line of a .words file; lines "
                    f"begin with {', '.join(sorted(_KEYS))} and a colon"
                )
            found.append((number, key, value.strip()))
        return cls(path, tuple(found))

    def value(self, key: str) -> str:
        """The value of a key that occurs once, or ""."""
        return next((value for _, each, value in self.lines if each == key), "")


def statements(file: WordsFile, lexicon: Lexicon) -> Iterator[Statement]:
    """The statements of a file. Raises RuleError for features that are unknown, and for words that
    change a meaning as optional ones.
    """
    after = ""
    rule = file.path.stem
    for number, key, value in file.lines:
        if key == "after":
            after = value
        if key not in ("says", "note", "joint"):
            continue
        may = frozenset(" ".join(re.findall(r"\[([^\]]*)\]", value)).split())
        try:
            needed = list(variants(re.sub(r"\[[^\]]*\]", " ", value)))
        except ValueError as error:
            raise RuleError(f"{file.path.name}:{number}: {error}") from None
        _check(f"{file.path.name}:{number}", needed, may, lexicon)
        note = key == "note"
        for needs in needed:
            kinds = Counter(word for word in needs if word in lexicon.kinds)
            words = {word.partition(":")[0] for word in needs if not word[0].isupper()}
            yield Statement(
                rule,
                needs,
                may,
                kinds,
                frozenset(words - lexicon.kinds - {"name", "all"}),
                note,
                note or key == "joint",
                rule if note else after,
            )
        after = ""


def _check(
    place: str, needed: Sequence[tuple[str, ...]], may: frozenset[str], lexicon: Lexicon
) -> None:
    if wrong := sorted(may & lexicon.lists["changing"]):
        raise RuleError(f"{place}: {wrong[0]!r} changes a meaning and cannot be optional")
    for word in sorted(may.union(*needed)):
        feature = word.partition(":")[0]
        if not (lexicon.known(feature) or feature[0].isupper()):
            raise RuleError(f"{place}: the lexicon has no feature {feature!r}")
    for needs in needed:
        if not {word for word in needs if "=" not in word} - lexicon.kinds:
            raise RuleError(f"{place}: a statement needs a feature besides the elements")
