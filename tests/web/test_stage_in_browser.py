"""The stage of the live page in Chromium: what is in view, changes, grids that are forbidden.

Skipped without the extra `aspdoku[browser]` or without Chromium.
"""

import itertools
import re
from operator import ne

import pytest
from live_window import KNIGHT, SMALL

import aspdoku
from aspdoku.formats.detection import examples
from aspdoku.web import page as pages

sync_api = pytest.importorskip("playwright.sync_api", reason="needs aspdoku[browser]")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs aspdoku[browser]")
pytestmark = pytest.mark.slow
EMPTY = ".... .... .... ...."
LATIN_SQUARES = 576  # of 4x4: OEIS A002860
SIZES = [(1024, 768), (1280, 720), (1920, 1080), (390, 844)]
# For each puzzle, and after each switch: what is not in the window, or too small for a pointer.
TOUR = """async puzzles => {
    const {session} = document.querySelector("aspdoku-live").page;
    const wrong = [];
    // The answer is waited for, a while: an answer is longer than the one before. The board and
    // the slide are fitted again after their room has changed.
    const settled = async () => {
        const busy = () => document.querySelector(".verdict[data-state=busy]");
        for (let frame = 0; frame < 4 || (frame < 30 && busy()); frame++) {
            await new Promise(requestAnimationFrame);
        }
    };
    const look = async when => {
        await settled();
        let found = faults(when);
        for (let waits = 0; found.length && waits < 4; waits++) {
            await new Promise(done => setTimeout(done, 500)); // a busy machine draws later
            found = faults(when);
        }
        wrong.push(...found);
    };
    const faults = when => {
        const wrong = [];
        const {scrollWidth, scrollHeight} = document.documentElement;
        const [across, down] = [innerWidth, innerHeight];
        if (scrollWidth > across || scrollHeight > down) wrong.push(`${when}: scrolls`);
        const parts = ".verdict, .tower, .shelf, .brick, .tag, .sw, aspdoku-slide, .board-frame";
        for (const element of document.querySelectorAll(parts)) {
            const {left, top, right, bottom, width, height} = element.getBoundingClientRect();
            const isInside = left > -1 && top > -1 && right < across + 1 && bottom < down + 1;
            if (!isInside || !width || !height) wrong.push(`${when}: ${element.className}`);
        }
        // A target may reach beyond its drawing: what is hit near its middle belongs to it.
        const least = matchMedia("(pointer: coarse)").matches ? 44 : 24;
        const inText = ".slide-hook, .slide-fold, .slide-turn button";
        const targets = ".btn, .sw, .remove, button.tag, .add, .name, .title"
            + (least > 24 ? `, ${inText}` : ""); // with a mouse, as small as letters
        for (const target of document.querySelectorAll(targets)) {
            const {left, top, width, height} = target.getBoundingClientRect();
            const [x, y, far] = [left + width / 2, top + height / 2, least / 2 - 1];
            const isHit = (x, y) => target.contains(document.elementFromPoint(x, y));
            const corners = [[0, -far], [0, far], [-far, 0], [far, 0]];
            const isLarge = corners.every(([dx, dy]) => isHit(x + dx, y + dy));
            const scrolls = target.closest(".slide-high"); // a rule can be too high for a phone
            const {className, textContent} = target;
            if (width && !isLarge && !scrolls) {
                wrong.push(`${when}: small ${className} ${textContent}`);
            }
        }
        const {width, height} = document.querySelector(".board-frame").getBoundingClientRect();
        if (Math.min(width, height) < 0.35 * Math.min(across, down)) wrong.push(`${when}: board`);
        return wrong;
    };
    for (const [name, data] of puzzles) {
        session.show(data);
        await look(name);
        for (const change of document.querySelectorAll(".sw")) {
            const key = change.dataset.key;
            document.querySelector(`[data-key="${key}"]`).click();
            await look(`${name}, ${key}`);
        }
    }
    return wrong;
}"""
SHOWN = """() => [...document.querySelectorAll(".cells [role=gridcell]")]
    .map(cell => /: (\\d+), /.exec(cell.ariaLabel)?.[1] ?? ".")"""


