"""Completion in bash of words with a colon, such as `example:killer`; imported while completing.

Bash ends a word at each colon (COMP_WORDBREAKS) and replaces only what follows it.
"""

from __future__ import annotations

from click.shell_completion import BashComplete, CompletionItem, add_completion_class


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


add_completion_class(ColonComplete)
