"""Borders of explicit regions in HTML tables."""

import re

import pytest

import aspdoku

ROWS = ["AAAB", "ACBB", "CCDB", "CDDD"]
JIGSAW = ". . . .\n" * 4 + "[box]\n" + "\n".join(" ".join(row) for row in ROWS) + "\n"


def strong_sides(page):
    """The sides of each cell with a thick border, row by row."""
    return [
        [set(re.findall(r"border-(\w+):2px", cell)) for cell in re.findall("<td[^>]*>", row)]
        for row in page.split("<tr>")[1:]
    ]


@pytest.mark.parametrize("row", range(4))
def test_borders_are_thick_between_regions(row):
    around = {"top": (-1, 0), "bottom": (1, 0), "left": (0, -1), "right": (0, 1)}

    def region(row, column):
        return ROWS[row][column] if 0 <= row < 4 and 0 <= column < 4 else None

    expected = [
        {
            side
            for side, (y, x) in around.items()
            if region(row + y, column + x) != region(row, column)
        }
        for column in range(4)
    ]
    assert strong_sides(aspdoku.parse(JIGSAW)._repr_html_())[row] == expected
