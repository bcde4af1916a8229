"""Whole programs in a vocabulary of their own: which predicate plays the part of a/3 in them, and
which of their rules are an elaboration of ours.

The first is decided by clingo, in a child: a predicate plays that part if its atoms in each of the
answer sets that are looked at are a square grid with one number in each cell. For the second, each
rule is written with a/3, and clingo searches for a grid of ours that violates it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.engine import Solver
from aspdoku.engine.solver import from_symbol
from aspdoku.errors import AspdokuError, RuleError, TimeLimitError
from aspdoku.lecture.equivalence import find_program_violations
from aspdoku.program import RuleFile, assemble, library, lint, syntax
from aspdoku.program.layout import grounded
from aspdoku.program.messages import Message
from aspdoku.program.rulefile import SIZES
from aspdoku.program.syntax import Signature
from aspdoku.program.transform import relaxed, unused_tag
from aspdoku.program.vetting import unsafe_variables
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.term import Term
from aspdoku.puzzlefile.lines import enumerated
from aspdoku.runtime.child import DEFAULT_LIMITS, Aborted, Limits, run_limited

if TYPE_CHECKING:
    from clingo.ast import AST

# Answer sets that are looked at; of these, those that are compared with our rules.
_TRIED, _COMPARED = 50, 5
# Which arguments are the row, the column and the number: the usual order first. The order of row
# and column matters only for boxes that are not square.
_ORDERS = ((0, 1, 2), (1, 2, 0), (0, 2, 1), (1, 0, 2), (2, 1, 0), (2, 0, 1))

Atoms = frozenset[tuple[int, ...]]  # none if some argument is no integer


class PlayedGrid(NamedTuple):
    """The predicate that plays the part of a/3.

    order: its arguments that are the row, the column and the number
    first: the first row and the first column
    examples: grids of a few answer sets
    open_order: what the answer sets do not tell about the order, in words
    givens: the predicates that state givens
    """

    predicate: Signature
    order: tuple[int, int, int] = _ORDERS[0]
    first: tuple[int, int] = (1, 1)
    numbers: range = range(1, 10)
    examples: tuple[Solution, ...] = ()
    open_order: str = ""
    givens: tuple[Signature, ...] = ()

    def __str__(self) -> str:
        letters = dict(zip(self.order, "RCN", strict=True))
        return f"{self.predicate[0]}({','.join(letters[each] for each in range(3))})"

    def placed(self, arguments: Sequence[str]) -> str:
        """The atom of a/3 for the arguments of this predicate."""
        row, column, number = (arguments[each] for each in self.order)
        shifted = (
            each if first == 1 else f"({each})+1" if not each.isalnum() else f"{each}+1"
            for each, first in zip((row, column), self.first, strict=True)
        )
        return f"a({','.join([*shifted, number])})"

    @property
    def puzzle(self) -> Puzzle:
        """A blank grid of this size, with these numbers."""
        return Puzzle.blank(len(self.numbers)).replace(numbers=self.numbers)

    def solution(self, atoms: Atoms) -> Solution:
        """The grid of an answer set."""
        numbers = _cells(atoms, self.order)
        rows, columns = (range(each, each + len(self.numbers)) for each in self.first)
        return Solution(self.puzzle, tuple(tuple(numbers[r, c] for c in columns) for r in rows))


def explain_whole(rule: RuleFile, time_limit: float, unexplained: bool) -> list[Message]:
    """What a file without a/3 has in its place, and its rules over a/3. Nothing about another file.

    unexplained: whether there are findings that a predicate that is no grid may explain
    """
    statements, errors = syntax.parse(rule)
    read, defined = syntax.predicates(rule), lint.definitions(rule)
    if errors or lint.PLACED in read or unsafe_variables(rule.text, rule.place):
        return []
    derived = _derived(statements)
    if not derived:
        declared = {item.signature for item in rule.declared}
        unknown = sorted(each for each in read - defined.keys() - declared if each[1] == 3)
        return _about_undefined(rule, statements, unknown, time_limit)
    found = played_grid(rule, derived, time_limit)
    if isinstance(found, str):
        where = min(defined[each] for each in derived)
        return [_warning(rule, where, found)] if unexplained else []
    rewriting = _explained(rule, found, time_limit)
    size, name = len(found.numbers), _name(found.predicate)
    text = (
        f"{name} plays the part of a/3 here: in the answer sets of this file, which is a whole"
        f" program, {found} is a {size}x{size} grid with one number N in each row R and column C"
        f"{found.open_order}; a rule file elaborates base.lp by constraints over a(R,C,N)"
    )
    if found.givens:
        states = "states" if len(found.givens) == 1 else "state"
        text += f"; {enumerated(map(_name, found.givens))} {states} givens, which a puzzle has"
    return [_warning(rule, defined[found.predicate], f"{text}; {rewriting}")]


def _about_undefined(
    rule: RuleFile, statements: Sequence[AST], unknown: list[Signature], time_limit: float
) -> list[Message]:
    if not unknown:
        return []
    place = next(
        syntax.position_of(atom)
        for statement in statements
        for atom in syntax.atoms(statement)
        if syntax.signature(atom) in unknown
    )
    names = enumerated(map(_name, unknown))
    if len(unknown) > 1:
        text = f"{names} have three arguments, and nothing defines them: if one of them is the"
        return [_warning(rule, place, f"{text} grid, write a(R,C,N) for it")]
    text = f"if {names} plays the part of a/3 here, with row, column and number in this order, "
    return [_warning(rule, place, text + _explained(rule, PlayedGrid(unknown[0]), time_limit))]


def played_grid(
    rule: RuleFile, candidates: Sequence[Signature], time_limit: float
) -> PlayedGrid | str:
    """The only one of these predicates that plays the part of a/3 in a program, or why none does.
    The file must have been parsed without errors: then it runs no code and reads no other file.
    """
    statements = syntax.parse(rule)[0]
    ternary = [*candidates, *(each for each in lint.definitions(rule) if each[1] == 3)]
    answer_sets = _ask(rule.text, ternary, time_limit)
    if isinstance(answer_sets, str):
        return answer_sets
    found = [grid for each in candidates if (grid := _as_grid(each, answer_sets))]
    chosen = _derived(statements, only_chosen=True)
    if len(found) > 1:  # others may be derived from the one that is chosen
        found = [each for each in found if each.predicate in chosen] or found
    if len(found) != 1:
        if found:
            names = enumerated(_name(each.predicate) for each in found)
            return f"{names} are each a grid: which of them plays the part of a/3 cannot be told"
        names = enumerated(map(_name, candidates))
        return (
            f"{names} cannot play the part of a/3: in {len(answer_sets)} answer sets of this file,"
            " its atoms are not a square grid with one number in each row and column"
        )
    (grid,) = found
    givens = tuple(
        each
        for each in dict.fromkeys(ternary)
        if each not in _derived(statements)
        and answer_sets[0][each]
        and all(answer_set[each] < answer_set[grid.predicate] for answer_set in answer_sets)
    )
    if any(_states_givens(each, grid) for each in statements):
        givens = (*givens, grid.predicate)
    if givens:  # a grid with givens tells less about the order than one without
        others = _without_givens(rule, grid._replace(givens=givens))
        more = _ask(others, [grid.predicate], time_limit)
        again = _as_grid(grid.predicate, answer_sets if isinstance(more, str) else more)
        grid = again or grid
    return grid._replace(givens=givens)


def _derived(statements: Sequence[AST], only_chosen: bool = False) -> list[Signature]:
    """The ternary predicates that rules derive, or choose, and not only facts state."""
    return sorted(
        {
            syntax.signature(head)
            for each in statements
            for head in syntax.heads(each)
            if each.ast_type.name == "Rule"
            and (each.head.ast_type.name != "Literal" or (each.body and not only_chosen))
            and syntax.signature(head)[1] == 3
        }
    )


def _ask(
    text: str, wanted: Sequence[Signature], seconds: float
) -> list[dict[Signature, Atoms]] | str:
    """The atoms of these predicates in a few answer sets, or why there are none."""
    limits = Limits(seconds, DEFAULT_LIMITS.memory)
    try:
        found = run_limited(limits, _answer_sets, text, list(wanted), seconds)
    except TimeLimitError:
        found = Aborted("time", f"more than {seconds:g} s")
    if isinstance(found, Aborted):
        return f"whether this file is a whole program was not decided: {found}"
    return found or "this file is a program without an answer set, so that it has no grid"


def _answer_sets(
    text: str, wanted: list[Signature], seconds: float
) -> list[dict[Signature, Atoms]]:
    """Runs in a child."""
    try:
        control = grounded(text, seconds, endless=True)
    except TimeoutError:
        raise TimeLimitError("grounding") from None
    if control is None:
        return []
    found = []
    control.configuration.solve.models = _TRIED  # type: ignore[union-attr]
    with control.solve(yield_=True) as handle:
        for model in handle:
            atoms = [from_symbol(each) for each in model.symbols(atoms=True)]
            found.append({each: _integers(atoms, each) for each in wanted})
    return found


def _integers(atoms: Iterable[Term], predicate: Signature) -> Atoms:
    found = [a.arguments for a in atoms if isinstance(a, Function) and a.signature == predicate]
    numbers = [tuple(each for each in a if isinstance(each, int)) for a in found]
    return frozenset(numbers if all(len(each) == predicate[1] for each in numbers) else ())


def _cells(atoms: Atoms, order: tuple[int, int, int]) -> dict[tuple[int, int], int]:
    row, column, number = order
    return {(atom[row], atom[column]): atom[number] for atom in atoms}


def _as_grid(
    predicate: Signature, answer_sets: Sequence[Mapping[Signature, Atoms]]
) -> PlayedGrid | None:
    """The predicate as a grid, if it is one; in an order that boxes confirm, if there is any."""
    found = [each[predicate] for each in answer_sets]
    size = isqrt(len(found[0]))
    if size < 2 or any(len(each) != size * size for each in found):
        return None
    fitting: list[PlayedGrid] = []
    for order in _ORDERS:
        columns = [sorted({atom[place] for each in found for atom in each}) for place in order]
        ranges = [range(each[0], each[0] + size) for each in columns]
        cells = {*product(*ranges[:2])}
        if all(map(lambda one, two: one == [*two], columns, ranges)) and all(
            _cells(each, order).keys() == cells for each in found
        ):
            first = (ranges[0][0], ranges[1][0])
            fitting.append(PlayedGrid(predicate, order, first, ranges[2]))
    fitting = [each for each in fitting if max(each.first) <= 1 and min(each.first) >= 0]
    boxed = [each for each in fitting if all(_has_boxes(each, atoms) for atoms in found)]
    fitting = boxed or fitting
    if not fitting:
        return None
    chosen = fitting[0]
    row, column, number = chosen.order
    open_order = ""
    if any(each.order[2] != number for each in fitting):
        open_order = " (which argument is the number cannot be told: this order is assumed)"
    elif (column, row, number) in [each.order for each in fitting]:
        open_order = " (or row C and column R: no answer set tells them apart)"
    examples = tuple(map(chosen.solution, found[:_COMPARED]))
    return chosen._replace(open_order=open_order, examples=examples)


def _has_boxes(grid: PlayedGrid, atoms: Atoms) -> bool:
    """Whether no number occurs twice in a box of the usual shape."""
    cells, (rows, columns) = _cells(atoms, grid.order), grid.puzzle.box or (0, 0)
    if not rows:
        return False
    boxes = {
        ((row - grid.first[0]) // rows, (column - grid.first[1]) // columns, number)
        for (row, column), number in cells.items()
    }
    return len(boxes) == len(cells)


# --- its rules over a/3


class _Written(NamedTuple):
    """A statement over a/3: in words of its author, except for the grid and names of ours."""

    statement: AST
    text: str


def _explained(rule: RuleFile, grid: PlayedGrid, time_limit: float) -> str:
    """Which rules of a file ours state already, and the others over a/3."""
    try:
        written = list(_over_a(rule, grid))
        constants = _constants(rule, grid)
    except RuleError as error:
        return f"it was not written over a/3: {error}"
    file = RuleFile(rule.name, rule.place, "".join(f"{each.text}\n" for each in written), True)
    limits = Limits(time_limit, DEFAULT_LIMITS.memory)
    try:
        found = run_limited(limits, _compared, file, grid, constants, time_limit / 2)
    except AspdokuError as error:
        return f"which of its rules ours state was not decided: {error}"
    if isinstance(found, Aborted):
        return f"which of its rules ours state was not decided: {found}"
    stated, others, weaker = found
    starts, line = {}, 1
    for each in written:
        starts[line] = each
        line += each.text.count("\n") + 1
    said = []
    if weaker:
        said.append(f"it allows grids that ours forbid, by {enumerated(weaker)}")
    lines = sorted({syntax.position_of(starts[each].statement)[0] for each in stated})
    if lines:
        said.append(f"base.lp and the default rules state {_lines(lines)}")
    if not others:
        return "; ".join([*said, "it has no other rule"])
    wanted = [starts[each] for each in others]
    text = "".join(f"\n{each.text}" for each in _with_helpers(written, wanted))
    used = {*re.findall(r"\w+", text)}
    options = [f", with -c {name}={constants[name]}" for name in constants if name in used]
    what = "the rest" if stated else "this file"
    return "; ".join([*said, f"{what} as a rule file{''.join(options)} is:{text}"])


def _lines(numbers: list[int]) -> str:
    return f"line{'s' * (len(numbers) > 1)} {enumerated(map(str, numbers))}"


def _over_a(rule: RuleFile, grid: PlayedGrid) -> Iterator[_Written]:
    """The rules of a file without those that state givens. Raises RuleError."""
    source = _texts(rule, grid)
    for statement in syntax.parse(rule)[0]:
        if statement.ast_type.name != "Rule" or _states_givens(statement, grid):
            continue
        body = source(statement.body) if statement.body else ""
        if grid.predicate not in map(syntax.signature, syntax.heads(statement)):
            yield _Written(statement, source([statement]))
            continue
        kind, head = statement.head.ast_type.name, source([statement.head])
        if kind not in ("Aggregate", "Literal"):
            line = syntax.position_of(statement)[0]
            raise RuleError(f"line {line} is neither a rule, a choice nor a constraint")
        # What a choice without bounds may choose, it also leaves out: ours has each number.
        condition = f"{body}, " if body else ""
        yield _Written(statement, f":- {condition}not {head}.")


def _states_givens(statement: AST, grid: PlayedGrid) -> bool:
    """Whether a rule is about givens, or is a fact about the grid."""
    about = {syntax.signature(each) for each in syntax.atoms(statement)}
    if statement.ast_type.name == "Rule" and not statement.body and about == {grid.predicate}:
        return bool(statement.head.ast_type.name == "Literal")
    return not about.isdisjoint({*grid.givens} - {grid.predicate})


def _constants(rule: RuleFile, grid: PlayedGrid) -> dict[str, str]:
    """The constants that a file sets. Raises RuleError for other values of ours."""
    sizes = dict(zip(SIZES, (len(grid.numbers), *(grid.puzzle.box or ())), strict=False))
    found = {}
    for each in syntax.parse(rule)[0]:
        if each.ast_type.name == "Definition":
            value = str(each.value)
            if each.name not in SIZES:
                found[each.name] = value
            elif value != str(sizes.get(each.name)):
                ours = f"{each.name} is {sizes.get(each.name)} in all programs of a grid like this"
                raise RuleError(f"its constant {each.name} is {value}, and {ours}")
    return found


def _without_givens(rule: RuleFile, grid: PlayedGrid) -> str:
    """The program without the rules that state givens."""
    return "\n".join(str(each) for each in syntax.parse(rule)[0] if not _states_givens(each, grid))


def _with_helpers(written: Sequence[_Written], wanted: Sequence[_Written]) -> Iterator[_Written]:
    """These constraints, and the definitions on which they depend, in the order of the file."""
    # Statements that choose or derive the grid have become constraints.
    defining = [each for each in written if not each.text.startswith(":-")]
    uses = syntax.dependencies(each.statement for each in defining)
    read = {atom for each in wanted for atom in syntax.read_by(each.statement)}
    needed = {each for start in read for each in syntax.reachable(start, uses)}
    for each in written:
        heads = {*map(syntax.signature, syntax.heads(each.statement))}
        if each in wanted or (each in defining and heads & needed):
            yield each


def _texts(rule: RuleFile, grid: PlayedGrid) -> Callable[[Sequence[AST]], str]:
    """The function for the text from the first of some nodes to the last one, with a/3 for the grid
    and other names for predicates of ours.
    """
    text, starts = rule.text.encode(), [0]
    for line in text.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    ours = (library.base(), *library.defaults())
    taken = set[Signature]().union(*map(lint.defined_predicates, ours))
    taken &= lint.defined_predicates(rule)

    def span(first: AST, last: AST) -> tuple[int, int]:
        begin, end = first.location.begin, last.location.end
        return starts[begin.line - 1] + begin.column - 1, starts[end.line - 1] + end.column - 1

    def cut(begin: int, end: int) -> str:
        return text[begin:end].decode()

    def instead(atom: AST, begin: int, end: int) -> str:
        if syntax.signature(atom) == grid.predicate:
            return grid.placed([cut(*span(each, each)) for each in atom.arguments])
        return ("own_" if syntax.signature(atom) in taken else "") + cut(begin, end)

    def written(nodes: Sequence[AST]) -> str:
        position, end = span(nodes[0], nodes[-1])
        pieces, done = [], 0
        for atom in (each for node in nodes for each in syntax.atoms(node)):
            begin, after = span(atom, atom)
            if begin < done:
                raise RuleError(f"line {syntax.position_of(atom)[0]} has a pool of atoms")
            pieces += [cut(position, begin), instead(atom, begin, after)]
            position = done = after
        return "".join([*pieces, cut(position, end)])

    return written


def _compared(
    rule: RuleFile, grid: PlayedGrid, constants: dict[str, str], seconds: float
) -> tuple[list[int], list[int], list[str]]:
    """The lines of the rules over a/3 that no grid of ours violates; those that one violates, or
    that were not decided in time; violations of our rules by grids of the file. Runs in a child.
    """
    puzzle, game = grid.puzzle, [library.base(), *library.defaults()]
    tag = unused_tag("it", [rule.text])
    relaxed_rule, places = relaxed(rule, tag)
    solver = Solver(assemble(puzzle, [*game, relaxed_rule], (), constants, fast=False), seconds)
    stated: list[int] = []
    others: list[int] = []
    for place in sorted(places):
        search = solver.search(1, [(Function(f"{tag}_broken", place), True)])
        decided = not search.count() and search.ended == "complete"
        (stated if decided else others).append(place[0])
    weaker: dict[str, str] = {}
    blank = assemble(puzzle, game)
    for each in grid.examples:
        for violation in find_program_violations(blank, each, seconds):
            weaker.setdefault(violation.place, f'{violation.place}: "{violation.message}"')
    return stated, others, list(weaker.values())


def _name(predicate: Signature) -> str:
    return f"{predicate[0]}/{predicate[1]}"


def _warning(rule: RuleFile, place: tuple[int, int], text: str) -> Message:
    return Message(rule.place, *place, "warning", f"warning: {text}").with_excerpt(rule.text)
