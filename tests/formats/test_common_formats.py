"""Puzzles as other programs and people write them: all of them are Wikipedia's example."""

import json

import pytest
from in_one_test import in_one_test

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
    "records, one a line": ("matrix", json.dumps({"puzzle": NINE, "solution": SOLVED}) + "\n"),
    "a list with a string for each puzzle": ("matrix", json.dumps([NINE])),
    "strings, one a line": ("matrix", json.dumps(NINE) + "\n"),
    "a list of cells in a record": ("matrix", json.dumps({"quiz": [n for r in MATRIX for n in r]})),
    "rows as strings in a record": (
        "matrix",
        json.dumps({"quiz": [NINE[at : at + 9] for at in range(0, 81, 9)]}),
    ),
    "the answer of dosuku": (
        "matrix",
        json.dumps(
            {
                "newboard": {
                    "grids": [{"value": MATRIX, "difficulty": "Easy"}],
                    "results": 1,
                    "message": "All Ok",
                }
            }
        ),
    ),
    "facts of another name": ("facts", atoms("initial").replace(" ", "\n")),
    "facts from 0": ("facts", atoms("initial", first=0)),
    "facts beside others": ("facts", "rows(9). " + atoms("initial")),
    "an answer of clingo": (
        "facts",
        "clingo version 5.7.1\nReading from a.lp ...\nSolving...\nAnswer: 1\n"
        f"val(1) {atoms('sudoku', end='')}\nSATISFIABLE\n\nModels       : 1+\n",
    ),
    "the output of clingo -V0": ("facts", f"{atoms('sudoku', end='')}\nSATISFIABLE\n"),
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


def state(separator, *notes):
    """The cells of OpenSudoku; the player has entered 4 in each second empty cell."""
    cells = ((g or 4 * (at % 2), *notes, 0 if g else 1) for at, g in enumerate(GIVENS))
    return "".join("".join(f"{part}{separator}" for part in cell) for cell in cells)


TEXTS |= {
    "OpenSudoku": (
        "opensudoku",
        '<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku><name>Evening</name>\n'
        f'<game data="{NINE.replace(".", "0")}" /></opensudoku>',
    ),
    **{
        f"OpenSudoku, version {version}": (
            "opensudoku",
            '<opensudoku version="2"><folder name="a" created="1"><game state="1" time="2"'
            f' note="" data="version: {version}&#10;{cells}"/></folder></opensudoku>',
        )
        for version, cells in [
            (1, state("|", "1,2,")),
            (2, state("||", 3)),
            (3, state("|", 3)),
            (4, state("|", 3, 0)),
            (5, state("|", 3, 0, 1)),
        ]
    },
}


def runs(cells):
    """The cells in Solo's notation, as its source describes it."""
    text, blank = "", 0
    for cell in [*cells, None]:
        if cell == 0:
            blank += 1
            continue
        while blank > 26:
            text, blank = text + "z", blank - 26
        text += chr(96 + blank) if blank else "_" if text and cell else ""
        text, blank = text + str(cell or ""), 0
    return text


def lines_between(labels, size):
    """The lines between cells with different labels, in Solo's notation."""
    pairs = [(at, at + 1) for at in range(size * size) if at % size < size - 1]
    pairs += [
        (row * size + column, (row + 1) * size + column)
        for column in range(size)
        for row in range(size - 1)
    ]
    text, run = "", 0
    for one, other in [*pairs, (0, None)]:
        if other is not None and labels[one] == labels[other]:
            run += 1
            continue
        while run > 25:
            text, run = text + "z", run - 25
        text, run = text + (chr(96 + run) if run else "_"), 0
    return text


TEXTS |= {
    "Solo": ("solo", f"3x3:{runs(GIVENS)}"),
    "Solo, with a difficulty": ("solo", f"3x3dt:{runs(GIVENS)}"),
    "Solo, a URL": (
        "solo",
        f"https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/solo.html#3x3:{runs(GIVENS)}",
    ),
    "Solo, two": ("solo", f"3x3:{runs(GIVENS)}\n3x3:{runs(GIVENS)}\n"),
}


@in_one_test(("format_", "text"), TEXTS.values())
def test_a_text_is_detected_and_read(format_, text):
    assert [each.name for each in registry.FOREIGN if each.fits(text)] == [format_]
    for puzzle in parse_all(text):
        assert puzzle.grid == parse(NINE).grid
        assert (puzzle.box, puzzle.elaborations, puzzle.unsupported) == ((3, 3), (), ())


def test_a_page_of_sudokuwiki_with_rules_of_its_own_is_not_a_plain_sudoku():
    puzzle = parse(f"https://www.sudokuwiki.org/Sudoku_X.htm?bd={NINE}")
    assert puzzle.unsupported == ("the rules of the page 'Sudoku_X.htm'",)


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
        (NINE[1:], "is not a sudoku of sudokuwiki.org: expected 81 numbers"),
        ("J9B" + VERSION_B, "is not a sudoku of sudokuwiki.org"),
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


