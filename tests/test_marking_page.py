"""The set-ups in docs/marking.md work: their scripts run here, on the files of a small class."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "marking.md").read_text("utf-8")
RIGHT = "% By distance.\n:- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| == 3.\n"
WRONG = "% Half of the moves.\n:- a(R,C,N), a(R+1,C+2,N).\n"


def block(kind, after):
    """The first code block of a kind after these words."""
    found = re.search(rf"```{kind}\n(.*?)^```", PAGE[PAGE.index(after) :], re.M | re.S)
    return found[1]


def bash(script, folder):
    """Run a script in a folder, with this `aspdoku`."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.slow
def test_a_folder_of_submissions(tmp_path):
    for name, text in (("anna", RIGHT), ("bert", WRONG)):
        (tmp_path / "submissions" / name).mkdir(parents=True)
        (tmp_path / "submissions" / name / "rule.lp").write_text(text)
    (tmp_path / "reference.lp").write_text(RIGHT)
    plain, page, data = block("sh", "# Marking a class").splitlines()
    done = bash(plain, tmp_path)
    assert done.returncode == 1
    assert done.stdout.endswith("1 of 2 right\n")
    assert bash(page, tmp_path).returncode == 1
    assert "<svg" in (tmp_path / "class.html").read_text()
    verdicts = [file["verdict"] for file in json.loads(bash(data, tmp_path).stdout)["files"]]
    assert verdicts == ["right", "too lax"]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "status"), [(RIGHT, 0), (WRONG, 1), (None, 2)])
def test_the_workflow(text, status, tmp_path):
    """Its two steps that run aspdoku."""
    if text:
        (tmp_path / "rule.lp").write_text(text)
    steps = re.findall(r"run: \|\n +(aspdoku .*)\n", block("yaml", "## A runner"))
    mark, report = (bash(step, tmp_path) for step in steps)
    assert (mark.returncode, report.returncode) == (status, 0)
    ((case,),) = ElementTree.parse(tmp_path / "report.xml").getroot()
    assert [each.tag for each in case] == [{0: "system-out", 1: "failure", 2: "error"}[status]]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "score"), [(RIGHT, 10), (WRONG, 0), (None, 0)])
def test_gradescope(text, score, tmp_path):
    for folder in ("source", "submission", "results"):
        (tmp_path / folder).mkdir()
    (tmp_path / "source" / "reference.lp").write_text(RIGHT)
    if text:
        (tmp_path / "submission" / "rule.lp").write_text(text)
    script = block("bash", "`run_autograder`").replace("/autograder", str(tmp_path))
    assert bash(script, tmp_path).returncode == 0
    (test,) = json.loads((tmp_path / "results" / "results.json").read_text())["tests"]
    assert (test["score"], test["max_score"]) == (score, 10)
    assert test["output"].startswith("rule.lp: ")


def test_nbgrader():
    """Its two cells, with a right and a wrong rule."""
    cell, grading_cell = re.findall(r"```python\n(.*?)^```", PAGE, re.M | re.S)
    names = {}
    exec(f"import aspdoku\n{cell}{grading_cell.replace('size=6', 'size=4')}", names)
    wrong = cell.replace("== 3", "== 4")
    assert wrong != cell
    with pytest.raises(AssertionError, match=r"mine\.lp is stricter than .* at 4x4"):
        exec(f"{wrong}{grading_cell}", names)


def test_the_scripts_are_valid():
    scripts = [*re.findall(r"```(?:ba)?sh\n(.*?)^```", PAGE, re.M | re.S)]
    assert len(scripts) == 4
    for script in scripts:
        done = subprocess.run(["bash", "-n", "-c", script], capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"")
