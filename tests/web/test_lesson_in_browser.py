"""The lesson in Chromium: every scene in view, keys, notes, answers of clingo, one file, the sheet.

Skipped without the extra `aspdoku[browser]` or without Chromium.
"""

import re

import pytest
from lesson_data import FIVES, KNIGHT, lesson

import aspdoku
from aspdoku.lesson import computed, lesson_file, parse_lesson
from aspdoku.lesson import lesson as read_lesson
from aspdoku.web.lesson_page import lesson_data, lesson_handout, lesson_sheet

sync_api = pytest.importorskip("playwright.sync_api", reason="needs aspdoku[browser]")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs aspdoku[browser]")
pytestmark = pytest.mark.slow
SIZES = [(1024, 768), (1280, 720), (1920, 1080)]
DARK = "rgb(20, 22, 26)"
PHONE = {"width": 390, "height": 844}
PARTS = (
    ".sentence, .verdict, .brick, .tag, aspdoku-slide, .difference, .quotation, .board-frame,"
    " .gridwall, .costs, .cost, .ask, .asked, .opts .btn, .answer, .rail, .dots button, .join"
)
# What is not in the window, whether anything scrolls, and what covers what.
LOOK = f"""() => {{
    const wrong = [];
    const {{scrollWidth, scrollHeight}} = document.documentElement;
    if (scrollWidth > innerWidth || scrollHeight > innerHeight) wrong.push("the page scrolls");
    for (const element of document.querySelectorAll("{PARTS}")) {{
        if (!element.checkVisibility()) continue;
        const {{left, top, right, bottom, width, height}} = element.getBoundingClientRect();
        const isAcross = left > -1 && right < innerWidth + 1 && width;
        const isDown = top > -1 && bottom < innerHeight + 1 && height;
        if (!isAcross || !isDown) wrong.push(element.getAttribute("class") || element.tagName);
        const {{scrollHeight, clientHeight}} = element;
        const isText = element.matches("aspdoku-slide, .difference");
        if (isText && scrollHeight > clientHeight + 1) wrong.push("a text scrolls");
    }}
    const place = name => document.querySelector(name).getBoundingClientRect();
    for (const name of [".desk", ".ask", ".boardbox", ".towerbox"]) {{
        if (place(name).bottom > place(".rail").top + 1) wrong.push(`${{name}} covers the rail`);
    }}
    const [desk, ask] = [".desk", ".ask"].map(place);
    if (ask.height && desk.bottom > ask.top + 1) wrong.push("the text covers the question");
    return wrong;
}}"""


@pytest.fixture
def opened(browser, tmp_path):
    from lesson_window import opening

    yield from opening(browser, tmp_path)


def expect(page, selector, text):
    sync_api.expect(page.locator(selector)).to_contain_text(text)


def address(page):
    return page.evaluate("location.hash")


def addresses(data):
    return [
        f"#{index + 1}" + (f".{scene}" if scene else "")
        for index, step in enumerate(data["steps"])
        for scene in range(len(step["scenes"]))
    ]


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_scene_is_in_view_forwards_and_backwards(size, opened):
    data = lesson()
    width, height = size
    page = opened(data, width=width, height=height)
    wrong = {"#1": page.evaluate(LOOK)}
    room = "e => [[e.offsetTop, e.offsetHeight], e.closest('.dense') !== null]"
    rooms = {"#1": [page.locator(".ask").evaluate(room)]}
    for place in addresses(data)[1:]:
        press(page, "ArrowRight")
        assert address(page) == place
        wrong[place] = page.evaluate(LOOK)
        step = place.partition(".")[0]
        rooms.setdefault(step, []).append(page.locator(".ask").evaluate(room))
    press(page, "ArrowRight")
    assert address(page) == addresses(data)[-1]
    for place in reversed(addresses(data)[:-1]):
        press(page, "ArrowLeft")
        assert address(page) == place
        wrong[f"back {place}"] = page.evaluate(LOOK)
    assert {place: found for place, found in wrong.items() if found} == {}
    # Nothing moves when an answer or a brick comes, unless a text needs the room.
    for step, found in rooms.items():
        of_kind = {dense: [each for each, kind in found if kind == dense] for _, dense in found}
        assert all(each == of_kind[dense][0] for each, dense in found), (step, found)


