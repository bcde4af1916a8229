"""The directives of a lesson: what they put on the stage, and what is computed of it."""

import hashlib
import re
from itertools import product

import clingo
import pytest
from in_one_test import in_one_test
from instance_files import ROOT
from small_lessons import FRONT, read, scenes, step

from aspdoku.errors import LessonError, TimeLimitError
from aspdoku.lesson import computed
from aspdoku.lesson.scenes import base_change, code_data, fresh, grid_of

LATIN_SQUARES, SUDOKUS = 576, 288  # of 4x4: OEIS A002860, A107739


def counted_by_clingo(*files, facts="", size=9, rows=3, columns=3):
    """The number of grids, counted by clingo itself."""
    sizes = (f"n={size}", f"box_rows={rows}", f"box_columns={columns}")
    control = clingo.Control(["0", "--eq=0", *(f"-c{each}" for each in sizes)])
    for file in ("base.lp", *files):
        control.load(str(ROOT / "asp" / file))
    control.add(facts)
    control.ground()
    return sum(1 for _ in control.solve(yield_=True))


def givens(text):
    """Facts for the rows of numbers of a puzzle file."""
    rows = [line.split() for line in text.splitlines() if re.fullmatch(r"(?:[.\d] ?){9}", line)]
    assert len(rows) == 9
    return "".join(
        f"a({r},{c},{number})."
        for r, row in enumerate(rows, 1)
        for c, number in enumerate(row, 1)
        if number != "."
    )


def problem(*blocks, folder=ROOT, **more):
    with pytest.raises(LessonError) as error:
        scenes(*blocks, folder=folder, **more)
    return str(error.value)


def test_the_base_and_the_box_at_four_rows():
    first, wall, boxes = scenes("size: 4", "show: all-solutions\nexpect: 576", "add: box")
    assert [scene.count for scene in (first, wall, boxes)] == [576, LATIN_SQUARES, SUDOKUS]
    assert first.verdict is None
    assert (boxes.verdict.count, boxes.verdict.was) == (SUDOKUS, LATIN_SQUARES)
    assert wall.universe == boxes.universe
    assert len({*wall.universe}) == LATIN_SQUARES
    assert fresh(boxes) == {"bricks": ["box"], "facts": []}


def test_offset():
    facts = givens((ROOT / "instances" / "slides" / "offset.txt").read_text("utf-8"))
    before, after = scenes("puzzle: example:offset\nwithout: offset\nexpect: 342", "add: offset")
    assert before.count == counted_by_clingo("elaborations/box.lp", facts=facts)
    assert after.count == 1
    assert [rule.name for rule in before.stage.rules] == ["base", "box"]


def test_a_retraction():
    facts = givens((ROOT / "instances" / "slides" / "anti-knight.txt").read_text("utf-8"))
    opening = "puzzle: example:anti-knight"
    first, second = scenes(opening, "fact: ab(box).\nshow: changes\nexpect: 14")
    assert second.count == counted_by_clingo("elaborations/anti-knight.lp", facts=facts)
    assert (second.verdict.count, second.verdict.was) == (14, 1)
    assert first.verdict is None
    assert fresh(second) == {"bricks": [], "facts": ["ab(box)"]}


def test_an_exception_and_its_licence():
    first, second = scenes(
        "puzzle: example:except-the-fives\nwithout-facts: ab(anti_knight,5).\nexpect: 0",
        "fact: ab(anti_knight,5).\nshow: solution\nmark: licence anti-knight\nexpect: 1",
    )
    assert (first.count, second.count) == (0, 1)
    assert second.stage.retracted == ("anti_knight,5",)
    grid = grid_of(second)
    marks, pairs = second.marks
    assert pairs
    for (r, c), (r1, c1) in pairs:  # equal fives, a knight's move apart
        assert {abs(r - r1), abs(c - c1)} == {1, 2}
        assert grid[9 * r + c - 10] == grid[9 * r1 + c1 - 10] == 5
    assert {tuple(mark) for mark in marks} == {
        (*cell, "exception") for pair in pairs for cell in pair
    }


