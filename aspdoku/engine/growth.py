"""Find why the grounding of a program is too large: terms that grow, ranges, or many atoms.

Terms and ranges are found in its rules. For the predicate with the most atoms it is grounded once
more in a child process, as text, so that atoms can be counted while they are produced.
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
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from clingo import SymbolType, parse_term

from aspdoku.program import RuleFile
from aspdoku.program.syntax import (
    Signature,
    atoms,
    heads,
    is_positive_atom,
    parse,
    position_of,
    reachable,
    signature,
    source_of,
    variables,
    walk,
)

if TYPE_CHECKING:
    from clingo.ast import AST

    from aspdoku.ending import Grounding

# The atoms in the head of a ground rule: of a fact, a choice or a disjunction.
_HEAD = re.compile(rb"(?<![\w'(,\"])(-?_*[a-z][\w']*)(\([^:;|}]*?\))?(?=\s*[.:;|}]|$)")
# Atoms after which counting stops: one predicate dominates long before.
_MOST_ATOMS = 1_000_000
# Rules that define the predicate to show: enough to find the cause, and few enough to read.
_MOST_RULES = 3
# The numbers of a range that is too large: those of grids and their sums are far smaller.
_LARGE_RANGE = 100_000
# Bytes of a ground rule that are examined: its head comes first, and bodies may be very long.
_MOST_BYTES = 400


class Cause(NamedTuple):
    """Why a grounding is too large.

    rules: the statements to blame; their lines are those of the program
    """

    text: str
    rules: list[AST]


def growth_report(grounding: Grounding, seconds: float, memory: int) -> str:
    """The cause in words, with the lines to blame below it. Empty if there are no atoms.

    seconds, memory: limits for counting atoms; the memory is that of the process that grounds, in
    bytes
    """
    cause = find_cause(grounding.text, seconds, memory)
    if cause is None:
        return ""
    program = _rule_file(grounding.text)
    places = (
        f"{grounding.locate(position_of(rule)[0])}: {source_of(program, rule)}"
        for rule in cause.rules[:_MOST_RULES]
    )
    return "\n  ".join([cause.text, *places])


def find_cause(text: str, seconds: float, memory: int) -> Cause | None:
    """Why the grounding of a program is too large. None if it has no atoms.

    The arguments are those of `growth_report`.
    """
    statements, _ = parse(_rule_file(text))
    return (
        next(_growing_terms(statements), None)
        or next(_large_ranges(text, statements), None)
        or _largest_predicate(text, statements, seconds, memory)
    )


def _rule_file(text: str) -> RuleFile:
    return RuleFile("program", "program", text, vetted=True)


def _growing_terms(statements: Sequence[AST]) -> Iterator[Cause]:
    """Rules that derive ever larger terms from their own atoms: p(f(X)) or p(X+1) from p(X), where
    nothing else in the body bounds X.
    """
    uses: dict[Signature, set[Signature]] = defaultdict(set)
    for statement in statements:
        used = {signature(atom) for literal in _body(statement) for atom in atoms(literal)}
        for head in heads(statement):
            uses[signature(head)] |= used
    for statement in statements:
        for head in heads(statement):
            own, bounded = _depths(head), set[str]()
            before: dict[str, int] = defaultdict(int)
            for literal in _body(statement):
                found = list(atoms(literal))
                if is_positive_atom(literal) and any(
                    signature(head) in reachable(signature(atom), uses) for atom in found
                ):
                    for name, depth in (each for atom in found for each in _depths(atom).items()):
                        before[name] = max(before[name], depth)
                else:
                    bounded |= variables(literal)
            grows = {name for name in own.keys() & before.keys() if own[name] > before[name]}
            if grows - bounded:
                name, arity = signature(head)
                text = (
                    f"{name}/{arity} depends on itself, and nothing bounds {min(grows - bounded)}"
                )
                yield Cause(f"{text}: its terms grow without end", [statement])


def _depths(term: AST) -> dict[str, int]:
    """How deep each variable is nested in functions and operations."""
    if term.ast_type.name == "Variable":
        return {term.name: 0}
    depths: dict[str, int] = {}
    for key in term.child_keys:
        child = getattr(term, key)
        for each in child if isinstance(child, Sequence) else [child]:
            for name, depth in _depths(each).items():
                depths[name] = max(depths.get(name, 0), depth + 1)
    return depths


def _large_ranges(text: str, statements: Sequence[AST]) -> Iterator[Cause]:
    for statement in statements:
        for node in walk(statement):
            if node.ast_type.name == "Interval":
                first, last = _number(node.left), _number(node.right)
                if first is not None and last is not None and last - first >= _LARGE_RANGE:
                    source, count = source_of(_rule_file(text), node), f"{last - first + 1:,}"
                    yield Cause(f"the range {source} has {count} numbers", [statement])


def _number(term: AST) -> int | None:
    """The value of a term without variables and constants."""
    with suppress(RuntimeError):
        value = parse_term(str(term), logger=lambda *_: None)
        return value.number if value.type is SymbolType.Number else None
    return None


def _largest_predicate(
    text: str, statements: Sequence[AST], seconds: float, memory: int
) -> Cause | None:
    """The predicate with the most atoms after the first `seconds` of grounding."""
    counts = _counts(text, seconds, memory)
    if not counts:
        return None
    (name, arity), number = max(counts.items(), key=lambda item: item[1])
    found = (
        f"the largest predicate is {name}/{arity}, with {number:,} ground atoms after {seconds:.2g}"
        " s of grounding"
    )
    defining = [
        rule for rule in statements if any(signature(head) == (name, arity) for head in heads(rule))
    ]
    endless = [
        rule
        for rule in defining
        if (name, arity) in {signature(atom) for part in _body(rule) for atom in atoms(part)}
    ]
    if endless:
        found += "; it depends on itself and may be infinite"
    return Cause(found, endless or defining)


def _body(rule: AST) -> Sequence[AST]:
    return getattr(rule, "body", ())


def _counts(text: str, seconds: float, memory: int) -> dict[tuple[str, int], int]:
    """The number of distinct atoms of each predicate that clingo derives in this time."""
    command = [sys.executable, "-P", "-m", "clingo", "--mode=gringo", "--text", "-"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL

    processor = math.ceil(seconds)

    def restrict() -> None:
        for kind, limit in ((resource.RLIMIT_CPU, processor), (resource.RLIMIT_AS, memory)):
            _, hard = resource.getrlimit(kind)
            lowest = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            resource.setrlimit(kind, (lowest, lowest))

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
