"""Windows of Chromium for the tests of pages."""

import pytest


@pytest.fixture
def opened(browser, tmp_path):
    """Opens a page: a handout from its file, the live page from a host that these tests answer."""
    from live_window import opening

    yield from opening(browser, tmp_path)
