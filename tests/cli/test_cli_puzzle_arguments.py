"""What can be typed instead of a file: a grid, a URL, an example, piped input; and facts."""

import os
import socket
import subprocess
import time

import pytest
from cli_runner import COMMAND, INSTANCES, environment, run, run_process
from in_one_test import in_one_test

import aspdoku

SMALL = "1.....3..4..2..."
TWO = "1...............\n.4.....4..2.1...\n"
URL = "https://sudokupad.app/"


def count(*arguments, **options):
    return run_process("count", *arguments, **options)


# ---- A grid or URL as argument


@pytest.mark.parametrize(
    "text",
    [SMALL, "1... ..3. .4.. 2...", "1...\n..3.\n.4..\n2...", SMALL.replace(".", "0")],
)
def test_a_grid_as_argument(text):
    printed = run("count", text).stdout
    assert printed == run("count", "-", given=SMALL).stdout != ""


def test_every_command_takes_a_grid():
    for arguments in (
        ["solve"],
        ["draw"],
        ["grade"],
        ["why", "r1c1=3"],
        ["equal", "box", "offset"],
    ):
        result = run(*arguments, ".4.....4..2.1...")
        assert result.stderr == ""
        assert result.exit_code in (0, 1)
    assert run("convert", SMALL, "-", "--to", "lines").stdout == SMALL + "\n"


def test_a_url_as_argument():
    pytest.importorskip("lzstring")
    url = aspdoku.convert(SMALL, "address").strip()
    assert run("convert", url, "-", "--to", "lines").stdout == SMALL + "\n"
    assert run("count", url).stdout == run("count", SMALL).stdout
    assert aspdoku.count(url).count == aspdoku.count(SMALL).count


def test_an_existing_file_wins(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in (SMALL, "example:killer"):
        (tmp_path / name).write_text("." * 16)
        assert run("count", name).stdout == "288\n"
        assert aspdoku.count(name).count == 288


NEITHER = {
    "an identifier": (URL + "abc123", "only identifies a puzzle on SudokuPad's server"),
    "another site": ("https://example.com/p.html", "unsupported site example.com"),
    "15 cells": ("1.....3..4..2..", "No such file or directory; a puzzle is a file, a grid"),
    "17 cells": ("1.....3..4..2....", "17"),
    "a wrong number": ("1.....3..4..2..9", "invalid number 9"),
    "the name of a rule and a bundled puzzle": (
        "killer",
        "Did you mean --with killer or example:killer?",
    ),
    "the name of a rule": ("negative-xv", "Did you mean --with negative-xv"),
    "a word": ("puzzle", "puzzle: No such file or directory; a puzzle is a file, a grid"),
    "a path": ("puzzles/mine", "puzzles/mine: No such file or directory"),
    "a file name": ("mine.txt", "mine.txt: No such file or directory"),
    "two grids": (TWO, "the text seems to contain 2"),
    "no example": ("example:kiler", "unknown example 'kiler'. Did you mean 'killer'?"),
}


@in_one_test("case", NEITHER)
@in_one_test("command", [["solve"], ["grade"], ["equal", "box", "offset"]])
def test_what_is_neither_a_file_nor_a_grid(command, case):
    text, message = NEITHER[case]
    result = run(*command, text)
    assert (result.exit_code, result.stdout) == (65, "")
    assert message in result.stderr


# ---- Standard input


def test_piped_input_needs_no_dash():
    for given in (SMALL, f"title: piped\n\n{SMALL}\n"):
        done = count(given=given.encode())
        assert (done.stdout, done.stderr) == (count(SMALL).stdout, b"")


def test_a_file_as_standard_input(tmp_path):
    file = tmp_path / "grid.txt"
    file.write_text(SMALL)
    with file.open("rb") as stream:
        done = subprocess.run([*COMMAND, "count"], stdin=stream, capture_output=True, timeout=60)
    assert done.stdout == count(SMALL).stdout


BLANK = b"warning: no grid given: using a blank 9x9 grid\n"


def unique_with(stdin):
    """The output of a question that is quickly answered for a blank grid."""
    done = subprocess.run(
        [*COMMAND, "count", "--limit", "3"],
        stdin=stdin,
        capture_output=True,
        env=environment(),
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


def test_empty_standard_input_means_a_blank_grid(tmp_path):
    empty = tmp_path / "empty"
    empty.write_bytes(b"")
    expected = (0, b"at least 3\n", BLANK)
    with empty.open("rb") as stream:
        assert unique_with(stream) == expected
    assert unique_with(subprocess.DEVNULL) == expected


@pytest.mark.parametrize("kind", ["pipe", "socket"])
def test_an_open_standard_input_without_content_is_not_waited_for(kind):
    """As under servers that leave a pipe open to which nothing is ever written."""
    if kind == "pipe":
        reader, writer = os.pipe()
    else:
        reader, writer = (each.detach() for each in socket.socketpair())
    try:
        began = time.monotonic()
        status, out, err = unique_with(reader)
        assert time.monotonic() - began < 20
        assert (status, out) == (0, b"at least 3\n")
        assert err.endswith(BLANK)
        assert b"to wait for it, write -" in err
    finally:
        os.close(reader)
        os.close(writer)


def test_a_size_means_a_blank_grid():
    """So that a command in a shell loop does not consume the lines that the loop reads."""
    assert count("-c", "n=4", given=SMALL.encode()).stdout == b"288\n"


@pytest.mark.parametrize("command", [["count"], ["convert", "--to", "lines"], ["grade"]])
def test_one_of_several_on_standard_input(command):
    ending = ["-"] if command[0] == "convert" else []
    one = [run(*command, f"-#{index}", *ending, given=TWO) for index in (1, 2)]
    for index, line in enumerate(TWO.splitlines()):
        expected = run(*command, "-", *ending, given=line).stdout
        # `grade` also prints the name.
        assert one[index].stdout.split() in (
            expected.split(),
            expected.replace("standard input", f"-#{index + 1}").split(),
        )


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ("-", "select one by its index after the file name, e.g. -#2"),
        ("-#3", "standard input: no puzzle 3: the file contains 2 puzzles"),
        ("-#0", "standard input: invalid index '0': puzzles are counted from 1, e.g. -#1"),
        ("-#x", "standard input: invalid index 'x': puzzles are counted from 1, e.g. -#1"),
    ],
)
def test_a_wrong_index(grid, message):
    result = run("solve", grid, given=TWO)
    assert (result.exit_code, result.stdout) == (65, "")
    assert message in result.stderr


