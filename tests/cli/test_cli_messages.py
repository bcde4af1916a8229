"""Messages of the command line for missing or wrong arguments: stream, text and exit status."""

import pytest
from cli_runner import ELABORATIONS, INSTANCES, run, run_process

pytestmark = pytest.mark.versions

CLASSIC = INSTANCES / "slides" / "classic.txt"
KILLER = INSTANCES / "made" / "killer.txt"

# Arguments, exit status, and a part of standard error; standard output has to be empty.
REJECTED = {
    "a misspelled rule": (
        ["--with", "anti-night", CLASSIC],
        65,
        ["'anti-night'", "Did you mean 'anti-knight'?", "`aspdoku rules` lists"],
    ),
    "an unknown rule": (
        ["--with", "zzz", CLASSIC],
        65,
        ["'zzz'", f"lists the {len(ELABORATIONS)} available rules"],
    ),
    "a misspelled rule of several": (
        ["--with", "offset,chian", CLASSIC],
        65,
        ["'chian'", "Did you mean 'chain'?"],
    ),
    "a missing rule file": (
        ["--with", "./mine.lp", CLASSIC],
        65,
        ["./mine.lp", "No such file"],
    ),
    "a rule file that is a folder": (["--with", "/tmp/", CLASSIC], 65, ["/tmp/", "directory"]),
    "a missing file": (["nowhere.txt"], 65, ["nowhere.txt", "No such file"]),
    "a folder as a file": (["/"], 65, ["/: ", "directory"]),
    "an unknown rule to retract": (
        ["--without", "nonsense", CLASSIC],
        65,
        ["'nonsense'", "box", "row", "column"],
    ),
    "a misspelled rule to retract": (
        ["--without", "boxx", CLASSIC],
        65,
        ["'boxx'", "Did you mean 'box'?"],
    ),
    "a rule to retract that is not used": (["--without", "offset", CLASSIC], 65, ["'offset'"]),
    "a size in addition to a grid": (["-c", "n=9", CLASSIC], 65, ["n", "comes from the grid"]),
    "a box shape in addition to a grid": (
        ["-c", "box_rows=3", CLASSIC],
        65,
        ["box_rows", "comes from the grid"],
    ),
    "a constant without a value": (["-c", "gap", CLASSIC], 2, ["'gap'", "NAME=VALUE"]),
    "an empty value": (["-c", "gap=", CLASSIC], 65, ["gap", "NAME=VALUE"]),
    "a value with code": (["-c", "gap=1. a(1,1,1)", CLASSIC], 65, ["gap", "NAME=VALUE"]),
    "a name with code": (["-c", "a(1,1,1). b=1", CLASSIC], 65, ["NAME=VALUE"]),
    "a size that is not a number": (["-c", "n=nine"], 2, ["n", "'nine'"]),
    "a size of zero": (["-c", "n=0"], 2, ["n", "'0'"]),
    "a negative size": (["-c", "n=-4"], 2, ["'-4'"]),
    "a size that is too large": (["-c", "n=101"], 65, ["101", "100"]),
    "boxes that do not fit": (["-c", "n=6", "-c", "box_rows=4"], 2, ["6x6"]),
    "boxes larger than the grid": (["-c", "n=6", "-c", "box_columns=9"], 2, ["6x6"]),
    "boxes of a wrong number of cells": (
        ["-c", "n=6", "-c", "box_rows=2", "-c", "box_columns=2"],
        65,
        ["2x2", "6x6"],
    ),
    "an unknown format": (["--format", "xml", CLASSIC], 2, ["xml", "json"]),
    "a time limit of zero": (["--time-limit", "0", CLASSIC], 2, ["--time-limit"]),
    "an unknown option": (["--nonsense", CLASSIC], 2, ["--nonsense"]),
    "two grids": ([CLASSIC, KILLER], 2, ["unexpected extra argument"]),
}


@pytest.mark.parametrize(("arguments", "status", "fragments"), REJECTED.values(), ids=REJECTED)
@pytest.mark.parametrize("command", ["solve", "program"])
def test_bad_arguments_are_rejected(command, arguments, status, fragments):
    if command == "program" and arguments[0] in ("--format", "--time-limit"):
        pytest.skip("program has no such option")
    result = run(command, *arguments)
    assert (result.exit_code, result.stdout) == (status, "")
    assert isinstance(result.exception, SystemExit)
    for fragment in fragments:
        assert fragment in result.stderr
    if status == 65:
        assert result.stderr.startswith("aspdoku: ")


GT = "rule greater-than has no effect: it needs gt/4, but the puzzle provides none"
CAGES = [
    f"the puzzle provides {item}, but no rule of this program uses it; --with killer would"
    for item in ("cage/3", "cage_value/2")
]

