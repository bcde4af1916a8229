"""Sections whose facts are what a rule file declares, and lists of clues outside the grid."""

import pytest
from in_one_test import in_one_test

import aspdoku
from aspdoku.errors import AspdokuError, PuzzleError
from aspdoku.formats.native import write
from aspdoku.puzzle import Function, Puzzle
from aspdoku.web import page

GRID = "....\n" * 4 + "\n"
PICTURE = "x . . .\n. . . .\n. . x .\n. . . ."

# Of bundled rules: what is read.
BUNDLED = {
    "marked cells": ("[even]\nr1c1 r3c3", "even(1,1). even(3,3)."),
    "marked cells, by line": ("[odd]\nr1c1\nr3c3", "odd(1,1). odd(3,3)."),
    "a picture of marks": (f"[even]\n{PICTURE}", "even(1,1). even(3,3)."),
    "pairs with a value": (
        "[white-dot]\n1: r3c1 r3c2\n2: r1c1 r2c1",
        "white_dot(1,1,2,1,2). white_dot(3,1,3,2,1).",
    ),
    "pairs without a value": ("[chaos-same]\nr3c1 r3c2", "chaos_same(3,1,3,2)."),
    "pairs with a name": ("[clone]\n7: r3c1 r1c2", "clone(7,3,1,1,2)."),
    "cells with a number": (
        "[pencilmark]\n3: r1c1 r2c2\n4: r1c1",
        "pencilmark(1,1,3). pencilmark(1,1,4). pencilmark(2,2,3).",
    ),
    "a picture of numbers": (
        "[pencilmark]\n3 . . .\n. . . .\n. . . .\n. . . 4",
        "pencilmark(1,1,3). pencilmark(4,4,4).",
    ),
    "cages as paths": (
        "[cage]\n3: r1c1 r1c2\nr2c1",
        "cage(1,1,1). cage(1,2,1). cage(2,1,2). cage_value(1,3).",
    ),
    "clues of rows": ("[sandwich-row]\n. 12 . 0", "sandwich_row(2,12). sandwich_row(4,0)."),
    "clues by edge": (
        "[skyscraper]\nright: . . . 2\ntop: 3 . . .",
        "skyscraper(right,4,2). skyscraper(top,1,3).",
    ),
    "sets of a group": (
        "[same-values]\n1: r1c1 r1c2\n1: r3c3 r3c4\n2: r2c2",
        "same_values(1,1,1,1). same_values(1,2,1,1). same_values(2,2,2,3). same_values(3,3,1,2)."
        " same_values(3,4,1,2).",
    ),
    "lists of numbers": (
        "[quadruple]\n1,4: r2c2\n3,3,1: r1c1\n2: r3c3",
        "quadruple(1,1,1,1). quadruple(1,1,3,2). quadruple(2,2,1,1). quadruple(2,2,4,1)."
        " quadruple(3,3,2,1).",
    ),
    "lines as before": ("[thermo]\nr1c1 r1c2", "thermo(1,1,1,1). thermo(1,2,1,2)."),
}


def facts_of(puzzle):
    return " ".join(sorted(f"{fact}." for fact in puzzle.facts))


@in_one_test("case", BUNDLED)
def test_a_section_of_a_bundled_rule(case):
    section, facts = BUNDLED[case]
    puzzle = aspdoku.parse(GRID + section)
    assert facts_of(puzzle) == facts
    assert aspdoku.parse(write(puzzle)) == puzzle
    assert aspdoku.parse(f"{GRID}[facts]\n{facts}") == puzzle


