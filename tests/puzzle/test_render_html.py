"""Grids as HTML, parsed as a browser would."""

from html.parser import HTMLParser

import pytest

import aspdoku
from aspdoku import Puzzle, Solution, Solver, compose

VOID = {"br", "hr", "img", "input", "meta", "link"}


class Page(HTMLParser):
    """Collects the cells of tables, row by row, with style and text, and other elements by tag."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.rows, self.tags, self.captions, self.open = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []  # every element ends

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag == "td":
            self.rows[-1].append([declarations(dict(attributes)["style"]), ""])
        elif tag == "caption":
            self.captions.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] == ["td"]:
            self.rows[-1][-1][1] += data.strip()
        elif self.open[-1:] == ["caption"]:
            self.captions[-1] += data
        else:
            assert data.strip() == ""


def declarations(style):
    return dict(part.split(":", 1) for part in style.split(";") if part)


def numbers(page):
    return tuple(tuple(int(text) if text else None for _, text in row) for row in page.rows)


def bold(page):
    return {
        (r, c)
        for r, row in enumerate(page.rows, 1)
        for c, (style, _) in enumerate(row, 1)
        if style.get("font-weight") == "bold"
    }


PUZZLES = [
    "1\n",
    ". 4 . .\n. . . 4\n. . 2 .\n1 . . .\n",
    "box: 2x3\n2.5...\n.16...\n...6..\n..2..5\n.3....\n....34\n",
    "box: 3x2\n2.5...\n.1....\n...6..\n..2..5\n.3....\n....34\n",
    ("." * 12 + "\n") * 11 + "1" + "." * 10 + "C\n",
]


@pytest.mark.parametrize("text", PUZZLES)
def test_a_puzzle(text):
    puzzle = aspdoku.parse(text)
    page = Page(puzzle._repr_html_())
    assert len(page.rows) == puzzle.size
    assert numbers(page) == puzzle.grid
    assert bold(page) == set(puzzle.givens())
    assert page.captions == []


def test_a_solution():
    puzzle = aspdoku.parse(PUZZLES[1])
    (solution,) = Solver(compose(puzzle)).search()
    page = Page(solution._repr_html_())
    assert numbers(page) == solution.rows
    assert bold(page) == {(1, 2), (2, 4), (3, 3), (4, 1)}


@pytest.mark.parametrize("text", PUZZLES)
def test_borders_are_thick_only_around_boxes(text):
    puzzle = aspdoku.parse(text)
    rows, columns = puzzle.box
    height, breadth = (rows, columns) if min(rows, columns) > 1 else (puzzle.size, puzzle.size)
    for r, row in enumerate(Page(puzzle._repr_html_()).rows):
        for c, (style, _) in enumerate(row):
            strong = {
                side: style[f"border-{side}"].startswith("2px")
                for side in ("top", "bottom", "left", "right")
            }
            assert strong == {
                "top": r % height == 0,
                "bottom": (r + 1) % height == 0,
                "left": c % breadth == 0,
                "right": (c + 1) % breadth == 0,
            }


def test_a_jigsaw_is_rendered():
    puzzle = aspdoku.parse(". . . .\n" * 4 + "[box]\nA A A B\nA C B B\nC C D B\nC D D D\n")
    assert puzzle.box is None
    assert numbers(Page(puzzle._repr_html_())) == puzzle.grid


TITLES = [
    "<script>alert(1)</script>",
    "</caption></table><img src=x onerror=alert(1)>",
    "a & b &amp; c",
    "{{ 7 * 7 }} {% raw %}",
    "\"double\" and 'single'",
    "Sudoku für → alle",
]


@pytest.mark.parametrize("title", TITLES)
def test_a_title_is_escaped(title):
    puzzle = Puzzle.blank(4).replace(title=title)
    solution = Solution(puzzle, ((1, 2, 3, 4), (3, 4, 1, 2), (2, 1, 4, 3), (4, 3, 2, 1)))
    for drawable in (puzzle, solution):
        written = drawable._repr_html_()
        page = Page(written)
        assert page.captions == [title]
        assert set(page.tags) <= {"table", "tbody", "caption", "tr", "td"}
        assert "<script" not in written


def test_the_html_is_self_contained():
    written = Puzzle.blank(9)._repr_html_()
    assert not any(
        word in written for word in ("http", "src=", "href=", "class=", "@import", "url(")
    )
