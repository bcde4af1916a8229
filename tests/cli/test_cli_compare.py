"""`aspdoku compare`: engines that are named have to run, other missing engines are skipped, and
differing results are reported.
"""

import json
import re

import pytest
from cli_runner import run
from instance_files import FOLDER

import aspdoku
from aspdoku.formalisms import engines
from aspdoku.formalisms.engine import AspdokuAsp, Case, Encoding, SlidesAsp
from aspdoku.program import compose, library

FOUR = FOLDER / "owl" / "four.txt"
BOTH = ("--engine", "asp,asp-slides")


def lacking(monkeypatch, engine, what):
    monkeypatch.setattr(type(engines()[engine]), "missing_requirement", lambda _: what)


def test_the_selected_engines_are_run_in_the_given_order_and_agree():
    result = run("compare", *BOTH, FOUR)
    assert (result.exit_code, result.stderr) == (0, "")
    rows = result.stdout.splitlines()[1:3]
    assert [row.split()[0] for row in rows] == [AspdokuAsp.name, SlidesAsp.name]
    assert all(" agrees " in row for row in rows)
    assert "clingo finds a unique solution; 2 of 2 engines agree:" in result.stdout
    assert "3 4 | 1 2" in result.stdout


def test_json_has_the_status_and_the_shared_numbers():
    assert json.loads(run("compare", *BOTH, "--format", "json", FOUR).stdout)["status"] == "unique"
    blank = json.loads(run("compare", *BOTH, "--format", "json", "-c", "n=4").stdout)
    assert (blank["status"], blank["shared"]) == ("several", [[None] * 4] * 4)


def test_the_diff_shows_statements_as_they_are_written():
    shown = run("compare", "--engine", "asp", "--diff", "--with", "anti-knight", "-c", "n=4").stdout
    text = library.find("anti-knight").text
    constraint = " ".join(text[text.index(":- ") :].split())
    assert f"  + {constraint}\n" in shown
    assert "#false" not in shown


def test_json_has_the_result_and_the_changes_of_each_engine():
    document = json.loads(
        run(
            "compare",
            *BOTH,
            "--format",
            "json",
            "--with",
            "anti-knight",
            FOLDER / "slides" / "anti-knight.txt",
        ).stdout
    )
    solution = (FOLDER / "slides" / "anti-knight.solution.txt").read_text().split()
    for each in document["engines"]:
        assert each["status"] == "agrees"
        assert each["unique"] is True
        assert [str(number) for row in each["grid"] for number in row] == list("".join(solution))
        assert each["removed"] == []
        assert "a(1,1,3)." in each["instance"]
    assert len(document["engines"][1]["added"]) == 1
    assert ":- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| == 3." in document["engines"][1]["program"]


def test_a_missing_engine_is_skipped_but_its_encoding_is_printed(monkeypatch):
    lacking(monkeypatch, "asp-slides", "a projector")
    for name in engines():
        if name != "asp-slides":
            monkeypatch.setattr(
                type(engines()[name]), "missing_requirement", lambda _: "more than there is"
            )
    result = run("compare", FOLDER / "slides" / "six.txt")
    assert result.exit_code == 0
    assert "needs a projector" in result.stdout
    assert f"{SlidesAsp.title} (not run): +1 -1" in result.stdout


def test_a_missing_engine_is_an_error_if_it_is_named(monkeypatch):
    lacking(monkeypatch, "asp-slides", "a projector")
    result = run("compare", "--engine", "asp-slides", FOUR)
    assert (result.exit_code, result.stdout) == (65, "")
    assert "asp-slides needs a projector" in result.stderr


def test_an_unknown_engine_is_rejected():
    result = run("compare", "--engine", "fortran", FOUR)
    assert result.exit_code == 2
    assert "'fortran'" in result.stderr
    assert "prolog-sized" in result.stderr


def test_a_wrong_grid_is_reported_with_both_grids(monkeypatch):
    right = SlidesAsp.run

    def wrong(self, *given):
        outcome = right(self, *given)
        return outcome._replace(grid=((4, 3, 1, 2), *outcome.grid[1:]))

    monkeypatch.setattr(SlidesAsp, "run", wrong)
    result = run("compare", *BOTH, FOUR)
    assert result.exit_code == 1
    assert f"{SlidesAsp.title} DIFFERS, r1c1 is 4, but 3 according to clingo:" in result.stdout
    assert "3 4 | 1 2" in result.stdout
    assert "4 3 | 1 2" in result.stdout


def test_a_wrong_status_is_reported(monkeypatch):
    right = SlidesAsp.run
    monkeypatch.setattr(
        SlidesAsp, "run", lambda self, *given: right(self, *given)._replace(unique=False)
    )
    result = run("compare", *BOTH, FOUR)
    assert result.exit_code == 1
    assert "differs" in result.stdout
    assert "it reports several solutions" in result.stdout


def test_a_diff_is_abbreviated_unless_requested():
    dots = ["--engine", "asp", "--with", "black-dots", "-c", "n=4"]
    short = run("compare", *dots).stdout
    whole = run("compare", *dots, "--diff").stdout
    assert "…" in short
    assert "…" not in whole
    _, _, rule = library.find("black-dots").text.partition("\n:-")
    rule = " ".join(rule.split())
    assert rule in whole
    assert rule not in short


