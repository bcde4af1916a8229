"""SudokuPad documents, plain and in compact JSON, the givens in its URLs, and the URLs of both
programs.
"""

import json
import tracemalloc
from itertools import permutations
from random import Random
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from in_one_test import in_one_test

import aspdoku
from aspdoku import Puzzle
from aspdoku.errors import AspdokuError, PuzzleError
from aspdoku.formats import parse, parse_all, sudokupad, urls
from aspdoku.formats.sudokupad import encoding

pytestmark = pytest.mark.versions

# ---- Documents ----


def document(size=4, boxes=True, **keys):
    found = {"cells": [[{} for _ in range(size)] for _ in range(size)], **keys}
    if boxes:
        found["regions"] = [
            [[r + y, c + x] for y in range(2) for x in range(2)] for r in (0, 2) for c in (0, 2)
        ]
    return found


def facts(puzzle):
    return sorted(map(str, puzzle.facts))


def test_givens_and_boxes():
    found = document()
    found["cells"][1][2] = {"value": 3, "pencilMarks": [1]}
    puzzle = sudokupad.read(found)
    assert (puzzle.givens(), puzzle.box, puzzle.facts, puzzle.without, puzzle.unsupported) == (
        {(2, 3): 3},
        (2, 2),
        (),
        (),
        (),
    )


def test_explicit_regions_and_none():
    rows = [[[r, c] for c in range(4)] for r in range(4)]
    assert sudokupad.read(document(boxes=False)).without == ("box",)
    assert facts(sudokupad.read(document(boxes=False, regions=rows)))[:2] == [
        "box(1,1,1)",
        "box(1,2,1)",
    ]
    small = sudokupad.read(document(boxes=False, regions=[[[0, 0], [1, 1]], []]))
    assert (small.elaborations, len(small.facts), small.without) == (("extra-region",), 2, ("box",))


CAGES = [
    ({"cells": [[0, 0], [0, 1]], "unique": True}, ["killer"], ["cage(1,1,1)", "cage(1,2,1)"], ()),
    ({"cells": [[0, 0]], "value": "5", "unique": True, "sum": 5}, ["killer"], ["cage(1,1,1)", "cage_value(1,5)"], ()),  # noqa: E501
    ({"cells": [[0, 0]], "style": "killer", "value": 5}, ["killer"], ["cage(1,1,1)", "cage_value(1,5)"], ()),  # noqa: E501
    ({"cells": [[0, 0]], "unique": True}, ["killer"], ["cage(1,1,1)"], ()),
    ({"cells": [[0, 0]], "sum": 5}, ["sum-cage"], ["sum_cage(1,1,1)", "sum_cage_value(1,5)"], ()),
    ({"cells": [[0, 0]], "unique": True, "value": "?"}, ["killer"], ["cage(1,1,1)"], ("'?' on a cage",)),  # noqa: E501
    ({"cells": [[0, 0]], "value": "?"}, [], [], ("'?' on a cage",)),
    ({"cells": [[0, 0]]}, [], [], ("a cage without a meaning",)),
    ({"cells": [[0, 0]], "style": "rowcol", "unique": False}, [], [], ("a hidden cage that is neither a row nor a column",)),  # noqa: E501
    ({"cells": [[0, c] for c in range(2)], "unique": True, "sum": "ten"}, ["killer"], ["cage(1,1,1)", "cage(1,2,1)"], (  # noqa: E501
        "'ten' on a cage",)),
    *(({"cells": [[0, 0]], "unique": True, "sum": wrong}, ["killer"], ["cage(1,1,1)"], (f"'{wrong}' on a cage",))  # noqa: E501
      for wrong in (10.5, 3.0, [3], True)),
    ({"cells": [[0, 0]], "sum": 5, "value": "6"}, ["sum-cage"], ["sum_cage(1,1,1)", "sum_cage_value(1,5)"], ("6 on a cage",)),  # noqa: E501
    ({"cells": [[0, 0]], "sum": 1, "value": True}, ["sum-cage"], ["sum_cage(1,1,1)", "sum_cage_value(1,1)"], (  # noqa: E501
        "'True' on a cage",)),
    ({"cells": [[0, 0], [0, 0]], "sum": 5}, [], [], ("a cage with the cell R1C1, listed twice",)),
    ({"cells": [[0, 0]], "unique": "true"}, [], [], ("'true' as 'unique' of a cage",)),
    ({"cells": [[0, 0]], "unique": True, "style": "box"}, ["killer"], ["cage(1,1,1)"], ("the style 'box' of a cage",)),  # noqa: E501
    ({"cells": [[0, c] for c in range(4)], "style": "rowcol", "sum": 9}, ["sum-cage"], [
        *(f"sum_cage(1,{c},1)" for c in range(1, 5)), "sum_cage_value(1,9)"], ()),
    ({"sum": 7}, [], [], ("a cage without cells: '7'",)),
    ({"value": "titles are hard"}, [], [], ("a cage without cells: 'titles are hard'",)),
    ({"cells": [[0, c] for c in range(4)], "style": "rowcol", "unique": True}, [], [], ()),
    ({"cells": [[0, 0], [1, 1]], "style": "rowcol", "unique": True}, [], [], ("a hidden cage that is neither a row nor a column",)),  # noqa: E501
    ({"cells": [[0, 0]], "unique": True, "parity": "even"}, ["killer"], ["cage(1,1,1)"], ("'parity' of a cage",)),  # noqa: E501
    ({"value": "title: Hello"}, [], [], ()),
    ({"cells": [], "value": "Odd: the green ones"}, [], [], ("a cage without cells: 'Odd: the green ones'",)),  # noqa: E501
]  # fmt: skip


