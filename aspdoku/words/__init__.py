"""Rules in words: which rules a text in English states, and what of it is not understood.

>>> from aspdoku.words import reader
>>> text = "Digits on a red thermometer increase from the bulb. Be careful!"
>>> for sentence in reader().read(text):
...     print(sentence.text, [each.rule for each in sentence.stated], sentence.unread)
Digits on a red thermometer increase from the bulb. ['thermo'] ()
Be careful! [] ('be', 'careful')
"""

from __future__ import annotations

from functools import cache

from aspdoku.words.lexicon import Element
from aspdoku.words.reading import Reader, Reading, Stated

__all__ = ["Element", "Reader", "Reading", "Stated", "reader"]


@cache
def reader() -> Reader:
    """The reader with the words of the bundled rules."""
    from aspdoku.program.library import data_dir

    folder = data_dir()
    return Reader(sorted(folder.glob("**/*.words")), folder / "lexicon.txt")
