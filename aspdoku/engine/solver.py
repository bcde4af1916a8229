"""One grounded program, and the search for its solutions.

Clingo cannot be interrupted while it grounds. Under a time limit, therefore, it works in a thread
of its own and the caller
waits for it: the limit or Ctrl-C ends the wait at once, and the abandoned thread lives on until the
process ends.
"""

from __future__ import annotations

import atexit
import math
import re
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Literal, NamedTuple

from clingo import Control, MessageCode, Model, Symbol, SymbolType, parse_term

from aspdoku.errors import AspdokuError, OutOfMemoryError, RuleError
from aspdoku.errors import TimeLimitError as TimeLimitError
from aspdoku.program import Program
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.puzzle import GIVEN
from aspdoku.puzzle.term import Term, sort_key
from aspdoku.supervision import notice_time_limit

if TYPE_CHECKING:
    from clingo import Observer, SolveHandle

    from aspdoku.program.messages import Message

# How long a wait may last before Python looks whether somebody pressed Ctrl-C, in seconds.
_HEARTBEAT = 0.1

_OVERFLOW = (
    "the weights of a #sum or #sum+ in these rules are too large: their total must fit into 32 bits"
)

CELL_ATOM = re.compile(r"a\((-?\d+),(-?\d+),(-?\d+)\)")

SearchEnd = Literal["complete", "limit", "time", "interrupted"]
SearchStatus = Literal["none", "unique", "several", "some", "unknown"]


class Statistics(NamedTuple):
    """What a search took. Times are in seconds of wall clock.

    Memory is the most that the process has had, in bytes.

    Memory is 0 where the system does not tell.
    """

    atoms: int
    rules: int
    choices: int
    conflicts: int
    grounding: float
    solving: float
    memory: int


