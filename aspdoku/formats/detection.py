"""Read puzzles from files and text in any format: one, one of several by index, or all.

A puzzle is named by a path, by `example:NAME` if it is bundled, or by the text itself, which may be
a grid or a URL.

Plain grids of the usual sizes, and files with a header, are read at once as the native format; for
everything else, `registry` detects the format.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.errors import Advice, PuzzleError, did_you_mean
from aspdoku.formats import native
from aspdoku.program.library import rule_names
from aspdoku.puzzlefile.lines import FIRST_HEADER, Line, place_of, pluralize, quote, split_lines
from aspdoku.puzzlefile.oneline import DOCUMENT, begins_with_grid, columns_of
from aspdoku.puzzlefile.separated import with_explicit_cells
from aspdoku.runtime.signals import interruptible

if TYPE_CHECKING:
    from aspdoku.formats.base import Format
    from aspdoku.puzzle.puzzle import Puzzle

PREFIX = "example:"
# Folders of bundled puzzles that a person would solve; a name in two of them means the first.
_FOLDERS = ("slides", "made", "lessons", "boards", "owl", "prolog", "csp")
MAX_FILE_SIZE = 1_000_000
MAX_LINES = 100_000
# A header of comments may be long, but a file without a list of puzzles should not be read to its
# end.
MOST_LINES_BEFORE_A_GRID = 1000
INDEXED_PATH = re.compile(r"(.+)#([^#/]*)")
INDEX = re.compile(r"[1-9][0-9]{0,17}")
# No line of a grid has letters before a suffix of letters, and no dots next to each other.
FILE_NAME = re.compile(r"(?!.*\.\.)(?!.*://)(?=.*[A-Za-z]).*\w\.[a-z]{3,4}(?:#[0-9]+)?")
LONGEST_PATH = 4096
NOT_TEXT = "not a text file: a puzzle file is UTF-8 text"
STANDARD_INPUT = "standard input"
# Invalid texts that are meant to be a URL or a grid rather than the name of a file.
GRID_OR_URL = re.compile(
    r"<?https?://.*|[0-9._*xX|+-]{16,}|[0-9]+x[0-9]+[^./\s]*|\S*\s.*", re.IGNORECASE | re.DOTALL
)
TEXT = re.compile(r"[0-9._*xX|+-]{16,}|.*\n.*|https?:/.*", re.DOTALL)  # no path
URL = re.compile(r"<?https?://", re.IGNORECASE)
NATIVE_CHARACTERS = frozenset("0123456789._|+-= \t\r\n")
NATIVE_SIZES = (4, 5, 6, 7, 9)  # 8x8 on one line is as long as the candidates of 4x4


class Source(NamedTuple):
    """A text, its name for messages, and the index of a puzzle in it, or 0.

    selector: what an index can be appended to; empty if to nothing
    """

    text: str
    name: str
    number: int = 0
    selector: str = ""

    def puzzles(self, format_: Format | None = None) -> list[Puzzle]:
        """All puzzles, or the one with the index. Raises PuzzleError."""
        every = parse_all(self.text, self.name, format_)
        return [self._chosen(every)] if self.number else every

    def puzzle(self) -> Puzzle:
        """The puzzle with the index; without one, the only puzzle. Raises PuzzleError."""
        return self._chosen(parse_all(self.text, self.name))

    def _chosen(self, puzzles: list[Puzzle]) -> Puzzle:
        name, number, selector = self.name, self.number, self.selector
        if number > len(puzzles):
            raise PuzzleError(
                f"no puzzle {number}: the file contains {pluralize(len(puzzles), 'puzzle')}", name
            )
        if number or len(puzzles) == 1:
            return puzzles[number - 1]
        lines = [line for line in split_lines(self.text, name) if line.content]
        second, size = len(lines) // len(puzzles), puzzles[0].size
        each = f"one per line with {size * size} cells" if second == 1 else f"each {size}x{size}"
        plain = not any(puzzle.elaborations or puzzle.without for puzzle in puzzles)
        batch = ", or solve all of them with aspdoku batch" if plain else ""
        choice = f": select one by its index after the file name, e.g. {selector}#2{batch}"
        raise lines[second].error(
            f"expected one puzzle; the {'file' if selector else 'text'} seems to contain"
            f" {len(puzzles)}, {each}{choice if selector else ''}"
        )


@interruptible
def read(path: str | os.PathLike[str]) -> Puzzle:
    """The puzzle in a UTF-8 text file; `FILE#3` is the third of several.

    `example:NAME` is a bundled puzzle, unless there is a file with this name.
    Raises PuzzleError, in particular if the file does not exist.
    """
    if not os.fspath(path):
        raise PuzzleError("empty file name")
    file, source = _opened(path)
    shown = os.fspath(path) if _is_example(os.fspath(path)) else ""
    return source.puzzle().replace(origin=file, name=shown)


def read_all(path: str | os.PathLike[str], format_: Format | None = None) -> list[Puzzle]:
    """All puzzles in a file that `read` accepts, or one for `FILE#3`. Raises PuzzleError."""
    file, source = _opened(path)
    return [puzzle.replace(origin=file) for puzzle in source.puzzles(format_)]


def is_path(text: str) -> bool:
    """Whether a string is the name of a file or of an example rather than the text of a puzzle."""
    if len(text) <= LONGEST_PATH and (
        os.path.lexists(text) or os.path.lexists(text.rpartition("#")[0])
    ):
        return True
    return "\n" not in text and (FILE_NAME.fullmatch(text) is not None or text.startswith(PREFIX))


def read_argument(text: str) -> Puzzle:
    """The puzzle that a string names or contains. Raises PuzzleError if it is neither."""
    return read(text) if not text or is_path(text) else _parse_argument(text)[0]


def read_all_from_argument(text: str, format_: Format | None = None) -> list[Puzzle]:
    """All puzzles in what a string names or contains. Raises PuzzleError."""
    return read_all(text, format_) if is_path(text) else _parse_argument(text, format_, True)


def _parse_argument(
    text: str, format_: Format | None = None, several: bool = False
) -> list[Puzzle]:
    try:
        return parse_all(text, format_=format_) if several else [Source(text, "").puzzle()]
    except PuzzleError:
        if GRID_OR_URL.fullmatch(text):
            raise
    raise _no_such_file(text)


def _no_such_file(text: str) -> PuzzleError:
    meant = [f"--with {text}"] if text in rule_names() else []
    meant += [f"{PREFIX}{text}"] if text in examples() else []
    instead = f" Did you mean {' or '.join(meant)}?" if meant else ""
    return PuzzleError(
        "No such file or directory; a puzzle is a file, a grid such as 4.....8.5…, a URL that"
        f" contains one, or example:NAME.{instead}",
        _name_of(text),
    )


def text_of_document(document: str | bytes) -> tuple[str, str]:
    """The text of the one document that a string names or contains, or that was read from standard
    input, and its name, if any. Raises PuzzleError.
    """
    from aspdoku.formats.worded import fits  # imports all formats

    if isinstance(document, bytes):
        source = from_standard_input(document)
    else:
        named = not document or is_path(document)
        if not named and not (GRID_OR_URL.fullmatch(document) or fits(document)):
            raise _no_such_file(document)
        source = _opened(document)[1] if named else Source(document, "")
    if source.number:
        raise PuzzleError("one document is expected, not one of several", source.name)
    return _with_whole_urls(source.text, source.name), source.name


def _opened(path: str | os.PathLike[str]) -> tuple[Path, Source]:
    """The file that a path or `example:NAME` names, and its text. Raises PuzzleError."""
    called = os.fspath(path)
    if _is_example(called):
        file, number = example_file(called.removeprefix(PREFIX)), 0
    else:
        file, number = _split_index(Path(called))
    name = _name_of(str(file))
    try:
        with file.open("rb") as stream:
            text = text_of(stream.read(MAX_FILE_SIZE + 1), name)
    except OSError as error:
        advice = "; parse reads the text of a puzzle" if TEXT.fullmatch(str(file)) else ""
        raise PuzzleError(f"{error.strerror or error}{advice}", name) from None
    except ValueError as error:  # a path with a NUL in it
        raise PuzzleError(f"invalid file name: {error}", quote(name)) from None
    return file, Source(text, name, number, name)


def _is_example(name: str) -> bool:
    return name.startswith(PREFIX) and not os.path.lexists(name)


def _split_index(path: Path) -> tuple[Path, int]:
    """The file and the index after the # in a path, counted from 1; 0 without an index."""
    match = None if os.path.lexists(path) else INDEXED_PATH.fullmatch(str(path))
    if match and INDEX.fullmatch(match[2]):
        return Path(match[1]), int(match[2])
    if match and os.path.isfile(match[1]):
        raise PuzzleError(
            f"invalid index {quote(match[2])}: puzzles are counted from 1, e.g. FILE#1",
            _name_of(match[1]),
        )
    return path, 0


