"""`aspdoku elaborate`: bundled and custom rule files, and exit statuses."""

import json

import pytest
from cli_runner import INSTANCES, run, run_process
from in_one_test import in_one_test

import aspdoku

BLANK = "....\n....\n....\n....\n"


@pytest.fixture
def student(tmp_path, monkeypatch):
    """A working folder; the function writes mine.lp there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "grid.txt").write_text(BLANK)
    return (tmp_path / "mine.lp").write_text


def test_the_report_on_a_file_has_a_forbidden_grid(student):
    student("% No 1 in the first corner.\n:- a(1,1,1), not ab(mine).\n")
    result = run("elaborate", "--with", "./mine.lp", "grid.txt")
    assert result.exit_code == 0
    assert "2. mine: ./mine.lp" in result.output
    assert "by line 2:" in result.output
    assert (
        "blank 4x4 grid: 288 before, 216 after" in result.output
    )  # a corner holds 1 in a quarter of the grids
    assert "[1]" in result.output


@pytest.mark.slow
def test_the_report_on_a_file_with_a_choice_has_no_forbidden_grid(student):
    student("{ lucky(N) } :- number(N).\n:- lucky(1).\n")
    result = run("elaborate", "--with", "./mine.lp", "--format", "json", "grid.txt")
    assert result.exit_code == 0
    mine = json.loads(result.stdout)["steps"][1]
    assert mine["contract"]["kind"] == "extends"
    assert mine["forbidden"] is None
    assert "up to 50 solutions of the program before were tested" in mine["no_example_reason"]
    text = " ".join(run("elaborate", "--with", "./mine.lp", "grid.txt").output.split())
    assert mine["no_example_reason"] in text


def test_a_file_that_redefines_a_predicate_is_no_elaboration(student):
    student("% Wrong\n:- a(1,1,2).\na(1,1,1).\n")
    result = run("elaborate", "--with", "./mine.lp", "grid.txt")
    assert (result.exit_code, result.stdout) == (65, "")
    assert "./mine.lp:3:1: a/3 is defined in asp/base.lp:14" in result.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("student")
@pytest.mark.parametrize(
    "options",
    [
        ["--with", "anti-knight"],
        ["--without", "box"],
        ["--with", "anti-knight,offset", "--without", "box,anti-knight"],
    ],
)
def test_an_elaboration_adds_lines_and_removes_none(options):
    result = run("elaborate", "--diff", *options, "grid.txt")
    lines = [line.strip() for line in result.stdout.splitlines()]
    changes = [
        line
        for line in lines
        if line.startswith(("+", "-")) and line not in ("+++ after", "--- before")
    ]
    assert changes
    assert not [line for line in changes if line.startswith("-") and set(line) - set("-+")]
    assert "+++ after" not in run("elaborate", *options, "grid.txt").stdout


@pytest.mark.slow
def test_the_exception_of_an_instance_is_a_step():
    result = run(
        "elaborate",
        "--format",
        "json",
        "--limit",
        2,
        INSTANCES / "lessons" / "except-the-fives.txt",
    )
    exception = json.loads(result.stdout)["steps"][2]
    assert (exception["place"], exception["text"]["added"]) == (
        "ab(anti_knight,5).",
        [
            {
                "text": "ab(anti_knight,5).",
                "place": str(INSTANCES / "lessons" / "except-the-fives.txt"),
                "line": 0,
            }
        ],
    )
    assert all(file["untouched"] for file in exception["text"]["files"])
    assert exception["text"]["removed"] == []


@pytest.mark.parametrize(
    ("format_", "fragment"),
    [
        ("html", "<caption>Base: <code>asp/base.lp"),
        ("json", '"base": "asp/base.lp"'),
    ],
)
def test_all_in_other_formats(monkeypatch, format_, fragment):
    from aspdoku.lecture import elaboration
    from aspdoku.program import library

    monkeypatch.setattr(
        "aspdoku.questions.elaborate.elaboration_tables",
        lambda *_: (elaboration.ElaborationTable(library.base(), (), True),),
    )
    result = run("elaborate", "--all", "--format", format_)
    assert (result.exit_code, fragment in result.stdout) == (0, True)


@pytest.mark.usefixtures("student")
def test_html():
    result = run("elaborate", "--format", "html", "grid.txt")
    assert result.exit_code == 0
    assert result.stdout.startswith("<!doctype html>")


BAD = [
    # the text of mine.lp, the arguments, the exit status, and a part of the output
    ("", ["--with", "anti-night", "grid.txt"], 65, "Did you mean"),
    ("", ["--with", "./missing.lp", "grid.txt"], 65, "missing.lp"),
    ("", ["--without", "nothing", "grid.txt"], 65, "cannot retract 'nothing': no such rule"),
    (":- a(1,1,1)", ["--with", "./mine.lp", "grid.txt"], 65, "mine.lp:1:12"),
    (":- a(R,C,N), N < N1.", ["--with", "./mine.lp", "grid.txt"], 65, "N1"),
    ("", ["--limit", "0", "grid.txt"], 2, "--limit"),
    ("", ["--all", "--with", "killer"], 2, "--all reports on all named rules"),
    ("", ["--all", "grid.txt"], 2, "it takes no grid"),
    ("", ["--puzzles", ".", "grid.txt"], 2, "--puzzles reports on puzzles over both bases"),
    ("", ["--puzzles", ".", "--all"], 2, "use one of them"),
    ("", ["--puzzles", "missing"], 65, "missing: No such file or directory"),
    ("", ["--format", "xml", "grid.txt"], 2, "xml"),
]


@in_one_test(("text", "arguments", "code", "fragment"), BAD)
def test_bad_arguments_are_rejected_with_an_exit_status(student, text, arguments, code, fragment):
    student(text)
    result = run("elaborate", *arguments)
    assert result.exit_code == code
    assert fragment in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.slow
def test_a_rule_that_grounds_forever_is_still_classified_by_its_text(student):
    student("mine(1).\nmine(N+1) :- mine(N).")
    arguments = [
        "elaborate",
        "--with",
        "./mine.lp",
        "--time-limit",
        "1",
        "--format",
        "json",
        "grid.txt",
    ]
    done = run_process(*arguments, cwd=".")
    assert done.returncode == 124
    box, mine = json.loads(done.stdout)["steps"]
    assert (box["gave_up"], box["solutions"][0]["after"]) == ("", 288)
    assert (mine["contract"]["kind"], len(mine["text"]["added"]), mine["ground"]) == (
        "restricts",
        2,
        None,
    )
    assert mine["gave_up"].startswith("grounding was not finished within the time limit")
    assert (mine["solutions"][0]["before"], mine["solutions"][0]["after"]) == (288, None)


def test_a_step_that_the_time_limit_does_not_reach():
    (box,) = aspdoku.elaborate("." * 16, time_limit=0.0).data.steps
    assert box.gave_up == "the time limit was reached before this step"


@pytest.mark.slow
def test_surgery_on_another_base():
    """288 sudokus and 576 Latin squares of size 4; the slides' base has no exception for boxes."""
    result = run("elaborate", "--over", "slides/base", "--without", "box", "-c", "n=4", "--brief")
    assert result.exit_code == 0
    assert "blank 4x4 grid: 288 before, 576 after" in result.stdout
    assert "contract  surgery." in result.stdout
    assert "1 statement removed" in result.stdout
    step = aspdoku.elaborate("." * 16, over="slides/base", without="box").data.steps[-1]
    removed = {each.place for each in step.ground_diff.lost}
    assert (step.contract.kind, removed) == ("surgery", {"asp/slides/base.lp"})


