"""All 4x4 sudokus, in plain Python."""

from functools import cache
from itertools import permutations, product


@cache
def all_sudokus_of_four():
    """The 288 grids, as tuples of rows."""
    rows = list(permutations(range(1, 5)))
    bands = [(one, two) for one, two in product(rows, repeat=2) if {*one[:2]} == {*two[2:]}]
    return [
        (*upper, *lower)
        for upper, lower in product(bands, repeat=2)
        if all(len({*column}) == 4 for column in zip(*upper, *lower, strict=True))
    ]
