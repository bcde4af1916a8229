"""Cases in one test: all of them run, and those that fail are named."""

import pytest
from in_one_test import in_one_test


def test_all_cases_run_and_those_that_fail_are_named():
    seen = []

    @in_one_test(("first", "second"), [(1, "a"), (2, "b"), (3, "c"), (4, "d")])
    def check(fixture, first, second):
        seen.append((fixture, first, second))
        if first == 2:
            pytest.skip()
        with pytest.raises(ValueError, match="c"):
            raise ValueError(second) if first > 1 else KeyError(first)

    with pytest.raises(BaseExceptionGroup) as caught:
        check(fixture="x")
    assert seen == [("x", 1, "a"), ("x", 2, "b"), ("x", 3, "c"), ("x", 4, "d")]
    assert caught.value.message.splitlines() == [
        "3 of 4 cases failed:",
        "  first=1, second='a'",
        "  first=2, second='b'",
        "  first=4, second='d'",
    ]
    assert [error.__notes__ for error in caught.value.exceptions] == [
        ["in the case first=1, second='a'"],
        ["in the case first=2, second='b'"],
        ["in the case first=4, second='d'"],
    ]


def test_no_cases_and_marked_cases_are_errors():
    with pytest.raises(AssertionError):
        in_one_test("case", [])
    with pytest.raises(AssertionError, match="marked"):
        in_one_test("case", [pytest.param(1, marks=pytest.mark.slow)])
