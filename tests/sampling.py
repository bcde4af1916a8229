"""Samples of parameters, for tests of a mechanism that treats all values alike."""

from collections.abc import Iterable, Sequence

import pytest


def one_in(step: int, values: Iterable[object]) -> list[object]:
    """The values as parameters, with all but one in `step` of them marked slow."""
    return [
        value if index % step == 0 else pytest.param(value, marks=pytest.mark.slow)
        for index, value in enumerate(values)
    ]


def row_and_column(rows: Sequence[object], columns: Sequence[object]) -> list[tuple]:
    """Each row with the first column, and the first row with each column, instead of all pairs."""
    return [(row, columns[0]) for row in rows] + [(rows[0], column) for column in columns[1:]]
