"""The lexicon: which words mean what, as data.

Its file has sections, `== NAME ==`, of lines `FEATURE: VARIANT | VARIANT`; a variant is a sequence
of words, in which `(a|b)` is one of several, `[a]` may be missing, and `#` is a number. With
`, FEATURE:` what follows is a statement of its own.

`words` are replaced first, the longest variant at each place; then `noise` is dropped, nouns are
joined with their colours and names, and the sections `phrases` are applied one after another: only
there the order of features has a meaning. `drawn` has the kinds of drawn elements that a noun
can mean, `NOUN: KIND KIND`, if not only that of its name; `sign=TEXT` is a sign with this text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.errors import RuleError
from aspdoku.words.sentences import stem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


class Element(NamedTuple):
    """What a text calls a drawn element: its kind, its colours as written, and its names."""

    kind: str
    colours: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    whole: bool = False  # "all lines"
    look: str = ""  # "thick"


class Token(NamedTuple):
    """A feature of a sentence, and the places of its words in the sentence."""

    word: str
    places: tuple[int, ...] = ()
    number: int | None = None
    elements: tuple[Element, ...] = ()  # several in "lines and cages"


_Alternatives = list[list["str | tuple[_Alternatives, bool]"]]


_MOST_DIGITS = 9  # of a number
_DEEPEST, _MOST_VARIANTS = 9, 1000  # of a pattern


def _parsed(pattern: str) -> _Alternatives:
    """The alternatives of a pattern: sequences of words, and of groups that may be missing.

    Raises ValueError for brackets that do not match, or too many of them.
    """
    levels: list[_Alternatives] = [[[]]]
    opened = ""
    for token in re.findall(r"[()\[\]|]|[^\s()\[\]|]+", pattern):
        if token == "|":
            levels[-1].append([])
        elif token in "([":
            levels.append([[]])
            opened += token
            if len(opened) > _DEEPEST:
                raise ValueError(f"brackets nested more than {_DEEPEST} deep")
        elif token in ")]":
            if opened[-1:] + token not in ("()", "[]"):
                raise ValueError(f"{token} closes no bracket")
            group, opened = levels.pop(), opened[:-1]
            levels[-1][-1].append((group, token == "]"))
        else:
            levels[-1][-1].append(token)
    if opened:
        raise ValueError("a bracket is not closed")
    return levels[0]


def variants(pattern: str) -> list[tuple[str, ...]]:
    """All sequences of words that a pattern with `(a|b)` and `[a]` stands for.

    Raises ValueError for brackets that do not match, or too many of them.
    """

    def number(alternatives: _Alternatives) -> int:
        groups = [[part for part in each if not isinstance(part, str)] for each in alternatives]
        return sum(prod(number(group) + may_miss for group, may_miss in each) for each in groups)

    def expanded(alternatives: _Alternatives) -> list[tuple[str, ...]]:
        return [
            tuple(word for part in choice for word in part)
            for sequence in alternatives
            for choice in product(
                *(
                    [(part,)] if isinstance(part, str) else expanded(part[0]) + [()] * part[1]
                    for part in sequence
                )
            )
        ]

    parsed = _parsed(pattern)
    if number(parsed) > _MOST_VARIANTS:
        raise ValueError(f"more than {_MOST_VARIANTS} variants")
    return expanded(parsed)


@dataclass
class Automaton:
    """A state of an automaton for sequences of words, with the feature that ends there, if any."""

    feature: str = ""
    numbered: bool = False
    following: dict[str, list[Automaton]] = field(default_factory=dict)

    def add(self, pattern: str, feature: str) -> set[str]:
        """Let the sequences of a pattern stand for a feature. Return the words in the pattern."""
        words = set()

        def insert(states: list[Automaton], alternatives: _Alternatives) -> list[Automaton]:
            ends = []
            for sequence in alternatives:
                current = states
                for part in sequence:
                    if isinstance(part, str):
                        word = stem(part)
                        words.add(word)
                        state = Automaton()
                        for each in current:
                            each.following.setdefault(word, []).append(state)
                        current = [state]
                    else:
                        current = insert(current, part[0]) + current * part[1]
                ends += current
            return ends

        for state in insert([self], _parsed(pattern)):
            state.feature, state.numbered = feature, "#" in pattern
        return words

    def longest(self, tokens: Sequence[Token], place: int) -> tuple[int, Automaton]:
        """The end of the longest sequence that begins at a place, and its state."""
        states, best = [self], (place, self)
        for end, token in enumerate(tokens[place:], place + 1):
            keys = (token.word, "#") if token.word.isdigit() else (token.word,)
            states = [
                new for state in states for key in keys for new in state.following.get(key, ())
            ]
            if not states:
                break
            best = next(((end, each) for each in states if each.feature), best)
        return best

    def rewrite(self, tokens: Sequence[Token]) -> list[Token]:
        """The tokens with the longest sequences replaced by their features."""
        found: list[Token] = []
        place = 0
        while place < len(tokens):
            end, state = self.longest(tokens, place)
            part = tokens[place:end]
            found += [Token(",")] * state.feature.startswith(", ")
            feature = state.feature.removeprefix(", ")
            found.append(_joined(feature, part, state.numbered) if part else tokens[place])
            place = max(end, place + 1)
        return found


def _token(word: str, place: int) -> Token:
    """A word, or a number; one that no rule can have is a word that the lexicon does not have."""
    if word.isdigit() and (not word.isdecimal() or len(word) > _MOST_DIGITS):
        return Token(f"#{word}", (place,))
    return Token(word, (place,), int(word) if word.isdigit() else None)


def _joined(feature: str, tokens: Sequence[Token], numbered: bool = False) -> Token:
    numbers = [t.number for t in tokens if t.number is not None and numbered >= t.word.isdigit()]
    word, _, fixed = feature.partition("=")
    if fixed:
        numbers.append(int(fixed))
    return Token(
        word,
        tuple(place for each in tokens for place in each.places),
        numbers[-1] if numbers else None,
        tuple(element for each in tokens for element in each.elements),
    )


CONJUNCTIONS = frozenset({"and", "or", ",", "/", "nor"})
_HUE = "hue "
_NEED = "need"  # has no meaning, but after "no": "no digits need to differ"
SHADE = "shade"  # the kind of coloured cells
WORD_LISTS = (
    *("noise", "changing", "repeatable", "colours", "shades", "adjectives", "looks", "faint"),
    *("titles", "pronouns"),
)


class Lexicon:
    """Features of words: the file, and the names of rules."""

    def __init__(self, path: Path, names: Mapping[str, tuple[str, str]]) -> None:
        """names: for each rule its names, as a pattern, and the kind of element that it is about"""
        self.lists: dict[str, frozenset[str]] = dict.fromkeys(WORD_LISTS, frozenset())
        self.kinds: set[str] = set()
        self.names: dict[str, str] = {}
        self.vocabulary: set[str] = set()
        self.meanings: dict[str, list[str]] = {}  # features, with the patterns that they replace
        self.signs: dict[str, str] = {}  # the text of the sign that a noun means
        self._drawn_as: dict[str, frozenset[str]] = {}
        self._words, self._phrases = Automaton(), list[Automaton]()
        self._read(path)
        named: dict[str, list[str]] = {}
        for rule, (pattern, kind) in names.items():
            self.names[rule] = kind
            for name in filter(None, pattern.split(" | ")):
                named.setdefault(name, []).append(rule)
        for name, rules in named.items():
            self.vocabulary |= self._words.add(name, f"name {'|'.join(rules)}")

    def _read(self, path: Path) -> None:
        section = ""
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            if line.startswith("=="):
                section = line.strip("= ")
                if section == "phrases":
                    self._phrases.append(Automaton())
            elif section in WORD_LISTS:
                self.lists[section] |= {stem(word) for word in line.split()}
            elif section in ("words", "nouns", "phrases"):
                feature, _, pattern = line.partition(": ")
                automaton = self._phrases[-1] if section == "phrases" else self._words
                self.vocabulary |= automaton.add(pattern, feature)
                name = feature.partition("=")[0].removeprefix(", ")
                self.meanings.setdefault(name, []).append(pattern)
                self.kinds |= {feature} if section == "nouns" else set()
            elif section == "drawn":
                noun, _, kinds = line.partition(": ")
                kinds, is_sign, text = kinds.partition("=")
                self.signs |= {noun: text} if is_sign else {}
                self._drawn_as[noun] = frozenset(kinds.split())
            else:
                raise RuleError(f"{path.name}:{number}: a line of no section == NAME ==")
        self.kinds = self.kinds - self.lists["faint"] | {SHADE}
        self.letters = {noun for noun, text in self.signs.items() if text.isalpha()}
        self.strict = self.lists["changing"] - self.lists["repeatable"]
        self.vocabulary |= (
            frozenset().union(*self.lists.values(), self.meanings, self.kinds)
            | CONJUNCTIONS
            | {"name"}
        )

    def drawn_as(self, noun: str) -> frozenset[str]:
        """The kinds of drawn elements that a noun may mean."""
        return self._drawn_as.get(noun, frozenset({noun}))

    def known(self, word: str) -> bool:
        """Whether a word occurs in the lexicon, in names, or in what rules say."""
        return word in self.vocabulary or not word[:1].isalpha() or word.startswith(_HUE)

    def features(self, text: Sequence[str], pets: Mapping[str, Element]) -> list[Token]:
        """The features of the words of a sentence; pets: names that a text gives to elements."""
        tokens = [_token(word, place) for place, word in enumerate(map(stem, text))]
        tokens = self._words.rewrite(tokens)
        noise = self.lists["noise"] | {"noise"}
        denied = next((at for at, each in enumerate(tokens) if each.word == "no"), len(tokens))
        tokens = [
            Token("name", each.places, None, (Element("", (), (each.word[5:],)),))
            if each.word.startswith("name ")
            else each
            for place, each in enumerate(tokens)
            if each.word not in noise and (each.word != _NEED or place > denied)
        ]
        if pets:
            automaton = Automaton()
            present = {each.word for each in tokens}
            for name in (each for each in pets if stem(each.partition(" ")[0]) in present):
                automaton.add(name, name)
            for place, each in enumerate(tokens := automaton.rewrite(tokens)):
                if pet := pets.get(each.word):
                    tokens[place] = Token(pet.kind, each.places, None, (pet,))
        tokens = self._noun_phrases(self._hues(tokens))
        for phrases in self._phrases:
            tokens = phrases.rewrite(tokens)
        return tokens

    def _hues(self, tokens: Sequence[Token]) -> list[Token]:
        """The tokens with colours joined to one token, as in "grey, red or light blue"."""
        found: list[Token] = []
        for token in tokens:
            if token.word in self.lists["colours"]:
                shade = [found.pop()] if found and found[-1].word in self.lists["shades"] else []
                part, colour = [*shade, token], " ".join(each.word for each in (*shade, token))
                before = [each for each in found if each.word not in CONJUNCTIONS][-1:]
                if before and before[0].word.startswith(_HUE):
                    start = found.index(before[0])
                    part, colour = [*found[start:], *part], f"{before[0].word}/{colour}"
                    del found[start:]
                token = _joined(colour if colour.startswith(_HUE) else _HUE + colour, part)
            found.append(token)
        return found

    def _noun_phrases(self, tokens: list[Token]) -> list[Token]:
        """The tokens with nouns joined with the adjectives, colours and names around them."""
        found: list[Token] = []
        nouns = self.kinds | self.lists["faint"]
        adjectives = self.lists["adjectives"] | self.lists["looks"] | {"all", "name"}
        end = 0
        while end < len(tokens):
            token = tokens[end]
            end += 1
            follows = tokens[end].word if end < len(tokens) else ""
            hued = bool(found) and found[-1].word.startswith(_HUE)
            marks = [each.word for each in tokens[end : end + 3]]
            bracket = marks[0:1] == ["("] and marks[2:3] == [")"] and marks[1].startswith(_HUE)
            named = token.word == "name" and follows not in nouns | {"name"} and (hued or bracket)
            if not named and (token.elements or token.word not in nouns):
                found.append(token)
                continue
            part = [token]
            while found and part[0].word != "all":
                word = found[-1].word
                if word in adjectives or word.startswith(_HUE):
                    part.insert(0, found.pop())
                elif word == ")" and len(found) > 2 and found[-2].word.startswith(_HUE):
                    part, found = [*found[-3:], *part], found[:-3]  # as in "(blue) line"
                else:
                    break
            hue_follows = follows.startswith(_HUE) and not nouns.union({"name"}) & {*marks[1:2]}
            after = 3 if bracket else int(hue_follows)
            part, end = part + tokens[end : end + after], end + after
            names = tuple(name for each in part for e in each.elements for name in e.names)
            hue = [c for t in part if t.word.startswith(_HUE) for c in t.word[4:].split("/")]
            kind = self.names[names[0].split("|")[0]] if named else token.word
            if kind in self.lists["faint"] and not hue:
                found += [each for each in part if each.word == "name"]
                found += [_joined(kind, [token])] * (kind != "cell")
                continue
            kind = SHADE if kind in self.lists["faint"] else kind
            look = " ".join(t.word for t in part if t.word in self.lists["looks"])
            element = Element(kind, tuple(hue), names, part[0].word == "all", look)
            found.append(_joined(kind, part)._replace(elements=(element,), number=None))
        return found