class Solver:
    """A program that is grounded once, when it is first needed, and then answers questions.

    time_limit: seconds for grounding and all that follows, counted from here; `math.inf` for as
        long as it takes, but so that Ctrl-C ends it; None to work without a second thread, as
        clingo itself does, which is a little faster
    observer: is told of each ground rule
    options: clingo's, for how it searches; also: text beside the program, for the engine's own ends
    project: tell answer sets apart by their grids only; needless where no rule of the program
    chooses, see `has_unique_extensions`
    """

    def __init__(
        self,
        program: Program,
        time_limit: float | None = None,
        observer: Observer | None = None,
        options: Sequence[str] = (),
        extra_program: str = "",
        project: bool = True,
    ) -> None:
        self.program = program
        self._observer = observer
        self._options = options
        self._extra_program = extra_program
        self._project = ("--project=project",) if project else ()
        self.messages: list[Message] = []
        self._deadline = None if time_limit is None else time.monotonic() + time_limit
        self._control: Control | None = None
        self._grounding = 0.0
        self._solving = 0.0
        self._searching = False

    def ground(self) -> Control:
        """Ground the program; what clingo remarks meanwhile is in `messages`, by file and line.

        Raises RuleError where a rule cannot be grounded, TimeLimitError where the time does not
        suffice.
        """
        if self._control is None:
            began = time.perf_counter()
            control = Control(
                [*REQUIRED_OPTIONS, *self._project, *self._options], logger=self._hear
            )
            if self._observer is not None:
                control.register_observer(self._observer)
            self._load(control)
            self._control = control
            self._grounding = time.perf_counter() - began
        return self._control

    def search(self, limit: int = 2, assumptions: Iterable[tuple[Function, bool]] = ()) -> Search:
        """The solutions, found one by one as they are asked for.

        At most `limit` of them, or all for 0.

        Only one search can be open at a time: exhaust or close() its iterator before the next one.
        Two solutions differ in some cell: answer sets that differ elsewhere only count once.
        assuming: atoms that are to be true or false in them
        """
        return Search(self, limit, tuple(assumptions))

    def statistics(self) -> Statistics:
        """Size of the ground program and effort of the last search.

        Raises AspdokuError if no search has ended yet, or one is open.
        """
        try:
            data = self.ground().statistics
        except RuntimeError:
            raise AspdokuError("statistics are available after a search has ended") from None
        rules, search = data["problem"]["lp"], data["solving"]["solvers"]
        return Statistics(
            atoms=int(rules["atoms"]),
            rules=int(rules["rules"]),
            choices=int(search["choices"]),
            conflicts=int(search["conflicts"]),
            grounding=self._grounding,
            solving=self._solving,
            memory=_memory(),
        )

    @property
    def grounded(self) -> bool:
        """Whether the program has been grounded, so that there is something to ask."""
        return self._control is not None

    @property
    def is_async(self) -> bool:
        """Whether clingo works in a thread of its own, so that a time limit or Ctrl-C can end the
        wait for it.
        """
        return self._deadline is not None

    def seconds_left(self) -> float:
        """Until the time limit; infinite without one."""
        return math.inf if self._deadline is None else self._deadline - time.monotonic()

    def wait(self, handle: SolveHandle) -> None:
        """Wait for what a search comes to next.

        Raises TimeLimitError where the time is up first.
        """
        while not handle.wait(
            min(_HEARTBEAT, max(0.0, self.seconds_left())) if self.is_async else None
        ):
            if self.seconds_left() <= 0:
                notice_time_limit()
                raise TimeLimitError("the time limit came while the program was being solved")

    def solution(self, model: Model) -> Solution:
        """The grid of an answer set, and what else it shows.

        Raises RuleError where the rules have put something else than one number in each cell.
        """
        size, has = self.program.puzzle.size, self.program.puzzle.contains
        filled = [[0] * size for _ in range(size)]
        shown, count = [], 0
        for symbol in model.symbols(shown=True):
            # Reading an atom's text takes a quarter of the time that asking for its arguments does.
            cell = CELL_ATOM.fullmatch(str(symbol))
            if cell is None and not symbol.match("a", 3):
                shown.append(from_symbol(symbol))
                continue
            row, column, number = map(int, cell.groups()) if cell else (0, 0, 0)
            if not has(row, column, number):
                raise RuleError(_misplaced(symbol))
            filled[row - 1][column - 1] = number
            count += 1
        if count != size * size:
            raise RuleError(
                f"the rules put {count} numbers into {size * size} cells: is a/3 a head somewhere?"
            )
        return Solution(
            self.program.puzzle, tuple(map(tuple, filled)), tuple(sorted(shown, key=sort_key))
        )

    def check_placements(self) -> None:
        """Raise RuleError where the rules can place something that is no number of the grid, or
        place it outside.

        Raises TimeLimitError where the time does not suffice to tell.
        """
        for atom in self.ground().symbolic_atoms.by_signature("a", 3):
            cell = CELL_ATOM.fullmatch(str(atom.symbol))
            inside = cell and self.program.puzzle.contains(*map(int, cell.groups()))
            if not inside and (atom.is_fact or self._can_hold(atom.literal)):
                raise RuleError(_misplaced(atom.symbol))

    def _can_hold(self, literal: int) -> bool:
        """Whether an atom is in some answer set."""
        solving = self.ground().configuration.solve
        models, solving.models = solving.models, 1  # type: ignore[union-attr]
        try:
            with self.ground().solve([literal], async_=True) as handle:
                self.wait(handle)
                return bool(handle.get().satisfiable)
        finally:
            solving.models = models  # type: ignore[union-attr]

    def _load(self, control: Control) -> None:
        def load() -> None:
            control.add("base", [], self.program.text)
            control.add("base", [], self._extra_program)
            control.ground([("base", [])])

        try:
            if self._deadline is None:
                load()
            else:
                self._in_thread(load)
        except MemoryError:
            size = self.program.puzzle.size
            what = f"a {size}x{size} grid alone has {size**3} atoms a(R,C,N)"
            raise OutOfMemoryError(
                f"there is not enough memory to ground this program; {what}"
            ) from None
        except RuntimeError as failure:
            errors = [
                str(remark) for remark in self.messages if remark.severity in ("error", "note")
            ]
            raise RuleError("\n".join(errors) or _in_words(failure)) from None

    def _hear(self, _: MessageCode, text: str) -> None:
        from aspdoku.program.messages import parse_messages

        self.messages += parse_messages(text, self.program.locate)

    def _in_thread(self, work: Callable[[], None]) -> None:
        failure: list[Exception] = []
        done = threading.Event()

        def run() -> None:
            try:
                work()
            except Exception as error:  # clingo raises MemoryError, too
                failure.append(error)
            finally:
                done.set()

        threading.Thread(target=run, daemon=True).start()
        if not done.wait(min(threading.TIMEOUT_MAX, max(0.0, self.seconds_left()))):
            notice_time_limit()
            raise TimeLimitError("the time limit came while the program was being grounded")
        if failure:
            raise failure[0]


