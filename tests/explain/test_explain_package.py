"""The example in the docstring of the package."""

import doctest

import aspdoku.explain


def test_the_example_in_the_docstring():
    result = doctest.testmod(aspdoku.explain)
    assert result.attempted > 0
    assert result.failed == 0
