"""The functional syntax of OWL: an ontology taken apart into its axioms, and put together with more."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aspdoku.lessons.rivals.engine import EngineError

# A name in full, a text, a comment, a parenthesis, or anything else up to the next of these.
_TOKEN = re.compile(r'<[^>]*>|"(?:[^"\\]|\\.)*"|#[^\n]*|[()]|[^\s()<"#]+')

# What may be written in any order means the same in all.
_SYMMETRIC = {
    "DifferentIndividuals",
    "SameIndividual",
    "DisjointClasses",
    "EquivalentClasses",
    "ObjectIntersectionOf",
    "ObjectOneOf",
    "ObjectUnionOf",
}


def axioms(text: str) -> list[str]:
    """The axioms of an ontology, each once however often it is written: an ontology is a set. Operands are in a fixed order.

    Raises EngineError where parentheses do not match or there is no ontology.
    """
    tokens = [token for token in _TOKEN.findall(text) if not token.startswith("#")]
    if "Ontology" not in tokens:
        raise EngineError("the text holds no ontology")
    rest = iter(tokens[tokens.index("Ontology") + 1 :])
    if next(rest, "") != "(":
        raise EngineError("Ontology is not followed by a parenthesis")
    return list(dict.fromkeys(part for part in _operands(rest) if part.endswith(")")))


def joined(program: str, instance: str) -> str:
    """An ontology and more axioms as one ontology, without comments, which some of the parsers do not know."""
    body, closed, _ = program.rpartition(")")
    if not closed:
        raise EngineError("the text holds no ontology")
    whole = f"{body}\n{instance})\n"
    return _TOKEN.sub(lambda token: "" if token[0].startswith("#") else token[0], whole)


def _operands(rest: Iterator[str]) -> list[str]:
    """What stands up to the parenthesis that closes."""
    found: list[str] = []
    for token in rest:
        if token == ")":
            return found
        if token == "(":
            if not found:
                raise EngineError("a parenthesis without a name before it")
            name, operands = found.pop(), _operands(rest)
            found.append(f"{name}({' '.join(sorted(operands, key=_natural) if name in _SYMMETRIC else operands)})")
        else:
            found.append(token)
    raise EngineError("a parenthesis is not closed")


def _natural(text: str) -> list[tuple[int, str]]:
    """A key that puts N10 after N9."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", text)]
