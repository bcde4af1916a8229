"""OWL: counts of axioms as a set, parsing the output of reasoners, entailments, and
justifications.
"""

import sys
from collections import Counter
from itertools import combinations

import pytest
from instance_files import FOLDER

import aspdoku
from aspdoku.errors import TimeLimitError
from aspdoku.formalisms import reasoners
from aspdoku.formalisms.comparison import compare_formalisms, encoding_change
from aspdoku.formalisms.engine import Case, EngineError
from aspdoku.formalisms.owl import CellOwl, OwlProof, SudokuInOwl, axioms, merge_axioms, value_name
from aspdoku.formalisms.reasoners import HermiT, Konclude, Pellet, restart_timeouts
from aspdoku.program import compose
from aspdoku.puzzle import Puzzle

pytestmark = pytest.mark.versions

java = pytest.mark.skipif(not Pellet().is_available(), reason=f"needs {reasoners.JARS}")
konclude = pytest.mark.skipif(
    not Konclude().is_available(), reason="needs Konclude (apt install konclude)"
)

FOUR = FOLDER / "owl" / "four.txt"
NONE = aspdoku.parse("11..\n....\n....\n....")
SEVERAL = aspdoku.parse("1234\n3412\n....\n....")
OFFSET = aspdoku.parse("with: offset\n\n1.3.\n....\n....\n..1.")
KNIGHT = aspdoku.parse("with: anti-knight\n\n1...\n....\n....\n....")
GREATER = aspdoku.parse(
    "with: greater-than\n\n....\n....\n....\n....\n\n[facts]\ngt(1,2,1,1). gt(1,1,1,4)."
    " gt(1,4,1,3)."
)


def explain(case, row, column, number, seconds):
    return SudokuInOwl().explain(case, (row, column), number, seconds)


def case_of(puzzle):
    return Case.of(compose(puzzle if isinstance(puzzle, Puzzle) else aspdoku.read(puzzle)))


def solution_of(file):
    return aspdoku.read(file.with_name(f"{file.stem}.solution.txt")).grid


def run(engine, puzzle, seconds=30):
    case = case_of(puzzle)
    return engine.run(case, engine.encode(case), seconds)


# ---- Axioms ----

SAME = [
    ("DifferentIndividuals(:b :a)", ["DifferentIndividuals(:a :b)"]),
    ("DisjointClasses(\n  :N10\n  :N9 )", ["DisjointClasses(:N9 :N10)"]),
    ("SubClassOf(:b :a)", ["SubClassOf(:b :a)"]),
    ("SubClassOf(:b ObjectUnionOf(:d :c))", ["SubClassOf(:b ObjectUnionOf(:c :d))"]),
    ("ObjectPropertyAssertion(:p :b :a)", ["ObjectPropertyAssertion(:p :b :a)"]),
    ("SubClassOf(:a :b) # SubClassOf(:c :d)\nSubClassOf(:a :b)", ["SubClassOf(:a :b)"]),
    ("<http://a#v2>\nSubClassOf(<http://a#b> :c)", ["SubClassOf(<http://a#b> :c)"]),
    (
        'AnnotationAssertion(rdfs:label :a "a ) \\" # b"@en)',
        ['AnnotationAssertion(rdfs:label :a "a ) \\" # b" @en)'],
    ),
    ("", []),
]


@pytest.mark.parametrize(("inside", "expected"), SAME)
def test_the_axioms_of_an_ontology(inside, expected):
    text = f"# Ontology(\nPrefix(:=<http://a#>)\nOntology(<http://a>\n{inside}\n)"
    assert axioms(text) == expected
    assert SudokuInOwl().statements(text) == Counter(expected)


@pytest.mark.parametrize(
    "text", ["", "Prefix(:=<a>)", "Ontology", "Ontology(SubClassOf(:a :b)", "Ontology((:a :b))"]
)
def test_an_invalid_ontology_is_rejected(text):
    with pytest.raises(EngineError):
        axioms(text)


