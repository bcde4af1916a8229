"""Tests that `slow.txt` lists are marked slow, so that the default run stays short; compiled
modules; Chromium.
"""

import os
import shutil
import sys
from pathlib import Path

import pytest

# The tests start hundreds of processes. Each would compile the package again if compiled modules
# were not kept, whatever the environment prefers for other programs.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

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
