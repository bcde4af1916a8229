"""Documents of SudokuPad and f-puzzles with drawings, made by hand."""

BOXES = [
    [[row + down, column + right] for down in (0, 1) for right in (0, 1)]
    for row in (0, 2)
    for column in (0, 2)
]
"""The regions of a 4x4 grid."""
NORMAL = "Normal sudoku rules apply."
WHISPERS = "Adjacent digits on a green line differ by at least 2."


def pad(size=4, **drawings):
    """A SudokuPad document with these lists of drawings."""
    return {"cells": [[{} for _ in range(size)] for _ in range(size)], **drawings}


def editor(size=4, **keys):
    """An f-puzzles document with these keys."""
    return {"size": size, "grid": [[{} for _ in range(size)] for _ in range(size)], **keys}


def line(*cells, color="#cccccc", thickness=20, **more):
    """A line through the middles of cells."""
    return {
        "wayPoints": [[row - 0.5, column - 0.5] for row, column in cells],
        "color": color,
        "thickness": thickness,
        **more,
    }


def arrow(*points, color="#aaaaaa"):
    return {"wayPoints": [[*each] for each in points], "color": color, "headLength": 0.3}


def circle(row, column, size=0.8, **more):
    """A round figure around a point, which is in the middle of a cell for whole numbers."""
    return {
        "center": [row - 0.5, column - 0.5],
        "width": size,
        "height": size,
        "rounded": True,
        **more,
    }


def square(row, column, size=0.8, **more):
    return {**circle(row, column, size, **more), "rounded": False}


GREY = {"backgroundColor": "#cccccc"}
WHITE = {"backgroundColor": "#fff", "borderColor": "#000"}
RING = {"backgroundColor": "#FFFFFF", "borderColor": "#aaaf"}
TEXT = {"width": 0, "height": 0}
