"""Pages in a real browser: accessibility by axe-core, widths, the keyboard, and no network.

Skipped without the extra `aspdoku[browser]` or without Chromium.
"""

import json

import pytest
from api.api_calls import IMPOSSIBLE, SMALL, UNIQUE

import aspdoku
from aspdoku.lecture.elaboration import elaboration_tables
from aspdoku.lecture.grading import Exercise, assess
from aspdoku.program.library import find
from aspdoku.questions.check import grading_page
from aspdoku.questions.elaborate import ElaborationTables

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs aspdoku[browser]")
pytestmark = pytest.mark.slow


def graded(folder):
    (folder / "anna.lp").write_text(":- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| == 4.\n")
    exercise = Exercise.of("anti-knight", 4)
    return grading_page([assess(folder / "anna.lp", exercise)], exercise)


def table(_):
    return ElaborationTables(elaboration_tables([find("anti-knight")])).to_html()


def read(_):
    """A page with a sentence and an element of each kind: understood, and open."""
    figures = [{"center": [0.5, 2.5], "width": 0.8, "height": 0.8, "backgroundColor": "#88f"}]
    points = [[0.5, 0.5], [2.5, 0.5]]
    line = {"wayPoints": points, "color": "#6d6", "thickness": 12}
    rules = "Adjacent digits on a green line differ by at least 2. The wizard sleeps."
    cells = [[{} for _ in range(4)] for _ in range(4)]
    document = {"cells": cells, "lines": [line], "overlays": figures}
    return aspdoku.interpret(json.dumps({**document, "metadata": {"rules": rules}})).to_html()


PAGES = {
    "explain": lambda _: aspdoku.explain("example:strimko").to_html(),
    "hint": lambda _: aspdoku.hint(UNIQUE).to_html(),
    "why": lambda _: aspdoku.why(UNIQUE, "r3c2=3").to_html(),
    "why not": lambda _: aspdoku.why(SMALL, "r1c2=3").to_html(),
    "conflict": lambda _: aspdoku.conflict(IMPOSSIBLE).to_html(),
    "depends": lambda _: aspdoku.depends(UNIQUE).to_html(),
    "redundant": lambda _: aspdoku.redundant(UNIQUE).to_html(),
    "equal": lambda _: aspdoku.equivalent("anti-king", "anti-knight", size=4).to_html(),
    "check": graded,
    "compare": lambda _: aspdoku.compare(UNIQUE, "findling").to_html(),
    "elaborate": lambda _: aspdoku.elaborate(UNIQUE, with_="anti-knight").to_html(),
    "elaborate --all": table,
    "read": read,
    "draw": lambda _: aspdoku.draw(UNIQUE, labels=True).render(".html"),
}


@pytest.fixture
def opened(browser, tmp_path):
    """Opens a page in a window of a width and colour scheme, without a network."""
    contexts = []

    def opened(html, width=1280, scheme="light"):
        file = tmp_path / "page.html"
        file.write_text(html, "utf-8")
        size = {"width": width, "height": 800}
        contexts.append(browser.new_context(viewport=size, color_scheme=scheme))
        page = contexts[-1].new_page()
        page.route("http*://**", lambda route: pytest.fail(f"loads {route.request.url}"))
        page.goto(file.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible_and_fits_the_window(name, opened, tmp_path):
    html = PAGES[name](tmp_path)
    for width, scheme in ((1280, "light"), (390, "dark")):
        page = opened(html, width, scheme)
        found = axe.Axe().run(page)
        assert [violation["id"] for violation in found.response["violations"]] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_arrow_keys_step_through_an_explanation(opened):
    page = opened(aspdoku.explain(UNIQUE).to_html())
    shown = "[...document.querySelectorAll('section')]"
    shown += ".filter(step => step.querySelector('.words').offsetParent).map(step => step.id)"
    assert page.evaluate(shown) == ["step-1"]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(shown) == ["step-2"]
    assert page.url.endswith("#step-2")
    page.get_by_role("link", name="r").nth(3).click()
    assert page.evaluate(shown) == ["step-4"]
