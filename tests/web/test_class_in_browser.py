"""A class in Chromium: students who hand in and vote, and the wall of the lecturer.

Skipped without the extras `aspdoku[browser,web]` or without Chromium.
"""

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import product
from urllib.parse import urlsplit

import pytest
from cli.cli_runner import run_process
from serving import ask, needs_flask, served

from aspdoku.program import library

sync_api = pytest.importorskip("playwright.sync_api", reason="needs aspdoku[browser]")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs aspdoku[browser]")
pytestmark = [pytest.mark.slow, needs_flask]
expect = sync_api.expect
LONG = 120_000  # milliseconds: these tests run on busy machines, too
SIZES = ((1024, 768), (1280, 720), (1920, 1080), (390, 844))
PHONE = {"width": 390, "height": 844}
TASK = "Cells a knight's move apart contain different numbers."
HINTS = ("Name two cells that hold the same number.", "What is the sum of both distances?")
# Another text of the rule anti-knight, what forbids half of what it does, and what forbids more.
RIGHT = library.find("slides/anti-knight-distance").text
LAX = "% Lax.\n#defined ab/1.\n:- a(R,C,N), a(R+1,C+2,N), not ab(my_rule).\n"
STRICT = ":- a(R,C,N), a(R1,C1,N),\n   |R1-R| + |C1-C| <= 3, R1 != R.\n"
WRONG = "% Wrong.\n:- a(R,C,N), a(R+1,C+2,N), not ab(my_rule.\n"
BOTH = ":- a(R,C,N), a(R+1,C+1,N).\n"
SCRIPT = "<img src=x onerror='hacked=1'><script>hacked=1</script>"
RECTANGLE = """selector => {
    const {left, top, right, bottom} = document.querySelector(selector).getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
}"""


@contextmanager
def a_class(*arguments):
    """The address of students with the join code, and that of the wall."""
    with served("--class", "--time-limit-each", 60, *arguments) as (process, port, code):
        token = re.search(r"/wall\?token=(\S+)", process.stdout.readline())[1]
        address = f"http://127.0.0.1:{port}/"
        yield f"{address}?token={code}", f"{address}wall?token={token}", process


@pytest.fixture
def exercises(tmp_path):
    """The arguments of a class with two exercises, the first one with hints."""
    hints = "".join(f"% hint: {hint}\n" for hint in HINTS)
    reference = tmp_path / "reference.lp"
    reference.write_text(hints + library.find("anti-knight").text, "utf-8")
    return "--exercise", reference, "--exercise", "anti-king", "--task", TASK


@pytest.fixture
def opened(browser):
    """Opens a page in a browser of its own, which must not have errors."""
    expect.set_options(timeout=LONG)
    contexts, errors = [], []

    def open_page(address, viewport=None, scheme="light"):
        context = browser.new_context(
            viewport=viewport or {"width": 1280, "height": 720}, color_scheme=scheme
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(LONG)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


def violations(page):
    page.wait_for_timeout(500)  # until colours have changed
    return [
        (violation["id"], node["target"])
        for violation in axe.Axe().run(page).response["violations"]
        for node in violation["nodes"]
    ]


def extent(page):
    return page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )


def write(student, text):
    student.get_by_role("textbox", name="Text of your rule").fill(text)


def hand_in(student, text, heading):
    write(student, text)
    student.get_by_role("button", name="Hand in").click()
    expect(student.locator("#outcome h2")).to_have_text(heading)


