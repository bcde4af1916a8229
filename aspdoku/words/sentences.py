"""Sentences of a text, and the words of a sentence in normal form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import groupby

_DIGITS = r"\d(?:\s*[,/]\s*(?:and |or )?\d){2,}"
_TOKEN = re.compile(rf"(?<![\d,]){_DIGITS}(?![\d,]\d)|\d+:\d+|\d+|[^\W\d_]+|[.,;:()/+\-=<>?]")
_END = re.compile(r"[()]|(?<![.!?;])[.!?;]++[\"'”’]*+(?=\s|\(|[A-Z]|$)")
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_QUOTES = '"`´‘’“”′*_•·'
_SYMBOLS = {"–": " - ", "—": " - ", "&": " and "} | dict(zip("−×‘’[]{}", "-x''()()", strict=True))


def sentences(text: str) -> list[str]:
    """The sentences of a text: they end with a full stop, a semicolon, or a line.

    A line that ends without punctuation continues in a next line in lower case.
    """
    text = unicodedata.normalize("NFKC", text.replace("\r", "").replace("\\n", "\n"))
    text = re.sub(r"\be(?:\.\s?)?g\b\.?", "eg", text, flags=re.I)
    text = re.sub(r"\bi(?:\.\s?)?e\b\.?", "ie", text, flags=re.I)
    text = re.sub(r"\betc\.(?=\s*[a-z,)])", "etc", text)
    text = re.sub(r"\b([a-z]+)(?=[A-Z][a-z]+ [a-z])", r"\1. ", text)  # a stop that was forgotten
    lines: list[str] = []
    for line in (each.strip() for each in text.split("\n")):
        if line[:1].islower() and lines and lines[-1] and lines[-1][-1] not in ".!?:;":
            lines[-1] += " " + line
        else:
            lines.append(line)
    found = []
    for line in lines:
        start = depth = 0
        line = re.sub(r"^\W*\d{1,2}[.):]+\s", "", line)
        for match in _END.finditer(line):
            depth = max(depth + {"(": 1, ")": -1}.get(match[0], 0), 0)
            if match[0] not in "()" and depth == 0:
                found.append(line[start : match.end()])
                start = match.end()
        found.append(line[start:])
    return [each.strip(" -•·*>\t") for each in found if re.search(r"\w", each)]


def words(sentence: str) -> list[str]:
    """The words of a sentence in lower case, numbers, and marks of punctuation.

    A list of digits such as `1, 3, 5` is one word, `{135}`.
    """
    text = unicodedata.normalize("NFKC", sentence).lower()
    text = "".join(_SYMBOLS.get(letter, letter) for letter in text)
    text = re.sub(r"\(s\)|(?<=\w)'s\b|(?<=\w)'(?=\w)", "", text)
    text = re.sub(r"(?<=[^\W\d_])-(?=\w)|(?<=\d)-(?=[^\W\d_])|'", " ", text)
    found = _TOKEN.findall("".join(" " if each in _QUOTES else each for each in text))
    return [each if each.isalnum() or len(each) < 5 else _set(each) for each in found]


def _set(word: str) -> str:
    digits = re.findall(r"\d", word)
    return f"{{{''.join(sorted(digits))}}}" if ":" not in word else word


def stem(word: str) -> str:
    """A word without the ending of a plural or of a third person; a number as digits."""
    if word in _NUMBERS:
        return str(_NUMBERS.index(word) + 1)
    if word in ("xs", "vs"):
        return word[0]
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("xes", "ches", "shes", "sses")) else word[:-1]


def marked(sentence: str, unread: Sequence[str]) -> list[tuple[str, bool]]:
    """The parts of a sentence, and whether each consists of words that were not understood.

    unread: these words, as `words` gives them; of a word that occurs twice, that next to others
    """
    pieces = re.split(r"(\s+)", sentence)
    found = [(word, place) for place in range(0, len(pieces), 2) for word in words(pieces[place])]
    left = [part for word in unread for part in (word[1:-1] if word[0] == "{" else [word])]
    places: set[int] = set()
    if len(left) == len(found):
        places, left = {place for _, place in found}, []
    while left:
        here = [word if place not in places else "" for word, place in found]
        start, first, length = SequenceMatcher(None, here, left, False).find_longest_match()
        if not length:
            break
        places.update(place for _, place in found[start : start + length])
        del left[first : first + length]
    is_unread = [
        place in places if place % 2 == 0 else {place - 1, place + 1} <= places
        for place in range(len(pieces))
    ]
    parts = groupby(zip(pieces, is_unread, strict=True), lambda each: each[1])
    return [("".join(piece for piece, _ in group), is_marked) for is_marked, group in parts]
