"""Reading of a text: which rules its sentences state, and which words nothing accounts for.

A sentence is divided at commas, brackets and conjunctions, so that each part has the features of
one rule (`Statement`), all accounted for: into the parts that leave the fewest words, and of these
into the most parts. A part without elements is about those of the parts before it.
"""

from __future__ import annotations

from collections import Counter
from itertools import accumulate, chain, combinations, product, takewhile
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.words.lexicon import CONJUNCTIONS, Element, Lexicon, Token
from aspdoku.words.sentences import sentences, stem, words
from aspdoku.words.statements import Statement, WordsFile, statements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
    from pathlib import Path

_BOUNDARIES = frozenset(
    {"and", "but", ",", ";", ":", "(", ")", "-", "/", "which", "that", "while", "ie", "."}
)
_LONGEST_TEXT = 20_000  # letters that are read, several times as many as texts have
_LONGEST_TITLE = 5
_MOST_WORDS = 500  # of a sentence that is read
# Longer sentences, parts of sentences, and lists of elements, in features, are not read.
_LONGEST_SENTENCE, _LONGEST_PART, _LONGEST_LIST = 120, 30, 6
_EXCEPTIONS = frozenset({"unless", "except", "excepting", "excluding", "otherwise"})
_EXAMPLES = (["for", "example"], ["for", "instance"], ["as", "an", "example"])


class Stated(NamedTuple):
    """A rule that a part of a sentence states, about which elements, with which numbers.

    note: whether the part adds nothing to the rule
    titled: whether the part is the title of the rule
    notes: what follows the title, in the words of the `.draw` file of the rule
    """

    rule: str
    elements: tuple[Element, ...] = ()
    numbers: tuple[tuple[str, int], ...] = ()
    note: bool = False
    after: str = ""
    titled: bool = False
    notes: str = ""