def test_hand_ins_are_on_the_wall(opened, exercises):
    """Each state of the wall fits the projector, and is accessible."""
    with a_class(*exercises) as (joining, wall_address, _):
        wall = opened(wall_address)
        expect(wall.locator(".nobody")).to_be_visible()
        assert violations(wall) == []
        expected = (
            (LAX, "Too lax"),
            (RIGHT, "Right ✓"),
            (f"% {SCRIPT}\n{STRICT}", "Too strict"),
            (f"% {SCRIPT}\n{WRONG}", "Not yet a rule"),
        )
        for text, heading in expected:
            student = opened(joining, PHONE, "dark")
            hand_in(student, text, heading)
            assert violations(student) == []
            assert extent(student)[0] <= PHONE["width"]
        cards = wall.locator(".groups button")
        expect(cards).to_have_count(4)
        expect(wall.locator(".count", has_text="handed in")).to_contain_text("4")
        assert wall.locator(".kinds .number").all_inner_texts() == ["1"] * 4
        expect(cards.first).to_contain_text("Right")
        expect(cards.last).to_contain_text("is never closed")
        for kind in ("too-lax", "too-strict"):
            expect(wall.locator(f".group-{kind} .ring")).to_have_count(2)
        for width, height in SIZES:
            wall.set_viewport_size({"width": width, "height": height})
            for scheme in ("light", "dark"):
                wall.emulate_media(color_scheme=scheme)
                assert violations(wall) == []
            assert extent(wall)[0] <= width
            if width > 640:
                assert extent(wall)[1] <= height
                assert wall.evaluate(RECTANGLE, ".groups button:last-child")
                assert wall.evaluate(RECTANGLE, ".qr, .join")
        wall.set_viewport_size({"width": 1280, "height": 720})
        large = wall.get_by_role("dialog")
        wall.locator(".group-too-lax").click()
        expect(large).to_contain_text("a(R+1,C+2,N)")
        expect(large.locator(".ring")).to_have_count(2)
        expect(large).not_to_contain_text("Lax.")  # comments may name somebody
        assert violations(wall) == []
        for kind in ("right", "error"):
            wall.keyboard.press("ArrowLeft")
            expect(wall.locator(f".large-{kind}")).to_be_visible()
            assert violations(wall) == []
        for _ in range(4):
            wall.keyboard.press("ArrowRight")
            assert wall.evaluate(RECTANGLE, ".large .tools")
            assert extent(wall) == [1280, 720]
        wall.keyboard.press("Escape")
        expect(large).to_have_count(0)
        wall.keyboard.press("j")
        expect(large).to_contain_text(re.search(r"=(\w+)", joining)[1])
        assert violations(wall) == []
        wall.keyboard.press("Escape")
        wall.keyboard.press("d")
        assert wall.evaluate("document.documentElement.dataset.theme") == "light"
        for page, (width, height) in product((wall, student), ((640, 360), (320, 568))):
            page.set_viewport_size({"width": width, "height": height})  # 200 % and 400 % of zoom
            assert extent(page)[0] <= width
            assert violations(page) == []
        wall.get_by_role("button", name="Keys").click()
        assert violations(wall) == []
        assert wall.evaluate("typeof hacked") == "undefined"


def test_a_press_on_a_group_that_grows_meanwhile_is_a_click(opened, exercises):
    with a_class(*exercises) as (joining, wall_address, _):
        wall = opened(wall_address)
        first, second = opened(joining, PHONE), opened(joining, PHONE)
        hand_in(first, LAX, "Too lax")
        card = wall.locator(".group-too-lax")
        expect(card.locator(".heading b")).to_have_text("1")
        box = card.locator(".fig").bounding_box()
        wall.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        wall.mouse.down()
        hand_in(second, LAX, "Too lax")
        expect(card.locator(".heading b")).to_have_text("2")
        wall.mouse.up()
        expect(wall.get_by_role("dialog")).to_contain_text("a(R+1,C+2,N)")


def test_a_class_of_thirty(opened, exercises, tmp_path):
    """Twenty-seven phones, and three that are real pages, hand in rules of five kinds; the wall
    counts them all, and each is saved with the verdict that marking the folder repeats.
    """
    of_phones = ((RIGHT, 9, "right"), (LAX, 6, "too lax"), (STRICT, 5, "too strict"))
    of_phones += ((BOTH, 3, "wrong"), (WRONG, 4, "cannot be used"))
    texts = [text for text, count, _ in of_phones for _ in range(count)]
    folder = tmp_path / "answers"
    with a_class(*exercises, "-o", folder) as (joining, wall_address, _):
        wall = opened(wall_address)
        pages = [opened(joining, PHONE) for _ in range(3)]
        address = urlsplit(joining)
        code = address.query.partition("=")[2]

        def phone(number):
            question = {"kind": "mark", "exercise": 0, "client": f"c{number}", "name": "mine"}
            return ask(address.port, code, **question, text=texts[number])[1]["verdict"]

        with ThreadPoolExecutor(3) as pool:
            verdicts = Counter(pool.map(phone, range(len(texts))))
        assert sum(verdicts.values()) == 27
        assert (verdicts["right"], verdicts["cannot be used"]) == (9, 4)
        headings = (("Right ✓", RIGHT), ("Too lax", LAX), ("Not yet a rule", WRONG))
        for page, (heading, text) in zip(pages, headings, strict=True):
            hand_in(page, text, heading)
        for name in ("joined", "handed in"):
            expect(wall.locator(".count", has_text=name).locator(".vh")).to_have_text("30 ")
        right, lax, strict, error = map(int, wall.locator(".kinds .number").all_inner_texts())
        assert (right, lax + strict, error) == (10, 15, 5)
        shown = wall.locator(".groups .heading b").all_inner_texts()
        assert sum(map(int, shown)) == 30
        assert (shown[0], shown[-1]) == ("10", "5")
        assert len(shown) in (4, 5)  # what is wrong in both directions may share a grid
    files = [file for file in folder.iterdir() if file.suffix == ".lp"]
    assert len(files) == 30
    last = Counter(file.read_text("utf-8").splitlines()[-1] for file in files)
    assert (last["% verdict: right"], last["% verdict: cannot be used"]) == (10, 5)
    again = run_process("check", "--against", "anti-knight", *files[:4]).stdout.decode()
    for file in files[:4]:
        verdict = file.read_text("utf-8").splitlines()[-1].removeprefix("% verdict: ")
        marked = re.search(rf"{file.name} +(.+)", again)[1]
        assert marked == verdict or (marked == "wrong" and verdict.startswith("too "))


