"""Reading of a text: which rules its sentences state, and which words nothing accounts for.

A sentence is divided at commas, brackets and conjunctions, so that each part has the features of
exactly one rule (`Statement`), all of them accounted for. Of all divisions the one with the fewest
words that remain is taken. A part without elements is about those of the parts before it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.words.lexicon import CONJUNCTIONS, Element, Lexicon, Token
from aspdoku.words.sentences import sentences, words
from aspdoku.words.statements import Statement, WordsFile, statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

_BOUNDARIES = frozenset(
    {"and", "but", ",", ";", ":", "(", ")", "-", "/", "which", "while", "ie", "."}
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
        said = tuple((number, "says", line) for number, line in self.lexicon.says)
        read.append(WordsFile(lexicon, said))
        kinds = self.lexicon.kinds
        self._statements: list[tuple[frozenset[str], frozenset[str], Statement]] = []
        for file in read:
            for each in statements(file, self.lexicon):
                needed = {word for word in each.needs if word not in kinds and word != "all"}
                needed = {word for word in needed if not word.isupper() and word != "name"}
                needed = {word.partition(":")[0] for word in needed}
                self._statements.append((frozenset(needed), frozenset(each.needs) & kinds, each))

    def read(self, text: str) -> list[Reading]:
        """The readings of the sentences of a text."""
        pets: dict[tuple[str, ...], Element] = {}
        found: list[Reading] = []
        previous: tuple[Element, ...] = ()
        for sentence in sentences(text):
            found.append(self._sentence(sentence, previous, pets))
            if elements := [e for s in found[-1].stated for e in s.elements]:
                previous = tuple(dict.fromkeys(elements))
        return [self._confirmed(each, found) for each in found]

    def _confirmed(self, reading: Reading, readings: Sequence[Reading]) -> Reading:
        """The reading without what counts only after a rule that the text does not state."""
        others = [each for one in readings for each in one.stated if not each.note]
        kept, dropped = list[Stated](), list[Stated]()
        for each in reading.stated:
            rules = [other for other in others if other.rule == each.after and _agree(each, other)]
            (kept if rules or not each.after else dropped).append(each)
        if any(all(one.elements != each.elements for one in kept if one.after) for each in dropped):
            return Reading(reading.text, (), tuple(words(reading.text)))
        return Reading(reading.text, tuple(kept), reading.unread)

    def _sentence(
        self,
        sentence: str,
        previous: tuple[Element, ...],
        pets: dict[tuple[str, ...], Element],
    ) -> Reading:
        text = _without_examples(words(sentence))
        tokens = self.lexicon.features(text, pets)
        tokens, defined = self._definitions(tokens)
        title, rest = self._title(tokens)
        if not rest:
            nouns = self.lexicon.kinds | {"name", "rule", "sudoku", "normal"}
            if sentence.isupper() or all(each.word in nouns for each in title):
                return Reading(sentence)
            title, rest = [], tokens
        tokens = rest
        context = tuple(e for each in title for e in each.elements)
        best = self._divided(tokens, context, previous)
        unread = tuple(text[place] for place in best.unread)
        pet = tuple(each.word for each in title if not self.lexicon.known(each.word))
        elements = [e for s in best.stated for e in s.elements]
        if not unread:
            if pet and elements:
                pets.setdefault(pet, elements[0])
            pets |= defined
        return Reading(sentence, best.stated, unread)

    def _title(self, tokens: list[Token]) -> tuple[list[Token], list[Token]]:
        """The title of a sentence, before a colon or in brackets, and the rest of the sentence."""
        marks = [each.word for each in tokens]
        if marks[:1] == ["("] and ")" in marks:
            start, end = 1, marks.index(")")
        else:
            ends = [place for place, word in enumerate(marks) if word in (":", "-")]
            start, end = 0, ends[0] if ends else len(marks)
        title = [each for each in tokens[start:end] if each.word not in CONJUNCTIONS]
        allowed = self.lexicon.kinds | {"name"} | self.lexicon.lists["titles"]
        strange = any(each.word not in allowed for each in title if self.lexicon.known(each.word))
        if strange or not 0 < len(title) <= _LONGEST_TITLE:
            return [], tokens
        return title, tokens[end + 1 :]

    def _definitions(
        self, tokens: list[Token]
    ) -> tuple[list[Token], dict[tuple[str, ...], Element]]:
        """The tokens without names that the text gives to elements, and these names."""
        found: list[Token] = []
        pets: dict[tuple[str, ...], Element] = {}
        place = 0
        while place < len(tokens):
            part = tokens[place : place + 3]
            marks = [each.word in "()" for each in part]
            element = part[1].elements[:1] if marks == [True, False, True] else ()
            unknown: list[Token] = []
            while element and element[0].kind and found and not self.lexicon.known(found[-1].word):
                unknown.insert(0, found.pop())
            if unknown:
                pets[tuple(each.word for each in unknown)] = element[0]
                found.append(part[1])
                place += 3
            else:
                found.append(tokens[place])
                place += 1
        return found, pets

    def _divided(
        self, tokens: list[Token], title: tuple[Element, ...], previous: tuple[Element, ...]
    ) -> _Part:
        """The best division of a sentence into parts."""
        ends = [place for place, each in enumerate(tokens) if _is_boundary(tokens, place)]
        cuts = sorted({0, len(tokens)} | set(ends) | {place + 1 for place in ends})
        best: dict[int, _Part] = {0: _Part(0, (), ())}
        for end in cuts[1:]:
            options = []
            for start in cuts[: cuts.index(end)]:
                before = best[start]
                part = self._part(tokens, start, end, title, previous)
                options.append(
                    _Part(
                        before.cost + part.cost,
                        before.stated + part.stated,
                        before.unread + part.unread,
                    )
                )
            best[end] = min(options, key=lambda each: each.cost)
        return best[len(tokens)]

    def _part(
        self,
        tokens: list[Token],
        start: int,
        end: int,
        title: tuple[Element, ...],
        previous: tuple[Element, ...],
    ) -> _Part:
        """A part of a sentence: the rules that it states, or its words as not read."""
        part = [each for each in tokens[start:end] if each.word not in _BOUNDARIES]
        if not part:
            return _Part(0, (), ())
        before = tuple(e for each in tokens[:start] for e in each.elements if e.kind)
        after = tuple(e for each in tokens[end:] for e in each.elements if e.kind)
        before = tuple({each.kind: each for each in before}.values())
        own = any(e.kind for each in part for e in each.elements)
        orders = (before, () if before else after[:1], title, previous, ())
        for inherited in dict.fromkeys(orders[::-1] if own else orders):
            for features in _alone(tokens[start:end], part):
                stated = [self._state(each, inherited) for each in features]
                if all(stated):
                    return _Part(0.1, tuple(dict.fromkeys(s for each in stated for s in each)), ())
        places = tuple(place for each in part for place in each.places)
        return _Part(len(part), (), places)

    def _state(self, part: Sequence[Token], inherited: tuple[Element, ...]) -> list[Stated]:
        """What a part of a sentence states; nothing if several rules are possible."""
        elements = [e for each in part for e in each.elements if e.kind]
        names = {name for each in part for e in each.elements for name in e.names}
        kinds = {e.kind for e in elements}
        features = Counter(each.word for each in part if not each.elements)
        known = frozenset(features)
        available = kinds | {each.kind for each in inherited}
        available |= {self.lexicon.names[rule] for name in names for rule in name.split("|")}
        found: dict[Stated, bool] = {}
        for needed, about, statement in self._statements:
            if (
                needed <= known
                and about <= available
                and all(statement.rule in name.split("|") for name in names)
            ):
                numbers = self._numbers(statement, part, features, elements, bool(names))
                if numbers is not None and kinds <= about | statement.may:
                    chosen = elements + [e for e in inherited if e.kind in about - kinds]
                    if names and not chosen and statement.rule in self.lexicon.names:
                        kind = self.lexicon.names[statement.rule]
                        chosen = [Element(kind, (), tuple(sorted(names)))] * bool(kind)
                    stated = Stated(
                        statement.rule,
                        tuple(dict.fromkeys(chosen)),
                        tuple(sorted(numbers.items())),
                        statement.note,
                        statement.after,
                    )
                    found[stated] = statement.joint
        if len(found) > 1 and not all(found.values()):
            return []
        return list(found)

    def _numbers(
        self,
        statement: Statement,
        part: Sequence[Token],
        features: Counter[str],
        elements: Sequence[Element],
        named: bool,
    ) -> dict[str, int] | None:
        """The numbers that the letters of a statement stand for; None if it does not hold."""
        kinds, lists = self.lexicon.kinds, self.lexicon.lists
        strictly = lists["changing"] - lists["repeatable"]
        numbers: dict[str, int] = {}
        used: Counter[str] = Counter()
        open_numbers = [each.word for each in part if each.word.isdigit()]
        for need in statement.needs:
            word, colon, value = need.partition(":")
            if word == "name" and not named:
                return None
            if word in kinds or word == "name":
                continue
            if word == "all" and not features["all"] and any(e.whole for e in elements):
                continue
            if word.isupper():
                free = [each for each in open_numbers if not used[each]]
                if not free:
                    return None
                word, numbers[need] = free[0], int(free[0])
            elif not features[word]:
                return None
            if colon:
                held = [each.number for each in part if each.word == word]
                if len(held) != 1 or held[0] is None:
                    return None
                if value.isdigit() and held[0] != int(value):
                    return None
                numbers[value] = held[0]
            used[word] += 1
        if any(e.whole for e in elements) and "all" in statement.needs and features["all"]:
            return None
        for word, count in features.items():
            allowed = used[word] or word in statement.may
            strict = word in strictly or word.isdigit()
            if not allowed or (strict and count > used[word]):
                return None
        with_number = [each for each in part if each.number is not None and not each.word.isdigit()]
        bound = {need.partition(":")[0] for need in statement.needs if ":" in need}
        if any(each.word not in bound for each in with_number):
            return None
        return numbers


def _is_boundary(tokens: Sequence[Token], place: int) -> bool:
    word = tokens[place].word
    return word in _BOUNDARIES


def _alone(tokens: Sequence[Token], part: list[Token]) -> Iterator[list[list[Token]]]:
    """A part of a sentence as it is, and once for each of the elements joined by "and" or "or"."""
    yield [[each for each in part if each.word not in CONJUNCTIONS or each.word == "or"]]
    runs: list[list[int]] = []
    last = -2
    for place, token in enumerate(tokens):
        if token.elements and token.elements[0].kind:
            if runs and all(each.word in CONJUNCTIONS for each in tokens[last + 1 : place]):
                runs[-1].append(place)
            else:
                runs.append([place])
            last = place
    long = [run for run in runs if len(run) > 1]
    if len(long) == 1:
        run = long[0]
        rest = [
            (place, each)
            for place, each in enumerate(tokens)
            if each.word not in _BOUNDARIES and not (run[0] < place < run[-1] and not each.elements)
        ]
        yield [[each for place, each in rest if place == one or place not in run] for one in run]


def _agree(one: Stated, other: Stated) -> bool:
    """Whether two statements can be about the same elements."""
    return not one.elements or any(
        a.kind == b.kind and (not a.colours or not b.colours or set(a.colours) & set(b.colours))
        for a in one.elements
        for b in other.elements
    )


def _without_examples(text: list[str]) -> list[str]:
    """The words without examples, which begin with "eg" or "for example" and end with a bracket or
    the sentence.
    """
    found: list[str] = []
    depth = -1
    place = 0
    level = 0
    while place < len(text):
        word = text[place]
        level += (word == "(") - (word == ")")
        if depth < 0 and (
            word == "eg" or text[place : place + 2] in (["for", "example"], ["for", "instance"])
        ):
            depth = level
        if depth >= 0 and level < depth:
            depth = -1
        if depth < 0:
            found.append(word)
        place += 1
    return found


__all__ = ["Element", "Mapping", "Reader", "Reading", "Stated"]
