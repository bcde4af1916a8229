"""Published puzzles with their published solutions, if the collection exists next to the checkout.

aspdoku reads the formats that it supports. The tables here read other formats, and variants whose
rules the text does not specify.
"""

import json
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import NamedTuple

import aspdoku
from aspdoku.errors import PuzzleError
from aspdoku.formats import fpuzzles, iss
from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzle.puzzle import RULES_IN_WORDS

FILE = Path(__file__).parents[2] / "shared" / "data" / "puzzles.jsonl"


class Case(NamedTuple):
    """A puzzle and what is known about its solutions.

    puzzle: the part of it that could be read, if any
    reason: why it could not be read completely
    solution: the published numbers by cell
    digits: the published solution as a string, if it cannot be split into cells because it mixes
    numbers of one and two digits
    count: the published number of solutions, if any
    """

    name: str
    kinds: tuple[str, ...]
    puzzle: Puzzle | None
    reason: str
    solution: dict[tuple[int, int], int]
    digits: str
    count: int | None

    @property
    def covered(self):
        """The puzzle if all of it could be read."""
        return None if self.reason else self.puzzle


@cache
def cases():
    lines = FILE.read_text("utf-8").splitlines() if FILE.exists() else []
    return [case_of(json.loads(line)) for line in lines]


def case_of(each):
    puzzle, reason = read(each)
    solution = solution_of(each)
    digits = "" if solution else solution_text(each)
    return Case(each["id"], tuple(each["kind"]), puzzle, reason, solution, digits, count_of(each))


def solution_text(each):
    return each.get("solution") or each.get("computed_solution") or ""


def count_of(each):
    """The number of solutions.

    If the publisher only counted up to a limit, the true number is in a note.
    """
    true = re.search(r"true count (\d+)|not unique: (\d+) solutions", each.get("note", ""))
    return int(true[1] or true[2]) if true else each.get("solution_count")


def solution_of(each):
    """Numbers by cell; A is 1 and so on, a dash is an empty cell, or 0 if that is a number."""
    text = solution_text(each)
    rows = (
        [line.split() for line in text.splitlines()[1:]]
        if "\n" in text
        else in_rows(text, columns_of(each))
    )
    cells = {(r, c): sign for r, row in enumerate(rows, 1) for c, sign in enumerate(row, 1)}
    blank = 0 if "blank-cells" in each["kind"] else None
    numbers = {cell: blank if sign == "-" else value(sign) for cell, sign in cells.items()}
    return {cell: number for cell, number in numbers.items() if number is not None}


def columns_of(each):
    """The number of columns if the grid is not square, such as 6x8."""
    shape = re.fullmatch(r"(\d+)x(\d+)", str(each["size"]))
    return int(shape[2]) if shape and shape[1] != shape[2] else None


def in_rows(signs, columns=None):
    size = columns or round(len(signs) ** 0.5)
    return (
        [signs[start : start + size] for start in range(0, len(signs), size or 1)]
        if columns or size**2 == len(signs)
        else []
    )


def value(sign):
    return int(sign) if sign.isdigit() else ord(sign.upper()) - ord("A") + 1


def read(each):
    """The puzzle as far as it could be read, or None, and why something is missing."""
    try:
        puzzle = READERS[each["format"]](each)
    except PuzzleError as error:
        return None, str(error)
    if puzzle is None:
        return None, f"{each['kind'][0]} is not translated"
    # The published solution shows whether a drawing or the rules in words are a rule.
    unsupported = [
        text
        for text in puzzle.unsupported
        if text != RULES_IN_WORDS and "drawings that may represent a rule" not in text
    ]
    return puzzle, "; ".join(unsupported)


# ---- Formats that aspdoku supports ----


def by_content(each):
    return aspdoku.parse(
        each["puzzle"] if isinstance(each["puzzle"], str) else json.dumps(each["puzzle"])
    )


def from_fpuzzles(each):
    return fpuzzles.read(each["puzzle"])


def from_iss(each):
    return iss.read(each["puzzle"], each["id"])[0]


# ---- Lisudoku and Demystify ----


def cell(place):
    return place["row"] + 1, place["col"] + 1


def at_cells(name):
    return lambda places: [Function(name, cell(place)) for place in places]


def on_lines(name):
    return lambda lines: [
        Function(name, (label, place, *cell(each)))
        for label, line in enumerate(lines, 1)
        for place, each in enumerate(line, 1)
    ]


