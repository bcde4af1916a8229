"""The Jinja templates of programs and of new rule files.

The text of a program without its instance depends on few things and is often the same; it is kept
next to the template, as Python keeps bytecode, so that most commands need not import Jinja, which
takes longer than to solve a puzzle.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from aspdoku.errors import RuleError
from aspdoku.program.library import base, data_dir, rule_names
from aspdoku.program.rulefile import suggested_name

if TYPE_CHECKING:
    from jinja2 import Environment

_PROGRAM, _RULE = "program.lp.j2", "new.lp.j2"
# In place of the instance; no text of a program contains it, since clingo would stop reading there.
_INSTANCE = "\0"
# Texts that are kept, at most; a later one may replace an earlier one.
_SLOTS = 256


def program_text(
    constants: Mapping[str, str | int],
    parts: Sequence[tuple[str, str]],
    instance: str,
    retractions: Sequence[str],
) -> str:
    """The text of a program.

    parts: name and text of each rule file
    instance: the facts of the puzzle, on lines of their own
    retractions: facts
    """
    values = {"constants": dict(constants), "parts": parts, "retractions": retractions}
    folder = data_dir() / "templates"
    key = json.dumps([(folder / _PROGRAM).read_text("utf-8"), values])
    file = folder / "__pycache__" / f"program-{crc32(key.encode()) % _SLOTS:02x}.json"
    with suppress(OSError, ValueError, TypeError):
        kept, before, after = json.loads(file.read_text("utf-8"))
        if kept == key:
            return f"{before}{instance}{after}"
    text = _environment().get_template(_PROGRAM).render(values, instance=_INSTANCE)
    before, after = text.split(_INSTANCE)
    if not sys.dont_write_bytecode:
        with suppress(OSError):  # the folder may be read-only
            _replace(file, json.dumps([key, before, after]))
    return f"{before}{instance}{after}"


def _replace(file: Path, text: str) -> None:
    """Write a file that others may be reading or writing."""
    file.parent.mkdir(exist_ok=True)
    written = file.with_suffix(f".{os.getpid()}")
    written.write_text(text, "utf-8")
    written.replace(file)


@cache
def _environment() -> Environment:
    """The Jinja environment: unknown names are errors, and lines with only a tag are removed."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(data_dir() / "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


def rule_template(name: str) -> str:
    """The text of a small commented rule file.

    Raises RuleError for a name that `--with` would not accept or that is taken.
    """
    if not _NAME.fullmatch(name):
        digit = name[:1].isascii() and name[:1].isdigit()
        raise RuleError(
            f"invalid rule name {name!a}: begin with a lowercase letter, e.g."
            f" {suggested_name(name)}"
            if digit
            else f"invalid rule name {name!a}: use lowercase letters, digits and hyphens, e.g."
            " anti-knight"
        )
    if name in rule_names():
        raise RuleError(f"rule '{name}' already exists; see `aspdoku rules {name}`")
    symbol = name.replace("-", "_")
    if symbol in base().retractable:
        raise RuleError(
            f"the base has a rule called '{name}', which --without {name} would retract, too:"
            " choose another name"
        )
    if symbol == "not":
        raise RuleError("'not' is a keyword of clingo and cannot name a rule: choose another name")
    return template_text(name)


def template_text(name: str) -> str:
    """The text of the template for a rule of any name."""
    return _environment().get_template(_RULE).render(name=name, symbol=name.replace("-", "_"))
