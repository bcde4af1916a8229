"""No part of a text is silently ignored: changing or removing it gives another puzzle, an error, or
another list of unsupported parts.
"""

import re

import pytest

from aspdoku.errors import AspdokuError
from aspdoku.formats import janko_types, parse_all, registry

CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = "\n".join(CLASSIC[start : start + 9] for start in range(0, 81, 9))
NATIVE = """title: What a puzzle file may say
with: killer, greater-than
without: box
box: 2x2
numbers: 1-4
unsupported: two grids

3 . | . .
. . | . .
----+----
. . | 1 .
. . | . .

[cage]
. A A .
B . . .
B . . .
. . . .
A = 3
B =

[greater-than]
. .   . .

. . > . .

. .   . .
v
. .   . .

[thermo]
r1c1 r2c1
7: r1c4 r2c4 r3c4

[facts]
even(3,4).
p(1..2,"a b";3,x).
"""
# The text, and the parts that may change without effect: empty cells, separator lines and
# comments.
EMPTY = r"[.|+\-]"
TEXTS = {
    "a puzzle file": (NATIVE, EMPTY),
    "lines": (
        "1............... gt(1,2,1,1).\n2............... # y\n..............3. 7.1 hard\n"
        + "4...............\n" * 3,
        r"[.#]",
    ),
    "grids": ("Grid 01\n1...\n....\n.2..\n....\nGrid 02\n....\n.3..\n....\n...4\n", EMPTY),
    "sadman": (f"#A Ruud\n#DNumber 7\n#B 2005\n{ROWS}\n", r"[.]|(?<=#)B|2005"),
    "sadman, with sections": (f"[Puzzle]\n{ROWS}\n[State]\n123\n[Cages]\nx\n", r"[.]|123|x"),
    "hodoku": (f":0000:x:{CLASSIC}:112 812::\n", r"[.]|^:0000:x|:112 812::"),
    "candidate grid": ("12 3 4 .\n3 4 12 12\n.  . . 1\n4 123 . .\n", EMPTY),
    "letters": ("ABCDEFGHIJ\n" + "..........\n" * 8 + "J.........\n", EMPTY),
    "jigsaw": ("1.....4......2..AABBAABCDDBCDDCC\n", EMPTY),
    "sumocue": (
        "SumoCueV1=1J0=0J0=0J1=0J1=0J0=0J0=4J1=0J1=0J2=0J2=0J3=0J3=0J2=2J2=0J3=0J3\n",
        r"(?<==)0",
    ),
    "janko": (
        "4 4\n1 - - -\n- - 4 -\n- - - -\n- 2 - -\n1 1 2 2\n1 1 2 3\n4 4 2 3\n4 4 3 3\n",
        EMPTY,
    ),
    "janko, even and odd": ("4 4\nE - - -\n- O 4 -\n- - - -\n- 2 - -\n", EMPTY),
    "killer": ("1...\n....\n....\n...2\n\nAAB.\nC.B.\nC...\n....\n\nA5,B4\nC = 3\n", r"[.,=]"),
    "killer-long": ("2x2:d:k:1537:1537:514:0:0:0:0:0:0:0:0:0:0:0:0:0:\n", r":|(?<=:)0"),
    "killer-short": ("F<<" + "0" * 78 + "\n", "(?!)"),
    "strimko": ("4 1 2 2 2 3 1 1 2 3 3 1 4 3 4 4 4 . . . . . 4 . . 4 . 3 . . . 1 .\n", EMPTY),
    "strimko-rows": ("4\n1 2 2 2\n3 1 1 2\n3 3 1 4\n3 4 4 4\n1 1 3\n4 2 1\n", "(?!)"),
    "futoshiki": ("1 < .   .   .\n        ^\n. > .   .   .\n.   .   .   .\n.   . < .   4\n", EMPTY),
    "less-than": ('{"values": [[1,0],[0,0]], "less_than": [[1,2,1,1]], "level": 2}', r"(?<=: )2"),
    "streams": (
        '{"n": 3, "streams": [[1,1,1],[2,2,2],[3,3,3]], "givens": [[1,1,1]], "level": 2}',
        r"(?<=: )2",
    ),
    "facts": ("#const n=4.\na(1,1,1). a(2,2,3).\neven(1,2).\n", "(?!)"),
    "simple": ("*-----*\n|1X|XX|\n|XX|2X|\n|-----|\n|XX|XX|\n|X3|XX|\n*-----*\n", r"[|*X-]"),
    "candidates": ("1234.2..123412341234123412341234123412341234123412341234123.1234", EMPTY),
    "hexadecimal": ("0123456789ABCDEF\n" + "................\n" * 15, EMPTY),
    "pairs": ("01....10" + ".." * 96, EMPTY),
    "greater-than": (
        "1 < . | . > .\n        ^\n. > . | . < .\n------+------\n. > . | . < .\n^\n. < . | . > 4\n",
        EMPTY,
    ),
    "matrix": ("[[1, 0, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0], [0, 3, 0, 0]]", r"[\[\],0]"),
    "puzzlink": ("https://puzz.link/p?sudoku/4/4/1i2j3k4", "(?!)"),
    "solo": ("2x2:1c2d3e4", "(?!)"),
    "opensudoku": (
        f'<opensudoku><name>One</name><game data="{CLASSIC.replace(".", "0")}"/></opensudoku>',
        "(?!)",
    ),
    "iss": (".Shape~4x4.~R1C1_3.Cage~5~R1C2~R1C3.", "[.]"),
}
# The other formats, with the tests of what they do not support.
OTHERS = {
    "fpuzzles": "tests/formats/test_json_accountability.py",
    "sudokupad": "tests/formats/test_json_accountability.py",
    "address": "the documents of fpuzzles and sudokupad",
    "penpa": "tests/formats/test_penpa.py",
    "lisudoku": "tests/formats/test_lisudoku.py",
    "ipuz": "tests/formats/test_ipuz.py",
    **{each.name: "tests/formats/test_janko_types.py" for each in janko_types.FORMATS},
}
WORD = re.compile(r"[A-Za-z_]+|[0-9]+|[^\sA-Za-z0-9_]")


