"""Files in the formats of other programs: what is read if the format is detected from the content,
and if it is given.
"""

import pytest
from in_one_test import in_one_test
from optional_extras import with_extras

import aspdoku
from aspdoku.errors import PuzzleError
from aspdoku.formats import parse, parse_all, registry

CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [CLASSIC[start : start + 9] for start in range(0, 81, 9)]
SIGNS = ".123456789"
# The same 4x4 grid throughout: 1 in r1c1, 4 in r2c3, 2 in r4c2.
FOUR = {(1, 1): 1, (2, 3): 4, (4, 2): 2}


def givens(line):
    """The numbers of a line of 81 characters, by row and column."""
    return {
        (place // 9 + 1, place % 9 + 1): int(sign)
        for place, sign in enumerate(line)
        if sign in "123456789"
    }


GIVENS = givens(CLASSIC)
BLANKS_RIGHT = "1.....4......2.."
SADMAN_LINES = "#A Ruud\n#D Number 7\n#B03-08-2006\n#LEasy\n"
FRAMED = "\n".join(
    ["*-----------*", *(f"|{row[:3]}|{row[3:6]}|{row[6:]}|" for row in ROWS), "*-----------*"]
)

# The name of the format (empty for the native format), the text, the givens, and the number of
# facts by predicate.
GRIDS = {
    "a list": ("lines", f"{CLASSIC}\n{CLASSIC}\n", GIVENS),
    "a list with zeros, comments and CRLF": (
        "lines",
        f"\ufeff{CLASSIC.replace('.', '0')} # easy\r\n{CLASSIC};x\r\n".replace(";", " ;"),
        GIVENS,
    ),
    "a list with x": (
        "lines",
        f"{CLASSIC.replace('.', 'x')}\n{CLASSIC.replace('.', 'X')}\n",
        GIVENS,
    ),
    "a line with a rating": ("lines", f"{CLASSIC} 9.0 Escargot", GIVENS),
    "a line with spaces": ("lines", CLASSIC.replace(".", " "), GIVENS),
    "comments between lines": ("lines", f"# a\n; b\n{CLASSIC}\n\n% c\n{CLASSIC}", GIVENS),
    "several grids": ("grids", "\n".join([*ROWS, "", *ROWS]), GIVENS),
    "several grids with titles": (
        "grids",
        "Grid 01\n" + "\n".join(ROWS).replace(".", "0") + "\nGrid 02\n" + "\n".join(ROWS),
        GIVENS,
    ),
    "several grids with separator lines": (
        "grids",
        f"{FRAMED}\n\n{FRAMED}".replace("*-", "+-"),
        GIVENS,
    ),
    "SadMan": ("sadman", SADMAN_LINES + "\n".join(ROWS), GIVENS),
    "SadMan with sections": (
        "sadman",
        "[Puzzle]\n" + "\n".join(ROWS) + "\n[State]\n" + "9" * 81 + "\n[PencilMarks]\n1,2,3",
        GIVENS,
    ),
    "SimpleSudoku with X": ("simple", FRAMED.replace(".", "X"), GIVENS),
    "SimpleSudoku": ("", FRAMED, GIVENS),
    "HoDoKu": ("hodoku", f":0000:x:{CLASSIC}:::\n", GIVENS),
    "two of HoDoKu": ("hodoku", f":0000:x:{CLASSIC}::::\n:0100::{CLASSIC}::::\n", GIVENS),
    "pairs": ("pairs", "12" + "." * 196 + "0307" + "." * 86, {(1, 1): 12, (9, 4): 3, (9, 5): 7}),
    "A to P": (
        "letters",
        "\n".join(["ABP.............", *["." * 16] * 15]),
        {(1, 1): 1, (1, 2): 2, (1, 3): 16},
    ),
    "A to P, separated": (
        "letters",
        "\n".join(["A B P . " + ". " * 12, *[". " * 16] * 15]),
        {(1, 1): 1, (1, 2): 2, (1, 3): 16},
    ),
    "janko": ("janko", "4 4\n1 - - -\n- - 4 -\n- - - -\n- 2 - -\n", FOUR),
    "course facts": ("facts", "% HW 3\n#const n = 4.\na(1,1,1). a(2,3,4).\na(4,2,2).\n", FOUR),
    "course facts without n": ("facts", "a(1,1,1).a(2,3,4).\na(4,2,2).", FOUR),
    "a puzzle file": ("", f"title: x\n{CLASSIC}\n", GIVENS),
    "32 rows of sixteen": ("lines", f"{BLANKS_RIGHT}\n" * 32, FOUR),
    "sixteen rows of sixteen": ("", "\n".join(["1" + "." * 15, *["." * 16] * 15]), {(1, 1): 1}),
    "a grid between separator lines": (
        "",
        "----------------\n1.....4......2..\n----------------",
        FOUR,
    ),
}


def fitting(text):
    return [each.name for each in registry.FOREIGN if each.fits(text)]


@in_one_test(("name", "text", "expected"), GRIDS.values())
def test_the_format_of_a_grid_is_detected(name, text, expected):
    assert fitting(text) == [name] * bool(name)
    for puzzle in parse_all(text):
        assert (puzzle.givens(), puzzle.facts, puzzle.elaborations, puzzle.without) == (
            expected,
            (),
            (),
            (),
        )


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (SADMAN_LINES + "\n".join(ROWS), "Number 7, by Ruud"),
        ("#D Number 7\n" + "\n".join(ROWS), "Number 7"),
        ("#A Ruud\n#L Easy\n" + "\n".join(ROWS), "by Ruud"),
        (f"{CLASSIC} # No. 5 # of 9", "No. 5 # of 9"),
        (f"{CLASSIC} 9.0 Escargot", "9.0 Escargot"),
        (f"{CLASSIC} p(1). # one", "one"),
    ],
)
def test_a_title_is_kept(text, title):
    assert parse(text).heading == title


