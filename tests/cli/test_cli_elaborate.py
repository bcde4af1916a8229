"""`aspdoku elaborate`: bundled and custom rule files, and exit statuses."""

import json

import pytest
from cli_runner import INSTANCES, run, run_process

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
        "4x4: 288 before, 216 after" in result.output
    )  # a corner holds 1 in a quarter of the grids
    assert "[1]" in result.output


def test_the_report_on_a_file_with_a_choice_has_no_forbidden_grid(student):
    student("{ lucky(N) } :- number(N).\n:- lucky(1).\n")
    result = run("elaborate", "--with", "./mine.lp", "--format", "json", "grid.txt")
    assert result.exit_code == 0
    mine = json.loads(result.stdout)["steps"][1]
    assert mine["contract"]["kind"] == "extends"
    assert mine["forbidden"] is None
    assert "are still solutions" in mine["silence"]
    text = " ".join(run("elaborate", "--with", "./mine.lp", "grid.txt").output.split())
    assert mine["silence"] in text


def test_a_file_that_trespasses_is_named_with_its_line(student):
    student("% Wrong\n:- a(1,1,2).\na(1,1,1).\n")
    result = run("elaborate", "--with", "./mine.lp", "grid.txt")
    assert result.exit_code == 0
    text = " ".join(result.stdout.split())
    assert "contract trespasses." in text
    assert "Line 3 defines a/3." in text


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
        ("text", "Base: asp/base.lp"),
        ("html", "<caption>Base: <code>asp/base.lp"),
        ("json", '"base": "asp/base.lp"'),
    ],
)
def test_all_in_other_formats(monkeypatch, format_, fragment):
    from aspdoku.lecture import elaboration_table
    from aspdoku.program import library

    monkeypatch.setattr(
        elaboration_table,
        "elaboration_tables",
        lambda *_: (elaboration_table.ElaborationTable(library.base(), (), True),),
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
    ("", ["--format", "xml", "grid.txt"], 2, "xml"),
]


@pytest.mark.parametrize(("text", "arguments", "code", "fragment"), BAD)
def test_bad_arguments_are_rejected_with_an_exit_status(student, text, arguments, code, fragment):
    student(text)
    result = run("elaborate", *arguments)
    assert result.exit_code == code
    assert fragment in result.stderr
    assert "Traceback" not in result.stderr


def test_a_rule_that_grounds_forever_is_still_classified_by_its_text(student):
    student("a(R+1,C+2,N+1) :- a(R,C,N).")
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
        "trespasses",
        1,
        None,
    )
    assert mine["gave_up"].startswith("grounding was not finished within the time limit")
    assert (mine["solutions"][0]["before"], mine["solutions"][0]["after"]) == (288, None)
