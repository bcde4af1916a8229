"""Mark the tests that `slow.txt` lists as slow, so that the default run stays short."""

from pathlib import Path

import pytest

SLOW = {
    line
    for line in Path(__file__).with_name("slow.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if item.nodeid in SLOW:
            item.add_marker(pytest.mark.slow)
