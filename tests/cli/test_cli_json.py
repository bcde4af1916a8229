"""JSON of the commands: the published schemas accept it and reject anything else."""

import json
import re
from copy import deepcopy
from functools import cache
from pathlib import Path

import pytest
from cli_runner import ROOT, run, run_process

import aspdoku
from aspdoku.cli import MODULES
from aspdoku.program import library

pytestmark = pytest.mark.versions

SCHEMAS = {
    file.stem: json.loads(file.read_text("utf-8"))
    for file in (Path(aspdoku.__file__).parent / "schemas").glob("*.json")
}
PUZZLE = "12.. 3... .... ...4\n"
UNIQUE = "1... ..3. .4.. 2...\n"
CLASH = "11.. .... .... ....\n"
PARTLY = f"unsupported: fog\n{UNIQUE.replace(' ', chr(10))}"
MARKED = "....\n....\n....\n....\n\n[even]\nr1c1 r2c2\n"
LINK = json.dumps(
    {
        "cells": [[{} for _ in range(4)] for _ in range(4)],
        "lines": [
            {"wayPoints": [[0.5, 0.5], [0.5, 2.5]], "color": "#c22", "thickness": 12},
            {"wayPoints": [[2.5, 3.5], [3.5, 3.5]], "color": "#2c2", "thickness": 12},
        ],
        "overlays": [{"center": [-0.5, 0.5], "width": 0, "height": 0, "text": "7"}],
        "metadata": {
            "title": "Two lines",
            "rules": "Normal sudoku rules apply.\nDigits on a red line are consecutive."
            "\nNobody knows what a green line says.",
        },
    }
)
CAGES = "with: killer\n\n....\n....\n....\n....\n\n[cage]\n2: r1c1 r1c2\n7: r4c3 r4c4\n"
SIGNS = "with: greater-than\n.2..\n....\n...1\n....\n\n[facts]\ngt(1,2,1,1). gt(1,4,2,4).\n"
# The kind of each result: commands with it, and standard input.
RESULTS = {
    "solve": [
        ("solve -n 2 -", PUZZLE),
        ("solve -", CLASH),
        ("solve -", PARTLY),
        ("solve example:doublers", ""),
    ],
    "count": [
        ("count --estimate --descents 9 -c n=6", ""),
        ("count -", PUZZLE),
        ("count --limit 1 -", PUZZLE),
        ("count -", PARTLY),
    ],
    "unique": [("unique -", PUZZLE), ("unique -", CLASH), ("unique -", PARTLY)],
    "candidates": [("candidates --counts -", PUZZLE), ("candidates -", PARTLY)],
    "depends": [
        ("depends r3c3 -", PUZZLE),
        ("depends -", PARTLY),
        ("depends -", CLASH),
        ("depends -", UNIQUE),
    ],
    "redundant": [("redundant -", PARTLY), ("redundant -", PUZZLE)],
    "generate": [
        ("generate --size 4 --seed 1 -n 2", ""),
        ("generate --size 4 --with greater-than --grade easy --seed 1", ""),
        ("generate --size 4 --givens 3 --time-limit 0.5", ""),
    ],
    "minimise": [("minimise -", PARTLY), ("minimise -", PUZZLE), ("minimise example:killer", "")],
    "fewest": [("fewest -", PUZZLE), ("fewest -", PARTLY), ("fewest -", CLASH)],
    "complete": [
        ("complete -", SIGNS),
        ("complete -", PARTLY),
        ("complete -", CLASH),
        ("complete -n 1 -", "." * 16),
    ],
    "review": [("review -", UNIQUE), ("review -", PARTLY), ("review -", CLASH)],
    "explain": [("explain -", UNIQUE), ("explain -", PARTLY), ("explain -", PUZZLE)],
    "hint": [
        *((f"hint --degree {degree} -", UNIQUE) for degree in ("where", "rules", "what", "proof")),
        ("hint -", "1243 3421 2134 4312"),
    ],
    "why": [("why r1c2=3 -", UNIQUE), ("why r4c1=2 -", PUZZLE)],
    "conflict": [("conflict -", CLASH), ("conflict -", UNIQUE), ("conflict -", CAGES)],
    "grade": [("grade -", UNIQUE), ("grade -", PUZZLE)],
    "read": [("read -", LINK)],
    "rules": [("rules", ""), ("rules killer", "")],
    "example": [("example killer", ""), ("example strimko", "")],
    "check": [("check {good} {bad} {missing}", "")],
    "check-against": [("check {good} {bad} --against anti-king --size 4", "")],
    "test": [("test {good}", ""), ("test {good} {wrong}", "")],
    "learn": [
        ("learn --rule offset --size 4", ""),
        ("learn 1234341243212143", ""),
    ],
    "equal": [("equal offset anti-king --size 4", ""), ("equal even box -", MARKED)],
    "elaborate": [
        ("elaborate --with offset -", UNIQUE),
        ("elaborate --over slides/base -", UNIQUE),
    ],
    "elaborate-all": [("elaborate --all", "")],
    "elaborate-puzzles": [("elaborate --puzzles {puzzle}", "")],
    "compare": [("compare --engine asp,findling -", UNIQUE), ("compare --engine asp -", CLASH)],
    "compare-table": [("compare --table --engine asp-slides,findling", "")],
    "compare-text": [
        ("compare --print --engine asp,findling -", UNIQUE),
        ("compare --trace --engine evidence -", UNIQUE),
    ],
    "error": [
        ("solve missing.txt", ""),
        ("hint missing.txt", ""),
        ("elaborate -", "12"),
        ("check {bad} --against anti-knigt", ""),
        ("compare --engine asb -", UNIQUE),
        ("count --limit x -", UNIQUE),
    ],
}


