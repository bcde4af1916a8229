"""The section [facts] against clingo, which reads the same text."""

import clingo
import pytest

from aspdoku.errors import PuzzleError
from aspdoku.formats import parse
from aspdoku.puzzlefile import facts

GRID = "..\n..\n[facts]\n"


def clingos_facts(text):
    control = clingo.Control(message_limit=0)
    control.add("base", [], text)
    control.ground([("base", [])])
    return {str(atom.symbol) for atom in control.symbolic_atoms}


@pytest.mark.parametrize(
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
def test_facts_mean_what_they_mean_to_clingo(text):
    stated = {str(fact) for fact in parse(GRID + text).facts}
    assert stated == clingos_facts(text)
    assert stated


def test_comments_of_puzzle_files_work_among_facts():
    text = '# one\np(1).  # two\n; three " ( %*\n  ; four\n#\np(2). #! five'
    assert [str(fact) for fact in parse(GRID + text).facts] == ["p(1)", "p(2)"]


ONLY_FACTS = (
    "only facts, such as even(3,4)., can stand in a puzzle file; a rule belongs in an .lp file"
)

# The facts begin in line 4.
WRONG = {
    "rule": ("p.\np(1) :- q.", 5, "':-' cannot stand here: " + ONLY_FACTS),
    "constraint": (":- p.", 4, "':-' cannot stand here: " + ONLY_FACTS),
    "variable": ("p(\nX).", 5, "'X' cannot stand here: " + ONLY_FACTS),
    "anonymous variable": ("p(_).", 4, "'_' cannot stand here"),
    "capital predicate": ("Even(1).", 4, "'Even' cannot stand here"),
    "not": ("not p.", 4, "'not' cannot stand here"),
    "not as a constant": ("p(not).", 4, "'not' cannot stand here"),
    "script": ("#script (python)\n#end.", 4, "'#script' cannot stand here: " + ONLY_FACTS),
    "script alone": ("#script(lua)", 4, "'#script' cannot stand here"),
    "include": ('p. #include "x.lp".', 4, "'#include' cannot stand here"),
    "infimum": ("p(#inf).", 4, "'#inf' cannot stand here"),
    "choice": ("{p}.", 4, "'{' cannot stand here"),
    "disjunction": ("p; q.", 4, "';' cannot stand here"),
    "classical negation": ("-p(1).", 4, "'-' cannot stand here"),
    "negated constant": ("p(-a).", 4, "'-' cannot stand here"),
    "double negation": ("p(--1).", 4, "'-' cannot stand here"),
    "arithmetic": ("p(1+2).", 4, "'+' cannot stand here"),
    "script function": ("p(@f(1)).", 4, "'@' cannot stand here"),
    "empty alternative": ("p(1;).", 4, "')' cannot stand here"),
    "trailing comma": ("p(1,).", 4, "')' cannot stand here"),
    "closed too often": ("p(1)).", 4, "')' cannot stand here"),
    "number as a fact": ("1.", 4, "'1' cannot stand here"),
    "string as a fact": ('"p".', 4, "cannot stand here"),
    "no full stop": (
        "p(1)\nq(2).",
        4,
        "a full stop is missing: a fact ends with one, as in even(3,4).",
    ),
    "no full stop at the end": ("p(1).\nq(2)\n\n", 5, "a full stop is missing"),
    "not closed": ("p(1,\n", 4, "the last fact is not finished"),
    "string not closed": (
        'p("a).',
        4,
        "this text in quotes is not closed, or has a \\ that is not part of",
    ),
    "strange escape": (
        'p("\\t").',
        4,
        "this text in quotes is not closed, or has a \\ that is not part of",
    ),
    "comment not closed": (
        "p.\n%* q.\n*%\n%* %* *%",
        7,
        "this comment is not closed before the section ends",
    ),
    "huge": ("p(2147483648).", 4, "'2147483648' is not a number for clingo"),
    "tiny": ("p(-2147483649).", 4, "'-2147483649' is not a number for clingo"),
    "very huge": (f"p({'9' * 5000}).", 4, "is not a number for clingo"),
    "zero in front": (
        "p(007).",
        4,
        "'007' is not a number for clingo: write -2147483648 to 2147483647, no zeros in",
    ),
    "base 16": ("p(0x10).", 4, "'0x10' is not a number for clingo"),
    "superscript": ("p(²).", 4, "'²' cannot stand here"),
    "Arabic digit": ("p(١).", 4, "'١' cannot stand here"),
    "deep": (
        "p." + "p(" + "f(" * 60 + "1" + ")" * 60 + ").",
        4,
        "more than 50 parentheses within one another",
    ),
    "very deep": ("p(" + "(" * 100_000, 4, "more than 50 parentheses within one another"),
    "interval of names": ("p(1..a).", 4, "an interval goes from a number to a number, as in 1..9"),
    "interval of a pool": ("p((1;2)..3).", 4, "an interval goes from a number to a number"),
    "interval backwards": (
        "p.\np(5..1).",
        5,
        "there is no number in 5..1: an interval begins with the smaller one",
    ),
    "large interval": ("p(1..100001).", 4, "these are more than 100000 facts"),
    "huge interval": ("p(-2147483648..2147483647).", 4, "these are more than 100000 facts"),
    "product": ("p(1..1000,1..1000).", 4, "these are more than 100000 facts"),
    "huge product": ("p(" + "1..2," * 1000 + "1).", 4, "these are more than 100000 facts"),
    "nested product": (
        "p(" + "f(1..9," * 40 + "1" + ")" * 40 + ").",
        4,
        "these are more than 100000 facts",
    ),
    "pool of intervals": ("p(" + "1..100000;" * 9 + "1).", 4, "these are more than 100000 facts"),
    "sum": ("p(1..60000).\nq(1..60000).", 5, "these are more than 100000 facts"),
}


@pytest.mark.parametrize(("text", "line", "message"), WRONG.values(), ids=WRONG)
def test_what_is_no_fact(text, line, message):
    with pytest.raises(PuzzleError) as raised:
        parse(GRID + text, "p.txt")
    assert str(raised.value).startswith(f"p.txt:{line}: ")
    assert message in str(raised.value)


def test_as_many_facts_as_allowed():
    assert len(parse(f"{GRID}p(1..{facts.MAX_FACTS}).").facts) == facts.MAX_FACTS
