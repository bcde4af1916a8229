"""Readings of a rule that its examples leave open, and grids that tell them from the rule.

The readings are the rules that `learn` knows, or for a rule with inputs the bundled rules with
these inputs; and the variants of the rule. clingo looks for a grid that the rule allows and as many
open readings as possible forbid, and for one that the rule forbids and they allow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from aspdoku.engine import Solver
from aspdoku.errors import RuleError, StatementError, TimeLimitError
from aspdoku.lecture.equivalence import comparison_context, needed_facts
from aspdoku.lecture.examples import Example, Trial, other_rules, program_of, solutions, try_all
from aspdoku.lecture.invented import InventedInputs
from aspdoku.lecture.learning import hypotheses
from aspdoku.program import Program, RuleFile, library
from aspdoku.program.lint import other_arguments
from aspdoku.program.transform import negate, unused_tag
from aspdoku.program.variants import Variant, variants
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note

# Seconds for a grid that separates more readings from the rule than one that is known.
_SECONDS_FOR_MORE = 5.0
# Seconds for a reading and an example: nearly all take less than one.
_SECONDS_EACH = 2.0


class Question(NamedTuple):
    """A grid on which the examples say nothing: its kind is what the rule says, and the open
    readings in `others` say otherwise. `trial` is that of the opposite example, which fails.
    """

    example: Example
    others: tuple[str, ...]
    trial: Trial


class OpenReadings(NamedTuple):
    """What examples leave open.

    considered: the number of readings; `open`: those that agree with the rule on all examples,
        none if not all were tried
    undecided: those of which that was not decided in time
    questions: at most one that the rule allows, and one that it forbids
    problem: why a part of this is missing
    """

    considered: int = 0
    open: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()
    problem: str = ""


def readings(rule: RuleFile) -> list[Variant]:
    """The likely readings of a rule, with their names, those with names of their own first."""
    own = {item.signature for item in rule.inputs}
    bundled: tuple[RuleFile, ...] = hypotheses().rules
    if own:
        bundled = tuple(
            each
            for each in library.available_rules()
            if library.is_bundled(each)
            and {item.signature for item in each.inputs} & own
            and {item.signature for item in each.inputs} <= own
            and not any(other_arguments(rule, [each]))
        )
    named = (Variant(r.title if r.name == "learned" else r.name, r) for r in bundled)
    return [each for each in (*named, *variants(rule)) if each.rule.text != rule.text]


def open_readings(
    rule: RuleFile, examples: Sequence[Example], time_limit: float | None = None
) -> OpenReadings:
    """What the examples, on all of which the rule is right, leave open."""
    try:
        search = _Search(rule, examples, Deadline(time_limit))
    except StatementError as error:
        return OpenReadings(problem=f"no readings of this rule are compared: {error}")
    return search.run()


class _Search:
    """The search. Raises StatementError if the rule cannot be negated."""

    def __init__(self, rule: RuleFile, examples: Sequence[Example], deadline: Deadline) -> None:
        self._rule, self._examples, self._deadline = rule, examples, deadline
        texts = [rule.text, *(str(fact) for each in examples for fact in each.puzzle.facts)]
        self._tag = unused_tag("reading", texts)
        self._own = negate(rule, f"{self._tag}_own")
        # By their names; readings that choose something are left out.
        self._negated: dict[str, RuleFile] = {}
        self._undecided: set[str] = set()
        for number, (words, reading) in enumerate(readings(rule)):
            try:
                self._negated.setdefault(words, negate(reading, f"{self._tag}_{number}"))
            except RuleError:
                continue

    def run(self) -> OpenReadings:
        """What is found in time."""
        names, left, questions, problem = list(self._negated), list[str](), list[Question](), ""
        try:
            for example in self._examples:
                note(f"{len(names)} readings left")
                names = self._fitting(names, example)
            left = names
            note(f"looking for grids on which {len(left)} readings differ")
            for puzzle, invented in self._games() if left else ():
                asked = {each.example.kind for each in questions}
                questions += self._questions(
                    left, puzzle, invented, {"allowed", "forbidden"} - asked
                )
        except (TimeLimitError, RuleError) as error:
            problem = str(error)
        undecided = tuple(sorted(self._undecided))
        return OpenReadings(len(self._negated), tuple(left), undecided, tuple(questions), problem)

    def _fitting(self, names: Sequence[str], example: Example) -> list[str]:
        """The readings among these that agree with an example, as far as that is decided. Each is
        tried alone: in one program, one that is hard would delay all others.
        """
        program, fitting = program_of(example, self._rule), []
        for name in names:
            self._deadline.require_time("trying readings")
            solver = self._solver(program, [name])
            solver.deadline = Deadline(min(self._deadline.seconds_left(), _SECONDS_EACH))
            satisfied = [(_broken(self._negated[name]), False)]
            try:
                if example.fits(solutions(solver, example.limit, satisfied)):
                    fitting.append(name)
            except TimeLimitError:
                self._undecided.add(name)
            except RuleError:  # clingo cannot ground it, or not within the limits
                del self._negated[name]
        return fitting

    def _solver(self, program: Program, names: Sequence[str], *others: RuleFile) -> Solver:
        """The program of an example without the rule, which tells who allows a grid."""
        game = other_rules(program, self._rule)
        negated = [self._negated[name] for name in names]
        rules = [*game, self._own, *negated, *others]
        return Solver(program.changed(rules), self._deadline.time_limit())

    def _games(self) -> Iterator[tuple[Program, InventedInputs]]:
        """The blank grids of the examples with their clues, and one with any clues."""
        none = InventedInputs.of(())
        blank = [_blank(program_of(each, self._rule)) for each in self._examples]
        for each in {game.puzzle: game for game in blank}.values():
            yield each, none
        if inputs := comparison_context(self._rule, self._rule)[1]:
            smallest = min(blank, key=lambda game: game.puzzle.size)
            puzzle = Puzzle.blank(smallest.puzzle.size)
            game = Example("allowed", "", 0, puzzle)
            yield program_of(game, self._rule), InventedInputs.of(inputs)

    def _questions(
        self, names: Sequence[str], game: Program, invented: InventedInputs, kinds: set[str]
    ) -> Iterator[Question]:
        """For each kind, the grid on which the most of these readings are found to differ."""
        own, most = f"{self._own.name}_broken", f"{self._tag}_most"
        lines = [f"#defined {self._tag}_differs/1."]
        for number, name in enumerate(names):
            other, differs = _broken(self._negated[name]), f"{self._tag}_differs({number})"
            lines.append(f"{differs} :- {own}, not {other}.  {differs} :- not {own}, {other}.")
        count = f"#count {{ I : {self._tag}_differs(I) }}"
        lines.append(f"{most}(D) :- D = 1..{len(names)}, {count} >= D.\n")
        query = RuleFile("question", "question", "\n".join(lines), vetted=True)
        solver = self._solver(game, names, query, invented.rules(game.puzzle.size))
        steps = sorted({1, *(len(names) * part // 4 for part in (1, 2, 3, 4))} - {0})
        for kind in sorted(kinds):
            grid: Solution | None = None
            for least in steps:
                wanted = Function(most, (least,))
                found = solver.search(
                    1, [(_broken(self._own), kind == "forbidden"), (wanted, True)]
                )
                more = next(iter([*found]), None)
                if more is None and not grid and found.ended != "complete":
                    raise TimeLimitError("time limit reached while looking for questions")
                if more is None:
                    break
                grid = more
                solver.deadline = Deadline(min(self._deadline.seconds_left(), _SECONDS_FOR_MORE))
            solver.deadline = self._deadline
            if grid:
                yield self._question(names, kind, grid, invented)

    def _question(
        self, names: Sequence[str], kind: str, grid: Solution, invented: InventedInputs
    ) -> Question:
        """The question about a grid, with few of the clues that were invented for it."""
        chosen = invented.chosen(grid.shown)
        facts = grid.puzzle.facts

        def asked(more: Sequence[Function]) -> Example:
            puzzle = grid.puzzle.replace(
                grid=grid.rows, facts=(*facts, *more), origin=None, name=""
            )
            return Example("forbidden" if kind == "forbidden" else "allowed", "", 0, puzzle)

        others = _without(names, self._fitting(names, asked(chosen)))
        if chosen:
            source = self._negated[others[0]].source or self._rule
            pair = (self._rule, source) if kind == "forbidden" else (source, self._rule)
            chosen, _ = needed_facts(*pair, grid, chosen, invented, (), self._deadline)
            others = _without(names, self._fitting(names, asked(chosen)))
        example = asked(chosen)
        opposite = example._replace(kind="allowed" if kind == "forbidden" else "forbidden")
        (trial,) = try_all(self._rule, [opposite], self._deadline.time_limit())
        return Question(example, others, trial)


def _without(names: Sequence[str], fitting: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in fitting)


def _broken(negated: RuleFile) -> Function:
    return Function(f"{negated.name}_broken")


def _blank(program: Program) -> Program:
    return program.changed(grid=Puzzle.blank(program.puzzle.size).grid, solution=None, title="")
