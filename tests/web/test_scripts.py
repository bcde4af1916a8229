"""The scripts of pages: modules that a handout contains as one, and their tests in Node."""

import re
import shutil
import subprocess

import pytest
from in_one_test import in_one_test
from instance_files import ROOT

from aspdoku.web import page

NODE = shutil.which("node")
OWN = sorted(file for file in page.STATIC.glob("*.js") if file.name != "clingo.js")
# The pages that are also made as one file, each with some names in its modules.
PAGES = {
    "live.js": {"LARGEST", "TOO_LONG", "token", "HALVING_SECONDS", "Session", "h"},
    "lesson.js": {"LARGEST", "Session", "Stack", "GridWall", "Notes", "positionIn"},
    "sheet.js": {"Board", "bricksOf", "sheetOf"},
}
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


@pytest.mark.parametrize("main", PAGES)
def test_the_modules_in_one_file_have_no_name_twice(main):
    declared = [each for name in page.scripts(main) for each in names(page.static(name).decode())]
    assert PAGES[main] <= {*declared}
    assert sorted(declared) == sorted(set(declared))


@pytest.mark.parametrize("main", PAGES)
def test_one_file_has_all_modules_and_no_import_is_left(main):
    modules = page.scripts(main)
    for index, name in enumerate(modules):
        imported = re.findall(r'^[^*]+ from "\./(.+)";$', page.static(name).decode(), re.MULTILINE)
        assert {*imported} <= {*modules[:index]}, name
    text = page.script_in_page(main)
    assert not re.search("^(?:import|export) ", text, re.MULTILINE)
    elements = re.findall(r'customElements.define\("aspdoku-([\w-]+)"', text)
    slide = set() if main == "sheet.js" else {"slide"}
    assert {*elements} == {"board", "tower", main.removesuffix(".js")} | slide


def test_each_module_is_part_of_a_page():
    mains = [*PAGES, "exercise.js", "wall.js", "join.js"]
    modules = {each for main in mains for each in page.scripts(main)}
    assert modules | {"worker.js"} == {file.name for file in OWN}


@pytest.mark.skipif(NODE is None, reason="needs node")
@pytest.mark.parametrize("main", PAGES)
def test_one_file_is_one_module(main, tmp_path):
    """A name that is declared twice, and an import that is left, are errors of syntax."""
    file = tmp_path / "page.mjs"
    file.write_text(page.script_in_page(main), "utf-8")
    subprocess.run([NODE, "--check", file], check=True, timeout=60)


@in_one_test("file", OWN)
def test_scripts_are_checked_and_fit_on_a_screen(file):
    lines = file.read_text("utf-8").splitlines()
    assert lines[0] == "// @ts-check"
    assert max(map(len, lines)) <= 120
