"""Long commands say on a terminal what they are doing, and print results as they are known."""

import os
import re
import signal
import sys

import pytest
from cli_runner import HARD, on_terminal, run, run_process, worker

import aspdoku
from aspdoku.cli import lesson
from aspdoku.formalisms.comparison import engines_named
from aspdoku.lecture import elaboration, equivalence
from aspdoku.runtime import progress


def test_a_status_line_appears_on_a_terminal_and_is_erased():
    line = on_terminal("count", *HARD, "--time-limit", 1.5, streams=["stderr"])[0]
    assert re.search(r"counting … [12] s", line)
    assert re.search(r"\r +\r$", re.split("warning|aspdoku", line)[0])


@pytest.mark.slow
def test_the_status_line_of_a_killed_command_is_erased():
    def kill(process):
        os.kill(worker(process), signal.SIGKILL)

    line, status = on_terminal("count", *HARD, streams=["stderr"], meanwhile=kill)
    shown, _, message = line.rpartition("\r")
    assert re.search(r"counting … \d+ s\r +$", shown)
    assert (message, status) == ("aspdoku: the command was killed by SIGKILL; no result\n", 70)


def test_a_pipe_gets_no_status_line():
    result = run_process("count", *HARD, "--time-limit", "1.5")
    assert b"counting" not in result.stderr
    assert b"\r" not in result.stderr


def test_notes_go_to_the_listener_only_while_it_listens():
    heard = []
    progress.note("before")
    with progress.listening(heard.append):
        progress.note("6x6")
    progress.note("after")
    assert heard == ["6x6"]


def test_a_comparison_says_which_engine_runs(monkeypatch):
    heard = []
    monkeypatch.setattr(lesson, "note", heard.append)
    run("compare", "--engine", "asp,asp-slides", "1...|..3.|.4..|2...".replace("|", " "))
    assert heard == [each.title for each in engines_named(["asp", "asp-slides"])]


def interrupted_at(number, function):
    """The function, with Ctrl-C at the call with this number."""
    calls = []

    def call(*arguments):
        calls.append(arguments)
        if len(calls) == number:
            raise KeyboardInterrupt
        return function(*arguments)

    return call


def test_an_interrupted_comparison_reports_the_sizes_that_are_settled(monkeypatch):
    monkeypatch.setattr(equivalence, "_at", interrupted_at(2, equivalence._at))
    result = run("equal", "slides/anti-knight-distance", "anti-knight")
    assert (result.exit_code, "interrupted" in result.stderr) == (130, True)
    assert "(4x4: the same, 6x6: not decided in time)" in result.stdout


def test_an_interrupted_report_has_the_steps_that_are_complete(monkeypatch):
    monkeypatch.setattr(elaboration, "_step", interrupted_at(2, elaboration._step))
    result = run("elaborate", "--with", "anti-knight", "-c", "n=4")
    assert (result.exit_code, "interrupted after step 1" in result.stderr) == (130, True)
    assert "1. box: " in result.stdout
    assert "2. anti-knight" not in result.stdout


def test_an_interruption_is_an_exception_in_python(monkeypatch):
    monkeypatch.setattr(equivalence, "_at", interrupted_at(1, equivalence._at))
    with pytest.raises(KeyboardInterrupt):
        aspdoku.equivalent("slides/anti-knight-distance", "anti-knight")


def test_each_grade_is_printed_when_it_is_known(tmp_path, monkeypatch):
    for name in ("a", "bcd"):
        (tmp_path / name).write_text("12.. .... .... ....\n")
    rate, printed = aspdoku.grade, []

    def listening(*arguments, **options):
        sys.stdout.flush()
        printed.append(sys.stdout.buffer.getvalue().count(b"\n"))
        return rate(*arguments, **options)

    monkeypatch.setattr(aspdoku, "grade", listening)
    result = run("grade", tmp_path / "a", tmp_path / "bcd", tmp_path / "missing")
    assert result.exit_code == 65
    assert [line.split()[0] for line in result.stdout.splitlines()] == [
        "puzzle",
        str(tmp_path / "a"),
        str(tmp_path / "bcd"),
    ]
    assert printed == [0, 2]
