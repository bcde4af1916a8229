"""Findings in rule files, and grades of exercises: `check`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from textwrap import indent
from typing import Any, Literal

from aspdoku.drawing.style import check_style
from aspdoku.errors import RuleError
from aspdoku.formats.drawn.elements import KINDS
from aspdoku.generation.clue_files import check_clue_file
from aspdoku.generation.clues import try_clue_file
from aspdoku.lecture import examples
from aspdoku.lecture.equivalence import Witness, forbidding, in_cells
from aspdoku.lecture.grading import COMPARED, VERDICTS, Assessment, Exercise
from aspdoku.lecture.trial import try_rule
from aspdoku.lecture.whole import explain_whole
from aspdoku.program import RuleFile, library, lint
from aspdoku.program.messages import Message
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.questions import result
from aspdoku.questions.equal import limits, with_grid, witness_section
from aspdoku.questions.source import Rule, name_or_file, require_seconds
from aspdoku.questions.text import wrapped
from aspdoku.runtime.progress import note
from aspdoku.runtime.signals import interruptible
from aspdoku.words.findings import check_words

_finding = result.fields("line column text")
# The kinds of bars that count verdicts.
_BARS = {"right": "good", "too lax": "lax", "too strict": "strict", "wrong": "strict"}
_GROWTH = (
    "a rule with ever larger terms, as in p(X+1) :- p(X), never does, and --time-limit-each or"
    " --memory-limit allows a large one more"
)


@dataclass(frozen=True, repr=False)
class CheckReport(result.Result):
    """The errors and warnings of a rule file; its truth value is whether there are no errors.

    findings: messages with file, line and column
    notes: if there are no errors, on departures from conventions of rule files; none on a whole
        program, which need not keep to them
    """

    file: str
    findings: tuple[Message, ...]
    notes: tuple[Message, ...] = ()

    def __bool__(self) -> bool:
        return _has_no_error(self.findings)

    def _text(self) -> str:
        return quoted(self.findings) or f"{self.file}: nothing found"

    def _summary(self) -> str:
        return f"{self.file}, {pluralize(len(self.findings), 'finding')}"

    def to_json(self) -> dict[str, Any]:
        """An object for each finding, in a list of one file."""
        return checks_json([self])

    def _json(self) -> dict[str, Any]:
        findings = [{"file": each.place or self.file, **_finding(each)} for each in self.findings]
        return {"file": self.file, "findings": findings}


def checks_json(reports: Iterable[CheckReport]) -> dict[str, Any]:
    """The findings of each file as a JSON object."""
    return result.tagged("check", {"files": [each._json() for each in reports]})


@interruptible
def check(
    rule: Rule,
    *,
    time_limit: float = 20.0,
    on_findings: Callable[[list[Message]], object] | None = None,
) -> CheckReport:
    """Lint a rule file: syntax, unsafe variables, unknown predicates, changes of the base, whether
    grounding ends; also the `.draw`, `.gen`, `.words` and `.examples` files next to it.

    rule: a rule file, its path, or the name of a rule; a file that cannot be read is a finding
    time_limit: seconds; grounding a blank grid may take half of them, explaining a whole program
        without a/3 another half, drawing clues and the examples a quarter each
    on_findings: called with the findings of each part, at first those for which nothing is grounded
    """
    require_seconds(time_limit)
    named = name_or_file(rule)
    if isinstance(rule, str) and rule in library.rule_names():
        named = library.find(rule)
    place = named.place if isinstance(named, RuleFile) else str(Path(named))
    messages: list[Message] = []

    def found(part: list[Message]) -> None:
        messages.extend(part)
        if on_findings and part:
            on_findings(part)

    file = _examined(named, time_limit, found)
    notes = lint.notes(file) if file and _has_no_error(messages) else []
    return CheckReport(place, _without_repetitions(messages), tuple(notes))


def _examined(
    named: str | RuleFile, time_limit: float, found: Callable[[list[Message]], object]
) -> RuleFile | None:
    """Call a function with the findings of each part. The rule, if it can be read and nothing is
    said about it as a whole program.
    """
    trials: list[tuple[str, Callable[[RuleFile, float], list[Message]]]]
    trials = [("trying the rule on grids", try_rule)]
    if isinstance(named, RuleFile):
        messages = lint.check(named)
    else:
        path = Path(named)
        messages = lint.check_file(path)
        if _has_no_error(messages):
            named = RuleFile.read(path, str(path))
            messages += check_clue_file(named)
        messages += [*check_style(path), *check_words(path, KINDS)]
        trials.append(("drawing clues", try_clue_file))
    of_rules = [each for each in messages if each.of_rules]
    found([each for each in messages if not each.of_rules])
    rule, whole, is_whole = None, list[Message](), False
    with suppress(RuleError):  # the file cannot be read
        rule = named if isinstance(named, RuleFile) else RuleFile.read(Path(named), str(named))
        whole, is_whole = explain_whole(rule, time_limit / 2, bool(messages))
    found(whole if is_whole else [*of_rules, *whole])
    for activity, trial in (*trials, ("trying the examples", examples.findings)):
        if isinstance(named, RuleFile) and _has_no_error(messages):
            note(activity)
            messages = trial(named, time_limit)
            # A whole program forbids no grid of ours, which says nothing about it.
            found([each for each in messages if not is_whole or each.severity == "error"])
    return None if whole else rule


def quoted(messages: Iterable[Message]) -> str:
    """Findings with the lines that they are about."""
    return "\n".join(each.quoted for each in messages)


def _has_no_error(messages: Sequence[Message]) -> bool:
    return all(message.severity in ("warning", "note") for message in messages)


def _without_repetitions(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The findings without warnings that errors about the same line repeat."""
    errors = [each for each in messages if each.severity == "error"]

    def repeated(warning: Message) -> bool:
        text = warning.text.removeprefix("warning: ")
        return any(each.line == warning.line and each.text.endswith(text) for each in errors)

    return tuple(each for each in messages if each.severity != "warning" or not repeated(each))