def dots(places):
    kinds = {"Consecutive": ("white_dot", 1), "Double": ("black_dot", 2)}
    entries = [(*kinds[dot["dotType"]], cell(dot["cell1"]), cell(dot["cell2"])) for dot in places]
    return [Function(name, (*one, *other, by)) for name, by, one, other in entries]


def cages(places):
    cells = [
        Function("cage", (*cell(each), label))
        for label, cage in enumerate(places, 1)
        for each in cage["region"]
    ]
    return cells + [
        Function("cage_value", (label, cage["sum"]))
        for label, cage in enumerate(places, 1)
        if cage.get("sum")
    ]


FACTS = {
    "fixedNumbers": (
        lambda given: [Function("a", (*cell(each["position"]), each["value"])) for each in given],
        (),
    ),
    "evenCells": (at_cells("even"), ("even",)),
    "oddCells": (at_cells("odd"), ("odd",)),
    "palindromes": (on_lines("palindrome"), ("palindrome",)),
    "renbans": (on_lines("renban"), ("renban",)),
    "thermos": (on_lines("thermo"), ("thermo",)),
    "kropkiDots": (dots, ("white-dots", "black-dots")),
    "killerCages": (cages, ("killer",)),
}
SWITCHES = {
    "antiKnight": ("anti-knight",),
    "kropkiNegative": ("negative-white-dots", "negative-black-dots"),
    "topBottom": ("top-bottom",),
    "primaryDiagonal": ("diagonal",),
    "secondaryDiagonal": ("diagonal",),
}


def from_lisudoku(each):
    document = dict(each["puzzle"])
    puzzle = Puzzle.blank(document.pop("gridSize"))
    facts, names = [], []
    if bool(document.get("primaryDiagonal")) != bool(document.get("secondaryDiagonal")):
        return None
    for key, entry in document.items():
        if entry and key in FACTS:
            facts += FACTS[key][0](entry)
            present = {fact.name.replace("_", "-") for fact in FACTS[key][0](entry)}
            rules = FACTS[key][1]
            names += [name for name in rules if name.rstrip("s") in present] or rules
        elif entry:
            names += SWITCHES[key]
    return puzzle.replace(facts=tuple(facts), elaborations=tuple(dict.fromkeys(names)))


RULES = {
    '["basicSudoku", "M"]': (),
    '["knightsMove", "M"]': ("anti-knight",),
    '["adjDiffByMat", "M", 1]': ("nonconsecutive",),
}


def from_demystify(each):
    document = each["puzzle"]
    names = [name for rule in document["constraints"] for name in RULES[json.dumps(rule)]]
    grid = tuple(tuple(number or None for number in row) for row in document["initial"][0])
    return Puzzle(grid, elaborations=tuple(names))


# ---- Puzzlekit ----


EDGES = tuple(map(Function, ("top", "bottom", "left", "right")))


def words(each):
    """The size, and the words of each line below it."""
    first, *lines = [line.split() for line in each["puzzle"].splitlines()]
    return int(first[0]), lines


def grid_of(lines):
    return tuple(tuple(int(word) if word.isdigit() else None for word in row) for row in lines)


def regions(lines):
    cells = defaultdict(list)
    for r, row in enumerate(lines, 1):
        for c, name in enumerate(row, 1):
            cells[int(name)].append((r, c))
    return cells


def with_clues(name, elaboration, boxes=True, numbers=None, clue=int):
    """Clues at the top, at the bottom, left and right, and the grid."""

    def read_clues(each):
        size, lines = words(each)
        clues = (
            (edge, line, word)
            for edge, row in zip(EDGES, lines[:4], strict=True)
            for line, word in enumerate(row, 1)
        )
        facts = tuple(
            Function(name, (edge, line, clue(word))) for edge, line, word in clues if word != "-"
        )
        tallest = value(each["puzzle"].split()[2]) if numbers else size
        return Puzzle(
            grid_of(lines[4 : size + 4]),
            facts=facts,
            elaborations=(elaboration,),
            without=() if boxes else ("box",),
            numbers=range(tallest - size + 1, tallest + 1),
        )

    return read_clues


def kenken(each):
    size, lines = words(each)
    facts, found = [], regions(lines[size : 2 * size])
    operations = {
        "+": "kenken_sum",
        "*": "kenken_product",
        "-": "kenken_difference",
        "/": "kenken_quotient",
    }
    for label, cells in found.items():
        facts += [Function("kenken", (*place, label)) for place in cells]
        for (r, c), word in ((place, lines[place[0] - 1][place[1] - 1]) for place in cells):
            if word.isdigit():
                facts.append(Function("a", (r, c, int(word))))
            elif word not in (".", "-"):
                facts.append(Function(operations[word[-1]], (label, int(word[:-1]))))
    return Puzzle.blank(size).replace(
        facts=tuple(facts), elaborations=("kenken",), without=("box",)
    )


