"""Step-wise explanations: why a puzzle has its solution, each step by as few rules as were found.

`StepFinder` finds the steps to given targets; `Explainer` is the one whose targets are all that
follows from a puzzle.

The steps by a single rule are taken first, all of them or all of the easiest kind at a time; then
the smallest reason that is found for anything still open. The package docstring describes the
algorithm. Nothing is random: the same puzzle gets the same explanation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, count
from typing import NamedTuple

from aspdoku.engine.candidates import candidates
from aspdoku.engine.solver import SearchEnd, Solver
from aspdoku.errors import (
    Advice,
    AspdokuError,
    NoSolutionError,
    RefutedClaimError,
    TimeLimitError,
)
from aspdoku.explanation.constraints import (
    CONFLICT,
    AtMostOne,
    Candidate,
    ConstraintModel,
    Literal,
    RuleInstance,
    RuleMask,
    UndecidedError,
    union_of,
)
from aspdoku.explanation.propagation import Derivation, Inference, Propagator, derive
from aspdoku.explanation.rests import Rests
from aspdoku.explanation.rule_cores import MOST_CONFLICTS, RuleCores
from aspdoku.explanation.steps import (
    CitedRule,
    Claim,
    Conflict,
    Proof,
    ProofStep,
    Reason,
    Step,
    StepKind,
    eliminations_behind,
)
from aspdoku.explanation.techniques import GRAVE, Namer, Technique
from aspdoku.explanation.uniqueness import Uniqueness
from aspdoku.program import Program
from aspdoku.program.transform import Unguarded
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.puzzle import GIVEN, Cell, with_givens
from aspdoku.runtime.deadline import Deadline

# If no single rule concludes anything, no reason is smaller than this, and the search can stop.
_FEWEST = 2
# Bounds on the size of reasons, tried one after the other. A search with a small bound is cheap
# (tens of microseconds per target at 3), most puzzles need no other, and what it finds bounds all
# later ones. Before the large bounds, targets that propagation cannot refute at all are dropped.
# The values are a compromise: closer ones search more often, wider ones follow larger reasons.
_SMALL_BOUND, _BOUNDS = 3, (6, 12, 24, 60)
# Targets for which clingo computes a core if propagation refutes none. Each costs a call, but the
# cores differ much in size, so the smallest of a few is much better than the first.
_CORE_TARGETS = 4
# The most open cells of a rest for which what they can hold is looked for.
_MOST_OPEN = 3
_SEE_CONFLICT = Advice(
    "; run `aspdoku conflict` for the reason", "; run `aspdoku.conflict(puzzle)` for the reason"
)


class StepFinder:
    """Finds steps from known literals to all targets, or to a violated rule. Raises TimeLimitError.

    targets: literals to explain, preferred ones first among those with equally small reasons
    verify: whether clingo checks each reason of several rules
    uniqueness: what follows from the assumption that the solution is unique, if that is stated
    """

    def __init__(
        self,
        constraints: ConstraintModel,
        known: Iterable[Literal],
        targets: Iterable[Literal],
        time_limit: float | None = None,
        verify: bool = True,
        uniqueness: Uniqueness | None = None,
    ) -> None:
        self.constraints = constraints
        self._uniqueness = uniqueness
        self._verifies = verify
        self._deadline = Deadline(time_limit)
        self.propagator = Propagator(constraints)
        self.propagator.assert_literals(known)
        self.targets = list(targets)
        self._candidate = constraints.candidate_of
        files = [part.rule.place for part in constraints.program.parts]
        self._rank = [files.index(instance.guard.place) for instance in constraints.instances]
        self._namer = Namer(constraints)
        self._rests = Rests(constraints, self._namer.noun_and_name)
        self._eliminations: dict[Claim, Reason] = {}
        # For each target the largest bound that failed, the epoch, and what was visited.
        self._failures: dict[Literal, tuple[int, int, frozenset[int]]] = {}

    def unexplained(self) -> list[Claim]:
        """The targets that have not been explained yet."""
        return [self._claim(target) for target in self._open_targets()]

    def steps(self, singles: bool = False, batch: bool = True) -> Iterator[Step]:
        """The steps, until all targets have been explained.

        singles: use steps by a single rule only, and stop where none applies
        batch: one step has all numbers that single rules place; otherwise, each has its own, the
            easiest to see first: in a box, in a row or column, the last number of a cell; then
            those that rest on the fewest numbers
        """
        numbers = count(1)
        while True:
            eliminations = tuple(self._eliminate())
            self._eliminations |= {claim: each for each in eliminations for claim in each.claims}
            if (violation := self._violation()) is not None:
                reason = self._with_eliminations(violation)
                yield Step(next(numbers), "contradiction", (reason,), eliminations)
                return
            if not self._open_targets():
                if eliminations:
                    yield Step(next(numbers), "eliminate", (), eliminations)
                return
            reasons = self._singles(batch)
            if not reasons and singles:
                return
            reasons = reasons or [
                self._by_exchange_of_all() or self._by_rest(1) or self._smallest_reason()
            ]
            for reason in reasons:
                self.propagator.assert_literals(map(self._literal, reason.claims))
            reasons = list(map(self._with_eliminations, reasons))
            places = any(claim.holds for claim in reasons[0].claims)
            ordered = sorted(reasons, key=lambda each: len(each.rests_on))
            for part in [reasons] if batch else [[each] for each in ordered]:
                kind: StepKind = "place" if places else "eliminate"
                yield Step(next(numbers), kind, tuple(part), eliminations)
                eliminations = ()

    def take_singles(self) -> None:
        """Take all placements and eliminations by single rules, before or between steps."""
        while True:
            consequences = (literal for literal, _ in self.propagator.unit_consequences())
            new = [
                literal
                for literal in dict.fromkeys(consequences)
                if abs(literal) in self._candidate and literal not in self.propagator.known
            ]
            if not new:
                return
            self.propagator.assert_literals(new)

    def steps_to(self, claim: Claim) -> list[Step]:
        """The steps up to the one that concludes a claim."""
        taken = []
        for step in self.steps():
            taken.append(step)
            if any(claim in reason.claims for reason in (*step.reasons, *step.eliminations)):
                break
        return taken

    def _open_targets(self) -> list[Literal]:
        # If there is no solution, both a literal and its opposite may be targets: one is enough.
        known = self.propagator.known
        self.targets = [each for each in self.targets if each not in known and -each not in known]
        return self.targets

    def _eliminate(self) -> list[Reason]:
        eliminated: list[Reason] = []
        while True:
            new: dict[Literal, RuleMask] = {}
            for literal, constraint in self.propagator.unit_consequences():
                if not literal:
                    return eliminated
                if -literal in self._candidate:
                    rule = constraint.bit
                    new[literal] = self._preferred(rule, new.get(literal, rule))
            if not new:
                return eliminated
            eliminated += [self._reason([literal], rule) for literal, rule in new.items()]
            self.propagator.assert_literals(new)

    def _violation(self) -> Reason | None:
        for literal, constraint in self.propagator.unit_consequences():
            if not literal:
                rules = constraint.bit
                premises = self.propagator.conflict_literals(rules)
                break
        else:
            conflict = self.propagator.conflict()
            if conflict is None:
                return None
            rules, premises = conflict
        cited = tuple(CitedRule(instance, ()) for instance in self._instances(rules))
        return Reason((), cited, self._claims(sorted(premises, key=abs), in_order=False), None)

    def _singles(self, batch: bool) -> list[Reason]:
        """The numbers that single rules place, or only the easiest ones to see; otherwise, a
        conclusion of a single rule through auxiliary atoms, if any.
        """
        placed: dict[Literal, tuple[int, RuleMask]] = {}
        for literal, constraint in self.propagator.unit_consequences():
            if literal in self._candidate:
                rank, rule = self._namer.rank_of_single(constraint), constraint.bit
                best, other = placed.get(literal, (rank, rule))
                if rank == best:
                    placed[literal] = rank, self._preferred(rule, other)
                elif rank < best:
                    placed[literal] = rank, rule
        if placed or not self.propagator.has_auxiliary_atoms:
            least = min((rank for rank, _ in placed.values()), default=0)
            return [
                self._reason([literal], placed[literal][1])
                for literal in sorted(placed, key=self._candidate.__getitem__)
                if batch or placed[literal][0] == least
            ]
        for target in self.targets:
            rules = self.propagator.refute(-target, _FEWEST)
            if rules is not None:
                return [self._with_all_conclusions(target, rules)]
        return []

    def _with_eliminations(self, reason: Reason) -> Reason:
        needed = eliminations_behind(reason, self._eliminations)
        return reason._replace(eliminations=tuple(needed.values()))

    def _preferred(self, *rules: RuleMask) -> RuleMask:
        """Of rules of which each suffices, the one whose file comes first in the program."""
        return min(rules, key=lambda rule: self._rank[rule.bit_length() - 1] if rule else -1)

    def _by_exchange_of_all(self) -> Reason | None:
        """The number without which every open cell would have two candidates to exchange."""
        if not self._uniqueness:
            return None
        known = self.propagator.known
        true = [self._candidate[each] for each in known if each in self._candidate]
        gone = {self._candidate[-each] for each in known if -each in self._candidate}
        claimed = self._uniqueness.grave(true, gone)
        if claimed is None:
            return None
        claim, rule = claimed
        if self._literal(claim) not in self.targets:
            raise _internal_error(f"the reason found for {claim} is wrong")
        filled = {cell[:2] for cell in true}
        premises = [-self.constraints.candidates[each] for each in gone if each[:2] not in filled]
        return Reason(
            (claim,), (CitedRule(rule, ()),), self._claims(premises), None, (), Technique(GRAVE)
        )

    def _by_rest(self, most: int) -> Reason | None:
        """What clues leave of the total of houses, if at most so many of the cells are open."""
        found = self._rests.conclusion(self.propagator.known, most)
        if found is None:
            return None
        rest, instance, claims, differences, premises = found
        # Without the totals, clingo's proof of such a claim can be exponentially long, as of the
        # pigeonhole principle. It has computed the targets without them.
        open_ = set(self._open_targets())
        for each in claims:
            if each not in open_:
                raise _internal_error(f"the reason found for {self._claim(each)} is wrong")
        cited = (instance, *self._instances(differences))
        return Reason(
            self._claims(claims),
            tuple(CitedRule(each, ()) for each in cited),
            self._claims(premises),
            None,
            technique=Technique(rest.technique),
            behind=self.constraints.instances_of(instance.bit),
        )

    def _smallest_reason(self) -> Reason:
        answer = self._refuted(self.targets, _SMALL_BOUND)
        if answer is None and (reason := self._by_rest(_MOST_OPEN)) is not None:
            return reason
        if answer is None:
            targets = list(filter(self._is_refutable, self.targets))
            bounds = (*_BOUNDS, len(self.constraints.instances) + 1)
            answers = (self._refuted(targets, bound) for bound in bounds)
            answer = next(filter(None, answers), None)
        if answer is None:
            return self._reason_by_core()
        target, rules = answer
        for instance in reversed(self._instances(rules)):
            if instance.bit & rules:
                fewer = self.propagator.refute(-target, rules.bit_count(), rules & ~instance.bit)
                rules = rules if fewer is None else fewer
        return self._with_all_conclusions(target, rules)

    def _refuted(self, targets: list[Literal], bound: int) -> tuple[Literal, RuleMask] | None:
        """The target with the smallest reason below the bound, and its rules; None without one."""
        best, answer = bound, None
        for target in targets:
            # Whether the search has failed before, and nothing more follows from what it visited.
            failed, epoch, visited = self._failures.get(target, (0, 0, frozenset()))
            if failed >= best and not self.propagator.has_changed(epoch, visited):
                self._failures[target] = failed, self.propagator.epoch, visited
                continue
            self._check_time()
            rules = self.propagator.refute(-target, best)
            if rules is None:
                visited = self.propagator.visited
                self._failures[target] = best, self.propagator.epoch, visited
            else:
                best, answer = rules.bit_count(), (target, rules)
                if best <= _FEWEST:
                    break
        return answer

    def _is_refutable(self, target: Literal) -> bool:
        self._check_time()
        return self.propagator.is_refutable(-target)

    def _check_time(self) -> None:
        if self._deadline.passed:
            raise TimeLimitError("time limit reached before everything was explained")

    def _with_all_conclusions(self, target: Literal, rules: RuleMask) -> Reason:
        """The reason by these rules, with the other targets that they entail as well."""
        bound = rules.bit_count() + 1
        of_rules = (each for each in self.constraints.constraints if each.bit & rules)
        near = {abs(literal) for each in of_rules for literal in each.literals}
        found = {abs(target): target}
        for other in self.targets:
            if (
                abs(other) not in found
                and abs(other) in near
                and self.propagator.refute(-other, bound, rules) is not None
            ):
                found[abs(other)] = other
        targets = list(found.values())
        known = self._known_candidates() if self._verifies else []
        for each in targets if self._verifies else ():
            if self.constraints.unsat_core([-each, *known], rules) is None:
                raise _internal_error(f"the reason found for {self._claim(each)} is wrong")
        return self._reason(targets, rules)

    def _reason_by_core(self) -> Reason:
        """A reason that propagation cannot find: the smallest core for a few of the targets."""
        known = self._known_candidates()
        model, targets = self.constraints, self.targets[:_CORE_TARGETS]
        found = RuleCores(model, self.propagator.known).smallest(targets)
        if found is None:
            raise _internal_error(f"no reason was found for {self._claim(targets[0])}")
        target, rules = found
        try:
            core = model.unsat_core([-target, *known], rules, MOST_CONFLICTS)
        except UndecidedError:
            near = model.atoms_near(target, rules)
            return self._reason([target], rules, [each for each in known if abs(each) in near])
        if core is None:
            raise _internal_error(f"the reason found for {self._claim(target)} is wrong")
        used, rules = core
        return self._reason([target], rules, [each for each in used if each != -target])

    def _reason(
        self, targets: list[Literal], rules: RuleMask, used: Sequence[Literal] = ()
    ) -> Reason:
        """The reason for these literals, with the proof of the first or else the premises."""
        derivations = [derive(self.propagator, -target, rules) for target in targets]
        inferred = [derivation.all_inferences if derivation else [] for derivation in derivations]
        inferences = list(chain.from_iterable(inferred))
        if None in derivations:
            inferences.append(Inference(CONFLICT, rules, (), tuple(used), ()))
        premises = set(chain.from_iterable(each.premises for each in inferences))
        options = {each.rule: each.options for each in inferred[0] if each.options}
        cited = self._instances(union_of(each.rule for each in inferences))
        technique = None
        # Eliminations by a single rule, of which there are hundreds, need no name.
        if len(cited) > 1 or targets[0] > 0:
            technique = self._namer.technique(targets, derivations, self.propagator.known)
        return Reason(
            claims=self._claims(targets),
            rules=tuple(
                CitedRule(instance, self._claims(options.get(instance.bit, ()), in_order=False))
                for instance in cited
            ),
            premises=self._claims(premises),
            proof=derivations[0] and self._proof(-targets[0], derivations[0]),
            technique=technique,
        )

    def _proof(self, assumption: Literal, derivation: Derivation) -> Proof:
        cases = tuple(self._proof(literal, case) for literal, case in derivation.cases)
        steps = tuple(map(self._proof_step, derivation.inferences))
        return Proof(self._claim(assumption), steps, cases)

    def _proof_step(self, inference: Inference) -> ProofStep:
        literal, rule = inference.literal, inference.rule
        claim = self._claim(literal) if abs(literal) in self._candidate else None
        instance = self.constraints.instances[rule.bit_length() - 1] if rule else None
        return ProofStep(claim, instance)

    def _claims(self, literals: Iterable[Literal], in_order: bool = True) -> tuple[Claim, ...]:
        claims = [self._claim(each) for each in literals if abs(each) in self._candidate]
        return tuple(sorted(claims, key=lambda claim: claim[:3]) if in_order else claims)

    def _claim(self, literal: Literal) -> Claim:
        return Claim(*self._candidate[abs(literal)], literal > 0)

    def _literal(self, claim: Claim) -> Literal:
        literal = self.constraints.candidates[claim[:3]]
        return literal if claim.holds else -literal

    def _known_candidates(self) -> list[Literal]:
        return sorted(each for each in self.propagator.known if abs(each) in self._candidate)

    def _instances(self, rules: RuleMask) -> list[RuleInstance]:
        """The instances in a mask, those of the first files first."""
        ranked = []
        while rules:
            index = rules.bit_length() - 1
            each = self.constraints.instances[index]
            ranked.append((self._rank[index], each.guard.line, index))
            rules ^= each.bit
        return [self.constraints.instances[index] for _, _, index in sorted(ranked)]


class Explanation(NamedTuple):
    """An explanation of a puzzle's unique solution, or of the claims that hold in all solutions.

    unexplained: forced claims for which no step was found
    unguarded: statements that restrict grids but cannot be cited
    ended: "complete", or why the search for steps ended
    cells: the cells that each rule instance is about
    """

    program: Program
    steps: tuple[Step, ...]
    unique: bool
    unexplained: tuple[Claim, ...]
    unguarded: tuple[Unguarded, ...]
    ended: SearchEnd
    cells: Mapping[RuleInstance, tuple[Cell, ...]]

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle, which was probably misunderstood if its solution is not unique."""
        return self.program.puzzle.doubted("" if self.unique else "several")


