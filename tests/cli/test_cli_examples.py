"""Rules judged by examples, against the rules in plain Python and all 288 sudokus of 4x4."""

import json
import re
from dataclasses import replace
from random import Random

import pytest
from cli_runner import run
from full_grids import all_sudokus_of_four
from oracle import knight_pairs
from rule_semantics import RULE_SEMANTICS

import aspdoku
from aspdoku.errors import RuleError, TimeLimitError
from aspdoku.lecture import examples
from aspdoku.lecture.readings import readings
from aspdoku.program import assemble, library
from aspdoku.program.lint import fatal_errors
from aspdoku.program.transform import negate
from aspdoku.program.variants import variants
from aspdoku.runtime.deadline import Deadline

SUDOKUS = list(all_sudokus_of_four())
FACTS = {"gt": [(1, 1, 1, 2), (3, 3, 2, 3)]}
# Rules with clues and without; all of them allow and forbid some of the grids.
RULES = ["anti-knight", "diagonal", "greater-than"]


def equal_knights(grid):
    return [
        pair
        for pair in knight_pairs(4)
        if len({grid[row - 1][column - 1] for row, column in pair}) == 1
    ]


def holds(rule, grid):
    if rule == "anti-knight":
        return not equal_knights(grid)
    if rule == "greater-than":
        return all(grid[r - 1][c - 1] > grid[y - 1][x - 1] for r, c, y, x in FACTS["gt"])
    return RULE_SEMANTICS[rule].holds(grid, FACTS)


def rows(grid):
    return "\n".join(" ".join(str(number or ".") for number in row) for row in grid)


def example(kind, grid, title="a title", header=""):
    facts = " ".join(f"gt({','.join(map(str, each))})." for each in FACTS["gt"])
    return f"{kind}: {title}\n{header}{rows(grid)}\n[facts]\n{facts}\n"


@pytest.fixture
def judged(tmp_path):
    def judge(rule, *texts):
        file = tmp_path / "some.examples"
        file.write_text("\n".join(texts), "utf-8")
        return aspdoku.judge(rule, file, time_limit=60)

    return judge


@pytest.fixture
def outcomes(tmp_path):
    """Without the search for readings."""

    def outcomes(rule, *texts):
        file = tmp_path / "other.examples"
        file.write_text("\n".join(texts), "utf-8")
        tested = library.find(rule) if isinstance(rule, str) else rule
        trials = examples.try_all(tested, examples.read_examples(file))
        return {each.outcome for each in trials}

    return outcomes


def partly(rng, grid):
    hidden = rng.sample([(r, c) for r in range(4) for c in range(4)], rng.randint(5, 13))
    return [[0 if (r, c) in hidden else grid[r][c] for c in range(4)] for r in range(4)]


def completions(rule, part):
    return [
        grid
        for grid in SUDOKUS
        if holds(rule, grid)
        and all(n in (0, m) for one, two in zip(part, grid, strict=True) for n, m in zip(one, two))  # noqa: B905
    ]


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_full_grids(rule, judged, outcomes):
    grids = Random(1).sample(SUDOKUS, 10)
    right = ["allowed" if holds(rule, grid) else "forbidden" for grid in grids]
    assert {*right} == {"allowed", "forbidden"}
    assert outcomes(rule, *map(example, right, grids)) == {"passed"}
    wrong = ["forbidden" if kind == "allowed" else "allowed" for kind in right]
    found = judged(rule, *map(example, wrong, grids))
    assert {each.outcome for each in found.trials} == {"failed"}
    assert not found.readings.considered  # the rule or the examples have to be corrected first
    for trial, kind, grid in zip(found.trials, wrong, grids, strict=True):
        assert [each.rows for each in trial.grids] == [grid]
        assert bool(trial.violations) == (kind == "allowed")


