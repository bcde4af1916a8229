"""The `.gen` files draw clues that the rule files accept; plain clingo decides."""

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

from aspdoku import Puzzle, RuleFile, Solver, compose
from aspdoku.engine.solver import from_symbol
from aspdoku.program import library
from aspdoku.program.lint import defined_predicates

NAMES = [file.stem for file in FILES]
# Bundled rules with inputs, but without a `.gen` file, and why.
WITHOUT_FILE = {
    "connected": "its numbers are part of the rule",
    "disjoint-groups": "its only input are the boxes",
    "leaper": "its leaps are part of the rule",
    "pair": "the numbers allowed are part of the rule",
    "schroedinger": "its boxes come before the solution, and its cages after it",
    "taxicab": "its distances are part of the rule",
}
# Files that only have a rule retracted, because another rule draws its inputs.
NEGATIVE = [name for name in NAMES if name.startswith("negative-")]
# Files that propose clues of which the rule accepts some, and how many of them at most.
PROPOSALS = {
    **dict.fromkeys(["box-indexer", "column-indexer", "row-indexer"], lambda n: n * n),
    **dict.fromkeys(["even", "odd", "maximum", "minimum"], lambda n: n * n),
    **dict.fromkeys(["end-view", "hidden-skyscraper", "numbered-room"], lambda n: 4 * n),
    **dict.fromkeys(["frame-sum", "full-rank", "skyscraper", "x-sum"], lambda n: 4 * n),
    "chaos-construction": lambda n: n * n + 2 * n * (n - 1),
    "sandwich": lambda n: 2 * n,
}
DRAWN = [name for name in NAMES if name not in NEGATIVE and name not in PROPOSALS]
# Files that are used before there is a solution.
BEFORE = ["clone", "palindrome", "str8ts", "suguru", "thermo", "zipper"]


@pytest.mark.parametrize("name", library.rule_names())
def test_rules_with_clues_have_a_file_that_draws_them(name):
    assert (name in NAMES) == bool(library.find(name).inputs and name not in WITHOUT_FILE)


@pytest.mark.parametrize("name", NAMES)
def test_files_begin_with_a_comment_that_describes_the_clues(name):
    assert clue_file(name).title.endswith(".")


@pytest.mark.parametrize("name", NAMES)
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
    atoms, _ = draw(marks, 6, 1)
    rows = (atom for atom in scene(marks, 6, 1) if atom.match("a", 3))
    facts = tuple(map(from_symbol, [*atoms, *rows]))
    program = compose(Puzzle.blank(6).replace(facts=facts), marks, name)
    assert Solver(program).search(1).count() == 1


@pytest.mark.parametrize("size", [6, pytest.param(9, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", DRAWN)
def test_the_rule_accepts_the_clues_and_other_seeds_draw_other_clues(name, size):
    drawn = [draw(name, size, seed) for seed in range(3)]
    assert len({tuple(atoms) for atoms, _ in drawn}) == 3
    for seed, (atoms, groups) in enumerate(drawn):
        found = clues(name, atoms, groups)
        if name in BEFORE:  # clues that contradict each other
            assert size == 6 or accepted(name, size, seed, found) == found
        else:
            assert agrees(name, size, seed, atoms)


@pytest.mark.parametrize("name", PROPOSALS)
def test_the_rule_accepts_some_of_the_proposed_clues(name):
    atoms, groups = draw(name, 6, 1)
    right = accepted(name, 6, 1, clues(name, atoms, groups))
    assert 0 < len(right) <= PROPOSALS[name](6)


@pytest.mark.parametrize("size", [4, 6])
@pytest.mark.parametrize("name", ["frame-sum", "numbered-room", "sandwich", "skyscraper", "x-sum"])
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
