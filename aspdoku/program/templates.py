"""The Jinja templates of programs and of new rule files."""

from __future__ import annotations

import os
import re
import sys
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined

from aspdoku.errors import RuleError
from aspdoku.program.library import base, data_dir, rule_names
from aspdoku.program.rulefile import suggested_name


@cache
def environment() -> Environment:
    """The Jinja environment: unknown names are errors, and lines with only a tag are removed."""
    templates = data_dir() / "templates"
    return Environment(
        loader=FileSystemLoader(templates),
        undefined=StrictUndefined,
        bytecode_cache=_bytecode_cache(templates / "__pycache__"),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _bytecode_cache(folder: Path) -> FileSystemBytecodeCache | None:
    """Cache compiled templates next to their sources, as Python caches bytecode, if writable."""
    if sys.dont_write_bytecode:
        return None
    try:
        folder.mkdir(exist_ok=True)
    except OSError:
        return None
    return FileSystemBytecodeCache(str(folder)) if os.access(folder, os.W_OK) else None


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
    return environment().get_template("new.lp.j2").render(name=name, symbol=name.replace("-", "_"))