def test_clues_that_may_be_false():
    first, second = scenes(
        "puzzle: example:liar\nwithout: liar\nexpect: 0", "add: liar\nshow: solution\nexpect: 1"
    )
    assert (first.count, second.count) == (0, 1)
    assert sum(grid_of(second)) == 6 * sum(range(1, 7))


def knights_moves(row, column):
    moves = [(1, 2), (2, 1)]
    steps = [(s * a, t * b) for a, b in moves for s in (1, -1) for t in (1, -1)]
    return {(row + a, column + b) for a, b in steps}


def test_marks_of_what_a_rule_reaches():
    eight, one = scenes(
        "size: 9\nmark: slides/anti-knight-eight-rules r5c5 ♞",
        "mark: slides/anti-knight-distance r5c5",
    )
    assert eight.marks[0][0] == [5, 5, "from", "♞"]
    assert {(r, c, k) for r, c, k in eight.marks[0][1:]} == {
        (*cell, "reach") for cell in knights_moves(5, 5)
    }
    assert one.marks[0][0] == [5, 5, "from"]
    extra = {(r, c) for r, c, kind in one.marks[0] if kind == "extra"}
    assert extra == {(2, 5), (8, 5), (5, 2), (5, 8)}


def test_a_comparison_has_the_exceptions_of_the_stage():
    """The wording of the slides has no exceptions: it also forbids ones a knight's move apart."""
    (scene,) = scenes(
        "size: 6\nadd: box, anti-knight\nfact: ab(anti_knight,1).\n"
        "compare: anti-knight slides/anti-knight-eight-rules\nexpect: laxer"
    )
    rows = scene.witness.grid.rows
    apart = {
        rows[row - 1][column - 1]
        for row, column in product(range(1, 7), repeat=2)
        for r, c in knights_moves(row, column)
        if {r, c} <= {*range(1, 7)} and rows[r - 1][c - 1] == rows[row - 1][column - 1]
    }
    assert apart == {1}


@pytest.mark.parametrize(
    ("names", "facts", "expected"),
    [
        ("anti-knight slides/anti-knight-eight-rules", "", "same"),
        ("slides/anti-knight-distance anti-knight", "fact: ab(row).", "stricter"),
        ("anti-knight slides/anti-knight-distance", "fact: ab(row).", "laxer"),
        ("anti-knight offset", "", "different"),
    ],
)
def test_comparisons(names, facts, expected):
    block = f"puzzle: example:four\n{facts}\ncompare: {names}\nexpect: {expected}"
    (scene,) = scenes(block)
    assert scene.verdict.is_good == (expected == "same")
    if expected == "same":
        assert scene.verdict.text == "The same, given row, column and box."
        assert scene.verdict.against == "as anti-knight-eight-rules, at 4×4"
        assert grid_of(scene) is None
        return
    one, _ = names.split()
    violated = scene.witness.violated.name == one.removeprefix("slides/")
    assert violated == (expected == "stricter") or expected == "different"
    given = "row, column and box" if not facts else "column and box"
    assert scene.verdict.text == f"{expected.capitalize()}, given {given}."
    _, other = names.split()
    allows = "forbids" if scene.witness.violated.name == other.removeprefix("slides/") else "allows"
    assert scene.verdict.against.endswith(
        f" {other.removeprefix('slides/')}, which {allows} this grid"
    )
    assert len(grid_of(scene)) == scene.witness.grid.puzzle.size**2
    (r, c), (r1, c1), *_ = scene.witness.cells
    size = scene.witness.grid.puzzle.size
    grid = grid_of(scene)
    assert grid[size * (r - 1) + c - 1] == grid[size * (r1 - 1) + c1 - 1]


def test_texts_on_the_slide():
    (scene,) = scenes("puzzle: example:liar\ncode: liar 1-2")
    text = (ROOT / "asp" / "elaborations" / "liar.lp").read_text("utf-8")
    assert code_data(scene) == {"brick": "liar", "text": text, "statements": [1, 2]}
    quoted, kept, gone = scenes(
        "size: 4\nquote: |\n  Some\n  words.\n  -- Somebody", "tower: none", "code: none"
    )
    expected = {"quote": [["", "Some words."]], "by": [["", "Somebody"]]}
    assert code_data(quoted) == code_data(kept) == expected
    assert code_data(gone) is None