def renban(each):
    size, lines = words(each)
    found = regions(lines[size : 2 * size]).items()
    facts = [
        Function("renban", (label, k, *place))
        for label, cells in found
        for k, place in enumerate(cells, 1)
    ]
    return Puzzle(
        grid_of(lines[:size]), facts=tuple(facts), elaborations=("renban",), without=("box",)
    )


def str8ts(each):
    size, lines = words(each)
    black = [
        Function("black", (r, c, *map(int, word[:-1].split())))
        for r, row in enumerate(lines[:size], 1)
        for c, word in enumerate(row, 1)
        if word.endswith("x")
    ]
    return Puzzle(
        grid_of(lines[:size]),
        facts=tuple(black),
        elaborations=("str8ts",),
        without=("column", "box"),
    )


def suguru(each):
    size, lines = words(each)
    found = regions(lines[size : 2 * size]).items()
    facts = [Function("suguru", (*place, label)) for label, cells in found for place in cells]
    return Puzzle(
        grid_of(lines[:size]),
        facts=tuple(facts),
        elaborations=("suguru",),
        without=("row", "column", "box"),
    )


def consecutive(each):
    """Below the grid, the sum of some bits for each cell.

    1 if the cell to the right is consecutive, 2 if that below is, 4 and 8 for others.
    """
    size, lines = words(each)
    marked = {
        (r, c): int(word) for r, row in enumerate(lines[size:], 1) for c, word in enumerate(row, 1)
    }
    facts = [
        Function("white_dot", (r, c, r, c + 1, 1)) for (r, c), bits in marked.items() if bits & 1
    ]
    facts += [
        Function("white_dot", (r, c, r + 1, c, 1)) for (r, c), bits in marked.items() if bits & 2
    ]
    names = ("white-dots", "negative-white-dots")
    return Puzzle(grid_of(lines[:size]), facts=tuple(facts), elaborations=names, without=("box",))


def boards(each):
    """Squares of 9x9 in a larger grid, whose corners are in the note."""
    _, *lines = each["puzzle"].splitlines()
    rows = [[None if word == "-" else int(word) for word in line.split()] for line in lines]
    size = max(len(rows), len(rows[0]))
    rows = [[*row, *[None] * (size - len(row))] for row in rows]
    rows += [[None] * size] * (size - len(rows))
    corners = re.findall(r"\((\d+), (\d+)\)", each["note"])
    facts = [
        Function("board", (index, int(top) + 1, int(left) + 1, 9, 9))
        for index, (top, left) in enumerate(corners, 1)
    ]
    return Puzzle(
        tuple(map(tuple, rows)),
        facts=tuple(facts),
        elaborations=("boards",),
        without=("row", "column"),
        numbers=range(1, 10),
    )


BOARDS = ("butterfly", "gattai8", "samurai", "shogun", "sumo", "windmill")

PUZZLEKIT = {
    ("classic",): by_content,
    ("jigsaw",): by_content,
    ("killer",): by_content,
    ("even", "odd"): by_content,
    ("skyscraper",): with_clues("skyscraper", "skyscraper"),
    ("skyscraper", "latin-no-boxes"): with_clues("skyscraper", "skyscraper", boxes=False),
    ("skyscraper", "latin-no-boxes", "parks/blank-cells"): with_clues(
        "skyscraper", "skyscraper", boxes=False, numbers=True
    ),
    ("abc-end-view", "latin-no-boxes", "blank-cells"): with_clues(
        "end_view", "end-view", boxes=False, numbers=True, clue=value
    ),
    ("outside-frame-sum",): with_clues("frame_sum", "frame-sum"),
    ("kenken", "latin-no-boxes"): kenken,
    ("renban-region", "latin-no-boxes"): renban,
    ("str8ts", "latin-no-boxes"): str8ts,
    ("suguru",): suguru,
    ("consecutive-marks", "negative-consecutive", "latin-no-boxes"): consecutive,
    **{("multi-grid", name): boards for name in BOARDS},
}

READERS = {
    "81char": by_content,
    "iss-text": by_content,
    "strimko-json": by_content,
    "lt-list": by_content,
    "iss-string": from_iss,
    "fpuzzles-json": from_fpuzzles,
    "lisudoku-json": from_lisudoku,
    "demystify-json": from_demystify,
    "puzzlekit-text": lambda each: PUZZLEKIT.get(tuple(each["kind"]), lambda _: None)(each),
}
