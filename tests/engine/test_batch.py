"""Many puzzles, one per line: every line has its result, in order, regardless of other lines and
failing executors.
"""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import cache, partial
from itertools import islice, repeat
from pathlib import Path
from random import Random
from typing import get_args

import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from in_one_test import in_one_test

import aspdoku
from aspdoku import Puzzle, Solver, compose
from aspdoku.engine import batch
from aspdoku.engine.batch import BatchJob, LineResult, solve_chunk, solve_lines, write_results
from aspdoku.engine.journal import ResultWriter
from aspdoku.errors import PuzzleError
from aspdoku.program import RuleFile, assemble, library
from aspdoku.runtime import pool
from aspdoku.runtime.child import Limits
from aspdoku.runtime.pool import ChildProcessExecutor, NestedExecutor, Workers

pytestmark = pytest.mark.versions

ROOT = Path(__file__).parents[2]
BLANK = "." * 16
UNIQUE = ".4.....4..2.1..."
TWO_SOLUTIONS = ".42.3..1....2..."
CONTRADICTORY = "11.............."
JUNK = [
    "nonsense",
    "5" + BLANK[1:],
    BLANK[1:],
    BLANK + ".",
    "\0" * 16,
    "é" * 16,
    "." * 100_000,
    BLANK + " gt(1,2",
    BLANK + " :- a.",
    "²",
]
STATUSES = get_args(batch.LineStatus)


@pytest.fixture(autouse=True, scope="module")
def _end_children():
    """The child processes that NestedExecutor reuses until this process ends."""
    yield
    pool._children.end()
    pool._children = pool.ChildPool()


class Here(Executor):
    """Runs each call immediately, in this process."""

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def task_of(*names, size=4, time_limit=None):
    return BatchJob(compose(Puzzle.blank(size), *names), time_limit)


def task_with(*texts, time_limit=None):
    rules = [
        RuleFile(f"mine{number}", f"mine{number}.lp", text) for number, text in enumerate(texts, 1)
    ]
    return BatchJob(
        assemble(Puzzle.blank(4), [library.base(), library.find("box"), *rules]), time_limit
    )


def rows_of(cells):
    size = round(len(cells) ** 0.5)
    numbers = [None if sign in (".", 0) else int(sign) for sign in cells]
    return [numbers[start : start + size] for start in range(0, size**2, size)]


def assert_true(result, cells, rules=oracle.CLASSIC):
    """Assert that the result is that of the oracle.

    If there are several solutions, any valid one is accepted.
    """
    found = oracle.solutions(rows_of(cells), rules, limit=2)
    assert (result.status, result.reason) == (("none", "unique", "several")[len(found)], "")
    if len(found) == 1:
        assert rows_of(result.numbers) == found[0]
    elif found:
        assert oracle.violations(rows_of(result.numbers), rows_of(cells), rules) == []
    else:
        assert result.numbers == b""


@cache
def all_grids():
    return [
        "".join(str(number) for row in grid for number in row)
        for grid in oracle.solutions([[None] * 4] * 4)
    ]


def puzzles(count, seed):
    """Grids of every status, by the oracle."""
    random = Random(seed)
    for _ in range(count):
        cells = list(random.choice(all_grids()))
        for place in random.sample(range(16), random.randint(4, 14)):
            cells[place] = "."
        if random.random() < 0.3:
            cells[random.randrange(16)] = random.choice("1234")
        yield "".join(cells)


# ---- One result per line ----

LINES = [
    (UNIQUE, "unique", ""),
    (TWO_SOLUTIONS + "\n", "several", ""),
    ("  " + CONTRADICTORY + " \r\n", "none", ""),
    (BLANK, "several", ""),
    (all_grids()[7], "unique", ""),
    ("", "empty", ""),
    ("\n", "empty", ""),
    ("# a remark", "empty", ""),
    ("5" + BLANK[1:], "bad input", "invalid number '5' in r1c1"),
    (BLANK[1:], "bad input", "15 cells"),
    ("." * 81, "bad input", "81 cells"),
    (
        BLANK + " gt(1,2,1,1).",
        "bad input",
        "gt/4, but no rule of this program uses it; --with greater-than would",
    ),
    (BLANK + " knights(1).", "bad input", "knights/1"),
    (BLANK + " ab(offset).", "bad input", "ab(offset)"),
    (BLANK + " ab(bocks).", "bad input", "ab(bocks)"),
    (BLANK + " a(5,1,1).", "bad input", "a(5,1,1)"),
    (BLANK + " a(1,1,5).", "bad input", "5"),
    (BLANK + " a(1,1,1). a(1,1,2).", "bad input", "r1c1"),
    (BLANK + " number(5).", "bad input", "number(5)"),
    (BLANK + " cell(5,1).", "bad input", "cell(5,1)"),
]