def shown_grid(window):
    """The numbers on the board, row by row."""
    return " ".join(window.page.evaluate(SHOWN))


@pytest.fixture(scope="module")
def bundled():
    return [[name, pages.parts(aspdoku.compose(f"example:{name}"))] for name in examples()]


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "touch"])
@pytest.mark.parametrize(("width", "height"), SIZES, ids=lambda size: str(size))
def test_everything_is_in_view_after_every_switch_of_every_puzzle(
    width, height, touch, opened, bundled
):
    window = opened(SMALL, live=True, width=width, height=height, touch=touch)
    window.verdict("1 solution")
    window.page.emulate_media(reduced_motion="reduce")
    assert window.page.evaluate(TOUR, bundled) == []


def test_a_page_opens_as_a_clean_puzzle(opened):
    window = opened(KNIGHT, live=True)
    window.verdict("1 solution")
    assert window.page.locator(".digits .candidate, .tint, [aria-selected=true]").count() == 0
    assert not window.page.locator(".pad").is_visible()
    givens = aspdoku.compose(KNIGHT).puzzle.givens()
    assert window.page.locator(".digits text").count() == len(givens)


def test_what_a_switch_changes_is_shown(opened):
    """The candidates that are new, as Python finds them, and both numbers of solutions."""
    window = opened(KNIGHT, live=True)
    window.verdict("1 solution")
    window.switch("Rule box")
    window.verdict(f"{aspdoku.count(KNIGHT, without='box').count} solutions")
    before, after = (
        aspdoku.candidates(KNIGHT, without=without).candidates for without in ((), ("box",))
    )
    came = [
        {*new} - {*old}
        for rows in zip(before, after, strict=True)
        for old, new in zip(*rows, strict=True)
    ]
    number = sum(map(len, came))
    window.expect(".legend", f"was 1 · {number} candidates came")
    sync_api.expect(window.page.locator(".digits .came")).to_have_count(0)  # after a while
    assert window.page.locator(".tint-came").count() == len(list(filter(None, came)))
    window.press("Undo")
    window.expect(".legend", f"{number} candidates went")


def test_the_keys_of_the_browser_undo_and_repeat(opened):
    window = opened(SMALL, live=True)
    window.verdict("1 solution")
    window.switch("Rule box")
    window.tag("ab(box)")
    window.cell(1, 2).click()
    window.page.keyboard.press("2")
    sync_api.expect(window.cell(1, 2)).to_have_attribute("aria-label", re.compile("2, entered"))
    window.page.go_back()
    sync_api.expect(window.cell(1, 2)).to_have_attribute("aria-label", re.compile("empty"))
    window.tag("ab(box)")
    window.page.keyboard.press("Escape")
    window.page.keyboard.press("ArrowLeft")
    sync_api.expect(window.page.locator(".tag")).to_have_count(0)
    sync_api.expect(window.page.get_by_role("button", name="Undo")).to_be_disabled()
    window.page.go_forward()
    window.tag("ab(box)")
    window.page.keyboard.press("ArrowRight")
    sync_api.expect(window.cell(1, 2)).to_have_attribute("aria-label", re.compile("2, entered"))


@pytest.mark.parametrize(
    ("selector", "fact"),
    [("[data-key='switch box']", "ab(box)"), (".slide-hook >> nth=0", "ab(row)")],
)
def test_a_press_during_which_an_answer_comes_is_a_click(selector, fact, opened):
    window = opened(SMALL, live=True)
    window.verdict("1 solution")
    window.page.locator("[data-name=base] .name").click()
    hooks = window.page.locator(".slide-hook").all_inner_texts()
    fact = fact if selector.startswith("[") else hooks[0].removeprefix("not ")
    box = window.page.locator(selector).bounding_box()
    window.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    window.page.mouse.down()
    session = "document.querySelector('aspdoku-live').page.session"
    window.page.evaluate(f"{session}.retract('column', true)")
    window.tag("ab(column)")
    window.verdict("solutions")
    sync_api.expect(window.page.locator(".verdict")).not_to_have_attribute("data-state", "busy")
    window.page.mouse.up()
    window.tag(fact)


