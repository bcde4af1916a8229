"""The rival formalisms beside answer set programming.

Their texts, their engines, and what they answer.
"""

from __future__ import annotations

from aspdoku.formalisms.engine import Engine


def engines() -> dict[str, Engine]:
    """All engines by their names, in the order in which they are shown."""
    from aspdoku.formalisms import asp, cp_sat, findling, owl, prolog, propositional

    made: list[Engine] = [
        *(asp.SlidesAsp(), asp.AspdokuAsp()),
        *(owl.SudokuInOwl(), owl.CellOwl()),
        *(prolog.FixedSizeProlog(), prolog.AnySizeProlog()),
        *(findling.Findling(), cp_sat.CpSat()),
        *(propositional.UnitPropagation(), propositional.SatSolver()),
    ]
    return {engine.name: engine for engine in made}
