"""A class: hand-ins in groups, what the wall shows, hints, files, and the game."""

import json
import re
import subprocess
import sys
import threading
import time
from itertools import combinations, product
from random import Random

import pytest

pytest.importorskip("flask")
pytest.importorskip("waitress")

from rule_semantics import RULE_SEMANTICS
from serving import ask, needs_flask, request, served
from werkzeug.exceptions import ServiceUnavailable

from aspdoku.errors import AspdokuError
from aspdoku.lecture import equivalence, grading
from aspdoku.lecture.grading import Exercise
from aspdoku.program import RuleFile, library
from aspdoku.program.lint import check
from aspdoku.puzzle import Puzzle
from aspdoku.runtime.child import Aborted, Limits
from aspdoku.web.classroom import LECTURER, STUDENT, Classroom, Task, joining
from aspdoku.web.guessing import titles_of_hidden
from aspdoku.web.server import Queue, RateLimit, Site, application

RIGHT = ":- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| == 3.\n"
RIGHT_TOO = (
    "% By Anna.\n#defined ab/1.\n:- a(X1,Y1,Z), a(X,Y,Z),\n   3 = |Y-Y1| + |X1-X|, not ab(anna).\n"
)
RIGHT_OTHERWISE = ":- a(R,C,N), a(R1,C1,N), |R1-R| * |C1-C| == 2.\n"
LAX = ":- a(R,C,N), a(R+1,C+2,N).\n"
LAX_TOO = ":- a(R,C,N), a(R1,C1,N), R1 = R+1, C1 = C+2.\n"
STRICT = ":- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| <= 3, R1 != R.\n"
BROKEN = ":- a(R,C,N), a(R+1,C+2,N)\n"
KINDS = {RIGHT: "right", LAX: "too lax", STRICT: "too strict", BROKEN: "error"}
HINTS = """% A rule.
% hint: Name two cells
%   that hold the same N.
% hint: A knight goes two one way and one the other.
#defined ab/1.
:- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| == 3, not ab(reference).  % hint: none
"""
PORT, CODE, TOKEN = 8123, "code", "lecturers-token"
HOST = f"127.0.0.1:{PORT}"


def here(function, *arguments, **_):
    """Calls a function in this process."""
    return function(*arguments)


def task(reference=None, title="Exercise"):
    reference = reference or library.find("anti-knight")
    return Task(title, "Write it.", Exercise(reference, "the rule", (Puzzle.blank(4),)))


def of_class(folder=None, tasks=None, **more):
    return Classroom(tasks or [task()], folder, **more)


def hand_in(room, client, text, exercise=0, name="anna"):
    question = {"exercise": exercise, "client": client, "name": name, "text": text}
    return STUDENT["mark"](room, question, here, "")


def join(room, client="one", address=""):
    return STUDENT["join"](room, {"client": client}, here, address)


def of_lecturer(room, kind, **question):
    return LECTURER[kind](room, question, here)


@pytest.fixture
def searches(monkeypatch):
    """The rules for which a grid is searched for."""
    found = []
    search = equivalence.compare_rules

    def compare_rules(rule, *arguments, **more):
        found.append(rule.text)
        return search(rule, *arguments, **more)

    monkeypatch.setattr(equivalence, "compare_rules", compare_rules)
    return found


def violates(name, digits, size=4):
    """Whether a grid violates a bundled rule, by its meaning in plain Python."""
    rows = tuple(tuple(map(int, digits[start : start + size])) for start in range(0, size**2, size))
    if name != "anti-knight":
        return not RULE_SEMANTICS[name].holds(rows, {})
    cells = list(product(range(size), repeat=2))
    return any(
        rows[r][c] == rows[r1][c1] and abs(r - r1) * abs(c - c1) == 2
        for (r, c), (r1, c1) in combinations(cells, 2)
    )


