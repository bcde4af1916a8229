"""What puzzles change in a base, against clingo's own parser and grounder, and the files."""

import re
import subprocess
import sys
from collections import Counter

import pytest
from clingo import ast
from instance_files import ROOT
from rule_files import rule_file

import aspdoku
from aspdoku.lecture import tolerance
from aspdoku.lecture.tolerance import UNTOUCHED, Meter
from aspdoku.program import compose

ASP = ROOT / "asp"


def measured(name):
    return Meter(20).measure(compose(aspdoku.read(f"example:{name}")))


def files_of(rule):
    """The files that a rule adds: itself, and the definitions whose predicates it declares."""
    files, waiting = set(), [ASP / "elaborations" / f"{rule}.lp"]
    while waiting:
        file = waiting.pop()
        if file not in files:
            files.add(file)
            declared = re.findall(r"#defined ([a-z_]+)/", file.read_text("utf-8"))
            waiting += [
                word for name in declared if (word := ASP / "vocabulary" / f"{name}.lp").exists()
            ]
    return files


def statements(files):
    found = []
    ast.parse_files([str(file) for file in files], found.append)
    return sum(each.ast_type.name not in ("Comment", "Program") for each in found)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["anti-knight", "greater-than", "killer", "renban", "whispers"])
def test_statements_are_counted_as_by_the_parser_of_clingo(name):
    for measure in measured(name):
        assert (measure.added, measure.removed) == (statements(files_of(name)), 0)


def ground_lines(program):
    """The rules that `clingo --text` prints, without facts and directives."""
    command = [sys.executable, "-m", "clingo", "--text"]
    done = subprocess.run(command, input=program, capture_output=True, text=True)
    rules = (line for line in done.stdout.splitlines() if not line.startswith("#"))
    return Counter(line for line in rules if ":-" in line or line.startswith(("{", "1<=", "1={")))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["anti-knight", "greater-than", "offset"])
def test_ground_rules_are_counted_as_by_the_grounder_of_clingo(name):
    program = compose(aspdoku.read(f"example:{name}")).without_givens()
    others = [rule for rule in program.rules if rule.name != name]
    before, after = ground_lines(program.changed(others).text), ground_lines(program.text)
    assert not before - after
    for measure in measured(name):
        assert measure.fate == "kept"
        assert measure.ground_diff.kept == measure.ground_diff.before
        assert measure.ground_diff.added == (after - before).total() > 0


def test_a_retraction_removes_the_ground_rules_that_clingo_no_longer_has():
    program = compose(aspdoku.read("example:strimko")).without_givens()
    assert program.puzzle.without == ("box",)
    game = [rule for rule in program.rules if rule.name in ("base", "box")]
    gone = ground_lines(program.changed(game, without=()).text) - ground_lines(program.text)
    ours, slides = measured("strimko")
    assert (ours.fate, slides.fate) == ("retracted", "edited")
    assert ours.ground_diff.before - ours.ground_diff.kept == gone.total() > 0
    assert (ours.removed, slides.removed) == (0, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["anti-knight", "killer", "strimko", "samurai", "liar"])
def test_the_program_has_the_bytes_of_our_base_where_it_is_called_untouched(name):
    ours, _ = measured(name)
    assert ours.fate in UNTOUCHED
    text = compose(aspdoku.read(f"example:{name}")).text.encode()
    for file in ("base.lp", "elaborations/box.lp"):
        assert (ASP / file).read_bytes() in text


def fates(text):
    return [each.fate for each in Meter(20).measure(compose(aspdoku.parse(text)))]


ROWS = "1234\n3412\n2143\n....\n"


def test_the_base_of_the_slides_fits_only_puzzles_whose_answer_it_has():
    """It has the numbers from 1 on, all cells, rows and columns, and boxes of one shape."""
    assert fates(ROWS) == ["kept", "kept"]
    assert fates(f"numbers: 0-3\n{ROWS.replace('4', '0')}") == ["kept", "unfit"]
    assert fates(f"without: row\n{ROWS}") == ["retracted", "unfit"]
    assert fates(f"without: box\n{ROWS}") == ["retracted", "edited"]


def test_regions_of_a_puzzle_take_an_edit_of_the_base_of_the_slides():
    regions = "[box]\nAABB\nAABB\nCCDD\nCCDD\n"
    assert fates(ROWS + regions) == ["kept", "edited"]


def test_unused_cells_take_ground_rules_from_our_base_and_do_not_fit_that_of_the_slides():
    text = f"{'.' * 6}\n" * 6 + "[facts]\nboard(1,1,1,4,4). board(2,3,3,4,4).\n"
    ours, slides = fates(f"with: boards\nwithout: row, column\nnumbers: 1-4\n{text}")
    assert (ours, slides) == ("retracted", "unfit")


def agree(text, *constraints):
    """Whether a puzzle's program agrees with itself and further constraints."""
    program = compose(aspdoku.parse(text))
    wrong = compose(aspdoku.parse(text), rule_file("\n".join([*constraints, ""])))
    return tolerance._agree(program, wrong, 20)


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_an_encoding_with_fewer_of_several_solutions_is_wrong(number):
    """Whatever the solutions are that are found first."""
    assert agree("." * 16)
    assert agree("." * 16, f":- a(1,1,{number}).") is False


def test_an_encoding_of_a_puzzle_without_solutions_is_compared_without_givens():
    unsolvable = "11..\n....\n....\n....\n"
    assert agree(unsolvable)
    assert agree(unsolvable, ":- a(4,4,1).") is False
    assert agree(unsolvable, ":- cell(1,1).") is False


def test_without_any_solution_it_is_open_whether_an_encoding_is_wrong():
    assert agree(f"with: anti-knight, anti-king\n{'.' * 16}", ":- a(4,4,1).") is None