# ---- Bundled puzzles


def test_an_example_is_its_file():
    for name, file in {"killer": "made/killer", "anti-knight": "slides/anti-knight"}.items():
        path = INSTANCES / f"{file}.txt"
        shown = run("program", f"example:{name}").stdout
        assert shown.replace(f"example:{name}", str(path)) == run("program", path).stdout
        assert run("example", name).stdout == path.read_text("utf-8")
        assert aspdoku.read(f"example:{name}") == aspdoku.read(path)
        text = aspdoku.compose(f"example:{name}").text
        assert text.replace(f"example:{name}", str(path)) == aspdoku.compose(path).text


def test_the_list_of_examples():
    listed = run("example").stdout.splitlines()
    names = [line.split()[0] for line in listed]
    assert names == sorted(set(names))
    assert {"killer", "anti-knight", "example", "four", "except-the-fives", "samurai"} <= set(names)
    assert "Arrow sudoku [arrow]" in listed[names.index("arrow")]
    assert all(aspdoku.read(f"example:{name}").size for name in names)
    assert not any("solution" in name for name in names)


def test_the_wheel_contains_the_folders_of_the_examples():
    import tomllib

    from aspdoku.formats.detection import examples

    settings = tomllib.loads((INSTANCES.parent / "pyproject.toml").read_text("utf-8"))
    included = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["include"]
    for path in examples().values():
        folder = path.parent.relative_to(INSTANCES.parent).as_posix()
        assert f"/{folder}" in included


def test_unknown_example():
    result = run("example", "anti-knigt")
    assert (result.exit_code, result.stdout) == (65, "")
    assert "Did you mean 'anti-knight'?" in result.stderr


# ---- Commands


