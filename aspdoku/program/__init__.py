"""Rule files: find, parse, lint and compose them into one logic program. Does not solve.

`library` finds rule files by name, `rulefile` reads their text and declarations, `syntax` parses
them with clingo, `lint` and `diagnostics` check them, and `compose` assembles the program. `guards`
and `negation` rewrite rule files for explanations and for the comparison of rules.
"""

from aspdoku.program.compose import Part, Program, assemble, compose, with_facts_only
from aspdoku.program.rulefile import RuleFile
from aspdoku.puzzle.inputs import Input

__all__ = ["Input", "Part", "Program", "RuleFile", "assemble", "compose", "with_facts_only"]