@pytest.mark.slow
def test_rules_over_another_base():
    """The default rules are ours, and not added to it."""
    report = aspdoku.elaborate("." * 16, over="slides/base", with_="diagonal").data
    assert [step.name for step in report.steps] == ["diagonal"]
    assert [(each.before, each.after) for each in report.steps[0].counts] == [(288, 48)]
    again = aspdoku.elaborate("." * 16, over="base", without="box").data
    assert [step.name for step in again.steps] == ["box", "without box"]


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (["--over", "slides/base", "--without", "row"], 65, "no edited base base-without-row.lp"),
        (["--over", "slides/bse"], 65, "slides/bse: No such file"),
        (["--over", "slides/base", "--all"], 2, "--all reports on all named rules"),
    ],
)
def test_a_base_that_cannot_be_used(options, status, message):
    size = [] if "--all" in options else ["-c", "n=4"]
    result = run("elaborate", *options, *size)
    assert (result.exit_code, result.stdout) == (status, "")
    assert message in result.stderr


def test_a_brief_report():
    full = run("elaborate", "--with", "diagonal", "-c", "n=4").stdout
    brief = run("elaborate", "--with", "diagonal", "-c", "n=4", "--brief").stdout
    assert "SHA-256" in full
    assert "All together" in full
    assert "1. diagonal: " in brief
    assert not any(word in brief for word in ("SHA-256", "All together", "box: ", "counted as"))
    data = aspdoku.elaborate("." * 16, limit=1).data
    assert data.asked_for == data, "only the default rules are left if nothing else is asked for"


def test_a_collection_has_a_row_for_each_format_and_base(tmp_path):
    """Also with puzzles that cannot be read, and without the solutions next to puzzles."""
    lines = [
        {"puzzle": "2431134231......"},
        {"puzzle": "1" * 15},
        {"url": ".Shape~4x4.AntiKnight"},
        {"other": 1},
    ]
    (tmp_path / "some.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (tmp_path / "more.txt").write_text("with: anti-knight\n2431\n1342\n....\n....\n")
    (tmp_path / "more.solution.txt").write_text(BLANK)
    (tmp_path / "none").mkdir()
    result = run("elaborate", "--puzzles", tmp_path, "--format", "json")
    found = json.loads(result.stdout)["collections"]
    assert {each["base"] for each in found} == {"asp/base.lp", "asp/slides/base.lp"}
    ours = {row["format"]: row for row in found if row["base"] == "asp/base.lp"}
    read = {name: (row["puzzles"], row["read"], row["added"]) for name, row in ours.items()}
    read_in_part = {"puzzle": (3, 2, [[0, 1], [1, 1]]), "fpuzzles": (1, 0, [])}
    assert read == {**read_in_part, "iss": (1, 1, [[1, 1]])}
    for format_ in ("text", "html"):
        shown = run("elaborate", "--puzzles", tmp_path, "--format", format_).stdout
        assert f"{tmp_path}, iss" in shown
        assert "byte for byte" in shown
    assert "no puzzle files" in run("elaborate", "--puzzles", tmp_path / "none").output


def test_a_collection_that_is_not_measured_in_time_is_incomplete(tmp_path):
    (tmp_path / "some.txt").write_text(BLANK)
    options = "--time-limit", "0.000001", "--format", "json"
    result = run("elaborate", "--puzzles", tmp_path, *options)
    assert result.exit_code == 124
    assert json.loads(result.stdout) == {
        "schema": "aspdoku/elaborate-puzzles/1",
        "collections": [],
        "complete": False,
    }
