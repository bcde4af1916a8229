"""Answer set programming itself: the lecture slides' own text, with their fixed 9, and ours, to which one only adds."""

from __future__ import annotations

import time
from collections import Counter

from aspdoku.engine import plain
from aspdoku.engine.solver import Solver, TimeLimitError
from aspdoku.errors import RuleError
from aspdoku.lessons.rivals.case import Case
from aspdoku.lessons.rivals.engine import Engine, EngineError, Outcome
from aspdoku.lessons.rivals.texts import Text
from aspdoku.program import RuleFile
from aspdoku.program.syntax import parse

# A comment says nothing, #program base is where everything is, and #defined only declares.
_SILENT = ("Comment", "Program", "Defined")


class Slides(Engine):
    """Boxes and numbers in one rule, 9 wherever the size is meant."""

    name = "asp-slides"
    title = "ASP, the slides' text"
    folder = "asp-slides"
    extension = "lp"

    def statements(self, program: str) -> Counter[str]:
        """By clingo's syntax tree."""
        return _statements(program)

    def run(self, case: Case, text: Text, seconds: float) -> Outcome:
        """Up to two answer sets of the text as it is."""
        try:
            found = plain.grids(f"{text.program}\n{text.instance}", case.size, seconds)
        except RuleError as error:
            raise EngineError(str(error)) from None
        return Outcome(found.grids[0] if found.grids else None, len(found.grids) < 2, found.grounding, found.solving)


class Ours(Engine):
    """Base, elaborations and puzzle as `aspdoku program` prints them."""

    name = "asp"
    title = "ASP, aspdoku's text"
    folder = "asp"
    extension = "lp"
    native = True

    def text(self, case: Case) -> Text:
        """The rule files as they are, and a fact for each rule that is taken back; the puzzle is its instance."""
        back = "".join(f"ab({name.replace('-', '_')}).\n" for name in case.puzzle.without)
        rules = "\n".join(part.rule.text for part in case.program.parts)
        lines = case.program.text.splitlines(keepends=True)
        return Text(rules + back, "".join(lines[case.program.parts[-1].last :]))

    def printed(self, case: Case, text: Text) -> str:
        """The composed program."""
        return case.program.text

    def statements(self, program: str) -> Counter[str]:
        """By clingo's syntax tree."""
        return _statements(program)

    def run(self, case: Case, text: Text, seconds: float) -> Outcome:
        """Up to two solutions of the composed program."""
        solver = Solver(case.program, seconds)
        began = time.perf_counter()
        solver.ground()
        started = time.perf_counter()
        search = solver.search(2)
        found = [solution.rows for solution in search]
        if search.ended == "time":
            raise TimeLimitError(f"no answer after {seconds:g} s")
        return Outcome(found[0] if found else None, len(found) < 2, started - began, time.perf_counter() - started)


def _statements(program: str) -> Counter[str]:
    statements, _ = parse(RuleFile("rival", "rival", program, vetted=True))
    return Counter(str(statement) for statement in statements if statement.ast_type.name not in _SILENT)