def test_a_phone_shows_every_scene_without_scrolling_sideways(opened):
    data = lesson()
    page = opened(data, **PHONE, has_touch=True)
    for place in addresses(data)[1:]:
        page.get_by_role("button", name="On", exact=True).tap()
        assert address(page) == place
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"], place
        rail = page.locator(".rail").bounding_box()
        assert rail["y"] + rail["height"] <= PHONE["height"] + 1, place  # it stays in view
        if "." not in place:
            assert page.evaluate("scrollY") == 0, place
        page.evaluate("scrollTo(0, 200)")
    page.get_by_role("button", name="3. The box").tap()
    expect(page, ".verdict", "576 solutions")


def test_keys_and_dots_lead_to_steps(opened):
    page = opened(lesson())
    press(page, "PageDown", "Space")
    assert address(page) == "#2"
    press(page, "PageUp")
    assert address(page) == "#1.1"
    press(page, "End")
    assert address(page) == "#10"
    press(page, "Home")
    assert address(page) == "#1"
    page.get_by_role("button", name="7. Taking back").click()
    expect(page, ".sentence", "Taking a rule back")
    assert page.locator("[aria-current=step]").inner_text().split() == ["7", "Taking", "back"]
    press(page, "?")
    expect(page, "dialog[open]", "the join code, large")
    press(page, "Escape", "j")
    expect(page, "dialog[open]", "4K7M")
    press(page, "j")
    assert page.locator("dialog[open]").count() == 0
    press(page, "d")
    sync_api.expect(page.locator("body")).to_have_css("background-color", DARK)
    with page.context.expect_page() as wall:
        press(page, "w")
    wall.value.wait_for_url("**/wall")


def test_an_address_is_that_of_a_scene(opened):
    """When it is loaded again, and for the back key of the browser."""
    page = opened(lesson(), "#3.1")
    expect(page, ".verdict", "288 solutions")
    expect(page, ".answer.current", "Half of them")
    assert page.locator(".gridwall .dead").count() == 288
    page.reload()
    expect(page, ".verdict", "288 solutions")
    press(page, "ArrowRight")
    expect(page, ".sentence", "every size")
    page.go_back()
    expect(page, ".answer.current", "Half of them")
    page.go_forward()
    expect(page, ".sentence", "every size")
    page.evaluate("location.hash = '#99'")
    expect(page, ".sentence", "eight sums")


def test_the_wall_of_all_grids_thins(opened):
    page = opened(lesson(), "#3")
    assert page.locator(".gridwall g").count() == 576
    assert page.locator(".gridwall .dead").count() == 0
    press(page, "ArrowRight")
    assert page.locator(".gridwall .dead").count() == 576 - 288
    expect(page, ".legend", "was 576")
    expect(page, ".brick.drop", "box")


def test_a_hook_is_answered_by_clingo_and_the_scene_comes_back(opened):
    page = opened(lesson(), "#3.1")
    page.locator(".slide-hook", has_text="not ab(box)").first.click()
    expect(page, ".verdict", "576 solutions")
    sync_api.expect(page.locator(".gridwall .dead")).to_have_count(0)
    sync_api.expect(page.locator(".tag[data-atom='ab(box)']")).to_be_visible()
    press(page, "ArrowRight")
    assert address(page) == "#3.1"
    expect(page, ".verdict", "288 solutions")
    assert page.locator(".tag").count() == 0
    assert page.locator(".gridwall .dead").count() == 288
    page.get_by_role("switch", name="Rule box").click()
    expect(page, ".verdict", "576 solutions")
    press(page, "Escape")
    expect(page, ".verdict", "288 solutions")


