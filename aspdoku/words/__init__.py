"""Rules in words: which rules a text in English states, and what of it is not understood.

>>> from aspdoku.words import reader
>>> text = "Digits on a red thermometer increase from the bulb. Be careful!"
>>> for sentence in reader().read(text):
...     print(sentence.text, [each.rule for each in sentence.stated], sentence.unread)
Digits on a red thermometer increase from the bulb. ['thermo'] ()
Be careful! [] ('be', 'careful')
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from aspdoku.words.lexicon import Element
from aspdoku.words.reading import Reader, Reading, Stated, same_element
from aspdoku.words.statements import WordsFile

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from aspdoku.program import RuleFile

__all__ = ["Element", "Reader", "Reading", "Stated", "reader", "same_element", "words_files"]


def reader(rules: Iterable[RuleFile] = ()) -> Reader:
    """The reader with the words of the bundled rules, those on ASPDOKU_PATH, and these rules.

    Raises RuleError for an invalid `.words` file.
    """
    own = tuple(rule for rule in rules if not rule.vetted)
    return _reader(words_files(own), own)


def words_files(rules: Iterable[RuleFile] = ()) -> tuple[WordsFile, ...]:
    """The `.words` files of the bundled rules, those on ASPDOKU_PATH, and these rules.

    Of rules with the same name, one of `rules` comes first, then a bundled one. Raises RuleError
    for a file that is not text.
    """
    from aspdoku.program.library import own_folders

    found = {each.rule: each for each in _bundled()}
    for path in (file for folder in own_folders() for file in sorted(folder.glob("*.words"))):
        if path.with_suffix(".lp").is_file() and path.stem not in found:
            found[path.stem] = WordsFile.read(path, str(path))
    own = filter(None, map(WordsFile.next_to, rules))
    return (*(found | {each.rule: each for each in own}).values(),)


@cache
def _bundled() -> tuple[WordsFile, ...]:
    from aspdoku.program.library import data_dir

    return tuple(map(WordsFile.read, sorted(data_dir().glob("**/*.words"))))


@lru_cache(maxsize=8)
def _reader(read: tuple[WordsFile, ...], own: tuple[RuleFile, ...]) -> Reader:
    from aspdoku.program.library import available_rules

    return Reader(
        read, lexicon_path(), lambda: {rule.title: rule.name for rule in (*available_rules(), *own)}
    )


def lexicon_path() -> Path:
    """The file that says what words mean."""
    from aspdoku.program.library import data_dir

    return data_dir() / "lexicon.txt"
