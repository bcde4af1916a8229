"""The rules with a name: `rules`."""

from __future__ import annotations

from typing import Any

from aspdoku.program import RuleFile, library
from aspdoku.puzzle.render import shortened
from aspdoku.questions.layout import unwrapped, wrapped
from aspdoku.questions.result import Section, fields, result_part, tagged
from aspdoku.runtime.signals import interruptible


class RuleFiles(tuple[RuleFile, ...]):
    """Rule files; `str` is the list of names, titles and inputs that the command prints, and a
    notebook shows it.
    """

    __slots__ = ()

    def __str__(self) -> str:
        width = max((len(rule.name) for rule in self), default=0)
        lines = []
        for rule in self:
            lines.append(wrapped(f"{rule.name:<{width}}  {rule.title}".rstrip(), width + 4))
            lines += [
                wrapped(f"{'':<{width}}    {item}  {item.meaning}".rstrip(), width + 6)
                for item in rule.inputs
            ]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<RuleFiles: {shortened(', '.join(rule.name for rule in self))}>"

    def _repr_html_(self) -> str:
        with unwrapped():
            return result_part(Section(str(self)))

    def to_json(self) -> dict[str, Any]:
        """The name, the title and the inputs of each rule."""
        return tagged("rules", {"rules": list(map(_rule_json, self))})


def _rule_json(rule: RuleFile) -> dict[str, Any]:
    inputs = list(map(fields("name arity meaning"), rule.inputs))
    return fields("name file=place title")(rule) | {"inputs": inputs}


@interruptible
def rules() -> RuleFiles:
    """All rules with a name: those that come with aspdoku, and those on ASPDOKU_PATH."""
    return RuleFiles(library.available_rules())


def vocabulary_text() -> str:
    """The predicates of the vocabulary, with the meanings of their arguments."""
    words = library.vocabulary().values()
    meanings = [wrapped(f"  {rule.title}", 4) for rule in words]
    return "\n".join(["Definitions for rules that declare the predicate:", *meanings])
