"""Rule files with blanks, indentation and blank lines as the bundled ones have them.

Line breaks, comments and strings stay as their author wrote them, and so do blanks around signs of
arithmetic, which may show how terms belong together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from aspdoku.errors import RuleError
from aspdoku.program.rulefile import RuleFile, opaque
from aspdoku.program.syntax import nodes, parse

_TOKEN = re.compile(r"#?[\w']+|:[-~]|\.\.|[!<>=]=|<>|\S")
_NAME = re.compile(r"(?!not$)[_']*[a-z][\w']*")
_SPACED = {":-", ":~", ":", "=", "==", "!=", "<>", "<", "<=", ">", ">=", "{", "}"}
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")
# The indentation of the continued lines of a statement, by its first sign.
_INDENTATION, _OF_OTHERS = {":-": 3, ":~": 3}, 4


def formatted(rule: RuleFile) -> str:
    """The text of a rule file in the format of the bundled ones, which is the same program.
    Raises RuleError for a file that does not parse, or that has operators of its own.
    """
    statements, errors = parse(rule)
    if errors:
        shown = (each.with_excerpt(rule.text).quoted for each in errors)
        raise RuleError("\n".join(shown))
    if any(True for each in statements for _ in nodes(each, "TheoryAtom", "TheoryDefinition")):
        raise RuleError(f"{rule.place}: not formatted, because it has theory atoms")
    text = _formatted(rule.text.replace("\r\n", "\n"))
    return text.replace("\n", "\r\n") if "\r\n" in rule.text else text


def _formatted(text: str) -> str:
    new, begin, end, statement = "", 0, 0, _Statement()  # begin: that of the last line
    for start, token in _tokens(text):
        written, is_comment = text[end:start], token.startswith(("%", "#!"))
        breaks = written.count("\n")
        if breaks or not new:
            new += "\n" * min(breaks, 2) if new else ""
            begin = len(new)
            blanks = written.rpartition("\n")[2] if is_comment else statement.indentation(token)
        elif token.startswith("%*") or text[end - 1] == "%":  # beside a comment in the line
            blanks = written
        elif is_comment or statement.begins_with(token):  # aligned with another line, or not
            column = start - text.rfind("\n", 0, start) - 1 if len(written) > 2 else 0
            blanks = " " * max(2, column - (len(new) - begin))
        else:
            blanks = statement.blanks(token, written)
        new += blanks
        end = start + len(token)
        if is_comment:
            new += token.rstrip()
            begin = max(begin, new.rfind("\n", begin) + 1)
        else:
            statement.add(token, len(new) - begin, is_first=len(new) == begin + len(blanks))
            new += token
    return f"{new}\n" if new else ""


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    """The signs and words of the code, comments and strings, with their places."""
    position = 0
    for start, end, _ in (*opaque(text), (len(text), len(text), "")):
        yield from ((found.start(), found[0]) for found in _TOKEN.finditer(text, position, start))
        if start < end:
            yield start, text[start:end]
        position = end


class _Bracket:
    """An open bracket.

    outer: the indentation of its line
    margin: the column of what follows in its line; None if nothing does
    has_terms: whether its commas are between terms, not between literals
    separator: what follows these commas, a blank or nothing: what follows the first of them
    """

    def __init__(self, sign: str, outer: int) -> None:
        self.sign, self.outer = sign, outer
        self.margin: int | None = None
        self.has_terms = True
        self.separator: str | None = None


class _Statement:
    """The last statement, as far as it has been written."""

    def __init__(self) -> None:
        self._first = self._last = ""
        self._outer = 0  # the indentation of the line
        self._brackets: list[_Bracket] = []

    def begins_with(self, token: str) -> bool:
        """Whether a token is the first of a statement: `[` belongs to the one before it."""
        return not self._brackets and self._last in ("", ".", "]") and token != "["

    def indentation(self, token: str) -> str:
        """The blanks before a token that begins a line."""
        if self.begins_with(token):
            return ""
        if not self._brackets:
            return " " * _INDENTATION.get(self._first, _OF_OTHERS)
        inner = self._brackets[-1]
        of_content = inner.outer + (0 if token in _CLOSING else _OF_OTHERS)
        return " " * (of_content if inner.margin is None else inner.margin)

    def blanks(self, token: str, written: str) -> str:
        """The blanks between the last token and one in its line."""
        last, inner = self._last, self._brackets[-1] if self._brackets else None
        if last in ("(", "[", "..") or token in (")", "]", "..", ",", ";", "."):
            return ""
        if token == "(" and _NAME.fullmatch(last):
            return ""
        if last in (",", ";") and inner and inner.has_terms and (inner.sign, last) != ("{", ";"):
            if inner.separator is None:
                inner.separator = written[:1] and " "
            return inner.separator
        if last in (",", ";", ".") or token in _SPACED or last in _SPACED:
            return " "
        if token[0] == "#" and last[-1].isalnum():  # the lower bound of an aggregate
            return " "
        return written[:1] and " "

    def add(self, token: str, column: int, is_first: bool) -> None:
        """Take in a token at a column, and whether it begins its line."""
        if is_first:
            self._outer = column
        elif self._last in _OPENING and self._brackets:
            self._brackets[-1].margin = column
        if self.begins_with(token):
            self._first = token
        self._last = token
        if token in _OPENING:
            self._brackets.append(_Bracket(token, self._outer))
        elif token in _CLOSING:
            self._brackets.pop()
        elif self._brackets and self._brackets[-1].sign == "{" and token in (":", ";"):
            self._brackets[-1].has_terms, self._brackets[-1].separator = token == ";", None
