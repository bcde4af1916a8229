"""`.draw` files: what they may say, what is wrong with others, and what is drawn without one."""

import re

import pytest
from instance_files import ROOT

import aspdoku
from aspdoku import Puzzle, compose
from aspdoku.draw.style import Atom, Label, derived, guess, looks, parse
from aspdoku.errors import RuleError
from aspdoku.lecture.ground_diff import definition_lines
from aspdoku.program import library

ELABORATIONS = ROOT / "asp" / "elaborations"
DRAW_FILES = sorted(ELABORATIONS.glob("*.draw"))
BLANK = Puzzle.blank(4)


@pytest.mark.parametrize("file", DRAW_FILES, ids=lambda file: file.stem)
def test_a_bundled_file_speaks_of_what_its_rule_declares_or_defines(file):
    rule = library.find(file.stem)
    known = {each.signature for each in rule.inputs} | definition_lines(rule).keys()
    found = parse(file.read_text("utf-8"), str(file))
    assert found
    assert {atom.signature for look in found for atom in look.atoms} <= known


@pytest.mark.parametrize("file", sorted(ELABORATIONS.glob("*.lp")), ids=lambda file: file.stem)
def test_every_input_of_a_bundled_rule_has_a_look_of_its_own(file):
    """But for `box/3`, which the grid shows."""
    declared = set(re.findall(r"#defined (\w+)/", file.read_text("utf-8"))) - {"ab", "box"}
    draw = file.with_suffix(".draw")
    spoken_of = set(re.findall(r"(\w+)\(", draw.read_text("utf-8"))) if draw.exists() else set()
    assert declared <= spoken_of


def test_a_look_is_read():
    text = (
        '# A cage.\n["cage(R, C, I)"]\ndraw = "outline"\ncolour = "#aabbcc"\nlabels = { "sum(I,S)"'
        ' = "{S}!" }\n'
    )
    (look,) = parse(text, "mine.draw", "mine")
    assert (look.atom, look.draw, look.colour, look.rule) == (
        Atom("cage", ("R", "C", "I")),
        "outline",
        "#aabbcc",
        "mine",
    )
    assert look.labels == (Label(Atom("sum", ("I", "S")), "{S}!"),)
    assert [str(atom) for atom in look.atoms] == ["cage(R,C,I)", "sum(I,S)"]


HEAD = '# P.\n["p(R,C,I)"]\ndraw = "area"\n'
WRONG = [
    ('["p(R,C)"]\ndraw = "area\n', 2, "TOML"),
    ("p = 1\n", 1, "'p' is not a predicate with a letter for each argument"),
    ('["p(R,C)"]\ndraw = "area"\n\n["p(r,c)"]\ndraw = "area"\n', 4, "'p(r,c)' is not a predicate"),
    ('"p(R,C)" = 1\n', 1, "a look is a table"),
    ('["p(R,C)"]\n', 1, "how p(R,C) is drawn: draw = one of area"),
    ('["p(R,C)"]\ndraw = "aria"\n', 2, "draw is one of area, "),
    (HEAD + 'color = "#112233"\n', 4, "there is no 'color' in a look. Did you mean 'colour'?"),
    (HEAD + 'colour = "red"\n', 4, "colour is a colour such as '#ff8800', not 'red'"),
    (HEAD + '\nwidth = "wide"\n', 5, "width is a number of cells from 0 to 10"),
    (HEAD + "size = true\n", 4, "size is a number of cells"),
    (HEAD + "width = nan\n", 4, "width is a number of cells"),
    (HEAD + "head = 0\n", 4, "head is a number of cells from 1 to 100"),
    (HEAD + 'by = "S"\n', 4, "by is one of the arguments R, C, I"),
    (HEAD + 'text = "{I}"\n', 4, "area shows no text"),
    (
        HEAD + 'labels = { "q(I,S)" = "{T}" }\n',
        4,
        "{T} is none of its arguments, which are I, S, R, C, I",
    ),
    (HEAD + 'labels = { "q(i)" = "x" }\n', 4, "'q(i)' is not a predicate"),
    (HEAD + "labels = 3\n", 4, "labels is a table of texts"),
    (HEAD + "words = { 1 = 2 }\n", 4, "words is a table of texts"),
    ('["p(I,K)"]\ndraw = "line"\n', 2, "line needs the arguments C, R, which p(I,K) does not name"),
    (
        '["p(R,S)"]\ndraw = "clue"\ntext = "{S}"\n',
        2,
        "clue needs the arguments E and J, or an edge",
    ),
    ('["p(R,S)"]\ndraw = "clue"\nedge = "top"\ntext = "{S}"\n', 2, "clue needs"),
    ('["p(R,S)"]\ndraw = "clue"\nedge = "left"\n', 2, "clue needs a text, such as '{S}'"),
    ('["p(R,C,R1,C1)"]\ndraw = "edge"\nlabels = { "q(R,S)" = "{S}" }\n', 3, "edge shows no labels"),
]


@pytest.mark.parametrize(("text", "line", "said"), WRONG)
def test_a_wrong_file_is_told_by_its_line(text, line, said):
    with pytest.raises(RuleError) as error:
        parse(text, "some/mine.draw")
    assert str(error.value).startswith(f"some/mine.draw:{line}: ")
    assert said in str(error.value)


EXTREME = {
    "deep lists": "a = " + "[" * 20_000,
    "deep tables": HEAD + "words" + ".a" * 20_000 + " = 1\n",
    "many digits": HEAD + "width = " + "9" * 5_000,
    "many hexadecimal digits": HEAD + "width = 0x" + "f" * 20_000,
}