class Reading(NamedTuple):
    """A sentence, what it states, and the words that nothing accounts for.

    parts: the rules that each of its parts states, of which one is enough
    """

    text: str
    stated: tuple[Stated, ...] = ()
    unread: tuple[str, ...] = ()
    parts: tuple[tuple[Stated, ...], ...] = ()

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of the rules that it states."""
        return tuple(dict.fromkeys(each.rule for each in self.stated))


class _Part(NamedTuple):
    cost: float
    parts: tuple[tuple[Stated, ...], ...]
    unread: tuple[int, ...]  # places of words

    @property
    def stated(self) -> tuple[Stated, ...]:
        return tuple(chain(*self.parts))


def normal_form(text: str) -> str:
    """A text with usual blanks, in lower case, without a full stop at its end."""
    return " ".join(text.casefold().split()).rstrip(".")


def lexicon_with(files: Iterable[WordsFile], lexicon: Path) -> Lexicon:
    """The lexicon with the names of rules, and the kinds of elements that they are about."""
    names = {each.rule: (each.value("names"), each.value("draw")) for each in files}
    return Lexicon(lexicon, {rule: name for rule, name in names.items() if any(name)})


class Reader:
    """Reads texts with the `.words` files of rules, and the lexicon.

    By rule, as in its file: `drawn` (`draw:`), `covers`, `colours`, `illustrations` (`also:`),
    `shown` (`shows:`), `retracted` (`without:`) and `loops`.
    """

    def __init__(
        self, files: Iterable[WordsFile], lexicon: Path, titles: Callable[[], Mapping[str, str]]
    ) -> None:
        """titles: the first lines of rule files, each with the name of the rule; they are asked for
        when a sentence is not understood otherwise

        Raises RuleError for an invalid file.
        """
        files = list(files)
        self._titles = titles
        for error in (error for file in files for error in file.invalid_lines()):
            raise error
        self.covers, self.colours = _values(files, "covers"), _values(files, "colour")
        self.drawn = _values(files, "draw")
        self.illustrations, self.shown = _values(files, "also"), _values(files, "shows")
        self.retracted, self.loops = _values(files, "without"), _values(files, "loop")
        self.lexicon = lexicon_with(files, lexicon)
        self.statements = [each for file in files for each in statements(file, self.lexicon)]
        often = Counter(word for each in self.statements for word in each.features)
        # by the rarest of the features that they need, with all words that they account for
        self._statements: dict[str, list[tuple[Statement, frozenset[str]]]] = {}
        for each in self.statements:
            usual = "name" if "name" in each.needs else ""
            rarest = min(each.features, key=lambda word: (often[word], word), default=usual)
            accounted = each.may | {need.partition(":")[0] for need in each.needs}
            self._statements.setdefault(rarest, []).append((each, accounted))
        self._used = {word for each in self._statements.values() for _, a in each for word in a}

    def read(self, text: str) -> list[Reading]:
        """The readings of the sentences of a text, and of what follows if it is too long."""
        if text[_LONGEST_TEXT:]:
            return [*self.read(text[:_LONGEST_TEXT]), Reading(text[_LONGEST_TEXT:], (), ("…",))]
        split = sentences(text)
        found = self._readings(split, {})
        is_labelled = any(": " in each for each in split)
        if (is_labelled or any(each.unread for each in found)) and (titled := self._titled(split)):
            return self._readings(split, titled)
        return found

    def _readings(self, split: list[str], titled: Mapping[int, Reading]) -> list[Reading]:
        found: list[Reading] = []
        pets: dict[str, Element] = {}
        previous: tuple[Element, ...] = ()
        before: tuple[Stated, ...] = ()
        for place, sentence in enumerate(split):
            reading = titled.get(place)
            found.append(reading or self._sentence(sentence, previous, before, pets))
            before = found[-1].stated
            elements = [element for each in before for element in each.elements]
            previous = () if found[-1].unread else tuple(dict.fromkeys(elements)) or previous
        stated = [each for reading in found for each in reading.stated if not each.note]
        return [_confirmed(each, stated) for each in found]

    def _titled(self, split: list[str]) -> dict[int, Reading]:
        """The readings of sentences that are the title of a rule, by their places.

        The name of the rule may precede it, and the elements in brackets, as in `Whispers (green
        lines): …`; notes may follow, after a colon. What follows a semicolon belongs to the title.
        """
        titles = {normal_form(title): rule for title, rule in self._titles().items()}
        most = 1 + max((title.count(": ") for title in titles), default=0)
        found: dict[int, Reading] = {}
        start = 0
        for end in (end for end, each in enumerate(split, 1) if not each.endswith(";")):
            parts = " ".join(split[start:end]).rstrip(".").split(": ")
            for first, last in combinations(range(min(len(parts), most + 1) + 1), 2):
                rule = titles.get(normal_form(": ".join(parts[first:last])), "")
                about = self._labelled(": ".join(parts[:first]), rule) if rule else None
                if about is not None:
                    notes = ": ".join(parts[last:])
                    stated = Stated(rule, about, titled=True, notes=notes)
                    found[start] = Reading(split[start], (stated,))
                    found |= {place: Reading(split[place]) for place in range(start + 1, end)}
            start = end
        return found

    def _labelled(self, label: str, rule: str) -> tuple[Element, ...] | None:
        """The elements that the words before a title name; None for words of another rule."""
        name, bracket, inside = label.rstrip(")").partition(" (")
        if label and normal_form(name).replace("-", " ") != rule.replace("-", " "):
            return None
        if bracket:
            tokens = self.lexicon.features(words(inside), {})
            about = [each.elements for each in tokens if each.word not in _BOUNDARIES]
            return tuple(chain(*about)) if all(about) else None
        kind = self.lexicon.names.get(rule, "")
        return (Element(kind, (), (rule,)),) if kind else ()

    def named(self, sentence: str) -> list[tuple[str, ...]]:
        """The names in a sentence, each with the rules that are called so."""
        tokens = self.lexicon.features(words(sentence), {})
        names = (name for each in tokens for element in each.elements for name in element.names)
        return [tuple(name.split("|")) for name in names]

    def _sentence(
        self,
        sentence: str,
        previous: tuple[Element, ...],
        before: tuple[Stated, ...],
        pets: dict[str, Element],
    ) -> Reading:
        text = words(sentence)
        if len(text) > _MOST_WORDS:
            return Reading(sentence, (), tuple(text))
        text = _without_examples(text)
        tokens = self.lexicon.features(text, pets)
        if defined := self._definitions(tokens):
            tokens = self.lexicon.features(text, pets | defined)
        if len(tokens) > _LONGEST_SENTENCE:
            return Reading(sentence, (), tuple(text))
        if all(each.word in _BOUNDARIES for each in tokens):
            return Reading(sentence, (), tuple(text) if text == words(sentence) else ())
        title, rest = self._title(tokens)
        if not rest:
            nouns = self.lexicon.kinds | {"name", "rule", "sudoku", "normal"}
            # the name of a rule without elements states the rule
            states = any(each.elements and not self._named(each).kind for each in title)
            states = states or not {"is", "are"}.isdisjoint(text)
            if not states and (sentence.isupper() or all(each.word in nouns for each in title)):
                return Reading(sentence)
            title, rest = [], tokens
        about = tuple(e for each in title for e in each.elements if e.kind)
        about = about or tuple(map(self._named, title))
        pronoun = self.lexicon.lists["pronouns"].intersection(map(stem, text))
        best = self._divided(rest, about, previous if pronoun else ())
        if best.unread and not pronoun:  # a note, or the same in other words, needs no pronoun
            other = self._divided(rest, about, previous)
            known = (*best.stated, *before)
            best = other if all(s.note or s in known for s in other.stated) else best
        elements = [e for each in best.stated for e in each.elements]
        name = " ".join(each.word for each in title if not self.lexicon.known(each.word))
        if not best.unread and elements:
            pets |= defined | ({name: elements[0]} if name else {})
        numbered = {s._replace(numbers=()) for s in best.stated if s.numbers}
        stated = dict.fromkeys(s for s in best.stated if s not in numbered)
        unread = tuple(text[place] for place in best.unread)
        return Reading(sentence, tuple(stated), unread, best.parts)

    def _title(self, tokens: list[Token]) -> tuple[list[Token], list[Token]]:
        """The title of a sentence, before a colon or in brackets, and the rest of the sentence."""
        marks = [each.word for each in tokens]
        start = int(marks[:1] == ["("] and ")" in marks)
        closing = {")"} if start else {":", "-"}
        end = next((place for place, mark in enumerate(marks) if mark in closing), len(marks))
        title = [each for each in tokens[start:end] if each.word not in CONJUNCTIONS - {"or"}]
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
        marks = [place for place, each in enumerate(tokens) if each.word in _BOUNDARIES]
        cuts = sorted({0, len(tokens), *marks, *(place + 1 for place in marks)})
        last: dict[str, Element] = {}  # of each kind
        before: list[tuple[Element, ...]] = [()]
        for token in tokens:
            last |= {e.kind: e for e in token.elements if e.kind}
            before.append(tuple(last.values()))
        best = {0: _Part(0.0, (), ())}
        for number, end in enumerate(cuts[1:], 1):
            after = tuple(e for each in tokens[end:] for e in each.elements if e.kind)
            options = []
            for start in cuts[:number]:
                if end - start > 2 * _LONGEST_PART:  # with marks between the features
                    continue
                near = before[start] or after[:1]
                part = self._part(tokens[start:end], (near, title, previous, ()))
                cost, parts, unread = best[start]
                options.append(_Part(cost + part.cost, parts + part.parts, unread + part.unread))
            best[end] = min(options, key=lambda each: each.cost)
        return best[len(tokens)]

    def _part(self, tokens: Sequence[Token], context: Sequence[tuple[Element, ...]]) -> _Part:
        """A part of a sentence: the rules that it states, or its words as not read.

        context: elements that the part may be about if it has none, the most probable ones first
        """
        part = [each for each in tokens if each.word not in _BOUNDARIES | {"talk"}]
        if not part:
            return _Part(0, (), ())
        names = {each.word for each in part if not each.elements and not each.word.isdigit()}
        nouns = [each for each in part if each.elements]
        is_long = len(part) > _LONGEST_PART or len(nouns) > _LONGEST_LIST
        own = any(e.kind for each in nouns for e in each.elements)
        contexts = dict.fromkeys(context[::-1] if own else (*filter(None, context), ()))
        options = [] if is_long or not names <= self._used else list(_alone(tokens))
        for inherited, features in product(contexts, options):
            stated = [*takewhile(bool, (self._state(each, inherited) for each in features))]
            if len(stated) == len(features):
                return _Part(-0.1, tuple(map(tuple, stated)), ())
        return _Part(len(part), (), tuple(place for each in part for place in each.places))

    def _state(self, part: Sequence[Token], inherited: tuple[Element, ...]) -> list[Stated]:
        """What a part of a sentence states; nothing if several rules are possible."""
        elements = [e for each in part for e in each.elements if e.kind]
        names = [name.split("|") for each in part for e in each.elements for name in e.names]
        kinds = Counter(e.kind for e in elements)
        if any(not same_element(a, b) for a in elements for b in elements if a.kind == b.kind):
            return []
        known = {each.word for each in part if not each.elements}
        available = {*kinds, *(each.kind for each in inherited)}
        available |= {self.lexicon.names[rule] for name in names for rule in name}
        whole = any(e.whole for e in elements)
        given = {*self.lexicon.kinds, *["name"] * bool(names), *["all"] * whole}
        found: dict[Stated, bool] = {}
        words = {word for word in known if not word.isdigit()}
        rarest = ("", *known, *["name"] * bool(names))
        options = (option for word in rarest for option in self._statements.get(word, ()))
        for each, accounted in options:
            if (
                each.features <= known
                and words <= accounted
                and available.issuperset(each.kinds)
                and set(kinds) <= each.may.union(each.kinds)
                and all(each.rule in name for name in names)
                and all(count <= max(kinds[kind], 1) for kind, count in each.kinds.items())
                and not _crossed(each.needs, part)
            ):
                numbers = self._numbers(each, part, given)
                if numbers is not None:
                    chosen = elements + [
                        e for e in inherited if e.kind in each.kinds and e.kind not in kinds
                    ]
                    kind = self.lexicon.names.get(each.rule)
                    if names and not chosen and kind:
                        named = Element(kind, (), (each.rule,))
                        chosen = [e for e in inherited if e.kind == kind] or [named]
                    about = tuple(dict.fromkeys(chosen)) if kind else ()
                    stated = Stated(each.rule, about, numbers, each.note, each.after)
                    found[stated] = each.joint
        return list(found) if len(found) < 2 or all(found.values()) else []

    def _numbers(
        self, statement: Statement, part: Sequence[Token], given: Set[str]
    ) -> tuple[tuple[str, int], ...] | None:
        """The numbers that the letters of a statement stand for; None if it does not hold."""
        left = [each for each in part if not each.elements]
        numbers: dict[str, int] = {}
        for need in statement.needs:
            word, _, value = need.partition(":")
            if "=" in need:
                numbers[need[0]] = int(need[2:])
                continue
            fitting = [each for each in left if _fits(need, each)]
            if fitting:
                left.remove(fitting[0])
                number = fitting[0].number or 0
                if (letter := value or word).isupper() and numbers.get(letter, number) != number:
                    return None
                numbers |= {letter: number} if letter.isupper() else {}
            elif word not in given:
                return None
        again = set(statement.needs) - self.lexicon.strict | statement.may
        if any(each.word not in again or each.number is not None for each in left):
            return None
        return tuple(sorted(numbers.items()))


def _values(files: Iterable[WordsFile], key: str) -> dict[str, str]:
    return {each.rule: value for each in files if (value := each.value(key))}


def _crossed(needs: Sequence[str], part: Sequence[Token]) -> bool:
    """Whether the order of elements is another one than that of numbers: "V and X: 10 and 5"."""
    text = [e.kind for t in part for e in t.elements] + [t.word for t in part if t.word.isdigit()]
    places = [(need.isdigit(), text.index(need)) for need in needs if need in text]
    kinds, numbers = ([p for digit, p in places if digit == wanted] for wanted in (False, True))
    several = min(len(kinds), len(numbers)) > 1
    return several and (kinds == sorted(kinds)) != (numbers == sorted(numbers))


def _fits(need: str, token: Token) -> bool:
    """Whether a token is the feature that a statement needs, with its number if there is one."""
    word, colon, value = need.partition(":")
    if need.isupper():
        return token.word.isdigit()
    if colon:
        return (
            token.word == word
            and (value == str(token.number) or value.isupper())
            and token.number is not None
        )
    return token.word == word and (token.number is None or word.isdigit())


def _alone(tokens: Sequence[Token]) -> Iterator[list[list[Token]]]:
    """A part of a sentence as it is, and once for each of the elements joined by "and" or "or"."""
    marks = _BOUNDARIES | CONJUNCTIONS - {"or"}
    yield [[each for each in tokens if each.word not in marks]]
    runs: list[list[int]] = [[]]
    for place, token in enumerate(tokens):
        if token.elements:
            if place and tokens[place - 1].word not in CONJUNCTIONS:
                runs.append([])
            runs[-1].append(place)
        elif token.word not in CONJUNCTIONS:
            runs.append([])
    long = [run for run in runs if len(run) > 1]
    kinds = [e.kind for run in long for place in run for e in tokens[place].elements]
    is_list = len(long) == 1 and len(long[0]) <= _LONGEST_LIST
    if is_list and (all(kinds) or all(each.word != "or" for each in tokens)):
        run = range(long[0][0], long[0][-1] + 1)
        rest = [t for p, t in enumerate(tokens) if p not in run and t.word not in marks]
        whole = tokens[run[0]].elements[0].whole  # "all lines and cages"
        for_one = (tokens[place].elements[0]._replace(whole=whole) for place in long[0])
        yield [[Token("", (), None, (one,)), *rest] for one in for_one]


def same_element(one: Element, other: Element) -> bool:
    """Whether two elements can be the same."""
    colours = not one.colours or not other.colours or set(one.colours) & set(other.colours)
    return one.kind == other.kind and bool(colours)


def _confirmed(reading: Reading, stated: Sequence[Stated]) -> Reading:
    """The reading without what counts only after a rule that the text does not state.

    If nothing that a part states counts, the sentence is not read.
    """

    def counts(each: Stated) -> bool:
        about = [other.elements for other in stated if other.rule == each.after]
        general = () in about or (about and not each.elements)  # about no drawn element
        pairs = product(each.elements, chain(*about))
        return not each.after or bool(general) or any(same_element(*pair) for pair in pairs)

    if not all(any(map(counts, part)) for part in reading.parts):
        return Reading(reading.text, (), tuple(words(reading.text)))
    return reading._replace(stated=tuple(filter(counts, reading.stated)))


def _without_examples(text: list[str]) -> list[str]:
    """The words without examples, which end with a bracket or the sentence; those from an example
    with an exception on stay.
    """
    kept: list[str] = []
    open_brackets = 0
    place = 0
    while place < len(text):
        word = text[place]
        if word == "eg" or any(text[place : place + len(each)] == each for each in _EXAMPLES):
            levels = accumulate((each == "(") - (each == ")") for each in text[place:])
            length = next((at for at, level in enumerate(levels) if level < 0), 0)
            if _EXCEPTIONS.intersection(text[place:][: length or None]):
                return kept + text[place:]
            if not length:  # the example ends with the sentence, unless a bracket is not closed
                return kept + text[place:] * (open_brackets > 0)
            place += length
            open_brackets = 0
        else:
            open_brackets += (word == "(") - (word == ")")
            kept.append(word)
            place += 1
    return kept