def test_the_page_follows_the_lecturer_and_keeps_the_text(opened, exercises):
    with a_class(*exercises) as (joining, wall_address, process):
        student, wall = opened(joining), opened(wall_address)
        field = student.get_by_role("textbox", name="Text of your rule")
        expect(student.locator("h1")).to_have_text(TASK)
        expect(wall.locator("h1")).to_have_text(TASK)
        write(student, LAX)
        expect(student.locator("#kept")).to_have_text("kept in this browser")
        student.reload()
        assert "token" not in student.url
        expect(field).to_have_value(LAX)
        wall.keyboard.press("n")
        expect(student.locator("h1")).to_have_text(library.find("anti-king").title)
        expect(wall.locator("#which")).to_contain_text("Exercise 2 of 2")
        expect(field).not_to_have_value(LAX)
        write(student, STRICT)
        wall.get_by_role("button", name="Previous exercise").click()
        expect(student.locator("h1")).to_have_text(TASK)
        expect(field).to_have_value(LAX)
        wall.keyboard.press("t")
        assert violations(wall) == []
        wall.get_by_role("button", name="5 minutes", exact=True).click()
        expect(student.locator("#left")).to_have_text(re.compile(r"^(4:5\d|5:00) left$"))
        assert "token" not in wall.url
        wall.reload()
        expect(wall.locator("h1")).to_have_text(TASK)
        process.terminate()
        expect(wall.locator("#trouble")).to_contain_text("the server does not answer")
        assert "stale" in wall.locator("main").get_attribute("class")
        assert violations(wall) == []
        expect(student.locator("#kept")).to_contain_text("the server does not answer")


def test_mistakes_are_marked_while_typing(opened, exercises):
    with a_class(*exercises) as (joining, _, _):
        student = opened(joining)
        gutter, findings = student.locator(".gutter"), student.locator("#findings")
        write(student, WRONG)
        expect(gutter).to_contain_text("✗2")
        expect(findings).to_contain_text("Line 2:")
        expect(student.locator(".editor .wrong-error")).to_be_visible()
        write(student, ":- a(R,C,N), D > N.\n")
        expect(findings).to_contain_text("unsafe variable: D")  # in the words of the server
        expect(student.locator(".editor .wrong-error")).to_have_text("D")
        student.get_by_role("button", name="Check").click()
        outcome = student.locator("#outcome")
        expect(outcome).to_contain_text("Not yet a rule")
        expect(outcome.locator("u")).to_have_text("D")
        assert violations(student) == []
        write(student, RIGHT)
        assert "stale" in outcome.get_attribute("class")
        expect(gutter).not_to_contain_text("✗")
        student.get_by_role("button", name="Check").click()
        expect(outcome).to_contain_text("No mistake found")


def test_a_right_rule_is_a_brick_of_the_tower(opened, exercises):
    with a_class(*exercises) as (joining, _, _):
        student = opened(joining)
        own = student.locator(".brick.own")
        hand_in(student, RIGHT, "Right ✓")
        expect(own).to_contain_text("it holds")
        size = student.locator("#outcome h2").evaluate("each => getComputedStyle(each).fontSize")
        assert size == "48px"
        student.keyboard.press("Tab")
        write(student, LAX)
        expect(own).not_to_contain_text("it holds")
        hand_in(student, LAX, "Too lax")
        expect(student.locator("#outcome .ring")).to_have_count(2)


def test_hints_are_shown_one_by_one(opened, exercises):
    with a_class(*exercises) as (joining, _, _):
        student = opened(joining)
        shown = student.locator("#hints li")
        for number, hint in enumerate(HINTS, 1):
            student.get_by_role("button", name=f"Hint {number} of 2").click()
            expect(shown).to_have_count(number)
            expect(shown.last).to_have_text(hint)
        expect(student.get_by_role("button", name="No more hints")).to_be_visible()
        assert violations(student) == []


