"""Try the `.gen` file next to a rule on small grids: find files that draw too much, that draw only
clues that the rule rejects, and that have no answer set.
"""

from __future__ import annotations

from contextlib import suppress
from random import Random

from aspdoku.counting.sampling import Sampler
from aspdoku.deadline import Deadline
from aspdoku.engine.sandbox import DEFAULT_LIMITS, Aborted, Limits, run_limited
from aspdoku.errors import AspdokuError, NoSolutionError, RuleError, TimeLimitError
from aspdoku.generation.clue_files import SUFFIX, ClueFile, clue_files
from aspdoku.generation.clues import Drawing, Scene, accepted
from aspdoku.program import Program, RuleFile, assemble, library
from aspdoku.program.messages import Message
from aspdoku.puzzle import Puzzle, Solution
from aspdoku.puzzle.term import to_asp
from aspdoku.puzzlefile.lines import pluralize

# The sizes to try until one has a solution.
_SIZES = (9, 6, 4)
# Solutions for which the rule has to reject all clues.
_SOLUTIONS = 3
# Seconds for starting a child process, in addition to those for its work.
_START = 1.0


def try_clue_file(rule: RuleFile, time_limit: float) -> list[Message]:
    """An error if the valid `.gen` file next to a rule draws too much or nothing, a warning if it
    draws no clue that the rule accepts.

    It is tried in a child process; without a solution to draw clues for, nothing is found.

    time_limit: seconds, of which this may take half, and drawing clues once a quarter
    """
    if rule.path is None or not rule.path.with_suffix(SUFFIX).is_file():
        return []
    seconds = time_limit / 4
    limit = time_limit / 2 + _START
    place = rule.place.removesuffix(".lp") + SUFFIX
    try:
        found = run_limited(Limits(limit, limit, DEFAULT_LIMITS.memory), _tried, rule, seconds)
    except RuleError as error:
        return [Message(place, 1, 1, "error", str(error).removeprefix(f"{place}: "))]
    except AspdokuError:
        return []
    if isinstance(found, Aborted):
        text = f"drawing clues takes {found}: let the file draw fewer facts"
        return [Message(place, 1, 1, "error", text)] if found.limit == "memory" else []
    return [Message(place, 1, 1, "warning", f"warning: {found}")] if found else []


def _tried(rule: RuleFile, seconds: float) -> str:
    """Why the file is likely to be wrong; empty if it is not.

    Raises RuleError if it draws too much, or has no answer set.
    """
    game = [library.base(), *(each for each in library.defaults() if each.name != rule.name)]
    for size in _SIZES:
        program = assemble(Puzzle.blank(size), [*game, rule])
        for file in clue_files(program):
            with suppress(NoSolutionError, TimeLimitError):  # of the rules without the file
                return _rejection(file, program, seconds)
    return ""


def _rejection(file: ClueFile, program: Program, seconds: float) -> str:
    """Which clues the rule rejects if it rejects all that are drawn for several solutions."""
    example = ""
    for seed in range(_SOLUTIONS):
        deadline = Deadline(seconds)
        facts, solution = _scene(file, program, seed, deadline)
        try:
            drawn = Drawing(file, program, facts, Random(seed), Deadline(seconds)).clues()
        except TimeLimitError:
            size = program.puzzle.size
            raise RuleError(
                f"drawing clues for a {size}x{size} grid did not end within {seconds:.2g} s: let"
                " the file draw fewer facts"
            ) from None
        if not drawn or solution is None:
            return ""
        if accepted(file, drawn, program, solution, facts, deadline):
            return ""
        example = f"{pluralize(len(drawn), 'fact')}, such as {min(map(to_asp, drawn))}"
    return (
        f"the rule {file.rule.name} rejects all that is drawn for {_SOLUTIONS} solutions:"
        f" {example}; draw what is true of the solution, a(R,C,N)"
    )


def _scene(
    file: ClueFile, program: Program, seed: int, deadline: Deadline
) -> tuple[list[str], Solution | None]:
    """The facts to draw clues from, and the solution in them, if the file refers to one."""
    rules = [part.rule for part in program.parts]
    played = assemble(program.puzzle, rules, file.retracted)
    scene = Scene(played, deadline)
    if not file.follows_solution:
        return scene.blank(), None
    solution = Sampler(played, seed, deadline.time_limit()).draw()
    return scene.solved(solution), solution
