"""What `check` says about a whole program in a vocabulary of its own: which predicate plays the
part of a/3 in it, which of its rules are ours, and the others as a rule file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from aspdoku.errors import AspdokuError, RuleError, TimeLimitError
from aspdoku.lecture.learning import rules_without_inputs
from aspdoku.lecture.played_grid import (
    PlayedGrid,
    in_child,
    name_of,
    played_grid,
    ternary_heads,
)
from aspdoku.lecture.rewriting import Comparison, Place, retractable, violable
from aspdoku.program import RuleFile, lint, syntax
from aspdoku.program.messages import Message, about
from aspdoku.program.syntax import Signature
from aspdoku.program.transform import broken, negate, unused_tag
from aspdoku.program.vetting import unsafe_variables
from aspdoku.puzzlefile.lines import enumerated
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note


def explain_whole(
    rule: RuleFile, time_limit: float, unexplained: bool
) -> tuple[list[Message], bool]:
    """What a file without a/3 has in its place, and its rules over a/3; and whether a predicate
    plays that part. Nothing about another file.

    unexplained: whether there are findings that a predicate that is no grid may explain
    """
    deadline = Deadline(time_limit)
    statements, errors = syntax.parse(rule)
    read, defined = syntax.predicates(rule), lint.definitions(rule)
    if errors or lint.PLACED in read or unsafe_variables(rule.text, rule.place):
        return [], False
    derived = ternary_heads(statements)
    if not derived:
        declared = {item.signature for item in rule.declared}
        unknown = sorted(each for each in read - defined.keys() - declared if each[1] == 3)
        return _about_undefined(rule, statements, unknown, deadline), len(unknown) == 1
    note("looking for the grid of a whole program")
    try:
        grid = played_grid(rule, derived, deadline)
    except RuleError as error:
        where = min(defined[each] for each in derived)
        return [about(rule, where, str(error))] * unexplained, False
    text = (
        f"{name_of(grid.predicate)} plays the part of a/3 here: in the answer sets of this file,"
        f" which is a whole program, {grid} is a {grid.size}x{grid.size} grid with one number N"
        f" in each row R and column C{grid.open_order}"
    )
    begins = dict(zip(("rows", "columns", "numbers"), grid.first, strict=True))
    if others := [f"{name} from {first}" for name, first in begins.items() if first != 1]:
        text += f"; it counts {enumerated(others)}, and ours counts all from 1"
    text += "; a rule file elaborates base.lp by constraints over a(R,C,N)"
    if grid.given:
        stated = "the givens"
        if grid.givens:
            states = "states" if len(grid.givens) == 1 else "state"
            stated = f"{enumerated(map(name_of, grid.givens))} {states} givens, which"
        text += f"; {stated} a puzzle has"
        if grid.size < 10:
            text += ": " + "".join(str(number or ".") for row in grid.given for number in row)
    note("comparing its rules with ours")
    explained = _explained(rule, grid, deadline)
    return [about(rule, defined[grid.predicate], f"{text}; {explained}")], True


def _about_undefined(
    rule: RuleFile, statements: Sequence[syntax.AST], unknown: list[Signature], deadline: Deadline
) -> list[Message]:
    if not unknown:
        return []
    place = next(
        syntax.position_of(atom)
        for statement in statements
        for atom in syntax.atoms(statement)
        if syntax.signature(atom) in unknown
    )
    names = enumerated(map(name_of, unknown))
    if len(unknown) > 1:
        text = f"{names} have three arguments, and nothing defines them: if one of them is the"
        return [about(rule, place, f"{text} grid, write a(R,C,N) for it")]
    text = f"if {names} plays the part of a/3 here, with row, column and number in this order, "
    return [about(rule, place, text + _explained(rule, PlayedGrid(unknown[0]), deadline))]


def _explained(rule: RuleFile, grid: PlayedGrid, deadline: Deadline) -> str:
    """Which rules of a file ours state already, and the others over a/3."""
    try:
        return in_child("which of its rules ours state", deadline, _explanation, rule, grid)
    except AspdokuError as error:
        return f"its rules are not shown over a/3, since {error}"


def _explanation(rule: RuleFile, grid: PlayedGrid, seconds: float) -> str:
    """Runs in a child."""
    deadline, others = Deadline(seconds), _negated(rule)
    names = retractable()
    usual = Comparison(rule, grid, deadline)
    stated = [place for place, atom in usual.own.items() if usual.none(atom)]
    free = Comparison(rule, grid, deadline, names, (), others.values())
    others = {n: each for n, each in others.items() if not free.occurs(broken(each), grid.examples)}
    lacking = []
    for name in names:
        parts = violable(free, name)
        if not any(free.occurs(each, grid.examples) for each in parts):
            with_own = (Comparison(rule, grid, deadline, names, own) for own in (stated, usual.own))
            if any(each.none(part) for each in with_own for part in parts):
                continue
        lacking.append(name)
    if lacking:
        usual = Comparison(rule, grid, deadline, lacking)
        stated = [place for place, atom in usual.own.items() if usual.none(atom)]
    violated = {place: atom for place, atom in usual.own.items() if place not in stated}
    asked = Comparison(rule, grid, deadline, lacking, (), others.values())
    stating: dict[str, set[Place]] = {}  # the rules that some of its lines equal
    also: set[Place] = set()
    with suppress(TimeLimitError):  # then the lines themselves follow
        for name, negated in others.items():
            atom = broken(negated)
            same = {place for place, own in violated.items() if asked.none(own, atom)}
            if same - also and asked.none(atom, *(violated[place] for place in same)):
                stating[name] = same
                also |= same
    statements = syntax.parse(rule)[0]
    pieces = dict(zip(asked.statements, asked.pieces, strict=True))
    completion = {place for place, piece in pieces.items() if piece.completes}

    def on(places: Iterable[Place]) -> str:
        return lines_of(statements[pieces[each].origin] for each in places)

    def lines_of(some: Iterable[syntax.AST]) -> str:
        numbers = sorted({syntax.position_of(each)[0] for each in some})
        return f"line{'s' * (len(numbers) > 1)} {enumerated(map(str, numbers))}"

    said = []
    if preferring := [each for each in statements if each.ast_type.name == "Minimize"]:
        said.append(f"what {lines_of(preferring)} prefers is left out")
    # A rule over another predicate, which is no program, states none of them.
    if lacking and (grid.examples or len(lacking) < len(names)):
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


def _negated(rule: RuleFile) -> dict[str, RuleFile]:
    """Our rules that a file may state: those without inputs, negated."""
    negated: dict[str, RuleFile] = {}
    for each in rules_without_inputs():
        with suppress(RuleError):  # it cannot be negated
            negated[each.name] = negate(each, unused_tag(f"rule{len(negated)}", [rule.text]))
    return negated