IPUZ = '{{"kind": ["http://ipuz.org/sudoku#1"], "puzzle": [{}], {}}}'
XML = f'<opensudoku>{{}}<game data="{CLASSIC}"{{}}/>{{}}</opensudoku>'


def ipuz(**fields):
    rows = ", ".join(["[0, 0, 0, 0]"] * 4)
    return IPUZ.format(rows, ", ".join(f'"{key}": "{text}"' for key, text in fields.items()))


@in_one_test(
    ("text", "words"),
    [
        ("#C No two\n#C  kings.\n#D Seven\n" + "\n".join(ROWS), "No two\nkings."),
        ("#CNo kings.\n[Puzzle]\n" + "\n".join(ROWS), "No kings."),
        ("#Classic\n" + "\n".join(ROWS), ""),
        (SADMAN_LINES + "#S a book\n#U x.org\n" + "\n".join(ROWS), ""),
        *((ipuz(**{key: "No kings."}), "No kings.") for key in ("notes", "annotation")),
        (ipuz(explanation="No kings.", intro="No ties."), "No ties.\n\nNo kings."),
        (ipuz(copyright="2020", difficulty="hard", date="1/1/2020"), ""),
        (XML.format("<description>No kings.</description>", "", ""), "No kings."),
        (XML.format("<comment>No kings.</comment>", "", ""), "No kings."),
        (XML.format("", ' comment="No kings."', "\n"), "No kings."),
        (XML.format("", "", "\n No kings.\n"), "No kings."),
        (XML.format("No\nkings.", "", ""), "No\nkings."),
        (XML.format("<level>hard</level>\n<created>2020</created>", "", "\n\n"), ""),
    ],
)
def test_words_that_may_be_rules_are_kept_and_reported(text, words):
    puzzle = parse(text)
    assert puzzle.rules == words
    assert puzzle.unsupported == (("the rules in words",) if words else ())


@pytest.mark.parametrize("tag", ["A", "D"])
def test_no_line_of_a_sadman_header_is_dropped(tag):
    puzzle = parse(f"#{tag} one\n#{tag} two\n" + "\n".join(ROWS))
    assert {puzzle.title, puzzle.author} == {"one / two", ""}


