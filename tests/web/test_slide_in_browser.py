"""The slide of a rule file in Chromium: sizes, pages, hooks, keys, accessibility.

Skipped without the extra `aspdoku[browser]` or without Chromium.
"""

import json

import pytest

from aspdoku.program import library
from aspdoku.web import page as pages

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs aspdoku[browser]")
pytestmark = pytest.mark.slow
HOST = "http://127.0.0.1:9"  # answered by the test; nothing listens there
TYPES = {"js": "text/javascript", "css": "text/css"}
PAGE = """<!doctype html>
<html lang="en"><title>A slide</title><meta charset="utf-8">
<link rel="stylesheet" href="/static/slide.css">
<style>
:root { --serif: serif; --sans: sans-serif; --mono: monospace; --r: 6px; --sheet: #fffdf8;
  --line: #d8d2c5; --ink: #1e2026; --ink2: #595c64; --cool: #0a6470; --warm: #8a4600;
  --tag: #f5c75d; --on-tag: #3a2700; --warm-fill: #fbefd2; --bad: #b4232a; --bad-fill: #fae1dd;
  --var: #3a4f86; color: var(--ink); background: var(--sheet); }
body { margin: 0; }
* { box-sizing: border-box; }
</style>
<main><h1>A slide</h1><aspdoku-slide></aspdoku-slide></main>
<script type="module" src="/static/slide.js"></script>
<script type="module">
window.slide = document.querySelector("aspdoku-slide");
window.heard = [];
for (const type of ["hook", "constraint", "atom"]) {
  document.addEventListener(type, event => heard.push([type, event.detail]));
}
</script></html>"""
# Width, height and size of letters in pixels, as at 1280x720, 1920x1080, 1024x768 and 390x844.
SIZES = [(535, 334, 16), (800, 500, 24), (440, 630, 15), (368, 190, 15)]

# For each brick: what does not fit, and the lines of its rules on all pages.
TOUR = """async bricks => {
  const found = {};
  for (const brick of bricks) {
    slide.brick = {...brick, retracted: []};
    const wrong = new Set();
    const lines = [];
    for (let turns = 0; turns < 50; turns++) {
      const {paddingRight} = getComputedStyle(slide);
      const right = slide.getBoundingClientRect().right - parseFloat(paddingRight) + 1;
      const isHigh = slide.scrollHeight > slide.clientHeight + 1;
      // On a phone, a single rule may be too high.
      const isAlone = innerWidth < 640 && slide.querySelectorAll(".slide-rule").length === 1;
      if (isHigh && !isAlone) wrong.add(`height on page ${turns}`);
      if (slide.scrollWidth > slide.clientWidth) wrong.add("width");
      for (const line of slide.querySelectorAll(".slide-line")) {
        const range = document.createRange();
        range.selectNodeContents(line);
        if (range.getBoundingClientRect().right > right) wrong.add(line.textContent);
        if (range.getClientRects().length && line.offsetHeight > 2 * parseFloat(
          getComputedStyle(line).fontSize)) wrong.add(`wrapped: ${line.textContent}`);
      }
      lines.push(...Array.from(slide.querySelectorAll("[data-line]"), each => +each.dataset.line));
      const more = slide.querySelector("[data-key=more]");
      if (!more) break;
      more.click();
    }
    found[brick.name] = [[...wrong], lines];
  }
  return found;
}"""


@pytest.fixture
def window(browser):
    page = browser.new_page(viewport={"width": 900, "height": 800})
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))

    def answer(route):
        name = route.request.url.removeprefix(f"{HOST}/")
        if name.startswith("static/"):
            kind = TYPES[name.rpartition(".")[2]]
            route.fulfill(content_type=kind, body=pages.static(name.removeprefix("static/")))
        else:
            route.fulfill(content_type="text/html", body=PAGE)

    page.route(f"{HOST}/**", answer)
    page.goto(HOST)
    page.wait_for_function("window.slide && slide.brick")
    yield page
    page.close()
    assert errors == []


def resize(page, width, height, letters=16):
    page.evaluate(
        "([width, height, letters]) => { document.documentElement.style.fontSize = letters + 'px';"
        " slide.style.width = width + 'px'; slide.style.height = height + 'px'; }",
        [width, height, letters],
    )


def show(page, name, retracted=(), text=None):
    brick = {"name": name, "text": text or rule(name).text, "retracted": list(retracted)}
    page.evaluate("brick => { slide.brick = brick; heard.length = 0; }", brick)


def rule(name):
    return library.base() if name == "base" else library.bundled_rule(name)


def heard(page):
    return json.loads(page.evaluate("JSON.stringify(heard.splice(0))"))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_bundled_rule_fits_without_scrolling(window, size):
    window.set_viewport_size({"width": max(size[0] + 30, 390), "height": 800})
    resize(window, *size)
    rules = [library.base(), *filter(library.is_bundled, library.available_rules())]
    assert len(rules) > 90
    found = window.evaluate(TOUR, [{"name": each.name, "text": each.text} for each in rules])
    assert {name: wrong for name, (wrong, _) in found.items() if wrong} == {}
    for name, (_, lines) in found.items():
        assert lines == sorted(lines), name
        assert lines, name


