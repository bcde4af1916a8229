"""Interrupt a public function at random moments of its work: `interruptions.py NAME NUMBER SEED`.

Each of NUMBER calls has to end with KeyboardInterrupt, and the next call with the usual result
(after long calls, only now and then). Calls that end before their signal do not count. Prints how
many calls were needed.
"""

import math
import random
import signal
import sys
import threading
import time
import warnings
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from api_calls import CALLS, SMALL, UNIQUE, content

import aspdoku
from aspdoku.lecture.learning import hypotheses
from aspdoku.web import game

FOLDER = TemporaryDirectory()
OWN = ":- a(R,C,N), a(R+1,C+1,N), not ab(mine).\n"
# Two rules instead of 63, which take most of the time of the calls that need them.
SPACE = Path(FOLDER.name, "space.lp")
SPACE.write_text("%! rule anti-knight\n\n%! rule nonconsecutive\n")
EXAMPLES = Path(FOLDER.name, "mine.examples")
EXAMPLES.write_text("allowed: no equal diagonal neighbours\n4123\n3241\n1432\n2314\n")
DISTANCE = "slides/anti-knight-distance"
# Seconds of work in which an interruption is likely to arrive: short calls are repeated.
LONG_ENOUGH = 0.02
# Seconds of work that an interruption may cost to check that the next call has the usual result.
CHECK = 0.05
# The part of that time that is interrupted: later, most calls have ended.
SHARE = 0.9
# Seconds that an interruption may arrive after the call, and in which it must not be lost.
LATE = 5


def searched():
    return [grid.rows for grid in aspdoku.Solver(aspdoku.compose(SMALL)).search(0)]


def searched_in_thread():
    solver = aspdoku.Solver(aspdoku.compose(SMALL), 60)
    return next(iter(solver.search(0))).rows, solver.search(0).count()


def written():
    file = Path(FOLDER.name, "out.txt")
    file.unlink(missing_ok=True)
    aspdoku.write(UNIQUE, file)
    return file.read_text()


FUNCTIONS = {name: lambda call=call: content(call(UNIQUE)) for name, call in CALLS.items()} | {
    "batch": lambda: [str(each) for each in aspdoku.batch([SMALL, UNIQUE])],
    "check": lambda: str(aspdoku.check(aspdoku.RuleFile.from_text("mine", OWN))),
    "compose": lambda: str(aspdoku.compose(UNIQUE, aspdoku.RuleFile.from_text("mine", OWN))),
    "convert": lambda: aspdoku.convert(UNIQUE, "fpuzzles"),
    "equivalent": lambda: str(aspdoku.equivalent(DISTANCE, "anti-knight", size=4)),
    "examples": aspdoku.examples,
    "generate": lambda: str(aspdoku.generate("anti-knight", size=4, seed=1)),
    "handout": lambda: aspdoku.handout(UNIQUE),
    "interpret": lambda: str(aspdoku.interpret("rules: Boxes differ.\n\n1...\n....\n....\n....\n")),
    "judge": lambda: str(aspdoku.judge(aspdoku.RuleFile.from_text("mine", OWN), EXAMPLES)),
    "learn": lambda: str(aspdoku.learn(["1234 3412 2143 4321"], size=4, space=SPACE)),
    "parse": lambda: aspdoku.parse(UNIQUE).grid,
    "read": lambda: aspdoku.read("example:anti-knight").grid,
    "rules": lambda: [rule.name for rule in aspdoku.rules()],
    "write": written,
    "Solver": searched,
    "Solver with a time limit": searched_in_thread,
}


# Those that Python has lost: outside of a public function, as a destructor began.
LOST = []


def note_lost(found):
    assert found.object.__name__ == "__del__", found
    # The destructor of an object of clingo whose constructor was interrupted misses an attribute;
    # the interruption itself is not lost by that.
    if found.exc_type is not AttributeError:
        assert found.exc_type is KeyboardInterrupt, found
        LOST.append(found.exc_type)


def interrupted(call, delay):
    """Whether a call was interrupted; False if it had ended. An interruption is not lost, but for
    one in `LOST`.
    """
    lost = len(LOST)
    main = threading.main_thread().ident

    def interrupt():
        time.sleep(delay)
        signal.pthread_kill(main, signal.SIGINT)

    ended = False
    try:
        threading.Thread(target=interrupt).start()
        call()
        ended = True
        end = time.monotonic() + LATE
        while time.monotonic() < end and len(LOST) == lost:
            time.sleep(0.01)
    except KeyboardInterrupt:
        return not ended
    if len(LOST) > lost:
        return False
    raise AssertionError("the interruption was lost")


def duration(call):
    """The shortest of three durations in seconds."""
    times = []
    for _ in range(3):
        began = time.monotonic()
        call()
        times.append(time.monotonic() - began)
    return min(times)


def main(name, number, seed):
    # Python keeps it ignored if it was, as in a shell's background jobs.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    warnings.simplefilter("ignore")
    sys.unraisablehook = note_lost
    game.hypotheses = partial(hypotheses, SPACE)
    once, random_ = FUNCTIONS[name], random.Random(seed)
    expected = once()
    each = duration(once)
    times, checked = math.ceil(LONG_ENOUGH / each), math.ceil(each / CHECK)

    def call():
        for _ in range(times):
            once()

    seconds = SHARE * duration(call)
    count = tried = 0
    while count < number:
        tried += 1
        if interrupted(call, random_.uniform(0, seconds)):
            count += 1
            if count % checked == 0 or count == number:
                assert once() == expected
    assert len(LOST) <= 1
    print(f"{count} of {tried} calls were interrupted")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