def test_groups_by_counterexample():
    room = of_class()
    for number, text in enumerate(
        [RIGHT, LAX, STRICT, BROKEN, LAX_TOO, RIGHT_TOO, RIGHT_OTHERWISE]
    ):
        answer = hand_in(room, f"c{number}", text)
        assert answer["kind"] == KINDS.get(text, answer["kind"])
    wall = of_lecturer(room, "wall")
    assert wall["bars"] == {"right": 3, "too lax": 2, "too strict": 1, "error": 1}
    assert (wall["joined"], wall["handed"]) == (7, 7)
    groups = {group["kind"]: group for group in wall["groups"]}
    assert [group["kind"] for group in wall["groups"]] == [
        *("right", "too lax", "too strict", "error")
    ]
    assert [group["count"] for group in wall["groups"]] == [3, 2, 1, 1]
    assert violates("anti-knight", groups["too lax"]["grid"])
    assert not violates("anti-knight", groups["too strict"]["grid"])
    for kind in ("too lax", "too strict"):
        [[one, two]] = groups[kind]["pairs"]
        digits, size = groups[kind]["grid"], groups[kind]["size"]
        numbers = {digits[size * (row - 1) + column - 1] for row, column in (one, two)}
        knight = {abs(one[0] - two[0]), abs(one[1] - two[1])} == {1, 2}
        assert (len(numbers), knight) == (1, kind == "too lax")
    assert [each["count"] for each in groups["right"]["wordings"]] == [2, 1]
    [error] = groups["error"]["errors"]
    assert (error["count"], "full stop" in error["text"]) == (1, True)
    assert error["example"].strip() == BROKEN.strip()


@pytest.mark.slow
def test_right_rules_are_shown_with_a_grid_that_they_forbid():
    room = Classroom.of(["anti-knight", "thermo"])
    hand_in(room, "one", RIGHT)
    hand_in(room, "one", library.find("thermo").text, exercise=1)
    [group] = of_lecturer(room, "wall")["groups"]
    assert violates("anti-knight", group["grid"])
    [[one, two]] = group["pairs"]
    cells = f"r{one[0]}c{one[1]} and r{two[0]}c{two[1]}"
    assert group["words"].endswith(f" It forbids this one, for example: {cells}.")
    of_lecturer(room, "exercise", index=1)
    [group] = of_lecturer(room, "wall")["groups"]
    assert group["facts"]
    assert group["drawing"].startswith("<svg")


def test_the_example_of_a_group_is_the_most_frequent_rule():
    room = of_class()
    for client, text in enumerate([LAX, f"% Lax.\n{LAX}", LAX_TOO]):
        hand_in(room, str(client), text)
    [group] = of_lecturer(room, "wall")["groups"]
    assert group["example"].strip() == LAX.strip()


def test_no_name_is_on_the_wall():
    room = of_class()
    hand_in(room, "c1", RIGHT_TOO)
    hand_in(room, "c2", LAX.replace(".", ", not ab(anna). % anna"))
    wall = json.dumps(of_lecturer(room, "wall"))
    assert "anna" not in wall.lower()
    assert "c1" not in {each["example"] for each in of_lecturer(room, "wall")["groups"]}


def test_a_known_counterexample_needs_no_search(searches):
    room = of_class()
    hand_in(room, "one", LAX)
    hand_in(room, "two", STRICT)
    assert {*searches} == {LAX, STRICT}
    for client, text, kind in (
        ("three", LAX_TOO, "too lax"),
        ("four", STRICT + "\n", "too strict"),
    ):
        assert hand_in(room, client, text)["kind"] == kind
    assert {*searches} == {LAX, STRICT}
    hand_in(room, "five", RIGHT)
    assert {*searches} == {LAX, STRICT, RIGHT}


@pytest.mark.slow
@pytest.mark.parametrize("text", [LAX_TOO, STRICT, RIGHT_OTHERWISE, BROKEN, ":- a(1,1,1).\n"])
def test_a_verdict_by_known_grids_is_true(text):
    """That of a search, except that a rule may also be wrong in the other direction."""
    room = of_class()
    for client, known in enumerate((LAX, STRICT)):
        hand_in(room, str(client), known)
    alone = hand_in(of_class(), "c", text)["verdict"]
    among = hand_in(room, "c", text)["verdict"]
    assert among == alone or (alone == "wrong" and among in ("too lax", "too strict"))


def test_a_grid_that_was_found_meanwhile_is_the_group():
    """Two students make the same mistake at the same time."""
    room = of_class()

    def slow(function, *arguments):
        found = function(*arguments)
        if not room._states[0].latest:
            hand_in(room, "two", LAX_TOO)
        return found

    question = {"exercise": 0, "client": "one", "name": "mine", "text": LAX}
    STUDENT["mark"](room, question, slow, "")
    assert [group["count"] for group in of_lecturer(room, "wall")["groups"]] == [2]


