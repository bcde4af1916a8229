"""Mutations: texts with random errors, as if pasted, truncated or edited wrongly."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from random import Random

import aspdoku
from aspdoku.errors import AspdokuError
from aspdoku.formats import registry

ROOT = Path(__file__).parents[2]
WORDS = [
    *(
        "0",
        "1",
        "9",
        "10",
        "-1",
        "99999999999999999999",
        "1.5",
        "1e9",
        "NaN",
        "null",
        "true",
        "{}",
        "[]",
        '""',
        "A",
        "z",
        ".",
    ),
    *(
        ",",
        ":",
        ";",
        "|",
        "-",
        "+",
        "=",
        "<",
        ">",
        "#",
        "%",
        "*",
        "~",
        "_",
        "/",
        "\\",
        '"',
        "'",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
    ),
    *(
        "\n",
        "\n\n",
        "\r",
        "\t",
        " ",
        "   ",
        "\0",
        "\x1b[2J",
        "\x1b]0;t\x07",
        "\x7f",
        "\x9b",
        "\u202e",
        "\u2028",
        "\ufeff",
    ),
    *(
        "é",
        "²",
        "١",
        "\ud7ff",
        "😀",
        "r1c1",
        "R1C1",
        "r9c9",
        "with:",
        "box: 2x3",
        "[cage]",
        "[facts]",
        "a(1,1,1).",
        "..",
        ":-",
    ),
]
_TOKENS = re.compile(r"\s+|\w+|.", re.DOTALL)
# Mutated texts are cut to this length, because clingo could ground longer ones for hours.
_LARGEST = 20_000


@cache
def puzzle_files() -> tuple[str, ...]:
    """The texts of the puzzle files of the repository."""
    files = sorted((ROOT / "instances").rglob("*.txt"))
    return tuple(
        file.read_text("utf-8") for file in files if not file.name.endswith(".solution.txt")
    )


@cache
def rule_files() -> tuple[str, ...]:
    """The texts of the bundled rules."""
    return tuple(
        file.read_text("utf-8") for file in sorted((ROOT / "asp" / "elaborations").glob("*.lp"))
    )


@cache
def written() -> dict[str, tuple[str, ...]]:
    """Some of these puzzles as texts, by the format that can write them."""
    puzzles = [aspdoku.parse(text) for text in puzzle_files()]
    return {each.name: tuple(_texts(each, puzzles)) for each in registry.FOREIGN if each.write}


def _texts(format_, puzzles):
    found = []
    for puzzle in puzzles:
        if len(found) < 4:
            try:
                found.append(registry.write(format_, [puzzle]))
            except AspdokuError:
                continue
    return found


def mutated(rng: Random, text: str, other: str) -> str:
    """The text with up to five mutations; some insert parts of another text."""
    if rng.random() < 0.5 and text.lstrip().startswith(("{", "[")):
        text = json.dumps(changed(rng, json.loads(text)), ensure_ascii=False)
        if rng.random() < 0.6:
            return text
    for _ in range(rng.randint(1, 5)):
        text = _fault(rng, text, other)
    return text[:_LARGEST]


def _fault(rng: Random, text: str, other: str) -> str:
    tokens = _TOKENS.findall(text) or [""]
    start = rng.randrange(len(tokens))
    end = min(len(tokens), start + rng.choice((1, 1, 2, 5, 20)))
    span = tokens[start:end]
    kind = rng.choice(
        ("delete", "repeat", "word", "word", "insert", "swap", "cut", "splice", "letter")
    )
    if kind == "delete":
        span = []
    elif kind == "repeat":
        span = span * rng.choice((2, 3, 50))
    elif kind == "word":
        span = [rng.choice(WORDS)]
    elif kind == "insert":
        span = [rng.choice(WORDS), *span]
    elif kind == "swap":
        rng.shuffle(span)
    elif kind == "cut":
        return "".join(tokens[:start])
    elif kind == "splice":
        place = rng.randrange(len(other) + 1)
        span = [other[place : place + rng.choice((1, 10, 100))]]
    else:
        span = [chr(rng.choice((rng.randrange(128), rng.randrange(0xD800))))]
    return "".join([*tokens[:start], *span, *tokens[end:]])


def changed(rng: Random, value: object) -> object:
    """JSON with a value replaced, removed or repeated."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(sorted(value))
        more = {rng.choice((key, key + "x", "cells", "value")): changed(rng, value[key])}
        return {k: v for k, v in value.items() if k != key} | (more if rng.random() < 0.8 else {})
    if isinstance(value, list) and value and rng.random() < 0.9:
        place = rng.randrange(len(value))
        middle = rng.choice(
            (
                [],
                [value[place]] * 2,
                [changed(rng, value[place])],
                [changed(rng, value[place])],
            )
        )
        return [*value[:place], *middle, *value[place + 1 :]]
    return rng.choice(
        (
            None,
            True,
            0,
            -1,
            10**20,
            1.5,
            "",
            "R1C1",
            "R99C1",
            "\x1b[2J",
            [],
            {},
            [[value]],
            {"value": value},
        )
    )
