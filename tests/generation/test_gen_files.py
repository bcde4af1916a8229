"""The `.gen` files draw clues that the rule files accept; plain clingo decides."""

import re
from contextlib import suppress

import clingo
import pytest
from clue_drawing import (
    ASP,
    FILES,
    WITHOUT,
    accepted,
    agrees,
    clue_file,
    clues,
    draw,
    retracted_by,
    scene,
)
from in_one_test import in_one_test
from sampling import one_in

import aspdoku
from aspdoku import Puzzle, RuleError, RuleFile, Solver, check, compose
from aspdoku.engine.solver import from_symbol, grid_atoms
from aspdoku.errors import AspdokuError, GrowthError
from aspdoku.generation import clues as generated_clues
from aspdoku.generation.clue_files import check_clue_file
from aspdoku.generation.clues import Scene
from aspdoku.program import library
from aspdoku.program.lint import defined_predicates
from aspdoku.puzzle import Function
from aspdoku.runtime.deadline import Deadline

NAMES = [file.stem for file in FILES]
# Bundled rules with inputs, but without a `.gen` file, and why.
WITHOUT_FILE = {
    "automaton": "its automata are part of the rule",
    "chaos-arrow": "its arrows are chosen by hand",
    "chaos-distinct": "its lines are chosen by hand",
    **dict.fromkeys(["boards", "board-diagonals"], "its boards are the grid"),
    **dict.fromkeys(
        [
            "disjoint-groups",
            "doublers",
            "equal-lines",
            "indexers",
            "negators",
            "no-repeat",
            "vampires",
        ],
        "its only input are the boxes",
    ),
    "doppelganger": "its rows, columns and boxes are the grid",
    "either": "its clues are those of other rules",
    "extra-cell": "its cells are a part of the grid",
    "liar": "its clues are those of other rules",
    "pair": "the numbers allowed are part of the rule",
    "schroedinger": "its boxes come before the solution, and its cages after it",
}
# Files that only have a rule retracted, because another rule draws its inputs.
NEGATIVE = [name for name in NAMES if name.startswith("negative-")]
# Files that propose clues of which the rule accepts some, and how many of them at most.
PROPOSALS = {
    **dict.fromkeys(["box-indexer", "column-indexer", "row-indexer"], lambda n: n * n),
    **dict.fromkeys(["even", "odd", "maximum", "minimum"], lambda n: n * n),
    **dict.fromkeys(
        ["end-view", "hidden-skyscraper", "numbered-room", "path-room"], lambda n: 4 * n
    ),
    **dict.fromkeys(["frame-sum", "full-rank", "skyscraper", "starter", "x-sum"], lambda n: 4 * n),
    **dict.fromkeys(["chaos-borders", "chaos-count"], lambda n: n * n),
    **dict.fromkeys(["chaos-apart", "chaos-same"], lambda n: 2 * n * (n - 1)),
    "each-row": lambda n: n,
    "sandwich": lambda n: 2 * n,
}
# Files that draw numbers about the whole grid, of which there are few.
WHOLE = ["connected", "leaper", "path-whispers", "taxicab"]
DRAWN = [name for name in NAMES if name not in {*NEGATIVE, *PROPOSALS, *WHOLE}]
# Files that are used before there is a solution.
BEFORE = [*WHOLE, "clone", "palindrome", "str8ts", "suguru", "thermo", "zipper"]


BOARDS = (Function("board", (1, 1, 1, 4, 4)), Function("board", (2, 2, 2, 4, 4)))


@pytest.mark.parametrize(
    ("rules", "size", "facts"),
    [
        (["greater-than"], 4, ()),
        (["doublers", "killer"], 4, ()),
        (["boards", "sum-cage"], 5, BOARDS),  # with unused cells
    ],
)
def test_clues_are_drawn_from_all_atoms_of_an_answer_set(rules, size, facts):
    without = ["row", "column", "box"] if facts else []
    puzzle = Puzzle.blank(size).replace(facts=facts)
    program = compose(puzzle, *rules, without=without)
    solution = next(iter(Solver(program).search(1)))
    control = clingo.Control(["--eq=0"])
    control.add(program.text)
    for atom in [*grid_atoms(solution), *solution.shown]:
        control.add(f":- not {atom}.")
    control.ground()
    found = []
    control.solve(on_model=lambda model: found.extend(map(str, model.symbols(atoms=True))))
    assert sorted(Scene(program, Deadline(None)).solved(solution)) == sorted(found)
    assert len([atom for atom in found if atom.startswith("a(")]) == len(program.puzzle.cells())


