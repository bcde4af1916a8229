"""What Python gives the live page and handouts: data, programs, checksums, and escaped text."""

import base64
import gzip
import hashlib
import importlib.metadata
import json
import re
import shutil
import subprocess
from functools import partial
from html import unescape

import clingo
import pytest
from click.testing import CliRunner
from in_one_test import in_one_test
from instance_files import ROOT

import aspdoku
from aspdoku.cli import cli
from aspdoku.errors import AspdokuError, TimeLimitError
from aspdoku.formats.detection import examples
from aspdoku.questions.explain import SolutionExplanation, explain
from aspdoku.web import page
from aspdoku.web.handout import handout

pytestmark = pytest.mark.versions

SMALL = "1... ..3. .4.. 2..."
MARKUP = "</script><script>alert(1)</script>"
NODE = shutil.which("node")


def run(*arguments):
    return CliRunner().invoke(cli, list(map(str, arguments)))


def data_in(html):
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', html, re.S)[1])


def test_the_checksums_of_the_engine():
    text = (page.STATIC / "README.md").read_text("utf-8")
    wasm = page.static("clingo.wasm.gz")
    for content in (wasm, gzip.decompress(wasm), page.static("clingo.js")):
        assert hashlib.sha256(content).hexdigest() in text


def test_the_parts_of_a_program():
    program = aspdoku.compose("example:killer", without="box")
    found = page.parts(program)
    base = (ROOT / "asp" / "base.lp").read_bytes()
    assert found["base"]["text"].encode() == base
    assert found["base"]["sha256"] == hashlib.sha256(base).hexdigest()
    assert found["base"]["retracts"] == ["column", "row"]
    assert [rule["name"] for rule in found["rules"]] == ["box", "killer"]
    assert found["retracted"] == ["box"]
    assert aspdoku.parse(found["source"]).facts == program.puzzle.facts


def test_added_rules_are_drawn_as_those_of_the_puzzle():
    added = page.program_of({"puzzle": SMALL, "added": ["diagonal"]})
    named = aspdoku.compose(f"with: diagonal\n{SMALL}")
    assert page.drawings(added)["drawing"] == page.parts(named)["drawing"]
    drawn = {rule["name"] for rule in page.rules_to_add() if rule["isDrawn"]}
    assert {"diagonal", "killer"} <= drawn
    assert "anti-knight" not in drawn


def test_the_state_of_a_page_describes_its_program():
    program = aspdoku.compose(SMALL, "anti-knight", without="row")
    found = page.parts(program)
    state = {
        "puzzle": found["source"],
        "givens": found["givens"],
        "added": ["box", "anti-knight"],
        "retracted": ["row"],
    }
    assert str(page.program_of(state)).split("% -- ")[-2:] == str(program).split("% -- ")[-2:]
    changed = page.program_of({**state, "givens": [[None, 2, None, None], *found["givens"][1:]]})
    assert changed.puzzle.givens()[1, 2] == 2
    own = [{"name": "no-ones", "text": ":- a(1,1,1), not ab(no_ones).\n"}]
    assert ":- a(1,1,1), not ab(no_ones)." in str(page.program_of({**state, "own": own}))
    assert page.program_of({"puzzle": "example:killer"}).puzzle.title == "Killer without givens"


