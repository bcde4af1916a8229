"""Questions about reasons: `explain`, `hint`, `why`, `conflict` and `grade`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from operator import index
from typing import TYPE_CHECKING, Any, Literal, get_args

from aspdoku.api.source import (
    Constants,
    Facts,
    Names,
    PuzzleSource,
    Result,
    Rules,
    Source,
    figure,
    program_of,
    puzzle_of,
)
from aspdoku.deadline import Deadline
from aspdoku.engine.solver import SearchEnd, Stoppable
from aspdoku.errors import AspdokuError
from aspdoku.explanation.conflict import ConflictExplanation, explain_conflict
from aspdoku.explanation.cores import with_cores
from aspdoku.explanation.explainer import (
    Counterexamples,
    Explainer,
    Explanation,
    counterexamples,
    entries_beyond_givens,
)
from aspdoku.explanation.steps import (
    Claim,
    Conflict,
    Difficulty,
    Step,
    difficulty_of,
    one_by_one,
    relevant_steps,
)
from aspdoku.program import Program
from aspdoku.progress import note
from aspdoku.puzzle import Puzzle
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.report.answer import with_caveat
from aspdoku.report.explanation import (
    closing_text,
    conflict_closing,
    conflict_text,
    conflicts_text,
    explanation_text,
    grade_header,
    grade_row,
    hint_text,
    next_reason,
    not_forced_text,
    relevant_steps_text,
    wrong_entries_text,
)
from aspdoku.report.explanation_json import (
    conflict_json,
    explanation_json,
    grades_json,
    hint_json,
    not_forced_json,
    wrong_entries_json,
)
from aspdoku.signals import interruptible

if TYPE_CHECKING:
    from aspdoku.drawing import Picture

Degree = Literal["where", "rules", "what", "proof"]


@dataclass(frozen=True, repr=False)
class SolutionExplanation(Result):
    """The steps that lead to the solution, or if there are several, to all forced claims.

    singles: whether only steps by a single rule instance were looked for
    """

    data: Explanation
    singles: bool = False

    def _puzzle(self) -> Puzzle:
        return self.data.program.puzzle

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps in order."""
        return self.data.steps

    @property
    def ended(self) -> SearchEnd:
        """Why the search for steps ended; "complete" if all steps were found."""
        return self.data.ended

    def text(self, colour: bool = False, full: bool = False) -> str:
        """The explanation in words.

        colour: whether each elaboration has a terminal colour
        full: whether long proofs are shown in full
        """
        words = explanation_text(self.data, colour, full, self.singles)
        return with_caveat(words, self.data.program.puzzle)

    def closing(self) -> str:
        """The text below the steps: how many use each rule, and what was not explained."""
        return with_caveat(closing_text(self.data, self.singles), self.data.program.puzzle)

    def __str__(self) -> str:
        return self.text()

    def _json(self) -> dict[str, Any]:
        """The steps with their reasons and proofs."""
        return explanation_json(self.data)

    def _summary(self) -> str:
        steps = pluralize(len(self.steps), "step")
        return f"{steps}, {self._end()}"

    def _end(self) -> str:
        """How far the steps lead."""
        if self.ended != "complete":
            return "out of time" if self.ended == "time" else "interrupted"
        if not self.data.unique:
            return "several solutions"
        return "not solved" if self.data.unexplained else "solved"

    def _pictures(self) -> Iterable[Picture]:
        yield figure(self.data.program)

    def to_html(self) -> str:
        """A self-contained page that shows the grid at each step."""
        # The import takes 35 ms, and text needs no pictures.
        from aspdoku.report.explanation_page import explanation_html

        return explanation_html(self.data)


