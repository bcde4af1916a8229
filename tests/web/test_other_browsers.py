"""The live page and handouts in Firefox and WebKitGTK: what depends on a browser.

Each is skipped where its browser is not installed.
"""

import pytest
from serving import needs_flask, served
from webdriver import DISPLAY, FIREFOX, WEBKIT, firefox, webkit

import aspdoku
from aspdoku.web.handout import handout

pytestmark = pytest.mark.slow
KNIGHT = "example:anti-knight"
SMALL = "1... ..3. .4.. 2..."
EDITOR = "[aria-label='Text of your rule']"


def needs(name, found):
    return pytest.mark.skipif(not found, reason=f"{name} is not installed")


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(firefox, marks=needs("Firefox", FIREFOX)),
        pytest.param(webkit, marks=needs("WebKitWebDriver or Xvfb", WEBKIT and DISPLAY)),
    ],
    ids=["Firefox", "WebKitGTK"],
)
def window(request, tmp_path_factory):
    with request.param(tmp_path_factory.mktemp("profile")) as window:
        yield window


@pytest.fixture
def opened(window, tmp_path):
    """Opens a handout from its file, and waits for its verdict."""

    def opened(source):
        file = tmp_path / "handout.html"
        file.write_text(handout(aspdoku.compose(source)), "utf-8")
        window.open(file.as_uri())
        window.expect(".verdict", "1 solution")
        return window

    return opened


def write(window, text):
    """Write a rule in the editor, which is opened."""
    window.click("[aria-label=More]")
    window.press("Write a brick")
    window.type(EDITOR, text)


def switch(rule):
    return f"[role=switch][aria-label='Rule {rule}']"


def test_a_handout_solves_from_a_disk_and_a_switch_retracts_a_rule(opened):
    window = opened(KNIGHT)
    base = window.text("[data-name=base]")
    window.click(switch("anti-knight"))
    window.expect(".verdict", "more than 1,000 solutions")
    window.expect(".tag", "ab(anti_knight).")
    window.click(switch("anti-knight"))
    window.expect(".verdict", "1 solution")
    assert window.text("[data-name=base]") == base != ""


def test_numbers_are_typed_into_cells(opened):
    window = opened(SMALL)
    right = aspdoku.solve(SMALL).solution[1, 2]
    wrong = next(number for number in (2, 3, 4) if number != right)
    cell = "[role=gridcell][aria-label^='row 1, column 2:']"
    window.click(cell)
    window.type(cell, str(wrong))
    window.expect(".verdict", "No solution")
    window.type(cell, str(right))
    window.expect(".verdict", "1 solution")


def test_an_own_rule_is_marked_where_it_is_wrong_and_stopped_where_it_is_endless(opened):
    window = opened(SMALL)
    write(window, "% A title.\n:- a(1,1,N), N > .\n")
    window.expect(".problems", "line 2: syntax error")
    window.expect(".gutter", "✗2")
    window.clear(EDITOR)
    window.type(EDITOR, "endless(1). endless(X+1) :- endless(X).")
    window.expect(".verdict", "stopped after")
    window.clear(EDITOR)
    window.type(EDITOR, ":- a(1,2,N), a(1,3,N).")
    window.expect(".verdict", "1 solution")


def test_a_link_restores_the_page(opened):
    window = opened(SMALL)
    write(window, ":- a(1,2,N), N > 2.")
    window.expect(".verdict", "No solution")
    window.click(switch("box"))
    window.expect(".tag", "ab(box).")
    window.click("[aria-label=More]")
    window.press("Link")  # the link is complete when it is shown
    window.wait("document.querySelector('dialog[open] input')")
    address = window.evaluate("document.querySelector('dialog[open] input').value")
    window.open("about:blank")
    window.open(address)
    window.expect(".tag", "ab(box).")
    assert window.evaluate(f'document.querySelector("{EDITOR}").value') == ":- a(1,2,N), N > 2."


@needs_flask
def test_a_server_answers(window):
    with served(SMALL) as (_, port, token):
        window.open(f"http://127.0.0.1:{port}/?token={token}")
        window.expect(".verdict", "1 solution")
        write(window, "% A title.\n:- a(1,1,N), M > 2.")
        window.press("Check")
        window.expect("[aria-label='Own rule'] .words", "finding")
        window.expect(".problems", "line 2: unsafe")


def test_the_colours_of_a_page_follow_the_scheme(window, tmp_path):
    """Each has two values in `tokens.css`."""
    file = tmp_path / "page.html"
    file.write_text(aspdoku.draw(SMALL).render(".html"), "utf-8")
    window.open(file.as_uri())
    paper = "getComputedStyle(document.body).backgroundColor"
    window.evaluate("document.documentElement.dataset.theme = 'light'")
    assert window.evaluate(paper) == "rgb(246, 243, 236)"
    window.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert window.evaluate(paper) == "rgb(20, 22, 26)"
    frame = "getComputedStyle(document.querySelector('.frame')).stroke"
    assert window.evaluate(frame) == "rgb(201, 198, 189)"