@in_one_test(
    ("state", "message"),
    [
        ({}, "the puzzle is missing"),
        ({"puzzle": 1}, "the puzzle is missing"),
        ({"puzzle": "1" * 200_000}, "at most 100000 characters"),
        ({"puzzle": SMALL, "givens": [[1]]}, "expected 4 rows of numbers"),
        ({"puzzle": SMALL, "givens": [[5, 1, 1, 1]] * 4}, "expected 4 rows of numbers"),
        ({"puzzle": SMALL, "givens": [["1"] * 4] * 4}, "expected 4 rows of numbers"),
        ({"puzzle": SMALL, "givens": [[[]] * 4] * 4}, "expected 4 rows of numbers"),
        ({"puzzle": SMALL, "givens": [[1.0] * 4] * 4}, "expected 4 rows of numbers"),
        ({"puzzle": SMALL, "givens": [[True] * 4] * 4}, "expected 4 rows of numbers"),
        ({"puzzle": SMALL, "added": "box"}, "expected a list of names in added"),
        ({"puzzle": SMALL, "added": ["../base"]}, "unknown rule '../base'"),
        ({"puzzle": SMALL, "added": ["./mine.lp"]}, "unknown rule './mine.lp'"),
        ({"puzzle": SMALL, "retracted": ["nothing"]}, "cannot retract 'nothing'"),
        ({"puzzle": SMALL, "own": ["x"]}, "expected a name and a text"),
        ({"puzzle": SMALL, "own": [{"name": "x", "text": "x" * 100_001}]}, "rule too long"),
        ({"puzzle": SMALL, "own": [{"name": "x\n#include", "text": ""}]}, "invalid name of a rule"),
        ({"puzzle": SMALL, "own": [{"name": "x", "text": "p("}]}, "x.lp:1"),
        ({"puzzle": SMALL, "own": [{"name": "x", "text": '#include "y".'}]}, "include"),
    ],
)
def test_an_invalid_state_is_an_error(state, message):
    with pytest.raises(AspdokuError) as error:
        page.program_of(state)
    assert message in str(error.value)


def test_cells_whose_numbers_are_not_part_of_the_puzzle():
    """Black cells of Str8ts hide their numbers, and unused cells show none."""
    black = aspdoku.compose("example:str8ts")
    names = {"r{}c{}".format(*fact.arguments) for fact in black.puzzle.facts}
    assert set(page.parts(black)["drawing"]["inks"]) == names
    boards = aspdoku.compose(ROOT / "instances" / "boards" / "oblong.txt")
    unused = [f"r{row}c{column}" for row, column in sorted(boards.puzzle.unused)]
    assert page.parts(boards)["drawing"]["unused"] == unused != []
    steps = page.steps(aspdoku.explain(boards).data)
    shown = {f"r{row}c{column}" for step in steps for row, column, _ in step["candidates"]}
    assert shown
    assert shown.isdisjoint(unused)


@pytest.mark.parametrize("server", [False, True])
def test_text_of_a_puzzle_is_escaped(server):
    program = aspdoku.compose(f"title: {MARKUP}\n{SMALL}")
    html = page.live_page(program, server=server, token="secret" if server else "")
    assert "<script>alert" not in html
    assert data_in(html)["title"] == MARKUP
    assert ('<meta name="aspdoku-token" content="secret">' in html) == server
    assert 'style="' not in html  # the Content-Security-Policy excludes style attributes
    assert len(data_in(html)["library"]) == len(aspdoku.rules())


@pytest.mark.slow
def test_a_handout_allows_only_its_own_script():
    html = handout(aspdoku.compose(f"title: {MARKUP}\n{SMALL}"))
    assert "<script>alert" not in html
    policy = re.search(r'Content-Security-Policy" content="(.*?)"', html)[1].replace("&#39;", "'")
    scripts = re.findall(r'<script type="module">(.*?)</script>', html, re.S)
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.S)
    for text in (*scripts, style):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert len(scripts) == 1
    assert "unsafe-inline" not in policy
    assert 'style="' not in html
    assert re.findall(r'(?:src|href)="(?!#)[^"]*"', html) == []


def test_a_handout_offers_the_bundled_rules_without_inputs(tmp_path, monkeypatch):
    """None of its author, such as the solution of an exercise."""
    (tmp_path / "secret.lp").write_text(":- a(1,1,1).")
    monkeypatch.setenv("ASPDOKU_PATH", str(tmp_path))
    found = {rule["name"]: rule["text"] for rule in data_in(handout(SMALL))["library"]}
    files = (ROOT / "asp" / "elaborations").glob("*.lp")
    texts = {file.stem: file.read_text("utf-8") for file in files}
    assert found == {
        name: text
        for name, text in texts.items()
        if not re.findall(r"#defined (?!ab/|adjacent/|sees/)", text)
    }
    assert "anti-knight" in found


