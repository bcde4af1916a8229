"""The hypothesis space of `aspdoku learn`: a file in ASP, divided into blocks.

What precedes the first block, a block `%! cells WORDS` and a block `%! relation WORDS` are the text
of a rule. `%! rule NAME` and `%! rules` name rule files. The file as a whole is ASP, too, so that
it is vetted once, not for each combination.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from aspdoku.errors import RuleError
from aspdoku.program import RuleFile, library
from aspdoku.program.lint import require_compatible, require_valid
from aspdoku.program.transform import negate

_BLOCK = re.compile(r"^%![ \t]*(.*?)[ \t]*$", re.M)
_NAME = "learned"


class Space(NamedTuple):
    """A hypothesis space: how messages call its file, and its rules, the preferred ones first."""

    place: str
    rules: tuple[RuleFile, ...]


def hypotheses(path: Path | None = None) -> Space:
    """The rules in a file, by default the bundled one.

    Raises RuleError, with the line, if the file is invalid or has rules that cannot be compared.
    """
    file = library.bundled("hypotheses.lp") if path is None else RuleFile.read(path)
    if path is not None:
        require_valid(file)
        negate(file, "space")  # an error in a combination would not have a line of the file
        require_compatible(file)
    start, *blocks = _blocks(file)
    named: list[RuleFile] = []
    cells, relations = [], []
    for block in blocks:
        if block.kind == "rules":
            named += _without_inputs()
        elif block.kind == "rule":
            named.append(_named(file, block))
        elif block.kind == "cells":
            cells.append(block)
        else:
            relations.append(block)
    combined = [_combined(file, start, *pair) for pair in _pairs(cells, relations)]
    rules = tuple(dict.fromkeys((*named, *combined)))
    if not rules:
        raise RuleError(
            f"{file.place}: no rules to choose from: add `%! rules`, or a block `%! cells WORDS`"
            " and a block `%! relation WORDS`"
        )
    return Space(file.place, rules)


class _Block(NamedTuple):
    kind: str
    words: str
    text: str
    line: int


def _blocks(file: RuleFile) -> Iterator[_Block]:
    """What precedes the first block, and the blocks."""
    found = list(_BLOCK.finditer(file.text))
    ends = [*(each.start() for each in found), len(file.text)]
    yield _Block("", "", file.text[: ends[0]], 1)
    for each, end in zip(found, ends[1:], strict=True):
        kind, _, words = each[1].partition(" ")
        line = file.text.count("\n", 0, each.start()) + 1
        if kind not in ("rules", "rule", "cells", "relation") or (kind == "rules") == bool(words):
            raise RuleError(
                f"{file.place}:{line}:1: unknown block {each[0]!a}: expected `%! rules`,"
                " `%! rule NAME`, `%! cells WORDS` or `%! relation WORDS`"
            )
        text = file.text[each.end() : end].strip()
        if (kind in ("cells", "relation")) == (not RuleFile.from_text(kind, text).code.strip()):
            what = "is empty" if kind in ("cells", "relation") else "contains a rule"
            raise RuleError(f"{file.place}:{line}:1: the block {each[0]!a} {what}")
        yield _Block(kind, words.strip(), text, line)


def _pairs(cells: list[_Block], relations: list[_Block]) -> Iterator[tuple[_Block, _Block]]:
    return ((place, relation) for relation in relations for place in cells)


def _combined(file: RuleFile, start: _Block, cells: _Block, relation: _Block) -> RuleFile:
    # The comment at the top is about the file; the declarations below it are part of each rule.
    _, _, shared = start.text.partition("\n\n")
    title = f"% Cells {cells.words} {relation.words}."
    text = "\n\n".join(filter(None, (title, shared.strip(), cells.text, relation.text)))
    return RuleFile(_NAME, f"{file.place}:{cells.line} and {relation.line}", f"{text}\n", True)


def _named(file: RuleFile, block: _Block) -> RuleFile:
    folder = file.path.parent if file.path else None
    try:
        rule = library.find_for(folder, block.words)
    except RuleError as error:
        raise error.at(f"{file.place}:{block.line}:1") from None
    if rule.inputs:
        raise RuleError(
            f"{file.place}:{block.line}:1: {block.words} has inputs, such as {rule.inputs[0]}:"
            " only rules without inputs can be learned"
        )
    if not rule.vetted:
        require_valid(rule)
    return rule


def _without_inputs() -> list[RuleFile]:
    """The bundled rules that forbid grids, whatever the puzzle, and are not part of each puzzle."""
    taken = library.default_names()
    return [
        rule
        for rule in library.available_rules()
        if rule.vetted and not rule.inputs and rule.name not in taken and not rule.shown
    ]
