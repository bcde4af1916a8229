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
    from aspdoku.api.analysis import candidates, depends, redundant
    from aspdoku.api.batch import batch
    from aspdoku.api.files import convert, draw, examples, write
    from aspdoku.api.generation import generate, minimise
    from aspdoku.api.learning import learn
    from aspdoku.api.lesson import compare, elaborate
    from aspdoku.api.reasons import conflict, explain, grade, hint, why
    from aspdoku.api.rules import check, equivalent, rules
    from aspdoku.api.setting import complete, review
    from aspdoku.api.solving import count, solve, unique
    from aspdoku.api.source import compose
    from aspdoku.engine import Solver
    from aspdoku.errors import (
        AspdokuError,
        AspdokuWarning,
        NoSolutionError,
        PuzzleError,
        RuleError,
        TimeLimitError,
    )
    from aspdoku.formats import parse, read
    from aspdoku.program import Program, RuleFile
    from aspdoku.puzzle import Puzzle, Solution
    from aspdoku.web.handout import handout

__version__ = "0.1.0"

_MODULES = {
    "aspdoku.api.analysis": ("candidates", "depends", "redundant"),
    "aspdoku.api.batch": ("batch",),
    "aspdoku.api.files": ("convert", "draw", "examples", "write"),
    "aspdoku.api.generation": ("generate", "minimise"),
    "aspdoku.api.learning": ("learn",),
    "aspdoku.api.lesson": ("compare", "elaborate"),
    "aspdoku.api.reasons": ("conflict", "explain", "grade", "hint", "why"),
    "aspdoku.api.rules": ("check", "equivalent", "rules"),
    "aspdoku.api.setting": ("complete", "review"),
    "aspdoku.api.solving": ("count", "solve", "unique"),
    "aspdoku.api.source": ("compose",),
    "aspdoku.engine": ("Solver",),
    "aspdoku.errors": (
        "AspdokuError",
        "AspdokuWarning",
        "NoSolutionError",
        "PuzzleError",
        "RuleError",
        "TimeLimitError",
    ),
    "aspdoku.formats": ("parse", "read"),
    "aspdoku.program": ("Program", "RuleFile"),
    "aspdoku.puzzle": ("Puzzle", "Solution"),
    "aspdoku.web.handout": ("handout",),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}
__all__ = [
    "AspdokuError",
    "AspdokuWarning",
    "NoSolutionError",
    "Program",
    "Puzzle",
    "PuzzleError",
    "RuleError",
    "RuleFile",
    "Solution",
    "Solver",
    "TimeLimitError",
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
