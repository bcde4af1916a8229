"""The formats of puzzle files, by name, by file extension and by content.

Detection is a search in an ordered list: `FOREIGN` is tried from first to last, the first format
whose `fits` accepts the text is used, and a text that fits none of them is in the native format.
Naming a format (`--from`) skips detection. A format that was detected can still find its text
ambiguous (`Format.ambiguity`), if another reading would give a different puzzle; such a text is
rejected unless the format is named.
"""

from __future__ import annotations

from pathlib import Path

from aspdoku.errors import PuzzleError, did_you_mean
from aspdoku.formats import (
    alphabets,
    asp_facts,
    base,
    candidates,
    drawn_grids,
    futoshiki,
    ipuz,
    iss,
    janko,
    janko_types,
    json_formats,
    killer,
    line_lists,
    lisudoku,
    matrices,
    native,
    packed,
    partitions,
    penpa,
    solving_states,
)
from aspdoku.formats.equivalence import differences
from aspdoku.program.compose import as_its_rules_declare
from aspdoku.program.library import bundled_inputs, declared_inputs, name_from
from aspdoku.puzzle.puzzle import LARGEST_SIZE, RULES_IN_WORDS, Puzzle
from aspdoku.puzzle.term import Function
from aspdoku.puzzlefile.lines import FIRST_HEADER, split_lines

FOREIGN: tuple[base.Format, ...] = (
    *(line_lists.FORMAT, drawn_grids.GRIDS, drawn_grids.SADMAN, drawn_grids.SIMPLE),
    *(solving_states.HODOKU, candidates.CANDIDATE_STRING, candidates.CANDIDATE_GRID),
    *(alphabets.LETTERS_FROM_ONE, alphabets.HEX, alphabets.PAIRED_DIGITS),
    *(partitions.JIGSAW_LINE, partitions.JIGSAW_SUMOCUE, janko.FORMAT),
    *(killer.FORMAT, killer.LONG, killer.SHORT),
    *(partitions.STRIMKO_LINE, partitions.STRIMKO_ROWS),
    *(futoshiki.WITHOUT_BOXES, futoshiki.WITH_BOXES),
    *(json_formats.LESS_THAN, json_formats.STREAMS, asp_facts.FORMAT, matrices.FORMAT),
    *(json_formats.FPUZZLES, json_formats.SUDOKUPAD, json_formats.ADDRESS, iss.FORMAT),
    *(penpa.FORMAT, packed.PUZZLINK, lisudoku.FORMAT, ipuz.FORMAT),
    *(solving_states.OPENSUDOKU, packed.SOLO),
    *janko_types.FORMATS,
)
NATIVE = base.Format(
    "puzzle",
    "the native format, which represents everything",
    lambda text: detect(text) is None,
    lambda text, name: [native.parse(text, name)],
    native.write_with_labels,
    sizes=range(1, LARGEST_SIZE + 1),
    numbers=None,
    suffixes=(".txt",),
    texts=base.ALL_TEXTS,
)
ALL = (NATIVE, *FOREIGN)


def detect(text: str) -> base.Format | None:
    """The first foreign format that fits a text; None for the native format."""
    if FIRST_HEADER.match(text):
        return None
    return next((each for each in FOREIGN if each.fits(text)), None)


def by_name(name: str) -> base.Format:
    """The format of this name. Raises PuzzleError, TypeError if it is no string."""
    if not isinstance(name, str):
        raise TypeError(f"expected the name of a format, not {name!r}")
    known = [each.name for each in ALL]
    if name not in known:
        raise PuzzleError(
            f"unknown format {name!r}; the formats are"
            f" {', '.join(known)}.{did_you_mean(name, known)}"
        )
    return ALL[known.index(name)]


def by_suffix(suffix: str) -> base.Format | None:
    """The format with a file extension such as .sdk; None for an unknown extension."""
    return next((each for each in ALL if suffix.lower() in each.suffixes), None)


def parse_all(text: str, name: str, format_: base.Format | None = None) -> list[Puzzle]:
    """The puzzles in `text`, in the given or else the detected format. Raises PuzzleError."""
    if format_ and any(line.content for line in split_lines(text, name)):
        return format_.read(text, name)
    found = detect(text)
    return read(found, text, name) if found else [native.parse(text, name)]


def read(format_: base.Format, text: str, name: str) -> list[Puzzle]:
    """The puzzles in a text whose format was detected. Raises PuzzleError."""
    doubt = format_.ambiguity(text) if format_.ambiguity else ""
    if doubt:
        raise base.content_lines(text, name)[0].error(doubt)
    return format_.read(text, name)


def write(format_: base.Format, puzzles: list[Puzzle], folder: Path = Path()) -> str:
    """The puzzles as a file of this format in a folder, to which paths of rule files are relative.

    Raises PuzzleError for anything that the format cannot represent: nothing is lost silently.
    """
    if len(puzzles) > 1 and not format_.multiple:
        several = ", ".join(each.name for each in ALL if each.multiple)
        raise PuzzleError(
            f"a file of the format {format_.name} contains one puzzle, not {len(puzzles)}:"
            f" select one, e.g. FILE#2, or use a format for several puzzles: {several}"
        )
    puzzles = list(map(as_its_rules_declare, puzzles))
    for section in (each for puzzle in puzzles for each in puzzle.sections):
        if format_ is not NATIVE and not declared_inputs(section.name):
            raise PuzzleError(
                f"the format {format_.name} cannot represent section"
                f" [{section.name.replace('_', '-')}]: its facts depend on a rule that is not"
                " known; put them into [facts], or the folder of the rule on ASPDOKU_PATH"
            )
    if format_ is NATIVE:
        puzzles = [_named_from(folder, puzzle) for puzzle in puzzles]
    text = "".join(checked_text(format_, puzzle) for puzzle in puzzles)
    _check_detection(format_, text, puzzles)
    return text