def test_short_rules_are_large_and_long_ones_small(window):
    resize(window, 535, 334)
    sizes = []
    for name in ("box", "kenken", "chaos-construction"):
        show(window, name)
        sizes.append(float(window.evaluate("slide.style.getPropertyValue('--code')")[:-3]))
    assert sizes[0] >= 1.36 > sizes[1] >= 0.8
    assert sizes[2] < 1


def test_a_slide_follows_the_size_of_its_element(window):
    resize(window, 535, 334)
    show(window, "box")
    large = window.evaluate("slide.style.getPropertyValue('--code')")
    resize(window, 300, 200)
    window.wait_for_function("large => slide.style.getPropertyValue('--code') !== large", arg=large)


def test_hooks(window):
    resize(window, 535, 334)
    show(window, "box")
    window.get_by_role("button", name="not ab(box,N)").first.click()
    assert heard(window)[-1] == ["hook", {"atom": "ab(box,N)"}]
    show(window, "box", ["ab(box)", "ab(killer)"])
    assert window.get_by_text("retracted").count() == 2
    assert window.get_by_role("button", name="not ab(box)", pressed=True).count() == 2
    assert window.get_by_role("button", name="what it forbids").count() == 0
    show(window, "box", ["ab(box,5)", "ab(box,7)", "ab(anti_knight,5)"])
    assert window.get_by_text("except 5, 7").count() == 2
    assert window.locator(".slide-partly").count() == 2
    show(window, "killer", ['ab(killer,"G")'])
    assert window.get_by_text("except G").count() == 2


@pytest.mark.parametrize("target", ["not ab(box,N)", "what it forbids"])
def test_a_press_during_which_the_brick_changes_is_a_click(target, window):
    resize(window, 535, 334)
    show(window, "box")
    box = window.get_by_role("button", name=target).last.bounding_box()
    window.mouse.move(box["x"] + 5, box["y"] + 5)
    window.mouse.down()
    window.evaluate("slide.brick = {...slide.brick, retracted: ['ab(box,5)', 'ab(row)']}")
    assert window.locator(".slide-partly").count() == 2
    window.mouse.up()
    kinds = [kind for kind, _ in heard(window)]
    assert kinds[-1] == ("hook" if "ab" in target else "constraint")


def test_a_rule_is_asked_about_by_mouse_and_by_keys(window):
    resize(window, 535, 334)
    show(window, "box")
    window.locator(".slide-rule").first.click(position={"x": 10, "y": 10})
    assert heard(window)[-1] == ["constraint", {"line": 11}]
    window.keyboard.press("Tab")
    for _ in range(10):
        if window.evaluate("document.activeElement.textContent") == "what it forbids":
            break
        window.keyboard.press("Tab")
    window.keyboard.press("Enter")
    assert heard(window)[-1][0] == "constraint"
    window.evaluate("slide.current = 15")
    assert window.get_by_role("button", name="back to the puzzle", pressed=True).count() == 1
    window.get_by_role("button", name="a(R,C,N)").focus()
    assert heard(window)[-1] == ["atom", {"predicate": "a", "arguments": ["R", "C", "N"]}]
    window.get_by_role("button", name="back to the puzzle").focus()
    assert heard(window)[-1] == ["atom", None]


def test_atoms_are_pointed_at(window):
    resize(window, 535, 334)
    show(window, "thermo")
    window.locator(".slide-atom").nth(3).hover()
    expected = {"predicate": "a", "arguments": ["R1", "C1", "N1"]}
    assert heard(window)[-1] == ["atom", expected]
    window.mouse.move(850, 780)
    assert heard(window)[-1] == ["atom", None]


def test_the_fold_and_the_focus_survive_a_change(window):
    resize(window, 535, 334)
    show(window, "box")
    fold = window.get_by_role("button", name="2 helpers")
    assert fold.text_content() == "▸ 2 helpers: box(R,C,B), box_name(B)"
    assert fold.get_attribute("aria-expanded") == "false"
    fold.focus()
    window.keyboard.press("Enter")
    assert fold.get_attribute("aria-expanded") == "true"
    assert "box_name(B) :- box(R,C,B)." in window.locator("aspdoku-slide").inner_text()
    assert "2 helpers" in window.evaluate("document.activeElement.textContent")
    window.keyboard.press("Enter")
    hook = window.get_by_role("button", name="not ab(box)").first
    hook.focus()
    show(window, "box", ["ab(box)"])
    assert window.evaluate("document.activeElement.textContent") == "not ab(box)"


def test_rules_without_instances_are_folded(window):
    resize(window, 535, 600)
    show(window, "base")
    assert window.locator(".slide-rule").count() == 5
    window.evaluate("slide.brick = {...slide.brick, idle: ['unused/2']}")
    assert window.locator(".slide-rule").count() == 3
    assert "2 rules that cannot apply here" in window.locator(".slide-fold").text_content()


@pytest.mark.parametrize("name", ["base", "killer", "chaos-construction"])
def test_accessibility(window, name):
    resize(window, 535, 334)
    show(window, name, ["ab(row)", 'ab(killer,"G")'])
    window.evaluate("slide.current = +slide.querySelector('.slide-asks').dataset.line")
    found = axe.Axe().run(window)
    assert found.violations_count == 0, found.generate_report()
