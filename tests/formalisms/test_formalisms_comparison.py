"""The comparison of formalisms: wrong engines are reported, missing ones are skipped, and
statements are counted.
"""

import time
from collections import Counter
from typing import ClassVar

import pytest
from in_one_test import in_one_test
from instance_files import FOLDER, SOLVED

import aspdoku
from aspdoku.errors import TimeLimitError
from aspdoku.formalisms import engines
from aspdoku.formalisms.comparison import compare_formalisms, encoding_change, formalism_table
from aspdoku.formalisms.engine import (
    AspdokuAsp,
    Case,
    Encoding,
    Engine,
    EngineError,
    Outcome,
    SlidesAsp,
)
from aspdoku.formalisms.propositional import UnitPropagation
from aspdoku.program import compose
from aspdoku.puzzle import Puzzle

pytestmark = pytest.mark.versions

FOUR = aspdoku.parse(".4..\n...4\n..2.\n1...")
RIGHT = ((3, 4, 1, 2), (2, 1, 3, 4), (4, 3, 2, 1), (1, 2, 4, 3))
NONE = aspdoku.parse("11..\n....\n....\n....")
SEVERAL = aspdoku.parse("1234\n3412\n....\n....")
SHARED = ((1, 2, 3, 4), (3, 4, 1, 2), (None,) * 4, (None,) * 4)
ONE_OF = ((1, 2, 3, 4), (3, 4, 1, 2), (2, 1, 4, 3), (4, 3, 2, 1))


class Made(Engine):
    """An engine with a predefined result."""

    name, title, folder, extension = "made", "made", "asp-slides", "lp"

    def __init__(self, answer, lacking=None):
        self.answer, self.lacking = answer, lacking

    def missing_requirement(self):
        return self.lacking

    def statements(self, program):
        return Counter(program.split())

    def run(self, case, text, seconds):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def outcome_for(grid, unique=None, entailed=False):
    return Outcome(grid, unique, 0.0, 0.0, entailed)


def with_wrong(grid, row, column, number):
    return tuple(
        tuple(number if (r, c) == (row, column) else n for c, n in enumerate(line, 1))
        for r, line in enumerate(grid, 1)
    )


ANSWERS = [
    (FOUR, outcome_for(RIGHT, True), "agrees", ""),
    (FOUR, outcome_for(RIGHT), "agrees", ""),
    (FOUR, outcome_for(RIGHT, False), "differs", "several solutions but clingo finds only one"),
    (
        FOUR,
        outcome_for(with_wrong(RIGHT, 4, 4, 1), True),
        "differs",
        "r4c4 is 1, but 3 according to clingo",
    ),
    (FOUR, outcome_for(None), "differs", "finds no solution but clingo finds one"),
    (FOUR, outcome_for(RIGHT, entailed=True), "agrees", ""),
    (
        FOUR,
        outcome_for(with_wrong(RIGHT, 1, 1, None), entailed=True),
        "differs",
        "r1c1 is undetermined, but 3 according to clingo",
    ),
    (NONE, outcome_for(None), "agrees", ""),
    (NONE, outcome_for(RIGHT), "differs", "finds a solution but clingo finds none"),
    (SEVERAL, outcome_for(ONE_OF, False), "agrees", ""),
    (SEVERAL, outcome_for(ONE_OF), "agrees", ""),
    (SEVERAL, outcome_for(ONE_OF, True), "differs", "a unique solution but clingo finds several"),
    (SEVERAL, outcome_for(with_wrong(ONE_OF, 3, 1, 1)), "differs", "not a solution"),
    (SEVERAL, outcome_for(with_wrong(ONE_OF, 3, 1, None)), "differs", "empty cells"),
    (SEVERAL, outcome_for(SHARED, entailed=True), "agrees", ""),
    (
        SEVERAL,
        outcome_for(ONE_OF, entailed=True),
        "differs",
        "r3c1 is 2, but undetermined according to clingo",
    ),
    (FOUR, TimeLimitError("late"), "gave up", "no answer within 30 s"),
    (FOUR, EngineError("it broke"), "failed", "it broke"),
]


@in_one_test(("puzzle", "answer", "status", "reason"), ANSWERS)
def test_status_and_reason_of_an_answer(puzzle, answer, status, reason):
    (row,) = compare_formalisms(compose(puzzle), [Made(answer)], 30)
    assert row.status == status
    assert reason in row.reason
    assert bool(row.reason) == (status != "agrees")