def grading_text(mark: Assessment, reference: str) -> str:
    """The verdict on a file, its findings, and the grids on which it is wrong."""
    grids = (_feedback(mark, reference, each, True) for each in wrong_grids(mark))
    return "\n\n".join([_verdict_text(mark, reference), *grids, *_size_remarks(mark)])


def _verdict_text(mark: Assessment, reference: str) -> str:
    return "\n".join([wrapped(_verdict_sentence(mark, reference)), *_quoted_findings(mark)])


def _verdict_sentence(mark: Assessment, reference: str) -> str:
    why = verdict_reason(mark, reference)
    return f"{mark.file}: {mark.verdict}" + (f": {why}" if why else "")


def _quoted_findings(mark: Assessment) -> list[str]:
    return [indent(each.quoted, "  ") for each in mark.findings]


def _size_remarks(mark: Assessment) -> Iterator[str]:
    """The verdicts by size, and a hint if only the largest is right."""
    *smaller, largest = mark.comparison.results if mark.comparison else [None]
    named = {f"{each.size}x{each.size}": each for each in [*smaller, largest] if each}
    if smaller and any(each.witnesses for each in named.values()):
        sizes = (f"{size}: {VERDICTS[each.relation]}" for size, each in named.items())
        yield f"({', '.join(sizes)})"
    if largest and largest.relation == "same" and any(each and each.witnesses for each in smaller):
        yield (
            f"At {[*named][-1]} the rule is right. Does it contain a number that is only correct at"
            f" {[*named][-1]}? Use n, box_rows or box_columns instead."
        )


def grading_summary(marks: Sequence[Assessment]) -> str:
    """A table of the verdicts, and the number of correct files."""
    width = max(len(mark.file) for mark in marks)
    lines = [f"{mark.file.ljust(width)}  {mark.verdict}" for mark in marks]
    return "\n".join([*lines, _right_of(marks)])


def _right_of(marks: Sequence[Assessment]) -> str:
    return f"{sum(mark.verdict == 'right' for mark in marks)} of {len(marks)} right"


def grading_json(marks: Iterable[Assessment], reference: str) -> dict[str, Any]:
    """Assessments as a JSON object, which contains no line and no text of the reference."""
    files = [
        {
            **result.fields("file verdict")(mark),
            "explanation": verdict_reason(mark, reference),
            "findings": list(map(_finding, mark.findings)),
            "sizes": [
                {"size": each.size, "verdict": VERDICTS[each.relation]}
                for each in (mark.comparison.results if mark.comparison else ())
            ],
            "witnesses": [_witness(each, mark) for each in wrong_grids(mark)],
        }
        for mark in marks
    ]
    return result.tagged("check-against", {"reference": reference, "files": files})


def _forbids(mark: Assessment, witness: Witness) -> bool:
    """Whether the student's rule forbids the grid; otherwise the reference does."""
    return mark.comparison is not None and witness.violated == mark.comparison.one


def wrong_grids(mark: Assessment) -> list[Witness]:
    """The grids on which a file is wrong; first one that it forbids, if there is one."""
    witnesses = mark.comparison.witnesses if mark.comparison else ()
    return sorted(witnesses, key=lambda witness: not _forbids(mark, witness))


def _witness(witness: Witness, mark: Assessment) -> dict[str, Any]:
    forbids = _forbids(mark, witness)
    difference = "forbids too much" if forbids else "allows too much"
    attributes = result.fields("size=grid.puzzle.size grid facts cells")(witness)
    lines = sorted({each.line for each in witness.violations if forbids})
    example = {"example": witness.title} if witness.title else {}
    return {"difference": difference, **attributes, "lines": lines, **example}


