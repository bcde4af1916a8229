"""Types of puzzles in janko's text that are only read if their format is named. Those of several
boards are also written.
"""

import json
import re

import published_puzzles
import pytest
from in_one_test import in_one_test
from instance_files import BOARDS

import aspdoku
from aspdoku.errors import PuzzleError
from aspdoku.formats import parse, parse_all, registry
from aspdoku.program import compose
from aspdoku.puzzle import Function

BLANK = "- - - -\n" * 4
CLUES = "1 - - -\n- 2 - -\n- - 3 -\n- - - 4\n"
PAIRS = "a a b b\nc c d d\ne e f f\ng g h h\n"
TEXTS = {
    "skyscraper": f"4 4\n{CLUES}1 - - -\n- - - -\n- - - -\n- 2 - -\n",
    "skyscraper, no boxes": f"4 4 3 D\n{CLUES}{BLANK}",
    "frame-sum": f"4 4\n{CLUES.replace('1', '9')}{BLANK}",
    "end-view": f"4 4 c\na - - -\n- b - -\n- - c -\n- - - a\nb - - -\n{BLANK[8:]}",
    "consecutive": "4 4\n1 - - -\n- - - -\n- - - -\n- - 2 -\n1 6 0 0\n0 8 0 0\n0 0 0 0\n0 0 0 0\n",
    "kenken": f"4 4\n3+ - 2* -\n2/ - 1- -\n7+ - - 3-\n- 1- - 3+\n{PAIRS}",
    "renban": f"4 4\n1 - - -\n{BLANK[8:]}{PAIRS}",
    "str8ts": "4 4\nx - - 1\n- 4x - -\n- - - -\n- - - x\n",
    "suguru": f"4 4\n- - 2 -\n{BLANK[8:]}{PAIRS}",
}


def read(name, text):
    return parse_all(text, "x", registry.by_name(f"janko-{name.partition(',')[0]}"))[0]


def outcome(name, text):
    try:
        return read(name, text)
    except PuzzleError as error:
        return str(error)


# The rows and columns of the grid, the cells in which boards overlap, and how often the layout has
# to be turned by 90 degrees to become its own image.
LAYOUTS = {
    "samurai": (21, 21, 4 * 9, 1),
    "butterfly": (12, 12, 4 * 81 - 144, 1),
    "windmill": (21, 21, 4 * 18, 1),
    "sohei": (21, 21, 4 * 9, 1),
    "sumo": (33, 33, 16 * 9, 1),
    "gattai-8": (21, 33, 8 * 9, 2),
    "shogun": (21, 45, 12 * 9, 2),
    "clueless-1": (27, 27, 0, 1),
    "clueless-2": (27, 27, 0, 1),
}


def empty(rows, columns):
    return f"{rows} {columns}\n" + ("- " * columns + "\n") * rows


@pytest.mark.slow_cases("samurai", "sohei", "sumo", "windmill")
@pytest.mark.parametrize("name", LAYOUTS)
def test_boards_of_a_type(name):
    rows, columns, shared, turns = LAYOUTS[name]
    puzzle = read(name, empty(rows, columns))
    boards = [fact.arguments[1:] for fact in puzzle.facts if fact.name == "board"]
    cells = [(r + y, c + x) for r, c, h, w in boards for y in range(h) for x in range(w)]
    assert (len(puzzle.grid), puzzle.numbers) == (max(rows, columns), range(1, 10))
    assert len(cells) - len(set(cells)) == shared
    turned = set(cells)
    for _ in range(turns):
        rows, columns = columns, rows
        turned = {(c, columns + 1 - r) for r, c in turned}
    assert turned == set(cells)
    composed = compose(puzzle)
    assert composed.warnings == ()
    assert len(composed.puzzle.unused) == max(rows, columns) ** 2 - len(set(cells))
    with pytest.raises(PuzzleError, match=r"expected \d+ \d+, the size of this type"):
        read(name, empty(9, 9))


CLUELESS = {"clueless-1": set(range(2, 27, 3)), "clueless-2": {4, 5, 6, 13, 14, 15, 22, 23, 24}}


