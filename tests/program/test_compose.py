"""Composition of a program from rule files: each is included byte for byte, and every line can be
traced to its file.
"""

import re
import threading
from functools import partial
from pathlib import Path

import clingo
import pytest
from in_one_test import in_one_test

import aspdoku
from aspdoku import Puzzle, compose
from aspdoku.errors import RuleError
from aspdoku.program import assemble, layout, library
from aspdoku.program.lint import defined_predicates
from aspdoku.program.rulefile import RuleFile
from aspdoku.puzzle import Function

pytestmark = pytest.mark.versions

BUNDLED = sorted(path.stem for path in (library.data_dir() / "elaborations").glob("*.lp"))

AWKWARD_TEXTS = {
    "jinja in a comment": "% {% raw %} {{ n }} {# gone? #}\n:- a(1,1,1).\n",
    "jinja in a pool": ":- a({{1}},1,1).\n".replace("{{1}}", "(1;2)") + "% {{1}}\n",
    "no newline at the end": ":- a(1,1,1).",
    "windows line ends": "% one\r\n:- a(1,1,1).\r\n",
    "blank lines at the end": ":- a(1,1,1).\n\n\n\n",
    "a tab, a block comment": "%* a\n\t%* nested *% *%\n\t:- a(1,1,1).\n",
    "letters beyond ASCII": '% čtyři ≠ четыре\nname("žluť").\n:- a(1,1,1), name("žluť").\n',
    "only a comment": "% nothing yet\n",
    "empty": "",
}


def written(tmp_path, text, name="mine.lp"):
    path = tmp_path / name
    path.write_bytes(text.encode())
    return str(path)


@pytest.mark.parametrize("text", AWKWARD_TEXTS.values(), ids=AWKWARD_TEXTS)
def test_a_rule_file_is_included_byte_for_byte(tmp_path, text):
    program = compose(Puzzle.blank(4), written(tmp_path, text))
    part = program.parts[-1]
    lines = program.text.split("\n")
    assert "\n".join(lines[part.first_line - 1 : part.last_line]) == text
    assert f"\n{text}\n" in program.text
    clingo.Control().add("base", [], program.text)


@in_one_test("name", BUNDLED)
def test_the_base_is_unchanged_by_elaborations(name):
    program = compose(Puzzle.blank(9), name, without=["row", "box"])
    for part in program.parts:
        lines = program.text.split("\n")[part.first_line - 1 : part.last_line]
        assert "\n".join(lines) == part.rule.text
    base = (library.data_dir() / "base.lp").read_bytes().decode()
    assert program.text.count(base) == 1


def test_the_order_is_base_defaults_puzzle_caller_each_once():
    puzzle = Puzzle.blank(9).replace(elaborations=("offset", "anti-knight"))
    program = compose(puzzle, "chain", "offset", "box")
    assert [part.rule.name for part in program.parts] == [
        "base",
        "box",
        "offset",
        "anti-knight",
        "chain",
    ]


def test_every_line_of_a_part_is_located_in_its_file(tmp_path):
    mine = written(tmp_path, "% one\n% two\n:- a(1,1,1).\n")
    program = compose(Puzzle.blank(9), "anti-knight", mine)
    for number, line in enumerate(program.text.split("\n"), 1):
        place, original = program.locate(number)
        for part in program.parts:
            if part.rule.place == place:
                assert part.rule.text.split("\n")[original - 1] == line
    assert program.locate(program.text.split("\n").index(":- a(1,1,1).") + 1) == (mine, 3)


def test_without_adds_a_fact_and_removes_nothing():
    before = compose(Puzzle.blank(9), "anti-knight").text.split("\n")
    after = compose(Puzzle.blank(9), "anti-knight", without=["box", "anti-knight"]).text.split("\n")
    added = list(after)
    for line in before:
        added.remove(line)
    assert [line for line in added if line and not line.startswith("%")] == [
        "ab(box).",
        "ab(anti_knight).",
    ]


