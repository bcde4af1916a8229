"""Line markers record the origin of ground rules and do not otherwise change the ground program."""

import pytest
from sampling import one_in

import aspdoku
from aspdoku.engine.grounding import ground
from aspdoku.lecture.changes import MARKER, trace, with_line_markers
from aspdoku.program import RuleFile, assemble, library
from aspdoku.puzzle import Puzzle

NAMES = [
    *library.rule_names(),
    *(f"slides/{file.stem}" for file in sorted((library.data_dir() / "slides").glob("*.lp"))),
]
GRIDS = {
    "blank": "....\n....\n....\n....",
    "givens": "1 2 . .\n. . . .\n. . . 2\n. . . .",
    "contradiction": "1 1 . .\n. . . .\n. . 1 .\n. . . .",
}


def program(name, grid):
    rule = library.find(name)
    puzzle = aspdoku.parse(f"{grid}\n[facts]\n{rule.example}" if rule.example else grid)
    return assemble(puzzle, [rule] if "base" in name else [library.base(), rule])


@pytest.mark.parametrize(
    ("grid", "name"),
    [
        *(("blank", name) for name in NAMES[::2]),
        *(pytest.param("blank", name, marks=pytest.mark.slow) for name in NAMES[1::2]),
        *(pytest.param("givens", name, marks=pytest.mark.slow) for name in NAMES[::3]),
        *(pytest.param("contradiction", name, marks=pytest.mark.slow) for name in NAMES[1::3]),
    ],
)
def test_markers_do_not_change_ground_rules(grid, name):
    plain = program(name, GRIDS[grid])
    traced = trace(plain)
    assert traced.program == ground(plain)
    assert not any(MARKER in str(rule) for rule in traced.program.rules)
    assert not any(MARKER in atom for atom in traced.program.atoms)


@pytest.mark.parametrize("name", one_in(4, NAMES))
def test_every_constraint_and_choice_has_the_line_of_its_rule(name):
    plain = program(name, GRIDS["blank"])
    traced = trace(plain)
    texts = {part.rule.place: part.rule.text.splitlines() for part in plain.parts}
    for rule in traced.program.rules:
        if rule.head and not rule.head.startswith("{"):
            continue
        place, line = traced.origin[rule]
        written = texts[place][
            line - 1
        ]  # a choice with bounds becomes a choice and constraints, all with the same line
        assert written.lstrip()[0] in (":{1" if not rule.head else "{1")


def test_lines_are_those_of_the_file_not_of_the_program():
    rule = RuleFile(
        "mine",
        "mine.lp",
        "% one\n\n:- a(1,1,1),\n   a(2,2,1).\n:- a(1,1,2). :- a(1,1,3).\n{ p } :- a(1,1,4).\n",
    )
    found = trace(assemble(Puzzle.blank(4), [library.base(), rule]))
    lines = {str(bare): line for bare, (place, line) in found.origin.items() if place == "mine.lp"}
    assert lines == {
        ":- a(1,1,1), a(2,2,1).": 3,
        ":- a(1,1,2).": 5,
        ":- a(1,1,3).": 5,
        "{ p } :- a(1,1,4).": 6,
    }


CASES = [
    # a statement, and whether it gets a marker
    (":- a(1,1,1).", True),
    ("{ p(1) }.", True),
    ("p(1) | p(2).", True),
    ("p(X) :- row(X).", False),
    ("p(1).", False),
    ("#defined p/1.", False),
    ("#show p/1.", False),
]


@pytest.mark.parametrize(("text", "is_marked"), CASES)
def test_marked_statements(text, is_marked):
    found = with_line_markers(RuleFile("mine", "mine.lp", f"% a comment\n{text}"), 0).text
    assert (f"{MARKER}(0,2)" in found) == is_marked