@pytest.mark.parametrize("name", CLUELESS)
def test_some_cells_of_clueless_form_another_sudoku(name):
    """Its boxes are sets of cells if they are not boxes of the nine boards."""
    puzzle = read(name, empty(27, 27))
    sets = {}
    for fact in puzzle.facts:
        if fact.name == "extra_region":
            *cell, label = fact.arguments
            sets.setdefault(label, set()).add(tuple(cell))
    lines = sorted(CLUELESS[name])
    grid = [[(row, column) for column in lines] for row in lines]
    boxes = [
        {grid[y + down][x + right] for down in range(3) for right in range(3)}
        for y in (0, 3, 6)
        for x in (0, 3, 6)
    ]
    expected = [*map(set, grid), *map(set, zip(*grid, strict=True))]
    expected += boxes if name == "clueless-1" else []
    assert sorted(map(sorted, sets.values())) == sorted(map(sorted, expected))
    if name == "clueless-2":
        whole = {fact.arguments[2]: set() for fact in compose(puzzle).puzzle.layout}
        for fact in compose(puzzle).puzzle.layout:
            whole[fact.arguments[2]].add(fact.arguments[:2])
        assert all(box in whole.values() for box in boxes)


@pytest.mark.parametrize("file", [file for file, _ in BOARDS], ids=lambda file: file.stem)
def test_bundled_puzzles_are_written_as_their_type_only(file):
    puzzle = aspdoku.read(file)
    for name in LAYOUTS:
        format_ = registry.by_name(f"janko-{name}")
        if name == file.stem:
            text = registry.write(format_, [puzzle])
            assert [line.replace("/", ".").split() for line in text.splitlines()[1:]] == [
                [word if word.isdigit() else "-" for word in line.split()]
                for line in file.read_text("utf-8").splitlines()
                if line[:2] in ("/ ", ". ") or line[:1].isdigit()
            ]
            continue
        with pytest.raises(
            PuzzleError, match=r"cannot represent (other boards|the rule|a [0-9x]+ grid)"
        ):
            registry.write(format_, [puzzle])


def test_what_a_type_does_not_state_is_not_written():
    puzzle = read("samurai", empty(21, 21))
    format_ = registry.by_name("janko-samurai")
    for odd, what in (
        (puzzle.replace(elaborations=("boards", "anti-knight")), "the rule anti-knight"),
        (puzzle.replace(facts=(*puzzle.facts, Function("ab", (Function("boards"), 1)))), "ab/2"),
        (puzzle.replace(without=("row", "column", "box")), "`without: box`"),
        (puzzle.replace(numbers=range(9)), "the numbers 0 to 8"),
        (
            puzzle.replace(facts=(*puzzle.facts, Function("board_box", (3, 1, 9)))),
            "other boards than those of this type",
        ),
    ):
        with pytest.raises(PuzzleError) as caught:
            registry.write(format_, [odd])
        assert what in str(caught.value)
    clueless = read("clueless-1", empty(27, 27))
    with pytest.raises(PuzzleError, match="the facts of extra-region"):
        registry.write(registry.by_name("janko-clueless-2"), [clueless])


@pytest.mark.slow_cases("samurai")
@pytest.mark.parametrize("name", ["samurai", "butterfly"])
def test_a_bundled_puzzle_in_this_text(name):
    (puzzle, solution) = next(each for each in BOARDS if each[0].stem == name)
    grid = aspdoku.read(puzzle).grid
    rows = "\n".join(" ".join(str(number or "-") for number in row) for row in grid)
    found = aspdoku.solve(read(name, f"{len(grid)} {len(grid)}\n{rows}"))
    assert found.status == "unique"
    expected = [line.split() for line in solution.read_text("utf-8").splitlines()]
    assert [
        ["/" if each is None else str(each) for each in row] for row in found.solution.rows
    ] == [["/" if word in "./" else word for word in row] for row in expected]