def _name_of(path: str) -> str:
    return path if path.isprintable() else ascii(path)


def from_standard_input(content: bytes, number: int = 0) -> Source:
    """The content of standard input, and the index of a puzzle in it. Raises PuzzleError."""
    return Source(text_of(content, STANDARD_INPUT), STANDARD_INPUT, number, "-")


def arranged(
    lines: Iterable[str], name: str = "", size: int = 0
) -> tuple[tuple[str, ...], Iterator[str]]:
    """The unsupported parts of the puzzles in a text, and a line as in `oneline` for each puzzle. A
    list with a puzzle per line is read only up to the line that decides its columns; a text in
    another format is read completely.

    size: the number of rows of the puzzles, if it is known
    Raises PuzzleError, in particular for a puzzle file and a puzzle that cannot be written on a
    line.
    """
    seen, more = list[str](), iter(lines)

    def first() -> Iterator[Line]:
        for number, text in enumerate(islice(more, MOST_LINES_BEFORE_A_GRID), 1):
            seen.append(text)
            yield Line(text.rstrip("\r\n"), number, name)

    columns = columns_of(first())
    begin = "\n".join(line.rstrip("\r\n") for line in seen)
    if header := FIRST_HEADER.match(begin):
        raise PuzzleError(
            f"{header[1]}: is a header of a puzzle file, but a list with a grid in each line is"
            " expected: run `aspdoku solve` for a puzzle file",
            place_of(name, header[0].count("\n") + 1),
        )
    if columns:
        return columns.unsupported, map(columns.line, chain(seen, more))
    document = any(text.lstrip("\ufeff \t").startswith(DOCUMENT) for text in seen[-1:])
    if not document and any(begins_with_grid(text, size) for text in seen):
        return (), chain(seen, more)
    seen += islice(more, MAX_LINES)
    text = "".join(line.rstrip("\r\n") + "\n" for line in seen)
    if len(text) > MAX_FILE_SIZE:
        return (), chain(seen, more)
    try:
        puzzles = parse_all(text, name)
    except PuzzleError:
        if document:
            raise
        return (), chain(seen, more)
    from aspdoku.formats.registry import with_solution

    unsupported = dict.fromkeys(part for puzzle in puzzles for part in puzzle.unsupported)
    try:
        return tuple(unsupported), iter([with_solution(puzzle) for puzzle in puzzles])
    except PuzzleError as error:
        raise PuzzleError(
            "a list has grids, and the rules are those of the options: run `aspdoku solve` for a"
            f" puzzle with rules or clues of its own ({error})",
            name,
        ) from error


