"""The clues of a puzzle: its facts by the rules that declare them, with names to find them by."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from aspdoku.program import Program, RuleFile
from aspdoku.program.clue_effects import EXCEPTION, exception_for_clues
from aspdoku.program.layout import derives_layout
from aspdoku.puzzle import Function
from aspdoku.puzzle.inputs import CELL_LETTERS, Input
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzle.term import Signature, Term, to_asp


class Clue(NamedTuple):
    """A cage, line, sign or other input of a rule.

    rule: the name of the rule
    name: the name of the cage, line or chain, or else its facts
    facts: the facts about it
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
    values that the same input gives a cell, such as its pencil marks.

    What clues share, such as the automaton of two lines, is not a clue, and neither is a fact from
    which rules derive the layout of the grid.
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
    return [
        Clue(
            rule,
            plain[rule, names]
            if shared[rule, plain[rule, names]] == 1
            else " ".join(map(to_asp, names)),
            tuple(facts),
            "" if names[0] in facts else plain[rule, names],
            tuple(inputs[fact.signature] for fact in facts),
        )
        for (rule, names), facts in found.items()
    ]


def exceptions(program: Program, found: Iterable[Clue]) -> dict[Clue, Function]:
    """The fact `ab(RULE,CLUE)` that has the same effect as to remove the clue, where there is one.

    found: the clues of the program
    """
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
    """The arguments of a fact, which name a clue without a name in exceptions."""
    return Function("", fact.arguments) if isinstance(fact, Function) else fact


def words_of(name: str, facts: list[tuple[Function, Input]]) -> str:
    """A name for a clue and its first cell; for a clue without a name, its cells and values.

    facts: its facts, each with its input
    """
    kind = min((fact.name for fact, _ in facts), key=len).replace("_", " ")
    cells = [(_position(fact, item), cell) for fact, item in facts for cell in item.cells_of(fact)]
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


def _position(fact: Function, item: Input) -> int:
    """The position of the cell on its line; 0 if it has none."""
    term = fact.arguments[item.position] if item.position is not None else 0
    return term if isinstance(term, int) else 0


def names_of_files(program: Program) -> dict[RuleFile, str]:
    """The name of each rule file, or its path if a rule of another file has the same name."""
    base, *files = program.rules
    counts = Counter([base.name, *retractable(base), *(rule.name for rule in files)])
    return {rule: rule.name if counts[rule.name] == 1 else rule.place for rule in (base, *files)}


def retractable(*rules: RuleFile) -> set[str]:
    """The names by which rules of these files can be retracted, as in `--without`."""
    return {name.replace("_", "-") for rule in rules for name in rule.retractable}
