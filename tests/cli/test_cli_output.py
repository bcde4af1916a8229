"""-o of the commands that print reports: the file, its format, and errors."""

import json
import os

import pytest
from cli_runner import INSTANCES, run

pytestmark = pytest.mark.versions

KILLER = INSTANCES / "made" / "killer.txt"
COMMANDS = {
    "elaborate": ("elaborate", "--with", "anti-knight", "-c", "n=4"),
    "conflict": ("conflict", "11" + "." * 14),
    "hint": ("hint", "1234341221434..."),
    "equal": ("equal", "even", "odd"),
}


@pytest.mark.slow_cases("elaborate-html", "elaborate-json", "equal-json")
@pytest.mark.parametrize("suffix", ["html", "json"])
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_the_suffix_selects_the_format(command, suffix, tmp_path):
    file = tmp_path / f"report.{suffix}"
    written = run(*command, "-o", file)
    printed = run(*command, "--format", suffix)
    assert (written.exit_code, written.stdout) == (printed.exit_code, "")
    assert file.read_text("utf-8") == printed.stdout != ""


def test_an_explicit_format_is_used_whatever_the_suffix(tmp_path):
    file = tmp_path / "report.html"
    run("conflict", "11" + "." * 14, "-o", file, "--format", "json")
    assert json.loads(file.read_text("utf-8"))["schema"] == "aspdoku/conflict/1"


def test_a_report_without_such_a_suffix_is_text(tmp_path):
    file = tmp_path / "report"
    run(*COMMANDS["elaborate"], "-o", file)
    assert file.read_text("utf-8") == run(*COMMANDS["elaborate"]).stdout


def test_the_program_is_written_as_it_is_printed(tmp_path):
    file = tmp_path / "killer.lp"
    assert run("program", KILLER, "-o", file).stdout == ""
    assert file.read_text("utf-8") == run("program", KILLER).stdout


def test_a_minus_is_standard_output():
    assert run("program", KILLER, "-o", "-").stdout == run("program", KILLER).stdout != ""


def test_bad_input_leaves_a_file_as_it_was(tmp_path):
    file = tmp_path / "report.html"
    file.write_text("before")
    done = run("conflict", "no-such-file.txt", "-o", file)
    assert (done.exit_code, file.read_text()) == (65, "before")


@pytest.mark.parametrize("command", [COMMANDS["conflict"], ("program", KILLER)])
def test_a_file_that_cannot_be_opened(command, tmp_path):
    file = tmp_path / "missing" / "report"
    done = run(*command, "-o", file)
    assert (done.exit_code, done.stdout) == (74, "")
    assert f"{file} cannot be written: No such file or directory" in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_full_disk():
    done = run("program", KILLER, "-o", "/dev/full")
    assert done.exit_code == 74
    assert done.stderr == "aspdoku: /dev/full cannot be written: No space left on device\n"


def test_a_folder_is_no_file(tmp_path):
    done = run("program", KILLER, "-o", tmp_path)
    assert done.exit_code == 2
    assert "is a directory" in done.stderr
