"""The clues of a puzzle: its facts by the rules that declare them, with names to find them by, and
the facts among them that have no effect.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from aspdoku.engine.grounding import RuleCollector
from aspdoku.engine.solver import Solver
from aspdoku.errors import AspdokuError
from aspdoku.program import Program, RuleFile, assemble
from aspdoku.program.clue_effects import EXCEPTION, exception_for_clues
from aspdoku.program.compose import place_of_clue
from aspdoku.program.diagnostics import OnLine
from aspdoku.program.layout import derives_layout
from aspdoku.program.rulefile import EXCEPTIONS
from aspdoku.puzzle import Function
from aspdoku.puzzle.inputs import CELL_LETTERS, Input
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzle.term import Signature, Term, to_asp

# Far more than most puzzles take; counts over clues that may be absent can take for ever.
_SECONDS = 1.0


class Clue(NamedTuple):
    """A cage, line, sign or other input of a rule.

    rule: the name of the rule
    name: the name of the cage, line or chain, or else its facts
    label: the name of the cage, line or chain; empty if it has none
    inputs: for each of the facts, the name of the rule that declares it, and the declaration
    """

    rule: str
    name: str
    facts: tuple[Function, ...]
    label: str
    inputs: tuple[tuple[str, Input], ...]

    def __hash__(self) -> int:
        """The hash of its names, which takes less time than that of all facts."""
        return hash((self.rule, self.name))

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells in its facts."""
        return tuple(
            cell
            for fact, (_, item) in zip(self.facts, self.inputs, strict=True)
            for cell in item.cells_of(fact)
        )

    @property
    def words(self) -> str:
        """Its kind, its name and its place, such as "cage A from r1c1" or "peak in r6c6"."""
        own = [
            (fact, item)
            for fact, (rule, item) in zip(self.facts, self.inputs, strict=True)
            if rule == self.rule
        ]
        return words_of(self.label, own)


def clues(program: Program) -> list[Clue]:
    """The clues of a puzzle. Facts about the same cage, line or chain are one clue, and so are
    values that the same input gives a cell, such as its pencil marks. What clues share, such as the
    automaton of two lines, is not a clue, and neither is a fact from which rules derive the layout
    of the grid.
    """
    files = names_of_files(program)
    inputs = {
        item.signature: (files[part.rule], item)
        for part in reversed(program.parts)
        if not derives_layout(part.rule)
        for item in part.rule.inputs
    }
    together: dict[object, list[Function]] = defaultdict(list)
    for fact in program.puzzle.facts:
        if fact.signature in inputs:
            together[_place(fact, inputs[fact.signature][1])].append(fact)
    found: dict[_Key, list[Function]] = defaultdict(list)
    for fact in program.puzzle.facts:
        if fact.signature in inputs:
            rule, item = inputs[fact.signature]
            names = [fact.arguments[place] for place in item.identity]
            if item.of_kind("shared") and not names:
                continue
            found[rule, tuple(names or together[_place(fact, item)])].append(fact)
    references = {
        signature: places
        for part in program.parts
        for signature, places in part.rule.references.items()
    }
    if references:
        found = _with_references(found, references)
    plain = {key: " ".join(map(str, key[1])) for key in found}
    shared = Counter((rule, plain[rule, names]) for rule, names in found)
    result = []
    for key, facts in found.items():
        (rule, named), label = key, plain[key]
        name = label if shared[rule, label] == 1 else " ".join(map(to_asp, named))
        declared = tuple(inputs[fact.signature] for fact in facts)
        label = "" if named[0] in facts else label
        result.append(Clue(rule, name, tuple(facts), label, declared))
    return result


def exceptions(program: Program, found: Iterable[Clue]) -> dict[Clue, Function]:
    """The fact `ab(RULE,CLUE)` that has the same effect as to remove the clue, if there is one."""
    files = names_of_files(program)
    facts = program.puzzle.facts
    stated = frozenset(fact.signature for fact in facts)
    # Exceptions that the puzzle states, and names that constants replace.
    taken = {str(fact.arguments[0]) for fact in facts if fact.signature == EXCEPTION}
    taken |= {str(each) for item in program.constants.items() for each in item}
    removing: dict[Clue, Function] = {}
    of_rule: dict[str, list[Clue]] = defaultdict(list)
    for clue in found:
        of_rule[clue.rule].append(clue)
    for rule, name in files.items():
        inputs = {
            item.signature: item.identity[0] for item in rule.inputs if len(item.identity) == 1
        }
        own = of_rule[name]
        if not own or any(fact.signature not in inputs for clue in own for fact in clue.facts):
            continue
        others = frozenset(files.keys() - {rule})
        symbol = exception_for_clues(rule, others, frozenset(inputs.items()), stated)
        if symbol and symbol not in taken:
            for clue in own:
                fact = clue.facts[0]
                value = fact.arguments[inputs[fact.signature]]
                removing[clue] = Function(EXCEPTION[0], (Function(symbol), value))
    return removing