JIGSAW = "AABBAABCDDBCDDCC"
CAGES = "\naab.\n.ab.\n....\n....\n\n"
SHORT = "F<" + "0" * 7 + "^A" + "0" * 70
JIGSAW_OF_9 = "".join(3 * (3 * a + 3 * b + 3 * c) for a, b, c in ("ABC", "DEF", "GHI"))
CANDIDATES_OF_9 = "123456789" * 40 + "1.3.5...." * 41
SIGNED = ". < .   .   .\n            v\n.   . > .   .\n    ^\n.   .   .   .\n.   4   .   .\n"
BOXED = (
    "1 < 2 | . > .\n^   v   v   ^\n. < . | . < .\n\n. > . | . > .\nv   v   ^   ^\n. < . | . < .\n"
)
STREAMS = "4 1 1 2 2  1 1 2 3  4 4 2 3  4 4 3 3  1 0 0 0  0 0 4 0  0 0 0 0  0 2 0 0"
STREAM_ROWS = "4\n1 1 2 2\n1 1 2 3\n4 4 2 3\n4 4 3 3\n1 1 1\n2 3 4\n4 2 2\n"

# The format, the text, the added and the retracted rules, some of the facts, their number, and the
# givens.
KINDS = {
    "jigsaw in a line": (
        "jigsaw",
        BLANKS_RIGHT + JIGSAW,
        (),
        (),
        ['box(1,1,"A")', 'box(4,4,"C")'],
        16,
        FOUR,
    ),
    "jigsaw in two lines": (
        "jigsaw",
        f"{BLANKS_RIGHT}\n{JIGSAW}\n",
        (),
        (),
        ['box(1,1,"A")', 'box(4,4,"C")'],
        16,
        FOUR,
    ),
    "SumoCue": (
        "sumocue",
        "SumoCueV1"
        + "".join(
            f"={n if n != '.' else 0}J{'ABCD'.index(i)}"
            for n, i in zip(BLANKS_RIGHT, JIGSAW, strict=True)
        ),
        (),
        (),
        ['box(1,1,"0")', 'box(4,4,"2")'],
        16,
        FOUR,
    ),
    "janko jigsaw": (
        "janko",
        "4 4\n1 - - -\n- - 4 -\n- - - -\n- 2 - -\n1 1 2 2\n1 1 2 3\n4 4 2 3\n4 4 3 3",
        (),
        (),
        ['box(1,1,"1")', 'box(4,4,"3")'],
        16,
        FOUR,
    ),
    "janko killer": (
        "janko",
        "4 4\n3 - 7 -\n7 - - 3\n10 - - -\n- - 10 -\n1 1 2 2\n3 3 4 4\n5 5 6 6\n5 5 6 6",
        ("killer",),
        (),
        ['cage(1,1,"1")', 'cage_value("1",3)', 'cage_value("4",3)', 'cage(4,4,"6")'],
        22,
        {},
    ),
    "janko even and odd": (
        "janko",
        "4 4\nE - - -\n- O 4 -\n- - - -\n- 2 - O",
        ("even", "odd"),
        (),
        ["even(1,1)", "odd(2,2)", "odd(4,4)"],
        3,
        {(2, 3): 4, (4, 2): 2},
    ),
    "forum killer": (
        "killer",
        CAGES + "a = 6, b=7",
        ("killer",),
        (),
        ['cage(2,2,"a")', 'cage_value("a",6)', 'cage_value("b",7)'],
        7,
        {},
    ),
    "forum killer with givens": (
        "killer",
        f"1...\n..4.\n....\n.2..\n{CAGES}a6 b7",
        ("killer",),
        (),
        ['cage(1,3,"b")', 'cage_value("a",6)'],
        7,
        FOUR,
    ),
    "long killer": (
        "killer-long",
        "2x2:d:k:1537:1537:0:2:1537:" + "0:" * 11,
        ("killer", "diagonal"),
        (),
        ['cage(2,1,"1")', 'cage_value("1",6)'],
        4,
        {},
    ),
    "short killer": (
        "killer-short",
        SHORT,
        ("killer",),
        (),
        ['cage(1,2,"1")', 'cage(2,1,"1")', 'cage_value("1",15)', 'cage_value("2",10)'],
        6,
        {},
    ),
    "Strimko in a line": (
        "strimko",
        STREAMS,
        ("chain",),
        ("box",),
        ['chain(1,1,"1")', 'chain(4,4,"3")'],
        16,
        FOUR,
    ),
    "Strimko in a word": (
        "strimko",
        STREAMS.replace(" ", ""),
        ("chain",),
        ("box",),
        ['chain(4,1,"4")'],
        16,
        FOUR,
    ),
    "Strimko in rows": (
        "strimko-rows",
        STREAM_ROWS,
        ("chain",),
        ("box",),
        ['chain(1,1,"1")', 'chain(4,4,"3")'],
        16,
        FOUR,
    ),
    "Strimko as JSON": (
        "streams",
        (
            '{"n": 4, "streams": [[1,1,2,2],[1,1,2,3],[4,4,2,3],[4,4,3,3]], "givens":'
            " [[1,1,1],[2,3,4],[4,2,2]]}"
        ),
        ("chain",),
        ("box",),
        ['chain(4,4,"3")'],
        16,
        FOUR,
    ),
    "Futoshiki as JSON": (
        "less-than",
        '{"values": [[0,1],[null,0]], "less_than": [[1,2,1,1]]}',
        ("greater-than",),
        ("box",),
        ["gt(1,1,1,2)"],
        1,
        {(1, 2): 1},
    ),
    "Futoshiki": (
        "futoshiki",
        SIGNED,
        ("greater-than",),
        ("box",),
        ["gt(1,2,1,1)", "gt(1,4,2,4)", "gt(2,2,2,3)", "gt(3,2,2,2)"],
        4,
        {(4, 2): 4},
    ),
    "greater-than": (
        "greater-than",
        BOXED,
        ("greater-than",),
        (),
        ["gt(1,2,1,1)", "gt(2,1,1,1)", "gt(4,2,4,1)"],
        16,
        {(1, 1): 1, (1, 2): 2},
    ),
    "candidates": (
        "candidates",
        "1...12....34.2.." + "1234" * 12,
        ("pencilmarks",),
        (),
        ["pencilmark(1,2,1)", "pencilmark(1,2,2)", "pencilmark(1,3,3)"],
        4,
        {(1, 1): 1, (1, 4): 2},
    ),
    "HoDoKu, deleted candidates": (
        "hodoku",
        f":0300:4:{CLASSIC}:113 213:412:r1c1::",
        ("pencilmarks",),
        (),
        [f"pencilmark(1,3,{number})" for number in range(3, 10)],
        7,
        GIVENS,
    ),
    "HoDoKu, a placed digit": (
        "hodoku",
        f":0300:4:{CLASSIC[:2]}+4{CLASSIC[3:]}:::",
        ("pencilmarks",),
        (),
        ["pencilmark(1,3,4)"],
        1,
        GIVENS,
    ),
    "drawn candidates": (
        "candidate-grid",
        (
            ".------.------.\n| 1 12 | 34 2 |\n| . 1234 | . . |\n:------+------:\n| . . | . . |\n|"
            " . . | . . |\n'------'------'"
        ),
        ("pencilmarks",),
        (),
        ["pencilmark(1,2,1)", "pencilmark(1,3,4)"],
        4,
        {(1, 1): 1, (1, 4): 2},
    ),
    "facts of a variant": (
        "facts",
        "#const n=4. gt(1,2,1,1). even(2,2).",
        (),
        (),
        ["gt(1,2,1,1)", "even(2,2)"],
        2,
        {},
    ),
    "a line with facts": (
        "lines",
        f"{BLANKS_RIGHT} gt(1,2,1,1). # x",
        (),
        (),
        ["gt(1,2,1,1)"],
        1,
        FOUR,
    ),
}


