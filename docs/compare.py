"""Store what the changes of rivals/table take in each formalism: `python docs/compare.py`.

Each encoding is run, which takes up to half an hour, and an engine is left out of a change if it is
not installed or its answer is not that of clingo. `aspdoku lesson` shows rivals/changes.json.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from aspdoku.formalisms.comparison import (
    EngineResult,
    compare_formalisms,
    engines_named,
    table_puzzles,
)
from aspdoku.formalisms.engine import CHANGES, encodings_dir
from aspdoku.program import compose

_SECONDS = 400.0  # a reasoner takes some minutes
# Those of one formalism each; what clingo reads of aspdoku comes first.
_ENGINES = ["asp", "asp-slides", "prolog-sized", "cp-sat", "owl-sees", "sat"]
# Statements of each kind that are stored: ground programs have thousands.
MOST = 40


def row(result: EngineResult) -> dict[str, Any]:
    """A formalism as `aspdoku.lesson` shows it."""
    change = result.change
    return {
        "name": result.engine.title,
        "note": "ground" if result.engine.ground else "",
        "added": len(change.added),
        "removed": len(change.removed),
        "statements": {"added": change.added[:MOST], "removed": change.removed[:MOST]},
    }


def main() -> None:
    """Write the file."""
    found = {}
    for heading, puzzle in table_puzzles().items():
        results = compare_formalisms(compose(puzzle), engines_named(_ENGINES), _SECONDS)
        rows = [row(each) for each in results if each.status == "agrees"]
        found[Path(puzzle.name).stem] = {"change": heading, "rows": rows}
    text = json.dumps(found, indent=1, ensure_ascii=False)
    (encodings_dir() / CHANGES).write_text(f"{text}\n", "utf-8")


if __name__ == "__main__":
    main()