@pytest.mark.slow
def test_the_cells_of_a_violation(judged):
    grids = [grid for grid in SUDOKUS if equal_knights(grid)][:20]
    found = judged("anti-knight", *(example("allowed", grid) for grid in grids))
    for trial, grid in zip(found.trials, grids, strict=True):
        one, two = sorted(trial.cells)
        assert (one, two) in equal_knights(grid)
        assert f"(r{one[0]}c{one[1]}, r{two[0]}c{two[1]})" in trial.reason


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_partly_filled_grids(rule, judged, outcomes):
    rng = Random(3)
    parts = [partly(rng, grid) for grid in rng.sample(SUDOKUS, 12)]
    kinds = ["allowed" if completions(rule, part) else "forbidden" for part in parts]
    assert {*kinds} == {"allowed", "forbidden"}
    assert outcomes(rule, *map(example, kinds, parts)) == {"passed"}
    wrong = ["forbidden" if kind == "allowed" else "allowed" for kind in kinds]
    for trial, part in zip(judged(rule, *map(example, wrong, parts)).trials, parts, strict=True):
        assert trial.outcome == "failed"
        if trial.example.kind == "forbidden":
            assert trial.grids[0].rows in completions(rule, part)
        else:
            assert "cannot hold" in trial.why or "the rules forbid it" in trial.why


def test_puzzles(judged):
    rng, rule = Random(4), "anti-knight"
    parts = [partly(rng, grid) for grid in rng.sample([g for g in SUDOKUS if holds(rule, g)], 24)]
    numbers = [len(completions(rule, part)) for part in parts]
    assert 1 in numbers
    assert max(numbers) > 1
    trials = judged(rule, *(example("puzzle", part) for part in parts)).trials
    for trial, number in zip(trials, numbers, strict=True):
        assert (trial.outcome == "passed") == (number == 1)
        assert len(trial.grids) == (2 if number > 1 else 0)
        assert bool(trial.cells) == (number > 1)


@pytest.mark.slow
def test_stated_solutions(judged):
    rule, right = "anti-knight", [grid for grid in SUDOKUS if holds("anti-knight", grid)]
    blank = [[*right[0][0]], [*right[0][1]], [0] * 4, [0] * 4]
    part = next(p for p in ([*right[0][:3], (0,) * 4], blank) if len(completions(rule, p)) == 1)
    stated = f"solution: {''.join(str(n) for row in right[0] for n in row)}\n"
    other = next(g for g in SUDOKUS if g[:2] == right[0][:2] and g != right[0])
    assert judged(rule, example("puzzle", part, header=stated))
    wrong = f"solution: {''.join(str(n) for row in other for n in row)}\n"
    (trial,) = judged(rule, example("puzzle", blank, header=wrong)).trials
    assert trial.outcome == "failed"
    assert [each.rows for each in trial.grids] == [other, right[0]]
    one, two = sorted(trial.cells)
    assert (one, two) in equal_knights(other)
    assert f"forbids the stated solution (r{one[0]}c{one[1]}, r{two[0]}c{two[1]})" in trial.reason


def test_a_stated_solution_with_empty_cells(judged):
    """Its grids are sudokus, not a mixture of two."""
    text = "puzzle: x\nsolution: 1234............\n1 2 . .\n" + ". . . .\n" * 3
    (trial,) = judged(aspdoku.RuleFile.from_text("mine", f"{RIGHT}:- a(1,3,3).\n"), text).trials
    assert "mine.lp forbids all grids with the numbers of the stated solution" in trial.reason
    assert trial.grids
    assert {each.rows for each in trial.grids} <= {*SUDOKUS}


@pytest.mark.slow
def test_an_example_that_says_nothing_of_the_rule_fails(judged):
    twice = [[1, 1, 0, 0], *[[0] * 4] * 3]
    for kind in ("forbidden", "allowed", "puzzle"):
        (trial,) = judged("anti-knight", example(kind, twice)).trials
        assert (trial.outcome, "also forbidden without" in trial.reason) == ("failed", True)


# Files that students write for "no two equal numbers are a knight's move apart".
WRONG = {
    "down": ":- a(R,C,N), a(R+2,C+1,N).\n",
    "right": ":- a(R,C,N), a(R+1,C+2,N).\n",
    "ones": ":- a(R,C,1), a(R1,C1,1), |R-R1| * |C-C1| = 2.\n",
}
RIGHT = ":- a(R,C,N), a(R1,C1,N), |R-R1| * |C-C1| = 2.\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_answered_questions_reveal_a_mistake(name, judged, outcomes):
    """Who answers as the rule is meant gets an example that fails, in few steps."""
    rule, meant = aspdoku.RuleFile.from_text("mine", WRONG[name]), "anti-knight"
    allowed = (example("allowed", grid) for grid in SUDOKUS if holds(meant, grid))
    shown = [next(each for each in allowed if outcomes(rule, each) == {"passed"})]
    for number in range(6):
        found = judged(rule, *shown)
        if not found:
            assert number  # the first example passes
            return
        assert found.readings.questions
        for question in found.readings.questions:
            grid = question.example.puzzle.grid
            kind = "allowed" if holds(meant, grid) else "forbidden"
            shown.append(example(kind, grid))
    pytest.fail("no example fails")


