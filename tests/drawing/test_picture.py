"""Pictures, parsed from SVG: positions are in cells from the upper left corner of the grid."""

import re
from math import hypot, isclose
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from in_one_test import in_one_test

import aspdoku
from aspdoku import Puzzle, Solution, compose
from aspdoku.drawing import Marks, output, picture, picture_of_program
from aspdoku.drawing.shapes import links, outlines
from aspdoku.drawing.style import parse, styles_of
from aspdoku.puzzle import Function

SVG = "{http://www.w3.org/2000/svg}"
SIZE = 4
EMPTY = ". . . .\n" * SIZE


class Drawing:
    """An SVG, its lengths in cells and its origin at the grid's upper left corner."""

    def __init__(self, made):
        self.text = output.svg(made)
        self.root = ElementTree.fromstring(self.text)
        corners = self._points(self._of("frame")[0])
        self._left, self._top = corners[0]
        self._cell = (corners[1][0] - corners[0][0]) / SIZE

    def _of(self, kind):
        return [each for each in self.root.iter() if each.get("class") == kind]

    @staticmethod
    def _points(element):
        return [tuple(map(float, pair.split(","))) for pair in element.get("points").split()]

    def _place(self, x, y):
        return round((float(x) - self._left) / self._cell, 2), round(
            (float(y) - self._top) / self._cell, 2
        )

    def lines(self, kind):
        """The points of each line or polygon of a kind."""
        return [
            [self._place(*point) for point in self._points(each)]
            for each in self._of(kind)
            if each.get("points")
        ]

    def circles(self, kind):
        return [
            self._place(each.get("cx"), each.get("cy"))
            for each in self._of(kind)
            if each.tag == f"{SVG}circle"
        ]

    def texts(self, kind):
        """Text, position of its centre, and whether it is bold."""
        found = []
        for each in self._of(kind):
            if each.tag == f"{SVG}text":
                middle = float(each.get("y")) - 0.36 * float(each.get("font-size"))
                found.append(
                    (
                        each.text,
                        self._place(each.get("x"), middle),
                        each.get("font-weight") == "bold",
                    )
                )
        return found

    def words(self):
        return " ".join(each.text for each in self.root.iter(f"{SVG}text"))


def drawn(text, *rules, **more):
    puzzle = aspdoku.parse(text)
    program = compose(puzzle, *rules)
    return Drawing(picture_of_program(program, **more))


def facts(*stated):
    return EMPTY + "[facts]\n" + "\n".join(f"{fact}." for fact in stated) + "\n"


def perimeter(points):
    return sum(
        hypot(x1 - x, y1 - y)
        for (x, y), (x1, y1) in zip(points, points[1:] + points[:1], strict=True)
    )


def cell_at(place):
    x, y = place
    return int(y) + 1, int(x) + 1


# ---- The grid ----


def test_givens_are_bold_and_solved_numbers_are_not():
    puzzle = aspdoku.parse(". 4 . .\n. . . 4\n. . 2 .\n1 . . .\n")
    rows = (
        (2, 4, 3, 1),
        (3, 1, 4, 2),
        (4, 3, 1, 2),
        (1, 2, 4, 3),
    )  # not a solution: drawing does not check the grid
    made = Drawing(picture(Solution(puzzle, rows)))
    bold = {cell_at(place): int(text) for text, place, strong in made.texts("given") if strong}
    light = {
        cell_at(place): int(text) for text, place, strong in made.texts("solved") if not strong
    }
    assert bold == {cell: rows[cell[0] - 1][cell[1] - 1] for cell in puzzle.givens()}
    assert bold | light == {
        (r, c): number for r, row in enumerate(rows, 1) for c, number in enumerate(row, 1)
    }
    assert not bold.keys() & light.keys()


def test_candidates_are_in_cells_without_a_given_at_their_positions():
    puzzle = aspdoku.parse("1 . . .\n" + ". . . .\n" * 3)
    made = Drawing(
        picture(puzzle, marks=Marks(candidates={(1, 1): [1], (1, 2): [2, 3], (1, 3): [4]}))
    )
    places = {(cell_at(place), text): place for text, place, _ in made.texts("candidate")}
    assert places.keys() == {((1, 2), "2"), ((1, 2), "3"), ((1, 3), "4")}
    assert places[(1, 2), "2"][0] > places[(1, 2), "3"][0]  # 1 2 above 3 4
    assert places[(1, 2), "2"][1] < places[(1, 2), "3"][1]


