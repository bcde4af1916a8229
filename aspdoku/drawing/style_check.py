"""Check the `.draw` file next to a rule file."""

from __future__ import annotations

import re
from pathlib import Path

from aspdoku.drawing.style import MAX_FILE_SIZE, draw_file_styles
from aspdoku.errors import AspdokuError, did_you_mean
from aspdoku.program import library
from aspdoku.program.lint import defined_predicates
from aspdoku.program.messages import Message
from aspdoku.program.rulefile import RuleFile, read_text
from aspdoku.puzzle.inputs import Input


def check_style(path: Path) -> list[Message]:
    """The errors in the `.draw` file next to the rule file at `path`, if there is such a file.

    A table for a predicate that the rule neither declares nor defines is an error, too.
    If the rule file cannot be read, there are none: `program.lint` reports that.
    """
    try:
        rule = RuleFile.read(path, str(path))
    except AspdokuError:
        return []
    try:
        styles = draw_file_styles(rule)
    except AspdokuError as error:
        return [Message("", 0, 0, "error", str(error))]
    known = {item.signature for item in rule.inputs} | defined_predicates(rule)
    known |= defined_predicates(library.base())
    wrong = [atom for style in styles for atom in style.atoms if atom.signature not in known]
    return [_unknown(atom, rule, path.with_suffix(".draw"), known) for atom in wrong]


def _unknown(atom: Input, rule: RuleFile, file: Path, known: set[tuple[str, int]]) -> Message:
    text = read_text(file, str(file), "a style file", MAX_FILE_SIZE)
    heading = re.search(rf"(?<!\w){re.escape(atom.name)}\s*\(", text)
    offset = heading.start() if heading else 0
    line, column = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
    arities = sorted(arity for name, arity in known if name == atom.name)
    advice = (
        f" Did you mean {atom.name}/{arities[0]}?"
        if arities
        else did_you_mean(atom.name, sorted(name for name, _ in known))
    )
    what = f"{rule.place} neither declares nor defines {atom}"
    message = Message(str(file), line, column, "error", f"{what}: nothing is drawn.{advice}")
    return message.with_excerpt(text)
