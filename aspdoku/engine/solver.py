"""Ground a program once, and search for its solutions.

Clingo cannot be interrupted while it grounds. With a time limit, which commands always set and
which may be infinite, it therefore runs in a separate thread for which the caller waits: the limit
or Ctrl-C ends the wait at once, and the abandoned thread continues until the process ends.
"""

from __future__ import annotations

import atexit
import re
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache, cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from weakref import WeakMethod

from clingo import MessageCode, Model, Observer, SolveHandle, Symbol, SymbolType, parse_term

from aspdoku.engine.control import Control
from aspdoku.errors import AspdokuError, GrowthError, OutOfMemoryError, RuleError, TimeLimitError
from aspdoku.program import Program, RuleFile
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.puzzle import GIVEN, Cell
from aspdoku.puzzle.term import Signature, Term, sort_key
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.signals import postponed
from aspdoku.runtime.supervise import notice_time_limit, peak_memory

if TYPE_CHECKING:
    from aspdoku.program.messages import Message

# Seconds that a wait may last before Python checks for Ctrl-C: not noticeable for a user.
_HEARTBEAT = 0.1
# Seconds that a wait may last before the deadline is asked again, which may count processor time.
_LONGEST_WAIT = 1.0
# Atoms that are counted at the time limit, in a hundredth of a second.
_FEW_ATOMS = 20_000
# Seconds that a thread at the time limit may take to end, after which its atoms can be counted.
_ABANDONED_WAIT = 0.1
# Seconds that the end of the process waits for a thread that reports ground rules no more.
_LAST_WAIT = 2.0
# Cells that are listed in which a stated solution differs.
_MAX_CELLS = 3
# Ground rules of a program with a user's rules after which grounding ends: if the text of such a
# rule shows that its terms may grow without end, and otherwise.
_SUSPECT_RULES, _MOST_RULES = 1_000_000, 10_000_000
# Seconds of processor time for such a program with terms that may grow: a join of many atoms has
# few ground rules. A million ground rules take about a second.
_SUSPECT_SECONDS = 5.0
# Seconds of a grounding, and conflicts of a search, that may delay the time limit or Ctrl-C.
_SHORT_GROUNDING = 0.05
_SHORT_SEARCH = 2000

_OVERFLOW = (
    "integer overflow: the total of the weights of a #sum or #sum+ in the rules exceeds 32 bits"
)

CELL_ATOM = re.compile(r"a\((-?\d+),(-?\d+),(-?\d+)\)")
_NUMBERS_ONLY = re.compile(r"(\w+)\(([\d,]+)\)")

SearchEnd = Literal["complete", "limit", "time", "interrupted"]
SearchStatus = Literal["none", "unique", "several", "some", "unknown"]


class Statistics(NamedTuple):
    """Size of a ground program, and effort of a search.

    grounding, solving: seconds of wall clock
    memory: the peak of the process in bytes; 0 if the system does not report it
    """

    atoms: int
    rules: int
    choices: int
    conflicts: int
    grounding: float
    solving: float
    memory: int


# Seconds that the last programs of the same rule files took to ground. For solvers of many small
# programs with different facts: a second thread for each grounding and each search would take a
# tenth of the time.
Pace = dict[tuple[RuleFile, ...], float]


def _atoms(model: Model, shown: bool) -> list[Symbol]:
    return list(model.symbols(atoms=not shown, shown=shown))