@pytest.mark.slow
def test_a_handout_contains_the_licences_of_clingo():
    """Each requires that its notice is in all copies; a page without clingo needs none."""
    html, static = (unescape(handout(SMALL, static_only=each)) for each in (False, True))
    for notice in (
        "Copyright 2017 Roland Kaminski",  # LICENSE.md of clingo
        "Copyright (c) 2015-present Benjamin Kaufmann",  # LICENSE of clasp
        "Copyright (C) 1994-2023 Lua.org, PUC-Rio.",
        "Permission is hereby granted, free of charge",
    ):
        assert notice in html
        assert notice not in static
    for file in importlib.metadata.files("clingo"):
        assert file.name != "LICENSE.md" or file.read_text().strip() in html


@pytest.mark.slow
def test_a_static_handout_has_no_scripts(tmp_path):
    file = tmp_path / "print.html"
    done = run("handout", "--static", "-o", file, "--with", "anti-knight", "-c", "n=4")
    assert (done.exit_code, done.output) == (0, "")
    html = file.read_text("utf-8")
    assert "<script" not in html
    assert len(html) < 200_000
    text = (ROOT / "asp" / "elaborations" / "anti-knight.lp").read_text("utf-8")
    assert text in unescape(html)
    blank = "." * 16
    assert html == aspdoku.handout(blank, with_="anti-knight", static_only=True)
    with pytest.raises(AspdokuError, match="the rules, constants and facts of a composed program"):
        aspdoku.handout(aspdoku.compose(blank), with_="anti-knight")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["-o", "page.txt", SMALL], 2, "use the suffix .html"),
        (["-o", "page.html", "11.. .... .... ...."], 20, "no solution"),
        (["-o", "page.html", "missing.txt"], 65, "missing.txt"),
    ],
)
def test_errors_of_handout(arguments, status, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("handout", *arguments)
    assert done.exit_code == status
    assert message in done.output
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="needs node")
def test_the_page_composes_and_solves_every_bundled_puzzle_like_the_program():
    """Byte for byte the same program, and 0, 1 or several solutions, as plain clingo finds."""
    programs = {name: aspdoku.compose(f"example:{name}") for name in examples()}
    lines = [json.dumps(page.parts(program)) for program in programs.values()]
    script = [NODE, ROOT / "tests" / "web" / "engine_in_node.mjs"]
    done = subprocess.run(
        script, input="\n".join(lines), capture_output=True, text=True, timeout=500, check=True
    )
    answers = list(map(json.loads, done.stdout.splitlines()))
    for (name, program), answer in zip(programs.items(), answers, strict=True):
        assert answer["program"] == str(program), name
        control = clingo.Control(["--eq=0", "--project=project", "2"], logger=lambda *_: None)
        control.add("base", [], str(program))
        control.ground([("base", [])])
        with control.solve(yield_=True) as found:
            assert answer["found"] == sum(1 for _ in found), name


@pytest.mark.slow
@pytest.mark.parametrize("static_only", [False, True])
def test_a_handout_says_that_its_steps_were_cut_off(static_only, monkeypatch):
    def first_steps(*arguments, **options):
        found = explain(*arguments, **options).data
        cut = {"steps": found.steps[:1], "unexplained": (1, 2), "ended": "time"}
        return SolutionExplanation(found._replace(**cut))

    def nothing(*_, **__):
        raise TimeLimitError("time limit reached")

    def cut_off():
        """The sentence in the readable part of the page, and in its data."""
        html = aspdoku.handout(SMALL, static_only=static_only, time_limit=60)
        (shown,) = re.findall(r'step by step</h2>.*<p class="remark">(.*?)</p>', html, re.S) or [""]
        if not static_only:
            assert data_in(html)["cut_off"] == (shown or None)
            assert data_in(html)["complete"] == (not shown)
        return shown

    assert cut_off() == ""
    monkeypatch.setattr("aspdoku.web.handout.explain", first_steps)
    assert cut_off() == "Cut off after 60 s: 2 conclusions not explained."
    monkeypatch.setattr("aspdoku.web.handout.explain", nothing)
    assert cut_off() == "Cut off after 60 s: no step was found."


