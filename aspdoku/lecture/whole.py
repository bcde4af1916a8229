"""Whole programs in a vocabulary of their own: which predicate plays the part of a/3 in them, and
which of their rules are an elaboration of ours.

The first is decided by clingo, in a child: a predicate plays that part if its atoms in each of the
answer sets that are looked at are a square grid with one number in each cell. For the second, each
rule is written with a/3, and clingo searches for a grid of ours that violates it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, count, product
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.engine import Solver
from aspdoku.engine.solver import from_symbol, grid_atoms
from aspdoku.errors import AspdokuError, RuleError, TimeLimitError
from aspdoku.program import RuleFile, assemble, library, lint, syntax
from aspdoku.program.layout import grounded
from aspdoku.program.messages import Message
from aspdoku.program.rulefile import EXCEPTIONS, SIZES
from aspdoku.program.syntax import Signature
from aspdoku.program.transform import broken, negate, relaxed, split, unused_tag
from aspdoku.program.vetting import unsafe_variables
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.puzzle import GIVEN, Grid, grid_of
from aspdoku.puzzle.term import Term
from aspdoku.puzzlefile.lines import enumerated, pluralize
from aspdoku.runtime.child import DEFAULT_LIMITS, Aborted, Limits, Value, run_limited
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
# The words of the base that elaborations read.
_WORDS = [("number", 1), ("row", 1), ("column", 1), ("cell", 2)]
# Statements without an effect on the grid. Constants are written as their values.
_IGNORED = {"Comment", "Defined", "Definition", "Heuristic", "ShowSignature", "ShowTerm"}

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


def explain_whole(
    rule: RuleFile, time_limit: float, unexplained: bool
) -> tuple[list[Message], bool]:
    """What a file without a/3 has in its place, and its rules over a/3; and whether a predicate
    plays that part. Nothing about another file.

    unexplained: whether there are findings that a predicate that is no grid may explain
    """
    deadline = Deadline(min(time_limit, _LONGEST))
    statements, errors = syntax.parse(rule)
    read, defined = syntax.predicates(rule), lint.definitions(rule)
    if errors or lint.PLACED in read or unsafe_variables(rule.text, rule.place):
        return [], False
    derived = _derived(statements)
    if not derived:
        declared = {item.signature for item in rule.declared}
        unknown = sorted(each for each in read - defined.keys() - declared if each[1] == 3)
        return _about_undefined(rule, statements, unknown, deadline), len(unknown) == 1
    try:
        found = played_grid(rule, derived, deadline)
    except RuleError as error:
        where = min(defined[each] for each in derived)
        return [_warning(rule, where, str(error))] * unexplained, False
    text = (
        f"{_name(found.predicate)} plays the part of a/3 here: in the answer sets of this file,"
        f" which is a whole program, {found} is a {found.size}x{found.size} grid with one number N"
        f" in each row R and column C{found.open_order}"
    )
    begins = dict(zip(("rows", "columns", "numbers"), found.first, strict=True))
    if others := [f"{name} from {first}" for name, first in begins.items() if first != 1]:
        text += f"; it counts {enumerated(others)}, and ours all from 1"
    text += "; a rule file elaborates base.lp by constraints over a(R,C,N)"
    if found.given:
        stated = "the givens"
        if found.givens:
            states = "states" if len(found.givens) == 1 else "state"
            stated = f"{enumerated(map(_name, found.givens))} {states} givens, which"
        text += f"; {stated} a puzzle has"
        if found.size < 10:
            text += ": " + "".join(str(number or ".") for row in found.given for number in row)
    explained = _explained(rule, found, deadline)
    return [_warning(rule, defined[found.predicate], f"{text}; {explained}")], True


def _about_undefined(
    rule: RuleFile, statements: Sequence[AST], unknown: list[Signature], deadline: Deadline
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
    return [_warning(rule, place, text + _explained(rule, PlayedGrid(unknown[0]), deadline))]


def played_grid(rule: RuleFile, candidates: Sequence[Signature], deadline: Deadline) -> PlayedGrid:
    """The only one of these predicates that plays the part of a/3 in a program. Raises RuleError if
    none does. The file must have been parsed without errors: then it runs no code and reads no
    other file.
    """
    statements = syntax.parse(rule)[0]
    derived = _derived(statements)
    ternary = [*candidates, *(each for each in lint.definitions(rule) if each[1] == 3)]
    names = [each.name for each in statements if each.ast_type.name == "Definition"]
    atoms = _ask(rule.text, ternary, deadline, names)
    found = [grid for each in candidates if (grid := _as_grid(each, atoms))]
    chosen = _derived(statements, only_chosen=True)
    if len(found) > 1:  # others may be derived from the one that is chosen
        found = [each for each in found if each.predicate in chosen] or found
    if len(found) > 1:
        several = enumerated(_name(each.predicate) for each in found)
        raise RuleError(
            f"{several} are each a grid: which of them plays the part of a/3 cannot be told"
        )
    if not found:
        raise RuleError(
            f"{enumerated(map(_name, candidates))} cannot play the part of a/3: in"
            f" {pluralize(len(atoms.answer_sets), 'answer set')} of this file, its atoms are not a"
            f" square grid with one number in each row and column{_unset(statements)}"
        )
    (grid,) = found
    certain = atoms.certain[grid.predicate]
    givens = [each for each in dict.fromkeys(ternary) if each not in derived]
    sizes = dict(zip(SIZES, (grid.size, *(grid.blank.box or ())), strict=False))
    grid = grid._replace(
        constants=tuple((n, v) for n, v in atoms.constants.items() if v != str(sizes.get(n))),
        givens=tuple(each for each in givens if atoms.facts[each] and atoms.facts[each] <= certain),
    )
    facts = [each for each in statements if _states_givens(each, grid)]
    if not facts:
        return grid
    with suppress(RuleError):  # a grid with givens tells less about the order than one without
        free = "\n".join(str(each) for each in statements if each not in facts)
        more = _as_grid(grid.predicate, _ask(free, [grid.predicate], deadline))
        grid = (more or grid)._replace(givens=grid.givens, constants=grid.constants)
    heads = {head for each in facts for head in map(syntax.signature, syntax.heads(each))}
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
    found = sorted(each for each in sides - named if each.isidentifier())
    if not found:
        return ""
    return f"; no #const sets {enumerated(found)}"


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


def _states_givens(statement: AST, grid: PlayedGrid) -> bool:
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


def _ask(
    text: str, wanted: Sequence[Signature], deadline: Deadline, constants: Sequence[str] = ()
) -> _Atoms:
    """The atoms of these predicates in a program, and values of its constants. Raises RuleError if
    there are none.
    """
    return _in_child(
        "whether this file is a whole program",
        deadline,
        _atoms,
        text,
        list(wanted),
        list(constants),
    )


def _in_child(
    what: str, deadline: Deadline, call: Callable[..., Value], *arguments: object
) -> Value:
    """The value of a call, whose last argument are the seconds left. Raises RuleError if that does
    not end in time.
    """
    seconds = min(max(0.0, deadline.seconds_left()), _LONGEST)
    found: Value | Aborted
    try:
        limits = Limits(seconds, DEFAULT_LIMITS.memory)
        found = run_limited(limits, call, *arguments, seconds)
    except TimeLimitError:
        found = Aborted("time", f"more than {seconds:.3g} s")
    if isinstance(found, Aborted):
        raise RuleError(f"{what} was not decided: {found}")
    return found


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

    found = list(answer_sets("auto", _TRIED))
    if not found:
        raise RuleError("this file is a program without an answer set, so that it has no grid")
    *_, certain = answer_sets("cautious", 0)
    possible = extent(from_symbol(each.symbol) for each in control.symbolic_atoms)
    facts = extent(from_symbol(each.symbol) for each in control.symbolic_atoms if each.is_fact)
    values = {each: str(control.get_const(each)) for each in constants}
    return _Atoms(possible, facts, found, certain, values)


def _integers(atoms: Iterable[Term], predicate: Signature) -> Atoms:
    found = [a.arguments for a in atoms if isinstance(a, Function) and a.signature == predicate]
    numbers = [tuple(each for each in a if isinstance(each, int)) for a in found]
    return frozenset(numbers if all(len(each) == predicate[1] for each in numbers) else ())


def _as_grid(predicate: Signature, atoms: _Atoms) -> PlayedGrid | None:
    """The predicate as a grid, if it is one; in an order that boxes confirm, if there is any."""
    found = [each[predicate] for each in atoms.answer_sets]
    size = isqrt(len(found[0]))
    if size < 2 or any(len(each) != size * size for each in found):
        return None
    if len(atoms.possible[predicate]) == size * size:  # regions, or another function of the cells
        return None
    fitting: list[PlayedGrid] = []
    cells = {*product(range(1, size + 1), repeat=2)}
    for order in _ORDERS:
        least = [min(atom[place] for each in found for atom in each) for place in order]
        grid = PlayedGrid(predicate, order, (least[0], least[1], least[2]), size)
        if all(
            (numbers := grid.cells(each)).keys() == cells
            and {*numbers.values()} <= {*range(1, size + 1)}
            for each in found
        ):
            fitting.append(grid)
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
    examples = tuple(grid_of(size, chosen.cells(each)) for each in found[:: _TRIED // _COMPARED])
    return chosen._replace(open_order=open_order, examples=examples)


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


# --- its rules over a/3


class _Piece(NamedTuple):
    """A statement over a/3, and the number of the one that it comes from.

    judged: what stands for it in the comparison with our rules: for a fact about givens, any givens
    completes: whether it forbids numbers that no rule derives
    """

    origin: int
    text: str
    judged: str
    completes: bool = False


def _over_a(rule: RuleFile, grid: PlayedGrid) -> Iterator[_Piece]:
    """The statements of a file over a/3, in words of its author. Raises RuleError.

    A rule that derives or chooses the grid forbids that its head is false. The last statement
    forbids numbers that no such rule derives: with it, the rules have the grids of the file.
    """
    tag = unused_tag("own", [rule.text])
    written, possible = _written(rule, grid, tag), f"{tag}_possible"
    first = None
    for origin, statement in enumerate(syntax.parse(rule)[0]):
        kind, line = statement.ast_type.name, syntax.position_of(statement)[0]
        if kind in _IGNORED or str(statement) == "#program base.":
            continue
        if kind != "Rule":
            raise RuleError(f"line {line} is neither a rule, a choice nor a constraint")
        heads = {*map(syntax.signature, syntax.heads(statement))}
        if heads.isdisjoint({grid.predicate, _negative(grid.predicate)}):
            text = judged = written([statement])
            if _states_givens(statement, grid):
                name = text.partition("(")[0]
                judged = f"{{ {name}(X,Y,Z) }} :- {grid.placed(['X', 'Y', 'Z'])}."
            yield _Piece(origin, text, judged)
            continue
        first = origin if first is None else first
        for text in _instead_of(statement, grid, possible, written):
            yield _Piece(origin, text, text)
    if first is not None:
        text = f":- a(R,C,N), not {possible}(R,C,N)."
        yield _Piece(first, text, text, completes=True)


def _negative(predicate: Signature) -> Signature:
    return f"-{predicate[0]}", predicate[1]


def _instead_of(
    statement: AST, grid: PlayedGrid, possible: str, written: Callable[[Sequence[AST]], str]
) -> Iterator[str]:
    """The constraint for a rule with the grid in its head, the numbers that it makes possible, and
    what else a disjunction may derive.
    """
    head, body = statement.head, [written(statement.body)] if statement.body else []
    conditional = any(each.ast_type.name == "ConditionalLiteral" for each in statement.body)
    kind = head.ast_type.name
    elements = [head] if kind == "Literal" else head.elements
    atoms: list[tuple[str, str, Signature]] = []  # with their conditions
    for element in elements:
        literal, condition = getattr(element, "literal", element), getattr(element, "condition", ())
        found = list(syntax.atoms(literal)) if literal.ast_type.name == "Literal" else []
        if kind not in ("Literal", "Aggregate", "Disjunction") or len(found) != 1 or literal.sign:
            line = syntax.position_of(statement)[0]
            raise RuleError(f"line {line} is neither a rule, a choice nor a constraint")
        (symbol,), given = found, written(condition) if condition else ""
        predicate = syntax.signature(symbol)
        if predicate == _negative(grid.predicate):
            text = grid.placed([written([each]) for each in symbol.argument.arguments])
        else:
            text = written([literal])
        if (given or kind == "Aggregate") and predicate != grid.predicate:
            line = syntax.position_of(statement)[0]
            raise RuleError(f"line {line} chooses between the grid and something else")
        atoms.append((text, given, predicate))

    def rule(head: str, literals: Sequence[str]) -> str:
        mark = "; " if conditional or any(" : " in each for each in literals) else ", "
        every = mark.join(each for each in literals if each)
        return f"{head}{' ' * bool(head)}:- {every}." if every else f"{head}."

    def failing(text: str, given: str, predicate: Signature) -> str:
        sign = "" if predicate == _negative(grid.predicate) else "not "
        return f"{sign}{text}{f' : {given}' if given else ''}"

    if kind != "Aggregate":
        if body or kind != "Literal":  # a fact is a given
            yield rule("", [*body, *(failing(*each) for each in atoms)])
    elif head.left_guard or head.right_guard:
        yield rule("", [*body, f"not {written([head])}"])
    others = [each for each in atoms if each[2][0].lstrip("-") != grid.predicate[0]]
    for each in atoms:
        text, given, predicate = each
        if predicate == grid.predicate:
            head_text = f"{possible}{text[len(GIVEN[0]) :]}"
            yield rule(head_text, [given, *body, *(failing(*other) for other in others)])
        elif each in others:
            yield rule(text, [*body, *(failing(*other) for other in atoms if other != each)])


def _written(rule: RuleFile, grid: PlayedGrid, tag: str) -> Callable[[Sequence[AST]], str]:
    """The function for the text from the first of some nodes to the last one, with a/3 for the
    grid, other names for predicates of ours, and the values of constants.
    """
    taken = {*library.vocabulary(), *library.speed(), *library.bundled_inputs()}
    taken |= set().union(*map(syntax.predicates, _game()))
    taken &= lint.defined_predicates(rule)
    constants = dict(grid.constants)

    def instead(node: AST) -> str | None:
        if node.ast_type.name == "SymbolicTerm":
            return constants.get(str(node))
        if node.ast_type.name != "SymbolicAtom":
            return None
        found = {*map(syntax.signature, syntax.atoms(node))}
        line = syntax.position_of(node.symbol)[0]
        if _negative(grid.predicate) in found:
            raise RuleError(f"line {line} reads -{_name(grid.predicate)}")
        if not found & {grid.predicate, *taken}:
            return None
        if node.symbol.ast_type.name == "Pool":
            raise RuleError(f"line {line} has a pool of atoms")
        terms = [written([each]) for each in node.symbol.arguments]
        if grid.predicate in found:
            return grid.placed(terms)
        return f"{tag}_{node.symbol.name}" + (f"({','.join(terms)})" if terms else "")

    def replaced(node: AST) -> Iterator[tuple[int, int, str]]:
        text = instead(node)
        if text is None:
            for child in syntax.children(node):
                yield from replaced(child)
        else:
            yield (
                *syntax.span(
                    rule.text,
                    getattr(node, "symbol", node) if node.ast_type.name == "SymbolicAtom" else node,
                ),
                text,
            )

    def written(nodes: Sequence[AST]) -> str:
        position, end = syntax.span(rule.text, nodes[0])[0], syntax.span(rule.text, nodes[-1])[1]
        pieces = []
        for begin, after, text in sorted(each for node in nodes for each in replaced(node)):
            pieces += [rule.text[position:begin], text]
            position = after
        return "".join([*pieces, rule.text[position:end]])

    return written


Place = tuple[int, int]


class _Comparison:
    """Our rules and a file over a/3, of which some hold, and searches for grids that violate one of
    the others. Runs in a child.

    What holds is stated as constraints: assumptions would make the searches many times slower.

    open_: the names of ours that need not hold
    holding: the places of those of the file that hold
    own: the atoms for the violation of its constraints and bounds of choices, by their places
    ruled: those for our rules that a fact retracts, by their names
    """

    def __init__(
        self,
        rule: RuleFile,
        grid: PlayedGrid,
        deadline: Deadline,
        open_: Collection[str] = (),
        holding: Iterable[Place] = (),
        others: Iterable[RuleFile] = (),
    ) -> None:
        self.pieces = list(_over_a(rule, grid))
        text = "".join(f"{each.judged}\n" for each in self.pieces)
        file = RuleFile(rule.name, rule.place, text, True)
        parsed = (each for each in syntax.parse(file)[0] if each.ast_type.name == "Rule")
        self.statements = {syntax.position_of(each): each for each in parsed}
        self.ruled: dict[str, list[Function]] = {}
        tag = unused_tag("own", [text])
        free, places = relaxed(file, tag)
        self.own = {each: Function(f"{tag}_broken", each) for each in sorted(places)}
        tag, numbers = unused_tag("ours", [text]), count()
        lines = [f":- {self.own[place]}." for place in holding]
        for statement in chain(*(syntax.parse(each)[0] for each in _game())):
            if statement.ast_type.name != "Rule":
                lines += [] if statement.ast_type.name == "Comment" else [str(statement)]
                continue
            definition, forbidden = split(statement)
            lines += [] if definition is None else [str(definition)]
            read = (each for each in syntax.atoms(statement) if each.name == EXCEPTIONS)
            name = next((str(atom.arguments[0]) for atom in read), "")
            for each in forbidden or ():
                atom = Function(f"{tag}_broken", (next(numbers),))
                lines.append(f"{atom} :- {each.body}.")
                lines += [] if name in open_ else [f":- {atom}."]
                # That no number occurs twice, which comes last, is proved faster.
                self.ruled[name] = [atom, *self.ruled.get(name, ())]
        del self.ruled[""]
        ours = RuleFile("base", "our rules", "\n".join([*lines, ""]), True)
        program = assemble(grid.blank, [ours, *others, free], fast=False)
        self._solver = Solver(program, deadline.time_limit())

    def none(self, violated: Function, *satisfied: Function) -> bool:
        """Whether it is proved that no grid violates the one and satisfies the others. What follows
        from one of them alone is proved faster so.
        """
        for group in (*([each] for each in satisfied[1:]), satisfied):
            asked = [(violated, True), *((each, False) for each in group)]
            search = self._solver.search(1, asked)
            found = search.count()
            if search.ended == "time":
                raise TimeLimitError("searching")
            if not found:
                return True
        return False

    def occurs(self, violated: Function, examples: Iterable[Grid]) -> bool:
        """Whether one of some grids violates a rule, which is found at once."""
        for each in examples:
            solution = Solution(self._solver.program.puzzle, each)
            asked = [(atom, True) for atom in (*grid_atoms(solution), violated)]
            if self._solver.search(1, asked).count():
                return True
        return False


def _violable(free: _Comparison, name: str) -> list[Function]:
    """The parts of one of our rules that some grid violates: not those about unused cells. As each
    cell has a number, any of them states the rule.
    """
    return [each for each in free.ruled[name] if not free.none(each)]


def _retractable() -> list[str]:
    return sorted(set[str]().union(*(each.retractable for each in _game())))


def _explained(rule: RuleFile, grid: PlayedGrid, deadline: Deadline) -> str:
    """Which rules of a file ours state already, and the others over a/3."""
    try:
        return _in_child("which of its rules ours state", deadline, _explanation, rule, grid)
    except AspdokuError as error:
        return f"it was not written over a/3: {error}"


def _explanation(rule: RuleFile, grid: PlayedGrid, seconds: float) -> str:
    """Runs in a child."""
    deadline, others = Deadline(seconds), _without_inputs(rule)
    names = _retractable()
    usual = _Comparison(rule, grid, deadline)
    stated = [place for place, atom in usual.own.items() if usual.none(atom)]
    free = _Comparison(rule, grid, deadline, names, (), others.values())
    others = {n: each for n, each in others.items() if not free.occurs(broken(each), grid.examples)}
    lacking = []
    for name in names:
        parts = _violable(free, name)
        if not any(free.occurs(each, grid.examples) for each in parts):
            with_own = (
                _Comparison(rule, grid, deadline, names, own) for own in (stated, usual.own)
            )
            if any(each.none(part) for each in with_own for part in parts):
                continue
        lacking.append(name)
    if lacking:
        usual = _Comparison(rule, grid, deadline, lacking)
        stated = [place for place, atom in usual.own.items() if usual.none(atom)]
    violated = {place: atom for place, atom in usual.own.items() if place not in stated}
    asked = _Comparison(rule, grid, deadline, lacking, (), others.values())
    stating: dict[str, set[Place]] = {}  # the rules that some of its lines equal
    also: set[Place] = set()
    with suppress(TimeLimitError):  # then the lines themselves follow
        for name, negated in others.items():
            atom = broken(negated)
            same = {place for place, own in violated.items() if asked.none(own, atom)}
            if same - also and asked.none(atom, *(violated[place] for place in same)):
                stating[name] = same
                also |= same
    lines = [syntax.position_of(each)[0] for each in syntax.parse(rule)[0]]
    pieces = dict(zip(asked.statements, asked.pieces, strict=True))
    completion = {place for place, piece in pieces.items() if piece.completes}

    def on(places: Iterable[Place]) -> str:
        found = sorted({lines[pieces[each].origin] for each in places})
        return f"line{'s' * (len(found) > 1)} {enumerated(map(str, found))}"

    said = []
    if lacking:
        options = " ".join(f"--without {name}" for name in lacking)
        lack = f"it allows grids that ours forbid, for lack of {enumerated(lacking)}"
        said.append(f"{lack}, as with {options}")
    if by_ours := asked.own.keys() - violated.keys() - completion:
        said.append(f"base.lp and the default rules state {on(by_ours)}")
    for name, same in stating.items():
        size = f"{grid.size}x{grid.size}"
        said.append(f"in {size} grids {name} is the same as {on(same)}: --with {name}")
    wanted = {*map(syntax.position_of, syntax.restricting(asked.statements.values()))}
    wanted -= (asked.own.keys() - violated.keys()) | also
    if not wanted:
        return "; ".join([*said, "it has no other rule"])
    uses = syntax.dependencies(asked.statements.values())
    read = {atom for place in wanted for atom in syntax.read_by(asked.statements[place])}
    needed = {each for start in read for each in syntax.reachable(start, uses)}
    text = "".join(
        f"\n{pieces[place].text}"
        for place, each in asked.statements.items()
        if place in wanted or not needed.isdisjoint(map(syntax.signature, syntax.heads(each)))
    )
    what = "the rest" if by_ours or stating else "this file"
    return "; ".join([*said, f"{what} as a rule file is:{text}"])


def _game() -> tuple[RuleFile, ...]:
    return library.base(), *library.defaults()


def _without_inputs(rule: RuleFile) -> dict[str, RuleFile]:
    """Our rules that a file may state: those without inputs, negated."""
    found: dict[str, RuleFile] = {}
    for each in library.available_rules():
        if not (each.inputs or each.replaced or each in library.defaults()):
            with suppress(RuleError):  # it cannot be negated
                found[each.name] = negate(each, unused_tag(f"rule{len(found)}", [rule.text]))
    return found


# --- as a base


class OwnBase(NamedTuple):
    """A whole program as a base, and the file by which its grid is ours.

    program: the unchanged file; `source` is the same one, as it has to be vetted
    """

    program: RuleFile
    grid: PlayedGrid
    bridge: RuleFile

    def without(self, name: str, deadline: Deadline) -> RuleFile:
        """The program without the rules that state one of ours: the edits that this takes. Raises
        RuleError if none does, or if they cannot be told.
        """
        rule, grid = self.program, self.grid
        what = f"which rules of {rule.place} state '{name}'"
        origins = _in_child(what, deadline, _stating, rule, grid, name)
        statements = syntax.parse(rule)[0]
        gone = [statements[each] for each in origins]
        text = rule.text
        instead = f"1 {{ {grid.atom('R', 'C', 'N')} : number(N) }} 1 :- cell(R,C)."
        for each in reversed(gone):
            begin, end = syntax.span(text, each)
            places = grid.predicate in map(syntax.signature, syntax.heads(each))
            text = text[:begin] + instead * places + text[end:]
            instead = "" if places else instead
        lines = [str(syntax.position_of(each)[0]) for each in gone]
        called = f"{rule.place} without line{'s' * (len(lines) > 1)} {enumerated(lines)}"
        return RuleFile(rule.name, called, text, True, source=rule.source)


def _stating(rule: RuleFile, grid: PlayedGrid, name: str, seconds: float) -> list[int]:
    """The numbers of the statements that together state one of our rules, as often as they do. A
    clue about cells of one box, which only grids without boxes violate, is none. Runs in a child.
    """
    deadline, symbol, names = Deadline(seconds), name.replace("-", "_"), _retractable()
    cannot = f"{rule.place} cannot be edited so that it lacks the rule '{name}'"
    if symbol not in names:
        raise RuleError(f"{cannot}: no fact retracts such a rule of ours")
    parts = _violable(_Comparison(rule, grid, deadline, names), symbol)
    with_it = _Comparison(rule, grid, deadline)
    asked = _Comparison(rule, grid, deadline, [symbol])
    left = [atom for atom in asked.own.values() if with_it.none(atom) and not asked.none(atom)]

    def state(some: Sequence[Function]) -> bool:
        return any(asked.none(each, *some) for each in parts)

    gone: list[Function] = []
    while state(left):
        least = left
        for atom in left:
            fewer = [other for other in least if other != atom]
            least = fewer if state(fewer) else least
        gone += least
        left = [atom for atom in left if atom not in least]
    if not gone:
        raise RuleError(f"{cannot}: none of its rules states it alone")
    pieces = dict(zip(asked.statements, asked.pieces, strict=True))
    return sorted({pieces[place].origin for place, atom in asked.own.items() if atom in gone})


def own_base(rule: RuleFile, name: str, puzzle: Puzzle, deadline: Deadline) -> OwnBase:
    """The program of a file as a base, in which a predicate, as in `sudoku/3`, is the grid. Raises
    RuleError if it is none, or one of another size, or if the program has statements or words that
    cannot be combined with our elaborations.
    """
    if fatal := [each for each in lint.fatal_errors(rule) if "#const" not in each.text]:
        raise RuleError(fatal[0].quoted)
    predicate, _, arity = name.partition("/")
    if arity != "3" or (predicate, 3) not in lint.definitions(rule):
        raise RuleError(
            f"{rule.place} defines no {name}: name the predicate of its grid, as in p/3"
        )
    if lint.PLACED in lint.definitions(rule):
        raise RuleError(f"{rule.place} defines a/3, which has to be the grid of a base")
    try:
        grid = played_grid(rule, [(predicate, 3)], deadline)
    except RuleError as error:
        raise RuleError(f"{rule.place}: {error}") from None
    n = grid.size
    if (puzzle.size, puzzle.numbers) != (n, range(1, n + 1)):
        raise RuleError(
            f"{rule.place} is about {n}x{n} grids, and the puzzle is no such grid with numbers from"
            f" 1: name one, or a blank one by -c n={n}"
        )
    for constant, value in grid.constants:
        if constant in SIZES:
            raise RuleError(
                f"{rule.place}: its constant {constant} is {value}, which is something else in our"
                f" elaborations of a {n}x{n} grid: call it otherwise"
            )
    words = f"number(1..{n}).  row(1..{n}).  column(1..{n}).\ncell(R,C) :- row(R), column(C).\n"
    ours, theirs = (_ask(text, _WORDS, deadline) for text in (words, rule.text))
    for each in (each for each in _WORDS if each in lint.definitions(rule)):
        if any(found[each] != ours.facts[each] for found in theirs.answer_sets):
            line = lint.definitions(rule)[each][0]
            raise RuleError(
                f"{rule.place}:{line}: {_name(each)} is a word of our elaborations, with another"
                " meaning: call it otherwise"
            )
    place, atom = f"bridge from {name} to a/3", grid.atom("R", "C", "N")
    joined = (
        f"% {grid} plays the part of a(R,C,N).\na(R,C,N) :- {atom}, row(R), column(C), number(N).\n"
    )
    bridge = f"{joined}:- a(R,C,N), not {atom}.\n{words}"
    program = RuleFile(rule.name, rule.place, rule.text, True, rule.path, rule)
    return OwnBase(program, grid, RuleFile(place, place, bridge, True))


def require_apart(base: OwnBase, rules: Iterable[RuleFile]) -> None:
    """Raise RuleError for a rule that reads a predicate which a base defines in another meaning."""
    own = lint.definitions(base.program)
    for rule in library.with_vocabulary([base.program, *rules])[1:]:
        read = syntax.predicates(rule) - lint.defined_predicates(rule) - {*_WORDS}
        if both := sorted(read & own.keys()):
            where = f"{base.program.place}:{own[both[0]][0]}"
            raise RuleError(
                f"{rule.place} reads {_name(both[0])}, which {where} defines as a word of its own:"
                " call it otherwise"
            )


def _name(predicate: Signature) -> str:
    return f"{predicate[0]}/{predicate[1]}"


def _warning(rule: RuleFile, place: tuple[int, int], text: str) -> Message:
    return Message(rule.place, *place, "warning", f"warning: {text}").with_excerpt(rule.text)
