"""Find the predicate with the most ground atoms of a program that exhausts memory: the usual cause.

The program is grounded once more in a child process, as text, so that atoms can be counted while
they are produced.
"""

from __future__ import annotations

import math
import os
import re
import resource
import selectors
import subprocess
import sys
import time
from collections import defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING

from aspdoku.program import RuleFile
from aspdoku.program.syntax import atoms, heads, parse, position_of, signature, source_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clingo.ast import AST

    from aspdoku.ending import Grounding

# The atoms in the head of a ground rule: of a fact, a choice or a disjunction.
_HEAD = re.compile(rb"(?<![\w'(,\"])(-?_*[a-z][\w']*)(\([^:;|}]*?\))?(?=\s*[.:;|}]|$)")
# Atoms after which counting stops: one predicate dominates long before.
_MOST_ATOMS = 1_000_000
# Rules that define the predicate to show: enough to find the cause, and few enough to read.
_MOST_RULES = 3
# Bytes of a ground rule that are examined: its head comes first, and bodies may be very long.
_MOST_BYTES = 400


def largest_predicate(grounding: Grounding, seconds: float, memory: int) -> str:
    """A sentence about the predicate with the most atoms after the first `seconds` of grounding.

    Empty if there are no atoms.

    memory: limit in bytes of the process that grounds
    """
    counts = _counts(grounding.text, seconds, memory)
    if not counts:
        return ""
    (name, arity), number = max(counts.items(), key=lambda item: item[1])
    found = (
        f"the largest predicate is {name}/{arity}, with {number:,} ground atoms after {seconds:.2g}"
        " s of grounding"
    )
    program = RuleFile("program", "program", grounding.text, vetted=True)
    defining = [
        rule
        for rule in parse(program)[0]
        if any(signature(head) == (name, arity) for head in heads(rule))
    ]
    endless = [
        rule
        for rule in defining
        if (name, arity) in {signature(atom) for part in _body(rule) for atom in atoms(part)}
    ]
    if endless:
        found += "; it depends on itself and may be infinite"
    places = (
        f"{grounding.locate(position_of(rule)[0])}: {source_of(program, rule)}"
        for rule in (endless or defining)[:_MOST_RULES]
    )
    return "\n  ".join([found, *places])


def _body(rule: AST) -> Sequence[AST]:
    return getattr(rule, "body", ())


def _counts(text: str, seconds: float, memory: int) -> dict[tuple[str, int], int]:
    """The number of distinct atoms of each predicate that clingo derives in this time."""
    command = [sys.executable, "-P", "-m", "clingo", "--mode=gringo", "--text", "-"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL

    def restrict() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds)))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    seen: dict[bytes, set[bytes]] = defaultdict(set)
    with (
        subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=nothing, env=environment, preexec_fn=restrict
        ) as child,
        selectors.DefaultSelector() as selector,
    ):
        assert child.stdin is not None
        assert child.stdout is not None
        with suppress(OSError), child.stdin:
            child.stdin.write(text.encode())
        selector.register(child.stdout, selectors.EVENT_READ)
        deadline, rest, total = time.monotonic() + seconds, b"", 0
        while (
            total < _MOST_ATOMS
            and (left := deadline - time.monotonic()) > 0
            and selector.select(left)
        ):
            part = os.read(child.stdout.fileno(), 1 << 16)
            if not part:
                break
            *lines, rest = (rest + part).split(b"\n")
            rest = rest[:_MOST_BYTES]  # the rest of this line is not the start of another
            for line in lines:
                head, _, _ = line[:_MOST_BYTES].partition(b":-")
                for name, arguments in _HEAD.findall(head):
                    seen[name].add(arguments)
                    total += 1
        child.kill()
    counts: dict[tuple[str, int], int] = defaultdict(int)
    for name, all_arguments in seen.items():
        for arguments in all_arguments:
            counts[name.decode(), _arity(arguments)] += 1
    return counts


def _arity(arguments: bytes) -> int:
    """The number of arguments in parentheses: the commas outside of inner ones, plus one."""
    depth, commas = 0, 0
    for sign in arguments:
        depth += (sign == ord("(")) - (sign == ord(")"))
        commas += depth == 1 and sign == ord(",")
    return commas + 1 if arguments else 0
