"""Rule files do not interfere: a predicate has its rules in one file, in every command."""

import re
from functools import partial
from itertools import combinations, pairwise

import pytest
from click.testing import CliRunner
from full_grids import all_sudokus_of_four
from sampling import one_in

import aspdoku
from aspdoku import Puzzle, compose
from aspdoku.cli import cli
from aspdoku.errors import RuleError
from aspdoku.program import library
from aspdoku.program.lint import borrowed, definitions, other_arguments
from aspdoku.program.rulefile import RuleFile
from aspdoku.questions.check import check
from aspdoku.web import page

# What several files may define by design: exceptions, the layout of a grid, and what cells count.
SHARED = {("counts_as", 4), ("ab", 1), ("ab", 2), ("box", 3), ("unused", 2)}
SHARED |= {("reaches_total", 2), ("reaches_summand", 5)}
GRIDS = all_sudokus_of_four()
UP = (
    "% The first row does not rise by one.\n"
    "next(1,2).  next(2,3).  next(3,4).\n"
    ":- a(1,C,N), a(1,C+1,M), next(N,M).\n"
)
ROUND = (
    "% The first column does not rise by one around the corner.\n"
    "next(N,N \\ 4 + 1) :- number(N).\n"
    ":- a(R,1,N), a(R+1,1,M), next(N,M).\n"
)
WORDS = "next/2 is also defined in up.lp:2, so that each file changes the other: call it"


def kept(grid):
    """Whether a grid satisfies both rules, in plain Python."""
    row, column = grid[0], [cells[0] for cells in grid]
    return all(two - one != 1 for one, two in pairwise(row)) and all(
        two != one % 4 + 1 for one, two in pairwise(column)
    )


def files(*texts):
    names = ("up", "round", "third")
    return [RuleFile.from_text(name, text) for name, text in zip(names, texts, strict=False)]


def test_bundled_files_do_not_interfere():
    """So that no program of bundled files has to be checked when it is run."""
    rules = [library.base(), *library.available_rules()]
    rules += [library.find(name) for name in library.slides_names() if "base" not in name]
    assert len(rules) > 100
    for one, two in combinations(rules, 2):
        if one.name != two.name:
            both = set(definitions(one)) & set(definitions(two)) - SHARED
            if "extra-cell" in (one.name, two.name):
                both -= {("a", 3)}  # its cells are not in the grid
            assert not both, (one, two)


def test_a_predicate_that_two_files_define_is_an_error():
    with pytest.raises(RuleError) as refused:
        aspdoku.compose("." * 16, *files(UP, ROUND))
    first, *excerpt = str(refused.value).splitlines()
    assert first == f"round.lp:2:1: {WORDS} round_next here"
    assert excerpt[0].strip() == "2 | next(N,N \\ 4 + 1) :- number(N)."


def test_the_remedy_is_to_rename_it():
    name = re.search(r"call it (\w+) here", WORDS + " round_next here")[1]
    renamed = re.sub(r"\bnext\b", name, ROUND)
    expected = sum(map(kept, GRIDS))
    assert 0 < expected < len(GRIDS)
    assert aspdoku.count("." * 16, with_=files(UP, renamed)).count == expected


def test_every_way_to_compose_a_program_reports_it(tmp_path, monkeypatch):
    (tmp_path / "up.lp").write_text(UP)
    (tmp_path / "round.lp").write_text(ROUND)
    (tmp_path / "p.txt").write_text("with: up.lp, round.lp\n" + "....\n" * 4)
    monkeypatch.chdir(tmp_path)
    own = [{"name": "up", "text": UP}, {"name": "round", "text": ROUND}]
    for question in (
        lambda: aspdoku.solve("p.txt"),
        lambda: aspdoku.count("p.txt"),
        lambda: aspdoku.elaborate("p.txt"),
        lambda: aspdoku.explain("p.txt"),
        lambda: aspdoku.draw("p.txt"),
        lambda: aspdoku.generate(with_=["./up.lp", "./round.lp"], size=4),
        lambda: list(aspdoku.batch(["." * 16], like="p.txt")),
        lambda: list(aspdoku.batch(["." * 16], size=4, with_=["up.lp", "round.lp"])),
        lambda: aspdoku.solve("." * 16, with_=["./up.lp", "./round.lp"]),
        lambda: page.program_of({"puzzle": "." * 16, "own": own}),
    ):
        with pytest.raises(
            RuleError,
            match=r"round\.lp:2:1: next/2 is also defined in up\.lp:2|"
            r"\./round\.lp:2:1: next/2 is also defined in \./up\.lp:2",
        ):
            question()


