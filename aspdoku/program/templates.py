"""The Jinja templates of programs and of new rule files.

The text of a program without its instance depends on few things and is often the same; it is kept
next to the template, as Python keeps bytecode, so that most commands need not import Jinja, which
takes longer than to solve a puzzle. A process that composes many programs also keeps it in memory.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from aspdoku.errors import RuleError
from aspdoku.program.library import base, data_dir, rule_names
from aspdoku.program.rulefile import suggested_name
from aspdoku.writing import write

if TYPE_CHECKING:
    from jinja2 import Environment

_PROGRAM, _RULE, _WORDS = "program.lp.j2", "new.lp.j2", "new.words.j2"
_EXAMPLES = "new.examples.j2"
# In place of the instance; no text of a program contains it, since clingo would stop reading there.
_INSTANCE = "\0"
# Texts that are kept, at most; a later one may replace an earlier one. A prime number, so that each
# byte of a key counts.
_SLOTS = 251


def program_text(
    constants: Mapping[str, str | int],
    parts: Sequence[tuple[str, str]],
    instance: str,
    retractions: Sequence[str],
) -> str:
    """The text of a program: constants, rule files, facts of the puzzle, retractions."""
    before, after = _around_instance(
        data_dir() / "templates", tuple(constants.items()), tuple(parts), tuple(retractions)
    )
    return f"{before}{instance}{after}"


@lru_cache(maxsize=32)
def _around_instance(
    folder: Path,
    constants: tuple[tuple[str, str | int], ...],
    parts: tuple[tuple[str, str], ...],
    retractions: tuple[str, ...],
) -> tuple[str, str]:
    values = {"constants": dict(constants), "parts": parts, "retractions": retractions}
    key = repr((folder.joinpath(_PROGRAM).read_text("utf-8"), values))
    slot = int.from_bytes(_encoded(key), "big") % _SLOTS
    file = folder / "__pycache__" / f"program-{slot:02x}.txt"
    with suppress(OSError, ValueError):
        kept, before, after = file.read_bytes().decode("utf-8", "surrogatepass").split(_INSTANCE)
        if kept == key:
            return before, after
    text = _environment().get_template(_PROGRAM).render(values, instance=_INSTANCE)
    before, after = text.split(_INSTANCE)
    if not sys.dont_write_bytecode:
        with suppress(OSError):  # the folder may be read-only
            file.parent.mkdir(exist_ok=True)
            write(file, _encoded(_INSTANCE.join((key, before, after))))
    return before, after


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


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
    """The text of a small commented rule file, or RuleError for a name that `--with` rejects."""
    if not _NAME.fullmatch(name):
        advice = "use lowercase letters, digits and hyphens, e.g. anti-knight"
        if name[:1].isascii() and name[:1].isdigit():
            advice = f"begin with a lowercase letter, e.g. {suggested_name(name)}"
        raise RuleError(f"invalid rule name {name!a}: {advice}")
    if name in rule_names():
        raise RuleError(f"rule '{name}' already exists; see `aspdoku rules {name}`")
    symbol = name.replace("-", "_")
    if symbol in base().retractable:
        taken = f"the base has a rule called '{name}', which --without {name} would retract, too"
        raise RuleError(f"{taken}: choose another name")
    if symbol == "not":
        raise RuleError("'not' is a keyword of clingo and cannot name a rule: choose another name")
    return template_text(name)


def template_text(name: str) -> str:
    """The text of the template for a rule of any name."""
    return _environment().get_template(_RULE).render(name=name, symbol=name.replace("-", "_"))


def words_template(name: str) -> str:
    """The text of a small commented `.words` file for a rule whose name `rule_template` accepts."""
    called = " ".join(re.findall("[0-9]+|[a-z]+", name))
    return _environment().get_template(_WORDS).render(name=name, called=called)


def examples_template(name: str) -> str:
    """The text of a file of examples for such a rule, all of them in comments."""
    return _environment().get_template(_EXAMPLES).render(name=name)