def test_solutions_are_leafed_through_and_two_that_differ_are_shown(opened):
    window = opened(SMALL, live=True, without="box")
    number = aspdoku.count(SMALL, without="box").count
    window.verdict(f"{number} solutions")
    found = set()
    for index in range(1, number + 1):
        window.press("Leaf ›")
        window.verdict(f"Solution {index} of {number}")
        found.add(shown_grid(window))
    assert len(found) == number
    assert all(aspdoku.count(grid, without="box").count for grid in found)
    window.press("Leaf ›")
    window.verdict(f"{number} solutions")
    window.press("Two that differ")
    window.expect(".verdict", "Two solutions that differ in")
    differing = window.page.locator(".tint-differ").count()
    pairs = itertools.combinations(found, 2)
    assert differing == min(sum(map(ne, one, two)) for one, two in pairs)
    window.verdict(f"differ in {differing} cells")
    assert window.page.locator(".digits text").count() == 16 + differing
    window.page.keyboard.press("Escape")
    window.verdict(f"{number} solutions")


@pytest.mark.parametrize(
    ("source", "brick", "without"),
    [
        (KNIGHT, "anti-knight", "anti-knight"),
        (KNIGHT, "box", "box"),
        ("example:killer", "killer", "killer"),
        (SMALL, "box", "box"),
    ],
)
def test_a_grid_that_a_rule_forbids(source, brick, without, opened):
    """The other rules allow it."""
    window = opened(source, live=True)
    window.verdict("1 solution")
    window.page.locator(f"[data-name={brick}] .name").click()
    for number in range(window.page.locator(".slide-forbids").count()):
        window.page.locator(".slide-forbids").nth(number).click()
        window.verdict("Forbidden")
        program = aspdoku.compose(source)
        rows = [each.split() for each in re.findall(r"(?:\d+ ?)+", shown_grid(window))]
        grid = program.puzzle.replace(
            grid=[
                [int(each) for each in rows[0][start : start + program.puzzle.size]]
                for start in range(0, program.puzzle.size**2, program.puzzle.size)
            ]
        )
        assert aspdoku.count(grid).count == 0
        assert aspdoku.count(grid, without=without).count == 1
        assert window.page.locator(".tint-bad").count() > 0
        window.page.locator(".slide-forbids").nth(number).click()
        window.verdict("1 solution")


def test_numbers_that_contradict_each_other_are_ringed(opened):
    window = opened(KNIGHT, live=True)
    window.verdict("1 solution")
    (row, column), number = next(iter(aspdoku.compose(KNIGHT).puzzle.givens().items()))
    window.cell(row, column + 1).click()
    window.page.keyboard.press(str(number))
    window.verdict("No solution")
    window.expect(".legend", f"r{row}c{column + 1} and r{row}c{column} contradict each other: ")
    window.expect(".legend", "row and box")
    assert window.page.locator(".ring").count() >= 2
    window.page.keyboard.press("Delete")
    window.verdict("1 solution")
    assert window.page.locator(".ring").count() == 0


def test_only_numbers_that_one_rule_forbids_stay_ringed(opened):
    """Without the liar the sums have no solution, so that they are no reason."""
    window = opened("example:liar", live=True)
    window.verdict("1 solution")
    assert aspdoku.read("example:liar")[2, 3] == 3
    window.cell(1, 2).click()
    window.page.keyboard.press("3")
    window.expect(".legend", "r1c2 and r2c3 contradict each other: box")
    sync_api.expect(window.page.locator(".ring")).to_have_count(2)


def test_a_number_that_is_impossible_alone_does_not_contradict_others(opened):
    """The server finds the reason."""
    window = opened("example:killer", live=True, answers={})
    window.verdict("1 solution")
    solution = aspdoku.solve("example:killer").solution
    for (row, column), more in (((1, 1), 0), ((9, 9), 1), ((5, 4), 1)):
        window.cell(row, column).click()
        window.page.keyboard.press(str((solution[row, column] + more - 1) % 9 + 1))
        window.verdict("No solution" if more else "1 solution")
        window.page.wait_for_timeout(1000)
        assert window.page.locator(".ring").count() == 0
    sync_api.expect(window.page.get_by_role("button", name="Find the conflict")).to_be_visible()