@pytest.mark.slow
def test_the_latest_of_each_client_counts():
    room = of_class()
    for text in (LAX, STRICT, RIGHT):
        hand_in(room, "one", text)
    hand_in(room, "two", LAX)
    wall = of_lecturer(room, "wall")
    assert (wall["handed"], wall["bars"]["right"], wall["bars"]["too lax"]) == (2, 1, 1)
    assert [group["kind"] for group in wall["groups"]] == ["right", "too lax"]


@pytest.mark.parametrize("limit", ["processor", "memory", "crashed"])
def test_a_hand_in_that_was_stopped_counts(limit):
    room = of_class()
    question = {"exercise": 0, "client": "one", "name": "mine", "text": LAX}
    stopped = STUDENT["mark"](room, question, lambda *_: Aborted(limit, "secret text"), "")
    assert stopped["verdict"] == ("crashed" if limit == "crashed" else "gave up")
    assert ("secret" in json.dumps(stopped)) == (limit != "crashed")
    assert of_lecturer(room, "wall")["bars"]["error"] == 1


def test_an_error_in_a_child_does_not_quote_the_reference():
    room = of_class()

    def fail(*_):
        raise AspdokuError("secret")

    question = {"exercise": 0, "client": "one", "name": "mine", "text": LAX}
    assert "secret" not in json.dumps(STUDENT["mark"](room, question, fail, ""))


def test_versions():
    room = of_class()
    seen = of_lecturer(room, "wall")["version"]
    changes = [
        lambda: join(room),
        lambda: hand_in(room, "one", LAX),
        lambda: of_lecturer(room, "time", minutes=5),
        lambda: of_lecturer(room, "exercise", index=0),
    ]
    for change in changes:
        assert of_lecturer(room, "wall", since=seen) == {"version": seen}
        change()
        wall = of_lecturer(room, "wall", since=seen)
        assert "groups" in wall
        assert wall["version"] != seen
        seen = wall["version"]
    join(room)  # again
    assert of_lecturer(room, "wall", since=seen) == {"version": seen}


def test_exercises_follow_one_another():
    room = of_class(tasks=[task(title="One"), task(library.find("anti-king"), "Two")])
    assert [each["title"] for each in join(room)["exercises"]] == ["One", "Two"]
    hand_in(room, "one", RIGHT)
    assert hand_in(room, "one", RIGHT, exercise=1)["verdict"] != "right"
    assert of_lecturer(room, "wall")["bars"]["right"] == 1
    of_lecturer(room, "exercise", index=1)
    wall = of_lecturer(room, "wall")
    assert (wall["exercise"]["index"], wall["exercise"]["number_of"]) == (1, 2)
    assert (join(room)["current"], wall["handed"], wall["bars"]["right"]) == (1, 1, 0)
    for index in (2, -1, None, True, "1"):
        with pytest.raises(AspdokuError, match="unknown exercise"):
            of_lecturer(room, "exercise", index=index)
        with pytest.raises(AspdokuError, match="unknown exercise"):
            hand_in(room, "one", RIGHT, exercise=index)


def test_the_clock():
    now = [100.0]
    room = of_class(clock=lambda: now[0])
    assert of_lecturer(room, "wall")["seconds_left"] is None
    of_lecturer(room, "time", minutes=2)
    now[0] += 30
    assert (of_lecturer(room, "wall")["seconds_left"], join(room)["seconds_left"]) == (90, 90)
    now[0] += 1000
    assert of_lecturer(room, "wall")["seconds_left"] == 0
    of_lecturer(room, "time", minutes=None)
    assert of_lecturer(room, "wall")["seconds_left"] is None
    for minutes in (0, -1, 1e9, "5", True, float("nan")):
        with pytest.raises(AspdokuError, match="invalid time"):
            of_lecturer(room, "time", minutes=minutes)