@pytest.mark.slow
def test_the_table_has_a_column_for_each_elaboration_of_the_lecture():
    result = run("compare", *BOTH, "--table")
    assert result.exit_code == 0
    head, _, ours, slides = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in result.stdout.splitlines()[:4]
    ]
    assert head == [
        "",
        "6x6",
        "16x16",
        "offset",
        "anti-knight",
        "greater-than",
        "Strimko",
        "killer",
    ]
    # Of killer, six statements are its own, and four those of the definition of values.
    assert ours == [AspdokuAsp.title, "0", "0", "+1 −0", "+1 −0", "+1 −0", "+4 −0", "+10 −0"]
    assert slides == [
        SlidesAsp.title,
        "+1 −1",
        "+1 −1",
        "+1 −0",
        "+1 −0",
        "+1 −0",
        "+3 −1",
        "+2 −0",
    ]
    document = json.loads(run("compare", *BOTH, "--table", "--format", "json").stdout)
    assert [cell["added"] for cell in document["rows"][1]["cells"]] == [1, 1, 1, 1, 1, 3, 2]


def test_a_custom_rule_has_no_encoding_in_other_formalisms(tmp_path):
    (tmp_path / "mine.lp").write_text(":- a(1,1,4).\n")
    result = run("compare", *BOTH, "--with", tmp_path / "mine.lp", FOUR)
    assert result.exit_code == 0
    assert "no encoding of mine" in result.stdout
    assert " agrees " in result.stdout


BAD = [
    (("nowhere.txt",), 65),
    ((FOUR, "--time-limit", "0"), 2),
    ((FOUR, "--with", "nothing-like-it"), 65),
]


@pytest.mark.parametrize(("arguments", "status"), BAD)
def test_bad_input(arguments, status):
    result = run("compare", *BOTH, *arguments)
    assert (result.exit_code, result.stdout) == (status, "")
    assert isinstance(result.exception, SystemExit)


def test_the_encoding_is_printed_as_the_engine_reads_it():
    """Plain clingo solves the printed text of the slides' encoding."""
    result = run("compare", "--engine", "asp-slides", "--print", FOUR)
    assert result.exit_code == 0
    case = Case.of(compose(aspdoku.read(FOUR)))
    found = SlidesAsp().run(case, Encoding(result.stdout, ""), 10)
    assert [str(number) for row in found.grid for number in row] == FOUR.with_name(
        "four.solution.txt"
    ).read_text().split()
    assert "p cnf 64 " in run("compare", "--engine", "sat", "--print", FOUR).stdout


def test_several_encodings_have_titles():
    text = run("compare", "--engine", "asp-slides,evidence", "--print", FOUR).stdout
    assert text.startswith(f"==== {SlidesAsp.title} ====\n")
    assert "\n==== Propositional logic, evidence ====\n" in text


def test_the_evidence_loop_is_traced():
    result = run("compare", "--engine", "evidence", "--trace", FOLDER / "made" / "strimko.txt")
    assert result.exit_code == 0
    assert re.search(r"chain [A-D] has at most one [1-4]", result.stdout)
    assert result.stdout.splitlines()[-1].startswith("Unit propagation ")
    document = json.loads(
        run("compare", "--engine", "evidence", "--trace", "--format", "json", FOUR).stdout
    )
    (entry,) = document["transcripts"]
    assert entry["engine"] == "evidence"
    assert entry["lines"][-1] == "Unit propagation solves all 16 cells."


def test_engines_without_traces_or_explanations_are_reported():
    for option in (("--trace",), ("--why", "r3c2=3")):
        result = run("compare", *BOTH, *option, FOUR)
        assert (result.exit_code, result.stdout) == (65, "")
        assert "none of the selected engines" in result.stderr


WRONG = [
    ("--trace", "--print", FOUR),
    ("--print", "--diff", FOUR),
    ("--table", "--why", "r1c1=1"),
    ("--table", FOUR),
    ("--table", "--with", "box"),
    ("--engine", "", FOUR),
]


@pytest.mark.parametrize("arguments", WRONG)
def test_invalid_combinations_of_options_are_rejected(arguments):
    assert run("compare", *arguments).exit_code == 2


@pytest.mark.parametrize(
    ("claim", "words"), [("r1c1!=3", "r1c1=3"), ("r9c9=1", "outside"), ("nonsense", "r3c4=5")]
)
def test_why_rejects_an_invalid_claim(claim, words):
    result = run("compare", *BOTH, "--why", claim, FOUR)
    assert result.exit_code == 65
    assert words in result.stderr


def test_the_help_names_every_engine():
    text = " ".join(run("compare", "--help").stdout.split())
    assert f"The engines: {', '.join(engines())}." in text


@pytest.mark.parametrize(
    ("givens", "words"), [("1 1 . .", "no solution"), ("1 2 . .", "several solutions")]
)
def test_the_status_found_by_clingo_is_printed(givens, words):
    result = run("compare", *BOTH, "-", given=f"{givens}\n. . . .\n. . . .\n. . . .\n")
    assert result.exit_code == 0
    assert f"clingo finds {words}" in result.stdout
