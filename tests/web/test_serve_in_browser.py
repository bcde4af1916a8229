"""`aspdoku serve` in Chromium: the live page with the answers of the server.

Skipped without the extras `aspdoku[browser,web]` or without Chromium.
"""

import re

import pytest
from serving import needs_flask, served

import aspdoku
from aspdoku.program import library

sync_api = pytest.importorskip("playwright.sync_api", reason="needs aspdoku[browser]")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs aspdoku[browser]")
pytestmark = [pytest.mark.slow, needs_flask]
expect = sync_api.expect
LONG = 120_000  # milliseconds: these tests run on busy machines, too
SMALL = "1... ..3. .4.. 2..."
# Another text of the rule anti-knight, and one that forbids half of what it does.
RIGHT = library.find("slides/anti-knight-distance").text
LAX = "% Lax.\n#defined ab/1.\n:- a(R,C,N), a(R+1,C+2,N), not ab(my_rule).\n"
WRONG = "% Wrong.\n:- a(R,C,N), a(R+1,C+2,N), not ab(my_rule.\n"
SCRIPT = "<img src=x onerror='hacked=1'><script>hacked=1</script>"


@pytest.fixture
def window(browser):
    """A window whose page must not have errors."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.set_default_timeout(LONG)
    expect.set_options(timeout=LONG)
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


@pytest.fixture(scope="module")
def live():
    with served("example:anti-knight", "--time-limit-each", 60) as (_, port, token):
        yield f"http://127.0.0.1:{port}/?token={token}"


def more(page, name):
    """Press a button of the drawer."""
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name=name, exact=True).click()


def violations(page):
    return [violation["id"] for violation in axe.Axe().run(page).response["violations"]]


def width_of(page):
    return page.evaluate("document.documentElement.scrollWidth")


def test_the_live_page_answers_and_is_accessible(window, live):
    window.goto(live)
    verdict = window.locator(".verdict")
    expect(verdict).to_contain_text("1 solution")
    more(window, "Write a brick")
    editor = window.get_by_role("textbox", name="Text of your rule")
    answer = window.get_by_role("region", name="Own rule").locator(".words")
    editor.fill(WRONG)
    expect(window.locator(".gutter")).to_contain_text("✗2")
    window.get_by_role("button", name="Check", exact=True).click()
    expect(answer).to_contain_text("finding")
    expect(window.locator(".findings")).to_contain_text("Line 2:")
    window.get_by_label("Rule to compare with").select_option("anti-knight")
    editor.fill(RIGHT)
    window.get_by_role("button", name="Compare").click()
    expect(answer).to_contain_text("the same")
    assert answer.locator("svg").count() == 0
    window.locator("[data-name=base] .name").click()
    for rule in ("row", "column"):
        window.locator("aspdoku-slide .slide-hook", has_text=f"not ab({rule})").first.click()
    window.locator("[data-name=my-rule] .name").click()
    window.get_by_role("button", name="Compare").click()
    expect(answer).to_contain_text("my-rule is stricter than anti-knight")
    expect(answer).to_contain_text("without row and column")
    editor.fill(LAX)
    window.get_by_role("button", name="Compare").click()
    expect(answer.locator("svg").first).to_be_visible()
    assert violations(window) == []
    assert width_of(window) <= 1280


def test_the_server_is_asked_about_mistakes(window, live):
    """Its words replace those of the page, also about a rule in which that finds nothing, or
    that is stopped.
    """
    window.goto(live)
    expect(window.locator(".verdict")).to_contain_text("1 solution")
    more(window, "Write a brick")
    editor = window.get_by_role("textbox", name="Text of your rule")
    for text in (
        ":- a(R,C,N), N > M.\n",
        ":- a(R,C,N), a(R+1,C+2,M).\n",
        "endless(1).\nendless(f(X)) :- endless(X).\n",
    ):
        editor.fill(text)
        finding, *_ = aspdoku.check(aspdoku.RuleFile.from_text("my-rule", text)).findings
        words = finding.text.partition(": ")[2]  # without the time limit
        expect(window.locator(".findings")).to_contain_text(words)
        expect(window.locator(".findings")).to_contain_text(f"Line {finding.line}:")


def test_why_and_hint(window, live):
    """The server's steps and cells, for the numbers that were entered."""
    window.goto(live)
    verdict, words = window.locator(".verdict"), window.locator(".reasons .words")
    expect(verdict).to_contain_text("1 solution")
    puzzle = aspdoku.read("example:anti-knight")
    column = next(column for column in range(1, 10) if not puzzle[1, column])
    number = aspdoku.solve(puzzle).solution[1, column]
    cell = window.get_by_role("gridcell", name=f"row 1, column {column}:")
    cell.focus()
    window.keyboard.press("c")
    expect(cell).to_have_attribute("aria-label", re.compile(f"candidates {number}$"))
    more(window, "Why?")
    expect(words).to_contain_text(f"Why r1c{column}={number}?")
    expect(words).to_contain_text(f"r1c{column}={number}:")
    window.keyboard.press("Escape")
    cell.focus()
    window.keyboard.press(str(number))
    expect(cell).to_have_attribute("aria-label", re.compile("entered"))
    more(window, "Hint")
    entries = puzzle.replace(
        grid=[
            [number if (r, c) == (1, column) else puzzle[r, c] for c in range(1, 10)]
            for r in range(1, 10)
        ]
    )
    expect(words).to_contain_text(str(aspdoku.hint(puzzle, entries)).split("\n")[0])
    assert violations(window) == []


