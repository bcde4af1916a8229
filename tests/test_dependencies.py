"""Lists of other programs agree: the oldest versions that CI tests are the lower bounds in
pyproject.toml, groups of dependencies are extras, extras are documented, and the SBOM is that of
the bundled files.
"""

import re
import runpy
import tomllib
from pathlib import Path

import pytest

import aspdoku

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
REQUIREMENT = re.compile(r"([\w-]+)>=([\w.]+)(?:,<\d+)?")


def declared():
    """The lower bound of each dependency, except for extras that only developers install."""
    project = PYPROJECT["project"]
    extras = [
        each
        for name, each in project["optional-dependencies"].items()
        if name not in ("dev", "bench")
    ]
    found = {}
    for requirement in (*project["dependencies"], *(each for extra in extras for each in extra)):
        match = REQUIREMENT.fullmatch(requirement)
        assert match, f"{requirement} has no lower bound"
        found[match[1]] = match[2]
    return found


def test_the_oldest_versions_are_the_declared_ones():
    lines = (ROOT / ".ci" / "oldest.txt").read_text("utf-8").splitlines()
    pinned = dict(line.split("==") for line in lines if not line.startswith("#"))
    bounds = declared()
    assert pinned.keys() == bounds.keys()
    assert not {
        name: pin for name, pin in pinned.items() if not f"{pin}.".startswith(f"{bounds[name]}.")
    }


def test_the_groups_are_the_extras_without_aspdoku():
    extras = PYPROJECT["project"]["optional-dependencies"]
    groups = PYPROJECT["dependency-groups"]
    assert groups.keys() == {"test", "dev"}
    assert groups["test"] == extras["test"]
    included, *tools = groups["dev"]
    ours, *others = extras["dev"]
    assert included == {"include-group": "test"}
    assert ours.startswith("aspdoku[test,")
    assert tools == others


def test_the_citation_has_the_version():
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    assert re.findall(r"^version: (.*)$", text, re.MULTILINE) == [aspdoku.__version__]


def test_the_extras_are_documented():
    """A row for each extra that users need, and a line for those of developers."""
    text = (ROOT / "docs" / "installing.md").read_text("utf-8")
    table, _, after = text.partition("## Extras\n")[2].partition("\nFor work on aspdoku itself")
    names = re.compile(r"`(\w+)`")
    rows = [
        name
        for row in table.splitlines()
        if row.startswith("| `")
        for name in names.findall(row.split("|")[1])
    ]
    ours = names.findall(after.partition("\n")[0])
    extras = PYPROJECT["project"]["optional-dependencies"].keys()
    assert sorted([*rows, *ours]) == sorted(extras)
    assert set(ours) == {"test", "docs", "browser", "bench", "dev"}


@pytest.mark.slow
def test_the_sbom_is_up_to_date_and_valid():
    validation = pytest.importorskip("cyclonedx.validation.json", reason="needs aspdoku[dev]")
    schema = pytest.importorskip("cyclonedx.schema").SchemaVersion.V1_6
    text = (ROOT / "sbom.cdx.json").read_text("utf-8")
    assert text == runpy.run_path(str(ROOT / ".ci" / "sbom"))["sbom"](), "run .ci/sbom"
    assert validation.JsonStrictValidator(schema).validate_str(text) is None
