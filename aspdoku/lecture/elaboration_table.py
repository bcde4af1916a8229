"""Tables of all elaborations of a base: ours, and that of the slides.

In the base of the slides, the choice rule for boxes is what places the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NamedTuple

from aspdoku.engine import Solver
from aspdoku.errors import TimeLimitError
from aspdoku.lecture.changes import (
    ContractKind,
    GroundDiff,
    TextDiff,
    contract,
    diff_ground_programs,
    diff_texts,
    trace,
)
from aspdoku.lecture.elaboration import COUNTED_SIZE, Change, Stage, edited_base
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
    """The elaborations of one base, all of them unless the time limit was reached."""

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
    retracted = tuple(rule.name for rule in game)
    bare, slides = Stage((library.base(),)), Stage((library.bundled("slides/base.lp"),))
    played = Stage((library.base(), *game))
    edited = Stage((edited_base(slides.rules[0], "box"),))
    back = _no_boxes("by adding a fact", retracted)
    ours = [Change(bare, bare.with_rule(rule), rule) for rule in game]
    ours += [Change(played, played.with_rule(rule), rule) for rule in others]
    ours.append(Change(played, played._replace(without=retracted), back))
    theirs = [Change(slides, slides.with_rule(rule), rule) for rule in others]
    theirs.append(Change(slides, edited, _no_boxes("by editing the base")))
    deadline = Deadline(time_limit)
    return _table(ours, deadline, on_row), _table(theirs, deadline, on_row)


def _table(
    changes: list[Change],
    deadline: Deadline,
    on_row: Callable[[RuleFile, ElaborationRow], None],
) -> ElaborationTable:
    base = changes[0].before.rules[0]
    rows: list[ElaborationRow] = []
    with suppress(TimeLimitError):
        for number, change in enumerate(changes, 1):
            note(f"{base.place}: {change.rule.name}, {number} of {len(changes)}")
            rows.append(_row(change, deadline))
            on_row(base, rows[-1])
    return ElaborationTable(base, tuple(rows), len(rows) == len(changes))


def _no_boxes(how: str, retracted: Iterable[str] = ()) -> RuleFile:
    """A rule file that retracts the boxes by facts, or has no facts if that is impossible."""
    facts = "".join(f"{EXCEPTIONS}({name.replace('-', '_')}).\n" for name in retracted)
    return RuleFile("(no boxes)", "the puzzle", f"% Strimko: no boxes, {how}\n{facts}", vetted=True)


def _row(change: Change, deadline: Deadline) -> ElaborationRow:
    """The row of one elaboration. Raises TimeLimitError at the deadline."""
    rule = change.rule

    def programs(size: int) -> tuple[Program, Program]:
        """Those for a blank grid with the example's facts."""
        puzzle = Puzzle.blank(size)
        if rule.example:
            text = f"{'.' * size * size}\n[facts]\n{rule.example}"
            puzzle = puzzle.replace(facts=parse_native(text, "example").facts)
        after = change.after.program(puzzle)
        return change.before.program(puzzle, after.sizes), after

    def count(program: Program) -> int:
        search = Solver(program, deadline.time_limit()).search(0)
        number = search.count()
        if search.ended == "time":
            raise TimeLimitError("time limit reached")
        return number

    before, after = programs(SIZE)
    changed = diff_texts(before, after)
    kind = "surgery" if changed.removed else contract(rule, change.before.rules).kind
    ground = (trace(program, deadline.time_limit()) for program in (before, after))
    few, fewer = programs(COUNTED_SIZE)
    return ElaborationRow(
        rule.name,
        rule.title,
        kind,
        changed,
        diff_ground_programs(*ground),
        (count(few), count(fewer)),
        rule.example,
    )
