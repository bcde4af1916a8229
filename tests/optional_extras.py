"""Optional packages, and the tests that are skipped without them."""

from importlib.util import find_spec

import pytest

NO_LZSTRING = "addresses are packed by lzstring, which is not installed"


def with_extras(names, key=str):
    """The formats as parameters; URL formats are skipped without the compression package."""
    missing = find_spec("lzstring") is None
    skipped = pytest.mark.skipif(missing, reason=NO_LZSTRING)
    return [
        pytest.param(name, marks=skipped) if key(name) in ("address", ".url") else name
        for name in names
    ]


def can_be_read(format_):
    """Whether puzzles in the format can be read here."""
    return format_.name != "address" or find_spec("lzstring") is not None