PEAK = (
    "#defined peak/2.  % peak(R,C): the cell in row R, column C is a peak\n"
    ":- peak(R,C), a(R,C,1).\n"
)
BOND = (
    "#defined bond/5.  % bond(R,C,R1,C1,D): the two cells differ by D\n"
    ":- bond(R,C,R1,C1,D), a(R,C,N), a(R1,C1,N1), |N-N1| != D.\n"
)
RING = (
    "#defined ring/4.  % ring(R,C,N,Q): N stands Q times around the cell in row R, column C\n"
    ":- ring(R,C,N,Q), { a(R-1..R+1,C-1..C+1,N) } Q-1.\n"
)
TEAM = (
    "#defined team/4.  % team(R,C,G,I): the cell in row R, column C lies in set I of group G\n"
    ":- team(R,C,G,I), a(R,C,G+I).\n"
)
OWN = {
    "lists": (RING, "[ring]\n1,4: r2c2\n3,3: r3c3", "ring(2,2,1,1). ring(2,2,4,1). ring(3,3,3,2)."),
    "sets": (TEAM, "[team]\n1: r1c1\n1: r2c2 r2c3", "team(1,1,1,1). team(2,2,1,2). team(2,3,1,2)."),
    "marked cells": (PEAK, "[peak]\nr1c1 r3c3", "peak(1,1). peak(3,3)."),
    "a picture": (PEAK, f"[peak]\n{PICTURE}", "peak(1,1). peak(3,3)."),
    "without a comment": (
        PEAK.replace("% peak", "% Peak"),
        "[peak]\nr1c1 r3c3",
        "peak(1,1). peak(3,3).",
    ),
    "the other order": (
        PEAK.replace("peak(R,C)", "peak(C,R)"),
        "[peak]\nr1c2",
        "peak(2,1).",
    ),
    "pairs": (BOND, "[bond]\n1: r1c1 r3c3\n2: r1c1 r1c2", "bond(1,1,1,2,2). bond(1,1,3,3,1)."),
    "the value first": (
        BOND.replace("bond(R,C,R1,C1,D)", "bond(D,R,C,R1,C1)"),
        "[bond]\n3: r1c1 r3c2",
        "bond(3,1,1,3,2).",
    ),
}


def own(text):
    return aspdoku.RuleFile.from_text("own", text)


@pytest.mark.parametrize("case", OWN)
def test_a_section_of_a_rule_that_is_given_by_its_path(case):
    """The file is read before the rule is known."""
    text, section, facts = OWN[case]
    puzzle = aspdoku.parse(GRID + section)
    plain = aspdoku.parse(f"{GRID}[facts]\n{facts}")
    program = aspdoku.compose(puzzle, own(text))
    assert program.puzzle == plain
    assert program.text == aspdoku.compose(plain, own(text)).text
    assert program.warnings == ()
    assert program.with_grid(puzzle.grid).puzzle == plain


def test_a_rule_that_reads_the_section_as_it_is_has_priority():
    both = own(f"#defined peak/4.\n:- peak(I,K,R,C), a(R,C,1).\n{PEAK}")
    puzzle = aspdoku.parse(f"{GRID}[peak]\nr1c1")
    assert aspdoku.compose(puzzle, both).puzzle.facts == puzzle.facts


def test_facts_that_are_no_section_are_left_alone():
    puzzle = aspdoku.parse(f"{GRID}[facts]\npeak(1,2,3,4).")
    program = aspdoku.compose(puzzle, own(PEAK))
    assert program.puzzle.facts == puzzle.facts
    assert "it needs peak/2, but the puzzle provides only peak/4" in program.warnings[0]


