"""HTML and SVG from the templates in `templates`, with everything escaped."""

from __future__ import annotations

from functools import cache

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from aspdoku.puzzle.term import printable

# Pages include the stylesheets that a server sends.
_FOLDERS = (PackageLoader("aspdoku"), PackageLoader("aspdoku", "web/static"))


def render(template: str, **values: object) -> str:
    """The template with these values."""
    return _environment().get_template(template).render(values)


def _printable(value: object) -> object:
    """The value without control characters, some of which XML excludes; markup is unchanged."""
    return printable(value) if type(value) is str else value


@cache
def _environment() -> Environment:
    return Environment(
        loader=ChoiceLoader(_FOLDERS),
        autoescape=True,
        finalize=_printable,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
