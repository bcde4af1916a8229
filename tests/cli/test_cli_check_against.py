"""`check --against`: grading the files of a class, without revealing a hidden reference."""

import html
import json
import os
import re
import signal
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from cli_runner import run, run_process, start

from aspdoku.errors import AspdokuError
from aspdoku.lecture import grading
from aspdoku.lecture.grading import Exercise
from aspdoku.questions.check import grading_text

SECRET = """% Moves of the piece called nightingale.
#defined ab/1.
nightingale(1,2).  nightingale(2,1).
:- nightingale(Y,X), a(R,C,Sesame), a(R+Y,C+X,Sesame).
:- nightingale(Y,X), a(R,C,Sesame), a(R+Y,C-X,Sesame).
"""
SECRET_WORDS = ["nightingale", "Sesame", "piece"]
CLASS = {
    "anna": (":- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| == 3.\n", "right"),
    "bert": ("% steps\n:- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| == 4.\n", "wrong"),
    "cleo": ("{ p }.\n", "cannot be compared"),
    "dora": ("p(1).  p(X+1) :- p(X).\n:- p(X), a(X,X,N).\n", "gave up"),
    "emil": (":- a(R,C,N), a(R+1,C+2,N).\n", "too lax"),
    "finn": (":- a(R,C,N), M < N.\n", "cannot be used"),
}


@pytest.fixture
def handed_in(tmp_path):
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "key.lp").write_text(SECRET)
    for name, (text, _) in CLASS.items():
        (tmp_path / f"{name}.lp").write_text(text)
    return tmp_path


