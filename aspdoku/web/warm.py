"""What all answers have in common, computed once: the children of `runtime.fork_server` have what
the process that forks them has imported. Here it compiles templates and parses the base and the
default rules, which takes longer than to refute a rule by a known grid. No thread is started.
"""

import aspdoku.web.classroom  # noqa: F401  # which imports what answers need
from aspdoku.drawing import picture
from aspdoku.drawing.output import svg
from aspdoku.program import RuleFile, assemble, library
from aspdoku.program.lint import check
from aspdoku.program.transform import helper_rules
from aspdoku.puzzle import Puzzle

svg(picture(Puzzle.blank(4)))
check(RuleFile.from_text("mine", ":- a(1,1,1).\n"))
assemble(Puzzle.blank(4), map(helper_rules, library.game()))
