"""Readable and unreadable puzzle files."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aspdoku
from aspdoku.errors import PuzzleError


def test_a_puzzle_knows_its_file(tmp_path):
    file = tmp_path / "x.txt"
    file.write_bytes(b"\xef\xbb\xbftitle: caf\xc3\xa9\r\n..\r\n.2\r\n")
    puzzle = aspdoku.read(str(file))
    assert (puzzle.title, puzzle.givens(), puzzle.origin) == ("café", {(2, 2): 2}, file)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", ": no grid found"),
        (b"..\n.3\n", ":2: invalid number 3 in r2c2: a 2x2 grid contains 1 to 2"),
        (b"..\n.\xff\n", ":2: byte 5 of the file is not valid UTF-8: save the file as UTF-8"),
        (b"..\n.\0\n", ": not a text file: a puzzle file is UTF-8 text"),
        ("..\n..\n".encode("utf-16"), ": not a text file"),
        (b"." * 1_000_001, ": the file has more than 1000000 bytes (1 MB)"),
    ],
)
def test_invalid_files_are_rejected(tmp_path, data, message):
    file = tmp_path / "x.txt"
    file.write_bytes(data)
    with pytest.raises(PuzzleError) as raised:
        aspdoku.read(file)
    assert str(raised.value).startswith(f"{file}{message}")


def test_a_missing_file_is_reported(tmp_path):
    with pytest.raises(PuzzleError, match=r"nowhere\.txt: No such file or directory"):
        aspdoku.read(tmp_path / "nowhere.txt")
    with pytest.raises(PuzzleError, match=f"{tmp_path}: Is a directory"):
        aspdoku.read(tmp_path)
    with pytest.raises(PuzzleError, match="invalid file name"):
        aspdoku.read("a\0b")


def test_an_endless_file_is_too_large():
    with pytest.raises(PuzzleError, match="more than 1000000 bytes"):
        aspdoku.read("/dev/zero")


@settings(deadline=None)
@given(st.binary())
def test_any_bytes_are_a_puzzle_or_an_error(tmp_path_factory, data):
    file = tmp_path_factory.getbasetemp() / "any.txt"
    file.write_bytes(data)
    message = str(file)
    try:
        aspdoku.read(file)
    except PuzzleError as error:
        message = str(error)
    assert message.startswith(str(file))
