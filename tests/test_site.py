"""The site is built without a warning, and each of its pages can be found."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import aspdoku

needs_sphinx = pytest.mark.skipif(
    not all(map(find_spec, ("sphinx", "myst_parser", "furo"))), reason="needs aspdoku[docs]"
)

DOCS = Path(__file__).parents[1] / "docs"
# Pages of each kind that axe-core checks.
CHECKED = (
    "index",
    "rules/killer",
    "reference/commands",
    "guide",
    "formats",
    "hour",
    "reference/tolerance",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site, and what was printed while it was built."""
    folder = tmp_path_factory.mktemp("site")
    options = ["-W", "-q", "-d", str(tmp_path_factory.mktemp("doctrees"))]
    command = [sys.executable, "-m", "sphinx", *options, str(DOCS), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return folder


def test_each_page_is_in_a_list_of_contents():
    text = "".join(page.read_text("utf-8") for page in DOCS.glob("*.md"))
    listed = {
        name
        for tree in re.findall(r"```\{toctree\}\n(.*?)```", text, re.DOTALL)
        for name in tree.split("\n")
    }
    assert {page.stem for page in DOCS.glob("*.md")} - listed == {"index"}


def anchors(page):
    """The fragments that lead to the headings of a page."""
    code = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)", code.sub("", page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(
    "page",
    [*sorted(DOCS.glob("*.md")), DOCS.parent / "CONTRIBUTING.md"],
    ids=lambda page: page.stem,
)
def test_links_lead_to_headings(page):
    for target, fragment in re.findall(r"\]\(([\w./-]*)#([^)]+)\)", page.read_text("utf-8")):
        leads_to = page.parent / target if target else page
        assert fragment in anchors(leads_to), f"{target}#{fragment}"


@needs_sphinx
@pytest.mark.slow
def test_the_site_is_built_and_needs_no_network(site):
    for page in site.rglob("*.html"):
        loaded = re.findall(
            r'<(?:script|img|iframe|link)\b[^>]*(?:src|href)="([^"]*)"', page.read_text("utf-8")
        )
        assert [url for url in loaded if url.startswith(("http", "//"))] == [], page.name
        for name in loaded:
            path = name.partition("?")[0].partition("#")[0]
            if path and ":" not in path:
                assert (page.parent / path).exists(), f"{page.name}: {name}"
    full = (site / "llms-full.txt").read_text("utf-8")
    assert "# User guide" in full
    assert "rules/thermo.html" in (site / "llms.txt").read_text("utf-8")


@needs_sphinx
@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
@pytest.mark.parametrize("name", CHECKED)
def test_a_page_is_accessible_and_fits_the_window(name, width, scheme, site, browser):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="needs aspdoku[browser]"
    )
    size = {"width": width, "height": 800}
    with browser.new_context(viewport=size, color_scheme=scheme) as context:
        page = context.new_page()
        page.goto((site / f"{name}.html").as_uri())
        found = axe.Axe().run(page)
        assert found.response["violations"] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@needs_sphinx
@pytest.mark.slow
def test_a_puzzle_is_solved_in_the_page_from_a_disk(site, browser):
    page = browser.new_page()
    page.route("http*://**", lambda route: pytest.fail(f"loads {route.request.url}"))
    page.goto((site / "index.html").as_uri())
    stage = page.frame_locator("iframe.stage")
    for without in ((), "box"):
        count = aspdoku.count("example:anti-knight", without=without).count
        said = f"{count} solution" if count == 1 else f"{count} solutions"
        stage.get_by_text(said, exact=True).first.wait_for()
        stage.get_by_role("switch", name="Rule box").click()
    page.close()
