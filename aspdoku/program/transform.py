"""Transformations of rule files into other programs; the files themselves are not changed.

What a rule forbids is the instances of one body (`split`): that of a constraint, or that a bound of
a choice does not hold. The programs differ in what they do with an instance:

- with *guards*, it can be switched off, to find the instances that entail a conclusion: its body
  has a fresh atom, a free `#external` (a selector, in the terms of minimal unsatisfiable subsets).
  Switching off must only ever allow more grids; therefore definitions are not guarded.
- a *negated* file derives an atom from it instead of forbidding the grid, to ask for grids that
  violate one rule but not another, and for the cells involved. Only files that consist of definite
  rules and constraints can be negated; files that choose or change the base are rejected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Set
from itertools import count
from typing import NamedTuple

from clingo import ast
from clingo.ast import AST, Location

from aspdoku.errors import RuleError, StatementError
from aspdoku.program import library
from aspdoku.program.lint import defined_predicates
from aspdoku.program.rulefile import (
    EXCEPTIONS,
    MessageTemplate,
    Part,
    RuleFile,
    fill_template,
    message_templates,
)
from aspdoku.program.syntax import (
    EQUAL,
    NAMES,
    Signature,
    atoms,
    bound_variables,
    heads,
    is_comparison,
    is_positive_atom,
    names_in,
    negated_head,
    negative_cycles,
    nodes,
    parse,
    position_of,
    signature,
    source_of,
    variables,
    variables_in_order,
)
from aspdoku.puzzle import Function
from aspdoku.puzzle.puzzle import GIVEN
from aspdoku.runtime.signals import postponed

_NOT = ast.Sign.Negation
_IGNORED = {"Comment", "Defined", "Program", "ShowSignature", "ShowTerm"}
# The comparison operators in clingo's syntax tree.
_MORE, _LESS, _AT_MOST, _AT_LEAST, _UNEQUAL = range(EQUAL)

# --- what rules forbid


class Restriction(NamedTuple):
    """A constraint with the instances that a rule forbids, or one bound of a choice (`part`)."""

    part: Part
    constraint: AST

    @property
    def body(self) -> str:
        """The literals of the constraint."""
        return "; ".join(map(str, self.constraint.body)) or "#true"


def split(
    statement: AST, chosen: Set[Signature] = frozenset()
) -> tuple[AST | None, list[Restriction] | None]:
    """A rule without what it forbids, or None for a constraint; and what it forbids, or None if
    that cannot be told. A rule whose head counts as `chosen` forbids that the head is false.
    """
    head, kind = statement.head, statement.head.ast_type.name
    if kind == "Aggregate":
        free = head.update(left_guard=None, right_guard=None)
        return statement.update(head=free), [
            Restriction(part, _constraint(statement, [ast.Literal(head.location, _NOT, bound)]))
            for part, bound in _bounds(head)
        ]
    signatures = [signature(symbol) for symbol in heads(statement)]
    if kind != "Literal" or any(name.startswith("-") for name, _ in signatures):
        return statement, None
    if signatures and chosen.isdisjoint(signatures):
        return statement, []
    violated = negated_head(statement)
    forbidden = [Restriction("", _constraint(statement, [violated] if violated else []))]
    if not signatures:
        return None, forbidden
    element = ast.ConditionalLiteral(head.location, head, [])
    return statement.update(head=ast.Aggregate(head.location, None, [element], None)), forbidden


def _constraint(statement: AST, violated: list[AST]) -> AST:
    """The constraint whose body is that of a rule and the violation of its head."""
    head = ast.Literal(statement.location, ast.Sign.NoSign, ast.BooleanConstant(0))
    return statement.update(head=head, body=[*statement.body, *violated])


def _bounds(choice: AST) -> Iterator[tuple[Part, AST]]:
    """The bounds of a choice, each as an aggregate with this bound only."""
    free = choice.update(left_guard=None, right_guard=None)
    for guard, side in ((choice.left_guard, "left_guard"), (choice.right_guard, "right_guard")):
        if guard is None:
            continue
        if guard.comparison == EQUAL:
            bound = guard.update(comparison=_AT_MOST)
            yield "least", free.update(left_guard=bound)
            yield "most", free.update(right_guard=bound)
        elif guard.comparison == _UNEQUAL:
            yield "", free.update(**{side: guard})
        else:
            raises = guard.comparison in (_LESS, _AT_MOST)
            part: Part = "least" if raises == (side == "left_guard") else "most"
            yield part, free.update(**{side: guard})


# --- guards


class Guard(NamedTuple):
    """A statement, or one bound of a choice, whose ground instances can be switched off.

    variables: those whose values identify an instance, in the order of the guard's arguments
    template: the template of its message; empty if the author gave none
    text: the statement as its author wrote it, on one line
    """

    place: str
    line: int
    name: str
    part: Part
    variables: tuple[str, ...]
    template: str
    text: str

    def message(self, values: Iterable[str]) -> str:
        """The message for these values; without a template, the rule with the values."""
        known = dict(zip(self.variables, values, strict=True))
        if self.template:
            return fill_template(self.template, known)
        bound = {"least": " (at least)", "most": " (at most)", "": ""}[self.part]
        return (
            f"{self.place}:{self.line}{bound}:"
            f" {NAMES.sub(lambda found: known.get(found[0], found[0]), self.text)}"
        )


class Unguarded(NamedTuple):
    """A restrictive statement that cannot be switched off, so that explanations assume it."""

    place: str
    line: int
    text: str


class GuardedRules(NamedTuple):
    """Rule files with guards. The arguments of the guards' predicate, which no author's file uses,
    are the guard's number and a tuple of values. `unguarded` are restrictive statements without
    guards.
    """

    predicate: str
    rules: tuple[RuleFile, ...]
    guards: tuple[Guard, ...]
    unguarded: tuple[Unguarded, ...]


def add_guards(rules: Iterable[RuleFile]) -> GuardedRules:
    """The rule files with a guard in each constraint, each bound of a choice, and each rule whose
    head is also the head of a choice. Redundant rules are omitted: they explain nothing.
    """
    rules = list(rules)
    every = [each for rule in rules for each in _rules(rule)]
    chosen = {
        signature(head)
        for statement in every
        if statement.head.ast_type.name == "Aggregate"
        for head in heads(statement)
    }
    circular = [statement for statement, _ in negative_cycles(every)]
    predicate = "guard"
    while any(predicate in rule.text for rule in rules):
        predicate += "_"
    guards: list[Guard] = []
    unguarded: list[Unguarded] = []
    files = []
    for rule in rules:
        templates = message_templates(rule)
        lines = []
        for statement in parse(rule)[0]:
            if statement.ast_type.name != "Rule":
                lines += [] if statement.ast_type.name == "Comment" else [str(statement)]
                continue
            template = templates.get(position_of(statement)[0])
            if template and template.is_silent:
                continue
            free, forbidden = split(statement, chosen)
            if free is not None:
                lines.append(str(free))
            if forbidden is None or (not forbidden and statement in circular):
                line = position_of(statement)[0]
                unguarded.append(Unguarded(rule.place, line, str(statement)))
            bound = bound_variables(statement) if forbidden else []
            conditions = _conditions(statement, set(bound))
            for each in forbidden or ():
                guard = _guard(rule, statement, each.part, bound, template)
                values = "".join(f"{name}," for name in guard.variables)
                atom = f"{predicate}({len(guards)},({values}))"
                lines.append(f"#external {atom}{conditions and f' : {conditions}'}. [free]")
                lines.append(f":- {each.body}; {atom}.")
                guards.append(guard)
        files.append(_program(rule, rule.name, rule.place, lines))
    return GuardedRules(predicate, tuple(files), tuple(guards), tuple(unguarded))


def _rules(rule: RuleFile) -> list[AST]:
    return [statement for statement in parse(rule)[0] if statement.ast_type.name == "Rule"]


def _program(rule: RuleFile, name: str, place: str, lines: Iterable[str]) -> RuleFile:
    return RuleFile(name, place, "\n".join([*lines, ""]), vetted=True, source=rule)


def _guard(
    rule: RuleFile, statement: AST, part: Part, bound: list[str], template: MessageTemplate | None
) -> Guard:
    known = (template.variables or template.placeholders) if template else ()
    variables = tuple(name for name in bound if name in known or not known)
    text = template.text(part) if template else ""
    line, source = position_of(statement)[0], source_of(rule, statement)
    return Guard(rule.place, line, rule.name, part, variables, text, source)


def _conditions(statement: AST, bound: set[str]) -> str:
    """The literals of the body that determine the instances: they bind or compare these names."""
    return "; ".join(
        str(literal)
        for literal in statement.body
        if (is_positive_atom(literal) or is_comparison(literal)) and names_in(literal) <= bound
    )


# --- negation


def negate(rule: RuleFile, tag: str, facts: Iterable[Function] = ()) -> RuleFile:
    """A rule file that derives `TAG_broken` if the grid violates the rule, and forbids nothing. The
    predicates that the file defines are renamed to `TAG_…`, also in facts of the puzzle. Raises
    RuleError, with the line, if the file cannot be negated.
    """
    statements = _negatable(rule, tag)
    lines = [f"{tag}_broken :- {each.body}." for each in _restrictions(statements)]
    return _file(rule, tag, statements, [*lines, f"#defined {tag}_broken/0."], facts)


def may_choose(rule: RuleFile) -> bool:
    """Whether a file may choose between answer sets for one grid."""
    statements = [each for each in parse(rule)[0] if each.ast_type.name not in _IGNORED]
    return any(
        each.ast_type.name != "Rule" or each.head.ast_type.name != "Literal" for each in statements
    ) or any(negative_cycles(statements))


def is_decided_by_grid(rules: Iterable[RuleFile]) -> bool:
    """Whether a full grid determines all other atoms of a program: it chooses a/3 only, which it
    derives nowhere, and has no recursion through negation.
    """
    statements = [each for rule in rules for each in _rules(rule)]
    for statement in statements:
        kind = statement.head.ast_type.name
        is_grid = {signature(head) == GIVEN for head in heads(statement)}
        if kind not in ("Literal", "Aggregate") or is_grid - {kind == "Aggregate"}:
            return False
    return not any(negative_cycles(statements))


def is_textually_equal(one: RuleFile, two: RuleFile, excepted: Iterable[str] = ()) -> bool:
    """Whether two files have the same rules up to layout, order of body literals and `not ab(X)`,
    except for the names X in `excepted`.
    """
    one_rules, two_rules = (
        Counter(_normalized(statement, frozenset(excepted)) for statement in _negatable(rule, ""))
        for rule in (one, two)
    )
    return one_rules == two_rules


def _normalized(statement: AST, excepted: frozenset[str]) -> tuple[str, ...]:
    kept = (literal for literal in statement.body if not is_exception(literal, excepted))
    return str(statement.head), *sorted(map(str, kept))


def is_exception(literal: AST, excepted: Collection[str] = ()) -> bool:
    """Whether a body literal is `not ab(NAME)`; `excepted` are names for which it is none."""
    negated = literal.ast_type.name == "Literal" and literal.sign == _NOT
    asked = list(atoms(literal)) if negated else []
    return bool(asked) and all(
        atom.name == EXCEPTIONS
        and atom.arguments
        and atom.arguments[0].ast_type.name == "SymbolicTerm"
        and str(atom.arguments[0]) not in excepted
        for atom in asked
    )


class InstanceQuery(NamedTuple):
    """A rule file that derives `TAG_violation(LINE,COLUMN,NUMBER,VALUES)` for each violation of a
    rule. LINE and COLUMN are the position of the constraint in the author's file, NUMBER counts the
    constraints after unpooling, and VALUES are the values of the global variables.
    `TAG_cell(…,R,C)`, with the same first arguments, derives the cells of the atoms a/3 that hold
    in the violated body. If there are none, as in "no place for N", `TAG_range(…,R,C)` derives the
    cells that the body ranges over.

    constraints: by their NUMBER, their part and the names of their global variables
    """

    rule: RuleFile
    constraints: tuple[tuple[Part, tuple[str, ...]], ...]


def broken(negated: RuleFile) -> Function:
    """The atom that a negated file derives if the grid violates the rule."""
    return Function(f"{negated.name}_broken")


def negate_per_instance(rule: RuleFile, tag: str, facts: Iterable[Function] = ()) -> InstanceQuery:
    """The query for the violations of a rule, whose predicates are renamed as in `negate`."""
    statements = _negatable(rule, tag)
    lines, constraints = _per_instance(tag, _restrictions(statements))
    return InstanceQuery(_file(rule, tag, statements, lines, facts), constraints)


def violations_query(rule: RuleFile, tag: str, _: Iterable[Function] = ()) -> InstanceQuery:
    """The query for violations of any rule, with its predicates and the bounds of its choices."""
    lines, constraints = _per_instance(tag, _restrictions(parse(rule)[0]))
    return InstanceQuery(_program(rule, tag, f"{rule.place} (negated)", lines), constraints)


def relaxed(rule: RuleFile, tag: str) -> tuple[RuleFile, set[tuple[int, int]]]:
    """The file without its constraints and the bounds of its choices, and their positions.
    `TAG_broken(LINE,COLUMN)` holds if the one at this position is violated.
    """
    lines, places = [f"#defined {tag}_broken/2."], set()
    for statement in parse(rule)[0]:
        if statement.ast_type.name == "Comment":
            continue
        free, forbidden = split(statement) if statement.ast_type.name == "Rule" else (statement, [])
        lines += [str(free)] if free is not None else []
        for each in forbidden or ():
            line, column = place = position_of(statement)
            places.add(place)
            lines.append(f"{tag}_broken({line},{column}) :- {each.body}.")
    return _program(rule, rule.name, rule.place, lines), places


def _restrictions(statements: Iterable[AST]) -> Iterator[Restriction]:
    for statement in statements:
        if statement.ast_type.name == "Rule":
            yield from split(statement)[1] or ()


def _per_instance(
    tag: str, restrictions: Iterable[Restriction]
) -> tuple[list[str], tuple[tuple[Part, tuple[str, ...]], ...]]:
    lines = []
    with postponed:
        unpooled = [
            Restriction(part, constraint)
            for part, pooled in restrictions
            for constraint in pooled.unpool()
        ]
    for number, (_, constraint) in enumerate(unpooled):
        body = unpooled[number].body
        line, column = position_of(constraint)
        values = "".join(f"{name}," for name in _global_variables(constraint))
        key = f"{line},{column},{number},({values})"
        lines.append(f"{tag}_violation({key}) :- {body}.")
        for kind, cell, conditions in _cells(constraint):
            lines.append(f"{tag}_{kind}({key},{cell}) :- {'; '.join([body, *conditions])}.")
    shown = [
        f"#show {tag}_{name}.  #defined {tag}_{name}."
        for name in ("violation/4", "cell/6", "range/6")
    ]
    names = ((part, tuple(_global_variables(constraint))) for part, constraint in unpooled)
    return lines + shown, tuple(names)


def helper_rules(rule: RuleFile) -> RuleFile:
    """The rules of a file that define helper predicates, without choices and constraints."""
    statements = _rules(rule)
    choosing = [statement for statement, _ in negative_cycles(statements)]
    lines = [
        str(each)
        for each in statements
        if each.head.ast_type.name == "Literal" and any(heads(each)) and each not in choosing
    ]
    return _program(rule, rule.name, rule.place, lines)


def unused_tag(tag: str, texts: Iterable[str]) -> str:
    """The tag, extended until no predicate in these texts begins with it."""
    texts = list(texts)
    while any(f"{tag}_" in text for text in texts):
        tag += "x"
    return tag


def _file(
    rule: RuleFile, tag: str, statements: list[AST], lines: list[str], facts: Iterable[Function]
) -> RuleFile:
    declared = [f"#defined {item}." for item in rule.declared]
    declared += [f"#defined ab/{arity}." for arity in (1, 2)]
    helpers = [str(statement) for statement in statements if any(heads(statement))]
    # A puzzle may have facts over a predicate that the file also defines, e.g. the regions of a
    # jigsaw.
    repeated = [f"{tag}_{fact}." for fact in facts if fact.signature in own_predicates(rule)]
    every = [*declared, *helpers, *repeated, *lines]
    return _program(rule, tag, f"{rule.place} (negated)", every)


def own_predicates(rule: RuleFile) -> set[Signature]:
    """The predicates that the file defines and does not declare as inputs."""
    return set(defined_predicates(rule)) - {item.signature for item in rule.inputs}


def _negatable(rule: RuleFile, tag: str) -> list[AST]:
    """The rules of the file with its predicates renamed. Raises RuleError for other statements."""
    statements, errors = parse(rule)
    if errors:
        raise RuleError("\n".join(map(str, errors)))
    statements = [statement for statement in statements if statement.ast_type.name not in _IGNORED]
    owned = defined_predicates(library.base())
    for statement in statements:
        if objection := _objection(rule, statement, owned):
            raise StatementError(rule.place, position_of(statement), objection)
    for statement, (name, arity) in negative_cycles(statements):
        text = f"{name}/{arity} depends on itself through negation or an aggregate (an implicit"
        text += " choice) and cannot be compared"
        raise StatementError(rule.place, position_of(statement), text)
    own = own_predicates(rule)
    return [_renamed(statement, own, tag) for statement in statements]


def _objection(rule: RuleFile, statement: AST, owned: frozenset[Signature]) -> str | None:
    if statement.ast_type.name != "Rule":
        return "only rules and constraints can be compared"
    if statement.head.ast_type.name != "Literal":
        cannot = "a choice or disjunction cannot be compared"
        return f"{cannot}: it allows atoms instead of forbidding grids"
    given = {item.signature for item in rule.inputs}
    for atom in heads(statement):
        name, arity = signature(atom)
        head = "a rule with this head"
        if (name, arity) in owned:
            base = f"{name}/{arity} is defined in base.lp"
            return f"{base}: {head} changes the base and cannot be compared"
        if name == EXCEPTIONS:
            return f"{atom} retracts a rule: it changes the game and cannot be compared"
        if (name, arity) in given:
            declared = f"{name}/{arity} is declared as an input, which the puzzle provides"
            return f"{declared}: {head} cannot be compared"
        if name.startswith("-"):
            forbids = f"{name}/{arity} implicitly forbids {name[1:]}/{arity}"
            return f"{forbids}: use a constraint ':- ...' instead"
    return None


def _renamed(statement: AST, own: set[Signature], tag: str) -> AST:
    def renamed(symbol: AST) -> AST:
        if symbol.ast_type.name == "UnaryOperation":
            return symbol.update(argument=renamed(symbol.argument))
        if symbol.ast_type.name == "Pool":
            return symbol.update(arguments=[renamed(argument) for argument in symbol.arguments])
        return symbol.update(name=f"{tag}_{symbol.name}") if signature(symbol) in own else symbol

    return _changed(
        statement, "SymbolicAtom", lambda atom: atom.update(symbol=renamed(atom.symbol))
    )


def _changed(node: AST, kind: str, change: Callable[[AST], AST]) -> AST:
    methods = {f"visit_{kind}": lambda _, child: change(child)}
    return type("_Changing", (ast.Transformer,), methods)().visit(node)  # type: ignore[no-any-return]


def _global_variables(statement: AST) -> list[str]:
    """The variables of a constraint outside of aggregates and conditions, in textual order."""
    nodes: list[AST] = []
    for atom in (each.atom for each in statement.body if each.ast_type.name == "Literal"):
        if "Aggregate" in atom.ast_type.name:
            nodes += [each.term for each in (atom.left_guard, atom.right_guard) if each is not None]
        else:
            nodes.append(atom)
    return list(dict.fromkeys(name for node in nodes for name in variables_in_order(node)))


def _cells(statement: AST) -> Iterator[tuple[str, str, list[str]]]:
    """Kind, `R,C` and extra conditions for each atom a/3 in the body of a constraint, which is kept
    so that the global variables stay safe. The conditions of an aggregate element or a conditional
    literal are repeated completely, with fresh variables. `cell(R,C); number(N)` in place of
    a(R,C,N) binds the same variables, whatever the terms are.
    """
    fresh = Fresh(statement, _global_variables(statement))
    for literal in statement.body:
        kind = getattr(literal, "atom", literal).ast_type.name
        if kind == "SymbolicAtom" and (found := _Placed.of(literal, fresh)):
            negated = literal.sign == 1
            new = str(found.literal) if negated else found.holding
            conditions = [*found.ranges, *([new] if new != str(literal) else [])]
            if negated:
                yield "range", found.cell, [f"cell({found.cell})", *conditions]
            else:
                yield "cell", found.cell, conditions
        for element in _elements(literal):
            yield from _cells_inside(list(map(fresh.apart, element)), fresh)


def _elements(literal: AST) -> Iterator[list[AST]]:
    if literal.ast_type.name == "ConditionalLiteral":
        yield [literal.literal, *literal.condition]
    elif "Aggregate" in literal.atom.ast_type.name:
        for element in literal.atom.elements:
            yield [*([element.literal] if hasattr(element, "literal") else []), *element.condition]


def _cells_inside(conditions: list[AST], fresh: Fresh) -> Iterator[tuple[str, str, list[str]]]:
    placed = [(condition, _Placed.of(condition, fresh)) for condition in conditions]
    inside = [found for _, found in placed if found]
    ranges = [text for found in inside for text in found.ranges]
    holding = [str(found.literal if found else condition) for condition, found in placed] + ranges
    possible = [
        f"cell({found.cell}); {found.number}" if found else str(condition)
        for condition, found in placed
    ] + ranges
    for found in inside:
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
            is_range = any(nodes(term, "Interval"))
            if is_range or str(term) == "_":
                variable = fresh.variable(term.location)
                ranges += [f"{variable} = {term}"] if is_range else []
                term = variable
            named.append(term)
        if any("_" in variables(term) for term in named):
            return None
        symbol = symbol.update(arguments=[*named, number])
        return cls(literal.update(atom=literal.atom.update(symbol=symbol)), ranges)

    @property
    def cell(self) -> str:
        return ",".join(map(str, self.literal.atom.symbol.arguments[:2]))

    @property
    def number(self) -> str:
        return f"number({self.literal.atom.symbol.arguments[2]})"

    @property
    def holding(self) -> str:
        return str(self.literal.atom)


class Fresh:
    """Fresh variables for a statement."""

    def __init__(self, statement: AST, global_: Iterable[str]) -> None:
        self._global = set(global_)
        self._used = variables(statement)
        self._suffix = "_"
        while any(name + self._suffix in self._used for name in self._used):
            self._suffix += "_"
        self._numbers = (number for number in count(1) if f"Any{number}" not in self._used)

    def apart(self, node: AST) -> AST:
        """The node with its local variables renamed."""

        def renamed(variable: AST) -> AST:
            kept = variable.name == "_" or variable.name in self._global
            return variable if kept else variable.update(name=variable.name + self._suffix)

        return _changed(node, "Variable", renamed)

    def variable(self, location: Location) -> AST:
        """A new variable."""
        return ast.Variable(location, f"Any{next(self._numbers)}{self._suffix}")
