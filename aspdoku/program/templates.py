"""The Jinja templates in `asp/templates/`. Rule files are values in them and never templates themselves."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined

from aspdoku.program.library import home


@cache
def environment() -> Environment:
    """What renders them: an unknown name is an error, and a tag leaves no empty line."""
    templates = home() / "templates"
    return Environment(
        loader=FileSystemLoader(templates),
        undefined=StrictUndefined,
        bytecode_cache=_bytecode_cache(templates / "__pycache__"),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _bytecode_cache(folder: Path) -> FileSystemBytecodeCache | None:
    """Compiled templates beside the templates, as Python keeps its own, where it may write there."""
    if sys.dont_write_bytecode:
        return None
    try:
        folder.mkdir(exist_ok=True)
    except OSError:
        return None
    return FileSystemBytecodeCache(str(folder)) if os.access(folder, os.W_OK) else None
