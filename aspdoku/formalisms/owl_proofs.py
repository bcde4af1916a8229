"""Turn axioms that entail the value of a cell into a proof, in the wording of "Sudoku in OWL".

The values of a sudoku are individuals `V3_12`, the numbers `n1`, `n2`, …
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

# A value is an instance of its dummy class; these classes only serve to query the reasoner.
_DUMMY = re.compile(r" type C\S*$")

# The known values, each with the step that derived it.
_Known = dict[str, "OwlProofStep"]


class OwlProofStep(NamedTuple):
    """A known value: its number, the reason in words, and the values that the reason depends on.

    The words are empty for a given.
    """

    number: int
    words: str
    rests_on: tuple[str, ...] = ()


@dataclass(frozen=True)
class OwlProof:
    """The axioms of an explanation.

    axioms: as printed by Pellet
    givens: asserted values
    apart: sets of mutually distinct values, each with the kind of its unit, e.g. `row`, or nothing
    size: the number of numbers
    """

    axioms: tuple[str, ...]
    givens: Mapping[str, int]
    apart: tuple[tuple[frozenset[str], str], ...]
    size: int

    @classmethod
    def of(cls, axioms: list[str], units: Mapping[frozenset[str], str], size: int) -> OwlProof:
        """Parse the axioms. units: the kind of each unit, by its values."""
        givens, apart = {}, []
        for axiom in axioms:
            if same := re.fullmatch(r"(\S+) sameAs (\S+)", axiom):
                number, value = sorted(same.groups(), key=lambda name: name.startswith("V"))
                givens[value] = int(number[1:])
            elif different := re.fullmatch(r"DifferentIndividuals\((.*)\)", axiom):
                values = frozenset(different[1].split())
                apart.append((values, units.get(values, "")))
        return cls(tuple(axioms), givens, tuple(apart), size)

    def lines(self, value: str, number: int) -> list[str]:
        """Why the value must be the number, step by step."""
        known = {name: OwlProofStep(given, "") for name, given in self.givens.items()}
        if value in known:
            return [f"{value} = {number} is given"]
        while value not in known:
            found = dict(self._forced(known))
            if not found:
                first = f"{value} must be {number}. This follows, but not value by value, from:"
                return [
                    first,
                    *(_axiom_text(axiom) for axiom in self.axioms if not _DUMMY.search(axiom)),
                ]
            known |= found
        return [known[name].words for name in _needed(known, value)]

    def _forced(self, known: _Known) -> Iterator[tuple[str, OwlProofStep]]:
        """The values that follow directly from the known ones."""
        values = sorted(
            {name for names, _ in self.apart for name in names if name.startswith("V")}
            - known.keys()
        )
        for value in values:
            step = self._only_number(value, known) or self._only_place(value, known)
            if step:
                yield value, step

    def _only_number(self, value: str, known: _Known) -> OwlProofStep | None:
        """The step if all numbers but one are excluded (a naked single)."""
        clashes = {number: self._clash(value, number, known) for number in range(1, self.size + 1)}
        possible = [number for number, clash in clashes.items() if clash is None]
        if len(possible) != 1:
            return None
        reasons = [(number, *clash) for number, clash in clashes.items() if clash]
        reason_text = "; ".join(
            f"{'not' if place else 'it cannot be'} {number}, for {other} = {number} {common}"
            for place, (number, other, common) in enumerate(reasons)
        )
        return OwlProofStep(
            possible[0],
            f"{value} must be {possible[0]}: {reason_text}",
            tuple(other for _, other, _ in reasons),
        )

    def _only_place(self, value: str, known: _Known) -> OwlProofStep | None:
        """The value, where one of the numbers has no other place in a row, column or sub-grid."""
        for names, common in self.apart:
            if value not in names or len(names) < self.size:
                continue
            for number in range(1, self.size + 1):
                reasons = {
                    other: self._taken(other, number, known) for other in sorted(names - {value})
                }
                if all(reasons.values()):
                    others = f"in the same {common}" if common else f"of {', '.join(sorted(names))}"
                    reason_text = "; ".join(words for words, _ in filter(None, reasons.values()))
                    rests_on = tuple(name for _, name in filter(None, reasons.values()))
                    return OwlProofStep(
                        number,
                        f"{value} must be {number}, for no other {others} can: {reason_text}",
                        rests_on,
                    )
        return None

    def _taken(self, value: str, number: int, known: _Known) -> tuple[str, str] | None:
        """Why a value is not the number, and the value that this depends on."""
        if value in known:
            return (
                (f"{value} = {known[value].number}", value)
                if known[value].number != number
                else None
            )
        clash = self._clash(value, number, known)
        return (
            (f"{value} cannot be {number}, for {clash[0]} = {number} {clash[1]}", clash[0])
            if clash
            else None
        )

    def _clash(self, value: str, number: int, known: _Known) -> tuple[str, str] | None:
        """A value known to be the number and distinct from this one, and their common unit."""
        for other, step in known.items():
            if step.number == number:
                for names, common in self.apart:
                    if {value, other} <= names:
                        return (
                            other,
                            (
                                f"in the same {common}"
                                if common
                                else f"and {value} is distinct from it"
                            ),
                        )
        return None


def _needed(known: _Known, value: str) -> list[str]:
    """The values that this one depends on, without givens, in the order of derivation."""
    needed, waiting = set(), [value]
    while waiting:
        name = waiting.pop()
        if name not in needed and known[name].words:
            needed.add(name)
            waiting += known[name].rests_on
    return [name for name in known if name in needed]


def _axiom_text(axiom: str) -> str:
    """An axiom in words, if it is of a kind used in "Sudoku in OWL"."""
    if different := re.fullmatch(r"DifferentIndividuals\((.*)\)", axiom):
        return f"{', '.join(different[1].split())} are mutually distinct"
    if same := re.fullmatch(r"(\S+) sameAs (n?)(\S+)", axiom):
        return f"{same[1]} = {same[3]}"
    if only := re.fullmatch(r"Thing subClassOf \{(.*)\}", axiom):
        return f"there is nothing but {only[1].replace('n', '')}"
    return axiom