def packed_grid():
    """Wikipedia's example as the payload of f-puzzles, which is not compressed by our own code."""
    lzstring = pytest.importorskip("lzstring").LZString()
    grid = [[{"value": n, "given": True} if n else {} for n in row] for row in MATRIX]
    return lzstring.compressToBase64(json.dumps({"grid": grid}))


def wrapped(text):
    return "\n".join(text[at : at + 76] for at in range(0, len(text), 76))


MAILED = {
    "a folder": "https://www.f-puzzles.com/fpuzzles/?load={}",
    "the parameter of f-puzzles": "https://sudokupad.app/?load={}",
    "angle brackets": "<https://www.f-puzzles.com/?load={}>\n",
}


@pytest.mark.parametrize("lines", [str, wrapped])
@pytest.mark.parametrize("address", MAILED.values(), ids=MAILED)
def test_a_url_is_read_as_it_arrives_in_a_mail(address, lines):
    text = lines(address.format(packed_grid()))
    assert parse(text).grid == parse(NINE).grid
    assert [each.grid for each in parse_all(f"{text}\n{text}")] == [parse(NINE).grid] * 2


def test_a_line_after_a_url_is_a_part_of_it():
    with pytest.raises(PuzzleError, match="cannot be decompressed"):
        parse_all(f"https://www.f-puzzles.com/?load={packed_grid()}\nabcd")


@in_one_test("empty", "0.-_*")
@in_one_test(
    ("address", "rules"),
    [
        ("https://sigh.github.io/Interactive-Sudoku-Solver/?q={}", ()),
        ("https://lisudoku.xyz/e?import={}", ()),
        ("https://example.com/solve?p={}&x=1", ("the rules of the page on example.com",)),
    ],
)
def test_the_cells_of_a_grid_in_a_url(address, rules, empty):
    puzzle = parse(address.format(NINE.replace(".", empty)))
    assert (puzzle.grid, puzzle.unsupported) == (parse(NINE).grid, rules)


def test_a_url_with_two_puzzles_is_rejected():
    packed = "classic5NlQ19j9mGca3OIN1bWGk2m41TjS79"
    with pytest.raises(PuzzleError, match="several puzzles"):
        parse(f"https://sudokupad.app/{packed}?puzzleid={packed}")


JIGSAW, CAGES = "AABBAABCDDBCDDCC", "AABBCCDDEEFFEEFF"
FOUR = [1, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 2, 0, 0]


@pytest.mark.parametrize("rules", ["", "x", "k", "xk"])
@pytest.mark.parametrize("jigsaw", [False, True])
def test_a_game_id_of_solo_has_regions_cages_and_diagonals(jigsaw, rules):
    sums = [3, 0, 7, 0, 5, 0, 6, 0, 10, 0, 10, 0, 0, 0, 0, 0]
    parts = [runs(FOUR), *([lines_between(JIGSAW, 4)] if jigsaw else [])]
    parts += [lines_between(CAGES, 4), runs(sums)] if "k" in rules else []
    puzzle = parse(f"{'4j' if jigsaw else '2x2'}{rules}:{','.join(parts)}")
    assert puzzle.givens() == {(1, 1): 1, (2, 3): 4, (4, 2): 2}
    expected = [*(["diagonal"] if "x" in rules else []), *(["killer"] if "k" in rules else [])]
    assert (list(puzzle.elaborations), puzzle.box) == (expected, None if jigsaw else (2, 2))
    for predicate, labels in (("box", JIGSAW if jigsaw else ""), ("cage", CAGES * ("k" in rules))):
        groups = {}
        for fact in puzzle.facts:
            if fact.name == predicate:
                row, column, label = fact.arguments
                groups.setdefault(label, set()).add(4 * row + column - 5)
        assert {frozenset(cells) for cells in groups.values()} == {
            frozenset(at for at, each in enumerate(labels) if each == label) for label in {*labels}
        }
    if "k" in rules:
        stated = {fact.arguments for fact in puzzle.facts if fact.name == "cage_value"}
        assert sorted(total for _, total in stated) == sorted(filter(None, sums))


def test_boxes_of_solo_have_as_many_rows_as_its_first_number():
    assert parse("2x3:zj").box == (2, 3)
    assert parse("3x2:zj").box == (3, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3x3:a5", "2 cells instead of 81"),
        ("2x2:5o", "invalid number 5 in r1c1"),
        ("4j:p", "the game id has 1 parts; 2 are needed"),
        ("4j:p,abc", "too many or too few lines"),
        ("2x2k:p,p,p", "too many or too few lines"),
        ("<opensudoku><game data='123'/></opensudoku>", "game 1: invalid data '123'"),
        ("<opensudoku></opensudoku>", "the file contains no game"),
        ("<opensudoku>", "invalid XML"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><opensudoku/>', "unsupported declaration"),
    ],
)
def test_a_damaged_game_is_rejected(text, message):
    with pytest.raises(PuzzleError) as raised:
        parse(text)
    assert message in str(raised.value)


def test_unknown_parts_of_opensudoku_are_reported():
    puzzle = parse(f"<opensudoku><game data='{NINE}' variant='x'><cage/></game></opensudoku>")
    assert puzzle.unsupported == ("'variant'", "'cage'")


