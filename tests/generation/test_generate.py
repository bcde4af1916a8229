"""Generated puzzles: the oracle, plain clingo and the rules in plain Python decide on them."""

import re
import time
from collections import defaultdict

import clingo
import oracle
import pytest
from clue_drawing import FILES, WITH, WITHOUT
from rule_semantics import RULE_SEMANTICS

import aspdoku
from aspdoku.engine.clues import Clue
from aspdoku.errors import AspdokuError, NoSolutionError, RuleError, TimeLimitError
from aspdoku.explanation.techniques import DEFINITIONS
from aspdoku.questions.generate import generated_summary
from aspdoku.runtime import progress

EITHER = """\
with: thermo, either
. . . .
. . . .
. . . .
. . . .
[thermo]
r1c1 r1c2
r1c2 r1c1
[facts]
either(1,1,thermo,1). either(1,2,thermo,2).
"""
PARITY = """% The numbers in marked cells are odd.
#defined mark/2.  % mark(R,C): the cell in row R, column C is marked
#defined ab/1.
%@(R,C) r{R}c{C} is odd
:- mark(R,C), a(R,C,N), N \\ 2 = 0, not ab(parity).
"""


def count_up_to_two(program):
    """The number of grids of a program text by plain clingo, at most 2."""
    control = clingo.Control(["--project=project", "2"])
    control.add("base", [], program)
    control.ground([("base", [])])
    with control.solve(yield_=True) as models:
        return sum(1 for _ in models)


def without_each_given(puzzle):
    for row, column in puzzle.givens():
        grid = [list(cells) for cells in puzzle.grid]
        grid[row - 1][column - 1] = None
        yield puzzle.replace(grid=tuple(map(tuple, grid)))


def is_unique(puzzle):
    return count_up_to_two(aspdoku.compose(puzzle).text) == 1


def holds(rule, generated):
    """Whether the solution satisfies the rule in plain Python."""
    facts = defaultdict(list)
    for fact in generated.puzzle.facts:
        facts[fact.name].append(fact.arguments)
    return RULE_SEMANTICS[rule].holds(generated.solution.rows, facts)


@pytest.mark.parametrize("size", [4, 6])
def test_the_oracle_finds_that_each_given_is_needed(size):
    found = aspdoku.generate(size=size, seed=size, count=5)
    assert len({each.solution for each in found.puzzles}) == 5
    for each in found.puzzles:
        assert each.minimal
        grid = [list(row) for row in each.puzzle.grid]
        solutions = oracle.solutions(grid, oracle.CLASSIC, limit=2)
        assert solutions == [[list(row) for row in each.solution.rows]]
        for fewer in without_each_given(each.puzzle):
            rows = [list(row) for row in fewer.grid]
            assert len(oracle.solutions(rows, oracle.CLASSIC, limit=2)) == 2


@pytest.mark.slow_cases("rules0", "rules2")
@pytest.mark.parametrize("rules", [(), ("windoku",), ("nonconsecutive", "diagonal")])
def test_plain_clingo_finds_that_each_given_is_needed_at_9x9(rules):
    [each] = aspdoku.generate(rules, seed=3).puzzles
    assert is_unique(each.puzzle)
    assert not any(map(is_unique, without_each_given(each.puzzle)))
    assert all(holds(rule, each) for rule in rules)
    assert each.puzzle.elaborations == rules


# Rules whose meaning in plain Python is about a single clue.
SINGLE = ("little-killer", "lunchbox", "sum-line")


@pytest.mark.slow
# The clues of a path are about the path, and hardly about the numbers.
@pytest.mark.parametrize("name", [file.stem for file in FILES if file.stem != "path"])
def test_puzzles_of_each_rule_with_a_gen_file(name):
    rules = [name.removeprefix("negative-"), name] if name.startswith("negative-") else [name]
    rules, without = [*WITH.get(name, ()), *rules], WITHOUT.get(name, ())
    [each] = aspdoku.generate(rules, without=without, size=6, seed=1, time_limit=300).puzzles
    assert is_unique(each.puzzle)
    assert not any(map(is_unique, without_each_given(each.puzzle)))
    assert each.puzzle.facts
    for rule in rules:
        assert rule not in RULE_SEMANTICS or rule in SINGLE or holds(rule, each)


