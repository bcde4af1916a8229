"""Questions of a page, each in a child process: against the public functions, and hostile ones."""

import json
import re
import time
from functools import partial

import pytest
from work_limit import WorkLimit

import aspdoku
from aspdoku.errors import AspdokuError, TimeLimitError
from aspdoku.formats.detection import examples
from aspdoku.lecture.grading import Exercise
from aspdoku.program import library
from aspdoku.runtime.child import Aborted, Limits, run_limited
from aspdoku.web.classroom import STUDENT, Classroom, Task
from aspdoku.web.page import program_of
from aspdoku.web.questions import QUESTIONS, ask, takes_long

pytestmark = pytest.mark.versions

LIMITS = Limits(60)
SOON = Limits(2, 1 << 28)
RULE = library.find("slides/anti-knight-distance").text
PUZZLE = "1... ..3. .4.. 2..."
SECRET = "a_name_in_the_reference"
REFERENCE = f"""% A title of {SECRET}.

#defined ab/1.

{SECRET}(1,2). {SECRET}(2,1).
{SECRET}(R,C,R1,C1) :- cell(R,C), cell(R1,C1), {SECRET}(|R-R1|,|C-C1|).

% {SECRET}
%@(R,C,R1,C1) {SECRET} in r{{R}}c{{C}} and r{{R1}}c{{C1}}
:- {SECRET}(R,C,R1,C1), a(R,C,N), a(R1,C1,N), not ab(reference).
"""


def rule(text, kind="check", **more):
    return {"kind": kind, "name": "mine", "text": text, **more}


def here(question):
    """The answer in this process."""
    return QUESTIONS[question["kind"]](question, LIMITS.seconds)


def answer_or_error(*arguments):
    """The answer, or an object with the error."""
    try:
        return ask(*arguments)
    except AspdokuError as error:
        return {"error": str(error)}


HERE = "secret-here"
ASKED = {  # what a client can ask with the name of a rule
    "load": lambda name: {"kind": "load", "puzzle": f"with: {name}\n{PUZZLE}"},
    "load a path": lambda name: {"kind": "load", "puzzle": f"with: ./{name}.lp\n{PUZZLE}"},
    "a section": lambda name: {"kind": "load", "puzzle": f"with: box\n{PUZZLE}\n[{name}]\nr1c1\n"},
    "without": lambda name: {"kind": "load", "puzzle": f"without: {name}\n{PUZZLE}"},
    "added": lambda name: {"kind": "explain", "puzzle": PUZZLE, "added": [name]},
    "retracted": lambda name: {"kind": "hint", "puzzle": PUZZLE, "retracted": [name]},
    "equal": lambda name: rule(":- a(1,1,1).", "equal", reference=name),
    "convert": lambda name: {
        "kind": "convert",
        "puzzle": f"with: {name}\n{PUZZLE}",
        "to": "puzzle",
    },
    "a puzzle": lambda name: {"kind": "load", "puzzle": f"{name}.lp"},
    "own": lambda name: {"kind": "hint", "puzzle": PUZZLE, "own": [rule("", name=name)]},
    "to": lambda name: {"kind": "convert", "puzzle": PUZZLE, "to": f"{name}.lp"},
}


@pytest.mark.slow
@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
@pytest.mark.parametrize("name", ["secret-there", HERE])
def test_no_answer_tells_whether_a_file_exists(asked, name, tmp_path, monkeypatch):
    """The answer about a rule of the lecturer is that about a rule that does not exist."""
    (tmp_path / "path").mkdir()
    for file in (tmp_path / "path" / "secret-there.lp", tmp_path / f"{HERE}.lp"):
        file.write_text(f"#defined {file.stem.replace('-', '_')}/2.\n:- a(1,1,1).\n")
    monkeypatch.setenv("ASPDOKU_PATH", str(tmp_path / "path"))
    monkeypatch.chdir(tmp_path)
    missing = name.replace("secret", "nosuch")
    answers = [json.dumps(answer_or_error(asked(each), LIMITS)) for each in (name, missing)]
    for sign in "-", "_":  # a predicate is called like its rule
        answers[0] = answers[0].replace(name.replace("-", sign), missing.replace("-", sign))
    assert answers[0] == answers[1]
    assert str(tmp_path) not in answers[0]


