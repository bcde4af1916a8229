"""Queries about a rule file, for the fuzz test of rule files.

They are run in a child process, because a mutated rule may ground forever or crash clingo.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from aspdoku.engine import Solver
from aspdoku.errors import AspdokuError
from aspdoku.lecture.equivalence import compare_rules
from aspdoku.program import compose, library
from aspdoku.program.lint import check_file
from aspdoku.puzzle import Puzzle

SECONDS = 1.0


def query_all(texts: list[str]) -> int:
    """Query each text; return the number of queries that did not raise an error of aspdoku."""
    return sum(query(text) for text in texts)


def query(text: str) -> int:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "mutated.lp"
        file.write_text(text, "utf-8", newline="")
        return sum(succeeds(question, file) for question in (check_file, solve, count, equal))


def succeeds(question, file: Path) -> bool:
    try:
        question(file)
    except AspdokuError:
        return False
    return True


def solver(file: Path) -> Solver:
    return Solver(compose(Puzzle.blank(4), str(file)), SECONDS)


def solve(file: Path) -> None:
    list(solver(file).search(3))


def count(file: Path) -> None:
    solver(file).search(1000).count()


def equal(file: Path) -> None:
    compare_rules(
        library.find(str(file)), library.find("anti-knight"), [Puzzle.blank(4)], time_limit=SECONDS
    )
