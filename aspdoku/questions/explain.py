"""The solution step by step: `explain`, the next step: `hint`, and the steps to a claim: `why`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from operator import index
from typing import Any, Literal, Unpack, get_args

from aspdoku.engine.solver import SearchEnd, Stoppable
from aspdoku.errors import AspdokuError
from aspdoku.explanation.conflict import MOST_LISTED
from aspdoku.explanation.cores import with_cores
from aspdoku.explanation.explainer import (
    Counterexamples,
    Explainer,
    Explanation,
    counterexamples,
    entries_beyond_givens,
)
from aspdoku.explanation.steps import (
    MAX_RULES,
    Claim,
    Conflict,
    Reason,
    Step,
    claims_text,
    eliminations_behind,
    relevant_steps,
)
from aspdoku.puzzle import Puzzle
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.questions import steps as show
from aspdoku.questions import text
from aspdoku.questions.result import Pictures, ProgramResult, Result, fields, figure
from aspdoku.questions.source import PuzzleSource, RuleOptions, Source, program_of, puzzle_of
from aspdoku.questions.text import Span, StyledLine, join_spans
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note
from aspdoku.runtime.signals import interruptible

Degree = Literal["where", "rules", "what", "proof"]
_EXPLANATION = fields("ended steps unique unexplained unguarded")


@dataclass(frozen=True, repr=False)
class SolutionExplanation(Result):
    """The steps that lead to the solution, or if there are several, to all forced claims.

    singles: whether only steps by a single rule instance were looked for
    """

    _kind = "explain"
    data: Explanation
    singles: bool = False

    def _puzzle(self) -> Puzzle:
        return self.data.puzzle

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
        writer = show.StepWriter(self.data.program, colour, full, self.singles)
        steps = [writer.text(step) for step in self.steps if step.reasons]
        return "\n".join([*steps, self.closing()])

    _text = text

    def closing(self) -> str:
        """The text below the steps: how many use each rule, and what was not explained."""
        data, open_ = self.data, not (self.data.unique or self.singles)
        remaining = (show.step_lines(step) for step in self.steps if open_ and not step.reasons)
        lines = [
            *map(show.wrapped_lines, remaining),
            "",
            *show.summary_lines(data, each=self.singles),
        ]
        opaque = (any(each.is_opaque and not each.core for each in s.reasons) for s in self.steps)
        if proved := sum(opaque):
            clues = "--clues lists givens and clues that suffice"
            lines.append(f"{pluralize(proved, 'step')} proved by clingo only: {clues}")
        return self._with_caveat("\n".join(lines))

    def _json(self) -> dict[str, Any]:
        return _EXPLANATION(self.data)

    def _summary(self) -> str:
        end = "not solved" if self.data.unexplained else "solved"
        if self.ended != "complete":
            end = "out of time" if self.ended == "time" else "interrupted"
        elif not self.data.unique:
            end = "several solutions"
        return f"{pluralize(len(self.steps), 'step')}, {end}"

    def _pictures(self) -> Pictures:
        yield figure(self.data.program)

    def to_html(self) -> str:
        """A self-contained page that shows the grid at each step."""
        # The import takes 35 ms, and text needs no pictures.
        from aspdoku.questions.explain_page import explanation_html

        return explanation_html(self.data)


@dataclass(frozen=True, repr=False)
class Hint(ProgramResult):
    """The next step.

    step: None if there is none, or if entries are wrong
    degree: how much the text reveals: "where", "rules", "what" or "proof"
    wrong_entries: entries that cannot be part of the solution
    conflicts: the rules that wrong entries violate directly, with givens or other entries
    unique: whether the solution is unique
    entries: the numbers entered so far
    """

    _kind = "hint"
    _heading = "Hint"
    step: Step | None
    degree: Degree
    wrong_entries: tuple[Claim, ...]
    unique: bool
    entries: tuple[Claim, ...] = ()
    conflicts: tuple[Conflict, ...] = ()

    @property
    def reason(self) -> Reason | None:
        """What the hint shows of the step: its first reason, or else its first elimination."""
        return (*self.step.reasons, *self.step.eliminations)[0] if self.step else None

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What the hint is about: the wrong entries, or the conclusions of the step."""
        return self.wrong_entries or (self.reason.claims if self.reason else ())

    def _text(self) -> str:
        if self.wrong_entries:
            return show.wrapped_lines(self._wrong_lines())
        if self.reason:
            return "\n".join(self._reason_lines(self.reason))
        if self.unique:
            return "no next step: the grid is solved"
        return "no next step: there are several solutions, and nothing else is forced"

    def _reason_lines(self, reason: Reason) -> Iterator[str]:
        named = f": {reason.technique}" if reason.technique else ""
        where = f"look at {show.cell_names(reason.claims)}"
        if self.degree == "where":
            yield where
            return
        hidden = self.degree == "rules"
        yield f"{where if hidden else claims_text(reason.claims)}{named}"
        items = [
            [words] if hidden else [words, Span(f": {claims_text(gone)}")]
            for words, gone in show.eliminations_by_rule(reason)
        ]
        lines = [*show.rule_lines(reason, not hidden, "  - "), *show.bullets(items, "  - ")]
        lines += show.proof_lines(reason) if self.degree == "proof" else ()
        yield from map(StyledLine.wrapped, lines)

    def _wrong_lines(self) -> Iterator[StyledLine]:
        """The list of wrong entries, with the rules that they violate directly, if any."""
        wrong = ", ".join(map(str, self.wrong_entries))
        yield StyledLine("", (Span(f"wrong entries: {wrong}"),))
        for conflict in self.conflicts[:MOST_LISTED]:
            words = join_spans("; ", map(show.rule_words, conflict.rules))
            yield StyledLine("  - ", (Span(f"{show.cannot_hold(conflict.givens)}: "), *words), 4)
        yield from show.unlisted(len(self.conflicts) - MOST_LISTED, "  - ")
        violating = {claim for conflict in self.conflicts for claim in conflict.givens}
        if indirect := [str(entry) for entry in self.wrong_entries if entry not in violating]:
            them = "it" if len(indirect) == 1 else "them"
            why = f"no rule is violated directly, but the grid has no solution with {them}"
            yield StyledLine("  - ", (Span(f"{', '.join(indirect)}: {why}"),), 4)

    def _json(self) -> dict[str, Any]:
        if self.wrong_entries:
            return {"wrong": self.wrong_entries, "conflicts": self.conflicts}
        reason = self.reason
        if not (reason and self.step):
            return {"where": []}
        hint: dict[str, Any] = {
            "kind": self.step.kind,
            "where": show.cell_names(reason.claims).split(),
        }
        if self.degree != "where":
            uses = reason.rules
            if self.degree == "rules":
                uses = tuple(use._replace(options=()) for use in uses)
            hint |= {"technique": reason.technique, "rules": uses}
        if self.degree in ("what", "proof"):
            hint["claims"] = reason.claims
        if self.degree == "proof":
            hint |= fields("premises proof")(reason)
        return hint

    def _pictures(self) -> Pictures:
        numbers = {claim[:2]: claim.number for claim in self.entries}
        cells = {claim[:2] for claim in self.claims}
        yield figure(self.program, cells=cells, numbers=numbers)