DEFAULT = "box_name(1).\n:- box_name(R), a(R,1,1).\n"


def test_helpers_of_default_rules_are_taken():
    rule = RuleFile.from_text("mine", DEFAULT)
    (finding,) = check(rule).findings
    words = "box_name/1 is also defined in asp/elaborations/box.lp:"
    assert finding.text.startswith(words)
    assert "call it mine_box_name here" in finding.text
    for question in (
        lambda: aspdoku.solve("." * 16, with_=rule),
        lambda: aspdoku.equivalent(rule, "anti-knight", size=4),
        lambda: aspdoku.equivalent("anti-knight", rule, size=4),
    ):
        with pytest.raises(RuleError, match=re.escape(words)):
            question()


def test_what_files_may_share():
    one = "#defined mark/2.  #defined ab/1.\nab(box) :- mark(1,1).\n:- mark(R,C), a(R,C,1).\n"
    two = "#defined mark/2.\nab(row) :- mark(1,2).\n:- mark(R,C), a(R,C,2).\n"
    third = "unused(R,C) :- row(R), column(C), R > 9.\n"
    text = "....\n" * 4 + "[facts]\nmark(2,2)."
    expected = sum(grid[1][1] > 2 for grid in GRIDS)
    assert aspdoku.count(text, with_=files(one, two)).count == expected
    aspdoku.compose(text, *files(one, two, third))


THIRD = "% The first row and column.\n:- next(N,M), a(1,1,N), a(2,2,M)."


@pytest.mark.parametrize("declared", ["", "#defined next/2.  % next(N,M): a pair\n"])
def test_a_helper_of_another_file_gets_a_warning_with_both_places(declared):
    third = declared + THIRD
    place = f"mine.lp:{third.count(chr(10)) + 1}:4"
    (warning,) = aspdoku.compose("." * 16, *files(UP), RuleFile.from_text("mine", third)).warnings
    assert warning.startswith(f"{place}: next/2 is a helper of up.lp:2, which may change it")
    # Both remedies, with the grids that plain Python allows.
    renamed = re.search(r"define (\w+) in this file", warning)[1]
    alone = "mine_next(1,2).  mine_next(2,3).  mine_next(3,4).\n" + THIRD.replace("next", renamed)
    public = UP + re.search(r"in that file: (.*)", warning)[1]
    expected = sum(
        two - one != 1
        for grid in GRIDS
        for one, two in [(grid[0][0], grid[1][1])]
        if all(after - before != 1 for before, after in pairwise(grid[0]))
    )
    assert 0 < expected < len(GRIDS)
    for one, other in ((UP, alone), (public, third)):
        with_ = [*files(one), RuleFile.from_text("mine", other)]
        assert not aspdoku.compose("." * 16, *with_).warnings
        assert aspdoku.count("." * 16, with_=with_).count == expected


DIAGONAL = "even(R,R) :- row(R).\n:- even(R,C), a(R,C,1).\n"


