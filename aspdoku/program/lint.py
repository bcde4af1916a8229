"""Lint rule files: find errors, with their positions and a suggestion for each.

`check` reports all errors and warnings of a file together with the base and the default rules. A
program accepts the files in which it finds no errors: `require_valid` raises those of statements
that no program can contain, and composing one raises the others, `errors_in_program` and
`undefined_predicates`.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Set
from functools import lru_cache
from itertools import chain
from pathlib import Path

from clingo.ast import AST, BinaryOperator, ComparisonOperator, UnaryOperator

from aspdoku.errors import RuleError, StatementError, UnreadableError, nearest
from aspdoku.program import library
from aspdoku.program.growth import evaluated, growths
from aspdoku.program.messages import Message, Remedy
from aspdoku.program.rulefile import (
    EXCEPTIONS,
    PLACEHOLDER,
    SIZES,
    MessageTemplate,
    RuleFile,
    comments,
    is_shared,
    line_and_column,
    message_templates,
    offset_of,
    suggested_name,
    word_taken,
)
from aspdoku.program.syntax import (
    Signature,
    atoms,
    bound_variables,
    dependencies,
    heads,
    is_positive_atom,
    nodes,
    parse,
    position_of,
    predicates,
    reachable,
    read_by,
    restricting,
    sides_of,
    signature,
    source_of,
    span,
    variables,
    walk,
)
from aspdoku.program.templates import template_text
from aspdoku.program.vetting import unsafe_variables
from aspdoku.puzzle import Function
from aspdoku.puzzle.inputs import LETTERS, Input
from aspdoku.puzzle.puzzle import GIVEN, REGION, UNUSED
from aspdoku.puzzle.term import PREDICATE
from aspdoku.puzzlefile.lines import enumerated

_PROJECT = "#project is not allowed in a rule file: solutions are distinguished by a/3 alone"
_UNCHANGED = "this is the unchanged template of `aspdoku new`: replace its title and its example"
_UNREAD = (
    "no rule of this file reads a(R,C,N), the number N in row R, column C, so that it forbids all"
    " grids or none: write a(R,C,N) in its constraints, without rules that choose numbers, since"
    " base.lp has them"
)
# Statements that are not allowed in an elaboration, and the reasons.
_NOT_ALLOWED = {
    "Definition": (
        "#const is not allowed in a rule file, because it changes all files of a program: remove"
        " it, and set the constant with -c NAME=VALUE"
    ),
    "Minimize": (
        "#minimize, #maximize and :~ are not allowed in a rule file: a rule defines what a solution"
        " is, not which one is best"
    ),
    "ProjectAtom": _PROJECT,
    "ProjectSignature": _PROJECT,
    "TheoryDefinition": "#theory is not allowed in a rule file: there is no theory solver",
    "Program": (
        "#program is not allowed in a rule file: the files after this one would become part of that"
        " subprogram; remove it"
    ),
}
# Statements that neither forbid nor define anything.
_DECLARATIONS = ("Comment", "Defined", "Program", "ShowSignature", "ShowTerm")
# Sizes of the usual grid, and what to write instead.
_USUAL_SIZES = {"9": "n", "8": "n-1"}
_USUAL_BOX = "3"
_LONGEST_LINE = 100
PLACED: Signature = ("a", 3)  # the numbers of a grid
NUMBER: Signature = ("number", 1)
_LAYOUT = {UNUSED: "unused(R,C)", REGION: "box(R,C,I)"}
_CELL: Signature = ("cell", 2)  # its cells, without unused ones
_ABBREVIATION = 3  # letters of a name that may stand for a longer one
_DIVISIONS = (BinaryOperator.Division, BinaryOperator.Modulo)
_EQUALITIES = (ComparisonOperator.Equal, ComparisonOperator.NotEqual)
# Where a variable is, in words for students.
_PLACES = {
    "Comparison": "in a comparison",
    "Aggregate": "inside { }",
    "BodyAggregate": "inside an aggregate",
    "ConditionalLiteral": "in a conditional literal",
    "BinaryOperation": "in an arithmetic term",
}
# The number of errors reported for one file: a puzzle mistaken for a rule file has one in each
# line.
_ERRORS_REPORTED = 3
_LIKE_A_HINT = re.compile(r"%+\s*hints?\s*:", re.IGNORECASE)


def check_file(path: Path) -> list[Message]:
    """All errors in the rule file at `path`, in the order of its lines."""
    try:
        return check(RuleFile.read(path, str(path)))
    except StatementError as error:
        return [Message(str(path), *error.position, "error", error.problem)]
    except RuleError as error:
        return [as_message(error)]


def as_message(error: RuleError) -> Message:
    """The finding for a file that could not be checked."""
    severity = "unreadable" if isinstance(error, UnreadableError) else "error"
    return Message("", 0, 0, severity, str(error))


def check(rule: RuleFile) -> list[Message]:
    """All errors in a rule file, in the order of its lines; if there are none, its warnings."""
    statements, errors = parse(rule)
    messages = errors or [*_unsafe(rule, statements), *_findings(rule, statements)]
    defaults = (each for each in library.defaults() if each.name != rule.name)
    if not messages:
        warnings = (
            *growth(rule),
            *borrowed(rule, defaults),
            *_unknown_letters(rule),
            *_constants(rule, statements),
            *_single_variables(rule, statements),
            *(list(_terms_for_atoms(rule, statements)) or _unread_numbers(rule, statements)),
            *_without_constraint(rule),
            *_misspelt_hints(rule),
        )
        messages = [each._replace(text=f"warning: {each.text}") for each in warnings]
    return sorted(
        (message.with_excerpt(rule.text) for message in messages),
        key=lambda message: (message.line, message.column),
    )


def notes(rule: RuleFile) -> list[Message]:
    """Notes on departures from conventions of a valid file: a fact `ab(NAME)` does not retract a
    constraint, a number depends on the size of the grid, the template is unchanged, or a line of
    the file or of its `.gen` file is too long for a projector.
    """
    statements, errors = parse(rule)
    if errors:
        return []
    messages: list[Message] = []
    if rule.text == template_text(rule.name):
        messages.append(_message(rule, (1, 1), _UNCHANGED, "note"))
    messages += _length_notes(rule.place, rule.text)
    if rule.path and (clues := rule.path.with_suffix(".gen")).is_file():
        place = str(Path(rule.place).with_suffix(".gen"))
        messages += _length_notes(place, clues.read_text("utf-8"))
    return [*messages, *_retraction_notes(rule, statements), *_size_notes(rule, statements)]


def _retraction_notes(rule: RuleFile, statements: list[AST]) -> Iterator[Message]:
    symbol, name = _symbol(rule), suggested_name(rule.name)
    for statement in statements:
        for head in heads(statement):
            if signature(head)[0] != EXCEPTIONS:
                continue
            # Facts of the puzzle name the rule that ab(T,…) retracts.
            if not head.arguments or head.arguments[0].ast_type.name != "Variable":
                text = f"{head} in a rule file retracts a rule: state it in the puzzle, or use"
                yield _message(rule, statement, f"{text} --without", "note")
        if statement.ast_type.name != "Rule" or any(heads(statement)):
            continue
        exceptions = [each for each in atoms(statement) if signature(each) == (EXCEPTIONS, 1)]
        asked = sorted({str(atom.arguments[0]) for atom in exceptions})
        if not PREDICATE.fullmatch(symbol):
            text = f"no fact can retract this constraint: '{rule.name}' is not a name in clingo;"
            text += f" call the file {name}.lp and add the literal"
            yield _message(rule, statement, f"{text} not ab({name.replace('-', '_')})", "note")
        elif symbol not in asked:
            other = f", which depends on ab({', '.join(asked)})" if asked else ""
            text = f"the fact ab({symbol}). does not retract this constraint{other}; add the"
            message = _message(rule, statement, f"{text} literal not ab({symbol})", "note")
            end = span(rule.text, statement)[1] - 1  # of its full stop
            added = f", not ab({symbol})"
            yield message._replace(remedies=(Remedy(end, "", added),) * bool(statement.body))


def _length_notes(place: str, text: str) -> Iterator[Message]:
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > _LONGEST_LINE:
            advice = f"break it or shorten it to {_LONGEST_LINE}, so that it fits on a slide"
            said = f"this line has {len(line)} characters: {advice}"
            yield Message(place, number, _LONGEST_LINE + 1, "note", said)


def _size_notes(rule: RuleFile, statements: list[AST]) -> Iterator[Message]:
    """A note for each literal size: a 9 as an argument of a predicate of the base; a 9 or an 8 as
    the end of 1..9, or in a comparison with a variable that is such an argument; a 3 as the divisor
    of a row or a column. The bound of a sum, a count or a difference is none.
    """
    for statement in statements:
        if statement.ast_type.name != "Rule" or not statement.body:
            continue
        owned = [atom for atom in atoms(statement) if signature(atom) in _owned()]
        arguments = [argument for atom in owned for argument in atom.arguments]
        names = {str(each) for each in arguments if each.ast_type.name == "Variable"}
        placing = (atom.arguments[:2] for atom in owned if signature(atom) != NUMBER)
        places = set(map(str, chain.from_iterable(placing)))
        sizes = [node for each in arguments for node in walk(each) if str(node) == "9"]
        sizes += [each.right for each in nodes(statement, "Interval") if str(each.left) == "1"]
        for comparison in nodes(statement, "Comparison"):
            sides = sides_of(comparison)
            sizes += [] if names.isdisjoint(map(str, sides)) else sides
        boxes = [
            each.right
            for each in nodes(statement, "BinaryOperation")
            if each.operator_type in _DIVISIONS and not places.isdisjoint(map(str, walk(each.left)))
        ]
        found = {
            position_of(value): (str(value), f"write {_USUAL_SIZES[str(value)]}", "grid")
            for value in sizes
            if str(value) in _USUAL_SIZES
        }
        found |= {
            position_of(value): (_USUAL_BOX, "write box_rows or box_columns", "boxes")
            for value in boxes
            if str(value) == _USUAL_BOX
        }
        for position, (value, advice, whose) in found.items():
            text = f"{value} is a size of 9x9 grids only: {advice} if the size of the {whose} is"
            message = _message(rule, position, f"{text} meant", "note")
            instead = _USUAL_SIZES.get(value)  # of boxes, there are two
            change = Remedy(offset_of(rule.text, *position), value, instead or "")
            yield message._replace(remedies=(change,) * bool(instead))


def _symbol(rule: RuleFile) -> str:
    return rule.name.replace("-", "_")


def require_valid(rule: RuleFile) -> None:
    """Raise RuleError for a file that cannot be part of a program: an incomplete statement, or one
    that is not of the base part, would change the files after it.
    """
    if errors := fatal_errors(rule):
        rest = len(errors) - _ERRORS_REPORTED
        more = [f"{rule.place}: {rest} more errors; is this a rule file?"] if rest > 0 else []
        shown = [error.quoted for error in errors[:_ERRORS_REPORTED]]
        raise RuleError("\n".join([*shown, *more]))


def fatal_errors(rule: RuleFile) -> list[Message]:
    """The errors of the statements of a file, for which no clingo program can contain it."""
    statements, errors = parse(rule)
    errors = errors or _unsafe(rule, statements) or list(_forbidden_statements(rule, statements))
    return [error.with_excerpt(rule.text) for error in errors]


def growth(rule: RuleFile) -> Iterator[Message]:
    """A warning for each rule that may let the ground program grow without end."""
    return (_message(rule, found.position, found.text, "warning") for found in growths(rule))


def _findings(rule: RuleFile, statements: list[AST]) -> Iterator[Message]:
    defaults = [each for each in library.defaults() if each.name != rule.name]
    others = library.with_vocabulary([library.base(), *defaults, rule])[:-1]
    yield from _forbidden_statements(rule, statements)
    yield from _invalid(rule, statements)
    yield from _interferences(rule, others)
    yield from _unstable_layout(rule, others)
    yield from _undefined(rule, statements, set().union(*map(_known, (rule, *others))))


def _invalid(rule: RuleFile, statements: list[AST]) -> Iterator[Message]:
    if not rule.vetted and _symbol(rule) in library.base().retractable:
        text = f"the fact ab({_symbol(rule)}). would also retract a rule of base.lp: give this file"
        yield _message(rule, (1, 1), f"{text} another name")
    yield from _words_as_inputs(rule)
    yield from _divisions_by_zero(rule, statements)
    yield from _invalid_templates(rule, statements)
    yield from _hidden_names(rule, statements)


def _hidden_names(rule: RuleFile, statements: list[AST]) -> Iterator[Message]:
    for statement in statements:
        kind = statement.ast_type.name
        shown = {"ShowSignature": "name", "ShowTerm": "term"}.get(kind)
        name = str(getattr(statement, shown)).lstrip("-") if shown else ""
        if name.startswith("_"):
            text = f"clingo takes solutions that differ only in {name} for one"
            yield _message(rule, statement, f"{text}: let its name begin with a letter")


def _divisions_by_zero(rule: RuleFile, statements: list[AST]) -> Iterator[Message]:
    for node in (each for statement in statements for each in nodes(statement, "BinaryOperation")):
        if node.operator_type in _DIVISIONS and evaluated(str(node.right)) == 0:
            text = f"division by zero in {source_of(rule, node)}: clingo discards the rule or the"
            yield _message(rule, node, f"{text} element that contains it")


def _unsafe(rule: RuleFile, statements: list[AST]) -> list[Message]:
    """The unsafe variables of each statement, or the term in it that was meant as an atom."""
    unsafe = unsafe_variables(rule.text, rule.place)
    starts = [position_of(each) for each in statements]
    errors: dict[tuple[str, int, int], Message] = {}
    for place, statement in enumerate(statements, 1):
        inside = [
            _in_words(error, statement) if error.severity == "note" else error
            for error in unsafe
            if bisect(starts, (error.line, error.column)) == place
        ]
        meant = next(_terms_meant_as_atoms(rule, statement, bool(inside)), None)
        for error in [meant] if meant else inside:
            errors.setdefault((error.text, error.line, error.column), error)
    return list(errors.values())


def _in_words(note: Message, statement: AST) -> Message:
    """The error for a variable that no positive body literal of a statement binds."""
    name = note.text[note.text.index("'") + 1 : note.text.rindex("'")]
    where = " and ".join(dict.fromkeys(_places(statement, name)))
    advice = f"bind it with an atom such as number({name}) in the body"
    text = f"unsafe variable: {name} appears only {where}; {advice}"
    return note._replace(severity="error", text=text)


def _places(statement: AST, name: str) -> Iterator[str]:
    if statement.ast_type.name != "Rule":
        yield "where nothing binds it"
        return
    if name in variables(statement.head):
        yield "in the head"
    for literal in statement.body:
        if name in variables(literal):
            kinds = (
                node.ast_type.name for node in nodes(literal, *_PLACES) if name in variables(node)
            )
            plain = "under not" if getattr(literal, "sign", 0) else "in an atom"
            yield _PLACES.get(next(kinds, ""), plain)


def _terms_meant_as_atoms(rule: RuleFile, statement: AST, unsafe: bool) -> Iterator[Message]:
    """Errors for `p <- q`, `p & q`, `~p` and comparisons of terms such as a(R,C,N) in a statement;
    without unsafe variables, terms may be equal.
    """
    for node in nodes(statement, "Comparison"):
        if str(node.term)[:1].islower() and "< -" in str(node):
            yield _message(rule, node.term, "clingo reads <- as < and -: write :-")
        for side in sides_of(node):
            term = next(
                (each for each in nodes(side, "Function") if signature(each) in _owned()), None
            )
            if term is None:
                continue
            kind, sign = side.ast_type.name, getattr(side, "operator_type", None)
            if kind == "BinaryOperation" and sign == BinaryOperator.And:
                yield _message(rule, side, "& is an operation on numbers: write a comma")
            elif kind == "UnaryOperation" and sign == UnaryOperator.Negation:
                yield _message(rule, side, "~ is an operation on numbers: write not")
            elif unsafe or side is not term or _is_ordered(node):
                text = f"atoms cannot be compared, as {term} is here: compare the variables of"
                example = "as in a(R,C,N), a(R1,C1,M), N < M"
                yield _message(rule, term, f"{text} atoms in the body, {example}")


def _is_ordered(comparison: AST) -> bool:
    return any(guard.comparison not in _EQUALITIES for guard in comparison.guards)


def _constants(rule: RuleFile, statements: list[AST]) -> Iterator[Message]:
    """A warning for atoms of the base with names such as `r` where integers are expected, and for
    comparisons with such a name or with a term such as `abs(N-M)`, which is not evaluated.
    """
    defined = {*SIZES, *(each.name for each in statements if each.ast_type.name == "Definition")}
    for statement in statements:
        yield from _compared_terms(rule, statement, defined)
        atom_of: dict[str, AST] = {}
        for atom in (each for each in atoms(statement) if signature(each) in _owned()):
            for term in nodes(atom, "SymbolicTerm"):
                if _is_name(term, defined):
                    atom_of.setdefault(str(term), atom)
        if not atom_of:
            continue
        names = list(atom_of)
        first = atom_of[names[0]]
        called, arity = signature(first)
        what = "is a constant" if len(names) == 1 else "are constants"
        instead = ", ".join(name.capitalize() for name in names)
        size = "; n is the size of the grid" if re.search(r"\bn\b", str(first)) else ""
        text = (
            f"{' and '.join(names)} {what}, but the arguments of {called}/{arity} are integers,"
            " so that this never applies: variables begin with a capital letter, as in"
        )
        yield _warning(rule, first, f"{text} {instead}{size}")


def _is_name(term: AST, defined: set[str]) -> bool:
    return (
        term.ast_type.name == "SymbolicTerm"
        and PREDICATE.fullmatch(str(term)) is not None
        and str(term) not in defined
    )


def _compared_terms(rule: RuleFile, statement: AST, defined: set[str]) -> Iterator[Message]:
    for node in nodes(statement, "Comparison"):
        sides = sides_of(node)
        by_value = _is_ordered(node) or any("Operation" in each.ast_type.name for each in sides)
        for side in sides:
            if side.ast_type.name == "Function" and side.name == "abs" and len(side.arguments) == 1:
                inner = str(side.arguments[0]).removeprefix("(").removesuffix(")")
                text = f"abs({inner}) is a term that is not evaluated: write |{inner}|"
                yield _warning(rule, side, text)
            if by_value and _is_name(side, defined):
                text = f"{side} is a constant, not a number: variables begin with a capital letter"
                yield _warning(rule, side, f"{text}, as in {str(side).capitalize()}")


def _single_variables(rule: RuleFile, statements: list[AST]) -> Iterator[Message]:
    templates = message_templates(rule)
    for statement in statements:
        if (
            statement.ast_type.name != "Rule"
            or any(heads(statement))
            or _is_helper_alone(rule, statement)
        ):
            continue
        occurrences = list(nodes(statement, "Variable"))
        names = [node.name for node in occurrences]
        if template := templates.get(position_of(statement)[0]):
            names += [*template.placeholders, *(template.variables or ())]
        counted = {  # of elements { p(R,K) }
            name
            for node in nodes(statement, "Aggregate")
            for element in node.elements
            for name in variables(element.literal)
        }
        single = [
            node
            for node in occurrences
            if names.count(node.name) == 1
            and not node.name.startswith("_")
            and node.name not in counted
        ]
        if single:
            listed = enumerated(node.name for node in single)
            listed += " each occur only" if len(single) > 1 else " occurs"
            text = f"{listed} once in this rule, so that any value fits: use the same variable"
            text += " where values are equal, or write _ if any value is meant"
            yield _warning(rule, single[0], text)


def _is_helper_alone(rule: RuleFile, statement: AST) -> bool:
    """Whether a constraint is one atom of the file's own predicate with a variable for each
    argument, and exceptions: `:- bad(R,C).`, which names what its arguments are.
    """
    literals = [
        each
        for each in statement.body
        if {name for name, _ in map(signature, atoms(each))} != {EXCEPTIONS}
    ]
    if len(literals) != 1 or not is_positive_atom(literals[0]):
        return False
    atom = literals[0].atom.symbol
    if atom.ast_type.name != "Function" or signature(atom) not in defined_predicates(rule):
        return False
    names = [each.name for each in atom.arguments if each.ast_type.name == "Variable"]
    return len(names) == len(set(names)) == len(atom.arguments)


def _terms_for_atoms(rule: RuleFile, statements: list[AST]) -> Iterator[Message]:
    """A warning for elements of aggregates with a term such as `a(R,C,5)` instead of the atom."""
    elements = (
        each for statement in statements for each in nodes(statement, "BodyAggregateElement")
    )
    for element in elements:
        conditions = list(map(str, element.condition))
        for term in element.terms:
            atom, kind = str(term), term.ast_type.name
            if kind != "Function" or signature(term) not in _owned() or atom in conditions:
                continue
            *cell, number = map(str, term.arguments)
            others = [each for each in map(str, element.terms) if each != atom]
            terms = ",".join(dict.fromkeys([*others, number, *cell]))
            text = f"{atom} before the colon is a term, which is counted whether or not the atom"
            instead = f"{terms} : {', '.join([atom, *conditions])}"
            yield _warning(rule, term, f"{text} holds: write {instead}")


def _unread_numbers(rule: RuleFile, statements: list[AST]) -> Iterator[Message]:
    """A warning for a file that depends neither on numbers nor on what another rule finds."""
    read = predicates(rule)
    if PLACED in read or not can_forbid(rule) or _changes_other_rules(rule):
        return
    if any(map(library.finder, read)):
        return
    rules = [each for each in statements if each.ast_type.name == "Rule"]
    first = next((each for each in rules if not any(heads(each))), rules[0])
    yield _warning(rule, first, _UNREAD)._replace(of_rules=True)


def _without_constraint(rule: RuleFile) -> Iterator[Message]:
    """A warning for a file that has no effect on grids, on other rules or on what is shown."""
    text = "has no constraint ':- ...', so that it forbids no grid: add one about what it defines"
    if not has_rules(rule):
        text = "has no rule: it neither forbids nor defines anything"
    elif can_forbid(rule) or changes_more_than_grids(rule):
        return
    yield _warning(rule, (1, 1), f"this file {text}")


def _misspelt_hints(rule: RuleFile) -> Iterator[Message]:
    """Comments that are probably meant as hints and are none, so that no student would see them."""
    starts = [start for start, _, comment in comments(rule.text) if _LIKE_A_HINT.match(comment)]
    if len(starts) != len(rule.hints):
        for start in starts:
            line, column = line_and_column(rule.text, start)
            own = RuleFile.from_text(rule.name, rule.text.split("\n")[line - 1])
            if column > 1 or not own.hints:
                text = "no hint for students: write '% hint: TEXT' in a line of its own"
                yield _warning(rule, (line, column), text)


def can_forbid(rule: RuleFile) -> bool:
    """Whether some statement can exclude a grid."""
    return any(restricting(parse(rule)[0]))


def _changes_other_rules(rule: RuleFile) -> bool:
    """Whether a file defines what other files read: exceptions, the layout, inputs of rules."""
    inputs = library.bundled_inputs()
    return any(each in inputs or is_shared(each) for each in definitions(rule))


def changes_more_than_grids(rule: RuleFile) -> bool:
    """Whether a file has an effect on other rules or on what is shown."""
    shows = ("ShowSignature", "ShowTerm")
    return _changes_other_rules(rule) or any(each.ast_type.name in shows for each in parse(rule)[0])


def _words_as_inputs(rule: RuleFile) -> Iterator[Message]:
    for item in rule.declared:
        taken = word_taken(item.signature)
        if taken and item.meaning.startswith(f"{item.name}("):
            text = f"{taken}, or omit this comment"
            yield _message(rule, _declared_at(rule, item), text)


def has_rules(rule: RuleFile) -> bool:
    """Whether a file forbids or defines anything."""
    return any(each.ast_type.name not in _DECLARATIONS for each in parse(rule)[0])


def _invalid_templates(rule: RuleFile, statements: list[AST]) -> Iterator[Message]:
    """Invalid `%@` comments, e.g. with variables that the rule below lacks."""
    rules = {position_of(each)[0]: each for each in statements if each.ast_type.name == "Rule"}
    for line, template in message_templates(rule).items():
        for text in _template_errors(template, rules.get(line)):
            yield _message(rule, (template.line, 1), text)


def _template_errors(template: MessageTemplate, statement: AST | None) -> Iterator[str]:
    if statement is None:
        yield "'%@' comment is not followed by a rule; place it on the line above one"
        return
    if not all(template.parts):
        yield "empty '%@' message template"
    if template.variables is None and template.parts[0].startswith("("):
        yield (
            "invalid variable list in the '%@' message template: expected names in parentheses,"
            " separated by commas, e.g. %@(R,C)"
        )
    if any(set("{}") & set(PLACEHOLDER.sub("", part)) for part in template.parts):
        yield "brace without a variable in the '%@' message template: write {R}"
    most = 2 if statement.head.ast_type.name == "Aggregate" else 1
    if len(template.parts) > most:
        yield f"{len(template.parts)} parts separated by '|' in the '%@' message template: " + (
            "a choice has two bounds" if most == 2 else "only a choice, with two bounds, can have 2"
        )
    names = set(bound_variables(statement))
    if template.variables is not None:
        names &= set(template.variables)
    for name in sorted(template.placeholders - names):
        known = f"available: {', '.join(sorted(names))}" if names else "there are none"
        yield f"unknown variable {name} in the '%@' message template; {known}"


def _forbidden_statements(rule: RuleFile, statements: Iterable[AST]) -> Iterator[Message]:
    for statement in statements:
        kind = statement.ast_type.name
        harmless = kind == "Program" and statement.name == "base" and not statement.parameters
        if kind in _NOT_ALLOWED and not harmless:
            yield _message(rule, statement, _NOT_ALLOWED[kind])


def errors_in_program(rules: Iterable[RuleFile]) -> list[Message]:
    """The errors of users' rule files together with the other files of a program, except undefined
    predicates, which make an answer meaningless. Bundled files do not interfere with each other.
    """
    rules = list(rules)
    found: list[Message] = []
    for place, rule in enumerate(rules):
        if not rule.vetted:
            others = [*rules[:place], *(other for other in rules[place + 1 :] if other.vetted)]
            errors = [*_invalid(rule, parse(rule)[0]), *_interferences(rule, others)]
            errors += [*other_arguments(rule, others), *_unstable_layout(rule, others)]
            found += [error.with_excerpt(rule.text) for error in errors]
    return found


def other_arguments(rule: RuleFile, others: Iterable[RuleFile]) -> Iterator[Message]:
    """An error for each input of a file whose arguments another file declares in another order, or
    as names instead of values: no fact means the same in both.
    """
    declared = [(item, other) for other in others for item in other.declared if item.arguments]
    for item in rule.declared:
        for twin, other in declared:
            if twin.signature != item.signature:
                continue
            remedy = "the same order"
            if not any(
                letter in twin.arguments and twin.arguments.index(letter) != place
                for place, letter in enumerate(item.arguments)
            ):
                if {*item.names} == {*twin.names} or not item.arguments:
                    continue
                remedy = "the same meaning (G, I and B are names, other letters values)"
            text = (
                f"{item} is {item.text} here, but {twin.text} in"
                f" {other.place}:{_declared_at(other, twin)[0]}: give the arguments {remedy}, or"
                " the input another name"
            )
            yield _message(rule, _declared_at(rule, item), text)
            break


def _declared_at(rule: RuleFile, item: Input) -> tuple[int, int]:
    defined = re.search(rf"#defined\s+{item.name}\s*/\s*{item.arity}\b", rule.code)
    return line_and_column(rule.text, defined.start()) if defined else (1, 1)


def _unknown_letters(rule: RuleFile) -> Iterator[Message]:
    """A warning for each input whose comment does not say what its arguments are."""
    known = "; ".join(f"{letter}, {each.meaning}" for letter, each in LETTERS.items())
    for item in rule.declared:
        if item.fault:
            what = f"{item.fault} in {item.meaning.partition(')')[0]})"
            text = f"{what}; the letters that have one are {known}"
            yield _warning(rule, _declared_at(rule, item), text)


def _interferences(rule: RuleFile, others: Iterable[RuleFile]) -> Iterator[Message]:
    """An error for each predicate that a file and one of the others define; -p(1) excludes p(1)."""
    others = list(others)
    own = definitions(rule)
    for (name, arity), position in own.items():
        # The cells that a file takes out of the grid may hold numbers.
        if is_shared((name, arity)) or ((name, arity) == GIVEN and UNUSED in own):
            continue
        opposite = name[1:] if name.startswith("-") else f"-{name}"
        for other in others:
            places = definitions(other)
            place = places.get((name, arity)) or places.get((opposite, arity))
            if place is None:
                continue
            predicate, where = f"{name}/{arity}", f"{other.place}:{place[0]}"
            if other == library.base():
                text = f"{predicate} is defined in {where}: a rule with this head changes the base"
                text += " instead of elaborating it; use a constraint ':- ...' to forbid grids"
            else:
                text = f"{predicate} is also defined in {where}, so that each file changes the"
                text += f" other: call it {_own_name(rule, other, name)} here"
            yield _message(rule, position, text)
            break


def _unstable_layout(rule: RuleFile, others: Iterable[RuleFile]) -> Iterator[Message]:
    """An error for a layout that a file derives from the numbers, or unused cells from cell/2."""
    layout = _LAYOUT.keys() & definitions(rule).keys()
    if not layout:
        return
    rules = [each for file in (rule, *others) for each in parse(file)[0]]
    uses = dependencies(rules)
    for statement in parse(rule)[0]:
        for name, arity in sorted(layout.intersection(map(signature, heads(statement)))):
            read = {each for each in read_by(statement) if each[0] != EXCEPTIONS}
            causes = [PLACED, _CELL] if (name, arity) == UNUSED else [PLACED]
            for cause in causes:
                if any(cause in reachable(each, uses) for each in read):
                    text = (
                        f"{name}/{arity} is the layout of the grid, which cannot depend on"
                        f" {cause[0]}/{cause[1]}: derive {_LAYOUT[name, arity]} from row(R),"
                        " column(C) and the inputs, or give this predicate another name"
                    )
                    yield _message(rule, statement, text)
                    break


def borrowed(rule: RuleFile, others: Iterable[RuleFile]) -> Iterator[Message]:
    """A warning for each predicate that a file reads and that is a helper of one of the others: the
    base, the file itself or a puzzle does not define it, and no file shares or shows it.
    """
    own, base = defined_predicates(rule), _owned()
    words = _declared(rule) & library.vocabulary().keys()
    read: dict[Signature, AST] = {}
    for atom in (each for statement in parse(rule)[0] for each in atoms(statement)):
        read.setdefault(signature(atom), atom)
    for predicate in read.keys() - own - base:
        for other in others:
            public = is_shared(predicate) or predicate in other.shown or predicate in words
            if public or predicate not in definitions(other) or predicate in _declared(other):
                continue
            name, arity = predicate
            place = f"{other.place}:{definitions(other)[predicate][0]}"
            text = (
                f"{name}/{arity} is a helper of {place}, which may change it: define"
                f" {_own_name(rule, other, name)} in this file"
            )
            if not other.vetted:
                text += f", or declare it as public in that file: #defined {name}/{arity}."
            yield _warning(rule, read[predicate], text)


def lent(rule: RuleFile, others: Iterable[RuleFile]) -> Iterator[Message]:
    """A warning for each helper of a user's file that is an input of a bundled rule of the program,
    unless the file shows it, or declares it or another input of that rule.
    """
    public = {each for each in _declared(rule) if not is_shared(each)}
    public -= library.vocabulary().keys()
    readers = [other for other in others if other.vetted and not public & _declared(other)]
    inputs = {item.signature: other for other in readers for item in other.declared}
    for predicate in sorted(inputs.keys() & definitions(rule).keys()):
        if is_shared(predicate) or predicate in rule.shown:
            continue
        name, arity = predicate
        other = inputs[predicate]
        text = (
            f"{name}/{arity} is an input of the rule {other.name}, which this helper changes: call"
            f" it {_own_name(rule, other, name)} here, or declare it as public in this file:"
            f" #defined {name}/{arity}."
        )
        yield _warning(rule, definitions(rule)[predicate], text)


def _declared(rule: RuleFile) -> set[Signature]:
    return {item.signature for item in rule.declared}


def _own_name(rule: RuleFile, other: RuleFile, name: str) -> str:
    name = name.removeprefix("-")
    prefix = f"{suggested_name(rule.name).replace('-', '_')}_"
    if other.name == rule.name or name.startswith(prefix):
        return f"{name}_2"
    return f"{prefix}{name}"


def undefined_predicates(
    rules: Iterable[RuleFile], facts: Iterable[Function] = ()
) -> list[Message]:
    """An error for each predicate in users' files that no file or fact defines or declares."""
    rules, known = list(rules), {fact.signature for fact in facts}
    own = (rule for rule in rules if not rule.vetted)
    return [error for rule in own for error in undefined_in(rule, rules, known)]


