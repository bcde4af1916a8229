"""Which slow tests run; compiled modules; Chromium.

The default run leaves out the tests marked `slow`. With `-m slow --share 0.25 --changed COMMIT`, a
quarter of them runs, chosen by ASPDOKU_PART, and all that concern files changed since the commit,
or as many of these as MOST.
"""

import gc
import os
import random
import re
import shutil
import signal
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

# The tests start hundreds of processes. Each would compile the package again if compiled modules
# were not kept, whatever the environment prefers for other programs.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# A shell starts background jobs with Ctrl-C ignored, and nohup ignores the end of a terminal; tests
# that interrupt would wait for ever.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Modules and tests stay until the end: while they are collected, nothing is garbage. The process
# that only hands out tests to others never collects garbage; it needs 150 MB.
gc.disable()
# jsonschema would build the grammars of a format that no schema has, which takes a second.
sys.modules["rfc3987_syntax"] = None

ROOT = Path(__file__).resolve().parents[1]
# About how many slow tests that concern changed files run: after a change of everything, not all.
MOST = 700
# Data of rules and puzzles: tests that name one of these files in a parameter concern it.
DATA = ("asp/", "instances/", "rivals/", "docs/pictures/")
PAGES = "aspdoku/web/static/"


def pytest_addoption(parser):
    parser.addoption("--share", type=float, default=1.0, help="run this share of the slow tests")
    parser.addoption("--changed", metavar="COMMIT", help="and those of files changed since COMMIT")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    unused = mark_slow_cases(items)
    if unused and not any("::" in argument for argument in config.args):
        raise pytest.UsageError(f"no test has the parameters of slow_cases: {', '.join(unused)}")
    if config.option.share < 1:
        slow = [item for item in items if item.get_closest_marker("slow")]
        changed = changed_files(config.option.changed) if config.option.changed else []
        concerned = {item for item in slow if concerns(item, changed)}
        most = min(1.0, MOST / len(concerned)) if concerned else 1.0
        part = os.environ.get("ASPDOKU_PART", "")
        left_out = {
            item
            for item in slow
            if random.Random(f"{part} {item.nodeid}").random()
            >= (most if item in concerned else config.option.share)
        }
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


def pytest_collection_finish():
    """Reference counts free nearly all: collections are rarer, and pass over what was imported."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


def changed_files(commit):
    """The files that differ from a commit, relative to the checkout."""
    command = ["git", "-C", str(ROOT), "diff", "--name-only", commit]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def concerns(item, changed):
    """Whether a test is in a changed file, belongs to a changed module, or has the name of a
    changed rule or puzzle in its parameters; scripts and styles belong to all tests of pages.
    """
    file = item.path.relative_to(ROOT)
    words = set(re.split(r"[^\w-]+", item.name.replace("_", "-")))
    for path in map(Path, changed):
        if path == file:
            return True
        if path.parts[0] == "aspdoku" and file.stem == f"test_{path.stem}":
            return True
        if str(path).startswith(DATA) and path.stem in words:
            return True
        if str(path).startswith(PAGES) and (file.parts[1] == "web" or "browser" in file.stem):
            return True
    return False


def mark_slow_cases(items):
    """Mark the parameters that patterns of `slow_cases` fit. Returns the patterns that fit none."""
    unused = {}
    for item in items:
        if cases := item.get_closest_marker("slow_cases"):
            waiting = unused.setdefault(item.function, set(cases.args))
            fitting = {case for case in cases.args if fnmatchcase(item.callspec.id, case)}
            waiting -= fitting
            if fitting:
                item.add_marker(pytest.mark.slow)
    return [f"{test.__name__}: {case}" for test, cases in unused.items() for case in cases]


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