def sides(made):
    """Each thick line within the grid, one cell side long, as a set of two corners."""
    return {
        frozenset((tuple(map(round, start)), tuple(map(round, end))))
        for start, end in made.lines("border")
    }


def test_boxes_have_thick_borders():
    middle = {frozenset(((2, at), (2, at + 1))) for at in range(SIZE)}
    assert sides(drawn(EMPTY)) == middle | {
        frozenset(tuple(reversed(point)) for point in side) for side in middle
    }
    assert sides(drawn("without: box\n" + EMPTY)) == set()


def test_a_jigsaw_has_the_borders_of_its_regions():
    rows = ["AAAB", "ACBB", "CCDB", "CDDD"]
    expected = {
        frozenset(((c + 1, r), (c + 1, r + 1)))
        for r in range(SIZE)
        for c in range(SIZE - 1)
        if rows[r][c] != rows[r][c + 1]
    } | {
        frozenset(((c, r + 1), (c + 1, r + 1)))
        for r in range(SIZE - 1)
        for c in range(SIZE)
        if rows[r][c] != rows[r + 1][c]
    }
    assert (
        sides(drawn(EMPTY + "[box]\n" + "\n".join(" ".join(row) for row in rows) + "\n"))
        == expected
    )


@pytest.mark.parametrize("size", [1, 2, 16, 36])
def test_grids_of_any_size_show_every_number_whole(size):
    rows = tuple(tuple((r + c) % size + 1 for c in range(size)) for r in range(size))
    made = picture(Solution(Puzzle.blank(size), rows))
    texts = [
        each
        for each in ElementTree.fromstring(output.svg(made)).iter(f"{SVG}text")
        if each.get("class") == "solved"
    ]
    assert [int(each.text) for each in texts] == [number for row in rows for number in row]
    assert all(
        0.55 * float(each.get("font-size")) * len(each.text) < output.PIXELS for each in texts
    )


# ---- Elements of the rules ----

L_SHAPE = ((2, 2), (3, 2), (3, 3))


def test_a_cage_in_an_l_has_one_closed_outline_and_its_sum_in_the_first_cell():
    made = drawn(facts(*(f'cage({r},{c},"A")' for r, c in L_SHAPE), 'cage_value("A",13)'), "killer")
    (outline,) = made.lines("outline")
    assert len(outline) == 6
    assert isclose(
        perimeter(outline), 8 - 8 * 0.07, abs_tol=0.03
    )  # eight sides; each turn but one costs twice the inset
    assert {cell_at(point) for point in outline} == set(L_SHAPE)
    ((text, place, _),) = made.texts("label")
    assert (text, cell_at(place)) == ("13", (2, 2))


@pytest.mark.parametrize(
    ("cells", "lengths"),
    [
        ([(1, 1)], [4]),
        ([(1, 1), (1, 2)], [6]),
        (L_SHAPE, [8]),
        ([(1, 1), (2, 2)], [4, 4]),
        ([(1, 2), (2, 1)], [4, 4]),
        ([(r, c) for r in (1, 2, 3) for c in (1, 2, 3) if (r, c) != (2, 2)], [12, 4]),
        ([(1, 1), (1, 2), (2, 1), (3, 1), (3, 2), (3, 3), (2, 3)], [16]),
        ([], []),
    ],
)
def test_there_is_one_outline_for_each_connected_component(cells, lengths):
    assert sorted(perimeter(list(loop)) for loop in outlines(cells)) == sorted(lengths)


@settings(max_examples=60, deadline=None)
@given(st.sets(st.tuples(st.integers(1, 6), st.integers(1, 6))))
def test_outlines_are_as_long_as_the_sides_without_a_neighbour(cells):
    open_sides = sum(
        (r + y, c + x) not in cells for r, c in cells for y, x in ((0, 1), (1, 0), (0, -1), (-1, 0))
    )
    assert sum(perimeter(list(loop)) for loop in outlines(cells)) == open_sides
    area = sum(
        x * y1 - x1 * y
        for loop in outlines(cells)
        for (x, y), (x1, y1) in zip(loop, loop[1:] + loop[:1], strict=True)
    )
    assert area / 2 == len(cells)


