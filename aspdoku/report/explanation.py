"""Explanations as text: steps, hints, the steps relevant for a claim, conflicts and grades."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

from aspdoku.explanation.conflict import MOST_LISTED, MOST_RULES, ConflictExplanation
from aspdoku.explanation.constraints import RuleInstance
from aspdoku.explanation.explainer import Counterexamples, Explanation
from aspdoku.explanation.steps import (
    MAX_RULES,
    NOTHING_ELSE,
    CitedRule,
    Claim,
    Conflict,
    Difficulty,
    Proof,
    ProofStep,
    Reason,
    Step,
    claims_text,
)
from aspdoku.program import Program, library
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.report import text
from aspdoku.report.text import Span, StyledLine, join_spans

# Eliminated candidates that a line lists; if there are more, it only lists their rules.
_MAX_ELIMINATIONS = 6
# Lines of a step by several rules; the rest is only shown on request. Most proofs are shorter.
_MAX_LINES = 16


def explanation_text(
    explanation: Explanation, colour: bool = False, full: bool = False, singles: bool = False
) -> str:
    """All steps, the number of steps that use each rule, and the claims not explained.

    colour: whether to show the texts of each elaboration in a different colour
    full: whether to show long proofs in full
    singles: whether to show the conclusions one by one, in the form `chain A needs a 3: left r2c2`
    """
    writer = StepWriter(explanation.program, colour, full, singles)
    steps = [writer.text(step) for step in explanation.steps if step.reasons]
    return "\n".join([*steps, closing_text(explanation, singles)])


class StepWriter:
    """Writes the steps of an explanation one after the other; see `explanation_text`."""

    def __init__(self, program: Program, colour: bool, full: bool, singles: bool) -> None:
        self._colours = elaboration_colours(program) if colour else {}
        self._full = full
        self._numbers = count(1) if singles else None

    def text(self, step: Step) -> str:
        """The next step."""
        if self._numbers is None:
            return "\n".join(_folded(step, self._colours, self._full))
        lines = (_single_rule_line(next(self._numbers), reason) for reason in step.reasons)
        return "\n".join(line.wrapped(self._colours) for line in lines)


def closing_text(explanation: Explanation, singles: bool = False) -> str:
    """The text below the steps: those that remain without a conclusion, and the summary."""
    lines = [
        line.wrapped()
        for step in explanation.steps
        if not (step.reasons or explanation.unique or singles)
        for line in step_lines(step)
    ]
    lines += ["", *summary_lines(explanation, each=singles)]
    return "\n".join([*lines, *_offer(explanation.steps)])


def _offer(steps: Iterable[Step]) -> Iterator[str]:
    """How to see more of the steps that only clingo has proved, if there are any."""
    opaque = sum(
        any(reason.is_opaque and reason.core is None for reason in step.reasons) for step in steps
    )
    if opaque:
        proved = pluralize(opaque, "step")
        yield f"{proved} proved by clingo only: --clues lists givens and clues that suffice"


def _folded(step: Step, colours: Mapping[str, int], full: bool) -> list[str]:
    """The lines of a step, without the end of a long proof."""
    lines = "\n".join(line.wrapped(colours) for line in step_lines(step)).split("\n")
    if full or step.size < 2 or len(lines) <= _MAX_LINES + 1:
        return lines
    left = pluralize(len(lines) - _MAX_LINES, "more line")
    return [*lines[:_MAX_LINES], f"       … {left}: --full shows them"]


def elaboration_colours(program: Program) -> dict[str, int]:
    """The rule files of a program other than the default ones, each with its index."""
    defaults = library.default_names()
    return {
        name: index
        for index, name in enumerate(
            part.rule.name for part in program.parts if part.rule.name not in defaults
        )
    }


def step_text(step: Step) -> str:
    """A step: a line for each number that a single rule places, or the conclusions of several
    rules, with these rules and the proof.
    """
    return "\n".join(line.wrapped() for line in step_lines(step))


def step_lines(step: Step) -> Iterator[StyledLine]:
    """The lines of a step."""
    mark = f"{step.number:>3}. "
    if not step.reasons:
        yield StyledLine(
            mark,
            (
                Span(
                    f"{pluralize(len(step.eliminations), 'candidate')} left to eliminate, each by"
                    " a single rule"
                ),
            ),
        )
    for reason in step.reasons:
        if not reason.claims:
            violated = (
                join_spans("; ", map(_cited_rule, reason.rules))
                if reason.rules
                else [Span("a cell holds one number")]
            )
            yield StyledLine(mark, (Span("contradiction: "), *violated))
        elif len(reason.rules) <= 1:
            named = f"{reason.technique}, " if reason.technique else ""
            numbers = reason.rests_on if len(step.reasons) == 1 else []
            yield StyledLine(
                mark,
                (
                    Span(f"{claims_text(reason.claims)}: {named}"),
                    *_reason_spans(reason),
                    *([Span(f"; with {claims_text(numbers)}")] if numbers else []),
                ),
            )
        else:
            concluded = f"{claims_text(reason.claims)}: "
            count = f"{len(reason.rules)} rules"
            many = len(reason.rules) > MAX_RULES
            if reason.is_opaque:
                files = [Span(" ("), *_rules_by_file(reason), Span(")")] if many else []
                words = [Span(f"{concluded}{count} together, proved by clingo"), *files]
                words.append(Span(reason.core_words))
            else:
                named = f"{reason.technique}, " if reason.technique else ""
                words = [Span(f"{concluded}{named}{count}"), *_eliminations_used(reason)]
            yield StyledLine(mark, tuple(words))
            if not (reason.is_opaque and many):
                yield from _rules(reason)
            if not reason.is_opaque:
                yield from _proof_lines(reason)
        mark = " " * len(mark)


def _single_rule_line(number: int, reason: Reason) -> StyledLine:
    """A step by a single rule, in the form `chain A needs a 3: left r2c2, so r2c2=3`."""
    concluded = f", so {claims_text(reason.claims)}" if reason.claims else ", a contradiction"
    cited = join_spans("; ", map(_cited_rule, reason.rules)) or [_NOTHING_ELSE]
    return StyledLine(f"{number:>4}. ", (*cited, Span(concluded), *_eliminations_used(reason)))


def hint_text(step: Step, degree: str) -> str:
    """The next step at one of four levels of detail: where, by which rules, what, with proof."""
    reason = next_reason(step)
    where = f"look at {_cells(reason.claims)}"
    if degree == "where":
        return where
    named = f": {reason.technique}" if reason.technique else ""
    lines = list(_rules(reason, left=degree != "rules", lead="  - "))
    eliminations = _eliminations_by_rule(reason)
    if degree == "rules":
        return "\n".join(
            [
                f"{where}{named}",
                *(
                    line.wrapped()
                    for line in (*lines, *_bullets(([words] for words, _ in eliminations), "  - "))
                ),
            ]
        )
    lines += _bullets(
        ([words, Span(f": {claims_text(gone)}")] for words, gone in eliminations), "  - "
    )
    if degree == "proof":
        lines += _proof_lines(reason)
    return "\n".join([f"{claims_text(reason.claims)}{named}", *(line.wrapped() for line in lines)])


def next_reason(step: Step) -> Reason:
    """The part of a step that a hint shows: its first reason, or if it has none, its first
    elimination.
    """
    return (*step.reasons, *step.eliminations)[0]


def relevant_steps_text(claim: Claim, steps: Sequence[Step]) -> str:
    """The numbered steps that lead to a claim, each with its premises: numbers, and candidates
    eliminated before.
    """
    eliminations = {
        gone: elimination
        for step in steps
        for elimination in step.eliminations
        for gone in elimination.claims
    }
    reasons = [reason for step in steps for reason in step.reasons]
    if claim in eliminations:
        reasons.append(eliminations[claim])
    if not reasons:
        return (
            f"{claim} is given"
            if claim.holds
            else f"{claim}: the rules forbid it in every solution"
        )
    step_of = {claim: number for number, reason in enumerate(reasons, 1) for claim in reason.claims}
    return "\n".join(
        line.wrapped()
        for number, reason in enumerate(reasons, 1)
        for line in _reason_with_premises(number, reason, eliminations, step_of)
    )


def not_forced_text(claim: Claim, solutions: Counterexamples) -> str:
    """The statement that a claim is not forced, with a solution where it holds and one where it
    does not.
    """
    cell = [(claim.row, claim.column)]
    holds, fails = text.grid(solutions.holds, marked=cell), text.grid(solutions.fails, marked=cell)
    return (
        f"{claim} is not forced; a solution where it holds:\n\n{holds}"
        f"\n\nand one where it does not:\n\n{fails}"
    )


def wrong_entries_text(entries: Sequence[Claim], conflicts: Sequence[Conflict]) -> str:
    """The list of wrong entries, with the rules that they violate directly, if any."""
    lines = [StyledLine("", (Span(f"wrong entries: {', '.join(map(str, entries))}"),))]
    for conflict in conflicts[:MOST_LISTED]:
        words = join_spans("; ", map(_words, conflict.rules))
        lines.append(StyledLine("  - ", (Span(f"{_cannot_hold(conflict.givens)}: "), *words), 4))
    lines += _unlisted(len(conflicts) - MOST_LISTED, "  - ")
    violating = {claim for conflict in conflicts for claim in conflict.givens}
    if others := [str(entry) for entry in entries if entry not in violating]:
        them = "it" if len(others) == 1 else "them"
        why = f"no rule is violated directly, but the grid has no solution with {them}"
        lines.append(StyledLine("  - ", (Span(f"{', '.join(others)}: {why}"),), 4))
    return "\n".join(line.wrapped() for line in lines)


def _cannot_hold(parts: Sequence[object]) -> str:
    """A conflict, as in `r1c1=1 and r1c2=1 cannot hold together`."""
    together = " together" if len(parts) > 1 else ""
    return f"{' and '.join(map(str, parts))} cannot hold{together}"


def grade_header(width: int, first: str = "puzzle") -> str:
    """The header of a table of grades, whose first column has this width and this heading."""
    return f"{first:<{width}}  {'grade':<9}  {'work':>6}  hardest step"


def grade_row(name: str, found: Difficulty, width: int, caveat: str = "") -> str:
    """A puzzle in a table of grades: the grade, the work, which counts all rules and steps, and the
    number of rules and the technique of the hardest step.

    caveat: that of the puzzle
    """
    note = ("" if found.unique else f"; {_SEVERAL}") + caveat
    label = found.label if found.unique else "-"
    return f"{grade_name(name):<{width}}  {label:<9}  {found.work:>6}  {found.hardest_step}{note}"


def grade_name(name: str) -> str:
    """The name of a puzzle in a table of grades."""
    return "standard input" if name == "-" else name


def conflict_text(found: ConflictExplanation) -> str:
    """The explanation of a conflict."""
    return "\n\n".join(filter(None, (conflicts_text(found), conflict_closing(found))))


def conflicts_text(found: ConflictExplanation) -> str:
    """The conflicts and their rules. With the rules, the text begins as it does without them."""
    if found.cause == "none":
        return "the puzzle has a solution: no conflict"
    if found.cause == "unguarded":
        return "the statements that are assumed without explanation have no solution"
    lines: list[StyledLine] = []
    for conflict in found.conflicts:
        lines.append(StyledLine("", (Span(_headline(found, conflict)),)))
        words = list(map(_words, conflict.rules))
        if len(words) > MOST_RULES:
            names = sorted({rule.guard.name for rule in conflict.rules})
            words = [[Span(f"{pluralize(len(words), 'rule')} of {', '.join(names)}")]]
        lines += _bullets(words, "  - ")
    return _wrapped([*lines, *_unlisted(found.unlisted)])


def _unlisted(number: int, lead: str = "") -> list[StyledLine]:
    """How many other sets of numbers violate a rule."""
    text = f"{number} more such conflict{'s' * (number > 1)}"
    return [StyledLine(lead, (Span(text),))] if number > 0 else []


def _headline(found: ConflictExplanation, conflict: Conflict) -> str:
    """What has no solution."""
    parts = conflict.words
    if found.cause == "impossible":
        return f"{parts[0]}: the rules forbid it, whatever the other givens are"
    if not parts:
        return "the rules have no solution, whatever the givens and clues are"
    if found.minimal and len(parts) <= MOST_RULES:
        return _cannot_hold(parts)
    counts = (conflict.givens, "given"), (conflict.clues, "clue")
    items = " and ".join(pluralize(len(each), kind) for each, kind in counts if each)
    kind = "minimal conflict" if found.minimal else "conflict, perhaps not minimal,"
    return f"{kind} of {items}: {', '.join(parts)}"


def conflict_closing(found: ConflictExplanation) -> str:
    """What follows the conflicts: a derivation, repairs, and what was not searched for."""
    lines: list[StyledLine] = []
    for number, step in enumerate((step for step in found.steps if step.reasons), 1):
        lines += step_lines(step._replace(number=number))
    removable = [*map(str, found.repairs), *(clue.words for clue in found.clue_repairs)]
    if removable:
        repairs = f"removing any one of these makes the puzzle solvable: {', '.join(removable)}"
        lines += [StyledLine("", ())] * bool(lines) + [StyledLine("", (Span(repairs),))]
    if found.ended != "complete":
        missing = "rules and repairs may be missing" if found.minimal else "not proved minimal"
        lines += [StyledLine("", ())] * bool(lines)
        lines.append(StyledLine("", (Span(f"{_ENDINGS[found.ended]}: {missing}"),)))
    return _wrapped(lines)


def _wrapped(lines: Iterable[StyledLine]) -> str:
    return "\n".join(line.wrapped() for line in lines)


def summary_lines(explanation: Explanation, each: bool = False) -> Iterator[str]:
    """The number of steps, in total and by the rules that they use, and the claims not explained.

    each: count every reason separately
    """
    counted = (
        [(reason,) for step in explanation.steps for reason in step.reasons]
        if each
        else [step.reasons for step in explanation.steps if step.reasons]
    )
    used = Counter(
        name for reasons in counted for name in set().union(*(reason.uses for reason in reasons))
    )
    shares = ", ".join(
        f"{name} in {count}"
        for name, count in sorted(used.items(), key=lambda share: (-share[1], share[0]))
    )
    if counted:
        yield pluralize(len(counted), "step") + (f"; rules used: {shares}" if shares else "")
    else:
        yield "all cells are given" if explanation.unique else "no number follows"
    if left := explanation.unexplained:
        yield (
            f"{_ENDINGS[explanation.ended]}: {pluralize(len(left), 'conclusion')} not explained,"
            f" the first is {left[0]}"
        )
    if not explanation.unique:
        yield "several solutions: only forced claims are explained"
    for statement in explanation.unguarded:
        location = f"{statement.place}:{statement.line}"
        yield f"assumed without explanation: {location}: {statement.text}"


_ENDINGS = {
    "complete": "no further step by a single rule",
    "limit": "not all steps were requested",
    "time": "time limit reached",
    "interrupted": "interrupted",
}
_SEVERAL = "several solutions: only forced claims are graded"
_NOTHING_ELSE = Span(NOTHING_ELSE)


def _reason_spans(reason: Reason) -> list[Span]:
    return [
        *(join_spans("; ", (_words(use.instance) for use in reason.rules)) or [_NOTHING_ELSE]),
        *_eliminations_used(reason),
    ]


def _eliminations_used(reason: Reason) -> list[Span]:
    """The candidates eliminated by elaborations that a reason uses, as in ` (r1c4 is not 5 by
    anti-knight)`; if there are many, only their number and rules.
    """
    by: dict[str, dict[Span, list[Claim]]] = {}
    for words, gone in _eliminations_by_rule(reason):
        by.setdefault(words.source, {})[words] = gone
    parts = []
    for name, eliminations in sorted(by.items()):
        gone = sorted(claim for claims_ in eliminations.values() for claim in claims_)
        if len(gone) <= _MAX_ELIMINATIONS:
            parts.append([Span(f"{claims_text(gone)} by "), Span(name, name)])
        elif len(eliminations) <= _MAX_ELIMINATIONS:
            parts.append(
                [
                    Span(f"{len(gone)} candidates eliminated: "),
                    *join_spans(", ", ([words] for words in eliminations)),
                ]
            )
        else:
            parts.append(
                [
                    Span(f"{len(gone)} candidates eliminated by {len(eliminations)} rules of "),
                    Span(name, name),
                ]
            )
    return [Span(" ("), *join_spans("; ", parts), Span(")")] if parts else []


def _eliminations_by_rule(reason: Reason) -> list[tuple[Span, list[Claim]]]:
    """The rules of elaborations that eliminated candidates which a reason uses, with these."""
    defaults = library.default_names()
    found: dict[Span, list[Claim]] = {}
    for elimination in reason.eliminations:
        for use in elimination.rules:
            if use.instance.guard.name not in defaults:
                (words,) = _words(use.instance)
                found.setdefault(words, []).extend(elimination.claims)
    return [(words, sorted(gone)) for words, gone in sorted(found.items())]


def _rules(reason: Reason, left: bool = True, lead: str = "       - ") -> Iterator[StyledLine]:
    """The rules of a reason, one per line; if there are many, only the number for each file."""
    if len(reason.rules) > MAX_RULES:
        yield StyledLine(lead, tuple(_rules_by_file(reason)))
    else:
        yield from _bullets(
            (_cited_rule(use) if left else _words(use.instance) for use in reason.rules), lead
        )


def _rules_by_file(reason: Reason) -> list[Span]:
    """How many rules of each file it uses."""
    files = Counter(use.instance.guard.name for use in reason.rules)
    return join_spans(
        ", ", ([Span(f"{count} of "), Span(name, name)] for name, count in files.items())
    )


def _bullets(items: Iterable[list[Span]], lead: str) -> Iterator[StyledLine]:
    """A line for each item, without duplicates."""
    for item in dict.fromkeys(map(tuple, items)):
        yield StyledLine(lead, item, len(lead) + 2)


def _proof_lines(reason: Reason) -> Iterator[StyledLine]:
    if reason.proof is None:
        yield StyledLine("       ", (Span("proved by clingo"),))
    elif reason.proof.cases or any(inference.claim for inference in reason.proof.inferences):
        yield from _proof(reason.proof, "       proof: suppose ", 9)


def _proof(proof: Proof, lead: str, hanging: int) -> Iterator[StyledLine]:
    *inferences, last = proof.inferences
    spans = [Span(str(proof.assumption))]
    for words, gone in _grouped(inferences):
        spans += [Span(f"; then {claims_text(gone)} ("), *words, Span(")")]
    end = _words(last.instance) if last.instance else [Span("a cell holds one number")]
    if not proof.cases:
        yield StyledLine(lead, (*spans, Span("; contradiction: "), *end), hanging)
        return
    cases = " or ".join(str(case.assumption) for case in proof.cases)
    yield StyledLine(lead, (*spans, Span(f"; that leaves {cases} ("), *end, Span(")")), hanging)
    for case in proof.cases:
        yield from _proof(case, f"{' ' * hanging}if ", hanging + 2)


def _grouped(inferences: Iterable[ProofStep]) -> Iterator[tuple[list[Span], list[Claim]]]:
    """The claims of inferences; consecutive inferences by the same rule are grouped."""
    before: list[Span] | None = None
    gone: list[Claim] = []
    for inference in inferences:
        if inference.claim is None:
            continue
        words = (
            _words(inference.instance)
            if inference.instance
            else [Span("as a cell holds one number")]
        )
        if words != before and before is not None:
            yield before, gone
            gone = []
        before = words
        gone.append(inference.claim)
    if before is not None:
        yield before, gone


def _reason_with_premises(
    number: int, reason: Reason, eliminations: Mapping[Claim, Reason], step_of: Mapping[Claim, int]
) -> Iterator[StyledLine]:
    """A reason with its premises: the numbers that it depends on, directly or through eliminations,
    and the candidates that earlier steps eliminated.
    """
    numbers: set[Claim] = set()
    gone: set[Claim] = set()
    waiting = list(reason.premises)
    seen: set[Claim] = set()
    while waiting:
        known = waiting.pop()
        if known not in seen:
            seen.add(known)
            if known in eliminations:
                waiting += eliminations[known].premises
            else:
                (numbers if known.holds else gone).add(known)
    spans = [Span(str(reason))]
    if numbers:
        spans.append(Span(f"; with {claims_text(sorted(numbers))}"))
    if gone:
        steps = sorted({step_of[claim] for claim in gone if claim in step_of})
        spans.append(
            Span(
                f"; and {claims_text(sorted(gone))}"
                + (f" [from {', '.join(map(str, steps))}]" if steps else "")
            )
        )
    yield StyledLine(f"{number:>3}. ", tuple(spans))
    if len(reason.rules) > MAX_RULES:
        yield from _proof_lines(reason)


def _words(instance: RuleInstance) -> list[Span]:
    return [Span(instance.words, instance.guard.name)]


def _cited_rule(use: CitedRule) -> list[Span]:
    """The message of a rule, and if it requires one of several options, the cells or the numbers of
    a cell that remain.
    """
    if (
        not use.options
        or use.instance.guard.part == "most"
        or not all(claim.holds for claim in use.options)
    ):
        return _words(use.instance)
    about = _cells(use.options)
    left = (
        " ".join(str(claim.number) for claim in use.options)
        if about in use.instance.words.split()
        else about
    )
    return [*_words(use.instance), Span(f": left {left}")]


def _cells(claims: Iterable[Claim]) -> str:
    return " ".join(dict.fromkeys(f"r{claim.row}c{claim.column}" for claim in claims))
