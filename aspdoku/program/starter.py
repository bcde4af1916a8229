"""A rule file to start from, for somebody who writes the first one."""

from __future__ import annotations

import re

from aspdoku.errors import RuleError
from aspdoku.program.library import names
from aspdoku.program.templates import environment

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


def starter(name: str) -> str:
    """The text of a small commented rule file. Raises RuleError for a name that `--with` could not call it by."""
    if not _NAME.fullmatch(name):
        raise RuleError(f"{name!a} is no name for a rule; take small letters, digits and hyphens, as in anti-knight")
    if name in names():
        raise RuleError(f"'{name}' is the name of a rule that is there already: aspdoku rules {name}")
    return environment().get_template("new.lp.j2").render(name=name, symbol=name.replace("-", "_"))