@in_one_test(
    ("names", "without", "constants", "fragments"),
    [
        (
            ["anti-night"],
            [],
            {},
            ["'anti-night'", "Did you mean 'anti-knight'?", "`aspdoku.rules()`"],
        ),
        (["german-whispers"], [], {}, ["Did you mean 'whispers'?"]),
        (["nothing-like-it"], [], {}, ["nothing-like-it", "`aspdoku.rules()` lists", "./mine.lp"]),
        (["./not-there.lp"], [], {}, ["./not-there.lp", "No such file"]),
        (["."], [], {}, ["'.'"]),
        ([], ["bx"], {}, ["'bx'", "Did you mean 'box'?"]),
        ([], ["anti-knight"], {}, ["'anti-knight'", "box, column, row"]),
        ([], ["base"], {}, ["rule 'base' cannot be retracted"]),
        ([], [], {"n": 4}, ["constant n cannot be set"]),
        ([], [], {"Gap": 4}, ["Gap=4", "NAME=VALUE"]),
        ([], [], {"gap": "4). p("}, ["NAME=VALUE"]),
        ([], [], {"gap": "\u0663"}, ["NAME=VALUE"]),
        ([], [], {"gap\u00e9": 3}, ["NAME=VALUE"]),
        ([], [], {"not": 3}, ["NAME=VALUE"]),
        ([], [], {"x": '"\udcff"'}, ["NAME=VALUE"]),
        (["../elaborations/killer"], [], {}, ["No such file"]),
        (["slides/../../nowhere"], [], {}, ["No such file"]),
        (["a" * 300], [], {}, ["unknown rule"]),
    ],
)
def test_programs_that_cannot_be_composed_are_rejected(names, without, constants, fragments):
    with pytest.raises(RuleError) as caught:
        compose(Puzzle.blank(9), *names, without=without, constants=constants)
    for fragment in fragments:
        assert fragment in str(caught.value)
    assert caught.value.exit_code == 65


def test_a_file_with_the_name_of_an_unknown_rule_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "anti-camel.lp").write_text(":- a(1,1,1).\n")
    with pytest.raises(RuleError, match=r"use the file anti-camel\.lp, write \./anti-camel\.lp"):
        compose(Puzzle.blank(4), "anti-camel")
    compose(Puzzle.blank(4), "./anti-camel.lp")


REFUSED_FILES = {
    ":- a(1,1,1)": ":1:12: incomplete last statement",  # it would continue in the next file
    ":- a(1,1,1) number(N).": ":1:12: syntax error",
    "p.\n  %* never closed\n:- a(1,1,1).": ":2:3: unterminated comment",
    ":- a(R,C,N), N < N1.": ":1:18: unsafe variable: N1 appears only in a comparison",
    "#script (lua)\n#end.": ":1:1: #script",
    ":- a(1,1,1).\n#script (python) end\n": ":2:1: #script cannot be used",
    "#script (lua)\n%* end": ":1:1: #script cannot be used",
    '% #script\n#script (python) "x': ":2:1: #script cannot be used",
    '% fine\n#include "/etc/passwd".': ":2:1: #include",
    "p(@run(1)).": ":1:3: @run",
    "#program later.\n:- a(1,1,1).": ":1:1: #program",
    "#minimize { N : a(1,1,N) }.": ":1:13: #minimize, #maximize and :~ are not allowed",
    "#project b/0.": "#project",
    "ü.": ":1:1: invalid character",
    "\ufeff:- a(1,1,1).": "byte order mark",
    "% a\0b\n": ":1:4: invalid control character '\\x00'",
    "% one\n% \x1b]0;two\x07\n": ":2:3: invalid control character '\\x1b'",
    'p("a\u202eb").\n': ":1:5: invalid control character '\\u202e'",
    "% a\rb\n": ":1:4: invalid control character '\\r'",
    # in a block comment, clingo treats % as the start of a line comment, so that *% after it closes
    # nothing
    ':- a(1,1,9).\n%*%%*\n*% #include "secret.lp".': ":3:4: #include",
    # and a quote that does not open a string hides nothing
    'p("\\x . #include "secret.lp".': "#include",
    'p("\u00e9\n).': "invalid character",
    "p(" + "f(" * 3000 + "1" + ")" * 3001 + ".": "nested more than",
    ":- a(1,1," + "1.." * 100_000 + "1).": "more than 10,000 brackets and operators",
    "p(" + "(" * 200_000 + "1" + ")" * 200_000 + ").": "nested more than",
    # for clingo, #! opens a line comment, so that this does not open a block comment
    '#! %*\n#include "secret.lp".\n% *%': ":2:1: #include",
    "#! %*\np(@run(1)).\n% *%": ":2:3: @run",
    "#! %*\n#script (python)\n#end.\n% *%": ":2:1: #script",
    "#! %*\n:- a(1,1,\u00e9).\n% *%": ":2:10: invalid character",
    "#include <incmode>.": ":1:1: #include",
    "p.\n" * 50_000: "the file is too large",
    "p(" + "1+" * 100_000 + "1).": "more than 10,000 brackets and operators",
}


