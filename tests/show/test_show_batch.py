"""Results of many puzzles as lines, and how far a file of them has come: no whole line is lost, none that is not is kept."""

import csv
import io
import json
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aspdoku.engine.batch import Result, Status
from aspdoku.errors import AspdokuError
from aspdoku.show.batch import FORMATS, Done, cut, done, head, writer

STATUSES = get_args(Status)
SIGNS = ".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SOLVED = bytes([1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1])
OTHER = SOLVED.translate(bytes([0, 2, 1, *range(3, 256)]))
LARGE = bytes(range(1, 17)) * 16

RESULTS = [
    Result("unique", SOLVED),
    Result("several", SOLVED),
    Result("none"),
    Result("timed out"),
    Result("timed out", SOLVED),
    Result("bad input", reason="r1c1 holds '5'; a 4x4 grid takes 1 to 4, or . for an empty cell"),
    Result("bad input", reason='this text in quotes is not closed: "a, b; c'),
    Result("crashed", reason="more than 4 GB"),
    Result("empty"),
    Result("unique", LARGE),
]


def in_signs(numbers):
    return "".join(SIGNS[number] for number in numbers)


def text_of(found, format_):
    return head(format_) + "".join(writer(format_)(number, result) for number, result in enumerate(found, 1))


def read_line(line):
    """Status, solution and reason of a line, read in the plainest way."""
    solution, _, rest = line.partition(" ")
    status, _, reason = rest.partition(": ")
    return status, solution.replace("-", ""), reason


def read_back(text, format_):
    """The results in a text: number, status, solution and reason of each."""
    if format_ == "csv":
        rows = csv.DictReader(io.StringIO(text, newline=""))
        return [(int(row["line"]), row["status"], row["solution"], row["reason"]) for row in rows]
    if format_ == "jsonl":
        documents = map(json.loads, text.splitlines())
        return [(each["line"], each["status"], each["solution"] or "", each["reason"]) for each in documents]
    return [(number, *read_line(line)) for number, line in enumerate(text.splitlines(), 1)]


@pytest.mark.parametrize("format_", FORMATS)
def test_what_is_written_can_be_read_back(format_):
    expected = [(number, result.status, in_signs(result.numbers), result.reason) for number, result in enumerate(RESULTS, 1)]
    assert read_back(text_of(RESULTS, format_), format_) == expected


BREAKS = ["\n", "\r\n", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028"]


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("break_", BREAKS, ids=ascii)
def test_a_reason_of_several_lines_is_put_into_one(format_, break_):
    """What a crash says can be anything; a line out is for a line in all the same."""
    text = text_of([Result("crashed", reason=f"one{break_}two"), Result("none")], format_)
    first, second = read_back(text, format_)
    assert len(text.splitlines()) == 2 + (format_ == "csv")
    assert first[:3] == (1, "crashed", "")
    assert [word for word in ("one", "two") if word not in first[3]] == []
    assert second == (2, "none", "", "")


reasons = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"])) | st.sampled_from(
    ['"', ",", '","', "a: b", "{", "'"]
)
found_ = st.lists(st.builds(Result, st.sampled_from(STATUSES), st.sampled_from([b"", SOLVED, LARGE]), reasons), max_size=8)


@given(found_, st.sampled_from(FORMATS))
def test_whatever_comes_is_one_line_and_can_be_read_back(found, format_):
    text = text_of(found, format_)
    assert text.count("\n") == len(found) + (format_ == "csv")
    expected = [(number, result.status, in_signs(result.numbers), result.reason) for number, result in enumerate(found, 1)]
    assert read_back(text, format_) == expected


EXAMPLES = [
    ("line", Result("unique", SOLVED), "1234341221434321 unique\n"),
    ("line", Result("none"), "- none\n"),
    ("line", Result("bad input", reason="why"), "- bad input: why\n"),
    ("line", Result("unique", LARGE), "123456789ABCDEFG" * 16 + " unique\n"),
    ("jsonl", Result("none"), '{"line": 3, "status": "none", "solution": null, "reason": ""}\n'),
    ("csv", Result("unique", SOLVED), "3,unique,1234341221434321,\n"),
    ("csv", Result("bad input", reason='a, "b"'), '3,bad input,,"a, ""b"""\n'),
]


@pytest.mark.parametrize(("format_", "result", "text"), EXAMPLES)
def test_a_result_as_a_line(format_, result, text):
    assert writer(format_)(3, result) == text


# ---- How far a file has come ----


@pytest.fixture
def file(tmp_path):
    return tmp_path / "answers"


def gone_on_with(file, format_):
    """How many results a file holds, once it is cut behind the last of them."""
    before = done(file, format_)
    cut(file, before)
    return before.results


@pytest.mark.parametrize("format_", FORMATS)
def test_nothing_is_done_where_there_is_no_file_or_nothing_in_it(file, format_):
    assert gone_on_with(file, format_) == 0
    assert not file.exists()
    file.touch()
    assert gone_on_with(file, format_) == 0
    assert file.read_bytes() == b""


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("count", range(1, len(RESULTS) + 1))
def test_whole_results_are_counted_and_left_as_they_are(file, format_, count):
    text = text_of(RESULTS[:count], format_)
    file.write_text(text)
    assert gone_on_with(file, format_) == count
    assert file.read_text() == text