def test_the_clue_that_is_false_is_marked_with_the_solution(opened):
    window = opened("example:liar", live=True)
    window.verdict("1 solution")
    assert window.page.locator(".tag, .exempt").count() == 0
    window.press("Show it")
    (exempt,) = re.findall(r"exempt: (.*)", str(aspdoku.solve("example:liar"))) or [""]
    tag = window.page.locator("[data-name=killer] .tag")
    sync_api.expect(tag).to_have_text(re.compile(r'ab\(killer,"\w"\)\.'))
    if exempt:
        assert exempt.split()[-1] in tag.inner_text()
    sync_api.expect(window.page.locator(".outline.exempt, .label.exempt")).to_have_count(2)


DROP = """([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    document.querySelector(".board").dispatchEvent(
        new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
}"""


@pytest.mark.parametrize("live", [False, True])
def test_a_rule_file_that_is_dropped_is_a_brick(live, opened):
    window = opened(SMALL, live=live, answers={} if live else None)
    window.verdict("1 solution")
    if not live:
        window.page.evaluate(DROP, ["grid.txt", SMALL])
        window.expect(".reasons .words", "grid.txt was read as a puzzle")
    window.page.evaluate(DROP, ["mine.lp", ":- a(1,1,1), not ab(mine)."])
    window.verdict("No solution")
    window.expect("[data-name=mine]", "mine")
    window.press("Undo")
    window.verdict("1 solution")
    sync_api.expect(window.page.locator("[data-name=mine]")).to_have_count(0)
    window.press("Redo")
    window.verdict("No solution")
    window.switch("Rule mine")
    window.verdict("1 solution")


def test_own_rules_are_bricks_that_are_written_and_compared_one_by_one(opened):
    """Each forbids one number in the corner; they are part of the program at the same time."""
    asked = []

    def equal(question):
        asked.append(question)
        return {"text": "compared", "drawings": []}

    answers = {"equal": equal, "check": lambda _: {"findings": []}}
    window = opened(EMPTY, live=True, answers=answers, without="box")
    total = LATIN_SQUARES
    window.verdict(f"{total} solutions")
    first, second = (f":- a(1,1,{number})." for number in (1, 2))
    window.write(first)
    window.verdict(f"{total * 3 // 4} solutions")
    window.press("Add an elaboration")
    window.press("a new brick")
    window.write(second)
    window.verdict(f"{total // 2} solutions")
    window.press("Compare")
    window.expect("[aria-label='Own rule'] .words", "compared")
    assert (asked[-1]["text"], asked[-1]["retracted"]) == (second, ["box"])
    window.page.locator("[data-name=my-rule] .name").click()
    editor = window.page.get_by_label("Text of your rule")
    sync_api.expect(editor).to_have_value(first)
    window.press("Compare")
    window.expect("[aria-label='Own rule'] .words", "compared")
    assert asked[-1]["text"] == first
    window.switch("Rule my-rule-2")
    window.verdict(f"{total * 3 // 4} solutions")
    window.page.get_by_label("Name").fill("no-ones")
    window.page.keyboard.press("Enter")
    window.page.get_by_label("Name").press("Tab")
    window.press("Take no-ones off the tower")
    window.verdict(f"{total} solutions")
    window.press("Undo")
    window.verdict(f"{total * 3 // 4} solutions")
    window.page.locator("[data-name=my-rule-2] .name").click()
    sync_api.expect(editor).to_have_value(second)


def test_the_chains_of_a_strimko_have_their_colours(opened):
    """Red lines, as those between cells that contradict each other, would be violations."""
    window = opened("example:strimko", live=True)
    links = window.page.locator(".drawn circle.link")
    stated = links.evaluate_all("all => all.map(each => each.getAttribute('fill'))")
    assert len({*stated}) > 1
    shown = links.evaluate_all("all => all.map(each => getComputedStyle(each).fill)")
    assert shown == [f"rgb({int(c[1:3], 16)}, {int(c[3:5], 16)}, {int(c[5:], 16)})" for c in stated]