def test_merging_adds_the_puzzle_and_removes_comments():
    program = "Prefix(:=<http://a#>)\nOntology(<http://a#b> # not (this)\nSubClassOf(:a :b)\n)\n"
    whole = merge_axioms(program, "# nor this\nClassAssertion(:a :i)\n")
    assert "this" not in whole
    assert "<http://a#>" in whole
    assert axioms(whole) == ["SubClassOf(:a :b)", "ClassAssertion(:a :i)"]
    with pytest.raises(EngineError):
        merge_axioms("", "")


# Added and removed. The pairs: 162 of the 324 in one position of two boxes share no row and column,
# and of the 224 a knight's move apart 152 lie in two boxes. Greater-than is a property, and an
# axiom a number; a sign is a fact.
CHANGES = [
    (SudokuInOwl, "slides/classic", 0, 0),
    (SudokuInOwl, "slides/offset", 9, 0),
    (SudokuInOwl, "slides/anti-knight", 224, 0),
    (SudokuInOwl, "slides/greater-than", 10, 0),
    (CellOwl, "slides/classic", 0, 0),
    (CellOwl, "slides/offset", 162, 0),
    (CellOwl, "slides/anti-knight", 152, 0),
    (CellOwl, "slides/greater-than", 10, 0),
]


@pytest.mark.parametrize(("engine", "puzzle", "added", "removed"), CHANGES)
def test_axioms_that_an_elaboration_adds(engine, puzzle, added, removed):
    made = encoding_change(engine(), case_of(FOLDER / f"{puzzle}.txt"))
    assert (len(made.added), len(made.removed)) == (added, removed)


@pytest.mark.parametrize("engine", [SudokuInOwl, CellOwl])
def test_killer_only_adds_axioms_and_lists_every_combination_of_a_sum(engine):
    case = case_of(FOLDER / "made" / "killer.txt")
    made = encoding_change(engine(), case)
    assert made.added
    assert not made.removed
    sizes = {name: len(cells) for name, cells in case.groups("cage").items()}
    ways = sum(
        sum(numbers) == total
        for name, total in case.facts("cage_value", 2)
        for numbers in combinations(range(1, 10), sizes[name])
    )
    assert ways > len(sizes)
    assert sum(axiom.count("ObjectAllValuesFrom") for axiom in made.added) == ways


@pytest.mark.parametrize("engine", [SudokuInOwl, CellOwl])
def test_boxes_are_retracted_by_removing_axioms(engine):
    assert encoding_change(engine(), case_of(FOLDER / "made" / "strimko.txt")).removed


def test_offset_without_boxes_has_no_encoding():
    case = case_of(aspdoku.parse("with: offset\nwithout: box\n\n1...\n....\n....\n...."))
    assert [engine.encode(case).missing for engine in (SudokuInOwl(), CellOwl())] == [
        ("offset",),
        ("offset",),
    ]


@pytest.mark.parametrize("puzzle", ["owl/four", "slides/six", "slides/sixteen", "made/strimko"])
def test_every_value_is_declared_under_its_name(puzzle):
    case = case_of(FOLDER / f"{puzzle}.txt")
    span = range(1, case.size + 1)
    names = [value_name(case, row, column) for row in span for column in span]
    declared = SudokuInOwl().statements(SudokuInOwl().encode(case).program)
    assert len(set(names)) == case.size**2
    assert all(declared[f"ClassAssertion(:C{name} :V{name})"] == 1 for name in names)


def test_the_names_are_those_of_the_document():
    assert [value_name(case_of(FOUR), *cell) for cell in [(1, 2), (3, 2), (4, 4)]] == [
        "1_12",
        "3_12",
        "4_22",
    ]


# ---- Reasoners and their output ----


def test_output_of_pellet(tmp_path):
    printed = (
        " http://www.w3.org/2002/07/owl#Thing\n    http://a#A = http://a#B - (http://a#i,"
        " http://a#j)\n    http://a#C\n"
    )
    assert Pellet().instances(printed, tmp_path) == {("A", "i"), ("A", "j"), ("B", "i"), ("B", "j")}