class Explainer(StepFinder):
    """A puzzle and its explanation. Raises NoSolutionError, TimeLimitError.

    entries: the numbers that a player has entered; they are known from the start
    wrong_entries: the entries that contradict the puzzle, alone or together; they are not used
    entry_conflicts: the rules that wrong entries violate directly, with givens or other entries
    candidates: the true candidates of the puzzle with the other entries
    unique: whether it is stated that the solution is unique, so that more follows. Raises
        AspdokuError if it is not.
    """

    def __init__(
        self,
        program: Program,
        time_limit: float | None = None,
        entries: Iterable[Claim] = (),
        unique: bool = False,
    ) -> None:
        deadline = Deadline(time_limit)
        self._program = program
        uniqueness = Uniqueness(program, deadline.time_limit()) if unique else None
        stated = uniqueness.program if uniqueness else program
        model = ConstraintModel(stated, deadline.time_limit())
        literals = model.candidates
        givens = [(*cell, number) for cell, number in program.puzzle.givens().items()]
        entries = list(entries)
        self.wrong_entries = _wrong_entries(model, givens, entries)
        self.entry_conflicts: tuple[Conflict, ...] = ()
        if self.wrong_entries:
            numbers = [*(Claim(*given, True) for given in givens), *entries]
            wrong = set(self.wrong_entries)
            direct = direct_conflicts(model, numbers)
            self.entry_conflicts = tuple(each for each in direct if wrong & {*each.givens})
        known = [*givens, *(entry[:3] for entry in entries if entry not in self.wrong_entries)]
        grid = with_givens(program.puzzle.grid, [Function(GIVEN[0], each) for each in known])
        self.candidates = candidates(
            program.with_grid(grid), deadline.time_limit(), find_equal=False
        )
        if self.candidates.unsatisfiable:
            raise NoSolutionError(
                f"no solution to explain{program.puzzle.doubted('none').caveat}", _SEE_CONFLICT
            )
        if self.candidates.ended == "interrupted":
            raise KeyboardInterrupt
        if self.candidates.ended != "complete":
            raise TimeLimitError("time limit reached while computing the consequences to explain")
        forced = ((*cell, number) for cell, number in self.candidates.forced.items())
        rows = self.candidates.possible
        excluded = (each for each in literals if each[2] not in rows[each[0] - 1][each[1] - 1])
        targets = _targets(model, forced, excluded)
        known_literals = model.literals_of(known)
        limit = deadline.time_limit()
        super().__init__(model, known_literals, targets, limit, uniqueness=uniqueness)

    def explanation(self, steps: Iterable[Step], ended: SearchEnd = "complete") -> Explanation:
        """The explanation with these steps, which `steps` or `steps_to` has found."""
        steps = tuple(steps)
        cells = {**self.constraints.cells_of_rules, **self._rests.cells}
        for cited in (cited for step in steps for each in step.reasons for cited in each.rules):
            cells.setdefault(cited.instance, ())
        return Explanation(
            self._program,
            steps,
            self.unique,
            tuple(self.unexplained()),
            self.constraints.unguarded,
            ended,
            cells,
        )

    @property
    def unique(self) -> bool:
        """Whether the solution is unique, so that all cells can be explained."""
        return all(len(numbers) < 2 for row in self.candidates.possible for numbers in row)


