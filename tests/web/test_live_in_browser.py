"""The live page and handouts in Chromium: switches, entries, reasons, links, limits, accessibility.

Skipped without the extra `aspdoku[browser]` or without Chromium.
"""

import base64
import hashlib
import json
import re
import zlib
from collections import Counter
from contextlib import closing
from itertools import combinations
from time import monotonic
from urllib.parse import urlsplit

import pytest
from instance_files import ROOT
from live_window import HOST, KNIGHT, LONG, SMALL, Window

import aspdoku
from aspdoku.drawing import cell_contents
from aspdoku.program import library
from aspdoku.puzzle.puzzle import Wording
from aspdoku.web import page as pages
from aspdoku.web.handout import handout
from aspdoku.web.questions import QUESTIONS

sync_api = pytest.importorskip("playwright.sync_api", reason="needs aspdoku[browser]")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs aspdoku[browser]")
pytestmark = pytest.mark.slow


def ground_numbers(source, rule):
    """The numbers of ground rules kept and added that `elaborate` reports for a rule."""
    (step,) = [each for each in aspdoku.elaborate(source).data.steps if each.name == rule]
    return step.ground_diff.kept, step.ground_diff.added


def test_a_handout_solves_from_a_disk_and_a_switch_retracts_a_rule(opened):
    window = opened(KNIGHT)
    window.verdict("1 solution")
    base = window.page.locator("[data-name=base]").inner_text()
    window.expect(".ground-rules", "facts")
    sync_api.expect(window.page.locator(".ledger")).to_have_text("added 2 · removed 0")
    window.switch("Rule anti-knight")
    window.verdict("more than 1,000 solutions")
    window.tag("ab(anti_knight)")
    sync_api.expect(window.page.locator(".ledger")).to_have_text("added 3 · removed 0")
    window.expect(".ground-rules", "simplified")
    window.switch("Rule anti-knight")
    window.verdict("1 solution")
    kept, added = ground_numbers(KNIGHT, "anti-knight")
    window.expect(".ground-rules", f"all {kept} ground rules kept; {added} rules")
    assert window.page.locator("[data-name=base]").inner_text() == base
    sha256 = hashlib.sha256((ROOT / "asp" / "base.lp").read_bytes()).hexdigest()
    assert sha256[:7] in base
    window.expect(".sums", sha256)


def test_each_verdict_is_qualified_by_unread_words(opened):
    puzzle = aspdoku.parse(SMALL).replace(rules="Rows rise.", unsupported=("the rules in words",))
    window = opened(puzzle)
    for numbers, verdict in (("", "1 solution"), ("1", "No solution")):
        window.cell(1, 2).click()
        for number in numbers:
            window.page.keyboard.press(number)
        window.verdict(verdict)
        window.verdict("ignoring unsupported parts")
    window.page.keyboard.press("Delete")
    window.switch("Rule box")
    window.verdict("solutions, ignoring unsupported parts")
    window.press("More", exact=True)
    window.expect(".unsupported", "Not supported and ignored: the rules in words")
    window.press("Rules in words")
    window.expect("dialog[open]", "Rows rise.")


def test_rules_in_words_have_marks_and_their_rules(opened):
    sentences = (
        Wording("Boxes differ.", ("box",)),
        Wording("Rows rise over a red line.", ("thermo",), ("red line: r1c1…r1c2",), ("rise",)),
        Wording("A blue line is a thermometer.", ("thermo",), problem="no blue line is drawn"),
    )
    text = "\n".join(each.text for each in sentences)
    window = opened(aspdoku.parse(SMALL).replace(rules=text, wording=sentences))
    window.more("Rules in words")
    items = window.page.locator("dialog[open] li")
    first, second, third = (items.nth(place).inner_text() for place in range(3))
    assert first.startswith("Boxes differ.\n\nbox ")
    assert window.page.locator("dialog[open] mark").all_inner_texts() == ["rise"]
    assert "red line: r1c1…r1c2" in second
    assert third.endswith("no blue line is drawn")


def test_words_without_exactly_one_solution_were_probably_misunderstood(opened):
    read = (Wording("Boxes differ.", ("box",)),)
    puzzle = aspdoku.parse("11.. .... .... ....").replace(rules="Boxes.", wording=read)
    window = opened(puzzle, live=True)
    window.verdict("No solution, probably misunderstood")
    window.switch("Rule box")
    window.page.wait_for_function(
        "!document.querySelector('.verdict').textContent.includes('misunderstood')"
    )


def test_numbers_are_entered_by_keyboard_and_mouse_and_taken_back(opened):
    window = opened(SMALL)
    window.verdict("1 solution")
    solution = aspdoku.solve(SMALL).solution.rows
    window.cell(1, 1).click()
    window.page.keyboard.press("ArrowRight")
    wrong = next(number for number in (2, 3, 4) if number != solution[0][1])
    window.page.keyboard.press(str(wrong))
    window.verdict("No solution")
    window.page.keyboard.press("Delete")
    window.verdict("1 solution")
    window.press("Undo")
    window.verdict("No solution")
    window.press("Undo")
    window.verdict("1 solution")
    window.page.get_by_role("button", name=str(solution[0][1]), exact=True).click()
    window.expect(".facts", "a(1,2,")
    assert f"{solution[0][1]}, entered" in window.cell(1, 2).get_attribute("aria-label")
    window.cell(1, 1).click()
    window.page.keyboard.press("Backspace")
    window.expect(".reasons .words", "This cell is given")
    window.more("Edit givens", "switch")
    window.page.keyboard.press("Escape")
    window.cell(1, 1).click()
    window.page.keyboard.press("Backspace")
    sync_api.expect(window.cell(1, 1)).not_to_have_attribute("aria-label", re.compile("given"))