@interruptible
def parse(text: str, name: str = "") -> Puzzle:
    """The one puzzle in `text`, in any format; `name` is the file name for error messages, if any.

    Raises PuzzleError, or TypeError if `text` is not a string.
    """
    if not isinstance(text, str):
        raise TypeError(f"expected the text of a puzzle, not {text!r}")
    return Source(text, name, selector=name).puzzle()


def parse_all(text: str, name: str = "", format_: Format | None = None) -> list[Puzzle]:
    """All puzzles in `text`, in the given or else the detected format. Raises PuzzleError."""
    if text.count("\n") + text.count("\r") > MAX_LINES:
        raise PuzzleError(
            f"the file has more than {MAX_LINES} lines, the maximum for a puzzle file", name
        )
    text = with_explicit_cells(_with_whole_urls(text, name), name)
    puzzle = None if format_ else _parse_native_fast(text, name)
    if puzzle:
        return [puzzle]
    from aspdoku.formats.registry import parse_all  # imports all formats

    return parse_all(text, name, format_)


def _with_whole_urls(text: str, name: str) -> str:
    """The text with each URL on one line, without the < and > around it; line numbers stay."""
    words, lines = text.split(), [line.text.strip() for line in split_lines(text, name)]
    url, *rows = ["".join(line.split()) for line in lines if line] or [""]
    square = len(rows) > 3 and all(len(row) == len(rows) for row in rows)
    if square and URL.match(url) and NATIVE_CHARACTERS.issuperset("".join(rows)):
        raise PuzzleError(
            "a URL above a grid: delete one of them, or begin the line of the URL with #",
            place_of(name, 1 + next(at for at, line in enumerate(lines) if line)),
        )
    if len(words) != sum(map(bool, lines)) or not URL.match("".join(words[:1])):
        return text
    at = 0
    for number, line in enumerate(lines):
        at, lines[number] = number if "://" in line else at, ""
        lines[at] += line
    return "\n".join(line.removeprefix("<").removesuffix(">") for line in lines)


