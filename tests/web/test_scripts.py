"""The scripts of pages: modules that a handout contains as one, and their tests in Node."""

import re
import shutil
import subprocess

import pytest
from instance_files import ROOT

from aspdoku.web import page

NODE = shutil.which("node")
OWN = sorted(file for file in page.STATIC.glob("*.js") if file.name != "clingo.js")
DECLARATION = re.compile(r"(?:export )?(?:(?:async )?(?:function|class) (\w+)|(?:const|let) (.+))")


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_the_modules_in_node():
    files = sorted((ROOT / "tests" / "web").glob("*.test.mjs"))
    done = subprocess.run(
        [NODE, "--test", *files], capture_output=True, text=True, timeout=120, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(files) <= int(re.search(r"^(?:#|ℹ) pass (\d+)", done.stdout, re.MULTILINE)[1])


def names(text):
    """The names that a module declares for all of its functions."""
    for line in text.splitlines():
        if found := DECLARATION.match(line):
            yield from [found[1]] if found[1] else re.findall(r"(?:^|(?<=, ))\w+(?= =)", found[2])


def test_the_modules_in_a_handout_have_no_name_twice():
    declared = [each for name in page.scripts() for each in names(page.static(name).decode())]
    assert {"LARGEST", "TOO_LONG", "token", "HALVING_SECONDS", "Session", "h"} <= {*declared}
    assert sorted(declared) == sorted(set(declared))


def test_a_handout_has_all_modules_and_no_import_is_left():
    modules = page.scripts()
    pages = {"exercise.js", "wall.js", "witness.js", "class.js", "join.js", "worker.js"}
    pages |= {"slide.js", "statements.js", "forbidden.js"}
    assert {*modules} | pages == {file.name for file in OWN}
    for index, name in enumerate(modules):
        imported = re.findall(r'^[^*]+ from "\./(.+)";$', page.static(name).decode(), re.MULTILINE)
        assert {*imported} <= {*modules[:index]}, name
    text = page.script_in_page()
    assert not re.search("^(?:import|export) ", text, re.MULTILINE)
    elements = re.findall(r'customElements.define\("([\w-]+)"', text)
    assert {*elements} == {f"aspdoku-{name}" for name in ("board", "live", "slide", "tower")}


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_a_handout_is_one_module(tmp_path):
    """A name that is declared twice, and an import that is left, are errors of syntax."""
    file = tmp_path / "page.mjs"
    file.write_text(page.script_in_page(), "utf-8")
    subprocess.run([NODE, "--check", file], check=True, timeout=60)


@pytest.mark.parametrize("file", OWN, ids=lambda file: file.name)
def test_scripts_are_checked_and_fit_on_a_screen(file):
    lines = file.read_text("utf-8").splitlines()
    assert lines[0] == "// @ts-check"
    assert max(map(len, lines)) <= 120
