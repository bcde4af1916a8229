"""The section [facts], against the atoms that clingo derives from the same text."""

import clingo
import pytest
from in_one_test import in_one_test

from aspdoku.errors import PuzzleError
from aspdoku.formats import parse
from aspdoku.puzzlefile import facts

GRID = "..\n..\n[facts]\n"


def clingos_facts(text):
    control = clingo.Control(message_limit=0)
    control.add("base", [], text)
    control.ground([("base", [])])
    return {str(atom.symbol) for atom in control.symbolic_atoms}


@in_one_test(
    "text",
    [
        "even(3,4).",
        "p. q.r(1).\n\ns(\n1,\n2\n)\n.",
        "p(-1). p(- 1). p(0). p(2147483647). p(-2147483648).",
        'p("a"). p(""). p("a b%c#d;"). p("\\"\\\\\\n"). p("é [x] ²").',
        "p(a,_b,cC_1',f(a,g(1)),f()). q().",
        "p((1,2)). p((1,)). p(()). p((1)). p((a,(b,c))). p((1,2,)).",
        "p(1..3). p(1..2,5..6). p(f(1..2),(3..4,a)). p(-1..1). p(7..7).",
        (
            "p(1;2). even(1,2;3,4). p(a;b,c). p(1..2;4). p((1;2),3). p((1,2;3,4)). p(f(1;2;3))."
            " p((1;2,))."
        ),
        "p(1;\n;2).".replace("\n;", "\n"),
        "p(1\n;2).",
        "% p(3).\np(1). % p(2).\n%* p(4).\n%* p(5). *%\np(6). *% p(7). %* a *% p(8).",
        "_p(1). __p'(1). p_1.",
    ],
)
def test_facts_have_the_same_meaning_as_in_clingo(text):
    stated = {str(fact) for fact in parse(GRID + text).facts}
    assert stated == clingos_facts(text)
    assert stated


def test_comments_of_puzzle_files_work_among_facts():
    text = '# one\np(1).  # two\n; three " ( %*\n  ; four\n#\np(2). #! five'
    assert [str(fact) for fact in parse(GRID + text).facts] == ["p(1)", "p(2)"]


ONLY_FACTS = "a puzzle file can contain only facts, such as even(3,4).; put rules into an .lp file"

