"""The predicate of a whole program that plays the part of a/3 in it, by clingo in a child: its
atoms in each answer set that is looked at are a square grid with one number in each cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.engine.solver import from_symbol
from aspdoku.errors import RuleError, TimeLimitError
from aspdoku.program import RuleFile, lint, syntax
from aspdoku.program.layout import grounded
from aspdoku.program.rulefile import SIZES
from aspdoku.program.syntax import Signature
from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzle.puzzle import GIVEN, Grid, grid_of
from aspdoku.puzzle.term import Term
from aspdoku.puzzlefile.lines import enumerated, pluralize
from aspdoku.runtime.child import Aborted, Limits, Value, run_limited
from aspdoku.runtime.deadline import Deadline

if TYPE_CHECKING:
    from aspdoku.program.syntax import AST

# Answer sets that are looked at; of these, those that are compared with our rules.
_TRIED, _COMPARED = 50, 5
# Seconds that a thread may be waited for.
_LONGEST = 1e6
# Which arguments are the row, the column and the number: the usual order first. The order of row
# and column matters only for boxes that are not square.
_ORDERS = ((0, 1, 2), (1, 2, 0), (0, 2, 1), (1, 0, 2), (2, 1, 0), (2, 0, 1))
Atoms = frozenset[tuple[int, ...]]  # none if some argument is no integer


class PlayedGrid(NamedTuple):
    """The predicate that plays the part of a/3.

    order: its arguments that are the row, the column and the number
    first: the first row, the first column and the first number
    examples: grids of a few answer sets
    open_order: what the answer sets do not tell about the order, in words
    givens: the predicates that state givens by facts
    given: the grid of all givens; empty if there are none
    constants: the values of those that the file sets
    """

    predicate: Signature
    order: tuple[int, int, int] = _ORDERS[0]
    first: tuple[int, int, int] = (1, 1, 1)
    size: int = 9
    examples: tuple[Grid, ...] = ()
    open_order: str = ""
    givens: tuple[Signature, ...] = ()
    given: Grid = ()
    constants: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return self._written(["R", "C", "N"])

    def _written(self, terms: Sequence[str]) -> str:
        by_place = dict(zip(self.order, terms, strict=True))
        return f"{self.predicate[0]}({','.join(by_place[each] for each in range(3))})"

    def atom(self, *terms: str) -> str:
        """The atom of this predicate for that of a/3."""
        return self._written([_plus(*each) for each in zip(terms, self._shifts(-1), strict=True)])

    def placed(self, arguments: Sequence[str], name: str = GIVEN[0]) -> str:
        """The atom of a/3 for the arguments of this predicate."""
        terms = zip((arguments[each] for each in self.order), self._shifts(1), strict=True)
        return f"{name}({','.join(_plus(*each) for each in terms)})"

    def _shifts(self, sign: int) -> list[int]:
        return [sign * (1 - each) for each in self.first]

    def cells(self, atoms: Atoms) -> dict[tuple[int, int], int]:
        """The numbers of the cells of our grid."""
        shifts = self._shifts(1)
        ours = (
            [atom[place] + shift for place, shift in zip(self.order, shifts, strict=True)]
            for atom in atoms
        )
        return {(row, column): number for row, column, number in ours}

    @property
    def blank(self) -> Puzzle:
        """Our grid without numbers."""
        return Puzzle.blank(self.size)


def _plus(term: str, shift: int) -> str:
    """The sum as a term; `_` stands for any value in any case."""
    if not shift or term == "_":
        return term
    if term.isdigit():
        return str(int(term) + shift)
    return f"{term if term.isalnum() else f'({term})'}{shift:+d}"


def played_grid(rule: RuleFile, candidates: Sequence[Signature], deadline: Deadline) -> PlayedGrid:
    """The only one of these predicates that plays the part of a/3 in a program. Raises RuleError if
    none does. The file must have been parsed without errors: then it runs no code and reads no
    other file.
    """
    statements = syntax.parse(rule)[0]
    derived = ternary_heads(statements)
    ternary = [*candidates, *(each for each in lint.definitions(rule) if each[1] == 3)]
    names = [each.name for each in statements if each.ast_type.name == "Definition"]
    atoms = ask(rule.text, ternary, deadline, names)
    grids = [grid for each in candidates if (grid := _as_grid(each, atoms, statements))]
    chosen = ternary_heads(statements, only_chosen=True)
    if len(grids) > 1:  # others may be derived from the one that is chosen
        grids = [each for each in grids if each.predicate in chosen] or grids
    if len(grids) > 1:
        several = enumerated(name_of(each.predicate) for each in grids)
        raise RuleError(
            f"{several} are each a grid: which of them plays the part of a/3 is not determined"
        )
    if not grids:
        raise RuleError(
            f"{enumerated(map(name_of, candidates))} cannot play the part of a/3: in"
            f" {pluralize(len(atoms.answer_sets), 'answer set')} of this file, its atoms are not a"
            f" square grid with one number in each row and column{_unset(statements)}"
        )
    (grid,) = grids
    certain = atoms.certain[grid.predicate]
    givens = [each for each in dict.fromkeys(ternary) if each not in derived]
    sizes = dict(zip(SIZES, (grid.size, *(grid.blank.box or ())), strict=False))
    grid = grid._replace(
        constants=tuple((n, v) for n, v in atoms.constants.items() if v != str(sizes.get(n))),
        givens=tuple(each for each in givens if atoms.facts[each] and atoms.facts[each] <= certain),
    )
    facts = [each for each in statements if states_givens(each, grid)]
    if not facts:
        return grid
    with suppress(RuleError):  # a grid with givens tells less about the order than one without
        free = "\n".join(str(each) for each in statements if each not in facts)
        more = _as_grid(grid.predicate, ask(free, [grid.predicate], deadline), statements)
        grid = (more or grid)._replace(givens=grid.givens, constants=grid.constants)
    heads = {head for each in facts for head in map(syntax.signature, syntax.heads(each))}
    heads &= atoms.facts.keys()  # a pool may have atoms of another arity
    stated = frozenset[tuple[int, ...]]().union(*(atoms.facts[each] for each in heads))
    return grid._replace(given=grid_of(grid.size, grid.cells(stated)))


def _unset(statements: Sequence[AST]) -> str:
    """The constants without a value, as in `1..n`, which clingo may have got from its command."""
    sides = {
        str(term)
        for statement in statements
        for interval in syntax.nodes(statement, "Interval")
        for term in syntax.nodes(interval, "SymbolicTerm")
    }
    named = {each.name for each in statements if each.ast_type.name == "Definition"}
    unset = sorted(each for each in sides - named if each.isidentifier())
    if not unset:
        return ""
    return f"; no #const sets {enumerated(unset)}"


def ternary_heads(statements: Sequence[AST], only_chosen: bool = False) -> list[Signature]:
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


def states_givens(statement: AST, grid: PlayedGrid) -> bool:
    """Whether a statement is a fact about the grid or about givens."""
    return (
        statement.ast_type.name == "Rule"
        and not statement.body
        and statement.head.ast_type.name == "Literal"
        and not {grid.predicate, *grid.givens}.isdisjoint(
            map(syntax.signature, syntax.heads(statement))
        )
    )


_Extent = dict[Signature, Atoms]


class _Atoms(NamedTuple):
    """The atoms of some predicates: those that can be true, those of a few answer sets, and those
    of all. `facts` hold without any search.
    """

    possible: _Extent
    facts: _Extent
    answer_sets: list[_Extent]
    certain: _Extent
    constants: dict[str, str]


def ask(
    text: str, wanted: Sequence[Signature], deadline: Deadline, constants: Sequence[str] = ()
) -> _Atoms:
    """The atoms of these predicates in a program, and values of its constants. Raises RuleError if
    there are none.
    """
    return in_child(
        "whether this file is a whole program",
        deadline,
        _atoms,
        text,
        list(wanted),
        list(constants),
    )


def in_child(
    what: str, deadline: Deadline, call: Callable[..., Value], *arguments: object
) -> Value:
    """The value of a call, whose last argument are the seconds left. Raises RuleError if that does
    not end in time.
    """
    seconds = min(max(0.0, deadline.seconds_left()), _LONGEST)
    value: Value | Aborted
    try:
        limits = Limits(seconds)
        value = run_limited(limits, call, *arguments, seconds)
    except TimeLimitError:
        value = Aborted("time", f"more than {seconds:.3g} s")
    if isinstance(value, Aborted):
        raise RuleError(f"{what} was not decided: {value}")
    return value


def _atoms(text: str, wanted: list[Signature], constants: list[str], seconds: float) -> _Atoms:
    """Runs in a child."""
    deadline = Deadline(seconds)
    try:
        control = grounded(text, seconds, endless=True)
    except TimeoutError:
        raise TimeLimitError("grounding") from None
    if control is None:
        raise RuleError("clingo cannot ground this file, so that its grid is not known")

    def extent(terms: Iterable[Term]) -> _Extent:
        atoms = list(terms)
        return {each: _integers(atoms, each) for each in wanted}

    # All answer sets are looked at, and not only better and better ones.
    control.configuration.solve.opt_mode = "ignore"  # type: ignore[union-attr]

    def answer_sets(mode: str, limit: int) -> Iterator[_Extent]:
        solving = control.configuration.solve
        solving.enum_mode, solving.models = mode, limit  # type: ignore[union-attr]
        with control.solve(yield_=True, async_=True) as handle:
            while True:
                handle.resume()
                if not handle.wait(max(0.0, deadline.seconds_left())):
                    raise TimeLimitError("solving")
                if (model := handle.model()) is None:
                    return
                yield extent(map(from_symbol, model.symbols(atoms=True)))

    models = list(answer_sets("auto", _TRIED))
    if not models:
        raise RuleError("this file is a program without an answer set, so that it has no grid")
    *_, certain = answer_sets("cautious", 0)
    possible = extent(from_symbol(each.symbol) for each in control.symbolic_atoms)
    facts = extent(from_symbol(each.symbol) for each in control.symbolic_atoms if each.is_fact)
    values = {each: str(control.get_const(each)) for each in constants}
    return _Atoms(possible, facts, models, certain, values)


def _integers(atoms: Iterable[Term], predicate: Signature) -> Atoms:
    tuples = [a.arguments for a in atoms if isinstance(a, Function) and a.signature == predicate]
    numbers = [tuple(each for each in a if isinstance(each, int)) for a in tuples]
    return frozenset(numbers if all(len(each) == predicate[1] for each in numbers) else ())


def _as_grid(predicate: Signature, atoms: _Atoms, statements: Sequence[AST]) -> PlayedGrid | None:
    """The predicate as a grid, if it is one; in an order that boxes confirm, if there is any. If
    several are left, the number is that argument which a choice gives to each cell.
    """
    extents = [each[predicate] for each in atoms.answer_sets]
    size = isqrt(len(extents[0]))
    if size < 2 or any(len(each) != size * size for each in extents):
        return None
    if len(atoms.possible[predicate]) == size * size:  # regions, or another function of the cells
        return None
    fitting: list[PlayedGrid] = []
    cells = {*product(range(1, size + 1), repeat=2)}
    for order in _ORDERS:
        least = [min(atom[place] for each in extents for atom in each) for place in order]
        grid = PlayedGrid(predicate, order, (least[0], least[1], least[2]), size)
        if all(
            (numbers := grid.cells(each)).keys() == cells
            and {*numbers.values()} <= {*range(1, size + 1)}
            for each in extents
        ):
            fitting.append(grid)
    boxed = [each for each in fitting if all(_has_boxes(each, atoms) for atoms in extents)]
    fitting = boxed or fitting
    if not fitting:
        return None
    given = [*_given_by_choices(predicate, statements)]
    fitting.sort(key=lambda each: each.order[2] not in given)
    chosen = fitting[0]
    row, column, number = chosen.order
    open_order = ""
    if any(each.order[2] != number for each in fitting):
        open_order = " (which argument is the number is not determined: this order is assumed)"
    elif (column, row, number) in [each.order for each in fitting]:
        open_order = " (or row C and column R: no answer set tells them apart)"
    examples = tuple(grid_of(size, chosen.cells(each)) for each in extents[:: _TRIED // _COMPARED])
    return chosen._replace(open_order=open_order, examples=examples)


def _given_by_choices(predicate: Signature, statements: Sequence[AST]) -> Iterator[int]:
    """The argument of the predicate that a choice varies while its body states the others, as X in
    `{ p(X,Y,Z) : q(X) } = 1 :- r(Y), r(Z)`.
    """
    for each in statements:
        if each.ast_type.name != "Rule" or each.head.ast_type.name != "Aggregate":
            continue
        stated = set().union(*map(syntax.variables, each.body))
        for head in syntax.heads(each):
            if syntax.signature(head) == predicate:
                terms = getattr(head, "arguments", ())  # none of -p(X,Y,Z)
                free = [bool(syntax.variables(term) - stated) for term in terms]
                if sum(free) == 1:
                    yield free.index(True)


def _has_boxes(grid: PlayedGrid, atoms: Atoms) -> bool:
    """Whether no number occurs twice in a box of the usual shape."""
    numbers, (rows, columns) = grid.cells(atoms), grid.blank.box or (0, 0)
    if not rows:
        return False
    boxes = {
        ((row - 1) // rows, (column - 1) // columns, number)
        for (row, column), number in numbers.items()
    }
    return len(boxes) == len(numbers)


def name_of(predicate: Signature) -> str:
    """Name and arity, as in `sudoku/3`."""
    return f"{predicate[0]}/{predicate[1]}"
