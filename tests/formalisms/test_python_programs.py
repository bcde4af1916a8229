"""Python texts: their statements, counted by hand, and how their process ends."""

from collections import Counter

import pytest

from aspdoku.errors import TimeLimitError
from aspdoku.formalisms import programs
from aspdoku.formalisms.engine import Encoding, EngineError

pytestmark = pytest.mark.versions

# A text, and its statements as counted.
STATEMENTS = [
    ("x = 1  # one\n# two\nx = 1\n", {"x = 1": 2}),
    ("x=(1)\ny = [1,\n     2]\n", {"x = 1": 1, "y = [1, 2]": 1}),
    ('"""What it is."""\nimport os\n', {"import os": 1}),
    ('def f(a):\n    """F."""\n    return a\n', {"def f(a):\n    return a": 1}),
    ('def f():\n    """F."""\n', {"def f():\n    pass": 1}),
    (
        'def f():\n    def g():\n        """G."""\n        return 1\n',
        {"def f():\n\n    def g():\n        return 1": 1},
    ),
    (
        (
            'class A(B):\n    """A."""\n\n    x = 1\n\n    def f(self):\n        """F."""\n       '
            " return 2\n"
        ),
        {
            "class A(B):\n    ...": 1,
            "class A:\n    x = 1": 1,
            "class A:\n\n    def f(self):\n        return 2": 1,
        },
    ),
    ("", {}),
]


@pytest.mark.parametrize(("text", "expected"), STATEMENTS)
def test_statements(text, expected):
    assert programs.CpSat().statements(text) == Counter(
        {statement.strip(): number for statement, number in expected.items()}
    )


# Two texts, and the numbers of statements added and removed in the second.
CHANGES = [
    ("def f():\n    a()\n", "def f():\n    a()\n    b()\n", (1, 1)),
    ("def f():\n    a()\n", "def f():\n    # quietly\n\n    a()\n", (0, 0)),
    ("def f():\n    a()\n", "def f():\n    a()\n\n\ndef g():\n    b()\n", (1, 0)),
    (
        "class A:\n    def f(self): a()\n",
        "class A:\n    def f(self): a()\n    def g(self): b()\n",
        (1, 0),
    ),
    ("class A:\n    def f(self): a()\n", "class A(B):\n    def f(self): a()\n", (1, 1)),
    ("class A:\n    def f(self): a()\n", "def f(self): a()\n", (1, 2)),
]


@pytest.mark.parametrize(("before", "after", "counts"), CHANGES)
def test_a_change_is_counted_by_statements(before, after, counts):
    old, new = programs.CpSat().statements(before), programs.CpSat().statements(after)
    assert ((new - old).total(), (old - new).total()) == counts


def test_invalid_python_has_no_statements():
    with pytest.raises(EngineError, match=r"line 2: .*syntax"):
        programs.CpSat().statements("x = 1\nx = = 2\n")


def solutions(body, before=""):
    return Encoding(f"import instance\n{before}\n\ndef solutions():\n    {body}\n", "number = 3\n")


def test_up_to_two_solutions_and_the_counters_at_the_first():
    endless = (
        "while True:\n        counters['tries'] += 1\n        yield {(1, 1): instance.number +"
        " counters['tries']}"
    )
    answer = programs.run_python(solutions(endless, "counters = {'tries': 0}"), 1, 30)
    assert (answer.grids, answer.counters) == ((((4,),), ((5,),)), {"tries": 1})
    assert 0 < answer.solve < answer.start


def test_a_cell_without_a_number_is_undetermined():
    answer = programs.run_python(solutions("yield {(1, 2): 1, (2, 1): 2}"), 2, 30)
    assert (answer.grids, answer.counters) == ((((None, 1), (2, None)),), {})


def test_no_solution():
    assert programs.run_python(solutions("yield from ()"), 1, 30).grids == ()


def test_printed_text_is_not_an_answer():
    assert programs.run_python(
        solutions("print('thinking')\n    yield {(1, 1): 1}"), 1, 30
    ).grids == (((1,),),)


FAILURES = [
    (solutions("raise ValueError('too\\nlong')"), "^ValueError: too$"),
    (solutions("yield from {}[1]"), "^KeyError: 1$"),
    (Encoding("import nowhere", ""), "^ModuleNotFoundError: No module named 'nowhere'$"),
    (Encoding("x = 1", ""), "has no attribute 'solutions'"),
    (solutions("import os; os._exit(3)"), "status 3"),
    (solutions("import os; os._exit(0)"), "without an answer"),
]


@pytest.mark.parametrize(("text", "message"), FAILURES)
def test_a_failing_program_is_reported(text, message):
    with pytest.raises(EngineError, match=message):
        programs.run_python(text, 1, 30)


@pytest.mark.slow
def test_a_program_that_does_not_end_reaches_the_time_limit():
    with pytest.raises(TimeLimitError):
        programs.run_python(solutions("while True: pass"), 1, 0.5)
