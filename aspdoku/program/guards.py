"""Guard rule instances, so that each can be switched off to find those that entail a conclusion.

Each constraint, and each bound of a choice, gets a fresh atom per ground instance in its body, a
free `#external` (a selector, in the terms of minimal unsatisfiable subsets). Switching a rule off
must only ever allow more grids; therefore definitions are not guarded. The author's file is not
changed; the result is another program.

The message templates (`%@`) of the rules are parsed here, too: `Guard.message` gives the words for
the values of an instance.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from aspdoku.program.lexer import comments
from aspdoku.program.rulefile import RuleFile
from aspdoku.program.syntax import (
    Signature,
    heads,
    is_positive_atom,
    negated_head,
    negative_cycles,
    parse,
    position_of,
    signature,
    source_of,
)

if TYPE_CHECKING:
    from clingo.ast import AST

Part = Literal["", "least", "most"]

_TEMPLATE = re.compile(r"%@(?:\(([A-Z]\w*(?:\s*,\s*[A-Z]\w*)*)\))?\s*(.*)")
# Variables; also constants and strings, because they may contain the text of a variable.
_VARIABLES = re.compile(r"""[A-Z_]\w*'*|[a-z]\w*|"(?:\\.|[^"\\])*\"""")
_AN = re.compile(r"\ba (?=8|11\b|18\b)")
PLACEHOLDER = re.compile(r"\{(\w+)\}")
# The comparison operators in clingo's syntax tree.
_MORE, _LESS, _AT_MOST, _AT_LEAST, _UNEQUAL, _EQUAL = range(6)
# The operations that clingo inverts to bind their only variable: plus, minus, times.
_LINEAR = (3, 4, 5)
_MINUS_SIGN = 0


class MessageTemplate(NamedTuple):
    """The message template in a comment `%@ row {R} needs a {N}` above a rule.

    line: the line of the comment
    variables: those listed before the text, as in `%@(R,C) …`, which identify an instance; None if
    there is no list, so that the variables in the text identify it, or all if it has none
    parts: the text; for a choice, the texts for too few and for too many, separated by `|`
    """

    line: int
    variables: tuple[str, ...] | None
    parts: tuple[str, ...]

    @property
    def is_silent(self) -> bool:
        """Whether the template is `%@ -`: the rule is redundant and only speeds up the search."""
        return self.parts == ("-",)

    def text(self, part: Part) -> str:
        """The template of a constraint, or of one bound of a choice."""
        return self.parts[-1 if part == "most" else 0]

    def message(self, part: Part, values: Mapping[str, str]) -> str:
        """The message for these values of the variables."""
        return _fill(self.text(part), values)

    @property
    def placeholders(self) -> set[str]:
        """The variables that occur in the template."""
        return set(self.variables or ()).union(*(PLACEHOLDER.findall(part) for part in self.parts))


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
        """The message for the instance with these values of the variables.

        Without a template, it is the rule itself with the values in place of the variables.
        """
        known = dict(zip(self.variables, values, strict=True))
        if self.template:
            return _fill(self.template, known)
        bound = {"least": " (at least)", "most": " (at most)", "": ""}[self.part]
        return (
            f"{self.place}:{self.line}{bound}:"
            f" {_VARIABLES.sub(lambda found: known.get(found[0], found[0]), self.text)}"
        )


def _fill(template: str, values: Mapping[str, str]) -> str:
    """The text of a template with these values in place of the variables."""
    return _AN.sub("an ", PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), template))


class Unguarded(NamedTuple):
    """A restrictive statement that cannot be switched off: explanations assume it, without citing
    it.
    """

    place: str
    line: int
    text: str


class GuardedRules(NamedTuple):
    """Rule files with guards.

    predicate: that of the guards; its arguments are the guard's number and a tuple with the values
    of the variables; no rule file uses it
    rules: the files to assemble in place of the author's
    guards: the guards, by their numbers
    unguarded: the restrictive statements without guards
    """

    predicate: str
    rules: tuple[RuleFile, ...]
    guards: tuple[Guard, ...]
    unguarded: tuple[Unguarded, ...]


