"""`aspdoku draw`: the contents and names of its files, and its exit status."""

import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from cli_runner import ELABORATIONS, INSTANCES, ROOT, on_terminal, run
from in_one_test import in_one_test

import aspdoku

pytestmark = pytest.mark.versions

KILLER = INSTANCES / "made" / "killer.txt"
CLASSIC = INSTANCES / "slides" / "classic.txt"
TWO = "1 . . .\n. . . .\n. . . .\n. . . .\n"
NONE = "1 1 . .\n. . . .\n. . . .\n. . . .\n"
SVG = "{http://www.w3.org/2000/svg}"


def texts(svg, kind):
    return [
        each.text
        for each in ElementTree.fromstring(svg).iter(f"{SVG}text")
        if each.get("class") == kind
    ]


def test_the_drawing_goes_to_standard_output():
    done = run("draw", KILLER)
    assert (done.exit_code, done.stderr) == (0, "")
    assert ElementTree.fromstring(done.stdout).tag == f"{SVG}svg"
    assert len(texts(done.stdout, "label")) == 30


def test_a_solution_is_drawn_with_its_givens_bold():
    done = run("draw", "--solution", CLASSIC)
    assert (done.exit_code, done.stderr) == (0, "")
    given, solved = texts(done.stdout, "given"), texts(done.stdout, "solved")
    grid = (INSTANCES / "slides" / "classic.solution.txt").read_text().split()
    assert sorted(given + solved) == sorted("".join(grid))
    assert len(given) == len(aspdoku.read(CLASSIC).givens())


@pytest.mark.parametrize("options", [["--candidates"], ["--true"]])
def test_candidates_are_drawn(options):
    """All except 1 in the seven cells that see the given; all of them are in some solution."""
    done = run("draw", *options, "-", given=TWO)
    assert done.exit_code == 0
    assert texts(done.stdout, "given") == ["1"]
    assert len(texts(done.stdout, "candidate")) == 15 * 4 - 7


def test_pencil_marks_are_no_solution():
    """Those of a puzzle with one solution are what rows, columns and boxes leave; true candidates
    are the solution.
    """
    given = {(1, 2): 4, (2, 4): 4, (3, 3): 2, (4, 1): 1}
    left = sum(
        not any(
            number == n and (r == row or c == column or (r > 2, c > 2) == (row > 2, column > 2))
            for (r, c), n in given.items()
        )
        for row in range(1, 5)
        for column in range(1, 5)
        for number in range(1, 5)
        if (row, column) not in given
    )
    grid = ". 4 . .\n. . . 4\n. . 2 .\n1 . . .\n"
    basic = run("draw", "--candidates", "-", given=grid)
    assert len(texts(basic.stdout, "candidate")) == left
    assert len(texts(run("draw", "--true", "-", given=grid).stdout, "candidate")) == 12


def test_labels_number_rows_and_columns_and_name_cages():
    done = run("draw", "--labels", KILLER)
    assert texts(done.stdout, "axis") == [str(n) for n in range(1, 10) for _ in "rc"]
    assert sorted(texts(done.stdout, "name")) == sorted("ABCDEFGHIJKLMNOPQRSTUVWXYZabcd")
    assert texts(run("draw", KILLER).stdout, "axis") == []


def test_svg_is_not_printed_to_a_terminal():
    written, status = on_terminal("draw", "-c", "n=4")
    assert ("-o grid.svg" in written, "<svg" in written, status) == (True, False, 2)
    written, status = on_terminal("draw", "-c", "n=4", "-o", "-")
    assert ("<svg" in written, status) == (True, 0)


@pytest.mark.parametrize(
    ("options", "given", "code", "message"),
    [
        (["--solution"], TWO, 0, "warning: at least two solutions; this is the first"),
        (["--solution"], NONE, 20, "aspdoku: no solution"),
        (["--candidates", "--true"], NONE, 20, "aspdoku: no solution"),
        (["--solution", "--candidates"], TWO, 2, "--solution and --candidates exclude each other"),
        (["--solution", "--true"], TWO, 2, "--solution and --true exclude each other"),
        (
            ["-o", "grid.gif"],
            TWO,
            2,
            "unknown suffix of grid.gif: use one of .svg, .png, .pdf, .html, .tex",
        ),
        (
            ["-o", "no/such/folder/grid.svg"],
            TWO,
            74,
            "no/such/folder/grid.svg cannot be written: No such file or directory",
        ),
        (["--with", "nothing"], TWO, 65, "unknown rule 'nothing'"),
        ([], "1 2\n", 65, ""),
    ],
)
def test_exit_status_and_message(options, given, code, message):
    done = run("draw", *options, "-", given=given)
    assert done.exit_code == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert bool(done.stdout) == (code == 0)


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("a.svg", b"<svg "),
        ("A.SVG", b"<svg "),
        ("a.html", b"<!doctype html>"),
        ("a.tex", b"\\documentclass"),
    ],
)
def test_the_suffix_determines_the_format(tmp_path, name, start):
    done = run("draw", KILLER, "-o", tmp_path / name)
    assert (done.exit_code, done.output) == (0, "")
    assert (tmp_path / name).read_bytes().startswith(start)


