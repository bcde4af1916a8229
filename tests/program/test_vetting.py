"""Untrusted rule files cannot run code or read files, however they disguise it."""

import os
import subprocess
import sys
import time

import pytest
from in_one_test import in_one_test

from aspdoku.errors import RuleError
from aspdoku.program import RuleFile, compose, vetting
from aspdoku.program.lint import check
from aspdoku.puzzle import Puzzle

pytestmark = pytest.mark.versions

# Text that makes a wrong lexer take the code after it for part of a comment or a string, and the
# text that ends it.
DISGUISES = {
    "plain": ("", ""),
    "a shebang comment": ("#! %*\n", "\n% *%"),
    "a shebang comment after code": ("p. #! %*\n", "\n#! *%"),
    "a block comment in a block comment": ("%* %* *% *% ", ""),
    "a comment in a block comment": ("%* % *%\n*% ", ""),
    "a quoted percent sign": ('p("%*"). ', ' q("*%").'),
    "a carriage return": ("% \r\n", ""),
}
ATTACKS = {
    "a file": '#include "secret.lp".',
    "a file of clingo's own": "#include <incmode>.",
    "standard input": '#include "-".',
    "a script": "#script (python)\nimport pathlib; pathlib.Path('seen').touch()\n#end.",
    "a function": ":- a(1,1,@touch(1)).",
    "another part": "#program later.",
}


@in_one_test("attack", ATTACKS)
@pytest.mark.parametrize("disguise", DISGUISES)
def test_an_attack_is_rejected_in_any_disguise(disguise, attack, tmp_path, monkeypatch):
    before, after = DISGUISES[disguise]
    (tmp_path / "secret.lp").write_text("secret(1).\n")
    (tmp_path / "mine.lp").write_text(f"{before}{ATTACKS[attack]}{after}\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RuleError, match=r"mine\.lp:\d+:\d+: #?@?\w+ "):
        compose(Puzzle.blank(4), "./mine.lp")
    assert check(RuleFile.read(tmp_path / "mine.lp", "mine.lp"))


def test_no_script_runs_even_if_scripts_are_enabled(tmp_path):
    """clingo runs the scripts of a text that it is given, so it must not be given this one."""
    (tmp_path / "mine.lp").write_text(f"#! %*\n{ATTACKS['a script']}\n% *%\n")
    program = (
        "from clingo.script import enable_python; enable_python(); from aspdoku import *;"
        " compose(Puzzle.blank(4), './mine.lp')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert "RuleError" in done.stderr
    assert "#script" in done.stderr
    assert not (tmp_path / "seen").exists()


def test_a_pipe_that_nobody_writes_to_does_not_block(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "mine.lp").write_text('#! %*\n#include "fifo".\n% *%\n')
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RuleError, match="#include"):
        compose(Puzzle.blank(4), "./mine.lp")


@pytest.mark.parametrize(
    "nested",
    ["({})", "f({})", "-{}", "~{}", "1+{}", "1**{}", "|-{}|"],
)
@pytest.mark.parametrize("levels", [300, 9_000, 300_000])
def test_nesting_cannot_crash_the_parser(nested, levels):
    """As clingo does at the largest of these numbers of levels."""
    before, _, after = nested.partition("{}")
    text = f"p. % 3\np({before * levels}1{after * levels})."
    if (nested, levels) in (("({})", 300), ("({})", 9_000)):  # which do not nest terms
        assert vetting.vet(text) == ()
    else:
        (refusal,) = vetting.vet(text)
        assert refusal.line == 2
        assert "nested" in refusal.text or "brackets and operators" in refusal.text


@pytest.mark.parametrize("nested", ["(.+{})", "f({})", "[{}]"])
def test_brackets_in_theory_atoms_cannot_crash_the_parser(nested):
    """A period in an operator of a theory atom does not end the statement."""
    before, _, after = nested.partition("{}")
    text = f"p.\n&p {{ {before * 150_000}1{after * 150_000} }}."
    (refusal,) = vetting.vet(text)
    assert refusal.line == 2


def test_a_long_file_is_not_nested():
    text = "p((((((1)))))).\n" * 2_000
    assert vetting.vet(text) == ()


POOL = "(" + ";".join(map(str, range(10))) + ")"


@pytest.mark.parametrize(
    "text",
    [
        f"p({','.join([POOL] * 4)}).\n" * 15,
        f"{{ {';'.join([f'p({POOL},{POOL},{POOL},{POOL})'] * 15)} }}.",
        f":- ({POOL},{POOL}) < #sum {{ 1 : p({POOL},{POOL}) }} < ({POOL},{POOL}).",
    ],
    ids=["statements", "elements", "guards and elements"],
)
def test_the_pools_of_a_file_have_one_limit(text):
    (refusal,) = vetting.vet(text)
    assert "pools" in refusal.text


def test_pools_within_the_limit():
    text = (
        f":- a({POOL},{POOL},({';'.join(map(str, range(900)))}))." + f":- p({POOL},{POOL}).\n" * 99
    )
    assert vetting.vet(text) == ()


@pytest.mark.slow
@pytest.mark.parametrize("begin", ["", ":- a(1,1,1),\n"])
def test_comments_count(begin):
    (refusal,) = vetting.vet(begin + "%\n" * 60_000)
    assert "comments" in refusal.text


@pytest.mark.parametrize("text", ["asp 1 0 0\n1 0 1 1 0 0\n0\n", "asp 1 0 0 incremental\n0\n"])
def test_aspif_is_no_rule_file(text):
    """clingo's parser reads it, and passes none of its statements on."""
    (refusal,) = vetting.vet(text)
    assert "aspif" in refusal.text
    assert vetting.vet("asp :- b.") == ()


def test_include_in_comments_and_strings_is_no_code():
    text = '% see #include\n%* #include "a". *%\np("#include <incmode>").  #! #include\n'
    assert vetting.vet(text) == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        ":- a(1,1,(" + ";".join(map(str, range(30_000))) + ")).",
        ":- a(1,1,N), " + "<".join(["N"] * 30_000) + ".",
        "p(" + ",".join(["1"] * 30_000) + ").",
        ":- a(1,1,N), N != 3.\n" * 3_000,
        "p(" + ",".join(["(1;2)"] * 40) + ").",  # pools that stand for 2 to the power of 40 rules
        "p. " + "%" * 2_000_000,
    ],
    ids=["pool", "chain of comparisons", "arguments", "rules", "product of pools", "comment"],
)
def test_a_large_file_is_vetted_or_rejected_in_bounded_time(text):
    began = time.process_time()
    check(RuleFile("mine", "mine.lp", text))
    assert time.process_time() - began < 20