@pytest.mark.slow
def test_a_page_draws_the_grids_and_hides_the_reference(handed_in):
    done = run_process(
        "check",
        *("anna.lp", "bert.lp", "finn.lp"),
        *("--against", "hidden/key.lp"),
        *("--size", "6", "--format", "html"),
        cwd=handed_in,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    page = done.stdout.decode()
    assert not [word for word in [*SECRET_WORDS, "key.lp"] if word in page]
    right, wrong, unusable = re.split('<h2 id="[^"]*">(?:bert|finn)', page)
    assert [part.count("<svg ") for part in (right, wrong, unusable)] == [0, 2, 0]
    assert "bert.lp:2 forbids this grid" in wrong
    assert "anna.lp: right" in right
    assert "1 of 3 right" in right  # the summary comes first


def test_a_page_requires_a_reference():
    done = run("check", "anna.lp", "--format", "html")
    assert done.exit_code == 2
    assert "(--format html, -o FILE.html) requires --against" in done.stderr


@pytest.mark.slow
def test_a_class_with_a_hidden_reference(handed_in):
    files = [f"{name}.lp" for name in CLASS]
    done = run_process(
        "check",
        *files,
        "--against",
        "hidden/key.lp",
        "--time-limit-each",
        "8",
        "--size",
        "6",
        cwd=handed_in,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    shown = done.stdout.decode()
    assert not [word for word in [*SECRET_WORDS, "key.lp"] if word in shown]
    table = [tuple(line.split(maxsplit=1)) for line in shown.splitlines()[-7:]]
    assert table == [
        *((f"{name}.lp", verdict) for name, (_, verdict) in CLASS.items()),
        ("1", "of 6 right"),
    ]
    assert "bert.lp:2 forbids this grid (r1c1, r2c4), and the reference allows it." in shown
    assert re.search(r"more than (8 s|1 GB|1,000,000 ground rules)", shown)


@pytest.mark.slow
def test_json(handed_in):
    files = [f"{name}.lp" for name in CLASS if name != "dora"]
    done = run_process(
        "check",
        *files,
        "--against",
        "hidden/key.lp",
        "--format",
        "json",
        "--size",
        "4",
        cwd=handed_in,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert not [word for word in [*SECRET_WORDS, "key.lp"] if word in done.stdout.decode()]
    document = json.loads(done.stdout)
    marks = document["files"]
    assert [mark["file"] for mark in marks] == files
    assert document["reference"] == "the reference"
    assert [mark["verdict"] for mark in marks if mark["file"] in ("anna.lp", "emil.lp")] == [
        "right",
        "too lax",
    ]
    (witness,) = marks[3]["witnesses"]
    assert (witness["difference"], witness["size"], witness["lines"]) == ("allows too much", 4, [])
    (row, column), (row1, column1) = witness["cells"]
    assert witness["grid"][row - 1][column - 1] == witness["grid"][row1 - 1][column1 - 1]


@pytest.mark.slow
def test_all_right(handed_in):
    result = run("check", handed_in / "anna.lp", "--against", "anti-knight", "--size", "4")
    assert (result.exit_code, result.stderr) == (0, "")
    assert (
        result.stdout
        == f"{handed_in / 'anna.lp'}: right: no grid distinguishes it from anti-knight (sizes"
        " searched: 4x4)\n"
    )


@pytest.mark.slow
def test_rules_can_be_compared_without_other_rules(handed_in):
    result = run(
        "check",
        handed_in / "anna.lp",
        "--against",
        "anti-knight",
        "--size",
        "4",
        "--without",
        "row,column",
    )
    assert result.exit_code == 1
    assert "anna.lp: too strict" in result.stdout


@pytest.mark.parametrize(
    "option",
    [
        ("--size", "4"),
        ("--without", "row"),
        ("--fail-on", "never"),
        ("--jobs", "1"),
        ("--points", "2"),
        ("--format", "junit"),
        ("--format", "gradescope"),
    ],
)
def test_options_that_require_against(option, handed_in):
    result = run("check", handed_in / "anna.lp", *option)
    assert (result.exit_code, result.stdout) == (2, "")
    named = " ".join(option) if option[0] == "--format" else option[0]
    assert f"{named} requires --against" in result.stderr


def test_points_are_for_gradescope(handed_in):
    result = run("check", handed_in / "anna.lp", "--against", "anti-knight", "--points", "2")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--points requires --format gradescope: the other formats have verdicts" in result.stderr


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["anna"], (0, 0, 0)),
        (["anna", "emil"], (1, 0, 0)),
        (["emil", "finn"], (1, 1, 0)),
        (["finn", "nobody", "anna"], (2, 2, 0)),
    ],
)
def test_the_exit_status_by_policy(names, expected, handed_in, monkeypatch):
    """Verdicts are known from the other tests: here, files are assessed in this process."""
    monkeypatch.setattr(grading, "assess", grading.assess_in_process)
    monkeypatch.setattr(Exercise, "_refuse_unusable", lambda _: None)
    files = [handed_in / f"{name}.lp" for name in names]
    found = [
        run("check", *files, "--against", "anti-knight", "--size", "4", "--fail-on", policy)
        for policy in ("not-right", "not-compared", "never")
    ]
    assert tuple(result.exit_code for result in found) == expected
    assert len({result.stdout for result in found}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("format_", ["junit", "gradescope"])
def test_formats_of_automatic_graders_hide_the_reference(format_, handed_in):
    (handed_in / "gina.lp").symlink_to("hidden/key.lp")
    (handed_in / "hugo.lp").mkdir()
    names = ("anna", "bert", "gina", "hugo")
    done = run_process(
        *("check", *(f"{name}.lp" for name in names), "--against", "hidden/key.lp"),
        *("--size", "4", "--fail-on", "never", "--format", format_, "-o", "results"),
        cwd=handed_in,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    text = (handed_in / "results").read_text()
    assert not [word for word in [*SECRET_WORDS, "key.lp"] if word in text]
    if format_ == "junit":
        (suite,) = ElementTree.fromstring(text)
        outcomes = [case[0].get("type", "right") for case in suite]
        assert outcomes == ["right", "too strict", *["cannot be read"] * 2]
    else:
        assert [test["score"] for test in json.loads(text)["tests"]] == [1, 0, 0, 0]


@pytest.mark.slow
def test_a_file_that_exceeds_a_limit_does_not_spoil_the_others(handed_in):
    """Together, the files that run at the same time stay below the memory limit."""
    for name in ("hans", "ilse"):
        (handed_in / f"{name}.lp").write_text("p(1..30000,1..30000).\n:- p(X,Y), a(X,X,Y).\n")
    done = run_process(
        *("check", "hans.lp", "ilse.lp", "anna.lp", "emil.lp", "-j", "2"),
        *("--against", "anti-knight", "--size", "4", "--memory-limit", "900M"),
        *("--time-limit-each", "50"),
        cwd=handed_in,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    verdicts = [line.split(maxsplit=1)[1] for line in done.stdout.decode().splitlines()[-5:-1]]
    assert verdicts == ["gave up", "gave up", "right", "too lax"]
    assert done.stdout.count(b"more than 0.279 GB") == 2


@pytest.mark.parametrize("against", ["anti-night", "nowhere.lp"])
def test_an_unknown_reference_is_rejected(against, handed_in):
    result = run("check", handed_in / "anna.lp", "--against", against)
    assert (result.exit_code, result.stdout) == (65, "")
    assert result.stderr.startswith("aspdoku: ")


@pytest.mark.slow
def test_a_missing_file_does_not_stop_the_others(handed_in):
    result = run(
        "check",
        handed_in / "nobody.lp",
        handed_in / "anna.lp",
        "--against",
        "anti-knight",
        "--size",
        "4",
    )
    assert result.exit_code == 2
    assert "nobody.lp: cannot be read" in result.stdout
    assert result.stdout.endswith("1 of 2 right\n")


@pytest.mark.slow
def test_after_ctrl_c_the_graded_files_are_reported(handed_in):
    process = start(
        "check", "anna.lp", "dora.lp", "--against", "anti-knight", "--size", "4", cwd=handed_in
    )
    assert b"anna.lp: right" in process.stdout.readline()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert err == b"aspdoku: interrupted; 1 of 2 files graded\n"
    assert out.decode().splitlines()[-2:] == ["anna.lp  right", "1 of 1 right"]


def test_other_inputs_than_those_of_the_reference_are_named(tmp_path):
    text = ":- mine(I,K,R,C), mine(I,K+1,R1,C1), a(R,C,N), a(R1,C1,M), M <= N.\n"
    (tmp_path / "mine.lp").write_text("#defined mine/4.\n" + text)
    result = run("check", tmp_path / "mine.lp", "--against", "thermo", "--size", "4")
    verdict = "mine.lp: cannot be compared: it reads mine/4, but thermo reads thermo/4"
    assert verdict in result.stdout
    assert result.exit_code == 1
    result = run("check", tmp_path / "mine.lp", "--against", "thermo", "--format", "json")
    (file,) = json.loads(result.stdout)["files"]
    assert (file["verdict"], file["sizes"], file["witnesses"]) == ("cannot be compared", [], [])


# How each file is handed in, and the verdict.
HANDED_IN = {
    "empty.lp": (lambda file: file.write_text(""), "too lax"),
    "folder.lp": (lambda file: file.mkdir(), "cannot be read"),
    "loop.lp": (lambda file: file.symlink_to("loop.lp"), "cannot be read"),
    "missing.lp": (Path.absolute, "cannot be read"),
    "pipe.lp": (os.mkfifo, "cannot be read"),
    "binary.lp": (lambda file: file.write_bytes(bytes(range(256))), "cannot be used"),
    "malformed.lp": (lambda file: file.write_text(":- a(R,C,N"), "cannot be used"),
    "deep.lp": (lambda file: file.write_text(f":- {'(' * 9**5}"), "cannot be used"),
    "other.lp": (lambda file: file.write_text("#defined p/1.\n:- p(1).\n"), "wrong"),
    "inputs.lp": (lambda file: file.write_text("#defined p/1.\n:- p(N), a(1,1,N).\n"), "wrong"),
    "facts.lp": (lambda file: file.write_text("p(1).\n:- p(N), a(1,1,N).\n"), "wrong"),
    "endless.lp": (lambda file: file.write_text(CLASS["dora"][0]), "gave up"),
    "memory.lp": (lambda file: file.write_text("p(1..9**4,1..9**4).\n:- p(1,1)."), "gave up"),
    "right.lp": (lambda file: file.write_text(CLASS["anna"][0]), "right"),
}


@pytest.mark.slow
@pytest.mark.parametrize("format_", ["text", "json", "html", "junit", "gradescope"])
def test_no_file_ends_the_marking_of_the_others(format_, tmp_path):
    for name, (hand_in, _) in HANDED_IN.items():
        hand_in(tmp_path / name)
    given = ("--against", "anti-knight", "--size", 4, "--time-limit-each", 3, "--format", format_)
    process = start("check", *HANDED_IN, *given, cwd=tmp_path)
    out, err = process.communicate()
    assert (process.returncode, err) == (2, b"")
    shown = out.decode()
    assert all(name in shown for name in HANDED_IN)
    if format_ == "json":
        found = {each["file"]: each["verdict"] for each in json.loads(shown)["files"]}
        assert found == {name: verdict for name, (_, verdict) in HANDED_IN.items()}


@pytest.mark.parametrize(
    "failure", [AspdokuError("of the reference"), OSError("no more processes")]
)
def test_a_file_that_cannot_be_assessed_is_one_verdict(failure, tmp_path, monkeypatch):
    """Whatever cannot be done for it: neither the assessment, nor what is wrong in it."""
    right = grading.run_limited

    def run_limited(limits, call, path, *more):
        if Path(path).name == "bad.lp":
            raise failure
        return right(limits, call, path, *more)

    exercise = Exercise.of("anti-knight", 4)
    monkeypatch.setattr(grading, "run_limited", run_limited)
    for name in ("bad.lp", "right.lp"):
        (tmp_path / name).write_text(CLASS["anna"][0])
    files = [tmp_path / "bad.lp", tmp_path / "right.lp"]
    marked = list(grading.assess_all(files, exercise))
    assert [each.verdict for each in marked] == ["crashed", "right"]
    assert "reference" not in grading_text(marked[0], "anti-knight").replace("anti-knight", "")


def test_a_size_without_solutions_is_no_evidence(tmp_path):
    (tmp_path / "all.lp").write_text(":- cell(R,C).\n")
    result = run("check", tmp_path / "all.lp", "--against", "anti-king", "--size", "4")
    assert result.exit_code == 1
    assert "all.lp: undecided" in result.stdout
    assert "neither has a solution at 4x4" in result.stdout


@pytest.mark.slow
def test_the_names_in_the_summary_of_a_page_are_links(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts = {"a <b>.lp": "p(1).", "right.lp": ":- a(R,C,N), a(R+1,C+2,N).", "x.lp": "syntax("}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    arguments = ("--against", "anti-knight", "--size", "4", "--format", "html", *texts)
    page = run("check", *arguments).stdout
    links = re.findall(r'<a href="#([^"]*)">(.*?)</a>', page)
    assert [html.unescape(name) for _, name in links] == list(texts)
    for target, name in links:
        assert page.count(f'id="{target}"') == 1
        assert f'<h2 id="{target}">{name}</h2>' in page