def has_unique_extensions(program: Program) -> bool:
    """Whether each grid has one answer set, so that they need not be told apart by their grids,
    which takes time.
    """
    from aspdoku.program import RuleFile
    from aspdoku.program.negation import may_choose

    # Together, for a choice can be spread over two files: p :- not q. in one, and q :- not p. in
    # the other.
    return not may_choose(
        RuleFile("all", "all", "\n".join(part.rule.text for part in program.parts[1:]), vetted=True)
    )


class Search:
    """Solutions as they are found; afterwards `ended` says how far the search came.

    complete: there are no others
    limit: as many as were asked for; there may be others
    time, interrupted: the time limit or Ctrl-C came first
    """

    def __init__(
        self, solver: Solver, limit: int, assumptions: tuple[tuple[Function, bool], ...]
    ) -> None:
        self.found = 0
        self.ended: SearchEnd | None = None
        self._solver = solver
        self._limit = limit
        self._assumptions = assumptions

    @property
    def started(self) -> bool:
        """Whether it came to a search at all; grounding may have taken all the time."""
        return self._solver.grounded

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle that it is about."""
        return self._solver.program.puzzle

    @property
    def status(self) -> SearchStatus:
        """What is settled.

        No solution, one and no other, several, at least one, or nothing at all.
        """
        if self.found > 1:
            return "several"
        if self.ended == "complete":
            return "unique" if self.found else "none"
        return "some" if self.found else "unknown"

    def count(self) -> int:
        """How many there are, up to the limit, without reading any of them.

        Raises RuleError where the rules place something that is no number of the grid.
        """
        control = self._begin()
        if control is None:
            return 0
        self._solver.check_placements()

        def hear(model: Model) -> None:
            self.found = model.number

        began = time.perf_counter()
        try:
            if not self._solver.is_async:
                self.ended = (
                    "complete"
                    if control.solve(self._assumed(), on_last=hear).exhausted
                    else "limit"
                )
                return self.found
            with control.solve(self._assumed(), async_=True) as handle:
                try:
                    self._solver.wait(handle)
                    self.ended = "complete" if handle.get().exhausted else "limit"
                finally:
                    handle.cancel()
                    if last := handle.last():
                        hear(last)
        except TimeLimitError:
            self.ended = "time"
        except KeyboardInterrupt:
            self.ended = "interrupted"
            raise
        finally:
            self._solver._solving = time.perf_counter() - began
        return self.found

    def __iter__(self) -> Generator[Solution, None, None]:
        with closing(self._models()) as models:
            yield from map(self._solver.solution, models)

    def _begin(self) -> Control | None:
        """The grounded program, ready to search; None where the time was up before.

        Raises AspdokuError while another search of the same Solver is open.
        """
        if self._solver._searching:
            raise AspdokuError(
                "another search of this Solver is still open: exhaust or close() its iterator"
                " first, or use a second Solver"
            )
        self.found, self.ended = 0, None
        self._solver._solving = 0.0
        try:
            control = self._solver.ground()
        except TimeLimitError:
            self.ended = "time"
            return None
        except KeyboardInterrupt:
            self.ended = "interrupted"
            raise
        control.configuration.solve.models = self._limit  # type: ignore[union-attr]
        return control

    def _assumed(self) -> list[tuple[Symbol, bool]]:
        return [(parse_term(str(atom)), value) for atom, value in self._assumptions]

    def _models(self) -> Generator[Model, None, None]:
        control = self._begin()
        if control is None:
            return
        with control.solve(self._assumed(), yield_=True, async_=self._solver.is_async) as handle:
            self._solver._searching = True
            atexit.register(
                handle.cancel
            )  # the process is aborted if clingo's thread still runs when Python exits
            try:
                while self._next(handle):
                    model = handle.model()
                    if model is None:
                        self.ended = "complete" if handle.get().exhausted else "limit"
                        return
                    self.found += 1
                    yield model
            except KeyboardInterrupt:
                self.ended = "interrupted"
                raise
            finally:
                atexit.unregister(handle.cancel)
                self._solver._searching = False

    def _next(self, handle: SolveHandle) -> bool:
        """Wait for the next answer set or the end of the search.

        False where the time was up first.
        """
        began = time.perf_counter()
        handle.resume()
        try:
            self._solver.wait(handle)
        except TimeLimitError:
            self.ended = "time"
            return False
        finally:
            self._solver._solving += time.perf_counter() - began
        return True


def _in_words(failure: RuntimeError) -> str:
    """An error of clingo's that has no position."""
    return _OVERFLOW if "Integer overflow" in str(failure) else str(failure)


