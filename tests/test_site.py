"""The site is built without a warning, and each of its pages can be found."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason="needs aspdoku[docs]")
pytest.importorskip("myst_parser", reason="needs aspdoku[docs]")
pytest.importorskip("furo", reason="needs aspdoku[docs]")

DOCS = Path(__file__).parents[1] / "docs"


def test_each_page_is_in_a_list_of_contents():
    text = "".join(page.read_text("utf-8") for page in DOCS.glob("*.md"))
    listed = {
        name
        for tree in re.findall(r"```\{toctree\}\n(.*?)```", text, re.DOTALL)
        for name in tree.split("\n")
    }
    assert {page.stem for page in DOCS.glob("*.md")} - listed == {"index"}


@pytest.mark.slow
def test_the_site_is_built_and_needs_no_network(tmp_path):
    command = [sys.executable, "-m", "sphinx", "-W", "-q", str(DOCS), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    for page in tmp_path.rglob("*.html"):
        loaded = re.findall(
            r'<(?:script|img|iframe|link)\b[^>]*(?:src|href)="([^"]*)"', page.read_text("utf-8")
        )
        assert [url for url in loaded if url.startswith(("http", "//"))] == [], page.name
        for name in loaded:
            path = name.partition("?")[0].partition("#")[0]
            if path and ":" not in path:
                assert (page.parent / path).exists(), f"{page.name}: {name}"
    full = (tmp_path / "llms-full.txt").read_text("utf-8")
    assert "# User guide" in full
    assert "rules/thermo.html" in (tmp_path / "llms.txt").read_text("utf-8")
