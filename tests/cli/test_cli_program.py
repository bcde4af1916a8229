"""`program` prints the complete program, with every rule file in it byte for byte."""

import re
import subprocess
import sys

import pytest
from cli_runner import ASP, ELABORATIONS, INSTANCES, run, run_process

CLASSIC = INSTANCES / "slides" / "classic.txt"


@pytest.mark.slow_cases("anti-diagonal,*")
@pytest.mark.parametrize("names", [[name] for name in ELABORATIONS] + [ELABORATIONS], ids=",".join)
def test_bundled_files_are_included_byte_for_byte(names):
    result = run("program", "--with", ",".join(names), CLASSIC)
    assert result.exit_code == 0
    for file in [
        ASP / "base.lp",
        ASP / "elaborations" / "box.lp",
        *(ASP / "elaborations" / f"{name}.lp" for name in names),
    ]:
        assert result.stdout_bytes.count(file.read_bytes()) == 1


def test_a_rule_that_is_not_used_is_not_included():
    parts = re.findall("^% -- asp/(.*)$", run("program", CLASSIC).stdout, re.MULTILINE)
    assert parts == ["base.lp", "elaborations/box.lp"]


AWKWARD = {
    "jinja": (
        b"% {% raw %} {{ x }} {# gone #} {% endraw %} {% include 'x' %} {{ 7 * 7 }}\n:- a(1,1,1).\n"
    ),
    "a jinja line statement": b"% # for x in y\n:- a(1,1,1).\n",
    "a pool": b"% {{1};{3}}\nodd((1;3)).\n:- a(1,1,N), odd(N).\n",
    "braces of a choice": b"{mine(1)}.{mine(2):mine(1)}.\n",
    "no newline at the end": b":- a(1,1,1).",
    "a comment at the end, without newline": b":- a(1,1,1). % the end",
    "CRLF": b"% one\r\n:- a(1,1,1).\r\n",
    "blanks and tabs at the ends of lines": b"% one \t\n:- a(1,1,1).  \n\n\n",
    "blank lines first": b"\n\n\n:- a(1,1,1).\n",
    "letters in comments": "% für → 数独 😀\n:- a(1,1,1).\n".encode(),
    "HTML": b"% <b>&amp;</b> \"'\n:- a(1,1,1).\n",
    "a block comment": b"%* one\n{{ two }} %* three *%\n*% :- a(1,1,1).\n",
    "a backslash": b"% \\n \\\\ \\{{\n:- a(R,C,N), R\\2 = 7.\n",
    "a comment like a heading": b"% -- asp/base.lp\n:- a(1,1,1).\n% -- the answer\n#show a/3.\n",
    "empty": b"",
}


awkward = pytest.mark.parametrize("content", AWKWARD.values(), ids=AWKWARD)


@awkward
def test_a_custom_file_is_included_byte_for_byte(content, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.lp").write_bytes(content)
    (tmp_path / "other.lp").write_bytes(b"% The other.\n:- a(1,1,0).\n")
    result = run("program", "--with", "./mine.lp", "--with", "./other.lp", CLASSIC)
    assert result.exit_code == 0
    assert ("neither forbids nor defines" in result.stderr) == (content == b"")
    headed = b"\n% -- ./mine.lp\n" + content + b"\n% -- ./other.lp\n% The other.\n:- a(1,1,0).\n\n"
    assert result.stdout_bytes.count(headed) == 1
    assert run("solve", "--with", "./mine.lp", CLASSIC).exit_code in (0, 20)


@awkward
def test_rules_prints_a_custom_file_byte_for_byte(content, tmp_path):
    (tmp_path / "mine.lp").write_bytes(content)
    result = run("rules", tmp_path / "mine.lp")
    assert (result.exit_code, result.stdout_bytes, result.stderr) == (0, content, "")


@pytest.mark.slow
def test_a_real_process_writes_the_same_bytes(tmp_path):
    content = AWKWARD["CRLF"] + AWKWARD["letters in comments"] + AWKWARD["jinja"]
    (tmp_path / "mine.lp").write_bytes(content)
    assert run_process("rules", "./mine.lp", cwd=tmp_path).stdout == content
    assert (
        run_process("program", "--with", "./mine.lp", CLASSIC, cwd=tmp_path).stdout.count(content)
        == 1
    )


def test_a_rule_named_twice_is_included_once():
    once = run("program", "--with", "offset", CLASSIC).stdout
    assert run("program", "--with", "offset,offset", "--with", "offset,box", CLASSIC).stdout == once


def test_a_rule_is_retracted_by_addition():
    """--without adds a fact to the program and removes no line."""
    plain = run("program", "--with", "anti-knight", CLASSIC).stdout.splitlines()
    without = run(
        "program", "--with", "anti-knight", "--without", "box,anti-knight", CLASSIC
    ).stdout.splitlines()
    added = list(without)
    for line in plain:
        added.remove(line)
    assert [line for line in added if line and not line.startswith("%")] == [
        "ab(box).",
        "ab(anti_knight).",
    ]


def test_the_puzzle_is_included_as_facts():
    text = run("program", CLASSIC).stdout
    instance = text.partition(f"% -- {CLASSIC}\n")[2]
    facts = re.findall(r"^a\(.*$", instance, re.MULTILINE)
    rows = [line.split() for line in CLASSIC.read_text("utf-8").splitlines()[2:]]
    expected = [
        " ".join(f"a({r},{c},{word})." for c, word in enumerate(row, 1) if word != ".")
        for r, row in enumerate(rows, 1)
    ]
    assert facts == expected
    assert re.findall(r"^#const (.*)\.$", text, re.MULTILINE) == [
        "n = 9",
        "box_rows = 3",
        "box_columns = 3",
    ]


def test_the_program_ends_with_the_shown_predicate():
    assert run("program", CLASSIC).stdout.endswith("\n% -- the answer\n#show a/3.\n#project a/3.\n")


def test_constants_and_a_blank_grid():
    text = run(
        "program", "-c", "n=6", "-c", "box_rows=3", "-c", 'name="a b"', "-c", "low=-2"
    ).stdout
    assert re.findall(r"^#const (.*)\.$", text, re.MULTILINE) == [
        "n = 6",
        "box_rows = 3",
        "box_columns = 2",
        'name = "a b"',
        "low = -2",
    ]
    assert re.findall(r"^a\(", text, re.MULTILINE) == []


@pytest.mark.slow
def test_clingo_reads_it_from_a_pipe():
    """The command line that the help shows."""
    printed = run("program", CLASSIC).stdout_bytes
    command = [sys.executable, "-m", "clingo", "--project=project", "0"]
    done = subprocess.run(command, input=printed, capture_output=True, timeout=60)
    assert done.stderr == b""
    assert b"\nModels       : 1\n" in done.stdout


def test_the_command_in_the_help_works_after_a_plain_install():
    """With the Python package clingo alone, which brings no command `clingo`."""
    shown = re.search(
        r"aspdoku program \S+ \| python -m (clingo .*)", run("program", "--help").stdout
    )
    text = run("program", ".4.....4..2.1...").stdout
    done = subprocess.run(
        [sys.executable, "-m", *shown[1].split()], input=text, capture_output=True, text=True
    )
    assert re.search(r"Models +: 1\n", done.stdout)