@in_one_test(("line", "status", "reason"), LINES)
def test_the_result_of_a_line(line, status, reason):
    (result,) = solve_lines([line], task_of(), Here)
    assert result.status == status
    assert reason in result.reason
    assert bool(result.reason) == (status == "bad input")
    if status in ("unique", "several", "none"):
        assert_true(result, line.strip())
    else:
        assert result.numbers == b""


def test_no_lines_have_no_results():
    assert list(solve_lines([], task_of(), Here)) == []


def test_solve_chunk_measures_its_time():
    found, seconds = solve_chunk(task_of(), [UNIQUE, "nonsense"])
    assert [result.status for result in found] == ["unique", "bad input"]
    assert seconds > 0


# ---- Executors ----


EXECUTORS = {
    "here": (Here, 1),
    "this process, many chunks at a time": (Here, 7),
    "a process": (partial(ChildProcessExecutor, 1), 2),
    "two processes": (partial(ChildProcessExecutor, 2), 4),
    "two processes, a chunk at a time": (partial(ChildProcessExecutor, 2), 1),
    "a thread": (partial(ThreadPoolExecutor, 1), 2),
    "children of another executor's process": (lambda: NestedExecutor(ThreadPoolExecutor(2)), 4),
}


@pytest.mark.slow_cases(
    "children of another executor's process", "two processes, a chunk at a time", "two processes"
)
@pytest.mark.parametrize(("executor", "window"), EXECUTORS.values(), ids=EXECUTORS)
def test_results_are_in_the_order_of_the_lines(executor, window):
    lines = [*puzzles(120, 1), *JUNK, "", "# a remark", *puzzles(20, 2)]
    Random(3).shuffle(lines)
    found = list(solve_lines(lines, task_of(), executor, window))
    assert len(found) == len(lines)
    for line, result in zip(lines, found, strict=True):
        if line in JUNK:
            assert (result.status, result.numbers) == ("bad input", b"")
            assert result.reason
        elif line in ("", "# a remark"):
            assert result == LineResult("empty")
        else:
            assert_true(result, line)
    assert {"unique", "several", "none"} <= {result.status for result in found}


THREADS = """
import json, sys
from concurrent.futures import ThreadPoolExecutor
from aspdoku import Puzzle, compose
from aspdoku.engine.batch import BatchJob, solve_lines
found = solve_lines(sys.stdin.read().split(), BatchJob(compose(Puzzle.blank(9))), lambda: ThreadPoolExecutor(4), 8)
print(json.dumps([[result.status, list(result.numbers)] for result in found]))
"""  # noqa: E501


