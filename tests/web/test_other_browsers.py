"""The live page, handouts, lessons and classes in Firefox and WebKitGTK: what depends on a browser.

Each is skipped where its browser is not installed.
"""

import re

import pytest
from serving import needs_flask, served
from webdriver import BROWSERS

import aspdoku
from aspdoku.lesson import lesson, lesson_file
from aspdoku.web.handout import handout
from aspdoku.web.lesson_page import lesson_data, lesson_handout

pytestmark = pytest.mark.slow
KNIGHT = "example:anti-knight"
SMALL = "1... ..3. .4.. 2..."
EDITOR = "[aria-label='Text of your rule']"


BACK, NEXT = "\ue012", "\ue014"  # the keys ← and →
LAX = ":- a(R,C,N), a(R+1,C+2,N)."


@pytest.fixture(scope="module", params=BROWSERS)
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
    window.expect(".findings", "Line 2: syntax error")
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
        window.expect(".findings", "Line 2: unsafe")


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


@pytest.fixture(scope="module")
def hour():
    return lesson_data(lesson(lesson_file("hour")))


@pytest.fixture
def lecture(window, hour, tmp_path):
    """Opens the bundled lesson of an hour, as one file, at an address."""
    file = tmp_path / "hour.html"
    file.write_text(lesson_handout(hour), "utf-8")

    def opened(address=""):
        window.open("about:blank")
        window.open(f"{file.as_uri()}{address}")
        window.wait("document.querySelector('.sentence')?.innerText")
        return window

    return opened


def test_a_lesson_from_a_disk_forwards_and_backwards(lecture, hour):
    window = lecture()
    places = [
        f"#{step}" + (f".{scene}" if scene else "")
        for step, each in enumerate(hour["steps"], 1)
        for scene in range(len(each["scenes"]))
    ]
    assert places[-1].startswith("#12")
    sentences = {}
    for place in places[1:]:
        window.type("body", NEXT)
        window.wait(f"location.hash === '{place}'")
        sentences[place] = window.text(".sentence")
    for place in reversed(places[1:-1]):
        window.type("body", BACK)
        window.wait(f"location.hash === '{place}'")
        assert window.text(".sentence") == sentences[place] != ""


def test_clingo_answers_in_a_scene_and_the_next_key_leads_back(lecture):
    window = lecture("#3.1")
    window.expect(".verdict", "288 solutions")
    window.click(switch("box"))
    window.expect(".verdict", "576 solutions")
    window.type("body", NEXT)
    window.expect(".verdict", "288 solutions")


def test_notes_of_a_lesson_are_in_a_window_that_follows(lecture, hour):
    window = lecture("#2")
    notes = "open('', 'aspdoku-notes')?.document.querySelector('.notes')?.innerText ?? ''"
    first, second = (step["title"] for step in hour["steps"][1:3])
    window.type("body", "n")
    window.wait(f"({notes}).includes('2. {first}')")
    for _ in hour["steps"][1]["scenes"]:
        window.type("body", NEXT)
    window.wait(f"({notes}).includes('3. {second}')")
    window.type("body", "n")
    window.wait("!document.querySelector('.notes:not([hidden])')")


@needs_flask
def test_a_class_hands_in_and_the_wall_shows_it(window):
    with served("--class", "--exercise", "anti-knight", "--time-limit-each", 60) as (
        process,
        port,
        code,
    ):
        token = re.search(r"/wall\?token=(\S+)", process.stdout.readline())[1]
        address = f"http://127.0.0.1:{port}/"
        window.open(f"{address}?token={code}")
        window.wait(f'document.querySelector("{EDITOR}")?.value')
        window.clear(EDITOR)
        window.type(EDITOR, LAX)
        window.press("Hand in")
        window.expect("#outcome h2", "Too lax")
        assert window.evaluate("document.querySelectorAll('#outcome circle.ring').length") == 2
        window.open(f"{address}?token={code}")
        window.wait(f'document.querySelector("{EDITOR}")?.value === "{LAX}"')
        window.open(f"{address}wall?token={token}")
        window.expect(".groups", "Too lax")
        frame = "document.querySelector('.group .board-frame').getBoundingClientRect()"
        width, height = (window.evaluate(f"{frame}.{side}") for side in ("width", "height"))
        assert min(width, height) > 100
        window.click(".group-too-lax")
        window.expect("[role=dialog]", LAX)
        window.press("Back to the wall")
        window.wait("!document.querySelector('[role=dialog].large')")