@pytest.mark.parametrize("text", EXTREME.values(), ids=EXTREME)
def test_what_python_cannot_hold_or_print_is_refused(text):
    with pytest.raises(RuleError, match=r"^some/mine\.draw:") as error:
        parse(text, "some/mine.draw")
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(
    ("content", "said"), [(b"\xff", "UTF-8"), (b"#" * 100_001, "at most 100 kB")]
)
def test_what_is_no_such_text_is_refused(tmp_path, content, said):
    rule = tmp_path / "mine.lp"
    rule.write_text(
        "% Nothing.\n#defined p/2.  % p(R,C): marked\n:- p(R,C), a(R,C,1), not ab(mine).\n#defined"
        " ab/1.\n"
    )
    rule.with_suffix(".draw").write_bytes(content)
    program = compose(BLANK, str(rule))
    with pytest.raises(RuleError, match=said):
        looks(program)


MINE = """% Something of mine.
#defined p/{arity}.  % p({letters}): what it means
#defined p_value/2.  % p_value(I,S): its value
#defined ab/1.
:- p({letters}), a(1,1,1), p_value(_,_), not ab(mine).
"""


@pytest.mark.parametrize(
    ("letters", "kind", "text"),
    [
        ("R,C", "area", ""),
        ("I,R,C", "area", ""),
        ("I,K,R,C", "line", ""),
        ("R1,C1,R,C,S", "edge", "{S}"),
        ("R,C,N", "mark", "{N}"),
        ("E,J,S", "clue", "{S}"),
        ("C,S", "clue", "{S}"),
        ("S,T", None, ""),
    ],
)
def test_without_a_file_the_letters_tell(tmp_path, letters, kind, text):
    rule = tmp_path / "mine.lp"
    rule.write_text(MINE.format(letters=letters, arity=letters.count(",") + 1))
    found = {look.atom.name: look for look in looks(compose(BLANK, str(rule)))}
    assert (found["p"].draw if "p" in found else None) == kind
    if kind:
        assert found["p"].text == text
        assert [label.text for label in found["p"].labels] == (["{S}"] if "I" in letters else [])


def test_a_file_beside_an_own_rule_is_found_by_the_puzzle_that_names_the_rule(
    tmp_path, monkeypatch
):
    (tmp_path / "mine.lp").write_text(MINE.format(letters="R,C", arity=2))
    (tmp_path / "mine.draw").write_text('["p(R,C)"]\ndraw = "mark"\nshape = "diamond"\n')
    (tmp_path / "puzzle.txt").write_text("with: mine.lp\n" + ". . . .\n" * 4 + "[facts]\np(1,1).\n")
    monkeypatch.chdir("/")
    found = looks(compose(aspdoku.read(tmp_path / "puzzle.txt")))
    assert [look.shape for look in found if look.atom.name == "p"] == ["diamond"]


def test_a_file_of_looks_lies_next_to_its_rule_file(tmp_path, monkeypatch):
    """Not where another rule file of that name is, nor anywhere else through a symbolic link."""
    for folder, shape in (("ours", "diamond"), ("theirs", "circle")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.lp").write_text(MINE.format(letters="R,C", arity=2))
        (tmp_path / folder / "mine.draw").write_text(
            f'["p(R,C)"]\ndraw = "mark"\nshape = "{shape}"\n'
        )
        (tmp_path / folder / "puzzle.txt").write_text(". . . .\n" * 4 + "[facts]\np(1,1).\n")
    monkeypatch.chdir(tmp_path / "ours")
    program = compose(aspdoku.read(tmp_path / "theirs" / "puzzle.txt"), "./mine.lp")
    assert [look.shape for look in looks(program) if look.atom.name == "p"] == ["diamond"]
    (tmp_path / "ours" / "mine.draw").unlink()
    (tmp_path / "ours" / "mine.draw").symlink_to(tmp_path / "theirs" / "mine.draw")
    with pytest.raises(RuleError, match=r"^\./mine\.draw: a symbolic link to another folder"):
        looks(program)
    (tmp_path / "links").mkdir()
    for name in ("mine.lp", "mine.draw"):
        (tmp_path / "links" / name).symlink_to(tmp_path / "theirs" / name)
    linked = compose(BLANK, str(tmp_path / "links" / "mine.lp"))
    assert [look.shape for look in looks(linked) if look.atom.name == "p"] == ["circle"]


def test_a_rule_taken_back_has_no_look():
    assert [look.atom.name for look in looks(compose(BLANK, "killer"))] == ["cage"]
    assert looks(compose(BLANK, "killer", without=["killer"])) == ()


def test_what_two_files_draw_is_drawn_once():
    found = [
        look.atom.name
        for look in looks(compose(BLANK, "negative-black-dots", "black-dots", "white-dots"))
    ]
    assert sorted(found) == ["black_dot", "negative_black_dot", "white_dot"]


def test_what_the_program_makes_is_told_from_what_the_puzzle_states():
    program = compose(BLANK, "windoku", "killer")
    assert derived(program, looks(program)) == {("windoku_cell", 4)}


def test_predicates_that_no_rule_declares_are_guessed_by_their_arguments():
    found = guess(
        [("p", 3), ("p_value", 2), ("path", 4), ("spot", 2), ("dot", 5), ("much", 1), ("more", 6)]
    )
    kinds = {look.atom.name: look.draw for look in found}
    assert kinds == {"p": "area", "path": "line", "spot": "area", "dot": "edge"}
    assert [str(label.atom) for look in found for label in look.labels] == ["p_value(I,S)"]