@pytest.mark.slow
def test_questions_separate_the_readings(judged):
    """By the plain Python of those that have one; the rule itself is right on its questions."""
    grids = [next(g for g in SUDOKUS if holds("anti-knight", g) == kind) for kind in (True, False)]
    shown = [example("allowed", grids[0]), example("forbidden", grids[1])]
    rule = aspdoku.RuleFile.from_text("mine", RIGHT)
    found = judged(rule, *shown)
    known = [name for name in found.readings.open if name in RULE_SEMANTICS]
    assert known
    assert all(holds(name, grids[0]) and not holds(name, grids[1]) for name in known)
    assert [each.example.kind for each in found.readings.questions] == ["allowed", "forbidden"]
    for question in found.readings.questions:
        kind, grid = question.example.kind, question.example.puzzle.grid
        assert grid in SUDOKUS
        assert holds("anti-knight", grid) == (kind == "allowed")
        assert question.others
        for name in known:
            assert (name in question.others) == (holds(name, grid) != (kind == "allowed"))
    more = [
        f"{q.example.kind}: q\n{rows(q.example.puzzle.grid)}\n" for q in found.readings.questions
    ]
    again = judged(rule, *shown, *more)
    left = {*found.readings.open}.difference(*(q.others for q in found.readings.questions))
    assert {*again.readings.open} == left


@pytest.mark.slow
def test_what_is_printed_can_be_added_to_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "signs.lp").write_text(
        "#defined gt/4.  % gt(R,C,R1,C1): the number in (R,C) is greater\n"
        ":- gt(R,C,R1,C1), a(R,C,N), a(R1,C1,M), N < M.\n"
    )
    file = tmp_path / "signs.examples"
    file.write_text("forbidden: too small\n1 . . .\n" + ". . . .\n" * 3 + "[facts]\ngt(1,1,1,2).\n")
    first = run("test", "./signs.lp")
    assert first.exit_code == 0
    printed = first.stdout.split("\n\n")
    starts = [at for at, part in enumerate(printed) if part.startswith(("allowed:", "forbidden:"))]
    assert starts
    asks = "Is that right?"
    first_question = next(at for at, part in enumerate(printed) if asks in part)
    text = "\n\n".join(part for part in printed[first_question:] if asks not in part)
    with file.open("a") as more:
        more.write(f"\n{text}")
    second = run("test", "./signs.lp")
    assert second.exit_code == 0, second.stdout
    assert len(starts) + 1 == second.stdout.count(": passed: ")


def test_the_readings_of_a_rule_with_inputs_have_the_same_inputs():
    names = {each.words for each in readings(aspdoku.RuleFile.from_text("mine", GREATER))}
    assert "greater-than" in names
    assert "anti-knight" not in names


GREATER = (
    "#defined gt/4.  % gt(R,C,R1,C1): greater\n:- gt(R,C,R1,C1), a(R,C,N), a(R1,C1,M), N <= M.\n"
)


def test_a_rule_that_chooses_has_no_readings(judged):
    text = "{ mine_bad(R,C) } :- cell(R,C).\n:- mine_bad(R,C), a(R,C,1).\n:- a(1,1,1).\n"
    rule = aspdoku.RuleFile.from_text("mine", text)
    found = judged(rule, "allowed: two\n2... .... .... ....\n")
    assert found
    assert "choice" in found.readings.problem


def test_readings_that_were_not_tried_are_not_said_to_agree(tmp_path, monkeypatch):
    monkeypatch.setattr("aspdoku.lecture.readings.Deadline", lambda _: Deadline(0))
    rule, file = tmp_path / "mine.lp", tmp_path / "mine.examples"
    rule.write_text(RIGHT)
    file.write_text("allowed: two\n2... .... .... ....\n")
    done = run("test", rule)
    assert done.exit_code == 0
    assert "agree with all" not in done.stdout
    assert "time limit reached while trying readings, of which there are " in done.stdout