@in_one_test(("cage", "names", "stated", "unsupported"), CAGES)
def test_a_cage(cage, names, stated, unsupported):
    puzzle = sudokupad.read(document(cages=[cage]))
    assert (list(puzzle.elaborations), facts(puzzle), puzzle.unsupported) == (
        names,
        stated,
        unsupported,
    )
    assert puzzle.title == ("Hello" if str(cage.get("value")).startswith("title:") else "")


@pytest.mark.parametrize(
    ("keys", "names", "unsupported"),
    [
        ({"global": ["antiknight", "antiking"]}, ("anti-knight", "anti-king"), ()),
        (
            {"metadata": {"antiknight": True, "title": "x", "solution": "1234", "rules": "y"}},
            ("anti-knight",),
            ("the rules in words", "a solution that does not fit the grid"),
        ),
        ({"global": ["nabner", "title"]}, (), ("the rule 'nabner'", "the rule 'title'")),
        ({"metadata": {"antiknight": 1}}, (), ("'antiknight' of the metadata",)),
        (
            {"metadata": {"antiknight": "true", "norowcol": True}},
            (),
            ("the rule 'norowcol'", "'antiknight' of the metadata"),
        ),
        (
            {"metadata": {"antiknight": False, "title": "", "rules": "", "x": 0}},
            (),
            ("'x' of the metadata",),
        ),
        (
            {"lines": [{"wayPoints": [[0, 0], [1, 1]]}], "overlays": []},
            (),
            ("drawings that may represent a rule: lines",),
        ),
        ({"underlays": [{}, {}]}, (), ("drawings that may represent a rule: underlays (2 times)",)),
        ({"cellSize": 50, "id": "x", "foglight": [[1, 1]], "extras": {"x": 1}}, (), ("'extras'",)),
    ],
)
def test_rules_and_drawings(keys, names, unsupported):
    puzzle = sudokupad.read(document(**keys))
    assert (puzzle.elaborations, puzzle.unsupported) == (names, unsupported)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cells": []}, "the grid has 0 rows"),
        ({"cells": [[{}], [{}]]}, "row 1 of cells: 1 cells instead of 2"),
        ({"cells": [[{}, 3], [{}, {}]]}, "row 1 of cells: an item is not an object"),
        (
            {"cages": [{"cells": [[0, 4]]}]},
            "cages: invalid cell '[0, 4]': expected [row,column], each 0 to 3",
        ),
        ({"regions": "x"}, "regions: 'x' instead of a list"),
        (
            {"regions": [[[0, 0], [0, 0], [1, 0], [1, 1]]]},
            "regions: a cell is listed twice in one of them",
        ),
        ({"metadata": ["antiknight"]}, "metadata: \"['antiknight']\" instead of an"),
    ],
)
def test_invalid_documents_are_reported(change, message):
    with pytest.raises(PuzzleError) as error:
        sudokupad.read(document() | change)
    assert str(error.value).startswith(message)


# ---- Compact JSON ----