@pytest.fixture(scope="module")
def exercise(tmp_path_factory):
    file = tmp_path_factory.mktemp("exercise") / "reference.lp"
    file.write_text(REFERENCE)
    return Exercise.of(str(file), size=6, limits=LIMITS)


def test_findings():
    text = "% Mine.\n:- a(R,C,N), M > 3.\n"
    found = ask(rule(text), LIMITS)["findings"]
    expected = aspdoku.check(aspdoku.RuleFile.from_text("mine", text)).findings
    assert [(each["line"], each["column"], each["text"]) for each in found] == [
        (each.line, each.column, each.text) for each in expected
    ]
    assert found[0]["line"] == 2


@pytest.mark.slow
def test_equal():
    same = here(rule(RULE, "equal", reference="anti-knight"))
    assert (same["relation"], same["drawings"]) == ("same", [])
    other = here(rule(RULE, "equal", reference="anti-king"))
    expected = aspdoku.equivalent("slides/anti-knight-distance", "anti-king")
    assert other["relation"] == expected.relation
    assert len(other["drawings"]) == len(expected.data.witnesses) > 0
    assert all(each.startswith("<svg ") and "style=" not in each for each in other["drawings"])


# Own rules about the distance of cells: without the other rules of the game, as with them, each
# reading of the relation is checked in `tests/lecture/test_equivalence.py` by the oracle.
SWITCHES = [
    ([], "same"),
    (["row"], "one stricter"),
    (["column"], "one stricter"),
    (["row", "column"], "one stricter"),
    (["box"], "same"),
    (["killer", "anti_knight", "mine", "cell"], "same"),  # no rules of the game
]


@pytest.mark.slow
@pytest.mark.parametrize(("retracted", "relation"), SWITCHES)
def test_a_comparison_respects_the_switches_of_the_page(retracted, relation):
    text = ":- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| == 3, not ab(mine).\n"
    found = here(rule(text, "equal", reference="anti-knight", retracted=retracted))
    assert found["relation"] == relation
    assert ("without" in found["text"]) == bool({*retracted} & {"row", "column", "box"})
    *others, last = [name for name in ("row", "column", "box") if name not in retracted]
    given = f"{', '.join(others)} and {last}" if others else last
    assert found["text"].startswith(f"given {given}:\n")


@pytest.mark.slow
def test_a_comparison_names_rules_without_paths():
    question = rule(":- a(R,C,N), a(R+1,C+1,N).\n", "equal", reference="anti-knight")
    for name in ("mine", "knight"):
        found = here(question | {"name": name})["text"]
        assert re.search(rf"(?<!-)\b{name}\b", found)
        assert "anti-knight" in found
        assert not re.search(r"\.lp|/", found)


def test_a_comparison_retracts_the_rows_that_the_page_has_switched_off():
    text = ":- a(R,C,N), a(R,C+3,N).\n"
    for retracted, relation in (([], "two stricter"), (["row"], "neither")):
        question = rule(text, "equal", reference="anti-knight", retracted=retracted)
        assert here(question)["relation"] == relation
    with pytest.raises(AspdokuError, match="expected a list of names in retracted"):
        here(rule(text, "equal", reference="anti-knight", retracted="row"))


def test_a_comparison_has_the_exceptions_of_the_page():
    """The cells of a box differ, so that the rule forbids no grid, unless the box exempts this
    number and another one, which it then lacks.
    """
    text = ":- a(1,1,1), a(2,2,1).\n"
    for other, relation in ((1, "neither"), (3, "two stricter")):
        exceptions = [f"box,{other}", "box,2"]
        found = here(rule(text, "equal", reference="offset", retracted=exceptions))
        assert found["relation"] == relation
        assert f"with the exceptions ab(box,{other}). ab(box,2)." in found["text"]
    question = rule(text, "equal", reference="offset", retracted=["offset,1"])
    assert here(question)["text"].endswith("without the exceptions ab(offset,1).")