def test_a_misspelt_command():
    for arguments in (["slove"], ["slove", "--with", "box"], ["help", "slove"]):
        result = run(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "No such command 'slove'. Did you mean 'solve'?" in result.stderr
    assert "Did you mean" not in run("frobnicate").stderr


def test_help_is_the_help_of_the_command():
    assert run("help").stdout == run("--help").stdout
    for command in ("solve", "grade", "help"):
        assert run("help", command).stdout == run(command, "--help").stdout
    assert "example:" in run("help").stdout


# ---- Facts


def test_facts_are_added_to_the_puzzle(tmp_path):
    """As if they were written into the file."""
    file = tmp_path / "grid.txt"
    file.write_text("with: even\n\n" + "....\n" * 4 + "\n[facts]\neven(1,1). even(1,2). ab(box).\n")
    plain = tmp_path / "plain.txt"
    plain.write_text("with: even\n\n" + "....\n" * 4 + "\n[facts]\neven(1,1).\n")
    facts = ["--fact", "even(1,2)", "--fact", " ab(box). "]
    assert run("count", plain, *facts).stdout == run("count", file).stdout
    assert run("count", plain).stdout != run("count", file).stdout
    both = aspdoku.count(plain, facts=["even(1,2)", "ab(box)."])
    assert both.count == aspdoku.count(file).count
    written = aspdoku.read(file).facts
    assert aspdoku.count(plain, facts=written).count == both.count
    assert aspdoku.compose(plain, facts="even(1,2). ab(box).").text.replace("plain", "grid") == (
        aspdoku.compose(file).text
    )


def test_an_exception_on_the_command_line():
    """Without two of the four numbers, the rule forbids fewer grids, with all of them none."""
    knight = ["-c", "n=4", "--with", "anti-knight"]
    counts = [
        int(run("count", *knight, *facts).stdout)
        for facts in (
            [],
            ["--fact", "ab(anti_knight,1..2)"],
            ["--fact", "ab(anti_knight,(1;2;3;4))"],
        )
    ]
    assert counts == sorted(counts)
    assert counts[2] == 288 > counts[1] > counts[0]


def test_facts_for_every_line_and_every_grid():
    line = "................"
    batch = run("batch", "--with", "even", "--fact", "even(1,1)", "-", given=f"{line} even(1,2).\n")
    first = batch.stdout[:2]
    assert set(first) == {"2", "4"}
    graded = run("grade", ".4.....4..2.1...", "--fact", "a(1,1,2)")
    assert graded.exit_code == 20


@in_one_test(
    ("fact", "message"),
    [
        ("ab(X)", "invalid fact 'ab(X)': unexpected 'X'"),
        ("", "invalid fact ''"),
        ("even(1,1) :- x", "unexpected ':-'"),
        (":- a(1,1,1).", "unexpected ':-'"),
        ("even(1,1", "invalid fact 'even(1,1': missing closing parenthesis"),
        ("even(5..1,1)", "empty interval"),
        ("number(9)", "which a puzzle cannot change"),
        ("even(5,1)", "even(5,1) is outside the grid"),
        ("a(1,2,5)", "invalid number 5 in r1c2"),
        ("a(1,1,2)", "given a(1,1,2) contradicts the grid"),
    ],
)
def test_what_is_no_ground_fact(fact, message):
    result = run("solve", SMALL, "--with", "even", "--fact", fact)
    assert (result.exit_code, result.stdout) == (65, "")
    assert message in result.stderr
    with pytest.raises(aspdoku.AspdokuError):
        aspdoku.solve(SMALL, with_="even", facts=[fact])


def test_facts_of_another_type():
    for facts in ([5], 5):
        with pytest.raises(TypeError):
            aspdoku.solve(SMALL, facts=facts)
    with pytest.raises(aspdoku.AspdokuError, match="facts of a composed program are fixed"):
        aspdoku.solve(aspdoku.compose(SMALL), facts="even(1,1)")


@pytest.mark.parametrize(
    ("command", "named"),
    [
        (["solve", "--with", ""], "--with"),
        (["count", "--without", " , "], "--without"),
        (["minimise", "--keep", ""], "--keep"),
    ],
)
def test_an_option_without_a_name_is_refused(command, named):
    refused = run(*command, "1.....3..4..2...")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"Invalid value for {named}: the name is missing" in refused.stderr


def test_a_constant_with_two_values_is_refused():
    refused = run("count", "-c", "n=4", "-c", "n=5")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "n has two values, 4 and 5" in refused.stderr
    assert run("count", "-c", "n=4", "-c", "n=4").stdout == "288\n"
