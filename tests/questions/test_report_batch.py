"""Results of `batch` as lines, and reading them back for `--resume`.

No complete line is lost, and no other text is taken for a result.
"""

import csv
import io
import json
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from in_one_test import in_one_test

from aspdoku.engine.batch import LineResult, LineStatus
from aspdoku.errors import AspdokuError
from aspdoku.questions.batch import header, read_results, result_formatter

FORMATS = ("line", "jsonl", "csv")

STATUSES = get_args(LineStatus)
SIGNS = ".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SOLVED = bytes([1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1])
LARGE = bytes(range(1, 17)) * 16

RESULTS = [
    LineResult("unique", SOLVED),
    LineResult("several", SOLVED),
    LineResult("none"),
    LineResult("timed out"),
    LineResult("timed out", SOLVED),
    LineResult(
        "bad input",
        reason="invalid number '5' in r1c1: a 4x4 grid contains 1 to 4, or . for an empty cell",
    ),
    LineResult("bad input", reason='this text in quotes is not closed: "a, b; c'),
    LineResult("crashed", reason="more than 4 GB"),
    LineResult("empty"),
    LineResult("unique", LARGE),
]


def in_signs(numbers):
    return "".join(SIGNS[number] for number in numbers)


def text_of(found, format_):
    return header(format_) + "".join(
        result_formatter(format_)(number, result) for number, result in enumerate(found, 1)
    )


def read_line(line):
    """Status, solution and reason of a line, by an independent parser."""
    solution, _, rest = line.partition(" ")
    status, _, reason = rest.partition(": ")
    return status, solution.replace("-", ""), reason


def read_back(text, format_):
    """Number, status, solution and reason of each result in a text."""
    if format_ == "csv":
        rows = csv.DictReader(io.StringIO(text, newline=""))
        return [(int(row["line"]), row["status"], row["solution"], row["reason"]) for row in rows]
    if format_ == "jsonl":
        documents = map(json.loads, text.splitlines())
        return [
            (each["line"], each["status"], each["solution"] or "", each["reason"])
            for each in documents
        ]
    return [(number, *read_line(line)) for number, line in enumerate(text.splitlines(), 1)]


@pytest.mark.parametrize("format_", FORMATS)
def test_formatted_results_can_be_read_back(format_):
    expected = [
        (number, result.status, in_signs(result.numbers), result.reason)
        for number, result in enumerate(RESULTS, 1)
    ]
    assert read_back(text_of(RESULTS, format_), format_) == expected


BREAKS = ["\n", "\r\n", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028"]


@in_one_test("format_", FORMATS)
@in_one_test("break_", BREAKS)
def test_a_reason_of_several_lines_is_joined(format_, break_):
    """The message of a crash can be any text, but each result is one line."""
    text = text_of([LineResult("crashed", reason=f"one{break_}two"), LineResult("none")], format_)
    first, second = read_back(text, format_)
    assert len(text.splitlines()) == 2 + (format_ == "csv")
    assert first[:3] == (1, "crashed", "")
    assert [word for word in ("one", "two") if word not in first[3]] == []
    assert second == (2, "none", "", "")


reasons = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"])) | st.sampled_from(
    ['"', ",", '","', "a: b", "{", "'"]
)
found_ = st.lists(
    st.builds(
        LineResult, st.sampled_from(STATUSES), st.sampled_from([b"", SOLVED, LARGE]), reasons
    ),
    max_size=8,
)


@given(found_, st.sampled_from(FORMATS))
def test_any_result_is_one_line_and_can_be_read_back(found, format_):
    text = text_of(found, format_)
    assert text.count("\n") == len(found) + (format_ == "csv")
    expected = [
        (number, result.status, in_signs(result.numbers), result.reason)
        for number, result in enumerate(found, 1)
    ]
    assert read_back(text, format_) == expected


EXAMPLES = [
    ("line", LineResult("unique", SOLVED), "1234341221434321 unique\n"),
    ("line", LineResult("none"), "- none\n"),
    ("line", LineResult("bad input", reason="why"), "- bad input: why\n"),
    ("line", LineResult("unique", LARGE), "123456789ABCDEFG" * 16 + " unique\n"),
    (
        "jsonl",
        LineResult("none"),
        '{"line": 3, "status": "none", "solution": null, "reason": ""}\n',
    ),
    ("csv", LineResult("unique", SOLVED), "3,unique,1234341221434321,\n"),
    ("csv", LineResult("bad input", reason='a, "b"'), '3,bad input,,"a, ""b"""\n'),
]


@pytest.mark.parametrize(("format_", "result", "text"), EXAMPLES)
def test_a_result_as_a_line(format_, result, text):
    assert result_formatter(format_)(3, result) == text


