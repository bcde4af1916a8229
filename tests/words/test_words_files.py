"""The files next to rules that say in which words the rules are stated."""

from __future__ import annotations

from pathlib import Path

import pytest

from aspdoku.errors import RuleError
from aspdoku.program.library import data_dir, rule_names
from aspdoku.words import Reader

LEXICON = data_dir() / "lexicon.txt"


def read(folder: Path, words: str, text: str) -> list[str]:
    """The rules that a text states with one more file."""
    (folder / "mirror.words").write_text(words, "utf-8")
    return [
        s.rule
        for each in Reader([folder / "mirror.words"], LEXICON).read(text)
        for s in each.stated
    ]


def test_a_new_file_is_enough_for_a_new_rule(tmp_path: Path) -> None:
    words = "draw: line\nnames: mirror line\nsays: line sum least:D (adjacent|name) [given]\n"
    assert read(tmp_path, words, "Adjacent digits on a line sum to at least 9.") == ["mirror"]
    assert read(tmp_path, words, "Digits on mirror lines sum to at least 9.") == ["mirror"]
    assert read(tmp_path, words, "Digits on lines sum to at least 9.") == []
    assert read(tmp_path, words, "Adjacent digits on a line sum to 9.") == []


@pytest.mark.parametrize(
    "word", ["not", "may", "only", "all", "odd", "exactly", "least", "not-all"]
)
def test_words_that_change_a_meaning_are_never_optional(tmp_path: Path, word: str) -> None:
    with pytest.raises(RuleError, match=f"mirror.words:2: '{word}' changes a meaning"):
        read(tmp_path, f"draw: line\nsays: line sum [given {word}]\n", "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("says: line zebra\n", "mirror.words:1: the lexicon has no feature 'zebra'"),
        ("says: line\n", "mirror.words:1: a statement needs a feature besides the elements"),
        ("says: line (sum|least:D\n", "mirror.words:1: .* a bracket is not closed"),
        ("sings: line sum\n", "mirror.words:1: 'sings: line sum' is no line of a .words file"),
    ],
)
def test_invalid_files(tmp_path: Path, words: str, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        read(tmp_path, words, "")


def test_every_file_is_next_to_its_rule() -> None:
    names = {file.stem for file in (data_dir() / "elaborations").glob("*.words")}
    assert names <= set(rule_names())
