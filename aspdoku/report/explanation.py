"""Explanations in words: steps, hints, slices, conflicts and grades."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from aspdoku.engine.solver import SearchEnd
from aspdoku.explain.conflict import ConflictExplanation
from aspdoku.explain.constraints import RuleInstance
from aspdoku.explain.explainer import Counterexamples, Explainer
from aspdoku.explain.steps import CitedRule, Claim, Difficulty, Proof, ProofStep, Reason, Step
from aspdoku.program import Program, library
from aspdoku.report import text
from aspdoku.report.styled_text import Span, StyledLine, join_spans

# A reason of more rules than this is told by its proof alone: nobody reads such a list.
MOST_RULES = 12
# Pencil marks of an elaboration that a line names; of more it only says whose they are.
_MOST_MARKS = 6


def explanation_text(
    steps: Sequence[Step], explainer: Explainer, ended: SearchEnd = "complete", colour: bool = False
) -> str:
    """All steps, then what they use, and what stays open.

    ended: how the search for steps ended; colour: the words of each elaboration in a colour of its
    own
    """
    colours = elaboration_colours(explainer.constraints.program) if colour else {}
    lines = [
        line for step in steps if step.reasons or not explainer.unique for line in step_lines(step)
    ]
    return "\n".join(
        [*(line.filled(colours) for line in lines), "", *summary_lines(steps, explainer, ended)]
    )


def elaboration_colours(program: Program) -> dict[str, int]:
    """The rule files of a program other than the default ones, in the order they were added."""
    game = _game()
    return {
        name: place
        for place, name in enumerate(
            part.rule.name for part in program.parts if part.rule.name not in game
        )
    }


def step_text(step: Step) -> str:
    """A step: numbers placed by one rule each, a line each.

    Or what several rules conclude, with these and the proof.
    """
    return "\n".join(line.filled() for line in step_lines(step))


def step_lines(step: Step) -> Iterator[StyledLine]:
    """The lines of a step."""
    mark = f"{step.number:>3}. "
    if not step.reasons:
        yield StyledLine(
            mark,
            (
                Span(
                    f"{several(len(step.eliminations), 'candidate')} left to strike out, each by"
                    " a single rule"
                ),
            ),
        )
    for reason in step.reasons:
        if not reason.claims:
            broken = (
                join_spans("; ", map(_because, reason.rules))
                if reason.rules
                else [Span("a cell holds one number")]
            )
            yield StyledLine(mark, (Span("and that breaks: "), *broken))
        elif len(reason.rules) <= 1:
            yield StyledLine(mark, (Span(f"{claims_text(reason.claims)}: "), *_in_short(reason)))
        else:
            yield StyledLine(
                mark,
                (
                    Span(f"{claims_text(reason.claims)}   ({len(reason.rules)} rules)"),
                    *_by_marks(reason),
                ),
            )
            yield from _rules(reason)
            yield from _proof_of(reason)
        mark = " " * len(mark)


def single_rules_text(
    steps: Sequence[Step], explainer: Explainer, ended: SearchEnd = "complete", colour: bool = False
) -> str:
    """Steps by a single rule in the words of the Strimko assignment, counted one by one.

    `chain A needs a 3: left r2c2`.
    """
    colours = elaboration_colours(explainer.constraints.program) if colour else {}
    found = [reason for step in steps for reason in step.reasons]
    width = len(str(len(found)))
    lines = [
        StyledLine(
            f"{number:>{width + 2}}. ",
            (
                *(join_spans("; ", map(_because, reason.rules)) or [_NOTHING_ELSE]),
                Span(
                    f", so {claims_text(reason.claims)}" if reason.claims else ", which breaks it"
                ),
                *_by_marks(reason),
            ),
        )
        for number, reason in enumerate(found, 1)
    ]
    return "\n".join(
        [
            *(line.filled(colours) for line in lines),
            "",
            *summary_lines(steps, explainer, ended, each=True),
        ]
    )


def hint_text(step: Step, degree: str) -> str:
    """The next step, told in one of four degrees.

    Where, by which rules, what, and with the proof.
    """
    reason = next_reason(step)
    where = f"look at {_cells(reason.claims)}"
    if degree == "where":
        return where
    lines = list(_rules(reason, left=degree != "rules", lead="  - "))
    marks = _marks(reason)
    if degree == "rules":
        return "\n".join(
            [
                where,
                *(
                    line.filled()
                    for line in (*lines, *_bullets(([words] for words, _ in marks), "  - "))
                ),
            ]
        )
    lines += _bullets(([words, Span(f": {claims_text(gone)}")] for words, gone in marks), "  - ")
    if degree == "proof":
        lines += _proof_of(reason)
    return "\n".join([claims_text(reason.claims), *(line.filled() for line in lines)])


def next_reason(step: Step) -> Reason:
    """What a hint tells of a step.

    Its first reason, or its first pencil mark where there is none.
    """
    return (*step.reasons, *step.eliminations)[0]


def relevant_steps_text(claim: Claim, steps: Sequence[Step]) -> str:
    """The steps that lead to a claim, counted, each with what it rests on.

    Numbers, and what was ruled out on the way.
    """
    marks = {gone: mark for step in steps for mark in step.eliminations for gone in mark.claims}
    reasons = [reason for step in steps for reason in step.reasons]
    if claim in marks:
        reasons.append(marks[claim])
    if not reasons:
        return f"{claim} is given" if claim.holds else f"{claim}: the rules never allow it there"
    made = {each: number for number, reason in enumerate(reasons, 1) for each in reason.claims}
    return "\n".join(
        line.filled()
        for number, reason in enumerate(reasons, 1)
        for line in _resting(number, reason, marks, made)
    )


def not_forced_text(claim: Claim, doubt: Counterexamples) -> str:
    """That a claim is not forced, with the two solutions that show it."""
    cell = [(claim.row, claim.column)]
    holds, fails = text.grid(doubt.holds, marked=cell), text.grid(doubt.fails, marked=cell)
    return f"{claim} is not forced; here it holds:\n\n{holds}\n\nand here it does not:\n\n{fails}"


def wrong_entries_text(entries: Sequence[Claim]) -> str:
    """The entries that are wrong."""
    return f"wrong: {', '.join(map(str, entries))}"


def grades_text(found: Sequence[tuple[str, Difficulty]]) -> str:
    """A line for each puzzle: rules of the hardest step, work, and a word."""
    width = max(len(name) for name, _ in found)
    return "\n".join(
        f"{name.ljust(width)}  {each.label:<9}  hardest {each.hardest:>3}  work {each.work:>5}"
        + ("" if each.unique else "  several solutions: what they share")
        for name, each in found
    )


def conflict_text(found: ConflictExplanation) -> str:
    """Why there is no solution."""
    if found.cause == "none":
        return "there is a solution: nothing clashes"
    if found.cause == "granted":
        return "what the rules take for granted has no solution"
    lines: list[StyledLine] = []
    for clash in found.conflicts:
        named = " and ".join(map(str, clash.givens))
        if found.cause == "impossible":
            lines.append(
                StyledLine(
                    "", (Span(f"{named}: the rules never allow that, whatever the other givens"),)
                )
            )
        elif found.steps:
            givens = (
                several(len(clash.givens), "given")
                if clash.givens
                else "no given is needed: the rules"
            )
            rules = several(len(clash.rules), "rule")
            words = f"{givens} clash, by {rules}" + (
                f", and without any one of them would not: {named}" if named else ""
            )
            lines.append(StyledLine("", (Span(words),)))
        else:
            together = (
                f"{named} cannot be together:"
                if named
                else "the rules have no solution, whatever the givens:"
            )
            lines += [
                StyledLine("", (Span(together),)),
                *_bullets(map(_words, clash.rules), "  - "),
            ]
    if found.steps:
        steps = enumerate((step for step in found.steps if step.reasons), 1)
        lines += [
            StyledLine("", ()),
            *(line for number, step in steps for line in step_lines(step._replace(number=number))),
        ]
    if found.repairs:
        repairs = (
            f"without one of these givens there is a solution: {', '.join(map(str, found.repairs))}"
        )
        lines += [StyledLine("", ()), StyledLine("", (Span(repairs),))]
    return "\n".join(line.filled() for line in lines)


def summary_lines(
    steps: Sequence[Step], explainer: Explainer, ended: SearchEnd = "complete", each: bool = False
) -> Iterator[str]:
    """How many steps there are, by the rules that they use, and what is not explained; each.

    Count every reason for itself.
    """
    counted = (
        [(reason,) for step in steps for reason in step.reasons]
        if each
        else [step.reasons for step in steps if step.reasons]
    )
    used = Counter(
        name for reasons in counted for name in set().union(*(reason.uses for reason in reasons))
    )
    shares = ", ".join(
        f"{count} use {name}"
        for name, count in sorted(used.items(), key=lambda share: (-share[1], share[0]))
    )
    yield several(len(counted), "step") + (f": {shares}" if shares else "")
    if left := explainer.unexplained():
        yield (
            f"{_ENDINGS[ended]}: {several(len(left), 'conclusion')} left, the first of them"
            f" {left[0]}"
        )
    if not explainer.unique:
        yield "there are several solutions: only what they share is explained, the rest is open"
    for granted in explainer.constraints.unguarded:
        yield f"taken for granted: {granted.place}:{granted.line}: {granted.text}"


def several(count: int, what: str) -> str:
    """A number of things: `1 rule`, `2 rules`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def claims_text(told_: Iterable[Claim]) -> str:
    """Claims in words, those of the same cells and of the same numbers together.

    `r1c6 r2c6 are not 2 4`.
    """
    listed = list(told_)
    parts = [f"r{each.row}c{each.column}={each.number}" for each in listed if each.holds]
    numbers: dict[tuple[int, int], list[int]] = {}
    for each in listed:
        if not each.holds:
            numbers.setdefault((each.row, each.column), []).append(each.number)
    alike: dict[tuple[int, ...], list[str]] = {}
    for (row, column), gone in numbers.items():
        alike.setdefault(tuple(sorted(gone)), []).append(f"r{row}c{column}")
    for gone_, cells in alike.items():
        parts.append(
            f"{' '.join(cells)} {'is' if len(cells) == 1 else 'are'} not"
            f" {' '.join(map(str, gone_))}"
        )
    return ", ".join(parts)


