"""Diffs of program texts: statements as a multiset, and files byte for byte."""

import hashlib
from difflib import unified_diff

import pytest
from in_one_test import in_one_test

import aspdoku
from aspdoku.lecture.changes import diff_texts, statements, unified_text_diff
from aspdoku.program import RuleFile, assemble, library
from aspdoku.puzzle import Puzzle

BASE = library.base()
BLANK = Puzzle.blank(4)


def of(*texts):
    return assemble(
        BLANK,
        [BASE, *(RuleFile(f"f{place}", f"f{place}.lp", text) for place, text in enumerate(texts))],
    )


CASES = [
    # text before, text after, statements added and removed
    (":- a(1,1,1).", ":- a(1,1,1).", [], []),
    (":- a(1,1,1).", "% why\n:-   a(1,\n  1,1)  .\n\n", [], []),
    (":- a(1,1,1). %* not *% p.", "p.\n:- a(1,1,1).", [], []),
    ("p.", "p. p.", ["p."], []),
    ("p. p. p.", "p.", [], ["p.", "p."]),
    (":- a(1,1,1).", ":- a(1,1,2).", [":- a(1,1,2)."], [":- a(1,1,1)."]),
    ("", "q(1).\np.", ["q(1).", "p."], []),
    ('p("% no comment").', "% gone", [], ['p("% no comment").']),
]


@pytest.mark.parametrize(("before", "after", "added", "removed"), CASES)
def test_statements_are_compared_as_a_multiset(before, after, added, removed):
    found = diff_texts(of(before), of(after))
    assert ([each.text for each in found.added], [each.text for each in found.removed]) == (
        added,
        removed,
    )


TOKENS = [
    ("p.", 2),
    ("p(1).", 5),
    ("p(12,x).", 7),
    ("p(-1).", 6),
    ("p(X) :- q(X), X <= 3.", 14),
    ("#defined p/1.", 5),
]


@pytest.mark.parametrize(("text", "tokens"), TOKENS)
def test_tokens_of_added_statements(text, tokens):
    assert diff_texts(of(""), of(f"{text}  % not counted")).tokens == tokens


@in_one_test("name", library.rule_names())
def test_the_hash_is_that_of_the_file_and_the_program_contains_its_bytes(name):
    rules = [BASE, library.find(name)]
    after = assemble(BLANK, [*rules, RuleFile("mine", "mine.lp", ":- a(1,1,1).")])
    found = diff_texts(assemble(BLANK, rules), after)
    files = [part.rule.path for part in after.parts[:-1]]
    assert files[-1] == library.data_dir() / "elaborations" / f"{name}.lp"
    assert [file.sha256 for file in found.kept] == [
        hashlib.sha256(file.read_bytes()).hexdigest() for file in files
    ]
    assert all(file.untouched for file in found.kept)
    assert all(file.read_bytes() in after.text.encode() for file in files)
    assert (found.added, found.removed) == (((":- a(1,1,1).", "mine.lp", 1),), ())


@pytest.mark.parametrize("ending", ["\n", "", "\r\n", "\n\n\n", "\n% no line ends here"])
def test_a_file_is_unchanged_whatever_its_line_ending(tmp_path, ending):
    path = tmp_path / "mine.lp"
    path.write_bytes(f"% Größe{ending}:- a(1,1,1).{ending}".encode())
    rules = [BASE, RuleFile.read(path, "mine.lp")]
    after = assemble(BLANK, [*rules, library.find("anti-knight")])
    mine = diff_texts(assemble(BLANK, rules), after).kept[1]
    assert mine == ("mine.lp", hashlib.sha256(path.read_bytes()).hexdigest(), True)
    assert path.read_bytes() in after.text.encode()


@pytest.mark.parametrize("after", [":- a(1,1,2).", ":- a(1,1,1). ", "% :- a(1,1,1)."])
def test_a_file_with_a_byte_changed_is_not_untouched(after):
    assert [file.untouched for file in diff_texts(of(":- a(1,1,1)."), of(after)).kept] == [
        True,
        False,
    ]


def test_a_missing_file_is_not_untouched():
    assert [file.untouched for file in diff_texts(of("p."), of()).kept] == [True, False]


def test_the_difference_is_a_unified_diff_of_the_texts():
    before, after = of("p."), of("p.", "q.")
    expected = unified_diff(
        before.text.splitlines(), after.text.splitlines(), "before", "after", lineterm="", n=1
    )
    assert unified_text_diff(before, after) == list(expected)
    assert "+q." in unified_text_diff(before, after)
    assert unified_text_diff(before, before) == []


def test_statements_include_those_of_the_puzzle():
    puzzle = aspdoku.parse("1 . . .\n. . . .\n. . . .\n. . . .")
    found = statements(assemble(puzzle, [BASE]))
    assert found.keys() - statements(assemble(BLANK, [BASE])).keys() == {"a(1,1,1)."}
    assert found["a(1,1,1)."] == [("a(1,1,1).", "the puzzle", 0)]


def test_a_statement_over_several_lines_is_shown_as_written():
    found = diff_texts(of(""), of(":- a(1,1,N),\n   N > 2 .\np. :- a(1,\n1,1)."))
    assert found.added == (
        (":- a(1,1,N), N > 2 .", "f0.lp", 1),
        ("p.", "f0.lp", 3),
        (":- a(1, 1,1).", "f0.lp", 3),
    )