def test_a_helper_that_is_an_input_of_another_rule_gets_a_warning():
    """The remedies: each rule has its own cells, or both rules have all of them."""
    text = "with: even\n\n" + "....\n" * 4 + "[even]\nr1c2\n"
    mine = RuleFile.from_text("mine", DIAGONAL)
    (warning,) = aspdoku.compose(text, mine).warnings
    assert warning.startswith("mine.lp:1:1: even/2 is an input of the rule even, which this helper")
    shared = RuleFile.from_text("mine", "#defined box/3.  #defined adjacent/4.\n" + DIAGONAL)
    others = ["box-indexer", "nonconsecutive"]
    assert any("even/2 is an input" in it for it in aspdoku.compose(text, shared, *others).warnings)
    private = DIAGONAL.replace("even", re.search(r"call it (\w+) here", warning)[1])
    public = re.search(r"in this file: (.*)", warning)[1] + "\n" + DIAGONAL
    without_ones = [grid for grid in GRIDS if all(grid[at][at] != 1 for at in range(4))]
    for rule, cells in ((private, [(0, 1)]), (public, [(0, 0), (1, 1), (2, 2), (3, 3), (0, 1)])):
        own = RuleFile.from_text("mine", rule)
        expected = sum(
            all(grid[row][column] % 2 == 0 for row, column in cells)
            and (rule == private or grid[0][1] != 1)
            for grid in without_ones
        )
        assert not aspdoku.compose(text, own).warnings
        assert aspdoku.count(text, with_=own).count == expected


