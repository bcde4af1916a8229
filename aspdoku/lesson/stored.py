"""Stored results of `aspdoku compare`: what the same change takes in each formalism.

`docs/compare.py` makes the file `rivals/changes.json`; each encoding in it was run, and gave the
right answer.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from aspdoku.formalisms.engine import encodings_dir

FILE = "changes.json"


@cache
def stored_changes() -> dict[str, dict[str, Any]]:
    """The changes by the name of the puzzle: `change`, and `rows` with name, note, added, removed
    and the first statements of both.
    """
    found: dict[str, dict[str, Any]] = json.loads((encodings_dir() / FILE).read_text("utf-8"))
    return found
