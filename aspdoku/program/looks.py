"""The looks of a whole program: from the `.draw` files beside its rule files, and plain ones where nothing is said."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from aspdoku.errors import RuleError
from aspdoku.program.look import KINDS, Atom, Label, Look, Signature, parse
from aspdoku.program.rulefile import text_in
from aspdoku.puzzle.puzzle import REGION

if TYPE_CHECKING:
    from aspdoku.program.compose import Program
    from aspdoku.program.rulefile import RuleFile

LARGEST_FILE = 100_000


def looks(program: Program) -> tuple[Look, ...]:
    """How the rules of a program are drawn that are not taken back. Raises RuleError for a `.draw` file of no use."""
    rules = [part.rule for part in program.parts if not taken_back(part.rule, program.puzzle.without)]
    found: dict[Signature, Look] = {}
    for look in (look for rule in rules for look in _read(rule)):
        found.setdefault(look.atom.signature, look)
    spoken_of = {REGION, *(atom.signature for look in found.values() for atom in look.atoms)}
    for rule in rules:
        inputs = [Atom(each.name, each.arguments) for each in rule.inputs if each.arguments]
        for look in _plain([atom for atom in inputs if atom.signature not in spoken_of], rule.name):
            found.setdefault(look.atom.signature, look)
    return tuple(found.values())


def taken_back(rule: RuleFile, without: Iterable[str]) -> bool:
    """Whether nothing of the rule holds."""
    symbols = {name.replace("-", "_") for name in without}
    return bool(rule.retractable) and rule.retractable <= symbols


def derived(program: Program, found: Iterable[Look]) -> set[Signature]:
    """The predicates among these looks that are not the puzzle's to state: the program defines them."""
    inputs = {each.signature for part in program.parts for each in part.rule.inputs}
    return {atom.signature for look in found for atom in look.atoms} - inputs


def guess(signatures: Iterable[Signature]) -> list[Look]:
    """A plain look for predicates that no rule declares, by the number of their arguments alone."""
    usual = {2: ("R", "C"), 3: ("R", "C", "I"), 4: ("I", "K", "R", "C"), 5: ("R", "C", "R1", "C1", "S")}
    names = set(signatures)
    atoms = [Atom(name, usual[arity]) for name, arity in names if arity in usual]
    values = {(f"{atom.name}_value", 2) for atom in atoms if "I" in atom.letters}
    atoms = [atom for atom in atoms if atom.signature not in values]
    said = [Atom(name, ("I", "S")) for name, arity in names & values]
    return _plain(sorted([*atoms, *said]), "")


def _plain(atoms: list[Atom], rule: str) -> list[Look]:
    """The look of predicates of which nothing is said: from the letters of their arguments."""
    values = {atom.name: atom for atom in atoms}
    found = []
    for atom in atoms:
        letters = set(atom.letters)
        labels = _labels(atom, values.get(f"{atom.name}_value"))
        others = [each for each in atom.letters if each not in ("R", "C", "R1", "C1", "K", "E", "J")]
        text = "".join(f"{{{each}}}" for each in others)
        if letters >= KINDS["edge"]:
            found.append(Look(atom, "edge", text=text, rule=rule or atom.name))
        elif letters >= {"R", "C"}:
            kind = "line" if "K" in letters else "area" if "I" in letters or len(letters) == 2 else "mark"
            found.append(Look(atom, kind, text=text if kind == "mark" else "", labels=labels, rule=rule or atom.name))
        elif letters >= {"E", "J"}:
            found.append(Look(atom, "clue", text=text, rule=rule or atom.name))
        elif letters & {"R", "C"} and others:
            found.append(Look(atom, "clue", text=text, edge="left" if "R" in letters else "top", rule=rule or atom.name))
    return found


def _labels(atom: Atom, value: Atom | None) -> tuple[Label, ...]:
    """What `p_value(I,S)` says of `p(R,C,I)`."""
    if value is None or not set(value.letters) & set(atom.letters):
        return ()
    return (Label(value, "".join(f"{{{letter}}}" for letter in value.letters if letter not in atom.letters)),)


def _read(rule: RuleFile) -> list[Look]:
    """The looks in the `.draw` file next to a rule file, if there is one."""
    file = rule.path.with_suffix(".draw") if rule.path else None
    if not rule.path or not file or not file.is_file():
        return []
    place = f"{rule.place.removesuffix('.lp')}.draw"
    if not rule.vetted and os.path.dirname(os.path.realpath(file)) != os.path.dirname(os.path.realpath(rule.path)):
        raise RuleError(f"{place}: a symbolic link to another folder than that of the rule file")
    return parse(text_in(file, place, "a file of looks", LARGEST_FILE), place, rule.name)