def kinds(cases, slow):
    """Parameters; those of the slow kinds are marked."""
    return [
        pytest.param(each, marks=pytest.mark.slow if kind in slow else (), id=str(each))
        for kind, each in cases
    ]


SLOW = ["elaborate-all", "check-against"]
CASES = kinds(((kind, (kind, *case)) for kind, cases in RESULTS.items() for case in cases), SLOW)
REJECTED = kinds(zip(RESULTS, RESULTS, strict=True), [*SLOW, "elaborate", "explain"])


@pytest.fixture(autouse=True)
def few_rules(monkeypatch):
    """The tables of all rules and of all formalisms have one column."""
    offset = library.find("offset")
    monkeypatch.setattr(library, "available_rules", lambda: [offset])
    monkeypatch.setattr(
        "aspdoku.formalisms.comparison.table_puzzles", lambda: {"4x4": aspdoku.parse(UNIQUE)}
    )


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rules")
    (folder / "good.lp").write_text("% Good.\n:- a(1,1,1), not ab(good).\n#defined ab/1.\n")
    (folder / "bad.lp").write_text(":- b(1).\n")
    (folder / "good.examples").write_text(
        "forbidden: a one\n1... .... .... ....\nallowed: a two\n2... .... .... ....\n"
    )
    (folder / "wrong.examples").write_text(
        "allowed: a one\n1234 3412 2143 4321\npuzzle: empty\n.... .... .... ....\n"
        "allowed: part\n1... .... .... ....\n"
    )
    (folder / "puzzle.txt").write_text("with: offset\nwithout: box\n1... .... .... ....\n")
    return {name: folder / f"{name}.lp" for name in ("good", "bad", "missing")} | {
        "wrong": folder / "wrong.examples",
        "puzzle": folder / "puzzle.txt",
    }


@cache
def validator(kind):
    """Checks documents of a kind; `None` if the library is not installed."""
    jsonschema = pytest.importorskip("jsonschema")
    from referencing import Registry, Resource

    registry = Registry().with_resources(
        (f"{name}.json", Resource.from_contents(schema)) for name, schema in SCHEMAS.items()
    )
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[kind])
    return jsonschema.Draft202012Validator(SCHEMAS[kind], registry=registry)


_printed = {}


def document(case, files):
    """What the command prints; each command runs once."""
    if case not in _printed:
        _, command, given = case
        result = run(*command.format(**files).split(), "--format", "json", given=given)
        _printed[case] = result.stdout
    return json.loads(_printed[case])


@pytest.mark.slow_cases("('minimise', 'minimise example:killer', '')")
@pytest.mark.parametrize("case", CASES)
def test_the_schema_accepts_the_result(case, files):
    validator(case[0]).validate(document(case, files))


