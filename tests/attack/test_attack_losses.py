"""A part of a text that is deleted, blanked or commented out takes nothing else away with it.

For a text of every format, and of every drawing of a grid: what is read afterwards is an error, an
additional unsupported part, or the same puzzle without at most as many givens, facts and rules as
words were removed. It never has another size, other numbers, or a given at another place.
"""

import re
from collections import Counter
from functools import cache

from mutations import puzzle_files, written
from seeds import blocks

from aspdoku.errors import AspdokuError
from aspdoku.formats import parse_all
from aspdoku.program import library

NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SIX = ("12..34", "34..12", "......", "......", "21..43", "43..21")
FOUR = ("12.4", "3..2", "....", "2..1")


def drawings(rows):
    """A grid in all ways in which people separate cells."""
    for between in (" ", "", ",", ", ", ";", "\t", " | "):
        for empty in (".", "0", "_", "-", "*", *([""] if between.strip(" ") else [])):
            yield "\n".join(between.join(row).replace(".", empty) for row in rows)


def tables(rows):
    """A grid in the tables of other programs."""
    floats = [["" if cell == "." else f"{cell}.0" for cell in row] for row in rows]
    size = len(rows)
    yield "\n".join(map(",".join, floats))
    yield "\n".join(" ".join(cell or "nan" for cell in row) for row in floats)
    labels = [["", *map(str, range(size))], *([str(at), *row] for at, row in enumerate(floats))]
    yield "\n".join(map(",".join, labels))
    bars = [f"| {' | '.join(row).replace('.', ' ')} |" for row in rows]
    yield "\n".join([bars[0], "|---" * size + "|", *bars[1:]])
    yield "\n".join(["|   " * size + "|", "|---" * size + "|", *bars])
    yield "\n".join(["┌" + "───┬" * (size - 1) + "───┐", *bars]).replace("|", "│")
    yield "\n".join("│" + "│".join(row) + "│\n├" + "─┼" * (size - 1) + "─┤" for row in rows)
    yield "\n".join("".join(row).replace(".", " ") for row in rows)
    yield "".join(rows).replace(".", " ")
    yield "\n".join(["".join(rows).replace(".", " ")] * 3)


# Formats that are only read, and states of solving.
READ_ONLY = {
    "records": f"id,puzzle,rating\n1,{NINE},1.2\n2,{NINE},7.1\n",
    "columns": f"1234b {NINE} 1.2\n5678c {NINE} 7.1\n",
    "numpy": "[[1 2 0 4]\n [3 0 0 2]\n [0 0 0 0]\n [2 0 0 1]]\n",
    "a Python list": "g = [\n [1, 2, 0, 4],\n [3, 0, 0, 2],\n [0, 0, 0, 0],\n [2, 0, 0, 1],\n]",
    "JSON rows": '["12.4",\n "3..2",\n "....",\n "2..1"]\n',
    "a record": '{"puzzle": [[1, 2, 0, 4], [3, 0, 0, 2], [0, 0, 0, 0], [2, 0, 0, 1]]}\n',
    "facts": "initial(1,1,5). initial(1,2,3).\ninitial(9,9,9).\ninitial(5,5,1).\n",
    "an answer": "Answer: 1\ninitial(1,1,5) initial(1,2,3) initial(9,9,9)\nSATISFIABLE\n",
    "records, one a line": f'{{"puzzle": "{NINE}"}}\n{{"puzzle": "{NINE}"}}\n',
    "dosuku": '{"newboard": {"grids": [{"value":\n [[1, 2, 0, 4],\n [3, 0, 0, 2],\n [0, 0, 0, 0],\n'
    ' [2, 0, 0, 1]], "difficulty": "Easy"}], "results": 1}}\n',
    "strings": f'["{NINE}",\n "{NINE}"]\n',
    "an answer, -V0": "initial(1,1,5) initial(1,2,3) initial(9,9,9)\nSATISFIABLE\n",
    "columns, names": f"puzzle\tlevel\n{NINE}\t7.1\n{NINE}\t1.2\n",
    "a Markdown list": f"| id | puzzle |\n|---|---|\n| 1 | {NINE} |\n| 2 | {NINE} |\n",
    "a URL in a mail": f"<https://www.sudokuwiki.org/sudoku.htm?\nbd={NINE[:40]}\n{NINE[40:]}>\n",
    "OpenSudoku": f'<opensudoku>\n<game data="{NINE}" />\n<game data="{NINE}" />\n</opensudoku>\n',
    "Solo": "2x2:1e4f2b\n3x2:1za3g\n",
    "sudokuwiki": f"https://www.sudokuwiki.org/sudoku.htm?bd={NINE}\n",
    "hodoku, a state": f":0300:4:{NINE[:2]}+4{NINE[3:]}:115 215:412:r1c1::\n",
    "sadman, sections": "[Puzzle]\n" + "\n".join(FOUR) + "\n[State]\n" + "\n".join(FOUR) + "\n",
    "titles": "Grid 01\n" + "\n".join(FOUR) + "\n\nGrid 02\n" + "\n".join(FOUR) + "\n",
    "a list": f"{NINE} # easy\n{NINE} 7.1 hard\n{NINE} even(1,3).\n",
}