def test_the_values_of_clues_need_not_depend_on_all_of_their_facts():
    """The `.gen` file computes the sums from atoms of its own."""
    [each] = aspdoku.generate("lunchbox", size=6, seed=1).puzzles
    assert {fact.name for fact in each.puzzle.facts} == {"lunchbox", "lunchbox_value"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "wishes", "givens"),
    [
        ("greater-than", {"givens": 0}, 0),
        ("chain", {"size": 7, "without": "box"}, 49),
        ("killer", {"givens": 0}, 0),
        ("thermo", {"givens": 4}, 4),
    ],
)
def test_puzzles_with_few_or_no_givens(rule, wishes, givens):
    [each] = aspdoku.generate(rule, seed=1, time_limit=300, **wishes).puzzles
    assert len(each.puzzle.givens()) <= givens
    assert is_unique(each.puzzle)


def test_the_seed_determines_the_puzzles():
    one, two = (aspdoku.generate("thermo", size=4, seed=8, count=2) for _ in range(2))
    assert one.puzzles == two.puzzles
    assert one.puzzles[0].solution.puzzle == one.puzzle
    assert aspdoku.generate("thermo", size=4, seed=9).puzzle != one.puzzle
    assert aspdoku.generate(size=4).seed != aspdoku.generate(size=4).seed


def test_numbers_of_givens_and_clues():
    [few] = aspdoku.generate("greater-than", size=4, seed=1, givens=0).puzzles
    assert not few.puzzle.givens()
    assert is_unique(few.puzzle)
    assert few.minimal
    for fact in few.puzzle.facts:
        left = tuple(other for other in few.puzzle.facts if other != fact)
        assert not is_unique(few.puzzle.replace(facts=left))
    [many] = aspdoku.generate("greater-than", size=4, seed=1, givens=2, clues=7).puzzles
    assert (len(many.puzzle.givens()), len(many.puzzle.facts)) == (2, 7)
    assert not many.minimal
    assert is_unique(many.puzzle)
    [clues] = aspdoku.generate("greater-than", size=4, seed=2, clues=3).puzzles
    assert len(clues.puzzle.facts) == 3
    assert not any(map(is_unique, without_each_given(clues.puzzle)))
    [exact] = aspdoku.generate(size=4, seed=2, givens=6, minimal=True).puzzles
    assert len(exact.puzzle.givens()) == 6
    assert not any(map(is_unique, without_each_given(exact.puzzle)))


@pytest.mark.slow_cases("pencilmarks")
@pytest.mark.parametrize("rule", ["greater-than", "quadruple", "pencilmarks", "killer"])
def test_one_puzzle_after_another_without_givens(rule):
    """Whether clues drawn before are drawn again, in other combinations, or not."""
    found = aspdoku.generate(rule, size=4, seed=1, givens=0, count=5).puzzles
    assert len({each.puzzle.facts for each in found}) == 5
    for each in found:
        assert not each.puzzle.givens()
        assert rule not in RULE_SEMANTICS or holds(rule, each)
        assert is_unique(each.puzzle)
        facts = each.puzzle.facts
        if rule == "greater-than":
            for fact in facts:
                left = tuple(other for other in facts if other != fact)
                assert not is_unique(each.puzzle.replace(facts=left))


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["quadruple", "pencilmarks"])
def test_all_commands_count_the_cells_of_clues_with_several_values(rule):
    [each] = aspdoku.generate(rule, size=6, clues=3, seed=1).puzzles
    cells = {fact.arguments[:2] for fact in each.puzzle.facts}
    assert (len(cells), len(each.puzzle.facts) > 3) == (3, True)
    assert generated_summary(each).endswith(" 3 clues")
    assert aspdoku.generate(rule, size=6, clues=3, seed=1).to_json()["puzzles"][0]["clues"] == 3
    assert "of 3 clues" in str(aspdoku.review(each.puzzle))
    less = aspdoku.minimise(each.puzzle)
    assert sum(isinstance(item, Clue) for item in (*less.removed, *less.reduction.left)) == 3
    for cell in cells:  # the clue of a cell stays as it is, or goes
        left = {fact for fact in less.puzzle.facts if fact.arguments[:2] == cell}
        assert left in (set(), {fact for fact in each.puzzle.facts if fact.arguments[:2] == cell})


