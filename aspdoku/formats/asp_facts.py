"""Files of ASP facts, as used in courses, `#const n=9.` and `a(1,3,7).`, and clingo's answers.

Without a constant n, the size is the largest number in a fact a/3, if that is a common size. The
givens may have another name, `initial(1,3,7).`, if no other facts have three arguments, except
inputs of bundled rules; rows and columns may count from 0. An answer is a line of atoms without
full stops. Such a text does not name any rules.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from aspdoku.errors import Advice, PuzzleError
from aspdoku.formats.base import Format, errors_at
from aspdoku.program.library import bundled_inputs
from aspdoku.puzzle.puzzle import GIVEN, LARGEST_SIZE, Puzzle
from aspdoku.puzzle.term import Function
from aspdoku.puzzlefile import facts
from aspdoku.puzzlefile.lines import Line, Section, split_lines

SIZE = re.compile(r"#const\s+n\s*=\s*([0-9]{1,3})\s*\.")
REMARK = re.compile(r"(?:%.*|#(?!const\b).*)")
BEGINNING = re.compile(r"\s*_*[a-z]\w*\s*\(")
USUAL = (4, 6, 9, 12, 16, 25)
A_GIVEN = re.compile(r"\ba\s*\(")
FACTS = re.compile(r"(?:\s*+[a-z_]\w*+\s*+(?:\([^()]*+\)\s*+)?\.)+\s*+")
WITH_THREE = re.compile(r"\b([a-z_]\w*+)\s*+\([^(),]++,[^(),]++,[^(),]++\)")
PROGRAM = re.compile(r"\s*(?::-|[0-9]*\s*\{\s*[a-z_]|[a-z_]\w*\s*[(.])[^\"]*?(?::-|\{[^\"]*\})")
ANSWER = re.compile(r"Answer: [0-9]+")
# What `clingo -V0` prints.
STATUS = re.compile(r"SATISFIABLE|OPTIMUM FOUND|UNKNOWN")
ATOM = r"_*+[a-z]\w*+(?:\((?:[^()\"]|\"[^\"]*+\")*+\))?+"
ATOMS = re.compile(rf"\s*+{ATOM}(?:\s++{ATOM})*+\s*+")
END_OF_ATOM = re.compile(r"\)(?=\s|$)")


def _fits(text: str) -> bool:
    """Whether the text is facts with a size, a/3 or three numbers, a program, or an answer."""
    bare = REMARK.sub("", text.removeprefix("\ufeff"))
    size = SIZE.search(bare)
    return (
        BEGINNING.match(SIZE.sub("", bare)) is not None
        and (size is not None or A_GIVEN.search(bare) is not None)
    ) or any(
        (
            FACTS.fullmatch(bare) and WITH_THREE.search(bare),
            PROGRAM.match(bare),
            _answers(split_lines(text, "")),
        )
    )


def _read(text: str, name: str) -> list[Puzzle]:
    bare = REMARK.sub("", text)
    sizes = sorted({found[1] for found in SIZE.finditer(bare)})
    if len(sizes) > 1:
        raise PuzzleError(f"conflicting sizes: n is {' and '.join(sizes)}", name)
    if PROGRAM.match(bare) and not A_GIVEN.search(bare):
        used = Counter(WITH_THREE.findall(bare)).most_common(1)
        predicate = used[0][0] if used else "the predicate of the grid"
        raise PuzzleError(
            "a puzzle has facts only, and this is a program: to use its rules, rename"
            f" {predicate} to a (row, column, number), leave out what the base program states, and"
            " add ",
            name,
            Advice("the file with --with", "the file to the rules", "the text as a rule"),
        )
    lines = split_lines(SIZE.sub(lambda each: " " * len(each[0]), text) if sizes else text, name)
    size = int(sizes[0]) if sizes else 0
    return [_puzzle(part, size, name) for part in _answers(lines) or [lines]]


def _answers(lines: list[Line]) -> list[list[Line]]:
    """The atoms below each line `Answer: 1`, or on each line of atoms, as facts."""
    answers = [atoms for line, atoms in pairwise(lines) if ANSWER.match(line.text)]
    if not answers:
        printed = [line for line in lines if line.content and not STATUS.fullmatch(line.content)]
        if all(ATOMS.fullmatch(line.text) and WITH_THREE.search(line.text) for line in printed):
            answers = printed
    return [[Line(END_OF_ATOM.sub(").", each.text), each.number, each.name)] for each in answers]


def _puzzle(lines: list[Line], size: int, name: str) -> Puzzle:
    whole = any(line.text.strip() for line in lines)
    stated = facts.parse_facts(Section(facts.SECTION, lines[0], lines)) if whole else []
    found = _with_givens([each.fact for each in stated], name)
    greatest = [
        term
        for fact in found
        if fact.signature == GIVEN
        for term in fact.arguments
        if isinstance(term, int)
    ]
    largest = size or max(greatest, default=0)
    if not size and largest not in USUAL:
        what = f", and their largest number, {largest}, is not a common size" if largest else ""
        raise PuzzleError(
            f"the facts do not give the size of the grid{what}: add #const n=9.", name
        )
    if not 1 <= largest <= LARGEST_SIZE:
        raise PuzzleError(
            f"invalid size {largest}: a grid has 1 to {LARGEST_SIZE} rows; give the size as in"
            " #const n=9.",
            name,
        )
    with errors_at(name):
        return Puzzle.blank(largest).replace(facts=found)


def _with_givens(stated: list[Function], name: str) -> list[Function]:
    """The facts, with givens of another name renamed, and with rows and columns from 1."""
    inputs = bundled_inputs()
    cells = [
        fact for fact in stated if len(fact.arguments) == GIVEN[1] and fact.signature not in inputs
    ]
    unknown = {fact.signature for fact in cells}
    predicates = sorted(name for name, _ in unknown)
    if not cells or GIVEN[0] in predicates:
        return stated
    numbers = [term for fact in cells for term in fact.arguments if isinstance(term, int)]
    if len(predicates) > 1 or len(numbers) < GIVEN[1] * len(cells):
        raise PuzzleError(
            f"the facts do not show which are the givens ({', '.join(predicates)}): rename their"
            f" predicate to {GIVEN[0]}, with the numbers of the row, the column and the cell",
            name,
        )
    shift = 0 in numbers[0::3] + numbers[1::3]
    givens = [
        Function(GIVEN[0], (row + shift, column + shift, number))
        for row, column, number in zip(numbers[0::3], numbers[1::3], numbers[2::3], strict=True)
    ]
    return [*givens, *(fact for fact in stated if fact.signature not in unknown)]


def _write(puzzle: Puzzle) -> str:
    givens = [
        " ".join(f"a({row},{column},{n})." for column, n in enumerate(cells, 1) if n)
        for row, cells in enumerate(puzzle.grid, 1)
    ]
    rest = [f"{fact}." for fact in puzzle.facts]
    return "\n".join([f"#const n={puzzle.size}.", *filter(None, givens), *rest]) + "\n"


FORMAT = Format(
    "facts",
    "ASP facts a(R,C,N). and others, answers of clingo",
    _fits,
    _read,
    _write,
    sizes=range(1, LARGEST_SIZE + 1),
    suffixes=(".lp",),
)