class Solver:
    """A program that is grounded once, when it is first needed, and then searched.

    time_limit: seconds for grounding and all that follows, from now; `math.inf` for no limit, but
        so that Ctrl-C works; None to run without a second thread, which is a little faster
    observer: receives each ground rule
    options: command-line options of clingo for the search
    extra_program: program text added by the engine
    project: distinguish answer sets by their grids only; not needed if no rule of the program
        chooses, see `has_unique_extensions`
    pace: of similar programs, which are only searched by `answer_sets`; a second thread is then
        only used for grounding if that took long before, and for a search if it is long
    """

    def __init__(
        self,
        program: Program,
        time_limit: float | None = None,
        observer: Observer | None = None,
        options: Sequence[str] = (),
        extra_program: str = "",
        project: bool = True,
        pace: Pace | None = None,
    ) -> None:
        self.program = program
        self._observer = observer
        self._options = options
        self._extra_program = extra_program
        self._project = ("--project=project",) if project else ()
        self.messages: list[Message] = []
        self.deadline = Deadline(time_limit)
        self._control: Control | None = None
        self._grounding = 0.0
        self._solving = 0.0
        self._searching = False
        self._pace = pace
        # Without a time limit, too: it must not decide what is found.
        self._begins_short = pace is not None
        # The users' files, which may be to blame if the ground program grows without end.
        self._own = [own for rule in program.rules if (own := rule.own)]
        self._brake: Brake | None = None
        if observer or self._may_be_large():
            from aspdoku.program.growth import Brake  # slow to import, and not for bundled rules

            self._brake = Brake(self._must_end)
        self._abandoned = False
        self.growth = ""  # why grounding did not end before the time limit, if that is known
        self._cells: dict[Symbol, tuple[int, int, int]] = {}  # of the atoms seen so far

    def ground(self) -> Control:
        """Ground the program; clingo's messages, with files and lines, are added to `messages`.

        Raises RuleError if a rule cannot be grounded, TimeLimitError if the time is up.
        """
        if self._control is None:
            began = time.perf_counter()
            control = self.new_control()
            for observer in filter(None, (self._observer, self._brake)):
                control.register_observer(observer)
            self._load(control)
            self._control = control
            self._grounding = time.perf_counter() - began
            if self._pace is not None:
                self._pace[tuple(self.program.rules)] = self._grounding
        return self._control

    def new_control(self) -> Control:
        """An empty Control with the options of this solver."""
        # Loop nogoods for each unfounded set, instead of ones that many atoms share, halve the
        # conflicts where rules are recursive, and nothing changes where none is.
        options = [*REQUIRED_OPTIONS, "--loops=no", *self._project, *self._options]
        if self._begins_short:
            options.append(f"--solve-limit={_SHORT_SEARCH}")
        # A reference to this object would be a cycle, and keep the ground program in memory.
        on_message = WeakMethod(self._on_message)

        def log(code: MessageCode, text: str) -> None:
            if method := on_message():
                method(code, text)

        return Control(options, logger=log)

    def search(self, limit: int = 2, assumptions: Iterable[tuple[Function, bool]] = ()) -> Search:
        """The solutions, found one by one as they are consumed: at most `limit`, or all for 0.

        Two solutions differ in some cell: answer sets that differ only elsewhere count once. Only
        one search can be open at a time: exhaust or close() its iterator before the next one.

        assumptions: atoms that have to be true or false
        """
        if isinstance(limit, bool) or not isinstance(limit, int) or limit < 0:
            raise TypeError(f"expected a number of solutions, or 0 for all, not {limit!r}")
        return Search(self, limit, tuple(assumptions))

    def shown_otherwise(self, solution: Solution) -> Solution | None:
        """The same grid with other shown atoms; None if they are unique. Raises TimeLimitError."""
        if not any("#show" in rule.code for rule in self.program.rules):
            return None
        configured: Any = self.ground().configuration
        before, configured.solve.project = configured.solve.project, "show"
        try:
            search = self.search(2, ((atom, True) for atom in grid_atoms(solution)))
            found = [each for each in search if each.shown != solution.shown]
        finally:
            configured.solve.project = before
        if not found and search.ended == "time":
            undecided = "before the uniqueness of the shown atoms was decided"
            raise TimeLimitError(f"time limit reached {undecided}")
        return found[0] if found else None

    def is_possible(self, *assumptions: tuple[Function, bool]) -> bool | None:
        """Whether some answer set satisfies these; None if that was not decided in time."""
        search = self.search(1, assumptions)
        if search.count():
            return True
        return False if search.ended == "complete" else None

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
            memory=peak_memory(),
        )

    @property
    def grounded(self) -> bool:
        """Whether the program has been grounded."""
        return self._control is not None

    @property
    def is_async(self) -> bool:
        """Whether clingo runs in a separate thread, so that a time limit or Ctrl-C works."""
        return self.deadline.limited

    def wait(self, handle: SolveHandle) -> None:
        """Wait for the next result of a search. Raises TimeLimitError if the time is up first."""
        while not handle.wait(
            min(_HEARTBEAT, max(0.0, self.deadline.seconds_left())) if self.is_async else None
        ):
            if self.deadline.passed:
                notice_time_limit()
                raise TimeLimitError("time limit reached while solving")

    def solution(self, atoms: Iterable[Symbol]) -> Solution:
        """The grid of an answer set, and its other shown atoms.

        Raises RuleError unless each cell holds exactly one number.
        """
        puzzle = self.program.puzzle
        size, has, unused = puzzle.size, puzzle.contains, puzzle.unused
        filled: list[list[int | None]] = [[None] * size for _ in range(size)]
        shown, count = [], 0
        known = self._cells
        for symbol in atoms:
            if cell := known.get(symbol):
                row, column, number = cell
            # The text of an atom takes a quarter of the time that its name and arguments take.
            elif match := CELL_ATOM.fullmatch(str(symbol)):
                row, column, number = map(int, match.groups())
                if not has(row, column, number):
                    raise RuleError(_misplaced(symbol))
                known[symbol] = row, column, number
            elif symbol.match(*GIVEN):
                raise RuleError(_misplaced(symbol))
            else:
                shown.append(from_symbol(symbol))
                continue
            if (row, column) not in unused:
                count += 1
                filled[row - 1][column - 1] = number
        if count != (cells := len(puzzle.cells())):
            many = f"the answer set has {count} a/3 atoms for {cells} cells"
            raise RuleError(f"{many}; does a rule have a/3 in its head?")
        return Solution(puzzle, tuple(map(tuple, filled)), tuple(sorted(shown, key=sort_key)))

    def first_answer_set(
        self, assumptions: Iterable[int] = (), shown: bool = False
    ) -> list[Symbol] | None:
        """The atoms, all or shown, of one answer set; None without one. Raises TimeLimitError."""
        return next(iter(self.answer_sets(1, assumptions, shown)), None)

    def answer_sets(
        self, limit: int, assumptions: Iterable[int] = (), shown: bool = False
    ) -> list[list[Symbol]]:
        """Up to `limit` answer sets, at least one; fewer with a pace. Raises TimeLimitError."""
        control = self.ground()
        # Each time, because clingo then restarts its random numbers, which the puzzles of a seed
        # depend on.
        control.configuration.solve.models = limit  # type: ignore[union-attr]
        assumed = list(assumptions)
        if not self._begins_short:
            with control.solve(assumed, yield_=True, async_=self.is_async) as handle:
                return [_atoms(model, shown) for model in self.models(handle)]
        self.deadline.require_time("solving")
        with postponed, control.solve(assumed, yield_=True) as handle:
            answer_sets = [_atoms(model, shown) for model in handle]
            if answer_sets or handle.get().unsatisfiable:
                return answer_sets
        # To continue would restart the search, and find something else than one without limit.
        self._begins_short, self._control = False, None
        return self.answer_sets(limit, assumed, shown)

    def models(self, handle: SolveHandle) -> Iterator[Model]:
        """The answer sets of a search that was started with `yield_`. Raises TimeLimitError."""
        while True:
            handle.resume()
            self.wait(handle)
            if (model := handle.model()) is None:
                return
            yield model

    def literals(self, signatures: Iterable[Signature] | None = None) -> dict[str, int]:
        """The literal of each atom, as clingo prints it, or of those of these predicates."""
        every = self.ground().symbolic_atoms
        some = (every.by_signature(*each) for each in signatures or ())
        atoms = every if signatures is None else chain.from_iterable(some)
        return {str(atom.symbol): atom.literal for atom in atoms}

    def literal(self, atom: str) -> int | None:
        """The literal of an atom, as clingo prints it; None if there is no such atom. For some
        atoms, this takes less time than `literals` takes for all.
        """
        found = self.ground().symbolic_atoms[_symbol(atom)]
        return found.literal if found else None

    def placements(self) -> dict[tuple[int, int, int], int]:
        """The literal of each row, column and number that the rules do not exclude from the start.
        Raises RuleError if a/3 can hold outside the grid or for anything but its numbers,
        TimeLimitError.
        """
        literals: dict[tuple[int, int, int], int] = {}
        contains = self.program.puzzle.contains
        for atom in self.ground().symbolic_atoms.by_signature(*GIVEN):
            cell = CELL_ATOM.fullmatch(str(atom.symbol))
            if cell and contains(*(place := (int(cell[1]), int(cell[2]), int(cell[3])))):
                literals[place] = atom.literal
            elif atom.is_fact or self._can_hold(atom.literal):
                raise RuleError(_misplaced(atom.symbol))
        return literals

    def _can_hold(self, literal: int) -> bool:
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
            if not self.deadline.limited and not (self._brake and self._may_grow):
                load()
            elif self._pace and self._pace.get(tuple(self.program.rules), 1.0) < _SHORT_GROUNDING:
                with postponed:
                    load()
            else:
                self._in_thread(load, control)
        except MemoryError:
            size = self.program.puzzle.size
            raise OutOfMemoryError(
                f"not enough memory to ground the program; a {size}x{size} grid alone has"
                f" {size**3} atoms a(R,C,N)"
            ) from None
        except RuntimeError as failure:
            if self._brake and self._brake.used:
                if not self._is_too_large(self._brake.rules):
                    raise KeyboardInterrupt from None  # the grounding is lost
                raise self._too_large(control, f"{self._brake.rules:,} ground rules") from None
            errors = [str(each) for each in self.messages if each.severity in ("error", "note")]
            overflow = "Integer overflow" in str(failure)  # it has no position
            alone = _OVERFLOW if overflow else str(failure)
            raise RuleError("\n".join(errors) or alone) from None

    def _may_be_large(self) -> bool:
        """Whether the brake is worth its time, a call for each ground rule."""
        if not self._own:
            return False
        from aspdoku.program.growth import may_exceed  # only users' files

        puzzle = self.program.puzzle
        size = max(puzzle.size, len(puzzle.numbers))
        terms = sum(len(fact.arguments) for fact in puzzle.facts)
        read = frozenset(item.signature for rule in self.program.rules for item in rule.declared)
        return any(may_exceed(own, _SUSPECT_RULES, size, terms, read) for own in self._own)

    def _must_end(self, rules: int) -> bool:
        return self._abandoned or postponed.waits() or self._is_too_large(rules)

    def _is_too_large(self, rules: int) -> bool:
        return rules >= _MOST_RULES or (rules >= _SUSPECT_RULES and self._may_grow)

    @cached_property
    def _may_grow(self) -> bool:
        from aspdoku.program.growth import growths  # rarely needed

        return any(growth for own in self._own for growth in growths(own))

    def _too_large(self, control: Control | None, limit: str = "", *most: int) -> GrowthError:
        """Why the ground program is large; `control` and `most` are for `largest_predicate`."""
        from aspdoku.program.growth import cause_of_growth, largest_predicate  # rarely needed

        cause = cause_of_growth(
            self._own, lambda: largest_predicate(control, *most) if control else None
        )
        if cause is None:
            return GrowthError("", limit)
        return GrowthError(cause.text, limit, cause.file, cause.position)

    def _on_message(self, code: MessageCode, text: str) -> None:
        # Composing reports undefined atoms, with a suggestion. After grounding, clingo repeats in
        # each search that --opt-mode=enum has no bound.
        if code == MessageCode.AtomUndefined or self._control is not None:
            return
        # Most programs cause no message, and the import takes 2 ms.
        from aspdoku.program.messages import parse_messages

        self.messages += parse_messages(text, self.program.locate)

    def _in_thread(self, work: Callable[[], None], control: Control) -> None:
        failure: list[Exception] = []
        # Not an Event, whose lock Ctrl-C can leave in a state in which it cannot be released.
        running = threading.Lock()
        running.acquire()

        def run() -> None:
            try:
                work()
            except Exception as error:  # MemoryError included
                failure.append(error)
            finally:
                running.release()

        thread = threading.Thread(target=run, daemon=True)
        ended, began = False, time.process_time()
        try:
            with postponed:
                thread.start()
            while not ended and not self.deadline.passed:
                seconds = min(_LONGEST_WAIT, max(0.0, self.deadline.seconds_left()))
                ended = running.acquire(timeout=seconds)
                used = time.process_time() - began
                if not ended and used > _SUSPECT_SECONDS and self._brake and self._may_grow:
                    raise self._too_large(None, f"{used:.0f} s of processor time")
        finally:
            if not ended:
                self._abandon(thread)
        if self.deadline.passed:
            notice_time_limit()
            if self._own:
                thread.join(_ABANDONED_WAIT)
                known = None if thread.is_alive() else control
                self.growth = self._too_large(known, "", _FEW_ATOMS).cause
            raise TimeLimitError("time limit reached while grounding")
        if failure:
            raise failure[0]

    def _abandon(self, thread: threading.Thread) -> None:
        """Leave a thread that grounds alone, and let the process exit without a crash meanwhile.

        The thread ends soon if it reports ground rules. Before Python 3.14, a thread that calls
        back while Python shuts down aborts the process if it is in C++ code.
        """
        self._abandoned = True
        if self._brake:
            atexit.register(thread.join, _LAST_WAIT)
        _skip_destructors_at_exit()