def test_hints_are_shown_one_by_one():
    room = of_class(tasks=[task(RuleFile.from_text("reference", HINTS))])
    assert join(room)["exercises"] == [{"title": "Exercise", "task": "Write it.", "hints": 2}]
    hints = [
        STUDENT["hint"](room, {"exercise": 0, "number": number}, here, "")["text"]
        for number in (1, 2)
    ]
    assert hints == [
        "Name two cells that hold the same N.",
        "A knight goes two one way and one the other.",
    ]
    for number in (0, 3, None, "1", True):
        with pytest.raises(AspdokuError, match="this exercise has 2 hints"):
            STUDENT["hint"](room, {"exercise": 0, "number": number}, here, "")
    marked = hand_in(room, "one", LAX)
    assert marked["hints_total"] == 2
    shown = json.dumps([marked, join(room), of_lecturer(room, "wall")])
    assert not any(hint in shown for hint in hints)


@pytest.mark.parametrize(
    ("line", "hints"),
    [
        ("% hint: Two cells.", ("Two cells.",)),
        ("% Hint: Two cells.", ()),
        ("%hint: Two cells.", ()),
        ("% hints: Two cells.", ()),
        ("% hint:", ()),
        ("% A hint: none.", None),
    ],
)
def test_what_check_says_of_hints(line, hints):
    """A comment that no student would see although its author means a hint is a warning."""
    rule = RuleFile.from_text("mine", f"{line}\n% A title.\n:- a(1,1,1).\n")
    found = [each for each in check(rule) if "hint" in each.text]
    assert rule.hints == (hints or ())
    assert [(each.line, each.column) for each in found] == (
        [] if hints or hints is None else [(1, 1)]
    )
    assert all("write '% hint: TEXT' in a line of its own" in each.text for each in found)
    assert (rule.title == "A title.") == bool(hints)


def test_a_hint_behind_code_is_none():
    rule = RuleFile.from_text("reference", HINTS)
    assert [each.line for each in check(rule) if "hint" in each.text] == [6]
    assert len(rule.hints) == 2


def test_hand_ins_are_saved(tmp_path):
    folder = tmp_path / "answers"
    folder.mkdir()
    room = of_class(folder, [task(title="One"), task(library.find("anti-king"), "Two")])
    for client, text in (("../one", None), ("two", LAX), ("one", RIGHT), ("two", BROKEN)):
        if text is None:
            with pytest.raises(AspdokuError, match="invalid client"):
                hand_in(room, client, RIGHT)
        else:
            hand_in(room, client, text, name="anna")
    hand_in(room, "one", "\ud800", exercise=1)
    names = ["exercise-1-client-01-1.lp", "exercise-1-client-01-2.lp"]
    names += ["exercise-1-client-02-1.lp", "exercise-2-client-02-1.lp"]
    assert sorted(each.name for each in folder.iterdir()) == ["assessments.txt", *names]
    assert (folder / names[0]).read_text() == f"{LAX}% verdict: too lax\n"
    assert (folder / names[1]).read_text() == f"{BROKEN}% verdict: cannot be used\n"
    assert (folder / names[2]).read_text() == f"{RIGHT}% verdict: right\n"
    assert (folder / "assessments.txt").read_text().splitlines() == [
        "One: Write it.",
        f"{names[0]}  too lax",
        f"{names[2]}  right",
        f"{names[1]}  cannot be used",
        "1 of 3 right",
        "",
        "Two: Write it.",
        f"{names[3]}  cannot be used",
        "0 of 1 right",
    ]


def test_a_folder_that_cannot_be_written(tmp_path):
    folder = tmp_path / "answers"
    folder.mkdir()
    room = of_class(folder)
    folder.rmdir()
    assert hand_in(room, "one", RIGHT)["verdict"] == "right"
    assert "was not saved" in of_lecturer(room, "wall")["problem"]


def test_a_folder_with_files_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path, tmp_path / "file", tmp_path / "no" / "folder"):
        with pytest.raises(AspdokuError, match="cannot save to"):
            Classroom.of(["anti-knight"], folder=folder)


@pytest.mark.slow
def test_tasks():
    room = Classroom.of(["anti-knight", "anti-king"], ["<Write it.>"])
    king = library.find("anti-king").title
    assert [each["task"] for each in room.exercises()] == ["<Write it.>", king]
    with pytest.raises(AspdokuError, match="2 tasks for 1 exercise"):
        Classroom.of(["anti-knight"], ["one", "two"])


