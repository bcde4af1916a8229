"""Puzzles with a unique solution: `generate` makes them, and `complete` finds what one lacks."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Unpack

from aspdoku.engine.clues import clues
from aspdoku.engine.solver import SearchEnd, Stoppable
from aspdoku.errors import AspdokuError, AspdokuWarning, MissingInputWarning, TimeLimitError
from aspdoku.explanation.techniques import DEFINITIONS, UNIQUENESS
from aspdoku.formats.native import write_with_labels
from aspdoku.generation.clue_files import clue_files, growth_warnings
from aspdoku.generation.completion import Addition, Completions, Nearest
from aspdoku.generation.completion import complete as find_additions
from aspdoku.generation.generator import GeneratedPuzzle, Generator
from aspdoku.generation.new_clues import NewClue
from aspdoku.generation.review import fingerprint_of_program
from aspdoku.generation.wishes import Symmetry, Wishes
from aspdoku.program import Program
from aspdoku.program.rulefile import SIZES
from aspdoku.puzzle import Puzzle
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.questions import result, source
from aspdoku.questions.grade import grade_header, grade_row
from aspdoku.questions.solve import two_solutions, verdict
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.signals import interruptible
from aspdoku.runtime.supervise import notice_time_limit

_MOST_CELLS = 5
_FILLED = "filled"
_LEFT = "solutions left"


@dataclass(frozen=True, repr=False)
class GeneratedPuzzles(result.Result):
    """New puzzles, each with a unique solution.

    puzzles: each with its `puzzle`, its `solution`, its composed `program`, whether it is
        `minimal`, and its `difficulty` if a grade or a technique was wanted
    wanted: how many were asked for
    seed: with which the same arguments give the same puzzles
    tried: how many attempts there were
    ended: "complete" if there are as many puzzles as wanted, or else why not
    nearest: if not, what the attempt was like that came nearest
    """

    _kind = "generate"
    _heading = "Generated puzzles"
    puzzles: tuple[GeneratedPuzzle, ...]
    wanted: int
    seed: int
    tried: int
    ended: SearchEnd
    nearest: str

    @property
    def puzzle(self) -> Puzzle:
        """The first puzzle. Raises TimeLimitError if none was found in time."""
        if not self.puzzles:
            error = TimeLimitError if self.ended == "time" else AspdokuError
            raise error(self.summary())
        return self.puzzles[0].puzzle

    def _text(self) -> str:
        return "\n\n".join(generated_text(each.puzzle) for each in self.puzzles) or self.summary()

    def summary(self) -> str:
        """How many puzzles were found, and why no more."""
        number, attempts = len(self.puzzles), pluralize(self.tried, "attempt")
        if number >= self.wanted:
            return f"{pluralize(number, 'puzzle')} in {attempts}"
        nearest = f"; the nearest attempt: {self.nearest}" if self.nearest else ""
        wanted = pluralize(self.wanted, "puzzle")
        return f"{number} of {wanted} in {attempts}: {result.STOPPED[self.ended]}{nearest}"

    _summary = summary

    def sections(self) -> list[result.Section]:
        """Each puzzle with its rules, in the words of their files, then the solutions."""
        sections = []
        for number, each in enumerate(self.puzzles, 1):
            titles = (rule.title for rule in each.program.added)
            words = "\n".join([f"{number}. {generated_summary(each)}", *titles])
            sections.append(result.Section(words, (result.figure(each.program, labels=False),)))
        solutions = (
            result.figure(each.program, each.solution, labels=False) for each in self.puzzles
        )
        return [*sections, result.Section(f"Solutions\n{self.summary()}", tuple(solutions))]

    def _json(self) -> dict[str, Any]:
        nearest = self.nearest or None
        return result.fields("seed ended tried")(self) | {
            "nearest": nearest,
            "puzzles": self.puzzles,
        }


@result.encoded.register
def _(puzzle: GeneratedPuzzle) -> dict[str, Any]:
    difficulty, unsupported = puzzle.difficulty, puzzle.puzzle.unsupported
    technique = difficulty and difficulty.technique
    return {
        "puzzle": generated_text(puzzle.puzzle) + "\n",
        "solution": result.encoded(puzzle.solution),
        "givens": len(puzzle.puzzle.givens()),
        "clues": len(clues(puzzle.program)),
        "minimal": puzzle.minimal,
        "grade": difficulty and difficulty.label,
        "technique": technique and technique.name,
        "fingerprint": fingerprint_of_program(puzzle.program),
        **({"unsupported": list(unsupported)} if unsupported else {}),
    }


def generated_text(puzzle: Puzzle) -> str:
    """The puzzle as a puzzle file, without the last line feed."""
    return write_with_labels(puzzle).removesuffix("\n")


def generated_summary(puzzle: GeneratedPuzzle) -> str:
    """The size, the numbers of givens and clues, and the difficulty, in one line."""
    size, number, grade = puzzle.puzzle.size, len(clues(puzzle.program)), puzzle.difficulty
    parts = [
        f"{size}x{size}",
        pluralize(len(puzzle.puzzle.givens()), "given"),
        number and pluralize(number, "clue"),
        puzzle.minimal and "minimal",
        grade and grade.label,
        grade and grade.technique and f"hardest step: {grade.technique.name}",
    ]
    return ", ".join(str(each) for each in parts if each) + puzzle.puzzle.caveat


@interruptible
def generate(
    with_: source.Rules = (),
    *,
    size: int | None = None,
    like: source.Source | None = None,
    givens: int | None = None,
    clues: int | Mapping[str, int] | None = None,
    minimal: bool = False,
    symmetry: Symmetry = "none",
    grade: str = "",
    technique: str = "",
    seed: int | None = None,
    count: int = 1,
    time_limit: float | None = 60,
    on_puzzle: Callable[[GeneratedPuzzle], None] | None = None,
    interruptible: bool = False,
    **rules: Unpack[source.Adjustments],
) -> GeneratedPuzzles:
    """Make puzzles with a unique solution, by any rules.

    The inputs of a rule, such as cages or signs, are drawn by the `.gen` file next to it. A puzzle
    that would have the same solution without one of the rules is discarded.

    with_, rules: as in `solve`
    size: of the grid; 9 by default
    like: a puzzle or program with the size, the regions and the rules, instead of `size`; its clues
        are drawn anew if there is a `.gen` file for them, and its givens are ignored; facts about
        the whole grid, such as a distance, are kept
    givens: how many givens; None for as few as possible
    clues: how many clues; or a mapping from names of rules to how many clues of each, with as few
        as possible of all other rules; None for as few as possible
    minimal: no given and no clue can be removed, even if their number is wanted
    symmetry: of the cells with givens: "rotational" (by 180 degrees), "mirror" (left and right)
    grade: "easy", "medium", "hard", "very hard" or "extreme", as `grade` rates it
    technique: of the hardest step, by one of the names that `explain` uses, such as "X-wing" or
        "x-wing"
    seed: the same one gives the same puzzles; None for a new one
    count: how many puzzles
    time_limit: seconds for all of them
    on_puzzle: is called with each puzzle when it is found
    Raises NoSolutionError if the rules have no solution, AspdokuError for arguments that no puzzle
    fits, PuzzleError or RuleError.
    """
    seed = source.new_seed() if seed is None else seed
    source.require_natural(seed, "seed")
    source.require_natural(count, "number of puzzles", 1)
    by_rule = {**clues} if isinstance(clues, Mapping) else {}
    every = None if isinstance(clues, Mapping) else clues
    for number, what in (
        (givens, "number of givens"),
        (every, "number of clues"),
        *((each, f"number of clues of {rule}") for rule, each in by_rule.items()),
    ):
        if number is not None:
            source.require_natural(number, what)
    given_sizes = {*SIZES} & {*(rules.get("constants") or ())}
    if given_sizes and like is None:
        raise AspdokuError(
            f"the constant {min(given_sizes)} follows from the grid: pass size=N instead, or for"
            " boxes of another shape like=Puzzle.blank(N, (ROWS, COLUMNS))"
        )
    wanted = source.blank_or(like, size)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MissingInputWarning)  # those are still to be drawn
        program = source.program_of(wanted, time_limit, with_, **rules)
    if not isinstance(like, Program):  # whose warnings have been seen
        for warning in growth_warnings(program):
            warnings.warn(warning, AspdokuWarning, stacklevel=3)
    refuse_drawn(program, rules.get("facts", ()))
    cased = {each.casefold(): each for each in (*DEFINITIONS, *UNIQUENESS)}
    technique = cased.get(str(technique).casefold(), technique)
    wishes = Wishes(givens, every, minimal, symmetry, grade, technique, by_rule)
    generator = Generator(program, wishes, seed, time_limit)
    puzzles: list[GeneratedPuzzle] = []
    with Stoppable(interruptible) as run:
        for each in generator.puzzles():
            puzzles.append(each)
            if on_puzzle:
                on_puzzle(each)
            if len(puzzles) == count:
                break
    if run.ended == "time":
        notice_time_limit()
    nearest = "" if run.ended == "complete" else generator.nearest
    return GeneratedPuzzles(tuple(puzzles), count, seed, generator.tried, run.ended, nearest)


def refuse_drawn(program: Program, facts: source.Facts) -> None:
    """Raise AspdokuError for givens and clues that would be drawn at random instead."""
    source.refuse_givens(facts, program.puzzle.size, "they are those of a random solution")
    puzzle = source.with_facts(Puzzle.blank(program.puzzle.size), facts)
    for fact in puzzle.facts:
        if any(fact.signature in file.drawn_inputs(puzzle.facts) for file in clue_files(program)):
            raise AspdokuError(f"{fact} cannot be stated: clues of this kind are drawn")


@dataclass(frozen=True, repr=False)
class Completion(result.SearchResult):
    """The single givens and clues with which a puzzle with several solutions has a unique one.

    outcome: of the search for solutions of the puzzle itself
    data: what was found; None unless the puzzle has several solutions
    """

    _kind = "complete"
    _heading = "Additions that make the solution unique"
    data: Completions | None = None
    remarks: tuple[str, ...] = ()

    @property
    def ended(self) -> SearchEnd | None:
        """Why the search for additions ended, or that for solutions if there was no other."""
        return (self.data or self.outcome).ended

    @property
    def additions(self) -> tuple[Addition, ...]:
        """The additions, those after which the puzzle is easiest to solve first."""
        return self.data.additions if self.data else ()

    @property
    def total(self) -> int:
        """How many single additions were found that make the solution unique."""
        return self.data.total if self.data else 0

    def _text(self) -> str:
        if not self.additions:
            return "\n".join([self._verdict(), *self._nearest()])
        width = max(map(len, ("addition", *(each.name for each in self.additions))))
        header = f"{'addition':<{width}}  {_FILLED}"
        rows = []
        for each in self.additions:
            name = f"{each.name:<{width}}  {each.filled:>{len(_FILLED)}}"
            grade = each.difficulty
            rows.append(grade_row(name, grade, len(name)) if grade else f"{name}  not graded")
        heading = [f"{self._verdict()}:", "", grade_header(len(header), header)]
        return "\n".join([*heading, *rows, *_facts_of(self.additions)])

    def _summary(self) -> str:
        return self._verdict().partition("\n")[0]

    def _verdict(self) -> str:
        """How many additions make the solution unique; if none does, also the most open cells."""
        if self.data is None:
            if self.status == "unique":
                return f"the solution is unique already{self._caveat()}"
            return verdict(self.outcome, None)
        tried = _tried(self.data) + self._caveat()
        ended = self.data.ended
        stopped = f"; incomplete: {result.STOPPED[ended]}" if ended in result.STOPPED else ""
        if self.additions:
            makes = "makes" if self.total == 1 else "make"
            shown = len(self.additions)
            best = f"; the best {shown}" if shown < self.total else ""
            total = pluralize(self.total, "single addition")
            return f"{total} {makes} the solution unique{tried}{stopped}{best}"
        known = f"at least {pluralize(self.data.solutions, 'solution')}"
        if stopped:
            return f"no addition was found{tried}; {known}{stopped}"
        none = f"no single addition makes the solution unique{tried}"
        cells = sorted(self.data.open_cells.items(), key=lambda each: -len(each[1]))[:_MOST_CELLS]
        named = (f"r{row}c{column} ({len(numbers)} numbers)" for (row, column), numbers in cells)
        return f"{none}: {known}\nthe most open cells: {', '.join(named)}"

    def _nearest(self) -> list[str]:
        """A line for each addition that leaves few solutions."""
        nearest = self.data.nearest if self.data else ()
        width = max(map(len, ("addition", *(each.clue.name for each in nearest))))
        rows = [f"{clue.name:<{width}}  {left:>{len(_LEFT)}}" for clue, left in nearest]
        clues = _facts_of(clue for clue, _ in nearest)
        return ["", f"{'addition':<{width}}  {_LEFT}", *rows, *clues] if rows else []

    def _pictures(self) -> result.Pictures:
        givens = (each.facts[0].arguments for each in self.additions if not each.rule)
        cells = [(int(str(row)), int(str(column))) for row, column, _ in givens]
        yield result.figure(self.program, cells=cells)

    def _json(self) -> dict[str, Any]:
        data = self.data
        tried, cells = (data.drawn.items(), data.open_cells.items()) if data else ((), ())
        return {
            **result.fields("status ended")(self),
            "solutions": data.solutions if data else self.outcome.found,
            "total": self.total,
            "seed": data and data.seed,
            "drawn": [{"rule": rule, "clues": number} for rule, number in tried],
            "additions": self.additions,
            "open_cells": [{"cell": cell, "numbers": numbers} for cell, numbers in cells],
            "nearest": data.nearest if data else (),
        }


def _facts_of(additions: Iterable[Addition | NewClue]) -> list[str]:
    """An empty line, and the facts of each that has several, by its name."""
    several = [each for each in additions if each.facts[1:]]
    lines = [f"{each.name}: {' '.join(map('{}.'.format, each.facts))}" for each in several]
    return ["", *lines] if lines else []


@result.encoded.register
def _(nearest: Nearest) -> dict[str, Any]:
    clue = nearest.clue
    attributes = result.fields("name rule facts drawn")(clue)
    return {"kind": "clue" if clue.rule else "given", **attributes, "left": nearest.left}


@result.encoded.register
def _(addition: Addition) -> dict[str, Any]:
    attributes = result.fields("name rule facts drawn filled grade=difficulty solution")(addition)
    return {"kind": "clue" if addition.rule else "given", **attributes}


def _tried(data: Completions) -> str:
    """How many random clues were tried; empty if all clues were."""
    if not data.drawn:
        return ""
    counts = [f"{number} of {rule}" for rule, number in data.drawn.items()]
    return f" (of clues drawn at random with seed {data.seed}, {' and '.join(counts)} were tried)"


@interruptible
def complete(
    puzzle: source.Source,
    solution: source.PuzzleSource | None = None,
    *,
    limit: int = 10,
    seed: int = 0,
    time_limit: float | None = None,
    interruptible: bool = False,
    **rules: Unpack[source.RuleOptions],
) -> Completion:
    """Find the givens and clues with which a puzzle with several solutions has a unique one.

    Each is added on its own. All clues of one fact are tried that are like those that the puzzle
    has. Of other clues, such as cages and lines, the `.gen` files of the rules draw some.

    solution: a filled grid; only look for additions with which this is the solution
    limit: grade and return this many additions, 0 for all
    seed: of the clues that are drawn
    The other arguments are those of `solve`. Additions found before the time limit are returned.
    Raises PuzzleError or RuleError, and PuzzleError if `solution` is no solution of the puzzle.
    """
    source.require_natural(limit, "limit")
    source.require_natural(seed, "seed")
    program = source.program_of(puzzle, time_limit, **rules)
    intended = None if solution is None else source.puzzle_of(solution)
    deadline = Deadline(time_limit)
    outcome, _, remarks = two_solutions(program, time_limit, interruptible)
    data = None
    if outcome.status == "several":
        seconds = deadline.time_limit()
        data = find_additions(program, intended, limit, seed, seconds, interruptible)
    return Completion(program, outcome, data, remarks)
