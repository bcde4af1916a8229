"""The mapping from drawings of Penpa+ to predicates and elaborations; its words: `table.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path

DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
# The elaborations for what is drawn: killer cages, paths, dots, texts, circles.
CAGES, CAGE = "killercages", "killer"
PATHS = {"thermo": "thermo", "arrows": "arrow"}
WHITE_DOT, BLACK_DOT = "white-dots", "black-dots"
XV, QUADRUPLE, LITTLE_KILLER = "xv", "quadruple", "little-killer"
SANDWICH, SKYSCRAPER = "sandwich", "skyscraper"
ODD, EVEN, GREATER = "odd", "even", "greater-than"
# The rule about the diagonals of boards, and the predicate that selects some of them.
BOARD_DIAGONALS, BOARD_DIAGONAL = "board-diagonals", ("board_diagonal", 2)

# Styles of symbols, by their numbers: white or black inside a black border.
DOTS = {1: WHITE_DOT, 8: WHITE_DOT, 10: WHITE_DOT, 2: BLACK_DOT}
DOT_SIZES = ("circle_S", "circle_SS")
PARITY = {"circle_L": ODD, "circle_M": ODD, "square_L": EVEN, "square_M": EVEN}
INEQUALITY = "inequality"
# Ends of the directions of arrows in texts such as 12_7.
ARROW_DIRECTIONS = {"_4": "UL", "_5": "UR", "_6": "DL", "_7": "DR"}
# Styles of texts: normal, with an arrow, up to four in one place, large.
NORMAL, WITH_ARROW, SEVERAL, LARGE = "1", "2", "4", "10"
GIVEN_STYLES = (NORMAL, LARGE)
IN_CIRCLE = (5, 6, 7, 11)
# Styles of lines that draw regions; the thicker one is around boards, if the other one occurs, too.
FRAME = 21
BORDERS = (2, FRAME)

# Genres that state a rule, and those that only name what is drawn.
EVEN_ODD, SKYSCRAPERS = "evenodd", "skyscrapers"
RULES = {"nonconsecutive": "negative-white-dots"}
GENRES = {EVEN_ODD, SKYSCRAPERS, *RULES, *DATA["genres"]}

DRAWN: list[str] = DATA["drawn"]
# The keys whose values are lists; those of all others are objects.
LISTS = ("direction", "squareframe", "polygon", "nobulbthermo")
READ = ("number", "numberS", "symbol", "thermo", "arrows", "lineE", "cage", CAGES)