def test_an_exercise_by_keyboard(opened, exercises):
    with a_class(*exercises) as (joining, _, _):
        student = opened(joining)
        expect(student.locator("h1")).to_have_text(TASK)
        student.keyboard.press("Tab")
        student.keyboard.press("ArrowRight")
        expect(student.locator("#atom")).to_have_text("a(2,4,1)")
        student.keyboard.press("Tab")
        expect(student.get_by_role("textbox")).to_be_focused()
        student.keyboard.press("Control+a")
        student.keyboard.insert_text(LAX)
        student.keyboard.press("Control+Enter")
        expect(student.locator("#outcome")).to_contain_text("No mistake found")
        student.keyboard.press("Tab")
        student.keyboard.press("Tab")
        student.keyboard.press("Enter")
        expect(student.locator("#outcome h2")).to_have_text("Too lax")
        expect(student.get_by_role("button", name="Hand in")).to_be_focused()


def test_the_wall_by_keyboard(opened, exercises):
    with a_class(*exercises) as (joining, wall_address, _):
        hand_in(opened(joining), LAX, "Too lax")
        wall = opened(wall_address)
        card = wall.locator(".group-too-lax")
        expect(card).to_be_visible()
        wall.keyboard.press("j")
        dialog = wall.get_by_role("dialog")
        expect(dialog).to_contain_text("1 have joined")
        wall.keyboard.press("j")
        expect(dialog).to_have_count(0)
        for _ in range(12):
            if not card.evaluate("each => each === document.activeElement"):
                wall.keyboard.press("Tab")
        expect(card).to_be_focused()
        wall.keyboard.press("Enter")
        expect(wall.get_by_role("button", name="Back to the wall")).to_be_focused()
        wall.keyboard.press("Escape")
        expect(card).to_be_focused()


def test_a_class_guesses_a_rule(opened):
    """The wall shows the votes, and the rules that are left."""
    with a_class("--exercise", "anti-knight") as (joining, wall_address, _):
        wall, student = opened(wall_address), opened(joining, PHONE)
        expect(student.locator("h1")).to_be_visible()
        wall.keyboard.press("g")
        assert violations(wall) == []
        wall.get_by_role("button", name="Start").click()
        expect(student.get_by_role("heading", name="Is this grid allowed?")).to_be_visible()
        vote = student.get_by_role("button", name="Not allowed")
        assert vote.bounding_box()["height"] > 60
        assert student.evaluate(RECTANGLE, ".vote-buttons")
        vote.click()
        expect(vote).to_have_attribute("aria-pressed", "true")
        assert violations(student) == []
        expect(wall.locator(".game .kinds .number").last).to_have_text("1")
        for width, height in SIZES[:3]:
            wall.set_viewport_size({"width": width, "height": height})
            assert violations(wall) == []
            assert extent(wall) == [width, height]
        left = int(wall.locator(".game h2 b").inner_text())
        assert left == wall.locator(".rules li:not(.out)").count()
        wall.get_by_role("button", name="Reveal, next grid").click()
        expect(wall.locator(".before figcaption", has_text="(0 : 1)")).to_be_visible()
        assert int(wall.locator(".game h2 b").inner_text()) < left
        more = wall.get_by_role("button", name="Reveal, next grid")
        while more.count():
            shown = wall.locator(".before figure").count()
            more.click()
            expect(wall.locator(".before figure")).to_have_count(min(shown + 1, 8))
        for page in (wall, student):
            expect(page.locator("#game, #vote").locator("visible=true")).to_contain_text("left")
            assert violations(page) == []
        assert wall.evaluate(RECTANGLE, ".before")
        join = opened(joining)  # one more has joined
        expect(wall.locator("#which")).to_contain_text("2 joined")
        expect(join.locator("#vote h2")).to_have_text(wall.locator("h1").inner_text())
        wall.get_by_role("button", name="End the game").click()
        expect(student.get_by_role("textbox", name="Text of your rule")).to_be_visible()
        expect(wall.locator("#sum")).to_be_visible()


def test_who_has_no_code_is_asked_for_it(opened, exercises):
    with a_class(*exercises) as (joining, wall_address, _):
        address, code = joining.split("?token=")
        page = opened(address, PHONE)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert violations(page) == []
        page.get_by_label("Join code").fill("wrong")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("This is not the join code.")
        assert violations(page) == []
        page.get_by_label("Join code").fill(code.upper())
        page.keyboard.press("Enter")
        expect(page.locator("h1")).to_have_text(TASK)
        page.goto(wall_address.replace("token=", "token=x"))
        expect(page.get_by_role("alert")).to_be_visible()


def test_the_pages_load_nothing_that_is_missing(opened, exercises):
    with a_class(*exercises) as (joining, wall_address, _):
        page = opened("about:blank")
        missing = []
        page.on("response", lambda answer: answer.status == 404 and missing.append(answer.url))
        for address in (joining, wall_address):
            page.goto(address)
            expect(page.locator("h1")).to_have_text(TASK)
        assert missing == []
