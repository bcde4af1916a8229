"""-o of the commands that print reports: the file, its format, and errors."""

import json
import os
import resource
import stat
import subprocess
from functools import partial

import pytest
from cli_runner import COMMAND, INSTANCES, environment, run, run_process

pytestmark = pytest.mark.versions

KILLER = INSTANCES / "made" / "killer.txt"
COMMANDS = {
    "elaborate": ("elaborate", "--with", "anti-knight", "-c", "n=4"),
    "conflict": ("conflict", "11" + "." * 14),
    "hint": ("hint", "1234341221434..."),
    "equal": ("equal", "anti-king", "anti-knight", "--size", "4"),
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


# Each has a bad input, which is noticed after the file.
WRITERS = {
    "elaborate": ("elaborate", "--with", "no-such-rule", "-c", "n=4", "-o"),
    "conflict": ("conflict", "no-such-file.txt", "-o"),
    "equal": ("equal", "no-such-rule", "odd", "-o"),
    "program": ("program", "no-such-file.txt", "-o"),
    "draw": ("draw", "no-such-file.txt", "-o"),
    "handout": ("handout", "no-such-file.txt", "-o"),
    "generate": ("generate", "--with", "no-such-rule", "-o"),
    "minimise": ("minimise", "no-such-file.txt", "-o"),
    "learn": ("learn", "--rule", "no-such-rule", "--size", "4", "-o"),
    "batch": ("batch", "no-such-file.txt", "-o"),
    "convert": ("convert", "--to", "puzzle", "no-such-file.txt"),
}


@pytest.mark.parametrize("command", WRITERS.values(), ids=WRITERS)
def test_a_file_that_cannot_be_opened(command, tmp_path):
    """It is noticed before the work."""
    (tmp_path / "file").write_text("")
    assert run(*command, tmp_path / "x.html").exit_code == 65
    for place, reason in (("missing/x.html", "No such file or"), ("file/x.html", "Not a")):
        file = tmp_path / place
        done = run(*command, file)
        assert (done.exit_code, done.stdout) == (74, "")
        assert f"{file} cannot be written: {reason} directory" in done.stderr


def limited_files(*arguments):
    """Run a command that can write no file larger than 500 bytes."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        capture_output=True,
        # Python writes only the beginning of a module that it has compiled, without an error.
        env=environment(PYTHONDONTWRITEBYTECODE="1"),
        preexec_fn=partial(resource.setrlimit, resource.RLIMIT_FSIZE, (500, 500)),
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize(
    "command",
    [
        ("program", KILLER, "-o", "x.lp"),
        *(
            pytest.param(command, marks=pytest.mark.slow)
            for command in (
                ("draw", KILLER, "-o", "x.svg"),
                ("convert", "example:killer", "x.json"),
                ("elaborate", "--with", "anti-knight", "-c", "n=4", "-o", "x.html"),
            )
        ),
    ],
    ids=["program", "draw", "convert", "elaborate"],
)
def test_a_disk_that_is_full_leaves_a_file_as_it_was(command, tmp_path):
    file = tmp_path / command[-1]
    is_new = command[0] == "convert"  # it overwrites nothing
    if not is_new:
        file.write_text("before")
    done = limited_files(*command[:-1], file)
    assert (done.returncode, done.stderr) == (
        74,
        f"aspdoku: {file} cannot be written: File too large\n",
    )
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == (
        [] if is_new else [(file.name, "before")]
    )


def test_a_written_file_replaces_the_other_one(tmp_path):
    """Its mode and its links stay."""
    expected = run("program", KILLER).stdout
    files = {name: tmp_path / name for name in ("target", "link", "dangling", "one", "two")}
    files["target"].write_text("before")
    files["target"].chmod(0o640)
    files["link"].symlink_to("target")
    files["dangling"].symlink_to(tmp_path / "later")
    files["one"].write_text("before")
    files["two"].hardlink_to(files["one"])
    with files["target"].open() as before:
        for name in ("link", "dangling", "one"):
            assert run("program", KILLER, "-o", files[name]).exit_code == 0
        assert before.read() == "before"
    assert files["link"].is_symlink()
    assert files["dangling"].is_symlink()
    for file in (*files.values(), tmp_path / "later"):
        assert file.read_text() == expected
    assert stat.S_IMODE(files["target"].stat().st_mode) == 0o640
    assert len([*tmp_path.iterdir()]) == 6


@pytest.mark.slow
def test_devices_and_pipes_are_written_to(tmp_path):
    expected = run("program", KILLER).stdout.encode()
    assert run_process("program", KILLER, "-o", "/dev/stdout").stdout == expected
    with (tmp_path / "file").open("wb") as out:
        out.write(b"first\n")
        out.flush()
        place = f"/dev/fd/{out.fileno()}"
        command = [*COMMAND, "program", KILLER, "-o", place]
        subprocess.run(command, env=environment(), pass_fds=[out.fileno()], timeout=60, check=True)
    assert [*tmp_path.iterdir()] == [tmp_path / "file"]
    assert expected in (tmp_path / "file").read_bytes()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen([*COMMAND, "program", KILLER, "-o", pipe], env=environment()):
        assert pipe.read_bytes() == expected
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root can write all files")
def test_a_file_that_may_not_be_written(tmp_path):
    file = tmp_path / "x.lp"
    file.write_text("before")
    file.chmod(0o444)
    assert run("program", KILLER, "-o", file).exit_code == 74
    assert file.read_text() == "before"
    file.chmod(0o644)
    tmp_path.chmod(0o555)
    assert run("program", KILLER, "-o", file).exit_code == 0
    assert run("program", KILLER, "-o", tmp_path / "y.lp").exit_code == 74


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_full_disk():
    done = run("program", KILLER, "-o", "/dev/full")
    assert done.exit_code == 74
    assert done.stderr == "aspdoku: /dev/full cannot be written: No space left on device\n"


def test_a_folder_is_no_file(tmp_path):
    done = run("program", KILLER, "-o", tmp_path)
    assert done.exit_code == 2
    assert "is a directory" in done.stderr
