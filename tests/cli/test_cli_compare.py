"""`aspdoku compare`: what is asked for by name has to run, what is not there is skipped, and nothing that differs passes."""

import json

import pytest
from corpus import FOLDER
from running import run

from aspdoku.lessons.rivals import engines
from aspdoku.lessons.rivals.asp import Ours, Slides

FOUR = FOLDER / "owl" / "four.txt"
BOTH = ("--engine", "asp,asp-slides")


def lacking(monkeypatch, engine, what):
    monkeypatch.setattr(type(engines()[engine]), "needs", lambda _: what)


def test_the_engines_asked_for_are_run_in_that_order_and_agree():
    result = run("compare", *BOTH, FOUR)
    assert (result.exit_code, result.stderr) == (0, "")
    titles = [line.split("  ")[0] for line in result.stdout.splitlines()[1:3]]
    assert titles == [Ours.title, Slides.title]
    assert result.stdout.count(" agrees ") == 2


def test_json_says_for_each_engine_what_it_found_and_what_its_text_changed():
    said = json.loads(
        run("compare", *BOTH, "--format", "json", "--with", "anti-knight", FOLDER / "slides" / "anti-knight.txt").stdout
    )
    solution = (FOLDER / "slides" / "anti-knight.solution.txt").read_text().split()
    for each in said["engines"]:
        assert each["status"] == "agrees"
        assert each["unique"] is True
        assert [str(number) for row in each["grid"] for number in row] == list("".join(solution))
        assert each["removed"] == []
        assert "a(1,1,3)." in each["instance"]
    assert len(said["engines"][1]["added"]) == 1
    assert ":- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| == 3." in said["engines"][1]["program"]


def test_an_engine_that_is_not_there_is_skipped_and_its_text_shown_all_the_same(monkeypatch):
    lacking(monkeypatch, "asp-slides", "a projector")
    for name in engines():
        if name != "asp-slides":
            monkeypatch.setattr(type(engines()[name]), "needs", lambda _: "more than there is")
    result = run("compare", FOLDER / "slides" / "six.txt")
    assert result.exit_code == 0
    assert "needs a projector" in result.stdout
    assert f"{Slides.title} (not run): +1 -1" in result.stdout


def test_an_engine_asked_for_by_name_has_to_be_there(monkeypatch):
    lacking(monkeypatch, "asp-slides", "a projector")
    result = run("compare", "--engine", "asp-slides", FOUR)
    assert (result.exit_code, result.stdout) == (65, "")
    assert "asp-slides needs a projector" in result.stderr


def test_an_engine_that_nobody_has_written():
    result = run("compare", "--engine", "fortran", FOUR)
    assert result.exit_code == 2
    assert "'fortran'" in result.stderr
    assert "prolog-sized" in result.stderr


def test_one_that_differs_is_told_loudly(monkeypatch):
    right = Slides.run
    monkeypatch.setattr(Slides, "run", lambda self, *given: right(self, *given)._replace(unique=False))
    result = run("compare", *BOTH, FOUR)
    assert result.exit_code == 1
    assert "differs" in result.stdout
    assert "it says that there are several solutions" in result.stdout


def test_a_diff_is_short_or_whole():
    short = run("compare", *BOTH, FOLDER / "slides" / "six.txt").stdout
    whole = run("compare", *BOTH, "--diff", FOLDER / "slides" / "six.txt").stdout
    assert "…" in short
    assert "…" not in whole
    assert "X = (1..6), Y = (1..6)" in whole
    assert "X = (1..9), Y = (1..9)" in whole


def test_the_table_has_a_cell_for_each_elaboration_of_the_lecture():
    result = run("compare", *BOTH, "--table")
    assert result.exit_code == 0
    head, _, ours, slides = [[cell.strip() for cell in line.strip("|").split("|")] for line in result.stdout.splitlines()[:4]]
    assert head == ["", "6x6", "16x16", "offset", "anti-knight", "greater-than", "Strimko", "killer"]
    assert ours == [Ours.title, "0", "0", "+2 −0", "+6 −0", "+1 −0", "+4 −0", "+3 −0"]
    assert slides == [Slides.title, "+1 −1", "+1 −1", "+1 −0", "+1 −0", "+1 −0", "+2 −1", "+2 −0"]
    said = json.loads(run("compare", *BOTH, "--table", "--format", "json").stdout)
    assert [cell["added"] for cell in said["rows"][1]["cells"]] == [1, 1, 1, 1, 1, 2, 2]


def test_a_rule_of_ones_own_has_no_text_elsewhere_and_nobody_minds(tmp_path):
    (tmp_path / "mine.lp").write_text(":- a(1,1,4).\n")
    result = run("compare", *BOTH, "--with", tmp_path / "mine.lp", FOUR)
    assert result.exit_code == 0
    assert "no text for mine" in result.stdout
    assert " agrees " in result.stdout


@pytest.mark.parametrize("arguments", [("nowhere.txt",), (FOUR, "--time-limit", "0"), (FOUR, "--with", "nothing-like-it")])
def test_bad_input(arguments):
    result = run("compare", *BOTH, *arguments)
    assert result.exit_code in (2, 65)
    assert "Traceback" not in result.stderr
