"""Steps of explanations: clingo proves each claim from the givens, earlier claims and the cited
rules only.

The claims to be explained come from the solution files and from tests/oracle.py.
"""

import json
from dataclasses import replace
from functools import cache
from itertools import chain
from random import Random

import oracle
import pytest
from in_one_test import in_one_test
from instance_files import FOLDER, INSTANCES
from rule_files import rule_file

import aspdoku
from aspdoku.errors import AspdokuError
from aspdoku.explanation.explainer import Explainer, counterexamples, entries_beyond_givens
from aspdoku.explanation.propagation import Propagator
from aspdoku.explanation.steps import CitedRule, Claim, Reason, Step, difficulty_of, relevant_steps
from aspdoku.explanation.techniques import Technique
from aspdoku.program import assemble, compose, library
from aspdoku.puzzle import Puzzle
from aspdoku.questions.explain import SolutionExplanation
from aspdoku.questions.grade import grade_row

LATIN, CLASSIC = oracle.LATIN, oracle.CLASSIC
KNIGHT = replace(CLASSIC, anti_knight=True)
NO_ROWS = replace(CLASSIC, rows=False)
EMPTY = "....\n" * 4
CORNER = "1...\n....\n....\n...."
SOME = ".4..\n...4\n..2.\n1..."
CHAINS = ["AABB", "ACBB", "CCDD", "ACDD"]
JIGSAW = ["AAAB", "ABBB", "CCCD", "CDDD"]


def drawn(letters, predicate):
    return " ".join(
        f'{predicate}({r},{c},"{name}").'
        for r, row in enumerate(letters, 1)
        for c, name in enumerate(row, 1)
    )


def parts(letters):
    names = sorted({name for row in letters for name in row})
    return {
        n: tuple(
            (r, c) for r, row in enumerate(letters, 1) for c, name in enumerate(row, 1) if name == n
        )
        for n in names
    }