def paths(value, path=(), place=()):
    """For each kind of object and number in a document, the path to one of them."""
    found = {(path, type(value)): place}
    items = value.items() if isinstance(value, dict) else []
    items = enumerate(value) if isinstance(value, list) else items
    for key, each in items:
        inner = (*path, key if isinstance(value, dict) else None)
        found = paths(each, inner, (*place, key)) | found
    return found


def changed(value, place, change):
    """The document with a change to the part at this place."""
    copy = deepcopy(value)
    if not place:
        return change(copy)
    part = copy
    for key in place[:-1]:
        part = part[key]
    part[place[-1]] = change(part[place[-1]])
    return copy


@pytest.mark.parametrize("kind", REJECTED)
def test_the_schema_rejects_other_keys_types_and_missing_keys(kind, files):
    check = validator(kind)
    optional = {"unsupported"} | {
        key for key in SCHEMAS[kind]["properties"] if key not in SCHEMAS[kind].get("required", ())
    }
    for command, given in RESULTS[kind][:1]:
        found = document((kind, command, given), files)
        for (path, type_), place in paths(found).items():
            if "values" in path:
                continue  # any variables
            wrong = [changed(found, place, lambda value: [[[[str(value)]]]])]
            if type_ is dict:
                wrong.append(changed(found, place, lambda value: value | {"more": 1}))
                keys = changed(found, place, lambda value: value)
                for key in place:
                    keys = keys[key]
                wrong += [
                    changed(found, place, lambda value, key=key: without(value, key))
                    for key in keys
                    if place or key not in optional
                ]
            elif type_ in (int, float, bool):
                wrong.append(changed(found, place, str))
            for each in wrong:
                assert not check.is_valid(each), (path, str(each)[:300])


def without(value, key):
    return {other: each for other, each in value.items() if other != key}


def test_every_kind_of_result_has_a_schema_and_every_command_a_result():
    assert SCHEMAS.keys() - {"common"} == RESULTS.keys(), (
        "RESULTS needs commands for each kind in aspdoku/schemas, and each kind a schema"
    )
    commands = {command.split()[0] for cases in RESULTS.values() for command, _ in cases}
    helps = {name: run("help", name).stdout for name in MODULES}
    assert commands == {
        name for name, text in helps.items() if re.search(r"--format \[[a-z|]*\bjson\b", text)
    }, "RESULTS needs each command that has --format json"


def test_the_documentation_lists_the_schemas():
    text = (ROOT / "docs/json.md").read_text("utf-8")
    rows = re.findall(r"^\| `([\w-]+)` \|.*\|(.*)\|$", text, re.MULTILINE)
    assert [kind for kind, _ in rows] == list(RESULTS), (
        "docs/json.md needs a row for each kind, in the order of RESULTS"
    )
    for kind, listed in rows:
        keys = SCHEMAS[kind]["properties"].keys() - {"schema", "unsupported"}
        keys -= {"assumed"} if kind != "read" else set()
        if kind == "why":
            keys = keys - SCHEMAS["explain"]["properties"].keys() | {"explain"}
        assert set(re.findall(r"`(\w+)`", re.sub(r"\(.*?\)", "", listed))) == keys, kind
    for kind, schema in SCHEMAS.items():
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        if kind != "common":
            assert schema["properties"]["schema"] == {"const": f"aspdoku/{kind}/1"}


@pytest.mark.parametrize(
    "command", ["solve missing.txt", "count --limit 0 -c n=4", "check x.lp --against y"]
)
def test_an_error_is_an_object_on_standard_output(command):
    result = run_process(*command.split(), "--format", "json")
    document = json.loads(result.stdout)
    assert document["exit_status"] == result.returncode != 0
    assert document["error"] in result.stderr.decode()


def test_the_documented_error_is_that_of_the_command():
    text = (ROOT / "docs/json.md").read_text("utf-8")
    ((command, output),) = re.findall(r"```console\n\$ aspdoku (.*)\n(.*\n)```", text)
    assert run_process(*command.split()).stdout.decode() == output


def test_an_error_without_json_has_no_output():
    assert run_process("solve", "missing.txt").stdout == b""
