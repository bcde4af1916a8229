"""No argument of a constraint of Interactive Sudoku Solver is ignored: removing, doubling or
changing one changes the puzzle.
"""

import re
from collections.abc import Iterator
from random import Random

import pytest

from aspdoku.errors import PuzzleError
from aspdoku.formats import iss
from aspdoku.formats.iss import table

NABNER = "8H_xf8H_xf8H_B"
CELLS = "~R1C1~R1C2~R2C2~R2C1"
FIVE = "AAABBACABBCCCDBCDDDEDEEEE"
NINES = "AAABBB" * 3 + "CCCDDD" * 3

# Texts that together use every constraint that the reader supports.
TEXTS = [
    ".~R1C1_1~R1C2_2_3.~R3C3_4",
    ".And.~R1C1_1.End.AntiKnight.AntiKing.AntiConsecutive.AntiTaxicab.Diagonal~1",
    ".Shape~9x9.GlobalEntropy.Windoku.StrictKropki.StrictXV.DisjointSets.Priority~1~R1C1.SearchPriority~2~R1C1",
    *(f".{word}{CELLS}" for word in ("AllDifferent", "WhiteDot", "BlackDot", "X", "V", "GreaterThan", "Thermo", "Renban")),  # noqa: E501
    *(f".{word}{CELLS}" for word in ("Entropic", "RegionSumLine", "Between", "Palindrome", "Zipper", "DoubleArrow")),  # noqa: E501
    *(f".{word}{CELLS}" for word in ("ValueIndexing", "Arrow", "CountingCircles", "Whisper", "Whisper~3")),  # noqa: E501
    *(f".{word}{CELLS}" for word in ("Cage~9", "Cage~0", "Sum~9", "Modular~3", "Lockout~2", "Lunchbox~4", "SumLine~5")),  # noqa: E501
    *(f".{word}{CELLS}" for word in ("PillArrow~2", "PillArrow~3", "ContainAtLeast~4_4_5", "SameValues~2", "SameValues~4")),  # noqa: E501
    *(f".{word}{CELLS}" for word in ("LookAndSay~2405", "ContainExact~4_4_5", "RellikCage~9", "EqualityCage", "CountDistinct")),  # noqa: E501
    ".GlobalMod.DutchFlatmates.FullRankTies~none",
    ".ConnectedValues~~1_2~5",
    f".SumLine~9{CELLS}~LOOP.EqualSum~R1C1~R1C2~-~R5C5~-~R6C6.Indexing~R~R1C2~R2C2.Indexing~C~R3C4",
    ".Quad~R3C3~1~1~5.LittleKiller~7~R8C1.Sandwich~7~C3",
    *(f".{word}~C3~4~5.{word}~R9~~2" for word in ("XSum", "Skyscraper", "HiddenSkyscraper", "NumberedRoom")),  # noqa: E501
    ".FullRank~C3~5~.FullRankTies~any",
    *(f".{word}~{NABNER}~_two%20apart{CELLS}~~R5C5~R6C6~_more~R8C8~R9C9" for word in ("Pair", "PairX", "Binary", "BinaryX")),  # noqa: E501
    ".NFA~BlQwmeKA~_parts~R1C1~-~R2C1~~R5C5~-~R6C6.NFA~BhiEDFIIpJqKrLsIAA~R1C1~R1C2",
    ".Regex~LiooMTJ8MjQpLio~R1C1~R1C2~R1C3~~R2C1~R2C2.Regex~12%7C3~R5C5~R5C6",
    ".NoBoxes.ChaosConstruction.ChaosCount~R1C1~0~CC1~CC2~CC10~CC11.SameValues~2~CC1~CC11.SameValues~2~R1C1~R2C2",
    ".Shape~6x6~8.RegionSameValues",
    ".Shape~6x8~9.RegionSameValues.Skyscraper~C8~~2.Thermo~R1C1~R6C8.Var~S~label~2x3.Var~T.Sum~9~VS6~VT~R1C1",
    ".Shape~4x4~0-4.Doppelganger.Thermo~DGR1~DGC2~DGB3",
    ".Shape~6x8~7~Raw.Thermo~R1C1~R6C8",
    ".Replicate~BC~R1C1.Thermo~R1C1~R2C2.~R5C1_4.End",
    ".NoBoxes.ChaosConstruction.ChaosCount~R1C1~0~CC1~CC3~CC4.ChaosArrow~R1C1~0~CC1~CC2~CC3~-~CC1~CC10.ChaosArrow~R3C3",
    f".Shape~5x5.Jigsaw~5x5~{FIVE}.RegionSumLine{CELLS}.AntiKing",
    f".Shape~5x5~0-4.NoBoxes.Jigsaw~{FIVE}.Thermo{CELLS}.~R5C5_0.Skyscraper~R1~2",
    f".Shape~6x6~9.RegionSize~9.NoBoxes.Jigsaw~{NINES}.~R1C1_9.Skyscraper~R1~3.Renban{CELLS}",
    ".Shape~6x6.RegionSize~6.DisjointSets.RegionSumLine~R1C1~R1C2~R3C1",
    ".Shape~16x16.Sandwich~20~R16.Skyscraper~C10~4~.Thermo~RgCa~RgCb~RfCb.~RgCg_16",
]  # fmt: skip
VALUES = [
    "",
    "0",
    "1",
    "x",
    "-",
    "_",
    "LOOP",
    "R0C1",
    "RgCg",
    "R1C1",
    "R9C9",
    "VA1",
    "CC1",
    "1_2",
    "R1",
]