def test_clues_that_are_kept_together_are_counted_one_by_one():
    [each] = aspdoku.generate("counting-circles", size=6, seed=1, givens=12).puzzles
    circles = len(each.puzzle.facts)
    assert generated_summary(each).split(", ")[2] == f"{circles} clues"
    [again] = aspdoku.generate("counting-circles", size=6, seed=1, clues=circles).puzzles
    assert len(again.puzzle.facts) == circles


@pytest.mark.parametrize(
    ("symmetry", "counterpart"),
    [
        ("rotational", lambda row, column: (10 - row, 10 - column)),
        ("mirror", lambda row, column: (row, 10 - column)),
    ],
)
def test_symmetry(symmetry, counterpart):
    puzzle = aspdoku.generate(seed=5, symmetry=symmetry, givens=31).puzzle
    assert {counterpart(*cell) for cell in puzzle.givens()} == set(puzzle.givens())
    assert len(puzzle.givens()) == 31
    assert is_unique(puzzle)


@pytest.mark.slow
def test_regions_that_never_fit_the_other_rules():
    """Numbers of a suguru region end at its size, which rows of the whole grid contradict."""
    with pytest.raises(AspdokuError, match="nothing that is drawn for suguru fits the other rules"):
        aspdoku.generate("suguru", size=6, seed=2)
    found = aspdoku.generate("suguru", without=["row", "column", "box"], size=6, seed=2).puzzle
    assert any(fact.name == "suguru" for fact in found.facts)


@pytest.mark.parametrize("symmetry", ["none", "rotational", "mirror"])
def test_minimal_means_that_no_single_given_can_be_removed(symmetry):
    """With a symmetry, givens are removed in pairs, of which one may not be needed."""
    found = aspdoku.generate(size=4, seed=1, symmetry=symmetry, count=10).puzzles
    needed = [not any(map(is_unique, without_each_given(each.puzzle))) for each in found]
    assert [each.minimal for each in found] == needed
    assert all(needed) == (symmetry == "none")


@pytest.mark.slow
@pytest.mark.parametrize("grade", ["easy", "medium", "hard"])
def test_a_grade_is_that_of_grade(grade):
    found = aspdoku.generate(seed=2, grade=grade)
    assert aspdoku.grade(found.puzzle).label == grade
    assert is_unique(found.puzzle)


def test_a_technique_is_that_of_the_hardest_step():
    found = aspdoku.generate(seed=1, technique="pointing", size=6)
    steps = aspdoku.explain(found.puzzle).steps
    names = [step.technique.name for step in steps if step.technique]
    assert "pointing" in names
    order = list(DEFINITIONS)
    assert max(map(order.index, names)) == order.index("pointing")


def test_a_technique_in_any_case():
    one, other = (
        aspdoku.generate(seed=1, technique=name, size=4)
        for name in ("hidden single", "Hidden SINGLE")
    )
    assert one.puzzles == other.puzzles
    assert one.puzzles[0].difficulty.technique.name == "hidden single"


def test_a_rule_of_ones_own_with_its_gen_file(tmp_path):
    rule = tmp_path / "parity.lp"
    rule.write_text(PARITY)
    with pytest.raises(AspdokuError, match=r"no file .*parity\.gen that draws them"):
        aspdoku.generate(rule, size=4)
    # It proposes all cells; the rule decides which of them can be marked.
    rule.with_suffix(".gen").write_text("% Any cells.\nmark(R,C) :- cell(R,C), a(R,C,_).\n")
    [each] = aspdoku.generate(rule, size=4, seed=1).puzzles
    marks = [fact.arguments for fact in each.puzzle.facts]
    assert marks
    assert all(each.solution[cell] % 2 for cell in marks)
    # Before there is a solution, which is then drawn under the clues that can be true together.
    rule.with_suffix(".gen").write_text("% Any cells.\nmark(R,C) :- cell(R,C).\n")
    [each] = aspdoku.generate(rule, size=4, seed=1).puzzles
    assert all(each.solution[fact.arguments] % 2 for fact in each.puzzle.facts)
    assert aspdoku.unique(each.program)


