"""A rule file whose ground rules can be traced to their lines: each carries an atom that says where it comes from.

The atom is a free external, so that grounding neither assumes nor simplifies it, and the rules stay what they were.
"""

from __future__ import annotations

from aspdoku.program.rulefile import RuleFile
from aspdoku.program.syntax import heads, parse, place_of, signature

MARK = "from_line"


def marked(rule: RuleFile, file: int) -> RuleFile:
    """The file with `from_line(FILE,LINE)` in the body of each constraint and of each rule that chooses; FILE is a number.

    Definite rules are left alone: most of them become facts, which their heads give away.
    """
    statements, _ = parse(rule)
    lines = []
    for statement in statements:
        kind = statement.ast_type.name
        if kind == "Comment":
            continue
        if kind == "Rule" and (not any(heads(statement)) or statement.head.ast_type.name != "Literal"):
            mark = f"{MARK}({file},{place_of(statement)[0]})"
            head = "" if not any(heads(statement)) else str(statement.head)
            body = "; ".join([*map(str, statement.body), mark])
            lines += [f"#external {mark}. [free]", f"{head} :- {body}."]
        else:
            lines.append(str(statement))
    return RuleFile(rule.name, rule.place, "\n".join([*lines, ""]), vetted=True)


def definitions(rule: RuleFile) -> dict[tuple[str, int], list[int]]:
    """The lines on which the file defines each of its predicates."""
    found: dict[tuple[str, int], list[int]] = {}
    for statement in parse(rule)[0]:
        for head in heads(statement):
            found.setdefault(signature(head), []).append(place_of(statement)[0])
    return found
