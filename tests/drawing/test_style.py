"""`.draw` files, valid and invalid, and the default styles of rules without one."""

import re

import pytest
from in_one_test import in_one_test
from instance_files import ROOT

import aspdoku
from aspdoku import Puzzle, compose
from aspdoku.drawing.style import Label, default_styles, derived_predicates, parse, styles_of
from aspdoku.errors import RuleError
from aspdoku.program import library
from aspdoku.program.lint import defined_predicates
from aspdoku.puzzle.inputs import Input

ELABORATIONS = ROOT / "asp" / "elaborations"
DRAW_FILES = sorted(ELABORATIONS.glob("*.draw"))
BLANK = Puzzle.blank(4)


@in_one_test("file", DRAW_FILES)
def test_a_bundled_file_only_uses_predicates_of_its_rule(file):
    rule = library.find(file.stem)
    known = {each.signature for each in rule.inputs} | defined_predicates(rule)
    found = parse(file.read_text("utf-8"), str(file))
    assert found
    assert {atom.signature for style in found for atom in style.atoms} <= known


@in_one_test("file", sorted(ELABORATIONS.glob("*.lp")))
def test_every_input_of_a_bundled_rule_has_a_style(file):
    """Except for `box/3`, drawn as borders of the grid, `unused/2`, and what another rule finds."""
    declared = set(re.findall(r"#defined (\w+)/", file.read_text("utf-8")))
    declared -= {"ab", "box", "unused"} | {name for name, _ in library.vocabulary()}
    declared -= {
        each.name for each in library.find(file.stem).inputs if library.finder(each.signature)
    }
    draw = file.with_suffix(".draw")
    styled = set(re.findall(r"(\w+)\(", draw.read_text("utf-8"))) if draw.exists() else set()
    assert declared <= styled


def test_a_style_is_parsed():
    text = (
        '# A cage.\n["cage(R, C, I)"]\ndraw = "outline"\ncolour = "#aabbcc"\nlabels = { "sum(I,S)"'
        ' = "{S}!" }\n'
    )
    (style,) = parse(text, "mine.draw", "mine")
    assert (style.atom, style.draw, style.colour, style.rule) == (
        Input.from_text("cage(R,C,I)"),
        "outline",
        "#aabbcc",
        "mine",
    )
    assert style.labels == (Label(Input.from_text("sum(I,S)"), "{S}!"),)
    assert [atom.text for atom in style.atoms] == ["cage(R,C,I)", "sum(I,S)"]


HEAD = '# P.\n["p(R,C,I)"]\ndraw = "area"\n'
INVALID = [
    ('["p(R,C)"]\ndraw = "area\n', 2, "TOML"),
    ("p = 1\n", 1, "invalid predicate 'p': expected a name with a letter for each argument"),
    ('["p(R,C)"]\ndraw = "area"\n\n["p(r,c)"]\ndraw = "area"\n', 4, "invalid predicate 'p(r,c)'"),
    ('"p(R,C)" = 1\n', 1, "a style must be a table"),
    ('["p(R,C)"]\n', 1, "missing key draw for p(R,C): expected one of area"),
    ('["p(R,C)"]\ndraw = "aria"\n', 2, "invalid draw 'aria': expected one of area, "),
    (HEAD + 'color = "#112233"\n', 4, "unknown key 'color'. Did you mean 'colour'?"),
    (HEAD + 'colour = "red"\n', 4, "invalid colour 'red': expected a colour such as '#ff8800'"),
    (
        HEAD + '\nwidth = "wide"\n',
        5,
        "invalid width 'wide': expected a number of cells from 0 to 10",
    ),
    (HEAD + "size = true\n", 4, "invalid size True: expected a number of cells"),
    (HEAD + "width = nan\n", 4, "invalid width nan: expected a number of cells"),
    (HEAD + "head = 0\n", 4, "invalid head 0: expected a number of cells from 1 to 100"),
    (HEAD + 'by = "S"\n', 4, "invalid by 'S': expected one of the arguments R, C, I"),
    (HEAD + 'text = "{I}"\n', 4, "area shows no text"),
    (
        HEAD + 'labels = { "q(I,S)" = "{T}" }\n',
        4,
        "unknown argument {T}: expected one of I, S, R, C, I",
    ),
    (HEAD + 'labels = { "q(i)" = "x" }\n', 4, "invalid predicate 'q(i)'"),
    (HEAD + "labels = 3\n", 4, "invalid labels 3: expected a table of strings"),
    (HEAD + "words = { 1 = 2 }\n", 4, "invalid words {'1': 2}: expected a table of strings"),
    ('["p(I,K)"]\ndraw = "line"\n', 2, "line needs the arguments C, R, which p(I,K) does not name"),
    (
        '["p(R,S)"]\ndraw = "clue"\ntext = "{S}"\n',
        2,
        "clue needs the arguments E and J, or the key edge",
    ),
    ('["p(R,S)"]\ndraw = "clue"\nedge = "top"\ntext = "{S}"\n', 2, "clue needs"),
    ('["p(R,S)"]\ndraw = "clue"\nedge = "left"\n', 2, "clue needs a text, such as '{S}'"),
    ('["p(R,C,R1,C1)"]\ndraw = "edge"\nlabels = { "q(R,S)" = "{S}" }\n', 3, "edge shows no labels"),
]