def test_guess_the_rule(window, live):
    """The server is not asked."""
    window.goto(live)
    expect(window.locator(".verdict")).to_contain_text("1 solution")
    window.context.set_offline(True)
    more(window, "Guess the rule")
    game = window.get_by_role("dialog", name="Guess the rule")
    game.get_by_label("Who answers?").select_option("anti-knight")
    game.get_by_role("button", name="Start").click()
    for number in range(1, 20):
        answer = game.get_by_role("button", name="Next")
        expect(game).to_contain_text(re.compile(f"Question {number}:|that fits"))
        if not answer.count():
            break
        expect(answer).to_be_focused()
        expect(game).to_contain_text(re.compile("anti-knight (allows|forbids) it"))
        window.keyboard.press("Enter")
    expect(game).to_contain_text("Cells a chess knight's move apart contain different numbers.")
    expect(game.get_by_role("region")).to_contain_text("not ab(anti_knight)")
    with window.expect_download() as download:
        game.get_by_role("button", name="Save .lp").click()
    assert download.value.path().read_text("utf-8") == library.find("anti-knight").text
    game.get_by_label("Who answers?").select_option("I do")
    game.get_by_role("button", name="Start").click()
    expect(game.get_by_role("button", name="Not allowed")).to_be_visible()
    assert violations(window) == []


def test_the_live_page_without_its_server(window, live):
    """Solving goes on; what needs Python says why it is not answered."""
    window.goto(live)
    verdict = window.locator(".verdict")
    expect(verdict).to_contain_text("1 solution")
    window.context.set_offline(True)
    window.get_by_role("switch", name="Rule anti-knight", exact=True).click()
    expect(verdict).to_contain_text("more than 1,000 solutions")
    more(window, "Explain")
    expect(window.locator(".reasons .words")).to_contain_text("the server does not answer")


DROP = """([name, text]) => {
    const data = new DataTransfer();
    if (name) data.items.add(new File([text], name));
    else data.setData("text", text);
    document.querySelector(".board").dispatchEvent(
        new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
}"""
PASTE = """([target, text]) => {
    const data = new DataTransfer();
    data.setData("text", text);
    document.querySelector(target).dispatchEvent(
        new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
}"""


def test_a_puzzle_is_pasted_or_dropped(window, live):
    """A text that is no puzzle is reported; what is pasted into the editor is not a puzzle."""
    window.goto(live)
    title, verdict = window.locator("h1").first, window.locator(".verdict")
    expect(verdict).to_contain_text("1 solution")
    for number, (script, target) in enumerate(
        [(PASTE, "[role=gridcell]"), (DROP, "grid.txt"), (DROP, "")]
    ):
        window.evaluate(script, [target, f"title: Puzzle {number}\n{SMALL}"])
        expect(title).to_have_text(f"Puzzle {number}")
        expect(verdict).to_contain_text("1 solution")
    window.evaluate(PASTE, ["[role=gridcell]", "not a puzzle"])
    expect(window.locator(".reasons .words")).to_contain_text(re.compile(r"\w"))
    expect(title).to_have_text("Puzzle 2")
    window.evaluate(PASTE, ["[aria-label='Text of your rule']", f"title: Wrong\n{SMALL}"])
    window.wait_for_timeout(300)
    expect(title).to_have_text("Puzzle 2")


