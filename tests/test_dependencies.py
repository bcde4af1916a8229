"""The oldest versions that CI tests are the lower bounds in pyproject.toml."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
REQUIREMENT = re.compile(r"([\w-]+)>=([\w.]+)(?:,<\d+)?")


def declared():
    """The lower bound of each dependency, except for extras that only developers install."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
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
