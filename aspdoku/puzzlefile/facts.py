"""Facts of answer set programming, with the shorthand that ASP allows in them.

Intervals `1..3` and pools `1;2`.

The meaning of both is clingo's (Potassco guide, 3.1.9 and 3.1.10): a fact stands for one fact for
each choice of a number from each interval and of an alternative from each pool. `p(1,2;3,4).` has
the alternatives `1,2` and `3,4`.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING

from aspdoku.puzzle.term import Function
from aspdoku.puzzlefile import value
from aspdoku.puzzlefile.lexer import Token, tokens
from aspdoku.puzzlefile.lines import shown
from aspdoku.puzzlefile.section import Section, Stated

if TYPE_CHECKING:
    from aspdoku.errors import PuzzleError
    from aspdoku.puzzle.term import Term

SECTION = "facts"
MOST_FACTS = 100_000
TOO_MANY = f"these are more than {MOST_FACTS} facts, the most that a puzzle can have"
DEEPEST = 50

ONLY_FACTS = (
    "only facts, such as even(3,4)., can stand in a puzzle file; a rule belongs in an .lp file that"
    " is used with --with"
)


def read(section: Section) -> list[Stated]:
    """The facts of the section.

    Raises PuzzleError where something else than a fact stands in it.
    """
    words = list(tokens(section.lines))
    if not words:
        raise section.nothing()
    reader = _Reader(words)
    stated: list[Stated] = []
    while not reader.at_end():
        line = reader.next.line
        stated += [Stated(fact, line) for fact in reader.fact()]
        reader.refuse_more_than_most(len(stated))
    return stated


class _Reader:
    """Goes through words and gives the ground facts and terms that they stand for."""

    def __init__(self, words: list[Token]) -> None:
        self.words = [*words, Token("", words[-1].line)]
        self.place = 0

    @property
    def next(self) -> Token:
        return self.words[self.place]

    def at_end(self) -> bool:
        return not self.next.text

    def take(self) -> Token:
        word = self.next
        if self.at_end():
            raise word.line.error(
                "the last fact is not finished: a fact ends with a full stop, as in even(3,4)."
            )
        self.place += 1
        return word

    def took(self, text: str) -> bool:
        """Whether the next word is this one, which then is behind us."""
        if self.next.text != text:
            return False
        self.place += 1
        return True

    def fact(self) -> list[Function]:
        name = self.take()
        if not value.is_name(name.text):
            raise _refusal(name)
        terms = self.terms_within(name.text, 0) if self.took("(") else [Function(name.text)]
        last = self.words[self.place - 1]
        if not self.took("."):
            if self.at_end() or value.is_name(self.next.text):
                raise last.line.error(
                    "a full stop is missing: a fact ends with one, as in even(3,4)."
                )
            raise _refusal(self.next)
        return [term for term in terms if isinstance(term, Function)]

    def terms_within(self, name: str, depth: int) -> list[Term]:
        """What `name(...)` stands for, from behind its opening parenthesis; a tuple has no name."""
        if self.took(")"):
            return [Function(name)]
        terms = self.alternative(name, depth)
        while self.took(";"):
            terms += self.alternative(name, depth)
            self.refuse_more_than_most(len(terms))
        if not self.took(")"):
            raise _refusal(self.take())
        return terms

    def alternative(self, name: str, depth: int) -> list[Term]:
        """What `name(...)` stands for by the arguments up to the next `;` or the closing
        parenthesis.
        """
        arguments = [self.interval(depth)]
        is_tuple = False
        while self.took(","):
            is_tuple = not name
            if is_tuple and self.next.text in (")", ";"):
                break
            arguments.append(self.interval(depth))
            self.refuse_more_than_most(prod(map(len, arguments)) if len(arguments[-1]) > 1 else 1)
        if not (name or is_tuple):
            return arguments[0]
        return [Function(name, chosen) for chosen in product(*arguments)]

    def interval(self, depth: int) -> list[Term]:
        line = self.next.line
        terms = self.term(depth)
        if not self.took(".."):
            return terms
        ends = [*terms, *self.term(depth)]
        numbers = [end for end in ends if isinstance(end, int)]
        if len(ends) != 2 or len(numbers) != 2:
            raise line.error("an interval goes from a number to a number, as in 1..9")
        low, high = numbers
        if low > high:
            raise line.error(
                f"there is no number in {low}..{high}: an interval begins with the smaller one"
            )
        self.refuse_more_than_most(high - low + 1)
        return list(range(low, high + 1))

    def term(self, depth: int) -> list[Term]:
        word = self.take()
        if depth > DEEPEST:
            raise word.line.error(
                f"more than {DEEPEST} parentheses within one another are too many"
            )
        if word.text == "-" and value.is_digits(self.next.text[:1]):
            return [value.number("-" + self.take().text, word.line)]
        if value.is_digits(word.text[0]):
            return [value.number(word.text, word.line)]
        if value.STRING.fullmatch(word.text):
            return [value.string(word.text, word.line)]
        if word.text == "(":
            return self.terms_within("", depth + 1)
        if not value.is_name(word.text):
            raise _refusal(word)
        return self.terms_within(word.text, depth + 1) if self.took("(") else [Function(word.text)]

    def refuse_more_than_most(self, number: int) -> None:
        if number > MOST_FACTS:
            raise self.next.line.error(TOO_MANY)


def _refusal(word: Token) -> PuzzleError:
    return word.line.error(f"{shown(word.text)} cannot stand here: {ONLY_FACTS}")
