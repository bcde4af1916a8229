"""`aspdoku lesson`: the check, pages in one file, sheets, and the server."""

import json
import re
from html import unescape
from itertools import pairwise

import pytest
from cli_runner import run
from instance_files import ROOT

from aspdoku.lesson import bundled_lessons, lesson
from aspdoku.web.lesson_page import join_parts, lesson_data, lesson_page
from aspdoku.web.page import ENGINE

SMALL = """---
title: A small lesson
minutes: 5
---

# The base {5 min}

One sentence.

```aspdoku
size: 4
code: base
```

? How many?

- [ ] 24
- [x] {count}

> {count}: </script><script>alert(1)</script>

```aspdoku reveal
show: all-solutions
expect: 576
```

```aspdoku reveal
add: box
```

Note:
- A note.
"""


@pytest.fixture
def small(tmp_path):
    file = tmp_path / "small.md"
    file.write_text(SMALL, "utf-8")
    return file


def data_in(page):
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', page, re.S)[1])


def test_check(small):
    result = run("lesson", "--check", small)
    assert result.exit_code == 0
    assert result.stdout == " 1   5 min  The base: 576 → 288\n1 step, 5 minutes\n"


def test_a_failed_expectation(small):
    small.write_text(SMALL.replace("expect: 576", "expect: 575"), "utf-8")
    result = run("lesson", "--check", small)
    assert (result.exit_code, result.stdout) == (65, "")
    assert f"{small}:24: expect: 575, but it is 576" in result.stderr


def test_mistakes_of_a_command(small, tmp_path):
    for arguments, status, message in (
        (["--check", "howr"], 65, "unknown lesson 'howr'. Did you mean 'hour'?"),
        (["--check", tmp_path / "none.md"], 65, "none.md"),
        (["--check", "--sheet", tmp_path / "x.html", small], 2, "exclude each other"),
        (["--handout", tmp_path / "x.txt", small], 2, "use the suffix .html"),
        (["-o", tmp_path / "x", small], 2, "requires --class"),
        (["--host", "0.0.0.0", small], 2, "requires --class"),
    ):
        result = run("lesson", *arguments)
        assert result.exit_code == status, arguments
        assert message in result.stderr


@pytest.mark.parametrize("option", ["--handout", "--sheet"])
def test_a_page_in_one_file(option, small, tmp_path):
    page = tmp_path / "page.html"
    result = run("lesson", option, page, small)
    assert (result.exit_code, result.output) == (0, "")
    text = page.read_text("utf-8")
    assert data_in(text)["title"] == "A small lesson"
    assert "alert(1)</script>" not in text
    assert not re.search(r'(?:src|href)="', text)
    assert [name in re.findall(r'id="([^"]+)"', text) for name in ENGINE] == [
        option == "--handout"
    ] * len(ENGINE)
    assert "default-src 'none'; style-src 'sha256-" in unescape(text)


def test_the_data_of_a_page(small):
    data = lesson_data(lesson(small))
    (step,) = data["steps"]
    first, wall, boxes = step["scenes"]
    assert [scene["verdict"] for scene in (first, wall, boxes)] == [
        None,
        {"count": 576, "was": None, "most": 1000},
        {"count": 288, "was": 576, "most": 1000},
    ]
    assert [scene["state"]["added"] for scene in (first, boxes)] == [[], ["box"]]
    assert [rule["name"] for rule in data["library"]] == ["box"]
    assert {*boxes["board"]["all"]["alive"]} < {*wall["board"]["all"]["alive"]}
    assert len(boxes["board"]["all"]["grids"]) == 576
    # The lines of boxes are drawn as soon as the rule is there.
    drawings = [data["puzzles"][scene["puzzle"]]["drawing"] for scene in (first, boxes)]
    assert drawings[0] != drawings[1]
    assert step["notes"] == [[["", "A note."]]]
    assert step["question"]["options"][1] == {"text": [["", "576"]], "right": True}


def test_where_a_class_joins(small):
    join = {"address": "a:1", "code": "k", "qr": {"d": "M0 0h1v1h-1z", "size": 21}}
    found = join_parts({**join, "addresses": ["a:1", "b:1"]}, "/wall")
    assert found == {**join, "wall": "/wall"}
    page = lesson_page(lesson_data(lesson(small)), token="t", join=found)
    assert data_in(page)["join"] == found
    assert '<meta name="aspdoku-token" content="t">' in page


def test_without_flask(small, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    result = run("lesson", small)
    assert result.exit_code == 65
    assert "pip install 'aspdoku[web]'" in result.stderr
    assert run("lesson", "--check", small).exit_code == 0


def test_the_bundled_lessons():
    assert [*bundled_lessons()] == ["fifteen", "hour"]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "minutes"), [("hour", 60), ("fifteen", 15)])
def test_a_bundled_lesson(name, minutes):
    found = lesson(bundled_lessons()[name])
    assert found.file.minutes == sum(each.step.minutes for each in found.steps) == minutes
    assert all(2 <= len(each.notes) <= 4 for each in found.steps)
    assert all(each.question and len(each.scenes) > 1 for each in found.steps)
    data = lesson_data(found)
    known = {rule["name"] for rule in data["library"]}
    for step in data["steps"]:
        for scene in step["scenes"]:
            assert {*scene["state"]["added"]} <= known
        for before, after in pairwise(step["scenes"]):
            if after["board"]["show"] == "candidates-changed":
                assert before["puzzle"] == after["puzzle"]
    counts = [
        [scene.count for scene in each.scenes if scene.is_counted]
        for each in found.steps
        if each.step.title in ("The base", "The box", "Offset", "Taking back", "The liar")
    ]
    # OEIS A002860 and A107739; the others are counted by clingo in tests/lesson/test_scenes.py.
    expected = {"hour": [[576], [576, 288], [342, 1], [1, 14], [0, 1]]}
    assert counts == expected.get(name, [[576], [576, 288], [1, 14]])


def test_no_number_of_a_bundled_lesson_is_typed_in_an_answer():
    for file in bundled_lessons().values():
        answers = [line for line in file.read_text("utf-8").splitlines() if line[:2] == "> "]
        for line in answers:
            prose = re.sub(r"`[^`]*`|\{[^}]*\}", "", line)
            assert not re.search(r"\d", prose), line


def test_stored_comparisons_are_those_of_the_table():
    stored = json.loads((ROOT / "rivals" / "changes.json").read_text("utf-8"))
    page = (ROOT / "docs" / "formalisms.md").read_text("utf-8")
    table = page.partition("## The table")[2].partition("\n## ")[0]
    lines = [line.strip("| ").split(" | ") for line in table.splitlines() if line[:1] == "|"]
    headings, rows = lines[0], {row[0]: row[1:] for row in lines[2:]}
    for change in stored.values():
        column = headings.index(change["change"])
        for row in change["rows"]:
            name = row["name"] + (" (ground)" if row["note"] == "ground" else "")
            shown = rows[name][column]
            if not shown.startswith("–"):
                added, removed = row["added"], row["removed"]
                assert shown == (f"+{added} −{removed}" if added or removed else "0")
