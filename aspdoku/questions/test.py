"""A rule judged by examples: `judge`, the command `test`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Any

from aspdoku.errors import AspdokuError, RuleError
from aspdoku.explanation.conflict import explain_conflict
from aspdoku.formats import native
from aspdoku.lecture import examples as judged
from aspdoku.lecture.readings import OpenReadings, Question, open_readings
from aspdoku.markup import render
from aspdoku.program import RuleFile
from aspdoku.puzzle import Solution
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.questions import source, text
from aspdoku.questions.conflict import ConflictReport
from aspdoku.questions.equal import rule_file
from aspdoku.questions.result import Result, Section, Verdict, encoded, fields, figure
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.signals import interruptible

if TYPE_CHECKING:
    from aspdoku.drawing import Picture
    from aspdoku.puzzle.puzzle import Cell

# More readings than these are counted, not listed.
_MOST_LISTED = 8
# Seconds for the reason why an example has no solution.
_SECONDS_FOR_REASON = 5.0

encoded.register(
    Question,
    lambda each: {
        **fields("kind=example.kind others reason=trial.reason cells=trial.cells")(each),
        "puzzle": native.write(each.example.puzzle),
        **fields("grid facts")(each.example.puzzle),
    },
)


@dataclass(frozen=True, repr=False)
class Judged(Result):
    """What a rule makes of examples; its truth value is whether all of them passed.

    rule, file: the rule file, and that of the examples
    trials: each example with its outcome, the reason and the grids that show it
    readings: what the examples leave open; nothing unless all of them passed
    remarks: warnings about the examples
    """

    _kind = "test"
    rule: RuleFile
    file: Path
    trials: tuple[judged.Trial, ...]
    readings: OpenReadings
    remarks: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.status == "passed"

    @property
    def status(self) -> judged.Outcome:
        """ "failed" if an example failed, "undecided" if one is, or else "passed"."""
        outcomes = {each.outcome for each in self.trials}
        return "failed" if "failed" in outcomes else min(outcomes - {"passed"}, default="passed")

    def _text(self) -> str:
        trials = "\n".join(map(self._trial_text, self.trials))
        asked = [(self._question(each), self._to_paste(each)) for each in self.readings.questions]
        return "\n\n".join([trials, self._summary(), *self._open_text(), *chain(*asked)])

    def _trial_text(self, trial: judged.Trial) -> str:
        below = [text.grid(grid, marked=trial.cells) for grid in trial.grids]
        below += [trial.why] if trial.why else []
        shown = [text.wrapped(self._headline(trial)), *(indent(each, "  ") for each in below)]
        return "\n\n".join(shown) + "\n" * bool(below)

    def _headline(self, trial: judged.Trial) -> str:
        example = trial.example
        reason = f": {trial.reason}" if trial.reason else ""
        where = f"{self.file}:{example.line}"
        return f"{where}: {trial.outcome}: {example.kind}: {example.title}{reason}"

    def _summary(self) -> str:
        passed = sum(each.outcome == "passed" for each in self.trials)
        return f"{passed} of {pluralize(len(self.trials), 'example')} passed"

    def _open_text(self) -> Iterator[str]:
        """What the examples leave open, apart from the questions."""
        found = self.readings
        if found.considered and (found.open or not found.problem):
            agree = "agrees" if len(found.open) == 1 else "agree"
            likely = f"{len(found.open)} of {pluralize(found.considered, 'likely reading')} {agree}"
            undecided = f" ({len(found.undecided)} undecided)" if found.undecided else ""
            yield _listed(f"{likely} with all examples{undecided}", found.open)
        if found.problem:
            of = f", of which there are {found.considered}" if found.considered else ""
            yield text.wrapped(f"{found.problem}{of}" if not found.open else found.problem)
        elif found.open and not found.questions:
            tells = "no grid of the sizes and with the clues of the examples tells"
            one = "it" if len(found.open) == 1 else "one of them"
            yield text.wrapped(f"{tells} {one} from {self.rule.place}")

    def _question(self, question: Question) -> str:
        verb = "forbid" if question.example.kind == "allowed" else "allow"
        these = f"These readings {verb}" if question.others[1:] else f"This reading {verb}s"
        asked = "The examples do not say so: if it is right, add the grid to them"
        return _listed(f"{question.trial.reason}. {asked}. {these} it", question.others)

    def _to_paste(self, question: Question) -> str:
        title = f"{question.example.kind}: unlike {question.others[0]}"
        return f"{title}\n{native.write(question.example.puzzle)}".rstrip("\n")

    def _json(self) -> dict[str, Any]:
        names = fields("kind=example.kind title=example.title line=example.line outcome reason")
        shown, violated = fields("grids cells why"), fields("line column cells message")
        return {
            "rule": self.rule.place,
            "file": str(self.file),
            "status": self.status,
            "examples": [
                {**names(each), **shown(each), "violations": list(map(violated, each.violations))}
                for each in self.trials
            ],
            **fields("considered open undecided questions problem")(self.readings),
        }

    def _title(self) -> str:
        return f"Examples of {self.rule.name}"

    def _first_line(self) -> Verdict:
        state = {"passed": "unique", "failed": "none"}.get(self.status, "")
        return Verdict(self._summary().capitalize(), state)  # type: ignore[arg-type]

    def sections(self) -> list[Section]:
        """The examples, drawn if they failed, and the grids on which they say nothing."""
        with text.unwrapped():
            parts = [*map(self._section, self.trials), *map(Section, self._open_text())]
            for each in self.readings.questions:
                words, code = self._question(each), self._to_paste(each)
                grid = Solution(each.example.puzzle, each.example.puzzle.grid)
                drawn = self._drawn(each.example, grid, each.trial.cells)
                parts.append(Section(f"{words}\n\n{code}", drawn, words=words, code=code))
        return parts

    def _section(self, trial: judged.Trial) -> Section:
        words = self._headline(trial)
        drawings = [
            each for grid in trial.grids for each in self._drawn(trial.example, grid, trial.cells)
        ]
        return Section(self._trial_text(trial), tuple(drawings), words=words, code=trial.why)

    def _drawn(
        self, example: judged.Example, grid: Solution, cells: Iterable[Cell] = ()
    ) -> tuple[Picture, ...]:
        try:
            return (figure(judged.program_of(example, self.rule), grid, cells=cells),)
        except AspdokuError:  # an invalid style, or no time to ground what a style draws
            return ()

    def to_junit(self) -> str:
        """The examples as a test suite in JUnit's XML."""
        kinds = {"passed": "", "failed": "failure", "undecided": "error"}
        cases = [
            {
                "name": f"{each.example.kind}: {each.example.title}",
                "verdict": each.outcome,
                "kind": kinds[each.outcome],
                "reason": each.reason,
                "text": self._trial_text(each),
            }
            for each in self.trials
        ]
        outcomes = [each.outcome for each in self.trials]
        counts = {"failures": outcomes.count("failed"), "errors": outcomes.count("undecided")}
        suite = f"aspdoku test {self.rule.place} {self.file}"
        return render("grading.xml.j2", suite=suite, of=self.rule.place, cases=cases, **counts)