_ENDINGS = {
    "complete": "no single rule goes on from here",
    "limit": "not all was asked for",
    "time": "the time limit came first",
    "interrupted": "interrupted",
}
_NOTHING_ELSE = Span("nothing else is possible")


def _in_short(reason: Reason) -> list[Span]:
    return [
        *(join_spans("; ", (_words(use.instance) for use in reason.rules)) or [_NOTHING_ELSE]),
        *_by_marks(reason),
    ]


def _by_marks(reason: Reason) -> list[Span]:
    """The pencil marks of elaborations that a reason rests on: ` (r1c4 is not 5 by anti-knight)`.

    Of many, their rules.
    """
    by: dict[str, dict[Span, list[Claim]]] = {}
    for words, gone in _marks(reason):
        by.setdefault(words.source, {})[words] = gone
    parts = []
    for name, marks in sorted(by.items()):
        gone = sorted(claim for claims_ in marks.values() for claim in claims_)
        if len(gone) <= _MOST_MARKS:
            parts.append([Span(f"{claims_text(gone)} by "), Span(name, name)])
        elif len(marks) <= _MOST_MARKS:
            parts.append(
                [
                    Span(f"{len(gone)} candidates gone: "),
                    *join_spans(", ", ([words] for words in marks)),
                ]
            )
        else:
            parts.append(
                [Span(f"{len(gone)} candidates gone by {len(marks)} rules of "), Span(name, name)]
            )
    return [Span(" ("), *join_spans("; ", parts), Span(")")] if parts else []


