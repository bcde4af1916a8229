"""Questions about rules, and the comparison of formalisms."""

import oracle
import pytest
from api_calls import SMALL, UNIQUE

import aspdoku

MINE = ":- a(R,C,N), a(R+1,C+1,N)."


def mine(text=MINE, name="mine"):
    return aspdoku.RuleFile.from_text(name, text)


@pytest.mark.parametrize(
    ("one", "two", "relation"),
    [
        (mine(), mine(":- a(R,C,N), a(R-1,C-1,N).", "other"), "same"),
        (mine(), mine(f"{MINE}\n:- a(1,1,1).", "other"), "two stricter"),
        (mine(f"{MINE}\n:- a(1,1,1).", "other"), mine(), "one stricter"),
        (mine(), mine(":- a(1,1,1).", "other"), "neither"),
    ],
)
def test_equivalent(one, two, relation):
    found = aspdoku.equivalent(one, two, size=4)
    assert (found.relation, bool(found)) == (relation, relation == "same")
    for witness in found.data.witnesses:
        assert not oracle.violations(witness.grid.rows, [[None] * 4] * 4, oracle.CLASSIC)


def test_without_as_a_string_is_one_name():
    """Boxes of a 4x4 grid imply that no number is repeated one step along a diagonal in a box."""
    box = ":- a(R,C,N), a(R+1,C+1,N), R\\2 == 1, C\\2 == 1."
    nothing = ":- a(1,1,0)."
    arguments = {"one": mine(box), "two": mine(nothing, "other"), "size": 4}
    assert aspdoku.equivalent(**arguments)
    assert not aspdoku.equivalent(**arguments, without="box")
    assert not aspdoku.equivalent(**arguments, without=["box"])


def test_rules_that_cannot_be_compared_are_rejected():
    with pytest.raises(aspdoku.RuleError, match="unknown rule"):
        aspdoku.equivalent("anti-knigt", "anti-knight", size=4)
    with pytest.raises(aspdoku.RuleError, match="syntax error"):
        aspdoku.equivalent(mine(":- a(R,C,."), "anti-knight", size=4)
    with pytest.raises(aspdoku.RuleError, match="choice"):
        aspdoku.equivalent(mine("{ mine_x }."), "anti-knight", size=4)
    with pytest.raises(TypeError, match="not int"):
        aspdoku.equivalent("anti-knight", 5)
    with pytest.raises(TypeError, match="a name, not 5"):
        aspdoku.equivalent("anti-knight", "anti-knight", without=[5])


def test_undecided_after_the_time_limit():
    found = aspdoku.equivalent("slides/anti-knight-distance", "anti-knight", time_limit=1e-6)
    assert (found.relation, bool(found)) == ("undecided", False)


def test_check_a_name_a_path_or_a_file(tmp_path):
    path = tmp_path / "mine.lp"
    path.write_text(":- a(R,C,.")
    reports = [aspdoku.check(path), aspdoku.check(str(path)), aspdoku.check(mine(":- a(R,C,."))]
    assert {(bool(each), each.findings[0].text) for each in reports} == {
        (False, "syntax error: '(' is never closed")
    }
    assert aspdoku.check("anti-knight")
    missing = aspdoku.check(tmp_path / "missing.lp")
    assert (bool(missing), missing.findings[0].severity) == (False, "unreadable")
    with pytest.raises(TypeError, match="not int"):
        aspdoku.check(5)


def test_rules_have_names_and_titles():
    assert all(rule.name and rule.title and aspdoku.check(rule) for rule in aspdoku.rules()[:5])


def test_compare_with_one_engine_or_several():
    for engines in ("findling", ["findling"]):
        found = aspdoku.compare(UNIQUE, engines)
        assert [(row.engine.name, row.status) for row in found.rows] == [("findling", "agrees")]
        assert [list(map(list, grid)) for grid in found.reference.solutions] == oracle.solutions(
            oracle.read_grid(UNIQUE)
        )


def test_errors_of_compare():
    with pytest.raises(aspdoku.AspdokuError, match=r"unknown engine 'findlin'. Did you mean"):
        aspdoku.compare(SMALL, "findlin")
    with pytest.raises(TypeError, match="a name, not 5"):
        aspdoku.compare(SMALL, [5])
    with pytest.raises(aspdoku.TimeLimitError):
        aspdoku.compare("." * 81, "asp", time_limit_each=1e-6)


def test_elaborate_after_the_time_limit():
    assert not aspdoku.elaborate("." * 81, time_limit=1e-6).complete
    assert aspdoku.elaborate(SMALL, limit=0).complete
