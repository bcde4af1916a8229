"""Puzzles as other programs and people write them: all of them are Wikipedia's example."""

import json

import pytest

from aspdoku.errors import PuzzleError
from aspdoku.formats import parse, parse_all, registry

NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
MATRIX = [[int(sign) for sign in NINE.replace(".", "0")[at : at + 9]] for at in range(0, 81, 9)]
NUMPY = "\n ".join(f"[{' '.join(map(str, row))}]" for row in MATRIX)
FACTS = [(at // 9 + 1, at % 9 + 1, int(sign)) for at, sign in enumerate(NINE) if sign != "."]


def atoms(name, end=".", first=1):
    return " ".join(f"{name}({r - 1 + first},{c - 1 + first},{n}){end}" for r, c, n in FACTS)


def rows(opened, closed):
    return ",\n".join(f"  {opened}{str(row)[1:-1]}{closed}" for row in MATRIX)


# The format and the text.
TEXTS = {
    "a JSON matrix": ("matrix", json.dumps(MATRIX)),
    "a JSON matrix with null": ("matrix", json.dumps([[n or None for n in r] for r in MATRIX])),
    "a JSON matrix of strings": (
        "matrix",
        json.dumps([[str(n) if n else "" for n in row] for row in MATRIX]),
    ),
    "a JSON matrix, indented": ("matrix", json.dumps(MATRIX, indent=2)),
    "JSON rows": ("matrix", json.dumps([NINE[at : at + 9] for at in range(0, 81, 9)])),
    "a JSON list of cells": ("matrix", json.dumps([n for row in MATRIX for n in row])),
    "a Python list": ("matrix", f"grid = [\n{rows('[', ']')},\n]\n"),
    "a Python list with None": (
        "matrix",
        f"board: list[list[int]] = [\n{rows('[', ']')}]".replace("0", "None"),
    ),
    "numpy, printed": ("matrix", f"[{NUMPY}]\n"),
    "numpy, printed as floats": (
        "matrix",
        f"[{NUMPY.replace(' ', '. ').replace(']', '.]')}]".replace(". [", " ["),
    ),
    "numpy, its representation": ("matrix", f"np.array([\n{rows('[', ']')}], dtype=int32)"),
    "C": ("matrix", f"int grid[9][9] = {{\n{rows('{', '}')}\n}};\n"),
    "a JSON record": ("matrix", json.dumps({"puzzle": MATRIX, "level": "easy"})),
    "a JSON record with strings": ("matrix", json.dumps({"quiz": NINE, "solution": SOLVED})),
    "JSON records": ("matrix", json.dumps([{"id": 7, "puzzle": NINE, "solution": SOLVED}])),
    "facts of another name": ("facts", atoms("initial").replace(" ", "\n")),
    "facts from 0": ("facts", atoms("initial", first=0)),
    "facts beside others": ("facts", "rows(9). " + atoms("initial")),
    "an answer of clingo": (
        "facts",
        "clingo version 5.7.1\nReading from a.lp ...\nSolving...\nAnswer: 1\n"
        f"val(1) {atoms('sudoku', end='')}\nSATISFIABLE\n\nModels       : 1+\n",
    ),
}


WIKI = "https://www.sudokuwiki.org/sudoku.htm?bd="
SIGNS = "0123456789abcdefghijklmnopqrstuvwxyz"


def in_two_signs(values, base):
    return "".join(SIGNS[value // base] + SIGNS[value % base] for value in values)


GIVENS = [int(sign) for sign in NINE.replace(".", "0")]
VERSION_B = in_two_signs([given or 18 + 511 for given in GIVENS], 36)
FIRST_VERSION = in_two_signs(
    [2 * (1 << (given - 1)) + 1 if given else 2 * 511 for given in GIVENS], 32
)
TEXTS |= {
    "sudokuwiki": ("address", WIKI + NINE.replace(".", "0")),
    "sudokuwiki, another page and parameters": (
        "address",
        f"http://sudokuwiki.org/Sudoku_Player.htm?x=1&bd={NINE}&y=2",
    ),
    "sudokuwiki, two signs per cell": ("address", f"{WIKI}S9B{VERSION_B}"),
    "sudokuwiki, two signs per cell, before 2024": ("address", WIKI + FIRST_VERSION),
}


@pytest.mark.parametrize(("format_", "text"), TEXTS.values(), ids=TEXTS)
def test_a_text_is_detected_and_read(format_, text):
    assert [each.name for each in registry.FOREIGN if each.fits(text)] == [format_]
    for puzzle in parse_all(text):
        assert puzzle.grid == parse(NINE).grid
        assert (puzzle.box, puzzle.elaborations, puzzle.unsupported) == ((3, 3), (), ())


def test_entered_numbers_and_candidates_of_sudokuwiki_are_pencil_marks():
    values = [given or 18 + 511 for given in GIVENS]
    values[2], values[3] = 9 + 4, 18 + 0b100010  # 4 in r1c3; 2 and 6 in r1c4
    puzzle = parse(f"{WIKI}X9B{in_two_signs(values, 36)}")
    assert puzzle.elaborations == ("diagonal", "pencilmarks")
    marks = ["pencilmark(1,3,4)", "pencilmark(1,4,2)", "pencilmark(1,4,6)"]
    assert [str(fact) for fact in puzzle.facts] == marks
    values = [2 * (1 << (given - 1)) + 1 if given else 2 * 511 for given in GIVENS]
    values[3] = 2 * 0b100010
    assert [str(fact) for fact in parse(WIKI + in_two_signs(values, 32)).facts] == marks[1:]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("", "as its parameter bd is empty"),
        (NINE[1:], "is no sudoku of sudokuwiki.org: expected 81 numbers"),
        ("J9B" + VERSION_B, "is no sudoku of sudokuwiki.org"),
        ("S9Bzz" + VERSION_B[2:], "invalid cell 'zz' in r1c1"),
    ],
)
def test_a_damaged_url_of_sudokuwiki_is_rejected(value, message):
    with pytest.raises(PuzzleError) as raised:
        parse(WIKI + value)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    "address",
    [
        "https://beta.sudokupad.app/{}",
        "https://sudokupad.app/?puzzleid={}",
        "https://sudokupad.app/sudoku/?setting-nogrid=1&puzzleid={}",
        "https://test.crackingthecryptic.com/sudoku/{}?setting=1",
        "https://www.sudokupad.app/sudoku/{}#x",
        "https://example.com/play?id=7&puzzle={}",
    ],
)
def test_a_sudokupad_puzzle_is_read_from_any_host_and_parameter(address):
    packed = (
        pytest.importorskip("lzstring")
        .LZString()
        .compressToBase64(
            json.dumps(
                {
                    "grid": [
                        [{"value": n, "given": True} if n else {} for n in row] for row in MATRIX
                    ]
                }
            )
        )
    )
    assert parse(address.format("fpuzzles" + packed)).grid == parse(NINE).grid


def test_a_url_with_two_puzzles_is_rejected():
    packed = "classic5NlQ19j9mGca3OIN1bWGk2m41TjS79"
    with pytest.raises(PuzzleError, match="several puzzles"):
        parse(f"https://sudokupad.app/{packed}?puzzleid={packed}")


def test_several_answers_are_several_puzzles():
    text = f"Answer: 1\n{atoms('a', '')}\nAnswer: 2\n{atoms('a', '')}\nSATISFIABLE\n"
    assert [each.grid for each in parse_all(text)] == [parse(NINE).grid] * 2


REJECTED = {
    "a missing row": (json.dumps(MATRIX[:-1]), "x:1: the list has 8 rows, and the first one 9"),
    "a missing cell": (
        json.dumps([*MATRIX[:4], MATRIX[4][:-1], *MATRIX[5:]]),
        "x:1: row 5 has 8 cells, the other rows have 9",
    ),
    "a row of the wrong length, in lines": (
        f"grid = [\n{rows('[', ']')}]".replace("4, 0, 0, 8", "4, 0, 0"),
        "x:6: row 5 has 8 cells",
    ),
    "a program": (
        "val(1..9).\n1 { sudoku(X,Y,V) : val(V) } 1 :- val(X), val(Y).\n",
        "x: a puzzle has facts only, and this is a program: to use its rules, rename sudoku to a",
    ),
    "an unknown column of a record": (json.dumps({"grid": [[1]]}), "x: "),
}


@pytest.mark.parametrize(("text", "message"), REJECTED.values(), ids=REJECTED)
def test_a_damaged_text_is_rejected(text, message):
    with pytest.raises(PuzzleError) as raised:
        parse_all(text, "x")
    assert message in str(raised.value)


def test_keys_of_a_record_are_in_the_title_or_reported():
    puzzle = parse(json.dumps({"puzzle": MATRIX, "level": "easy", "cages": [[1, 2]]}))
    assert puzzle.title == "level easy, cages [[1, 2]]"
    assert puzzle.unsupported == ("the column 'cages'",)