def test_a_number_of_two_digits_is_typed(opened):
    window = opened(ROOT / "instances" / "slides" / "sixteen.txt")
    cell = window.cell(1, 3)
    for keys, number in (("12", 12), ("1", 1), ("19", 9), ("016", 16)):
        cell.click()
        window.page.keyboard.type(keys)
        sync_api.expect(cell).to_have_accessible_name(f"row 1, column 3: {number}, entered")
        window.page.keyboard.press("Delete")


def test_numbers_that_are_impossible_are_struck_out_with_the_candidates_only(opened):
    window = opened(SMALL)
    window.verdict("1 solution")
    window.cell(1, 2).click()
    out = window.page.locator(".pad .out")
    sync_api.expect(out).to_have_count(0)
    window.press("Candidates")
    sync_api.expect(out).to_have_count(3)


@pytest.mark.parametrize(
    ("name", "rule", "kinds"), [("killer", "box", {"border"}), ("str8ts", "str8ts", {"mark"})]
)
def test_what_a_rule_draws_is_hidden_without_it(name, rule, kinds, opened):
    """As in the picture of the puzzle without the rule."""

    def shapes(**state):
        picture = pages.print_drawing(aspdoku.compose(f"example:{name}", **state))
        return Counter(re.findall(r'<(?:poly|circle)[^>]* ?class="((?!note)\w+)"', picture))

    def shown():
        return Counter(
            window.page.locator(".drawn :is(polygon, polyline, circle)").evaluate_all(
                "all => all.filter(each => !each.closest('.off'))"
                ".map(each => each.getAttribute('class'))"
            )
        )

    window = opened(f"example:{name}", live=True)
    window.verdict("1 solution")
    with_rule = shown()
    window.switch(f"Rule {rule}")
    window.tag(f"ab({rule})")
    gone = with_rule - shown()
    assert gone == shapes() - shapes(without=rule)
    assert set(gone) == kinds
    window.switch(f"Rule {rule}")
    switch = window.page.get_by_role("switch", name=f"Rule {rule}", exact=True)
    sync_api.expect(switch).to_be_checked()
    assert shown() == with_rule


def test_a_click_on_a_candidate_assumes_it(opened):
    window = opened("title: Blank\n....\n....\n....\n....")
    window.verdict("288 solutions")
    window.press("Candidates")
    sync_api.expect(window.cell(1, 1)).to_have_attribute("aria-label", re.compile("1 2 3 4"))
    box = window.cell(1, 1).bounding_box()
    window.page.mouse.click(box["x"] + 0.3 * box["width"], box["y"] + 0.36 * box["height"])
    window.verdict("72 solutions")
    assert "1, entered" in window.cell(1, 1).get_attribute("aria-label")


def test_the_heat_map_agrees_with_python(opened):
    """For each cell, the rules in minimal sets whose retraction makes other numbers possible."""
    window = opened(SMALL)
    window.verdict("1 solution")
    window.more("Which rules force a cell?")
    window.expect(".reasons .words", "The small number in a cell")
    solution = aspdoku.solve(SMALL).solution.rows
    rules = ("column", "row", "box")  # as the program contains them
    sets = [names for size in range(1, 4) for names in combinations(rules, size)]
    possible = {names: aspdoku.candidates(SMALL, without=names).candidates for names in sets}
    for row, column in ((1, 2), (3, 3), (4, 4)):
        window.cell(row, column).click()
        minimal = []
        for names in sets:
            others = set(possible[names][row - 1][column - 1]) - {solution[row - 1][column - 1]}
            if others and not any(set(each) <= set(names) for each in minimal):
                minimal.append(names)
        shown = window.page.locator(".reasons .words li").all_inner_texts()
        assert len(shown) == len(minimal)
        for names, words in zip(minimal, shown, strict=True):
            assert all(name in words for name in names)
            others = set(possible[names][row - 1][column - 1]) - {solution[row - 1][column - 1]}
            assert set(map(int, re.findall(r"\d", words))) == others


def test_the_heat_map_of_a_puzzle_without_solution(opened):
    """It names the minimal sets of rules without which there is one."""
    wrong = "with: anti-knight\n12.. ..1. .1.. 2..1"
    assert not aspdoku.count(wrong).count
    names = ("anti-knight", "box", "column", "row")
    sets = [each for size in range(1, 5) for each in combinations(names, size)]
    solvable = [each for each in sets if aspdoku.count(wrong, without=each).count]
    minimal = [each for each in solvable if not any(set(one) < set(each) for one in solvable)]
    window = opened(wrong, live=True)
    window.verdict("No solution")
    window.more("Which rules force a cell?")
    window.expect(".reasons .words", "There is no solution")
    shown = window.page.locator(".reasons .words li").all_inner_texts()
    found = {frozenset(name for name in names if name in words) for words in shown}
    assert found == set(map(frozenset, minimal)) != set()


def test_the_arrow_keys_step_through_the_explanation(opened):
    window = opened(SMALL)
    window.verdict("1 solution")
    window.more("Explain")
    window.expect(".reasons .words", "Step 1 of")
    window.page.keyboard.press("ArrowRight")
    window.expect(".reasons .words", "Step 2 of")
    row, column, _ = pages.steps(aspdoku.explain(SMALL).data)[4]["placed"][0]
    window.cell(row, column).click()
    window.expect(".reasons .words", "Step 5 of")
    window.page.keyboard.press("ArrowLeft")
    window.expect(".reasons .words", "Step 4 of")


def test_a_handout_explains_no_other_rules_than_those_of_its_steps(opened):
    window = opened(SMALL)
    window.verdict("1 solution")
    window.switch("Rule box")
    window.verdict("solutions")
    window.more("Explain")
    window.expect(".reasons .words", "those of the original puzzle")
    window.page.keyboard.press("ArrowLeft")
    window.verdict("1 solution")
    window.more("Explain")
    window.expect(".reasons .words", "Step 1 of")