def test_another_base():
    first, second, third = scenes(
        "size: 9\nbase: slides/base\ncode: base",
        "base: slides/base-without-box\ncode: diff",
        "formalisms: strimko",
    )
    assert base_change(third) == base_change(second)
    hashes = [
        hashlib.sha256((ROOT / "asp" / "slides" / f"{name}.lp").read_bytes()).hexdigest()[:7]
        for name in ("base", "base-without-box")
    ]
    same = {"name": "slides/base", "was": None, "added": 0, "removed": 0}
    assert base_change(first) == same | {"hash": hashes[0]}
    assert base_change(second) == {
        "name": "slides/base-without-box",
        "hash": hashes[1],
        "was": hashes[0],
        "added": 1,
        "removed": 1,
    }
    signs = [sign for sign, _ in code_data(second)["diff"]]
    assert signs[:3] == ["-", "-", "+"]
    assert {*signs[3:]} == {" "}
    assert all("%" not in line for _, line in code_data(second)["diff"])


def test_towers():
    none, base, whole = scenes("puzzle: example:classic\ntower: none", "tower: base", "tower: all")
    assert fresh(base) == {"bricks": ["base"], "facts": []}
    assert fresh(whole) == {"bricks": ["box"], "facts": []}
    assert none.count == whole.count == 1
    assert base.count == 1001


def test_paths_are_relative_to_the_file(tmp_path):
    (tmp_path / "four.txt").write_text("1... ..3. .4.. 2...", "utf-8")
    (tmp_path / "mine.lp").write_text("% Mine.\n:- a(1,1,1).\n", "utf-8")
    first, second = scenes(
        "puzzle: four.txt", "add: ./mine.lp\ncode: ./mine.lp\nexpect: 0", folder=tmp_path
    )
    assert first.count > 0
    assert code_data(second)["brick"] == "mine"