def add_guards(rules: Iterable[RuleFile]) -> GuardedRules:
    """The rule files with a guard in each constraint, each bound of a choice, and each rule whose
    head is also the head of a choice.

    Redundant rules are omitted: they explain nothing.
    """
    rules = list(rules)
    statements = [
        [statement for statement in parse(rule)[0] if statement.ast_type.name != "Comment"]
        for rule in rules
    ]
    every = [
        statement for each in statements for statement in each if statement.ast_type.name == "Rule"
    ]
    chosen = {
        signature(head) for statement in every if _chooses(statement) for head in heads(statement)
    }
    circular = [statement for statement, _ in negative_cycles(every)]
    predicate = "guard"
    while any(predicate in rule.text for rule in rules):
        predicate += "_"
    guards: list[Guard] = []
    granted: list[Unguarded] = []
    files = []
    for rule, own_statements in zip(rules, statements, strict=True):
        templates = message_templates(rule)
        lines = []
        for statement in own_statements:
            if statement.ast_type.name != "Rule":
                lines.append(str(statement))
                continue
            line = position_of(statement)[0]
            if line in templates and templates[line].is_silent:
                continue
            hard, pieces = _split(statement, chosen)
            lines += hard
            if pieces is None or (not pieces and any(statement is each for each in circular)):
                granted.append(Unguarded(rule.place, line, str(statement)))
            if not pieces:
                continue
            bound = bound_variables(statement)
            conditions = _conditions(statement, set(bound))
            for part, extra in pieces:
                guard = _guard(rule, statement, part, bound, templates.get(line))
                atom = f"{predicate}({len(guards)},{_tuple(guard.variables)})"
                body = [*map(str, statement.body), *([extra] if extra else []), atom]
                lines.append(f"#external {atom}{conditions and f' : {conditions}'}. [free]")
                lines.append(f":- {'; '.join(body)}.")
                guards.append(guard)
        files.append(
            RuleFile(rule.name, rule.place, "\n".join([*lines, ""]), vetted=True, source=rule)
        )
    return GuardedRules(predicate, tuple(files), tuple(guards), tuple(granted))


def message_templates(rule: RuleFile) -> dict[int, MessageTemplate]:
    """The `%@` comments of a file, by the next line that contains code."""
    found = {}
    starts = [0, *(end.end() for end in re.finditer("\n", rule.text))]
    code = [number for number, line in enumerate(rule.code.split("\n"), 1) if line.strip()]
    for start, _, comment in comments(rule.text):
        if match := _TEMPLATE.match(comment):
            number = bisect(starts, start)
            place = bisect(code, number)
            below = code[place] if place < len(code) else 0
            variables = tuple(name.strip() for name in match[1].split(",")) if match[1] else None
            found[below] = MessageTemplate(
                number, variables, tuple(part.strip() for part in match[2].split("|"))
            )
    return found


def _chooses(statement: AST) -> bool:
    return statement.ast_type.name == "Rule" and statement.head.ast_type.name == "Aggregate"


def _split(
    statement: AST, chosen: set[Signature]
) -> tuple[list[str], list[tuple[Part, str]] | None]:
    """Split a rule into unguarded text and guarded parts (part, extra body literal).

    The guarded parts are None if the rule cannot be guarded.
    """
    head = statement.head
    kind = head.ast_type.name
    body = "; ".join(map(str, statement.body))
    if kind == "Aggregate":
        elements = "; ".join(map(str, head.elements))
        return [_rule(f"{{ {elements} }}", body)], [
            (part, f"not {bound}") for part, bound in bounds_of(head)
        ]
    if kind != "Literal" or any(
        signature(symbol)[0].startswith("-") for symbol in heads(statement)
    ):
        return [str(statement)], None
    if not any(heads(statement)):  # a constraint, possibly with a comparison as its head
        return [], [("", str(negated_head(statement) or ""))]
    if any(signature(symbol) in chosen for symbol in heads(statement)):
        return [_rule(f"{{ {head} }}", body)], [("", f"not {head}")]
    return [str(statement)], []


