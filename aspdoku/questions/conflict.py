"""Why a puzzle has no solution: `conflict`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Unpack

from aspdoku.engine.solver import SearchEnd
from aspdoku.explanation.conflict import MOST_RULES, ConflictExplanation, explain_conflict
from aspdoku.explanation.steps import Conflict
from aspdoku.puzzle import Puzzle
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.questions import steps
from aspdoku.questions.result import Pictures, ProgramResult, Verdict, fields, figure
from aspdoku.questions.source import RuleOptions, Source, program_of
from aspdoku.questions.text import Span, StyledLine
from aspdoku.runtime.signals import interruptible


@dataclass(frozen=True, repr=False)
class ConflictReport(ProgramResult):
    """Why a puzzle has no solution; its truth value is whether that is so."""

    _kind = "conflict"
    data: ConflictExplanation

    def __bool__(self) -> bool:
        return self.data.cause != "none"

    @property
    def ended(self) -> SearchEnd:
        """Why the search ended; "complete" if rules and repairs are known."""
        return self.data.ended

    def _text(self) -> str:
        return "\n\n".join(filter(None, (self.conflicts(), steps.wrapped_lines(self._closing()))))

    def conflicts(self) -> str:
        """The conflicts in words, with the rules involved.

        With the rules, the text begins as it does without them.
        """
        if self.data.cause == "none":
            return "the puzzle has a solution: no conflict"
        if self.data.cause == "unguarded":
            return "the statements that are assumed without explanation have no solution"
        return steps.wrapped_lines(self._conflict_lines())

    def _conflict_lines(self) -> Iterator[StyledLine]:
        for conflict in self.data.conflicts:
            yield StyledLine("", (Span(self._headline(conflict)),))
            words = list(map(steps.rule_words, conflict.rules))
            if len(words) > MOST_RULES:
                names = sorted({rule.guard.name for rule in conflict.rules})
                words = [[Span(f"{pluralize(len(words), 'rule')} of {', '.join(names)}")]]
            yield from steps.bullets(words, "  - ")
        yield from steps.unlisted(self.data.unlisted)

    def _headline(self, conflict: Conflict) -> str:
        parts = conflict.words
        if self.data.cause == "impossible":
            return f"{parts[0]}: the rules forbid it, whatever the other givens are"
        if not parts:
            return "the rules have no solution, whatever the givens and clues are"
        if self.data.minimal and len(parts) <= MOST_RULES:
            return steps.cannot_hold(parts)
        counts = (conflict.givens, "given"), (conflict.clues, "clue")
        items = " and ".join(pluralize(len(each), kind) for each, kind in counts if each)
        kind = "minimal conflict" if self.data.minimal else "conflict, perhaps not minimal,"
        return f"{kind} of {items}: {', '.join(parts)}"

    def closing(self) -> str:
        """What follows the conflicts: steps, repairs, and what was not searched for."""
        return self._with_caveat(steps.wrapped_lines(self._closing()))

    def _closing(self) -> list[StyledLine]:
        lines: list[StyledLine] = []
        for number, step in enumerate((step for step in self.data.steps if step.reasons), 1):
            lines += steps.step_lines(step._replace(number=number))
        removable = [*map(str, self.data.repairs), *(clue.words for clue in self.data.clue_repairs)]
        last = []
        if removable:
            listed = ", ".join(removable)
            last.append(f"removing any one of these makes the puzzle solvable: {listed}")
        if self.ended != "complete":
            minimal = self.data.minimal
            missing = "rules and repairs may be missing" if minimal else "not proved minimal"
            last.append(f"{steps.ENDINGS[self.ended]}: {missing}")
        for words in last:
            lines += [StyledLine("", ())] * bool(lines) + [StyledLine("", (Span(words),))]
        return lines

    def _puzzle(self) -> Puzzle:
        return self.program.puzzle.doubted("none" if self else "")

    def _title(self) -> str:
        return "Conflict" if self else "No conflict"

    def _first_line(self) -> Verdict | None:
        return Verdict("No solution", "none") if self else None

    def _json(self) -> dict[str, Any]:
        core = next(map(fields("givens clues"), self.data.conflicts), None)
        first = fields("cause conflicts steps repairs")(self.data) | {"core": core}
        return first | fields("minimal clue_repairs unlisted ended")(self.data)

    def _pictures(self) -> Pictures:
        conflicts = self.data.conflicts
        cells = {claim[:2] for each in conflicts for claim in each.givens}
        cells |= {cell for each in conflicts for clue in each.clues for cell in clue.cells}
        yield figure(self.program, cells=cells)


@interruptible
def conflict(
    puzzle: Source,
    *,
    time_limit: float | None = None,
    proof: bool = False,
    on_improved: Callable[[ConflictReport], object] | None = None,
    interruptible: bool = False,
    **rules: Unpack[RuleOptions],
) -> ConflictReport:
    """Explain why a puzzle has no solution: conflicting givens and clues, the rules, and repairs.

    proof: derive a violated rule step by step, if the conflict involves many rules
    on_improved: called with what is known, each time that it is more than before: first clues that
        fail alone, or else smaller and smaller sets of givens and clues
    The other arguments are those of `solve`. What is known at the time limit is returned. Raises
    TimeLimitError if that is nothing, PuzzleError or RuleError.
    """
    program = program_of(puzzle, time_limit, **rules)

    def improved(known: ConflictExplanation) -> None:
        if on_improved:
            on_improved(ConflictReport(program, known))

    data = explain_conflict(
        program, time_limit, proof=proof, on_improved=improved, interruptible=interruptible
    )
    return ConflictReport(program, data)