def test_a_constraint_shows_a_grid_that_it_forbids(opened):
    page = opened(lesson(), "#7")
    page.locator(".slide-forbids").last.click()
    expect(page, ".verdict", "Forbidden")
    assert page.locator(".ring, .tint-bad").count()
    press(page, "ArrowRight")
    assert address(page) == "#7"
    expect(page, ".verdict", "1 solution")
    assert page.locator(".ring, .tint-bad").count() == 0


def test_what_a_retraction_changes_is_shown(opened):
    page = opened(lesson(), "#7.1")
    before, after = (
        aspdoku.candidates(KNIGHT, without=without).candidates for without in ((), ("box",))
    )
    came = sum(
        len({*new} - {*old})
        for rows in zip(before, after, strict=True)
        for old, new in zip(*rows, strict=True)
    )
    expect(page, ".legend", f"was 1 · {came} candidates came")
    assert page.locator(".digits .came").count() == came
    press(page, "ArrowLeft", "ArrowRight")
    expect(page, ".legend", f"was 1 · {came} candidates came")


def test_a_solution_a_witness_and_marks_are_on_the_board(opened):
    page = opened(lesson(), "#4.1")
    sync_api.expect(page.locator(".digits text")).to_have_count(256)
    press(page, "ArrowRight", "ArrowRight")
    assert page.locator(".tint-reach").count() == 8
    assert page.locator(".tint-extra").count() == 4
    assert page.locator(".board .from").text_content() == "♞"
    press(page, "ArrowRight")
    assert page.locator(".digits text").count() == 16
    assert page.locator(".ring-bad").count() == 3  # two rings, and a line
    page = opened(lesson(), "#6.2")
    assert page.locator("circle.ring-exception").count() >= 2
    solution = [number for row in aspdoku.solve(FIVES).solution.rows for number in row]
    label = page.locator("aspdoku-board").get_attribute("aria-label")
    assert [int(each) for each in label.partition(": ")[2].replace(";", "").split()] == solution


def test_the_clue_that_is_false_has_a_tag(opened):
    page = opened(lesson(), "#10.1")
    expect(page, "[data-name=killer] .tag", "ab(killer,")
    assert page.locator(".slide-rule").count() == 2
    assert page.locator(".slide-fold").count() == 0


def test_bars_lead_to_statements(opened):
    page = opened(lesson(), "#8.2")
    page.get_by_role("button", name="anti-knight", exact=True).click()
    page.get_by_role("button", name="Clauses for a SAT solver").click()
    expect(page, ".panel:not([hidden])", "2016 statements added")
    assert page.locator(".statements .gain").count() == 40
    expect(page, ".statements", "1,976 more")
    assert page.evaluate(LOOK) == []
    press(page, "Escape")
    expect(page, ".difference", "N=1..9 } 1 :- X=1..9")
    assert not page.locator(".panel").is_visible()


def test_notes_are_in_a_window_that_follows(opened):
    page = opened(lesson(), "#2")
    with page.context.expect_page() as other:
        press(page, "n")
    notes = other.value
    expect(notes, ".notes", "05–10 min")
    expect(notes, ".notes", "of 60 · 0 min gone")
    expect(notes, ".notes", "→ the answer")
    sync_api.expect(notes.locator("body")).to_have_css("background-color", DARK)
    press(page, "ArrowRight")
    expect(notes, ".notes", "→ The box: Sudoku is an addition")
    press(notes, "ArrowRight")
    expect(page, ".sentence", "Sudoku is an addition")
    expect(notes, "h1", "3. The box")
    page.reload()
    press(page, "n")
    expect(notes, "h1", "3. The box")
    press(page, "ArrowRight", "ArrowRight")
    expect(notes, "h1", "4. Any size")
    with notes.expect_event("close"):
        press(page, "n")