@dataclass(frozen=True, repr=False)
class ClaimExplanation(ProgramResult):
    """Why a claim about a cell holds in all solutions, or two solutions that disagree about it.

    Its truth value is whether the claim is forced.

    data: only the steps that lead to the claim; None if it is not forced
    """

    _kind = "why"
    claim: Claim
    data: Explanation | None
    counterexamples: Counterexamples | None

    def __bool__(self) -> bool:
        return self.counterexamples is None

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that lead to the claim; empty if it is not forced."""
        return self.data.steps if self.data else ()

    def _puzzle(self) -> Puzzle:
        return self.program.puzzle.doubted("several" if self.counterexamples else "")

    def _summary(self) -> str:
        forced = pluralize(len(self.steps), "step") if self else "not forced"
        return f"{self.claim}, {forced}"

    def _text(self) -> str:
        if not self.counterexamples:
            return relevant_steps_text(self.claim, self.steps)
        cell = [self.claim[:2]]
        holds, fails = (text.grid(each, marked=cell) for each in self.counterexamples)
        claim = f"{self.claim} is not forced; a solution where it holds"
        return f"{claim}:\n\n{holds}\n\nand one where it does not:\n\n{fails}"

    def _words(self) -> str:
        if not self.counterexamples:
            return str(self)
        words = f"{self.claim} is not forced: the first solution has it, and the second does not"
        return self._with_caveat(words)

    def _json(self) -> dict[str, Any]:
        two = self.counterexamples
        answer = two._asdict() if two else _EXPLANATION(self.data)
        return {"claim": self.claim, "forced": bool(self), **answer}

    def to_html(self) -> str:
        """A self-contained page: the grid at each step, or two solutions."""
        if not any(step.reasons for step in self.steps):
            return super().to_html()
        from aspdoku.questions.explain_page import explanation_html  # text needs no pictures

        assert self.data is not None
        return explanation_html(self.data, self._title())

    def _title(self) -> str:
        return f"Why {self.claim}?"

    def _pictures(self) -> Pictures:
        for grid in self.counterexamples or (None,):
            yield figure(self.program, grid, cells=[self.claim[:2]])


@interruptible
def explain(
    puzzle: Source,
    *,
    time_limit: float | None = None,
    singles: bool = False,
    batch: bool = False,
    clues: bool = False,
    unique: bool = False,
    on_step: Callable[[Step], object] | None = None,
    interruptible: bool = False,
    **rules: Unpack[RuleOptions],
) -> SolutionExplanation:
    """Explain the solution step by step, each step by as few rule instances as are found.

    singles: only use steps by a single rule instance, and stop where none applies
    batch: make one step of all numbers that single rule instances place, instead of one step each
    clues: for a step that only clingo proves, find a minimal set of givens and clues that suffice
    unique: use the assumption that the solution is unique, which some steps then rest on; it is an
        error if there are several
    on_step: called with each step as soon as it is found
    The other arguments are those of `solve`. The steps found before the time limit are returned.
    Raises TimeLimitError if it is reached before the first step is looked for, NoSolutionError,
    PuzzleError or RuleError.
    """
    program = program_of(puzzle, time_limit, **rules)
    deadline = Deadline(time_limit)
    explainer = Explainer(program, time_limit, unique=unique)
    steps: list[Step] = []
    note("looking for the first step")
    with Stoppable(interruptible) as run:
        search = explainer.steps(singles, batch)
        for step in with_cores(search, program, deadline) if clues else search:
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
    time_limit: float | None = None,
    degree: Degree = "what",
    unique: bool = False,
    **rules: Unpack[RuleOptions],
) -> Hint:
    """Find the next step towards the solution.

    entries: the grid with the numbers entered so far; if some are wrong, they are reported with
        the rules that they violate, instead of a step
    degree: how much the text of the hint reveals; "where" the least, "proof" everything
    unique: use the assumption that the puzzle's solution is unique, as `explain` does
    The other arguments are those of `solve`.
    Raises AspdokuError for an unknown degree, TimeLimitError, NoSolutionError, PuzzleError or
    RuleError.
    """
    if degree not in get_args(Degree):
        raise AspdokuError(f"unknown degree {degree!r}: use one of {', '.join(get_args(Degree))}")
    program = program_of(puzzle, time_limit, **rules)
    entered = () if entries is None else entries_beyond_givens(program.puzzle, puzzle_of(entries))
    explainer = Explainer(program, time_limit, entered, unique)
    wrong, conflicts = tuple(explainer.wrong_entries), explainer.entry_conflicts
    step = None if wrong else next(explainer.steps(batch=False), None)
    if step and not step.reasons and explainer.unique:
        step = None
    return Hint(program, step, degree, wrong, explainer.unique, tuple(entered), conflicts)


@interruptible
def why(
    puzzle: Source,
    claim: str | Claim | tuple[int, int, int],
    *,
    time_limit: float | None = None,
    clues: bool = False,
    unique: bool = False,
    **rules: Unpack[RuleOptions],
) -> ClaimExplanation:
    """Explain why a cell holds a number, or does not.

    claim: such as "r3c4=5" or "r3c4!=5", its row, column and number, or a conclusion of a step
    clues: for a step that only clingo proves, find a minimal set of givens and clues that suffice
    unique: use the assumption that the puzzle's solution is unique, as `explain` does; if it is
        not, two solutions that differ on the claim say so, or an AspdokuError if none do
    The other arguments are those of `solve`.
    Raises AspdokuError for an invalid claim or one that holds in no solution, TimeLimitError,
    NoSolutionError, PuzzleError or RuleError.
    """
    program = program_of(puzzle, time_limit, **rules)
    asked = Claim.parse(_claim_text(claim), program.puzzle)
    deadline = Deadline(time_limit)
    if grids := counterexamples(program, asked, time_limit):
        return ClaimExplanation(program, asked, None, grids)
    explainer = Explainer(program, deadline.time_limit(), unique=unique)
    steps = relevant_steps(explainer.steps_to(asked), asked)
    if clues:
        steps = list(with_cores(steps, program, deadline))
    return ClaimExplanation(program, asked, explainer.explanation(steps), None)


def _claim_text(claim: str | Iterable[int]) -> str:
    """A claim as text, which holds unless it says otherwise. Raises TypeError if it is none."""
    if isinstance(claim, str):
        return claim
    try:
        row, column, number, holds = map(index, (*claim, True)[:4])
        return str(Claim(row, column, number, bool(holds)))
    except (TypeError, ValueError):
        raise TypeError(f"expected a claim, such as 'r3c4=5' or (3, 4, 5), not {claim!r}") from None


def relevant_steps_text(claim: Claim, steps: Iterable[Step]) -> str:
    """The numbered steps that lead to a claim, with the numbers and eliminations they rest on."""
    reasons: list[Reason] = []
    eliminations: dict[Claim, Reason] = {}
    for step in steps:
        reasons += step.reasons
        eliminations |= {gone: each for each in step.eliminations for gone in each.claims}
    if claim in eliminations:
        reasons.append(eliminations[claim])
    if not reasons:
        known = " is given" if claim.holds else ": the rules forbid it in every solution"
        return f"{claim}{known}"
    step_of = {claim: number for number, reason in enumerate(reasons, 1) for claim in reason.claims}
    lines: list[StyledLine] = []
    for number, reason in enumerate(reasons, 1):
        words = Span(f"{reason}{_premises(reason, eliminations, step_of)}")
        lines.append(StyledLine(f"{number:>3}. ", (words,)))
        if len(reason.rules) > MAX_RULES:
            lines += show.proof_lines(reason)
    return show.wrapped_lines(lines)


def _premises(
    reason: Reason, eliminations: Mapping[Claim, Reason], step_of: Mapping[Claim, int]
) -> str:
    """The numbers that a reason depends on, also by eliminations, and candidates that are gone."""
    behind = eliminations_behind(reason, eliminations).values()
    premises = chain.from_iterable(each.premises for each in (reason, *behind))
    leaves = sorted({*premises} - eliminations.keys())
    numbers = [each for each in leaves if each.holds]
    gone = [each for each in leaves if not each.holds]
    steps = sorted({step_of[claim] for claim in gone if claim in step_of})
    words = f"; with {claims_text(numbers)}" if numbers else ""
    words += f"; and {claims_text(gone)}" if gone else ""
    return words + (f" [from {', '.join(map(str, steps))}]" if steps else "")