def test_variants():
    text = (
        "% A title.\n"
        "mine_near(R,C,R+1,C) :- cell(R,C), cell(R+1,C).\n"
        "%@ a message\n"
        ":- mine_near(R,C,Y,X), a(R,C,N), a(Y,X,M), |N-M| < 2, not ab(mine).\n"
    )
    rule = aspdoku.RuleFile.from_text("mine", text)
    found = {each.words: each.rule for each in variants(rule)}
    assert {*found} >= {
        "line 4 left out",
        "line 2 with cell(R+2,C)",
        "line 2 without cell(R+1,C)",
        "line 4 without |N-M| < 2",
        "line 4 with |N-M| <= 2",
        "line 4 with |N-M| < 1",
        "line 4 with |N-M| < 3",
    }
    # Without these, the variable N or M is not bound.
    assert not {*found} & {"line 4 without a(R,C,N)", "line 4 without a(Y,X,M)"}
    assert not any("ab(mine)" in words for words in found)
    for variant in found.values():
        assert not fatal_errors(variant)
        before, after = (each.text.split("\n") for each in (rule, variant))
        assert sum(one != two for one, two in zip(before, after, strict=False)) == 1


AGGREGATES = {
    "S < #sum { N,C : a(1,C,N) }": ("S <= #sum { N,C : a(1,C,N) }",),
    "(S+1) = #sum { N,C : a(1,C,N) }": (
        "(S+1) <= #sum { N,C : a(1,C,N) }",
        "(S+1) >= #sum { N,C : a(1,C,N) }",
    ),
    "#sum { N,C : a(1,C,N), N > C } != S": (
        "#sum { N,C : a(1,C,N), N > C } < S",
        "#sum { N,C : a(1,C,N), N > C } > S",
        "#sum { N,C : a(1,C,N), N >= C } != S",
    ),
    "{ a(1,C,3) } = (S+1)": ("{ a(1,C,3) } <= (S+1)", "{ a(1,C,3) } >= (S+1)"),
    "1 < #count { C : a(1,C,3) } <= S": (
        "1 <= #count { C : a(1,C,3) } <= S",
        "1 < #count { C : a(1,C,3) } < S",
    ),
    "2 { a(1,C,3) } 3": (),
}


@pytest.mark.parametrize("condition", AGGREGATES)
def test_variants_of_an_aggregate(condition):
    rule = aspdoku.RuleFile.from_text("mine", f"#defined s/1.\n:- s(S), 7 < S, {condition}.\n")
    found = {each.words for each in variants(rule)}
    expected = {f"line 2 with {each}" for each in AGGREGATES[condition]}
    same = (
        each
        for each in found
        if each.startswith("line 2 with ")
        and re.findall("[0-9]", each[12:]) == re.findall("[0-9]", condition)
    )
    assert {*same} == expected


def test_a_variant_of_a_text_with_letters_of_several_bytes():
    rule = aspdoku.RuleFile.from_text("mine", ':- a(R,C,N), "ä" != "€", N > 3. % ü\n')
    assert ':- a(R,C,N), "ä" != "€", N >= 3. % ü' in [
        each.rule.text.strip() for each in variants(rule)
    ]


@pytest.mark.slow_cases("killer")
@pytest.mark.parametrize("name", ["anti-king", "thermo", "killer", "whispers"])
def test_variants_of_bundled_rules_can_be_negated_and_grounded(name):
    found = [negate(each.rule, "other") for each in variants(library.find(name))]
    assert found
    for each in found:
        rules = [library.base(), *library.defaults(), each]
        aspdoku.Solver(assemble(aspdoku.Puzzle.blank(4), rules)).ground()