def _named_from(folder: Path, puzzle: Puzzle) -> Puzzle:
    """The puzzle in this folder, with the names by which it can refer to its rule files there."""
    old = puzzle.origin.parent if puzzle.origin else None
    rules = tuple(name_from(folder, rule, old) for rule in puzzle.elaborations)
    return puzzle.replace(elaborations=rules) if rules != puzzle.elaborations else puzzle


def _check_detection(format_: base.Format, text: str, puzzles: list[Puzzle]) -> None:
    """Raise PuzzleError if the text is rejected, or read as different puzzles, when its format is
    detected, as every command does. A text whose format has to be named has to be rejected.
    """
    detected = (detect(text) or NATIVE).name
    try:
        again = parse_all(text, format_.name)
    except PuzzleError as error:
        if format_.undetected:
            return
        problem = f"it would be rejected when read back: {error}"
    else:
        pairs = zip(puzzles, again, strict=False)
        is_checked = format_.plain and detected == format_.name
        lost = next(filter(None, (_lost(format_, one, other) for one, other in pairs)), [])
        lost = [] if is_checked else lost
        if len(puzzles) == len(again) and not lost:
            return
        problem = (
            f"its text would be detected as the format {detected}, and differ in"
            f" {lost[0] if lost else 'the number of puzzles'}"
        )
    these = "this puzzle" if len(puzzles) == 1 else "these puzzles"
    raise base.unrepresentable(format_.name, [f"{these}: {problem}"])


def with_solution(puzzle: Puzzle) -> str:
    """The line of a puzzle in a list, without unsupported parts, and with its stated solution after
    the grid. Raises PuzzleError.
    """
    line = checked_text(line_lists.FORMAT, puzzle.replace(unsupported=(), solution=None)).rstrip(
        "\n"
    )
    if puzzle.solution is None:
        return line
    cells, _, rest = line.partition(" ")
    return (
        f"{cells} {base.cell_symbols(puzzle.replace(grid=puzzle.solution, solution=None))} {rest}"
    )


def checked_text(format_: base.Format, puzzle: Puzzle) -> str:
    """The text of a puzzle, which is read back as an equivalent puzzle. Raises PuzzleError."""
    if not format_.write:
        raise PuzzleError(f"the format {format_.name} is read-only")
    if lost := base.beyond(format_, puzzle):
        raise base.unrepresentable(format_.name, lost)
    try:
        text = format_.write(puzzle)
    except base.UnsupportedError as what:
        raise base.unrepresentable(format_.name, [str(what)]) from None
    try:
        again = (format_.plain or format_.read)(text, format_.name)[0]
    except PuzzleError as error:
        raise base.unrepresentable(format_.name, [f"this puzzle: {error}"]) from None
    if lost := _lost(format_, puzzle, again):
        raise base.unrepresentable(format_.name, lost)
    if format_.plain and format_ is not NATIVE:
        worded = format_.read(text, format_.name)[0]
        lost = differences(_with_sorted_pairs(puzzle), _with_sorted_pairs(worded))
        if lost and not worded.unsupported:
            raise base.unrepresentable(format_.name, lost)
    return text


def _with_sorted_pairs(puzzle: Puzzle) -> Puzzle:
    """The puzzle whose marks between cells have them in reading order: no drawing shows another
    one, and those whose order counts are drawn as signs.
    """
    inputs = bundled_inputs()
    facts = []
    for fact in puzzle.facts:
        declared = inputs[fact.signature][0] if fact.signature in inputs else None
        if declared and len(declared.cells) == 2 and not declared.names:
            first, last = declared.cells
            terms = dict(enumerate(fact.arguments))
            ends = sorted(declared.cells_of(fact))
            for places, cell in zip((first, last), ends, strict=False):
                terms |= dict(zip(places, cell, strict=True))
            fact = Function(fact.name, tuple(terms.values()))
        facts.append(fact)
    return puzzle.replace(facts=tuple(facts))


def for_people_only(format_: base.Format, puzzle: Puzzle) -> list[str]:
    """The rules of a puzzle that a text of this format draws, and states in words, in a way that is
    not read back completely.
    """
    stated = _stated(format_, puzzle).elaborations
    names = [name for name in puzzle.elaborations if name not in stated]
    if names and format_.write:
        again = format_.read(format_.write(puzzle), format_.name)[0]
        return names if differences(puzzle, again) else []
    return names


def _stated(format_: base.Format, puzzle: Puzzle) -> Puzzle:
    return format_.stated(puzzle) if format_.stated else puzzle


def _lost(format_: base.Format, puzzle: Puzzle, again: Puzzle) -> list[str]:
    """What a text of this format lost, judging by the puzzle that was read from it."""
    stated = _stated(format_, puzzle)
    if stated.elaborations != puzzle.elaborations:
        # The reader reports what is only drawn. Of that only the rules in words of the puzzle are
        # the same as before: its drawings that were not read are not written.
        again = again.replace(unsupported=(RULES_IN_WORDS,) if puzzle.rules else ())
    return differences(stated, again)