@pytest.mark.slow
def test_threads_of_one_process_are_independent():
    """As on a Dask worker, which has as many threads as its machine has cores.

    This runs in a separate process, because clingo might crash.
    """
    random, lines = Random(4), []
    for _ in range(400):
        names = "".join(random.sample("123456789", 9))
        full = [names[(3 * (r % 3) + r // 3 + c) % 9] for r in range(9) for c in range(9)]
        lines.append("".join("." if random.random() < 0.62 else sign for sign in full))
    done = subprocess.run(
        [sys.executable, "-c", THREADS],
        input="\n".join(lines),
        text=True,
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = [LineResult(status, bytes(numbers)) for status, numbers in json.loads(done.stdout)]
    assert len(found) == len(lines)
    for line, result, other in zip(
        lines, found, solve_lines(lines, task_of(size=9), Here), strict=True
    ):
        assert result.status == other.status
        assert oracle.violations(rows_of(result.numbers), rows_of(line), oracle.CLASSIC) == []
        assert result.status == "several" or result == other
    assert {result.status for result in found} == {"unique", "several"}


def children():
    """The child processes of this one that have not ended."""
    stats = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            name, _, rest = entry.read_text().rpartition(")")
            stats.append((int(name.split()[0]), *rest.split()[:2]))
    return {
        process for process, state, parent in stats if int(parent) == os.getpid() and state != "Z"
    }


def left_of(before):
    """The child processes that are new and do not end within a short time."""
    end = time.monotonic() + 20
    while (new := children() - before) and time.monotonic() < end:
        time.sleep(0.02)
    return new


with_proc = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="looks for processes in /proc"
)


@pytest.mark.slow
@with_proc
def test_no_process_is_left_after_the_last_line():
    before = children()
    assert (
        len(list(solve_lines([UNIQUE] * 50, task_of(), partial(ChildProcessExecutor, 2), 4))) == 50
    )
    assert left_of(before) == set()


@pytest.mark.slow
@with_proc
def test_no_process_is_left_after_the_results_are_abandoned():
    before = children()
    found = solve_lines(repeat(UNIQUE), task_of(), partial(ChildProcessExecutor, 2), 4)
    assert [result.status for result in islice(found, 30)] == ["unique"] * 30
    assert len(children() - before) > 0
    found.close()
    assert left_of(before) == set()


# ---- Bounded memory ----


@pytest.mark.parametrize(
    ("executor", "window"), [(Here, 1), (Here, 3), (partial(ChildProcessExecutor, 2), 4)]
)
def test_lines_are_read_lazily(executor, window):
    """A chunk has at most a thousand lines, regardless of the length of the input."""
    taken = 0

    def endless():
        nonlocal taken
        while True:
            taken += 1
            yield "# a remark"

    furthest = 0
    for given_, _ in enumerate(
        islice(solve_lines(endless(), task_of(), executor, window), 30_000), 1
    ):
        furthest = max(furthest, taken - given_)
    assert furthest <= 1000 * (window + 1)


def test_the_first_result_does_not_wait_for_the_second_line():
    def lines():
        yield UNIQUE
        pytest.fail("the second line was asked for before the first was answered")

    assert next(solve_lines(lines(), task_of(), Here)).status == "unique"


# ---- Bad lines never stop anything ----

text = st.text(st.characters(exclude_characters="\r\n")) | st.sampled_from(
    [
        *JUNK,
        UNIQUE,
        TWO_SOLUTIONS,
        CONTRADICTORY,
        "",
        "#",
        BLANK + " a(1,1,1).",
        BLANK + " ab(box).",
        BLANK + " a(1,1,1). a(2,1,1).",
    ]
)


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(st.lists(text, max_size=6))
def test_a_result_does_not_depend_on_the_other_lines(lines):
    task = task_of()
    together = list(solve_lines(lines, task, Here))
    assert together == [next(solve_lines([line], task, Here)) for line in lines]
    assert {result.status for result in together} <= {*STATUSES} - {"crashed", "timed out"}


# ---- Lines with facts ----


def as_facts(pairs):
    return " ".join(f"gt({r},{c},{r1},{c1})." for (r, c), (r1, c1) in pairs)


def compared(grid, random, count):
    """Pairs of neighbours in a full grid, with the greater one first."""
    places = [(r, c) for r in range(1, 5) for c in range(1, 4)]
    pairs = [((r, c), (r, c + 1)) for r, c in random.sample(places, count)]
    return [
        pair if oracle.number(grid, pair[0]) > oracle.number(grid, pair[1]) else pair[::-1]
        for pair in pairs
    ]


@pytest.mark.slow
def test_facts_of_a_line_apply_to_that_line_only():
    random = Random(11)
    cases = []
    for cells in puzzles(25, 12):
        grid = rows_of(random.choice(all_grids()))
        for count in (0, 2, 6):
            pairs = compared(grid, random, count)
            cases.append((cells, tuple(pairs)))
    random.shuffle(cases)
    lines = [f"{cells} {as_facts(pairs)}" for cells, pairs in cases]
    found = list(solve_lines(lines, task_of("greater-than"), Here))
    for (cells, pairs), result in zip(cases, found, strict=True):
        assert_true(result, cells, oracle.Rules(greater_than=pairs))
    assert len({result.status for result in found}) == 3


@pytest.mark.slow
def test_facts_of_a_line_are_equivalent_to_a_program_with_them():
    cages = [
        'cage(1,1,"A"). cage(1,2,"A"). cage_value("A",3).',
        'cage(1,1,"A"). cage(1,2,"A"). cage_value("A",7).',
        "cage(1,1,x). cage(2,1,x). cage(3,1,x). cage_value(x,6).",
        "cage(1,1,x). cage(1,4,x). cage_value(x,9).",
        "cage(1..2,1..2,b). cage_value(b,10).",
        "cage(1..2,1..2,b). cage_value(b,11).",
        "gt(1,1,1,2). gt(1,2,1,3). gt(1,3,1,4).",
        "gt(1,1,1,2). gt(1,2,1,1).",
        "ab(box).",
        "ab(box). gt(1,1,2,2).",
        "ab(row). ab(column). ab(box).",
        "ab(greater_than,4). gt(1,1,1,2). gt(1,1,2,1). gt(1,1,2,2).",
        "a(1,1,4). a(2,3,4).",
        "a(1,1,4). a(1,2,4).",
    ]
    names = ("greater-than", "killer")
    cases = [(cells, facts) for facts in cages for cells in (BLANK, UNIQUE, CONTRADICTORY)]
    Random(13).shuffle(cases)
    found = list(solve_lines([f"{cells} {facts}" for cells, facts in cases], task_of(*names), Here))
    for (cells, facts), result in zip(cases, found, strict=True):
        drawn = "\n".join(" ".join(cells[start : start + 4]) for start in range(0, 16, 4))
        try:
            puzzle = aspdoku.parse(f"{drawn}\n[facts]\n{facts}\n")
        # contradicting givens: the facts and the grid of a line are combined
        # later
        except PuzzleError:
            assert result.status in ("none", "bad input")
            continue
        fresh = Solver(compose(puzzle, *names)).search(0)
        solutions = {
            bytes(number for row in solution.rows for number in row)
            for solution in islice(fresh, 100)
        }
        assert result.status == ("none", "unique", "several")[min(len(solutions), 2)]
        if len(solutions) < 100:
            assert result.numbers in (solutions or {b""})
    assert {result.status for result in found} >= {"unique", "several", "none"}


@pytest.mark.slow
def test_more_kinds_of_facts_than_cached_groundings():
    """A grounding that was evicted from the cache is created again, and none is used for other
    facts.
    """
    facts = [f"a({r},{c},{n})." for r in (1, 2) for c in (1, 2) for n in (1, 2)]
    cases = [each for _ in range(3) for each in facts]
    found = solve_lines([f"{TWO_SOLUTIONS} {each}" for each in cases], task_of(), Here)
    for each, result in zip(cases, found, strict=True):
        r, c, number = map(int, each[2:-2].split(","))
        place = (r - 1) * 4 + c - 1
        if TWO_SOLUTIONS[place] in (".", str(number)):
            assert_true(result, TWO_SOLUTIONS[:place] + str(number) + TWO_SOLUTIONS[place + 1 :])
        else:
            assert (result.status, result.numbers) == ("none", b"")


def test_a_grounding_in_use_stays_cached(monkeypatch):
    made = Counter()

    class Counted(batch.GroundedGrid):
        def __init__(self, program, **options):
            made[program.text] += 1
            super().__init__(program, **options)

    monkeypatch.setattr(batch, "GroundedGrid", Counted)
    task = task_with("% A program that no other test has.")
    others = [f"a(1,{c},{n})." for c in (1, 2) for n in (1, 2, 3)]
    lines = [line for each in others for line in (BLANK, f"{BLANK} {each}")]
    assert {result.status for result in solve_lines(lines, task, Here)} == {"several"}
    assert made[task.program.text] == 1


def test_many_lines_have_the_same_answers(monkeypatch):
    """Before and after the common grounding is prepared for many, which happens once."""
    prepared = []

    class Counted(batch.GroundedGrid):
        def prepare_for_many(self):
            prepared.append(self.solved)
            super().prepare_for_many()

    monkeypatch.setattr(batch, "GroundedGrid", Counted)
    monkeypatch.setattr(batch, "_MANY", 5)
    lines = [UNIQUE, TWO_SOLUTIONS, CONTRADICTORY, BLANK] * 4
    task = task_with("% Another program that no other test has.")
    for line, result in zip(lines, solve_lines(lines, task, Here), strict=True):
        assert_true(result, line)
    assert prepared == [5]


# ---- The time limit ----

# A pigeonhole problem, fourteen pigeons in thirteen holes, if the first cell holds 1.
PIGEONS = "{ mine(P,H) : H = 1..13 } = 1 :- P = 1..14, a(1,1,1).\n:- mine(P,H), mine(P1,H), P < P1."


@pytest.mark.slow
@pytest.mark.parametrize("executor", [Here, partial(ChildProcessExecutor, 2)])
def test_a_timeout_does_not_stop_the_other_puzzles(executor):
    lines = [
        "1" + BLANK[1:],
        "2.4.3.2..3.4..1.",
        "nonsense",
        "1" + BLANK[1:],
        CONTRADICTORY,
        "22" + BLANK[2:],
    ]
    found = list(solve_lines(lines, task_with(PIGEONS, time_limit=0.5), executor, 2))
    assert [found[0], found[3]] == [LineResult("timed out")] * 2
    assert found[2].status == "bad input"
    for place in (1, 4, 5):
        assert_true(found[place], lines[place])


# Grounding does not end if there is a fact k(1).
ENDLESS = "#defined k/1.\nmine(N) :- k(N).\nmine(N+1) :- mine(N), N > 0."
CHILDREN = {
    "one process": partial(ChildProcessExecutor, 1),
    "two processes": partial(ChildProcessExecutor, 2),
    "children of another executor's process": lambda: NestedExecutor(ThreadPoolExecutor(1)),
}


@pytest.mark.slow
@pytest.mark.parametrize("executor", CHILDREN.values(), ids=CHILDREN)
def test_the_time_limit_includes_grounding_the_facts_of_a_line(executor):
    lines = [
        UNIQUE,
        f"{UNIQUE} k(1).",
        TWO_SOLUTIONS,
        f"{BLANK} k(1).",
        f"{CONTRADICTORY} k(0).",
        UNIQUE,
    ]
    task, began = task_with(ENDLESS, time_limit=1), time.monotonic()
    found = list(solve_lines(lines, task, executor, 3))
    assert [place for place, result in enumerate(found) if result == LineResult("timed out")] == [
        1,
        3,
    ]
    for place in (0, 2, 4, 5):
        assert_true(found[place], lines[place][:16])
    assert time.monotonic() - began < 20


@pytest.mark.slow
@with_proc
def test_no_process_continues_a_line_that_has_timed_out():
    before = children()
    found = solve_lines(
        [f"{UNIQUE} k(1).", UNIQUE, *[BLANK] * 9],
        task_with(ENDLESS, time_limit=0.1),
        partial(ChildProcessExecutor, 1),
        1,
    )
    assert next(found).status == "timed out"
    (first,) = children() - before or [0]
    assert next(found).status == "unique"
    assert len(new := children() - before) == 1
    assert first not in new
    found.close()


class SlowBoard(batch.GroundedGrid):
    """Takes a second to ground."""

    def __init__(self, program, for_many):
        time.sleep(1)
        super().__init__(program, for_many=for_many)


@pytest.mark.slow
def test_the_common_grounding_does_not_count_for_the_first_line(monkeypatch):
    monkeypatch.setattr(batch, "GroundedGrid", SlowBoard)
    task = task_with("#defined k/1. mine_too(N) :- k(N).", time_limit=0.3)
    assert next(solve_lines([UNIQUE], task, Here)).status == "unique"
    assert next(solve_lines([f"{UNIQUE} k(1)."], task, Here)) == LineResult("timed out")


def test_an_exception_in_the_thread_of_a_time_limit_is_raised(monkeypatch):
    monkeypatch.delattr(batch._Chunk, "_result")
    with pytest.raises(AttributeError):
        solve_chunk(task_of(time_limit=10), [UNIQUE])


# ---- Failing executors ----


class RefusesAtOnce(Here):
    """Fails when a call is submitted, like a process pool after one of its processes has died."""

    def __init__(self, after=0, error=BrokenExecutor):
        self.left = after
        self.error = error

    def submit(self, fn, /, *args, **kwargs):
        self.left -= 1
        if self.left < 0:
            raise self.error("broken")
        return super().submit(fn, *args, **kwargs)


class BreaksLater(RefusesAtOnce):
    """Accepts calls, and then fails."""

    def submit(self, fn, /, *args, **kwargs):
        self.left -= 1
        if self.left >= 0:
            return Here.submit(self, fn, *args, **kwargs)
        future = Future()
        future.set_exception(self.error("broken"))
        return future


def one_after_the_other(*executors):
    """Creates these executors in turn, and then working ones."""
    made = iter(executors)
    return lambda: next(made, None) or Here()


class NotesShutdown(Here):
    is_shut_down = False

    def shutdown(self, wait=True, *, cancel_futures=False):
        self.is_shut_down = True


def test_workers_end_before_the_error_of_a_full_disk_is_handled():
    """Its traceback must not keep them at work."""
    executor = NotesShutdown()
    workers = Workers(lambda: executor, 1, lambda: None)

    def to_text(_number, _result):
        raise OSError("no space left on device")

    with ExitStack() as open_:
        writer = ResultWriter(None, open_)
        with pytest.raises(OSError, match="no space left") as kept:
            list(write_results([BLANK] * 3, task_of(), workers, writer, to_text))
        assert executor.is_shut_down
        assert kept.tb


@in_one_test("kind", [RefusesAtOnce, BreaksLater])
@in_one_test("error", [BrokenExecutor, RuntimeError, MemoryError])
@in_one_test("after", [0, 1, 4])
@in_one_test("window", [1, 4])
def test_a_broken_executor_is_replaced(kind, error, after, window):
    lines = [*puzzles(30, 21), "nonsense", ""]
    expected = list(solve_lines(lines, task_of(), Here))
    for line, result in zip(lines[:30], expected, strict=False):
        assert_true(result, line)
    assert (
        list(solve_lines(lines, task_of(), one_after_the_other(kind(after, error)), window))
        == expected
    )


class BreaksAtFirst(RefusesAtOnce):
    """Fails at the first call, and runs the others."""

    def submit(self, fn, /, *args, **kwargs):
        self.left += 1
        if self.left > 1:
            return Here.submit(self, fn, *args, **kwargs)
        future = Future()
        future.set_exception(self.error("broken"))
        return future


@pytest.mark.parametrize("kind", [BreaksAtFirst, BreaksLater])
def test_finished_lines_are_not_repeated_after_an_executor_breaks(monkeypatch, kind):
    asked = Counter()
    real = batch._Chunk._result
    monkeypatch.setattr(
        batch._Chunk, "_result", lambda self, line: asked.update([line]) or real(self, line)
    )
    lines = list(dict.fromkeys(puzzles(20, 41)))
    assert len(list(solve_lines(lines, task_of(), one_after_the_other(kind()), 4))) == len(lines)
    assert asked == Counter(lines)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [RefusesAtOnce, BreaksLater])
def test_if_every_executor_breaks_each_line_runs_in_a_separate_process(kind):
    lines = [UNIQUE, "nonsense", TWO_SOLUTIONS, ""]
    found = list(solve_lines(lines, task_of(), kind, 2))
    assert [result.status for result in found] == ["unique", "bad input", "several", "empty"]
    assert_true(found[0], UNIQUE)
    assert_true(found[2], TWO_SOLUTIONS)


# Imported by each Python process at start-up: a line with one of these facts of k/1 ends the
# process.
CUSTOM = """
import sys
if "runtime.child" in sys.orig_argv[-1]:
    import os, time
    from aspdoku.engine.batch import _Chunk
    from aspdoku.runtime import deadline
    real = _Chunk._result
    def fail():
        raise TypeError("two\\nlines")
    def answer(self, line):
        is_retry = deadline._clock is time.process_time  # a process with limits
        if "k(" in line and not (is_retry and {spare_retries}):
            {way}
        return real(self, line)
    _Chunk._result = answer
"""
KILL = "os.kill(os.getpid(), 9)"
WAYS = [
    (1, KILL, "killed, probably out of memory"),
    (2, KILL, "killed, probably out of memory"),
    (2, "os._exit(3)", "status 3"),
    (1, "fail()", "TypeError: two; lines"),
]


@pytest.fixture
def deadly(monkeypatch, tmp_path):
    """Makes lines with a fact of k/1 fatal, in all processes, or only in those that answer many
    lines.
    """
    monkeypatch.syspath_prepend(tmp_path)

    def write(way, spare_retries=False):
        custom = CUSTOM.format(way=way, spare_retries=spare_retries)
        (tmp_path / "sitecustomize.py").write_text(custom)

    return write


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "way", "reason"), WAYS, ids=[f"{number}, {reason}" for number, _, reason in WAYS]
)
def test_only_the_line_that_ends_its_process_is_lost(deadly, number, way, reason):
    deadly(way)
    lines = list(puzzles(40, 31))
    guilty = [7, 8]
    given_ = [f"{line} k(1)." if place in guilty else line for place, line in enumerate(lines)]
    found = list(
        solve_lines(
            given_,
            task_with("#defined k/1.\nmine(1..N) :- k(N)."),
            partial(ChildProcessExecutor, number),
            2 * number,
        )
    )
    assert [place for place, result in enumerate(found) if result.status == "crashed"] == guilty
    assert [found[place] for place in guilty] == [LineResult("crashed", reason=reason)] * 2
    for place, (line, result) in enumerate(zip(lines, found, strict=True)):
        if place not in guilty:
            assert_true(result, line)