def test_pages_have_the_words_of_a_puzzle_and_not_its_stated_solution():
    solution = tuple(tuple(map(int, row)) for row in ("1423", "2314", "3142", "4231"))
    puzzle = aspdoku.parse(SMALL).replace(
        author="Ada", rules=f"One.\nTwo {MARKUP}", unsupported=("x",), solution=solution
    )
    html = page.live_page(aspdoku.compose(puzzle), server=True)
    found = data_in(html)
    assert (found["title"], found["rules_in_words"]) == ("by Ada", puzzle.rules)
    assert aspdoku.parse(found["source"]) == puzzle.replace(solution=None)
    assert "solution:" not in html
    assert MARKUP not in html


@pytest.fixture
def own_files(tmp_path, monkeypatch):
    """A puzzle with two rules of its author, by path and by name; a third one is not used."""
    rule = "% A rule of the author: {0}.\n#defined ab/1.\n:- a(1,1,N), a(4,4,N), not ab({0}).\n"
    for folder, name in (("path", "named"), ("path", "secret"), ("puzzles", "beside")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / f"{name}.lp").write_text(rule.format(name))
    file = tmp_path / "puzzles" / "mine.txt"
    file.write_text("with: beside.lp, named, anti-knight\n1...\n....\n....\n...2\n")
    monkeypatch.setenv("ASPDOKU_PATH", str(tmp_path / "path"))
    return file


@pytest.mark.parametrize(
    "page_of",
    [
        lambda program: page.live_page(program, server=True, token="x"),
        pytest.param(handout, marks=pytest.mark.slow),
        pytest.param(partial(handout, static_only=True), marks=pytest.mark.slow),
    ],
    ids=["served", "handout", "static"],
)
def test_a_page_contains_of_the_files_of_its_author_only_what_it_shows(page_of, own_files):
    """No folder, and no rule that the puzzle does not use."""
    html = page_of(aspdoku.compose(own_files))
    assert str(own_files.parents[1]) not in html
    assert "secret" not in html.replace('"secret-', "")
    for name in ("named", "beside"):
        assert f"A rule of the author: {name}." in html
        assert f"{name}.lp" in html


@pytest.mark.slow
def test_the_own_rules_of_a_page_are_sent_as_texts(own_files, monkeypatch):
    """A server that reads no files of the author answers about the same program."""
    program = aspdoku.compose(own_files)
    found = data_in(page.live_page(program, server=True))
    others = [rule for rule in found["rules"] if not rule["place"].startswith("asp/")]
    assert [rule["place"] for rule in others] == ["beside.lp", "named.lp"]
    monkeypatch.delenv("ASPDOKU_PATH")
    own = [{"name": rule["name"], "text": rule["text"]} for rule in others]
    answered = page.program_of({"puzzle": found["source"], "own": own})
    rules = [{part.rule.text for part in each.parts} for each in (program, answered)]
    assert rules[0] == rules[1]
    assert answered.puzzle.grid == program.puzzle.grid


@pytest.mark.parametrize(
    "state",
    [
        {"own": [{"name": f"r{number}", "text": ""} for number in range(5000)]},
        {"added": ["anti-knight"] * 5000},
        {"retracted": ["box"] * 5000},
        {"own": [{"name": "mine", "text": "%" * 5_000_000}]},
    ],
    ids=lambda state: str(*state),
)
def test_a_state_has_limits(state):
    with pytest.raises(AspdokuError, match=r"at most|more than"):
        page.program_of({"puzzle": SMALL} | state)
