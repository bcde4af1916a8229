"""Searches that decide in a given order: their answer sets are the first ones in that order."""

import os
import signal
import threading
from functools import partial
from itertools import product
from random import Random

import pytest
from clingo import Control
from in_one_test import in_one_test

from aspdoku.engine.propagators import OrderedSearch
from aspdoku.errors import TimeLimitError
from aspdoku.runtime.deadline import Deadline

pytestmark = pytest.mark.versions

ATOMS = "abcdefg"
# No search decides this within a minute.
PIGEONS = """\
{ in(P,H) : H = 1..13 } = 1 :- P = 1..14.
:- in(P,H), in(P1,H), P < P1.
"""


def search_of(text, deadline=None):
    control = Control(["--configuration=frumpy"])
    control.add(text)
    control.ground()
    literals = {str(each.symbol): each.literal for each in control.symbolic_atoms}
    ordered = OrderedSearch(control, deadline or Deadline(None))
    return partial(ordered.search, control), literals


def random_clauses(random):
    """Each with atoms of which one must hold, or must not if it has a minus."""
    return [
        [random.choice(["", "-"]) + atom for atom in random.sample(ATOMS, random.randint(2, 4))]
        for _ in range(random.randint(3, 9))
    ]


def program_of(clauses):
    bodies = (
        ", ".join(f"not {each}" if len(each) == 1 else each[-1] for each in clause)
        for clause in clauses
    )
    return f"{{ {'; '.join(ATOMS)} }}." + "".join(f":- {body}." for body in bodies)


def models(clauses):
    """The sets of atoms that satisfy clauses, by trying all."""
    for values in product([True, False], repeat=len(ATOMS)):
        held = {atom for atom, value in zip(ATOMS, values, strict=True) if value}
        if all(
            any((each[-1] in held) == (len(each) == 1) for each in clause) for clause in clauses
        ):
            yield held


@in_one_test("seed", range(40))
def test_answer_sets_in_which_the_most_literals_hold_come_first(seed):
    random = Random(seed)
    clauses = random_clauses(random)
    order = random.sample(ATOMS, len(ATOMS))
    search, literals = search_of(program_of(clauses))
    order = [atom for atom in order if atom in literals]
    found = []

    def first_absent(held):
        return next((place for place, atom in enumerate(order) if atom not in held), len(order))

    def inspect(model, first):
        held = {atom for atom in order if model.is_true(literals[atom])}
        assert first == first_absent(held)
        found.append(held)
        model.context.add_clause([-literals[a] if a in held else literals[a] for a in order])
        return len(order)

    assert search([literals[atom] for atom in order], [], inspect)
    places = [first_absent(held) for held in found]
    assert places == sorted(places, reverse=True)
    assert sorted(map(sorted, found)) == sorted(map(sorted, models(clauses)))


@in_one_test("seed", range(40))
def test_literals_that_are_needed_last(seed):
    """As minimal puzzles are made: the first literal that does not hold has to hold from then on,
    and those after it are left out.
    """
    random = Random(seed)
    clauses = random_clauses(random)
    held = list(models(clauses))
    order = random.sample(ATOMS, len(ATOMS))
    search, literals = search_of(program_of(clauses))
    order = [atom for atom in order if atom in literals]
    expected, needed = [], set()
    rest = list(order)
    while rest and any(needed <= each for each in held):
        kept = next(
            n
            for n in range(len(rest), -1, -1)
            if any({*needed, *rest[:n]} <= each for each in held)
        )
        if kept == len(rest):
            break
        expected.append(rest[kept])
        needed.add(rest[kept])
        rest = rest[:kept]
    found = []

    def inspect(model, first):
        nonlocal order
        if first == len(order):
            return None
        found.append(order[first])
        model.context.add_clause([literals[order[first]]])
        order = order[:first]
        return first

    search([literals[atom] for atom in order], [], inspect)
    assert found == expected


def test_a_search_can_be_ended_and_the_next_one_has_its_own_order():
    search, literals = search_of("{ a; b }. :- a, b.")
    for order, expected in (("ab", "a"), ("ba", "b")):
        found = []

        def inspect(model, _, found=found):
            found.extend(str(atom) for atom in model.symbols(atoms=True))

        assert not search([literals[atom] for atom in order], [], inspect)
        assert found == [expected]


def test_a_long_search_ends_at_the_deadline():
    """Also if it decides nothing in a given order."""
    for order in (True, False):
        search, literals = search_of(PIGEONS, Deadline(0.3))
        with pytest.raises(TimeLimitError, match="while solving"):
            search(literals.values() if order else [], [], lambda *_: None)


def test_ctrl_c_ends_a_long_search():
    search, literals = search_of(PIGEONS)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        search(literals.values(), [], lambda *_: None)
    timer.join()


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="not on this system")
def test_an_ignored_signal_does_not_end_a_search():
    search, literals = search_of("{ a; b }. :- a, b.")
    found = []

    def see(model, _):
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        found.append([str(atom) for atom in model.symbols(atoms=True)])
        return 2

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert search(literals.values(), [], see)
    finally:
        signal.signal(signal.SIGINT, before)
    assert sorted(found) == [[], ["a"], ["b"]]