def _listed(words: str, names: tuple[str, ...]) -> str:
    lines = [text.wrapped(f"{words}:" if names else words)]
    lines += [text.wrapped(f"  {name}", 4) for name in names[:_MOST_LISTED]]
    more = len(names) - _MOST_LISTED
    return "\n".join([*lines, *([f"  and {more} more"] if more > 0 else [])])


@interruptible
def judge(
    rule: source.Rule,
    file: str | os.PathLike[str] | None = None,
    *,
    time_limit: float | None = None,
) -> Judged:
    """Test a rule by examples: grids that it has to allow or to forbid, and puzzles to solve.

    If all of them pass, the result also has grids on which they say nothing: one that the rule
    allows and other readings of it forbid, and one that it forbids and they allow.

    rule: a rule file, its path, or the name of a rule
    file: the examples; by default the file NAME.examples next to that of the rule
    time_limit: seconds; examples that are not tried by then are "undecided"
    Raises PuzzleError for an invalid example, RuleError if there are none.
    """
    source.require_seconds(time_limit)
    tested, deadline = rule_file(rule), Deadline(time_limit)
    path = Path(file) if file is not None else judged.file_next_to(tested)
    if path is None:
        place = tested.path.with_suffix(judged.SUFFIX) if tested.path else f"{tested.name}.examples"
        raise RuleError(f"{place}: there is no file of examples next to the rule: write one")
    found = judged.read_examples(path)
    if not found:
        raise RuleError(f"{path}: no example in it: begin one with a line such as allowed: a title")
    remarks = dict.fromkeys(
        judged.located(warning, each)
        for each in found
        for warning in judged.program_of(each, tested).warnings
    )
    trials = [
        _with_reason(each, tested, deadline)
        for each in judged.try_all(tested, found, deadline.time_limit())
    ]
    readings = OpenReadings()
    if all(each.outcome == "passed" for each in trials):
        readings = open_readings(tested, found, deadline.time_limit())
    return Judged(tested, path, tuple(trials), readings, tuple(remarks))


def _with_reason(trial: judged.Trial, rule: RuleFile, deadline: Deadline) -> judged.Trial:
    """With what contradicts each other in an example that should have a solution."""
    if trial.outcome != "failed" or trial.grids or trial.example.kind == "forbidden":
        return trial
    program = judged.program_of(trial.example, rule)
    seconds = min(_SECONDS_FOR_REASON, deadline.seconds_left())
    try:
        return trial._replace(
            why=ConflictReport(program, explain_conflict(program, seconds)).conflicts()
        )
    except AspdokuError:
        return trial
