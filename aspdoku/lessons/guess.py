"""All instances of a size at once: the inputs of a rule as a free choice, so that a question is asked of every puzzle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from aspdoku.program import Input, RuleFile

# What a letter stands for in the whole of `asp/`, and so what an argument called by it can be.
_RANGES: Mapping[str, str] = {
    "R": "row({})",
    "C": "column({})",
    "N": "number({})",
    "I": "{} = 1..2",  # two cages, lines or chains tell apart what one does and what they do together
    "K": "number({})",
    "S": "{} = 0..n*n",
}
_OTHERWISE = "number({})"
_EXCEPTIONS = "ab"


def guessing(inputs: Iterable[Input], name: str = "guess") -> RuleFile:
    """A rule file in which each input is any set of facts.

    The arguments range over what the letters in the comment behind its `#defined` stand for, as in `gt(R,C,R1,C1): …`, and
    over the numbers of the grid where there is no comment.
    """
    lines = []
    for item in inputs:
        arguments = item.arguments or [f"X{index}" for index in range(1, item.arity + 1)]
        ranges = [_RANGES.get(argument[0], _OTHERWISE).format(argument) for argument in arguments]
        atom = f"{item.name}({','.join(arguments)})" if arguments else item.name
        lines += [f"{{ {atom} : {', '.join(ranges)} }}." if ranges else f"{{ {atom} }}.", f"#show {item}."]
    return RuleFile(name, "any instance", "\n".join([*lines, ""]), vetted=True)


def all_inputs(rules: Iterable[RuleFile]) -> list[Input]:
    """The inputs of these files, each once, as the first of them that says what it means describes it."""
    found: dict[tuple[str, int], Input] = {}
    for item in (item for rule in rules for item in rule.inputs):
        key = item.name, item.arity
        if key not in found or not found[key].meaning:
            found[key] = item
    return list(found.values())