def test_a_step_highlights_what_it_uses(opened):
    """The numbers and the clues that its words name, and the bricks of their rules."""
    window = opened("example:palindrome")
    window.verdict("1 solution")
    window.more("Explain")
    words = "r4c2=6: naked single, r4c2 needs a number (r4c2 is not 2 3 4 5 by palindrome)"
    window.expect(".reasons .words", f"{words}; with r4c1=1, r6c3=6")
    used = set()
    for kind in ("looked", "clue"):
        squares = window.page.locator(f".board .tint-{kind}").evaluate_all(
            "all => all.map(each => [each.y, each.x].map(side => side.baseVal.value))"
        )
        used |= {cell_at(window, place) for place in squares}
    assert {(4, 1), (6, 3)} <= used
    bricks = window.page.locator(".cited-brick")
    assert "palindrome" in bricks.evaluate_all("all => all.map(each => each.dataset.name)")
    window.page.keyboard.press("Escape")
    sync_api.expect(bricks).to_have_count(0)


def cell_at(window, place):
    """The cell whose upper left corner is drawn here."""
    scale = window.page.evaluate("document.querySelector('aspdoku-live').data.drawing.scale")
    y, x = (each / scale for each in place)
    return round(y) + 1, round(x) + 1


def test_steps_that_were_cut_off(opened):
    steps = pages.steps(aspdoku.explain(SMALL).data)[:2]
    remark = "Cut off after 10 s: 8 conclusions not explained."
    answer = {"steps": steps, "complete": False, "cut_off": remark}
    window = opened(SMALL, live=True, answers={"explain": lambda _: answer})
    window.verdict("1 solution")
    window.more("Explain")
    window.expect(".reasons .words", "Step 1 of 2 that were found in time")
    window.expect(".reasons .words", remark)


def test_the_conflict_of_a_puzzle_without_solution(opened):
    answers = {"explain": lambda _: {"text": "r1c1=1, r1c2=1: row 1 has at most one 1"}}
    window = opened("11.. .... .... ....", live=True, answers=answers)
    window.verdict("No solution")
    window.more("Explain")
    window.expect(".reasons .words", "row 1 has at most one 1")


def test_why_and_hint_in_a_handout(opened):
    """They show the steps that the handout contains."""
    window = opened(SMALL)
    window.verdict("1 solution")
    steps = pages.steps(aspdoku.explain(SMALL).data)
    (row, column, number), *_ = steps[4]["placed"]
    window.cell(row, column).click()
    window.page.keyboard.press("?")
    window.expect(".reasons .words", f"Why r{row}c{column}? Step 5 of {len(steps)}")
    window.page.get_by_role("button", name="Next").focus()
    window.page.keyboard.press("Enter")
    window.expect(".reasons .words", "Step 6 of")
    sync_api.expect(window.page.get_by_role("button", name="Next")).to_be_focused()
    window.page.keyboard.press("Escape")
    givens = aspdoku.compose(SMALL).puzzle.givens()
    found = [cell for step in steps for cell in step["placed"] if tuple(cell[:2]) not in givens]
    (row, column, number), (*second, _), *_ = found
    window.cell(row, column).click()
    window.page.keyboard.press(str(number % 4 + 1))
    window.more("Hint")
    window.expect(".reasons .words", f"Wrong: r{row}c{column}={number % 4 + 1}")
    window.page.keyboard.press(str(number))
    window.cell(row, column).click()
    window.page.keyboard.press(str(number))
    window.verdict("1 solution")
    window.more("Hint")
    window.expect(".reasons .words", "r{}c{}=".format(*second))


@pytest.mark.parametrize(
    ("rule", "verdict"),
    [
        (":- a(1,2,9", "The rule cannot be used."),
        ("p(1). p(X+1) :- p(X).", "No answer: stopped"),
        ("% " + "x" * 100_000, "The rule has more than 100000 characters."),
    ],
)
def test_a_rule_without_an_answer_has_no_map_and_no_ground_program(opened, rule, verdict):
    window = opened("12.. ..1. .1.. 2..1", live=True)
    window.verdict("solution")
    window.expect(".ground-rules", "ground rules")
    window.write(rule)
    window.verdict(verdict)
    window.page.wait_for_function("!document.querySelector('.ground-rules').textContent")
    window.more("Which rules force a cell?")
    window.expect(".reasons .words", f"No map. {verdict}")


def test_the_heat_map_of_many_rules_retracts_each_alone(opened):
    window = opened(f"with: thermo, renban, palindrome, killer\n{SMALL}")
    window.verdict("solution")
    window.more("Which rules force a cell?")
    window.expect(".reasons .words", "each is retracted alone")


def test_a_link_restores_the_page(opened):
    window = opened(SMALL)
    window.verdict("1 solution")
    window.switch("Rule box")
    window.verdict(f"{aspdoku.count(SMALL, without='box').count} solutions")
    window.write(":- a(1,2,N), N > 2, not ab(my_rule).\n")
    window.verdict("1 solution")
    window.page.wait_for_url("**#s=*")
    window.more("Link")
    sync_api.expect(window.page.get_by_role("textbox", name="Link")).to_be_visible()
    address = window.page.get_by_role("textbox", name="Link").input_value()
    other = window.page.context.new_page()
    other.goto(address)
    restored = Window(other)
    restored.tag("ab(box)")
    sync_api.expect(other.get_by_label("Text of your rule")).to_have_value(
        ":- a(1,2,N), N > 2, not ab(my_rule).\n"
    )
    restored.verdict("1 solution")


