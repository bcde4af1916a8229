"""Reviews of published puzzles, and fingerprints of puzzles that only look different."""

import random
from dataclasses import replace
from itertools import islice

import oracle
import pytest
from in_one_test import in_one_test
from instance_files import AS_PRINTED, SOLVED

import aspdoku
from aspdoku.errors import TimeLimitError
from aspdoku.formats import equivalence
from aspdoku.generation import review
from aspdoku.generation.review import fingerprint
from aspdoku.program.library import bundled_inputs
from aspdoku.puzzle import Function

EXAMPLES = [f"example:{name}" for name in aspdoku.examples()]
CAGES = """title: cages
with: killer
. . . .
. . . .
. . 1 2
. 1 . .
[cage]
A A C C
. B . D
. B . D
. . . .
A = 3
B = 6
C =
D =
"""


def results(puzzle, **arguments):
    """The result of each check."""
    return {check.name: check.result for check in aspdoku.review(puzzle, **arguments).checks}


def reason(puzzle, name):
    (found,) = (check.reason for check in aspdoku.review(puzzle).checks if check.name == name)
    return found


def test_a_puzzle_that_needs_all_it_has():
    found = aspdoku.review("example:seventeen")
    assert found
    assert {check.result for check in found.checks} == {"passed"}
    assert reason("example:seventeen", "givens") == "all 17 givens are needed"
    assert str(found).endswith(f"fingerprint {found.fingerprint}\nready to publish")


@pytest.mark.slow
def test_a_published_puzzle_with_one_very_hard_step():
    found = aspdoku.review("example:escargot")
    sizes = [step.size for step in aspdoku.explain("example:escargot").steps if step.reasons]
    first, second, *_ = sorted(sizes, reverse=True)
    assert (found.data.steps.hardest, found.data.steps.second) == (first, second)
    assert first > 2 * second
    checks = {check.name: check for check in found.checks}
    assert (checks["difficulty"].result, checks["spike"].result) == ("warning", "warning")
    assert checks["difficulty"].reason.startswith("extreme; the hardest step needs ")
    assert found


@pytest.mark.slow_cases("anti-knight", "everest", "greater-than", "sixteen")
@pytest.mark.parametrize(
    "file", [file for file, _ in SOLVED if "slides" in file.parts], ids=lambda file: file.stem
)
def test_the_puzzles_of_the_slides_are_publishable(file):
    givens, rules = oracle.read(file.read_text("utf-8"))
    found = {check.name: check for check in aspdoku.review(file).checks}
    assert "failed" not in {check.result for check in found.values()}
    spare = 0
    for row, cells in enumerate(givens):
        for column, number in enumerate(cells):
            if number is not None:
                left = [list(each) for each in givens]
                left[row][column] = None
                spare += len(oracle.solutions(left, rules, limit=2)) == 1
    assert (found["givens"].result == "warning") == (spare > 0)
    if spare:
        assert found["givens"].reason.startswith(f"{spare} of ")


@pytest.mark.parametrize("file", AS_PRINTED, ids=lambda file: file.stem)
def test_misprints(file):
    assert results(file)["solution"] == "failed"
    assert reason(file, "solution") == "there is no solution"
    assert not aspdoku.review(file)


def test_several_solutions():
    assert results("1... ..3. 3... ..1.") == {"input": "passed", "solution": "failed"}
    words = reason("1... ..3. 3... ..1.", "solution")
    assert words.startswith("there are several solutions; two differ in r1c")


FOUR = "with: even\n. 4 . .\n. . . 4\n. . 2 .\n1 . . .\n[facts]\neven(2,1).\n"


def test_rules_that_are_not_needed():
    """A rule that the puzzle names has to be needed; row, column and box need not be."""
    assert results(FOUR)["rules"] == "failed"
    assert reason(FOUR, "rules").endswith("each of these rules: box, even")
    full = "1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1\n"
    assert results(full)["rules"] == "warning"