def undefined_in(
    rule: RuleFile, rules: Iterable[RuleFile], known: Iterable[Signature]
) -> list[Message]:
    """An error for each predicate of a file that nothing known and no file defines or declares."""
    every = set(known).union(*map(_known, (rule, *rules)))
    return [error.with_excerpt(rule.text) for error in _undefined(rule, parse(rule)[0], every)]


def require_compatible(
    rule: RuleFile, facts: Iterable[Function] = (), replaced: Iterable[RuleFile] = ()
) -> None:
    """Raise RuleError if a user's rule file defines a predicate of the base or a default rule,
    declares a word of the vocabulary as an input, derives the layout from numbers, or uses a
    predicate that nothing defines. The `replaced` rules may define the same predicates.
    """
    if rule.vetted:
        return
    game = library.game()
    others = [each for each in game if each not in replaced]
    inputs = [item.signature for each in replaced for item in each.inputs]
    errors = [
        *_words_as_inputs(rule),
        *_interferences(rule, others),
        *_unstable_layout(rule, (*game, *replaced)),
    ]
    errors = [each.with_excerpt(rule.text) for each in errors]
    errors = errors or undefined_in(rule, game, [*(fact.signature for fact in facts), *inputs])
    if errors:
        raise RuleError("\n".join(error.quoted for error in errors[:_ERRORS_REPORTED]))


