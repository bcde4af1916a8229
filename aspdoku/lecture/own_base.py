"""A whole program in a vocabulary of its own as the base of elaborations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from aspdoku.errors import RuleError
from aspdoku.lecture.played_grid import PlayedGrid, ask, in_child, name_of, played_grid
from aspdoku.lecture.rewriting import Comparison, retractable, violable
from aspdoku.program import RuleFile, library, lint, syntax
from aspdoku.program.rulefile import SIZES
from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzlefile.lines import enumerated
from aspdoku.runtime.deadline import Deadline

# The words of the base that elaborations read.
_WORDS = [("number", 1), ("row", 1), ("column", 1), ("cell", 2)]


class OwnBase(NamedTuple):
    """A whole program as a base, and the file by which its grid is ours.

    program: the unchanged file; `source` is the same one, as it has to be vetted
    """

    program: RuleFile
    grid: PlayedGrid
    bridge: RuleFile

    def without(self, name: str, deadline: Deadline) -> RuleFile:
        """The program without the rules that state one of ours: the edits that this takes. Raises
        RuleError if no rule does, or if it was not decided which do.
        """
        rule, grid = self.program, self.grid
        try:
            what = "which of its rules state it"
            origins = in_child(what, deadline, _stating, rule, grid, name)
        except RuleError as error:
            cannot = f"{rule.place} cannot be edited so that it lacks the rule '{name}'"
            raise RuleError(f"{cannot}: {error}") from None
        statements = syntax.parse(rule)[0]
        gone = [statements[each] for each in origins]
        text = self._edited(gone, "")
        choice = f"1 {{ {grid.atom('R', 'C', 'N')} : number(N) }} 1 :- cell(R,C)."
        if text != (edited := self._edited(gone, choice)):
            with suppress(RuleError):  # such as that no answer set is left
                left, all_ = (ask(each, [grid.predicate], deadline) for each in (text, rule.text))
                edited = text if left.possible == all_.possible else edited
        lines = [str(syntax.position_of(each)[0]) for each in gone]
        called = f"{rule.place} without line{'s' * (len(lines) > 1)} {enumerated(lines)}"
        return RuleFile(rule.name, called, edited, True, source=rule.source)

    def _edited(self, gone: Sequence[syntax.AST], instead: str) -> str:
        """The text without these statements, with another one for those that place numbers."""
        text = self.program.text
        for each in reversed(gone):
            begin, end = syntax.span(text, each)
            places = self.grid.predicate in map(syntax.signature, syntax.heads(each))
            text = text[:begin] + instead * places + text[end:]
            instead = "" if places else instead
        return text


def _stating(rule: RuleFile, grid: PlayedGrid, name: str, seconds: float) -> list[int]:
    """The numbers of the statements that together state one of our rules, as often as they do. A
    clue about cells of one box, which only grids without boxes violate, is none. Runs in a child.
    """
    deadline, symbol, names = Deadline(seconds), name.replace("-", "_"), retractable()
    if symbol not in names:
        raise RuleError("no fact retracts such a rule of ours")
    parts = violable(Comparison(rule, grid, deadline, names), symbol)
    with_it = Comparison(rule, grid, deadline)
    asked = Comparison(rule, grid, deadline, [symbol])
    left = [atom for atom in asked.own.values() if with_it.none(atom) and not asked.none(atom)]

    def state(some: Sequence[Function]) -> bool:
        return any(asked.none(each, *some) for each in parts)

    gone: list[Function] = []
    while state(left):
        least = left
        for atom in left:
            fewer = [other for other in least if other != atom]
            least = fewer if state(fewer) else least
        gone += least
        left = [atom for atom in left if atom not in least]
    if not gone:
        raise RuleError("none of its rules states it alone")
    pieces = dict(zip(asked.statements, asked.pieces, strict=True))
    return sorted({pieces[place].origin for place, atom in asked.own.items() if atom in gone})


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
        line = lint.definitions(rule)[lint.PLACED][0]
        raise RuleError(
            f"{rule.place}:{line}: a/3 is the grid of our elaborations, which a file of its own"
            " derives from that of this base: rename it, and name the grid as in p/3"
        )
    try:
        grid = played_grid(rule, [(predicate, 3)], deadline)
    except RuleError as error:
        raise RuleError(f"{rule.place}: {error}") from None
    n = grid.size
    if (puzzle.size, puzzle.numbers) != (n, range(1, n + 1)):
        raise RuleError(
            f"{rule.place} is about {n}x{n} grids with numbers from 1 to {n}, and the puzzle is"
            f" not: name such a puzzle, or a blank one by -c n={n}"
        )
    for constant, value in grid.constants:
        if constant in SIZES:
            raise RuleError(
                f"{rule.place}: its constant {constant} is {value}, which is something else in our"
                f" elaborations of a {n}x{n} grid: rename it"
            )
    words = f"number(1..{n}).  row(1..{n}).  column(1..{n}).\ncell(R,C) :- row(R), column(C).\n"
    ours, theirs = (ask(text, _WORDS, deadline) for text in (words, rule.text))
    for each in (each for each in _WORDS if each in lint.definitions(rule)):
        if any(found[each] != ours.facts[each] for found in theirs.answer_sets):
            line = lint.definitions(rule)[each][0]
            raise RuleError(
                f"{rule.place}:{line}: {name_of(each)} is a word of our elaborations, with another"
                " meaning: rename it"
            )
    place, atom = f"bridge from {name} to a/3", grid.atom("R", "C", "N")
    joined = (
        f"% {grid} plays the part of a(R,C,N).\na(R,C,N) :- {atom}, row(R), column(C), number(N).\n"
    )
    bridge = f"{joined}:- a(R,C,N), not {atom}.\n{words}"
    program = RuleFile(rule.name, rule.place, rule.text, True, rule.path, rule)
    return OwnBase(program, grid, RuleFile(place, place, bridge, True))


def require_apart(base: OwnBase, rules: Iterable[RuleFile]) -> None:
    """Raise RuleError for a rule that reads a predicate which a base defines in another meaning."""
    own = lint.definitions(base.program)
    for rule in library.with_vocabulary([base.program, *rules])[1:]:
        read = syntax.predicates(rule) - lint.defined_predicates(rule) - {*_WORDS}
        if both := sorted(read & own.keys()):
            where = f"{base.program.place}:{own[both[0]][0]}"
            raise RuleError(
                f"{rule.place} reads {name_of(both[0])}, which {where} defines as a word of its"
                " own: rename it"
            )