def squeeze(found):
    """Compact JSON as SudokuPad's tools write it.

    Short keys, as few quotes as possible, t and f, nothing for an empty object.
    """
    short = {long: key for key, long in encoding.FULL_KEYS.items()}

    def text(value):
        if isinstance(value, dict):
            inner = ",".join(f"{short.get(key, key)}:{text(each)}" for key, each in value.items())
            return f"{{{inner}}}" if inner else ""
        if isinstance(value, list):
            return (
                f"[{','.join(map(text, value))}]"
                if value not in ([{}], [])
                else "[{}]"
                if value
                else "[]"
            )
        if value in (True, False) and isinstance(value, bool):
            return "t" if value else "f"
        return (
            "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
            if isinstance(value, str)
            else str(value)
        )

    return text(found)


@given(
    st.recursive(
        st.booleans() | st.integers(-999, 999) | st.text("ab'\" :,{}[]\\é", max_size=5),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from(["cells", "value", "x1", "title"]), inner, max_size=3)
        ),
        max_leaves=12,
    )
)
def test_compressed_json_is_decompressed(value):
    assert encoding.load(squeeze({"metadata": value})) == {"metadata": value}


def test_colours_and_numbers_without_quotes():
    assert encoding.load("{ce:[[,{v:3},],[]],c:#F,c2:a0b1c2,x:1.5,y:null}") == {
        "cells": [[{}, {"value": 3}, {}], []],
        "color": "#F",
        "backgroundColor": "a0b1c2",
        "x": 1.5,
        "y": None,
    }


@pytest.mark.parametrize(
    "text", ["{", "{a}", "{a:1", "[1]", "{a:[1,2}", "{a:1}x", "{a:" + "[" * 99, "{:1}", "{a:1 b:2}"]
)
def test_broken_text_is_an_error(text):
    with pytest.raises(PuzzleError):
        encoding.load(text)


# ---- Givens ----

CLASSIC = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"


def by_runs(line):
    signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz()[]-.~:@!$&'*,;=_"
    packed, run = "", 0
    for sign in line + "#":
        if sign == "0":
            run += 1
            continue
        packed += (signs[run] if run else "") + sign
        run = 0
    return packed[:-1]


def by_number_and_run(line):
    signs = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx"
    packed, place = "", 0
    while place < len(line):
        end = place + 1
        while end < len(line) and line[end] == "0" and end - place <= 5:
            end += 1
        packed += signs[int(line[place]) + 10 * (end - place - 1)]
        place = end
    return packed


@pytest.mark.parametrize("pack", [by_runs, by_number_and_run])
def test_packed_givens(pack):
    assert encoding.puzzle_from_classic(pack(CLASSIC)) == aspdoku.parse(CLASSIC)


def test_packed_givens_with_rules():
    puzzle = encoding.puzzle_from_scf(by_number_and_run(CLASSIC) + "wx")
    assert (puzzle.grid, puzzle.elaborations) == (
        aspdoku.parse(CLASSIC).grid,
        ("windoku", "diagonal"),
    )


@pytest.mark.parametrize("packed", ["", "1", "12", "é", "B6B", "0" * 80, "1" * 82])
def test_givens_of_an_invalid_length_are_rejected(packed):
    with pytest.raises(PuzzleError):
        encoding.puzzle_from_scf(packed)
    if packed != "1":
        with pytest.raises(PuzzleError):
            encoding.puzzle_from_classic(packed)


# ---- URLs ----

CLASSIC_ADDRESS = f"https://sudokupad.app/classic{by_number_and_run(CLASSIC)}"


def packed(text):
    return (
        pytest.importorskip("lzstring", reason="addresses are packed by lzstring")
        .LZString()
        .compressToBase64(text)
    )


FPUZZLE = {
    "size": 4,
    "grid": [[{"value": 1, "given": True}, {}, {}, {}], *[[{}] * 4] * 3],
    "antiknight": True,
    "title": "T??>>~~",
}
ONE = Puzzle(
    ((1, None, None, None), *((None,) * 4,) * 3), elaborations=("anti-knight",), title="T??>>~~"
)


def addresses():
    text = packed(json.dumps(FPUZZLE))
    scl = document(boxes=True, metadata={"title": "T??>>~~", "antiknight": True})
    scl["cells"][0][0] = {"value": 1}
    yield f"https://www.f-puzzles.com/?load={text}"
    yield f"https://f-puzzles.com/?load={quote(text)}"
    yield f"f-puzzles.com/?load={text.replace('+', ' ').rstrip('=')}&x=1".replace(" ", "%20")
    yield f"https://sudokupad.app/fpuzzles{text}"
    yield f"https://app.crackingthecryptic.com/sudoku/fpuz{quote(text)}"
    yield f"https://sudokupad.app/sudoku/?puzzleid=fpuzzles{quote(text)}"
    yield f"https://sudokupad.app/scl{packed(squeeze(scl))}"
    yield f"ctc{packed(json.dumps(scl))}"
    yield text


