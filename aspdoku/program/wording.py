"""The wording of a rule: its statements in a form that layout and arbitrary choices do not change.

Students who have the same idea write `|R1-R|` or `|R-R1|`, name variables as they like, and list
conditions in any order. The form has variables numbered in order of occurrence, the sides of
commutative operations and of comparisons sorted, and statements and conditions sorted. The
conditions of a statement are in each order of its atoms once, of which the first form by the
alphabet is taken. Comments, declarations, and the conditions `not ab(NAME)` are left out. Two
rules with one form mean the same; rules that mean the same can have several.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import permutations

from clingo import ast
from clingo.ast import AST, BinaryOperator, ComparisonOperator, UnaryOperator

from aspdoku.program.rulefile import RuleFile, without_comments
from aspdoku.program.syntax import is_positive_atom, parse
from aspdoku.program.transform import is_exception

# Statements with more atoms are not tried in each order; those of longer files stay as they are,
# since each takes a millisecond or more.
_MOST_ATOMS, _MOST_STATEMENTS = 4, 20
_COMMUTATIVE = (BinaryOperator.Plus, BinaryOperator.Multiplication)
_SYMMETRIC = (ComparisonOperator.Equal, ComparisonOperator.NotEqual)
_TURNED = {
    ComparisonOperator.GreaterThan: ComparisonOperator.LessThan,
    ComparisonOperator.GreaterEqual: ComparisonOperator.LessEqual,
}
_EXCEPTION = re.compile(r",\s*not\s+ab\([^()]*\)|not\s+ab\([^()]*\)\s*,\s*")
_LEFT_OUT = ("Program", "Defined", "Comment")


def wording(rule: RuleFile) -> str:
    """The normal form of a valid rule, a statement in each line."""
    statements = [each for each in parse(rule)[0] if each.ast_type.name not in _LEFT_OUT]
    form = _form if len(statements) <= _MOST_STATEMENTS else str
    return "\n".join(sorted(map(form, statements)))


def without_remarks(rule: RuleFile) -> str:
    """The text without comments, `#defined` and `not ab(NAME)`, which may name its author."""
    text = re.sub(r"#defined[^.]*\.", "", without_comments(rule.text))
    text = _EXCEPTION.sub("", text)
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())


def _form(statement: AST) -> str:
    if statement.ast_type.name != "Rule":
        return str(statement)
    body = [each for each in statement.body if not is_exception(each)]
    atoms = [each for each in body if is_positive_atom(each)]
    others = [each for each in body if not is_positive_atom(each)]
    orders: Iterable[tuple[AST, ...]] = [tuple(atoms)]
    if len(atoms) <= _MOST_ATOMS:
        orders = permutations(atoms)
    return min(_in_order(statement, [*order, *others]) for order in orders)


def _in_order(statement: AST, body: list[AST]) -> str:
    naming = _Naming()
    literals = [str(naming.visit(each)) for each in body]
    head = str(naming.visit(statement.head))
    return f"{head} :- {'; '.join(sorted(literals))}."


class _Naming(ast.Transformer):
    """Renames variables in the order in which they occur, and sorts sides that commute."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def visit_Variable(self, node: AST) -> AST:  # noqa: N802  # a name of clingo.ast
        if node.name == "_":
            return node
        return node.update(name=self._names.setdefault(node.name, f"V{len(self._names)}"))

    def visit_BinaryOperation(self, node: AST) -> AST:  # noqa: N802
        node = node.update(**self.visit_children(node))
        if node.operator_type in _COMMUTATIVE:
            left, right = sorted((node.left, node.right), key=str)
            return node.update(left=left, right=right)
        return node

    def visit_UnaryOperation(self, node: AST) -> AST:  # noqa: N802
        node = node.update(**self.visit_children(node))
        inner = node.argument
        if (
            node.operator_type == UnaryOperator.Absolute
            and inner.ast_type.name == "BinaryOperation"
            and inner.operator_type == BinaryOperator.Minus
        ):
            left, right = sorted((inner.left, inner.right), key=str)
            return node.update(argument=inner.update(left=left, right=right))
        return node

    def visit_Comparison(self, node: AST) -> AST:  # noqa: N802
        node = node.update(**self.visit_children(node))
        if len(node.guards) != 1:
            return node
        [guard] = node.guards
        term, other, kind = node.term, guard.term, guard.comparison
        if kind in _TURNED:
            term, other, kind = other, term, _TURNED[kind]
        elif kind in _SYMMETRIC:
            term, other = sorted((term, other), key=str)
        return node.update(term=term, guards=[guard.update(term=other, comparison=kind)])
