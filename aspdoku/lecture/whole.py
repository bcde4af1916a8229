"""Whole programs in a vocabulary of their own: which predicate plays the part of a/3 in them, and
which of their rules are an elaboration of ours.

The first is decided by clingo, in a child: a predicate plays that part if its atoms in each of the
answer sets that are looked at are a square grid with one number in each cell. For the second, each
rule is written with a/3, and clingo searches for a grid of ours that violates it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.engine import Solver
from aspdoku.engine.solver import from_symbol
from aspdoku.errors import AspdokuError, RuleError, TimeLimitError
from aspdoku.lecture.equivalence import find_program_violations
from aspdoku.program import RuleFile, assemble, library, lint, syntax
from aspdoku.program.layout import grounded
from aspdoku.program.messages import Message
from aspdoku.program.rulefile import SIZES
from aspdoku.program.syntax import Signature
from aspdoku.program.transform import relaxed, unused_tag
from aspdoku.program.vetting import unsafe_variables
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.term import Term
from aspdoku.puzzlefile.lines import enumerated, pluralize
from aspdoku.runtime.child import DEFAULT_LIMITS, Aborted, Limits, run_limited

if TYPE_CHECKING:
    from aspdoku.program.syntax import AST

# Answer sets that are looked at; of these, those that are compared with our rules.
_TRIED, _COMPARED = 50, 5
# Seconds that a thread may be waited for.
_LONGEST = 1e6
# Which arguments are the row, the column and the number: the usual order first. The order of row
# and column matters only for boxes that are not square.
_ORDERS = ((0, 1, 2), (1, 2, 0), (0, 2, 1), (1, 0, 2), (2, 1, 0), (2, 0, 1))

# The words of the base that elaborations read.
_WORDS = [("number", 1), ("row", 1), ("column", 1), ("cell", 2)]

Atoms = frozenset[tuple[int, ...]]  # none if some argument is no integer


class PlayedGrid(NamedTuple):
    """The predicate that plays the part of a/3.

    order: its arguments that are the row, the column and the number
    first: the first row and the first column
    examples: grids of a few answer sets
    open_order: what the answer sets do not tell about the order, in words
    givens: the predicates that state givens
    left_out: how many numbers cells cannot hold whatever is chosen
    """

    predicate: Signature
    order: tuple[int, int, int] = _ORDERS[0]
    first: tuple[int, int] = (1, 1)
    numbers: range = range(1, 10)
    examples: tuple[Solution, ...] = ()
    open_order: str = ""
    givens: tuple[Signature, ...] = ()
    left_out: int = 0

    def __str__(self) -> str:
        letters = dict(zip(self.order, "RCN", strict=True))
        return f"{self.predicate[0]}({','.join(letters[each] for each in range(3))})"

    def atom(self, row: str, column: str, number: str) -> str:
        """The atom of this predicate for that of a/3."""
        lower = [
            each if first else f"{each}-1"
            for each, first in zip((row, column), self.first, strict=True)
        ]
        terms = dict(zip(self.order, [*lower, number], strict=True))
        return f"{self.predicate[0]}({','.join(terms[each] for each in range(3))})"

    def placed(self, arguments: Sequence[str]) -> str:
        """The atom of a/3 for the arguments of this predicate."""
        row, column, number = (arguments[each] for each in self.order)
        shifted = (
            each if first == 1 else f"({each})+1" if not each.isalnum() else f"{each}+1"
            for each, first in zip((row, column), self.first, strict=True)
        )
        return f"a({','.join([*shifted, number])})"

    @property
    def puzzle(self) -> Puzzle:
        """A blank grid of this size, with these numbers."""
        return Puzzle.blank(len(self.numbers)).replace(numbers=self.numbers)

    def solution(self, atoms: Atoms) -> Solution:
        """The grid of an answer set."""
        numbers = _cells(atoms, self.order)
        rows, columns = (range(each, each + len(self.numbers)) for each in self.first)
        return Solution(self.puzzle, tuple(tuple(numbers[r, c] for c in columns) for r in rows))


def explain_whole(rule: RuleFile, time_limit: float, unexplained: bool) -> list[Message]:
    """What a file without a/3 has in its place, and its rules over a/3. Nothing about another file.

    unexplained: whether there are findings that a predicate that is no grid may explain
    """
    statements, errors = syntax.parse(rule)
    read, defined = syntax.predicates(rule), lint.definitions(rule)
    if errors or lint.PLACED in read or unsafe_variables(rule.text, rule.place):
        return []
    derived = _derived(statements)
    if not derived:
        declared = {item.signature for item in rule.declared}
        unknown = sorted(each for each in read - defined.keys() - declared if each[1] == 3)
        return _about_undefined(rule, statements, unknown, time_limit)
    found = played_grid(rule, derived, time_limit)
    if isinstance(found, str):
        where = min(defined[each] for each in derived)
        return [_warning(rule, where, found)] if unexplained else []
    rewriting = _explained(rule, found, time_limit)
    size, name = len(found.numbers), _name(found.predicate)
    text = (
        f"{name} plays the part of a/3 here: in the answer sets of this file, which is a whole"
        f" program, {found} is a {size}x{size} grid with one number N in each row R and column C"
        f"{found.open_order}; a rule file elaborates base.lp by constraints over a(R,C,N)"
    )
    if found.givens:
        states = "states" if len(found.givens) == 1 else "state"
        text += f"; {enumerated(map(_name, found.givens))} {states} givens, which a puzzle has"
    return [_warning(rule, defined[found.predicate], f"{text}; {rewriting}")]


def _about_undefined(
    rule: RuleFile, statements: Sequence[AST], unknown: list[Signature], time_limit: float
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
    return [_warning(rule, place, text + _explained(rule, PlayedGrid(unknown[0]), time_limit))]


def played_grid(
    rule: RuleFile, candidates: Sequence[Signature], time_limit: float
) -> PlayedGrid | str:
    """The only one of these predicates that plays the part of a/3 in a program, or why none does.
    The file must have been parsed without errors: then it runs no code and reads no other file.
    """
    statements = syntax.parse(rule)[0]
    ternary = [*candidates, *(each for each in lint.definitions(rule) if each[1] == 3)]
    atoms = _ask(rule.text, ternary, time_limit)
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
    givens = tuple(
        each
        for each in dict.fromkeys(ternary)
        if each not in _derived(statements)
        and answer_sets[0][each]
        and all(answer_set[each] < answer_set[grid.predicate] for answer_set in answer_sets)
    )
    if any(_states_givens(each, grid) for each in statements):
        givens = (*givens, grid.predicate)
    if givens:  # a grid with givens tells less about the order than one without
        others = _without_givens(rule, grid._replace(givens=givens))
        more = _ask(others, [grid.predicate], time_limit)
        again = _as_grid(grid.predicate, atoms if isinstance(more, str) else more)
        grid = again or grid
    return grid._replace(givens=givens)


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


def _ask(text: str, wanted: Sequence[Signature], seconds: float) -> _Atoms | str:
    """The atoms of these predicates in a program, or why there are none."""
    seconds = min(seconds, _LONGEST)
    limits = Limits(seconds, DEFAULT_LIMITS.memory)
    try:
        found = run_limited(limits, _atoms, text, list(wanted), seconds)
    except TimeLimitError:
        found = Aborted("time", f"more than {seconds:.3g} s")
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
        return _Atoms({}, [])

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
        ranges = [range(each[0], each[0] + size) for each in values]
        cells = {*product(*ranges[:2])}
        first = (ranges[0][0], ranges[1][0])
        if (
            values == [*map(list, ranges)]
            and {*first} <= {0, 1}
            and all(_cells(each, order).keys() == cells for each in found)
        ):
            fitting.append(PlayedGrid(predicate, order, first, ranges[2]))
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
    """A statement over a/3: in words of its author, except for the grid and names of ours."""

    statement: AST
    text: str


def _explained(rule: RuleFile, grid: PlayedGrid, time_limit: float) -> str:
    """Which rules of a file ours state already, and the others over a/3."""
    try:
        written = list(_over_a(rule, grid))
        found, starts = _compare(written, rule, grid, time_limit)
    except AspdokuError as error:
        return f"it was not written over a/3: {error}"
    constants = _constants(rule, grid)
    said = []
    if found.weaker:
        said.append(f"it allows grids that ours forbid, by {enumerated(found.weaker)}")
    if grid.left_out:
        said.append(
            f"it leaves out {pluralize(grid.left_out, 'number')} of cells without a constraint,"
            " which is not written over a/3"
        )
    lines = sorted({syntax.position_of(starts[each].statement)[0] for each in found.stated})
    if lines:
        said.append(f"base.lp and the default rules state {_lines(lines)}")
    others = sorted([*found.violated, *found.undecided])
    if not others:
        return "; ".join([*said, "it has no other rule"])
    wanted = [starts[each] for each in others]
    text = "".join(f"\n{each.text}" for each in _with_helpers(written, wanted))
    used = {*re.findall(r"\w+", text)}
    options = [f", with -c {name}={constants[name]}" for name in constants if name in used]
    what = "the rest" if found.stated else "this file"
    return "; ".join([*said, f"{what} as a rule file{''.join(options)} is:{text}"])


def _lines(numbers: list[int]) -> str:
    return f"line{'s' * (len(numbers) > 1)} {enumerated(map(str, numbers))}"


def _over_a(rule: RuleFile, grid: PlayedGrid) -> Iterator[_Written]:
    """The rules of a file without those that state givens. Raises RuleError."""
    source = _texts(rule, grid)
    for statement in syntax.parse(rule)[0]:
        if statement.ast_type.name != "Rule" or _states_givens(statement, grid):
            continue
        body = source(statement.body) if statement.body else ""
        if grid.predicate not in map(syntax.signature, syntax.heads(statement)):
            yield _Written(statement, source([statement]))
            continue
        kind, head = statement.head.ast_type.name, source([statement.head])
        if kind not in ("Aggregate", "Literal"):
            line = syntax.position_of(statement)[0]
            raise RuleError(f"line {line} is neither a rule, a choice nor a constraint")
        # What a choice without bounds may choose, it also leaves out: ours has each number.
        condition = f"{body}, " if body else ""
        yield _Written(statement, f":- {condition}not {head}.")


def _states_givens(statement: AST, grid: PlayedGrid) -> bool:
    """Whether a rule is about givens, or is a fact about the grid."""
    about = {syntax.signature(each) for each in syntax.atoms(statement)}
    if statement.ast_type.name == "Rule" and not statement.body and about == {grid.predicate}:
        return bool(statement.head.ast_type.name == "Literal")
    return not about.isdisjoint({*grid.givens} - {grid.predicate})


def _constants(rule: RuleFile, grid: PlayedGrid) -> dict[str, str]:
    """The constants that a file sets. Raises RuleError for other values of ours."""
    sizes = dict(zip(SIZES, (len(grid.numbers), *(grid.puzzle.box or ())), strict=False))
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


def _without_givens(rule: RuleFile, grid: PlayedGrid) -> str:
    """The program without the rules that state givens."""
    return "\n".join(str(each) for each in syntax.parse(rule)[0] if not _states_givens(each, grid))


def _with_helpers(written: Sequence[_Written], wanted: Sequence[_Written]) -> Iterator[_Written]:
    """These constraints, and the definitions on which they depend, in the order of the file."""
    # Statements that choose or derive the grid have become constraints.
    defining = [each for each in written if not each.text.startswith(":-")]
    uses = syntax.dependencies(each.statement for each in defining)
    read = {atom for each in wanted for atom in syntax.read_by(each.statement)}
    needed = {each for start in read for each in syntax.reachable(start, uses)}
    for each in written:
        heads = {*map(syntax.signature, syntax.heads(each.statement))}
        if each in wanted or (each in defining and heads & needed):
            yield each


def _spans(text: bytes) -> Callable[[AST, AST], tuple[int, int]]:
    """The function for the place from the begin of one node to the end of another one."""
    starts = [0]
    for line in text.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)

    def span(first: AST, last: AST) -> tuple[int, int]:
        begin, end = first.location.begin, last.location.end
        return starts[begin.line - 1] + begin.column - 1, starts[end.line - 1] + end.column - 1

    return span


def _texts(rule: RuleFile, grid: PlayedGrid) -> Callable[[Sequence[AST]], str]:
    """The function for the text from the first of some nodes to the last one, with a/3 for the grid
    and other names for predicates of ours.
    """
    text = rule.text.encode()
    span = _spans(text)
    ours = (library.base(), *library.defaults())
    taken = set[Signature]().union(*map(lint.defined_predicates, ours))
    taken &= lint.defined_predicates(rule)

    def cut(begin: int, end: int) -> str:
        return text[begin:end].decode()

    def written(nodes: Sequence[AST]) -> str:
        position, end = span(nodes[0], nodes[-1])
        pieces, done = [], 0
        for atom in (each for node in nodes for each in syntax.atoms(node)):
            predicate, (begin, after) = syntax.signature(atom), span(atom, atom)
            if predicate != grid.predicate and predicate not in taken:
                continue
            if begin < done:
                raise RuleError(f"line {syntax.position_of(atom)[0]} has a pool of atoms")
            instead = f"own_{cut(begin, after)}"
            if predicate == grid.predicate:
                instead = grid.placed([cut(*span(each, each)) for each in atom.arguments])
            pieces += [cut(position, begin), instead]
            position = done = after
        return "".join([*pieces, cut(position, end)])

    return written


class _Compared(NamedTuple):
    """The lines of rules over a/3 that no grid of ours violates, that one violates, and others that
    were not decided in time; and violations of our rules by grids of the file.
    """

    stated: list[int]
    violated: list[int]
    undecided: list[int]
    weaker: list[str]


def _compared(
    rule: RuleFile,
    grid: PlayedGrid,
    constants: Mapping[str, str],
    seconds: float,
    without: Sequence[str] = (),
) -> _Compared:
    """Compare a file over a/3 with ours, without some of our rules. Runs in a child."""
    game = [library.base(), *library.defaults()]
    tag = unused_tag("it", [rule.text])
    relaxed_rule, places = relaxed(rule, tag)
    program = assemble(grid.puzzle, [*game, relaxed_rule], without, constants, fast=False)
    solver = Solver(program, seconds)
    found = _Compared([], [], [], [])
    for place in sorted(places):
        search = solver.search(1, [(Function(f"{tag}_broken", place), True)])
        if search.count():
            found.violated.append(place[0])
        else:
            (found.stated if search.ended == "complete" else found.undecided).append(place[0])
    weaker: dict[str, str] = {}
    blank = assemble(grid.puzzle, game)
    for each in grid.examples:
        for violation in find_program_violations(blank, each, seconds):
            weaker.setdefault(violation.place, f'{violation.place}: "{violation.message}"')
    return found._replace(weaker=list(weaker.values()))


def _compare(
    written: Sequence[_Written],
    rule: RuleFile,
    grid: PlayedGrid,
    time_limit: float,
    without: Sequence[str] = (),
) -> tuple[_Compared, dict[int, _Written]]:
    """As `_compared`, and the statements by their lines. Raises RuleError."""
    file = RuleFile(rule.name, rule.place, "".join(f"{each.text}\n" for each in written), True)
    limits, constants = Limits(time_limit, DEFAULT_LIMITS.memory), _constants(rule, grid)
    found: _Compared | Aborted
    try:
        found = run_limited(limits, _compared, file, grid, constants, time_limit / 2, without)
    except TimeLimitError as error:
        found = Aborted("time", str(error))
    if isinstance(found, Aborted):
        raise RuleError(f"which of its rules ours state was not decided: {found}")
    starts, line = {}, 1
    for each in written:
        starts[line] = each
        line += each.text.count("\n") + 1
    return found, starts


# --- as a base


class OwnBase(NamedTuple):
    """A whole program as a base, and the file by which its grid is ours.

    program: the unchanged file; `source` is the same one, as it has to be vetted
    """

    program: RuleFile
    grid: PlayedGrid
    bridge: RuleFile
    constants: tuple[tuple[str, str], ...]

    def without(self, name: str, time_limit: float) -> RuleFile:
        """The program without the rules that state one of ours: the edits that this takes. Raises
        RuleError if none does, or if they cannot be told.
        """
        rule, grid = self.program, self.grid
        written = list(_over_a(rule, grid))
        with_it, starts = _compare(written, rule, grid, time_limit)
        left, _ = _compare(written, rule, grid, time_limit, (name,))
        place = f"{rule.place} cannot be edited so that it lacks the rule '{name}'"
        if with_it.undecided or left.undecided:
            raise RuleError(f"{place}: it was not decided in time which of its rules state it")
        gone = [starts[each].statement for each in with_it.stated if each in left.violated]
        if not gone:
            raise RuleError(f"{place}: none of its rules states it alone")
        text = rule.text.encode()
        span = _spans(text)
        instead = f"1 {{ {grid.atom('R', 'C', 'N')} : number(N) }} 1 :- cell(R,C)."
        for each in reversed(gone):
            begin, end = span(each, each)
            places = grid.predicate in map(syntax.signature, syntax.heads(each))
            text = text[:begin] + instead.encode() * places + text[end:]
            instead = "" if places else instead
        lines = _lines([syntax.position_of(each)[0] for each in gone])
        called = f"{rule.place} without {lines}"
        return RuleFile(rule.name, called, text.decode(), True, source=rule.source)


def own_base(rule: RuleFile, name: str, puzzle: Puzzle, time_limit: float) -> OwnBase:
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
    grid = played_grid(rule, [(predicate, 3)], time_limit)
    if isinstance(grid, str):
        raise RuleError(f"{rule.place}: {grid}")
    if (puzzle.size, puzzle.numbers) != (grid.puzzle.size, grid.numbers):
        first, size = grid.numbers[0], grid.puzzle.size
        raise RuleError(
            f"{rule.place} is about {size}x{size} grids with numbers from {first}, and the puzzle"
            f" is none: name such a puzzle, or a blank one by -c n={size}"
        )
    n, numbers = len(grid.numbers), grid.numbers
    words = (
        f"number({numbers[0]}..{numbers[-1]}).  row(1..{n}).  column(1..{n}).\n"
        "cell(R,C) :- row(R), column(C).\n"
    )
    ours, theirs = (_ask(text, _WORDS, time_limit) for text in (words, rule.text))
    if isinstance(ours, str) or isinstance(theirs, str):
        raise RuleError(f"{rule.place}: its words were not compared with ours in time")
    for each in (each for each in _WORDS if each in lint.definitions(rule)):
        if any(found[each] != ours.possible[each] for found in theirs.answer_sets):
            line = lint.definitions(rule)[each][0]
            raise RuleError(
                f"{rule.place}:{line}: {_name(each)} is a word of our elaborations, with another"
                " meaning: call it otherwise"
            )
    place, atom = f"bridge from {name} to a/3", grid.atom("R", "C", "N")
    joined = f"% {grid} plays the part of a(R,C,N).\na(R,C,N) :- {atom}, row(R), column(C).\n"
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
