"""The Jinja templates in `asp/templates/`.

Rule files are inserted as values; they are never used as templates.
"""

from __future__ import annotations

import os
import re
import sys
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined

from aspdoku.errors import RuleError
from aspdoku.program.library import data_dir, rule_names


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
        raise RuleError(
            f"invalid rule name {name!a}: use lowercase letters, digits and hyphens, e.g."
            " anti-knight"
        )
    if name in rule_names():
        raise RuleError(f"rule '{name}' already exists; see `aspdoku rules {name}`")
    return environment().get_template("new.lp.j2").render(name=name, symbol=name.replace("-", "_"))
