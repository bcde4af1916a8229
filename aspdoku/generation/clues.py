"""Clues for a new puzzle, as the `.gen` files next to the rules draw them (`clue_files`).

Whether a clue is right is decided by the rule file itself: clues that it rejects are left out, so
that a `.gen` file may propose all values that a clue can have. `try_clue_file` finds files that
draw too much, that draw only clues that the rule rejects, and that have no answer set.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from itertools import product
from random import Random

from aspdoku.counting.sampling import Sampler
from aspdoku.engine.clues import Clue, clues
from aspdoku.engine.solver import CELL_ATOM, RANDOM_OPTIONS, Pace, Solver, from_symbol, grid_atoms
from aspdoku.errors import AspdokuError, GrowthError, NoSolutionError, RuleError, TimeLimitError
from aspdoku.generation.clue_files import CLUE, ORDER, SUFFIX, ClueFile, Stage, clue_files
from aspdoku.program import Part, Program, RuleFile, assemble, library, with_facts_only
from aspdoku.program.lint import defined_predicates
from aspdoku.program.messages import Message
from aspdoku.program.syntax import predicates
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.puzzle import GIVEN
from aspdoku.puzzle.term import Term, to_asp
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.runtime.child import Aborted, Limits, run_limited
from aspdoku.runtime.deadline import Deadline

# Sizes for which a file has to draw something.
_USUAL_SIZES = (4, 6, 9)
_MOST_SEEDS = 2**31
# Facts that a file may draw: about three times the sums at all edges of a 25x25 grid.
_MOST_FACTS = 100_000
# Solutions for which the rule has to reject all clues of a file, for a warning.
_SOLUTIONS = 3


class NoCluesError(RuleError):
    """A `.gen` file has no answer set."""


class Scene:
    """The atoms that are facts for `.gen` files: of a blank grid, or of one with its solution."""

    def __init__(self, program: Program, deadline: Deadline, pace: Pace | None = None) -> None:
        self._solver = Solver(program, deadline.time_limit(), pace=pace)
        self._literals: dict[str, int] = {}

    def blank(self) -> list[str]:
        """The facts of the program."""
        return [text for text, is_fact in self.atoms if is_fact]

    @cached_property
    def atoms(self) -> list[tuple[str, bool]]:
        """All atoms, and whether they are facts."""
        return [(str(atom.symbol), atom.is_fact) for atom in self._solver.ground().symbolic_atoms]

    @cached_property
    def _grid_decides(self) -> bool:
        """Whether only a/3 varies: every other atom is a fact."""
        return all(is_fact or CELL_ATOM.fullmatch(text) for text, is_fact in self.atoms)

    def solved(self, solution: Solution) -> list[str]:
        """The atoms of an answer set with this solution."""
        if self._grid_decides:
            grid = set(map(str, grid_atoms(solution)))
            return [text for text, is_fact in self.atoms if is_fact or text in grid]
        shown = {atom.signature for atom in _shown_atoms(solution)}
        self._literals = self._literals or self._solver.literals({GIVEN, *shown})
        atoms = (*map(str, grid_atoms(solution)), *map(to_asp, solution.shown))
        answer_set = self._solver.first_answer_set([self._literals[atom] for atom in atoms])
        if answer_set is None:
            raise RuleError("the solution is not one of the rules")
        return list(map(str, answer_set))


def _shown_atoms(solution: Solution) -> list[Function]:
    return [atom for atom in solution.shown if isinstance(atom, Function)]


class Drawing:
    """Draws clues at random for the facts of a scene, with at most so many conflicts, 0 for any."""

    def __init__(
        self,
        file: ClueFile,
        program: Program,
        facts: Iterable[str],
        random: Random,
        deadline: Deadline,
        pace: Pace | None = None,
        most_conflicts: int = 0,
    ) -> None:
        size = program.puzzle.size
        places = random.sample(range(1, size**2 + 1), size**2)
        cells = product(range(1, size + 1), repeat=2)
        order = (
            f"{ORDER[0]}({row},{column},{place})"
            for (row, column), place in zip(cells, places, strict=True)
        )
        self.file = file
        self._program = program
        self._scene = [*facts]
        self._facts = [*self._scene, *order]
        self._inputs = file.drawn_inputs(program.puzzle.facts)
        self.deadline = deadline
        self._pace = pace
        options = [*RANDOM_OPTIONS, f"--seed={random.randrange(_MOST_SEEDS)}"]
        if most_conflicts:
            options.append(f"--solve-limit={most_conflicts}")
        self._solver = self._solver_of(file.programs[0], self._facts, *options)

    def _solver_of(self, stage: Stage, facts: Iterable[str], *options: str) -> Solver:
        files, read = (*stage.files, stage.shown), _of_predicates(facts, stage.read)
        program = with_facts_only(self._program.puzzle, files, read, self._program.constants)
        return Solver(program, self.deadline.time_limit(), options=options, pace=self._pace)

    def clues(self, kept: Collection[Function] = ()) -> dict[Function, str]:
        """The inputs of the rule in the first answer set that clingo finds, with the `kept` ones,
        each with the name of the clue that `clue/2` makes it a part of, if any. Raises NoCluesError
        if there is no answer set, RuleError if there are too many or one is outside of the grid,
        TimeLimitError.
        """
        literals = (self._solver.literal(to_asp(fact)) for fact in kept)
        assumed = [literal for literal in literals if literal is not None]
        atoms = self._solver.first_answer_set(assumed, shown=True)
        for stage in self.file.programs[1:]:
            if atoms is not None:
                known = dict.fromkeys([*self._facts, *map(str, atoms)])
                atoms = self._solver_of(stage, known).first_answer_set(shown=True)
        if atoms is None:
            raise self._no_clues()
        starts = tuple(f"{name}(" for name, _ in (CLUE, *self._inputs))
        named = sorted((text, atom) for atom in atoms if (text := str(atom)).startswith(starts))
        if len(named) > _MOST_FACTS:
            many = f"{len(named):,} facts, and at most {_MOST_FACTS:,} can be tried"
            raise RuleError(f"{self.file.text.place}: it draws {many}: let it draw fewer")
        # Boxes are in the scene, although some rules have them as inputs.
        scene = set(self._facts)
        drawn = [from_symbol(atom) for text, atom in named if text not in scene]
        facts = [fact for fact in drawn if isinstance(fact, Function)]
        self._require_inside(facts)
        clues = (fact.arguments for fact in facts if fact.signature == CLUE)
        names = {part: f"{self.file.rule.name} {clue}" for clue, part in clues}
        return {fact: names.get(fact, "") for fact in facts if fact.signature in self._inputs}

    def accepted(self, drawn: Mapping[Function, str], solution: Solution) -> list[Function]:
        """The facts of the clues that a solution satisfies: all together, or each that does alone.

        drawn: facts that were drawn for the atoms of the solution, with the names of their clues
        """
        rule, puzzle, constants = self.file.rule, self._program.puzzle, self._program.constants
        names = {name for name, _ in predicates(rule) - defined_predicates(rule)}
        known = _of_predicates(self._scene, names)

        def solver_of(rules: list[RuleFile], facts: Iterable[str]) -> Solver:
            stated = with_facts_only(puzzle, rules, facts, constants)
            return Solver(stated, self.deadline.time_limit(), pace=self._pace)

        if not _shown_atoms(solution):
            stated = solver_of([rule], [*known, *map(to_asp, drawn)])
            if stated.first_answer_set() is not None:
                return list(drawn)
        choices = "\n".join(f"{{ {to_asp(fact)} }}." for fact in drawn)
        solver = solver_of([rule, RuleFile("clues", "clues", choices, vetted=True)], known)
        literals = solver.literals({atom.signature for atom in (*drawn, *_shown_atoms(solution))})
        shown = [literals[atom] for atom in map(to_asp, solution.shown) if atom in literals]
        assumed = {fact: literals[to_asp(fact)] for fact in drawn}
        if solver.first_answer_set([*assumed.values(), *shown]) is not None:
            return list(drawn)
        right: list[Function] = []
        parts = tuple(Part(each, 0) for each in (library.base(), rule))
        stating = Program(
            "", puzzle.replace(facts=tuple(drawn)), parts, constants, self._program.sizes
        )
        for group in grouped(clues(stating), drawn):
            together = [fact for clue in group for fact in clue.facts]
            held = {fact: -literal for fact, literal in assumed.items()}
            held |= {fact: assumed[fact] for fact in together}
            if solver.first_answer_set([*held.values(), *shown]) is not None:
                right += together
        return right

    def _no_clues(self) -> NoCluesError:
        place, size = self.file.text.place, self._program.puzzle.size
        if self._contradicts_itself():
            sizes = ", ".join(f"{each}x{each}" for each in _USUAL_SIZES)
            return NoCluesError(
                f"{place}: the file contradicts itself: the program has no answer set for any"
                f" numbers in grids of {sizes}; remove a fact or a constraint"
            )
        return NoCluesError(
            f"{place}: no clues can be drawn for a {size}x{size} grid: the program has no answer"
            " set for its solution; choose another size, or let the file draw fewer clues"
        )

    def _contradicts_itself(self) -> bool:
        """Whether the file has no answer set, whatever else than the facts is true of a grid."""
        with suppress(AspdokuError):  # of the rules for another size, and at the time limit
            return not any(map(self._may_draw, _USUAL_SIZES))
        return False

    def _may_draw(self, size: int) -> bool:
        blank, constants = Puzzle.blank(size), self._program.constants
        scene = Scene(assemble(blank, self._program.rules, constants=constants), self.deadline)
        order = f"{{ {ORDER[0]}(R,C,1..{size**2}) }} :- cell(R,C)"
        free = [*(text if fact else f"{{ {text} }}" for text, fact in scene.atoms), order]
        files = (*self.file.programs[0].files, self.file.programs[0].shown)
        program = with_facts_only(blank, files, free, constants)
        return Solver(program, self.deadline.time_limit()).first_answer_set() is not None

    def _require_inside(self, facts: Iterable[Function]) -> None:
        size, rule = self._program.puzzle.size, self.file.rule
        declared = {item.signature: item for item in rule.inputs}
        for fact in facts:
            item = declared.get(fact.signature)
            for place in item.of_kind("line") if item else ():
                if item and fact.arguments[place] not in range(1, size + 1):
                    raise RuleError(
                        f"{self.file.text.place}: it draws {fact}, which is outside of the"
                        f" {size}x{size} grid: add cell(R,C) or the like to its rules; if"
                        f" {item.arguments[place]} of {item.text} is not a row or column, use"
                        f" another letter in {rule.place}"
                    )


def _of_predicates(facts: Iterable[str], names: Collection[str]) -> list[str]:
    return [fact for fact in facts if fact.partition("(")[0] in names]


def renamed(fact: Function, places: Collection[int], names: Mapping[Term, Term]) -> Function:
    """The fact with other names in these places."""
    terms = enumerate(fact.arguments)
    new = (names.get(term, term) if place in places else term for place, term in terms)
    return Function(fact.name, tuple(new))


def grouped(every: Iterable[Clue], names: Mapping[Function, str]) -> list[tuple[Clue, ...]]:
    """Group clues by the name of their first fact."""
    groups: dict[Clue | str, list[Clue]] = defaultdict(list)
    for clue in every:
        groups[names.get(clue.facts[0]) or clue].append(clue)
    return list(map(tuple, groups.values()))


def try_clue_file(rule: RuleFile, time_limit: float) -> list[Message]:
    """An error if the valid `.gen` file next to a rule draws too much or has no answer set on small
    grids, a warning if it draws nothing, or no clues that the rule accepts. It is tried in a child
    process for half of the time limit; without a solution, nothing is found.
    """
    if rule.path is None or not rule.path.with_suffix(SUFFIX).is_file():
        return []
    limits = Limits(time_limit / 2)
    place = rule.place.removesuffix(".lp") + SUFFIX
    try:
        outcome = run_limited(limits, _fault, rule, time_limit / 4)
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


def _fault(rule: RuleFile, seconds: float) -> str:
    """Why a file is likely to be wrong, on the first size with a solution. Raises RuleError."""
    for size in reversed(_USUAL_SIZES):
        program = assemble(Puzzle.blank(size), [*library.game(rule.name), rule])
        for file in clue_files(program):
            with suppress(NoSolutionError, TimeLimitError):  # of the rules without the file
                return _rejection(file, program, seconds)
    return ""


def _rejection(file: ClueFile, program: Program, seconds: float) -> str:
    """Why nothing can come of what the file draws for several solutions; empty if something can."""
    size = program.puzzle.size
    if not file.drawn_inputs(()):  # it only retracts rules
        return ""
    played = program.changed(retracted=file.retracted)
    rejected: list[tuple[Drawing, Solution, dict[Function, str]]] = []
    for seed in range(_SOLUTIONS):
        deadline = Deadline(seconds)
        scene, solution = Scene(played, deadline), None
        if file.follows_solution:
            solution = Sampler(played, seed, deadline.time_limit()).draw()
        facts = scene.solved(solution) if solution else scene.blank()
        drawing = Drawing(file, program, facts, Random(seed), Deadline(seconds))
        try:
            drawn = drawing.clues()
        except TimeLimitError:
            raise RuleError(
                f"drawing clues for a {size}x{size} grid did not end within {seconds:.2g} s: let"
                " the file draw fewer facts"
            ) from None
        drawing.deadline = deadline
        if drawn and (not solution or drawing.accepted(drawn, solution)):
            return ""
        if drawn and solution:
            rejected.append((drawing, solution, drawn))
    if not rejected:
        return (
            f"it draws nothing for {_SOLUTIONS} solutions of a {size}x{size} grid: the bodies of"
            " its rules hold for no cell, or it may choose nothing; state how many clues are"
            " chosen, as in 1 { … } 5"
        )
    drawing, solved, drawn = rejected[-1]
    drawing.deadline = Deadline(seconds)
    for fact in sorted(drawn, key=to_asp):
        if drawing.accepted({fact: ""}, solved):
            return _exclusion(file.rule, fact, drawn)
    example = f"{pluralize(len(drawn), 'fact')}, such as {min(map(to_asp, drawn))}"
    return (
        f"the rule {file.rule.name} rejects all that is drawn for {_SOLUTIONS} solutions:"
        f" {example}; draw what is true of the solution, a(R,C,N)"
    )


def _exclusion(rule: RuleFile, fact: Function, drawn: Collection[Function]) -> str:
    others = sorted(set(drawn) - {fact}, key=to_asp)
    near = [each for each in others if each.arguments[:2] == fact.arguments[:2]] or others
    text = f"the rule {rule.name} accepts {fact} alone, but not together with {near[0]}: let the"
    return f"{text} file draw clues that can be true together, as in 1 {{ … }} 1 for each cell"
