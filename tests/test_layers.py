"""The architecture: layers of imports, no variant named in a module, and conventions of the rule
files and the base.
"""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from clingo.ast import ASTType, parse_string
from in_one_test import in_one_test
from instance_files import ROOT

from aspdoku.program import RuleFile
from aspdoku.program.lint import check_file, notes

pytestmark = pytest.mark.versions

PACKAGE = ROOT / "aspdoku"
MODULES = sorted(PACKAGE.rglob("*.py"))
BASE = ROOT / "asp" / "base.lp"
# The regions, and the cells that are unused or in no grid: rules may derive them.
LAYOUT = {"box", "unused"}
# What definitions read that a rule declares.
SHARED = {"counts_as", "reaches_summand", "reaches_total"}
ELABORATIONS = sorted((ROOT / "asp" / "elaborations").glob("*.lp"))


class Import(NamedTuple):
    """An imported name, with the file and line, and whether the import is inside a function."""

    file: Path
    line: int
    module: str
    inside: bool

    def __str__(self):
        return f"{self.file.relative_to(ROOT)}:{self.line} imports {self.module}"


def imports(file):
    waiting: list[tuple[ast.AST, bool]] = [(ast.parse(file.read_text("utf-8")), False)]
    for node, inside in waiting:
        within = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        children = ast.iter_child_nodes(node)
        waiting += [(each, within) for each in children if not isinstance(each, ast.expr)]
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, (
                f"{file}:{node.lineno}: relative imports are not supported by these tests"
            )
            # `from aspdoku.questions import text` may import the module aspdoku.questions.text.
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (Import(file, node.lineno, name, inside) for name in names)


@cache
def all_imports():
    return [found for file in MODULES for found in imports(file)]


def test_imports_by_name_are_known():
    """Imports by a string, which these tests cannot follow, are only used for deliberately late
    imports, for what forked processes share, and for generated programs.
    """
    by_name = [found for found in all_imports() if re.match(r"importlib(?!\.util)", found.module)]
    late = {found.file.relative_to(PACKAGE).as_posix() for found in by_name}
    assert late == {
        "__init__.py",
        "cli/__init__.py",
        "runtime/fork_server.py",
    }


def test_import_aspdoku_costs_nothing():
    script = "import sys, aspdoku; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert "aspdoku" in loaded
    assert loaded.isdisjoint({"clingo", "click", "jinja2"})


def test_a_puzzle_needs_no_clingo():
    script = (
        "import sys, aspdoku; from aspdoku.puzzlefile.writer import write; aspdoku.parse('1');"
        " write(aspdoku.Puzzle.blank()); print(*sorted(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert {name.split(".")[0] for name in done.stdout.split()}.isdisjoint(
        {"clingo", "click", "jinja2"}
    )


# ---- No Python module names a variant ----

# `box` is the rule of classic sudoku; the readers and writers of files map names of other
# programs to facts.
VARIANTS = {file.stem for file in ELABORATIONS} - {"box"}
SPELLINGS = VARIANTS | {name.replace("-", "_") for name in VARIANTS}
FORMATS = {PACKAGE / "formats", PACKAGE / "puzzlefile"}