@pytest.mark.slow
def test_a_line_that_exceeds_the_retry_limits_is_lost(monkeypatch, deadly):
    deadly(KILL, spare_retries=True)
    monkeypatch.setattr(batch, "_RETRY_LIMITS", Limits(seconds=1, memory=1 << 30))
    task = task_with("#defined k/1.\nmine(N) :- k(N).\nmine(N+1) :- mine(N), N > 0.")
    found = list(
        solve_lines(
            [UNIQUE, BLANK + " k(1).", f"{UNIQUE} k(0)."], task, partial(ChildProcessExecutor, 1)
        )
    )
    assert found[1] == LineResult("crashed", reason="more than 1 s of processor time")
    assert_true(found[0], UNIQUE)
    assert_true(found[2], UNIQUE)


@pytest.mark.slow
def test_a_line_that_succeeds_on_retry_has_a_result(deadly):
    """Its process is killed twice, but the line succeeds when it is retried alone."""
    deadly(KILL, spare_retries=True)
    lines = [UNIQUE, f"{UNIQUE} k(1).", TWO_SOLUTIONS]
    found = list(
        solve_lines(
            lines,
            task_with("#defined k/1.\nmine(1..N) :- k(N)."),
            partial(ChildProcessExecutor, 1),
            2,
        )
    )
    assert_true(found[0], UNIQUE)
    assert_true(found[1], UNIQUE)
    assert_true(found[2], TWO_SOLUTIONS)


@pytest.mark.slow
def test_few_processes_find_the_crashing_line_among_many(monkeypatch, deadly):
    """One process for each of a thousand lines would take minutes."""
    deadly(KILL, spare_retries=True)
    alone = []
    real = batch.run_limited
    monkeypatch.setattr(
        batch,
        "run_limited",
        lambda limits, call, task, lines: alone.append(lines) or real(limits, call, task, lines),
    )
    lines = [*["# a remark"] * 3000, f"{UNIQUE} k(1).", *["# a remark"] * 500]
    found = list(
        solve_lines(
            lines,
            task_with("#defined k/1.\nmine(1..N) :- k(N)."),
            partial(ChildProcessExecutor, 1),
            2,
        )
    )
    assert Counter(result.status for result in found) == {"empty": 3500, "unique": 1}
    assert found[3000].status == "unique"
    assert sum(map(len, alone)) < 20
