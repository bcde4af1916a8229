"""Explanations as text, JSON and HTML: all claims of the steps are shown, and names are escaped."""

import json
import re
from functools import cache
from html.parser import HTMLParser

import pytest

import aspdoku
from aspdoku.explanation.explainer import Explainer
from aspdoku.explanation.steps import Claim, relevant_steps
from aspdoku.program import RuleFile, assemble, library
from aspdoku.puzzle import Puzzle
from aspdoku.questions.explain import Hint, SolutionExplanation, relevant_steps_text
from aspdoku.questions.explain_page import explanation_html as page_of
from aspdoku.questions.steps import step_lines, wrapped_lines
from aspdoku.questions.text import width

VOID = {"br", "hr", "img", "input", "meta", "link"}
EVIL = "</pre><script>alert(1)</script>&amp;<b>"
PUZZLES = {
    "four": (".4..\n...4\n..2.\n1...", []),
    "several": ("1234\n3...\n....\n....", []),
    "nine": (
        "..3.49..8\n.1.5...3.\n8.73.....\n.689....5\n2.......6\n4....671.\n.....59.3\n.8...1.6.\n9..23.1..",
        [],
    ),
    "hostile": (
        "1.3.\n....\n.1..\n....",
        [f'%@ {EVIL} {{N}}\nname("{EVIL}").\n:- name(X), a(R,C,N), a(R+1,C+1,N).'],
    ),
}


@cache
def explained(name):
    text, files = PUZZLES[name]
    puzzle = aspdoku.parse(text).replace(title=EVIL if name == "hostile" else "")
    rules = [
        library.base(),
        library.find("box"),
        *(RuleFile(EVIL, f"{EVIL}.lp", file) for file in files),
    ]
    explainer = Explainer(assemble(puzzle, rules))
    return explainer, list(explainer.steps())


def claims_of(text):
    """The claims in a text, such as `r1c1=2` or `r1c1 r1c2 are not 3`."""
    placed = {Claim(*map(int, found), True) for found in re.findall(r"r(\d+)c(\d+)=(\d+)", text)}
    gone = re.findall(r"((?:r\d+c\d+\s+)+)(?:is|are)\s+not\s+(\d+)", text)
    cells = {(r, c, n) for words, n in gone for r, c in re.findall(r"r(\d+)c(\d+)", words)}
    return placed | {Claim(*map(int, cell), False) for cell in cells}


@pytest.mark.slow_cases("nine")
@pytest.mark.parametrize("name", PUZZLES)
def test_the_text_of_a_step_has_all_conclusions_and_rules(name):
    explainer, steps = explained(name)
    assert steps
    for step in steps:
        words = wrapped_lines(step_lines(step))
        plain = " ".join(words.split())
        assert {claim for reason in step.reasons for claim in reason.claims} <= claims_of(words)
        for reason in step.reasons:
            assert all(" ".join(use.instance.words.split()) in plain for use in reason.rules)
        assert words.startswith(f"{step.number:>3}.")
        assert all(
            len(line) <= width() or " " not in line.strip() or EVIL in line
            for line in words.splitlines()
        )
    text = str(SolutionExplanation(explainer.explanation(steps)))
    assert f"{sum(bool(step.reasons) for step in steps)} step" in text
    assert ("several solutions" in text) == (not explainer.unique)


@pytest.mark.parametrize("name", PUZZLES)
def test_the_json_has_every_claim_with_its_rules(name):
    explainer, steps = explained(name)
    document = json.loads(json.dumps(SolutionExplanation(explainer.explanation(steps)).to_json()))
    assert document["unique"] == explainer.unique
    assert document["unexplained"] == []
    for step, entry in zip(steps, document["steps"], strict=True):
        assert (entry["number"], entry["kind"], entry["size"]) == (
            step.number,
            step.kind,
            step.size,
        )
        for kind, reasons in (("reasons", step.reasons), ("eliminations", step.eliminations)):
            for reason, each in zip(reasons, entry[kind], strict=True):
                assert [Claim.parse(text, Puzzle.blank(9)) for text in each["claims"]] == list(
                    reason.claims
                )
                assert [Claim.parse(text, Puzzle.blank(9)) for text in each["premises"]] == list(
                    reason.premises
                )
                assert [rule["words"] for rule in each["rules"]] == [
                    use.instance.words for use in reason.rules
                ]
                for rule in each["rules"]:
                    assert not any(
                        isinstance(value, str) and value.isdecimal()
                        for value in rule["values"].values()
                    )
                    assert {
                        "name",
                        "file",
                        "line",
                        "part",
                        "values",
                        "words",
                        "options",
                    } == rule.keys()


