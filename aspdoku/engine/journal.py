"""The side file `FILE.resume` of a file of results.

What `--resume` needs to check that it continues the same work.

The first line holds a fingerprint of the rules. Every other line is a record: a number of results,
and a hash of the input lines and the results up to there. To resume, both are read again and
compared; results after the last record are written again. A record is appended whenever the results
have been flushed, so it never counts results that are not in the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import IO, NamedTuple

from aspdoku.errors import AspdokuError
from aspdoku.program import Program
from aspdoku.program.lexer import comments

_MAGIC = "aspdoku batch 1 "
_BYTES = 16
_REMEDY = "; to answer all lines again, write to another --output"


class Journal:
    """The number and the hash of the results so far, and the open file that records of them are
    appended to.
    """

    def __init__(self, file: IO[str], results: int, digest: blake2b) -> None:
        self._file = file
        self._results = results
        self._digest = digest

    def add(self, line: str, text: str) -> None:
        """Count a result: the line that was read, and the text that was written for it."""
        _update(self._digest, line, text.encode())
        self._results += 1

    def record(self) -> None:
        """Append a record."""
        self._file.write(f"{self._results} {self._digest.hexdigest()}\n")
        self._file.flush()


class Checked(NamedTuple):
    """The results in a file that are known to belong to these lines and rules.

    results, size: how many they are, and how many bytes they take
    digest: their hash
    end: the size of the side file up to their record; 0 if there is none
    rest: the lines after theirs
    """

    results: int
    size: int
    digest: blake2b
    end: int
    rest: Iterator[str]


def path_of(output: Path) -> Path:
    """The side file of a file of results."""
    return output.with_name(f"{output.name}.resume")


def head(program: Program) -> str:
    """The first line of a side file."""
    return f"{_MAGIC}{_fingerprint(program)}\n"


def refuse_foreign(path: Path) -> None:
    """Raise AspdokuError if there is a file with the name of a side file that is something else."""
    if path.is_file() and path.stat().st_size and not path.read_bytes().startswith(_MAGIC.encode()):
        raise AspdokuError(
            f"{path} is needed to record the progress for --resume, but holds something else:"
            " rename it"
        )


def check(
    output: Path, program: Program, lines: Iterator[str], source: str, texts: Iterator[bytes]
) -> Checked:
    """Compare lines, and the results of them in a file, with the records of its side file.

    source: the name of the file that the lines come from
    texts: the results, as they are in the file Raises AspdokuError if they differ, if there are
    fewer lines than results, or if the rules are others.
    """
    digest, results, size = _new_digest(), 0, 0
    checked = Checked(results, size, digest.copy(), 0, lines)
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
                span = (
                    f"lines {checked.results + 1} to {results} of {source}, or their results in"
                    f" {output}"
                )
                raise AspdokuError(
                    f"{span}, are not those that {path_of(output)} was written for{_REMEDY}"
                )
            checked = Checked(results, size, digest.copy(), end, lines)
            pending.clear()
    return checked._replace(rest=chain(pending, lines))


def _records(output: Path, program: Program) -> dict[int, tuple[str, int]]:
    """For each recorded number of results their hash, and the size of the side file up to the
    record.
    """
    path = path_of(output)
    if not path.is_file():
        raise AspdokuError(
            f"{path} is missing: it records which puzzles and rules {output} was written"
            f" for{_REMEDY}"
        )
    first, *others = path.read_bytes().splitlines(keepends=True) or [b""]
    if not first.startswith(_MAGIC.encode()):
        raise AspdokuError(
            f"{path} does not record which puzzles and rules {output} was written for{_REMEDY}"
        )
    if first != head(program).encode():
        raise AspdokuError(f"{output} was written under other rules or constants{_REMEDY}")
    records, end = {0: ("", 0)}, len(first)
    for line in others:
        end += len(line)
        number, _, digest = line.partition(b" ")
        if line.endswith(b"\n") and number.isdigit():
            records[int(number)] = digest.rstrip().decode("ascii", "replace"), end
    return records


def _fingerprint(program: Program) -> str:
    """A hash of the program without its comments, which also hold the names of files."""
    kept, position = [], 0
    for start, end, _ in comments(program.text):
        kept.append(program.text[position:start])
        position = end
    lines = "".join([*kept, program.text[position:]]).splitlines()
    return blake2b(
        "\n".join(line.rstrip() for line in lines if line.strip()).encode(), digest_size=_BYTES
    ).hexdigest()


def _new_digest() -> blake2b:
    return blake2b(digest_size=_BYTES)


def _update(digest: blake2b, line: str, text: bytes) -> None:
    digest.update(line.rstrip("\n").encode() + b"\n" + text)
