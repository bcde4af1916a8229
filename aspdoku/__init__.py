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

from importlib import import_module

TYPE_CHECKING = False  # that of `typing`, which a command only imports after its fork
if TYPE_CHECKING:
    from aspdoku.api.analysis import (
        CandidateGrid,
        Dependence,
        Redundancy,
        candidates,
        depends,
        redundant,
    )
    from aspdoku.api.batch import BatchResult, BatchResults, batch
    from aspdoku.api.files import Drawing, convert, draw, examples, write
    from aspdoku.api.generation import GeneratedPuzzles, MinimalPuzzle, generate, minimise
    from aspdoku.api.learning import Learned, learn
    from aspdoku.api.lesson import Elaborations, FormalismComparison, compare, elaborate
    from aspdoku.api.reasons import (
        ClaimExplanation,
        ConflictReport,
        Grade,
        Hint,
        SolutionExplanation,
        conflict,
        explain,
        grade,
        hint,
        why,
    )
    from aspdoku.api.rules import CheckReport, Equivalence, RuleFiles, check, equivalent, rules
    from aspdoku.api.setting import Completion, Review, complete, review
    from aspdoku.api.solving import SolutionCount, Solutions, Uniqueness, count, solve, unique
    from aspdoku.api.source import Result, compose
    from aspdoku.engine import Solver
    from aspdoku.errors import (
        AspdokuError,
        AspdokuWarning,
        NoSolutionError,
        PuzzleError,
        RuleError,
        TimeLimitError,
    )
    from aspdoku.explanation.steps import Claim, Reason, Step
    from aspdoku.formats import parse, read
    from aspdoku.generation.generator import GeneratedPuzzle
    from aspdoku.program import Program, RuleFile
    from aspdoku.puzzle import Puzzle, Solution
    from aspdoku.web.handout import handout

__version__ = "0.1.0"

_MODULES = {
    "aspdoku.api.analysis": (
        "CandidateGrid",
        "Dependence",
        "Redundancy",
        "candidates",
        "depends",
        "redundant",
    ),
    "aspdoku.api.batch": ("BatchResult", "BatchResults", "batch"),
    "aspdoku.api.files": ("Drawing", "convert", "draw", "examples", "write"),
    "aspdoku.api.generation": ("GeneratedPuzzles", "MinimalPuzzle", "generate", "minimise"),
    "aspdoku.api.learning": ("Learned", "learn"),
    "aspdoku.api.lesson": ("Elaborations", "FormalismComparison", "compare", "elaborate"),
    "aspdoku.api.reasons": (
        "ClaimExplanation",
        "ConflictReport",
        "Grade",
        "Hint",
        "SolutionExplanation",
        "conflict",
        "explain",
        "grade",
        "hint",
        "why",
    ),
    "aspdoku.api.rules": (
        "CheckReport",
        "Equivalence",
        "RuleFiles",
        "check",
        "equivalent",
        "rules",
    ),
    "aspdoku.api.setting": ("Completion", "Review", "complete", "review"),
    "aspdoku.api.solving": ("SolutionCount", "Solutions", "Uniqueness", "count", "solve", "unique"),
    "aspdoku.api.source": ("Result", "compose"),
    "aspdoku.engine": ("Solver",),
    "aspdoku.errors": (
        "AspdokuError",
        "AspdokuWarning",
        "NoSolutionError",
        "PuzzleError",
        "RuleError",
        "TimeLimitError",
    ),
    "aspdoku.explanation.steps": ("Claim", "Reason", "Step"),
    "aspdoku.formats": ("parse", "read"),
    "aspdoku.generation.generator": ("GeneratedPuzzle",),
    "aspdoku.program": ("Program", "RuleFile"),
    "aspdoku.puzzle": ("Puzzle", "Solution"),
    "aspdoku.web.handout": ("handout",),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}
__all__ = [
    "AspdokuError",
    "AspdokuWarning",
    "BatchResult",
    "BatchResults",
    "CandidateGrid",
    "CheckReport",
    "Claim",
    "ClaimExplanation",
    "Completion",
    "ConflictReport",
    "Dependence",
    "Drawing",
    "Elaborations",
    "Equivalence",
    "FormalismComparison",
    "GeneratedPuzzle",
    "GeneratedPuzzles",
    "Grade",
    "Hint",
    "Learned",
    "MinimalPuzzle",
    "NoSolutionError",
    "Program",
    "Puzzle",
    "PuzzleError",
    "Reason",
    "Redundancy",
    "Result",
    "Review",
    "RuleError",
    "RuleFile",
    "RuleFiles",
    "Solution",
    "SolutionCount",
    "SolutionExplanation",
    "Solutions",
    "Solver",
    "Step",
    "TimeLimitError",
    "Uniqueness",
    "batch",
    "candidates",
    "check",
    "compare",
    "complete",
    "compose",
    "conflict",
    "convert",
    "count",
    "depends",
    "draw",
    "elaborate",
    "equivalent",
    "examples",
    "explain",
    "generate",
    "grade",
    "handout",
    "hint",
    "learn",
    "minimise",
    "parse",
    "read",
    "redundant",
    "review",
    "rules",
    "solve",
    "unique",
    "why",
    "write",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that a command only loads what it needs."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'aspdoku' has no attribute '{name}'")
    value = getattr(import_module(_MODULE_OF[name]), name)
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
    return sorted([*__all__, "__version__"])
