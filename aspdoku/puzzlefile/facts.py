"""Parser for ASP facts, including intervals `1..3` and pools `1;2`.

Both have the meaning that clingo gives them (Potassco guide, sections 3.1.9 and 3.1.10): a fact
expands to one fact for each choice of a number from each interval and of an alternative from each
pool. `p(1,2;3,4).` has the alternatives `1,2` and `3,4`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from math import prod
from typing import NamedTuple

from aspdoku.errors import Advice, PuzzleError
from aspdoku.puzzle.term import Function, Term
from aspdoku.puzzlefile.lines import (
    STRING,
    Line,
    LocatedFact,
    Section,
    is_digits,
    is_name,
    parse_integer,
    parse_string,
    quote,
)

SECTION = "facts"
MAX_FACTS = 100_000
TOO_MANY_FACTS = f"more than {MAX_FACTS} facts, the maximum for a puzzle"
MAX_DEPTH = 50

_ONLY_FACTS = "a puzzle file can contain only facts, such as even(3,4)."
_OWN_RULE = Advice(
    "; put rules into an .lp file and use it with --with",
    "; put rules into an .lp file and pass its path",
    "; put rules into a rule of your own",
)


def parse_facts(section: Section) -> list[LocatedFact]:
    """The facts of the section. Raises PuzzleError for anything other than a fact."""
    words = list(tokens(section.lines))
    if not words:
        raise section.empty_section_error()
    reader = _FactParser(words)
    stated: list[LocatedFact] = []
    while not reader.at_end():
        line = reader.next.line
        stated += [LocatedFact(fact, line) for fact in reader.fact()]
        reader.check_count(len(stated))
    return stated


def parse_fact_text(text: str) -> tuple[Function, ...]:
    """The facts in a text without lines, such as `ab(offset,5). even(1,1..3).` Raises PuzzleError,
    without a place, for anything other than facts.
    """
    line = Line(text, 0, "")
    return tuple(each.fact for each in parse_facts(Section(SECTION, line, [line])))


class _FactParser:
    """Recursive-descent parser that expands intervals and pools into ground facts and terms."""

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
                "incomplete fact at the end: a fact ends with a full stop, e.g. even(3,4)."
            )
        self.place += 1
        return word

    def skip(self, text: str) -> bool:
        """Consume the next token if it is this one; whether it was."""
        if self.next.text != text:
            return False
        self.place += 1
        return True

    def fact(self) -> list[Function]:
        name = self.take()
        if not is_name(name.text):
            raise _unexpected(name)
        terms = self.arguments_of(name.text, 0) if self.skip("(") else [Function(name.text)]
        last = self.words[self.place - 1]
        if not self.skip("."):
            if self.at_end() or is_name(self.next.text):
                raise last.line.error("missing full stop: a fact ends with one, e.g. even(3,4).")
            raise _unexpected(self.next)
        return [term for term in terms if isinstance(term, Function)]

    def arguments_of(self, name: str, depth: int) -> list[Term]:
        """The terms `name(...)`, parsed after the opening parenthesis; a tuple has no name."""
        if self.skip(")"):
            return [Function(name)]
        terms = self.alternative(name, depth)
        while self.skip(";"):
            terms += self.alternative(name, depth)
            self.check_count(len(terms))
        if not self.skip(")"):
            if self.next.text == ".":
                raise self.next.line.error("missing closing parenthesis")
            raise _unexpected(self.take())
        return terms

    def alternative(self, name: str, depth: int) -> list[Term]:
        """The terms `name(...)` with the arguments up to the next `;` or closing parenthesis."""
        arguments = [self.interval(depth)]
        is_tuple = False
        while self.skip(","):
            is_tuple = not name
            if is_tuple and self.next.text in (")", ";"):
                break
            arguments.append(self.interval(depth))
            self.check_count(prod(map(len, arguments)) if len(arguments[-1]) > 1 else 1)
        if not (name or is_tuple):
            return arguments[0]
        return [Function(name, chosen) for chosen in product(*arguments)]

    def interval(self, depth: int) -> list[Term]:
        line = self.next.line
        terms = self.term(depth)
        if not self.skip(".."):
            return terms
        ends = [*terms, *self.term(depth)]
        numbers = [end for end in ends if isinstance(end, int)]
        if len(ends) != 2 or len(numbers) != 2:
            raise line.error("invalid interval: expected two integers, e.g. 1..9")
        low, high = numbers
        if low > high:
            raise line.error(f"empty interval {low}..{high}: write the smaller number first")
        self.check_count(high - low + 1)
        return list(range(low, high + 1))

    def term(self, depth: int) -> list[Term]:
        word = self.take()
        if depth > MAX_DEPTH:
            raise word.line.error(f"more than {MAX_DEPTH} nested parentheses")
        if word.text == "-" and is_digits(self.next.text[:1]):
            return [parse_integer("-" + self.take().text, word.line)]
        if is_digits(word.text[0]):
            return [parse_integer(word.text, word.line)]
        if STRING.fullmatch(word.text):
            return [parse_string(word.text, word.line)]
        if word.text == "(":
            return self.arguments_of("", depth + 1)
        if not is_name(word.text):
            raise _unexpected(word)
        return self.arguments_of(word.text, depth + 1) if self.skip("(") else [Function(word.text)]

    def check_count(self, number: int) -> None:
        """Raise PuzzleError if this many facts are too many."""
        if number > MAX_FACTS:
            raise self.next.line.error(TOO_MANY_FACTS)


def _unexpected(word: Token) -> PuzzleError:
    return word.line.error(f"unexpected {quote(word.text)}: {_ONLY_FACTS}", _OWN_RULE)


# Comments may start with # as elsewhere in a puzzle file, but #word is an ASP directive.
COMMENT = r"%(?!\*).*|\#(?![a-z]).*"
WORD = re.compile(
    rf"\s+|{COMMENT}|(?P<block>%\*)|(?P<word>{STRING.pattern}|[0-9][A-Za-z0-9_]*|[A-Za-z_'][A-Za-z0-9_']*|\#[a-z]+|:-|\.\.|.)"
)
BLOCK_EDGE = re.compile(r"%\*|\*%")


class Token(NamedTuple):
    """A token and its line."""

    text: str
    line: Line


def tokens(lines: list[Line]) -> Iterator[Token]:
    """The tokens of these lines, without comments. Raises PuzzleError."""
    blocks: list[Line] = []
    parentheses = 0
    for line in lines:
        # A line that starts with ; is a comment between facts, but continues a pool such as (1;2)
        # within one.
        place = (
            len(line.text)
            if not (blocks or parentheses) and line.text.lstrip().startswith(";")
            else 0
        )
        while place < len(line.text):
            match = (BLOCK_EDGE.search if blocks else WORD.match)(line.text, place)
            if not match:
                break
            place = match.end()
            kind, word = match.lastgroup, match[0]
            if kind == "word":
                if word == '"':
                    raise line.error(
                        'unterminated string, or a \\ that is not part of one of \\n, \\\\ and \\"'
                    )
                parentheses += (word == "(") - (word == ")")
                yield Token(word, line)
            elif word == "%*":
                blocks.append(line)
            elif blocks:
                blocks.pop()
    if blocks:
        raise blocks[-1].error("unterminated comment in this section: close it with *%")
