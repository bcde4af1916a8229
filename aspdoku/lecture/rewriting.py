"""The rules of a whole program over a/3, and which of them ours state: clingo searches for a grid
of ours that violates a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain, count
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.engine import Solver
from aspdoku.engine.solver import grid_atoms
from aspdoku.errors import RuleError, TimeLimitError
from aspdoku.lecture.played_grid import PlayedGrid, name_of, states_givens
from aspdoku.program import RuleFile, assemble, library, lint, syntax
from aspdoku.program.rulefile import EXCEPTIONS
from aspdoku.program.syntax import Signature
from aspdoku.program.transform import relaxed, split, unused_tag
from aspdoku.puzzle import Function, Solution
from aspdoku.puzzle.puzzle import GIVEN, Grid
from aspdoku.runtime.deadline import Deadline

if TYPE_CHECKING:
    from aspdoku.program.syntax import AST

# Statements that forbid no grid. Constants are written as their values.
_IGNORED = {
    *("Comment", "Defined", "Definition", "Heuristic", "Minimize", "ShowSignature", "ShowTerm"),
}


class Piece(NamedTuple):
    """A statement over a/3, and the number of the one that it comes from.

    judged: what stands for it in the comparison with our rules: for a fact about givens, any givens
    completes: whether it forbids numbers that no rule derives
    """

    origin: int
    text: str
    judged: str
    completes: bool = False


def over_a(rule: RuleFile, grid: PlayedGrid) -> Iterator[Piece]:
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
            if states_givens(statement, grid):
                name = text.partition("(")[0]
                judged = f"{{ {name}(X,Y,Z) }} :- {grid.placed(['X', 'Y', 'Z'])}."
            yield Piece(origin, text, judged)
            continue
        first = origin if first is None else first
        if states_givens(statement, grid):
            placed = (each for each in syntax.heads(statement) if len(each.arguments) == 3)
            texts = [
                f"{grid.placed([written([term]) for term in each.arguments], possible)}."
                for each in placed
            ]
        else:
            texts = list(_instead_of(statement, grid, possible, written))
        yield from (Piece(origin, text, text) for text in texts)
    if first is not None:
        text = f":- a(R,C,N), not {possible}(R,C,N)."
        yield Piece(first, text, text, completes=True)


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
        symbols = list(syntax.atoms(literal)) if literal.ast_type.name == "Literal" else []
        if kind not in ("Literal", "Aggregate", "Disjunction") or len(symbols) != 1 or literal.sign:
            line = syntax.position_of(statement)[0]
            raise RuleError(f"line {line} is neither a rule, a choice nor a constraint")
        (symbol,), given = symbols, written(condition) if condition else ""
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
    taken |= set().union(*map(syntax.predicates, library.game()))
    taken &= lint.defined_predicates(rule)
    constants = dict(grid.constants)

    def instead(node: AST) -> str | None:
        if node.ast_type.name == "SymbolicTerm":
            return constants.get(str(node))
        if node.ast_type.name != "SymbolicAtom":
            return None
        predicates = {*map(syntax.signature, syntax.atoms(node))}
        line = syntax.position_of(node.symbol)[0]
        if _negative(grid.predicate) in predicates:
            raise RuleError(f"line {line} reads -{name_of(grid.predicate)}")
        if not predicates & {grid.predicate, *taken}:
            return None
        if node.symbol.ast_type.name == "Pool":
            raise RuleError(f"line {line} has a pool of atoms")
        terms = [written([each]) for each in node.symbol.arguments]
        if grid.predicate in predicates:
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


class Comparison:
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
        self.pieces = list(over_a(rule, grid))
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
        for statement in chain(*(syntax.parse(each)[0] for each in library.game())):
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
            found = self._solver.is_possible((violated, True), *((each, False) for each in group))
            if found is None:
                raise TimeLimitError("searching")
            if not found:
                return True
        return False

    def occurs(self, violated: Function, examples: Iterable[Grid]) -> bool:
        """Whether one of some grids violates a rule, which is found at once."""
        for each in examples:
            solution = Solution(self._solver.program.puzzle, each)
            asked = ((atom, True) for atom in (*grid_atoms(solution), violated))
            if self._solver.is_possible(*asked):
                return True
        return False


def violable(free: Comparison, name: str) -> list[Function]:
    """The parts of one of our rules that some grid violates: not those about unused cells. As each
    cell has a number, any of them states the rule.
    """
    return [each for each in free.ruled[name] if not free.none(each)]


def retractable() -> list[str]:
    """The names of our rules that a fact retracts."""
    return sorted(set[str]().union(*(each.retractable for each in library.game())))
