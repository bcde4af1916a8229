"""One grounded program, and the search for its solutions.

Clingo cannot be interrupted while it grounds, so grounding runs in a thread of its own and the caller waits for it:
a time limit or Ctrl-C then ends the wait at once. The abandoned thread lives on until the process ends.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from clingo import Control, MessageCode, Model, SymbolType

from aspdoku.errors import AspdokuError, RuleError
from aspdoku.puzzle import Solution

if TYPE_CHECKING:
    from clingo import SolveHandle

    from aspdoku.program import Program
    from aspdoku.program.messages import Message

# How long a wait may last before Python looks whether somebody pressed Ctrl-C, in seconds.
_HEARTBEAT = 0.1

Ending = Literal["complete", "limit", "time", "interrupted"]
Status = Literal["none", "unique", "several", "some", "unknown"]


class TimeLimitError(AspdokuError):
    """The time was up before the program was grounded, so nothing is known."""

    exit_code = 124


class Statistics(NamedTuple):
    """What a search took. Times are in seconds of wall clock."""

    atoms: int
    rules: int
    choices: int
    conflicts: int
    grounding: float
    solving: float


class Solver:
    """A program that is grounded once, when it is first needed, and then answers questions.

    time_limit: seconds for grounding and all that follows, counted from here; None for no limit
    """

    def __init__(self, program: Program, time_limit: float | None = None) -> None:
        self.program = program
        self.remarks: list[Message] = []
        self._deadline = None if time_limit is None else time.monotonic() + time_limit
        self._control: Control | None = None
        self._grounding = 0.0
        self._solving = 0.0

    def ground(self) -> Control:
        """Ground the program; what clingo remarks meanwhile is in `remarks`, by file and line.

        Raises RuleError where a rule cannot be grounded, TimeLimitError where the time does not suffice.
        """
        if self._control is None:
            began = time.perf_counter()
            control = Control(["--project=project"], logger=self._hear)
            self._in_thread(lambda: self._load(control))
            self._control = control
            self._grounding = time.perf_counter() - began
        return self._control

    def search(self, limit: int = 2) -> Search:
        """The solutions, found one by one as they are asked for: at most `limit` of them, or all for 0.

        Two solutions differ in some cell: answer sets that differ elsewhere only count once.
        """
        return Search(self, limit)

    def statistics(self) -> Statistics:
        """Size of the ground program and effort of the last search."""
        data = self.ground().statistics
        rules, search = data["problem"]["lp"], data["solving"]["solvers"]
        return Statistics(
            atoms=int(rules["atoms"]),
            rules=int(rules["rules"]),
            choices=int(search["choices"]),
            conflicts=int(search["conflicts"]),
            grounding=self._grounding,
            solving=self._solving,
        )

    def seconds_left(self) -> float:
        """Until the time limit; infinite without one."""
        return float("inf") if self._deadline is None else self._deadline - time.monotonic()

    def solution(self, model: Model) -> Solution:
        """The grid of an answer set. Raises RuleError where the rules have put something else than one number in each cell."""
        size = self.program.puzzle.size
        rows: list[list[int | None]] = [[None] * size for _ in range(size)]
        for symbol in model.symbols(shown=True):
            if not symbol.match("a", 3):
                continue
            row, column, number = (argument.number if argument.type is SymbolType.Number else 0 for argument in symbol.arguments)
            if not (1 <= row <= size and 1 <= column <= size) or rows[row - 1][column - 1] is not None:
                raise RuleError(f"the rules put {symbol} where the grid has no room for it: some file has a/3 as a head")
            rows[row - 1][column - 1] = number
        return Solution(self.program.puzzle, tuple(tuple(number for number in row if number is not None) for row in rows))

    def _load(self, control: Control) -> None:
        control.add("base", [], self.program.text)
        control.ground([("base", [])])

    def _hear(self, _: MessageCode, text: str) -> None:
        from aspdoku.program.messages import messages

        self.remarks += messages(text, self.program.locate)

    def _in_thread(self, work: Callable[[], None]) -> None:
        failure: list[RuntimeError] = []
        done = threading.Event()

        def run() -> None:
            try:
                work()
            except RuntimeError as error:
                failure.append(error)
            finally:
                done.set()

        threading.Thread(target=run, daemon=True).start()
        if not done.wait(None if self._deadline is None else max(0.0, self.seconds_left())):
            raise TimeLimitError("the time limit came while the program was being grounded; nothing is known")
        if failure:
            errors = [str(remark) for remark in self.remarks if remark.severity in ("error", "note")]
            raise RuleError("\n".join(errors) or str(failure[0]))


class Search:
    """Solutions as they are found; afterwards `ended` says how far the search came.

    complete: there are no others
    limit: as many as were asked for; there may be others
    time, interrupted: the time limit or Ctrl-C came first
    """

    def __init__(self, solver: Solver, limit: int) -> None:
        self.found = 0
        self.ended: Ending | None = None
        self._solver = solver
        self._limit = limit

    @property
    def status(self) -> Status:
        """What is settled: no solution, one and no other, several, at least one, or nothing at all."""
        if self.found > 1:
            return "several"
        if self.ended == "complete":
            return "unique" if self.found else "none"
        return "some" if self.found else "unknown"

    def __iter__(self) -> Iterator[Solution]:
        control = self._solver.ground()
        control.configuration.solve.models = self._limit  # type: ignore[union-attr]
        with control.solve(yield_=True, async_=True) as handle:
            try:
                while self._next(handle):
                    model = handle.model()
                    if model is None:
                        self.ended = "complete" if handle.get().exhausted else "limit"
                        return
                    self.found += 1
                    yield self._solver.solution(model)
            except KeyboardInterrupt:
                self.ended = "interrupted"
                raise

    def _next(self, handle: SolveHandle) -> bool:
        """Wait for the next answer set or the end of the search; False where the time was up first."""
        began = time.perf_counter()
        handle.resume()
        while not handle.wait(min(_HEARTBEAT, max(0.0, self._solver.seconds_left()))):
            if self._solver.seconds_left() <= 0:
                self.ended = "time"
                return False
        self._solver._solving += time.perf_counter() - began
        return True
