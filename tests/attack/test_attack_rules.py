"""Mutated rule files: check, solve, count and equal answer or reject them without crashing."""

import pytest
from hostile import ask, ask_all
from mutations import mutated, rule_files
from seeds import blocks

from aspdoku.engine.sandbox import Aborted, Limits, run_limited

LIMITS = Limits(seconds=60, processor=40)
TEXTS = 6  # for one child process


@blocks(fast=2, long=1, size=12)
def test_a_mutated_rule_is_answered_or_rejected(block):
    answered = 0
    for chance in block.cases():
        texts = [
            mutated(chance, chance.choice(rule_files()), chance.choice(rule_files()))
            for _ in range(TEXTS)
        ]
        outcome = run_limited(LIMITS, ask_all, texts)
        if isinstance(outcome, int):
            answered += outcome
        elif outcome.limit == "crashed":
            crashing = [
                text for text in texts if isinstance(run_limited(LIMITS, ask, text), Aborted)
            ]
            pytest.fail(f"{outcome}\n" + "\n----\n".join(crashing))
    assert answered > 0
