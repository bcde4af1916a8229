"""The data of an explanation: claims about cells, the reasons for them, and steps of reasons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Literal, NamedTuple

from aspdoku.engine.clues import Clue
from aspdoku.errors import AspdokuError
from aspdoku.explanation.constraints import RuleInstance
from aspdoku.explanation.techniques import DEFINITIONS, GRAVE, UNIQUENESS, Technique
from aspdoku.puzzle import Puzzle
from aspdoku.puzzle.puzzle import format_range
from aspdoku.puzzle.render import shortened
from aspdoku.puzzlefile.lines import pluralize

_CLAIM = re.compile(r"r([0-9]{1,3})c([0-9]{1,3})(!?=)([0-9]{1,3})", re.IGNORECASE)

StepKind = Literal["place", "eliminate", "contradiction"]

# The most rules in the hardest step for each label; beyond the last it is "extreme". The number of
# rules orders puzzles much as Sudoku Explainer's rating does: Spearman's rank correlation is 0.92
# on 217 puzzles, and 0.93 on 160 others. The bounds follow the techniques that take that many
# rules: 1 is a single; up to 4 are locked candidates, pairs, an X-wing and most triples; up to 7
# are swordfish, skyscrapers, quads and XY- and XYZ-wings; up to 10 are chains and ALS-XZ. The
# median ratings are 1.5 at 1 rule, 2.0 to 3.4 at 2 to 4, 4.1 to 5.0 at 5 to 7, 6.3 at 9 and 8.4 at
# 11. The labels are arbitrary.
LABELS = ((1, "easy"), (4, "medium"), (7, "hard"), (10, "very hard"))
_HARDEST = "extreme"
GRADES = (*(label for _, label in LABELS), _HARDEST)

# For a reason with more rules than this, only their number is given: a longer list is not readable.
MAX_RULES = 12
NOTHING_ELSE = "nothing else is possible"

# The techniques from easy to hard.
_RANKS = {name: rank for rank, name in enumerate((*DEFINITIONS, *UNIQUENESS))}


class Claim(NamedTuple):
    """The statement that a cell holds a number, or that it does not."""

    row: int
    column: int
    number: int
    holds: bool

    def __str__(self) -> str:
        return f"r{self.row}c{self.column}{'=' if self.holds else '!='}{self.number}"

    @classmethod
    def parse(cls, text: str, puzzle: Puzzle) -> Claim:
        """Parse a text like `r3c4=5` or `r3c4!=5`.

        Raises AspdokuError if it is not a claim, or not about a number of the puzzle and a cell
        that is used.
        """
        found = _CLAIM.fullmatch(text.replace(" ", ""))
        if not found:
            raise AspdokuError(f"invalid claim '{text}': write e.g. r3c4=5 or r3c4!=5")
        row, column, number = (int(found[part]) for part in (1, 2, 4))
        if not puzzle.contains(row, column, number):
            grid = f"the {puzzle.size}x{puzzle.size} grid"
            if not puzzle.has_default_numbers:
                grid += f" with the numbers {format_range(puzzle.numbers)}"
            raise AspdokuError(f"'{text}' is outside {grid}")
        if (row, column) in puzzle.unused:
            raise AspdokuError(f"r{row}c{column} is not used: it holds no number")
        return cls(row, column, number, found[3] == "=")


class CitedRule(NamedTuple):
    """A rule instance that a reason uses; if it requires one of several numbers, the open ones."""

    instance: RuleInstance
    options: tuple[Claim, ...]


class ProofStep(NamedTuple):
    """An inference of a proof by one rule: no claim if the rule is violated, or the inference is
    not about a cell; no instance for a definition.
    """

    claim: Claim | None
    instance: RuleInstance | None


class Proof(NamedTuple):
    """A refutation: inferences to a violated rule, or to cases, each with its own proof."""

    assumption: Claim
    inferences: tuple[ProofStep, ...]
    cases: tuple[Proof, ...]


class Conflict(NamedTuple):
    """Givens, entries and clues that contradict each other or a claim; none can be left out. Each
    rule is violated by these numbers directly, or else by all together, as far as it was looked
    for.
    """

    givens: tuple[Claim, ...] = ()
    clues: tuple[Clue, ...] = ()
    rules: tuple[RuleInstance, ...] = ()

    @classmethod
    def of(cls, items: Iterable[Claim | Clue]) -> Conflict:
        """The conflict of these givens, in reading order, and clues."""
        items = list(items)
        return cls(
            tuple(sorted(item for item in items if isinstance(item, Claim))),
            tuple(item for item in items if isinstance(item, Clue)),
        )

    @property
    def words(self) -> list[str]:
        """The givens, and the clues with their names and places."""
        return [*map(str, self.givens), *(clue.words for clue in self.clues)]


class Reason(NamedTuple):
    """A small set of rules and premises that entails claims.

    claims: the conclusions
    rules: the rules used, as few as were found
    premises: the known claims that are used
    proof: the refutation of the opposite of the first claim; None if a rule is violated at once, or
        no proof was found
    eliminations: the eliminated candidates that it depends on, each by a single rule
    technique: None for a violated rule, for an elimination by a single rule, and if only clingo
        has proved it
    core: if only clingo has proved it, and on request: givens and clues that suffice for the first
        claim
    behind: the rules from which a cited total of houses and clues follows
    """

    claims: tuple[Claim, ...]
    rules: tuple[CitedRule, ...]
    premises: tuple[Claim, ...]
    proof: Proof | None
    eliminations: tuple[Reason, ...] = ()
    technique: Technique | None = None
    core: Conflict | None = None
    behind: tuple[RuleInstance, ...] = ()

    def __str__(self) -> str:
        """The conclusion, the rules and the technique in one sentence."""
        words = ", ".join(dict.fromkeys(cited.instance.words for cited in self.rules))
        if len(self.rules) > MAX_RULES:
            words = f"{len(self.rules)} rules force it"
        if not self.claims:
            return f"contradiction: {words or 'a cell holds one number'}"
        technique = f" ({self.technique})" if self.technique else ""
        because = f"{claims_text(self.claims)} because {words or NOTHING_ELSE}"
        return f"{because}{technique}{self.core_words}"

    def __repr__(self) -> str:
        return f"<Reason: {shortened(str(self))}>"

    @property
    def core_words(self) -> str:
        """The givens and clues that suffice, as the end of a sentence; empty without them."""
        return f"; it follows from {', '.join(self.core.words)}" if self.core else ""

    @property
    def is_opaque(self) -> bool:
        """Whether only clingo has proved it, so that there is no proof to show."""
        return bool(self.claims) and self.technique is None and len(self.rules) > 1

    @property
    def rests_on(self) -> list[Claim]:
        """The numbers in the grid that it depends on, eliminations included.

        For a hidden single, only the same number elsewhere: filled cells are visible anyway. None
        for a step that depends on the whole grid.
        """
        if self.technique and self.technique.name == GRAVE:
            return []
        premises = chain.from_iterable(each.premises for each in (self, *self.eliminations))
        numbers = {premise for premise in premises if premise.holds}
        if self.technique and self.technique.name == "hidden single":
            sought = {claim.number for claim in self.claims}
            numbers = {each for each in numbers if each.number in sought}
        return sorted(numbers)

    @property
    def uses(self) -> set[str]:
        """The names of the rule files that it depends on, eliminations included."""
        rules = chain.from_iterable(each.rules for each in (self, *self.eliminations))
        return {
            *(cited.instance.guard.name for cited in rules),
            *(instance.guard.name for instance in self.behind),
        }

    @property
    def size(self) -> int:
        """The number of rules; a total counts as two, as it is of houses and clues."""
        return len(self.rules) + bool(self.behind)


class Step(NamedTuple):
    """One step: numbers placed by a single rule each, or the conclusions of a larger reason.

    reasons: empty in a last step that only eliminates candidates
    eliminations: candidates eliminated before it, by a single rule each
    """

    number: int
    kind: StepKind
    reasons: tuple[Reason, ...]
    eliminations: tuple[Reason, ...]

    def __str__(self) -> str:
        """The conclusions and their reasons in one sentence."""
        numbers = self.reasons[0].rests_on if len(self.reasons) == 1 else []
        parts = [*map(str, self.reasons), *([f"with {claims_text(numbers)}"] if numbers else [])]
        left = pluralize(len(self.eliminations), "candidate")
        return "; ".join(parts) or f"{left} left to eliminate, each by a single rule"

    def __repr__(self) -> str:
        return f"<Step {self.number}: {shortened(str(self))}>"

    @property
    def size(self) -> int:
        """The number of rules of the largest reason."""
        return max((reason.size for reason in self.reasons), default=0)

    @property
    def technique(self) -> Technique | None:
        """The technique of the largest reason."""
        largest = max(self.reasons, key=lambda reason: reason.size, default=None)
        return largest and largest.technique


class Difficulty(NamedTuple):
    """How difficult a puzzle is.

    hardest: rules in the hardest step
    work: all rules and steps
    label: a word for `hardest`
    unique: whether the solution is unique; otherwise, only the forced claims are rated
    technique: that of the hardest step; None if it has no name
    """

    hardest: int
    work: int
    label: str
    unique: bool
    technique: Technique | None = None

    @property
    def hardest_step(self) -> str:
        """The number of rules and the technique of the hardest step, in words."""
        # A step of several rules has no technique if there is no proof to read it from.
        technique = self.technique or ("proved by clingo" if self.hardest > 1 else "")
        return pluralize(self.hardest, "rule") + (f", {technique}" if technique else "")


def claims_text(claims: Iterable[Claim]) -> str:
    """Claims as text; eliminations are grouped by cells and numbers: `r1c6 r2c6 are not 2 4`."""
    listed = list(claims)
    parts = [f"r{claim.row}c{claim.column}={claim.number}" for claim in listed if claim.holds]
    numbers: dict[tuple[int, int], list[int]] = {}
    for claim in listed:
        if not claim.holds:
            numbers.setdefault((claim.row, claim.column), []).append(claim.number)
    alike: dict[tuple[int, ...], list[str]] = {}
    for (row, column), gone in numbers.items():
        alike.setdefault(tuple(sorted(gone)), []).append(f"r{row}c{column}")
    for excluded, cells in alike.items():
        are = "is" if len(cells) == 1 else "are"
        parts.append(f"{' '.join(cells)} {are} not {' '.join(map(str, excluded))}")
    return ", ".join(parts)


def eliminations_behind(
    reason: Reason, eliminations: Mapping[Claim, Reason]
) -> dict[Claim, Reason]:
    """The eliminations that a reason depends on, of these, by what they eliminate."""
    needed: dict[Claim, Reason] = {}
    waiting = list(reason.premises)
    while waiting:
        claim = waiting.pop()
        if claim in eliminations and claim not in needed:
            needed[claim] = eliminations[claim]
            waiting += needed[claim].premises
    return needed


def relevant_steps(steps: Iterable[Step], claim: Claim | None) -> list[Step]:
    """The steps that lead to a claim (None: to a violated rule), with only the reasons needed."""
    wanted: set[Claim | None] = {claim}
    kept: list[Step] = []
    for step in reversed(list(steps)):
        reasons = tuple(
            reason
            for reason in step.reasons
            if wanted.intersection(reason.claims) or (claim is None and not reason.claims)
        )
        wanted |= {premise for reason in reasons for premise in reason.premises}
        eliminations = []
        for reason in reversed(step.eliminations):
            if wanted.intersection(reason.claims):
                wanted.update(reason.premises)
                eliminations.append(reason)
        if reasons or eliminations:
            kept.append(step._replace(reasons=reasons, eliminations=tuple(eliminations[::-1])))
    return kept[::-1]


def difficulty_of(steps: Iterable[Step], unique: bool) -> Difficulty:
    """The difficulty of a puzzle with these steps."""
    steps = [step for step in steps if step.reasons]
    hardest = max(steps, key=lambda step: (step.size, _rank(step.technique)), default=None)
    size = hardest.size if hardest else 0
    label = label_of(size)
    work = sum(step.size for step in steps) + len(steps)
    return Difficulty(size, work, label, unique, hardest and hardest.technique)


def label_of(size: int) -> str:
    """The grade of a puzzle whose hardest step needs so many rules: one of `GRADES`."""
    return next((label for most, label in LABELS if size <= most), _HARDEST)


def _rank(technique: Technique | None) -> int:
    return _RANKS[technique.name] if technique else len(_RANKS)