@settings(max_examples=60, deadline=None)
@given(st.sets(st.tuples(st.integers(1, 5), st.integers(1, 5))))
def test_links_are_a_spanning_forest(cells):
    found = links(cells)
    assert all(max(abs(r - r1), abs(c - c1)) == 1 for (r, c), (r1, c1) in found)
    assert len(found) == len(cells) - len(
        pieces(cells, lambda one, two: max(abs(one[0] - two[0]), abs(one[1] - two[1])) == 1)
    )
    linked = set(found) | {(two, one) for one, two in found}
    assert len(found) == len(cells) - len(pieces(cells, lambda one, two: (one, two) in linked))


def pieces(cells, joined):
    groups = []
    for cell in cells:
        near = [group for group in groups if any(joined(cell, other) for other in group)]
        groups = [group for group in groups if group not in near] + [{cell}.union(*near)]
    return groups


def test_marks_have_the_colour_of_their_group():
    circles = (f"coloured_circle{each}" for each in ("(1,1,a)", "(2,2,b)", "(3,3,a)"))
    made = drawn(facts(*circles, "counting_circle(4,4)"), "counting-circles")
    colour = {
        cell_at(made._place(each.get("cx"), each.get("cy"))): each.get("fill")
        for each in made._of("mark")
    }
    assert colour[1, 1] == colour[3, 3]
    assert len(set(colour.values())) == 3


def test_a_line_passes_through_the_centres_of_its_cells_in_order():
    made = drawn(facts("thermo(1,3,2,3)", "thermo(1,1,1,1)", "thermo(1,2,1,2)"), "thermo")
    assert made.lines("line") == [[(0.5, 0.5), (1.5, 0.5), (2.5, 1.5)]]
    assert made.circles("bulb") == [(0.5, 0.5)]


def test_a_loop_ends_where_it_begins():
    stated = [
        f"sum_line(1,{place},{r},{c})"
        for place, (r, c) in enumerate(((1, 1), (1, 2), (2, 2), (2, 1)), 1)
    ]
    (line,) = drawn(facts(*stated), "sum-line").lines("line")
    assert (line[0], line[-1]) == ((0.5, 0.5), (0.5, 1.5))
    (loop,) = drawn(facts(*stated, "sum_line_loop(1)"), "sum-line").lines("line")
    assert loop == [*line, line[0]]


def test_an_arrow_starts_with_a_circle_and_ends_in_a_tip():
    made = drawn(facts("arrow(1,1,4,1)", "arrow(1,2,4,2)", "arrow(1,3,4,3)"), "arrow")
    assert made.circles("end") == [(0.5, 3.5)]
    shaft, point = made.lines("line")
    assert [cell_at(each) for each in shaft] == [(4, 1), (4, 2), (4, 3)]
    assert point[1][0] > max(point[0][0], point[2][0])


@pytest.mark.parametrize(
    ("cells", "place"),
    [((1, 2, 1, 3), (2, 0.5)), ((3, 1, 4, 1), (0.5, 3)), ((1, 3, 1, 2), (2, 0.5))],
)
def test_a_dot_lies_on_the_side_between_its_cells(cells, place):
    assert drawn(facts("black_dot({},{},{},{},2)".format(*cells)), "black-dots").circles("dot") == [
        place
    ]


@pytest.mark.parametrize(("total", "text"), [(5, "V"), (10, "X"), (7, "7")])
def test_a_word_replaces_a_sum(total, text):
    ((found, place, _),) = drawn(facts(f"xv(2,2,2,3,{total})"), "xv").texts("edge")
    assert (found, place) == (text, (2, 1.5))


@pytest.mark.parametrize(
    ("greater", "less"),
    [((1, 1), (1, 2)), ((1, 2), (1, 1)), ((1, 1), (2, 1)), ((3, 2), (2, 2)), ((1, 1), (3, 3))],
)
def test_a_sign_points_at_the_smaller_number(greater, less):
    (start, tip, end) = drawn(
        facts(f"gt({greater[0]},{greater[1]},{less[0]},{less[1]})"), "greater-than"
    ).lines("sign")[0]

    def distance(point, cell):
        return hypot(point[0] - cell[1] + 0.5, point[1] - cell[0] + 0.5)

    assert distance(tip, less) < min(distance(start, less), distance(end, less))
    assert distance(tip, greater) > max(distance(start, greater), distance(end, greater))


