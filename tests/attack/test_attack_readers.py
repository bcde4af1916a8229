"""Every reader with mutated texts of every format: it returns puzzles or raises an error with the
name of the file, within a time limit.
"""

import pytest
from mutations import mutated, puzzle_files, written
from seeds import blocks, within

from aspdoku.errors import AspdokuError
from aspdoku.formats import json_formats, parse_all, registry
from aspdoku.lecture.examples import read_examples
from aspdoku.puzzle import Puzzle

SECONDS = 5


def test_there_are_texts_of_every_writable_format():
    assert not [
        name
        for name, texts in written().items()
        if not texts and name in ("fpuzzles", "sudokupad", "iss", "killer")
    ]
    assert sum(map(len, written().values())) > 40


@blocks(fast=300, long=2, size=2500)
def test_a_mutated_text_is_parsed_or_rejected(block):
    texts = [*puzzle_files(), *(text for texts in written().values() for text in texts)]
    for rng in block.cases():
        text = mutated(rng, rng.choice(texts), rng.choice(texts))
        outcome(text, None)
        outcome(text, rng.choice(registry.ALL))


@blocks(fast=60, long=1, size=1500)
def test_mutated_examples_are_read_or_rejected(block, tmp_path):
    file = tmp_path / "x.examples"
    for rng in block.cases():
        kinds = ("allowed: a", "forbidden: b", "puzzle: c", "puzzle:", "allowd: d")
        parts = [part for _ in (1, 2) for part in (rng.choice(kinds), rng.choice(puzzle_files()))]
        text = mutated(rng, "\n".join(parts), parts[1])
        file.write_text(text, "utf-8", errors="replace", newline="")
        with within(SECONDS, repr(text)):
            found: object
            try:
                found = read_examples(file)
            except AspdokuError as error:
                found = str(error)
        assert str(file) in found if isinstance(found, str) else isinstance(found, list), text


@blocks(fast=40, long=1, size=1500)
def test_a_mutated_url_is_parsed_or_rejected(block):
    packer = pytest.importorskip("lzstring").LZString()
    texts = [
        text
        for name in (json_formats.FPUZZLES.name, json_formats.SUDOKUPAD.name)
        for text in written()[name]
    ]
    for rng in block.cases():
        text = mutated(rng, rng.choice(texts), rng.choice(texts))
        packed = packer.compressToBase64(text)
        text = (
            rng.choice(("https://www.f-puzzles.com/?load=", "https://sudokupad.app/scl", "fpuz"))
            + packed
        )
        if rng.random() < 0.5:
            text = mutated(rng, text, packed)
        outcome(text, None)


def outcome(text, format_):
    """Parse a text; expect puzzles or an error. `format_` is None for format detection."""
    with within(SECONDS, repr(text)):
        found: object
        try:
            found = parse_all(text, "x", format_)
        except AspdokuError as error:
            found = str(error)
    assert (
        found.startswith("x")
        if isinstance(found, str)
        else all(isinstance(puzzle, Puzzle) for puzzle in found)
    )
