"""Comments and strings: our lexer separates them from code as clingo's parser does."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from aspdoku.program.rulefile import code, comments

pytestmark = pytest.mark.versions

FRAGMENTS = [
    "%",
    "%*",
    "*%",
    "*",
    '"',
    "\\",
    "\n",
    "p.",
    " ",
    "n",
    "\\n",
    '\\"',
    "%%",
    "x",
    "#!",
    "#",
    "\r\n",
    "\r",
]
texts = st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join)


def clingo_comments(text):
    """The comments that clingo finds, or None if the text is not a program.

    After a syntax error, lexers may resume at different positions.
    """
    from clingo.ast import parse_string

    found = []
    try:
        parse_string(text, found.append, logger=lambda *_: None)
    except RuntimeError:
        return None
    return [statement.value for statement in found if statement.ast_type.name == "Comment"]


@pytest.mark.slow
@settings(max_examples=1000, deadline=None)
@given(texts)
@example("%*%%*\n*% p.")
@example('p("%"). % "\n')
@example("%* %* *% *% p.")
@example("#! %*\np. %* *%")
@example("p#!%*\n. %* #! *%")
@example("% a\r\n#! b\rp.\r\np.")
def test_comments_are_clingos_comments(text):
    theirs = clingo_comments(text)
    if theirs is not None:
        assert [comment for _, _, comment in comments(text)] == theirs


@given(st.text(alphabet='%*"\\\n\rpé. (', max_size=30))
def test_code_preserves_lines_and_columns(text):
    blanked = code(text)
    assert len(blanked) == len(text)
    assert [place for place, one in enumerate(blanked) if one in "\r\n"] == [
        place for place, one in enumerate(text) if one in "\r\n"
    ]
    assert all(one in (other, " ") for one, other in zip(blanked, text, strict=True))


def test_a_string_is_blanked_with_its_quotes():
    assert re.findall(r"\S+", code('p("a % b", "c\\"d"). % e\nq.')) == ["p(", ",", ").", "q."]