@in_one_test("name", library.rule_names())
def test_rules_with_clues_have_a_file_that_draws_them(name):
    assert (name in NAMES) == bool(library.find(name).inputs and name not in WITHOUT_FILE)


def test_the_guide_lists_the_rules_without_a_file():
    page = (ASP.parent / "docs" / "guide" / "clue-drawing.md").read_text("utf-8")
    _, _, listed = page.partition("no `.gen` file;")
    items = re.findall(r"^- (.*?):", listed, re.MULTILINE | re.DOTALL)
    assert {name for item in items for name in re.findall("`(.+?)`", item)} == WITHOUT_FILE.keys()


@in_one_test("name", NAMES)
def test_nothing_is_found_in_files(name):
    assert check_clue_file(RuleFile.read(ASP / "elaborations" / f"{name}.lp")) == []


AREAS = "% Any cells.\n#defined area/3.\narea_size(2).\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{AREAS}peak(R,C) :- area(R,C,_).\n", []),
        (f"{AREAS}peak(R,C) :- aera(R,C,_).\n", ["4:14: undefined predicate aera/3"]),
        (f"{AREAS}peak(R,C) :- area(R,C).\n", ["4:14: undefined predicate area/2"]),
        (f"{AREAS}peak(R,D) :- area(R,C,_).\n", ["4:8: unsafe variable"]),
        (f"{AREAS}peak(R,C) :- area(R,C,_)\n", ["4:25: incomplete last statement"]),
        (f"{AREAS}peek(R,C) :- area(R,C,_).\n", ["1:1: it draws no clues; the inputs of"]),
        (f"{AREAS}#program value.\npeak(R,C) :- aera(R,C,_).\n", ["5:14: undefined predicate"]),
        (
            f"{AREAS}peak(R,C) :- area(R,C,_).\npeek(R,C) :- area(R,C,_).\n",
            ["5:1: warning: peek/2 is not used"],
        ),
        (
            "#defined aera/3.\narea_size(2).\npeak(R,C) :- aera(R,C,_).\n",
            ["1:1: warning: nothing defines aera/3", "2:1: warning: area_size/1 is not used"],
        ),
        ("a(R,C,1) :- peak(R,C).\npeak(1,1).\n", ["1:1: a/3 is in a head"]),
        (
            "{ peak(R,C) : adjacent(R,C,_,_) }.\n:- adjacent(R,C,_,_), peak(R,C).\n",
            ["1:15: adjacent/4 is a word of the vocabulary, which only a rule can declare: write"],
        ),
        (
            "#defined adjacent/4.\n:- peak(R,C), adjacent(R,C,_,_).\npeak(1,1).",
            ["2:15: adjacent/4"],
        ),
        ("adjacent(1,1,1,2).\npeak(R,C) :- adjacent(R,C,_,_).\n", []),
    ],
)
def test_findings(tmp_path, text, expected):
    rule, file = tmp_path / "peak.lp", tmp_path / "peak.gen"
    rule.write_text("#defined peak/2.\n:- peak(R,C), a(R,C,1), not ab(peak).\n")
    file.write_text(text)
    found = check_clue_file(RuleFile.read(rule))
    assert len(found) == len(expected)
    for message, start in zip(found, expected, strict=True):
        assert str(message).startswith(f"{file}:{start}")


