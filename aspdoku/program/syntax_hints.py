"""Say in words what is wrong at a syntax error of clingo's parser, and how to write it instead.

The parser names the token at which it gave up. What the author has to change is often before it:
`X =< 3` fails at `<`, a missing full stop at the next statement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from aspdoku.errors import did_you_mean
from aspdoku.program.messages import Message, Remedy
from aspdoku.program.rulefile import RuleFile, comments, line_and_column, offset_of

_SHOWN = "remove it: the grid is shown, and what #show p/1. names"
_MANY = "write a rule for each case"
_OR = "write ; between the atoms of a head, but for atoms of the grid :- not a(1,1,1), not a(2,2,1)"
# Directives and functions of gringo 3, and of lparse without #, that clingo lacks, and what it has.
_OBSOLETE = {
    "#hide": _SHOWN,
    "#show": "write #show p/1.",
    "#compute": "write :- not A. for each atom A in it, and :- A. for each not A",
    "#const": "write the number itself",
    "#weight": "write the weight into each #sum { }",
    "#function": "remove it",
    "#base": "remove it: a rule file has one part",
    "#cumulative": "remove it: a rule file has one part",
    "#volatile": "remove it: a rule file has one part",
    "#abs": "write |N|",
    "#mod": "the remainder of X divided by 2 is written X \\ 2",
    "#pow": "write X**2",
    "#succ": "write X+1",
}
# Operators of Prolog and of other languages, longer ones first.
_OPERATORS = {
    "=\\=": "!=",
    "\\==": "!=",
    "=:=": "=",
    "=!": "!=",
    "=<": "<=",
    "=>": ">=",
    "\\=": "!=",
    "\\+": "not",
    "&&": "a comma",
    ":=": "=",
    "<-": ":-",
    "//": "/",
}
_WORDS = {
    "is": "write =, as in X = Y+1",
    "in": "write =, as in N = 1..3 or N = (1;3;5)",
    "mod": "the remainder of X divided by 2 is written X \\ 2",
    "div": "write X / 2",
    "xor": "write ^",
    "and": "write a comma",
    **{
        word: f"write {operator}"
        for word, operator in map(str.split, ("eq =", "neq !=", "lt <", "le <=", "gt >", "ge >="))
    },
}
_IN_CODE = {"a comma": ",", "not": "not "}
_DISJUNCTIONS = ("or", "v", "|")
_CHARACTERS = {
    "≠": "!=",
    "≤": "<=",
    "≥": ">=",
    "←": ":-",
    "¬": "not",
    "∧": "a comma",
    "∨": "; in a head, and a rule for each case of a body",
    "−": "-",
    "–": "-",
    "“": '"',
    "”": '"',
}
_DIRECTIVES = [
    *("#count", "#defined", "#external", "#false", "#inf", "#max", "#min", "#show", "#sum"),
    *("#sup", "#true"),
]
_TOKEN = re.compile(r"#?\w+|:-|[^\s\w]")
_WORD_BEFORE = re.compile(r"\w+\s*\Z")
_END = re.compile(r"(?<!\.)\.(?!\.)")
_CLOSING = {")": "(", "]": "[", "}": "{"}
_REMAINDER = re.compile(r"\d+\s*[=!<>]")
_UNEXPECTED = re.compile(r"unexpected (?:\"[^\"]*\"|[^\s,]+|,)")
# Replaces each byte of a non-ASCII character in the text that is vetted.
_SUBSTITUTE = "\x01"
# How much text before an error is looked at.
_LONGEST = 4000


class _Place(NamedTuple):
    """The place of a syntax error: the code, where the parser gave up, and the token there."""

    code: str
    offset: int
    token: str

    @property
    def statement(self) -> str:
        return self.code[self.start : self.offset]

    @property
    def start(self) -> int:
        first = max(0, self.offset - _LONGEST)
        ends = [found.end() for found in _END.finditer(self.code, first, self.offset)]
        return ends[-1] if ends else first

    @property
    def previous(self) -> int:
        return len(self.code[: self.offset].rstrip())

    @property
    def before(self) -> str:
        return self.code[self.previous - 1 : self.previous]


# A script without #end. What follows it in a file is its code, whatever looks like a comment there.
_OPEN_SCRIPT = re.compile(r"#script\b(?!.*#end)", re.DOTALL)
# An offset, and what is wrong there; also what is to be replaced there, and by what, if that is
# certain.
_Found = tuple[int, str] | tuple[int, str, str, str]


def in_words(rule: RuleFile, errors: Sequence[Message]) -> list[Message]:
    """The parser's errors about a file, in words that say what to change. Each byte of a character
    that is not ASCII is an error, of which one is kept; so is only the lexical error of a line.
    """
    errors = [each for each in errors if _SUBSTITUTE in each.text][:1] or errors
    lexical = {error.line: error for error in reversed(errors) if "lexer error" in error.text}
    return [_clarified(rule, error) for error in errors if lexical.get(error.line, error) is error]


def _clarified(rule: RuleFile, error: Message) -> Message:
    if not re.match("(syntax|lexer) error", error.text):
        return error
    if _SUBSTITUTE not in error.text and "EOF" in error.text:
        offset, text, *_ = _at_the_end(rule, error)
        return _message(rule, offset, text)
    offset = offset_of(rule.text, error.line, error.column)
    if _SUBSTITUTE in error.text:
        sign = rule.text[offset : offset + 1]
        remedies = _remedies(offset, *_change(sign, _CHARACTERS.get(sign, "")))
        return error._replace(text=_invalid(sign), remedies=remedies)
    token = _TOKEN.match(rule.code, offset)
    place = _Place(rule.code, offset, token[0] if token else rule.code[offset : offset + 1])
    for recognize in _RECOGNIZERS:
        for where, text, *change in recognize(place):
            message = _message(rule, where, f"syntax error: {text}")
            return message._replace(remedies=_remedies(where, *change))
    shown = place.token.strip()
    text = _UNEXPECTED.sub(lambda _: f"unexpected '{shown}'", error.text) if shown else error.text
    return error._replace(text=text)


def _remedies(offset: int, *change: str) -> tuple[Remedy, ...]:
    return (Remedy(offset, *change),) if change else ()


def _change(sign: str, instead: str) -> tuple[()] | tuple[str, str]:
    """A sign, and what is written instead, unless that is described in words."""
    written = _IN_CODE.get(instead, instead)
    return (sign, written) if written and not re.search(r"\w \w", written) else ()


def _invalid(character: str) -> str:
    if character == "\ufeff":
        return "byte order mark: save the file as UTF-8 without one"
    instead = f"; write {_CHARACTERS[character]}" if character in _CHARACTERS else ""
    shown = f"'{character}'" if character.isprintable() else ascii(character)
    return f"invalid character {shown} outside comments and strings{instead}"


def _message(rule: RuleFile, offset: int, text: str) -> Message:
    line, column = line_and_column(rule.text, offset)
    start = offset - column + 1
    in_bytes = len(rule.text[start:offset].encode(errors="replace")) + 1
    return Message(rule.place, line, in_bytes, "error", text)


def _at_the_end(rule: RuleFile, error: Message) -> _Found:
    if "lexer" in error.text:
        if script := _OPEN_SCRIPT.search(rule.code):
            code = "#script cannot be used in a rule file: rule files may not run code"
            return script.start(), code
        return comments(rule.text)[-1][0], "unterminated comment: close it with *%"
    end = len(rule.code.rstrip())
    text = "incomplete last statement: is its full stop missing?"
    line_end = rule.text.find("\n", end)
    behind = rule.text[end : line_end if line_end >= 0 else len(rule.text)].strip()
    if behind.startswith("%") and _REMAINDER.match(behind[1:].strip()):
        text += " % begins a comment; the remainder is written with \\, as in N \\ 2"
    return end, text


def _operator(place: _Place) -> Iterator[_Found]:
    for operator, instead in _OPERATORS.items():
        for start in range(max(0, place.offset - len(operator) + 1), place.offset + 1):
            if place.code.startswith(operator, start):
                text = f"clingo has no operator {operator}; write {instead}"
                yield start, text, *_change(operator, instead)


def _domain(place: _Place) -> Iterator[_Found]:
    """`#domain row(R).` of gringo 3."""
    declared = re.compile(r"#domain\s+([^.]*\w\([^.]*\))").match(place.code, place.offset)
    if declared:
        atom = " ".join(declared[1].split())
        names = " or ".join(dict.fromkeys(re.findall(r"\b[A-Z]\w*", atom)))
        text = f"clingo has no #domain: remove it, and add {atom} to the body of each rule with"
        yield place.offset, f"{text} {names}"


def _weights(place: _Place) -> Iterator[_Found]:
    """`#sum [ a(R,C,N) = N : cage(R,C,I) ]` of gringo 3, which counts elements that are equal."""
    name, start, closing = "", place.offset, "]"
    if place.token == "[":
        if function := re.search(r"(#(?:sum|count|min|max|avg|even|odd))\s*\Z", place.statement):
            name, start = function[1], place.start + function.start()
    elif place.token in ("#avg", "#even", "#odd"):
        name, start, closing = place.token, place.offset, "]}"
    else:
        return
    begin = re.compile(r"[^\[{.]*[\[{]").match(place.code, place.offset)
    end = re.compile(f"[{re.escape(closing)}]").search(place.code, place.offset)
    inside = place.code[begin.end() : end.start()] if begin and end else ""
    as_in_clingo = ":" in inside and begin is not None and begin[0].endswith("{")
    parts = _split(inside, ";" if as_in_clingo else ",;")
    elements = "; ".join(_element(each, len(parts) == 1) for each in parts)
    elements = elements or "N,R,C : a(R,C,N), cell(R,C)"
    text = f"write {name or '#sum'} {{ {elements} }}"
    if name == "#avg":
        text = f"write S = #sum {{ {elements} }}, T = #count {{ {elements} }}, and compare S with a"
        text += " multiple of T, as in S > 3*T"
    elif name in ("#even", "#odd"):
        text = f"write S = #count {{ {elements} }}, S \\ 2 = {int(name == '#odd')}"
    written = f"{name} [ ]" if closing == "]" else place.token
    yield start, f"clingo has no {written if name else '[ ]'}: {text}"


def _element(text: str, alone: bool) -> str:
    """The terms and conditions of an element for `a(R,C,N) = N : cell(R,C)`."""
    first, *conditions = (part.strip() for part in _split(text, ":"))
    found = re.fullmatch(r"((?:not\s+)?([a-z]\w*(?:\((.*)\))?))(?:\s*=\s*(\w+))?", first)
    if not found:  # terms, as in clingo
        return " ".join(text.split())
    literal, atom, arguments, weight = found[1], found[2], found[3], found[4] or "1"
    terms = [each.strip() for each in _split(arguments or "", ",")] if alone else [atom]
    different = [each for each in terms if each != weight]
    return f"{','.join([weight, *different])} : {', '.join([literal, *conditions])}"


def _split(text: str, signs: str) -> list[str]:
    parts, depth = [""], 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign in signs and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return [part for part in parts if part.strip()]


def _two_aggregates(place: _Place) -> Iterator[_Found]:
    one = re.search(r"(#\w+\s*\{[^{}]*\})\s*([=!<>]+)\s*\Z", place.statement)
    other = re.compile(r"#\w+\s*\{[^{}]*\}").match(place.code, place.offset)
    if not (one and other):
        return
    used = set(re.findall(r"\w+", place.statement + other[0]))
    x, y = [name for name in ("X", "Y", "Z", "X1", "Y1", "Z1") if name not in used][:2]
    first, second = (" ".join(each.split()) for each in (one[1], other[0]))
    text = "clingo compares an aggregate with a term, not with another aggregate: write"
    instead = f"{x} = {first}, {y} = {second}, {x} {one[2]} {y}"
    yield place.start + one.start(), f"{text} {instead}"


def _word(place: _Place) -> Iterator[_Found]:
    if place.token in _WORDS and place.before not in ",;:{(":
        yield place.offset, f"clingo has no operator '{place.token}'; {_WORDS[place.token]}"
    elif place.token in _DISJUNCTIONS:
        instead = _MANY if _has_body(place.statement) else _OR
        yield place.offset, f"clingo has no operator '{place.token}' here; {instead}"
        return
    statement = place.statement.strip()
    if instead := _OBSOLETE.get(f"#{statement}", ""):
        start = place.previous - len(statement)
        yield start, f"clingo has no statement '{statement}': {instead}"


def _signs(place: _Place) -> Iterator[_Found]:
    """`p & q` and `~p`, which are operations on numbers in clingo."""
    literal = ["", *_split(place.statement.rpartition(":-")[2], ",;")][-1]
    for found in re.finditer(r"~(?=\s*[a-z])|(?<=\))\s*&", literal):
        instead = "not" if found[0] == "~" else "a comma"
        start = place.offset - len(literal) + found.end() - 1
        yield start, f"write {instead} instead of {found[0].strip()}"


def _braces(place: _Place) -> Iterator[_Found]:
    """`{ p(1), p(2) }` and `{ p(X,Y) : q(X) : r(Y) }` of gringo 3."""
    inside = place.statement.rpartition("{")[2]
    if "{" in place.statement and "}" not in inside and place.token in (",", ":"):
        which = "; between the elements" if place.token == "," else ", between the conditions"
        yield place.offset, f"write {which} of {{ }}"


def _parentheses(place: _Place) -> Iterator[_Found]:
    """`(R = 1 or C = 1)` in a body, which consists of literals only."""
    open_ = [offset for offset, sign in _open(place) if sign == "("]
    if place.token not in ("=", "<", ">", "!") or not open_ or not _has_body(place.statement):
        return
    begin = open_[-1]
    if place.code[:begin].rstrip()[-1:] not in (",", ";", ":", "-"):  # of an atom or a term
        return
    rest = _END.split(place.code[place.offset :], 1)[0]
    if disjunction := re.search(r"\b(?:or|v)\b|[|;]", rest.partition(")")[0]):
        text = "a body has no 'or': write a constraint for each case"
        yield place.offset + disjunction.start(), text
    else:
        yield begin, "write comparisons in a body without parentheses, with commas between them"


def _capital(place: _Place) -> Iterator[_Found]:
    word = _WORD_BEFORE.search(place.statement)
    if not word or not word[0][0].isupper():
        return
    name, start = word[0].strip(), place.start + word.start()
    if name.lower() == "not":
        yield start, f"write 'not' in lowercase, not '{name}'", name, "not"
    elif place.token in ("(", "["):
        text = f"'{name}' begins with a capital letter, so it is a variable; a predicate begins"
        yield start, f"{text} with a small letter, as in {name[0].lower()}{name[1:]}(…)"
    elif place.token == "." and place.statement.strip() == name:
        yield start, f"'{name}' is a variable, not an atom; an atom begins with a small letter"


def _aggregate(place: _Place) -> Iterator[_Found]:
    begun = place.statement + place.token
    for found in re.finditer(r"(?<![#\w])(sum|count|min|max)\s*\{", begun):
        text = f"write #{found[1]} for the aggregate, with #"
        yield place.start + found.start(), text, found[1], f"#{found[1]}"


def _comma(place: _Place) -> Iterator[_Found]:
    if place.before == "," and place.token in (".", ","):
        what = "the full stop" if place.token == "." else "another comma"
        yield place.previous - 1, f"remove the comma before {what}", ",", ""
    elif place.before == "," and place.token == ":-" and not _has_body(place.statement):
        yield place.previous - 1, "remove the comma before ':-'", ",", ""


def _open(place: _Place) -> list[tuple[int, str]]:
    """The brackets of the statement that are not closed, with their offsets."""
    open_: list[tuple[int, str]] = []
    for offset, sign in enumerate(place.statement, place.start):
        if sign in "([{":
            open_.append((offset, sign))
        elif sign in _CLOSING and open_ and open_[-1][1] == _CLOSING[sign]:
            open_.pop()
    return open_


def _bracket(place: _Place) -> Iterator[_Found]:
    open_ = _open(place)
    if place.token in (".", ":-") and open_:
        yield open_[-1][0], f"'{open_[-1][1]}' is never closed"
    elif place.token in _CLOSING and not open_:
        yield place.offset, f"'{place.token}' closes nothing; remove it", place.token, ""
    elif place.token in _CLOSING and open_[-1][1] != _CLOSING[place.token]:
        line, column = line_and_column(place.code, open_[-1][0])
        where = f"line {line}, column {column}"
        yield place.offset, f"'{place.token}' does not close the '{open_[-1][1]}' of {where}"


def _full_stop(place: _Place) -> Iterator[_Found]:
    statement = place.statement.strip()
    if not statement:
        return
    begins_line = not place.code[: place.offset].rpartition("\n")[2]
    complete = place.before not in ",;:" and not statement.endswith((":-", "not"))
    begins = place.token.startswith("#") or place.token[:1].isalpha()
    again = place.token == ":-" and (_has_body(statement) or statement.startswith("#"))
    if again or (begins_line and begins and complete and place.token != ":-"):
        yield place.previous, "missing full stop at the end of this statement", "", "."


def _missing_comma(place: _Place) -> Iterator[_Found]:
    starts = place.token[:1].isalnum() or place.token[:1] in "#{"
    ends = place.before.isalnum() or place.before in ("_", ")", "}")
    last = _WORD_BEFORE.search(place.statement)
    if starts and ends and not (last and last[0].strip() in ("not", "if")):
        yield place.previous, f"missing comma before '{place.token}'", "", ","


def _lexical(place: _Place) -> Iterator[_Found]:
    if place.code.startswith(("//", "/*", "# "), place.offset) or place.token == "#":
        yield place.offset, "a comment begins with %"
    elif place.token == '"':
        yield place.offset, 'unterminated string: its closing " is missing on this line'
    elif place.token.startswith("#") and place.token not in _DIRECTIVES:
        known = _OBSOLETE.get(place.token, "")
        near = f": {known}" if known else f".{did_you_mean(place.token, _DIRECTIVES)}"
        yield place.offset, f"clingo has no {place.token}{near}"
    elif place.token in ("!", "~"):
        yield place.offset, f"clingo has no operator {place.token}; write not"


def _has_body(statement: str) -> bool:
    return ":-" in statement


_RECOGNIZERS: tuple[Callable[[_Place], Iterator[_Found]], ...] = (
    _domain,
    _weights,
    _two_aggregates,
    _lexical,
    _operator,
    _signs,
    _braces,
    _word,
    _parentheses,
    _capital,
    _aggregate,
    _bracket,
    _comma,
    _full_stop,
    _missing_comma,
)
