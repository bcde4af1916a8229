"""Rule files: finding, describing, checking and composing them into one program. Does not solve."""

from aspdoku.program.compose import Part, Program, assemble, compose
from aspdoku.program.rulefile import Input, RuleFile

__all__ = ["Input", "Part", "Program", "RuleFile", "assemble", "compose"]
