"""The transcripts and examples in README.md and the pages of docs/ are up to date."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import aspdoku

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
PAGES = {
    page.stem: page.read_text("utf-8") for page in sorted((ROOT / "docs" / "guide").glob("*.md"))
}
GUIDE = "\n".join(PAGES.values())
TRANSCRIPT = re.compile(r"```console\n\$ (.*)\n((?:.*\n)*?)```")
CONSOLE = list(dict.fromkeys(TRANSCRIPT.findall(README) + TRANSCRIPT.findall(GUIDE)))
ON_FORMATS = TRANSCRIPT.findall((ROOT / "docs" / "formats.md").read_text("utf-8"))
PYTHON = re.findall(r"```python\n((?:.*\n)*?)```", README)
PUZZLE_FILES = re.findall(r"```text\n((?:.*\n)*?)```", PAGES["puzzle-files"])


def environment():
    import os

    return os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


@pytest.mark.slow_cases(
    "aspdoku check docs/examples/anna.lp *",
    "aspdoku compare --table --engine asp-slides,asp,findling",
    "aspdoku count -c n=6 --estimate *",
    "aspdoku elaborate --brief --over docs/examples/anna.lp *",
)
@pytest.mark.parametrize(("command", "output"), CONSOLE, ids=[command for command, _ in CONSOLE])
def test_transcript(command, output):
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == output
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("command", "output"), ON_FORMATS, ids=[command for command, _ in ON_FORMATS]
)
def test_transcript_on_formats(command, output):
    """The output on a terminal, including warnings."""
    assert on_screen(command, ROOT) == output


def on_screen(command, folder):
    """What a command prints on standard output and standard error."""
    done = subprocess.run(
        ["bash", "-c", f"({command}) 2>&1"],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
    )
    return done.stdout


@pytest.mark.parametrize("code", PYTHON)
def test_python_example(code):
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("\nunique\n")


def test_puzzle_file():
    text, _ = PUZZLE_FILES
    puzzle = aspdoku.parse(text)
    facts = {str(fact) for fact in puzzle.facts}
    claimed = re.findall(r"-> (\w+\(.*?\))", text)
    assert len(claimed) == 4
    assert set(claimed) <= facts
    assert puzzle.givens() == {(1, 1): 3, (3, 3): 1}
    assert puzzle.elaborations == ("killer", "greater-than")
    assert puzzle.without == ("box",)


def test_puzzle_file_of_several_boards():
    _, text = PUZZLE_FILES
    found = aspdoku.solve(text)
    assert found.solution.numbers().items() >= aspdoku.parse(text).givens().items()
    assert len(found.solution.numbers()) == 28


@pytest.mark.slow
def test_the_tutorial(tmp_path):
    """Its files and commands in their order. Example grids depend on the version of clingo."""
    text = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
    blocks = re.findall(r"(?:^`([\w.-]+)`\n)?```(\w+)\n(.*?)^```$", text, re.M | re.S)
    assert [name for name, kind, _ in blocks if kind != "console"] == [
        *["no-touch.lp"] * 3,
        *["peak.lp", "hill.txt", "peak.draw"],
    ]
    for name, kind, content in blocks:
        if kind != "console":
            (tmp_path / name).write_text(content, "utf-8")
            continue
        for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", content, re.M):
            shown = on_screen(command, tmp_path)
            assert without_grids(shown) == without_grids(output), command
    assert "<svg" in (tmp_path / "hill.svg").read_text("utf-8")


def without_grids(text):
    """The words of a text, without the lines of grids and the names of cells."""
    lines = [line for line in text.splitlines() if not re.fullmatch(r"[\s\d\[\]|+-]*", line)]
    return re.sub(r"r\d+c\d+", "cell", " ".join(lines)).split()


def test_api_examples(monkeypatch):
    monkeypatch.chdir(ROOT)
    failed, examples = doctest.testfile(str(ROOT / "docs" / "api.md"), module_relative=False)
    assert (failed, examples > 30) == (0, True)


def test_every_public_name_has_an_example():
    api = (ROOT / "docs" / "api.md").read_text("utf-8")
    assert [name for name in aspdoku.__all__ if not re.search(rf"\b{name}\b", api)] == []
    assert set(aspdoku.__all__) <= set(dir(aspdoku))


def test_the_readme_is_short():
    assert len(README.splitlines()) <= 150


def test_links_lead_to_files():
    docs = [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "guide").glob("*.md")]
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *docs]
    for page in pages:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            # The site makes the pages of the reference; its build checks the links to them.
            if "reference/" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_both_commands_include_the_installation():
    commands = re.findall(r"```sh\n(.*)\n```", README)
    assert len(commands) == 2
    assert all(
        command.startswith("python3 -m venv .venv && .venv/bin/pip install --quiet ")
        for command in commands
    )