@pytest.mark.parametrize(
    ("without", "fact"), [("mine", None), (None, "ab(mine)"), (None, "ab(mine,1)")]
)
def test_an_exception_of_two_files_gets_a_warning(without, fact, tmp_path):
    for folder, number in (("one", 1), ("two", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.lp").write_text(
            f":- a(1,1,{number}), not ab(mine), not ab(mine,{number}).\n"
        )
    one, two = tmp_path / "one" / "mine.lp", tmp_path / "two" / "mine.lp"
    rules = {"without": without or (), "facts": [fact] if fact else []}
    (warning,) = aspdoku.compose("." * 16, one, two, **rules).warnings
    assert warning.startswith(f"ab(mine) affects {one} and {two}: ")
    for names in ((one,), (one, "anti-knight")):
        assert not aspdoku.compose("." * 16, *names, **rules).warnings


def test_an_exception_of_a_file_with_the_name_of_a_bundled_rule_gets_a_warning():
    mine = RuleFile.from_text("anti-knight", ":- a(1,1,1), not ab(anti_knight).")
    program = aspdoku.compose("." * 16, mine, "anti-knight", without="anti-knight")
    (warning,) = program.warnings
    assert warning.startswith("ab(anti_knight) affects anti-knight.lp and asp/elaborations/anti-k")


def test_check_reports_a_helper_of_a_default_rule():
    helper = min(name for name, _ in definitions(library.find("box")) if name != "box")
    (arity,) = [n for name, n in definitions(library.find("box")) if name == helper]
    atom = f"{helper}({','.join('X' * arity)})"
    found = check(RuleFile.from_text("mine", f":- {atom}, a(1,1,X).")).findings
    assert any(f"{helper}/{arity} is a helper of asp/elaborations/box.lp:" in str(f) for f in found)


def test_what_is_shared_or_shown_is_no_helper():
    """Also of each other's predicates, bundled files read only these."""
    rules = [library.base(), *library.available_rules()]
    for rule in rules:
        assert not list(borrowed(rule, [each for each in rules if each != rule])), rule.name
    shown = UP + "#show next/2.\n"
    reader = [RuleFile.from_text("mine", THIRD)]
    assert not aspdoku.compose("." * 16, *files(shown), *reader).warnings


def test_a_fact_over_a_helper_changes_the_rule_and_is_an_error():
    text = "....\n" * 4 + "[facts]\nnext(4,1)."
    with pytest.raises(RuleError, match=r"next/2 is defined by up.lp, which is no input"):
        aspdoku.compose(text, *files(UP))
    with pytest.raises(RuleError, match="windoku_top/1 is defined by asp/elaborations"):
        aspdoku.compose("....\n" * 4 + "[facts]\nwindoku_top(3).", "windoku")
    declared = files("#defined next/2.\n" + UP)
    assert aspdoku.count(text, with_=declared).count == sum(
        all((one, two) not in {(1, 2), (2, 3), (3, 4), (4, 1)} for one, two in pairwise(row))
        for row in (grid[0] for grid in GRIDS)
    )


WORD = "#defined adjacent/4.{}\n:- adjacent(R,C,R1,C1), a(R,C,N), a(R1,C1,N1), |N-N1| = 1.\n"


@pytest.mark.parametrize("clues", ["[facts]\nadjacent(1,1,1,2).", "[adjacent]\nr1c1 r1c2"])
@pytest.mark.parametrize("rule", ["nonconsecutive", RuleFile.from_text("mine", WORD.format(""))])
def test_a_word_of_the_vocabulary_is_no_input(rule, clues):
    taken = r"adjacent/4 is a word of the vocabulary, asp/vocabulary/adjacent.lp: use another name"
    text = "....\n" * 4 + clues + "\n"
    with pytest.raises(RuleError, match=taken):
        aspdoku.compose(text, rule)
    with pytest.raises(RuleError, match=taken):
        aspdoku.equivalent(rule, "box", text)


@pytest.mark.parametrize(
    ("comment", "valid"),
    [
        ("", True),
        ("  % neighbours", True),
        ("  % adjacent(R,C,R1,C1): these cells differ by 2", False),
        ("  % adjacent(I,K,R,C): line I has the cell in row R, column C at place K", False),
    ],
)
def test_a_word_of_the_vocabulary_has_no_other_comment(comment, valid):
    mine = RuleFile.from_text("mine", WORD.format(comment))
    found = check(mine).findings
    assert [(each.line, each.severity) for each in found] == ([] if valid else [(1, "error")])
    if valid:
        assert not aspdoku.compose("....\n" * 4, mine).warnings
        return
    for use in (partial(aspdoku.compose, "....\n" * 4), partial(aspdoku.equivalent, "box")):
        with pytest.raises(RuleError, match=r"mine.lp:1:1: adjacent/4 is a word"):
            use(mine)


def test_a_word_has_its_number_of_arguments():
    """`adjacent/3` is an input like any other."""
    mine = RuleFile.from_text("mine", "#defined adjacent/3.\n:- adjacent(R,C,N), a(R,C,N).\n")
    assert [str(item) for item in mine.inputs] == ["adjacent/3"]
    text = "....\n" * 4 + "[facts]\nadjacent(1,1,2)."
    assert aspdoku.count(text, with_=mine).count == sum(grid[0][0] != 2 for grid in GRIDS)


def test_a_file_that_is_named_twice_is_one_file(tmp_path, monkeypatch):
    (tmp_path / "up.lp").write_text(UP)
    (tmp_path / "p.txt").write_text("with: up.lp\n" + "....\n" * 4)
    monkeypatch.setenv("ASPDOKU_PATH", str(tmp_path))
    program = aspdoku.compose(tmp_path / "p.txt", tmp_path / "up.lp", "up")
    assert [part.rule.name for part in program.parts] == ["base", "box", "up"]


# A file, and whether it can be used.
CONSTRUCTS = {
    "a constraint": (":- a(1,1,1).", True),
    "a helper": ("mine(1).\n:- mine(N), a(1,1,N).", True),
    "a choice": ("{ mine(N) : number(N) } = 1.\n:- mine(N), a(1,1,N).", True),
    "an external": ("#external mine(1).\n:- mine(1), a(1,1,1).", True),
    "a disjunction": ("mine(1) | mine(2).\n:- mine(N), a(1,1,N).", True),
    "shown atoms": ("#show mine/1.\nmine(1).\n:- mine(N), a(1,1,N).", True),
    "an input": ("#defined mark/2.\n:- mark(R,C), a(R,C,1).", True),
    "a default rule's predicate": (":- box(R,C,B), a(R,C,B).", True),
    "an exception": ("#defined ab/1.\nab(box).\n:- a(1,1,1), not ab(mine).", True),
    "only a comment": ("% nothing yet", True),
    "only a declaration": ("#defined mark/2.", True),
    "a template": ("%@ no {N}\n:- a(1,1,N), N > 3.", True),
    "the base program": ("#program base.\n:- a(1,1,1).", True),
    "a constant": ("#const k = 3.\n:- a(1,1,k).", False),
    "a constant of the base": ("#const n = 3.\n:- a(1,1,n).", False),
    "an overriding constant": ("#const k = 3. [override]\n:- a(1,1,k).", False),
    "optimization": ("#minimize { N : a(1,1,N) }.", False),
    "a weak constraint": (":~ a(1,1,N). [N]", False),
    "a projection": ("#project a/3.\n:- a(1,1,1).", False),
    "another program": ("#program other.\n:- a(1,1,1).", False),
    "a script": ("#script (python)\n#end.", False),
    "an include": ('#include "base.lp".', False),
    "a call": (":- a(1,1,@f(1)).", False),
    "a theory": ("#theory t { x { - : 0, unary }; &p/0 : x, any }.", False),
    "a given": ("a(1,1,1).", False),
    "a number more": ("number(n+1).", False),
    "a choice of numbers": ("{ a(1,1,N) : number(N) }.", False),
    "a helper of a default rule": (DEFAULT, False),
    "an undefined predicate": (":- numbr(N), a(1,1,N).", False),
    "an unsafe variable": (":- a(1,1,N), N > M.", False),
    "a division by zero": (":- a(1,1,N), N / 0 > 1.", False),
    "an invalid template": ("%@ no {M}\n:- a(1,1,N), N > 3.", False),
    "a lone template": ("%@ nothing\n% else\n\n#show.\n:- a(1,1,1).", False),
    "a syntax error": (":- a(1,1,N), N =< 3.", False),
    "no full stop": (":- a(1,1,1)", False),
}


@pytest.mark.parametrize("case", one_in(3, CONSTRUCTS))
def test_check_and_solve_accept_the_same_files(case):
    text, valid = CONSTRUCTS[case]
    rule = RuleFile.from_text("mine", text)
    assert bool(check(rule)) == valid, check(rule)
    if valid:
        aspdoku.compose("." * 16, rule)
        return
    with pytest.raises(RuleError) as refused:
        aspdoku.compose("." * 16, rule)
    places = {f"{each.place}:{each.line}:{each.column}" for each in check(rule).findings}
    assert re.match(r"[\w.]+:\d+:\d+", str(refused.value))[0] in places


@pytest.mark.parametrize("name", ["row", "column"])
def test_check_and_solve_refuse_the_names_of_rules_of_the_base(name):
    rule = RuleFile.from_text(name, ":- a(1,1,1).")
    assert not check(rule)
    with pytest.raises(RuleError, match=r"would also retract a rule of base\.lp"):
        aspdoku.compose("." * 16, rule)


def test_strong_negation_does_not_make_another_predicate():
    """Each file alone allows some grids, and p together with -p none."""
    files = [RuleFile.from_text("up", "next(1,2). :- next(1,1), a(1,1,1).")]
    files.append(RuleFile.from_text("down", "-next(1,2). :- -next(1,1), a(1,1,1)."))
    with pytest.raises(RuleError, match=r"-next/2 is also defined in up\.lp:1.*call it down_next"):
        aspdoku.compose(aspdoku.Puzzle.blank(4), *files)
    with pytest.raises(RuleError, match=r"-row/1 is defined in asp/base\.lp"):
        aspdoku.compose(aspdoku.Puzzle.blank(4), RuleFile.from_text("mine", "-row(1)."))


OTHER_ORDER = """\
% The second number is greater.
#defined gt/4.  % gt(R1,C1,R,C): the number in R, C is greater
#defined ab/1.
:- gt(R1,C1,R,C), a(R,C,N), a(R1,C1,N1), N <= N1, not ab(other).
"""


def test_two_files_declare_the_arguments_of_an_input_in_the_same_order(tmp_path):
    """With the facts of one file, the other one would be about other cells."""
    rule = RuleFile.from_text("other", OTHER_ORDER)
    words = re.escape(
        "other.lp:2:1: gt/4 is gt(R1,C1,R,C) here, but gt(R,C,R1,C1) in"
        " asp/elaborations/greater-than.lp:3: give the arguments the same order"
    )
    with pytest.raises(RuleError, match=words):
        compose(Puzzle.blank(4), "greater-than", rule)
    with pytest.raises(RuleError, match=words):
        aspdoku.equivalent(rule, "greater-than")
    renamed = re.sub(r"R1,C1,R,C(?=\): )", "X,Y,Z,T", OTHER_ORDER)
    assert renamed != OTHER_ORDER
    compose(Puzzle.blank(4), "greater-than", RuleFile.from_text("other", renamed))
    file = tmp_path / "other.lp"
    file.write_text(OTHER_ORDER)
    result = CliRunner().invoke(cli, ["check", str(file), "--against", "greater-than"])
    assert "cannot be compared: it declares the arguments of an input in another order" in (
        " ".join(result.output.split())
    )


MARK = "#defined {0}/3.  % {0}(R,C,{1}): a mark\n:- {0}(R,C,{1}), a(R,C,N), N < 3."


def test_two_files_declare_an_argument_as_a_name_or_as_a_value():
    """A 3 in a picture is a number in one file, and the name "3" of a group in the other one."""
    value, name = (
        RuleFile.from_text(file, MARK.format("mark", letter))
        for file, letter in (("value", "V"), ("name", "I"))
    )
    for one, two in ((value, name), (name, value)):
        words = rf"{two.name}\.lp:1:1: mark/3 is .* here, but .* in {one.name}\.lp:1: "
        with pytest.raises(RuleError, match=words):
            compose("....\n....\n....\n....\n\n[mark]\n3 . . .\n" + ". . . .\n" * 3, one, two)
    with pytest.raises(RuleError, match=r"mark\(R,C,V\) here, but mark\(R,C,I\)"):
        aspdoku.equivalent(value, name)
    cage = RuleFile.from_text("mine", MARK.format("cage", "V"))
    with pytest.raises(RuleError, match=r"cage\(R,C,I\) in asp/elaborations/killer\.lp:3"):
        compose(Puzzle.blank(4), "killer", cage)
    compose(Puzzle.blank(4), "killer", RuleFile.from_text("mine", MARK.format("cage", "G")))


@pytest.mark.parametrize("comment", ["", "  % a mark"])
def test_a_file_without_letters_follows_the_others_and_is_warned_of_digits(comment):
    """With the text "3", no number is less than the mark: 3 < "3" holds for every number."""
    puzzle = aspdoku.parse("....\n....\n....\n....\n\n[mark]\n3 . . .\n" + ". . . .\n" * 3)
    text = f"#defined mark/3.{comment}\n:- mark(R,C,V), a(R,C,N), N != V."
    silent = RuleFile.from_text("silent", text)
    (warning,) = compose(puzzle, silent).warnings
    assert "write % mark(R,C,V): … after #defined mark/3" in warning
    value = RuleFile.from_text("value", MARK.format("mark", "V"))
    for pair in ((silent, value), (value, silent)):
        program = compose(puzzle, *pair)
        assert not program.warnings
        assert aspdoku.count(program).count == sum(grid[0][0] == 3 for grid in GRIDS)


def test_bundled_files_declare_inputs_alike():
    rules = library.available_rules()
    assert not [
        error for rule in rules for error in other_arguments(rule, [r for r in rules if r != rule])
    ]


def test_equal_keeps_helpers_of_the_same_name_apart():
    """The helper `near/4` means the next cell of a row in one file, of a column in the other."""
    text = "near(R,C,R{0},C{1}) :- cell(R,C), cell(R{0},C{1}).\n" + (
        ":- near(R,C,R1,C1), a(R,C,N), a(R1,C1,N+1), not ab(it).\n#defined ab/1."
    )
    across, down = (
        RuleFile.from_text(name, text.format(*steps))
        for name, steps in (("across", ("", "+1")), ("down", ("+1", "")))
    )
    (result,) = aspdoku.equivalent(across, down).data.results
    for witness in result.witnesses:
        grid = witness.grid.rows
        rising = {
            name: any(one + 1 == two for line in lines for one, two in pairwise(line))
            for name, lines in (("across", grid), ("down", zip(*grid, strict=True)))
        }
        assert rising == {witness.violated.name: True, witness.satisfied.name: False}
    assert {witness.violated.name for witness in result.witnesses} == {"across", "down"}