def test_what_is_not_used_or_not_supported():
    unused = FOUR.replace("with: even\n", "")
    with pytest.warns(aspdoku.AspdokuWarning):
        assert results(unused)["input"] == "warning"
    with pytest.warns(aspdoku.AspdokuWarning):
        assert results(f"unsupported: fog\n{FOUR}")["input"] == "failed"


def test_shown_atoms_that_are_not_unique():
    rule = aspdoku.RuleFile.from_text("coin", "{ heads }.\n#show heads/0.\n")
    found = aspdoku.review(".4.....4..2.1...", with_=rule)
    assert found.checks[-1].name == "solution"
    assert found.checks[-1].reason == (
        "the numbers are unique, but not what else is to be found: two solutions differ in heads"
    )


def test_what_the_time_limit_leaves_undecided(monkeypatch):
    def no_time(*_):
        raise TimeLimitError("time limit reached")

    monkeypatch.setattr(review, "Explainer", no_time)
    found = aspdoku.review(".4.....4..2.1...")
    assert found.checks[-2:] == tuple(
        (name, "undecided", "time limit reached") for name in ("difficulty", "spike")
    )
    assert (bool(found), found.data.ended) == (False, "time")
    assert str(found).endswith(
        "not decided whether the puzzle is ready: time limit reached before 2 checks ended"
        " (difficulty, spike)"
    )


def test_the_steps_before_the_time_limit(monkeypatch):
    def some(explainer):
        yield from islice(all_steps(explainer), 3)
        raise TimeLimitError("time limit reached")

    all_steps = review.Explainer.steps
    monkeypatch.setattr(review.Explainer, "steps", some)
    found = {check.name: check for check in aspdoku.review("example:escargot").checks}
    steps = all_steps(review.Explainer(aspdoku.compose("example:escargot")))
    hardest = max(step.size for step in islice(steps, 3))
    assert found["difficulty"].result == found["spike"].result == "undecided"
    assert f": 3 steps found; the hardest so far needs {hardest} rule" in found["difficulty"].reason


@pytest.mark.parametrize("spare", [False, True])
def test_removals_that_are_undecided(monkeypatch, spare):
    """A rule that is known not to be needed is a failure, whatever the others are."""

    def some(*arguments):
        for item in find(*arguments):
            known = spare and item.name == "even"
            yield item if known or item.kind == "given" else item._replace(status="unknown")

    find = review.find_redundancies
    monkeypatch.setattr(review, "find_redundancies", some)
    found = {check.name: check for check in aspdoku.review(FOUR).checks}
    assert found["clues"].result == "undecided"
    assert found["clues"].reason == "time limit reached; undecided: 1 of 1 clue"
    assert found["rules"].result == ("failed" if spare else "undecided")
    assert found["givens"].result in ("passed", "warning")


def test_checks_that_are_not_tried(monkeypatch):
    monkeypatch.setattr(
        review._Reviewer, "_solution", lambda _: ("undecided", "time limit reached")
    )
    found = aspdoku.review(FOUR)
    assert [check.name for check in found.checks] == [*review._CHECKS]
    assert {check.reason for check in found.checks[2:]} == {"not tried"}
    assert found.data.ended == "time"


def renamed(puzzle, seed):
    """The puzzle with other names of cages, lines and regions, and another title."""
    draw = random.Random(seed)
    names = {}

    def rename(fact):
        declared = bundled_inputs().get(fact.signature)
        places = declared[0].names if declared else ()
        return Function(
            fact.name,
            tuple(
                names.setdefault(term, f"{draw.random()}") if place in places else term
                for place, term in enumerate(fact.arguments)
            ),
        )

    rules = draw.sample(puzzle.elaborations, len(puzzle.elaborations))
    facts = draw.sample([rename(fact) for fact in puzzle.facts], len(puzzle.facts))
    return puzzle.replace(
        facts=tuple(facts), elaborations=tuple(rules), title="another", box=puzzle.box
    )


