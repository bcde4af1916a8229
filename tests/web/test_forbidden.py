"""The grids that the page shows as forbidden by one rule, compared with the violations that Python
finds. Needs Node.
"""

import json
import shutil
import subprocess

import pytest
from instance_files import ROOT

import aspdoku
from aspdoku.formats.detection import examples
from aspdoku.lecture.equivalence import find_program_violations
from aspdoku.puzzle import Solution
from aspdoku.web import page

NODE = shutil.which("node")
pytestmark = [pytest.mark.skipif(NODE is None, reason="needs node"), pytest.mark.slow]
WHOLE = ("anti-knight", "four", "killer", "thermo")
SIZE = 6


def shown(programs, places):
    """For each program, what the page shows for its rules, of files whose place contains a text."""
    lines = [
        json.dumps([page.parts(program), list(program.puzzle.without), place])
        for program, place in zip(programs, places, strict=True)
    ]
    done = subprocess.run(
        [NODE, ROOT / "tests" / "web" / "forbidden_in_node.mjs"],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def rows(program, grid):
    size = program.puzzle.size
    found = [[None] * size for _ in range(size)]
    for row, column, number in grid:
        assert found[row - 1][column - 1] is None
        found[row - 1][column - 1] = number
    return tuple(map(tuple, found))


def violations(program, grid):
    """What Python finds, each as place, line, cells and message."""
    solution = Solution(program.puzzle.replace(grid=rows(program, grid)), rows(program, grid))
    found = find_program_violations(program.without_givens(), solution)
    return {(each.place, each.line, each.cells, each.message) for each in found}


def is_full(program, grid):
    used = sum(number is not None for row in rows(program, grid) for number in row)
    return used == program.puzzle.size**2


def check(programs, answers):
    """The number of answers that Python could check."""
    checked = 0
    for program, found in zip(programs, answers, strict=True):
        for answer in found:
            grid = answer.get("shown")
            if not grid or not is_full(program, grid["grid"]):
                continue
            other = violations(program, grid["grid"])
            if other:  # not if the grid does not determine all other atoms
                cells = tuple(sorted(map(tuple, grid["cells"])))
                named = answer["place"], answer["line"], cells, grid["message"]
                # Python lists violations of one line without cells once.
                known = 4 if cells else 3
                assert named[:known] in {each[:known] for each in other}, program.puzzle.name
                checked += 1
    return checked


def test_all_rules_of_a_puzzle():
    programs = [aspdoku.compose(f"example:{name}") for name in WHOLE]
    answers = shown(programs, [""] * len(programs))
    for program, found in zip(programs, answers, strict=True):
        # No cell of these puzzles is unused, or counts as something.
        lines = program.rules[0].text.splitlines()
        unused = {("asp/base.lp", at) for at, line in enumerate(lines, 1) if ":- unused(" in line}
        missing = {
            (each["place"], each["line"])
            for each in found
            if "shown" not in each and each["place"] != "asp/vocabulary/value.lp"
        }
        assert missing <= unused, program.puzzle.name
    assert check(programs, answers) >= 20


def test_the_rules_of_every_elaboration():
    programs = [aspdoku.compose(f"example:{name}") for name in examples()]
    programs = [program for program in programs if program.puzzle.size == SIZE]
    answers = shown(programs, [program.rules[-1].place for program in programs])
    found = [each for answer in answers for each in answer]
    assert sum("shown" in each for each in found) > 0.85 * len(found)
    assert check(programs, answers) > 60
