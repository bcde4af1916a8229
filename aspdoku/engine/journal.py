"""A file of results, and the journal next to it with which `--resume` checks that work continues.

The journal of `FILE` is `FILE.resume`. Its first line holds a fingerprint of the rules. Every other
line is a record: a number of results, and a hash of the input lines and the results up to there. To
resume, both are read again and compared; results after the last record are computed again. A record
is appended only after the results have been flushed, so it never counts results that are not in the
file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from hashlib import blake2b
from io import BufferedWriter, FileIO, TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from aspdoku.errors import AspdokuError
from aspdoku.program import Program
from aspdoku.program.rulefile import without_comments

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_MAGIC = "aspdoku batch 1 "
# 128 bits: accidental collisions are practically impossible, and a record fits into a line.
_DIGEST_BYTES = 16
_REMEDY = "; to solve all lines again, use another --output"


class ResultWriter:
    """Writes results to standard output, or to a file that is locked and has a journal.

    results: the number of results, those of earlier runs included
    """

    def __init__(self, path: Path | None, open_: ExitStack) -> None:
        self.results = 0
        self.sink: IO[str] = sys.stdout
        self._path = path
        self._open = open_
        self._journal: IO[str] | None = None
        self._digest = blake2b(digest_size=_DIGEST_BYTES)  # of the lines and their results
        self._flushed = 0, 0  # results and bytes at the last flush
        if path is not None:
            self.sink = self._append_to(path)
            if path.is_file():
                _lock(self.sink, path)

    @property
    def has_content(self) -> bool:
        """Whether the results go to a regular file that is not empty."""
        return self._path is not None and self._path.is_file() and self._path.stat().st_size > 0

    @property
    def resumable(self) -> bool:
        """Whether there is a journal, so that an interrupted run can be resumed."""
        return self._journal is not None

    @property
    def has_new(self) -> bool:
        """Whether there are results that are not flushed."""
        return self.results != self._flushed[0]

    def start(
        self,
        program: Program,
        lines: Iterator[str],
        source: str,
        header: str,
        read: Callable[[Path], Iterator[bytes]],
    ) -> Iterator[str]:
        """Prepare for writing; return the lines whose results are not in the file yet. Raises
        AspdokuError if the file holds results of other lines or rules.

        source: the name of the file that the lines come from
        header: the text before the first result
        read: yields the complete results in a file, one line each
        """
        if self._path is None or not self._path.is_file():
            self.sink.write(header)
            return lines
        journal_path = journal_path_of(self._path)
        head = journal_path.read_bytes()[: len(_MAGIC)] if journal_path.is_file() else b""
        if head and head != _MAGIC.encode():
            needed = "is not a --resume journal, which needs this name: rename the file"
            raise AspdokuError(f"{journal_path} exists and {needed}")
        checked = _check(self._path, program, lines, source, read(self._path))
        record = self._append_to(journal_path)
        self.sink.truncate(len(header) + checked.size if checked.results else 0)
        record.truncate(checked.end)
        if not checked.results:
            self.sink.write(header)
            record.write(f"{_MAGIC}{_fingerprint(program)}\n")
        self._journal, self._digest, self.results = record, checked.digest, checked.results
        self.flush()
        return checked.rest

    def add(self, line: str, text: str) -> None:
        """Write the result of a line, formatted as text."""
        self.sink.write(text)
        self.results += 1
        if self._journal:
            _update(self._digest, line, text.encode())

    def flush(self) -> None:
        """Flush the results, then record them in the journal."""
        self.sink.flush()
        self._flushed = self.results, 0
        if self._journal and self._path:
            self._flushed = self.results, self._path.stat().st_size
            self._journal.write(f"{self.results} {self._digest.hexdigest()}\n")
            self._journal.flush()

    def flush_interrupted(self) -> int:
        """Flush after an interruption, and count the results in the file anew."""
        self.sink.flush()
        if self._journal is None or self._path is None:
            return self.results
        results, size = self._flushed
        with self._path.open("rb") as file:
            file.seek(size)
            return results + file.read().count(b"\n")

    def _append_to(self, path: Path) -> IO[str]:
        return self._open.enter_context(
            TextIOWrapper(BufferedWriter(_NamedFile(path, "a")), encoding="utf-8", newline="\n")
        )


class _NamedFile(FileIO):
    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            error.filename = self.name
            raise


def _lock(file: IO[str], path: Path) -> None:
    """Lock a file until it is closed. Raises OSError if another process holds the lock."""
    try:
        import fcntl
    except ImportError:  # Windows has no flock: there, two writers of one file go undetected
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise OSError(error.errno, "another aspdoku batch is writing to it", str(path)) from None


class _Checked(NamedTuple):
    """The results in a file that are known to belong to these lines and rules.

    results, size: their number, and their size in bytes
    digest: their hash
    end: the size of the journal up to their record; 0 if there is none
    rest: the lines after theirs
    """

    results: int
    size: int
    digest: blake2b
    end: int
    rest: Iterator[str]


def journal_path_of(output: Path) -> Path:
    """The journal of a file of results."""
    return output.with_name(f"{output.name}.resume")


def _check(
    output: Path, program: Program, lines: Iterator[str], source: str, texts: Iterator[bytes]
) -> _Checked:
    """Compare the lines of a source, and their results in a file, with the records of its journal.
    Raises AspdokuError if they differ, if there are fewer lines than results, or if the rules
    differ.
    """
    digest, results, size = blake2b(digest_size=_DIGEST_BYTES), 0, 0
    checked = _Checked(results, size, digest.copy(), 0, lines)
    pending: list[str] = []
    records: dict[int, tuple[str, int]] = {}
    for text in texts:
        records = records or _records(output, program)
        line = next(lines, None)
        if line is None:
            total = results + 1 + sum(1 for _ in texts)
            raise AspdokuError(
                f"{output} holds {total} results, but {source} has only {results} lines{_REMEDY}"
            )
        pending.append(line)
        _update(digest, line, text)
        results, size = results + 1, size + len(text)
        if results in records:
            expected, end = records[results]
            if digest.hexdigest() != expected:
                raise AspdokuError(
                    f"lines {checked.results + 1} to {results} of {source}, or their results in"
                    f" {output}, differ from those recorded in {journal_path_of(output)}{_REMEDY}"
                )
            checked = _Checked(results, size, digest.copy(), end, lines)
            pending.clear()
    return checked._replace(rest=chain(pending, lines))


def _records(output: Path, program: Program) -> dict[int, tuple[str, int]]:
    """For each recorded number of results their hash, and the journal's size up to the record."""
    path = journal_path_of(output)
    if not path.is_file():
        raise AspdokuError(
            f"{path} is missing: it records the puzzles and rules of {output}{_REMEDY}"
        )
    first, *others = path.read_bytes().splitlines(keepends=True) or [b""]
    if not first.startswith(_MAGIC.encode()):
        raise AspdokuError(f"{path} is not the --resume journal of {output}{_REMEDY}")
    if first != f"{_MAGIC}{_fingerprint(program)}\n".encode():
        raise AspdokuError(f"{output} was written under other rules or constants{_REMEDY}")
    records, end = {0: ("", 0)}, len(first)
    for line in others:
        end += len(line)
        number, _, digest = line.partition(b" ")
        if line.endswith(b"\n") and number.isdigit():
            records[int(number)] = digest.rstrip().decode("ascii", "replace"), end
    return records


def _fingerprint(program: Program) -> str:
    """A hash of the program without its comments, which also hold file names."""
    lines = without_comments(program.text).splitlines()
    text = "\n".join(line.rstrip() for line in lines if line.strip())
    return blake2b(text.encode(), digest_size=_DIGEST_BYTES).hexdigest()


def _update(digest: blake2b, line: str, text: bytes) -> None:
    digest.update(line.rstrip("\n").encode() + b"\n" + text)