@pytest.mark.parametrize("client", ["", "x" * 65, "a/b", "é", None, 1])
def test_invalid_clients(client):
    room = of_class()
    for kind in ("join", "vote", "mark"):
        question = {"client": client, "exercise": 0, "name": "mine", "text": RIGHT}
        with pytest.raises(AspdokuError, match="invalid client"):
            STUDENT[kind](room, question, here, "")
    assert of_lecturer(room, "wall")["joined"] == 0


def test_an_address_cannot_join_for_all_others():
    room = of_class()
    for number in range(100):
        join(room, f"c{number}", "192.0.2.1")
    with pytest.raises(AspdokuError, match="too many"):
        join(room, "another", "192.0.2.1")
    join(room, "c1", "192.0.2.1")
    join(room, "another", "192.0.2.2")
    assert of_lecturer(room, "wall")["joined"] == 101


# ---- Guess the rule ----


def vote(room, client, round_, allowed):
    question = {"client": client, "round": round_, "allowed": allowed}
    return STUDENT["vote"](room, question, here, "")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["anti-knight", "windoku", "nonconsecutive"])
def test_a_rule_is_guessed(name):
    """The answers are those of the rule in plain Python, and it is never refuted."""
    room = of_class()
    game = of_lecturer(room, "guess", action="start", size=6, rule=name)["guess"]
    title = library.find(name).title
    assert len(game["examples"]) == 3
    assert not any(violates(name, grid, 6) for grid in game["examples"])
    rounds = 0
    while not game["done"]:
        rounds += 1
        assert (game["round"], len(game["rules"]), title in game["rules"]) == (
            *(rounds, game["left"]),
            True,
        )
        seen = join(room)["guess"]
        assert (seen["grid"], seen["rule"], "rules" in seen) == (game["grid"], None, False)
        for client, allowed in (("one", False), ("two", False), ("one", True)):
            vote(room, client, rounds, allowed)
        assert of_lecturer(room, "wall")["guess"]["votes"] == {"yes": 1, "no": 1}
        left = game["left"]
        game = of_lecturer(room, "guess", action="next", round=rounds)["guess"]
        again = of_lecturer(room, "guess", action="next", round=rounds)["guess"]
        assert again == game
        assert game["left"] < left
        last = game["answers"][-1]
        assert last["allowed"] != violates(name, last["grid"], 6)
        assert (last["yes"], last["no"], game["votes"]) == (1, 1, {"yes": 0, "no": 0})
        with pytest.raises(AspdokuError, match="this round is over"):
            vote(room, "one", rounds, True)
    assert (game["rule"], title in game["rules"]) == (title, True)
    assert join(room)["guess"]["rule"] == title
    assert of_lecturer(room, "guess", action="end") == {"guess": None}
    with pytest.raises(AspdokuError, match="the game is over"):
        vote(room, "one", 1, True)


@pytest.mark.slow
def test_a_hidden_rule_at_random():
    """Also if the first one that is drawn allows no grid of this size."""
    hidden = set()
    for seed in range(4):
        room = of_class(random=Random(seed))
        of_lecturer(room, "guess", action="start", size=4)
        hidden.add(room._guess.hidden)
    assert len(hidden) > 1
    assert hidden <= {*titles_of_hidden()}


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"action": "start", "size": 5}, "invalid size"),
        ({"action": "start", "size": True}, "invalid size"),
        ({"action": "start", "size": 4, "rule": "box"}, "unknown rule"),
        ({"action": "start", "size": 4, "rule": []}, "unknown rule"),
        ({"action": "next"}, "start one"),
        ({"action": []}, "unknown action"),
    ],
)
def test_invalid_games(question, message):
    with pytest.raises(AspdokuError, match=message):
        of_lecturer(of_class(), "guess", **question)


@pytest.mark.slow
def test_a_rule_without_grids_of_the_size():
    with pytest.raises(AspdokuError, match="allows no 4x4 grid"):
        of_lecturer(of_class(), "guess", action="start", size=4, rule="anti-diagonal")


def test_the_hidden_rules_are_bundled():
    assert "anti-knight" in titles_of_hidden()
    assert {*titles_of_hidden()} <= {*library.rule_names()}
    wall = of_lecturer(of_class(), "wall")
    assert {"name": "windoku", "title": library.find("windoku").title} in wall["hidden_rules"]


# ---- The server ----