def test_urls_contain_their_puzzle():
    for address in addresses():
        assert parse(f"{address}\n", "x") == ONE, address


def test_a_plus_sign_that_became_a_space_is_restored():
    titles = ("".join(Random(seed).choices("abcdefgh", k=60)) for seed in range(50))
    texts = {title: packed(json.dumps(FPUZZLE | {"title": title})) for title in titles}
    title, text = next((title, text) for title, text in texts.items() if "++" in text)
    for site in (
        "https://www.f-puzzles.com/?load=",
        "https://sudokupad.app/fpuzzles",
        "https://sudokupad.app/sudoku/fpuz",
    ):
        assert parse(f"{site}{text.replace('+', ' ')}\n").title == title


@pytest.mark.parametrize(
    "drawing", ["# mine\n{}\n; yours", "\ufeff\r\n% x\r\n{}\r\n\r\n", "{} # mine"]
)
def test_comments_around_a_url_are_ignored(drawing):
    for address in addresses():
        assert parse(drawing.format(address)) == ONE


def test_several_urls_are_several_puzzles():
    first = next(addresses())
    assert parse_all(f"{first}\n# two\n{CLASSIC_ADDRESS}\n") == [ONE, aspdoku.parse(CLASSIC)]
    with pytest.raises(PuzzleError, match="x:2: expected one puzzle; the file"):
        parse(f"{first}\n{first}", "x")


@in_one_test(
    ("text", "reason"),
    [
        ('{"size": 4, "grid": [x]}', "invalid JSON: Expecting value at column 22; copy all of it"),
        ('{"size": 4, "size": 5}', "duplicate key 'size' in a JSON object; copy all of it"),
        ('{"size": NaN}', "invalid JSON number NaN; copy all of it"),
        (
            '{"size": ' + "[" * 40 + "]" * 40 + "}",
            "JSON nested too deeply, or a number is too long; copy all of",
        ),
    ],
)
@in_one_test(
    "site",
    ["https://www.f-puzzles.com/?load=", "https://sudokupad.app/scl", "https://sudokupad.app/ctc"],
)
def test_a_url_with_invalid_content_is_damaged(site, text, reason):
    with pytest.raises(PuzzleError) as error:
        parse(f"{site}{packed(text)}", "x")
    assert str(error.value).startswith(f"x:1: damaged URL: {reason}")


@pytest.mark.parametrize(
    "text",
    [
        '{"cells":[[{}]],"cages":[{"cells":[[0,0]],"sum":1}],"cages":[]}',
        '{"ce":[[{}]],"ca":[{"ce":[[0,0]],"sum":1}],"ca":[]}',
        '{"ce":[[{}]],"ca":[{"ce":[[0,0]],"sum":1}],"cages":[]}',
        "{ce:[[{}]],ca:[{ce:[[0,0]],sum:1}],ca:[]}",
        "{ce:[[{}]],ca:[{ce:[[0,0]],sum:1}],cages:[]}",
        "{cells:[[{}]],'cages':[{ce:[[0,0]],sum:1}],cages:[]}",
    ],
)
def test_a_repeated_key_in_a_url_is_rejected(text):
    with pytest.raises(
        PuzzleError, match=r"damaged URL: duplicate key 'ca(ges)?' in a JSON object"
    ):
        parse(f"https://sudokupad.app/scl{packed(text)}")


@pytest.mark.slow
def test_a_url_that_expands_to_more_than_any_puzzle_is_rejected_early():
    text = packed(json.dumps(FPUZZLE | {"title": "x" * 3_000_000}))
    assert len(text) < urls.MAX_LENGTH
    tracemalloc.start()
    try:
        with pytest.raises(
            PuzzleError, match="x:1: the URL expands to more than 1000000 characters"
        ):
            parse(f"https://www.f-puzzles.com/?load={text}", "x")
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


@given(st.text(st.characters(exclude_categories=["Cs"])) | st.text("ab", max_size=300))
def test_text_compressed_by_lzstring_is_decompressed(text):
    # lzstring compresses UTF-16 code units; only for most characters is that one per character.
    units = text.encode("utf-16-le")
    units = "".join(
        chr(int.from_bytes(units[place : place + 2], "little")) for place in range(0, len(units), 2)
    )
    assert urls.decompress(packed(units), 10_000) == text


