"""The Jinja templates in `asp/templates/`.

Rule files are values in them and never templates themselves.
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
    """What renders them: an unknown name is an error, and a tag leaves no empty line."""
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
    """Compiled templates next to their sources, as Python keeps bytecode, if it is writable."""
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

    Raises RuleError for a name that `--with` could not call it by.
    """
    if not _NAME.fullmatch(name):
        raise RuleError(
            f"{name!a} is no name for a rule; take small letters, digits and hyphens, as in"
            " anti-knight"
        )
    if name in rule_names():
        raise RuleError(
            f"'{name}' is the name of a rule that is there already: aspdoku rules {name}"
        )
    return environment().get_template("new.lp.j2").render(name=name, symbol=name.replace("-", "_"))