FORGED = [
    {"retracted": ["box). #script(lua) end #end. ab(x"]},
    {"entries": {"1,2": "1). p(2"}},
    {"entries": {"1,9": 1}},
    {"givens": [[9] * 4] * 4},
    {"givens": [[1]]},
    {"added": ["x y"]},
    {"own": [{"name": "a b", "text": ""}]},
    {"own": None},
]


def test_a_link_with_anything_but_a_state_is_refused(opened):
    window = opened(SMALL)
    window.verdict("1 solution")
    state = {
        "givens": [[None] * 4] * 4,
        "entries": {},
        "added": [],
        "retracted": ["box"],
        "own": [],
    }
    for change in FORGED:
        window.page.evaluate("document.querySelector('.reasons .words').replaceChildren()")
        compressor = zlib.compressobj(wbits=-15)
        content = compressor.compress(json.dumps(state | change).encode()) + compressor.flush()
        text = base64.urlsafe_b64encode(content).decode().rstrip("=")
        window.page.evaluate(f"location.hash = 's={text}'")
        window.expect(".reasons .words", "The link cannot be followed")
    window.verdict("1 solution")


def test_an_own_rule_is_marked_where_it_is_wrong(opened):
    window = opened(SMALL)
    window.verdict("1 solution")
    editor = window.write("")
    for text, line, words in [
        ("% A title.\n:- a(1,1,N), N > .\n", 2, "syntax error, unexpected '.'"),
        (":- a(1,2,1), not ab(my_rule).\n:- a(1,1,N), N >\n", 2, "is its full stop missing?"),
        (":- a(1,1,N),\n  N > M.\n", 2, "unsafe variable: M; bind it with an atom"),
        ("#script(lua) function main() end #end.\n", 1, "rule files may not run code"),
        ("% Best.\n#minimize { N : a(1,1,N) }.\n", 2, "not which one is best"),
    ]:
        editor.fill(text)
        window.expect(".findings", f"Line {line}: ")
        window.expect(".findings", words)
        window.expect(".gutter", f"✗{line}")
        window.verdict("The rule cannot be used.")
        assert "-:" not in window.page.locator("aspdoku-live").inner_text()
    editor.fill(":- mine(1,2).\n")
    window.expect(".findings", "Line 1: undefined predicate mine/2.")
    window.verdict("The rule cannot be used.")
    editor.fill(":- a(1,2,N), a(1,3,N), not ab(my_rule).\n")
    sync_api.expect(window.page.locator(".findings li")).to_have_count(0)
    window.verdict("1 solution")


def test_the_server_is_asked_once_about_each_text(opened):
    """Also about one in which the page finds nothing; what it found stays with another switch."""
    asked = []

    def check(question):
        asked.append(question["text"])
        return {"findings": [{"line": 1, "text": "a finding", "severity": "warning"}]}

    window = opened(SMALL, live=True, answers={"check": check})
    window.verdict("1 solution")
    text = ":- a(1,1,1), a(1,1,2)."
    window.write(text)
    window.expect(".findings .severity-warning", "Line 1: a finding")
    window.expect(".gutter", "!1")
    window.switch("Rule box")
    window.tag("ab(box)")
    window.expect(".ground-rules", "kept")
    window.expect(".findings", "Line 1: a finding")
    window.page.wait_for_timeout(1500)
    assert asked == [text]


def test_an_own_rule_that_changes_the_base(opened):
    window = opened(SMALL)
    window.verdict("1 solution")
    editor = window.write("% Anything.\na(1,2,1..4).\n")
    window.verdict("The rule cannot be used.")
    window.expect(".findings", "Line 2: a/3 is defined in asp/base.lp")
    editor.fill("box_name(5).\n")
    window.expect(".findings", "box_name/1 is also defined in asp/elaborations/box.lp")
    window.expect(".gutter", "✗1")


ENDLESS = [
    "endless(1). endless(f(X)) :- endless(X).\n",
    "q(1..10**9).\n",
    # Twelve pigeons in eleven holes.
    "{ hole(P,1..11) } = 1 :- P = 1..12. :- hole(P,H), hole(Q,H), P < Q.\n",
]


def test_an_own_rule_is_stopped(opened):
    window = opened(SMALL)
    window.verdict("1 solution")
    editor = window.write("")
    for text in ENDLESS:
        editor.fill(text)
        began = monotonic()
        window.verdict("stopped after 2.5 seconds")
        assert monotonic() - began < 5  # on busy machines, too
        more = window.page.get_by_role("button", name="Try for 60 seconds")
        sync_api.expect(more).to_be_visible()
        editor.fill("")
        window.verdict("1 solution")
        sync_api.expect(more).to_have_count(0)


def follow(window, content):
    """Follow a link with this state, which is JSON. What the page says about it."""
    compressor = zlib.compressobj(wbits=-15)
    content = compressor.compress(content.encode()) + compressor.flush()
    text = base64.urlsafe_b64encode(content).decode().rstrip("=")
    window.page.evaluate("document.querySelector('.reasons .words').replaceChildren()")
    window.page.evaluate("text => location.hash = `s=${text}`", text)
    window.expect(".reasons .words", "The link cannot be followed")
    return window.page.locator(".reasons .words").inner_text()