def test_a_missing_engine_or_encoding_is_not_a_failure(tmp_path):
    (row,) = compare_formalisms(compose(FOUR), [Made(outcome_for(RIGHT), "more memory")], 30)
    assert (row.status, row.reason, row.outcome) == ("skipped", "needs more memory", None)
    (tmp_path / "mine.lp").write_text(":- a(1,1,4).\n")
    (row,) = compare_formalisms(
        compose(FOUR, str(tmp_path / "mine.lp")), [Made(outcome_for(RIGHT))], 30
    )
    assert (row.status, row.reason) == ("not written", "no encoding of mine")


def test_explicit_regions_are_not_written_in_any_formalism():
    facts = "".join(
        f"box({r},{c},{1 + (r > 2) + 2 * (c > 2)}). " for r in range(1, 5) for c in range(1, 5)
    )
    rows = compare_formalisms(
        compose(aspdoku.parse(f". . . .\n. . . .\n. . . .\n. . . .\n\n[facts]\n{facts}")),
        [Made(outcome_for(RIGHT))],
        30,
    )
    assert [row.status for row in rows] == ["not written"]


def test_an_exception_is_only_written_in_the_native_encoding():
    puzzle = aspdoku.read(FOLDER / "lessons" / "except-the-fives.txt")
    rows = list(compare_formalisms(compose(puzzle), [SlidesAsp(), AspdokuAsp()], 30))
    assert [row.status for row in rows] == ["not written", "agrees"]
    assert "the exception ab(" in rows[0].reason


def test_a_change_is_a_difference_of_multisets():
    case = Case.of(compose(FOUR))
    made = encoding_change(Made(None), case, Encoding("uno dos dos given", ""))
    ordinary = SlidesAsp().encode(case.classic).program.split()
    assert made.added == ("uno", "dos", "dos")
    assert sorted([*made.removed, "given"]) == sorted(ordinary)


def test_changes_are_relative_to_the_classic_game():
    assert Case.of(compose(FOUR)).classic.size == 9
    assert Case.of(compose(FOUR, "anti-knight")).classic.size == 4
    assert Case.of(compose(FOUR, without=["box"])).classic.boxes == (2, 2)


BEYOND = [
    ("", ["row"], "a grid without the rule row"),
    ("box(1,1,1).", [], "drawn regions"),
]


@pytest.mark.parametrize(("fact", "without", "named"), BEYOND)
def test_unsupported_puzzles_are_not_written(fact, without, named):
    puzzle = aspdoku.parse(
        f"....\n....\n....\n....\n\n[facts]\n{fact}\n" if fact else "....\n....\n....\n...."
    )
    found = Case.of(compose(puzzle, "greater-than", without=without)).unsupported
    assert named in found
    (row,) = compare_formalisms(
        compose(puzzle, "greater-than", without=without), [Made(outcome_for(RIGHT))], 30
    )
    assert row.status == "not written"


def test_facts_without_an_encoding_are_named_once_for_each_predicate():
    found = Case.of(compose(aspdoku.read("example:liar")))
    assert found.unsupported == ["the 8 facts liar/3"]


def test_facts_of_a_retracted_rule_need_no_encoding():
    """All engines agree that a puzzle has no solution if all of its clues have to be true."""
    puzzle = aspdoku.read("example:liar")
    program = compose(puzzle, without=["liar"])
    case = Case.of(program)
    assert (case.unsupported, case.elaborations) == ([], ("killer",))
    assert {fact.name for fact in case.puzzle.facts} == {"cage", "cage_value"}
    (row,) = compare_formalisms(program, [UnitPropagation()], 30)
    assert row.status == "agrees"
    assert row.outcome.grid is None


def test_a_custom_rule_is_not_bundled_whatever_its_name(tmp_path):
    for name in ("anti-knight", "base", "instance", "box"):
        (tmp_path / f"{name}.lp").write_text(":- a(1,1,4).\n")
        case = Case.of(compose(FOUR, str(tmp_path / f"{name}.lp")))
        assert (case.elaborations, case.unsupported) == ((), [name])


