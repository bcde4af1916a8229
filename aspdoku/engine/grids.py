"""Solutions or candidates of many grids with one grounding: the givens are assumptions.

A program is grounded over a blank grid and solved for one grid after another. What the solver
learns from one of them holds for all; how much of it is kept is set by options that were chosen by
measurement (`ENUMERATION_OPTIONS`, bench/questions.py).

For many grids, at-most-one constraints become binary clauses. In the base program, a cell holds
exactly one number, and a number occurs once in each row. gringo makes cardinality constraints of
that; clasp attaches each of them, and variables for its parts, anew in every search, which takes
longer than to solve an easy puzzle. Binary clauses are edges of a graph that is kept between the
searches, which makes these faster (bench/batch.py).

Only integrity constraints are rewritten. In every answer set, an auxiliary atom of gringo that is
the head of a single rule is equivalent to the body of this rule (Clark's completion), and may be
replaced by it: `:- not h` with `h :- b, c` by `:- not b` and `:- not c`, and `:- h` with
`h :- 2 { b; c; d }` by `:- b, c`, `:- b, d` and `:- c, d`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

from clingo import Control, Model

from aspdoku.engine.grounding import Body, ProgramCollector, ReportedRule
from aspdoku.engine.solver import ENUMERATION_OPTIONS, Solver, has_unique_extensions
from aspdoku.errors import RuleError
from aspdoku.program import Program, library

# Larger ground programs are not rewritten for many grids: that takes seconds in Python.
_MOST_RULES = 100_000
# A constraint that takes more binary clauses is kept. These are the pairs of 16 cells.
_MOST_CLAUSES = 120

GridStatus = Literal["unique", "several", "none", "timed out"]


class GridResult(NamedTuple):
    """How many solutions a grid has.

    status: "timed out" before a solution was found, or before a second one was found or ruled out
    numbers: the first solution in reading order; empty if none was found
    """

    status: GridStatus
    numbers: bytes


# Decimal digits that fit into one priority level of the cost, which clingo holds in 32 bits with
# sign: 999,999,999 is below 2**31.
_DIGITS = 9
# Names that answer.lp defines, and that rules must not use.
_RESERVED = ("answer_weight__", "answer_width__", "answer_base__")
_VALUES_OF_DIGITS = bytes.maketrans(b"0123456789", bytes(range(10)))


class GridControl:
    """A clingo Control for a grid, with cells addressed by index, in reading order from 0. The
    numbers of an answer set are read from its cost, to which answer.lp adds them as decimal

    digits: one call, instead of one per atom.
    options: command-line options of clingo for the search
    time_limit: seconds for grounding and all that follows
    for_many: allows `prepare_for_many`
    extra_program: constraints for these searches only
    Raises RuleError if the program cannot be grounded, TimeLimitError if the time is up.
    """

    def __init__(
        self,
        program: Program,
        options: Sequence[str] = (),
        time_limit: float | None = None,
        for_many: bool = False,
        extra_program: str = "",
    ) -> None:
        self.size = program.puzzle.size
        self.possible_numbers = program.puzzle.numbers
        self._digits = len(str(self.possible_numbers[-1]))
        width = _DIGITS // self._digits
        constants = ("-c", f"answer_base__={10**self._digits}", "-c", f"answer_width__={width}")
        self._ground = ProgramCollector() if for_many else None
        self._solver = Solver(
            program,
            time_limit,
            self._ground,
            project=not has_unique_extensions(program),
            options=("--opt-mode=enum", *constants, *options),
            extra_program=f"{library.bundled('answer.lp').text}\n{extra_program}",
        )
        for part in program.parts:
            if any(part.rule.mentions(name) for name in _RESERVED):
                raise RuleError(
                    f"{part.rule.place}: reserved name: names that end in two underscores, like"
                    f" {_RESERVED[0]}, are for internal use"
                )
        self.control = self._solver.ground()
        self.wait = self._solver.wait
        self.messages = list(self._solver.messages)
        placements = self._solver.placements()
        groups = [min(width, self.size - start) for start in range(0, self.size, width)]
        self._format = "".join(f"%0{cells * self._digits}d" for cells in groups) * self.size
        self._width = self.possible_numbers[-1] + 1
        self._literals = [0] * (self.size**2 * self._width)
        for (row, column, number), literal in placements.items():
            self._literals[((row - 1) * self.size + column - 1) * self._width + number] = literal

    def prepare_for_many(self) -> None:
        """Use binary clauses, which take less time in total after hundreds of searches."""
        ground, self._ground = self._ground, None
        if ground is None or not ground.complete or len(ground.rules) > _MOST_RULES:
            return
        named = {atom.literal for atom in self.control.symbolic_atoms}
        self.control = self._solver.new_control()
        atoms = load(self.control, ground, named, {*self._literals} - {0})
        self._literals = [literal and atoms[literal] for literal in self._literals]

    def literal(self, index: int, number: int) -> int:
        """The solver's literal for a number in a cell; 0 if the rules never allow it there."""
        return self._literals[index * self._width + number]

    def assumptions(self, numbers: bytes) -> list[int] | None:
        """The literals of the numbers of a grid, 0 for an empty cell; None for a wrong number."""
        width, literals = self._width, self._literals
        assumed = [
            literals[index * width + number] for index, number in enumerate(numbers) if number
        ]
        return None if 0 in assumed else assumed

    def numbers(self, model: Model) -> bytes:
        """The numbers of an answer set, in reading order; 0 in unused cells."""
        text = self._format % tuple(model.cost)
        if self._digits == 1:
            return text.encode().translate(_VALUES_OF_DIGITS)
        places = range(0, len(text), self._digits)
        return bytes(int(text[start : start + self._digits]) for start in places)

    def search(
        self, on_model: Callable[[Model], None], assumptions: Sequence[int] = (), models: int = 0
    ) -> bool:
        """Call `on_model` for up to `models` answer sets, 0 for all; whether these are all."""
        self.control.configuration.solve.models = models  # type: ignore[union-attr]
        with self.control.solve(assumptions, on_model=on_model, async_=True) as handle:
            self.wait(handle)
            return bool(handle.get().exhausted)

    def brave_candidates(self, possible: list[set[int]]) -> None:
        """Add the brave consequences to the candidates, or those found before TimeLimitError."""
        self.control.configuration.solve.models = 0  # type: ignore[union-attr]
        self.control.configuration.solve.enum_mode = "brave"  # type: ignore[union-attr]
        try:
            with self.control.solve(async_=True) as handle:
                try:
                    self.wait(handle)
                finally:
                    handle.cancel()
                    if model := handle.last():
                        for index, numbers in enumerate(possible):
                            numbers.update(self._true_numbers(model, index))
        finally:
            self.control.configuration.solve.enum_mode = "auto"  # type: ignore[union-attr]

    def _true_numbers(self, model: Model, index: int) -> Iterator[int]:
        for number in self.possible_numbers:
            if (literal := self.literal(index, number)) and model.is_true(literal):
                yield number


