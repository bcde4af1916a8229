"""Every elaboration over a base, in a table; and over the slides' base, where what a box holds is what places the numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from aspdoku.engine import Solver
from aspdoku.lessons.contract import Kind, contract
from aspdoku.lessons.elaboration import COUNTED_SIZE, Stage
from aspdoku.lessons.evidence import Evidence, evidence, trace
from aspdoku.lessons.wording import Wording, wording
from aspdoku.program import RuleFile, library
from aspdoku.program.rulefile import EXCEPTIONS
from aspdoku.puzzle import Puzzle

SIZE = 9


class Row(NamedTuple):
    """One elaboration beside what stood before it.

    kind: its contract, or surgery, where something of the base had to be removed
    evidence: the ground programs of a blank 9x9 grid
    solutions: all 4x4 grids before and after; with the file's own example of its inputs, where it has any
    example: that example
    """

    name: str
    title: str
    kind: Kind | Literal["surgery"]
    wording: Wording
    evidence: Evidence
    solutions: tuple[int, int]
    example: str


class Table(NamedTuple):
    """The elaborations over one base."""

    base: RuleFile
    rows: tuple[Row, ...]


def catalogue(rules: Iterable[RuleFile]) -> tuple[Table, Table]:
    """The table of these elaborations over our base, and over that of the slides.

    The last row of each drops the boxes, as Strimko asks: in ours a fact is added, on the slides the base has to be edited.
    """
    game = library.defaults()
    others = [rule for rule in rules if rule not in game]
    bare, played = Stage((library.base(),)), Stage((library.base(), *game))
    taken_back = tuple(rule.name for rule in game)
    ours = [_row(bare, bare.with_rule(rule), rule) for rule in game] + [
        _row(played, played.with_rule(rule), rule) for rule in others
    ]
    ours.append(_row(played, played._replace(without=taken_back), _no_boxes("by a fact that is added", taken_back)))
    slides = Stage((library.bundled("slides/base.lp"),))
    edited = Stage((library.bundled("slides/base-for-strimko.lp"),))
    theirs = [_row(slides, slides.with_rule(rule), rule) for rule in others]
    theirs.append(_row(slides, edited, _no_boxes("by surgery on the base")))
    return Table(library.base(), tuple(ours)), Table(slides.rules[0], tuple(theirs))


def _no_boxes(how: str, taken_back: Iterable[str] = ()) -> RuleFile:
    """What dropping the boxes is called, and the facts that do it, if facts can."""
    facts = "".join(f"{EXCEPTIONS}({name.replace('-', '_')}).\n" for name in taken_back)
    return RuleFile("(no boxes)", "the puzzle", f"% Strimko: no boxes, {how}\n{facts}", vetted=True)


def _row(before: Stage, after: Stage, rule: RuleFile) -> Row:
    example = rule.example
    puzzle = _blank(SIZE, example)
    small = _blank(COUNTED_SIZE, example)
    changed = wording(before.program(puzzle), after.program(puzzle))
    return Row(
        name=rule.name,
        title=rule.title,
        kind="surgery" if changed.removed else contract(rule, before.rules).kind,
        wording=changed,
        evidence=evidence(trace(before.program(puzzle)), trace(after.program(puzzle))),
        solutions=(Solver(before.program(small)).search(0).count(), Solver(after.program(small)).search(0).count()),
        example=example,
    )


def _blank(size: int, example: str) -> Puzzle:
    """A blank grid with the example's facts."""
    facts = Puzzle.parse(f"{'.' * size * size}\n[facts]\n{example}").facts if example else ()
    return Puzzle.blank(size).but(facts=facts)
