"""Whole programs in a vocabulary of their own: which predicate plays the part of a/3 in them, and
which of their rules are an elaboration of ours.

The first is decided by clingo, in a child: a predicate plays that part if its atoms in each of the
answer sets that are looked at are a square grid with one number in each cell. For the second, each
rule is written with a/3, and clingo searches for a grid of ours that violates it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from aspdoku.engine import Solver
from aspdoku.engine.solver import from_symbol
from aspdoku.errors import AspdokuError, RuleError, TimeLimitError
from aspdoku.lecture.equivalence import find_program_violations
from aspdoku.lecture.learning import rules_without_inputs
from aspdoku.program import RuleFile, assemble, library, lint, syntax
from aspdoku.program.layout import grounded
from aspdoku.program.messages import Message
from aspdoku.program.rulefile import SIZES, vocabulary
from aspdoku.program.syntax import Signature
from aspdoku.program.transform import broken, negate, relaxed, unused_tag
from aspdoku.program.vetting import unsafe_variables
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.term import Term
from aspdoku.puzzlefile.lines import enumerated
from aspdoku.runtime.child import DEFAULT_LIMITS, Aborted, Limits, run_limited
from aspdoku.runtime.deadline import Deadline

if TYPE_CHECKING:
    from aspdoku.program.syntax import AST

# Answer sets that are looked at; of these, those that are compared with our rules.
_TRIED, _COMPARED = 50, 5
# The part of the time in which the names of our elaborations are looked for.
_SHARE = 2
# Seconds for a call in a child: not 0, and no more than a thread may be waited for.
_SHORTEST, _LONGEST = 1e-3, 1e6
# Which arguments are the row, the column and the number: the usual order first. The order of row
# and column matters only for boxes that are not square.
_ORDERS = ((0, 1, 2), (1, 2, 0), (0, 2, 1), (1, 0, 2), (2, 1, 0), (2, 0, 1))

# The words of the base that elaborations read.
_WORDS = [("number", 1), ("row", 1), ("column", 1), ("cell", 2)]

# Statements that change no grid.
_WITHOUT_EFFECT = {
    *("Rule", "Definition", "Comment", "Defined", "Program", "ShowSignature", "ShowTerm"),
}

_T = TypeVar("_T")

Atoms = frozenset[tuple[int, ...]]  # none if some argument is no integer


class PlayedGrid(NamedTuple):
    """The predicate that plays the part of a/3.

    order: its arguments that are the row, the column and the number
    first: the first row, column and number: each 0 or 1
    examples: grids of a few answer sets
    open_order: what the answer sets do not tell about the order, in words
    givens: the predicates that state givens
    left_out: how many numbers cells cannot hold whatever is chosen
    """

    predicate: Signature
    order: tuple[int, int, int] = _ORDERS[0]
    first: tuple[int, ...] = (1, 1, 1)
    size: int = 9
    examples: tuple[Solution, ...] = ()
    open_order: str = ""
    givens: tuple[Signature, ...] = ()
    left_out: int = 0

    def __str__(self) -> str:
        letters = dict(zip(self.order, "RCN", strict=True))
        return f"{self.predicate[0]}({','.join(letters[each] for each in range(3))})"

    @property
    def atom(self) -> str:
        """The atom of this predicate for a(R,C,N)."""
        terms = [
            each if first else f"{each}-1" for each, first in zip("RCN", self.first, strict=True)
        ]
        places = dict(zip(self.order, terms, strict=True))
        return f"{self.predicate[0]}({','.join(places[each] for each in range(3))})"

    def placed(self, name: str, arguments: Sequence[str]) -> str:
        """The atom over row, column and number from 1 for the arguments of this predicate."""
        terms = (
            each
            if first == 1 or each == "_"
            else f"({each})+1"
            if not each.isalnum()
            else f"{each}+1"
            for each, first in zip(
                (arguments[each] for each in self.order), self.first, strict=True
            )
        )
        return f"{name}({','.join(terms)})"

    @property
    def counted(self) -> str:
        """What counts from 0, in words."""
        zero = [
            w
            for w, each in zip(("rows", "columns", "numbers"), self.first, strict=True)
            if not each
        ]
        return (
            f", in which {enumerated(zero)} count from 0: over a/3, they count from 1"
            if zero
            else ""
        )

    @property
    def puzzle(self) -> Puzzle:
        """A blank grid of this size."""
        return Puzzle.blank(self.size)

    def solution(self, atoms: Atoms) -> Solution:
        """The grid of an answer set."""
        numbers = _cells(atoms, self.order)
        row, column, number = self.first
        span = range(self.size)
        rows = (tuple(numbers[row + r, column + c] + 1 - number for c in span) for r in span)
        return Solution(self.puzzle, tuple(rows))


def explain_whole(
    rule: RuleFile, deadline: Deadline, unexplained: bool
) -> tuple[list[Message], bool]:
    """What a file without a/3 has in its place, and its rules over a/3, and whether it has a grid.
    Nothing about another file.

    unexplained: whether there are findings that a predicate that is no grid may explain
    """
    statements, errors = syntax.parse(rule)
    read, defined = syntax.predicates(rule), lint.definitions(rule)
    if errors or lint.PLACED in read or unsafe_variables(rule.text, rule.place):
        return [], False
    derived = _derived(statements)
    if not derived:
        declared = {item.signature for item in rule.declared}
        unknown = sorted(each for each in read - defined.keys() - declared if each[1] == 3)
        return _about_undefined(rule, statements, unknown, deadline), False
    found = played_grid(rule, derived, deadline)
    if isinstance(found, str):
        where = min(defined[each] for each in derived)
        return [_warning(rule, where, found)] * unexplained, False
    rewriting = _explained(rule, found, deadline)
    size, name = found.size, _name(found.predicate)
    text = (
        f"{name} plays the part of a/3 here: in the answer sets of this file, which is a whole"
        f" program, {found} is a {size}x{size} grid with one number N in each row R and column C"
        f"{found.open_order}{found.counted}; a rule file elaborates base.lp by constraints over"
        " a(R,C,N)"
    )
    if found.givens:
        states = "states" if len(found.givens) == 1 else "state"
        text += f"; {enumerated(map(_name, found.givens))} {states} givens, which a puzzle has"
    return [_warning(rule, defined[found.predicate], f"{text}; {rewriting}")], True


def _about_undefined(
    rule: RuleFile, statements: Sequence[AST], unknown: list[Signature], deadline: Deadline
) -> list[Message]:
    if not unknown:
        return []
    place = next(
        syntax.position_of(atom)
        for statement in statements
        for atom in syntax.atoms(statement)
        if syntax.signature(atom) in unknown
    )
    names = enumerated(map(_name, unknown))
    if len(unknown) > 1:
        text = f"{names} have three arguments, and nothing defines them: if one of them is the"
        return [_warning(rule, place, f"{text} grid, write a(R,C,N) for it")]
    text = f"if {names} plays the part of a/3 here, with row, column and number in this order, "
    return [_warning(rule, place, text + _explained(rule, PlayedGrid(unknown[0]), deadline))]


def played_grid(
    rule: RuleFile, candidates: Sequence[Signature], deadline: Deadline
) -> PlayedGrid | str:
    """The only one of these predicates that plays the part of a/3 in a program, or why none does.
    The file must have been parsed without errors: then it runs no code and reads no other file.
    """
    statements = syntax.parse(rule)[0]
    ternary = [*candidates, *(each for each in lint.definitions(rule) if each[1] == 3)]
    atoms = _ask(rule.text, ternary, deadline)
    if isinstance(atoms, str):
        return atoms
    answer_sets = atoms.answer_sets
    found = [grid for each in candidates if (grid := _as_grid(each, atoms))]
    chosen = _derived(statements, only_chosen=True)
    if len(found) > 1:  # others may be derived from the one that is chosen
        found = [each for each in found if each.predicate in chosen] or found
    if len(found) != 1:
        if found:
            names = enumerated(_name(each.predicate) for each in found)
            return f"{names} are each a grid: which of them plays the part of a/3 cannot be told"
        names = enumerated(map(_name, candidates))
        return (
            f"{names} cannot play the part of a/3: in {len(answer_sets)} answer sets of this file,"
            " its atoms are not a square grid with one number in each row and column"
        )
    (grid,) = found
    derived = _derived(statements)
    givens = tuple(
        each
        for each in dict.fromkeys(ternary)
        if each not in derived
        and answer_sets[0][each]
        and all(answer_set[each] < answer_set[grid.predicate] for answer_set in answer_sets)
    )
    if any(_states_given(each, (grid.predicate,)) for each in statements):
        givens = (*givens, grid.predicate)
    if givens:  # a grid with givens tells less about the order than one without
        others = "\n".join(str(each) for each in statements if not _states_given(each, givens))
        others += "".join(f"\n#defined {_name(each)}." for each in givens)
        more = _ask(others, [grid.predicate], deadline)
        again = None if isinstance(more, str) else _as_grid(grid.predicate, more)
        if not again:
            why = more if isinstance(more, str) else "it is not a grid"
            return f"without its givens ({enumerated(map(_name, givens))}), {why}"
        grid = again
    return grid._replace(givens=givens)


def _states_given(statement: AST, givens: Sequence[Signature]) -> bool:
    """Whether a statement is a fact of one of these predicates."""
    return (
        statement.ast_type.name == "Rule"
        and not statement.body
        and statement.head.ast_type.name == "Literal"
        and not {*map(syntax.signature, syntax.heads(statement))}.isdisjoint(givens)
    )


def _derived(statements: Sequence[AST], only_chosen: bool = False) -> list[Signature]:
    """The ternary predicates that rules derive, or choose, and not only facts state."""
    return sorted(
        {
            syntax.signature(head)
            for each in statements
            for head in syntax.heads(each)
            if each.ast_type.name == "Rule"
            and (each.head.ast_type.name != "Literal" or (each.body and not only_chosen))
            and syntax.signature(head)[1] == 3
        }
    )


class _Atoms(NamedTuple):
    """Atoms of some predicates that can be true, and those of a few answer sets."""

    possible: dict[Signature, Atoms]
    answer_sets: list[dict[Signature, Atoms]]


def _ask(text: str, wanted: Sequence[Signature], deadline: Deadline) -> _Atoms | str:
    """The atoms of these predicates in a program, or why there are none."""
    seconds = min(max(deadline.seconds_left(), _SHORTEST), _LONGEST)
    limits = Limits(seconds, DEFAULT_LIMITS.memory)
    try:
        found = run_limited(limits, _atoms, text, list(wanted), seconds)
    except TimeLimitError:
        found = Aborted("time", f"more than {seconds:.3g} s")
    except RuleError as error:
        found = Aborted("crashed", str(error))
    if isinstance(found, Aborted):
        return f"whether this file is a whole program was not decided: {found}"
    none = "this file is a program without an answer set, so that it has no grid"
    return found if found.answer_sets else none


def _atoms(text: str, wanted: list[Signature], seconds: float) -> _Atoms:
    """Runs in a child."""
    try:
        control = grounded(text, seconds, endless=True)
    except TimeoutError:
        raise TimeLimitError("grounding") from None
    if control is None:
        raise RuleError("clingo cannot ground it")

    def of_wanted(terms: Iterable[Term]) -> dict[Signature, Atoms]:
        atoms = list(terms)
        return {each: _integers(atoms, each) for each in wanted}

    found = _Atoms(of_wanted(from_symbol(each.symbol) for each in control.symbolic_atoms), [])
    control.configuration.solve.models = _TRIED  # type: ignore[union-attr]
    with control.solve(yield_=True) as handle:
        for model in handle:
            found.answer_sets.append(of_wanted(map(from_symbol, model.symbols(atoms=True))))
    return found


def _integers(atoms: Iterable[Term], predicate: Signature) -> Atoms:
    found = [a.arguments for a in atoms if isinstance(a, Function) and a.signature == predicate]
    numbers = [tuple(each for each in a if isinstance(each, int)) for a in found]
    return frozenset(numbers if all(len(each) == predicate[1] for each in numbers) else ())


def _cells(atoms: Atoms, order: tuple[int, int, int]) -> dict[tuple[int, int], int]:
    row, column, number = order
    return {(atom[row], atom[column]): atom[number] for atom in atoms}


def _as_grid(predicate: Signature, atoms: _Atoms) -> PlayedGrid | None:
    """The predicate as a grid, if it is one; in an order that boxes confirm, if there is any."""
    found = [each[predicate] for each in atoms.answer_sets]
    size = isqrt(len(found[0]))
    if size < 2 or any(len(each) != size * size for each in found):
        return None
    if len(atoms.possible[predicate]) == size * size:  # regions, or another function of the cells
        return None
    fitting: list[PlayedGrid] = []
    for order in _ORDERS:
        values = [sorted({atom[place] for atom in atoms.possible[predicate]}) for place in order]
        first = tuple(each[0] for each in values)
        ranges = [range(each, each + size) for each in first]
        cells = {*product(*ranges[:2])}
        if (
            values == [*map(list, ranges)]
            and {*first} <= {0, 1}
            and all(_cells(each, order).keys() == cells for each in found)
        ):
            fitting.append(PlayedGrid(predicate, order, first, size))
    boxed = [each for each in fitting if all(_has_boxes(each, atoms) for atoms in found)]
    fitting = boxed or fitting
    if not fitting:
        return None
    chosen = fitting[0]
    row, column, number = chosen.order
    open_order = ""
    if any(each.order[2] != number for each in fitting):
        open_order = " (which argument is the number cannot be told: this order is assumed)"
    elif (column, row, number) in [each.order for each in fitting]:
        open_order = " (or row C and column R: no answer set tells them apart)"
    examples = tuple(map(chosen.solution, found[:_COMPARED]))
    left_out = size**3 - len(atoms.possible[predicate])
    return chosen._replace(open_order=open_order, examples=examples, left_out=left_out)


def _has_boxes(grid: PlayedGrid, atoms: Atoms) -> bool:
    """Whether no number occurs twice in a box of the usual shape."""
    cells, (rows, columns) = _cells(atoms, grid.order), grid.puzzle.box or (0, 0)
    if not rows:
        return False
    boxes = {
        ((row - grid.first[0]) // rows, (column - grid.first[1]) // columns, number)
        for (row, column), number in cells.items()
    }
    return len(boxes) == len(cells)


# --- its rules over a/3


class _Written(NamedTuple):
    """A statement over a/3, in words of its author except for the grid and names of ours, and the
    statement of the file that it is from.
    """

    origin: AST
    text: str

    @property
    def line(self) -> int:
        """The line of the statement in the file."""
        return syntax.position_of(self.origin)[0]


def _explained(rule: RuleFile, grid: PlayedGrid, deadline: Deadline) -> str:
    """Which rules of a file ours state already, and the others over a/3."""
    try:
        constants = _constants(rule, grid)
        written = [*_over_a(rule, grid)]
        found = _in_child(_compared, _file(rule, written), grid, constants, deadline)
    except AspdokuError as error:
        return f"it was not written over a/3: {error}"
    said = []
    if found.weaker:
        said.append(f"it allows grids that ours forbid, by {enumerated(found.weaker)}")
    other = [each for each in syntax.parse(rule)[0] if each.ast_type.name not in _WITHOUT_EFFECT]
    if other:
        lines = sorted({syntax.position_of(each)[0] for each in other})
        verb = "is no rule" if len(lines) == 1 else "are no rules"
        said.append(f"{_lines(lines)} {verb}, and left out")
    left = {each.line for number, each in enumerate(written) if number in found.violated}
    stated = {each.line for number, each in enumerate(written) if number in found.stated} - left
    if stated:
        said.append(f"base.lp and the default rules state {_lines(sorted(stated))}")
    if found.undecided:
        lines = sorted({written[each].line for each in found.undecided})
        said.append(f"whether ours state {_lines(lines)} was not decided in time")
    known = {number for numbers in found.equal.values() for number in numbers}
    for name, numbers in found.equal.items():
        lines = sorted({written[each].line for each in numbers})
        verb = "is" if len(lines) == 1 else "are"
        said.append(f"{_lines(lines)} {verb} the rule '{name}' of ours, --with {name}")
    others = [each for each in found.violated if each not in known]
    if not others:
        return "; ".join([*said, "it has no other rule"])
    text = "".join(f"\n{each.text}" for each in _with_helpers(written, others))
    used = {*re.findall(r"\w+", text)}
    for given in grid.givens:
        if given[0] in used:
            text = f"\n#defined {_name(given)}.  % {given[0]}(R,C,N): a given, as a fact{text}"
    options = [f", with -c {name}={constants[name]}" for name in constants if name in used]
    what = "the rest" if stated or known else "this file"
    return "; ".join([*said, f"{what} as a rule file{''.join(options)} is:{text}"])


def _lines(numbers: list[int]) -> str:
    return f"line{'s' * (len(numbers) > 1)} {enumerated(map(str, numbers))}"


def _over_a(rule: RuleFile, grid: PlayedGrid) -> Iterator[_Written]:
    """The rules of a file without the facts that state givens. Raises RuleError."""
    negated = (f"-{grid.predicate[0]}", 3)
    if negated in syntax.predicates(rule):
        raise RuleError(f"it has {_name(negated)}, the strong negation of its grid")
    source = _texts(rule, grid)
    possible = unused_tag("possible", [rule.text])
    first = None
    for statement in syntax.parse(rule)[0]:
        if statement.ast_type.name != "Rule":
            continue
        if _states_given(statement, (*grid.givens, grid.predicate)):
            continue
        heads = [*map(syntax.signature, syntax.heads(statement))]
        if grid.predicate not in heads:
            yield _Written(statement, source([statement]))
            continue
        body, head = source(statement.body) if statement.body else "", statement.head
        kind, line = head.ast_type.name, syntax.position_of(statement)[0]
        elements = [*getattr(head, "elements", ())]
        if kind not in ("Aggregate", "Literal", "Disjunction") or (
            kind == "Aggregate" and {*heads} != {grid.predicate}
        ):
            raise RuleError(f"line {line} chooses the grid together with other atoms")
        if kind == "Disjunction":
            # By the others: an atom that is no atom of the grid is derived if none of them is true.
            texts = [
                f"not {source([each.literal])}"
                + (f" : {source(each.condition)}" if each.condition else "")
                for each in elements
            ]
            for place, each in enumerate(elements):
                own = {*map(syntax.signature, syntax.heads(statement.update(head=each)))}
                if grid.predicate in own:
                    continue
                if each.condition or each.literal.sign:
                    raise RuleError(f"line {line} has a disjunction with conditions")
                rest = "; ".join([*([body] * bool(body)), *texts[:place], *texts[place + 1 :]])
                yield _Written(statement, f"{source([each.literal])} :- {rest}.")
            if {*heads} == {grid.predicate}:
                rest = "; ".join([*([body] * bool(body)), *texts])
                yield _Written(statement, f":- {rest}.")
        else:
            # What a choice without bounds may choose, it also leaves out: ours has each number.
            condition = f"{body}; " if body else ""
            yield _Written(statement, f":- {condition}not {source([head])}.")
        if grid.left_out:  # what nothing derives is false
            first = first or statement
            for each in elements or [head]:
                conditions = [source([item]) for item in getattr(each, "condition", ())]
                atom = source([getattr(each, "literal", each)])
                if not atom.startswith("a("):
                    continue
                rest = "; ".join([*([body] * bool(body)), *conditions])
                derived = f"{possible}{atom[1:]}" + (f" :- {rest}" if rest else "")
                yield _Written(statement, f"{derived}.")
    if first:
        yield _Written(first, f":- a(R,C,N), not {possible}(R,C,N).")


def _constants(rule: RuleFile, grid: PlayedGrid) -> dict[str, str]:
    """The constants that a file sets. Raises RuleError for other values of ours."""
    sizes = dict(zip(SIZES, (grid.size, *(grid.puzzle.box or ())), strict=False))
    found = {}
    for each in syntax.parse(rule)[0]:
        if each.ast_type.name == "Definition":
            value = str(each.value)
            if each.name not in SIZES:
                found[each.name] = value
            elif value != str(sizes.get(each.name)):
                ours = f"{each.name} is {sizes.get(each.name)} in all programs of a grid like this"
                raise RuleError(f"its constant {each.name} is {value}, and {ours}")
    return found


def _file(rule: RuleFile, written: Sequence[_Written]) -> RuleFile:
    return RuleFile(rule.name, rule.place, "".join(f"{each.text}\n" for each in written), True)


def _rules(file: RuleFile) -> list[AST]:
    return [each for each in syntax.parse(file)[0] if each.ast_type.name == "Rule"]


def _with_helpers(written: Sequence[_Written], wanted: Sequence[int]) -> Iterator[_Written]:
    """These statements, and the definitions on which they depend, in the order of the file."""
    statements = [_rules(RuleFile("", "", each.text, True))[0] for each in written]
    uses = syntax.dependencies(statements)
    read = {atom for each in wanted for atom in syntax.read_by(statements[each])}
    needed = {each for start in read for each in syntax.reachable(start, uses)}
    for number, each in enumerate(statements):
        if number in wanted or {*map(syntax.signature, syntax.heads(each))} & needed:
            yield written[number]


def _texts(rule: RuleFile, grid: PlayedGrid) -> Callable[[Sequence[AST]], str]:
    """The function for the text from the first of some nodes to the last one, with a/3 for the grid
    and other names for predicates of ours.
    """
    ours = (library.base(), *library.defaults())
    taken = {*vocabulary()}.union(*map(lint.defined_predicates, ours))
    taken &= lint.defined_predicates(rule)
    text, tag = rule.text, unused_tag("own", [rule.text])

    def written(nodes: Sequence[AST]) -> str:
        position, end = syntax.span(text, nodes[0])[0], syntax.span(text, nodes[-1])[1]
        pieces, done = [], 0
        for atom in (each for node in nodes for each in syntax.atoms(node)):
            predicate, (begin, after) = syntax.signature(atom), syntax.span(text, atom)
            if predicate not in (grid.predicate, *grid.givens, *taken):
                continue
            if begin < done:
                raise RuleError(f"line {syntax.position_of(atom)[0]} has a pool of atoms")
            instead = f"{tag}_{text[begin:after]}"
            if predicate in (grid.predicate, *grid.givens):
                name = "a" if predicate == grid.predicate else predicate[0]
                arguments = (syntax.span(text, each) for each in atom.arguments)
                instead = grid.placed(name, [text[slice(*each)] for each in arguments])
            pieces += [text[position:begin], instead]
            position = done = after
        return "".join([*pieces, text[position:end]])

    return written


class _Comparison:
    """A file over a/3 whose rules can be violated, with ours, of which one can be violated. Its
    givens are any numbers of the grid.
    """

    def __init__(
        self,
        file: RuleFile,
        grid: PlayedGrid,
        constants: Mapping[str, str],
        seconds: float,
        name: str = "",
        others: Iterable[RuleFile] = (),
    ) -> None:
        game = [library.base(), *library.defaults()]
        tag = unused_tag("it", [file.text])
        free, places = relaxed(file, tag)
        self.broken = {
            number: Function(f"{tag}_broken", syntax.position_of(each))
            for number, each in enumerate(_rules(file))
            if syntax.position_of(each) in places
        }
        self._kept: list[tuple[Function, bool]] = []
        self.ours: list[Function] = []
        symbol = name.replace("-", "_")
        for number, rule in enumerate(game):
            if name and symbol in rule.retractable:
                game[number], inside = relaxed(rule, f"{tag}_ours{number}")
                for each in _rules(rule):
                    if (place := syntax.position_of(each)) in inside:
                        atom = Function(f"{tag}_ours{number}_broken", place)
                        if f"ab({symbol})" in str(each):
                            self.ours.append(atom)
                        else:
                            self._kept.append((atom, False))
        negated = {}
        for number, rule in enumerate(others):
            with suppress(RuleError):  # a file that chooses
                negated[rule.name] = negate(rule, f"{tag}_other{number}")
        self.others = {each: broken(rule) for each, rule in negated.items()}
        text = "".join(
            f"{{ {each[0]}(R,C,N) : a(R,C,N) }}.\n"
            for each in grid.givens
            if each != grid.predicate
        )
        game += [RuleFile("givens", "givens", text, True), free, *negated.values()]
        program = assemble(grid.puzzle, game, (), constants, fast=False)
        self._solver = Solver(program, seconds)

    def possible(self, *atoms: tuple[Function, bool]) -> bool | None:
        """Whether there is a grid with these atoms; None if that was not decided in time. Raises
        TimeLimitError if grounding did not end, which the next question would begin again.
        """
        search = self._solver.search(1, [*self._kept, *atoms])
        if search.count():
            return True
        if not self._solver.grounded:
            raise TimeLimitError("grounding did not end in time")
        return False if search.ended == "complete" else None


class _Compared(NamedTuple):
    """The numbers of rules over a/3 that no grid of ours violates, and of the others, with those
    for which that was not decided in time; violations of our rules by grids of the file; and those
    of the others that together are an elaboration of ours, by its name.
    """

    stated: list[int]
    violated: list[int]
    undecided: list[int]
    weaker: list[str]
    equal: dict[str, list[int]]


def _compared(
    file: RuleFile, grid: PlayedGrid, constants: Mapping[str, str], seconds: float
) -> _Compared:
    """Compare a file over a/3 with our rules. Runs in a child."""
    asked = _Comparison(file, grid, constants, seconds)
    found = _Compared([], [], [], [], {})
    restricting = [*syntax.restricting(_rules(file))]
    for number, each in enumerate(_rules(file)):
        if atom := asked.broken.get(number):
            possible = asked.possible((atom, True))
            (found.stated if possible is False else found.violated).append(number)
            if possible is None:
                found.undecided.append(number)
        elif each in restricting:
            found.violated.append(number)
    if left := [each for each in found.violated if each in asked.broken]:
        with suppress(TimeLimitError):  # then no name is known
            found.equal.update(_equal(file, grid, constants, seconds / _SHARE, left))
    weaker: dict[str, str] = {}
    blank = assemble(grid.puzzle, [library.base(), *library.defaults()])
    for example in grid.examples:
        for violation in find_program_violations(blank, example, seconds):
            weaker.setdefault(violation.place, f'{violation.place}: "{violation.message}"')
    return found._replace(weaker=list(weaker.values()))


def _equal(
    file: RuleFile,
    grid: PlayedGrid,
    constants: Mapping[str, str],
    seconds: float,
    left: list[int],
) -> dict[str, list[int]]:
    """The elaborations of ours that some of these rules of a file are, with their numbers."""
    asked = _Comparison(file, grid, constants, seconds, others=rules_without_inputs())
    found = {}
    for name, other in asked.others.items():
        implied = [
            each
            for each in left
            if asked.possible((asked.broken[each], True), (other, False)) is False
        ]
        kept = [(asked.broken[each], False) for each in implied]
        if implied and asked.possible((other, True), *kept) is False:
            found[name] = implied
            left = [each for each in left if each not in implied]
    return found


def _stating(
    file: RuleFile, grid: PlayedGrid, constants: Mapping[str, str], seconds: float, name: str
) -> list[int]:
    """The numbers of the rules that state one of ours, together with our others: not those that
    state a part of it, such as that two cells of a box differ. Runs in a child.
    """
    asked = _Comparison(file, grid, constants, seconds, name)

    def possible(violated: Iterable[Function], held: Iterable[int]) -> bool:
        kept = [(asked.broken[each], False) for each in held]
        answers = [asked.possible((atom, True), *kept) for atom in violated]
        if True not in answers and None in answers:
            raise TimeLimitError("it was not decided in time which of its rules state it")
        return True in answers

    left = []
    for number, atom in asked.broken.items():
        kept = [(each, False) for each in asked.ours]
        with_it, without = asked.possible((atom, True), *kept), asked.possible((atom, True))
        if None in (with_it, without):
            raise TimeLimitError("it was not decided in time which of its rules state it")
        if without and not with_it:
            left.append(number)
    found: list[int] = []
    while left:
        needed = list(left)
        for each in left:
            others = [other for other in needed if other != each]
            if not possible([asked.broken[each]], others):
                needed = others
        found += needed
        left = [each for each in left if each not in needed]
        if possible([asked.broken[each] for each in needed], left):
            break
    return sorted(found)


def _in_child(
    call: Callable[..., _T],
    file: RuleFile,
    grid: PlayedGrid,
    constants: Mapping[str, str],
    deadline: Deadline,
    *more: str,
) -> _T:
    """The result of a comparison in a child. Raises RuleError."""
    seconds = min(max(deadline.seconds_left(), _SHORTEST), _LONGEST)
    limits = Limits(seconds, DEFAULT_LIMITS.memory)
    found: _T | Aborted
    try:
        found = run_limited(limits, call, file, grid, constants, seconds / 2, *more)
    except TimeLimitError as error:
        found = Aborted("time", str(error))
    if isinstance(found, Aborted):
        raise RuleError(f"which of its rules ours state was not decided: {found}")
    return found


# --- as a base


class OwnBase(NamedTuple):
    """A whole program as a base, and the file by which its grid is ours.

    program: the unchanged file; `source` is the same one, as it has to be vetted
    """

    program: RuleFile
    grid: PlayedGrid
    bridge: RuleFile
    constants: tuple[tuple[str, str], ...]

    def without(self, name: str, deadline: Deadline) -> RuleFile:
        """The program without the rules that state one of ours: the edits that this takes. Raises
        RuleError if none does, or if they cannot be told.
        """
        rule, grid = self.program, self.grid
        written = [*_over_a(rule, grid)]
        constants = _constants(rule, grid)
        place = f"{rule.place} cannot be edited so that it lacks the rule '{name}'"
        try:
            found = _in_child(_stating, _file(rule, written), grid, constants, deadline, name)
        except RuleError as error:
            raise RuleError(f"{place}: {error}") from None
        if not found:
            raise RuleError(f"{place}: none of its rules states it alone")
        gone = list({written[each].line: written[each].origin for each in found}.values())
        text = self._edited(gone, "")
        before, after = (_ask(each, [grid.predicate], deadline) for each in (rule.text, text))
        if isinstance(before, str) or isinstance(after, str) or before.possible != after.possible:
            text = self._edited(gone, f"1 {{ {grid.atom} : number(N) }} 1 :- cell(R,C).")
        called = f"{rule.place} without {_lines([syntax.position_of(each)[0] for each in gone])}"
        return RuleFile(rule.name, called, text, True, source=rule.source)

    def _edited(self, gone: Sequence[AST], instead: str) -> str:
        """The text without these statements, with another one for those that place numbers."""
        text = self.program.text
        for each in reversed(gone):
            begin, end = syntax.span(self.program.text, each)
            places = self.grid.predicate in map(syntax.signature, syntax.heads(each))
            text = text[:begin] + instead * places + text[end:]
            instead = "" if places else instead
        return text


def own_base(rule: RuleFile, name: str, puzzle: Puzzle, deadline: Deadline) -> OwnBase:
    """The program of a file as a base, in which a predicate, as in `sudoku/3`, is the grid. Raises
    RuleError if it is none, or one of another size, or if the program has statements or words that
    cannot be combined with our elaborations.
    """
    if fatal := [each for each in lint.fatal_errors(rule) if "#const" not in each.text]:
        raise RuleError(fatal[0].quoted)
    predicate, _, arity = name.partition("/")
    if arity != "3" or (predicate, 3) not in lint.definitions(rule):
        raise RuleError(
            f"{rule.place} defines no {name}: name the predicate of its grid, as in p/3"
        )
    if lint.PLACED in lint.definitions(rule):
        raise RuleError(f"{rule.place} defines a/3, which has to be the grid of a base")
    grid = played_grid(rule, [(predicate, 3)], deadline)
    if isinstance(grid, str):
        raise RuleError(f"{rule.place}: {grid}")
    n = grid.size
    if puzzle.size != n or puzzle.numbers != range(1, n + 1):
        raise RuleError(
            f"{rule.place} is about {n}x{n} grids, with numbers from 1 to {n} over a/3, and the"
            f" puzzle is none: name such a puzzle, or a blank one by -c n={n}"
        )
    words = f"number(1..{n}).  row(1..{n}).  column(1..{n}).\ncell(R,C) :- row(R), column(C).\n"
    ours, theirs = (_ask(text, _WORDS, deadline) for text in (words, rule.text))
    if isinstance(ours, str) or isinstance(theirs, str):
        raise RuleError(f"{rule.place}: its words were not compared with ours in time")
    for each in (each for each in _WORDS if each in lint.definitions(rule)):
        if any(found[each] != ours.possible[each] for found in theirs.answer_sets):
            line = lint.definitions(rule)[each][0]
            raise RuleError(
                f"{rule.place}:{line}: {_name(each)} is a word of our elaborations, with another"
                " meaning: call it otherwise"
            )
    place, atom = f"bridge from {name} to a/3", grid.atom
    joined = f"% {atom} plays the part of a(R,C,N).\na(R,C,N) :- {atom}, cell(R,C), number(N).\n"
    bridge = f"{joined}:- a(R,C,N), not {atom}.\n{words}"
    program = RuleFile(rule.name, rule.place, rule.text, True, rule.path, rule)
    constants = tuple(_constants(rule, grid).items())
    return OwnBase(program, grid, RuleFile(place, place, bridge, True), constants)


def require_apart(base: OwnBase, rules: Iterable[RuleFile]) -> None:
    """Raise RuleError for a rule that reads a predicate which a base defines in another meaning."""
    own = lint.definitions(base.program)
    for rule in library.with_vocabulary([base.program, *rules])[1:]:
        read = syntax.predicates(rule) - lint.defined_predicates(rule) - {*_WORDS}
        if both := sorted(read & own.keys()):
            where = f"{base.program.place}:{own[both[0]][0]}"
            raise RuleError(
                f"{rule.place} reads {_name(both[0])}, which {where} defines as a word of its own:"
                " call it otherwise"
            )


def _name(predicate: Signature) -> str:
    return f"{predicate[0]}/{predicate[1]}"


def _warning(rule: RuleFile, place: tuple[int, int], text: str) -> Message:
    return Message(rule.place, *place, "warning", f"warning: {text}").with_excerpt(rule.text)
