"""Rule files made from texts in tests."""

from aspdoku.program import RuleFile


def rule_file(text, name="mine"):
    """A rule file of this name with this text."""
    return RuleFile(name, f"{name}.lp", text)