def _marks(reason: Reason) -> list[tuple[Span, list[Claim]]]:
    """The elaborations' rules that removed the candidates which a reason uses, with these."""
    game = _game()
    found: dict[Span, list[Claim]] = {}
    for mark in reason.eliminations:
        for use in mark.rules:
            if use.instance.guard.name not in game:
                (words,) = _words(use.instance)
                found.setdefault(words, []).extend(mark.claims)
    return [(words, sorted(gone)) for words, gone in sorted(found.items())]


def _rules(reason: Reason, left: bool = True, lead: str = "       - ") -> Iterator[StyledLine]:
    """The rules of a reason, a line each; of many just how many there are of each file."""
    if len(reason.rules) > MOST_RULES:
        files = Counter(use.instance.guard.name for use in reason.rules)
        yield StyledLine(
            lead,
            tuple(
                join_spans(
                    ", ",
                    ([Span(f"{count} of "), Span(name, name)] for name, count in files.items()),
                )
            ),
        )
    else:
        yield from _bullets(
            (_because(use) if left else _words(use.instance) for use in reason.rules), lead
        )


def _bullets(items: Iterable[list[Span]], lead: str) -> Iterator[StyledLine]:
    """A line for each item, each once."""
    for item in dict.fromkeys(map(tuple, items)):
        yield StyledLine(lead, item, len(lead) + 2)