def test_values_are_drawn_after_the_cells(tmp_path):
    rule = tmp_path / "least.lp"
    rule.write_text(
        "% The least number of a group.\n#defined group/3.  % group(R,C,I): a cell of group I\n"
        "#defined group_value/2.  % group_value(I,S): S is the least number of group I\n"
        ":- group_value(I,S), not a(R,C,S) : group(R,C,I).\n"
        ":- group_value(I,S), group(R,C,I), a(R,C,N), N < S.\n"
    )
    rule.with_suffix(".gen").write_text(
        "{ group(R,C,I) : row(I) } 1 :- cell(R,C).\n#program value.\n"
        "group_value(I,S) :- group(_,_,I), S = #min { N : group(R,C,I), a(R,C,N) }.\n"
    )
    [each] = aspdoku.generate(rule, size=4, seed=3).puzzles
    groups = defaultdict(list)
    values = {}
    for fact in each.puzzle.facts:
        if fact.name == "group":
            groups[fact.arguments[2]].append(each.solution[fact.arguments[:2]])
        else:
            values[fact.arguments[0]] = fact.arguments[1]
    assert values == {name: min(numbers) for name, numbers in groups.items()}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mark(R,C) :- cell(R,C)", "parity.gen:1"),
        ("mark(R,C) :- cell(R,C).\n#program value.\nmark(R,D) :- cell(R,C).", "parity.gen:3"),
        ("mark(R,C) :- cell(R,C). :- row(1).", "no answer set"),
        ('#script(python) print("run") #end.', "parity.gen"),
        ("mrk(R,C) :- cell(R,C).", "it draws no clues; the inputs of the rule are mark/2"),
        ("mark(R,C) :- a(R,C,1). { a(R,C,1) : cell(R,C) } = 1.", "gen:1:26: a/3 is in a head"),
        (
            "% Cells.\nmark(R,C) :- cel(R,C).",
            r"parity\.gen:2:14: undefined predicate cel/2. Did you mean 'cell'\?",
        ),
        ("mark(R,C) :- side(R,C,_,_).", "undefined predicate side/4.*#defined side/4"),
        ("{ mark(R,C) : cell(R,C) }.\n#program value.\n:- marc(R,C).", "gen:3:4: .* 'mark'"),
    ],
)
def test_a_gen_file_with_errors(tmp_path, text, message):
    rule = tmp_path / "parity.lp"
    rule.write_text(PARITY)
    rule.with_suffix(".gen").write_text(text)
    with pytest.raises(RuleError, match=message):
        aspdoku.generate(rule, size=4, seed=1)


def test_like_takes_size_regions_rules_and_parameters():
    like = aspdoku.parse(
        "with: leaper\nbox: 2x3\n" + ". . . . . .\n" * 6 + "[facts]\nleaper(1,3).\n"
    )
    [each] = aspdoku.generate(like=like, seed=4).puzzles
    assert each.puzzle.facts == like.facts
    assert holds("leaper", each)
    jigsaw = aspdoku.read("example:jigsaw") if "jigsaw" in aspdoku.examples() else None
    if jigsaw:
        assert aspdoku.generate(like=jigsaw, seed=4).puzzle.regions == jigsaw.regions


@pytest.mark.parametrize(
    ("rules", "facts", "kept"),
    [
        ("leaper", "leaper(1,3). leaper(3,1).", {"leaper(1,3)", "leaper(3,1)"}),
        ("white-dots, negative-white-dots", "negative_white_dot(2).", {"negative_white_dot(2)"}),
    ],
)
def test_like_keeps_facts_about_the_whole_grid_and_draws_all_others(rules, facts, kept):
    grid = ". . . . . .\n" * 6
    old = "white_dot(1,1,1,2,7)." if "dots" in rules else ""
    like = aspdoku.parse(f"with: {rules}\nbox: 2x3\n{grid}[facts]\n{facts} {old}\n")
    [each] = aspdoku.generate(like=like, seed=1).puzzles
    stated = set(map(str, each.puzzle.facts))
    assert kept <= stated
    assert old.rstrip(".") not in stated
    assert is_unique(each.puzzle)
    assert all(holds(rule, each) for rule in rules.split(", "))