def test_rules_that_read_different_inputs_cannot_be_compared_on_a_page():
    text = "#defined stone/2.  % stone(R,C): a stone\n:- stone(R,C), a(R,C,1).\n"
    with pytest.raises(AspdokuError) as error:
        ask(rule(text, "equal", reference="killer"), LIMITS)
    assert "mine.lp and asp/elaborations/killer.lp cannot be compared" in str(error.value)
    assert str(error.value).endswith("; give them the same inputs")


def test_an_undecided_comparison_names_the_command_that_takes_longer():
    question = rule(RULE, "equal", reference="anti-knight")
    answer = QUESTIONS["equal"](question, 0.01)
    assert answer["relation"] == "undecided"
    assert "aspdoku equal ./mine.lp anti-knight --time-limit" in answer["text"]


CONTRADICTORY = "11.. .... .... ...."


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"kind": "hint", "puzzle": CONTRADICTORY}, "no solution: press Explain"),
        ({"kind": "why", "puzzle": CONTRADICTORY, "claim": "r1c3=2"}, "no solution: press Explain"),
        ({"kind": "load", "puzzle": f"with: ./mine.lp\n{PUZZLE}"}, "'./mine.lp' was not read"),
        ({"kind": "load", "puzzle": f"with: anti-knigt\n{PUZZLE}"}, "unknown rule 'anti-knigt'"),
        (
            {"kind": "hint", "puzzle": PUZZLE, "own": [{"name": "x", "text": ":- p(1).\n"}]},
            "undefined predicate p/1",
        ),
    ],
)
def test_messages_do_not_advise_other_interfaces(question, message):
    with pytest.raises(AspdokuError) as error:
        ask(question, LIMITS)
    assert message in str(error.value)
    assert not re.search(r"`aspdoku|--[a-z]|=True|\(puzzle\)", str(error.value))


def test_the_explanation_of_a_puzzle_without_solution_is_the_conflict():
    answer = ask({"kind": "explain", "puzzle": CONTRADICTORY}, LIMITS)
    assert answer["text"] == str(aspdoku.conflict(CONTRADICTORY))


def test_the_conflict_that_is_known_at_the_limit_is_the_answer(monkeypatch):
    monkeypatch.setattr("aspdoku.explanation.conflict.Deadline", WorkLimit)
    texts = []
    for searches in range(50):
        WorkLimit.left = searches
        try:
            texts.append(here({"kind": "explain", "puzzle": CONTRADICTORY})["text"])
        except TimeLimitError:
            assert not texts  # until something is known
        if texts and "time limit" not in texts[-1]:
            break
    assert len(texts) > 1
    assert "time limit reached" in texts[0]
    monkeypatch.undo()
    assert texts[-1] == str(aspdoku.conflict(CONTRADICTORY))


@pytest.mark.parametrize("reference", ["./anti-knight.lp", "../asp/base", "/etc/passwd", "nix"])
def test_equal_takes_names_of_bundled_rules_only(reference):
    with pytest.raises(AspdokuError, match="expected the name of a bundled rule"):
        here(rule(RULE, "equal", reference=reference))


def marked(text, exercise, limits=LIMITS):
    """The answer to a hand-in, marked in a child process."""
    room = Classroom([Task("Exercise", "Write it.", exercise)])
    question = {"exercise": 0, "client": "one", **rule(text, "mark")}
    return STUDENT["mark"](room, question, partial(run_limited, limits), "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "verdict", "drawings"),
    [
        (RULE, "right", 0),
        ("% Lax.\n#defined ab/1.\n:- a(1,1,N), a(2,3,N), not ab(mine).\n", "too lax", 1),
        (":- a(R,C,", "cannot be used", 0),
        ("% Nothing.\n", "too lax", 1),
        ("p(X+1) :- p(X).  p(1).\n", "gave up", 0),
    ],
    ids=["right", "too lax", "a syntax error", "nothing", "infinite"],
)
def test_an_exercise(text, verdict, drawings, exercise):
    answer = marked(text, exercise, Limits(5) if verdict == "gave up" else LIMITS)
    assert answer["verdict"] == verdict
    assert sum(len(part["drawings"]) for part in answer["parts"]) == drawings
    assert SECRET not in json.dumps(answer)
    assert exercise.reference.place not in json.dumps(answer)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        ":- {0}(1,2), a(1,1,1).\n",
        ":- not {0}(1,2), a(1,1,1).\n",
        "{0}(5,5).\n:- {0}(1,2), a(1,1,1).\n",
        "#defined {0}/2.\n:- {0}(1,2), a(1,1,1).\n",
    ],
)
def test_a_name_in_the_reference_is_as_unknown_as_any_other(text, exercise):
    answers = [
        json.dumps(marked(text.format(name), exercise)).replace(name, "name")
        for name in (SECRET, SECRET.replace("a", "b"))
    ]
    assert answers[0] == answers[1]