def test_a_dash_is_standard_output_and_a_file_is_overwritten(tmp_path):
    done = run("draw", KILLER, "-o", "-")
    assert (done.exit_code, done.stdout) == (0, run("draw", KILLER).stdout)
    (tmp_path / "a.svg").write_text("something else")
    assert run("draw", KILLER, "-o", tmp_path / "a.svg").exit_code == 0
    assert (tmp_path / "a.svg").read_text("utf-8") == done.stdout
    assert "overwritten" in run("draw", "--help").stdout


@pytest.mark.parametrize(
    ("more", "options", "caption"),
    [
        ("", ["--solution"], "One of several solutions."),
        ("", ["--solution", "--no-words"], "One of several solutions."),
        ("4 3 2 1\n", ["--solution"], ""),
        ("", [], ""),
        (
            "",
            ["--with", "killer"],
            "The numbers of a cage are all different and add up to its sum.",
        ),
        ("", ["--with", "killer", "--no-words"], ""),
        ("[facts]\nfoo(1).\n", ["--with", "killer", "--no-words"], "Also: foo(1)"),
    ],
)
def test_the_caption(more, options, caption):
    grid = "1 2 3 4\n3 4 1 2\n2 1 4 3\n" if more.startswith("4") else "title: Ours\n\n" + TWO
    done = run("draw", *options, "-", given=grid + more)
    assert " ".join(texts(done.stdout, "note")) == caption
    assert texts(done.stdout, "title") == (["Ours"] if "title" in grid else [])


@pytest.mark.slow_cases("a.png-\\x89PNG")
@pytest.mark.parametrize(("name", "start"), [("a.png", b"\x89PNG"), ("a.pdf", b"%PDF")])
def test_png_and_pdf_are_written(tmp_path, name, start):
    pytest.importorskip("cairosvg", reason="needs cairosvg", exc_type=Exception)
    assert run("draw", KILLER, "-o", tmp_path / name).exit_code == 0
    assert (tmp_path / name).read_bytes().startswith(start)