def verdict_reason(mark: Assessment, reference: str) -> str:
    """The verdict as a sentence; empty if the findings explain it."""
    if mark.reason is not None:
        where = f"line {mark.reason.line}: " if mark.reason.line else ""
        text = mark.reason.text
        if mark.verdict == "gave up":
            growth = mark.reason.growth or _GROWTH
            text = f"grounding did not end within its limits ({text}); {growth}"
        if mark.verdict == "crashed":
            text = f"clingo or aspdoku failed on this file: {text}"
        return where + text
    if mark.comparison is None:
        return ""
    results = mark.comparison.results
    sizes = [f"{each.size}x{each.size}" for each in results if each.relation != "vacuous"]
    strict, lax = f"forbids grids that {reference} allows", f"allows grids that {reference} forbids"
    why = {
        "right": f"no grid distinguishes it from {reference} (sizes searched: {', '.join(sizes)})",
        "too strict": f"it {strict}",
        "too lax": f"it {lax}",
        "wrong": f"it {strict}, and {lax}",
        "undecided": (
            f"no grid that distinguishes it from {reference} was found in time at {sizes[-1]}, and"
            " their equivalence was not proved"
            if sizes
            else "no size shows a difference; choose another --size"
        ),
    }.get(mark.verdict, "")
    return "; ".join([why, *limits(mark.comparison)])


def _feedback(mark: Assessment, reference: str, witness: Witness, show_grid: bool) -> str:
    """A grid on which a rule is wrong; of the reference, only the violating cells are shown."""
    where = in_cells(witness.violations)
    if witness.title:
        where = f'{where}, the example "{witness.title}"'
    sentence = f"too lax: {reference} forbids this grid{where}, and your rule allows it."
    if _forbids(mark, witness):
        forbids = f"{forbidding(mark.file, witness.violations)} forbids this grid{where}"
        sentence = f"too strict: {forbids}, and {reference} allows it."
    sentence = f"Your rule is {sentence}"
    return with_grid(sentence, witness, show_grid)


def grading_page(marks: Sequence[Assessment], exercise: Exercise) -> str:
    """A self-contained page: a summary, the verdict on each file, and the grids."""
    sections = [section for mark in marks for section in assessment_sections(mark, exercise)]
    if len(marks) > 1:  # the verdicts, counted as bars and listed with links to the files
        counts = Counter(mark.verdict for mark in marks)
        order = sorted(counts, key=lambda each: [*_BARS, each].index(each))
        bars = tuple(result.Bar(each, counts[each], _BARS.get(each, "other")) for each in order)
        rows = tuple((mark.file, mark.verdict) for mark in marks)
        table = result.Table(("file", "verdict"), rows)
        text = grading_summary(marks)
        sections.insert(0, result.Section(text, words="", table=table, bars=bars))
    all_right = all(mark.verdict == "right" for mark in marks)
    verdict = result.Verdict(_right_of(marks), "unique" if all_right else "")
    return result.result_page(f"Graded against {exercise.display_name}", sections, verdict)


def assessment_sections(mark: Assessment, exercise: Exercise) -> list[result.Section]:
    """The verdict, and wrong grids in the style of the reference, whose `.draw` file is public."""
    name = exercise.display_name
    words = partial(_feedback, mark, name)
    state: Literal["unique", "none"] = "unique" if mark.verdict == "right" else "none"
    verdict = result.Section(
        _verdict_text(mark, name),
        heading=mark.file,
        words=_verdict_sentence(mark, name),
        code="\n".join(_quoted_findings(mark)),
        verdict=result.Verdict(mark.verdict.capitalize(), state),
    )
    return [
        verdict,
        *(witness_section(each, exercise.reference, words) for each in wrong_grids(mark)),
        *map(result.Section, _size_remarks(mark)),
    ]


def junit_xml(marks: Sequence[Assessment], reference: str) -> str:
    """The assessments as a test suite in JUnit's XML. A file that differs from the reference is a
    failure; one that could not be compared, an error.
    """
    kinds = {"right": ""} | dict.fromkeys(COMPARED - {"right"}, "failure")
    cases = [
        {
            **result.fields("name=file verdict")(mark),
            "kind": kinds.get(mark.verdict, "error"),
            "reason": verdict_reason(mark, reference) or mark.findings[0].text,
            "text": grading_text(mark, reference),
        }
        for mark in marks
    ]
    return result.junit(f"aspdoku check --against {reference}", reference, cases)


def gradescope_results(marks: Sequence[Assessment], reference: str, points: int) -> dict[str, Any]:
    """The content of Gradescope's results.json, with `points` for each right file."""
    tests = [
        {
            "name": mark.file,
            "score": points if mark.verdict == "right" else 0,
            "max_score": points,
            "status": "passed" if mark.verdict == "right" else "failed",
            "output": grading_text(mark, reference),
            "output_format": "text",
        }
        for mark in marks
    ]
    return {"tests": tests}
