"""What is read from every known puzzle, compared with stored digests.

A digest covers the grid, box shape, facts, rules, retracted rules, title, numbers and unsupported
constraints of every puzzle in a collection, as they are read without rules in words. It guards
refactorings of the readers; after a deliberate change of what is read, or of the wording of
unsupported constraints, replace it. The published puzzles are not part of the repository, only
their digests are.
"""

import json
from collections import defaultdict
from hashlib import sha256
from pathlib import Path

import pytest
from instance_files import ROOT

from aspdoku.errors import PuzzleError
from aspdoku.formats import parse_all, registry

DATA = Path(__file__).parents[3] / "shared" / "data"
DIGESTS = {
    "81char": "b9bf401265414f35",
    "fpuzzles-json": "39babba2e0d91f0e",
    "iss-string": "219a7da70bac3362",
    "iss-text": "212625480670fe8a",
    "lisudoku-json": "38269f4155a2e1c3",
    "demystify-json": "3d99616c1ea0abcd",
    "lt-list": "29455a6617294414",
    "strimko-json": "f0635eba1f2a5159",
    "puzzlekit-text": "df14e3696db03456",
    "clues-17.txt": "5e6dbbaeab338eaa",
    "hardest.txt": "d433f0b213e66318",
}
INSTANCES = "1b0f63d9d4950459"


def read_plain(text):
    """The puzzles in a text, without what is read from rules in words."""
    format_ = registry.detect(text)
    return format_.plain(text, "") if format_ and format_.plain else parse_all(text)


def digest(texts):
    """A hash of what is read from these texts, errors included."""
    content = sha256()
    for text in texts:
        try:
            puzzles = read_plain(text)
        except PuzzleError:
            content.update(b"rejected\n")
            continue
        for puzzle in puzzles:
            facts = [str(fact) for fact in puzzle.facts]
            rules = (puzzle.elaborations, puzzle.without, puzzle.unsupported)
            read = (puzzle.grid, puzzle.box, facts, rules, puzzle.title, puzzle.numbers)
            content.update(f"{read}\n".encode())
    return content.hexdigest()[:16]


def collections():
    """The texts of the published puzzles by format or file."""
    texts = defaultdict(list)
    for line in (DATA / "puzzles.jsonl").read_text("utf-8").splitlines():
        document = json.loads(line)
        puzzle = document["puzzle"]
        texts[document["format"]].append(puzzle if isinstance(puzzle, str) else json.dumps(puzzle))
    for name in ("clues-17.txt", "hardest.txt"):
        texts[name] = [(DATA / name).read_text("utf-8")]
    return texts


@pytest.mark.skipif(not DATA.is_dir(), reason=f"the published puzzles are not in {DATA}")
def test_published_puzzles_are_read_as_before():
    assert {name: digest(texts) for name, texts in collections().items()} == DIGESTS


def test_the_instances_are_read_as_before():
    files = sorted((ROOT / "instances").rglob("*.txt"), key=lambda file: file.as_posix())
    assert digest(file.read_text("utf-8") for file in files) == INSTANCES