def _proof_of(reason: Reason) -> Iterator[StyledLine]:
    if reason.proof is None:
        yield StyledLine(
            "       ",
            (Span("clingo proves it; no proof was found that is short enough to be read"),),
        )
    elif reason.proof.cases or any(move.claim for move in reason.proof.inferences):
        yield from _proof(reason.proof, "       proof: suppose ", 9)


def _proof(proof: Proof, lead: str, hanging: int) -> Iterator[StyledLine]:
    *inferences, last = proof.inferences
    spans = [Span(str(proof.assumption))]
    for words, gone in _grouped(inferences):
        spans += [Span(f"; then {claims_text(gone)} ("), *words, Span(")")]
    end = _words(last.instance) if last.instance else [Span("a cell holds one number")]
    if not proof.cases:
        yield StyledLine(lead, (*spans, Span("; and that breaks: "), *end), hanging)
        return
    cases = " or ".join(str(case.assumption) for case in proof.cases)
    yield StyledLine(lead, (*spans, Span(f"; that leaves {cases} ("), *end, Span(")")), hanging)
    for case in proof.cases:
        yield from _proof(case, f"{' ' * hanging}if ", hanging + 2)


def _grouped(moves: Iterable[ProofStep]) -> Iterator[tuple[list[Span], list[Claim]]]:
    """What was inferred about cells, one after the other by the same rule together."""
    before: list[Span] | None = None
    gone: list[Claim] = []
    for move in moves:
        if move.claim is None:
            continue
        words = _words(move.instance) if move.instance else [Span("as a cell holds one number")]
        if words != before and before is not None:
            yield before, gone
            gone = []
        before = words
        gone.append(move.claim)
    if before is not None:
        yield before, gone


def _resting(
    number: int, reason: Reason, marks: Mapping[Claim, Reason], made: Mapping[Claim, int]
) -> Iterator[StyledLine]:
    """A reason with the numbers that it rests on, pencil marks traced back to them, and what steps
    before it ruled out.
    """
    numbers: set[Claim] = set()
    gone: set[Claim] = set()
    waiting = list(reason.premises)
    seen: set[Claim] = set()
    while waiting:
        known = waiting.pop()
        if known not in seen:
            seen.add(known)
            if known in marks:
                waiting += marks[known].premises
            else:
                (numbers if known.holds else gone).add(known)
    spans = [Span(f"{claims_text(reason.claims)} because ")]
    if len(reason.rules) > MOST_RULES:
        spans.append(Span(f"{len(reason.rules)} rules force it"))
    else:
        spans += join_spans(", ", (_words(use.instance) for use in reason.rules)) or [_NOTHING_ELSE]
    if numbers:
        spans.append(Span(f"; with {claims_text(sorted(numbers))}"))
    if gone:
        steps = sorted({made[each] for each in gone if each in made})
        spans.append(
            Span(
                f"; and {claims_text(sorted(gone))}"
                + (f" [from {', '.join(map(str, steps))}]" if steps else "")
            )
        )
    yield StyledLine(f"{number:>3}. ", tuple(spans))
    if len(reason.rules) > MOST_RULES:
        yield from _proof_of(reason)


def _words(instance: RuleInstance) -> list[Span]:
    return [Span(instance.words, instance.guard.name)]


def _because(use: CitedRule) -> list[Span]:
    """The words of a rule, and what it has left, where it needs one of them.

    Cells, or the numbers of a cell.
    """
    if (
        not use.options
        or use.instance.guard.part == "most"
        or not all(each.holds for each in use.options)
    ):
        return _words(use.instance)
    about = _cells(use.options)
    left = (
        " ".join(str(each.number) for each in use.options)
        if about in use.instance.words.split()
        else about
    )
    return [*_words(use.instance), Span(f": left {left}")]


def _cells(told_: Iterable[Claim]) -> str:
    return " ".join(dict.fromkeys(f"r{each.row}c{each.column}" for each in told_))


def _game() -> set[str]:
    """The rules of the ordinary game, which need no mention."""
    return {rule.name for rule in (library.base(), *library.defaults())}
