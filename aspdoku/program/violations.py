"""A rule file turned round: instead of forbidding a grid, it says where the grid breaks the rule.

Each constraint `:- B.` becomes a rule with B as its body, so that one can ask for grids that break one rule and not another,
and see the cells that do. Only definite helpers and constraints can be turned round; what chooses or changes the base is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count
from typing import TYPE_CHECKING

from aspdoku.errors import RuleError
from aspdoku.program import library
from aspdoku.program.check import vocabulary
from aspdoku.program.circles import closing_circles
from aspdoku.program.rulefile import EXCEPTIONS, RuleFile
from aspdoku.program.syntax import Signature, atoms, heads, parse, place_of, signature, walk

if TYPE_CHECKING:
    from clingo.ast import AST

_SILENT = {"Comment", "Defined", "Program", "ShowSignature", "ShowTerm"}


def breach(rule: RuleFile, tag: str) -> RuleFile:
    """A rule file that derives `TAG_broken` where the grid breaks the rule, and forbids nothing.

    The file's own predicates are called `TAG_…` in it, so that two of them never meet.
    Raises RuleError with the line that cannot be turned round.
    """
    statements = _turnable(rule, tag)
    lines = [f"{tag}_broken :- {_body(statement)}." for statement in _constraints(statements)]
    return _file(rule, tag, statements, [*lines, f"#defined {tag}_broken/0."])


def may_choose(rule: RuleFile) -> bool:
    """Whether a file may have more than one answer for one grid: it chooses, openly or by recursion through `not`."""
    statements, _ = parse(rule)
    rules = [statement for statement in statements if statement.ast_type.name not in _SILENT]
    if any(each.ast_type.name != "Rule" or each.head.ast_type.name != "Literal" for each in rules):
        return True
    try:
        _refuse_hidden_choice(rule, rules)
    except RuleError:
        return True
    return False


def in_the_same_words(one: RuleFile, two: RuleFile, excepted: Iterable[str] = ()) -> bool:
    """Whether two files say the same, but for layout, the order of conditions and `not ab(NAME)`.

    excepted: the names X for which a fact `ab(X)` or `ab(X,…)` may hold; their `not ab` is not passed over
    """
    both = [Counter(_words(statement, frozenset(excepted)) for statement in _turnable(rule, "")) for rule in (one, two)]
    return both[0] == both[1]


def _words(statement: AST, excepted: frozenset[str]) -> tuple[str, ...]:
    def passed_over(literal: AST) -> bool:
        asked = list(atoms(literal)) if literal.ast_type.name == "Literal" and literal.sign == 1 else []
        return bool(asked) and all(
            atom.name == EXCEPTIONS and atom.arguments and str(atom.arguments[0]) not in excepted for atom in asked
        )

    conditions = sorted(str(literal) for literal in statement.body if not passed_over(literal))
    return str(statement.head), *conditions


def offences(rule: RuleFile, tag: str) -> RuleFile:
    """A rule file that shows each breach as `TAG_breach(LINE,COLUMN,VALUES)` and its cells as `TAG_cell(LINE,COLUMN,VALUES,R,C)`.

    LINE and COLUMN are where the constraint stands in the author's file, VALUES those of its variables. A constraint that
    misses something, as in "no place for N", has no numbers to point at; its cells are then those that it looked in, as
    `TAG_room(LINE,COLUMN,VALUES,R,C)`.
    """
    statements = _turnable(rule, tag)
    lines = []
    for statement in _constraints(statements):
        line, column = place_of(statement)
        key = f"{line},{column},({','.join(_variables(statement))},)" if _variables(statement) else f"{line},{column},()"
        lines.append(f"{tag}_breach({key}) :- {_body(statement)}.")
        for kind, cell, conditions in _cells(statement):
            lines.append(f"{tag}_{kind}({key},{cell}) :- {'; '.join([_body(statement), *conditions])}.")
    shown = [f"#show {tag}_{name}.  #defined {tag}_{name}." for name in ("breach/3", "cell/5", "room/5")]
    return _file(rule, tag, statements, lines + shown)


def _file(rule: RuleFile, tag: str, statements: list[AST], lines: list[str]) -> RuleFile:
    declared = [f"#defined {item}." for item in rule.inputs]
    declared += [f"#defined ab/{arity}." for arity in (1, 2)]
    helpers = [str(statement) for statement in statements if any(heads(statement))]
    return RuleFile(tag, f"{rule.place} turned round", "\n".join([*declared, *helpers, *lines, ""]), vetted=True)


def _turnable(rule: RuleFile, tag: str) -> list[AST]:
    """The rules of the file with its own predicates renamed. Raises RuleError where one is neither helper nor constraint."""
    statements, errors = parse(rule)
    if errors:
        raise RuleError("\n".join(map(str, errors)))
    statements = [statement for statement in statements if statement.ast_type.name not in _SILENT]
    for statement in statements:
        if complaint := _complaint(rule, statement):
            line, column = place_of(statement)
            raise RuleError(f"{rule.place}:{line}:{column}: {complaint}")
    _refuse_hidden_choice(rule, statements)
    own = set(vocabulary(rule)) - {(item.name, item.arity) for item in rule.inputs}
    return [_renamed(statement, own, tag) for statement in statements]


def _complaint(rule: RuleFile, statement: AST) -> str | None:
    if statement.ast_type.name != "Rule":
        return "this is no rule of the game, and cannot be compared with one"
    if statement.head.ast_type.name != "Literal":
        return "a rule that chooses cannot be compared: it says what may be, not what must not be"
    owned = vocabulary(library.base())
    given = {(item.name, item.arity) for item in rule.inputs}
    for atom in heads(statement):
        name, arity = signature(atom)
        if (name, arity) in owned:
            return f"{name}/{arity} is defined in base.lp: a rule with this head changes the base and cannot be compared"
        if name == EXCEPTIONS:
            return f"{atom} takes a rule back: it changes the game and cannot be compared"
        if (name, arity) in given:
            return f"{name}/{arity} is declared as an input, which the puzzle gives: a rule with this head cannot be compared"
        if name.startswith("-"):
            return f"{name}/{arity} forbids {name[1:]}/{arity} without saying so: say it with a constraint ':- ...' instead"
    is_constraint = statement.head.atom.ast_type.name == "BooleanConstant" and statement.head.atom.value == 0
    return None if is_constraint or any(heads(statement)) else "the head is neither an atom nor empty"


def _refuse_hidden_choice(rule: RuleFile, statements: list[AST]) -> None:
    """Recursion through `not` or an aggregate chooses, too. Raises RuleError at the rule that closes the circle."""
    for statement, head in closing_circles(statements):
        line, column = place_of(statement)
        name = "/".join(map(str, head))
        complaint = f"{name} hangs on itself through a 'not' or an aggregate, so that it chooses: it cannot be compared"
        raise RuleError(f"{rule.place}:{line}:{column}: {complaint}")


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


def _constraints(statements: list[AST]) -> list[AST]:
    return [statement for statement in statements if not any(heads(statement))]


def _body(statement: AST) -> str:
    return "; ".join(map(str, statement.body)) or "#true"


def _variables(statement: AST) -> list[str]:
    """The variables that the constraint ranges over, in the order of the text: those outside of aggregates and conditions."""
    names = []
    for literal in statement.body:
        if literal.ast_type.name != "Literal":
            continue
        atom = literal.atom
        if "Aggregate" in atom.ast_type.name:
            nodes: Iterable[AST] = [guard.term for guard in (atom.left_guard, atom.right_guard) if guard is not None]
        else:
            nodes = [atom]
        names += [found.name for node in nodes for found in walk(node) if found.ast_type.name == "Variable"]
    return [name for name in dict.fromkeys(names) if name != "_"]


def _cells(statement: AST) -> Iterator[tuple[str, str, list[str]]]:
    """Kind, `R,C` and extra conditions for each cell that the constraint looks at."""
    outside = set(_variables(statement))
    taken = {node.name for literal in statement.body for node in walk(literal) if node.ast_type.name == "Variable"}
    for literal in statement.body:
        if literal.ast_type.name != "Literal":
            continue
        if literal.atom.ast_type.name == "SymbolicAtom":
            named = literal if literal.sign else _set_apart(literal, taken, taken)
            more = [] if str(named) == str(literal) else [str(named)]
            yield from (("room" if literal.sign else "cell", cell, more) for cell in _holding(named))
        elif "Aggregate" in literal.atom.ast_type.name:
            for element in literal.atom.elements:
                conditions = [getattr(element, "literal", None), *element.condition]
                inside = [_set_apart(condition, outside, taken) for condition in conditions if condition is not None]
                for condition in inside:
                    for cell in _holding(condition):
                        yield "cell", cell, [str(other) for other in inside]
                        yield "room", cell, [f"cell({cell})", *(str(other) for other in inside if other is not condition)]


def _set_apart(condition: AST, outside: set[str], taken: set[str]) -> AST:
    """A condition as it can stand beside where it comes from: its own variables, and each `_`, get names that are not taken."""
    from clingo.ast import Transformer

    anonymous = count(1)

    class Renaming(Transformer):
        def visit_Variable(self, variable: AST) -> AST:  # noqa: N802 (clingo calls it by this name)
            if variable.name == "_":
                return variable if condition.sign else variable.update(name=_free(f"Any{next(anonymous)}", taken))
            return variable if variable.name in outside else variable.update(name=_free(variable.name, taken))

    return Renaming().visit(condition)


def _free(name: str, taken: set[str]) -> str:
    name += "_"
    while name in taken:
        name += "_"
    return name


def _holding(literal: AST) -> Iterator[str]:
    """`R,C` of the atoms a(R,C,N) in a literal, where it names them."""
    for symbol in atoms(literal):
        if symbol.ast_type.name == "Function" and signature(symbol) == ("a", 3):
            cell = f"{symbol.arguments[0]},{symbol.arguments[1]}"
            if "_" not in cell.split(","):
                yield cell