def client_of(room=None, **changes):
    site = Site(
        "student",
        CODE,
        PORT,
        Limits(20),
        **{"room": room or of_class(), "lecturer": TOKEN, "pages": {"wall": "the wall"}} | changes,
        run=lambda _, function, *arguments, **__: function(*arguments),
    )
    return application(site).test_client()


def post(browser, token, **question):
    headers = {"Host": HOST, "X-Aspdoku-Token": token}
    return browser.post("/ask", json=question, headers=headers)


def get(browser, path):
    return browser.get(path, headers={"Host": HOST})


def test_only_the_lecturer_sees_the_wall():
    browser = client_of(classroom=True)
    assert get(browser, f"/wall?token={TOKEN}").text == "the wall"
    assert get(browser, f"/?token={CODE}").text == "student"
    for path in ("/wall", f"/wall?token={CODE}", "/wall?token="):
        refused = get(browser, path)
        assert (refused.status_code, "the wall" in refused.text) == (403, False)
        assert "This page needs a token" in refused.text
    assert get(browser, f"/?token={TOKEN}").status_code == 403
    assert get(browser, f"/lesson?token={TOKEN}").status_code == 404
    for kind in LECTURER:
        refused = post(browser, CODE, kind=kind)
        assert refused.status_code == 422
        assert "use one of check, hint, join, mark, vote" in refused.json["error"]
        assert post(browser, "other", kind=kind).status_code == 403
    assert post(browser, TOKEN, kind="wall").json["joined"] == 0


def test_without_a_lecturer_no_token_is_one():
    browser = client_of(room=None, lecturer="", pages={"wall": "the wall"})
    assert get(browser, "/wall?token=").status_code == 403
    assert post(browser, "", kind="wall").status_code == 403


@pytest.mark.parametrize("kind", ["load", "equal", "explain", "depends", "nix", None, [], {}])
def test_a_class_answers_nothing_else_to_students(kind):
    refused = post(client_of(), CODE, kind=kind, puzzle="." * 16, name="mine", text=RIGHT)
    assert refused.status_code == 422
    assert "use one of check, hint, join, mark, vote" in refused.json["error"]


def test_a_class_on_the_server():
    browser = client_of(classroom=True)
    assert post(browser, CODE, kind="join", client="one").json["current"] == 0
    question = {"kind": "mark", "exercise": 0, "client": "one", "name": "mine"}
    assert post(browser, CODE, **question, text=LAX).json["verdict"] == "too lax"
    assert post(browser, CODE, **question, text=RIGHT).json["verdict"] == "right"
    assert post(browser, CODE, kind="check", name="mine", text=BROKEN).json["findings"]
    assert post(browser, TOKEN, kind="wall").json["bars"]["right"] == 1
    refused = post(browser, CODE, **question, text=5)
    assert (refused.status_code, refused.json["error"]) == (
        422,
        "invalid rule: expected a name and a text",
    )


def test_what_costs_nothing_is_not_counted():
    browser = client_of(classroom=True, rate=RateLimit(most=2))
    for _ in range(9):
        assert post(browser, CODE, kind="join", client="one").status_code == 200
        assert post(browser, TOKEN, kind="wall").status_code == 200
    question = {"kind": "mark", "exercise": 0, "client": "one", "name": "mine", "text": BROKEN}
    assert [post(browser, CODE, **question).status_code for _ in range(3)] == [200, 200, 429]
    assert post(browser, CODE, kind="join", client="two").status_code == 200
    assert post(browser, "guess", kind="join", client="two").status_code == 429


def test_the_lecturer_does_not_wait_behind_students():
    full = Queue(running=0, waiting=0)
    browser = client_of(classroom=True, queue=full, long_queue=full)
    question = {"kind": "mark", "exercise": 0, "client": "one", "name": "mine", "text": RIGHT}
    assert post(browser, CODE, **question).status_code == 503
    for asked in (
        {"kind": "wall"},
        {"kind": "time", "minutes": 5},
        {"kind": "exercise", "index": 0},
        {"kind": "check", "name": "mine", "text": ""},
        {"kind": "guess", "action": "end"},
    ):
        assert post(browser, TOKEN, **asked).status_code == 200
    assert post(browser, TOKEN, kind="wall").json["handed"] == 0


