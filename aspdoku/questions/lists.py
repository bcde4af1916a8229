"""What can be named: the bundled puzzles, `examples`, and the rules, `rules`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aspdoku.formats.examples import examples as bundled_examples
from aspdoku.program import RuleFile, library
from aspdoku.puzzle import Puzzle
from aspdoku.questions.result import Result, fields
from aspdoku.questions.text import wrapped
from aspdoku.runtime.signals import interruptible


@interruptible
def examples() -> tuple[str, ...]:
    """The names of the bundled puzzles, in alphabetical order.

    Every function about a puzzle takes `"example:NAME"`, and `read` returns it as a `Puzzle`.
    """
    return tuple(bundled_examples())


@dataclass(frozen=True, repr=False)
class Examples(Result):
    """Puzzles by their names; a line for each: its name, its title, and its rules in brackets."""

    _kind = "example"
    puzzles: Mapping[str, Puzzle]

    def _text(self) -> str:
        width = max(map(len, self.puzzles), default=0)
        lines = []
        for name, puzzle in self.puzzles.items():
            without = (f"without {each}" for each in puzzle.without)
            rules = ", ".join([*puzzle.elaborations, *without])
            words = " ".join(filter(None, (puzzle.heading, f"[{rules}]" if rules else "")))
            lines.append(wrapped(f"{name:<{width}}  {words}".rstrip(), width + 2))
        return "\n".join(lines)

    def _json(self) -> dict[str, Any]:
        described = fields("title rules=elaborations without")
        named = self.puzzles.items()
        return {"examples": [{"name": name, **described(puzzle)} for name, puzzle in named]}


class RuleFiles(Result, tuple[RuleFile, ...]):
    """Rule files; `str` is the list of names, titles and inputs that the command prints."""

    _kind, _heading = "rules", "Rules"

    def _text(self) -> str:
        width = max((len(rule.name) for rule in self), default=0)
        lines = []
        for rule in self:
            lines.append(wrapped(f"{rule.name:<{width}}  {rule.title}".rstrip(), width + 4))
            lines += [
                wrapped(f"{'':<{width}}    {item}  {item.meaning}".rstrip(), width + 6)
                for item in rule.inputs
            ]
        return "\n".join(lines)

    def _summary(self) -> str:
        return ", ".join(rule.name for rule in self)

    def _json(self) -> dict[str, Any]:
        """The name, the title and the inputs of each rule."""
        inputs = fields("name arity meaning")
        return {
            "rules": [
                fields("name file=place title")(rule) | {"inputs": list(map(inputs, rule.inputs))}
                for rule in self
            ]
        }


@interruptible
def rules() -> RuleFiles:
    """All rules with a name: those that come with aspdoku, and those on ASPDOKU_PATH."""
    return RuleFiles(library.available_rules())


def vocabulary_text() -> str:
    """The predicates of the vocabulary, with the meanings of their arguments."""
    words = library.vocabulary().values()
    meanings = [wrapped(f"  {rule.title}", 4) for rule in words]
    return "\n".join(["Definitions for rules that declare the predicate:", *meanings])