def _rule(head: str, body: str) -> str:
    return f"{head} :- {body}." if body else f"{head}."


def bounds_of(choice: AST) -> Iterator[tuple[Part, AST]]:
    """The bounds of a choice, each as an aggregate with this bound only."""
    free = choice.update(left_guard=None, right_guard=None)
    for guard, side in ((choice.left_guard, "left_guard"), (choice.right_guard, "right_guard")):
        if guard is None:
            continue
        if guard.comparison == _EQUAL:
            bound = guard.update(comparison=_AT_MOST)
            yield "least", free.update(left_guard=bound)
            yield "most", free.update(right_guard=bound)
        elif guard.comparison == _UNEQUAL:
            yield "", free.update(**{side: guard})
        else:
            raises = guard.comparison in (_LESS, _AT_MOST)
            part: Part = "least" if raises == (side == "left_guard") else "most"
            yield part, free.update(**{side: guard})


def _guard(
    rule: RuleFile, statement: AST, part: Part, bound: list[str], template: MessageTemplate | None
) -> Guard:
    known = (template.variables or template.placeholders) if template else ()
    variables = tuple(name for name in bound if name in known or not known)
    text = template.text(part) if template else ""
    return Guard(
        rule.place,
        position_of(statement)[0],
        rule.name,
        part,
        variables,
        text,
        source_of(rule, statement),
    )


def _tuple(terms: Sequence[str]) -> str:
    return f"({','.join(terms)}{',' if terms else ''})"


def _conditions(statement: AST, bound: set[str]) -> str:
    """The conditions of the body that determine the instances.

    These are the literals that bind variables, and comparisons of such variables.
    """
    return "; ".join(
        str(literal)
        for literal in statement.body
        if (is_positive_atom(literal) or _is_comparison(literal)) and _names(literal) <= bound
    )


def bound_variables(statement: AST) -> list[str]:
    """The variables bound by atoms and comparisons of the body, in textual order.

    Variables assigned by an aggregate are not included.
    """
    bound = set().union(
        *(_binding(literal.atom.symbol) for literal in statement.body if is_positive_atom(literal))
    )
    comparisons = [literal.atom for literal in statement.body if _is_comparison(literal)]
    while True:
        new = {name for comparison in comparisons for name in _assigned(comparison, bound)} - bound
        if not new:
            break
        bound |= new
    names = [name for literal in statement.body for name in _names_in_order(literal)]
    return [name for name in dict.fromkeys(names) if name in bound]


def _binding(node: AST) -> set[str]:
    """The variables that an atom with this term binds.

    Those of S*S or |S-3| are not bound, because clingo cannot invert these terms.
    """
    kind = node.ast_type.name
    if kind == "Variable":
        return {node.name} - {"_"}
    if kind == "Function":
        return set().union(*map(_binding, node.arguments))
    if kind == "UnaryOperation" and node.operator_type == _MINUS_SIGN:
        return _binding(node.argument)
    if (
        kind == "BinaryOperation"
        and node.operator_type in _LINEAR
        and not (_names(node.left) and _names(node.right))
    ):
        return _binding(node.left) | _binding(node.right)
    return set()


def _assigned(comparison: AST, bound: set[str]) -> Iterator[str]:
    """The variable that `X = …` binds, once all variables on the other side are bound."""
    if len(comparison.guards) == 1 and comparison.guards[0].comparison == _EQUAL:
        sides = comparison.term, comparison.guards[0].term
        for one, other in (sides, sides[::-1]):
            if one.ast_type.name == "Variable" and _names(other) <= bound:
                yield one.name


def _is_comparison(literal: AST) -> bool:
    return (
        literal.ast_type.name == "Literal"
        and literal.sign == 0
        and literal.atom.ast_type.name == "Comparison"
    )


def _names(node: AST) -> set[str]:
    return set(_names_in_order(node))


def _names_in_order(node: AST) -> list[str]:
    """The variables in a node, from its text: to walk its tree takes 20 times as long."""
    return [name for name in _VARIABLES.findall(str(node)) if name.lstrip("_")[:1].isupper()]
