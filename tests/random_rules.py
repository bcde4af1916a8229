"""Random rule files, with an evaluator in plain Python as an oracle.

A rule file is a tree of tuples. `text` prints it for clingo; `violations` evaluates it on one full
grid, without clingo.

term       a number, a variable name (including `_`), ("+", X, 1) and other arithmetic terms,
           ("..", 1, 3), or a pool (";", 1, 3)
literal    ("atom", sign, name, terms), ("compare", sign, left, relation, right),
           ("aggregate", sign, function, elements, relation, bound),
           ("set", sign, elements, relation, bound) or ("conditional", literal, conditions)
sign       0 for none, 1 for `not`, 2 for `not not`
rule       (head, body); the head is an atom (a definition), another literal (a constraint whose
           head must hold) or None

Each variable of a body is bound before it is used; the text may contain the literals in any order.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import product
from operator import or_
from random import Random
from typing import Any, NamedTuple

Grid = tuple[tuple[int, ...], ...]
Env = dict[str, Any]
World = dict[
    str, dict[tuple, int]
]  # by predicate and arguments, the grids in which the atom holds, as bits
Cells = tuple[tuple[int, int], ...]
RELATIONS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}
CALCULATIONS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "\\": operator.mod}
FUNCTIONS: dict[str, Callable[[list[int]], float]] = {
    "count": len,
    "sum": sum,
    "sum+": lambda weights: sum(weight for weight in weights if weight > 0),
    "min": lambda weights: min(weights, default=float("inf")),
    "max": lambda weights: max(weights, default=float("-inf")),
}
SIGNS = ("", "not ", "not not ")
A = "a"
_DECLARED = ("% at random", "#defined ab/1.")


class File(NamedTuple):
    """A rule file: definitions, each of which uses only earlier ones, and constraints."""

    definitions: tuple[tuple, ...]
    constraints: tuple[tuple, ...]


# ---- The text ----


def text(file: File, rng: Random | None = None) -> str:
    """The file for clingo; with `rng`, conditions are shuffled.

    There is one rule per line; see `line_of`.
    """
    lines = [*_DECLARED, *(_rule(rule, rng) for rule in (*file.definitions, *file.constraints))]
    return "\n".join([*lines, ""])


def line_of(file: File, constraint: int) -> int:
    """The line number of this constraint in the text, counted from 1."""
    return len(_DECLARED) + len(file.definitions) + constraint + 1


def _rule(rule: tuple, rng: Random | None) -> str:
    head, body = rule
    body = list(body)
    if rng:
        rng.shuffle(body)
    conditions = "; ".join(literal_text(literal, rng) for literal in body)
    shown = literal_text(head, rng) + " " if head else ""
    return f"{shown}:- {conditions}." if body or not head else f"{shown.strip()}."


def literal_text(literal: tuple, rng: Random | None = None) -> str:
    """A literal for clingo."""

    def joined(literals: tuple) -> str:
        shown = [literal_text(each, rng) for each in literals]
        if rng:
            rng.shuffle(shown)
        return ", ".join(shown)

    match literal:
        case ("atom", sign, name, terms):
            return SIGNS[sign] + name + (f"({','.join(map(term_text, terms))})" if terms else "")
        case ("compare", sign, left, relation, right):
            return f"{SIGNS[sign]}{term_text(left)} {relation} {term_text(right)}"
        case ("aggregate", sign, function, elements, relation, bound):
            inside = "; ".join(
                f"{','.join(map(term_text, terms))} : {joined(conditions)}"
                for terms, conditions in elements
            )
            return f"{SIGNS[sign]}#{function} {{ {inside} }} {relation} {term_text(bound)}"
        case ("set", sign, elements, relation, bound):
            inside = "; ".join(
                f"{literal_text(each)} : {joined(conditions)}" for each, conditions in elements
            )
            return f"{SIGNS[sign]}{{ {inside} }} {relation} {term_text(bound)}"
        case ("conditional", head, conditions):
            return f"{literal_text(head)} : {joined(conditions)}"
    raise AssertionError(literal)


def term_text(term: Any) -> str:
    """A term for clingo."""
    match term:
        case ("..", low, high):
            return f"{term_text(low)}..{term_text(high)}"
        case (";", *members):
            return f"({';'.join(map(term_text, members))})"
        case ("||", inside):
            return f"|{term_text(inside)}|"
        case (sign, left, right):
            return f"({term_text(left)}{sign}{term_text(right)})"
    return str(term)


# ---- Evaluation ----


class Violation(NamedTuple):
    """A constraint, by its index in the file's `constraints`, and the cells that a violated
    instance of it is about.
    """

    constraint: int
    cells: Cells


def satisfied_by(
    file: File, grids: Sequence[Grid], excepted: frozenset[str] = frozenset()
) -> list[bool]:
    """For each full grid, whether it satisfies all constraints, with `excepted` in ab/1."""
    world, mask = _world(file, grids, excepted), (1 << len(grids)) - 1
    for rule in file.constraints:
        for _, violating in _solutions(_body(rule), {}, mask, world):
            mask &= ~violating
    return [bool(mask >> index & 1) for index in range(len(grids))]


def violations(file: File, grid: Grid, excepted: frozenset[str] = frozenset()) -> set[Violation]:
    """All violated instances of constraints in one grid; those with equal cells count once."""
    world = _world(file, [grid], excepted)
    bodies = enumerate(map(_body, file.constraints))
    return {
        Violation(index, cells)
        for index, body in bodies
        for cells in _cells_of_instances(body, world)
    }


def _body(rule: tuple) -> tuple:
    """The body of a constraint with the negation of its head."""
    head, body = rule
    return body if head is None else (*body, (head[0], 0 if head[1] == 1 else 1, *head[2:]))


def _world(file: File, grids: Sequence[Grid], excepted: frozenset[str]) -> World:
    size, all_ = len(grids[0]), (1 << len(grids)) - 1
    lines = {(each,): all_ for each in range(1, size + 1)}
    cells = dict.fromkeys(product(range(1, size + 1), repeat=2), all_)
    exceptions = {(name,): all_ for name in excepted}
    world: World = {
        "row": lines,
        "column": lines,
        "number": lines,
        "cell": cells,
        "ab": exceptions,
        A: {},
    }
    for index, grid in enumerate(grids):
        for row, column in cells:
            key = row, column, grid[row - 1][column - 1]
            world[A][key] = world[A].get(key, 0) | 1 << index
    for head, body in file.definitions:
        defined = world.setdefault(head[2], {})
        for env, mask in _solutions(body, {}, all_, world):
            for values in product(*(_values(term, env) for term in head[3])):
                defined[values] = defined.get(values, 0) | mask
    return world


def _solutions(literals: tuple, env: Env, mask: int, world: World) -> Iterator[tuple[Env, int]]:
    """The substitutions with which all literals hold, and for each the grids in which they do."""
    if not literals:
        yield env, mask
        return
    for extended, fewer in _satisfying(literals[0], env, mask, world):
        if fewer:
            yield from _solutions(literals[1:], extended, fewer, world)


def _grids_of(solutions: Iterator[tuple[Env, int]]) -> int:
    """The grids in which there is a substitution."""
    return reduce(or_, (mask for _, mask in solutions), 0)


def _satisfying(literal: tuple, env: Env, mask: int, world: World) -> Iterator[tuple[Env, int]]:
    """The substitutions with which one literal holds, and the grids in which it does."""
    match literal:
        case ("atom", 1, name, terms):
            for one in product(*([term] if term == "_" else _values(term, env) for term in terms)):
                yield env, mask & ~_grids_of(_matches(name, one, env, world))
        case ("atom", _, name, terms):
            yield from (
                (extended, mask & where) for extended, where in _matches(name, terms, env, world)
            )
        case ("compare", 0, str() as left, "=", right) if left not in env:
            yield from (({**env, left: value}, mask) for value in _values(right, env))
        case ("compare", sign, left, relation, right):
            for one, other in product(_values(left, env), _values(right, env)):
                if RELATIONS[relation](one, other) == (sign != 1):
                    yield env, mask
        case ("aggregate", sign, function, elements, relation, bound):
            tuples: dict[tuple, int] = {}
            for terms, conditions in elements:
                for inner, where in _solutions(conditions, env, mask, world):
                    key = tuple(next(_values(term, inner)) for term in terms)
                    tuples[key] = tuples.get(key, 0) | where
            yield from _compared(tuples, sign, function, relation, bound, env, mask, world)
        case ("set", sign, elements, relation, bound):
            tuples = {}
            for each, conditions in elements:
                for inner, where in _solutions(_of_set(each, conditions), env, mask, world):
                    key = each[1], each[2], *(next(_values(term, inner)) for term in each[3])
                    tuples[key] = tuples.get(key, 0) | where
            yield from _compared(tuples, sign, "count", relation, bound, env, mask, world)
        case ("conditional", head, conditions):
            for inner, where in _solutions(conditions, env, mask, world):
                mask &= ~where | _grids_of(_satisfying(head, inner, where, world))
            yield env, mask


def _of_set(literal: tuple, conditions: tuple) -> tuple:
    """The literals of an element of a set, with the one that binds variables first."""
    return (*conditions, literal) if literal[1] else (literal, *conditions)


def _compared(
    tuples: dict[tuple, int],
    sign: int,
    function: str,
    relation: str,
    bound: Any,
    env: Env,
    mask: int,
    world: World,
) -> Iterator[tuple[Env, int]]:
    """The grids in which the value of an aggregate is in this relation to its bound."""
    by_value: dict[float, int] = {}
    for bit in (1 << index for index in range(mask.bit_length()) if mask >> index & 1):
        value = FUNCTIONS[function]([each[0] for each, where in tuples.items() if where & bit])
        by_value[value] = by_value.get(value, 0) | bit
    for value, where in by_value.items():
        yield from _satisfying(("compare", sign, value, relation, bound), env, where, world)


def _matches(name: str, terms: tuple, env: Env, world: World) -> Iterator[tuple[Env, int]]:
    """The atoms of a predicate that these terms match."""
    for values, where in world.get(name, {}).items():
        if len(values) == len(terms) and (found := _at(terms, values, env)) is not None:
            yield found, where


def _at(terms: tuple, values: tuple, env: Env) -> Env | None:
    """The substitution with which the terms have these values."""
    found: Env | None = env
    for term, value in zip(terms, values, strict=True):
        if found is None:
            break
        found = _matched(term, value, found)
    return found


def _matched(term: Any, value: Any, env: Env) -> Env | None:
    match term:
        case int():
            return env if term == value else None
        case "_":
            return env
        case str() if term not in env and term[0].isupper():
            return {**env, term: value}
        case ("+", str() as name, int() as step) if name not in env:
            return {**env, name: value - step} if isinstance(value, int) else None
    return env if value in _values(term, env) else None


def _values(term: Any, env: Env) -> Iterator[Any]:
    """The values of a term: several for intervals and pools.

    Strings that begin with a lower-case letter are constants.
    """
    match term:
        case str():
            yield env[term] if term[0].isupper() else term
        case ("..", low, high):
            for bottom, top in product(_values(low, env), _values(high, env)):
                yield from range(bottom, top + 1)
        case (";", *members):
            for member in members:
                yield from _values(member, env)
        case ("||", inside):
            yield from map(abs, _values(inside, env))
        case (sign, left, right):
            pairs = product(_values(left, env), _values(right, env))
            yield from (
                CALCULATIONS[sign](*pair)
                for pair in pairs
                if all(isinstance(each, int) for each in pair)
            )
        case _:
            yield term


# ---- The cells of a violated constraint ----


def _cells_of_instances(body: tuple, world: World) -> Iterator[Cells]:
    """The cells of each violated instance.

    These are the cells whose numbers occur in the body, or if there are none, those that it ranges
    over.
    """
    instances: dict[tuple, dict[str, set]] = {}
    for member in product(*map(_unpooled, body)):
        names = _variables(member)
        for env, _ in _solutions(member, {}, 1, world):
            key = (member, *((name, env[name]) for name in sorted(names)))
            kinds = instances.setdefault(key, {"held": set(), "ranged": set()})
            for literal in member:
                for kind, cell in _cells_of_literal(literal, env, world):
                    kinds[kind].add(cell)
    for kinds in instances.values():
        yield tuple(sorted(kinds["held"] or kinds["ranged"]))


def _unpooled(node: Any) -> list[Any]:
    """The members of the pools outside of aggregates: each makes a constraint."""
    match node:
        case (";", *members):
            return [each for member in members for each in _unpooled(member)]
        case ("aggregate" | "set" | "conditional", *_):
            return [node]
        case tuple():
            return list(product(*map(_unpooled, node)))
    return [node]


def _variables(body: tuple) -> set[str]:
    """The global variables."""
    found = set()

    def visit(term: Any) -> None:
        if isinstance(term, tuple):
            for part in term:
                visit(part)
        elif isinstance(term, str) and term[0].isupper():
            found.add(term)

    for literal in body:
        match literal:
            case ("atom", _, _, terms):
                visit(terms)
            case ("compare", _, left, _, right):
                visit((left, right))
            case ("aggregate" | "set", *_, bound):
                visit(bound)
    return found


def _cells_of_literal(
    literal: tuple, env: dict, world: World
) -> Iterator[tuple[str, tuple[int, int]]]:
    match literal:
        case ("atom", 1, "a", (row, column, number)):
            for cell in world["cell"]:
                if (
                    _at((row, column), cell, env) is not None
                    and next(_satisfying(atom(A, *cell, number, sign=1), env, 1, world))[1]
                ):
                    yield "ranged", cell
        case ("atom", _, "a", (row, column, number)):
            for *cell, value in world[A]:
                if _at((row, column, number), (*cell, value), env) is not None:
                    yield "held", tuple(cell)
        case ("aggregate", _, _, elements, _, _):
            for _, conditions in elements:
                yield from _inside(conditions, env, world)
        case ("set", _, elements, _, _):
            for each, conditions in elements:
                yield from _inside(_of_set(each, conditions), env, world)
        case ("conditional", head, conditions):
            yield from _inside((*conditions, head), env, world)


def _inside(conditions: tuple, env: dict, world: World) -> Iterator[tuple[str, tuple[int, int]]]:
    for inner, _ in _solutions(conditions, env, 1, world):
        for literal in conditions:
            if literal[0] == "atom" and literal[2] == A and literal[1] != 1:
                yield from _cells_of_literal(literal, inner, world)
    # The cells that the element ranges over may hold any number.
    anything = {
        **world,
        A: {(*cell, *number): 1 for cell in world["cell"] for number in world["number"]},
    }
    positive = tuple(
        (each[0], 0, *each[2:]) if each[0] == "atom" and each[2] == A else each
        for each in conditions
    )
    for inner, _ in _solutions(positive, env, 1, anything):
        for literal in positive:
            if literal[0] == "atom" and literal[2] == A:
                yield from (
                    ("ranged", cell)
                    for cell in world["cell"]
                    if _at(literal[3][:2], cell, inner) is not None
                )


# ---- Random generation ----


def random_file(rng: Random, grids: Sequence[Grid], retractable: bool = False) -> File:
    """A file that some of these grids satisfy and others violate.

    With `retractable`, all constraints contain `not ab(mine)`.
    """
    while True:
        constraints = tuple(_constraint(rng, retractable) for _ in range(rng.choice((1, 1, 2))))
        file = File(_used(constraints), constraints)
        if len(set(satisfied_by(file, grids))) == 2:
            return file


def random_pair(rng: Random, grids: Sequence[Grid]) -> tuple[File, File]:
    """Two files.

    The second is the first with a small change, an independent file, or the first itself.
    """
    one = random_file(rng, grids)
    kind = rng.random()
    return one, random_file(rng, grids) if kind < 0.2 else _mutated(one, rng) if kind < 0.9 else one


def _mutated(file: File, rng: Random) -> File:
    """The file with one number or comparison in its constraints changed, if there is one."""
    places = [
        place
        for place in _places(file.constraints)
        if isinstance(place[-1], int) or place[-1] in RELATIONS
    ]
    if not places:
        return file
    *path, old = rng.choice(places)
    new = (
        old + rng.choice((-1, 1))
        if isinstance(old, int)
        else rng.choice([each for each in RELATIONS if each != old])
    )
    constraints = _replaced(file.constraints, path, new)
    return File(_used(constraints), constraints)


def _places(node: Any, path: tuple = ()) -> Iterator[tuple]:
    """Path and value of each part that may be changed: all except the signs of literals."""
    for index, child in enumerate(node):
        fixed = (
            isinstance(node[0], str)
            and node[0] in ("atom", "compare", "aggregate", "set")
            and index == 1
        )
        if isinstance(child, tuple):
            yield from _places(child, (*path, index))
        elif not fixed:
            yield (*path, index, child)


def _replaced(node: Any, path: list, new: Any) -> Any:
    if not path:
        return new
    return (*node[: path[0]], _replaced(node[path[0]], path[1:], new), *node[path[0] + 1 :])


def atom(name: str, *terms: Any, sign: int = 0) -> tuple:
    """The literal `name(terms)`."""
    return ("atom", sign, name, terms)


def compare(left: Any, relation: str, right: Any, sign: int = 0) -> tuple:
    """The literal `left relation right`."""
    return ("compare", sign, left, relation, right)


HELPERS: dict[str, tuple[tuple, ...]] = {
    "spot": tuple((atom("spot", *cell), ()) for cell in ((1, 1), (2, 3), (4, 2), (3, 3))),
    "pair": (
        (
            atom("pair", "R", "C", "R", "C1"),
            (atom("cell", "R", "C"), compare("C1", "=", ("+", "C", 1)), atom("cell", "R", "C1")),
        ),
    ),
    "low": ((atom("low", "R", "C"), (atom(A, "R", "C", "N"), compare("N", "<", 3))),),
    "up": (
        (
            atom("up", "R", "C"),
            (atom(A, "R", "C", "N"), atom(A, "R", ("+", "C", 1), "M"), compare("N", "<", "M")),
        ),
    ),
    "down": ((atom("down", "R", "C"), (atom("cell", "R", "C"), atom("up", "R", "C", sign=1))),),
    "far": ((atom("far", (";", 1, 2), ("..", 3, 4)), ()), (atom("far", 4, "one"), ())),
}
_NEEDS = {"down": ("up",)}


def _used(constraints: tuple) -> tuple[tuple, ...]:
    """The definitions of the helpers that the constraints use."""
    used = {place[-1] for place in _places(constraints) if place[-1] in HELPERS}
    used.update(*(_NEEDS.get(name, ()) for name in used))
    return tuple(rule for name, rules in HELPERS.items() if name in used for rule in rules)


def _constraint(rng: Random, retractable: bool) -> tuple:
    body, cells, numbers = _start(rng)
    body += [
        make(rng, cells, numbers)
        for make in rng.choices(_LITERALS, _WEIGHTS, k=rng.choice((1, 1, 2)))
    ]
    if retractable:
        body.append(atom("ab", "mine", sign=1))
    head = None
    if rng.random() < 0.15 and numbers:
        comparison = compare(numbers[0], rng.choice(("<", ">=", "!=")), rng.randint(2, 3))
        head = rng.choice((comparison, atom(A, 2, 2, numbers[0], sign=rng.choice((1, 2)))))
    return head, tuple(body)


def _start(rng: Random) -> tuple[list[tuple], list[tuple[Any, Any]], list[str]]:
    """Literals that bind the cells and numbers for the other literals of a body."""
    k, j = rng.randint(1, 4), rng.randint(1, 4)
    body, cells, numbers = rng.choice(
        (
            ([atom(A, "R", "C", "N")], [("R", "C")], ["N"]),
            ([atom(A, k, "C", "N")], [(k, "C")], ["N"]),
            ([atom(A, k, j, "N"), atom(A, j, k, "M")], [(k, j)], ["N", "M"]),
            (
                [atom(A, "R", "C", "N"), atom(A, "R", ("+", "C", 1), "M")],
                [("R", "C"), ("R", ("+", "C", 1))],
                ["N", "M"],
            ),
            ([atom(A, ("+", "R", 1), "C", "N"), atom(A, "R", "C", "M")], [("R", "C")], ["N", "M"]),
            (
                [atom(A, "R", "C", "N"), atom(A, "C", "R", "M"), compare("R", "<", "C")],
                [("R", "C")],
                ["N", "M"],
            ),
            (
                [
                    atom("pair", "R", "C", "R1", "C1"),
                    atom(A, "R", "C", "N"),
                    atom(A, "R1", "C1", "M"),
                ],
                [("R", "C")],
                ["N", "M"],
            ),
            ([atom("spot", "R", "C"), atom(A, "R", "C", "N")], [("R", "C")], ["N"]),
            (
                [atom(A, ("..", 1, 2), (";", k, j), "N"), atom(A, k, k, ("+", "N", 1))],
                [(k, k)],
                ["N"],
            ),
            (
                [
                    atom("far", "R", "C"),
                    atom("number", "N"),
                    atom(A, "R", "C", "N", sign=rng.choice((0, 2))),
                ],
                [("R", "C")],
                ["N"],
            ),
            ([atom("cell", "R", "C"), compare("R", "=", ("..", 1, k))], [("R", "C")], []),
            ([atom("row", "R"), atom("number", "N")], [("R", k)], ["N"]),
            ([atom("cell", "R", "C"), atom("number", "N")], [("R", "C")], ["N"]),
            (
                [
                    atom(A, "R", "C", "N"),
                    atom(A, "R1", "C1", "M"),
                    compare("R", "<", "R1"),
                    compare("C1", "=", ("-", "C", 1)),
                ],
                [("R", "C"), ("R1", "C1")],
                ["N", "M"],
            ),
            ([], [(k, j)], []),
        )
    )
    return list(body), list(cells), list(numbers)


def _comparison(rng: Random, numbers: list[str], local: str = "") -> tuple:
    """A comparison of bound numbers, one of which is `local` if that is given."""
    one = local or rng.choice([*numbers, 2])
    other = rng.choice([*numbers, rng.randint(1, 4)])
    relation = rng.choice(list(RELATIONS))
    return rng.choice(
        (
            compare(one, relation, other, sign=rng.choice((0, 0, 0, 1))),
            compare(("-", one, other), relation, rng.randint(-1, 2)),
            compare(("||", ("-", one, other)), relation, rng.randint(0, 2)),
            compare(("+", one, other), relation, rng.randint(3, 6)),
            compare(("\\", one, 2), "=", rng.randint(0, 1)),
            compare(("*", one, 2), relation, other),
            compare(one, "=", ("..", rng.randint(1, 2), rng.randint(2, 4))),
            compare(one, "=", (";", rng.randint(1, 2), 4)),
        )
    )


def _plain(rng: Random, _: list, numbers: list[str]) -> tuple:
    return _comparison(rng, numbers)


def _negated(rng: Random, cells: list, numbers: list[str]) -> tuple:
    row, column = rng.choice(cells)
    number = rng.choice([*numbers, rng.randint(1, 4)])
    return rng.choice(
        (
            atom(A, row, column, number, sign=rng.choice((1, 2))),
            atom(A, ("+", row, 1), column, number, sign=1),
            atom(A, row, "_", rng.randint(1, 4), sign=rng.choice((0, 1))),
            atom(A, row, column, (";", 1, number), sign=1),
            atom(A, ("..", 1, 2), column, number, sign=1),
            atom(
                rng.choice(("low", "up", "down", "spot")),
                row,
                column,
                sign=rng.choice((0, 1, 2)),
            ),
        )
    )


def _conditions(rng: Random, cells: list, numbers: list[str]) -> tuple[tuple, list[str]]:
    """The conditions of an element, and the variables of its tuple."""
    row, column = rng.choice([*cells, (rng.randint(1, 4), rng.randint(1, 4))])
    bound, counted = rng.choice(
        (
            ((atom(A, row, "X", "V"),), ["V", "X"]),
            ((atom(A, "Y", column, "V"),), ["V", "Y"]),
            ((atom(A, row, "X", "V"), atom(A, row, ("+", "X", 1), "W")), ["V", "W"]),
            ((atom(A, row, column, "V"), atom(A, row, ("+", column, 1), "W")), ["V", "W"]),
            ((atom(A, "Y", "X", "V"), atom("spot", "Y", "X")), ["V", "Y", "X"]),
            (
                (atom(A, "Y", "X", "V"), atom(A, "X", "Y", "W"), compare("X", "<", "Y")),
                ["V", "W", "X"],
            ),
            ((atom(A, ("..", 1, 2), "X", "V"),), ["V", "X"]),
            ((atom(A, (";", 1, 3), "_", "V"),), ["V"]),
            ((atom(A, row, "_", "V"), atom(A, "_", column, "V")), ["V"]),
            (
                (atom("number", "V"), atom("column", "X"), atom(A, row, "X", "V", sign=1)),
                ["V", "X"],
            ),
            (
                (
                    atom("number", "V"),
                    atom(A, "_", column, "V"),
                    atom(A, row, column, "V", sign=rng.choice((1, 2))),
                ),
                ["V"],
            ),
            ((atom("low", "Y", "X"), atom(A, "Y", "X", "V")), ["V", "X"]),
            ((atom(A, "Y", "X", "W"), compare("V", "=", ("+", "W", "X"))), ["V", "Y"]),
        )
    )
    inside = [each for each in counted if each in ("V", "W")]
    more = [
        _comparison(rng, [*inside, *numbers], rng.choice(inside))
        for _ in range(rng.choice((0, 1, 1)))
    ]
    return (*bound, *more), counted[: rng.randint(1, len(counted))]


def _aggregate(rng: Random, cells: list, numbers: list[str]) -> tuple:
    function = rng.choice(("count", "count", "sum", "sum+", "min", "max"))
    elements = tuple(
        (tuple(counted), conditions)
        for conditions, counted in (
            _conditions(rng, cells, numbers) for _ in range(rng.choice((1, 1, 1, 2)))
        )
    )
    sign = rng.choice((0, 0, 0, 1))
    relation = rng.choice(list(RELATIONS))
    bound = rng.choice([*numbers, rng.randint(0, 5), rng.randint(1, 9)])
    return ("aggregate", sign, function, elements, relation, bound)


def _set(rng: Random, cells: list, numbers: list[str]) -> tuple:
    row, column = rng.choice(cells)
    elements = rng.choice(
        (
            ((atom(A, row, "X", "V"), (_comparison(rng, numbers, "V"),)),),
            (
                (
                    atom(A, "Y", column, rng.choice([*numbers, 2])),
                    (atom("row", "Y"), compare("Y", "<", 4)),
                ),
            ),
            (
                (
                    atom(A, row, "X", "V", sign=1),
                    (atom("column", "X"), atom("number", "V"), compare("V", "<=", "X")),
                ),
            ),
            ((atom(A, row, column, "V"), ()), (atom(A, column, row, "V"), ())),
        )
    )
    return (
        "set",
        rng.choice((0, 0, 1)),
        elements,
        rng.choice(list(RELATIONS)),
        rng.randint(0, 3),
    )


def _conditional(rng: Random, cells: list, numbers: list[str]) -> tuple:
    row, column = rng.choice(cells)
    number = rng.choice([*numbers, rng.randint(1, 4)])
    return rng.choice(
        (
            (
                "conditional",
                atom(A, row, "X", number, sign=1),
                (atom("column", "X"), compare("X", "<", 4)),
            ),
            (
                "conditional",
                compare("V", rng.choice(list(RELATIONS)), number),
                (atom(A, "Y", column, "V"),),
            ),
            ("conditional", atom(A, "Y", "X", number, sign=1), (atom("spot", "Y", "X"),)),
        )
    )


_LITERALS = (_plain, _negated, _aggregate, _set, _conditional)
_WEIGHTS = (3, 2, 5, 2, 1)