def finder_of_solution(
    blank: Propagator, puzzle: Puzzle, solution: Solution, time_limit: float | None, singles: bool
) -> StepFinder | None:
    """Finds the steps to the only solution of a puzzle, as an `Explainer` does; clingo does not
    check them.

    blank: with the constraints of a puzzle that only differs in its givens, and nothing is known
    singles: whether the steps by single rules count; otherwise what follows by these from the
        givens is known, and the result is None if that is everything
    """
    model = blank.constraints
    numbers = {(*cell, number) for cell, number in solution.numbers().items()}
    targets = _targets(model, numbers, (each for each in model.candidates if each not in numbers))
    givens = ((*cell, number) for cell, number in puzzle.givens().items())
    known = set(model.literals_of(givens))
    if not singles:
        known = blank.singles(known)
        if known.issuperset(targets):
            return None
    return StepFinder(model, known, targets, time_limit, verify=False)


def _targets(
    model: ConstraintModel,
    forced: Iterable[Candidate],
    excluded: Iterable[Candidate],
) -> list[Literal]:
    """The literals to explain in reading order, numbers before eliminations, which say less."""
    opposites = (-literal for literal in model.literals_of(sorted(excluded)))
    return [*model.literals_of(sorted(forced)), *opposites]


def _wrong_entries(
    model: ConstraintModel, givens: list[Candidate], entries: list[Claim]
) -> list[Claim]:
    """The entries that are in no solution, alone or, of those left, together."""
    if not entries:
        return []
    start = list(model.literals_of(givens))
    literals = model.literals_of(entries)
    wrong = [entry for entry in entries if entry not in literals.values()]
    wrong += [
        entry
        for literal, entry in literals.items()
        if model.unsat_core([*start, literal], model.all_rules)
    ]
    right = [literal for literal, entry in literals.items() if entry not in wrong]
    while core := model.unsat_core([*start, *right], model.all_rules):
        together = [literal for literal in core[0] if literal in right]
        if not together:
            break
        wrong += [literals[literal] for literal in together]
        right = [literal for literal in right if literal not in together]
    return sorted(wrong)