@pytest.mark.slow
def test_questions_about_a_puzzle():
    puzzle = {"puzzle": PUZZLE}
    assert len(here({"kind": "explain", **puzzle})["steps"]) == len(aspdoku.explain(PUZZLE).steps)
    hint = here({"kind": "hint", **puzzle})
    assert hint["text"] == str(aspdoku.hint(PUZZLE))
    assert [f"r{row}c{column}" for row, column in hint["cells"]] == [hint["text"][:4]]
    entries = [list(row) for row in aspdoku.parse(PUZZLE).grid]
    entries[0][3] = 1
    wrong = here({"kind": "hint", "entries": entries, **puzzle})
    assert (wrong["cells"], "r1c4" in wrong["text"]) == ([(1, 4)], True)
    number = aspdoku.solve(PUZZLE).solution[1, 2]
    why = here({"kind": "why", "claim": f"r1c2={number}", **puzzle})
    assert why["text"] == str(aspdoku.why(PUZZLE, f"r1c2={number}"))
    assert [1, 2, number] in why["steps"][-1]["placed"]
    with pytest.raises(AspdokuError) as refuted:
        here({"kind": "why", "claim": "r1c3=1", **puzzle})
    assert "ask about r1c3!=1 instead" in refuted.value.on_page
    heat = here({"kind": "depends", **puzzle})
    assert heat["result"] == json.loads(json.dumps(aspdoku.depends(PUZZLE).to_json()))
    one = here({"kind": "depends", "cell": "r1c2", **puzzle})
    assert one["text"] == str(aspdoku.depends(PUZZLE, "r1c2"))
    own = [{"name": "mine", "text": "#defined ab/1.\n:- a(1,2,1), not ab(mine).\n"}]
    found = here({"kind": "depends", "own": own, "cell": "r1c2", **puzzle})
    assert found["result"]["rules"] == ["column", "row", "box", "mine"]
    assert here({"kind": "load", "puzzle": "example:anti-knight"})["size"] == 9
    converted = here({"kind": "convert", "to": "fpuzzles", **puzzle})["text"]
    assert converted == aspdoku.convert(PUZZLE, "fpuzzles")


@pytest.mark.slow
def test_steps_that_the_time_limit_cut_off():
    question = {"kind": "explain", "puzzle": "example:chaos-construction"}
    found = QUESTIONS["explain"](question, 4.0)
    left = aspdoku.explain(examples()["chaos-construction"], time_limit=4).data.unexplained
    assert (found["complete"], bool(left)) == (False, True)
    assert re.fullmatch(r"Cut off after 4 s: \d+ conclusions not explained\.", found["cut_off"])
    found = QUESTIONS["explain"]({"kind": "explain", "puzzle": PUZZLE}, 60.0)
    assert (found["complete"], found["cut_off"]) == (True, None)


