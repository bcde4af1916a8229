"""Shell completion: what is offered when Tab is pressed. Imported while completing.

Bash ends a word at each colon (COMP_WORDBREAKS) and replaces only what follows it, so that words
such as `example:killer` need a class of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from glob import escape
from pathlib import Path

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    add_completion_class,
)

from aspdoku.cli import MODULES
from aspdoku.formats.detection import PREFIX, examples
from aspdoku.manual import pages
from aspdoku.program.library import SLIDES, base, rule_names, slides_names


def rules(param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Known names, for --without also the base's own rules; files if none of them matches.

    Those of the slides are offered if the word begins like `slides/`.
    """
    last = incomplete.rpartition(",")[2]
    known = [*rule_names(), *(sorted(base().retractable) if param.name == "without" else ())]
    if last and (SLIDES.startswith(last) or last.startswith(SLIDES)):
        known += slides_names()
    return _in_list(known, incomplete) or [CompletionItem(incomplete, type="file")]


def puzzles(_: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The bundled puzzles if the word begins like `example:` and no file does, else files."""
    begun = incomplete and (PREFIX.startswith(incomplete) or incomplete.startswith(PREFIX))
    if not begun or any(Path().glob(f"{escape(incomplete)}*")):
        return [CompletionItem(incomplete, type="file")]
    return _beginning(incomplete, (f"{PREFIX}{name}" for name in examples()))


def engines(_: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The names of the engines that `compare` runs."""
    from aspdoku import formalisms  # only one option needs it

    return _in_list(formalisms.engines(), incomplete)


def lessons(_: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The names of the bundled lessons, else files."""
    from aspdoku.lesson import bundled_lessons

    named = _beginning(incomplete, bundled_lessons())
    return named or [CompletionItem(incomplete, type="file")]


def _beginning(incomplete: str, words: Iterable[str]) -> list[CompletionItem]:
    return [CompletionItem(word) for word in words if word.startswith(incomplete)]


def _in_list(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    before, comma, last = incomplete.rpartition(",")
    return [CompletionItem(before + comma + word) for word in words if word.startswith(last)]


# By the name of the type of a parameter.
COMPLETIONS: dict[str, Callable[[click.Parameter, str], list[CompletionItem]]] = {
    "rule": rules,
    "grid": puzzles,
    "example": lambda _, incomplete: _beginning(incomplete, examples()),
    "command": lambda _, incomplete: _beginning(incomplete, MODULES),
    "topic": lambda _, incomplete: _beginning(incomplete, pages()),
    "engine": engines,
    "lesson": lessons,
    "file": lambda _, incomplete: [CompletionItem(incomplete, type="file")],
}


class ColonComplete(BashComplete):
    """Completion that joins the words on both sides of a colon."""

    _before = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The complete words, and the one at the cursor."""
        args, incomplete = super().get_completion_args()
        if incomplete == ":" and args:
            args, incomplete = [*args, incomplete], ""
        if len(args) > 1 and args[-1] == ":":
            self._before = f"{args[-2]}:"
            return args[:-2], self._before + incomplete
        return args, incomplete

    def format_completion(self, item: CompletionItem) -> str:
        """The line for the script: the type, and the part of the value that bash inserts."""
        return f"{item.type},{item.value.removeprefix(self._before)}"


class CommaComplete(FishComplete):
    """Completion in fish of names that commas separate, of which click's script keeps the first."""

    source_template = FishComplete.source_template.replace('split ","', 'split --max 1 ","')


add_completion_class(ColonComplete)
add_completion_class(CommaComplete)