BAD = {
    "nothing": ("", 0, "no example in it"),
    "only comments": ("# allowed: x\n", 0, "no example in it"),
    "before": ("\n1 . . .\nallowed: x\n....\n", 2, "is in no example"),
    "no grid": ("# a comment\nallowed: x\n\nforbidden: y\n....\n", 2, "needs a grid"),
    "a row": ("allowed: x\n....\n....\n...\n....\n", 4, "row 3"),
    "a header": ("allowed: x\nwiht: killer\n....\n....\n....\n....\n", 2, "with"),
    "a rule": ("allowed: x\n\nwith: kiler\n....\n....\n....\n....\n", 1, "killer"),
    "unsupported": ("allowed: x\nunsupported: fog\n....\n....\n....\n....\n", 1, "fog"),
    "a solution": (
        "allowed: x\nsolution: 1234341221434321\n....\n....\n....\n....\n",
        1,
        "only a puzzle has a solution",
    ),
    "another solution": (
        "puzzle: x\nsolution: 1234341221434321\n.3..\n..1.\n....\n....\n",
        1,
        "differ in r1c2",
    ),
    "a kind": (
        "allowed: x\n....\n....\n....\n....\n\nallwoed: y\n....\n....\n....\n....\n",
        7,
        "Did you mean 'allowed'?",
    ),
    "a fact": ("allowed: x\n....\n....\n....\n....\n[facts]\n\ngt(1,\n", 8, ""),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name, tmp_path):
    text, line, words = BAD[name]
    file = tmp_path / "some.examples"
    file.write_text(text)
    done = run("test", "greater-than", file)
    assert (done.exit_code, done.stdout) == (65, "")
    assert f"{file}:{line}:" in done.stderr or not line
    assert words in done.stderr


def test_a_rule_without_examples_next_to_it(tmp_path):
    rule = tmp_path / "mine.lp"
    rule.write_text(RIGHT)
    done = run("test", rule)
    assert done.exit_code == 65
    said = "there is no file of examples next to the rule: write one, with a line such as allowed: "
    assert f"{tmp_path / 'mine.examples'}: {said}" in done.stderr


@pytest.mark.slow
def test_check_reports_the_examples_that_fail(tmp_path):
    rule, file = tmp_path / "mine.lp", tmp_path / "mine.examples"
    rule.write_text(RIGHT)
    grids = [next(g for g in SUDOKUS if holds("anti-knight", g) == kind) for kind in (True, False)]
    file.write_text(f"allowed: x\n{rows(grids[0])}\nforbidden: y\n{rows(grids[1])}\n")
    assert run("check", rule).exit_code == 0
    file.write_text(f"allowed: x\n{rows(grids[0])}\n\nallowed: y\n{rows(grids[1])}\n")
    done = run("check", rule)
    assert done.exit_code == 1
    assert done.stdout.startswith(f"{file}:7:1: ")
    assert "7 | allowed: y" in done.stdout
    file.write_text("\nallowed: x\n")
    assert f"{file}:2:1: an example needs a grid" in run("check", rule).stdout
    (report,) = json.loads(run("check", rule, "--format", "json").stdout)["files"]
    (finding,) = report["findings"]
    assert (finding["file"], finding["line"]) == (str(file), 2)


UNREADABLE = {
    "not UTF-8": lambda file: file.write_bytes(b"allowed: \xff\n"),
    "too large": lambda file: file.write_bytes(b"#" * 1_000_001),
    "not a regular file": lambda file: file.symlink_to("/dev/zero"),
    "Is a directory": lambda file: file.mkdir(),
    "No such file": lambda file: file.symlink_to("nowhere"),
}


@pytest.mark.parametrize("words", UNREADABLE)
def test_a_file_that_test_refuses_is_an_error_of_check(words, tmp_path):
    rule, file = tmp_path / "mine.lp", tmp_path / "mine.examples"
    rule.write_text(RIGHT)
    UNREADABLE[words](file)
    for command in ("test", "check"):
        done = run(command, rule)
        assert done.exit_code == (1 if command == "check" else 65)
        assert f"{file}:" in done.output
        assert words in done.output


PIGEONS = (
    "mine_hole(1..13) :- n = 6.  { mine_in(P,H) : mine_hole(H) } = 1 :- P = 1..14, n = 6.\n"
    ":- mine_in(P,H), mine_in(Q,H), P < Q.\n:- a(1,1,1).\n"
)


@pytest.mark.slow
def test_a_hard_example_does_not_delay_the_others(tmp_path):
    """14 pigeons in 13 holes, only in grids of 6x6."""
    rule, file = tmp_path / "mine.lp", tmp_path / "mine.examples"
    rule.write_text(PIGEONS)
    hard = "forbidden: hard\nbox: 2x3\n" + ". . . . . .\n" * 6
    file.write_text(f"{hard}\nallowed: easy\n1... .... .... ....\n")
    done = run("test", rule, "--time-limit", "6")
    assert f"{file}:1: undecided" in done.stdout
    assert f"{file}:10: failed" in done.stdout
    assert done.exit_code == 1


