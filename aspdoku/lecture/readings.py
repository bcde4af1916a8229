"""Readings of a rule that its examples leave open, and grids that tell them from the rule.

The readings are the rules that `learn` knows, or for a rule with inputs the bundled rules with
these inputs; and the variants of the rule. clingo looks for a grid that the rule allows and as many
open readings as possible forbid, and for one that the rule forbids and they allow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from aspdoku.engine import Solver
from aspdoku.errors import RuleError, StatementError, TimeLimitError
from aspdoku.lecture.equivalence import comparison_context, needed_facts
from aspdoku.lecture.examples import (
    Example,
    Kind,
    Trial,
    program_of,
    solutions,
    try_all,
    without_rule,
)
from aspdoku.lecture.invented import InventedInputs
from aspdoku.lecture.learning import hypotheses
from aspdoku.program import Program, RuleFile, library
from aspdoku.program.lint import other_arguments
from aspdoku.program.transform import broken, negate, unused_tag
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
        # On an example or the grid of a question.
        self._undecided: set[str] = set()
        self._refused: set[str] = set()
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
                names, _ = self._tried(names, example)
            left = names
            note(f"looking for grids on which {len(left)} readings differ")
            for puzzle, invented in self._games() if left else ():
                asked = {each.example.kind for each in questions}
                questions += self._questions(
                    left, puzzle, invented, {"allowed", "forbidden"} - asked
                )
        except (TimeLimitError, RuleError) as error:
            problem = str(error)
        undecided = tuple(sorted(self._undecided.difference(left)))
        considered = len(self._negated) - len(self._refused.difference(left))
        return OpenReadings(considered, tuple(left), undecided, tuple(questions), problem)

    def _tried(self, names: Sequence[str], example: Example) -> tuple[list[str], list[str]]:
        """The readings among these that agree with an example, and those that do not, as far as
        that is decided. Each is tried alone: in one program, one that is hard would delay all
        others.
        """
        game = without_rule(program_of(example, self._rule), self._rule)
        agreeing, others = list[str](), list[str]()
        for name in names:
            self._deadline.require_time("trying readings")
            solver = self._solver(game, self._negated[name])
            solver.deadline = Deadline(min(self._deadline.seconds_left(), _SECONDS_EACH))
            satisfied = [(broken(self._negated[name]), False)]
            try:
                fits = example.fits(solutions(solver, example.limit, satisfied))
            except TimeLimitError:
                self._undecided.add(name)
            except RuleError:  # clingo cannot ground it, or not within the limits
                self._refused.add(name)
            else:
                (agreeing if fits else others).append(name)
        return agreeing, others

    def _solver(self, game: Program, *more: RuleFile) -> Solver:
        """The game with negated files, which tell who allows a grid."""
        return Solver(game.changed([*game.rules, *more]), self._deadline.time_limit())

    def _games(self) -> Iterator[tuple[Program, InventedInputs]]:
        """The blank grids of the examples with their clues, and one with any clues."""
        none = InventedInputs.of(())
        programs = (program_of(each, self._rule) for each in self._examples)
        blank = [without_rule(_blank(each), self._rule) for each in programs]
        for each in {game.puzzle: game for game in blank}.values():
            yield each, none
        if inputs := comparison_context(self._rule, self._rule)[1]:
            smallest = min(blank, key=lambda game: game.puzzle.size)
            facts = {item.signature for item in inputs}
            kept = [fact for fact in smallest.puzzle.facts if fact.signature not in facts]
            yield smallest.changed(facts=tuple(kept)), InventedInputs.of(inputs)

    def _questions(
        self, names: Sequence[str], game: Program, invented: InventedInputs, kinds: set[str]
    ) -> Iterator[Question]:
        """For each kind, the grid on which the most of these readings are found to differ."""
        own, most = broken(self._own), f"{self._tag}_most"
        lines = [f"#defined {self._tag}_differs/1.  #show {self._tag}_differs/1."]
        for number, name in enumerate(names):
            other, differs = broken(self._negated[name]), f"{self._tag}_differs({number})"
            lines.append(f"{differs} :- {own}, not {other}.  {differs} :- not {own}, {other}.")
        count = f"#count {{ I : {self._tag}_differs(I) }}"
        lines.append(f"{most}(D) :- D = 1..{len(names)}, {count} >= D.\n")
        query = RuleFile("question", "question", "\n".join(lines), vetted=True)
        negated = [self._own, *(self._negated[name] for name in names)]
        solver = self._solver(game, *negated, query, invented.rules(game.puzzle.size))
        steps = sorted({1, *(len(names) * part // 4 for part in (1, 2, 3, 4))} - {0})
        is_decided = True
        for asked, kind in enumerate(sorted(kinds)):
            grid: Solution | None = None
            # So that there is time for the other kind, too.
            solver.deadline = self._deadline.share(len(kinds) - asked)
            for least in steps:
                wanted = Function(most, (least,))
                found = solver.search(1, [(own, kind == "forbidden"), (wanted, True)])
                more = next(iter([*found]), None)
                is_decided &= bool(more or grid) or found.ended == "complete"
                if more is None:
                    break
                grid = more
                solver.deadline = Deadline(min(self._deadline.seconds_left(), _SECONDS_FOR_MORE))
            if grid and (question := self._question(names, kind, grid, invented)):
                yield question
        if not is_decided:
            raise TimeLimitError("time limit reached while looking for questions")

    def _question(
        self, names: Sequence[str], kind: str, grid: Solution, invented: InventedInputs
    ) -> Question | None:
        """The question about a grid, with few of the clues that were invented for it; None if it
        is not decided in time what the readings say.
        """
        chosen = invented.chosen(grid.shown)
        if chosen:
            differing = f"{self._tag}_differs"
            number = next(
                each.arguments[0]
                for each in grid.shown
                if isinstance(each, Function) and each.name == differing
            )
            other = self._negated[names[cast("int", number)]].source or self._rule
            pair = (self._rule, other) if kind == "forbidden" else (other, self._rule)
            chosen, _ = needed_facts(*pair, grid, chosen, invented, (), self._deadline)
        puzzle = grid.puzzle.replace(
            grid=grid.rows, facts=(*grid.puzzle.facts, *chosen), origin=None, name=""
        )
        kinds: tuple[Kind, Kind] = ("allowed", "forbidden")
        said, opposite = kinds if kind == "allowed" else kinds[::-1]
        example = Example(said, "", 0, puzzle)
        _, others = self._tried(names, example)
        (trial,) = try_all(
            self._rule, [example._replace(kind=opposite)], self._deadline.time_limit()
        )
        return (
            Question(example, tuple(others), trial)
            if others and trial.outcome == "failed"
            else None
        )


def _blank(program: Program) -> Program:
    return program.changed(grid=Puzzle.blank(program.puzzle.size).grid, solution=None, title="")