def _known(rule: RuleFile) -> Set[Signature]:
    exceptions = {(EXCEPTIONS, arity) for arity in rule.exceptions}
    return defined_predicates(rule) | _declared(rule) | exceptions


def _undefined(rule: RuleFile, statements: list[AST], known: Set[Signature]) -> Iterator[Message]:
    reported = set()
    for statement in statements:
        defined = {position_of(head) for head in heads(statement)}
        for atom in atoms(statement):
            name, arity = signature(atom)
            if position_of(atom) in defined or (name, arity) in known or (name, arity) in reported:
                continue
            reported.add((name, arity))
            advice, near, may_be_input = _nearest(rule, name, arity, known)
            message = _message(rule, atom, f"undefined predicate {name}/{arity}.{advice}")
            offset, _ = span(rule.text, atom)
            remedies = [Remedy(offset, name, near)] if near else []
            if may_be_input:
                remedies.append(Remedy(place_of_inputs(rule), "", f"#defined {name}/{arity}.\n"))
            yield message._replace(remedies=tuple(remedies))


def place_of_inputs(rule: RuleFile) -> int:
    """Where a line that declares an input can be inserted: before the first line with code, and the
    message of its statement.
    """
    code = re.search(r"^.*\S", rule.code, re.MULTILINE)
    if not code:
        return 0
    line = rule.code.count("\n", 0, code.start()) + 1
    if template := message_templates(rule).get(line):
        line = template.line
    return sum(len(each) + 1 for each in rule.code.split("\n")[: line - 1])


