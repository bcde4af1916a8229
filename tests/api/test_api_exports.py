"""What `import aspdoku` offers and what it loads; results are frozen and display themselves."""

import ast
import dataclasses
import re
import subprocess
import sys
from html import unescape
from inspect import isabstract
from pathlib import Path

import pytest
from api_calls import CALLS, UNIQUE
from in_one_test import in_one_test

import aspdoku
from aspdoku.questions.result import Result

pytestmark = pytest.mark.versions

EQUIVALENT = {"equivalent": lambda _: aspdoku.equivalent("anti-king", "anti-knight", size=4)}
CHECK = {"check": lambda _: aspdoku.check("anti-king")}
RESULTS = CALLS | EQUIVALENT | CHECK


def loaded(code):
    """The modules that a fresh interpreter has loaded after running some code."""
    command = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.split())


def test_import_is_light():
    heavy = {"clingo", "click", "jinja2"}
    assert not heavy & loaded("import aspdoku; dir(aspdoku); aspdoku.AspdokuError")
    assert not heavy & loaded("import aspdoku; aspdoku.parse('1... .... ..2. ....')")
    assert heavy & loaded("import aspdoku; aspdoku.solve") == {"clingo"}


def test_each_name_can_be_imported():
    names = ", ".join(aspdoku.__all__)
    assert "clingo" in loaded(f"from aspdoku import {names}\nfrom aspdoku import *\n({names})")


def test_the_lists_of_names_agree():
    assert aspdoku.__all__ == sorted(aspdoku.__all__)
    assert dir(aspdoku) == sorted([*aspdoku.__all__, "__version__"])
    typed = [
        alias.name
        for node in ast.walk(ast.parse(Path(aspdoku.__file__).read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("aspdoku")
        for alias in node.names
    ]
    assert sorted(typed) == aspdoku.__all__


def test_an_unknown_name():
    with pytest.raises(AttributeError, match="module 'aspdoku' has no attribute 'sove'"):
        _ = aspdoku.sove


@in_one_test("name", aspdoku.__all__)
def test_each_name_has_a_docstring(name):
    assert getattr(aspdoku, name).__doc__


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_frozen(name):
    result = RESULTS[name](UNIQUE)
    for field in dataclasses.fields(result):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(result, field.name, None)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.other = None


@pytest.mark.parametrize("value", [aspdoku.parse(UNIQUE), aspdoku.solve(UNIQUE).solution])
def test_puzzles_and_solutions_are_frozen(value):
    with pytest.raises(dataclasses.FrozenInstanceError):
        value.grid = ()


DRAWINGS = {"check": 0, "grade": 0, "elaborate": 1}


@pytest.mark.parametrize("name", sorted(RESULTS.keys() - {"draw"}))
def test_a_notebook_displays_the_drawing_and_the_text(name):
    result = RESULTS[name](UNIQUE)
    assert isinstance(result, Result)
    html = result._repr_html_()
    assert html.count("<svg ") == DRAWINGS.get(name, 1)
    assert "<pre" in html
    words = unescape(re.sub("<svg .*?</svg>|<[^>]*>", " ", html, flags=re.DOTALL)).split()
    # A page without the footnotes of the text; a picture instead of the text of a puzzle file.
    if name in ("elaborate", "minimise", "fewest"):
        return
    said = {word for word in str(result).split() if word.isalpha() and len(word) > 1}
    assert said <= {word.strip(":") for word in words}


@pytest.mark.parametrize(
    "value",
    [aspdoku.parse(UNIQUE), aspdoku.solve(UNIQUE).solution, aspdoku.solve(UNIQUE)],
    ids=lambda value: type(value).__name__,
)
def test_a_notebook_displays_the_grid(value):
    html = value._repr_html_()
    assert html.count(">4</text>") >= 1
    assert "<svg " in html


def test_text_from_files_is_escaped():
    puzzle = aspdoku.parse(UNIQUE).replace(unsupported=("<script>",))
    with pytest.warns(aspdoku.AspdokuWarning, match="unsupported and ignored: <script>"):
        html = aspdoku.explain(puzzle)._repr_html_()
    assert "&lt;script&gt;" in html
    assert "<script>" not in html


def test_the_types_of_all_results_are_exported():
    results = {cls.__name__ for cls in subclasses(Result) if not isabstract(cls)}
    only_of_commands = {
        *("Examples", "ElaborationTables", "ComparisonTable", "Tolerance", "Transcripts"),
    }
    assert results - only_of_commands <= set(aspdoku.__all__)
    returned = {type(RESULTS[name](UNIQUE)).__name__ for name in ("explain", "draw", "equivalent")}
    assert {*returned, "RuleFiles", "BatchResults", "Step"} <= set(aspdoku.__all__)


def subclasses(cls):
    for each in cls.__subclasses__():
        yield each
        yield from subclasses(each)


def test_a_step_is_one_sentence_and_json_has_it():
    explanation = aspdoku.explain(UNIQUE)
    steps = explanation.to_json()["steps"]
    for step, found in zip(explanation.steps, steps, strict=True):
        (reason,) = step.reasons
        (claim,) = reason.claims
        assert str(step) == found["sentence"]
        assert str(step).startswith(f"{claim} because {reason.rules[0].instance.words} (")
        assert reason.technique.name in str(step)
        assert "\n" not in str(step)
        assert len(repr(step)) < 120
    together = aspdoku.explain(UNIQUE, batch=True).steps[0]
    assert all(f"{claim} because" in str(together) for r in together.reasons for claim in r.claims)


def test_rules_and_results_of_batches_display_themselves():
    rules = aspdoku.rules()
    for text in (str(rules), unescape(rules._repr_html_())):
        assert all(re.search(rf"(?m)^(<pre.*>)?{rule.name}  +\S", text) for rule in rules)
    assert len(repr(rules)) < 200
    results = aspdoku.batch(["1" + "." * 15, "11" + "." * 14, "12" + "." * 14], size=4)
    assert repr(results) == "<BatchResults so far: none>"
    statuses = [result.status for result in results]
    assert repr(results) == "<BatchResults so far: 2 several, 1 none>"
    assert statuses == ["several", "none", "several"]
