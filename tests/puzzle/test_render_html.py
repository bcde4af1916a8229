"""What notebooks show of puzzles and solutions: SVG, parsed as XML."""

import subprocess
import sys
from xml.etree import ElementTree

import pytest

import aspdoku
from aspdoku import Puzzle, Solver, compose

SVG = "{http://www.w3.org/2000/svg}"


class Drawn:
    """Texts and lines of a drawing, in cells from the upper left corner of the grid."""

    def __init__(self, written):
        self.root = ElementTree.fromstring(written)
        frame = next(
            each for each in self.root.iter(f"{SVG}polygon") if each.get("class") == "frame"
        )
        points = self.points(frame.get("points"), (0, 0), 1)
        self.corner = points[0]
        self.cell = 48  # pixels
        self.size = round((points[1][0] - points[0][0]) / self.cell)

    @staticmethod
    def points(text, corner, cell):
        return [
            tuple((float(at) - start) / cell for at, start in zip(xy, corner, strict=True))
            for xy in (pair.split(",") for pair in text.split())
        ]

    def texts(self, kind):
        return [each for each in self.root.iter(f"{SVG}text") if each.get("class") in kind]

    def cells(self, *kinds):
        """The texts of these kinds by cell."""
        found = {}
        for each in self.texts(kinds):
            ((x, y),) = self.points(f"{each.get('x')},{each.get('y')}", self.corner, self.cell)
            found.setdefault((int(y) + 1, int(x) + 1), []).append(each.text)
        return found

    def borders(self):
        """The sides between two cells with a thick line."""
        found = set()
        for each in self.root.iter(f"{SVG}polyline"):
            if each.get("class") == "border":
                (x, y), (x1, y1) = self.points(each.get("points"), self.corner, self.cell)
                x, y, x1, y1 = map(round, (x, y, x1, y1))
                found.add(((y + 1, x), (y + 1, x + 1)) if x == x1 else ((y, x + 1), (y + 1, x + 1)))
        return found


def test_a_program_is_drawn_with_its_rules_and_described_in_one_line():
    program = aspdoku.compose(
        Puzzle.blank(4), "even", without="box", facts=["even(1,2)", "even(3,3)"]
    )
    drawn = program._repr_html_()
    assert Drawn(drawn).size == 4
    assert "cells contain even" in drawn
    assert repr(program) == (
        "<Program: 4x4, base, box, even without box; givens: 0, other facts: 2>"
    )
    plain = aspdoku.compose(Puzzle.blank(4))
    assert "cells contain even" not in plain._repr_html_()


def test_a_search_says_how_far_it_is():
    search = Solver(compose(Puzzle.blank(4))).search(2)
    assert repr(search) == "Search(found=0, status='unknown', ended=None)"
    assert len(list(search)) == 2
    assert repr(search) == "Search(found=2, status='several', ended='limit')"


def regions_differ(region):
    """The pairs of neighbouring cells in different regions."""
    pairs = [((r, c), other) for r, c in region for other in ((r, c + 1), (r + 1, c))]
    return {(one, two) for one, two in pairs if two in region and region[one] != region[two]}


PUZZLES = [
    "1\n",
    ". 4 . .\n. . . 4\n. . 2 .\n1 . . .\n",
    "box: 2x3\n2.5...\n.16...\n...6..\n..2..5\n.3....\n....34\n",
    "box: 3x2\n2.5...\n.1....\n...6..\n..2..5\n.3....\n....34\n",
    ("." * 12 + "\n") * 11 + "1" + "." * 10 + "C\n",
]


@pytest.mark.parametrize("text", PUZZLES)
def test_a_puzzle_has_its_givens_and_boxes(text):
    puzzle = aspdoku.parse(text)
    drawn = Drawn(puzzle._repr_html_())
    assert drawn.size == puzzle.size
    assert drawn.cells("given") == {cell: [str(n)] for cell, n in puzzle.givens().items()}
    assert all(each.get("font-weight") == "bold" for each in drawn.texts(["given"]))
    assert drawn.texts(["title"]) == []
    height, width = puzzle.box
    span = range(puzzle.size)
    box = {(r + 1, c + 1): (r // height, c // width) for r in span for c in span}
    assert drawn.borders() == (regions_differ(box) if min(height, width) > 1 else set())


def test_a_solution_has_all_numbers():
    puzzle = aspdoku.parse(PUZZLES[1])
    (solution,) = Solver(compose(puzzle)).search()
    drawn = Drawn(solution._repr_html_())
    cells = drawn.cells("given", "solved")
    assert [[int(cells[r, c][0]) for c in range(1, 5)] for r in range(1, 5)] == [
        list(row) for row in solution.rows
    ]
    assert drawn.cells("given").keys() == {(1, 2), (2, 4), (3, 3), (4, 1)}


def test_a_jigsaw_has_its_borders():
    rows = ["AAAB", "ACBB", "CCDB", "CDDD"]
    puzzle = aspdoku.parse(". . . .\n" * 4 + "[box]\n" + "\n".join(map(" ".join, rows)) + "\n")
    region = {(r, c): name for r, row in enumerate(rows, 1) for c, name in enumerate(row, 1)}
    assert Drawn(puzzle._repr_html_()).borders() == regions_differ(region)


def test_a_killer_has_its_cages():
    """With the rule, and also if the puzzle does not name it."""
    grid = ". . . .\n" * 4 + "[cage]\nA A . .\n. . . B\n. . . B\n. . . .\nA = 3\nB = 7\n"
    drawn = Drawn(aspdoku.parse(f"with: killer\n\n{grid}")._repr_html_())
    assert drawn.cells("label") == {(1, 1): ["3"], (2, 4): ["7"]}
    outlines = [each for each in drawn.root.iter(f"{SVG}polygon") if each.get("class") == "outline"]
    assert len(outlines) == 2
    assert Drawn(aspdoku.parse(grid)._repr_html_()).cells("label") == drawn.cells("label")


def test_an_unknown_rule_does_not_hide_the_puzzle():
    puzzle = Puzzle.blank(4).replace(elaborations=("no-such-rule",))
    assert Drawn(puzzle._repr_html_()).size == 4


def test_the_paper_is_white_for_dark_notebooks():
    root = ElementTree.fromstring(Puzzle.blank(4)._repr_html_())
    ground = root.find(f"{SVG}rect")
    assert (ground.get("width"), ground.get("height"), ground.get("fill")) == (
        "100%",
        "100%",
        "#ffffff",
    )


def test_the_drawing_is_self_contained():
    written = Puzzle.blank(9)._repr_html_().replace("http://www.w3.org/2000/svg", "")
    assert not any(
        word in written for word in ("http", "src=", "href=", "<style", "@import", "url(", "id=")
    )


def test_without_the_public_package_a_notebook_shows_the_text():
    """`aspdoku.puzzle` does not depend on `drawing`; the public names connect them."""
    code = "from aspdoku.puzzle import Puzzle; print(Puzzle.blank(4)._repr_html_())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("<pre>. . | . .\n")