class GroundedGrid(GridControl):
    """A program over a blank grid, grounded once, that solves any grid of its size. `unused` has
    the indices of cells that are not part of the puzzle, `solved` counts the grids.
    """

    def __init__(
        self, program: Program, time_limit: float | None = None, for_many: bool = False
    ) -> None:
        super().__init__(program, (*ENUMERATION_OPTIONS, "--models=2"), time_limit, for_many)
        cells = program.puzzle.unused
        self.unused = frozenset((row - 1) * self.size + column - 1 for row, column in cells)
        self.solved = 0

    def solve(self, numbers: bytes, time_limit: float | None = None) -> GridResult:
        """Solve a grid in reading order, 0 for an empty cell, up to a second solution."""
        self.solved += 1
        assumptions = self.assumptions(numbers)
        if assumptions is None:
            return GridResult("none", b"")
        rows: list[bytes] = []

        def on_model(model: Model) -> None:
            rows.append(b"" if rows else self.numbers(model))

        complete = True
        if time_limit is None:
            self.control.solve(assumptions, on_model=on_model)
        else:
            with self.control.solve(assumptions, on_model=on_model, async_=True) as handle:
                complete = handle.wait(time_limit)
        if len(rows) > 1:
            return GridResult("several", rows[0])
        if not complete:
            return GridResult("timed out", rows[0] if rows else b"")
        return GridResult("unique", rows[0]) if rows else GridResult("none", b"")


# --- binary clauses

Conjunction = tuple[int, ...]