@cache
def samples():
    """Texts with a grid or more, by their names."""
    return {
        **{
            f"{name} {at}": text
            for name, texts in written().items()
            for at, text in enumerate(texts)
        },
        **{
            f"grid {len(rows)}, {at}": text
            for rows in (FOUR, SIX)
            for at, text in enumerate(drawings(rows))
        },
        **{
            f"table {len(rows)}, {at}": text
            for rows in (FOUR, SIX)
            for at, text in enumerate(tables(rows))
        },
        **{f"puzzle file {at}": text for at, text in enumerate(puzzle_files()[::9])},
        **READ_ONLY,
    }


TOKEN = re.compile(r"[A-Za-z]\w*|[0-9]+|[^\s\w]|\t")


def read(text):
    try:
        return parse_all(text)
    except AspdokuError:
        return None


def cuts(rng, text):
    """The text without a part, in one of the ways in which parts get lost; and that part."""
    tokens = list(TOKEN.finditer(text))
    token = rng.choice(tokens)
    start = token.start()
    line = slice(text.rfind("\n", 0, start) + 1, (text + "\n").index("\n", start))
    kinds = ["delete", "blank", "tab", "#", "rest", "line", "comment", "empty"]
    # In a text of numbers with several digits, a column is not a column of cells.
    kind = rng.choice([*kinds, *([] if re.search("[0-9]{3}", text) else ["column"])])
    if kind == "#" and not text[line.start : start].split(" ")[-1]:
        return f"{text[:start]}#{text[token.end() :]}", text[start : line.stop]  # a comment
    if kind in ("delete", "blank", "tab", "#"):
        new = {"delete": "", "blank": " " * len(token[0]), "tab": "\t", "#": "#"}[kind]
        return text[:start] + new + text[token.end() :], token[0]
    if kind == "rest":
        return f"{text[:start]} # {text[start:]}", text[start : line.stop]
    if kind == "column":  # the same columns of all lines
        left, wide = start - line.start, len(token[0])
        new = rng.choice(("#", " ")) * wide
        rows = text.split("\n")
        return (
            "\n".join(row[:left] + new[: len(row[left:])] + row[left + wide :] for row in rows),
            " ".join(row[left : left + wide] for row in rows),
        )
    new = {"line": "", "empty": "\n", "comment": f"# {text[line]}\n"}[kind]
    return text[: line.start] + new + text[line.stop + 1 :], text[line]


def contents(puzzle):
    """How many givens, facts of each predicate and rules there are."""
    kinds = [fact.signature for fact in puzzle.facts]
    return Counter([*kinds, *puzzle.elaborations, *puzzle.without, *map(str, puzzle.givens())])


def silent_loss(before, after, removed):
    """What is wrong with the puzzle that is read after a part was removed; empty if nothing is."""
    if len(after.unsupported) > len(before.unsupported) or re.search("Shape|numbers", removed):
        return ""
    if removed == "+" and after.givens().items() >= before.givens().items():
        return ""  # HoDoKu: a digit that a solver placed has become a given
    rules = {*after.elaborations, *after.without}
    gained = (contents(after) - contents(before)).keys() - {"box"}
    inputs = library.bundled_inputs()
    if not rules <= {*library.rule_names(), *library.default_names(), "row", "column"} or any(
        isinstance(each, tuple) and each not in inputs for each in gained
    ):
        return ""  # unknown rules are an error of every command, and unknown facts a warning
    if (before.size, before.numbers) != (after.size, after.numbers):
        return "another size"
    if not after.givens().items() <= before.givens().items():
        return "other givens"
    lost = contents(before) - contents(after)
    if lost.total() > len("".join(removed.split())):
        return f"lost {lost}"
    return f"gained {gained}" if gained else ""


@blocks(fast=200, long=2, size=5000)
def test_a_removed_part_takes_nothing_else_away(block):
    texts = samples()
    names = sorted(texts)
    originals = {name: read(texts[name]) for name in names}
    for rng in block.cases():
        name = rng.choice(names)
        text, removed = cuts(rng, texts[name])
        after, before = read(text), originals[name]
        if after is None or before is None:
            continue
        assert len(after) <= len(before), text
        if len(after) < len(before):  # a line of a list
            pairs = [(each, each) for each in after if each in before]
            assert len(pairs) == len(after), text
            continue
        for one, other in zip(before, after, strict=True):
            assert silent_loss(one, other, removed) == "", f"{name}: {removed!r}\n{text}"