@in_one_test(("name", "text", "with_", "without", "some", "number", "expected"), KINDS.values())
def test_a_kind_of_puzzle_becomes_facts_and_rules(
    name, text, with_, without, some, number, expected
):
    assert fitting(text) == [name]
    puzzle = parse(text)
    assert (puzzle.elaborations, puzzle.without, puzzle.givens()) == (with_, without, expected)
    assert {*some} <= {*map(str, puzzle.facts)}
    assert len(puzzle.facts) == number


@pytest.mark.parametrize(
    "text",
    [
        '{"values": [[0,1],[2,0]], "less_than": [], "foo": 1, "bar": null}',
        (
            '{"n": 4, "streams": [[1,1,2,2],[1,1,2,3],[4,4,2,3],[4,4,3,3]], "givens": [], "foo":'
            ' [2], "bar": ""}'
        ),
    ],
)
def test_a_key_without_meaning_is_named(text):
    assert parse(text).unsupported == ("'foo'",)


def test_hexadecimal_is_read_if_it_is_unambiguous_or_named():
    solution = [
        "".join(f"{(4 * (r % 4) + r // 4 + c) % 16:X}" for c in range(16)) for r in range(16)
    ]
    assert fitting("\n".join(solution)) == ["hexadecimal"]
    puzzle = parse("\n".join(solution))
    assert puzzle.numbers == range(16)
    assert [puzzle.grid[0][c] for c in range(16)] == list(range(16))
    open_ = "\n".join([*solution[:15], "." * 16])
    (puzzle,) = parse_all(open_, format_=registry.by_name("hexadecimal"))
    assert parse(open_) == puzzle
    with pytest.raises(PuzzleError, match="ambiguous 0 in a grid with letters: 0"):
        parse(open_.replace("E", "."))
    assert puzzle.grid[:2] == parse("\n".join(solution)).grid[:2]
    assert puzzle.grid[15] == (None,) * 16


