"""What all answers have in common, computed once, as `web.warm` does for pages: here also a
comparison, with its picture. The thread in which clingo searches has ended then.
"""

import aspdoku.web.warm  # noqa: F401
from aspdoku.editor.document import Document
from aspdoku.editor.searches import shown_at

shown_at(Document("mine.lp", ".lp", {".lp": ":- a(1,1,1), not ab(mine).\n"}), 1, 5.0)