@cache
def _skip_destructors_at_exit() -> None:
    """Exit without the destructors of C++, which delete what clingo's thread uses (glibc)."""
    import ctypes

    with suppress(AttributeError, OSError, TypeError):  # TypeError: on Windows
        libc = ctypes.CDLL(None)
        libc.on_exit(ctypes.cast(libc._exit, ctypes.c_void_p), None)


def has_unique_extensions(program: Program) -> bool:
    """Whether each grid has one answer set at most, so that no projection is needed."""
    # The import takes 15 ms, and `solve` only needs it if the rules show more than the grid.
    from aspdoku.program.transform import may_choose

    # All files together, since a choice can be spread over two: p :- not q. and q :- not p.
    text = "\n".join(rule.text for rule in program.rules[1:])
    return not may_choose(RuleFile("all", "all", text, vetted=True))


class SearchOutcome(NamedTuple):
    """The outcome of a search.

    status: what is proved: no solution, a unique one, several, at least one, or nothing
    started: whether grounding was finished
    growth: why it was not finished before the time limit, if that is known
    """

    puzzle: Puzzle
    status: SearchStatus
    ended: SearchEnd | None
    found: int
    started: bool
    growth: str = ""


class GivenConflicts(NamedTuple):
    """Conflicts of a program without a solution.

    rules_alone: the rules and the facts have no solution, whatever the givens
    givens: cells of givens that the rules forbid, alone or in pairs; one conflict for each given
        that has to be removed
    complete: False if there are so many that the search for them was ended
    """

    rules_alone: bool = False
    givens: tuple[tuple[Cell, ...], ...] = ()
    complete: bool = True