def test_the_page_loads_nothing_that_is_missing(window, live):
    missing = []
    window.on("response", lambda answer: answer.status == 404 and missing.append(answer.url))
    window.goto(live, wait_until="networkidle")
    assert missing == []


def test_text_in_a_puzzle_is_not_run(window, live):
    window.goto(live)
    expect(window.locator(".verdict")).to_contain_text("1 solution")
    file = {"name": "grid.txt", "mimeType": "text/plain"}
    file["buffer"] = f"title: {SCRIPT}\n{SMALL}".encode()
    window.get_by_title("Open another puzzle").click()
    window.get_by_label("Open a file").set_input_files(file)
    expect(window.locator("h1").first).to_have_text(SCRIPT)
    expect(window.locator(".verdict")).to_contain_text("1 solution")
    assert window.evaluate("typeof hacked") == "undefined"


@pytest.mark.parametrize("classroom", [False, True])
def test_a_link_contains_no_token(classroom, browser):
    """The browser that has opened the page keeps the token, others are asked for it."""
    with (
        served(SMALL, *["--class"] * classroom) as (_, port, token),
        browser.new_context() as context,
        browser.new_context() as elsewhere,
    ):
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{port}/?token={token}")
        page.get_by_role("switch", name="Rule box", exact=True).click()
        expect(page.locator("aspdoku-tower .tag")).to_have_text("ab(box).")
        assert token not in page.url
        more(page, "Link")
        field = page.get_by_role("textbox", name="Link")
        expect(field).to_be_visible()
        link = field.input_value()
        assert link.startswith(f"http://127.0.0.1:{port}/#s=")
        page.goto("about:blank")
        page.goto(link)
        expect(page.locator("aspdoku-tower .tag")).to_have_text("ab(box).")
        assert token not in page.url
        other = elsewhere.new_page()
        other.goto(link)
        for entered in ("wrong", token):
            other.get_by_role("textbox").fill(entered)
            other.keyboard.press("Enter")
            if entered == "wrong":
                expect(other.get_by_role("alert")).to_contain_text("This is not the")
                assert violations(other) == []
        expect(other.locator("aspdoku-tower .tag")).to_have_text("ab(box).")


FOCUSED = """() => {
    const focused = document.activeElement;
    const styles = [focused, focused.closest(".editor")].filter(Boolean).map(getComputedStyle);
    const visible = styles.some(style => style.outlineStyle + style.boxShadow !== "nonenone");
    return [focused.ariaLabel || focused.innerText, visible];
}"""


def tab_to(page, name):
    """Press Tab until the element with this accessible name has the focus, which can be seen."""
    for _ in range(200):
        page.keyboard.press("Tab")
        label, visible = page.evaluate(FOCUSED)
        if label.startswith(name):
            assert visible
            return
    pytest.fail(f"Tab does not reach {name}")


def test_the_live_page_by_keyboard(window, live):
    window.goto(live)
    verdict = window.locator(".verdict")
    expect(verdict).to_contain_text("1 solution")
    puzzle = aspdoku.read("example:anti-knight")
    column = next(column for column in range(1, 10) if not puzzle[1, column])
    right = aspdoku.solve(puzzle).solution[1, column]
    tab_to(window, "row 1, column 1:")
    for _ in range(column - 1):
        window.keyboard.press("ArrowRight")
    window.keyboard.press(str(right % 9 + 1))
    expect(verdict).to_contain_text("No solution")
    window.keyboard.press("Delete")
    expect(verdict).to_contain_text("1 solution")
    tab_to(window, "Rule anti-knight")
    window.keyboard.press("Space")
    expect(verdict).to_contain_text("more than 1,000 solutions")
    window.keyboard.press("Space")
    expect(verdict).to_contain_text("1 solution")
    tab_to(window, "More")
    window.keyboard.press("Enter")
    tab_to(window, "Write a brick")
    window.keyboard.press("Enter")
    expect(window.get_by_role("textbox", name="Text of your rule")).to_be_focused()
    window.keyboard.insert_text(WRONG)
    expect(window.locator(".gutter")).to_contain_text("✗2")
    tab_to(window, "Check")
    window.keyboard.press("Enter")
    expect(window.get_by_role("region", name="Own rule")).to_contain_text("1 finding")
