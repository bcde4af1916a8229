"""The Jinja templates in `asp/templates/`. Rule files are values in them and never templates themselves."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from aspdoku.program.library import home


@cache
def environment() -> Environment:
    """What renders them: an unknown name is an error, and a tag leaves no empty line."""
    return Environment(
        loader=FileSystemLoader(home() / "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