def _internal_error(problem: str) -> AspdokuError:
    return AspdokuError(f"internal error: {problem}; please report it")


class Counterexamples(NamedTuple):
    """For a claim that is not entailed: a solution in which it holds, and one in which it fails."""

    holds: Solution
    fails: Solution


def counterexamples(
    program: Program, claim: Claim, time_limit: float | None = None
) -> Counterexamples | None:
    """Two solutions that disagree on a claim; None if it holds in all. Raises RefutedClaimError if
    it holds in none, NoSolutionError, TimeLimitError.
    """
    atom = Function(GIVEN[0], claim[:3])
    solver = Solver(program, time_limit)
    found = []
    for value in (claim.holds, not claim.holds):
        search = solver.search(1, [(atom, value)])
        found.append(next(iter(list(search)), None))
        if search.ended == "time":
            raise TimeLimitError(f"time limit reached before {claim} was decided")
    holds, fails = found
    if holds is None:
        if fails is None:
            problem = f"the puzzle has no solution{program.puzzle.doubted('none').caveat}"
            raise NoSolutionError(problem, _SEE_CONFLICT)
        other = claim._replace(holds=not claim.holds)
        raise RefutedClaimError(str(claim), str(other))
    return Counterexamples(holds, fails) if fails else None


def entries_beyond_givens(puzzle: Puzzle, grid: Puzzle) -> list[Claim]:
    """The numbers of a grid that are not givens of the puzzle. Raises AspdokuError if the sizes
    differ, or a number contradicts a given or is in an unused cell.
    """
    if grid.size != puzzle.size:
        sizes = f"{grid.size}x{grid.size}, but the puzzle is {puzzle.size}x{puzzle.size}"
        raise AspdokuError(f"the grid of entries is {sizes}")
    givens = puzzle.givens()
    for cell, number in grid.givens().items():
        name = "r{}c{}".format(*cell)
        if (given := givens.get(cell, number)) != number:
            raise AspdokuError(f"entry {name}={number} contradicts the given {name}={given}")
        if cell in puzzle.unused:
            raise AspdokuError(f"{name} is not used, but the number {number} is entered in it")
    return [
        Claim(*cell, number, True) for cell, number in grid.givens().items() if cell not in givens
    ]


def direct_conflicts(model: ConstraintModel, numbers: Iterable[Claim]) -> tuple[Conflict, ...]:
    """The numbers that violate a rule directly, with all rules that they violate."""
    claims = model.literals_of(numbers)
    propagator = Propagator(model)
    propagator.assert_literals(claims)
    violated: dict[tuple[Claim, ...], RuleMask] = {}
    for literal, constraint in propagator.unit_consequences():
        if not literal and constraint.bit:
            literals = propagator.conflict_literals(constraint.bit)
            givens = tuple(sorted(claims[each] for each in literals if each in claims))
            for each in combinations(givens, 2) if isinstance(constraint, AtMostOne) else [givens]:
                violated[each] = violated.get(each, constraint.bit) | constraint.bit
    return tuple(
        Conflict(givens, rules=model.instances_of(violated[givens]))
        for givens in sorted(violated)
        if givens
    )
