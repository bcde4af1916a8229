"""aspdoku: sudoku and its variants in answer set programming, one small rule file per variant.

>>> import aspdoku
>>> puzzle = aspdoku.parse("1... .... ..2. ....")
>>> aspdoku.count(puzzle).count
18

Every function about a puzzle takes a `Puzzle`, its rows, its text, the path of its file, or a
composed program, and the same keyword arguments `with_`, `without`, `constants`, `facts` and
`time_limit` (seconds; `time_limit_each` for several puzzles or engines). It returns a frozen
result: `str` gives the text that the command of the same name prints, `to_json` its JSON, and a
notebook displays it. Invalid input raises `AspdokuError`, an argument of the wrong type
`TypeError`. `docs/api.md` has an example of each function.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path

TYPE_CHECKING = False  # that of `typing`, which a command only imports after its fork
if TYPE_CHECKING:  # the public names: type checkers read these lines, and so does `_module_of`
    from aspdoku.engine import Solver as Solver
    from aspdoku.errors import AspdokuError as AspdokuError
    from aspdoku.errors import AspdokuWarning as AspdokuWarning
    from aspdoku.errors import NoSolutionError as NoSolutionError
    from aspdoku.errors import PuzzleError as PuzzleError
    from aspdoku.errors import RuleError as RuleError
    from aspdoku.errors import TimeLimitError as TimeLimitError
    from aspdoku.explanation.steps import Claim as Claim
    from aspdoku.explanation.steps import Reason as Reason
    from aspdoku.explanation.steps import Step as Step
    from aspdoku.formats import parse as parse
    from aspdoku.formats import read as read
    from aspdoku.generation.generator import GeneratedPuzzle as GeneratedPuzzle
    from aspdoku.program import Program as Program
    from aspdoku.program import RuleFile as RuleFile
    from aspdoku.puzzle import Puzzle as Puzzle
    from aspdoku.puzzle import Solution as Solution
    from aspdoku.questions.batch import BatchResult as BatchResult
    from aspdoku.questions.batch import BatchResults as BatchResults
    from aspdoku.questions.batch import batch as batch
    from aspdoku.questions.candidates import CandidateGrid as CandidateGrid
    from aspdoku.questions.candidates import Dependence as Dependence
    from aspdoku.questions.candidates import candidates as candidates
    from aspdoku.questions.candidates import depends as depends
    from aspdoku.questions.check import CheckReport as CheckReport
    from aspdoku.questions.check import check as check
    from aspdoku.questions.compare import FormalismComparison as FormalismComparison
    from aspdoku.questions.compare import compare as compare
    from aspdoku.questions.conflict import ConflictReport as ConflictReport
    from aspdoku.questions.conflict import conflict as conflict
    from aspdoku.questions.elaborate import Elaborations as Elaborations
    from aspdoku.questions.elaborate import elaborate as elaborate
    from aspdoku.questions.equal import Equivalence as Equivalence
    from aspdoku.questions.equal import Learned as Learned
    from aspdoku.questions.equal import equivalent as equivalent
    from aspdoku.questions.equal import learn as learn
    from aspdoku.questions.explain import ClaimExplanation as ClaimExplanation
    from aspdoku.questions.explain import Hint as Hint
    from aspdoku.questions.explain import SolutionExplanation as SolutionExplanation
    from aspdoku.questions.explain import explain as explain
    from aspdoku.questions.explain import hint as hint
    from aspdoku.questions.explain import why as why
    from aspdoku.questions.fewest import Fewest as Fewest
    from aspdoku.questions.fewest import fewest as fewest
    from aspdoku.questions.files import Drawing as Drawing
    from aspdoku.questions.files import convert as convert
    from aspdoku.questions.files import draw as draw
    from aspdoku.questions.files import write as write
    from aspdoku.questions.generate import Completion as Completion
    from aspdoku.questions.generate import GeneratedPuzzles as GeneratedPuzzles
    from aspdoku.questions.generate import complete as complete
    from aspdoku.questions.generate import generate as generate
    from aspdoku.questions.grade import Grade as Grade
    from aspdoku.questions.grade import Review as Review
    from aspdoku.questions.grade import grade as grade
    from aspdoku.questions.grade import review as review
    from aspdoku.questions.read import Interpretation as Interpretation
    from aspdoku.questions.read import interpret as interpret
    from aspdoku.questions.redundant import MinimalPuzzle as MinimalPuzzle
    from aspdoku.questions.redundant import Redundancy as Redundancy
    from aspdoku.questions.redundant import minimise as minimise
    from aspdoku.questions.redundant import redundant as redundant
    from aspdoku.questions.result import Result as Result
    from aspdoku.questions.solve import SolutionCount as SolutionCount
    from aspdoku.questions.solve import Solutions as Solutions
    from aspdoku.questions.solve import Uniqueness as Uniqueness
    from aspdoku.questions.solve import count as count
    from aspdoku.questions.solve import solve as solve
    from aspdoku.questions.solve import unique as unique
    from aspdoku.questions.source import RuleFiles as RuleFiles
    from aspdoku.questions.source import compose as compose
    from aspdoku.questions.source import examples as examples
    from aspdoku.questions.source import rules as rules
    from aspdoku.questions.test import Judged as Judged
    from aspdoku.questions.test import judge as judge
    from aspdoku.web.handout import handout as handout

__version__ = "0.1.0"


@cache
def _module_of() -> dict[str, str]:
    """The module of each public name."""
    source = Path(__file__).read_text("utf-8")
    imports = re.findall(r"^    from (\S+) import (\w+) as \2$", source, re.MULTILINE)
    return {name: module for module, name in imports}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that a command only loads what it needs."""
    if name == "__all__":
        return sorted(_module_of())
    if name not in _module_of():
        raise AttributeError(f"module 'aspdoku' has no attribute '{name}'")
    value = getattr(import_module(_module_of()[name]), name)
    globals()[name] = value
    import_module("aspdoku.puzzle.render").set_drawer(_drawing)
    return value


def _drawing(shown: Puzzle | Solution | Program) -> str:
    """What a notebook shows of a puzzle, a solution or a program."""
    drawing: str = import_module("aspdoku.drawing.output").notebook_svg(shown)
    return drawing


def load_ipython_extension(shell: object) -> None:
    """Define `%%aspdoku` in a notebook; IPython calls this for `%load_ext aspdoku`."""
    import_module("aspdoku.cli.notebook").register(shell)


def __dir__() -> list[str]:
    return sorted([*_module_of(), "__version__"])
