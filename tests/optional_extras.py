"""Optional packages, and the tests that are skipped without them."""

from importlib.util import find_spec

import pytest

NO_LZSTRING = "URLs are compressed with lzstring, which is not installed"


def with_extras(names, key=str):
    """The formats as parameters; URL formats are skipped if lzstring is not installed."""
    missing = find_spec("lzstring") is None
    skipped = pytest.mark.skipif(missing, reason=NO_LZSTRING)
    return [
        pytest.param(name, marks=skipped) if key(name) in ("address", ".url") else name
        for name in names
    ]


def can_be_read(format_):
    """Whether the packages that the format needs are installed."""
    return format_.name != "address" or find_spec("lzstring") is not None