def cyclic(size, rows, columns, hidden):
    """A grid with boxes, filled by shifts, with some cells hidden."""
    rng = Random(size)
    grid = [
        [(c + columns * (r % rows) + r // rows) % size + 1 for c in range(size)]
        for r in range(size)
    ]
    cells = set(rng.sample([(r, c) for r in range(size) for c in range(size)], hidden))
    return "\n".join(
        " ".join("." if (r, c) in cells else str(n) for c, n in enumerate(row))
        for r, row in enumerate(grid)
    )


def number(grid, r, c):
    return grid[r - 1][c - 1]


CAGES = (
    oracle.Cage(((1, 1), (2, 1)), 5, "A"),
    oracle.Cage(((1, 2), (1, 3)), 7, "B"),
    oracle.Cage(((4, 3), (4, 4)), 4, "C"),
)
CAGE_FACTS = " ".join(
    [*(f'cage({r},{c},"{cage.name}").' for cage in CAGES for r, c in cage.cells)]
    + [f'cage_value("{cage.name}",{cage.total}).' for cage in CAGES]
)

# By name: the puzzle, the added and the retracted rules, the oracle's rules, and the text of a
# custom rule file.
MADE = {
    "several solutions": (CORNER, [], [], CLASSIC, None),
    "no given": (EMPTY, [], [], CLASSIC, None),
    "4x4": (SOME, [], [], CLASSIC, None),
    "12x12": (cyclic(12, 3, 4, 60), [], [], CLASSIC, None),
    "boxes retracted": ("12..\n2...\n..1.\n...3", [], ["box"], LATIN, None),
    "rows retracted": ("1234\n3412\n....\n2..3", [], ["row"], NO_ROWS, None),
    "anti-knight": ("1...\n....\n....\n....", ["anti-knight"], [], KNIGHT, None),
    "anti-knight with an exception": (
        "1...\n....\n....\n....\n[facts]\nab(anti_knight,2).",
        ["anti-knight"],
        [],
        replace(KNIGHT, knight_exceptions=frozenset({2})),
        None,
    ),
    "offset": ("12..\n....\n..3.\n....", ["offset"], [], replace(CLASSIC, offset=True), None),
    "greater-than": (
        ".4..\n....\n....\n....\n[facts]\ngt(1,1,1,3). gt(1,3,1,4). gt(2,1,3,1). gt(3,4,4,4).",
        ["greater-than"],
        [],
        replace(
            CLASSIC,
            greater_than=(((1, 1), (1, 3)), ((1, 3), (1, 4)), ((2, 1), (3, 1)), ((3, 4), (4, 4))),
        ),
        None,
    ),
    "Strimko": (
        f"1...\n.2..\n....\n...1\n[facts]\n{drawn(CHAINS, 'chain')}",
        ["chain"],
        ["box"],
        None,
        None,
    ),
    "Strimko with boxes": (
        (
            '1...\n....\n.3..\n....\n[facts]\nchain(1,1,"A"). chain(2,2,"A"). chain(3,2,"A").'
            ' chain(4,3,"A").'
        ),
        ["chain"],
        [],
        replace(CLASSIC, chains={"A": ((1, 1), (2, 2), (3, 2), (4, 3))}),
        None,
    ),
    "jigsaw": (f"1..4\n....\n.1..\n....\n[facts]\n{drawn(JIGSAW, 'box')}", [], [], None, None),
    "killer": (
        f"....\n....\n....\n2...\n[facts]\n{CAGE_FACTS}",
        ["killer"],
        [],
        replace(CLASSIC, cages=CAGES),
        None,
    ),
    "killer without givens": (
        f"{EMPTY}[facts]\n{CAGE_FACTS}",
        ["killer"],
        [],
        replace(CLASSIC, cages=CAGES),
        None,
    ),
    "a file without templates": (
        CORNER,
        [rule_file(":- a(R,C,N), a(R+1,C+1,N).")],
        [],
        CLASSIC,
        lambda grid: (
            not any(
                number(grid, r, c) == number(grid, r + 1, c + 1)
                for r in (1, 2, 3)
                for c in (1, 2, 3)
            )
        ),
    ),
    "a file with a helper": (
        EMPTY,
        [
            rule_file(
                "big(R,C) :- a(R,C,N), N > 2.\n:- big(1,1).\n:- big(1,2).\n:- a(1,1,2).\n:-"
                " big(2,1), a(4,4,N), N > 1."
            )
        ],
        [],
        CLASSIC,
        lambda grid: (
            number(grid, 1, 1) == 1 and number(grid, 1, 2) == 2 and number(grid, 4, 4) == 1
        ),
    ),
    "a helper that is needed": (
        CORNER,
        [rule_file("same(N) :- a(2,3,N), a(3,1,N).\n:- not same(4).")],
        [],
        CLASSIC,
        lambda grid: number(grid, 2, 3) == number(grid, 3, 1) == 4,
    ),
    "a sum of helpers": (
        CORNER,
        [
            rule_file(
                "big(R,C) :- a(R,C,N), N > 2.\n:- #sum { R,R,C : big(R,C), R = C } != 6.\n:- not"
                " big(4,4)."
            )
        ],
        [],
        CLASSIC,
        lambda grid: (
            sum(r for r in range(1, 5) if number(grid, r, r) > 2) == 6 and number(grid, 4, 4) > 2
        ),
    ),
    "a sum under a condition": (
        CORNER,
        [rule_file(":- a(4,4,N), #sum { M,C : a(1,C,M), C < 3 } != N+2.\n:- a(4,4,4).")],
        [],
        CLASSIC,
        lambda grid: (
            number(grid, 1, 1) + number(grid, 1, 2) == number(grid, 4, 4) + 2
            and number(grid, 4, 4) != 4
        ),
    ),
    "two counts": (
        "1...\n3...\n....\n...1",
        [
            rule_file(
                ":- #count { C : a(1,C,N), N > 2, C < 3 } > 0, #count { C : a(4,C,N), N > 2, C > 2"
                " } > 1."
            )
        ],
        [],
        CLASSIC,
        lambda grid: not (max(grid[0][:2]) > 2 and min(grid[3][2:]) > 2),
    ),
    "a custom choice": (
        "2...\n....\n....\n....",
        [
            rule_file(
                "{ lucky(N) : number(N) } = 1.\n:- lucky(N), not a(2,3,N).\n:- lucky(N), not"
                " a(3,2,N).\n:- lucky(1)."
            )
        ],
        [],
        CLASSIC,
        lambda grid: number(grid, 2, 3) == number(grid, 3, 2) != 1,
    ),
    "a given of a file": (
        "....\n....\n....\n...1",
        [rule_file("a(1,1,2). a(2,2,N) :- a(1,1,N+1).")],
        [],
        CLASSIC,
        None,
    ),
}
RULES_OF = {
    "Strimko": replace(LATIN, chains=parts(CHAINS)),
    "jigsaw": replace(LATIN, chains=parts(JIGSAW)),
}
CHECKS = {"a given of a file": lambda grid: (number(grid, 1, 1), number(grid, 2, 2)) == (2, 1)}

SLOW = {"escargot", "everest", "except-the-fives", "killer.txt", "greater-than.txt", "cages.txt"}
FILES = {file.name: file for file, _ in INSTANCES if file.stem != "blank"}
NAMES = [
    pytest.param(name, marks=pytest.mark.slow) if {name, name[:-4]} & SLOW else name
    for name in FILES
] + [*MADE]
SMALL = [name for name in MADE if name != "12x12"]


@cache
def program_of(name):
    if name in FILES:
        return compose(aspdoku.read(FILES[name]))
    text, rules, without, _, _ = MADE[name]
    files = [library.find(each) if isinstance(each, str) else each for each in rules]
    return assemble(aspdoku.parse(text), [library.base(), library.find("box"), *files], without)


@cache
def solutions_of(name):
    if name in FILES:
        solution = FILES[name].with_name(f"{FILES[name].stem}.solution.txt")
        if solution.exists():
            return [oracle.read_grid(solution.read_text())]
        return oracle.solutions(*oracle.read(FILES[name].read_text()))
    rules, check = MADE[name][3:]
    rules, check = RULES_OF.get(name, rules), CHECKS.get(name, check)
    found = oracle.solutions(program_of(name).puzzle.grid, rules)
    return [grid for grid in found if check is None or check(grid)]


@cache
def explained(name):
    explainer = Explainer(program_of(name))
    return explainer, list(explainer.steps())


def forced(name):
    """All claims that hold in every solution."""
    found = set()
    for r in range(1, program_of(name).puzzle.size + 1):
        for c in range(1, program_of(name).puzzle.size + 1):
            held = {number(grid, r, c) for grid in solutions_of(name)}
            found |= {Claim(r, c, n, True) for n in held if len(held) == 1}
            found |= {
                Claim(r, c, n, False)
                for n in range(1, program_of(name).puzzle.size + 1)
                if n not in held
            }
    return found


def givens_of(name):
    return [Claim(*cell, n, True) for cell, n in program_of(name).puzzle.givens().items()]


def literal(constraints, claim):
    return constraints.candidates[claim[:3]] * (1 if claim.holds else -1)


def unguarded_cell_rules(constraints):
    """The guards of the rule that a cell holds one number, if the model has sums; it is then not
    cited.
    """
    if not constraints.sums:
        return 0
    texts = library.base().text.splitlines()
    line = next(
        number for number, text in enumerate(texts, 1) if "cell(R,C)." in text and "{" in text
    )
    return sum(
        each.bit
        for each in constraints.instances
        if each.guard.name == "base" and each.guard.line == line
    )


def cited(reason):
    mask = 0
    for use in reason.rules:
        mask |= use.instance.bit
    return mask


def in_order(steps):
    """The reasons in the order of the explanation: each elimination alone, then the conclusions of
    the step together.
    """
    for step in steps:
        for mark in step.eliminations:
            yield step, [mark]
        yield step, list(step.reasons)


def sample(steps):
    """All claims, or a few hundred of a large grid."""
    claims = [
        claim for _, reasons in in_order(steps) for reason in reasons for claim in reason.claims
    ]
    return set(claims if len(claims) <= 800 else Random(len(claims)).sample(claims, 250))


def main_claim(reason):
    """The claim whose negation the proof refutes; without a proof, the first of the reason."""
    return (
        reason.proof.assumption._replace(holds=not reason.proof.assumption.holds)
        if reason.proof
        else reason.claims[0]
    )


def proves(constraints, known, claim, rules):
    return (
        constraints.unsat_core(
            [-literal(constraints, claim), *(literal(constraints, each) for each in known)], rules
        )
        is not None
    )


@pytest.mark.slow_cases(
    "12x12",
    "anti-knight.txt",
    "classic.txt",
    "example.txt",
    "four.txt",
    "offset.txt",
    "seventeen.txt",
    "six-minimal.txt",
    "six.txt",
    "sixteen.txt",
    "strimko-six.txt",
)
@pytest.mark.parametrize("name", NAMES)
def test_each_claim_follows_from_earlier_claims_by_the_cited_rules(name):
    explainer, steps = explained(name)
    constraints = explainer.constraints
    unguarded = unguarded_cell_rules(constraints)
    known = givens_of(name)
    sampled = sample(steps)
    for step, reasons in in_order(steps):
        for reason in reasons:
            assert reason.claims
            for claim in sampled.intersection(reason.claims):
                assert proves(constraints, known, claim, cited(reason) | unguarded), (
                    f"step {step.number}: {claim}"
                )
        known += [claim for reason in reasons for claim in reason.claims]


@pytest.mark.slow_cases(
    "anti-knight.txt",
    "classic.txt",
    "example.txt",
    "offset.txt",
    "seventeen.txt",
    "six-minimal.txt",
    "sixteen.txt",
    "strimko-six.txt",
)
@pytest.mark.parametrize("name", NAMES)
def test_a_claim_follows_from_the_premises_of_its_reason(name):
    explainer, steps = explained(name)
    constraints = explainer.constraints
    unguarded = unguarded_cell_rules(constraints)
    sampled = sample(steps)
    for step, reasons in in_order(steps):
        for reason in reasons:
            target = main_claim(reason)
            assert target in reason.claims
            assert target not in sampled or proves(
                constraints, reason.premises, target, cited(reason) | unguarded
            ), f"step {step.number}: {target}"


@pytest.mark.slow_cases("sixteen.txt")
@pytest.mark.parametrize("name", NAMES)
def test_premises_are_givens_or_earlier_claims(name):
    explainer, steps = explained(name)
    known = set(givens_of(name))
    for _, reasons in in_order(steps):
        for reason in reasons:
            assert known.issuperset(reason.premises)
        known |= {claim for reason in reasons for claim in reason.claims}
        if explainer.constraints.sums:
            size = program_of(name).puzzle.size
            known |= {
                Claim(*each[:2], n, False)
                for each in known
                if each.holds
                for n in range(1, size + 1)
                if n != each.number
            }


@pytest.mark.slow_cases("sixteen.txt")
@pytest.mark.parametrize("name", NAMES)
def test_only_entailed_claims_are_concluded_and_none_twice(name):
    _, steps = explained(name)
    claims = [
        claim for _, reasons in in_order(steps) for reason in reasons for claim in reason.claims
    ]
    assert forced(name).issuperset(claims)
    assert len(claims) == len(set(claims))
    assert not set(claims).intersection(givens_of(name))


@pytest.mark.parametrize("name", NAMES)
def test_every_entailed_claim_is_concluded(name):
    explainer, steps = explained(name)
    visible_knowledge = {
        claim for _, reasons in in_order(steps) for reason in reasons for claim in reason.claims
    } | set(givens_of(name))
    placed = {claim[:2] for claim in visible_knowledge if claim.holds}
    missing = forced(name) - visible_knowledge
    assert not [str(claim) for claim in sorted(missing) if claim.holds]
    # Once a cell has its number, its other candidates need no explanation.
    assert not [str(claim) for claim in sorted(missing) if claim[:2] not in placed]
    assert explainer.unexplained() == []
    assert explainer.unique == (len(solutions_of(name)) == 1)


@pytest.mark.parametrize("name", NAMES)
def test_the_kind_and_size_of_a_step(name):
    _, steps = explained(name)
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    for step in steps:
        assert step.kind == (
            "place"
            if any(claim.holds for reason in step.reasons for claim in reason.claims)
            else "eliminate"
        )
        assert step.size == max(
            (
                len({use.instance for use in reason.rules}) + bool(reason.behind)
                for reason in step.reasons
            ),
            default=0,
        )
        assert step.reasons or step is steps[-1]
        assert len(step.reasons) == 1 or step.size <= 1
        assert all(len(mark.rules) <= 1 and not mark.claims[0].holds for mark in step.eliminations)


def replay(constraints, proof, unguarded, known, scope):
    """Check by clingo that each inference of a proof follows from its rule; return the number of
    cases.
    """
    scope = [*scope, proof.assumption]
    *moves, last = proof.inferences
    for move in moves:
        rule = move.instance.bit if move.instance else 0
        assert proves(constraints, [*known, *scope], move.claim, rule | unguarded), (
            f"{move.claim} by {move.instance}"
        )
        scope.append(move.claim)
    cases = [literal(constraints, case.assumption) for case in proof.cases]
    everything = [literal(constraints, claim) for claim in (*known, *scope)]
    rule = last.instance.bit if last.instance else 0
    assert (
        constraints.unsat_core([*everything, *(-case for case in cases)], rule | unguarded)
        is not None
    )
    return len(cases) + sum(
        replay(constraints, case, unguarded, known, scope) for case in proof.cases
    )


@pytest.mark.parametrize("name", NAMES)
def test_each_inference_of_a_proof_follows_by_its_rule(name):
    """Only proofs about cells are shown completely; inferences about auxiliary atoms are not."""
    explainer, steps = explained(name)
    constraints = explainer.constraints
    unguarded = unguarded_cell_rules(constraints)
    for step in steps:
        for reason in step.reasons:
            if (
                len(reason.rules) > 1
                and reason.proof
                and all(move.claim for move in reason.proof.inferences[:-1])
            ):
                replay(constraints, reason.proof, unguarded, reason.premises, [])

        # An atom of the file's own choice can be derived in more than one way; the explanation uses
        # the one that was found first.


@pytest.mark.parametrize("name", [name for name in NAMES if "a custom choice" not in str(name)])
def test_the_rules_of_a_step_are_minimal(name):
    explainer, steps = explained(name)
    constraints = explainer.constraints
    known = givens_of(name)
    for _, reasons in in_order(steps):
        for reason in reasons:
            if len(reason.rules) > 1:
                propagator = visible_knowledge(constraints, known)
                supposed, rules = -literal(constraints, main_claim(reason)), cited(reason)
                by_inference = (
                    propagator.refute(supposed, len(constraints.instances), rules) is not None
                )
                # Found by clingo: the search for smaller cores is limited, and test_rule_cores.py
                # checks those that it ends with before its limits.
                if not by_inference:
                    continue
                for use in reason.rules:
                    fewer = rules & ~use.instance.bit
                    assert propagator.refute(supposed, len(constraints.instances), fewer) is None
        known += [claim for reason in reasons for claim in reason.claims]


def visible_knowledge(constraints, claims):
    """The claims, and the auxiliary atoms that follow from them by single rules, which no claim can
    express.
    """
    propagator = Propagator(constraints)
    propagator.assert_literals(literal(constraints, claim) for claim in claims)
    atoms = set(constraints.candidates.values())
    while (
        new := {
            each
            for each, constraint in propagator.unit_consequences()
            if each and (abs(each) not in atoms or not constraint.bit)
        }
        - propagator.known
    ):
        propagator.assert_literals(new)
    return propagator


@pytest.mark.parametrize("name", SMALL)
def test_explanations_are_deterministic(name):
    explainer, steps = explained(name)
    again = Explainer(program_of(name))
    steps_again = list(again.steps())
    one, two = (
        SolutionExplanation(each.explanation(made))
        for each, made in ((explainer, steps), (again, steps_again))
    )
    assert str(one) == str(two)
    assert json.dumps(one.to_json()) == json.dumps(two.to_json())


def relevant_steps_suffice(name):
    """clingo proves the claim from the givens and the rules in the relevant steps only."""
    explainer, steps = explained(name)
    constraints = explainer.constraints
    unguarded = unguarded_cell_rules(constraints)
    givens = givens_of(name)
    claims = sorted(forced(name) - set(givens))
    if unguarded:  # that a cell with a number has no other number is not explained
        settled = {claim[:2] for claim in forced(name) if claim.holds}
        claims = [claim for claim in claims if claim.holds or claim[:2] not in settled]
    for claim in claims if len(claims) < 70 else Random(name).sample(claims, 40):
        kept = relevant_steps(steps, claim)
        reasons = list(chain.from_iterable((*step.eliminations, *step.reasons) for step in kept))
        assert any(claim in reason.claims for reason in reasons), f"no step concludes {claim}"
        rules = unguarded
        for reason in reasons:
            rules |= cited(reason)
        assert proves(constraints, givens, claim, rules), str(claim)


@in_one_test("name", [*SMALL, "classic.txt", "six-minimal.txt", "example.txt"])
def test_relevant_steps_suffice_for_their_claim(name):
    relevant_steps_suffice(name)


@pytest.mark.slow
@in_one_test("name", ["everest.txt", "killer.txt"])
def test_relevant_steps_of_the_hardest_puzzles_suffice(name):
    relevant_steps_suffice(name)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["4x4", "anti-knight", "killer", "several solutions", "classic.txt"]
)
def test_the_steps_to_a_claim_end_with_it(name):
    claims = sorted(forced(name) - set(givens_of(name)))
    for claim in Random(name).sample(claims, 6):
        steps = Explainer(program_of(name)).steps_to(claim)
        concluding = [
            step.number
            for step in steps
            for reason in (*step.reasons, *step.eliminations)
            if claim in reason.claims
        ]
        assert concluding == [steps[-1].number], str(claim)


@pytest.mark.slow_cases("Strimko with boxes", "example.txt", "greater-than")
@pytest.mark.parametrize("name", [*SMALL, "example.txt", "seventeen.txt"])
def test_singles_stop_when_no_single_rule_applies(name):
    explainer = Explainer(program_of(name))
    constraints = explainer.constraints
    steps = list(explainer.steps(singles=True))
    assert all(
        len(reason.rules) <= 1 for step in steps for reason in (*step.reasons, *step.eliminations)
    )
    claims = {
        claim
        for step in steps
        for reason in (*step.reasons, *step.eliminations)
        for claim in reason.claims
    }
    known = sorted(claims.union(givens_of(name)))
    assert not claims.intersection(explainer.unexplained())
    unguarded = unguarded_cell_rules(constraints)
    if not unguarded and program_of(name).parts[-1].rule.name != "mine":
        for claim in explainer.unexplained()[:3]:
            assert not any(
                proves(constraints, known, claim, each.bit) for each in constraints.instances
            )


def test_single_rules_do_not_solve_the_difficult_example():
    explainer = Explainer(program_of("example.txt"))
    list(explainer.steps(singles=True))
    assert explainer.unexplained()


# ---- Claims, entries and counterexamples ----

CLAIMS = [
    ("r3c4=5", Claim(3, 4, 5, True)),
    ("r3c4!=5", Claim(3, 4, 5, False)),
    (" r1 c9 != 1 ", Claim(1, 9, 1, False)),
    ("r03c04=05", Claim(3, 4, 5, True)),
]


@pytest.mark.parametrize(("text", "claim"), CLAIMS)
def test_a_claim_is_read_and_written(text, claim):
    assert Claim.parse(text, Puzzle.blank(9)) == claim
    assert Claim.parse(str(claim), Puzzle.blank(9)) == claim


@in_one_test(
    "text",
    [
        "",
        "r3c4",
        "r3c4=",
        "c3r4=5",
        "r3c4==5",
        "r3c4<5",
        "r-1c4=5",
        "r3c4=5\nr3c4=6",
        "r٣c4=5",
        "r1c1=1;",
        "r9999c1=1",
    ],
)
def test_an_invalid_claim_is_rejected_with_an_example(text):
    with pytest.raises(AspdokuError, match="r3c4=5"):
        Claim.parse(text, Puzzle.blank(9))


@pytest.mark.parametrize(
    "text", ["r0c1=1", "r1c0=1", "r1c1=0", "r10c1=1", "r1c10=1", "r1c1=10", "r999c999!=999"]
)
def test_a_claim_outside_of_the_grid_is_rejected(text):
    with pytest.raises(AspdokuError, match="9x9"):
        Claim.parse(text, Puzzle.blank(9))


def test_entries_in_no_solution_are_wrong_and_the_others_are_known():
    (solution,) = solutions_of("classic.txt")
    right = [Claim(1, 2, number(solution, 1, 2), True), Claim(9, 8, number(solution, 9, 8), True)]
    wrong = [Claim(2, 1, number(solution, 2, 1) % 9 + 1, True)]
    explainer = Explainer(program_of("classic.txt"), entries=[*right, *wrong])
    assert explainer.wrong_entries == wrong
    claims = {
        claim for step in explainer.steps() for reason in step.reasons for claim in reason.claims
    }
    assert not claims.intersection(right)
    assert {claim for claim in forced("classic.txt") if claim.holds} <= claims.union(
        right, givens_of("classic.txt")
    )


def test_contradictory_entries_are_wrong():
    """On a blank grid each of them is possible alone, but not both together, so no step may use
    them.
    """
    entries = [Claim(1, 1, 1, True), Claim(1, 2, 1, True)]
    try:
        explainer = Explainer(program_of("no given"), entries=entries)
    except AspdokuError:
        return
    assert explainer.wrong_entries or all(
        step.kind == "contradiction" for step in explainer.steps()
    )


def test_entries_are_the_numbers_beyond_the_givens():
    puzzle = aspdoku.parse(SOME)
    grid = aspdoku.parse("24..\n...4\n..2.\n1..3")
    assert entries_beyond_givens(puzzle, grid) == [Claim(1, 1, 2, True), Claim(4, 4, 3, True)]
    assert entries_beyond_givens(puzzle, aspdoku.parse(EMPTY)) == []


@pytest.mark.parametrize(("text", "word"), [(".3..\n....\n....\n....", "r1c2"), ("." * 81, "9x9")])
def test_entries_of_another_puzzle_are_rejected(text, word):
    with pytest.raises(AspdokuError, match=word):
        entries_beyond_givens(aspdoku.parse(SOME), aspdoku.parse(text))


@pytest.mark.parametrize("text", ["r1c2=2", "r1c2!=2", "r4c4=1", "r3c3!=4"])
def test_counterexamples_are_two_solutions(text):
    claim = Claim.parse(text, Puzzle.blank(4))
    found = counterexamples(program_of("several solutions"), claim)
    assert (found.holds[claim[:2]] == claim.number) == claim.holds
    assert (found.fails[claim[:2]] == claim.number) != claim.holds
    for grid in (found.holds, found.fails):
        assert (
            oracle.violations(grid.rows, program_of("several solutions").puzzle.grid, CLASSIC) == []
        )


def test_no_counterexamples_to_entailed_or_false_claims():
    for claim in sorted(forced("several solutions")):
        assert counterexamples(program_of("several solutions"), claim) is None
        with pytest.raises(AspdokuError, match=r"no solution|not hold"):
            counterexamples(program_of("several solutions"), claim._replace(holds=not claim.holds))


def test_a_puzzle_without_solution_has_no_explanation():
    program = compose(aspdoku.parse("11..\n....\n....\n...."))
    with pytest.raises(AspdokuError, match="conflict"):
        Explainer(program)
    with pytest.raises(AspdokuError, match="no solution"):
        counterexamples(program, Claim(3, 3, 1, True))


# ---- Difficulty ----


def step_of(number, size, technique=None):
    instance = explained("4x4")[0].constraints.instances[0]
    reason = Reason(
        (Claim(1, 1, 1, True),),
        tuple(CitedRule(instance, ()) for _ in range(size)),
        (),
        None,
        technique=technique and Technique(technique),
    )
    return Step(number, "place", (reason,), ())


GRADES = [
    ([], "easy"),
    ([1, 1, 1], "easy"),
    ([1, 2], "medium"),
    ([4, 1], "medium"),
    ([5], "hard"),
    ([3, 7, 1], "hard"),
    ([8], "very hard"),
    ([10, 10], "very hard"),
    ([11], "extreme"),
    ([2, 200], "extreme"),
]


@in_one_test(("sizes", "label"), GRADES)
def test_difficulty_has_the_hardest_step_and_the_total_work(sizes, label):
    found = difficulty_of([step_of(number, size) for number, size in enumerate(sizes, 1)], True)
    assert found[:4] == (max(sizes, default=0), sum(sizes) + len(sizes), label, True)


HARDEST = [
    # sizes and techniques of the steps, and the name of the hardest one
    ([(1, "naked single"), (1, "hidden single")], "1 rule, hidden single"),
    ([(4, "X-wing"), (4, "naked pair"), (3, "forcing net")], "4 rules, X-wing"),
    ([(5, "swordfish"), (5, None)], "5 rules, proved by clingo"),
    ([(1, None)], "1 rule"),
    ([], "0 rules"),
]


@pytest.mark.parametrize(("steps", "words"), HARDEST)
def test_a_grade_names_the_hardest_step(steps, words):
    made = [step_of(number, *step) for number, step in enumerate(steps, 1)]
    row = grade_row("it.txt", difficulty_of(made, True), 10)
    assert row.startswith("it.txt ")
    assert row.endswith(f"  {words}")


@pytest.mark.slow_cases("Strimko with boxes", "example.txt")
@pytest.mark.parametrize("name", [*SMALL, "classic.txt", "example.txt", "six.txt"])
def test_a_puzzle_is_easy_if_and_only_if_single_rules_explain_it(name):
    _, steps = explained(name)
    explainer = Explainer(program_of(name))
    list(explainer.steps(singles=True))
    assert (difficulty_of(steps, explainer.unique).label == "easy") == (
        explainer.unexplained() == []
    )


@pytest.mark.slow_cases("example.txt")
@pytest.mark.parametrize("name", ["example.txt", "classic.txt"])
def test_a_puzzle_with_more_givens_is_not_harder(name):
    (solution,) = solutions_of(name)
    puzzle = program_of(name).puzzle
    grid = [
        [number(solution, r, c) if (r + c) % 3 == 0 else n for c, n in enumerate(row, 1)]
        for r, row in enumerate(puzzle.grid, 1)
    ]
    more = Explainer(compose(puzzle.replace(grid=tuple(map(tuple, grid)))))
    assert (
        difficulty_of(more.steps(), True).hardest <= difficulty_of(explained(name)[1], True).hardest
    )


def test_the_sixteen_puzzle_is_in_the_folder():
    assert (FOLDER / "slides" / "sixteen.txt").name in FILES