def test_the_numbers_of_a_corner_are_repeated_in_one_circle():
    made = drawn(facts("quadruple(2,2,3,2)", "quadruple(2,2,1,1)"), "quadruple")
    assert made.circles("corner") == [(2, 2)]
    assert " ".join(text for text, _, _ in made.texts("corner")) == "1 3 3"


@pytest.mark.parametrize(
    ("edge", "beyond"),
    [("left", (-1, 1.5)), ("right", (4, 1.5)), ("top", (1.5, -1)), ("bottom", (1.5, 4))],
)
def test_a_clue_is_outside_its_row_or_column(edge, beyond):
    ((text, (x, y), _),) = drawn(facts(f"x_sum({edge},2,7)"), "x-sum").texts("clue")
    assert text == "7"
    assert (x if edge in ("left", "right") else y) == pytest.approx(
        beyond[0 if edge in ("left", "right") else 1] + 0.5, abs=0.1
    )
    assert (y if edge in ("left", "right") else x) == 1.5


def test_clues_of_two_rules_do_not_overlap():
    made = drawn(facts("x_sum(left,2,7)", "numbered_room(left,2,3)"), "x-sum", "numbered-room")
    (_, one, _), (_, other, _) = made.texts("clue")
    assert abs(one[0] - other[0]) >= 0.7


def test_a_diagonal_sum_points_into_the_grid():
    made = drawn(
        facts(
            "little_killer(1,1,1,3)",
            "little_killer(1,2,2,2)",
            "little_killer(1,3,3,1)",
            "little_killer_value(1,9)",
        ),
        "little-killer",
    )
    ((text, (x, y), _),) = made.texts("clue")
    shaft, head = made.lines("pointer")
    assert text == "9"
    assert 3 < x < 4
    assert -1 < y < 0
    assert y < shaft[0][1] < shaft[1][1] == head[1][1] < 0
    assert x >= shaft[0][0] > shaft[1][0] == head[1][0] > 3


def test_what_is_to_be_found_is_drawn_only_in_a_solution():
    """Given the 1, the region that begins at it already follows from the rules."""
    puzzle = aspdoku.read("example:chaos-construction")
    program, solution = compose(puzzle), aspdoku.solve(puzzle).solution
    assert "border" not in {shape.kind for shape in picture_of_program(program).shapes}
    assert "border" in {shape.kind for shape in picture_of_program(program, solution).shapes}


def shapes_of(name, solved=False):
    puzzle = aspdoku.read(f"example:{name}")
    solution = aspdoku.solve(puzzle).solution if solved else None
    return picture_of_program(compose(puzzle), solution).shapes


def words_below(shapes):
    return " ".join(getattr(shape, "text", "") for shape in shapes if shape.kind == "note")


def test_clues_that_a_caption_names_have_their_names():
    """Without --labels, and only if a caption names clues."""
    names = {shape.text for shape in shapes_of("liar") if shape.kind == "name"}
    assert names == {*"ABCDEFGH"}
    assert not [shape for shape in shapes_of("killer") if shape.kind == "name"]
    assert not [shape for shape in shapes_of("liar") if shape.kind == "highlight"]


def test_the_clue_that_is_exempt_is_coloured_in_a_solution():
    shapes = shapes_of("liar", solved=True)
    cells = {
        (round(min(y for _, y in shape.points), 3), round(min(x for x, _ in shape.points), 3))
        for shape in shapes
        if shape.kind == "highlight"
    }
    (top, left), (below, same) = sorted(cells)
    assert (same, round(below - top, 3)) == (left, 1.0)
    assert "exempt: killer G" in words_below(shapes)


def test_texts_of_a_caption_that_begin_alike_are_joined():
    assert "2: thermo 3 or thermo 4; 3: thermo 5" in words_below(shapes_of("either"))
    assert "0 → 2: 1, 3, 5;" in words_below(shapes_of("automaton"))
    assert "(1: each-row 1, skyscraper (left,1,2)," in words_below(shapes_of("each-row"))


def test_a_caption_has_all_colours_of_its_marks():
    puzzle = aspdoku.read("example:token-game")
    swatches = {
        getattr(shape, "fill", "")
        for shape in picture_of_program(compose(puzzle)).shapes
        if shape.kind == "note"
    }
    assert {"#fbe7a8", "#cfcfd6"} <= swatches