# ---- Reading the results in a file ----


@pytest.fixture
def file(tmp_path):
    return tmp_path / "answers"


@pytest.mark.parametrize("format_", FORMATS)
def test_there_are_no_results_without_a_file_or_in_an_empty_one(file, format_):
    assert list(read_results(file, format_)) == []
    file.write_text("")
    assert list(read_results(file, format_)) == []
    file.write_text(header(format_))
    assert list(read_results(file, format_)) == []


@pytest.mark.slow_cases("jsonl")
@pytest.mark.parametrize("format_", FORMATS)
def test_the_complete_results_of_a_truncated_file_are_read(file, format_):
    text = text_of(RESULTS, format_)
    whole = text.encode().splitlines(keepends=True)[format_ == "csv" :]
    for end in range(len(text) + 1):
        file.write_text(text[:end])
        assert (
            list(read_results(file, format_))
            == whole[: max(0, text[:end].count("\n") - (format_ == "csv"))]
        )


@pytest.mark.slow
@settings(deadline=None, max_examples=20)
@given(st.integers(1, 20_000), st.integers(1, 120), st.sampled_from(FORMATS))
def test_a_large_file_is_read_as_well(tmp_path_factory, count, missing, format_):
    """A file that is larger than the blocks in which it is read."""
    file = tmp_path_factory.mktemp("large") / "answers"
    written = [
        result_formatter(format_)(number, LineResult("unique", SOLVED * 4))
        for number in range(1, count + 1)
    ]
    file.write_text((header(format_) + "".join(written))[:-missing])
    left = file.read_text().count("\n") - (format_ == "csv")
    assert list(read_results(file, format_)) == [text.encode() for text in written[: max(0, left)]]


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
def test_an_incomplete_first_line_is_not_a_result(file, format_, text):
    file.write_text(text)
    assert list(read_results(file, format_)) == []


NO_RESULTS = [
    ("line", "garbage\n"),
    ("line", "\n"),
    ("line", "1234341221434321 uniqu\n"),
    ("line", "1234341221434321\n"),
    ("line", "1234341221434321 unique unique\n"),
    ("jsonl", "garbage\n"),
    ("jsonl", '{"line": 2, "status": "none", "solution": null, "reason": ""}\n'),
    ("jsonl", '{"line": 4, "status": "none", "solution": null, "reason": ""}\n'),
    ("jsonl", '{"line": 3, "status": "nun", "solution": null, "reason": ""}\n'),
    ("csv", "garbage\n"),
    ("csv", "2,none,,\n"),
    ("csv", "4,none,,\n"),
    ("csv", "line,status,solution,reason\n"),
]


@pytest.mark.parametrize(("format_", "line"), NO_RESULTS)
@pytest.mark.parametrize("more", [0, 2])
def test_an_invalid_line_is_reported(file, format_, line, more):
    following = [
        result_formatter(format_)(number, LineResult("none")) for number in range(4, 4 + more)
    ]
    file.write_text("".join([text_of(RESULTS[:2], format_), line, *following]))
    with pytest.raises(
        AspdokuError,
        match=rf"answers:{3 + (format_ == 'csv')}: not result 3 in the format {format_}",
    ):
        list(read_results(file, format_))


FOREIGN = {
    "notes": b"my notes are here\nand here",
    "notes of one line": b"my notes are here",
    "a word": b"notes",
    "lines of a word": b"notes\nmore\n",
    "a puzzle file": b"title: Anti-knight, slide 17\nwith: anti-knight\n\n. . 7 | . . . | 8 . .\n",
    "puzzles": (
        b"000100045050060000000700020000080300402000000700000000090002800000400000000000600\n" * 3
    ),
    "a puzzle without an end of line": (
        b"000100045050060000000700020000080300402000000700000000090002800000400000000000600"
    ),
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


@in_one_test("content", FOREIGN.values())
@pytest.mark.parametrize("format_", FORMATS)
def test_other_files_are_rejected_and_not_changed(file, format_, content):
    file.write_bytes(content)
    with pytest.raises(AspdokuError, match="answers"):
        list(read_results(file, format_))
    assert file.read_bytes() == content


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("other", FORMATS)
def test_results_in_another_format_are_rejected_and_not_changed(file, format_, other):
    if format_ == other:
        pytest.skip("the same format")
    for broken_off in (0, 3):
        text = text_of(RESULTS, other)
        file.write_text(text[: len(text) - broken_off])
        with pytest.raises(AspdokuError, match=format_):
            list(read_results(file, format_))
        assert file.read_text() == text[: len(text) - broken_off]
