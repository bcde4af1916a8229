"""Explanations: steps, hints and slices, in words and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import fill
from typing import Any, NamedTuple

from aspdoku.lessons.conflict import Conflict
from aspdoku.lessons.explanation import Claim, Doubt, Explainer, Grade, Reason, Step, Use
from aspdoku.program import library
from aspdoku.puzzle import Puzzle
from aspdoku.show import text

WIDTH = 110
# A reason of more rules than this is shown by its proof alone: nobody reads such a list.
MOST_RULES = 12
DEGREES = ("where", "rules", "what", "proof")


def report(steps: Sequence[Step], explainer: Explainer) -> str:
    """All steps, then what they use, and what stays open."""
    blocks = [step_in_words(step) for step in steps if step.reasons or not explainer.settled]
    return "\n".join([*blocks, "", *_closing(_by_steps(steps), explainer)])


def conflicting(found: Conflict) -> str:
    """Why there is no solution."""
    if found.cause == "none":
        return "there is a solution: nothing clashes"
    if found.cause == "granted":
        return "what the rules take for granted has no solution"
    lines = []
    for clash in found.clashes:
        named = " and ".join(map(str, clash.givens)) or "the rules alone"
        if found.cause == "impossible":
            lines.append(f"{named}: the rules never allow that, whatever the other givens")
        elif found.steps:
            rules = _several(len(clash.rules), "rule")
            lines.append(_filled(f"{len(clash.givens)} givens clash, by {rules}, and without any one of them would not: {named}"))
        else:
            lines += [f"{named} cannot be together:", *(f"  - {each.words}" for each in clash.rules)]
    if found.steps:
        lines += ["", *(step_in_words(step) for step in found.steps if step.reasons)]
    if found.repairs:
        lines += ["", _filled(f"without one of these givens there is a solution: {', '.join(map(str, found.repairs))}")]
    return "\n".join(lines)


def document_of_conflict(found: Conflict) -> dict[str, Any]:
    """The same as an object for JSON."""
    return {
        "cause": found.cause,
        "clashes": [
            {"givens": list(map(str, clash.givens)), "rules": [_use(Use(each, ())) for each in clash.rules]}
            for clash in found.clashes
        ],
        "steps": [_step(step) for step in found.steps],
        "repairs": list(map(str, found.repairs)),
    }


def slice_in_words(claim: Claim, steps: Sequence[Step]) -> str:
    """The steps that lead to a claim, each with what it rests on: numbers, and what earlier steps have ruled out."""
    if not any(step.reasons or step.marks for step in steps):
        return f"{claim} is given" if claim.holds else f"{claim}: the rules never allow it there"
    marks = {gone: mark for step in steps for mark in step.marks for gone in mark.claims}
    made = {each: step.number for step in steps for reason in step.reasons for each in reason.claims}
    lines = []
    for step in steps:
        lines += [line for reason in step.reasons for line in _resting(f"{step.number:>3}.", reason, marks, made)]
    if claim in marks:
        lines += _resting("", marks[claim], marks, made)
    return "\n".join(lines)


def _resting(mark: str, reason: Reason, marks: Mapping[Claim, Reason], made: Mapping[Claim, int]) -> list[str]:
    """A reason with the numbers that it rests on, pencil marks traced back to them, and what earlier steps ruled out."""
    numbers: set[Claim] = set()
    gone: set[Claim] = set()
    waiting = list(reason.known)
    seen: set[Claim] = set()
    while waiting:
        known = waiting.pop()
        if known not in seen:
            seen.add(known)
            if known in marks:
                waiting += marks[known].known
            else:
                (numbers if known.holds else gone).add(known)
    rests = []
    if numbers:
        rests.append(f"with {_claims(sorted(numbers))}")
    if gone:
        steps = sorted({made[each] for each in gone if each in made})
        rests.append(f"and {_claims(sorted(gone))}" + (f" [from {', '.join(map(str, steps))}]" if steps else ""))
    because = ", ".join(use.instance.words for use in reason.rules) or "nothing else is possible"
    return [_filled("; ".join([f"{mark:>4} {_claims(reason.claims)} because {because}", *rests]))]


def step_in_words(step: Step) -> str:
    """A step: numbers placed by one rule each, a line each; or what several rules conclude, with these and the proof."""
    lines = []
    if not step.reasons:
        lines.append(f"{step.number:>3}. {_several(len(step.marks), 'candidate')} left to strike out, each by a single rule")
    for reason in step.reasons:
        mark = f"{step.number}." if reason is step.reasons[0] else ""
        if not reason.claims:
            lines.append(_filled(f"{mark:>4} and that breaks: {'; '.join(map(_because, reason.rules))}"))
        elif len(reason.rules) <= 1:
            because = "; ".join(use.instance.words for use in reason.rules) or "nothing else is possible"
            told = {use.instance.guard.name for use in reason.rules}
            others = sorted(step.rules_of(reason) - told - _game())
            beside = f" (with {', '.join(others)})" if others else ""
            lines.append(_filled(f"{mark:>4} {_claims(reason.claims)}: {because}{beside}"))
        else:
            lines.append(_filled(f"{mark:>4} {_claims(reason.claims)}   ({len(reason.rules)} rules)"))
            lines += _in_detail(reason)
    return "\n".join(lines)


def singles(steps: Sequence[Step], explainer: Explainer) -> str:
    """Steps by a single rule in the words of the Strimko assignment, counted one by one: `chain A needs a 3: left r2c2`."""
    reasons = [reason for step in steps for reason in step.reasons]
    width = len(str(len(reasons)))
    lines = [
        f"{number:>{width + 2}}. {'; '.join(map(_because, reason.rules))}, so {_claims(reason.claims)}"
        for number, reason in enumerate(reasons, 1)
    ]
    return "\n".join([*lines, "", *_closing([step.rules_of(reason) for step in steps for reason in step.reasons], explainer)])


def hint(step: Step, degree: str) -> str:
    """The next step, told in one of four degrees: where, by which rules, what, and with the proof."""
    reason = (*step.reasons, *step.marks)[0]
    where = f"look at {_cells(reason.claims)}"
    if degree == "where":
        return where
    if degree == "rules":
        return "\n".join([where, *(f"  - {use.instance.words}" for use in reason.rules)])
    lines = [_claims(reason.claims), *(f"  - {_because(use)}" for use in reason.rules)]
    return "\n".join(lines if degree == "what" else [*lines, *_proof(reason)])


def doubtful(claim: Claim, doubt: Doubt) -> str:
    """That a claim is not forced, with the two solutions that show it."""
    cell = [(claim.row, claim.column)]
    return "\n".join(
        [
            f"{claim} is not forced; here it holds:",
            "",
            text.grid(doubt.holds, marked=cell),
            "",
            "and here it does not:",
            "",
            text.grid(doubt.fails, marked=cell),
        ]
    )


def document_of_doubt(claim: Claim, doubt: Doubt) -> dict[str, Any]:
    """The same as an object for JSON."""
    return {"claim": str(claim), "forced": False, "holds": doubt.holds.rows, "fails": doubt.fails.rows}


def mistaken(entries: Sequence[Claim]) -> str:
    """The entries that are wrong."""
    return f"wrong: {', '.join(map(str, entries))}"


def grades(found: Sequence[tuple[str, Grade]]) -> str:
    """A line for each puzzle: rules of the hardest step, work, and a word."""
    width = max(len(name) for name, _ in found)
    return "\n".join(
        f"{name.ljust(width)}  {each.label:<9}  hardest {each.hardest:>3}  work {each.work:>5}" for name, each in found
    )


def document(steps: Sequence[Step], explainer: Explainer) -> dict[str, Any]:
    """The steps as an object for JSON."""
    return {
        "steps": [_step(step) for step in steps],
        "settled": explainer.settled,
        "open": [_claim(claim) for claim in explainer.left()],
        "granted": [granted._asdict() for granted in explainer.network.granted],
    }


def page(steps: Sequence[Step], explainer: Explainer) -> str:
    """The explanation as a page of HTML to click through, which needs nothing else; without scripts it shows all steps."""
    from aspdoku.show.pages import render

    puzzle = explainer.network.program.puzzle
    height, breadth = puzzle.box if puzzle.box and min(puzzle.box) > 1 else (puzzle.size, puzzle.size)
    shown = [(step, step_in_words(step), rows) for step, rows in zip(steps, _boards(steps, puzzle), strict=True)]
    closing = "\n".join(_closing(_by_steps(steps), explainer))
    title = puzzle.title or (puzzle.origin.name if puzzle.origin else "a puzzle")
    return render("explanation.html.j2", title=title, steps=shown, closing=closing, height=height, breadth=breadth)


class Cell(NamedTuple):
    """A cell of a board: its number, or the candidates left in it; kind says whether the step concludes or uses it."""

    number: int | None
    given: bool
    marks: str
    kind: str


def _boards(steps: Sequence[Step], puzzle: Puzzle) -> Iterator[list[list[Cell]]]:
    """The grid at each step: with the pencil marks before it, and with what it concludes."""
    size, givens = puzzle.size, puzzle.givens()
    numbers = dict(givens)
    places = [(row, column) for row in range(1, size + 1) for column in range(1, size + 1)]
    marks = {place: set(range(1, size + 1)) for place in places}
    for step in steps:
        claims = [claim for reason in (*step.marks, *step.reasons) for claim in reason.claims]
        numbers |= {(claim.row, claim.column): claim.number for claim in claims if claim.holds}
        for claim in claims:
            if not claim.holds:
                marks[claim.row, claim.column].discard(claim.number)
        concluded = {(claim.row, claim.column) for reason in step.reasons for claim in reason.claims}
        looked = {(claim.row, claim.column) for reason in step.reasons for use in reason.rules for claim in use.left}
        cells = [
            Cell(
                numbers.get(place),
                place in givens,
                text.symbols(sorted(marks[place]), size),
                "concluded" if place in concluded else "looked" if place in looked else "",
            )
            for place in places
        ]
        yield [cells[start : start + size] for start in range(0, len(cells), size)]


def dumps(value: object) -> str:
    """JSON text."""
    return json.dumps(value)


def _by_steps(steps: Sequence[Step]) -> list[set[str]]:
    return [{name for reason in step.reasons for name in step.rules_of(reason)} for step in steps if step.reasons]


def _closing(used_by: Sequence[set[str]], explainer: Explainer) -> Iterator[str]:
    """How many steps there are, by the rules that each uses, and what is not explained."""
    used = Counter(name for names in used_by for name in names)
    shares = ", ".join(f"{count} use {name}" for name, count in sorted(used.items(), key=lambda each: (-each[1], each[0])))
    yield _several(len(used_by), "step") + (f": {shares}" if shares else "")
    left = explainer.left()
    if left:
        yield f"here it sticks: {len(left)} conclusions are left that no single rule gives"
    if not explainer.settled:
        yield "there are several solutions: only what they share is explained, the rest is open"
    for granted in explainer.network.granted:
        yield f"taken for granted: {granted.place}:{granted.line}: {granted.text}"


def _in_detail(reason: Reason) -> Iterator[str]:
    if len(reason.rules) <= MOST_RULES:
        for use in reason.rules:
            yield _filled(f"       - {_because(use)}")
    if any(move.claim for move in reason.moves):
        yield from _proof(reason)
    elif len(reason.rules) > MOST_RULES:
        yield f"       no chain of inferences was found; clingo proves it by {len(reason.rules)} rules"


def _proof(reason: Reason) -> Iterator[str]:
    if not reason.moves or reason.supposed is None:
        return
    parts = [f"suppose {_claims([reason.supposed])}"]
    last = len(reason.moves) - 1
    grouped: list[tuple[str, list[Claim]]] = []
    for place, move in enumerate(reason.moves):
        words = move.instance.words if move.instance else "as a cell holds one number"
        if place == last:
            break
        if move.claim is None:
            continue
        if grouped and grouped[-1][0] == words:
            grouped[-1][1].append(move.claim)
        else:
            grouped.append((words, [move.claim]))
    parts += [f"then {_claims(claims)} ({words})" for words, claims in grouped]
    end = reason.moves[last]
    parts.append(f"and that breaks: {end.instance.words if end.instance else 'a cell holds one number'}")
    yield _filled(f"       proof: {'; '.join(parts)}")


def _several(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _because(use: Use) -> str:
    left = f": left {_cells(use.left)}" if use.left else ""
    return use.instance.words + left


def _game() -> set[str]:
    """The rules of the ordinary game, which need no mention."""
    return {rule.name for rule in (library.base(), *library.defaults())}


def _claims(claims: Iterable[Claim]) -> str:
    """Claims in words, cells with the same number together: `r1c6 r2c6 are not 2`."""
    parts = [f"r{each.row}c{each.column}={each.number}" for each in claims if each.holds]
    gone: dict[int, list[Claim]] = {}
    for each in claims:
        if not each.holds:
            gone.setdefault(each.number, []).append(each)
    parts += [f"{_cells(each)} {'is' if len(each) == 1 else 'are'} not {number}" for number, each in gone.items()]
    return ", ".join(parts)


def _cells(claims: Iterable[Claim]) -> str:
    return " ".join(dict.fromkeys(f"r{each.row}c{each.column}" for each in claims))


def _filled(line: str) -> str:
    return fill(line, WIDTH, subsequent_indent=" " * 9, break_long_words=False, break_on_hyphens=False)


def _step(step: Step) -> dict[str, Any]:
    return {
        "number": step.number,
        "kind": step.kind,
        "size": step.size,
        "reasons": [_reason(reason) for reason in step.reasons],
        "marks": [_reason(reason) for reason in step.marks],
    }


def _reason(reason: Reason) -> dict[str, Any]:
    return {
        "conclude": [_claim(claim) for claim in reason.claims],
        "rules": [_use(use) for use in reason.rules],
        "known": [_claim(claim) for claim in reason.known],
        "proof": {
            "suppose": reason.supposed and _claim(reason.supposed),
            "moves": [
                {"claim": move.claim and _claim(move.claim), "rule": move.instance and move.instance.words}
                for move in reason.moves
            ],
        },
    }


def _use(use: Use) -> dict[str, Any]:
    guard = use.instance.guard
    return {
        "name": guard.name,
        "file": guard.place,
        "line": guard.line,
        "part": guard.part,
        "values": dict(zip(guard.variables, use.instance.values, strict=True)),
        "words": use.instance.words,
        "left": [_claim(claim) for claim in use.left],
    }


def _claim(claim: Claim) -> str:
    return str(claim)