def test_derived_facts_are_drawn():
    """Both diagonals, which no fact of the puzzle gives."""
    lines = drawn(EMPTY, "diagonal").lines("line")
    assert {frozenset((line[0], line[-1])) for line in lines} == {
        frozenset({(0, 0), (4, 4)}),
        frozenset({(0, 4), (4, 0)}),
    }


# ---- Completeness ----


@pytest.mark.parametrize(
    ("fact", "rules"),
    [
        ("p(1)", ()),
        ("p(1,2,3,4,5,6)", ()),
        ("p(0,1)", ()),
        ('cage_value("B",7)', ("killer",)),
        ("cage(1,5,1)", ("killer",)),
        ("x_sum(middle,1,7)", ("x-sum",)),
        ("x_sum(left,5,7)", ("x-sum",)),
        ("white_dot(1,1,1,1,1)", ("white-dots",)),
        ("box(1,5,1)", ()),
    ],
)
def test_facts_that_cannot_be_drawn_are_listed(fact, rules):
    puzzle = aspdoku.parse(facts(fact, "cage(1,1,1)", "box(1,1,1)"))
    made = Drawing(picture(puzzle, styles_of(compose(Puzzle.blank(SIZE), *rules))))
    assert fact in made.words().replace(" ", "")


@pytest.mark.parametrize(
    ("stated", "caption"),
    [
        (["ab(row,2)"], "Except: row, 2"),
        (["ab(diagonal,down)"], "Except: diagonal, down"),
        (["ab(anti_knight)", "ab(column,1)"], "Except: anti-knight; column, 1"),
    ],
)
def test_exceptions_are_listed_in_words(stated, caption):
    puzzle = aspdoku.parse(facts(*stated))
    assert caption in Drawing(picture(puzzle)).words()
    assert Drawing(picture(puzzle, captions=False)).words() == ""


def test_long_lists_are_truncated_with_a_count():
    assert "and 60 more facts" in drawn(facts("p(1..100)")).words()


def test_the_caption_has_the_titles_and_parameters_of_rules():
    caption = drawn(facts("taxicab(3)", "taxicab(2)"), "taxicab").words()
    assert caption.startswith("Cells a given number of orthogonal steps apart")
    assert caption.endswith("(2, 3)")


def test_a_section_without_a_rule_has_a_default_style_and_a_caption():
    made = drawn(EMPTY + "[mine]\nA A . .\n. A . .\n. . . .\n. . . .\nA = 9\n[path]\nr3c1 r4c2\n")
    assert [perimeter(area) for area in made.lines("area")] == [8]
    assert made.lines("line") == [[(0.5, 2.5), (1.5, 3.5)]]
    assert [text for text, _, _ in made.texts("label")] == ["9"]
    assert {"mine", "path"} <= set(made.words().split())


def test_a_retracted_rule_draws_nothing():
    text = "with: killer\nwithout: killer\n" + facts("cage(1,1,1)")
    assert drawn(text).lines("outline") == []
    assert "cage" not in drawn(text).words()


# ---- Untrusted texts and arbitrary puzzles ----

STRANGE = [
    "</text><script>alert(1)</script>",
    "</title></svg><img src=x onerror=alert(1)>",
    "a & b &amp; c",
    "\"double\" and 'single'",
    "{{ 7 * 7 }} {% raw %}",
    "]]>",
    "→ für \x0b\x00 \ufffe",
]


@pytest.mark.parametrize("title", STRANGE)
def test_a_title_is_escaped(title):
    puzzle = Puzzle.blank(SIZE).replace(title=title)
    visible = re.sub("[\x00\x0b\ufffe]", lambda found: ascii(found[0])[1:-1], title)
    for grid in (
        puzzle,
        Solution(puzzle, ((1, 2, 3, 4), (3, 4, 1, 2), (2, 1, 4, 3), (4, 3, 2, 1))),
    ):
        made = Drawing(picture(grid))
        tags = {each.tag.removeprefix(SVG) for each in made.root.iter()}
        assert tags <= {"svg", "title", "rect", "polygon", "polyline", "text"}
        assert made.root.find(f"{SVG}title").text.split() == visible.split()