def test_an_example_may_name_the_rule_itself(tmp_path):
    rule = tmp_path / "mine.lp"
    rule.write_text(RIGHT)
    (tmp_path / "mine.examples").write_text(
        "forbidden: x\nwith: ./mine.lp\n1 . . .\n. . 1 .\n. . . .\n. . . .\n"
    )
    done = run("test", rule)
    assert (done.exit_code, ": passed: " in done.stdout) == (0, True), done.stdout
    assert "allows it" not in done.stderr


@pytest.mark.slow
def test_check_warns_of_an_example_that_takes_long(tmp_path):
    rule = tmp_path / "mine.lp"
    # 14 pigeons in 13 holes.
    rule.write_text(
        "mine_hole(1..13).  { mine_in(P,H) : mine_hole(H) } = 1 :- P = 1..14.\n"
        ":- mine_in(P,H), mine_in(Q,H), P < Q.\n:- a(1,1,1), mine_hole(14).\n"
    )
    (tmp_path / "mine.examples").write_text("forbidden: x\n1... .... .... ....\n")
    done = run("check", rule, "--time-limit-each", "4")
    assert "mine.examples:1:1: warning: it was not decided in time" in done.stdout


def test_junit_and_page(tmp_path):
    from xml.etree import ElementTree

    rule, file = tmp_path / "mine.lp", tmp_path / "mine.examples"
    rule.write_text(RIGHT)
    grids = [next(g for g in SUDOKUS if holds("anti-knight", g) == kind) for kind in (True, False)]
    file.write_text(f"allowed: <x>\n{rows(grids[0])}\n\nallowed: y\n{rows(grids[1])}\n")
    done = run("test", rule, "--format", "junit")
    assert done.exit_code == 1
    (suite,) = ElementTree.fromstring(done.stdout)
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    assert [case.get("name") for case in suite] == ["allowed: <x>", "allowed: y"]
    assert [case[0].tag for case in suite] == ["system-out", "failure"]
    page = run("test", rule, "--format", "html").stdout
    assert page.count("<svg") == 1
    assert "&lt;x&gt;" in page


@pytest.mark.parametrize("kind", ["forbidden", "allowed"])
def test_the_reason_of_an_example_that_the_game_forbids(kind, judged):
    (trial,) = judged("anti-knight", f"{kind}: x\n11..\n....\n....\n....\n").trials
    assert "also forbidden without" in trial.reason
    assert "row 1 has at most one 1" in trial.why


def test_a_rule_that_chooses_has_no_cells_in_parentheses(judged):
    text = "{ mine_bad(1,1) }.\n:- mine_bad(R,C).\n:- not mine_bad(1,1), a(1,1,2).\n"
    rule = aspdoku.RuleFile.from_text("mine", text)
    (trial,) = judged(rule, example("allowed", next(g for g in SUDOKUS if g[0][0] == 2))).trials
    assert trial.reason == "mine.lp forbids this grid"


@pytest.mark.slow
def test_what_is_said_of_readings(judged):
    found = judged(aspdoku.RuleFile.from_text("mine", RIGHT), "allowed: x\n2... .... .... ....\n")
    allowed, forbidden = found.readings.questions

    def said(**changes):
        return str(replace(found, readings=found.readings._replace(**changes)))

    no_grid = "No grid that mine.lp"
    assert no_grid not in str(found)
    assert f"{no_grid} forbids is allowed by one of them." in said(questions=(allowed,))
    assert f"{no_grid} allows is forbidden by one of them." in said(questions=(forbidden,))
    assert no_grid not in said(questions=(forbidden,), problem="time limit reached")
    assert "of the examples tells one of them from mine.lp" in said(questions=())
    none = "None of the 7 likely readings that were tried agrees with all examples"
    gone = {"considered": 7, "open": (), "questions": ()}
    assert f"{none}: they tell mine.lp from each" in said(**gone)
    assert said(**gone, undecided=("x",)).endswith(f"{none} (1 undecided)")
    many = tuple(f"reading {number}" for number in range(11))
    assert "  reading 7\n  and 3 more" in said(open=many)