def test_an_own_brick_has_exceptions_and_is_taken_back(tmp_path):
    rule = "% Mine.\n:- a(1,1,N), not ab(mine), not ab(mine,N).\n"
    (tmp_path / "mine.lp").write_text(rule, "utf-8")
    blocks = ("size: 4", "add: ./mine.lp\nexpect: 0", "fact: ab(mine,2).", "fact: ab(mine).")
    *_, excepted, gone = scenes(*blocks, folder=tmp_path)
    # Each number is in the corner of a quarter of the grids.
    assert (excepted.count, gone.count) == (LATIN_SQUARES // 4, LATIN_SQUARES)
    assert fresh(gone) == {"bricks": [], "facts": ["ab(mine)"]}
    wrong = problem("size: 4", "add: ./mine.lp\nexpect: 1", folder=tmp_path)
    assert "expect: 1, but it is 0: correct the line" in wrong
    unknown = problem("size: 4", "fact: ab(mine).", folder=tmp_path)
    assert "no rule that stands there reads ab(mine)" in unknown


def test_numbers_in_texts():
    more = "? Of {count}, how many?\n\n- [x] {count: reveal}\n- [ ] `{ none }`\n\n"
    more += "> {count} of {was}; {hash: base}, {hash: box}.\n\n"
    text = FRONT + step("size: 4", "add: box\nexpect: 288", more=more, say="All {count}.")
    (found,) = computed(read(text)).steps
    hashes = [
        hashlib.sha256((ROOT / "asp" / file).read_bytes()).hexdigest()[:7]
        for file in ("base.lp", "elaborations/box.lp")
    ]
    assert found.say == [["", "All 576."]]
    assert found.question == [["", "Of 576, how many?"]]
    assert found.options == [([["", "288"]], True), ([["code", "{ none }"]], False)]
    assert (
        found.scenes[1].own_answer
        == found.scenes[1].answer
        == [["", f"288 of 576; {hashes[0]}, {hashes[1]}."]]
    )


def test_numbers_above_the_limit():
    (scene,) = scenes("size: 5\nexpect: 1000+", say="{count}")
    assert scene.count == 1001


PROBLEMS = {
    "size: 4\nexpect: 575": "l.md:12: expect: 575, but it is 576: correct",
    "size: 5\nexpect: 161280": "expect '161280': expected a number",
    "size: 4\nexpect: same": "invalid expect 'same': expected a number of solutions",
    "size: 4\ncompare: box offset\nexpect: 3": "invalid expect '3': use one of same, stricter",
    "size: 4\ncompare: anti-knight anti-king\nexpect: same": "expect: same, but it is laxer",
    "size: 4\ncompare: box": "compare: expected the names of two rules, not 'box'",
    "size: four": "size: invalid size 'four'",
    "size: 0": "size: invalid grid of 0 rows",
    "puzzle: example:clasic": "puzzle: unknown example 'clasic'. Did you mean 'classic'?",
    "puzzle: nowhere.txt": "puzzle:",
    "add: box": "add: no puzzle is on the stage",
    "size: 4\nadd: anti-nite": "add: unknown rule 'anti-nite'. Did you mean 'anti-knight'?",
    "puzzle: example:classic\nfact: ab(box).\nwithout: offset": "without: no rule 'offset' stands",
    "puzzle: example:classic\nfact: even(1,1).": "fact: even(1,1) cannot be added on the stage",
    "size: 4\nfact: ab(box).": "fact: no rule that stands there reads ab(box)",
    "size: 4\nfact: ab(": "fact:",
    "size: 4\nwithout-facts: ab(box).": "without-facts: the puzzle has no fact ab(box)",
    "size: 4\nbase: slides/bass": "base:",
    "size: 4\ntower: some": "tower: unknown value 'some'. Values: none, base, all",
    "size: 4\nshow: solutions": "show: unknown value 'solutions'. Did you mean 'solution'?",
    "size: 4\ncode: diff": "code: the base is that of before",
    "size: 4\ncode: base 9": "code: invalid statements '9': asp/base.lp has 5",
    "size: 4\ncode: base 2-1": "code: invalid statements '2-1'",
    "size: 4\nmark: anti-knight": "mark: invalid mark 'anti-knight'",
    "size: 4\nmark: anti-knight r5c5": "mark: r5c5 is not in the grid: it has 4 rows",
    "size: 9\nmark: box r5c5": "asp/elaborations/box.lp does not forbid equal numbers in two cells",
    "puzzle: example:anti-knight\nmark: licence anti-knight": "no exception from",
    "size: 4\nquote: Words": "quote: who said it is missing",
    "size: 4\nformalisms: strimco": "formalisms: no stored comparison of 'strimco'. Did you mean",
    "size: 5\nshow: all-solutions": "show: all-solutions, but there are more than 1,000",
    "puzzle: example:except-the-fives\nwithout-facts: ab(anti_knight,5).\nshow: solution": (
        "show: there is no solution to show"
    ),
}


@in_one_test(("block", "message"), PROBLEMS.items())
def test_problems(block, message):
    found = problem(block)
    assert message in found
    assert re.match(r"l\.md:1\d: ", found)


@pytest.mark.parametrize(
    ("say", "message"),
    [
        ("{counts}", "l.md:8: unknown value {counts}. Did you mean 'count'?"),
        ("{count: reveal}", "l.md:8: unknown scene in {count: reveal}"),
        ("{was}", "l.md:8: {was} has no meaning here"),
        ("{hash: box}", "l.md:8: unknown rule in {hash: box}. Rules on the tower: base"),
    ],
)
def test_problems_in_texts(say, message):
    assert message in problem("size: 4", say=say)


def test_all_problems_are_reported():
    found = problem("size: 4\nexpect: 5", "add: box\nexpect: 6", say="{counts}")
    assert [int(line.split(":")[1]) for line in found.splitlines()] == [8, 12, 19]


def test_an_unknown_exercise():
    text = FRONT.replace("minutes: 5", "exercise: anti-kind") + step("size: 4")
    with pytest.raises(LessonError, match="exercise: unknown rule 'anti-kind'"):
        computed(read(text))


def test_the_time_limit():
    with pytest.raises(TimeLimitError):
        computed(read(FRONT + step("size: 4\nexpect: 576")), 1e-9)
