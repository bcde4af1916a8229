"""Facts of clues that no rule depends on: without them, plain clingo has the same grids."""

import pytest
from click.testing import CliRunner
from clingo import Control
from instance_files import ELABORATED
from sampling import one_in

import aspdoku
from aspdoku.cli import cli
from aspdoku.engine.clues import effect_warnings, without_effect

BLANK = ". . . .\n" * 4


@pytest.fixture
def patient(monkeypatch):
    """Warnings also appear if a busy machine grounds the clues in more than a second."""
    monkeypatch.setattr("aspdoku.engine.clues._SECONDS", 60.0)


def puzzle(rules, facts):
    return aspdoku.compose(aspdoku.parse(f"with: {rules}\n{BLANK}\n[facts]\n{facts}\n"))


def grids(text):
    """All grids of a program, by plain clingo."""
    control = Control(["0", "--eq=0", "--project=show"], logger=lambda *_: None)
    control.add(text + "\n#show a/3.")
    control.ground()
    with control.solve(yield_=True) as models:
        return {frozenset(map(str, model.symbols(shown=True))) for model in models}


# The rules, the facts with an effect, those without one.
CASES = {
    "a leap to the cell itself": ("leaper", ["leaper(1,2)"], ["leaper(0,0)", "leaper(7,1)"]),
    "a line of one cell": ("thermo", ["thermo(1,1,1,1)", "thermo(1,2,1,2)"], ["thermo(2,1,3,3)"]),
    "no place 2": ("thermo", [], ["thermo(1,1,1,1)", "thermo(1,3,1,2)"]),
    "a place without cells before it": (
        "thermo",
        ["thermo(1,1,1,1)", "thermo(1,2,1,2)"],
        ["thermo(1,4,1,3)"],
    ),
    "two cells at place 1": ("whispers", [], ["whispers(1,1,1,1)", "whispers(1,1,1,2)"]),
    "a cage for sums without a sum": (
        "sum-cage",
        ["sum_cage(1,1,1)", "sum_cage(1,2,1)", "sum_cage_value(1,5)"],
        ["sum_cage(3,3,2)", "sum_cage(3,4,2)"],
    ),
    "the middle of a palindrome": (
        "palindrome",
        ["palindrome(1,1,1,1)", "palindrome(1,2,2,1)", "palindrome(1,3,3,2)"],
        [],
    ),
    "alternatives": (
        "killer, either",
        [
            *("cage(1,1,1)", "cage_value(1,1)", "cage(1,2,2)", "cage_value(2,1)"),
            *("either(1,1,killer,1)", "either(1,2,killer,2)"),
        ],
        [],
    ),
    "a number outside the range": ("pencilmarks", ["pencilmark(1,1,2)"], []),
}


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("name", CASES)
def test_the_facts_without_effect(name):
    rules, used, idle = CASES[name]
    program = puzzle(rules, " ".join(f"{fact}." for fact in [*used, *idle]))
    assert set(map(str, without_effect(program))) == set(idle)
    rest = program.text
    for fact in idle:
        assert f"\n{fact}.\n" in rest
        rest = rest.replace(f"\n{fact}.\n", "\n")
    assert grids(rest) == grids(program.text) != set()
    assert bool(idle) == bool([*program.warnings, *effect_warnings(program)])


def test_a_retracted_rule_would_depend_on_its_clues():
    program = puzzle("killer\nwithout: killer", "cage(1,1,1). cage_value(1,3). ab(killer,1).")
    assert without_effect(program) == set()


@pytest.mark.usefixtures("patient")
def test_a_warning_names_the_line_and_no_clue_twice(tmp_path):
    file = tmp_path / "x.txt"
    file.write_text(f"with: thermo\n\n{BLANK}\n[thermo]\nr1c1 r1c2\nr3c3\n")
    (warning,) = effect_warnings(aspdoku.compose(aspdoku.read(file)))
    assert warning.startswith(f"{file}:10: no effect of thermo(2,1,3,3): no rule of this program")
    program = puzzle("killer", "cage_value(1,3).")
    assert "also needs cage(" in " ".join(program.warnings)
    assert not [*effect_warnings(program)]


@pytest.mark.slow
def test_an_endless_grounding_ends_without_warnings():
    rule = aspdoku.RuleFile.from_text(
        "own",
        "#defined mark/1.  % mark(N): a number\nown(N) :- mark(N).\n"
        "own(N+1) :- own(N), N < 9000000.\n:- own(N), a(1,1,N), not ab(own).\n#defined ab/1.",
    )
    program = aspdoku.compose(aspdoku.parse(f"{BLANK}\n[facts]\nmark(1).\n"), rule)
    assert not [*effect_warnings(program)]


@pytest.mark.slow_cases(
    *("little-killer", "region-sum-line", "token-game", "full-rank", "skyscraper", "xv", "str8ts"),
    "pill-arrow",
)
@pytest.mark.parametrize("name", one_in(3, ELABORATED))
def test_bundled_puzzles_have_no_clues_without_effect(name):
    program = aspdoku.compose(aspdoku.read(ELABORATED[name][0]))
    assert not [*effect_warnings(program)]


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(
    ("command", "warned"),
    [
        *((command, True) for command in ("explain", "hint", "conflict", "redundant", "review")),
        ("why r1c1!=9", True),
        ("solve", False),
    ],
)
def test_which_commands_warn(command, warned):
    words = [*command.split(), "example:four", "--with", "leaper", "--fact", "leaper(0,0)"]
    result = CliRunner().invoke(cli, words)
    assert ("no effect of leaper(0,0)" in " ".join(result.output.split())) == warned
    assert not result.exception or isinstance(result.exception, SystemExit)
