"""Hitting sets: few elements of which each of a growing collection of sets has one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from clingo import Model, SolveHandle

from aspdoku.engine.control import Control


class HittingSets:
    """Sets of elements, with a bound on how many are chosen.

    wait: called with each search of clingo, until it has a result; may raise TimeLimitError
    """

    def __init__(
        self, elements: Iterable[int], most: int, wait: Callable[[SolveHandle], None]
    ) -> None:
        self._control = Control(["--configuration=handy"])  # ten times faster than the default
        chosen = "; ".join(f"chosen({each})" for each in elements)
        self._control.add("base", [], f"{{ {chosen} }} {most}.")
        self._control.ground([("base", [])])
        atoms = self._control.symbolic_atoms.by_signature("chosen", 1)
        self._literals = {atom.symbol.arguments[0].number: atom.literal for atom in atoms}
        self._wait = wait

    def add(self, elements: Iterable[int]) -> None:
        """Require one of these elements."""
        with self._control.backend() as backend:
            backend.add_rule([], [-self._literals[each] for each in elements])

    def find(self) -> set[int] | None:
        """Elements that hit every set, as few as the bound allows; None if that is impossible."""
        chosen: list[set[int]] = []

        def keep(model: Model) -> None:
            literals = self._literals.items()
            chosen.append({each for each, literal in literals if model.is_true(literal)})

        with self._control.solve(on_model=keep, async_=True) as handle:
            self._wait(handle)
        return chosen[0] if chosen else None