def _nearest(rule: RuleFile, name: str, arity: int, known: Set[Signature]) -> tuple[str, str, bool]:
    """The advice about an undefined predicate, the name that may be meant, and whether it can be
    declared as an input.
    """
    others = sorted(other for called, other in known if called == name and name != EXCEPTIONS)
    if arity == PLACED[1] and name in {called for called, _ in _owned()}:
        meant = f"{PLACED[0]}(R,C,N), the number in a cell"
        return f" Did you mean {meant}? {name}/{others[0]} has none.", "", False
    if others:
        return f" Did you mean {name}/{others[0]}, with {others[0]} arguments?", "", False
    if word := library.vocabulary().get((name, arity)):
        return f" {word.place} defines it: add #defined {name}/{arity}.", "", True
    declare = f" If it comes from the puzzle, declare it: #defined {name}/{arity}."
    # A puzzle's section has the name of the rule, so this is no misspelt helper, such as p_cage.
    if name == _symbol(rule):
        return declare, "", True
    alike = sorted(called for called, other in known if other == arity)
    if near := nearest(name, alike):
        return f" Did you mean '{near}'?", near, False
    # An abbreviation such as col of column; the input of a puzzle may be called so.
    longer = [each for each in alike if len(name) >= _ABBREVIATION and each.startswith(name)]
    if longer:
        return f" Did you mean '{longer[0]}'?{declare}", longer[0], True
    return declare, "", True


@lru_cache(maxsize=256)
def defined_predicates(rule: RuleFile) -> frozenset[Signature]:
    """The predicates that a rule file defines."""
    return frozenset(definitions(rule))


@lru_cache(maxsize=256)
def definitions(rule: RuleFile) -> dict[Signature, tuple[int, int]]:
    """The predicates that a rule file defines, with the line and column of the first definition."""
    found: dict[Signature, tuple[int, int]] = {}
    for statement in parse(rule)[0]:
        for head in heads(statement):
            found.setdefault(signature(head), position_of(head))
    return found


def _owned() -> frozenset[Signature]:
    return defined_predicates(library.base())


def _warning(rule: RuleFile, at: AST | tuple[int, int], text: str) -> Message:
    return _message(rule, at, text, "warning")


def _message(
    rule: RuleFile, at: AST | tuple[int, int], text: str, severity: str = "error"
) -> Message:
    position = at if isinstance(at, tuple) else position_of(at)
    return Message(rule.place, *position, severity, text)