def test_an_encoding_with_too_many_combinations_is_not_written():
    numbers = [5, 6, 7, 8, 9, 12, 13, 1, 2, 3, 4, 10, 11, 14, 15, 16]
    rows = (
        " ".join(str(numbers[(4 * (r % 4) + r // 4 + c) % 16]) for c in range(16))
        for r in range(16)
    )
    cells = "".join(f"cage(1,{c},a). " for c in range(1, 8))
    puzzle = aspdoku.parse("\n".join(rows) + f"\n\n[facts]\n{cells} cage_value(a,60).")
    row = _only(compare_formalisms(compose(puzzle, "killer"), [engines()["sat"]], 60))
    assert row.status == "not written"
    assert "combinations" in row.reason


def _only(rows):
    (row,) = rows
    return row


def test_the_engines_have_different_names_and_titles():
    found = engines()
    assert [engine.name for engine in found.values()] == list(found)
    assert len({engine.title for engine in found.values()}) == len(found)


# ---- Answer set programming ----


@pytest.mark.parametrize("engine", [SlidesAsp(), AspdokuAsp()], ids=["slides", "ours"])
@pytest.mark.parametrize(
    ("file", "solution"),
    SOLVED,
    ids=[f"{puzzle.parent.name}/{puzzle.stem}" for puzzle, _ in SOLVED],
)
def test_each_instance_is_solved(engine, file, solution):
    case = Case.of(compose(aspdoku.read(file)))
    if case.unsupported and not engine.native:
        pytest.skip(f"no text for {case.unsupported[0]}")
    outcome = engine.run(case, engine.encode(case), 60)
    expected = aspdoku.read(solution).grid
    assert (outcome.grid, outcome.unique) == (expected, True)


# Counted by hand: what the slides' text has to change, and what ours has to add, without
# declarations.
CHANGES = [
    (SlidesAsp(), "-c n=6", (1, 1)),
    (SlidesAsp(), "anti-knight", (1, 0)),
    (SlidesAsp(), "offset", (1, 0)),
    (SlidesAsp(), "greater-than", (1, 0)),
    (SlidesAsp(), "killer", (2, 0)),
    (SlidesAsp(), "chain, no boxes", (3, 1)),
    (AspdokuAsp(), "-c n=6", (0, 0)),
    (AspdokuAsp(), "anti-knight", (1, 0)),
    (AspdokuAsp(), "offset", (1, 0)),
    (AspdokuAsp(), "greater-than", (1, 0)),
    (AspdokuAsp(), "killer", (10, 0)),
    (AspdokuAsp(), "chain, no boxes", (4, 0)),
]


@in_one_test(("engine", "what", "counts"), CHANGES)
def test_numbers_of_added_and_removed_statements(engine, what, counts):
    name, _, rest = what.partition(",")
    names = [] if name.startswith("-c") else [name]
    puzzle = Puzzle.blank(6 if name.startswith("-c") else 9)
    made = encoding_change(
        engine, Case.of(compose(puzzle, *names, without=["box"] if rest else []))
    )
    assert (len(made.added), len(made.removed)) == counts


def test_an_invalid_program_fails_without_an_answer():
    case = Case.of(compose(FOUR))
    with pytest.raises(EngineError, match="syntax error"):
        SlidesAsp().run(case, Encoding("a(1,1,1) b.", ""), 10)


def test_a_hard_encoding_reaches_the_time_limit():
    pigeons = "1 { in(P,H) : H=1..11 } 1 :- P=1..12. :- in(P,H), in(Q,H), P < Q."
    with pytest.raises(TimeLimitError):
        SlidesAsp().run(Case.of(compose(FOUR)), Encoding(pigeons, ""), 0.3)


class Hanging(AspdokuAsp):
    """An engine that answers nothing, except for the first puzzle and at the end of its time."""

    asked: ClassVar[list[float]] = []

    def run(self, case, encoding, seconds):
        self.asked.append(seconds)
        if len(self.asked) == 1:
            return super().run(case, encoding, seconds)
        time.sleep(seconds)
        raise TimeLimitError("no answer")


@pytest.mark.slow
def test_the_limit_of_an_engine_is_that_of_all_puzzles_of_a_table(monkeypatch):
    """Else a reasoner that hangs would take it for each of them."""
    puzzles = {str(number): Puzzle.blank(4) for number in range(4)}
    monkeypatch.setattr("aspdoku.formalisms.comparison.table_puzzles", lambda: puzzles)
    began = time.monotonic()
    ((_, cells),) = formalism_table([Hanging()], 2.0).rows
    assert time.monotonic() - began < 3
    assert [cell.status for cell in cells] == ["agrees", *["gave up"] * 3]
    assert {cell.reason for cell in cells[1:]} == {
        "no answer within its share of 2 s for all puzzles"
    }
    assert sum(Hanging.asked[1:]) <= 2
