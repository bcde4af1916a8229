"""Inputs invented for the comparison of two rules: such as a section of a puzzle file produces.

The letters in the comment after `#defined`, as in `gt(R,C,R1,C1): …`, determine the values of the
arguments; without a comment, these are the numbers of the grid.

Inputs about single cells, pairs of cells, rows, columns and edges are chosen freely, so that one
query covers all of them. There are too many cages and lines for that, also if those with gaps or
with a cell twice are excluded: the search would not end. A few of them are drawn at random instead,
the same ones each time, and a query chooses among these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from random import Random
from typing import NamedTuple

from aspdoku.program import Input, RuleFile
from aspdoku.puzzle import Function
from aspdoku.puzzle.inputs import LETTERS
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzle.term import Term, to_asp

GROUPS_DRAWN = 12
# Two cages or lines at once tell the effect of one from that of several; to prove rules about sums
# equivalent takes ten times as long with two, so one has to do on large grids.
_LARGEST_WITH_TWO = 6
_LONGEST = 5
_SUMS_DRAWN = 3


class Family(NamedTuple):
    """An input that states the cells of groups, such as cages, and others about these groups."""

    cells: Input
    others: tuple[Input, ...]


class InventedInputs(NamedTuple):
    """Inputs for any instance of two rules: groups of cells, some at random, and other inputs."""

    families: tuple[Family, ...]
    free: tuple[Input, ...]

    @classmethod
    def of(cls, inputs: Iterable[Input]) -> InventedInputs:
        """The inputs, with those about the same groups of cells together."""
        inputs = list(inputs)
        named = [item for item in inputs if item.identity and item.cells]
        others: dict[Input, list[Input]] = {item: [] for item in named}
        free = []
        for item in inputs:
            if item in others:
                continue
            owners = [owner for owner in named if item.name.startswith(f"{owner.name}_")]
            if item.identity and named:
                longest = max(owners, key=lambda owner: len(owner.name), default=named[0])
                others[longest].append(item)
            else:
                free.append(item)
        return cls(tuple(Family(item, tuple(about)) for item, about in others.items()), tuple(free))

    def rules(self, size: int) -> RuleFile:
        """A rule file with choice rules, so that one query covers all these inputs."""
        lines = [line for item in self.free for line in _free_choice(item)]
        for family in self.families:
            lines += _choice_of_groups(family, size)
        return RuleFile("guess", "any instance", "\n".join([*lines, ""]), vetted=True)

    def chosen(self, shown: Iterable[Term]) -> list[Function]:
        """The facts among the shown atoms of an answer set."""
        inputs = [*self.free, *(each for own, others in self.families for each in (own, *others))]
        signatures = {item.signature for item in inputs}
        facts = (term for term in shown if isinstance(term, Function))
        return [fact for fact in facts if fact.signature in signatures]

    def parts(self, chosen: Sequence[Function]) -> Iterator[set[Function]]:
        """Subsets without which the rest of the chosen facts is well-formed, large ones first."""
        signatures = {item.signature: item for item in self.free}
        for family in self.families:
            about = {item.signature: item for item in (family.cells, *family.others)}
            facts = [fact for fact in chosen if fact.signature in about]
            yield set(facts)
            for group in sorted({_group(about[fact.signature], fact) for fact in facts}):
                yield {fact for fact in facts if _group(about[fact.signature], fact) == group}
            signatures |= {item.signature: item for item in family.others}
        for kind in signatures:
            yield {fact for fact in chosen if fact.signature == kind}
        yield from ({fact} for fact in chosen if fact.signature in signatures)


def any_inputs(inputs: Iterable[Input]) -> RuleFile:
    """A rule file that chooses any facts of these inputs, also invalid ones."""
    lines = []
    for item in inputs:
        ranges = {
            each: values if each[0] in "RCEJ" and item.arguments else f"{each} = 0..2*n"
            for each, values in _ranges(item).items()
        }
        lines.append(f"{{ {_atom(item)} : {', '.join(ranges.values()) or '#true'} }}.")
    return RuleFile("any", "any instance", "\n".join([*lines, ""]), vetted=True)


def _group(item: Input, fact: Function) -> int:
    return int(str(fact.arguments[item.identity[0]]))


def _ranges(item: Input) -> dict[str, str]:
    """The variables for the arguments, each with the condition for its values."""
    variables = item.arguments or tuple(f"X{index}" for index in range(1, item.arity + 1))
    return {each: LETTERS.get(each[0], LETTERS["N"]).values.format(each) for each in variables}


def _atom(item: Input) -> str:
    return f"{item.name}({','.join(_ranges(item))})" if item.arity else item.name


def _free_choice(item: Input) -> list[str]:
    ranges = _ranges(item)
    shown = f"#show {item}."
    if item.clue_order:  # a row, a column and a place at the edge have one value each
        value = item.arguments[item.clue_order.index(item.arity - 1)]
        of = ", ".join(text for each, text in ranges.items() if each != value)
        return [f"{{ {_atom(item)} : {ranges[value]} }} 1 :- {of}.", shown]
    conditions = list(ranges.values())
    if len(item.cells) == 2:
        conditions.append("(R,C) != (R1,C1)")
    where = f" : {', '.join(conditions)}" if conditions else ""
    return [f"{{ {_atom(item)}{where} }}.", shown]


def _choice_of_groups(family: Family, size: int) -> Iterator[str]:
    """The first fact of a group is chosen, and the others follow."""
    # The same groups each time; the input's name has no influence.
    random = Random(size)
    firsts = []
    for group, cells in enumerate(_drawn_groups(random, size, family.cells), 1):
        first, *rest = _facts(family.cells, group, cells)
        firsts.append(first)
        yield from (f"{fact} :- {first}." for fact in rest)
        for item in family.others:
            values = _ranges(item)
            sums = {sum(random.randint(1, size) for _ in cells) for _ in range(_SUMS_DRAWN)}
            listed = ";".join(map(str, sorted({*sums, sum(range(1, len(cells) + 1))})))
            values |= {each: f"{each} = ({listed})" for each in values if each[0] == "S"}
            values["I"] = f"I = {group}"
            one = " 1" if len(values) <= 2 else ""
            yield f"{{ {_atom(item)} : {', '.join(values.values())} }}{one} :- {first}."
    most = 2 if size <= _LARGEST_WITH_TWO else 1
    yield f"{{ {'; '.join(firsts)} }} {most}."
    yield from (f"#show {item}." for item in (family.cells, *family.others))


def _drawn_groups(random: Random, size: int, item: Input) -> Iterator[list[Cell]]:
    """Distinct cells, each next to the one before, also diagonally: of all lengths, by turns."""
    pairs = len(item.cells) == 2
    shortest = 2 if pairs or item.position is not None else 1
    lengths = range(shortest, min(size, _LONGEST) + 1)
    for number in range(GROUPS_DRAWN):
        length = lengths[number % len(lengths)]
        group: list[Cell] = []
        while len(group) < length:
            group = _walk(random, size, length)
        yield group[: length // 2 * 2] if pairs else group


def _walk(random: Random, size: int, length: int) -> list[Cell]:
    """At most this number of cells: fewer if there is no way on."""
    walk = [(random.randint(1, size), random.randint(1, size))]
    while len(walk) < length:
        row, column = walk[-1]
        near = product(range(row - 1, row + 2), range(column - 1, column + 2))
        open_ = [cell for cell in near if {*cell} <= {*range(1, size + 1)} and cell not in walk]
        if not open_:
            break
        walk.append(random.choice(open_))
    return walk


def _facts(item: Input, name: int, cells: list[Cell]) -> Iterator[str]:
    """The facts that state the cells of a group."""
    step = len(item.cells)
    for position in range(0, len(cells), step):
        values: dict[str, int] = {"I": name, "K": position + 1, "G": (name + 1) // 2}
        (row, column), (row1, column1) = cells[position], cells[position + step - 1]
        values |= {"R": row, "C": column, "R1": row1, "C1": column1}
        arguments = (values.get(letter, 1) for letter in item.arguments)
        yield f"{item.name}({','.join(map(to_asp, arguments))})"