# Short ids: pytest puts the id into the environment of child processes, whose size the system
# limits.
@pytest.mark.parametrize(
    ("text", "fragment"), REFUSED_FILES.items(), ids=map(str, range(len(REFUSED_FILES)))
)
def test_an_invalid_rule_file_is_rejected_with_its_line(tmp_path, text, fragment):
    mine = written(tmp_path, text)
    with pytest.raises(RuleError) as caught:
        compose(Puzzle.blank(9), mine)
    assert fragment in str(caught.value)
    assert mine in str(caught.value)


def test_directives_in_comments_and_strings_are_ignored(tmp_path):
    mine = written(tmp_path, '% #script @run #include\nword("#include @run").\n%* #program x. *%\n')
    assert compose(Puzzle.blank(4), mine).parts[-1].rule.place == mine


def test_a_file_that_is_not_text(tmp_path):
    path = tmp_path / "mine.lp"
    path.write_bytes(b"\xff\xfe:- a.")
    with pytest.raises(RuleError, match="UTF-8"):
        compose(Puzzle.blank(4), str(path))


def test_rules_that_a_puzzle_names_are_searched_for_in_its_folder(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    written(tmp_path / "here", "% here\n", "mine.lp")
    puzzle = Puzzle.blank(4).replace(
        elaborations=("mine.lp",), origin=tmp_path / "here" / "grid.txt"
    )
    monkeypatch.chdir(tmp_path)
    assert compose(puzzle).parts[-1].rule.text == "% here\n"
    written(tmp_path, "% in the current folder\n", "mine.lp")
    assert compose(puzzle).parts[-1].rule.text == "% here\n"
    assert (
        compose(puzzle.replace(origin=None), trust=True).parts[-1].rule.text
        == "% in the current folder\n"
    )


SECRET = "hunter2:x:0:0\n"
# Paths of rule files in a puzzle in the folder `here`, and whether they are accepted; DIR is the
# parent folder.
NAMED = {
    "in the same folder": ("mine.lp", True),
    "below": ("deep/mine.lp", True),
    "there and back": ("../here/mine.lp", True),
    "absolute, in the same folder": ("DIR/here/mine.lp", True),
    "through a link to the folder": ("../link/mine.lp", True),
    "a link to a file in the same folder": ("inner.lp", True),
    "bundled": ("anti-knight", True),
    "bundled, the slides'": ("slides/anti-knight-distance", True),
    "on the path": ("on-path", True),
    "above": ("../secret.lp", False),
    "above, with another suffix": ("../passwd", False),
    "absolute": ("DIR/secret.lp", False),
    "a link to a file above": ("outer.lp", False),
    "through a link to the folder above": ("up/secret.lp", False),
    "no rule file": ("./notes", False),
    "a link to no rule file": ("notes.lp", False),
    "a loop of links": ("loop.lp", None),
    "nothing": ("../nowhere.lp", False),
    "NUL": ("../a\0b.lp", False),
    "a home folder": ("~/secret.lp", None),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    here = tmp_path / "here"
    (here / "deep").mkdir(parents=True)
    (tmp_path / "path").mkdir()
    for place in (here, here / "deep", tmp_path, tmp_path / "path"):
        written(place, "% Mine.\n", "on-path.lp" if place.name == "path" else "mine.lp")
    written(tmp_path, SECRET, "secret.lp")
    written(tmp_path, SECRET, "passwd")
    written(here, SECRET, "notes")
    for link, target in {
        "here/inner.lp": "mine.lp",
        "here/outer.lp": "../secret.lp",
        "here/notes.lp": "notes",
        "here/up": "..",
        "here/loop.lp": "loop.lp",
        "link": "here",
    }.items():
        (tmp_path / link).symlink_to(target)
    monkeypatch.setenv("ASPDOKU_PATH", str(tmp_path / "path"))
    monkeypatch.chdir(tmp_path)
    return here


@pytest.mark.parametrize(("name", "accepted"), NAMED.values(), ids=NAMED)
@pytest.mark.parametrize("origin", ["here/puzzle.txt", "link/puzzle.txt"])
def test_a_puzzle_names_rule_files_in_its_own_folder(folder, name, accepted, origin):
    name = name.replace("DIR", str(folder.parent))
    puzzle = Puzzle.blank(4).replace(elaborations=(name,), origin=Path(origin))
    if accepted:
        assert compose(puzzle).parts[-1].rule.text
        return
    with pytest.raises(RuleError) as caught:
        compose(puzzle)
    assert "hunter2" not in str(caught.value)
    if accepted is False:
        assert str(caught.value).startswith(f"{origin}: '{name}' was not read: ")
        assert "trust=True" in str(caught.value)


@pytest.mark.parametrize("name", [name for name, _ in NAMED.values()], ids=NAMED)
def test_a_puzzle_that_is_in_no_file_names_no_rule_files(folder, name):
    name = name.replace("DIR", str(folder.parent))
    puzzle = (
        aspdoku.parse(f"with: {name}\n....\n....\n....\n....\n")
        if "\0" not in name
        else Puzzle.blank(4).replace(elaborations=(name,))
    )
    if name in ("anti-knight", "slides/anti-knight-distance", "on-path"):
        assert compose(puzzle).parts[-1].rule.text
        return
    with pytest.raises(RuleError, match=r"was not read: .* trust=True"):
        compose(puzzle)


@pytest.mark.usefixtures("folder")
def test_a_puzzle_that_is_trusted_names_any_file():
    puzzle = Puzzle.blank(4).replace(elaborations=("../mine.lp",), origin=Path("here/puzzle.txt"))
    assert compose(puzzle, trust=True).parts[-1].rule.path == Path("here/../mine.lp")
    with pytest.raises(RuleError, match="No such file"):
        compose(puzzle.replace(elaborations=("../nowhere.lp",)), trust=True)


def test_rules_on_the_path_have_names(tmp_path, monkeypatch):
    written(tmp_path, "% Mine.\n", "my-rule.lp")
    monkeypatch.setenv("ASPDOKU_PATH", f"/nowhere:{tmp_path}")
    assert "my-rule" in library.rule_names()
    assert compose(Puzzle.blank(4), "my-rule").parts[-1].rule.text == "% Mine.\n"


def test_facts_and_constants_reach_the_program():
    facts = (
        Function("even", (1, 'a "quoted" name', Function("", (1, Function("x"))))),
        Function("flag"),
    )
    program = compose(Puzzle.blank(4).replace(facts=facts), constants={"gap": 5, "word": '"x"'})
    control = clingo.Control()
    control.add("base", [], program.text)
    control.ground([("base", [])])
    assert [str(atom.symbol) for atom in control.symbolic_atoms.by_signature("even", 3)] == [
        str(facts[0])
    ]
    assert '#const gap = 5.\n#const word = "x".' in program.text


def test_a_puzzle_cannot_redefine_the_base():
    owned = defined_predicates(library.base()) - {("a", 3)}
    assert len(owned) == 4
    for predicate, arity in owned:
        with pytest.raises(RuleError, match=r"asp/base\.lp"):
            compose(Puzzle.blank(4).replace(facts=(Function(predicate, (5,) * arity),)))
    compose(Puzzle.blank(4).replace(facts=(Function("cell", (1, 1, "A")), Function("n", (3,)))))


GIVES_GT = (Function("gt", (1, 1, 1, 2)),)


@pytest.mark.parametrize(
    ("rules", "facts", "constants", "warnings"),
    [
        (["greater-than"], (), {}, ["rule greater-than has no effect: it needs gt/4"]),
        (["greater-than"], GIVES_GT, {}, []),
        (
            [],
            GIVES_GT,
            {},
            ["gt/4, but no rule of this program uses it; --with greater-than would"],
        ),
        ([], (Function("quux", (1,)),), {}, ["quux/1, but no rule of this program uses it"]),
        (["anti-knight"], (), {"gap": 3}, ["constant gap is set but no rule"]),
        (["killer"], (Function("cage", (1, 1, "A")),), {}, []),
        (
            ["killer"],
            (),
            {},
            ["rule killer has no effect: it needs cage/3, but the puzzle provides none"],
        ),
        (["anti-knight"], (Function("ab", (Function("anti_knight"), 5)),), {}, []),
    ],
)
def test_unused_and_missing_inputs_are_reported(rules, facts, constants, warnings):
    found = compose(Puzzle.blank(9).replace(facts=facts), *rules, constants=constants).warnings
    assert len(found) == len(warnings)
    for warning, expected in zip(found, warnings, strict=True):
        assert expected in warning


AUTOMATON = (
    "automaton(1,1,1,1). automaton_value(1,a). automaton_start(a,0). automaton_edge(a,0,1,1)."
    " automaton_accepting(a,1)."
)


@pytest.mark.parametrize(
    ("rule", "facts", "warnings"),
    [
        ("automaton", AUTOMATON, []),
        (
            "automaton",
            AUTOMATON + " automaton(2,1,3,3).",
            ["automaton(2,1,3,3): rule automaton also needs automaton_value(2,A)"],
        ),
        (
            "automaton",
            AUTOMATON + " automaton(2,1,3,3). automaton_value(2,b).",
            [
                "automaton_value(2,b): rule automaton also needs automaton_start(b,Z) and"
                " automaton_edge(b,Z,W,Z1) and automaton_accepting(b,Z)"
            ],
        ),
        (
            "automaton",
            AUTOMATON + " automaton_start(b,0). automaton_edge(b,0,1,1). automaton_accepting(b,1).",
            ["automaton_accepting(b,1): rule automaton also needs automaton_value(I,b)"],
        ),
        ("killer", 'cage(1,1,"A"). cage(1,2,"A").', []),
        (
            "killer",
            'cage(1,1,"A"). cage_value("B",7).',
            ['cage_value("B",7): rule killer also needs cage(R,C,"B")'],
        ),
        ("connected", "connected_set(1,2). connected_set(1,3).", []),
        ("boards", "board_box(a,2,2).", ["rule boards has no effect: it needs board/5, but the"]),
        (
            "boards",
            "board(a,1,1,4,4). board_box(b,2,2).",
            ["board_box(b,2,2): rule boards also needs board(b,R,C,H,W)"],
        ),
    ],
)
def test_names_without_the_facts_that_a_rule_needs_are_reported(rule, facts, warnings):
    """A line without an automaton is not restricted; without edges, there is no solution."""
    puzzle = aspdoku.parse(f"with: {rule}\n\n{'.' * 16}\n[facts]\n{facts}")
    found = compose(puzzle).warnings
    found = [each for each in found if "needs" in each]
    assert len(found) == len(warnings)
    for warning, expected in zip(sorted(found), sorted(warnings), strict=True):
        assert warning.startswith(expected)


@pytest.mark.parametrize(
    ("regions", "warnings"),
    [
        ("AABB\nAABB\nCCDD\nCCDD", []),
        ("AAAA\nABBB\nCCDD\nCCDD", ["region A has 5 cells instead of 4", "region B has 3 cells"]),
        ("AABB\nAABB\nCCDD\nCC..", ["region D has 2 cells", "2 cells are in no region"]),
    ],
)
def test_invalid_regions_are_reported(regions, warnings):
    found = compose(aspdoku.parse(f"{'.' * 16}\n[box]\n{regions}")).warnings
    assert len(found) == len(warnings)
    for warning, expected in zip(found, warnings, strict=True):
        assert expected in warning


def test_a_rule_that_depends_on_the_box_shape_is_reported_in_a_jigsaw():
    puzzle = aspdoku.parse(f"{'.' * 16}\n[box]\nAABB\nAABB\nCCDD\nCCDD")
    assert ["offset" in warning for warning in compose(puzzle, "offset").warnings] == [True]
    assert compose(Puzzle.blank(4), "offset").warnings == ()


@pytest.mark.parametrize(
    ("fact", "warned"),
    [("ab(antiknight)", True), ("ab(anti_knight)", False), ("ab(anti_knigh,5)", True)],
)
def test_an_unused_exception_is_reported(fact, warned):
    found = compose(aspdoku.parse(f"{'.' * 16}\n[facts]\n{fact}."), "anti-knight").warnings
    assert [
        f"no rule of this program uses {fact}. Did you mean 'anti_knight'?" in warning
        for warning in found
    ] == [True] * warned


OPTIONAL_INPUTS = {
    # constraints that can be violated without facts: directly, through a helper, or under
    # not
    "#defined mark/2.\n:- a(R,C,N), a(R,C+1,N), not mark(R,C).": False,
    "#defined mark/2.\nplain(R,C) :- cell(R,C), not mark(R,C).\n:- plain(R,C), a(R,C,1).": False,
    "#defined mark/2.\nmark(1,1).\n:- mark(R,C), a(R,C,1).": False,
    # other ways to exclude a grid, and rules with an effect on others or on what is shown
    "#defined on/1.\n-mine :- not on(1).  mine :- a(1,1,1).": False,
    "#defined on/1.\nmine :- a(1,1,1), not mine, not on(1).": False,
    "#defined on/1.\n1 { mine(N) : a(1,1,N), N > 1 } :- not on(1).": False,
    "#defined on/1.  #defined ab/1.\nab(box) :- not on(1).": False,
    "#defined on/1.\nunused(R,C) :- row(R), column(C), R > 4, not on(1).": False,
    "#defined on/1.\nmine(N) :- a(1,1,N), not on(1).  #show mine/1.": False,
    "#defined on/1.\nmine :- a(1,1,1), not mine, on(1).": True,
    "#defined on/1.  #defined ab/1.\nab(box) :- on(1).": True,
    # constraints that cannot
    "#defined mark/2.\n:- mark(R,C), a(R,C,1).": True,
    "#defined mark/2.\nmarked(R) :- mark(R,C).\n:- marked(R), a(R,R,1).": True,
    "#defined mark/2.\nmarked(R) :- mark(R,C).\nmarked(R+1) :- marked(R).\n:- marked(R), a(R,R,1).": (  # noqa: E501
        True
    ),
}


@pytest.mark.parametrize(("text", "warned"), OPTIONAL_INPUTS.items())
def test_a_missing_input_is_reported_only_if_nothing_can_apply(tmp_path, text, warned):
    found = compose(Puzzle.blank(4), written(tmp_path, text)).warnings
    assert bool(found) == warned


def test_a_part_of_a_program_may_be_any_list_of_rule_files():
    slides = library.bundled("slides/base.lp")
    program = assemble(Puzzle.blank(4), [slides, RuleFile("none", "none.lp", "")])
    assert [part.rule.place for part in program.parts] == ["asp/slides/base.lp", "none.lp"]


def test_a_file_that_defines_the_inputs_suppresses_the_warning():
    mine = RuleFile(
        "mine", "mine.lp", '#defined cage/3.\ncage(1,1,"A"). cage(1,2,"A"). cage_value("A",3).'
    )
    assert assemble(Puzzle.blank(4), [library.base(), library.find("killer"), mine]).warnings == ()


def test_a_layout_may_depend_on_the_size_of_the_grid():
    text = "% The last row is unused.\nunused(R,C) :- row(R), column(C), R = n.\n"
    found = compose(Puzzle.blank(4), RuleFile.from_text("mine", text)).puzzle.unused
    assert found == {(4, 1), (4, 2), (4, 3), (4, 4)}


def test_a_layout_does_not_depend_on_cells():
    text = "% The last row is unused.\nunused(R,C) :- cell(R,C), R = n.\n"
    rule = RuleFile.from_text("mine", text)
    with pytest.raises(RuleError, match=r"derive unused\(R,C\) from row\(R\), column\(C\)"):
        compose(Puzzle.blank(4), rule)


@pytest.mark.parametrize(
    ("rules", "cause"),
    [
        ("unused(R,N) :- row(R), number(N), not a(R,1,N), not a(R,2,N).", "a/3"),
        ("unused(R,C) :- row(R), column(C), #count { N : a(R,C,N), N > 2 } = 0.", "a/3"),
        ("{ unused(R,C) : a(R,C,1) } :- row(R), column(C).", "a/3"),
        ("box(R,C,N) :- a(R,C,N).", "a/3"),
        ("unused(R,C) :- mine(R,C).\nmine(R,1) :- row(R), a(R,1,1).", "a/3"),
        ("unused(R,C) :- cell(R,C), R = n.", "cell/2"),
        ("unused(R,C) :- row(R), column(C), R > n, not ab(mine).", None),
        ("box(R,C,R) :- cell(R,C), R > n.", None),
    ],
)
def test_a_layout_does_not_depend_on_numbers(rules, cause):
    rule = RuleFile.from_text("mine", f"% Cells.\n{rules}\n:- a(1,1,1), not ab(mine).\n")
    errors = [each for each in aspdoku.check(rule).findings if each.severity == "error"]
    assert [(each.line, f"depend on {cause}:" in each.text) for each in errors] == (
        [(2, True)] if cause else []
    )
    if cause == "a/3":
        uses = [partial(compose, Puzzle.blank(4)), partial(aspdoku.equivalent, "box")]
        for use in uses:
            with pytest.raises(RuleError, match=r"mine.lp:2:1: .* cannot depend on a/3"):
                use(rule)


def test_a_layout_that_takes_too_long_is_an_error(monkeypatch):
    text = "mine(1).\nmine(X+1) :- mine(X), X < 20000.\nunused(R,1) :- row(R), mine(R).\n"
    rule = RuleFile.from_text("mine", f"% Long.\n{text}")
    assert len(compose(Puzzle.blank(4), rule).puzzle.unused) == 4
    monkeypatch.setattr(layout, "_SECONDS", 0)
    endless = RuleFile.from_text("mine", f"% Endless.\n{text.replace('20000', '20000*X')}")
    before = {*threading.enumerate()}
    with pytest.raises(RuleError, match=r"not derived within 0 s: simplify the rules in mine\.lp"):
        compose(Puzzle.blank(4), endless)
    for thread in {*threading.enumerate()} - before:  # clingo does not go on for ever
        thread.join(60)
        assert not thread.is_alive()


def test_a_string_where_a_bundled_rule_expects_a_number_is_an_error():
    """`3 > "12"` never holds in clingo, so that the cage would have no sum."""
    text = "....\n" * 4 + '[facts]\ncage(1,1,"A"). cage_value("A","12").'
    with pytest.raises(RuleError, match=r'"12" in cage_value.* is not a number'):
        compose(aspdoku.parse(text), "killer")


BLANK_4X4 = ". . . .\n" * 4 + "\n"
# What a section or facts state, and the words of the error or the warning, with the line.
MISPLACED = {
    "a corner at the edge": (
        "quadruple",
        "[quadruple]\n2: r1c1\n1: r4c4",
        10,
        "quadruple(4,4,1,1) is",
    ),
    "one of several": (
        "mathrax",
        "[mathrax-sum]\n5: r1c1 r2c2 r3c4",
        9,
        "4 is not a column between 1 and 3; a corner has another one after it",
    ),
    "one in a picture": (
        "battenburg",
        "[battenburg]\n" + ". . . .\n" * 3 + "x . . .",
        12,
        "4 is not a row",
    ),
    "a fact about a corner": ("battenburg", "[facts]\nbattenburg(1,4).", 0, "4 is not a column"),
    "a word that is not listed": (
        "rossini",
        "[rossini]\nleft: . in . .\ntop: . up . .",
        10,
        "invalid T up in rossini(top,2,up): expected one of in, out (rossini(E,J,T))",
    ),
    "an edge": ("skyscraper", "[facts]\nskyscraper(up,1,2).", 0, "one of left, right, top, bottom"),
}


@pytest.mark.parametrize("name", MISPLACED)
def test_an_error_about_an_argument_names_the_line(name, tmp_path):
    rule, section, line, words = MISPLACED[name]
    file = tmp_path / "x.txt"
    file.write_text(f"with: {rule}\n\n{BLANK_4X4}{section}\n")
    with pytest.raises(RuleError, match=re.escape(words)) as raised:
        compose(aspdoku.read(file))
    assert str(raised.value).startswith(f"{file}:{line}: " if line else f"{file}: ")


@pytest.mark.parametrize(
    ("rules", "facts", "expected"),
    [
        ("thermo", "thermo(1,1,1,1). thermo(1,2,1,2).", []),
        ("thermo", "thermo(1,1,1,1). thermo(1,3,1,2).", ["no cell is at place 2 of thermo 1"]),
        ("thermo", "thermo(1,2,1,1). thermo(1,3,1,2).", ["no cell is at place 1 of thermo 1"]),
        (
            "arrow",
            'arrow("a",1,1,1). arrow("a",1,1,2).',
            ['several cells are at place 1 of arrow "a"'],
        ),
        (
            "renban",
            "renban(1,0,1,1). renban(1,1,1,2). renban(1,2,1,3).",
            ["a cell is at place 0 of renban 1, but places are counted from 1"],
        ),
        (
            "automaton",
            "automaton(1,1,1,1). automaton_break(1,2). automaton(1,3,1,2). automaton_value(1,a)."
            " automaton_start(a,0). automaton_accepting(a,0). automaton_edge(a,0,1,0).",
            [],
        ),
        (
            "chaos-construction, chaos-arrow, chaos-distinct",
            "chaos_arrow(1,1,1,1). chaos_arrow(1,2,1,2). chaos_distinct(1,1,3,1)."
            " chaos_distinct(1,2,3,2).",
            [],
        ),
    ],
)
def test_places_of_a_line_without_a_cell_or_with_several(rules, facts, expected):
    found = compose(aspdoku.parse(f"with: {rules}\n\n{BLANK_4X4}[facts]\n{facts}\n")).warnings
    assert [each for each in found if " place " in each] == [
        f"the puzzle: {each}" for each in expected
    ]


REGIONS = f"without: box\n\n{BLANK_4X4}[facts]\nchaos_count(1,1)."


def test_a_rule_about_regions_needs_the_rule_that_finds_them():
    (found,) = compose(aspdoku.parse(f"with: chaos-count\n{REGIONS}")).warnings
    assert found == (
        "rule chaos-count has no effect: it needs chaos_construction_region/3, but the puzzle"
        " provides only chaos_count/2; --with chaos-construction would"
    )
    assert (
        compose(aspdoku.parse(f"with: chaos-count, chaos-construction\n{REGIONS}")).warnings == ()
    )


def test_regions_are_given_or_found_but_not_both():
    region = " chaos_construction_region(1,1,1)."
    compose(aspdoku.parse(f"with: chaos-count\n{REGIONS}{region}"))
    puzzle = aspdoku.parse(f"with: chaos-count, chaos-construction\n{REGIONS}{region}")
    with pytest.raises(RuleError, match=r"construction\.lp, which finds these facts: leave"):
        compose(puzzle)
