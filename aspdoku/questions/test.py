"""A rule judged by examples: `judge`, the command `test`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from textwrap import indent
from typing import Any

from aspdoku.errors import Advice, AspdokuError, RuleError
from aspdoku.explanation.conflict import explain_conflict
from aspdoku.formats import native
from aspdoku.lecture import examples as judged
from aspdoku.lecture.readings import OpenReadings, Question, open_readings
from aspdoku.program import RuleFile, library
from aspdoku.puzzle import Solution
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.questions import source, text
from aspdoku.questions.conflict import ConflictReport
from aspdoku.questions.equal import rule_file
from aspdoku.questions.result import Result, Section, Verdict, drawn, encoded, fields, junit
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.signals import interruptible

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
        trials = "\n".join(map(self._trial_text, self.trials)).rstrip("\n")
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
        found, place = self.readings, self.rule.place
        readings = pluralize(found.considered, "likely reading")
        undecided = f" ({len(found.undecided)} undecided)" if found.undecided else ""
        if found.open or (found.considered and not found.problem):
            agree = f"{len(found.open)} of {readings} agree{'s' * (len(found.open) == 1)}"
            if not found.open:
                agree = f"None of the {readings} that were tried agrees"
            words = f"{agree} with all examples{undecided}"
            if not (found.open or undecided):
                words += f": they tell {place} from each"
            yield text.listed(words, found.open, _MOST_LISTED)
        if found.problem:
            of = f", of which there are {found.considered}" if found.considered else ""
            yield text.wrapped(f"{found.problem}{of}" if not found.open else found.problem)
            return
        one = "it" if len(found.open) == 1 else "one of them"
        if found.open and not found.questions:
            tells = "No grid of the sizes and with the clues of the examples tells"
            yield text.wrapped(f"{tells} {one} from {place}")
        elif len(found.questions) == 1:
            verbs = (
                ("forbids", "allowed")
                if found.questions[0].example.kind == "allowed"
                else ("allows", "forbidden")
            )
            yield text.wrapped(f"No grid that {place} {verbs[0]} is {verbs[1]} by {one}.")

    def _question(self, question: Question) -> str:
        verb = "forbid" if question.example.kind == "allowed" else "allow"
        these = f"These readings {verb}" if question.others[1:] else f"This reading {verb}s"
        other = "forbidden" if verb == "forbid" else "allowed"
        asked = (
            "Is that right? Then add the grid to the examples; if not, add it with"
            f" {other}: instead of {question.example.kind}:, and correct the rule"
        )
        words = f"{question.trial.reason}. {asked}. {these} it"
        return text.listed(words, question.others, _MOST_LISTED)

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
                pictures = drawn(judged.program_of(each.example, self.rule), grid, each.trial.cells)
                parts.append(Section(f"{words}\n\n{code}", pictures, words=words, code=code))
        return parts

    def _section(self, trial: judged.Trial) -> Section:
        words = self._headline(trial)
        pictures = (
            drawn(judged.program_of(trial.example, self.rule), grid, trial.cells)
            for grid in trial.grids
        )
        return Section(
            self._trial_text(trial), tuple(chain(*pictures)), words=words, code=trial.why
        )

    def to_junit(self) -> str:
        """The examples as a test suite in JUnit's XML."""
        kinds = {"passed": "", "failed": "failure", "undecided": "error"}
        titles = Counter((each.example.kind, each.example.title) for each in self.trials)
        cases = [
            {
                "name": f"{kind}: {title}" + f" (line {line})" * (titles[kind, title] > 1),
                "verdict": each.outcome,
                "kind": kinds[each.outcome],
                "reason": each.reason,
                "text": self._trial_text(each),
            }
            for each in self.trials
            for kind, title, line, _ in [each.example]
        ]
        place = self.rule.place
        return junit(f"aspdoku test {place} {self.file}", place, cases)


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
        if library.is_bundled(tested) or not tested.path:
            raise RuleError(
                f"there is no file of examples for {tested.name}: name one",
                Advice(
                    f", as in `aspdoku test {tested.name} FILE.examples`", ", the second argument"
                ),
            )
        place = tested.path.with_suffix(judged.SUFFIX)
        raise RuleError(
            f"{place}: there is no file of examples next to the rule: write one, with a line such"
            " as allowed: a title, or forbidden: a title, above each grid"
        )
    found = judged.read_examples(path)
    if not found:
        raise RuleError(f"{path}: no example in it: begin one with a line such as allowed: a title")
    remarks = _remarks(tested, found)
    trials = [
        _with_reason(each, tested, deadline)
        for each in judged.try_all(tested, found, deadline.time_limit())
    ]
    readings = OpenReadings()
    if all(each.outcome == "passed" for each in trials):
        readings = open_readings(tested, found, deadline.time_limit())
    return Judged(tested, path, tuple(trials), readings, remarks)


def _remarks(rule: RuleFile, examples: Sequence[judged.Example]) -> tuple[str, ...]:
    """The warnings, once each, with the line of the example unless they are about all of them."""
    warnings = [judged.program_of(each, rule).warnings for each in examples]
    general = {*warnings[0]}.intersection(*warnings)
    found = []
    for example, texts in zip(examples, warnings, strict=True):
        file = example.puzzle.name
        for each in texts:
            placed = each in general or each.startswith(f"{file}:")
            found.append(judged.located(each if placed else f"{file}: {each}", example))
    return tuple(dict.fromkeys(found))


def _with_reason(trial: judged.Trial, rule: RuleFile, deadline: Deadline) -> judged.Trial:
    """With what contradicts each other in an example that should have a solution."""
    if trial.outcome != "failed" or trial.grids:
        return trial
    program = judged.program_of(trial.example, rule)
    if trial.example.kind == "forbidden":
        program = judged.without_rule(program, rule)
    seconds = min(_SECONDS_FOR_REASON, deadline.seconds_left())
    try:
        return trial._replace(
            why=ConflictReport(program, explain_conflict(program, seconds)).conflicts()
        )
    except AspdokuError:
        return trial