def test_notes_are_in_a_panel_if_windows_are_blocked(opened):
    page = opened(lesson(), "#2", script="window.open = () => null")
    press(page, "n", "ArrowRight")
    expect(page, ".notes-panel", "→ The box: Sudoku is an addition")
    press(page, "n")
    assert not page.locator(".notes-panel").is_visible()


def test_one_file_needs_no_network(opened):
    data = lesson()
    page = opened(data, "#3.1", file=lesson_handout)
    page.locator(".slide-hook", has_text="not ab(box)").first.click()
    expect(page, ".verdict", "576 solutions")
    press(page, "Home")
    for place in addresses(data)[1:]:
        press(page, "ArrowRight")
        assert address(page) == place
    assert not page.locator(".join").is_visible()
    with page.context.expect_page() as other:
        press(page, "n")
    expect(other.value, "h1", "10. The liar")
    sync_api.expect(other.value.locator("body")).to_have_css("background-color", DARK)
    press(page, "?")
    expect(page, "dialog[open]", "clingo, under the MIT License")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_scene_is_accessible(scheme, opened):
    data = lesson()
    page = opened(data, color_scheme=scheme)
    found = {}
    for place in addresses(data):
        response = axe.Axe().run(page).response
        found[place] = [
            (violation["id"], node["target"])
            for violation in response["violations"]
            for node in violation["nodes"]
        ]
        press(page, "ArrowRight")
    assert {place: wrong for place, wrong in found.items() if wrong} == {}


def test_each_option_can_be_chosen_before_the_answer(opened):
    page = opened(lesson(), "#3")
    option = page.get_by_role("button", name="144")
    option.click()
    sync_api.expect(option).to_have_attribute("aria-pressed", "true")
    press(page, "ArrowRight")
    expect(page, ".opts .right", "✓ 288")
    expect(page, ".ask [role=status]", "Half of them: 288.")


SMALL = "1... ..3. .4.. 2..."
SMALL_LESSON = """---
title: A small lesson
minutes: 4
exercise: anti-king
---

# Taking back {1 min}

The box goes.

```aspdoku
puzzle: four.txt
code: box
expect: 1
```

? What do you write?

- [ ] `ab(row).`
- [x] `ab(box).`

> A fact: there are {count} grids now.

```aspdoku reveal
fact: ab(box).
show: changes
expect: 2
```

# An exception {1 min}

Ones may touch.

```aspdoku
puzzle: four.txt
add: anti-king
code: anti-king
mark: anti-king r2c3 ♚
```

```aspdoku reveal
fact: ab(anti_king,1).
```

# My own {1 min}

A rule of this folder.

```aspdoku
puzzle: four.txt
```

> It forbids all.

```aspdoku reveal
add: ./mine.lp
code: ./mine.lp
expect: 0
```

# Stricter {1 min}

It also forbids the step of two.

```aspdoku
size: 4
add: box
code: ./mine.lp
```

```aspdoku reveal
fact: ab(row).
compare: ./mine.lp anti-king
expect: different
```
"""
MINE = "% No one in the corner.\n:- a(1,1,1), not ab(mine).\n"


@pytest.fixture
def small(tmp_path):
    """The data of a small lesson, from its file."""
    (tmp_path / "four.txt").write_text(SMALL, "utf-8")
    (tmp_path / "mine.lp").write_text(MINE, "utf-8")
    return lesson_data(computed(parse_lesson(SMALL_LESSON, tmp_path, "small.md")))


