"""Invalid input of all kinds: a message and an exit status, never a traceback."""

import os

import pytest
from cli_runner import ASP, INSTANCES, run, run_process
from in_one_test import in_one_test

pytestmark = pytest.mark.versions

CLASSIC = INSTANCES / "slides" / "classic.txt"
ROWS = ". . . .\n" * 4

# The content of a puzzle file, and a part of the message in addition to the file's name.
PUZZLES = {
    "ragged": (b"1 2 3 4\n3 4 1\n2 1 4 3\n4 3 2 1\n", ":2: "),
    "not square": (b"1 2 3 4\n3 4 1 2\n2 1 4 3\n", "3 rows"),
    "a number out of range": (b". . . .\n. . 5 .\n. . . .\n. . . .\n", ":2: "),
    "a letter out of range": (b". . . .\n. . . .\n. . G .\n. . . .\n", ":3: "),
    "an invalid character for a cell": (b". . . .\n. . ? .\n. . . .\n. . . .\n", ":2: "),
    "empty": (b"", "no grid"),
    "blank": (b"\n \n\t\n", "no grid"),
    "only a header": (b"title: nothing\n", "no grid"),
    "only a section": (b"[facts]\neven(1,1).\n", "no grid"),
    "ten megabytes": (b". . . . . . . . .\n" * 600_000, "1 MB"),
    "ten megabytes in a line": (b"." * 10_000_000, "1 MB"),
    "binary": (bytes(range(256)) * 4, "not a text file"),
    "not UTF-8": (b"title: caf\xe9\n" + ROWS.encode(), ":1: "),
    "UTF-16": (ROWS.encode("utf-16"), ""),
    "a rule among the facts": (
        f"{ROWS}[facts]\neven(1,1).\na(1,1,1) :- even(1,1).\n".encode(),
        ":7: ",
    ),
    "a constraint among the facts": (f"{ROWS}[facts]\n:- a(1,1,1).\n".encode(), ":6: "),
    "a choice among the facts": (f"{ROWS}[facts]\n{{ even(1,1) }}.\n".encode(), ":6: "),
    "a variable among the facts": (f"{ROWS}[facts]\neven(X,1).\n".encode(), ":6: "),
    "a script among the facts": (
        f"{ROWS}[facts]\n#script (python) import os #end.\n".encode(),
        ":6: ",
    ),
    "an include among the facts": (f'{ROWS}[facts]\n#include "/etc/passwd".\n'.encode(), ":6: "),
    "a function call among the facts": (f"{ROWS}[facts]\neven(@f(1),1).\n".encode(), ":6: "),
    "a fact without a full stop": (f"{ROWS}[facts]\neven(1,1)\n".encode(), ":6: "),
    "a fact without a closing parenthesis": (f"{ROWS}[facts]\neven(1,1.\n".encode(), ":6: "),
    "unclosed parentheses": (f"{ROWS}[facts]\neven({'(' * 100_000}\n".encode(), ":6: "),
    "a given outside the grid": (f"{ROWS}[facts]\na(5,1,1).\n".encode(), ":6: "),
    "a given out of range": (f"{ROWS}[facts]\na(1,1,5).\n".encode(), ""),
    "two givens for a cell": (f"{ROWS}[facts]\na(1,1,1). a(1,1,2).\n".encode(), ":6: "),
    "a given that is not a number": (f"{ROWS}[facts]\na(1,1,x).\n".encode(), ":6: "),
    "a fact of the base": (f"{ROWS}[facts]\nnumber(10).\n".encode(), "number(10)"),
    "an unknown rule": (f"with: nonsense\n{ROWS}".encode(), "nonsense"),
    "a missing rule file": (f"with: ./nowhere.lp\n{ROWS}".encode(), "nowhere.lp"),
    "an unknown rule to retract": (f"without: nonsense\n{ROWS}".encode(), "nonsense"),
    "a box shape that does not fit": (f"box: 3x3\n{ROWS}".encode(), ":1: "),
    "an invalid box shape": (f"box: big\n{ROWS}".encode(), ":1: "),
    "an unknown header": (f"colour: red\n{ROWS}".encode(), ":1: "),
    "a box shape and regions": (
        f"box: 2x2\n{ROWS}[box]\nA A B B\nA A B B\nC C D D\nC C D D\n".encode(),
        "",
    ),
    "a grid that is too large": (b". " * 101 * 101, "100"),
}


