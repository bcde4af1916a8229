"""Other formalisms compared with answer set programming: encodings of puzzles, engines, answers."""

from __future__ import annotations

from aspdoku.formalisms.engine import AspdokuAsp, Engine, SlidesAsp


def engines() -> dict[str, Engine]:
    """All engines by name, in display order."""
    from aspdoku.formalisms import owl, programs, propositional

    made: list[Engine] = [
        *(SlidesAsp(), AspdokuAsp()),
        *(owl.SudokuInOwl(), owl.CellOwl()),
        *(programs.FixedSizeProlog(), programs.AnySizeProlog()),
        *(programs.Findling(), programs.CpSat()),
        *(propositional.UnitPropagation(), propositional.SatSolver()),
    ]
    return {engine.name: engine for engine in made}