def test_a_small_lesson_from_its_file(small, opened):
    """A question, a retraction, an exception, a rule of its folder, a comparison."""
    assert aspdoku.count(SMALL, without="box").count == 2
    page = opened(small)
    assert page.evaluate(LOOK) == []
    press(page, "ArrowRight")
    expect(page, ".verdict", "2 solutions")
    expect(page, ".opts .right", "✓ ab(box).")
    expect(page, ".answer.current", "there are 2 grids now")
    expect(page, "[data-name=box] .tag", "ab(box).")
    expect(page, ".slide-mark >> nth=0", "retracted")
    press(page, "ArrowRight")
    # Cells that touch r2c3, and not its row and column, in which numbers differ anyway.
    assert page.locator(".tint-reach").count() == 4
    press(page, "ArrowRight")
    expect(page, ".slide-mark", "except 1")
    press(page, "ArrowRight", "ArrowRight")
    expect(page, ".verdict", "No solution")
    expect(page, "[data-name=mine] .say", "No one in the corner")
    expect(page, "aspdoku-slide", "a(1,1,1)")
    press(page, "ArrowRight", "ArrowRight")
    expect(page, ".verdict", "Different, given column and box.")
    expect(page, ".legend", "from anti-king, which")
    sync_api.expect(page.locator(".verdict")).not_to_have_attribute("data-state", "none")


def test_notes_say_what_comes_and_keys_what_works(small, opened):
    page = opened(small, file=lesson_handout, script="window.open = () => null")
    press(page, "n")
    expect(page, ".notes-panel", "→ the answer, the tag ab(box)., 1 becomes 2")
    press(page, "End", "?")
    expect(page, "dialog[open]", "notes in a second window")
    assert "wall" not in page.locator("dialog[open] .keys").inner_text()
    assert "join" not in page.locator("dialog[open] .keys").inner_text()


def test_a_given_stays_readable_where_a_cell_is_marked(small, opened):
    page = opened(small, "#2")
    assert page.locator(".board .from").text_content() == "♚"
    (right, low), (x, y) = page.evaluate(
        """() => {
            const number = [...document.querySelectorAll(".digits text")]
                .find(({textContent}) => textContent === "3").getBoundingClientRect();
            const sign = document.querySelector(".board .from").getBoundingClientRect();
            const middle = [number.left + number.width / 2, number.top + number.height / 2];
            return [[sign.right, sign.bottom], middle];
        }"""
    )
    assert right < x
    assert low < y


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_sheet_fits_on_paper(paper, opened):
    page = opened(lesson(), file=lesson_sheet, color_scheme="dark")
    sheets = page.locator(".sheet-page").count()
    printed = page.pdf(format=paper, print_background=True, prefer_css_page_size=False)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == sheets
    tasks = [step for step in lesson()["steps"] if step["question"]]
    for kind in ("questions", "answers"):
        assert page.locator(f"[data-kind={kind}] .task").count() == len(tasks)
    overfull = "e => e.filter(each => each.scrollHeight > each.clientHeight + 1).length"
    assert page.locator(".sheet-page").evaluate_all(overfull) == 0
    assert "✓" not in page.locator("[data-kind=questions]").first.inner_text()
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.sheet-page')).color")
        == "rgb(20, 22, 26)"
    )
    assert [each["id"] for each in axe.Axe().run(page).response["violations"]] == []


@pytest.mark.parametrize("name", ["hour", "fifteen"])
def test_a_bundled_lesson_needs_no_network_and_is_printed(name, opened):
    data = lesson_data(read_lesson(lesson_file(name)))
    page = opened(data, file=lesson_handout)
    places = addresses(data)
    wrong = {places[0]: page.evaluate(LOOK)}
    for place in places[1:]:
        press(page, "ArrowRight")
        assert address(page) == place
        wrong[place] = page.evaluate(LOOK)
    for place in reversed(places[:-1]):
        press(page, "ArrowLeft")
        assert address(page) == place
        wrong[f"back {place}"] = page.evaluate(LOOK)
    assert {place: found for place, found in wrong.items() if found} == {}
    sheet = opened(data, file=lesson_sheet)
    for paper in ("A4", "Letter"):
        printed = sheet.pdf(format=paper, print_background=True, prefer_css_page_size=False)
        pages = len(re.findall(rb"/Type\s*/Page\b", printed))
        assert pages == sheet.locator(".sheet-page").count()
