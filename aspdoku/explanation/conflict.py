"""Why a puzzle has no solution: conflicting givens, the rules involved, and possible repairs.

A conflict is a minimal unsatisfiable subset of the givens, under the rules, found by deletion:
starting with an unsatisfiable core, each member is left out in turn, and stays out if the rest is
still unsatisfiable. The rules involved are minimized in the same way.

If the puzzle has clues, such as cages or lines, a minimal set of givens and clues is found as well.
"""

from __future__ import annotations

from typing import Literal as OneOf
from typing import NamedTuple

from aspdoku.deadline import Deadline
from aspdoku.engine.clues import Clue, clues
from aspdoku.explanation.constraints import ConstraintModel, Literal, RuleMask
from aspdoku.explanation.cores import CoreFinder
from aspdoku.explanation.direct_conflicts import Conflict, direct_conflicts, instances
from aspdoku.explanation.explainer import StepFinder
from aspdoku.explanation.steps import Claim, PuzzleCore, Step, relevant_steps
from aspdoku.program import Program

Cause = OneOf["none", "impossible", "givens", "rules", "unguarded"]

# A conflict of more rules than this is explained step by step. About as many can be understood as
# one list; the deep conflicts of usual puzzles involve dozens.
MOST_RULES = 8


class ConflictExplanation(NamedTuple):
    """Why there is no solution.

    cause: "none": there is a solution; "impossible": a given that its rules never allow, whatever
        the others; "givens": the givens conflict; "rules": the rules have no solution, whatever the
        givens; "unguarded": the same holds for the statements that explanations cannot cite
    conflicts: those that violate a single rule directly, else one that is minimal
    steps: the derivation of a violated rule, if the conflict has too many rules for a list
    repairs: the givens whose removal, one at a time, makes the puzzle solvable
    core: a minimal set of givens and clues without a solution; None if no clues are involved
    clue_repairs: the clues of `core` whose removal, one at a time, makes the puzzle solvable
    """

    cause: Cause
    conflicts: tuple[Conflict, ...] = ()
    steps: tuple[Step, ...] = ()
    repairs: tuple[Claim, ...] = ()
    core: PuzzleCore | None = None
    clue_repairs: tuple[Clue, ...] = ()


def explain_conflict(program: Program, time_limit: float | None = None) -> ConflictExplanation:
    """Explain why a puzzle has no solution. Raises TimeLimitError after `time_limit` seconds."""
    deadline = Deadline(time_limit)
    found = _explain(program, deadline)
    if found.cause in ("givens", "rules"):
        # Only clues need this search, which grounds the program a second time.
        return _with_clues(found, CoreFinder(program, deadline)) if clues(program) else found
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


def _with_clues(found: ConflictExplanation, finder: CoreFinder) -> ConflictExplanation:
    """The explanation with a minimal set of givens and clues, if clues are involved."""
    asked = (
        finder.items
        if found.cause == "givens"
        else [item for item in finder.items if isinstance(item, Clue)]
    )
    core = finder.minimal(asked)
    if core is None or not core.clues:
        return found
    repairs = tuple(
        clue
        for clue in core.clues
        if finder.core(item for item in finder.items if item != clue) is None
    )
    return found._replace(core=core, clue_repairs=repairs)


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
