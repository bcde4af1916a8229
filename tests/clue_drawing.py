"""Clues that the `.gen` files draw, by clingo alone.

`draw` runs a `.gen` file as described in `aspdoku/generation`; `accepted` has plain clingo decide
which of the clues a rule file accepts for a solution.
"""

import random
import re
from functools import cache
from itertools import product
from pathlib import Path

import clingo

from aspdoku import Puzzle, RuleFile, compose
from aspdoku.program import library

ASP = Path(__file__).resolve().parents[1] / "asp"
FILES = sorted((ASP / "elaborations").glob("*.gen"))
# The rules that games without rows, columns or boxes retract.
WITHOUT = {
    **dict.fromkeys(["chaos-apart", "chaos-borders", "chaos-count", "chaos-same"], ("box",)),
    "each-row": ("row",),
    "end-view": ("box",),
    "kenken": ("box",),
    "str8ts": ("column", "box"),
    "suguru": ("row", "column", "box"),
}
# The rules that find what the clues of others are about.
WITH = {
    **dict.fromkeys(
        ["chaos-apart", "chaos-borders", "chaos-count", "chaos-same"], ("chaos-construction",)
    ),
    **dict.fromkeys(["path-room", "path-whispers"], ("path",)),
}
RANDOM = ("--rand-freq=1", "--sign-def=rnd")
VALUE = "#program value."


def clue_file(name):
    return RuleFile.read(ASP / "elaborations" / f"{name}.gen")


def shapes(file):
    """The texts of the shapes whose predicates a file declares."""
    for item in file.inputs:
        path = ASP / "shapes" / f"{item.name.replace('_', '-')}.lp"
        if path.is_file():
            shape = RuleFile.read(path)
            yield from [shape.text, *shapes(shape)]


def answer_set(text, *options):
    """The first answer set, or None."""
    control = clingo.Control(["--eq=0", *options], logger=lambda *_: None)
    control.add("base", [], text)
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        model = handle.model()
        return None if model is None else list(model.symbols(atoms=True))


def facts_of(symbols):
    return "".join(f"{symbol}.\n" for symbol in symbols)


def retracted_by(file):
    """The rules that a file retracts while a solution is drawn."""
    return [found.replace("_", "-") for found in re.findall(r"\bab\((\w+)\)\.", file.code)]


def found_by(name):
    """The predicates that a rule, or one that is used with it, finds and shows."""
    return {each for rule in (name, *WITH.get(name, ())) for each in library.find(rule).shown}


def needs_solution(file):
    return any(re.search(r"\ba\s*\(", text) for text in (file.code, *shapes(file)))


@cache
def scene(name, size, seed):
    """The atoms of a random solution of a rule without clues."""
    retracted = (*WITHOUT.get(name, ()), *retracted_by(clue_file(name)))
    text = compose(Puzzle.blank(size), name, *WITH.get(name, ()), without=retracted).text
    return answer_set(text, *RANDOM, f"--seed={seed}")


def draw(name, size, seed):
    """The inputs of a rule that its `.gen` file draws, and the clue of each by `clue/2`."""
    file = clue_file(name)
    first, _, second = file.text.partition(VALUE)
    chance = random.Random(seed)
    places = chance.sample(range(size * size), size * size)
    cells = product(range(1, size + 1), repeat=2)
    order = "".join(f"order({r},{c},{p + 1}).\n" for (r, c), p in zip(cells, places, strict=True))
    height = next(h for h in range(int(size**0.5), 0, -1) if size % h == 0)
    sizes = f"#const n={size}. #const box_rows={height}. #const box_columns={size // height}.\n"
    known = [atom for atom in scene(name, size, seed) if atom.name != "a" or needs_solution(file)]
    options = (*RANDOM, f"--seed={seed}")
    atoms = answer_set("".join([sizes, facts_of(known), order, first, *shapes(file)]), *options)
    if atoms is not None and second:
        atoms = answer_set(sizes + facts_of(atoms) + second, *options)
    if atoms is None:
        return [], {}
    inputs = {item.signature for item in library.find(name).inputs} - {("box", 3), *found_by(name)}
    drawn = [atom for atom in atoms if (atom.name, len(atom.arguments)) in inputs]
    groups = {atom.arguments[1]: atom.arguments[0] for atom in atoms if atom.match("clue", 2)}
    return sorted(drawn), groups


def clues(name, drawn, groups):
    """The atoms by clue: by `clue/2`, else by the arguments that are called I, else by cell."""
    names = {item.signature: item for item in library.find(name).inputs}
    found = {}
    for atom in drawn:
        item = names[atom.name, len(atom.arguments)]
        cell = item.positions("RC") if item.arguments[:2] == ("R", "C") else ()
        places = item.positions("I") or (cell if len(cell) == 2 else ())
        own = (atom.name, len(atom.arguments), *(str(atom.arguments[place]) for place in places))
        found.setdefault(groups.get(atom) or (own if places else atom), []).append(atom)
    return list(found.values())


def with_solution(name, size, seed):
    """The rules with the solution of the scene, or without one if a file draws clues before it."""
    file = clue_file(name)
    retracted = WITHOUT.get(name, ())
    text = compose(Puzzle.blank(size), name, *WITH.get(name, ()), without=retracted).text
    if needs_solution(file):
        kept = {("a", 3), *found_by(name)}
        text += facts_of(
            atom for atom in scene(name, size, seed) if (atom.name, len(atom.arguments)) in kept
        )
    return text


def agrees(name, size, seed, atoms):
    """Whether all these clues together agree with the solution of the scene, or with any."""
    return answer_set(with_solution(name, size, seed) + facts_of(atoms)) is not None


def accepted(name, size, seed, found):
    """Those of these clues that agree, each on its own, with the solution of the scene, or any."""
    text = with_solution(name, size, seed)
    text += "".join(
        f"{atom} :- clue_chosen({number}).\n" for number, clue in enumerate(found) for atom in clue
    )
    text += f"{{ clue_chosen(0..{len(found) - 1}) }} = 1.\n"
    text = text.replace("#project a/3.", "#project clue_chosen/1.")
    control = clingo.Control(["--eq=0", "--project=project", "0"], logger=lambda *_: None)
    control.add("base", [], text)
    control.ground([("base", [])])
    right = set()
    with control.solve(yield_=True) as handle:
        for model in handle:
            chosen = (atom for atom in model.symbols(atoms=True) if atom.match("clue_chosen", 1))
            right |= {atom.arguments[0].number for atom in chosen}
    return [clue for number, clue in enumerate(found) if number in right]
