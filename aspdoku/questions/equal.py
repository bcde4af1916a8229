"""Rules told apart by grids: `equivalent`, and `learn`, which finds a rule by questions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from aspdoku.errors import PuzzleError
from aspdoku.lecture import equivalence, learning
from aspdoku.lecture.equivalence import forbidding, in_cells
from aspdoku.lecture.invented import GROUPS_DRAWN
from aspdoku.program import RuleFile, assemble, library, lint
from aspdoku.puzzle import Puzzle, Solution
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.questions import source, text
from aspdoku.questions.result import Result, Section, Verdict, drawn, encoded, fields, in_columns
from aspdoku.questions.text import filled, wrapped
from aspdoku.runtime.signals import interruptible

# Grids that are drawn if a rule to be learned is known, and none are shown.
_EXAMPLES = 3
# More rules than these are counted, not listed.
_MOST_LISTED = 10
_RELATIONS = {
    "same": "the same",
    "undecided": "not decided in time",
    "vacuous": "neither has a solution",
}


@dataclass(frozen=True, repr=False)
class Equivalence(Result):
    """How two rules compare; its truth value is whether they are equivalent.

    data: the result for each size, with grids that one rule forbids and the other allows
    puzzle: that whose grid and facts were used, if any
    """

    _kind = "equal"
    data: equivalence.RuleComparison
    puzzle: Puzzle | None = field(default=None, repr=False, compare=False)

    def _puzzle(self) -> Puzzle | None:
        return self.puzzle

    def __bool__(self) -> bool:
        return self.data.relation == "same"

    @property
    def relation(self) -> equivalence.Relation:
        """ "same", "one stricter", "two stricter", "neither", "different" or "undecided"."""
        return self.data.relation

    def _text(self) -> str:
        """The verdict, the sizes searched, and a grid for each direction of a difference."""
        return "\n\n".join([relation_text(self.data), *map(witness_text, self.data.witnesses)])

    def _summary(self) -> str:
        return f"{self._title()}, {self.relation}"

    def _json(self) -> dict[str, Any]:
        names = fields("one=one.place two=two.place relation without sizes=results witnesses")
        return names(self.data) | ({"of_puzzle": True} if self.data.of_puzzle else {})

    def _title(self) -> str:
        return f"{self.data.one.name} and {self.data.two.name}"

    def _first_line(self) -> Verdict:
        without = f", without {' and '.join(self.data.without)}" if self.data.without else ""
        if self.relation == "same":
            return Verdict(f"The same{without}", "unique")
        if self.relation == "undecided":
            return Verdict(f"Not decided{without}")
        return Verdict(f"Not the same{without}", "none")

    def sections(self) -> list[Section]:
        """The verdict on two rules, and each grid with the cells that violate one of them."""
        grids = [witness_section(each, each.violated, witness_text) for each in self.data.witnesses]
        return [Section(self._with_caveat(relation_text(self.data))), *grids]


encoded.register(equivalence.SizeResult, fields("size relation"))
encoded.register(
    equivalence.RuleComparison, fields("one=one.place two=two.place relation sizes=results")
)


@encoded.register
def _(witness: equivalence.Witness) -> dict[str, Any]:
    attributes = fields("violated=violated.place satisfied=satisfied.place grid facts")(witness)
    violations = map(fields("line column cells message"), witness.violations)
    return attributes | {"violations": list(violations)}


def relation_text(comparison: equivalence.RuleComparison) -> str:
    """The verdict on two rules, and the sizes searched."""
    one, two = comparison.one.place, comparison.two.place
    differing = [f"at {each.size}x{each.size}" for each in comparison.results if each.witnesses]
    size = differing[0] if differing else ""
    verdict = {
        "same": f"equivalent: no grid distinguishes {one} and {two}",
        "one stricter": f"{one} is stricter than {two} {size}",
        "two stricter": f"{two} is stricter than {one} {size}",
        "neither": f"different: {one} and {two} each forbid a grid that the other allows",
        "different": (
            f"different: a grid distinguishes {one} and {two}; whether one is stricter was not"
            " decided in time"
        ),
        "undecided": (
            f"undecided: no grid that distinguishes {one} and {two} was found in time, and their"
            " equivalence was not proved"
            if any(each.relation != "vacuous" for each in comparison.results)
            else f"undecided: no grid satisfies {one} or {two}"
        ),
    }[comparison.relation]
    shown = ((each.size, _RELATIONS.get(each.relation, "different")) for each in comparison.results)
    sizes = ", ".join(f"{size}x{size}: {relation}" for size, relation in shown)
    without = f"; without {' and '.join(comparison.without)}" if comparison.without else ""
    lines = [verdict, f"({sizes}{without})", *limits(comparison)]
    lines += ["this holds for the facts of the puzzle"] if comparison.of_puzzle else []
    return "\n".join(map(wrapped, lines))


def limits(comparison: equivalence.RuleComparison) -> Iterator[str]:
    """What a comparison without a difference does not cover."""
    if comparison.witnesses:
        return
    sizes = (each.size for each in comparison.results if each.relation == "vacuous")
    vacuous = [f"{size}x{size}" for size in sizes]
    if vacuous:
        proves = "that size proves" if len(vacuous) == 1 else "these sizes prove"
        yield f"neither has a solution at {', '.join(vacuous)}, so {proves} nothing"
    if comparison.sampled:
        tried = " and ".join(map(str, comparison.sampled))
        yield f"of {tried}, {GROUPS_DRAWN} invented lines or cages were tried at each size"


def witness_text(witness: equivalence.Witness, show_grid: bool = True) -> str:
    """A grid that one rule forbids and the other allows."""
    violations = witness.violations
    rule = forbidding(witness.violated.place, violations)
    forbids = f"{rule} forbids this grid{in_cells(violations)}"
    allows = f"{witness.satisfied.place} allows it{':' if show_grid else ''}"
    return with_grid(f"{forbids}, and {allows}", witness, show_grid)


def with_grid(sentence: str, witness: equivalence.Witness, show_grid: bool) -> str:
    """A sentence about a grid, the grid and the inputs of the rules."""
    blocks = [wrapped(sentence)]
    if show_grid:
        blocks.append(text.grid(witness.grid, marked=witness.cells))
    if witness.facts:
        facts = " ".join(f"{fact}." for fact in witness.facts)
        blocks.append(filled(f"with {facts}", len("with ")))
    return "\n\n".join(blocks)


def witness_section(
    witness: equivalence.Witness, rule: RuleFile, words: Callable[[equivalence.Witness, bool], str]
) -> Section:
    """A part of a page: the grid in the style of a rule, and words with or without the grid."""
    rules = [*library.game(), rule]
    # The other rule may read what this one defines, which is something else.
    inputs = {item.signature for each in rules for item in each.inputs}
    facts = tuple(fact for fact in witness.facts if fact.signature in inputs)
    puzzle = witness.grid.puzzle.replace(facts=facts)
    program = assemble(puzzle, rules)
    grid = Solution(puzzle, witness.grid.rows)
    pictures = drawn(program, grid, witness.cells)
    said = words(witness, not pictures)
    return Section(said, pictures) if pictures else in_columns(said)


@interruptible
def equivalent(
    one: source.Rule,
    two: source.Rule,
    puzzle: source.PuzzleSource | None = None,
    *,
    size: int = 9,
    without: source.Names = (),
    constants: source.Constants = None,
    facts: source.Facts = (),
    time_limit: float | None = None,
    interruptible: bool = False,
) -> Equivalence:
    """Decide whether two rules forbid the same grids, given the base and the default rules.

    Searches for a grid that violates one rule and satisfies the other, from 4x4 upwards, over all
    inputs; of cages and lines, some are invented for each size.

    one, two: names of rules, paths of rule files, or `RuleFile`s
    puzzle: only compare on this grid, with its inputs; the rules that it names are not used
    size: number of rows of the largest grid, without a puzzle
    without: default rules to retract
    constants: values for constants in the rules
    facts: ground facts that hold in every grid, such as the exception `"ab(offset,5)"`
    time_limit: seconds for all sizes; the relation is "undecided" if it is reached first
    interruptible: at KeyboardInterrupt, return the sizes that are settled
    Raises PuzzleError, or RuleError if a rule cannot be used or compared.
    """
    source.require_seconds(time_limit)
    rules = rule_file(one), rule_file(two)
    for each in rules:
        lint.require_valid(each)
    puzzles = equivalence.blank_grids(size) if puzzle is None else [source.puzzle_of(puzzle)]
    puzzles = [source.with_facts(each, facts) for each in puzzles]
    for each in rules:
        lint.require_compatible(each, puzzles[0].facts, rules)
    retracted, given_facts = source.names_in(without), puzzle is not None
    data = equivalence.compare_rules(
        *rules, puzzles, retracted, given_facts, time_limit, interruptible, constants
    )
    return Equivalence(data, puzzles[0])


def rule_file(rule: source.Rule) -> RuleFile:
    """The rule file with a name or path. Raises RuleError if there is none."""
    named = source.name_or_file(rule)
    return named if isinstance(named, RuleFile) else library.find(named)


@dataclass(frozen=True, repr=False)
class Learned(Result):
    """The rules that fit the grids and the answers; its truth value is whether one was found, and
    is equivalent to the hidden one if that is known.

    data: the questions, and what is proved
    """

    _kind = "learn"
    data: learning.Lesson

    def __bool__(self) -> bool:
        proof = self.data.proof
        return self.status == "found" and (proof is None or proof.relation == "same")

    @property
    def status(self) -> learning.LearnStatus:
        """ "found" (also if several rules are equivalent), "several" or "none"."""
        return self.data.status

    @property
    def rules(self) -> tuple[RuleFile, ...]:
        """The rules that are left; `rules[0].text` is the text of the rule that was found."""
        return self.data.rules

    @property
    def next(self) -> Solution | None:
        """If several rules are left: a grid that separates them."""
        return self.data.next

    def _text(self) -> str:
        lesson, fits = self.data, "fits" if self.data.fitting == 1 else "fit"
        start = (
            f"{lesson.fitting} of the {pluralize(len(lesson.space.rules), 'rule')} in"
            f" {lesson.space.place} {fits} {pluralize(len(lesson.shown), 'allowed grid')}"
        )
        blocks = [wrapped(start), *map(text.grid, lesson.shown)]
        for number, question in enumerate(lesson.questions, 1):
            fits = "fits" if question.left == 1 else "fit"
            left = f"{pluralize(question.left, 'rule')} still {fits}"
            answer = f"{'yes' if question.allowed else 'no'}: {left}"
            asked = f"question {number}: is this grid allowed?"
            blocks += [asked, text.grid(question.grid), answer]
        return "\n\n".join([*blocks, *self._verdict()])

    def _verdict(self) -> list[str]:
        place = self.data.space.place
        if self.status == "none":
            none = f"none of the rules in {place} fits"
            return [wrapped(f"{none}: the rule is another one, or an answer was wrong")]
        if self.status == "several":
            titles = [rule.title for rule in self.rules]
            fitting = text.listed(f"{len(self.rules)} rules fit", titles, _MOST_LISTED)
            assert self.next is not None
            return [fitting, "this grid separates them: is it allowed?", text.grid(self.next)]
        blocks = [wrapped(f"the rule in {place} that fits: {self.rules[0].title}")]
        if comparisons := self.data.comparisons:
            size = comparisons[0].results[-1].size
            lines = [f"no {size}x{size} grid tells it apart from"]
            for each in comparisons:
                relation = "" if each.relation == "same" else f" ({each.relation})"
                lines.append(wrapped(f"  {each.two.title}{relation}"))
            blocks.append("\n".join(lines))
        return [*blocks, *([relation_text(self.data.proof)] if self.data.proof else [])]

    def _summary(self) -> str:
        questions = pluralize(len(self.data.questions), "question")
        return f"{self.status}, {pluralize(len(self.rules), 'rule')}, {questions}"

    def _json(self) -> dict[str, Any]:
        lesson = self.data
        return {
            "status": self.status,
            "space": lesson.space.place,
            "considered": len(lesson.space.rules),
            **fields("shown fitting questions")(lesson),
            "rules": list(map(fields("name title text"), self.rules)),
            **fields("next comparisons proof")(lesson),
        }


@interruptible
def learn(
    grids: Iterable[source.PuzzleSource] = (),
    answer: Callable[[Solution], bool | None] | source.Rule | None = None,
    *,
    size: int = 6,
    space: str | os.PathLike[str] | None = None,
    without: source.Names = (),
    questions: int = 20,
    time_limit: float | None = None,
) -> Learned:
    """Find the rule of a hypothesis space that fits solved grids, and the answers to questions.

    grids: solved grids that are allowed, of one size
    answer: whether a grid is allowed, a function of the grid that may return None to stop; or the
        rule to be found, which then answers, and allows three random grids if `grids` is empty; or
        None to ask no questions
    size: number of rows, without grids
    space: the file with the rules to choose from, by default asp/hypotheses.lp
    without: default rules to retract
    questions: the largest number of them
    time_limit: seconds
    Raises PuzzleError for a grid with empty cells, rules of its own or another size, RuleError if
    the space or the rule cannot be used, or the rule is part of the game, TimeLimitError.
    """
    source.require_seconds(time_limit)
    source.require_natural(questions, "number of questions")
    if isinstance(grids, str | Puzzle | Solution | os.PathLike):
        raise TypeError("expected a list of grids")
    shown = [learning.solved_grid(source.puzzle_of(grid)) for grid in grids]
    learning.require_same_game(shown)
    game = shown[0].puzzle if shown else Puzzle.blank(size)
    game = game.replace(without=(*game.without, *source.names_in(without)))
    hypotheses = learning.hypotheses(None if space is None else Path(space))
    learner = learning.Learner(game, hypotheses, time_limit)
    if answer is None or callable(answer):
        return Learned(learner.learn(shown, _asking(answer), questions))
    hidden = rule_file(answer)
    learning.require_learnable(hidden, game)
    for grid in shown:
        if not learner.allows(hidden, grid):
            raise PuzzleError(f"a grid that is shown violates {hidden.place}", grid.puzzle.name)
    shown = shown or learner.examples(hidden, _EXAMPLES)
    lesson = learner.learn(shown, lambda grid: learner.allows(hidden, grid), questions)
    if lesson.status == "found":
        sizes = (
            equivalence.blank_grids(game.size)
            if game.box == Puzzle.blank(game.size).box
            else [game]
        )
        proof = learner.compare(lesson.rules[0], hidden, sizes)
        lesson = replace(lesson, proof=proof)
    return Learned(lesson)


def _asking(answer: Callable[[Solution], bool | None] | None) -> learning.Answer | None:
    """The answers of a function. Raises TypeError if one is not True, False or None."""
    if answer is None:
        return None

    def checked(grid: Solution) -> bool | None:
        allowed = answer(grid)
        if allowed is not None and not isinstance(allowed, bool):
            raise TypeError(f"expected True, False or None as an answer, not {allowed!r}")
        return allowed

    return checked