# Rejected texts, and parts of the error messages.
REJECTED = {
    "several": (
        f"{CLASSIC}\n{CLASSIC}",
        "x:2: expected one puzzle; the file seems to contain 2, one per line with 81 cells: select",
    ),
    "a short line in a list": (
        f"{CLASSIC}\n{CLASSIC[1:]}\n{CLASSIC}",
        "x:2: the line has 80 cells, the others have 81",
    ),
    "a line of another size": (
        f"{CLASSIC}\n{CLASSIC}\n{BLANKS_RIGHT}",
        "x:3: the line has 16 cells, the others have 81",
    ),
    "an invalid character in a list": (
        f"{CLASSIC}\n{CLASSIC}\n?{CLASSIC[1:]}",
        "x:3: invalid number '?' in r1c1: a 9x9",
    ),
    "HoDoKu, an invalid character": (
        f":0000:x:{CLASSIC[:-1]}?:::",
        "x:1: invalid characters '?' in the",
    ),
    "HoDoKu, a missing cell": (
        f":0000:x:{CLASSIC[:-1]}:::",
        "x:1: field 4 of the line has 80 cells; a 9x9 grid has 81",
    ),
    "HoDoKu, an invalid candidate": (
        f":0000:x:{CLASSIC}:110::",
        "x:1: invalid deleted candidate '110': expected number, row and column, e.g. 112",
    ),
    "HoDoKu, a cell without candidates": (
        f":0000:x:{CLASSIC}:511::",
        "x:1: all candidates of r1c1 are deleted",
    ),
    "SadMan without a grid": ("[Puzzle]\n", "x: no grid found: nine lines of nine"),
    "ambiguous letters": (
        "ABCDEFG........." + "." * 240,
        "x:1: ambiguous letters A to G: A can be 1 or 10, and no digits decide",
    ),
    "one ambiguous letter, and a title": (
        "...............A" * 16 + "  # x",
        "x:1: ambiguous letter A: A can be 1 or 10, and no digits decide",
    ),
    "signs in boxes only": (
        ". < . . .\n. . . .\n. . . .\n. . . .",
        "x:1: ambiguous drawing: all signs are inside 2x2 boxes, so that this is",
    ),
    "several grids": (
        "12 12\n" + "- - - 1 - - - - - - - -\n" * 12,
        "x:1: no number above 9 occurs in this 12x12 grid: it may be several",
    ),
    "clues outside": (
        "4 4\n" + "- - - -\n" * 8,
        "x:1: unknown type of puzzle: the regions have neither",
    ),
    "skyscrapers": (
        "5 5\n" + "- - - 1 -\n" * 9,
        "x:1: expected 5 rows, or 10 with regions, but 9 follow: clues outside the",
    ),
    "not square": (
        "4 5\n" + "- - - - -\n" * 4,
        "x:1: invalid first line '4 5': expected the size of a square grid, e.g. 9 9",
    ),
    "another kind of janko": (
        "4 4\n" + "- x - -\n" * 4,
        "x:2: invalid number 'x' (which means 33) in r1c2: a 4x4",
    ),
    "two sums in a cage": (
        "4 4\n9 9 - -\n" + "- - - -\n" * 3 + "1 1 1 1\n" * 2 + "2 2 2 2\n" * 2,
        "x:1: unknown type of puzzle: the",
    ),
    "a cycle of signs": ("><" + "0" * 79, "x:1: the pointers from r1c1 form a cycle"),
    "a sign outside the grid": ("^" + "0" * 80, "x:1: the sign ^ in r1c1 points outside the grid"),
    "a long killer of 80": ("3x3::k:" + "0:" * 80, "x: 80 cells after 3x3: a 9x9 grid has 81"),
    "two sums for a cage": ("2x2::k:1537:1793:" + "0:" * 14, "x: several sums for cage 1"),
    "another long format": ("2x3::k:1:2", "x: invalid killer sudoku: expected 3x3::k: or"),
    "SumoCue of a killer": ("SumoCueV1=17+0=3", "x: invalid SumoCue cell '=17+0=3': expected"),
    "SumoCue of 3 cells": ("SumoCueV1" + "=1J0" * 3, "x: 3 cells do not form a grid: a 9x9 grid"),
    "SumoCue, a small region": (
        "SumoCueV1" + "=0J0" * 15 + "=0J1",
        "x:1: region 0 has 15 cells, 1 has 1: a 4x4 jigsaw has 4 regions of 4 cells",
    ),
    "a stream outside the grid": (
        '{"n": 4, "streams": [[1,2,3,5]], "givens": []}',
        "x: streams: a grid must be a list of 2 to 35",
    ),
    "a sign outside the range": (
        '{"values": [[0,0],[0,0]], "less_than": [[1,2,1,3]]}',
        "x: less_than 1: '3' is not a number from 1 to 2",
    ),
    "an invalid sign": (
        '{"values": [[0,0],[0,0]], "less_than": [[1,1,1,2],[1,2]]}',
        "x: less_than 2: '[1, 2]' is not a list of 4 numbers",
    ),
    "a given outside the range": (
        '{"n": 4, "streams": [[1,1,2,2],[1,1,2,3],[4,4,2,3],[4,4,3,3]], "givens": [[1,1,5]]}',
        "x: givens 1: '5' is not a number from 1 to 4",
    ),
    "invalid JSON of signs": (
        '{"values": [[0,0],[0,0]], "less_than": [[1,1,',
        "x:1: invalid JSON: Expecting value at",
    ),
    "a repeated key": (
        '{"size": 9, "size": 4, "grid": []}',
        "x: duplicate key 'size' in a JSON object",
    ),
    "a repeated key, nested": (
        '{"grid": [[{"value": 1, "value": 2}]]}',
        "x: duplicate key 'value' in a JSON",
    ),
    "a repeated key of signs": (
        '{"values": [], "less_than": [], "less_than": []}',
        "x: duplicate key 'less_than' in a JSON",
    ),
    "a size that is not a number": (
        '{"size": NaN, "grid": []}',
        "x: invalid JSON number NaN",
    ),
    **{
        f"JSON without an object: {text}": (text, "x: unknown type of JSON document")
        for text in ("[]", "null", '"a"', '[{"grid": []}]')
    },
    "a section, not JSON": ("[even]\nr1c1", "x:1: no grid found"),
    "an infinite size": ('{"size": -Infinity, "grid": []}', "x: invalid JSON number -Infinity"),
    "facts of an unusual size": (
        "a(1,1,1). a(2,3,7).",
        (
            "x: the facts do not give the size of the grid, and their largest number, 7, is"
            " not a common size: add #const n=9."
        ),
    ),
    "a region that is too large": (
        CLASSIC + JIGSAW_OF_9[:-1] + "A",
        "x:1: region A has 10 cells, I has 8: a 9x9 jigsaw has 9 regions of 9 cells",
    ),
    "an additional region": (
        CLASSIC + JIGSAW_OF_9[:-1] + "J",
        "x:1: region I has 8 cells, J has 1: a 9x9 jigsaw",
    ),
    "a missing letter of a jigsaw": (
        CLASSIC + JIGSAW_OF_9[:-1],
        "x:1: 81 cells and 80 region letters do not form a jigsaw: a 9x9 grid has 81 of each",
    ),
    "an additional letter, in two lines": (
        f"{CLASSIC}\n{JIGSAW_OF_9}I",
        "x:1: 81 cells and 82 region letters do not form a",
    ),
    "a missing cell of a jigsaw": (
        CLASSIC[1:] + JIGSAW_OF_9,
        "x:1: 80 cells and 81 region letters do not form a",
    ),
    "a missing candidate": (
        CANDIDATES_OF_9[:300] + CANDIDATES_OF_9[301:],
        "x:1: 728 characters do not form a grid of candidates: a 9x9",
    ),
    "an additional candidate": (
        CANDIDATES_OF_9 + "9",
        "x:1: 730 characters do not form a grid of candidates: a 9x9",
    ),
    "a short killer of 80": (SHORT[:-1], "x:1: 80 characters: a killer sudoku in this"),
    "a short killer of 82": (SHORT + "0", "x:1: 82 characters: a killer sudoku in this"),
    "a given of Strimko": (
        STREAM_ROWS.replace("2 3 4", "2 3 5"),
        "x:7: invalid given '2 3 5': expected",
    ),
    "a repeated given": (STREAM_ROWS + "1 1 2", "x:9: conflicting givens 1 and 2 in r1c1"),
    "a rule among the facts": (
        "a(1,1,1).\na(1,2,X) :- b(X).",
        "x:2: unexpected 'X': a puzzle file can",
    ),
    "a fact outside the grid": ("#const n=4. a(1,5,1).", "x: given a(1,5,1) is outside the grid"),
}


