"""What rules ask of an instance, and what an instance says that no rule asks for.

Nothing is ignored in silence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from aspdoku.errors import RuleError, did_you_mean
from aspdoku.program import library
from aspdoku.program.rulefile import EXCEPTIONS, Input, RuleFile
from aspdoku.puzzle.puzzle import EDGES, REGION
from aspdoku.puzzle.term import sort_key, to_asp

if TYPE_CHECKING:
    from clingo.ast import AST

    from aspdoku.program.syntax import Signature
    from aspdoku.puzzle import Function, Puzzle
    from aspdoku.puzzle.term import Term


def missing_inputs(rules: list[RuleFile], facts: tuple[Function, ...]) -> list[str]:
    """A warning for each rule file of which nothing can apply, because the instance gives none of
    its inputs.
    """
    given = {fact.signature for fact in facts}
    warnings = []
    for rule in rules:
        wanted = [item for item in rule.inputs if (item.name, item.arity) not in given]
        missing = [item for item in wanted if not any(_defines(other, item) for other in rules)]
        if missing and not _constrains_without(rule, {(item.name, item.arity) for item in missing}):
            listed = " or ".join(map(str, missing))
            alike = sorted(
                f"{name}/{arity}" for name, arity in given for item in missing if name == item.name
            )
            gives = f"only {' and '.join(alike)}" if alike else "none"
            warnings.append(
                f"{rule.name} constrained nothing: it needs {listed}, and the puzzle gives {gives}"
            )
    return warnings


def unused_facts(rules: list[RuleFile], facts: tuple[Function, ...]) -> list[str]:
    """A warning for each predicate that the instance states and no rule reads, with the rule that
    would read it.
    """
    if not facts:
        return []
    from aspdoku.program.syntax import predicates

    read = set().union(*map(predicates, rules))
    unread = sorted(
        {fact.signature for fact in facts if fact.signature not in read and fact.name != EXCEPTIONS}
    )
    known = [(item, rule) for rule in library.available_rules() for item in rule.inputs]
    warnings = []
    for name, arity in unread:
        readers = sorted(
            (rule.inputs.index(item), rule.name)
            for item, rule in known
            if item.signature == (name, arity)
        )
        others = sorted({str(item) for item, _ in known if item.name == name})
        if readers:
            advice = f"; --with {readers[0][1]} would"
        elif others:
            advice = f"; what is known is {' and '.join(others)}"
        else:
            advice = (
                "." + near
                if (near := did_you_mean(name, sorted({item.name for item, _ in known})))
                else ""
            )
        warnings.append(
            f"the puzzle gives {name}/{arity}, but no rule of this program reads it{advice}"
        )
    return warnings


def check_fact_positions(rules: list[RuleFile], puzzle: Puzzle, name: str) -> None:
    """Raise RuleError for a fact about a cell, a row or an edge that there is not, as the rule that
    reads it names its arguments.

    A file of somebody's own may mean something else by these letters, so it is not judged.
    """
    known = {
        item.signature: item.arguments for rule in rules if rule.vetted for item in rule.inputs
    }
    for fact in puzzle.facts:
        letters = known.get(fact.signature, ())
        for letter, value in zip(letters, fact.arguments, strict=False):
            if letter[0] in "RCJ" and value not in range(1, puzzle.size + 1):
                what = {"R": "a row", "C": "a column", "J": "a row or a column"}[letter[0]]
                raise RuleError(
                    f"{name}: {fact} lies outside the grid: {to_asp(value)} is not {what}, which"
                    f" are 1 to {puzzle.size} ({signature_of(fact, letters)})"
                )
            if letter == "E" and str(value) not in EDGES:
                raise RuleError(
                    f"{name}: {fact} is at no edge: {to_asp(value)} should be one of"
                    f" {', '.join(EDGES)}"
                )


def signature_of(fact: Function, letters: tuple[str, ...]) -> str:
    """A predicate with the letters of its arguments, as in `cage(R,C,I)`."""
    return f"{fact.name}({','.join(letters)})"


def unknown_exceptions(rules: list[RuleFile], facts: tuple[Function, ...]) -> list[str]:
    """A warning for each `ab(NAME)` or `ab(NAME,X)` of the instance that no rule asks for."""
    known = sorted(set().union(*(rule.retractable for rule in rules)))
    warnings = []
    for fact in facts:
        name = str(fact.arguments[0]) if fact.name == EXCEPTIONS and fact.arguments else None
        if name is not None and name not in known:
            warnings.append(f"no rule of this program asks for {fact}.{did_you_mean(name, known)}")
    return warnings


def box_shape_warnings(rules: list[RuleFile], puzzle: Puzzle) -> list[str]:
    """A warning for each rule that reads the shape of a box in a puzzle that draws its regions
    instead.
    """
    if puzzle.box is not None:
        return []
    return [
        f"{rule.name} goes by the shape of a box, and this puzzle draws regions instead: it may not"
        " say what is meant"
        for rule in rules
        if rule.mentions("box_rows") and not rule.mentions("box")
    ]


def region_size_warnings(puzzle: Puzzle) -> list[str]:
    """A warning for each region drawn that has not as many cells as there are numbers, and one for
    cells in no region.
    """
    regions: dict[Term, set[tuple[Term, ...]]] = {}
    for fact in puzzle.facts:
        if fact.signature == REGION:
            regions.setdefault(fact.arguments[2], set()).add(fact.arguments[:2])
    if not regions:
        return []
    uneven = {
        region: cells
        for region, cells in sorted(regions.items(), key=lambda item: sort_key(item[0]))
        if len(cells) != puzzle.size
    }
    warnings = [
        f"region {region} has {len(cells)} cells; {puzzle.size} are needed"
        for region, cells in uneven.items()
    ]
    outside = puzzle.size**2 - len(set().union(*regions.values()))
    return [*warnings, f"{outside} cells lie in no region"] if outside > 0 else warnings


def unused_constants(rules: list[RuleFile], constants: Mapping[str, str | int]) -> list[str]:
    """A warning for each constant that was set and that no rule uses."""
    return [
        f"the constant {name} was set, but no rule of this program uses it"
        for name in constants
        if not any(rule.mentions(name) for rule in rules)
    ]


def _defines(rule: RuleFile, item: Input) -> bool:
    """Whether the file has the input as a head.

    Most do not even mention it, and need not be parsed to know.
    """
    from aspdoku.program.syntax import heads, parse, signature

    if not rule.mentions(item.name):
        return False
    return any(
        signature(head) == (item.name, item.arity)
        for statement in parse(rule)[0]
        for head in heads(statement)
    )


def _constrains_without(rule: RuleFile, missing: set[Signature]) -> bool:
    """Whether some constraint of the file can apply although nothing is known of the `missing`
    predicates.
    """
    from aspdoku.program.syntax import heads, parse, signature

    statements, _ = parse(rule)
    statements = [statement for statement in statements if statement.ast_type.name == "Rule"]
    unknown = missing | {signature(head) for statement in statements for head in heads(statement)}
    possible: set[Signature] = set()
    while True:
        empty = unknown - possible
        found = {
            signature(head)
            for rule in statements
            if not _needs(rule, empty)
            for head in heads(rule)
        }
        if found <= possible:
            break
        possible |= found
    return any(
        not _needs(statement, empty) for statement in statements if not any(heads(statement))
    )


def _needs(statement: AST, empty: set[Signature]) -> bool:
    """Whether the body has a positive literal over one of the `empty` predicates, so that it never
    applies.
    """
    from aspdoku.program.syntax import signature

    return any(
        literal.ast_type.name == "Literal"
        and literal.sign == 0
        and literal.atom.ast_type.name == "SymbolicAtom"
        and signature(literal.atom.symbol) in empty
        for literal in statement.body
    )


def surplus_number_warnings(puzzle: Puzzle) -> list[str]:
    """A warning where a row has not as many cells as there are numbers, and yet has to hold each of
    them.
    """
    lines = [name for name in ("row", "column") if name not in puzzle.without]
    if len(puzzle.numbers) == puzzle.size or not lines:
        return []
    cells, numbers = f"{puzzle.size} cells", f"{len(puzzle.numbers)} numbers"
    return [
        f"every {lines[0]} has {cells} for {numbers}, and needs each of them: --without"
        f" {','.join(lines)} takes that back"
    ]
