"""Rules that say no more than the others, for the search alone: `%@ -`. Without them there are the same solutions."""

import re
from random import Random

import pytest
from readings import READINGS

from aspdoku.engine import Solver
from aspdoku.program import RuleFile, library
from aspdoku.program.compose import join
from aspdoku.program.guards import guarded
from aspdoku.puzzle import Function, Puzzle

SILENT = [name for name in library.names() if "%@ -\n" in library.find(name).text]
KILLER = [("cage", (1, 1, "A")), ("cage", (1, 2, "A")), ("cage", (2, 1, "A")), ("cage_value", ("A", 7))]


def without_silence(rule):
    """The file without the paragraphs that say nothing new."""
    kept = [part for part in re.split(r"\n\n+", rule.text) if "%@ -\n" not in part]
    assert len(kept) < len(re.split(r"\n\n+", rule.text))
    return RuleFile(rule.name, rule.place, "\n\n".join([*kept, ""]), vetted=True)


def facts_of(name, seed):
    if name not in READINGS:
        return tuple(Function(*each) for each in KILLER)
    facts = READINGS[name].example(Random(f"{name} silent {seed}"), 4)
    return tuple(Function(each, arguments) for each, all_ in facts.items() for arguments in all_)


@pytest.mark.parametrize("name", SILENT)
def test_the_solutions_are_the_same_without_them(name):
    rule = library.find(name)
    counts = set()
    for seed in range(6):
        puzzle = Puzzle.blank(4).but(facts=facts_of(name, seed))
        found = [
            {solution.rows for solution in Solver(join(puzzle, [library.base(), *library.defaults(), each])).search(0)}
            for each in (rule, without_silence(rule))
        ]
        assert found[0] == found[1]
        counts.add(len(found[0]))
    assert counts - {0, 288}


def test_there_are_such_rules():
    assert {"killer", "little-killer", "zipper"} <= set(SILENT)


def test_nothing_is_explained_by_them():
    rule = RuleFile("mine", "mine.lp", "%@ no one\n:- a(1,1,1).\n%@ -\n:- a(1,1,1), a(1,1,1).\n", vetted=True)
    found = guarded([library.base(), rule])
    assert [guard.line for guard in found.guards if guard.place == "mine.lp"] == [2]
    assert found.rules[1].text.count(":-") == 1