# A puzzle file, arguments, and the warnings; the puzzle is solved nevertheless.
WARNED = {
    "missing inputs": (". . . .\n" * 4, ["--with", "greater-than"], [GT]),
    "given inputs": (
        ". . . .\n" * 4 + "[facts]\ngt(1,1,1,2).\n",
        ["--with", "greater-than"],
        [],
    ),
    "facts for a rule that is not used": (
        ". . . .\n" * 4 + "[facts]\ncage(1,1,a). cage_value(a,3).\n",
        [],
        CAGES,
    ),
    "facts for a rule that is used": (
        ". . . .\n" * 4 + "[facts]\ncage(1,1,a). cage_value(a,3).\n",
        ["--with", "killer"],
        [],
    ),
    "facts for no rule": (
        ". . . .\n" * 4 + "[facts]\neven(1,1). dragon(1,1).\n",
        [],
        [
            "the puzzle provides dragon/2, but no rule of this program uses it",
            "the puzzle provides even/2, but no rule of this program uses it; --with even would",
        ],
    ),
    "a constant for no rule": (
        ". . . .\n" * 4,
        ["-c", "gap=2"],
        ["constant gap is set but no rule of this program uses it"],
    ),
    "a rule that needs no inputs": (". . . .\n" * 4, ["--with", "offset"], []),
}


@pytest.mark.parametrize(("text", "arguments", "warnings"), WARNED.values(), ids=WARNED)
@pytest.mark.parametrize("command", ["solve", "program"])
def test_inputs_without_effect_are_reported(command, text, arguments, warnings, tmp_path):
    file = tmp_path / "puzzle.txt"
    file.write_text(text)
    result = run(command, *arguments, file)
    assert result.exit_code == 0
    assert result.stderr.splitlines() == [f"warning: {warning}" for warning in warnings]
    assert "warning" not in result.stdout


def test_a_message_of_clingo_has_the_file_and_line(tmp_path):
    file = tmp_path / "slip.lp"
    file.write_text("% A slip.\n\nslip(N/(N-N)) :- number(N).\n:- slip(_).\n")
    result = run("solve", "-c", "n=4", "--with", file)
    assert result.exit_code == 0
    warnings = result.stderr.splitlines()
    assert any(
        warning.startswith(f"warning: {file}:3:6: ") and "operation undefined" in warning
        for warning in warnings
    )
    assert all(warning.startswith(f"warning: {file}:") for warning in warnings)


def test_a_time_limit_that_is_long_enough_changes_nothing():
    assert run("solve", "--time-limit", "60", CLASSIC).stdout == run("solve", CLASSIC).stdout


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["-h"], ["solve", "--help"], ["solve", "-h"], ["rules", "-h"], ["--version"]],
)
def test_help_and_version_are_printed_on_standard_output(arguments):
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    assert len(result.stdout.splitlines()) >= 1


def test_the_help_lists_the_commands():
    sections = run("--help").stdout.partition("Options:\n")[2].split("\n\n")[1:]
    listed = [line.split()[0] for section in sections for line in section.splitlines()[1:]]
    assert listed[:4] == ["example", "docs", "help", "solve"]
    assert {"solve", "program", "rules", "new", "check"} <= set(listed)
    assert all(run(command, "--help").exit_code == 0 for command in listed)


@pytest.mark.parametrize("arguments", [["slove"], ["solve,"], ["_status"], ["options"]])
def test_an_unknown_command_is_rejected(arguments):
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert arguments[0] in result.stderr


def test_a_size_with_too_many_digits_is_rejected():
    """Python refuses to parse a number of more than 4300 digits."""
    result = run("solve", "-c", f"n={'9' * 5000}")
    assert isinstance(result.exception, SystemExit)
    assert result.exit_code in (2, 65)
    assert len(result.stderr) < 1000


@pytest.mark.slow
def test_the_exit_status_of_the_process_is_that_of_the_command():
    for arguments, status in [
        (["-c", "n=4"], 0),
        (["-c", "gap", CLASSIC], 2),
        (["nowhere.txt"], 65),
    ]:
        assert run_process("solve", *arguments).returncode == status
    assert (
        run_process("solve", INSTANCES / "slides" / "as-printed" / "classic.txt").returncode == 20
    )


def test_a_section_named_like_a_rule(tmp_path):
    """The rule killer reads cages, with their sums, from [cage]."""
    file = tmp_path / "killer.txt"
    file.write_text("with: killer\n\n" + "....\n" * 4 + "\n[killer]\n" + "A A . .\n" * 4)
    result = run("count", file)
    assert "killer/3, but no rule of this program uses it: rule killer reads section [cage]" in (
        result.stderr
    )


SUGGESTED = [
    (
        ["why", "example:four", "r3c2=3", "-c", "k=3"],
        "r3c2=3 is no puzzle, but a claim, which comes first:"
        " aspdoku why r3c2=3 example:four -c k=3",
    ),
    (
        ["why", "r1c1=2", "example:four", "--with", "offset"],
        "run `aspdoku why 'r1c1!=2' example:four --with offset` for the reason",
    ),
    (
        ["why", "--unique", "r1c1=2", "example:four", "--with", "offset"],
        "run `aspdoku why --unique 'r1c1!=2' example:four --with offset` for the reason",
    ),
    (["batch", "example:classic"], "run `aspdoku solve example:classic`"),
    (["batch", "1..." * 4], f"run `aspdoku solve {'1...' * 4}`"),
]


@pytest.mark.parametrize(("words", "advice"), SUGGESTED, ids=[" ".join(w) for w, _ in SUGGESTED])
def test_errors_suggest_a_complete_command(words, advice):
    result = run(*words)
    assert result.exit_code == 65
    assert advice in result.stderr
