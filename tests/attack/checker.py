"""An independent checker for the steps of an explanation: plain clingo, without aspdoku's guards
and propagation.

clingo parses the text of the program. Its constraints and choices are replaced by the rule
instances that a step cites: the text of the rule, with the values of its variables as comparisons
in the body. Definitions and facts stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clingo import Control
from clingo.ast import AST, ASTType, ComparisonOperator, parse_string

CHOICE = "{ a(R,C,N) : number(N) } :- cell(R,C)."
ONE_NUMBER = "{ a(R,C,N) : number(N) } = 1 :- cell(R,C)."


class Checker:
    """Decides what follows from cited rule instances of a program.

    one_number: assume that each cell holds one number, even if no step cites it
    """

    def __init__(self, program, one_number: bool) -> None:
        self.program = program
        self._kept = [ONE_NUMBER if one_number else CHOICE]
        self._rules: dict[int, AST] = {}
        statements: list[AST] = []
        parse_string(program.text, statements.append)
        for statement in statements:
            if restricts(statement):
                self._rules[statement.location.begin.line] = statement
            elif not is_given(statement):
                self._kept.append(str(statement))

    def follows(self, claims: Iterable, instances: Iterable, known: Iterable) -> bool:
        """Whether the rule instances and the known claims entail all the claims."""
        negated = ", ".join(f"{'' if claim.holds else 'not '}{atom(claim)}" for claim in claims)
        return self._contradictory(instances, known, f":- {negated}.")

    def is_conflict(self, instances: Iterable, known: Iterable) -> bool:
        """Whether the rule instances contradict the known claims."""
        return self._contradictory(instances, known, "")

    def _contradictory(self, instances: Iterable, known: Iterable, more: str) -> bool:
        control = Control(["--eq=0"])
        held = [f":- {'not ' if claim.holds else ''}{atom(claim)}." for claim in known]
        cited = [text for instance in instances for text in self._cited(instance)]
        control.add("base", [], "\n".join([*self._kept, *cited, *held, more]))
        control.ground([("base", [])])
        return bool(control.solve().unsatisfiable)

    def _cited(self, instance) -> Iterator[str]:
        guard = instance.guard
        part = next(part for part in self.program.parts if part.rule.place == guard.place)
        statement = self._rules[part.first_line + guard.line - 1]
        terms = instance.symbol.arguments[
            1
        ].arguments  # unlike `values`, with the quotes of strings
        values = [f"{name} = {term}" for name, term in zip(guard.variables, terms, strict=True)]
        # A comma after a conditional literal would extend its condition.
        body = "; ".join([*map(str, statement.body), *values])
        if statement.head.ast_type == ASTType.Aggregate:
            elements = "; ".join(map(str, statement.head.elements))
            yield (
                f":- {body}; {{ {elements} }} < 1."
                if guard.part == "least"
                else f":- {body}; {{ {elements} }} > 1."
            )
        else:
            yield f":- {body}."


def atom(claim) -> str:
    return f"a({claim.row},{claim.column},{claim.number})"


def restricts(statement: AST) -> bool:
    """Whether it is a constraint, or a choice of exactly one."""
    if statement.ast_type != ASTType.Rule:
        return False
    if statement.head.ast_type == ASTType.Aggregate:
        guard = statement.head.left_guard
        assert str(guard.term) == "1"
        assert guard.comparison == ComparisonOperator.Equal
        return True
    return str(statement.head) == "#false"


def is_given(statement: AST) -> bool:
    return (
        statement.ast_type == ASTType.Rule
        and str(statement.head).startswith("a(")
        and not statement.body
    )
