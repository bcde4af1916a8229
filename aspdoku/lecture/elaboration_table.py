"""Tables of all elaborations of a base: ours, and that of the slides.

In the base of the slides, the choice rule for boxes is what places the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NamedTuple

from aspdoku.engine import Solver
from aspdoku.errors import TimeLimitError
from aspdoku.lecture.elaboration import COUNTED_SIZE, ContractKind, Stage, contract, edited_base
from aspdoku.lecture.ground_diff import (
    GroundDiff,
    TextDiff,
    diff_ground_programs,
    diff_texts,
    trace,
)
from aspdoku.program import Program, RuleFile, library
from aspdoku.program.rulefile import EXCEPTIONS
from aspdoku.puzzle import Puzzle
from aspdoku.puzzlefile.reader import parse_native
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note

SIZE = 9


class ElaborationRow(NamedTuple):
    """One elaboration, compared with the program before it.

    kind: its contract
    ground_diff: the ground programs of a blank 9x9 grid
    solutions: the numbers of all 4x4 grids before and after, with the file's example facts, if any
    example: these facts
    """

    name: str
    title: str
    kind: ContractKind
    text_diff: TextDiff
    ground_diff: GroundDiff
    solutions: tuple[int, int]
    example: str


class ElaborationTable(NamedTuple):
    """The elaborations of one base.

    `complete` unless the time limit was reached before the last of them.
    """

    base: RuleFile
    rows: tuple[ElaborationRow, ...]
    complete: bool


def elaboration_tables(
    rules: Iterable[RuleFile],
    time_limit: float | None = None,
    on_row: Callable[[RuleFile, ElaborationRow], None] = lambda *_: None,
) -> tuple[ElaborationTable, ElaborationTable]:
    """The table of these elaborations for our base, and for that of the slides.

    time_limit: seconds for both tables
    on_row: called with the base and each row as soon as it is known

    The last row of each retracts the boxes, as Strimko requires: for our base, by adding a fact;
    for that of the slides, by editing it.
    """
    game = library.defaults()
    others = [rule for rule in rules if rule not in game]
    bare, played = Stage((library.base(),)), Stage((library.base(), *game))
    retracted = tuple(rule.name for rule in game)
    ours = [(bare, bare.with_rule(rule), rule) for rule in game] + [
        (played, played.with_rule(rule), rule) for rule in others
    ]
    ours.append(
        (
            played,
            played._replace(without=retracted),
            _no_boxes("by adding a fact", retracted),
        )
    )
    slides = Stage((library.bundled("slides/base.lp"),))
    edited = Stage((edited_base(slides.rules[0], "box"),))
    theirs = [(slides, slides.with_rule(rule), rule) for rule in others]
    theirs.append((slides, edited, _no_boxes("by editing the base")))
    deadline = Deadline(time_limit)
    return (
        _table(library.base(), ours, deadline, on_row),
        _table(slides.rules[0], theirs, deadline, on_row),
    )


def _table(
    base: RuleFile,
    changes: list[tuple[Stage, Stage, RuleFile]],
    deadline: Deadline,
    on_row: Callable[[RuleFile, ElaborationRow], None],
) -> ElaborationTable:
    rows: list[ElaborationRow] = []
    with suppress(TimeLimitError):
        for number, change in enumerate(changes, 1):
            note(f"{base.place}: {change[-1].name}, {number} of {len(changes)}")
            rows.append(_row(*change, deadline))
            on_row(base, rows[-1])
    return ElaborationTable(base, tuple(rows), len(rows) == len(changes))


def _no_boxes(how: str, retracted: Iterable[str] = ()) -> RuleFile:
    """A rule file that retracts the boxes by facts, or has no facts if that is impossible."""
    facts = "".join(f"{EXCEPTIONS}({name.replace('-', '_')}).\n" for name in retracted)
    return RuleFile("(no boxes)", "the puzzle", f"% Strimko: no boxes, {how}\n{facts}", vetted=True)


def _row(before: Stage, after: Stage, rule: RuleFile, deadline: Deadline) -> ElaborationRow:
    """The row of one elaboration. Raises TimeLimitError at the deadline."""

    def count(program: Program) -> int:
        search = Solver(program, deadline.time_limit()).search(0)
        number = search.count()
        if search.ended == "time":
            raise TimeLimitError("time limit reached")
        return number

    example = rule.example
    puzzle = _blank(SIZE, example)
    small = _blank(COUNTED_SIZE, example)
    sizes, small_sizes = (after.program(blank).sizes for blank in (puzzle, small))
    old, new = before.program(puzzle, sizes), after.program(puzzle)
    changed = diff_texts(old, new)
    return ElaborationRow(
        name=rule.name,
        title=rule.title,
        kind="surgery" if changed.removed else contract(rule, before.rules).kind,
        text_diff=changed,
        ground_diff=diff_ground_programs(
            trace(old, deadline.time_limit()),
            trace(new, deadline.time_limit()),
        ),
        solutions=(count(before.program(small, small_sizes)), count(after.program(small))),
        example=example,
    )


def _blank(size: int, example: str) -> Puzzle:
    """A blank grid with the example's facts."""
    facts = (
        parse_native(f"{'.' * size * size}\n[facts]\n{example}", "example").facts if example else ()
    )
    return Puzzle.blank(size).replace(facts=facts)