def test_a_rule_from_the_shelf_is_drawn_as_one_of_the_puzzle(opened):
    def drawing(question):
        return pages.drawings(pages.program_of(question))

    shapes = ".board :is(polyline, polygon)"
    window = opened(EMPTY, live=True, answers={"drawing": drawing})
    plain = window.page.locator(shapes).count()
    window.press("Add an elaboration")
    window.page.get_by_role("button", name="Rule diagonal", exact=True).click()
    other = opened(f"with: diagonal\n{EMPTY}", live=True)
    drawn = other.page.locator(shapes).count()
    assert drawn > plain
    sync_api.expect(window.page.locator(shapes)).to_have_count(drawn)
    window.switch("Rule diagonal")
    sync_api.expect(window.page.locator(".board .off [class=line]").first).to_be_attached()
    window.press("Take diagonal off the tower")
    sync_api.expect(window.page.locator(shapes)).to_have_count(plain)


def test_a_handout_draws_a_rule_from_the_shelf(opened):
    shapes = ".board :is(polyline, polygon)"
    drawn = opened(f"with: diagonal\n{EMPTY}", live=True).page.locator(shapes).count()
    window = opened(EMPTY)
    plain = window.page.locator(shapes).count()
    assert plain < drawn
    window.press("Add an elaboration")
    window.page.get_by_role("button", name="Rule diagonal", exact=True).click()
    sync_api.expect(window.page.locator(shapes)).to_have_count(drawn)
    window.switch("Rule diagonal")
    sync_api.expect(window.page.locator(".board .off [class=line]").first).to_be_attached()
    window.press("Take diagonal off the tower")
    sync_api.expect(window.page.locator(shapes)).to_have_count(plain)


def test_ground_rules_are_counted_for_each_brick(opened):
    window = opened(KNIGHT, live=True)
    window.verdict("1 solution")
    window.more("Ground rules and facts")
    total = window.page.locator(".ground-rules")
    sync_api.expect(total).to_contain_text("ground rules")
    bars = window.page.locator(".bars")
    sync_api.expect(bars).to_contain_text("anti-knight")
    shares = [int(each) for each in re.findall(r"(\d+) rule", bars.inner_text())]
    assert len(shares) == 3
    assert sum(shares) == int(re.search(r"(\d+) ground rule", total.inner_text())[1])


# How each state is entered, and an element that it has.
STATES = {
    "solution": (lambda window: window.press("Show it"), ".digits .solved"),
    "candidates": (lambda window: window.press("Candidates"), ".digits .candidate"),
    "retracted": (lambda window: window.switch("Rule box"), ".verdict[data-state=several]"),
    "forbidden": (lambda window: window.page.locator(".slide-forbids").first.click(), ".ring"),
    "more": (lambda window: window.press("More", exact=True), "dialog[open]"),
    "shelf": (lambda window: window.press("Add an elaboration"), "dialog[open]"),
    "ground": (lambda window: window.more("Ground rules and facts"), ".bars .share"),
    "puzzles": (
        lambda window: window.page.get_by_title("Open another puzzle").click(),
        "dialog[open]",
    ),
    "editor": (lambda window: window.write(":- a(1,1,N), N > M.\n"), ".findings:not(:empty)"),
}
# No answer is older than the program, and no colour is on its way to another.
SETTLED = """() => !document.querySelector("[data-state=busy], .stale")
    && document.getAnimations().every(each => each.playState !== "running")"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_state_is_accessible(scheme, opened):
    window = opened(KNIGHT, live=True, answers={"check": lambda _: {"findings": []}}, scheme=scheme)
    window.page.emulate_media(reduced_motion="reduce", color_scheme=scheme)
    found = {}
    for name, (enter, entered) in STATES.items():
        window.page.wait_for_function(SETTLED)
        window.verdict("solution")
        enter(window)
        sync_api.expect(window.page.locator(entered).first).to_be_attached()
        window.page.wait_for_function(SETTLED)
        response = axe.Axe().run(window.page).response
        found[name] = [
            (violation["id"], node["target"])
            for violation in response["violations"]
            for node in violation["nodes"]
        ]
        window.page.reload()
        window.page.evaluate("location.hash = ''")
        window.page.reload()
    assert found == {name: [] for name in STATES}
