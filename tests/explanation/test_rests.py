"""The rule of 45: which cells are left of houses and cages, and what follows for them."""

import re
from itertools import combinations, product
from pathlib import Path
from random import Random

import pytest
from clingo import Control
from instance_files import FOLDER

import aspdoku
from aspdoku import compose
from aspdoku.explanation.constraints import ConstraintModel
from aspdoku.explanation.rests import Rests
from aspdoku.explanation.techniques import Namer
from aspdoku.program import library

NINE = range(1, 10)
BLANK = "\n".join([". " * 9] * 9)


def recorded():
    text = Path(__file__).with_name("killer_rests.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    for line in lines:
        name, kind, *sums = line.split(" | ")
        yield name, kind, *({total(each) for each in part.split()} for part in sums)


def total(text):
    number, cells = text.split("=")
    return frozenset((int(r), int(c)) for r, c in re.findall(r"r(\d)c(\d)", cells)), int(number)


def cages_of(wanted):
    return next(cages for name, _, cages, _ in recorded() if name == wanted)


def killer(cages, *facts, text=BLANK, without=()):
    """What is left of a puzzle with these cages, and its constraints."""
    facts = list(facts)
    for index, (cells, number) in enumerate(sorted(cages, key=lambda each: sorted(each[0]))):
        facts += [f"cage_value({index},{number})", *(f"cage({r},{c},{index})" for r, c in cells)]
    puzzle = aspdoku.parse(text + "\n\n[facts]\n" + "".join(f"{fact}.\n" for fact in facts))
    model = ConstraintModel(compose(puzzle, "killer", without=without))
    return model, Rests(model, Namer(model).noun_and_name)


def areas():
    """Rows and columns next to each other, boxes, and pairs of boxes next to each other."""
    for first, last in combinations(range(1, 11), 2):
        if last - first < 9:
            yield {(r, c) for r in range(first, last) for c in NINE}
            yield {(r, c) for r in NINE for c in range(first, last)}
    box = {(b, d): {(3 * b + r, 3 * d + c) for r in (1, 2, 3) for c in (1, 2, 3)}
           for b in range(3) for d in range(3)}  # fmt: skip
    yield from box.values()
    for (one, cells), (other, others) in combinations(box.items(), 2):
        if sum(abs(x - y) for x, y in zip(one, other, strict=True)) == 1:
            yield cells | others


def expected(cages):
    """The cells that are left, all inside or all outside, with their total and the name."""
    left = set()
    for area in areas():
        whole = 5 * len(area)
        inside = [each for each in cages if each[0] <= area]
        touching = [each for each in cages if each[0] & area]
        inner = area.difference(*(cells for cells, _ in inside))
        if inside and 0 < len(inner) <= 6:
            left.add((frozenset(inner), whole - sum(number for _, number in inside), "innies"))
        covered = frozenset().union(*(cells for cells, _ in touching))
        if area <= covered and 0 < len(covered - area) <= 6:
            outies = sum(number for _, number in touching) - whole
            left.add((covered - area, outies, "outies"))
    return left


@pytest.mark.parametrize("name", sorted({name for name, *_ in recorded()}))
def test_cells_that_are_left_are_those_of_another_program_and_of_the_definition(name):
    cages = cages_of(name)
    named = expected(cages)
    (innies, *_), (outies, *_) = (
        [found for other, side, _, found in recorded() if (other, side) == (name, kind)]
        for kind in ("innies", "outies")
    )
    assert {(*each, "innies") for each in innies} | {(*each, "outies") for each in outies} <= named
    _, rests = killer(cages)
    one_sided = {
        (frozenset(rest.signs), rest.total, rest.technique)
        for rest in rests.all
        if rest.technique != "innies and outies"
    }
    assert one_sided <= named
    assert {each[:2] for each in one_sided} == {each[:2] for each in named}


def test_what_is_left_holds_in_the_solution():
    for name in {name for name, *_ in recorded()}:
        cages = cages_of(name)
        model, rests = killer(cages)
        (solution,) = aspdoku.solve(model.program, limit=2).solutions
        numbers = solution.numbers()
        assert rests.all
        for rest in rests.all:
            assert sum(x * numbers[cell] for cell, x in rest.signs.items()) == rest.total
            assert rest.total >= 0


def differ(one, other, cages):
    (r, c), (r1, c1) = one, other
    return (
        r == r1
        or c == c1
        or ((r - 1) // 3, (c - 1) // 3) == ((r1 - 1) // 3, (c1 - 1) // 3)
        or any({one, other} <= cells for cells, _ in cages)
    )


@pytest.mark.parametrize("seed", range(4))
def test_conclusions_are_those_of_all_ways_to_fill_the_cells(seed):
    """Each rest is tried alone, without some of the candidates that are not in the solution."""
    random = Random(seed)
    cages = cages_of("0")
    model, rests = killer(cages)
    numbers = next(iter(aspdoku.solve(model.program, limit=1).solutions)).numbers()
    literal = model.candidates
    concluded = 0
    few = [rest for rest in rests.all if len(rest.signs) <= 3]
    for rest in random.sample(few, 12):
        gone = {
            (*cell, n)
            for cell in rest.signs
            for n in NINE
            if n != numbers[cell] and random.random() < 0.3
        }
        cells = list(rest.signs)
        left = [[n for n in NINE if (*cell, n) not in gone] for cell in cells]
        placed = {cell for cell, some in zip(cells, left, strict=True) if len(some) == 1}
        known = {-literal[each] for each in gone}
        known |= {literal[(*cell, numbers[cell])] for cell in placed}
        possible = {
            (*cell, n)
            for ways in product(*left)
            if sum(x * n for x, n in zip(rest.signs.values(), ways, strict=True)) == rest.total
            and not any(
                n == n1 and differ(cell, other, cages)
                for (cell, n), (other, n1) in combinations(zip(cells, ways, strict=True), 2)
                if not {cell, other} & placed
            )
            for cell, n in zip(cells, ways, strict=True)
        }
        excluded = {(*c, n) for c, some in zip(cells, left, strict=True) for n in some} - possible
        rests.all = [rest]
        found = rests.conclusion(known, 3)
        claims = {
            model.candidate_of[abs(each)]: each > 0 for each in (found.claims if found else ())
        }
        for place, holds in claims.items():
            assert holds == (place in possible)
        implied = {
            (*place[:2], n)
            for place, holds in claims.items()
            for n in NINE
            if (n != place[2]) == holds
        }
        assert excluded <= implied
        if found:
            concluded += 1
            needed = {model.candidate_of[abs(each)]: each > 0 for each in found.premises}
            allowed = [
                [n for n in NINE if needed.get((*cell, n), True)]
                if not any(needed.get((*cell, n)) for n in NINE)
                else [numbers[cell]]
                for cell in cells
            ]
            ways = [
                {(*cell, n) for cell, n in zip(cells, way, strict=True)}
                for way in product(*allowed)
                if sum(x * n for x, n in zip(rest.signs.values(), way, strict=True)) == rest.total
                and not (
                    found.differences
                    and any(
                        n == n1 and differ(one, other, cages)
                        for (one, n), (other, n1) in combinations(zip(cells, way, strict=True), 2)
                    )
                )
            ]
            for place, holds in claims.items():
                assert all((place in way) == holds for way in ways)
    assert concluded > 2


@pytest.mark.slow
def test_nothing_is_left_of_what_is_retracted_or_excepted():
    cages = cages_of("0")
    _, rests = killer(cages, "ab(row)", "ab(column)", "ab(box)")
    assert not rests.all
    _, rests = killer(cages, "ab(killer)")
    assert not rests.all


def test_a_sum_that_may_be_false_leaves_nothing():
    program = compose(aspdoku.parse((FOLDER / "made" / "liar.txt").read_text("utf-8")))
    model = ConstraintModel(program)
    assert model.sums
    assert not Rests(model, Namer(model).noun_and_name).all


def test_a_house_holds_the_numbers_of_the_puzzle():
    """Four numbers from 0 to 3 add up to 6."""
    text = "with: killer\nnumbers: 0-3\n\n" + ". . . .\n" * 4 + "\n[cage]\nA A A .\n"
    text += ". . . .\n" * 3 + "A = 5\n"
    model = ConstraintModel(compose(aspdoku.parse(text)))
    rests = Rests(model, Namer(model).noun_and_name).all
    assert ({(1, 4): 1}, 1) in [(rest.signs, rest.total) for rest in rests]


def test_the_rule_forbids_other_totals():
    """Plain clingo: of the two cells that are left, all pairs of numbers with the total."""
    control = Control(["0", "--warn=none"])
    text = library.bundled("rule-of-45.lp").text + (
        'rest("row 1",10,"cage A",5,"r1c3 + r1c4",5). rest_cell("r1c3 + r1c4",1,(3;4),1).'
        "1 { a(1,C,1..4) } 1 :- C = 3..4. #show a/3. #defined ab/1."
    )
    control.add(text)
    control.ground()
    pairs = []
    with control.solve(yield_=True) as handle:
        for model in handle:
            atoms = sorted(model.symbols(shown=True), key=lambda each: each.arguments[1].number)
            pairs.append(tuple(each.arguments[2].number for each in atoms))
    assert sorted(pairs) == [(1, 4), (2, 3), (3, 2), (4, 1)]


def test_a_step_names_the_houses_and_the_clues():
    hint = str(aspdoku.explain("example:cages-four").steps[1])
    assert hint == (
        "r2c4=1 because the total of box 2 is 10 and that of cage A is 9, so r2c4 = 1 (innies)"
    )


BOARDS = "with: boards, killer\nwithout: row, column\nnumbers: 1-4\n\n" + ". . . . . . . .\n" * 4
BOARDS += "/ / / / / / / /\n" * 4
BOARDS += "\n[cage]\nA A A . B B B .\n" + ". . . . . . . .\n" * 7 + "A = 6\nB = 7\n\n[facts]\n"
BOARDS += "board(left,1,1,4,4).\nboard(right,1,5,4,4).\n"
QUADRUPLE = "with: killer, quadruple\n\n" + ". . . .\n" * 4
QUADRUPLE += "\n[cage]\n. A . .\nA A . .\n. . . .\n. . . .\nA = 8\n\n[quadruple]\n1,2,3,4: r1c1\n"


@pytest.mark.parametrize(
    ("text", "left", "words"),
    [
        (BOARDS, (1, 8), "the total of row 1 (columns 5 to 8) is 10 and that of cage B is 7"),
        # Not that of the quadruple, which needs the same numbers.
        (QUADRUPLE, (1, 1), "the total of box 1 is 10 and that of cage A is 8"),
        # A cage may have the total of a row.
        (
            "with: killer\nnumbers: 0-3\n\n" + ". . . .\n" * 4 + "\n[cage]\nA A A .\n"
            ". . . .\n. . . .\n. . . .\nA = 6\n",
            (1, 4),
            "the total of row 1 is 6 and that of cage A is 6",
        ),
    ],
)
def test_houses_and_clues_have_their_own_names(text, left, words):
    model = ConstraintModel(compose(aspdoku.parse(text)))
    rests = Rests(model, Namer(model).noun_and_name)
    rests.all = [each for each in rests.all if {*each.signs} == {left}]
    conclusion = rests.conclusion(set(), 1)
    assert conclusion.instance.words.startswith(words)


def test_a_step_by_a_total_names_all_rules_behind_it_and_is_no_step_by_one_rule():
    step = aspdoku.explain("example:cages-four").steps[1]
    (reason,) = step.reasons
    assert reason.uses >= {"box", "killer", "rule-of-45"}
    assert step.size == 2
