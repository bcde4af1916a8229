"""The statements that the page's script finds in rule files, compared with clingo's. Needs Node."""

import json
import shutil
import subprocess

import pytest
from clingo.ast import ASTType, Sign, parse_string
from instance_files import ROOT

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="needs node")
FILES = sorted((ROOT / "asp").rglob("*.lp"))
FURTHER = [
    "p | q. p; q :- r. p : q :- r. not p :- q. not not p. #false. -p(1;2) :- |X| = X, q(X).",
    "1 < X < 3 :- p(X). #count { X : p(X) } = 1 :- q. { p : q; r } 2. &sum { x } <= 3 :- p.",
    "#external p : q. [false]\n#const n = 9. [default]\n:~ p(X).\n  [X@1,X]\n#show. #show p/1.",
    '#defined p/1.%* :- p. *%#show X : p(X). q("%* . \\" :-"). % r.\n\n\n r(0x1f..12).\n%%\n',
    "#edge (X,Y) : p(X,Y). #project p/1. #heuristic p : q. [1,sign] #program base.",
]


def kind(node):
    if node.ast_type != ASTType.Rule:
        return "declaration"
    head = node.head
    if head.ast_type == ASTType.TheoryAtom:
        return "constraint"
    if head.ast_type != ASTType.Literal:
        return "choice"
    is_atom = head.atom.ast_type == ASTType.SymbolicAtom
    return "definition" if is_atom and head.sign == Sign.NoSign else "constraint"


def place(node):
    begin, end = node.location.begin, node.location.end
    return [begin.line, begin.column, end.line, end.column]


def statements(text):
    found = []
    parse_string(text, found.append)
    assert found.pop(0).ast_type == ASTType.Program
    # Each element of #minimize is a node.
    others = (ASTType.Comment, ASTType.Minimize)
    return [[kind(node), *place(node)] for node in found if node.ast_type not in others]


def in_node(texts):
    done = subprocess.run(
        [NODE, ROOT / "tests" / "web" / "statements_in_node.mjs"],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return json.loads(done.stdout)


def test_statements_are_those_of_clingo():
    texts = [file.read_text("utf-8") for file in FILES] + FURTHER
    assert len(texts) > 100
    for name, text, found in zip([*FILES, *FURTHER], texts, in_node(texts), strict=True):
        assert [each for each in found if each[0] != "objective"] == statements(text), name
