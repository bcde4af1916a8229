"""Try the `.gen` file next to a rule on small grids: find files that draw too much, that draw only
clues that the rule rejects, and that have no answer set.
"""

from __future__ import annotations

from contextlib import suppress
from random import Random

from aspdoku.counting.sampling import Sampler
from aspdoku.errors import AspdokuError, GrowthError, NoSolutionError, RuleError, TimeLimitError
from aspdoku.generation.clue_files import SUFFIX, ClueFile, clue_files
from aspdoku.generation.clues import Drawing, Scene, accepted
from aspdoku.program import Program, RuleFile, assemble, library
from aspdoku.program.messages import Message
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.term import to_asp
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.runtime.child import DEFAULT_LIMITS, Aborted, Limits, run_limited
from aspdoku.runtime.deadline import Deadline

# The sizes to try until one has a solution.
_SIZES = (9, 6, 4)
# Solutions for which the rule has to reject all clues.
_SOLUTIONS = 3


def try_clue_file(rule: RuleFile, time_limit: float) -> list[Message]:
    """An error if the valid `.gen` file next to a rule draws too much or has no answer set, a
    warning if it draws nothing, or no clues that the rule accepts.

    It is tried in a child process; without a solution to draw clues for, nothing is found.

    time_limit: seconds, of which this may take half, and drawing clues once a quarter
    """
    if rule.path is None or not rule.path.with_suffix(SUFFIX).is_file():
        return []
    seconds = time_limit / 4
    limit = time_limit / 2
    place = rule.place.removesuffix(".lp") + SUFFIX
    try:
        outcome = run_limited(Limits(limit, DEFAULT_LIMITS.memory), _tried, rule, seconds)
    except GrowthError as error:
        text = error.problem if error.file == place else str(error)
        source = rule.path.with_suffix(SUFFIX).read_text(encoding="utf-8")
        return [Message(place, *error.position, "error", text).with_excerpt(source)]
    except RuleError as error:
        return [Message(place, 1, 1, "error", str(error).removeprefix(f"{place}: "))]
    except AspdokuError:
        return []
    if isinstance(outcome, Aborted):
        text = f"drawing clues takes {outcome}: let the file draw fewer facts"
        return [Message(place, 1, 1, "error", text)] if outcome.limit == "memory" else []
    return [Message(place, 1, 1, "warning", f"warning: {outcome}")] if outcome else []


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
    """Why nothing can come of what the file draws for several solutions; empty if something can."""
    size = program.puzzle.size
    grids = f"{_SOLUTIONS} solutions of a {size}x{size} grid"
    if not file.drawn_inputs(()):  # it only retracts rules
        return ""
    some: tuple[dict[Function, str], Solution, list[str]] | None = None
    for seed in range(_SOLUTIONS):
        deadline = Deadline(seconds)
        facts, solution = _scene(file, program, seed, deadline)
        try:
            drawn = Drawing(file, program, facts, Random(seed), Deadline(seconds)).clues()
        except TimeLimitError:
            raise RuleError(
                f"drawing clues for a {size}x{size} grid did not end within {seconds:.2g} s: let"
                " the file draw fewer facts"
            ) from None
        if not drawn:
            continue
        if solution is None or accepted(file, drawn, program, solution, facts, deadline):
            return ""
        some = drawn, solution, facts
    if some is None:
        return (
            f"it draws nothing for {grids}: the bodies of its rules hold for no cell, or it may"
            " choose nothing; state how many clues are chosen, as in 1 { … } 5"
        )
    drawn, solution, facts = some
    deadline = Deadline(seconds)
    for fact in sorted(drawn, key=to_asp):
        if accepted(file, {fact: ""}, program, solution, facts, deadline):
            others = sorted(set(drawn) - {fact}, key=to_asp)
            near = [each for each in others if each.arguments[:2] == fact.arguments[:2]] or others
            return (
                f"the rule {file.rule.name} accepts {fact} alone, but not together with {near[0]}:"
                " let the file draw clues that can be true together, as in 1 { … } 1 for each cell"
            )
    example = f"{pluralize(len(drawn), 'fact')}, such as {min(map(to_asp, drawn))}"
    return (
        f"the rule {file.rule.name} rejects all that is drawn for {_SOLUTIONS} solutions:"
        f" {example}; draw what is true of the solution, a(R,C,N)"
    )


def _scene(
    file: ClueFile, program: Program, seed: int, deadline: Deadline
) -> tuple[list[str], Solution | None]:
    """The facts to draw clues from, and the solution in them, if the file refers to one."""
    played = program.changed(retracted=file.retracted)
    scene = Scene(played, deadline)
    if not file.follows_solution:
        return scene.blank(), None
    solution = Sampler(played, seed, deadline.time_limit()).draw()
    return scene.solved(solution), solution