@in_one_test(("text", "line", "message"), INVALID)
def test_an_invalid_file_is_reported_with_the_line(text, line, message):
    with pytest.raises(RuleError) as error:
        parse(text, "some/mine.draw")
    assert str(error.value).startswith(f"some/mine.draw:{line}: ")
    assert message in str(error.value)


EXTREME = {
    "deep lists": "a = " + "[" * 20_000,
    "deep tables": HEAD + "words" + ".a" * 20_000 + " = 1\n",
    "many digits": HEAD + "width = " + "9" * 5_000,
    "many hexadecimal digits": HEAD + "width = 0x" + "f" * 20_000,
}


@pytest.mark.slow_cases("deep tables")
@pytest.mark.parametrize("text", EXTREME.values(), ids=EXTREME)
def test_values_that_python_cannot_parse_or_print_are_rejected(text):
    with pytest.raises(RuleError, match=r"^some/mine\.draw:") as error:
        parse(text, "some/mine.draw")
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(
    ("content", "message"), [(b"\xff", "UTF-8"), (b"#" * 100_001, "at most 100 kB")]
)
def test_binary_and_large_files_are_rejected(tmp_path, content, message):
    rule = tmp_path / "mine.lp"
    rule.write_text(
        "% Nothing.\n#defined p/2.  % p(R,C): marked\n:- p(R,C), a(R,C,1), not ab(mine).\n#defined"
        " ab/1.\n"
    )
    rule.with_suffix(".draw").write_bytes(content)
    program = compose(BLANK, str(rule))
    with pytest.raises(RuleError, match=message):
        styles_of(program)


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
def test_the_default_style_depends_on_the_arguments(tmp_path, letters, kind, text):
    rule = tmp_path / "mine.lp"
    rule.write_text(MINE.format(letters=letters, arity=letters.count(",") + 1))
    found = {style.atom.name: style for style in styles_of(compose(BLANK, str(rule)))}
    assert (found["p"].draw if "p" in found else None) == kind
    if kind:
        assert found["p"].text == text
        assert [label.text for label in found["p"].labels] == (["{S}"] if "I" in letters else [])


def test_the_style_file_next_to_a_rule_file_named_by_a_puzzle_is_found(tmp_path, monkeypatch):
    (tmp_path / "mine.lp").write_text(MINE.format(letters="R,C", arity=2))
    (tmp_path / "mine.draw").write_text('["p(R,C)"]\ndraw = "mark"\nshape = "diamond"\n')
    (tmp_path / "puzzle.txt").write_text("with: mine.lp\n" + ". . . .\n" * 4 + "[facts]\np(1,1).\n")
    monkeypatch.chdir("/")
    found = styles_of(compose(aspdoku.read(tmp_path / "puzzle.txt")))
    assert [style.shape for style in found if style.atom.name == "p"] == ["diamond"]


def test_a_style_file_must_be_next_to_its_rule_file(tmp_path, monkeypatch):
    """It does not apply to a rule file of the same name elsewhere, nor through a symbolic link."""
    for folder, shape in (("ours", "diamond"), ("theirs", "circle")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.lp").write_text(MINE.format(letters="R,C", arity=2))
        (tmp_path / folder / "mine.draw").write_text(
            f'["p(R,C)"]\ndraw = "mark"\nshape = "{shape}"\n'
        )
        (tmp_path / folder / "puzzle.txt").write_text(". . . .\n" * 4 + "[facts]\np(1,1).\n")
    monkeypatch.chdir(tmp_path / "ours")
    program = compose(aspdoku.read(tmp_path / "theirs" / "puzzle.txt"), "./mine.lp")
    assert [style.shape for style in styles_of(program) if style.atom.name == "p"] == ["diamond"]
    (tmp_path / "ours" / "mine.draw").unlink()
    (tmp_path / "ours" / "mine.draw").symlink_to(tmp_path / "theirs" / "mine.draw")
    with pytest.raises(RuleError, match=r"^\./mine\.draw: symbolic link to a folder other than"):
        styles_of(program)
    (tmp_path / "links").mkdir()
    for name in ("mine.lp", "mine.draw"):
        (tmp_path / "links" / name).symlink_to(tmp_path / "theirs" / name)
    linked = compose(BLANK, str(tmp_path / "links" / "mine.lp"))
    assert [style.shape for style in styles_of(linked) if style.atom.name == "p"] == ["circle"]


def test_a_retracted_rule_has_no_style():
    assert [style.atom.name for style in styles_of(compose(BLANK, "odd"))] == ["odd"]
    assert styles_of(compose(BLANK, "odd", without=["odd"])) == ()


def test_a_predicate_of_two_style_files_has_one_style():
    found = [
        style.atom.name
        for style in styles_of(compose(BLANK, "negative-black-dots", "black-dots", "white-dots"))
    ]
    assert sorted(found) == ["black_dot", "negative_black_dot", "white_dot"]


def test_derived_predicates_are_distinguished_from_inputs():
    program = compose(BLANK, "windoku", "killer")
    assert derived_predicates(program, styles_of(program)) == {("windoku_cell", 4)}


def test_undeclared_predicates_get_a_default_style_by_their_arity():
    found = default_styles(
        [("p", 3), ("p_value", 2), ("path", 4), ("spot", 2), ("dot", 5), ("much", 1), ("more", 6)]
    )
    kinds = {style.atom.name: style.draw for style in found}
    assert kinds == {"p": "area", "path": "line", "spot": "area", "dot": "edge"}
    assert [label.atom.text for style in found for label in style.labels] == ["p_value(I,S)"]