@pytest.mark.slow
def test_a_hint_knows_entered_zeros():
    text = "numbers: 0-3\n....\n2301\n1032\n3210"
    entries = [list(row) for row in aspdoku.parse(text).grid]
    assert here({"kind": "hint", "puzzle": text, "entries": entries})["cells"] == [(1, 1)]
    entries[0][0] = 0
    assert here({"kind": "hint", "puzzle": text, "entries": entries})["cells"] == [(1, 2)]


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"puzzle": 5},
        {"puzzle": "xyz"},
        {"puzzle": "/etc/passwd"},
        {"puzzle": "example:nix"},
        {"puzzle": PUZZLE, "own": 5},
        {"puzzle": PUZZLE, "own": [{"name": "x", "text": '#include "/etc/passwd".'}]},
        {"puzzle": PUZZLE, "own": [{"name": "x", "text": "#script(python)\nimport os\n#end."}]},
        {"puzzle": PUZZLE, "own": [{"name": "x", "text": "p(@f())."}]},
        {"puzzle": PUZZLE, "givens": [[1]]},
        {"puzzle": PUZZLE, "added": ["../base"]},
        {"puzzle": "1" * 90_000},
    ],
    ids=range(12),
)
def test_invalid_states(state):
    with pytest.raises(AspdokuError) as refused:
        here({"kind": "load", **state})
    assert "root:" not in str(refused.value)


def test_a_bundled_puzzle_is_loaded_with_its_retractions():
    puzzles = {name: aspdoku.read(f"example:{name}") for name in examples()}
    found = {name: puzzle for name, puzzle in puzzles.items() if puzzle.without}
    assert len(found) > 5
    for name, puzzle in found.items():
        loaded = program_of({"puzzle": f"example:{name}"}).puzzle
        assert (loaded.without, loaded.elaborations) == (puzzle.without, puzzle.elaborations)


def test_only_questions_without_a_rule_of_a_client_take_long():
    """They are given more time."""
    own = [{"name": "mine", "text": RULE}]
    puzzle = {"puzzle": PUZZLE, "own": []}
    assert all(takes_long({"kind": kind, **puzzle}) for kind in ("explain", "hint", "why"))
    assert not any(takes_long({"kind": kind, **puzzle, "own": own}) for kind in QUESTIONS)
    assert not any(takes_long(rule(RULE, kind)) for kind in ("check", "equal", "mark", [], None))
    given = []

    def run(limits, *_, **__):
        given.append(limits)

    ask({"kind": "explain", **puzzle}, Limits(2), run=run)
    ask(rule(RULE, "equal"), Limits(2), run=run)
    assert [limits.seconds for limits in given] == [10, 2]


@pytest.mark.parametrize("path", ["./secret.lp", "{}/secret.lp"])
def test_a_puzzle_of_a_client_names_no_files(path, tmp_path, monkeypatch):
    (tmp_path / "secret.lp").write_text("% A.\n#defined ab/1.\n:- a(1,1,2), not ab(secret).\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AspdokuError, match="was not read"):
        here({"kind": "load", "puzzle": f"with: {path.format(tmp_path)}\n{PUZZLE}"})


ENDLESS = {
    "an infinite term": "p(0).\np(X+1) :- p(X).\n:- p(3), a(1,1,1).\n",
    "a deep term": f":- a(1,1,{'(' * 30_000}1{')' * 30_000}).",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ENDLESS)
def test_hostile_rules_are_stopped(name):
    began = time.monotonic()
    own = [{"name": "mine", "text": ENDLESS[name]}]
    questions = [
        {"kind": "hint", "puzzle": "." * 81, "own": own},
        rule(ENDLESS[name], "equal", reference="anti-knight"),
    ]
    for question in questions:
        answer = answer_or_error(question, SOON)
        assert "failed" not in answer.get("error", "")
        assert answer.get("relation") != "same"
    assert time.monotonic() - began < 40


def test_a_call_is_cancelled():
    began = time.monotonic()
    found = run_limited(Limits(100), time.sleep, 100, is_cancelled=lambda: True)
    assert found == Aborted("cancelled", "cancelled")
    assert time.monotonic() - began < 50
    assert run_limited(LIMITS, int, "42", is_cancelled=lambda: False) == 42


@pytest.mark.parametrize(
    "change",
    [{"name": "../x"}, {"name": 5}, {"text": "%" * 100_001}],
    ids=["a path", "a number", "a long text"],
)
def test_invalid_rules(change):
    with pytest.raises(AspdokuError, match=r"invalid|too long"):
        here(rule(RULE) | change)