def read(text):
    try:
        return parse_all(text, "x")
    except AspdokuError as error:
        return str(error)


def changes(word):
    yield from (
        "",
        "0",
        "x",
        word * 2,
        f"{word} {word}",
        str(int(word) + 1) if word.isdigit() else f"{word}1",
    )


def test_every_format_is_tested():
    tested = {(registry.detect(text) or registry.NATIVE).name for text, _ in TEXTS.values()}
    names = {each.name for each in registry.ALL}
    assert tested | OTHERS.keys() == names, (
        "each format needs a text in TEXTS in which no word may change without effect, or in OTHERS"
        " the name of the test of what it does not support"
    )
    assert not tested & OTHERS.keys()


@pytest.mark.parametrize(("text", "ignored"), TEXTS.values(), ids=TEXTS)
def test_every_change_of_a_word_changes_the_result(text, ignored):
    found = read(text)
    assert isinstance(found, list)
    free = {place for match in re.finditer(ignored, text) for place in range(*match.span())}
    silent = [
        (text[: match.start()].count("\n") + 1, match[0], change)
        for match in WORD.finditer(text)
        if not free.issuperset(range(*match.span()))
        for change in changes(match[0])
        if change != match[0]
        and read(text[: match.start()] + change + text[match.end() :]) == found
    ]
    assert silent == []


def test_a_zero_is_an_unsupported_value():
    (puzzle,) = parse_all(
        '{"values": [[1,0],[0,0]], "less_than": [[1,2,1,1]], "level": 0, "notes": ""}'
    )
    assert puzzle.unsupported == ("'level'",)


def test_sections_of_other_names_are_unsupported():
    (puzzle,) = parse_all(f"[Puzzle]\n{ROWS}\n[State]\n123\n[Cages]\nx\n")
    assert puzzle.unsupported == ("section [cages]",)
    assert read(f"[State]\n1\n[Puzzle]\n{ROWS}\n") == parse_all(f"[Puzzle]\n{ROWS}\n")
