"""Samples of parameters for the default run; the other parameters are marked slow."""

from collections.abc import Iterable

import pytest


def one_in(step: int, values: Iterable[object]) -> list[object]:
    """The values as parameters, with all but one in `step` of them marked slow.

    For tests of a mechanism that treats all values alike, such as every bundled rule.
    """
    return [
        value if index % step == 0 else pytest.param(value, marks=pytest.mark.slow)
        for index, value in enumerate(values)
    ]