def test_output_of_hermit(tmp_path):
    assert HermiT().instances(
        "Type( <http://a#i> <http://a#A> )\n...action completed\n", tmp_path
    ) == {("A", "i")}


def test_output_of_konclude(tmp_path):
    result = tmp_path / "result.xml"
    assertion = (
        '<ClassAssertion><Class IRI="http://a#A"/><NamedIndividual'
        ' IRI="http://a#i"/></ClassAssertion>'
    )
    result.write_text(f'<Ontology xmlns="http://www.w3.org/2002/07/owl#">{assertion}</Ontology>')
    assert Konclude().instances("", result) == {("A", "i")}
    with pytest.raises(EngineError, match="not written a result"):
        Konclude().instances("", tmp_path / "missing.xml")


class Scripted(Pellet):
    """A reasoner with a predefined output."""

    script = ""

    def is_available(self):
        return True

    def command(self, ontology, result):
        return [sys.executable, "-c", self.script]


def scripted(script):
    return type("Told", (Scripted,), {"script": script})


def test_times_are_those_reported_by_the_reasoner():
    script = (
        "print('Finished loading in 00:00:09.000\\nFinished realization in 00:00:00.001\\nTimer"
        " summary')"
    )
    outcome = run(SudokuInOwl([scripted(script)]), FOUR)
    assert outcome.solve == 0.001
    assert 0.001 < outcome.start < 9


def test_without_reported_times_all_time_counts_as_solving():
    outcome = run(SudokuInOwl([scripted("print('Timer summary')")]), FOUR)
    assert outcome.start == 0
    assert outcome.solve > 0


def test_a_reasoner_that_fails_gives_no_answer():
    for script in ["raise SystemExit('SystemError: no memory')", "print('SystemError: no memory')"]:
        with pytest.raises(EngineError, match=r"Pellet failed .* no memory"):
            run(SudokuInOwl([scripted(script)]), FOUR)


def test_an_incomplete_reasoner_differs():
    (row,) = compare_formalisms(
        compose(aspdoku.read(FOUR)), [SudokuInOwl([scripted("print('Timer summary')")])], 30
    )
    assert (row.status, row.reason) == (
        "differs",
        "r1c1 is undetermined, but 3 according to clingo",
    )


def test_a_reasoner_that_hangs_is_stopped():
    with pytest.raises(TimeLimitError):
        run(SudokuInOwl([scripted("import time; time.sleep(60)")]), FOUR, 0.2)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(1, [1]), (12, [12]), (13, [4, 9]), (30, [4, 8, 18]), (60, [4, 8, 48])],
)
def test_restarts_of_konclude_within_the_time_limit(seconds, expected):
    assert list(restart_timeouts(seconds)) == expected


@pytest.mark.slow
def test_the_time_of_a_restart_includes_the_time_before(monkeypatch, tmp_path):
    mark = tmp_path / "mark"
    again = (
        f"import pathlib, time; mark = pathlib.Path({str(mark)!r}); time.sleep(0 if mark.exists()"
        " else mark.touch() or 60)"
    )
    last = "print('Ontology is inconsistent. Finished precomputing in 1 ms')"
    monkeypatch.setattr(Konclude, "command", lambda *_: [sys.executable, "-c", f"{again}; {last}"])
    monkeypatch.setattr(reasoners, "_PATIENCE", 0.5)
    found = Konclude().realize("", 30)
    assert found.instances is None
    assert 0.5 < found.solve < 30


@pytest.mark.slow
def test_restarts_of_konclude_share_the_time_limit(monkeypatch):
    monkeypatch.setattr(
        Konclude, "command", lambda *_: [sys.executable, "-c", "import time; time.sleep(60)"]
    )
    monkeypatch.setattr(reasoners, "_PATIENCE", 0.1)
    with pytest.raises(TimeLimitError, match=r"within 0\.5 s"):
        Konclude().realize("", 0.5)