@dataclass(frozen=True, repr=False)
class Hint(Result):
    """The next step.

    step: None if there is none, or if entries are wrong
    degree: how much the text reveals: "where", "rules", "what" or "proof"
    wrong_entries: entries that cannot be part of the solution
    conflicts: the rules that wrong entries violate directly, with givens or other entries
    unique: whether the solution is unique
    entries: the numbers entered so far
    """

    program: Program = field(repr=False, compare=False)
    step: Step | None
    degree: Degree
    wrong_entries: tuple[Claim, ...]
    unique: bool
    entries: tuple[Claim, ...] = ()
    conflicts: tuple[Conflict, ...] = ()

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        return self.program.puzzle

    def __str__(self) -> str:
        return with_caveat(self._text(), self.puzzle)

    def _text(self) -> str:
        if self.wrong_entries:
            return wrong_entries_text(self.wrong_entries, self.conflicts)
        if self.step:
            return hint_text(self.step, self.degree)
        if self.unique:
            return "no next step: the grid is solved"
        return "no next step: there are several solutions, and nothing else is forced"

    def _json(self) -> dict[str, Any]:
        """As much of the step as the degree reveals."""
        if self.wrong_entries:
            answer = wrong_entries_json(self.wrong_entries, self.conflicts)
        else:
            answer = hint_json(self.step, self.degree)
        return answer

    def _title(self) -> str:
        return "Hint"

    def _pictures(self) -> Iterable[Picture]:
        """The grid so far, with the cells of the hint or the wrong entries highlighted."""
        claims = self.wrong_entries or (next_reason(self.step).claims if self.step else ())
        numbers = {claim[:2]: claim.number for claim in self.entries}
        cells = {claim[:2] for claim in claims}
        yield figure(self.program, cells=cells, numbers=numbers)