# Pairs of equivalent spellings, in addition to arguments that the reader itself removes as
# meaningless.
SAME = {
    r"^Shape~9x9$": "",  # the default shape
    r"^RegionSize~6$": "",  # the default number of cells in a box, of a 6x6 grid
    r"^Whisper~(?=R)": "Whisper~5~",  # the default difference
    r"^Cage~(?=~)": "Cage~0",  # a cage without a sum
    # the cells that are counted by default
    r"^ChaosCount~R1C1(~0?(~CC1~CC2~CC10~CC11)?)?$": "ChaosCount~R1C1",
    r"^(Replicate~BC)~R1C1$": r"\1",  # the default origin
    r"^(ChaosCount~R1C1|ChaosArrow~R[13]C[13])(~0?(?=~|$))?": r"\1",  # the default offset
    r"^FullRankTies~only-unclued$": "",  # the default
    r"^(Var~[A-Z]+)~[^~]*$": r"\1",  # one extra cell, with or without a label
    # An empty argument separates lines; before all of them, after all of them and twice it does
    # nothing.
    r"^((?:(?:Pair|Binary)X?|NFA|Regex)~[^~]*)": r"\1~~",
    r"^((?:Pair|Binary|NFA|Regex).*[^~])~+$": r"\1",
    r"~~+": "~~",
}


def constraints_of(text):
    return [item.split("~") for item in text.split(".")[1:]]


def text_of(constraints):
    return "".join(f".{'~'.join(each)}" for each in constraints)


def normal_form(constraints) -> frozenset[str]:
    """A normal form of the constraints of a text, equal for two texts with the same meaning."""
    found = set()
    for word, *arguments in constraints:
        pattern, _ = table.MEANINGLESS.get(word, (None, ""))
        if pattern and arguments:
            arguments = [pattern.sub("", "~".join(arguments))]
            if word.endswith("Priority"):
                continue
        if not word:
            found.update(arguments)
            continue
        spelling = "~".join([word, *arguments])
        for pattern, same in SAME.items():
            spelling = re.sub(pattern, same, spelling)
        found.add(spelling)
    if not any(each.startswith("FullRank~") for each in found):
        found.discard("FullRankTies~any")
    if any(each.startswith("Shape~5x5") for each in found) and any(
        each.startswith("Jigsaw~") for each in found
    ):
        found.discard("NoBoxes")  # this size has none
    return frozenset(found - {""})


def changes(constraints) -> Iterator[list[list[str]]]:
    for place, constraint in enumerate(constraints):
        before, after = constraints[:place], constraints[place + 1 :]
        yield [*before, *after]
        yield [*before, constraint, constraint, *after]
        yield from ([*before, [*constraint, value], *after] for value in VALUES)
        for at in range(1, len(constraint)):
            head, tail = constraint[:at], constraint[at + 1 :]
            others = [[], *([value] for value in [*VALUES, *constraint[1:]]), [constraint[at]] * 2]
            yield from ([*before, [*head, *other, *tail], *after] for other in others)


ALL = [(text, text_of(changed)) for text in TEXTS for changed in changes(constraints_of(text))]


def read_or_error(text):
    """The puzzle, or the error message."""
    try:
        return iss.read(text, "x")[0]
    except PuzzleError as error:
        return str(error)


def ignored_changes(pairs):
    """The changed texts that are read as the same puzzle although their normal form differs."""
    expected = {text: read_or_error(text) for text in TEXTS}
    return [
        (text, changed)
        for text, changed in pairs
        if read_or_error(changed) == expected[text]
        and normal_form(constraints_of(changed)) != normal_form(constraints_of(text))
    ]


def test_extra_cells_without_a_name_are_an_error():
    assert "Var: invalid ''" in read_or_error(".Shape~6x6.Var")


def test_the_samples_are_supported_and_use_every_constraint():
    assert {word for text in TEXTS for word, *_ in constraints_of(text)} >= {
        *table.WORDS,
        "And",
        "End",
    }
    assert [
        text
        for text in TEXTS
        if isinstance(puzzle := read_or_error(text), str) or puzzle.unsupported
    ] == []
    assert table.MEANINGLESS.keys() <= table.WORDS


def test_some_changes_of_a_constraint_or_an_argument_are_never_ignored():
    assert len(ALL) > 3000
    assert ignored_changes(Random(7).sample(ALL, 1000)) == []


@pytest.mark.slow
def test_no_change_of_a_constraint_or_an_argument_is_ignored():
    assert ignored_changes(ALL) == []