def test_the_requirement_if_no_reasoner_is_available(monkeypatch):
    for reasoner in (Pellet, HermiT, Konclude):
        monkeypatch.setattr(reasoner, "is_available", lambda _: False)
    assert SudokuInOwl().missing_requirement() == "java and owlready2 (pip install 'aspdoku[owl]')"
    assert (
        CellOwl().missing_requirement()
        == "Konclude (apt install konclude), or java and owlready2 (pip install 'aspdoku[owl]')"
    )
    (row,) = compare_formalisms(compose(aspdoku.read(FOUR)), [CellOwl()], 30)
    assert row.status == "skipped"
    with pytest.raises(EngineError, match="need java"):
        explain(case_of(FOUR), 3, 2, 3, 30)


def test_the_jars_need_java(monkeypatch):
    monkeypatch.setattr(reasoners, "which", lambda _: None)
    monkeypatch.setattr(reasoners, "_jars", reasoners._jars.__wrapped__)
    assert not Pellet().is_available()
    assert not HermiT().is_available()
    assert not Konclude().is_available()


# ---- Entailments ----


@pytest.mark.slow
@java
@pytest.mark.parametrize("puzzle", ["made/cages-four", "made/strimko"])
def test_the_modelling_of_the_document_entails_the_solution(puzzle):
    file = FOLDER / f"{puzzle}.txt"
    outcome = run(SudokuInOwl([HermiT]), file)
    assert outcome.grid == solution_of(file)
    assert (outcome.entailed, outcome.unique) == (True, None)


# Konclude misses numbers in cages, even if half of the cells are given.
@pytest.mark.slow
@java
def test_cells_that_see_each_other_and_cages_entail_the_solution():
    file = FOLDER / "made" / "cages-four.txt"
    assert run(CellOwl([HermiT]), file).grid == solution_of(file)


@pytest.mark.slow_cases("owl/four")
@konclude
@pytest.mark.parametrize("puzzle", ["owl/four", "made/strimko", "made/strimko-five", "slides/six"])
def test_cells_that_see_each_other_entail_the_solution(puzzle):
    file = FOLDER / f"{puzzle}.txt"
    outcome = run(CellOwl(), file)
    assert outcome.grid == solution_of(file)
    assert outcome.notes[0].startswith("Konclude: ")


def status(engine, puzzle):
    (row,) = compare_formalisms(compose(puzzle), [engine], 30)
    return row.status, row.outcome and sum(
        number is not None for line in row.outcome.grid or () for number in line
    )


# The number of cells that are equal in all solutions, counted by hand for SEVERAL and GREATER: two
# rows and one.
SHARED = [(SEVERAL, 8), (GREATER, 4), (OFFSET, 6), (KNIGHT, 4), (NONE, 0)]


@pytest.mark.slow
@java
@pytest.mark.parametrize(("puzzle", "cells"), SHARED[1:])
def test_the_modelling_of_the_document_entails_what_all_solutions_share(puzzle, cells):
    assert status(SudokuInOwl([HermiT]), puzzle) == ("agrees", cells)


@konclude
@pytest.mark.parametrize(("puzzle", "cells"), SHARED)
def test_cells_that_see_each_other_entail_what_all_solutions_share(puzzle, cells):
    assert status(CellOwl(), puzzle) == ("agrees", cells)


@pytest.mark.slow
@java
def test_pellet_is_tried_first():
    outcome = run(SudokuInOwl(), FOUR)
    assert outcome.grid == solution_of(FOUR)
    assert outcome.notes[0].startswith("Pellet: ")


def test_an_unsolvable_puzzle_is_inconsistent():
    outcome = run(
        SudokuInOwl([scripted("print('Ontology is inconsistent'); raise SystemExit(1)")]), NONE
    )
    assert (outcome.grid, outcome.notes[1]) == (None, "the ontology is inconsistent")


@java
@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "puzzle"),
    [
        *((SudokuInOwl([Pellet]), puzzle) for puzzle, _ in SHARED),
        *(
            (CellOwl([reasoner]), puzzle)
            for reasoner in (Pellet, HermiT)
            for puzzle, _ in SHARED[:2]
        ),
    ],
)
def test_all_reasoners_agree(engine, puzzle):
    assert status(engine, puzzle)[0] == "agrees"


