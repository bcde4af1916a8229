"""Fixtures of the tests of the command line."""

import pytest


@pytest.fixture
def file(tmp_path):
    """A function that writes a text to a temporary file and returns its path."""

    def write(text, name="mine.lp"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write