@in_one_test(("content", "fragment"), PUZZLES.values())
@pytest.mark.parametrize("command", ["solve", "program"])
def test_an_invalid_puzzle_file_is_rejected(command, content, fragment, tmp_path):
    file = tmp_path / "bad.txt"
    file.write_bytes(content)
    result = run(command, file)
    assert isinstance(result.exception, SystemExit)
    assert (result.exit_code, result.stdout) == (65, "")
    assert result.stderr.startswith("aspdoku: ")
    assert len(result.stderr.splitlines()) == 1
    assert len(result.stderr) < 1000
    if fragment.startswith(":"):
        assert f"{file}{fragment}" in result.stderr
    assert fragment in result.stderr


# The content of a rule file, and a part of the message.
RULES = {
    "a syntax error": (b"% one\n:- a(1,1,1) b.\n", ":2:12: "),
    "an unsafe variable": (b"% one\n:- not a(R,1,1).\n", ":2:10: "),
    "python": (b'% one\n#script (python)\nimport os\nos.system("touch /tmp/x")\n#end.\n', ":2:1: "),
    "lua": (b"#script (lua) print(1) #end.\n", ":1:1: "),
    "an include": (b'#include "/etc/passwd".\n', ":1:1: "),
    "an include of a library file": (b"#include <incmode>.\n", ":1:1: "),
    "a function call": (b":- a(1,1,@f(1)).\n", ":1:10: "),
    "a function call without arguments": (b":- a(1,1,@ f).\n", ":1:10: "),
    "another part of the program": (b"#program foo.\n:- a(1,1,1).\n", ":1:1: "),
    "the base with a parameter": (b"#program base(t).\n", ":1:1: "),
    "an optimization": (b"#minimize { N : a(1,1,N) }.\n", ":1:"),
    "a maximization": (b"#maximize { N : a(1,1,N) }.\n", ":1:"),
    "a weak constraint": (b":~ a(1,1,N). [N]\n", ":1:1: "),
    "a projection": (b"#project number/1.\n", ":1:1: "),
    "a projection of an atom": (b"#project number(1).\n", ":1:1: "),
    "a theory": (b"#theory t { x { - : 0, unary }; &p/0 : x, any }.\n", ":1:1: "),
    "a constant for the size": (b"#const n = 4.\n", ":1:1: "),
    "a letter beyond ASCII": ("% one\nmäh(1).\n".encode(), ":2:2: "),
    "a variable beyond ASCII": (":- a(1,1,Ñ).\n".encode(), ":1:10: "),
    "NUL": (b":- a(1,1,1).\0\n", ""),
    "NUL in a comment": (b"% a\0b\n", ""),
    "NUL in a string": (b':- p("a\0b").\n', ""),
    "an unclosed comment": (b"% one\n%* never closed\n:- a(1,1,1).\n", ":2:1: "),
    "an unclosed nested comment": (b"%* one %* two *%\n:- a(1,1,1).\n", ""),
    "a statement without a full stop": (b"% one\n:- a(1,1,1)\n", ":2:12: "),
    "a statement without a full stop, then a comment": (b":- a(1,1,1)\n% the end", ":1:12: "),
    "an unclosed string": (b':- p("a).\n', ":1:"),
    "not UTF-8": (b"% caf\xe9\n", "UTF-8"),
    "UTF-16": (":- a(1,1,1).\n".encode("utf-16"), ""),
    "two megabytes": (b":- a(1,1,1).\n" * 160_000, "1000 kB"),
    # atoms of a/3 other than one valid number in each cell
    "a symbol in a cell": (b"a(1,2,x).\n", "a/3"),
    "a cell outside the grid": (b"a(10,1,5).\n", "a/3"),
    "a cell above the grid": (b"a(0,1,5).\n", "a/3"),
    "symbols as coordinates": (b"a(x,y,5).\n", "a/3"),
    "a number that is too large": (b"a(1,2,10).\n", "a/3"),
    "a choice of symbols for a cell": (b"{ a(1,2,x;y) }.\n:- not a(1,2,x).\n", "a/3"),
    "an additional cell": (b"cell(10,1).\n", "cell/2 is defined in asp/base.lp:10"),
    "an additional number": (
        b"number(10). ab(row). ab(column). ab(box).\n:- a(1,2,N), N < n+1.\n",
        "number/1 is defined in asp/base.lp:9",
    ),
    "a symbol as a number": (
        b"number(x). ab(row). ab(column). ab(box).\n:- not a(1,2,x).\n",
        "number/1 is defined in asp/base.lp:9",
    ),
}


