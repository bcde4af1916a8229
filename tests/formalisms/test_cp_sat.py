"""CP-SAT: it finds the solution, proves that it is unique, and is imported only when it is used."""

import subprocess
import sys
from importlib.util import find_spec

import pytest
from instance_files import FOLDER, SOLVED

import aspdoku
from aspdoku.errors import TimeLimitError
from aspdoku.formalisms import programs
from aspdoku.formalisms.comparison import compare_formalisms, encoding_change
from aspdoku.formalisms.engine import Case
from aspdoku.formalisms.programs import CpSat
from aspdoku.program import compose
from aspdoku.puzzle import Puzzle

pytestmark = pytest.mark.versions

installed = pytest.mark.skipif(not find_spec("ortools"), reason="needs ortools")

# One puzzle for each text; the others are slow, because each needs the import of ortools.
QUICK = ("six", "offset", "anti-knight", "greater-than", "killer", "strimko")


def run(puzzle, seconds=60):
    case = Case.of(compose(puzzle))
    return CpSat().run(case, CpSat().encode(case), seconds)


@pytest.mark.slow_cases("anti-knight", "greater-than", "killer", "offset", "six", "strimko")
@installed
@pytest.mark.parametrize(
    ("file", "solution"),
    [
        pytest.param(
            *files, id=files[0].stem, marks=[] if files[0].stem in QUICK else [pytest.mark.slow]
        )
        for files in SOLVED
        if not Case.of(compose(aspdoku.read(files[0]))).unsupported
    ],
)
def test_each_instance_is_solved(file, solution):
    outcome = run(aspdoku.read(file))
    assert (outcome.grid, outcome.unique) == (aspdoku.read(solution).grid, True)


@pytest.mark.slow
@installed
def test_no_solution():
    assert run(aspdoku.parse("11..\n....\n....\n....")).grid is None


@pytest.mark.slow
@installed
def test_several_solutions():
    (row,) = compare_formalisms(compose(Puzzle.blank(4)), [CpSat()], 60)
    assert (row.status, row.outcome.unique) == ("agrees", False)


RIGHT = "1234\n3412\n2143\n4321"
BROKEN = [
    (RIGHT, "anti-knight"),
    ("1234\n3421\n4312\n2143", "offset"),
    (f"{RIGHT}\n\n[facts]\ngt(1,1,1,2).", "greater-than"),
    (f'{RIGHT}\n\n[facts]\nchain(1,1,"A"). chain(2,3,"A").', "chain"),
    (f'{RIGHT}\n\n[facts]\ncage(1,1,"A"). cage(2,3,"A").', "killer"),
    (f'{RIGHT}\n\n[facts]\ncage(1,1,"A"). cage(1,2,"A"). cage_value("A",4).', "killer"),
    (f'{RIGHT}\n\n[facts]\ncage_value("A",4).', "killer"),
]


@installed
@pytest.mark.slow
@pytest.mark.parametrize(("text", "name"), BROKEN)
def test_a_grid_that_violates_an_elaboration_is_not_a_solution(text, name):
    assert run(aspdoku.parse(text).replace(elaborations=(name,))).grid is None


@installed
def test_the_time_limit():
    with pytest.raises(TimeLimitError):
        run(aspdoku.read(FOLDER / "slides" / "classic.txt"), 0.05)


def test_a_missing_package_is_reported(monkeypatch):
    monkeypatch.setattr(programs, "find_spec", lambda _: None)
    (row,) = compare_formalisms(compose(Puzzle.blank(4)), [CpSat()], 60)
    assert (row.status, row.reason) == ("skipped", "needs ortools (pip install 'aspdoku[cp]')")
    assert "cp_model.CpModel()" in row.encoding.program


@installed
def test_availability_is_checked_without_importing_it():
    look = (
        "import sys; from aspdoku.formalisms.programs import CpSat;"
        " print(CpSat().missing_requirement(), 'ortools'"
        " in sys.modules)"
    )
    assert subprocess.run(
        [sys.executable, "-c", look], capture_output=True, text=True
    ).stdout.split() == ["None", "False"]


# Counted by hand: the numbers occur in one function only, which also calls the functions of the
# elaborations.
CHANGES = [
    (Puzzle.blank(9), (0, 0)),
    (Puzzle.blank(6), (1, 1)),
    (Puzzle.blank(16), (1, 1)),
    (Puzzle.blank(9).replace(elaborations=("anti-knight",)), (2, 1)),
    (Puzzle.blank(9).replace(elaborations=("offset",)), (2, 1)),
    (Puzzle.blank(9).replace(elaborations=("greater-than",)), (2, 1)),
    (Puzzle.blank(9).replace(elaborations=("killer",)), (2, 1)),
    (Puzzle.blank(9).replace(elaborations=("chain",), without=("box",)), (2, 1)),
    (Puzzle.blank(9).replace(elaborations=("anti-knight", "killer")), (3, 1)),
]


@pytest.mark.parametrize(("puzzle", "counts"), CHANGES)
def test_numbers_of_added_and_removed_statements(puzzle, counts):
    made = encoding_change(CpSat(), Case.of(compose(puzzle)))
    assert (len(made.added), len(made.removed)) == counts
