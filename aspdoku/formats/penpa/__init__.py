"""Reader and writer for URLs of Penpa+, an editor of drawings for pencil puzzles.

`document` converts between a URL and its document, `board` between cells and the numbers of points;
`reader` interprets what is drawn, and `writer` draws it.
"""

from aspdoku.formats.base import Format
from aspdoku.formats.penpa.document import fits
from aspdoku.formats.penpa.reader import read
from aspdoku.formats.penpa.writer import write

FORMAT = Format(
    "penpa",
    "URLs of Penpa+ that contain the puzzle, one per line",
    fits,
    read,
    write,
    multiple=True,
    texts=("title", "author", "rules"),
    allows_long=True,
)

__all__ = ["FORMAT"]