_Key = tuple[str, tuple[Term, ...]]


def _place(fact: Function, item: Input) -> object:
    """What the facts of a clue without a name have in common: their cell, or else all."""
    if len(item.cells) != 1:
        return fact
    ((row, column),) = item.cells
    return fact.signature, fact.arguments[row], fact.arguments[column]


def _with_references(
    found: Mapping[_Key, list[Function]],
    references: Mapping[Signature, tuple[int, int]],
) -> dict[_Key, list[Function]]:
    """Merge clues that refer to each other: each would have another meaning without the others."""
    merged = {key: key for key in found}

    def last(key: _Key) -> _Key:
        while merged[key] != key:
            key = merged[key]
        return key

    for key, facts in found.items():
        for fact in facts:
            if fact.signature not in references:
                continue
            rule, clue = (fact.arguments[place] for place in references[fact.signature])
            for other in found:
                named = (clue,) == other[1] or clue in map(_tuple_of, other[1])
                if other[0] == str(rule).replace("_", "-") and named:
                    merged[last(other)] = last(key)
    joined: dict[_Key, list[Function]] = {key: [] for key in found if last(key) == key}
    for key, facts in found.items():
        joined[last(key)] += facts
    return joined


def _tuple_of(fact: Term) -> Term:
    return Function("", fact.arguments) if isinstance(fact, Function) else fact


def words_of(name: str, facts: list[tuple[Function, Input]]) -> str:
    """A name for a clue and its first cell; for a clue without a name, its cells and values."""

    def position(fact: Function, item: Input) -> int:
        term = fact.arguments[item.position] if item.position is not None else 0
        return term if isinstance(term, int) else 0

    kind = min((fact.name for fact, _ in facts), key=len).replace("_", " ")
    cells = [(position(fact, item), cell) for fact, item in facts for cell in item.cells_of(fact)]
    if name:
        _, (row, column) = min(cells, default=(0, (0, 0)))
        return f"{kind} {name}" + (f" from r{row}c{column}" if cells else "")
    if not cells:
        return " ".join(to_asp(fact) for fact, _ in facts)
    values = [
        ", ".join(str(value) for key, value in item.of(fact).items() if key not in CELL_LETTERS)
        for fact, item in facts
    ]
    where = " ".join(dict.fromkeys(f"r{row}c{column}" for _, (row, column) in cells))
    return f"{kind} in {where}" + (f" ({'; '.join(values)})" if values[0] else "")


def names_of_files(program: Program) -> dict[RuleFile, str]:
    """The name of each rule file, or its path if a rule of another file has the same name."""
    base, *files = program.rules
    counts = Counter([base.name, *retractable(base), *(rule.name for rule in files)])
    return {rule: rule.name if counts[rule.name] == 1 else rule.place for rule in (base, *files)}


def retractable(*rules: RuleFile) -> set[str]:
    """The names by which rules of these files can be retracted, as in `--without`."""
    return {name.replace("_", "-") for rule in rules for name in rule.retractable}


def effect_warnings(program: Program) -> Iterator[str]:
    """A warning for each clue without effect, unless `Program.warnings` has it; none after 1 s."""
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
    """The facts of clues that have no effect, not even if no rule is retracted. The clues are
    grounded as `#external` atoms, which clingo does not simplify away: a fact has no effect if it
    occurs in no ground constraint or choice, and in nothing that these depend on. Raises RuleError,
    TimeLimitError.
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
    freed = assemble(puzzle, files, (), program.constants, sizes=program.sizes, fast=False)
    control = Solver(freed, seconds, observer=collector).ground()
    kept = {(EXCEPTIONS, 2)}.union(*(rule.shown for rule in rules))
    literals = {str(atom.symbol): atom.literal for atom in control.symbolic_atoms}
    used = {
        atom.literal
        for signature in kept
        for atom in control.symbolic_atoms.by_signature(*signature)
    }
    bodies: dict[int, list[int]] = defaultdict(list)
    for choice, head, body in collector.rules:
        atoms = list(map(abs, body.literals))
        if choice or len(head) != 1:
            used.update(atoms, head)
        else:
            bodies[head[0]] += atoms
    waiting = list(used)
    while waiting:
        new = set(bodies[waiting.pop()]) - used
        used |= new
        waiting += new
    return {fact for fact in stated if literals.get(str(fact)) not in used}
