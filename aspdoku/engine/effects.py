"""Clues that have no effect: facts without which the rules would require the same.

The clues are grounded as `#external` atoms, which clingo does not simplify away. A fact that occurs
in no ground constraint or choice, and in nothing that these depend on, has no effect: all ground
rules of the puzzle itself are among these.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from aspdoku.engine.clues import clues
from aspdoku.engine.grounding import RuleCollector
from aspdoku.engine.solver import Solver
from aspdoku.errors import AspdokuError
from aspdoku.program import Program, RuleFile, assemble
from aspdoku.program.compose import place_of_clue
from aspdoku.program.diagnostics import OnLine
from aspdoku.program.rulefile import EXCEPTIONS
from aspdoku.puzzle import Function

# Far more than most puzzles take; counts over clues that may be absent can take for ever.
_SECONDS = 1.0


def effect_warnings(program: Program) -> Iterator[str]:
    """A warning for each clue of which some fact has no effect, with the place of the clue.

    Clues of which `Program.warnings` warns are left out. There are no warnings if the clues cannot
    be grounded in a second.
    """
    try:
        idle = without_effect(program, _SECONDS)
    except AspdokuError:
        return
    for clue in clues(program) if idle else ():
        inputs = {fact: item for fact, (_, item) in zip(clue.facts, clue.inputs, strict=True)}
        facts = [fact for fact in clue.facts if fact in idle]
        if facts and not any(str(fact) in text for fact in clue.facts for text in program.warnings):
            identity = inputs[facts[0]].identity
            label = facts[0].arguments[identity[0]] if identity else None
            place = place_of_clue(program.puzzle, OnLine(facts[0].name, label, "", clue.cells))
            shown = ", ".join(map(str, facts))
            yield f"{place}: no effect of {shown}: no rule of this program depends on it"


def without_effect(program: Program, seconds: float | None = None) -> set[Function]:
    """The facts of clues that have no effect, not even if no rule is retracted.

    Raises RuleError if the program cannot be grounded, TimeLimitError if that takes longer.
    """
    stated = {fact for clue in clues(program) for fact in clue.facts}
    if not stated:
        return stated
    rules = program.rules
    open_ = "".join(f"#external {fact}.\n" for fact in sorted(map(str, stated)))
    facts = (fact for fact in program.puzzle.facts if fact.name != EXCEPTIONS)
    puzzle = program.without_givens().puzzle.replace(
        facts=tuple(fact for fact in facts if fact not in stated), without=()
    )
    collector = RuleCollector()
    files = [*rules, RuleFile("clues", "clues", open_, vetted=True)]
    freed = assemble(puzzle, files, constants=program.constants, sizes=program.sizes)
    control = Solver(freed, seconds, observer=collector).ground()
    kept = {(EXCEPTIONS, 2)}.union(*(rule.shown for rule in rules))
    literals = {str(atom.symbol): atom.literal for atom in control.symbolic_atoms}
    used = {
        atom.literal
        for signature in kept
        for atom in control.symbolic_atoms.by_signature(*signature)
    }
    bodies: dict[int, list[int]] = defaultdict(list)
    for rule in collector.rules:
        atoms = [abs(literal) for literal, _ in rule.body]
        if rule.choice or len(rule.head) != 1:
            used.update(atoms, rule.head)
        else:
            bodies[rule.head[0]] += atoms
    waiting = list(used)
    while waiting:
        new = set(bodies[waiting.pop()]) - used
        used |= new
        waiting += new
    return {fact for fact in stated if literals.get(str(fact)) not in used}