@in_one_test(("text", "message"), REJECTED.values())
def test_invalid_texts_are_reported_with_the_position(text, message):
    assert len(fitting(text)) <= 1
    with pytest.raises(PuzzleError) as caught:
        parse(text, "x")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "format_", with_extras(registry.ALL, lambda each: each.name), ids=lambda each: each.name
)
def test_a_text_in_another_format_than_named_is_a_puzzle_or_an_error(format_):
    for text in (
        "",
        " \n",
        "x",
        "1 2 3",
        "9",
        "{}",
        "[]",
        ":::::",
        CLASSIC,
        "1" * 5000,
        "🙂",
        "a(1,1).",
    ):
        outcome = ""
        try:
            outcome = "x" * bool(parse_all(text, "x", format_))
        except PuzzleError as error:
            outcome = str(error)
        assert outcome.startswith("x"), text


def test_one_of_several_puzzles_is_selected_by_its_number(tmp_path):

    (tmp_path / "two.sdm").write_text(f"{CLASSIC}\n{'.' * 81}\n")
    (tmp_path / "a#2").write_text(CLASSIC)
    assert aspdoku.read(tmp_path / "two.sdm#1").givens() == GIVENS
    assert aspdoku.read(tmp_path / "two.sdm#2").givens() == {}
    assert aspdoku.read(tmp_path / "two.sdm#2").origin == tmp_path / "two.sdm"
    assert aspdoku.read(tmp_path / "a#2").givens() == GIVENS
    with pytest.raises(PuzzleError, match="no puzzle 3: the file contains 2 puzzles"):
        aspdoku.read(tmp_path / "two.sdm#3")
    with pytest.raises(PuzzleError, match="no puzzle 12345678: the file contains 2"):
        aspdoku.read(tmp_path / "two.sdm#12345678")
    for number in ("0", "x", "", "01", "-1"):
        with pytest.raises(
            PuzzleError,
            match=rf"two\.sdm: invalid index '{number}': puzzles are counted from 1, e.g. FILE#1",
        ):
            aspdoku.read(tmp_path / f"two.sdm#{number}")
    with pytest.raises(PuzzleError, match="No such file"):
        aspdoku.read(tmp_path / "three.sdm#0")


def test_a_list_of_puzzles_can_be_solved_by_batch():
    with pytest.raises(PuzzleError, match=r"expected one puzzle; the file seems to contain 2"):
        parse(f"{CLASSIC}\n{CLASSIC}", "x")
    with pytest.raises(PuzzleError, match=r"expected one puzzle; the file seems to"):
        parse("\n".join(ROWS * 2), "x")
