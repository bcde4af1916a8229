"""`aspdoku format`: files in place, standard input, and what stays as it is."""

import os
import subprocess
import sys

import pytest
from cli_runner import environment, run, run_process

pytestmark = pytest.mark.versions
UNTIDY, TIDY = ":-a(R,C,N),N<3.\n\n\n", ":- a(R,C,N), N < 3.\n"
BROKEN = ":- a(R,C,N),N =< 3.\n"


@pytest.fixture
def files(tmp_path):
    texts = {"untidy.lp": UNTIDY, "tidy.lp": TIDY, "broken.lp": BROKEN}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def texts(folder):
    return {file.name: file.read_text() for file in folder.iterdir()}


def test_in_place(files):
    before = (files / "tidy.lp").stat()
    done = run("format", files / "untidy.lp", files / "tidy.lp")
    assert (done.exit_code, done.output) == (0, f"{files}/untidy.lp: formatted\n")
    assert texts(files) == {"untidy.lp": TIDY, "tidy.lp": TIDY, "broken.lp": BROKEN}
    after = (files / "tidy.lp").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert run("format", files / "untidy.lp").output == ""


def test_check_changes_nothing(files):
    before = texts(files)
    done = run("format", "--check", files / "untidy.lp", files / "tidy.lp")
    assert (done.exit_code, done.output) == (1, f"{files}/untidy.lp: would change\n")
    assert texts(files) == before
    assert run("format", "--check", files / "tidy.lp").exit_code == 0


@pytest.mark.parametrize("option", [[], ["--check"]])
def test_a_file_that_does_not_parse_stays_and_the_others_are_formatted(files, option):
    missing = files / "missing.lp"
    done = run("format", *option, files / "broken.lp", missing, files / "untidy.lp")
    assert done.exit_code == 65
    finding = run("check", files / "broken.lp").stdout
    assert "=<" in finding
    assert done.stderr == f"aspdoku: {finding}{missing}: No such file or directory\n"
    assert texts(files)["broken.lp"] == BROKEN
    assert texts(files)["untidy.lp"] == (UNTIDY if option else TIDY)


def test_a_read_only_file_stays_and_the_others_are_formatted(files, monkeypatch):
    locked = files / "locked.lp"
    locked.write_text(UNTIDY)
    # As for a file that is not root's: root may write all.
    monkeypatch.setattr(os, "access", lambda path, mode: path != locked or mode == os.R_OK)
    done = run("format", files / "broken.lp", locked, files / "untidy.lp")
    assert done.exit_code == 65
    assert done.stderr.startswith(f"aspdoku: {files}/broken.lp:1:15: syntax error")
    assert done.stderr.endswith(f"\n{locked} cannot be written: Permission denied\n")
    assert texts(files)["locked.lp"] == UNTIDY
    assert texts(files)["untidy.lp"] == TIDY


def test_standard_input():
    assert run("format", "-", given=UNTIDY).output == TIDY
    checked = run("format", "--check", "-", given=UNTIDY)
    assert (checked.exit_code, checked.output) == (1, "standard input: would change\n")
    refused = run("format", "-", given=BROKEN)
    assert (refused.exit_code, refused.stdout) == (65, "")
    assert refused.stderr.startswith("aspdoku: standard input:1:15: syntax error")
    for given in (b"% \xff\n", b"% \x1b\n", b"p.\n" * 400_000):
        refused = run_process("format", "-", given=given)
        assert (refused.returncode, refused.stdout) == (65, b"")
        assert refused.stderr.startswith(b"aspdoku: standard input:")


def test_no_name_of_a_file_is_printed_with_the_text_of_another(files):
    done = run("format", files / "untidy.lp", "-", given=UNTIDY)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "without other files" in done.stderr
    assert texts(files)["untidy.lp"] == UNTIDY
    assert run("format", "-", "-", given=UNTIDY).output == TIDY
    checked = run("format", "--check", files / "untidy.lp", "-", given=TIDY)
    assert checked.output == f"{files}/untidy.lp: would change\n"


def test_lines_and_signs_are_kept(files):
    file = files / "windows.lp"
    file.write_bytes("% Für\tשלום\r\n:-a(1,1,1).".encode())
    assert run("format", file).exit_code == 0
    assert file.read_bytes() == "% Für\tשלום\r\n:- a(1,1,1).\r\n".encode()


def test_a_link_stays(files):
    link = files / "link.lp"
    link.symlink_to("untidy.lp")
    assert run("format", link).exit_code == 0
    assert os.readlink(link) == "untidy.lp"
    assert (files / "untidy.lp").read_text() == TIDY


# The process is killed when it has written half of a file.
KILLED = """\
import io, os, signal
from pathlib import Path
from aspdoku.__main__ import main

class Half(io.FileIO):
    def write(self, content):
        super().write(content[: len(content) // 2])
        os.kill(os.getpid(), signal.SIGKILL)

Path.open = lambda self, mode: (Half if "x" in mode else open)(self, mode)
main()
"""


def test_a_file_is_never_half_written(files):
    before = texts(files)
    command = [sys.executable, "-c", KILLED, "format", files / "untidy.lp"]
    done = subprocess.run(command, capture_output=True, env=environment(), timeout=60)
    assert done.stderr == b"aspdoku: the command was killed by SIGKILL; no result\n"
    assert texts(files) == before
