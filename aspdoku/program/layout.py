"""The layout of a grid as rules derive it: its regions, and the cells that are not used.

A rule file with a head `unused(R,C)` determines which cells of the square grid belong to the
puzzle. What it derives from the facts of the instance alone, the atoms `unused(R,C)` and
`box(R,C,I)`, is read here, since everything that shows a grid needs it. A cell that is unused for
the rules of the grid, but in which the rule file chooses a number, is part of the puzzle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from threading import Thread
from typing import TYPE_CHECKING

from aspdoku.errors import RuleError
from aspdoku.program.rulefile import EXCEPTIONS, RuleFile
from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzle.puzzle import GIVEN, REGION, UNUSED
from aspdoku.puzzle.term import sort_key
from aspdoku.runtime.signals import postponed

if TYPE_CHECKING:
    from clingo import Control

# Far more than layouts take. Without an end, composing a program could take for ever.
_SECONDS = 10.0


@lru_cache(maxsize=512)
def derives_layout(rule: RuleFile) -> bool:
    """Whether a rule file determines which cells are not used."""
    if UNUSED[0] not in rule.text or not rule.mentions(UNUSED[0]):
        return False
    from aspdoku.program.syntax import heads, parse, signature

    return any(
        signature(head) == UNUSED for statement in parse(rule)[0] for head in heads(statement)
    )


def derived_layout(
    puzzle: Puzzle, rules: Sequence[RuleFile], constants: Mapping[str, str | int]
) -> tuple[Function, ...]:
    """The layout that the rules derive from the facts of a puzzle; empty if they cannot be
    grounded: the search for solutions reports why. Raises RuleError if that takes too long, or if
    cells are unused in some answer sets only.
    """
    span, numbers = f"1..{puzzle.size}", f"{puzzle.numbers[0]}..{puzzle.numbers[-1]}"
    # A grid with a layout has no box shape.
    sizes = {"n": puzzle.size, "box_rows": 0, "box_columns": 0}
    text = [
        *(f"#const {name} = {value}." for name, value in {**sizes, **constants}.items()),
        f"row({span}). column({span}). number({numbers}).",
        "cell(R,C) :- row(R), column(C), not unused(R,C).",
        *(f"{fact}." for fact in puzzle.facts),
        *(f"{EXCEPTIONS}({name.replace('-', '_')})." for name in puzzle.without),
        *(rule.text for rule in rules),
    ]
    places = " and ".join(rule.place for rule in rules)
    try:
        endless = not all(rule.vetted for rule in rules)
        control = grounded("\n".join(text), _SECONDS, endless=endless)
    except TimeoutError:
        late = f"the unused cells were not derived within {_SECONDS:g} s"
        raise RuleError(f"{late}: simplify the rules in {places}") from None
    if control is None:
        return ()
    atoms = control.symbolic_atoms
    chosen = {tuple(map(str, atom.symbol.arguments[:2])) for atom in atoms.by_signature(*GIVEN)}
    found = []
    for name, arity in (UNUSED, REGION):
        for atom in atoms.by_signature(name, arity):
            row, column, *region = map(str, atom.symbol.arguments)
            if (name, arity) == UNUSED:
                if not atom.is_fact:
                    raise RuleError(
                        f"{places}: whether r{row}c{column} is unused depends on cell(R,C) or on a"
                        " choice: derive unused(R,C) from row(R), column(C) and the inputs"
                    )
                if (row, column) in chosen:
                    continue
            if atom.is_fact and row.isdecimal() and column.isdecimal():
                found.append(Function(name, (int(row), int(column), *region)))
    return tuple(sorted(found, key=sort_key))


def grounded(program: str, seconds: float, *, endless: bool = False) -> Control | None:
    """The ground program; None if clingo fails. Raises TimeoutError. If the program may be endless,
    clingo reports each ground rule, so that the grounding can be ended.
    """
    from clingo import Control

    control = Control(logger=lambda _code, _text: None)
    grounded = given_up = False
    if endless:
        from aspdoku.program.growth import Brake  # only for users' files

        control.register_observer(Brake(lambda _: given_up))

    def ground() -> None:
        nonlocal grounded
        with suppress(RuntimeError):
            control.add(program)
            control.ground()
            grounded = True

    # In a second thread, since clingo cannot be interrupted while it grounds.
    thread = Thread(target=ground, daemon=True)
    with postponed:
        thread.start()
    thread.join(seconds)
    if thread.is_alive():
        given_up = True  # the thread must not go on for ever
        raise TimeoutError
    return control if grounded else None