def test_a_title_of_any_characters_is_written_and_read():
    pytest.importorskip("lzstring", reason="addresses are packed by lzstring")
    puzzle = ONE.replace(title="\N{WORM} é")
    assert parse(urls.write(puzzle)).replace(rules="") == puzzle


def test_a_missing_slash_is_restored():
    titles = ("".join(Random(seed).choices("\u7fff\u3fff\u5fff", k=20)) for seed in range(500))
    texts = {
        title: packed(json.dumps(FPUZZLE | {"title": title}, ensure_ascii=False))
        for title in titles
    }
    title, text = next((title, text) for title, text in texts.items() if "//" in text)
    assert parse(f"https://sudokupad.app/fpuzzles{text.replace('//', '/', 1)}").title == title


def test_givens_in_a_url():
    assert parse(f"https://sudokupad.app/classic{by_number_and_run(CLASSIC)}") == aspdoku.parse(
        CLASSIC
    )
    assert parse(f"https://sudokupad.app/scf{by_number_and_run(CLASSIC)}x").elaborations == (
        "diagonal",
    )


@in_one_test(
    ("address", "message"),
    [
        (
            "https://www.f-puzzles.com/?id=abcdefg",
            "x:1: this URL only identifies a puzzle on the server of f-puzzles.com",
        ),
        (
            "https://sudokupad.app/ddGfd499G7",
            "x:1: this URL only identifies a puzzle on SudokuPad's",
        ),
        ("https://sudokupad.app/", "x:1: this URL only identifies a puzzle"),
        ("https://sudokupad.app/fpuzzlesN4Ig@@@@", "x:1: damaged URL: its content cannot be"),
        ("https://sudokupad.app/sclN4IgzglgXgpiBcBOA", "x:1: damaged URL: its content cannot be"),
        (
            "https://sudokupad.app/fpuzzlesN4Ig" + "A" * 40_000,
            "x:1: URL too long: 40034 characters, at",
        ),
        (
            "https://www.f-puzzles.com/?load=",
            "x:1: the URL contains no puzzle, as its parameter load is empty",
        ),
        ("https://www.f-puzzles.com/?load=&x=1", "x:1: the URL contains no puzzle, as its"),
        ("https://www.f-puzzles.com/?load=N4Ig&load=N4Ig", "x:1: the URL has several parameters"),
        (
            "https://tinyurl.com/abcd",
            (
                "x:1: unsupported site tinyurl.com: f-puzzles.com, sudokupad.app, sudokuwiki.org,"
                " Interactive Sudoku Solver, Penpa+ and puzz.link are supported; a short link has"
            ),
        ),
        (
            "# mine\nHTTP://SudokuMaker.app?puzzle=N4Ig",
            "x:2: unsupported site SudokuMaker.app: f-puzzles.com, sudokupad.app, sudokuwiki.org,",
        ),
        (
            f"{CLASSIC_ADDRESS}\nhttps://example.com",
            "x:2: unsupported site example.com: f-puzzles.com, sudokupad.app, sudokuwiki.org,",
        ),
    ],
)
def test_urls_without_a_puzzle_are_rejected(address, message):
    with pytest.raises(PuzzleError) as error:
        parse(address, "x")
    assert str(error.value).startswith(message)


@settings(deadline=None)
@given(
    st.text("N4IgABCabc019+/=% ~{}:?&", max_size=40),
    st.sampled_from(["fpuzzlesN4Ig", "sclN4Ig", "scf", "classic", "?load=", ""]),
)
def test_any_url_is_a_puzzle_or_an_error(text, kind):
    try:
        urls.read(f"https://sudokupad.app/{kind}{text}", "x")
    except AspdokuError:
        return


def test_a_written_url_is_one_of_fpuzzles():
    pytest.importorskip("lzstring", reason="addresses are packed by lzstring")
    address = urls.write(ONE)
    assert address.startswith("https://www.f-puzzles.com/?load=N4Ig")
    found = parse(address)
    assert found.replace(rules="") == ONE
    assert [parse(address.partition(before)[2]) for before in ("https://", "com/", "load=")] == [
        found
    ] * 3


@in_one_test("keys", list(permutations(["lines", "arrows", "overlays", "underlays"])))
def test_unsupported_drawings_are_listed_in_the_order_of_the_document(keys):
    document = {"cells": [[{}] * 4] * 4} | {key: [{"x": 1}] for key in keys}
    assert parse(json.dumps(document)).unsupported == tuple(
        f"drawings that may represent a rule: {key}" for key in keys
    )
