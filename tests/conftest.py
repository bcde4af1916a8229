"""Mark the tests that `slow.txt` lists as slow, so that the default run stays short; Chromium."""

import shutil
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


@pytest.fixture(scope="module")
def browser():
    """Chromium, driven by Playwright; tests are skipped without one of them."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs aspdoku[browser]")
    chromium = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
    if chromium is None:
        pytest.skip("Chromium is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()