@dataclass(frozen=True, repr=False)
class ClaimExplanation(Result):
    """Why a claim about a cell holds in all solutions, or two solutions that disagree about it.

    Its truth value is whether the claim is forced.

    data: only the steps that lead to the claim; None if it is not forced
    """

    program: Program = field(repr=False, compare=False)
    claim: Claim
    data: Explanation | None
    counterexamples: Counterexamples | None

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        return self.program.puzzle

    def __bool__(self) -> bool:
        return self.counterexamples is None

    def _summary(self) -> str:
        forced = pluralize(len(self.steps), "step") if self else "not forced"
        return f"{self.claim}, {forced}"

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that lead to the claim; empty if it is not forced."""
        return self.data.steps if self.data else ()

    def __str__(self) -> str:
        words = (
            not_forced_text(self.claim, self.counterexamples)
            if self.counterexamples
            else relevant_steps_text(self.claim, self.steps)
        )
        return with_caveat(words, self.puzzle)

    def _json(self) -> dict[str, Any]:
        """The steps, or the two solutions."""
        if self.counterexamples:
            answer = not_forced_json(self.claim, self.counterexamples)
        else:
            assert self.data is not None
            answer = explanation_json(self.data, self.claim)
        return answer

    def to_html(self) -> str:
        """A self-contained page: the grid at each step, or two solutions."""
        if not any(step.reasons for step in self.steps):
            return super().to_html()
        from aspdoku.report.explanation_page import explanation_html  # text does without pictures

        assert self.data is not None
        return explanation_html(self.data, self._title())

    def _title(self) -> str:
        return f"Why {self.claim}?"

    def _pictures(self) -> Iterable[Picture]:
        """The puzzle with the cell of the claim, or the two solutions that disagree about it."""
        for grid in self.counterexamples or (None,):
            yield figure(self.program, grid, cells=[self.claim[:2]])

    def _words(self) -> str:
        if not self.counterexamples:
            return str(self)
        words = f"{self.claim} is not forced: the first solution has it, and the second does not"
        return with_caveat(words, self.puzzle)


@dataclass(frozen=True, repr=False)
class ConflictReport(Result):
    """Why a puzzle has no solution; its truth value is whether that is so."""

    program: Program = field(repr=False, compare=False)
    data: ConflictExplanation

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        return self.program.puzzle

    def __bool__(self) -> bool:
        return self.data.cause != "none"

    @property
    def ended(self) -> SearchEnd:
        """Why the search ended; "complete" if rules and repairs are known."""
        return self.data.ended

    def conflicts(self) -> str:
        """The conflicts in words, with the rules involved."""
        return conflicts_text(self.data)

    def closing(self) -> str:
        """What follows the conflicts: steps, repairs, and what was not searched for."""
        return with_caveat(conflict_closing(self.data), self.puzzle)

    def __str__(self) -> str:
        return with_caveat(conflict_text(self.data), self.puzzle)

    def _title(self) -> str:
        return "Conflict" if self else "No conflict"

    def _json(self) -> dict[str, Any]:
        """The cause, the conflicting givens and rules, and repairs."""
        return conflict_json(self.data)

    def _pictures(self) -> Iterable[Picture]:
        """The puzzle, with the conflicting givens and clues highlighted."""
        cells = {claim[:2] for found in self.data.conflicts for claim in found.givens}
        cells |= {
            cell for found in self.data.conflicts for clue in found.clues for cell in clue.cells
        }
        yield figure(self.program, cells=cells)


@dataclass(frozen=True, repr=False)
class Grade(Result):
    """How hard a puzzle is; `name` identifies it in a table.

    `to_json` is one of the objects in the list that the command prints, which grades several.
    """

    name: str
    difficulty: Difficulty
    puzzle: Puzzle = field(repr=False, compare=False)

    @property
    def label(self) -> str:
        """One of "easy", "medium", "hard", "very hard" and "extreme"."""
        return self.difficulty.label

    def _summary(self) -> str:
        return f"{self.name}, {self.label}"

    def _caveat(self) -> str:
        return self.puzzle.caveat

    def __str__(self) -> str:
        width = max(len("puzzle"), len(self.name))
        row = grade_row(self.name, self.difficulty, width, self.puzzle.caveat)
        return f"{grade_header(width)}\n{row}"

    def _json(self) -> dict[str, Any]:
        """The name and the figures, in a list of one grade."""
        return grades_json([(self.name, self.difficulty, self.puzzle)])


@interruptible
def explain(
    puzzle: Source,
    *,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    time_limit: float | None = None,
    singles: bool = False,
    batch: bool = False,
    clues: bool = False,
    on_step: Callable[[Step], object] | None = None,
    interruptible: bool = False,
) -> SolutionExplanation:
    """Explain the solution step by step, each step by as few rule instances as are found.

    singles: only use steps by a single rule instance, and stop where none applies
    batch: make one step of all numbers that single rule instances place, instead of one step each
    clues: for a step that only clingo proves, find a minimal set of givens and clues that suffice
    on_step: called with each step as soon as it is found
    The other arguments are those of `solve`. The steps found before the time limit are returned.
    Raises TimeLimitError if it is reached before the first step is looked for, NoSolutionError,
    PuzzleError or RuleError.
    """
    program = program_of(puzzle, with_, without, constants, facts, time_limit)
    deadline = Deadline(time_limit)
    explainer = Explainer(program, time_limit)
    steps: list[Step] = []
    note("looking for the first step")
    with Stoppable(interruptible) as run:
        found = explainer.steps(singles, easiest=not batch)
        found = found if batch else one_by_one(found)
        for step in with_cores(found, program, deadline) if clues else found:
            steps.append(step)
            note(f"{len(steps)} steps found")
            if on_step:
                on_step(step)
    return SolutionExplanation(explainer.explanation(steps, run.ended), singles)


@interruptible
def hint(
    puzzle: Source,
    entries: PuzzleSource | None = None,
    *,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    time_limit: float | None = None,
    degree: Degree = "what",
) -> Hint:
    """Find the next step towards the solution.

    entries: the grid with the numbers entered so far; if some are wrong, they are reported with
        the rules that they violate, instead of a step
    degree: how much the text of the hint reveals; "where" the least, "proof" everything
    The other arguments are those of `solve`.
    Raises AspdokuError for an unknown degree, TimeLimitError, NoSolutionError, PuzzleError or
    RuleError.
    """
    if degree not in get_args(Degree):
        raise AspdokuError(f"unknown degree {degree!r}: use one of {', '.join(get_args(Degree))}")
    program = program_of(puzzle, with_, without, constants, facts, time_limit)
    entered = () if entries is None else entries_beyond_givens(program.puzzle, puzzle_of(entries))
    explainer = Explainer(program, time_limit, entered)
    if explainer.wrong_entries:
        wrong = tuple(explainer.wrong_entries)
        conflicts = explainer.entry_conflicts
        return Hint(program, None, degree, wrong, explainer.unique, tuple(entered), conflicts)
    step = next(one_by_one(explainer.steps(easiest=True)), None)
    if step and not step.reasons and explainer.unique:
        step = None
    return Hint(program, step, degree, (), explainer.unique, tuple(entered))


@interruptible
def why(
    puzzle: Source,
    claim: str | Claim | tuple[int, int, int],
    *,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    time_limit: float | None = None,
    clues: bool = False,
) -> ClaimExplanation:
    """Explain why a cell holds a number, or does not.

    claim: such as "r3c4=5" or "r3c4!=5", its row, column and number, or a conclusion of a step
    clues: for a step that only clingo proves, find a minimal set of givens and clues that suffice
    The other arguments are those of `solve`.
    Raises AspdokuError for an invalid claim or one that holds in no solution, TimeLimitError,
    NoSolutionError, PuzzleError or RuleError.
    """
    program = program_of(puzzle, with_, without, constants, facts, time_limit)
    asked = Claim.parse(_claim_text(claim), program.puzzle)
    deadline = Deadline(time_limit)
    if found := counterexamples(program, asked, time_limit):
        return ClaimExplanation(program, asked, None, found)
    explainer = Explainer(program, deadline.time_limit())
    steps = relevant_steps(explainer.steps_to(asked), asked)
    if clues:
        steps = list(with_cores(steps, program, deadline))
    return ClaimExplanation(program, asked, explainer.explanation(steps), None)


def _claim_text(claim: str | Iterable[int]) -> str:
    """A claim as text; one without its last part, whether it holds, does.

    Raises TypeError if it has no row, column and number.
    """
    if isinstance(claim, str):
        return claim
    try:
        row, column, number, holds = map(index, (*claim, True)[:4])
        return str(Claim(row, column, number, bool(holds)))
    except (TypeError, ValueError):
        raise TypeError(f"expected a claim, such as 'r3c4=5' or (3, 4, 5), not {claim!r}") from None


@interruptible
def conflict(
    puzzle: Source,
    *,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    time_limit: float | None = None,
    proof: bool = False,
    on_improved: Callable[[ConflictReport], object] | None = None,
    interruptible: bool = False,
) -> ConflictReport:
    """Explain why a puzzle has no solution: conflicting givens and clues, the rules, and repairs.

    proof: derive a violated rule step by step, if the conflict involves many rules
    on_improved: called with what is known, each time that it is more than before: first clues that
        fail alone, or else smaller and smaller sets of givens and clues
    The other arguments are those of `solve`. What is known at the time limit is returned. Raises
    TimeLimitError if that is nothing, PuzzleError or RuleError.
    """
    program = program_of(puzzle, with_, without, constants, facts, time_limit)

    def improved(known: ConflictExplanation) -> None:
        if on_improved:
            on_improved(ConflictReport(program, known))

    found = explain_conflict(
        program, time_limit, proof=proof, on_improved=improved, interruptible=interruptible
    )
    return ConflictReport(program, found)


@interruptible
def grade(
    puzzle: Source,
    *,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    time_limit: float | None = None,
) -> Grade:
    """Rate the difficulty of a puzzle by the rule instances that its hardest step needs.

    The arguments are those of `solve`.
    Raises TimeLimitError, NoSolutionError, PuzzleError or RuleError.
    """
    program = program_of(puzzle, with_, without, constants, facts, time_limit)
    explainer = Explainer(program, time_limit)
    name = program.puzzle.name or program.puzzle.title or "puzzle"
    return Grade(name, difficulty_of(explainer.steps(), explainer.unique), program.puzzle)