# The facts begin in line 4.
WRONG = {
    "rule": ("p.\np(1) :- q.", 5, "unexpected ':-': " + ONLY_FACTS),
    "constraint": (":- p.", 4, "unexpected ':-': " + ONLY_FACTS),
    "variable": ("p(\nX).", 5, "unexpected 'X': " + ONLY_FACTS),
    "anonymous variable": ("p(_).", 4, "unexpected '_': a puzzle file can"),
    "capital predicate": ("Even(1).", 4, "unexpected 'Even': a puzzle file can"),
    "not": ("not p.", 4, "unexpected 'not': a puzzle file can"),
    "not as a constant": ("p(not).", 4, "unexpected 'not': a puzzle file can"),
    "script": ("#script (python)\n#end.", 4, "unexpected '#script': " + ONLY_FACTS),
    "script alone": ("#script(lua)", 4, "unexpected '#script': a puzzle file can"),
    "include": ('p. #include "x.lp".', 4, "unexpected '#include': a puzzle file"),
    "infimum": ("p(#inf).", 4, "unexpected '#inf': a puzzle file can"),
    "choice": ("{p}.", 4, "unexpected '{': a puzzle file can"),
    "disjunction": ("p; q.", 4, "unexpected ';': a puzzle file can"),
    "classical negation": ("-p(1).", 4, "unexpected '-': a puzzle file can"),
    "negated constant": ("p(-a).", 4, "unexpected '-': a puzzle file can"),
    "double negation": ("p(--1).", 4, "unexpected '-': a puzzle file can"),
    "arithmetic": ("p(1+2).", 4, "unexpected '+': a puzzle file can"),
    "script function": ("p(@f(1)).", 4, "unexpected '@': a puzzle file can"),
    "empty alternative": ("p(1;).", 4, "unexpected ')': a puzzle file can"),
    "trailing comma": ("p(1,).", 4, "unexpected ')': a puzzle file can"),
    "closed too often": ("p(1)).", 4, "unexpected ')': a puzzle file can"),
    "number as a fact": ("1.", 4, "unexpected '1': a puzzle file can"),
    "string as a fact": ('"p".', 4, "unexpected '\"p\"': a puzzle file can"),
    "no full stop": (
        "p(1)\nq(2).",
        4,
        "missing full stop: a fact ends with one, e.g. even(3,4).",
    ),
    "no full stop at the end": ("p(1).\nq(2)\n\n", 5, "missing full stop: a fact ends with"),
    "unclosed parenthesis": ("p(1,\n", 4, "incomplete fact at the end: a fact ends"),
    "unclosed string": (
        'p("a).',
        4,
        "unterminated string, or a \\ that is not part of one of \\n, \\\\ and",
    ),
    "invalid escape": (
        'p("\\t").',
        4,
        "unterminated string, or a \\ that is not part of one of \\n, \\\\ and",
    ),
    "unclosed comment": (
        "p.\n%* q.\n*%\n%* %* *%",
        7,
        "unterminated comment in this section: close it with",
    ),
    "huge": ("p(2147483648).", 4, "invalid integer '2147483648': clingo's"),
    "tiny": ("p(-2147483649).", 4, "invalid integer '-2147483649': clingo's"),
    "very large": (f"p({'9' * 5000}).", 4, "invalid integer"),
    "leading zero": (
        "p(007).",
        4,
        "invalid integer '007': clingo's integers are -2147483648 to 2147483647, without",
    ),
    "base 16": ("p(0x10).", 4, "invalid integer '0x10': clingo's"),
    "superscript": ("p(²).", 4, "unexpected '²': a puzzle file can"),
    "Arabic digit": ("p(١).", 4, "unexpected '١': a puzzle file can"),
    "deep": (
        "p." + "p(" + "f(" * 60 + "1" + ")" * 60 + ").",
        4,
        "more than 50 nested parentheses",
    ),
    "very deep": ("p(" + "(" * 100_000, 4, "more than 50 nested parentheses"),
    "interval of names": ("p(1..a).", 4, "invalid interval: expected two integers, e.g. 1..9"),
    "interval of a pool": ("p((1;2)..3).", 4, "invalid interval: expected two integers"),
    "interval backwards": (
        "p.\np(5..1).",
        5,
        "empty interval 5..1: write the smaller number first",
    ),
    "large interval": ("p(1..100001).", 4, "more than 100000 facts, the maximum for"),
    "huge interval": ("p(-2147483648..2147483647).", 4, "more than 100000 facts, the maximum for"),
    "product": ("p(1..1000,1..1000).", 4, "more than 100000 facts, the maximum for"),
    "huge product": ("p(" + "1..2," * 1000 + "1).", 4, "more than 100000 facts, the maximum for"),
    "nested product": (
        "p(" + "f(1..9," * 40 + "1" + ")" * 40 + ").",
        4,
        "more than 100000 facts, the maximum for",
    ),
    "pool of intervals": (
        "p(" + "1..100000;" * 9 + "1).",
        4,
        "more than 100000 facts, the maximum for",
    ),
    "sum": ("p(1..60000).\nq(1..60000).", 5, "more than 100000 facts, the maximum for"),
}


@pytest.mark.slow_cases("pool of intervals", "sum", "very deep")
@pytest.mark.parametrize(("text", "line", "message"), WRONG.values(), ids=WRONG)
def test_invalid_facts_are_rejected(text, line, message):
    with pytest.raises(PuzzleError) as raised:
        parse(GRID + text, "p.txt")
    assert str(raised.value).startswith(f"p.txt:{line}: ")
    assert message in str(raised.value)


@pytest.mark.slow
def test_as_many_facts_as_allowed():
    assert len(parse(f"{GRID}p(1..{facts.MAX_FACTS}).").facts) == facts.MAX_FACTS