terms = st.one_of(
    st.integers(-1, 6),
    st.text(max_size=5),
    st.sampled_from([Function("left"), Function("top"), Function("f", (1, "x"))]),
)
names = st.sampled_from(
    [
        "cage",
        "cage_value",
        "thermo",
        "gt",
        "quadruple",
        "x_sum",
        "little_killer",
        "clone",
        "chain",
        "p",
        "ab",
    ]
)
anything = st.builds(Function, names, st.lists(terms, min_size=1, max_size=6).map(tuple))
near = st.integers(1, 4)
sensible = st.one_of(
    st.builds(Function, st.sampled_from(["cage", "chain", "p"]), st.tuples(near, near, near)),
    st.builds(
        Function,
        st.sampled_from(["thermo", "gt", "quadruple", "little_killer", "path"]),
        st.tuples(near, near, near, near),
    ),
    st.builds(Function, st.sampled_from(["clone", "dot"]), st.tuples(near, near, near, near, near)),
)
RULES = [
    "killer",
    "thermo",
    "greater-than",
    "quadruple",
    "x-sum",
    "little-killer",
    "clone",
    "chain",
]


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.one_of(anything, sensible), max_size=30),
    st.sampled_from([(), RULES]),
    st.text(max_size=30),
)
def test_any_puzzle_can_be_drawn(stated, rules, title):
    puzzle = Puzzle.blank(SIZE).replace(facts=tuple(stated), title=title)
    made = picture(puzzle, styles_of(compose(Puzzle.blank(SIZE), *rules)))
    drawing = Drawing(made)
    assert all(
        0 <= float(each.get("x", 0)) <= made.width * output.PIXELS
        for each in drawing.root.iter(f"{SVG}text")
    )
    for write in (output.html, output.tex):
        assert write(made)


# ---- Other formats ----


def test_an_html_page_contains_the_svg():
    made = picture(Puzzle.blank(SIZE).replace(title="a < b"))
    page = output.html(made)
    assert output.svg(made) in page
    assert "<title>a &lt; b</title>" in page


def test_latex_is_balanced_and_special_characters_are_escaped():
    puzzle = aspdoku.parse(
        "title: 50% of #1 & {x} \\ ~^_$\n" + facts("cage(1,1,1)", "cage_value(1,7)")
    )
    program = compose(puzzle, "killer")
    text = output.tex(picture_of_program(program))
    bare = re.sub(r"\\[\\{}%#&_$]", "", text)
    depth = 0
    for sign in bare:
        depth += (sign == "{") - (sign == "}")
        assert depth >= 0
    assert depth == 0
    assert r"50\% of \#1 \& \{x\} \textbackslash{} \textasciitilde{}\textasciicircum{}\_\$" in text
    assert not re.search(r"(?<!\\)[%#&$]", text)
    assert text.count(r"\begin{") == text.count(r"\end{") == 2
    assert all(line.endswith((";", "}", "]", "sffamily")) for line in text.splitlines() if line)


def test_png_and_pdf_files_have_their_signatures():
    pytest.importorskip("cairosvg", reason="needs cairosvg", exc_type=Exception)
    made = picture(Puzzle.blank(SIZE))
    assert output.png(made).startswith(b"\x89PNG\r\n\x1a\n")
    assert output.pdf(made).startswith(b"%PDF-")


KINDS = {
    "mark": '["p(R,C)"]\ndraw = "mark"\nshape = "{}"\n',
    "line": '["p(I,K,R,C)"]\ndraw = "line"\nfirst = "{0}"\nlast = "{0}"\n',
}


@in_one_test(
    ("kind", "shape"),
    [
        *(("mark", shape) for shape in ("circle", "square", "diamond", "inward", "outward")),
        *(("line", end) for end in ("bulb", "circle", "square", "diamond", "tip")),
    ],
)
def test_every_shape_stays_within_its_cells(kind, shape):
    (style,) = parse(KINDS[kind].format(shape), "p.draw", "p")
    stated = (
        [Function("p", (2, 2))]
        if kind == "mark"
        else [Function("p", (1, 1, 2, 2)), Function("p", (1, 2, 2, 3))]
    )
    made = Drawing(picture(Puzzle.blank(SIZE).replace(facts=tuple(stated)), [style]))
    points = [
        point
        for each in ("mark", "line", "bulb", "end")
        for line in made.lines(each)
        for point in line
    ]
    points += [point for each in ("mark", "line", "bulb", "end") for point in made.circles(each)]
    assert points
    assert all(1 <= x <= 3 and 1 <= y <= 2 for x, y in points)
