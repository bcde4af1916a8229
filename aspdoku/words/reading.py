"""Reading of a text: which rules its sentences state, and which words nothing accounts for.

A sentence is divided at commas, brackets and conjunctions, so that each part has the features of
exactly one rule (`Statement`), all of them accounted for. Of all divisions the one with the fewest
words that remain is taken. A part without elements is about those of the parts before it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.words.lexicon import CONJUNCTIONS, Element, Lexicon, Token
from aspdoku.words.sentences import sentences, stem, words
from aspdoku.words.statements import Statement, WordsFile, statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

_BOUNDARIES = frozenset(
    {"and", "but", ",", ";", ":", "(", ")", "-", "/", "which", "that", "while", "ie", "."}
)
_LONGEST_TITLE = 5


class Stated(NamedTuple):
    """A rule that a part of a sentence states, about which elements, with which numbers.

    note: whether the part adds nothing to the rule
    """

    rule: str
    elements: tuple[Element, ...] = ()
    numbers: tuple[tuple[str, int], ...] = ()
    note: bool = False
    after: str = ""


class Reading(NamedTuple):
    """A sentence, what it states, and the words that nothing accounts for."""

    text: str
    stated: tuple[Stated, ...] = ()
    unread: tuple[str, ...] = ()


class _Part(NamedTuple):
    cost: float
    stated: tuple[Stated, ...]
    unread: tuple[int, ...]  # places of words


class Reader:
    """Reads texts with the `.words` files of rules, and the lexicon."""

    def __init__(self, files: Iterable[Path], lexicon: Path) -> None:
        """Raises RuleError for an invalid file."""
        read = [WordsFile.read(path) for path in files]
        names = {each.path.stem: (each.value("names"), each.value("draw")) for each in read}
        self.lexicon = Lexicon(lexicon, {rule: name for rule, name in names.items() if any(name)})
        self._statements: dict[str, list[Statement]] = {}  # by one of the features that they need
        for file in read:
            for each in statements(file, self.lexicon):
                self._statements.setdefault(min(each.features, default=""), []).append(each)

    def read(self, text: str) -> list[Reading]:
        """The readings of the sentences of a text."""
        found: list[Reading] = []
        pets: dict[str, Element] = {}
        previous: tuple[Element, ...] = ()
        for sentence in sentences(text):
            found.append(self._sentence(sentence, previous, pets))
            elements = [element for each in found[-1].stated for element in each.elements]
            previous = () if found[-1].unread else tuple(dict.fromkeys(elements)) or previous
        stated = [each for reading in found for each in reading.stated if not each.note]
        return [_confirmed(each, stated) for each in found]

    def _sentence(
        self, sentence: str, previous: tuple[Element, ...], pets: dict[str, Element]
    ) -> Reading:
        text = _without_examples(words(sentence))
        tokens = self.lexicon.features(text, pets)
        if defined := self._definitions(tokens):
            tokens = self.lexicon.features(text, pets | defined)
        if all(each.word in _BOUNDARIES for each in tokens):
            return Reading(sentence, (), tuple(text))
        title, rest = self._title(tokens)
        if not rest:
            nouns = self.lexicon.kinds | {"name", "rule", "sudoku", "normal"}
            if sentence.isupper() or all(each.word in nouns for each in title):
                return Reading(sentence)
            title, rest = [], tokens
        about = tuple(e for each in title for e in each.elements if e.kind)
        about = about or tuple(map(self._named, title))
        pronoun = self.lexicon.lists["pronouns"].intersection(map(stem, text))
        best = self._divided(rest, about, previous if pronoun else ())
        if best.unread and not pronoun:  # a note needs no pronoun
            other = self._divided(rest, about, previous)
            best = other if all(s.note or s in best.stated for s in other.stated) else best
        elements = [e for each in best.stated for e in each.elements]
        name = " ".join(each.word for each in title if not self.lexicon.known(each.word))
        if not best.unread and elements:
            pets |= defined | ({name: elements[0]} if name else {})
        return Reading(sentence, best.stated, tuple(text[place] for place in best.unread))

    def _title(self, tokens: list[Token]) -> tuple[list[Token], list[Token]]:
        """The title of a sentence, before a colon or in brackets, and the rest of the sentence."""
        marks = [each.word for each in tokens]
        start = int(marks[:1] == ["("] and ")" in marks)
        ends = [
            place for place, mark in enumerate(marks) if mark in ((")",) if start else (":", "-"))
        ]
        end = ends[0] if ends else len(marks)
        title = [each for each in tokens[start:end] if each.word not in CONJUNCTIONS]
        allowed = self.lexicon.kinds | {"name"} | self.lexicon.lists["titles"]
        known = [each.word in allowed for each in title if self.lexicon.known(each.word)]
        mixed = known and len(known) < len(title)
        if mixed or not all(known) or not 0 < len(title) <= _LONGEST_TITLE:
            return [], tokens
        return title, tokens[end + 1 :]

    def _named(self, token: Token) -> Element:
        """The element that a word of a title is about, even if it is the name of a rule."""
        element = token.elements[0] if token.elements else Element("")
        kinds = [self.lexicon.names[name.split("|")[0]] for name in element.names]
        return element._replace(kind=element.kind or "".join(kinds[:1]))

    def _definitions(self, tokens: Sequence[Token]) -> dict[str, Element]:
        """The names before elements in brackets, as in "rivers (blue lines)"."""
        found: dict[str, Element] = {}
        for place, token in enumerate(tokens):
            marks = [each.word for each in tokens[: place + 2]]
            name: list[str] = []
            if token.elements and marks[place - 1 :: 2] == ["(", ")"]:
                while place > 1 and not self.lexicon.known(marks[place - 2]):
                    name.insert(0, marks[place - 2])
                    place -= 1
            if name:
                found[" ".join(name)] = token.elements[0]
        return found

    def _divided(
        self, tokens: list[Token], title: tuple[Element, ...], previous: tuple[Element, ...]
    ) -> _Part:
        """The best division of a sentence into parts."""
        marks = [place for place, each in enumerate(tokens) if each.word in _BOUNDARIES]
        cuts = sorted({0, len(tokens), *marks, *(place + 1 for place in marks)})
        best = {0: _Part(0.0, (), ())}
        for number, end in enumerate(cuts[1:], 1):
            after = tuple(e for each in tokens[end:] for e in each.elements if e.kind)
            options = []
            for start in cuts[:number]:
                before = {e.kind: e for each in tokens[:start] for e in each.elements if e.kind}
                near = tuple(before.values()) or after[:1]
                part = self._part(tokens[start:end], (near, title, previous, ()))
                cost, stated, unread = best[start]
                options.append(_Part(cost + part.cost, stated + part.stated, unread + part.unread))
            best[end] = min(options, key=lambda each: each.cost)
        return best[len(tokens)]

    def _part(self, tokens: Sequence[Token], context: Sequence[tuple[Element, ...]]) -> _Part:
        """A part of a sentence: the rules that it states, or its words as not read.

        context: elements that the part may be about if it has none, the most probable ones first
        """
        part = [each for each in tokens if each.word not in _BOUNDARIES | {"talk"}]
        if not part:
            return _Part(0, (), ())
        own = any(e.kind for each in part for e in each.elements)
        for inherited in dict.fromkeys(context[::-1] if own else context):
            for features in _alone(tokens):
                stated = [self._state(each, inherited) for each in features]
                if all(stated):
                    return _Part(0.1, tuple(dict.fromkeys(s for each in stated for s in each)), ())
        return _Part(len(part), (), tuple(place for each in part for place in each.places))

    def _state(self, part: Sequence[Token], inherited: tuple[Element, ...]) -> list[Stated]:
        """What a part of a sentence states; nothing if several rules are possible."""
        elements = [e for each in part for e in each.elements if e.kind]
        names = [name.split("|") for each in part for e in each.elements for name in e.names]
        kinds = Counter(e.kind for e in elements)
        if any(not _same(a, b) for a in elements for b in elements if a.kind == b.kind):
            return []
        known = {each.word for each in part if not each.elements}
        available = {*kinds, *(each.kind for each in inherited)}
        available |= {self.lexicon.names[rule] for name in names for rule in name}
        found: dict[Stated, bool] = {}
        for each in (s for word in ("", *known) for s in self._statements.get(word, ())):
            if (
                each.features <= known
                and available.issuperset(each.kinds)
                and set(kinds) <= each.may.union(each.kinds)
                and all(each.rule in name for name in names)
                and all(count <= max(kinds[kind], 1) for kind, count in each.kinds.items())
            ):
                numbers = self._numbers(each, part, bool(names), any(e.whole for e in elements))
                if numbers is not None:
                    chosen = elements + [
                        e for e in inherited if e.kind in each.kinds and e.kind not in kinds
                    ]
                    if names and not chosen and self.lexicon.names[each.rule]:
                        chosen = [Element(self.lexicon.names[each.rule], (), (each.rule,))]
                    about = tuple(dict.fromkeys(chosen))
                    stated = Stated(each.rule, about, numbers, each.note, each.after)
                    found[stated] = each.joint
        return list(found) if len(found) < 2 or all(found.values()) else []

    def _numbers(
        self, statement: Statement, part: Sequence[Token], named: bool, whole: bool
    ) -> tuple[tuple[str, int], ...] | None:
        """The numbers that the letters of a statement stand for; None if it does not hold."""
        left = [each for each in part if not each.elements]
        numbers: dict[str, int] = {}
        for need in statement.needs:
            word, _, value = need.partition(":")
            if "=" in need:
                letter, _, value = need.partition("=")
                numbers[letter] = int(value)
                continue
            fitting = [each for each in left if _fits(need, each)]
            if fitting:
                left.remove(fitting[0])
                number = fitting[0].number or 0
                if (letter := value or word).isupper() and numbers.get(letter, number) != number:
                    return None
                numbers |= {letter: number} if letter.isupper() else {}
            elif not (
                word in self.lexicon.kinds
                or (word == "name" and named)
                or (word == "all" and whole)
            ):
                return None
        again = set(statement.needs) - self.lexicon.strict | statement.may
        if any(each.word not in again or each.number is not None for each in left):
            return None
        return tuple(sorted(numbers.items()))


def _fits(need: str, token: Token) -> bool:
    """Whether a token is the feature that a statement needs, with its number if there is one."""
    word, colon, value = need.partition(":")
    if need.isupper():
        return token.word.isdigit()
    if colon:
        return (
            token.word == word
            and value in (str(token.number), value.upper())
            and token.number is not None
        )
    return token.word == word and (token.number is None or word.isdigit())


def _alone(tokens: Sequence[Token]) -> Iterator[list[list[Token]]]:
    """A part of a sentence as it is, and once for each of the elements joined by "and" or "or"."""
    marks = _BOUNDARIES | CONJUNCTIONS - {"or"}
    yield [[each for each in tokens if each.word not in marks]]
    runs: list[list[int]] = [[]]
    for place, token in enumerate(tokens):
        if any(element.kind for element in token.elements):
            if place and tokens[place - 1].word not in CONJUNCTIONS:
                runs.append([])
            runs[-1].append(place)
        elif token.word not in CONJUNCTIONS:
            runs.append([])
    long = [run for run in runs if len(run) > 1]
    if len(long) == 1:
        first, last = long[0][0], long[0][-1]
        whole = tokens[first].elements[0].whole  # "all lines and cages"
        yield [
            [
                each._replace(elements=(each.elements[0]._replace(whole=whole),))
                if place == one
                else each
                for place, each in enumerate(tokens)
                if place == one or (not first <= place <= last and each.word not in marks)
            ]
            for one in long[0]
        ]


def _same(one: Element, other: Element) -> bool:
    """Whether two elements can be the same."""
    colours = not one.colours or not other.colours or set(one.colours) & set(other.colours)
    return one.kind == other.kind and bool(colours)


def _confirmed(reading: Reading, stated: Sequence[Stated]) -> Reading:
    """The reading without what counts only after a rule that the text does not state."""
    kept, dropped = list[Stated](), list[Stated]()
    for each in reading.stated:
        rules = [other for other in stated if other.rule == each.after]
        pairs = [(a, b) for other in rules for a in each.elements for b in other.elements]
        confirmed = not each.after or (rules and not each.elements) or any(_same(*p) for p in pairs)
        (kept if confirmed else dropped).append(each)
    if dropped and not any(each.after for each in kept):
        return Reading(reading.text, (), tuple(words(reading.text)))
    return Reading(reading.text, tuple(kept), reading.unread)


def _without_examples(text: list[str]) -> list[str]:
    """The words without examples, which end with a bracket or the sentence."""
    for start, word in enumerate(text):
        if word == "eg" or text[start : start + 2] in (["for", "example"], ["for", "instance"]):
            level = 0
            for end in range(start, len(text)):
                level += (text[end] == "(") - (text[end] == ")")
                if level < 0:
                    return text[:start] + _without_examples(text[end:])
            return text if text[:start].count("(") > text[:start].count(")") else text[:start]
    return text
