"""Steps and their parts, as lines of spans and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, groupby
from typing import Any

from aspdoku.engine.clues import Clue
from aspdoku.explanation import steps
from aspdoku.explanation.constraints import RuleInstance
from aspdoku.explanation.explainer import Explanation
from aspdoku.explanation.techniques import Technique
from aspdoku.program import Program, library
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.questions.result import ENDED, encoded, fields
from aspdoku.questions.text import Span, StyledLine, join_spans

# Eliminated candidates that a line lists; if there are more, it only lists their rules.
_MAX_ELIMINATIONS = 6
# Lines of a step by several rules; the rest is only shown on request. Most proofs are shorter.
_MAX_LINES = 16
ENDINGS = {
    "complete": "no further step by a single rule",
    "limit": "not all steps were requested",
    **ENDED,
}
_NOTHING_ELSE, _ONE_NUMBER = Span(steps.NOTHING_ELSE), Span("a cell holds one number")


class StepWriter:
    """Writes the steps of an explanation one after the other."""

    def __init__(self, program: Program, colour: bool, full: bool, singles: bool) -> None:
        self._colours = elaboration_colours(program) if colour else {}
        self._full = full
        self._numbers = count(1) if singles else None

    def text(self, step: steps.Step) -> str:
        """The next step."""
        if self._numbers is not None:
            singles = (_single_rule_line(next(self._numbers), reason) for reason in step.reasons)
            return wrapped_lines(singles, self._colours)
        text = wrapped_lines(step_lines(step), self._colours)
        lines = text.split("\n")
        if self._full or step.size < 2 or len(lines) <= _MAX_LINES + 1:
            return text
        hidden = pluralize(len(lines) - _MAX_LINES, "more line")
        return "\n".join([*lines[:_MAX_LINES], f"       … {hidden}: --full shows them"])


def elaboration_colours(program: Program) -> dict[str, int]:
    """The rule files of a program other than the default ones, each with its index."""
    return {rule.name: index for index, rule in enumerate(program.added)}


def step_lines(step: steps.Step) -> Iterator[StyledLine]:
    """The lines of a step."""
    mark = f"{step.number:>3}. "
    if not step.reasons:
        left = pluralize(len(step.eliminations), "candidate")
        yield StyledLine(mark, (Span(f"{left} left to eliminate, each by a single rule"),))
    for reason in step.reasons:
        many = len(reason.rules) > steps.MAX_RULES
        if not reason.claims:
            violated = join_spans("; ", map(_cited_rule, reason.rules)) or [_ONE_NUMBER]
            words = [Span("contradiction: "), *violated]
        elif len(reason.rules) <= 1:
            words = [Span(_concluded(reason))]
            words += join_spans("; ", (rule_words(use.instance) for use in reason.rules))
            words += [*[_NOTHING_ELSE] * (not reason.rules), *_eliminations_used(reason)]
            if len(step.reasons) == 1 and reason.rests_on:
                words.append(Span(f"; with {steps.claims_text(reason.rests_on)}"))
        elif reason.is_opaque:
            together = f"{len(reason.rules)} rules together, proved by clingo"
            words = [Span(f"{steps.claims_text(reason.claims)}: {together}")]
            words += [Span(" ("), *_rules_by_file(reason), Span(")")] if many else []
            words.append(Span(reason.core_words))
        else:
            words = [Span(f"{_concluded(reason)}{len(reason.rules)} rules")]
            words += _eliminations_used(reason)
        yield StyledLine(mark, tuple(words))
        if reason.claims and len(reason.rules) > 1:
            if not (reason.is_opaque and many):
                yield from rule_lines(reason)
            if not reason.is_opaque:
                yield from proof_lines(reason)
        mark = " " * len(mark)


def _concluded(reason: steps.Reason) -> str:
    named = f"{reason.technique}, " if reason.technique else ""
    return f"{steps.claims_text(reason.claims)}: {named}"


def _single_rule_line(number: int, reason: steps.Reason) -> StyledLine:
    """A step by a single rule, in the form `chain A needs a 3: left r2c2, so r2c2=3`."""
    concluded = f", so {steps.claims_text(reason.claims)}" if reason.claims else ", a contradiction"
    cited = join_spans("; ", map(_cited_rule, reason.rules)) or [_NOTHING_ELSE]
    return StyledLine(f"{number:>4}. ", (*cited, Span(concluded), *_eliminations_used(reason)))


def _eliminations_used(reason: steps.Reason) -> list[Span]:
    """The candidates that elaborations eliminated, as in ` (r1c4 is not 5 by anti-knight)`."""
    by: dict[str, dict[Span, list[steps.Claim]]] = {}
    for words, gone in eliminations_by_rule(reason):
        by.setdefault(words.source, {})[words] = gone
    parts = []
    for name, eliminations in sorted(by.items()):
        gone = sorted(claim for claims_ in eliminations.values() for claim in claims_)
        eliminated, rule = f"{len(gone)} candidates eliminated", Span(name, name)
        if len(gone) <= _MAX_ELIMINATIONS:
            parts.append([Span(f"{steps.claims_text(gone)} by "), rule])
        elif len(eliminations) <= _MAX_ELIMINATIONS:
            listed = join_spans(", ", ([words] for words in eliminations))
            parts.append([Span(f"{eliminated}: "), *listed])
        else:
            parts.append([Span(f"{eliminated} by {len(eliminations)} rules of "), rule])
    return [Span(" ("), *join_spans("; ", parts), Span(")")] if parts else []


def eliminations_by_rule(reason: steps.Reason) -> list[tuple[Span, list[steps.Claim]]]:
    """The rules of elaborations that eliminated candidates which a reason uses, with these."""
    defaults = library.default_names()
    eliminated: dict[Span, list[steps.Claim]] = {}
    for elimination in reason.eliminations:
        for use in elimination.rules:
            if use.instance.guard.name not in defaults:
                (words,) = rule_words(use.instance)
                eliminated.setdefault(words, []).extend(elimination.claims)
    return [(words, sorted(gone)) for words, gone in sorted(eliminated.items())]


def rule_lines(
    reason: steps.Reason, left: bool = True, lead: str = "       - "
) -> Iterator[StyledLine]:
    """The rules of a reason with the options that are `left`; of many, only the number by file."""
    if len(reason.rules) > steps.MAX_RULES:
        yield StyledLine(lead, tuple(_rules_by_file(reason)))
    else:
        cited = (_cited_rule(use) if left else rule_words(use.instance) for use in reason.rules)
        yield from bullets(cited, lead)


def _rules_by_file(reason: steps.Reason) -> list[Span]:
    files = Counter(use.instance.guard.name for use in reason.rules)
    return join_spans(
        ", ", ([Span(f"{count} of "), Span(name, name)] for name, count in files.items())
    )


def bullets(items: Iterable[list[Span]], lead: str) -> Iterator[StyledLine]:
    """A line for each item, without duplicates."""
    for item in dict.fromkeys(map(tuple, items)):
        yield StyledLine(lead, item, len(lead) + 2)


def proof_lines(reason: steps.Reason) -> Iterator[StyledLine]:
    """The proof of a reason, if it says more than the rules."""
    if reason.proof is None:
        if not reason.technique:
            yield StyledLine("       ", (Span("proved by clingo"),))
    elif reason.proof.cases or any(inference.claim for inference in reason.proof.inferences):
        yield from _proof(reason.proof, "       proof: suppose ", 9)


def _proof(proof: steps.Proof, lead: str, hanging: int) -> Iterator[StyledLine]:
    *inferences, last = proof.inferences
    spans = [Span(str(proof.assumption))]
    concluding = (each for each in inferences if each.claim)
    for words, group in groupby(concluding, lambda each: _words_of(each, "as ")):
        gone = [each.claim for each in group if each.claim]
        spans += [Span(f"; then {steps.claims_text(gone)} ("), *words, Span(")")]
    end = _words_of(last)
    if not proof.cases:
        yield StyledLine(lead, (*spans, Span("; contradiction: "), *end), hanging)
        return
    cases = " or ".join(str(case.assumption) for case in proof.cases)
    yield StyledLine(lead, (*spans, Span(f"; that leaves {cases} ("), *end, Span(")")), hanging)
    for case in proof.cases:
        yield from _proof(case, f"{' ' * hanging}if ", hanging + 2)


def _words_of(inference: steps.ProofStep, lead: str = "") -> list[Span]:
    rule = inference.instance
    return rule_words(rule) if rule else [Span(lead + _ONE_NUMBER.text)]


def rule_words(instance: RuleInstance) -> list[Span]:
    """The words of a rule."""
    return [Span(instance.words, instance.guard.name)]


def _cited_rule(use: steps.CitedRule) -> list[Span]:
    """The message of a rule, and the cells or numbers that remain if it requires one of them."""
    words, left = rule_words(use.instance), use.options
    if not left or use.instance.guard.part == "most" or not all(claim.holds for claim in left):
        return words
    about = cell_names(left)
    if about in use.instance.words.split():
        about = " ".join(str(claim.number) for claim in left)
    return [*words, Span(f": left {about}")]


def cell_names(claims: Iterable[steps.Claim]) -> str:
    """The names of the cells of claims."""
    return " ".join(dict.fromkeys(f"r{claim.row}c{claim.column}" for claim in claims))


def cannot_hold(parts: Sequence[object]) -> str:
    """A conflict, as in `r1c1=1 and r1c2=1 cannot hold together`."""
    together = " together" if len(parts) > 1 else ""
    return f"{' and '.join(map(str, parts))} cannot hold{together}"


def unlisted(number: int, lead: str = "") -> list[StyledLine]:
    """How many other sets of numbers violate a rule."""
    text = f"{number} more such conflict{'s' * (number > 1)}"
    return [StyledLine(lead, (Span(text),))] if number > 0 else []


def wrapped_lines(lines: Iterable[StyledLine], colours: Mapping[str, int] | None = None) -> str:
    """The lines as text, in the colours of rule files."""
    return "\n".join(line.wrapped(colours) for line in lines)


def summary_lines(explanation: Explanation, each: bool = False) -> Iterator[str]:
    """The number of steps, in total and by rules, and the claims that are not explained."""
    counted = [step.reasons for step in explanation.steps if step.reasons]
    if each:
        counted = [(reason,) for reasons in counted for reason in reasons]
    uses = (set().union(*(reason.uses for reason in reasons)) for reasons in counted)
    used = Counter(chain.from_iterable(uses))
    ordered = sorted(used.items(), key=lambda share: (-share[1], share[0]))
    shares = ", ".join(f"{name} in {number}" for name, number in ordered)
    if counted:
        yield pluralize(len(counted), "step") + (f"; rules used: {shares}" if shares else "")
    else:
        yield "all cells are given" if explanation.unique else "no number follows"
    if claims := explanation.unexplained:
        yield (
            f"{ENDINGS[explanation.ended]}: {pluralize(len(claims), 'conclusion')} not explained,"
            f" the first is {claims[0]}"
        )
    if not explanation.unique:
        yield "several solutions: only forced claims are explained"
    for statement in explanation.unguarded:
        location = f"{statement.place}:{statement.line}"
        yield f"assumed without explanation: {location}: {statement.text}"


encoded.register(steps.Claim, str)
encoded.register(Technique, str)
encoded.register(RuleInstance, lambda rule: encoded(steps.CitedRule(rule, ())))
encoded.register(Clue, fields("rule name words facts"))
encoded.register(steps.Conflict, fields("givens clues rules"))


@encoded.register
def _(step: steps.Step) -> dict[str, Any]:
    attributes = fields("kind size technique reasons eliminations")(step)
    return {"number": step.number, "sentence": str(step)} | attributes


@encoded.register
def _(reason: steps.Reason) -> dict[str, Any]:
    core = reason.core and fields("givens clues")(reason.core)
    names = fields("claims rules technique premises rests_on uses proof")
    return names(reason) | {"core": core}


@encoded.register
def _(inference: steps.ProofStep) -> dict[str, Any]:
    rule = inference.instance and inference.instance.words
    return {"claim": encoded(inference.claim), "rule": rule}


@encoded.register
def _(use: steps.CitedRule) -> dict[str, Any]:
    """The rule, its place and the values of its variables; numbers as numbers."""
    guard = use.instance.guard
    terms = use.instance.symbol.arguments[1].arguments
    values = {
        variable: int(text) if str(term).removeprefix("-").isdecimal() else text
        for variable, text, term in zip(guard.variables, use.instance.values, terms, strict=True)
    }
    place = fields("name file=place line part")(guard)
    return place | {"values": values} | fields("words=instance.words options")(use)