UNFIT = {
    "a missing value": (
        BOND,
        "[bond]\nr1c1 r1c2",
        "missing value of r1c1 r1c2: write it as in `1: ",
    ),
    "three cells": (BOND, "[bond]\n1: r1c1 r1c2 r1c3", "3 cells in r1c1 r1c2 r1c3: write one pair"),
    "a picture of pairs": (BOND, f"[bond]\n{PICTURE}", "a picture has no pairs of cells"),
    "a value too many": (PEAK, "[peak]\n3: r1c1", "a value before r1c1, but this input takes none"),
    "a list for one value": (
        BOND,
        "[bond]\n1,2: r1c1 r1c2",
        "the list 1,2 where one value is expected",
    ),
    "a list without numbers": (RING, "[ring]\nx: r1c1", "expected numbers separated by commas"),
    "no cells": (
        "#defined peak/1.  % peak(N): the number N is a peak\n:- peak(N), a(1,1,N).\n",
        "[peak]\nr1c1",
        "cells do not determine this input: call the row of a cell R and its column C in the"
        " comment, or put its facts into [facts]",
    ),
    "other letters": (
        BOND.replace("bond(R,C,R1,C1,D)", "bond(X,Y,X1,Y1,D)"),
        "[bond]\n1: r1c1 r1c2",
        "cells do not determine this input: call the row of a cell R and its column C in the",
    ),
    "a letter for lines": (
        "#defined clock/3.  % clock(R,C,K): the cell is K hours away\n:- clock(R,C,K), a(R,C,K).\n",
        "[clock]\n1: r1c1",
        "cells do not determine this input: K means a position on a line, a rank, or a number of",
    ),
    "two values": (
        "#defined two/4.  % two(R,C,N,M): the cell is N or M\n:- two(R,C,N,M), a(R,C,N+M).\n",
        "[two]\n1: r1c1",
        "cells do not determine this input: besides the cells a section has one value, not N and M",
    ),
    "a list of clues for cells": (
        PEAK,
        "[peak]\n. . 3 .",
        "a list of clues, one for each row or column, does not determine this input",
    ),
}


@in_one_test("case", UNFIT)
def test_a_section_that_does_not_fit(case):
    """The message quotes what the rule file declares."""
    text, section, message = UNFIT[case]
    meaning = text.partition("% ")[2].partition("\n")[0]
    with pytest.raises(AspdokuError) as refused:
        aspdoku.compose(f"{GRID}{section}", own(text))
    name = section.partition("\n")[0]
    assert f"section {name}: {message}" in str(refused.value)
    assert f"({meaning})" in str(refused.value)


@pytest.mark.parametrize(
    ("section", "line"),
    [
        ("[bond]\n1: r1c1 r1c2\n\n# a comment\nr2c1 r2c2", 10),
        (f"[bond]\n{PICTURE}", 7),
        ("[x]\nr1c1 r1c2\n[bond]\nr2c1 r2c2", 9),
    ],
)
def test_the_line_that_does_not_fit(section, line, tmp_path):
    file = tmp_path / "grid.txt"
    file.write_text(GRID + section)
    with pytest.raises(AspdokuError) as refused:
        aspdoku.compose(file, own(BOND))
    assert str(refused.value).startswith(f"{file}:{line}: section [bond]: ")


@pytest.mark.parametrize("name", ["quadruple", "same-values"])
def test_paths_are_not_taken_for_the_four_arguments_of_another_input(name):
    with pytest.raises(PuzzleError, match=rf"p:8: section \[{name}\]: missing value of r1c1 r2c2"):
        aspdoku.parse(f"{GRID}[{name}]\n1: r3c3\nr1c1 r2c2", "p")