DEGREES = ["where", "rules", "what", "proof"]
PROGRAM = aspdoku.compose(Puzzle.blank(4))


@pytest.mark.parametrize("name", PUZZLES)
def test_each_level_of_a_hint_adds_detail_and_the_first_two_hide_the_number(name):
    for step in explained(name)[1]:
        reason = (*step.reasons, *step.eliminations)[0]
        where, rules, what, proof = (
            str(Hint(PROGRAM, step, degree, (), True)) for degree in DEGREES
        )
        assert {f"r{claim.row}c{claim.column}" for claim in reason.claims} == set(
            re.findall(r"r\d+c\d+", where)
        )
        assert claims_of(where) == set()
        assert rules.startswith(where)
        assert not set(reason.claims) & claims_of(rules)
        assert all(use.instance.words in rules for use in reason.rules)
        assert set(reason.claims) <= claims_of(what)
        assert proof.startswith(what)


@pytest.mark.parametrize("name", ["four", "nine"])
def test_the_relevant_steps_end_with_the_claim(name):
    _, steps = explained(name)
    claims = [claim for step in steps for reason in step.reasons for claim in reason.claims]
    for claim in claims[:: max(1, len(claims) // 12)]:
        words = relevant_steps_text(claim, relevant_steps(steps, claim))
        assert claim in claims_of(words.split("because")[-2].splitlines()[-1])


class Page(HTMLParser):
    """Checks that tags are closed; collects the text, and for each step the content of its cells.

    boards: for each step the texts and classes of each cell that has no given
    highlighted: for each step the cells of each kind
    """

    PIXELS = 48

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.scripts, self.texts, self.boards = [], 0, [], []
        self.sections, self.links, self.highlighted = [], [], []
        self.contents, self.content, self.kind, self.corner = {}, None, "", None
        self.feed(text)
        self.close()
        assert self.open == []
        self.boards = [
            {cell: self.contents[name] for cell, name in board.items()} for board in self.boards
        ]

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        self.scripts += tag == "script"
        if tag == "section":
            self.sections.append(attributes["id"])
            self.boards.append({})
            self.highlighted.append({})
        elif tag == "a":
            self.links.append(attributes["href"])
        elif tag == "g" and "defs" in self.open:
            self.content = self.contents.setdefault(attributes["id"], [])
        elif tag == "text" and self.content is not None:
            self.kind = attributes["class"]
        elif tag == "g":
            x, y = re.fullmatch(r"translate\((.*),(.*)\)", attributes["transform"]).groups()
            self.corner = float(x), float(y)
        elif tag == "polygon" and self.boards and "defs" not in self.open:
            self.highlighted[-1].setdefault(attributes["class"], []).append(attributes["points"])
        elif tag == "use" and "x" in attributes:
            cell = int(attributes["y"]) // self.PIXELS + 1, int(attributes["x"]) // self.PIXELS + 1
            self.boards[-1][cell] = attributes["href"].removeprefix("#")

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        if tag == "g":
            self.content = None

    def handle_data(self, data):
        if "defs" in self.open:
            if "text" in self.open and self.content is not None:
                self.content.append((self.kind, data))
        elif "script" not in self.open and "style" not in self.open:
            self.texts.append(data)

    def cells(self, step, kind):
        """The highlighted cells of a kind."""
        found = set()
        for points in self.highlighted[step].get(kind, ()):
            x, y = map(float, points.split()[0].split(","))
            left, top = self.corner
            found.add((round((y - top) / self.PIXELS) + 1, round((x - left) / self.PIXELS) + 1))
        return found


def shown_steps(explainer, steps):
    """The steps of a page: for a unique solution, those that conclude something."""
    return [step for step in steps if step.reasons or not explainer.unique]


@pytest.mark.parametrize("name", PUZZLES)
def test_the_page_is_well_formed_and_has_the_text_of_each_step(name):
    explainer, steps = explained(name)
    shown = shown_steps(explainer, steps)
    page = Page(page_of(explainer.explanation(steps)))
    assert len(page.boards) == len(shown)
    assert page.sections == [f"step-{number}" for number in range(1, len(shown) + 1)]
    assert page.links == [f"#{name}" for name in page.sections]
    text = "".join("".join(page.texts).split())
    assert all("".join(wrapped_lines(step_lines(step)).split()) in text for step in shown)
    assert page.scripts == 1


def test_titles_and_rules_are_escaped():
    explainer, steps = explained("hostile")
    html = page_of(explainer.explanation(steps))
    assert "<script>alert" not in html
    assert EVIL in "".join(Page(html).texts)


def test_the_page_is_self_contained():
    explainer, steps = explained("four")
    html = page_of(explainer.explanation(steps))
    assert not any(word in html for word in ("http:", "https:", "src=", "@import", "url("))
    assert set(re.findall('href="(.)', html)) == {"#"}


@pytest.mark.parametrize("name", PUZZLES)
def test_the_board_of_a_step_has_the_numbers_and_candidates_at_that_step(name):
    explainer, steps = explained(name)
    puzzle = explainer.constraints.program.puzzle
    numbers, gone = {}, set()
    page = Page(page_of(explainer.explanation(steps)))
    shown = shown_steps(explainer, steps)
    for step in steps:
        claims = [
            claim for reason in (*step.eliminations, *step.reasons) for claim in reason.claims
        ]
        before = set(gone)
        numbers |= {claim[:2]: claim.number for claim in claims if claim.holds}
        gone |= {claim[:3] for claim in claims if not claim.holds}
        if step not in shown:
            continue
        index = shown.index(step)
        board = page.boards[index]
        concluded = {claim[:2] for reason in step.reasons for claim in reason.claims}
        assert page.cells(index, "concluded") == concluded
        span = range(1, puzzle.size + 1)
        assert board.keys() == {(r, c) for r in span for c in span} - puzzle.givens().keys()
        for (r, c), content in board.items():
            if (r, c) in numbers:
                assert content == [("solved", str(numbers[r, c]))]
                continue
            left = [int(text) for kind, text in content if kind == "candidate"]
            struck = {(r, c, int(text)) for kind, text in content if kind == "eliminated"}
            assert left == [n for n in span if (r, c, n) not in gone]
            assert struck <= gone - before
            assert struck >= {
                claim[:3]
                for reason in step.reasons
                for claim in reason.claims
                if not claim.holds and claim[:2] == (r, c) and claim[:3] not in before
            }


def test_the_cells_of_the_cited_rules_are_highlighted():
    """A cage of 3 in r1c1 r1c2 excludes 1 and 2 from r1c3; row 1 needs them there."""
    grid = ". . . .\n" * 4 + "[cage]\nA A . .\n. . . .\n. . . .\n. . . .\nA = 3\n"
    explanation = aspdoku.explain(aspdoku.parse(f"with: killer\n\n{grid}"))
    page = Page(explanation.to_html())
    cage = {(1, 1), (1, 2)}
    units = [{(1, c) for c in range(1, 5)}, {(1, 1), (1, 2), (2, 1), (2, 2)}]
    citing = [
        index
        for index, step in enumerate(step for step in explanation.steps if step.reasons)
        if any("killer" in reason.uses for reason in step.reasons)
    ]
    assert citing
    for index in citing:
        marked = {
            kind: page.cells(index, kind) for kind in ("concluded", "clue", "looked", "cited")
        }
        assert marked["clue"] <= cage
        everything = set().union(*marked.values())
        assert any(unit <= everything for unit in units)


CONFLICTS = [
    "11..\n....\n....\n....",
    "1.1.\n....\n....\n1...",
    "123.\n...4\n....\n....",
    "1...\n....\n....\n....",
]


@pytest.mark.parametrize("text", CONFLICTS)
def test_the_text_and_json_of_a_conflict_have_its_givens_and_rules(text):
    report = aspdoku.conflict(assemble(aspdoku.parse(text), [library.base(), library.find("box")]))
    found, words = report.data, str(report)
    document = json.loads(json.dumps(report.to_json()))
    assert document["cause"] == found.cause
    assert {claim for conflict in found.conflicts for claim in conflict.givens} | set(
        found.repairs
    ) <= claims_of(words)
    for conflict, entry in zip(found.conflicts, document["conflicts"], strict=True):
        assert entry["givens"] == list(map(str, conflict.givens))
        assert [rule["words"] for rule in entry["rules"]] == [each.words for each in conflict.rules]
        assert found.steps or all(each.words in words for each in conflict.rules)
    assert document["repairs"] == list(map(str, found.repairs))
    assert (found.cause == "none") == ("the puzzle has a solution: no conflict" in words)
