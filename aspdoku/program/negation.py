"""Negate a rule file: derive where a grid violates the rule instead of forbidding the grid.

Each constraint `:- B.` becomes a rule with the body B, so that queries can ask for grids that
violate one rule but not another, and for the cells involved. Only files that consist of definite
rules and constraints can be negated; files that choose or change the base are rejected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.errors import RuleError
from aspdoku.program import library
from aspdoku.program.guards import Part, bounds_of
from aspdoku.program.lint import defined_predicates
from aspdoku.program.rulefile import EXCEPTIONS, RuleFile
from aspdoku.program.syntax import (
    Signature,
    atoms,
    heads,
    negated_head,
    negative_cycles,
    parse,
    position_of,
    signature,
    walk,
)
from aspdoku.puzzle.puzzle import GIVEN
from aspdoku.signals import postponed

if TYPE_CHECKING:
    from clingo.ast import AST, Location

    from aspdoku.puzzle import Function

_IGNORED = {"Comment", "Defined", "Program", "ShowSignature", "ShowTerm"}


def negate(rule: RuleFile, tag: str, facts: Iterable[Function] = ()) -> RuleFile:
    """A rule file that derives `TAG_broken` if the grid violates the rule, and forbids nothing.

    The predicates that the file defines are renamed to `TAG_…`, so that two negated files do not
    interfere.

    facts: those of the puzzle; those over renamed predicates are repeated under the new name
    Raises RuleError, with the line, if the file cannot be negated.
    """
    statements = _negatable(rule, tag)
    lines = [f"{tag}_broken :- {_body(statement)}." for statement in _constraints(statements)]
    return _file(rule, tag, statements, [*lines, f"#defined {tag}_broken/0."], facts)


def may_choose(rule: RuleFile) -> bool:
    """Whether a file may have more than one answer set for one grid.

    This requires a choice, explicit or by recursion through negation.
    """
    statements, _ = parse(rule)
    rules = [statement for statement in statements if statement.ast_type.name not in _IGNORED]
    if any(each.ast_type.name != "Rule" or each.head.ast_type.name != "Literal" for each in rules):
        return True
    try:
        _require_no_implicit_choice(rule, rules)
    except RuleError:
        return True
    return False


def is_decided_by_grid(rules: Iterable[RuleFile]) -> bool:
    """Whether a full grid determines all other atoms of a program.

    That is not so if it chooses other atoms than a/3, explicitly or by recursion through negation,
    or if it also derives a/3.
    """
    statements = [each for rule in rules for each in parse(rule)[0] if each.ast_type.name == "Rule"]
    for statement in statements:
        kind = statement.head.ast_type.name
        is_grid = [signature(head) == GIVEN for head in heads(statement)]
        if kind not in ("Literal", "Aggregate") or any(
            each != (kind == "Aggregate") for each in is_grid
        ):
            return False
    return not any(negative_cycles(statements))


def is_textually_equal(one: RuleFile, two: RuleFile, excepted: Iterable[str] = ()) -> bool:
    """Whether two files have the same rules up to layout, order of body literals and `not ab(X)`.

    excepted: the names X for which a fact `ab(X)` or `ab(X,…)` may hold; literals `not ab` over
    these are not ignored
    """
    both = [
        Counter(_normalized(statement, frozenset(excepted)) for statement in _negatable(rule, ""))
        for rule in (one, two)
    ]
    return both[0] == both[1]


def _normalized(statement: AST, excepted: frozenset[str]) -> tuple[str, ...]:
    def is_ignored(literal: AST) -> bool:
        asked = (
            list(atoms(literal)) if literal.ast_type.name == "Literal" and literal.sign == 1 else []
        )
        return bool(asked) and all(
            atom.name == EXCEPTIONS
            and atom.arguments
            and atom.arguments[0].ast_type.name == "SymbolicTerm"
            and str(atom.arguments[0]) not in excepted
            for atom in asked
        )

    conditions = sorted(str(literal) for literal in statement.body if not is_ignored(literal))
    return str(statement.head), *conditions


class InstanceQuery(NamedTuple):
    """A rule file that derives the violations of a rule by a grid.

    It derives `TAG_violation(LINE,COLUMN,NUMBER,VALUES)` for each violation. LINE and COLUMN are
    the position of the constraint in the author's file, NUMBER counts the constraints after
    unpooling, and VALUES are the values of the global variables. `TAG_cell(…,R,C)`, with the same
    first arguments, derives the cells of the atoms a/3 that hold in the violated body. If there are
    none, as in "no place for N", `TAG_range(…,R,C)` derives the cells that the body ranges over.

    constraints: by their NUMBER, whether each is a constraint or a bound of a choice, and the names
        of its global variables
    """

    rule: RuleFile
    constraints: tuple[tuple[Part, tuple[str, ...]], ...]


def negate_per_instance(rule: RuleFile, tag: str, facts: Iterable[Function] = ()) -> InstanceQuery:
    """The query for the violations of a rule, whose predicates are renamed as in `negate`.

    Raises RuleError, with the line, if the file cannot be negated.
    """
    statements = _negatable(rule, tag)
    lines, constraints = _per_instance(tag, [("", each) for each in _constraints(statements)])
    return InstanceQuery(_file(rule, tag, statements, lines, facts), constraints)


def violations_query(rule: RuleFile, tag: str) -> InstanceQuery:
    """The query for the violations of a rule by other programs with its helper predicates.

    Its predicates keep their names, and the bounds of its choices count as constraints, so that any
    file can be asked about.
    """
    lines, kinds = _per_instance(tag, _restrictions(rule))
    name = f"{rule.place} (negated)"
    text = "\n".join([*lines, ""])
    return InstanceQuery(RuleFile(tag, name, text, vetted=True, source=rule), kinds)


def relaxed(rule: RuleFile, tag: str) -> tuple[RuleFile, set[tuple[int, int]]]:
    """The file without its constraints and the bounds of its choices, and their positions.

    `TAG_broken(LINE,COLUMN)` holds if the one at this position is violated. All other statements
    and the names of predicates are kept.
    """
    lines, places = [], set()
    for _, constraint in _restrictions(rule):
        places.add(position_of(constraint))
        line, column = position_of(constraint)
        lines.append(f"{tag}_broken({line},{column}) :- {_body(constraint)}.")
    for statement in parse(rule)[0]:
        if statement.ast_type.name == "Comment":
            continue
        if statement.ast_type.name == "Rule":
            if _is_constraint(statement):
                continue
            if statement.head.ast_type.name == "Aggregate":
                free = statement.head.update(left_guard=None, right_guard=None)
                statement = statement.update(head=free)
        lines.append(str(statement))
    text = "\n".join([*lines, f"#defined {tag}_broken/2.", ""])
    return RuleFile(rule.name, rule.place, text, vetted=True, source=rule), places


def _restrictions(rule: RuleFile) -> Iterator[tuple[Part, AST]]:
    """The constraints of a file, and each bound of its choices as a constraint."""
    statements = [each for each in parse(rule)[0] if each.ast_type.name == "Rule"]
    yield from (("", each) for each in _constraints(statements))
    for statement in statements:
        if statement.head.ast_type.name == "Aggregate":
            for part, bound in bounds_of(statement.head):
                yield part, _without(statement, bound)


def _without(statement: AST, bound: AST) -> AST:
    """The constraint that a bound of a choice is not violated."""
    from clingo import ast

    location = statement.location
    head = ast.Literal(location, ast.Sign.NoSign, ast.BooleanConstant(0))
    violated = ast.Literal(location, ast.Sign.Negation, bound)
    return statement.update(head=head, body=[*statement.body, violated])


def _per_instance(
    tag: str, constraints: Iterable[tuple[Part, AST]]
) -> tuple[list[str], tuple[tuple[Part, tuple[str, ...]], ...]]:
    lines = []
    with postponed:
        unpooled = [(part, each) for part, every in constraints for each in every.unpool()]
    for number, (_, statement) in enumerate(unpooled):
        line, column = position_of(statement)
        values = "".join(f"{name}," for name in _variables(statement))
        key = f"{line},{column},{number},({values})"
        lines.append(f"{tag}_violation({key}) :- {_body(statement)}.")
        for kind, cell, conditions in _cells(statement):
            lines.append(
                f"{tag}_{kind}({key},{cell}) :- {'; '.join([_body(statement), *conditions])}."
            )
    shown = [
        f"#show {tag}_{name}.  #defined {tag}_{name}."
        for name in ("violation/4", "cell/6", "range/6")
    ]
    return lines + shown, tuple((part, tuple(_variables(each))) for part, each in unpooled)


def helper_rules(rule: RuleFile) -> RuleFile:
    """The rules of a file that define helper predicates, without choices and constraints."""
    statements = [statement for statement in parse(rule)[0] if statement.ast_type.name == "Rule"]
    choosing = [statement for statement, _ in negative_cycles(statements)]
    lines = [
        str(statement)
        for statement in statements
        if statement.head.ast_type.name == "Literal"
        and any(heads(statement))
        and statement not in choosing
    ]
    return RuleFile(rule.name, rule.place, "\n".join([*lines, ""]), vetted=True, source=rule)


def unused_tag(tag: str, texts: Iterable[str]) -> str:
    """The tag, extended until no predicate in these texts begins with it."""
    texts = list(texts)
    while any(f"{tag}_" in text for text in texts):
        tag += "x"
    return tag


def _file(
    rule: RuleFile, tag: str, statements: list[AST], lines: list[str], facts: Iterable[Function]
) -> RuleFile:
    declared = [f"#defined {item}." for item in rule.inputs]
    declared += [f"#defined ab/{arity}." for arity in (1, 2)]
    helpers = [str(statement) for statement in statements if any(heads(statement))]
    # A puzzle may have facts over a predicate that the file also defines, e.g. the regions of a
    # jigsaw.
    repeated = [f"{tag}_{fact}." for fact in facts if fact.signature in own_predicates(rule)]
    return RuleFile(
        tag,
        f"{rule.place} (negated)",
        "\n".join([*declared, *helpers, *repeated, *lines, ""]),
        vetted=True,
        source=rule,
    )


def own_predicates(rule: RuleFile) -> set[Signature]:
    """The predicates that the file defines and does not declare as inputs."""
    return set(defined_predicates(rule)) - {(item.name, item.arity) for item in rule.inputs}


def _negatable(rule: RuleFile, tag: str) -> list[AST]:
    """The rules of the file with its own predicates renamed.

    Raises RuleError for a statement that is neither a definite rule nor a constraint.
    """
    statements, errors = parse(rule)
    if errors:
        raise RuleError("\n".join(map(str, errors)))
    statements = [statement for statement in statements if statement.ast_type.name not in _IGNORED]
    owned = defined_predicates(library.base())
    for statement in statements:
        if objection := _objection(rule, statement, owned):
            line, column = position_of(statement)
            raise RuleError(f"{rule.place}:{line}:{column}: {objection}")
    _require_no_implicit_choice(rule, statements)
    own = own_predicates(rule)
    return [_renamed(statement, own, tag) for statement in statements]


def _objection(rule: RuleFile, statement: AST, owned: frozenset[Signature]) -> str | None:
    if statement.ast_type.name != "Rule":
        return "only rules and constraints can be compared"
    if statement.head.ast_type.name != "Literal":
        return (
            "a choice or disjunction cannot be compared: it allows atoms instead of forbidding"
            " grids"
        )
    given = {(item.name, item.arity) for item in rule.inputs}
    for atom in heads(statement):
        name, arity = signature(atom)
        if (name, arity) in owned:
            return (
                f"{name}/{arity} is defined in base.lp: a rule with this head changes the base and"
                " cannot be compared"
            )
        if name == EXCEPTIONS:
            return f"{atom} retracts a rule: it changes the game and cannot be compared"
        if (name, arity) in given:
            return (
                f"{name}/{arity} is declared as an input, which the puzzle provides: a rule with"
                " this head cannot be compared"
            )
        if name.startswith("-"):
            return (
                f"{name}/{arity} implicitly forbids {name[1:]}/{arity}: use a constraint ':- ...'"
                " instead"
            )
    return None


def _require_no_implicit_choice(rule: RuleFile, statements: list[AST]) -> None:
    """Raise RuleError for recursion through negation or an aggregate, an implicit choice."""
    for statement, head in negative_cycles(statements):
        line, column = position_of(statement)
        name = "/".join(map(str, head))
        objection = (
            f"{name} depends on itself through negation or an aggregate (an implicit choice) and"
            " cannot be compared"
        )
        raise RuleError(f"{rule.place}:{line}:{column}: {objection}")


def _renamed(statement: AST, own: set[Signature], tag: str) -> AST:
    from clingo.ast import Transformer

    class Renaming(Transformer):
        def visit_SymbolicAtom(self, atom: AST) -> AST:  # noqa: N802 (clingo calls it by this name)
            return atom.update(symbol=renamed(atom.symbol))

    def renamed(symbol: AST) -> AST:
        if symbol.ast_type.name == "UnaryOperation":
            return symbol.update(argument=renamed(symbol.argument))
        if symbol.ast_type.name == "Pool":
            return symbol.update(arguments=[renamed(argument) for argument in symbol.arguments])
        return symbol.update(name=f"{tag}_{symbol.name}") if signature(symbol) in own else symbol

    return Renaming().visit(statement)


def _constraints(statements: list[AST]) -> Iterator[AST]:
    """The constraints, with an empty head: a comparison in the head moves to the body, negated."""
    for statement in statements:
        if _is_constraint(statement):
            negated = negated_head(statement)
            yield statement.update(body=[*statement.body, negated]) if negated else statement


def _is_constraint(statement: AST) -> bool:
    return statement.head.ast_type.name == "Literal" and not any(heads(statement))


def _body(statement: AST) -> str:
    return "; ".join(map(str, statement.body)) or "#true"


def _variables(statement: AST) -> list[str]:
    """The global variables of the constraint, in textual order.

    These are the variables outside of aggregates and conditions.
    """
    names = []
    for literal in statement.body:
        if literal.ast_type.name != "Literal":
            continue
        atom = literal.atom
        if "Aggregate" in atom.ast_type.name:
            nodes: Iterable[AST] = [
                guard.term for guard in (atom.left_guard, atom.right_guard) if guard is not None
            ]
        else:
            nodes = [atom]
        names += [
            found.name
            for node in nodes
            for found in walk(node)
            if found.ast_type.name == "Variable"
        ]
    return [name for name in dict.fromkeys(names) if name != "_"]


def _cells(statement: AST) -> Iterator[tuple[str, str, list[str]]]:
    """Kind, `R,C` and extra conditions for each atom a/3 in the body of a constraint.

    The body is kept unchanged, so that the global variables stay safe. The conditions of an
    aggregate element or a conditional literal are repeated completely, with fresh variables.
    `cell(R,C); number(N)` in place of a(R,C,N) binds the same variables, whatever the terms are.
    """
    fresh = Fresh(statement, _variables(statement))
    for literal in statement.body:
        kind = getattr(literal, "atom", literal).ast_type.name
        if kind == "SymbolicAtom" and (found := _Placed.of(literal, fresh)):
            if literal.sign == 1:
                changed = [str(found.literal)] if str(found.literal) != str(literal) else []
                yield "range", found.cell, [f"cell({found.cell})", *found.ranges, *changed]
            else:
                yield (
                    "cell",
                    found.cell,
                    [*found.ranges, *([found.holding] if found.holding != str(literal) else [])],
                )
        for conditions in _elements(literal):
            yield from _cells_inside([fresh.apart(condition) for condition in conditions], fresh)


def _elements(literal: AST) -> Iterator[list[AST]]:
    """The conditions of each element of an aggregate, or of a conditional literal."""
    if literal.ast_type.name == "ConditionalLiteral":
        yield [literal.literal, *literal.condition]
    elif "Aggregate" in literal.atom.ast_type.name:
        for element in literal.atom.elements:
            yield [*([element.literal] if hasattr(element, "literal") else []), *element.condition]


def _cells_inside(conditions: list[AST], fresh: Fresh) -> Iterator[tuple[str, str, list[str]]]:
    placed = [(condition, _Placed.of(condition, fresh)) for condition in conditions]
    ranges = [text for _, found in placed if found for text in found.ranges]
    holding = [str(found.literal if found else condition) for condition, found in placed] + ranges
    possible = [
        f"cell({found.cell}); {found.number}" if found else str(condition)
        for condition, found in placed
    ] + ranges
    for found in (found for _, found in placed if found):
        if found.literal.sign != 1:
            yield "cell", found.cell, [*holding, *([found.holding] if found.literal.sign else [])]
        yield "range", found.cell, possible


class _Placed(NamedTuple):
    """A literal over a/3 whose cell can occur in a head: without `_` and intervals.

    literal: the rewritten literal; ranges: the values of the variables that replace intervals
    """

    literal: AST
    ranges: list[str]

    @classmethod
    def of(cls, literal: AST, fresh: Fresh) -> _Placed | None:
        """None if the literal is not over a/3, or its cell cannot be named."""
        if (
            getattr(literal, "atom", literal).ast_type.name != "SymbolicAtom"
            or signature(literal.atom.symbol) != GIVEN
        ):
            return None
        symbol = literal.atom.symbol
        *place, number = symbol.arguments
        named, ranges = [], []
        for term in place:
            inside = {node.ast_type.name for node in walk(term)}
            if "Interval" in inside or str(term) == "_":
                variable = fresh.variable(term.location)
                ranges += [f"{variable} = {term}"] if "Interval" in inside else []
                term = variable
            named.append(term)
        if any(
            node.ast_type.name == "Variable" and node.name == "_"
            for term in named
            for node in walk(term)
        ):
            return None
        symbol = symbol.update(arguments=[*named, number])
        return cls(literal.update(atom=literal.atom.update(symbol=symbol)), ranges)

    @property
    def cell(self) -> str:
        """`R,C`."""
        return ",".join(map(str, self.literal.atom.symbol.arguments[:2]))

    @property
    def number(self) -> str:
        """`number(N)`."""
        return f"number({self.literal.atom.symbol.arguments[2]})"

    @property
    def holding(self) -> str:
        """The atom without its sign."""
        return str(self.literal.atom)


class Fresh:
    """Fresh variables for a statement."""

    def __init__(self, statement: AST, global_: Iterable[str]) -> None:
        self._global = set(global_)
        self._used = {node.name for node in walk(statement) if node.ast_type.name == "Variable"}
        self._suffix = "_"
        while any(name + self._suffix in self._used for name in self._used):
            self._suffix += "_"
        self._numbers = (number for number in count(1) if f"Any{number}" not in self._used)

    def apart(self, node: AST) -> AST:
        """The node with its local variables renamed."""
        from clingo.ast import Transformer

        fresh = self

        class Renaming(Transformer):
            def visit_Variable(self, variable: AST) -> AST:  # noqa: N802 (clingo calls it by this name)
                kept = variable.name == "_" or variable.name in fresh._global
                return variable if kept else variable.update(name=variable.name + fresh._suffix)

        return Renaming().visit(node)

    def variable(self, location: Location) -> AST:
        """A new variable."""
        from clingo.ast import Variable

        return Variable(location, f"Any{next(self._numbers)}{self._suffix}")
