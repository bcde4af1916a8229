"""The example in the docstring of the package."""

import doctest

import aspdoku.explanation


def test_the_example_in_the_docstring():
    result = doctest.testmod(aspdoku.explanation)
    assert result.attempted > 0
    assert result.failed == 0
