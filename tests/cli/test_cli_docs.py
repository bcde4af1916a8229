"""`aspdoku docs`: pages of documentation that need no network."""

import pytest
from cli_runner import ROOT, on_terminal, run, run_process

from aspdoku import manual

DOCS = ROOT / "docs"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of documentation with a page in a folder of its own."""
    (tmp_path / "docs" / "tasks").mkdir(parents=True)
    (tmp_path / "docs" / "start.md").write_text(
        "# The start\n\n```sh\n## no section\n```\n\n## One\n\n### Part\n\n## Two\n"
    )
    (tmp_path / "docs" / "tasks.md").write_text("# Tasks\n")
    (tmp_path / "docs" / "tasks" / "explaining.md").write_text("# To explain\n")
    (tmp_path / "docs" / "picture.svg").write_text("<svg/>")
    monkeypatch.setattr(manual, "data_dir", lambda: tmp_path / "asp")
    manual.pages.cache_clear()
    yield tmp_path / "docs"
    manual.pages.cache_clear()


@pytest.mark.usefixtures("folder")
def test_the_topics_are_the_pages_of_the_folder():
    result = run("docs")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "start             The start: One, Two",
        "tasks             Tasks",
        "tasks/explaining  To explain",
    ]
    assert run("docs", "tasks/explaining").stdout == "# To explain\n"


def test_each_page_has_one_line_and_is_printed_as_it_is():
    lines = run("docs").stdout.splitlines()
    assert {line.split()[0] for line in lines} >= {file.stem for file in DOCS.glob("*.md")}
    assert all(len(line) <= 110 for line in lines)
    done = run_process("docs", "glossary")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == (DOCS / "glossary.md").read_bytes()


def test_links_to_what_is_not_bundled_are_words(folder):
    text = """# Links

[To explain](tasks/explaining.md#one), [times](../bench/times.md), [with `code`](rules.md#a-rule),
[a site](https://example.org/rules.md), [below](#part), ![A picture](pictures/wall.png),
[two
lines](rules.md)

```text
[code](rules.md)
```
"""
    (folder / "links.md").write_text(text)
    manual.pages.cache_clear()
    for gone, words in (
        ("[times](../bench/times.md)", "times"),
        ("[with `code`](rules.md#a-rule)", "with `code`"),
        ("![A picture](pictures/wall.png)", "A picture"),
        ("[two\nlines](rules.md)", "two\nlines"),
    ):
        assert gone in text
        text = text.replace(gone, words)
    assert run("docs", "links").stdout == text


@pytest.mark.parametrize(
    ("topic", "near"), [("explaining", "tasks/explaining"), ("strat", "start"), ("../x", "")]
)
def test_an_unknown_topic(topic, near, folder):
    (folder.parent / "x.md").write_text("# No page\n")
    result = run("docs", topic)
    assert (result.exit_code, result.stdout) == (2, "")
    suggestion = f" Did you mean '{near}'?" if near else ""
    assert f"No such topic '{topic}'.{suggestion} `aspdoku docs` lists them\n" in result.stderr


def test_a_terminal_has_a_pager(tmp_path):
    pager = tmp_path / "pager"
    pager.write_text(f"#!/bin/sh\ncat > '{tmp_path}/paged'\necho shown\n")
    pager.chmod(0o755)
    shown, status = on_terminal(
        "docs", "glossary", streams=("stdin", "stdout", "stderr"), PAGER=str(pager)
    )
    assert (shown, status) == ("shown\n", 0)
    paged = (tmp_path / "paged").read_text("utf-8")
    assert paged.rstrip() == (DOCS / "glossary.md").read_text("utf-8").rstrip()