@in_one_test("name", EXAMPLES)
def test_the_fingerprint_is_that_of_equivalent_puzzles(name):
    puzzle = aspdoku.read(name)
    own = fingerprint(puzzle)
    assert own == fingerprint(renamed(puzzle, 1)) == fingerprint(renamed(puzzle, 2))
    draw = random.Random(name)
    for fact in draw.sample(puzzle.facts, min(3, len(puzzle.facts))):
        facts = tuple(each for each in puzzle.facts if each != fact)
        other = renamed(puzzle.replace(facts=facts, box=puzzle.box), 3)
        try:
            changed = fingerprint(other)
        except aspdoku.AspdokuError:
            continue
        assert changed != own, fact
    for row, column in draw.sample([*puzzle.givens()], min(2, len(puzzle.givens()))):
        grid = [list(cells) for cells in puzzle.grid]
        grid[row - 1][column - 1] = None
        assert fingerprint(puzzle.replace(grid=tuple(map(tuple, grid)), box=puzzle.box)) != own


def test_different_puzzles_have_different_fingerprints():
    by_fingerprint = {}
    for name in EXAMPLES:
        puzzle = aspdoku.read(name)
        other = by_fingerprint.setdefault(fingerprint(puzzle), puzzle)
        assert not equivalence.differences(puzzle, other), (name, other.name)


def test_the_order_of_sections_and_comments_do_not_matter():
    head, cages = CAGES.split("[cage]\n")
    other = f"# a comment\n{head}[cage]\n{cages}".replace("title: cages", "title: other")
    swapped = other.replace("A", "X").replace("D", "A").replace("X", "D")
    assert swapped != CAGES
    prints = {fingerprint(aspdoku.parse(text)) for text in (CAGES, other, swapped)}
    assert len(prints) == 1
    facts = "[facts]\neven(1,1).\n"
    puzzles = [f"{head}{facts}[cage]\n{cages}", f"{head}[cage]\n{cages}{facts}"]
    assert len({fingerprint(aspdoku.parse(text)) for text in puzzles} | prints) == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("A A C C", "A A C ."),
        ("A = 3\nB = 6", "A = 6\nB = 3"),
        ("with: killer", "with: killer, anti-king"),
        ("with: killer", "with: killer\nwithout: box"),
        (". . 1 2", ". . 2 1"),
        ("D =\n", "D =\n[facts]\nab(box).\n"),
    ],
)
def test_changes_that_matter(old, new):
    assert fingerprint(aspdoku.parse(CAGES.replace(old, new))) != fingerprint(aspdoku.parse(CAGES))


def test_an_exception_refers_to_a_cage_by_its_name():
    def exempt(name, swap):
        text = f'{CAGES}[facts]\nab(killer,"{name}").\n'
        text = text.replace("A", "X").replace("B", "A").replace("X", "B") if swap else text
        return fingerprint(aspdoku.parse(text))

    assert exempt("A", False) == exempt("A", True)
    assert exempt("A", False) != exempt("B", False)


def test_own_rule_files_are_compared_by_their_statements(tmp_path):
    prints = []
    for text in (":- a(1,1,4).", "% Text.\n:-  a(1,1,4).\n", ":- a(1,1,3)."):
        (tmp_path / "mine.lp").write_text(text)
        file = tmp_path / "grid.txt"
        file.write_text("with: mine.lp\n" + ". . . .\n" * 4)
        prints.append(fingerprint(aspdoku.read(file)))
    assert prints[0] == prints[1] != prints[2]


def test_a_stated_solution_that_is_not_the_solution_fails():
    """All rows but one are given, and the stated solution begins with another row."""
    given = "1234 3412 2143 43.."
    stated = "solution: {}\n\n" + given.replace(" ", "\n")
    assert results(stated.format("1234341221434321"))["solution"] == "passed"
    wrong = stated.format("2143341212344321")
    assert results(wrong)["solution"] == "failed"
    assert "these rules give r1c1=1, " in reason(wrong, "solution")
    assert not aspdoku.review(wrong)


def test_rules_that_are_added_count():
    puzzle = aspdoku.parse("1... .... ..2. ....")
    named = replace(puzzle, elaborations=("anti-king",))
    assert aspdoku.review(puzzle, with_="anti-king").fingerprint == fingerprint(named)
    assert fingerprint(named) != fingerprint(puzzle)
