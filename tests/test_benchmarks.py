"""The benchmarks are too slow for a test; what they import from each other exists."""

import ast
from pathlib import Path

from in_one_test import in_one_test

SCRIPTS = {
    path.stem: ast.parse(path.read_text("utf-8"))
    for path in sorted((Path(__file__).parent.parent / "bench").glob("*.py"))
}


def defined(script: ast.Module) -> set[str]:
    """The names that a script defines or imports at its top level."""
    found = set()
    for node in script.body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found |= {each.asname or each.name for each in names}
            case _:
                found |= {
                    each.id
                    for each in ast.walk(node)
                    if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
                }
    return found


@in_one_test("name", SCRIPTS)
def test_names_of_other_benchmarks_exist(name):
    imported = {
        each.name
        for node in ast.walk(SCRIPTS[name])
        if isinstance(node, ast.Import)
        for each in node.names
    } & SCRIPTS.keys()
    used = set()
    for node in ast.walk(SCRIPTS[name]):
        match node:
            case ast.ImportFrom(module=module, names=names) if module in SCRIPTS:
                used |= {(module, each.name) for each in names}
            case ast.Attribute(value=ast.Name(id=module), attr=attribute) if module in imported:
                used.add((module, attribute))
    missing = [(module, each) for module, each in used if each not in defined(SCRIPTS[module])]
    assert missing == []
