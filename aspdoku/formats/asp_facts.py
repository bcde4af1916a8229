"""Files of ASP facts, as used in courses: `#const n=9.` and `a(1,3,7).`

Without a constant n, the size is the largest number in a fact a/3, if that is a common size.
Such a file does not name any rules.
"""

from __future__ import annotations

import re

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import Format, RuleSet, require_representable
from aspdoku.puzzle.puzzle import GIVEN, LARGEST_SIZE, Puzzle
from aspdoku.puzzlefile import facts
from aspdoku.puzzlefile.lines import split_lines
from aspdoku.puzzlefile.section import Section

SIZE = re.compile(r"#const\s+n\s*=\s*([0-9]{1,3})\s*\.")
REMARK = re.compile(r"(?:%.*|#(?!const\b).*)")
BEGINNING = re.compile(r"\s*_*[a-z]\w*\s*\(")
USUAL = (4, 6, 9, 12, 16, 25)
A_GIVEN = re.compile(r"\ba\s*\(")


def fits(text: str) -> bool:
    """Whether the text starts with a constant n, or starts with a fact and has a fact a/3."""
    bare = REMARK.sub("", text.removeprefix("\ufeff"))
    size = SIZE.search(bare)
    return BEGINNING.match(SIZE.sub("", bare)) is not None and (
        size is not None or A_GIVEN.search(bare) is not None
    )


def read(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of the text.

    Raises PuzzleError at the line of anything other than a fact.
    """
    match = SIZE.search(REMARK.sub("", text))
    lines = split_lines(SIZE.sub(lambda each: " " * len(each[0]), text) if match else text, name)
    stated = (
        [each.fact for each in facts.parse_facts(Section(facts.SECTION, lines[0], lines))]
        if text.strip()
        else []
    )
    greatest = [
        term
        for fact in stated
        if fact.signature == GIVEN
        for term in fact.arguments
        if isinstance(term, int)
    ]
    sizes = sorted({found[1] for found in SIZE.finditer(REMARK.sub("", text))})
    if len(sizes) > 1:
        raise PuzzleError(f"conflicting sizes: n is {' and '.join(sizes)}", name)
    size = int(match[1]) if match else max(greatest, default=0)
    if not match and size not in USUAL:
        largest = f", and their largest number, {size}, is not a common size" if size else ""
        raise PuzzleError(
            f"the facts do not give the size of the grid{largest}: add #const n=9.", name
        )
    if not 1 <= size <= LARGEST_SIZE:
        raise PuzzleError(
            f"invalid size {size}: a grid has 1 to {LARGEST_SIZE} rows; give the size as in"
            " #const n=9.",
            name,
        )
    try:
        return [Puzzle(((None,) * size,) * size, facts=tuple(stated))]
    except PuzzleError as error:
        raise PuzzleError(str(error), name) from None


def write(puzzle: Puzzle) -> str:
    """The size and the facts. Raises PuzzleError for a puzzle that names rules."""
    require_representable(
        puzzle,
        RuleSet(tuple(fact.signature for fact in puzzle.facts)),
        FORMAT.name,
        largest=LARGEST_SIZE,
        least=1,
    )
    givens = [
        " ".join(f"a({row},{column},{n})." for column, n in enumerate(cells, 1) if n)
        for row, cells in enumerate(puzzle.grid, 1)
    ]
    rest = [f"{fact}." for fact in puzzle.facts]
    text = "\n".join([f"#const n={puzzle.size}.", *filter(None, givens), *rest]) + "\n"
    if not (givens or rest) or not fits(text) or read(text, "")[0].facts != puzzle.facts:
        raise PuzzleError(
            f"the format {FORMAT.name} cannot represent this puzzle: it has no facts, or facts that"
            " cannot be written"
        )
    return text


FORMAT = Format(
    "facts",
    "ASP facts a(R,C,N). and others",
    fits,
    read,
    write,
    suffixes=(".lp",),
    allows_long=True,
)