@pytest.mark.slow
def test_questions_with_invented_clues_are_about_the_same_game(judged):
    rule = aspdoku.RuleFile.from_text("mine", GREATER)
    found = judged(rule, "allowed: x\nwithout: box\n1... .... .... ....\n")
    assert len(found.readings.questions) == 2
    for question in found.readings.questions:
        puzzle = question.example.puzzle
        assert puzzle.facts
        assert puzzle.without == ("box",)
        grid = puzzle.grid
        told = [
            grid[r - 1][c - 1] > grid[y - 1][x - 1]
            for r, c, y, x in (f.arguments for f in puzzle.facts)
        ]
        assert all(told) == (question.example.kind == "allowed")


@pytest.mark.slow
@pytest.mark.parametrize("raised", [TimeLimitError, RuleError])
def test_a_reading_that_is_not_decided_on_a_question(raised, judged, monkeypatch):
    """It stays open, and is not said to differ there."""
    name, solutions = "line 1 left out", examples.solutions
    rule = aspdoku.RuleFile.from_text("mine", RIGHT)
    text = next(each.rule.text for each in variants(rule) if each.words == name)

    def hard(solver, *arguments):
        sources = [each.source.text for each in solver.program.rules if each.source]
        if text in sources and len(solver.program.puzzle.givens()) == 16:
            raise raised("it is hard")
        return solutions(solver, *arguments)

    monkeypatch.setattr("aspdoku.lecture.readings.solutions", hard)
    found = judged(rule, "allowed: x\n2... .... .... ....\n").readings
    assert name in found.open
    assert not found.undecided
    assert len(found.questions) == 2
    assert not any(name in each.others for each in found.questions)


def test_titles_that_are_equal_or_have_a_number_sign(tmp_path):
    from xml.etree import ElementTree

    rule, file = tmp_path / "mine.lp", tmp_path / "mine.examples"
    rule.write_text(RIGHT)
    file.write_text("forbidden: no # 4\n1...\n..1.\n....\n....\n" * 2)
    (suite,) = ElementTree.fromstring(run("test", rule, "--format", "junit").stdout)
    names = [case.get("name") for case in suite]
    assert names == ["forbidden: no # 4 (line 1)", "forbidden: no # 4 (line 6)"]


def test_one_blank_line_before_the_summary(tmp_path):
    rule, file = tmp_path / "mine.lp", tmp_path / "mine.examples"
    rule.write_text(RIGHT)
    file.write_text("allowed: x\n1...\n..1.\n....\n....\n")
    printed = run("test", rule).stdout
    assert "\n\n0 of 1 example passed" in printed
    assert "\n\n\n" not in printed


def test_a_bundled_rule_needs_a_file():
    done = run("test", "anti-knight")
    assert done.exit_code == 65
    assert "aspdoku test anti-knight FILE.examples" in done.stderr
    with pytest.raises(aspdoku.errors.RuleError, match="the second argument"):
        aspdoku.judge("anti-knight")


def test_undecided_readings_are_no_part_of_a_question(judged, monkeypatch):
    """Neither among those that agree with the examples, nor among those that differ."""
    monkeypatch.setattr("aspdoku.lecture.readings._SECONDS_EACH", 0.0)
    found = judged(aspdoku.RuleFile.from_text("mine", RIGHT), "allowed: x\n2... .... .... ....\n")
    assert len(found.readings.undecided) == found.readings.considered
    assert not found.readings.open
    assert not found.readings.questions
    assert f"({found.readings.considered} undecided)" in str(found)
    assert "they tell" not in str(found)


def test_warnings_about_an_example_have_its_line(tmp_path):
    rule, file = tmp_path / "mine.lp", tmp_path / "mine.examples"
    rule.write_text(RIGHT)
    grid = "1...\n..1.\n....\n....\n"
    file.write_text(f"forbidden: x\n{grid}\nforbidden: y\nwith: killer\n{grid}")
    done = run("test", rule)
    assert done.exit_code == 0
    assert f"{file}:7: rule killer has no effect" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_an_example_that_fails_hides_no_other_finding(tmp_path):
    rule = tmp_path / "mine.lp"
    rule.write_text(f"% A title.\n{GREATER}")
    rule.with_suffix(".gen").write_text("#defined a/3.\n:- a(R,C,N), N = 1.\n")
    without_examples = run("check", rule)
    assert "mine.gen:" in without_examples.stdout
    rule.with_suffix(".examples").write_text("forbidden: x\n....\n....\n....\n....\n")
    assert without_examples.stdout in run("check", rule).stdout
    rule.with_suffix(".gen").unlink()
    assert "mine.examples:1:1: " in run("check", rule).stdout