@konclude
@pytest.mark.slow
@pytest.mark.parametrize("puzzle", ["slides/classic", "slides/offset", "prolog/example"])
def test_puzzles_of_size_9(puzzle):
    file = FOLDER / f"{puzzle}.txt"
    assert run(CellOwl(), file, 60).grid == solution_of(file)


# ---- Justifications ----

DOCUMENT = (
    "V3_12 must be 3: it cannot be 1, for V3_21 = 1 in the same sub-grid; "
    "not 2, for V4_11 = 2 in the same row; not 4, for V1_12 = 4 in the same column"
)
UNITS = {frozenset("ABC"): "row", frozenset("ADG"): "column"}


def proof(*lines):
    units = {frozenset(f"V{name}" for name in names): common for names, common in UNITS.items()}
    return OwlProof(lines, units, 3)


def test_a_given_needs_no_reason():
    assert proof("VA sameAs n2", "VA type CA").lines("VA", 2) == ["VA = 2 is given"]


def test_numbers_excluded_one_by_one():
    found = proof(
        "VB sameAs n1",
        "n3 sameAs VD",
        "DifferentIndividuals(VC VB VA)",
        "DifferentIndividuals(VA VD)",
    ).lines("VA", 2)
    assert found == [
        "VA must be 2: it cannot be 1, for VB = 1 in the same row; not 3, for VD = 3 and VA is"
        " distinct from it"
    ]


def test_a_hidden_single_is_a_reason_and_the_steps_are_in_order():
    rows = "DifferentIndividuals(VA VB VC)", "DifferentIndividuals(VA VD VG)"
    others = (
        "VE sameAs n3",
        "DifferentIndividuals(VC VE)",
        "VH sameAs n2",
        "DifferentIndividuals(VD VH)",
    )
    found = proof("VB sameAs n1", *rows, *others).lines("VD", 1)
    assert (
        found[0]
        == "VA must be 3, for no other in the same row can: VB = 1; VC cannot be 3, for VE = 3 and"
        " VC is distinct from it"
    )
    assert found[1:] == [
        "VD must be 1: it cannot be 2, for VH = 2 and VD is distinct from it; not 3, for VA = 3 in"
        " the same column"
    ]


def test_a_group_without_a_name_is_listed():
    found = proof(
        "VB sameAs n1",
        "VE sameAs n3",
        "DifferentIndividuals(VX VB VY)",
        "DifferentIndividuals(VX VE)",
    ).lines("VY", 3)
    assert found == [
        "VY must be 3, for no other of VB, VX, VY can: VB = 1; VX cannot be 3, for VE = 3 and VX is"
        " distinct from it"
    ]


def test_axioms_without_single_steps_are_listed():
    found = proof(
        "Thing subClassOf {n1, n2, n3}",
        "VB sameAs n1",
        "DifferentIndividuals(VA VB)",
        "VA p VB",
        "VA type CA",
    ).lines("VA", 2)
    assert found[0].startswith("VA must be 2.")
    assert found[1:] == [
        "there is nothing but 1, 2, 3",
        "VB = 1",
        "VA, VB are mutually distinct",
        "VA p VB",
    ]


@pytest.mark.slow
@java
def test_the_example_of_the_document():
    assert explain(case_of(FOUR), 3, 2, 3, 30) == [DOCUMENT]


@pytest.mark.slow
@java
def test_an_explanation_in_steps():
    found = explain(case_of(FOUR), 1, 1, 3, 30)
    assert len(found) > 1
    assert found[-1].startswith(
        "V1_11 must be 3: it cannot be 1, for V3_21 = 1 in the same column; "
    )


@java
@pytest.mark.slow
@pytest.mark.parametrize(
    ("puzzle", "reason"),
    [(aspdoku.read(FOUR), "V3_12 = 2 is not entailed"), (NONE, "inconsistent")],
)
def test_claims_that_cannot_be_explained(puzzle, reason):
    with pytest.raises(EngineError, match=reason):
        explain(case_of(puzzle), 3, 2, 2, 30)