def disagreement(status: str, stated: Mapping[Cell, int], found: Mapping[Cell, int]) -> str:
    """How a stated solution differs from the one found, as an unsupported part, or ""."""
    if not stated or status in ("unknown", "timed out"):
        return ""
    if status in ("none", "several"):
        return f"the stated solution (these rules allow {status})"
    cells = [
        f"r{row}c{column}={number}"
        for (row, column), number in found.items()
        if stated.get((row, column), number) != number
    ]
    more = f" and {len(cells) - _MAX_CELLS} more" if len(cells) > _MAX_CELLS else ""
    listed = ", ".join(cells[:_MAX_CELLS])
    return f"the stated solution (these rules give {listed}{more})" if cells else ""


class Search:
    """An iterable of solutions as they are found; afterwards `ended` is how the search ended.

    complete: there are no others
    limit: the requested number was found; there may be others
    time, interrupted: the time limit or Ctrl-C ended it
    """

    def __init__(
        self, solver: Solver, limit: int, assumptions: tuple[tuple[Function, bool], ...]
    ) -> None:
        self.found = 0
        self.ended: SearchEnd | None = None
        self._solver = solver
        self._limit = limit
        self._assumptions = assumptions

    def __repr__(self) -> str:
        return f"Search(found={self.found}, status={self.status!r}, ended={self.ended!r})"

    @property
    def started(self) -> bool:
        """Whether the search has started; grounding may have taken all the time."""
        return self._solver.grounded

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle whose solutions these are."""
        return self._solver.program.puzzle

    @property
    def status(self) -> SearchStatus:
        """What is proved; "some" means at least one solution, "unknown" nothing."""
        if self.found > 1:
            return "several"
        if self.ended == "complete":
            return "unique" if self.found else "none"
        return "some" if self.found else "unknown"

    def outcome(self) -> SearchOutcome:
        """The outcome so far."""
        puzzle, growth = self.puzzle.doubted(self.status), self._solver.growth
        return SearchOutcome(puzzle, self.status, self.ended, self.found, self.started, growth)

    def count(self) -> int:
        """The number of solutions, up to the limit, without reading any of them. Raises RuleError
        if a/3 can hold outside the grid or for anything but its numbers.
        """
        control = self._begin()
        if control is None:
            return 0
        self._solver.placements()  # raises RuleError
        with self._ending(), control.solve(self._symbols(), async_=True) as handle:
            try:
                self._solver.wait(handle)
                self.ended = "complete" if handle.get().exhausted else "limit"
            finally:
                handle.cancel()
                if last := handle.last():
                    self.found = last.number
        return self.found

    def __iter__(self) -> Generator[Solution, None, None]:
        with closing(self._models()) as models:
            for model in models:
                yield self._solver.solution(model.symbols(shown=True))

    def _begin(self) -> Control | None:
        if self._solver._searching:
            raise AspdokuError(
                "another search of this Solver is still open: exhaust or close() its iterator"
                " first, or use a second Solver"
            )
        self.found, self.ended = 0, None
        with self._ending():
            self._solver.ground().configuration.solve.models = self._limit  # type: ignore[union-attr]
        self._solver._solving = 0.0
        return None if self.ended else self._solver.ground()

    @contextmanager
    def _ending(self) -> Iterator[None]:
        """Note how the search ends in this block, and the time that the block takes."""
        began = time.perf_counter()
        try:
            yield
        except TimeLimitError:
            self.ended = "time"
        except KeyboardInterrupt:
            self.ended = "interrupted"
            raise
        finally:
            self._solver._solving += time.perf_counter() - began

    def _symbols(self) -> list[tuple[Symbol, bool]]:
        return [(parse_term(str(atom)), value) for atom, value in self._assumptions]

    def _models(self) -> Generator[Model, None, None]:
        control = self._begin()
        if control is None:
            return
        with control.solve(self._symbols(), yield_=True, async_=self._solver.is_async) as handle:
            self._solver._searching = True
            # The process aborts if clingo's thread still runs when Python exits.
            atexit.register(handle.cancel)
            try:
                while True:
                    with self._ending():
                        handle.resume()
                        self._solver.wait(handle)
                    if self.ended:  # by the time limit
                        return
                    model = handle.model()
                    if model is None:
                        self.ended = "complete" if handle.get().exhausted else "limit"
                        return
                    self.found += 1
                    yield model
            except KeyboardInterrupt:  # perhaps of the caller
                self.ended = "interrupted"
                raise
            finally:
                atexit.unregister(handle.cancel)
                self._solver._searching = False


class Stoppable:
    """A block that the time limit ends, and if it is interruptible Ctrl-C; its results so far are
    kept.

    ended: how it ended
    error: the exception that ended it, if any
    """

    def __init__(self, interruptible: bool) -> None:
        self.ended: SearchEnd = "complete"
        self.error: BaseException | None = None
        self._interruptible = interruptible

    def __enter__(self) -> Stoppable:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> bool:
        if isinstance(error, TimeLimitError):
            self.ended = "time"
        elif isinstance(error, KeyboardInterrupt) and self._interruptible:
            self.ended = "interrupted"
        else:
            return False
        self.error = error.with_traceback(None)  # its frames would keep clingo's programs
        return True


@contextmanager
def until_interrupted(search: Search, interruptible: bool) -> Iterator[None]:
    """End a search at KeyboardInterrupt, which is raised again unless interruptible."""
    try:
        yield
    except KeyboardInterrupt:
        search.ended = "interrupted"
        if not interruptible:
            raise


def _misplaced(symbol: Symbol) -> str:
    outside = f"the rules derive {symbol}, which is outside the grid or its numbers"
    return f"{outside}; does a rule have a/3 in its head?"


_symbol = lru_cache(maxsize=10_000)(parse_term)  # the atoms of one puzzle are those of the next


def from_symbol(symbol: Symbol) -> Term:
    """A clingo symbol as plain data."""
    # The text of an atom takes a quarter of the time that its arguments take.
    if plain := _NUMBERS_ONLY.fullmatch(str(symbol)):
        return Function(plain[1], tuple(map(int, plain[2].split(","))))
    if symbol.type is SymbolType.Number:
        return symbol.number
    if symbol.type is SymbolType.String:
        return symbol.string
    if symbol.type is SymbolType.Function:
        sign = "" if symbol.positive else "-"
        return Function(sign + symbol.name, tuple(map(from_symbol, symbol.arguments)))
    return Function(str(symbol))


def grid_atoms(solution: Solution) -> Iterator[Function]:
    """The atoms `a(R,C,N)` of a solution."""
    for cell, number in solution.numbers().items():
        yield Function(GIVEN[0], (*cell, number))


# For every search: preprocessing that merges equivalent atoms can lose solutions of programs with
# sums over atoms that imply one another (clingo 5.6 to 5.8; tests/engine/test_solver.py has such a
# program).
REQUIRED_OPTIONS = ("--eq=0",)

# For answer sets at random, though these are not equally likely.
RANDOM_OPTIONS = ("--rand-freq=1", "--sign-def=rnd")

# For enumerating and counting, and for one grid after another with proofs of uniqueness: few
# learned clauses are kept from one grid to the next. Chosen by measurement (bench/questions.py).
ENUMERATION_OPTIONS = (
    "--configuration=frumpy",
    "--forget-on-step=15",
    "--sign-def=pos",
    "--no-init-moms",
    "--strengthen=no",
)

# For brave consequences: a restart after each answer set leads away from those seen before. Chosen
# by measurement (bench/questions.py).
CANDIDATE_OPTIONS = (
    "--configuration=frumpy",
    "--restart-on-model",
    "--restarts=L,60",
    "--forget-on-step=15",
)
