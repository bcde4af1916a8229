"""Why a puzzle has no solution: conflicting givens, the rules involved, and possible repairs.

A conflict is a minimal unsatisfiable subset of the givens, under the rules, found by deletion:
starting with an unsatisfiable core, each member is left out in turn, and stays out if the rest is
still unsatisfiable. The rules involved are minimized in the same way.

If the puzzle has clues, such as cages or lines, a minimal set of givens and clues is found as well,
from the same program with the facts of the clues as choices.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal as OneOf
from typing import NamedTuple

from aspdoku.deadline import Deadline
from aspdoku.engine.clues import Clue, clues
from aspdoku.engine.solver import Solver
from aspdoku.explanation.constraints import ConstraintModel, Literal, RuleMask
from aspdoku.explanation.direct_conflicts import Conflict, direct_conflicts, instances
from aspdoku.explanation.explainer import StepFinder
from aspdoku.explanation.steps import Claim, Step, relevant_steps
from aspdoku.program import Program, RuleFile, assemble
from aspdoku.puzzle.puzzle import GIVEN
from aspdoku.puzzle.term import to_asp

Cause = OneOf["none", "impossible", "givens", "rules", "unguarded"]

# A conflict of more rules than this is explained step by step. About as many can be understood as
# one list; the deep conflicts of usual puzzles involve dozens.
MOST_RULES = 8


class Clash(NamedTuple):
    """Givens and clues that no grid satisfies, of which none can be left out.

    repairs: the clues without which, one at a time, the puzzle is solvable
    """

    givens: tuple[Claim, ...]
    clues: tuple[Clue, ...]
    repairs: tuple[Clue, ...]


class ConflictExplanation(NamedTuple):
    """Why there is no solution.

    cause: "none": there is a solution; "impossible": a given that its rules never allow, whatever
        the others; "givens": the givens conflict; "rules": the rules have no solution, whatever the
        givens; "unguarded": the same holds for the statements that explanations cannot cite
    conflicts: those that violate a single rule directly, else one that is minimal
    steps: the derivation of a violated rule, if the conflict has too many rules for a list
    repairs: the givens whose removal, one at a time, makes the puzzle solvable
    clash: the givens and clues that clash; None if no clues are involved
    """

    cause: Cause
    conflicts: tuple[Conflict, ...] = ()
    steps: tuple[Step, ...] = ()
    repairs: tuple[Claim, ...] = ()
    clash: Clash | None = None


def explain_conflict(program: Program, time_limit: float | None = None) -> ConflictExplanation:
    """Explain why a puzzle has no solution. Raises TimeLimitError after `time_limit` seconds."""
    deadline = Deadline(time_limit)
    found = _explain(program, deadline)
    if found.cause in ("givens", "rules"):
        return found._replace(clash=_clash(program, found.cause == "givens", deadline))
    return found


def _explain(program: Program, deadline: Deadline) -> ConflictExplanation:
    model = ConstraintModel(program, deadline.time_limit())
    givens = [(row, column, number) for (row, column), number in program.puzzle.givens().items()]
    literals = model.candidates
    claims = {literals[given]: Claim(*given, True) for given in givens if given in literals}
    core = model.unsat_core(list(claims), model.all_rules)
    impossible = tuple(
        Conflict((Claim(*given, True),), ()) for given in givens if given not in literals
    )
    if impossible:
        repairs = impossible[0].givens if len(impossible) == 1 and core is None else ()
        return ConflictExplanation("impossible", impossible, repairs=repairs)
    if core is None:
        return ConflictExplanation("none")
    repairs = tuple(claim for literal, claim in claims.items() if _repairs(model, claims, literal))
    core_of_rules = model.unsat_core([], model.all_rules)
    if not core_of_rules and (direct := direct_conflicts(model, claims)):
        return ConflictExplanation("givens", direct, repairs=repairs)
    conflicting, rules = _minimize(model, *(core_of_rules or core))
    if not conflicting and not rules:
        return ConflictExplanation("unguarded")
    conflict = Conflict(tuple(claims[literal] for literal in conflicting), instances(model, rules))
    steps: tuple[Step, ...] = ()
    if len(conflict.rules) > MOST_RULES:
        targets = [sign for each in sorted(literals) for sign in (literals[each], -literals[each])]
        finder = StepFinder(model, conflicting, targets, deadline.time_limit())
        steps = tuple(relevant_steps(finder.steps(), None))
    return ConflictExplanation("givens" if conflicting else "rules", (conflict,), steps, repairs)


def _clash(program: Program, with_givens: bool, deadline: Deadline) -> Clash | None:
    """A minimal set of clues, and of givens if asked for, without a solution.

    None if no clues are in it.
    """
    every = clues(program)
    facts = {fact for clue in every for fact in clue.facts}
    if not facts:
        return None
    puzzle = program.puzzle
    blank = puzzle.replace(
        grid=((None,) * puzzle.size,) * puzzle.size,
        facts=tuple(fact for fact in puzzle.facts if fact not in facts),
        box=puzzle.box,
    )
    choices = "\n".join(f"{{ {to_asp(fact)} }}." for fact in sorted(facts, key=to_asp))
    rules = [*(part.rule for part in program.parts), RuleFile("clues", "clues", choices, True)]
    solver = Solver(assemble(blank, rules, constants=program.constants), deadline.time_limit())
    control = solver.ground()
    literal_of = {str(atom.symbol): atom.literal for atom in control.symbolic_atoms}
    # The literals of givens and clues; those of clues that are left out are assumed not to hold.
    items: dict[Claim | Clue, list[int]] = {
        clue: [literal_of[to_asp(fact)] for fact in clue.facts] for clue in every
    }
    for (row, column), number in puzzle.givens().items():
        claim = Claim(row, column, number, True)
        if literal := literal_of.get(f"{GIVEN[0]}({row},{column},{number})"):
            items[claim] = [literal]

    def core(kept: Iterable[Claim | Clue]) -> set[int] | None:
        kept = set(kept)
        assumed = [
            literal if item in kept else -literal
            for item, literals in items.items()
            if item in kept or isinstance(item, Clue)
            for literal in literals
        ]
        with control.solve(assumed, async_=True) as handle:
            solver.wait(handle)
            return set(handle.core()) if handle.get().unsatisfiable else None

    start = [item for item in items if with_givens or isinstance(item, Clue)]
    first = core(start)
    if first is None:
        return None
    clashing = [item for item in start if first.intersection(items[item])]
    if core(clashing) is None:
        clashing = start
    for item in list(clashing):
        others = [other for other in clashing if other != item]
        if core(others) is not None:
            clashing = others
    involved = tuple(item for item in clashing if isinstance(item, Clue))
    if not involved:
        return None
    repairs = tuple(
        clue for clue in involved if core(item for item in items if item != clue) is None
    )
    return Clash(
        tuple(sorted(item for item in clashing if isinstance(item, Claim))), involved, repairs
    )


def _repairs(model: ConstraintModel, claims: dict[Literal, Claim], literal: Literal) -> bool:
    others = [other for other in claims if other != literal]
    return model.unsat_core(others, model.all_rules) is None


def _minimize(
    model: ConstraintModel, literals: list[Literal], rules: RuleMask
) -> tuple[list[Literal], RuleMask]:
    """Conflicting givens and rules, of which none can be left out."""
    for literal in list(literals):
        if literal in literals:
            others = [other for other in literals if other != literal]
            literals, rules = model.unsat_core(others, model.all_rules) or (literals, rules)
    for instance in model.instances:
        if instance.bit & rules:
            smaller = model.unsat_core(literals, rules & ~instance.bit)
            rules = smaller[1] if smaller else rules
    return literals, rules
