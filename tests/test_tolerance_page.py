"""The page of measured tolerance: its figures are those of commands, and of what was measured."""

import json
import random
import re
import sys
from pathlib import Path

import pytest
from collected_puzzles import DATA

import aspdoku
from aspdoku.formats import registry
from aspdoku.questions.tolerance import measured

ROOT = Path(__file__).parents[1]
MEASURED = ROOT / "docs" / "measured"
OURS, SLIDES = "asp/base.lp", "asp/slides/base.lp"


def rows(name):
    return json.loads((MEASURED / f"{name}.json").read_text("utf-8"))["collections"]


@pytest.fixture
def page(monkeypatch):
    """The module that makes the page."""
    monkeypatch.syspath_prepend(ROOT / "docs")
    import tolerance

    assert Path(sys.modules["tolerance"].__file__).parent == ROOT / "docs"
    return tolerance


# What `aspdoku elaborate --all` prints, in short.
TABLE = """
$ aspdoku elaborate --all
Base: asp/base.lp

box          restricts       4        0     157      486/486      0    162     576    288
(no boxes)   retracts        1        0       4      486/486      0      0     288    576

Base: asp/slides/base.lp

(no boxes)   surgery         1        1      31      576/608     32     32     288    576
```
"""


@pytest.fixture
def made(page):
    """The page and its pictures, by file."""
    return dict(page.pages(TABLE))


def test_every_bundled_puzzle_is_measured_over_both_bases():
    files = [
        file
        for file in (ROOT / "instances").rglob("*.txt")
        if not file.name.endswith(".solution.txt")
    ]
    for base in (OURS, SLIDES):
        measured = [row for row in rows("bundled") if row["base"] == base]
        assert {row["name"]: row["read"] for row in measured} == {
            folder.relative_to(ROOT).as_posix(): sum(file.parent == folder for file in files)
            for folder in {file.parent for file in files}
        }, "run `python docs/tolerance.py bundled`"


@pytest.mark.parametrize("name", ["bundled", "others"])
def test_each_measured_puzzle_has_one_fate(name):
    assert rows(name)
    for row in rows(name):
        assert sum(row["fates"].values()) == row["read"] <= row["puzzles"]
        untouched = sum(row["fates"][fate] for fate in ("kept", "retracted", "changed"))
        with_ground_program = sum(often for _, often in row["new"])
        assert untouched <= with_ground_program <= row["read"] - row["fates"]["unfit"]
        if row["base"] == OURS:
            assert row["fates"]["edited"] == row["fates"]["unfit"] == 0


@pytest.mark.slow
def test_a_dot_stands_for_each_rule_and_is_below_the_line_if_ground_rules_are_gone(page):
    names = {rule.name for rule in aspdoku.rules() if rule.vetted and rule.name != "base"}
    import build

    text = f"$ aspdoku elaborate --all\n{build.printed('elaborate --all')}```"
    made = dict(page.pages(f"\n{text}"))
    tables = text.partition("$ aspdoku elaborate --all")[2].split("Base: ")[1:3]
    for table, kind in zip(tables, ("ours", "slides"), strict=True):
        dots = re.findall(
            r'<circle class="(\w+)"[^>]*><title>(.+?): ', made[f"tolerance-rules-{kind}.svg"]
        )
        listed = {name for _, name in dots}
        assert len(dots) == len(listed) > 100
        assert listed - {"(no boxes)"} == {
            name for name in names if re.search(rf"^{name}\*? ", table, re.MULTILINE)
        }
        for state, name in dots:
            (line,) = re.findall(rf"^{re.escape(name)}\*? +[a-z]+ +\d.*", table, re.MULTILINE)
            kept, whole = re.search(r" (\d+)/(\d+) ", line).groups()
            assert (state == "kept") == (kept == whole != "0"), name


def test_the_bars_of_formalisms_have_the_figures_of_their_table(made):
    text = (ROOT / "docs" / "formalisms.md").read_text("utf-8")
    table = text.partition("`aspdoku compare --table`\n\n")[2].partition("\n\n")[0]
    figures = re.findall(r"\+(\d+) −(\d+)", table)
    picture = made["tolerance-formalisms.svg"]
    for kind, index in (("added", 0), ("removed", 1)):
        drawn = re.findall(rf"<title>(\d+) {kind}</title>", picture)
        zeros = len(re.findall(r"\| 0(?= \|)", table))
        assert sorted(map(int, drawn)) == sorted(
            [*(int(pair[index]) for pair in figures), *[0] * zeros]
        )
    assert picture.count("no figures") == table.count("– (")


def test_the_answer_has_the_numbers_of_puzzles(made):
    every = [*rows("bundled"), *rows("others")]
    named = {
        (row["name"], row["format"])
        for row in every
        if row["base"] == OURS and max((n for n, _ in row["added"]), default=0)
    }
    for base, words in ((OURS, "over our base"), (SLIDES, "Over the slides' base, at least")):
        fates = [
            row["fates"]
            for row in every
            if row["base"] == base and (row["name"], row["format"]) in named
        ]
        untouched = sum(each[fate] for each in fates for fate in ("kept", "retracted", "changed"))
        whole = sum(sum(each.values()) for each in fates)
        answer = " ".join(made["tolerance.md"].split())
        assert f"{words} {untouched} of {whole} (" in answer


def measured_now(path):
    """The rows of a collection as they are measured now."""
    return measured([path]).to_json()["collections"]


def assert_equal(now, before):
    """That the figures are the same, except where one is open, which the machine decides."""
    assert len(now) == len(before) > 0
    for new, old in zip(now, before, strict=True):
        assert (new["puzzles"], new["read"]) == (old["puzzles"], old["read"])
        if new["fates"]["open"] == old["fates"]["open"] == 0:
            assert {**new, "name": ""} == {**old, "name": ""}


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["boards", "csp", "lessons", "owl", "prolog", "slides"])
def test_the_figures_of_bundled_puzzles_are_up_to_date(folder, monkeypatch):
    monkeypatch.chdir(ROOT)
    name = f"instances/{folder}"
    known = [row for row in rows("bundled") if row["name"].startswith(name)]
    assert_equal(measured_now(Path(name)), known)


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason=f"the published puzzles are not in {DATA}")
def test_the_figures_of_a_format_of_other_puzzles_are_up_to_date(tmp_path):
    """A random one with few puzzles: all would take an hour."""
    others = rows("others")
    row = random.choice([row for row in others if row["base"] == OURS and row["puzzles"] < 30])
    source = DATA / row["name"]
    lines = []
    for line in source.read_text("utf-8").splitlines():
        entry = json.loads(line)
        text = entry.get("puzzle") or entry["url"]
        text = text if isinstance(text, str) else json.dumps(text)
        if (registry.detect(text) or registry.NATIVE).name == row["format"]:
            lines.append(line)
    (tmp_path / source.name).write_text("\n".join(lines))
    about = row["name"], row["format"]
    known = [each for each in others if (each["name"], each["format"]) == about]
    assert_equal(measured_now(tmp_path / source.name), known)