def test_a_link_with_too_much_is_refused(opened):
    """Its state has a size limit, before and after it is unpacked, and so has each of its parts."""
    window = opened(SMALL)
    window.verdict("1 solution")
    state = {
        "givens": [[None] * 4] * 4,
        "entries": {},
        "added": [],
        "retracted": ["box"],
        "own": [],
    }
    names = [f"rule-{number}" for number in range(5000)]
    long = {"name": "my-rule", "text": "%" + "x" * 100_000, "on": True}
    for change, message in (
        ({"own": [long | {"text": "a" * 5_000_000}]}, "it has more than 500000 characters"),
        ({"more": "a" * 50_000_000}, "it has more than 500000 characters"),
        ({"own": [long]}, "its rule has more than 100000 characters"),
        ({"own": [long | {"name": "a" * 61, "text": ""}]}, "it is of another puzzle"),
        ({"added": names}, "this page does not have its rule rule-0"),
        ({"added": ["anti-knight"] * 5000}, "it is of another puzzle"),
        ({"retracted": ["box"] * 5000}, "it is of another puzzle"),
        ({"retracted": [name.replace("-", "_") for name in names]}, "it is of another puzzle"),
        ({"entries": {f"{'0' * zeros}1,1": 1 for zeros in range(300)}}, "it is of another puzzle"),
    ):
        assert message in follow(window, json.dumps(state | change))
    window.page.evaluate("location.hash = `s=${'A'.repeat(3_000_000)}`")
    window.expect(".reasons .words", "it has more than 500000 characters")
    window.verdict("1 solution")


