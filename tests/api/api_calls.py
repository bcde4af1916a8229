"""The functions about a puzzle, each as a call with a puzzle and the shared keyword arguments.

SMALL, UNIQUE, IMPOSSIBLE and PARTLY are texts of 4x4 puzzles: with several solutions, with one,
with none, and with a part that could not be interpreted.
"""

from functools import partial

import aspdoku

SMALL = "1... .... ..2. ...."
UNIQUE = "title: one solution\n\n. 4 . .\n. . . 4\n. . 2 .\n1 . . .\n"
IMPOSSIBLE = "11.. .... .... ...."
PARTLY = f"unsupported: fog\n{UNIQUE}"


def why(puzzle, **arguments):
    return aspdoku.why(puzzle, "r3c2=3", **arguments)


def compare(puzzle, **arguments):
    return aspdoku.compare(puzzle, "findling", **arguments)


SOLVING = {
    "solve": aspdoku.solve,
    "count": aspdoku.count,
    "unique": aspdoku.unique,
    "candidates": partial(aspdoku.candidates, count_to=100),
    "depends": aspdoku.depends,
    "redundant": aspdoku.redundant,
    "minimise": aspdoku.minimise,
    "fewest": aspdoku.fewest,
    "complete": aspdoku.complete,
    "review": aspdoku.review,
}
REASONS = {
    "explain": aspdoku.explain,
    "hint": aspdoku.hint,
    "why": why,
    "conflict": aspdoku.conflict,
    "grade": aspdoku.grade,
}
LESSON = {"elaborate": aspdoku.elaborate, "compare": compare}
CALLS = SOLVING | REASONS | LESSON | {"draw": aspdoku.draw}


def content(result):
    """The content of a result without file names and measured times."""
    if isinstance(result, aspdoku.Grade):
        return result.difficulty
    if isinstance(result, aspdoku.FormalismComparison):
        return result.reference.solutions, [(row.engine.name, row.status) for row in result.rows]
    if isinstance(result, aspdoku.Elaborations):
        return [step._replace(unified_diff=()) for step in result.data.steps]
    if isinstance(result, aspdoku.Drawing):
        return str(result)
    return str(result), result.to_json()