def test_a_number_between_boards_is_an_error():
    rows = ["- " * 21] * 21
    rows[9] = f"5 {'- ' * 20}"
    with pytest.raises(PuzzleError, match="r10c1 is not used, but the number 5 is given in it"):
        compose(read("samurai", "\n".join(["21 21", *rows])))


@pytest.mark.parametrize("name", TEXTS)
def test_every_change_of_a_word_changes_the_puzzle(name):
    """The labels of regions have no meaning, so for them only the regions matter."""
    text = TEXTS[name]
    puzzle = read(name, text)
    lines = text.splitlines()
    labelled = 5 if name in ("kenken", "renban", "suguru") else len(lines)
    for number, line in enumerate(lines):
        words = line.split()
        for place, word in enumerate(words):
            for change in ("", "0", "?", f"{word}1", "a" if number >= labelled else "3"):
                other = [*words[:place], change, *words[place + 1 :]]
                changed = "\n".join([*lines[:number], " ".join(other), *lines[number + 1 :]])
                assert change == word or outcome(name, changed) != puzzle, changed


def test_what_the_texts_state():
    puzzle = read("skyscraper, no boxes", TEXTS["skyscraper, no boxes"])
    assert (puzzle.numbers, puzzle.without) == (range(4), ("box",))
    assert puzzle.elaborations == ("skyscraper", "diagonal")
    clues = {(str(fact.arguments[0]), *fact.arguments[1:]) for fact in puzzle.facts}
    assert clues == {("top", 1, 1), ("bottom", 2, 2), ("left", 3, 3), ("right", 4, 4)}
    puzzle = read("consecutive", TEXTS["consecutive"])
    assert puzzle.facts == (
        Function("white_dot", (1, 1, 1, 2, 1)),
        Function("white_dot", (1, 2, 2, 2, 1)),
    )
    puzzle = read("str8ts", TEXTS["str8ts"])
    assert puzzle.givens() == {(1, 4): 1}
    assert Function("black", (2, 2, 4)) in puzzle.facts


REJECTED = {
    "two sizes": ("kenken", "4 5\n", "x:1: invalid first line '4 5': expected the size of"),
    "a word too many": ("str8ts", "4 4 4\n" + BLANK, "x:1: invalid first line '4 4 4'"),
    "too few rows": ("suguru", "4 4\n" + BLANK, "x:1: expected 8 rows after this line, but 4"),
    "a short row": ("str8ts", "4 4\n- -\n", "x:2: the row has 2 cells; each row needs 4"),
    "two blanks in a row": (
        "skyscraper",
        f"4 4 2\n{CLUES}{BLANK}",
        "x:1: invalid largest number 2: 4 cells hold 4 numbers, or one less and an empty cell",
    ),
    "a number for a letter": (
        "end-view",
        f"4 4 c\n{CLUES}{BLANK}",
        "x:2: invalid letter '1' in a clue: expected A and so on",
    ),
    "another operation": (
        "kenken",
        f"4 4\n3% - - -\n{BLANK[8:]}{PAIRS}",
        "x:2: invalid clue '3%': expected a result and one of + * - /, e.g. 24*",
    ),
    "two results": (
        "kenken",
        f"4 4\n3+ 4+ - -\n{BLANK[8:]}{PAIRS}",
        "x:2: several clues for the cage a",
    ),
    "a difference of three": (
        "kenken",
        f"4 4\n3- - - -\n{BLANK[8:]}a a a b\n{BLANK[8:]}",
        "x:2: '3-' in a cage of 3 cells, not of two",
    ),
    "a number in a cage": (
        "kenken",
        f"4 4\n3 - - -\n{BLANK[8:]}{PAIRS}",
        "x:2: '3' without an operation in a cage of several cells",
    ),
    "one-sided marks": (
        "consecutive",
        f"4 4\n{BLANK}1 0 0 0\n{'0 0 0 0' + chr(10)}{'0 0 0 0' + chr(10)}0 0 0 0\n",
        "x:6: contradictory marks between r1c1 and r1c2",
    ),
    "a mark at the edge": (
        "consecutive",
        f"4 4\n{BLANK}4 0 0 0\n{'0 0 0 0' + chr(10)}{'0 0 0 0' + chr(10)}0 0 0 0\n",
        "x:6: contradictory marks between r1c1 and r1c0",
    ),
}


