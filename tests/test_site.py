"""The site is built without a warning, and each of its pages can be found."""

import fcntl
import html
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote

import pytest
from in_one_test import in_one_test
from webdriver import BROWSERS

import aspdoku

needs_sphinx = pytest.mark.skipif(
    not all(map(find_spec, ("sphinx", "myst_parser", "furo"))), reason="needs aspdoku[docs]"
)

DOCS = Path(__file__).parents[1] / "docs"
PAGES = sorted([*DOCS.glob("*.md"), *DOCS.glob("guide/*.md")])
# Pages of each kind that axe-core checks.
CHECKED = (
    *("index", "rules/killer", "guide/solutions", "formats", "hour", "search"),
    *("reference/commands", "reference/api", "reference/explanations", "reference/tolerance"),
)
PAPER = {"light": "rgb(246, 243, 236)", "dark": "rgb(20, 22, 26)"}  # of `tokens.css`
COLOUR = "getComputedStyle(document.body).backgroundColor"


@pytest.fixture(scope="module")
def site(tmp_path_factory, request):
    """The folder of the site, which one of the processes of pytest-xdist builds for all of them."""
    folder = tmp_path_factory.getbasetemp() / "site"
    if hasattr(request.config, "workerinput"):
        folder = folder.parents[1] / "site"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "llms-full.txt").exists():  # what is written last
            options = ["-W", "-q", "-d", str(folder.with_suffix(".doctrees"))]
            command = [sys.executable, "-m", "sphinx", *options, str(DOCS), str(folder)]
            done = subprocess.run(command, capture_output=True, text=True)
            assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return folder


def test_each_page_is_in_a_list_of_contents():
    text = "".join(page.read_text("utf-8") for page in PAGES)
    listed = {
        name
        for tree in re.findall(r"```\{toctree\}\n(.*?)```", text, re.DOTALL)
        for name in tree.split("\n")
    }
    names = {page.relative_to(DOCS).with_suffix("").as_posix() for page in PAGES}
    assert names - listed == {"index"}


def anchors(page):
    """The fragments that lead to the headings of a page."""
    code = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)", code.sub("", page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


@in_one_test(
    "page",
    [*PAGES, DOCS.parent / "CONTRIBUTING.md"],
)
def test_links_lead_to_headings(page):
    for target, fragment in re.findall(r"\]\(([\w./-]*)#([^)]+)\)", page.read_text("utf-8")):
        leads_to = page.parent / target if target else page
        if "reference/" in target:
            continue  # a page that the build makes, and whose headings it checks
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
    reports = (site / "reference/explanations.html").read_text("utf-8")
    assert '<section id="a-killer-without-givens">' in reports
    full = (site / "llms-full.txt").read_text("utf-8")
    assert "# User guide" in full
    assert "rules/thermo.html" in (site / "llms.txt").read_text("utf-8")


@needs_sphinx
@pytest.mark.slow
def test_each_link_leads_to_a_page_and_a_place_on_it(site):
    pages = {page.resolve(): page.read_text("utf-8") for page in site.rglob("*.html")}
    places = {page: set(re.findall(r'\bid="([^"]+)"', text)) for page, text in pages.items()}
    broken = set()
    for page, text in pages.items():
        for link in re.findall(r'<a\b[^>]*\bhref="([^"]*)"', text):
            name, _, fragment = html.unescape(link).partition("#")
            if name.startswith(("http://", "https://")):
                continue
            target = (page.parent / unquote(name)).resolve() if name else page
            found = target.is_file() and (not fragment or unquote(fragment) in places[target])
            broken |= set() if found else {f"{page.relative_to(site)}: {link}"}
    assert broken == set()
    shown = set(re.findall(r"\blive/([\w-]+\.html)", "".join(pages.values())))
    assert {page.name for page in (site / "live").glob("*.html")} == shown


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


@needs_sphinx
@pytest.mark.slow
def test_a_live_page_has_the_theme_of_the_page_around_it(site, browser):
    with browser.new_context(color_scheme="light") as context:
        page = context.new_page()
        page.goto((site / "index.html").as_uri())
        frame = page.frame_locator("iframe.stage").locator("body")
        for theme, colours in (("auto", "light"), ("dark", "dark"), ("light", "light")):
            while page.evaluate("document.body.dataset.theme") != theme:
                page.locator(".theme-toggle:visible").first.click()
            frame.evaluate(f"async () => {{ while ({COLOUR} !== '{PAPER[colours]}') await 0 }}")


@needs_sphinx
@pytest.mark.slow
@pytest.mark.parametrize("started", BROWSERS)
def test_the_site_from_a_disk_in_other_browsers(started, site, tmp_path):
    with started(tmp_path) as window:
        for name in ("index", "rules/thermo"):
            window.open((site / f"{name}.html").as_uri())
            assert window.text("h1")
            # Furo scrolls slowly, so that a click could miss what moves.
            stage = "document.querySelector('iframe.stage')"
            window.evaluate(f"{stage}.scrollIntoView({{behavior: 'instant'}})")
            window.enter("iframe.stage")
            window.expect(".verdict", "1 solution")
            window.evaluate("document.querySelector('[aria-label=\"Rule box\"]').click()")
            window.expect(".tag", "ab(box).")
            window.wait("!/^1 solution|^…/.test(document.querySelector('.verdict').innerText)")
            window.leave()
        for theme, colour in PAPER.items():
            window.wait(
                f"document.body.dataset.theme === '{theme}'"
                " || document.querySelector('.theme-toggle').click()"
            )
            window.enter("iframe.stage")
            window.wait(f"{COLOUR} === '{colour}'")
            window.leave()