@pytest.mark.parametrize("format_", FORMATS)
def test_wherever_a_file_was_broken_off_it_can_be_gone_on_with(file, format_):
    """What was written by then and what comes behind it are the file as it would have been."""
    found = RESULTS[:7]
    text = text_of(found, format_)
    first = len(text_of(found[:1], format_))
    for end in range(first, len(text)):
        file.write_text(text[:end])
        before = gone_on_with(file, format_)
        assert before == text[:end].count("\n") - (format_ == "csv")
        rest = "".join(writer(format_)(number, result) for number, result in enumerate(found[before:], before + 1))
        assert file.read_text() + rest == text


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 40_000), st.integers(1, 120), st.sampled_from(FORMATS))
def test_a_large_file_is_counted_and_cut_as_well(tmp_path_factory, count, missing, format_):
    """Larger than what is read of it at a time."""
    file = tmp_path_factory.mktemp("large") / "answers"
    text = text_of([Result("unique", SOLVED * 4)], format_) + writer(format_)(2, Result("unique", SOLVED * 4)) * count
    file.write_text(text[:-missing])
    kept = text[:-missing]
    if kept.count("\n") < 1 + (format_ == "csv"):
        return
    assert gone_on_with(file, format_) == kept.count("\n") - (format_ == "csv")
    assert file.read_text() == kept[: kept.rindex("\n") + 1]


def test_the_head_comes_once_where_nothing_but_the_head_was_written(file):
    """As after Ctrl-C in the first puzzle."""
    file.write_text(head("csv"))
    before = gone_on_with(file, "csv")
    assert before == 0
    assert file.read_text() + head("csv") == head("csv")  # the head is written where nothing is done


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("count", range(1, len(RESULTS) + 1))
def test_the_last_whole_result_is_told_and_the_file_left_as_it_was(file, format_, count):
    text = text_of(RESULTS[:count], format_)
    broken_off = writer(format_)(count + 1, RESULTS[0])[:-1]
    file.write_text(text + broken_off)
    assert done(file, format_) == Done(
        count, text.splitlines(keepends=True)[-1], RESULTS[count - 1].status, text.count("\n"), len(text)
    )
    assert file.read_text() == text + broken_off


BEGUN = [
    ("line", "1"),
    ("line", "-"),
    ("line", "1234341221434321 "),
    ("line", "- bad in"),
    ("line", "- crashed: wh"),
    ("jsonl", '{"lin'),
    ("jsonl", '{"line": 1, "status": "uni'),
    ("csv", "line,st"),
    ("csv", "line,status,solution,reason"),
]


@pytest.mark.parametrize(("format_", "text"), BEGUN)
def test_a_first_line_that_is_not_finished_is_cut_off(file, format_, text):
    file.write_text(text)
    assert gone_on_with(file, format_) == 0
    assert file.read_bytes() == b""


# The last whole result, what it comes to now, and whether it can be the same.
AGAIN = [
    (Result("unique", SOLVED), Result("unique", SOLVED), True),
    (Result("unique", SOLVED), Result("unique", OTHER), False),
    (Result("unique", SOLVED), Result("none"), False),
    (Result("unique", SOLVED), Result("several", SOLVED), False),
    (Result("unique", SOLVED), Result("timed out"), True),
    (Result("several", SOLVED), Result("several", OTHER), True),
    (Result("several", SOLVED), Result("unique", SOLVED), False),
    (Result("bad input", reason="one"), Result("bad input", reason="one"), True),
    (Result("bad input", reason="one"), Result("bad input", reason="two"), False),
    (Result("none"), Result("empty"), False),
    (Result("none"), Result("crashed", reason="SIGKILL"), True),
]


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize(("last", "again", "agrees"), AGAIN)
def test_whether_the_last_result_can_be_what_it_comes_to_now(file, format_, last, again, agrees):
    file.write_text(text_of([last], format_))
    assert done(file, format_).agrees(again, writer(format_)(1, again)) == agrees


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("result", RESULTS)
def test_whether_the_last_result_is_settled(file, format_, result):
    file.write_text(text_of([result], format_))
    assert done(file, format_).settled == (result.status not in ("timed out", "crashed"))


FOREIGN = {
    "notes": b"my notes are here\nand here",
    "notes of one line": b"my notes are here",
    "a word": b"notes",
    "lines of a word": b"notes\nmore\n",
    "a puzzle file": b"title: Anti-knight, slide 17\nwith: anti-knight\n\n. . 7 | . . . | 8 . .\n",
    "puzzles": b"000100045050060000000700020000080300402000000700000000090002800000400000000000600\n" * 3,
    "a puzzle without an end of line": b"000100045050060000000700020000080300402000000700000000090002800000400000000000600",
    "puzzles with facts": b"................ gt(1,2,1,1).\n" * 3,
    "a grid": b". . . .\n" * 4,
    "a program": b"% A rule.\n:- a(1,1,1).\n",
    "a table": b"name,number\none,1\n",
    "a table without an end of line": b"name,number",
    "documents": b'{"name": 1}\n',
    "binary": bytes(range(256)) * 4,
    "binary without a line": bytes(range(11, 256)),
    "an empty line": b"\n\n",
    "a long line": b"x" * 3_000_000,
}


@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN)
@pytest.mark.parametrize("format_", FORMATS)
def test_a_file_of_something_else_is_refused_and_left_as_it_was(file, format_, content):
    file.write_bytes(content)
    with pytest.raises(AspdokuError, match="answers"):
        done(file, format_)
    assert file.read_bytes() == content


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("other", FORMATS)
def test_results_in_another_format_are_refused_and_left_as_they_were(file, format_, other):
    if format_ == other:
        pytest.skip("the same format")
    for broken_off in (0, 3):
        text = text_of(RESULTS, other)
        file.write_text(text[: len(text) - broken_off])
        with pytest.raises(AspdokuError, match=format_):
            done(file, format_)
        assert file.read_text() == text[: len(text) - broken_off]
