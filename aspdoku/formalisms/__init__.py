"""Other formalisms compared with answer set programming: encodings of puzzles, engines, answers."""

from __future__ import annotations

from aspdoku.formalisms.engine import Engine


def engines() -> dict[str, Engine]:
    """All engines by name, in display order."""
    from aspdoku.formalisms import asp, owl, prolog, propositional, python_programs

    made: list[Engine] = [
        *(asp.SlidesAsp(), asp.AspdokuAsp()),
        *(owl.SudokuInOwl(), owl.CellOwl()),
        *(prolog.FixedSizeProlog(), prolog.AnySizeProlog()),
        *(python_programs.Findling(), python_programs.CpSat()),
        *(propositional.UnitPropagation(), propositional.SatSolver()),
    ]
    return {engine.name: engine for engine in made}