@in_one_test(("content", "fragment"), RULES.values())
def test_an_invalid_rule_file_is_rejected(content, fragment, tmp_path):
    file = tmp_path / "bad.lp"
    file.write_bytes(content)
    result = run("solve", "--with", file, CLASSIC)
    assert isinstance(result.exception, SystemExit)
    assert (result.exit_code, result.stdout) == (65, "")
    assert [
        line.partition(" ")[0] for line in result.stderr.splitlines() if line.startswith("aspdoku:")
    ] == ["aspdoku:"]
    assert "#inc_base" not in result.stderr
    assert len(result.stderr) < 1500
    if fragment.startswith(":"):
        assert f"{file}{fragment}" in result.stderr
    assert fragment in result.stderr


@in_one_test("content", [content for content, _ in RULES.values()])
@pytest.mark.parametrize("format_", ["text", "json"])
def test_check_reports_an_invalid_rule_file(content, format_, tmp_path):
    file = tmp_path / "bad.lp"
    file.write_bytes(content)
    result = run("check", "--format", format_, file)
    assert isinstance(result.exception, SystemExit)
    assert (result.exit_code, result.stderr) == (1, "")
    assert str(file) in result.stdout


@pytest.mark.parametrize("start", ["slides", "elaborations", ""])
def test_a_path_that_leaves_the_bundled_folder_is_not_bundled(start, tmp_path):
    """Bundled files are not vetted, so a path that leaves their folder must not count as
    bundled.
    """
    (tmp_path / "evil.lp").write_text('#include "secret.lp".\n')
    (tmp_path / "secret.lp").write_text("secret.\n")
    way = os.path.relpath(tmp_path / "evil.lp", ASP / start)
    for name in (
        f"{start}/{way}",
        f"{start}/{way}".removesuffix(".lp"),
        way,
        way.removesuffix(".lp"),
    ):
        result = run("program", "--with", name, CLASSIC)
        assert (result.exit_code, result.stdout) == (65, "")


NAMES = [
    "two\nlines.txt",
    "{{ 7*7 }}.txt",
    "% a(1,1,1).txt",
    "\x1b[31mred.txt",
    "\udcff.txt",
    "é.txt",
    "*%.txt",
]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_malicious_file_name_is_harmless(name, tmp_path):
    """Neither in the program, where it occurs in a comment, nor on a terminal that shows the
    message.
    """
    file = tmp_path / name
    file.write_bytes(CLASSIC.read_bytes())
    program = run_process("program", file)
    assert (program.returncode, program.stderr) == (0, b"")
    plain = run("program", CLASSIC).stdout
    headings = [
        line for line in program.stdout.decode().splitlines() if line not in plain.splitlines()
    ]
    assert len(headings) == 1
    assert headings[0].startswith("% -- ")
    assert run("solve", file).stdout == run("solve", CLASSIC).stdout

    file.write_bytes(b"1 2\n")
    bad = run_process("solve", file)
    assert bad.returncode == 65
    assert b"Traceback" not in bad.stderr
    assert len(bad.stderr.splitlines()) == 1
    assert b"\x1b" not in bad.stderr


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_an_output_encoding_without_some_letters(encoding, tmp_path):
    file = tmp_path / "arrow.lp"
    file.write_text("% From → to, für Schüler.\n:- a(1,1,1), a(1,1,2).\n", "utf-8")
    puzzle = tmp_path / "arrow.txt"
    puzzle.write_text("title: → für\nwith: arrow.lp\n" + ROWS, "utf-8")
    for arguments in (["rules", file], ["program", puzzle], ["solve", puzzle], ["check", file]):
        done = run_process(*arguments, PYTHONIOENCODING=encoding)
        assert b"Traceback" not in done.stderr
        assert done.returncode in (0, 65)