@in_one_test(("name", "text", "message"), REJECTED.values())
def test_invalid_texts_are_reported_with_the_line(name, text, message):
    with pytest.raises(PuzzleError) as caught:
        read(name, text)
    assert message in str(caught.value)


FORMATS = {
    "skyscraper": "skyscraper",
    "outside-frame-sum": "frame-sum",
    "abc-end-view": "end-view",
    "consecutive-marks": "consecutive",
    "kenken": "kenken",
    "renban-region": "renban",
    "str8ts": "str8ts",
    "suguru": "suguru",
}


@pytest.mark.skipif(
    not published_puzzles.FILE.exists(), reason=f"there is no {published_puzzles.FILE}"
)
def test_published_puzzles_are_those_of_an_independent_reader():
    """Their solutions are checked with the facts of that reader."""
    checked = 0
    for line in published_puzzles.FILE.read_text("utf-8").splitlines():
        each = json.loads(line)
        name = FORMATS.get(each["kind"][0])
        if each["format"] != "puzzlekit-text" or not name:
            continue
        expected = published_puzzles.PUZZLEKIT[tuple(each["kind"])](each)
        puzzle = read(name, each["puzzle"])
        givens = {
            fact.arguments[:2]: fact.arguments[2] for fact in expected.facts if fact.name == "a"
        }
        assert puzzle.givens() == expected.givens() | givens, each["id"]
        assert facts_of(puzzle) == facts_of(expected), each["id"]
        assert puzzle.elaborations == expected.elaborations, each["id"]
        assert (puzzle.without, puzzle.numbers) == (expected.without, expected.numbers), each["id"]
        with pytest.raises(PuzzleError):
            parse(each["puzzle"])
        checked += 1
    assert checked >= 34


def facts_of(puzzle):
    """The facts other than givens; labels are compared as text."""
    return {(fact.name, *map(str, fact.arguments)) for fact in puzzle.facts if fact.name != "a"}


SUB_GRIDS = re.compile(r"\((\d+), (\d+)\)")


@pytest.mark.slow
@pytest.mark.skipif(
    not published_puzzles.FILE.exists(), reason=f"there is no {published_puzzles.FILE}"
)
def test_published_puzzles_on_several_boards_have_their_published_solution():
    """The collection also states where the boards are."""
    checked = set()
    for line in published_puzzles.FILE.read_text("utf-8").splitlines():
        each = json.loads(line)
        if each["kind"][0] != "multi-grid":
            continue
        name = each["kind"][1].replace("gattai8", "gattai-8").replace("less", "less-")
        puzzle = read(name, each["puzzle"])
        places = {
            (row - 1, column - 1)
            for fact in puzzle.facts
            if fact.name == "board"
            for row, column in [fact.arguments[1:3]]
        }
        stated = each["note"].split("]")[0]
        assert places == {(int(row), int(column)) for row, column in SUB_GRIDS.findall(stated)}
        found = aspdoku.solve(puzzle)
        rows = [line.split() for line in each["solution"].splitlines()[1:]]
        assert found.status == "unique"
        assert found.solution.numbers() == {
            (r, c): int(word)
            for r, words in enumerate(rows, 1)
            for c, word in enumerate(words, 1)
            if word != "-"
        }
        written = registry.write(registry.by_name(f"janko-{name}"), [puzzle])
        assert written.split() == each["puzzle"].split()
        if name in CLUELESS:
            rules = [rule for rule in puzzle.elaborations if rule != "extra-region"]
            others = tuple(fact for fact in puzzle.facts if fact.name != "extra_region")
            alone = puzzle.replace(elaborations=tuple(rules), facts=others)
            assert aspdoku.solve(alone).status == "several"
        checked.add(name)
    assert checked >= LAYOUTS.keys() - {"sohei"}