def _misplaced(symbol: Symbol) -> str:
    return (
        f"the rules make {symbol} true, which the grid has no place for: is a/3 a head somewhere?"
    )


def _memory() -> int:
    try:
        import resource
    except ImportError:
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def from_symbol(symbol: Symbol) -> Term:
    """A symbol of clingo as plain data."""
    if symbol.type is SymbolType.Number:
        return symbol.number
    if symbol.type is SymbolType.String:
        return symbol.string
    if symbol.type is SymbolType.Function:
        sign = "" if symbol.positive else "-"
        return Function(sign + symbol.name, tuple(map(from_symbol, symbol.arguments)))
    return Function(str(symbol))


def alternative_shown_atoms(
    program: Program, solution: Solution, seconds: float = math.inf
) -> Solution | None:
    """The same grid with something else shown beside it; None where there is none.

    Raises TimeLimitError where the time does not suffice to tell.
    """
    shown = set().union(*(part.rule.shown for part in program.parts))
    if not shown or has_unique_extensions(program):
        return None
    projected = "\n".join(f"#project {name}/{arity}." for name, arity in sorted(shown))
    search = Solver(program, seconds, extra_program=projected).search(
        2, ((atom, True) for atom in _atoms(solution))
    )
    found = [each for each in search if each.shown != solution.shown]
    if not found and search.ended == "time":
        raise TimeLimitError(
            "the time did not suffice to tell whether what is shown beside the grid is the only one"
        )
    return found[0] if found else None


def _atoms(solution: Solution) -> Iterator[Function]:
    for row, cells in enumerate(solution.rows, 1):
        for column, number in enumerate(cells, 1):
            yield Function(GIVEN[0], (row, column, number))


# For every search: merging equivalent atoms before it has lost solutions where sums count atoms
# that follow from one another (clingo 5.6 to 5.8; tests/engine/test_solver.py has such a program).
REQUIRED_OPTIONS = ("--eq=0",)

# One answer after the other, each with the proof that it is the only one, and counting them: little
# of what one puzzle taught is kept for the next.
ENUMERATION_OPTIONS = (
    "--configuration=frumpy",
    "--forget-on-step=15",
    "--sign-def=pos",
    "--no-init-moms",
    "--strengthen=no",
)

# The union of all answers: to start afresh after each of them leads away from what has been seen.
CANDIDATE_OPTIONS = (
    "--configuration=frumpy",
    "--restart-on-model",
    "--restarts=L,60",
    "--forget-on-step=15",
)