def test_names_of_clues_that_are_stated_stay_what_they_are(tmp_path):
    """An exception can refer to them."""
    rule = tmp_path / "group.lp"
    rule.write_text(
        "#defined group/3.  % group(R,C,I): a cell of group I\n#defined ab/1.  #defined ab/2.\n"
        ":- group(R,C,I), a(R,C,N), N > 2, not ab(group), not ab(group,I).\n"
    )
    facts = "group(1,1,3). group(4,4,7). ab(group,7)."
    [each] = aspdoku.generate(rule, size=4, seed=1, facts=facts).puzzles
    assert set(map(str, each.puzzle.facts)) == {"group(1,1,3)", "group(4,4,7)", "ab(group,7)"}
    assert each.solution[1, 1] < 3


def test_a_rule_that_is_not_needed_is_not_asked_for():
    """Nearly all puzzles with 14 of 16 givens do not need the rule; the few that do are found."""
    [each] = aspdoku.generate("anti-king", size=6, seed=1).puzzles
    assert is_unique(each.puzzle)
    assert not is_unique(each.puzzle.replace(elaborations=()))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"givens": 17, "size": 4}, "17 givens are impossible: the grid has 16 cells"),
        ({"givens": 7, "size": 4, "symmetry": "mirror"}, "7 givens cannot be placed with mirror"),
        ({"clues": 3}, "no clues can be drawn"),
        (
            {"with_": "killer", "clues": 0},
            "0 clues are impossible: without any, the rule killer has no effect",
        ),
        (
            {"with_": "killer", "size": 6, "clues": 30, "seed": 1},
            r"10 attempts failed; \d+ clues instead of 30: ask for fewer, or leave their number",
        ),
        (
            {"with_": "killer", "size": 2},
            r"killer\.gen: no clues can be drawn for a 2x2 grid: the program has no answer set",
        ),
        ({"symmetry": "diagonal"}, "unknown symmetry 'diagonal'"),
        ({"grade": "hrd"}, "unknown grade 'hrd'.* Did you mean 'hard'?"),
        (
            {"technique": "x wing"},
            r"unknown technique 'x wing': expected one of naked single,.* Did you mean 'X-wing'\?",
        ),
        (
            {"technique": "bug+1"},
            "for the technique 'BUG\\+1': its steps assume that the solution is",
        ),
        (
            {"technique": "unique-rectangle"},
            "for the technique 'unique rectangle'",
        ),
        ({"technique": "x_wing"}, r"unknown technique 'x_wing'.* Did you mean 'X-wing'\?"),
        ({"technique": "xwing"}, r"unknown technique 'xwing'.* Did you mean 'X-wing'\?"),
        (
            {"technique": "naked single", "grade": "extreme", "size": 4},
            "hardest step is a naked single is easy, not extreme",
        ),
        (
            {"like": EITHER},
            r"either\(1,1,thermo,1\) is about a clue of thermo, .* drawn anew: leave either out",
        ),
        ({"count": 0}, "invalid number of puzzles 0"),
        ({"seed": -1}, "invalid seed -1"),
        ({"size": 4, "like": "1" + "." * 15}, "size and like exclude each other"),
        ({"size": 0}, "invalid grid of 0 rows: expected 1 to 100"),
        ({"constants": {"n": 5}}, "the constant n follows from the grid: pass size=N instead"),
        (
            {"size": 6, "constants": {"box_rows": 3}},
            r"the constant box_rows follows from the grid: .* like=Puzzle.blank\(N, \(ROWS,",
        ),
        ({"size": 4, "facts": "a(1,1,1)."}, "givens cannot be stated"),
        ({"with_": "even", "size": 4, "facts": "even(1,1)."}, r"even\(1,1\) cannot be stated"),
    ],
)
def test_wishes_that_no_puzzle_fits(arguments, message):
    with pytest.raises(AspdokuError, match=message):
        aspdoku.generate(**arguments)


def test_a_gen_file_of_which_the_rule_rejects_all_clues(tmp_path):
    rule = tmp_path / "parity.lp"
    rule.write_text(PARITY)
    rule.with_suffix(".gen").write_text("% Even.\nmark(R,C) :- a(R,C,N), N \\ 2 = 0.\n")
    message = (
        r"10 attempts failed; .*parity\.gen: the rule parity rejects all 8 facts that it draws,"
    )
    with pytest.raises(AspdokuError, match=message):
        aspdoku.generate(rule, size=4, seed=1)


def test_a_rule_that_is_never_needed(tmp_path):
    rule = tmp_path / "again.lp"
    rule.write_text(":- a(R,C,N), a(R,C1,N), C < C1.\n")
    message = "200 attempts failed; the solution is unique without again: ask for fewer"
    with pytest.raises(AspdokuError, match=message):
        aspdoku.generate(rule, size=4, seed=1)


