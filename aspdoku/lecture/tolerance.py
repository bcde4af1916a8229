"""Elaboration tolerance, measured: what the rules of a puzzle add to a base, remove from it and
change in it, for our base and for that of the slides.

Each base is the classic game, ours with the default rules. The givens are left out, because they
simplify ground rules, and the clues are in both programs. That a program is the puzzle's is not
assumed: over the base of the slides, for which our rules were not written, its answer is compared
with that over ours.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from aspdoku.engine.solver import RANDOM_OPTIONS, Solver, grid_atoms
from aspdoku.errors import GrowthError, RuleError, TimeLimitError
from aspdoku.lecture import changes
from aspdoku.lecture.elaboration import Stage, edited_base, planned_changes
from aspdoku.program import Program, RuleFile, library
from aspdoku.program.rulefile import EXCEPTIONS
from aspdoku.puzzle import Puzzle
from aspdoku.puzzle.puzzle import box_shape
from aspdoku.runtime.deadline import Deadline

# What becomes of the base. The first three contain its text byte for byte.
Fate = Literal["kept", "retracted", "changed", "edited", "unfit", "open"]
FATES: tuple[Fate, ...] = get_args(Fate)
UNTOUCHED: tuple[Fate, ...] = FATES[:3]
# Random solutions that are compared if there are several, each with a seed of its own.
_COMPARED = 100


class Measure(NamedTuple):
    """A puzzle over a base.

    fate: "kept": all ground rules of the base remain; "retracted": a fact retracts rules, and
        ground rules are lost; "changed": they are lost without that; "edited": statements were
        removed; "unfit": the program does not have the puzzle's answer, or cannot be written;
        "open": the time limit was reached, or there is no solution to be compared
    added, removed: statements of the text, without clues
    ground_diff: of the programs without givens; None if the base is unfit or this is open
    """

    fate: Fate
    added: int = 0
    removed: int = 0
    ground_diff: changes.GroundDiff | None = None


class Meter:
    """Measures puzzles over both bases; those with the same rules and clues share a ground program.

    each: seconds for a question about a puzzle, of which there are up to six
    """

    def __init__(self, each: float) -> None:
        self._each = each
        self._slides = library.bundled("slides/base.lp")
        self._known: dict[object, changes.GroundDiff | None] = {}

    @property
    def bases(self) -> tuple[RuleFile, RuleFile]:
        """Ours, and that of the slides, in the order of the measures."""
        return library.base(), self._slides

    def measure(self, program: Program) -> tuple[Measure, Measure]:
        """The measures of a puzzle, whose program this is, over both bases."""
        known = {*library.standard(), *library.speed().values()}
        added = [rule for rule in program.rules if rule not in known]
        first = Stage((*library.game(),), constants=_constants(program))
        ours = self._measured(program, first, _last(first, program.puzzle, added))
        return ours, self._over_slides(program, added)

    def _over_slides(self, program: Program, added: list[RuleFile]) -> Measure:
        first = start = Stage((self._slides,), constants=_constants(program))
        puzzle, game = program.puzzle, library.defaults()
        try:
            if puzzle.box is None and not {rule.name for rule in game} & {*puzzle.without}:
                # Regions of its own: the boxes of the base go, and our rule takes their place.
                for rule in game:
                    start = start._replace(rules=(edited_base(start.rules[0], rule.name),))
                start = start._replace(rules=(*start.rules, *game))
            last = _last(start, puzzle, added)
            other = last.program(puzzle)
        except RuleError:
            return Measure("unfit")
        if _exceptions(puzzle) - {each.name.replace("-", "_") for each in added}:
            return Measure("unfit")  # its rules know no exceptions
        agrees = _agree(program, other, self._each)
        if not agrees:
            return Measure("open" if agrees is None else "unfit")
        return self._measured(program, first, last)

    def _measured(self, program: Program, first: Stage, last: Stage) -> Measure:
        puzzle = program.without_givens().puzzle
        after = last.program(puzzle)
        sizes = after.sizes
        if first.rules[0] != last.rules[0] and puzzle.box is None:
            rows, columns = box_shape(puzzle.size)
            sizes = {**sizes, "box_rows": rows, "box_columns": columns}
        before = first.program(puzzle, sizes)
        text = changes.diff_texts(before, after)
        key = first, last, puzzle.facts, puzzle.size, puzzle.numbers, tuple(sizes.items())
        if key not in self._known:
            self._known[key] = self._ground_diff(before, after)
        ground = self._known[key]
        fate: Fate = "kept"
        if text.removed or not all(file.untouched for file in text.kept):
            fate = "edited"
        elif ground is None:
            fate = "open"
        elif ground.kept < ground.before:
            fate = "retracted" if puzzle.without or _exceptions(puzzle) else "changed"
        return Measure(fate, len(text.added), len(text.removed), ground)

    def _ground_diff(self, before: Program, after: Program) -> changes.GroundDiff | None:
        try:
            traced = (changes.trace(program, self._each) for program in (before, after))
            return changes.diff_ground_programs(*traced)
        except (TimeLimitError, GrowthError):
            return None


def _constants(program: Program) -> tuple[tuple[str, str | int], ...]:
    return tuple(program.constants.items())


def _last(first: Stage, puzzle: Puzzle, added: list[RuleFile]) -> Stage:
    """The stage with all rules, exceptions and retractions of a puzzle. Raises RuleError."""
    made = list(planned_changes(first, puzzle, added, Deadline(None)))
    return made[-1].after if made else first


def _exceptions(puzzle: Puzzle) -> set[str]:
    """The rules of which facts of a puzzle are exceptions."""
    return {str(each.arguments[0]) for each in puzzle.facts if each.name == EXCEPTIONS}


def _agree(ours: Program, theirs: Program, seconds: float) -> bool | None:
    """Whether two programs have the same solution or, as far as random ones show it, the same
    solutions. Without any, they are compared without givens: wrong programs may have none, too.
    None if the time limit leaves this open, or there is still no solution.
    """
    try:
        solvers = Solver(ours, seconds), Solver(theirs, seconds)
        searches = [solver.search(2) for solver in solvers]
        found = [list(search) for search in searches]
        if any(search.ended == "time" for search in searches):
            return None
        if [*map(len, found)] == [1, 1]:
            return found[0][0].rows == found[1][0].rows
        if len(found[0]) != len(found[1]):
            return False
        if not found[0]:
            has_givens = ours.puzzle.givens()
            blank = ours.without_givens(), theirs.without_givens()
            return _agree(*blank, seconds) if has_givens else None
        for program, other in ((ours, solvers[1]), (theirs, solvers[0])):
            random = Solver(program, seconds, options=RANDOM_OPTIONS)
            for seed in range(_COMPARED):
                random.ground().configuration.solver.seed = seed  # type: ignore[union-attr]
                drawn = random.search(1)
                for solution in list(drawn):
                    same = other.is_possible(*((atom, True) for atom in grid_atoms(solution)))
                    if not same:
                        return same
                if drawn.ended == "time":
                    return None
    except (TimeLimitError, GrowthError):
        return None
    except RuleError:  # atoms that are no cells of the grid
        return False
    return True