WRONG = {
    "a list for a line": (
        "[whispers]\n5,8: r1c2 r1c3",
        "p:7: section [whispers]: the list 5,8 where one value is expected",
    ),
    "too few": ("[skyscraper]\ntop: 1 2 .", "p:7: 3 clues in [skyscraper], but the grid is 4x4"),
    "twice": ("[x]\ntop: 1 . . .\ntop: . . . 1", "p:8: duplicate clues for the edge top"),
    "no edge": (
        "[x]\ntop: 1 . . .\n. . 1 .",
        "p:8: no edge in this line of [x]: begin it with one of",
    ),
    "no clue": ("[x]\nleft: . . . .", "p:6: section [x] contains no clue"),
    "no value": ("[x]\nleft: . ? . .", "p:7: invalid value '?'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_with_a_list_of_clues(case):
    section, message = WRONG[case]
    with pytest.raises(PuzzleError) as refused:
        aspdoku.parse(GRID + section, "p")
    assert str(refused.value).startswith(message)


def test_cages_with_numbers_are_written_as_a_picture():
    """Their names do not matter: `convert` chooses letters. Other rules of the cages agree."""
    facts = [Function("kenken", (1, c, c // 3 + 7)) for c in range(1, 5)]
    facts += [Function("kenken_sum", (7, 3)), Function("kenken_product", (8, 12))]
    puzzle = Puzzle.blank(4).replace(facts=tuple(facts), elaborations=("kenken",))
    text = aspdoku.convert(puzzle, "puzzle")
    assert "[kenken]\nA A B B\n. . . .\n" in text
    assert aspdoku.count(text).count == aspdoku.count(puzzle).count
    overlapping = puzzle.replace(facts=(*facts, Function("kenken", (1, 1, 8))))
    text = aspdoku.convert(overlapping, "puzzle")
    assert "[kenken]\nr1c1 r1c2\nr1c1 r1c3 r1c4\n" in text
    assert "kenken_sum(1,3)." in text


def test_overlapping_cages_are_written_as_a_list():
    cells = {1: [(1, 1), (1, 2)], 2: [(1, 2), (2, 2)], 3: [(4, 4)]}
    facts = [Function("cage", (*cell, name)) for name in cells for cell in cells[name]]
    puzzle = Puzzle.blank(4).replace(
        facts=(*facts, Function("cage_value", (2, 5))), elaborations=("killer",)
    )
    text = write(puzzle)
    assert text.endswith("\n\n[cage]\nr1c1 r1c2\n5: r1c2 r2c2\nr4c4\n")
    assert aspdoku.parse(text) == puzzle
    # Numbers of lines are names from 1: others cannot be written as a list.
    other = puzzle.replace(facts=(*facts, Function("cage", (1, 1, 7))))
    assert "[facts]" in write(other)
    assert aspdoku.parse(write(other)) == other


# Letters of an input of a rule of one's own, a section, and its facts as somebody would write them.
LETTERS = {
    "RC": ("r1c1 r3c3", "mine(1,1). mine(3,3)."),
    "CR": ("r1c2", "mine(2,1)."),
    "RCN": ("3 . . .\n. . . .\n. . . .\n. . . 4", "mine(1,1,3). mine(4,4,4)."),
    "RCV": ("3 . . .\n. . . .\n. . . .\n. . . 4", "mine(1,1,3). mine(4,4,4)."),
    "NRC": ("3 . . .\n. . . .\n. . . .\n. . . 4", "mine(3,1,1). mine(4,4,4)."),
    "RCS": ("12: r1c1 r1c2", "mine(1,1,12). mine(1,2,12)."),
    "RCD": ("x y . .\n. . . .\n. . . .\n. . . .\nx = 7\ny = 8", "mine(1,1,7). mine(1,2,8)."),
    "RCI": ("A A . .\n. . . .\n. . . .\n. . . .", 'mine(1,1,"A"). mine(1,2,"A").'),
    "RCB": ("1 . . .\n. . . .\n. . . .\n. . . .", 'mine(1,1,"1").'),
    "IRC": ("5: r1c1\nr1c1 r2c2", "mine(1,1,1). mine(2,1,1). mine(2,2,2). mine_value(1,5)."),
    "IKRC": ("r1c1 r1c2", "mine(1,1,1,1). mine(1,2,1,2)."),
    "RCRC": ("r3c1 r3c2", "mine(3,1,3,2)."),
    "DRCRC": ("2: r3c1 r3c2", "mine(2,3,1,3,2)."),
    "RCGI": ("1: r1c1\n1: r2c2 r2c3", "mine(1,1,1,1). mine(2,2,1,2). mine(2,3,1,2)."),
    "RCNQ": ("1,1,4: r2c2", "mine(2,2,1,2). mine(2,2,4,1)."),
    "RS": (". 12 . 0", "mine(2,12). mine(4,0)."),
    "SR": (". 12 . 0", "mine(12,2). mine(0,4)."),
    "CN": ("3 . . .", "mine(1,3)."),
    "EJN": ("right: . . . 2\ntop: 3 . . .", "mine(right,4,2). mine(top,1,3)."),
    "NEJ": ("right: . . . 2\ntop: 3 . . .", "mine(2,right,4). mine(3,top,1)."),
}


def named(letters):
    """`mine(R,C,R1,C1)`: the second row and column of a pair have an index."""
    seen = [f"{each}1" if each in letters[:place] else each for place, each in enumerate(letters)]
    return f"mine({','.join(seen)})"


def rule_of(letters):
    names = named(letters)
    return (
        f"#defined mine/{len(letters)}.  % {names}: an input of a test\n"
        "#defined mine_value/2.  % mine_value(I,S): the value of a group\n"
        f":- {names}, not a(1,1,1).\n:- mine_value(_,_), not a(1,1,1).\n"
    )


@pytest.mark.parametrize("letters", LETTERS)
def test_facts_do_not_depend_on_how_the_rule_is_named(letters, tmp_path, monkeypatch):
    section, facts = LETTERS[letters]
    (tmp_path / "rules").mkdir()
    for folder in (tmp_path, tmp_path / "rules"):
        (folder / "mine.lp").write_text(rule_of(letters))
    texts = {"section": f"{GRID}[mine]\n{section}\n", "facts": f"{GRID}[facts]\n{facts}\n"}
    for header in ("", "with: ./mine.lp\n", "with: mine\n"):
        for kind, text in texts.items():
            (tmp_path / f"{kind}{len(header)}.txt").write_text(header + text)
    monkeypatch.chdir(tmp_path)
    rule = aspdoku.RuleFile.from_text("mine", rule_of(letters))

    def ways(kind):
        by_path, by_name = f"{kind}16.txt", f"{kind}11.txt"
        state = {"puzzle": texts[kind], "own": [{"name": "mine", "text": rule_of(letters)}]}
        monkeypatch.delenv("ASPDOKU_PATH", raising=False)
        yield aspdoku.compose(texts[kind], rule)
        yield aspdoku.compose(texts[kind], aspdoku.RuleFile.from_text("", rule_of(letters)))
        yield aspdoku.compose(aspdoku.read(f"{kind}0.txt"), "./mine.lp")
        yield aspdoku.compose(by_path)
        yield page.program_of(state)
        yield aspdoku.compose(aspdoku.compose(texts[kind]).puzzle, rule)
        monkeypatch.setenv("ASPDOKU_PATH", str(tmp_path / "rules"))
        yield aspdoku.compose(by_name)
        yield aspdoku.compose(by_path)
        yield aspdoku.compose(aspdoku.convert(by_name, "puzzle"))

    for one, other in zip(ways("section"), ways("facts"), strict=True):
        assert facts_of(one.puzzle) == " ".join(sorted(facts.split()))
        assert instance_of(one) == instance_of(other)
        assert one.text.replace("section", "facts") == other.text
    assert facts_of(aspdoku.parse(aspdoku.convert("section16.txt", "puzzle"))) == facts_of(
        aspdoku.compose("section16.txt").puzzle
    )


def instance_of(program):
    return program.text.splitlines()[program.parts[-1].last_line + 1 :]


def test_a_section_that_no_rule_declares_is_not_written_as_facts():
    """The facts of a format without sections would not be those that a rule declares later."""
    text = f"{GRID}[atmost]\n{PICTURE}"
    assert "[atmost]" in aspdoku.convert(text, "puzzle")
    with pytest.raises(PuzzleError, match=r"cannot represent section \[atmost\]: its facts depend"):
        aspdoku.convert(text, "facts")


def test_facts_that_a_user_has_replaced_are_not_those_of_the_section():
    puzzle = aspdoku.parse(f"{GRID}[peak]\nr1c1 r3c3")
    replaced = puzzle.replace(facts=(Function("peak", (2, 2)),))
    assert facts_of(aspdoku.compose(replaced, own(PEAK)).puzzle) == "peak(2,2)."