def test_a_hand_in_that_is_cancelled_does_not_count():
    room = of_class()
    site = Site(
        "student",
        CODE,
        PORT,
        Limits(20),
        room=room,
        run=lambda *_, **__: Aborted("cancelled", "cancelled"),
    )
    browser = application(site).test_client()
    question = {"kind": "mark", "exercise": 0, "client": "one", "name": "mine", "text": RIGHT}
    assert post(browser, CODE, **question).status_code == ServiceUnavailable.code
    assert of_lecturer(room, "wall")["handed"] == 0


@pytest.mark.slow
def test_the_process_that_forks_has_one_thread():
    """A lock that another thread holds would stay locked in its children."""
    code = "import threading, aspdoku.web.warm as _; print(threading.active_count())"
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, capture_output=True, check=True).stdout == b"1\n"


def test_how_to_join():
    found = joining(["http://192.0.2.7:8000/", "http://192.0.2.8:8000/"], "abcd")
    assert (found["address"], found["code"]) == ("192.0.2.7:8000", "abcd")
    assert found["addresses"] == ["192.0.2.7:8000", "192.0.2.8:8000"]
    if found["qr"]:
        squares = re.findall(r"M(\d+) (\d+)h1v1h-1z", found["qr"]["d"])
        assert max(max(map(int, each)) for each in squares) == found["qr"]["size"] - 1


# What thirty students hand in: five kinds.
CLASS = [RIGHT, RIGHT_OTHERWISE, LAX, STRICT, BROKEN]


@pytest.mark.slow
@needs_flask
def test_a_class_of_thirty(tmp_path):
    """All hand in at once, each from an own browser; none is lost."""
    folder = tmp_path / "answers"
    arguments = ["--class", "--exercise", "anti-knight", "--time-limit-each", 60, "-o", folder]
    with served(*arguments) as (process, port, code):
        lecturer = process.stdout.readline().split("token=")[1].split()[0]
        statuses = []

        def student(number):
            text = f"{CLASS[number % 5]}% {number}\n"
            assert request(port, "GET", f"/?token={code}")[0] == 200
            assert ask(port, code, kind="join", client=f"c{number}")[0] == 200
            question = {"kind": "mark", "exercise": 0, "client": f"c{number}", "name": "mine"}
            while (answer := ask(port, code, **question, text=text))[0] == 503:
                time.sleep(0.5)
            statuses.append(answer[0])

        threads = [threading.Thread(target=student, args=[number]) for number in range(30)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            assert ask(port, lecturer, kind="wall")[0] == 200
            time.sleep(0.5)
        assert statuses == [200] * 30
        _, wall = ask(port, lecturer, kind="wall")
        assert (wall["joined"], wall["handed"]) == (30, 30)
        assert wall["bars"] == {"right": 12, "too lax": 6, "too strict": 6, "error": 6}
        counts = [(group["kind"], group["count"]) for group in wall["groups"]]
        assert sorted(counts) == [("error", 6), ("right", 12), ("too lax", 6), ("too strict", 6)]
    files = sorted(folder.glob("*.lp"))
    assert len(files) == 30
    table = (folder / "assessments.txt").read_text()
    assert table.endswith("12 of 30 right\n")
    verdicts = dict(line.split("  ") for line in table.splitlines()[1:-1])
    for file in files:
        name, *_ = (text for text in CLASS if file.read_text().startswith(text))
        expected = grading.assess(file, Exercise.of("anti-knight", 4)).verdict
        assert verdicts[file.name] == expected, name


def test_an_example_of_the_reference_that_fails_is_shown_with_its_title(tmp_path):
    reference = tmp_path / "secret.lp"
    reference.write_text(RIGHT)
    grid = "1 . . .\n. . 1 .\n. . . .\n. . . .\n"
    reference.with_suffix(".examples").write_text(f"forbidden: two ones\n{grid}")
    room = of_class(tasks=[Task("One", "Write it.", Exercise.of(str(reference), 4))])
    answer = hand_in(room, "one", ":- a(1,1,2), a(2,3,2).\n")
    assert answer["kind"] == "too lax"
    assert (answer["grid"][0], answer["grid"][6], answer["cells"]) == ("1", "1", [(1, 1), (2, 3)])
    assert 'the example "two ones"' in str(answer["parts"])
    assert "the example" not in str(hand_in(room, "two", RIGHT)["parts"])