@pytest.mark.parametrize(
    ("rule", "arguments"),
    [
        ("anti-king", {"size": 6, "givens": 30}),
        ("diagonal", {"size": 6, "givens": 28, "symmetry": "rotational"}),
        ("killer", {"size": 4, "givens": 10}),
    ],
)
def test_a_rule_is_needed_with_many_givens(rule, arguments):
    [each] = aspdoku.generate(rule, **arguments, seed=1).puzzles
    assert len(each.puzzle.givens()) == arguments["givens"]
    assert is_unique(each.puzzle)
    assert not is_unique(each.puzzle.replace(elaborations=(), facts=()))


def test_more_givens_than_a_rule_is_needed_with():
    with pytest.raises(AspdokuError, match="36 givens leave no cell empty, so that anti-king is"):
        aspdoku.generate("anti-king", size=6, givens=36)
    message = r"50 attempts failed; \d\d givens, and with any other one .* unique without anti-king"
    with pytest.raises(AspdokuError, match=message):
        aspdoku.generate("anti-king", size=6, givens=35, seed=1)


def test_rules_without_a_solution():
    message = "no 4x4 grid satisfies nonconsecutive, anti-king and the other rules: choose another"
    with pytest.raises(NoSolutionError, match=message):
        aspdoku.generate(["nonconsecutive", "anti-king"], size=4)


def test_a_symmetry_that_the_layout_lacks():
    """Two boards that overlap in the middle are symmetrical by rotation, but not in a mirror."""
    grid = ". . . . . .\n" * 6
    boards = aspdoku.parse(
        "with: boards\nwithout: row, column, box\n" + grid + "[facts]\n"
        "board(1,1,1,4,4). board(2,3,3,4,4).\n"
    )
    with pytest.raises(
        AspdokuError, match=r"mirror symmetry is impossible.* r1c1 and r1c6 is used"
    ):
        aspdoku.generate(like=boards, symmetry="mirror")
    with pytest.raises(AspdokuError, match="5 givens cannot be placed with rotational symmetry"):
        aspdoku.generate(like=boards, symmetry="rotational", givens=5)
    givens = aspdoku.generate(like=boards, symmetry="rotational", seed=1).puzzle.givens()
    assert {(7 - row, 7 - column) for row, column in givens} == set(givens)


def test_the_time_limit_and_the_nearest_puzzle():
    found = aspdoku.generate(size=4, givens=3, time_limit=0.7)
    assert (found.ended, found.puzzles) == ("time", ())
    assert found.tried > 1
    assert found.nearest == "4 givens instead of 3: ask for more, or leave their number open"
    with pytest.raises(AspdokuError, match=r"0 of 1 puzzle in .* the nearest attempt: 4 givens"):
        _ = found.puzzle


def test_a_technique_that_cannot_occur():
    found = aspdoku.generate(size=4, technique="X-wing", time_limit=0.7)
    assert re.fullmatch(
        r"easy, .* instead of X-wing: allow more time, or ask for another .*", found.nearest
    )


def test_the_nearest_puzzle_is_the_one_of_which_most_givens_are_needed():
    found = aspdoku.generate(size=4, givens=9, minimal=True, time_limit=0.7, seed=1)
    assert re.fullmatch(r"of 9 givens, [4-8] are needed: ask for fewer, .*", found.nearest)


@pytest.mark.slow
@pytest.mark.parametrize("size", [25, 40])
def test_the_time_limit_of_large_grids(size):
    """The rules of 40x40 are grounded in 4 s, and reading them takes half a minute."""
    began = time.monotonic()
    found = aspdoku.generate(size=size, time_limit=2 if size == 25 else 6)
    assert (found.ended, found.tried) == ("time", 1)
    assert found.nearest.startswith("unfinished while ")
    assert time.monotonic() - began < 12
    with pytest.raises(TimeLimitError):
        _ = found.puzzle