def strings(file):
    tree = ast.parse(file.read_text("utf-8"))
    return [
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


@pytest.mark.slow
def test_no_module_names_a_variant():
    assert {"anti-knight", "killer"} <= VARIANTS
    named = [
        f"{file.relative_to(ROOT)}:{line}: {value!r}"
        for file in MODULES
        if FORMATS.isdisjoint(file.parents)
        for line, value in strings(file)
        if value.strip() in SPELLINGS and not is_technique(file, value)
    ]
    assert named == []


def is_technique(file, value):
    """A skyscraper is also a solving technique of classic sudoku."""
    return (file.stem, value) == ("techniques", "skyscraper")


def test_no_module_names_an_input_of_a_variant():
    declared = {
        name
        for file in ELABORATIONS
        for name in re.findall(r"#defined (\w+)/", file.read_text("utf-8"))
    }
    inputs = declared - {"ab", *LAYOUT}
    assert "gt" in inputs
    named = [
        f"{file.relative_to(ROOT)}:{line}: {value!r}"
        for file in MODULES
        if FORMATS.isdisjoint(file.parents)
        for line, value in strings(file)
        if value.strip() in inputs and not is_technique(file, value)
    ]
    assert named == []


# ---- The rule files ----

RULE_FILES = [BASE, *ELABORATIONS]


def code_of(file):
    """The text without comments; bundled files contain no block comments, and no % in a string."""
    text = file.read_text("utf-8")
    assert "%*" not in text
    assert '"' not in re.sub("%.*", "", text)
    return re.sub("%.*", "", text)


# Elaborations that choose and show atoms of their own: regions, doublers.
CHOOSING = (
    "chaos-construction",
    "doublers",
    "either",
    "extra-cell",
    "indexers",
    "liar",
    "negators",
    "path",
    "vampires",
)
# Rules that make exceptions of clues that the puzzle names.
EXCEPTING = ("either", "liar")


def test_only_rule_files_that_choose_show_atoms():
    """`check` rejects the other statements, such as `#script`."""
    for file in RULE_FILES:
        shown = "" if file.stem in CHOOSING else "#show|"
        assert re.findall(rf"{shown}#external", code_of(file)) == [], file


@pytest.mark.parametrize("file", ELABORATIONS, ids=lambda file: file.stem)
def test_check_says_nothing_about_an_elaboration(file):
    """Neither a finding nor a note, such as a literal size, a line that does not fit on a slide, or
    a constraint without an exception.
    """
    assert check_file(file) == []
    assert notes(RuleFile.read(file)) == []


def test_the_lines_of_other_programs_fit_on_a_slide():
    others = [file for file in (ROOT / "asp").rglob("*.lp") if file not in ELABORATIONS]
    lines = [line for file in others for line in file.read_text("utf-8").splitlines()]
    assert [line for line in lines if len(line) > 100] == []


def test_rule_files_begin_with_their_titles():
    untitled = [
        file.stem for file in RULE_FILES if not re.match(r"% [A-Z].*[.]\n", file.read_text("utf-8"))
    ]
    assert untitled == []


def rules_of(file):
    statements = []
    parse_string(file.read_text("utf-8"), statements.append)
    return [statement for statement in statements if statement.ast_type == ASTType.Rule]


def predicates(head):
    """The names of the predicates in a head."""
    return set(re.findall(r"(?<![\w'#])([a-z]\w*)\(", re.sub(r":-.*", "", str(head))))


def is_choice(rule):
    return rule.head.ast_type in (ASTType.Aggregate, ASTType.HeadAggregate)


def test_the_base_has_three_choices():
    choices = [rule for rule in rules_of(BASE) if is_choice(rule)]
    assert len(choices) == 3
    assert all(predicates(str(rule.head).partition(":")[0]) == {"a"} for rule in choices)
    assert not any(rule.head.ast_type == ASTType.Disjunction for rule in rules_of(BASE))


@in_one_test("file", ELABORATIONS)
def test_an_elaboration_only_has_constraints_and_definitions(file):
    """Choices only over its own predicates, no head of the base, and only helper names that begin
    with the name of the file, apart from the layout of the grid, what cells count as, and totals
    that are counted faster.
    """
    own = file.stem.replace("-", "_")
    base = set().union(*(predicates(rule.head) for rule in rules_of(BASE)))
    assert {"a", "number", "cell"} <= base
    for rule in rules_of(file):
        assert file.stem in CHOOSING or not is_choice(rule)
        names = predicates(str(rule.head).partition(":")[0] if is_choice(rule) else rule.head)
        # An extra cell is not in the grid of the base.
        assert names.isdisjoint(base - ({"a"} if file.stem == "extra-cell" else set()))
        own_names = {
            name for name in names - LAYOUT - base if name == own or name.startswith(f"{own}_")
        }
        assert names - LAYOUT - SHARED - base - own_names <= (
            {"ab"} if file.stem in EXCEPTING else set()
        )


@in_one_test("file", ELABORATIONS)
def test_an_elaboration_mentions_no_other(file):
    words = set(re.findall(r"[a-z][\w-]*", code_of(file))) | set(
        re.findall(r"[a-z]\w*", code_of(file))
    )
    others = {other.stem for other in ELABORATIONS if other != file} | {
        other.stem.replace("-", "_") for other in ELABORATIONS if other != file
    }
    inputs = set(
        re.findall(r"#defined (\w+)/", code_of(file))
    )  # an input may have the name of an elaboration
    assert (words - inputs - LAYOUT).isdisjoint(others)