@pytest.mark.parametrize("part", ["a(1,1,1), ", "% x\n"], ids=["a line", "many lines"])
def test_a_long_rule_in_the_editor(part, opened):
    window = opened(SMALL)
    window.verdict("1 solution")
    editor = window.write("")
    address = window.page.url

    def fill(length):  # a browser takes minutes to insert so many lines
        change = "(e, text) => { e.value = text; e.dispatchEvent(new Event('input')); }"
        editor.evaluate(change, part * (length // len(part)))

    fill(400_000)
    window.verdict("The rule has more than 100000 characters.")
    window.more("Link")
    window.expect(".reasons .words", "The rule is too long for a link")
    assert window.page.url == address
    fill(100_000)
    sync_api.expect(window.page.locator(".verdict")).not_to_contain_text("has more than")
    fill(0)
    window.verdict("1 solution")


def test_a_damaged_link(opened):
    window = opened(SMALL)
    window.verdict("1 solution")
    for text in ("q1bKTC", "%20", "q1bKTC5RslIqSy1S0lHKLy1JLQIJ"):
        window.page.evaluate("document.querySelector('.reasons .words').replaceChildren()")
        window.page.evaluate(f"location.hash = 's={text}'")
        window.expect(".reasons .words", "cannot be followed: it is damaged or incomplete")


def test_a_text_that_is_too_long_is_not_sent(opened):
    window = opened(SMALL, live=True, answers={})
    window.verdict("1 solution")
    window.page.evaluate("document.querySelector('aspdoku-live').load('1'.repeat(2_000_000))")
    window.expect(".reasons .words", "too long: a rule or a puzzle may have at most 100000")


@pytest.mark.parametrize("live", [False, True], ids=["handout", "live page"])
def test_rules_are_found_and_added(live, opened):
    window = opened("." * 16, live=live)
    window.verdict("288 solutions")
    with_knight = aspdoku.count("." * 16, with_="anti-knight").count
    window.press("Add an elaboration")
    window.page.get_by_role("searchbox", name="Search").fill("knight")
    window.press("Rule anti-knight", exact=True)
    window.verdict(f"{with_knight} solutions")
    window.switch("Rule anti-knight")
    window.verdict("288 solutions")
    window.tag("ab(anti_knight)")
    window.switch("Rule anti-knight")
    window.verdict(f"{with_knight} solutions")
    window.press("Take anti-knight off the tower")
    window.verdict("288 solutions")
    window.more("Write a brick")
    comparison = window.page.get_by_label("Is it the same as")
    sync_api.expect(comparison).not_to_be_visible()


def test_a_rule_without_its_clues_stays_on_the_shelf(opened):
    window = opened(SMALL, live=True)
    window.verdict("1 solution")
    window.press("Add an elaboration")
    shelf = window.page.get_by_role("dialog", name="Add on top")
    sync_api.expect(shelf.get_by_role("button", name="Rule killer", exact=True)).to_be_disabled()
    sync_api.expect(shelf).to_contain_text("cage/3")
    (first, *_) = shelf.locator("h3").all_inner_texts()
    assert first == "Needs no clues"


def test_an_exception_is_a_click_on_a_hook(opened):
    """As many solutions as with the fact in the puzzle."""
    window = opened(KNIGHT, live=True)
    window.verdict("1 solution")
    window.hook("anti-knight", "ab(anti_knight,N)")
    window.page.get_by_role("dialog").get_by_role("button", name="5", exact=True).click()
    rule = aspdoku.RuleFile.from_text("exception", "ab(anti_knight,5).\n")
    window.verdict(f"{aspdoku.count(KNIGHT, with_=rule).count} solutions")
    window.tag("ab(anti_knight,5)")
    window.page.locator(".tag").click()
    window.verdict("1 solution")
    window.hook("base", "ab(row)")
    window.tag("ab(row)")


def test_questions_to_the_server(opened):
    asked = []

    def load(question):
        asked.append(question)
        return pages.parts(pages.program_of(question))

    def equal(question):
        asked.append(question)
        return {
            "text": f"not the same as {question['reference']}",
            "drawings": [pages.print_drawing(aspdoku.compose(SMALL))],
        }

    def explain(question):
        asked.append(question)
        return {"steps": pages.steps(aspdoku.explain(pages.program_of(question)).data)}

    answers = {
        "load": load,
        "explain": explain,
        "check": lambda _: {"findings": [{"line": 1, "text": "a finding"}]},
        "equal": equal,
    }
    window = opened(SMALL, live=True, answers=answers)
    window.verdict("1 solution")
    window.load("killer")
    window.expect("h1 >> nth=0", "Killer without givens")
    window.verdict("1 solution")
    window.load("four")
    window.verdict("solution")
    window.switch("Rule box")
    window.more("Explain")
    window.expect(".reasons .words", "Step 1 of")
    assert asked[-1]["retracted"] == ["box"]
    window.write(":- a(1,1,1), a(1,1,2).")
    window.expect(".ground-rules", "kept")
    window.expect("[data-name=my-rule]", "my-rule")
    sync_api.expect(window.page.locator(".verdict")).not_to_have_attribute("data-state", "busy")
    window.press("Check")
    window.expect(".findings", "Line 1: a finding")
    window.page.get_by_label("Rule to compare with").select_option("offset")
    window.press("Compare")
    window.expect("[aria-label='Own rule'] .words", "not the same as offset")
    assert asked[-1]["retracted"] == ["box"]
    assert window.page.locator(".drawing svg").count() == 1
    window.hook("base", "ab(row)")
    window.verdict("solution")
    window.page.locator("[data-name=my-rule] .name").click()
    assert window.page.locator("[aria-label='Own rule'] .words").inner_text() == ""
    window.press("Compare")
    window.expect("[aria-label='Own rule'] .words", "not the same as offset")
    assert asked[-1]["retracted"] == ["box", "row"]


@pytest.mark.parametrize(
    ("live", "width", "scheme"), [(False, 390, "dark"), (True, 390, "light"), (True, 1280, "dark")]
)
def test_pages_are_accessible_and_fit_the_window(live, width, scheme, opened):
    window = opened(KNIGHT, live=live, width=width, scheme=scheme)
    window.verdict("1 solution")
    window.more("Which rules force a cell?")
    window.expect(".reasons .words", "The small number in a cell")
    if live:
        window.press("Add an elaboration")
        window.page.get_by_role("searchbox", name="Search").fill("line")
    found = axe.Axe().run(window.page)
    assert [violation["id"] for violation in found.response["violations"]] == []
    assert window.page.evaluate("document.documentElement.scrollWidth") <= width
    window.page.keyboard.press("Escape")
    targets = window.page.locator(".btn, .sw, .add, .brick .name, .title, .file")
    small = [
        target.inner_text()
        for target in targets.all()
        if target.is_visible() and target.bounding_box()["height"] < 20
    ]
    assert small == []


@pytest.mark.parametrize("live", [False, True], ids=["handout", "live page"])
def test_a_page_is_printed_with_its_program(live, opened):
    window = opened(KNIGHT, live=live)
    window.verdict("1 solution")
    window.page.emulate_media(media="print")
    assert window.page.locator("aspdoku-board svg.board").first.is_visible()
    assert not window.page.get_by_role("button", name="More", exact=True).is_visible()
    window.expect(".print >> nth=0", "not ab(anti_knight)")
    assert window.page.get_by_role("region", name="Explanation").count() == (not live)
    assert window.page.pdf()[:4] == b"%PDF"


def test_unused_and_black_cells(opened):
    oblong = ROOT / "instances" / "boards" / "oblong.txt"
    window = opened(oblong, live=True)
    window.verdict("1 solution")
    row, column = min(aspdoku.compose(oblong).puzzle.unused)
    cell = window.cell(row, column)
    sync_api.expect(cell).to_have_accessible_name(f"row {row}, column {column}: unused")
    cell.click()
    window.page.keyboard.press("1")
    sync_api.expect(window.page.get_by_role("button", name="Undo")).to_be_disabled()
    black = opened("example:str8ts", live=True)
    black.verdict("1 solution")
    black.press("Show it")
    fills = black.page.locator(".digits text").evaluate_all(
        "all => all.map(each => each.style.fill)"
    )
    expected = len(aspdoku.compose("example:str8ts").puzzle.facts)
    assert len([fill for fill in fills if fill]) == expected


@pytest.mark.parametrize(
    ("hidden", "live", "size"),
    [("anti-knight", False, 4), ("nonconsecutive", True, 6), ("diagonal", True, 6)],
)
def test_the_game(hidden, live, size, opened):
    """It finds the rule that answers; those that it cannot tell apart agree on all grids."""
    window = opened(SMALL, live=live, width=390, scheme="dark")
    window.verdict("1 solution")
    game = window.guess()
    game.get_by_label("Who answers?").select_option(hidden)
    game.get_by_label("Grids of").select_option(str(size))
    game.get_by_role("button", name="Start").click()
    for number in range(1, 64):
        sync_api.expect(game).to_contain_text(re.compile(f"Question {number}:|The rule that fits"))
        for each in game.locator(".examples svg").all():
            assert allows(hidden, "".join(each.locator("text").all_text_contents()[-(size**2) :]))
        next_ = game.get_by_role("button", name="Next")
        if not next_.count():
            break
        rows = "".join(game.locator("svg text").all_text_contents()[-(size**2) :])
        answer = "allows" if allows(hidden, rows) else "forbids"
        sync_api.expect(game).to_contain_text(f"{hidden} {answer} it")
        next_.click()
    assert number <= 6  # five questions, and what was found
    sync_api.expect(game).to_contain_text(library.find(hidden).title)
    found = axe.Axe().run(window.page)
    assert [violation["id"] for violation in found.response["violations"]] == []
    assert window.page.evaluate("document.documentElement.scrollWidth") <= 390


def allows(rule, grid):
    return bool(aspdoku.count(grid, with_=rule).count)


def test_grids_that_ones_own_rule_allows(opened):
    """They refute the rules that they violate, and have to be grids of the game."""
    window = opened(SMALL)
    game = window.guess()
    grids, start = game.get_by_role("textbox"), game.get_by_role("button", name="Start")
    for text, message in [
        ("1234 3412 2143", "is not a solved grid: write 16 digits"),
        ("1234341221434321\n1234 3412 4321 4321", "Grid 2 violates the rules of the game"),
    ]:
        grids.fill(text)
        start.click()
        sync_api.expect(game).to_contain_text(message)
    grids.fill("1234 3412 2143 4321")
    start.click()
    fitting = aspdoku.learn(["1234 3412 2143 4321"]).data.fitting
    sync_api.expect(game).to_contain_text(f"{fitting} rules left. Question 1:")
    game.get_by_label("Who answers?").select_option("anti-king")
    sync_api.expect(grids).to_be_hidden()
    start.click()
    sync_api.expect(game).to_contain_text("anti-king allows no 4x4 grid: choose larger grids")


def test_no_rule_fits_the_answers_of_a_game(opened):
    window = opened(SMALL)
    game = window.guess()
    game.get_by_role("button", name="Start").click()
    for number in range(1, 64):
        sync_api.expect(game).to_contain_text(re.compile(f"Question {number}:|fits"))
        if not game.get_by_role("button", name="Allowed", exact=True).count():
            break
        game.get_by_role("button", name="Allowed", exact=True).click()
    sync_api.expect(game).to_contain_text(re.compile("The rule that fits|None of the rules fits"))


def change_questions(window, change):
    """From now on, the worker gets questions of games changed by a function, or not at all."""
    window.page.evaluate(
        """() => {
            const post = (self.post ||= Worker.prototype.postMessage);
            Worker.prototype.postMessage = function (message) {
                if (message.question?.kind !== "separate") return post.call(this, message);
                const question = CHANGE(message.question);
                if (question) post.call(this, {...message, question});
            };
        }""".replace("CHANGE", f"({change})")
    )


def test_a_game_goes_on_after_an_error(opened):
    window = opened(SMALL, live=True)
    game = window.guess()
    change_questions(window, "question => ({...question, program: ':-('})")
    game.get_by_role("button", name="Start").click()
    sync_api.expect(game).to_contain_text("syntax error")
    change_questions(window, "question => question")
    game.get_by_role("button", name="Try again").click()
    sync_api.expect(game).to_contain_text("Question 1:")
    change_questions(window, "question => null")
    game.get_by_role("button", name="Allowed", exact=True).click()
    sync_api.expect(game).to_contain_text("stopped after 30 seconds")
    change_questions(window, "question => question")
    game.get_by_role("button", name="Try again").click()
    sync_api.expect(game).to_contain_text("Question 2:")


def test_a_game_goes_on_if_no_grid_halves_the_rules_in_time(opened):
    window = opened(SMALL)
    game = window.guess()
    change_questions(window, "question => question.most === question.left.length - 2 && question")
    for number in (1, 2):
        game.get_by_role("button", name="Start" if number == 1 else "Not allowed").click()
        sync_api.expect(game).to_contain_text(f"Question {number}:")


def test_a_game_and_the_puzzle_do_not_wait_for_each_other(opened):
    window = opened(KNIGHT, live=True)
    window.verdict("1 solution")
    game = window.guess()
    change_questions(window, "question => null")
    game.get_by_role("button", name="Start").click()
    window.page.keyboard.press("Escape")
    window.switch("Rule anti-knight")
    window.verdict("more than 1,000 solutions")
    window.guess()
    sync_api.expect(game).to_contain_text("Looking for a grid")
    change_questions(window, "question => question")
    game.get_by_role("button", name="Start").click()
    sync_api.expect(game).to_contain_text("Question 1:", timeout=25_000)


def test_a_cell_with_two_numbers_shows_both(opened):
    """Those that the picture of the solution shows, which are not all in a/3."""
    window = opened("example:schroedinger", live=True)
    window.verdict("1 solution")
    window.press("Candidates")
    program = aspdoku.compose("example:schroedinger")
    expected = cell_contents(program, aspdoku.solve(program).solution)
    assert [2, 5] in expected.values()
    for (row, column), numbers in expected.items():
        words = " ".join(map(str, numbers))
        given = "1, given" if program.puzzle[row, column] else f"candidates {words}"
        sync_api.expect(window.cell(row, column)).to_have_attribute(
            "aria-label", f"row {row}, column {column}: {given}"
        )
    window.press("Show it")
    shown = window.page.locator(".digits text").all_text_contents()
    assert shown == [" ".join(map(str, expected[cell])) for cell in sorted(expected)]
    window.switch("Rule schroedinger")
    window.verdict("solutions")


def rules_of(program):
    return {part.rule.name for part in program.parts}


def test_names_of_cages_are_drawn_for_explanations(opened):
    """The server composes the same rules as the page, with the vocabulary that killer declares."""
    program = aspdoku.compose("example:killer")

    def explain(question):
        assert rules_of(pages.program_of(question)) == rules_of(program)
        return {"steps": pages.steps(aspdoku.explain(SMALL).data), "complete": True}

    window = opened("example:killer", live=True, answers={"explain": explain})
    window.verdict("1 solution")
    labels = window.page.locator(".drawn text")
    names = pages.parts(program)
    assert names["named"] != names["drawing"]
    assert labels.filter(has_text=re.compile("^A$")).count() == 0
    assert labels.filter(has_text=re.compile("^16$")).count() > 0
    window.more("Explain")
    sync_api.expect(labels.filter(has_text=re.compile("^A$"))).to_be_visible()
    window.page.keyboard.press("Escape")
    sync_api.expect(labels.filter(has_text=re.compile("^A$"))).to_have_count(0)


def test_an_own_rule_is_kept_when_another_puzzle_is_loaded(opened):
    def load(question):
        return pages.parts(pages.program_of(question))

    window = opened(SMALL, live=True, answers={"load": load})
    editor = window.write(":- a(1,1,1), not ab(my_rule).")
    window.verdict("No solution")
    window.load("killer")
    window.expect("h1 >> nth=0", "Killer without givens")
    window.verdict("1 solution")  # it was written for another puzzle
    window.expect(".legend", "my-rule is back on the shelf")
    brick = window.page.locator("[data-name=my-rule]")
    assert brick.count() == 0
    window.page.keyboard.press("ArrowLeft")
    window.verdict("solution")
    sync_api.expect(brick.get_by_role("switch")).to_have_attribute("aria-checked", "true")
    window.expect("h1 >> nth=0", "Killer without givens")
    window.page.go_forward()
    sync_api.expect(brick).to_have_count(0)
    window.press("Add an elaboration …")
    window.press("Rule my-rule")
    sync_api.expect(brick.get_by_role("switch")).to_have_attribute("aria-checked", "true")
    window.page.go_back()
    window.page.go_back()
    sync_api.expect(brick).to_have_count(1)  # as ← does
    window.page.go_back()
    window.expect("h1 >> nth=0", aspdoku.compose(SMALL).puzzle.name or "Sudoku")
    window.verdict("No solution")
    brick.locator(".name").click()
    editor = window.page.get_by_label("Text of your rule")
    assert editor.input_value() == ":- a(1,1,1), not ab(my_rule)."
    latin1 = {"name": "mine.lp", "mimeType": "text/plain", "buffer": b"% \xe9\n:- a(1,1,2)."}
    window.page.get_by_label("Open .lp").set_input_files(latin1)
    window.expect("[aria-label='Own rule'] .words", "mine.lp is not UTF-8 text")
    assert editor.input_value() == ":- a(1,1,1), not ab(my_rule)."
    utf8 = latin1 | {"buffer": b"% Mine.\n:- a(1,1,2)."}
    window.page.get_by_label("Open .lp").set_input_files(utf8)
    window.expect("[data-name=mine]", "Mine")
    assert editor.is_visible()
    assert editor.input_value() == "% Mine.\n:- a(1,1,2)."


def test_answers_about_an_earlier_state_are_not_shown(opened):
    """What was asked has changed before the answer."""
    window = opened(SMALL, live=True, answers={})
    waiting = {}  # the first question of each kind
    window.page.route(
        "**/ask", lambda route: waiting.setdefault(route.request.post_data_json["kind"], route)
    )
    editor = window.write("")
    window.verdict("1 solution")
    window.press("Check")
    window.expect("[aria-label='Own rule'] .words", "Checking")
    editor.fill(":- a(1,1,2), not ab(my_rule).")
    window.expect(".ground-rules", "added")
    window.more("Explain")
    window.expect(".reasons .words", "Looking for the steps")
    window.switch("Rule box")
    window.verdict("solution")
    while "explain" not in waiting:
        window.page.wait_for_timeout(50)
    waiting["check"].fulfill(json={"findings": [{"line": 1, "text": "a finding"}]})
    steps = pages.steps(aspdoku.explain(SMALL).data)
    waiting["explain"].fulfill(json={"steps": steps})
    window.page.wait_for_timeout(500)
    assert window.page.locator(".reasons .words").inner_text() == ""
    assert window.page.locator("[aria-label='Own rule'] .words").inner_text() == ""
    assert window.page.locator(".findings").inner_text() == ""


def test_other_sites_show_the_page_as_documented(browser, tmp_path, monkeypatch):
    """The code of docs/embedding.md, with the Content-Security-Policy that it names."""
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "embedding.md").read_text("utf-8")
    blocks = dict(re.findall(r"```(html|python)\n(.*?)```", text, re.S)[1:])
    frame = re.search(r"<iframe.*?</iframe>", text)[0]
    policy = re.search(r"Content-Security-Policy has to allow `(.*?)`", text)[1]
    exec(blocks["python"])
    site = tmp_path / "site"
    index = (site / "index.html").read_text("utf-8")
    for line in blocks["html"].splitlines():
        assert line.startswith("<script type=") or line in index
    (site / "lesson.html").write_text(handout(aspdoku.compose(KNIGHT)))
    (site / "frame.html").write_text(frame)

    def answer(route):
        path = urlsplit(route.request.url).path
        headers = {"Content-Security-Policy": policy} if path == "/index.html" else {}
        route.fulfill(path=site / path[1:], headers=headers)

    with closing(browser.new_context()) as context:
        context.route(f"{HOST}/**", answer)
        for name in ("index", "frame"):
            window = Window(context.new_page())
            window.page.goto(f"{HOST}/{name}.html")
            place = window.page.frame_locator("iframe") if name == "frame" else window.page
            expected = sync_api.expect(place.locator(".verdict"))
            expected.to_contain_text("1 solution", timeout=LONG)
            assert window.errors == []


AT_MOST = (
    "% At most.\n#defined atmost/3.  % atmost(R,C,V): the cell holds at most V\n"
    ":- atmost(R,C,V), a(R,C,N), N > V.\n"
)
WITH_SECTION = "....\n" * 4 + "[atmost]\n2 . . .\n. . . .\n. . . .\n. . . .\n"


def test_a_section_that_the_own_rule_declares(opened):
    """The cell in the corner holds 1 or 2: half of the 288 grids."""
    window = opened(
        WITH_SECTION, live=True, answers={"facts": lambda asked: QUESTIONS["facts"](asked, 10)}
    )
    window.verdict("288 solutions")
    editor = window.write(AT_MOST)
    window.verdict("144 solutions")
    window.expect(".facts", "atmost(1,1,2).")
    editor.fill("")
    window.verdict("288 solutions")
    window.expect(".facts", 'atmost(1,1,"2").')


def test_a_section_that_only_a_server_can_read(opened):
    window = opened(WITH_SECTION)
    window.write(AT_MOST)
    window.expect(".findings", "what the section [atmost] means depends on this rule")
    window.verdict("The rule cannot be used.")
