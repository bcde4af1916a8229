"""Find the predicate with the most ground atoms of a program that exhausts memory.

Usually the cause.

The program is grounded once more in a child process, as text that can be counted while it is
produced.
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

    from aspdoku.supervision import Grounding

# The atoms in the head of a ground rule: of a fact, a choice or a disjunction.
_HEAD = re.compile(rb"(?<![\w'(,\"])(-?_*[a-z][\w']*)(\([^:;|}]*?\))?(?=\s*[.:;|}]|$)")
# More than enough to tell which predicate it is.
_MOST = 1_000_000
_SHOWN = 3
# How much of a ground rule is looked at, in bytes: the head comes first.
_LONGEST = 400


def largest_predicate(grounding: Grounding, seconds: float, memory: int) -> str:
    """A sentence about the predicate of which the first `seconds` of grounding make the most atoms.

    Empty if there are none.

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
    makers = [
        rule
        for rule in parse(program)[0]
        if any(signature(head) == (name, arity) for head in heads(rule))
    ]
    endless = [
        rule
        for rule in makers
        if (name, arity) in {signature(atom) for part in _body(rule) for atom in atoms(part)}
    ]
    if endless:
        found += "; it depends on itself and may have no end"
    places = (
        f"{grounding.locate(position_of(rule)[0])}: {source_of(program, rule)}"
        for rule in (endless or makers)[:_SHOWN]
    )
    return "\n  ".join([found, *places])


def _body(rule: AST) -> Sequence[AST]:
    return getattr(rule, "body", ())


def _counts(text: str, seconds: float, memory: int) -> dict[tuple[str, int], int]:
    """The number of distinct atoms of each predicate in the heads of the rules that clingo grounds
    in this time.
    """
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
        while total < _MOST and (left := deadline - time.monotonic()) > 0 and selector.select(left):
            part = os.read(child.stdout.fileno(), 1 << 16)
            if not part:
                break
            *lines, rest = (rest + part).split(b"\n")
            rest = rest[:_LONGEST]  # what follows on this line is no beginning of another
            for line in lines:
                head, _, _ = line[:_LONGEST].partition(b":-")
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
    """The number of arguments in brackets: commas outside of inner brackets, and one more."""
    depth, commas = 0, 0
    for sign in arguments:
        depth += (sign == ord("(")) - (sign == ord(")"))
        commas += depth == 1 and sign == ord(",")
    return commas + 1 if arguments else 0