def test_a_missing_library_is_reported(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    done = run("draw", KILLER, "-o", tmp_path / "a.png")
    assert done.exit_code == 65
    assert "pip install 'aspdoku[pictures]'" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_derived_atoms_are_drawn():
    """Atoms that a rule derives are drawn: the windows are not facts of the puzzle."""
    done = run("draw", "--with", "windoku", "-c", "n=9")
    areas = [
        each
        for each in ElementTree.fromstring(done.stdout).iter(f"{SVG}polygon")
        if each.get("class") == "area"
    ]
    assert len(areas) == 4


def test_shown_atoms_are_drawn(tmp_path):
    """Shown atoms of the solution are drawn in addition to its grid: here, each cell with a 1."""
    (tmp_path / "mine.lp").write_text(
        "% Ones.\n#defined ab/1.\nmine_one(R,C) :- a(R,C,1), not ab(mine).\n#show mine_one/2.\n"
    )
    (tmp_path / "mine.draw").write_text('["mine_one(R,C)"]\ndraw = "mark"\n')
    done = run("draw", "--solution", "--with", tmp_path / "mine.lp", "-", given=TWO)
    marks = [
        each
        for each in ElementTree.fromstring(done.stdout).iter(f"{SVG}circle")
        if each.get("class") == "mark"
    ]
    ones = [
        each for each in ElementTree.fromstring(done.stdout).iter(f"{SVG}text") if each.text == "1"
    ]
    assert sorted(each.get("cx") for each in marks) == sorted(each.get("x") for each in ones)
    assert len(marks) == 4


def test_the_time_limit_ends_the_search():
    done = run("draw", "--solution", "--time-limit", "0.001", "-c", "n=25")
    assert done.exit_code == 124
    assert done.stdout == ""
    assert "time limit" in done.stderr


def test_a_solution_shows_the_numbers_that_a_style_defines():
    """Cells with two numbers show both, and helper cells nothing, in a picture as in words."""
    puzzle = INSTANCES / "made" / "schroedinger.txt"
    done = run("draw", "--solution", puzzle)
    rows = (INSTANCES / "made" / "schroedinger.solution.txt").read_text().splitlines()
    grid = [[int(number) for number in row.split()] for row in rows[:5]]
    expected = []
    for row in range(4):
        second = [grid[row][4] if grid[4][column] == row + 1 else "" for column in range(4)]
        expected.append([f"{grid[row][column]} {second[column]}".strip() for column in range(4)])
    drawn = texts(done.stdout, "given") + texts(done.stdout, "solved")
    assert sorted(drawn) == sorted(cell for row in expected for cell in row)
    solved = run("solve", puzzle).stdout.partition("\n\n")[0].splitlines()
    in_words = [[cell.replace(" ", "") for cell in row] for row in expected]
    assert [line.split() for line in solved] == in_words
    assert str(aspdoku.solve(puzzle)).splitlines()[:4] == solved


@pytest.mark.parametrize(
    ("options", "title"), [([], ["one"]), (["--title", "two"], ["two"]), (["--title", ""], [])]
)
def test_the_title_can_be_replaced(options, title):
    for solution in ([], ["--solution"]):
        done = run("draw", *options, *solution, "-", given=f"title: one\n\n{TWO}")
        assert texts(done.stdout, "title") == title


def test_a_picture_is_opened_in_a_browser(tmp_path):
    """BROWSER names the program that opens it, here one that copies the file."""
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\ncp "${{1#file://}}" {tmp_path}/shown\n')
    browser.chmod(0o755)
    environment = {**os.environ, "BROWSER": f"{browser} %s", "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-m", "aspdoku", "draw", "--open", "1" + "." * 15]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    shown = (tmp_path / "shown").read_text("utf-8")
    assert shown.startswith("<!doctype html>")
    assert ">1</text>" in shown


def test_without_a_browser_the_file_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    done = run("draw", "--open", "-o", tmp_path / "grid.svg", "-", given=TWO)
    assert done.exit_code == 65
    assert f"no browser was found to show {tmp_path / 'grid.svg'}" in done.stderr


def test_a_solution_is_printed_as_it_is_if_the_style_is_invalid(tmp_path):
    (tmp_path / "mine.lp").write_text("% Mine.\nheld(R,C,9) :- a(R,C,N).\n")
    style = '["held(R,C,N)"]\ndraw = "numbers"\n'
    (tmp_path / "mine.draw").write_text(style)
    given = "1234341221434321"
    solved = run("solve", "--with", tmp_path / "mine.lp", "-", given=given).stdout
    assert solved.startswith("9 9 | 9 9\n")
    (tmp_path / "mine.draw").write_text(f"{style}size = -1\n")
    solved = run("solve", "--with", tmp_path / "mine.lp", "-", given=given).stdout
    assert solved.startswith("1 2 | 3 4\n")


def test_an_invalid_style_is_reported_with_file_and_line(tmp_path):
    (tmp_path / "mine.lp").write_text(
        "% Mine.\n#defined p/2.\n#defined ab/1.\n:- p(R,C), a(R,C,1), not ab(mine).\n"
    )
    (tmp_path / "mine.draw").write_text('["p(R,C)"]\ndraw = "blob"\n')
    done = run("draw", "--with", tmp_path / "mine.lp", "-", given=TWO)
    assert done.exit_code == 65
    assert f"{tmp_path / 'mine.draw'}:2: invalid draw 'blob': expected one of" in done.stderr


@in_one_test("name", ELABORATIONS)
def test_every_elaboration_is_drawn_with_its_title(name):
    """The puzzle is that of the page of rules, or else the example in the rule file."""
    sample = ROOT / "docs" / "pictures" / f"{name}.txt"
    rule = (ROOT / "asp" / "elaborations" / f"{name}.lp").read_text("utf-8")
    example = next(
        (line.partition(":")[2] for line in rule.splitlines() if line.startswith("% For example:")),
        "",
    )
    stated = ". . . . . .\n" * 6 + (f"[facts]\n{example}\n" if example else "")
    done = (
        run("draw", sample) if sample.exists() else run("draw", "--with", name, "-", given=stated)
    )
    assert done.exit_code == 0
    caption = " ".join(texts(done.stdout, "note"))
    assert "Also:" not in caption
    if name != "box":
        assert caption.startswith(rule.splitlines()[0].removeprefix("% "))


def test_shown_atoms_of_a_unique_grid_may_not_be_unique(tmp_path):
    (tmp_path / "c.lp").write_text("% Choice.\n1 { x(1..2) } 1.\n#show x/1.\n")
    (tmp_path / "g.txt").write_text("12\n21\n")
    result = run("draw", "--solution", "--with", tmp_path / "c.lp", tmp_path / "g.txt")
    assert result.exit_code == 0
    assert "Another solution has the same numbers." in " ".join(
        re.sub("<[^>]*>", " ", result.stdout).split()
    )