def _parse_native_fast(text: str, name: str) -> Puzzle | None:
    """Fast path: parse text that can only be in the native format, without format detection."""
    if FIRST_HEADER.match(text):
        return native.parse(text, name)
    try:
        puzzle = native.parse(text, name) if NATIVE_CHARACTERS.issuperset(text) else None
    except PuzzleError:
        return None
    return puzzle if puzzle and puzzle.size in NATIVE_SIZES else None


def text_of(data: bytes, name: str) -> str:
    """Decode the content of a file. Raises PuzzleError if it is not UTF-8 text or too large."""
    if len(data) > MAX_FILE_SIZE:
        raise PuzzleError(
            f"the file has more than {MAX_FILE_SIZE} bytes (1 MB), the maximum for a puzzle file",
            name,
        )
    if b"\0" in data:
        raise PuzzleError(NOT_TEXT, name)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        number = len(split_lines(data[: error.start].decode(), name))
        message = f"byte {error.start + 1} of the file is not valid UTF-8: save the file as UTF-8"
        raise PuzzleError(message, place_of(name, number)) from None


@cache
def examples() -> dict[str, Path]:
    """The files of the bundled puzzles by their names, sorted."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "instances"
    folder = installed if installed.is_dir() else package.parent / "instances"
    files = {
        file.stem: file
        for name in reversed(_FOLDERS)
        for file in (folder / name).glob("*.txt")
        if not file.name.endswith(".solution.txt")
    }
    return dict(sorted(files.items()))


def example_file(name: str) -> Path:
    """The file of a bundled puzzle. Raises PuzzleError, suggesting the nearest name."""
    known = examples()
    if name not in known:
        listed = f"lists the {len(known)} bundled puzzles"
        raise PuzzleError(
            f"unknown example {quote(name)}.{did_you_mean(name, list(known))}",
            advice=Advice(f" `aspdoku example` {listed}", f" `aspdoku.examples()` {listed}"),
        )
    return known[name]