def load(
    control: Control, program: ProgramCollector, named: set[int], needed: set[int]
) -> dict[int, int]:
    """Load a program with binary clauses into a new control; its atoms by those of the program.
    `named` are the atoms that have a name, `needed` those that the caller uses.
    """
    weighed = {literal for _, weights in program.minimized for literal, _ in weights}
    used = weighed.union(program.projected, needed)
    rules, constraints = _rewritten(program.rules, named, used)
    used.update(*constraints)
    for _, head, body in rules:
        used.update(head, body.literals)
    with control.backend() as backend:
        atoms = {atom: backend.add_atom() for atom in sorted(set(map(abs, used)))}
        new = atoms | {-atom: -number for atom, number in atoms.items()}
        for constraint in constraints:
            backend.add_rule([], [new[each] for each in constraint])
        for choice, head, body in rules:
            heads, literals = [new[each] for each in head], [new[each] for each in body.literals]
            if body.weights is None:
                backend.add_rule(heads, literals, choice)
            else:
                weighted = list(zip(literals, body.weights, strict=True))
                backend.add_weight_rule(heads, body.bound, weighted, choice)
        for priority, weights in program.minimized:
            backend.add_minimize(priority, [(new[each], weight) for each, weight in weights])
        backend.add_project([new[each] for each in program.projected])
    return atoms


def _rewritten(
    rules: list[ReportedRule], named: set[int], used: set[int]
) -> tuple[list[ReportedRule], list[Conjunction]]:
    """The rewritten constraints, and definitions of `named` atoms or `used` literals."""
    expander = _Expander(rules, named)
    own = named - expander.facts
    kept: list[ReportedRule] = []
    constraints: list[Conjunction] = []
    definitions: dict[int, list[ReportedRule]] = {}
    for rule in rules:
        choice, head, body = rule
        if not head and not choice and body.weights is None:
            constraints += expander.expanded(body.literals)
        elif choice or len(head) != 1 or head[0] in own:
            kept.append(expander.without_facts(rule))
        else:
            definitions.setdefault(head[0], []).append(rule)
    for literal in used.union(*constraints):
        kept += map(expander.without_facts, definitions.pop(abs(literal), ()))
    for _, _, body in kept:  # grows in this loop
        for literal in body.literals:
            kept += map(expander.without_facts, definitions.pop(abs(literal), ()))
    return kept, constraints


class _Expander:
    """Replaces auxiliary atoms in the bodies of integrity constraints by their definitions."""

    def __init__(self, rules: list[ReportedRule], named: set[int]) -> None:
        heads = Counter(atom for _, head, _ in rules for atom in head)
        single = {
            head[0]: body
            for choice, head, body in rules
            if not choice and len(head) == 1 and heads[head[0]] == 1
        }
        self.facts = {atom for atom, body in single.items() if body == Body(())}
        own = named | self.facts
        self._definitions: dict[int, Body] = {
            atom: body for atom, body in single.items() if atom not in own
        }

    def without_facts(self, rule: ReportedRule) -> ReportedRule:
        choice, head, body = rule
        if body.weights is not None:
            return rule
        return choice, head, Body(tuple(each for each in body.literals if each not in self.facts))

    def expanded(self, body: Conjunction) -> list[Conjunction]:
        """The bodies of constraints that are equivalent to the one with this body, together."""
        facts, definitions = self.facts, self._definitions
        if not facts.isdisjoint(-literal for literal in body):
            return []
        body = tuple(literal for literal in body if literal not in facts)
        done: list[Conjunction] = []
        open_ = [body]
        while open_:
            current = open_.pop()
            for place, literal in enumerate(current):
                meaning = definitions.get(abs(literal))
                if meaning and (alternatives := _alternatives(literal, meaning)):
                    rest = current[:place] + current[place + 1 :]
                    bodies = [rest + each for each in alternatives]
                    atoms = {*map(abs, rest), *map(abs, meaning.literals)}
                    (open_ if atoms & definitions.keys() else done).extend(bodies)
                    break
            else:
                done.append(current)
            if len(done) + len(open_) > _MOST_CLAUSES + 1:
                return [body]
        return done


def _alternatives(literal: int, body: Body) -> list[Conjunction]:
    """Conjunctions of which one holds if and only if the literal does; none if there are too many.
    The body is that of the only rule whose head contains the atom.
    """
    literals = body.literals
    if body.weights is None:
        return [literals] if literal > 0 else [(-each,) for each in literals]
    if any(weight != 1 for weight in body.weights):
        return []
    if literal < 0:
        return [tuple(-each for each in literals)] if body.bound == 1 else []
    return list(combinations(literals, body.bound)) if body.bound in (1, 2) else []
