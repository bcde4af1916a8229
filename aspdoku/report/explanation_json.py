"""Explanations as JSON objects: all that `report.explanation` shows, unabridged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aspdoku.engine.clues import Clue
from aspdoku.explanation.conflict import ConflictExplanation
from aspdoku.explanation.explainer import Counterexamples, Explanation
from aspdoku.explanation.steps import CitedRule, Claim, Conflict, Difficulty, Proof, Reason, Step
from aspdoku.puzzle import Puzzle
from aspdoku.report import tagged
from aspdoku.report.answer import unsupported_json
from aspdoku.report.explanation import next_reason


def explanation_json(explanation: Explanation, claim: Claim | None = None) -> dict[str, Any]:
    """Steps as a JSON object, and how the search for them ended.

    claim: the claim that `why` explains; None for a whole explanation
    """
    found = {
        "ended": explanation.ended,
        "steps": [_step(step) for step in explanation.steps],
        "unique": explanation.unique,
        "unexplained": list(map(str, explanation.unexplained)),
        "unguarded": [each._asdict() for each in explanation.unguarded],
    }
    if claim is None:
        return tagged("explain", found)
    return tagged("why", {"claim": str(claim), "forced": True, **found})


def hint_json(step: Step | None, degree: str) -> dict[str, Any]:
    """The next step at a level of detail, as a JSON object; no place to look at without a step."""
    if step is None:
        return tagged("hint", {"where": []})
    reason = next_reason(step)
    cells = list(dict.fromkeys((claim.row, claim.column) for claim in reason.claims))
    hint: dict[str, Any] = {
        "kind": step.kind,
        "where": [f"r{row}c{column}" for row, column in cells],
    }
    if degree != "where":
        hint["technique"] = _technique(reason)
        hint["rules"] = [
            _use(use if degree != "rules" else use._replace(options=())) for use in reason.rules
        ]
    if degree in ("what", "proof"):
        hint["claims"] = list(map(str, reason.claims))
    if degree == "proof":
        hint |= {
            "premises": list(map(str, reason.premises)),
            "proof": reason.proof and _proof(reason.proof),
        }
    return tagged("hint", hint)


def wrong_entries_json(entries: Sequence[Claim], conflicts: Sequence[Conflict]) -> dict[str, Any]:
    """Wrong entries as a JSON object, with the rules that they violate directly."""
    return tagged(
        "hint",
        {"wrong": list(map(str, entries)), "conflicts": list(map(_conflict, conflicts))},
    )


def not_forced_json(claim: Claim, solutions: Counterexamples) -> dict[str, Any]:
    """A claim that is not forced, with a solution where it holds and one where it does not."""
    found = {
        "claim": str(claim),
        "forced": False,
        "holds": solutions.holds.rows,
        "fails": solutions.fails.rows,
    }
    return tagged("why", found)


def conflict_json(found: ConflictExplanation) -> dict[str, Any]:
    """The explanation of a conflict as a JSON object."""
    explained = {
        "cause": found.cause,
        "conflicts": list(map(_conflict, found.conflicts)),
        "steps": [_step(step) for step in found.steps],
        "repairs": list(map(str, found.repairs)),
        "core": _core(found.conflicts[0]) if found.conflicts else None,
        "minimal": found.minimal,
        "clue_repairs": list(map(_clue, found.clue_repairs)),
        "unlisted": found.unlisted,
        "ended": found.ended,
    }
    return tagged("conflict", explained)


def _conflict(conflict: Conflict) -> dict[str, Any]:
    return {
        "givens": list(map(str, conflict.givens)),
        "clues": list(map(_clue, conflict.clues)),
        "rules": [_use(CitedRule(each, ())) for each in conflict.rules],
    }


def _core(core: Conflict) -> dict[str, Any]:
    return {"givens": list(map(str, core.givens)), "clues": list(map(_clue, core.clues))}


def _clue(clue: Clue) -> dict[str, Any]:
    return {
        "rule": clue.rule,
        "name": clue.name,
        "words": clue.words,
        "facts": [f"{fact}." for fact in clue.facts],
    }


def grades_json(found: Sequence[tuple[str, Difficulty, Puzzle]]) -> dict[str, Any]:
    """The grades of puzzles as a JSON object."""
    grades = [
        {"file": name, **difficulty_json(grade), **unsupported_json(puzzle)}
        for name, grade, puzzle in found
    ]
    return tagged("grade", {"grades": grades})


def difficulty_json(found: Difficulty) -> dict[str, Any]:
    """A difficulty as a JSON object."""
    technique = None if found.technique is None else str(found.technique)
    return found._asdict() | {"technique": technique}


def _technique(part: Step | Reason) -> str | None:
    return None if part.technique is None else str(part.technique)


def _step(step: Step) -> dict[str, Any]:
    return {
        "number": step.number,
        "sentence": str(step),
        "kind": step.kind,
        "size": step.size,
        "technique": _technique(step),
        "reasons": [_reason(reason) for reason in step.reasons],
        "eliminations": [_reason(reason) for reason in step.eliminations],
    }


def _reason(reason: Reason) -> dict[str, Any]:
    return {
        "claims": list(map(str, reason.claims)),
        "rules": [_use(use) for use in reason.rules],
        "technique": _technique(reason),
        "premises": list(map(str, reason.premises)),
        "rests_on": list(map(str, reason.rests_on)),
        "uses": sorted(reason.uses),
        "proof": reason.proof and _proof(reason.proof),
        "core": reason.core and _core(reason.core),
    }


def _proof(proof: Proof) -> dict[str, Any]:
    return {
        "assumption": str(proof.assumption),
        "inferences": [
            {"claim": move.claim and str(move.claim), "rule": move.instance and move.instance.words}
            for move in proof.inferences
        ],
        "cases": [_proof(case) for case in proof.cases],
    }


def _values(use: CitedRule) -> dict[str, int | str]:
    """The values of the variables of a rule; numbers as numbers."""
    terms = use.instance.symbol.arguments[1].arguments
    return {
        variable: int(text) if str(term).removeprefix("-").isdecimal() else text
        for variable, text, term in zip(
            use.instance.guard.variables, use.instance.values, terms, strict=True
        )
    }


def _use(use: CitedRule) -> dict[str, Any]:
    guard = use.instance.guard
    return {
        "name": guard.name,
        "file": guard.place,
        "line": guard.line,
        "part": guard.part,
        "values": _values(use),
        "words": use.instance.words,
        "options": list(map(str, use.options)),
    }
