"""Mutated rule files: linting, solving, counting and comparing give a result or an error, but never
crash.
"""

import pytest
from mutations import mutated, rule_files
from rule_queries import query, query_all
from seeds import blocks

from aspdoku.runtime.child import Aborted, Limits, run_limited

LIMITS = Limits(seconds=40)
TEXTS = 6  # for one child process


@blocks(fast=2, long=1, size=12)
def test_a_mutated_rule_is_answered_or_rejected(block):
    succeeds = 0
    for rng in block.cases():
        texts = [
            mutated(rng, rng.choice(rule_files()), rng.choice(rule_files())) for _ in range(TEXTS)
        ]
        outcome = run_limited(LIMITS, query_all, texts)
        if isinstance(outcome, int):
            succeeds += outcome
        elif outcome.limit == "crashed":
            crashing = [
                text for text in texts if isinstance(run_limited(LIMITS, query, text), Aborted)
            ]
            pytest.fail(f"{outcome}\n" + "\n----\n".join(crashing))
    assert succeeds > 0