SIXTEEN = [[(4 * (r % 4) + r // 4 + c) % 16 for c in range(16)] for r in range(16)]
REGIONS = "".join(chr(65 + r // 4 * 4 + c // 4) for r in range(16) for c in range(16))


def sixteen(signs, every=3):
    return "".join(
        signs[n] if (7 * r + c) % every == 0 else "."
        for r, row in enumerate(SIXTEEN)
        for c, n in enumerate(row)
    )


def test_a_16x16_jigsaw_of_512_characters():
    numbers = parse(sixteen("123456789ABCDEFG") + REGIONS)
    assert numbers.size == 16
    assert numbers.givens() == {
        (r + 1, c + 1): n + 1
        for r, row in enumerate(SIXTEEN)
        for c, n in enumerate(row)
        if (7 * r + c) % 3 == 0
    }
    assert parse(sixteen("ABCDEFGHIJKLMNOP") + REGIONS) == numbers
    for signs, message in (
        ("0123456789ABCDEF", "ambiguous 0 in a grid with letters"),
        ("ABCDEFG.........", "ambiguous letters A to G"),
    ):
        with pytest.raises(PuzzleError, match=message):
            parse(sixteen(signs) + REGIONS)


@pytest.mark.parametrize("before", ["Answer: 1\n", ""])  # without it with clingo -V0
def test_several_answers_are_several_puzzles(before):
    text = f"{before}{atoms('a', '')}\n" * 2 + "SATISFIABLE\n"
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
    **{
        f"facts without givens, {at}": (
            f"#const n=4. {text}",
            f"x: the facts do not show which are the givens ({names})",
        )
        for at, (text, names) in enumerate(
            [
                ("initial(1,1,1). other(2,2,3).", "initial, other"),
                ('given("r1","c1",4).', "given"),
                ('given(1,1,"4"). given(1,2,3).', "given"),
                ("initial(1,1,1) other(2,2,3)", "initial, other"),
            ]
        )
    },
    "facts with strings, without a size": (
        'cell("r1","c1",4).',
        "x: the facts do not show which are the givens (cell)",
    ),
    "a random seed of Solo": ("3x3#123", "x:1: the random seed 123 of Solo does not contain"),
    "a random seed of Solo, a jigsaw": ("9jx#456", "x:1: the random seed 456 of Solo"),
    "two lists of grids": (json.dumps({"a": [NINE], "b": [NINE]}), "x: unknown type of JSON"),
    "another list in a document": (
        json.dumps({"puzzles": [NINE], "cages": [[1, 2]]}),
        "x: unknown type of JSON",
    ),
    "an unknown column of a record": (json.dumps({"grid": [[1]]}), "x: "),
}


@in_one_test(("text", "message"), REJECTED.values())
def test_a_damaged_text_is_rejected(text, message):
    with pytest.raises(PuzzleError) as raised:
        parse_all(text, "x")
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("janko", "4 4\n01 - - -\n- - - -\n- - - -\n- - - 04\n"),
        ("strimko", f"4 {'1 1 2 2 1 1 2 2 3 3 4 4 3 3 4 4'} 01{' .' * 14} 04\n"),
    ],
)
def test_numbers_may_begin_with_zeros(name, text):
    (found,) = parse_all(text, "", registry.by_name(name))
    assert found.givens() == {(1, 1): 1, (4, 4): 4}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([NINE, NINE]),
        json.dumps([MATRIX, MATRIX]),
        f"{json.dumps(MATRIX)}\n{json.dumps(MATRIX)}\n",
        f"{json.dumps(NINE)}\n{json.dumps(NINE)}\n",
        f"['{NINE}', '{NINE}']",
        f"{json.dumps({'puzzle': NINE})}\n{json.dumps({'puzzle': NINE})}\n",
        json.dumps({"data": {"boards": [{"value": MATRIX}, {"value": MATRIX}]}}),
    ],
)
def test_several_grids_are_several_puzzles(text):
    assert [puzzle.grid for puzzle in parse_all(text)] == [parse(NINE).grid] * 2


def test_a_solution_in_a_record_in_other_objects_is_compared():
    solution = [[int(sign) for sign in SOLVED[at : at + 9]] for at in range(0, 81, 9)]
    around = {"newboard": {"grids": [{"value": MATRIX, "solution": solution}], "cages": 5}}
    puzzle = parse(json.dumps(around))
    assert puzzle.solution == tuple(map(tuple, solution))
    assert (puzzle.title, puzzle.unsupported) == ("cages 5", ("the column 'cages'",))
    solution[0][0] = 9
    with pytest.raises(PuzzleError, match="the stated solution has another number"):
        parse(json.dumps(around))


def test_keys_of_a_record_are_in_the_title_or_reported():
    puzzle = parse(
        json.dumps({"puzzle": MATRIX, "level": "easy", "cages": [[1, 2]], "givens": [5]})
    )
    assert puzzle.title == "level easy, cages, a list [[1, 2]], givens, a list [5]"
    assert puzzle.unsupported == ("the column 'cages, a list'", "the column 'givens, a list'")