MARKS = """#defined mark/2.  % mark(R,C): the number in row R, column C is odd
#defined ab/1.
:- mark(R,C), a(R,C,N), N \\ 2 = 0, not ab(marks).
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mark(R,C) :- a(R,C,N).", ""),
        ("mark(R,C) :- order(R,C,1).", ""),
        (
            "mark(R,C) :- a(R,C,N), N \\ 2 = 0.",
            "warning: the rule marks rejects all that is drawn for 3 solutions: 36 facts, such as",
        ),
        ("mark(R,C) :- a(R,C,1). :- mark(R,C).", "no clues can be drawn for a 9x9 grid"),
        ("mark(R,X) :- row(R), X = 1..20000.", "it draws 180,000 facts, and at most 100,000 can"),
        (
            "mark(R,C*X) :- cell(R,C), X = 1..9000000.",
            # Whichever a machine reaches first.
            "drawing clues for a 9x9 grid did not end within 3 s: let the file draw fewer facts"
            "|the range 1..9000000 has 9,000,000 numbers; grounding was ended after 1,000,000",
        ),
    ],
)
def test_files_are_tried(tmp_path, text, expected):
    rule = tmp_path / "marks.lp"
    rule.write_text(MARKS)
    rule.with_suffix(".gen").write_text(f"{text}\n")
    found = [str(each) for each in check(rule, time_limit=12).findings]
    assert bool(found) == bool(expected)
    # The text of a file may show already that it draws too much.
    starts = tuple(f"{rule.with_suffix('.gen')}:1:1: {each}" for each in expected.split("|"))
    assert not expected or found[-1].startswith(starts)


@in_one_test("name", NAMES)
def test_files_begin_with_a_comment_that_describes_the_clues(name):
    assert clue_file(name).title.endswith(".")


@in_one_test("name", NAMES)
def test_files_define_inputs_of_their_rule_and_predicates_with_a_prefix(name):
    inputs = {item.signature for item in library.find(name).inputs}
    sizes = {("line_length", 1), ("area_size", 1)}
    own = {each for each in defined_predicates(clue_file(name)) if not each[0].startswith("gen_")}
    assert own <= inputs | sizes | {("clue", 2), ("ab", 1)}
    assert own & (inputs | {("ab", 1)})


@pytest.mark.parametrize("file", sorted((ASP / "shapes").glob("*.lp")), ids=lambda file: file.stem)
def test_shapes_define_predicates_with_their_name(file):
    names = {name for name, _ in defined_predicates(RuleFile.read(file))}
    assert file.stem in names
    assert all(name.startswith(f"{file.stem}_") for name in names - {file.stem})


@pytest.mark.parametrize("name", NEGATIVE)
def test_marks_that_must_all_be_drawn_are_drawn_for_a_solution_without_the_rule(name):
    assert retracted_by(clue_file(name)) == [name]
    marks = name.removeprefix("negative-")
    atoms = [
        atom for clue in accepted(marks, 6, 1, clues(marks, *draw(marks, 6, 1))) for atom in clue
    ]
    rows = (atom for atom in scene(marks, 6, 1) if atom.match("a", 3))
    facts = tuple(map(from_symbol, [*atoms, *rows]))
    program = compose(Puzzle.blank(6).replace(facts=facts), marks, name)
    assert Solver(program).search(1).count() == 1


@pytest.mark.slow_cases("equality-6", "[e-z]*-6")
@pytest.mark.parametrize("size", [6, pytest.param(9, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", DRAWN)
def test_the_rule_accepts_the_clues_and_other_seeds_draw_other_clues(name, size):
    drawn = [draw(name, size, seed) for seed in range(2)]
    assert len({tuple(atoms) for atoms, _ in drawn}) == 2
    for seed, (atoms, groups) in enumerate(drawn):
        found = clues(name, atoms, groups)
        if name in BEFORE:  # clues that contradict each other
            assert size == 6 or accepted(name, size, seed, found) == found
        else:
            assert agrees(name, size, seed, atoms)


@pytest.mark.parametrize("name", WHOLE)
def test_grids_satisfy_numbers_about_the_whole_grid(name):
    seeds = range(8)
    drawn = [draw(name, 6, seed) for seed in seeds]
    assert len({tuple(atoms) for atoms, _ in drawn}) > 2
    assert all(len(clues(name, *each)) == 1 for each in drawn)
    assert (
        sum(agrees(name, 6, seed, atoms) for seed, (atoms, _) in zip(seeds, drawn, strict=True)) > 4
    )


@pytest.mark.parametrize("name", one_in(2, PROPOSALS))
def test_the_rule_accepts_some_of_the_proposed_clues(name):
    atoms, groups = draw(name, 6, 1)
    right = accepted(name, 6, 1, clues(name, atoms, groups))
    assert 0 < len(right) <= PROPOSALS[name](6)


@pytest.mark.parametrize("size", [4, 6])
@pytest.mark.parametrize(
    "name", ["frame-sum", "numbered-room", "sandwich", "skyscraper", "starter", "x-sum"]
)
def test_every_place_outside_of_the_grid_has_a_true_clue(name, size):
    atoms, groups = draw(name, size, 2)
    assert len(accepted(name, size, 2, clues(name, atoms, groups))) == PROPOSALS[name](size)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*BEFORE} - {"thermo"}))
def test_clues_drawn_before_the_solution_rarely_contradict_each_other(name):
    solutions = 0
    for seed in range(4):
        atoms, _ = draw(name, 9, seed)
        puzzle = Puzzle.blank(9).replace(facts=tuple(map(from_symbol, atoms)))
        program = compose(puzzle, name, without=WITHOUT.get(name, ()))
        solutions += Solver(program, time_limit=5).search(1).count()
    assert solutions > 1


OUTSIDE = "% Marks.\nmark(R+1,C) :- a(R,C,N), N \\ 2 = 1.\n"


def test_clues_outside_of_the_grid(tmp_path):
    rule = tmp_path / "marks.lp"
    rule.write_text(MARKS)
    rule.with_suffix(".gen").write_text(OUTSIDE)
    message = (
        r"marks\.gen: it draws mark\(5,\d\), which is outside of the 4x4 grid: add cell\(R,C\)"
    )
    with pytest.raises(RuleError, match=message):
        aspdoku.generate(rule, size=4, seed=1)
    with pytest.raises(RuleError, match=message):
        aspdoku.complete("1" + "." * 15, with_=rule, facts="mark(1,1).")
    rule.write_text(MARKS.replace("% mark(R,C): the", "% mark(X,Y): the"))
    assert aspdoku.generate(rule, size=4, seed=1).puzzles


PAR = (
    "#defined par/3.  % par(R,C,N): the number has the parity N\n#defined ab/1.\n"
    ":- par(R,C,N), a(R,C,M), M \\ 2 != N, not ab(par).\n"
)
USELESS = {
    "values of one cell": (
        "par(R,C,0..1) :- a(R,C,_).",
        "the rule par accepts par(1,1,",
        "but not together with par(1,1,",
    ),
    "nothing": ("{ par(R,C,0) } :- a(R,C,N), N > 99.", "it draws nothing for 3 solutions", ""),
    "wrong values": ("par(R,C,7) :- a(R,C,_).", "the rule par rejects all that is drawn", ""),
    "a contradiction": (
        "par(1,1,0).\n:- par(1,1,0).",
        "the file contradicts itself: the program has no answer set",
        "remove a fact or a constraint",
    ),
    "too large a row": (
        "1 { par(R,C,0) : cell(R,C), R > 9 }.",
        "the file contradicts itself",
        "4x4, 6x6, 9x9",
    ),
}


@pytest.mark.slow_cases("values of one cell", "wrong values")
@pytest.mark.parametrize("case", USELESS)
def test_a_file_from_which_no_clue_comes(case, tmp_path):
    text, *words = USELESS[case]
    (tmp_path / "par.lp").write_text(PAR)
    (tmp_path / "par.gen").write_text(text)
    (found,) = aspdoku.check(tmp_path / "par.lp", time_limit=60).findings
    assert found.place.endswith("par.gen")
    for each in words:
        assert each in found.text


GROWING = "p(0).\n  p(X+1) :- p(X).\npar(R,C,0) :- p(R), cell(R,C).\n"


def test_a_growing_rule_is_found_before_grounding(tmp_path):
    rule, file = tmp_path / "par.lp", tmp_path / "par.gen"
    rule.write_text(PAR)
    file.write_text(GROWING)
    (warning,) = check_clue_file(RuleFile.read(rule))
    says = "2:3: warning: p/1 depends on itself, and nothing bounds X"
    assert str(warning).startswith(f"{file}:{says}")
    with (
        pytest.warns(aspdoku.AspdokuWarning, match=r"par\.gen:2:3: p/1 depends on itself"),
        suppress(AspdokuError),
    ):
        aspdoku.generate(with_=rule, size=4, seed=1, time_limit=0.01)


def test_the_place_of_a_growing_rule_is_named_once(tmp_path, monkeypatch):
    def growing(*_):
        raise GrowthError(
            "p/1 depends on itself", "9 ground rules", str(tmp_path / "par.gen"), (2, 3)
        )

    monkeypatch.setattr(generated_clues, "run_limited", growing)
    rule, file = tmp_path / "par.lp", tmp_path / "par.gen"
    rule.write_text(PAR)
    file.write_text(GROWING)
    (error,) = generated_clues.try_clue_file(RuleFile.read(rule, str(rule)), 20)
    assert str(error).startswith(f"{file}:2:3: p/1 depends on itself; grounding was ended after 9")
    assert "  p(X+1) :- p(X)." in error.excerpt


def test_a_file_that_draws_nothing_is_blamed_at_once(tmp_path):
    (tmp_path / "par.lp").write_text(PAR)
    (tmp_path / "par.gen").write_text(USELESS["nothing"][0])
    with pytest.raises(AspdokuError, match=r"par\.gen draws nothing"):
        aspdoku.generate(with_=tmp_path / "par.lp", size=4, seed=1)