@pytest.mark.slow
def test_the_solutions_of_many_puzzles_are_near_to_a_uniform_distribution():
    """The 288 grids of 4x4 are the solutions of puzzles about equally often."""
    seen = defaultdict(int)
    for each in aspdoku.generate(size=4, seed=1, count=2000).puzzles:
        seen[each.solution.rows] += 1
    assert len(seen) > 280
    expected = 2000 / 288
    # 287 degrees of freedom: a uniform distribution exceeds 390 in one of 20,000 samples.
    assert sum((count - expected) ** 2 / expected for count in seen.values()) < 390


def test_sizes_and_regions():
    for size in (1, 2, 3, 5):
        found = aspdoku.generate(size=size, seed=1).puzzle
        assert found.size == size
        assert is_unique(found)


@pytest.mark.parametrize("rule", ["negative-xv", "negative-white-dots"])
def test_a_rule_about_places_without_marks_holds_from_the_start_if_no_marks_are_drawn(rule):
    found = aspdoku.generate(rule, size=6, seed=1)
    assert found.tried < 5
    assert found.puzzle.facts == ()
    assert is_unique(found.puzzle)
    assert holds(rule, found.puzzles[0])


def test_what_the_rules_show_besides_the_grid_is_unique():
    found = aspdoku.generate(["chaos-construction", "chaos-count"], size=4, seed=1, count=2)
    assert len(found.puzzles) == 2
    for each in found.puzzles:
        control = clingo.Control(["0", "--eq=0"])
        control.add("base", [], each.program.text)
        control.ground([("base", [])])
        with control.solve(yield_=True) as models:
            assert len({frozenset(model.symbols(shown=True)) for model in models}) == 1


@pytest.mark.slow_cases("rules0-wanted0-False", "rules1-wanted1-True")
@pytest.mark.parametrize("minimal", [False, True])
@pytest.mark.parametrize(
    ("rules", "wanted"),
    [
        (("killer", "thermo"), {"killer": 3, "thermo": 2}),
        (("killer", "thermo"), {"thermo": 3}),
        (("even", "greater-than"), {"even": 4}),
    ],
)
def test_as_many_clues_of_some_rules_as_wanted(rules, wanted, minimal):
    [each] = aspdoku.generate(rules, size=6, seed=1, clues=wanted, minimal=minimal).puzzles
    facts, names = each.puzzle.facts, {"killer": "cage", "greater-than": "gt"}
    for rule, number in wanted.items():
        cells = [fact for fact in facts if fact.name == names.get(rule, rule)]
        found = {fact.arguments[-1 if rule == "killer" else 0] for fact in cells}
        assert (len(cells) if rule == "even" else len(found)) == number
    assert count_up_to_two(each.program.text) == 1
    # The clues of other rules cannot be left out.
    text = each.program.text
    others = [fact for fact in facts if fact.name == "gt"]
    assert rules[1] in wanted or others or rules[0] != "even"
    for fact in others:
        assert count_up_to_two(text.replace(f"\n{fact}.", "")) == 2
    assert each.minimal == minimal
    assert each.program.puzzle.elaborations == rules


@pytest.mark.parametrize(
    ("clues", "message"),
    [
        ({"renban": 1}, "renban is not a rule of these puzzles: add it"),
        ({"box": 1}, "no clues of box can be drawn, only those of killer, thermo"),
        ({"killers": 1}, r"killers is not .* Did you mean 'killer'"),
        ({"killer": -1}, "number of clues of killer"),
        ({"killer": 0}, "without any, the rule killer has no effect"),
        ({"killer": 99}, "clues of killer instead of 99: ask for fewer"),
    ],
)
def test_numbers_of_clues_that_are_impossible(clues, message):
    with pytest.raises(AspdokuError, match=message):
        aspdoku.generate(("killer", "thermo"), size=4, clues=clues, seed=1)


def test_clues_of_a_rule_that_was_not_named():
    with pytest.raises(AspdokuError, match="thermo is not a rule of these puzzles: add it"):
        aspdoku.generate(size=4, clues={"thermo": 1})


def test_the_nearest_attempt_is_noted_in_all_steps_of_the_next_one():
    heard = []
    with progress.listening(heard.append):
        aspdoku.generate("thermo", size=4, givens=0, clues={"thermo": 1}, time_limit=1, seed=1)
    assert heard[0] == "attempt 1, drawing a solution and clues"
    later = heard[1:]
    while later and later[0].startswith("attempt 1, "):
        del later[0]
    assert len(later) > 1
    assert all("; the nearest: " in each for each in later)
